"""Print the hexes that each machine can see from its starting hex."""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from generator.games.battling.maps import (
    arena_view,
    large,
    section_around,
    sheet_file,
    token,
)
from generator.games.battling.model import (
    OTHER,
    Machine,
    Scenario,
    Side,
)
from generator.games.battling.tables import words
from generator.grid.columns import Numbered, distance
from generator.model.legends import BREAK, RAY, keep_drawn
from generator.model.views import Figure, Legend, MapView, Ray, Shade, Sheet

IN_RANGE, FAR = "cover", "seen"
"""The shades of visible hexes in range and out of range."""


class _Looks(NamedTuple):
    """A layout of the machines' maps on pages."""

    max_machines: int
    """The maximum number of machines for this layout."""
    across: int
    size: int
    """The number of maps on a page."""
    tall: int
    """The height of a map, in mm."""


_LOOKS = (_Looks(2, 1, 2, 94), _Looks(4, 2, 4, 84), _Looks(6, 2, 6, 58), _Looks(9, 3, 9, 55))
"""The layouts, from few to many machines. More machines than the last layout allows are printed on several pages."""


class Sighting(Struct, frozen=True):
    """The open hexes that a machine can see from its starting hex."""

    side: Side
    machine: Machine
    near: tuple[Numbered, ...]
    """The visible hexes in range."""
    far: tuple[Numbered, ...]
    """The visible hexes out of range."""
    hidden: tuple[Numbered, ...]


def looks(scenario: Scenario) -> tuple[Sighting, ...]:
    """Return the visible hexes of every machine, the first player's machines first."""
    return tuple(_look(scenario, side, machine) for side, machine in scenario.machines)


def _look(scenario: Scenario, side: Side, machine: Machine) -> Sighting:
    arena, pack = scenario.arena, scenario.pack
    cells = [cell for cell in arena.open_cells if cell != machine.cell]
    seen = [cell for cell in cells if arena.in_sight(machine.cell, cell)]
    near = tuple(cell for cell in seen if pack.number(machine.kind, distance(machine.cell, cell)))
    far = tuple(cell for cell in seen if not pack.number(machine.kind, distance(machine.cell, cell)))
    hidden = tuple(cell for cell in cells if not arena.in_sight(machine.cell, cell))
    return Sighting(side, machine, near, far, hidden)


def look_view(scenario: Scenario, look: Sighting) -> MapView:
    """Return a small map of the visible hexes, with a line to each enemy and the points where lines are blocked.

    For a large arena, the map shows the hexes around the machine up to its range.
    """
    kinds, field = scenario.pack.machines, scenario.arena.field
    start = look.machine.cell
    enemies = scenario.squads[OTHER[look.side]].machines
    counters = [(look.side, look.machine), *((OTHER[look.side], enemy) for enemy in enemies)]
    tokens = tuple((m.cell, token(side, kinds[m.kind], m.id[1:])) for side, m in counters)
    reach = min(scenario.pack.range, sheet_file().around)
    span = section_around(field, start, reach) if large(field) else None
    view = arena_view(scenario.arena, tokens, span)
    seen = (
        (name, tuple(c for c in cells if c in view.grid)) for name, cells in ((IN_RANGE, look.near), (FAR, look.far))
    )
    shades = tuple(Shade(name, cells) for name, cells in seen if cells)
    there = (enemy.cell for enemy in enemies if enemy.cell in view.grid)
    rays = tuple(_ray(scenario, start, cell) for cell in there if cell != start)
    return replace(view, names=False, shades=shades, rays=rays)


def _ray(scenario: Scenario, start: Numbered, end: Numbered) -> Ray:
    stop = scenario.arena.sight(start, end).blocked_at
    return Ray(start, end, stop_at=(float(stop[0]), float(stop[1])) if stop else None)


def sight_sheet(scenario: Scenario) -> Sheet:
    """Return the sheet with the view of each machine before the first move, and the distances between machines."""
    texts, found = words()["looks"], looks(scenario)
    maps = {look.machine.id: look_view(scenario, look) for look in found}
    entries = {IN_RANGE: "near", FAR: "far", RAY: "ray", BREAK: "break"}
    legend = keep_drawn((Legend(look, texts[word]) for look, word in entries.items()), *maps.values())
    figures: dict[str, Figure] = {**maps, "key": replace(arena_view(scenario.arena), names=False, legend=legend)}
    layout = next((layout for layout in _LOOKS if len(found) <= layout.max_machines), _LOOKS[2])
    return Sheet(
        part="sight",
        title=texts["title"],
        template="battling/looks.xml",
        view={
            "across": layout.across,
            "around": texts["around"] if large(scenario.arena.field) else None,
            "size": layout.size,
            "tall": layout.tall,
            "rows": [_row(scenario, look) for look in found],
            "heads": [machine.id for machine in scenario.squads["second"].machines],
            "table": [_distances(scenario, machine) for machine in scenario.squads["first"].machines],
        },
        figures=figures,
        pages=max(-(-len(found) // layout.size), 1),
    )


def _row(scenario: Scenario, look: Sighting) -> dict[str, object]:
    texts, machine = words()["looks"], look.machine
    seen, whole = len(look.near) + len(look.far), len(look.near) + len(look.far) + len(look.hidden)
    kind = scenario.pack.machines[machine.kind]
    return {
        "id": machine.id,
        "head": texts["head"].fill(id=machine.label, name=kind.name, hex=scenario.arena.field.name(machine.cell)),
        "sees": texts["sees"].fill(n=seen, m=whole, near=len(look.near)),
    }


def _distances(scenario: Scenario, machine: Machine) -> dict[str, object]:
    """Return the distances from a machine of the first player to its enemies, and whether each is in sight."""
    texts, arena = words()["looks"], scenario.arena
    cells = []
    for enemy in scenario.squads["second"].machines:
        ends = machine.cell, enemy.cell
        far, where = distance(*ends), arena.stopped_in(*ends, arena.sight(*ends))
        cells.append(
            texts["hidden"].fill(n=far, hex=arena.field.name(where[0])) if where else texts["open"].fill(n=far)
        )
    return {"id": machine.id, "cells": cells}
