"""The entry point of Call to Arms: its game object and its data files."""

from __future__ import annotations

from collections import Counter
from operator import attrgetter

from generator.common.catalogue import (
    Rows,
    campaign_content_type,
    rulings_content_type,
    single_file_content_type,
    table_content_type,
    title_and_source,
)
from generator.common.game import Campaigner, Game
from generator.common.search import draw_with_search, search_options
from generator.games.battlelore.captain import strong_players
from generator.games.battlelore.forces import load_pool
from generator.games.battlelore.game import SHELVES as BATTLELORE
from generator.games.battlelore.game import banners
from generator.games.battlelore.ground import SIDES, side_name
from generator.games.battlelore.maps import moves_tool
from generator.games.battlelore.odds_report import odds_tool
from generator.games.battlelore.pages.sheets import first_words, map_name
from generator.games.battlelore.play import sight_tool
from generator.games.battlelore.players import playing
from generator.games.call_to_arms.cards import EMPTY, SET_SIZE, Deck, cell_name
from generator.games.call_to_arms.decks import DECK, DeckFile
from generator.games.call_to_arms.draw import draw
from generator.games.call_to_arms.fairness import FAIRNESS, report_rows
from generator.games.call_to_arms.file import ScenarioFile, read, write
from generator.games.call_to_arms.model import Scenario, export
from generator.games.call_to_arms.options import draw_options
from generator.games.call_to_arms.pages import pieces
from generator.games.call_to_arms.pages.sheets import HAND, STAKES, kit
from generator.games.call_to_arms.record import RecordFile, carry, describe_campaign, read_record, units
from generator.games.call_to_arms.rules import rules
from generator.games.call_to_arms.specialists import specialists
from generator.games.call_to_arms.tables import words
from generator.model.words import Lang, Words, same


def _deck(deck: Deck, lang: Lang) -> Rows:
    rows = [[title_and_source(deck, lang)], *report_rows(deck, load_pool(), lang)]
    for i, card in enumerate(deck.cards):
        if i % SET_SIZE == 0:
            rows.append([""])
        counts = Counter(unit.kind.name[lang] for unit in card.units)
        kinds = ", ".join(f"{n} {kind}" for kind, n in counts.items()) or EMPTY
        rows.append([card.camp, card.key, card.name[lang], kinds])
    return rows


def _specialists(lang: Lang) -> Rows:
    return [[c.id, c.name[lang], c.needs or "-", c.source, c.full_text[lang]] for c in specialists().values()]


SHELVES = (
    single_file_content_type(
        "deck", "house-deck", DECK, _deck, Words("deployment cards", "編成カード"), DeckFile, marks=("card",)
    ),
    campaign_content_type(
        "track-campaign", "call_to_arms/campaign.toml", read_record, describe_campaign, RecordFile, marks=("track",)
    ),
    table_content_type("specialists", Words("Specialist cards", "Specialistカード"), _specialists),
    rulings_content_type("deployment-rulings", Words("Rulings on deployment", "配置の裁定"), "call_to_arms"),
)


def story(scenario: Scenario) -> list[Words]:
    """Return a summary of how the scenario was generated, in a few lines."""
    texts = words()["story"]
    lines = [texts["title"].fill(title=scenario.title, map=map_name(scenario), profile=scenario.board.plan.name)]
    for camp, force in scenario.forces.items():
        units = force.units_on_board
        missing = len(force.units) - len(units)
        lines.append(
            texts["force"].fill(
                camp=side_name(camp),
                sets=_sets(force.sets),
                keys=tuple(force.keys),
                n=len(units),
                green=sum(u.kind.banner == "green" for u in units),
                lost=texts["lost"].fill(n=missing) if missing else same(""),
            )
        )
    return [*lines, first_words(scenario)]


def follows(scenario: Scenario) -> list[Words]:
    """Return an explanation of every hex that was derived from the cards.

    Camps whose file lists units are left out.
    """
    texts, name = words()["follows"], scenario.board.field.name
    lines = []
    for camp, force in scenario.forces.items():
        sections = {key: section for section, key in force.cards.items()}
        for unit in force.units if force.derived else ():
            section = sections.get(unit.card)
            values = {
                "unit": unit.label,
                "kind": unit.kind.name.low,
                "card": unit.card,
                "cell": cell_name(unit.cell),
            }
            values |= {"hex": name(unit.hex) if unit.hex else ""}
            values |= {"own": name(scenario.board.plan.card_hex(camp, section, *unit.cell)) if section else ""}
            sentence = texts[unit.placed].fill(**values)
            lines.append(texts["levy"].fill(unit=sentence) if unit.levy else sentence)
    return lines


def firsts(scenario: Scenario) -> tuple[int, ...]:
    """Return the seats that may move first: the seat with more green banners, or both seats if they are tied."""
    seats = range(len(SIDES))
    return tuple(seats) if len({*map(scenario.green, SIDES)}) == 1 else (SIDES.index(scenario.first),)


def _sets(sets: tuple[str, ...]) -> Words:
    """Return the names of the one or two sets of a camp."""
    texts, (first, *others) = words()["story"], sets
    return texts["sets"].fill(first=first, second=others[0]) if others else texts["set"].fill(first=first)


PLAYING = playing(lambda scenario: scenario.final, firsts, strong_players())

GAME: Game[Scenario] = Game(
    name="call_to_arms",
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
    follows=follows,
    content_types=SHELVES,
    borrowed_content_types=BATTLELORE,
    sight=sight_tool(lambda scenario: scenario.final),
    queries=(moves_tool(lambda scenario: scenario.final),),
    stops=(HAND,),
    prints=pieces.printables(),
    fairness=FAIRNESS,
    odds=odds_tool(lambda scenario: scenario.final),
    danger_sides=("pennant", "standard"),
    playing=PLAYING,
    campaign=Campaigner(units, carry),
    switches=("battlelore", "call_to_arms"),
    ruling_impacts=STAKES,
    mode=attrgetter("mode"),
    seats=("pennant", "standard"),
    score=banners("call_to_arms"),
)
