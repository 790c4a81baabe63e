"""Battling as a game of Muster."""

from __future__ import annotations

from generator.games.battling.draw.draw import draw
from generator.games.battling.export import export
from generator.games.battling.fairness import FAIRNESS
from generator.games.battling.file import read, write
from generator.games.battling.logbook.book import LOGBOOK
from generator.games.battling.pages.kit import kit
from generator.games.battling.pages.prints import printables
from generator.games.battling.pages.telling import story
from generator.games.battling.query import sight_tool
from generator.games.battling.rules import rules
from generator.games.battling.scenario import Scenario
from generator.games.battling.score import score
from generator.games.battling.shelves import SHELVES
from generator.games.battling.wishes import wishes
from generator.games.capability import Game
from generator.games.fairsearch import MIRROR_WISH, search_wishes, searching
from generator.games.words import words

GAME: Game[Scenario] = Game(
    name="battling",
    title=words("battling")["title"]["game"],
    summary=words("battling")["title"]["summary"],
    wishes=(*wishes(), MIRROR_WISH, *search_wishes()),
    draw=searching(draw, rules(), FAIRNESS),
    rules=rules(),
    read=read,
    write=write,
    export=export,
    story=story,
    kit=kit,
    shelves=SHELVES,
    sight=sight_tool(),
    logbook=LOGBOOK,
    prints=printables(),
    seats=("bottom", "top"),
    fairness=FAIRNESS,
    score=score(),
)
