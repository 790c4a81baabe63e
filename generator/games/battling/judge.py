"""Replaying a log against the rules: every fault with its line and reason, and the duel turn by turn.

Whose lines a judge is reading, and of which turn, by the headers of the log.

The attacks that wait for a reply, and the results that wait for the attacker's answer.

Replaying a log against the rules: every fault with its line and reason, and the battle turn by turn.
"""

from __future__ import annotations

import re
from dataclasses import replace

import msgspec

from generator.common.game import LogFinding
from generator.games.battling.forces import Pack
from generator.games.battling.judge_state import NEVER, Act, Claim, Phase, Piece, Refusal, Table, Waiting, fault
from generator.games.battling.log import Deed, Doubtful, Entry, Misspelt, Outcome, Turn, Unread, outcome, parse
from generator.games.battling.model import OTHER, SIDES, Scenario, Side, side_name, why
from generator.games.battling.play import (
    HEX,
    STRICT,
    Answer,
    ClashReply,
    Header,
    Order,
    Position,
    Reply,
    actions,
    opening,
    write_line,
)
from generator.games.battling.tables import dice
from generator.grid.columns import Numbered, distance
from generator.model.words import Words, joined


class Headings:
    """What the latest header says, and what is wrong with it."""

    def __init__(self) -> None:
        self.side: Side = "first"
        self.turn = 0
        """The turn of the lines that follow; 0 before the first header."""
        self.excused = False
        """Whether a fault of the latest header was told already, so that its side and turn may be others."""
        self.late = False
        """Whether orders under it were told to come after their phase."""
        self._said: tuple[int, ...] = (0,)
        """The turn that the latest header named; more than one guess where it named a wrong one."""
        self._open = False
        """Whether it named a side only, so that its turn follows from what was done."""

    @property
    def phase(self) -> Phase:
        """The phase whose orders may follow."""
        return self.phase_of(self.side)

    def phase_of(self, side: Side) -> Phase:
        """A side's phase in this turn."""
        return self.turn, SIDES.index(side)

    def take(self, header: Header, reached: Phase) -> Refusal | None:
        """Take in a header; what is wrong with it, the battle having reached that phase."""
        wrong = None if header.turn is None else self._turn(header.turn, header.side, reached)
        self._open, self.excused, self.late = header.turn is None, False, False
        self.side = header.side or self.side
        return wrong

    def missing(self) -> Refusal | None:
        """What is wrong with a line that follows no header, once; from then on the first turn is understood."""
        if self.turn:
            return None
        example = Header(1, "first")
        self.excused, self.turn, self._said = True, 1, (1,)
        return Refusal("header.none", {"example": Words(write_line(example, "en"), write_line(example, "ja"))})

    def order(self, reached: Phase) -> Refusal | None:
        """What is wrong with an order's coming now; a turn that may go without saying moves on of itself."""
        if self.phase < reached and (self._open or self.excused) and not self.late:
            self.turn += 1
        if self.phase >= reached or self.late:
            return None
        self.late = True
        return Refusal("order.phase", {"side": side_name(self.side), "turn": self.turn})

    def switch(self, side: Side) -> bool:
        """These are the other side's lines; whether that is yet to be told."""
        told = self.excused
        self.side, self.excused = side, True
        return not told

    def _turn(self, turn: int, side: Side | None, reached: Phase) -> Refusal | None:
        now, wrong = self._said[0], None
        if turn not in {said + ahead for said in self._said for ahead in (0, 1)} - {0}:
            wrong = Refusal("header.turn", {"turn": turn, "now": now})
        elif len(self._said) == 1 and turn > now and side == "second" and not (self.late or self.excused):
            wrong = Refusal("header.first", {"turn": turn, "side": side_name("first")})
        if wrong:
            self._said = (now, now + 1, turn)
            # The side shows which turn it is, where the number does not.
            passed = side is not None and (now, SIDES.index(side)) < reached
            self.turn = max(1, now + (passed or (side == "first" and turn > now)))
        else:
            self.turn, self._said = turn, (turn,)
        return wrong


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


SHOWN = 40
"""Characters of an unreadable line that are quoted."""

_NAMED = re.compile(r"#\s*([A-Z]?[0-9]+)|([A-Z]?[0-9]{1,2})[\s:;,.)]+[WRFBD]", re.IGNORECASE)
"""How an unreadable order begins that names its AT."""
_LETTER = re.compile(r"(?:#?\s*[A-Z]?[0-9]{1,2}\s*[:;,.)]?\s*|[0-9]{4}\s*:\s*)?([WRFBD])(?![A-Z])", re.IGNORECASE)
"""How an unreadable order begins, with the letter of its action."""

MOST = 200
"""Faults after which a log is not judged any farther."""


class Judged(msgspec.Struct, frozen=True):
    """What a log comes to."""

    findings: tuple[LogFinding, ...]
    """In the order of the lines."""
    turns: tuple[Turn, ...]
    position: Position
    """As it stands at the end of the log."""
    waiting: tuple[int, ...]
    """Lines of attacks and results that wait for a reply or answer; none where the battle is over."""
    outcome: Outcome
    doubtful: tuple[int, ...] = ()
    """Lines passed over as talk that look like notation."""


def judge(text: str, scenario: Scenario) -> Judged:
    """A whole log held against the rules; raises nothing."""
    referee = _Referee(scenario)
    for entry in parse(text):
        referee.hear(entry)
    return referee.close()


class _Referee:
    """Hears a log entry by entry."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.opening = opening(scenario)
        self.table = Table(self.opening)
        self.waits = Waits(self.table)
        self.findings: list[LogFinding] = []
        self.doubtful: list[int] = []
        self.turns: list[Turn] = []
        self.deeds: list[Deed] = []
        self.before = self.table.standings()
        self.phase: Phase = NEVER
        self.ended = False
        self.line = 0
        self.quiet = False
        """Whether this entry's fault is told already."""
        self.heading = Headings()

    def hear(self, entry: Entry) -> None:
        """Take in one entry."""
        if self.ended:
            return
        self.line, self.quiet = entry.line, False
        if len(self.findings) >= MOST:
            self._tell("text.many")
            self.ended = True
            return
        if isinstance(entry.item, Doubtful):
            self.doubtful.append(entry.line)
            return
        if isinstance(entry.item, Header | Misspelt):
            self._header(entry.item)
            return
        self._refused(self.heading.missing())
        if isinstance(entry.item, Order):
            self._order(entry.item)
        elif isinstance(entry.item, Unread):
            self._unread(entry.item.text)
        else:
            self._reply(entry.item)

    def close(self) -> Judged:
        """What it all came to."""
        over = self._beaten() is not None or self.phase >= (self.scenario.turns, 1)
        waiting = self.waits.due()
        if over:
            self._miss()
        if self.phase != NEVER:
            self._close_turn()
        position = self.table.position
        came = outcome(position, max(1, self.phase[0]), over, self.scenario.rulings.get("tie", ""))
        findings = tuple(sorted(self.findings, key=lambda finding: finding.line))
        lines = () if over else tuple(w.line for w in waiting)
        return Judged(findings, tuple(self.turns), position, lines, came, tuple(dict.fromkeys(self.doubtful)))

    def _tell(self, reason: str, line: int = 0, /, **values: object) -> None:
        """Note a fault, of this entry once at most."""
        if not line and self.quiet:
            return
        self.quiet = self.quiet or not line
        if called := self.scenario.called.get(str(values.get("unit"))):
            values["unit"] = called
        self.findings.append(LogFinding(line or self.line, reason, why(reason).fill(**values)))

    def _refused(self, refusal: Refusal | None) -> None:
        if refusal:
            self._tell(refusal.reason, **refusal.values)

    def _header(self, header: Header | Misspelt) -> None:
        meant = header.header if isinstance(header, Misspelt) else header
        if isinstance(header, Misspelt):
            clean = Words(write_line(meant, "en"), write_line(meant, "ja"))
            self._tell("header.misspelt", text=header.text[:SHOWN], header=clean)
        self._refused(self.heading.take(meant, self.phase))
        self.heading.excused = isinstance(header, Misspelt)
        self._last_turn()

    def _order(self, order: Order) -> None:
        side = self._whose_side(order)
        if side != self.heading.side and self.heading.switch(side):
            self._tell("order.side", side=side_name(side))
        self._refused(self.heading.order(self.phase))
        self._last_turn()
        if self.ended:
            return
        phase = self.heading.phase
        late = phase < self.phase
        if phase > self.phase:
            self._advance(phase)
        if beaten := self._beaten():
            self._tell("end.over", side=side_name(beaten))
            self.ended = True
            return
        claims = self.table.claims(side, order)
        fresh = [claim for claim in claims if late or claim.piece.fresh(phase)]
        able = [claim for claim in fresh if claim.able]
        if able:
            if len(able) > 1:
                self._ambiguous(order, able)
            self._carry_out(order, able[0], phase, late)
        else:
            self._refuse(order, side, claims, fresh, phase)

    def _last_turn(self) -> None:
        if self.heading.turn > self.scenario.turns:
            self._tell("end.turns", turns=self.scenario.turns)
            self.ended = True

    def _whose_side(self, order: Order) -> Side:
        """Whose order it is: the writer's, unless only the other side could and the writer's surely could not."""
        side, phase = self.heading.side, self.heading.phase
        own = [claim for claim in self.table.claims(side, order) if phase < self.phase or claim.piece.fresh(phase)]
        if any(claim.able or self.table.plausible(claim.piece, order) for claim in own):
            return side
        # A bare `D` is anybody's.
        tells = order.to or order.target
        others = self.table.claims(OTHER[side], order) if tells else []
        return OTHER[side] if any(claim.able for claim in others) else side

    def _ambiguous(self, order: Order, able: list[Claim]) -> None:
        units = joined([self.scenario.called[claim.piece.id] for claim in able])
        example = write_line(msgspec.structs.replace(order, unit=able[0].piece.at().number))
        self._tell("order.whose", units=units, example=example)
        for claim in able[1:]:
            assert isinstance(claim.result, Act)
            claim.piece.cells = tuple(dict.fromkeys((*claim.piece.cells, claim.result.path[-1])))

    def _carry_out(self, order: Order, claim: Claim, phase: Phase, late: bool) -> None:
        act, piece = claim.result, claim.piece
        assert isinstance(act, Act)
        end = act.path[-1]
        if late:
            # Whether the battle went on with it cannot be known.
            piece.cells, piece.lasts = tuple(dict.fromkeys((end, *claim.starts))), (order.action, "")
        else:
            piece.cells = (end,) if order.to else claim.starts
            piece.lasts, piece.acted, piece.excused = (order.action,), phase, NEVER
        target = self.table.pieces[act.target.id] if act.target else None
        aim = act.target.cell if act.target else None
        deed = Deed(self.line, piece.side, piece.id, order, act.path, aim, target.id if target else "")
        self.deeds.append(deed)
        if target and aim:
            target.cells = (aim,)
            self.waits.attack(self.line, len(self.deeds) - 1, order.action == "F", piece, target, late)

    def _refuse(self, order: Order, side: Side, claims: list[Claim], fresh: list[Claim], phase: Phase) -> None:
        claim, refusal = self._refusal(order, side, claims, fresh)
        self._refused(refusal)
        self.table.mistaken(side, order, phase, wholly=claim is None)
        field = self.opening.arena.field
        aim, end = (field.find(name) for name in (order.target, order.to))
        piece = claim.piece if claim else None
        if claim and piece:
            path = tuple(dict.fromkeys((claim.starts[0], end or claim.starts[0])))
            target = self.table.standing_in(OTHER[side], aim)
            named = target.id if target else ""
            deed = Deed(self.line, side, piece.id, order, path, aim, named, refused=refusal.reason)
            self.deeds.append(deed)
            self.table.doubt(piece, order)
            piece.acted = piece.excused = phase
        if aim and refusal.reason == "target.none":
            self.table.beckon(OTHER[side], aim)
        if order.target:
            self.waits.doubtful(self.line, len(self.deeds) - 1 if claim else -1, piece, aim, OTHER[side])

    def _refusal(
        self, order: Order, side: Side, claims: list[Claim], fresh: list[Claim]
    ) -> tuple[Claim | None, Refusal]:
        named = order.unit or order.start
        if not claims:
            gone = self.table.of(side, order)
            if named and gone:
                return None, Refusal("order.destroyed", {"unit": gone[0].id})
            unknown = {"side": side_name(side), "unit": f"#{order.unit}" if order.unit else order.start}
            return None, Refusal("order.unknown", unknown)
        again = [claim for claim in claims if claim not in fresh and (claim.able or not fresh)]
        if again:
            claim = next((c for c in again if c.able), again[0])
            if not named and len(again) > 1 and not claim.able:
                return None, Refusal("order.nobody", {"side": side_name(side)})
            return claim, Refusal("order.again", {"unit": claim.piece.id})
        if len(fresh) > 1:
            return None, Refusal("order.nobody", {"side": side_name(side)})
        assert isinstance(fresh[0].result, Refusal)
        return fresh[0], fresh[0].result

    def _reply(self, reply: Reply) -> None:
        side = self.heading.side
        kind = "answer" if isinstance(reply, Answer) else "reply"
        if isinstance(reply, Answer) and (unanswered := self.waits.unanswered(reply)):
            self._missing(unanswered)
        waiting = self.waits.match(reply, self.opening.pack)
        if waiting is None:
            self._tell(f"{kind}.none", hex=reply.own)
            self.waits.excuse(reply, side)
            return
        if waiting.side != side and self.heading.switch(waiting.side):
            self._tell(f"{kind}.side", side=side_name(waiting.side))
        wrong = None if waiting.doubtful else fault(self.opening.pack, waiting, reply)
        self._refused(wrong)
        self.waits.take(waiting, self.line, reply, wrong is not None)
        if 0 <= waiting.deed < len(self.deeds):
            self.deeds[waiting.deed] = msgspec.structs.replace(self.deeds[waiting.deed], **{kind: reply})

    def _unread(self, text: str) -> None:
        side, phase = self.heading.side, self.heading.phase
        self._tell_unread(text)
        if self.waits.unread(text, side):
            return
        if phase > self.phase:
            self._advance(phase)
        named = _NAMED.match(text)
        own = self.table.of(side, Order("W", unit=(named[1] or named[2]).upper())) if named else []
        if own:
            self.table.doubt(own[0], Order("W"), own=False)
            own[0].acted = own[0].excused = phase
        else:
            self.table.mistaken(side, Order("W"), phase, wholly=True)
        self.waits.doubtful(self.line, -1, None, None, OTHER[side])

    def _tell_unread(self, text: str) -> None:
        shown = text[:SHOWN] + "…" * (len(text) > SHOWN)
        letter = _LETTER.match(text)
        of = next((of for of in actions().values() if letter and of.id == letter[1].upper()), None)
        if of:
            strict = self.scenario.rulings.get("dash") == STRICT
            self._tell("text.order", text=shown, form=of.straight or of.form if strict else of.form)
        else:
            self._tell("text.unreadable", text=shown)

    def _advance(self, phase: Phase) -> None:
        """Another phase begins: what should have been written in the old one is missing."""
        self._miss()
        if phase[0] > self.phase[0] > 0:
            self._close_turn()
        self.table.rest(phase)
        self.phase = phase

    def _miss(self) -> None:
        for waiting in self.waits.close_phase():
            self._missing(waiting)

    def _missing(self, waiting: Waiting) -> None:
        assert waiting.cell is not None, "what waits without doubt waits in a hex"
        name = self.opening.arena.field.name(waiting.cell)
        self._tell(f"{waiting.stage}.missing", waiting.line, hex=name, result=waiting.result)

    def _close_turn(self) -> None:
        after = self.table.standings()
        self.turns.append(Turn(self.phase[0], self.before, tuple(self.deeds), after))
        self.before, self.deeds = after, []
        self.waits.forget_deeds()

    def _beaten(self) -> Side | None:
        """A side all of whose machines are destroyed."""
        pieces: list[Piece] = list(self.table.pieces.values())
        return next((side for side in SIDES if not any(p.alive for p in pieces if p.side == side)), None)
