"""One camp's table in a scenario file; what a person left out of a unit's row is found on the cards."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import msgspec

from generator.errors import near
from generator.games.battlelore.battle import PREFIX
from generator.games.battlelore.file import UNIT_LIMIT, BattleReading
from generator.games.battlelore.forces.council import council_tables
from generator.games.battlelore.forces.units import Kind, Placed, Unit
from generator.games.battlelore.ground.board import SECTIONS, Board, Camp, Section
from generator.games.call_to_arms.forces.cells import read_cell_name
from generator.games.call_to_arms.forces.deck import Deck
from generator.games.call_to_arms.forces.specialists import specialists
from generator.games.call_to_arms.scenario import Force
from generator.games.filing import Short
from generator.grid.hexes import Hex
from generator.notation.toml import KeyPath

NOWHERE = (-1, -1)


class UnitRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A unit; only its hex and what it is must be there."""

    hex: Short
    unit: Short
    id: Short = ""
    card: Short = ""
    cell: Short = ""
    placed: Placed | None = None
    levy: bool = False


class ForceTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A camp: its four cards and its units as they were deployed."""

    left: Short
    centre: Short
    right: Short
    reserve: Short
    units: Annotated[tuple[UnitRow, ...], msgspec.Meta(max_length=UNIT_LIMIT)]
    set: Short = ""
    council: dict[str, Annotated[int, msgspec.Meta(ge=0, le=99)]] = {}
    specialists: Annotated[tuple[Short, ...], msgspec.Meta(max_length=UNIT_LIMIT)] = ()


class _Berth(NamedTuple):
    """A place on a card that a unit may have come from; the least rank fits best."""

    rank: int
    card: str
    cell: tuple[int, int]
    placed: Placed


class ForceReader:
    """Reads one camp; faults go to the reading."""

    def __init__(self, reading: BattleReading, board: Board, deck: Deck, camp: Camp, table: ForceTable) -> None:
        self.reading, self.board, self.deck, self.camp, self.table = reading, board, deck, camp, table
        self.cards: dict[Section, str] = {"left": table.left, "centre": table.centre, "right": table.right}
        self.used: set[tuple[str, tuple[int, int]]] = set()

    def force(self) -> Force | None:
        """The camp's force; None where its cards make no sense."""
        known = [c.key if c.camp == self.camp else f"{c.key}/{c.camp}" for c in self.deck.cards]
        keys = (*self.cards.items(), ("reserve", self.table.reserve))
        for place, key in keys:
            if key not in known:
                self.fault((place,), f"no card {key!r}", near(key, known))
        for seat in self.table.council:
            self.reading.one_of((self.camp, "council", seat), seat, council_tables().seats)
        for i, name in enumerate(self.table.specialists):
            self.reading.one_of((self.camp, "specialists", i), name, specialists())
        if any(key not in known for _, key in keys):
            return None
        units = [self.unit(i, row) for i, row in enumerate(self.table.units)]
        self.reading.ids((self.camp, "units"), [unit.id for unit in units if unit is not None])
        return Force(
            camp=self.camp,
            sets=tuple(self.table.set.split()) or tuple(dict.fromkeys(_set_of(key) for _, key in keys)),
            cards={section: self.cards[section] for section in SECTIONS},
            reserve=self.table.reserve,
            units=tuple(u for u in units if u),
            council=self.table.council,
            specialists=self.table.specialists,
        )

    def fault(self, keys: KeyPath, message: str, hint: str = "") -> None:
        """Note a fault of this camp."""
        self.reading.fault((self.camp, *keys), message, hint)

    def unit(self, index: int, row: UnitRow) -> Unit | None:
        """A unit's row."""
        at = ("units", index)
        before = len(self.reading.problems)
        cell = self.reading.hex((self.camp, *at, "hex"), row.hex, self.board)
        kind = self.reading.kind((self.camp, *at, "unit"), row.unit)
        in_play = (*self.cards.values(), self.table.reserve)
        if row.card and row.card not in in_play:
            self.fault((*at, "card"), f"card {row.card!r} is not in play", near(row.card, in_play))
        on_card = read_cell_name(row.cell) if row.cell else None
        if row.cell and on_card is None:
            self.fault((*at, "cell"), f"no cell {row.cell!r} on a card", "a1 to d1, a2 to c2, a3 to d3, a4 to c4")
        if len(self.reading.problems) > before or kind is None:
            return None
        berth = self.berth(kind, cell, row, on_card)
        self.used.add((berth.card, berth.cell))
        name = row.id or f"{PREFIX[self.camp]}{index + 1}"
        return Unit(name, kind, berth.card, berth.cell, row.placed or berth.placed, cell, row.levy)

    def berth(self, kind: Kind, at: Hex | None, row: UnitRow, on_card: tuple[int, int] | None) -> _Berth:
        """Where on the cards a unit came from: its own hex, else displaced from an impassable one, else reserve."""
        open_ = [
            berth
            for berth in self._berths(kind, at)
            if row.card in ("", berth.card)
            and on_card in (None, berth.cell)
            and row.placed in (None, berth.placed)
            and (berth.card, berth.cell) not in self.used
        ]
        return min(open_, default=_Berth(0, row.card, on_card or NOWHERE, "lost" if at is None else "card"))

    def _berths(self, kind: Kind, at: Hex | None) -> list[_Berth]:
        plan, found = self.board.plan, list[_Berth]()
        for section, key in self.cards.items():
            for of in self.deck.card(self.camp, key).units:
                if of.kind == kind:
                    own = plan.card_hex(self.camp, section, of.column, of.row)
                    cell = (of.column, of.row)
                    if at is None:
                        found.append(_Berth(int(self.board.passable(own)), key, cell, "lost"))
                    elif own == at:
                        found.append(_Berth(0, key, cell, "card"))
                    else:
                        # A unit whose own hex is impassable was displaced in its section before any reserve came.
                        forced = not self.board.passable(own) and at in plan.section_cells(section, self.camp)
                        found.append(_Berth(1 if forced else 3, key, cell, "displaced"))
        for of in self.deck.card(self.camp, self.table.reserve).units:
            if of.kind == kind:
                rank = 2 if at is None or at in plan.baseline(self.camp) else 4
                placed: Placed = "lost" if at is None else "reserve"
                found.append(_Berth(rank, self.table.reserve, (of.column, of.row), placed))
        return found


def _set_of(key: str) -> str:
    name, _, other = key.partition("/")
    return f"{name[0]}/{other}" if other else name[0]
