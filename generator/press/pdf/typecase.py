"""Make TrueType fonts for ReportLab, without layout tables and hints."""

from __future__ import annotations

import hashlib
import io
import struct
import unicodedata
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

import msgspec

from generator.errors import CannotWriteError
from generator.press.pdf.letters import EM, Coverage, Letters, Source, letters, sources
from generator.press.pdf.system_fonts import StandIn, Weight
from generator.store.folders import cache_folder
from generator.store.write import write

# The Latin font is complete. The Japanese font has 7,800 glyphs and is made without outlines at first. Outlines are
# made when a print needs them, and are cached for later prints.

RECIPE = "7"
"""Version of the font data. Increase it if the code below changes, so that cached fonts are not reused."""
SYMBOLS = (
    "□■☐☑✓→←↑↓↔⇒×÷−±‐‑–—―·•°′″½¼¾⅓⅔¹²³▲△▼▽◆◇●○◎★☆“”‘’„‚‹›…‰†‡§¶№€™©®♠♣♥♦♤♧♡♢≤≥≠≈∞√∅"
    "①②③④⑤⑥⑦⑧⑨⑩⑪⑫❶❷❸❹❺❻❼❽❾❿「」『』、。・ー〜"
)
_OUTLINE_ERROR = 1.0  # In units of 1/1000 em.
_NOTHING = ".notdef"
_MARK = b"Muster type case 2\n"
_DIGEST = 16
_LENGTH = struct.Struct(">L")
_OUTLINE = struct.Struct(">HL")
"""Header of an outline in the cache, with the glyph number and the length in bytes."""
_RARE = struct.Struct(">LLHL")
"""Header of a rare letter in the cache, with the code point, the variation selector or 0, the advance in units of the
em, and the length of the outline in bytes."""
_FILLERS = frozenset((0x115F, 0x1160, 0x3164, 0xFFA0))
"""Korean characters that print nothing although Unicode classifies them as letters."""
_JAMO = frozenset((*range(0x1100, 0x1200), *range(0xA960, 0xA980), *range(0xD7B0, 0xD800)))
"""Parts of old Korean syllables, which only a font can join. The parts of modern syllables are composed by NFC."""


class GlyphProgress(Protocol):
    """A callback that reports how many glyphs have been made."""

    def __call__(self, done: int, of: int) -> None:
        """Report that `done` of `of` glyphs have been made."""


def no_progress(done: int, of: int) -> None:
    """Ignore the progress."""


class Rare(msgspec.Struct, frozen=True):
    """A letter outside the basic set of a font, which is added when a text needs it.

    A letter is one character, with the variation selector that selects its form if there is one (葛󠄀).
    """

    advance: int
    """Advance in units of the em."""
    outline: bytes
    """Outline in the format of a glyf table."""


class Typecase:
    """A font and the outlines made so far. The outline of a character does not depend on the order of requests."""

    def __init__(self, coverage: Coverage, weight: Weight, path: Path, content: _Content) -> None:
        self.coverage, self.weight, self.path = coverage, weight, path
        self.font = content.font
        """The font as a TrueType file, complete except for the outlines of the Japanese font."""
        self.outlines = content.outlines
        """Outlines in the format of a glyf table, keyed by glyph number."""
        self.rare = content.rare
        """Letters outside the basic set, keyed by the letter."""
        self._unsaved = False
        self._absent = set[str]()
        """Letters that none of the source fonts has."""

    @property
    def whole(self) -> bool:
        """Whether the font file contains all outlines."""
        return self.coverage == "latin"

    def outlines_of(self, wanted: Mapping[int, int], progress: GlyphProgress = no_progress) -> dict[int, bytes]:
        """Return the outlines of the given glyphs, making those that are missing.

        `wanted` maps glyph numbers to code points. Glyph 0 is for characters without a glyph.
        """
        if lacking := {number: code for number, code in wanted.items() if number not in self.outlines}:
            # A text with one rare letter usually has more, so the fonts stay open for the next document.
            with letters(self.coverage, self.weight, keep_open=bool(self.rare)) as drawn:
                for done, (number, code) in enumerate(sorted(lacking.items())):
                    progress(done, len(lacking))
                    name = drawn.names[code] if number else _NOTHING
                    self.outlines[number] = _quadratic_glyph(drawn, name).compile(None)
        if lacking or self._unsaved:
            self._save()
        return {number: self.outlines[number] for number in wanted}

    def take_in(self, wanted: Iterable[str]) -> dict[str, Rare]:
        """Return the letters in `wanted` that the source fonts have outside the basic set.

        The letters stay in memory. `outlines_of` writes those that a document uses to the cache.
        """
        if self.whole:
            return {}
        requested = {letter for letter in wanted if letter not in self._absent}
        if new := sorted(letter for letter in requested - self.rare.keys() if stands_alone(letter[0])):
            with letters(self.coverage, self.weight, keep_open=True) as drawn:
                for letter in new:
                    if name := drawn.glyph_name(letter):
                        self.rare[letter] = Rare(
                            drawn.glyphs[name].width, _quadratic_glyph(drawn, name).compile(None)
                        )
                        self._unsaved = True
                    else:
                        self._absent.add(letter)
        return {letter: self.rare[letter] for letter in requested & self.rare.keys()}

    def _save(self) -> None:
        """Write the font to the cache, merged with the outlines that other processes have added."""
        there = _read_cache(self.path)
        if there:
            self.outlines |= there.outlines
            self.rare |= there.rare
        _write_cache(self.path, _Content(self.font, self.outlines, self.rare))
        self._unsaved = False


def stands_alone(letter: str) -> bool:
    """Return whether a letter prints correctly with its own glyph alone.

    This excludes combining marks, which must be positioned, Hebrew and Arabic, which need joining and right-to-left
    text, and parts of old Korean syllables, which must be composed. Muster does not support these.
    """
    return (
        unicodedata.category(letter)[0] not in "MC"
        and unicodedata.category(letter) not in ("Zl", "Zp")
        and unicodedata.bidirectional(letter) not in ("R", "AL", "AN")
        and ord(letter) not in _FILLERS
        and ord(letter) not in _JAMO
    )


class _Content(msgspec.Struct, frozen=True):
    font: bytes
    outlines: dict[int, bytes]
    rare: dict[str, Rare]


_cases: dict[Path, Typecase] = {}
_adopted: dict[tuple[Coverage, Weight], Typecase] = {}


def typecase(coverage: Coverage, weight: Weight, progress: GlyphProgress = no_progress) -> Typecase:
    """Return the font with this coverage and weight from the cache. If it is missing or damaged, make it first."""
    if (coverage, weight) in _adopted:
        return _adopted[coverage, weight]
    path = cache_folder() / "fonts" / f"{coverage}-{weight}-{_fingerprint(sources(coverage, weight))}.type"
    if path not in _cases:
        content = _read_cache(path)
        if content is None:
            content = _make_font(coverage, weight, progress)
            _write_cache(path, content)
        _cases[path] = Typecase(coverage, weight, path, content)
    return _cases[path]


def adopt(case: Typecase) -> None:
    """Use the font of another process instead of the cached font."""
    _adopted[case.coverage, case.weight] = case


def _write_cache(path: Path, content: _Content) -> None:
    """Write the font to the cache. If writing fails, the font is made again in each run, which is slower."""
    records = [_OUTLINE.pack(number, len(data)) + data for number, data in sorted(content.outlines.items())]
    rare = (
        _RARE.pack(ord(letter[0]), ord(letter[1:] or "\0"), of.advance, len(of.outline)) + of.outline
        for letter, of in sorted(content.rare.items())
    )
    head = _LENGTH.pack(len(content.font)), content.font, _LENGTH.pack(len(records))
    body = b"".join((*head, *records, *rare))
    with suppress(CannotWriteError):
        write(path, _MARK + hashlib.blake2b(body, digest_size=_DIGEST).digest() + body)


def _read_cache(path: Path) -> _Content | None:
    """Return the cached font, or None if it is missing or damaged."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    start = len(_MARK) + _DIGEST
    body = memoryview(content)[start:]
    if content[:start] != _MARK + hashlib.blake2b(body, digest_size=_DIGEST).digest():
        return None
    at = _LENGTH.size + _LENGTH.unpack_from(body)[0]
    font, outlines, rare = bytes(body[_LENGTH.size : at]), dict[int, bytes](), dict[str, Rare]()
    (count,) = _LENGTH.unpack_from(body, at)
    at += _LENGTH.size
    for _ in range(count):
        number, length = _OUTLINE.unpack_from(body, at)
        at += _OUTLINE.size + length
        outlines[number] = bytes(body[at - length : at])
    while at < len(body):
        code, selector, advance, length = _RARE.unpack_from(body, at)
        at += _RARE.size + length
        rare[chr(code) + (chr(selector) if selector else "")] = Rare(advance, bytes(body[at - length : at]))
    return _Content(font, outlines, rare)


@lru_cache(16)  # Fonts do not change during a run.
def _fingerprint(taken: tuple[Source, ...]) -> str:
    """Return a hash of the font files and the recipe.

    Only the first 512 bytes of each file are hashed, because an OpenType header has the checksums of all tables.
    """
    found = hashlib.blake2b(RECIPE.encode(), digest_size=8)
    for source in taken:
        if isinstance(source, StandIn):
            found.update(repr((source.index, source.name, source.axis_value, source.path.stat().st_size)).encode())
        for file in [source.path] if isinstance(source, StandIn) else source.files:
            with file.open("rb") as opened:
                found.update(opened.read(512))
    return found.hexdigest()


def _characters(coverage: Coverage) -> str:
    """Return the basic character set, which is Latin letters and symbols.

    For Japanese, it also has kana, kanji, Greek, Cyrillic and Vietnamese letters. `Typecase.take_in` adds further
    letters if a text needs them.
    """
    latin = "".join(map(chr, (*range(0x20, 0x7F), *range(0xA0, 0x180)))) + "ȘșȚț" + SYMBOLS
    if coverage == "latin":
        return latin
    pairs = [bytes((a, b)) for a in (*range(0x81, 0xA0), *range(0xE0, 0xFD)) for b in range(0x40, 0xFD)]
    kana = bytes(range(0xA1, 0xE0)).decode("cp932")
    rare = "".join(map(chr, (*range(0x180, 0x250), *range(0x370, 0x530), *range(0x1E00, 0x1F00)))) + "ʻʼə"
    return latin + rare + kana + "".join(pair.decode("cp932", "ignore") for pair in pairs)


def _quadratic_glyph(drawn: Letters, name: str) -> Any:
    """Return a glyph with its PostScript outline converted to quadratic curves."""
    from fontTools.pens.cu2quPen import Cu2QuPen
    from fontTools.pens.ttGlyphPen import TTGlyphPen

    pen = TTGlyphPen(None)
    drawn.glyphs[name].draw(Cu2QuPen(pen, _OUTLINE_ERROR, reverse_direction=True))
    return pen.glyph()


def _make_font(coverage: Coverage, weight: Weight, progress: GlyphProgress) -> _Content:
    """Return a new font, with outlines only if it is the Latin font."""
    from fontTools.fontBuilder import FontBuilder
    from fontTools.ttLib.tables._g_l_y_f import Glyph

    with letters(coverage, weight, keep_open=coverage == "japanese") as drawn:
        wanted = sorted(set(map(ord, _characters(coverage))))
        cmap = {code: drawn.names[code] for code in wanted if code in drawn.names}
        order = [_NOTHING, *dict.fromkeys(cmap.values())]
        glyphs = dict.fromkeys(order, Glyph())
        if coverage == "latin":
            for done, name in enumerate(order):
                progress(done, len(order))
                glyphs[name] = _quadratic_glyph(drawn, name)
        font, family, style = drawn.base, f"Muster{coverage.title()}", weight.title()
        builder = FontBuilder(EM, isTTF=True)
        builder.setupGlyphOrder(order)
        builder.setupCharacterMap(cmap)
        builder.setupGlyf(glyphs, calcGlyphBounds=coverage == "latin")
        builder.setupHorizontalMetrics({n: (drawn.glyphs[n].width, getattr(glyphs[n], "xMin", 0)) for n in order})
        lines = drawn.measures
        builder.setupHorizontalHeader(ascent=lines["sTypoAscender"], descent=lines["sTypoDescender"])
        # ReportLab identifies fonts by PostScript name, so each font needs a different name.
        builder.setupNameTable(
            {
                "copyright": drawn.copyright,
                "familyName": family,
                "styleName": style,
                "psName": f"{family}-{style}",
                "licenseDescription": font["name"].getDebugName(13) or "",
            },
            mac=False,
        )
        builder.setupOS2(version=4, fsType=0, usWeightClass=font["OS/2"].usWeightClass, **lines)
        builder.setupPost(keepGlyphNames=False)
        builder.updateHead(created=font["head"].created, modified=font["head"].modified)
        out = io.BytesIO()
        builder.font.recalcTimestamp = False
        builder.font.save(out)
    return _Content(out.getvalue(), {}, {})
