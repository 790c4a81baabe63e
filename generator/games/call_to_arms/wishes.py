"""What may be wished for in place of being drawn, and the wishes of one order made sense of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from generator.errors import Problem, WrongUsageError, near
from generator.games.battlelore import setting
from generator.games.battlelore.board import CAMPS, Camp
from generator.games.battlelore.rulings import Ruling, rulings
from generator.games.battlelore.setting import Setting
from generator.games.call_to_arms.cards import SETS
from generator.games.call_to_arms.deck import Deck, load_deck
from generator.games.call_to_arms.pool import Pool, load_pool
from generator.games.call_to_arms.words import numbers
from generator.games.capability import Wish
from generator.model.scenario import Order

MODES = ("impromptu",)


@cache
def switches() -> Mapping[str, Ruling]:
    """The rulings that a scenario of this game names."""
    return rulings("battlelore", "call_to_arms")


@cache
def wishes() -> tuple[Wish, ...]:
    """Every wish of this game."""
    return (
        Wish("mode", "How armies are raised.", MODES),
        *(wish for camp in CAMPS for wish in _of_camp(camp)),
        *setting.wishes(switches()),
        Wish("deck", "A deck of your own (docs/formats/deck.md).", file=True, metavar="FILE"),
        Wish("pool", "Your figures and banners (docs/formats/deck.md).", file=True, metavar="FILE"),
    )


def _of_camp(camp: Camp) -> tuple[Wish, ...]:
    places = f"Where the {camp} player's cards go: left, centre, right, reserve."
    return (
        Wish(f"set-{camp}", f"The {camp} player's set of cards.", SETS),
        Wish(f"cards-{camp}", f"The {camp} player's four cards.", metavar="A1,A2,…"),
        Wish(f"place-{camp}", places, metavar="A1,A2,…"),
    )


@dataclass(frozen=True)
class Asked:
    """An order's wishes, read and checked; what is not wished for is empty or at its default."""

    setting: Setting
    sets: Mapping[Camp, str]
    cards: Mapping[Camp, tuple[str, ...]]
    places: Mapping[Camp, tuple[str, ...]]
    deck: Deck
    pool: Pool

    @classmethod
    def of(cls, order: Order) -> Asked:
        """Read an order; WrongUsageError for a wish that makes no sense, DataError for a bad file."""
        deck = load_deck(order.files.get("deck"))
        return cls(
            setting=Setting.of(order, switches()),
            sets={camp: order.wishes.get(f"set-{camp}", "") for camp in CAMPS},
            cards={camp: _cards(order, deck, camp, "cards") for camp in CAMPS},
            places={camp: _cards(order, deck, camp, "place") for camp in CAMPS},
            deck=deck,
            pool=load_pool(order.files.get("pool")),
        )

    def placed(self, camp: Camp, hand: tuple[str, ...]) -> tuple[str, ...]:
        """The wished places of a camp's four cards, if any; they must be the cards of its hand."""
        places = self.places[camp]
        if places and sorted(places) != sorted(hand):
            raise WrongUsageError(
                Problem(
                    f"--place-{camp}: the {camp} player's hand is {', '.join(hand)}",
                    hint=f"place these four, or wish for other cards with --cards-{camp}",
                )
            )
        return places


def _cards(order: Order, deck: Deck, camp: Camp, wish: str) -> tuple[str, ...]:
    """Four different cards of one set, as a wish names them."""
    text = order.wishes.get(f"{wish}-{camp}", "")
    if not text:
        return ()
    option = f"--{wish}-{camp}"
    keys = tuple(part.strip().upper() for part in text.replace("、", ",").split(","))
    known = [card.key for card in deck.cards if card.camp == camp]
    for key in keys:
        if key not in known:
            raise WrongUsageError(Problem(f"{option}: no card {key[:20]!r}", hint=near(key, known)))
    if len(keys) != numbers().drawn or len(set(keys)) != len(keys):
        raise WrongUsageError(f"{option}: name four different cards, such as A3,A1,A7,A5")
    if len({key[0] for key in keys}) > 1:
        raise WrongUsageError(f"{option}: the four cards come from one set")
    letter = order.wishes.get(f"set-{camp}")
    if letter and keys[0][0] != letter:
        raise WrongUsageError(f"{option}: these cards are not of set {letter}, which --set-{camp} wishes for")
    return keys
