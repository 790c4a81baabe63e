"""Store the attacks that require a reply, and the results that require an answer."""

from __future__ import annotations

from msgspec.structs import replace

from generator.games.battling.forces import Pack
from generator.games.battling.model import OTHER, Side
from generator.games.battling.notation import Answer, BattlingReply, Reply
from generator.games.battling.post.judge_state import Table
from generator.games.battling.post.pieces import Done, Phase, Piece, Waiting
from generator.games.battling.post.reply_check import fault
from generator.games.battling.tables import dice
from generator.grid.columns import Numbered, distance


class Waits:
    """The replies and answers to the attacks of a phase that are still to be written."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._waiting: list[Waiting] = []

    def attack(self, done: Done, phase: Phase, attacker: Piece, target: Piece, link: str, doubtful: bool) -> None:
        """Add an attack from the hex in which the attacker is now."""
        cell, shot = target.cells[0], done.deed.order.action == "F"
        distances = tuple(dict.fromkeys(distance(start, cell) for start in attacker.cells))
        stands = attacker.cells
        waiting = Waiting(done.deed.line, phase, done, shot, attacker, target, cell, stands, distances, target.side)
        waiting.lasts, waiting.link = target.lasts, link
        self._waiting.append(waiting)
        if doubtful:
            self._doubt(waiting)

    def doubtful(
        self, line: int, phase: Phase, done: Done | None, attacker: Piece | None, cell: Numbered | None, side: Side
    ) -> None:
        """Add a possible attack on a side."""
        target = self._table.standing_in(side, cell) if cell else None
        stands = attacker.cells if attacker else ()
        waiting = Waiting(line, phase, done, False, attacker, target, cell, stands, (), side)
        self._waiting.append(waiting)
        self._doubt(waiting)

    def due(self) -> list[Waiting]:
        """Return the attacks and results that certainly require a reply or answer."""
        return [waiting for waiting in self._waiting if not (waiting.doubtful or waiting.in_words)]

    def first(self, side: Side) -> Waiting | None:
        """Return the earliest attack to which a side must reply."""
        return next((w for w in self.due() if (w.stage, w.side) == ("reply", side)), None)

    def has(self, side: Side, hex_name: str) -> bool:
        """Return whether a side certainly must reply for this hex."""
        cell = self._table.position.arena.field.find(hex_name)
        return any(w.stage == "reply" and w.side == side and w.cell == cell and cell for w in self.due())

    def answers(self, side: Side, hex_name: str) -> list[Waiting]:
        """Return the results that a side must or may have to answer: those of a hex, or all if the name is empty."""
        cell = self._table.position.arena.field.find(hex_name) if hex_name else None
        found = [w for w in self._waiting if w.stage == "answer" and w.side == side]
        return [w for w in found if not hex_name or (cell and w.at(cell))]

    def match(self, reply: Reply, side: Side, pack: Pack) -> Waiting | None:
        """Return the attack to which a side's reply or answer refers.

        It is the first attack on the hex for which the reply is correct, or otherwise a possible attack.
        """
        stage = "answer" if isinstance(reply, Answer) else "reply"
        cell = self._table.position.arena.field.find(reply.hex)
        there = [w for w in self._waiting if w.stage == stage and cell and w.at(cell)]
        if found := sorted(there, key=lambda w: (w.doubtful, w.side != side)):
            fits = (w for w in found if w.doubtful or fault(pack, w, reply) is None)
            if fit := next(fits, None):
                return fit
        for waiting in self._waiting:
            if waiting.stage == stage and waiting.doubtful and (piece := self._table.stood_in(waiting.side, cell)):
                if stage == "reply":
                    waiting.target = piece
                else:
                    waiting.attacker = piece
                return waiting
        return next(iter(found), None)

    def unanswered(self, answer: Answer) -> Waiting | None:
        """Return the battling for which the attacker answers before the missing reply."""
        cell = self._table.position.arena.field.find(answer.hex)
        if cell is None or any(w.stage == "answer" and w.at(cell) for w in self._waiting):
            return None
        found = next((w for w in self.due() if w.stage == "reply" and not w.shot and answer_to(w).at(cell)), None)
        if found:
            self._doubt(found)
        return found

    def take(self, waiting: Waiting, line: int, reply: Reply, wrong: bool) -> None:
        """Apply a reply or answer. The hit points that it costs the attacker are subtracted immediately."""
        self._waiting.remove(waiting)
        doubtful = waiting.doubtful or wrong
        if waiting.stage == "answer":
            if doubtful and waiting.attacker:
                waiting.attacker.doubt_hp(reply.hp)
            return
        if piece := waiting.target:
            if doubtful:
                piece.doubt_hp(reply.hp)
            elif reply.hp is not None:
                piece.hps = (reply.hp,)
            self._spare(piece, waiting.phase)
        result = reply.result if isinstance(reply, BattlingReply) else "-"
        lost = dice().effects[result].attacker_loss
        if not (doubtful or lost):
            return
        shadow = ("answer", True, waiting.line, waiting.attacker)
        self._waiting = [w for w in self._waiting if (w.stage, w.doubtful, w.line, w.attacker) != shadow]
        answer = replace(answer_to(waiting), line=line, result=result, doubtful=doubtful)
        self._waiting.append(answer)
        if attacker := waiting.attacker:
            if not doubtful:
                attacker.hps = tuple(dict.fromkeys(max(0, hp - lost) for hp in attacker.hps))
            elif lost or isinstance(reply, BattlingReply):
                attacker.doubt_hp()
            answer.hps = self._possible(attacker)
            self._spare(attacker, waiting.phase)

    def _spare(self, piece: Piece, phase: Phase) -> None:
        """Require no further replies of a machine that is destroyed in a phase, or that may be destroyed."""
        others = [w for w in self._waiting if w.stage == "reply" and w.target is piece and w.phase >= phase]
        if not piece.alive:
            self._waiting = [w for w in self._waiting if w not in others]
        for other in others:
            other.doubtful = other.doubtful or 0 in piece.hps

    def _possible(self, piece: Piece) -> tuple[int, ...]:
        """Return the possible hit points of a machine, which are fewer for each attack on it without a reply."""
        open_attacks = sum(w.stage == "reply" and w.target is piece for w in self._waiting)
        return tuple(dict.fromkeys(max(0, hp - less) for less in range(open_attacks + 1) for hp in piece.hps))

    def excuse(self, reply: Reply, side: Side) -> None:
        """Allow for the possibility that a reply without a matching attack is the first one due.

        It may also be a reply to an unknown attack.
        """
        stage = "answer" if isinstance(reply, Answer) else "reply"
        if due := next((w for w in self.due() if (w.stage, w.side) == (stage, side)), None):
            self._doubt(due)
        if piece := self._table.standing_in(side, self._table.position.arena.field.find(reply.hex)):
            piece.doubt_hp(reply.hp)

    def unread(self, name: str, side: Side, only_there: bool = False) -> None:
        """Allow for an unreadable reply of a side, which is the one for its hex or otherwise the first one due."""
        cell = self._table.position.arena.field.find(name)
        pending = [w for w in self.due() if w.side == side]
        for waiting in [w for w in pending if cell and w.cell == cell] or ([] if only_there else pending[:1]):
            self._doubt(waiting)

    def close(self, phase: Phase) -> list[Waiting]:
        """Return the replies and answers that are missing when a phase begins. They are still accepted later."""
        over = [waiting for waiting in self._waiting if waiting.over(phase)]
        missing = [waiting for waiting in over if not (waiting.doubtful or waiting.in_words)]
        self._waiting = [waiting for waiting in self._waiting if waiting not in over or waiting in missing]
        for waiting in missing:
            self._doubt(waiting)
        return missing

    def _doubt(self, waiting: Waiting) -> None:
        """Allow for any result of an attack, and for any response by the attacker."""
        waiting.doubtful = True
        if waiting.hurt:
            waiting.hurt.doubt_hp()
        if waiting.stage == "reply":
            self._waiting.append(answer_to(waiting))


def answer_to(waiting: Waiting) -> Waiting:
    """Return the attacker's pending answer to the result of an attack."""
    cell = next(iter(waiting.stands), None)
    return replace(waiting, stage="answer", cell=cell, side=OTHER[waiting.side])
