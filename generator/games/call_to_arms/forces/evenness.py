"""How strong cards are by the house measure, how even the sets, and whether their draws fit the pool."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

from generator.games.battlelore.forces.points import points
from generator.games.battlelore.forces.pool import Pool
from generator.games.battlelore.ground.board import CAMPS, Camp
from generator.games.call_to_arms.forces.cards import SETS, Card, Deck
from generator.games.call_to_arms.words import numbers


@dataclass(frozen=True)
class SetReport:
    """One set of one camp, weighed."""

    camp: Camp
    set: str
    units: int
    points: int
    least: int
    """Points of its weakest card."""
    most: int
    """Points of its strongest card."""
    fits: int
    """Draws of four cards, reserve included, for which the pool suffices …"""
    draws: int
    """… of this many."""


def strength(cards: Iterable[Card]) -> int:
    """The points of all units on these cards."""
    return sum(points(kind) for card in cards for kind in card.kinds)


def draws(cards: Iterable[Card]) -> Iterable[tuple[Card, ...]]:
    """Every hand of four that these cards can give."""
    return combinations(cards, numbers().drawn)


def deck_report(deck: Deck, pool: Pool) -> tuple[SetReport, ...]:
    """Every set of every camp, weighed and held against the pool."""
    return tuple(_weighed(deck, pool, camp, letter) for camp in CAMPS for letter in SETS)


def report_rows(deck: Deck, pool: Pool) -> list[list[str]]:
    """The report as a table with a head row."""
    head = ["camp", "set", "units", "points", "least card", "strongest card", "draws that fit the pool"]
    return [
        head,
        *(
            [r.camp, r.set, str(r.units), str(r.points), str(r.least), str(r.most), f"{r.fits} of {r.draws}"]
            for r in deck_report(deck, pool)
        ),
    ]


def _weighed(deck: Deck, pool: Pool, camp: Camp, letter: str) -> SetReport:
    cards = deck.set(camp, letter)
    each = [strength([card]) for card in cards]
    hands = [[kind for card in hand for kind in card.kinds] for hand in draws(cards)]
    return SetReport(
        camp=camp,
        set=letter,
        units=sum(len(card.units) for card in cards),
        points=sum(each),
        least=min(each),
        most=max(each),
        fits=sum(pool.fits(camp, hand) for hand in hands),
        draws=len(hands),
    )
