"""Measure the fairness of a battle on a BattleLore board, as defined in fairness.toml and docs/fairness.md."""

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
"""Maximum number of turns of a simulated march. Units that are farther apart than this count as never meeting."""

Units = Mapping[Side, tuple[Unit, ...]]


measured = measuring(SIDES)
"""Measures one quantity for each camp."""


def battle_measures(board: Board, units: Iterable[CampUnit], rulings: Mapping[str, str]) -> tuple[Measured, ...]:
    """Return the fairness measures of a battle.

    `units` must include the units of the army that are not on the board.
    """
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
    return lambda camp: sum(unit.kind.dice for unit in placed[camp] if unit.kind.banner == banner)


def own_half(board: Board, camp: Side) -> tuple[Hex, ...]:
    """Return the hexes on a camp's side of the middle row."""
    middle = len(board.field.rows) // 2
    return tuple(cell for cell in board.field.cells if board.plan.seen(cell, camp).r < middle)


def _covers(board: Board, cell: Hex) -> bool:
    """Return whether the terrain limits the dice of an attack into the hex, or makes a unit there bold."""
    kinds = (board.terrain(cell), board.feature(cell))
    return any(kind and (kind.dice_in or kind.bold or kind.bold_for) for kind in kinds)


def _hinders(board: Board, cell: Hex) -> bool:
    """Return whether a hex hinders a march: it is impassable, stops a move, or has a cliff side."""
    cliff = any(board.wall_between(cell, neighbour) for neighbour in board.field.neighbours(cell))
    return not board.passable(cell) or stops(board, cell) or cliff


def _sections(board: Board, camp: Side, units: Iterable[Unit]) -> dict[Section, Fraction]:
    """Return the total points of a camp's units in each of its sections.

    A unit on a section line counts half in each.
    """
    found: dict[Section, Fraction] = dict.fromkeys(SECTIONS, Fraction())
    for unit in units:
        if unit.hex:
            at = board.plan.sections_of(unit.hex, camp)
            for section in at:
                found[section] += Fraction(points(unit.kind), len(at))
    return found


def contact(board: Board, placed: Units, camp: Side) -> int:
    """Return the smallest number of turns after which a unit of the camp is next to an enemy.

    Each unit marches at its full move without battle while all other units stay in place. The result is 0 if a unit
    is already next to an enemy, and FARTHEST if no unit arrives earlier.
    """
    taken = {unit.hex for units in placed.values() for unit in units}
    enemies = [unit.hex for unit in placed[OTHER[camp]] if unit.hex]
    fronts = {n for at in enemies for n in board.field.neighbours(at) if not board.wall_between(at, n)}
    by_run: dict[int, list[Hex]] = defaultdict(list)
    for unit in placed[camp]:
        if unit.hex in fronts:
            return 0
        if unit.hex and run(unit.kind):
            by_run[run(unit.kind)].append(unit.hex)
    return min((_march(board, starts, fronts, taken, far) for far, starts in by_run.items()), default=FARTHEST)


def _march(board: Board, starts: list[Hex], goals: set[Hex], taken: set[Hex | None], far: int) -> int:
    """Return the smallest number of turns from any start to any goal at a speed of `far` hexes a turn."""
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
            # A unit that enters terrain that stops it loses the rest of its turn.
            there = -(-(steps + 1) // far) * far if stops(board, cell) else steps + 1
            if there < best.get(cell, FARTHEST * far):
                best[cell] = there
                heappush(ahead, (there, cell))
    return FARTHEST


def _fire(board: Board, placed: Units, rulings: Mapping[str, str]) -> dict[Side, int]:
    """Return, for each camp, the number of hexes from which its bow units have an enemy in sight and range.

    Hexes in the enemy half do not count. Hexes next to an enemy do not count either, because a unit there must fight
    that enemy or, across a cliff side, do nothing.
    """
    over, index = screens(board, (), rulings), board.field.index
    found: dict[Side, int] = {}
    for camp in SIDES:
        bows = [unit.kind for unit in placed[camp] if unit.kind.bow]
        sighted = max((kind.range for kind in bows), default=0)
        # Nothing blocks the shots of some pieces of an owner.
        over_all = max((kind.range for kind in bows if kind.over), default=0)
        enemies = [unit.hex for unit in placed[OTHER[camp]] if unit.hex]
        enemy_half = set(own_half(board, OTHER[camp]))
        found[camp] = sum(
            any(
                2 <= distance(cell, at) <= sighted
                and (distance(cell, at) <= over_all or not over.stops(index[cell], index[at]))
                for at in enemies
            )
            for cell in board.field.cells
            if bows and cell not in enemy_half and board.passable(cell)
        )
    return found
