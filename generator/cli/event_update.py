"""The change that a long command makes to an event: planned first, and applied when its work is done."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from generator.cli.event import kept
from generator.errors import CannotWriteError
from generator.localization import tr
from generator.tournament.ledger import NAME, Book
from generator.tournament.merge import ChangedTwiceError, merged
from generator.tournament.pairings import Round

_DRAWN_FROM = ("game", "code", "scenarios", "wishes", "files", "sealed", "games", "bid")
"""What a round's pages depend on, besides who meets whom."""


class EventUpdate:
    """An event as it was read, and as it shall be.

    Drawing a round can take minutes, in which players join and results come in. So the event is not locked meanwhile:
    it is read again under the lock before each round is written, and what others wrote since then stays.
    """

    def __init__(self, folder: Path, before: Book | None, planned: Book) -> None:
        self.folder, self._before, self._planned = folder, before, planned

    def current(self) -> Book:
        """The event as it is now, with what was planned; called under the lock.

        Raises:
            CannotWriteError: others changed the same entries in another way.
        """
        there = kept(self.folder)
        if there is None and self._before is None:
            return self._planned
        if there is None or self._before is None:
            raise self._refused()
        try:
            made = merged(self._before, self._planned, there)
        except ChangedTwiceError as error:
            raise self._refused() from error
        if any(getattr(made, name) != getattr(self._planned, name) for name in _DRAWN_FROM):
            raise self._refused()
        return made

    def for_round(self, number: int, drawn: Sequence[Round]) -> Book:
        """The event as it is now, if a round that was drawn still belongs to it; errors as `current` has them."""
        made = self.current()
        planned = self._planned.at(number)
        there = made.at(number)
        same = all(
            one == (now.of() if (now := made.at(one.number)) else None) for one in drawn if one.number <= number
        )
        if not same or (planned and there and planned.results != there.results):
            raise self._refused(number)
        return made

    def wrote(self, book: Book) -> None:
        """Go on from an event that was written."""
        self._before = self._planned = book

    def _refused(self, number: int = 0) -> CannotWriteError:
        hint = tr("what was written meanwhile stays; give the same command again")
        file = self.folder / NAME
        if number:
            return CannotWriteError(
                tr("round {n} was changed in {file} while it was drawn, and is not written", n=number, file=file),
                hint=hint,
            )
        return CannotWriteError(tr("{file} was changed while rounds were drawn", file=file), hint=hint)
