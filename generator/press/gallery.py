"""Everything there is as one page for a browser: pictures, styles and script stand in it, nothing is fetched."""

from __future__ import annotations

import base64
import hashlib
import io
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import jinja2
import msgspec
import pypdfium2
from PIL import Image

from generator.model.views import Kit, MapView
from generator.model.words import Lang, Words
from generator.notation import toml
from generator.press.book import print_kit
from generator.press.edition import Edition
from generator.press.maps.maps import draw_map
from generator.press.png import page_pngs, picture_png
from generator.press.progress import Progress, silent
from generator.press.type import fonts
from generator.store.folders import shipped
from generator.store.seal import seal

MARK = b'<meta name="generator" content="Muster gallery">'
"""By this a gallery is known for what it is; it stands near the beginning of the file."""


class Hung(msgspec.Struct, frozen=True):
    """A map by itself: its name for people and for the command line, and the command that prints it."""

    title: Words
    code: str
    command: str
    view: MapView


class Wall(msgspec.Struct, frozen=True):
    """Pictures under one heading: the pages of a kit, with the code and command that make it, or maps."""

    title: Words
    shown: Kit | tuple[Hung, ...]
    edition: Edition
    code: str = ""
    command: str = ""


class Room(msgspec.Struct, frozen=True):
    """A game's part of the gallery; `name` is its anchor on the page."""

    name: str
    title: Words
    summary: Words
    walls: tuple[Wall, ...]


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


@dataclass(frozen=True)
class _Frame:
    """A picture on the page."""

    source: str
    width: int
    height: int
    alt: str
    title: str
    code: str = ""
    command: str = ""


@cache
def settings() -> Settings:
    """How the gallery is made when nobody says otherwise, and what it says."""
    return toml.read(shipped("data") / "gallery.toml", Settings, "data/gallery.toml")


def gallery(rooms: Sequence[Room], lang: Lang, dpi: float, progress: Progress = silent) -> bytes:
    """The page, UTF-8; the same rooms make the same bytes.

    Errors are those of `print_kit`.
    """
    say = {name: text[lang] for name, text in settings().words.items()}
    easel = _Easel(lang, dpi, say)
    total, count = sum(len(room.walls) for room in rooms), itertools.count()

    def frames(room: Room, wall: Wall) -> list[_Frame]:
        progress(f"{room.title[lang]}: {wall.title[lang]}", next(count) / total)
        return list(easel.frames(room, wall))

    hung = [
        {
            "name": room.name,
            "title": room.title[lang],
            "summary": room.summary[lang],
            "walls": [
                {
                    "name": f"{room.name}-{number}",
                    "title": wall.title[lang],
                    "code": wall.code,
                    "command": wall.command,
                    "maps": not isinstance(wall.shown, Kit),
                    "frames": frames(room, wall),
                }
                for number, wall in enumerate(room.walls, 1)
            ],
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


@dataclass(frozen=True)
class _Easel:
    """Where pictures are made."""

    lang: Lang
    dpi: float
    say: dict[str, str]

    def frames(self, room: Room, wall: Wall) -> Iterator[_Frame]:
        """The pictures of a wall."""
        game, title = room.title[self.lang], wall.title[self.lang]
        if isinstance(wall.shown, Kit):
            pdf = print_kit(wall.shown, wall.edition)
            for number, (name, png) in enumerate(zip(_names(pdf), page_pngs(pdf, self.dpi), strict=True), 1):
                alt = self.say["alt_page"].format(game=game, wall=title, title=name, n=number)
                yield self.frame(png, alt, name)
            return
        for hung in wall.shown:
            name = hung.title[self.lang]
            alt = self.say["alt_map"].format(game=game, wall=title, title=name, code=hung.code)
            yield self.frame(self.map(hung.view, wall.edition.ink), alt, name, hung.code, hung.command)

    def map(self, view: MapView, ink: str) -> bytes:
        """A map as a PNG."""
        side = settings().side
        picture = fonts.enough(self.lang, lambda: draw_map(view, self.lang, ink, side, side))
        return picture_png(picture, self.lang, self.dpi)

    def frame(self, png: bytes, alt: str, title: str, code: str = "", command: str = "") -> _Frame:
        """A picture, made small, as a part of the page."""
        image = Image.open(io.BytesIO(png)).convert("RGB")
        out = io.BytesIO()
        # Unlike the others this method keeps colours that little of the picture has, and it is the quickest.
        few = image.quantize(settings().colours, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
        few.save(out, "PNG", optimize=True)
        source = f"data:image/png;base64,{base64.b64encode(out.getvalue()).decode()}"
        return _Frame(source, *image.size, alt, title, code, command)


def _names(pdf: bytes) -> list[str]:
    """What each page is called by the bookmarks; one that has none is counted on from the page before."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        named: dict[int, str] = {}
        for bookmark in document.get_toc():
            # Where several stand at one page, the last lies deepest and says most.
            named[bookmark.get_dest().get_index()] = bookmark.get_title()
        names: list[str] = []
        for page in range(len(document)):
            start = max(first for first in named if first <= page)
            names.append(f"{named[start]} ({page - start + 1})" if page > start else named[start])
        return names
    finally:
        document.close()


@cache
def _environment() -> jinja2.Environment:
    """Plain HTML: the marks by which faults in sheets are placed would stand on the page."""
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(shipped("templates")),
        undefined=jinja2.StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )


def _asset(name: str) -> str:
    return (shipped("templates") / "gallery" / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    """What a Content-Security-Policy calls a text by."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
