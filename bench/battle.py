"""The battle that every figure is measured on, and two maps of it."""

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
    """Return the battle, drawn on a board profile."""
    scenario: Scenario = GAME.draw(Request(CODE, {"board": board}, {}))
    return scenario


def full_map() -> MapView:
    """Return the map of the battle with its units, as the kit prints it."""
    scenario = drawn("battlelore")
    return map_view(scenario.board, scenario.units)


def plain_map() -> MapView:
    """Return the same hexes with their names on one flat tint and a labelled disc for each unit, and nothing else."""
    full = full_map()
    theme().ground["plain"] = replace(theme().ground["countryside"], pattern="")
    discs = tuple((cell, Token("disc", token.colour, token.symbol, token.label)) for cell, token in full.tokens)
    return MapView(full.grid, dict.fromkeys(full.grid.cells, "plain"), tokens=discs)
