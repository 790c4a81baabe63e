"""A kit, or several, as one PDF: one sheet after the other, so that only its pages are held."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING

from msgspec.structs import replace

from generator import process
from generator.model.views import Kit, Run
from generator.press import Progress, silent
from generator.press.layout.edition import Edition
from generator.press.layout.furniture import label_pages
from generator.press.pdf import fonts
from generator.press.pdf.canvas import Canvas
from generator.press.pdf.counting import Counting
from generator.press.pdf.fields import Form
from generator.press.posters import PosterPage
from generator.press.runs import RunPage, both_sides, run_pages, sharing
from generator.press.sandbox import sandbox
from generator.store.write import Draft

if TYPE_CHECKING:
    from collections.abc import Iterable
from generator.press.sheets import BLANK, AnySheet, Press, SpokenPage, blaming, links_of

_MANY = 50
"""Pages of a print that is long enough for its garbage to matter."""


def print_kit(kit: Kit, edition: Edition, progress: Progress = silent, packed: bool = True) -> bytes:
    """The PDF of a kit; where it is only looked at and thrown away it need not be packed, which takes time.

    DoesNotFitError names a sheet that does not fit and the text at which it ran over, DataError a tag that is
    unknown or a character that has no glyph. Where a person's own words need it, an English kit takes the larger
    fonts of a Japanese one. With templates of a person's own it is made in the sandbox.
    """
    return bytes(print_kits((kit,), edition, progress, packed))


def print_kits(kits: Collection[Kit], edition: Edition, progress: Progress = silent, packed: bool = True) -> Draft:
    """The PDF of kits one behind the other, each with its bookmark; all else is as `print_kit` has it.

    Each is asked for when its turn comes, and let go then: what makes them as they are asked for holds none.
    """
    lang = "ja" if "ja" in edition.langs else edition.lang
    given = tuple(_bare(kit) for kit in kits) if edition.templates else kits
    make = partial(sandbox.confined, edition, Draft, _printed, given, edition, packed, progress=progress)
    return fonts.enough(lang, make, progress)


def _bare(kit: Kit) -> Kit:
    return replace(kit, usual=kit.sheets, more=())


def _printed(kits: Collection[Kit], edition: Edition, packed: bool, progress: Progress) -> Draft:
    canvas = Canvas(edition.sheet.size(), edition.lang, packed)
    canvas.show_outline()
    run = _Running(canvas, edition, progress, len(kits))
    for kit in kits:
        run.kit(kit)
        # What made the kit may hold it until it makes the next.
        del kit
    progress(run.title, 1.0)
    run.close()
    return canvas.finish()


class _Running:
    """The kits printed so far, and the canvas they went onto."""

    def __init__(self, canvas: Canvas, edition: Edition, progress: Progress, kits: int) -> None:
        self.canvas, self.edition, self.progress, self.kits = canvas, edition, progress, kits
        self.form = Form(canvas) if edition.fillable else None
        self.counting = Counting(canvas)
        self.labels: list[tuple[int, str, str, int]] = []
        """How many pages lie before a part, the part, what it is called, and what its first page is numbered."""
        self.numbered = Counter[str]()
        self.printed = self.rows = 0
        self.title = ""

    def kit(self, kit: Kit) -> None:
        """Print all of it."""
        canvas, edition, form, counting = self.canvas, self.edition, self.form, self.counting
        self.title = kit.title[edition.lang]
        if not self.printed:
            canvas.describe(f"{kit.game[edition.lang]} · {self.title}", kit.stamp)
        presses = [Press(canvas, kit, edition, lang, form) for lang in edition.langs]
        first, deep = presses[0], int(self.kits > 1)
        rows = [row for sheet in sharing(kit.sheets, edition) for row in _rows(sheet, presses)]
        links = links_of([(sheet, press, _key(self.rows + at)) for at, (sheet, press, _) in enumerate(rows)])
        if deep:
            first.bookmark(f"kit{self.rows}", f"{kit.game[edition.lang]} · {self.title}", 0)
        done = 0
        for part, group in groupby(rows, key=lambda row: row[0].part):
            sheets = list(group)
            name = first.word("part", part)
            if len(sheets) > 1:
                first.bookmark(f"part{counting.pages}", name, deep)
            self.labels.append((counting.pages, part, name, self.numbered[part] + 1))
            for sheet, press, lay in sheets:
                self.progress(press.name(sheet), (self.printed + done / len(rows)) / self.kits)
                key = _key(self.rows + done)
                canvas.links = {text: there for text, there in links.items() if there != key}
                done += 1
                pages = _paired(lay(), press, counting.pages)
                press.bookmark(key, press.name(sheet), deep + (len(sheets) > 1))
                if form:
                    form.open(sheet.part, press.name(sheet), "" if press is first else f"-{press.lang}")
                self.numbered[part] += len(pages)
                self.pages(sheet, pages)
        self.rows += len(rows)
        self.printed += 1

    def pages(self, sheet: AnySheet, pages: Iterable[SpokenPage]) -> None:
        """A sheet's pages."""
        for speaker, page in pages:
            with blaming(sheet):
                speaker.print(sheet, page, self.counting.pages + 1, self.counting)
            if self.form:
                self.form.turn()
            self.counting.turn()
            if self.counting.pages == _MANY:
                process.collect_rarely()

    def close(self) -> None:
        """Nothing more is printed."""
        for before, part, name, first in self.labels:
            label_pages(self.canvas, before, name, first, self.numbered[part])
        self.counting.close()
        if self.form:
            self.form.close()


def _key(row: int) -> str:
    """The bookmark of what is printed as the so manyth."""
    return f"sheet{row}"


def _rows(sheet: AnySheet, presses: list[Press]) -> list[_Row]:
    """A sheet in one language after the other, or back to back, and how to lay out its pages."""
    first, *others = presses
    edition = first.edition
    if isinstance(sheet, Run):
        if sheet.cut != "card":
            # Tokens and tiles bear no words.
            others = []
        elif others and not edition.imposing.single:
            speakers = {press.lang: press for press in presses}
            back_to_back = partial(run_pages, both_sides(sheet), edition, *edition.langs)
            return [(sheet, first, lambda: [(speakers[page.lang], page) for page in back_to_back()])]
    return [(sheet, press, partial(press.lay, sheet)) for press in (first, *others)]


def _paired(pages: list[SpokenPage], press: Press, number: int) -> list[SpokenPage]:
    """Pages that follow so many, with blank ones put in so that fronts stand on odd pages.

    The whole may be printed on both sides.
    """
    found: list[SpokenPage] = []
    for speaker, page in pages:
        if isinstance(page, RunPage | PosterPage) and page.paired and not page.back and (number + len(found)) % 2:
            found.append((press, BLANK))
        found.append((speaker, page))
    return found


_Row = tuple[AnySheet, Press, Callable[[], list[SpokenPage]]]
"""A sheet, whose bookmark it gets, and what lays out its pages."""
