"""Check a log against the rules, and report each fault with its line and reason."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from generator.common.game import LogFinding
from generator.games.battling.model import OTHER, SIDES, Scenario, Side, side_name, why
from generator.games.battling.notation import Answer, BattlingReply, Header, Order, Reply, ShotReply, write_line
from generator.games.battling.outcome import Outcome, outcome
from generator.games.battling.play import STRICT, Act, Position, Refusal, Standing, actions, opening
from generator.games.battling.post.chain import Oaths
from generator.games.battling.post.entries import (
    AnswerInWords,
    Doubtful,
    Entry,
    Misspelt,
    Opened,
    Unread,
    Vow,
    WithoutOrder,
    without_unit,
)
from generator.games.battling.post.headings import Headings
from generator.games.battling.post.judge_state import Claim, Table
from generator.games.battling.post.log import parse
from generator.games.battling.post.pieces import NEVER, Done, Phase, Piece, Waiting
from generator.games.battling.post.reply_check import fault
from generator.games.battling.post.turns import Deed, Turn
from generator.games.battling.post.vocabulary import vocabulary_of
from generator.games.battling.post.waits import Waits
from generator.games.battling.tables import Result
from generator.grid.columns import Numbered
from generator.model.words import Words, joined

MAX_SHOWN = 40
"""The maximum number of characters that are quoted from a passage that cannot be understood."""
MAX_FINDINGS = 200
"""The maximum number of findings. The rest of the log is not judged."""
MAX_LOOK_AHEAD = 200
"""The maximum number of entries after a side's first order in which its replies to earlier attacks are searched."""
QUESTIONS = frozenset(
    {"order.whose", "order.twice", "dash.where", "header.misspelt", "header.within", "correction.none"}
)
"""The reasons for lines that may mean several things. The judge asks a question and does not report an illegal order.
"""


class Pending(msgspec.Struct, frozen=True):
    """A reply or answer that a side still has to write."""

    line: int
    """The line of the attack, or of the reply that requires an answer."""
    side: Side
    stage: Literal["reply", "answer"]
    cell: Numbered
    """The hex of the machine that replies or answers."""
    attacker: str
    target: str
    order: Order
    last: str
    """The letter of the target's last action before the attack."""
    distance: int
    """The distance of a shot, in hexes."""
    result: Result
    """The result that requires an answer, or `-` for a reply."""
    link: str
    """The link of the attacker's chain that determines the roll, or an empty string if there are no chains."""


class Judged(msgspec.Struct, frozen=True):
    """The result of judging a log."""

    findings: tuple[LogFinding, ...]
    """Faults, questions and lines that cannot be understood, in the order of the lines."""
    turns: tuple[Turn, ...]
    position: Position
    """The position at the end of the log."""
    waiting: tuple[Pending, ...]
    """The replies and answers that are still to be written. After the end of the battle, the tuple is empty."""
    outcome: Outcome
    phase: Phase
    """The phase of the last order, as the turn and the player (0 or 1), or (0, 0) before the first order."""
    acted: frozenset[str]
    """The machines that have acted in this phase."""
    doubtful: tuple[int, ...] = ()
    """The lines that are treated as talk although they look like notation."""
    corrected: tuple[tuple[int, int], ...] = ()
    """The lines that correct others, each with the line that it corrects."""
    links: Mapping[Side, str] = {}
    """The link that each side used last. Without chains, the mapping is empty."""
    notes: tuple[LogFinding, ...] = ()
    """The assumptions of the judge after faults and lines that cannot be understood."""


def judge(text: str, scenario: Scenario) -> Judged:
    """Check a whole log against the rules. Any text is accepted without an error."""
    return _Referee(scenario, parse(text, vocabulary_of(scenario))).judged()


class _Referee:
    """A judge that reads a log entry by entry."""

    def __init__(self, scenario: Scenario, entries: tuple[Entry, ...]) -> None:
        self.scenario = scenario
        self.entries = entries
        self.opening = opening(scenario)
        self.table = Table(self.opening)
        self.waits = Waits(self.table)
        self.oaths = Oaths(scenario)
        self.findings: list[LogFinding] = []
        self.notes: list[LogFinding] = []
        self.unsettled: set[int] = set()
        """The lines that may be attacks but cannot be understood or are not legal."""
        self.doubtful: list[int] = []
        self.corrected: list[tuple[int, int]] = []
        self.turns: list[tuple[int, tuple[Standing, ...], list[Done], tuple[Standing, ...]]] = []
        self.deeds: list[Done] = []
        self.before = self.table.standings()
        self.phase: Phase = NEVER
        self.ended = False
        self.at = 0
        """The index of the current entry."""
        self.line = 0
        self.taken: set[int] = set()
        """The indices of replies that were judged early because they follow the orders of their side."""
        self.wrong_first: tuple[int, Refusal] | None = None
        """The line and fault of a header of the second player at the place where the first player should begin."""
        self.is_reported = False
        """Whether a fault of the current entry has already been reported."""
        self.heading = Headings()
        self.header_line = 0
        """The line of the header of the current post."""
        self.without_effect: set[int] = set()
        """The lines with an order for all ATs that does not apply to an AT, because the AT has another order."""
        self.possible: list[tuple[int, Side, Phase, Order]] = []
        """The orders treated as talk, with line, side and phase, which are kept until their phase begins."""

    def judged(self) -> Judged:
        """Return the result for the whole log."""
        for at, entry in enumerate(self.entries):
            if self.ended:
                break
            if at not in self.taken:
                self.at = at
                self.take(entry)
        return self.close()

    def take(self, entry: Entry) -> None:
        """Judge one entry."""
        self.line, self.is_reported = entry.line, False
        if len(self.findings) >= MAX_FINDINGS:
            self._report("text.many")
            self.ended = True
            return
        item = entry.item
        if isinstance(item, Doubtful):
            self.doubtful.append(entry.line)
            self._allow_for(item)
        elif isinstance(item, WithoutOrder):
            pieces = (self.table.pieces[unit] for unit in item.units)
            if any(piece.alive and piece.fresh(self.heading.phase) for piece in pieces):
                self.doubtful.append(entry.line)
        elif isinstance(item, Header | Misspelt):
            self._header(item)
        elif isinstance(item, Vow | Opened):
            self._oath(item)
        elif not (entry.repeats and self._is_quotation(item)):
            self._play(entry)

    def _play(self, entry: Entry) -> None:
        """Judge an order, a reply, or a passage that cannot be understood."""
        if self.wrong_first:
            # An order or reply follows the header of the wrong player.
            (line, wrong), self.wrong_first = self.wrong_first, None
            self._report(wrong.reason, line, **wrong.values)
        self._refused(self.heading.missing())
        item = entry.item
        if entry.amiss:
            self._report(entry.amiss)
            if isinstance(item, Order):
                for piece in self.table.of(self.heading.side, item):
                    self.table.doubt(piece, item)
            return
        if entry.instead:
            self.corrected.append((entry.line, entry.instead))
        if isinstance(item, Order):
            self._order(item, entry)
        elif isinstance(item, Unread):
            self._unread(item)
        elif isinstance(item, Reply):
            self._reply(item, entry.link)
        elif isinstance(item, AnswerInWords):
            self._answer_in_words(item)

    def close(self) -> Judged:
        """Return the result after the last entry."""
        beaten, due = self._beaten(), self.waits.due()
        over = beaten is not None or (self.phase >= (self.scenario.turns, 1) and not due)
        if self.phase != NEVER:
            self._close_turn()
        position = self.table.position
        given = {done.deed.line for _, _, turn, _ in self.turns for done in turn}
        result = outcome(position, max(1, self.phase[0]), over, self.scenario.rulings.get("tie", ""))
        return Judged(
            findings=tuple(sorted(self.findings, key=lambda finding: finding.line)),
            turns=tuple(Turn(n, before, tuple(d.deed for d in done), after) for n, before, done, after in self.turns),
            position=position,
            waiting=() if over else tuple(self._pending(of) for of in due),
            outcome=result,
            phase=self.phase,
            acted=frozenset(piece.id for piece in self.table.pieces.values() if piece.acted == self.phase),
            doubtful=tuple(sorted({*self.doubtful} | (self.without_effect - given))),
            corrected=tuple(self.corrected),
            links={side: self.oaths.used(side) for side in SIDES} if self.oaths.held else {},
            notes=tuple(sorted(self.notes, key=lambda note: note.line)),
        )

    def _pending(self, of: Waiting) -> Pending:
        assert of.cell and of.order and of.attacker and of.target, "a certain attack is known"
        return Pending(
            line=of.line,
            side=of.side,
            stage=of.stage,
            cell=of.cell,
            attacker=of.attacker.id,
            target=of.target.id,
            order=of.order,
            last=of.lasts[0],
            distance=of.distances[0],
            result=of.result,
            link=of.link,
        )

    def _oath(self, of: Vow | Opened) -> None:
        side = self.heading.side
        self._refused(self.oaths.vow(side, of) if isinstance(of, Vow) else self.oaths.opened(side, of))

    def _report(self, reason: str, line: int = 0, /, **values: object) -> None:
        """Report a finding, at most once for each entry."""
        if not line and self.is_reported:
            return
        self.is_reported = self.is_reported or not line
        kind: Literal["fault", "question", "unread"] = "unread" if reason.startswith("text.") else "fault"
        if reason in QUESTIONS:
            kind = "question"
        self.findings.append(self._finding(reason, line or self.line, kind, values))

    def _assume(self, what: str, **values: object) -> None:
        """Add an assumption about the current line."""
        if not self.notes or self.notes[-1].line != self.line:
            self.notes.append(self._finding(f"assumed.{what}", self.line, "note", values))

    def _finding(
        self, reason: str, line: int, kind: Literal["fault", "question", "unread", "note"], values: dict[str, object]
    ) -> LogFinding:
        if label := self.scenario.labels.get(str(values.get("unit"))):
            values["unit"] = label
        return LogFinding(line, reason, why(reason).fill(**values), kind)

    def _refused(self, refusal: Refusal | None) -> None:
        if refusal:
            self._report(refusal.reason, **refusal.values)

    def _header(self, header: Header | Misspelt) -> None:
        meant = header.header if isinstance(header, Misspelt) else header
        if isinstance(header, Misspelt):
            clean = Words(write_line(meant, "en"), write_line(meant, "ja"))
            reason = "header.within" if header.is_within else "header.misspelt"
            self._report(reason, text=header.text[:MAX_SHOWN], header=clean)
        wrong = self.heading.take(meant, self.phase)
        self.header_line = self.line
        self.wrong_first = None
        if wrong and wrong.reason == "header.first" and not isinstance(header, Misspelt):
            self.wrong_first = self.line, wrong
        else:
            self._refused(wrong)
        self.heading.excused |= isinstance(header, Misspelt)

    def _is_quotation(self, item: object) -> bool:
        """Return whether an order is only quoted from the other side, because no AT of this side can execute it."""
        if not isinstance(item, Order):
            return False
        return not any(claim.able for claim in self.table.claims(self.heading.side, item))

    def _order(self, order: Order, entry: Entry) -> None:
        if entry.for_all and not any(piece.alive for piece in self.table.of(self.heading.side, order)):
            return
        self._refused(self.oaths.begin())
        side = self._side_of(order)
        if side != self.heading.side and self.heading.switch(side):
            self._report("order.side", side=side_name(side))
        self._refused(self.heading.order(self.phase))
        if self.heading.turn > self.scenario.turns:
            self._report("end.turns", turns=self.scenario.turns)
            self.ended = True
            return
        phase = self.heading.phase
        is_late = phase < self.phase
        if phase > self.phase:
            self._advance(phase)
        if beaten := self._beaten():
            self._report("end.over", side=side_name(beaten))
            self.ended = True
            return
        claims = self.table.claims(side, order)
        fresh = [claim for claim in claims if is_late or claim.piece.fresh(phase)]
        able = [claim for claim in fresh if claim.able]
        if entry.for_all and claims and not fresh:
            if not self._given_before(order, side, claims):
                self.without_effect.add(self.line)
            return
        if entry.confidence == "likely" and not able:
            # The AT was inferred, so another AT may be meant.
            anyone = msgspec.structs.replace(order, unit="", start="", among=())
            others = [c for c in self.table.claims(side, anyone) if c.able and (is_late or c.piece.fresh(phase))]
            claims, fresh, able = (others, others, others) if others else (claims, fresh, able)
        if not able and (line := self._given_before(order, side, claims)):
            self._assume("repeated", line=line)
            return
        if able:
            if len(able) > 1:
                self._ambiguous(order, able)
            self._carry_out(order, able[0], phase, is_late, self._linked(order, side, entry.link))
        else:
            self._refuse(order, side, claims, fresh, phase)
            self._linked(order, side, entry.link)

    def _given_before(self, order: Order, side: Side, claims: list[Claim]) -> int:
        """Return the line that already gives an order in this phase to the AT that it is for, or 0."""
        pieces = {claim.piece.id for claim in claims} or {piece.id for piece in self.table.of(side, order)}
        plain = without_unit(order)
        for done in reversed(self.deeds):
            deed = done.deed
            stated = deed.unit in pieces or (order.start and order.start == deed.order.start)
            if deed.side == side and stated and without_unit(deed.order) == plain:
                return deed.line
        return 0

    def _linked(self, order: Order, side: Side, link: str) -> str:
        """Return the link that determines the roll of an attack, after checking it against the side's chain."""
        if not (self.oaths.held and order.target):
            return ""
        wrong = self.oaths.posted(side, link)
        self._refused(wrong)
        return "" if wrong else link

    def _side_of(self, order: Order) -> Side:
        """Return the side of an order, which is the writer's unless only the other side can execute it."""
        side, phase = self.heading.side, self.heading.phase
        claims = [claim for claim in self.table.claims(side, order) if phase < self.phase or claim.piece.fresh(phase)]
        if any(claim.able or self.table.plausible(claim.piece, order) for claim in claims):
            return side
        # A `D` without numbers may be an order of either side.
        others = self.table.claims(OTHER[side], order) if order.to or order.target else []
        return OTHER[side] if any(claim.able for claim in others) else side

    def _ambiguous(self, order: Order, able: list[Claim]) -> None:
        """Ask which of several ATs an order is for, and allow for each of them."""
        units = joined([self.scenario.labels[claim.piece.id] for claim in able])
        example = write_line(msgspec.structs.replace(order, unit=able[0].piece.at().number))
        self._report("order.whose", units=units, example=example)
        for claim in able[1:]:
            assert isinstance(claim.result, Act)
            claim.piece.cells = tuple(dict.fromkeys((*claim.piece.cells, claim.result.path[-1])))

    def _carry_out(self, order: Order, claim: Claim, phase: Phase, is_late: bool, link: str) -> None:
        act, piece = claim.result, claim.piece
        assert isinstance(act, Act)
        end = act.path[-1]
        if is_late:
            # Later posts may assume that the order was executed, or that it was not.
            piece.cells, piece.lasts = tuple(dict.fromkeys((end, *claim.starts))), (order.action, "")
        else:
            piece.stood = piece.cells
            piece.cells = (end,) if order.to else claim.starts
            piece.lasts, piece.acted, piece.excused = (order.action,), phase, NEVER
        target = self.table.pieces[act.target.id] if act.target else None
        aim = act.target.cell if act.target else None
        aimed = (target.id, target.lasts[0]) if target else ("", "")
        done = Done(Deed(self.line, piece.side, piece.id, order, act.path, aim, *aimed))
        self.deeds.append(done)
        if target and aim:
            target.cells = (aim,)
            self.waits.attack(done, phase, piece, target, link, is_late)

    def _refuse(self, order: Order, side: Side, claims: list[Claim], fresh: list[Claim], phase: Phase) -> None:
        """Report why an order is not legal, and allow for other actions of its AT."""
        claim, refusal = self._refusal(order, side, claims, fresh)
        self._refused(refusal)
        self.table.mistaken(side, order, phase, wholly=claim is None)
        self.unsettled.add(self.line)
        field = self.opening.arena.field
        aim, end = (field.find(name) for name in (order.target, order.to))
        piece = claim.piece if claim else None
        done = None
        if claim and piece:
            start = claim.starts[0]
            path = tuple(dict.fromkeys((start, end or start)))
            target = self.table.standing_in(OTHER[side], aim)
            deed = Deed(
                self.line, side, piece.id, order, path, aim, target.id if target else "", refused=refusal.reason
            )
            done = Done(deed)
            self.deeds.append(done)
            if end and end != start:
                self._assume("moved", unit=piece.id, start=field.name(start), hex=field.name(end))
            else:
                self._assume("stayed" if order.target else "still", unit=piece.id, start=field.name(start))
            self.table.doubt(piece, order)
            piece.acted = piece.excused = phase
        else:
            self._assume("anyone", side=side_name(side))
        if aim and refusal.reason == "target.none":
            self.table.beckon(OTHER[side], aim)
        if order.target:
            self.waits.doubtful(self.line, phase, done, piece, aim, OTHER[side])

    def _refusal(
        self, order: Order, side: Side, claims: list[Claim], fresh: list[Claim]
    ) -> tuple[Claim | None, Refusal]:
        """Return the reason why no AT can execute an order, and the claim of the AT that it is for."""
        is_named = order.unit or order.start or order.among
        if not claims:
            gone = self.table.of(side, order)
            if is_named and gone:
                return None, Refusal("order.destroyed", {"unit": gone[0].id})
            unknown = {"side": side_name(side), "unit": f"#{order.unit}" if order.unit else order.start}
            return None, Refusal("order.unknown", unknown)
        again = [claim for claim in claims if claim not in fresh and (claim.able or not fresh)]
        if again:
            claim = next((c for c in again if c.able), again[0])
            if not is_named and len(again) > 1 and not claim.able:
                return None, Refusal("order.nobody", {"side": side_name(side)})
            if line := self._line_in_post(claim.piece.id):
                return claim, Refusal("order.twice", {"unit": claim.piece.id, "line": line})
            return claim, Refusal("order.again", {"unit": claim.piece.id})
        if len(fresh) > 1:
            return None, Refusal("order.nobody", {"side": side_name(side)})
        assert isinstance(fresh[0].result, Refusal)
        return fresh[0], fresh[0].result

    def _line_in_post(self, unit: str) -> int:
        """Return the line of the current post with the latest order of an AT, or 0."""
        lines = (done.deed.line for done in reversed(self.deeds) if done.deed.unit == unit)
        return next((line for line in lines if line >= self.header_line), 0)

    def _reply(self, reply: Reply, link: str = "") -> None:
        side = self.heading.side
        kind = "answer" if isinstance(reply, Answer) else "reply"
        if isinstance(reply, Answer) and (unanswered := self.waits.unanswered(reply)):
            self._missing(unanswered)
        waiting = self.waits.match(reply, side, self.opening.pack)
        if waiting is None:
            if line := self._written_before(reply, side):
                self._assume("repeated", line=line)
                return
            self._report(f"{kind}.none", hex=reply.hex)
            self.waits.excuse(reply, side)
            return
        if waiting.side != side and self.heading.switch(waiting.side):
            self._report(f"{kind}.side", side=side_name(waiting.side))
        if waiting.doubtful and waiting.line in self.unsettled and not isinstance(reply, Answer):
            self._assume("reply", line=waiting.line)
        wrong = None
        if self.oaths.held and not isinstance(reply, Answer):
            waiting, wrong = self._rolled(waiting, reply, link)
        wrong = wrong or (None if waiting.doubtful else fault(self.opening.pack, waiting, reply))
        self._refused(wrong)
        self.waits.take(waiting, self.line, reply, wrong is not None)
        if waiting.done:
            waiting.done.deed = msgspec.structs.replace(waiting.done.deed, **{kind: reply})

    def _answer_in_words(self, item: AnswerInWords) -> None:
        """Judge an answer in words, which is listed as possible notation unless it is correct for a result."""
        due = self.waits.answers(self.heading.side, item.hex)
        for waiting in due:
            if waiting.cell and not waiting.doubtful:
                answer = Answer(self.opening.arena.field.name(waiting.cell), waiting.result, item.hp)
                if fault(self.opening.pack, waiting, answer) is None:
                    waiting.in_words = True
                    if waiting.done:
                        waiting.done.deed = msgspec.structs.replace(waiting.done.deed, answer=answer)
                    return
        if not any(waiting.doubtful for waiting in due):
            self.doubtful.append(self.line)

    def _written_before(self, reply: Reply, side: Side) -> int:
        """Return the line of this turn that is followed by the same reply of the same side, or 0."""
        for done in reversed(self.deeds):
            deed = done.deed
            if (deed.side != side and deed.reply == reply) or (deed.side == side and deed.answer == reply):
                return deed.line
        return 0

    def _rolled(
        self, waiting: Waiting, reply: ShotReply | BattlingReply, link: str
    ) -> tuple[Waiting, Refusal | None]:
        """Return the attack that a reply with a link answers, and the fault of its dice.

        The attack is the earliest one on its hex.
        """
        wrong = self.oaths.posted(waiting.side, link)
        first = self.waits.first(waiting.side)
        if first and first is not waiting and not waiting.doubtful:
            if first.cell == waiting.cell:
                waiting = first
            else:
                wrong = wrong or Refusal("dice.order", {"line": first.line})
                # It is now unknown which link belongs to which attack.
                for other in self.waits.due():
                    other.link = "" if other.side == waiting.side else other.link
        return waiting, wrong or self.oaths.rolled(waiting, reply, link)

    def _unread(self, passage: Unread) -> None:
        """Report a passage that cannot be understood, and allow for all its possible meanings."""
        side, phase = self.heading.side, self.heading.phase
        self._report_unread(passage)
        self.unsettled.add(self.line)
        if passage.is_reply:
            self.waits.unread(passage.hex, side)
            return
        self._assume("anyone", side=side_name(side))
        if passage.action is None and not passage.unit:
            self.waits.unread("", side)
        if phase > self.phase:
            self._advance(phase)
        pieces = self.table.of(side, Order("W", unit=passage.unit)) if passage.unit else []
        if pieces:
            self.table.doubt(pieces[0], Order("W"), is_own=False)
            pieces[0].acted = pieces[0].excused = phase
        else:
            self.table.mistaken(side, Order("W"), phase, wholly=True)
        self.waits.doubtful(self.line, phase, None, None, None, OTHER[side])

    def _report_unread(self, passage: Unread) -> None:
        """Report a passage that cannot be understood, with the form of the order that it seems to be."""
        text = passage.text[:MAX_SHOWN] + "…" * (len(passage.text) > MAX_SHOWN)
        action = actions().get(passage.action) if passage.action else None
        if passage.is_conditional:
            self._report("text.condition", text=text)
        elif action:
            strict = self.scenario.rulings.get("dash") == STRICT
            self._report("text.order", text=text, form=action.straight or action.form if strict else action.form)
        else:
            self._report("text.unreadable", text=text)

    def _allow_for(self, passage: Doubtful) -> None:
        """Allow for the possibility that a passage treated as talk is an order or reply.

        Later lines that assume it are then not reported as wrong.
        """
        if isinstance(passage.item, Order):
            self.possible.append((self.line, self.heading.side, self.heading.phase, passage.item))
            if self.heading.phase <= self.phase:
                self._apply_possible(self.phase)
        elif passage.item is not None:
            self.waits.unread(passage.item.hex, self.heading.side, only_there=True)

    def _apply_possible(self, phase: Phase) -> None:
        """Allow for the possibility that ATs executed the orders, up to a phase, that were treated as talk."""
        due = [of for of in self.possible if of[2] <= phase]
        self.possible = [of for of in self.possible if of not in due]
        for line, side, given, order in due:
            self.table.mistaken(side, order, given, wholly=False)
            if order.target:
                aim = self.opening.arena.field.find(order.target)
                self.unsettled.add(line)
                self.waits.doubtful(line, given, None, None, aim, OTHER[side])

    def _advance(self, phase: Phase) -> None:
        """Begin another phase, and report missing replies and answers."""
        self._look_ahead(SIDES[phase[1]])
        for waiting in self.waits.close(phase):
            self._missing(waiting)
        if phase[0] > self.phase[0] > 0:
            self._close_turn()
        self._apply_possible((phase[0], phase[1] - 1))
        self.table.rest(phase)
        self.phase = phase
        self._apply_possible(phase)

    def _look_ahead(self, side: Side) -> None:
        """Judge a side's replies that follow its own orders first, because they refer to earlier attacks."""
        line, is_reported, writer = self.line, self.is_reported, side
        for at in range(self.at + 1, min(len(self.entries), self.at + 1 + MAX_LOOK_AHEAD)):
            if not self.waits.first(side):
                break
            item = self.entries[at].item
            if isinstance(item, Header | Misspelt):
                header = item if isinstance(item, Header) else item.header
                writer = header.side or writer
            elif writer != side and isinstance(item, Order | Unread):
                break
            elif writer == side and isinstance(item, ShotReply | BattlingReply) and self.waits.has(side, item.hex):
                self.taken.add(at)
                self.take(self.entries[at])
        self.line, self.is_reported = line, is_reported

    def _missing(self, waiting: Waiting) -> None:
        assert waiting.cell is not None, "a certain attack has a hex"
        name = self.opening.arena.field.name(waiting.cell)
        self._report(f"{waiting.stage}.missing", waiting.line, hex=name, result=waiting.result)

    def _close_turn(self) -> None:
        after = self.table.standings()
        self.turns.append((self.phase[0], self.before, self.deeds, after))
        self.before, self.deeds = after, []

    def _beaten(self) -> Side | None:
        """Return a side whose machines are all destroyed, or None."""
        pieces: list[Piece] = list(self.table.pieces.values())
        return next((side for side in SIDES if not any(p.alive for p in pieces if p.side == side)), None)
