"""Tests for line breaks and spacing between scripts in Japanese paragraphs."""

from __future__ import annotations

from itertools import pairwise, product

import pypdfium2
import pytest

from generator import games
from generator.press.layout.japanese import (
    MIN_LINE_FILL,
    SCRIPT_GAP,
    JapaneseLine,
    JapaneseParagraph,
    break_lines,
    line_width,
    make_paragraph,
)
from generator.press.layout.line_breaks import unbreakable_units
from generator.press.layout.markup import parse
from generator.press.layout.paper import papers
from generator.press.layout.styles import style
from generator.press.pdf import fonts
from generator.press.pdf.canvas import Canvas
from tests.prove.parts.paragraphs import KINDS, Case, Found, figures, judged, wrong

TEXT = (
    "損害：1ヒットにつきフィギュアを1体除く。ショートソードのユニットはダイス−1。"
    "石弓は「勇敢」。 退却は12ヘクス以内。"
)


@pytest.fixture(autouse=True)
def _fonts() -> None:
    fonts.register("ja")


def set_in(text: str, width: float, kind: str = "para") -> list[JapaneseLine]:
    node = parse(f"<sheet><{kind}>{text}</{kind}></sheet>", "test.xml").nodes()[0]
    return break_lines(node.children, style(kind, "ja"), width)


def lines(text: str, width: float, kind: str = "para") -> list[str]:
    return [line.text for line in set_in(text, width, kind)]


def tight(text: str) -> str:
    return text.replace(" ", "")


@pytest.mark.parametrize("width", range(80, 400, 7))
def test_lines_fit_and_part_no_number_from_its_counter(width: int) -> None:
    made = set_in(TEXT, width)
    assert tight("".join(line.text for line in made)) == tight(TEXT)
    assert all(line_width(line.letters, 9) <= width for line in made)
    for end, start in pairwise(line.text for line in made):
        assert not (end[-1].isdigit() and start[0] in "体個ヘ"), (end, start)
        assert start[0] not in "、。」" and end[-1] != "「"


@pytest.mark.parametrize("width", range(102, 300, 3))
def test_words_in_katakana_part_only_where_a_line_would_be_loose(width: int) -> None:
    text = "弓兵はスタンダードプレイヤーとペナントプレイヤーのユニットを、順にスタンダードから並べる。"
    made = set_in(text, width)
    assert "".join(line.text for line in made) == text
    for end, start in pairwise(made):
        if not ("ァ" <= end.text[-1] <= "ー" and "ァ" <= start.text[0] <= "ー"):
            continue
        # Moving the word to the next line would have left a loose line or a short last line.
        word = next(k for k, c in enumerate(reversed(end.text)) if not "ァ" <= c <= "ー")
        assert word >= 2
        assert start.text[0] not in "ャッュョァィゥェォー"
        assert line_width(end.letters[:-word], 9) < MIN_LINE_FILL * width


def test_no_line_is_loose_before_a_word_in_katakana() -> None:

    first, _ = set_in("その次はプレイヤーズブックの順。", 90)
    assert line_width(first.letters, 9) >= MIN_LINE_FILL * 90
    assert first.text.startswith("その次はプレ")


@pytest.mark.parametrize("width", range(90, 200))
def test_a_column_narrowed_for_its_last_line_has_no_loose_line_before_katakana(width: int) -> None:
    for text in (
        "両軍は近い。最も近い敵どうしの間は二ヘクス。初手はスタンダード陣営。旗六本で勝負が決まる。",
        "北にはスタンダード陣営の十九隊が並び、南からはペナント陣営の十四隊が迫る。",
        "この軍のダイスが多い。先手はペナント陣営。先に旗を六本とった側の勝ちです。",
    ):
        paragraph = JapaneseParagraph(set_in(text, width), style("para", "ja"))
        paragraph.wrap(width, 500)
        assert list(wrong(paragraph)) == []


@pytest.mark.parametrize("width", range(74, 260))
def test_no_last_line_of_one_or_two_letters(width: int) -> None:
    for text in (TEXT, "戦場図と記録シートのとおりに、各ユニットを配置します。", "旗を先に六本とった側の勝ちです。"):
        *before, last = lines(text, width)
        assert not before or sum(c.isalnum() for c in last) > 2, (before, last)


def test_no_line_begins_with_a_dot_between_words() -> None:
    for width in range(40, 200):
        for text in ("緑 · 青 · 赤 · 灰 · 黒", "ロード・オブ・ザ・ウェスト", "第3版 · Second edition · 第4版"):
            assert not any(line[0] in "·・ " for line in lines(text, width)), width
    assert list(unbreakable_units("a · b")) == ["a ·", " b"]


def test_no_space_follows_what_ends_a_sentence() -> None:
    assert lines("石弓は「勇敢」。 退却は以内。  ヘクス、 丘 （独自） 。", 900) == [
        "石弓は「勇敢」。退却は以内。ヘクス、丘（独自）。"
    ]
    assert lines("勇敢。<b> 太字</b> と  線 ", 900) == ["勇敢。太字 と 線"]


@pytest.mark.parametrize(
    ("text", "gaps"),
    [("石弓2体とA4の紙", 4), ("ダイス−1と+2", 3), ("50%以上", 1), ("石弓（2体）", 1), ("第 3 版", 0), ("3, 4", 0)],
)
def test_a_quarter_of_an_em_stands_between_the_scripts(text: str, gaps: int) -> None:
    (line,) = set_in(text, 900)
    assert line.text == text
    assert line_width(line.letters, 9) == pytest.approx(fonts.width(text, 9) + gaps * SCRIPT_GAP * 9)


def test_the_gap_stands_on_the_page() -> None:
    canvas = Canvas((200, 100), "ja")
    node = parse("<sheet><para>石<b>弓2体</b></para></sheet>", "t.xml").nodes()[0]
    made = make_paragraph(node.children, style("para", "ja"), 180)
    made.wrap(180, 90)
    made.draw_on(canvas, 10, 50)
    page = pypdfium2.PdfDocument(bytes(canvas.finish()))[0].get_textpage()
    ends = [page.get_charbox(k, loose=True)[2] for k in range(page.count_chars())]
    assert max(ends) == pytest.approx(10 + line_width(made.lines[0].letters, 9), abs=0.2)
    assert page.get_text_range().replace(" ", "").strip() == "石弓2体"


def test_headings_keep_their_words_whole() -> None:
    for width in range(112, 200):
        for text in ("スタンダード陣営とペナント陣営の記録シート", "第3回ペナント陣営の準備"):
            whole = " ".join(lines(text, width, "h2"))
            assert "記録シート" in whole or "記録" not in text
            assert "ペナント陣営" in whole, (width, whole)


def test_a_word_wider_than_the_line_is_parted() -> None:
    assert len(lines("スタンダードプレイヤーズハンドブック", 50)) > 3
    assert len(lines("incomprehensibilities", 30)) > 2


def test_no_part_of_such_a_word_begins_with_what_begins_no_line() -> None:
    for width in range(24, 80):
        made = lines("ウィンチェスター枢機卿ッャー", width)
        assert "".join(made) == "ウィンチェスター枢機卿ッャー"
        assert len(made) > 1
        assert not any(line[0] in "ーィェッャ" for line in made), (width, made)


def test_bold_colours_and_breaks_stay() -> None:
    made = set_in('<b>太字</b>と<c colour="#112233">色&lt;</c><br/>次<br/><br/>末', 400)
    assert [line.text for line in made] == ["太字と色<", "次", "", "末"]
    assert [line.last for line in made] == [True] * 4
    assert made[0].letters == [
        ("太", True, ""),
        ("字", True, ""),
        ("と", False, ""),
        ("色", False, "#112233"),
        ("<", False, "#112233"),
    ]


def test_a_line_break_is_read_as_a_space() -> None:
    assert [line.spaced for line in set_in("タボール<br/>移動力4<br/><br/>射撃", 400)] == [True, True, False, False]


def test_a_paragraph_parts_over_pages_with_no_line_lost() -> None:
    node = parse(f"<sheet><para>{TEXT}</para></sheet>", "test.xml").nodes()[0]
    whole = make_paragraph(node.children, style("para", "ja"), 80, "1.")
    high = whole.style.leading
    assert whole.split(80, 1.5 * high) == []
    head, tail = whole.split(80, 2.5 * high)
    assert isinstance(head, JapaneseParagraph) and isinstance(tail, JapaneseParagraph)
    assert [*head.lines, *tail.lines] == whole.lines and len(head.lines) == 2
    assert (head.bullet, tail.bullet) == ("1.", None)
    assert whole.split(80, 99 * high) == [whole]


@pytest.mark.parametrize(("game", "paper"), list(product(games.names(), papers())))
def test_a_kit_s_paragraphs(game: str, paper: str) -> None:
    found = judged(Case(game, 3, paper))
    assert found.paragraphs > 5
    assert found.faults == ()


def test_each_kind_of_fault_is_found() -> None:
    """The proof finds each kind of fault in badly broken lines."""

    def fault_kinds(*texts: str, width: float = 90, kind: str = "para", last: bool = True) -> set[str]:
        made = style(kind, "ja")
        bold = kind != "para"
        listed = [
            JapaneseLine([(c, bold, "") for c in text], last and k == len(texts) - 1) for k, text in enumerate(texts)
        ]
        item = JapaneseParagraph(listed, made)
        item.wrap(width, 500)
        return {kind for kind, _ in wrong(item)}

    assert fault_kinds("各ユニットを配置しま", "す。") == {"scrap"}
    assert fault_kinds("16–20のユニット", "（16+）") == set()
    assert fault_kinds("各々は", "スタンダードで。") == {"loose"}
    assert fault_kinds("緑の旗と青の旗と赤の", "・黒の旗。") == {"head"}
    assert fault_kinds("勇敢。 退却。") == {"space"}
    assert fault_kinds("次にペナント陣", "営の記録。", kind="h2", width=120) == {"torn"}
    assert fault_kinds("これは列よりも幅の広い一行です。") == {"wide"}
    assert fault_kinds("各ユニットを配置し", "ましたよ。") == set()
    found_figures = list(figures([Found(3, (("scrap", "here"),))]))
    assert len(found_figures) == len(KINDS)
    assert [figure.holds for figure in found_figures] == [kind != "scrap" for kind in KINDS]
