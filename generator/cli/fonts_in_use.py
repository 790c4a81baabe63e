"""Check names that were typed with the fonts in use, where fonts of the system stand in for the font packages."""

from __future__ import annotations

from collections.abc import Iterable

from generator.errors import DataError, Problem
from generator.localization import tr
from generator.tournament.csv_files import Row

_SHOWN = 3
"""Letters that are named at once."""


def font_fault(text: str) -> tuple[str, str] | None:
    """Return why the fonts in use cannot print a text, and what to do; None if they can.

    The font packages have every letter that `name_fault` lets in, so that this looks at fonts of the system only.
    """
    if text.isascii():
        return None
    from generator.press.pdf.letters import lacking
    from generator.press.pdf.system_fonts import PACKAGES

    if not (letters := lacking(text)):
        return None
    codes = ", ".join(f"{letter!r} (U+{ord(letter[0]):04X})" for letter in letters[:_SHOWN])
    hint = tr("the packages {packages} have it: install them, or write the name in other letters",
               packages=", ".join(PACKAGES.values()))  # fmt: skip
    return tr("{text} holds {shown}, which the fonts of this system lack", text=text[:80], shown=codes), hint


def unless_fonts_lack(texts: Iterable[str]) -> None:
    """DataError for each text that the fonts in use cannot print."""
    found = (font_fault(text) for text in dict.fromkeys(texts))
    DataError.raise_if_any(Problem(message, hint=hint) for message, hint in filter(None, found))


def unless_fonts_lack_rows(rows: Iterable[Row], columns: Iterable[str]) -> None:
    """DataError, with its line, for each of these cells that the fonts in use cannot print."""
    cells = [(row, row[column]) for column in columns for row in rows]
    found = [(row, font_fault(text)) for row, text in cells]
    DataError.raise_if_any(row.problem(*fault) for row, fault in sorted(found, key=lambda one: one[0].line) if fault)
