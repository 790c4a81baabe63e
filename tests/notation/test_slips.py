"""Mistyped keys and words are all told at once, each with its line and near match."""

from __future__ import annotations

from typing import Literal

import msgspec
import pytest

from generator.errors import DataError
from generator.notation.toml import Source


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


def told(text: str) -> list[str]:
    with pytest.raises(DataError) as caught:
        Source("x.toml", text).read(_File)
    return caught.value.lines()


def test_every_slip_is_told_with_its_line() -> None:
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
    assert told(text) == [
        "x.toml:2: title.nam: unknown field (did you mean name?)",
        "x.toml:3: pair[2].kid: unknown field (did you mean kind?)",
        "x.toml:6: rows[1].kind: 'tow' is not known (did you mean two?)",
        "x.toml:7: rows[1].edge: '5' is not known (accepted: 3, 4)",
        "x.toml:9: rows[2].nmae: unknown field (did you mean name?)",
        "x.toml:12: by.first.knid: unknown field (did you mean kind?)",
        "x.toml:15: by.second.wholly: unknown field (accepted: name, kind, edge)",
    ]


def test_a_value_of_the_wrong_kind_is_no_slip() -> None:
    assert told('title = "plain"\n[[rows]]\nname = 1') == ["x.toml:3: rows[1].name: Expected `str`, got `int`"]
    assert told("rows = 1") == ["x.toml:1: rows: Expected `array`, got `int`"]
    assert told("[[rows]]\nkind = 'two'") == ["x.toml:1: rows[1]: lacks `name`"]


def test_a_very_long_key_is_told_in_short() -> None:
    (line,) = told(f"{'k' * 4000} = 1")
    assert len(line) < 200
