"""A tournament's rounds: by two processes and by one, and beside what they took before they were made fast.

Whole commands, from the shell to the files.
"""

from __future__ import annotations

import io
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path

from bench.battle import CODE
from bench.clock import Runner, alternate, process, wall
from bench.figure import Figure
from bench.startup import MUSTER

ROUNDS, PLAYERS = 12, 16
TWICE = 1.7
"""Two processes are to be so many times as fast as one."""


BEFORE = "c1cecc9"
"""The commit that a large event is held against: packs as they were first written."""
MANY, FEW = 256, 5
"""Its players and rounds."""
QUARTER = 0.25
RUN = "import runpy, sys; sys.path.insert(0, sys.argv.pop(1)); runpy.run_module('generator', run_name='__main__')"
"""Runs the Muster of a folder."""


def beside_before() -> Iterator[Figure]:
    """A large event by this tree and by that commit, once each, in turn; nothing where its history is not there."""
    root = Path(__file__).parents[1]
    archive = subprocess.run(["git", "archive", BEFORE], cwd=root, capture_output=True)
    if archive.returncode:
        return
    with tempfile.TemporaryDirectory() as folder:
        before = Path(folder) / "before"
        with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as files:
            files.extractall(before, filter="data")
        event = ["tournament", "pack", "call_to_arms", "--players", str(MANY), "--rounds", str(FEW), "--lang", "en"]

        def packed(tree: Path, name: str) -> Runner:
            return process([sys.executable, "-c", RUN, str(tree), *event, "-o", str(Path(folder) / name)], wall)

        ours, theirs = alternate(1, packed(root, "ours"), packed(before, "theirs"))
    what = f"{FEW} rounds of a tournament of {MANY} players"
    yield Figure(what, ours, f"the same by commit {BEFORE}", theirs, "times the time", QUARTER)


def figures(times: int) -> Iterator[Figure]:
    """The same event by both, in turn."""
    with tempfile.TemporaryDirectory() as folder:
        pack = [MUSTER, "tournament", "pack", "call_to_arms", "--seed", CODE, "--lang", "en", "-o", folder]
        event = [*pack, "--players", str(PLAYERS), "--rounds", str(ROUNDS), "--scenarios", "per-table"]
        two, one = alternate(times, *(process([*event, "--jobs", jobs], wall) for jobs in "21"))
    what = f"{ROUNDS} rounds of a tournament, {PLAYERS // 2} tables each, by two processes"
    yield Figure(what, two, "by one process", one, "times as fast", TWICE)
    yield from beside_before()
