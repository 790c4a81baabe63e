"""Read and write battles as TOML, and export them as JSON."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import count
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec.structs import asdict, replace

from generator.common.scenario_file import (
    NAMELESS,
    Body,
    FileReader,
    PlayTexts,
    Short,
    Step,
    UnitName,
    accompanying_file,
    exported,
    head,
    log_lines,
    name_in_file,
    standard_id,
    steps,
    text_lines,
)
from generator.errors import near
from generator.games.battling.forces import Pack, load_pack
from generator.games.battling.ground import (
    ACROSS,
    EDGES,
    Arena,
    ArenaForm,
    Edge,
    drawing,
    house_arenas,
    load_arena,
    opening_of,
    read_arena,
)
from generator.games.battling.model import PLAYERS, PREFIX, RANDOM, SIDES, Machine, Player, Scenario, Side, Squad
from generator.games.battling.tables import numbers, switches
from generator.grid.columns import Numbered
from generator.localization import tr
from generator.model.scenario import Origin
from generator.model.words import Words, in_words, same
from generator.notation import text
from generator.notation.text import find_word
from generator.notation.toml import Source

MACHINE_LIMIT = 100
"""The maximum number of machines that are read, so that a file that is far too long is reported quickly."""


class _Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A machine on its hex."""

    hex: Short
    """The starting hex of the machine."""
    machine: Short
    """The type of the machine, which is an id of the charts."""
    id: Short = ""
    """The id, by default `F1`, `F2` … or `S1`, `S2` …; any other text is used as a name."""
    name: UnitName = NAMELESS
    """The name that the owner gave the unit or machine."""


class _Squad(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A player's squad."""

    machines: Annotated[tuple[_Row, ...], msgspec.Meta(max_length=MACHINE_LIMIT)]
    """The machines of the squad."""
    edge: Edge | None = None
    """The edge from which the squad starts; the default is the edge nearest to its machines."""
    player: Player | None = None
    """The player who leads the squad."""


class _Arena(ArenaForm, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The arena, drawn in the file or given by name."""

    name: Short = ""
    """The name of a shipped arena, or of an arena file."""
    buildings: str = ""
    """One building on each line, corner by corner; the default is the buildings of the named arena."""


class _Play(PlayTexts, frozen=True, forbid_unknown_fields=True):
    """The conditions of play."""

    title: Words | str
    """The title of the battle, in both languages or as one string for both."""
    turns: Annotated[int, msgspec.Meta(ge=0, le=999)] = numbers().turns.usual
    """The number of the last turn."""
    points: Annotated[int, msgspec.Meta(ge=0, le=9999)] | None = None
    """The maximum points of each squad. By default, the points in the log, or no limit."""
    setup: Literal["edges", "fixed"] = "edges"
    """The kind of set-up: `edges`, or `fixed` for prescribed hexes."""


class ScenarioFile(Body, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The content of a scenario file."""

    play: _Play
    """The conditions of play."""
    arena: _Arena
    """The arena."""
    first: _Squad
    """The squad that moves first."""
    second: _Squad
    """The squad that moves second."""


def write(scenario: Scenario) -> str:
    """Return the scenario as TOML, without the head of the file."""
    head: dict[str, object] = {"title": asdict(scenario.title), "turns": scenario.turns}
    head |= {"points": scenario.points} if scenario.points is not None else {}
    head |= {"setup": "fixed"} if scenario.fixed else {}
    lines = ["[play]", *text.lines(head), *text_lines(scenario.texts)]
    lines += ["", "[arena]", *text.lines({"name": scenario.arena_name} | drawing(scenario.arena))]
    lines += ["", "[rulings]", *text.lines(scenario.rulings)]
    for side in SIDES:
        squad = scenario.squads[side]
        lines += ["", f"[{side}]", *text.lines({"player": squad.player, "edge": squad.edge}), "machines = ["]
        lines += [f"  {row_text(scenario, machine)}" for machine in squad.machines]
        lines.append("]")
    return "\n".join([*lines, *log_lines(scenario.log)]) + "\n"


def row_text(scenario: Scenario, machine: Machine) -> str:
    """Return a machine's row for the file, with a comma at the end, so that the text can replace a row."""
    name = scenario.arena.field.name(machine.cell)
    row: dict[str, object] = {"id": machine.id, "hex": name, "machine": machine.kind}
    return text.value(row | ({"name": name_in_file(machine.name)} if machine.name != NAMELESS else {})) + ","


def read(source: Source, origin: Origin, folder: Path) -> Scenario:
    """Return the scenario of a file.

    Raises:
        DataError: If the file is invalid. The error lists each fault with its line.
    """
    body = source.read(ScenarioFile)
    reading = FileReader(source)
    pack = load_pack(accompanying_file("charts", origin, folder, source))
    arena = _arena(reading, body.arena, accompanying_file("arena", origin, folder, source))
    title = reading.title(body.play.title)
    rulings = reading.rulings(body.rulings, switches())
    tables: dict[Side, _Squad] = {"first": body.first, "second": body.second}
    machines = {side: _machines(reading, arena, pack, side, table) for side, table in tables.items()}
    edges = _edges(arena, tables, machines)
    players: dict[Side, Player] = {"first": body.first.player or "A", "second": body.second.player or "B"}
    squads: dict[Side, Squad] = {side: Squad(side, machines[side], edges[side], players[side]) for side in SIDES}
    log = _by_ids(steps(reading, body.log, (*SIDES, *PLAYERS)), squads.values())
    reading.done()
    return Scenario(
        origin=origin,
        title=title,
        arena_name=find_word(body.arena.name, (*house_arenas(), RANDOM)) or body.arena.name,
        arena=arena,
        pack=pack,
        squads=squads,
        turns=body.play.turns,
        rulings=rulings,
        points=_logged_points(log) if body.play.points is None else body.play.points,
        log=log,
        fixed=body.play.setup == "fixed",
        texts=body.play.texts,
    )


def _logged_points(log: Iterable[Step]) -> int | None:
    """Return the points in a log, or None if the log contains no points."""
    results = (step.result for step in log if step.what == "points")
    return next((int(result[0]) for result in results if result and re.fullmatch("[0-9]{1,4}", result[0])), None)


def _edges(
    arena: Arena, tables: Mapping[Side, _Squad], machines: Mapping[Side, Iterable[Machine]]
) -> dict[Side, Edge]:
    """Return the squads' edges, which are those of the file or, by default, opposite edges."""
    given = {side: table.edge for side, table in tables.items() if table.edge}
    cells = {side: [machine.cell for machine in of] for side, of in machines.items()}
    near = nearest_edges(arena, {side: cells[side] for side in SIDES if side not in given}, given)
    return {**near, **given}


def nearest_edges(
    arena: Arena, cells: Mapping[Side, Iterable[Numbered]], chosen: Mapping[Side, Edge] = {}
) -> dict[Side, Edge]:
    """Return the two opposite edges nearest to these hexes. If edges are chosen, only these are considered."""
    field = arena.field
    off = {
        "N": lambda cell: cell.r - 1,
        "E": lambda cell: field.columns - cell.c,
        "S": lambda cell: field.rows - cell.r,
        "W": lambda cell: cell.c - 1,
    }

    def pair(second: Edge) -> dict[Side, Edge]:
        return {"first": ACROSS[second], "second": second}

    pairs = [pair(edge) for edge in (*arena.edges, *(edge for edge in EDGES if edge not in arena.edges))]
    fit = [edges for edges in pairs if all(edges[side] == edge for side, edge in chosen.items())] or pairs
    return min(fit, key=lambda edges: sum(off[edges[side]](cell) for side, of in cells.items() for cell in of))


def _arena(reading: FileReader, of: _Arena, user_arena: Path | None) -> Arena:
    """Return the arena drawn in the file, or the house arena or user's file that is named there."""
    if not of.buildings and (house := find_word(of.name, house_arenas())):
        return house_arenas()[house].ground
    given = reading.source.data["arena"]
    if of.name and isinstance(given, dict) and "buildings" not in given:
        if user_arena and user_arena.name == of.name:
            return load_arena(user_arena).ground
        file = f'[muster.files] with arena = {{ name = "{of.name}", sha256 = "" }}'
        hint = file if of.name.endswith(".toml") else near(of.name, house_arenas())
        reading.fault(("arena", "name"), tr("there is no arena named {name!r}", name=of.name), hint)
        reading.done()
    return read_arena(of, reading.source, ("arena",))


_ID = re.compile(r"([FS])[1-9][0-9]?")


def _machines(reading: FileReader, arena: Arena, pack: Pack, side: Side, table: _Squad) -> tuple[Machine, ...]:
    """Return a side's machines. Ids that do not have the form `F1` or `S1` become names."""
    given = [standard_id(row.id, PREFIX[side]) for row in table.machines]
    ids = [name if _ID.fullmatch(name) else "" for name in given]
    free = (name for n in count(1) if (name := f"{PREFIX[side]}{n}") not in ids)
    machines = []
    for i, (row, given_id) in enumerate(zip(table.machines, ids, strict=True)):
        cell = reading.cell((side, "machines", i, "hex"), row.hex, arena.field, tr("hex"))
        kind = find_word(row.machine, pack.machines)
        if kind is None:
            hint = near(row.machine, pack.machines)
            reading.fault(
                (side, "machines", i, "machine"),
                tr("there is no machine named {machine!r}", machine=row.machine),
                hint,
            )
        if given_id and given_id[0] != PREFIX[side]:
            reading.fault(
                (side, "machines", i, "id"),
                tr("{name!r} is not an id of this side", name=given_id),
                tr("write an id such as {prefix}1", prefix=PREFIX[side]),
            )
        name = given_id or next(free)
        if cell and kind:
            label = in_words(row.name)
            hp = pack.machines[kind].hp
            machines.append(
                Machine(name, kind, cell, hp, same(row.id) if label == NAMELESS and not given_id else label)
            )
    reading.ids((side, "machines"), [machine.id for machine in machines])
    return tuple(machines)


def _by_ids(log: Iterable[Step], squads: Iterable[Squad]) -> tuple[Step, ...]:
    """Return the log with machines' names replaced by their ids."""
    ids = {machine.name.en: machine.id for squad in squads for machine in squad.machines}

    def with_id(post: str) -> str:
        name, _, cell = post.rpartition(" ")
        return f"{ids[name]} {cell}" if name in ids else post

    return tuple(replace(s, result=tuple(map(with_id, s.result))) if s.what == "deploy" else s for s in log)


def export(scenario: Scenario) -> dict[str, Any]:
    """Return the scenario as JSON-compatible values (docs/json.md)."""
    arena = scenario.arena
    return {
        **head(scenario),
        "arena": {
            "name": scenario.arena_name,
            "columns": arena.field.columns,
            "rows": arena.field.rows,
            "fine": arena.fine,
            "edges": list(arena.edges),
            "silhouettes": [[list(corner) for corner in shape] for shape in arena.silhouettes],
            "closed": [arena.field.name(cell) for cell in arena.field.cells if arena.closed(cell)],
        },
        "opening": opening_of(arena, scenario.squads["first"].edge).percent,
        "rulings": dict(scenario.rulings),
        "points": scenario.points,
        "squads": [
            {
                "side": squad.side,
                "player": squad.player,
                "edge": squad.edge,
                "machines": [
                    {
                        "id": m.id,
                        "name": asdict(m.name) if m.name != NAMELESS else None,
                        "machine": m.kind,
                        "hex": arena.field.name(m.cell),
                        "hp": m.hp,
                    }
                    for m in squad.machines
                ],
            }
            for squad in map(scenario.squads.__getitem__, SIDES)
        ],
        "turns": scenario.turns,
        "setup": "fixed" if scenario.fixed else "edges",
        "log": exported(scenario.log),
    }
