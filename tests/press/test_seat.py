"""Tests for maps seen from the opposite seat. Positions turn by 180°, and symbols and texts stay upright."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from generator.grid.columns import columns_field
from generator.grid.hexes import Grid, field
from generator.grid.squares import Square, squares
from generator.model.picture import Item, Path, Picture, Text, Use
from generator.model.views import Back, CardView, Kit, MapView, Note, Piece, Poster, Ray, Run, Token, Track
from generator.model.words import same
from generator.press.book import print_kit
from generator.press.check.preflight import preflight
from generator.press.figures.maps import draw_field, draw_fitted, draw_map, draw_sized
from generator.press.layout.print_settings import PrintSettings
from generator.press.pdf import fonts
from generator.symbols.shapes import Place
from tests.press.boards import board, city

GRIDS: tuple[Grid, ...] = (field((4, 3, 4)), columns_field(5, 4), squares(6, 4))
HILLS = field((5, 4, 5, 4))
WILD = MapView(
    HILLS,
    dict.fromkeys(HILLS.cells, "countryside") | {HILLS.cells[6]: "hill", HILLS.cells[10]: "river"},
    flows={HILLS.cells[10]: (0, 3)},
    walls={HILLS.cells[6]: (1, 2)},
    tokens=((HILLS.cells[0], Token("pennant", "blue", "short_sword", "P1")),),
    rays=(Ray(HILLS.cells[0], HILLS.cells[12]),),
    tracks=(Track("march", (HILLS.cells[1], HILLS.cells[2])),),
    edges=(same("far edge"), same("near edge")),
)
VIEWS = {"hexes": WILD, "squares": board(notes=(Note((5.0, -1.6), same("#1"), 0.3),)), "city": city(6, 5)}


def items(drawn: tuple[Item, ...], kind: type[Item]) -> list[Item]:
    return [item for item in drawn if isinstance(item, kind)]


@pytest.mark.parametrize("grid", GRIDS, ids=["rows", "columns", "squares"])
def test_every_point_turns_half_round(grid: Grid) -> None:
    plain, turned = (
        Place.fit(grid, 90.0, 70.0, 2.0, (0.5, 0.2, 0.1, 0.4), turned=turned) for turned in (False, True)
    )
    middle = [sum(plain.centre(cell)[i] + turned.centre(cell)[i] for cell in grid.cells) for i in (0, 1)]
    around = tuple(n / len(grid.cells) for n in middle)
    assert plain.side == turned.side
    for cell in grid.cells:
        for here, there in zip(
            (plain.centre(cell), *plain.ring(cell)), (turned.centre(cell), *turned.ring(cell)), strict=True
        ):
            assert (here[0] + there[0], here[1] + there[1]) == pytest.approx(around)
        for direction in range(len(plain.anatomy.exits)):
            x, y = plain.way(cell, direction)
            assert turned.way(cell, direction) == pytest.approx((-x, -y))
            assert plain.across(cell, direction) == turned.across(cell, direction)
    # The margin on each side is the same with and without turning.
    for at in (plain, turned):
        xs, ys = zip(*(p for cell in grid.cells for p in at.ring(cell)), strict=True)
        assert (min(xs), min(ys)) == pytest.approx((2.0 + 0.5 * at.side, 2.0 + 0.2 * at.side))


@pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS)
def test_texts_and_symbols_stay_upright(view: MapView) -> None:
    plain, turned = (draw_map(view, "en", "full", 120.0, 100.0, turned=turned) for turned in (False, True))
    assert (plain.width, plain.height) == (turned.width, turned.height)
    names = [Counter(text.text for text in items(p.items, Text) if isinstance(text, Text)) for p in (plain, turned)]
    assert names[0] == names[1]
    turns = [
        {
            use.symbol.name.split(".")[0]: use.turn
            for use in items(p.items, Use)
            # Fields lie on the ground and turn with it.
            if isinstance(use, Use) and not use.symbol.name.startswith("field.")
        }
        for p in (plain, turned)
    ]
    assert turns[0] == turns[1]


def points(picture: Picture, part: str) -> Iterator[tuple[float, float]]:
    """Yield the points of lines, and for areas only the outlines, because hatching and light follow the page."""
    for item in picture.items:
        if isinstance(item, Path) and (part != "areas" or (item.even_odd and item.alpha == 1)):
            yield from ((float(s[1]), float(s[2])) for s in item.steps if s[0] in ("M", "L"))


@pytest.mark.parametrize("part", ["tokens", "roads", "flows", "walls", "rays", "tracks", "areas"])
def test_what_lies_on_the_map_turns_with_its_cells(part: str) -> None:
    fonts.ensure_registered("en")
    for view in VIEWS.values():
        if not getattr(view, part):
            continue
        alone = MapView(view.grid, {}, names=False, **{part: getattr(view, part)})
        if part == "flows":
            alone = MapView(view.grid, dict.fromkeys(view.flows, "ford"), flows=view.flows, names=False)
        plain, turned = (Place.fit(view.grid, 100.0, 100.0, turned=turned) for turned in (False, True))
        around = [plain.centre(view.grid.cells[0])[i] + turned.centre(view.grid.cells[0])[i] for i in (0, 1)]
        here, there = (Picture(0, 0, tuple(draw_field(alone, place, "full"))) for place in (plain, turned))
        turned_back = sorted((round(around[0] - x, 2), round(around[1] - y, 2)) for x, y in points(there, part))
        if part == "tokens":
            # In both orientations the labels are below the tokens.
            a, b = (next((u.x, u.y) for u in items(p.items, Use) if isinstance(u, Use)) for p in (here, there))
            assert b == pytest.approx((around[0] - a[0], around[1] - a[1]))
            continue
        found = sorted((round(x, 2), round(y, 2)) for x, y in points(here, part))
        matched = sum(any(abs(x - u) < 0.03 and abs(y - v) < 0.03 for u, v in turned_back) for x, y in found)
        assert matched >= 0.9 * len(found), part


def test_facing_tokens_turn_with_the_map() -> None:
    token = Token("blue", "first", "line", facing=45.0)
    view = MapView(squares(3, 3), {}, tokens=((Square(0, 0), token),), names=False)
    names = [
        next(
            item.symbol.name
            for item in draw_map(view, "en", "full", 60.0, 60.0, turned=turned).items
            if isinstance(item, Use)
        )
        for turned in (False, True)
    ]
    assert [name.rpartition(".")[2] for name in names] == ["45", "225"]


def test_the_words_at_the_edges_swap() -> None:
    for turned in (False, True):
        drawn = draw_map(WILD, "en", "full", 120.0, 100.0, turned=turned)
        heights = {item.text: item.y for item in drawn.items if isinstance(item, Text) and "edge" in item.text}
        assert (heights["far edge"] > heights["near edge"]) is not turned


def test_notes_outside_find_room_on_the_other_side() -> None:
    for view, wide in (
        (VIEWS["squares"], 120.0),
        (MapView(squares(4, 4), {}, notes=(Note((-2.0, 3.0), same("#4"), 0.5),)), 50.0),
    ):
        plain, turned = (
            draw_fitted(view, "en", "full", wide, wide, turned=turned).picture for turned in (False, True)
        )
        assert (plain.width, plain.height) == (turned.width, turned.height)
        for picture in (plain, turned):
            for item in picture.items:
                if isinstance(item, Text) and item.text.startswith("#"):
                    assert 0 < item.x < picture.width
                    assert 0 < item.y < picture.height


def test_posters_turn_and_cards_do_not() -> None:
    view = board()
    plain, turned = (draw_sized(view, "en", "full", 40.0, turned=turned) for turned in (False, True))
    corner = Square(0, 0)
    assert plain.place.centre(corner)[0] < turned.place.centre(corner)[0]
    poster = Kit(same("Game"), same("Board"), "", (Poster("boards", same("Board"), view, 40.0, board(names=False)),))
    for lang in ("en", "ja"):
        for paper in ("a4", "letter"):
            print_options = PrintSettings("en" if lang == "en" else "ja", paper, turned=True)
            assert preflight(print_kit(poster, print_options), paper, None) == []
    card = CardView("A1", same("Line"), "pennant", WILD, (), same("house"))
    pieces = (Piece(same("A1"), card, Back("pennant", same("Set"))),)
    cards = Kit(same("Game"), same("Cards"), "", (Run("cards", same("Cards"), pieces, "card"),))
    assert print_kit(cards, PrintSettings("en", turned=True)) == print_kit(cards, PrintSettings("en"))
