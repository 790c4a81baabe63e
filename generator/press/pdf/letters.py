"""Load letters from Noto Sans JP and, for letters that it lacks, from Source Sans."""

from __future__ import annotations

import atexit
import importlib.util
import re
import string
import struct
from collections import ChainMap
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

import msgspec

from generator.notation.text import SELECTOR, selectors
from generator.press.pdf.system_fonts import NoFontError, Script, StandIn, Weight, find_stand_in, no_font

# Noto's Latin letters are enlarged letters of Source Sans, and its bold weight is between two weights of Source Sans.
# Letters from Source Sans are therefore scaled and interpolated to match. Both fonts are installed as packages. If a
# package is missing or broken, a system font replaces it.

Coverage = Literal["latin", "japanese"]

EM = 1000
"""Units per em of the fonts that Muster makes."""
_MEASURES = ("sTypoAscender", "sTypoDescender", "usWinAscent", "usWinDescent", "sCapHeight", "sxHeight")
"""Measures copied from the OS/2 table of a font."""
_CAPITAL = 733
"""Height of the capitals of Noto Sans JP, in thousandths of the em."""
_ALPHABETS = string.ascii_lowercase, string.ascii_uppercase, string.digits + "-"
_ALPHABET_WIDTHS: dict[Weight, tuple[int, ...]] = {"regular": (13786, 16529, 5897), "bold": (14719, 17370, 6270)}
"""Total advance of each alphabet in Noto Sans JP, in 1/1000 em. The sheets are laid out for these widths."""
_STAND_IN_WIDTH = 0.97
"""Relative width to which the alphabets of a replacement font are narrowed. It is below 1 because some texts have
many letters that are wider than Noto's."""
_stand_ins_used: dict[str, None] = {}


class Mix(msgspec.Struct, frozen=True):
    """A weight that is interpolated between two weights of Source Sans and then scaled."""

    light: str
    heavy: str
    share: float
    scale: float


MIXES: dict[Weight, Mix] = {
    "regular": Mix("Regular", "Regular", 0.0, 1.117),
    "bold": Mix("Semibold", "Bold", 0.44, 1.1345),
}
"""The mixes that match Noto best, measured on letters that both families have. No advance differs by more than 2/1000
em."""


class Letter(msgspec.Struct, frozen=True):
    """A letter interpolated from two weights, with the interface of a fontTools glyph."""

    light: Any
    heavy: Any
    mix: Mix

    @property
    def width(self) -> int:
        """The advance in thousandths of the em."""
        width: float = self.light.width + (self.heavy.width - self.light.width) * self.mix.share
        return round(width * self.mix.scale)

    def draw(self, pen: Any) -> None:
        """Draw the interpolated outline. The outlines of both weights have the same points."""
        from fontTools.pens.recordingPen import RecordingPen, lerpRecordings
        from fontTools.pens.transformPen import TransformPen

        light, heavy, enlarged = RecordingPen(), RecordingPen(), TransformPen(pen, (self.mix.scale, 0, 0) * 2)
        self.light.draw(light)
        self.heavy.draw(heavy)
        for stroke, points in lerpRecordings(light.value, heavy.value, self.mix.share):
            getattr(enlarged, stroke)(*points)


class Scaled(msgspec.Struct, frozen=True):
    """A glyph of a system font, scaled to Muster's units and drawn in the direction of PostScript outlines."""

    glyph: Any
    glyphs: Any
    """The font's glyph set, from which composite glyphs take their components."""
    x: float
    y: float
    turned: bool

    @property
    def width(self) -> int:
        """The advance in thousandths of the em."""
        width: float = self.glyph.width * self.x
        return round(width)

    def draw(self, pen: Any) -> None:
        """Draw the outline with its components replaced by their outlines."""
        from fontTools.pens.recordingPen import DecomposingRecordingPen
        from fontTools.pens.reverseContourPen import ReverseContourPen
        from fontTools.pens.transformPen import TransformPen

        whole = DecomposingRecordingPen(self.glyphs)
        self.glyph.draw(whole)
        whole.replay(TransformPen(ReverseContourPen(pen) if self.turned else pen, (self.x, 0, 0, self.y, 0, 0)))


class Letters(msgspec.Struct, frozen=True):
    """All available letters in one weight."""

    measures: Mapping[str, int]
    """Measures in thousandths of the em, keyed by their names in the OS/2 table."""
    base: Any
    """The font from which the dates and the licence are copied."""
    copyright: str
    names: Mapping[int, str]
    """Glyph names keyed by character code. Names of glyphs in the second font begin with `1/`."""
    glyphs: Mapping[str, Any]
    fonts: tuple[tuple[str, Any], ...]
    """The fonts, each preceded by the prefix of its glyph names."""

    def glyph_name(self, letter: str) -> str | None:
        """Return the name of the glyph for a letter.

        Return None if no font has the letter, or no font has it with its variation selector.
        """
        usual = self.names.get(ord(letter[0]))
        if len(letter) == 1 or usual is None:
            return usual
        for before, font in self.fonts:
            for table in font["cmap"].tables:
                default_names = dict(table.uvsDict.get(ord(letter[1]), ())) if table.format == 14 else {}
                if ord(letter[0]) in default_names:
                    name = default_names[ord(letter[0])]
                    found = f"{before}{name}" if name else usual
                    return found if found in self.glyphs else None
        return None


class Package(msgspec.Struct, frozen=True):
    """The font files of a package. If a weight is interpolated, there are two files and a mix."""

    files: tuple[Path, ...]
    mix: Mix | None = None


Source = Package | StandIn


def sources(coverage: Coverage, weight: Weight) -> tuple[Source, ...]:
    """Return the fonts that provide the letters, in order of preference.

    The page is laid out for Noto's Latin letters. Without Noto, Source Sans therefore comes before a system font.

    Raises:
        NoFontError: If there is no suitable font.
    """
    noto = _package(f"noto_cjk_sans_jp_{weight}", f"NotoSansCJKjp-{weight.title()}.otf")
    mix = MIXES[weight]
    sans = _package("font_source_sans_pro", *(f"files/SourceSansPro-{name}.otf" for name in (mix.light, mix.heavy)))
    latin: Source | None = Package(sans, mix) if sans else _stand_in("latin", weight)
    first: Source | None = Package(noto) if noto else None
    if noto is None:
        first, latin = latin, _stand_in("japanese", weight)
        if latin is None and (coverage == "japanese" or first is None):
            raise no_font(coverage)
    return tuple(source for source in (first, latin) if source)


def stand_in_fonts() -> list[str]:
    """Return the full names of the system fonts that replaced a missing package during this run."""
    return list(_stand_ins_used)


def split_letters(text: str) -> list[str]:
    """Split a text into letters, each with the variation selector that follows it.

    A selector without a letter has no meaning and is omitted. This happens if a line break separates the two.
    """
    if not selectors(text):
        return list(text)
    return [found[0] for found in _LETTER.finditer(text) if not selectors(found[0][0])]


_LETTER = re.compile(f".{SELECTOR}?", re.DOTALL)


def lacking(text: str) -> list[str]:
    """Return the letters of a text that the installed system fonts lack in either weight.

    The list is empty if the font packages are installed, because they have all letters that a name may contain. It
    is also empty if no font is found.
    """
    found: dict[str, None] = {}
    for weight in MIXES:
        try:
            taken = sources("japanese", weight)
        except NoFontError:
            return []
        if any(isinstance(source, StandIn) for source in taken):
            with letters("japanese", weight, keep_open=True) as drawn:
                found |= {letter: None for letter in split_letters(text) if drawn.glyph_name(letter) is None}
    return list(found)


@contextmanager
def letters(coverage: Coverage, weight: Weight, keep_open: bool = False) -> Iterator[Letters]:
    """Open the fonts of a weight and yield their letters.

    With `keep_open`, the fonts stay open for the next call, because opening them takes as long as making hundreds of
    glyphs.
    """
    taken = sources(coverage, weight)
    key = weight, taken
    drawn, opened = _open_letters.pop(key) if key in _open_letters else _open_sources(taken, weight)
    with opened:
        yield drawn
        if keep_open:
            _open_letters[key] = drawn, opened.pop_all()
            atexit.register(_close)


def _close() -> None:
    """Close all fonts that were kept open."""
    while _open_letters:
        _open_letters.popitem()[1][1].close()


_open_letters: dict[tuple[Weight, tuple[Source, ...]], tuple[Letters, ExitStack]] = {}


def _open_sources(taken: tuple[Source, ...], weight: Weight) -> tuple[Letters, ExitStack]:
    """Open font sources, and return their letters and the stack that closes the fonts."""
    with ExitStack() as opened:
        faces = [_face(source, weight, opened) for source in taken]
        names: dict[int, str] = {}
        glyphs: list[Mapping[str, Any]] = []
        for number, face in reversed(list(enumerate(faces))):
            before = f"{number}/" if number else ""
            names |= {code: before + name for code, name in face.names.items()}
            glyphs.insert(0, _PrefixedGlyphs(face.glyphs, before) if before else face.glyphs)
        rights = "\n".join(face.font["name"].getDebugName(0) or "" for face in faces)
        fonts = tuple((f"{number}/" if number else "", face.font) for number, face in enumerate(faces))
        joined: Mapping[str, Any] = ChainMap(*glyphs)  # type: ignore[arg-type]
        drawn = Letters(faces[0].measures, faces[0].font, rights, names, joined, fonts)
        return drawn, opened.pop_all()


@lru_cache(16)  # The installation does not change during a run.
def _package(package: str, *names: str) -> tuple[Path, ...] | None:
    """Return the paths of files in a package, or None if a file is missing or truncated."""
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        return None
    files = tuple(Path(spec.origin).parent / name for name in names)
    return files if all(map(_complete, files)) else None


def _complete(file: Path) -> bool:
    """Return whether a font file contains all tables that its directory lists."""
    try:
        with file.open("rb") as opened:
            head = opened.read(12)
            tables = opened.read(16 * int.from_bytes(head[4:6]))
        ends = [start + length for _, start, length in struct.iter_unpack(">8sLL", tables)]
        return bool(ends) and max(ends) <= file.stat().st_size
    except (OSError, struct.error):
        return False


def _stand_in(script: Script, weight: Weight) -> StandIn | None:
    found = find_stand_in(script, weight)
    if found:
        _stand_ins_used[found.name] = None
    return found


class _Face(msgspec.Struct, frozen=True):
    """An open font with its glyphs and measures."""

    font: Any
    names: Mapping[int, str]
    glyphs: Mapping[str, Any]
    measures: Mapping[str, int]


class _PrefixedGlyphs(Mapping[str, Any]):
    """The glyphs of a font, with a prefix added to their names."""

    def __init__(self, glyphs: Mapping[str, Any], before: str) -> None:
        self.glyphs, self.before = glyphs, before

    def __getitem__(self, name: str) -> Any:
        if not name.startswith(self.before):
            raise KeyError(name)
        return self.glyphs[name.removeprefix(self.before)]

    def __iter__(self) -> Iterator[str]:
        return (self.before + name for name in self.glyphs)

    def __len__(self) -> int:
        return len(self.glyphs)


def _face(source: Source, weight: Weight, opened: ExitStack) -> _Face:
    if isinstance(source, StandIn):
        return _system_face(source, weight, opened)
    from fontTools.ttLib import TTFont

    fonts = [opened.enter_context(TTFont(file, lazy=True)) for file in source.files]
    names, glyphs, scale = fonts[0].getBestCmap(), fonts[0].getGlyphSet(), 1.0
    if mix := source.mix:
        heavy, scale = fonts[1].getGlyphSet(), mix.scale
        glyphs = {name: Letter(glyphs[name], heavy[name], mix) for name in (".notdef", *names.values())}
    measures = {name: round(getattr(fonts[0]["OS/2"], name) * scale) for name in _MEASURES}
    return _Face(fonts[0], names, glyphs, measures)


def _system_face(source: StandIn, weight: Weight, opened: ExitStack) -> _Face:
    """Open a system font and scale it.

    Its Latin capitals become as high as Noto's, and its alphabets do not become wider than Noto's.
    """
    font = opened.enter_context(source.open())
    glyphs, names = source.glyphs(font), font.getBestCmap()
    x = y = EM / font["head"].unitsPerEm
    if source.script == "latin":
        y = _CAPITAL / _height(glyphs, names, "H")
        wide = [sum(glyphs[names[ord(letter)]].width for letter in alphabet) for alphabet in _ALPHABETS]
        x = min(y, *(_STAND_IN_WIDTH * ours / its for ours, its in zip(_ALPHABET_WIDTHS[weight], wide, strict=True)))
    turned, lines = "glyf" in font, font["OS/2"]
    measures = {name: round(getattr(lines, name) * y) for name in _MEASURES[:4]}
    measures |= {
        "sCapHeight": round(_height(glyphs, names, "H") * y),
        "sxHeight": round(_height(glyphs, names, "x") * y),
    }
    scaled = {name: Scaled(glyphs[name], glyphs, x, y, turned) for name in (".notdef", *names.values())}
    return _Face(font, names, scaled, measures)


def _height(glyphs: Any, names: Mapping[int, str], letter: str) -> float:
    from fontTools.pens.boundsPen import BoundsPen

    pen = BoundsPen(glyphs)
    glyphs[names[ord(letter)]].draw(pen)
    return float(pen.bounds[3]) if pen.bounds else 1.0
