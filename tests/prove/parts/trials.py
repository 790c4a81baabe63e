"""In trials by play, even scenarios pass and uneven scenarios fail, with any number of processes."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from threading import Thread
from typing import Any

from msgspec.structs import replace

from generator import games
from generator.common.search import MIRROR, ON
from generator.common.tally import Tally
from generator.common.trials import Case, pairs, play, play_casual, play_strong, trial
from generator.games.battlelore.base import Scenario as Battle
from generator.games.battlelore.ground import SIDES
from generator.games.battling.model import Scenario as Duel
from generator.games.travel_battle.model import Scenario as Field
from generator.model.scenario import Request
from generator.seeds import code_for
from generator.workers import Workers
from tests.prove.figure import SEED, Figure, counted, spread
from tests.prove.parts.executor import NO_DASK, busy, local_cluster

MIRRORED, EVEN, GIVEN = 100, 90, 10
DUPLICATES = 24
"""Number of duplicate games of each mirrored scenario. With each seat moving first, these are 96 games."""
PACED = 360
"""Number of games that are timed, after the same number of untimed games."""
CLUSTER_TIMEOUT_S = 60
"""Seconds after which a cluster must have started work."""


@dataclass(frozen=True)
class Row:
    """A game, and the expectations on its trials."""

    game: str
    pace: int
    """Minimum number of games that one core must play per second."""
    given: str = ""
    """Units removed from a mirrored scenario, or "" if the game cannot mirror every moving unit."""
    short: Callable[[Any], Any | None] = lambda scenario: None
    """Return the scenario without these units, or None if it has too few of them."""


def without_reds(of: Battle) -> Battle | None:
    """Remove two red units of one camp. Return None if there are not enough."""
    force = of.forces[SIDES[0]]
    reds = [unit for unit in force.units if unit.kind.banner == "red"][:2]
    left = tuple(unit for unit in force.units if unit not in reds)
    return replace(of, forces={**of.forces, SIDES[0]: replace(force, units=left)}) if len(reds) == 2 else None


def without_machine(of: Duel) -> Duel:
    """Remove the first machine of the second squad."""
    second = of.squads["second"]
    return replace(of, squads={**of.squads, "second": replace(second, machines=second.machines[1:])})


def without_units(of: Field) -> Field:
    """Remove a unit from each of Red's brigades."""
    red = of.armies["red"]
    brigades = tuple(replace(brigade, units=brigade.units[:-1]) for brigade in red.brigades)
    return replace(of, armies={**of.armies, "red": replace(red, brigades=brigades)})


KNOWN = (
    Row("battlelore", 300, "two red units of a camp", without_reds),
    Row("battling", 400, "a machine of a squad", without_machine),
    # The first player has reserves on the board, so exchanging the first player breaks the symmetry.
    Row("call_to_arms", 300),
    Row("travel_battle", 120, "a unit of each of Red's brigades", without_units),
)
ROWS = tuple(row for row in KNOWN if games.load(row.game).tried)
"""Games in which played games decide grade C."""


def prove() -> Iterator[Figure]:
    """Compute each figure, game by game."""
    for row in ROWS:
        if row.given:
            even = list(spread(partial(is_even, row.game), range(MIRRORED), f"{row.game}, mirrored"))
            what = f"{row.game}: mirrored scenarios, each seat first: the interval contains 50 %"
            yield Figure(what, f"{sum(even)} of {len(even)}", f"{EVEN} or more", sum(even) >= EVEN)
            passed = [
                line for line in spread(partial(passes, row), reducible(row), f"{row.game}, given away") if line
            ]
            yield counted(f"{row.game}: refused, {row.given} left out", GIVEN, passed, "all refused")
        shared = digests(row.game)
        found = f"{len(set(shared.values()))} digest by {', '.join(shared)}"
        yield pace(row)
        yield Figure(
            f"{row.game}: games of a scenario, same in any process", found, "1 digest", len(set(shared.values())) == 1
        )


def pace(row: Row) -> Figure:
    """Measure the games that a core plays per second of CPU time, after a warm-up."""
    playing = games.load(row.game).playing
    assert playing
    engine, every = playing.engine(games.load(row.game).draw(Request(code_for(SEED), {}, {}))), pairs(playing)
    for part in ("warm", "paced"):
        began = time.process_time()
        for n in range(PACED):
            play(engine, playing, part, Case("full", every[n % len(every)], n // 2, bool(n % 2)))
    found = PACED / (time.process_time() - began)
    return Figure(
        f"{row.game}: games per second on one core", f"{found:.0f}", f"{row.pace} or more", found >= row.pace
    )


def mirrored(game: str, number: int) -> Any:
    """Return a scenario in which the sides mirror each other."""
    return games.load(game).draw(Request(code_for(SEED + number), {MIRROR: ON}, {}))


def is_even(game: str, number: int) -> bool:
    """Return whether the interval of a mirrored scenario contains 50 %, with each seat first in half of the games."""
    playing = games.load(game).playing
    assert playing
    engine, every, tally = playing.engine(mirrored(game, number)), pairs(playing), Tally(("all", "pairs"))
    for n in range(DUPLICATES):
        pair = every[n % len(every)]
        cases = [Case(first, pair, n, swapped) for first in ("full", "moved") for swapped in (False, True)]
        tally.take([play(engine, playing, str(number), of) for of in cases])
    return tally.interval[0] <= 0.5 <= tally.interval[1]


def reducible(row: Row) -> list[int]:
    """Return the numbers of the first mirrored scenarios from which units can be removed."""
    return list(islice((n for n in range(MIRRORED) if row.short(mirrored(row.game, n)) is not None), GIVEN))


def passes(row: Row, number: int) -> str:
    """Return a message if a scenario with units removed is accepted as in a search, or "" if it is refused."""
    game, of = games.load(row.game), row.short(mirrored(row.game, number))
    casual = play_casual(game, of)
    is_refused = casual.failing or not all(tally.passed for tally in play_strong(game, of, dice="search"))
    return "" if is_refused else f"{number}: passes"


def digests(name: str) -> dict[str, str]:
    """Return the digest of a scenario's games, keyed by the processes that played them."""
    game = games.load(name)
    of = game.draw(Request(code_for(SEED), {}, {}))
    digest_by = {"one process": trial(game, of).digest, "two": trial(game, of, Workers(2).spread).digest}
    with local_cluster() as cluster:
        if cluster is None:
            return digest_by | {NO_DASK: ""}
        killed: list[int] = []
        Thread(target=_end_one, args=(cluster, killed), daemon=True).start()
        found = trial(game, of, Workers(1, cluster.scheduler_address).spread).digest
        return digest_by | {"a cluster, a worker killed": found if killed else "no worker was killed in time"}


def _end_one(cluster: Any, killed: list[int]) -> None:
    """Kill a worker of a cluster once it has a task."""
    until = time.monotonic() + CLUSTER_TIMEOUT_S
    while time.monotonic() < until:
        if there := busy(cluster):
            killed.append(there[0])
            os.kill(there[0], signal.SIGKILL)
            return
        time.sleep(0.1)
