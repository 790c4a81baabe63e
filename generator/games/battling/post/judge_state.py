"""What a judge holds of a log while he reads it.

What a judge believes of each machine while he reads a log.

After a fault nobody can know how a battle really went on. A piece then has several guesses, the likeliest first,
and what is written next decides among them; so that one fault is told once.

Whether a reply or answer is what the charts make of its dice.

The machines as a judge believes them to stand, and which of them an order may be for.

The attacks that wait for a reply, and the results that wait for the attacker's answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal

import msgspec
from msgspec.structs import replace

from generator.games.battling.forces import Pack
from generator.games.battling.model import OTHER, SIDES, Side
from generator.games.battling.play import (
    HEX,
    Act,
    Answer,
    ClashReply,
    Order,
    Position,
    Refusal,
    Reply,
    ShotReply,
    Standing,
    act,
    actions,
)
from generator.games.battling.post.log import Deed
from generator.games.battling.tables import Result, dice
from generator.grid.columns import Numbered, distance

Phase = tuple[int, int]
"""The turn, and 0 for the first player's phase or 1 for the second's."""
NEVER: Phase = (0, 0)


class Piece(msgspec.Struct):
    """A machine as the judge believes it to be."""

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
        """What it has left is not known: as written, as it was, or one less."""
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
    """What the target may have done last when it was attacked."""
    hps: tuple[int, ...] = ()
    """What the attacker may have left, which an answer confirms."""
    link: str = ""
    """The link of the attacker's chain by which it is rolled for."""
    late: bool = False
    """It has been told missing."""
    doubtful: bool = False
    """Nothing need come, and whatever comes is taken as it is, since a fault was told already."""

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


HIT = {True: "H", False: "F"}


def fault(pack: Pack, of: Waiting, reply: Reply) -> Refusal | None:
    """What is wrong with the reply to an attack, by every guess about its target; None where by one nothing is."""
    attacker, target = of.attacker, of.target
    assert attacker and target, "only what waits without doubt is checked"
    if isinstance(reply, Answer):
        return _answered(of, attacker, reply)
    if of.shot != isinstance(reply, ShotReply):
        return Refusal("reply.shot" if of.shot else "reply.clash")
    found = (
        _shot(pack, attacker, target, distance, last, reply)
        if isinstance(reply, ShotReply)
        else _clash(pack, attacker, target, last, reply)
        for last in of.lasts
        for distance in of.distances
    )
    return _mildest(found)


def _mildest(found: Iterable[Refusal | None]) -> Refusal | None:
    faults = list(found)
    return None if None in faults else faults[0]


def _shot(pack: Pack, attacker: Piece, target: Piece, distance: int, last: str, reply: ShotReply) -> Refusal | None:
    shot = pack.shot(attacker.kind, target.kind, distance, last)
    if wrong := _no_face(reply.die, reply.damage):
        return wrong
    if shot.hit(reply.die) != reply.hit:
        values = {"die": reply.die, "change": f"{shot.change:+}", "number": shot.number}
        return Refusal("reply.hit", {**values, "right": HIT[not reply.hit], "wrong": HIT[reply.hit]})
    if reply.hit and reply.damage is None:
        return Refusal("reply.damage")
    if not reply.hit and reply.damage is not None:
        return Refusal("reply.no_damage")
    hurt = int(reply.damage is not None and shot.hurt(reply.damage))
    # The notation's own example of a miss stops at the F: then its hit points go without saying.
    return _left(target, hurt, reply.hp) if reply.hit or reply.hp is not None else None


def _clash(pack: Pack, attacker: Piece, target: Piece, last: str, reply: ClashReply) -> Refusal | None:
    clash = pack.clash(attacker.kind, target.kind, last)
    if wrong := _no_face(reply.die):
        return wrong
    right = clash.result(reply.die)
    if right != reply.result:
        difference = pack.machines[attacker.kind].battling[target.kind]
        values = {"die": reply.die, "change": f"{clash.change:+}", "difference": f"{difference:+}"}
        return Refusal("reply.result", {**values, "right": right, "wrong": reply.result})
    return _left(target, dice().effects[right].own, reply.hp)


def _answered(of: Waiting, attacker: Piece, answer: Answer) -> Refusal | None:
    if answer.result != of.result:
        return Refusal("answer.result", {"right": of.result, "wrong": answer.result})
    if answer.hp in of.hps:
        return None
    # He may write what he has left by now, too.
    return _left(attacker, 0, answer.hp)


def _no_face(*thrown: int | None) -> Refusal | None:
    wrong = (die for die in thrown if die is not None and die not in dice().faces)
    return next((Refusal("reply.die", {"die": die}) for die in wrong), None)


def _left(piece: Piece, lost: int, written: int | None) -> Refusal | None:
    if written is None:
        return Refusal("reply.no_hp")
    right = [max(0, hp - lost) for hp in piece.hps]
    if written in right:
        return None
    return Refusal("reply.hp", {"unit": piece.id, "right": right[0], "wrong": written})


SLIPS = 2
"""Hexes by which a wrong order may miss what its machine can reach and still be thought to be its order."""


class Claim(msgspec.Struct, frozen=True):
    """An order as the order of one machine."""

    piece: Piece
    starts: tuple[Numbered, ...]
    """The hexes from which it could, of those that are guessed; where it could from none, the likeliest."""
    result: Act | Refusal
    """What comes of it from the first of them."""

    @property
    def able(self) -> bool:
        """Whether the machine could do it."""
        return isinstance(self.result, Act)


class Table:
    """Every piece of a battle."""

    def __init__(self, opening: Position) -> None:
        self._opening = opening
        self._near: dict[Numbered, tuple[Numbered, ...]] = {}
        self.pieces = {m.id: Piece(m.id, m.side, m.kind, (m.cell,), (m.hp,)) for m in opening.machines.values()}

    @property
    def position(self) -> Position:
        """The likeliest position, the destroyed in it with no hit points."""
        return replace(self._opening, machines={piece.id: piece.at() for piece in self.pieces.values()})

    def standings(self) -> tuple[Standing, ...]:
        """The machines of the likeliest position, the first player's first."""
        return tuple(piece.at() for side in SIDES for piece in self.pieces.values() if piece.side == side)

    def of(self, side: Side, order: Order) -> list[Piece]:
        """A side's machines that the order may mean by the AT or hex it names, the destroyed among them."""
        start = self._opening.arena.field.find(order.start) if order.start else None
        return [
            piece
            for piece in self.pieces.values()
            if piece.side == side
            and (not order.unit or order.unit in (piece.id, piece.at().number))
            and (not order.start or start in piece.cells)
        ]

    def claims(self, side: Side, order: Order) -> list[Claim]:
        """The order as that of each machine of a side that it may mean."""
        return [self.claim(piece, order) for piece in self.of(side, order) if piece.alive]

    def claim(self, piece: Piece, order: Order) -> Claim:
        """The order as a machine's, from the hexes that it suits where several are guessed."""
        results = {cell: act(*self._before(piece, cell, order), order) for cell in piece.cells}
        starts = tuple(cell for cell, result in results.items() if isinstance(result, Act)) or piece.cells[:1]
        return Claim(piece, starts, results[starts[0]])

    def stood_in(self, side: Side, cell: Numbered | None) -> Piece | None:
        """A side's machine that may be in a hex, or may have been before its latest order."""
        there = [p for p in self.pieces.values() if p.side == side and cell in p.stood and p.alive]
        return self.standing_in(side, cell) or (there[0] if there and cell else None)

    def standing_in(self, side: Side, cell: Numbered | None) -> Piece | None:
        """A side's machine that may be in a hex, the likeliest."""
        may = [p for p in self.pieces.values() if p.side == side and cell in p.cells and p.alive]
        return min(may, key=lambda piece: piece.cells.index(cell), default=None) if cell else None

    def plausible(self, piece: Piece, order: Order) -> bool:
        """Whether an order that a machine cannot carry out may be its own, gone wrong."""
        action, field = actions()[order.action], self._opening.arena.field
        cell = field.find(order.to or order.target)
        most = self._opening.pack.range if action.attack == "sight" else max(action.most, len(action.attack) and 1)
        return cell is None or any(distance(start, cell) <= most + SLIPS for start in piece.cells)

    def doubt(self, piece: Piece, order: Order, own: bool = True) -> None:
        """After a wrong order a machine may stand where that says, where it stood, or wherever it could have gone."""
        end = self._opening.arena.field.find(order.to) if own else None
        likely = (end, *piece.cells) if end else piece.cells
        piece.cells = tuple(dict.fromkeys((*likely, *self._around(piece.cells[0]))))
        piece.lasts = tuple(dict.fromkeys((*([order.action] if own else piece.lasts), "", *actions())))

    def _around(self, cell: Numbered) -> tuple[Numbered, ...]:
        """The hexes as near as any order could lead."""
        if cell not in self._near:
            farthest = max(action.most for action in actions().values())
            cells = self._opening.arena.field.cells
            self._near[cell] = tuple(c for c in cells if distance(c, cell) <= farthest)
        return self._near[cell]

    def mistaken(self, side: Side, order: Order, phase: Phase, wholly: bool) -> None:
        """An order was wrong, and may have been meant for another of the side's machines that have not acted.

        It may have been any, where it is `wholly` unknown whose or what it was, or else one that could do it.
        """
        anybody = msgspec.structs.replace(order, unit="", start="")
        for piece in self.pieces.values():
            if piece.side == side and piece.alive and piece.fresh(phase):
                if isinstance(could := self.claim(piece, anybody).result, Act):
                    piece.cells = tuple(dict.fromkeys((*piece.cells, could.path[-1])))
                    piece.lasts = tuple(dict.fromkeys((*piece.lasts, "", order.action)))
                if wholly:
                    self.doubt(piece, order, own=False)

    def beckon(self, side: Side, cell: Numbered) -> None:
        """The enemy believes a machine of a side to stand in a hex where none does: it may be the nearest."""
        pieces = [piece for piece in self.pieces.values() if piece.side == side and piece.alive]
        if pieces:
            nearest = min(pieces, key=lambda piece: distance(piece.cells[0], cell))
            nearest.cells = tuple(dict.fromkeys((*nearest.cells, cell)))

    def rest(self, phase: Phase) -> None:
        """What a machine did lasts through the enemy's next phase; one that has done nothing since has no action."""
        for piece in self.pieces.values():
            seat = SIDES.index(piece.side)
            latest = (phase[0] if seat < phase[1] else phase[0] - 1, seat)
            if piece.acted < latest and len(piece.lasts) == 1:
                piece.lasts = ("",)

    def _before(self, piece: Piece, cell: Numbered, order: Order) -> tuple[Position, Standing]:
        """The position as the machine finds it: whatever is not sure bars nobody, but may be attacked."""
        machines = {p.id: p.at() for p in self.pieces.values() if p.sure}
        if (aim := self._opening.arena.field.find(order.target)) and aim not in (m.cell for m in machines.values()):
            enemy = self.standing_in(OTHER[piece.side], aim)
            machines |= {enemy.id: enemy.at(aim)} if enemy else {}
        unit = piece.at(cell)
        # A machine that may be destroyed is what it is if it is not.
        alive = {key: m if m.hp else replace(m, hp=1) for key, m in {**machines, unit.id: unit}.items()}
        return replace(self._opening, machines=alive), unit


_REPLY = re.compile(rf"\s*({HEX})?[0-9\s]*/")
"""How a line begins that was meant as a reply."""


class Waits:
    """What is still to be written about the attacks of a phase."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._waiting: list[Waiting] = []

    def attack(self, done: Done, phase: Phase, attacker: Piece, target: Piece, link: str, doubtful: bool) -> None:
        """An attack was made, from where the attacker stands now."""
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
        """Something may have been an attack on a side."""
        target = self._table.standing_in(side, cell) if cell else None
        stands = attacker.cells if attacker else ()
        waiting = Waiting(line, phase, done, False, attacker, target, cell, stands, (), side)
        self._waiting.append(waiting)
        self._doubt(waiting)

    def due(self) -> list[Waiting]:
        """Whatever must still be answered."""
        return [waiting for waiting in self._waiting if not waiting.doubtful]

    def first(self, side: Side) -> Waiting | None:
        """The earliest attack that a side has to reply to."""
        return next((w for w in self.due() if (w.stage, w.side) == ("reply", side)), None)

    def awaits(self, side: Side, hex_name: str) -> bool:
        """Whether a side surely owes a reply for this hex."""
        cell = self._table.position.arena.field.find(hex_name)
        return any(w.stage == "reply" and w.side == side and w.cell == cell and cell for w in self.due())

    def match(self, reply: Reply, side: Side, pack: Pack) -> Waiting | None:
        """What a side's reply or answer is to: the first attack on its hex that it fits, else what it may be to."""
        stage = "answer" if isinstance(reply, Answer) else "reply"
        cell = self._table.position.arena.field.find(reply.own)
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
        """Battling that its attacker answers for before it is replied to: then the reply is missing."""
        cell = self._table.position.arena.field.find(answer.own)
        if cell is None or any(w.stage == "answer" and w.at(cell) for w in self._waiting):
            return None
        found = next((w for w in self.due() if w.stage == "reply" and not w.shot and _answer(w).at(cell)), None)
        if found:
            self._doubt(found)
        return found

    def take(self, waiting: Waiting, line: int, reply: Reply, wrong: bool) -> None:
        """A reply or answer has come; what it costs the attacker is reckoned at once."""
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
        result = reply.result if isinstance(reply, ClashReply) else "-"
        lost = dice().effects[result].enemy
        if not (doubtful or lost):
            return
        shadow = ("answer", True, waiting.line, waiting.attacker)
        self._waiting = [w for w in self._waiting if (w.stage, w.doubtful, w.line, w.attacker) != shadow]
        answer = replace(_answer(waiting), line=line, result=result, doubtful=doubtful)
        self._waiting.append(answer)
        if attacker := waiting.attacker:
            if not doubtful:
                attacker.hps = tuple(dict.fromkeys(max(0, hp - lost) for hp in attacker.hps))
            elif lost or isinstance(reply, ClashReply):
                attacker.doubt_hp()
            answer.hps = self._possible(attacker)
            self._spare(attacker, waiting.phase)

    def _spare(self, piece: Piece, phase: Phase) -> None:
        """A machine that is destroyed in a phase replies to nothing else of it; one that may be need not."""
        others = [w for w in self._waiting if w.stage == "reply" and w.target is piece and w.phase >= phase]
        if not piece.alive:
            self._waiting = [w for w in self._waiting if w not in others]
        for other in others:
            other.doubtful = other.doubtful or 0 in piece.hps

    def _possible(self, piece: Piece) -> tuple[int, ...]:
        """What a machine may have left: less, where attacks on it are still to be replied to."""
        owed = sum(w.stage == "reply" and w.target is piece for w in self._waiting)
        return tuple(dict.fromkeys(max(0, hp - less) for less in range(owed + 1) for hp in piece.hps))

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

    def close(self, phase: Phase) -> list[Waiting]:
        """What is missing now that a phase begins; it may still come late."""
        over = [waiting for waiting in self._waiting if waiting.over(phase)]
        missing = [waiting for waiting in over if not waiting.doubtful]
        self._waiting = [waiting for waiting in self._waiting if waiting not in over or waiting in missing]
        for waiting in missing:
            waiting.late = True
            self._doubt(waiting)
        return missing

    def _doubt(self, waiting: Waiting) -> None:
        """What becomes of it is not known, nor whether the attacker has to answer."""
        waiting.doubtful = True
        if waiting.hurt:
            waiting.hurt.doubt_hp()
        if waiting.stage == "reply":
            self._waiting.append(_answer(waiting))


def _answer(waiting: Waiting) -> Waiting:
    """The attacker's answer to what comes of an attack."""
    cell = next(iter(waiting.stands), None)
    return replace(waiting, stage="answer", cell=cell, side=OTHER[waiting.side])
