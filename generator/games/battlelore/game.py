"""BattleLore by itself as a game of Muster."""

from __future__ import annotations

from generator.games.battlelore.alone.draw import draw, wishes
from generator.games.battlelore.alone.export import export
from generator.games.battlelore.alone.fairness import FAIRNESS
from generator.games.battlelore.alone.file import read, write
from generator.games.battlelore.alone.kit import kit
from generator.games.battlelore.alone.orders import orders
from generator.games.battlelore.alone.rules import rules
from generator.games.battlelore.alone.scenario import Scenario
from generator.games.battlelore.pages import pieces, prints
from generator.games.battlelore.pages.sheets import map_name
from generator.games.battlelore.query import sight_tool
from generator.games.battlelore.score import score
from generator.games.battlelore.shelves import SHELVES
from generator.games.battlelore.words import camp_name, words
from generator.games.capability import Game
from generator.games.fairsearch import search_wishes, searching
from generator.model.words import Words


def story(scenario: Scenario) -> list[Words]:
    """What was drawn, in a few lines."""
    say = words()["alone"]
    plans = {plan.id: plan.name for plan in orders().plan}
    lines = [
        say["story"].fill(
            title=scenario.title, map=map_name(scenario), profile=scenario.board.plan.name, n=scenario.points
        )
    ]
    for camp, force in scenario.forces.items():
        lines.append(
            say["force"].fill(camp=camp_name(camp), plan=plans[force.plan], n=sum(bool(u.hex) for u in force.units))
        )
    values = {"banners": scenario.banners, "hand": scenario.hand}
    return [*lines, say["first"].fill(camp=camp_name(scenario.first), **values)]


GAME: Game[Scenario] = Game(
    name="battlelore",
    title=words()["alone"]["title"],
    summary=words()["alone"]["summary"],
    wishes=(*wishes(), *search_wishes()),
    draw=searching(draw, rules(), FAIRNESS),
    rules=rules(),
    read=read,
    write=write,
    export=export,
    story=story,
    kit=kit,
    shelves=SHELVES,
    sight=sight_tool(),
    prints=(*pieces.printables(words()["alone"]["title"]), *prints.printables(words()["alone"]["title"])),
    fairness=FAIRNESS,
    seats=("pennant", "standard"),
    score=score("battlelore", Scenario),
)
