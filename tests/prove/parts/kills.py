"""A command that is killed or interrupted leaves no partial files, prints no traceback and ends with the right code.

A SIGINT may arrive while Python itself starts, before Muster's first line. The message of Python is then counted
separately. In this case the signal must have arrived early, and no work may have been started.
"""

from __future__ import annotations

import contextlib
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from generator.interrupt import MESSAGE, SHIFT
from tests.cli.run import muster
from tests.prove.figure import SEED, Figure, counted, spread

KILLS, SIGNALS = 500, 300
MUSTER = str(Path(sys.executable).with_name("muster"))
OUT = Path("out")
PART = ".*.muster-part"
COMMANDS = (
    (("draw", "--seed", "K7Q2M-9FHN5", "-o", "out/scenario.toml"), ("--seed", "EJ1GF-4XSGN")),
    (("kit", "--seed", "K7Q2M-9FHN5", "--parts", "cover", "--lang", "en", "-o", "out"), ("--lang", "ja")),
    (("sheets", "battling", "--lang", "en", "-o", "out/sheets.pdf"), ("--lang", "ja")),
)
"""Commands, each with the options that created the files already in the folder."""
SENT = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
EARLY = 0.06
"""Seconds in which Python and Click start. Every second signal arrives within this time."""
PAUSES = (0.0, 0.001, 0.005)
"""Seconds between the repeated signals of an impatient user."""
STARTING = 0.5
"""Seconds after which an interruption of Python's start counts as a fault, even on slow machines."""
LAUNCH = """
import os, signal, sys
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, signal.SIG_DFL)
if hasattr(signal, "pthread_sigmask"):
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
os.write(int(sys.argv[1]), b".")
os.execv(sys.argv[2], sys.argv[2:])
"""
"""Restores all signals for the child, because background processes of a shell ignore some, and worker pools block
SIGINT.
"""


@dataclass(frozen=True)
class Case:
    """A process and the time of its interruption.

    The time is `share` of the usual duration or of EARLY. None means as soon as the process writes.
    """

    number: int
    sent: signal.Signals
    command: int
    before: bool
    share: float | None
    early: bool = False
    impatient: bool = False
    """Whether the signal is sent three times, as an impatient user does."""


@dataclass(frozen=True)
class Shot:
    """The outcome of a case: faults, whether the work was interrupted, and the seconds if Python was starting."""

    faults: tuple[str, ...]
    ended: bool
    starting: float | None = None


def cases(count: int, sent: Iterable[signal.Signals], seed: int = SEED) -> list[Case]:
    """Return `count` cases. Kills alternate between any moment, near the end, and while files are being written."""
    chosen, signals = random.Random(seed), tuple(sent)
    made = []
    for number in range(count):
        of, command = signals[number % len(signals)], chosen.randrange(len(COMMANDS))
        if of == signal.SIGKILL:
            share = (chosen.uniform(0, 1.1), chosen.uniform(0.8, 1.1), None)[number % 3]
        else:
            share = chosen.uniform(0, 1) if number % 2 else chosen.uniform(0, 1.1)
        early = of != signal.SIGKILL and number % 2 == 1
        before, impatient = chosen.random() < 0.5, of != signal.SIGKILL and chosen.random() < 0.3
        made.append(Case(number, of, command, before, share, early, impatient))
    return made


def shoot(case: Case) -> Shot:
    """Run a command and kill it, check the remaining files, then run it again and check again."""
    args, other = COMMANDS[case.command]
    new, old = made(args), made((*args, *other)) if case.before else {}
    with tempfile.TemporaryDirectory() as name, contextlib.chdir(name):
        if old:
            OUT.mkdir()
            for file, content in old.items():
                (OUT / file).write_bytes(content)
        with _launched(args) as process:
            after = _wait(case, args, process)
            for pause in PAUSES[: 3 if case.impatient else 1]:
                time.sleep(pause)
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, case.sent)
            _, output = process.communicate(timeout=60)
        faults, starting = list(_ending_faults(case, process.returncode, output)), None
        if faults and _is_start(output) and after < STARTING and case.sent == signal.SIGINT:
            faults, starting = [], after
        faults += _leftover_faults(case, old, new, process.returncode)
        again = muster(*args)
        if again.code or _contents() != new:
            faults.append(f"the next run: exit {again.code}, left {sorted(_contents())}: {again.err}")
        if parts := list(Path().rglob(PART)):
            faults.append(f"temporary after the next run: {parts}")
    where = f"{case.number} {case.sent.name} {args[0]} after {after * 1000:.0f} ms"
    return Shot(tuple(f"{where}: {fault}" for fault in faults), process.returncode != 0, starting)


@cache
def made(args: tuple[str, ...]) -> dict[str, bytes]:
    """Return the files that an undisturbed command writes."""
    with tempfile.TemporaryDirectory() as name, contextlib.chdir(name):
        done = muster(*args)
        assert done.code == 0, done.err
        return _contents()


@cache
def usual(args: tuple[str, ...]) -> float:
    """Return the duration of a command in a new process in seconds, as the shorter of two runs."""
    found = []
    for _ in range(2):
        with tempfile.TemporaryDirectory() as name:
            began = time.perf_counter()
            subprocess.run([MUSTER, *args], cwd=name, check=True, capture_output=True)
            found.append(time.perf_counter() - began)
    return min(found)


@contextlib.contextmanager
def _launched(args: tuple[str, ...]) -> Iterator[subprocess.Popen[str]]:
    """Start the command in a separate process group and yield the process."""
    reader, writer = os.pipe()
    process = subprocess.Popen(
        [sys.executable, "-S", "-E", "-c", LAUNCH, str(writer), MUSTER, *args],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        pass_fds=[writer],
        start_new_session=True,
        encoding="utf-8",
    )
    os.close(writer)
    os.read(reader, 1)
    os.close(reader)
    with process:
        yield process


def _wait(case: Case, args: tuple[str, ...], process: subprocess.Popen[str]) -> float:
    """Wait until the time of the case, and return the seconds waited."""
    whole, began = usual(args), time.perf_counter()
    if case.share is not None:
        time.sleep(case.share * (EARLY if case.early else whole))
    while case.share is None and process.poll() is None and not any(OUT.glob(PART)):
        pass
    return time.perf_counter() - began


def _ending_faults(case: Case, code: int, output: str) -> Iterator[str]:
    """Yield the faults in exit code and messages of the process."""
    known = {0: "", SHIFT + case.sent: MESSAGE, -case.sent: ""}
    if code == SHIFT + signal.SIGINT and not output:
        return  # the signal arrived between the first two lines of Muster
    if code not in known or (case.sent == signal.SIGKILL and code not in (0, -signal.SIGKILL)):
        yield f"exit code {code}: {output.strip()[-300:]}"
    elif output.strip() != known[code]:
        yield f"exit code {code}, and it said {output.strip()[-300:]!r}"


def _is_start(output: str) -> bool:
    """Return whether the message comes from Python before Muster's first line."""
    if re.match(r"Fatal Python error: init_", output):
        return True
    files = re.findall(r'^  File "(.+?)", line', output, re.M)
    # If the streams do not exist yet, more lines follow the exception.
    return "KeyboardInterrupt" in output and not any(f"{os.sep}generator{os.sep}" in f for f in files)


def _leftover_faults(case: Case, old: dict[str, bytes], new: dict[str, bytes], code: int) -> Iterator[str]:
    """Yield a fault for each partial, missing or leftover file."""
    there = _contents()
    for name, content in there.items():
        if not name.endswith(".muster-part") and content not in (new.get(name), old.get(name)):
            yield f"{name} is partial"
    if gone := set(old) - set(there):
        yield f"gone: {sorted(gone)}"
    if there.get("manifest.json", b"") == new.get("manifest.json", b"none") and there != new:
        yield "the manifest came before the end"
    if code >= 0 and any(OUT.glob(PART)):
        yield f"temporary: {sorted(there)}"


def _contents() -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in OUT.iterdir()} if OUT.is_dir() else {}


def figures(what: str, shots: Iterable[Shot]) -> Iterator[Figure]:
    """Yield the figures of a series of cases."""
    found = list(shots)
    ended = sum(shot.ended for shot in found)
    yield counted(what, len(found), (fault for shot in found for fault in shot.faults))
    yield Figure(
        f"{what} before the work was done", f"{ended:,} of {len(found):,}", "a third", 3 * ended >= len(found)
    )


def prove() -> Iterator[Figure]:
    """Test kills, then signals."""
    yield from figures("kills", spread(shoot, cases(KILLS, [signal.SIGKILL]), "kills"))
    shots = list(spread(shoot, cases(SIGNALS, SENT), "signals"))
    yield from figures("signals", shots)
    starting = [shot.starting for shot in shots if shot.starting is not None]
    text = f"{len(starting)} SIGINTs" + (f", the last after {max(starting) * 1000:.0f} ms" if starting else "")
    share = len(starting) <= len(shots) / 10
    yield Figure("signals while Python itself starts, when Python may print a message", text, "within a tenth", share)
