"""Where a text is nested too deeply to be read: no file of ours needs it, and what reads it would fall over."""

from __future__ import annotations

import re

TOO_DEEP = "nested too deeply"
BRACKETS = 64
"""As deep may brackets stand in one another in a file's text; a reader that calls itself takes some hundreds."""

_JSON = re.compile(r'"(?:\\.|[^"\\])*"?|[\[{(]|[\]})]|\n')
_TOML = re.compile(
    r'"""(?:\\.|[^\\])*?(?:"""|\Z)' + r"|'''.*?(?:'''|\Z)" + r'|"(?:\\.|[^"\\\n])*"?' + r"|'[^'\n]*'?|#[^\n]*"
    r"|[\[{(]|[\]})]|\n",
    re.DOTALL,
)


def deep_toml(text: str) -> int:
    """The 1-based line on which TOML's brackets stand too deep in one another; 0 where none do."""
    return _deep(text, _TOML) if text.count("[") + text.count("{") > BRACKETS else 0


def deep_json(text: str) -> int:
    """The same of JSON."""
    return _deep(text, _JSON) if text.count("[") + text.count("{") > BRACKETS else 0


def _deep(text: str, marks: re.Pattern[str]) -> int:
    """The line of the first bracket that is too deep, texts and remarks left out."""
    line, depth = 1, 0
    for found in marks.finditer(text):
        mark = found[0]
        if mark in "[{(":
            depth += 1
            if depth > BRACKETS:
                return line
        elif mark in "]})":
            depth = max(0, depth - 1)
        else:
            line += mark.count("\n")
    return 0
