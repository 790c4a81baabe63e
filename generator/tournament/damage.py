"""Read tables with damaged bytes so that only the damaged lines are lost."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection

from generator.errors import Problem
from generator.localization import tr
from generator.tournament.encoding import MARKS, PRIORS, Text

_DAMAGED = re.compile("[\ud800-\udfff\ufffd]")
"""Matches damaged bytes after decoding: a lone surrogate or, in UTF-16, the replacement character."""


def salvage(content: bytes, encoding: str | None, known: Collection[str]) -> Text | None:
    """Decode a table with undecodable bytes, replacing each damaged byte. Return None if it has no known cell.

    The encoding is the one given by a byte order mark or by `encoding`. Otherwise, it is the one with which the
    most cells are `known` headings or names of players.
    """
    marked = next((form for mark, form in MARKS.items() if content.startswith(mark)), None)
    forms = [chosen] if (chosen := marked or encoding) else ["utf-8", *PRIORS]
    expected = {_key(word) for word in known}
    best: tuple[tuple[int, int], Text] | None = None
    for form in forms:
        text = _decode(content, form)
        cells = re.split("[,;\t|\r\n]", text)
        score = sum(_key(cell) in expected for cell in cells), -len(_DAMAGED.findall(text))
        if score[0] and (best is None or score > best[0]):
            best = score, Text(text, form)
    return best[1] if best else None


def damage_problem(file: str, line: int, text: str) -> Problem | None:
    """Return a problem if a line contains damaged bytes, and None otherwise."""
    if not _DAMAGED.search(text):
        return None
    return Problem(tr("this line contains damaged characters"), file, line, tr("type this line again"))


def _decode(content: bytes, encoding: str) -> str:
    try:
        return content.decode(encoding, "replace" if encoding.startswith(("utf-16", "utf-32")) else "surrogateescape")
    except (UnicodeError, LookupError):  # Some codecs do not support this error handler.
        return content.decode("ascii", "surrogateescape")


def _key(cell: str) -> str:
    return re.sub(r"[\s_\-‐]+", "", unicodedata.normalize("NFKC", cell.strip().strip('"'))).casefold()
