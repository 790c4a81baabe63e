"""A BattleLore scenario as TOML that a person reads, edits and checks again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec
from msgspec.structs import asdict

from generator.games.battlelore.alone.draw import switches
from generator.games.battlelore.alone.orders import orders
from generator.games.battlelore.alone.scenario import AGES, MEDIEVAL, Force, Scenario
from generator.games.battlelore.battle import OFF_BOARD, PREFIX
from generator.games.battlelore.file import UNIT_LIMIT, BattleReading, BoardTable, board_lines, kind_text
from generator.games.battlelore.forces.council import council_tables
from generator.games.battlelore.forces.points import points
from generator.games.battlelore.forces.pool import load_pool
from generator.games.battlelore.forces.units import Unit
from generator.games.battlelore.ground.board import CAMPS, Board, Camp
from generator.games.battlelore.ground.tiles import load_inventory
from generator.games.battlelore.lore import lore
from generator.games.battlelore.wishes import BY_HAND
from generator.games.filing import Count, Short, beside
from generator.games.logs import Log, log_lines, steps
from generator.games.rulings import defaults
from generator.model.scenario import Origin
from generator.model.words import Words
from generator.notation import emit
from generator.notation.toml import Source


class _Unit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    hex: Short
    unit: Short
    id: Short = ""


class _Force(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    units: Annotated[tuple[_Unit, ...], msgspec.Meta(max_length=UNIT_LIMIT)]
    plan: Short = "even"
    council: dict[str, Annotated[int, msgspec.Meta(ge=0, le=99)]] = {}


class _Play(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    title: Words | str
    first: Camp
    age: Short = MEDIEVAL
    points: Annotated[int, msgspec.Meta(ge=0, le=999)] | None = None
    banners: Count = lore().play.banners.usual
    hand: Count = lore().play.hand.usual


class _Body(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    muster: msgspec.Raw | dict[str, object]
    board: BoardTable
    pennant: _Force
    standard: _Force
    play: _Play
    rulings: dict[str, str] = {}
    log: Log = ()


def write(scenario: Scenario) -> str:
    """The body of the scenario's file."""
    play: dict[str, object] = {"title": asdict(scenario.title), "age": scenario.age}
    play |= {"first": scenario.first, "points": scenario.points}
    play |= {"banners": scenario.banners, "hand": scenario.hand}
    lines = ["[play]", *emit.lines(play), *board_lines(scenario.map, scenario.board)]
    lines += ["", "[rulings]", *emit.lines(scenario.rulings)]
    for force in scenario.forces.values():
        head: dict[str, object] = {"plan": force.plan} | ({"council": force.council} if force.council else {})
        lines += ["", f"[{force.camp}]", *emit.lines(head), "units = ["]
        for unit in force.units:
            at = scenario.board.field.name(unit.hex) if unit.hex else OFF_BOARD
            lines.append(f"  {emit.value({'id': unit.id, 'hex': at, 'unit': kind_text(unit.kind)})},")
        lines.append("]")
    return "\n".join([*lines, *log_lines(scenario.log)]) + "\n"


def read(source: Source, origin: Origin, folder: Path) -> Scenario:
    """The scenario of a file; DataError names every fault with its line."""
    body = source.read(_Body)
    reading = BattleReading(source)
    board = reading.board(body.board)
    title = reading.title(body.play.title)
    reading.rulings(body.rulings, switches())
    age = reading.one_of(("play", "age"), body.play.age, AGES)
    forces = {
        camp: _force(reading, board, camp, table)
        for camp, table in zip(CAMPS, (body.pennant, body.standard), strict=True)
    }
    log = steps(reading, body.log, CAMPS)
    reading.done()
    total = sum(points(u.kind) for u in forces[CAMPS[0]].units if u.hex)
    return Scenario(
        origin=origin,
        title=title,
        map=body.board.map or BY_HAND,
        board=board,
        inventory=load_inventory(beside("inventory", origin, folder, source)),
        pool=load_pool(beside("pool", origin, folder, source)),
        rulings=defaults(switches()) | body.rulings,
        forces=forces,
        first=body.play.first,
        points=total if body.play.points is None else body.play.points,
        banners=body.play.banners,
        hand=body.play.hand,
        age=age,
        log=log,
    )


def _force(reading: BattleReading, board: Board, camp: Camp, table: _Force) -> Force:
    reading.one_of((camp, "plan"), table.plan, [plan.id for plan in orders().plan])
    for seat in table.council:
        reading.one_of((camp, "council", seat), seat, council_tables().seats)
    units = []
    for i, row in enumerate(table.units):
        at = reading.hex((camp, "units", i, "hex"), row.hex, board)
        kind = reading.kind((camp, "units", i, "unit"), row.unit)
        if kind:
            units.append(Unit(row.id or f"{PREFIX[camp]}{i + 1}", kind, "", (-1, -1), "card", at))
    reading.ids((camp, "units"), [unit.id for unit in units])
    return Force(camp, table.plan, tuple(units), table.council)
