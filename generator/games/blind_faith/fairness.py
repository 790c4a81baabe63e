"""How fair a Blind Faith scenario is, measured; defined in fairness.toml and docs/fairness.md.

The sides have classes of units of their own, one attacks and one defends: they are never each other's image.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction

from generator.games.blind_faith.fairodds import fair_odds
from generator.games.blind_faith.forces.units import SIDES, Side, Unit
from generator.games.blind_faith.pages.mapsheet import map_view
from generator.games.blind_faith.play.marching import movement, reach
from generator.games.blind_faith.scenario import OTHER, Scenario, Stack
from generator.games.blind_faith.words import side_name, words
from generator.games.fairness import Exact, Fairness, Measured
from generator.model.words import Words

TABLES = ("blind_faith",)
FARTHEST = 99
"""The march to an enemy whom no way leads to."""


def _measures(scenario: Scenario) -> tuple[Measured, ...]:
    units = {side: [scenario.pack.units[unit] for unit in scenario.units_of(side)] for side in SIDES}
    odds, say = fair_odds(scenario), words()["fairness"]

    def measured(name: str, value: Callable[[Side], Exact]) -> Measured:
        return Measured(name, (value(SIDES[0]), value(SIDES[1])))

    def count(name: str, holds: Callable[[Unit], object]) -> Measured:
        return measured(name, lambda side: sum(bool(holds(unit)) for unit in units[side]))

    def chance(name: str, of: Mapping[Side, Fraction] | None) -> Measured:
        if of is None:
            return Measured(name, None, say["unfought" if scenario.kind == "march" else "large"])
        return measured(name, lambda side: of[side])

    return (
        measured("army", lambda side: sum(unit.points for unit in units[side])),
        count("wagons", lambda unit: unit.symbol == "wagon"),
        count("riders", lambda unit: unit.symbol in ("cavalry", "handgun_horse")),
        count("foot", lambda unit: unit.symbol == "foot"),
        count("shooters", lambda unit: unit.fires),
        count("guns", lambda unit: unit.bombards),
        measured("pace", lambda side: _pace(scenario, side)),
        measured("approach", lambda side: _approach(scenario, side)),
        chance("round", odds.cost),
        chance("victory", odds.wins),
    )


def _stacks(scenario: Scenario, side: Side) -> list[Stack]:
    return [stack for stack in scenario.stacks if stack.side == side]


def _pace(scenario: Scenario, side: Side) -> Fraction:
    """The movement points of a side's stacks on average."""
    every = [movement(scenario.pack, stack.units) for stack in _stacks(scenario, side)]
    return Fraction(sum(every), len(every) or 1)


def _approach(scenario: Scenario, side: Side) -> int:
    """The least movement points that take a stack of the side onto the hex of an enemy's."""
    land, enemies = scenario.land, {stack.hex for stack in _stacks(scenario, OTHER[side])}
    starts = {stack.hex for stack in _stacks(scenario, side)}
    ways = (cost for start in starts for cell, cost in reach(land, start).items() if cell in enemies)
    return min(ways, default=FARTHEST)


def _swapped(scenario: Scenario) -> Scenario:
    """With every stack the other side's; the map stays as it lies, for nothing measured depends upon how."""
    return replace(
        scenario,
        armies={side: scenario.armies[OTHER[side]] for side in SIDES},
        stacks=tuple(replace(stack, side=OTHER[stack.side]) for stack in scenario.stacks),
        routed=tuple(replace(routed, side=OTHER[routed.side]) for routed in scenario.routed),
    )


def _first(scenario: Scenario) -> Words:
    return words()["fairness"]["first"].fill(side=side_name(scenario.active.side))


FAIRNESS: Fairness[Scenario] = Fairness(
    tables=TABLES,
    sides=(side_name(SIDES[0]), side_name(SIDES[1])),
    measures=_measures,
    mirrored=lambda scenario: (),
    swapped=_swapped,
    first=_first,
    view=map_view,
    refused=words()["fairness"]["refused"],
)
