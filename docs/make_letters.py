"""Lists the letters that can be printed in data/letters.txt: what both weights of the largest fonts have.

Run it anew where the fonts or their coverage change: .venv/bin/python docs/make_letters.py
"""

from __future__ import annotations

import io
from pathlib import Path

from fontTools.ttLib import TTFont

from generator.press.pdf.fonts import typecase
from generator.press.pdf.letters import MIXES

LIST = Path(__file__).resolve().parent.parent / "data" / "letters.txt"
WIDTH = 64
"""Letters a line."""


def covered() -> str:
    """Every letter that the founded fonts have in each weight, in the order of their numbers."""
    weights = []
    for weight in MIXES:
        with TTFont(io.BytesIO(typecase("japanese", weight).font), lazy=True) as font:
            weights.append(set(font.getBestCmap()))
    return "".join(map(chr, sorted(set.intersection(*weights))))


def listed(letters: str) -> str:
    """The letters as the file has them."""
    return "".join(f"{letters[at : at + WIDTH]}\n" for at in range(0, len(letters), WIDTH))


if __name__ == "__main__":
    LIST.write_text(listed(covered()), encoding="utf-8")
