"""Make the fonts that ReportLab embeds, measure text in them, and give the outlines of single letters.

The Latin font is made whole. The Japanese one is made without outlines; these are added when a print needs them, as
are letters beyond its first cut, and the cache keeps them.
"""

from __future__ import annotations

import hashlib
import io
import re
import struct
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol, TypeVar

import msgspec
from reportlab.lib.rl_accel import fp_str
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

from generator.errors import CannotWriteError, DataError
from generator.model.words import Lang
from generator.notation.text import SELECTOR, print_hint, selectors
from generator.press import BOLD, REGULAR, Progress, silent
from generator.press.letters import (
    EM,
    PACKAGES,
    Coverage,
    Letters,
    NoFontError,
    Source,
    StandIn,
    Weight,
    letters,
    sources,
)
from generator.said import say
from generator.store.folders import cached
from generator.store.write import write

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
_BEYOND_BMP = re.compile(r"<([0-9A-F]{5,6})>")
_FIRST_VARIANT = 0xF0000
"""The first code point, of those for private use, that stands for a letter with a variation selector in a page."""
_KEPT = 1024
"""So many lines of a document are kept as they are shown, for some come again and again."""


class Told(Protocol):
    """Is called with how many glyphs of how many are founded."""

    def __call__(self, done: int, of: int) -> None:
        """Tell it."""


def nobody(done: int, of: int) -> None:
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

    def need(self, wanted: Mapping[int, int], told: Told = nobody) -> dict[int, bytes]:
        """The outlines of these glyphs, numbers with characters, 0 with none; what lacks is founded and kept."""
        if lacking := {number: code for number, code in wanted.items() if number not in self.outlines}:
            # Who met one rare letter will meet more: the next document need not open the fonts again.
            with letters(self.coverage, self.weight, again=bool(self.rare)) as drawn:
                for done, (number, code) in enumerate(sorted(lacking.items())):
                    told(done, len(lacking))
                    name = drawn.names[code] if number else _NOTHING
                    self.outlines[number] = _founded(drawn, name).compile(None)
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
            with letters(self.coverage, self.weight, again=True) as drawn:
                for letter in new:
                    if name := drawn.glyph_name(letter):
                        self.rare[letter] = Rare(drawn.glyphs[name].width, _founded(drawn, name).compile(None))
                        self._unsaved = True
                    else:
                        self._absent.add(letter)
        return {letter: self.rare[letter] for letter in requested & self.rare.keys()}

    def _save(self) -> None:
        """Write everything to the cache, with what other processes have added meanwhile."""
        there = _read(self.path)
        if there:
            self.outlines |= there.outlines
            self.rare |= there.rare
        _keep(self.path, _Content(self.font, self.outlines, self.rare))
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


def typecase(coverage: Coverage, weight: Weight, told: Told = nobody) -> Typecase:
    """The font of that coverage and weight, from the cache; one that is not there, or damaged, is made first."""
    if (coverage, weight) in _adopted:
        return _adopted[coverage, weight]
    path = cached() / "fonts" / f"{coverage}-{weight}-{_fingerprint(sources(coverage, weight))}.type"
    if path not in _cases:
        content = _read(path)
        if content is None:
            content = _cast(coverage, weight, told)
            _keep(path, content)
        _cases[path] = Typecase(coverage, weight, path, content)
    return _cases[path]


def adopt(case: Typecase) -> None:
    """Take what another process founded, in place of looking for it."""
    _adopted[case.coverage, case.weight] = case


def _keep(path: Path, content: _Content) -> None:
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


def _read(path: Path) -> _Content | None:
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
            found.update(repr((source.number, source.name, source.place, source.path.stat().st_size)).encode())
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


def _founded(drawn: Letters, name: str) -> Any:
    """A glyph with its PostScript outline as a quadratic one."""
    from fontTools.pens.cu2quPen import Cu2QuPen
    from fontTools.pens.ttGlyphPen import TTGlyphPen

    pen = TTGlyphPen(None)
    drawn.glyphs[name].draw(Cu2QuPen(pen, _OUTLINE_ERROR, reverse_direction=True))
    return pen.glyph()


def _cast(coverage: Coverage, weight: Weight, told: Told) -> _Content:
    """The font, with its outlines where it is the smaller one."""
    from fontTools.fontBuilder import FontBuilder
    from fontTools.ttLib.tables._g_l_y_f import Glyph

    with letters(coverage, weight, again=coverage == "japanese") as drawn:
        wanted = sorted(set(map(ord, _characters(coverage))))
        cmap = {code: drawn.names[code] for code in wanted if code in drawn.names}
        order = [_NOTHING, *dict.fromkeys(cmap.values())]
        glyphs = dict.fromkeys(order, Glyph())
        if coverage == "latin":
            for done, name in enumerate(order):
                told(done, len(order))
                glyphs[name] = _founded(drawn, name)
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
        self.readable = bool(self._asciiReadable) and all(code in self.face.charToGlyph for code in range(32, 127))
        self.rare: dict[int, str] = {}
        """The rare letters that were taken in, by their glyphs' numbers."""

    def lacks(self, text: str) -> str:
        """Take in what a text needs beyond the first cut, and return the letters for which there is no glyph."""
        glyphs = self.face.charToGlyph
        lacking = [letter for letter in dict.fromkeys(split_letters(text)) if _code(letter) not in glyphs]
        for letter, rare in sorted(self.case.take_in(lacking).items()) if lacking else ():
            face, code = self.face, _code(letter)
            self.rare[face.numGlyphs] = letter
            face.charToGlyph[code] = face.numGlyphs
            face.charWidths[code] = rare.advance * 1000 / EM
            face.hmetrics.append((rare.advance, 0))
            face.numGlyphs += 1
        return "".join(letter for letter in lacking if _code(letter) not in glyphs)

    def stringWidth(self, text: str, size: float, encoding: str = "utf8") -> float:  # noqa: N802 - overrides ReportLab's
        """Measure a text, rare letters included, before any of it is shown."""
        if not text.isascii() and not self.face.charToGlyph.keys() >= set(map(ord, text)):
            self.lacks(text)
            text = _encoded(text)
        width: float = super().stringWidth(text, size, encoding)
        return width

    def splitString(self, text: str, doc: object, encoding: str = "utf-8") -> object:  # noqa: N802 - overrides ReportLab's method
        if self.readable and text and text.isascii() and text.isprintable():
            # Most texts: their codes are those of their letters, in every document.
            self._assignState(doc)
            return [(0, text.encode())]
        if not self.face.charToGlyph.keys() >= set(map(ord, text)):
            if lacking := self.lacks(text):
                raise _no_glyph(lacking, text)
            text = _encoded(text)
        return super().splitString(text, doc, encoding)

    def addObjects(self, doc: object) -> None:  # noqa: N802 - as above
        if not self.case.whole:
            subsets = self._assignState(doc).subsets
            codes = sorted({code for subset in subsets for code in subset})
            wanted = {self.face.charToGlyph.get(code, 0): code for code in codes}
            rare = {number: self.case.rare[self.rare[number]].outline for number in wanted if number in self.rare}
            outlines = self.case.need({n: code for n, code in wanted.items() if n not in rare}, self.told)
            _furnish(self.face, self.case.font, outlines | rare)
        super().addObjects(doc)
        _correct_code_points(doc)


def split_letters(text: str) -> list[str]:
    """Return the letters of a text, each with the variation selector behind it.

    A selector without a letter, which a line end has parted from it, means nothing and is left out.
    """
    if not selectors(text):
        return list(text)
    return [found[0] for found in _LETTER.finditer(text) if not selectors(found[0][0])]


_LETTER = re.compile(f".{SELECTOR}?", re.DOTALL)
_variant_codes: dict[str, int] = {}


def _code(letter: str) -> int:
    """Return the code point of a letter; one for private use if it has a variation selector."""
    if len(letter) == 1:
        return ord(letter)
    return _variant_codes.setdefault(letter, _FIRST_VARIANT + len(_variant_codes))


def _encoded(text: str) -> str:
    """Return a text with one code point for each letter."""
    return "".join(chr(_code(letter)) for letter in split_letters(text)) if selectors(text) else text


def _correct_code_points(doc: Any) -> None:
    """Write letters beyond the basic plane as UTF-16 where a reader copies them from, so that 𠮷 is copied as 𠮷."""
    variants = {code: letter for letter, code in _variant_codes.items()}

    def spelt(found: re.Match[str]) -> str:
        code = int(found[1], 16)
        return f"<{variants.get(code, chr(code)).encode('utf-16-be').hex().upper()}>"

    for name, held in doc.idToObject.items():
        if name.startswith("toUnicodeCMap:") and _BEYOND_BMP.search(held.content):
            held.content = _BEYOND_BMP.sub(spelt, held.content)


def _furnish(face: Any, font: bytes, outlines: dict[int, bytes]) -> None:
    """Give ReportLab's face a font with these outlines, and the measures of these and no others.

    So what it embeds depends on nothing but the characters of the document.
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
            width.cache_clear()


class Founts(msgspec.Struct, frozen=True):
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
        from generator.press.templates import words

        line: str = words("", lang)["founding"][key]
        progress(line.format(n=done, m=of), done / of)

    return told


@lru_cache(maxsize=4096)  # heads and feet are alike on many pages
def width(text: str, size: float, bold: bool = False) -> float:
    """The width of a line of text in points."""
    return float(pdfmetrics.getFont(BOLD if bold else REGULAR).stringWidth(text, size))


def shown(canvas: Any, text: str, size: float, bold: bool = False) -> str:
    """The operators that show a line of text from where one is, as ReportLab would write them."""
    document = canvas._doc
    known: dict[tuple[str, float, bool], str] = document.__dict__.setdefault("shown", {})
    if (found := known.get((text, size, bold))) is None:
        font, last, told = pdfmetrics.getFont(BOLD if bold else REGULAR), -1, list[str]()
        for subset, codes in font.splitString(text, document):
            if subset != last:
                told.append(f"{font.getSubsetInternalName(subset, document)} {scale(size, size * 1.2)}")
                last = subset
            told.append(f"({canvas._escape(codes)}) Tj")
        if len(known) == _KEPT:
            known.clear()
        found = known[text, size, bold] = " ".join(told)
    return found


@lru_cache(maxsize=256)  # the type scale
def scale(size: float, leading: float) -> str:
    """The operands and operators of type of that size and leading, behind the font's name."""
    return f"{fp_str(size)} Tf {fp_str(leading)} TL"


def missing(text: str) -> list[str]:
    """The characters that have no glyph, each once, in their order."""
    return list(pdfmetrics.getFont(REGULAR).lacks(text))


def check(text: str) -> str:
    """The text itself; DataError where a character has no glyph."""
    if lacking := "".join(missing(text)):
        raise _no_glyph(lacking, text)
    return text


def _no_glyph(lacking: str, text: str) -> NoGlyphError:
    """Return the error that names the letters that no font has, and the text that they stand in."""
    points = ", ".join(f"U+{ord(c):04X} {c!r}" for c in dict.fromkeys(lacking))
    shown = text if len(text) <= 60 else f"{text[:60]}…"
    packages = ", ".join(PACKAGES.values())
    hint = print_hint(lacking) or say("the packages {packages} have it: install them", packages=packages)
    return NoGlyphError(say("no glyph for {points} in the text {text!r}", points=points, text=shown), hint=hint)


_COVERAGES: tuple[Coverage, ...] = ("latin", "japanese")
"""Both are cut from one source: what the smaller one has is the same in the larger."""


class Glyph(msgspec.Struct, frozen=True):
    """One character: its outline as SVG path data, y upward, and its advance, both in units of the em."""

    path: str
    """Empty for a space."""
    advance: int


class Measures(msgspec.Struct, frozen=True):
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
    others = [c for c in characters if _code(c) not in _numbers("latin", weight)]
    if others:
        numbers, case = _numbers("japanese", weight), typecase("japanese", weight)
        case.take_in(c for c in others if _code(c) not in numbers)
        case.need({numbers[_code(c)]: ord(c) for c in others if _code(c) in numbers})


@lru_cache(4096)  # the letters of a picture's texts
def glyph(character: str, weight: Weight) -> Glyph:
    """The character's outline; NoGlyphError where no font of ours has it."""
    code = _code(character)
    for coverage in _COVERAGES:
        number = _numbers(coverage, weight).get(code)
        if number is not None:
            return Glyph(_path(_outline(coverage, weight, number, code)), _widths(coverage, weight)[number])
    if rare := typecase("japanese", weight).take_in([character]).get(character):
        return Glyph(_path(_expanded(rare.outline)), rare.advance)
    raise _no_glyph(character, character)


def _path(outline: Any) -> str:
    """Return an outline as SVG path data."""
    from fontTools.pens.svgPathPen import SVGPathPen

    pen = SVGPathPen(None)
    outline.draw(pen, None)
    return str(pen.getCommands())


def _outline(coverage: Coverage, weight: Weight, number: int, code: int) -> Any:
    """As fontTools draws it."""
    case, font = typecase(coverage, weight), _font(coverage, weight)
    if case.whole:
        return font["glyf"][font.getGlyphName(number)]
    return _expanded(case.need({number: code})[number])


def _expanded(outline: bytes) -> Any:
    """Return an outline of a glyf table as fontTools draws it."""
    from fontTools.ttLib.tables._g_l_y_f import Glyph as Outline

    drawn = Outline(outline)
    drawn.expand(None)
    return drawn


@lru_cache(4)  # the fonts there are
def _numbers(coverage: Coverage, weight: Weight) -> dict[int, int]:
    """The glyphs' numbers by character."""
    font = _font(coverage, weight)
    return {code: font.getGlyphID(name) for code, name in font.getBestCmap().items()}


@lru_cache(4)  # the fonts there are
def _widths(coverage: Coverage, weight: Weight) -> list[int]:
    """By the glyphs' numbers."""
    font = _font(coverage, weight)
    return [font["hmtx"][name][0] for name in font.getGlyphOrder()]


@lru_cache(4)  # the fonts there are
def _font(coverage: Coverage, weight: Weight) -> Any:
    from fontTools.ttLib import TTFont

    return TTFont(io.BytesIO(typecase(coverage, weight).font), lazy=True)
