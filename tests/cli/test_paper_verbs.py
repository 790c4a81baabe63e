"""Tests for `muster reference` and `muster sheets`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.run import muster


@pytest.mark.parametrize(
    "args",
    [
        ("reference", "--only", "odds", "--lang", "en+ja"),
        ("sheets", "call_to_arms", "--only", "side,council", "--half", "--lang", "en"),
    ],
)
def test_it_writes_a_pdf_and_says_where(here: Path, args: tuple[str, ...]) -> None:
    done = muster(*args)
    assert (done.code, done.err) == (0, "")
    assert (here / done.out.strip()).read_bytes().startswith(b"%PDF-")


def test_a_wrong_part_gets_its_near_match(here: Path) -> None:
    done = muster("sheets", "--only", "campain")
    assert done.code == 2
    assert "campaign" in done.err
    assert not list(here.iterdir())
