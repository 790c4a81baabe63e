"""Tests that paragraphs and tables look like those of ReportLab, whose layout they replace."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from typing import Any

import numpy as np
import pypdfium2
import pytest
from reportlab.lib.colors import HexColor
from reportlab.lib.fonts import addMapping

from generator.press.layout.english import EnglishParagraph, split_words
from generator.press.layout.flowables import Flowable
from generator.press.layout.lines import letters_text
from generator.press.layout.markup import Node, parse
from generator.press.layout.styles import BLACK, DARK, HEAVY, LIGHT, RULE, TINT, Align, Style, style
from generator.press.layout.tables import Grid
from generator.press.layout_context import LayoutContext
from generator.press.pdf import fonts
from generator.press.pdf.canvas import Canvas
from generator.press.pdf.fonts import BOLD, REGULAR
from generator.press.reader import build_blocks
from generator.press.table_reader import build_table

PLAIN = (
    "Play one command card of your hand: a section card orders so many units of its section, a tactic card says "
    "what it does; then draw one. Saint Ivo’s Weir · 6 banners · a hand of five · an unforgettable afternoon."
)
MARKED = (
    "<b>Order.</b> Name <c colour='#6b665a'>every</c> unit you <b>order</b>, within the card’s limits;<br/>a unit on "
    "a <c colour='#6b665a'>hill <b>or</b> higher</c>(house) may be <b>ordered </b>once.<br/><br/>No other is."
)
# Muster adds a hyphen if it breaks a word without digits.
LONG = "A name that is <b>longerthananyline0fitscolumnmightbe</b> as " + "w0" * 30 + " is, is parted."
WIDTHS = [71.5, 96.0, 133.3, 180.0, 251.7]


@pytest.fixture(autouse=True)
def family() -> None:
    fonts.ensure_registered("en")
    for bold, italic in product((0, 1), repeat=2):
        addMapping(REGULAR, bold, italic, BOLD if bold else REGULAR)


def reportlab_paragraph(text: str, kind: Style, bullet: str | None = None) -> Any:
    """Return ReportLab's paragraph for a text."""
    from reportlab.lib.styles import ParagraphStyle
    from reportlab.platypus.paragraph import Paragraph

    style_of_theirs = ParagraphStyle(
        "theirs",
        fontName=REGULAR,
        bulletFontName=REGULAR,
        fontSize=kind.size,
        bulletFontSize=kind.size,
        leading=kind.leading,
        alignment={"left": 0, "centre": 1, "right": 2}[kind.align],
        textColor=HexColor(kind.colour),
        leftIndent=kind.indent,
    )
    marked = text.replace("<c colour=", "<font color=").replace("</c>", "</font>").replace(" · ", "\u00a0· ")
    return Paragraph(marked, style_of_theirs, bulletText=bullet)


def page_pixels(draw: Callable[[Canvas], None]) -> bytes:
    """Return the pixels of a page with a drawing."""
    canvas = Canvas((320, 420), "en")
    vars(canvas._canvas)["ours"] = canvas
    draw(canvas)
    page = pypdfium2.PdfDocument(bytes(canvas.finish()))[0]
    return bytes(page.render(scale=2, grayscale=True).buffer)


def by_reportlab(flowable: Any) -> Callable[[Canvas], None]:
    """Return a function that draws a ReportLab flowable on the inner ReportLab canvas."""
    return lambda canvas: flowable.drawOn(canvas._canvas, 20, 20)


def node_of(text: str) -> Node:
    return parse(f"<sheet>{text}</sheet>", "t.xml")


@pytest.mark.parametrize("text", [PLAIN, MARKED, LONG], ids=["plain", "marked", "long"])
@pytest.mark.parametrize("align", ["left", "centre", "right"])
@pytest.mark.parametrize("width", WIDTHS)
def test_a_paragraph(text: str, align: Align, width: float) -> None:
    kind = style("para", "en", align=align)
    ours = EnglishParagraph(split_words(node_of(f"<para>{text}</para>").nodes()[0].children, kind), kind)
    other = reportlab_paragraph(text, kind)
    assert ours.wrap(width, 400) == pytest.approx(other.wrap(width, 400))
    assert len(ours.lines) > 2
    assert page_pixels(partial(ours.draw_on, x=20, y=20)) == page_pixels(by_reportlab(other))


@pytest.mark.parametrize("sign", ["•", "1.", "12."])
def test_an_item_of_a_list(sign: str) -> None:
    kind = style("para", "en", indent=fonts.width(sign, 9) + 4.5)
    ours, other = EnglishParagraph(split_words([PLAIN], kind), kind, sign), reportlab_paragraph(PLAIN, kind, sign)
    assert ours.wrap(150, 400) == pytest.approx(other.wrap(150, 400))
    assert page_pixels(partial(ours.draw_on, x=20, y=20)) == page_pixels(by_reportlab(other))


@pytest.mark.parametrize("room", [9.0, 18.0, 40.0, 60.0, 400.0])
def test_a_paragraph_parts_over_pages(room: float) -> None:
    kind = style("para", "en")
    ours, other = EnglishParagraph(split_words([PLAIN], kind), kind), reportlab_paragraph(PLAIN, kind)
    ours.wrap(150, 400)
    other.wrap(150, 400)
    parts_of_ours = [
        [letters_text(line.runs) for line in part.lines]
        for part in ours.split(150, room)
        if isinstance(part, EnglishParagraph)
    ]
    parts = other.split(150, room)
    for part in parts:
        part.wrap(150, 400)
    assert parts_of_ours == [[" ".join(words) for _, words in part.blPara.lines] for part in parts]


CELLS = (
    '<tr><td>Unit</td><td>Said of it</td><td valign="bottom">Dice</td></tr>'
    f"<tr><td>Archers</td><td><para>{PLAIN[:90]}</para><small>Two lines<br/>of it</small></td><td>3</td></tr>"
    '<tr><td span="2">Both stand here, one beside the other, until the column ends and they go on</td><td/></tr>'
    '<tr><td valign="top">Horse</td><td span="2"><small>fast</small></td></tr>'
    '<tr><td>Ogre</td><td>Large</td><td valign="top">4</td></tr>'
)


def tables() -> Iterator[tuple[str, Node]]:
    for rules in ("light", "none", "grid", "lines"):
        for more in ("", ' zebra="1" head="1" pad="1.5"', ' head="1" row="9" valign="top"'):
            yield (
                f"{rules}{more}",
                node_of(f'<table cols="22mm * 15mm" rules="{rules}"{more}>{CELLS}</table>').nodes()[0],
            )


def platypus(node: Node, ours: Grid) -> Any:
    """Return ReportLab's table with the same cells as the given grid."""
    from reportlab.platypus.flowables import Flowable as Theirs
    from reportlab.platypus.tables import Table

    class Held(Theirs):
        def __init__(self, held: Flowable) -> None:
            super().__init__()
            self.held, self.spaceBefore, self.spaceAfter = held, held.before, held.after

        def wrap(self, width: float, height: float) -> tuple[float, float]:
            return self.held.wrap(width, height)

        def draw(self) -> None:
            self.held.draw_on(self.canv.ours, 0, 0)

    rows: list[list[Any]] = []
    commands: list[tuple[Any, ...]] = [
        (f"{side}PADDING", (0, 0), (-1, -1), of)
        for side, of in (("LEFT", ours.side), ("RIGHT", ours.side), ("TOP", ours.pad), ("BOTTOM", ours.pad))
    ]
    for r, row in enumerate(ours.rows):
        rows.append([])
        for cell in row.cells:
            c = len(rows[-1])
            commands.append(("VALIGN", (c, r), (c, r), cell.valign.upper()))
            commands += [("SPAN", (c, r), (c + cell.span - 1, r))] if cell.span > 1 else []
            rows[-1] += [[Held(each) for each in cell.flowables], *[""] * (cell.span - 1)]
        commands += [("BACKGROUND", (0, r), (-1, r), HexColor(TINT))] if row.tinted else []
    rules, head, every = node.attributes["rules"], ours.head, ((0, 0), (-1, -1))
    if rules == "lines":
        commands.append(("LINEAFTER", (0, head), (-2, -1), RULE, HexColor(LIGHT)))
    if rules in ("light", "lines"):
        commands.append(("LINEBELOW", *every, RULE, HexColor(LIGHT)))
    if rules == "grid":
        commands.append(("GRID", *every, 0.5, HexColor(DARK)))
    if head and rules in ("light", "lines"):
        commands.append(("LINEBELOW", (0, head - 1), (-1, head - 1), HEAVY, HexColor(BLACK)))
    low = [row.min_height for row in ours.rows]
    return Table(rows, colWidths=ours.widths, minRowHeights=low, repeatRows=head, style=commands, hAlign="LEFT")


@pytest.mark.parametrize(("node"), [pytest.param(node, id=name) for name, node in tables()])
def test_a_table(node: Node) -> None:
    ours = build_table(node, LayoutContext("en", "full", 280, 1.0, {}), build_blocks)
    other = platypus(node, ours)
    assert ours.wrap(280, 400) == pytest.approx(other.wrap(280, 400))
    assert page_pixels(partial(ours.draw_on, x=20, y=20)) == page_pixels(by_reportlab(other))


@pytest.mark.parametrize("room", [12.0, 90.0, 130.0, 160.0])
@pytest.mark.parametrize(("node"), [pytest.param(node, id=name) for name, node in tables()])
def test_a_table_parts_over_pages(node: Node, room: float) -> None:
    ours = build_table(node, LayoutContext("en", "full", 280, 1.0, {}), build_blocks)
    other = platypus(node, ours)
    for each in (ours, other):
        each.wrap(280, 400)
    parts, others = ours.split(280, room), other.split(280, room)
    assert len(parts) == len(others)
    for part, its in zip(parts, others, strict=True):
        assert part.wrap(280, 400) == pytest.approx(its.wrap(280, 400))
        drawn, reference = page_pixels(partial(part.draw_on, x=20, y=20)), page_pixels(by_reportlab(its))
        # ReportLab draws the frame of a split table with several overlapping lines, so its pixels are slightly
        # darker.
        assert drawn == reference or node.attributes["rules"] == "grid"
        assert np.abs(np.frombuffer(drawn, np.uint8).astype(int) - np.frombuffer(reference, np.uint8)).max() < 30
