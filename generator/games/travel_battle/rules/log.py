"""What the log tells must be what the scenario shows, for the log is printed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from generator.errors import WrongUsageError
from generator.games.fairsearch import fair_evidence, fair_steps
from generator.games.logs import false_steps
from generator.games.travel_battle.ground.areas import crossing_of
from generator.games.travel_battle.ground.board import SIZE
from generator.games.travel_battle.rules.dice import EVIDENCE, rule
from generator.games.travel_battle.scenario import CROSSING, OTHER, PLAYERS, WHOLE, Scenario
from generator.games.words import words
from generator.grid.squares import Square
from generator.rules.rule import Fault

ORDER = (
    ("board", WHOLE),
    ("side_dice",),
    ("side",),
    ("turn", "turn_free", "edge", CROSSING),
    ("split", "preset"),
    ("placer_dice",),
    ("placer",),
    ("place",),
    ("mover_dice",),
    ("mover",),
    ("objective",),
)
"""The steps of the set-up, stage by stage."""
STAGES = {what: stage for stage, steps in enumerate(ORDER) for what in steps}

Shown = tuple[str, str | None, tuple[str, ...]]
"""A step, whose it is, and its result."""


@rule("log.true")
def true(scenario: Scenario) -> Iterator[Fault]:
    # Dice, which nothing else in the scenario shows, are for rules of their own.
    told = (step for step in scenario.log if step.what not in EVIDENCE)
    numbers = [n for n, step in enumerate(scenario.log, 1) if step.what not in EVIDENCE]
    known, shown = words("travel_battle")["step"] | fair_steps(), {*_shown(scenario), *fair_evidence(scenario.log)}
    for fault in false_steps(told, known, shown):
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
    """Whose boards lie where, and which way; a whole's are nobody's choice."""
    if scenario.battlefield.whole:
        yield WHOLE, None, ()
        return
    name = scenario.battlefield.land.field.name
    yield from _crossing(scenario)
    left = scenario.boards[0][0].owner
    yield "side", left, ("left",)
    yield "side", OTHER[left], ("right",)
    for r, row in enumerate(scenario.boards):
        for c, placed in enumerate(row):
            yield "board", placed.owner, (placed.name,)
            yield "edge", placed.owner, (name(Square(SIZE * c, SIZE * r)), str(placed.faced))


def _crossing(scenario: Scenario) -> Iterator[Shown]:
    """That two boards are neighbours of a campaign and lie as on its map, told by the log or not."""
    placed = scenario.boards[0]
    told = next((step.result for step in scenario.log if step.what == CROSSING), ())
    if told != tuple(board.name for board in placed) or len(placed) != len(PLAYERS) or len(scenario.boards) > 1:
        return
    try:
        crossing = crossing_of(*told)
    except WrongUsageError:
        return
    if crossing and (crossing.left.laid, crossing.right.laid) == tuple(board.laid for board in placed):
        yield CROSSING, None, told


def _told(scenario: Scenario, share: Counter[str]) -> str:
    """A brigade's units in the order of the army's file."""
    return ", ".join(f"{share[kind.id]} {kind.id}" for kind in scenario.roster.fighters if share[kind.id])


@rule("log.order")
def in_order(scenario: Scenario) -> Iterator[Fault]:
    # A step is held against the one before it, so that one out of place is told once.
    before, last, boards = "", 0, 0
    for number, step in enumerate(scenario.log, 1):
        stage = STAGES.get(step.what)
        if stage is None:
            continue
        if step.what == "board":
            boards += 1
            # In club games the boards beyond each player's first are chosen when the sides are known.
            stage = stage if boards <= len(PLAYERS) else min(last, STAGES["side"])
        if stage < last:
            yield Fault(f"log {number}", "late", {"step": step.what, "before": before})
        before, last = step.what, stage
