"""Compare times. Each round times every runner once, so that other load on the machine affects all of them equally.

Times are CPU times, which hardly depend on other load. If several processes share the work, times are wall-clock
times.
"""

from __future__ import annotations

import os
import resource
import subprocess
import time
from collections.abc import Callable, Sequence
from statistics import median

from generator.workers import JOBS_VARIABLE

Runner = Callable[[], float]
"""A function that does its work once and returns the seconds it took."""
Clock = Callable[[], float]
wall: Clock = time.perf_counter
"""Wall-clock seconds, for work that several processes share."""
cpu: Clock = time.process_time
"""CPU seconds of this process."""


def children() -> float:
    """Return the CPU seconds of all finished child processes and their own children."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def alternate(rounds: int, *runners: Runner) -> list[float]:
    """Return the median seconds of each runner, after a first round that is not counted."""
    for runner in runners:
        runner()
    times = [[runner() for runner in runners] for _ in range(rounds)]
    return [median(column) for column in zip(*times, strict=True)]


def calling(work: Callable[[], object], repeat: int = 1) -> Runner:
    """Return a runner that measures the mean time of `repeat` calls."""

    def run() -> float:
        start = cpu()
        for _ in range(repeat):
            work()
        return (cpu() - start) / repeat

    return run


def environment(**variables: str) -> dict[str, str]:
    """Return the environment of a process as a user would have it, with additional variables.

    Compiled modules are saved, as is Python's default. The variable that limits the tests to one process is
    removed.
    """
    left_out = "PYTHONDONTWRITEBYTECODE", JOBS_VARIABLE
    return {name: value for name, value in os.environ.items() if name not in left_out} | variables


def process(command: Sequence[str], clock: Clock = children, **variables: str) -> Runner:
    """Return a runner that measures the time of a process with these environment variables.

    Raises:
        CalledProcessError: If the process fails.
    """
    variables = environment(**variables)

    def run() -> float:
        start = clock()
        subprocess.run(command, check=True, capture_output=True, env=variables)
        return clock() - start

    return run
