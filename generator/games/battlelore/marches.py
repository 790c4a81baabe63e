"""The shortest marches to the crossings of a river, which the cover shows as arrows."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

import msgspec

from generator.games.battlelore.forces import Unit
from generator.games.battlelore.ground import SECTIONS, SIDES, Board, Side
from generator.games.battlelore.model import CampUnit
from generator.grid.hexes import Hex
from generator.model.views import Track


class March(msgspec.Struct, frozen=True):
    """The shortest march from a section to a crossing, from the unit's hex to the crossing's."""

    camp: Side
    unit: Unit
    path: tuple[Hex, ...]

    @property
    def track(self) -> Track:
        """The arrow on the map."""
        return Track(f"march_{self.camp}", self.path)


def marches(board: Board, units: Iterable[CampUnit]) -> tuple[March, ...]:
    """Return the shortest march of each section to its nearest crossing, at most one from each hex.

    Only boards on which crossings are the only way between the baselines have marches. The shortest march has the
    fewest hexes, then the fewest hexes in which units must stop, then the first unit id. Other units are not
    considered. A section with a unit on a crossing or next to one has no march.
    """
    units = [(camp, unit) for camp, unit in units if unit.hex]
    goals = {cell for cell in board.field.cells if board.terrain(cell).crossing}
    if not goals or _dry_land(board, "pennant", goals) & set(board.plan.baseline("standard")):
        return ()
    found: dict[Hex, March] = {}
    for camp in SIDES:
        for section in SECTIONS:
            cells = set(board.plan.section_cells(section, camp))
            here = [unit for of, unit in units if of == camp and unit.hex in cells]
            if any(unit.hex in goals for unit in here):
                continue
            paths = [(path, unit) for unit in here if unit.hex and (path := _path(board, unit.hex, goals))]
            if paths:
                path, unit = min(paths, key=lambda row: (*_cost(board, row[0]), _order(row[1])))
                if len(path) > 2:
                    found.setdefault(path[0], March(camp, unit, path))
    return tuple(found.values())


def _order(unit: Unit) -> tuple[int, str]:
    """Return the order of ids, in which P2 comes before P10."""
    return len(unit.id), unit.id


def _dry_land(board: Board, camp: Side, goals: set[Hex]) -> set[Hex]:
    """Return the hexes that can be reached from a camp's baseline without a crossing."""
    found = {cell for cell in board.plan.baseline(camp) if board.passable(cell) and cell not in goals}
    waiting = list(found)
    while waiting:
        cell = waiting.pop()
        for other in board.field.neighbours(cell):
            if other not in found and other not in goals and board.step(cell, other):
                found.add(other)
                waiting.append(other)
    return found


def _cost(board: Board, path: tuple[Hex, ...]) -> tuple[int, int]:
    """Return the number of hexes of a march, and how many of them except the last one stop a unit."""
    return len(path), sum(board.terrain(cell).move == "stop" for cell in path[1:-1])


def _path(board: Board, start: Hex, goals: set[Hex]) -> tuple[Hex, ...]:
    """Return the shortest path to a crossing that enters no other crossing; empty if there is no path."""
    best: dict[Hex, tuple[int, int]] = {start: (1, 0)}
    before: dict[Hex, Hex] = {}
    waiting = deque([start])
    while waiting:
        cell = waiting.popleft()
        if cell in goals:
            continue
        far, stops = best[cell]
        for other in board.field.neighbours(cell):
            cost = far + 1, stops + (board.terrain(other).move == "stop" and other not in goals)
            if board.step(cell, other) and cost < best.get(other, (cost[0] + 1, 0)):
                best[other], before[other] = cost, cell
                waiting.append(other)
    reached = [cell for cell in goals if cell in best]
    if not reached:
        return ()
    path = [min(reached, key=lambda cell: (best[cell], board.field.name(cell)))]
    while path[-1] != start:
        path.append(before[path[-1]])
    return tuple(reversed(path))
