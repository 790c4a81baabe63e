"""Describe the attacks, dangers and hindrances of all units for `muster odds`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

from generator.common.game import OddsReport, OddsTool, exact_odds
from generator.common.tables import decimal, rounded
from generator.games.battlelore.forces import Unit, titled
from generator.games.battlelore.ground import SIDES, Side, side_name, words
from generator.games.battlelore.hindrances import Hindrance, hindrances
from generator.games.battlelore.model import OTHER, Battle
from generator.games.battlelore.prospects import SOMEBODY, AttackOption, Danger, Turn, attack_line, format_hits
from generator.grid.hexes import Hex
from generator.model.words import Words, joined, same

B = TypeVar("B", bound=Battle)


def odds_tool(placed: Callable[[B], Battle] = lambda battle: battle) -> OddsTool[B]:
    """Return the tool for `muster odds`. `placed` returns the battle with its units set up."""

    def describe(battle: B) -> OddsReport:
        turn = Turn(placed(battle))
        return OddsReport(_rows(turn), tuple(_lines(turn)))

    return exact_odds(describe)


def _rows(turn: Turn) -> dict[str, object]:
    name = turn.board.field.name
    dangers = {camp: turn.map_of(camp) for camp in SIDES}

    def unit_row(camp: Side, unit: Unit, cell: Hex) -> dict[str, object]:
        danger = dangers[camp][cell]
        return {
            "id": unit.id,
            "camp": camp,
            "hex": name(cell),
            "danger": {"hits": rounded(danger.hits), "units": danger.units},
            "attacks": [_attack_row(turn, blow) for blow in turn.every if blow.unit == unit],
            "hindered": [_hindrance_row(turn, of) for of in hindrances(turn, cell)],
        }

    return {
        "units": [unit_row(camp, unit, cell) for cell, (camp, unit) in turn.standing.items()],
        "danger": {
            camp: [
                {
                    "hex": name(cell),
                    "units": turn.danger(camp, cell, SOMEBODY["foot"]).units,
                    **{arm: rounded(turn.danger(camp, cell, kind).hits) for arm, kind in SOMEBODY.items()},
                }
                for cell, danger in dangers[camp].items()
                if danger.units
            ]
            for camp in SIDES
        },
    }


def _attack_row(turn: Turn, of: AttackOption) -> dict[str, object]:
    name, way = turn.board.field.name, of.way
    return {
        "target": of.target.id,
        "hex": name(of.at),
        "from": name(way.start),
        "steps": way.steps,
        "ranged": way.ranged,
        "dice": way.roll.dice,
        "ignored": of.nerve.ignored,
        "hits": rounded(way.roll.mean),
        "any": rounded(way.roll.at_least(1)),
        "destroyed": rounded(of.falls),
        "cornered": rounded(of.cornered),
        "emptied": rounded(of.empties),
    }


def _hindrance_row(turn: Turn, of: Hindrance) -> dict[str, object]:
    name, ground = turn.board.field.name, turn.board.ground
    blockers = [
        {"hex": name(cell), "what": "unit", "unit": turn.standing[cell][1].id}
        if cell in turn.standing
        else {"hex": name(cell), "what": ground[cell]}
        for cell in of.blockers
    ]
    return {
        "target": of.target.id,
        "hex": name(of.at),
        "distance": of.distance,
        "range": of.range,
        "blockers": blockers,
        "engaged": of.engaged,
        "wall": of.wall,
        "from": name(of.start) if of.start else None,
        "steps": of.steps,
    }


def _lines(turn: Turn) -> Iterator[Words]:
    texts, first, name = words()["prospects"], turn.battle.first, turn.board.field.name
    for camp in (first, OTHER[first]):
        yield texts["attacks"].fill(camp=side_name(camp))
        able = {blow.unit.id: blow.unit for blow in turn.every if blow.camp == camp}
        for unit in able.values():
            kind = titled(unit, unit.kind.name.low)
            yield texts["unit_at"].fill(unit=unit.id, kind=kind, hex=name(unit.hex) if unit.hex else "")
            yield from (attack_line(turn, blow) for blow in turn.every if blow.unit == unit)
        if idle := [unit.label for unit in turn.of(camp) if unit.id not in able]:
            yield texts["idle"].fill(units=joined(idle))
        dangers = turn.map_of(camp)
        yield texts["danger"].fill(camp=side_name(camp))
        yield from map(same, _picture(turn, camp, dangers))
        feared = [(danger, cell) for cell, danger in dangers.items() if cell in turn.standing and danger.units]
        for danger, cell in sorted(feared, key=lambda row: -row[0].hits):
            unit = turn.standing[cell][1]
            yield texts["feared"].fill(unit=unit.label, hex=name(cell), hits=decimal(danger.hits), n=danger.units)
    yield texts["note"]


def _picture(turn: Turn, camp: Side, dangers: Mapping[Hex, Danger]) -> Iterator[str]:
    """Yield the lines of a text map of the danger, the far row first, with the column letters below."""
    field = turn.board.field

    def cell_text(cell: Hex) -> str:
        there = turn.standing.get(cell)
        if there and there[0] != camp:
            return "#"
        if not turn.board.passable(cell):
            return "~"
        return format_hits(dangers[cell].hits) or "·"

    for row in reversed(range(len(field.rows))):
        cells = "".join(f"{cell_text(cell):>4}" for cell in field.row(row))
        yield f"{row + 1:>3} {'  ' * (row % 2)}{cells}"
    letters = "".join(f"{field.name(cell).rstrip('0123456789'):>4}" for cell in field.row(0))
    yield f"    {letters}"
