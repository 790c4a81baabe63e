"""The codes of an event's scenarios: each draws anew, and no two alike as long as there are others."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from hashlib import blake2b
from typing import Any

from generator.draw.codes import BITS, code_for
from generator.draw.streams import Streams
from generator.errors import NothingLegalError
from generator.notation import envelope
from generator.tournament.event import Event
from generator.tournament.pairings import Round

_TRIES = 40
"""After so many codes that draw nothing new, there is nothing new to draw."""
_FAILED = 8
"""After so many that draw nothing at all, there is nothing to draw."""
_NO_LOOK = re.compile(r"^title\b[^\n]*$|^\[\[log\]\].*?(?=^\[(?!\[log)|\Z)", re.MULTILINE | re.DOTALL)
"""What players do not meet on the table: a scenario's title, and the log of its draw."""


class Codes:
    """An event's codes, round after round.

    A round has as many as the largest round up to it needs; a round that is not there is taken to be as large as the
    next. So they follow from the event's code, the round's number, and how many tables there have been: a round that
    became smaller keeps the codes that it had, and none hangs on a later one. Where there is nothing new for all of
    them, a round has the codes of those before it too, to choose from.
    """

    def __init__(self, event: Event, rounds: Iterable[Round]) -> None:
        self.event = event
        self._needed = {one.number: event.needed(len(one.tables)) for one in rounds}
        self._looks: dict[str, bytes] = {}
        """What each code draws, but for its title, as a hash."""
        self._new: list[tuple[str, ...]] = []
        """Round by round the codes that drew something new."""

    def of(self, number: int) -> tuple[str, ...]:
        """The codes of a round, new ones first; NothingLegalError where nothing can be drawn."""
        while len(self._new) < number:
            codes: list[str] = []
            for index in range(self._width(len(self._new) + 1)):
                codes += self._fresh(index, codes)
            self._new.append(tuple(codes))
        new = self._new[number - 1]
        if len(new) == self._width(number):
            return new
        return new + tuple(code for codes in self._new[: number - 1] for code in codes)

    def look(self, code: str) -> bytes:
        """What players meet who play what the code draws: equal where they could tell no difference."""
        if code not in self._looks:
            self.draw(code)
        return self._looks[code]

    def draw(self, code: str) -> tuple[Any, str]:
        """The scenario of a code, and its file."""
        scenario = self.event.game.draw(replace(self.event.order, code=code))
        body = self.event.game.write(scenario)
        self._looks[code] = blake2b(_NO_LOOK.sub("", body).encode()).digest()
        return scenario, envelope.compose(scenario.origin, body)

    def _width(self, number: int) -> int:
        """How many codes a round has."""
        there = min((n for n in self._needed if n >= number), default=number)
        return max(needed for n, needed in self._needed.items() if n <= there)

    def _fresh(self, index: int, here: Sequence[str]) -> list[str]:
        """The first code of a scenario's stream that draws something new; none where all tried are known."""
        key = "/".join(filter(None, (self.event.order.code, self.event.secret)))
        stream = Streams(key, "v1/tournament").at(f"{len(self._new) + 1}/{index + 1}")
        known = {self.look(code) for codes in (*self._new, here) for code in codes}
        drawn, failed = False, list[NothingLegalError]()
        for code in (code_for(stream.below(1 << BITS)) for _ in range(_TRIES)):
            try:
                if self.look(code) not in known:
                    return [code]
                drawn = True
            except NothingLegalError as error:
                failed.append(error)
                if len(failed) == _FAILED:
                    break
        if not drawn:
            hint = "wish for less"  # not for another seed: the code in the error's own hint is not the event's
            raise NothingLegalError(*(replace(problem, hint=hint) for problem in failed[-1].problems))
        return []
