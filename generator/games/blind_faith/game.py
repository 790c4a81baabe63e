"""Blind Faith as a game of Muster, with its data files: packs, maps, rulings and policies."""

from __future__ import annotations

from msgspec.structs import replace

from generator.common.catalogue import (
    Rows,
    column_headings,
    ground_rows,
    map_content_type,
    rulings_content_type,
    single_file_content_type,
    table_content_type,
    terrain_names_type,
    title_and_source,
)
from generator.common.game import Game, score
from generator.common.search import draw_with_search, search_options
from generator.errors import Problem
from generator.games.blind_faith import advice
from generator.games.blind_faith.draw import draw, draw_options
from generator.games.blind_faith.export import export
from generator.games.blind_faith.fairness import FAIRNESS
from generator.games.blind_faith.file import ScenarioFile, read, write
from generator.games.blind_faith.ground import MAPS, DrawnMap, OpMap, brushes, picture, side_name, words
from generator.games.blind_faith.imported import MAP_IMPORT, NAMES
from generator.games.blind_faith.maps import MOVES, QUERY, op_map_view
from generator.games.blind_faith.model import Scenario, numbers
from generator.games.blind_faith.pages.sheets import RULING_IMPACTS, kit, printables, story
from generator.games.blind_faith.players import PLAYING
from generator.games.blind_faith.rounds import hits, losses, outcomes, policies
from generator.games.blind_faith.rules import rules
from generator.games.blind_faith.tables import (
    PACK,
    SIDES,
    Pack,
    PackFile,
    Side,
    blank_form,
    by_symbol,
    house_form,
    place_kinds,
    terrain_source,
    terrains,
)
from generator.localization import tr
from generator.model.words import Lang, Words
from generator.notation.toml import Source


def _pack(pack: Pack, lang: Lang) -> Rows:
    rows = [[title_and_source(pack, lang)], [pack.note[lang]], *_units(pack, lang), [""]]
    for name, shots, columns in (("fire", pack.fire, pack.types), ("bombard", pack.bombard, pack.walls)):
        lines = dict.fromkeys(row for row, _ in shots)
        rows.append([name, *(column.name[lang] for column in columns)])
        names = {kind.id: kind.name[lang] for kind in pack.types}
        rows += [[names[line], *(hits(shots[line, column.id])[lang] for column in columns)] for line in lines]
        rows.append([""])
    rows.append(column_headings(lang, "charge", "defender", "charger"))
    for die, result in enumerate(pack.charge.results, pack.charge.lowest):
        rows.append([str(die), *(outcomes()[fate].name[lang] for fate in result)])
    rows += [
        [""],
        [
            *column_headings(lang, "response"),
            *map(str, range(1, 1 + max(len(c.results) for c in pack.response.columns))),
        ],
    ]
    for column, (first, last) in zip(pack.response.columns, pack.response.bounds(), strict=True):
        rows.append([f"{first}–{last}" if last else f"{first}+", *(losses(cost)[lang] for cost in column.results)])
    return rows


def _units(pack: Pack, lang: Lang) -> Rows:
    rows = [column_headings(lang, "", "", "side", "movement", "drm", "points", "fires")]
    rows += [
        [
            *(unit.id, unit.name[lang], " / ".join(unit.sides)),
            *(str(unit.movement), f"{unit.drm:+d}", str(unit.points), " / ".join(unit.fires) or "-"),
        ]
        for unit in pack.units.values()
    ]
    return rows


def _policies(lang: Lang) -> Rows:
    return [[policy.id, policy.name[lang], policy.text[lang]] for policy in policies().values()]


_FORMS = {"blank-pack": Words("A pack to fill in", "記入用のパック")}

PACK_SHELVES = (
    replace(
        single_file_content_type(
            "pack",
            "house-pack",
            PACK,
            _pack,
            Words("unit values and tables", "ユニットの数値と戦闘結果表"),
            PackFile,
            marks=("unit", "fire", "charge"),
        ),
        file=lambda name: blank_form() if name in _FORMS else house_form(),
        forms=_FORMS,
    ),
    rulings_content_type("blind-faith-rulings", Words("Rulings", "裁定"), "blind_faith", fixed=False),
    table_content_type("policies", Words("Policies of the odds", "勝率計算の方針"), _policies),
)
"""The data files that concern battles."""


def _map(found: DrawnMap, lang: Lang) -> Rows:
    rows = ground_rows(found, picture(found.ground), lang)
    places = [(found.ground.name(cell), place) for cell, place in found.ground.places.items()]
    return [*rows, [""], *([name, place.what.name[lang], place.name[lang]] for name, place in places)]


def _map_problems(op_map: OpMap, source: Source) -> list[Problem]:
    """Return the problems of a map that a good map does not have (docs/formats/operational_map.md)."""
    parts = op_map.parts()
    cut = [
        tr("{hexes}: the rest of the map cannot be reached from here", hexes=" ".join(map(op_map.name, sorted(part))))
        for part in parts[1:]
    ]
    return [
        *([] if parts else [source.problem(("rows",), tr("the map has no hex that units can enter"))]),
        *(source.problem(("rows",), why, remark=True) for why in cut),
        *(
            source.problem(("places", op_map.name(cell)), tr("no unit can enter the hex of this place"), remark=True)
            for cell in op_map.places
            if not op_map.passable(cell)
        ),
    ]


def _terrain(lang: Lang) -> Rows:
    rows = [column_headings(lang, "", "", "", "move", terrain_source())]
    rows += [[t.symbol, t.id, t.name[lang], "-" if t.move is None else str(t.move)] for t in terrains().values()]
    return [*rows, [""], *([kind.id, kind.name[lang]] for kind in place_kinds().values())]


def _armies(lang: Lang) -> Rows:
    tables = numbers()
    rows = [column_headings(lang, "points", f"{tables.points.minimum}–{tables.points.maximum}", tables.source), [""]]
    for army in tables.army:
        rows.append([army.id, army.name[lang], side_name(army.side)[lang], " / ".join(army.kinds) or "-"])
        rows += [["", unit, str(weight)] for unit, weight in army.units.items()]
    rows += [[""], *([leader.id, leader.name[lang], side_name(leader.side)[lang]] for leader in tables.leader)]
    return rows


SHELVES = (
    map_content_type(
        "map",
        MAPS,
        _map,
        _map_problems,
        op_map_view,
        Words("map", "マップ"),
        marks=("rows", "places"),
        takes=("map",),
        symbols=by_symbol,
        brushes=brushes,
    ),
    table_content_type("march-terrain", Words("Ground and what it costs to enter", "地形と進入コスト"), _terrain),
    table_content_type("hosts", Words("Armies and leaders", "軍の編成と指揮官"), _armies),
    terrain_names_type(
        "operational-names", "house-operational-names", NAMES, Words("terrain names", "地形名"), "operational_names"
    ),
    *PACK_SHELVES,
)


def _max_counts(scenario: Scenario) -> tuple[int, int]:
    """Return the maximum result of each side: all units of the other side, including routed units that return."""

    def units(side: Side) -> int:
        return len(scenario.units_of(side)) + sum(len(one.units) for one in scenario.routed if one.side == side)

    one, two = map(units, SIDES)
    return two, one


GAME: Game[Scenario] = Game(
    name="blind_faith",
    title=words()["blind_faith"]["title"],
    summary=words()["blind_faith"]["summary"],
    options=(*draw_options(), *search_options(computed=True)),
    draw=draw_with_search(draw, rules(), FAIRNESS, write, PLAYING),
    rules=rules(),
    read=read,
    form=ScenarioFile,
    write=write,
    export=export,
    story=story,
    kit=kit,
    content_types=SHELVES,
    map_import=MAP_IMPORT,
    queries=(QUERY, MOVES),
    prints=printables(),
    fairness=FAIRNESS,
    odds=advice.odds_report,
    check_notes=advice.check_notes,
    playing=PLAYING,
    switches=("blind_faith",),
    ruling_impacts=RULING_IMPACTS,
    follows=lambda scenario: list(scenario.follows),
    score=score("blind_faith", map(side_name, SIDES), max_counts=_max_counts),
)
