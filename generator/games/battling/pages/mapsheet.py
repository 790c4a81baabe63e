"""The arena as a view: streets and closed hexes, silhouettes over them, tokens for the machines, and a legend."""

from __future__ import annotations

from dataclasses import replace

from generator.games.battling.forces.machines import MachineKind
from generator.games.battling.ground.arena import Arena, Edge
from generator.games.battling.pages.spans import Section
from generator.games.battling.play.orders import side_name
from generator.games.battling.scenario import SIDES, Scenario, Side
from generator.games.words import words
from generator.grid.columns import Numbered, corners
from generator.grid.grid import Part
from generator.model.views import Area, Legend, MapView, Token
from generator.model.words import Words
from generator.sight.outlines import outlines

STREET, CLOSED, SILHOUETTE = "street", "closed", "silhouette"
"""Looks: of hexes that may be entered, of those that may not, of buildings."""


def token(side: Side, kind: MachineKind, label: str = "") -> Token:
    """A machine's counter: shape tells the side, symbol and caption the type."""
    return Token(side, "plain", kind.symbol, label, caption=kind.caption)


def arena_view(arena: Arena, tokens: tuple[tuple[Numbered, Token], ...] = (), span: Section | None = None) -> MapView:
    """The arena, or a part of it, with those of these tokens that stand there, without legend or edges."""
    cells = arena.field.cells if span is None else span.cells
    fine, here = arena.fine, set(cells)
    within = [tuple((fine * x, fine * y) for x, y in corners(cell)) for cell in cells] if span else []
    return MapView(
        grid=Part(arena.field, cells) if span else arena.field,
        ground={cell: CLOSED if arena.closed(cell) else STREET for cell in cells},
        areas=tuple(Area(SILHOUETTE, rings) for rings in outlines(arena.silhouettes, fine, within)),
        tokens=tuple((cell, token) for cell, token in tokens if cell in here),
    )


def map_view(scenario: Scenario, *, small: bool = False) -> MapView:
    """The arena with both squads on it; a small map goes without names, legend and the words at its edges."""
    kinds = scenario.pack.machines
    tokens = tuple((m.cell, token(side, kinds[m.kind], m.id[1:])) for side, m in scenario.machines)
    view = arena_view(scenario.arena, tokens)
    if small:
        return replace(view, names=False)
    return replace(view, legend=legend(scenario), edges=(_edge(scenario, "N"), _edge(scenario, "S")))


def legend(scenario: Scenario) -> tuple[Legend, ...]:
    """What is on the map: closed hexes, and each side's machines by type."""
    say = words("battling")["map"]
    rows = [Legend(CLOSED, say["closed"])] if len(scenario.arena.open_cells) < len(scenario.arena.field.cells) else []
    for side in SIDES:
        here = dict.fromkeys(machine.kind for machine in scenario.squads[side].machines)
        for kind in map(scenario.pack.machines.__getitem__, here):
            text = say["machine"].fill(name=kind.name, side=side_name(side))
            rows.append(Legend(token(side, kind), text))
    return tuple(rows)


def _edge(scenario: Scenario, edge: Edge) -> Words:
    """Whose edge it is; only which, where no squad starts there."""
    say = words("battling")
    for side, squad in scenario.squads.items():
        if squad.edge == edge:
            return say["map"]["own_edge"].fill(edge=say["edge"][edge], side=side_name(side))
    return say["map"]["edge"].fill(edge=say["edge"][edge])
