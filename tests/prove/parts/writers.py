"""Commands that write an event lose and duplicate no data if they are killed or run at the same time.

For kills, `join`, `results`, `pair` and `pack` are ended by SIGKILL. Afterwards the event must be readable, equal
its state before or after the command, contain every cell typed into results.csv, and reach the undisturbed state
when the command is run again. For fifty commands at the same time, what a command reported as done is in the event
exactly once, and what a command refused is not.
"""

from __future__ import annotations

import contextlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from generator.store.lock import HOLDER, LOCK
from generator.store.write import _PART_SUFFIX
from generator.tournament import event_file
from generator.tournament.event_file import EventRecord
from tests.cli.run import muster
from tests.prove.figure import SEED, Figure, counted, spread

KILLS, CROWD, CROWDS = 200, 50, 4
MUSTER = str(Path(sys.executable).with_name("muster"))
CUP = Path("cup")
CODE = "K7Q2M-9FHN5"
PLAYERS = ("Ann", "Bo", "千代", "Łuc", "Eve", "Fay")
COMMANDS = {
    "join": ("tournament", "join", "cup", "Gus"),
    "results": ("tournament", "results", "cup"),
    "pair": ("tournament", "pair", "cup"),
    "pack": ("tournament", "pack", "cup", "--parts", "map", "--lang", "en"),
}


class Kill(NamedTuple):
    """A command and the time of its kill: a share of its usual duration, or None for as soon as it writes."""

    number: int
    verb: str
    share: float | None


def kills(count: int, seed: int = SEED) -> list[Kill]:
    """Return `count` kills: at any moment, near the end, and while the event is being written."""
    rng = random.Random(seed)
    verbs = list(COMMANDS)
    made = []
    for number in range(count):
        share = (rng.uniform(0, 1.1), rng.uniform(0.8, 1.1), None)[number // len(verbs) % 3]
        made.append(Kill(number, verbs[number % len(verbs)], share))
    return made


def fill(file: Path) -> None:
    """Write a result into every row of a round's results.csv."""
    head, *rows = file.read_text("utf-8-sig").splitlines()
    names = head.split(",")
    filled = []
    for at, row in enumerate(rows):
        cells = dict(zip(names, row.split(","), strict=True))
        if cells["player_b"]:
            cells |= {"score_a": str(at % 3), "score_b": "1", "lost_a": "2", "lost_b": "3"}
        filled.append(",".join(cells.values()))
    file.write_bytes("\r\n".join((head, *filled, "")).encode("utf-8-sig"))


@cache
def before(verb: str) -> Path:
    """Return the folder of the event before a command. The folder is removed when the process ends."""
    place = Path(_kept().name) / f"before-{verb}"
    place.mkdir(parents=True)
    with contextlib.chdir(place):
        Path("players.txt").write_text("\n".join(PLAYERS) + "\n", "utf-8")
        new = ("new", "battling", "--players", "players.txt", "--seed", CODE, "--rounds", "4", "-o", "cup")
        _do("tournament", *new)
        _do("tournament", "pair", "cup")
        _do(*COMMANDS["pack"])
        fill(CUP / "round-1" / "results.csv")
        if verb == "pack":
            _do("tournament", "pair", "cup")
    return place


@cache
def after(verb: str) -> dict[str, bytes]:
    """Return the content of every file of the event after an undisturbed command."""
    with _copied(verb):
        _do(*COMMANDS[verb])
        return contents()


@cache
def usual(verb: str) -> float:
    """Return the duration of a command in seconds, as the shorter of two runs."""
    found = []
    for _ in range(2):
        with _copied(verb):
            began = time.perf_counter()
            subprocess.run([MUSTER, *COMMANDS[verb]], check=True, capture_output=True)
            found.append(time.perf_counter() - began)
    return min(found)


@cache
def _kept() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory()


@contextlib.contextmanager
def _copied(verb: str) -> Iterator[None]:
    with tempfile.TemporaryDirectory() as name:
        shutil.copytree(before(verb) / CUP, Path(name) / CUP)
        with contextlib.chdir(name):
            yield


def _do(*args: str) -> None:
    done = muster(*args)
    assert done.code == 0, done.err


def contents() -> dict[str, bytes]:
    """Return the content of every file of the event except the lock, keyed by path."""
    files = (path for path in CUP.rglob("*") if path.is_file() and path.name not in (LOCK, HOLDER))
    return {str(path): path.read_bytes() for path in files}


def event_record() -> EventRecord:
    """Return the record of the event."""
    found = event_file.read(CUP)
    assert found is not None
    return found


def shoot(case: Kill) -> list[str]:
    """Kill a command, check the remaining files, then run it again and check again."""
    whole = after(case.verb)
    with _copied(case.verb):
        results_before = (CUP / "round-1" / "results.csv").read_bytes()
        old = event_record()
        with subprocess.Popen([MUSTER, *COMMANDS[case.verb]], stdout=-3, stderr=-3) as process:
            _wait(case, process)
            process.send_signal(signal.SIGKILL)
            process.wait(60)
        faults = []
        status = muster("tournament", "status", "cup")
        if status.code:
            return [f"{case}: the event cannot be read: {status.err}"]
        new = _read(whole)
        if event_record() not in (old, new):
            faults.append("neither as before nor as undisturbed")
        if process.returncode == 0 and event_record() != new:
            faults.append("reported as done, and lost")
        if case.verb != "pair" or event_record() != new:
            again = muster(*COMMANDS[case.verb])
            if again.code:
                faults.append(f"given again: exit {again.code}: {again.err}")
        left = contents()
        if left != whole:
            faults.append(
                f"given again, it differs in {sorted(k for k in {*left, *whole} if left.get(k) != whole.get(k))}"
            )
        if (CUP / "round-1" / "results.csv").read_bytes() != results_before:
            faults.append("results.csv is not as it was typed")
        if case.verb == "pack" and (verified := muster("verify", "cup")).code:
            faults.append(f"not whole: {verified.out}")
    return [f"{case}: {fault}" for fault in faults]


def _read(files: dict[str, bytes]) -> EventRecord:
    """Return the event record contained in the given files."""
    with tempfile.TemporaryDirectory() as name:
        (Path(name) / event_file.NAME).write_bytes(files[str(CUP / event_file.NAME)])
        found = event_file.read(Path(name))
    assert found is not None
    return found


def _wait(case: Kill, process: subprocess.Popen[bytes]) -> None:
    """Wait until a temporary file is being written, or until the share of the usual duration has passed."""
    began = time.perf_counter()
    end = 30 if case.share is None else case.share * usual(case.verb)
    while process.poll() is None and time.perf_counter() - began < end:
        if case.share is None and any(CUP.rglob(f".*{_PART_SUFFIX}")):
            return
        time.sleep(0.0005)


class Crowd(NamedTuple):
    """The outcome of commands that ran at the same time."""

    done: int
    """Number of commands that ran."""
    joined: int
    """Number of joining players that are in the event."""
    faults: list[str]


def crowd(names: Sequence[str], others: Sequence[str] = ()) -> Crowd:
    """Let all of `names` join an event at the same time as other commands, and check the report of each command."""
    with _copied("results"):
        results_before = (CUP / "round-1" / "results.csv").read_bytes()
        commands = [(*COMMANDS["join"][:-1], name) for name in names] + [COMMANDS[verb] for verb in others]
        random.Random(SEED).shuffle(commands)
        running = [
            (args, subprocess.Popen([MUSTER, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True))
            for args in commands
        ]
        ended = [(args, *process.communicate(timeout=300), process.returncode) for args, process in running]
        faults = [
            f"{args}: exit {code}: {err}" for args, _, err, code in ended if code and not (code in (2, 5) and err)
        ]
        there = Counter(player.name for player in event_record().players)
        for args, _, _, code in ended:
            if args[1] == "join" and there[args[3]] != (code == 0):
                faults.append(f"{args[3]}: exit {code}, and {there[args[3]]} times in the event")
        faults += [f"{name}: {there[name]} times" for name in PLAYERS if there[name] != 1]
        for verb in {*others} & {"results", "pair"}:
            if any(args[1] == verb and code == 0 for args, _, _, code in ended) and event_record().round[
                0
            ].tables_without_results(2):
                faults.append(f"{verb}: done, and results are missing")
        numbers = [one.number for one in event_record().round]
        paired = sum(args[1] == "pair" and code == 0 for args, _, _, code in ended)
        if numbers != [*range(1, 2 + paired)]:
            faults.append(f"rounds {numbers}, but paired: {paired}")
        if (CUP / "round-1" / "results.csv").read_bytes() != results_before:
            faults.append("results.csv is not as it was typed")
        if any(CUP.rglob(f".*{_PART_SUFFIX}")) or (CUP / HOLDER).exists():
            faults.append("a temporary file is left")
        if muster("tournament", "status", "cup").code or muster("verify", "cup").code:
            faults.append("the event is not whole")
    return Crowd(len(ended), sum(there[name] for name in names), faults)


def prove() -> Iterator[Figure]:
    """Try 200 kills, and four times fifty writers at the same time."""
    faults = [fault for found in spread(shoot, kills(KILLS), "kills", size=4) for fault in found]
    yield counted("kill −9 of join, results, pair and pack: data lost silently or recorded twice", KILLS, faults)
    done, faults = 0, []
    others = (("results", "pair"), ("pair", "pack"), ("results", "pack"), ("results", "results"))
    for at in range(CROWDS):
        made = crowd([f"Guest {at}-{n}" for n in range(CROWD - 2)], others[at])
        done, faults = done + made.done, faults + made.faults
    yield counted(f"writers, {CROWD} at once: data lost silently or recorded twice", done, faults)
