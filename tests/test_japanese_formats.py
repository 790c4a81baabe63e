"""Tests that the Japanese pages of file formats have the same examples and table rows as the English pages."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

FORMATS = Path(__file__).parents[1] / "docs" / "formats"
PAGES = sorted(FORMATS.glob("*.ja.md"))
CODE = r"`([^`\n]+)`"


def english(page: Path) -> Path:
    return page.with_name(page.name.replace(".ja.md", ".md"))


def blocks(page: Path, kind: str) -> list[str]:
    """Return the code blocks of a kind, such as `toml`, or those without a kind."""
    return [
        code for of, code in re.findall(r"^```(\w*)\n(.*?)^```$", page.read_text("utf-8"), re.S | re.M) if of == kind
    ]


def rows(page: Path) -> list[list[list[str]]]:
    """Return the code in each cell of each table row, without code in Japanese."""
    lines = re.findall(r"^\|(.*)\|$", page.read_text("utf-8"), re.M)
    return [
        [[code for code in re.findall(CODE, cell) if code.isascii()] for cell in line.split(" | ")] for line in lines
    ]


def prose(page: Path) -> str:
    return re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.S | re.M)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_examples_have_the_same_values(page: Path) -> None:
    """Only comments differ, so the tests that read the English examples apply to the Japanese examples too."""
    found, expected = (
        [tomllib.loads(re.sub(r" +# .*", "", code)) for kind in ("toml", "text") for code in blocks(of, kind)]
        for of in (page, english(page))
    )
    assert found == expected


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_tables_have_the_same_rows_and_code(page: Path) -> None:
    found, expected = rows(page), rows(english(page))
    assert len(found) == len(expected)
    for row, of in zip(found, expected, strict=True):
        assert len(row) == len(of)
        assert row[0] == of[0]
        assert {code for cell in of for code in cell} <= {code for cell in row for code in cell}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_sentences_name_the_same_keys_commands_and_values(page: Path) -> None:
    found, expected = (
        {" ".join(code.split()) for code in re.findall(r"`([^`]+)`", prose(of))} for of in (page, english(page))
    )
    assert {code for code in expected if code.isascii()} - found == set()
