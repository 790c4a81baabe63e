"""Find positions in TOML texts, such as the lines of keys, tables and list entries, and of unclosed marks.

`tomllib` returns values without positions. A text is scanned only after a fault was found in it, so valid files
take no additional time. Lines are counted from 1 and end with a line feed, as in TOML.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator

from generator.notation.validation import KeyPath

_LONG = r'"""(?:\\.|[^\\])*?"""(?:"{0,2})' + r"|'''.*?'''(?:'{0,2})"
# Up to two more quotation marks before the closing three belong to the string.
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

    The line of a table is that of its header, or otherwise the first line that names it. The line of an inline
    table or list entry is the line on which it begins. A string in triple quotation marks also has an entry for
    each of its lines, under its key and numbered from 0.
    """
    scanner = _Scanner(text)
    scanner.document()
    return scanner.found


def comments(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield each comment of a valid TOML text, including its `#`, with its line and column.

    Lines and columns are counted from 0. Each result consists of the line, the column and the comment.
    """
    for lexeme in _LEXEME.finditer(text):
        if lexeme[0].startswith("#"):
            start = text.rfind("\n", 0, lexeme.start()) + 1
            yield text.count("\n", 0, start), lexeme.start() - start, lexeme[0].rstrip()


def unclosed(text: str) -> tuple[str, int]:
    """Return the innermost unclosed quotation mark or bracket and its line, or ("", 0) if there is none."""
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
    """Return the line on which the header or key-value pair that ends at a position begins.

    Lines and columns are counted from 1. `tomllib` reports a duplicate key at the end of its value, which may be
    many lines after the key.
    """
    end = sum(len(one) + 1 for one in text.split("\n")[: line - 1]) + column - 1
    return _Scanner(text).document(end)


class _Scanner:
    """A scanner that reads a valid TOML text once and records the line of each key path."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.counted, self.line_there = 0, 1
        self.found: dict[KeyPath, int] = {}
        self.defined: set[KeyPath] = set()
        """The paths that have a header or a value, and do not only occur as a part of longer paths."""
        self.rows: dict[KeyPath, int] = {}
        """The index of the last row of each array of tables."""

    def document(self, end: int | None = None) -> int:
        """Scan headers and key-value pairs up to a position or the end, and return the line of the last one."""
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
        """Scan `[key]` or `[[key]]`, and return the path of the table that it begins."""
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
        """Scan a dotted key and the space after it, and return its parts."""
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
        """Scan a value and its contents."""
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
        """Skip a comma, if there is one, and return whether the list or table ends here. If it does, skip its end."""
        self.space()
        if self.text[self.at] == ",":
            self.at += 1
            self.space()
        if self.text[self.at] != mark:
            return False
        self.at += 1
        return True

    def long_string(self, path: KeyPath) -> None:
        """Scan a string in triple quotation marks, and record each line of its content."""
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
        """Record a path, and also the paths of its enclosing tables that are not yet known."""
        for length in range(1, len(path)):
            self.found.setdefault(path[:length], line)
        if path not in self.defined:
            self.defined.add(path)
            self.found[path] = line

    def taken(self, pattern: re.Pattern[str]) -> str:
        """Skip the text that matches a pattern here, and return it."""
        match = pattern.match(self.text, self.at)
        assert match, f"no valid TOML at {self.at}"
        self.at = match.end()
        return match[0]

    def space(self) -> int:
        """Skip white space, line ends and comments, and return the position."""
        match = _SPACE.match(self.text, self.at)
        assert match
        self.at = match.end()
        return self.at

    def line(self) -> int:
        """Return the line of the present position."""
        self.line_there += self.text.count("\n", self.counted, self.at)
        self.counted = self.at
        return self.line_there
