"""Store the judge's assumptions about all machines, and find the machine that an order may be for."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from generator.games.battling.model import OTHER, SIDES, Side
from generator.games.battling.notation import Order
from generator.games.battling.play import Act, Position, Refusal, Standing, act, actions
from generator.games.battling.post.pieces import Phase, Piece
from generator.grid.columns import Numbered, distance

MAX_MISSED_HEXES = 2
"""The maximum number of hexes beyond a machine's reach at which an illegal order may still be its order."""


class Claim(msgspec.Struct, frozen=True):
    """An order, considered as the order of one machine."""

    piece: Piece
    starts: tuple[Numbered, ...]
    """The assumed hexes from which the machine can execute the order. If there are none, the most likely hex."""
    result: Act | Refusal
    """The result of the order from the first of these hexes."""

    @property
    def able(self) -> bool:
        """Whether the machine can execute the order."""
        return isinstance(self.result, Act)


class Table:
    """The pieces of a battle."""

    def __init__(self, opening: Position) -> None:
        self._opening = opening
        self._near: dict[Numbered, tuple[Numbered, ...]] = {}
        self.pieces = {m.id: Piece(m.id, m.side, m.kind, (m.cell,), (m.hp,)) for m in opening.machines.values()}

    @property
    def position(self) -> Position:
        """The most likely position, in which destroyed machines have 0 hit points."""
        return replace(self._opening, machines={piece.id: piece.at() for piece in self.pieces.values()})

    def standings(self) -> tuple[Standing, ...]:
        """The machines of the most likely position, the first player's machines first."""
        return tuple(piece.at() for side in SIDES for piece in self.pieces.values() if piece.side == side)

    def of(self, side: Side, order: Order) -> list[Piece]:
        """Return a side's machines that the order may mean by its AT or hex, including destroyed ones."""
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
        """Return a claim for each machine of a side that the order may mean."""
        return [self.claim(piece, order) for piece in self.of(side, order) if piece.alive]

    def claim(self, piece: Piece, order: Order) -> Claim:
        """Return the claim of a machine, from the assumed hexes at which the order is legal."""
        results = {cell: act(*self._before(piece, cell, order), order) for cell in piece.cells}
        starts = tuple(cell for cell, result in results.items() if isinstance(result, Act)) or piece.cells[:1]
        return Claim(piece, starts, results[starts[0]])

    def stood_in(self, side: Side, cell: Numbered | None) -> Piece | None:
        """Return a side's machine that may be in a hex, or may have been there before its latest order."""
        there = [p for p in self.pieces.values() if p.side == side and cell in p.stood and p.alive]
        return self.standing_in(side, cell) or (there[0] if there and cell else None)

    def standing_in(self, side: Side, cell: Numbered | None) -> Piece | None:
        """Return the machine of a side that is most likely in a hex."""
        may = [p for p in self.pieces.values() if p.side == side and cell in p.cells and p.alive]
        return min(may, key=lambda piece: piece.cells.index(cell), default=None) if cell else None

    def plausible(self, piece: Piece, order: Order) -> bool:
        """Return whether an order that a machine cannot execute may be a mistaken order of this machine."""
        action, field = actions()[order.action], self._opening.arena.field
        cell = field.find(order.to or order.target)
        reach = (
            self._opening.pack.range if action.attack == "sight" else max(action.max_hexes, len(action.attack) and 1)
        )
        return cell is None or any(distance(start, cell) <= reach + MAX_MISSED_HEXES for start in piece.cells)

    def doubt(self, piece: Piece, order: Order, is_own: bool = True) -> None:
        """Allow for all hexes at which a wrong order may have left its machine.

        These are the stated hex, the former hex, and all hexes in reach.
        """
        end = self._opening.arena.field.find(order.to) if is_own else None
        likely = (end, *piece.cells) if end else piece.cells
        piece.cells = tuple(dict.fromkeys((*likely, *self._around(piece.cells[0]))))
        piece.lasts = tuple(dict.fromkeys((*([order.action] if is_own else piece.lasts), "", *actions())))

    def _around(self, cell: Numbered) -> tuple[Numbered, ...]:
        """Return the hexes at most as far from a hex as any order could lead."""
        if cell not in self._near:
            farthest = max(action.max_hexes for action in actions().values())
            cells = self._opening.arena.field.cells
            self._near[cell] = tuple(c for c in cells if distance(c, cell) <= farthest)
        return self._near[cell]

    def mistaken(self, side: Side, order: Order, phase: Phase, wholly: bool) -> None:
        """Allow for the possibility that a wrong order was meant for another machine of the side.

        Only machines that have not acted and can execute the order are considered. If `wholly` is true, the order
        is completely unknown, so any machine that has not acted may have done anything.
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
        """Allow for the possibility that a side's nearest machine is in a hex where the enemy expects a machine."""
        pieces = [piece for piece in self.pieces.values() if piece.side == side and piece.alive]
        if pieces:
            nearest = min(pieces, key=lambda piece: distance(piece.cells[0], cell))
            nearest.cells = tuple(dict.fromkeys((*nearest.cells, cell)))

    def rest(self, phase: Phase) -> None:
        """Delete the last action of each machine that did not act in its latest phase."""
        for piece in self.pieces.values():
            seat = SIDES.index(piece.side)
            latest = (phase[0] if seat < phase[1] else phase[0] - 1, seat)
            if piece.acted < latest and len(piece.lasts) == 1:
                piece.lasts = ("",)

    def _before(self, piece: Piece, cell: Numbered, order: Order) -> tuple[Position, Standing]:
        """Return the position in which an order is judged, and the machine.

        A machine whose hex is uncertain can be attacked, but does not block movement.
        """
        machines = {p.id: p.at() for p in self.pieces.values() if p.sure}
        if (aim := self._opening.arena.field.find(order.target)) and aim not in (m.cell for m in machines.values()):
            enemy = self.standing_in(OTHER[piece.side], aim)
            machines |= {enemy.id: enemy.at(aim)} if enemy else {}
        unit = piece.at(cell)
        # A machine that may be destroyed is treated as if it still exists.
        alive = {key: m if m.hp else replace(m, hp=1) for key, m in {**machines, unit.id: unit}.items()}
        return replace(self._opening, machines=alive), unit
