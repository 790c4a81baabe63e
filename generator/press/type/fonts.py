"""The family "Muster" as ReportLab knows it, and the width of texts set in it."""

from __future__ import annotations

import struct
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple, TypeVar

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFError, TTFont

from generator.errors import DataError
from generator.model.words import Lang
from generator.press import BOLD, REGULAR
from generator.press.progress import Progress, silent
from generator.press.type.letters import Weight
from generator.press.type.typefounding import Coverage, font_file

T = TypeVar("T")

_COVERAGE: dict[Lang, Coverage] = {"en": "latin", "ja": "japanese"}
_founts: dict[tuple[Coverage, str], _Fount] = {}


class _Fount(TTFont):
    """A font that refuses, instead of a box, to print a character it has no glyph for."""

    def splitString(self, text: str, doc: object, encoding: str = "utf-8") -> object:  # noqa: N802 - overrides ReportLab's method
        if not self.face.charToGlyph.keys() >= set(map(ord, text)):
            check(text)
        return super().splitString(text, doc, encoding)


class NoGlyphError(DataError):
    """A text holds a character that the fonts at hand cannot print."""


def ensure(lang: Lang) -> None:
    """Make some fonts ready where none are; those that a print has chosen stay."""
    if REGULAR not in pdfmetrics._fonts:
        register(lang)


def register(lang: Lang, progress: Progress = silent) -> None:
    """Make the family ready for texts in that language; another language's fonts step aside."""
    coverage = _COVERAGE[lang]
    for name in (REGULAR, BOLD):
        if (coverage, name) not in _founts:
            _founts[coverage, name] = _fount(coverage, name, progress)
        fount = _founts[coverage, name]
        current = pdfmetrics._fonts.get(name)
        if current is not fount:
            if current is not None:
                current.unregister()
            pdfmetrics.registerFont(fount)
            pdfmetrics.registerFontFamily(REGULAR, REGULAR, BOLD, REGULAR, BOLD)


class Founts(NamedTuple):
    """The family at hand: the language it serves, and the files by name."""

    lang: Lang
    files: tuple[tuple[str, str], ...]


def at_hand() -> Founts:
    """The family that is ready now, for another process."""
    current = pdfmetrics.getFont(REGULAR)
    lang = next(lang for lang, coverage in _COVERAGE.items() if _founts.get((coverage, REGULAR)) is current)
    return Founts(lang, tuple((name, pdfmetrics.getFont(name).face.filename) for name in (REGULAR, BOLD)))


def take(founts: Founts) -> None:
    """Make another process's family ready here."""
    for name, file in founts.files:
        _founts[_COVERAGE[founts.lang], name] = _Fount(name, file)
    register(founts.lang)


def enough(lang: Lang, make: Callable[[], T], progress: Progress = silent) -> T:
    """What `make` prints with the language's fonts, or with the larger ones where a person's words need them.

    NoGlyphError where those do not suffice either.
    """
    if lang != "ja":
        register(lang, progress)
        with suppress(NoGlyphError):
            return make()
    register("ja", progress)
    return make()


def _fount(coverage: Coverage, name: str, progress: Progress) -> _Fount:
    """The font of that coverage; a cached file that was damaged is founded anew."""
    weight: Weight = "bold" if name == BOLD else "regular"
    file = font_file(coverage, weight, progress)
    try:
        return _Fount(name, str(file))
    except (TTFError, struct.error, IndexError, KeyError):
        file.unlink(missing_ok=True)
        return _Fount(name, str(font_file(coverage, weight, progress)))


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
