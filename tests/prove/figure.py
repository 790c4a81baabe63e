"""Statements of a part of the proof, and its progress."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from generator.workers import Workers, processes_available

A = TypeVar("A")
B = TypeVar("B")

SEED = 20_261_122
"""Seed of every random choice in a proof, so that each run tries the same cases."""


@dataclass(frozen=True)
class Figure:
    """A statement of a proof, with the result and whether it suffices."""

    what: str
    found: str
    wanted: str
    holds: bool
    faults: tuple[str, ...] = ()
    """Failures, one line each. The first twenty are printed."""
    undecided: bool = False
    """Whether there were too few cases to say anything. If such a result is required to suffice, it does not hold."""

    @property
    def mark(self) -> str:
        """The mark of the result: ✓ if it suffices, ✗ if not, and – if there were too few cases."""
        return "–" if self.undecided else "✓" if self.holds else "✗"


def counted(what: str, done: int, faults: Iterable[str], wanted: str = "0 faults") -> Figure:
    """Return a figure of cases. At least one case is required, and no case may fail."""
    failures = tuple(faults)
    return Figure(what, f"{done:,} tried, {len(failures):,} faults", wanted, done > 0 and not failures, failures)


WORKERS: list[Workers] = []
"""Worker processes from the command line. The default is one per core."""


def spread(work: Callable[[A], B], cases: Iterable[A], name: str, size: int = 0) -> Iterator[B]:
    """Yield the results of `work` for all cases, in order, and report progress under the name `name`.

    `size` is the number of cases per piece of work. Use 1 if cases are slow and differ in duration, so that no
    process works alone at the end. By default there are about eight pieces for each process.
    """
    given, workers = list(cases), WORKERS[-1] if WORKERS else Workers(processes_available())
    size = size or max(1, min(50, len(given) // (workers.jobs * 8)))
    began = last = time.monotonic()
    for done, result in enumerate(workers.spread(work, given, size=size), 1):
        if (now := time.monotonic()) - last > 5 or done == len(given):
            last = now
            print(f"  {name}: {done:,} of {len(given):,}, {now - began:.0f} s", file=sys.stderr, flush=True)
        yield result
