"""Positions in TOML texts: the line of every key, table and list entry, and of a mark that is not closed.

`tomllib` returns values without positions. A text is scanned here only after a fault was found in it, so that reading
a file that is in order costs nothing. Lines are counted from 1 and end with a line feed, as in TOML.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator

from generator.notation.validation import KeyPath

_LONG = r'"""(?:\\.|[^\\])*?"""(?:"{0,2})' + r"|'''.*?'''(?:'{0,2})"
# Up to two more quotation marks belong to the string: they stand in front of the three that close it.
_STRING = re.compile(_LONG + r'|"(?!"")(?:\\.|[^"\\\n])*"' + r"|'(?!'')[^'\n]*'", re.DOTALL)
_LEXEME = re.compile(rf"#[^\n]*|{_STRING.pattern}|(?P<mark>\"\"\"|'''|[\"'\[\]{{}}])", re.DOTALL)
_SPACE = re.compile(r"(?:[ \t\r\n]+|#[^\n]*)*")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_BARE_VALUE = re.compile(r"[^,\]}#\n]+")
_LINE_BREAK = re.compile(
    r"(?P<joined>\\[ \t]*\r?\n[ \t\r\n]*)|(?P<escape>\\n|\\u000[aA]|\\U0000000[aA])|\\.|\n", re.DOTALL
)
_OPENS = {"]": "[", "}": "{"}


def key_lines(text: str) -> dict[KeyPath, int]:
    """Return the line of every key path of a valid TOML text.

    A table stands on the line of its header, else on the first line that names it; inline tables and list entries
    stand on the line on which they begin. The lines of a string in triple quotation marks are entered under its key,
    numbered from 0.
    """
    scanner = _Scanner(text)
    scanner.document()
    return scanner.found


def comments(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield every comment of a valid TOML text: its line and column, both from 0, and the comment with its `#`."""
    for lexeme in _LEXEME.finditer(text):
        if lexeme[0].startswith("#"):
            start = text.rfind("\n", 0, lexeme.start()) + 1
            yield text.count("\n", 0, start), lexeme.start() - start, lexeme[0].rstrip()


def unclosed(text: str) -> tuple[str, int]:
    """Return the innermost quotation mark or bracket that the text leaves open, and its line; ("", 0) if none is."""
    pending: list[tuple[str, int]] = []
    for lexeme in _LEXEME.finditer(text):
        mark = lexeme["mark"]
        if mark in _OPENS:
            if pending and pending[-1][0] == _OPENS[mark]:
                pending.pop()
        elif mark:
            pending.append((mark, lexeme.start()))
            if mark not in "[{":
                break
    mark, at = pending[-1] if pending else ("", -1)
    return mark, text.count("\n", 0, at) + 1 if mark else 0


def statement_line(text: str, line: int, column: int) -> int:
    """Return the line on which the header or key-value pair begins that ends at this position (both from 1).

    `tomllib` reports a key that stands twice at the end of its value, which may be many lines below the key.
    """
    end = sum(len(one) + 1 for one in text.split("\n")[: line - 1]) + column - 1
    return _Scanner(text).document(end)


class _Scanner:
    """One pass over a valid TOML text, which notes the line of each key path."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.counted, self.line_there = 0, 1
        self.found: dict[KeyPath, int] = {}
        self.defined: set[KeyPath] = set()
        """The paths with a header or a value of their own, not just named on the way to another one."""
        self.rows: dict[KeyPath, int] = {}
        """The index of the last row of each array of tables."""

    def document(self, end: int | None = None) -> int:
        """Scan headers and key-value pairs up to a position, or the whole text; return the line of the last one."""
        table: KeyPath = ()
        line = 1
        end = len(self.text) if end is None else end
        while self.space() < end:
            line = self.line()
            if self.text[self.at] == "[":
                table = self.header()
            else:
                self.pair(table)
        return line

    def header(self) -> KeyPath:
        """Scan `[key]` or `[[key]]`; return the path of the table that it begins."""
        line, array = self.line(), self.text.startswith("[[", self.at)
        self.at += 1 + array
        path: KeyPath = ()
        for key in self.key():
            path = (*path, self.rows[path], key) if path in self.rows else (*path, key)
        self.at += 1 + array
        self.note(path, line)
        if array:
            self.rows[path] = self.rows.get(path, -1) + 1
            path = (*path, self.rows[path])
            self.note(path, line)
        return path

    def pair(self, table: KeyPath) -> None:
        """Scan `key = value`."""
        line = self.line()
        path = (*table, *self.key())
        self.note(path, line)
        self.at += 1  # the equals sign
        self.value(path)

    def key(self) -> list[str]:
        """Scan a dotted key and the space behind it; return its parts."""
        parts: list[str] = []
        while not parts or self.text[self.at] == ".":
            self.at += bool(parts)
            self.space()
            if plain := _BARE_KEY.match(self.text, self.at):
                parts.append(plain[0])
                self.at = plain.end()
            else:
                parts.append(tomllib.loads(f"key = {self.taken(_STRING)}")["key"])
            self.space()
        return parts

    def value(self, path: KeyPath) -> None:
        """Scan a value, with what lies in it."""
        self.space()
        start = self.text[self.at]
        if start == "[":
            self.at += 1
            index = 0
            while not self.closes("]"):
                self.note((*path, index), self.line())
                self.value((*path, index))
                index += 1
        elif start == "{":
            self.at += 1
            while not self.closes("}"):
                self.pair(path)
        elif self.text.startswith(('"""', "'''"), self.at):
            self.long_string(path)
        else:
            self.taken(_STRING if start in "\"'" else _BARE_VALUE)

    def closes(self, mark: str) -> bool:
        """Pass a comma, if there is one; return whether the list or table ends here, and pass its end."""
        self.space()
        if self.text[self.at] == ",":
            self.at += 1
            self.space()
        if self.text[self.at] != mark:
            return False
        self.at += 1
        return True

    def long_string(self, path: KeyPath) -> None:
        """Scan a string in triple quotation marks; note each line of its content."""
        line, literal = self.line(), self.text[self.at] == "'"
        content = self.taken(_STRING)[3:-3]
        first = re.match(r"\r?\n", content)
        line += bool(first)
        number = 0
        self.note((*path, number), line)
        for found in _LINE_BREAK.finditer(content, first.end() if first else 0):
            joined, escape = (not literal and bool(found[kind]) for kind in ("joined", "escape"))
            line += found[0].count("\n")
            if escape or ("\n" in found[0] and not joined):
                number += 1
                self.note((*path, number), line)

    def note(self, path: KeyPath, line: int) -> None:
        """Note a path, and those above it unless they are known."""
        for length in range(1, len(path)):
            self.found.setdefault(path[:length], line)
        if path not in self.defined:
            self.defined.add(path)
            self.found[path] = line

    def taken(self, pattern: re.Pattern[str]) -> str:
        """Pass what matches here and return it."""
        match = pattern.match(self.text, self.at)
        assert match, f"no valid TOML at {self.at}"
        self.at = match.end()
        return match[0]

    def space(self) -> int:
        """Pass white space, line ends and comments; return the position."""
        match = _SPACE.match(self.text, self.at)
        assert match
        self.at = match.end()
        return self.at

    def line(self) -> int:
        """Return the line of the position."""
        self.line_there += self.text.count("\n", self.counted, self.at)
        self.counted = self.at
        return self.line_there
