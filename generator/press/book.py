"""A kit, or a round of kits, as one PDF.

The whole kit as one PDF: sheet after sheet is laid out and printed, so that none but its pages is held.

Bundles of kits as one PDF: what lies on the tables of a tournament, with a bookmark for each table.

A kit that lies on many tables is laid out and drawn once: the body of each of its pages is a Form XObject, which
every table's page shows under a head and a foot of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from generator import process
from generator.errors import DataError, DoesNotFitError, Problem
from generator.model.picture import Picture
from generator.model.views import Bundle, Code, Kit, MapView, Poster, Run, Sheet
from generator.model.words import Lang, Words
from generator.notation.words import words
from generator.press import Progress, silent
from generator.press.calibration import back, begin, edge
from generator.press.layout.edition import Edition
from generator.press.layout.furniture import Furniture, furniture, label_pages
from generator.press.layout.pages import Page, TooLargeError, fill, first_text
from generator.press.layout.qr import coded
from generator.press.layout.styles import LITTLE, SCALES
from generator.press.pdf import fonts
from generator.press.pdf.canvas import Canvas, form_object
from generator.press.pdf.counting import Counting
from generator.press.pdf.fields import Form
from generator.press.pdf.units import MM, rectangle
from generator.press.posters import PosterPage, poster_pages, print_poster
from generator.press.reader import Setting, blocks
from generator.press.runs import RunPage, both_sides, print_page, run_pages, sharing
from generator.press.sandbox import sandbox
from generator.press.sandbox.templates import read_sheet
from generator.said import say
from generator.store.write import Draft

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping


AnySheet = Sheet | Run | Poster
AnyPage = Page | RunPage | PosterPage
COVER = "cover"
MAP = "map"
_MANY = 50
"""Pages of a print that is long enough for its garbage to matter."""
BLANK: Page = []
"""A page with nothing on it but its header and footer."""


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
        links = _links([(sheet, press, _key(self.rows + at)) for at, (sheet, press, _) in enumerate(rows)])
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

    def pages(self, sheet: AnySheet, pages: Iterable[_Spoken]) -> None:
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


def _links(rows: Sequence[tuple[AnySheet, Press, str]]) -> dict[str, str]:
    """The texts that lead somewhere, and the bookmark of each: names of sheets, units and cells of the first map.

    `rows` are sheets, who prints them, and their bookmarks.
    """
    links: dict[str, str] = {}
    maps = [(sheet.part, view, key) for sheet, _, key in rows for view in _maps(sheet)]
    for _, view, key in sorted(maps, key=lambda found: found[0] != MAP)[:1]:
        cells = [view.grid.name(cell) for cell in view.grid.cells] if view.names else []
        links |= dict.fromkeys((*cells, *(token.label for _, token in view.tokens if token.label)), key)
    for sheet, press, key in rows:
        for name in (sheet.title[press.lang], press.name(sheet)):
            links.setdefault(name, key)
    return links


def _maps(sheet: AnySheet) -> list[MapView]:
    """The maps on a sheet that show where units stand."""
    figures = sheet.figures.values() if isinstance(sheet, Sheet) else ()
    return [figure for figure in figures if isinstance(figure, MapView) and figure.tokens]


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


def _paired(pages: list[_Spoken], press: Press, number: int) -> list[_Spoken]:
    """Pages that follow so many, with blank ones put in so that fronts stand on odd pages.

    The whole may be printed on both sides.
    """
    found: list[_Spoken] = []
    for speaker, page in pages:
        if isinstance(page, RunPage | PosterPage) and page.paired and not page.back and (number + len(found)) % 2:
            found.append((press, BLANK))
        found.append((speaker, page))
    return found


class Press(Struct, frozen=True):
    """A kit on its way onto a canvas."""

    canvas: Canvas
    kit: Kit
    edition: Edition
    lang: Lang
    form: Form | None = None
    bundled: bool = False
    """Its pages bear the bundle's title at their head, the cover too."""

    def bare(self, sheet: AnySheet) -> bool:
        """Whether a sheet's pages have no running header: a cover bears game and scenario as its title."""
        return isinstance(sheet, Sheet) and sheet.part == COVER and not self.bundled

    def lay(self, sheet: AnySheet) -> list[_Spoken]:
        """The pages of whatever is printed."""
        edition, lang = self.edition, self.lang
        pages: Sequence[AnyPage]
        if isinstance(sheet, Run):
            pages = run_pages(sheet, edition, lang)
        elif isinstance(sheet, Poster):
            pages = poster_pages(sheet, edition, lang)
        else:
            pages = self.pages(sheet)
        return [(self, page) for page in pages]

    def pages(self, sheet: Sheet) -> list[Page]:
        """A sheet's pages, in the largest type that keeps them to the number it may take."""
        edition, lang = self.edition, self.lang
        with blaming(sheet):
            width, height = edition.sheet.column(sheet.landscape, bare=self.bare(sheet))
            told = edition.told(lang, any(isinstance(each, Run) for each in self.kit.sheets))
            figures = {**sheet.figures, **sheet.own}
            root = read_sheet(self.kit, sheet, lang, edition.templates, told, (width / MM, height / MM))
            over, drawn = "", dict[tuple[int, float, float], Picture]()
            shrinking = [(sheet.rather, scale) for scale in SCALES if sheet.rather and scale >= LITTLE]
            for most, scale in (*shrinking, *((sheet.pages, scale) for scale in SCALES)):
                ink, own = edition.ink, sheet.own
                setting = Setting(
                    lang, ink, width, scale, figures, edition.turned, form=self.form, own=own, drawn=drawn
                )
                try:
                    pages = fill(blocks(root, setting), width, height)
                except TooLargeError as error:
                    over = error.text
                    continue
                if not pages:
                    raise DataError(say("prints nothing"), hint=say("`--parts` leaves out what is not wanted"))
                if len(pages) <= most:
                    return pages
                over = first_text(flowable for flowable, _ in pages[most])
            room = say("one page") if sheet.pages == 1 else say("{pages} pages", pages=sheet.pages)
            where = say("; it runs over at {over!r}", over=over) if over else ""
            raise DoesNotFitError(
                say('the sheet "{name}" does not fit on {room}{where}', name=self.name(sheet), room=room, where=where)
            )

    def print(self, sheet: AnySheet, page: AnyPage, number: int, counting: Counting) -> None:
        """One page, with header and footer; the pieces of a run leave room for a single line."""
        canvas, edition, lang = self.canvas, self.edition, self.lang

        told = self.word("press", "page")

        def counted(write: Callable[[str], None]) -> None:
            counting.line(lambda total: write(told.format(n=number, m=total)))

        unofficial = self.foot()
        if isinstance(page, RunPage | PosterPage):
            notes = [sheet.note[lang]] if isinstance(sheet, Run | Poster) and sheet.note else []
            notes += [self.word("press", "fold")] if isinstance(page, RunPage) and page.layout.fold else []
            line = f"{self.kit.game[lang]} · {self.name(sheet)}", " · ".join([*notes, unofficial])
            if isinstance(page, RunPage):
                print_page(canvas, page, edition, line, counted)
            else:
                print_poster(canvas, page, edition, lang, line, counted, partial(self.word, "press"))
            return
        landscape = isinstance(sheet, Sheet) and sheet.landscape
        paper = edition.sheet
        begin(canvas, paper.sides(landscape), edition.printer)
        bare = self.bare(sheet)
        above = ("", "") if bare else (f"{self.kit.game[lang]} · {self.kit.title[lang]}", self.name(sheet))
        below = self.kit.stamp, unofficial if page else self.word("press", "blank")
        keep = edge(edition.printer, paper)
        counted(lambda count: furniture(paper, landscape, above, (*below, count), keep).write(canvas))
        left, top = paper.corner(landscape, bare=bare)
        for flowable, depth in page:
            flowable.draw_on(canvas, left, top - depth)
        canvas.show_page()

    def foot(self) -> str:
        """What stands in the middle of every page's foot: a warning, what is an owner's, that it is unofficial."""
        told = [text[self.lang] for text in (self.kit.warning, self.kit.credit) if text]
        return " · ".join([*told, self.word("press", "unofficial")])

    def bookmark(self, key: str, title: str, level: int) -> None:
        """A bookmark for the page that comes next."""
        self.canvas.bookmark(key, title, level)

    def name(self, sheet: AnySheet) -> str:
        """The sheet's title, and whose it is."""
        side = sheet.side if isinstance(sheet, Sheet) else None
        return sheet.title[self.lang] + (f" · {side[self.lang]}" if side else "")

    def word(self, table: str, key: str) -> str:
        """One of the words that all games share."""
        return str(words("", self.lang)[table].get(key, key))


_Spoken = tuple[Press, AnyPage]
"""A page, and the press that prints it."""
_Row = tuple[AnySheet, Press, Callable[[], list[_Spoken]]]
"""A sheet, whose bookmark it gets, and what lays out its pages."""


@contextmanager
def blaming(sheet: AnySheet) -> Iterator[None]:
    """Name the sheet's template in every problem that names no file."""
    try:
        yield
    except (DataError, DoesNotFitError) as error:
        file = sheet.template if isinstance(sheet, Sheet) else ""
        problems: list[Problem] = [p if p.file else p.but(file=file) for p in error.problems]
        raise type(error)(*problems) from error


class Bound(msgspec.Struct, frozen=True):
    """The PDF, the page on which each bundle begins, from 1, and the form that is each page's body."""

    pdf: Draft
    starts: tuple[int, ...]
    bodies: tuple[str, ...]

    @property
    def pages(self) -> int:
        """How many pages it has."""
        return len(self.bodies)


def print_bundles(bundles: Sequence[Bundle], title: Words, edition: Edition, progress: Progress = silent) -> Bound:
    """The PDF of bundles of sheets, pages numbered within each; errors are those of `print_kit`."""
    make = partial(sandbox.confined, edition, Bound, _bound, bundles, title, edition, progress=progress)
    return fonts.enough(edition.lang, make, progress)


def _bound(bundles: Sequence[Bundle], title: Words, edition: Edition, progress: Progress) -> Bound:
    canvas = Canvas(edition.sheet.size(), edition.lang)
    canvas.describe(title[edition.lang], bundles[0].kits[0].game[edition.lang] if bundles else "")
    canvas.show_outline()
    binder = _Binder(canvas, edition)
    starts = []
    for done, bundle in enumerate(bundles):
        progress(bundle.title[edition.lang], done / len(bundles))
        starts.append(canvas.page_number)
        binder.bind(bundle)
    progress(title[edition.lang], 1.0)
    return Bound(canvas.finish(), tuple(starts), tuple(binder.printed))


class _Body(msgspec.Struct, frozen=True):
    """A page but for its head and foot: the form that draws it."""

    sheet: Sheet
    name: str
    form: str
    links: tuple[tuple[str, bytes], ...]
    """What on it leads to sheets, units and cells of its kit, and where that lies, as the PDF says it."""
    owned: tuple[tuple[str, float, float], ...]
    """The figures that are its sheet's own, and where they stand, in mm."""


_Drawn = tuple[str, tuple[tuple[str, bytes], ...], tuple[tuple[str, float, float], ...]]
"""A form, and what of it makes a body."""


def _size(figure: Picture | Code) -> tuple[float, float]:
    return (figure.size, figure.size) if isinstance(figure, Code) else (figure.width, figure.height)


class _Binder:
    """The kits laid out so far, and the canvas they go onto."""

    def __init__(self, canvas: Canvas, edition: Edition) -> None:
        self.canvas, self.edition = canvas, edition
        self.laid: dict[int, tuple[Kit, list[_Body]]] = {}
        """By the kit's identity: two kits may be equal without one's knowing the other."""
        self.forms = 0
        self.printed: list[str] = []
        """By page the form of its body, as the PDF names it."""
        self.furnished: dict[tuple[str, Furniture], str] = {}
        """Forms of bodies with what of the header and the footer is alike on many pages."""
        self.copies: dict[str, list[_Drawn]] = {}
        """What was drawn of sheets that have figures of their own, by all else of them."""

    def bind(self, bundle: Bundle) -> None:
        """A bundle's pages, each kit's behind one another."""
        lang = self.edition.lang
        bodies = [(kit, body) for kit in bundle.kits for body in self.bodies(kit)]
        before = self.canvas.page_number - 1
        label_pages(self.canvas, before, bundle.title[lang], 1, len(bodies))
        starts: dict[int, str] = {}
        for number, (_, body) in enumerate(bodies, 1):
            starts.setdefault(id(body.sheet), f"page{before + number}")
        links = {id(kit): self.links(kit, starts) for kit in bundle.kits}
        for number, (kit, body) in enumerate(bodies, 1):
            press = Press(self.canvas, kit, self.edition, lang, bundled=True)
            key = f"page{self.canvas.page_number}"
            if number == 1:
                press.bookmark(f"bundle{key}", bundle.title[lang], 0)
            if number == 1 or body.sheet is not bodies[number - 2][1].sheet:
                press.bookmark(key, body.name, 1)
            self.page(press, body, bundle.title[lang], number, len(bodies))
            for text, area in body.links:
                if (there := links[id(kit)][text]) != starts[id(body.sheet)]:
                    self.canvas.link(area, there)
            self.canvas.show_page()
            self.canvas.file.page_done()

    def links(self, kit: Kit, keys: Mapping[int, str]) -> dict[str, str]:
        """What on a kit's pages leads somewhere, by the bookmarks of its sheets."""
        press = Press(self.canvas, kit, self.edition, self.edition.lang)
        sheets = [sheet for sheet in kit.sheets if isinstance(sheet, Sheet)]
        return _links([(sheet, press, keys.get(id(sheet), "somewhere")) for sheet in sheets])

    def bodies(self, kit: Kit) -> list[_Body]:
        """The pages of a kit, drawn as forms where they are not yet."""
        if id(kit) not in self.laid:
            press = Press(self.canvas, kit, self.edition, self.edition.lang, bundled=True)
            sheets = [sheet for sheet in kit.sheets if isinstance(sheet, Sheet)]
            self.canvas.links = self.links(kit, {})
            made = [_Body(sheet, press.name(sheet), *drawn) for sheet in sheets for drawn in self.drawn(press, sheet)]
            self.laid[id(kit)] = kit, made
        return self.laid[id(kit)][1]

    def drawn(self, press: Press, sheet: Sheet) -> list[_Drawn]:
        """The pages of a sheet as forms; those of a copy of it, where there is one."""
        if not sheet.own:
            return [self.form(sheet, page) for page in press.pages(sheet)]
        sizes = {name: _size(figure) for name, figure in sheet.own.items()}
        kit = replace(press.kit, usual=(), more=())
        key = repr((kit, replace(sheet, own={}), sizes))
        if key not in self.copies:
            self.copies[key] = [self.form(sheet, page) for page in press.pages(sheet)]
        return self.copies[key]

    def form(self, sheet: Sheet, page: Page) -> _Drawn:
        """Draw a page's body as a form, made up for the printer already: it stands on the page as it is.

        With its name comes what on it leads somewhere.
        """
        canvas, paper = self.canvas, self.edition.sheet
        self.forms += 1
        canvas.noted, canvas.owned = [], []
        name = f"body{self.forms}"
        canvas.begin_form(name, paper.size(sheet.landscape))
        moved = begin(canvas, paper.sides(sheet.landscape), self.edition.printer)
        left, top = paper.corner(sheet.landscape)
        with blaming(sheet):
            for flowable, depth in page:
                flowable.draw_on(canvas, left, top - depth)
        canvas.end_form()
        links = tuple((text, rectangle(*area)) for text, area in canvas.noted)
        owned = tuple((own, *back((x / MM, y / MM), moved)) for own, x, y in canvas.owned)
        canvas.noted = canvas.owned = None
        return name, links, owned

    def page(self, press: Press, body: _Body, heading: str, number: int, total: int) -> None:
        """One page of a bundle, but for its links."""
        canvas, paper, landscape = self.canvas, self.edition.sheet, body.sheet.landscape
        above = heading, f"{press.kit.title[press.lang]} · {body.name}"
        below = press.kit.stamp, press.foot(), press.word("press", "page").format(n=number, m=total)
        around = furniture(paper, landscape, above, below, edge(self.edition.printer, paper))
        form = self.with_furniture(body, around)
        canvas.set_page_size(paper.size(landscape))
        canvas.form(form)
        self.printed.append(form_object(form))
        begin(canvas, paper.sides(landscape), self.edition.printer)
        for name, x, y in body.owned:
            figure = body.sheet.own[name]
            canvas.draw(coded(figure) if isinstance(figure, Code) else figure, x, y)
        around.write_left(canvas)

    def with_furniture(self, body: _Body, around: Furniture) -> str:
        """The form of a body with all of the header and the footer but what parts a table's pages from another's."""
        canvas, sheet = self.canvas, self.edition.sheet
        key = body.form, replace(around, lines=())
        if key not in self.furnished:
            name = self.furnished[key] = f"{body.form}.{len(self.furnished)}"
            canvas.begin_form(name, sheet.size(body.sheet.landscape))
            canvas.form(body.form)
            begin(canvas, sheet.sides(body.sheet.landscape), self.edition.printer)
            around.write_rest(canvas)
            canvas.end_form()
        return self.furnished[key]
