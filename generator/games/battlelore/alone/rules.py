"""What makes a BattleLore battle by itself legal, derived from the scenario alone."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from generator.games.battlelore.alone.orders import orders
from generator.games.battlelore.alone.scenario import LORE, Scenario
from generator.games.battlelore.forces.points import points
from generator.games.battlelore.rules import common
from generator.games.battlelore.rules.board import with_ground
from generator.games.battlelore.words import camp_name, words
from generator.games.fairsearch import fair_evidence, fair_steps
from generator.games.logs import false_steps
from generator.rules.rule import Fault, Rule


def even(scenario: Scenario) -> Iterator[Fault]:
    """army.points"""
    for camp, force in scenario.forces.items():
        have = sum(points(unit.kind) for unit in force.units if unit.hex)
        if have != scenario.points:
            yield Fault(camp, "other", {"camp": camp_name(camp), "have": have, "want": scenario.points})


def rows(scenario: Scenario) -> Iterator[Fault]:
    """army.rows"""
    board, most = scenario.board, orders().rows
    for camp, unit in scenario.units:
        if unit.hex and board.plan.seen(unit.hex, camp).r >= most:
            yield Fault(unit.id, "far", {"unit": unit.id, "hex": board.field.name(unit.hex), "n": most})
    yield from common.off_shared(scenario)


def pool(scenario: Scenario) -> Iterator[Fault]:
    """army.pool"""
    for camp, force in scenario.forces.items():
        for short in scenario.pool.shortages(camp, [unit.kind for unit in force.units if unit.hex]):
            yield Fault(camp, "short", {"camp": camp_name(camp), "what": short.what, "kinds": short.of})


def council(scenario: Scenario) -> Iterator[Fault]:
    """army.council"""
    return common.councils({c: f.council for c, f in scenario.forces.items()}, scenario.age == LORE)


def hand(scenario: Scenario) -> Iterator[Fault]:
    """army.hand"""
    return common.hand(scenario.hand)


def log(scenario: Scenario) -> Iterator[Fault]:
    """army.log"""
    shown = {("map", None, (scenario.map,)), ("points", None, (str(scenario.points),)), ("first", scenario.first, ())}
    for camp, force in scenario.forces.items():
        shown |= {
            ("plan", camp, (force.plan,)),
            ("army", camp, tuple(unit.id for unit in force.units)),
            ("council", camp, tuple(f"{seat} {level}" for seat, level in force.council.items())),
        }
    known = words()["step"] | fair_steps()
    yield from false_steps(scenario.log, known, shown | fair_evidence(scenario.log))


TESTS = {
    "army.points": even,
    "army.rows": rows,
    "army.impassable": common.passable,
    "army.stack": common.alone,
    "army.pool": pool,
    "army.council": council,
    "army.banners": common.banners,
    "army.hand": hand,
    "army.log": log,
}


@cache
def rules() -> tuple[Rule[Scenario], ...]:
    """The rules of the ground, then those of the armies."""
    return with_ground("battlelore/alone.toml", TESTS)
