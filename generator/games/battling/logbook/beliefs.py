"""What a judge believes of each machine while he reads a log.

After a fault nobody can know how a battle really went on. A piece then has several guesses, the likeliest first,
and what is written next decides among them; so that one fault is told once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from generator.games.battling.forces.charts import Result
from generator.games.battling.play.position import Standing
from generator.games.battling.scenario import Side
from generator.grid.columns import Numbered

Phase = tuple[int, int]
"""The turn, and 0 for the first player's phase or 1 for the second's."""
NEVER: Phase = (0, 0)


@dataclass
class Piece:
    """A machine as the judge believes it to be."""

    id: str
    side: Side
    kind: str
    cells: tuple[Numbered, ...]
    hps: tuple[int, ...]
    lasts: tuple[str, ...] = ("",)
    acted: Phase = NEVER
    """The phase in which it acted last."""
    excused: Phase = NEVER
    """The phase in which what it did was a fault, so that its true order may follow."""

    @property
    def alive(self) -> bool:
        """Whether it may be there still."""
        return any(hp > 0 for hp in self.hps)

    @property
    def sure(self) -> bool:
        """Whether it surely stands where it is believed to."""
        return len(self.cells) == 1 and all(hp > 0 for hp in self.hps)

    def fresh(self, phase: Phase) -> bool:
        """Whether it may act in this phase yet."""
        return self.acted != phase or self.excused == phase

    def at(self, cell: Numbered | None = None) -> Standing:
        """The machine in its likeliest state, or in another hex that it may be in."""
        return Standing(self.id, self.side, self.kind, cell or self.cells[0], self.hps[0], self.lasts[0])

    def doubt_hp(self, written: int | None = None) -> None:
        """What it has left is not known: as written, as it was, or one less."""
        known = () if written is None else (written,)
        less = (max(0, hp - 1) for hp in self.hps)
        self.hps = tuple(dict.fromkeys((*known, *self.hps, *less)))


@dataclass
class Waiting:
    """An attack whose reply or answer is still to come."""

    line: int
    """The line after which it is to come: the attack's, or the reply's that calls for an answer."""
    deed: int
    """The place of the attack among the turn's deeds."""
    shot: bool
    attacker: Piece | None
    target: Piece | None
    cell: Numbered | None
    """The hex that replies or answers; None where that is not known."""
    distances: tuple[int, ...]
    """How far the attacker is, by every guess where it stands."""
    side: Side
    """Whose reply or answer it is."""
    stage: Literal["reply", "answer"] = "reply"
    result: Result = "-"
    late: bool = False
    """The phase of the attack is over."""
    doubtful: bool = False
    """Nothing need come, and whatever comes is taken as it is, since a fault was told already."""

    @property
    def hurt(self) -> Piece | None:
        """Whose hit points it is about."""
        return self.target if self.stage == "reply" else self.attacker
