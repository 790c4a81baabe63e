"""Measure complete commands, such as `muster --help`, `kit` and `check`, against the time to import libraries."""

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
"""Libraries that `muster --help` must not import, because importing them takes too long."""
IMPORTS = "import click, shapely, reportlab.platypus, jinja2"
BESIDE = "Python, importing the same libraries"
STRIDE = 34_000_003
"""Distance between the seed codes in the sequence of all codes. Codes this far apart have nothing in common."""
HELP, MEDIAN_KIT, WORST_KIT, VERB = 1.3, 4.5, 7.0, 1.4
"""Targets: maximum ratios of the times to those of their baselines."""
UNBOUNDED = ("blind_faith",)
"""Games whose kits have no target. Their battles are computed exactly, and the time needed varies widely."""


def help_text(rounds: int) -> Iterator[Figure]:
    """Yield the figure of `muster --help`, compared with a minimal Click program."""
    plain = [sys.executable, str(Path(__file__).parent / "bare_click.py"), "--help"]
    ours, baseline = alternate(rounds, process([MUSTER, "--help"]), process(plain))
    yield Figure("muster --help", ours, "--help of a minimal Click program", baseline, "times the time", HELP)


def heavy_imports() -> list[str]:
    """Return the heavy libraries that `muster --help` imports. The list should be empty."""
    command = [sys.executable, "-X", "importtime", MUSTER, "--help"]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stderr
    imported = {line.rpartition("|")[2].strip() for line in output.splitlines()}
    return [name for name in HEAVY if name in imported]


def kits(count: int) -> Iterator[Figure]:
    """Yield the median and the slowest kit of each game for some seed codes.

    Each kit is measured on its second print.
    """
    with tempfile.TemporaryDirectory() as folder:
        base = process([sys.executable, "-c", IMPORTS])
        for name in games.names():
            ours, baselines = list[float](), list[float]()
            for number in range(count):
                command = [MUSTER, "kit", name, "--seed", code_for(number * STRIDE), "-o", f"{folder}/kit"]
                kit = process(command, MUSTER_CACHE=f"{folder}/cache")
                kit()
                baselines.append(base())
                ours.append(kit())
            held = name not in UNBOUNDED
            for what, pick, maximum in (("median", median, MEDIAN_KIT), ("slowest", max, WORST_KIT)):
                of = f"a kit of {name}, the {what} of {count} codes"
                target = maximum if held else None
                yield Figure(of, pick(ours), BESIDE, median(baselines), "times the time", target)


def verbs(rounds: int) -> Iterator[Figure]:
    """Yield the figures of `muster draw` and `muster check` for each game."""
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
