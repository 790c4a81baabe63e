"""Japanese paragraphs part no word in katakana and no number from its counter."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from generator.press import fonts
from generator.press.reader import japanese
from generator.press.templates import parse
from generator.press.text import style

TEXT = (
    "損害：1ヒットにつきフィギュアを1体除く。ショートソードのユニットはダイス-1。"
    "石弓は「勇敢」。 退却は12ヘクス以内。"
)


@pytest.fixture(autouse=True)
def _fonts() -> None:
    fonts.register("ja")


def lines(text: str, width: float) -> list[str]:
    node = parse(f"<sheet><para>{text}</para></sheet>", "test.xml").nodes()[0]
    made = japanese(node.children, style("para", "ja"), width).split("<br/>")
    return [re.sub("<[^>]*>", "", line) for line in made]


@pytest.mark.parametrize("width", range(80, 400, 7))
def test_lines_fit_and_part_no_word(width: int) -> None:
    made = lines(TEXT, width)
    assert "".join(made).replace(" ", "") == TEXT.replace(" ", "")
    assert all(fonts.width(line.rstrip(), 9) <= width for line in made)
    for end, start in pairwise(made):
        assert not (re.search("[ァ-ヶー]$", end) and re.match("[ァ-ヶー0-9-]", start)), (end, start)
        assert not (end[-1].isdigit() and start[0] in "体個ヘ"), (end, start)
        assert start[0] not in "、。」" and end[-1] != "「"


def test_a_word_wider_than_the_line_is_parted() -> None:
    assert len(lines("スタンダードプレイヤーズハンドブック", 50)) > 3


def test_no_part_of_such_a_word_begins_with_what_begins_no_line() -> None:
    for width in range(24, 80):
        made = lines("ウィンチェスター枢機卿ッャー", width)
        assert "".join(made) == "ウィンチェスター枢機卿ッャー"
        assert len(made) > 1
        assert not any(line[0] in "ーィェッャ" for line in made), (width, made)


def test_bold_colours_and_breaks_stay() -> None:
    node = parse('<sheet><para><b>太字</b>と<c colour="#112233">色&lt;</c><br/>次</para></sheet>', "t.xml").nodes()[0]
    made = japanese(node.children, style("para", "ja"), 400)
    assert made == '<b>太字</b>と<font color="#112233">色&lt;</font><br/>次'
