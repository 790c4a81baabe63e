"""Fonts that ReportLab can embed, made of our letters: TrueType outlines, without layout tables and hints."""

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
from generator.store.folders import cached
from generator.store.write import write

# The Latin font is made whole. The Japanese one has 7,800 glyphs: at first it is made without their outlines, which
# follow when a print needs them. The cache keeps them for the next print.

RECIPE = "7"
"""Goes up when what is founded below changes, so that no stale font is taken from the cache."""
SYMBOLS = (
    "□■☐☑✓→←↑↓↔⇒×÷−±‐‑–—―·•°′″½¼¾⅓⅔¹²³▲△▼▽◆◇●○◎★☆“”‘’„‚‹›…‰†‡§¶№€™©®♠♣♥♦♤♧♡♢≤≥≠≈∞√∅"
    "①②③④⑤⑥⑦⑧⑨⑩⑪⑫❶❷❸❹❺❻❼❽❾❿「」『』、。・ー〜"
)
_OUTLINE_ERROR = 1.0  # of 1000 units an em: a thousandth of the type size
_NOTHING = ".notdef"
_MARK = b"Muster type case 2\n"
_DIGEST = 16
_LENGTH = struct.Struct(">L")
_OUTLINE = struct.Struct(">HL")
"""The head of an outline in the cache: its glyph's number, and how many bytes follow."""
_RARE = struct.Struct(">LLHL")
"""The head of a rare letter in the cache: its code point, its variation selector's or 0, its advance in units of the
em, and the number of bytes of outline that follow."""
_FILLERS = frozenset((0x115F, 0x1160, 0x3164, 0xFFA0))
"""Letters of Korean by their category, but blank on paper."""
_JAMO = frozenset((*range(0x1100, 0x1200), *range(0xA960, 0xA980), *range(0xD7B0, 0xD800)))
"""Parts of old Korean syllables. A font must join them; those of today's syllables compose (NFC)."""


class GlyphProgress(Protocol):
    """Is called with how many glyphs of how many are founded."""

    def __call__(self, done: int, of: int) -> None:
        """Tell it."""


def no_progress(done: int, of: int) -> None:
    """Tell nobody."""


class Rare(msgspec.Struct, frozen=True):
    """A letter beyond the first cut of a font, which is taken in when a text needs it.

    A letter is one character, or one with the variation selector that picks its form (葛󠄀).
    """

    advance: int
    """In units of the em."""
    outline: bytes
    """As a glyf table holds it."""


class Typecase:
    """A font, and what is founded of it so far; the same characters get the same outlines in whatever order."""

    def __init__(self, coverage: Coverage, weight: Weight, path: Path, content: _Content) -> None:
        self.coverage, self.weight, self.path = coverage, weight, path
        self.font = content.font
        """A TrueType file. That of the larger coverage has no outlines but is otherwise whole."""
        self.outlines = content.outlines
        """As a glyf table holds them, by the glyphs' numbers."""
        self.rare = content.rare
        """By letter."""
        self._unsaved = False
        self._absent = set[str]()
        """Letters that the sources were asked for in vain."""

    @property
    def whole(self) -> bool:
        """Whether the font has all its outlines in it."""
        return self.coverage == "latin"

    def outlines_of(self, wanted: Mapping[int, int], progress: GlyphProgress = no_progress) -> dict[int, bytes]:
        """The outlines of these glyphs, numbers with characters, 0 with none; what lacks is founded and kept."""
        if lacking := {number: code for number, code in wanted.items() if number not in self.outlines}:
            # Who met one rare letter will meet more: the next document need not open the fonts again.
            with letters(self.coverage, self.weight, keep_open=bool(self.rare)) as drawn:
                for done, (number, code) in enumerate(sorted(lacking.items())):
                    progress(done, len(lacking))
                    name = drawn.names[code] if number else _NOTHING
                    self.outlines[number] = _quadratic_glyph(drawn, name).compile(None)
        if lacking or self._unsaved:
            self._save()
        return {number: self.outlines[number] for number in wanted}

    def take_in(self, wanted: Iterable[str]) -> dict[str, Rare]:
        """Return those of the wanted letters that the sources have beyond the first cut.

        They stay in memory until `need` writes what a document uses to the cache.
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
        """Write everything to the cache, with what other processes have added meanwhile."""
        there = _read_cache(self.path)
        if there:
            self.outlines |= there.outlines
            self.rare |= there.rare
        _write_cache(self.path, _Content(self.font, self.outlines, self.rare))
        self._unsaved = False


def stands_alone(letter: str) -> bool:
    """Return whether a letter is printed right by its own glyph alone.

    A mark must be placed over its letter, a letter of Hebrew or Arabic joined and set from right to left, and parts
    of old Korean syllables put together; none of this is done here.
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
    """The font of that coverage and weight, from the cache; one that is not there, or damaged, is made first."""
    if (coverage, weight) in _adopted:
        return _adopted[coverage, weight]
    path = cached() / "fonts" / f"{coverage}-{weight}-{_fingerprint(sources(coverage, weight))}.type"
    if path not in _cases:
        content = _read_cache(path)
        if content is None:
            content = _make_font(coverage, weight, progress)
            _write_cache(path, content)
        _cases[path] = Typecase(coverage, weight, path, content)
    return _cases[path]


def adopt(case: Typecase) -> None:
    """Take what another process founded, in place of looking for it."""
    _adopted[case.coverage, case.weight] = case


def _write_cache(path: Path, content: _Content) -> None:
    """Write it to the cache. Without one everything is founded anew each time; that is slow, but it prints."""
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
    """What the cache holds; None where that is nothing, or not as it was written."""
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


@lru_cache(16)  # as long as this runs they are what they are
def _fingerprint(taken: tuple[Source, ...]) -> str:
    """Of fonts and recipe; the head of an OpenType file lists the checksum of every table in it."""
    found = hashlib.blake2b(RECIPE.encode(), digest_size=8)
    for source in taken:
        if isinstance(source, StandIn):
            found.update(repr((source.index, source.name, source.axis_value, source.path.stat().st_size)).encode())
        for file in [source.path] if isinstance(source, StandIn) else source.files:
            with file.open("rb") as opened:
                found.update(opened.read(512))
    return found.hexdigest()


def _characters(coverage: Coverage) -> str:
    """Latin letters and symbols; in the larger coverage Japanese, Greek, Cyrillic, Vietnamese and rarer ones too.

    Whatever else the sources have, the larger font takes in when a text needs it (`Typecase.take_in`).
    """
    latin = "".join(map(chr, (*range(0x20, 0x7F), *range(0xA0, 0x180)))) + "ȘșȚț" + SYMBOLS
    if coverage == "latin":
        return latin
    pairs = [bytes((a, b)) for a in (*range(0x81, 0xA0), *range(0xE0, 0xFD)) for b in range(0x40, 0xFD)]
    kana = bytes(range(0xA1, 0xE0)).decode("cp932")
    rare = "".join(map(chr, (*range(0x180, 0x250), *range(0x370, 0x530), *range(0x1E00, 0x1F00)))) + "ʻʼə"
    return latin + rare + kana + "".join(pair.decode("cp932", "ignore") for pair in pairs)


def _quadratic_glyph(drawn: Letters, name: str) -> Any:
    """A glyph with its PostScript outline as a quadratic one."""
    from fontTools.pens.cu2quPen import Cu2QuPen
    from fontTools.pens.ttGlyphPen import TTGlyphPen

    pen = TTGlyphPen(None)
    drawn.glyphs[name].draw(Cu2QuPen(pen, _OUTLINE_ERROR, reverse_direction=True))
    return pen.glyph()


def _make_font(coverage: Coverage, weight: Weight, progress: GlyphProgress) -> _Content:
    """The font, with its outlines where it is the smaller one."""
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
        # ReportLab takes two fonts of one PostScript name for one font, so each gets its own.
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
