"""Merge the changes that a long command planned with those that other commands wrote in the meantime."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, TypeVar

from msgspec.structs import asdict

from generator.tournament.csv_files import plain
from generator.tournament.event_file import EventRecord

T = TypeVar("T")


class ChangedTwiceError(Exception):
    """Raised if an entry of an event was changed in two different ways."""


def merge_records(base: EventRecord, planned: EventRecord, current: EventRecord) -> EventRecord:
    """Apply the changes from `base` to `planned` to the record `current`.

    Players and rounds are merged one by one, and other entries as a whole.

    Raises:
        ChangedTwiceError: If an entry was changed in two different ways.
    """
    base_entries, planned_entries, current_entries = (
        asdict(event_record) for event_record in (base, planned, current)
    )
    made = {
        name: _merge_entry(name, base_entries[name], planned_entries[name], current_entries[name])
        for name in current_entries
    }
    return EventRecord(**made)


def _merge_entry(name: str, base: Any, planned: Any, current: Any) -> Any:
    if planned in (base, current):
        return current
    if current == base:
        return planned
    if name == "players":
        return _merge_rows(lambda player: plain(player.name), base, planned, current)
    if name == "round":
        return tuple(sorted(_merge_rows(lambda one: one.number, base, planned, current), key=lambda one: one.number))
    if name == "undone":
        return (*current, *(past for past in planned if past not in base))
    raise ChangedTwiceError(name)


def _merge_rows(key: Callable[[T], Hashable], *books: Sequence[T]) -> tuple[T, ...]:
    """Return the rows of `current` with the changes from `base` to `planned`. New rows are last."""
    base, planned, current = ({key(row): row for row in rows} for rows in books)
    found = []
    for at in dict.fromkeys((*current, *planned)):
        before, planned_entries, other = base.get(at), planned.get(at), current.get(at)
        if planned_entries not in (before, other) and other != before:
            raise ChangedTwiceError(str(at))
        row = other if planned_entries == before else planned_entries
        if row is not None:
            found.append(row)
    return tuple(found)
