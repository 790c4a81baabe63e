"""The order in which brigades were set up, by the log."""

from __future__ import annotations

from collections.abc import Iterator

from generator.games.logs import Step
from generator.games.travel_battle.rules.armies import rule
from generator.games.travel_battle.rules.names import player_name
from generator.games.travel_battle.scenario import OTHER, Player, Scenario, brigade_id
from generator.rules.rule import Fault


@rule("setup.order")
def by_turns(scenario: Scenario) -> Iterator[Fault]:
    steps = [(number, step) for number, step in enumerate(scenario.log, 1) if step.what == "place"]
    if not steps:
        yield Fault("log", "unproved", {}, "unproved")
        return
    seen: list[str] = []
    turn = scenario.first_placer
    for number, step in steps:
        brigade = _brigade(scenario, step)
        values = {"step": number, "player": player_name(step.who), "brigade": brigade}
        if brigade is None:
            yield Fault(f"log {number}", "stranger", values)
            continue
        if brigade in seen:
            yield Fault(f"log {number}", "twice", values)
        elif step.who != turn:
            yield Fault(f"log {number}", "turn" if seen else "first", values)
        seen.append(brigade)
        turn = OTHER[scenario.units[step.result[0].split()[0]][0]]
    for name in _brigades(scenario):
        if name not in seen:
            yield Fault(name, "missing", {"brigade": name})


def _brigade(scenario: Scenario, step: Step) -> str | None:
    """The brigade of the step's player that its first unit belongs to."""
    first = step.result[0].split()[0] if step.result and step.result[0].split() else ""
    if first not in scenario.units:
        return None
    player, brigade, _unit = scenario.units[first]
    return brigade_id(player, brigade.number) if player == step.who else None


def _brigades(scenario: Scenario) -> Iterator[str]:
    player: Player
    for player, army in scenario.armies.items():
        yield from (brigade_id(player, brigade.number) for brigade in army.brigades)
