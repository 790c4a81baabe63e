"""Tests that every printed text exists in both languages with equal placeholders, and that fonts have all glyphs."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from generator import games
from generator.localization import joined
from generator.model.words import Words
from generator.press.pdf import fonts

ROOT = Path(__file__).resolve().parent.parent
FILES = sorted((ROOT / "data").rglob("*.toml"))
LANGS = {"en", "ja"}
JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")


def words(value: object, keys: str = "") -> Iterator[tuple[str, dict[str, str]]]:
    """Yield every table with at least one language, with the path to the table."""
    if isinstance(value, dict):
        if LANGS & value.keys():
            yield keys, {key: inner for key, inner in value.items() if isinstance(inner, str)}
        else:
            for key, inner in value.items():
                yield from words(inner, f"{keys}.{key}")
    elif isinstance(value, list):
        for number, inner in enumerate(value, 1):
            yield from words(inner, f"{keys}[{number}]")


def texts(path: Path) -> list[tuple[str, dict[str, str]]]:
    return list(words(tomllib.loads(path.read_text(encoding="utf-8"))))


def test_there_is_something_to_test() -> None:
    assert sum(len(texts(path)) for path in FILES) > 300


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_both_languages_say_the_same(path: Path) -> None:
    for where, text in texts(path):
        assert set(text) == LANGS, f"{where}: {sorted(text)}"
        holes = [sorted(set(re.findall(r"\{\w*\}", text[lang]))) for lang in ("en", "ja")]
        assert holes[0] == holes[1], f"{where}: {holes}"
        assert bool(text["en"].strip()) == bool(text["ja"].strip()), f"{where}: one of them is empty"


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_english_holds_no_japanese(path: Path) -> None:
    for where, text in texts(path):
        assert not JAPANESE.search(text["en"]), f"{where}: {text['en']}"


READ_IN_JAPANESE = [*FILES, ROOT / "README.ja.md", *sorted((ROOT / "docs").rglob("*.ja.md"))]
PROGRAMS = "Muster|Shapely|Python|Linux|Windows|macOS|Excel|Tiled|MegaMek|Dask"
ABBREVIATIONS = "PDF|CSV|JSON|TOML|XML|HTML|YAML|RTF|ZIP|TRF16|PNG|SVG|GIF|QR"
LETTER = r"[ぁ-んァ-ヶー一-龠々]"
ILL_SPACED = re.compile(
    rf"(?<![A-Za-z])(?:{PROGRAMS}){LETTER}|{LETTER}(?:{PROGRAMS})(?![A-Za-z])"
    rf"|(?<![\w./-])(?:{ABBREVIATIONS}) {LETTER}"
)
OTHER_WORDS = {
    "対局": "対戦",
    "棋譜": "対戦の記録",
    "卓札": "卓カード",
    "封建徴募": "徴兵トークン",
    "このマシン": "このコンピューター",
    "ハウスマップ": "独自マップ",
    "ハウスデッキ": "独自デッキ",
}
"""Words that once stood in a few Japanese texts for a thing that all others call by the second word."""


def japanese_lines(path: Path) -> Iterator[str]:
    for line in path.read_text(encoding="utf-8").splitlines():
        if path.suffix == ".md" or not line.lstrip().startswith("#"):
            yield line


@pytest.mark.parametrize("path", READ_IN_JAPANESE, ids=lambda p: str(p.relative_to(ROOT)))
def test_japanese_is_spaced_and_named_in_one_way(path: Path) -> None:
    for line in japanese_lines(path):
        assert not ILL_SPACED.search(line), line
        assert not [word for word in OTHER_WORDS if word in line], line


def test_the_rule_on_spaces_finds_both_faults() -> None:
    assert all(map(ILL_SPACED.search, ("Musterの形式", "付属のMuster", "PDF ファイル")))
    assert not ILL_SPACED.search("Muster の形式。PDFファイル、MusterKit、`a.csv` の行")


def test_japanese_quotes_what_was_typed_in_its_own_marks() -> None:
    ours = tomllib.loads((ROOT / "data" / "messages.toml").read_text(encoding="utf-8"))["ours"]
    assert [ja for ja in ours.values() if "!r}" in ja] == []


def test_lists_are_joined_with_the_commas_of_each_language() -> None:
    text = Words("absent: {names}; {rest}", "欠席：{names}。{rest}").fill(names=["Sato", "Ito"], rest=joined((1, 2)))
    assert (text.en, text.ja) == ("absent: Sato, Ito; 1, 2", "欠席：Sato、Ito。1、2")


@pytest.mark.parametrize(("lang", "coverage"), [("en", "en"), ("ja", "ja")])
def test_every_glyph_is_there(lang: str, coverage: str) -> None:
    fonts.register("ja" if coverage == "ja" else "en")
    for path in FILES:
        for where, text in texts(path):
            assert not fonts.missing_characters(text[lang]), (
                f"{path.name} {where}: {fonts.missing_characters(text[lang])}"
            )


def test_templates_contain_no_words() -> None:
    """Templates print text from data/ or from the view. Between tags there are only symbols."""
    for path in (ROOT / "templates").rglob("*.xml"):
        # Remove Jinja's expressions first, because a comparison inside an expression does not end a tag.
        plain = re.sub(r"\{[{%#].*?[}%#]\}", " ", path.read_text(encoding="utf-8"), flags=re.S)
        between_tags = re.sub(r"<[^>]*>", " ", plain)
        found = re.findall(r"[^\W_]+", between_tags)
        assert not found, f"{path.name}: {found}"


@pytest.mark.parametrize("name", games.names())
def test_every_choice_of_an_option_has_a_label_in_both_languages(name: str) -> None:
    game = games.load(name)
    for option in game.options:
        for word, label in game.option_labels(option).items():
            if not re.fullmatch(r"[\dx]+|[A-Z]\d?", word):
                assert label.en and label.ja not in (word, label.en), (option.name, word)
                assert "_" not in label.en + label.ja
