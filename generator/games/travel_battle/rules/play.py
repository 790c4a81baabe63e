"""What wins, how long the battle lasts, and by which rulings it is played."""

from __future__ import annotations

from collections.abc import Iterator

from generator.games.rulings import rulings
from generator.games.travel_battle.objectives import armies_of, kinds, limits, zone
from generator.games.travel_battle.rules.armies import rule
from generator.games.travel_battle.rules.names import player_name
from generator.games.travel_battle.scenario import BRIGADES, Scenario
from generator.grid.squares import Square
from generator.model.words import joined, same
from generator.rules.rule import Fault


@rule("play.objective")
def objective(scenario: Scenario) -> Iterator[Fault]:
    of = scenario.objective
    goal = kinds().get(of.kind)
    if goal is None and of.kind != BRIGADES:
        yield Fault("objective", "kind", {"kind": of.kind})
        return
    name = goal.name if goal else of.kind
    if goal and of.player is None:
        yield Fault("objective", "player", {"kind": name})
    about = goal.about if goal else "nothing"
    idle = (
        goal is None and (of.player is not None or of.count != 0),
        of.cells and about != "zone",
        of.units and about != "units",
    )
    if any(idle):
        yield Fault("objective", "idle", {"kind": name})
    if goal and of.player:
        scale = armies_of(scenario.armies[of.player]) if goal.scales else 1
        least, most = goal.count.least * scale, goal.count.most * scale
        if not least <= of.count <= most:
            yield Fault("objective", "count", {"kind": name, "n": of.count, "least": least, "most": most})


@rule("play.zone")
def ground_to_hold(scenario: Scenario) -> Iterator[Fault]:
    of, land = scenario.objective, scenario.battlefield.land
    if of.kind not in kinds() or kinds()[of.kind].about != "zone":
        return
    cells = frozenset(of.cells)
    values = {"cells": " ".join(map(land.field.name, of.cells)), "size": zone().size, "n": zone().ends}
    if not _block(of.cells, zone().size):
        yield Fault("objective", "shape", values)
        return
    if {land.field.rows - 1 - cell.r for cell in cells} != {cell.r for cell in cells}:
        yield Fault("objective", "middle", values)
    if any(not zone().ends <= cell.c < land.field.columns - zone().ends for cell in cells):
        yield Fault("objective", "ends", values)
    if not all(land.admits(cell, "artillery") for cell in cells):
        yield Fault("objective", "ground", values)


@rule("play.ward")
def wards(scenario: Scenario) -> Iterator[Fault]:
    of = scenario.objective
    if of.kind not in kinds() or kinds()[of.kind].about != "units":
        return
    if len(set(of.units)) != of.count:
        yield Fault("objective", "count", {"n": len(set(of.units)), "want": of.count})
    for name in of.units:
        player, _brigade, unit = scenario.units.get(name, (None, None, None))
        if unit is None or (of.player and player != of.player):
            yield Fault(name, "stranger", {"unit": name, "player": player_name(of.player)})
        elif not unit.kind.fights:
            yield Fault(name, "brigadier", {"unit": name})
        elif unit.cell is None:
            yield Fault(name, "nowhere", {"unit": name})


@rule("play.turns")
def last_turn(scenario: Scenario) -> Iterator[Fault]:
    open_to = limits(scenario.objective.kind)
    if scenario.turns not in open_to:
        known = joined([same(turns) for turns in sorted(open_to)])
        yield Fault("play", "other", {"turns": scenario.turns, "limits": known})


@rule("play.rulings")
def ruled(scenario: Scenario) -> Iterator[Fault]:
    switches = rulings("travel_battle")
    for name in switches:
        if name not in scenario.rulings:
            yield Fault("rulings", "missing", {"ruling": name})
    for name, choice in scenario.rulings.items():
        if name not in switches:
            yield Fault("rulings", "unknown", {"ruling": name})
        elif choice not in [known.id for known in switches[name].choice]:
            yield Fault("rulings", "choice", {"ruling": name, "choice": choice})


def _block(cells: tuple[Square, ...], size: int) -> bool:
    """Whether these are the squares of a block, `size` along each side."""
    if not cells:
        return False
    corner = Square(min(cell.c for cell in cells), min(cell.r for cell in cells))
    block = {corner + Square(i, k) for i in range(size) for k in range(size)}
    return len(cells) == len(block) and set(cells) == block
