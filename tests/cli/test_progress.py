"""Tests for the progress shown in a terminal during long work."""

from __future__ import annotations

import io
import json
import os
import sys

import pytest

from generator.cli import console as telling
from generator.cli.console import ProgressLine, json_text


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def printed_progress(monkeypatch: pytest.MonkeyPatch, stream: io.StringIO, columns: int = 80) -> list[str]:
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(telling, "get_terminal_size", lambda: os.terminal_size((columns, 24)))
    with ProgressLine() as terminal:
        terminal("page 1 of 4", 0.25)
        terminal("page 1 of 4", 0.25)
        terminal("4 / 4 ページ", 1.0)
        terminal("done")
    return stream.getvalue().split("\r\x1b[K")[1:]


def test_a_bar_grows_and_is_wiped(monkeypatch: pytest.MonkeyPatch) -> None:
    assert printed_progress(monkeypatch, Terminal()) == [
        "[#####...............]  25 % page 1 of 4",
        "[####################] 100 % 4 / 4 ページ",
        "done",
        "",
    ]


def test_it_keeps_to_the_terminal_s_width(monkeypatch: pytest.MonkeyPatch) -> None:
    _, line, _, _ = printed_progress(monkeypatch, Terminal(), 40)
    assert line.endswith("4 / 4 ペー")


def test_no_progress_is_shown_without_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    assert printed_progress(monkeypatch, io.StringIO()) == []


@pytest.mark.parametrize("unicode", [True, False])
def test_json_agrees_with_the_json_module(unicode: bool) -> None:
    """The values include half a surrogate pair, which a file name may contain."""
    values: list[object] = [
        None,
        True,
        1 << 70,
        -0.5,
        1e300,
        'a"\\\n\x00無😀',
        "\udc80",
        [],
        {},
        [[], {"": {"x": ["1", {}]}}],
        (),
    ]
    for value in (*values, values, {"all": values}):
        assert json_text(value, unicode) == json.dumps(value, ensure_ascii=not unicode, indent=2) + "\n"
