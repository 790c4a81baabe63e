"""Hostile files: whatever a file holds, every verb ends in good time with a code that has a meaning, and a reason.

Each case is a valid file of one kind (scenario, deck, map, board, arena, pack, army, charts, pool, inventory, log,
list of players, pairings, results, manifest, opening, commitment, printers) that was broken by a seeded stream.
`python -m tests.hostile NUMBER` repeats one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tests import hostile
from tests.prove.figure import Figure, counted, spread

IN_PROCESS, BY_COMMAND = 20_000, 1_000
MEMORY = 500
"""Megabytes that a process may take, with everything that it keeps from the cases before."""


class Tried(NamedTuple):
    """What came of one case."""

    commands: int
    faults: tuple[str, ...]
    peak: int
    """The most memory that its process ever had, in MB."""


def here(number: int) -> Tried:
    """The case of that number within this process."""
    case = hostile.case(number)
    return Tried(len(case.commands), tuple(hostile.faults(case)), hostile.peak())


def spawned(number: int) -> Tried:
    """The first command of the case of that number, as a process of its own."""
    case = hostile.case(number)
    case = case._replace(commands=case.commands[:1])
    return Tried(len(case.commands), tuple(hostile.faults(case, hostile.as_a_process)), hostile.children())


def prove() -> Iterator[Figure]:
    """20,000 files within processes that last, and 1,000 through the command line."""
    yield from told("in-process", list(spread(here, range(IN_PROCESS), "files in-process")))
    numbers = range(IN_PROCESS, IN_PROCESS + BY_COMMAND)
    yield from told("through the command line", list(spread(spawned, numbers, "files through the command line")))


def told(how: str, tried: Sequence[Tried]) -> Iterator[Figure]:
    """The figures of one way of trying."""
    faults = [fault for one in tried for fault in one.faults]
    commands = sum(one.commands for one in tried)
    yield counted(f"hostile files {how} ({commands:,} commands)", len(tried), faults)
    most = max((one.peak for one in tried), default=0)
    yield Figure(f"most memory of a process, {how}", f"{most} MB", f"≤ {MEMORY} MB", 0 < most <= MEMORY)
