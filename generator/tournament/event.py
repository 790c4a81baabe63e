"""An event: one code from which every round's scenarios are drawn, each anew and no two alike."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Any, Literal

from generator.draw.codes import BITS, code_for
from generator.draw.streams import Streams
from generator.errors import NothingLegalError
from generator.games.capability import Game, Score
from generator.games.words import words
from generator.model.scenario import Order
from generator.model.words import Words
from generator.notation import envelope
from generator.notation.command import kit_command, stamp
from generator.rules.rule import Report, check
from generator.tournament.kitid import kit_id

Mode = Literal["duplicate", "per-table"]
MODES: tuple[Mode, ...] = ("duplicate", "per-table")
_TRIES = 40
"""After so many codes that draw nothing new, there is nothing new to draw."""
_NO_LOOK = re.compile(r"^title\b[^\n]*$|^\[\[log\]\].*?(?=^\[(?!\[log)|\Z)", re.MULTILINE | re.DOTALL)
"""What players do not meet on the table: a scenario's title, and the log of its draw."""


@dataclass(frozen=True)
class Event:
    """What an organiser asked for; `order` holds the event's code and the wishes for every scenario."""

    game: Game[Any]
    order: Order
    name: str
    mode: Mode = "duplicate"
    secret: str = ""
    """What the kit ids of sealed rounds, and their codes, are made with; empty where rounds are open."""

    @property
    def score(self) -> Score[Any]:
        """How results are written down: as the game has it, else by points."""
        say = words("tournament")["score"]
        parts = ("map", "setup", "records")
        plain = Score[Any](say["counted"], say["lost"], parts, lambda _: (say["one"], say["two"]), lambda _: ())
        return self.game.score or plain

    def secret_of(self, number: int) -> str:
        """What a sealed round is opened with, and no other; empty where rounds are open."""
        if not self.secret:
            return ""
        path = f"{self.order.code}/round/{number}"
        return blake2b(path.encode(), key=self.secret.encode(), digest_size=16).hexdigest()

    def count(self, tables: int) -> int:
        """How many scenarios a round of so many tables needs."""
        return min(tables, 1) if self.mode == "duplicate" else tables


@dataclass(frozen=True)
class Drawn:
    """A scenario of an event, proved, with what stands on its pages."""

    scenario: Any
    text: str
    """The scenario file."""
    report: Report
    code: str
    stamp: str
    """What stands on every page: the code, or in sealed rounds a kit id."""
    again: bool
    """It is like one of an earlier round or table: the wishes leave too few to choose from."""
    certificate: Words | None = None
    """What has been measured of its fairness."""

    @property
    def command(self) -> str:
        """The command that draws it again."""
        origin = self.scenario.origin
        return kit_command(origin.game, self.code, dict(origin.wishes))

    @property
    def digest(self) -> str:
        """The hash of the scenario file."""
        return hashlib.sha256(self.text.encode()).hexdigest()


class Scenarios:
    """An event's scenarios in their order. A round's depend on the code, its number and how many it needs alone."""

    def __init__(self, event: Event, told: Callable[[str], None] | None = None) -> None:
        self.event = event
        self.told = told
        self._looks: dict[str, bytes] = {}
        """What each code draws, but for its title, as a hash."""
        self._codes: dict[int, list[tuple[str, bool]]] = {}
        """By how many scenarios a round needs: the codes, round after round, and whether one is like another."""

    def drawn(self, number: int, index: int, count: int) -> Drawn:
        """A round's scenario of that index, from 0; NothingLegalError where none can be drawn."""
        code, again = self._code(number, index, count)
        scenario, text = self._draw(code)
        report = check(self.event.game.rules, scenario)
        sealed = self.event.secret_of(number)
        shown = kit_id(sealed, code) if sealed else stamp(code, self.event.order.wishes)
        return Drawn(scenario, text, report, code, shown, again)

    def _code(self, number: int, index: int, count: int) -> tuple[str, bool]:
        codes = self._codes.setdefault(count, [])
        while len(codes) <= (number - 1) * count + index:
            codes.append(self._next(codes, count))
        return codes[(number - 1) * count + index]

    def _next(self, codes: list[tuple[str, bool]], count: int) -> tuple[str, bool]:
        """The first code of the next scenario's stream that draws something new, or the first of all."""
        number, index = divmod(len(codes), count)
        key = "/".join(filter(None, (self.event.order.code, self.event.secret)))
        stream = Streams(key, "v1/tournament").at(f"{number + 1}/{index + 1}")
        known = {self._look(code) for code, _ in codes}
        tried: list[str] = []
        for code in (code_for(stream.below(1 << BITS)) for _ in range(_TRIES)):
            try:
                look = self._look(code)
            except NothingLegalError as error:
                nothing = error
                continue
            if look not in known:
                return code, False
            tried.append(code)
        if not tried:
            raise nothing
        return tried[0], True

    def _look(self, code: str) -> bytes:
        if code not in self._looks:
            self._draw(code)
        return self._looks[code]

    def _draw(self, code: str) -> tuple[Any, str]:
        """The scenario of a code and its file."""
        if self.told:
            self.told(code)
        scenario = self.event.game.draw(replace(self.event.order, code=code))
        body = self.event.game.write(scenario)
        self._looks[code] = blake2b(_NO_LOOK.sub("", body).encode()).digest()
        return scenario, envelope.compose(scenario.origin, body)
