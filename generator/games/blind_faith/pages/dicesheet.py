"""Single dice and first rounds of a drawn battle or siege, for its odds page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

from generator.games.blind_faith.forces.pack import Pack
from generator.games.blind_faith.forces.units import ROLES, Line, Role
from generator.games.blind_faith.pages.sheetfile import room
from generator.games.blind_faith.pages.tableview import columns_of, finder
from generator.games.blind_faith.play.odds import bombard_chances, fire_chances, response_chances, round_chances
from generator.games.blind_faith.play.policy import Policy, falls, policies
from generator.games.blind_faith.play.siege import bombard
from generator.games.blind_faith.scenario import Scenario
from generator.games.blind_faith.words import side_name, words
from generator.games.chances import NEVER, percent
from generator.model.words import Words, same


def told(plays: Sequence[Policy]) -> Words:
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
        heading = say["first"].fill(policy=told(plays))
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


def single_dice(scenario: Scenario, lines: Mapping[Role, Line]) -> dict[str, object]:
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
