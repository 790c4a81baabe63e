"""Read deck files (docs/formats/deck.md) and report all their faults."""

from __future__ import annotations

from itertools import product
from typing import Annotated, Literal

import msgspec

from generator.common.scenario_file import FileReader, OwnersFile
from generator.games.battlelore.ground import SIDES, Side
from generator.games.call_to_arms.cards import KEYS, SETS, Card, Deck, Flavour, read_cells
from generator.localization import tr, tr_external
from generator.model.words import Words, in_words
from generator.notation.toml import Source
from generator.notation.validation import full_match, name_text, with_check

CARD_LIMIT = 100
"""Maximum number of cards in a file, which refuses a huge file quickly."""

_Name = Annotated[Words | str, name_text(40)]
_Set = Annotated[str, full_match("[ABC]", "A, B or C")]
_Key = Annotated[str, full_match("[ABC][1-7]", "a set A, B or C and a number from 1 to 7")]
_Cells = Annotated[str, with_check(lambda text: read_cells(text)[1])]


class _Card(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A deployment card."""

    camp: Side
    """The camp that has the card."""
    key: _Key
    """The set and the number of the card, `A1` to `C7`."""
    name: _Name
    """The name of the card, in both languages or as one string for both."""
    cells: _Cells
    """Four rows of cells as the card's owner sees them, the far row first."""


class DeckFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A deck of deployment cards."""

    name: _Name
    """The name of the deck, in both languages or as one string for both."""
    card: Annotated[tuple[_Card, ...], msgspec.Meta(max_length=CARD_LIMIT)]
    """The 42 cards of the deck."""
    source: Literal["house", "owner"] = "owner"
    """Who made the deck; `"house"` applies only while all values equal the shipped deck's."""
    flavour: dict[Side, dict[_Set, Flavour]] = {}
    """A short description of a set, by camp and set."""


def _read(source: Source) -> Deck:
    file, reading = source.read(DeckFile), FileReader(source)
    found: dict[tuple[Side, str], int] = {}
    for i, card in enumerate(file.card):
        first = found.setdefault((card.camp, card.key), i)
        if first != i:
            hint = tr("the first one is in line {line}", line=source.line(("card", first, "key")))
            reading.fault(
                ("card", i, "key"),
                tr('the {camp} camp has 2 cards with the key "{key}"', key=card.key, camp=tr_external(card.camp)),
                hint,
            )
    for camp, letter in product(SIDES, SETS):
        keys = [key for key in KEYS if key[0] == letter]
        there = [found[camp, key] for key in keys if (camp, key) in found]
        if gone := [key for key in keys if (camp, key) not in found]:
            message = tr(
                "set {letter} of the {camp} camp has only {count} of {needed} cards",
                camp=tr_external(camp),
                letter=letter,
                count=len(there),
                needed=len(keys),
            )
            reading.fault(("card", there[0]) if there else (), message, tr("missing cards: {gone}", gone=[*gone]))
    reading.done()
    ordered = [(camp, key, file.card[found[camp, key]]) for camp in SIDES for key in KEYS]
    cards = tuple(Card(camp, key, in_words(of.name), read_cells(of.cells)[0]) for camp, key, of in ordered)
    return Deck(in_words(file.name), file.source, file.flavour, cards)


DECK = OwnersFile("call_to_arms/deck.toml", _read)
load_deck, read_deck = DECK.load, DECK.read
