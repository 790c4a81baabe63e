"""Tests for labels of tokens on squares: above the token, clear of pips, inside the square, next to its name."""

from __future__ import annotations

from itertools import combinations

import pytest

from generator.grid.squares import Square, squares
from generator.model.picture import Path, Symbol, Text, Use
from generator.model.views import MapView, Token
from generator.press.figures.maps import draw_field
from generator.press.layout.fitting import text_box
from generator.press.pdf import fonts
from generator.symbols.shapes import Place, turned

Box = tuple[float, float, float, float]
FIELD = squares(3, 3)
MIDDLE = Square(1, 1)
SIDES = {"north": 90.0, "east": 0.0, "south": 270.0, "west": 180.0}


def drawn(token: Token, side: float, turn: bool = False) -> tuple[list[Text], Use, Place]:
    fonts.ensure_registered("en")
    place = Place(FIELD, side, 2 * side, 2 * side, turn)
    view = MapView(FIELD, dict.fromkeys(FIELD.cells, "wood"), tokens=((MIDDLE, token),))
    items = draw_field(view, place, "full")
    (use,) = (i for i in items if isinstance(i, Use) and i.symbol.name.startswith("token"))
    return [i for i in items if isinstance(i, Text)], use, place


def pips(symbol: Symbol, use: Use) -> list[tuple[float, float]]:
    """Return the centres of the three light discs along the rear of a symbol, in map coordinates."""
    if symbol.items and isinstance(symbol.items[0], Use):
        inner = symbol.items[0]
        return [
            (use.x + use.scale * x, use.y + use.scale * y)
            for x, y in (turned(p, inner.turn) for p in _discs(inner.symbol))
        ]
    return [(use.x + use.scale * x, use.y + use.scale * y) for x, y in _discs(symbol)]


def _discs(symbol: Symbol) -> list[tuple[float, float]]:
    found = []
    for item in symbol.items:
        if isinstance(item, Path) and any(step[0] == "C" for step in item.steps):
            numbers = [(float(step[-2]), float(step[-1])) for step in item.steps if len(step) > 2]
            xs, ys = [x for x, _ in numbers], [y for _, y in numbers]
            if 1.4 < max(xs) - min(xs) < 1.6 and max(ys) < -1:
                found.append(((max(xs) + min(xs)) / 2, (max(ys) + min(ys)) / 2))
    return found


def meet(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


@pytest.mark.parametrize("turn", [False, True])
@pytest.mark.parametrize("facing", SIDES.values(), ids=SIDES)
def test_every_pip_is_seen(facing: float, turn: bool) -> None:
    texts, use, _ = drawn(Token("blue", "third", "line", "B3b", facing=facing), 11.8, turn)
    (label,) = (text for text in texts if text.text == "B3b")
    left, bottom, right, top = text_box(label)
    found = pips(use.symbol, use)
    assert len(found) == 3
    assert not [p for p in found if left - 0.3 < p[0] < right + 0.3 and bottom < p[1] < top]


@pytest.mark.parametrize("side", [8.0, 9.0, 11.8, 25.4])
@pytest.mark.parametrize("facing", SIDES.values(), ids=SIDES)
def test_name_and_label_keep_apart_inside_the_square(facing: float, side: float) -> None:
    texts, _, place = drawn(Token("red", "first", "line", "R1b", facing=facing), side)
    x, y = place.centre(MIDDLE)
    half = side / 2
    here = [t for t in texts if abs(t.x - x) < half and abs(t.y - y) < half]
    assert {t.text for t in here} == {"b2 W" if side > 8 else "b2", "R1b"}
    boxes = [text_box(t) for t in here]
    assert not [pair for pair in combinations(boxes, 2) if meet(*pair)]
    for left, bottom, right, top in boxes:
        assert left >= x - half - 0.1 and right <= x + half + 0.1
        assert bottom >= y - half - 0.4 and top <= y + half + 0.4
