"""An event, and the scenarios that are drawn for it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Literal

from generator.games.capability import Game, Score
from generator.games.fairness import Certificate
from generator.games.words import words
from generator.model.scenario import Order
from generator.notation.command import kit_command
from generator.rules.rule import Report

Mode = Literal["duplicate", "per-table"]
MODES: tuple[Mode, ...] = ("duplicate", "per-table")


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

    def needed(self, tables: int) -> int:
        """How many scenarios so many tables need."""
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
    certificate: Certificate | None
    """How fair it is; None in a game that has no measures."""

    @property
    def command(self) -> str:
        """The command that draws it again."""
        origin = self.scenario.origin
        return kit_command(origin.game, self.code, dict(origin.wishes))

    @property
    def digest(self) -> str:
        """The hash of the scenario file."""
        return hashlib.sha256(self.text.encode()).hexdigest()
