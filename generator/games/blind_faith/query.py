"""Interception as a query: who comes first to which hex of the march, told, as rows, and over the map."""

from __future__ import annotations

from generator.games.blind_faith.pages.mapsheet import figure
from generator.games.blind_faith.play.intercept import Chance, all_chances, going, rows, staying
from generator.games.blind_faith.play.marching import costs, movement, sound
from generator.games.blind_faith.scenario import Scenario
from generator.games.blind_faith.words import hex_told, side_name, units_told, words
from generator.games.capability import Query
from generator.model.views import Sheet
from generator.model.words import Words, joined


def lines(scenario: Scenario) -> list[Words]:
    """The march, hex by hex, and who stays behind if he goes."""
    say, march = words()["intercept"], scenario.march
    if not march:
        return [say["none"]]
    if not sound(scenario.land, march.path) or len(march.path) < 2:
        return [say["broken"].fill(stack=march.stack)]
    mover, land = scenario.stack(march.stack), scenario.land
    told = [
        say["march"].fill(
            stack=mover.id,
            side=side_name(mover.side),
            start=hex_told(land, march.path[0]),
            end=hex_told(land, march.path[-1]),
            n=costs(land, march.path)[-1],
            m=movement(scenario.pack, mover.units),
        )
    ]
    by_step: dict[int, list[Chance]] = {}
    for chance in all_chances(scenario):
        by_step.setdefault(chance.step, []).append(chance)
    told += [hex_line(scenario, step) for step in by_step.values()]
    for name in dict.fromkeys(c.stack for c in all_chances(scenario) if c.verdict == "intercepts" and c.cost):
        stack = scenario.stack(name)
        goes, stays = going(scenario.pack, stack.units), staying(scenario.pack, stack, march.path[0])
        values = {"going": units_told(scenario.pack, goes), "staying": units_told(scenario.pack, stays)}
        told.append(say["left"].fill(stack=name, hex=land.name(stack.hex), **values))
    return told


def hex_line(scenario: Scenario, at: list[Chance]) -> Words:
    """What every stack can do about one hex of the march."""
    say, verdicts = words()["intercept"], words()["verdict"]
    who = [verdicts[c.verdict].fill(stack=c.stack, cost=c.cost, movement=c.movement) for c in at]
    return say["hex"].fill(hex=hex_told(scenario.land, at[0].hex), n=at[0].mover, who=joined(who))


def sheet(scenario: Scenario) -> Sheet:
    """The chances laid over the map."""
    return Sheet(
        part="intercept",
        title=words()["intercept"]["title"],
        template="blind_faith/intercept.xml",
        view={"lines": lines(scenario)},
        figures={"map": figure(scenario)},
    )


QUERY: Query[Scenario] = Query(
    verb="intercept",
    rows=lambda scenario, arguments: rows(scenario),
    lines=lambda scenario, arguments: lines(scenario),
    sheet=lambda scenario, arguments: sheet(scenario),
)
