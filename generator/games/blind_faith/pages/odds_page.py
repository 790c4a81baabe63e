"""The odds of this battle, and the dice of every class, on a page.

Single dice and first rounds of a drawn battle or siege, for its odds page.

The odds page: how the drawn battle or siege ends under stated policies, what it costs, and single dice.

The chances of single dice between all classes of a pack, for the reference.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from generator.common.tables import NEVER, percent
from generator.games.blind_faith.ground import hex_told, side_name, words
from generator.games.blind_faith.interception import retreats
from generator.games.blind_faith.maps import stack_token
from generator.games.blind_faith.model import OTHER, Scenario
from generator.games.blind_faith.odds import (
    Odds,
    battle_odds,
    bearable,
    bombard,
    bombard_chances,
    fire_chances,
    first_storm,
    response_chances,
    siege_odds,
)
from generator.games.blind_faith.pack import Pack
from generator.games.blind_faith.pages.layout import columns_of, finder, pack_told, room
from generator.games.blind_faith.pages.pictures import Part, bar, clash
from generator.games.blind_faith.rounds import Loss, Policy, falls, policies, rounds_reckoned
from generator.games.blind_faith.tables import ROLES, SIDES, Fate, Role, Side, UnitLine
from generator.model.views import Figure, Sheet
from generator.model.words import Words, joined, same


def mean(value: Fraction) -> str:
    """An average to one place after the point; a dash for none at all, and nothing rounded to none."""
    if not value:
        return NEVER
    tenths = int(value * 10 + Fraction(1, 2))
    if not tenths:
        return "<0.1"
    return f"{tenths // 10}.{tenths % 10}"


def first_round(scenario: Scenario) -> dict[str, object]:
    """Where guns besiege, the chance of each number of breaches in the first bombardment."""
    pack, say, most = scenario.pack, words()["odds"], room().odds.lost
    siege = scenario.siege
    guns = [unit for unit in scenario.active.units if pack.units[unit].bombards] if siege else []
    if not siege or not guns:
        return {"first": "", "first_columns": [], "first_rows": []}
    counts = bombard(pack, guns, siege.wall)
    columns = range(min(most, max(counts)) + 1)
    told = [percent(sum((p for n, p in counts.items() if min(n, most) == k), Fraction())) for k in columns]
    return {
        "first": say["breaches"],
        "first_columns": [f"{n}+" if n == most else n for n in columns],
        "first_rows": [{"name": same(""), "cells": told}],
    }


def single_dice(scenario: Scenario, lines: Mapping[Role, UnitLine], figures: dict[str, Figure]) -> dict[str, object]:
    """Single shots, charges, bombardments and responses between the classes that are there."""
    pack = scenario.pack
    attackers, defenders = (tuple(dict.fromkeys(lines[role])) for role in ROLES)
    names = {unit.id: unit.name for unit in pack.units.values()}

    def charged(unit: str, target: str) -> dict[str, object]:
        harm, risk = falls(pack, unit, target)
        name = f"clash{percent(harm)}_{percent(risk)}"
        figures[name] = clash(float(harm), float(risk), MINI)
        return {"told": clash_told(pack, unit, target), "figure": name}

    charge = [
        {"name": names[unit], "cells": [charged(unit, target) for target in defenders]}
        for unit in attackers
        if not (scenario.siege and pack.units[unit].bombards)
    ]
    fired = (
        _shots(scenario, "attack", attackers, defenders),
        _shots(scenario, "defence", defenders, attackers),
    )
    return {
        "attackers": [names[unit] for unit in attackers],
        "defenders": [names[unit] for unit in defenders],
        "charge": charge,
        "shots": [] if scenario.siege else [table for rows in fired for table in rows],
        "bombard": list(_bombard(scenario, attackers)),
        "answers": list(answers(pack, len(lines["defence"]))),
    }


def clash_told(pack: Pack, unit: str, target: str) -> Words:
    """How likely one charge costs its target, and the charger."""
    harm, risk = falls(pack, unit, target)
    return words()["odds"]["pair"].fill(target=percent(harm), charger=percent(risk))


def _shots(scenario: Scenario, role: Role, own: Iterable[str], targets: Sequence[str]) -> Iterator[dict[str, object]]:
    """How likely each class that fires in that role is to hit; nothing where none does."""
    pack, say = scenario.pack, words()["odds"]
    rows = [
        {
            "name": pack.units[unit].name,
            "cells": [
                percent(hit_chance(pack, pack.units[unit].type, pack.units[target].type)) for target in targets
            ],
        }
        for unit in own
        if role in pack.units[unit].fires
    ]
    if rows:
        stack = scenario.active if role == "attack" else None
        side = stack.side if stack else next(s.side for s in scenario.stacks if s.side != scenario.active.side)
        yield {
            "head": say["shoots"].fill(side=side_name(side)),
            "targets": [pack.units[target].name for target in targets],
            "rows": rows,
        }


def hit_chance(pack: Pack, shooter: str, target: str) -> Fraction:
    """How likely one shot costs its target, by types."""
    return 1 - fire_chances(pack, shooter, target).get("none", Fraction())


def _bombard(scenario: Scenario, attackers: Iterable[str]) -> Iterator[dict[str, object]]:
    """How likely each class that bombards is to breach the wall."""
    pack, siege = scenario.pack, scenario.siege
    for unit in attackers:
        if siege and pack.units[unit].bombards:
            chances = bombard_chances(pack, pack.units[unit].type, siege.wall)
            yield {"name": pack.units[unit].name, "chance": percent(chances.get("breach", Fraction()))}


def answers(pack: Pack, units: int) -> Iterator[dict[str, object]]:
    """What one response costs on average, for every column that so many units may answer in."""
    for row, (first, _, _, _) in zip(finder(pack), columns_of(pack, range(1, units + 1)), strict=False):
        chances = response_chances(pack, first).items()
        cost = sum((p * (losses.rout + losses.eliminate) for losses, p in chances), Fraction())
        yield {"units": same(row["units"]), "cost": mean(cost)}


@dataclass(frozen=True)
class After:
    """How a fight stands after a round: the chances that either side has won by then, as far as they are known apart.

    `left` is how many units either side has on average where both still fight; None where nobody reckoned it.
    """

    over: Fraction
    attacker: Fraction | None = None
    left: tuple[Fraction, Fraction] | None = None


@dataclass(frozen=True)
class Course:
    """How a fight goes under stated policies, the attacker's first: each chance as its least and its most."""

    plays: tuple[Policy, ...]
    attacker: tuple[Fraction, Fraction]
    defender: tuple[Fraction, Fraction]
    rounds: tuple[After, ...]
    lost: Mapping[Role, tuple[Fraction, Fraction]]
    """How many units a side loses on average, and how many of them are only routed."""
    classes: Mapping[Loss, Fraction]


@dataclass(frozen=True)
class Unreckoned:
    """Policies whose course nobody reckoned, and what is told of it instead."""

    plays: tuple[Policy, ...]
    told: Words


Case = Course | Unreckoned


def course(plays: tuple[Policy, ...], odds: Odds) -> Course:
    """The course that exact odds tell of."""
    shown = room().odds.rounds
    return Course(
        plays,
        (odds.attacker, odds.attacker),
        (odds.defender, odds.defender),
        tuple(After(over) for over in odds.decided[:shown]),
        {role: (sum((odds.losses(role, f) for f in LOST), Fraction()), odds.losses(role, "rout")) for role in ROLES},
        odds.lost,
    )


LOST: tuple[Fate, ...] = ("rout", "eliminate")
WIDE, HALF, TALL = 150.0, 88.0, 12.0
"""Of the great bar and of those of policies, in mm."""
ROUND, WHOLE, THIN = 120.0, 160.0, 4.6
"""The width of a round's bar, with and without numbers of units beside it; the height of all but the great one."""
MINI = 16.0
"""The width of a single die's bar, in mm."""


def odds_sheet(scenario: Scenario) -> Sheet:
    """The odds of the battle or siege that was drawn: the answer first, then how it comes about."""
    say, siege, battle = words()["odds"], scenario.siege, scenario.battle
    assert siege or battle, "a march that is not met yet has no odds"
    other = scenario.stack(siege.garrison if siege else battle.defender if battle else "")
    at = other.hex if siege else battle.hex if battle else other.hex
    lines: dict[Role, UnitLine] = {
        "attack": scenario.active.units,
        "defence": battle.defence.front + battle.defence.reserve if battle else other.units,
    }
    sides: dict[Role, Side] = {"attack": scenario.active.side, "defence": other.side}
    cases = _siege_cases(scenario) if siege else _battle_cases(scenario)
    known = [case for case in cases if isinstance(case, Course)]
    used = dict.fromkeys(policy for case in cases for policy in case.plays)
    figures: dict[str, Figure] = {
        "attack": stack_token(scenario.pack, scenario.active, label=False),
        "defence": stack_token(scenario.pack, other, label=False),
    }
    values = {"attacker": scenario.active.called, "defender": other.called, "hex": hex_told(scenario.land, at)}
    view: dict[str, object] = {
        "siege": int(siege is not None),
        "headline": _headline(scenario, known[0], sides) if known else say["no_headline"].fill(**values),
        "intro": say["siege" if siege else "battle"].fill(**values, rounds=rounds_reckoned()),
        "by": say["by"].fill(plays=joined([p.name for p in known[0].plays], " / ", "／")) if known else "",
        "great": "",
        "costs": [_costs(case, sides) for case in known[:1]],
        "of": [{"side": side_name(sides[role]), "n": len(lines[role]), "figure": role} for role in ROLES],
        "rounds": [],
        "cases": [_case(case, sides, f"case{i}", figures) for i, case in enumerate(cases)],
        "policies": [{"name": policy.name, "text": policy.text} for policy in used],
        "classes": [_losses(scenario, role, lines[role], known[0]) for role in ROLES] if known else [],
        "advice": [{"figure": role, "lines": list(_advice(scenario, role, lines, known))} for role in ROLES],
        **first_round(scenario),
        **single_dice(scenario, lines, figures),
        "pack": pack_told(scenario.pack),
    }
    if known:
        figures["great"] = bar(_parts(known[0], sides), WIDE, TALL, 15.0)
        view["great"] = "great"
        view["rounds"] = list(_rounds(known[0], sides, figures))
    return Sheet("odds", say["title"], "blind_faith/odds.xml", view, figures)


def span_told(chance: tuple[Fraction, Fraction]) -> str:
    """A chance in percent; from its least to its most where they differ in print."""
    least, most = map(percent, chance)
    return least if least == most else f"{least}–{most}"


def _parts(case: Course, sides: Mapping[Role, Side]) -> list[Part]:
    """The ends of a fight as a bar: the attacker's solid, what is open or unknown white, the defender's hatched."""
    a, d = case.attacker[0], case.defender[0]
    return [
        Part(float(a), sides["attack"], span_told(case.attacker)),
        Part(float(1 - a - d), None, ""),
        Part(float(d), sides["defence"], span_told(case.defender), solid=False),
    ]


def _headline(scenario: Scenario, case: Course, sides: Mapping[Role, Side]) -> Words:
    """Who wins how often, of a hundred."""
    say = words()["odds"]
    likelier: Role = "attack" if case.attacker[0] >= case.defender[0] else "defence"
    chance = case.attacker if likelier == "attack" else case.defender
    kind = "siege" if scenario.siege else "battle"
    return say[f"{kind}_{likelier}"].fill(side=side_name(sides[likelier]), n=_hundred(chance))


def _hundred(chance: tuple[Fraction, Fraction]) -> Words:
    """So many of a hundred."""
    told = span_told(chance)
    if told[0] in "<>" and "–" not in told:
        return words()["odds"]["more_than" if told[0] == ">" else "less_than"].fill(n=told[1:])
    return same(told)


def _costs(case: Course, sides: Mapping[Role, Side]) -> list[Words]:
    """What a side loses on average."""
    say = words()["odds"]
    return [
        say["costs"].fill(side=side_name(sides[role]), n=mean(case.lost[role][0]), m=mean(case.lost[role][1]))
        for role in ROLES
    ]


def _rounds(case: Course, sides: Mapping[Role, Side], figures: dict[str, Figure]) -> Iterator[dict[str, object]]:
    """A bar for each round: who has won by its end."""
    for n, after in enumerate(case.rounds, 1):
        name = f"round{n}"
        if after.attacker is None:
            parts = [
                Part(float(after.over), None, percent(after.over), solid=False),
                Part(float(1 - after.over), None, percent(1 - after.over)),
            ]
        else:
            other = after.over - after.attacker
            parts = [
                Part(float(after.attacker), sides["attack"], percent(after.attacker)),
                Part(float(1 - after.over), None, percent(1 - after.over)),
                Part(float(other), sides["defence"], percent(other), solid=False),
            ]
        figures[name] = bar(parts, ROUND if after.left else WHOLE, THIN)
        yield {"n": n, "figure": name, "left": [mean(units) for units in after.left] if after.left else []}


def _battle_cases(scenario: Scenario) -> list[Case]:
    battle = scenario.battle
    assert battle
    sides: dict[Role, Side] = {"attack": scenario.active.side, "defence": scenario.stack(battle.defender).side}
    no_way = [role for role, side in sides.items() if not retreats(scenario, side)]
    cases: list[Case] = []
    for names in room().odds.battle:
        plays = (policies()[names[0]], policies()[names[1]])
        try:
            odds = battle_odds(
                scenario.pack,
                battle.attack,
                battle.defence,
                plays,
                scenario.rulings,
                no_way=no_way,
                most=room().odds.most,
            )
        except ValueError:
            cases.append(Unreckoned(plays, words()["odds"]["large"]))
        else:
            cases.append(course(plays, odds))
    return cases


def _siege_cases(scenario: Scenario) -> list[Case]:
    siege, pack = scenario.siege, scenario.pack
    assert siege
    besiegers, garrison = scenario.active.units, scenario.stack(siege.garrison).units
    cases: list[Case] = []
    for name in room().odds.siege:
        policy = policies()[name]
        try:
            bearable(pack, policy, besiegers, garrison, scenario.rulings, room().odds.storm)
            odds = siege_odds(pack, besiegers, garrison, siege.wall, policy, scenario.rulings, most=room().odds.most)
        except ValueError:
            storm = first_storm(pack, besiegers, garrison, siege.wall, policy)
            told = words()["odds"]["first_storm"].fill(garrison=mean(storm[0]), stormers=mean(storm[1]))
            large = words()["odds"]["large"]
            both = words()["reference"]["head"].fill(name=large)
            cases.append(Unreckoned((policy,), Words(both.en + told.en, both.ja + told.ja) if any(storm) else large))
        else:
            # Whoever would shoot without guns does nothing.
            cases += [course((policy,), odds)] if any(odds.lost.values()) else []
    return cases


def _case(case: Case, sides: Mapping[Role, Side], name: str, figures: dict[str, Figure]) -> dict[str, object]:
    """A pair of policies with its ends as a bar."""
    plays = [policy.name for policy in case.plays]
    if isinstance(case, Unreckoned):
        return {"plays": plays, "cells": [], "figure": "", "told": case.told}
    figures[name] = bar(_parts(case, sides), HALF, THIN)
    return {"plays": plays, "cells": [span_told(case.attacker), span_told(case.defender)], "figure": name, "told": ""}


def _losses(scenario: Scenario, role: Role, line: UnitLine, case: Course) -> dict[str, object]:
    """What each class of a side loses on average."""
    say, units = words()["odds"], scenario.pack.units
    who = "attacker_loses" if role == "attack" else "garrison_loses" if scenario.siege else "defender_loses"
    rows = [
        {
            "name": units[unit].name,
            "n": n,
            "cells": [mean(case.classes.get((role, fate, unit), Fraction())) for fate in LOST],
        }
        for unit, n in Counter(line).items()
    ]
    return {"head": say[who], "rows": rows}


def _advice(
    scenario: Scenario, role: Role, lines: Mapping[Role, UnitLine], known: Sequence[Course]
) -> Iterator[Words]:
    """What a side does best, each with the numbers that say so; only what makes a difference."""
    say, pack = words()["advice"], scenario.pack
    enemies = list(dict.fromkeys(lines["defence" if role == "attack" else "attack"]))
    own = list(dict.fromkeys(lines[role]))

    def name(unit: str) -> Words:
        return pack.units[unit].name

    def share(chance: Fraction) -> str:
        return percent(chance) if chance else "0"

    # Policies are held against each other where the other side plays alike.
    mine = 0 if role == "attack" else 1
    alike = [case for case in known if case.plays[1 - mine : 2 - mine] == known[0].plays[1 - mine : 2 - mine]]
    chances = {case.plays[mine]: case for case in alike if len(case.plays) > mine}
    if len(chances) > 1:
        order = sorted(chances, key=lambda p: _won(chances[p], role))
        best, worst = order[-1], order[0]
        told = [span_told(_chance(chances[policy], role)) for policy in (best, worst)]
        if told[0] != told[1]:
            yield say["policy"].fill(best=best.name, n=told[0], worst=worst.name, m=told[1])
    if role == "attack":
        storming = [unit for unit in own if not (scenario.siege and pack.units[unit].bombards)]
        pairs = [(falls(pack, unit, enemy), unit, enemy) for unit in storming for enemy in enemies]
        if pairs:
            worth = {(unit, enemy): harm - risk for (harm, risk), unit, enemy in pairs}
            best_pair = max(worth, key=lambda pair: (worth[pair], pack.units[pair[1]].points))
            harm, risk = falls(pack, *best_pair)
            values = {"unit": name(best_pair[0]), "target": name(best_pair[1])}
            yield say["charge"].fill(**values, n=share(harm), m=share(risk))
            bad = min(worth, key=lambda pair: worth[pair])
            if worth[bad] < 0:
                harm, risk = falls(pack, *bad)
                values = {"unit": name(bad[0]), "target": name(bad[1])}
                yield say["spare"].fill(**values, n=share(harm), m=share(risk))
    shooters = [unit for unit in own if role in pack.units[unit].fires]
    if shooters and enemies and not scenario.siege:
        hit = {
            enemy: max(hit_chance(pack, pack.units[unit].type, pack.units[enemy].type) for unit in shooters)
            for enemy in enemies
        }
        target = max(hit, key=lambda enemy: (hit[enemy], pack.units[enemy].points))
        if len(set(hit.values())) > 1:
            yield say["shoot"].fill(target=name(target), n=share(hit[target]), m=share(min(hit.values())))
    if role == "defence":
        rows = list(answers(pack, len(lines["defence"])))
        if len(rows) > 1:
            last, before = rows[-1], rows[-2]
            yield say["line"].fill(
                units=last["units"], cost=last["cost"], before=before["units"], less=before["cost"]
            )
    if scenario.siege and role == "attack":
        guns = [unit for unit in own if pack.units[unit].bombards]
        if guns:
            wall = scenario.siege.wall
            breach = {unit: _breach(pack, pack.units[unit].type, wall) for unit in guns}
            gun = max(breach, key=breach.__getitem__)
            if breach[gun]:
                yield say["guns"].fill(unit=name(gun), n=share(breach[gun]))


def _chance(case: Course, role: Role) -> tuple[Fraction, Fraction]:
    return case.attacker if role == "attack" else case.defender


def _won(case: Course, role: Role) -> Fraction:
    return _chance(case, role)[0]


def chances_sheet(pack: Pack) -> Sheet:
    """What one charge, shot, bombardment or response comes to."""
    say = words()["odds"]
    named = {kind.id: kind.name for kind in pack.types}
    return Sheet(
        part="reference",
        title=say["title"],
        template="blind_faith/chances.xml",
        view={
            "charges": list(_charges(pack)),
            "types": list(named.values()),
            "shots": [
                {"name": named[row], "cells": [percent(hit_chance(pack, row, target)) for target in named]}
                for row in dict.fromkeys(row for row, _ in pack.fire)
            ],
            "walls": [wall.name for wall in pack.walls],
            "bombard": [
                {"name": named[row], "cells": [percent(_breach(pack, row, wall.id)) for wall in pack.walls]}
                for row in dict.fromkeys(row for row, _ in pack.bombard)
            ],
            "answers": list(answers(pack, pack.response.columns[-1].start + 4 * pack.response.step - 1)),
            "pack": pack_told(pack),
        },
    )


def _charges(pack: Pack) -> Iterator[dict[str, object]]:
    """Each side's classes against those of the other."""
    for side in SIDES:
        targets = pack.of_side(OTHER[side])
        yield {
            "head": words()["odds"]["charges"].fill(side=side_name(side)),
            "targets": [target.name for target in targets],
            "rows": [
                {"name": unit.name, "cells": [clash_told(pack, unit.id, target.id) for target in targets]}
                for unit in pack.of_side(side)
            ],
        }


def _breach(pack: Pack, row: str, wall: str) -> Fraction:
    return bombard_chances(pack, row, wall).get("breach", Fraction())
