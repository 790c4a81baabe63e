"""Compare all lines of sight of a large arena with a loop over Shapely and with rational arithmetic."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from msgspec.structs import replace

from bench import naive_silhouettes
from bench.clock import alternate, calling
from bench.figure import Figure
from generator.games.battling.ground import Arena
from generator.games.battling.maker import make_arena
from generator.seeds import RngStreams
from generator.sight.silhouettes import Shadows

NAIVE = "a LineString for each pair, tested against each building"
CODE = "K7Q2M-9FHN5"
COLUMNS, ROWS, SILHOUETTES = 60, 40, 300
"""Size of the arena in hexes, and the number of silhouettes in it."""
SAMPLE = 20_000
"""Number of pairs for which the time of the loop over Shapely is measured."""


def figures(rounds: int) -> Iterator[Figure]:
    """Yield the figures.

    The time of the naive loop is measured on a sample and scaled up. Muster computes all pairs.
    """
    arena = town()
    pairs = sample(arena, SAMPLE)
    points = [(arena.point(arena.field.cells[a]), arena.point(arena.field.cells[b])) for a, b in pairs]
    among = naive_silhouettes.buildings(arena.silhouettes)
    every, naive = alternate(
        rounds,
        calling(lambda: Shadows(arena.field, arena.buildings).matrix),
        calling(lambda: naive_silhouettes.clear(points, among)),
    )
    cells = len(arena.field.cells)
    what = f"all pairs of {COLUMNS} × {ROWS} hexes past {SILHOUETTES} silhouettes"
    yield Figure(what, every, NAIVE, naive * cells * (cells - 1) / 2 / SAMPLE, "times as fast")


def town() -> Arena:
    """Return a random town of the maximum size with the maximum number of silhouettes."""
    made = make_arena(RngStreams(CODE, "v1/bench/town1"), COLUMNS, ROWS)
    return replace(made, silhouettes=made.silhouettes[:SILHOUETTES])


def sample(arena: Arena, count: int) -> list[tuple[int, int]]:
    """Return `count` pairs of different hexes, given by their indices. The pairs are the same in every run."""
    chance = Random(CODE)
    numbers = range(len(arena.field.cells))
    return [(a, b) for a, b in (chance.sample(numbers, 2) for _ in range(count))]
