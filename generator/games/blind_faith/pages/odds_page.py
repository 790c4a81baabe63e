"""Pages with the odds of a scenario's battle or siege, and of single dice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

from generator.common.tables import NEVER, percent
from generator.games.blind_faith.advice import Answer, answer, mean
from generator.games.blind_faith.choices import Plays
from generator.games.blind_faith.exact_odds import (
    After,
    Odds,
    bombard_chances,
    fire_chances,
    response_chances,
    wins,
)
from generator.games.blind_faith.ground import format_hex, side_name, words
from generator.games.blind_faith.maps import stack_token
from generator.games.blind_faith.model import OTHER, Scenario
from generator.games.blind_faith.pages.layout import Part, bar, charge_bars, columns_of, describe_pack, finder, room
from generator.games.blind_faith.rounds import falls, odds_settings
from generator.games.blind_faith.siege import bombard, breach_chance
from generator.games.blind_faith.tables import ROLES, SIDES, Fate, Pack, Role, Side, UnitLine
from generator.model.views import Figure, Sheet
from generator.model.words import Words, same
from generator.symbols.picture_words import chances as chance_words
from generator.symbols.picture_words import picture_words


def average(value: Fraction) -> str:
    """Return a mean for a table cell, or a dash for zero."""
    return mean(value) if value else NEVER


def first_round(scenario: Scenario) -> dict[str, object]:
    """Return the probability of each number of breaches in the first bombardment, if any unit can breach the wall.

    The units in the box for bombardment take part or, if the boxes are not filled yet, every unit that can breach.
    """
    pack, texts, max_breaches = scenario.pack, words()["odds"], room().odds.lost
    siege = scenario.siege
    units = siege.bombard if siege and siege.placed else scenario.active.units
    guns = [unit for unit in units if breach_chance(pack, unit, siege.wall)] if siege else []
    if not siege or not guns:
        return {"first": "", "first_columns": [], "first_rows": []}
    counts = bombard(pack, guns, siege.wall)
    columns = range(min(max_breaches, max(counts)) + 1)
    cells = [percent(sum((p for n, p in counts.items() if min(n, max_breaches) == k), Fraction())) for k in columns]
    return {
        "first": texts["breaches"],
        "first_columns": [f"{n}+" if n == max_breaches else n for n in columns],
        "first_rows": [{"name": same(""), "cells": cells}],
    }


def single_dice(scenario: Scenario, lines: Mapping[Role, UnitLine], figures: dict[str, Figure]) -> dict[str, object]:
    """Return the odds of single shots, charges, bombardments and responses for the classes in a fight."""
    pack = scenario.pack
    attackers, defenders = (tuple(dict.fromkeys(lines[role])) for role in ROLES)
    names = {unit.id: unit.name for unit in pack.units.values()}
    mini = MINI / max(3, len(defenders))

    def charged(unit: str, target: str) -> dict[str, object]:
        target_loss, charger_loss = falls(pack, unit, target)
        name = f"clash{percent(target_loss)}_{percent(charger_loss)}"
        # The text below the bars has their chances.
        figures[name] = charge_bars(float(target_loss), float(charger_loss), mini)
        return {"text": describe_charge(pack, unit, target), "figure": name}

    charge = [
        {"name": names[unit], "cells": [charged(unit, target) for target in defenders]}
        for unit in attackers
        if not (scenario.siege and breach_chance(pack, unit, scenario.siege.wall))
    ]
    fired = (
        _shots(scenario, "attack", attackers, defenders),
        _shots(scenario, "defence", defenders, attackers),
    )
    return {
        "attackers": [names[unit] for unit in attackers],
        "defenders": [names[unit] for unit in defenders],
        "charge": charge,
        "mini": mini,
        "shots": [] if scenario.siege else [table for rows in fired for table in rows],
        "bombard": list(_bombard(scenario, attackers)),
        "answers": list(answers(pack, len(lines["defence"]))),
    }


def describe_charge(pack: Pack, unit: str, target: str) -> Words:
    """Return the probabilities that one charge costs the target and the charger."""
    target_loss, charger_loss = falls(pack, unit, target)
    return words()["odds"]["pair"].fill(target=percent(target_loss), charger=percent(charger_loss))


def _shots(
    scenario: Scenario, role: Role, shooters: Iterable[str], targets: Sequence[str]
) -> Iterator[dict[str, object]]:
    """Yield a table of the hit probabilities for each class that fires in a role, if there are any."""
    pack, texts = scenario.pack, words()["odds"]
    rows = [
        {
            "name": pack.units[unit].name,
            "cells": [
                percent(hit_chance(pack, pack.units[unit].type, pack.units[target].type)) for target in targets
            ],
        }
        for unit in shooters
        if role in pack.units[unit].fires
    ]
    if rows:
        stack = scenario.active if role == "attack" else None
        side = stack.side if stack else next(s.side for s in scenario.stacks if s.side != scenario.active.side)
        yield {
            "head": texts["shoots"].fill(side=side_name(side)),
            "targets": [pack.units[target].name for target in targets],
            "rows": rows,
        }


def hit_chance(pack: Pack, shooter: str, target: str) -> Fraction:
    """Return the probability that a shot between units of these types removes its target."""
    return 1 - fire_chances(pack, shooter, target).get("none", Fraction())


def _bombard(scenario: Scenario, attackers: Iterable[str]) -> Iterator[dict[str, object]]:
    """Yield the probability that each class that bombards breaches the wall."""
    pack, siege = scenario.pack, scenario.siege
    for unit in attackers:
        if siege and pack.units[unit].bombards:
            chances = bombard_chances(pack, pack.units[unit].type, siege.wall)
            yield {"name": pack.units[unit].name, "chance": percent(chances.get("breach", Fraction()))}


def answers(pack: Pack, units: int) -> Iterator[dict[str, object]]:
    """Yield the mean losses caused by a response, for each column that `units` units can reach."""
    for row, (first, _, _, _) in zip(finder(pack), columns_of(pack, range(1, units + 1)), strict=False):
        chances = response_chances(pack, first).items()
        cost = sum((p * (losses.rout + losses.eliminate) for losses, p in chances), Fraction())
        yield {"units": same(row["units"]), "cost": average(cost)}


LOST: tuple[Fate, ...] = ("rout", "eliminate")
WIDE, WHOLE, HALF, TALL = 150.0, 98.0, 48.0, 9.0
"""Widths in mm of the large bar and of the bars for policies (two sizes), and height of the large bar."""
NEITHER = 12.0
"""Width in mm by which these bars are shorter if the endings in which neither side wins have a column."""
ROUND, THIN = 120.0, 4.1
"""Width of the bar for a round, and height of all bars except the large one, in mm."""
MINI = 22.0
"""Total width in mm of the bars for a class's single dice, for at least three targets."""


def odds_sheet(scenario: Scenario) -> Sheet:
    """Return the odds page of the scenario's battle or siege. The result comes first, then its explanation.

    The numbers and sentences are the same as those of `muster odds`.
    """
    texts, siege, battle = words()["odds"], scenario.siege, scenario.battle
    assert siege or battle, "a march that is not met yet has no odds"
    other = scenario.stack(siege.garrison if siege else battle.defender if battle else "")
    at = other.hex if siege else battle.hex if battle else other.hex
    lines: dict[Role, UnitLine] = {
        "attack": scenario.active.units,
        "defence": battle.defence.front + battle.defence.reserve if battle else other.units,
    }
    sides: dict[Role, Side] = {"attack": scenario.active.side, "defence": other.side}
    of = answer(scenario)
    ends = [of.odds.format_chance(chance) for chance in wins(of.odds.after[-1])]
    figures: dict[str, Figure] = {
        "attack": stack_token(scenario.pack, scenario.active, label=False),
        "defence": stack_token(scenario.pack, other, label=False),
        "great": bar(
            _parts(of.odds.after[-1], sides, [ends[0], "", ends[1]]),
            WIDE,
            TALL,
            15.0,
            _bar_words(sides, [ends[0], "", ends[1]]),
        ),
    }
    view: dict[str, object] = {
        "siege": int(siege is not None),
        "headline": of.headline,
        "intro": texts["siege" if siege else "battle"].fill(
            attacker=scenario.active.label,
            defender=other.label,
            hex=format_hex(scenario.op_map, at),
            rounds=odds_settings().rounds,
        ),
        # The headline of a siege states the choice.
        "by": same("") if siege else texts["by"].fill(plays=of.played(of.plays)),
        "exactness": of.exactness,
        "both": of.both,
        "costs": [_cost(of, role) for role in ROLES],
        "of": [{"side": side_name(sides[role]), "n": len(lines[role])} for role in ROLES],
        "rounds": list(_rounds(of, sides, figures)),
        "cases": [_case(of, plays, sides, f"case{i}", figures) for i, plays in enumerate(of.table)],
        "neither": texts["neither"].fill(rounds=odds_settings().rounds)
        if any(of.remainder(odds, brief=True) for odds in of.table.values())
        else "",
        "against": [""]
        if siege
        else [texts["against"].fill(policy=policy.name) for policy in dict.fromkeys(p.defender for p in of.table)],
        "policies": _policies(of),
        "classes": [_losses(scenario, role, lines[role], of.odds) for role in ROLES],
        "advice": [{"figure": role, "lines": advice} for role in ROLES if (advice := of.advice_lines(role))],
        **first_round(scenario),
        **single_dice(scenario, lines, figures),
        "pack": describe_pack(scenario.pack),
    }
    return Sheet("odds", texts["title"], "blind_faith/odds.xml", view, figures, pages=3, rather=1)


def _parts(after: After, sides: Mapping[Role, Side], chances: Sequence[str] = ()) -> list[Part]:
    """Return the parts of a bar that shows who has won by the end of a round.

    The attacker's part is solid, the undecided part is white, and the defender's part is hatched. `chances` contains
    the texts of the parts; it is empty or has three items.
    """
    a, d = wins(after)
    one, going, other = chances or ("", "", "")
    return [
        Part(float(a), sides["attack"], one),
        Part(float(1 - a - d), None, going),
        Part(float(d), sides["defence"], other, solid=False),
    ]


def _bar_words(sides: Mapping[Role, Side], chances: Sequence[str]) -> Words:
    """Return the words of a bar that shows who has won, given the chances of its parts."""
    names = side_name(sides["attack"]), picture_words("undecided"), side_name(sides["defence"])
    return chance_words((name, chance) for name, chance in zip(names, chances, strict=True) if chance)


def _policies(of: Answer) -> list[dict[str, Words]]:
    """Return the policies and choices on the page, each with its description."""
    if of.fight.wall:
        found = {
            (plays.attacker if plays.boxes else plays).name: plays.attacker.text
            for plays in of.table
            if not (plays.boxes and plays.boxes.keep)
        }
        found |= {plays.name: plays.text(of.fight.pack) for plays in of.table if plays.boxes and plays.boxes.keep}
    else:
        found = {policy.name: policy.text for plays in of.table for policy in plays[:2]}
    return [{"name": name, "text": text} for name, text in found.items()]


def _cost(of: Answer, role: Role) -> Words:
    """Return a sentence about the mean losses of a side."""
    routed = of.odds.losses(role, "rout")
    both = routed + of.odds.losses(role, "eliminate")
    key = "costs_routed" if routed and mean(routed) == mean(both) else "costs"
    return words()["odds"][key].fill(side=of.names[role], n=mean(both), m=mean(routed))


def _rounds(of: Answer, sides: Mapping[Role, Side], figures: dict[str, Figure]) -> Iterator[dict[str, object]]:
    """Yield a bar for each round with the chances that each side has won, and the mean remaining units."""
    for n, after in enumerate(of.odds.after[: min(of.rounds, room().odds.rounds)], 1):
        name, (a, d) = f"round{n}", wins(after)
        chances = [of.odds.format_chance(chance, after.missing) for chance in (a, after.going, d)]
        figures[name] = bar(_parts(after, sides, chances), ROUND, THIN, alt=_bar_words(sides, chances))
        yield {"n": n, "figure": name, "left": [mean(units) if after.going else NEVER for units in after.left]}


def _case(
    of: Answer, plays: Plays, sides: Mapping[Role, Side], name: str, figures: dict[str, Figure]
) -> dict[str, object]:
    """Return a table row for a pair of policies or a choice of the besieger, with the endings as a bar."""
    odds, wall = of.table[plays], of.fight.wall
    spare = NEITHER if any(of.remainder(each, brief=True) for each in of.table.values()) else 0.0
    figures[name] = bar(_parts(odds.after[-1], sides), (WHOLE if wall else HALF) - spare, THIN)
    return {
        "plays": [plays.name] if wall else [plays.attacker.name, plays.defender.name],
        "cells": [odds.format_chance(chance) for chance in wins(odds.after[-1])],
        "figure": name,
        "rest": of.remainder(odds, brief=True) or "",
    }


def _losses(scenario: Scenario, role: Role, line: UnitLine, odds: Odds) -> dict[str, object]:
    """Return a table with the mean losses of each class of a side."""
    texts, units = words()["odds"], scenario.pack.units
    who = "attacker_loses" if role == "attack" else "garrison_loses" if scenario.siege else "defender_loses"
    rows = [
        {
            "name": units[unit].name,
            "n": n,
            "cells": [average(odds.lost.get((role, fate, unit), Fraction())) for fate in LOST],
        }
        for unit, n in Counter(line).items()
    ]
    return {"head": texts[who], "rows": rows}


def chances_sheet(pack: Pack) -> Sheet:
    """Return the page with the odds of single charges, shots, bombardments and responses."""
    texts = words()["odds"]
    type_names = {kind.id: kind.name for kind in pack.types}
    return Sheet(
        part="reference",
        title=texts["title"],
        template="blind_faith/chances.xml",
        view={
            "charges": list(_charges(pack)),
            "types": list(type_names.values()),
            "shots": [
                {"name": type_names[row], "cells": [percent(hit_chance(pack, row, target)) for target in type_names]}
                for row in dict.fromkeys(row for row, _ in pack.fire)
            ],
            "walls": [wall.name for wall in pack.walls],
            "bombard": [
                {"name": type_names[row], "cells": [percent(_breach(pack, row, wall.id)) for wall in pack.walls]}
                for row in dict.fromkeys(row for row, _ in pack.bombard)
            ],
            "answers": list(answers(pack, pack.response.columns[-1].start + 4 * pack.response.step - 1)),
            "pack": describe_pack(pack),
        },
    )


def _charges(pack: Pack) -> Iterator[dict[str, object]]:
    """Yield a table for each side with the odds of charges of its classes at those of the other side."""
    for side in SIDES:
        targets = pack.of_side(OTHER[side])
        yield {
            "head": words()["odds"]["charges"].fill(side=side_name(side)),
            "targets": [target.name for target in targets],
            "rows": [
                {"name": unit.name, "cells": [describe_charge(pack, unit.id, target.id) for target in targets]}
                for unit in pack.of_side(side)
            ],
        }


def _breach(pack: Pack, row: str, wall: str) -> Fraction:
    return bombard_chances(pack, row, wall).get("breach", Fraction())
