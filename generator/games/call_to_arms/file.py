"""A scenario as TOML that a person reads, edits and checks again (docs/formats/scenario.md)."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec
from msgspec.structs import asdict

from generator.games.battlelore.battle import OFF_BOARD
from generator.games.battlelore.file import UNIT_LIMIT, BattleReading, BoardTable, board_lines, kind_text
from generator.games.battlelore.forces.pool import load_pool
from generator.games.battlelore.forces.units import Unit
from generator.games.battlelore.ground.board import CAMPS, SECTIONS, Camp
from generator.games.battlelore.ground.tiles import load_inventory
from generator.games.battlelore.lore import lore
from generator.games.battlelore.mirror import evened
from generator.games.battlelore.wishes import BY_HAND
from generator.games.call_to_arms.forcefile import ForceReader, ForceTable
from generator.games.call_to_arms.forces.cells import cell_name
from generator.games.call_to_arms.forces.deck import load_deck
from generator.games.call_to_arms.forces.specialists import Exchange, Play, specialists
from generator.games.call_to_arms.mirror import twinned
from generator.games.call_to_arms.scenario import AGES, MEDIEVAL, Force, Scenario
from generator.games.call_to_arms.wishes import IMPROMPTU, MODES, switches
from generator.games.filing import Count, Short, beside
from generator.games.logs import Log, log_lines, steps
from generator.games.rulings import defaults
from generator.model.scenario import Origin
from generator.model.words import Words
from generator.notation import emit
from generator.notation.toml import Source


class _Play(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    title: Words | str
    first: Camp
    mode: Short = IMPROMPTU
    age: Short = MEDIEVAL
    owner: Camp | None = None
    twins: bool = False
    banners: Count = lore().play.banners.usual
    hand: Count = lore().play.hand.usual


class _Exchange(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    camp: Camp
    unit: Short
    to: Short


class _Special(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    camp: Camp
    card: Short
    choices: Annotated[tuple[Short, ...], msgspec.Meta(max_length=UNIT_LIMIT)] = ()


class _Body(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    muster: msgspec.Raw | dict[str, object]
    board: BoardTable
    pennant: ForceTable
    standard: ForceTable
    play: _Play
    rulings: dict[str, str] = {}
    exchange: Annotated[tuple[_Exchange, ...], msgspec.Meta(max_length=UNIT_LIMIT)] = ()
    special: Annotated[tuple[_Special, ...], msgspec.Meta(max_length=UNIT_LIMIT)] = ()
    log: Log = ()


def write(scenario: Scenario) -> str:
    """The body of the scenario's file."""
    play: dict[str, object] = {"title": asdict(scenario.title), "mode": scenario.mode}
    play |= {"age": scenario.age, "owner": scenario.owner} if scenario.owner else {"age": scenario.age}
    play |= {"twins": True} if scenario.twins else {}
    play |= {"first": scenario.first, "banners": scenario.banners, "hand": scenario.hand}
    lines = ["[play]", *emit.lines(play), *board_lines(scenario.map, scenario.board)]
    lines += ["", "[rulings]", *emit.lines(scenario.rulings)]
    for force in scenario.forces.values():
        lines += _force_lines(scenario, force)
    for exchange in scenario.exchanges:
        row = {"camp": exchange.camp, "unit": exchange.unit, "to": kind_text(exchange.kind)}
        lines += ["", "[[exchange]]", *emit.lines(row)]
    for special in scenario.plays:
        lines += ["", "[[special]]", *emit.lines({"camp": special.camp, "card": special.card})]
        lines += emit.lines({"choices": special.choices})
    return "\n".join([*lines, *log_lines(scenario.log)]) + "\n"


def _force_lines(scenario: Scenario, force: Force) -> list[str]:
    cards: dict[str, str] = {section: force.cards[section] for section in SECTIONS}
    head: dict[str, object] = {"set": force.set, **cards, "reserve": force.reserve}
    head |= {"council": force.council} if force.council else {}
    head |= {"specialists": force.specialists} if force.specialists else {}
    lines = ["", f"[{force.camp}]", *emit.lines(head), "units = ["]
    return [*lines, *(f"  {emit.value(_unit_row(scenario, unit))}," for unit in force.units), "]"]


def _unit_row(scenario: Scenario, unit: Unit) -> dict[str, object]:
    at = scenario.board.field.name(unit.hex) if unit.hex else OFF_BOARD
    row: dict[str, object] = {"id": unit.id, "hex": at, "unit": kind_text(unit.kind), "card": unit.card}
    row |= {"cell": cell_name(unit.cell), "placed": unit.placed}
    return row | ({"levy": True} if unit.levy else {})


def read(source: Source, origin: Origin, folder: Path) -> Scenario:
    """The scenario of a file; DataError names every fault with its line."""
    body = source.read(_Body)
    reading = BattleReading(source)
    board = reading.board(body.board)
    deck = load_deck(beside("deck", origin, folder, source))
    pool = load_pool(beside("pool", origin, folder, source))
    if body.play.twins:
        deck, pool = twinned(deck), evened(pool)
    title = reading.title(body.play.title)
    reading.rulings(body.rulings, switches())
    mode = reading.one_of(("play", "mode"), body.play.mode, MODES)
    age = reading.one_of(("play", "age"), body.play.age, AGES)
    for i, special in enumerate(body.special):
        reading.one_of(("special", i, "card"), special.card, specialists())
    exchanges = [
        Exchange(row.camp, row.unit, kind)
        for i, row in enumerate(body.exchange)
        if (kind := reading.kind(("exchange", i, "to"), row.to))
    ]
    forces = {
        camp: ForceReader(reading, board, deck, camp, table).force()
        for camp, table in zip(CAMPS, (body.pennant, body.standard), strict=True)
    }
    log = steps(reading, body.log, CAMPS)
    reading.done()
    return Scenario(
        origin=origin,
        title=title,
        mode=mode,
        map=body.board.map or BY_HAND,
        board=board,
        inventory=load_inventory(beside("inventory", origin, folder, source)),
        deck=deck,
        pool=pool,
        rulings=defaults(switches()) | body.rulings,
        forces={camp: force for camp, force in forces.items() if force},
        first=body.play.first,
        banners=body.play.banners,
        hand=body.play.hand,
        log=log,
        age=age,
        owner=body.play.owner,
        exchanges=tuple(exchanges),
        plays=tuple(Play(row.camp, row.card, row.choices) for row in body.special),
        twins=body.play.twins,
    )
