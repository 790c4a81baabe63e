"""List the letters that can be printed, which are those that both weights of the largest fonts contain.

`data/letters.txt` has the letters in the fonts, `data/rare_letters.txt` those that are added when a text needs
them, and `data/letter_variants.txt` the letters that have another form with a variation selector. If the fonts or
their coverage change, run this script again: .venv/bin/python docs/make_letters.py
"""

from __future__ import annotations

import io
from pathlib import Path

from fontTools.ttLib import TTFont

from generator.press.pdf.letters import MIXES, letters
from generator.press.pdf.typecase import stands_alone, typecase

DATA = Path(__file__).resolve().parent.parent / "data"
LIST, RARE, VARIANTS = DATA / "letters.txt", DATA / "rare_letters.txt", DATA / "letter_variants.txt"
WIDTH = 64
"""Number of letters per line."""


def covered() -> str:
    """Return all letters that the fonts have in both weights, ordered by code point."""
    weights = []
    for weight in MIXES:
        with TTFont(io.BytesIO(typecase("japanese", weight).font), lazy=True) as font:
            weights.append(set(font.getBestCmap()))
    return "".join(map(chr, sorted(set.intersection(*weights))))


def rare() -> str:
    """Return the other letters that the font sources have in both weights, ordered by code point."""
    weights = []
    for weight in MIXES:
        with letters("japanese", weight) as drawn:
            weights.append(set(filter(stands_alone, map(chr, drawn.names))))
    return "".join(sorted(set.intersection(*weights) - set(covered())))


def variants() -> str:
    """Return a line for each variation selector, with its code point and the letters whose form it changes."""
    printed = {*covered(), *rare()}
    weights = []
    for weight in MIXES:
        with letters("japanese", weight) as drawn:
            tables = [table.uvsDict for _, font in drawn.fonts for table in font["cmap"].tables if table.format == 14]
            pairs = {(selector, chr(code)) for table in tables for selector in table for code, _ in table[selector]}
            weights.append({(selector, letter) for selector, letter in pairs if letter in printed})
    both = sorted(set.intersection(*weights))
    chosen = {selector: "".join(letter for of, letter in both if of == selector) for selector, _ in both}
    return "".join(f"{selector:04X} {of}\n" for selector, of in chosen.items())


def listed(letters: str) -> str:
    """Format letters as the lines of a file."""
    return "".join(f"{letters[at : at + WIDTH]}\n" for at in range(0, len(letters), WIDTH))


if __name__ == "__main__":
    LIST.write_text(listed(covered()), encoding="utf-8")
    RARE.write_text(listed(rare()), encoding="utf-8")
    VARIANTS.write_text(variants(), encoding="utf-8")
