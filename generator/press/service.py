"""Print each side of every piece on a page of its own, for print services."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from msgspec import Struct

from generator.errors import DataError, DoesNotFitError
from generator.localization import tr
from generator.model.picture import XY, Picture
from generator.model.views import Face, Kit, Piece, Run
from generator.model.words import Lang
from generator.press import Progress
from generator.press.alternative_texts import describe_face
from generator.press.figures.cards import draw_face
from generator.press.layout.imposition import Cut, trimmed_size
from generator.press.layout.print_settings import PrintSettings
from generator.press.pdf import fonts
from generator.press.pdf.canvas import JOINT, Canvas
from generator.press.pdf.units import MM


class PieceSide(Struct, frozen=True):
    """A side of a piece with its shape, its size in mm after cutting, and its language."""

    piece: Piece
    face: Face
    back: bool
    cut: Cut
    size: XY
    lang: Lang


def piece_sides(kit: Kit, settings: PrintSettings) -> Iterator[PieceSide]:
    """Yield each front of the kit's pieces, followed by its back, as the settings of the print select them.

    With a second language, cards have it on their backs, as in `generator.press.book`. Other pieces contain no text.
    """
    imposition = settings.imposition
    for run in kit.sheets:
        if not isinstance(run, Run):
            continue
        size = trimmed_size(run.cut, run.hex, imposition, run.share)
        second = settings.second_lang if run.cut == "card" else None
        for piece in run.pieces:
            back, back_lang = (piece.front, second) if second else (piece.back, settings.lang)
            if not imposition.backs_only:
                yield PieceSide(piece, piece.front, False, run.cut, size, settings.lang)
            if back and not imposition.single:
                yield PieceSide(piece, back, True, run.cut, size, back_lang)
        if second and imposition.single:
            for piece in run.pieces:
                yield PieceSide(piece, piece.front, False, run.cut, size, second)


def print_service_pdf(kit: Kit, bleed: float, settings: PrintSettings, progress: Progress) -> bytes:
    """Return a PDF with a page for each side of a piece.

    The TrimBox of a page is the piece after cutting. The page and its BleedBox extend `bleed` mm beyond it.

    Raises:
        DoesNotFitError: If a text does not fit on its piece.
    """
    lang = "ja" if "ja" in settings.langs else settings.lang
    return fonts.with_enough_glyphs(lang, partial(_print, kit, bleed, settings, progress), progress)


def page_sizes(kit: Kit, bleed: float, settings: PrintSettings) -> set[XY]:
    """Return the sizes of the pages of the PDF, in points."""
    return {_page_size(side.size, bleed) for side in piece_sides(kit, settings)}


def _page_size(size: XY, bleed: float) -> XY:
    width, height = (round((side + 2 * bleed) * MM, 3) for side in size)
    return width, height


def _print(kit: Kit, bleed: float, settings: PrintSettings, progress: Progress) -> bytes:
    sides = list(piece_sides(kit, settings))
    canvas = Canvas(_page_size(sides[0].size, bleed), settings.lang, tagged=True)
    title = kit.title[settings.lang]
    canvas.describe(f"{kit.game[settings.lang]}{JOINT}{title}", kit.stamp)
    canvas.show_outline()
    for at, side in enumerate(sides):
        name = side.piece.name[side.lang]
        progress(name, at / len(sides))
        if not side.back or settings.imposition.backs_only:
            canvas.bookmark(f"piece{at}", name, 0)
        with canvas.tags.element("Sect", name, side.lang):
            _draw_side(canvas, side, bleed, settings.ink)
    progress(title, 1.0)
    return bytes(canvas.finish())


def _draw_side(canvas: Canvas, side: PieceSide, bleed: float, ink: str) -> None:
    """Draw a page with its boxes."""
    try:
        items = draw_face(side.face, side.cut, side.lang, ink, side.size, (bleed,) * 4)
    except (DataError, DoesNotFitError) as error:
        problems = (
            p.but(message=tr("{place}: {message}", place=side.piece.name, message=p.message)) for p in error.problems
        )
        raise type(error)(*problems) from error
    width, height = _page_size(side.size, bleed)
    inner = bleed * MM
    canvas.set_page_size((width, height))
    canvas.set_box("bleed", (0.0, 0.0, width, height))
    canvas.set_box("trim", tuple(round(x, 3) for x in (inner, inner, width - inner, height - inner)))
    canvas.draw(
        Picture(*side.size, tuple(items)), bleed, bleed, alt=describe_face(side.face, side.lang), lang=side.lang
    )
    canvas.show_page()
    canvas.file.write_page()
