"""The measures of fairness of a battle on a BattleLore board, defined in fairness.toml and docs/fairness.md."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from heapq import heappop, heappush

from generator.common.fairness import Measured, measuring
from generator.games.battlelore.forces import Unit, points
from generator.games.battlelore.ground import SECTIONS, SIDES, Board, Section, Side
from generator.games.battlelore.model import FACING, OTHER, CampUnit
from generator.games.battlelore.play import run, screens, stops
from generator.games.battlelore.tables import lore
from generator.grid.hexes import Hex, distance

FARTHEST = 9
"""Maximum number of turns for which a march is followed; units farther apart never meet."""

Units = Mapping[Side, tuple[Unit, ...]]


measured = measuring(SIDES)
"""Measures one quantity for both camps."""


def battle_measures(board: Board, units: Iterable[CampUnit], rulings: Mapping[str, str]) -> tuple[Measured, ...]:
    """Return the measures of every battle on such a board; `units` include units that were set up but lost."""
    units = tuple(units)
    every: Units = {camp: tuple(unit for of, unit in units if of == camp) for camp in SIDES}
    placed: Units = {camp: tuple(unit for unit in listed if unit.hex) for camp, listed in every.items()}
    weight = {camp: _sections(board, camp, placed[camp]) for camp in SIDES}
    fire = _fire(board, placed, rulings)
    return (
        measured("strength", lambda camp: sum(points(unit.kind) for unit in placed[camp])),
        *(measured(f"dice_{banner}", _dice(placed, banner)) for banner in lore().banners),
        measured("mounted", lambda camp: sum(unit.kind.arm == "mounted" for unit in placed[camp])),
        measured("bows", lambda camp: sum(unit.kind.bow for unit in placed[camp])),
        measured("displaced", lambda camp: sum(unit.placed in ("displaced", "lost") for unit in every[camp])),
        measured("contact", lambda camp: contact(board, placed, camp)),
        measured("cover", lambda camp: sum(_covers(board, cell) for cell in own_half(board, camp))),
        measured("obstacles", lambda camp: sum(_hinders(board, cell) for cell in own_half(board, camp))),
        measured("fire", lambda camp: fire[camp]),
        measured(
            "flank",
            lambda camp: max(weight[OTHER[camp]][FACING[section]] - weight[camp][section] for section in SECTIONS),
        ),
    )


def _dice(placed: Units, banner: str) -> Callable[[Side], int]:
    dice = lore().banners[banner].dice
    return lambda camp: dice * sum(unit.kind.banner == banner for unit in placed[camp])


def own_half(board: Board, camp: Side) -> tuple[Hex, ...]:
    """Return the hexes on a camp's side of the middle row."""
    middle = len(board.field.rows) // 2
    return tuple(cell for cell in board.field.cells if board.plan.seen(cell, camp).r < middle)


def _covers(board: Board, cell: Hex) -> bool:
    """Return whether the terrain limits the dice of an attack into the hex, or makes a unit bold."""
    kinds = (board.terrain(cell), board.feature(cell))
    return any(kind and (kind.dice_in or kind.bold or kind.bold_for) for kind in kinds)


def _hinders(board: Board, cell: Hex) -> bool:
    """Return whether a march cannot enter the hex, ends in it, or must avoid a cliff side of it."""
    cliff = any(board.wall_between(cell, neighbour) for neighbour in board.field.neighbours(cell))
    return not board.passable(cell) or stops(board, cell) or cliff


def _sections(board: Board, camp: Side, units: Iterable[Unit]) -> dict[Section, Fraction]:
    """Return the points in each of a camp's own sections; a unit on a section line counts half for both."""
    found: dict[Section, Fraction] = dict.fromkeys(SECTIONS, Fraction())
    for unit in units:
        if unit.hex:
            at = board.plan.sections_of(unit.hex, camp)
            for section in at:
                found[section] += Fraction(points(unit.kind), len(at))
    return found


def contact(board: Board, placed: Units, camp: Side) -> int:
    """Return the smallest number of turns after which a unit of the camp is next to an enemy.

    Each unit marches alone, as far as it may without battling; all others stay where they were set up. A unit already
    next to an enemy gives 0. The result is FARTHEST if no unit arrives earlier.
    """
    taken = {unit.hex for units in placed.values() for unit in units}
    enemies = [unit.hex for unit in placed[OTHER[camp]] if unit.hex]
    fronts = {n for at in enemies for n in board.field.neighbours(at) if not board.wall_between(at, n)}
    by_run: dict[int, list[Hex]] = defaultdict(list)
    for unit in placed[camp]:
        if unit.hex in fronts:
            return 0
        if unit.hex:
            by_run[run(unit.kind)].append(unit.hex)
    return min((_march(board, starts, fronts, taken, far) for far, starts in by_run.items()), default=FARTHEST)


def _march(board: Board, starts: list[Hex], goals: set[Hex], taken: set[Hex | None], far: int) -> int:
    """Return the smallest number of turns from any of the starts to any of the goals, at `far` hexes a turn."""
    best = dict.fromkeys(starts, 0)
    ahead = [(0, cell) for cell in starts]
    while ahead:
        steps, here = heappop(ahead)
        if steps > best[here]:
            continue
        if here in goals:
            return min(-(-steps // far), FARTHEST)
        for cell in board.field.neighbours(here):
            if cell in taken or not board.step(here, cell):
                continue
            # Terrain that ends the move uses up the rest of the turn.
            there = -(-(steps + 1) // far) * far if stops(board, cell) else steps + 1
            if there < best.get(cell, FARTHEST * far):
                best[cell] = there
                heappush(ahead, (there, cell))
    return FARTHEST


def _fire(board: Board, placed: Units, rulings: Mapping[str, str]) -> dict[Side, int]:
    """Return the number of hexes outside the enemy's half from which a camp's bow has an enemy in sight and range.

    A unit next to an enemy cannot shoot: it fights, or does nothing if a cliff side is between them.
    """
    over, index = screens(board, (), rulings), board.field.index
    found: dict[Side, int] = {}
    for camp in SIDES:
        bows = [lore().weapons[unit.kind.weapon].range for unit in placed[camp] if unit.kind.bow]
        enemies = [unit.hex for unit in placed[OTHER[camp]] if unit.hex]
        enemy_half = set(own_half(board, OTHER[camp]))
        found[camp] = sum(
            any(2 <= distance(cell, at) <= max(bows) and not over.stops(index[cell], index[at]) for at in enemies)
            for cell in board.field.cells
            if bows and cell not in enemy_half and board.passable(cell)
        )
    return found
