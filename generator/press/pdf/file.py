"""The file of a PDF in the making: each object is written when it is made, and only its place is kept."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from itertools import count
from typing import Any

from reportlab.pdfbase import pdfdoc

from generator.store.manifest import seal_at_end
from generator.store.write import Draft

LEVEL = 4
"""How hard operators are packed: zlib's usual 6 makes files a twentieth smaller and takes more than twice as long."""


class File:
    """A document of ReportLab's that is written while it is made, and what is remembered of the texts drawn in it."""

    def __init__(self, document: Any, packed: bool) -> None:
        self.document, self.packed = document, packed
        self.out = Draft()
        self.offsets: dict[int, int] = {}
        """Where each object that is written begins in the file, by its number."""
        self.stills: list[Any] = []
        """Parts of pictures that came before (`streams.DrawnStill`), the last one at the end."""
        self.encoded_texts: dict[tuple[bool, str], list[tuple[str, str]]] = {}
        """Texts of pictures by weight, as `fonts.spelled` has them."""
        self.single_paths: dict[str, str] = {}
        """The operators of symbols that are one short path, by name."""
        self.line_operators: dict[tuple[str, float, bool], str] = {}
        """Lines of text by size and weight, as `fonts.shown` has them."""

    def reserve_number(self) -> int:
        """The number of an object that is written later."""
        self.document.objectcounter += 1
        number: int = self.document.objectcounter
        return number

    def stream(self, code: str, number: int = 0) -> int:
        """Write operators as a stream, and return its number: one that was promised, or the next."""
        number = number or self.reserve_number()
        body, head = encoded(code), b""
        if self.packed:
            body, head = zlib.compress(body, LEVEL), b"/Filter /FlateDecode "
        self.write(number, b"<< %b/Length %d >>\nstream\n%b\nendstream" % (head, len(body), body))
        return number

    def write_page(self, streams: Sequence[int] = ()) -> None:
        """Write the page that was made last, so that it need not be held.

        `streams` are the numbers of those that make it up, if they are written already.
        """
        pages = self.document.Pages.pages
        page = pages[-1]
        references = [b"%d 0 R" % number for number in streams or (self.stream(page.stream),)]
        page.Contents = references[0] if len(references) == 1 else b"[ %b ]" % b" ".join(references)
        page.stream = None
        name: str = page.__InternalName__
        pages[-1] = pdfdoc.PDFObjectReference(name)
        self._write_and_forget(name)

    def page_code(self) -> str:
        """The operators of the page that was made last."""
        code: str = self.document.Pages.pages[-1].stream
        return code

    def add_form(self, name: str, form: Any) -> None:
        """Give the document a form, and write it."""
        self.document.addForm(name, form)
        self.write_form(name)

    def write_form(self, name: str) -> None:
        """Write the form of that name, so that it need not be held."""
        self._write_and_forget(pdfdoc.xObjectName(name))

    def has_form(self, name: str) -> bool:
        """Whether there is a form of that name."""
        return bool(self.document.hasForm(name))

    def form_resource_name(self, name: str) -> str:
        """The name of a form in a page's resources."""
        found: str = self.document.getXObjectName(name)
        return found

    def finish(self) -> Draft:
        """Write what is left, where each object is to be found, and the end of the file."""
        document = self.document
        for page in document.Pages.pages:
            if getattr(page, "stream", None):
                # Packed here: ReportLab would write it as text as well, in base 85, a quarter longer.
                filters = [pdfdoc.PDFZCompress] if self.packed else None
                page.Contents, page.stream = pdfdoc.PDFStream(content=encoded(page.stream), filters=filters), None
        for always in (document.Catalog, document.info):
            document.Reference(always)
        # What is written may refer to more that is to be written.
        for number in count(1):
            if number > document.objectcounter:
                break
            if number not in self.offsets:
                self.write(number, self._formatted(document.numberToId[number]))
        end, size = self.out.tell(), document.objectcounter + 1
        # Something drawn late may have asked for a later version.
        self.out.seek(0)
        self.out.write(self._head())
        self.out.seek(end)
        trailer = pdfdoc.PDFTrailer(
            startxref=end,
            Size=size,
            Root=document.Reference(document.Catalog),
            Info=document.Reference(document.info),
            ID=document.ID(),
        )
        self.out.write(b"xref\n0 %d\n0000000000 65535 f \n" % size)
        self.out.writelines(b"%010d 00000 n \n" % self.offsets[number] for number in range(1, size))
        self.out.write(trailer.format(document))
        seal_at_end(self.out)
        return self.out

    def _write_and_forget(self, name: str) -> None:
        """Write an object now: others know its number, and nothing more."""
        self.write(self.document.idToObjectNumberAndVersion[name][0], self._formatted(name))
        self.document.idToObject[name] = None

    def _formatted(self, name: str) -> bytes:
        """An object as it stands in the file behind its number."""
        formatted: bytes = pdfdoc.format(self.document.idToObject[name], self.document, toplevel=1)
        return formatted

    def write(self, number: int, content: bytes) -> None:
        """Write an object that has a number of its own, and keep its place."""
        self.offsets[number] = self.out.tell() or self.out.write(self._head())
        self.out.write(b"%d 0 obj\n%b%bendobj\n" % (number, content, b"" if content.endswith(b"\n") else b"\n"))

    def _head(self) -> bytes:
        """How the file begins, as long for every version."""
        head: bytes = pdfdoc.PDFFile(self.document._pdfVersion).strings[0]
        return head


def encoded(code: str) -> bytes:
    """Operators as bytes. ReportLab's codec looks up every letter; those of ASCII stay as they are."""
    return code.encode() if code.isascii() else bytes(pdfdoc.pdfdocEnc(code))
