"""Tests for the documentation page about restyling a sheet. Its example prints, and it lists everything available."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from generator.errors import DataError
from generator.model.views import Kit
from generator.model.words import LANGS, Lang
from generator.press.book import print_kit
from generator.press.check.preflight import preflight
from generator.press.layout import markup
from generator.press.layout.markup import BLOCKS, INLINE, PARTS
from generator.press.layout.print_settings import PrintSettings
from generator.press.sandbox import environment, sandbox
from generator.press.sandbox.templates import replaced_templates
from tests.press.kits import kit_of

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "templates.md").read_text(encoding="utf-8")
PAGES = {"en": PAGE, "ja": (DOCS / "templates.ja.md").read_text(encoding="utf-8")}


def example() -> str:
    (found,) = (text for text in re.findall(r"```xml\n(.*?)```", PAGE, re.DOTALL) if "{% extends" not in text)
    return str(found)


def restyled(folder: Path, source: str) -> Path:
    (folder / "battlelore").mkdir()
    (folder / "battlelore" / "record.xml").write_text(source, encoding="utf-8")
    return folder


def records() -> Kit:
    return kit_of("call_to_arms").only(["records"])


@pytest.mark.parametrize("lang", LANGS)
def test_the_pages_example_prints_and_is_in_order(lang: Lang, tmp_path: Path) -> None:
    folder = restyled(tmp_path, example())
    assert replaced_templates(folder) == ["battlelore/record.xml"]
    pdf = print_kit(records(), PrintSettings(lang, templates=(folder,), fillable=True))
    assert preflight(pdf, "a4", lang) == []
    assert pdf != print_kit(records(), PrintSettings(lang, fillable=True))


@pytest.mark.parametrize(
    ("right", "wrong", "wanted"),
    [
        ("<boxes", "<boxs", r"record\.xml:14: <boxs> is not a known tag \(did you mean boxes\?\)"),
        (
            "row.figures",
            "row.figrues",
            r"record\.xml:14: 'dict object' has no attribute 'figrues' \(did you mean figures",
        ),
        ("{{ order }}", "{{ q }}", r"record\.xml:2: 'q' is undefined \(accepted: banners, .*, order, .*, w\)"),
        ("{{ order }}", "{{ rows[0].q }}", r"record\.xml:2: 'dict object' has no attribute 'q' \(accepted: dice, fi"),
        (
            'size="6"',
            'siz="6"',
            r'record\.xml:14: <boxes> has no attribute "siz" \(accepted: n, size, group, align, quiet, name, alt\)',
        ),
    ],
)
def test_a_typo_is_reported_as_documented(right: str, wrong: str, wanted: str, tmp_path: Path) -> None:
    folder = restyled(tmp_path, example().replace(right, wrong))
    with pytest.raises(DataError, match=f"^{re.escape(str(folder))}/battlelore/{wanted}"):
        print_kit(records(), PrintSettings("en", templates=(folder,)))


@pytest.mark.parametrize("lang", LANGS)
def test_the_page_names_every_tag_attribute_filter_and_limit(lang: Lang) -> None:
    page = PAGES[lang]
    plain = re.sub("```.*?```", "", page, flags=re.DOTALL)
    words_on_page = set(re.findall(r"[A-Za-z0-9]+", " ".join(re.findall("`([^`]+)`", plain))))
    tags = {**BLOCKS, **INLINE, **PARTS}
    assert {*tags, *(attribute for attributes in tags.values() for attribute in attributes)} <= words_on_page
    assert {*environment.FILTERS, *environment.GLOBALS} <= words_on_page
    limits = {
        f"{sandbox.LIMITS.seconds:g} seconds": f"{sandbox.LIMITS.seconds:g}秒",
        f"{sandbox.LIMITS.memory} MB": f"{sandbox.LIMITS.memory} MB",
        f"{environment.MAX_BYTES // 1024:,} KiB": f"{environment.MAX_BYTES // 1024:,} KiB",
        f"{markup.MAX_CHARACTERS:,} characters": f"{markup.MAX_CHARACTERS:,}文字",
        f"{markup.MAX_PARAGRAPH:,} in a paragraph": f"1段落は{markup.MAX_PARAGRAPH:,}文字",
        f"{markup.MAX_WORD:,} in a word": f"1語は{markup.MAX_WORD:,}文字",
        f"{markup.MAX_ELEMENTS:,} elements": f"要素は{markup.MAX_ELEMENTS:,}個",
        f"{markup.MAX_DEPTH} deep": f"入れ子は{markup.MAX_DEPTH}段",
    }
    assert [limit for limit in (limits if lang == "en" else limits.values()) if limit not in page] == []
