"""The data files of Blind Faith, for `muster data`."""

from __future__ import annotations

from pathlib import Path

from generator.errors import Problem
from generator.games.blind_faith.ground.maps import house_maps, load_map, picture, read_file
from generator.games.blind_faith.ground.terrain import place_kinds, terrain_source, terrains
from generator.games.blind_faith.numbers import play
from generator.games.blind_faith.packshelf import PACK_SHELVES
from generator.games.blind_faith.pages.mapsheet import land_view
from generator.games.blind_faith.words import side_name
from generator.games.capability import Shelf
from generator.games.shelving import Rows, faults, headed, lying, own, table
from generator.model.views import MapView
from generator.model.words import Lang, Words
from generator.notation.toml import Source


def _map(of: str | Path, lang: Lang) -> Rows:
    path = own(of)
    found = load_map(path) if path else house_maps()[str(of)]
    rows = [
        [headed(found, lang)],
        [found.note[lang]],
        *([line] for line in picture(found.map).splitlines()),
    ]
    named = [(found.map.name(cell), place) for cell, place in found.map.places.items()]
    return [*rows, [""], *([name, place.what.name[lang], place.name[lang]] for name, place in named)]


def _map_problems(source: Source) -> list[Problem]:
    """What keeps a map from being read, or else from being a good one (docs/formats/operational_map.md)."""
    if found := faults(read_file)(source):
        return found
    land = read_file(source).map
    parts = land.parts()
    cut = [f"{' '.join(map(land.name, sorted(part)))}: cannot be reached from the rest" for part in parts[1:]]
    cut += [] if parts else ["there is no hex that can be entered"]
    wet = [source.problem(("places", land.name(c)), "nobody enters it") for c in land.places if not land.passable(c)]
    return [*(source.problem(("rows",), why) for why in cut), *wet]


def _view(of: str | Path) -> MapView:
    return land_view((load_map(of) if isinstance(of, Path) else house_maps()[of]).map)


def _terrain(lang: Lang) -> Rows:
    rows = [["", "", "", "move", terrain_source()]]
    rows += [[t.symbol, t.id, t.name[lang], "-" if t.move is None else str(t.move)] for t in terrains().values()]
    return [*rows, [""], *([kind.id, kind.name[lang]] for kind in place_kinds().values())]


def _armies(lang: Lang) -> Rows:
    tables = play()
    rows = [["points", f"{tables.points.least}–{tables.points.most}", tables.source], [""]]
    for army in tables.army:
        rows.append([army.id, army.name[lang], side_name(army.side)[lang], " / ".join(army.kinds) or "-"])
        rows += [["", unit, str(weight)] for unit, weight in army.units.items()]
    rows += [[""], *([leader.id, leader.name[lang], side_name(leader.side)[lang]] for leader in tables.leader)]
    return rows


SHELVES = (
    Shelf(
        "map",
        lambda: {name: m.name for name, m in house_maps().items()},
        _map,
        _map_problems,
        ("rows", "places"),
        _view,
        lying("blind_faith", "maps"),
        ("map",),
        what=Words("map", "マップ"),
        read=read_file,
    ),
    table("march-terrain", Words("Ground and what it costs to enter", "地形と進入コスト"), _terrain),
    table("hosts", Words("Armies and leaders", "軍の編成と指揮官"), _armies),
    *PACK_SHELVES,
)
