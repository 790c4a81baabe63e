"""In BattleLore, the game engine and a second implementation agree on all legal decisions and on every roll.

Call to Arms is played with the same engine.
"""

from __future__ import annotations

from collections.abc import Iterator

from tests.games.battlelore.perft import DEEP, Setup, by_reference, setups
from tests.games.battlelore.play_cases import BATTLES, POSITIONS, play_differences
from tests.games.battlelore.prospects_cases import random_scenario
from tests.prove.figure import Figure, counted, spread


def prove() -> Iterator[Figure]:
    """Compare 10,000 positions and ten set-ups."""
    tried = range(BATTLES)
    faults = [fault for found in spread(positions, tried, "positions") for fault in found]
    yield counted(
        "positions: legal decisions, and the result of each decision and each roll",
        len(tried) * POSITIONS,
        faults,
        "0 differences",
    )
    wrong = [fault for fault in spread(ways, setups(), "ways to go on") if fault]
    yield counted(
        f"number of ways to continue a set-up by 1 to {DEEP} steps, same as in the second implementation",
        len(setups()),
        wrong,
    )


def positions(number: int) -> list[str]:
    """Return the differences between engine and reference in the positions of one battle."""
    return list(play_differences(random_scenario(number), number, POSITIONS))


def ways(setup: Setup) -> str:
    """Return how the counts of a set-up differ from the reference, or "" if they are equal."""
    found = tuple(by_reference(setup, depth) for depth in range(1, DEEP + 1))
    return "" if found == setup.counts else f"{setup.code}: {found}, and the table has {setup.counts}"
