"""Outlines and measures of single glyphs, for pictures that must print without these fonts installed."""

from __future__ import annotations

import io
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import msgspec

from generator.press.pdf.embedding import code_of, no_glyph
from generator.press.pdf.letters import EM, Coverage
from generator.press.pdf.system_fonts import Weight
from generator.press.pdf.typecase import typecase

_COVERAGES: tuple[Coverage, ...] = ("latin", "japanese")
"""Coverages in the order in which they are searched. Both fonts have the same source, so shared glyphs are equal."""


class Glyph(msgspec.Struct, frozen=True):
    """The outline of a character as SVG path data with y upwards, and its advance, in units of the em."""

    path: str
    """SVG path data, empty for a space."""
    advance: int


class Measures(msgspec.Struct, frozen=True):
    """Measures of a whole font in thousandths of the type size."""

    box: tuple[int, int, int, int]
    ascent: int
    descent: int
    capital: int


def measures(weight: Weight) -> Measures:
    """Return the measures of the Latin font in this weight."""
    font, share = _font("latin", weight), 1000 / EM
    head, lines = font["head"], font["OS/2"]
    box = (head.xMin, head.yMin, head.xMax, head.yMax)
    left, bottom, right, top = (round(share * n) for n in box)
    ascent, descent, capital = (
        round(share * n) for n in (lines.sTypoAscender, lines.sTypoDescender, lines.sCapHeight)
    )
    return Measures((left, bottom, right, top), ascent, descent, capital)


def advances(characters: Iterable[str], weight: Weight) -> list[int]:
    """Return the advance of each character in the Latin font, in thousandths of the type size.

    The advance is 0 if the font has no glyph for a character.
    """
    drawn, widths, share = _glyph_numbers("latin", weight), _glyph_widths("latin", weight), 1000 / EM
    return [round(share * widths[drawn[ord(c)]]) if c and ord(c) in drawn else 0 for c in characters]


def prepare(characters: Iterable[str], weight: Weight) -> None:
    """Load the glyphs of several characters at once, which makes later calls of `glyph` faster.

    Characters that no available font has are skipped.
    """
    others = [c for c in characters if code_of(c) not in _glyph_numbers("latin", weight)]
    if others:
        numbers, case = _glyph_numbers("japanese", weight), typecase("japanese", weight)
        case.take_in(c for c in others if code_of(c) not in numbers)
        case.outlines_of({numbers[code_of(c)]: ord(c) for c in others if code_of(c) in numbers})


@lru_cache(4096)  # Enough for the letters of one picture.
def glyph(character: str, weight: Weight) -> Glyph:
    """Return the glyph of a character.

    Raises:
        NoGlyphError: If no available font has the character.
    """
    code = code_of(character)
    for coverage in _COVERAGES:
        number = _glyph_numbers(coverage, weight).get(code)
        if number is not None:
            return Glyph(_path(_outline(coverage, weight, number, code)), _glyph_widths(coverage, weight)[number])
    if rare := typecase("japanese", weight).take_in([character]).get(character):
        return Glyph(_path(_expanded(rare.outline)), rare.advance)
    raise no_glyph(character, character)


def _path(outline: Any) -> str:
    """Return an outline as SVG path data."""
    from fontTools.pens.svgPathPen import SVGPathPen

    pen = SVGPathPen(None)
    outline.draw(pen, None)
    return str(pen.getCommands())


def _outline(coverage: Coverage, weight: Weight, number: int, code: int) -> Any:
    """Return a glyph's outline as a fontTools glyph."""
    case, font = typecase(coverage, weight), _font(coverage, weight)
    if case.whole:
        return font["glyf"][font.getGlyphName(number)]
    return _expanded(case.outlines_of({number: code})[number])


def _expanded(outline: bytes) -> Any:
    """Return an outline in the format of a glyf table as a fontTools glyph."""
    from fontTools.ttLib.tables._g_l_y_f import Glyph as Outline

    drawn = Outline(outline)
    drawn.expand(None)
    return drawn


@lru_cache(4)  # Two coverages in two weights.
def _glyph_numbers(coverage: Coverage, weight: Weight) -> dict[int, int]:
    """Return the glyph numbers, keyed by character code."""
    font = _font(coverage, weight)
    return {code: font.getGlyphID(name) for code, name in font.getBestCmap().items()}


@lru_cache(4)  # Two coverages in two weights.
def _glyph_widths(coverage: Coverage, weight: Weight) -> list[int]:
    """Return the advances in units of the em, indexed by glyph number."""
    font = _font(coverage, weight)
    return [font["hmtx"][name][0] for name in font.getGlyphOrder()]


@lru_cache(4)  # Two coverages in two weights.
def _font(coverage: Coverage, weight: Weight) -> Any:
    from fontTools.ttLib import TTFont

    return TTFont(io.BytesIO(typecase(coverage, weight).font), lazy=True)
