"""A gallery and a first Japanese kit, beside the same by version 0.1."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from bench import before
from bench.battle import CODE
from bench.beside import ROOT
from bench.clock import Runner, alternate, process, wall
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
    return Figure("a first Japanese kit, fonts cold", ours, SAME, theirs, "times the time")


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
    return Figure("the gallery", ours, SAME, theirs, "times the time")
