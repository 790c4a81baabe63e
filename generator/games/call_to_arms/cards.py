"""Deployment cards. Each camp has three sets (A, B and C) of seven cards."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from typing import Annotated, Literal

import msgspec

from generator.errors import accepted_words
from generator.games.battlelore.forces import Kind
from generator.games.battlelore.ground import CARD_ROWS, SIDES, Side
from generator.games.battlelore.tables import Banner, Race, Weapon, lore
from generator.localization import tr, tr_external
from generator.model.words import Words, same
from generator.notation.text import half_width
from generator.notation.validation import TextLine, ValueFault, name_text

SETS = ("A", "B", "C")
SET_SIZE = 7
KEYS = tuple(f"{letter}{number}" for letter in SETS for number in range(1, SET_SIZE + 1))


class CardUnit(msgspec.Struct, frozen=True):
    """A unit on a card. `column` and `row` are 0-based and count from the owner's left and baseline."""

    column: int
    row: int
    kind: Kind

    @property
    def cell(self) -> tuple[int, int]:
        """The column and row of the unit on its card."""
        return self.column, self.row


class Card(msgspec.Struct, frozen=True):
    """A deployment card. Its `units` are listed from the far row to the near row, each row from the owner's left."""

    camp: Side
    key: str
    name: Words
    units: tuple[CardUnit, ...]

    @property
    def set(self) -> str:
        """The letter of the card's set."""
        return self.key[0]

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The kinds of units on the card, in card order."""
        return tuple(unit.kind for unit in self.units)


class Flavour(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The description of a set: a short title and a sentence."""

    title: Annotated[Words, name_text(40)]
    """The title of the set."""
    text: Annotated[Words, name_text(200)]
    """The description of the set, in a sentence."""


class Deck(msgspec.Struct, frozen=True):
    """A deck of 42 cards, by camp and from A1 to C7 (seed, 2a)."""

    name: Words
    source: Literal["house", "owner"]
    """Who made the deck: `house` for the deck shipped with Muster, `owner` for a deck entered by a user."""
    flavour: Mapping[Side, Mapping[str, Flavour]]
    """The descriptions of sets, keyed by camp and set. A user's deck may omit them."""
    cards: tuple[Card, ...]

    @property
    def sets(self) -> tuple[str, ...]:
        """The letters of the sets in the deck."""
        return SETS

    def flavour_of(self, camp: Side, of: str) -> Flavour:
        """Return the description of a set named `A` or `A/standard`.

        The text is empty if the deck has no description.
        """
        letter, _, other = of.partition("/")
        camp = next((c for c in SIDES if c == other), camp)
        return self.flavour.get(camp, {}).get(letter) or Flavour(same(letter), same(""))

    def card(self, camp: Side, ref: str) -> Card:
        """Return the card that a camp calls `A3`, or `A3/standard` if the card belongs to the other camp.

        Raises:
            KeyError: If there is no such card.
        """
        key, _, other = ref.partition("/")
        for card in self.cards:
            if (card.camp, card.key) == (other or camp, key):
                return card
        raise KeyError((camp, ref))

    def refs(self, camp: Side, of: str) -> tuple[str, ...]:
        """Return a camp's names for the cards of the set `A` or `A/standard`; empty for an unknown set."""
        letter, _, other = of.partition("/")
        tail = f"/{other}" if other else ""
        return tuple(card.key + tail for card in self.cards if (card.camp, card.set) == (other or camp, letter))

    def set(self, camp: Side, of: str) -> tuple[Card, ...]:
        """Return the seven cards of a set, in the order of their keys; empty for an unknown set."""
        return tuple(self.card(camp, ref) for ref in self.refs(camp, of))


EMPTY = "---"
CELL = tr(
    "write {empty}, or the letters of a banner, a weapon and, if needed, a race, such as BC or GSG", empty=EMPTY
)


FEWEST = 3
"""Minimum number of units on a card, because a second player chooses two units from the reserve card."""


def read_cells(text: str) -> tuple[tuple[CardUnit, ...], list[ValueFault]]:
    """Return the units described by a text, in card order, and every error with its line number.

    The text has four rows of cells as the card's owner sees them, the far row first.
    """
    lines = [(number, line.split()) for number, line in enumerate(text.splitlines()) if line.strip()]
    if len(lines) != len(CARD_ROWS):
        message = tr(
            "the number of rows is {count}, but a card has {needed}", count=len(lines), needed=len(CARD_ROWS)
        )
        return (), [
            ValueFault(
                (TextLine(lines[0][0] if lines else 0),),
                message,
                tr("write the far row first and the baseline last"),
            )
        ]
    units: list[CardUnit] = []
    faults: list[ValueFault] = []
    for row, (number, cells) in zip(reversed(range(len(CARD_ROWS))), lines, strict=True):
        if len(cells) != CARD_ROWS[row]:
            shape = ", ".join(str(n) for n in reversed(CARD_ROWS))
            message = tr(
                "the number of cells in this row is {count}, but it must be {needed}",
                count=len(cells),
                needed=CARD_ROWS[row],
            )
            faults.append(
                ValueFault(
                    (TextLine(number),),
                    message,
                    tr(
                        "beginning with the far row, the rows have {shape} cells; write {empty} for an empty cell",
                        shape=shape,
                        empty=EMPTY,
                    ),
                )
            )
            continue
        for column, cell in enumerate(cells):
            kind, wrong = _kind(cell)
            units += [CardUnit(column, row, kind)] if kind else []
            faults += [ValueFault((TextLine(number),), message, hint) for message, hint in wrong]
    if not faults and len(units) < FEWEST:
        few = tr("the number of units is {count}", count=len(units)) if units else tr("is empty")
        faults.append(ValueFault((), few, tr("a card needs at least {fewest} units", fewest=FEWEST)))
    return tuple(units), faults


def _kind(cell: str) -> tuple[Kind | None, list[tuple[str, str]]]:
    """Return the kind of unit in a cell, or None if the cell is empty, and a message and hint for each error."""
    if set(cell) == {"-"}:
        return None, []
    tables = lore()
    letters = unicodedata.normalize("NFKC", cell).upper()
    if len(letters) not in (2, 3):
        return None, [(tr("{cell!r} is not a valid cell", cell=cell[:12]), CELL)]
    letters = letters if len(letters) == 3 else letters + tables.races["human"].letter
    wrong: list[tuple[str, str]] = []

    def find_one(letter: str, what: str, kinds: Iterable[Banner | Weapon | Race]) -> str:
        by_letter = {kind.letter: kind for kind in kinds}
        if letter in by_letter:
            return by_letter[letter].id
        accepted = [tr("{symbol} {name}", symbol=kind.letter, name=kind.name.low) for kind in by_letter.values()]
        wrong.append(
            (
                tr("{cell!r}: {letter!r} is not a {what}", cell=cell, letter=letter, what=tr_external(what)),
                accepted_words(accepted),
            )
        )
        return ""

    kind = Kind(
        find_one(letters[0], "banner", tables.banners.values()),
        find_one(letters[1], "weapon", tables.weapons.values()),
        find_one(letters[2], "race", tables.races.values()),
    )
    return None if wrong else kind, wrong


def cell_name(cell: tuple[int, int]) -> str:
    """Return the name of a card's cell. `b2` is the second cell from the owner's left in the owner's second row."""
    column, row = cell
    return f"{chr(ord('a') + column)}{row + 1}" if column >= 0 else "-"


def read_cell_name(name: str) -> tuple[int, int] | None:
    """Return the column and row of the cell with this name, or None if cards do not have the cell."""
    cells = {cell_name((c, r)): (c, r) for r, length in enumerate(CARD_ROWS) for c in range(length)}
    return cells.get(half_width(name).lower())


def set_of(card: str) -> str:
    """Return the set that a card belongs to. Card and set are named from the point of view of the same camp.

    >>> set_of("A3"), set_of("A3/standard")
    ('A', 'A/standard')
    """
    name, _, other = card.partition("/")
    return f"{name[0]}/{other}" if other else name[0]


OWN = ("reserves",)
"""The options that may differ between camps in a mirrored set-up. Reserves depend on who moves first."""


NO_CELL = (-1, -1)
"""The cell of a unit that is not from a card."""
