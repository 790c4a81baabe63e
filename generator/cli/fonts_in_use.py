"""Check that the fonts can print a name, if fonts of the system are used in place of the font packages."""

from __future__ import annotations

from collections.abc import Iterable

from generator.errors import DataError, Problem
from generator.localization import tr
from generator.tournament.csv_files import Row

_MAX_LISTED_LETTERS = 3
"""The maximum number of missing letters that a message lists."""


def font_fault(text: str) -> tuple[str, str] | None:
    """Return the reason that the fonts cannot print a text and a hint, or None if they can print the text.

    The font packages have every letter that `name_fault` accepts. Only fonts of the system may lack letters.
    """
    if text.isascii():
        return None
    from generator.press.pdf.letters import lacking
    from generator.press.pdf.system_fonts import PACKAGES

    if not (letters := lacking(text)):
        return None
    codes = [f"{letter!r} (U+{ord(letter[0]):04X})" for letter in letters[:_MAX_LISTED_LETTERS]]
    hint = tr("install the packages {packages}, whose fonts can print the name, or write the name in other letters",
               packages=[*PACKAGES.values()])  # fmt: skip
    return tr("{text} contains {shown}, which no font on this system can print", text=text[:80], shown=codes), hint


def check_fonts(texts: Iterable[str]) -> None:
    """Check that the fonts can print these texts.

    Raises:
        DataError: If a text cannot be printed. The error lists every such text.
    """
    found = (font_fault(text) for text in dict.fromkeys(texts))
    DataError.raise_if_any(Problem(message, hint=hint) for message, hint in filter(None, found))


def check_fonts_of_rows(rows: Iterable[Row], columns: Iterable[str]) -> None:
    """Check that the fonts can print these columns of a table.

    Raises:
        DataError: If a cell cannot be printed. The error lists the line of every such cell.
    """
    cells = [(row, row[column]) for column in columns for row in rows]
    found = [(row, font_fault(text)) for row, text in cells]
    DataError.raise_if_any(row.problem(*fault) for row, fault in sorted(found, key=lambda one: one[0].line) if fault)
