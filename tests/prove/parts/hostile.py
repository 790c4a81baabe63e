"""For any file, even a malicious one, every command ends in time with a documented exit code and a reason.

Each case is a valid file of one kind (scenario, deck, map, board, arena, pack, army, charts, pool, inventory, log,
list of players, pairings, results, manifest, opening, commitment, printers), broken by a seeded random generator.
`python -m tests.hostile NUMBER` repeats a case.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tests import hostile
from tests.prove.figure import Figure, counted, spread

IN_PROCESS, BY_COMMAND = 20_000, 1_000
MEMORY = 500
"""Maximum memory of a process in MB, including data kept from earlier cases."""


class Tried(NamedTuple):
    """The outcome of a case."""

    commands: int
    faults: tuple[str, ...]
    peak: int
    """Peak memory of the process in MB."""


def here(number: int) -> Tried:
    """Run the case with the given number in this process."""
    case = hostile.case(number)
    return Tried(len(case.commands), tuple(hostile.faults(case)), hostile.peak_memory_mb())


def spawned(number: int) -> Tried:
    """Run the first command of the case with the given number in a new process."""
    case = hostile.case(number)
    case = case._replace(commands=case.commands[:1])
    return Tried(len(case.commands), tuple(hostile.faults(case, hostile.as_a_process)), hostile.children())


def prove() -> Iterator[Figure]:
    """Try 20,000 files in long-lived processes, and 1,000 through the command line."""
    yield from report_figures("in-process", list(spread(here, range(IN_PROCESS), "files in-process")))
    numbers = range(IN_PROCESS, IN_PROCESS + BY_COMMAND)
    yield from report_figures(
        "through the command line", list(spread(spawned, numbers, "files through the command line"))
    )


def report_figures(how: str, tried: Sequence[Tried]) -> Iterator[Figure]:
    """Yield the figures for one way to run the cases."""
    faults = [fault for one in tried for fault in one.faults]
    commands = sum(one.commands for one in tried)
    yield counted(f"hostile files {how} ({commands:,} commands)", len(tried), faults)
    maximum = max((one.peak for one in tried), default=0)
    yield Figure(f"peak memory of a process, {how}", f"{maximum} MB", f"≤ {MEMORY} MB", 0 < maximum <= MEMORY)
