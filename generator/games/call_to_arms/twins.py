"""Find twin cards, which have equal contents for both camps, so that a set-up is symmetrical by 180°."""

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
        """Return the kind of unit on a twin card."""
        return Kind(kind.banner, self.weapon.get(kind.weapon, kind.weapon), self.race)


twins = toml.shipped_table("call_to_arms/twins.toml", Twins)
"""The shipped table."""


def twinned(deck: Deck) -> Deck:
    """Return the deck with equal contents for both camps."""
    table = twins()
    cards = []
    for card in deck.cards:
        of, number = table.set[card.set], card.key[1:]
        units = tuple(replace(unit, kind=table.kind(unit.kind)) for unit in deck.card(of.camp, card.key).units)
        # The cards' own names refer to peoples that are not on the twins.
        name = Words(f"{of.title.en} {number}", f"{of.title.ja} {number}")
        cards.append(Card(card.camp, card.key, name, units))
    flavour = {camp: {letter: Flavour(s.title, s.text) for letter, s in table.set.items()} for camp in SIDES}
    return Deck(table.name.fill(deck=deck.name), deck.source, flavour, tuple(cards))


def alike(request: Request, organized: bool) -> Request:
    """Return a mirrored request with equal options for both camps; any other request is unchanged.

    Raises WrongUsageError for a mirrored request of an Organized game.
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
