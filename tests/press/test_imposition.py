"""Tests for pieces on sheets: each back is exactly behind its front, and marks are outside the printed area."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Iterator
from itertools import product
from typing import Any

import pikepdf
import pypdfium2
import pytest
from msgspec.structs import replace

from generator.errors import DataError, WrongUsageError
from generator.model.picture import XY
from generator.model.views import Back, Face, Kit, Piece, Run, Tile, Token
from generator.model.words import Lang, Words, same
from generator.press.book import print_kit
from generator.press.check.preflight import UNPRINTABLE_EDGE, preflight
from generator.press.layout.imposition import (
    BLEEDS,
    MIN_MARK,
    Cut,
    Flip,
    Imposition,
    Layout,
    card_size,
    card_sizes,
    lay_out,
    trimmed_size,
)
from generator.press.layout.paper import EDGE, find_paper, papers
from generator.press.layout.print_settings import PrintSettings
from generator.press.pdf.units import MM
from generator.press.runs import merge_runs, run_pages
from generator.symbols.theme import theme

GAPS = (0.0, 2.0, 5.0, None)
FLIPS: tuple[Flip, ...] = ("long", "short")
EXACT = 0.005
"""Distance in mm below which two positions count as equal."""


def kit(count: int, cut: Cut = "card") -> Kit:
    face: dict[str, Face] = {
        "card": Back("pennant", Words("Zinnober", "集結")),
        "hex": Token("pennant", "blue", "short_sword"),
        "square": Token("pennant", "blue", "short_sword"),
    }
    front = face.get(cut, Tile("stakes"))
    pieces = tuple(Piece(same(n), front, front) for n in range(count))
    return Kit(same("Game"), same("Pieces"), "", (Run("cards", same("Pieces"), pieces, cut, 20.0),))


def placed(page: pikepdf.Page, piece: XY) -> Iterator[tuple[float, float, bool]]:
    """Yield the lower left corner of every piece on a page in mm, and whether the piece is upside down."""
    width, height = (float(side) / MM for side in page.mediabox[2:])
    content = b" ".join(part.read_bytes() for part in page.Contents)
    for step in re.findall(rb"((?:[-.\d]+ ){6})cm\b", content):  # no text on these pieces matches this pattern
        numbers = [float(n) for n in step.split()]
        if abs(abs(numbers[0]) - MM) < 1e-5 and numbers[1] == 0:
            x, y = numbers[4] / MM, numbers[5] / MM
            if (x, y) == (0.0, 0.0):
                continue  # marks start at the corner of the page
            turned = numbers[0] < 0
            corner = (x - piece[0], y - piece[1]) if turned else (x, y)
            assert -EXACT < corner[0] < width and -EXACT < corner[1] < height
            yield *corner, turned


@pytest.mark.parametrize("size", card_sizes())
@pytest.mark.parametrize("paper", papers())
def test_backs_lie_exactly_behind_their_fronts(paper: str, size: str) -> None:
    piece = card_size(size).width, card_size(size).height
    for gap, flip in product(GAPS, FLIPS):
        count = 99
        for _ in range(3):
            # Fewer pieces may be laid out in the other format, so that a sheet has other room.
            room = len(lay_out(find_paper(paper), "card", piece, count, gap).slots)
            count = 2 * room - max(1, room // 3)
        how = Imposition(size, gap, flip)
        document = pikepdf.open(
            io.BytesIO(print_kit(kit(count), PrintSettings("en", paper, imposition=how), packed=False))
        )
        sides = list(document.pages)
        counts = []
        for front, back in zip(sides[::2], sides[1::2], strict=True):
            page = [float(side) / MM for side in front.mediabox[2:]]
            fronts, backs = list(placed(front, piece)), list(placed(back, piece))
            assert len(fronts) == len(backs)
            counts.append(len(fronts))
            # A turn about the vertical axis keeps heights. A turn about the horizontal axis keeps sides, but upside
            # down.
            upright = (flip == "long") == (page[0] < page[1])
            for (x, y, _), (u, v, turned) in zip(fronts, backs, strict=True):
                mirrored = (page[0] - x - piece[0], y) if upright else (x, page[1] - y - piece[1])
                assert abs(u - mirrored[0]) < EXACT
                assert abs(v - mirrored[1]) < EXACT
                assert turned is not upright
        assert sum(counts) == count
        assert counts[-1] < counts[0]


def test_texts_on_fronts_and_backs_are_at_the_same_position() -> None:
    """The test compares the name in the middle of both faces of a card."""
    for flip, paper in product(FLIPS, papers()):
        pdf = pypdfium2.PdfDocument(print_kit(kit(1), PrintSettings("en", paper, imposition=Imposition(flip=flip))))
        found = []
        for page in (pdf[0], pdf[1]):
            text = page.get_textpage()
            first, count = text.search("Zinnober").get_next()
            ends = [text.get_charbox(i, loose=True) for i in (first, first + count - 1)]
            sides = (
                [min(e[0] for e in ends), max(e[2] for e in ends)],
                [min(e[1] for e in ends), max(e[3] for e in ends)],
            )
            found.append([sum(side) / 2 for side in sides])
        width, height = pdf[0].get_size()
        (x, y), (u, v) = found
        upright = (flip == "long") == (width < height)
        assert abs(x + u - width if upright else x - u) < 0.01 * MM
        assert abs(y - v if upright else y + v - height) < 0.01 * MM


def boxes(layout: Layout, used: int) -> tuple[list[list[float]], list[list[float]]]:
    """Return the trim boxes of all slots and the bleed boxes of the used slots, as left, bottom, right, top."""
    w, h = layout.piece
    trims = [[x, y, x + w, y + h] for x, y in layout.slots]
    bleeds = []
    for i, (left, bottom, right, top) in enumerate(trims[:used]):
        a, b, c, d = layout.bleeds(i)
        bleeds.append([left - a, bottom - b, right + c, top + d])
    return trims, bleeds


@pytest.mark.parametrize("size", card_sizes())
@pytest.mark.parametrize("paper", papers())
def test_marks_keep_off_the_edge_the_bleed_and_blank_slots(paper: str, size: str) -> None:
    piece = card_size(size).width, card_size(size).height
    for gap in GAPS:
        layout = lay_out(find_paper(paper), "card", piece, 99, gap)
        for used in range(1, len(layout.slots) + 1):
            trims, bleeds = boxes(layout, used)
            marks = layout.marks(used)
            assert len(marks) >= 4
            for (ax, ay), (bx, by) in marks:
                assert ax == bx or ay == by
                assert 1.0 - EXACT <= abs(ax - bx) + abs(ay - by) <= 4.0 + EXACT
                low, high = (min(ax, bx), min(ay, by)), (max(ax, bx), max(ay, by))
                assert min(low) >= EDGE - EXACT > UNPRINTABLE_EDGE / MM
                assert high[0] <= layout.page[0] - EDGE + EXACT
                assert high[1] <= layout.page[1] - EDGE + EXACT
                for left, bottom, right, top in (*trims, *bleeds):
                    inside = low[0] < right - EXACT and high[0] > left + EXACT
                    assert not (inside and low[1] < top - EXACT and high[1] > bottom + EXACT)


@pytest.mark.parametrize("size", card_sizes())
@pytest.mark.parametrize("paper", papers())
def test_bleeds_are_whole_and_stay_on_the_paper(paper: str, size: str) -> None:
    piece = card_size(size).width, card_size(size).height
    for gap in GAPS:
        layout = lay_out(find_paper(paper), "card", piece, 99, gap)
        _, bleeds = boxes(layout, len(layout.slots))
        for i, (left, bottom, right, top) in enumerate(bleeds):
            assert left >= EDGE
            assert bottom >= EDGE
            assert right <= layout.page[0] - EDGE
            assert top <= layout.page[1] - EDGE
            # The bleeds of adjacent pieces do not overlap.
            for other in bleeds[i + 1 :]:
                apart = left >= other[2] - EXACT or other[0] >= right - EXACT
                assert apart or bottom >= other[3] - EXACT or other[1] >= top - EXACT
        if gap is None:
            assert all(side == BLEEDS["card"] for i in range(len(layout.slots)) for side in layout.bleeds(i))


def test_a_page_says_its_trim_and_its_bleed() -> None:
    document = pikepdf.open(io.BytesIO(print_kit(kit(3), PrintSettings("en"))))
    for page in document.pages:
        trimmed, bled = ([float(n) / MM for n in page[key]] for key in ("/TrimBox", "/BleedBox"))
        assert trimmed[2] - trimmed[0] == pytest.approx(2 * 63.5 + 6, abs=0.01)
        assert trimmed[3] - trimmed[1] == pytest.approx(2 * 88.9 + 6, abs=0.01)
        assert [t - b for t, b in zip(trimmed, bled, strict=True)] == pytest.approx([3, 3, -3, -3], abs=0.01)


@pytest.mark.parametrize("cut", ["hex", "tile", "square"])
@pytest.mark.parametrize("paper", papers())
def test_hexes_and_tiles_register_too(paper: str, cut: Cut) -> None:
    for gap, flip, width in product(GAPS, FLIPS, (12.0, 20.0, 33.0)):
        how = Imposition(gap=gap, flip=flip, hex=width)
        piece = trimmed_size(cut, 20.0, how)
        document = pikepdf.open(
            io.BytesIO(print_kit(kit(17, cut), PrintSettings("en", paper, imposition=how), packed=False))
        )
        for front, back in zip(document.pages[::2], document.pages[1::2], strict=True):
            page = [float(side) / MM for side in front.mediabox[2:]]
            upright = (flip == "long") == (page[0] < page[1])
            for (x, y, _), (u, v, _) in zip(placed(front, piece), placed(back, piece), strict=True):
                assert abs(u - (page[0] - x - piece[0] if upright else x)) < EXACT
                assert abs(v - (y if upright else page[1] - y - piece[1])) < EXACT


@pytest.mark.parametrize("cut", ["card", "hex", "tile", "square"])
@pytest.mark.parametrize("paper", papers())
def test_fronts_and_backs_meet_exactly_when_the_sheet_is_folded(paper: str, cut: Cut) -> None:
    for gap, size in product(GAPS, ("poker", "tarot") if cut == "card" else ("poker",)):
        how = Imposition(size, gap, fold=True)
        piece = trimmed_size(cut, 20.0, how)
        layout = lay_out(find_paper(paper), cut, piece, 5, gap, fold=True)
        document = pikepdf.open(
            io.BytesIO(print_kit(kit(5, cut), PrintSettings("en", paper, imposition=how), packed=False))
        )
        upright = layout.fold == "upright"
        fronts, backs = [], []
        for page in document.pages:
            found = list(placed(page, piece))
            fronts += found[: len(found) // 2]
            backs += found[len(found) // 2 :]
        assert len(fronts) == len(backs) == 5
        for (x, y, stands), (u, v, turned) in zip(fronts, backs, strict=True):
            assert abs(u - (layout.page[0] - x - piece[0] if upright else x)) < EXACT
            assert abs(v - (y if upright else layout.page[1] - y - piece[1])) < EXACT
            assert not stands
            assert turned is not upright
            # Both faces keep their bleed at the fold.
            bleed = layout.outer
            fold = layout.page[0] / 2 - x - piece[0] if upright else y - layout.page[1] / 2
            assert fold >= bleed - EXACT


@pytest.mark.parametrize("paper", papers())
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_a_folded_run_passes_preflight_and_says_what_to_do(paper: str, lang: Lang) -> None:
    for cut in ("card", "hex", "tile", "square"):
        print_options = PrintSettings(
            lang, paper, second_lang="ja" if lang == "en" else None, imposition=Imposition(fold=True)
        )
        pdf = print_kit(kit(9, cut), print_options)
        assert preflight(pdf, paper, lang) == []
        output = pypdfium2.PdfDocument(pdf)[0].get_textpage().get_text_range()
        assert ("fold along the dashed line" if lang == "en" else "破線で折って") in output


def test_marks_beside_a_fold_keep_to_their_half() -> None:
    for paper, gap, size in product(papers(), GAPS, card_sizes()):
        piece = card_size(size).width, card_size(size).height
        layout = lay_out(find_paper(paper), "card", piece, 99, gap, fold=True)
        trims, bleeds = boxes(layout, len(layout.slots))
        low, high = (layout.page[0] / 2, math.inf) if layout.fold == "upright" else (-math.inf, layout.page[1] / 2)
        for (ax, ay), (bx, by) in layout.marks(len(layout.slots)):
            if layout.fold == "upright":
                assert max(ax, bx) <= low + EXACT
            else:
                assert min(ay, by) >= high - EXACT
            for left, bottom, right, top in (*trims, *bleeds):
                inside = min(ax, bx) < right - EXACT and max(ax, bx) > left + EXACT
                assert not (inside and min(ay, by) < top - EXACT and max(ay, by) > bottom + EXACT)


def test_hexes_of_one_page_do_not_overlap() -> None:
    layout = lay_out(find_paper("a4"), "hex", trimmed_size("hex", 20.0, Imposition()), 999)
    for i, (x, y) in enumerate(layout.slots):
        for u, v in layout.slots[:i]:
            assert ((x - u) ** 2 + (y - v) ** 2) ** 0.5 >= 20.0 + layout.gap - EXACT


def test_pieces_that_fit_upright_lie_upright() -> None:
    assert not lay_out(find_paper("a4"), "card", (63.5, 88.9), 4).landscape
    assert lay_out(find_paper("a4"), "card", (63.5, 88.9), 5).landscape


@pytest.mark.parametrize("paper", papers())
def test_a_run_passes_preflight(paper: str) -> None:
    for cut in ("card", "hex", "tile", "square"):
        assert preflight(print_kit(kit(30, cut), PrintSettings("en", paper)), paper, "en") == []


def test_single_sides_have_no_backs() -> None:
    pdf = print_kit(kit(9), PrintSettings("en", imposition=Imposition(single=True)))
    assert len(pikepdf.open(io.BytesIO(pdf)).pages) == 2


def test_pieces_that_fit_on_no_paper_are_reported() -> None:
    with pytest.raises(DataError, match="does not fit on the paper"):
        lay_out(find_paper("a4"), "card", (300.0, 300.0), 1)
    with pytest.raises(WrongUsageError, match="did you mean poker"):
        card_size("pokers")


def test_squares_are_as_wide_as_a_cell_and_show_tokens_ground_and_backs() -> None:
    assert trimmed_size("square", 25.4, Imposition()) == (25.4, 25.4)
    assert trimmed_size("square", 25.4, Imposition(hex=30.0)) == (30.0, 30.0)
    faces: tuple[Face, ...] = (
        Token("blue", "first", "line", facing=45.0),
        Tile("road"),
        Tile("hilltop"),
        *(Back(shape, same("Camp")) for shape in theme().shape),
    )
    pieces = tuple(Piece(same(n), face) for n, face in enumerate(faces))
    for ink, paper in (("full", "a4"), ("saver", "letter")):
        run = Run("tokens", same("Tokens"), pieces, "square", 20.0)
        assert (
            preflight(
                print_kit(Kit(same("Game"), same("T"), "", (run,)), PrintSettings("en", paper, ink)), paper, "en"
            )
            == []
        )


def test_between_square_tokens_the_paper_stays_white() -> None:
    layout = lay_out(find_paper("a4"), "square", (20.0, 20.0), 99)
    (x, _), (other, _) = layout.slots[:2]
    _, _, right, _ = layout.bleeds(0)
    left, _, _, _ = layout.bleeds(1)
    assert right == left == BLEEDS["square"] < BLEEDS["card"]
    assert (other - left) - (x + 20.0 + right) == pytest.approx(2 * MIN_MARK)


def run(count: int, cut: Cut = "square", title: str = "Pieces", **changes: Any) -> Run:
    (whole,) = kit(count, cut).sheets
    assert isinstance(whole, Run)
    return replace(whole, title=same(title), **changes)


def test_a_run_that_fits_on_the_last_sheet_before_it_is_printed_there() -> None:
    print_options = PrintSettings("en")
    slots = len(run_pages(run(1), print_options, "en")[0].layout.slots)
    (both,) = merge_runs((run(slots - 4, title="Units"), run(4, title="Legates")), print_options)
    assert isinstance(both, Run)
    assert both.title.en == "Units · Legates"
    assert len(both.pieces) == slots
    for other in (run(5), run(4, share=0.9), run(4, part="boards"), run(4, note=same("house")), run(4, "card")):
        apart = (run(slots - 4), other)
        assert merge_runs(apart, print_options) == apart
    without_backs = replace(run(4), pieces=tuple(replace(piece, back=None) for piece in run(4).pieces))
    assert merge_runs((run(4), without_backs), print_options) == (run(4), without_backs)


def test_rectangles_lie_in_the_room_of_hexes_where_that_leaves_them_enough() -> None:
    hexes, tiles = run(5, "hex"), run(3, "tile")
    pdf = print_kit(Kit(same("Game"), same("Pieces"), "", (hexes, tiles)), PrintSettings("en"))
    assert len(pikepdf.open(io.BytesIO(pdf)).pages) == 2
    assert preflight(pdf, "a4", "en") == []
    (both,) = merge_runs((hexes, tiles), PrintSettings("en"))
    assert isinstance(both, Run)
    assert [piece.placed for piece in both.pieces] == [False] * 5 + [True] * 3
    narrow = PrintSettings("en", imposition=Imposition(gap=0.0))
    assert merge_runs((hexes, tiles), narrow) == (hexes, tiles)


def test_a_rectangle_among_hexes_is_cut_out_behind_its_front() -> None:
    for flip in FLIPS:
        how = Imposition(flip=flip)
        whole = Kit(same("Game"), same("Pieces"), "", (run(2, "hex"), run(1, "tile")))
        document = pikepdf.open(io.BytesIO(print_kit(whole, PrintSettings("en", imposition=how))))
        front, back = document.pages
        size = trimmed_size("tile", 20.0, how)
        page = [float(side) / MM for side in front.mediabox[2:]]
        upright = (flip == "long") == (page[0] < page[1])
        *_, (x, y, _) = placed(front, size)
        *_, (u, v, _) = placed(back, size)
        assert abs(u - (page[0] - x - size[0] if upright else x)) < EXACT
        assert abs(v - (y if upright else page[1] - y - size[1])) < EXACT
