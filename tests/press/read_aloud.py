"""Read a tagged PDF as a screen reader does, and compare its structure tree with the marks on its pages.

Neither `pdfua` nor `outloud` reads the parent tree. `python -m tests.press.read_aloud FILE` prints the text in
reading order, and the faults.
"""

from __future__ import annotations

import io
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pikepdf

_PAINTING = {"Tj", "TJ", "Do", "S", "s", "f", "F", "f*", "B", "B*", "b", "b*", "sh"}
"""Operators that draw something."""
_WORD = re.compile(r"[^\W\d_]{3,}")
"""A word, but not the unit of a scale or the name of a cell."""
_ENGLISH = re.compile(r"(?<![0-9A-Za-z-])(?![0-9A-Z]{5}-[0-9A-Z]{5})[A-Za-z]{3,}")
_JAPANESE = re.compile("[\u3041-\u30ff\u3400-\u9fff]+")
"""Words that must have a language. Names of cells and codes are read letter by letter in both languages."""


class Line(NamedTuple):
    """An element with its depth in the tree, its text, alternative text and language, and the page it begins on."""

    depth: int
    kind: str
    text: str
    alt: str
    title: str
    page: int


class Reading(NamedTuple):
    """The elements of a document in reading order, and the faults of its tags."""

    lines: list[Line]
    faults: list[str]

    @property
    def figures(self) -> list[str]:
        """The alternative texts of all figures."""
        return [line.alt for line in self.lines if line.kind == "Figure"]

    @property
    def text(self) -> str:
        """Everything that is read aloud."""
        return "\n".join(f"{line.title}{line.alt}{line.text}" for line in self.lines)

    def count(self, kind: str) -> int:
        """Return the number of elements of a kind."""
        return sum(line.kind == kind for line in self.lines)


def read_aloud(pdf: bytes) -> Reading:
    """Return the elements of a tagged PDF in reading order, and the faults of its tags."""
    with pikepdf.open(io.BytesIO(pdf)) as document:
        return _Reader(document).read()


class _MarkedPage:
    """The marked content of a page: its texts by number, and the faults of its marks."""

    def __init__(self, page: Any, number: int, code_maps: dict[Any, dict[int, str]]) -> None:
        self.texts: dict[int, str] = {}
        self.spans: dict[int, list[tuple[str, str]]] = defaultdict(list)
        """The texts of each mark with the languages of their spans, or an empty string for that of the element."""
        self.faults: list[str] = []
        self.paints = False
        self.unread = ""
        """Text that is not read aloud, and that is not part of a running header or footer."""
        fonts, codes = page.Resources.get("/Font", {}), dict[int, str]()
        open_marks: list[int | None] = []
        langs: list[str] = []
        in_furniture = False
        instruction: Any
        for instruction in pikepdf.parse_content_stream(page):
            operands, name = instruction.operands, str(instruction.operator)
            if name in ("BDC", "BMC"):
                mcid = operands[1].get("/MCID") if name == "BDC" else None
                if not open_marks:
                    in_furniture = name == "BDC" and operands[1].get("/Type") == "/Pagination"
                if open_marks and (mcid is not None or str(operands[0]) == "/Artifact"):
                    self.faults.append(f"page {number}: nested marks")
                if mcid is not None and int(mcid) in self.texts:
                    self.faults.append(f"page {number}: MCID {mcid} twice")
                if mcid is not None:
                    self.texts[int(mcid)] = ""
                span = operands[1].get("/Lang", "") if name == "BDC" else ""
                langs.append(str(span) or (langs[-1] if langs else ""))
                inherited = open_marks[-1] if open_marks and mcid is None else None
                open_marks.append(inherited if mcid is None else int(mcid))
            elif name == "EMC":
                if open_marks:
                    open_marks.pop()
                    langs.pop()
                else:
                    self.faults.append(f"page {number}: EMC without a mark")
            elif name == "Tf":
                font = fonts[str(operands[0])]
                codes = code_maps.get(font.objgen) or code_maps.setdefault(font.objgen, _code_map(font))
            elif name in _PAINTING:
                self.paints = True
                if not open_marks:
                    self.faults.append(f"page {number}: {name} outside a mark")
                elif name == "Tj":
                    text = "".join(codes.get(code, "\ufffd") for code in bytes(operands[0]))
                    if open_marks[-1] is not None:
                        self.texts[open_marks[-1]] += text
                        self.spans[open_marks[-1]].append((text, langs[-1]))
                    elif not in_furniture:
                        self.unread += f"{text} "
        if open_marks:
            self.faults.append(f"page {number}: open marks")


def _code_map(font: Any) -> dict[int, str]:
    """Return the text of each code of a font."""
    table = font.ToUnicode.read_bytes().decode("latin-1") if "/ToUnicode" in font else ""
    found: dict[int, str] = {}
    for block in re.findall(r"beginbfchar(.*?)endbfchar", table, re.DOTALL):
        for code, text in re.findall(r"<([0-9A-Fa-f]+)>\s*<([0-9A-Fa-f]+)>", block):
            found[int(code, 16)] = _utf16(text)
    for block in re.findall(r"beginbfrange(.*?)endbfrange", table, re.DOTALL):
        for low, high, first in re.findall(r"<([0-9A-Fa-f]+)>\s*<([0-9A-Fa-f]+)>\s*<([0-9A-Fa-f]+)>", block):
            for code in range(int(low, 16), int(high, 16) + 1):
                found[code] = chr(int(first, 16) + code - int(low, 16))
        for low, _, some in re.findall(r"<([0-9A-Fa-f]+)>\s*<([0-9A-Fa-f]+)>\s*\[(.*?)\]", block, re.DOTALL):
            for code, text in enumerate(re.findall(r"<([0-9A-Fa-f]+)>", some), int(low, 16)):
                found[code] = _utf16(text)
    return found


def _utf16(digits: str) -> str:
    return bytes.fromhex(digits).decode("utf-16-be", "replace")


class _Reader:
    """A document that is read, with what its elements own."""

    def __init__(self, document: Any) -> None:
        self.document = document
        self.lines: list[Line] = []
        self.faults: list[str] = []
        maps: dict[Any, dict[int, str]] = {}
        self.pages = [_MarkedPage(page, number, maps) for number, page in enumerate(document.pages, 1)]
        self.index = {page.objgen: at for at, page in enumerate(document.pages)}
        self.owners: dict[tuple[int, int], list[Any]] = defaultdict(list)
        """The elements that own each mark, given as page and MCID."""
        self.annotation_owners: dict[Any, list[Any]] = defaultdict(list)
        self.headings: set[tuple[int, int]] = set()
        """The marks of headings of the first level."""
        self.heading = 0

    def read(self) -> Reading:
        """Return the reading of the whole document."""
        root = self.document.Root
        if "/StructTreeRoot" not in root or not root.get("/MarkInfo", {}).get("/Marked"):
            return Reading([], ["the document is not tagged"])
        self.faults += [
            f"the catalog has no {key}" for key in ("/Lang", "/Metadata", "/OutputIntents") if key not in root
        ]
        if not root.get("/ViewerPreferences", {}).get("/DisplayDocTitle"):
            self.faults.append("viewers do not show the title")
        self.element(root.StructTreeRoot.K, root.StructTreeRoot, 0, None, str(root.get("/Lang", "")))
        self.compare(dict(_numbers(root.StructTreeRoot.ParentTree)))
        self.check_order()
        self.check_unread()
        return Reading(self.lines, [*(fault for page in self.pages for fault in page.faults), *self.faults])

    def element(self, node: Any, parent: Any, depth: int, page: Any, lang: str) -> None:
        """Read an element and everything inside it. `page` and `lang` are those of the element around it."""
        kind, page, lang = str(node.S)[1:], node.get("/Pg", page), str(node.get("/Lang", lang))
        if node.P.objgen != parent.objgen:
            self.faults.append(f"{kind}: another parent")
        if re.fullmatch("H[1-6]", kind):
            if int(kind[1]) > self.heading + 1:
                self.faults.append(f"H{self.heading} is followed by {kind}")
            self.heading = int(kind[1])
        alt = str(node.get("/Alt", ""))
        if kind == "Figure" and not alt.strip():
            self.faults.append("a figure without an alternative text")
        # In a Japanese description, English words are names and commands.
        self.check_language(alt, "ja" if _JAPANESE.search(alt) else "en", lang)
        kids = node.get("/K", ())
        kids = list(kids) if isinstance(kids, pikepdf.Array) else [kids] if kids != () else []
        begin = len(self.lines)
        self.lines.append(Line(0, "", "", "", "", 0))
        text, first = "", self.index.get(page.objgen, -1) if page is not None else -1
        for kid in kids:
            if isinstance(kid, pikepdf.Dictionary) and "/S" in kid:
                text += self.mark_of_link(kid, page)
                self.element(kid, node, depth + 1, page, lang)
            elif isinstance(kid, pikepdf.Dictionary) and kid.get("/Type") == "/OBJR":
                self.annotation_owners[kid.Obj.objgen].append(node.objgen)
                if kind not in ("Link", "Form"):
                    self.faults.append(f"{kind}: an annotation that is not in a link or a field")
            else:
                where = page if isinstance(kid, int) else kid.get("/Pg", page)
                mcid = kid if isinstance(kid, int) else int(kid.MCID)
                at = self.index.get(where.objgen, -1)
                self.owners[at, mcid].append(node.objgen)
                if kind == "H1":
                    self.headings.add((at, mcid))
                if at < 0 or mcid not in self.pages[at].texts:
                    self.faults.append(f"{kind}: there is no mark {mcid}")
                else:
                    text += self.pages[at].texts[mcid]
                    for piece, of_span in self.pages[at].spans[mcid] if kind != "Figure" else ():
                        self.check_language(piece, "en", of_span or lang)
                        self.check_language(piece, "ja", of_span or lang)
        self.lines[begin] = Line(depth, kind, text, alt, str(node.get("/T", "")), first)

    def check_language(self, text: str, expected: str, lang: str) -> None:
        """Report words of the expected language in a text whose language is declared as `lang`."""
        found = (_ENGLISH if expected == "en" else _JAPANESE).search(text) if text else None
        if found and expected != lang:
            self.faults.append(f"“{found[0]}” is not {lang}")

    def mark_of_link(self, kid: Any, page: Any) -> str:
        """Return the text of a link, which is also part of the paragraph around it."""
        if str(kid.S) not in ("/Link", "/Span"):
            return ""
        at = self.index.get(kid.get("/Pg", page).objgen, -1)
        kids = kid.K if isinstance(kid.K, pikepdf.Array) else [kid.K]
        return "".join(self.pages[at].texts.get(int(one), "") for one in kids if isinstance(one, int))

    def compare(self, parents: dict[int, Any]) -> None:
        """Report marks and annotations whose owner is not the element that the parent tree names."""
        for at, page in enumerate(self.document.pages):
            marks = self.pages[at].texts
            row = list(parents.get(int(page.get("/StructParents", -1)), []))
            for mcid in range(max(len(row), max(marks, default=-1) + 1)):
                owners = self.owners.get((at, mcid), [])
                if [one.objgen for one in row[mcid : mcid + 1]] != owners or mcid not in marks:
                    self.faults.append(f"page {at + 1}, MCID {mcid}: wrong owner")
            if page.get("/Tabs") != "/S":
                self.faults.append(f"page {at + 1}: no tab order")
            for note in page.get("/Annots", []):
                owner = parents.get(int(note.get("/StructParent", -1)))
                if owner is None or self.annotation_owners.get(note.objgen, []) != [owner.objgen]:
                    self.faults.append(f"page {at + 1}: an annotation with the wrong owner")
                if not str(note.get("/TU", note.get("/Contents", ""))).strip():
                    self.faults.append(f"page {at + 1}: an annotation without a description")

    def check_order(self) -> None:
        """Report pages on which content is drawn in another order than it is read.

        Programs that ignore the tree, for example to reflow a page, read in the order of drawing. Only a heading may
        be drawn later, because pages of several tables of a tournament begin with content that they share.
        """
        reading: dict[int, list[int]] = defaultdict(list)
        for at, mcid in self.owners:
            reading[at].append(mcid)
        for at, page in enumerate(self.pages):
            drawn = list(page.texts)
            headings = {mcid for mcid in drawn if (at, mcid) in self.headings}
            if drawn != sorted(drawn) or _without(headings, drawn) != _without(headings, reading[at]):
                self.faults.append(f"page {at + 1}: read in another order than drawn")

    def check_unread(self) -> None:
        """Report words that are not read aloud anywhere, except those of running headers and footers."""
        read = "\n".join(f"{line.title}{line.alt}{line.text}" for line in self.lines)
        for number, page in enumerate(self.pages, 1):
            lost = [word for word in _WORD.findall(page.unread) if word not in read]
            if lost:
                self.faults.append(f"page {number}: never read: {' '.join(lost)}")


def _without(left_out: set[int], numbers: list[int]) -> list[int]:
    return [number for number in numbers if number not in left_out]


def _numbers(node: Any) -> Iterator[tuple[int, Any]]:
    """Yield the entries of a number tree."""
    for kid in node.get("/Kids", ()):
        yield from _numbers(kid)
    nums = list(node.get("/Nums", ()))
    yield from ((int(key), value) for key, value in zip(nums[::2], nums[1::2], strict=True))


def _report(path: str) -> bool:
    """Write the reading of a file to the standard output, and return whether it has faults."""
    reading = read_aloud(Path(path).read_bytes())
    for line in reading.lines:
        text = f"[{line.alt}]" if line.alt else line.text
        sys.stdout.write(f"{'  ' * line.depth}{line.kind}: {line.title}{text}\n")
    for fault, times in Counter(reading.faults).items():
        sys.stdout.write(f"FAULT {fault} ({times})\n")
    return bool(reading.faults)


if __name__ == "__main__":
    sys.exit(any([_report(path) for path in sys.argv[1:]]))  # noqa: C419 - all files are reported
