"""Tests that a fault in a TOML file is reported with its line."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from generator.errors import DataError
from generator.notation.toml import FILE_LIMIT, Source, read
from generator.notation.validation import KeyPath

TEXT = '''\
# a remark
name = "x"
size.wide = 3

[table]
"quoted key" = 1
text = """
name = "not a key"
[not a table]
"""
after = 2

[[card]]
key = "A1"

[[card]]
key = "A2"
[card.inner]
deep = 1

[rows]
units = [
  { hex = "A1" },
  # a remark between
  { hex = "A2" }, { hex = "A3" },
  { hex = "A4" },
]
last = 1
'''


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        (("name",), 2),
        (("size", "wide"), 3),
        (("table",), 5),
        (("table", "quoted key"), 6),
        (("table", "text"), 7),
        (("table", "after"), 11),
        (("card", 0, "key"), 14),
        (("card", 1), 16),
        (("card", 1, "key"), 17),
        (("card", 1, "inner", "deep"), 19),
        (("rows", "units"), 22),
        (("rows", "units", 0), 23),
        (("rows", "units", 1, "hex"), 25),
        (("rows", "units", 2), 25),
        (("rows", "units", 3), 26),
        (("rows", "last"), 28),
        (("table", "missing"), 5),
        (("missing",), 1),
    ],
)
def test_the_line_of_a_key(keys: KeyPath, line: int) -> None:
    assert Source("x.toml", TEXT).line(keys) == line


class _Card(msgspec.Struct):
    key: int


class _File(msgspec.Struct):
    card: list[_Card]


def test_a_value_of_the_wrong_kind(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_text("[[card]]\nkey = 1\n\n[[card]]\nkey = 'A2'\n", encoding="utf-8")
    with pytest.raises(DataError) as found:
        read(path, _File, "x.toml")
    assert str(found.value) == "x.toml:5: card[2].key: expected a whole number, without quotation marks"


def test_a_byte_order_mark_and_windows_line_ends_are_taken(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_bytes(b"\xef\xbb\xbf[[card]]\r\nkey = 1\r\n")
    assert read(path, _File).card == [_Card(1)]


def test_letters_typed_in_parts_are_composed() -> None:
    assert Source("x.toml", 'title = "Z\u030ciz\u030cka"').data == {"title": "Žižka"}


def test_a_file_of_just_1_mib_is_read(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_bytes(b"card = []\n" + b"#" * 1023 + b"\n")
    path.write_bytes(path.read_bytes() + b"\n" * (FILE_LIMIT - path.stat().st_size))
    assert read(path, _File).card == []


@pytest.mark.parametrize("rows", [". . . h h . . f . . . .", "~ o ~ . . f . . . h h", "a.b.c ... …"])
def test_drawn_rows_are_not_deep_keys(rows: str) -> None:
    text = "\n".join([rows] * 30)
    assert Source("x.toml", f'rows = """\n{text}\n"""').data == {"rows": text + "\n"}


def test_no_such_file(tmp_path: Path) -> None:
    for path in (tmp_path / "x", tmp_path, tmp_path / ("x" * 300), Path("a\0b")):
        with pytest.raises(DataError):
            Source.open(path)


@pytest.mark.parametrize(
    ("text", "line", "expected"),
    [
        ("a = 1\nhand = five\n", 2, "this is not a TOML value (put text in straight quotation marks"),
        ("a = 'x\nb = 1\n", 1, "a quotation mark is not closed"),
        ('a = "x\nb = 1\n', 1, "a quotation mark is not closed"),
        ('a = """x\nb = 1\n', 1, "a quotation mark is not closed"),
        ("units 5\n", 1, 'the = after a key is missing (write the line as key = "value"'),
        ("a = 5 hexes\n", 1, "this line has more than one value"),
        ("a = [1, 2\nb = 3\n", 2, "a list is not closed"),
        ("a = { b = 1\nc = 1\n", 1, "a { is not closed"),
        ("a = 1\na = 2\n", 2, "a key appears twice in one table"),
        ("[x]\n[x]\n", 2, "a table appears twice (to write several tables of one kind, begin each table with [[…]])"),
        ('a = "\\d"\n', 1, "the text contains an invalid \\"),
        ('a = "\\u1"\n', 1, "4 digits must follow \\u"),
        ("a = '\x01'\n", 1, "a character is not allowed here"),
        ("[x\n", 1, "the ] after the name of a table is missing"),
        ("= 3\n", 1, "a key cannot begin with this character"),
        ("first ＝ 1\n", 1, "the = after a key is missing (type = instead of the character ＝ (U+FF1D))"),
        (
            "first\u3000= 1\n",
            1,
            "the = after a key is missing (type a space instead of the character \u3000 (U+3000))",
        ),
        ("first\u00a0= 1\n", 1, "the = after a key is missing (type a space instead of"),
        ('a = "“x”"\nb = “five”\n', 2, 'this is not a TOML value (type " instead of the character “ (U+201C))'),
        ("x = { hex = 0707, b = 1 }\n", 1, 'a number cannot begin with 0 (write it as text: "0707")'),
        ("turns = ３\n", 1, "this is not a TOML value (type 3 instead of the character ３ (U+FF13))"),
    ],
)
def test_invalid_toml_is_reported_in_musters_words(text: str, line: int, expected: str) -> None:
    with pytest.raises(DataError) as found:
        Source("x.toml", text)
    assert str(found.value).startswith(f"x.toml:{line}: is not valid TOML: {expected}")
