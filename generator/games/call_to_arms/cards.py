"""Deployment cards, their little boards, and decks of them.

Deployment cards: two camps, sets A, B and C of seven cards each (seed, 2a).

The cells of a deployment card as text: four rows as its owner sees them, the far row first.

Reading a deck of deployment cards, with every fault of the file; the format: docs/formats/deck.md.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal, TypeVar, cast

import msgspec

from generator.common.whose import owned
from generator.errors import DataError, Problem, near
from generator.games.battlelore.forces import Kind
from generator.games.battlelore.ground import CARD_ROWS, SIDES, Side
from generator.games.battlelore.tables import Banner, Race, Weapon, lore
from generator.model.words import Words, same
from generator.notation.text import name_fault
from generator.notation.toml import Source
from generator.notation.validation import KeyPath
from generator.store.folders import shipped

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

    title: Words
    text: Words


@dataclass(frozen=True)
class Deck:
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
CELL = f"{EMPTY}, or the letters of a banner, a weapon and perhaps a race, such as BC, GSG"


@dataclass(frozen=True)
class CellFault:
    """What is wrong in a text of cells; `line` counts its lines from 0."""

    line: int
    message: str
    hint: str


def read_cells(text: str) -> tuple[tuple[CardUnit, ...], list[CellFault]]:
    """The units of a card in card order, and every fault of the text."""
    lines = [(number, line.split()) for number, line in enumerate(text.splitlines()) if line.strip()]
    if len(lines) != len(CARD_ROWS):
        message = f"{len(lines)} rows of cells, a card has {len(CARD_ROWS)}"
        return (), [CellFault(lines[0][0] if lines else 0, message, "the far row first, the baseline last")]
    units: list[CardUnit] = []
    faults: list[CellFault] = []
    for row, (number, cells) in zip(reversed(range(len(CARD_ROWS))), lines, strict=True):
        if len(cells) != CARD_ROWS[row]:
            shape = ", ".join(str(n) for n in reversed(CARD_ROWS))
            message = f"{len(cells)} cells in a row of {CARD_ROWS[row]}"
            faults.append(CellFault(number, message, f"from the far row: {shape} cells; {EMPTY} for an empty one"))
            continue
        for column, cell in enumerate(cells):
            kind, wrong = _kind(cell)
            units += [CardUnit(column, row, kind)] if kind else []
            faults += [CellFault(number, message, hint) for message, hint in wrong]
    return tuple(units), faults


def _kind(cell: str) -> tuple[Kind | None, list[tuple[str, str]]]:
    """What stands in a cell, and (message, hint) for whatever is wrong in it; an empty cell is neither."""
    if set(cell) == {"-"}:
        return None, []
    tables = lore()
    letters = unicodedata.normalize("NFKC", cell).upper()
    if len(letters) not in (2, 3):
        return None, [(f"{cell[:12]!r} is no cell", CELL)]
    letters = letters if len(letters) == 3 else letters + tables.races["human"].letter
    wrong: list[tuple[str, str]] = []

    def named(letter: str, what: str, kinds: Iterable[Banner | Weapon | Race]) -> str:
        by_letter = {kind.letter: kind for kind in kinds}
        if letter in by_letter:
            return by_letter[letter].id
        accepted = ", ".join(f"{kind.letter} {kind.name.en.lower()}" for kind in by_letter.values())
        wrong.append((f"{cell!r}: {letter!r} is no {what}", f"accepted: {accepted}"))
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


__all__ = ["Card", "CardUnit", "Deck", "Flavour", "load_deck", "read_deck"]

T = TypeVar("T")

FEWEST = 3
"""Units a card must bring: a second player picks two of his reserve card."""
NAME_LIMIT = 40
TEXT_LIMIT = 200
CARD_LIMIT = 100
"""Cards that are read at most, so that a runaway file gets an answer in good time."""
HEAD = ("name", "source", "flavour", "card")
FIELDS = ("camp", "key", "name", "cells")

_Text = Words | str
_Flavours = dict[Literal["A", "B", "C"], Flavour]


class _Head(msgspec.Struct, frozen=True):
    name: _Text
    card: list[dict[str, object]]
    source: Literal["house", "owner"] = "owner"
    flavour: dict[Side, _Flavours] = {}


def load_deck(path: Path | None = None) -> Deck:
    """A deck file, or the house deck; DataError with every fault."""
    return read_deck(Source.open(path)) if path else house_deck()


@cache
def house_deck() -> Deck:
    """The deck that ships."""
    return _read(Source.open(shipped("data") / "call_to_arms" / "deck.toml"))


def read_deck(source: Source) -> Deck:
    """The deck of a TOML text; DataError with every fault in the order of its lines, then what it lacks."""
    return owned(_read(source), source, [house_deck()])


def _read(source: Source) -> Deck:
    reader = _Reader(source)
    deck = reader.deck()
    if deck is None or reader.problems or reader.missing:
        raise DataError(*sorted(reader.problems, key=lambda problem: problem.line), *reader.missing)
    return deck


class _Reader:
    """Reads a deck file part by part and notes each fault on the way."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.problems: list[Problem] = []
        self.missing: list[Problem] = []

    def fault(self, line: int, message: str, hint: str = "") -> None:
        self.problems.append(Problem(message, self.source.name, line, hint))

    def deck(self) -> Deck | None:
        head = self._head()
        raw = self.source.data.get("card")
        raws = [card for card in raw if isinstance(card, dict)] if isinstance(raw, list) else []
        if len(raws) > CARD_LIMIT:
            self.fault(self.source.line(("card", CARD_LIMIT)), f"{len(raws)} cards, a deck has {2 * len(KEYS)}")
        found: dict[tuple[Side, str], Card] = {}
        lines: dict[tuple[str, str], int] = {}
        for index, value in enumerate(raws[:CARD_LIMIT]):
            at: KeyPath = ("card", index)
            address = self._address(at, value)
            title = f'card "{value["key"]}"' if value.get("key") in KEYS else f"card number {index + 1}"
            name = self._name(at, value, title)
            units = self._units(at, value, title)
            if not address:
                continue
            if address in lines:
                again = f'a second card "{address[1]}" of the {address[0]} camp'
                self.fault(self.source.line((*at, "key")), again, f"the first is on line {lines[address]}")
                continue
            lines[address] = self.source.line((*at, "key"))
            found[address] = Card(*address, name, units)
        self.missing += self._missing(lines)
        if head is None:
            return None
        cards = tuple(found[camp, key] for camp in SIDES for key in KEYS if (camp, key) in found)
        flavour = {camp: dict(sets) for camp, sets in head.flavour.items()}
        return Deck(_words(head.name), head.source, cast(dict[Side, dict[str, Flavour]], flavour), cards)

    def _head(self) -> _Head | None:
        for field in self.source.data:
            if field not in HEAD:
                self.fault(self.source.line((field,)), f"a deck has no {field!r}", near(field[:NAME_LIMIT], HEAD))
        try:
            head = self.source.read(_Head)
        except DataError as error:
            self.problems += error.problems
            return None
        self._printable(("name",), "the deck's name", head.name, NAME_LIMIT)
        for camp, sets in head.flavour.items():
            for letter, flavour in sets.items():
                at = ("flavour", camp, letter)
                self._printable((*at, "title"), f"set {letter}'s title", flavour.title, NAME_LIMIT)
                self._printable((*at, "text"), f"set {letter}'s text", flavour.text, TEXT_LIMIT)
        return head

    def _address(self, at: KeyPath, value: dict[str, object]) -> tuple[Side, str] | None:
        """The card's camp and key; notes unknown and missing fields too."""
        for field in [field for field in value if field not in FIELDS]:
            self.fault(self.source.line((*at, field)), f"a card has no {field!r}", near(field[:NAME_LIMIT], FIELDS))
        for field in FIELDS:
            if field not in value:
                self.fault(self.source.line(at), f"a card without {field!r}")
        camp = self._one_of(at, value, "camp", SIDES, near(str(value.get("camp"))[:NAME_LIMIT], SIDES))
        key = self._one_of(at, value, "key", KEYS, "a set A, B or C and a number from 1 to 7")
        return (camp, key) if camp and key else None

    def _one_of(
        self, at: KeyPath, value: dict[str, object], field: str, accepted: tuple[T, ...], hint: str
    ) -> T | None:
        if field not in value:
            return None
        if value[field] in accepted:
            return cast("T", value[field])
        self.fault(self.source.line((*at, field)), f"{str(value[field])[:NAME_LIMIT]!r} is no {field}", hint)
        return None

    def _name(self, at: KeyPath, value: dict[str, object], title: str) -> Words:
        try:
            name = msgspec.convert(value.get("name", ""), _Text)
        except msgspec.ValidationError:
            hint = 'a text, or { en = "…", ja = "…" }'
            self.fault(self.source.line((*at, "name")), f"{title}: the name is neither text nor words", hint)
            return same("")
        if "name" in value:
            self._printable((*at, "name"), f"{title}: its name", name, NAME_LIMIT)
        return _words(name)

    def _units(self, at: KeyPath, value: dict[str, object], title: str) -> tuple[CardUnit, ...]:
        text = value.get("cells", "")
        if "cells" not in value:
            return ()
        line = self.source.line((*at, "cells"))
        if not isinstance(text, str):
            self.fault(line, f"{title}: cells are a text of four rows")
            return ()
        units, faults = read_cells(text)
        first = self._first_line(line)
        for fault in faults:
            where = line if first is None else first + fault.line
            self.fault(where, f"{title}: {fault.message}", fault.hint)
        if not faults and len(units) < FEWEST:
            few = f"brings {len(units)} units" if units else "is empty"
            self.fault(line, f"{title} {few}", f"a card brings at least {FEWEST}")
        return units

    def _first_line(self, line: int) -> int | None:
        """The line on which a multi-line text begins; None for a text that stands on one line."""
        opening = self.source.text.splitlines()[line - 1]
        for quotes in ('"""', "'''"):
            if quotes in opening:
                return line + 1 if opening.rstrip().endswith(quotes) else line
        return None

    def _missing(self, lines: dict[tuple[str, str], int]) -> Iterator[Problem]:
        for camp in SIDES:
            for letter in SETS:
                keys = [key for key in KEYS if key[0] == letter]
                there = [lines[camp, key] for key in keys if (camp, key) in lines]
                gone = [key for key in keys if (camp, key) not in lines]
                if gone:
                    message = f"the {camp} camp's set {letter} has {len(there)} of {len(keys)} cards"
                    hint = f"missing: {', '.join(gone)}"
                    yield Problem(message, self.source.name, min(there, default=1), hint)

    def _printable(self, at: KeyPath, what: str, text: _Text, limit: int) -> None:
        for part in dict.fromkeys((_words(text).en, _words(text).ja)):
            if fault := name_fault(part, limit):
                self.fault(self.source.line(at), f"{what} {fault}")


def _words(text: _Text) -> Words:
    return text if isinstance(text, Words) else same(text)
