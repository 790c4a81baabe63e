"""Hold the machines and waiting attacks as a judge believes them to be."""

from __future__ import annotations

from typing import Literal

import msgspec

from generator.games.battling.model import Side
from generator.games.battling.notation import Order
from generator.games.battling.play import Standing
from generator.games.battling.post.turns import Deed
from generator.games.battling.tables import Result
from generator.grid.columns import Numbered

Phase = tuple[int, int]
"""The turn, and 0 for the first player's phase or 1 for the second's."""
NEVER: Phase = (0, 0)


class Piece(msgspec.Struct):
    """A machine as the judge believes it to be.

    After a fault the true course of a battle is unknown. A piece then has several guesses, the likeliest first, and
    what is written next decides among them, so that one fault is reported once.
    """

    id: str
    side: Side
    kind: str
    cells: tuple[Numbered, ...]
    hps: tuple[int, ...]
    lasts: tuple[str, ...] = ("",)
    stood: tuple[Numbered, ...] = ()
    """Where it was before its latest order."""
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
        """Allow for the hit points as written, as they were, and one less."""
        known = () if written is None else (written,)
        less = (max(0, hp - 1) for hp in self.hps)
        self.hps = tuple(dict.fromkeys((*known, *self.hps, *less)))


class Done(msgspec.Struct):
    """An order of a turn with what has come of it so far."""

    deed: Deed


class Waiting(msgspec.Struct, eq=False):
    """An attack whose reply or answer is still to come."""

    line: int
    """The line after which it is to come: the attack's, or the reply's that calls for an answer."""
    phase: Phase
    """The phase of the attack."""
    done: Done | None
    """The attack; None where it is not known."""
    shot: bool
    attacker: Piece | None
    target: Piece | None
    cell: Numbered | None
    """The hex that replies or answers; None where that is not known."""
    stands: tuple[Numbered, ...]
    """Where the attacker may stand, the likeliest first."""
    distances: tuple[int, ...]
    """How far the attacker is, by every guess where it stands."""
    side: Side
    """Whose reply or answer it is."""
    stage: Literal["reply", "answer"] = "reply"
    result: Result = "-"
    lasts: tuple[str, ...] = ()
    """The possible last actions of the target when it was attacked."""
    hps: tuple[int, ...] = ()
    """The possible hit points of the attacker, which an answer confirms."""
    link: str = ""
    """The link of the attacker's chain by which it is rolled for."""
    is_missing: bool = False
    """Whether it is already reported as missing."""
    doubtful: bool = False
    """Whether no reply is required and any reply is accepted, as a fault is already reported."""

    @property
    def hurt(self) -> Piece | None:
        """Whose hit points it is about."""
        return self.target if self.stage == "reply" else self.attacker

    def at(self, cell: Numbered) -> bool:
        """Whether it is for that hex to reply or answer."""
        return cell == self.cell or (self.stage == "answer" and cell in self.stands)

    @property
    def order(self) -> Order | None:
        """The order of the attack."""
        return self.done.deed.order if self.done else None

    def over(self, phase: Phase) -> bool:
        """Whether it should have come when a phase begins.

        A reply comes in its side's post after the attack at the latest, an answer in the attacker's next.
        """
        return _count(phase) - _count(self.phase) > (1 if self.stage == "reply" else 2)


def _count(phase: Phase) -> int:
    return 2 * phase[0] + phase[1]
