"""The outlines of single characters, for pictures whose texts must print where our fonts are not."""

from __future__ import annotations

import io
from functools import cache
from typing import Any, NamedTuple

from generator.press.fonts import NoGlyphError
from generator.press.typefounding import Coverage, Weight, font_file


class Glyph(NamedTuple):
    """One character: its outline as SVG path data, y upward, and its advance, both in units of the em."""

    path: str
    """Empty for a space."""
    advance: int


@cache
def em(weight: Weight) -> int:
    """How many units the type size has."""
    return int(_font("latin", weight)["head"].unitsPerEm)


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
