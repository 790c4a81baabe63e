"""Tests for consistent terms, one style per page, and no machine syntax in print (docs/wording.md)."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from generator.model.words import COUNTED, Words
from tests.paper import PRODUCTS, pages
from tests.test_words import FILES, texts, words

ROOT = Path(__file__).resolve().parent.parent
TERMS = tomllib.loads((ROOT / "tests" / "wording.toml").read_text(encoding="utf-8"))["term"]
JAPANESE = r"[ぁ-んァ-ヶー一-龥々]"
PAPER = [pytest.param(name, what, id=f"{name} {what}") for name, every in PRODUCTS.items() for what in every]
NUMBERS = {"n", "m", "have", "want", "least", "most", "limit", "count", "size", "of", "left"}
NUMBERS |= {"points", "turns", "rows", "columns", "tables", "pages", "levels", "banners", "hand", "cards", "boxes"}
NUMBERS |= {"foot", "mounted", "dice", "rounds", "hands", "reserves", "pennant", "standard", "distance", "legs"}
"""Placeholders for numbers."""
NO_NOUNS = {"across", "as", "awaits", "belongs", "bonus", "comes", "counts", "ends", "has", "is"}
NO_NOUNS |= {"leads", "leaves", "needs", "stands", "starts", "unless", "was", "wins"}
POLITE = re.compile(r"(?:です|ます|ません|ました|ください)[。（、]")
PLAIN = re.compile(r"(?:(?<![でま])す|[るくつぬむう]|[したっいん]だ|(?<!ま)した|[っい]た|ない|よい)。")


def game_of(path: Path) -> str:
    """Return the game to which a data file belongs, or the file's name for shared data."""
    return path.relative_to(ROOT / "data").parts[0]


def forbidden_words(game: str) -> list[str]:
    """Return the words that must not occur in a game."""
    return [word for term in TERMS if game in term.get("games", [game]) for word in term["never"]]


def squeezed(text: str) -> str:
    return re.sub(r"\s", "", text)


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_data_calls_a_thing_by_its_name(path: Path) -> None:
    for where, text in texts(path):
        wrong = [word for word in forbidden_words(game_of(path)) if word in text["ja"]]
        assert not wrong, f"{where}: {wrong} in {text['ja']}"


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_rules_are_checked_and_sight_is_verified(path: Path) -> None:
    """検査 is the check against the rules. 検証 is the verification of reported sight by a second method."""
    for where, text in texts(path):
        of_sight = re.search("視線|射線|相違", text["ja"])
        assert "検証" not in text["ja"] or of_sight, f"{where}: {text['ja']}"


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_japanese_punctuation_is_full_width(path: Path) -> None:
    """Brackets, colons, semicolons and waves are full-width in Japanese, except in text to type."""
    for where, text in texts(path):
        japanese = re.sub(r"muster [a-z].*|`[^`]*`", "", text["ja"])
        wrong = re.findall(rf"[()；]|～|{JAPANESE}[:!?]|[:!?]{JAPANESE}|{JAPANESE}[,.]\s", japanese)
        assert not wrong, f"{where}: {wrong} in {text['ja']}"


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_nouns_after_one_are_singular(path: Path) -> None:
    """Every noun after a number in English agrees with the number (`COUNTED`)."""
    for where, text in texts(path):
        names = re.findall(r"\{([a-z_]\w*)\}", text["en"])
        text_en = text["en"] if re.search(r"\{\d", text["en"]) else counted(text["en"], names)
        wrong = [s for s in re.findall(r"(?<!× )\b1 ([a-z]+s|dice)\b", text_en) if s not in NO_NOUNS]
        assert not wrong, f"{where}: {text_en}"


def test_no_sentence_occurs_twice() -> None:
    """Sheets and rules may phrase the same fact differently, and short labels may be repeated."""
    found: dict[str, set[str]] = {}
    for path in FILES:
        for where, text in texts(path):
            if len(text["en"].split()) > 12:
                found.setdefault(f"{game_of(path)}: {text['en']}", set()).add(f"{path.name}{where}")
    again = {text: places for text, places in found.items() if len(places) > 1}
    assert not again


def counted(text: str, names: list[str]) -> str:
    """Return the text with 1 for every number."""
    return Words(text, "").fill(**{name: 1 if name in NUMBERS else "…" for name in names}).en


def test_numbers_agree() -> None:
    template = Words("{n} victory banners, {m} units; {columns} × {rows} boards", "{n}本、{m}個、{columns}×{rows}")
    assert template.fill(n=1, m=2, columns=2, rows=1).en == "1 victory banner, 2 units; 2 × 1 boards"
    assert template.fill(n=11, m=1, columns=1, rows=2).en == "11 victory banners, 1 unit; 1 × 2 boards"
    assert Words("{n} dice", "").fill(n=1).en == "1 die"
    assert all(many != one for many, one in COUNTED.items())


@pytest.mark.parametrize(("name", "what"), PAPER)
def test_paper_calls_a_thing_by_its_name(name: str, what: str) -> None:
    for number, page in enumerate(pages(name, what, "ja"), 1):
        wrong = [word for word in forbidden_words(name) if word in squeezed(page)]
        assert not wrong, f"page {number}: {wrong}"


@pytest.mark.parametrize(("name", "what"), PAPER)
def test_each_page_is_polite_or_plain(name: str, what: str) -> None:
    """Rules use である and instructions use です・ます. No page mixes them."""
    for number, page in enumerate(pages(name, what, "ja"), 1):
        text = squeezed(page)
        polite = [text[max(0, m.start() - 20) : m.end()] for m in POLITE.finditer(text)]
        plain = [text[max(0, m.start() - 20) : m.end()] for m in PLAIN.finditer(text)]
        assert not (polite and plain), f"page {number}: {min(polite, plain, key=len)[:5]}"


@pytest.mark.parametrize(("name", "what"), PAPER)
def test_paper_bears_no_machine_syntax(name: str, what: str) -> None:
    for lang in ("en", "ja"):
        for number, page in enumerate(pages(name, what, lang), 1):
            wrong = re.findall(
                r"\b\w+\d+>\w+\d+|\b\w+/(?:standard|pennant)\b|\b[a-z]+_[a-z]+\b(?!\.)", without_typed_text(page)
            )
            assert not wrong, f"{lang}, page {number}: {wrong}"


@pytest.mark.parametrize(("name", "what"), PAPER)
def test_japanese_paper_has_brackets_of_one_width(name: str, what: str) -> None:
    for number, page in enumerate(pages(name, what, "ja"), 1):
        wrong = re.findall(
            rf".{{,9}}(?:{JAPANESE} ?[()]|[()] ?{JAPANESE}|\d ?\(\d+\)).{{,9}}", without_typed_text(page)
        )
        assert not wrong, f"page {number}: {wrong}"


@pytest.mark.parametrize(("name", "what"), PAPER)
def test_english_paper_counts_right(name: str, what: str) -> None:
    for number, page in enumerate(pages(name, what, "en"), 1):
        wrong = re.findall(rf"(?<![\d×:–.+−-] )(?<![\d.–+−-])\b1 (?:{'|'.join(COUNTED)})\b", page)
        assert not wrong, f"page {number}: {wrong}"


def without_typed_text(page: str) -> str:
    """Return a page without text to type, such as commands, file names, and rulings as options."""
    page = re.sub(r"[\[［]\s*\w+\s*=[^\]］]*[\]］]", "", page)
    return re.sub(
        r"muster [a-z][^。．（）\n]*(?:\n[^。．（）\n]*--[^。．（）\n]*)*|[\w/]+\.(?:toml|json|pdf)", "", page
    )


def test_terms_agree_with_the_documentation() -> None:
    """docs/wording.md lists every term in both languages."""
    page = (ROOT / "docs" / "wording.md").read_text(encoding="utf-8")
    missing = [f"{t['ja']} / {t['en']}" for t in TERMS if t["ja"] not in page or t["en"] not in page]
    assert not missing


def test_words_are_found() -> None:
    assert list(words({"a": [{"en": "b", "ja": "c"}]})) == [(".a[1]", {"en": "b", "ja": "c"})]


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_ranges_use_one_sign(path: Path) -> None:
    """A range is written as 1〜5 with U+301C, as docs/wording.md requires.

    A search for this sign does not find the similar wide tilde.
    """
    assert "\uff5e" not in path.read_text("utf-8")
