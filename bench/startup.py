"""What starting costs: `muster --help`, and a whole kit from a cold start; both as processes of their own."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from bench.battle import CODE
from bench.clock import alternate, process
from bench.figure import Figure

MUSTER = str(Path(sys.executable).parent / "muster")
HEAVY = ("numpy", "shapely", "reportlab", "jinja2")
IMPORTS = "import click, shapely, reportlab.platypus, jinja2"


def help_text(rounds: int) -> Figure:
    """`muster --help` beside the bare Click program."""
    bare = [sys.executable, str(Path(__file__).parent / "bare_click.py"), "--help"]
    ours, theirs = alternate(rounds, process([MUSTER, "--help"]), process(bare))
    beside = "--help of a Click program with one command"
    return Figure("muster --help", ours, beside, theirs, "times the time", 1.3)


def heavy_imports() -> list[str]:
    """Which of the heavy libraries `muster --help` imports; there should be none."""
    command = [sys.executable, "-X", "importtime", MUSTER, "--help"]
    told = subprocess.run(command, check=True, capture_output=True, text=True).stderr
    imported = {line.rpartition("|")[2].strip() for line in told.splitlines()}
    return [name for name in HEAVY if name in imported]


def whole_kit(rounds: int) -> Figure:
    """`muster kit` with its preflight, beside a fresh interpreter that imports the four libraries and ends."""
    with tempfile.TemporaryDirectory() as folder:
        kit = [MUSTER, "kit", "--seed", CODE, "-o", folder]
        ours, theirs = alternate(rounds, process(kit), process([sys.executable, "-c", IMPORTS]))
    what = "a whole kit from a cold start, fonts cached"
    return Figure(what, ours, "python -c 'import click, shapely, …'", theirs, "times the time", 3)
