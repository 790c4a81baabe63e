"""Convert the table nodes of a sheet to flowables."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any, cast

from msgspec.structs import replace

from generator.localization import tr
from generator.press.layout.flowables import Flowable
from generator.press.layout.lines import OneLine
from generator.press.layout.marks import blank_cell
from generator.press.layout.markup import INLINE, Node
from generator.press.layout.styles import QUIET, Align, style
from generator.press.layout.tables import Cell, Grid, Row, Rules, TableKind, VerticalAlign
from generator.press.layout_context import (
    ALIGNS,
    LayoutContext,
    build_fillable,
    build_text,
    is_plain_text,
    label_text,
    read_align,
)
from generator.press.pdf.fields import FieldRow
from generator.press.pdf.units import MM

BlockBuilder = Callable[[Node, LayoutContext], list[Any]]
"""Returns the flowables for the content of a node."""
_SIDE = 1.2
"""Default space on the left and right of a cell's content, in mm."""
_NAMING_TEXTS = 2
"""Number of texts at the start of a row that form its label."""
_FIXED, _SHARED = re.compile(r"(\d+\.?\d*)(?:mm)?"), re.compile(r"(\d*\.?\d*)\*")
"""Match column widths that are fixed in mm, and widths that are a share of the remaining width."""
_VALIGNS: tuple[VerticalAlign, ...] = ("top", "middle", "bottom")
_KINDS: tuple[TableKind, ...] = ("data", "list", "layout")
_RULES: tuple[Rules, ...] = ("light", "none", "grid", "lines")


def build_table(node: Node, context: LayoutContext, build_blocks: BlockBuilder) -> Grid:
    """Return a table whose head rows are repeated on every page.

    `build_blocks` creates the flowables of cells that contain blocks.
    """
    rows = node.nodes()
    widths = _column_widths(node, context.width)
    aligns = _column_aligns(node, len(widths))
    head = round(node.number("head", 0, 0, 5))
    kind = "small" if node.choice("size", ("body", "small")) == "small" else context.kind
    context, min_height = replace(context, kind=kind), node.number("row", 0) * MM
    pad, side = node.number("pad", 0.7) * MM * context.scale, node.number("side", _SIDE) * MM
    valign = cast(VerticalAlign, node.choice("valign", _VALIGNS, "middle"))
    rules, zebra = cast(Rules, node.choice("rules", _RULES)), node.is_on("zebra")
    heads = _headings(rows[:head]) if context.form else {}
    made: list[Row] = []
    for r, row in enumerate(rows):
        cells: list[Cell] = []
        c = 0
        heading = r < head or row.is_on("bold")
        if context.form:
            context = replace(context, row=_row_label(row, heads))
        here = replace(context, kind="small", colour=QUIET) if r < head else context
        for i, cell in enumerate(row.nodes()):
            given = bool(cell.attributes)
            span = round(cell.number("span", 1, 1)) if given else 1
            if c + span > len(widths):
                raise cell.error(tr("is one cell too many; the table has {count} columns", count=len(widths)))
            if context.form:
                next_text = next(filter(None, map(label_text, row.nodes()[i + 1 :])), "")
                here = replace(here, label=heads.get(c, next_text))
            room = (widths[c] if span == 1 else sum(widths[c : c + span])) - 2 * side
            if room < 0:
                raise cell.error(tr("is narrower than the white margins of {side:g} mm on each side", side=side / MM))
            if context.form and min_height and r >= head and c in heads and _is_writable(cell):
                high = max(context.style().leading, min_height - 2 * pad) / MM
                name = cell.attributes.get("name", "")
                content: list[Flowable] = [
                    build_fillable(partial(blank_cell, high), replace(here, width=room), name=name)
                ]
            else:
                content = _build_cell(
                    cell, here, room, aligns[c], heading or (given and cell.is_on("bold")), build_blocks
                )
            cells.append(_given_cell(cell, content, span, valign, context) if given else Cell(content, span, valign))
            c += span
        if c < len(widths):
            raise row.error(tr("has {count} columns, but needs {needed}", count=c, needed=len(widths)))
        made.append(Row(cells, min_height if r >= head else 0.0, zebra and r > head and (r - head) % 2 == 1))
    if not made:
        raise node.error(tr("has no rows"))
    table_kind, row_heads = _reading(node, rows, head)
    if table_kind != "layout":
        _give_text_to_cells(made, table_kind)
    grid = Grid(made, widths, head, (pad, side), rules, kind=table_kind, row_heads=row_heads)
    grid.before, grid.after = 2.0 * context.scale, 6.0 * context.scale
    return grid


def _reading(node: Node, rows: list[Node], head: int) -> tuple[TableKind, bool]:
    """Return how a table is read aloud, and whether the first cell of each row is the row's heading.

    By default, a table with head rows is a table of data. Any other table in which each row begins with texts is a
    list, with that text as the label.
    """
    body = [row.nodes() for row in rows[head:]]
    begins_with_text = all(row and label_text(row[0]) for row in body)
    several = all(any(map(label_text, row[1:])) for row in body)
    usual: TableKind = "data" if head else "list" if begins_with_text and several else "layout"
    kind = cast(TableKind, node.choice("as", _KINDS, usual))
    columns, count = len(rows[0].nodes()), len(body)
    # A table with more headings than other cells is tedious to listen to.
    balanced = head * columns + count <= count * (columns - 1)
    headed = "1" if kind == "data" and begins_with_text and balanced else "0"
    return kind, node.choice("rowhead", ("0", "1"), headed) == "1"


def _give_text_to_cells(rows: list[Row], kind: TableKind) -> None:
    """Let the element of each cell that is a single text contain this text, without a paragraph inside it."""
    for row in rows:
        for at, cell in enumerate(row.cells):
            if len(cell.flowables) == 1 and (kind == "data" or at == 0 or len(row.cells) == 2):
                cell.flowables[0].role = ""


def _given_cell(cell: Node, content: list[Any], span: int, valign: VerticalAlign, context: LayoutContext) -> Cell:
    """Return a cell with the alignment and tint in its attributes. An ink-saving print has no tints."""
    tint = cell.tint() if context.ink != "saver" else ""
    return Cell(content, span, cast(VerticalAlign, cell.choice("valign", _VALIGNS, valign)), tint)


def _headings(rows: list[Node]) -> dict[int, str]:
    """Return the lowest heading of each column."""
    found: dict[int, str] = {}
    for row in rows:
        c = 0
        for cell in row.nodes():
            span = round(cell.number("span", 1, 1))
            if text := label_text(cell):
                found |= dict.fromkeys(range(c, c + span), text)
            c += span
    return found


def _row_label(row: Node, heads: dict[int, str]) -> FieldRow:
    """Return a row labelled by its first texts.

    If there are no headings, the cells are labelled by the texts next to them.
    """
    texts = list(filter(None, map(label_text, row.nodes())))
    return FieldRow(" ".join(texts[:_NAMING_TEXTS]) if heads else "")


def _is_writable(cell: Node) -> bool:
    """Return whether a cell below a heading is empty so that users can write in it."""
    return cell.choice("write", ("1", "0")) == "1" and not cell.nodes() and not label_text(cell)


def _build_cell(
    cell: Node, context: LayoutContext, width: float, default: Align, bold: bool, build_blocks: BlockBuilder
) -> list[Any]:
    kind, side, colour = context.kind, default, context.colour
    if cell.attributes:
        size = cell.choice("size", ("body", "small", "big"))
        kind, side = kind if size == "body" else size, read_align(cell, default)
        colour = QUIET if cell.is_on("quiet") else cell.colour(colour)
    if not cell.children:
        return [OneLine("", style(kind, context.lang, context.scale, bold, side, colour))]
    if is_plain_text(cell.children) or all(isinstance(child, str) or child.tag in INLINE for child in cell.children):
        return [build_text(cell.children, style(kind, context.lang, context.scale, bold, side, colour), width)]
    return build_blocks(cell, replace(context, width=width, kind=kind, bold=bold, align=side, colour=colour))


def _column_widths(node: Node, width: float) -> list[float]:
    """Return the widths of the columns in points.

    `20mm` and `20` are fixed, and `2*` is a share of the remaining width.
    """
    words = node.attributes.get("cols", "").split()
    fixed = {i: float(m[1]) * MM for i, w in enumerate(words) if (m := _FIXED.fullmatch(w))}
    shares = {i: float(m[1] or 1) for i, w in enumerate(words) if (m := _SHARED.fullmatch(w))}
    if not words or len(fixed) + len(shares) < len(words):
        raise node.error(
            tr(
                'cols="{attributes}" does not define the widths of the columns',
                attributes=node.attributes.get("cols", ""),
            ),
            tr('for example cols="20mm * 2*"'),
        )
    free = width - sum(fixed.values())
    if free < -0.01 or (shares and free < 5 * MM * len(shares)):
        raise node.error(tr("is wider than the {width:.0f} mm available", width=width / MM))
    return [fixed[i] if i in fixed else free * shares[i] / sum(shares.values()) for i in range(len(words))]


def _column_aligns(node: Node, count: int) -> list[Align]:
    words = node.attributes.get("align", "").split() or ["left"]
    if len(words) == 1:
        words *= count
    if len(words) != count or any(word not in ALIGNS for word in words):
        raise node.error(
            f'align="{" ".join(words)}"',
            tr("give one alignment, or one alignment for each column: {aligns}", aligns=[*ALIGNS]),
        )
    return cast(list[Align], words)
