"""Tests that TOML written by Muster reads back as the same values."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.notation import text
from generator.notation import text as emit

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
LEAVES = TEXTS | st.booleans() | st.floats(allow_nan=False) | st.integers(-(1 << 53), 1 << 53)
VALUES = st.recursive(
    LEAVES, lambda of: st.lists(of, max_size=3) | st.dictionaries(TEXTS, of, max_size=3), max_leaves=8
)


@given(st.dictionaries(TEXTS, VALUES, max_size=5))
def test_any_table_reads_back(table: dict[str, object]) -> None:
    assert tomllib.loads("\n".join(text.lines({"in": table}))) == {"in": table}


@given(TEXTS.map(lambda text: f"{text}\n"))
def test_any_lines_read_back(text: str) -> None:
    read: str = tomllib.loads("\n".join(emit.lines({"text": text})))["text"]
    assert read in (text, f"{text}\n")


def test_a_drawing_stands_as_it_is_drawn() -> None:
    assert emit.lines({"rows": ". h\n f ."}) == ['rows = """\n. h\n f .\n"""']


def test_what_has_no_form() -> None:
    with pytest.raises(TypeError, match="object"):
        emit.value(object())
