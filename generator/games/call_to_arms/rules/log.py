"""What the log tells must be what the scenario shows, for the log is printed."""

from __future__ import annotations

from collections.abc import Iterator

from generator.games.battlelore.battle import OFF_BOARD
from generator.games.battlelore.board import CAMPS, SECTIONS, Camp
from generator.games.battlelore.file import kind_text
from generator.games.call_to_arms.scenario import Scenario
from generator.games.call_to_arms.words import words
from generator.grid.hexes import Hex
from generator.rules.rule import Fault

EVIDENCE = ("shuffle", "hand", "dice")
"""Steps that nothing else in the scenario shows; rules of their own judge them."""

Told = tuple[str, Camp | None, tuple[str, ...]]


def true(scenario: Scenario) -> Iterator[Fault]:
    """log.true"""
    shown = set(_shown(scenario))
    for number, step in enumerate(scenario.log, 1):
        if step.what not in words()["step"]:
            yield Fault(f"log {number}", "unknown", {"step": step.what})
        elif step.what not in EVIDENCE and (step.what, step.camp, step.result) not in shown:
            told = " ".join((step.what, *([step.camp] if step.camp else []), *step.result))
            yield Fault(f"log {number}", "false", {"told": told})


def _shown(scenario: Scenario) -> Iterator[Told]:
    """Every step that the scenario itself bears out."""
    yield "map", None, (scenario.map,)
    if scenario.owner:
        yield "owner", scenario.owner, ()
    green = {
        camp: sum(u.kind.banner == "green" and bool(u.hex) for u in f.deployed) for camp, f in scenario.forces.items()
    }
    yield "green", None, tuple(str(green[camp]) for camp in CAMPS)
    yield "first", scenario.first, ()
    for exchange in scenario.exchanges:
        yield "exchange", exchange.camp, (exchange.unit, kind_text(exchange.kind))
    for play in scenario.plays:
        yield "play", play.camp, (play.card, *play.choices)
    for camp, force in scenario.forces.items():
        yield "set", camp, force.sets
        yield "places", camp, force.keys
        yield "council", camp, tuple(f"{seat} {level}" for seat, level in force.council.items())
        for card in force.specialists:
            yield "pick", camp, (card,)
        yield from _units(scenario, camp)


def _units(scenario: Scenario, camp: Camp) -> Iterator[Told]:
    force, plan = scenario.forces[camp], scenario.board.plan

    def name(cell: Hex | None) -> str:
        return plan.field.name(cell) if cell else OFF_BOARD

    section_of = {force.cards[section]: section for section in SECTIONS}
    for unit in force.units:
        if unit.levy:
            yield "levy", camp, (unit.id, unit.kind.banner)
        if not unit.hex:
            yield "short", camp, (unit.id,)
        if unit.card == force.reserve:
            yield "reserve", camp, (unit.id, name(unit.hex))
        elif unit.card in section_of and unit.cell[0] >= 0:
            own = plan.card_hex(camp, section_of[unit.card], *unit.cell)
            if unit.hex and unit.placed == "displaced":
                yield "displaced", camp, (unit.id, name(own), name(unit.hex))
            elif not unit.hex:
                yield "lost", camp, (unit.id, name(own))


TESTS = {"log.true": true}
