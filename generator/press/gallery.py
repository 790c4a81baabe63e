"""Create the gallery, an HTML page that shows everything shipped and needs no external resources."""

from __future__ import annotations

import base64
import hashlib
import io
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import cache
from typing import Any

import jinja2
import msgspec
import pypdfium2
from msgspec.structs import replace
from PIL.Image import Dither, Image, Quantize, Resampling

from generator.model.views import Kit, MapView, Run
from generator.model.words import Lang, Words
from generator.notation import toml
from generator.press import Progress, silent
from generator.press.book import print_kit
from generator.press.figures.maps import draw_map
from generator.press.layout.print_settings import PrintSettings
from generator.press.pdf import fonts
from generator.press.png import page_images, picture_image
from generator.store.folders import shipped_path
from generator.store.manifest import seal
from generator.workers import Spread, here

_SAMPLE_STEP = 3
"""Only every third pixel of every third row is sampled to choose the palette."""
_PAGES_OF_LAZY_KIT = 8
"""Approximate number of pages of a kit that has not been created yet."""
GALLERY_MARK = b'<meta name="generator" content="Muster gallery">'
"""Identifies a file as a gallery. It is near the beginning of the file."""


class GalleryMap(msgspec.Struct, frozen=True):
    """A map with its title, its name on the command line, and the commands that print it and draw scenarios on it."""

    title: Words
    code: str
    command: str
    play: str
    view: MapView


class PictureGroup(msgspec.Struct, frozen=True):
    """Pictures under a common heading, which are either the pages of a kit or maps."""

    title: Words
    pictures: Kit | tuple[GalleryMap, ...]
    settings: PrintSettings
    code: str = ""
    command: str = ""


LazyGroup = Callable[[], PictureGroup]
"""Creates a group in the process that makes its pictures. The function is pickled to be sent to this process."""


class GameGallery(msgspec.Struct, frozen=True):
    """The part of the gallery that shows one game. `name` is its anchor on the page."""

    name: str
    title: Words
    summary: Words
    groups: tuple[PictureGroup | LazyGroup, ...]


class GallerySettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of data/gallery.toml."""

    code: str
    """The seed code of all kits shown."""
    dpi: int
    colours: int
    """Maximum number of colours in a picture."""
    side: float
    """Maximum width and height of a map, in mm."""
    kind: dict[str, Words]
    """Headings, keyed by the kind of map."""
    words: dict[str, Words]


class _Frame(msgspec.Struct, frozen=True):
    """A picture on the page, with its captions."""

    source: str
    width: int
    height: int
    alt: str
    title: str
    code: str = ""
    command: str = ""
    play: str = ""


@cache
def gallery_settings() -> GallerySettings:
    """Return the settings and texts of the gallery."""
    return toml.read(shipped_path("data") / "gallery.toml", GallerySettings, "data/gallery.toml")


def gallery(
    game_galleries: Sequence[GameGallery], lang: Lang, dpi: float, progress: Progress = silent, spread: Spread = here
) -> bytes:
    """Return the gallery as an HTML page in UTF-8.

    The result is the same regardless of the processes in which `spread` makes the pictures. Errors are the same as
    for `print_kit`.
    """
    texts = {name: text[lang] for name, text in gallery_settings().words.items()}
    tasks = [
        (game_gallery, number, group)
        for game_gallery in game_galleries
        for number, group in enumerate(game_gallery.groups, 1)
    ]
    # The longest tasks come first, so that the processes finish at about the same time.
    tasks.sort(key=lambda each: _count_pictures(each[2]), reverse=True)
    made = spread(
        _PictureMaker(lang, dpi, texts).make,
        [(game_gallery.title, group) for game_gallery, _, group in tasks],
        along=True,
    )
    made_groups: dict[str, dict[str, Any]] = {}
    for (game_gallery, number, _), group in zip(tasks, made, strict=True):
        name = f"{game_gallery.name}-{number}"
        made_groups[name] = {"name": name, **group}
        progress(f"{game_gallery.title[lang]}: {group['title']}", len(made_groups) / len(tasks))
    games = [
        {
            "name": game_gallery.name,
            "title": game_gallery.title[lang],
            "summary": game_gallery.summary[lang],
            "walls": [
                made_groups[f"{game_gallery.name}-{number}"] for number in range(1, len(game_gallery.groups) + 1)
            ],
        }
        for game_gallery in game_galleries
    ]
    style, script = (_asset(name) for name in ("style.css", "script.js"))
    page = _environment().get_template("gallery/page.html")
    html = page.render(
        mark=GALLERY_MARK.decode(),
        lang=lang,
        w=texts,
        rooms=games,
        style=style,
        script=script,
        style_hash=_hash(style),
        script_hash=_hash(script),
    )
    return seal(f"{html.rstrip()}\n".encode())


def _count_pictures(group: PictureGroup | LazyGroup) -> int:
    """Return the approximate number of pictures in a group."""
    if not isinstance(group, PictureGroup):
        return _PAGES_OF_LAZY_KIT
    if not isinstance(group.pictures, Kit):
        return len(group.pictures)
    return sum(2 if isinstance(sheet, Run) else 1 for sheet in group.pictures.sheets)


class _PictureMaker(msgspec.Struct, frozen=True):
    """The settings for the pictures of a gallery, and the function that makes the pictures of a group."""

    lang: Lang
    dpi: float
    texts: dict[str, str]

    def make(self, of: tuple[Words, PictureGroup | LazyGroup]) -> dict[str, Any]:
        """Return the data of a group for the page, including the pictures."""
        game_title, lazy_or_group = of
        group = lazy_or_group if isinstance(lazy_or_group, PictureGroup) else lazy_or_group()
        return {
            "title": group.title[self.lang],
            "code": group.code,
            "command": group.command,
            "maps": not isinstance(group.pictures, Kit),
            "frames": list(self._frames(game_title[self.lang], group)),
        }

    def _frames(self, game: str, group: PictureGroup) -> Iterator[_Frame]:
        title = group.title[self.lang]
        if isinstance(group.pictures, Kit):
            pdf = print_kit(group.pictures, group.settings, packed=False)
            for number, (name, image) in enumerate(
                zip(_page_titles(pdf), page_images(pdf, self.dpi), strict=True), 1
            ):
                alt = self.texts["alt_page"].format(game=game, wall=title, title=name, n=number)
                yield self.frame(image, alt, name)
            return
        for gallery_map in group.pictures:
            name = gallery_map.title[self.lang]
            alt = self.texts["alt_map"].format(game=game, wall=title, title=name, code=gallery_map.code)
            yield replace(
                self.frame(self.map(gallery_map.view, group.settings.ink), alt, name),
                code=gallery_map.code,
                command=gallery_map.command,
                play=gallery_map.play,
            )

    def map(self, view: MapView, ink: str) -> Image:
        """Return the image of a map."""
        side = gallery_settings().side
        picture = fonts.with_enough_glyphs(self.lang, lambda: draw_map(view, self.lang, ink, side, side))
        return picture_image(picture, self.lang, self.dpi)

    def frame(self, image: Image, alt: str, title: str) -> _Frame:
        """Return a compressed picture with its captions."""
        out = io.BytesIO()
        # FASTOCTREE is the fastest method, and it keeps the colours of small areas. One pixel in nine is enough to
        # choose the palette. Each pixel then gets the nearest colour of the palette.
        sample = image.resize((image.width // _SAMPLE_STEP, image.height // _SAMPLE_STEP), Resampling.NEAREST)
        palette = sample.quantize(gallery_settings().colours, Quantize.FASTOCTREE, dither=Dither.NONE)
        few = image.quantize(palette=palette, dither=Dither.NONE)
        # A higher level takes 33 % longer and saves 2.5 % of the bytes.
        few.save(out, "PNG", compress_level=5)
        source = f"data:image/png;base64,{base64.b64encode(out.getvalue()).decode()}"
        return _Frame(source, *image.size, alt, title)


def _page_titles(pdf: bytes) -> list[str]:
    """Return the title of each page.

    A page without a bookmark continues the title of the previous page with a number.
    """
    with closing(pypdfium2.PdfDocument(pdf)) as document:
        # If a page has several bookmarks, the last one is the deepest and most specific.
        titles_by_page: dict[int, str] = {
            mark.get_dest().get_index(): mark.get_title() for mark in document.get_toc()
        }
        names: list[str] = []
        for page in range(len(document)):
            start = max(first for first in titles_by_page if first <= page)
            names.append(f"{titles_by_page[start]} ({page - start + 1})" if page > start else titles_by_page[start])
        return names


@cache
def _environment() -> jinja2.Environment:
    """Return a Jinja2 environment without extensions. The sandbox would add position attributes to the HTML."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(shipped_path("templates")),
        undefined=jinja2.StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.filters["options"] = _options
    return environment


def _options(command: str) -> list[str]:
    """Split a command before each option, so that it can be displayed on several lines."""
    return re.split(r" (?=--)", command)


def _asset(name: str) -> str:
    return (shipped_path("templates") / "gallery" / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    """Return the hash of a text in the form required by a Content-Security-Policy."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
