"""The entry point of Travel Battle, which defines the game as a value."""

from __future__ import annotations

from msgspec.structs import replace

from generator.common.catalogue import (
    Rows,
    campaign_content_type,
    cell_problems,
    column_headings,
    map_content_type,
    rulings_content_type,
    single_file_content_type,
    table_content_type,
    title_and_source,
)
from generator.common.game import Campaigner, Game, exact_odds, score
from generator.common.search import draw_with_search, search_options
from generator.errors import Problem
from generator.games.travel_battle import ground
from generator.games.travel_battle.all_players import PLAYING
from generator.games.travel_battle.draw import draw, draw_options
from generator.games.travel_battle.fairness import FAIRNESS
from generator.games.travel_battle.file import ScenarioFile, export, read, write
from generator.games.travel_battle.forces import ARMY, ArmyFile, Roster
from generator.games.travel_battle.ground import BOARDS, Board, DrawnBoard, picture
from generator.games.travel_battle.maps import MOVES, board_view
from generator.games.travel_battle.model import SIDES, Scenario
from generator.games.travel_battle.objectives import brigades_to_win, victory_lines
from generator.games.travel_battle.objectives import kinds as objectives
from generator.games.travel_battle.pages.posters import printables
from generator.games.travel_battle.pages.sheets import STAKES, kit, story
from generator.games.travel_battle.play import SIGHT
from generator.games.travel_battle.prospects import describe_odds
from generator.games.travel_battle.record import RecordFile, carry, read_record, units
from generator.games.travel_battle.record import describe_campaign as standing
from generator.games.travel_battle.rules import rules
from generator.games.travel_battle.tables import DIE_FACES, artillery, by_symbol, effects, melee, terrains, words
from generator.localization import localize
from generator.model.words import Lang, Words
from generator.notation.toml import Source


def _most(scenario: Scenario) -> tuple[int, int]:
    """Return the maximum score of each side, which is the number of the other side's brigades."""
    one, two = (len(scenario.armies[player].brigades) for player in SIDES)
    return two, one


def _over(scenario: Scenario) -> int:
    """Return the number of destroyed brigades that wins the battle immediately."""
    return brigades_to_win(max(len(army.brigades) for army in scenario.armies.values()))


def _board(board: DrawnBoard, lang: Lang) -> Rows:
    rows = [
        [f"{board.name[lang]} ({board.ground.type}) [{board.source}]"],
        *([[board.note[lang]]] if board.note.en else []),
    ]
    return rows + [[line] for line in picture(board.ground.terrain_map).splitlines()]


def _board_problems(board: Board, source: Source) -> list[Problem]:
    """Return the problems that make a board illegal (docs/formats/travel_board.md)."""
    tests = (ground.ribbons, ground.network, ground.hills)
    found = ground.exits(board) + [fault for test in tests for fault in test(board.terrain_map)]
    return cell_problems(source, board.terrain_map.field.name, found, remark=True)


def _army(roster: Roster, lang: Lang) -> Rows:
    players = words()["unit"]
    rows = [[title_and_source(roster, lang)], column_headings(lang, "", "", "count", "move", "rally", "re-roll")]
    rows += [
        [k.id, k.name[lang], str(k.count), str(k.move), f"{k.rally}+" if k.rally else "-", "1" if k.rerolls else "-"]
        for k in roster.kinds.values()
    ]
    rows += [
        [""],
        *(
            [s.id, s.name[lang], f"{s.min_units}–{s.max_units or ''}", *column_headings(lang, s.source)]
            for s in roster.sizes.values()
        ),
    ]
    for preset in roster.presets.values():
        rows.append([f"{preset.id}: {preset.name[lang]} [{preset.source}]"])
        rows += [
            [localize([players["many"].fill(n=n, kind=roster.kinds[i].name) for i, n in brigade.items()], lang)]
            for brigade in preset.brigades
        ]
    return rows


def _terrain(lang: Lang) -> Rows:
    return [
        [t.symbol, t.id, t.name[lang], *column_headings(lang, t.source), t.effect[lang]] for t in terrains().values()
    ]


def _dice(lang: Lang) -> Rows:
    """Return the tables of the effects of fire, the results of melee, and bonus dice."""
    guns, fight = artillery(), melee()
    rows = [column_headings(lang, f"{guns.near}–{guns.range}", guns.source)]
    rows += [[str(die + 1), effects()[guns.effects[die]].name[lang]] for die in range(DIE_FACES)]
    rows += [[""], *([str(n), effects()[result].name[lang]] for n, result in enumerate(fight.results))]
    return [
        *rows,
        [""],
        *([f"+{bonus.dice}", bonus.text[lang], *column_headings(lang, bonus.source)] for bonus in fight.bonus),
    ]


SHELVES = (
    map_content_type(
        "board",
        BOARDS,
        _board,
        _board_problems,
        board_view,
        Words("boards", "ボード"),
        marks=("type", "rows"),
        takes=("board-blue", "board-red"),
        symbols=by_symbol,
    ),
    single_file_content_type("army", "house-army", ARMY, _army, Words("army", "軍勢"), ArmyFile, marks=("unit",)),
    campaign_content_type(
        "brigade-campaign", "travel_battle/campaign.toml", read_record, standing, RecordFile, marks=("grid",)
    ),
    table_content_type("square-terrain", Words("Terrain of square boards", "マス目のボードの地形"), _terrain),
    table_content_type("square-dice", Words("Artillery and melee", "砲兵の射撃と接近戦"), _dice),
    table_content_type(
        "objectives",
        Words("Objectives", "目標"),
        lambda lang: [[goal.id, goal.name[lang], str(goal.count.usual)] for goal in objectives().values()],
    ),
    rulings_content_type(
        "brigade-rulings", Words("Rulings on brigades and guns", "旅団と砲兵の裁定"), "travel_battle"
    ),
)


GAME: Game[Scenario] = Game(
    name="travel_battle",
    title=words()["game"]["title"],
    summary=words()["game"]["summary"],
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
    sight=SIGHT,
    queries=(MOVES,),
    prints=printables(),
    seats=("blue", "red"),
    fairness=FAIRNESS,
    odds=exact_odds(describe_odds),
    danger_sides=("blue", "red"),
    switches=("travel_battle",),
    ruling_impacts=STAKES,
    score=replace(
        score("travel_battle", [words()["player"][player] for player in SIDES], max_counts=_most, over=_over),
        goal=victory_lines,
    ),
    playing=PLAYING,
    campaign=Campaigner(units, carry),
)
