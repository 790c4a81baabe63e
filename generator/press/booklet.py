"""Arrange finished pages as a booklet, with two pages per side in the order for folding."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import NamedTuple

import pikepdf

from generator.store.manifest import seal

# One landscape page may extend over both facing pages in the middle of the booklet. Other landscape pages are rotated
# by 90°. Blank pages are only at the end.

PAGES_PER_SHEET = 4
"""Number of booklet pages on the two sides of one sheet of paper."""


class SheetSide(NamedTuple):
    """The left and right page on one side of a sheet, counted from 0. None is a blank page.

    If both are the same page, this page covers the whole side.
    """

    left: int | None
    right: int | None


def sheet_sides(wide: Sequence[bool]) -> list[SheetSide]:
    """Return the sides of the sheets in printing order, for turning over the short edge.

    `wide` states for each page whether it is landscape.
    """
    spread = next((page for page, across in enumerate(wide) if across), None)
    others: list[int | None] = [page for page in range(len(wide)) if page != spread]
    count = -(-(len(others) + (0 if spread is None else 2)) // PAGES_PER_SHEET) * PAGES_PER_SHEET
    if spread is not None:
        middle = count // 2 - 1
        # Blank pages at the end must not shift the spread away from the middle.
        others += [None] * (count - 2 - len(others))
        others[middle:middle] = [spread, spread]
    order = [*others, *([None] * (count - len(others)))]
    found = []
    for number in range(count // 2):
        pair = order[number], order[count - 1 - number]
        found.append(SheetSide(*(pair if number % 2 else reversed(pair))))
    return found


def booklet(pdf: bytes, size: tuple[float, float]) -> tuple[bytes, float]:
    """Return the booklet of a PDF, and the scale of its pages.

    `size` is the size of the sheets in portrait format, in points.
    """
    out, scale = io.BytesIO(), 1.0
    with pikepdf.open(io.BytesIO(pdf)) as printed, pikepdf.new() as made:
        pages = [pikepdf.Page(page) for page in printed.pages]
        boxes = [[float(side) for side in page.mediabox] for page in pages]
        wide = [box[2] - box[0] > box[3] - box[1] for box in boxes]
        high, across = size
        for side in sheet_sides(wide):
            sheet = pikepdf.Page(made.add_blank_page(page_size=(across, high)))
            whole = side.left is not None and side.left == side.right
            halves = [(side.left, 0.0, across)] if whole else [
                (side.left, 0.0, across / 2),
                (side.right, across / 2, across),
            ]  # fmt: skip
            for number, left, right in halves:
                if number is None:
                    continue
                if wide[number] and not whole:
                    pages[number].rotate(90, relative=False)
                box = boxes[number]
                long, short = max(box[2] - box[0], box[3] - box[1]), min(box[2] - box[0], box[3] - box[1])
                room = (right - left, high) if not whole else (high, right - left)
                scale = min(scale, room[0] / short, room[1] / long)
                # The form is added under an explicit name. pikepdf's add_overlay() would add the page again for each
                # placement.
                drawn = made.copy_foreign(pages[number].as_form_xobject())
                name = sheet.add_resource(drawn, pikepdf.Name.XObject, pikepdf.Name(f"/Page{number}"))
                rect = pikepdf.Rectangle(left, 0, right, high)
                placed = sheet.calc_form_xobject_placement(
                    drawn, name, rect, invert_transformations=True, allow_shrink=True, allow_expand=True
                )
                sheet.contents_add(placed)
        if "/Lang" in printed.Root:
            made.Root.Lang = pikepdf.String(str(printed.Root.Lang))
        made.Root.ViewerPreferences = pikepdf.Dictionary(Duplex=pikepdf.Name.DuplexFlipShortEdge)
        for key, value in printed.docinfo.items():
            made.docinfo[key] = str(value)
        made.save(out, static_id=True)
    return seal(out.getvalue()), scale
