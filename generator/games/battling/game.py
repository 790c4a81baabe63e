"""The entry point of Battling, which defines the game and its data files as a value."""

from __future__ import annotations

from itertools import islice

from msgspec.structs import replace

from generator.common.catalogue import (
    Rows,
    column_headings,
    map_content_type,
    rulings_content_type,
    single_file_content_type,
    terrain_names_type,
    title_and_source,
)
from generator.common.game import Dice, Game, Judged, Logbook, Upcoming, exact_odds, score
from generator.common.search import draw_with_search, mirror_option, search_options
from generator.common.tables import shared_words
from generator.errors import Problem, WrongUsageError, among
from generator.games.battling.draw import STREAMS, draw, draw_options
from generator.games.battling.fairness import FAIRNESS
from generator.games.battling.file import ScenarioFile, export, read, write
from generator.games.battling.forces import CHARTS, ChartsFile, Pack
from generator.games.battling.ground import (
    ARENAS,
    Arena,
    DrawnArena,
    arena_rules,
    brushes,
    drawing,
    edge_name,
    opening_of,
)
from generator.games.battling.imported import MAP_IMPORT, NAMES
from generator.games.battling.legal_orders import orders
from generator.games.battling.maps import arena_view
from generator.games.battling.model import SIDES, Scenario
from generator.games.battling.notation import Order, write_line
from generator.games.battling.pages.battle_words import story
from generator.games.battling.pages.reference import printables
from generator.games.battling.pages.sheets import STAKES, kit
from generator.games.battling.pages.sight_sheet import looks
from generator.games.battling.play import Position, Standing, opening
from generator.games.battling.players import PLAYING
from generator.games.battling.post import chain, judge, random_game, umpire
from generator.games.battling.post.log import parse, talk
from generator.games.battling.post.replay import replay, start_sheet
from generator.games.battling.post.turns import Deed, Turn
from generator.games.battling.post.vocabulary import vocabulary_of
from generator.games.battling.prospects import ASKED, describe_odds
from generator.games.battling.rules import rules
from generator.games.battling.sight import sight_tool
from generator.games.battling.tables import words
from generator.grid.columns import ColumnField
from generator.localization import tr
from generator.model.words import Lang, Words, joined, same
from generator.notation.toml import Source
from generator.rules import check
from generator.seeds import RngStreams


def _arena(found: DrawnArena, lang: Lang) -> Rows:
    """Return a table of an arena, with its head, its buildings as entered, and the visibility of each edge."""
    arena = found.ground
    rows = [[title_and_source(found, lang)], *([[found.note[lang]]] if found.note[lang] else [])]
    size = f"{arena.field.columns} × {arena.field.rows}"
    rows += [[shared_words()["table"]["fine"].fill(size=size, fine=arena.fine)[lang]]]
    rows += [[line] for line in str(drawing(arena)["buildings"]).splitlines()]
    for edge in arena.edges:
        seen = opening_of(arena, edge)
        rows.append([edge_name(edge)[lang], str(len(seen.cells)), str(len(seen.covered)), f"{seen.percent} %"])
    return rows


def _arena_problems(arena: Arena, source: Source) -> list[Problem]:
    """Return the reasons why an arena is not suitable for play (docs/formats/arena.md)."""
    return [
        source.problem(
            ("buildings",), tr("{place}: {message}", place=f.rule.id, message=f.why), remark=f.level == "remark"
        )
        for f in check(arena_rules(), arena).findings
    ]


def _charts(pack: Pack, lang: Lang) -> Rows:
    """Return tables of the machines with their hit points and charts, and of the results of battling."""
    rows = [[title_and_source(pack, lang)], column_headings(lang, "", "", "", "HP", "points", "armour", "shooting")]
    for kind in pack.machines.values():
        numbers = " ".join(map(str, kind.shooting))
        facts = (kind.hp, kind.points, kind.armour)
        rows.append([kind.id, kind.name[lang], kind.caption, *map(str, facts), numbers])
    for chart in ("damage", "battling"):
        rows += [[""], [words()["table"][chart][lang], *pack.machines]]
        rows += [[k.id, *(str(getattr(k, chart)[other]) for other in pack.machines)] for k in pack.machines.values()]
    return [*rows, [""], *([f"{difference:+d}", *results] for difference, results in pack.results.items())]


SHELVES = (
    map_content_type(
        "arena",
        ARENAS,
        _arena,
        _arena_problems,
        arena_view,
        Words("arena", "アリーナ"),
        marks=("buildings",),
        takes=("arena",),
        brushes=brushes,
    ),
    single_file_content_type(
        "charts", "house-charts", CHARTS, _charts, Words("charts", "チャート"), ChartsFile, marks=("machine",)
    ),
    terrain_names_type("arena-names", "house-arena-names", NAMES, Words("terrain names", "地形名"), "arena_names"),
    rulings_content_type("machine-rulings", Words("Rulings on machines", "ATの裁定"), "battling"),
)


def judged(scenario: Scenario, text: str) -> Judged:
    """Return the result of checking a log against the rules."""
    found = judge.judge(text, scenario)
    field = scenario.arena.field
    rows: dict[str, object] = {
        "over": found.outcome.over,
        "winner": found.outcome.winner,
        "waiting": [pending.line for pending in found.waiting],
        "doubtful": list(found.doubtful),
        "talk": list(talk(text, vocabulary_of(scenario))),
        "corrections": [{"line": line, "corrects": old} for line, old in found.corrected],
        "turns": [_turn(field, turn) for turn in found.turns],
        "units": [_unit(field, unit) for unit in found.position.machines.values()],
    }
    orders = sum(len(turn.deeds) for turn in found.turns)
    return Judged(found.findings, orders, _standing(found), rows, found.notes, found.doubtful)


def _standing(of: judge.Judged) -> Words:
    """Describe the winner or the state of the battle, the pending lines, and possible omissions."""
    texts, notes = words()["log"], [of.outcome.text]
    for line, old in of.corrected:
        notes.append(texts["corrects"].fill(line=line, old=old))
    for key, lines in (("waits", [pending.line for pending in of.waiting]), ("doubtful", of.doubtful)):
        if lines:
            notes.append(texts[key].fill(lines=joined([same(line) for line in dict.fromkeys(lines)])))
    return joined(notes, "\n", "\n")


def _turn(field: ColumnField, of: Turn) -> dict[str, object]:
    return {
        "turn": of.number,
        "orders": [_deed(field, deed) for deed in of.deeds],
        "units": [_unit(field, unit) for unit in of.after],
    }


def _deed(field: ColumnField, of: Deed) -> dict[str, object]:
    return {
        "line": of.line,
        "side": of.side,
        "unit": of.unit,
        "order": write_line(of.order),
        "path": [field.name(cell) for cell in of.path],
        "target": of.target or None,
        "reply": write_line(of.reply) if of.reply else None,
        "answer": write_line(of.answer) if of.answer else None,
        "refused": of.refused or None,
    }


def _unit(field: ColumnField, of: Standing) -> dict[str, object]:
    return {
        "id": of.id,
        "side": of.side,
        "machine": of.kind,
        "hex": field.name(of.cell),
        "hp": of.hp,
        "last": of.last or None,
    }


def legal(scenario: Scenario, text: str, unit: str) -> list[dict[str, object]]:
    """Return the legal orders of a machine at the start, or at the end of a log.

    Raises:
        WrongUsageError: If the machine is unknown.
    """
    position: Position = judge.judge(text, scenario).position if text else opening(scenario)
    among(unit, position.machines, tr("there is no AT named {unit!r} in this battle", unit=unit[:20]))
    return [_order(order) for order in orders(position, unit)]


def _order(of: Order) -> dict[str, object]:
    return {
        "order": write_line(of),
        "action": of.action,
        "hexes": list(of.legs),
        "turn_hex": of.turn or None,
        "to": of.to or None,
        "target": of.target or None,
    }


def upcoming(scenario: Scenario, text: str, links: tuple[str, ...]) -> Upcoming:
    """Return the next post for a log."""
    found = judge.judge(text, scenario)
    post = umpire.next_post(scenario, found, links)
    units = [_unit(scenario.arena.field, unit) for unit in found.position.machines.values()]
    rows = umpire.rows(scenario, found, post) | {"units": units}
    return Upcoming(umpire.text(scenario, found, post), rows, start_sheet(scenario, found, post.turn if post else 0))


def rolled(attacker: str, defender: str, raw: str) -> tuple[str, str, tuple[int, ...]]:
    """Return the dice of an order that two links determine, with the text that is hashed and its hash.

    Raises:
        WrongUsageError: If the text is not an order.
    """
    order = next((entry.item for entry in parse(raw) if isinstance(entry.item, Order)), None)
    if order is None:
        raise WrongUsageError(tr("{typed!r} is not a valid order", typed=raw[:40]))
    mixture = chain.mixed(attacker, defender, order)
    return mixture, chain.digest(mixture), tuple(islice(chain.thrown(mixture), 2))


LOGBOOK: Logbook[Scenario] = Logbook(
    judge=judged,
    orders=legal,
    play=lambda scenario, code, lang: random_game.play(scenario, RngStreams(code, STREAMS).at("play"), lang),
    replay=replay,
    next=upcoming,
    dice=Dice(forge=chain.forge, sealed=chain.sealed, roll=rolled),
)


def _hit_points(scenario: Scenario) -> tuple[int, int]:
    """Return the hit points of each squad at the start, which are the most that it can lose."""
    one, two = (sum(machine.hp for machine in scenario.squads[side].machines) for side in SIDES)
    return one, two


GAME: Game[Scenario] = Game(
    name="battling",
    title=words()["title"]["game"],
    summary=words()["title"]["summary"],
    options=(*draw_options(), mirror_option(), *search_options(PLAYING)),
    draw=draw_with_search(draw, rules(), FAIRNESS, write, PLAYING),
    rules=rules(),
    read=read,
    form=ScenarioFile,
    write=write,
    export=export,
    story=story,
    kit=kit,
    content_types=SHELVES,
    sight=sight_tool(FAIRNESS.measures, looks),
    logbook=LOGBOOK,
    prints=printables(),
    map_import=MAP_IMPORT,
    seats=("bottom", "top"),
    fairness=FAIRNESS,
    odds=exact_odds(describe_odds),
    danger_sides=("first", "second"),
    playing=PLAYING,
    queries=(ASKED,),
    switches=("battling",),
    ruling_impacts=STAKES,
    score=replace(
        score(
            "battling",
            map(words()["cover"].__getitem__, SIDES),
            lambda match: {"turns": match.turns},
            lambda match: (len(match.squads[SIDES[1]].machines), len(match.squads[SIDES[0]].machines)),
        ),
        max_lost=_hit_points,
    ),
)
