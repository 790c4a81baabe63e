"""A legal battle written by hand, and functions that change the battle."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from generator.common.scenario_file import Step
from generator.games.battling.draw import draw
from generator.games.battling.ground import Arena, Edge, house_arenas
from generator.games.battling.model import Machine, Scenario, Side
from generator.games.battling.rules import rules
from generator.grid.columns import Numbered, columns_field
from generator.model.scenario import Request
from generator.rules import Report, check
from generator.sight.silhouettes import Polygon

CODE = "MARCH-2WEST"
WISHES = {
    "arena": "crossroads",
    "squad-a": "scopedog brutishdog",
    "squad-b": "brutishdog scopedog",
    "place-second": "0201 0601",
    "place-first": "0212 0612",
}

Edit = Callable[[Scenario], Scenario]


def drawn(code: str = CODE, **options: str) -> Scenario:
    return draw(Request(code, {name.replace("_", "-"): value for name, value in options.items()}, {}))


def battle() -> Scenario:
    """Return a battle of two machines against two in the crossroads arena, in which player A rolls higher."""
    return draw(Request(CODE, WISHES, {}))


def report(scenario: Scenario) -> Report:
    return check(rules(), scenario)


def fired(scenario: Scenario) -> set[str]:
    return {finding.rule.id for finding in report(scenario).findings}


def at(name: str) -> Numbered:
    cell = columns_field(60, 40).find(name)
    assert cell
    return cell


def house(name: str) -> Arena:
    return house_arenas()[name].ground


def setting(**values: Any) -> Edit:
    return lambda scenario: replace(scenario, **values)


def both(*edits: Edit) -> Edit:
    def edit(scenario: Scenario) -> Scenario:
        for one in edits:
            scenario = one(scenario)
        return scenario

    return edit


def squad(side: Side, **values: Any) -> Edit:
    """Return an edit that changes the given values of a squad."""
    return lambda s: replace(s, squads={**s.squads, side: replace(s.squads[side], **values)})


def machine(name: str, **values: Any) -> Edit:
    """Return an edit that changes the given values of a machine."""

    def edit(scenario: Scenario) -> Scenario:
        for side, of in scenario.squads.items():
            changed = tuple(replace(m, **values) if m.id == name else m for m in of.machines)
            scenario = squad(side, machines=changed)(scenario)
        return scenario

    return edit


def machines(side: Side, *of: Machine) -> Edit:
    return squad(side, machines=of)


def edges(first: Edge, second: Edge) -> Edit:
    return both(squad("first", edge=first), squad("second", edge=second))


def dice(*rolls: str) -> Edit:
    """Return an edit that replaces the dice rolls in the log."""

    def edit(scenario: Scenario) -> Scenario:
        rest = [step for step in scenario.log if step.what != "dice"]
        return replace(scenario, log=(*(Step("dice", None, "", tuple(roll.split())) for roll in rolls), *rest))

    return edit


def log_step(what: str, who: str | None, *result: str) -> Edit:
    """Return an edit that replaces the log step of the given kind and side."""

    def edit(scenario: Scenario) -> Scenario:
        steps = [Step(what, who, "", result) if (s.what, s.who) == (what, who) else s for s in scenario.log]
        return replace(scenario, log=tuple(steps))

    return edit


def without(what: str) -> Edit:
    return lambda scenario: replace(scenario, log=tuple(s for s in scenario.log if s.what != what))


def logged(edit: Edit) -> Edit:
    """Return an edit that also replaces the log by a true log of the machines' current hexes."""

    def told_anew(scenario: Scenario) -> Scenario:
        scenario = edit(scenario)
        name = scenario.arena.field.name
        log = [step for step in scenario.log if step.what == "dice"]
        log.append(Step("first", scenario.squads["first"].player, "", ()))
        for side, of in tuple(scenario.squads.items())[::-1]:
            log.append(Step("deploy", side, "", tuple(f"{m.id} {name(m.cell)}" for m in of.machines)))
        return replace(scenario, log=tuple(log))

    return told_anew


def with_silhouettes(*shapes: Polygon, **values: Any) -> Edit:
    """Return an edit that adds the given silhouettes to the arena."""

    def edit(scenario: Scenario) -> Scenario:
        arena = replace(scenario.arena, silhouettes=(*scenario.arena.silhouettes, *shapes), **values)
        return replace(scenario, arena=arena, arena_name="")

    return edit


def hut(arena: Arena, name: str) -> Polygon:
    """Return a small house on the centre of a hex."""
    x, y = arena.point(at(name))
    return ((x - 2, y - 2), (x + 2, y - 2), (x + 2, y + 2), (x - 2, y + 2))
