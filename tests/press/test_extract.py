"""Tests that the text of a PDF is exactly the text drawn on its pages, for every page of every kit."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

import pypdfium2
import pytest

from generator import games
from generator.model.picture import Item, Picture, Still, Text, Use
from generator.model.words import LANGS, Lang
from generator.press.book import print_kit
from generator.press.layout.markup import INLINE, Node
from generator.press.layout.print_settings import PrintSettings
from generator.press.pdf import embedding, fonts, streams
from generator.press.pdf.counting import PageCounter, Write
from generator.press.pdf.typography import typeset
from generator.press.sandbox.templates import read_sheet
from tests.press.kits import TEMPLATES, kit, kit_of, prints_of, record


class Given:
    """A recorder of all texts drawn with the fonts, by page, and of all texts in the templates."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.drawn: dict[int, list[str]] = defaultdict(list)
        self.written: list[str] = []
        self.founding = self.page = 0
        split, show, spell, still, use, found, line, read = (
            embedding.EmbeddedFont.splitString,
            fonts.text_operators,
            streams.Stream._spelled,
            streams.Stream.still,
            streams.Stream._use,
            streams.Stream._write_form,
            PageCounter.write_line,
            read_sheet,
        )

        def splitting(fount: Any, text: str, document: Any, encoding: str = "utf-8") -> object:
            if not self.founding:
                self.drawn[self.page or document.pageCounter].append(text)
            return split(fount, text, document, encoding)

        def showing(page: Any, text: str, *rest: Any) -> str:
            # A repeated line is laid out once, but counts each time it is shown.
            if not self.founding:
                self.drawn[self.page or page.document.pageCounter].append(text)
            self.founding += 1
            result = show(page, text, *rest)
            self.founding -= 1
            return result

        def spelling(stream: Any, text: str, bold: bool) -> object:
            if not self.founding:
                self.drawn[self.page or stream.file.document.pageCounter].append(text)
            self.founding += 1
            spelt = spell(stream, text, bold)
            self.founding -= 1
            return spelt

        def resting(stream: Any, part: Still, of: Picture) -> None:
            # A repeated part is written once, but counts each time it is shown.
            self.drawn[stream.file.document.pageCounter] += texts(part.part)
            self.founding += 1
            still(stream, part, of)
            self.founding -= 1

        def using(stream: Any, symbol: Any, *rest: Any) -> None:
            if not self.founding:
                self.drawn[stream.file.document.pageCounter] += texts(symbol.items)
            use(stream, symbol, *rest)

        def founding(stream: Any, *rest: Any) -> None:
            self.founding += 1
            found(stream, *rest)
            self.founding -= 1

        def waiting(counting: PageCounter, write: Write) -> None:
            number = counting.canvas.page_number

            def writing(total: int) -> None:
                self.page = number
                write(total)
                self.page = 0

            # The placeholder for the total number of pages is not printed.
            self.founding += 1
            line(counting, writing)
            self.founding -= 1

        def reading(*arguments: Any) -> Node:
            root = read(*arguments)
            self.written += leaves(root)
            return root

        monkeypatch.setattr(embedding.EmbeddedFont, "splitString", splitting)
        monkeypatch.setattr(fonts, "text_operators", showing)
        monkeypatch.setattr(streams.Stream, "_spelled", spelling)
        monkeypatch.setattr(streams.Stream, "still", resting)
        monkeypatch.setattr(streams.Stream, "_use", using)
        monkeypatch.setattr(streams.Stream, "_write_form", founding)
        monkeypatch.setattr(PageCounter, "write_line", waiting)
        monkeypatch.setattr("generator.press.sheets.read_sheet", reading)

    def compare(self, pdf: bytes) -> None:
        document = pypdfium2.PdfDocument(pdf)
        try:
            pages = [kept_text(page.get_textpage().get_text_range()) for page in document]
        finally:
            document.close()
        for number, page in enumerate(pages, 1):
            assert Counter(page) == Counter(kept_text("".join(self.drawn[number]))), f"page {number}"
        whole = "".join(pages)
        assert [text for text in dict.fromkeys(self.written) if kept_text(text) not in whole] == []


def texts(items: tuple[Item, ...]) -> Iterator[str]:
    """Yield the texts of a symbol. A symbol is written once but counts each time it is used."""
    for item in items:
        if isinstance(item, Text):
            yield typeset(item.text)
        elif isinstance(item, Use):
            yield from texts(item.symbol.items)


def leaves(node: Node) -> Iterator[str]:
    """Yield the text of every element without block children, and every label."""
    if label := node.attributes.get("label"):
        yield typeset(label)
    inner = [child for child in node.nodes() if child.tag not in INLINE]
    if not inner:
        # Labels are printed in capitals.
        yield flat(node).upper() if node.tag == "label" else flat(node)
    for child in inner:
        yield from leaves(child)


def flat(node: Node) -> str:
    kept = str if node.tag == "code" else typeset
    return "".join(kept(child) if isinstance(child, str) else flat(child) for child in node.children)


def kept_text(text: str) -> str:
    """Remove white space and hyphens, for which PDFium gives characters of its own at the end of a line."""
    return re.sub("[\\s\u00ad\2\ufffe-]", "", unicodedata.normalize("NFC", text))


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("name", games.names())
def test_a_kit_says_what_it_was_given(name: str, lang: Lang, monkeypatch: pytest.MonkeyPatch) -> None:
    for made in (kit_of(name).only(kit_of(name).parts), *prints_of(name)):
        given = Given(monkeypatch)
        given.compare(print_kit(made, PrintSettings(lang), packed=False))
        assert given.drawn
        monkeypatch.undo()


@pytest.mark.parametrize("lang", LANGS)
def test_so_does_a_sheet_with_everything_on_it(lang: Lang, monkeypatch: pytest.MonkeyPatch) -> None:
    given = Given(monkeypatch)
    pdf = print_kit(kit(record(), record(3)), PrintSettings(lang, templates=TEMPLATES, fillable=True))
    given.compare(pdf)
    assert len(given.written) > 50
