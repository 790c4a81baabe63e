"""Measure the server's CPU time for a new code's picture, a move and a line of sight in the studio, for each game.

Run `python -m bench.studio`. The commands are those that the page sends, in one process that has run each of them
before, as the studio's runners have. `--jobs 1` keeps all work in this process.
"""

from __future__ import annotations

import re
import sys
import time
from itertools import islice
from statistics import median

from generator import games
from generator.cli.studio_runners import _run_command
from generator.common.search import candidates

CODE = "WKVQ6-J9WPR"
"""The first code. The others are derived from it."""
ROUNDS = 20
"""The number of measurements of which the median is printed."""
LIMITS = {"picture": 0.6, "move": 0.1, "sight": 0.1}
"""The largest accepted median in seconds, keyed by what is measured."""
DRAWING = ("--parts", "map", "--format", "svg", "--json", "--lang", "en", "-o", "kit")


def run(*words: str, files: dict[str, str]) -> tuple[float, dict[str, str]]:
    """Run a command like the studio. Return its CPU time in seconds and the text files that it wrote."""
    given = {name: text.encode() for name, text in files.items()}
    began = time.process_time()
    answer = _run_command(words, given, lambda *_: None)
    return time.process_time() - began, {name: text.decode("utf-8", "replace") for name, text in answer.files.items()}


def measure(game: str) -> dict[str, float]:
    """Return the median CPU time in seconds of each action of the studio for a game."""
    taken: dict[str, list[float]] = {"picture": [], "move": [], "sight": []}
    for number, code in enumerate(islice(candidates(CODE, "v1/batch"), ROUNDS + 1)):
        drawing, found = run("kit", game, "--seed", code, *DRAWING, files={})
        if "kit/scenario.toml" not in found:
            continue  # Some codes have no legal scenario.
        files = {"battle.toml": found["kit/scenario.toml"]}
        checking, _ = run("edit", "battle.toml", "--json", files=files)
        units, cells = _units_and_cells(files["battle.toml"], found["kit/map.svg"])
        change = f"{units[0]}>{cells[len(cells) // 2]}"
        moving, _ = run("edit", "battle.toml", change, "--json", "-o", "next.toml", files=files)
        looking, _ = run("sight", "battle.toml", cells[0], cells[-1], "--json", files=files)
        if number == 0:
            continue  # The first run fills the caches.
        taken["picture"].append(drawing + checking)
        taken["move"].append(moving)
        if games.load(game).sight:
            taken["sight"].append(looking)
    return {name: median(times) for name, times in taken.items() if times}


def _units_and_cells(battle: str, svg: str) -> tuple[list[str], list[str]]:
    """Return the ids of the units and the names of the cells of a battle."""
    units = re.findall(r'\bid = "([A-Z][A-Za-z0-9]*)", (?:hex|at|unit) = ', battle)
    return units, re.findall(r'<path data-cell="([A-Za-z0-9]+)"', svg)


def main() -> int:
    """Print the medians of every game, and return 1 if one of them is above its limit."""
    slow = 0
    for game in games.names():
        for name, value in measure(game).items():
            slow += value > LIMITS[name]
            sys.stdout.write(f"{game:14} {name:8} {value:6.3f} s  (limit {LIMITS[name]} s)\n")
    return int(slow > 0)


if __name__ == "__main__":
    sys.exit(main())
