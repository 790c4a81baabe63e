"""What is wrong with a text that is no TOML, in the words of whoever types it."""

from __future__ import annotations

import re

_TOLD = (
    (
        "Invalid value",
        "no value that TOML knows",
        'text needs straight quotation marks: "five"; else a number, true or false',
    ),
    (r"Illegal character '\\r?\\?n?'", "a quotation mark is not closed", 'a text begins and ends with "'),
    ("Unterminated string|Expected \"'", "a quotation mark is not closed", 'a text begins and ends with "'),
    ("Illegal character|Found invalid character", "a character that may not stand there", "delete it, or type \\t"),
    ("Expected '=' after a key", "no = behind a key", 'such a line reads key = "value"; a remark begins with #'),
    (
        "Expected newline or end",
        "more on the line than one value",
        "text needs quotation marks; a remark begins with #",
    ),
    ("Unescaped", "a \\ in a text", "type \\\\, or put the text between ' and '"),
    ("Invalid hex value", "a \\u without four digits", "type \\\\ for a \\ in a text"),
    ("Unclosed array", "a list is not closed", "its entries are parted by commas, and ] ends it"),
    ("Unclosed inline table", "a { is not closed", "its entries stand on one line, parted by commas, and } ends it"),
    ("Cannot overwrite a value|Duplicate inline", "a key stands twice in one table", "delete one of them"),
    ("Cannot declare", "a table stands twice", "rows of one kind begin with [[…]]"),
    ("Expected ']", "no ] behind the name of a table", ""),
    ("Invalid statement|Invalid initial", "no key begins so", "keys are plain letters, or stand in quotation marks"),
)
"""What the reader of TOML says, what we say, and a hint."""


_OPEN = {'Expected "\'"': "'", "Expected \"'''\"": "'''", "Unterminated string": '"""'}
"""What is told of a quotation mark that is open at the end of the text, and the mark."""


def opened(reason: str, text: str) -> int:
    """The 1-based line on which the mark stands that is not closed; the last where it is something else."""
    lines = text.splitlines()
    mark = _OPEN.get(reason, "")
    return max((number for number, line in enumerate(lines, 1) if mark in line), default=1)


def told(reason: str) -> tuple[str, str]:
    """Our words for what the reader of TOML says, and a hint; its own where we have none."""
    return next(((ours, hint) for theirs, ours, hint in _TOLD if re.match(theirs, reason)), (reason, ""))
