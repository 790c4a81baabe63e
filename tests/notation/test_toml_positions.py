"""Tests that a fault in a TOML file is reported on its line, regardless of the formatting of the file."""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from generator.errors import DataError
from generator.notation import toml
from generator.notation.toml import Source
from generator.notation.toml_positions import key_lines, unclosed
from generator.notation.validation import KeyPath

SEEDS = range(400)
COMMENTS = ('# was """X"', "# '''", "# ]", "# { a = 1 }", "# key = [", "#", '# "', "# [[row]]", "# 日本 \\")
TEXTS = ("{", "}, {", "[", "]]", "# no comment", "a = 1", "it's", "\\\\", "日本", "", "=", ", ", "'''")


class Writer:
    """A writer of random valid TOML in which each value contains its line number.

    A number `1LLLLSSSS` is on line LLLL, and SSSS makes the number unique. The key `header` contains the line of
    its table's header instead. In long strings each line of the content contains `@L`, where L is the line number.
    """

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.parts: list[str] = []
        self.line, self.serial = 1, 0
        self.line_end = self.random.choice(["\n", "\r\n"])

    def put(self, text: str) -> None:
        self.parts.append(text)
        self.line += text.count("\n")

    def chance(self, share: float = 0.5) -> bool:
        return self.random.random() < share

    def blank(self) -> None:
        self.put(self.random.choice(["", "", " ", "\t", "  "]))

    def end_line(self) -> None:
        self.blank()
        if self.chance(0.3):
            self.put(self.random.choice(COMMENTS))
        self.put(self.line_end)

    def gap(self, lines: bool) -> None:
        """Write white space between the parts of a list."""
        self.blank()
        while lines and self.chance(0.4):
            self.end_line()
            self.blank()

    def name(self) -> tuple[str, str]:
        """Return a new key and its spelling in the file."""
        self.serial += 1
        plain = f"k{self.serial}"
        odd = plain + self.random.choice([".x", " = [", " # ", "{}", "日", "]", "[[a]]"])
        written = [plain, plain, f'"{plain}"', f"'{plain}'", f'"{odd}"', f"'{odd}'", f'"{plain}\\u0041\\""']
        return plain, self.random.choice(written)

    def dot(self) -> None:
        self.blank()
        self.put(".")
        self.blank()

    def number(self, line: int) -> None:
        self.serial += 1
        self.put(f"1{line:04d}{self.serial:04d}")

    def short_text(self) -> None:
        text = self.random.choice(TEXTS)
        literal = self.chance() and "'" not in text
        self.put(f"'{text}'" if literal else f'"{text}\\""')

    def long_text(self) -> None:
        literal = self.chance()
        quote = "'''" if literal else '"""'
        self.put(quote)
        if self.chance():
            self.put(self.line_end)
        for _ in range(self.random.randint(0, 4)):
            self.put(f"@{self.line} ")
            odd = ["[x]", "# x", "a = {", '"" x' if not literal else "'' \\ x", '"""' if literal else "''' \\\\"]
            self.put(self.random.choice(odd))
            if not literal and self.chance(0.2):
                self.put("\\" + self.random.choice(["", "  "]) + self.line_end + self.line_end + "  ")
            elif not literal and self.chance(0.2):
                self.put("\\n")
            else:
                self.put(self.line_end)
        self.put(f"@{self.line} " + self.random.choice(["", quote[0], quote[0] * 2]) + quote)

    def value(self, depth: int) -> None:
        kind = self.random.random()
        if kind < 0.4 or depth > 2:
            self.number(self.line)
        elif kind < 0.5:
            self.short_text()
        elif kind < 0.6:
            self.long_text()
        elif kind < 0.85:
            self.list_of_values(depth)
        else:
            self.inline_table(depth)

    def list_of_values(self, depth: int) -> None:
        self.put("[")
        count, over_lines = self.random.randint(0, 4), self.chance(0.7)
        for index in range(count):
            self.gap(over_lines)
            self.inline_table(depth) if self.chance() else self.value(depth + 1)
            self.gap(over_lines)
            if index < count - 1 or self.chance():
                self.put(",")
        self.gap(over_lines)
        self.put("]")

    def inline_table(self, depth: int) -> None:
        self.put("{")
        for index in range(self.random.randint(0, 3)):
            if index:
                self.blank()
                self.put(",")
            self.pair(depth + 1)
        self.blank()
        self.put("}")

    def pair(self, depth: int = 0) -> None:
        self.blank()
        self.put(self.name()[1])
        for _ in range(self.random.choice([0, 0, 0, 1] if depth else [0, 0, 0, 1, 2])):
            self.dot()
            self.put(self.name()[1])
        self.blank()
        self.put("=")
        self.blank()
        self.value(depth)

    def body(self, header: int = 0) -> None:
        """Write the pairs of a table whose header is on line `header`."""
        if header:
            self.put("header = ")
            self.number(header)
            self.end_line()
        for _ in range(self.random.randint(0, 4)):
            self.pair()
            self.end_line()
            while self.chance(0.2):
                self.end_line()

    def table(self, above: list[str], depth: int = 0) -> None:
        """Write a table or an array of tables, with other tables below it."""
        path = [*above, self.name()[1]]
        array = self.chance()
        header_last = not array and self.chance(0.3)  # the table's header follows the header of a subtable
        for _ in range(self.random.randint(1, 3) if array else 1):
            if not header_last:
                self.header(path, array)
            for _ in range(self.random.randint(0, 2) if depth < 2 else 0):
                self.table(path, depth + 1)
        if header_last:
            self.header(path, array)

    def header(self, path: list[str], array: bool) -> None:
        line = self.line
        self.blank()
        self.put("[[" if array else "[")
        for index, key in enumerate(path):
            if index:
                self.dot()
            self.put(key)
        self.blank()
        self.put("]]" if array else "]")
        self.end_line()
        self.body(line)

    def document(self) -> str:
        self.body()
        for _ in range(self.random.randint(0, 3)):
            self.table([])
        return "".join(self.parts)


def claims(value: Any, path: KeyPath = ()) -> Iterator[tuple[KeyPath, int]]:
    """Yield every path whose value contains its line number, with this number."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from [(path, line_told(inner))] if key == "header" else claims(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from claims(inner, (*path, index))
    elif isinstance(value, str):
        for number, content in enumerate(value.split("\n")):
            if found := re.match(r"@(\d+)", content):
                yield (*path, number), int(found[1])
    else:
        yield path, line_told(value)


def refusals(text: str) -> str:
    """Return the reports on a text read as a file, or "" if the text is accepted."""
    try:
        Source("x.toml", text)
    except DataError as error:
        return "\n".join(error.lines())
    return ""


def line_told(number: int) -> int:
    return int(str(number)[1:5])


@pytest.mark.parametrize("seeds", [SEEDS[n::8] for n in range(8)], ids=str)
def test_every_key_of_random_toml_has_its_line(seeds: range) -> None:
    count = 0
    for seed in seeds:
        text = Writer(seed).document()
        found = key_lines(text)
        for path, line in claims(tomllib.loads(text)):
            assert found[path] == line, (seed, path)
            count += 1
    assert count > 500


@pytest.mark.parametrize("seeds", [SEEDS[n::8] for n in range(8)], ids=str)
def test_a_fault_placed_at_random_is_reported_on_its_line(seeds: range) -> None:
    placed = 0
    for seed in seeds:
        text = Writer(seed).document()
        if re.search("nested too deeply", refusals(text)):
            continue  # this fault hides deeper faults
        numbers = re.findall(r"(?<!header = )\b1\d{8}\b", text)
        if not numbers:
            continue
        fault = random.Random(seed).choice(numbers)
        found = refusals(text.replace(fault, "nan"))
        assert re.fullmatch(rf"x\.toml:{line_told(int(fault))}: .*nan is not a number", found), seed
        placed += 1
    assert placed > 25


@pytest.mark.parametrize(
    ("text", "keys", "line"),
    [
        ("tiles = [{ a = 1 },\n\n { a = 2 },\n\n { a = 3 }]\n", ("tiles", 2, "a"), 5),
        ('caption = "x" # was """X"\nb = 1\nc = 2\n', ("c",), 3),
        ('rows = [\n { a = "{" },\n { a = "}, {" },\n { a = 1 },\n]\n', ("rows", 2), 4),
        ("rows = [\n 1,\n 2,\n 3,\n]\n", ("rows", 2), 4),
        ("rows = [[1,\n2],\n[3,\n4]]\n", ("rows", 1, 1), 4),
        ("[a.b]\nx = 1\n[a]\ny = 2\n", ("a", "lacking"), 3),
        ("[a.\"b.c\"]\nx = 1\n'd e'.f = 2\n", ("a", "b.c", "d e", "f"), 3),
        ('a = """\\\n  x\n  y"""\nb = 1\n', ("b",), 4),
        ("a = { b = [\n 1,\n 2 ], c = 3 }\n", ("a", "c"), 3),
        ("a = 1979-05-27 07:32:00\nb = 1\n", ("b",), 2),
        ("a = '\u2028'\nb = 1\n", ("b",), 2),
    ],
)
def test_the_line_of_a_key_that_is_hard_to_find(text: str, keys: KeyPath, line: int) -> None:
    scanned = key_lines(text)
    while keys not in scanned:
        keys = keys[:-1]
    assert scanned[keys] == line


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('a = "x" # """\nb = 1\nc = """x\nd = 1\n', 3),
        ("a = '''x'''\nb = '''\n# '''' no\n\n", 0),
        ("a = 1\nb = [ # ]\n 1,\n '[',\n\n", 2),
        ("a = 1\nb = [\n [1, 2],\n [3,\n\n", 4),
        ("a = 1\nb = [\n { c = 1 },\n", 2),
        ("a = 1\nb = [1,\n 2]\nb = [\n 1,\n 2,\n]\n", 4),
        ("a = 1\n[b]\nc = [\r\n 1,\r\n 2]\r\nc = [\r\n 1]\r\n", 6),
        ("a = 1\na.b = [\n 1,\n 2,\n]\n", 2),
    ],
)
def test_invalid_toml_is_refused_on_the_line_of_the_fault(text: str, line: int) -> None:
    if not line:
        assert unclosed(text) == ("", 0)
        return
    with pytest.raises(DataError) as refused:
        Source("x.toml", text)
    assert [problem.line for problem in refused.value.problems] == [line]


def test_a_key_that_no_reader_can_see_is_reported_on_its_line(tmp_path: Path) -> None:
    file = tmp_path / "x.toml"
    file.write_text('[a]\nb = 1\n"c\u200b" = 1\n', "utf-8")
    with pytest.raises(DataError) as refused:
        Source.open(file)
    assert [problem.line for problem in refused.value.problems] == [3]


def test_positions_are_computed_only_when_a_fault_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(text: str) -> dict[KeyPath, int]:
        raise AssertionError("no fault was reported")

    monkeypatch.setattr(toml, "key_lines", fail)
    file = tmp_path / "x.toml"
    file.write_text("a = [{ b = 1 }]\n", "utf-8")
    assert toml.read(file, dict[str, Any]) == {"a": [{"b": 1}]}
