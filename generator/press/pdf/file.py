"""Write PDF files object by object, keeping only the offsets of written objects in memory."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from itertools import count
from typing import Any

from reportlab.pdfbase import pdfdoc

from generator.store.manifest import seal_at_end
from generator.store.write import Draft

LEVEL = 4
"""zlib compression level. The default level 6 makes files 5 % smaller but takes more than twice as long."""


class File:
    """A ReportLab document that is written to a file while pages are drawn, with caches of drawn texts."""

    def __init__(self, document: Any, packed: bool) -> None:
        self.document, self.packed = document, packed
        self.out = Draft()
        self.offsets: dict[int, int] = {}
        """Offset of each written object, keyed by object number."""
        self.stills: list[Any] = []
        """Recently drawn parts of pictures (`streams.DrawnStill`), most recent last."""
        self.encoded_texts: dict[tuple[bool, str], list[tuple[str, str]]] = {}
        """Texts of pictures as encoded by `fonts.encode_text`, keyed by weight and text."""
        self.single_paths: dict[str, str] = {}
        """Operators of symbols that consist of a single short path, keyed by symbol name."""
        self.line_operators: dict[tuple[str, float, bool], str] = {}
        """Operators of lines of text from `fonts.text_operators`, keyed by text, size and weight."""

    def reserve_number(self) -> int:
        """Reserve the number of an object that will be written later, and return the number."""
        self.document.objectcounter += 1
        number: int = self.document.objectcounter
        return number

    def stream(self, code: str, number: int = 0) -> int:
        """Write operators as a stream, and return the stream's object number.

        The number is new unless a reserved number is passed.
        """
        number = number or self.reserve_number()
        body, head = encoded(code), b""
        if self.packed:
            body, head = zlib.compress(body, LEVEL), b"/Filter /FlateDecode "
        self.write(number, b"<< %b/Length %d >>\nstream\n%b\nendstream" % (head, len(body), body))
        return number

    def write_page(self, streams: Sequence[int] = ()) -> None:
        """Write the last page to the file and free its memory.

        `streams` are the numbers of the page's streams if they have already been written.
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
        """Add a form to the document and write it to the file."""
        self.document.addForm(name, form)
        self.write_form(name)

    def write_form(self, name: str) -> None:
        """Write the form with this name to the file and free its memory."""
        self._write_and_forget(pdfdoc.xObjectName(name))

    def has_form(self, name: str) -> bool:
        """Return whether the document has a form with this name."""
        return bool(self.document.hasForm(name))

    def form_resource_name(self, name: str) -> str:
        """Return the name by which the resources of a page refer to a form."""
        found: str = self.document.getXObjectName(name)
        return found

    def finish(self) -> Draft:
        """Write the remaining objects, the cross-reference table and the trailer, and return the file."""
        document = self.document
        for page in document.Pages.pages:
            if getattr(page, "stream", None):
                # ReportLab would also encode the stream in base 85, which makes it 25 % longer.
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
        # Something drawn later may have raised the PDF version in the file header.
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
        """Write an object to the file and free its memory. Other objects refer to it only by number."""
        self.write(self.document.idToObjectNumberAndVersion[name][0], self._formatted(name))
        self.document.idToObject[name] = None

    def _formatted(self, name: str) -> bytes:
        """Return an object as bytes for the file."""
        formatted: bytes = pdfdoc.format(self.document.idToObject[name], self.document, toplevel=1)
        return formatted

    def write(self, number: int, content: bytes) -> None:
        """Write an object under its number and record its offset."""
        self.offsets[number] = self.out.tell() or self.out.write(self._head())
        self.out.write(b"%d 0 obj\n%b%bendobj\n" % (number, content, b"" if content.endswith(b"\n") else b"\n"))

    def _head(self) -> bytes:
        """Return the file header, whose length is the same for every PDF version."""
        head: bytes = pdfdoc.PDFFile(self.document._pdfVersion).strings[0]
        return head


def encoded(code: str) -> bytes:
    """Return operators as bytes. ASCII text takes a fast path that avoids ReportLab's slow codec."""
    return code.encode() if code.isascii() else bytes(pdfdoc.pdfdocEnc(code))
