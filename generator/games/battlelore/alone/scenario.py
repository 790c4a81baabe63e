"""A BattleLore scenario: a board and two armies set up by sections."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from generator.games.battlelore.battle import CampUnit
from generator.games.battlelore.forces.council import Council, command_hand
from generator.games.battlelore.forces.pool import Pool
from generator.games.battlelore.forces.units import Unit
from generator.games.battlelore.ground.board import Board, Camp
from generator.games.battlelore.ground.tiles import Inventory
from generator.games.logs import Step
from generator.model.scenario import Origin
from generator.model.words import Words

MEDIEVAL, LORE = AGES = ("medieval", "lore")


@dataclass(frozen=True)
class Force:
    """One camp: its plan, its units, and in Lore games its war council."""

    camp: Camp
    plan: str
    units: tuple[Unit, ...]
    council: Council = field(default_factory=dict)


@dataclass(frozen=True)
class Scenario:
    """A whole scenario, frozen; the one thing that is checked, printed and written down."""

    origin: Origin
    title: Words
    map: str
    board: Board
    inventory: Inventory
    pool: Pool
    rulings: Mapping[str, str]
    forces: Mapping[Camp, Force]
    first: Camp
    points: int
    """What each camp's units come to."""
    banners: int
    hand: int
    age: str
    log: tuple[Step, ...]

    @property
    def units(self) -> tuple[CampUnit, ...]:
        """Every unit on the board with its camp."""
        return tuple((camp, unit) for camp, force in self.forces.items() for unit in force.units if unit.hex)

    def hand_of(self, camp: Camp) -> int:
        """A camp's command hand: its commander's in a Lore game."""
        council = self.forces[camp].council
        return command_hand(council) if council else self.hand
