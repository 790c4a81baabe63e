"""Malicious templates are stopped within the limits of time and memory, and the message names the template."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.prove.attacks import Attack, attack
from tests.prove.figure import SEED, Figure, counted, spread

COUNT = 300
SECONDS = 10.0
MIBS = 512.0
CODE = "K7Q2M-9FHN5"
_ENOUGH = 30.0
"""Seconds after which a process is killed from outside."""


class Stopped(NamedTuple):
    """The outcome of an attack: name, seconds, mebibytes, exit code and faults."""

    name: str
    seconds: float
    mibs: float
    code: int
    faults: tuple[str, ...]


def prove() -> Iterator[Figure]:
    """Try every attack through the command line."""
    found = list(spread(stopped, range(COUNT), "attacks"))
    yield counted(
        "malicious templates on the command line: refused with their names or printed, exit code never 70",
        len(found),
        [f"{one.name}: {fault}" for one in found for fault in one.faults],
    )
    slowest, largest = max(found, key=lambda one: one.seconds), max(found, key=lambda one: one.mibs)
    text = f"{slowest.seconds:.1f} s ({slowest.name})"
    yield Figure("the slowest of them", text, f"≤ {SECONDS:g} s", slowest.seconds <= SECONDS)
    text = f"{largest.mibs:.0f} MB ({largest.name})"
    yield Figure("the largest of them", text, f"≤ {MIBS:g} MB", largest.mibs <= MIBS)


def stopped(number: int) -> Stopped:
    """Return the outcome of the attack with the given number."""
    return run_attack(attack(number, SEED), f"{number} ")


def run_attack(what: Attack, number: str = "") -> Stopped:
    """Print record sheets with an attack, in a process whose time and memory are measured."""
    with tempfile.TemporaryDirectory() as name:
        here = Path(name)
        folder = what.folder_in(here)
        command = ["kit", "--seed", CODE, "--parts", "records", "--templates", str(folder), "-o", "out", *what.args]
        began = time.monotonic()
        with (here / "said").open("wb") as output:
            process = subprocess.Popen(
                [sys.executable, "-m", "generator", *command],
                cwd=here,
                env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[3]), "LC_ALL": "C.UTF-8"},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
            code, mibs = _ended(process, began)
        seconds = time.monotonic() - began
        text = (here / "said").read_text("utf-8", "replace")
        made = sorted(path.name for path in (here / "out").iterdir()) if (here / "out").is_dir() else []
    faults = tuple(_faults(what, str(folder), code, text, made))
    too_late = (f"{seconds:.1f} s",) if seconds > SECONDS else ()
    # On Linux a child process inherits the peak of its parent, so no peak below that of a large parent can be
    # measured.
    measured = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < MIBS * (
        1024 * 1024 if sys.platform == "darwin" else 1024
    )
    large = (f"{mibs:.0f} MB",) if measured and mibs > MIBS else ()
    left = ("a process is left",) if _left(process.pid) else ()
    return Stopped(f"{number}{what.name}", seconds, mibs, code, (*faults, *too_late, *large, *left))


def _ended(process: subprocess.Popen[bytes], began: float) -> tuple[int, float]:
    """Return the exit code, and the peak memory of the process and its children in mebibytes."""
    while True:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            process.returncode = os.waitstatus_to_exitcode(status)
            return process.returncode, usage.ru_maxrss / (1024 * 1024 if sys.platform == "darwin" else 1024)
        if time.monotonic() - began > _ENOUGH:
            process.kill()
        time.sleep(0.01)


def _faults(what: Attack, folder: str, code: int, text: str, made: list[str]) -> Iterator[str]:
    """Yield the faults of the outcome, except for time and memory."""
    if code not in (0, 1, 2, 3) or (code == 0 and not what.harmless):
        yield f"exit code {code}: {text[-200:]!r}"
    if code and folder not in text:
        yield f"no word of the folder: {text[-200:]!r}"
    if code and made:
        yield f"left {', '.join(made)}"
    if "Traceback" in text:
        yield f"a traceback: {text[-200:]!r}"


def _left(group: int) -> bool:
    """Return whether a process of the group is still running after 0.05 s."""
    time.sleep(0.05)
    try:
        os.killpg(group, 0)
    except (ProcessLookupError, PermissionError):
        return False
    return True
