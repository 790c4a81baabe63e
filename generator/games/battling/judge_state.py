"""What a judge holds of a log while he reads it.

Whether an order is legal in a position, derived from its text alone, and by which way and at whom it goes.

It shares no code with `moves`, which lists what is legal.

What a judge believes of each machine while he reads a log.

After a fault nobody can know how a battle really went on. A piece then has several guesses, the likeliest first,
and what is written next decides among them; so that one fault is told once.

Whether a reply or answer is what the charts make of its dice.

The machines as a judge believes them to stand, and which of them an order may be for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

import msgspec

from generator.games.battling.forces import Pack
from generator.games.battling.model import OTHER, SIDES, Side
from generator.games.battling.play import Answer, ClashReply, Order, Position, Reply, ShotReply, Standing, actions
from generator.games.battling.tables import Result, dice
from generator.grid.columns import DIRECTIONS, Numbered, distance, step


class Act(msgspec.Struct, frozen=True):
    """A legal order as it is carried out."""

    path: tuple[Numbered, ...]
    """The hexes from where it stood to where it goes, both among them."""
    target: Standing | None = None


class Refusal(msgspec.Struct, frozen=True):
    """Why an order is not legal: a reason of orders.toml, and what fills its words."""

    reason: str
    values: Mapping[str, object] = {}


def act(position: Position, unit: Standing, order: Order) -> Act | Refusal:
    """What a machine's order comes to."""
    path = _path(position, unit, order)
    if isinstance(path, Refusal) or not actions()[order.action].attack:
        return path if isinstance(path, Refusal) else Act(path)
    target = _target(position, unit, path[-1], order)
    return target if isinstance(target, Refusal) else Act(path, target)


def _path(position: Position, unit: Standing, order: Order) -> tuple[Numbered, ...] | Refusal:
    action, count, field = actions()[order.action], sum(order.legs), position.arena.field
    if count > action.most:
        return Refusal("move.far", {"count": count, "most": action.most})
    if count < action.least or (len(order.legs) > 1 and 0 in order.legs):
        return Refusal("move.none")
    if not order.to:
        return (unit.cell,)
    end = field.find(order.to)
    if end is None:
        return Refusal("move.hex", {"hex": order.to})
    path = _dash(position, unit, order, end) if order.action == "R" else _walk(position, unit, count, end)
    if isinstance(path, Refusal):
        return path
    there = position.at.get(end)
    if there and there.id != unit.id:
        return Refusal("move.stack", {"unit": there.id, "hex": order.to})
    return path


def _walk(position: Position, unit: Standing, count: int, end: Numbered) -> tuple[Numbered, ...] | Refusal:
    """A way of exactly so many hexes; where there is none, what bars the shortest one."""
    ways: dict[Numbered, tuple[Numbered, ...]] = {unit.cell: (unit.cell,)}
    barred: dict[Numbered, Refusal] = {}
    for _ in range(count):
        ahead: dict[Numbered, tuple[Numbered, ...]] = {}
        for cell, way in ways.items():
            for n in position.arena.field.neighbours(cell):
                if bar := _bar(position, unit, n):
                    barred.setdefault(n, bar)
                else:
                    ahead.setdefault(n, (*way, n))
        ways = ahead
    if end in ways:
        return ways[end]
    # What bars it is worth telling only where the count would do on open ground.
    near = [n for n in barred if distance(unit.cell, n) + distance(n, end) <= count]
    if near:
        return barred[end if end in near else near[0]]
    values = {"start": position.arena.field.name(unit.cell), "hex": position.arena.field.name(end), "count": count}
    return Refusal("move.reach", values)


def _dash(position: Position, unit: Standing, order: Order, end: Numbered) -> tuple[Numbered, ...] | Refusal:
    """The straight way, or the one with a single turn of 60 degrees."""
    field, start = position.arena.field, unit.cell
    if position.strict and len(order.legs) > 1:
        return Refusal("dash.strict")
    paths = [path for path in _courses(start, order.legs) if path[-1] == end]
    if not paths:
        legs = " + ".join(map(str, order.legs))
        return Refusal("dash.straight", {"legs": legs, "start": field.name(start), "hex": order.to})
    bends = {field.name(path[order.legs[0]]): path for path in paths}
    if order.turn and order.turn not in bends:
        return Refusal("dash.turn", {"hex": order.turn})
    if len(paths) > 1 and not order.turn:
        return Refusal("dash.where", {"example": f"{order.legs[0]} @{next(iter(bends))}"})
    path = bends[order.turn] if order.turn else paths[0]
    return next((bar for cell in path[1:] if (bar := _bar(position, unit, cell))), path)


def _courses(start: Numbered, legs: tuple[int, ...]) -> list[tuple[Numbered, ...]]:
    """Every way of these straight legs, on the field or not."""
    courses = []
    for direction in range(len(DIRECTIONS)):
        straight = _straight((start,), direction, legs[0])
        turns = (direction - 1, direction + 1)
        courses += [_straight(straight, d % len(DIRECTIONS), legs[1]) for d in turns] if legs[1:] else [straight]
    return courses


def _straight(path: tuple[Numbered, ...], direction: int, count: int) -> tuple[Numbered, ...]:
    for _ in range(count):
        path = (*path, step(path[-1], direction))
    return path


def _bar(position: Position, unit: Standing, cell: Numbered) -> Refusal | None:
    """What keeps a machine out of a hex; its own side's machines do not while it passes."""
    name = position.arena.field.name(cell)
    if cell not in position.arena.field:
        return Refusal("move.hex", {"hex": name})
    if position.arena.closed(cell):
        return Refusal("move.closed", {"hex": name})
    there = position.at.get(cell)
    return Refusal("move.enemy", {"hex": name}) if there and there.side != unit.side else None


def _target(position: Position, unit: Standing, start: Numbered, order: Order) -> Standing | Refusal:
    arena = position.arena
    cell = arena.field.find(order.target)
    if cell is None:
        return Refusal("move.hex", {"hex": order.target})
    values = {"start": arena.field.name(start), "hex": order.target, "distance": distance(start, cell)}
    target = position.at.get(cell)
    if target and target.side == unit.side:
        return Refusal("target.own", {"unit": target.id, **values})
    if not target:
        return Refusal("target.none", values)
    if actions()[order.action].attack == "next":
        return target if distance(start, cell) == 1 else Refusal("target.next", values)
    if not position.pack.number(unit.kind, distance(start, cell)):
        return Refusal("target.range", values)
    return target if arena.in_sight(start, cell) else Refusal("target.sight", values)


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
        for last in target.lasts
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
    return _left(attacker, dice().effects[of.result].enemy, answer.hp)


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


@dataclass(frozen=True)
class Claim:
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
        alive = {key: m if m.hp else _revived(m) for key, m in {**machines, unit.id: unit}.items()}
        return replace(self._opening, machines=alive), unit


def _revived(machine: Standing) -> Standing:
    """A machine that may be destroyed, as what it is if it is not."""
    return Standing(machine.id, machine.side, machine.kind, machine.cell, 1, machine.last)
