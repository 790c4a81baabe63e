"""Reading a deck of deployment cards, with every fault of the file; the format: docs/formats/deck.md."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Literal, TypeVar, cast

import msgspec

from generator.errors import DataError, Problem, near
from generator.games.battlelore.ground.board import CAMPS, Camp
from generator.games.call_to_arms.forces.cards import KEYS, SETS, Card, CardUnit, Deck, Flavour
from generator.games.call_to_arms.forces.cells import read_cells
from generator.games.whose import owned
from generator.model.words import Words, same
from generator.notation.text import name_fault
from generator.notation.toml import KeyPath, Source
from generator.store.folders import shipped

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
    flavour: dict[Camp, _Flavours] = {}


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
        found: dict[tuple[Camp, str], Card] = {}
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
        cards = tuple(found[camp, key] for camp in CAMPS for key in KEYS if (camp, key) in found)
        flavour = {camp: dict(sets) for camp, sets in head.flavour.items()}
        return Deck(_words(head.name), head.source, cast(dict[Camp, dict[str, Flavour]], flavour), cards)

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

    def _address(self, at: KeyPath, value: dict[str, object]) -> tuple[Camp, str] | None:
        """The card's camp and key; notes unknown and missing fields too."""
        for field in [field for field in value if field not in FIELDS]:
            self.fault(self.source.line((*at, field)), f"a card has no {field!r}", near(field[:NAME_LIMIT], FIELDS))
        for field in FIELDS:
            if field not in value:
                self.fault(self.source.line(at), f"a card without {field!r}")
        camp = self._one_of(at, value, "camp", CAMPS, near(str(value.get("camp"))[:NAME_LIMIT], CAMPS))
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
        for camp in CAMPS:
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
