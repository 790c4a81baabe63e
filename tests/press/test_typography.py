"""Tests for typographic characters, unbroken words and orders, and what identifies a page, in kits of every game."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

import msgspec
import pypdfium2
import pytest

from generator import games
from generator.model.scenario import Request
from generator.model.views import Kit, Poster
from generator.model.words import LANGS, Lang
from generator.press.book import print_kit
from generator.press.layout.english import EnglishParagraph, split_words
from generator.press.layout.japanese import break_lines
from generator.press.layout.line_breaks import tie_words, unbreakable_units
from generator.press.layout.markup import parse
from generator.press.layout.print_settings import PrintSettings
from generator.press.layout.styles import style
from generator.press.pdf import fonts
from generator.press.pdf.typography import typeset
from generator.press.runs import FootLine
from generator.rules import check
from generator.seeds import code_for

CODE = code_for(26)
COMMAND = re.compile(r"muster .*|--\w[\w-]* ?\S*|\S*\.(?:toml|pdf|json)\S*")


@pytest.mark.parametrize(
    ("keyboard", "typographic"),
    [
        ("the player's turn, both players' dice", "the player’s turn, both players’ dice"),
        ("-1 die (-2), +1/-1", "−1 die (−2), +1/−1"),
        ("ATM-09-ST, K7Q2M-9FHN4, 0502+6-2, 2026-11-28, H-1", "ATM-09-ST, K7Q2M-9FHN4, 0502+6-2, 2026-11-28, H-1"),
        ("and so on...", "and so on…"),
        ("ダイス-1、-2", "ダイス−1、−2"),
        ("--parts tokens -o FILE", "--parts tokens -o FILE"),
        ("'quoted'", "'quoted’"),
    ],
)
def test_marks_of_a_keyboard_become_typographic(keyboard: str, typographic: str) -> None:
    assert typeset(keyboard) == typographic == typeset(typographic)


def english(text: str, width: float) -> list[str]:
    fonts.register("en")
    node = parse(f"<sheet><para>{text}</para></sheet>", "test.xml").nodes()[0]
    paragraph = EnglishParagraph(split_words(node.children, style("para", "en")), style("para", "en"))
    paragraph.wrap(width, 1000)
    return ["".join(run for run, _, _ in line.runs) for line in paragraph.lines]


def test_a_command_stays_as_it_is_typed() -> None:
    assert english("It's <code>muster kit --plays 'a; b' ...</code>", 400) == ["It’s muster kit --plays 'a; b' ..."]


@pytest.mark.parametrize("width", range(24, 60, 4))
def test_a_word_is_broken_only_with_a_hyphen(width: int) -> None:
    *broken, last = english("Incomprehensibilities", width)
    assert broken and all(re.fullmatch(r"[A-Za-z]{2,}-", line) for line in broken)
    assert "".join(line[:-1] for line in broken) + last == "Incomprehensibilities"


def test_a_code_is_broken_without_a_hyphen() -> None:
    assert "".join(english("K7Q2M9FHN4K7Q2M9FHN4", 40)) == "K7Q2M9FHN4K7Q2M9FHN4"


@pytest.mark.parametrize("width", range(116, 220, 8))
def test_an_order_is_not_broken(width: int) -> None:
    text = "#2: W / 2 / 0908 or 0707: W / 2 / 0908 or R / 2 @TURN HEX / 2 / HEX"
    for line in english(text, width):
        assert not line.endswith(("/", ":", "@TURN")) and not line.startswith(("/", "@"))
    assert tie_words("no order") == "no order"
    assert tie_words("emptied at 33 %, 5 of 100 % left") == "emptied at 33\u00a0%, 5 of 100\u00a0% left"
    fonts.register("ja")
    found = break_lines(["例：#2: W / 2 / 0908　または　0707: W / 2 / ヘクス"], style("para", "ja"), width)
    assert [line.text for line in found if re.search(r"[/:]$|^/", line.text)] == []
    order = "R / 2 @旋回ヘクス / 2 / 到着ヘクス"
    if width > fonts.width(order, style("para", "ja").size) + 20:
        found = break_lines([f"R / ヘクス数 / 到着ヘクス　または　{order}"], style("para", "ja"), width)
        assert any(order in line.text for line in found)


def test_an_opening_bracket_ends_no_line() -> None:
    assert list(unbreakable_units("配置［displaced = nearest］する"))[2:] == [
        "［displaced",
        " =",
        " nearest］",
        "す",
        "る",
    ]


def test_a_word_in_katakana_after_a_space_stays_whole() -> None:
    fonts.register("ja")
    for width in range(50, 120):
        found = [line.text for line in break_lines(["青 ドワーフ ショートソード"], style("para", "ja"), float(width))]
        if width >= 9 * 8:
            assert [word for line in found for word in line.split()] == ["青", "ドワーフ", "ショートソード"]


@lru_cache(maxsize=1)
def whole(name: str) -> Kit:
    """Return a kit of the game with all its parts."""
    game = games.load(name)
    scenario = game.draw(Request(CODE, {}, {}))
    return game.kit(scenario, check(game.rules, scenario), CODE, f"muster kit {name} --seed {CODE}").whole


def pages(name: str, lang: Lang) -> Iterator[str]:
    """Yield the text of each page of a kit with all its parts."""
    document = pypdfium2.PdfDocument(print_kit(whole(name), PrintSettings(lang, "a4")))
    try:
        for page in document:
            yield page.get_textpage().get_text_range()
    finally:
        document.close()


@pytest.mark.parametrize(("name", "lang"), [(name, lang) for name in games.names() for lang in LANGS])
def test_every_page_has_its_code_whole_and_no_marks_of_a_keyboard(name: str, lang: Lang) -> None:
    for number, text in enumerate(pages(name, lang), 1):
        assert CODE in text, f"page {number} has no code"
        foot = {
            "en": "unofficial player aid, made with Muster|blank",
            "ja": "非公式プレイエイド（Muster ?作成）|白紙",
        }[lang]
        assert re.search(foot, text.replace("\r\n", " ")), f"the foot of page {number} is cut"
        plain = COMMAND.sub("", text)
        assert typeset(plain) == plain, [line for line in plain.splitlines() if typeset(line) != line]


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("name", games.names())
def test_every_board_has_a_ruler(name: str, paper: str) -> None:
    boards = [sheet for sheet in whole(name).sheets if isinstance(sheet, Poster)]
    assert boards
    for board in boards:
        document = pypdfium2.PdfDocument(
            print_kit(msgspec.structs.replace(whole(name), usual=(board,)), PrintSettings("en", paper))
        )
        assert "100 mm" in document[0].get_textpage().get_text_range()


def test_a_long_foot_loses_the_game_then_whole_notes() -> None:
    line = FootLine(("CODE", "Game", "Tokens"), ("not the publisher's", "fold"), ("unofficial",))
    assert [*line.choices()] == [
        ("CODE · Game · Tokens", "not the publisher's · fold · ", "unofficial"),
        ("CODE · Tokens", "not the publisher's · fold · ", "unofficial"),
        ("CODE · Tokens", "fold · ", "unofficial"),
        ("CODE · Tokens", "", "unofficial"),
        ("CODE · Tokens", "", ""),
    ]
    assert [left for left, _, _ in FootLine(("Game", "Tokens"), (), ("unofficial",)).choices()][:2] == [
        "Game · Tokens",
        "Tokens",
    ]
