"""Deployment cards: two camps, sets A, B and C of seven cards each (seed, 2a)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import msgspec

from generator.games.battlelore.forces.units import Kind
from generator.games.battlelore.ground.board import CAMPS, Camp
from generator.model.words import Words, same

SETS = ("A", "B", "C")
SET_SIZE = 7
KEYS = tuple(f"{letter}{number}" for letter in SETS for number in range(1, SET_SIZE + 1))


@dataclass(frozen=True)
class CardUnit:
    """A unit on a card; column and row are 0-based, from the owner's left and from his baseline."""

    column: int
    row: int
    kind: Kind


@dataclass(frozen=True)
class Card:
    """A card; `units` in card order: far row first, each row from the owner's left."""

    camp: Camp
    key: str
    name: Words
    units: tuple[CardUnit, ...]

    @property
    def set(self) -> str:
        """A, B or C."""
        return self.key[0]

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """What its units are, in card order."""
        return tuple(unit.kind for unit in self.units)


class Flavour(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a set is like: a short title and a sentence."""

    title: Words
    text: Words


@dataclass(frozen=True)
class Deck:
    """All 42 cards, camp by camp, A1 to C7."""

    name: Words
    source: Literal["house", "owner"]
    """`house`: ours; `owner`: typed in by its owner."""
    flavour: Mapping[Camp, Mapping[str, Flavour]]
    """By camp and set; an owner's deck may leave it out."""
    cards: tuple[Card, ...]

    @property
    def sets(self) -> tuple[str, ...]:
        """The letters of its sets."""
        return SETS

    def flavour_of(self, camp: Camp, of: str) -> Flavour:
        """What a set, called `A` or `A/standard`, is like; an empty text where its owner did not say."""
        letter, _, other = of.partition("/")
        camp = next((c for c in CAMPS if c == other), camp)
        return self.flavour.get(camp, {}).get(letter) or Flavour(same(letter), same(""))

    def card(self, camp: Camp, ref: str) -> Card:
        """The card a camp calls `A3`, or `A3/standard` where it is the other camp's; KeyError if none."""
        key, _, other = ref.partition("/")
        for card in self.cards:
            if (card.camp, card.key) == (other or camp, key):
                return card
        raise KeyError((camp, ref))

    def refs(self, camp: Camp, of: str) -> tuple[str, ...]:
        """What a camp calls the cards of a set, itself called `A` or `A/standard`; none for an unknown one."""
        letter, _, other = of.partition("/")
        tail = f"/{other}" if other else ""
        return tuple(card.key + tail for card in self.cards if (card.camp, card.set) == (other or camp, letter))

    def set(self, camp: Camp, of: str) -> tuple[Card, ...]:
        """The seven cards of a set in the order of their keys; none for an unknown set."""
        return tuple(self.card(camp, ref) for ref in self.refs(camp, of))
