"""Fairness measures for decks and scenarios.

The first player deploys the whole reserve card and the second player only two of its units (rules). Therefore
units are compared as the three section cards deploy them, and the reserve cards have a measure of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations

from msgspec import Struct

from generator.common.catalogue import column_headings
from generator.common.fairness import Fairness, Measured
from generator.common.tables import shared_words
from generator.games.battlelore.fairness import battle_measures, measured
from generator.games.battlelore.forces import Pool, Unit, points
from generator.games.battlelore.ground import SECTIONS, SIDES, Side, side_name
from generator.games.battlelore.maps import map_view
from generator.games.battlelore.model import OTHER, CampUnit, asymmetries, different, uneven, uneven_aims
from generator.games.call_to_arms.cards import SETS, Card, Deck
from generator.games.call_to_arms.model import Scenario
from generator.games.call_to_arms.tables import numbers, ref_words, words
from generator.model.words import Lang, Words


class SetReport(Struct, frozen=True):
    """The measures of a set of cards."""

    camp: Side
    set: str
    units: int
    points: int
    min_points: int
    """The total points of the weakest card in the set."""
    max_points: int
    """The total points of the strongest card in the set."""
    fits: int
    """Number of possible hands of four cards (including the reserve) for which the pool has enough pieces."""
    draws: int
    """Number of all possible hands."""


def strength(cards: Iterable[Card]) -> int:
    """Return the total points of the units on these cards."""
    return sum(points(kind) for card in cards for kind in card.kinds)


def draws(cards: Iterable[Card]) -> Iterable[tuple[Card, ...]]:
    """Return every possible hand of four of these cards."""
    return combinations(cards, numbers().drawn)


def deck_report(deck: Deck, pool: Pool) -> tuple[SetReport, ...]:
    """Return the measures of every set of each camp, including the number of hands for which the pool suffices."""
    return tuple(_weighed(deck, pool, camp, letter) for camp in SIDES for letter in SETS)


def report_rows(deck: Deck, pool: Pool, lang: Lang) -> list[list[str]]:
    """Return the measures of all sets as a table with a heading row."""
    head = column_headings(
        lang, "camp", "set", "units", "points", "least card", "strongest card", "draws that fit the pool"
    )
    share = shared_words()["table"]["share"]
    return [
        head,
        *(
            [
                *column_headings(lang, r.camp),
                *map(str, (r.set, r.units, r.points, r.min_points, r.max_points)),
                share.fill(n=r.fits, m=r.draws)[lang],
            ]
            for r in deck_report(deck, pool)
        ),
    ]


def _weighed(deck: Deck, pool: Pool, camp: Side, letter: str) -> SetReport:
    cards = deck.set(camp, letter)
    each = [strength([card]) for card in cards]
    hands = [[kind for card in hand for kind in card.kinds] for hand in draws(cards)]
    return SetReport(
        camp=camp,
        set=letter,
        units=sum(len(card.units) for card in cards),
        points=sum(each),
        min_points=min(each),
        max_points=max(each),
        fits=sum(pool.fits(camp, hand) for hand in hands),
        draws=len(hands),
    )


TABLES = ("battlelore", "call_to_arms")


def _line(scenario: Scenario) -> tuple[CampUnit, ...]:
    """Return every unit from a section card in its final position, after exchanges and Specialists."""
    return tuple((camp, unit) for camp, force in scenario.final.forces.items() for unit in force.deployed)


def _measures(scenario: Scenario) -> tuple[Measured, ...]:
    def reserve(camp: Side) -> int:
        return strength([scenario.card(camp, scenario.forces[camp].reserve)])

    return (
        *battle_measures(scenario.final.board, _line(scenario), scenario.rulings),
        measured("reserve", reserve),
    )


def _mirrored(scenario: Scenario) -> tuple[Words, ...]:
    return (
        *asymmetries(scenario.final.board),
        *uneven(scenario.final.board, _line(scenario)),
        *_cards(scenario),
        *different({camp: dict(scenario.forces[camp].council) for camp in SIDES}, "councils"),
        *uneven_aims(scenario),
        *([words()["fairness"]["specialists"]] if scenario.plays else []),
    )


def _cards(scenario: Scenario) -> Iterator[Words]:
    """Yield the places at which the cards of the camps show different units."""
    texts = words()
    for i, place in enumerate((*SECTIONS, "reserve")):
        keys = {camp: scenario.forces[camp].keys[i] for camp in SIDES}
        if len({scenario.card(camp, key).units for camp, key in keys.items()}) > 1:
            labels = {camp: ref_words(key, scenario.forces[camp].sets) for camp, key in keys.items()}
            if labels[SIDES[0]] == labels[SIDES[1]]:
                # Both camps have a set with this letter.
                labels = {camp: ref_words(f"{key.partition('/')[0]}/{camp}") for camp, key in keys.items()}
            yield texts["fairness"]["cards"].fill(**labels, place=texts["fairness"][place])


def _first(scenario: Scenario) -> Words:
    def came(camp: Side) -> tuple[Unit, ...]:
        return tuple(unit for unit in scenario.final.forces[camp].reserves if unit.hex)

    first, second = scenario.first, OTHER[scenario.first]
    return words()["fairness"]["first"].fill(
        first=side_name(first), n=len(came(first)), second=side_name(second), m=len(came(second))
    )


FAIRNESS: Fairness[Scenario] = Fairness(
    tables=TABLES,
    sides=(side_name(SIDES[0]), side_name(SIDES[1])),
    measures=_measures,
    mirrored=_mirrored,
    first=_first,
    aside=words()["fairness"]["aside"],
    view=lambda scenario: map_view(scenario.final.board, scenario.final.units, small=True),
)
