"""Compare arenas and squads with their image under a 180° turn, which requires an even number of columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from generator.common.fairness import without_image
from generator.common.search import MIRROR
from generator.errors import WrongUsageError
from generator.games.battling.ground import (
    ACROSS,
    Arena,
)
from generator.games.battling.model import OTHER, SIDES, Machine, Scenario, side_name
from generator.games.battling.tables import words
from generator.grid.columns import ColumnField, Numbered
from generator.localization import tr
from generator.model.words import Words
from generator.sight.silhouettes import Polygon


def turns(field: ColumnField) -> bool:
    """Return whether a 180° turn maps hexes onto hexes."""
    return field.columns % 2 == 0


def turned(field: ColumnField, cell: Numbered) -> Numbered:
    """Return the image of a hex under a 180° turn."""
    return Numbered(field.columns + 1 - cell.c, field.rows + 1 - cell.r)


def turned_shape(field: ColumnField, fine: int, shape: Polygon) -> Polygon:
    """Return a silhouette turned by 180°, on a lattice with `fine` steps to each step of the field's lattice."""
    (x0, y0), (x1, y1) = field.centre(field.cells[0]), field.centre(field.cells[-1])
    return tuple((fine * (x0 + x1) - x, fine * (y0 + y1) - y) for x, y in shape)


def asymmetries(arena: Arena) -> Iterator[Words]:
    """Yield the reasons why the columns, silhouettes or edges of an arena are not symmetrical."""
    texts, field = words()["mirror"], arena.field
    if not turns(field):
        yield texts["columns"].fill(n=field.columns)
        return
    here = Counter(map(_plain, arena.silhouettes))
    there = Counter(_plain(turned_shape(field, arena.fine, shape)) for shape in arena.silhouettes)
    if more := (here - there).total():
        yield texts["silhouettes"].fill(n=more)


def _plain(shape: Polygon) -> Polygon:
    """Return a silhouette in a standard form, which does not depend on its first corner and direction."""
    ways = (shape, shape[::-1])
    return min(way[i:] + way[:i] for way in ways for i in range(len(way)))


def uneven(scenario: Scenario) -> Iterator[Words]:
    """Yield the reasons why the squads are not symmetrical."""
    texts, field = words()["mirror"], scenario.arena.field
    first, second = (scenario.squads[side] for side in SIDES)
    if ACROSS[first.edge] != second.edge:
        yield texts["edges"]

    def seen(machine: Machine, *, image: bool) -> tuple[str, int, Numbered]:
        return machine.kind, machine.hp, turned(field, machine.cell) if image else machine.cell

    for side in SIDES:
        entries = ((machine.id, seen(machine, image=False)) for machine in scenario.squads[side].machines)
        opponent_entries = (seen(machine, image=True) for machine in scenario.squads[OTHER[side]].machines)
        if lone := without_image(entries, opponent_entries):
            yield texts["machines"].fill(side=side_name(side), units=" ".join(lone), n=len(lone))


def images(field: ColumnField, cells: Iterable[Numbered]) -> list[Numbered]:
    """Return the images of hexes under a 180° turn, in the same order."""
    return [turned(field, cell) for cell in cells]


def symmetric(arena: Arena, name: str) -> Arena:
    """Return the arena if it is symmetrical.

    Raises:
        WrongUsageError: If the arena is not symmetrical.
    """
    if found := list(asymmetries(arena)):
        hint = tr("{why}; omit --{mirror}, or use --arena random", why=found[0], mirror=MIRROR)
        raise WrongUsageError(tr("{name} is not symmetrical under a 180° turn", name=name), hint=hint)
    return arena
