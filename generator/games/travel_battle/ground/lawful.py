"""What lawful boards and battlefields are: each predicate lists what breaks it, as squares and the reason.

Nothing here knows how a board was made; the maker does not build with it. Where roads leave a board is
derived from the game's own boards; that a road is a ribbon and a hill a rounded blob are house rules.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from generator.games.regions import connected
from generator.games.travel_battle.ground.board import (
    EXITS,
    HALF,
    SEAM,
    SEAMS,
    SIZE,
    Battlefield,
    Board,
    Land,
    Side,
    along,
)
from generator.grid.squares import STEPS, Square
from generator.model.words import Words

Fault = tuple[tuple[Square, ...], Words]

HILL_LEAST = 3
"""Squares a hill has at least: house."""

_SIDE_NAMES: dict[Side, Words] = {
    "S": Words("south", "南"),
    "E": Words("east", "東"),
    "N": Words("north", "北"),
    "W": Words("west", "西"),
}
_TYPE = Words("a type {type} board", "タイプ{type}のボード")
_HALF = Words("a half of a whole", "一続きのボードの半分")
_SEAM_ROADS = Words(
    "no road crosses the seam of a whole, or two do, at squares {roads} of each half as drawn, counted from 0",
    "一続きのボードの継ぎ目を通る道路は、なしか、各半分の図の（0から数えて）{roads}番目の2本だけである",
)


def exits(board: Board) -> list[Fault]:
    """Each side of a board as it is drawn has one square of road, where its type wants it; a half's seam none or two.

    The squares are those of the drawing.
    """
    reason = Words(
        "{board} as drawn has its one road exit on the {side} side at square {index}, counted from 0",
        "{board}の図では、{side}の辺の道路の出口は（0から数えて）{index}番目の1か所だけである",
    )
    name = _HALF if board.type == HALF else _TYPE.fill(type=board.type)
    faults: list[Fault] = []
    for side, index in EXITS[board.type].items():
        if wrong := {*board.exits(side)} ^ {index}:
            told = reason.fill(board=name, side=_SIDE_NAMES[side], index=index)
            faults.append((_along(side, wrong), told))
    if board.type == HALF and (wrong := min(({*board.exits(SEAM)} ^ {*roads} for roads in SEAMS), key=len)):
        faults.append((_along(SEAM, wrong), _SEAM_ROADS.fill(roads=" ".join(map(str, SEAMS[-1])))))
    return faults


def _along(side: Side, places: Collection[int]) -> tuple[Square, ...]:
    line = along(side)
    return tuple(line[i] for i in sorted(places))


def ribbons(land: Land) -> list[Fault]:
    """Roads are one square wide, end at the land's edge alone, and never meet at a mere corner."""
    roads = frozenset(land.roads())
    blocks = (
        block
        for cell in land.roads()
        if roads.issuperset(block := (cell, cell + STEPS[0], cell + STEPS[1], cell + STEPS[2]))
    )
    faults: list[Fault] = [
        (tuple(sorted(block)), Words("a road is one square wide", "道路の幅は1マスである")) for block in blocks
    ]
    ends = tuple(cell for cell in land.roads() if _ways(land, cell, roads) < 2)
    if ends:
        faults.append((ends, Words("a road must not end on the board", "道路がボードの途中で途切れている")))
    corner = Words("two roads touch at a corner only", "道路同士が角だけで接している")
    return faults + [(pair, corner) for pair in _corner_pairs(land, roads)]


def _ways(land: Land, cell: Square, roads: Collection[Square]) -> int:
    """How many ways lead on from a square of road; one of them off the land at its edge."""
    beside = land.field.beside(cell)
    return sum(n in roads for n in beside) + (len(beside) < len(STEPS) // 2)


def _corner_pairs(land: Land, roads: Collection[Square]) -> Iterator[tuple[Square, Square]]:
    """Squares of road that touch at a corner, with no road beside both."""
    for cell in land.roads():
        for step in (STEPS[1], STEPS[3]):
            other = cell + step
            joints = (Square(cell.c, other.r), Square(other.c, cell.r))
            if other in roads and not any(joint in roads for joint in joints):
                yield cell, other


def network(land: Land) -> list[Fault]:
    """All roads of the land hang together, so every exit is joined to every other."""
    parts = _blobs(land, land.roads())
    main = max(parts, key=len, default=())
    reason = Words("this road is not joined to the others", "この道路はほかの道路とつながっていない")
    return [(part, reason) for part in parts if part is not main]


def hills(land: Land) -> list[Fault]:
    """A hill has three squares or more, and no square is two levels above a neighbour or the land's edge."""
    high = [cell for cell in land.field.cells if land.height(cell)]
    small = Words("a hill has at least {least} squares", "丘は{least}マス以上でなければならない")
    faults: list[Fault] = [
        (blob, small.fill(least=HILL_LEAST)) for blob in _blobs(land, high) if len(blob) < HILL_LEAST
    ]
    steep = tuple(cell for cell in high if any(land.height(cell) - land.height(cell + step) > 1 for step in STEPS))
    if steep:
        reason = Words("more than one level above a neighbour", "隣のマスより2段以上高い")
        faults.append((steep, reason))
    return faults


def roads_meet(field: Battlefield) -> list[Fault]:
    """Where two boards touch, road meets road."""
    land = field.land
    reason = Words("the road does not go on on the next board", "道路が隣のボードにつながっていない")
    return [
        ((cell, other), reason)
        for cell in land.field.cells
        for other in (cell + STEPS[0], cell + STEPS[2])
        if other in land.field and _board_of(cell) != _board_of(other)
        if land.terrain(cell).road != land.terrain(other).road
    ]


def alternate(field: Battlefield) -> list[Fault]:
    """Boards that lie side by side are of two types, as the squares of a chessboard are of two colours.

    A board is told by its near left square.
    """
    reason = Words("two boards of type {type} lie side by side", "タイプ{type}のボードが隣り合っている")
    faults: list[Fault] = []
    for r, row in enumerate(field.rows):
        for c, laid in enumerate(row):
            for column, line in ((c + 1, r), (c, r + 1)):
                if column < len(row) and line < len(field.rows):
                    other = field.rows[line][column]
                    if laid.board.type == other.board.type != HALF:
                        corners = Square(SIZE * c, SIZE * r), Square(SIZE * column, SIZE * line)
                        faults.append((corners, reason.fill(type=laid.board.type)))
    return faults


def wholes(field: Battlefield) -> list[Fault]:
    """A half lies beside its other half, seam to seam, on a field of these two boards; told as in `alternate`."""
    reason = Words(
        "{half} lies only beside the other half, seam to seam", "{half}は、もう半分と継ぎ目を合わせて置くほかない"
    ).fill(half=_HALF)
    halves = (
        Square(SIZE * c, SIZE * r)
        for r, row in enumerate(field.rows)
        for c, laid in enumerate(row)
        if laid.board.type == HALF
    )
    return [] if field.whole else [((corner,), reason) for corner in halves]


def _board_of(cell: Square) -> tuple[int, int]:
    return cell.c // SIZE, cell.r // SIZE


def _blobs(land: Land, cells: Collection[Square]) -> list[tuple[Square, ...]]:
    """The parts of some squares that hang together through sides."""
    return [tuple(sorted(part)) for part in connected(cells, land.field.beside)]
