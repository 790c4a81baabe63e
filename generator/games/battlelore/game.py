"""The entry point of BattleLore: its game object and its data files."""

from __future__ import annotations

from functools import partial
from typing import Any

from generator.common.catalogue import (
    Rows,
    cell_problems,
    column_headings,
    ground_rows,
    map_content_type,
    rulings_content_type,
    single_file_content_type,
    table_content_type,
    terrain_names_type,
    title_and_source,
)
from generator.common.game import Game, Score, score
from generator.common.playing import Playing
from generator.common.search import draw_with_search, search_options
from generator.errors import Problem
from generator.games.battlelore import ground_rules
from generator.games.battlelore.base import FAIRNESS, Scenario, ScenarioFile, export, orders, plan_name, read, write
from generator.games.battlelore.captain import strong_players
from generator.games.battlelore.draw import draw, draw_options
from generator.games.battlelore.forces import POOL, Pool, council_tables
from generator.games.battlelore.ground import (
    INVENTORY,
    MAPS,
    SECTIONS,
    SIDES,
    Board,
    Inventory,
    brushes,
    house_inventory,
    picture,
    side_name,
    words,
)
from generator.games.battlelore.imported import MAP_IMPORT, NAMES
from generator.games.battlelore.maps import map_view, moves_tool
from generator.games.battlelore.odds_report import odds_tool
from generator.games.battlelore.pages import pieces, records
from generator.games.battlelore.pages.kit import STAKES, kit
from generator.games.battlelore.pages.sheets import first_words, map_name
from generator.games.battlelore.play import sight_tool
from generator.games.battlelore.players import playing
from generator.games.battlelore.playfield import commands
from generator.games.battlelore.rules import rules
from generator.games.battlelore.tables import ByArm, lore
from generator.model.words import Lang, Words
from generator.notation.toml import Source


def _pool(pool: Pool, lang: Lang) -> Rows:
    tables = lore()
    rows = [[title_and_source(pool, lang)]]
    for camp, stock in (("pennant", pool.pennant), ("standard", pool.standard)):
        rows += [
            [camp, "figures", tables.races[race].name[lang], tables.weapons[weapon].name[lang], str(count)]
            for race, counts in stock.figures.items()
            for weapon, count in counts.items()
        ]
        rows += [
            [camp, "banners", tables.banners[banner].name[lang], tables.weapons[weapon].name[lang], str(count)]
            for banner, counts in stock.banners.items()
            for weapon, count in counts.items()
        ]
        rows += [[camp, "levies", tables.banners[b].name[lang], "", str(n)] for b, n in stock.levies.items()]
    return rows


def _terrain(lang: Lang) -> Rows:
    kinds = (*lore().terrain.values(), *lore().features.values())
    return [
        [k.id, k.name[lang], k.move, str(k.dice_in or "-"), str(k.dice_out or "-"), k.source, k.effect[lang]]
        for k in kinds
    ]


def _units(lang: Lang) -> Rows:
    """Return table rows with the dice and moves of the banners, the morale of the races, and the points of both."""
    tables, points = lore(), lore().points
    rows = [column_headings(lang, "", "", "dice", "move", "run", "points")]
    rows += [
        [
            b.id,
            f"{b.name[lang]}, {b.grade[lang]}",
            str(b.dice),
            _by_arm(b.move),
            _by_arm(b.run),
            str(points.banner[b.id]),
        ]
        for b in tables.banners.values()
    ]
    rows.append([""])
    rows += [
        [r.id, r.name[lang], tables.play.morale[r.morale].name[lang], f"{points.morale[r.morale]:+d}"]
        for r in tables.races.values()
    ]
    rows.append([""])
    rows += [
        column_headings(lang, "mounted", f"{points.mounted:+d}"),
        column_headings(lang, "bow", f"{points.bow:+d}"),
        column_headings(lang, "source", points.source),
    ]
    return rows


def _by_arm(number: ByArm) -> str:
    return f"{number.foot} / {number.mounted}"


def _council(lang: Lang) -> Rows:
    tables = council_tables()
    rows = [column_headings(lang, "levels", str(tables.levels), tables.source)]
    rows += [
        [seat, tables.name(seat)[lang], f"{(b := tables.bounds(seat)).minimum}–{b.maximum}"] for seat in tables.seats
    ]
    rows.append([""])
    return rows + [[line.name[lang], line.text[lang]] for line in tables.rows]


def _commands(lang: Lang) -> Rows:
    deck = commands()
    rows = [[title_and_source(deck, lang)], column_headings(lang, "", "", *SECTIONS, "cards")]
    rows += [[c.id, c.name[lang], *map(str, c.quota), str(c.count)] for c in deck.card]
    return rows


def _orders(lang: Lang) -> Rows:
    tables = orders()
    rows = [column_headings(lang, "points", f"{tables.points.minimum}–{tables.points.maximum}", tables.source), [""]]
    rows.append(column_headings(lang, "", "", *SECTIONS))
    rows += [[p.id, p.name[lang], *(f"{p.share(section)} %" for section in SECTIONS)] for p in tables.plan]
    rows += [[""], column_headings(lang, "", "", "weight", "row")]
    rows += [
        [camp, recruit.kind.name[lang], str(recruit.weight), str(recruit.row)]
        for camp in SIDES
        for recruit in tables.recruits(camp)
    ]
    return rows


def _map_problems(board: Board, source: Source) -> list[Problem]:
    """Return the problems of a map as a battlefield (docs/formats/map.md)."""
    wrong = [*ground_rules.features(board, "seed"), *ground_rules.tiles(board, house_inventory())]
    unlike = [flaw for test in _GOOD_GROUND for flaw in test(board)]
    return cell_problems(source, board.field.name, wrong) + cell_problems(
        source, board.field.name, unlike, remark=True
    )


_GOOD_GROUND = (
    ground_rules.rivers,
    ground_rules.crossings,
    ground_rules.cliffs,
    partial(ground_rules.features, source="house"),
    ground_rules.reachable,
    ground_rules.baseline_room,
)
"""House rules for a good battlefield."""

SHELVES = (
    single_file_content_type(
        "pool",
        "house-pool",
        POOL,
        _pool,
        Words("figure pool", "フィギュアの数"),
        Pool,
        marks=("pennant", "standard"),
    ),
    map_content_type(
        "map",
        MAPS,
        lambda found, lang: ground_rows(found, picture(found.ground), lang),
        _map_problems,
        map_view,
        Words("map", "マップ"),
        marks=("rows",),
        takes=("map",),
        symbols=lambda: lore().by_symbol,
        brushes=brushes,
    ),
    single_file_content_type(
        "inventory",
        "house-inventory",
        INVENTORY,
        lambda of, lang: [[title_and_source(of, lang)], *([" / ".join(t.faces), str(t.count)] for t in of.tiles)],
        Words("tile inventory", "地形タイルの内訳"),
        Inventory,
        marks=("tiles",),
    ),
    terrain_names_type("map-names", "house-map-names", NAMES, Words("terrain names", "地形名"), "map_names"),
    table_content_type("terrain", Words("Terrain effects", "地形効果"), _terrain),
    table_content_type(
        "weapons",
        Words("Weapons", "武器"),
        lambda lang: [[w.id, w.name[lang], str(w.range), w.source, w.effect[lang]] for w in lore().weapons.values()],
    ),
    table_content_type("units", Words("Banners, races and points", "バナー・種族・点数"), _units),
    table_content_type("council", Words("War council", "War Council"), _council),
    table_content_type("commands", Words("Command deck", "コマンドカード"), _commands),
    table_content_type("orders", Words("Orders of battle", "軍の編成"), _orders),
    rulings_content_type("rulings", Words("Rulings", "裁定"), "battlelore"),
)


def story(scenario: Scenario) -> list[Words]:
    """Return a summary of how the scenario was generated, in a few lines."""
    texts = words()["alone"]
    lines = [
        texts["story"].fill(
            title=scenario.title, map=map_name(scenario), profile=scenario.board.plan.name, n=scenario.points
        )
    ]
    for camp, force in scenario.forces.items():
        lines.append(
            texts["force"].fill(
                camp=side_name(camp), plan=plan_name(force.plan), n=sum(bool(u.hex) for u in force.units)
            )
        )
    return [*lines, first_words(scenario)]


def banners(game: str) -> Score[Any]:
    """Return the form for a result in victory banners. At most one of the two camps can have the winning number.

    Events play drawn battles, in which both camps need the same number.
    """

    def goals(battle: Any) -> tuple[int, int]:
        return battle.banners_of(SIDES[0]), battle.banners_of(SIDES[1])

    def wins(battle: Any) -> int:
        return max(goals(battle))

    return score(game, map(side_name, SIDES), lambda battle: {"banners": wins(battle)}, goals, wins)


PLAYING: Playing[Scenario] = playing(strong=strong_players())

GAME: Game[Scenario] = Game(
    name="battlelore",
    title=words()["alone"]["title"],
    summary=words()["alone"]["summary"],
    options=(*draw_options(), *search_options(PLAYING)),
    draw=draw_with_search(draw, rules(), FAIRNESS, write, PLAYING),
    rules=rules(),
    read=read,
    form=ScenarioFile,
    write=write,
    export=export,
    story=story,
    kit=kit,
    content_types=SHELVES,
    sight=sight_tool(),
    queries=(moves_tool(),),
    prints=(*pieces.printables(words()["alone"]["title"]), *records.printables(words()["alone"]["title"])),
    fairness=FAIRNESS,
    odds=odds_tool(),
    danger_sides=("pennant", "standard"),
    playing=PLAYING,
    switches=("battlelore",),
    ruling_impacts=STAKES,
    map_import=MAP_IMPORT,
    seats=("pennant", "standard"),
    score=banners("battlelore"),
)
