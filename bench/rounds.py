"""A tournament's rounds: by two processes and by one, and beside what they took before they were made fast.

Whole commands, from the shell to the files.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from bench.battle import CODE
from bench.before import BEFORE, before, muster
from bench.beside import ROOT
from bench.clock import Runner, alternate, environment, process, wall
from bench.figure import Figure
from bench.startup import MUSTER

ROUNDS, PLAYERS = 12, 16
TWICE = 1.7
"""Two processes are to be so many times as fast as one."""


MANY, FEW = 256, 5
"""The players and rounds of an event that is held against what it took before."""
LONG, SHORT = 10, 2
"""The rounds of two such events whose memory is compared: rounds are printed one after another."""
FIFTH = 0.2
FLAT = 1.2
LARGEST = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
print(most * (1 if sys.platform == "darwin" else 1024) / 1e6)
"""
"""Runs a command and prints how much its largest process held, in MB."""


def beside_before() -> Iterator[Figure]:
    """A large event by this tree and by that commit, once each, in turn; nothing where its history is not there."""
    with before() as early, tempfile.TemporaryDirectory() as folder:
        words = ["tournament", "pack", "call_to_arms", "--players", str(MANY), "--lang", "en"]

        def packed(tree: Path, name: str) -> Runner:
            return process(muster(tree, *words, "--rounds", str(FEW), "-o", f"{folder}/{name}"), wall)

        def megabytes(rounds: int) -> float:
            command = [MUSTER, *words, "--rounds", str(rounds), "-o", f"{folder}/{rounds}"]
            largest = [sys.executable, "-c", LARGEST, *command]
            return float(
                subprocess.run(largest, check=True, capture_output=True, text=True, env=environment()).stdout
            )

        what = f"rounds of a tournament of {MANY} players"
        if early:
            ours, theirs = alternate(1, packed(ROOT, "ours"), packed(early, "theirs"))
            yield Figure(f"{FEW} {what}", ours, f"the same by commit {BEFORE}", theirs, "times the time", FIFTH)
        most, least = megabytes(LONG), megabytes(SHORT)
        yield Figure(f"{LONG} {what}, the most memory", most, f"that of {SHORT}", least, "times the memory", FLAT)


def figures(times: int) -> Iterator[Figure]:
    """The same event by both, in turn."""
    with tempfile.TemporaryDirectory() as folder:
        pack = [MUSTER, "tournament", "pack", "call_to_arms", "--seed", CODE, "--lang", "en", "-o", folder]
        event = [*pack, "--players", str(PLAYERS), "--rounds", str(ROUNDS), "--scenarios", "per-table"]
        two, one = alternate(times, *(process([*event, "--jobs", jobs], wall) for jobs in "21"))
    what = f"{ROUNDS} rounds of a tournament, {PLAYERS // 2} tables each, by two processes"
    yield Figure(what, two, "by one process", one, "times as fast", TWICE)
    yield from beside_before()
