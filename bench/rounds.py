"""A tournament's rounds, packed by two processes and by one: whole commands, from the shell to the files."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator

from bench.battle import CODE
from bench.clock import alternate, process
from bench.figure import Figure
from bench.startup import MUSTER

ROUNDS, PLAYERS = 12, 16
TWICE = 1.7
"""Two processes are to be so many times as fast as one."""


def figures(times: int) -> Iterator[Figure]:
    """The same event by both, in turn."""
    with tempfile.TemporaryDirectory() as folder:
        pack = [MUSTER, "tournament", "pack", "call_to_arms", "--seed", CODE, "--lang", "en", "-o", folder]
        event = [*pack, "--players", str(PLAYERS), "--rounds", str(ROUNDS), "--scenarios", "per-table"]
        two, one = alternate(times, *(process([*event, "--jobs", jobs]) for jobs in "21"))
    what = f"{ROUNDS} rounds of a tournament, {PLAYERS // 2} tables each, by two processes"
    yield Figure(what, two, "by one process", one, "times as fast", TWICE)
