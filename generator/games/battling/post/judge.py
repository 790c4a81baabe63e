"""Check a log against the rules, and report each fault with its line and reason."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

import msgspec

from generator.common.game import LogFinding
from generator.games.battling.model import OTHER, SIDES, Scenario, Side, side_name, why
from generator.games.battling.notation import Answer, ClashReply, Header, Order, Reply, ShotReply, write_line
from generator.games.battling.outcome import Outcome, outcome
from generator.games.battling.play import STRICT, Act, Position, Refusal, Standing, actions, opening
from generator.games.battling.post.chain import Oaths
from generator.games.battling.post.headings import Headings
from generator.games.battling.post.judge_state import Claim, Table
from generator.games.battling.post.log import (
    Correction,
    Deed,
    Doubtful,
    Entry,
    Misspelt,
    Opened,
    Turn,
    Unread,
    Vow,
    parse,
)
from generator.games.battling.post.pieces import NEVER, Done, Phase, Piece, Waiting
from generator.games.battling.post.reply_check import fault
from generator.games.battling.post.waits import Waits
from generator.games.battling.tables import Result
from generator.grid.columns import Numbered
from generator.model.words import Words, joined

SHOWN = 40
"""Characters of an unreadable line that are quoted."""

_NAMED = re.compile(r"#\s*([A-Z]?[0-9]+)|([A-Z]?[0-9]{1,2})[\s:;,.)]+[WRFBD]", re.IGNORECASE)
"""How an unreadable order begins that names its AT."""
_LETTER = re.compile(r"(?:#?\s*[A-Z]?[0-9]{1,2}\s*[:;,.)]?\s*|[0-9]{4}\s*:\s*)?([WRFBD])(?![A-Z])", re.IGNORECASE)
"""How an unreadable order begins, with the letter of its action."""

MOST = 200
"""Faults after which a log is not judged any farther."""


class Pending(msgspec.Struct, frozen=True):
    """What a side has still to write."""

    line: int
    """The line that it is to: the attack's, or the reply's that calls for an answer."""
    side: Side
    stage: Literal["reply", "answer"]
    cell: Numbered
    """The hex that replies or answers."""
    attacker: str
    target: str
    order: Order
    last: str
    """The letter of what the target did last before the attack."""
    distance: int
    """Of a shot."""
    result: Result
    """What is to be answered; of a reply nothing yet."""
    link: str
    """The link of the attacker's chain by which it is rolled for; empty where nobody has one."""


class Judged(msgspec.Struct, frozen=True):
    """What a log comes to."""

    findings: tuple[LogFinding, ...]
    """In the order of the lines."""
    turns: tuple[Turn, ...]
    position: Position
    """As it stands at the end of the log."""
    waiting: tuple[Pending, ...]
    """What is still to be written; nothing where the battle is over."""
    outcome: Outcome
    phase: Phase
    """The phase of the last order: the turn, and 0 or 1 for the player; (0, 0) before the first."""
    acted: frozenset[str]
    """The machines that have acted in it."""
    doubtful: tuple[int, ...] = ()
    """Lines passed over as talk that look like notation."""
    corrected: tuple[tuple[int, int], ...] = ()
    """Lines that correct others, with those."""
    links: Mapping[Side, str] = {}
    """Where both sides throw by chains, the link that each used last."""


def judge(text: str, scenario: Scenario) -> Judged:
    """A whole log held against the rules; raises nothing."""
    return _Referee(scenario, parse(text)).judged()


AHEAD = 200
"""Entries below a side's first order among which its replies to what was done before may stand."""


class _Referee:
    """Hears a log entry by entry."""

    def __init__(self, scenario: Scenario, entries: tuple[Entry, ...]) -> None:
        self.scenario = scenario
        self.entries = entries
        self.opening = opening(scenario)
        self.table = Table(self.opening)
        self.waits = Waits(self.table)
        self.oaths = Oaths(scenario)
        self.findings: list[LogFinding] = []
        self.doubtful: list[int] = []
        self.corrected: list[tuple[int, int]] = []
        self.turns: list[tuple[int, tuple[Standing, ...], list[Done], tuple[Standing, ...]]] = []
        self.deeds: list[Done] = []
        self.before = self.table.standings()
        self.phase: Phase = NEVER
        self.ended = False
        self.at = 0
        """The place of the entry that is heard."""
        self.line = 0
        self.heard: set[int] = set()
        """The places of replies that were heard before their turn, as they stand below their writer's orders."""
        self.unfirst: tuple[int, Refusal] | None = None
        """The line of a header that is the second player's where the first should begin, with what is wrong."""
        self.quiet = False
        """Whether this entry's fault is told already."""
        self.heading = Headings()

    def judged(self) -> Judged:
        """What the whole log comes to."""
        for at, entry in enumerate(self.entries):
            if self.ended:
                break
            if at not in self.heard:
                self.at = at
                self.hear(entry)
        return self.close()

    def hear(self, entry: Entry) -> None:
        """Take in one entry."""
        self.line, self.quiet = entry.line, False
        if len(self.findings) >= MOST:
            self._tell("text.many")
            self.ended = True
            return
        item = entry.item
        if isinstance(item, Doubtful):
            self.doubtful.append(entry.line)
            return
        if isinstance(item, Header | Misspelt):
            self._header(item)
            return
        if isinstance(item, Vow | Opened):
            self._oath(item)
            return
        if self.unfirst:
            # Something of play stands under the wrong player's header.
            (line, wrong), self.unfirst = self.unfirst, None
            self._tell(wrong.reason, line, **wrong.values)
        self._refused(self.heading.missing())
        if entry.amiss:
            self._tell(entry.amiss)
            if isinstance(item, Order):
                for piece in self.table.of(self.heading.side, item):
                    self.table.doubt(piece, item)
            return
        if entry.instead:
            self.corrected.append((entry.line, entry.instead))
        if isinstance(item, Order):
            self._order(item, entry.link)
        elif isinstance(item, Unread):
            self._unread(item.text)
        elif not isinstance(item, Correction):
            self._reply(item, entry.link)

    def close(self) -> Judged:
        """What it all came to."""
        beaten, owed = self._beaten(), self.waits.due()
        over = beaten is not None or (self.phase >= (self.scenario.turns, 1) and not owed)
        if self.phase != NEVER:
            self._close_turn()
        position = self.table.position
        came = outcome(position, max(1, self.phase[0]), over, self.scenario.rulings.get("tie", ""))
        return Judged(
            findings=tuple(sorted(self.findings, key=lambda finding: finding.line)),
            turns=tuple(Turn(n, before, tuple(d.deed for d in done), after) for n, before, done, after in self.turns),
            position=position,
            waiting=() if over else tuple(self._pending(of) for of in owed),
            outcome=came,
            phase=self.phase,
            acted=frozenset(piece.id for piece in self.table.pieces.values() if piece.acted == self.phase),
            doubtful=tuple(dict.fromkeys(self.doubtful)),
            corrected=tuple(self.corrected),
            links={side: self.oaths.used(side) for side in SIDES} if self.oaths.held else {},
        )

    def _pending(self, of: Waiting) -> Pending:
        assert of.cell and of.order and of.attacker and of.target, "what waits without doubt is known"
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
        wrong = self.heading.take(meant, self.phase)
        self.unfirst = None
        if wrong and wrong.reason == "header.first" and not isinstance(header, Misspelt):
            self.unfirst = self.line, wrong
        else:
            self._refused(wrong)
        self.heading.excused |= isinstance(header, Misspelt)

    def _order(self, order: Order, link: str = "") -> None:
        self._refused(self.oaths.begin())
        side = self._whose_side(order)
        if side != self.heading.side and self.heading.switch(side):
            self._tell("order.side", side=side_name(side))
        self._refused(self.heading.order(self.phase))
        if self.heading.turn > self.scenario.turns:
            self._tell("end.turns", turns=self.scenario.turns)
            self.ended = True
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
            self._carry_out(order, able[0], phase, late, self._linked(order, side, link))
        else:
            self._refuse(order, side, claims, fresh, phase)
            self._linked(order, side, link)

    def _linked(self, order: Order, side: Side, link: str) -> str:
        """The link by which an attack is rolled for, held against its side's chain."""
        if not (self.oaths.held and order.target):
            return ""
        wrong = self.oaths.posted(side, link)
        self._refused(wrong)
        return "" if wrong else link

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

    def _carry_out(self, order: Order, claim: Claim, phase: Phase, late: bool, link: str) -> None:
        act, piece = claim.result, claim.piece
        assert isinstance(act, Act)
        end = act.path[-1]
        if late:
            # Whether the battle went on with it cannot be known.
            piece.cells, piece.lasts = tuple(dict.fromkeys((end, *claim.starts))), (order.action, "")
        else:
            piece.stood = piece.cells
            piece.cells = (end,) if order.to else claim.starts
            piece.lasts, piece.acted, piece.excused = (order.action,), phase, NEVER
        target = self.table.pieces[act.target.id] if act.target else None
        aim = act.target.cell if act.target else None
        aimed = (target.id, target.lasts[0]) if target else ("", "")
        deed = Deed(self.line, piece.side, piece.id, order, act.path, aim, *aimed)
        done = Done(deed)
        self.deeds.append(done)
        if target and aim:
            target.cells = (aim,)
            self.waits.attack(done, phase, piece, target, link, late)

    def _refuse(self, order: Order, side: Side, claims: list[Claim], fresh: list[Claim], phase: Phase) -> None:
        claim, refusal = self._refusal(order, side, claims, fresh)
        self._refused(refusal)
        self.table.mistaken(side, order, phase, wholly=claim is None)
        field = self.opening.arena.field
        aim, end = (field.find(name) for name in (order.target, order.to))
        piece = claim.piece if claim else None
        done = None
        if claim and piece:
            path = tuple(dict.fromkeys((claim.starts[0], end or claim.starts[0])))
            target = self.table.standing_in(OTHER[side], aim)
            named = target.id if target else ""
            deed = Deed(self.line, side, piece.id, order, path, aim, named, refused=refusal.reason)
            done = Done(deed)
            self.deeds.append(done)
            self.table.doubt(piece, order)
            piece.acted = piece.excused = phase
        if aim and refusal.reason == "target.none":
            self.table.beckon(OTHER[side], aim)
        if order.target:
            self.waits.doubtful(self.line, phase, done, piece, aim, OTHER[side])

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

    def _reply(self, reply: Reply, link: str = "") -> None:
        side = self.heading.side
        kind = "answer" if isinstance(reply, Answer) else "reply"
        if isinstance(reply, Answer) and (unanswered := self.waits.unanswered(reply)):
            self._missing(unanswered)
        waiting = self.waits.match(reply, side, self.opening.pack)
        if waiting is None:
            self._tell(f"{kind}.none", hex=reply.own)
            self.waits.excuse(reply, side)
            return
        if waiting.side != side and self.heading.switch(waiting.side):
            self._tell(f"{kind}.side", side=side_name(waiting.side))
        wrong = None
        if self.oaths.held and not isinstance(reply, Answer):
            waiting, wrong = self._thrown(waiting, reply, link)
        wrong = wrong or (None if waiting.doubtful else fault(self.opening.pack, waiting, reply))
        self._refused(wrong)
        self.waits.take(waiting, self.line, reply, wrong is not None)
        if waiting.done:
            waiting.done.deed = msgspec.structs.replace(waiting.done.deed, **{kind: reply})

    def _thrown(self, waiting: Waiting, reply: ShotReply | ClashReply, link: str) -> tuple[Waiting, Refusal | None]:
        """The attack that a reply by chain is to, the earliest of those on its hex; what is wrong with its dice."""
        wrong = self.oaths.posted(waiting.side, link)
        first = self.waits.first(waiting.side)
        if first and first is not waiting and not waiting.doubtful:
            if first.cell == waiting.cell:
                waiting = first
            else:
                wrong = wrong or Refusal("dice.order", {"line": first.line})
                # Which link is for which attack cannot be known any more.
                for other in self.waits.due():
                    other.link = "" if other.side == waiting.side else other.link
        return waiting, wrong or self.oaths.rolled(waiting, reply, link)

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
        self.waits.doubtful(self.line, phase, None, None, None, OTHER[side])

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
        """Another phase begins: what should have been written by now is missing."""
        self._look_ahead(SIDES[phase[1]])
        for waiting in self.waits.close(phase):
            self._missing(waiting)
        if phase[0] > self.phase[0] > 0:
            self._close_turn()
        self.table.rest(phase)
        self.phase = phase

    def _look_ahead(self, side: Side) -> None:
        """Hear a side's replies that stand below its own orders first: they are to what was done before these."""
        line, quiet, whose = self.line, self.quiet, side
        for at in range(self.at + 1, min(len(self.entries), self.at + 1 + AHEAD)):
            if not self.waits.first(side):
                break
            item = self.entries[at].item
            if isinstance(item, Header | Misspelt):
                header = item if isinstance(item, Header) else item.header
                whose = header.side or whose
            elif whose != side and isinstance(item, Order | Unread):
                break
            elif whose == side and isinstance(item, ShotReply | ClashReply) and self.waits.awaits(side, item.own):
                self.heard.add(at)
                self.hear(self.entries[at])
        self.line, self.quiet = line, quiet

    def _missing(self, waiting: Waiting) -> None:
        assert waiting.cell is not None, "what waits without doubt waits in a hex"
        name = self.opening.arena.field.name(waiting.cell)
        self._tell(f"{waiting.stage}.missing", waiting.line, hex=name, result=waiting.result)

    def _close_turn(self) -> None:
        after = self.table.standings()
        self.turns.append((self.phase[0], self.before, self.deeds, after))
        self.before, self.deeds = after, []

    def _beaten(self) -> Side | None:
        """A side all of whose machines are destroyed."""
        pieces: list[Piece] = list(self.table.pieces.values())
        return next((side for side in SIDES if not any(p.alive for p in pieces if p.side == side)), None)
