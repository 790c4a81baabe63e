"""Count the continuations of ten Travel Battle set-ups with the engine and with the reference.

The set-ups are scenario files of battles with losses. `python -m tests.games.travel_battle.perft` generates the
files and counts again.
"""

from __future__ import annotations

import random
import re
import sys
from itertools import count, islice
from pathlib import Path

from generator.games.travel_battle.file import read, write
from generator.games.travel_battle.model import Scenario
from generator.games.travel_battle.playing import Battle
from generator.model.scenario import Origin
from generator.notation.toml import Source
from tests.games.perft import perft
from tests.games.travel_battle import play_reference as slow
from tests.games.travel_battle.play_cases import random_battle, thinned
from tests.games.travel_battle.play_reference import BattleData, Spot

FOLDER = Path(__file__).parent / "setups"
DOCS = Path(__file__).resolve().parents[3] / "docs" / "players.md"
SETUPS = range(10)
DEEP = 5
MIN_COUNT, MAX_COUNT = 2_500, 15_000
"""Limits of the count at the last depth but one. The reference is too slow for larger counts."""


def text(number: int) -> str:
    """Return the text of a set-up's file."""
    return (FOLDER / f"{number}.toml").read_text("utf-8")


def table() -> dict[int, tuple[int, ...]]:
    """Return the number of continuations by depth for each set-up, from the table in docs/players.md."""
    part = DOCS.read_text("utf-8").partition("### Ways to continue: Travel Battle")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (\d+) \|[^|]*\|[^|]*\|([\d,| ]+)\|$", part, re.MULTILINE)
    return {int(number): tuple(int(n.replace(",", "")) for n in ways.split("|")) for number, ways in rows}


def by_engine(number: int, depth: int) -> int:
    """Return the number of continuations that the engine finds."""
    of = read(Source(f"{number}.toml", text(number)), Origin("travel_battle"), FOLDER)
    return _fast(of, depth)


def _fast(of: Scenario, depth: int) -> int:
    engine = Battle(of)
    return perft(engine, engine.begin(engine.firsts[0]), depth)


def by_reference(number: int, depth: int) -> int:
    """Return the number of continuations that the reference finds."""
    of = slow.read(text(number))
    return _slowly(of, slow.begin(of, of.first), depth)


def _slowly(of: BattleData, here: Spot, depth: int) -> int:
    if here.waits == "over":
        return 0
    dice = slow.to_move(of, here) >= 2
    if depth == 1:
        return len(slow.outcomes(of, here) if dice else slow.moves(of, here))
    if dice:
        return sum(_slowly(of, leads, depth - 1) for leads, _ in slow.outcomes(of, here))
    return sum(_slowly(of, slow.act(of, here, decision), depth - 1) for decision in slow.moves(of, here))


def find_setups() -> list[Scenario]:
    """Return ten set-ups with few enough continuations to count, most with immediate shots or melees."""
    thin = (thinned(random_battle(number), random.Random(f"thin {number}"), 0.4) for number in count())
    able = (of for of in thin if of.objective.kind not in ("destroy", "protect"))
    return list(islice((of for of in able if MIN_COUNT <= _fast(of, DEEP - 1) <= MAX_COUNT), len(SETUPS)))


def main() -> None:
    """Write the files and print the rows of the table."""
    FOLDER.mkdir(exist_ok=True)
    for number, of in enumerate(find_setups()):
        (FOLDER / f"{number}.toml").write_text(f'[muster]\ngame = "travel_battle"\n\n{write(of)}', "utf-8")
        left = " : ".join(str(sum(unit.cell is not None for unit in army.units)) for army in of.armies.values())
        ways = " | ".join(f"{by_engine(number, depth):,}" for depth in range(1, DEEP + 1))
        sys.stdout.write(f"| {number} | {left} | {of.objective.kind} | {ways} |\n")


if __name__ == "__main__":
    main()
