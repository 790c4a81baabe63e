"""What every battle on a BattleLore board has in common, whichever game raised its armies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from generator.games.battlelore.forces.units import Unit
from generator.games.battlelore.ground.board import Board, Camp
from generator.games.battlelore.ground.tiles import Inventory
from generator.games.logs import Step
from generator.model.scenario import Scenario

OTHER: Mapping[Camp, Camp] = {"pennant": "standard", "standard": "pennant"}
PREFIX: Mapping[Camp, str] = {"pennant": "P", "standard": "S"}
"""What a camp's unit ids begin with."""
OFF_BOARD = "-"
"""What stands in place of a hex for a unit that is not deployed."""

CampUnit = tuple[Camp, Unit]


class Battle(Scenario, Protocol):
    """A frozen scenario on a BattleLore board."""

    @property
    def map(self) -> str:
        """The name of the house map, of the user's file, or `random`."""

    @property
    def board(self) -> Board:
        """The field."""

    @property
    def inventory(self) -> Inventory:
        """The terrain pieces at hand."""

    @property
    def rulings(self) -> Mapping[str, str]:
        """Every switch's choice."""

    @property
    def units(self) -> tuple[CampUnit, ...]:
        """Every unit on the board with its camp."""

    @property
    def first(self) -> Camp:
        """Who moves first."""

    @property
    def banners(self) -> int:
        """Victory banners to win."""

    def hand_of(self, camp: Camp) -> int:
        """Command cards in a camp's hand."""

    @property
    def log(self) -> tuple[Step, ...]:
        """How it was drawn."""
