"""Measure what the words of data/<game>/battle_words.toml count, in battles that are drawn without options.

Run `python docs/measure_battle_words.py` after a change of the words or of what is drawn, and enter the printed
averages and standard deviations into the files.
"""

from __future__ import annotations

import sys
from itertools import islice
from statistics import fmean, pstdev

from generator import games
from generator.common.battle_words import count, word_table
from generator.common.search import candidates
from generator.errors import NothingLegalError
from generator.model.scenario import Request
from generator.model.views import MapView

FIRST_CODE = "WKVQ6-J9WPR"
"""The first code that is drawn. The others are derived from it."""
BATTLES = 200


def views(name: str) -> list[MapView]:
    """Return the small maps of `BATTLES` battles of a game."""
    game, found = games.load(name), list[MapView]()
    for code in islice(candidates(FIRST_CODE, "v1/batch"), 2 * BATTLES):
        try:
            scenario = game.draw(Request(code, {}, {}))
        except NothingLegalError:
            continue
        if game.fairness and len(found) < BATTLES:
            found.append(game.fairness.view(scenario))
    return found


def main() -> None:
    """Print the average and the standard deviation of every word's count."""
    for name in games.names():
        table, maps = word_table(name), views(name)
        for word in (*table.terrain.values(), *table.forces.values()) if table else ():
            counts = [count(word.counts, word.looks, view) for view in maps]
            sys.stdout.write(f"{name} {word.name.en}: mean = {fmean(counts):.2f}, deviation = {pstdev(counts):.2f}\n")


if __name__ == "__main__":
    main()
