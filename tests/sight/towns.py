"""Generate random silhouettes that overlap, touch, and cross the lines between centres."""

from __future__ import annotations

import random

from generator.sight.silhouettes import Polygon, fault


def town(rng: random.Random, columns: int, rows: int, fine: int, count: int, size: int) -> list[Polygon]:
    """Return `count` shapes of at most the given size, in units of the finer lattice."""
    shapes: list[Polygon] = []
    while len(shapes) < count:
        x, y = rng.randrange(3 * columns * fine), -rng.randrange(2 * (rows + 1) * fine)
        if rng.random() < 0.5:
            wide, deep = rng.randrange(1, size), rng.randrange(1, size)
            shape: Polygon = ((x, y), (x + wide, y), (x + wide, y - deep), (x, y - deep))
        else:
            corners = rng.choice((3, 4, 4, 5, 6, 7))
            shape = tuple((x + rng.randrange(size), y - rng.randrange(size)) for _ in range(corners))
        if not fault(shape):
            shapes.append(shape)
    return shapes
