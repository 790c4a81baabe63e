"""Tests of rules that hold in every battle on a BattleLore board; each game binds them to texts of its own."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from generator.games.battlelore.battle import Battle
from generator.games.battlelore.forces.council import Council, council_tables
from generator.games.battlelore.ground.board import Camp
from generator.games.battlelore.lore import lore
from generator.games.battlelore.words import camp_name
from generator.grid.hexes import Hex
from generator.rules.rule import Fault


def passable(battle: Battle) -> Iterator[Fault]:
    """No unit on impassable ground; reason `impassable`."""
    for _, unit in battle.units:
        if unit.hex and not battle.board.passable(unit.hex):
            ground = lore().terrain[battle.board.ground[unit.hex]].name
            values = {"unit": unit.id, "hex": battle.board.field.name(unit.hex), "ground": ground}
            yield Fault(unit.id, "impassable", values)


def alone(battle: Battle) -> Iterator[Fault]:
    """One unit a hex; reason `stacked`."""
    on: dict[Hex, list[str]] = defaultdict(list)
    for _, unit in battle.units:
        if unit.hex:
            on[unit.hex].append(unit.id)
    for cell, ids in on.items():
        if len(ids) > 1:
            yield Fault(battle.board.field.name(cell), "stacked", {"units": ", ".join(ids)})


def off_shared(battle: Battle) -> Iterator[Fault]:
    """No unit on a hex of two sections; reason `shared`."""
    for _, unit in battle.units:
        if unit.hex and battle.board.plan.shared(unit.hex):
            yield Fault(unit.id, "shared", {"unit": unit.id, "hex": battle.board.field.name(unit.hex)})


def banners(battle: Battle) -> Iterator[Fault]:
    """Victory banners within bounds; reason `range`."""
    if battle.banners not in lore().play.banners:
        yield Fault("play", "range", {"banners": battle.banners})


def hand(cards: int) -> Iterator[Fault]:
    """A command hand within bounds; reason `range`."""
    if cards not in lore().play.hand:
        yield Fault("play", "range", {"hand": cards})


def councils(of: Mapping[Camp, Council], lore_game: bool) -> Iterator[Fault]:
    """War councils in Lore games only, each sharing out all levels; reasons `medieval`, `sum`, `seat`."""
    tables = council_tables()
    for camp, council in of.items():
        values: dict[str, object] = {"camp": camp_name(camp), "n": tables.levels}
        if not lore_game:
            if council:
                yield Fault(camp, "medieval", values)
            continue
        if sum(council.values()) != tables.levels:
            yield Fault(camp, "sum", values | {"have": sum(council.values())})
        for seat in tables.seats:
            level = council.get(seat, 0)
            if level not in tables.bounds(seat):
                yield Fault(camp, "seat", values | {"seat": tables.name(seat), "have": level})
