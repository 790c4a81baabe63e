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
_TAG = re.compile(
    r"\{#.*?(?:#\}|\Z)|(?P<code>\{\{.*?\}\}|\{%.*?%\})",
    re.DOTALL,
)
_BLOCK = re.compile(r"\{%[-+]?\s*(end)?(?:for|if|macro|call|filter|block|with|autoescape)\b")
TAGS = 16
"""As deep may a template's loops and conditions stand in one another: Python takes twenty loops, ours need four."""


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


def deep_template(text: str) -> int:
    """The line on which a template's tags, or the brackets in one, stand too deep in one another; 0 where none do."""
    depth = 0
    for found in _TAG.finditer(text):
        before = text.count("\n", 0, found.start())
        if block := _BLOCK.match(found[0]):
            depth = max(0, depth - 1) if block[1] else depth + 1
        if depth > TAGS:
            return before + 1
        if found["code"] and (line := _deep(found[0], _JSON)):
            return before + line
    return 0
