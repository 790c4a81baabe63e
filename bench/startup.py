"""Whole processes: `muster --help`, kits, draws and checks, beside Python importing the same libraries."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from bench.clock import Runner, alternate, process
from bench.figure import Figure
from generator import games
from generator.seeds import code_for

MUSTER = str(Path(sys.executable).parent / "muster")
HEAVY = ("numpy", "shapely", "reportlab", "jinja2")
IMPORTS = "import click, shapely, reportlab.platypus, jinja2"
BESIDE = f'python -c "{IMPORTS}"'
STRIDE = 34_000_003
"""Codes this far apart in their order have nothing in common."""
HELP, MEDIAN_KIT, WORST_KIT, VERB = 1.3, 4.5, 7.0, 1.4
UNBOUNDED = ("blind_faith",)
"""Games whose kits have no target yet: their fights are computed exactly, which takes as long as it takes."""


def help_text(rounds: int) -> Iterator[Figure]:
    """`muster --help` beside a bare Click program."""
    bare = [sys.executable, str(Path(__file__).parent / "bare_click.py"), "--help"]
    ours, theirs = alternate(rounds, process([MUSTER, "--help"]), process(bare))
    yield Figure("muster --help", ours, "--help of a bare Click program", theirs, "times the time", HELP)


def heavy_imports() -> list[str]:
    """Return which of the heavy libraries `muster --help` imports; there should be none."""
    command = [sys.executable, "-X", "importtime", MUSTER, "--help"]
    told = subprocess.run(command, check=True, capture_output=True, text=True).stderr
    imported = {line.rpartition("|")[2].strip() for line in told.splitlines()}
    return [name for name in HEAVY if name in imported]


def kits(count: int) -> Iterator[Figure]:
    """The kits of random codes of each game, the median and the slowest; each is timed when it is printed again."""
    with tempfile.TemporaryDirectory() as folder:
        base = process([sys.executable, "-c", IMPORTS])
        for name in games.names():
            ours, theirs = list[float](), list[float]()
            for number in range(count):
                command = [MUSTER, "kit", name, "--seed", code_for(number * STRIDE), "-o", f"{folder}/kit"]
                kit = process(command, MUSTER_CACHE=f"{folder}/cache")
                kit()
                theirs.append(base())
                ours.append(kit())
            held = name not in UNBOUNDED
            for what, pick, most in (("median", median, MEDIAN_KIT), ("slowest", max, WORST_KIT)):
                of = f"a kit of {name}, the {what} of {count} codes"
                target = most if held else None
                yield Figure(of, pick(ours), BESIDE, median(theirs), "times the time", target)


def verbs(rounds: int) -> Iterator[Figure]:
    """`muster draw` and `muster check` of each game."""
    with tempfile.TemporaryDirectory() as folder:
        names = games.names()

        def muster(*words: str) -> Runner:
            return process([MUSTER, *words], MUSTER_CACHE=f"{folder}/cache")

        draws = [muster("draw", name, "--seed", code_for(STRIDE), "-o", f"{folder}/{name}.toml") for name in names]
        checks = [muster("check", f"{folder}/{name}.toml") for name in names]
        base, *times = alternate(rounds, process([sys.executable, "-c", IMPORTS]), *draws, *checks)
    for number, name in enumerate(names):
        yield Figure(f"draw {name}", times[number], BESIDE, base, "times the time", VERB)
        yield Figure(f"check {name}", times[len(names) + number], BESIDE, base, "times the time", VERB)
