"""Finished prints taken apart: what one says and shows, as one hash; and one imposed as a booklet.

The hash is equal wherever the same thing was printed. The bytes of a PDF are not: its streams are packed by whatever
zlib is there, and its fonts are cut by whatever fontTools is there. So the hash is of what is left when everything is
unpacked: operators, boxes, resources, what each code of a font reads, fields, bookmarks and the numbers on pages.
The outlines of letters are left out.

A booklet has two of its pages on each side of a sheet, in the order for folding in the middle. What lies across the
page, one sheet of it, takes the two pages in the middle, which face each other, and is as large as both; others of it
are turned a quarter. Blank pages stand at the end alone.
"""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import pikepdf

from generator.store.manifest import seal

_LEFT_OUT = {"/Parent", "/Length", "/Filter", "/DecodeParms", "/FontDescriptor"}
"""Keys that say how something is packed or where it hangs, and the letters' outlines."""
_WHOLE = ("/PageLabels", "/AcroForm", "/Names", "/Lang", "/ViewerPreferences")
"""What of the document belongs to its content, beside its pages and bookmarks."""
_TOLD = ("/Title", "/Subject", "/Author")
_TAG = re.compile(rb"/[A-Z]{6}\+")


def content_hash(pdf: bytes) -> str:
    """The SHA-256 of a PDF's content, in hexadecimal."""
    with pikepdf.open(io.BytesIO(pdf)) as document:
        content = _Content(document)
        return hashlib.sha256(b"\n".join(content.parts())).hexdigest()


class EncryptedPdfError(ValueError):
    """A PDF that opens with a password only."""


def filled(pdf: bytes) -> tuple[Mapping[str, str], ...]:
    """What was filled in, page by page, by the fields' own names: a text, `1` for a tick, empty where nothing is.

    ValueError if it cannot be read as a PDF, EncryptedPdfError if it has a password.
    """
    try:
        with pikepdf.open(io.BytesIO(pdf)) as document:
            return tuple(dict(_fields(page.get("/Annots", ()))) for page in document.pages)
    except pikepdf.PasswordError as error:
        raise EncryptedPdfError(str(error)) from error
    except (pikepdf.PdfError, TypeError, ValueError) as error:
        raise ValueError(str(error)) from error


def _fields(notes: Any) -> Iterator[tuple[str, str]]:
    for note in notes:
        if not isinstance(note, pikepdf.Dictionary) or "/T" not in note:
            continue
        value = note.get("/V")
        if note.get("/FT") == pikepdf.Name.Btn:
            # A viewer that ticks a box sets its state; what forgets the value is none the less ticked.
            state = note.get("/AS", value)
            yield str(note.T), "" if state in (None, pikepdf.Name.Off) else "1"
        else:
            yield str(note.T), "" if value is None or isinstance(value, pikepdf.Stream) else str(value).strip()


def page_count(pdf: bytes) -> int:
    """How many pages a PDF has."""
    with pikepdf.open(io.BytesIO(pdf)) as document:
        return len(document.pages)


def excerpt(pdf: bytes, runs: Sequence[range]) -> bytes:
    """These runs of a print's pages, by their numbers from 1, as they stand there, with bookmarks and labels.

    A run is a whole bundle of a print of bundles.
    """
    out = io.BytesIO()
    document: Any
    outline: Any
    with pikepdf.open(io.BytesIO(pdf)) as document:
        old = document.Root.PageLabels.Nums
        labels = {int(old[at]) + 1: old[at + 1] for at in range(0, len(old), 2)}
        begin, nums = 0, []
        for run in runs:
            nums += [begin, labels[run.start]]
            begin += len(run)
        document.Root.PageLabels.Nums = pikepdf.Array(nums)
        numbers = {page.objgen: number for number, page in enumerate(document.pages, 1)}
        firsts = [run.start for run in runs]
        with document.open_outline() as outline:
            outline.root[:] = [one for one in outline.root if numbers[one.destination[0].objgen] in firsts]
        kept = {number for run in runs for number in run}
        for number in range(len(document.pages), 0, -1):
            if number not in kept:
                del document.pages[number - 1]
        document.save(out, deterministic_id=True)
    return out.getvalue()


class _Content:
    """A document on its way to a hash; what several pages use is unpacked once."""

    def __init__(self, document: Any) -> None:
        self.document = document
        self.known = {page.objgen: b"page %d" % number for number, page in enumerate(document.pages, 1)}

    def parts(self) -> Iterator[bytes]:
        """Page by page, then what belongs to the whole document."""
        for page in self.document.pages:
            yield self.table(page.obj)
        yield from self.bookmarks(self.document.Root.get("/Outlines"))
        for owner, keys in ((self.document.Root, _WHOLE), (self.document.docinfo, _TOLD)):
            for key in keys:
                if key in owner:
                    yield key.encode() + self.value(owner[key])

    def bookmarks(self, entry: Any, depth: int = 0) -> Iterator[bytes]:
        """Below an entry, in their order; not by the links between them, which lead round in circles."""
        below = entry.get("/First") if entry is not None else None
        while below is not None:
            told = {key: below[key] for key in ("/Title", "/Dest", "/A") if key in below}
            yield b"%d %b" % (depth, b" ".join(key.encode() + self.value(value) for key, value in told.items()))
            yield from self.bookmarks(below, depth + 1)
            below = below.get("/Next")

    def value(self, value: Any) -> bytes:
        """One object; one that stands for itself in the file as a hash."""
        if not isinstance(value, pikepdf.Object):
            return str(value).encode()
        if not value.is_indirect:
            return self.direct(value)
        if value.objgen not in self.known:
            # Where a way leads back to it from within, it ends there.
            self.known[value.objgen] = b"within"
            self.known[value.objgen] = hashlib.sha256(self.direct(value)).digest()
        return self.known[value.objgen]

    def direct(self, value: Any) -> bytes:
        """An object as it stands."""
        if isinstance(value, pikepdf.Stream):
            return self.table(value) + b"stream" + value.read_bytes()
        if isinstance(value, pikepdf.Dictionary):
            return self.table(value)
        if isinstance(value, pikepdf.Array):
            return b"[%b]" % b" ".join(self.value(element) for element in value)
        return _TAG.sub(b"/", bytes(value.unparse()))

    def table(self, value: Any) -> bytes:
        """A dictionary by its keys."""
        rows = (key.encode() + b" " + self.value(value[key]) for key in sorted(value.keys()) if key not in _LEFT_OUT)
        return b"<<%b>>" % b" ".join(rows)


A_SHEET = 4
"""Pages on the two sides of a sheet of paper."""


class SheetSide(NamedTuple):
    """One side of a sheet: the pages at its left and at its right, counted from 0; None is blank.

    Where both are the same, one page lies over the whole side.
    """

    left: int | None
    right: int | None


def sides(wide: Sequence[bool]) -> list[SheetSide]:
    """The sides in the order of printing, over the short edge; `wide` says of each page whether it lies across."""
    spread = next((page for page, across in enumerate(wide) if across), None)
    others: list[int | None] = [page for page in range(len(wide)) if page != spread]
    count = -(-(len(others) + (0 if spread is None else 2)) // A_SHEET) * A_SHEET
    if spread is not None:
        middle = count // 2 - 1
        # Blank pages must not come to stand before the middle.
        others += [None] * (count - 2 - len(others))
        others[middle:middle] = [spread, spread]
    order = [*others, *([None] * (count - len(others)))]
    found = []
    for number in range(count // 2):
        pair = order[number], order[count - 1 - number]
        found.append(SheetSide(*(pair if number % 2 else reversed(pair))))
    return found


def booklet(pdf: bytes, size: tuple[float, float]) -> tuple[bytes, float]:
    """The booklet of a print, on upright sheets of that size in points, and the share at which its pages stand."""
    out, scale = io.BytesIO(), 1.0
    with pikepdf.open(io.BytesIO(pdf)) as printed, pikepdf.new() as made:
        pages = [pikepdf.Page(page) for page in printed.pages]
        boxes = [[float(side) for side in page.mediabox] for page in pages]
        wide = [box[2] - box[0] > box[3] - box[1] for box in boxes]
        high, across = size
        for side in sides(wide):
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
                # Under names of our own: an overlay's would be drawn anew each time.
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
