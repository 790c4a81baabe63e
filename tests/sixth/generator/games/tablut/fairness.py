"""Measures of a position's fairness. The sides always differ, so grade A is impossible."""

from __future__ import annotations

from collections import Counter

from generator.games.tablut.ground import SIDE, SIDES, start
from generator.games.tablut.maps import board_view
from generator.games.tablut.model import Scenario, side_name
from generator.games.tablut.play import Position, moves

from generator.common.fairness import Fairness, Measured
from generator.common.tables import words


def _measures(scenario: Scenario) -> tuple[Measured, ...]:
    men = scenario.position.men
    gone = Counter(SIDE[man] for man in start().values()) - Counter(SIDE[man] for man in men.values())
    ways = {side: sum(1 for _ in moves(Position(men, side))) for side in SIDES}
    return (
        Measured("lost", (gone["attackers"], gone["defenders"])),
        Measured("ways", (ways["attackers"], ways["defenders"])),
    )


FAIRNESS: Fairness[Scenario] = Fairness(
    tables=("tablut",),
    sides=(side_name("attackers"), side_name("defenders")),
    measures=_measures,
    mirrored=lambda scenario: (words("tablut")["fairness"]["refused"],),
    first=lambda scenario: words("tablut")["story"]["mover"].fill(side=side_name(scenario.position.mover)),
    view=lambda scenario: board_view(scenario.position.men),
    refused=words("tablut")["fairness"]["refused"],
)
