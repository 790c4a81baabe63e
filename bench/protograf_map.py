"""Draw a hex map with protograf and time it; runs in protograf's own environment.

The first line on standard input is the map as JSON (rows, tokens). Each further line is a number of pages; the
seconds from the first hex to the PDF on disk are written to standard output.
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
"""Hexside in cm: the rows of 13 hexes fill a landscape A4 page."""
PAPER = "A4-l"
MARGIN = 0.8
CM = 72 / 2.54
"""Points per centimetre."""


def draw(view: dict[str, Any]) -> None:
    """Draw hexes with their names and discs with their labels."""
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
    # p.Location would find the place itself, but takes 10 % longer.
    places = {hexagon.label: hexagon for hexagon in grid}
    for name, label in view["tokens"]:
        x, y = places[name].x / CM - MARGIN, places[name].y / CM - MARGIN
        p.Circle(cx=x, cy=y, radius=0.6, fill="#8090c0", label=label, label_size=7)


def document(view: dict[str, Any], pages: int, target: Path) -> float:
    """Return the seconds for this number of pages, without the cost of opening a document."""
    open_document.globals_set = False  # protograf expects one document per process
    p.Create(paper=PAPER, margin=MARGIN, filename=target.name)
    start = time.process_time()
    for page in range(pages):
        if page:
            p.PageBreak()
        draw(view)
    p.Save(filename=target.name, directory=str(target.parent))
    return time.process_time() - start


def main() -> None:
    """Answer each line until standard input ends."""
    view, answers = json.loads(sys.stdin.readline()), sys.stdout
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(sys.stderr):
        for pages in sys.stdin:
            print(document(view, int(pages), Path(folder) / "map.pdf"), file=answers, flush=True)


if __name__ == "__main__":
    main()
