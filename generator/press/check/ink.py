"""Measure the ink coverage of pages with PDFium."""

from __future__ import annotations

import ctypes
import re
import zlib
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from io import SEEK_END
from math import ceil, hypot
from struct import Struct
from typing import IO, Any

import pypdfium2_raw as pdfium

from generator.store.write import Draft

# At a low resolution, strokes thinner than a dot are drawn one dot wide, and type appears too bold. At 48 dpi the
# measured ink of a page is up to three times the real ink. Thin strokes and type are therefore made more transparent
# before a page is measured. The result differs by at most 3 % from a measurement at 600 dpi (`make prove ARGS=ink`)
# and takes a hundredth of the time.

DPI = 60.0
"""Resolution of the measurement. Higher values take more time. At lower values, the rounding errors per dot are too
large."""
TEXT_ALPHA = 0.93
"""Factor for the opacity of text. It compensates for PDFium's fitting of type to dots at this resolution."""
_SLANT = 0.001
"""Slant of the page, which amounts to half a dot over its width. Without it, PDFium moves upright rectangles to whole
dots."""
_WHITE = 0xFFFFFFFF
_SIX = Struct("6f")
_LUMINANCE = (0.299, 0.587, 0.114)
"""Weights of red, green and blue in the luminance, from ITU-R BT.601."""
_LEVELS = range(255, -1, -1)
_NAMES = ("dark", "cyan", "magenta", "yellow")


# Only the raw bindings are imported, because importing all of pypdfium2 takes three times as long. It is harmless to
# initialise the library twice.
pdfium.FPDF_InitLibrary()


class _FastPdfium:
    """PDFium's functions by name, with pages and objects passed as plain addresses.

    A page has hundreds of objects, and each object needs a dozen calls. With the ctypes pointers of the usual
    bindings, these calls take three times as long.
    """

    def __getattr__(self, name: str) -> Any:
        usual = getattr(pdfium, name)
        found = type(usual)(ctypes.cast(usual, ctypes.c_void_p).value)
        found.argtypes = [_as_address(kind) for kind in usual.argtypes]
        found.restype = usual.restype and _as_address(usual.restype)
        setattr(self, name, found)
        return found


def _as_address(kind: Any) -> Any:
    """Return an untyped address if a type is a pointer, otherwise the type itself."""
    return ctypes.c_void_p if hasattr(kind, "contents") else kind


fast_pdfium = _FastPdfium()
_Read = dict(pdfium.FPDF_FILEACCESS._fields_)["m_GetBlock"]
_NOT_ANNOTATION = re.compile(rb"/Subtype\s*/(?:Link|Form|Image|TrueType|Type0|CIDFontType2|XML)\b")
"""Matches the subtypes in Muster's PDFs that are not visible annotations."""
_DESCRIBED = re.compile(rb"<<[^<>]*/FontName\s*/([^\s/<>\[\]]+)[^<>]*>>")
_FONT, _TAGGED = re.compile(rb"/BaseFont\s*/([^\s/<>\[\]]+)"), re.compile(rb"[A-Z]{6}\+")
_BODY = re.compile(rb"/Contents \[ (([0-9]+) 0 R)")
"""Matches the first stream of a page that has several."""
_OBJECT_STREAM = re.compile(rb"/ObjStm\b[^<>]*/Length ([0-9]+)[^<>]*>>\s*stream\r?\n")
_PIECE_BYTES = 1 << 16
"""Number of bytes that are read from a PDF at a time."""
_PAGES_PER_OPENING = 200
"""Number of pages after which a document is reopened. A higher number needs more memory, a lower number more time,
because opening a long PDF takes as long as reading several of its pages."""


class OpenPdf:
    """A PDF opened in PDFium.

    The document is reopened from time to time, because PDFium keeps everything that it has read in memory. If the
    PDF cannot be read, `pages` is -1. `bodies` are the numbers of the first streams of the pages. A stream that
    repeats is omitted from the later pages.
    """

    def __init__(self, pdf: IO[bytes], bodies: Sequence[int] = ()) -> None:
        self.may_have_annotations = False
        """Whether the PDF may contain visible annotations. Muster's own PDFs can be searched for them as bytes."""
        self.missing_fonts = set[bytes]()
        """Names of fonts that are not embedded."""
        self._file = self._scan(pdf, bodies)
        self._read = _Read(partial(_read_block, self._file))
        self._access = pdfium.FPDF_FILEACCESS(self._file.seek(0, SEEK_END), self._read, None)
        self._document = self._open()
        self.pages: int = fast_pdfium.FPDF_GetPageCount(self._document) if self._document else -1

    def document_for_page(self, number: int) -> Any:
        """Return the PDFium document from which to read a page, counted from 0."""
        if number and number % _PAGES_PER_OPENING == 0:
            self.close()
            self._document = self._open()
        return self._document

    def close(self) -> None:
        """Close the document."""
        if self._document:
            fast_pdfium.FPDF_CloseDocument(self._document)

    def _open(self) -> Any:
        return fast_pdfium.FPDF_LoadCustomDocument(ctypes.addressof(self._access), None)

    def _scan(self, pdf: IO[bytes], bodies: Sequence[int]) -> IO[bytes]:
        """Find fonts and annotations, and return the PDF without repeated bodies, at unchanged byte offsets."""
        shortened, known, seen = Draft() if bodies else None, set(bodies), set[int]()

        def replace_repeated(found: re.Match[bytes]) -> bytes:
            number = int(found[2])
            if number in seen:
                return b"/Contents [ %b" % b"null".ljust(len(found[1]))
            seen.update(known & {number})
            return found[0]

        # Fonts that are embedded as a whole for form fields have no six-letter subset tag.
        whole = set[bytes]()
        for piece in _read_pieces(pdf):
            if shortened:
                shortened.write(_BODY.sub(replace_repeated, piece))
            for objects in (piece, *_packed_objects(piece)):
                others = len(_NOT_ANNOTATION.findall(objects))
                self.may_have_annotations |= objects.count(b"/Subtype") > others
                whole |= {found[1] for found in _DESCRIBED.finditer(objects) if b"/FontFile" in found[0]}
                self.missing_fonts |= {font for font in _FONT.findall(objects) if not _TAGGED.match(font)}
        self.missing_fonts -= whole
        return shortened or pdf


def _read_block(file: IO[bytes], _: Any, place: int, room: int, size: int) -> int:
    """Copy a part of the file to PDFium's memory, and return whether the part is complete."""
    file.seek(place)
    found = file.read(size)
    ctypes.memmove(room, found, len(found))
    return int(len(found) == size)


def _read_pieces(pdf: IO[bytes]) -> Iterator[bytes]:
    """Yield a PDF in pieces that contain only whole objects."""
    pdf.seek(0)
    rest = b""
    while block := pdf.read(_PIECE_BYTES):
        before, end, rest = (rest + block).rpartition(b"endobj")
        yield before + end
    yield rest


def _packed_objects(piece: bytes) -> Iterator[bytes]:
    """Yield the content of the object streams in a piece of a PDF."""
    for found in _OBJECT_STREAM.finditer(piece):
        packed = piece[found.end() : found.end() + int(found[1])]
        try:
            yield zlib.decompress(packed) if b"/FlateDecode" in found[0] else packed
        except zlib.error:
            # Another program's PDF may be packed in another way, and may contain anything.
            yield b"/Subtype"


Ink = dict[str, float]
"""The inked fraction of a page's area, from 0 to 1. `dark` is the ink of a print in grey. Cyan, magenta and yellow
are the complements of red, green and blue, and grey is their luminance (ITU-R BT.601)."""


class InkMeter:
    """A meter for the ink of one page after another.

    Measured pages are lightened and must not be used for other purposes.
    """

    def __init__(self) -> None:
        self.inks: list[Ink] = []
        self._dots: Any = b""
        self._found, self._colour = (ctypes.c_float * 6)(), (ctypes.c_uint * 4)()
        self._width, self._filled, self._stroked = ctypes.c_float(), ctypes.c_int(), ctypes.c_int()
        self._matrix_at, self._width_at = ctypes.addressof(self._found), ctypes.addressof(self._width)
        self._colour_at = addresses(self._colour)
        self._mode_at = ctypes.addressof(self._filled), ctypes.addressof(self._stroked)

    def lighten_text(self, item: Any) -> None:
        """Make a text object more transparent."""
        if fast_pdfium.FPDFPageObj_GetFillColor(item, *self._colour_at):
            red, green, blue, alpha = self._colour
            fast_pdfium.FPDFPageObj_SetFillColor(item, red, green, blue, round(alpha * TEXT_ALPHA))

    def lighten_path(self, item: Any, placed: tuple[float, ...]) -> None:
        """Make the stroke of a path more transparent if it is thinner than a dot.

        `placed` is the matrix that places the path on the page.
        """
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
            # Round ends and corners would extend the stroke by half a dot.
            fast_pdfium.FPDFPageObj_SetLineCap(item, pdfium.FPDF_LINECAP_BUTT)
            fast_pdfium.FPDFPageObj_SetLineJoin(item, pdfium.FPDF_LINEJOIN_BEVEL)

    def measure_page(self, page: Any) -> None:
        """Measure a page whose objects have been lightened, and append the result to `inks`."""
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
        # The bytes of each dot are in the order blue, green, red.
        shares = [sum(map(int.__mul__, _LEVELS, counts[k : k + 256])) / full for k in (512, 256, 0)]
        dark = sum(share * weight for share, weight in zip(shares, _LUMINANCE, strict=True))
        self.inks.append({name: round(share, 5) for name, share in zip(_NAMES, (dark, *shares), strict=True)})


def addresses(of: ctypes.Array[Any]) -> tuple[int, ...]:
    """Return the memory addresses of the elements of an array."""
    return tuple(ctypes.addressof(of) + at * ctypes.sizeof(of._type_) for at in range(len(of)))


@lru_cache(64)  # Most objects of a page have the same matrix.
def _scale(a: float, b: float, c: float, d: float, placed: tuple[float, ...]) -> float:
    """Return the mean of the two scales of a matrix combined with the matrix that places it."""
    p, q, r, s, _, _ = placed
    return (hypot(a * p + b * r, a * q + b * s) + hypot(c * p + d * r, c * q + d * s)) / 2
