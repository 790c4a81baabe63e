"""An oracle for terrain and units that block lines of sight, written from the text of the rules."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from tests.sight.oracle import OFF, Line, Place, are_neighbours, board_lines, places

ALWAYS = ("forest", "landmark")
HIGH = ("hill", "cliff")


@dataclass(frozen=True)
class Field:
    """A board in the oracle's form, with terrain and units keyed by place."""

    rows: tuple[int, ...]
    ground: Mapping[Place, str]
    units: Collection[Place]
    rulings: Mapping[str, str]


def in_sight(field: Field) -> list[tuple[int, int]]:
    """Return the index numbers of every pair of hexes that can see each other, lower number first."""
    clear = judge(field)
    return [(line.a, line.b) for line in board_lines(field.rows) if clear(line)]


def judge(field: Field) -> Callable[[Line], bool]:
    """Return a function that decides whether a line on the board is clear."""
    cells = places(field.rows)
    ground = [field.ground[place] for place in cells]
    hard = {i for i, place in enumerate(cells) if ground[i] in ALWAYS or place in field.units}
    if field.rulings["edge"] == "blocks":
        hard.add(OFF)
    high = {i for i, what in enumerate(ground) if what in HIGH} - hard
    lifted = _lifted(cells, ground, field.rulings["hill"])
    each = field.rulings["hexside"] == "each"

    def clear(line: Line) -> bool:
        def blocks(i: int) -> bool:
            return i in hard or (i in high and not lifted(i, line.a, line.b))

        if not hard.isdisjoint(line.through) or any(blocks(i) for i in line.through):
            return False
        if each:
            return not any(blocks(left) and blocks(right) for left, right in line.facing)
        return not (any(blocks(i) for i in line.left) and any(blocks(i) for i in line.right))

    return clear


def _lifted(cells: Sequence[Place], ground: Sequence[str], hill: str) -> Callable[[int, int, int], bool]:
    """Return a function that decides whether hill or cliff `i` does not block the line from a to b."""
    hills = {i for i, what in enumerate(ground) if what == "hill"}
    # A unit sees over a cliff from a hill or cliff, and over a hill from an adjacent hill. Map each hex to these
    # hexes.
    over = {
        i: {
            j
            for j, place in enumerate(cells)
            if are_neighbours(cells[i], place) and (ground[j] == "hill" or (ground[j] == ground[i] == "cliff"))
        }
        for i, what in enumerate(ground)
        if what in HIGH
    }
    group = dict(zip(hills, hills, strict=True))
    for i in hills:
        for j in over[i]:
            old, new = group[j], group[i]
            group.update({k: new for k, of in group.items() if of == old})

    def lifted(i: int, a: int, b: int) -> bool:
        if ground[i] == "hill" and hill == "plateau":
            return group.get(a) == group[i] == group.get(b)
        return a in over[i] or b in over[i]

    return lifted
