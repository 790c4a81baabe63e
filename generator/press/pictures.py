"""Maps and cards as pictures, and the gallery of everything.

Every map and every card of a kit as a picture of its own.

Everything there is as one page for a browser: pictures, styles and script stand in it, nothing is fetched.
"""

from __future__ import annotations

import base64
import hashlib
import io
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import cache
from itertools import groupby
from typing import Any, Literal, get_args

import jinja2
import msgspec
import pypdfium2
from msgspec.structs import replace
from PIL.Image import Dither, Image, Quantize, Resampling

from generator.model.picture import Item, Picture, Text, Use
from generator.model.views import CardView, Face, Kit, MapView, Poster, Run, Sheet, Token
from generator.model.words import Lang, Words, joined
from generator.notation import toml
from generator.press import Progress, silent
from generator.press.book import print_kit
from generator.press.figures.cards import draw_face
from generator.press.figures.maps import MapPicture, draw_legend, draw_map, draw_sized, draw_small
from generator.press.layout.edition import Edition
from generator.press.layout.imposition import Cut, trim
from generator.press.layout.markup import Node
from generator.press.pdf import fonts
from generator.press.pdf.canvas import JOINT, alone
from generator.press.pdf.units import MM
from generator.press.sandbox import sandbox
from generator.press.sandbox.templates import read_sheet
from generator.press.svg import Zone, page_images, picture_image, picture_png, svg
from generator.store.folders import shipped
from generator.store.manifest import seal
from generator.workers import Spread, here

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


_SPARSE = 3
"""Every third pixel of every third row tells of a picture's colours."""
_KIT = 8
"""As many pages has a kit that is not drawn yet, or nearly."""
MARK = b'<meta name="generator" content="Muster gallery">'
"""By this a gallery is known for what it is; it stands near the beginning of the file."""


class Hung(msgspec.Struct, frozen=True):
    """A map by itself: its name for people and for the command line, what prints it and what draws a battle on it."""

    title: Words
    code: str
    command: str
    play: str
    view: MapView


class Wall(msgspec.Struct, frozen=True):
    """Pictures under one heading: the pages of a kit, with the code and command that make it, or maps."""

    title: Words
    shown: Kit | tuple[Hung, ...]
    edition: Edition
    code: str = ""
    command: str = ""


Later = Callable[[], Wall]
"""Makes a wall in the process that has to make its pictures; it travels pickled."""


class Room(msgspec.Struct, frozen=True):
    """A game's part of the gallery; `name` is its anchor on the page."""

    name: str
    title: Words
    summary: Words
    walls: tuple[Wall | Later, ...]


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """data/gallery.toml."""

    code: str
    """The seed code of every kit that is shown."""
    dpi: int
    colours: int
    """How many colours a picture has at most."""
    side: float
    """Maps fit into a square with sides that many mm long."""
    kind: dict[str, Words]
    """Headings, by the kind of shelf that the maps lie on."""
    words: dict[str, Words]


class _Frame(msgspec.Struct, frozen=True):
    """A picture on the page."""

    source: str
    width: int
    height: int
    alt: str
    title: str
    code: str = ""
    command: str = ""
    play: str = ""


@cache
def settings() -> Settings:
    """How the gallery is made when nobody says otherwise, and what it says."""
    return toml.read(shipped("data") / "gallery.toml", Settings, "data/gallery.toml")


def gallery(
    rooms: Sequence[Room], lang: Lang, dpi: float, progress: Progress = silent, spread: Spread = here
) -> bytes:
    """The page, UTF-8; the same rooms make the same bytes, whoever `spread` has to make them.

    Errors are those of `print_kit`.
    """
    say = {name: text[lang] for name, text in settings().words.items()}
    every = [(room, number, wall) for room in rooms for number, wall in enumerate(room.walls, 1)]
    # The longest first: whoever is done last has little left to do when the others are.
    every.sort(key=lambda each: _pages(each[2]), reverse=True)
    made = spread(_Easel(lang, dpi, say).hung, [(room.title, wall) for room, _, wall in every], along=True)
    walls: dict[str, dict[str, Any]] = {}
    for (room, number, _), wall in zip(every, made, strict=True):
        name = f"{room.name}-{number}"
        walls[name] = {"name": name, **wall}
        progress(f"{room.title[lang]}: {wall['title']}", len(walls) / len(every))
    hung = [
        {
            "name": room.name,
            "title": room.title[lang],
            "summary": room.summary[lang],
            "walls": [walls[f"{room.name}-{number}"] for number in range(1, len(room.walls) + 1)],
        }
        for room in rooms
    ]
    style, script = (_asset(name) for name in ("style.css", "script.js"))
    page = _environment().get_template("gallery/page.html")
    html = page.render(
        mark=MARK.decode(),
        lang=lang,
        w=say,
        rooms=hung,
        style=style,
        script=script,
        style_hash=_hash(style),
        script_hash=_hash(script),
    )
    return seal(f"{html.rstrip()}\n".encode())


def _pages(wall: Wall | Later) -> int:
    """About how many pictures hang there."""
    if not isinstance(wall, Wall):
        return _KIT
    if not isinstance(wall.shown, Kit):
        return len(wall.shown)
    return sum(2 if isinstance(sheet, Run) else 1 for sheet in wall.shown.sheets)


class _Easel(msgspec.Struct, frozen=True):
    """Where pictures are made."""

    lang: Lang
    dpi: float
    say: dict[str, str]

    def hung(self, of: tuple[Words, Wall | Later]) -> dict[str, Any]:
        """What the page tells of a game's wall, with its pictures."""
        of_game, there = of
        wall = there if isinstance(there, Wall) else there()
        return {
            "title": wall.title[self.lang],
            "code": wall.code,
            "command": wall.command,
            "maps": not isinstance(wall.shown, Kit),
            "frames": list(self._frames(of_game[self.lang], wall)),
        }

    def _frames(self, game: str, wall: Wall) -> Iterator[_Frame]:
        title = wall.title[self.lang]
        if isinstance(wall.shown, Kit):
            pdf = print_kit(wall.shown, wall.edition, packed=False)
            for number, (name, image) in enumerate(zip(_names(pdf), page_images(pdf, self.dpi), strict=True), 1):
                alt = self.say["alt_page"].format(game=game, wall=title, title=name, n=number)
                yield self.frame(image, alt, name)
            return
        for hung in wall.shown:
            name = hung.title[self.lang]
            alt = self.say["alt_map"].format(game=game, wall=title, title=name, code=hung.code)
            yield replace(
                self.frame(self.map(hung.view, wall.edition.ink), alt, name),
                code=hung.code,
                command=hung.command,
                play=hung.play,
            )

    def map(self, view: MapView, ink: str) -> Image:
        """A map by itself."""
        side = settings().side
        picture = fonts.enough(self.lang, lambda: draw_map(view, self.lang, ink, side, side))
        return picture_image(picture, self.lang, self.dpi)

    def frame(self, image: Image, alt: str, title: str) -> _Frame:
        """A picture, made small, as a part of the page."""
        out = io.BytesIO()
        # Unlike the others this method keeps colours that little of the picture has, and it is the quickest. One
        # pixel in nine tells as much; each then has the nearest of those colours, not the one of its branch.
        sample = image.resize((image.width // _SPARSE, image.height // _SPARSE), Resampling.NEAREST)
        palette = sample.quantize(settings().colours, Quantize.FASTOCTREE, dither=Dither.NONE)
        few = image.quantize(palette=palette, dither=Dither.NONE)
        # Packing it tighter takes a third longer and saves one byte in forty.
        few.save(out, "PNG", compress_level=5)
        source = f"data:image/png;base64,{base64.b64encode(out.getvalue()).decode()}"
        return _Frame(source, *image.size, alt, title)


def _names(pdf: bytes) -> list[str]:
    """What each page is called by the bookmarks; one that has none is counted on from the page before."""
    with closing(pypdfium2.PdfDocument(pdf)) as document:
        # Where several stand at one page, the last lies deepest and says most.
        named: dict[int, str] = {mark.get_dest().get_index(): mark.get_title() for mark in document.get_toc()}
        names: list[str] = []
        for page in range(len(document)):
            start = max(first for first in named if first <= page)
            names.append(f"{named[start]} ({page - start + 1})" if page > start else named[start])
        return names


@cache
def _environment() -> jinja2.Environment:
    """Plain HTML: the marks by which faults in sheets are placed would stand on the page."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(shipped("templates")),
        undefined=jinja2.StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.filters["options"] = _options
    return environment


def _options(command: str) -> list[str]:
    """What stays together where a command takes several lines: its words, and each option with what it is given."""
    return re.split(r" (?=--)", command)


def _asset(name: str) -> str:
    return (shipped("templates") / "gallery" / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    """What a Content-Security-Policy calls a text by."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
