"""Card faces: exactly their size, everything on them, and texts that fit or are named."""

from __future__ import annotations

from dataclasses import replace

import pytest

from generator.errors import DataError, DoesNotFitError
from generator.grid.field import field
from generator.model.picture import Text, Use
from generator.model.views import CardView, MapView, Token
from generator.model.words import Lang, Words, same
from generator.press.cards import PAD, draw_card
from generator.press.text import FLOOR
from generator.symbols.theme import INKS
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
    ((ARCHERS, Words("blue common bows", "青のコモンボウ")), (FOOT, Words("red dwarf swords", "赤のドワーフ剣兵"))),
    Words("house card", "ハウスカード"),
    Words("left", "左翼"),
)


@pytest.mark.parametrize("size", [(63.5, 88.9), (59.0, 86.0), (44.0, 68.0), (70.0, 121.0)])
@pytest.mark.parametrize("ink", INKS)
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_a_card_has_its_size_and_keeps_clear_of_the_trim(size: tuple[float, float], ink: str, lang: Lang) -> None:
    picture = draw_card(CARD, lang, ink, *size)
    assert (picture.width, picture.height) == size
    for x, y in points(picture.items):
        assert PAD - 0.5 <= x <= size[0] - PAD + 0.5
        assert PAD - 0.5 <= y <= size[1] - PAD + 0.5


def test_everything_stands_on_it() -> None:
    items = draw_card(CARD, "en", "full", 63.5, 88.9).items
    said = " ".join(i.text for i in items if isinstance(i, Text))
    for text in ("A3", "Wings of the Marches", "left", "house card", "blue common bows", "red dwarf swords"):
        assert text in said
    tokens = [i.symbol.name for i in items if isinstance(i, Use) and i.symbol.name.startswith("token.")]
    assert len(tokens) == 4
    assert len(set(tokens)) == 2


def test_a_card_that_was_not_placed_has_no_band_and_a_larger_board() -> None:
    def scale(card: CardView) -> float:
        return max(i.scale for i in draw_card(card, "en", "full", 63.5, 88.9).items if isinstance(i, Use))

    assert scale(replace(CARD, heading=same(""), units=CARD.units * 2)) > scale(replace(CARD, units=CARD.units * 2))


def test_cards_side_by_side_share_one_scale() -> None:
    weapons = ("short_sword", "long_sword", "crossbow", "common_bow", "long_bow", "arbalest")
    kinds = tuple(Token("pennant", "blue", weapon) for weapon in weapons)
    longer = replace(CARD, units=tuple((kind, same("blue dwarf archers of the second line")) for kind in kinds))

    def scale(card: CardView, *beside: CardView) -> float:
        items = draw_card(card, "en", "full", 63.5, 76.0, beside).items
        return max(i.scale for i in items if isinstance(i, Use) and i.symbol.name.startswith("token."))

    assert scale(CARD) > scale(longer)
    assert scale(CARD, CARD, longer) == scale(longer, CARD, longer) == scale(longer)


def test_a_long_list_takes_two_columns_and_breaks_its_lines() -> None:
    units = tuple((ARCHERS, same(f"{n} × blue crossbows")) for n in range(1, 7))
    items = draw_card(replace(CARD, units=units), "en", "full", 63.5, 88.9).items
    lefts = {round(i.x, 1) for i in items if isinstance(i, Text) and "blue" in i.text}
    assert len(lefts) == 2


def test_no_text_is_smaller_than_the_floor() -> None:
    name = same("The Long Line of the River and the Hill")
    items = draw_card(replace(CARD, name=name), "en", "full", 63.5, 88.9).items
    assert min(i.size for i in items if isinstance(i, Text)) >= FLOOR
    assert sum(i.text in name.en and len(i.text) > 5 for i in items if isinstance(i, Text)) == 2


@pytest.mark.parametrize(
    ("card", "said"),
    [
        (replace(CARD, name=same("x" * 80)), "the text 'xxx"),
        (replace(CARD, units=((ARCHERS, same("y" * 200)),)), "card A3: the text 'yyy"),
        (replace(CARD, units=((ARCHERS, same("archers")),) * 40), "card A3: 40 kinds of unit do not fit"),
        (replace(CARD, shape="pennon"), "did you mean pennant"),
    ],
)
def test_what_does_not_fit_is_named(card: CardView, said: str) -> None:
    with pytest.raises((DataError, DoesNotFitError), match=said):
        draw_card(card, "en", "full", 63.5, 88.9)
