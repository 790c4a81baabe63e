"""Parts of arenas that are too large to be seen whole on a page."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, combinations, pairwise

from generator.games.battling.pages.sheetfile import sheet_file
from generator.grid.columns import ColumnField, Numbered


@dataclass(frozen=True)
class Section:
    """The hexes of an arena from one to another, by columns and rows, both ends among them."""

    first: Numbered
    last: Numbered

    @property
    def cells(self) -> tuple[Numbered, ...]:
        """Its hexes, in the order of a field."""
        rows = range(self.first.r, self.last.r + 1)
        return tuple(Numbered(c, r) for c in range(self.first.c, self.last.c + 1) for r in rows)

    def __contains__(self, cell: Numbered) -> bool:
        return self.first.c <= cell.c <= self.last.c and self.first.r <= cell.r <= self.last.r

    def within(self, columns: int, rows: int) -> bool:
        """Whether it has no more columns and rows than these."""
        return self.last.c - self.first.c < columns and self.last.r - self.first.r < rows


def large(field: ColumnField) -> bool:
    """Whether an arena is too large for its numbers to be read on one page."""
    return field.columns > sheet_file().columns or field.rows > sheet_file().rows


def round_about(field: ColumnField, cell: Numbered, reach: int) -> Section:
    """A hex with so many columns and rows on each side of it; at an edge of the arena as many, but from the edge."""
    across = _about(cell.c, reach, field.columns)
    down = _about(cell.r, reach, field.rows)
    return Section(Numbered(across[0], down[0]), Numbered(across[1], down[1]))


def holding(field: ColumnField, cells: Iterable[Numbered], margin: int) -> Section:
    """The least part that holds these hexes with so many columns and rows round them."""
    columns, rows = zip(*((cell.c, cell.r) for cell in cells), strict=True)
    first = Numbered(max(1, min(columns) - margin), max(1, min(rows) - margin))
    return Section(first, Numbered(min(field.columns, max(columns) + margin), min(field.rows, max(rows) + margin)))


def gathered(field: ColumnField, groups: Iterable[Collection[Numbered]], margin: int) -> list[Section]:
    """The parts that hold these groups of hexes: one where all can be read in it, else neighbours share theirs."""
    found = [tuple(group) for group in groups]
    whole = holding(field, chain.from_iterable(found), margin)
    if whole.within(sheet_file().columns, sheet_file().rows):
        return [whole]
    while True:
        joined = {(a, b): holding(field, (*a, *b), margin) for a, b in combinations(found, 2)}
        near = [pair for pair, span in joined.items() if span.within(*sheet_file().part)]
        if not near:
            return [holding(field, group, margin) for group in found]
        pair = min(near, key=lambda pair: len(joined[pair].cells))
        first = found.index(pair[0])
        found = [group for group in found if group not in pair]
        found.insert(first, (*pair[0], *pair[1]))


def sections(field: ColumnField) -> Iterator[Section]:
    """A large arena in parts that are about as large, row by row; each shows a hex of the next as well."""
    for top, bottom in _shares(field.rows, sheet_file().rows):
        for left, right in _shares(field.columns, sheet_file().columns):
            last = Numbered(min(right + 1, field.columns), min(bottom + 1, field.rows))
            yield Section(Numbered(max(left - 1, 1), max(top - 1, 1)), last)


def _about(at: int, reach: int, most: int) -> tuple[int, int]:
    first = max(1, min(at - reach, most - 2 * reach))
    return first, min(most, first + 2 * reach)


def _shares(count: int, most: int) -> list[tuple[int, int]]:
    """1 to `count` in the fewest runs of at most so many, each with its first and last number."""
    parts = -(-count // most)
    ends = [count * i // parts for i in range(parts + 1)]
    return [(before + 1, end) for before, end in pairwise(ends)]
