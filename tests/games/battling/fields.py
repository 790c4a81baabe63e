"""Create small arenas and squads for the tests."""

from __future__ import annotations

from collections.abc import Mapping

from generator.games.battling.forces import house_pack
from generator.games.battling.ground import Arena, house_arenas
from generator.games.battling.model import PREFIX, SIDES, Machine, Scenario, Side, Squad
from generator.grid.columns import columns_field
from generator.model.scenario import Origin
from generator.model.words import same

Polygon = tuple[tuple[int, int], ...]
FINE = 5
"""Units of the finer lattice per unit of the board's lattice."""


def arena(columns: int = 14, rows: int = 12, closed: str = "", *polygons: Polygon) -> Arena:
    """Return an arena with a small building on each closed hex, and additional buildings given as polygons."""
    field = columns_field(columns, rows)
    small = []
    for name in closed.split():
        cell = field.find(name)
        assert cell
        x, y = (FINE * n for n in field.centre(cell))
        small.append(((x - 2, y - 2), (x + 2, y - 2), (x + 2, y + 2), (x - 2, y + 2)))
    return Arena(field, (*small, *polygons), FINE)


def scenario(
    ground: Arena, first: str, second: str, turns: int = 10, rulings: Mapping[str, str] | None = None, hp: int = 0
) -> Scenario:
    """Return a battle between squads written as `scopedog 0707, brutishdog 0806`.

    `hp` is the number of remaining hit points of each machine. 0 means that the machines are undamaged.
    """
    squads: dict[Side, Squad] = {}
    for side, text in zip(SIDES, (first, second), strict=True):
        machines = []
        for number, entry in enumerate(text.split(","), 1):
            kind, name = entry.split()
            cell = ground.field.find(name)
            assert cell
            machines.append(Machine(f"{PREFIX[side]}{number}", kind, cell, hp or house_pack().machines[kind].hp))
        squads[side] = Squad(side, tuple(machines), "N" if side == "first" else "S", "A" if side == "first" else "B")
    origin = Origin("battling")
    return Scenario(origin, same("a battle"), "drawn", ground, house_pack(), squads, turns, rulings or {}, 0, ())


def plaza(turns: int = 10) -> Scenario:
    """Return squads of three in a house arena, close enough to fight from the first turn."""
    ground = house_arenas()["plaza"].ground
    first = "scopedog 0504, brutishdog 0704, standing_tortoise 0904"
    return scenario(ground, first, "turbo_custom 0510, strikedog 0709, scopedog 0909", turns)
