"""Travel Battle as a game of Muster."""

from __future__ import annotations

from generator.games.capability import Game
from generator.games.fairsearch import search_wishes, searching
from generator.games.travel_battle.draw.draw import draw
from generator.games.travel_battle.export import export
from generator.games.travel_battle.fairness import FAIRNESS
from generator.games.travel_battle.file import read, write
from generator.games.travel_battle.pages.kit import kit
from generator.games.travel_battle.pages.movesheet import MOVES
from generator.games.travel_battle.pages.prints import printables
from generator.games.travel_battle.pages.telling import story
from generator.games.travel_battle.query import SIGHT
from generator.games.travel_battle.rules import rules
from generator.games.travel_battle.scenario import Scenario
from generator.games.travel_battle.score import score
from generator.games.travel_battle.shelves import SHELVES
from generator.games.travel_battle.wishes import wishes
from generator.games.words import words

GAME: Game[Scenario] = Game(
    name="travel_battle",
    title=words("travel_battle")["game"]["title"],
    summary=words("travel_battle")["game"]["summary"],
    wishes=(*wishes(), *search_wishes()),
    draw=searching(draw, rules(), FAIRNESS),
    rules=rules(),
    read=read,
    write=write,
    export=export,
    story=story,
    kit=kit,
    shelves=SHELVES,
    sight=SIGHT,
    queries=(MOVES,),
    prints=printables(),
    seats=("blue", "red"),
    fairness=FAIRNESS,
    score=score(),
)
