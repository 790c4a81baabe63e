"""Keep the judge's beliefs about all machines, and find the machine that an order may be for."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from generator.games.battling.model import OTHER, SIDES, Side
from generator.games.battling.notation import Order
from generator.games.battling.play import Act, Position, Refusal, Standing, act, actions
from generator.games.battling.post.pieces import Phase, Piece
from generator.grid.columns import Numbered, distance

MAX_MISSED_HEXES = 2
"""Hexes by which an illegal order may lie beyond the reach of its machine and still count as its order."""


class Claim(msgspec.Struct, frozen=True):
    """An order as the order of one machine."""

    piece: Piece
    starts: tuple[Numbered, ...]
    """The hexes from which it could, of those that are guessed; where it could from none, the likeliest."""
    result: Act | Refusal
    """The result of it from the first of them."""

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
            and (not order.among or piece.id in order.among)
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
        reach = (
            self._opening.pack.range if action.attack == "sight" else max(action.max_hexes, len(action.attack) and 1)
        )
        return cell is None or any(distance(start, cell) <= reach + MAX_MISSED_HEXES for start in piece.cells)

    def doubt(self, piece: Piece, order: Order, is_own: bool = True) -> None:
        """After a wrong order a machine may stand where that says, where it stood, or wherever it could have gone."""
        end = self._opening.arena.field.find(order.to) if is_own else None
        likely = (end, *piece.cells) if end else piece.cells
        piece.cells = tuple(dict.fromkeys((*likely, *self._around(piece.cells[0]))))
        piece.lasts = tuple(dict.fromkeys((*([order.action] if is_own else piece.lasts), "", *actions())))

    def _around(self, cell: Numbered) -> tuple[Numbered, ...]:
        """The hexes as near as any order could lead."""
        if cell not in self._near:
            farthest = max(action.max_hexes for action in actions().values())
            cells = self._opening.arena.field.cells
            self._near[cell] = tuple(c for c in cells if distance(c, cell) <= farthest)
        return self._near[cell]

    def mistaken(self, side: Side, order: Order, phase: Phase, wholly: bool) -> None:
        """An order was wrong, and may have been meant for another of the side's machines that have not acted.

        It may have been any, where it is `wholly` unknown whose or what it was, or else one that could do it.
        """
        anybody = msgspec.structs.replace(order, unit="", start="", among=())
        for piece in self.pieces.values():
            if piece.side == side and piece.alive and piece.fresh(phase):
                if isinstance(could := self.claim(piece, anybody).result, Act):
                    piece.cells = tuple(dict.fromkeys((*piece.cells, could.path[-1])))
                    piece.lasts = tuple(dict.fromkeys((*piece.lasts, "", order.action)))
                if wholly:
                    self.doubt(piece, order, is_own=False)

    def beckon(self, side: Side, cell: Numbered) -> None:
        """The enemy believes a machine of a side to stand in a hex where none does: it may be the nearest."""
        pieces = [piece for piece in self.pieces.values() if piece.side == side and piece.alive]
        if pieces:
            nearest = min(pieces, key=lambda piece: distance(piece.cells[0], cell))
            nearest.cells = tuple(dict.fromkeys((*nearest.cells, cell)))

    def rest(self, phase: Phase) -> None:
        """Forget the last action of each machine that did nothing in its latest phase."""
        for piece in self.pieces.values():
            seat = SIDES.index(piece.side)
            latest = (phase[0] if seat < phase[1] else phase[0] - 1, seat)
            if piece.acted < latest and len(piece.lasts) == 1:
                piece.lasts = ("",)

    def _before(self, piece: Piece, cell: Numbered, order: Order) -> tuple[Position, Standing]:
        """Return the position for an order: a machine whose hex is uncertain can be attacked, but bars no way."""
        machines = {p.id: p.at() for p in self.pieces.values() if p.sure}
        if (aim := self._opening.arena.field.find(order.target)) and aim not in (m.cell for m in machines.values()):
            enemy = self.standing_in(OTHER[piece.side], aim)
            machines |= {enemy.id: enemy.at(aim)} if enemy else {}
        unit = piece.at(cell)
        # A machine that may be destroyed is what it is if it is not.
        alive = {key: m if m.hp else replace(m, hp=1) for key, m in {**machines, unit.id: unit}.items()}
        return replace(self._opening, machines=alive), unit
