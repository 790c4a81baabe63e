"""Searches for grade C end in time, and other dice confirm that the scenarios are even between casual players.

A search takes several minutes of processor time, and some take half an hour. So that an interrupted run can go on,
the result of each search of this version is kept in tests/prove/searched. Delete these files after a change of the
players or of the test.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean, median
from typing import Any, NamedTuple

import msgspec

from generator import __version__, games
from generator.common.playing import Playing, numbers
from generator.common.scenario_file import Step
from generator.common.search import FAIR, PLAYED, search_fair
from generator.common.tally import Tally
from generator.common.trials import Case, pairs, play
from generator.model.scenario import Request
from generator.seeds import code_for
from generator.store.write import write
from tests.prove.figure import SEED, Figure, spread

SOUGHT, CORES, MAX_SEARCH_S = 16, 2, 60
"""Number of scenarios of Call to Arms to find, and the maximum median time of a search on this number of cores, in
seconds."""


SEARCHED = Path(__file__).parents[1] / "searched"


class Found(NamedTuple):
    """A scenario of grade C: code of the candidate, CPU seconds, and number of candidates tried."""

    code: str
    seconds: float
    looked: int


class Kept(msgspec.Struct, frozen=True):
    """A result in the folder of searches, with the version of Muster that searched."""

    version: str
    code: str
    cpu_s: float
    candidates: int


def prove() -> Iterator[Figure]:
    """Measure the time to find scenarios with grade C by play, and test the scenarios with other dice."""
    found = list(spread(sought_one, range(SOUGHT), "grade C", size=1))
    seconds, looked = median(of.seconds for of in found) / CORES, fmean(of.looked for of in found)
    what = f"call_to_arms: median time of {SOUGHT} searches for grade C on {CORES} cores, from their processor time"
    wanted = f"{MAX_SEARCH_S} s or less"
    yield Figure(what, f"{seconds:.0f} s, one of {looked:.0f} candidates", wanted, seconds <= MAX_SEARCH_S)
    again = [line for lines in spread(uneven_pairs, [of.code for of in found], "other dice") for line in lines]
    maximum, every = SOUGHT * len(pairs(cards())) // 20, SOUGHT * len(pairs(cards()))
    what = "call_to_arms: pairs of players of these scenarios that are outside 50 ± 10 % with other dice"
    yield Figure(what, f"{len(again)} of {every}", f"{maximum} or fewer", len(again) <= maximum, tuple(again))


def cards() -> Playing[Any]:
    """Return the computer play of Call to Arms."""
    playing = games.load("call_to_arms").playing
    assert playing
    return playing


def sought_one(number: int) -> Found:
    """Search a scenario of grade C from the code with the given number, or return the result that is kept."""
    file = SEARCHED / f"call_to_arms-{number}.json"
    if file.exists() and (kept := msgspec.json.decode(file.read_bytes(), type=Kept)).version == __version__:
        return Found(kept.code, kept.cpu_s, kept.candidates)
    began = time.process_time()
    log = search_fair(games.load("call_to_arms"), Request(code_for(SEED + number), {FAIR: PLAYED}, {})).log
    found = found_in(log, time.process_time() - began)
    result = Kept(__version__, found.code, round(found.seconds, 1), found.looked)
    write(file, msgspec.json.format(msgspec.json.encode(result), indent=2) + b"\n")
    return found


def found_in(log: Sequence[Step], seconds: float) -> Found:
    """Return the result of a search from the log of the scenario that it found."""
    _, code, before, *_ = next(step.result for step in log if step.result[:1] == (PLAYED,))
    return Found(code, seconds, 1 + int(before))


def uneven_pairs(code: str) -> list[str]:
    """Return the pairs of players that other dice show to be uneven, although the scenario has the grade."""
    scenario, of = games.load("call_to_arms").draw(Request(code, {}, {})), numbers().grade
    engine, uneven = cards().engine(scenario), list[str]()
    for pair in pairs(cards()):
        tally = Tally(pair)
        for n in range(of.looks[0]):
            tally.take([play(engine, cards(), "afresh", Case("full", pair, n, swapped)) for swapped in (False, True)])
        minimum, maximum = tally.interval
        if minimum > of.even + of.within or maximum < of.even - of.within:
            uneven.append(f"{code} {pair}: {tally.rate:.3f}")
    return uneven
