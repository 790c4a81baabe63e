"""A Call to Arms scenario: a board, two forces raised by card, and how it was drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from generator.games.battlelore.battle import Step
from generator.games.battlelore.board import SECTIONS, Board, Camp, Section
from generator.games.battlelore.tiles import Inventory
from generator.games.battlelore.units import Unit
from generator.games.call_to_arms.deck import Card, Deck
from generator.games.call_to_arms.pool import Pool
from generator.model.scenario import Origin
from generator.model.words import Words


@dataclass(frozen=True)
class Force:
    """One camp's four cards and its units in the order they were deployed."""

    camp: Camp
    set: str
    cards: Mapping[Section, str]
    reserve: str
    units: tuple[Unit, ...]

    @property
    def keys(self) -> tuple[str, ...]:
        """The four card keys: left, centre, right, reserve."""
        return (*(self.cards[s] for s in SECTIONS), self.reserve)

    @property
    def standing(self) -> tuple[Unit, ...]:
        """The units on the board."""
        return tuple(u for u in self.units if u.hex)

    @property
    def deployed(self) -> tuple[Unit, ...]:
        """The units of the three cards on the map, lost ones too."""
        return tuple(u for u in self.units if u.card != self.reserve)

    @property
    def reserves(self) -> tuple[Unit, ...]:
        """The units of the reserve card, lost ones too."""
        return tuple(u for u in self.units if u.card == self.reserve)


@dataclass(frozen=True)
class Scenario:
    """A whole scenario, frozen; the one thing that is checked, printed and written down."""

    origin: Origin
    title: Words
    mode: str
    map: str
    """The name of the house map, of the user's file, or `random`."""
    board: Board
    inventory: Inventory
    deck: Deck
    pool: Pool
    rulings: Mapping[str, str]
    forces: Mapping[Camp, Force]
    first: Camp
    banners: int
    hand: int
    log: tuple[Step, ...]

    def steps(self, what: str, camp: Camp | None = None) -> tuple[Step, ...]:
        """The steps of that kind, for that camp."""
        return tuple(s for s in self.log if s.what == what and s.camp == camp)

    def card(self, camp: Camp, key: str) -> Card:
        """A card of the deck in play."""
        return self.deck.card(camp, key)

    @property
    def units(self) -> tuple[tuple[Camp, Unit], ...]:
        """Every unit on the board with its camp."""
        return tuple((camp, unit) for camp, force in self.forces.items() for unit in force.standing)
