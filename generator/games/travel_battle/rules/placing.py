"""Where units stand when the battle begins, and how."""

from __future__ import annotations

from collections.abc import Iterator

from generator.games.travel_battle.numbers import play
from generator.games.travel_battle.play.linking import linked
from generator.games.travel_battle.rules.armies import rule
from generator.games.travel_battle.rules.names import lower, player_name
from generator.games.travel_battle.scenario import AHEAD, Player, Scenario, Unit
from generator.games.words import words
from generator.grid.squares import DIRECTIONS, Square
from generator.rules.rule import Fault


@rule("place.all")
def everybody(scenario: Scenario) -> Iterator[Fault]:
    for _player, unit in _units(scenario):
        if unit.cell is None:
            yield Fault(unit.id, "nowhere", {"unit": unit.id})


@rule("place.rows")
def at_home(scenario: Scenario) -> Iterator[Fault]:
    for player, unit, cell in _standing(scenario):
        if cell not in scenario.home(player):
            values = {"unit": unit.id, "cell": _name(scenario, cell), "n": play().rows, "player": player_name(player)}
            yield Fault(unit.id, "far", values)


@rule("place.ground")
def on_ground(scenario: Scenario) -> Iterator[Fault]:
    for _player, unit, cell in _standing(scenario):
        if not scenario.battlefield.land.admits(cell, unit.kind.arm):
            yield Fault(unit.id, "arm", _values(scenario, unit, cell))


@rule("place.stack")
def stacked(scenario: Scenario) -> Iterator[Fault]:
    # Infantry in square is for place.square.
    for cell, there in scenario.standing.items():
        units = [unit for _player, unit in there]
        name = _name(scenario, cell)
        values = {"cell": name, "units": ", ".join(unit.id for unit in units)}
        if len(units) < 2:
            continue
        if len(units) > 2:
            yield Fault(name, "many", values)
        elif any(unit.kind.arm != "infantry" for unit in units):
            yield Fault(name, "arm", values)
        elif not scenario.battlefield.land.terrain(cell).open:
            yield Fault(name, "ground", values)
        elif scenario.units[units[0].id][:2] != scenario.units[units[1].id][:2]:
            yield Fault(name, "brigade", values)


@rule("place.square")
def in_square(scenario: Scenario) -> Iterator[Fault]:
    for _player, unit, cell in _standing(scenario):
        if not unit.square:
            continue
        if unit.kind.arm != "infantry":
            yield Fault(unit.id, "arm", _values(scenario, unit, cell))
        if not scenario.battlefield.land.terrain(cell).open:
            yield Fault(unit.id, "ground", _values(scenario, unit, cell))
        if len(scenario.standing[cell]) > 1:
            yield Fault(unit.id, "shared", _values(scenario, unit, cell))


@rule("place.link")
def in_chain(scenario: Scenario) -> Iterator[Fault]:
    # A brigade whose brigadier is missing is for other rules.
    for army in scenario.armies.values():
        for brigade in army.brigades:
            leader = brigade.brigadier
            if leader is None or leader.cell is None:
                continue
            chain = linked(leader.cell, (unit.cell for unit in brigade.units if unit.cell is not None))
            for unit in brigade.units:
                if unit.cell is not None and unit.cell not in chain:
                    yield Fault(unit.id, "apart", _values(scenario, unit, unit.cell))


@rule("place.facing")
def facing(scenario: Scenario) -> Iterator[Fault]:
    for player, unit in _units(scenario):
        ahead = [(AHEAD[player] + slant) % len(DIRECTIONS) for slant in (-1, 0, 1)]
        if unit.facing not in ahead:
            direction = words("travel_battle")["direction"][DIRECTIONS[unit.facing]]
            yield Fault(unit.id, "away", {"unit": unit.id, "direction": direction})


def _units(scenario: Scenario) -> Iterator[tuple[Player, Unit]]:
    for player, army in scenario.armies.items():
        yield from ((player, unit) for unit in army.units)


def _standing(scenario: Scenario) -> Iterator[tuple[Player, Unit, Square]]:
    for player, unit in _units(scenario):
        if unit.cell is not None:
            yield player, unit, unit.cell


def _name(scenario: Scenario, cell: Square) -> str:
    return scenario.battlefield.land.field.name(cell)


def _values(scenario: Scenario, unit: Unit, cell: Square) -> dict[str, object]:
    """A unit and where it stands, as reasons tell it."""
    return {
        "unit": unit.id,
        "kind": lower(unit.kind.name),
        "cell": _name(scenario, cell),
        "ground": lower(scenario.battlefield.land.terrain(cell).name),
    }
