"""Draw a hex map with protograf and measure the time. This script runs in protograf's own environment.

The first line of standard input is the map as JSON (rows, tokens). Each further line is a number of pages. For
each of these lines, the seconds from the first hex to the PDF on disk are written to standard output.
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
"""Length of a hexside in cm. At this length, rows of 13 hexes fill a landscape A4 page."""
PAPER = "A4-l"
MARGIN = 0.8
CM = 72 / 2.54
"""Points per centimetre."""


def draw(view: dict[str, Any]) -> None:
    """Draw the hexes with their names, and a disc with a label for each token."""
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
    # p.Location would find the position of the hex, but takes 10 % longer.
    places = {hexagon.label: hexagon for hexagon in grid}
    for name, label in view["tokens"]:
        x, y = places[name].x / CM - MARGIN, places[name].y / CM - MARGIN
        p.Circle(cx=x, cy=y, radius=0.6, fill="#8090c0", label=label, label_size=7)


def document(view: dict[str, Any], pages: int, target: Path) -> float:
    """Return the seconds needed to draw this number of pages, without the time for opening a document."""
    open_document.globals_set = False  # protograf supports only one document per process.
    p.Create(paper=PAPER, margin=MARGIN, filename=target.name)
    start = time.process_time()
    for page in range(pages):
        if page:
            p.PageBreak()
        draw(view)
    p.Save(filename=target.name, directory=str(target.parent))
    return time.process_time() - start


def main() -> None:
    """Answer each line of standard input until it ends."""
    view, answers = json.loads(sys.stdin.readline()), sys.stdout
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(sys.stderr):
        for pages in sys.stdin:
            print(document(view, int(pages), Path(folder) / "map.pdf"), file=answers, flush=True)


if __name__ == "__main__":
    main()
