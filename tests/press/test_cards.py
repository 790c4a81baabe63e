"""Tests for card faces: exact size, complete content, and texts that fit or are reported."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from generator.errors import DataError, DoesNotFitError
from generator.grid.hexes import field
from generator.model.picture import Path, Text, Use
from generator.model.views import CardView, MapView, Shade, Token
from generator.model.words import Lang, Words, same
from generator.press.figures.cards import MIN_FRAME, draw_card, draw_face, frame_inset
from generator.press.layout.imposition import card_sizes
from generator.press.pdf.legible import FLOOR
from generator.symbols.theme import INKS, theme
from tests.press.test_maps import points

BOARD = field((4, 3, 4, 3))
ARCHERS = Token("pennant", "blue", "common_bow")
FOOT = Token("pennant", "red", "short_sword", "", "dwarf")
CARD = CardView(
    "A3",
    Words("Wings of the Marches", "辺境の翼"),
    "pennant",
    MapView(
        BOARD,
        dict.fromkeys(BOARD.cells, "countryside"),
        tokens=((BOARD.at(0, 0), ARCHERS), (BOARD.at(2, 2), FOOT)),
        names=False,
    ),
    ((ARCHERS, 2), (FOOT, 3)),
    Words("house card", "ハウスカード"),
    (Words("Left", "左翼"), Words("Centre", "中央"), Words("Right", "右翼"), Words("Reserve", "リザーブ")),
    0,
)
WEAPONS = ("short_sword", "long_sword", "crossbow", "common_bow", "long_bow", "arbalest")
SIZES = [(size.width, size.height) for size in card_sizes().values()]


def tokens(card: CardView, lang: Lang = "en", size: tuple[float, float] = (63.5, 88.9)) -> list[Use]:
    items = draw_card(card, lang, "full", *size, frame_inset(size[0])).items
    return [i for i in items if isinstance(i, Use) and i.symbol.name.startswith("token.")]


def texts(card: CardView, lang: Lang = "en", size: tuple[float, float] = (63.5, 88.9)) -> list[Text]:
    return [i for i in draw_card(card, lang, "full", *size, frame_inset(size[0])).items if isinstance(i, Text)]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("ink", INKS)
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_a_card_has_its_size_and_nothing_but_its_ground_leaves_the_frame(
    size: tuple[float, float], ink: str, lang: Lang
) -> None:
    picture = draw_card(CARD, lang, ink, *size, frame_inset(size[0]))
    assert (picture.width, picture.height) == size
    edge = frame_inset(size[0])
    assert edge >= MIN_FRAME > 3
    for x, y in points(picture.items):
        assert edge - 0.01 <= x <= size[0] - edge + 0.01
        assert edge - 0.01 <= y <= size[1] - edge + 0.01
    ground, *face = draw_face(CARD, "card", lang, ink, size, (3.0, 3.0, 3.0, 3.0))
    assert min(points([ground])) == (-3.0, -3.0)
    assert tuple(face) == picture.items


def test_everything_stands_on_it() -> None:
    card_texts = [text.text for text in texts(CARD)]
    assert {"A3", "Wings of the Marches", "Left", "Centre", "Right", "Reserve", "house card"} <= set(card_texts)
    assert card_texts[-2:] == ["2", "3"]
    drawn = tokens(CARD)
    assert len(drawn) == 4
    assert len({use.symbol.name for use in drawn}) == 2


def test_the_place_it_was_played_stands_out() -> None:
    assert [text.text for text in texts(CARD) if text.bold and text.text in {"Left", "Centre"}] == ["Left"]
    assert not [text for text in texts(replace(CARD, place=None)) if text.bold and text.text == "Left"]


def test_all_cards_of_a_deck_have_the_same_map_size() -> None:
    """The hexes of a poker card are 12.6 mm wide, regardless of the card's content and section."""
    kinds = tuple((Token("pennant", "blue", weapon), 1) for weapon in WEAPONS)
    cards = CARD, replace(CARD, places=(), place=None), replace(CARD, units=kinds), replace(CARD, note=same(""))
    grids = [draw_card(card, "en", "full", 63.5, 88.9, frame_inset(63.5)).items for card in cards]
    widths = {
        round(max(xs) - min(xs), 3)
        for items in grids
        for i in items
        if isinstance(i, Path) and i.pen and i.pen.colour == theme().map.full.line
        for xs in [[x for x, _ in points([i])]]
    }
    assert [round(width / 4, 2) for width in widths] == [12.6]


def test_its_own_baseline_is_darker() -> None:
    (shade,) = (i for i in draw_card(LAID, "en", "full", 63.5, 88.9).items if isinstance(i, Path) and i.alpha == 0.42)
    highest = max(y for _, y in points([shade]))
    assert highest < 88.9 / 2


LAID = replace(CARD, board=replace(CARD.board, shades=(Shade("baseline", tuple(BOARD.at(c, 0) for c in range(4))),)))


def test_a_small_card_says_where_it_is_played_alone() -> None:
    card_texts = {text.text for text in texts(CARD, "ja", (44.0, 68.0))}
    assert "左翼" in card_texts and "リザーブ" not in card_texts
    assert min(text.size for text in texts(CARD, "ja", (44.0, 68.0))) >= FLOOR


def test_many_kinds_take_a_second_row_of_icons() -> None:
    def rows(count: int) -> int:
        card = replace(CARD, units=tuple((Token("pennant", "blue", WEAPONS[n % 6]), 1) for n in range(count)))
        return len({round(text.y, 2) for text in texts(card) if text.text == "1"})

    assert (rows(5), rows(12)) == (1, 2)


def test_no_text_is_smaller_than_the_floor() -> None:
    name = same("The Long Line of the River and the Hill")
    items = draw_card(replace(CARD, name=name), "en", "full", 63.5, 88.9).items
    assert min(i.size for i in items if isinstance(i, Text)) >= FLOOR
    assert sum(i.text in name.en and len(i.text) > 5 for i in items if isinstance(i, Text)) == 2


@pytest.mark.parametrize(
    ("card", "expected"),
    [
        (replace(CARD, name=same("x" * 80)), "the text 'xxx"),
        (replace(CARD, units=((ARCHERS, 1),) * 40), "card A3: 40 kinds of unit do not fit"),
        (replace(CARD, shape="pennon"), "did you mean pennant"),
    ],
)
def test_what_does_not_fit_is_named(card: CardView, expected: str) -> None:
    with pytest.raises((DataError, DoesNotFitError), match=expected):
        draw_card(card, "en", "full", 63.5, 88.9)
