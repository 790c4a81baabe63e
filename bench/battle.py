"""The battle that every figure is taken from, and the map page that is drawn of it."""

from __future__ import annotations

from generator import games
from generator.games.battlelore.mapsheet import map_view
from generator.games.call_to_arms.scenario import Scenario
from generator.model.scenario import Order
from generator.model.views import MapView

CODE = "K7Q2M-9FJXT"
GAME = games.load("call_to_arms")


def drawn(board: str) -> Scenario:
    """The battle on a board profile."""
    scenario: Scenario = GAME.draw(Order(CODE, {"board": board}, {}))
    return scenario


def map_page() -> MapView:
    """The map of the battle with its units, as the kit prints it."""
    scenario = drawn("battlelore")
    return map_view(scenario.board, scenario.units)
