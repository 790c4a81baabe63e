"""Wishes for the reserves: which units come, and on which hexes; the second player's two are his own choice."""

from __future__ import annotations

from collections.abc import Sequence

from generator.errors import Problem, WrongUsageError, near
from generator.games.battlelore.ground.board import Camp
from generator.games.call_to_arms.draw.specialwishes import listed
from generator.games.call_to_arms.forces.cards import CardUnit
from generator.games.call_to_arms.forces.cells import cell_name
from generator.grid.field import HexField
from generator.grid.hexes import Hex
from generator.model.scenario import Order

Wished = tuple[tuple[str, str], ...]
"""Cells of the reserve card in the order they come, each with the hex it goes to or an empty text."""


def reserves_of(order: Order, camp: Camp) -> Wished:
    """`a3>B1, c2`: cells, with hexes where these are wished for too."""
    parts = (part.partition(">") for part in listed(order.wishes.get(f"reserves-{camp}", "")))
    return tuple((cell.strip().lower(), at.strip().upper()) for cell, _, at in parts)


def picked(camp: Camp, wished: Wished, units: Sequence[CardUnit], count: int) -> list[CardUnit]:
    """The wished units of the reserve card; WrongUsageError where they are none of it, or not so many."""
    option = f"--reserves-{camp}"
    by_cell = {cell_name((unit.column, unit.row)): unit for unit in units}
    for cell, _ in wished:
        if cell not in by_cell:
            message = f"{option}: the reserve card has no unit on cell {cell[:20]!r}"
            raise WrongUsageError(Problem(message, hint=near(cell, by_cell)))
    cells = [cell for cell, _ in wished]
    if len(set(cells)) < len(cells) or len(cells) > count or (count < len(units) and len(cells) < count):
        raise WrongUsageError(f"{option}: name {count} different cells of the reserve card")
    return [by_cell[cell] for cell in cells]


def place(camp: Camp, name: str, room: Sequence[Hex], field: HexField) -> Hex:
    """The wished hex; WrongUsageError where a reserve cannot come there."""
    at = field.find(name)
    if at is None or at not in room:
        free = ", ".join(field.name(cell) for cell in room)
        raise WrongUsageError(
            Problem(f"--reserves-{camp}: no reserve can come on {name[:20]!r}", hint=f"free on the baseline: {free}")
        )
    return at
