"""The odds of this battle, and the dice of every class, on a page.

Single dice and first rounds of a drawn battle or siege, for its odds page.

The odds page: how the drawn battle or siege ends under stated policies, what it costs, and single dice.

The chances of single dice between all classes of a pack, for the reference.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

from generator.common.tables import NEVER, percent
from generator.games.blind_faith.ground import hex_told, side_name, words
from generator.games.blind_faith.model import OTHER, Scenario
from generator.games.blind_faith.odds import (
    Odds,
    bombard,
    bombard_chances,
    fight_odds,
    fight_of,
    fire_chances,
    response_chances,
    round_chances,
    span_told,
)
from generator.games.blind_faith.pack import Pack
from generator.games.blind_faith.pages.layout import columns_of, finder, pack_told, room
from generator.games.blind_faith.rounds import Policy, falls, policies, rounds_reckoned
from generator.games.blind_faith.tables import ROLES, SIDES, Fate, Role, UnitLine
from generator.model.views import Sheet
from generator.model.words import Words, same


def policies_told(plays: Sequence[Policy]) -> Words:
    """Who plays how, the attacker first."""
    if len(plays) == 1:
        return plays[0].name
    return words()["odds"]["plays"].fill(attacker=plays[0].name, defender=plays[1].name)


def mean(value: Fraction) -> str:
    """An average to one place after the point; a dash for none at all, and nothing rounded to none."""
    if not value:
        return NEVER
    tenths = int(value * 10 + Fraction(1, 2))
    if not tenths:
        return "<0.1"
    return f"{tenths // 10}.{tenths % 10}"


def first_round(scenario: Scenario) -> dict[str, object]:
    """The chances of each number of units lost in the first round; where guns besiege, of breaches."""
    pack, say, most = scenario.pack, words()["odds"], room().odds.lost
    found: list[tuple[Words, dict[int, Fraction]]] = []
    heading = say["breaches"]
    if siege := scenario.siege:
        guns = [unit for unit in scenario.active.units if pack.units[unit].bombards]
        found += [(same(""), _counted(bombard(pack, guns, siege.wall).items()))] if guns else []
    elif battle := scenario.battle:
        names = room().odds.battle[0]
        plays = (policies()[names[0]], policies()[names[1]])
        spread = round_chances(pack, battle.attack.front, battle.defence.front, plays, scenario.rulings).items()
        heading = say["first"].fill(policy=policies_told(plays))
        for which, name in enumerate(("attacker_loses", "defender_loses")):
            found.append((say[name], _counted((len(tolls[which].lost), p) for tolls, p in spread)))
    columns = range(min(most, max((n for _, counts in found for n in counts), default=0)) + 1)
    return {
        "first": heading,
        "first_columns": [f"{n}+" if n == most else n for n in columns],
        "first_rows": [
            {
                "name": name,
                "cells": [
                    percent(sum((p for n, p in counts.items() if min(n, most) == k), Fraction())) for k in columns
                ],
            }
            for name, counts in found
        ],
    }


def _counted(chances: Iterable[tuple[int, Fraction]]) -> dict[int, Fraction]:
    """The chance of each number."""
    found: dict[int, Fraction] = {}
    for n, p in chances:
        found[n] = found.get(n, Fraction()) + p
    return found


def single_dice(scenario: Scenario, lines: Mapping[Role, UnitLine]) -> dict[str, object]:
    """Single shots, charges, bombardments and responses between the classes that are there."""
    pack = scenario.pack
    attackers, defenders = (tuple(dict.fromkeys(lines[role])) for role in ROLES)
    names = {unit.id: unit.name for unit in pack.units.values()}
    charge = [
        {"name": names[unit], "cells": [clash_told(pack, unit, target) for target in defenders]} for unit in attackers
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


Case = tuple[tuple[Policy, ...], Odds]
"""Who plays how, the attacker first, and what comes of it."""


LOST: tuple[Fate, ...] = ("rout", "eliminate")


def odds_sheet(scenario: Scenario) -> Sheet:
    """The odds of the battle or siege that was drawn."""
    say, siege, battle = words()["odds"], scenario.siege, scenario.battle
    assert siege or battle, "a march that is not met yet has no odds"
    other = scenario.stack(siege.garrison if siege else battle.defender if battle else "")
    at = other.hex if siege else battle.hex if battle else other.hex
    lines: dict[Role, UnitLine] = {
        "attack": scenario.active.units,
        "defence": battle.defence.front + battle.defence.reserve if battle else other.units,
    }
    cases = _cases(scenario)
    used = dict.fromkeys(policy for plays, _ in cases for policy in plays)
    intro = ("siege" if siege else "battle") + ("" if all(odds.exact for _, odds in cases) else "_bounds")
    return Sheet(
        part="odds",
        title=say["title"],
        template="blind_faith/odds.xml",
        view={
            "siege": int(siege is not None),
            "intro": say[intro].fill(
                attacker=scenario.active.called,
                defender=other.called,
                hex=hex_told(scenario.land, at),
                rounds=rounds_reckoned(),
            ),
            "cases": [_case(plays, odds) for plays, odds in cases],
            "policies": [{"name": policy.name, "text": policy.text} for policy in used],
            "rounds": list(range(1, room().odds.rounds + 1)),
            "over": [
                {
                    "name": policies_told(plays),
                    "cells": [
                        span_told(1 - one.going - one.missing, one.missing)
                        for one in odds.after[: room().odds.rounds]
                    ],
                }
                for plays, odds in cases
            ],
            "losses": [_losses(scenario, role, lines[role], cases[0][1]) for role in ROLES] if cases else [],
            "losses_of": say["losses"].fill(policy=policies_told(cases[0][0])) if cases else "",
            **first_round(scenario),
            **single_dice(scenario, lines),
            "pack": pack_told(scenario.pack),
        },
    )


def _cases(scenario: Scenario) -> list[Case]:
    """The stated policies; a besieger's alone, whose garrison has no choice."""
    fight = fight_of(scenario)
    assert fight
    if not fight.wall:
        pairs = [(policies()[own], policies()[other]) for own, other in room().odds.battle]
        return [(plays, fight_odds(fight, plays)) for plays in pairs]
    found = [
        ((policy,), fight_odds(fight, (policy, policy)))
        for policy in map(policies().get, room().odds.siege)
        if policy
    ]
    # Whoever would shoot without guns does nothing.
    return [(plays, odds) for plays, odds in found if any(odds.lost.values())]


def _case(plays: Sequence[Policy], odds: Odds) -> dict[str, object]:
    """A line of the endings."""
    chances = (odds.attacker, odds.defender, odds.undecided)
    costs = (odds.losses(role, fate) for role in ROLES for fate in LOST)
    told = (span_told(chance, odds.missing) for chance in chances)
    return {"plays": [policy.name for policy in plays], "cells": [*told, *map(mean, costs)]}


def _losses(scenario: Scenario, role: Role, line: UnitLine, odds: Odds) -> dict[str, object]:
    """What each class of a side loses on average."""
    say, units = words()["odds"], scenario.pack.units
    who = "attacker_loses" if role == "attack" else "garrison_loses" if scenario.siege else "defender_loses"
    rows = [
        {
            "name": units[unit].name,
            "n": n,
            "cells": [mean(odds.lost.get((role, fate, unit), Fraction())) for fate in LOST],
        }
        for unit, n in Counter(line).items()
    ]
    return {"head": say[who], "rows": rows}


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
