"""Tests that the Japanese pages of file formats name every key, command and value of the English pages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PAGES = sorted((Path(__file__).parents[1] / "docs" / "formats").glob("*.ja.md"))


def code(page: Path) -> set[str]:
    """Return the code within the sentences and tables of a page."""
    prose = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.S | re.M)
    return {" ".join(span.split()) for span in re.findall(r"`([^`]+)`", prose)}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_japanese_page_names_all_that_the_english_page_names(page: Path) -> None:
    english = code(page.with_name(page.name.replace(".ja.md", ".md")))
    assert {span for span in english if span.isascii()} - code(page) == set()
