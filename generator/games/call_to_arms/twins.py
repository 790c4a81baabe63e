"""Decks in which the cards of the camps are equal, for set-ups that are symmetric under a 180° turn."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from generator.common.search import MIRROR, mirrors
from generator.errors import WrongUsageError
from generator.games.battlelore.forces import Kind
from generator.games.battlelore.ground import SIDES, Side
from generator.games.battlelore.model import as_one
from generator.games.battlelore.tables import Whence
from generator.games.call_to_arms.cards import OWN, Card, Deck, Flavour
from generator.localization import tr
from generator.model.scenario import Request
from generator.model.words import Words
from generator.notation import toml


class _Twin(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    camp: Side
    title: Words
    text: Words


class Twins(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of twins.toml."""

    source: Whence
    name: Words
    race: str
    weapon: dict[str, str]
    set: dict[str, _Twin]

    def kind(self, kind: Kind) -> Kind:
        """Return the kind of unit that replaces this kind in a deck of equal cards."""
        return Kind(kind.banner, self.weapon.get(kind.weapon, kind.weapon), self.race)


twins = toml.shipped_table("call_to_arms/twins.toml", Twins)
"""Returns the shipped table of equal cards."""


def twinned(deck: Deck) -> Deck:
    """Return a deck in which the cards of the camps are equal."""
    table = twins()
    cards = []
    for card in deck.cards:
        of, number = table.set[card.set], card.key[1:]
        units = tuple(replace(unit, kind=table.kind(unit.kind)) for unit in deck.card(of.camp, card.key).units)
        # The original names of the cards refer to peoples that do not appear on the equal cards.
        name = Words(f"{of.title.en} {number}", f"{of.title.ja} {number}")
        cards.append(Card(card.camp, card.key, name, units))
    flavour = {camp: {letter: Flavour(s.title, s.text) for letter, s in table.set.items()} for camp in SIDES}
    return Deck(table.name.fill(deck=deck.name), deck.source, flavour, tuple(cards))


def alike(request: Request, organized: bool) -> Request:
    """Return a mirrored request with equal options for each camp. Any other request is returned unchanged.

    Raises WrongUsageError for a mirrored request in the Organized mode.
    """
    if organized and mirrors(request):
        hint = tr("choose an Impromptu game")
        raise WrongUsageError(
            tr(
                "--{mirror} cannot be combined with Specialists, because a Specialist serves only one camp",
                mirror=MIRROR,
            ),
            hint=hint,
        )
    return as_one(request, OWN)
