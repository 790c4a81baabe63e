"""Write PDF files object by object, keeping only the places of written objects in memory."""

from __future__ import annotations

import struct
import zlib
from array import array
from collections.abc import Sequence
from itertools import count
from typing import Any

from reportlab.pdfbase import pdfdoc

from generator.store.manifest import seal_at_end
from generator.store.write import Draft

LEVEL = 4
"""zlib compression level. The default level 6 makes files 5 % smaller but takes more than twice as long."""
_PACK_LEVEL = 6
"""zlib compression level of object streams, which are small."""
_OBJECTS_PER_STREAM = 200
"""Number of objects in an object stream. A place in such a stream must fit in 8 bits."""
_VERSION = 1, 7
"""The PDF version. Object streams need 1.5, and tagged PDF (ISO 14289-1) is based on 1.7."""
_ROW = 7
"""Size in bytes of a row of the cross-reference stream, which has fields of 1, 4 and 2 bytes."""


class File:
    """A ReportLab document that is written to a file while pages are drawn, with caches of drawn texts.

    With `object_streams`, objects that are not streams are written in compressed groups.
    """

    def __init__(self, document: Any, packed: bool, object_streams: bool = False) -> None:
        self.document, self.packed, self.object_streams = document, packed, object_streams
        document._pdfVersion = _VERSION
        self.out = Draft()
        self.places = array("q", [0])
        """Place of each written object, by object number, and 0 for other objects. A place is the offset in the file,
        or `-(stream << 8 | index)` for an object in an object stream."""
        self.unwritten: list[bytes] = []
        """Objects for the next object stream."""
        self.unwritten_numbers: list[int] = []
        self.object_stream = 0
        """Number of the next object stream, or 0 if it is not reserved yet."""
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

    def write_page(self, shared: int = 0, streams: Sequence[int] = ()) -> None:
        """Write the last page to the file and free its memory.

        `shared` is the number of a stream that other pages show too, and that comes first. Such a page is not written
        in an object stream, so that the checks find the numbers of its streams. `streams` are the numbers of the
        page's own streams if they have already been written.
        """
        pages = self.document.Pages.pages
        page = pages[-1]
        numbers = ([shared] if shared else []) + list(streams or (self.stream(page.stream),))
        references = [b"%d 0 R" % number for number in numbers]
        page.Contents = references[0] if len(references) == 1 else b"[ %b ]" % b" ".join(references)
        page.stream = None
        name: str = page.__InternalName__
        pages[-1] = pdfdoc.PDFObjectReference(name)
        self._write_and_forget(name, packed=not shared)

    def object_number(self, thing: Any) -> int:
        """Return the number of an object that the document has registered."""
        number: int = self.document.idToObjectNumberAndVersion[thing.__InternalName__][0]
        return number

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
        """Write the remaining objects and the cross-reference stream, and return the file."""
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
            if not self._is_written(number):
                self.write(number, self._formatted(document.numberToId[number]))
        self._write_object_stream()
        self._write_cross_references()
        seal_at_end(self.out)
        return self.out

    def _is_written(self, number: int) -> bool:
        """Return whether an object is written, or is waiting for its object stream."""
        return number == self.object_stream or (number < len(self.places) and self.places[number] != 0)

    def _write_and_forget(self, name: str, packed: bool = True) -> None:
        """Write an object to the file and free its memory. Other objects refer to it only by number."""
        self.write(self.document.idToObjectNumberAndVersion[name][0], self._formatted(name), packed)
        self.document.idToObject[name] = None

    def _formatted(self, name: str) -> bytes:
        """Return an object as bytes for the file."""
        formatted: bytes = pdfdoc.format(self.document.idToObject[name], self.document, toplevel=1)
        return formatted

    def write(self, number: int, content: bytes, packed: bool = True) -> None:
        """Write an object under its number.

        Objects that are not streams are collected in object streams if the file has them and `packed` is true. A
        structure tree makes a kit 70 % larger without object streams, and hardly larger with them.
        """
        if not (packed and self.object_streams) or content.rstrip().endswith(b"endstream"):
            self._set_place(number, self.out.tell() or self.out.write(self._head()))
            end = b"" if content.endswith(b"\n") else b"\n"
            self.out.write(b"%d 0 obj\n%b%bendobj\n" % (number, content, end))
            return
        self.object_stream = self.object_stream or self.reserve_number()
        self._set_place(number, -(self.object_stream << 8 | len(self.unwritten)))
        self.unwritten.append(content)
        self.unwritten_numbers.append(number)
        if len(self.unwritten) == _OBJECTS_PER_STREAM:
            self._write_object_stream()

    def _set_place(self, number: int, place: int) -> None:
        if number >= len(self.places):
            self.places.extend([0] * (number + 1 - len(self.places)))
        self.places[number] = place

    def _write_object_stream(self) -> None:
        """Write the collected objects as an object stream."""
        if not self.unwritten:
            return
        offset, heads = 0, list[str]()
        for number, content in zip(self.unwritten_numbers, self.unwritten, strict=True):
            heads.append(f"{number} {offset}")
            offset += len(content) + 1
        head = " ".join(heads).encode() + b"\n"
        self._write_stream(
            self.object_stream,
            b"/Type /ObjStm /N %d /First %d" % (len(heads), len(head)),
            head + b"\n".join(self.unwritten),
        )
        self.unwritten.clear()
        self.unwritten_numbers.clear()
        self.object_stream = 0

    def _write_cross_references(self) -> None:
        """Write the cross-reference stream, which contains the trailer, and the end of the file."""
        document, number, at = self.document, self.reserve_number(), self.out.tell()
        self._set_place(number, at)
        rows = bytearray(struct.pack(">BIH", 0, 0, 65535))
        for place in self.places[1:]:
            row = (1, place, 0) if place > 0 else (2, -place >> 8, -place & 255)
            rows += struct.pack(">BIH", *row)
        head = b"/Type /XRef /Size %d /W [1 4 2] /Root %b /Info %b /ID %b" % (
            number + 1,
            pdfdoc.format(document.Reference(document.Catalog), document),
            pdfdoc.format(document.Reference(document.info), document),
            document.ID().partition(b"%")[0].strip(),
        )
        if self.packed:
            # Each row is written as its difference from the row before, which halves the size of the stream.
            head += b" /DecodeParms << /Predictor 12 /Columns %d >>" % _ROW
            rows = _differences(rows)
        self._write_stream(number, head, bytes(rows))
        self.out.write(b"startxref\n%d\n%%%%EOF\n" % at)

    def _write_stream(self, number: int, head: bytes, body: bytes) -> None:
        """Write a stream with these entries in its dictionary."""
        if self.packed:
            body, head = zlib.compress(body, _PACK_LEVEL), head + b" /Filter /FlateDecode"
        self.write(number, b"<< %b /Length %d >>\nstream\n%b\nendstream" % (head, len(body), body))

    def _head(self) -> bytes:
        """Return the file header."""
        head: bytes = pdfdoc.PDFFile(self.document._pdfVersion).strings[0]
        return head


def _differences(rows: bytearray) -> bytearray:
    """Return the rows of a cross-reference stream as differences from the row before (PNG predictor "up")."""
    found, before = bytearray(), bytes(_ROW)
    for start in range(0, len(rows), _ROW):
        row = rows[start : start + _ROW]
        found.append(2)
        found += bytes([(a - b) & 255 for a, b in zip(row, before, strict=True)])
        before = bytes(row)
    return found


def text_string(text: str) -> bytes:
    """Return a text as a PDF text string."""
    content = text.encode() if text.isascii() else b"\xfe\xff" + text.encode("utf-16-be")
    for special in (b"\\", b"(", b")"):
        content = content.replace(special, b"\\" + special)
    return b"(%b)" % content.replace(b"\r", b"\\r")


def encoded(code: str) -> bytes:
    """Return operators as bytes. ASCII text takes a fast path that avoids ReportLab's slow codec."""
    return code.encode() if code.isascii() else bytes(pdfdoc.pdfdocEnc(code))
