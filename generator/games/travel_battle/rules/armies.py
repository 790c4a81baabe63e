"""The armies and how they are divided into brigades."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from generator.games.ruleset import RuleBook
from generator.games.travel_battle.numbers import play
from generator.games.travel_battle.rules.names import player_name
from generator.games.travel_battle.scenario import Player, Scenario, brigade_id
from generator.rules.rule import Fault

rule = RuleBook("travel_battle/rules.toml")


@rule("army.brigades")
def divided(scenario: Scenario) -> Iterator[Fault]:
    want = play().brigades * _armies(scenario)
    for player, army in scenario.armies.items():
        have = len(army.brigades)
        if have != want:
            yield Fault(player, "count", {"player": player_name(player), "have": have, "want": want})
        if [brigade.number for brigade in army.brigades] != list(range(1, have + 1)):
            yield Fault(player, "number", {"player": player_name(player), "n": have})


@rule("army.leader")
def led(scenario: Scenario) -> Iterator[Fault]:
    for name, have in _sizes(scenario, fights=False):
        if have != 1:
            yield Fault(name, "other", {"brigade": name, "have": have})


@rule("army.units")
def composed(scenario: Scenario) -> Iterator[Fault]:
    # Brigadiers are for army.leader.
    kinds = scenario.roster.kinds
    want = Counter({kind.id: kind.count * _armies(scenario) for kind in scenario.roster.fighters})
    for player, army in scenario.armies.items():
        have = Counter(unit.kind.id for unit in army.units if unit.kind.fights)
        for kind in sorted(want | have):
            if have[kind] != want[kind]:
                name = kinds[kind].name if kind in kinds else kind
                values = {"player": player_name(player), "kind": name, "have": have[kind], "want": want[kind]}
                yield Fault(player, "other", values)


@rule("army.size")
def sized(scenario: Scenario) -> Iterator[Fault]:
    sizes = scenario.roster.sizes.values()
    least = min(limits.least for limits in sizes)
    most = 0 if any(not limits.most for limits in sizes) else max(limits.most for limits in sizes)
    for name, have in _sizes(scenario, fights=True):
        if have < least:
            yield Fault(name, "few", {"brigade": name, "have": have, "limit": least})
        elif most and have > most:
            yield Fault(name, "many", {"brigade": name, "have": have, "limit": most})


def _armies(scenario: Scenario) -> int:
    return play().armies_on(len(scenario.boards[0]), len(scenario.boards))


def _sizes(scenario: Scenario, fights: bool) -> Iterator[tuple[str, int]]:
    """How many units each brigade has that fight, or that do not."""
    player: Player
    for player, army in scenario.armies.items():
        for brigade in army.brigades:
            count = sum(unit.kind.fights == fights for unit in brigade.units)
            yield brigade_id(player, brigade.number), count
