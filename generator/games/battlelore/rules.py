"""Rules that check a BattleLore battle from its scenario alone."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial

from generator.common.scenario_file import false_steps
from generator.common.search import fair_evidence, fair_steps
from generator.common.tables import RuleBook, ruleset
from generator.games.battlelore import ground_rules
from generator.games.battlelore import ground_rules as ground
from generator.games.battlelore.base import Scenario, orders
from generator.games.battlelore.forces import Unit, missing_figures, points, seat_names
from generator.games.battlelore.ground import SECTIONS, Section, Side, section_name, side_name, words
from generator.games.battlelore.model import LORE, camps_step
from generator.model.words import joined
from generator.rules import Fault

rule = RuleBook("battlelore/alone.toml")
rule.bind_shared(
    {
        "army.hand": ground_rules.hand,
        "army.goal": ground_rules.goal,
        "army.impassable": ground_rules.passable,
        "army.stack": ground_rules.alone,
        "army.banners": ground_rules.banners,
    }
)


@rule("army.points")
def even(scenario: Scenario) -> Iterator[Fault]:
    for camp, force in scenario.forces.items():
        have = sum(points(unit.kind) for unit in force.units if unit.hex)
        if have != scenario.points:
            values = {"camp": side_name(camp), "have": have, "want": scenario.points}
            yield Fault(camp, "other", values, at=("play", "points"))


@rule("army.plan")
def planned(scenario: Scenario) -> Iterator[Fault]:
    plans, slack = {plan.id: plan for plan in orders().plan}, orders().slack
    for camp, force in scenario.forces.items():
        if not force.plan:
            continue
        plan, all_ = plans[force.plan], sum(points(unit.kind) for unit in force.units if unit.hex)
        for section in SECTIONS:
            section_cells = scenario.board.plan.section_cells(section, camp)
            # A hex of two sections counts only for the first of these.
            here = [u for u in force.units if u.hex in section_cells and _section(scenario, camp, u) == section]
            have, share = sum(points(unit.kind) for unit in here), plan.share(section)
            if abs(100 * have - share * all_) > slack * all_:
                values = {"plan": plan.name, "section": section_name(section).low, "have": have, "all": all_}
                values |= {"camp": side_name(camp), "want": all_ * share // 100}
                yield Fault(camp, "off", values, at=(camp, "plan"))


def _section(scenario: Scenario, camp: Side, unit: Unit) -> Section:
    assert unit.hex
    return scenario.board.plan.sections_of(unit.hex, camp)[0]


@rule("army.sections")
def everywhere(scenario: Scenario) -> Iterator[Fault]:
    for camp, force in scenario.forces.items():
        held = {unit.hex for unit in force.units if unit.hex}
        empty = [s for s in SECTIONS if not held & {*scenario.board.plan.section_cells(s, camp)}]
        # If an army is too small to fill every section, empty sections are probably intended.
        if empty and len(held) >= 2 * len(SECTIONS):
            values = {"camp": side_name(camp), "section": joined([section_name(s).low for s in empty])}
            yield Fault(camp, "empty", values, at=(camp, "units"))


@rule("army.rows")
def rows(scenario: Scenario) -> Iterator[Fault]:
    board, max_rows = scenario.board, orders().rows
    for camp, unit in scenario.units:
        if unit.hex and board.plan.seen(unit.hex, camp).r >= max_rows:
            yield ground_rules.misplaced(scenario, camp, unit, "far", n=max_rows)
    yield from ground_rules.off_shared(scenario)


@rule("army.pool")
def pool(scenario: Scenario) -> Iterator[Fault]:
    for camp, force in scenario.forces.items():
        units = [unit for unit in force.units if unit.hex]
        for short in scenario.pool.shortages(camp, [u.kind for u in units], missing=missing_figures(units)):
            yield Fault(camp, "short", ground_rules.short_of(camp, short), at=(camp, "units"))


@rule("army.age")
def age(scenario: Scenario) -> Iterator[Fault]:
    return (fault for fault in _ages(scenario) if fault.reason == "medieval")


@rule("army.council")
def council(scenario: Scenario) -> Iterator[Fault]:
    if scenario.age == LORE:
        yield from (fault for fault in _ages(scenario) if fault.reason == "none")
        yield from ground_rules.councils({c: f.council for c, f in scenario.forces.items()})


def _ages(scenario: Scenario) -> Iterator[Fault]:
    councils = {camp: force.council for camp, force in scenario.forces.items()}
    return ground_rules.council_ages(councils, scenario.age == LORE)


@rule("army.log")
def log(scenario: Scenario) -> Iterator[Fault]:
    true_steps = {
        ("map", None, (scenario.map,)),
        ("points", None, (str(scenario.points),)),
        ("first", scenario.first, ()),
    }
    for camp, force in scenario.forces.items():
        true_steps |= {
            ("plan", camp, (force.plan,)),
            ("army", camp, tuple(unit.id for unit in force.units)),
            ("council", camp, tuple(f"{seat} {level}" for seat, level in force.council.items())),
        }
    known = words()["step"] | fair_steps()
    names = {plan.id: plan.name for plan in orders().plan} | seat_names(f.council for f in scenario.forces.values())
    step_text = partial(camps_step, texts=known, names=names)
    yield from false_steps(scenario.log, known, true_steps | fair_evidence(scenario.log), describe=step_text)


rules = cache(partial(ruleset, ground.rule, rule))
"""Returns the rules for the terrain, followed by those for the armies."""
