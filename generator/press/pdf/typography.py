"""Set typographic apostrophes, minus signs and ellipses in printed texts."""

from __future__ import annotations

import re

_MARKS = re.compile(r"['-]|\.\.\.")
"""Matches texts that may need a change. Most texts do not."""
_APOSTROPHE = re.compile(r"(?<=\w)'")
_MINUS = re.compile(r"(?<![A-Za-z0-9_)\]’.-])-(?=[0-9½¼¾])")
"""Matches the hyphen in `-1`, but not the hyphens in a code, a range or a type number."""


def typeset(text: str) -> str:
    """Return a text with typographic apostrophes, minus signs and ellipses instead of those of a keyboard.

    Do not pass commands and other texts that players enter exactly as printed. A text that is passed twice changes
    only once.
    """
    if not _MARKS.search(text):
        return text
    return _MINUS.sub("−", _APOSTROPHE.sub("’", text)).replace("...", "…")
