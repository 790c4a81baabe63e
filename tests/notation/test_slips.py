"""Tests that all mistyped keys and words are reported at once, each with its line and nearest match."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
import pytest

from generator.errors import DataError
from generator.notation.toml import Source

_Capital = Annotated[str, msgspec.Meta(pattern="^[A-Z]$", description="a capital letter")]


class _Row(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    kind: Literal["one", "two"] = "one"
    edge: Literal[3, 4] | None = None


class _File(msgspec.Struct, forbid_unknown_fields=True):
    rows: list[_Row] = []
    by: dict[str, _Row] = {}
    title: _Row | str = ""
    pair: tuple[str, _Row] | None = None
    free: dict[str, object] = {}
    few: Annotated[tuple[_Capital, ...], msgspec.Meta(max_length=3)] = ()
    word: Annotated[str, msgspec.Meta(min_length=2)] = "ab"
    size: int | None = None
    share: Annotated[float, msgspec.Meta(le=100)] = 0.0
    sure: bool = True
    many: dict[str, Annotated[int, msgspec.Meta(ge=1, le=9)]] = {}


def fault_lines(text: str) -> list[str]:
    with pytest.raises(DataError) as caught:
        Source("x.toml", text).read(_File)
    return caught.value.lines()


def test_every_typo_is_reported_with_its_line() -> None:
    text = """
title = { nam = "x" }
pair = ["a", { name = "y", kid = 1 }]
[[rows]]
name = "x"
kind = "tow"
edge = 5
[[rows]]
nmae = 1
[by.first]
name = "t"
knid = "e"
[by.second]
name = "t"
wholly = "other"
[free]
anything = { goes = "here" }
"""
    assert fault_lines(text) == [
        "x.toml:2: title.nam: unknown field (did you mean name?)",
        "x.toml:3: pair[2].kid: unknown field (did you mean kind?)",
        "x.toml:6: rows[1].kind: 'tow' is not valid (did you mean two?)",
        "x.toml:7: rows[1].edge: '5' is not valid (accepted: 3, 4)",
        "x.toml:9: rows[2].nmae: unknown field (did you mean name?)",
        "x.toml:12: by.first.knid: unknown field (did you mean kind?)",
        "x.toml:15: by.second.wholly: unknown field (accepted: name, kind, edge)",
    ]


def test_every_value_of_the_wrong_type_is_reported_in_musters_words() -> None:
    text = """
title = 5
few = ["a", "bc"]
pair = ["a"]
word = "q"
size = "five"
share = 101.0
sure = "yes"
many = { a = 0, b = 3, c = true }
by = [1]
[[rows]]
kind = 2
[[rows]]
name = 1
edge = "3"
"""
    assert fault_lines(text) == [
        "x.toml:2: title: expected a table or text in quotation marks ({ name = … })",
        "x.toml:3: few[1]: 'a' does not have the expected form (expected a capital letter)",
        "x.toml:3: few[2]: 'bc' does not have the expected form (expected a capital letter)",
        "x.toml:4: pair: has fewer than 2 entries",
        "x.toml:5: word: has fewer than 2 characters",
        "x.toml:6: size: expected a whole number, without quotation marks",
        "x.toml:7: share: 101.0 is too large (at most 100)",
        "x.toml:8: sure: expected true or false, without quotation marks",
        "x.toml:9: many.a: 0 is too small (give a value from 1 to 9)",
        "x.toml:9: many.c: expected a whole number",
        "x.toml:10: by: expected a table",
        "x.toml:11: rows[1]: `name` is missing",
        "x.toml:12: rows[1].kind: expected text in quotation marks (accepted: one, two)",
        "x.toml:14: rows[2].name: expected text in quotation marks",
        "x.toml:15: rows[2].edge: expected a whole number, without quotation marks (accepted: 3, 4)",
    ]
    assert fault_lines("[by]\nfirst = 'x'") == ["x.toml:2: by.first: expected a table ({ name = … })"]
    assert fault_lines("rows = 1") == [
        "x.toml:1: rows: expected a list in square brackets (start each entry with [[rows]])"
    ]
    assert fault_lines("few = ['A', 'B', 'C', 'D']") == ["x.toml:1: few: has more than 3 entries"]


def test_accepted_keys_are_not_typos() -> None:
    text = 'title = "plain"\nshare = 5\nword = "more"\nmany = { a = 1, b = 9 }\n[[rows]]\nname = "a"\nedge = 4'
    assert Source("x.toml", text).read(_File).share == 5.0


def test_a_very_long_key_is_abbreviated() -> None:
    (line,) = fault_lines(f"{'k' * 4000} = 1")
    assert len(line) < 200
