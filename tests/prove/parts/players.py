"""In Battling, two implementations agree on every move and die, and on the number of ways to continue a game."""

from __future__ import annotations

from collections.abc import Iterator

from generator.games.battling.playing import Battle
from tests.games.battling.duels import board, compare_games, duel
from tests.games.battling.test_players import counts
from tests.games.perft import perft
from tests.prove.figure import SEED, Figure, counted, spread

POSITIONS, GAMES = 10_000, 150


def prove() -> Iterator[Figure]:
    """Compute all figures."""
    done = [one for part in spread(_together, range(GAMES), "positions") for one in part]
    positions = sum(compared for compared, _ in done)
    wrong = tuple(line for _, lines in done for line in lines)
    found = f"{positions:,} positions, {len(wrong)} differences"
    holds = positions >= POSITIONS and not wrong
    yield Figure("Battling: moves, and every result of dice", found, f"{POSITIONS:,}, 0", holds, wrong)
    faults = [line for line in spread(_counted, range(10), "depths") if line]
    yield counted(
        "Battling: number of ways to continue ten set-ups by 3 steps, counted by both implementations",
        10,
        faults,
        "the table of docs/players.md",
    )


def _together(number: int) -> list[tuple[int, list[str]]]:
    return list(compare_games(number, 1, str(SEED)))


def _counted(number: int) -> str:
    """Return the differing counts from a set-up, or "" if they are equal."""
    battle = Battle(duel(number))
    found = tuple(perft(battle, battle.begin(0), depth) for depth in (1, 2, 3))
    slow = tuple(board(duel(number)).perft(depth) for depth in (1, 2, 3))
    return "" if found == slow == counts()[number] else f"{number}: {found}, {slow}, {counts()[number]}"
