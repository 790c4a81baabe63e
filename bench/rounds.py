"""Measure the time of a complete command that creates the rounds of a tournament."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator

from bench.battle import CODE
from bench.before import BEFORE, before, muster
from bench.beside import ROOT
from bench.clock import alternate, process, wall
from bench.figure import Figure
from bench.startup import MUSTER

LARGE_PLAYERS, LARGE_ROUNDS = 256, 5
"""Number of players and number of rounds of a large event."""
MAX_SECONDS = 8.0
"""Maximum CPU seconds for the large event."""
PLAYERS, ROUNDS = 16, 12
"""Number of players and number of rounds of an event with one scenario per table, which several processes share."""


def figures(times: int) -> Iterator[Figure]:
    """Yield the time of the large event compared with its limit, and the times of two processes and of version 0.1.

    The last two are for information.
    """
    words = ["tournament", "pack", "call_to_arms", "--lang", "en"]
    large = [*words, "--players", str(LARGE_PLAYERS), "--rounds", str(LARGE_ROUNDS)]
    tables = [*words, "--seed", CODE, "--players", str(PLAYERS), "--rounds", str(ROUNDS), "--scenarios", "per-table"]
    what = f"{LARGE_ROUNDS} rounds of a tournament of {LARGE_PLAYERS} players"
    with tempfile.TemporaryDirectory() as folder:
        (ours,) = alternate(times, process([MUSTER, *large, "--jobs", "1", "-o", f"{folder}/ours"]))
        yield Figure(what, ours, f"{MAX_SECONDS:.0f} s", MAX_SECONDS, "times the time", 1)
        both = (process([MUSTER, *tables, "--jobs", jobs, "-o", f"{folder}/tables"], wall) for jobs in "21")
        two, one = alternate(times, *both)
        of = f"{ROUNDS} rounds, {PLAYERS // 2} tables each, with two processes"
        yield Figure(of, two, "with one process", one, "times as fast")
        with before() as early:
            if early is None:
                return
            commands = [muster(tree, *large, "-o", f"{folder}/{tree.name}") for tree in (ROOT, early)]
            now, then = alternate(1, *(process(command) for command in commands))
        yield Figure(what, now, f"the same by commit {BEFORE}", then, "times the time")
