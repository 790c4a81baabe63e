"""How much ink a page takes.

A picture of few dots shows strokes thinner than a dot as wide as one, and type too bold: at 48 dots an inch a page
seems to take up to three times its ink. So thin strokes are first made more transparent, and type by what it gains;
what is measured lies within 3 % of the page at 600 dots an inch (`make prove ARGS=ink`), in a hundredth of the time.
"""

from __future__ import annotations

import ctypes
from math import ceil, hypot
from typing import Any

import pypdfium2.raw as pdfium

DPI = 60.0
"""Finer pictures cost more time; on coarser ones what is rounded off each dot weighs too much."""
TYPE = 0.93
"""What PDFium's type, fitted to the dots, must be lightened to at this fineness."""
_SLANT = 0.001
"""Rectangles that stand upright are moved to whole dots; a slant of half a dot a page keeps them where they are."""
_WHITE = 0xFFFFFFFF
_LUMINANCE = (0.299, 0.587, 0.114)
_LEVELS = range(255, -1, -1)
_NAMES = ("dark", "cyan", "magenta", "yellow")
Ink = dict[str, float]
"""The share of a page's area that is inked: in grey as `dark`, and in cyan, magenta and yellow; 1.0 is all over.

A screen's red, green and blue are taken to be what these inks leave, and grey to be their luminance (ITU-R BT.601).
"""


class Measuring:
    """Measures one page after the other; a page that was lightened for it serves no other end."""

    def __init__(self) -> None:
        self.inks: list[Ink] = []
        self._dots: Any = b""
        self._matrix = pdfium.FS_MATRIX()
        self._colour = [ctypes.c_uint() for _ in range(4)]
        self._width, self._filled, self._stroked = ctypes.c_float(), ctypes.c_int(), ctypes.c_int()
        self._matrix_at, self._width_at = ctypes.byref(self._matrix), ctypes.byref(self._width)
        self._colour_at = [ctypes.byref(part) for part in self._colour]
        self._mode_at = ctypes.byref(self._filled), ctypes.byref(self._stroked)

    def text(self, item: Any) -> None:
        """Lighten a text."""
        if pdfium.FPDFPageObj_GetFillColor(item, *self._colour_at):
            red, green, blue, alpha = self._colour
            pdfium.FPDFPageObj_SetFillColor(item, red, green, blue, round(alpha.value * TYPE))

    def path(self, item: Any, placed: tuple[float, ...]) -> None:
        """Lighten a path that this matrix places on the page, if its stroke is thinner than a dot."""
        pdfium.FPDFPath_GetDrawMode(item, *self._mode_at)
        if not self._stroked.value:
            return
        pdfium.FPDFPageObj_GetStrokeWidth(item, self._width_at)
        pdfium.FPDFPageObj_GetMatrix(item, self._matrix_at)
        dots = self._width.value * _scale(self._matrix, placed) * DPI / 72
        if dots < 1 and pdfium.FPDFPageObj_GetStrokeColor(item, *self._colour_at):
            red, green, blue, alpha = self._colour
            pdfium.FPDFPageObj_SetStrokeColor(item, red, green, blue, round(alpha.value * dots))
            # Ends and corners would reach as far as half a dot.
            pdfium.FPDFPageObj_SetLineCap(item, pdfium.FPDF_LINECAP_BUTT)
            pdfium.FPDFPageObj_SetLineJoin(item, pdfium.FPDF_LINEJOIN_BEVEL)

    def page(self, page: Any) -> None:
        """Measure a lightened page."""
        from PIL import Image

        scale = DPI / 72
        sides = [side(page) * scale for side in (pdfium.FPDF_GetPageWidthF, pdfium.FPDF_GetPageHeightF)]
        wide, high = (max(1, ceil(side - 0.01)) for side in sides)
        if len(self._dots) != 4 * wide * high:
            self._dots = (ctypes.c_char * (4 * wide * high))()
        bitmap = pdfium.FPDFBitmap_CreateEx(wide, high, pdfium.FPDFBitmap_BGRx, self._dots, 4 * wide)
        try:
            pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, wide, high, _WHITE)
            slanted = pdfium.FS_MATRIX(scale, scale * _SLANT, -scale * _SLANT, scale, 0, 0)
            whole = pdfium.FS_RECTF(0, 0, wide, high)
            pdfium.FPDF_RenderPageBitmapWithMatrix(bitmap, page, ctypes.byref(slanted), ctypes.byref(whole), 0)
        finally:
            pdfium.FPDFBitmap_Destroy(bitmap)
        counts = Image.frombuffer("RGBX", (wide, high), self._dots, "raw", "RGBX", 4 * wide, 1).histogram()
        full = 255 * sides[0] * sides[1]
        # The dots hold blue before green before red.
        shares = [sum(map(int.__mul__, _LEVELS, counts[k : k + 256])) / full for k in (512, 256, 0)]
        dark = sum(share * weight for share, weight in zip(shares, _LUMINANCE, strict=True))
        self.inks.append({name: round(share, 5) for name, share in zip(_NAMES, (dark, *shares), strict=True)})


def _scale(own: Any, placed: tuple[float, ...]) -> float:
    """How many times as long things are on the page, in the mean of both ways."""
    a, b, c, d = own.a, own.b, own.c, own.d
    p, q, r, s = placed[:4]
    return (hypot(a * p + b * r, a * q + b * s) + hypot(c * p + d * r, c * q + d * s)) / 2
