"""Tests that docs/figures.md is the page that the benchmarks write."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bench.figure import Figure
from bench.report import NOTES, page

PAGE = (Path(__file__).parents[1] / "docs" / "figures.md").read_text("utf-8")
FIGURE = Figure("a plain map page", 1.0, "protograf", 250.0, "times as fast", 100.0)


def without_table(text: str) -> str:
    """Return a page without the lines of its table."""
    return "\n".join(line for line in text.splitlines() if not line.startswith("|"))


def test_the_text_of_the_page_is_the_one_that_is_written() -> None:
    """If the page is written again, only its table changes."""
    assert without_table(PAGE) == without_table(page([FIGURE], []))


def test_a_written_page_contains_the_figures() -> None:
    assert "| a plain map page | protograf     | 250 × | ≥ 100 × | met     |" in page([FIGURE], []).splitlines()


@pytest.mark.parametrize("heavy", [["numpy"], ["numpy", "shapely"]])
def test_a_written_page_names_libraries_that_should_not_be_imported(heavy: list[str]) -> None:
    text = " ".join(page([FIGURE], heavy).split())
    assert f"`muster --help` imports {', '.join(heavy)}, but should import none of numpy" in text


def test_every_row_of_the_page_is_explained() -> None:
    explained = re.findall(r"\*\*(.+?)\*\*", NOTES)
    rows = [line.split("|")[1].strip() for line in PAGE.splitlines() if line.startswith("| ")][1:]
    assert len(rows) > 20
    assert [row for row in rows if not any(name in row for name in explained)] == []
