"""The file of a PDF: each object is written as soon as it is made, and only its offset is kept."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from itertools import count
from typing import Any

from reportlab.pdfbase import pdfdoc

from generator.store.manifest import seal_at_end
from generator.store.write import Draft

LEVEL = 4
"""Compression level: zlib's default 6 makes files 5 % smaller and takes more than twice as long."""


class File:
    """A ReportLab document that is written while it is made, with caches of drawn texts."""

    def __init__(self, document: Any, packed: bool) -> None:
        self.document, self.packed = document, packed
        self.out = Draft()
        self.offsets: dict[int, int] = {}
        """Offset of each written object by its number."""
        self.stills: list[Any] = []
        """Recently drawn parts of pictures (`streams.DrawnStill`), the latest last."""
        self.encoded_texts: dict[tuple[bool, str], list[tuple[str, str]]] = {}
        """Texts of pictures by weight, encoded by `fonts.encode_text`."""
        self.single_paths: dict[str, str] = {}
        """Operators of symbols that are a single short path, by name."""
        self.line_operators: dict[tuple[str, float, bool], str] = {}
        """Operators of lines of text by text, size and weight, from `fonts.text_operators`."""

    def reserve_number(self) -> int:
        """Return the number of an object that is written later."""
        self.document.objectcounter += 1
        number: int = self.document.objectcounter
        return number

    def stream(self, code: str, number: int = 0) -> int:
        """Write operators as a stream with a reserved or new number, and return the number."""
        number = number or self.reserve_number()
        body, head = encoded(code), b""
        if self.packed:
            body, head = zlib.compress(body, LEVEL), b"/Filter /FlateDecode "
        self.write(number, b"<< %b/Length %d >>\nstream\n%b\nendstream" % (head, len(body), body))
        return number

    def write_page(self, streams: Sequence[int] = ()) -> None:
        """Write the last page to the file to free its memory.

        `streams` are the numbers of its streams, if they are already written.
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
        """Return the operators of the last page."""
        code: str = self.document.Pages.pages[-1].stream
        return code

    def add_form(self, name: str, form: Any) -> None:
        """Add a form to the document and write it."""
        self.document.addForm(name, form)
        self.write_form(name)

    def write_form(self, name: str) -> None:
        """Write the form of that name to free its memory."""
        self._write_and_forget(pdfdoc.xObjectName(name))

    def has_form(self, name: str) -> bool:
        """Return whether there is a form of that name."""
        return bool(self.document.hasForm(name))

    def form_resource_name(self, name: str) -> str:
        """Return the name of a form in a page's resources."""
        found: str = self.document.getXObjectName(name)
        return found

    def finish(self) -> Draft:
        """Write the remaining objects, the cross-reference table and the trailer, and return the file."""
        document = self.document
        for page in document.Pages.pages:
            if getattr(page, "stream", None):
                # Compressed here: ReportLab would also encode it in base 85, which is a quarter longer.
                filters = [pdfdoc.PDFZCompress] if self.packed else None
                page.Contents, page.stream = pdfdoc.PDFStream(content=encoded(page.stream), filters=filters), None
        for always in (document.Catalog, document.info):
            document.Reference(always)
        # Writing an object may create further objects.
        for number in count(1):
            if number > document.objectcounter:
                break
            if number not in self.offsets:
                self.write(number, self._formatted(document.numberToId[number]))
        end, size = self.out.tell(), document.objectcounter + 1
        # Later drawings may have raised the PDF version.
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
        """Write an object now: others need only its number."""
        self.write(self.document.idToObjectNumberAndVersion[name][0], self._formatted(name))
        self.document.idToObject[name] = None

    def _formatted(self, name: str) -> bytes:
        """Return an object's bytes."""
        formatted: bytes = pdfdoc.format(self.document.idToObject[name], self.document, toplevel=1)
        return formatted

    def write(self, number: int, content: bytes) -> None:
        """Write an object under its number and keep its offset."""
        self.offsets[number] = self.out.tell() or self.out.write(self._head())
        self.out.write(b"%d 0 obj\n%b%bendobj\n" % (number, content, b"" if content.endswith(b"\n") else b"\n"))

    def _head(self) -> bytes:
        """Return the file header; its length is the same for every version."""
        head: bytes = pdfdoc.PDFFile(self.document._pdfVersion).strings[0]
        return head


def encoded(code: str) -> bytes:
    """Return operators as bytes; a fast path avoids ReportLab's slow codec for ASCII."""
    return code.encode() if code.isascii() else bytes(pdfdoc.pdfdocEnc(code))
