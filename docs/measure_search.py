"""Measure the effort of searches for grade C, which `muster draw --fair C` announces before a search.

Example: python docs/measure_search.py 20 battlelore

This runs 20 searches with default options for each game given (default: all games with grade C) in this process, and
writes the table [search] of data/<game>/fairness.toml. Codes depend only on the number of the search, so every run
finds the same scenarios. The processor time depends on the machine.
"""

from __future__ import annotations

import argparse
import time
from statistics import fmean

from generator import games
from generator.common.search import FAIR, PLAYED, search_fair
from generator.model.scenario import Request
from generator.seeds import code_for
from generator.store.folders import shipped_path
from generator.store.write import write

HEAD = """
# The effort of searches for grade C with default options, measured by `python docs/measure_search.py`.
#
# searches    the number of searches measured
# candidates  the mean number of candidates that a search examines
# cpu_s       the mean processor time of a search, in seconds
"""
"""The lines before the table, which is the last one of its file."""
FIRST = 41_000
"""The number of the code of the first search."""


def measured(game: str, number: int) -> tuple[int, float]:
    """Return the number of candidates of a search, and its processor time in seconds."""
    began = time.process_time()
    found = search_fair(games.load(game), Request(code_for(FIRST + number), {FAIR: PLAYED}, {}))
    _, _, before, *_ = found.log[0].result
    return int(before) + 1, time.process_time() - began


def table(found: list[tuple[int, float]]) -> str:
    """Return the lines of the table [search] for these searches."""
    candidates, cpu_s = fmean(count for count, _ in found), fmean(seconds for _, seconds in found)
    return f"[search]\nsearches = {len(found)}\ncandidates = {candidates:.0f}\ncpu_s = {cpu_s:.1f}\n"


def main() -> None:
    """Run the command."""
    known = [name for name in games.names() if (game := games.load(name)).fairness and game.playing]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("searches", type=int, help="how many for each game")
    parser.add_argument("games", nargs="*", metavar="game", help=", ".join(known))
    args = parser.parse_args()
    for name in args.games or known:
        path = shipped_path("data") / name / "fairness.toml"
        lines = table([measured(name, number) for number in range(1, args.searches + 1)])
        before, _, _ = path.read_text("utf-8").partition(HEAD)
        write(path, f"{before.rstrip()}\n{HEAD}{lines}".encode())
        print(name, lines.replace("\n", "; "))  # noqa: T201


if __name__ == "__main__":
    main()
