"""What starting costs: `muster --help`, and kits, draws and checks from a cold start; each a process of its own."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from bench.battle import CODE
from bench.clock import Runner, alternate, process
from bench.figure import Figure
from generator import games
from generator.seeds import code_for

MUSTER = str(Path(sys.executable).parent / "muster")
HEAVY = ("numpy", "shapely", "reportlab", "jinja2")
IMPORTS = "import click, shapely, reportlab.platypus, jinja2"


def help_text(rounds: int) -> Figure:
    """`muster --help` beside the bare Click program."""
    bare = [sys.executable, str(Path(__file__).parent / "bare_click.py"), "--help"]
    ours, theirs = alternate(rounds, process([MUSTER, "--help"]), process(bare))
    beside = "--help of a Click program with one command"
    return Figure("muster --help", ours, beside, theirs, "times the time", 1.0)


def heavy_imports() -> list[str]:
    """Which of the heavy libraries `muster --help` imports; there should be none."""
    command = [sys.executable, "-X", "importtime", MUSTER, "--help"]
    told = subprocess.run(command, check=True, capture_output=True, text=True).stderr
    imported = {line.rpartition("|")[2].strip() for line in told.splitlines()}
    return [name for name in HEAVY if name in imported]


KIT, DRAW, CHECK = 2.0, 0.6, 1.0
ODDS = 2.5
"""What a kit may take whose fights are told with their odds."""


def verbs(rounds: int) -> Iterator[Figure]:
    """Kits, draws and checks of every game, beside a fresh interpreter that imports the four libraries and ends.

    A kit is drawn, checked and proved, printed, looked over and measured. What lies in the cache after a first one
    is there: fonts, compiled templates, and the odds of its fights, which are told apart.
    """
    imports = "python -c 'import click, shapely, …'"
    with tempfile.TemporaryDirectory() as folder:

        def muster(*words: str) -> Runner:
            return process([MUSTER, *words], MUSTER_CACHE=f"{folder}/cache")

        def unknown() -> float:
            return muster("kit", "blind_faith", "--seed", code_for(next(numbers)), "-o", f"{folder}/unknown")()

        numbers, names = count(1), games.names()
        kits = [muster("kit", name, "--seed", CODE, "-o", f"{folder}/{name}") for name in names]
        draws = [muster("draw", name, "--seed", CODE, "-o", f"{folder}/{name}.toml") for name in names]
        checks = [muster("check", f"{folder}/{name}.toml") for name in names]
        runners = process([sys.executable, "-c", IMPORTS]), unknown, *kits, *draws, *checks
        base, reckoned, *times = alternate(rounds, *runners)
    for number, name in enumerate(names):
        kit, draw, check = times[number :: len(names)]
        most = ODDS if name == "blind_faith" else KIT
        yield Figure(f"a kit of {name}, fonts cached", kit, imports, base, "times the time", most)
        if name == "blind_faith":
            yield Figure("the same, fights reckoned for the first time", reckoned, imports, base, "times the time")
        yield Figure(f"draw {name}", draw, imports, base, "times the time", DRAW)
        yield Figure(f"check {name}", check, imports, base, "times the time", CHECK)
