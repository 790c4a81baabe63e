"""Read untrusted JSON files with limits, and report faults with their file, line and key."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

from generator.errors import DataError, Problem
from generator.localization import tr, tr_external
from generator.store.folders import is_there, missing_file_problem, read_within

TOO_DEEP = tr("nested too deeply")
MAX_BRACKET_DEPTH = 64
"""The maximum depth of nested brackets in a file. Recursive readers can handle several hundred."""

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
MAX_TAG_DEPTH = 16
"""The maximum depth of nested loops and conditions in a template. Python allows twenty loops, and shipped templates
need four.
"""


def deep_toml(text: str) -> int:
    """Return the 1-based line on which brackets of a TOML text are nested too deeply, or 0."""
    return _too_deep_line(text, _TOML) if text.count("[") + text.count("{") > MAX_BRACKET_DEPTH else 0


def deep_json(text: str) -> int:
    """Return the 1-based line on which brackets of a JSON text are nested too deeply, or 0."""
    return _too_deep_line(text, _JSON) if text.count("[") + text.count("{") > MAX_BRACKET_DEPTH else 0


def _too_deep_line(text: str, marks: re.Pattern[str]) -> int:
    """Return the line of the first bracket that is nested too deeply, ignoring strings and comments."""
    line, depth = 1, 0
    for found in marks.finditer(text):
        mark = found[0]
        if mark in "[{(":
            depth += 1
            if depth > MAX_BRACKET_DEPTH:
                return line
        elif mark in "]})":
            depth = max(0, depth - 1)
        else:
            line += mark.count("\n")
    return 0


def deep_template(text: str) -> int:
    """Return the line on which a template's tags, or the brackets in a tag, are nested too deeply, or 0."""
    depth = 0
    for found in _TAG.finditer(text):
        before = text.count("\n", 0, found.start())
        if block := _BLOCK.match(found[0]):
            depth = max(0, depth - 1) if block[1] else depth + 1
        if depth > MAX_TAG_DEPTH:
            return before + 1
        if found["code"] and (line := _too_deep_line(found[0], _JSON)):
            return before + line
    return 0


FILE_LIMIT = 1 << 20
INTEGER_LIMIT = 1 << 53
MAX_KEY_SHOWN = 80
"""The maximum number of characters of a key in a message."""
_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|[{}\[\]:,]|[^\s{}\[\]:,"]+|\n')
_ENDLESS = re.compile("[0-9]{1000}")

Keys = tuple[str | int, ...]


class JsonFile:
    """The values of a JSON file and their lines."""

    def __init__(self, path: Path, text: str | None = None) -> None:
        """Read a file, or parse the `text` of a file that has been read."""
        self.name = str(path)
        self.text = _text(path, self.name) if text is None else text
        self.data = self._parsed()
        faults = [(keys, tr("appears twice")) for keys in self._scanned[1]]
        DataError.raise_if_any(self.problem(*fault) for fault in (*faults, *_invalid_numbers(self.data, ())))

    def problem(self, keys: Keys, message: str, hint: str = "") -> Problem:
        """Return a problem about a key."""
        place = "".join(f"[{k + 1}]" if isinstance(k, int) else f".{k[:MAX_KEY_SHOWN]}" for k in keys).lstrip(".")
        return Problem(
            tr("{place}: {message}", place=place, message=message) if place else message,
            self.name,
            self.line(keys),
            hint,
        )

    def line(self, keys: Keys) -> int:
        """Return the 1-based line of a key or its nearest enclosing value, or 1 if neither is found."""
        while keys and keys not in self._scanned[0]:
            keys = keys[:-1]
        return self._scanned[0].get(keys, 1)

    def _parsed(self) -> object:
        if line := deep_json(self.text):
            raise DataError(Problem(TOO_DEEP, self.name, line))
        try:
            return json.loads(self.text)
        except json.JSONDecodeError as error:
            reason = error.msg[:1].lower() + error.msg[1:]
            raise DataError(
                Problem(tr("is not valid JSON: {reason}", reason=tr_external(reason)), self.name, error.lineno)
            ) from error
        except ValueError as error:
            # Python refuses to read an integer of more than 4,300 digits.
            found = _ENDLESS.search(self.text)
            line = self.text.count("\n", 0, found.start()) + 1 if found else 0
            raise DataError(Problem(tr("a number is too large"), self.name, line)) from error

    @cached_property
    def _scanned(self) -> tuple[dict[Keys, int], list[Keys]]:
        """The line of every value, and the keys that appear twice, in a text that is valid JSON."""
        lines: dict[Keys, int] = {}
        twice: list[Keys] = []
        path: list[str | int | None] = []
        line = 1
        for found in _TOKEN.finditer(self.text):
            token = found[0]
            if token == "\n":
                line += 1
            elif token in "]}":
                path.pop()
            elif token == ",":
                path[-1] = path[-1] + 1 if isinstance(path[-1], int) else None
            elif path and path[-1] is None:
                path[-1] = json.loads(token)
                keys = tuple(key for key in path if key is not None)
                if keys in lines:
                    twice.append(keys)
                lines.setdefault(keys, line)
            elif token != ":":
                lines.setdefault(tuple(key for key in path if key is not None), line)
                path += [None] if token == "{" else [0] if token == "[" else []
        return lines, twice


def _text(path: Path, name: str) -> str:
    if not is_there(path):
        raise DataError(missing_file_problem(path, ".json", name))
    raw = read_within(path, FILE_LIMIT, tr("is larger than 1 MiB"))
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError(Problem(tr("is not UTF-8 text"), name, raw[: error.start].count(b"\n") + 1)) from error


def _invalid_numbers(value: object, keys: Keys) -> Iterator[tuple[Keys, str]]:
    """Yield infinite and overlong numbers with their key paths."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _invalid_numbers(inner, (*keys, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _invalid_numbers(inner, (*keys, index))
    elif isinstance(value, float) and not math.isfinite(value):
        yield keys, tr("{value} is not a number", value=value)
    elif isinstance(value, int) and abs(value) > INTEGER_LIMIT:
        yield keys, tr("a number is too large")
