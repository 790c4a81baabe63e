"""Machines and pending attacks as the judge assumes them to be."""

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
"""The turn, and 0 for the first player's phase or 1 for the second player's."""
NEVER: Phase = (0, 0)


class Piece(msgspec.Struct):
    """A machine as the judge assumes it to be.

    After a fault, the true course of a battle is unknown. A piece then has several possible states, the most
    likely first. Later lines decide between these states, so one fault is reported only once.
    """

    id: str
    side: Side
    kind: str
    cells: tuple[Numbered, ...]
    hps: tuple[int, ...]
    lasts: tuple[str, ...] = ("",)
    stood: tuple[Numbered, ...] = ()
    """The possible hexes of the machine before its latest order."""
    acted: Phase = NEVER
    """The phase in which the machine acted last."""
    excused: Phase = NEVER
    """The phase in which the machine's order was a fault, so that its true order may follow."""

    @property
    def alive(self) -> bool:
        """Whether the machine may still exist."""
        return any(hp > 0 for hp in self.hps)

    @property
    def sure(self) -> bool:
        """Whether the machine's hex and existence are certain."""
        return len(self.cells) == 1 and all(hp > 0 for hp in self.hps)

    def fresh(self, phase: Phase) -> bool:
        """Return whether the machine may still act in a phase."""
        return self.acted != phase or self.excused == phase

    def at(self, cell: Numbered | None = None) -> Standing:
        """Return the machine in its most likely state, or in the given hex."""
        return Standing(self.id, self.side, self.kind, cell or self.cells[0], self.hps[0], self.lasts[0])

    def doubt_hp(self, written: int | None = None) -> None:
        """Allow for the written hit points, the former hit points, and one less than these."""
        known = () if written is None else (written,)
        less = (max(0, hp - 1) for hp in self.hps)
        self.hps = tuple(dict.fromkeys((*known, *self.hps, *less)))


class Done(msgspec.Struct):
    """An order of a turn with its result so far."""

    deed: Deed


class Waiting(msgspec.Struct, eq=False):
    """An attack that still requires a reply or answer."""

    line: int
    """The line of the attack, or of the reply that requires an answer."""
    phase: Phase
    """The phase of the attack."""
    done: Done | None
    """The attack, or None if it is unknown."""
    shot: bool
    attacker: Piece | None
    target: Piece | None
    cell: Numbered | None
    """The hex of the machine that replies or answers, or None if it is unknown."""
    stands: tuple[Numbered, ...]
    """The possible hexes of the attacker, the most likely first."""
    distances: tuple[int, ...]
    """The distances from these hexes to the target."""
    side: Side
    """The side that must reply or answer."""
    stage: Literal["reply", "answer"] = "reply"
    result: Result = "-"
    lasts: tuple[str, ...] = ()
    """The possible last actions of the target before the attack."""
    hps: tuple[int, ...] = ()
    """The possible hit points of the attacker, which an answer confirms."""
    link: str = ""
    """The link of the attacker's chain that determines the roll."""
    doubtful: bool = False
    """Whether a fault has already been reported. Any reply is then accepted, and none is required."""
    in_words: bool = False
    """Whether a sentence states the correct answer. An answer in letters and numbers is then not required."""

    @property
    def hurt(self) -> Piece | None:
        """The machine whose hit points the reply or answer states."""
        return self.target if self.stage == "reply" else self.attacker

    def at(self, cell: Numbered) -> bool:
        """Return whether the machine in a hex must reply or answer."""
        return cell == self.cell or (self.stage == "answer" and cell in self.stands)

    @property
    def order(self) -> Order | None:
        """The order of the attack."""
        return self.done.deed.order if self.done else None

    def over(self, phase: Phase) -> bool:
        """Return whether the reply or answer is overdue when a phase begins.

        A reply is due in the side's first post after the attack, an answer in the attacker's next post.
        """
        return _count(phase) - _count(self.phase) > (1 if self.stage == "reply" else 2)


def _count(phase: Phase) -> int:
    return 2 * phase[0] + phase[1]
