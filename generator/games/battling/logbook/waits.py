"""The attacks that wait for a reply, and the results that wait for the attacker's answer."""

from __future__ import annotations

import re
from dataclasses import replace

from generator.games.battling.forces.charts import dice
from generator.games.battling.forces.machines import Pack
from generator.games.battling.logbook.beliefs import Piece, Waiting
from generator.games.battling.logbook.replies import fault
from generator.games.battling.logbook.whose import Table
from generator.games.battling.play.orders import HEX, Answer, ClashReply, Reply
from generator.games.battling.scenario import OTHER, Side
from generator.grid.columns import Numbered, distance

_REPLY = re.compile(rf"\s*({HEX})?[0-9\s]*/")
"""How a line begins that was meant as a reply."""


class Waits:
    """What is still to be written about the attacks of a phase."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._waiting: list[Waiting] = []

    def attack(self, line: int, deed: int, shot: bool, attacker: Piece, target: Piece, doubtful: bool) -> None:
        """An attack was made, from where the attacker stands now."""
        cell = target.cells[0]
        distances = tuple(dict.fromkeys(distance(start, cell) for start in attacker.cells))
        waiting = Waiting(line, deed, shot, attacker, target, cell, distances, target.side)
        self._waiting.append(waiting)
        if doubtful:
            self._doubt(waiting)

    def doubtful(self, line: int, deed: int, attacker: Piece | None, cell: Numbered | None, side: Side) -> None:
        """Something may have been an attack on a side."""
        target = self._table.standing_in(side, cell) if cell else None
        waiting = Waiting(line, deed, False, attacker, target, cell, (), side)
        self._waiting.append(waiting)
        self._doubt(waiting)

    def due(self) -> list[Waiting]:
        """Whatever must still be answered."""
        return [waiting for waiting in self._waiting if not waiting.doubtful]

    def match(self, reply: Reply, pack: Pack) -> Waiting | None:
        """What a reply or answer is to: the first attack on its hex that it fits, else what it may be to."""
        stage = "answer" if isinstance(reply, Answer) else "reply"
        cell = self._table.position.arena.field.find(reply.own)
        there = [w for w in self._waiting if w.stage == stage and w.cell == cell and cell]
        if found := sorted(there, key=lambda w: w.doubtful):
            fits = (w for w in found if w.doubtful or fault(pack, w, reply) is None)
            if fit := next(fits, None):
                return fit
        for waiting in self._waiting:
            if waiting.stage == stage and waiting.doubtful and (piece := self._table.standing_in(waiting.side, cell)):
                if stage == "reply":
                    waiting.target = piece
                else:
                    waiting.attacker = piece
                return waiting
        return next(iter(found), None)

    def unanswered(self, answer: Answer) -> Waiting | None:
        """Battling that its attacker answers for before it is replied to: then the reply is missing."""
        cell = self._table.position.arena.field.find(answer.own)
        if any(w.stage == "answer" and w.cell == cell for w in self._waiting):
            return None
        found = next((w for w in self.due() if w.stage == "reply" and not w.shot and _answer(w).cell == cell), None)
        if found:
            self._doubt(found)
        return found

    def take(self, waiting: Waiting, line: int, reply: Reply, wrong: bool) -> None:
        """A reply or answer has come."""
        self._waiting.remove(waiting)
        doubtful = waiting.doubtful or wrong
        if piece := waiting.hurt:
            if doubtful:
                piece.doubt_hp(reply.hp)
            elif reply.hp is not None:
                piece.hps = (reply.hp,)
            others = [w for w in self._waiting if w.stage == "reply" and w.target is piece]
            if not piece.alive:
                self._waiting = [w for w in self._waiting if w not in others]
            for other in others:
                other.doubtful = other.doubtful or 0 in piece.hps
        result = reply.result if isinstance(reply, ClashReply) else "-"
        if waiting.stage == "reply" and (doubtful or dice().effects[result].enemy):
            self._waiting = [w for w in self._waiting if not _shadow(w, waiting)]
            self._waiting.append(replace(_answer(waiting), line=line, result=result, doubtful=doubtful))

    def excuse(self, reply: Reply, side: Side) -> None:
        """A side's reply or answer is to nothing: it may be the first that the side owes, or to an attack unsaid."""
        stage = "answer" if isinstance(reply, Answer) else "reply"
        if owed := next((w for w in self.due() if (w.stage, w.side) == (stage, side)), None):
            self._doubt(owed)
        if piece := self._table.standing_in(side, self._table.position.arena.field.find(reply.own)):
            piece.doubt_hp(reply.hp)

    def unread(self, text: str, side: Side) -> bool:
        """Whether an unreadable line was meant as a reply; then the first that the side owes may have been that."""
        match = _REPLY.match(text)
        if match is None:
            return False
        cell = self._table.position.arena.field.find(match[1] or "")
        owed = [w for w in self.due() if w.side == side]
        for waiting in [w for w in owed if w.cell == cell] or owed[:1]:
            self._doubt(waiting)
        return True

    def close_phase(self) -> list[Waiting]:
        """What is missing now that the phase is over; it may still come late."""
        missing = self.due()
        self._waiting = [waiting for waiting in self._waiting if not waiting.late]
        for waiting in missing:
            self._doubt(waiting)
        for waiting in self._waiting:
            waiting.late = True
        return missing

    def forget_deeds(self) -> None:
        """The turn's deeds are closed."""
        for waiting in self._waiting:
            waiting.deed = -1

    def _doubt(self, waiting: Waiting) -> None:
        """What becomes of it is not known, nor whether the attacker has to answer."""
        waiting.doubtful = True
        if waiting.hurt:
            waiting.hurt.doubt_hp()
        if waiting.stage == "reply":
            self._waiting.append(_answer(waiting))


def _answer(waiting: Waiting) -> Waiting:
    """The attacker's answer to what comes of an attack."""
    cell = waiting.attacker.cells[0] if waiting.attacker else None
    return replace(waiting, stage="answer", cell=cell, side=OTHER[waiting.side])


def _shadow(of: Waiting, waiting: Waiting) -> bool:
    return of.stage == "answer" and of.doubtful and (of.line, of.attacker) == (waiting.line, waiting.attacker)
