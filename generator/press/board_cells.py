"""Export boards for virtual tables: a picture of each board, with a file that lists its cells."""

from __future__ import annotations

import json
from collections.abc import Mapping

from msgspec import Struct

from generator.grid.hexes import Cell
from generator.model.views import Kit, MapView, Poster
from generator.model.words import Lang, Words
from generator.press import Progress
from generator.press.alternative_texts import all_words
from generator.press.figures.maps import MapPicture, draw_sized
from generator.press.layout.print_settings import PrintSettings
from generator.press.pdf import fonts
from generator.press.pictures import slug
from generator.press.png import picture_png
from generator.store.manifest import seal

_DIGITS = 2
"""Number of digits after the decimal point of a position in pixels."""
INCH = 25.4
"""Length of an inch in mm."""


class Board(Struct, frozen=True):
    """A side of a board in true size, with the name of its files, its title and the width of a cell in mm."""

    name: str
    title: str
    view: MapView
    drawn: MapPicture
    cell: float


def boards(kit: Kit, settings: PrintSettings, lang: Lang, progress: Progress) -> list[Board]:
    """Return each side of the kit's boards, each with a name that no other board has."""
    return fonts.with_enough_glyphs(lang, lambda: _boards(kit, settings, lang), progress)


def _boards(kit: Kit, settings: PrintSettings, lang: Lang) -> list[Board]:
    found: dict[str, Board] = {}
    imposition = settings.imposition
    for poster in kit.sheets:
        if not isinstance(poster, Poster):
            continue
        views = [poster.view, *([poster.back] if poster.back and not imposition.single else [])]
        cell = imposition.hex or poster.cell
        for view, tail in zip(views, ("", "-back"), strict=False):
            others = [other for other in views if other is not view]
            drawn = draw_sized(view, lang, settings.ink, cell, others, settings.turned, kit.stamp)
            name = first = f"{slug(poster.part, poster.title['en'])}{tail}"
            number = 1
            while name in found:
                number += 1
                name = f"{first}-{number}"
            found[name] = Board(name, poster.title[lang], view, drawn, cell)
    return list(found.values())


def board_files(kit: Kit, settings: PrintSettings, dpi: float, progress: Progress) -> dict[str, bytes]:
    """Return a PNG of each board, and a JSON file with the positions of its cells, keyed by file name.

    Raises:
        WrongUsageError: If a picture would be too large.
    """
    made: dict[str, bytes] = {}
    for lang in settings.langs:
        tail = f"-{lang}" if settings.second_lang else ""
        found = boards(kit, settings, lang, progress)
        for done, board in enumerate(found):
            progress(board.title, done / len(found))
            picture = f"{board.name}{tail}.png"
            made[picture] = picture_png(board.drawn.picture, lang, dpi)
            values = board_values(board, lang, picture, dpi)
            text = json.dumps(values, ensure_ascii=False, indent=1) + "\n"
            made[f"{board.name}{tail}.json"] = seal(text.encode())
    return made


def board_values(board: Board, lang: Lang, picture: str, dpi: float) -> dict[str, object]:
    """Return the content of a board's JSON file (docs/makers.md). Lengths are in pixels of the picture."""
    drawn, grid = board.drawn, board.view.grid
    scale = dpi / INCH
    shape = "square" if drawn.place.anatomy.squares else "hex-flat" if grid.pitch[0] < grid.pitch[1] else "hex-pointy"
    return {
        "title": board.title,
        "picture": picture,
        "width": round(drawn.picture.width * scale),
        "height": round(drawn.picture.height * scale),
        "dpi": dpi,
        "shape": shape,
        "cell_width": round(board.cell * scale, _DIGITS),
        "cell_side": round(drawn.place.side * scale, _DIGITS),
        "cells": [_cell_values(board, cell, lang, scale) for cell in grid.cells],
    }


def _cell_values(board: Board, cell: Cell, lang: Lang, scale: float) -> dict[str, object]:
    """Return a cell's name, the position of its centre, its terrain and what is on it."""
    view, drawn, words = board.view, board.drawn, all_words()
    x, y = drawn.place.centre(cell)
    terrain, feature = view.ground.get(cell, ""), view.features.get(cell, "")
    texts = {row.sample: row.text[lang] for row in view.legend if isinstance(row.sample, str)}

    def label(look: str, known: Mapping[str, Words]) -> str:
        return texts.get(look) or (known[look][lang] if look in known else look.replace("_", " "))

    values: dict[str, object] = {
        "name": view.grid.name(cell),
        "x": round(x * scale, _DIGITS),
        "y": round((drawn.picture.height - y) * scale, _DIGITS),
        "terrain": terrain,
        "terrain_name": label(terrain, words.ground),
    }
    if feature:
        values |= {"feature": feature, "feature_name": label(feature, words.feature)}
    if cell in view.places:
        values["place"] = view.places[cell][lang]
    return values
