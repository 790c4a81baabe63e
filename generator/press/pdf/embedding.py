"""Embed fonts in a document, with only the glyphs that the document's texts use."""

from __future__ import annotations

import io
import re
import struct
from typing import Any

from reportlab.pdfbase.ttfonts import TTFont

from generator.errors import DataError
from generator.localization import tr
from generator.notation.text import print_hint, selectors
from generator.press.pdf.letters import EM, split_letters
from generator.press.pdf.system_fonts import PACKAGES
from generator.press.pdf.typecase import GlyphProgress, Typecase, no_progress

_BEYOND_BMP = re.compile(r"<([0-9A-F]{5,6})>")
_FIRST_VARIANT = 0xF0000
"""First private-use code point that represents a letter with a variation selector."""


class EmbeddedFont(TTFont):
    """A font whose outlines are added when the document is saved.

    A character without a glyph raises an error. ReportLab alone would print a box.
    """

    def __init__(self, name: str, case: Typecase) -> None:
        super().__init__(name, io.BytesIO(case.font))
        self.case = case
        self.progress: GlyphProgress = no_progress
        self.readable = bool(self._asciiReadable) and all(code in self.face.charToGlyph for code in range(32, 127))
        self.rare: dict[int, str] = {}
        """The letters added beyond the basic set, keyed by glyph number."""

    def take_in_missing(self, text: str) -> str:
        """Add the letters of a text that are not in the font yet, and return those without a glyph."""
        glyphs = self.face.charToGlyph
        lacking = [letter for letter in dict.fromkeys(split_letters(text)) if code_of(letter) not in glyphs]
        for letter, rare in sorted(self.case.take_in(lacking).items()) if lacking else ():
            face, code = self.face, code_of(letter)
            self.rare[face.numGlyphs] = letter
            face.charToGlyph[code] = face.numGlyphs
            face.charWidths[code] = rare.advance * 1000 / EM
            face.hmetrics.append((rare.advance, 0))
            face.numGlyphs += 1
        return "".join(letter for letter in lacking if code_of(letter) not in glyphs)

    def stringWidth(self, text: str, size: float, encoding: str = "utf8") -> float:  # noqa: N802 - overrides ReportLab's
        """Return the width of a text in points, adding glyphs for letters that were not used before."""
        if not text.isascii() and not self.face.charToGlyph.keys() >= set(map(ord, text)):
            self.take_in_missing(text)
            text = _encoded(text)
        width: float = super().stringWidth(text, size, encoding)
        return width

    def splitString(self, text: str, doc: object, encoding: str = "utf-8") -> object:  # noqa: N802 - as above
        """Return the character codes of a text, split by the subsets of this font.

        Raises:
            NoGlyphError: If no font has one of the characters.
        """
        if self.readable and text and text.isascii() and text.isprintable():
            # Fast path for most texts: ASCII letters have the same codes in every document.
            self._assignState(doc)
            return [(0, text.encode())]
        if not self.face.charToGlyph.keys() >= set(map(ord, text)):
            if lacking := self.take_in_missing(text):
                raise no_glyph(lacking, text)
            text = _encoded(text)
        return super().splitString(text, doc, encoding)

    def addObjects(self, doc: object) -> None:  # noqa: N802 - as above
        """Write this font to the document, with the outlines of the glyphs that the document uses."""
        if not self.case.whole:
            subsets = self._assignState(doc).subsets
            codes = sorted({code for subset in subsets for code in subset})
            wanted = {self.face.charToGlyph.get(code, 0): code for code in codes}
            rare = {number: self.case.rare[self.rare[number]].outline for number in wanted if number in self.rare}
            outlines = self.case.outlines_of({n: code for n, code in wanted.items() if n not in rare}, self.progress)
            _set_outlines(self.face, self.case.font, outlines | rare)
        super().addObjects(doc)
        _correct_code_points(doc)


_variant_codes: dict[str, int] = {}


def code_of(letter: str) -> int:
    """Return the code point of a letter. A letter with a variation selector gets a private-use code point."""
    if len(letter) == 1:
        return ord(letter)
    return _variant_codes.setdefault(letter, _FIRST_VARIANT + len(_variant_codes))


def _encoded(text: str) -> str:
    """Return a text in which each letter, including its variation selector, is a single code point."""
    return "".join(chr(code_of(letter)) for letter in split_letters(text)) if selectors(text) else text


def _correct_code_points(doc: Any) -> None:
    """Encode ToUnicode entries above U+FFFF as UTF-16, so that viewers copy a letter such as 𠮷 correctly."""
    variants = {code: letter for letter, code in _variant_codes.items()}

    def spelt(found: re.Match[str]) -> str:
        code = int(found[1], 16)
        return f"<{variants.get(code, chr(code)).encode('utf-16-be').hex().upper()}>"

    for name, held in doc.idToObject.items():
        if name.startswith("toUnicodeCMap:") and _BEYOND_BMP.search(held.content):
            held.content = _BEYOND_BMP.sub(spelt, held.content)


def _set_outlines(face: Any, font: bytes, outlines: dict[int, bytes]) -> None:
    """Set the outlines and glyph measures of a ReportLab font face.

    Only these outlines are embedded, so the embedded font depends only on the characters of the document.
    """
    made, glyf, places = bytearray(font), bytearray(), list[int]()
    for number, outline in sorted(outlines.items()):
        places += [len(glyf)] * (number + 1 - len(places))
        glyf += outline
    places += [len(glyf)] * (face.numGlyphs + 1 - len(places))
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
    face.glyphPos = places
    face._ttf_data = bytes(made + glyf)


class NoGlyphError(DataError):
    """Raised if no available font has a glyph for a character."""


def no_glyph(lacking: str, text: str) -> NoGlyphError:
    """Return an error that lists the letters without a glyph and quotes the text that contains them."""
    points = [f"U+{ord(c):04X} {c!r}" for c in dict.fromkeys(lacking)]
    excerpt = text if len(text) <= 60 else f"{text[:60]}…"
    packages = [*PACKAGES.values()]
    hint = print_hint(lacking) or tr(
        "install the packages {packages}, which contain the character", packages=packages
    )
    return NoGlyphError(
        tr("no font has the characters {points} in the text {text!r}", points=points, text=excerpt), hint=hint
    )
