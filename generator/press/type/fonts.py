"""The family "Muster" as ReportLab knows it, and the width of texts set in it."""

from __future__ import annotations

import io
import struct
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

from generator.errors import DataError
from generator.model.words import Lang
from generator.press import BOLD, REGULAR
from generator.press.progress import Progress, silent
from generator.press.type.letters import Coverage
from generator.press.type.system import NoFontError, Weight
from generator.press.type.typefounding import Told, Typecase, adopt, nobody, typecase

T = TypeVar("T")

_COVERAGE: dict[Lang, Coverage] = {"en": "latin", "ja": "japanese"}
_founts: dict[tuple[Coverage, str], _Fount] = {}


class _Fount(TTFont):
    """A font whose outlines are founded when a document is saved.

    It refuses, instead of a box, to print a character it has no glyph for.
    """

    def __init__(self, name: str, case: Typecase) -> None:
        super().__init__(name, io.BytesIO(case.font))
        self.case = case
        self.told: Told = nobody

    def splitString(self, text: str, doc: object, encoding: str = "utf-8") -> object:  # noqa: N802 - overrides ReportLab's method
        if not self.face.charToGlyph.keys() >= set(map(ord, text)):
            check(text)
        return super().splitString(text, doc, encoding)

    def addObjects(self, doc: object) -> None:  # noqa: N802 - as above
        if not self.case.whole:
            subsets = self._assignState(doc).subsets
            codes = sorted({code for subset in subsets for code in subset})
            outlines = self.case.need({self.face.charToGlyph.get(code, 0): code for code in codes}, self.told)
            _furnish(self.face, self.case.font, outlines)
        super().addObjects(doc)


def _furnish(face: Any, font: bytes, outlines: dict[int, bytes]) -> None:
    """Give ReportLab's face a font with these outlines, and the measures of these and no others.

    So what it embeds depends on nothing but the characters of the document.
    """
    made, glyf, places = bytearray(font), bytearray(), []
    for number in range(face.numGlyphs):
        places.append(len(glyf))
        glyf += outlines.get(number, b"")
    boxes, points, contours, room = [(0, 0, 0, 0)], 0, 0, [(0, 0, 0)]
    for number, outline in outlines.items():
        if outline:
            rings, *box = struct.unpack_from(">5h", outline)
            wide = face.hmetrics[number][0]
            face.hmetrics[number] = wide, box[0] & 0xFFFF
            boxes.append((box[0], box[1], box[2], box[3]))
            room.append((box[0], wide - box[2], box[2]))
            contours = max(contours, rings)
            points = max(points, 1 + struct.unpack_from(">H", outline, 8 + 2 * rings)[0])
    lefts, bottoms, rights, tops = zip(*(boxes[1:] or boxes), strict=True)
    face.bbox = [min(lefts), min(bottoms), max(rights), max(tops)]
    before, after, far = zip(*(room[1:] or room), strict=True)
    struct.pack_into(">4h", made, face.get_table_pos("head")[0] + 36, *face.bbox)
    struct.pack_into(">2H", made, face.get_table_pos("maxp")[0] + 6, points, contours)
    struct.pack_into(">3h", made, face.get_table_pos("hhea")[0] + 12, min(before), min(after), max(far))
    face.table["glyf"].update(offset=len(made), length=len(glyf))
    face.glyphPos = [*places, len(glyf)]
    face._ttf_data = bytes(made + glyf)


class NoGlyphError(DataError):
    """A text holds a character that the fonts at hand cannot print."""


def ensure(lang: Lang) -> None:
    """Make some fonts ready where none are; those that a print has chosen stay."""
    if REGULAR not in pdfmetrics._fonts:
        register(lang)


def register(lang: Lang, progress: Progress = silent, told_in: Lang | None = None) -> None:
    """Make the family ready for texts in that language; another language's fonts step aside.

    `progress` is told what is founded, in that language or in another.
    """
    coverage = _COVERAGE[lang]
    for name in (REGULAR, BOLD):
        weight: Weight = "bold" if name == BOLD else "regular"
        told = _telling(f"{coverage}_{weight}", told_in or lang, progress)
        case = typecase(coverage, weight, told)
        if (coverage, name) not in _founts or _founts[coverage, name].case is not case:
            _founts[coverage, name] = _Fount(name, case)
        fount = _founts[coverage, name]
        fount.told = told
        current = pdfmetrics._fonts.get(name)
        if current is not fount:
            if current is not None:
                current.unregister()
            pdfmetrics.registerFont(fount)
            pdfmetrics.registerFontFamily(REGULAR, REGULAR, BOLD, REGULAR, BOLD)


class Founts(NamedTuple):
    """The family at hand: the language it serves, and what is founded of it."""

    lang: Lang
    cases: tuple[Typecase, ...]


def at_hand() -> Founts:
    """The family that is ready now, for another process."""
    current = pdfmetrics.getFont(REGULAR)
    lang = next(lang for lang, coverage in _COVERAGE.items() if _founts.get((coverage, REGULAR)) is current)
    return Founts(lang, tuple(_founts[_COVERAGE[lang], name].case for name in (REGULAR, BOLD)))


def take(founts: Founts) -> None:
    """Make another process's family ready here."""
    for case in founts.cases:
        adopt(case)
    register(founts.lang)


def enough(lang: Lang, make: Callable[[], T], progress: Progress = silent) -> T:
    """What `make` prints with the language's fonts, or with the larger ones where a person's words need them.

    NoGlyphError where those do not suffice either.
    """
    if lang != "ja":
        register(lang, progress)
        try:
            return make()
        except NoGlyphError as lacking:
            _register_larger(lang, progress, lacking)
    else:
        register(lang, progress)
    return make()


def _register_larger(lang: Lang, progress: Progress, lacking: NoGlyphError) -> None:
    """The fonts of the larger coverage; where there are none, the letter that was asked of them is what lacks."""
    try:
        register("ja", progress, lang)
    except NoFontError as error:
        raise NoGlyphError(*lacking.problems, *error.problems) from error


def _telling(key: str, lang: Lang, progress: Progress) -> Told:
    """Says how far the founding of a font has come."""
    if progress is silent:
        return nobody

    def told(done: int, of: int) -> None:
        from generator.press.sheets.templates import words

        line: str = words("", lang)["founding"][key]
        progress(line.format(n=done, m=of), done / of)

    return told


def width(text: str, size: float, bold: bool = False) -> float:
    """The width of a line of text in points."""
    return float(pdfmetrics.stringWidth(text, BOLD if bold else REGULAR, size))


def missing(text: str) -> list[str]:
    """The characters that have no glyph, each once, in their order."""
    glyphs = pdfmetrics.getFont(REGULAR).face.charToGlyph
    return [c for c in dict.fromkeys(text) if ord(c) not in glyphs]


def check(text: str) -> str:
    """The text itself; DataError where a character has no glyph."""
    if lacking := missing(text):
        points = ", ".join(f"U+{ord(c):04X} {c!r}" for c in lacking)
        shown = text if len(text) <= 60 else f"{text[:60]}…"
        raise NoGlyphError(f"no glyph for {points} in the text {shown!r}")
    return text
