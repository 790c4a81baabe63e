"""Computer players: every move and die by two codes, moves counted by depth, even scenarios that come out even."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from threading import Thread
from typing import Any

from msgspec.structs import replace

from generator import games
from generator.common.playing import perft
from generator.common.trials import Case, Tally, play, trial
from generator.games.battling.draw import draw
from generator.games.battling.model import Scenario
from generator.games.battling.players import PLAYING
from generator.games.battling.playing import Battle
from generator.model.scenario import Request
from generator.seeds import code_for
from generator.workers import Workers
from tests.games.battling.duels import board, duel, together
from tests.games.battling.test_players import counts
from tests.prove.figure import SEED, Figure, counted, spread
from tests.prove.parts.executor import busy, local_cluster

POSITIONS, GAMES = 10_000, 150
MIRRORED, EVEN = 100, 90
PATIENCE = 60
"""Seconds in which a cluster is at work."""
PACE = 400
"""Battles a second that one core is to play."""


def prove() -> Iterator[Figure]:
    """Each figure of the issue."""
    done = [one for part in spread(_together, range(GAMES), "positions") for one in part]
    positions = sum(compared for compared, _ in done)
    wrong = tuple(line for _, lines in done for line in lines)
    found = f"{positions:,} positions, {len(wrong)} differences"
    holds = positions >= POSITIONS and not wrong
    yield Figure("Battling: moves, and every result of dice", found, f"{POSITIONS:,}, 0", holds, wrong)
    told = [line for line in spread(_counted, range(10), "depths") if line]
    yield counted(
        "Battling: ways counted to depth 3 from ten set-ups, by both", 10, told, "the table of docs/players.md"
    )
    even = list(spread(_even, range(MIRRORED), "mirrored"))
    wanted = f"{EVEN} or more"
    yield Figure(
        "Battling: mirrored, either seat first, 50 % lies in the interval",
        f"{sum(even)} of {len(even)}",
        wanted,
        sum(even) >= EVEN,
    )
    given = [line for line in spread(_given, range(10), "given away") if line]
    yield counted("Battling: refused, one machine of a squad left out", 10, given, "all refused")
    shared = _shared()
    digests = len(set(shared.values()))
    found = f"{digests} digest by {', '.join(shared)}"
    yield Figure("Battling: a scenario's games, whoever plays them", found, "1 digest", digests == 1)
    began, battle = time.process_time(), Battle(duel(0))
    for number in range(200):
        play(battle, PLAYING, "pace", Case("full", ("brawler", "marksman"), number // 2, bool(number % 2)))
    pace = 200 / (time.process_time() - began)
    yield Figure("Battling: battles a second on a core", f"{pace:.0f}", f"{PACE} or more", pace >= PACE)


def _together(number: int) -> list[tuple[int, list[str]]]:
    return list(together(number, 1, str(SEED)))


def _counted(number: int) -> str:
    """What differs of the ways from a set-up."""
    battle = Battle(duel(number))
    found = tuple(perft(battle, battle.begin(0), depth) for depth in (1, 2, 3))
    slow = tuple(board(duel(number)).perft(depth) for depth in (1, 2, 3))
    return "" if found == slow == counts()[number] else f"{number}: {found}, {slow}, {counts()[number]}"


def _even(number: int) -> bool:
    """Whether a mirrored scenario comes out at a half within its interval, each seat first in half of the games."""
    battle = Battle(draw(Request(code_for(SEED + number), {"mirror": "on"}, {})))
    tally = Tally(("brawler", "marksman"))
    for n in range(24):
        cases = [Case(s, ("brawler", "marksman"), n, swapped) for s in ("full", "moved") for swapped in (False, True)]
        tally.take([play(battle, PLAYING, str(number), of) for of in cases])
    return tally.interval[0] <= 0.5 <= tally.interval[1]


def _given(number: int) -> str:
    """Whether a scenario is not refused in which a squad has lost a machine."""
    of = _short(draw(Request(code_for(SEED + number), {"mirror": "on"}, {})))
    return "" if not trial(games.load("battling"), of, beside=False).passed else f"{number}: passes"


def _shared() -> dict[str, str]:
    """The digest of a scenario's games by who played them."""
    game, of = games.load("battling"), draw(Request(code_for(SEED), {"mirror": "on"}, {}))
    told = {"one process": trial(game, of).digest, "two": trial(game, of, Workers(2).spread).digest}
    with local_cluster() as cluster:
        if cluster is not None:
            Thread(target=_end_one, args=(cluster,), daemon=True).start()
            told["a cluster, a worker killed"] = trial(game, of, Workers(1, cluster.scheduler_address).spread).digest
    return told


def _end_one(cluster: Any) -> None:
    """Kill a worker of a cluster once it is at work."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if there := busy(cluster):
            os.kill(there[0], signal.SIGKILL)
            return
        time.sleep(0.1)


def _short(of: Scenario) -> Scenario:
    second = of.squads["second"]
    return replace(of, squads={**of.squads, "second": replace(second, machines=second.machines[1:])})
