"""Compare the time to compute all visible fractions within range on a battlefield with that of Shapely's shadows."""

from __future__ import annotations

from collections.abc import Iterator

from bench import naive_shares
from bench.clock import alternate, calling
from bench.figure import Figure
from generator.games.travel_battle.ground import Battlefield, OrientedBoard, TerrainMap
from generator.games.travel_battle.maker import make_board
from generator.games.travel_battle.play import gun_looks, screens
from generator.grid.squares import Square
from generator.seeds import RngStreams
from generator.sight.squares import Screens, between, looks, visible_share

NAIVE = "a loop over Shapely's shadow polygons, which are kept"
FIELDS = 8
UNITS = 30
CODE = "K7Q2M-9FHN5"


def figures(rounds: int) -> Iterator[Figure]:
    """Yield the figures.

    In each round, the naive loop computes one field, and Muster several, which share a cache.
    """
    drawn = [field(RngStreams(CODE, f"v1/bench/{i}")) for i in range(FIELDS)]
    first, units = drawn[0]
    board, reach = screens(first, units), gun_looks(first).reach
    columns, rows = first.field.columns, first.field.rows
    heights, over = plain(first, board)

    def all_fields() -> None:
        for terrain, units in drawn:
            gun_looks(terrain).all_clear(screens(terrain, units))

    def first_field() -> list[tuple[int, int]]:
        looks.cache_clear()
        visible_share.cache_clear()
        between.cache_clear()
        return gun_looks(first).all_clear(board)

    warm, cold, naive = alternate(
        rounds,
        calling(all_fields),
        calling(first_field),
        calling(lambda: naive_shares.all_shares(columns, rows, reach, heights, over)),
    )
    what = f"artillery sight, all pairs of {columns} × {rows} squares"
    yield Figure(f"{what}, each further field", warm / FIELDS, NAIVE, naive, "times as fast")
    yield Figure(f"{what}, the first field", cold, NAIVE, naive, "times as fast")


def field(streams: RngStreams) -> tuple[TerrainMap, list[Square]]:
    """Return two adjacent boards, and random positions of units on open terrain."""
    boards = make_board("A", streams.under("left")), make_board("B", streams.under("right"))
    terrain = Battlefield(((OrientedBoard(boards[0], 1), OrientedBoard(boards[1], 1)),)).terrain_map
    places = [cell for cell in terrain.field.cells if terrain.terrain(cell).open]
    return terrain, streams.at("units").sample(places, UNITS)


def plain(
    terrain: TerrainMap, board: Screens
) -> tuple[dict[naive_shares.Place, int], dict[int, list[naive_shares.Place]]]:
    """Return the heights of squares, and the squares that block a line, by the height of the line's higher end."""
    places = [(cell.c, cell.r) for cell in terrain.field.cells]
    over = {level: [at for i, at in enumerate(places) if mask >> i & 1] for level, mask in enumerate(board.over)}
    return dict(zip(places, board.heights, strict=True)), over
