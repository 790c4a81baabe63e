"""Register the font family "Muster" with ReportLab, and measure and encode texts."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TypeVar

import msgspec
from reportlab.lib.rl_accel import escapePDF
from reportlab.pdfbase import pdfmetrics

from generator.model.words import Lang
from generator.notation.words import words
from generator.press import Progress, silent
from generator.press.pdf.embedding import EmbeddedFont, NoGlyphError, no_glyph
from generator.press.pdf.file import File
from generator.press.pdf.letters import Coverage
from generator.press.pdf.system_fonts import NoFontError, Weight
from generator.press.pdf.typecase import GlyphProgress, Typecase, adopt, no_progress, typecase
from generator.press.pdf.units import numbers

REGULAR = "Muster"
BOLD = "Muster-Bold"


_MAX_CACHED_LINES = 1024
"""Maximum number of lines of text cached per document. Only some lines repeat."""


T = TypeVar("T")

_COVERAGE: dict[Lang, Coverage] = {"en": "latin", "ja": "japanese"}
_embedded_fonts: dict[tuple[Coverage, str], EmbeddedFont] = {}


def ensure_registered(lang: Lang) -> None:
    """Register the family for a language if the family is not registered yet."""
    if REGULAR not in pdfmetrics._fonts:
        register(lang)


def register(lang: Lang, progress: Progress = silent, progress_lang: Lang | None = None) -> None:
    """Register the family for texts in a language, replacing the family of any other language.

    `progress` reports the creation of fonts in `progress_lang`, or in `lang` if that is None.
    """
    coverage = _COVERAGE[lang]
    for name in (REGULAR, BOLD):
        weight: Weight = "bold" if name == BOLD else "regular"
        glyph_progress = _progress_callback(f"{coverage}_{weight}", progress_lang or lang, progress)
        case = typecase(coverage, weight, glyph_progress)
        if (coverage, name) not in _embedded_fonts or _embedded_fonts[coverage, name].case is not case:
            _embedded_fonts[coverage, name] = EmbeddedFont(name, case)
        print_font = _embedded_fonts[coverage, name]
        print_font.progress = glyph_progress
        current = pdfmetrics._fonts.get(name)
        if current is not print_font:
            if current is not None:
                current.unregister()
            pdfmetrics.registerFont(print_font)
            width.cache_clear()


class FontFamily(msgspec.Struct, frozen=True):
    """The registered font family, with its language and fonts."""

    lang: Lang
    cases: tuple[Typecase, ...]


def current_family() -> FontFamily:
    """Return the registered family so that another process can use it."""
    current = pdfmetrics.getFont(REGULAR)
    lang = next(lang for lang, coverage in _COVERAGE.items() if _embedded_fonts.get((coverage, REGULAR)) is current)
    return FontFamily(lang, tuple(_embedded_fonts[_COVERAGE[lang], name].case for name in (REGULAR, BOLD)))


def use_family(family: FontFamily) -> None:
    """Register a font family that was received from another process."""
    for case in family.cases:
        adopt(case)
    register(family.lang)


def with_enough_glyphs(lang: Lang, make: Callable[[], T], progress: Progress = silent) -> T:
    """Return the result of `make`, which prints texts with the fonts for a language.

    If a text needs characters that these fonts lack, `make` is called again with the larger fonts.

    Raises:
        NoGlyphError: If the larger fonts lack a character too.
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
    """Register the larger fonts.

    Raises:
        NoGlyphError: If no larger font is installed. The error also reports the missing character.
    """
    try:
        register("ja", progress, lang)
    except NoFontError as error:
        raise NoGlyphError(*lacking.problems, *error.problems) from error


def _progress_callback(key: str, lang: Lang, progress: Progress) -> GlyphProgress:
    """Return a callback that reports progress while a font is created."""
    if progress is silent:
        return no_progress

    def report(done: int, of: int) -> None:
        line: str = words("", lang)["founding"][key]
        progress(line.format(n=done, m=of), done / of)

    return report


@lru_cache(maxsize=4096)  # Headers and footers repeat on many pages.
def width(text: str, size: float, bold: bool = False) -> float:
    """Return the width of a line of text in points."""
    return float(pdfmetrics.getFont(BOLD if bold else REGULAR).stringWidth(text, size))


def encode_text(file: File, text: str, bold: bool = False) -> list[tuple[str, str]]:
    """Split a text by the font subsets of the document. Return the font name and the escaped codes of each part."""
    font, document = pdfmetrics.getFont(BOLD if bold else REGULAR), file.document
    parts = font.splitString(text, document)
    return [(font.getSubsetInternalName(subset, document), escapePDF(codes)) for subset, codes in parts]


def text_operators(file: File, text: str, size: float, bold: bool = False) -> str:
    """Return the operators that show a line of text at the current point.

    ReportLab would write the same operators.
    """
    known = file.line_operators
    if (found := known.get((text, size, bold))) is None:
        last, code = "", list[str]()
        for inner, codes in encode_text(file, text, bold):
            if inner != last:
                code.append(f"{inner} {font_size_operators(size, size * 1.2)}")
                last = inner
            code.append(f"({codes}) Tj")
        if len(known) == _MAX_CACHED_LINES:
            known.clear()
        found = known[text, size, bold] = " ".join(code)
    return found


@lru_cache(maxsize=256)  # The type scale has fewer sizes than this.
def font_size_operators(size: float, leading: float) -> str:
    """Return the operands and operators that follow a font's name and set the type size and leading."""
    return f"{numbers(size)} Tf {numbers(leading)} TL"


def missing_characters(text: str) -> list[str]:
    """Return the characters of a text that have no glyph, each once, in order of appearance."""
    return list(pdfmetrics.getFont(REGULAR).take_in_missing(text))


def check_glyphs(text: str) -> str:
    """Return the text unchanged.

    Raises:
        NoGlyphError: If a character has no glyph.
    """
    if lacking := "".join(missing_characters(text)):
        raise no_glyph(lacking, text)
    return text
