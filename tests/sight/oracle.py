"""An oracle for hexes and lines in integer arithmetic, written from the geometry without code of the generator.

A place is (x, row), with x in half columns, so that a row shifted by half a hex has odd x. Hexes are pointy-topped
and two halves wide. Their height is scaled so that all corners are integers. A hex contains the points with |dx|
<= 1 and
|dx| + |dy| <= 2, and rows are 3 apart. Scaling one axis does not change which points are on a line.

A position along a line is a number of equal parts, chosen so that all positions are integers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from math import lcm

Place = tuple[int, int]
Vector = tuple[int, int]
Span = tuple[int, int]

SIDES = ((1, 0, 1), (-1, 0, 1), (1, 1, 2), (-1, 1, 2), (1, -1, 2), (-1, -1, 2))
"""A hex contains the points with a·dx + b·dy <= c for each (a, b, c)."""
OFF = -1
"""Index for every hex that is not on the board."""


@dataclass(frozen=True)
class Met:
    """The hexes that the line from (0, 0) passes between its ends, in order."""

    through: tuple[Place, ...]
    left: tuple[Place, ...]
    right: tuple[Place, ...]
    facing: tuple[tuple[Place, Place], ...]
    """Hexes on the left and right of each hexside along which the line runs."""
    touching: tuple[Place, ...]


def places(rows: Sequence[int]) -> list[Place]:
    """Return every hex of a board of staggered rows, row by row from the left."""
    return [(2 * column + row % 2, row) for row, length in enumerate(rows) for column in range(length)]


def name(place: Place) -> str:
    """Return the name of a hex: a letter for the column and the number of the row."""
    x, row = place
    return f"{'ABCDEFGHIJKLM'[x // 2]}{row + 1}"


def are_neighbours(a: Place, b: Place) -> bool:
    """Return whether two hexes share a hexside."""
    return (abs(a[0] - b[0]), abs(a[1] - b[1])) in ((2, 0), (1, 1))


def steps(a: Place, b: Place) -> int:
    """Return the distance between two hexes in steps. Each step to another row also moves half a column."""
    rows, halves = abs(a[1] - b[1]), abs(a[0] - b[0])
    return rows + max(0, halves - rows) // 2


def _centre(place: Place) -> Vector:
    return place[0], 3 * place[1]


def _parts(end: Vector) -> int:
    """Return a number of parts for the line to `end` such that every hexside is crossed after whole parts."""
    return lcm(*(slope for a, b, _ in SIDES if (slope := a * end[0] + b * end[1])))


def _clip(end: Vector, parts: int, hex_at: Vector) -> Span | None:
    """Return the parts between which the line from the origin to `end` is in the closed hex."""
    low, high = 0, parts
    for a, b, c in SIDES:
        slope = a * end[0] + b * end[1]
        room = c + a * hex_at[0] + b * hex_at[1]
        if slope > 0:
            high = min(high, room * (parts // slope))
        elif slope < 0:
            low = max(low, room * (parts // slope))
        elif room < 0:
            return None
    return (low, high) if low <= high else None


def _inside(end: Vector, share: Span, hex_at: Vector) -> bool:
    """Return whether the point at `share` (parts, number of parts) of the line to `end` is in the open hex."""
    part, parts = share
    dx, dy = end[0] * part - hex_at[0] * parts, end[1] * part - hex_at[1] * parts
    return all(a * dx + b * dy < c * parts for a, b, c in SIDES)


@cache
def hexes_met(dx: int, rows: int) -> Met:
    """Return the hexes on the line to the hex `dx` half columns and `rows` rows away."""
    end = _centre((dx, rows))
    parts = _parts(end)
    found: list[tuple[Span, str, Place]] = []
    for row in range(min(0, rows) - 1, max(0, rows) + 2):
        for x in range(min(0, dx) - 3, max(0, dx) + 4):
            if (x + row) % 2 or (x, row) in ((0, 0), (dx, rows)):
                continue
            at = _centre((x, row))
            span = _clip(end, parts, at)
            if span is None:
                continue
            turn = end[0] * at[1] - end[1] * at[0]
            if span[0] == span[1]:
                how = "touching"
            elif _inside(end, (span[0] + span[1], 2 * parts), at):
                how = "through"
            else:
                how = "left" if turn > 0 else "right"
            found.append((span, how, (x, row)))
    found.sort(key=lambda f: f[0])

    def those(how: str) -> tuple[Place, ...]:
        return tuple(place for _, is_so, place in found if is_so == how)

    lefts = {span: place for span, how, place in found if how == "left"}
    rights = {span: place for span, how, place in found if how == "right"}
    facing = tuple((lefts[span], rights[span]) for span in lefts)
    return Met(those("through"), those("left"), those("right"), facing, those("touching"))


@dataclass(frozen=True)
class Line:
    """A line between two hexes of a board, given by index. OFF is a hex beyond the edge."""

    a: int
    b: int
    through: tuple[int, ...]
    left: tuple[int, ...]
    right: tuple[int, ...]
    facing: tuple[tuple[int, int], ...]


@cache
def board_lines(rows: tuple[int, ...]) -> tuple[Line, ...]:
    """Return a line for every unordered pair of hexes of a board."""
    cells = places(rows)
    number = {place: i for i, place in enumerate(cells)}

    def numbers(start: Place, offsets: Iterable[Place]) -> tuple[int, ...]:
        return tuple(number.get((start[0] + x, start[1] + row), OFF) for x, row in offsets)

    lines = []
    for a, start in enumerate(cells):
        for b in range(a + 1, len(cells)):
            of = hexes_met(cells[b][0] - start[0], cells[b][1] - start[1])
            pairs = [numbers(start, pair) for pair in of.facing]
            facing = tuple((left, right) for left, right in pairs)
            sides = (numbers(start, of.through), numbers(start, of.left), numbers(start, of.right))
            lines.append(Line(a, b, *sides, facing))
    return tuple(lines)
