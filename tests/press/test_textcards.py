"""Tests for text cards. Texts fit or are reported, and lines break naturally."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from generator.errors import DoesNotFitError
from generator.model.picture import Text, Use
from generator.model.views import CardTable, TextCard, Token
from generator.model.words import Lang, Words, same
from generator.press.figures.cards import draw_face, frame_inset
from generator.press.figures.text_cards import draw_text_card
from generator.press.layout.fitting import text_width, wrap_text
from generator.press.layout.imposition import card_sizes
from generator.press.pdf import fonts
from generator.press.pdf.legible import FLOOR
from generator.symbols.theme import INKS

CARD = TextCard(
    Words("Vantage Point", "有利な地形"),
    "lore",
    Words("Specialist", "Specialistカード"),
    (Token("pennant", "blue", "common_bow"), "hill"),
    (
        (Words("Dice", "ダイス"), same("3")),
        (Words("Move", "移動"), Words("1, without battle 2", "1(戦闘しなければ2)")),
    ),
    texts=(
        Words("Place two units of your card next to units of yours.", "カードのユニットを二つまで、隣に配置できる。"),
    ),
    note=Words("house", "独自"),
)


@pytest.mark.parametrize("size", card_sizes().values(), ids=card_sizes())
@pytest.mark.parametrize("ink", INKS)
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_everything_stands_on_it_within_its_safe_zone(size: object, ink: str, lang: Lang) -> None:
    width, height = size.width, size.height  # type: ignore[attr-defined]
    picture = draw_text_card(CARD, lang, ink, width, height, frame_inset(width))
    texts = [item for item in picture.items if isinstance(item, Text)]
    card_text = "".join(text.text for text in texts).replace(" ", "")
    for words in (CARD.name, CARD.kind, CARD.texts[0], *CARD.facts[1], CARD.note or same("")):
        assert words[lang].replace(" ", "") in card_text
    assert any(isinstance(item, Use) for item in picture.items)
    for text in texts:
        across = text_width(text.text, text.size, text.bold)
        left = text.x - {"start": 0.0, "middle": 0.5, "end": 1.0}[text.anchor] * across
        assert left >= 3.0
        assert left + across <= width - 3.0
        assert 3.0 <= text.y <= height - 3.0
        assert text.size >= FLOOR


def test_a_face_fills_its_bleed() -> None:
    ground = draw_face(CARD, "card", "en", "full", (63.5, 88.9), (3.0, 1.0, 0.0, 3.0))[0]
    assert next(ground_lines(ground)) == ("M", -3.0, -1.0)


def ground_lines(item: object) -> Iterator[tuple[str | float, ...]]:
    return iter(item.steps)  # type: ignore[attr-defined]


def test_a_text_that_does_not_fit_is_named() -> None:
    long = replace(CARD, texts=(same("word " * 400),))
    with pytest.raises(DoesNotFitError, match="card 'Vantage Point': the text 'word word"):
        draw_text_card(long, "en", "full", 63.5, 88.9)
    with pytest.raises(DoesNotFitError, match="'xxx"):
        draw_text_card(replace(CARD, texts=(same("x" * 90),)), "en", "full", 63.5, 88.9)


HITS = CardTable((Words("Range", "距離"), same(1), same(2)), ((Words("Hits", "命中率"), same(4), same("–")),))
FOES = CardTable(
    (Words("Against", "相手"), Words("Damage", "威力")), tuple((same(f"Type {n}"), same(n + 6)) for n in (1, 2))
)


def test_heads_stand_over_their_numbers() -> None:
    items = draw_text_card(replace(CARD, tables=(HITS, FOES)), "en", "full", 63.5, 88.9).items
    at = {text.text: text for text in items if isinstance(text, Text)}
    assert at["1"].x == at["4"].x < at["2"].x == at["–"].x
    assert at["1"].y > at["4"].y == at["Hits"].y
    assert at["4"].bold and at["4"].size > at["Type 1"].size
    assert at["Damage"].y > at["Type 1"].y > at["Type 2"].y


def test_a_small_card_says_where_what_it_leaves_out_is_found() -> None:
    long = same("a few words more " * 60)
    card = replace(CARD, tables=(HITS, FOES), texts=(long,), brief=Words("See the reference.", "早見表を参照"))
    texts = {text.text for text in draw_text_card(card, "en", "full", 44.0, 68.0).items if isinstance(text, Text)}
    assert "See the reference." in texts and {"Hits", "4"} <= texts
    assert not any("a few words" in text for text in texts)
    with pytest.raises(DoesNotFitError):
        draw_text_card(replace(card, brief=None), "en", "full", 44.0, 68.0)


def test_emblems_give_way_to_words() -> None:
    many = replace(CARD, texts=(same("a few words more " * 42),))
    assert not any(isinstance(i, Use) for i in draw_text_card(many, "en", "full", 63.5, 88.9).items)


def test_english_breaks_at_spaces_and_japanese_where_no_mark_is_orphaned() -> None:
    fonts.register("ja")
    for room in range(16, 60):
        lines = wrap_text("Exchange up to 2 foot units (dwarves) of the same banner.", room, 8.0)
        assert lines
        assert " ".join(lines) == "Exchange up to 2 foot units (dwarves) of the same banner."
        text = "徒歩ユニット「歩兵」を、2つまで(同じ色の)ドワーフと交換できる。LevelとMoveは3ー。"
        lines = wrap_text(text, room, 8.0)
        assert lines
        assert "".join(lines) == text
        for line in lines:
            assert text_width(line, 8.0) <= room
            assert line[0] not in "、。」)ー"
            assert line[-1] not in "「("
    assert wrap_text("incomprehensibilities", 10, 8.0) is None
    assert wrap_text("", 10, 8.0) == ()
