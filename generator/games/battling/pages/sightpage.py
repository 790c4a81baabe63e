"""The sight page: from the hex where each machine starts, what it sees and what of it is in range."""

from __future__ import annotations

from dataclasses import dataclass, replace

from generator.games.battling.pages.mapsheet import arena_view, token
from generator.games.battling.pages.sheetfile import sheet_file
from generator.games.battling.pages.spans import large, round_about
from generator.games.battling.scenario import OTHER, Machine, Scenario, Side
from generator.games.words import words
from generator.grid.columns import Numbered, distance
from generator.model.views import Figure, Legend, MapView, Ray, Shade, Sheet

IN_RANGE, FAR = "cover", "seen"
"""How hexes are shaded that a machine sees in range, and out of range."""
FEW, ACROSS = 4, 3
"""With more maps than the first they stand so many side by side."""
ON_A_PAGE = 9
HIGH, MIDDLE, LOW = 84, 62, 55
"""The height of a map in mm: of few, of more, and where three rows of them share their page with the table."""


@dataclass(frozen=True)
class Look:
    """What a machine sees from where it starts, of the hexes that may be entered."""

    side: Side
    machine: Machine
    near: tuple[Numbered, ...]
    """In sight and in its range."""
    far: tuple[Numbered, ...]
    """In sight, out of its range."""
    hidden: tuple[Numbered, ...]


def looks(scenario: Scenario) -> tuple[Look, ...]:
    """The look of every machine, the first player's first."""
    return tuple(_look(scenario, side, machine) for side, machine in scenario.machines)


def _look(scenario: Scenario, side: Side, machine: Machine) -> Look:
    arena, pack = scenario.arena, scenario.pack
    cells = [cell for cell in arena.open_cells if cell != machine.cell]
    seen = [cell for cell in cells if arena.in_sight(machine.cell, cell)]
    near = tuple(cell for cell in seen if pack.number(machine.kind, distance(machine.cell, cell)))
    far = tuple(cell for cell in seen if not pack.number(machine.kind, distance(machine.cell, cell)))
    hidden = tuple(cell for cell in cells if not arena.in_sight(machine.cell, cell))
    return Look(side, machine, near, far, hidden)


def look_view(scenario: Scenario, look: Look) -> MapView:
    """A small map of what is seen, with a line to each enemy and the place where it is stopped.

    Of a large arena it shows the hexes round the machine, as far as it can shoot.
    """
    kinds, field = scenario.pack.machines, scenario.arena.field
    start = look.machine.cell
    enemies = scenario.squads[OTHER[look.side]].machines
    counters = [(look.side, look.machine), *((OTHER[look.side], enemy) for enemy in enemies)]
    tokens = tuple((m.cell, token(side, kinds[m.kind], m.id[1:])) for side, m in counters)
    reach = min(scenario.pack.range, sheet_file().around)
    span = round_about(field, start, reach) if large(field) else None
    view = arena_view(scenario.arena, tokens, span)
    seen = (
        (name, tuple(c for c in cells if c in view.grid)) for name, cells in ((IN_RANGE, look.near), (FAR, look.far))
    )
    shades = tuple(Shade(name, cells) for name, cells in seen if cells)
    there = (enemy.cell for enemy in enemies if enemy.cell in view.grid)
    rays = tuple(_ray(scenario, start, cell) for cell in there if cell != start)
    return replace(view, names=False, shades=shades, rays=rays)


def _ray(scenario: Scenario, start: Numbered, end: Numbered) -> Ray:
    met = scenario.arena.sight(start, end).blocked_at
    return Ray(start, end, stop_at=(float(met[0]), float(met[1])) if met else None)


def sight_sheet(scenario: Scenario) -> Sheet:
    """What each machine sees before the first move, and the distances between all of them."""
    say, found = words("battling")["looks"], looks(scenario)
    figures: dict[str, Figure] = {look.machine.id: look_view(scenario, look) for look in found}
    key = (Legend(IN_RANGE, say["near"]), Legend(FAR, say["far"]), Legend("ray", say["ray"]))
    figures["key"] = replace(arena_view(scenario.arena), names=False, legend=(*key, Legend("break", say["break"])))
    across = 2 if len(found) <= FEW else ACROSS
    return Sheet(
        part="sight",
        title=say["title"],
        template="battling/looks.xml",
        view={
            "across": across,
            "around": say["around"] if large(scenario.arena.field) else None,
            "size": ON_A_PAGE,
            "tall": _tall(len(found)),
            "rows": [_row(scenario, look) for look in found],
            "heads": [machine.id for machine in scenario.squads["second"].machines],
            "table": [_distances(scenario, machine) for machine in scenario.squads["first"].machines],
        },
        figures=figures,
        pages=-(-len(found) // ON_A_PAGE),
    )


def _tall(count: int) -> int:
    if count <= FEW:
        return HIGH
    return LOW if 2 * ACROSS < count <= ON_A_PAGE else MIDDLE


def _row(scenario: Scenario, look: Look) -> dict[str, object]:
    say, machine = words("battling")["looks"], look.machine
    seen, whole = len(look.near) + len(look.far), len(look.near) + len(look.far) + len(look.hidden)
    kind = scenario.pack.machines[machine.kind]
    return {
        "id": machine.id,
        "head": say["head"].fill(id=machine.id, name=kind.name, hex=scenario.arena.field.name(machine.cell)),
        "sees": say["sees"].fill(n=seen, m=whole, near=len(look.near)),
    }


def _distances(scenario: Scenario, machine: Machine) -> dict[str, object]:
    """How far the second player's machines are from one of the first player's, and whether they see each other."""
    say, arena = words("battling")["looks"], scenario.arena
    cells = []
    for enemy in scenario.squads["second"].machines:
        far, met = distance(machine.cell, enemy.cell), arena.sight(machine.cell, enemy.cell).blocked_at
        where = arena.field.holding(*met) if met else ()
        cells.append(say["hidden"].fill(n=far, hex=arena.field.name(where[0])) if where else say["open"].fill(n=far))
    return {"id": machine.id, "cells": cells}
