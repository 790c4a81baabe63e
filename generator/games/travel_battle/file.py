"""A Travel Battle as TOML that a person reads, edits and checks again (docs/formats/travel_scenario.md)."""

from __future__ import annotations

import string
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec.structs import asdict

from generator.errors import near
from generator.games.filing import Reading, Short, beside, near_cell
from generator.games.logs import Log, log_lines, steps
from generator.games.rulings import defaults
from generator.games.travel_battle.forces.army import Roster, load_roster
from generator.games.travel_battle.ground.board import HALF, TYPES, Board, Edge, Laid
from generator.games.travel_battle.ground.boards import Drawing, drawing, read_board
from generator.games.travel_battle.numbers import play
from generator.games.travel_battle.scenario import (
    AHEAD,
    BRIGADES,
    PLAYERS,
    Army,
    Boards,
    Brigade,
    Objective,
    Placed,
    Player,
    Scenario,
    Unit,
    battlefield,
    brigade_id,
)
from generator.games.travel_battle.wishes import switches
from generator.grid.squares import DIRECTIONS, Square, SquareField
from generator.model.scenario import Origin
from generator.model.words import Words
from generator.notation import emit
from generator.notation.toml import KeyPath, Source

NOWHERE = "-"
"""What stands in place of a square for a unit that is not set up."""

_Number = Annotated[int, msgspec.Meta(ge=0, le=99)]


class _Play(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    title: Words | str
    boards: Short = play().tables[0]
    places_first: Player = "blue"
    moves_first: Player = "blue"
    turns: _Number = play().turns[0]


class _Board(Drawing, frozen=True, forbid_unknown_fields=True, kw_only=True):
    owner: Player
    edge: Edge = 1
    name: Short = ""


class _Unit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    unit: Short
    at: Short
    id: Short = ""
    facing: Short = ""
    square: bool = False


class _Brigade(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    units: Annotated[tuple[_Unit, ...], msgspec.Meta(max_length=30)]
    number: _Number = 0


class _Army(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    brigade: Annotated[tuple[_Brigade, ...], msgspec.Meta(max_length=30)]


class _Objective(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    kind: Short = BRIGADES
    player: Player | None = None
    squares: Annotated[tuple[Short, ...], msgspec.Meta(max_length=100)] = ()
    units: Annotated[tuple[Short, ...], msgspec.Meta(max_length=100)] = ()
    count: _Number = 0


class _Body(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    muster: msgspec.Raw | dict[str, object]
    play: _Play
    board: Annotated[tuple[_Board, ...], msgspec.Meta(max_length=20)]
    blue: _Army
    red: _Army
    objective: _Objective = _Objective()
    rulings: dict[str, str] = {}
    log: Log = ()


def write(scenario: Scenario) -> str:
    """The body of the scenario's file."""
    table: dict[str, object] = {"title": asdict(scenario.title)}
    table |= {"boards": f"{len(scenario.boards[0])}x{len(scenario.boards)}"}
    table |= {"places_first": scenario.first_placer, "moves_first": scenario.first_mover, "turns": scenario.turns}
    lines = ["[play]", *emit.lines(table), "", "[objective]", *emit.lines(_objective_table(scenario))]
    lines += ["", "[rulings]", *emit.lines(scenario.rulings)]
    for row in scenario.boards:
        for placed in row:
            head: dict[str, object] = {"name": placed.name, "owner": placed.owner, "edge": placed.laid.edge}
            lines += ["", "[[board]]", *emit.lines(head | drawing(placed.laid.board))]
    for army in scenario.armies.values():
        for brigade in army.brigades:
            lines += ["", f"[[{army.player}.brigade]]", f"number = {brigade.number}", "units = ["]
            lines += [f"  {emit.value(_unit_table(unit, scenario))}," for unit in brigade.units]
            lines.append("]")
    return "\n".join([*lines, *log_lines(scenario.log)]) + "\n"


def _objective_table(scenario: Scenario) -> dict[str, object]:
    of, name = scenario.objective, scenario.battlefield.land.field.name
    if of.player is None:
        return {"kind": of.kind}
    return {
        "kind": of.kind,
        "player": of.player,
        "squares": [name(cell) for cell in of.cells],
        "units": list(of.units),
        "count": of.count,
    }


def _unit_table(unit: Unit, scenario: Scenario) -> dict[str, object]:
    at = scenario.battlefield.land.field.name(unit.cell) if unit.cell else NOWHERE
    table: dict[str, object] = {"id": unit.id, "unit": unit.kind.id, "at": at, "facing": DIRECTIONS[unit.facing]}
    return table | ({"square": True} if unit.square else {})


class _TableReading(Reading):
    """A file while it is read."""

    def boards(self, body: _Body) -> Boards:
        """The boards as they lie; their faults end the reading, for nothing else makes sense without them."""
        self.one_of(("play", "boards"), body.play.boards, play().tables)
        self.done()
        columns, rows = map(int, body.play.boards.split("x"))
        if len(body.board) != columns * rows:
            self.fault(
                ("board",), f"there are {len(body.board)} boards, a field of {body.play.boards} has {columns * rows}"
            )
            self.done()
        placed = [
            Placed(of.name, of.owner, Laid(self.board(Drawing(of.type, of.rows), i), of.edge))
            for i, of in enumerate(body.board)
        ]
        return tuple(tuple(placed[columns * r : columns * (r + 1)]) for r in range(rows))

    def board(self, of: Drawing, number: int) -> Board:
        """One of the boards, which in a scenario may be half of a whole."""
        return read_board(of, self.source, ("board", number), (*TYPES, HALF))

    def brigades(self, player: Player, table: _Army, roster: Roster, field: SquareField) -> Iterator[Brigade]:
        """A player's brigades; units without an id get theirs."""
        for i, rows in enumerate(table.brigade):
            number = rows.number or i + 1
            letters = iter(string.ascii_lowercase)
            units = []
            for k, row in enumerate(rows.units):
                at = (player, "brigade", i, "units", k)
                kind = roster.kinds.get(row.unit)
                cell = None if row.at == NOWHERE else self.square((*at, "at"), row.at, field)
                facing = row.facing or DIRECTIONS[AHEAD[player]]
                if self.one_of((*at, "facing"), facing, DIRECTIONS) in DIRECTIONS and kind:
                    own = brigade_id(player, number) + ("" if not kind.fights else next(letters, "?"))
                    if field.find(row.id):
                        self.fault((*at, "id"), f"the id {row.id} is the name of a square")
                    units.append(Unit(row.id or own, kind, cell, DIRECTIONS.index(facing), row.square))
                elif not kind:
                    self.fault((*at, "unit"), f"no unit {row.unit!r} in this army", near(row.unit, roster.kinds))
            yield Brigade(number, tuple(units))

    def once(self, armies: Iterable[Army]) -> None:
        """No id may stand twice in the file."""
        seen: set[str] = set()
        for army in armies:
            for i, brigade in enumerate(army.brigades):
                for unit in brigade.units:
                    if unit.id in seen:
                        self.fault((army.player, "brigade", i, "units"), f"the id {unit.id} stands twice")
                    seen.add(unit.id)

    def square(self, at: KeyPath, name: str, field: SquareField) -> Square | None:
        """A square by its name."""
        cell = field.find(name)
        if cell is None:
            known = f"a1 to {field.name(field.cells[-1])}"
            self.fault(at, f"no square {name!r} on this field", near_cell(name, field.find, known))
        return cell


def read(source: Source, origin: Origin, folder: Path) -> Scenario:
    """The scenario of a file; DataError names every fault with its line."""
    body = source.read(_Body)
    reading = _TableReading(source)
    boards = reading.boards(body)
    field = battlefield(boards).land.field
    title = reading.title(body.play.title)
    reading.rulings(body.rulings, switches())
    roster = load_roster(beside("army", origin, folder, source))
    armies = {
        player: Army(player, tuple(reading.brigades(player, table, roster, field)))
        for player, table in zip(PLAYERS, (body.blue, body.red), strict=True)
    }
    reading.once(armies.values())
    of = body.objective
    cells = [reading.square(("objective", "squares"), name, field) for name in of.squares]
    log = steps(reading, body.log, PLAYERS)
    reading.done()
    return Scenario(
        origin=origin,
        title=title,
        boards=boards,
        roster=roster,
        armies=armies,
        first_placer=body.play.places_first,
        first_mover=body.play.moves_first,
        objective=Objective(of.kind, of.player, tuple(cell for cell in cells if cell), of.units, of.count),
        turns=body.play.turns,
        rulings=defaults(switches()) | body.rulings,
        log=log,
    )
