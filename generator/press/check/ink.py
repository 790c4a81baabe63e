"""How much ink a page takes."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from io import SEEK_END
from math import ceil, hypot
from struct import Struct
from typing import IO, Any

import pypdfium2_raw as pdfium

from generator.store.write import Draft

# A picture of few dots shows strokes thinner than a dot as wide as one, and type too bold: at 48 dots an inch a page
# seems to take up to three times its ink. So thin strokes are first made more transparent, and type by what it
# gains; what is measured lies within 3 % of the page at 600 dots an inch (`make prove ARGS=ink`), in a hundredth of
# the time.

DPI = 60.0
"""Finer pictures cost more time; on coarser ones what is rounded off each dot weighs too much."""
TEXT_ALPHA = 0.93
"""What PDFium's type, fitted to the dots, must be lightened to at this fineness."""
_SLANT = 0.001
"""Rectangles that stand upright are moved to whole dots; a slant of half a dot a page keeps them where they are."""
_WHITE = 0xFFFFFFFF
_SIX = Struct("6f")
_LUMINANCE = (0.299, 0.587, 0.114)
_LEVELS = range(255, -1, -1)
_NAMES = ("dark", "cyan", "magenta", "yellow")


# The bindings alone: all of pypdfium2 takes three times as long to import. Being begun twice is as good as once.
pdfium.FPDF_InitLibrary()


class _FastPdfium:
    """The functions of PDFium by name, pages and objects as the numbers of their addresses.

    A page is made of hundreds of objects, each asked for a dozen things: as pointers of ctypes, which the functions'
    usual form asks for, they take three times as long.
    """

    def __getattr__(self, name: str) -> Any:
        usual = getattr(pdfium, name)
        found = type(usual)(ctypes.cast(usual, ctypes.c_void_p).value)
        found.argtypes = [_as_address(kind) for kind in usual.argtypes]
        found.restype = usual.restype and _as_address(usual.restype)
        setattr(self, name, found)
        return found


def _as_address(kind: Any) -> Any:
    """What passes for it: an address in place of a pointer to something."""
    return ctypes.c_void_p if hasattr(kind, "contents") else kind


fast_pdfium = _FastPdfium()
_Read = dict(pdfium.FPDF_FILEACCESS._fields_)["m_GetBlock"]
_NOT_ANNOTATION = re.compile(rb"/Subtype\s*/(?:Link|Form|Image|TrueType|Type0|CIDFontType2)\b")
"""What is no note that shows anything, of all that has a kind in a PDF of ours."""
_DESCRIBED = re.compile(rb"<<[^<>]*/FontName\s*/([^\s/<>\[\]]+)[^<>]*>>")
_FONT, _TAGGED = re.compile(rb"/BaseFont\s*/([^\s/<>\[\]]+)"), re.compile(rb"[A-Z]{6}\+")
_BODY = re.compile(rb"/(FormXob\.[^\s/<>\[\]]+) ([0-9]+ 0 R)")
_PIECE_BYTES = 1 << 16
_PAGES_PER_OPENING = 50
"""So many pages are read of a document until it is opened anew, which takes less than a page does."""


class OpenPdf:
    """A PDF in PDFium's hands, opened anew after some pages: it keeps all that it ever read of a document.

    One that cannot be read has -1 pages. `bodies` name the form that each page begins with: pages lack those that
    were on one before.
    """

    def __init__(self, pdf: IO[bytes], bodies: Sequence[str] = ()) -> None:
        self.may_have_annotations = False
        """Whether there may be notes that show anything: in a PDF of ours all can be read as it stands."""
        self.missing_fonts = set[bytes]()
        """Fonts that are not embedded."""
        self._file = self._scan(pdf, bodies)
        self._read = _Read(partial(_read_block, self._file))
        self._access = pdfium.FPDF_FILEACCESS(self._file.seek(0, SEEK_END), self._read, None)
        self._document = self._open()
        self.pages: int = fast_pdfium.FPDF_GetPageCount(self._document) if self._document else -1

    def document_for_page(self, number: int) -> Any:
        """The document, for the page of that number, from 0."""
        if number and number % _PAGES_PER_OPENING == 0:
            self.close()
            self._document = self._open()
        return self._document

    def close(self) -> None:
        """Let go of it."""
        if self._document:
            fast_pdfium.FPDF_CloseDocument(self._document)

    def _open(self) -> Any:
        return fast_pdfium.FPDF_LoadCustomDocument(ctypes.addressof(self._access), None)

    def _scan(self, pdf: IO[bytes], bodies: Sequence[str]) -> IO[bytes]:
        """Note what all of it tells; the same without bodies that come again, each thing where it was."""
        shortened, known, seen = Draft() if bodies else None, {body.encode() for body in bodies if body}, set[bytes]()

        def replace_repeated(found: re.Match[bytes]) -> bytes:
            name = found[1]
            if name in seen:
                return b"/%b %b" % (name, b"null".ljust(len(found[2])))
            seen.update(known & {name})
            return found[0]

        # Fonts that are embedded whole, for fields to be filled in, bear no tag of six letters.
        whole = set[bytes]()
        for piece in _read_pieces(pdf):
            self.may_have_annotations |= b"/ObjStm" in piece or piece.count(b"/Subtype") > len(
                _NOT_ANNOTATION.findall(piece)
            )
            whole |= {found[1] for found in _DESCRIBED.finditer(piece) if b"/FontFile" in found[0]}
            self.missing_fonts |= {font for font in _FONT.findall(piece) if not _TAGGED.match(font)}
            if shortened:
                shortened.write(_BODY.sub(replace_repeated, piece))
        self.missing_fonts -= whole
        return shortened or pdf


def _read_block(file: IO[bytes], _: Any, place: int, room: int, size: int) -> int:
    """Hand PDFium a part of the file; whether it is all there."""
    file.seek(place)
    found = file.read(size)
    ctypes.memmove(room, found, len(found))
    return int(len(found) == size)


def _read_pieces(pdf: IO[bytes]) -> Iterator[bytes]:
    """A PDF piece by piece, each of whole objects."""
    pdf.seek(0)
    rest = b""
    while block := pdf.read(_PIECE_BYTES):
        before, end, rest = (rest + block).rpartition(b"endobj")
        yield before + end
    yield rest


Ink = dict[str, float]
"""The share of a page's area that is inked: in grey as `dark`, and in cyan, magenta and yellow; 1.0 is all over.

A screen's red, green and blue are taken to be what these inks leave, and grey to be their luminance (ITU-R BT.601).
"""


class InkMeter:
    """Measures one page after the other; a page that was lightened for it serves no other end."""

    def __init__(self) -> None:
        self.inks: list[Ink] = []
        self._dots: Any = b""
        self._found, self._colour = (ctypes.c_float * 6)(), (ctypes.c_uint * 4)()
        self._width, self._filled, self._stroked = ctypes.c_float(), ctypes.c_int(), ctypes.c_int()
        self._matrix_at, self._width_at = ctypes.addressof(self._found), ctypes.addressof(self._width)
        self._colour_at = addresses(self._colour)
        self._mode_at = ctypes.addressof(self._filled), ctypes.addressof(self._stroked)

    def lighten_text(self, item: Any) -> None:
        """Lighten a text."""
        if fast_pdfium.FPDFPageObj_GetFillColor(item, *self._colour_at):
            red, green, blue, alpha = self._colour
            fast_pdfium.FPDFPageObj_SetFillColor(item, red, green, blue, round(alpha * TEXT_ALPHA))

    def lighten_path(self, item: Any, placed: tuple[float, ...]) -> None:
        """Lighten a path that this matrix places on the page, if its stroke is thinner than a dot."""
        fast_pdfium.FPDFPath_GetDrawMode(item, *self._mode_at)
        if not self._stroked.value:
            return
        fast_pdfium.FPDFPageObj_GetStrokeWidth(item, self._width_at)
        fast_pdfium.FPDFPageObj_GetMatrix(item, self._matrix_at)
        a, b, c, d, _, _ = _SIX.unpack(self._found)
        dots = self._width.value * _scale(a, b, c, d, placed) * DPI / 72
        if dots < 1 and fast_pdfium.FPDFPageObj_GetStrokeColor(item, *self._colour_at):
            red, green, blue, alpha = self._colour
            fast_pdfium.FPDFPageObj_SetStrokeColor(item, red, green, blue, round(alpha * dots))
            # Ends and corners would reach as far as half a dot.
            fast_pdfium.FPDFPageObj_SetLineCap(item, pdfium.FPDF_LINECAP_BUTT)
            fast_pdfium.FPDFPageObj_SetLineJoin(item, pdfium.FPDF_LINEJOIN_BEVEL)

    def measure_page(self, page: Any) -> None:
        """Measure a lightened page."""
        from PIL import Image

        scale = DPI / 72
        sides = [side(page) * scale for side in (fast_pdfium.FPDF_GetPageWidthF, fast_pdfium.FPDF_GetPageHeightF)]
        wide, high = (max(1, ceil(side - 0.01)) for side in sides)
        if len(self._dots) != 4 * wide * high:
            self._dots = (ctypes.c_char * (4 * wide * high))()
        bitmap = fast_pdfium.FPDFBitmap_CreateEx(wide, high, pdfium.FPDFBitmap_BGRx, self._dots, 4 * wide)
        try:
            fast_pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, wide, high, _WHITE)
            slanted = pdfium.FS_MATRIX(scale, scale * _SLANT, -scale * _SLANT, scale, 0, 0)
            whole = pdfium.FS_RECTF(0, 0, wide, high)
            fast_pdfium.FPDF_RenderPageBitmapWithMatrix(bitmap, page, ctypes.byref(slanted), ctypes.byref(whole), 0)
        finally:
            fast_pdfium.FPDFBitmap_Destroy(bitmap)
        counts = Image.frombuffer("RGBX", (wide, high), self._dots, "raw", "RGBX", 4 * wide, 1).histogram()
        full = 255 * sides[0] * sides[1]
        # The dots hold blue before green before red.
        shares = [sum(map(int.__mul__, _LEVELS, counts[k : k + 256])) / full for k in (512, 256, 0)]
        dark = sum(share * weight for share, weight in zip(shares, _LUMINANCE, strict=True))
        self.inks.append({name: round(share, 5) for name, share in zip(_NAMES, (dark, *shares), strict=True)})


def addresses(of: ctypes.Array[Any]) -> tuple[int, ...]:
    """The addresses of the elements of an array."""
    return tuple(ctypes.addressof(of) + at * ctypes.sizeof(of._type_) for at in range(len(of)))


@lru_cache(64)  # what stands on one page is placed alike, most often
def _scale(a: float, b: float, c: float, d: float, placed: tuple[float, ...]) -> float:
    """How many times as long things of a matrix are where another places them, in the mean of both ways."""
    p, q, r, s, _, _ = placed
    return (hypot(a * p + b * r, a * q + b * s) + hypot(c * p + d * r, c * q + d * s)) / 2
