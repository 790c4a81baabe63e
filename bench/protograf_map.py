"""A hex map by protograf; runs in protograf's own environment and times itself.

First line on standard input: the map as JSON (rows, tokens). Every further line asks for a document of so
many pages; the seconds that it took, from the first hex to the PDF on disk, go to standard output.
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

SIDE = 1.24
"""Hexside in cm: the rows of 13 fill a landscape A4 page."""
PAPER = "A4-l"
MARGIN = 0.8
CM = 72 / 2.54
"""Points in a centimetre."""


def draw(view: dict[str, Any]) -> None:
    """Hexes with their names, discs with their labels."""
    rows: list[int] = view["rows"]
    widest = max(rows)
    short = [(row + 1, column + 1) for row, n in enumerate(rows) for column in range(n, widest)]
    grid = p.Hexagons(
        rows=len(rows),
        cols=widest,
        side=SIDE,
        x=0,
        y=0.5,
        orientation="pointy",
        hex_offset="even",
        hidden=short,
        fill="#f4f0e0",
        coord_elevation="top",
        coord_type_x="upper",
        coord_padding=0,
        coord_font_size=7,
    )
    # p.Location would find the place itself, but takes a tenth longer.
    places = {hexagon.label: hexagon for hexagon in grid}
    for name, label in view["tokens"]:
        x, y = places[name].x / CM - MARGIN, places[name].y / CM - MARGIN
        p.Circle(cx=x, cy=y, radius=0.6, fill="#8090c0", label=label, label_size=7)


def document(view: dict[str, Any], pages: int, target: Path) -> float:
    """Seconds for so many pages; what opening a document costs is left out."""
    open_document.globals_set = False  # protograf expects one document a process
    p.Create(paper=PAPER, margin=MARGIN, filename=target.name)
    start = time.process_time()
    for page in range(pages):
        if page:
            p.PageBreak()
        draw(view)
    p.Save(filename=target.name, directory=str(target.parent))
    return time.process_time() - start


def main() -> None:
    """Answer until standard input ends."""
    view, answers = json.loads(sys.stdin.readline()), sys.stdout
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(sys.stderr):
        for pages in sys.stdin:
            print(document(view, int(pages), Path(folder) / "map.pdf"), file=answers, flush=True)


if __name__ == "__main__":
    main()
