"""The structure tree of a tagged PDF, which programs that read pages aloud follow."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from generator.model.words import Lang
from generator.press.pdf.file import File, text_string
from generator.press.pdf.languages import language_of, split_languages
from generator.press.pdf.units import rectangle

# Marked content on a page has a number (MCID), and the parent tree gives the element that owns it. An element is
# written to the file when it is closed and its last page is complete. Afterwards only its number is kept, so that a
# print of a thousand pages needs little memory.

_LEAF = 256
"""Number of entries in a leaf of the parent tree."""
_MAX_HEADING = 6
"""The highest level of headings in PDF 1.7."""
ARTIFACT, END = "/Artifact BMC", "EMC"
"""Operators that begin content that is not read aloud, and that end any marked content."""


class _Mark(NamedTuple):
    """Marked content on a page, which is counted from 0."""

    page: int
    mcid: int


class _Annotation(NamedTuple):
    """An annotation on a page, by the number of its object."""

    page: int
    number: int


class Element:
    """An open element of the tree. `entries` are further entries of its dictionary."""

    __slots__ = ("entries", "kids", "kind", "number", "parent")

    def __init__(self, kind: str, number: int, parent: int, entries: bytes) -> None:
        self.kind, self.number, self.parent, self.entries = kind, number, parent, entries
        self.kids: list[int | _Mark | _Annotation | Element] = []
        """Numbers of elements, marks and annotations. In a recorded tree, elements themselves."""


class Level:
    """An element that several flowables share, such as a list, or a paragraph that continues on the next page."""

    __slots__ = ("element", "entries", "kind")

    def __init__(self, kind: str, entries: bytes = b"") -> None:
        self.kind, self.entries = kind, entries
        self.element: Element | None = None


class Place(NamedTuple):
    """The place of a flowable in the tree: its element and the shared elements around it.

    The innermost `ends` elements have no content after the flowable.
    """

    levels: tuple[Level, ...]
    ends: int

    @property
    def before_split(self) -> Place:
        """The place of the first part of a flowable that continues on the next page."""
        return Place(self.levels, 0)


class Tags:
    """The structure tree of a document, which is built while pages are drawn.

    If `active` is false, all methods do nothing, and the operators they return are empty.
    """

    def __init__(self, file: File, lang: Lang, active: bool = True) -> None:
        self.file, self.lang = file, lang
        self.muted = int(not active)
        """Depth of artifacts and figures around the current content. Inside them nothing is marked."""
        self.active = active
        self.open: list[Element] = []
        """The elements around the current content, the outermost first."""
        self.page = 0
        """Index of the current page."""
        self.pages = array("q")
        """Object numbers of the finished pages."""
        self.parents = array("q")
        """Object number for each key of the parent tree: the elements of a page, or the element of an annotation."""
        self.page_key = -1
        """Key of the current page in the parent tree, or -1 if nothing is marked yet."""
        self.owners: list[int] = []
        """Number of the element that owns each marked content of the current page."""
        self.unfinished: dict[int, tuple[int, list[int]]] = {}
        """Keys and owners of other pages on which something is drawn, if pages are not drawn in order."""
        self.recording = False
        """Whether content is recorded that several pages show, each with elements of its own."""
        self._continued: list[Level] = []
        """Levels that have an element of the content that is being recorded."""
        self.closed: list[Element] = []
        """Closed elements that wait for the end of their pages."""
        self.heading = 0
        """Level of the last heading."""
        if active:
            self.root = file.reserve_number()
            document = Element("Document", file.reserve_number(), self.root, _lang_entry(lang))
            self.open = [document]

    def enter(self, kind: str, entries: bytes = b"") -> None:
        """Open an element inside the current one. A heading that would skip a level gets the next level."""
        if self.muted:
            return
        if kind[0] == "H" and kind[1:].isdecimal():
            self.heading = min(int(kind[1:]), self.heading + 1, _MAX_HEADING)
            kind = f"H{self.heading}"
        self._open(kind, entries)

    def leave(self) -> None:
        """Close the current element."""
        if not self.muted:
            element = self.open.pop()
            if not self.recording:
                self.closed.append(element)

    def enter_place(self, place: Place, put_label: Callable[[], None] | None = None) -> None:
        """Open the elements of a place, or continue those that are open already.

        `put_label` draws the label of a list item, which comes before the innermost element.
        """
        if self.muted:
            if put_label:
                put_label()
            return
        for level in place.levels:
            if put_label and level is place.levels[-1]:
                self.enter("Lbl")
                put_label()
                self.leave()
            if level.element is None:
                self.enter(level.kind, level.entries)
                level.element = self.open[-1]
                if self.recording:
                    self._continued.append(level)
            else:
                self.open.append(level.element)

    def leave_place(self, place: Place) -> None:
        """Leave the elements of a place, and close those that have no further content."""
        if self.muted:
            return
        for depth, level in enumerate(reversed(place.levels)):
            element = self.open.pop()
            if depth < place.ends:
                level.element = None
                if not self.recording:
                    self.closed.append(element)

    def mark(self) -> str:
        """Return the operator that begins content of the current element."""
        if self.muted:
            return ""
        element, mcid = self.open[-1], len(self.owners)
        if self.page_key < 0 and not self.recording:
            self.page_key = self._key()
        self.owners.append(element.number)
        element.kids.append(_Mark(self.page, mcid))
        return f"/{element.kind} <</MCID {mcid}>> BDC"

    def split_languages(self, text: str, lang: Lang) -> Sequence[tuple[str, str]]:
        """Split a text in the language `lang` at words of the other language.

        Return each part with the operator that begins text in the other language, or with an empty string.
        """
        if self.muted:
            return ((text, ""),)
        return tuple(
            (part, "" if found == lang else f"/Span <</Lang ({found})>> BDC")
            for part, found in split_languages(text, lang)
        )

    def reserve(self, kind: str) -> str:
        """Add an element with content that is drawn later on the page, and return the operator that begins it."""
        self.enter(kind)
        begin = self.mark()
        self.leave()
        return begin

    def end(self) -> str:
        """Return the operator that ends content of the current element."""
        return "" if self.muted else END

    def begin_artifact(self, kind: str = "") -> str:
        """Return the operator that begins content which is not read aloud.

        `kind` is `Header` or `Footer` for lines that pages repeat. Artifacts inside artifacts have no operators.
        """
        self.muted += 1
        if self.muted > 1:
            return ""
        return f"/Artifact <</Type /Pagination /Subtype /{kind}>> BDC" if kind else ARTIFACT

    def end_artifact(self) -> str:
        """Return the operator that ends content which is not read aloud."""
        self.muted -= 1
        return "" if self.muted else END

    @contextmanager
    def element(self, kind: str, title: str = "", lang: Lang | None = None) -> Iterator[None]:
        """Open an element around everything drawn in the `with` block."""
        self.enter(kind, title_entry(title) + (_lang_entry(lang) if lang and lang != self.lang else b""))
        yield
        self.leave()

    def begin_figure(self, alt: str, box: tuple[float, float, float, float], lang: Lang | None = None) -> str:
        """Open a figure and return the operator that begins it. `box` is its place on the page in points."""
        if self.muted:
            return ""
        entries = b" /Alt %b /A << /O /Layout /BBox %b >>" % (text_string(alt), rectangle(*box))
        lang = language_of(alt, lang or self.lang)
        self._open("Figure", entries + (_lang_entry(lang) if lang != self.lang else b""))
        mark = self.mark()
        self.muted += 1
        return mark

    def end_figure(self) -> str:
        """Close a figure and return the operator that ends it."""
        self.muted -= 1
        self.leave()
        return self.end()

    def annotation(self, number: int) -> int:
        """Add an annotation, given by the number of its object, to the current element, and return its key.

        The key is -1 if the document is not tagged.
        """
        if not self.active:
            return -1
        element = self.open[-1]
        if self.recording:
            element.kids.append(_Annotation(0, number))
            return -1
        element.kids.append(_Annotation(self.page, number))
        key = self._key()
        self.parents[key] = element.number
        return key

    def record(self, draw: Callable[[], None]) -> Element:
        """Return the tree of the content that `draw` draws, which `repeat` adds to each page that shows the content.

        The marks of the content are numbered from 0. Links are noted by their index instead of an annotation.
        """
        before = self.open, self.owners, self.heading
        root = Element("", 0, 0, b"")
        self.open, self.owners, self.heading, self.recording = [root], [], 1, True
        draw()
        for level in self._continued:
            level.element = None
        self._continued.clear()
        self.open, self.owners, self.heading = before
        self.recording = False
        return root

    def repeat(self, recorded: Element, link: Callable[[int], Callable[[], None] | None]) -> None:
        """Add a recorded tree to the current element, on a page on which nothing is marked yet.

        `link` returns the function that adds the link with this index to the page, or None if the link is left out.
        """
        if self.active:
            self.page_key = self._key()
            self._repeat(recorded.kids, link)

    def _repeat(
        self, kids: list[int | _Mark | _Annotation | Element], link: Callable[[int], Callable[[], None] | None]
    ) -> None:
        for kid in kids:
            if isinstance(kid, Element):
                note = next((one for one in kid.kids if isinstance(one, _Annotation)), None)
                put_link = link(note.number) if note else None
                self._open("Span" if note and not put_link else kid.kind, kid.entries)
                self._repeat([one for one in kid.kids if not isinstance(one, _Annotation)], link)
                if put_link:
                    put_link()
                self.leave()
            elif isinstance(kid, _Mark):
                element = self.open[-1]
                element.kids.append(_Mark(self.page, kid.mcid))
                self.owners.extend([0] * (kid.mcid + 1 - len(self.owners)))
                self.owners[kid.mcid] = element.number

    def move_to_front(self) -> None:
        """Move the last element inside the current one before the others."""
        if not self.muted:
            kids = self.open[-1].kids
            kids.insert(0, kids.pop())

    def turn_to(self, page: int) -> None:
        """Continue on the unfinished page with this index."""
        if self.active and page != self.page:
            self.unfinished[self.page] = self.page_key, self.owners
            self._begin_page(page)

    def _begin_page(self, page: int) -> None:
        self.page = page
        self.page_key, self.owners = self.unfinished.pop(page, (-1, []))

    def end_page(self, number: int) -> int:
        """End the page with this object number, and return its key in the parent tree, or -1 without content."""
        key = self.page_key
        if not self.active:
            return key
        self.pages.append(number)
        if key >= 0:
            self.parents[key] = row = self.file.reserve_number()
            self.file.write(row, b"[ %b ]" % b" ".join([b"%d 0 R" % owner for owner in self.owners]))
        if not self.unfinished:
            for element in self.closed:
                self._write(element)
            self.closed.clear()
        self._begin_page(self.page + 1)
        return key

    def finish(self) -> int:
        """Write the rest of the tree, and return the number of its root."""
        file = self.file
        for element in (*self.closed, *reversed(self.open)):
            self._write(element)
        leaves = []
        for low in range(0, len(self.parents), _LEAF):
            part = self.parents[low : low + _LEAF]
            rows = b" ".join([b"%d %d 0 R" % (low + at, number) for at, number in enumerate(part)])
            leaves.append(file.reserve_number())
            file.write(leaves[-1], b"<< /Limits [ %d %d ] /Nums [ %b ] >>" % (low, low + len(part) - 1, rows))
        tree = file.reserve_number()
        file.write(tree, b"<< /Kids [ %b ] >>" % b" ".join([b"%d 0 R" % leaf for leaf in leaves]))
        document = self.open[0].number
        entries = document, tree, len(self.parents)
        file.write(
            self.root, b"<< /Type /StructTreeRoot /K %d 0 R /ParentTree %d 0 R /ParentTreeNextKey %d >>" % entries
        )
        return self.root

    def _open(self, kind: str, entries: bytes) -> None:
        parent, number = self.open[-1], 0 if self.recording else self.file.reserve_number()
        element = Element(kind, number, parent.number, entries)
        parent.kids.append(number or element)
        self.open.append(element)

    def _key(self) -> int:
        """Return a new key of the parent tree."""
        self.parents.append(0)
        return len(self.parents) - 1

    def _write(self, element: Element) -> None:
        page = next((kid.page for kid in element.kids if isinstance(kid, _Mark | _Annotation)), -1)
        kids = [self._kid(kid, page) for kid in element.kids if not isinstance(kid, Element)]
        where = b" /Pg %d 0 R" % self.pages[page] if page >= 0 else b""
        inside = b" ".join(kids) if len(kids) == 1 else b"[ %b ]" % b" ".join(kids)
        content = b"<< /S /%b /P %d 0 R%b%b /K %b >>" % (
            element.kind.encode(),
            element.parent,
            where,
            element.entries,
            inside,
        )
        self.file.write(element.number, content if kids else content.replace(b" /K [  ]", b""))

    def _kid(self, kid: int | _Mark | _Annotation, page: int) -> bytes:
        if isinstance(kid, int):
            return b"%d 0 R" % kid
        where = b" /Pg %d 0 R" % self.pages[kid.page] if kid.page != page else b""
        if isinstance(kid, _Annotation):
            return b"<< /Type /OBJR%b /Obj %d 0 R >>" % (where, kid.number)
        return b"<< /Type /MCR%b /MCID %d >>" % (where, kid.mcid) if where else b"%d" % kid.mcid


def title_entry(title: str) -> bytes:
    """Return the entry of an element's dictionary for its title, if it has a title."""
    return b" /T %b" % text_string(title) if title else b""


def _lang_entry(lang: Lang) -> bytes:
    return b" /Lang (%b)" % lang.encode()
