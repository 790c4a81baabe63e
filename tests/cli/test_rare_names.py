"""Tests for Japanese and Korean player names, which are printed or refused with advice."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pypdfium2
import pytest

from generator.model.words import Lang
from tests.cli.run import muster

GLYPHS = ["𠮷田 太郎", "김철수", "Ann Alder", "Bob Birch"]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def printed(pdf: Path) -> str:
    """Return the text of all pages of a PDF."""
    return "\n".join(page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(pdf))


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_tournament_prints_the_names_of_its_players(here: Path, lang: Lang, jobs: str) -> None:
    (here / "glyphs.csv").write_text("name\n" + "\n".join(GLYPHS) + "\n", encoding="utf-8")
    for words in (
        ("new", "battling", "--players", "glyphs.csv", "--rounds", "2", "-o", "cup", "--event", "鷗杯"),
        ("join", "cup", unicodedata.normalize("NFD", "이영희"), "葛󠄀城 邉󠄂"),
        ("pair", "cup"),
        ("pack", "cup", "--jobs", jobs),
    ):
        done = muster("tournament", *words, "--lang", lang)
        assert done.code == 0, done.err
    pages = printed(here / "cup" / "round-1" / "round-1.pdf")
    assert all(name in pages for name in (*GLYPHS, "이영희", "葛󠄀城 邉󠄂", "鷗杯"))
    assert muster("preflight", "cup/round-1/round-1.pdf").code == 0


@pytest.mark.parametrize(
    ("name", "says", "advises"),
    [
        (
            "😀 Smith",
            "contains '😀' (U+1F600), which none of the available fonts can print",
            "omit the symbol, or write it in words",
        ),
        ("สมชาย", "contains 'ส' (U+0E2A)", "use other characters"),
        ("Q\u0303ed", "contains the combining mark", "or omit the mark"),
        ("A\U000e0100nn", "contains the variation selector", "omit the variation selector"),
    ],
)
def test_a_name_that_does_not_print_is_refused_with_its_line_and_advice(
    here: Path, name: str, says: str, advises: str
) -> None:
    (here / "list.csv").write_text(f"name\nAnn\n{name}\n", encoding="utf-8")
    done = muster("tournament", "new", "battling", "--players", "list.csv", "--rounds", "1", "-o", "cup")
    assert (done.code, "list.csv:3: " in done.err, says in done.err, advises in done.err) == (3, True, True, True)
    assert not (here / "cup").exists()


@pytest.mark.parametrize(
    ("lang", "advice"), [("en", "omit the symbol, or write it in words"), ("ja", "省くか、言葉で")]
)
def test_a_title_that_does_not_print_is_refused_with_advice(here: Path, lang: str, advice: str) -> None:
    done = muster("kit", "battling", "--title", "😀", "--lang", lang)
    assert (done.code, "U+1F600" in done.err, advice in done.err) == (2, True, True), done.err


def test_a_title_prints_in_a_kit_and_as_pictures(here: Path) -> None:
    done = muster("kit", "battling", "--title", "鷗杯 김철수", "--parts", "cover", "-o", "kit")
    assert done.code == 0, done.err
    assert "鷗杯 김철수" in printed(here / "kit" / "kit.pdf")
    for kind in ("svg", "png"):
        done = muster("print", "kit/scenario.toml", "--format", kind, "-o", kind, "--force")
        assert done.code == 0, done.err
