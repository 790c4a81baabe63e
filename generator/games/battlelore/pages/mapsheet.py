"""The battle map as a view: looks for the ground, tokens for the units, and a legend of what is on it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TypeVar

from generator.games.battlelore.battle import CampUnit
from generator.games.battlelore.forces.units import Kind, Unit
from generator.games.battlelore.ground.board import CAMPS, Board, Camp, flows
from generator.games.battlelore.lore import lore
from generator.games.battlelore.words import words
from generator.grid.field import HexField
from generator.grid.hexes import Hex
from generator.model.views import Legend, MapView, Ray, Shade, Token

T = TypeVar("T")


def token(camp: Camp, kind: Kind, label: str = "", *, levy: bool = False) -> Token:
    """A unit's counter; badges tell a people that is not human, and a mount."""
    badges = [kind.race] * (kind.race != "human") + ["mounted"] * (kind.arm == "mounted")
    return Token(camp, kind.banner, kind.weapon, label, " ".join(badges), "levy" if levy else "")


def unit_token(camp: Camp, unit: Unit) -> Token:
    """The counter of a unit on the map."""
    return token(camp, unit.kind, unit.id, levy=unit.levy)


def map_view(
    board: Board,
    units: Iterable[CampUnit] = (),
    *,
    shades: tuple[Shade, ...] = (),
    rays: tuple[Ray, ...] = (),
    small: bool = False,
) -> MapView:
    """The board with these units on it; a small map goes without legend and the words at its edges."""
    units = tuple(units)
    far = words()["map"]["far"].fill(row=len(board.field.rows))
    return MapView(
        grid=board.field,
        ground=board.ground,
        features=board.features,
        flows=flows(board),
        walls=board.walls,
        borders=board.plan.borders(),
        tokens=tuple((unit.hex, unit_token(camp, unit)) for camp, unit in units if unit.hex),
        shades=shades,
        rays=rays,
        legend=() if small else legend(board, units),
        edges=None if small else (far, words()["map"]["near"]),
    )


def part(view: MapView, grid: HexField) -> MapView:
    """A part of a map: what lies on the hexes of that field."""

    def here(of: Mapping[Hex, T]) -> dict[Hex, T]:
        return {cell: what for cell, what in of.items() if cell in grid}

    return replace(
        view,
        grid=grid,
        ground=here(view.ground),
        features=here(view.features),
        flows=here(view.flows),
        walls=here(view.walls),
        borders=(),
        tokens=tuple(row for row in view.tokens if row[0] in grid),
    )


def grounds(board: Board) -> tuple[str, ...]:
    """The kinds of terrain and features on the map, in the tables' order, countryside left out."""
    tables = lore()
    used = {board.ground[c] for c in board.field.cells} | set(board.features.values())
    return tuple(i for i in (*tables.terrain, *tables.features) if i in used and tables.kind(i).told)


def legend(board: Board, units: Iterable[CampUnit] = ()) -> tuple[Legend, ...]:
    """What is on the map: terrain, section lines, then how to read a token: camp, banner, weapon and race."""
    tables, say = lore(), words()
    rows = [Legend(i, tables.kind(i).name) for i in grounds(board)]
    rows.append(Legend("section", say["map"]["section"]))
    units = [(camp, unit) for camp, unit in units if unit.hex]
    standing = [(camp, unit.kind) for camp, unit in units]
    if not standing:
        return tuple(rows)
    example = Kind("blue", "short_sword", "human")
    rows += [Legend(token(camp, example), say["camp"][camp]) for camp in CAMPS]
    for banner in tables.banners.values():
        if any(kind.banner == banner.id for _, kind in standing):
            text = say["map"]["banner"].fill(banner=banner.name, letter=banner.letter, dice=banner.dice)
            rows.append(Legend(token("pennant", Kind(banner.id, "short_sword", "human")), text))
    carried = {(kind.weapon, kind.race): (camp, kind) for camp, kind in reversed(standing)}
    order = list(tables.weapons), list(tables.races)
    for weapon, race in sorted(carried, key=lambda pair: (order[0].index(pair[0]), order[1].index(pair[1]))):
        camp, kind = carried[weapon, race]
        rows.append(Legend(token(camp, kind), kind.plain_name))
    if levy := next(((camp, unit.kind) for camp, unit in units if unit.levy), None):
        rows.append(Legend(token(*levy, levy=True), say["map"]["levy"]))
    return tuple(rows)


def hex_name(board: Board, cell: Hex | None) -> str:
    """A hex by name; a dash for none."""
    return board.field.name(cell) if cell else "–"
