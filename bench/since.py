"""What has become of what took people's time in version 0.1: a gallery, a first Japanese kit, the tests."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from bench import before
from bench.battle import CODE
from bench.beside import ROOT
from bench.clock import Runner, alternate, children, environment, process, wall
from bench.figure import Figure

SAME = f"the same by commit {before.BEFORE}"


def figures(times: int) -> Iterator[Figure]:
    """Both by both codes, in turn; nothing where the early one's history is not there."""
    with before.before() as tree:
        if tree is None:
            return
        yield _first_kit(tree, times)
        yield _gallery(tree)


def _first_kit(tree: Path, times: int) -> Figure:
    """Nothing lies in the cache: neither fonts nor templates nor anything else."""

    def cold(of: Path, code: str) -> Runner:
        def run() -> float:
            with tempfile.TemporaryDirectory() as folder:
                kit = ["kit", "--seed", code, "--lang", "ja", "-o", str(Path(folder) / "kit")]
                return process(before.muster(of, *kit), wall, MUSTER_CACHE=str(Path(folder) / "cache"))()

        return run

    ours, theirs = alternate(times, cold(ROOT, CODE), cold(tree, before.CODE))
    return Figure("a first Japanese kit, fonts cold", ours, SAME, theirs, "times the time", 1 / 3)


def _gallery(tree: Path) -> Figure:
    """The whole page, by as many processes as each of them takes; once, as the early one takes its time."""
    with tempfile.TemporaryDirectory() as folder:

        def shown(of: Path) -> float:
            page = ["gallery", "--lang", "en", "-o", str(Path(folder) / "gallery.html")]
            (Path(folder) / "gallery.html").unlink(missing_ok=True)
            return process(before.muster(of, *page), wall, MUSTER_CACHE=str(Path(folder) / "cache"))()

        # Templates are compiled and fonts founded when it counts.
        shown(ROOT)
        ours, theirs = shown(ROOT), shown(tree)
    return Figure("the gallery", ours, SAME, theirs, "times the time", 0.25)


def tests() -> Iterator[Figure]:
    """What a case of `make test` takes of a processor, on average, beside what one took; both run once, whole."""
    with before.before() as tree:
        if tree is None:
            return
        ours, theirs = _case(ROOT), _case(tree)
    yield Figure("a case of the tests", ours, SAME.replace("the same", "one"), theirs, "times the time", 0.6)


def _case(tree: Path, *chosen: str) -> float:
    """A processor's seconds for each case that ran there, or of those in `chosen`: what they start is included.

    Everything is compiled when it counts, and nothing lies in the cache. RuntimeError where no case ran.
    """
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--continue-on-collection-errors", *chosen]
    with tempfile.TemporaryDirectory() as folder:
        own = environment(PYTHONPATH=str(tree), MUSTER_CACHE=str(Path(folder) / "cache"))

        def run(*more: str) -> str:
            done = subprocess.run([*command, *more], cwd=tree, env=own, capture_output=True, text=True)
            return done.stdout.strip()

        run("--collect-only")
        start = children()
        told = run()
        taken = children() - start
    # Cases that fail with newer libraries have run too.
    ran = sum(int(count) for count in re.findall(r"(\d+) (?:passed|failed)", told.rpartition("\n")[2]))
    if not ran:
        raise RuntimeError(f"no case of {tree} ran: {told[-2000:]}")
    return taken / ran
