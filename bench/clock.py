"""Times taken side by side: a round times each runner once, in turn, so that a busy machine is busy for all.

They are a processor's, which are the same on a busy machine, but where several processes share the work.
"""

from __future__ import annotations

import os
import resource
import subprocess
import time
from collections.abc import Callable, Sequence
from statistics import median

from generator.workers import JOBS

Runner = Callable[[], float]
"""Does its work once and returns the seconds that it took."""
Clock = Callable[[], float]
wall: Clock = time.perf_counter
"""For work that several processes share."""
own: Clock = time.process_time
"""A processor's time of this process."""


def children() -> float:
    """A processor's time of all processes that this one started and that have ended, with those that they started."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def alternate(rounds: int, *runners: Runner) -> list[float]:
    """The median seconds of each runner, after one round that does not count."""
    for runner in runners:
        runner()
    times = [[runner() for runner in runners] for _ in range(rounds)]
    return [median(column) for column in zip(*times, strict=True)]


def calling(work: Callable[[], object], repeat: int = 1) -> Runner:
    """Times a call, as the mean of so many in a row."""

    def run() -> float:
        start = own()
        for _ in range(repeat):
            work()
        return (own() - start) / repeat

    return run


def environment(**told: str) -> dict[str, str]:
    """What a process is told besides what a person's own would be.

    Compiled modules are kept, as they are wherever Python is not told otherwise; and that tests do with one process,
    which whoever takes something from them is told too, is none of the bench's.
    """
    left_out = "PYTHONDONTWRITEBYTECODE", JOBS
    return {name: value for name, value in os.environ.items() if name not in left_out} | told


def process(command: Sequence[str], clock: Clock = children, **told: str) -> Runner:
    """Times a whole process, start and end included, `told` in its environment; CalledProcessError where it fails."""
    told = environment(**told)

    def run() -> float:
        start = clock()
        subprocess.run(command, check=True, capture_output=True, env=told)
        return clock() - start

    return run
