"""Register Tablut as a game of Muster."""

from __future__ import annotations

from generator.games.tablut.draw import draw
from generator.games.tablut.fairness import FAIRNESS
from generator.games.tablut.ground import SIDES, picture, start
from generator.games.tablut.maps import QUERIES
from generator.games.tablut.model import Scenario, export, read, side_name, write
from generator.games.tablut.options import options
from generator.games.tablut.pages.sheets import goals, kit, printables, story
from generator.games.tablut.rules import rules

from generator.common.catalogue import Rows, table_content_type
from generator.common.game import Game, Score
from generator.common.search import draw_with_search, search_options
from generator.common.tables import scoring, words
from generator.model.words import Lang


def score() -> Score[Scenario]:
    """Return the scoring, which counts captured men. The king decides the game."""
    of = scoring("tablut")
    first, second = map(side_name, SIDES)
    return Score(of.counted, of.lost, of.parts, lambda scenario: (first, second), lambda scenario: goals())


def _opening(lang: Lang) -> Rows:
    return [[words("tablut")["map"]["opening"][lang]], *([line] for line in picture(start()).splitlines())]


GAME: Game[Scenario] = Game(
    name="tablut",
    title=words("tablut")["game"]["title"],
    summary=words("tablut")["game"]["summary"],
    options=(*options(), *search_options()),
    draw=draw_with_search(draw, rules(), FAIRNESS),
    rules=rules(),
    read=read,
    write=write,
    export=export,
    story=story,
    kit=kit,
    content_types=(table_content_type("opening", words("tablut")["map"]["opening"], _opening),),
    queries=QUERIES,
    prints=printables(),
    seats=SIDES,
    fairness=FAIRNESS,
    score=score(),
)
