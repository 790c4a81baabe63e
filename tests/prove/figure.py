"""What a part of the proof states, and how it goes on."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from generator.workers import Workers, cores

A = TypeVar("A")
B = TypeVar("B")

SEED = 20_261_122
"""The seed of every random choice in a proof, so that each run tries the same."""


@dataclass(frozen=True)
class Figure:
    """One sentence of a proof, with what was found and whether that is enough."""

    what: str
    found: str
    wanted: str
    holds: bool
    faults: tuple[str, ...] = ()
    """What fell short, a line each; the first twenty are told."""


def counted(what: str, done: int, faults: Iterable[str], wanted: str = "0 faults") -> Figure:
    """A figure of cases that all must pass, and that must have been there."""
    told = tuple(faults)
    return Figure(what, f"{done:,} tried, {len(told):,} faults", wanted, done > 0 and not told, told)


WORKERS: list[Workers] = []
"""Who proves, where the command line says it; else as many processes as there are cores."""


def spread(work: Callable[[A], B], cases: Iterable[A], told: str, size: int = 0) -> Iterator[B]:
    """The results of `work` over all cases, in their order, with progress.

    `size` cases make a piece of work, where they are told: one where cases take long, and one longer than others, so
    that nobody is left alone at the end with several. Else there are some eight pieces for each process.
    """
    given, workers = list(cases), WORKERS[-1] if WORKERS else Workers(cores())
    size = size or max(1, min(50, len(given) // (workers.jobs * 8)))
    began = last = time.monotonic()
    for done, result in enumerate(workers.spread(work, given, size=size), 1):
        if (now := time.monotonic()) - last > 5 or done == len(given):
            last = now
            print(f"  {told}: {done:,} of {len(given):,}, {now - began:.0f} s", file=sys.stderr, flush=True)
        yield result
