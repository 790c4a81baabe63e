"""What the log tells must be what the scenario shows, for the log is printed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from generator.games.logs import false_steps
from generator.games.travel_battle.board import SIZE
from generator.games.travel_battle.rules.dice import EVIDENCE
from generator.games.travel_battle.scenario import OTHER, Scenario
from generator.games.words import words
from generator.grid.squares import Square
from generator.rules.rule import Fault

Shown = tuple[str, str | None, tuple[str, ...]]
"""A step, whose it is, and its result."""


def true(scenario: Scenario) -> Iterator[Fault]:
    """log.true; dice, which nothing else in the scenario shows, are for rules of their own"""
    told = (step for step in scenario.log if step.what not in EVIDENCE)
    numbers = [n for n, step in enumerate(scenario.log, 1) if step.what not in EVIDENCE]
    for fault in false_steps(told, words("travel_battle")["step"], _shown(scenario)):
        yield Fault(f"log {numbers[int(fault.where.split()[1]) - 1]}", fault.reason, fault.values)


def _shown(scenario: Scenario) -> Iterator[Shown]:
    """Every step that the scenario bears out."""
    name, of = scenario.battlefield.land.field.name, scenario.objective
    yield from _boards(scenario)
    yield "placer", scenario.first_placer, ()
    yield "mover", scenario.first_mover, ()
    yield "objective", of.player, (of.kind, *map(name, of.cells), *of.units)
    for player, army in scenario.armies.items():
        shares = [Counter(unit.kind.id for unit in brigade.fighters) for brigade in army.brigades]
        yield "split", player, tuple(_told(scenario, share) for share in shares)
        for id_, preset in scenario.roster.presets.items():
            wanted = [+Counter(share) for share in preset.brigades]
            if shares and shares == wanted * (len(shares) // len(wanted)):
                yield "preset", player, (id_,)
        for brigade in army.brigades:
            yield "place", player, tuple(f"{unit.id} {name(unit.cell)}" for unit in brigade.units if unit.cell)


def _boards(scenario: Scenario) -> Iterator[Shown]:
    """Whose boards lie where, and which way."""
    name = scenario.battlefield.land.field.name
    left = scenario.boards[0][0].owner
    yield "side", left, ("left",)
    yield "side", OTHER[left], ("right",)
    for r, row in enumerate(scenario.boards):
        for c, placed in enumerate(row):
            yield "board", placed.owner, (placed.name,)
            yield "edge", placed.owner, (name(Square(SIZE * c, SIZE * r)), str(placed.laid.edge))


def _told(scenario: Scenario, share: Counter[str]) -> str:
    """A brigade's units in the order of the army's file."""
    return ", ".join(f"{share[kind.id]} {kind.id}" for kind in scenario.roster.fighters if share[kind.id])


TESTS = {"log.true": true}
