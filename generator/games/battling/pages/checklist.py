"""Print how a battle was generated, as a checklist in the order of the set-up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from generator.common import scenario_file
from generator.common.scenario_file import Step
from generator.common.search import fair_names, fair_steps
from generator.games.battling.fairness import TABLES
from generator.games.battling.model import (
    PLAYERS,
    SIDES,
    Scenario,
    set_up,
    side_name,
)
from generator.games.battling.pages.battle_words import arena_words
from generator.games.battling.tables import words
from generator.model.words import Words, joined, same


def checklist(scenario: Scenario) -> list[dict[str, object]]:
    """Return the steps of the set-up, with consecutive steps of a side grouped.

    If there is no log, the steps are derived from the scenario.
    """
    texts = words()["setup"]
    who: dict[str, Words] = {side: texts["side"].fill(side=side_name(side)) for side in SIDES}
    who |= {player: texts["player"].fill(player=player) for player in PLAYERS}
    steps = scenario.log or tuple(account(scenario))
    return scenario_file.checklist(
        steps, lambda step: _step_words(scenario, step), lambda name: who.get(name, same(name))
    )


def account(scenario: Scenario) -> Iterator[Step]:
    """Yield the steps of a scenario without a log."""
    yield Step("arena", None, "", (scenario.arena_name,))
    if scenario.points is not None:
        yield Step("points", None, "", (str(scenario.points),))
    for side in SIDES:
        squad = scenario.squads[side]
        yield Step("squad", squad.player, "", tuple(machine.kind for machine in squad.machines))
    yield Step("first", scenario.squads["first"].player, "", ())
    if not scenario.fixed:
        yield Step("edge", "second", "", (scenario.squads["second"].edge,))
    yield from (set_up(scenario, side) for side in reversed(SIDES))


def _step_words(scenario: Scenario, step: Step) -> Words:
    """Describe a step, with the names of arena, machines and edges."""
    texts, kinds = words()["setup"], scenario.pack.machines
    if step.what == "arena":
        return texts["arena"].fill(name=arena_words(scenario))
    if step.what == "deploy":
        return joined([_post(scenario, post) for post in step.result])
    edges = {name: text for name, text in words()["edge"].items() if step.what == "edge"}
    labels = fair_names(TABLES) | {kind: of.name for kind, of in kinds.items()} | edges
    if step.what == "squad":
        counts = Counter(step.result)
        names = {kind: labels.get(kind, same(kind)) for kind in counts}
        return joined([texts["some"].fill(name=names[k], n=n) if n > 1 else names[k] for k, n in counts.items()])
    if step.what == "points" and len({*scenario.costs.values()}) > 1:
        return scenario_file.step_words(step, {"points": texts["points_most"]}, same)
    return scenario_file.step_words(step, texts | fair_steps(), lambda part: labels.get(part, same(part)))


def _post(scenario: Scenario, post: str) -> Words:
    """Describe a machine and its hex in the log, such as `F1 0112`."""
    unit, _, cell = post.partition(" ")
    machine = next((machine for _, machine in scenario.machines if machine.id == unit), None)
    name = scenario.pack.machines[machine.kind].name if machine else same("")
    return words()["setup"]["post"].fill(id=machine.label if machine else unit, name=name, hex=cell)
