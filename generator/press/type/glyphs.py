"""The outlines of single characters, for pictures whose texts must print where our fonts are not."""

from __future__ import annotations

import io
from collections.abc import Iterable
from functools import cache
from typing import Any, NamedTuple

from generator.press.type.fonts import NoGlyphError
from generator.press.type.letters import Weight
from generator.press.type.typefounding import Coverage, font_file


class Glyph(NamedTuple):
    """One character: its outline as SVG path data, y upward, and its advance, both in units of the em."""

    path: str
    """Empty for a space."""
    advance: int


@cache
def em(weight: Weight) -> int:
    """How many units the type size has."""
    return int(_font("latin", weight)["head"].unitsPerEm)


class Measures(NamedTuple):
    """Of a whole font, in thousandths of the type size."""

    box: tuple[int, int, int, int]
    ascent: int
    descent: int
    capital: int


def measures(weight: Weight) -> Measures:
    """Of the Latin font."""
    font, share = _font("latin", weight), 1000 / em(weight)
    head, lines = font["head"], font["OS/2"]
    box = (head.xMin, head.yMin, head.xMax, head.yMax)
    left, bottom, right, top = (round(share * n) for n in box)
    ascent, descent, capital = (
        round(share * n) for n in (lines.sTypoAscender, lines.sTypoDescender, lines.sCapHeight)
    )
    return Measures((left, bottom, right, top), ascent, descent, capital)


def advances(characters: Iterable[str], weight: Weight) -> list[int]:
    """How wide each stands in the Latin font, in thousandths of the type size; 0 where it has none."""
    drawn, widths, share = _drawn("latin", weight), _font("latin", weight)["hmtx"], 1000 / em(weight)
    return [round(share * widths[drawn[ord(c)]][0]) if c and ord(c) in drawn else 0 for c in characters]


@cache
def glyph(character: str, weight: Weight) -> Glyph:
    """The character's outline; NoGlyphError where no font of ours has it.

    Both coverages are cut from one source: what the smaller one has is the same in the larger.
    """
    coverages: tuple[Coverage, ...] = ("latin", "japanese")
    for coverage in coverages:
        drawn = _drawn(coverage, weight)
        if name := drawn.get(ord(character)):
            from fontTools.pens.svgPathPen import SVGPathPen

            glyphs = _glyphs(coverage, weight)
            pen = SVGPathPen(glyphs)
            glyphs[name].draw(pen)
            return Glyph(pen.getCommands(), int(glyphs[name].width))
    raise NoGlyphError(f"no glyph for U+{ord(character):04X} {character!r}")


@cache
def _drawn(coverage: Coverage, weight: Weight) -> dict[int, str]:
    names: dict[int, str] = _font(coverage, weight).getBestCmap()
    return names


@cache
def _glyphs(coverage: Coverage, weight: Weight) -> Any:
    return _font(coverage, weight).getGlyphSet()


@cache
def _font(coverage: Coverage, weight: Weight) -> Any:
    from fontTools.ttLib import TTFont

    return TTFont(io.BytesIO(font_file(coverage, weight).read_bytes()), lazy=True)
