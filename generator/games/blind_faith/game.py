"""Blind Faith as a game of Muster."""

from __future__ import annotations

from generator.games.blind_faith.draw.draw import draw
from generator.games.blind_faith.export import export
from generator.games.blind_faith.fairness import FAIRNESS
from generator.games.blind_faith.file import read, write
from generator.games.blind_faith.pages.kit import kit
from generator.games.blind_faith.pages.prints import printables
from generator.games.blind_faith.pages.telling import story
from generator.games.blind_faith.query import QUERY
from generator.games.blind_faith.rules.scenario import rules
from generator.games.blind_faith.scenario import Scenario
from generator.games.blind_faith.score import score
from generator.games.blind_faith.shelves import SHELVES
from generator.games.blind_faith.wishes import wishes
from generator.games.blind_faith.words import words
from generator.games.capability import Game
from generator.games.fairsearch import search_wishes, searching

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
    story=story,
    kit=kit,
    shelves=SHELVES,
    queries=(QUERY,),
    prints=printables(),
    fairness=FAIRNESS,
    score=score(),
)
