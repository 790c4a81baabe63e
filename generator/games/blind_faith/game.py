"""Blind Faith as a game of Muster, and what its results are counted in.

Blind Faith as a game of Muster.

What is written down of a result.
"""

from __future__ import annotations

from generator.common.game import Game, Score
from generator.common.search import search_wishes, searching
from generator.common.tables import scoring
from generator.games.blind_faith.catalogue import SHELVES
from generator.games.blind_faith.draw import draw
from generator.games.blind_faith.fairness import FAIRNESS
from generator.games.blind_faith.file import Body, export, read, write
from generator.games.blind_faith.ground import side_name, words
from generator.games.blind_faith.maps import QUERY
from generator.games.blind_faith.model import Scenario
from generator.games.blind_faith.pages.pieces import printables
from generator.games.blind_faith.pages.sheets import kit, story
from generator.games.blind_faith.rules import rules
from generator.games.blind_faith.tables import SIDES
from generator.games.blind_faith.wishes import wishes


def score() -> Score[Scenario]:
    """Units eliminated, and the points that one's own were worth."""
    of = scoring("blind_faith")
    goal = (of.goal,) if of.goal else ()
    hussites, crusaders = (side_name(side) for side in SIDES)
    return Score(of.counted, of.lost, of.parts, lambda _: (hussites, crusaders), lambda _: goal)


GAME: Game[Scenario] = Game(
    name="blind_faith",
    title=words()["blind_faith"]["title"],
    summary=words()["blind_faith"]["summary"],
    wishes=(*wishes(), *search_wishes()),
    draw=searching(draw, rules(), FAIRNESS),
    rules=rules(),
    read=read,
    write=write,
    export=export,
    form=Body,
    story=story,
    kit=kit,
    shelves=SHELVES,
    queries=(QUERY,),
    prints=printables(),
    fairness=FAIRNESS,
    score=score(),
)
