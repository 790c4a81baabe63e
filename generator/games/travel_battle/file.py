"""Read and write Travel Battle scenarios as TOML (docs/formats/travel_scenario.md), and export them as JSON."""

from __future__ import annotations

import string
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec.structs import asdict

from generator.common import scenario_file
from generator.common.scenario_file import (
    NAMELESS,
    Body,
    FileReader,
    PlayTexts,
    Short,
    UnitName,
    accompanying_file,
    exported,
    log_lines,
    name_in_file,
    standard_id,
    steps,
    text_lines,
)
from generator.errors import WrongUsageError, near
from generator.games.travel_battle.campaign import find_area, is_area
from generator.games.travel_battle.forces import Roster, load_roster
from generator.games.travel_battle.ground import (
    HALF,
    TYPES,
    Board,
    BoardForm,
    Edge,
    OrientedBoard,
    drawing,
    house_boards,
    load_board,
    read_board,
)
from generator.games.travel_battle.model import (
    BRIGADES,
    FORWARD,
    RANDOM,
    SIDES,
    Army,
    Boards,
    Brigade,
    Objective,
    Placed,
    Scenario,
    Side,
    Unit,
    battlefield,
    brigade_id,
)
from generator.games.travel_battle.objectives import kinds as objective_kinds
from generator.games.travel_battle.tables import numbers, switches
from generator.grid.squares import DIRECTIONS, SquareField
from generator.localization import tr
from generator.model.scenario import Origin
from generator.model.words import Words, in_words
from generator.notation import text
from generator.notation.text import find_word, half_width
from generator.notation.toml import Source

NOWHERE = "-"
"""The entry that replaces the square of a unit that is not on the field."""

_Number = Annotated[int, msgspec.Meta(ge=0, le=99)]


class _Play(PlayTexts, frozen=True, forbid_unknown_fields=True):
    """The conditions of play."""

    title: Words | str
    """The title of the battle, in both languages or as one string for both."""
    boards: Short = numbers().tables[0]
    """The numbers of columns and rows of boards, such as `"2x1"`."""
    places_first: Side = "blue"
    """The player who sets up the first brigade."""
    moves_first: Side = "blue"
    """The player who moves first."""
    turns: _Number = numbers().turns[0]
    """The number of the last turn; 0 for no limit."""


class _Board(BoardForm, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A board in its position on the table."""

    owner: Side | None = None
    """The player who chose the board; by default, Blue in the left half of the field, Red in the right half."""
    edge: Edge = 1
    """The number of the edge that faces Blue; 1 is the near edge of the drawing."""
    name: Short = ""
    """A shipped board, a file, an area of a campaign or `random`; only a label if `rows` are given."""
    type: str = ""
    """The type `"A"` or `"B"`, which determines where roads leave the board; omit it if you omit `rows`."""
    rows: str = ""
    """One symbol for each square, the far row first; by default, the rows of the named board."""


class _Unit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A unit on its square."""

    unit: Short
    """The kind of the unit, which is an id of the army."""
    at: Short
    """The unit's square; `-` if the unit is not on the field."""
    id: Short = ""
    """The unit's id; by default, the id of its brigade and a letter, such as `B1a`."""
    name: UnitName = NAMELESS
    """The name that the owner gave the unit or machine."""
    facing: Short = ""
    """The facing: `E`, `NE`, `N`, `NW`, `W`, `SW`, `S` or `SE`; by default, straight ahead."""
    square: bool = False
    """Whether the unit is in square formation."""


class _Brigade(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A brigade of an army."""

    units: Annotated[tuple[_Unit, ...], msgspec.Meta(max_length=30)]
    """The units of the brigade, including the brigadier."""
    number: _Number = 0
    """The number of the brigade; by default, brigades are counted from 1."""
    name: UnitName = NAMELESS
    """The name that the owner gave the unit or machine."""


class _Army(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The army of a player."""

    brigade: Annotated[tuple[_Brigade, ...], msgspec.Meta(max_length=30)]
    """The brigades of the army."""


class _Objective(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The objective of the battle."""

    kind: Short = BRIGADES
    """The kind of objective: `brigades`, or a name that `muster data show objectives` lists."""
    player: Side | None = None
    """The player who has to reach the objective."""
    squares: Annotated[tuple[Short, ...], msgspec.Meta(max_length=100)] = ()
    """The squares of the objective."""
    units: Annotated[tuple[Short, ...], msgspec.Meta(max_length=100)] = ()
    """The units of the objective."""
    count: _Number = 0
    """The number of turns or units needed for the objective."""


class ScenarioFile(Body, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The content of a scenario file."""

    play: _Play
    """The conditions of play."""
    board: Annotated[tuple[_Board, ...], msgspec.Meta(max_length=20)]
    """The boards, row by row from the near row, each row from the left."""
    blue: _Army
    """Blue's army."""
    red: _Army
    """Red's army."""
    objective: _Objective = _Objective()
    """The objective of the battle."""


def write(scenario: Scenario) -> str:
    """Return the scenario as TOML, without the head of the file."""
    table: dict[str, object] = {"title": asdict(scenario.title)}
    table |= {"boards": f"{len(scenario.boards[0])}x{len(scenario.boards)}"}
    table |= {"places_first": scenario.first_placer, "moves_first": scenario.first_mover, "turns": scenario.turns}
    aim = _objective(scenario)
    lines = ["[play]", *text.lines(table), *text_lines(scenario.texts), "", "[objective]"]
    lines += text.lines(aim if aim["player"] else {"kind": aim["kind"]})
    lines += ["", "[rulings]", *text.lines(scenario.rulings)]
    for placed in scenario.placed.values():
        head: dict[str, object] = {"name": placed.name, "owner": placed.owner, "edge": placed.oriented.edge}
        lines += ["", "[[board]]", *text.lines(head | drawing(placed.oriented.board))]
    for army in scenario.armies.values():
        for brigade in army.brigades:
            lines += ["", f"[[{army.player}.brigade]]", f"number = {brigade.number}"]
            lines += text.lines({"name": name_in_file(brigade.name)}) if brigade.name != NAMELESS else []
            lines += ["units = [", *(f"  {unit_text(unit, scenario)}" for unit in brigade.units)]
            lines.append("]")
    return "\n".join([*lines, *log_lines(scenario.log)]) + "\n"


def _objective(scenario: Scenario) -> dict[str, object]:
    of, name = scenario.objective, scenario.battlefield.terrain_map.field.name
    return {
        "kind": of.kind,
        "player": of.player,
        "squares": [name(cell) for cell in of.cells],
        "units": list(of.units),
        "count": of.count,
    }


def unit_text(unit: Unit, scenario: Scenario) -> str:
    """Return a unit's row for the file, with a comma at the end, so that the text can replace a row."""
    at = scenario.battlefield.terrain_map.field.name(unit.cell) if unit.cell else NOWHERE
    table: dict[str, object] = {"id": unit.id, "unit": unit.kind.id, "at": at, "facing": DIRECTIONS[unit.facing]}
    table |= {"square": True} if unit.square else {}
    return text.value(table | ({"name": name_in_file(unit.name)} if unit.name != NAMELESS else {})) + ","


class _TableReading(FileReader):
    """A reader of scenario files that collects their faults."""

    def boards(self, body: ScenarioFile, user_boards: Mapping[str, Path]) -> Boards:
        """Return the boards in their positions.

        `user_boards` maps file names to the user's board files.

        Raises:
            DataError: If a board is invalid, because everything else in the file depends on the boards.
        """
        size = self.one_of(("play", "boards"), body.play.boards.replace("×", "x"), numbers().tables)
        self.done()
        columns, rows = map(int, size.split("x"))
        if len(body.board) != columns * rows:
            self.fault(
                ("board",),
                tr(
                    "the number of boards is {count}, but a field of {boards} needs {needed}",
                    count=len(body.board),
                    boards=body.play.boards,
                    needed=columns * rows,
                ),
            )
            self.done()
        halves = [SIDES[2 * (i % columns) >= columns] for i in range(len(body.board))]
        placed = [
            Placed(
                self.board_name(of.name),
                of.owner or half,
                OrientedBoard(self.board(of, i, user_boards), of.edge),
            )
            for i, (of, half) in enumerate(zip(body.board, halves, strict=True))
        ]
        return tuple(tuple(placed[columns * r : columns * (r + 1)]) for r in range(rows))

    @staticmethod
    def board_name(raw: str) -> str:
        """Return the name of a house board in its standard form, or any other name unchanged."""
        return find_word(raw, (*house_boards(), RANDOM)) or raw

    def board(self, of: _Board, number: int, user_boards: Mapping[str, Path]) -> Board:
        """Return the board that the rows define, or the board with this name if there are no rows."""
        if of.rows or not of.name:
            return read_board(of, self.source, ("board", number), (*TYPES, HALF))
        if (name := self.board_name(of.name)) in house_boards():
            return house_boards()[name].ground
        if of.name in user_boards:
            return load_board(user_boards[of.name]).ground
        if is_area(of.name):
            try:
                return find_area(of.name)[1].oriented.board
            except WrongUsageError as error:
                for problem in error.problems:
                    self.fault(("board", number, "name"), problem.message, problem.hint)
        else:
            file = f'[muster.files] with board-blue = {{ name = "{of.name}", sha256 = "" }}'
            hint = file if of.name.endswith(".toml") else near(of.name, house_boards())
            self.fault(("board", number, "name"), tr("there is no board named {name!r}", name=of.name), hint)
        self.done()
        raise AssertionError("a fault was noted")

    def brigades(self, player: Side, table: _Army, roster: Roster, field: SquareField) -> Iterator[Brigade]:
        """Yield a player's brigades. Units without an id get the default one."""
        for i, rows in enumerate(table.brigade):
            number = rows.number or i + 1
            given_ids = [standard_id(row.id, brigade_id(player, number)) for row in rows.units]
            letters = (c for c in string.ascii_lowercase if brigade_id(player, number) + c not in given_ids)
            units: list[Unit] = []
            for k, row in enumerate(rows.units):
                at = (player, "brigade", i, "units", k)
                kind = roster.kinds.get(find_word(row.unit, roster.kinds) or "")
                off_field = half_width(row.at) == NOWHERE
                cell = None if off_field else self.cell((*at, "at"), row.at, field, tr("square"))
                facing = self.one_of((*at, "facing"), row.facing or DIRECTIONS[FORWARD[player]], DIRECTIONS)
                if facing in DIRECTIONS and kind:
                    first_brigadier = not kind.fights and all(unit.kind.fights for unit in units)
                    default_id = brigade_id(player, number) + ("" if first_brigadier else next(letters, "?"))
                    name, unit_name = self.unit_id(at, row.id, default_id, row.name)
                    if field.find(name):
                        self.fault((*at, "id"), tr("the id {id} is also the name of a square", id=name))
                    units.append(Unit(name, kind, cell, DIRECTIONS.index(facing), row.square, unit_name))
                elif not kind:
                    fault, hint = (
                        tr("there is no unit named {unit!r} in this army", unit=row.unit),
                        near(row.unit, roster.kinds),
                    )
                    self.fault((*at, "unit"), fault, hint)
            yield Brigade(number, tuple(units), in_words(rows.name))


def read(source: Source, origin: Origin, folder: Path) -> Scenario:
    """Return the scenario of a file.

    Raises:
        DataError: If the file is invalid. The error lists each fault with its line.
    """
    body = source.read(ScenarioFile)
    reading = _TableReading(source)
    files = {
        option: accompanying_file(option, origin, folder, source)
        for option in origin.files
        if option.startswith("board-")
    }
    boards = reading.boards(body, {path.name: path for path in files.values() if path})
    field = battlefield(boards).terrain_map.field
    title = reading.title(body.play.title)
    rulings = reading.rulings(body.rulings, switches())
    roster = load_roster(accompanying_file("army", origin, folder, source))
    armies = {
        player: Army(player, tuple(reading.brigades(player, table, roster, field)))
        for player, table in zip(SIDES, (body.blue, body.red), strict=True)
    }
    brigades = ((army, i, brigade) for army in armies.values() for i, brigade in enumerate(army.brigades))
    reading.once(((army.player, "brigade", i, "units"), u.id) for army, i, brigade in brigades for u in brigade.units)
    of = body.objective
    cells = [reading.cell(("objective", "squares"), name, field, tr("square")) for name in of.squares]
    ids = [unit.id for army in armies.values() for brigade in army.brigades for unit in brigade.units]
    units = tuple(reading.named_unit(name, ids) for name in of.units)
    kind = find_word(of.kind, objective_kinds()) or of.kind
    log = steps(reading, body.log, SIDES)
    reading.done()
    return Scenario(
        origin=origin,
        title=title,
        boards=boards,
        roster=roster,
        armies=armies,
        first_placer=body.play.places_first,
        first_mover=body.play.moves_first,
        objective=Objective(
            kind,
            of.player,
            tuple(cell for cell in cells if cell),
            units,
            of.count,
        ),
        turns=body.play.turns,
        rulings=rulings,
        log=log,
        texts=body.play.texts,
    )


def export(scenario: Scenario) -> dict[str, Any]:
    """Return the scenario as JSON-compatible values (docs/json.md)."""
    terrain_map = scenario.battlefield.terrain_map
    name = terrain_map.field.name
    return {
        **scenario_file.head(scenario),
        "boards": [
            {
                "at": at,
                "name": placed.name,
                "owner": placed.owner,
                "type": placed.oriented.board.type,
                "edge": placed.oriented.edge,
            }
            for at, placed in scenario.placed.items()
        ],
        "field": {"columns": terrain_map.field.columns, "rows": terrain_map.field.rows},
        "terrain": {name(cell): terrain_map.ground[cell] for cell in terrain_map.field.cells},
        "rulings": dict(scenario.rulings),
        "armies": [
            {"player": army.player, "brigades": [_brigade(scenario, brigade) for brigade in army.brigades]}
            for army in scenario.armies.values()
        ],
        "places_first": scenario.first_placer,
        "moves_first": scenario.first_mover,
        "objective": _objective(scenario),
        "turns": scenario.turns,
        "log": exported(scenario.log),
    }


def _brigade(scenario: Scenario, brigade: Brigade) -> dict[str, Any]:
    name = scenario.battlefield.terrain_map.field.name
    return {
        "number": brigade.number,
        "name": asdict(brigade.name) if brigade.name != NAMELESS else None,
        "units": [
            {
                "id": unit.id,
                "name": asdict(unit.name) if unit.name != NAMELESS else None,
                "unit": unit.kind.id,
                "at": name(unit.cell) if unit.cell else None,
                "facing": DIRECTIONS[unit.facing],
                "square": unit.square,
            }
            for unit in brigade.units
        ],
    }
