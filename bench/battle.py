"""The scenario that all benchmarks of boards and maps use, and two maps of it."""

from __future__ import annotations

from msgspec.structs import replace

from generator import games
from generator.games.battlelore.maps import map_view
from generator.games.call_to_arms.model import Scenario
from generator.model.scenario import Request
from generator.model.views import MapView, Token
from generator.symbols.theme import theme

CODE = "K7Q2M-9FHN5"
GAME = games.load("call_to_arms")


def drawn(board: str) -> Scenario:
    """Return the scenario, drawn with the given board profile."""
    scenario: Scenario = GAME.draw(Request(CODE, {"board": board}, {}))
    return scenario


def full_map() -> MapView:
    """Return the map of the scenario with its units, as it is printed in the kit."""
    scenario = drawn("battlelore")
    return map_view(scenario.board, scenario.units)


def plain_map() -> MapView:
    """Return a map with the same hexes and their names on a single colour, and a labelled disc for each unit."""
    full = full_map()
    theme().ground["plain"] = replace(theme().ground["countryside"], pattern="")
    discs = tuple((cell, Token("disc", token.colour, token.symbol, token.label)) for cell, token in full.tokens)
    return MapView(full.grid, dict.fromkeys(full.grid.cells, "plain"), tokens=discs)
