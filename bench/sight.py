"""Compare finding all lines of sight of a board, and drawing and checking a scenario, with a naive loop."""

from __future__ import annotations

from collections.abc import Iterator

from bench import naive_sight
from bench.battle import GAME, drawn
from bench.clock import alternate, calling
from bench.figure import Figure
from generator.games.battlelore.play import screens
from generator.games.call_to_arms.model import Scenario
from generator.model.scenario import Request
from generator.rules import check
from generator.sight.trace import Clear, lines, trace

NAIVE = "a LineString for each pair, tested against each blocking hex"
FASTER = 100.0
"""Target: all lines of sight are found at least this many times as fast as by the naive loop."""
CODES = ("K7Q2M-9FHN5", "22222-22222", "MARCH-2WEST", "H7X4K-PQ9RT")
"""Codes of the scenarios that are drawn. The time depends on the scenario, so the figure is the mean of these."""


def figures(rounds: int) -> Iterator[Figure]:
    """Yield the figures. Each round measures the naive loop and three tasks of Muster once."""
    scenario = drawn("memoir")
    board = scenario.board
    units = [unit.hex for _, unit in scenario.units if unit.hex]
    blocking = [cell for cell in board.field.cells if board.terrain(cell).blocks or cell in units]

    def all_pairs() -> Clear:
        return screens(board, units, scenario.rulings).all_clear()

    def first_board() -> Clear:
        trace.cache_clear()
        lines.cache_clear()
        return all_pairs()

    warm, cold, battles, naive = alternate(
        rounds,
        calling(all_pairs, 50),
        calling(first_board),
        calling(draw_and_check),
        calling(lambda: naive_sight.all_clear(board.field, blocking)),
    )
    cells = len(board.field.cells)
    yield Figure(f"all pairs of {cells} hexes, each further board", warm, NAIVE, naive, "times as fast", FASTER)
    yield Figure(f"all pairs of {cells} hexes, the first board", cold, NAIVE, naive, "times as fast")
    yield Figure("draw and check of a scenario", battles / len(CODES), NAIVE, naive, "times the time")


def draw_and_check() -> list[Scenario]:
    """Draw the scenarios of CODES, and check each of them against all rules."""
    scenarios: list[Scenario] = [GAME.draw(Request(code, {}, {})) for code in CODES]
    for scenario in scenarios:
        assert not check(GAME.rules, scenario).illegal
    return scenarios
