"""Which cards may be played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from generator.games.call_to_arms.scenario import Scenario
from generator.games.call_to_arms.words import numbers
from generator.rules.rule import Fault


def of_the_set(scenario: Scenario) -> Iterator[Fault]:
    """cards.set"""
    for camp, force in scenario.forces.items():
        for key in dict.fromkeys(force.keys):
            if scenario.card(camp, key).set != force.set:
                yield Fault(camp, "other", {"card": key, "set": force.set})


def different(scenario: Scenario) -> Iterator[Fault]:
    """cards.twice"""
    for camp, force in scenario.forces.items():
        for key, count in Counter(force.keys).items():
            if count > 1:
                yield Fault(camp, "twice", {"card": key})


def as_drawn(scenario: Scenario) -> Iterator[Fault]:
    """cards.drawn"""
    for camp, force in scenario.forces.items():
        hands = scenario.steps("hand", camp)
        if not hands:
            yield Fault(camp, "unproved", level="unproved")
            continue
        drawn = hands[-1].result
        if len(drawn) != numbers().drawn:
            yield Fault(camp, "count", {"n": len(drawn)})
        for key in dict.fromkeys(force.keys):
            if key not in drawn:
                yield Fault(camp, "other", {"card": key})
        whole = {card.key for card in scenario.deck.set(camp, force.set)}
        for shuffle in scenario.steps("shuffle", camp):
            if shuffle.result[: numbers().drawn] != drawn or sorted(shuffle.result) != sorted(whole):
                yield Fault(camp, "shuffle")


TESTS = {"cards.set": of_the_set, "cards.twice": different, "cards.drawn": as_drawn}
