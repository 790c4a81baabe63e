"""Call to Arms as a game of Muster."""

from __future__ import annotations

from generator.games.battlelore.pages.sheets import map_name
from generator.games.battlelore.query import sight_tool
from generator.games.battlelore.score import score
from generator.games.battlelore.shelves import SHELVES as BATTLELORE
from generator.games.battlelore.words import camp_name
from generator.games.call_to_arms.draw.draw import draw
from generator.games.call_to_arms.export import export
from generator.games.call_to_arms.fairness import FAIRNESS
from generator.games.call_to_arms.file import read, write
from generator.games.call_to_arms.pages import pieces, prints
from generator.games.call_to_arms.pages.hand import HAND
from generator.games.call_to_arms.pages.kit import kit
from generator.games.call_to_arms.rules import rules
from generator.games.call_to_arms.scenario import Scenario
from generator.games.call_to_arms.shelves import SHELVES
from generator.games.call_to_arms.wishes import wishes
from generator.games.call_to_arms.words import words
from generator.games.capability import Game
from generator.games.fairsearch import search_wishes, searching
from generator.model.words import Words, same


def story(scenario: Scenario) -> list[Words]:
    """What was drawn, in a few lines."""
    say = words()["story"]
    lines = [say["title"].fill(title=scenario.title, map=map_name(scenario), profile=scenario.board.plan.name)]
    for camp, force in scenario.forces.items():
        standing = force.standing
        missing = len(force.units) - len(standing)
        lines.append(
            say["force"].fill(
                camp=camp_name(camp),
                sets=_sets(force.sets),
                keys=", ".join(force.keys),
                n=len(standing),
                green=sum(u.kind.banner == "green" for u in standing),
                lost=say["lost"].fill(n=missing) if missing else same(""),
            )
        )
    values = {"banners": scenario.banners, "hand": scenario.hand}
    return [*lines, say["first"].fill(camp=camp_name(scenario.first), **values)]


def _sets(sets: tuple[str, ...]) -> Words:
    """One set, or two."""
    say, (first, *others) = words()["story"], sets
    return say["sets"].fill(first=first, second=others[0]) if others else say["set"].fill(first=first)


GAME: Game[Scenario] = Game(
    name="call_to_arms",
    title=words()["game"]["title"],
    summary=words()["game"]["summary"],
    wishes=(*wishes(), *search_wishes()),
    draw=searching(draw, rules(), FAIRNESS),
    rules=rules(),
    read=read,
    write=write,
    export=export,
    story=story,
    kit=kit,
    shelves=SHELVES,
    borrows=BATTLELORE,
    sight=sight_tool(lambda scenario: scenario.final),
    stops=(HAND,),
    prints=(*pieces.printables(), *prints.printables()),
    fairness=FAIRNESS,
    seats=("pennant", "standard"),
    score=score("call_to_arms", Scenario),
)
