"""Every map and every card of a kit as a picture of its own."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from itertools import groupby
from typing import Literal, get_args

import msgspec

from generator.model.picture import Item, Picture, Text, Use
from generator.model.views import CardView, Face, Kit, MapView, Poster, Run, Sheet, Token
from generator.model.words import Lang, joined
from generator.press import Progress, silent
from generator.press.figures.cards import draw_face
from generator.press.figures.maps import MapPicture, draw_legend, draw_sized, draw_small
from generator.press.layout.edition import Edition
from generator.press.layout.imposition import Cut, trim
from generator.press.layout.markup import Node
from generator.press.pdf import fonts
from generator.press.pdf.canvas import JOINT, alone
from generator.press.pdf.units import MM
from generator.press.png import picture_png
from generator.press.sandbox import sandbox
from generator.press.sandbox.templates import read_sheet
from generator.press.svg import Zone, svg

Format = Literal["png", "svg", "pdf"]
FORMATS: tuple[Format, ...] = get_args(Format)


def pictures(
    kit: Kit,
    edition: Edition,
    form: Format,
    dpi: float = 300.0,
    progress: Progress = silent,
) -> dict[str, bytes]:
    """The files by name: maps, posters and the faces of pieces; names of both languages end in theirs.

    Maps are as large as a page holds them, with their legends beside them; posters have their true size; cards,
    tokens and tiles are as they lie on the table after cutting, each face once. `dpi` is how fine a PNG is;
    WrongUsageError where one would grow too large.
    """
    made: dict[str, bytes] = {}
    for lang in edition.langs:
        tail = f"-{lang}" if edition.also else ""
        found = fonts.enough(lang, _Studio(kit, edition, lang).draw, progress)
        for done, (name, drawn) in enumerate(found.items()):
            file = f"{name}{tail}.{form}"
            progress(file, done / len(found))
            if form == "png":
                made[file] = picture_png(drawn.picture, lang, dpi, drawn.clear)
            elif form == "svg":
                made[file] = svg(drawn.picture, lang, drawn.title, drawn.zones)
            else:
                made[file] = alone(drawn.picture, lang, name)
    return made


class _Drawn(msgspec.Struct, frozen=True):
    title: str
    """What it shows, in the printed language."""
    picture: Picture
    clear: bool = False
    """It does not fill its box: a hex."""
    zones: tuple[Zone, ...] = ()


class _Studio(msgspec.Struct, frozen=True):
    """A kit whose pictures are drawn."""

    kit: Kit
    edition: Edition
    lang: Lang

    def draw(self) -> dict[str, _Drawn]:
        """Every picture by its name; NoGlyphError where the fonts at hand cannot print a text of it."""
        found: dict[str, _Drawn] = {}
        views: list[MapView] = []
        asked = self.kit, self.edition, self.lang
        shown = iter(sandbox.confined(self.edition, list[list[str]], figures, *asked, progress=silent))
        for sheet in self.kit.sheets:
            if isinstance(sheet, Run):
                drawn = self.run(sheet)
            elif isinstance(sheet, Poster):
                drawn = self.poster(sheet)
            else:
                drawn = self.sheet(sheet, next(shown), views)
            for name, picture in drawn:
                for text in _texts(picture.picture.items):
                    fonts.check(text)
                found[_unused(name, found)] = picture
        return found

    def sheet(self, sheet: Sheet, shown: list[str], views: list[MapView]) -> Iterator[tuple[str, _Drawn]]:
        """The maps that a sheet shows, but those of other sheets (`views`) and samples of one cell; its cards."""
        edition, lang = self.edition, self.lang
        width, height = (side / MM for side in edition.sheet.column(sheet.landscape))
        side = sheet.side["en"] if sheet.side else ""
        for figure in shown:
            view = sheet.figures.get(figure)
            name = slug(sheet.part, side, figure)
            if isinstance(view, CardView):
                title = f"{view.key} {view.name[lang]}"
                yield slug(sheet.part, side, view.key), self.face(title, view, "card")
            elif isinstance(view, MapView) and len(view.grid.cells) > 1 and view not in views:
                views.append(view)
                title = joined([self.kit.title, sheet.title], JOINT, "・")[lang]
                drawn = draw_small(view, lang, edition.ink, width, height, edition.turned)
                yield name, _Drawn(title, drawn.picture, zones=zones(view, drawn, lang))
                if view.legend:
                    yield f"{name}-legend", _Drawn(title, draw_legend(view, lang, edition.ink, width))

    def poster(self, poster: Poster) -> Iterator[tuple[str, _Drawn]]:
        """Its front, and the back that lies behind it."""
        name, how = slug(poster.part, poster.title["en"]), self.edition.imposing
        views = [poster.view, *([poster.back] if poster.back and not how.single else [])]
        for view, tail in zip(views, ("", "-back"), strict=False):
            beside = [other for other in views if other is not view]
            cell = how.hex or poster.cell
            drawn = draw_sized(view, self.lang, self.edition.ink, cell, beside, self.edition.turned)
            yield name + tail, _Drawn(poster.title[self.lang], drawn.picture, zones=zones(view, drawn, self.lang))

    def run(self, run: Run) -> Iterator[tuple[str, _Drawn]]:
        """The faces of its pieces, the first of each kind."""
        seen: list[Face] = []
        for piece in run.pieces:
            shape = piece.front.shape if isinstance(piece.front, Token) else ""
            name = slug(run.part, shape, piece.name["en"])
            faces = ((name, piece.front), (f"{name}-back", None if self.edition.imposing.single else piece.back))
            for key, face in faces:
                if face and face not in seen:
                    seen.append(face)
                    yield key, self.face(piece.name[self.lang], face, run.cut, run.hex, run.share)

    def face(self, title: str, face: Face, cut: Cut, cell: float = 0.0, share: float = 1.0) -> _Drawn:
        """A face without bleed."""
        size = trim(cut, cell, self.edition.imposing, share)
        items = draw_face(face, cut, self.lang, self.edition.ink, size, (0.0, 0.0, 0.0, 0.0))
        return _Drawn(title, Picture(*size, tuple(items)), clear=cut == "hex")


def zones(view: MapView, drawn: MapPicture, lang: Lang) -> tuple[Zone, ...]:
    """The cells of a map where they lie on its picture, with what stands on them by the map's legend."""
    named = {entry.sample: entry.text[lang] for entry in view.legend if isinstance(entry.sample, str)}
    found = []
    for cell in view.grid.cells:
        name, looks = view.grid.name(cell), (view.ground.get(cell, ""), view.features.get(cell, ""))
        told = [name, *(named[key] for key in looks if key in named)]
        if cell in view.places:
            told.append(view.places[cell][lang])
        found.append(Zone(name, looks[0], ", ".join(told), drawn.place.ring(cell)))
    return tuple(found)


def slug(*texts: str) -> str:
    """A file's name of plain letters, figures and hyphens; what would stand there twice in a row stands once."""
    plain = unicodedata.normalize("NFKD", " ".join(texts)).encode("ascii", "ignore").decode().lower()
    words = re.findall("[a-z0-9]+", plain.replace("'", ""))
    return "-".join(word for word, _ in groupby(words))[:80]


def _unused(name: str, names: dict[str, _Drawn]) -> str:
    count, free = 1, name
    while free in names:
        count += 1
        free = f"{name}-{count}"
    return free


def figures(kit: Kit, edition: Edition, lang: Lang, _progress: Progress) -> list[list[str]]:
    """The names of the figures that each of the kit's sheets shows, each once."""
    sheets = (sheet for sheet in kit.sheets if isinstance(sheet, Sheet))
    roots = (read_sheet(kit, sheet, lang, edition.templates, edition.told(lang)) for sheet in sheets)
    return [list(dict.fromkeys(_shown(root))) for root in roots]


def _shown(node: Node) -> Iterator[str]:
    """The names of the figures that a sheet shows, without those of which it shows the legend alone."""
    if node.tag == "figure" and node.attributes.get("part") != "legend":
        yield node.attributes.get("name", "")
    for child in node.nodes():
        yield from _shown(child)


def _texts(items: tuple[Item, ...]) -> Iterator[str]:
    for item in items:
        if isinstance(item, Text):
            yield item.text
        elif isinstance(item, Use):
            yield from _texts(item.symbol.items)
