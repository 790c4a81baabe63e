"""Convert the table nodes of a sheet to flowables."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, cast

from msgspec.structs import replace

from generator.localization import tr
from generator.press.layout.flowables import Flowable
from generator.press.layout.line_breaks import unbreakable_units
from generator.press.layout.lines import OneLine
from generator.press.layout.marks import blank_cell
from generator.press.layout.markup import INLINE, Node, collapse_spaces
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
from generator.press.pdf import fonts
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
_MIN_COLUMN_SHARE = 0.7
"""Minimum scale of a fixed column without text on the small pages of booklets, if the table is too wide."""
_BOX_STEP = 1.22
"""Distance between two boxes to tick, as a multiple of their size."""
_WRITING_HEIGHT = 6.0
"""Height in mm of a row in which people can write."""
_MIN_SHARED = 5.0
"""Minimum width in mm of a column that shares the remaining width. On the small pages of booklets it may be half."""
_BIT = 0.1
"""Tolerance in points for the width of a word."""
_VALIGNS: tuple[VerticalAlign, ...] = ("top", "middle", "bottom")
_KINDS: tuple[TableKind, ...] = ("data", "list", "layout", "columns")
_RULES: tuple[Rules, ...] = ("light", "none", "grid", "lines")


def build_table(node: Node, context: LayoutContext, build_blocks: BlockBuilder) -> Grid:
    """Return a table whose head rows are repeated on every page.

    `build_blocks` creates the flowables of cells that contain blocks.
    """
    rows = node.nodes()
    widths = _column_widths(node, context)
    aligns = _column_aligns(node, len(widths))
    head = round(node.number("head", 0, 0, 5))
    kind = "small" if node.choice("size", ("body", "small")) == "small" else context.kind
    row_height = node.number("row", 0)
    # On the small pages of booklets, rows stay high enough to write in.
    min_height = max(context.points(row_height), min(row_height, _WRITING_HEIGHT) * MM)
    context = replace(context, kind=kind)
    pad, side = context.points(node.number("pad", 0.7)) * context.scale, context.points(node.number("side", _SIDE))
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
                raise cell.error(tr("is one cell too many (columns of the table: {count})", count=len(widths)))
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
            raise row.error(tr("has cells for {count} of {needed} columns", count=c, needed=len(widths)))
        made.append(Row(cells, min_height if r >= head else 0.0, zebra and r > head and (r - head) % 2 == 1))
    if not made:
        raise node.error(tr("has no rows"))
    column_heads = round(node.number("colhead", head, 0, 5))
    table_kind, row_heads = _reading(node, rows, column_heads)
    if table_kind in ("data", "list"):
        _give_text_to_cells(made, table_kind)
    grid = Grid(
        made, widths, head, (pad, side), rules, kind=table_kind, row_heads=row_heads, column_heads=column_heads
    )
    grid.before, grid.after = 2.0 * context.scale, 6.0 * context.scale
    return grid


def _reading(node: Node, rows: list[Node], head: int) -> tuple[TableKind, bool]:
    """Return how a table is read aloud, and whether the first cell of each row is the row's heading.

    By default, a table with head rows is a table of data. Any other table in which each row begins with texts is a
    list, with that text as the label. A single row of more than two cells only places things side by side.
    """
    body = [row.nodes() for row in rows[head:]]
    begins_with_text = all(row and label_text(row[0]) for row in body)
    several = all(any(map(label_text, row[1:])) for row in body)
    listed = begins_with_text and several and (len(body) != 1 or len(body[0]) <= 2)
    usual: TableKind = "data" if head else "list" if listed else "layout"
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


def _column_widths(node: Node, context: LayoutContext) -> list[float]:
    """Return the widths of the columns in points.

    `20mm` and `20` are fixed, and `2*` is a share of the remaining width.
    """
    words = node.attributes.get("cols", "").split()
    width = context.width
    fixed = {i: context.points(float(m[1])) for i, w in enumerate(words) if (m := _FIXED.fullmatch(w))}
    shares = {i: float(m[1] or 1) for i, w in enumerate(words) if (m := _SHARED.fullmatch(w))}
    if not words or len(fixed) + len(shares) < len(words):
        raise node.error(
            tr(
                'cols="{attributes}" does not define the widths of the columns',
                attributes=node.attributes.get("cols", ""),
            ),
            tr('for example cols="20mm * 2*"'),
        )
    if context.small:
        fixed = _fixed_on_small_page(fixed, list(shares), _longest_words(node, len(words), context), context)
    free = width - sum(fixed.values())
    min_shared = context.points(_MIN_SHARED / 2 if context.small else _MIN_SHARED)
    if free < -0.01 or (shares and free < min_shared * len(shares)):
        raise node.error(tr("is wider than the {width:.0f} mm available", width=width / MM))
    return [fixed[i] if i in fixed else free * shares[i] / sum(shares.values()) for i in range(len(words))]


def _fixed_on_small_page(
    fixed: Mapping[int, float], shared: Sequence[int], longest: Sequence[float], context: LayoutContext
) -> dict[int, float]:
    """Return the widths of fixed columns on the small page of a booklet, in points.

    If there is room, each column is wide enough for its longest word. Otherwise columns become narrower.
    """
    preferred = {i: max(length, longest[i]) for i, length in fixed.items()}
    minimum = {i: longest[i] or _MIN_COLUMN_SHARE * length for i, length in fixed.items()}
    room = context.width - sum(max(context.points(_MIN_SHARED), longest[i]) for i in shared)
    if (excess := sum(preferred.values()) - room) <= 0:
        return preferred
    if (spare := sum(preferred.values()) - sum(minimum.values())) >= excess:
        return {i: length - (length - minimum[i]) * excess / spare for i, length in preferred.items()}
    room = context.width - _MIN_SHARED / 2 * context.points(1) * len(shared)
    share = min(1.0, room / sum(fixed.values())) if fixed else 1.0
    return {i: share * length for i, length in fixed.items()}


def _longest_words(node: Node, count: int, context: LayoutContext) -> list[float]:
    """Return the width in points that each column needs for its longest word or boxes, and the space beside it."""
    longest = [0.0] * count
    side = context.points(node.number("side", _SIDE))
    head = round(node.number("head", 0, 0, 5))
    table_kind = "small" if node.choice("size", ("body", "small")) == "small" else context.kind
    for r, row in enumerate(node.nodes()):
        column = 0
        for cell in row.nodes():
            span = round(cell.number("span", 1, 1))
            if span == 1 and column < count:
                size = cell.choice("size", ("body", "small", "big"))
                kind = "small" if r < head else table_kind if size == "body" else size
                bold = r < head or cell.is_on("bold") or row.is_on("bold")
                if content := _longest_word(cell, kind, bold, context):
                    longest[column] = max(longest[column], content + 2 * side + _BIT)
            column += span
    return longest


def _longest_word(node: Node, kind: str, bold: bool, context: LayoutContext) -> float:
    """Return the width in points of the longest word, or of a group of boxes, in a cell or one of its paragraphs."""
    face = style(kind, context.lang, context.scale, bold)
    widths = [0.0]
    for child in node.children:
        if isinstance(child, str):
            units = unbreakable_units(collapse_spaces(child))
            widths += [fonts.width(unit.strip(), face.size, face.bold) for unit in units]
        elif child.tag in INLINE:
            widths.append(_longest_word(child, kind, bold or child.tag == "b", context))
        elif child.tag in ("para", "small", "h2", "h3"):
            inner = kind if child.tag == "para" else child.tag
            widths.append(_longest_word(child, inner, bold or child.is_on("bold"), context))
        elif child.tag == "boxes":
            count = min(child.number("n", 1), child.number("group", 5))
            widths.append(_BOX_STEP * count * context.points(child.number("size", 3.8)))
    return max(widths)


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
