"""War councils of Lore games: six levels shared out between a commander and Lore Masters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

import msgspec
from msgspec.structs import replace

from generator.draw.streams import Stream
from generator.games.battlelore.lore import Line, Source
from generator.games.battlelore.words import words
from generator.games.ranges import Range
from generator.games.words import marked
from generator.model.words import Words, joined, same
from generator.notation import toml
from generator.store.folders import shipped

COMMANDER = "commander"


class LoreClass(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A class of Lore Master."""

    id: str
    name: Words
    letter: str


class CouncilTables(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """council.toml as it stands."""

    levels: int
    master: Range
    commander: Range
    source: Source
    command: dict[str, int]
    classes: tuple[LoreClass, ...] = msgspec.field(name="class")
    brings: tuple[Line, ...]

    @property
    def seats(self) -> tuple[str, ...]:
        """Everybody who may hold levels: the commander, then each class."""
        return (COMMANDER, *(c.id for c in self.classes))

    @property
    def told(self) -> tuple[Line, ...]:
        """What a council brings, with the commander's numbers filled in."""
        levels, hands = (joined([same(n) for n in row]) for row in (self.command.keys(), self.command.values()))
        return tuple(replace(line, text=line.text.fill(levels=levels, hands=hands)) for line in self.brings)

    def bounds(self, seat: str) -> Range:
        """The levels somebody may hold."""
        return self.commander if seat == COMMANDER else self.master

    def name(self, seat: str) -> Words:
        """What a seat is called."""
        if seat == COMMANDER:
            return self.brings[0].name
        return next(c.name for c in self.classes if c.id == seat)


Council = Mapping[str, int]
"""Levels by seat; a seat that is left out holds none."""


@cache
def council_tables() -> CouncilTables:
    """The shipped tables."""
    return toml.read(shipped("data") / "battlelore" / "council.toml", CouncilTables)


@cache
def councils() -> tuple[tuple[tuple[str, int], ...], ...]:
    """Every lawful way to share out all the levels."""
    tables = council_tables()

    def share(seats: tuple[str, ...], left: int) -> list[tuple[tuple[str, int], ...]]:
        if not seats:
            return [()] if left == 0 else []
        bounds = tables.bounds(seats[0])
        return [
            ((seats[0], level), *rest)
            for level in range(bounds.least, min(bounds.most, left) + 1)
            for rest in share(seats[1:], left - level)
        ]

    return tuple(share(tables.seats, tables.levels))


def draw_council(stream: Stream, least: Mapping[str, int] | None = None) -> Council:
    """One of the lawful councils, each as likely as the other; `least` are levels that seats hold at least."""
    least = least or {}
    open_ = [council for council in councils() if all(level >= least.get(seat, 0) for seat, level in council)]
    return {seat: level for seat, level in stream.choice(open_) if level}


def command_hand(council: Council) -> int:
    """Command cards that the commander's level gives; the least where his level is none of the table's."""
    tables = council_tables()
    return tables.command.get(str(council.get(COMMANDER, 0)), min(tables.command.values()))


def lore_tokens(council: Council) -> int:
    """Lore tokens at the start: the highest level of all Lore Masters."""
    return max((level for seat, level in council.items() if seat != COMMANDER), default=0)


def seat_names(councils: Iterable[Council]) -> dict[str, Words]:
    """Each seat with its level, as the log tells it (`commander 2`), in words."""
    tables = council_tables()
    return {
        f"{seat} {level}": Words(f"{tables.name(seat).en} {level}", f"{tables.name(seat).ja}{level}")
        for council in councils
        for seat, level in council.items()
        if seat in tables.seats
    }


def council_line(council: Council, tokens: int) -> Words:
    """A council and its Lore tokens, as the record sheet tells them."""
    say = words()["record"]
    name = marked(say["council"], council_tables().source)
    return say["council_line"].fill(name=name, council=council_words(council), n=tokens)


def council_words(council: Council) -> Words:
    """`Commander 2, Warrior 3, Rogue 1`, in the seats' order."""
    told = seat_names([council])
    return joined([told[f"{seat} {council[seat]}"] for seat in council_tables().seats if council.get(seat)])
