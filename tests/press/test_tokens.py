"""Tests for tokens. Each is drawn in both inks, turns with its facing, and can be distinguished without colour."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, combinations, pairwise, product
from math import cos, hypot, radians, sin
from typing import Literal

import msgspec
import pypdfium2
import pytest
from PIL import Image, ImageChops

from generator.errors import DataError, DoesNotFitError
from generator.games.battling.forces import house_pack
from generator.games.battling.tables import dice
from generator.grid.hexes import field
from generator.model.picture import POINTS, Item, Path, Pen, Picture, Text, Use
from generator.model.views import MapView, Token
from generator.press.figures.cards import draw_face
from generator.press.figures.maps import draw_map
from generator.press.figures.tokens import has_inner_label, token_symbol
from generator.press.layout.fitting import text_width
from generator.press.pdf import fonts
from generator.press.pdf.canvas import picture_pdf
from generator.symbols import counters
from generator.symbols.theme import INKS, theme

BASE_ARMS = ("line", "guard", "light", "heavy", "gun", "brigadier")
MACHINES = ("standard_machine", "assault_machine", "heavy_machine", "scout_machine", "elite_machine")
BRIGADES = ("first", "second", "third", "fourth", "fifth", "sixth")
HOST = ("wagon", "cavalry", "foot", "handgun_horse", "leader", "siege", "cardinal")

TROOPS = tuple(
    token
    for side, (n, colour), symbol in product(("blue", "red"), enumerate(("plain", *BRIGADES)), BASE_ARMS)
    # In square formation the band is only a corner. From the fourth brigade on, only pips distinguish the tokens at
    # true size.
    for token in (Token(side, colour, symbol, facing=90.0), Token(side, colour, symbol, mark="square"))[: 1 + (n < 4)]
)
WALKERS = tuple(
    token
    for side, symbol in product(("first", "second"), MACHINES)
    for token in (Token(side, "plain", symbol), Token(side, "plain", symbol, mark="wrecked"))
)
STACKS = (
    *(Token(side, "plain", symbol) for side, symbol in product(("hussite", "crusader"), HOST)),
    Token("disc", "plain", "legate"),
)

EXTENT = 15.0
"""Maximum size of a token, in the mm of its drawing."""
SMALL = 36
"""Pixels per side of a token of 6 mm at 150 dots per inch."""
LARGE = 100
SEEN, ENOUGH = 80, 25
"""Two tokens differ if at least ENOUGH of SMALL × SMALL pixels differ by SEEN grey levels."""


def drawn(tokens: Sequence[Token], ink: str, pixels: int) -> list[Image.Image]:
    """Return each token as a grey image of `pixels` × `pixels`."""
    row = tuple(Use(token_symbol(t, ink), (i + 0.5) * EXTENT, EXTENT / 2) for i, t in enumerate(tokens))
    document = pypdfium2.PdfDocument(picture_pdf(Picture(len(tokens) * EXTENT, EXTENT, row), "en"))
    try:
        # Use slightly less than whole pixels, because the page is rounded up to whole pixels.
        image = document[0].render(scale=(pixels - 0.001) / (EXTENT * POINTS), grayscale=True).to_pil()
    finally:
        document.close()
    assert image.size == (len(tokens) * pixels, pixels)
    return [image.crop((i * pixels, 0, (i + 1) * pixels, pixels)) for i in range(len(tokens))]


def differing(a: Image.Image, b: Image.Image) -> int:
    """Return the number of pixels at which two images of the same size clearly differ."""
    return sum(ImageChops.difference(a, b).histogram()[SEEN:])


def points(items: Sequence[Item], turn: float = 0.0) -> Iterator[tuple[float, float]]:
    for item in items:
        if isinstance(item, Use):
            yield from points(item.symbol.items, item.turn)
        elif isinstance(item, Path):
            c, s = cos(radians(turn)), sin(radians(turn))
            for step in item.steps:
                for x, y in zip(step[1::2], step[2::2], strict=True):
                    yield float(x) * c - float(y) * s, float(x) * s + float(y) * c


@pytest.fixture(autouse=True)
def _fonts() -> None:
    fonts.ensure_registered("en")


def test_a_figure_is_drawn_as_it_is_written_down(monkeypatch: pytest.MonkeyPatch) -> None:
    written = """
line 0.5 M 0,0 C 1,1 2,1 3,0
  L 3,-1
at 1 2 2 90
fill 0.2 box 0 0 1 2
white circle 1 0 0.5
use inner"""
    figures = {"outer": written.strip(), "inner": "holed M 0,0 1,0 1,1 Z M 0.5,0.2 0.6,0.2 0.6,0.3 Z"}
    monkeypatch.setattr(counters, "theme", lambda: msgspec.structs.replace(theme(), figure=figures))
    counters.drawn.cache_clear()
    bow, box, dot, inner = counters.drawn("outer", "#102030")
    counters.drawn.cache_clear()
    assert bow == Path((("M", 0, 0), ("C", 1, 1, 2, 1, 3, 0), ("L", 3, -1)), None, Pen("#102030", 0.5))
    assert (box.fill, box.pen) == ("#102030", Pen("#102030", 0.2))
    assert [step[1:] for step in box.steps[:4]] == [pytest.approx(at) for at in ((1, 2), (1, 4), (-3, 4), (-3, 2))]
    assert (dot.fill, dot.pen) == ("#ffffff", None) and dot.steps[0][1:] == pytest.approx((1, 5))
    assert inner.even_odd and [step[0] for step in inner.steps] == ["M", "L", "L", "Z"] * 2
    with pytest.raises(DataError, match="no figure named"):
        counters.drawn("nothing", "#102030")


def test_every_symbol_is_drawn_on_every_shape_in_both_inks() -> None:
    t = theme()
    badges = {badge.drawing for badge in t.badge.values() if badge.drawing}
    parts = set(re.findall(r"^use (\w+)", "\n".join(t.figure.values()), re.MULTILINE))
    assert {*t.symbol.values(), *badges, *parts} == set(t.figure)
    for shape, symbol, ink in product(t.shape, t.symbol, INKS):
        token = token_symbol(Token(shape, "plain", symbol), ink)
        assert any(isinstance(item, Path) for item in token.items)
        assert all(hypot(x, y) < token.reach for x, y in points(token.items)), (shape, symbol)


def test_every_colour_is_drawn_on_every_shape() -> None:
    t = theme()
    for shape, colour, ink in product(t.shape, t.colour, INKS):
        assert token_symbol(Token(shape, colour, "line"), ink).items


@pytest.mark.parametrize("tokens", [TROOPS, WALKERS, STACKS], ids=["troops", "machines", "stacks"])
def test_any_two_tokens_differ_small_and_without_colour(tokens: tuple[Token, ...]) -> None:
    pictures = drawn(tokens, "saver", SMALL)
    alike = [
        (a, b) for (a, x), (b, y) in combinations(zip(tokens, pictures, strict=True), 2) if differing(x, y) < ENOUGH
    ]
    assert not alike


def test_equal_tokens_do_not_differ() -> None:
    a, b = drawn((TROOPS[0], TROOPS[0]), "saver", SMALL)
    assert differing(a, b) == 0


@pytest.mark.parametrize("ink", INKS)
@pytest.mark.parametrize("shape", ["blue", "red"])
def test_a_token_turns_as_it_faces(shape: str, ink: str) -> None:
    facings = (90.0, 180.0, 270.0, 0.0)
    up, *others = drawn([Token(shape, "second", "light", facing=f) for f in facings], ink, LARGE)
    for turn, other in zip((90, 180, 270), others, strict=True):
        assert differing(up.rotate(turn), other) < 0.01 * LARGE**2
        assert differing(up, other) > 0.05 * LARGE**2


@pytest.mark.parametrize("facing", [0.0, 45.0, 90.0, 135.0, 180.0, 225.0, 270.0, 315.0, 30.0])
@pytest.mark.parametrize("shape", ["blue", "red"])
def test_a_front_points_where_the_token_faces(shape: str, facing: float) -> None:
    faced, up = (token_symbol(Token(shape, "plain", "line", facing=f), "full") for f in (facing, 90.0))
    c, s = cos(radians(facing)), sin(radians(facing))
    found = {(round(x * c + y * s, 6), round(y * c - x * s, 6)) for x, y in points(faced.items)}
    upright = {(round(y, 6), round(-x, 6)) for x, y in points(up.items)}
    assert found == upright
    tip = max(found)
    assert tip[1] == 0 and sum(x > tip[0] - 0.5 for x, _ in found) == 1


def test_a_token_without_facing_has_no_front_mark() -> None:
    faced = token_symbol(Token("blue", "plain", "gun", facing=90.0), "full")
    plain = token_symbol(Token("blue", "plain", "gun"), "full")
    assert max(y for _, y in points(plain.items)) < max(y for _, y in points(faced.items)) - 2


def test_a_square_formation_has_no_facing() -> None:
    tokens = [Token("red", "first", "line", facing=f, mark="square") for f in (None, 0.0, 45.0)]
    assert len({id(token_symbol(token, "full")) for token in tokens}) == 1


@pytest.mark.parametrize("brigade", BRIGADES)
def test_pips_are_grouped_in_fives(brigade: str) -> None:
    """In a row, pips beyond five are set apart. In the corner of a square, they form a second row."""
    count, light = theme().colour[brigade].pips, theme().colour[brigade].full.light

    def pips(mark: Literal["", "square"]) -> list[tuple[float, float]]:
        rounds = [i for i in token_symbol(Token("blue", brigade, "line", mark=mark), "full").items
                  if isinstance(i, Path) and i.fill == light and len(i.steps) == 6]  # fmt: skip
        return [(max(x for x, _ in points([i])), max(y for _, y in points([i]))) for i in rounds]

    row, corner = pips(""), pips("square")
    assert len(row) == len(corner) == count
    gaps = [b[0] - a[0] for a, b in pairwise(row)]
    assert all((gap > 1.2 * gaps[0]) == (n == 4) for n, gap in enumerate(gaps))
    assert max(Counter(round(y, 3) for _, y in corner).values()) == min(count, 5)


def test_only_bases_face() -> None:
    assert token_symbol(Token("hussite", "plain", "foot", facing=0.0), "full") is token_symbol(
        Token("hussite", "plain", "foot"), "full"
    )


def test_a_machine_bears_its_number_inside_and_a_seal_its_caption_too() -> None:
    for token, texts in (
        (Token("second", "plain", "scout_machine", "B7", caption="SC-1"), ["B7"]),
        (Token("legate", "plain", "legate", "7", caption="L"), ["L", "7"]),
    ):
        assert has_inner_label(token) and not has_inner_label(Token("blue", "plain", "line", "7"))
        items = token_symbol(token, "full").items
        plate = next(item.symbol for item in items if isinstance(item, Use) and item.symbol.plate)
        found = [item for item in (*items, *plate.items) if isinstance(item, Text)]
        assert [item.text for item in found] == texts
        assert found[-1].y < 0 < found[-1].x and all(caption.y > 0 for caption in found[:-1])
        symbol = token_symbol(token, "full").name
        assert symbol != token_symbol(msgspec.structs.replace(token, label="8"), "full").name
        assert symbol.isascii() and " " not in symbol


@pytest.mark.parametrize("width", [12.0, 18.0, 20.0])
@pytest.mark.parametrize(("ink", "side"), [*product(INKS, ("first", "second"))])
def test_every_counter_of_a_machine_has_its_type_on_top_and_its_number_at_the_lower_right(
    ink: str, side: str, width: float
) -> None:
    for kind in house_pack().machines.values():
        face = Token(side, "plain", kind.symbol, "6", caption=kind.caption)
        items = draw_face(face, "square", "en", ink, (width, width), (0.0, 0.0, 0.0, 0.0))
        *captions, number = (item for item in items if isinstance(item, Text))
        assert ("".join(caption.text for caption in captions), number.text) == (kind.caption, "6")
        assert all(of.size >= 5 and text_width(of.text, of.size, bold=True) <= 0.8 * width for of in captions)
        assert captions[0].y > 0.75 * width and number.x > 0.75 * width and number.y < 0.25 * width
        assert len(captions) == 1 or width < 18


def test_every_machine_has_its_own_silhouette() -> None:
    symbols = [kind.symbol for kind in house_pack().machines.values()]
    assert len(set(symbols)) == len(symbols) and set(symbols) == set(MACHINES) == set(dice().symbols)


def test_a_map_leaves_a_machine_s_number_to_the_machine() -> None:
    grid = field((2,))
    tokens = (Token("first", "plain", "scout_machine", "B7"), Token("blue", "first", "line", "L2"))
    view = MapView(grid, dict.fromkeys(grid.cells, "countryside"), tokens=tuple(zip(grid.cells, tokens, strict=True)))
    labels = [item.text for item in draw_map(view, "en", "full", 60, 60).items if isinstance(item, Text)]
    assert "L2" in labels and "B7" not in labels


def test_a_caption_shrinks_and_then_is_refused() -> None:
    def counter_of(caption: str, width: float = 12.0) -> list[Text]:
        face = Token("second", "plain", "scout_machine", caption=caption)
        items = draw_face(face, "square", "en", "full", (width, width), (0.0, 0.0, 0.0, 0.0))
        return [item for item in items if isinstance(item, Text)]

    sizes = [counter_of(caption)[0].size for caption in ("M-1", "ATM-09-ST")]
    assert sizes[0] >= sizes[1] >= 5
    assert [text.text for text in counter_of("ATM-09-STTC")] == ["ATM-09", "-STTC"]
    assert counter_of("ATM-09-ST", 20)[0].size > counter_of("ATM-09-STTC", 20)[0].size
    with pytest.raises(DoesNotFitError):
        counter_of("M" * 30)
    assert counter_of("M" * 30, 8.0) == []


@pytest.mark.parametrize(
    ("shape", "mark"), [("blue", "levy"), ("first", "square"), ("hussite", "levy"), ("pennant", "square")]
)
def test_a_mark_of_another_kind_of_token_is_refused(shape: str, mark: str) -> None:
    with pytest.raises(DataError, match="mark"):
        token_symbol(Token(shape, "plain", "line", mark=mark), "full")  # type: ignore[arg-type]  # the mark is any


def test_marks_show() -> None:
    for marked in chain(TROOPS, WALKERS):
        if marked.mark:
            plain = Token(marked.shape, marked.colour, marked.symbol, marked.label, caption=marked.caption)
            assert token_symbol(marked, "full").name != token_symbol(plain, "full").name
