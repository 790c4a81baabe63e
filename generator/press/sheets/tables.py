"""Tables: column widths from their attribute, light rules, cells that are single lines wherever they fit."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from typing import Any, cast

from reportlab.platypus.tables import Table

from generator.press.canvas import MM
from generator.press.pieces.marks import blank
from generator.press.sheets.forms import Row
from generator.press.sheets.markup import INLINE, Node
from generator.press.sheets.reader import Setting, align, blocks, fillable, said, text
from generator.press.type.styles import DARK, LIGHT, TINT, Align, ink

_SIDE = 1.2 * MM
_NAMING = 2
"""How many of its texts name a row."""
_ALIGNS = ("left", "centre", "right")
_VALIGN = {"top": "TOP", "middle": "MIDDLE", "bottom": "BOTTOM"}


def table(node: Node, at: Setting) -> Any:
    """The table as a flowable; its head rows are repeated on every page it reaches."""
    rows = node.nodes()
    widths = _widths(node, at.width)
    aligns = _aligns(node, len(widths))
    head = round(node.number("head", 0, 0, 5))
    kind = "small" if node.choice("size", ("body", "small")) == "small" else at.kind
    setting, low = replace(at, kind=kind), node.number("row", 0) * MM
    pad = node.number("pad", 0.7) * MM * at.scale
    commands = _looks(node, pad, head, len(rows))
    heads = _headings(rows[:head]) if at.form else {}
    cells: list[list[Any]] = []
    for r, row in enumerate(rows):
        made: list[Any] = []
        if at.form:
            setting = replace(setting, row=_called(row, heads))
        for i, cell in enumerate(row.nodes()):
            c = len(made)
            span = round(cell.number("span", 1, 1))
            if c + span > len(widths):
                raise cell.wrong(f"is one too many: the table has {len(widths)} columns")
            if span > 1:
                commands.append(("SPAN", (c, r), (c + span - 1, r)))
            if "valign" in cell.attributes:
                valign = _VALIGN[cell.choice("valign", tuple(_VALIGN))]
                commands.append(("VALIGN", (c, r), (c, r), valign))
            bold = r < head or row.yes("bold") or cell.yes("bold")
            if at.form:
                beside = next(filter(None, map(said, row.nodes()[i + 1 :])), "")
                setting = replace(setting, label=heads.get(c, beside))
            width = sum(widths[c : c + span])
            if at.form and low and r >= head and c in heads and _written(cell):
                high = max(setting.style().leading, low - 2 * pad) / MM
                made.append([fillable(partial(blank, high), replace(setting, width=width - 2 * _SIDE))])
            else:
                made.append(_cell(cell, setting, width, aligns[c], bold))
            made += [""] * (span - 1)
        if len(made) < len(widths):
            raise row.wrong(f"has {len(made)} columns of {len(widths)}")
        cells.append(made)
    if not cells:
        raise node.wrong("has no row")
    return Table(
        cells,
        colWidths=widths,
        minRowHeights=[0.0] * head + [low] * (len(cells) - head) if low else None,
        repeatRows=head,
        style=commands,
        hAlign="LEFT",
        spaceAfter=6.0 * at.scale,
        spaceBefore=2.0 * at.scale,
    )


def _headings(rows: list[Node]) -> dict[int, str]:
    """What stands over each column, nearest to its cells."""
    found: dict[int, str] = {}
    for row in rows:
        c = 0
        for cell in row.nodes():
            span = round(cell.number("span", 1, 1))
            if text := said(cell):
                found |= dict.fromkeys(range(c, c + span), text)
            c += span
    return found


def _called(row: Node, heads: dict[int, str]) -> Row:
    """A row by its first texts; without headings its cells tell more."""
    texts = list(filter(None, map(said, row.nodes())))
    return Row(" ".join(texts[:_NAMING]) if heads else "")


def _written(cell: Node) -> bool:
    """Whether something is to be written in a cell under a heading, where rows have the height for it."""
    return cell.choice("write", ("1", "0")) == "1" and not cell.nodes() and not said(cell)


def _cell(cell: Node, at: Setting, width: float, default: Align, bold: bool) -> list[Any]:
    small = cell.choice("size", ("body", "small")) == "small"
    inner = replace(
        at,
        width=width - 2 * _SIDE,
        kind="small" if small else at.kind,
        bold=bold,
        align=align(cell, default),
        colour=cell.colour(),
    )
    if all(isinstance(child, str) or child.tag in INLINE for child in cell.children):
        return [text(cell.children, inner.style(), inner.width)]
    return blocks(cell, inner)


def _widths(node: Node, width: float) -> list[float]:
    """Of the columns, in points: `20mm` or `20` is fixed, `2*` a share of what is left."""
    words = node.attributes.get("cols", "").split()
    fixed = {i: float(m[1]) * MM for i, w in enumerate(words) if (m := re.fullmatch(r"(\d+\.?\d*)(?:mm)?", w))}
    shares = {i: float(m[1] or 1) for i, w in enumerate(words) if (m := re.fullmatch(r"(\d*\.?\d*)\*", w))}
    if not words or len(fixed) + len(shares) < len(words):
        raise node.wrong(f'cols="{node.attributes.get("cols", "")}" gives no widths', 'such as cols="20mm * 2*"')
    free = width - sum(fixed.values())
    if free < -0.01 or (shares and free < 5 * MM * len(shares)):
        raise node.wrong(f"is wider than the {width / MM:.0f} mm there are")
    return [fixed[i] if i in fixed else free * shares[i] / sum(shares.values()) for i in range(len(words))]


def _aligns(node: Node, count: int) -> list[Align]:
    words = node.attributes.get("align", "").split() or ["left"]
    if len(words) == 1:
        words *= count
    if len(words) != count or any(word not in _ALIGNS for word in words):
        raise node.wrong(f'align="{" ".join(words)}"', f"one word, or one for each column: {', '.join(_ALIGNS)}")
    return cast(list[Align], words)


def _looks(node: Node, pad: float, head: int, rows: int) -> list[tuple[Any, ...]]:
    """The style commands of the whole table."""
    every = (0, 0), (-1, -1)
    commands: list[tuple[Any, ...]] = [
        ("LEFTPADDING", *every, _SIDE),
        ("RIGHTPADDING", *every, _SIDE),
        ("TOPPADDING", *every, pad),
        ("BOTTOMPADDING", *every, pad),
        ("VALIGN", *every, _VALIGN[node.choice("valign", tuple(_VALIGN), "middle")]),
    ]
    rules = node.choice("rules", ("light", "none", "grid"))
    if node.yes("zebra"):
        commands += [("BACKGROUND", (0, r), (-1, r), ink(TINT)) for r in range(head + 1, rows, 2)]
    if rules == "light":
        commands.append(("LINEBELOW", (0, 0), (-1, -1), 0.3, ink(LIGHT)))
    if rules == "grid":
        commands.append(("GRID", *every, 0.5, ink(DARK)))
    if head and rules == "light":
        commands.append(("LINEBELOW", (0, head - 1), (-1, head - 1), 0.7, ink(DARK)))
    return commands
