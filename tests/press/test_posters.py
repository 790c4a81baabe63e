"""Tests for posters with tiles that join exactly and backs that are behind their fronts."""

from __future__ import annotations

import io
from collections.abc import Iterator
from itertools import pairwise

import pikepdf
import pypdfium2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageChops

from generator.grid.hexes import field
from generator.model.picture import Path, Text
from generator.model.views import Kit, MapView, Note, Poster
from generator.model.words import Lang, Words, same
from generator.press.book import print_kit
from generator.press.check.preflight import preflight
from generator.press.figures.maps import draw_sized
from generator.press.layout.fitting import text_box
from generator.press.layout.imposition import Flip, Imposition
from generator.press.layout.paper import EDGE, find_paper, papers
from generator.press.layout.print_settings import PrintSettings
from generator.press.pdf.units import MM
from generator.press.posters import marks
from generator.press.tiling import MARK_ROOM, OVERLAP, Tiling, split_axis, tile_picture
from tests.press.boards import FIELD, board, city

EXACT = 0.005
"""Distance in mm below which two positions count as equal."""

NOTES = tuple(Note(at, same(text), 0.3) for text, at in (("#1", (5.0, -1.6)), ("#3", (5.0, 11.6))))
BOARD, CITY = board(notes=NOTES), city()
WOODS = MapView(field((9, 8, 9)), dict.fromkeys(field((9, 8, 9)).cells, "woods"))
BACK = MapView(FIELD, dict.fromkeys(FIELD.cells, "open"), names=False)


def poster(view: MapView, cell: float, back: MapView | None = None) -> Kit:
    of = Poster("boards", Words("Crossing", "渡し場"), view, cell, back, Words("house", "独自"))
    return Kit(Words("Game", "ゲーム"), Words("Boards", "盤"), "K7Q2M-9FHN5", (of,))


def tiling(view: MapView, cell: float, paper: str = "a4") -> Tiling:
    return tile_picture(draw_sized(view, "en", "full", cell), find_paper(paper))


def origins(pdf: bytes) -> list[tuple[float, float, bool]]:
    """Return the corner of the whole picture on each page in mm and whether the picture is upside down."""
    found = []
    for page in pikepdf.open(io.BytesIO(pdf)).pages:
        for step in pikepdf.parse_content_stream(page):
            numbers = [float(n) for n in step.operands] if str(step.operator) == "cm" else []
            if numbers and abs(abs(numbers[0]) - MM) < 1e-5:
                found.append((numbers[4] / MM, numbers[5] / MM, numbers[0] < 0))
                break
    return found


@pytest.mark.parametrize(("view", "cell"), [(BOARD, 52.0), (CITY, 40.0), (WOODS, 60.0), (BOARD, 80.0)])
@pytest.mark.parametrize("paper", papers())
def test_neighbouring_tiles_lie_exactly_one_step_apart(view: MapView, cell: float, paper: str) -> None:
    of = tiling(view, cell, paper)
    _, *tiles = origins(print_kit(poster(view, cell), PrintSettings("en", paper)))
    assert len(tiles) == len(of.tiles) > 1
    places = dict(zip(of.tiles, tiles, strict=True))
    for (column, row), (x, y, _) in places.items():
        if (column + 1, row) in places:
            right = places[column + 1, row]
            assert abs(x - right[0] - of.across.step) < EXACT
            assert abs(y - right[1]) < EXACT
        if (column, row + 1) in places:
            below = places[column, row + 1]
            assert abs(below[1] - y - of.down.step) < EXACT
            assert abs(below[0] - x) < EXACT


def test_a_name_on_two_tiles_is_shifted_by_one_step() -> None:
    """The test compares the positions of the same name on adjacent tiles."""
    of = tiling(BOARD, 80.0)
    document = pypdfium2.PdfDocument(print_kit(poster(BOARD, 80.0), PrintSettings("en")))
    at: dict[str, list[tuple[float, float]]] = {}
    for number in range(1, len(document)):
        text = document[number].get_textpage()
        for name in ("a1", "b1", "c1", "d1", "e1"):
            if match := text.search(name, match_case=True, match_whole_word=True).get_next():
                left, bottom, _, _ = text.get_charbox(match[0], loose=True)
                at.setdefault(name, []).append((left / MM, bottom / MM))
    twice = [pair for pair in at.values() if len(pair) == 2]
    assert twice
    for (ax, ay), (bx, by) in twice:
        # The tiles are adjacent horizontally or vertically.
        apart = (of.across.step, 0.0) if abs(ay - by) < 0.01 else (0.0, of.down.step)
        assert (abs(ax - bx), abs(ay - by)) == pytest.approx(apart, abs=0.01)
    document.close()


def test_the_overlap_of_two_tiles_looks_the_same() -> None:
    """The test uses 100 dots per inch and steps of whole inches, and ignores cut lines and marks."""
    view = board(names=False)
    of = tiling(view, 50.8)
    assert of.across.step == pytest.approx(152.4)
    document = pypdfium2.PdfDocument(print_kit(poster(view, 50.8), PrintSettings("en")))
    left, right = (document[number].render(scale=100 / 72, grayscale=True).to_pil() for number in (1, 2))
    document.close()
    inch = 25.4
    x0, y0 = of.corner[0] / inch * 100, of.corner[1] / inch * 100
    joint = round(x0 + of.across.step / inch * 100)
    wide, high = round(8 / inch * 100), round(60 / inch * 100)
    start = round(y0 + of.down.visible(0)[0] + 100)
    here = left.crop((joint + 8, start, joint + wide, start + high))
    there = right.crop((round(x0) + 8, start, round(x0) + wide, start + high))
    assert isinstance(here, Image.Image)
    assert len([n for n in here.histogram() if n]) > 4
    apart = ImageChops.difference(here, there).histogram()
    assert sum(apart[40:]) < 0.02 * sum(apart)


@pytest.mark.parametrize("flip", ["long", "short"])
@pytest.mark.parametrize(("cell", "paper"), [(52.0, "a4"), (80.0, "letter"), (25.0, "a4"), (40.0, "a4")])
def test_backs_lie_exactly_behind_their_fronts(cell: float, paper: str, flip: Flip) -> None:
    pdf = print_kit(poster(BOARD, cell, BACK), PrintSettings("en", paper, imposition=Imposition(flip=flip)))
    document = pikepdf.open(io.BytesIO(pdf))
    width, height = (float(side) / MM for side in document.pages[-1].mediabox[2:])
    whole = draw_sized(BOARD, "en", "full", cell, (BACK,)).picture
    sides = origins(pdf)
    sides = sides[len(sides) % 2 :]
    for (x, y, up), (u, v, turned) in zip(sides[::2], sides[1::2], strict=True):
        assert not up
        upright = (flip == "long") == (width < height)
        assert turned is not upright
        if turned:
            u, v = u - whole.width, v - whole.height
        mirrored = (width - x - whole.width, y) if upright else (x, height - y - whole.height)
        assert abs(u - mirrored[0]) < EXACT
        assert abs(v - mirrored[1]) < EXACT


def test_both_sides_of_a_poster_are_as_large() -> None:
    front, back = (draw_sized(a, "en", "full", 30.0, (b,)) for a, b in ((BOARD, BACK), (BACK, BOARD)))
    assert (front.picture.width, front.picture.height) == (back.picture.width, back.picture.height)
    assert front.place == back.place
    assert front.place.side == 30.0
    assert draw_sized(WOODS, "en", "full", 30.0).place.side == pytest.approx(30.0 / 3**0.5)


def texts(pdf: bytes) -> Iterator[str]:
    document = pypdfium2.PdfDocument(pdf)
    for page in document:
        yield page.get_textpage().get_text_range()
    document.close()


@pytest.mark.parametrize(("view", "cell"), [(BOARD, 52.0), (CITY, 40.0), (WOODS, 38.0)])
def test_every_name_stands_whole_on_some_tile_and_every_tile_says_which_it_is(view: MapView, cell: float) -> None:
    of = tiling(view, cell)
    plan, *tiles = texts(print_kit(poster(view, cell), PrintSettings("en")))
    words = {word for tile in tiles for word in tile.split()}
    assert {view.grid.name(c) for c in view.grid.cells} <= words
    assert {note.text.en for note in view.notes} <= words
    for number, (tile, text) in enumerate(zip(of.tiles, tiles, strict=True), 1):
        assert of.number(tile) == number
        assert f"sheet {number} of {len(of.tiles)}" in text
        assert str(number) in plan.split()
        assert "Crossing" in text


def mark_text(key: str) -> str:
    return {"tile_right": "sheet {n} →", "tile_below": "↓ sheet {n}"}[key]


def test_joining_marks_match_on_neighbouring_pages() -> None:
    of = tiling(CITY, 40.0)
    assert of.across.count > 2
    assert of.down.count > 1

    def diamonds(tile: tuple[int, int]) -> set[tuple[float, float]]:
        found = [m.steps for m in marks(of, tile, mark_text) if isinstance(m, Path) and len(m.steps) == 5]
        return {(round(float(s[1][1]), 2), round(float(s[0][2]), 2)) for s in found}

    for column, row in of.tiles:
        here = diamonds((column, row))
        if column + 1 < of.across.count:
            there = {(round(x + of.across.step, 2), y) for x, y in diamonds((column + 1, row))}
            assert len(here & there) == 2
        if row + 1 < of.down.count:
            there = {(x, round(y - of.down.step, 2)) for x, y in diamonds((column, row + 1))}
            assert len(here & there) == 2


def test_marks_keep_off_the_edge_and_names_of_neighbours_off_the_map() -> None:
    for view, cell in ((BOARD, 52.0), (CITY, 40.0), (WOODS, 38.0)):
        of = tiling(view, cell)
        for tile in of.tiles:
            left, bottom, right, top = of.box(tile)
            for mark in marks(of, tile, mark_text):
                if isinstance(mark, Text):
                    assert mark.y < bottom
                    assert text_box(mark)[2] <= of.page[0] - EDGE + EXACT
                elif isinstance(mark, Path):
                    ends = [(float(s[1]), float(s[2])) for s in mark.steps if len(s) > 1]
                    assert all(EDGE <= x <= of.page[0] - EDGE and EDGE <= y <= of.page[1] - EDGE for x, y in ends)
            assert left >= EDGE + MARK_ROOM - 1
            assert right <= of.page[0] - EDGE - MARK_ROOM + 1
            assert top <= of.page[1] - EDGE - MARK_ROOM + 1
            assert bottom >= EDGE + MARK_ROOM - 1


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize(("paper", "ink"), [("a4", "full"), ("letter", "saver")])
def test_posters_pass_preflight(paper: str, ink: str, lang: Lang) -> None:
    for view, cell, back in ((BOARD, 52.0, BACK), (CITY, 40.0, None), (WOODS, 20.0, None)):
        assert preflight(print_kit(poster(view, cell, back), PrintSettings(lang, paper, ink)), paper, lang) == []


def test_a_map_that_fits_on_a_page_gets_no_plan_and_no_marks() -> None:
    pages = list(texts(print_kit(poster(BOARD, 30.0), PrintSettings("en"))))
    assert len(pages) == 1
    assert "sheet" not in pages[0]
    assert len(list(texts(print_kit(poster(BOARD, 30.0, BACK), PrintSettings("en"))))) == 2
    assert (
        len(
            list(texts(print_kit(poster(BOARD, 30.0, BACK), PrintSettings("en", imposition=Imposition(single=True)))))
        )
        == 1
    )


def test_the_page_lies_as_fewer_of_them_are_needed() -> None:
    assert not tiling(BOARD, 30.0).landscape
    long = MapView(field((9,) * 3), dict.fromkeys(field((9,) * 3).cells, "clear"))
    assert tiling(long, 25.0).landscape
    assert len(tiling(long, 25.0).tiles) == 1


def test_a_poster_is_bookmarked_and_its_cells_may_be_made_larger() -> None:
    pdf = print_kit(poster(BOARD, 30.0), PrintSettings("en", imposition=Imposition(hex=60.0)))
    document = pikepdf.open(io.BytesIO(pdf))
    with document.open_outline() as outline:
        assert [entry.title for entry in outline.root] == ["Crossing"]
    assert len(document.pages) > 2


def test_a_large_map_is_written_once_for_all_its_tiles() -> None:
    kit = poster(city(30, 20), 40.0)
    pdf = print_kit(kit, PrintSettings("en"))
    pages = len(pikepdf.open(io.BytesIO(pdf)).pages)
    assert pages > 15
    assert len(pdf) < 12_000 * pages


@given(st.floats(1, 3000), st.floats(60, 300), st.floats(2, 80), st.lists(st.floats(0, 3000), max_size=12))
def test_tiles_cover_the_whole_and_fit_their_pages(total: float, room: float, period: float, at: list[float]) -> None:
    lines = [n * period for n in range(int(total / period) + 1)]
    axis = split_axis(total, room, period, lines, [(x, x + 3) for x in at])
    fewer = (axis.count - 2) * (room - OVERLAP) + room if axis.count > 1 else 0.0
    assert total > fewer - 1e-3
    seen = [axis.visible(i) for i in range(axis.count)]
    assert seen[0][0] == 0.0
    assert seen[-1][1] == total
    assert all(a[1] == pytest.approx(b[0]) for a, b in pairwise(seen))
    for i in range(axis.count):
        first, last = axis.printed(i)
        assert last - first <= room + 1 + 1e-3
        assert axis.start(i) <= first + 1 + 1e-6
        if i < axis.count - 1:
            assert last == pytest.approx(min(total, axis.visible(i)[1] + OVERLAP))


def test_joints_run_along_squares() -> None:
    of = tiling(BOARD, 52.0)
    place = draw_sized(BOARD, "en", "full", 52.0).place
    for i in range(1, of.across.count):
        squares = (of.across.start(i) - place.at((-1.0, 0.0))[0]) / 52.0
        assert squares == pytest.approx(round(squares))


def test_a_tile_names_the_sheets_that_are_laid_over_it() -> None:
    of = tiling(CITY, 40.0)
    across = of.across.count
    letters = [mark.text for mark in marks(of, (0, 0), mark_text) if isinstance(mark, Text)]
    assert letters == ["sheet 2 →", f"↓ sheet {across + 1}"]
    assert [mark for mark in marks(of, of.tiles[-1], mark_text) if isinstance(mark, Text)] == []
