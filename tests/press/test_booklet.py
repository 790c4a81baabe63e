"""Tests for booklets, with pages in folding order, blank pages at the end, and landscape pages in the middle."""

from __future__ import annotations

import io

import pikepdf
import pytest

from generator.press.booklet import PAGES_PER_SHEET, SheetSide, booklet, sheet_sides
from generator.store.manifest import sealed

A4 = 595.276, 841.89


def folded(of: list[SheetSide]) -> list[int | None]:
    """Return the page numbers in reading order after the sheets are stacked and folded in the middle."""
    turned: list[int | None] = []
    for front, back in zip(of[::2], of[1::2], strict=True):
        turned += [front.right, back.left]
    for front, back in reversed(list(zip(of[::2], of[1::2], strict=True))):
        turned += [back.right, front.left]
    return turned


@pytest.mark.parametrize("count", range(1, 18))
def test_folded_the_pages_follow_one_another_and_blank_ones_come_last(count: int) -> None:
    order = folded(sheet_sides([False] * count))
    assert len(order) % PAGES_PER_SHEET == 0
    assert len(order) < count + PAGES_PER_SHEET
    assert order == [*range(count), *([None] * (len(order) - count))]


@pytest.mark.parametrize("count", range(4, 18))
@pytest.mark.parametrize("across", [0, 2])
def test_what_lies_across_takes_the_two_pages_in_the_middle(count: int, across: int) -> None:
    order = folded(sheet_sides([page == across for page in range(count)]))
    middle = len(order) // 2
    assert order[middle - 1 : middle + 1] == [across, across]
    others = [page for page in order if page not in (across, None)]
    assert others == [page for page in range(count) if page != across]
    assert None not in order[: count + 1]
    last = sheet_sides([page == across for page in range(count)])[-1]
    assert last == (across, across)


def print_of(*sizes: tuple[float, float]) -> bytes:
    out = io.BytesIO()
    with pikepdf.new() as made:
        for size in sizes:
            made.add_blank_page(page_size=size)
        made.Root.Lang = pikepdf.String("ja")
        made.docinfo["/Title"] = "三つの里程標"
        made.save(out, static_id=True)
    return out.getvalue()


def test_two_pages_stand_on_a_side_and_the_print_keeps_its_title_and_language() -> None:
    upright, level = A4, (A4[1], A4[0])
    made, share = booklet(print_of(level, *[upright] * 5), A4)
    assert share == pytest.approx(0.7071, abs=0.001)
    assert sealed(made)
    with pikepdf.open(io.BytesIO(made)) as found:
        assert [tuple(map(float, page.mediabox[2:])) for page in found.pages] == [pytest.approx(level, abs=0.01)] * 4
        counts = [len(page.Resources.XObject) if "/XObject" in page.Resources else 0 for page in found.pages]
        assert counts == [1, 2, 2, 1]
        assert (str(found.Root.Lang), str(found.docinfo["/Title"])) == ("ja", "三つの里程標")


def test_on_paper_twice_as_large_every_page_keeps_its_size() -> None:
    _, share = booklet(print_of(*[A4] * 3), (A4[1], 2 * A4[0]))
    assert share == pytest.approx(1.0)


def test_the_same_print_makes_the_same_booklet() -> None:
    printed = print_of(*[A4] * 5)
    assert booklet(printed, A4)[0] == booklet(printed, A4)[0]
