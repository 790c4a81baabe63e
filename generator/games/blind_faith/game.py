"""Blind Faith as a game of Muster."""

from __future__ import annotations

from generator.common.game import Game, score
from generator.common.search import search_wishes, searching
from generator.games.blind_faith.advice import told
from generator.games.blind_faith.catalogue import SHELVES
from generator.games.blind_faith.draw import draw
from generator.games.blind_faith.fairness import FAIRNESS
from generator.games.blind_faith.file import ScenarioFile, export, read, write
from generator.games.blind_faith.ground import side_name, words
from generator.games.blind_faith.maps import MOVES, QUERY
from generator.games.blind_faith.model import Scenario
from generator.games.blind_faith.pages.sheets import STAKES, kit, printables, story
from generator.games.blind_faith.rules import rules
from generator.games.blind_faith.tables import SIDES, Side
from generator.games.blind_faith.wishes import wishes


def _most(scenario: Scenario) -> tuple[int, int]:
    """Each side can eliminate all units of the other, those too that were routed before and come back."""

    def units(side: Side) -> int:
        return len(scenario.units_of(side)) + sum(len(one.units) for one in scenario.routed if one.side == side)

    one, two = map(units, SIDES)
    return two, one


GAME: Game[Scenario] = Game(
    name="blind_faith",
    title=words()["blind_faith"]["title"],
    summary=words()["blind_faith"]["summary"],
    wishes=(*wishes(), *search_wishes()),
    draw=searching(draw, rules(), FAIRNESS),
    rules=rules(),
    read=read,
    form=ScenarioFile,
    write=write,
    export=export,
    story=story,
    kit=kit,
    shelves=SHELVES,
    queries=(QUERY, MOVES),
    prints=printables(),
    fairness=FAIRNESS,
    odds=told,
    switches=("blind_faith",),
    stakes=STAKES,
    follows=lambda scenario: list(scenario.follows),
    score=score("blind_faith", map(side_name, SIDES), most=_most),
)
