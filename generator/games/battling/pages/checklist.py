"""The draw as a checklist: what happened, in the order in which the players do it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from generator.games import logs
from generator.games.battling.fairness import TABLES
from generator.games.battling.pages.telling import arena_words
from generator.games.battling.play.orders import side_name
from generator.games.battling.scenario import PLAYERS, SIDES, Scenario
from generator.games.fairsearch import fair_names, fair_steps
from generator.games.logs import Step
from generator.games.words import words
from generator.model.words import Words, joined, same


def checklist(scenario: Scenario) -> list[dict[str, object]]:
    """Groups of steps, consecutive ones of a side together; without a log, what the scenario shows by itself."""
    say = words("battling")["setup"]
    who: dict[str, Words] = {side: say["side"].fill(side=side_name(side)) for side in SIDES}
    who |= {player: say["player"].fill(player=player) for player in PLAYERS}
    steps = scenario.log or tuple(account(scenario))
    return logs.checklist(steps, lambda step: _told(scenario, step), lambda name: who.get(name, same(name)))


def account(scenario: Scenario) -> Iterator[Step]:
    """What a scenario without a log shows."""
    yield Step("arena", None, "", (scenario.arena_name,))
    yield Step("points", None, "", (str(scenario.points),))
    for side in SIDES:
        squad = scenario.squads[side]
        yield Step("squad", squad.player, "", tuple(machine.kind for machine in squad.machines))
    yield Step("first", scenario.squads["first"].player, "", ())
    yield Step("edge", "second", "", (scenario.squads["second"].edge,))
    for side in ("second", "first"):
        told = tuple(f"{m.id} {scenario.arena.field.name(m.cell)}" for m in scenario.squads[side].machines)
        yield Step("deploy", side, "", told)


def _told(scenario: Scenario, step: Step) -> Words:
    """A step in words; the arena, machines and edges by their names."""
    say, kinds = words("battling")["setup"], scenario.pack.machines
    if step.what == "arena":
        return say["arena"].fill(name=arena_words(scenario))
    if step.what == "deploy":
        ids = {machine.id: kinds[machine.kind].name for _, machine in scenario.machines}
        return joined([_post(post, ids) for post in step.result])
    edges = {name: text for name, text in words("battling")["edge"].items() if step.what == "edge"}
    called = fair_names(TABLES) | {kind: of.name for kind, of in kinds.items()} | edges
    if step.what == "squad":
        counts = Counter(step.result)
        return joined([_some(called.get(kind, same(kind)), n) for kind, n in counts.items()])
    return logs.told(step, say | fair_steps(), lambda part: called.get(part, same(part)))


def _some(name: Words, count: int) -> Words:
    """So many of a kind of machine."""
    return words("battling")["setup"]["some"].fill(name=name, n=count) if count > 1 else name


def _post(post: str, names: dict[str, Words]) -> Words:
    """A machine on its hex, such as `F1 0112`."""
    unit, _, cell = post.partition(" ")
    return words("battling")["setup"]["post"].fill(id=unit, name=names.get(unit, same("")), hex=cell)
