"""A hex map by protograf; runs in protograf's own environment and times itself.

First line on standard input: the map as JSON (rows, letters, tokens, edges). Every further line asks for one
drawing; the seconds that it took, from the first hex to the PDF on disk, go to standard output.
"""

from __future__ import annotations

import contextlib
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import protograf as p  # type: ignore[import-not-found]

SIDE = 1.24
"""Hexside in cm: the rows of 13 fill a landscape A4 page."""
PAPER = "A4-l"


def draw(view: dict[str, Any], target: Path) -> None:
    """Hexes with their names, letters for the ground, tokens with their labels."""
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
    for name, letter in view["letters"]:
        p.Location(grid, name, [p.text(text=letter, dx=-0.8, dy=0.2, font_size=6)])
    for name, label in view["tokens"]:
        p.Location(grid, name, [p.circle(cx=0, cy=0, radius=0.6, fill="#8090c0", label=label, label_size=7)])
    for y, text in zip((0.2, 18.6), view["edges"], strict=True):
        p.Text(text=text, x=13.8, y=y, font_size=8)
    p.Save(filename=target.name, directory=str(target.parent))


def main() -> None:
    """Answer until standard input ends."""
    view, answers = json.loads(sys.stdin.readline()), sys.stdout
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(sys.stderr):
        target = Path(folder) / "map.pdf"
        p.Create(paper=PAPER, margin=0.8, filename=target.name)
        for _ in sys.stdin:
            start = time.perf_counter()
            draw(view, target)
            print(time.perf_counter() - start, file=answers, flush=True)


if __name__ == "__main__":
    main()
