"""Which sets and cards may be played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from generator.games.battlelore.ground.board import CAMPS
from generator.games.battlelore.words import camp_name
from generator.games.call_to_arms.scenario import Force, Scenario
from generator.games.call_to_arms.words import numbers
from generator.games.ruleset import RuleBook
from generator.rules.rule import Fault

rule = RuleBook("call_to_arms/rules.toml")


def _set_of(ref: str) -> str:
    key, _, other = ref.partition("/")
    return f"{key[0]}/{other}" if other else key[0]


@rule("cards.set")
def of_the_sets(scenario: Scenario) -> Iterator[Fault]:
    for camp, force in scenario.forces.items():
        for ref in dict.fromkeys(force.keys):
            if _set_of(ref) not in force.sets:
                yield Fault(camp, "other", {"card": ref, "set": force.set})


@rule("cards.sets")
def sets(scenario: Scenario) -> Iterator[Fault]:
    mode = numbers().mode[scenario.mode]
    known = scenario.deck.sets
    used = {camp: {_absolute(camp, ref) for ref in force.sets} for camp, force in scenario.forces.items()}
    for camp, force in scenario.forces.items():
        if len(force.sets) != mode.sets or len(set(force.sets)) != mode.sets:
            yield Fault(camp, "count", {"camp": camp_name(camp), "sets": force.set or "–", "n": mode.sets})
        for ref in dict.fromkeys(force.sets):
            letter, _, whose = ref.partition("/")
            if letter not in known or (whose and (mode.sets == 1 or whose not in CAMPS)):
                yield Fault(camp, "other", {"camp": camp_name(camp), "set": ref})
    for shared in sorted(used["pennant"] & used["standard"]):
        yield Fault("play", "both", {"set": shared})


def _absolute(camp: str, ref: str) -> str:
    return ref if "/" in ref else f"{ref}/{camp}"


@rule("cards.twice")
def different(scenario: Scenario) -> Iterator[Fault]:
    for camp, force in scenario.forces.items():
        for ref, count in Counter(force.keys).items():
            if count > 1:
                yield Fault(camp, "twice", {"card": ref})


@rule("cards.drawn")
def as_drawn(scenario: Scenario) -> Iterator[Fault]:
    for camp, force in scenario.forces.items():
        hands = scenario.steps("hand", camp)
        if not hands:
            yield Fault(camp, "unproved", level="unproved")
            continue
        drawn = hands[-1].result
        if len(drawn) != numbers().drawn:
            yield Fault(camp, "count", {"n": len(drawn)})
        for ref in dict.fromkeys(force.keys):
            if ref not in drawn:
                yield Fault(camp, "other", {"card": ref})
        for shuffle in scenario.steps("shuffle", camp):
            whole = sorted(shuffle.result) == sorted(_whole(scenario, force))
            if shuffle.result[: numbers().drawn] != drawn or not whole:
                yield Fault(camp, "shuffle")


def _whole(scenario: Scenario, force: Force) -> list[str]:
    """Every card of the camp's sets."""
    return [ref for of in force.sets for ref in scenario.deck.refs(force.camp, of)]
