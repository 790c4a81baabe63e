"""Malicious requests to the studio do no harm, and the studio reports the same lines of sight as `muster sight`.

The requests go over a socket to a separate studio, in which an audit hook records every file that any of its
processes opens. The lines of sight are requested by clicks in Chromium, on the map of each game.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import socket
import sys
import sysconfig
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from generator.cli.studio_server import MAX_BODY_BYTES
from tests.cli import browser
from tests.cli.run import muster, studio
from tests.cli.studio_requests import Sent, requests
from tests.prove.figure import SEED, Figure, counted

REQUESTS, LINES = 1_000, 200
"""Number of malicious requests, and of lines of sight on each map."""
GROUNDS = {
    "call_to_arms": "hexes",
    "travel_battle": "squares",
    "battling": "numbered hexes",
}
CODE = "K7Q2M-9FHN5"
SECRET = "the secret of the canary"
ROOT = Path(__file__).resolve().parents[3]
PAGE_TIMEOUT_S = 90.0

WATCH = """
import os, sys

_log = os.open(os.environ["STUDIO_WATCH"], os.O_WRONLY | os.O_APPEND)


def _note(event, args):
    if event == "open" and isinstance(args[0], (str, bytes)):
        path = os.path.abspath(os.fsdecode(args[0]))
        writes = bool((args[2] or 0) & (os.O_WRONLY | os.O_RDWR | os.O_CREAT))
        os.write(_log, f"{'w' if writes else 'r'} {path}\\n".encode("utf-8", "replace"))
    elif event == "socket.connect":
        os.write(_log, f"c {args[1]}\\n".encode("utf-8", "replace"))


sys.addaudithook(_note)
"""
"""Code that every Python process of the studio runs first."""


class Outcome(NamedTuple):
    """The outcome of the requests."""

    answered: int
    faults: list[str]
    opened: set[str]
    """Opened files as `r` or `w` with the path, and connections as `c` with the address."""


@contextmanager
def watched() -> Iterator[tuple[int, Path, Path]]:
    """Start a studio in a separate folder, and yield its port, the folder, and the file that logs opened files."""
    with tempfile.TemporaryDirectory(prefix="studio-") as name:
        whole = Path(os.path.realpath(name))
        here, spare, home, watch, log = (whole / part for part in ("here", "spare", "home", "watch", "log"))
        for folder in (here, spare, home, watch):
            folder.mkdir()
        log.touch()
        (whole / "canary").write_text(SECRET, "utf-8")
        (here / "canary").write_text(SECRET, "utf-8")
        (watch / "sitecustomize.py").write_text(WATCH, "utf-8")
        variables = {
            "PYTHONPATH": os.pathsep.join((str(watch), str(ROOT))),
            "STUDIO_WATCH": str(log),
            "TMPDIR": str(spare),
            "HOME": str(home),
            "XDG_CACHE_HOME": str(home / "cache"),
            "MUSTER_CACHE": str(home / "cache" / "muster"),
            "XDG_CONFIG_HOME": str(home / "config"),
        }
        with studio(cwd=here, **variables) as started:
            yield started["port"], whole, log


def answered(port: int, sent: Sent) -> tuple[int, bytes]:
    """Return the status and the body of an answer. The status is 0 if there is no answer."""
    with send_request(port, sent) as door:
        return _read(door)


def send_request(port: int, sent: Sent) -> socket.socket:
    """Return a connection on which the request was sent."""
    lines = [f"{sent.method} {sent.path} HTTP/1.1", *(f"{name}: {value}" for name, value in sent.headers.items())]
    length = len(sent.body) + (1000 if sent.slow else 0)
    head = "\r\n".join((*lines, f"content-length: {length}", "connection: close", "", "")).encode(
        "latin-1", "replace"
    )
    door = socket.create_connection(("127.0.0.1", port), PAGE_TIMEOUT_S)
    with contextlib.suppress(OSError):  # the server may close the connection early
        door.sendall(head + sent.body)
    return door


def _read(door: socket.socket) -> tuple[int, bytes]:
    found = b""
    with contextlib.suppress(ConnectionResetError):
        while part := door.recv(1 << 16):
            found += part
    top, _, body = found.partition(b"\r\n\r\n")
    return (int(top.split()[1]) if top.startswith(b"HTTP/") else 0), body


def tried(count: int, patient: bool = True) -> Outcome:
    """Send `count` malicious requests one after another.

    Slow requests stay open. With `patient`, wait until the server closes them.
    """
    faults, slow = [], []
    with watched() as (port, whole, log), contextlib.ExitStack() as held:
        before = _remaining_files(whole)
        for sent in requests(count, f"127.0.0.1:{port}", SEED):
            if sent.slow:
                slow.append(held.enter_context(send_request(port, sent)))
                continue
            status, body = answered(port, sent)
            text = f"{sent.method} {sent.path} {sent.body[:120]!r}"
            # A body that is too large closes the connection, sometimes before the answer is read.
            if not (200 <= status < 500 or status == 503 or (status == 0 and len(sent.body) > MAX_BODY_BYTES)):
                faults.append(f"{text}: {status}")
            if SECRET.encode() in body or b"root:" in body or b"Traceback" in body:
                faults.append(f"{text}: told {body[:200]!r}")
            if status == 200 and sent.path == "/ask" and json.loads(body.splitlines()[-1])["exit"] == 70:
                faults.append(f"{text}: {body[:300]!r}")
            if status == 422 and sent.path == "/play" and json.loads(body)["exit"] == 70:
                faults.append(f"{text}: {body[:300]!r}")
        if patient:
            ends = [_read(door)[0] for door in slow]
            faults += [f"a slow body: {status}" for status in ends if not 400 <= status < 500]
        fine = Sent(
            "POST", "/ask", {"host": f"127.0.0.1:{port}", "content-type": "application/json"}, b'{"words": ["games"]}'
        )
        status, body = answered(port, fine)
        if status != 200 or json.loads(body)["exit"]:
            faults.append(f"it no longer answers: {status}")
        faults += [f"left behind: {path}" for path in _remaining_files(whole) - before]
        opened = set(log.read_text("utf-8", "replace").splitlines())
        faults += opened_outside(opened, whole)
    return Outcome(count, faults, opened)


def _remaining_files(whole: Path) -> set[str]:
    """Return the remaining files, except caches and the folder of a running command."""
    parts = ("here", "spare", "home")
    found = (path for part in parts for path in (whole / part).rglob("*"))
    return {str(path) for path in found if "cache" not in path.parts}


def opened_outside(opened: Iterable[str], whole: Path) -> list[str]:
    """Return the files opened outside the studio's temporary folder and home, Muster, Python and the system."""
    user_folders = [whole / "spare", whole / "home", whole / "watch", whole / "log"]
    system = [
        Path(folder) for folder in ("/usr", "/lib", "/lib64", "/bin", "/dev", "/proc", "/sys", "/opt", "/etc/fonts")
    ]
    pythons = [Path(sys.prefix), Path(sys.base_prefix), Path(sysconfig.get_path("stdlib"))]
    read = [*user_folders, *system, *pythons, ROOT]
    written = [whole / "spare", whole / "home", Path("/dev"), *pythons]
    # Python reads the time zone and MIME types, and writes compiled modules next to their sources.
    known = {"/etc/localtime", "/etc/mime.types"}
    faults = []
    for line in opened:
        how, _, name = line.partition(" ")
        path = Path(name)
        if how == "c" or "__pycache__" in path.parts or name in known:
            faults += [f"connects to {name}"] if how == "c" else []
        elif not any(place == path or place in path.parents for place in (written if how == "w" else read)):
            faults.append(f"{'writes' if how == 'w' else 'reads'} {name}")
    return faults


CLICK = (
    "document.querySelector('[role=gridcell][data-cell=\"%s\"]').dispatchEvent(new Event('click', {bubbles: true}))"
)
CLEAR = "document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape', bubbles: true}))"
SAID = "document.querySelector('#sight .told')?.textContent ?? ''"
SHOWN = (
    "document.getElementById('map')?.getAttribute('aria-busy') === 'false' && !!document.querySelector('#map svg')"
)
CELLS = "[...document.querySelectorAll('[role=gridcell]')].map(cell => cell.dataset.cell)"


def sight_differences(tab: browser.Page, address: str, game: str, count: int, seed: int = SEED) -> Iterator[str]:
    """Request `count` lines of sight between seeded cells by clicks, and yield differences from the command."""
    tab.open(f"{address}#/battle/{game}?seed={CODE}&lang=en", 1440)
    assert tab.becomes(SHOWN, True, PAGE_TIMEOUT_S)
    chance, cells = random.Random(seed), tab.run(CELLS)
    with tempfile.TemporaryDirectory() as name:
        file = Path(name) / "battle.toml"
        file.write_text(tab.run("document.getElementById('toml').textContent"), "utf-8")
        for _ in range(count):
            start, end = chance.sample(cells, 2)
            row = muster("sight", file, start, end, "--json").json
            if "problems" in row:
                wanted = "\n".join(f"{one['message']} ({one['hint']})" for one in row["problems"])
            else:
                wanted = muster("sight", file, start, end).out.strip()
            wanted = wanted.replace(str(file), "battle.toml")
            # Clear the previous answer, so that the test cannot mistake it for the next answer.
            tab.run(CLEAR)
            assert tab.becomes(SAID, "", PAGE_TIMEOUT_S / 3)
            for cell in (start, end):
                tab.run(CLICK % cell)
            if not tab.becomes(SAID, wanted, PAGE_TIMEOUT_S / 3):
                yield f"{game} {start} {end}: {tab.run(SAID)!r}, not {wanted!r}"


def prove() -> Iterator[Figure]:
    """Send 1,000 malicious requests, and request 200 lines of sight on each map."""
    outcome = tried(REQUESTS)
    yield counted("malicious requests: refused, or answered as the command does", outcome.answered, outcome.faults)
    paths = len(outcome.opened)
    yield Figure(
        "files and addresses opened by the studio's processes", f"{paths:,}, all of them allowed", "some", paths > 100
    )
    if browser.PROGRAM is None:
        yield Figure("lines of sight by clicks", "no Chromium is installed", "one", False)
        return
    with (
        tempfile.TemporaryDirectory() as profile,
        studio() as started,
        browser.browser(browser.PROGRAM, Path(profile)) as tab,
    ):
        for game, ground in GROUNDS.items():
            faults = list(sight_differences(tab, started["address"], game, LINES))
            yield counted(f"lines of sight by clicks on {ground}: same answer as `muster sight`", LINES, faults)
