"""Who moves first, and what the battle is played for."""

from __future__ import annotations

from collections.abc import Iterator

from generator.games.battlelore.ground.board import CAMPS, Camp
from generator.games.battlelore.lore import lore
from generator.games.battlelore.rules import common
from generator.games.battlelore.words import camp_name
from generator.games.call_to_arms.rules.cards import rule
from generator.games.call_to_arms.scenario import Scenario
from generator.games.call_to_arms.words import numbers
from generator.rules.rule import Fault


def _green(scenario: Scenario) -> dict[Camp, int]:
    """Green banners on the board before any reserve comes."""
    return {
        camp: sum(u.kind.banner == "green" and u.hex is not None for u in scenario.forces[camp].deployed)
        for camp in CAMPS
    }


def _rounds(scenario: Scenario) -> list[dict[Camp, list[str]]]:
    return [
        {camp: faces.split() for camp, faces in zip(CAMPS, step.result, strict=False)}
        for step in scenario.steps("dice")
    ]


@rule("first.green")
def by_green(scenario: Scenario) -> Iterator[Fault]:
    # A tie without dice is for first.dice.
    green, reason = _green(scenario), "fewer"
    rounds = _rounds(scenario)
    if len(set(green.values())) == 1 and rounds:
        reason = "dice"
        green = {camp: rounds[-1].get(camp, []).count("green") for camp in CAMPS}
    best = max(green.values())
    if green[scenario.first] < best:
        yield Fault("play", reason, {"camp": camp_name(scenario.first)} | {str(camp): n for camp, n in green.items()})


@rule("first.dice")
def dice(scenario: Scenario) -> Iterator[Fault]:
    green, rounds = _green(scenario), _rounds(scenario)
    if len(set(green.values())) > 1:
        if rounds:
            yield Fault("play", "needless")
        return
    if not rounds:
        yield Fault("play", "unproved", {"green": green["pennant"]}, level="unproved")
        return
    known = {face.id for face in lore().play.face}
    for number, rolled in enumerate(rounds, 1):
        faces = [rolled.get(camp, []) for camp in CAMPS]
        if any(len(f) != numbers().tie_dice or not known.issuperset(f) for f in faces):
            yield Fault("play", "count", {"round": number})
        tied = faces[0].count("green") == faces[1].count("green")
        if number < len(rounds) and not tied:
            yield Fault("play", "early", {"round": number})
        if number == len(rounds) and tied:
            yield Fault("play", "tied")


@rule("play.hand")
def hand(scenario: Scenario) -> Iterator[Fault]:
    return common.hand(scenario.hand)


@rule("play.banners")
def banners(scenario: Scenario) -> Iterator[Fault]:
    return common.banners(scenario)
