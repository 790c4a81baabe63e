"""A battle as TOML that a person reads, edits and checks again."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec.structs import asdict

from generator.errors import near
from generator.games.battling.forces.machines import Pack, load_pack
from generator.games.battling.forces.squads import cost
from generator.games.battling.ground.arena import Arena, Edge
from generator.games.battling.ground.arenas import Drawing, drawing, house_arenas, read_arena
from generator.games.battling.numbers import play
from generator.games.battling.scenario import PLAYERS, PREFIX, SIDES, Machine, Player, Scenario, Side, Squad
from generator.games.battling.wishes import switches
from generator.games.filing import Reading, Short, beside
from generator.games.logs import Log, log_lines, steps
from generator.games.rulings import defaults
from generator.model.scenario import Origin
from generator.model.words import Words
from generator.notation import emit
from generator.notation.toml import Source

MACHINE_LIMIT = 100
"""A runaway file gets its answer at once."""


class _Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    hex: Short
    machine: Short
    id: Short = ""


class _Squad(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    edge: Edge
    machines: Annotated[tuple[_Row, ...], msgspec.Meta(min_length=1, max_length=MACHINE_LIMIT)]
    player: Player | None = None


class _Arena(Drawing, frozen=True, forbid_unknown_fields=True, kw_only=True):
    name: Short = ""
    buildings: str = ""


class _Play(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    title: Words | str
    turns: Annotated[int, msgspec.Meta(ge=1, le=999)] = play().turns.usual
    points: Annotated[int, msgspec.Meta(ge=0, le=9999)] | None = None


class _Body(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    muster: msgspec.Raw | dict[str, object]
    play: _Play
    arena: _Arena
    first: _Squad
    second: _Squad
    rulings: dict[str, str] = {}
    log: Log = ()


def write(scenario: Scenario) -> str:
    """The body of the scenario's file."""
    field = scenario.arena.field
    head = {"title": asdict(scenario.title), "turns": scenario.turns, "points": scenario.points}
    lines = ["[play]", *emit.lines(head)]
    lines += ["", "[arena]", *emit.lines({"name": scenario.arena_name} | drawing(scenario.arena))]
    lines += ["", "[rulings]", *emit.lines(scenario.rulings)]
    for side in SIDES:
        squad = scenario.squads[side]
        lines += ["", f"[{side}]", *emit.lines({"player": squad.player, "edge": squad.edge}), "machines = ["]
        for machine in squad.machines:
            row = {"id": machine.id, "hex": field.name(machine.cell), "machine": machine.kind}
            lines.append(f"  {emit.value(row)},")
        lines.append("]")
    return "\n".join([*lines, *log_lines(scenario.log)]) + "\n"


def read(source: Source, origin: Origin, folder: Path) -> Scenario:
    """The scenario of a file; DataError names every fault with its line."""
    body = source.read(_Body)
    reading = Reading(source)
    pack = load_pack(beside("charts", origin, folder, source))
    arena = _arena(source, body.arena)
    title = reading.title(body.play.title)
    reading.rulings(body.rulings, switches())
    squads: dict[Side, Squad] = {
        "first": _squad(reading, arena, pack, "first", body.first, "A"),
        "second": _squad(reading, arena, pack, "second", body.second, "B"),
    }
    log = steps(reading, body.log, (*SIDES, *PLAYERS))
    reading.done()
    points = body.play.points
    return Scenario(
        origin=origin,
        title=title,
        arena_name=body.arena.name,
        arena=arena,
        pack=pack,
        squads=squads,
        turns=body.play.turns,
        rulings=defaults(switches()) | body.rulings,
        points=cost(pack, (m.kind for m in squads["first"].machines)) if points is None else points,
        log=log,
    )


def _arena(source: Source, of: _Arena) -> Arena:
    """The arena drawn, or the house arena named where none is drawn."""
    if not of.buildings and of.name in house_arenas():
        return house_arenas()[of.name].arena
    return read_arena(of, source, ("arena",))


def _squad(reading: Reading, arena: Arena, pack: Pack, side: Side, table: _Squad, player: Player) -> Squad:
    machines = []
    for i, row in enumerate(table.machines):
        cell = arena.field.find(row.hex)
        if cell is None:
            last = arena.field.name(arena.field.cells[-1])
            reading.fault((side, "machines", i, "hex"), f"no hex {row.hex!r} in this arena", f"0101 to {last}")
        if row.machine not in pack.machines:
            hint = near(row.machine, pack.machines)
            reading.fault((side, "machines", i, "machine"), f"no machine {row.machine!r}", hint)
        name = row.id or f"{PREFIX[side]}{i + 1}"
        if not re.fullmatch(f"{PREFIX[side]}[1-9][0-9]?", name):
            reading.fault(
                (side, "machines", i, "id"), f"{name!r} is no id of this side's", f"such as {PREFIX[side]}1"
            )
        if cell and row.machine in pack.machines:
            machines.append(Machine(name, row.machine, cell, pack.machines[row.machine].hp))
    reading.ids((side, "machines"), [machine.id for machine in machines])
    return Squad(side, tuple(machines), table.edge, table.player or player)
