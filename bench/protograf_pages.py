"""Pages of given marks by protograf; runs in protograf's own environment and times itself.

First line on standard input: the pages as JSON (bench/marks.py). Every further line asks for all of them; the seconds
that they took, from the first mark to the PDFs on disk, go to standard output.
"""

from __future__ import annotations

import contextlib
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import protograf as p  # type: ignore[import-not-found]  # lives in an environment of its own
import protograf.proto as open_document  # type: ignore[import-not-found]  # lives in an environment of its own

CM = 72 / 2.54
"""Points in a centimetre."""
PAGES = 20
"""A document has no more of them: the more there are, the longer each takes."""
DOT = 0.15
"""Radius of a dot in cm."""
THIN = 0.4


def draw(mark: dict[str, Any]) -> None:
    """One mark with protograf's own shape for it."""
    if mark["kind"] == "text":
        x, y = (at / CM for at in mark["at"])
        p.Text(text=mark["text"], x=x, y=y, align="left", font_size=mark["size"])
        return
    if mark["kind"] == "dot":
        x, y = (at / CM for at in mark["at"])
        p.Circle(cx=x, cy=y, radius=DOT, fill="#8090c0")
        return
    points = [(x / CM, y / CM) for x, y in mark["points"]]
    xs, ys = zip(*points, strict=True)
    if mark["kind"] == "box":
        left, top = min(xs), min(ys)
        p.Rectangle(x=left, y=top, width=max(xs) - left, height=max(ys) - top, fill=mark["fill"], stroke_width=THIN)
    elif mark["kind"] == "shape":
        p.Polyshape(points=points, fill=mark["fill"], stroke_width=THIN)
    elif len(points) == 2:
        p.Line(x=xs[0], y=ys[0], x1=xs[1], y1=ys[1], stroke_width=THIN)
    else:
        p.Polyline(points=points, stroke_width=THIN)


def document(pages: list[dict[str, Any]], paper: str, target: Path) -> float:
    """Seconds for a document of these pages; what opening it costs is left out."""
    open_document.globals_set = False  # protograf expects one document a process
    p.Create(paper=paper, margin=0, filename=target.name)
    start = time.process_time()
    for number, page in enumerate(pages):
        if number:
            p.PageBreak()
        for mark in page["marks"]:
            draw(mark)
    p.Save(filename=target.name, directory=str(target.parent))
    return time.process_time() - start


def main() -> None:
    """Answer until standard input ends; no document has both upright pages and some on their long side."""
    pages, answers = json.loads(sys.stdin.readline()), sys.stdout
    upright = [page for page in pages if not page["landscape"]]
    lying = [page for page in pages if page["landscape"]]
    with tempfile.TemporaryDirectory() as name, contextlib.redirect_stdout(sys.stderr):
        folder = Path(name)
        for _ in sys.stdin:
            seconds = [
                document(of[at : at + PAGES], paper, folder / "print.pdf")
                for of, paper in ((upright, "A4"), (lying, "A4-l"))
                for at in range(0, len(of), PAGES)
            ]
            print(sum(seconds), file=answers, flush=True)


if __name__ == "__main__":
    main()
