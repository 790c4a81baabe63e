"""Bundles of kits as one PDF: what lies on the tables of a tournament, with a bookmark for each table.

A kit that lies on many tables is laid out and drawn once: the body of each of its pages is a Form XObject, which
every table's page shows under a head and a foot of its own.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

from reportlab.pdfbase.pdfdoc import PDFResourceDictionary
from reportlab.pdfgen.canvas import Canvas

from generator.model.views import Bundle, Kit, Sheet
from generator.model.words import Words
from generator.press import jail
from generator.press.book import Press, blaming
from generator.press.canvas import describe
from generator.press.edition import Edition
from generator.press.paper.correction import begin
from generator.press.paper.labels import label_pages
from generator.press.paper.pages import furnish
from generator.press.progress import Progress, silent
from generator.press.sheets.filling import Page
from generator.press.type import fonts
from generator.store.seal import seal


class Bound(NamedTuple):
    """The PDF, how many pages it has, and the page on which each bundle begins, from 1."""

    pdf: bytes
    pages: int
    starts: tuple[int, ...]


def print_bundles(bundles: Sequence[Bundle], title: Words, edition: Edition, progress: Progress = silent) -> Bound:
    """The PDF of bundles of sheets, pages numbered within each; errors are those of `print_kit`."""
    make = partial(jail.confined, edition, Bound, _bound, bundles, title, edition, progress=progress)
    return fonts.enough(edition.lang, make, progress)


def _bound(bundles: Sequence[Bundle], title: Words, edition: Edition, progress: Progress) -> Bound:
    out = io.BytesIO()
    canvas = Canvas(out, edition.sheet.size(), pageCompression=1, invariant=1, lang=edition.lang)
    describe(canvas, title[edition.lang], bundles[0].kits[0].game[edition.lang] if bundles else "")
    canvas.showOutline()
    binder = _Binder(canvas, edition)
    starts = []
    for done, bundle in enumerate(bundles):
        progress(bundle.title[edition.lang], done / len(bundles))
        starts.append(canvas.getPageNumber())
        binder.bind(bundle)
    progress(title[edition.lang], 1.0)
    pages = canvas.getPageNumber() - 1
    canvas.save()
    return Bound(seal(out.getvalue()), pages, tuple(starts))


class _Body(NamedTuple):
    """A page but for its head and foot: the form that draws it."""

    sheet: Sheet
    name: str
    form: str


class _Binder:
    """The kits laid out so far, and the canvas they go onto."""

    def __init__(self, canvas: Any, edition: Edition) -> None:
        self.canvas, self.edition = canvas, edition
        self.laid: dict[int, tuple[Kit, list[_Body]]] = {}
        """By the kit's identity: two kits may be equal without one's knowing the other."""
        self.forms = 0

    def bind(self, bundle: Bundle) -> None:
        """A bundle's pages, each kit's behind one another."""
        lang = self.edition.lang
        bodies = [(kit, body) for kit in bundle.kits for body in self.bodies(kit)]
        label_pages(self.canvas, self.canvas.getPageNumber() - 1, bundle.title[lang], 1, len(bodies))
        for number, (kit, body) in enumerate(bodies, 1):
            press = Press(self.canvas, kit, self.edition, lang)
            key = f"page{self.canvas.getPageNumber()}"
            if number == 1:
                press.bookmark(f"bundle{key}", bundle.title[lang], 0)
            if number == 1 or body.sheet is not bodies[number - 2][1].sheet:
                press.bookmark(key, body.name, 1)
            self.page(press, body, bundle.title[lang], number, len(bodies))

    def bodies(self, kit: Kit) -> list[_Body]:
        """The pages of a kit, drawn as forms where they are not yet."""
        if id(kit) not in self.laid:
            press = Press(self.canvas, kit, self.edition, self.edition.lang)
            sheets = [sheet for sheet in kit.sheets if isinstance(sheet, Sheet)]
            made = [
                _Body(sheet, press.name(sheet), self.form(sheet, page))
                for sheet in sheets
                for page in press.pages(sheet)
            ]
            self.laid[id(kit)] = kit, made
        return self.laid[id(kit)][1]

    def form(self, sheet: Sheet, page: Page) -> str:
        """Draw a page's body as a form, made up for the printer already: it stands on the page as it is."""
        canvas, paper = self.canvas, self.edition.sheet
        self.forms += 1
        name = f"body{self.forms}"
        canvas.beginForm(name, 0, 0, *paper.size(sheet.landscape))
        begin(canvas, paper.sides(sheet.landscape), self.edition.printer)
        left, top = paper.corner(sheet.landscape)
        with blaming(sheet):
            for flowable, depth in page:
                flowable.drawOn(canvas, left, top - depth)
        canvas.endForm(Resources=_resources(canvas))
        return name

    def page(self, press: Press, body: _Body, heading: str, number: int, total: int) -> None:
        """One page of a bundle."""
        canvas, paper, landscape = self.canvas, self.edition.sheet, body.sheet.landscape
        canvas.setPageSize(paper.size(landscape))
        canvas.doForm(body.form)
        begin(canvas, paper.sides(landscape), self.edition.printer)
        above = heading, f"{press.kit.title[press.lang]} · {body.name}"
        below = (
            press.kit.stamp,
            press.foot(),
            press.word("press", "page").format(n=number, m=total),
        )
        furnish(canvas, paper, landscape, above, below)
        canvas.showPage()


def _resources(canvas: Any) -> PDFResourceDictionary:
    """What the form in the making refers to; ReportLab would leave out its transparencies."""
    found = PDFResourceDictionary()
    found.basicFonts()
    found.XObject = canvas._doc.xobjDict(canvas._formsinuse)
    found.ExtGState = canvas._extgstate.getState() or {}
    return found
