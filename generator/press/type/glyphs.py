"""The outlines of single characters, for pictures whose texts must print where our fonts are not."""

from __future__ import annotations

import io
from collections.abc import Iterable
from functools import cache
from typing import Any, NamedTuple

from generator.press.type.fonts import NoGlyphError
from generator.press.type.letters import EM, Coverage
from generator.press.type.system import Weight
from generator.press.type.typefounding import typecase

_COVERAGES: tuple[Coverage, ...] = ("latin", "japanese")
"""Both are cut from one source: what the smaller one has is the same in the larger."""


class Glyph(NamedTuple):
    """One character: its outline as SVG path data, y upward, and its advance, both in units of the em."""

    path: str
    """Empty for a space."""
    advance: int


class Measures(NamedTuple):
    """Of a whole font, in thousandths of the type size."""

    box: tuple[int, int, int, int]
    ascent: int
    descent: int
    capital: int


def measures(weight: Weight) -> Measures:
    """Of the Latin font."""
    font, share = _font("latin", weight), 1000 / EM
    head, lines = font["head"], font["OS/2"]
    box = (head.xMin, head.yMin, head.xMax, head.yMax)
    left, bottom, right, top = (round(share * n) for n in box)
    ascent, descent, capital = (
        round(share * n) for n in (lines.sTypoAscender, lines.sTypoDescender, lines.sCapHeight)
    )
    return Measures((left, bottom, right, top), ascent, descent, capital)


def advances(characters: Iterable[str], weight: Weight) -> list[int]:
    """How wide each stands in the Latin font, in thousandths of the type size; 0 where it has none."""
    drawn, widths, share = _numbers("latin", weight), _widths("latin", weight), 1000 / EM
    return [round(share * widths[drawn[ord(c)]]) if c and ord(c) in drawn else 0 for c in characters]


def prepare(characters: Iterable[str], weight: Weight) -> None:
    """Found at one go what `glyph` will be asked for; it passes over what no font of ours has."""
    rare = [c for c in characters if ord(c) not in _numbers("latin", weight)]
    if rare:
        numbers = _numbers("japanese", weight)
        typecase("japanese", weight).need({numbers[ord(c)]: ord(c) for c in rare if ord(c) in numbers})


@cache
def glyph(character: str, weight: Weight) -> Glyph:
    """The character's outline; NoGlyphError where no font of ours has it."""
    from fontTools.pens.svgPathPen import SVGPathPen

    code = ord(character)
    for coverage in _COVERAGES:
        number = _numbers(coverage, weight).get(code)
        if number is not None:
            pen = SVGPathPen(None)
            _outline(coverage, weight, number, code).draw(pen, None)
            return Glyph(pen.getCommands(), _widths(coverage, weight)[number])
    raise NoGlyphError(f"no glyph for U+{code:04X} {character!r}")


def _outline(coverage: Coverage, weight: Weight, number: int, code: int) -> Any:
    """As fontTools draws it."""
    case, font = typecase(coverage, weight), _font(coverage, weight)
    if case.whole:
        return font["glyf"][font.getGlyphName(number)]
    from fontTools.ttLib.tables._g_l_y_f import Glyph as Outline

    drawn = Outline(case.need({number: code})[number])
    drawn.expand(None)
    return drawn


@cache
def _numbers(coverage: Coverage, weight: Weight) -> dict[int, int]:
    """The glyphs' numbers by character."""
    font = _font(coverage, weight)
    return {code: font.getGlyphID(name) for code, name in font.getBestCmap().items()}


@cache
def _widths(coverage: Coverage, weight: Weight) -> list[int]:
    """By the glyphs' numbers."""
    font = _font(coverage, weight)
    return [font["hmtx"][name][0] for name in font.getGlyphOrder()]


@cache
def _font(coverage: Coverage, weight: Weight) -> Any:
    from fontTools.ttLib import TTFont

    return TTFont(io.BytesIO(typecase(coverage, weight).font), lazy=True)
