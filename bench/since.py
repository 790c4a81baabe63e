"""Compare the time for a gallery and for a first Japanese kit with that of version 0.1."""

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
    """Yield both figures, or nothing if the git history of version 0.1 is not available."""
    with before.before() as tree:
        if tree is None:
            return
        yield _first_kit(tree, times)
        yield _gallery(tree)


def _first_kit(tree: Path, times: int) -> Figure:
    """Return the figure of a kit printed with an empty cache, so that fonts and templates must be prepared too."""

    def cold(of: Path, code: str) -> Runner:
        def run() -> float:
            with tempfile.TemporaryDirectory() as folder:
                kit = ["kit", "--seed", code, "--lang", "ja", "-o", str(Path(folder) / "kit")]
                return process(before.muster(of, *kit), wall, MUSTER_CACHE=str(Path(folder) / "cache"))()

        return run

    ours, baseline = alternate(times, cold(ROOT, CODE), cold(tree, before.CODE))
    return Figure("a first Japanese kit, fonts cold", ours, SAME, baseline, "times the time")


def _gallery(tree: Path) -> Figure:
    """Return the figure of the complete gallery, measured once with each version's default number of processes."""
    with tempfile.TemporaryDirectory() as folder:

        def time_gallery(of: Path) -> float:
            page = ["gallery", "--lang", "en", "-o", str(Path(folder) / "gallery.html")]
            (Path(folder) / "gallery.html").unlink(missing_ok=True)
            return process(before.muster(of, *page), wall, MUSTER_CACHE=str(Path(folder) / "cache"))()

        # The first run is not measured. It compiles the templates and makes the fonts.
        time_gallery(ROOT)
        ours, baseline = time_gallery(ROOT), time_gallery(tree)
    return Figure("the gallery", ours, SAME, baseline, "times the time")
