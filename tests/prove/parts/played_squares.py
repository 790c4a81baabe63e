"""In Travel Battle, the game engine and a second implementation agree on all legal decisions and on every roll."""

from __future__ import annotations

from collections.abc import Iterator

from tests.games.travel_battle.perft import DEEP, SETUPS, by_engine, by_reference, table
from tests.games.travel_battle.play_cases import BATTLES, POSITIONS, play_differences, random_battle
from tests.prove.figure import Figure, counted, spread


def prove() -> Iterator[Figure]:
    """Compare 10,000 positions and ten set-ups."""
    tried = range(BATTLES)
    faults = [fault for found in spread(positions, tried, "positions") for fault in found]
    yield counted(
        "Travel Battle: positions: legal decisions, and the result of each decision and each roll",
        len(tried) * POSITIONS,
        faults,
        "0 differences",
    )
    wrong = [fault for fault in spread(ways, SETUPS, "ways to go on") if fault]
    what = f"Travel Battle: number of ways to continue a set-up by 1 to {DEEP} steps, counted by both implementations"
    yield counted(what, len(SETUPS), wrong, "the table of docs/players.md")


def positions(number: int) -> list[str]:
    """Return the differences between engine and reference in the positions of one battle."""
    return list(play_differences(random_battle(number), number, POSITIONS))


def ways(number: int) -> str:
    """Return the differing counts of a set-up by engine, reference and table, or "" if they are equal."""
    found, slow = (tuple(count(number, depth) for depth in range(1, DEEP + 1)) for count in (by_engine, by_reference))
    return "" if found == slow == table()[number] else f"{number}: {found}, {slow}, {table()[number]}"
