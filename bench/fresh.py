"""The first kit on a machine that has nothing but Python: from a clone to the PDF, without what pip takes."""

from __future__ import annotations

import io
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from bench.beside import ROOT
from bench.clock import environment, wall
from bench.figure import Figure

MOST = 15.0
"""So many seconds it may take."""


def first_kit() -> Figure:
    """`make kit` in a fresh clone of what is committed, its environment set up; nothing is cached or compiled."""
    archive = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, check=True, capture_output=True).stdout
    with tempfile.TemporaryDirectory() as folder:
        clone = Path(folder) / "clone"
        with tarfile.open(fileobj=io.BytesIO(archive)) as files:
            files.extractall(clone, filter="data")
        told = environment(MUSTER_CACHE=str(Path(folder) / "cache"))

        def make(goal: str) -> float:
            start = wall()
            command = ["make", "--no-print-directory", goal, f"PYTHON={sys.executable}"]
            subprocess.run(command, cwd=clone, env=told, check=True, capture_output=True)
            return wall() - start

        make("environment")
        taken = make("kit")
    return Figure("make kit in a fresh clone, beyond pip", taken, f"{MOST:.0f} s", MOST, "times the time", 1)
