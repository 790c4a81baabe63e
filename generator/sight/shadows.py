"""All lines of a field past silhouettes at once: the shadow that each building throws from each hex.

What a convex part hides from a point is convex too: it lies on the inside of every side that faces the point,
and between the two tangents. So in each column of hexes a part hides one run of rows, whose first and last
are whole-number divisions. NumPy does them for all parts and columns together; nothing is rounded.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
import numpy.typing as npt

from generator.grid.columns import ColumnField
from generator.sight.polygons import Point, sides
from generator.sight.silhouettes import Silhouettes

Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

_FAR = 1 << 40
"""Farther than any row, and far from the end of 64 bits."""


class Shadows:
    """What each hex of a field sees past silhouettes; each hex's shadows are cast once, when they are asked for."""

    def __init__(self, field: ColumnField, silhouettes: Silhouettes) -> None:
        self.field = field
        self._fine = silhouettes.fine
        self._points: Ints = np.array([field.centre(cell) for cell in field.cells], np.int64) * self._fine
        # From right to left, so that the parts that reach beyond a column are the first ones.
        parts = sorted(silhouettes.parts, key=lambda part: -max(x for x, _ in part))
        self._reach = np.array([max(x for x, _ in part) for part in parts], np.int64)
        self._starts = np.cumsum([0, *(len(part) for part in parts)], dtype=np.int64)
        ends = [side for part in parts for side in sides(part)]
        self._from, self._to = np.array(ends, np.int64).reshape(-1, 2, 2).transpose(1, 2, 0)
        follows = [
            start + (i + 1) % len(part)
            for start, part in zip(self._starts, parts, strict=False)
            for i in range(len(part))
        ]
        self._next = np.array(follows, np.int64)
        self._rules = np.array(list(silhouettes.seams), np.int64).reshape(-1, 3)
        self._stretches = list(silhouettes.seams.values())
        self._cast: dict[int, Flags] = {}

    def clear(self, a: int, b: int) -> bool:
        """Whether the line between two cells is clear, by their numbers in the field's order."""
        return bool(self._lit(min(a, b))[max(a, b)])

    @cached_property
    def matrix(self) -> Flags:
        """Whether the line from each cell (row) to each other (column) is clear; False from a cell to itself."""
        ahead: Flags = np.triu(np.array([self._lit(a) for a in range(len(self._points))]), 1)
        return ahead | ahead.T

    def _lit(self, a: int) -> Flags:
        """The cells that no shadow from this one falls on; right only for those after it in the field's order."""
        if a not in self._cast:
            columns, rows = self.field.columns, self.field.rows
            column = a // rows
            lit = np.ones((columns, rows), np.bool_)
            hidden = self._hidden((int(self._points[a, 0]), int(self._points[a, 1])), column)
            lit[column:] = hidden is not None and ~hidden
            self._cast[a] = self._without_seams(a, lit.ravel())
        return self._cast[a]

    def _hidden(self, point: Point, column: int) -> Flags | None:
        """Whether a part hides each hex from a 0-based column on, columns by rows; None from inside of a part."""
        columns, rows = np.arange(column, self.field.columns), self.field.rows
        limits = self._limits(point)
        if limits is None:
            return None
        on, by, at, starts = limits
        rest = -(by[:, None] * (3 * self._fine * columns) + at[:, None])
        # on * Y > rest: from below where `on` is positive, from above where it is negative.
        bound = rest // np.maximum(abs(on), 1)[:, None]
        above, below = (on > 0)[:, None], (on < 0)[:, None]
        low = np.where(above, bound + 1, np.where(below | (rest < 0), -_FAR, _FAR))
        high = np.where(below, -bound - 1, _FAR)
        if not len(starts):
            return np.zeros((len(columns), rows), np.bool_)
        low, high = np.maximum.reduceat(low, starts), np.minimum.reduceat(high, starts)
        # Y is -fine * (2 * row + 1 in every second column), rows counted from 1.
        lower = columns % 2
        first = np.maximum(-((high // self._fine + lower) // 2), 1) - 1
        last = np.minimum((-low // self._fine - lower) // 2, rows) - 1
        part, place = np.nonzero(first <= last)
        size = len(columns) * (rows + 1)
        begins = np.bincount(place * (rows + 1) + first[part, place], minlength=size)
        ends = np.bincount(place * (rows + 1) + last[part, place] + 1, minlength=size)
        return (np.cumsum((begins - ends).reshape(len(columns), rows + 1), axis=1) > 0)[:, :rows]

    def _limits(self, point: Point) -> tuple[Ints, Ints, Ints, Ints] | None:
        """The limits `on * Y + by * X + at > 0` of what parts hide from a point, and where each part's begin.

        Parts that do not reach beyond the point are left out. None where the point lies inside of a part.
        """
        x, y = point
        parts = int(np.searchsorted(-self._reach, -x))
        begin, count = self._starts[:parts], int(self._starts[parts])
        (x0, y0), (x1, y1) = self._from[:, :count], self._to[:, :count]
        dx, dy = x1 - x0, y1 - y0
        faces = dx * (y - y0) - dy * (x - x0) <= 0
        # A tangent touches the corner where sides cease to face the point, or begin to.
        tangent = (faces != faces[self._next[:count]]) & ((x1 != x) | (y1 != y))
        sign = np.where(faces, 1, -1)
        tx, ty = sign * (x1 - x), sign * (y1 - y)
        held = np.stack([faces, tangent], axis=1)
        on, by, at = (
            np.stack(pair, axis=1)[held] for pair in ((dx, tx), (-dy, -ty), (dy * x0 - dx * y0, ty * x - tx * y))
        )
        held_before = np.concatenate([[0], np.cumsum(held.sum(axis=1))])
        if parts and np.any(np.diff(held_before[self._starts[: parts + 1]]) == 0):
            return None
        return on, by, at, held_before[begin]

    def _without_seams(self, a: int, lit: Flags) -> Flags:
        """Less the cells that lie beyond the beginning of a seam, in one line with it and the cell."""
        xs, ys = self._points.T
        for i in np.flatnonzero(self._rules[:, 0] * ys[a] - self._rules[:, 1] * xs[a] == self._rules[:, 2]):
            dx, dy, moment = self._rules[i]
            places = dx * xs + dy * ys
            near, far = np.minimum(places, places[a]), np.maximum(places, places[a])
            for low, high in self._stretches[i]:
                lit &= ~((dx * ys - dy * xs == moment) & (np.maximum(low, near) < np.minimum(high, far)))
        return lit
