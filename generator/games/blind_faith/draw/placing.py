"""Where stacks stand, and which way one of them marches."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from generator.draw.streams import Stream
from generator.games.blind_faith.ground.opmap import OpMap
from generator.games.blind_faith.numbers import play
from generator.games.blind_faith.play.marching import Path, reach, way
from generator.grid.hexes import Hex, distance


def march(land: OpMap, allowance: int, stream: Stream) -> Path | None:
    """A cheapest path that uses up the allowance or nearly so, from place to place where it can be."""
    cells = [cell for cell in land.field.cells if land.passable(cell)]
    if not cells:
        return None
    start = _liked(land, cells, stream)
    least = reach(land, start)
    for shortest in (allowance - 1, 1):
        ends = [cell for cell, cost in least.items() if max(1, shortest) <= cost <= allowance]
        if ends:
            return way(land, start, _liked(land, ends, stream))
    return None


def stand(land: OpMap, count: int, around: Collection[Hex], taken: Collection[Hex], stream: Stream) -> list[Hex]:
    """A hex for each of so many stacks, near those hexes and free; fewer where there is no room."""
    near, found = play().near, list[Hex]()
    for _ in range(count):
        cells = [
            cell
            for cell in land.field.cells
            if land.passable(cell)
            and cell not in taken
            and cell not in found
            and any(distance(cell, other) <= near for other in around)
        ]
        if cells:
            found.append(_liked(land, cells, stream))
    return found


def _liked(land: OpMap, cells: Sequence[Hex], stream: Stream) -> Hex:
    """One of the hexes; every other time one with a place, where there is one."""
    places = [cell for cell in cells if cell in land.places]
    return stream.choice(places if places and stream.chance(1, 2) else cells)
