"""Two changes of one event put together: what a long command planned, and what was written meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, TypeVar

from msgspec.structs import asdict

from generator.tournament.csv_files import plain
from generator.tournament.ledger import Book

T = TypeVar("T")


class ChangedTwiceError(Exception):
    """Both changed the same entry of an event in different ways."""


def merged(base: Book, ours: Book, theirs: Book) -> Book:
    """Apply to `theirs` what changed from `base` to `ours`: by player, by round, and by each other entry.

    Raises:
        ChangedTwiceError: an entry was changed in two ways.
    """
    before, mine, other = (asdict(book) for book in (base, ours, theirs))
    made = {name: _entry(name, before[name], mine[name], other[name]) for name in other}
    return Book(**made)


def _entry(name: str, base: Any, ours: Any, theirs: Any) -> Any:
    if ours in (base, theirs):
        return theirs
    if theirs == base:
        return ours
    if name == "players":
        return _rows(lambda player: plain(player.name), base, ours, theirs)
    if name == "round":
        return tuple(sorted(_rows(lambda one: one.number, base, ours, theirs), key=lambda one: one.number))
    if name == "undone":
        return (*theirs, *(past for past in ours if past not in base))
    raise ChangedTwiceError(name)


def _rows(key: Callable[[T], Hashable], *books: Sequence[T]) -> tuple[T, ...]:
    """The rows of `theirs` with what changed from `base` to `ours`, new ones last."""
    base, ours, theirs = ({key(row): row for row in rows} for rows in books)
    found = []
    for at in dict.fromkeys((*theirs, *ours)):
        before, mine, other = base.get(at), ours.get(at), theirs.get(at)
        if mine not in (before, other) and other != before:
            raise ChangedTwiceError(str(at))
        row = other if mine == before else mine
        if row is not None:
            found.append(row)
    return tuple(found)
