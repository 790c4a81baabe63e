"""Tests that only legible names are accepted."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.errors import WrongUsageError
from generator.notation.text import clean_name, command, file_name_fault, name_fault, visible


@pytest.mark.parametrize("name", ["x" * 80, "Saint Ivo's Weir", "関ヶ原の戦い", "<b>&</b>", "../../x", "con"])
def test_names(name: str) -> None:
    assert name_fault(name) == ""


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("", "is empty"),
        (" \u3000", "is empty"),
        ("x" * 81, "is longer than 80 characters"),
        ("a\nb", "U+000A"),
        ("a\x1b[31m", "U+001B"),
        ("a\u202eb", "U+202E"),
        ("a\u2066b", "U+2066"),
        ("a\u200bb", "U+200B"),
        ("a\ufeffb", "U+FEFF"),
        ("a\u2028b", "U+2028"),
        ("a\ud800b", "U+D800"),
        ("a\ue000b", "U+E000"),
    ],
)
def test_no_names(name: str, fault: str) -> None:
    assert fault in name_fault(name)


def test_a_name_is_composed_and_stripped() -> None:
    assert clean_name(" か\u3099 ", "--title") == "が"
    with pytest.raises(WrongUsageError, match="--title contains"):
        clean_name("a\u200bb", "--title")


@pytest.mark.parametrize("name", ["/x", "a/b", "a\\b", "..", ".", "", "a\0"])
def test_no_bare_file_names(name: str) -> None:
    assert file_name_fault(name)


def test_what_would_steer_a_terminal_is_spelt_out() -> None:
    assert visible("a\x1b[2Jb\u202e\tc\n日本") == "a\\u001b[2Jb\\u202e\\u0009c\n日本"


@pytest.mark.parametrize(
    ("file", "word"),
    [("-x.toml", "./-x.toml"), ("a b.toml", "'a b.toml'"), ("- x.toml", "'./- x.toml'"), ("-", "-"), ("/-x", "/-x")],
)
def test_a_command_with_a_file_works_when_it_is_pasted(file: str, word: str) -> None:
    assert command(["muster", "check", Path(file), "--lang"], {}) == f"muster check {word} --lang"
