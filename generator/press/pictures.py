"""Save the maps and cards of a kit as separate picture files."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from itertools import groupby
from typing import Literal, get_args

import msgspec

from generator.localization import localize
from generator.model.picture import Item, Picture, Still, Text, Use
from generator.model.views import CardView, Face, Kit, MapView, Poster, Run, Sheet, Token
from generator.model.words import Lang, joined
from generator.press import Progress, silent
from generator.press.alternative_texts import describe_face, describe_legend, describe_map
from generator.press.figures.cards import draw_face
from generator.press.figures.maps import MapPicture, draw_fitted, draw_legend, draw_sized
from generator.press.layout.imposition import Cut, trimmed_size
from generator.press.layout.markup import Node
from generator.press.layout.print_settings import PrintSettings
from generator.press.pdf import fonts
from generator.press.pdf.canvas import JOINT, picture_pdf
from generator.press.pdf.units import MM
from generator.press.png import picture_png
from generator.press.sandbox import sandbox
from generator.press.sandbox.templates import read_sheet
from generator.press.svg import Zone, svg

Format = Literal["png", "svg", "pdf"]
FORMATS: tuple[Format, ...] = get_args(Format)


def kit_pictures(
    kit: Kit,
    settings: PrintSettings,
    form: Format,
    dpi: float = 300.0,
    progress: Progress = silent,
    bleed: float = 0.0,
) -> dict[str, bytes]:
    """Return the picture files of a kit, keyed by name: maps, posters, and the faces of cards and other pieces.

    If there are two languages, each name ends with its language. Maps have the same size as on a page, and their
    legends are separate files. Posters are in their true size. Each face of a card, token or tile appears once, in
    its size after cutting, with `bleed` mm around it. `dpi` is the resolution of PNG files.

    Raises:
        WrongUsageError: If a PNG would be too large.
    """
    made: dict[str, bytes] = {}
    for lang in settings.langs:
        tail = f"-{lang}" if settings.second_lang else ""
        found = fonts.with_enough_glyphs(lang, _PictureMaker(kit, settings, lang, bleed).draw_all, progress)
        for done, (name, drawn) in enumerate(found.items()):
            file = f"{name}{tail}.{form}"
            progress(file, done / len(found))
            if form == "png":
                made[file] = picture_png(drawn.picture, lang, dpi, drawn.clear)
            elif form == "svg":
                made[file] = svg(drawn.picture, lang, drawn.title, drawn.zones, drawn.alt)
            else:
                made[file] = picture_pdf(drawn.picture, lang, drawn.title, alt=drawn.alt)
    return made


class _Drawn(msgspec.Struct, frozen=True):
    title: str
    """Title in the language of the picture."""
    picture: Picture
    alt: str
    """Description of the picture for readers who cannot see it."""
    clear: bool = False
    """Whether the background is transparent because the picture does not fill its box, for example a hex."""
    zones: tuple[Zone, ...] = ()


class _PictureMaker(msgspec.Struct, frozen=True):
    """The kit whose pictures are drawn, and the settings and language for drawing them."""

    kit: Kit
    settings: PrintSettings
    lang: Lang
    bleed: float = 0.0

    def draw_all(self) -> dict[str, _Drawn]:
        """Return all pictures, keyed by name.

        Raises:
            NoGlyphError: If the available fonts lack a character.
        """
        found: dict[str, _Drawn] = {}
        views: list[MapView] = []
        requested = self.kit, self.settings, self.lang
        figures_by_sheet = iter(
            sandbox.run_confined(self.settings, list[list[str]], figure_names, *requested, progress=silent)
        )
        for sheet in self.kit.sheets:
            if isinstance(sheet, Run):
                drawn = self.run(sheet)
            elif isinstance(sheet, Poster):
                drawn = self.poster(sheet)
            else:
                drawn = self.sheet(sheet, next(figures_by_sheet), views)
            for name, picture in drawn:
                for text in _all_texts(picture.picture.items):
                    fonts.check_glyphs(text)
                found[_unused_name(name, found)] = picture
        return found

    def sheet(self, sheet: Sheet, figures: list[str], views: list[MapView]) -> Iterator[tuple[str, _Drawn]]:
        """Yield the cards and maps of a sheet, except maps that are already in `views` and samples of one cell."""
        settings, lang = self.settings, self.lang
        width, height = (side / MM for side in settings.sheet.column(sheet.landscape))
        side = sheet.side["en"] if sheet.side else ""
        for figure in figures:
            view = sheet.figures.get(figure)
            name = slug(sheet.part, side, figure)
            if isinstance(view, CardView):
                title = f"{view.key} {view.name[lang]}"
                yield slug(sheet.part, side, view.key), self.face(title, view, "card")
            elif isinstance(view, MapView) and len(view.grid.cells) > 1 and view not in views:
                views.append(view)
                title = joined([self.kit.title, sheet.title], JOINT, "・")[lang]
                drawn = draw_fitted(view, lang, settings.ink, width, height, settings.turned, self.kit.stamp)
                alt = describe_map(view, lang, settings.turned)
                yield name, _Drawn(title, drawn.picture, alt, zones=map_zones(view, drawn, lang))
                if view.legend:
                    yield (
                        f"{name}-legend",
                        _Drawn(title, draw_legend(view, lang, settings.ink, width), describe_legend(view, lang)),
                    )

    def poster(self, poster: Poster) -> Iterator[tuple[str, _Drawn]]:
        """Yield the front of a poster, and its back if it has one."""
        name, imposition = slug(poster.part, poster.title["en"]), self.settings.imposition
        views = [poster.view, *([poster.back] if poster.back and not imposition.single else [])]
        for view, tail in zip(views, ("", "-back"), strict=False):
            others = [other for other in views if other is not view]
            cell = imposition.hex or poster.cell
            drawn = draw_sized(view, self.lang, self.settings.ink, cell, others, self.settings.turned, self.kit.stamp)
            title, zones = poster.title[self.lang], map_zones(view, drawn, self.lang)
            alt = describe_map(view, self.lang, self.settings.turned)
            yield name + tail, _Drawn(title, drawn.picture, alt, zones=zones)

    def run(self, run: Run) -> Iterator[tuple[str, _Drawn]]:
        """Yield each different face of the pieces in a run."""
        seen: list[Face] = []
        for piece in run.pieces:
            shape = piece.front.shape if isinstance(piece.front, Token) else ""
            name = slug(run.part, shape, piece.name["en"])
            imposition = self.settings.imposition
            front = None if imposition.backs_only else piece.front
            faces = ((name, front), (f"{name}-back", None if imposition.single else piece.back))
            for key, face in faces:
                if face and face not in seen:
                    seen.append(face)
                    yield key, self.face(piece.name[self.lang], face, run.cut, run.hex, run.share)

    def face(self, title: str, face: Face, cut: Cut, cell: float = 0.0, share: float = 1.0) -> _Drawn:
        """Return a face with the maker's bleed around it."""
        size, bleed = trimmed_size(cut, cell, self.settings.imposition, share), self.bleed
        items = tuple(draw_face(face, cut, self.lang, self.settings.ink, size, (bleed,) * 4))
        picture = Picture(*size, items)
        if bleed:
            width, height = (side + 2 * bleed for side in size)
            picture = Picture(width, height, Still(items, bleed, bleed).items)
        return _Drawn(title, picture, describe_face(face, self.lang), clear=cut == "hex")


def map_zones(view: MapView, drawn: MapPicture, lang: Lang) -> tuple[Zone, ...]:
    """Return the cells of a map as zones of its picture, with descriptions from the map's legend."""
    texts = {entry.sample: entry.text[lang] for entry in view.legend if isinstance(entry.sample, str)}
    found = []
    for cell in view.grid.cells:
        name, looks = view.grid.name(cell), (view.ground.get(cell, ""), view.features.get(cell, ""))
        parts = [name, *(texts[key] for key in looks if key in texts)]
        if cell in view.places:
            parts.append(view.places[cell][lang])
        found.append(Zone(name, looks[0], localize(parts, lang), drawn.place.ring(cell)))
    return tuple(found)


def slug(*texts: str) -> str:
    """Return a file name of lower-case letters, digits and hyphens, in which repeated words appear only once."""
    plain = unicodedata.normalize("NFKD", " ".join(texts)).encode("ascii", "ignore").decode().lower()
    words = re.findall("[a-z0-9]+", plain.replace("'", ""))
    return "-".join(word for word, _ in groupby(words))[:80]


def _unused_name(name: str, names: dict[str, _Drawn]) -> str:
    count, free = 1, name
    while free in names:
        count += 1
        free = f"{name}-{count}"
    return free


def figure_names(kit: Kit, settings: PrintSettings, lang: Lang, _progress: Progress) -> list[list[str]]:
    """Return the names of the figures on each sheet of the kit, without duplicates."""
    sheets = (sheet for sheet in kit.sheets if isinstance(sheet, Sheet))
    roots = (read_sheet(kit, sheet, lang, settings.templates, settings.instructions(lang)) for sheet in sheets)
    return [list(dict.fromkeys(_node_figures(root))) for root in roots]


def _node_figures(node: Node) -> Iterator[str]:
    """Yield the names of the figures in a node, except figures that show only a legend."""
    if node.tag == "figure" and node.attributes.get("part") != "legend":
        yield node.attributes.get("name", "")
    for child in node.nodes():
        yield from _node_figures(child)


def _all_texts(items: tuple[Item, ...]) -> Iterator[str]:
    for item in items:
        if isinstance(item, Text):
            yield item.text
        elif isinstance(item, Use):
            yield from _all_texts(item.symbol.items)
