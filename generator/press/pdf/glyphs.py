"""Single glyphs and measures of our fonts, for pictures that must print without these fonts installed."""

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
"""Both fonts have the same source: shared glyphs are equal."""


class Glyph(msgspec.Struct, frozen=True):
    """A character's outline as SVG path data, y upwards, and its advance, both in units of the em."""

    path: str
    """Empty for a space."""
    advance: int


class Measures(msgspec.Struct, frozen=True):
    """Measures of a whole font, in thousandths of the type size."""

    box: tuple[int, int, int, int]
    ascent: int
    descent: int
    capital: int


def measures(weight: Weight) -> Measures:
    """Return the measures of the Latin font."""
    font, share = _font("latin", weight), 1000 / EM
    head, lines = font["head"], font["OS/2"]
    box = (head.xMin, head.yMin, head.xMax, head.yMax)
    left, bottom, right, top = (round(share * n) for n in box)
    ascent, descent, capital = (
        round(share * n) for n in (lines.sTypoAscender, lines.sTypoDescender, lines.sCapHeight)
    )
    return Measures((left, bottom, right, top), ascent, descent, capital)


def advances(characters: Iterable[str], weight: Weight) -> list[int]:
    """Return each character's advance in the Latin font, in thousandths of the type size; 0 if it has no glyph."""
    drawn, widths, share = _glyph_numbers("latin", weight), _glyph_widths("latin", weight), 1000 / EM
    return [round(share * widths[drawn[ord(c)]]) if c and ord(c) in drawn else 0 for c in characters]


def prepare(characters: Iterable[str], weight: Weight) -> None:
    """Load several characters at once for `glyph`, skipping those that no available font has."""
    others = [c for c in characters if code_of(c) not in _glyph_numbers("latin", weight)]
    if others:
        numbers, case = _glyph_numbers("japanese", weight), typecase("japanese", weight)
        case.take_in(c for c in others if code_of(c) not in numbers)
        case.outlines_of({numbers[code_of(c)]: ord(c) for c in others if code_of(c) in numbers})


@lru_cache(4096)  # the letters of one picture
def glyph(character: str, weight: Weight) -> Glyph:
    """Return the glyph of a character.

    Raises: NoGlyphError if no available font has it.
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
    """Return a glyph's outline as fontTools draws it."""
    case, font = typecase(coverage, weight), _font(coverage, weight)
    if case.whole:
        return font["glyf"][font.getGlyphName(number)]
    return _expanded(case.outlines_of({number: code})[number])


def _expanded(outline: bytes) -> Any:
    """Return an outline of a glyf table as fontTools draws it."""
    from fontTools.ttLib.tables._g_l_y_f import Glyph as Outline

    drawn = Outline(outline)
    drawn.expand(None)
    return drawn


@lru_cache(4)  # the fonts there are
def _glyph_numbers(coverage: Coverage, weight: Weight) -> dict[int, int]:
    """Return the glyph numbers by character."""
    font = _font(coverage, weight)
    return {code: font.getGlyphID(name) for code, name in font.getBestCmap().items()}


@lru_cache(4)  # the fonts there are
def _glyph_widths(coverage: Coverage, weight: Weight) -> list[int]:
    """Return the advances by glyph number."""
    font = _font(coverage, weight)
    return [font["hmtx"][name][0] for name in font.getGlyphOrder()]


@lru_cache(4)  # the fonts there are
def _font(coverage: Coverage, weight: Weight) -> Any:
    from fontTools.ttLib import TTFont

    return TTFont(io.BytesIO(typecase(coverage, weight).font), lazy=True)
