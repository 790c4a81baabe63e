"""Deployment cards: two camps, sets A, B and C of seven cards each."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from typing import Annotated, Literal

import msgspec

from generator.errors import accepted_words
from generator.games.battlelore.forces import Kind
from generator.games.battlelore.ground import CARD_ROWS, SIDES, Side
from generator.games.battlelore.tables import Banner, Race, Weapon, lore
from generator.model.words import Words, same
from generator.notation.validation import Slip, TextLine, named
from generator.said import say, theirs

SETS = ("A", "B", "C")
SET_SIZE = 7
KEYS = tuple(f"{letter}{number}" for letter in SETS for number in range(1, SET_SIZE + 1))


class CardUnit(msgspec.Struct, frozen=True):
    """A unit on a card; column and row are 0-based, from the owner's left and from his baseline."""

    column: int
    row: int
    kind: Kind

    @property
    def cell(self) -> tuple[int, int]:
        """Its column and row."""
        return self.column, self.row


class Card(msgspec.Struct, frozen=True):
    """A card; `units` in card order: far row first, each row from the owner's left."""

    camp: Side
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

    title: Annotated[Words, named(40)]
    """What the set is called."""
    text: Annotated[Words, named(200)]
    """What the set is like, in a sentence."""


class Deck(msgspec.Struct, frozen=True):
    """All 42 cards, camp by camp, A1 to C7."""

    name: Words
    source: Literal["house", "owner"]
    """`house`: ours; `owner`: typed in by its owner."""
    flavour: Mapping[Side, Mapping[str, Flavour]]
    """By camp and set; an owner's deck may leave it out."""
    cards: tuple[Card, ...]

    @property
    def sets(self) -> tuple[str, ...]:
        """The letters of its sets."""
        return SETS

    def flavour_of(self, camp: Side, of: str) -> Flavour:
        """What a set, called `A` or `A/standard`, is like; an empty text where its owner did not say."""
        letter, _, other = of.partition("/")
        camp = next((c for c in SIDES if c == other), camp)
        return self.flavour.get(camp, {}).get(letter) or Flavour(same(letter), same(""))

    def card(self, camp: Side, ref: str) -> Card:
        """The card a camp calls `A3`, or `A3/standard` where it is the other camp's; KeyError if none."""
        key, _, other = ref.partition("/")
        for card in self.cards:
            if (card.camp, card.key) == (other or camp, key):
                return card
        raise KeyError((camp, ref))

    def refs(self, camp: Side, of: str) -> tuple[str, ...]:
        """What a camp calls the cards of a set, itself called `A` or `A/standard`; none for an unknown one."""
        letter, _, other = of.partition("/")
        tail = f"/{other}" if other else ""
        return tuple(card.key + tail for card in self.cards if (card.camp, card.set) == (other or camp, letter))

    def set(self, camp: Side, of: str) -> tuple[Card, ...]:
        """The seven cards of a set in the order of their keys; none for an unknown set."""
        return tuple(self.card(camp, ref) for ref in self.refs(camp, of))


EMPTY = "---"
CELL = say("{empty}, or the letters of a banner, a weapon and, if needed, a race, such as BC or GSG", empty=EMPTY)


FEWEST = 3
"""Units a card must bring: a second player picks two of his reserve card."""


def read_cells(text: str) -> tuple[tuple[CardUnit, ...], list[Slip]]:
    """The units of a card in card order, and every slip of the text at the number of its line."""
    lines = [(number, line.split()) for number, line in enumerate(text.splitlines()) if line.strip()]
    if len(lines) != len(CARD_ROWS):
        message = say(
            "there are {count} rows of cells, but a card has {needed}", count=len(lines), needed=len(CARD_ROWS)
        )
        return (), [
            Slip(
                (TextLine(lines[0][0] if lines else 0),),
                message,
                say("write the far row first and the baseline last"),
            )
        ]
    units: list[CardUnit] = []
    faults: list[Slip] = []
    for row, (number, cells) in zip(reversed(range(len(CARD_ROWS))), lines, strict=True):
        if len(cells) != CARD_ROWS[row]:
            shape = ", ".join(str(n) for n in reversed(CARD_ROWS))
            message = say("there are {count} cells in a row of {needed}", count=len(cells), needed=CARD_ROWS[row])
            faults.append(
                Slip(
                    (TextLine(number),),
                    message,
                    say("from the far row: {shape} cells; write {empty} for an empty one", shape=shape, empty=EMPTY),
                )
            )
            continue
        for column, cell in enumerate(cells):
            kind, wrong = _kind(cell)
            units += [CardUnit(column, row, kind)] if kind else []
            faults += [Slip((TextLine(number),), message, hint) for message, hint in wrong]
    if not faults and len(units) < FEWEST:
        few = say("brings {count} units", count=len(units)) if units else say("is empty")
        faults.append(Slip((), few, say("a card needs at least {fewest}", fewest=FEWEST)))
    return tuple(units), faults


def _kind(cell: str) -> tuple[Kind | None, list[tuple[str, str]]]:
    """What stands in a cell, and (message, hint) for whatever is wrong in it; an empty cell is neither."""
    if set(cell) == {"-"}:
        return None, []
    tables = lore()
    letters = unicodedata.normalize("NFKC", cell).upper()
    if len(letters) not in (2, 3):
        return None, [(say("{cell!r} is not a cell", cell=cell[:12]), CELL)]
    letters = letters if len(letters) == 3 else letters + tables.races["human"].letter
    wrong: list[tuple[str, str]] = []

    def named(letter: str, what: str, kinds: Iterable[Banner | Weapon | Race]) -> str:
        by_letter = {kind.letter: kind for kind in kinds}
        if letter in by_letter:
            return by_letter[letter].id
        accepted = [say("{symbol} {name}", symbol=kind.letter, name=kind.name.low) for kind in by_letter.values()]
        wrong.append(
            (
                say("{cell!r}: {letter!r} is not a {what}", cell=cell, letter=letter, what=theirs(what)),
                accepted_words(accepted),
            )
        )
        return ""

    kind = Kind(
        named(letters[0], "banner", tables.banners.values()),
        named(letters[1], "weapon", tables.weapons.values()),
        named(letters[2], "race", tables.races.values()),
    )
    return None if wrong else kind, wrong


def cell_name(cell: tuple[int, int]) -> str:
    """A card's cell by name: `b2` is the second from the owner's left in the second row from his baseline."""
    column, row = cell
    return f"{chr(ord('a') + column)}{row + 1}" if column >= 0 else "-"


def read_cell_name(name: str) -> tuple[int, int] | None:
    """The cell of that name as column and row; None where cards have no such cell."""
    cells = {cell_name((c, r)): (c, r) for r, length in enumerate(CARD_ROWS) for c in range(length)}
    return cells.get(name.lower())


def set_of(card: str) -> str:
    """The set of a card as its camp calls it.

    >>> set_of("A3"), set_of("A3/standard")
    ('A', 'A/standard')
    """
    name, _, other = card.partition("/")
    return f"{name[0]}/{other}" if other else name[0]


OWN = ("reserves",)
"""What each camp wishes for itself: reserves follow from who moves first, and have no image."""


NO_CELL = (-1, -1)
"""The cell of a unit that came from no card."""
