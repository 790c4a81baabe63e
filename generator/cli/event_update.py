"""Plan the changes that a long command makes to an event, and apply them when the work is done."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from generator.cli.event_folder import read_event
from generator.errors import CannotWriteError
from generator.localization import tr
from generator.tournament.event_file import NAME, EventRecord
from generator.tournament.merge import ChangedTwiceError, merge_records
from generator.tournament.pairings import Round

_DRAWN_FROM = ("game", "code", "scenarios", "options", "files", "sealed", "games", "bid")
"""The entries on which the pages of a round depend, in addition to the pairings."""


class EventUpdate:
    """An event as it was read, together with the changes that a command plans.

    It can take minutes to generate a round. In this time players may join and results may arrive, so the event is
    not locked. Before each round is written, the event is locked and read again, and changes by other commands are
    kept.
    """

    def __init__(self, folder: Path, before: EventRecord | None, planned: EventRecord) -> None:
        self.folder, self._before, self._planned = folder, before, planned

    def current(self) -> EventRecord:
        """Return the current event with the planned changes. The caller must have locked the event.

        Raises:
            CannotWriteError: If other commands changed the same entries in a different way.
        """
        there = read_event(self.folder)
        if there is None and self._before is None:
            return self._planned
        if there is None or self._before is None:
            raise self._changed_meanwhile()
        try:
            made = merge_records(self._before, self._planned, there)
        except ChangedTwiceError as error:
            raise self._changed_meanwhile() from error
        if any(getattr(made, name) != getattr(self._planned, name) for name in _DRAWN_FROM):
            raise self._changed_meanwhile()
        return made

    def for_round(self, number: int, drawn: Sequence[Round]) -> EventRecord:
        """Return the current event if a generated round still belongs to it.

        Raises:
            CannotWriteError: If the round no longer belongs to the event, or as in `current`.
        """
        made = self.current()
        planned = self._planned.find_round(number)
        there = made.find_round(number)
        same = all(
            one == (now.as_round() if (now := made.find_round(one.number)) else None)
            for one in drawn
            if one.number <= number
        )
        if not same or (planned and there and planned.results != there.results):
            raise self._changed_meanwhile(number)
        return made

    def note_written(self, event_record: EventRecord) -> None:
        """Use an event that was written as the new starting point."""
        self._before = self._planned = event_record

    def _changed_meanwhile(self, number: int = 0) -> CannotWriteError:
        hint = tr("the changes made by the other command are kept; run this command again")
        file = self.folder / NAME
        if number:
            return CannotWriteError(
                tr(
                    "round {n} was not written, because it was changed in {file} while it was being drawn",
                    n=number,
                    file=file,
                ),
                hint=hint,
            )
        return CannotWriteError(
            tr("another command changed {file} while this command was drawing rounds", file=file), hint=hint
        )
