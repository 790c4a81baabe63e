"""Form XObjects, which a document stores once and draws in several places."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from typing import Any

from reportlab.pdfbase import pdfdoc

from generator.press.pdf.file import LEVEL, encoded


class SymbolForm(pdfdoc.PDFObject):
    """The form XObject of a symbol. ReportLab's own form would consist of a dozen objects.

    `forms` and `alphas` are the forms and transparencies used, keyed by their names in `code`. `reach` is half the
    side, in mm, of the square around the origin that contains the symbol.
    """

    def __init__(
        self, code: Sequence[str], forms: Sequence[str], alphas: Mapping[str, tuple[str, float]], reach: float
    ) -> None:
        self.forms, self.alphas, self.reach = forms, alphas, reach
        # A print has hundreds of forms with thousands of lines each, so they are compressed in memory.
        self.body = zlib.compress(encoded("\n".join(code)), LEVEL)

    def format(self, document: Any) -> bytes:
        """Return the object as bytes for the file."""
        fonts = pdfdoc.format(pdfdoc.PDFObjectReference(pdfdoc.BasicFonts), document).decode()
        resources = f"/Font {fonts}"
        if self.forms:
            resources += f" /XObject {pdfdoc.format(document.xobjDict(self.forms), document).decode()}"
        if alphas := self.alphas.items():
            states = " ".join(f"/{name} << /{kind} {alpha} >>" for name, (kind, alpha) in alphas)
            resources += f" /ExtGState << {states} >>"
        body = self.body
        box = f"[{-self.reach:g} {-self.reach:g} {self.reach:g} {self.reach:g}]"
        head = f"/Type /XObject /Subtype /Form /BBox {box} /Filter /FlateDecode /Length {len(body)}"
        return b"<< %b /Resources << %b >> >>\nstream\n%b\nendstream" % (head.encode(), resources.encode(), body)
