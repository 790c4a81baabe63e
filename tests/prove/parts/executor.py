"""Long tasks give the same bytes with one process, two processes or a Dask cluster, even if a worker is killed.

An interrupted command leaves neither partial files nor processes.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from generator.interrupt import MESSAGE, SHIFT
from tests.prove.figure import SEED, Figure, counted

SEEDED = ("--seed", "K7Q2M-9FHN5", "--lang", "en")
COMMANDS = {
    "scenarios": ("draw", "call_to_arms", *SEEDED, "--count", "150", "-o", "out"),
    "a fair scenario": (
        *("draw", "blind_faith", "--seed", "30000-001A3", "--lang", "en", "--kind", "battle", "--fair", "B"),
        *("-o", "out/scenario.toml"),
    ),
    "rounds": (
        *("tournament", "pack", "battling", *SEEDED, "--players", "4", "--rounds", "6"),
        *("--scenarios", "per-table", "-o", "out"),
    ),
    "gallery": ("gallery", "--lang", "en", "--dpi", "60", "-o", "out/gallery.html"),
}
"""Commands that distribute their work."""
LONG_COMMAND = ("draw", "battlelore", *SEEDED, "--count", "10000", "-o", "out")
"""A command that is slow enough to be interrupted at any time."""
ENDED = 80
MUSTER = (sys.executable, "-m", "generator")
ROOT = Path(__file__).resolve().parents[3]
WAIT = 300
NO_DASK = "distributed is not installed (the extra `cluster`)"


def digest(command: tuple[str, ...], *who: str, cluster: Any = None, kill: bool = False) -> tuple[str, int]:
    """Return a hash of everything that a command writes, and the number of workers killed during the run."""
    killed = 0
    with tempfile.TemporaryDirectory() as name:
        # A separate cache keeps the command from reusing results of another run.
        with begun((*command, *who), Path(name), MUSTER_CACHE=f"{name}/cache") as process:
            until = time.monotonic() + WAIT
            while process.poll() is None and time.monotonic() < until:
                if kill and not killed:
                    killed += _killed(process.pid, cluster)
                time.sleep(0.25)
            output = process.communicate(timeout=WAIT)[1]
        assert process.returncode == 0, output
        whole = hashlib.sha256()
        for path in sorted(path for path in Path(name, "out").rglob("*") if path.is_file()):
            whole.update(path.relative_to(name).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
        return whole.hexdigest(), killed


@contextlib.contextmanager
def begun(args: tuple[str, ...], folder: Path, **more: str) -> Iterator[subprocess.Popen[str]]:
    """Start a command in a separate process group, with additional environment variables."""
    paths = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH", ""))))
    process = subprocess.Popen(
        [*MUSTER, *args],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": paths, **more},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
        encoding="utf-8",
    )
    with process:
        yield process


def workers(of: int) -> list[int]:
    """Return the ids of the worker processes of a process."""
    return [pid for pid, parent, _, command in _processes() if parent == of and "spawn_main" in command]


def busy(cluster: Any) -> list[int]:
    """Return the process ids of the workers of a local cluster that have a task."""
    there = cluster.scheduler.workers.values()
    return [cluster.workers[state.name].pid for state in there if state.processing]


def likely_busy(cluster: Any) -> int:
    """Return the process id of a worker of a local cluster, one that has a task if there is one."""
    pids: list[int] = [*busy(cluster), *(worker.pid for worker in cluster.workers.values())]
    return pids[0]


def group(of: int) -> list[int]:
    """Return the ids of the living processes in a process group."""
    return [pid for pid, _, leader, _ in _processes() if leader == of]


def _processes() -> Iterator[tuple[int, int, int, str]]:
    """Yield the process id, parent id, group id and command of every living process."""
    listed = subprocess.run(
        ["ps", "-Awwo", "pid=,ppid=,pgid=,stat=,command="], capture_output=True, encoding="utf-8", check=True
    )
    for line in listed.stdout.splitlines():
        pid, parent, leader, state, command = (*line.split(maxsplit=4), "")[:5]
        if not state.startswith("Z"):
            yield int(pid), int(parent), int(leader), command


def _killed(of: int, cluster: Any) -> int:
    """Kill a worker if any has started, and return the number of workers killed."""
    there = workers(of)[:1] if cluster is None else busy(cluster)[:1]
    if there:
        time.sleep(0.5)  # by now the worker is in the middle of a task
    for pid in there:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return len(there)


@contextlib.contextmanager
def local_cluster() -> Iterator[Any]:
    """Yield a cluster of two workers on this machine, or None if Dask is not installed."""
    if find_spec("distributed") is None:
        yield None
        return
    from distributed import LocalCluster

    with LocalCluster(  # type: ignore[no-untyped-call, unused-ignore]
        n_workers=2, threads_per_worker=1, dashboard_address=":0", host="127.0.0.1", silence_logs=50
    ) as cluster:
        yield cluster


@dataclass(frozen=True)
class Case:
    """The signal and time at which a command with workers is interrupted, alone or with its whole process group."""

    number: int
    sent: signal.Signals
    after: float
    all_told: bool


def cases(count: int) -> list[Case]:
    """Return `count` cases: Ctrl-C, which a terminal sends to the whole group, and other signals."""
    chosen = random.Random(SEED)
    kinds = [(signal.SIGINT, True), (signal.SIGINT, False), (signal.SIGTERM, False), (signal.SIGTERM, True)]
    return [Case(number, *_of(chosen, kinds[number % len(kinds)])) for number in range(count)]


def _of(chosen: random.Random, kind: tuple[signal.Signals, bool]) -> tuple[signal.Signals, float, bool]:
    return kind[0], chosen.uniform(0.0, 4.0), kind[1]


def interruption_faults(case: Case) -> list[str]:
    """Return the faults of a command that is interrupted `after` seconds after its workers have started."""
    with tempfile.TemporaryDirectory() as name:
        with begun((*LONG_COMMAND, "--jobs", "2"), Path(name)) as process:
            until = time.monotonic() + WAIT
            while not workers(process.pid) and process.poll() is None and time.monotonic() < until:
                time.sleep(0.25)
            time.sleep(case.after)
            (os.killpg if case.all_told else os.kill)(process.pid, case.sent)
            began = time.monotonic()
            _, output = process.communicate(timeout=WAIT)
            took = time.monotonic() - began
        faults = [f"exit {process.returncode}"] if process.returncode != SHIFT + case.sent else []
        faults += [f"it said {output[-300:]!r}"] if output.strip() != MESSAGE else []
        faults += [f"left {sorted(map(str, Path(name).rglob('*')))}"] if any(Path(name).iterdir()) else []
        time.sleep(0.2)
        faults += [f"processes that go on: {left}"] if (left := group(process.pid)) else []
        faults += [f"it took {took:.1f} s"] if took > 10 else []
    return [f"{case.number} {case.sent.name} after {case.after:.1f} s: {fault}" for fault in faults]


def prove() -> Iterator[Figure]:
    """Compare the bytes, then interrupt commands."""
    with local_cluster() as cluster:
        for what, command in COMMANDS.items():
            (alone, _), (two, _) = (digest(command, "--jobs", jobs) for jobs in "12")
            killed, lost = digest(command, "--jobs", "2", kill=True)
            found = {"by two": two, "by two, one killed": killed}
            if cluster is not None:
                who = ("--cluster", cluster.scheduler_address)
                found["by a cluster, one killed"], gone = digest(command, *who, cluster=cluster, kill=True)
                lost += gone
            faults = [f"{name}: {of}, by one process {alone}" for name, of in found.items() if of != alone]
            ways = 2 if cluster is None else 3
            faults += [] if lost >= ways - 1 else ["no worker was killed in time"]
            yield counted(f"{what}: {', '.join(found)}, as by one process", ways, faults)
        missing = "" if cluster is not None else NO_DASK
    yield Figure("a Dask LocalCluster was among them", missing or "yes", "yes", not missing)
    faults = [fault for case in cases(ENDED) for fault in interruption_faults(case)]
    yield counted("stopped with two workers: nothing written, no process left, one message", ENDED, faults)
