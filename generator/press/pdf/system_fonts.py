"""Find system fonts that replace a missing font package, by family name and coverage."""

from __future__ import annotations

import os
import struct
import sys
import unicodedata
from collections.abc import Iterator
from contextlib import closing
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Literal

import msgspec

from generator.errors import DataError
from generator.localization import tr

Weight = Literal["regular", "bold"]
Script = Literal["latin", "japanese"]
FONTS_VARIABLE = "MUSTER_FONTS"
"""Environment variable with the folders or font files to search first, separated as in PATH."""
FAMILIES: dict[Script, dict[str, tuple[str, ...]]] = {
    "japanese": {
        "Noto Sans CJK JP": ("notosanscjk",),
        "Noto Sans JP": ("notosansjp",),
        "Source Han Sans JP": ("sourcehansans",),
        "Source Han Sans": ("sourcehansans",),
        "BIZ UDGothic": ("bizudgothic",),
        "BIZ UDPGothic": ("bizudpgothic", "bizudgothic"),
        "Hiragino Sans": ("ヒラギノ角ゴシック", "hiraginosans"),
        "Hiragino Kaku Gothic ProN": ("ヒラギノ角ゴ", "hiraginokaku"),
        "Yu Gothic": ("yugoth",),
        "YuGothic": ("yugoth",),
        "Meiryo": ("meiryo",),
        "IPAexGothic": ("ipaexg",),
        "IPAGothic": ("ipag",),
        "VL Gothic": ("vlgothic",),
        "TakaoGothic": ("takaogothic",),
        "MS Gothic": ("msgothic",),
    },
    "latin": {
        "Source Sans 3": ("sourcesans3",),
        "Source Sans Pro": ("sourcesanspro",),
        "Noto Sans": ("notosans",),
        "Open Sans": ("opensans",),
        "Segoe UI": ("segoeui",),
        "Helvetica Neue": ("helveticaneue",),
        "Arial": ("arial",),
        "Liberation Sans": ("liberationsans",),
        "DejaVu Sans": ("dejavusans",),
    },
}
"""Families that can replace a package, most similar first, with the lower-case prefixes of their file names."""
PACKAGES: dict[Script, str] = {"japanese": "noto-cjk[sans-jp]", "latin": "font-source-sans-pro"}
_SCRIPTS: dict[Script, str] = {"japanese": tr("Japanese"), "latin": tr("Latin")}
_HOW_TO_GET: dict[Script, str] = {
    "japanese": tr(
        "on Linux Noto Sans CJK JP (Debian and Ubuntu: fonts-noto-cjk, Fedora: google-noto-sans-cjk-fonts, "
        "Arch: noto-fonts-cjk) or IPAexGothic, on macOS Hiragino Sans, on Windows Yu Gothic, Meiryo or BIZ UDGothic "
        "(among the optional features: Japanese Supplemental Fonts)"
    ),
    "latin": tr(
        "on Linux Noto Sans or DejaVu Sans (Debian and Ubuntu: fonts-noto-core or fonts-dejavu-core, Fedora: "
        "google-noto-sans-fonts, Arch: noto-fonts), on macOS and Windows Arial"
    ),
}
_ENDINGS = (".otf", ".ttf", ".ttc", ".otc")
_CLASS: dict[Weight, int] = {"regular": 400, "bold": 700}
_NOT_EMBEDDABLE = 0x0002
_NO_SUBSET = 0x0300
"""Bits of fsType in the OS/2 table: no embedding, and no subsetting or embedding of bitmaps only."""


class NoFontError(DataError):
    """Raised if no package and no system font covers a script."""


def no_font(script: Script) -> NoFontError:
    """Return an error that lists suitable fonts for a script."""
    message = tr(
        "there is no font for {script} letters; the package {package} is missing "
        "or broken, and no font on this system can replace it",
        script=_SCRIPTS[script],
        package=PACKAGES[script],
    )
    hint = tr(
        "install the package, or one of these fonts: {get}; or set {variable} to a font file or a folder of fonts",
        get=_HOW_TO_GET[script],
        variable=FONTS_VARIABLE,
    )
    return NoFontError(message, hint=hint)


class StandIn(msgspec.Struct, frozen=True):
    """A system font that replaces the font of a missing package."""

    script: Script
    path: Path
    index: int
    """Index of the font in a font collection."""
    name: str
    """Full name for the manifest, consisting of family, style, version and file."""
    axis_value: float | None
    """Position on the weight axis of a variable font. None if the font has only one weight."""

    def open(self) -> Any:
        """Open the font with fontTools."""
        return _open_font(self.path, self.index)

    def glyphs(self, font: Any) -> Any:
        """Return the glyphs of the open font in this weight."""
        return font.getGlyphSet(location=None if self.axis_value is None else {"wght": self.axis_value})


@lru_cache(8)  # Two scripts in two weights, with room to spare.
def find_stand_in(script: Script, weight: Weight) -> StandIn | None:
    """Return the system font that replaces a missing package, or None if no known font covers the script."""
    user_fonts = [found for path in _user_files() for found in _fonts_in(path, script, weight)]
    order = list(FAMILIES[script])
    for family in (*order, None):
        fit = [
            found for found in user_fonts if found.family == family or (family is None and found.family not in order)
        ]
        if best := _best_covering(fit, script, weight):
            return best
    for family, stems in FAMILIES[script].items():
        files = [path for path in _system_files() if _stem(path).startswith(stems)]
        fit = [found for path in files for found in _fonts_in(path, script, weight) if found.family == family]
        if best := _best_covering(fit, script, weight):
            return best
    return None


def font_folders() -> list[Path]:
    """Return the folders in which this operating system stores fonts."""
    home = Path.home()
    if sys.platform == "darwin":
        fetched = sorted(Path("/System/Library").glob("Assets*/com_apple_MobileAsset_Font*"))
        return [home / "Library/Fonts", Path("/Library/Fonts"), Path("/System/Library/Fonts"), *fetched]
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA", str(home / "AppData/Local"))
        return [Path(local, "Microsoft/Windows/Fonts"), Path(os.environ.get("WINDIR", r"C:\Windows"), "Fonts")]
    user_data = os.environ.get("XDG_DATA_HOME") or str(home / ".local/share")
    shared = os.environ.get("XDG_DATA_DIRS") or "/usr/local/share:/usr/share"
    return [home / ".fonts", *(Path(folder, "fonts") for folder in (user_data, *shared.split(":")) if folder)]


class _Candidate(msgspec.Struct, frozen=True):
    font: StandIn
    family: str
    weight_gap: float
    """Absolute difference from the requested weight."""


def _best_covering(fit: list[_Candidate], script: Script, weight: Weight) -> StandIn | None:
    """Return the font closest to the requested weight that covers the script, or None."""
    for found in sorted(
        fit, key=lambda candidate: (candidate.weight_gap, str(candidate.font.path), candidate.font.index)
    ):
        if _covers(found.font, script):
            return found.font
    return None


def _covers(font: StandIn, script: Script) -> bool:
    try:
        with closing(font.open()) as opened:
            return frozenset(opened.getBestCmap() or ()) >= _needed_characters(script)
    except Exception:  # an unknown file may be broken in any way
        return False


@lru_cache(4)  # There are two scripts.
def _needed_characters(script: Script) -> frozenset[int]:
    """Return the character codes that a font must have to cover a script.

    For Latin, these are ASCII and the letters of Latin-1 Supplement and Latin Extended-A. Japanese requires ASCII,
    kana and the 2,965 kanji of JIS level 1.
    """
    ascii_ = range(0x20, 0x7F)
    if script == "latin":
        return frozenset((*ascii_, *(code for code in range(0xC0, 0x17F) if code not in (0x132, 0x133, 0x149))))
    cells = [bytes((a, b)) for a in (*range(0x88, 0x99),) for b in (*range(0x40, 0x7F), *range(0x80, 0xFD))]
    level = "".join(cell.decode("shift_jis", "ignore") for cell in cells if b"\x88\x9f" <= cell <= b"\x98\x72")
    return frozenset((*ascii_, *range(0x3041, 0x3094), *range(0x30A1, 0x30F7), *map(ord, "、。「」ー・" + level)))


def _user_files() -> list[Path]:
    """Return the font files that the user has named in the environment variable."""
    found: list[Path] = []
    for name in filter(None, os.environ.get(FONTS_VARIABLE, "").split(os.pathsep)):
        path = Path(name).expanduser()
        found += [path] if path.is_file() else _font_files(path)
    return found


@cache
def _system_files() -> list[Path]:
    return [path for folder in font_folders() for path in _font_files(folder)]


def _font_files(folder: Path) -> list[Path]:
    """Return the font files in a folder and its subfolders. The list is empty if the folder cannot be read."""
    found: list[Path] = []
    for base, inner, names in os.walk(folder):
        inner.sort()
        found += [Path(base, name) for name in sorted(names) if name.lower().endswith(_ENDINGS)]
    return found


def _stem(path: Path) -> str:
    """Return a file's name without its extension, normalised like the prefixes in FAMILIES."""
    name = unicodedata.normalize("NFC", path.stem).lower()
    return "".join(character for character in name if character.isalnum() or character == "ー")


def _fonts_in(path: Path, script: Script, weight: Weight) -> Iterator[_Candidate]:
    """Yield the upright fonts of normal width in a file that may be embedded.

    Yield nothing if the file cannot be read.
    """
    try:
        for index in range(_count_fonts(path)):
            with closing(_open_font(path, index)) as font:
                if (found := _candidate(font, script, weight, path, index)) is not None:
                    yield found
    except Exception:  # An unknown file may be broken in any way.
        return


def _candidate(font: Any, script: Script, weight: Weight, path: Path, index: int) -> _Candidate | None:
    lines, names = font["OS/2"], font["name"]
    shut = lines.fsType & 0x000F == _NOT_EMBEDDABLE or lines.fsType & _NO_SUBSET
    if shut or lines.fsSelection & 1 or lines.usWidthClass != 5 or not {"glyf", "CFF ", "CFF2"} & set(font.keys()):
        return None
    family = names.getDebugName(16) or names.getDebugName(1) or ""
    style, version = names.getDebugName(17) or names.getDebugName(2) or "", names.getDebugName(5) or ""
    place, off = None, float(abs(lines.usWeightClass - _CLASS[weight]))
    axes = font["fvar"].axes if "fvar" in font else ()
    if axis := next((axis for axis in axes if axis.axisTag == "wght"), None):
        place = float(min(max(_CLASS[weight], axis.minValue), axis.maxValue))
        style, off = f"wght {place:g}", abs(place - _CLASS[weight])
    name = ", ".join(part for part in (f"{family} {style}".strip(), version, path.name) if part)
    return _Candidate(StandIn(script, path, index, name, place), family, off)


def _count_fonts(path: Path) -> int:
    """Return the number of fonts in a file, which is more than 1 only for font collections."""
    with path.open("rb") as file:
        head = file.read(12)
    return int(struct.unpack(">4s4xL", head)[1]) if head[:4] == b"ttcf" else 1


def _open_font(path: Path, number: int) -> Any:
    """Open a font with fontTools, and silence the warnings that fontTools logs about unusual fonts."""
    import logging

    from fontTools.ttLib import TTFont

    logging.getLogger("fontTools").setLevel(logging.ERROR)
    file = path.open("rb")
    try:
        return TTFont(file, fontNumber=number, lazy=True)
    except BaseException:
        file.close()
        raise
