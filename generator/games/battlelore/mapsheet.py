"""The battle map as a view: looks for the ground, tokens for the units, and a legend of what is on it."""

from __future__ import annotations

from collections.abc import Iterable

from generator.games.battlelore.board import Board, Camp, flows
from generator.games.battlelore.lore import lore
from generator.games.battlelore.units import Kind, Unit
from generator.games.battlelore.words import words
from generator.grid.hexes import Hex
from generator.model.views import Legend, MapView, Ray, Shade, Token
from generator.model.words import Words

CampUnit = tuple[Camp, Unit]


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
    names: bool = True,
) -> MapView:
    """The board with these units on it."""
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
        names=names,
        legend=legend(board, units) if names else (),
        edges=(far, words()["map"]["near"]) if names else None,
    )


def grounds(board: Board) -> tuple[str, ...]:
    """The kinds of terrain and features on the map, in the tables' order, countryside left out."""
    tables = lore()
    used = {board.ground[c] for c in board.field.cells} | set(board.features.values())
    return tuple(i for i in (*tables.terrain, *tables.features) if i in used and tables.kind(i).told)


def legend(board: Board, units: Iterable[CampUnit] = ()) -> tuple[Legend, ...]:
    """What is on the map: its terrain, then every kind of unit, a camp at a time."""
    ground = [Legend(i, lore().kind(i).name) for i in grounds(board)]
    kinds: dict[tuple[Camp, Kind], Words] = {}
    for camp, unit in units:
        if unit.hex:
            kinds.setdefault((camp, unit.kind), unit.kind.name)
    order = list(lore().banners), list(lore().weapons), list(lore().races)
    rows = sorted(
        kinds,
        key=lambda row: (
            row[0],
            order[1].index(row[1].weapon),
            order[2].index(row[1].race),
            order[0].index(row[1].banner),
        ),
    )
    return (*ground, *(Legend(token(camp, kind), kinds[camp, kind]) for camp, kind in rows))


def hex_name(board: Board, cell: Hex | None) -> str:
    """A hex by name; a dash for none."""
    return board.field.name(cell) if cell else "–"
