"""What makes a BattleLore battle by itself legal, derived from the scenario alone.

What is legal on every BattleLore board, derived from the scenario alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from generator.common.scenario_file import false_steps
from generator.common.search import fair_evidence, fair_steps
from generator.common.tables import RuleBook, ruleset
from generator.games.battlelore import ground_rules
from generator.games.battlelore import ground_rules as ground
from generator.games.battlelore.base import Scenario, orders
from generator.games.battlelore.forces import points
from generator.games.battlelore.ground import side_name, words
from generator.games.battlelore.model import LORE
from generator.rules import Fault, Rule

rule = RuleBook("battlelore/alone.toml")


@rule("army.points")
def even(scenario: Scenario) -> Iterator[Fault]:
    for camp, force in scenario.forces.items():
        have = sum(points(unit.kind) for unit in force.units if unit.hex)
        if have != scenario.points:
            yield Fault(camp, "other", {"camp": side_name(camp), "have": have, "want": scenario.points})


@rule("army.rows")
def rows(scenario: Scenario) -> Iterator[Fault]:
    board, most = scenario.board, orders().rows
    for camp, unit in scenario.units:
        if unit.hex and board.plan.seen(unit.hex, camp).r >= most:
            yield Fault(unit.id, "far", {"unit": unit.id, "hex": board.field.name(unit.hex), "n": most})
    yield from ground_rules.off_shared(scenario)


@rule("army.pool")
def pool(scenario: Scenario) -> Iterator[Fault]:
    for camp, force in scenario.forces.items():
        for short in scenario.pool.shortages(camp, [unit.kind for unit in force.units if unit.hex]):
            yield Fault(camp, "short", {"camp": side_name(camp), "what": short.what, "kinds": short.of})


@rule("army.council")
def council(scenario: Scenario) -> Iterator[Fault]:
    return ground_rules.councils({c: f.council for c, f in scenario.forces.items()}, scenario.age == LORE)


@rule("army.hand")
def hand(scenario: Scenario) -> Iterator[Fault]:
    return ground_rules.hand(scenario)


@rule("army.log")
def log(scenario: Scenario) -> Iterator[Fault]:
    shown = {("map", None, (scenario.map,)), ("points", None, (str(scenario.points),)), ("first", scenario.first, ())}
    for camp, force in scenario.forces.items():
        shown |= {
            ("plan", camp, (force.plan,)),
            ("army", camp, tuple(unit.id for unit in force.units)),
            ("council", camp, tuple(f"{seat} {level}" for seat, level in force.council.items())),
        }
    known = words()["step"] | fair_steps()
    yield from false_steps(scenario.log, known, shown | fair_evidence(scenario.log))


@rule("army.impassable")
def impassable(scenario: Scenario) -> Iterator[Fault]:
    return ground_rules.passable(scenario)


@rule("army.stack")
def alone(scenario: Scenario) -> Iterator[Fault]:
    return ground_rules.alone(scenario)


@rule("army.banners")
def banners(scenario: Scenario) -> Iterator[Fault]:
    return ground_rules.banners(scenario)


@cache
def rules() -> tuple[Rule[Scenario], ...]:
    """The rules of the ground, then those of the armies."""
    return ruleset(ground.rule, rule)
