"""BattleLore's ruling over traces: what blocks on a board, from which end it may be lifted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from generator.games.battlelore.ground.board import Board
from generator.grid.hexes import Hex
from generator.sight.lines import Lines, Screens, lines


def screens(board: Board, units: Iterable[Hex], rulings: Mapping[str, str]) -> Screens:
    """What blocks: units, blocking terrain with its exceptions, and the board's edge, as ruled.

    Hills follow the switch `hill`: `adjacent` lifts one from either end (seed: not from a hill next to it,
    made symmetric), `plateau` only for two ends in the hill's own connected group. A cliff is lifted from
    either end by a hill or cliff next to it in both readings (seed).
    """
    grid = board.field
    of = lines(grid)
    always = of.mask(units) | (of.off if rulings["edge"] == "blocks" else 0)
    groups = _groups(board, of) if rulings["hill"] == "plateau" else {}
    grouped = of.mask(groups)
    terrain = {cell: board.terrain(cell) for cell in grid.cells}
    always |= of.mask(c for c, kind in terrain.items() if kind.blocks and not kind.open_from)
    high = {cell: kind for cell, kind in terrain.items() if kind.open_from}
    liftable = of.mask(high) & ~grouped
    lifted = [0] * len(grid.cells)
    for cell, kind in high.items():
        for beside in grid.neighbours(cell):
            if board.ground[beside] in kind.open_from:
                lifted[grid.index[beside]] |= of.mask([cell])
    either = tuple(always | liftable & ~open_here for open_here in lifted)
    both = tuple(grouped & ~groups.get(cell, 0) for cell in grid.cells)
    return Screens(of, either, both, rulings["hexside"] == "cumulative")


def _groups(board: Board, of: Lines) -> dict[Hex, int]:
    """For each hill, the mask of the connected group of hills it belongs to."""
    hills = {
        c for c in board.field.cells if board.ground[c] in board.terrain(c).open_from and not board.terrain(c).sides
    }
    groups: dict[Hex, int] = {}
    for cell in board.field.cells:
        if cell not in hills or cell in groups:
            continue
        group, edge = {cell}, [cell]
        while edge:
            beside = [n for n in board.field.neighbours(edge.pop()) if n in hills and n not in group]
            group.update(beside)
            edge += beside
        groups |= dict.fromkeys(group, of.mask(group))
    return groups
