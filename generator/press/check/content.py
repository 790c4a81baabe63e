"""Read the content of finished PDFs: their hash, their filled-in form fields, and excerpts of their pages."""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pikepdf

# The content hash is the same on every machine. The bytes of a PDF are not, because they depend on the installed
# versions of zlib and fontTools, which compress streams and subset fonts. The hash covers the uncompressed content:
# operators, boxes, resources, the text of each font code, fields, bookmarks and page labels. It does not cover the
# outlines of letters.

_IGNORED_KEYS = {"/Parent", "/Length", "/Filter", "/DecodeParms", "/FontDescriptor"}
"""Keys that refer to compression, to parents or to the outlines of letters."""
_DOCUMENT_KEYS = ("/PageLabels", "/AcroForm", "/Names", "/Lang", "/ViewerPreferences")
"""Keys of the document catalog that are part of the content, besides pages and bookmarks."""
_INFO_KEYS = ("/Title", "/Subject", "/Author")
"""Keys of the document information that are part of the content."""
_TAG = re.compile(rb"/[A-Z]{6}\+")
"""Matches the tag before the name of a font subset."""


def content_hash(pdf: bytes) -> str:
    """Return the SHA-256 of a PDF's content in hexadecimal."""
    with pikepdf.open(io.BytesIO(pdf)) as document:
        content = _Content(document)
        return hashlib.sha256(b"\n".join(content.parts())).hexdigest()


class EncryptedPdfError(ValueError):
    """Raised if a PDF needs a password."""


def filled_fields(pdf: bytes) -> tuple[Mapping[str, str], ...]:
    """Return the values of the form fields on each page, keyed by field name.

    A value is the text of the field, `1` for a ticked box, or an empty string.

    Raises:
        EncryptedPdfError: If the PDF has a password.
        ValueError: If the file cannot be read as a PDF.
    """
    try:
        with pikepdf.open(io.BytesIO(pdf)) as document:
            return tuple(dict(_fields(page.get("/Annots", ()))) for page in document.pages)
    except pikepdf.PasswordError as error:
        raise EncryptedPdfError(str(error)) from error
    except (pikepdf.PdfError, TypeError, ValueError) as error:
        raise ValueError(str(error)) from error


def _fields(notes: Any) -> Iterator[tuple[str, str]]:
    for note in notes:
        if not isinstance(note, pikepdf.Dictionary) or "/T" not in note:
            continue
        value = note.get("/V")
        if note.get("/FT") == pikepdf.Name.Btn:
            # A viewer that ticks a box sets the state of the field and may leave its value unchanged.
            state = note.get("/AS", value)
            yield str(note.T), "" if state in (None, pikepdf.Name.Off) else "1"
        else:
            yield str(note.T), "" if value is None or isinstance(value, pikepdf.Stream) else str(value).strip()


def page_count(pdf: bytes) -> int:
    """Return the number of pages of a PDF."""
    with pikepdf.open(io.BytesIO(pdf)) as document:
        return len(document.pages)


def excerpt(pdf: bytes, runs: Sequence[range]) -> bytes:
    """Return a PDF that has only the given runs of pages, including their bookmarks and labels.

    Pages are counted from 1. Each run must be a complete bundle of a PDF made by `print_bundles`.
    """
    out = io.BytesIO()
    document: Any
    outline: Any
    with pikepdf.open(io.BytesIO(pdf)) as document:
        old = document.Root.PageLabels.Nums
        labels = {int(old[at]) + 1: old[at + 1] for at in range(0, len(old), 2)}
        begin, nums = 0, []
        for run in runs:
            nums += [begin, labels[run.start]]
            begin += len(run)
        document.Root.PageLabels.Nums = pikepdf.Array(nums)
        numbers = {page.objgen: number for number, page in enumerate(document.pages, 1)}
        firsts = [run.start for run in runs]
        with document.open_outline() as outline:
            outline.root[:] = [one for one in outline.root if numbers[one.destination[0].objgen] in firsts]
        kept = {number for run in runs for number in run}
        for number in range(len(document.pages), 0, -1):
            if number not in kept:
                del document.pages[number - 1]
        if "/StructTreeRoot" in document.Root:
            _keep_elements(document)
        document.save(out, deterministic_id=True)
    return out.getvalue()


def _keep_elements(document: Any) -> None:
    """Remove the elements of deleted pages, whose texts would otherwise stay in the file.

    Each element directly below the root of the tree must be on deleted pages only, or on none of them.
    """
    tree = document.Root.StructTreeRoot
    pages = {page.objgen for page in document.pages}
    tree.K.K = pikepdf.Array([element for element in tree.K.K if _first_page(element) in pages])
    parents = dict(_number_tree(tree.ParentTree))
    keys = [int(page.StructParents) for page in document.pages if "/StructParents" in page]
    notes = (note for page in document.pages for note in page.get("/Annots", ()))
    keys += [int(note.StructParent) for note in notes if "/StructParent" in note]
    nums = [entry for key in sorted(keys) for entry in (key, parents[key])]
    tree.ParentTree = document.make_indirect(pikepdf.Dictionary(Nums=pikepdf.Array(nums)))


def _first_page(element: Any) -> tuple[int, int] | None:
    """Return the identity of the page on which an element begins."""
    if "/Pg" in element:
        found: tuple[int, int] = element.Pg.objgen
        return found
    kids = element.get("/K", ())
    for kid in kids if isinstance(kids, pikepdf.Array) else [kids]:
        if isinstance(kid, pikepdf.Dictionary) and (page := _first_page(kid)):
            return page
    return None


def _number_tree(node: Any) -> Iterator[tuple[int, Any]]:
    """Yield the entries of a number tree."""
    for kid in node.get("/Kids", ()):
        yield from _number_tree(kid)
    nums = list(node.get("/Nums", ()))
    yield from ((int(key), value) for key, value in zip(nums[::2], nums[1::2], strict=True))


class _Content:
    """A document that is being hashed. Objects used by several pages are read only once."""

    def __init__(self, document: Any) -> None:
        self.document = document
        self.known = {page.objgen: b"page %d" % number for number, page in enumerate(document.pages, 1)}

    def parts(self) -> Iterator[bytes]:
        """Yield the content of each page, followed by the parts that belong to the whole document."""
        for page in self.document.pages:
            yield self.table(page.obj)
        yield from self.bookmarks(self.document.Root.get("/Outlines"))
        for owner, keys in ((self.document.Root, _DOCUMENT_KEYS), (self.document.docinfo, _INFO_KEYS)):
            for key in keys:
                if key in owner:
                    yield key.encode() + self.value(owner[key])

    def bookmarks(self, entry: Any, depth: int = 0) -> Iterator[bytes]:
        """Yield the bookmarks below an entry in order.

        The links between bookmarks are omitted because they form cycles.
        """
        below = entry.get("/First") if entry is not None else None
        while below is not None:
            entries = {key: below[key] for key in ("/Title", "/Dest", "/A") if key in below}
            yield b"%d %b" % (depth, b" ".join(key.encode() + self.value(value) for key, value in entries.items()))
            yield from self.bookmarks(below, depth + 1)
            below = below.get("/Next")

    def value(self, value: Any) -> bytes:
        """Return the bytes of an object, or the hash of an indirect object."""
        if not isinstance(value, pikepdf.Object):
            return str(value).encode()
        if not value.is_indirect:
            return self.direct(value)
        if value.objgen not in self.known:
            # Stop recursion if the object contains a reference to itself.
            self.known[value.objgen] = b"within"
            self.known[value.objgen] = hashlib.sha256(self.direct(value)).digest()
        return self.known[value.objgen]

    def direct(self, value: Any) -> bytes:
        """Return the bytes of a direct object."""
        if isinstance(value, pikepdf.Stream):
            return self.table(value) + b"stream" + value.read_bytes()
        if isinstance(value, pikepdf.Dictionary):
            return self.table(value)
        if isinstance(value, pikepdf.Array):
            return b"[%b]" % b" ".join(self.value(element) for element in value)
        return _TAG.sub(b"/", bytes(value.unparse()))

    def table(self, value: Any) -> bytes:
        """Return the bytes of a dictionary, sorted by key."""
        rows = (
            key.encode() + b" " + self.value(value[key]) for key in sorted(value.keys()) if key not in _IGNORED_KEYS
        )
        return b"<<%b>>" % b" ".join(rows)
