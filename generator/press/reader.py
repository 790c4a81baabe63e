"""From the markup's nodes to flowables, set for one width, language and share of the type's size."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import Any, cast

import msgspec
from msgspec.structs import replace

from generator.errors import near
from generator.localization import tr
from generator.model.picture import Picture, Use
from generator.model.views import CardView, Code, Figure, MapView, Token
from generator.model.words import Lang
from generator.press.layout import marks, qr
from generator.press.layout.english import EnglishParagraph, split_words
from generator.press.layout.flowables import Fillable, Flowable, Hairline, PageBreak, Panel, Placed, Spacer, Spring
from generator.press.layout.japanese import make_paragraph, needs_no_spacing
from generator.press.layout.lines import OneLine
from generator.press.layout.marks import blank_cell
from generator.press.layout.markup import INLINE, Node, collapse_spaces
from generator.press.layout.pages import MAX_EXCERPT
from generator.press.layout.styles import BLACK, QUIET, TINT, Align, Style, style
from generator.press.layout.tables import Cell, Grid, Row, Rules, VerticalAlign
from generator.press.pdf import fonts
from generator.press.pdf.fields import FieldInfo, FieldRow, Form
from generator.press.pdf.units import MM

_SIDE = 1.2
"""White at the left and the right of a cell, in mm, where its table does not say."""
_LABEL_SPACING: Mapping[Lang, float] = {"en": 0.06, "ja": 0.12}
"""How far the letters of a label stand apart, in type sizes."""
_NAMING_TEXTS = 2
"""How many of its texts name a row."""
_FIXED, _SHARED = re.compile(r"(\d+\.?\d*)(?:mm)?"), re.compile(r"(\d*\.?\d*)\*")
"""How wide a column says it is: in mm, or a share of what is left."""
_VALIGNS: tuple[VerticalAlign, ...] = ("top", "middle", "bottom")
_RULES: tuple[Rules, ...] = ("light", "none", "grid", "lines")


def build_table(node: Node, context: LayoutContext) -> Grid:
    """The table as a flowable; its head rows are repeated on every page it reaches."""
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
                raise cell.error(tr("is too many: the table has {count} columns", count=len(widths)))
            if context.form:
                next_text = next(filter(None, map(label_text, row.nodes()[i + 1 :])), "")
                here = replace(here, label=heads.get(c, next_text))
            room = (widths[c] if span == 1 else sum(widths[c : c + span])) - 2 * side
            if room < 0:
                raise cell.error(tr("is narrower than the white margin of {side:g} mm on each side", side=side / MM))
            if context.form and min_height and r >= head and c in heads and _is_writable(cell):
                high = max(context.style().leading, min_height - 2 * pad) / MM
                name = cell.attributes.get("name", "")
                content: list[Flowable] = [
                    build_fillable(partial(blank_cell, high), replace(here, width=room), name=name)
                ]
            else:
                content = _build_cell(cell, here, room, aligns[c], heading or (given and cell.is_on("bold")))
            cells.append(
                Cell(content, span, cast(VerticalAlign, cell.choice("valign", _VALIGNS, valign)) if given else valign)
            )
            c += span
        if c < len(widths):
            raise row.error(tr("has {count} columns of {needed}", count=c, needed=len(widths)))
        made.append(Row(cells, min_height if r >= head else 0.0, zebra and r > head and (r - head) % 2 == 1))
    if not made:
        raise node.error(tr("has no row"))
    grid = Grid(made, widths, head, (pad, side), rules)
    grid.before, grid.after = 2.0 * context.scale, 6.0 * context.scale
    return grid


def _headings(rows: list[Node]) -> dict[int, str]:
    """What stands over each column, nearest to its cells."""
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
    """A row by its first texts; without headings its cells tell more."""
    texts = list(filter(None, map(label_text, row.nodes())))
    return FieldRow(" ".join(texts[:_NAMING_TEXTS]) if heads else "")


def _is_writable(cell: Node) -> bool:
    """Whether something is to be written in a cell under a heading, where rows have the height for it."""
    return cell.choice("write", ("1", "0")) == "1" and not cell.nodes() and not label_text(cell)


def _build_cell(cell: Node, context: LayoutContext, width: float, default: Align, bold: bool) -> list[Any]:
    kind, side, colour = context.kind, default, context.colour
    if cell.attributes:
        size = cell.choice("size", ("body", "small", "big"))
        kind, side = kind if size == "body" else size, read_align(cell, default)
        colour = QUIET if cell.is_on("quiet") else cell.colour(colour)
    if not cell.children:
        return [OneLine("", style(kind, context.lang, context.scale, bold, side, colour))]
    if _is_plain_text(cell.children) or all(isinstance(child, str) or child.tag in INLINE for child in cell.children):
        return [build_text(cell.children, style(kind, context.lang, context.scale, bold, side, colour), width)]
    return build_blocks(cell, replace(context, width=width, kind=kind, bold=bold, align=side, colour=colour))


def _column_widths(node: Node, width: float) -> list[float]:
    """Of the columns, in points: `20mm` or `20` is fixed, `2*` a share of what is left."""
    words = node.attributes.get("cols", "").split()
    fixed = {i: float(m[1]) * MM for i, w in enumerate(words) if (m := _FIXED.fullmatch(w))}
    shares = {i: float(m[1] or 1) for i, w in enumerate(words) if (m := _SHARED.fullmatch(w))}
    if not words or len(fixed) + len(shares) < len(words):
        raise node.error(
            tr('cols="{attributes}" gives no widths', attributes=node.attributes.get("cols", "")),
            tr('for example cols="20mm * 2*"'),
        )
    free = width - sum(fixed.values())
    if free < -0.01 or (shares and free < 5 * MM * len(shares)):
        raise node.error(tr("is wider than the available {width:.0f} mm", width=width / MM))
    return [fixed[i] if i in fixed else free * shares[i] / sum(shares.values()) for i in range(len(words))]


def _column_aligns(node: Node, count: int) -> list[Align]:
    words = node.attributes.get("align", "").split() or ["left"]
    if len(words) == 1:
        words *= count
    if len(words) != count or any(word not in _ALIGNS for word in words):
        raise node.error(
            f'align="{" ".join(words)}"', tr("one word, or one for each column: {aligns}", aligns=[*_ALIGNS])
        )
    return cast(list[Align], words)


_ALIGNS = ("left", "centre", "right")
_TOKEN = 8.0
"""Width of a token in a text, in mm, where the figure states none."""
_TOKEN_EXTENT = 13.4
"""Width of the square that a token's symbol fills, in mm."""


class LayoutContext(msgspec.Struct, frozen=True):
    """How a sheet is set: its language, ink, column width in points, share of the type size, figures."""

    lang: Lang
    ink: str
    width: float
    scale: float
    figures: Mapping[str, Figure]
    turned: bool = False
    """Maps are seen from the far edge."""
    kind: str = "para"
    bold: bool = False
    align: Align = "left"
    colour: str = BLACK
    form: Form | None = None
    """What takes the fields of a fillable edition."""
    row: FieldRow | None = None
    label: str = ""
    """The last text before, which tells what is ticked or written here."""
    per_copy: Collection[str] = ()
    """The figures that are a copy's own."""
    drawn: dict[tuple[int, float, float], Picture] = msgspec.field(default_factory=dict)
    """Maps that are drawn already, by their identity and room: one is measured, set and set again in smaller type."""

    def map(self, view: MapView, width: float, height: float) -> Picture:
        """A map of the sheet's figures as large as that room takes it, in mm."""
        from generator.press.figures.maps import draw_map

        key = id(view), width, height
        if key not in self.drawn:
            self.drawn[key] = draw_map(view, self.lang, self.ink, width, height, turned=self.turned)
        return self.drawn[key]

    def style(self, kind: str = "", **changes: Any) -> Style:
        """The paragraph style that holds here."""
        here = {"bold": self.bold, "align": self.align, "colour": self.colour, **changes}
        return style(kind or self.kind, self.lang, self.scale, **here)

    @property
    def size(self) -> float:
        """The type size that holds here, in points."""
        return self.style().size


def build_blocks(node: Node, context: LayoutContext) -> list[Any]:
    """The flowables of everything in a node; text between blocks becomes paragraphs."""
    flowables: list[Any] = []
    run: list[Node | str] = []

    def flush() -> None:
        if any(isinstance(part, Node) or part.strip() for part in run):
            flowables.append(build_text(run, context.style(), context.width))
        run.clear()

    for child in node.children:
        if isinstance(child, str) or child.tag in INLINE:
            run.append(child)
            continue
        flush()
        if child.tag == "table":
            flowables.append(build_table(child, context))
        else:
            flowables += _BLOCKS[child.tag](child, context)
        if context.form and child.tag in ("h1", "h2", "h3", "para", "small"):
            context = replace(context, label=label_text(child))
    flush()
    return flowables


def label_text(node: Node) -> str:
    """The text in an element, as far as a label shows it."""
    parts = (part if isinstance(part, str) else label_text(part) for part in node.children)
    plain = collapse_spaces(" ".join(parts)).strip()
    return plain if len(plain) <= MAX_EXCERPT else f"{plain[:MAX_EXCERPT]}…"


def build_text(parts: list[Node | str], style: Style, width: float, bullet: str | None = None) -> Any:
    """A paragraph, or a single line where the text has no markup in it and fits."""
    japanese = style.lang == "ja"
    if bullet is None and _is_plain_text(parts):
        whole = collapse_spaces("".join(cast(list[str], parts))).strip()
        if fonts.width(whole, style.size, style.bold) <= width - style.indent and not (
            japanese and not needs_no_spacing(whole)
        ):
            return OneLine(whole, style)
    if japanese:
        return make_paragraph(parts, style, width, bullet)
    return EnglishParagraph(split_words(parts, style), style, bullet)


def _is_plain_text(parts: list[Node | str]) -> bool:
    """Whether there is no markup in a text."""
    return set(map(type, parts)) <= {str}


def read_align(node: Node, default: Align = "left") -> Align:
    """The align attribute."""
    return cast(Align, node.choice("align", _ALIGNS, default))


_MAX_DEPTH = 10_000.0
"""Deeper than any paragraph, in points."""


def _heading(node: Node, context: LayoutContext) -> list[Any]:
    share = _fitting(label_text(node), context) if node.tag == "h1" else 1.0
    setting = replace(context, scale=context.scale * share)
    return [build_text(node.children, setting.style(node.tag, align=read_align(node, context.align)), context.width)]


_TITLE_SCALES = (1.0, 0.75, 0.58, 0.46)
"""How far the type of a title shrinks, step by step, until it stands on two lines."""


def _fitting(title: str, context: LayoutContext) -> float:
    """The share of its size at which a title takes no more than two lines; the least one for a longer title."""
    room = 1.85 * context.width / fonts.width(title or " ", context.style("h1").size, bold=True)
    return next((share for share in _TITLE_SCALES if share <= room), _TITLE_SCALES[-1])


def _paragraph(node: Node, context: LayoutContext) -> list[Any]:
    kind = "small" if node.tag == "small" else ""
    bold = context.bold or node.is_on("bold")
    colour = QUIET if node.is_on("quiet") else context.colour
    made = build_text(
        node.children,
        context.style(kind, bold=bold, align=read_align(node, context.align), colour=colour),
        context.width,
    )
    if node.is_on("tight"):
        made.after = 0.0
    return [made]


_LEAD_SHARES = (0.7, 0.75, 0.8, 0.85, 0.9, 0.95)
"""Shares of its column, from the least, in which a lead is tried."""


def _lead(node: Node, context: LayoutContext) -> list[Any]:
    """A lead, its lines about as long as each other: none has a word alone where the one above is full."""
    whole = context.style("lead", align=read_align(node, context.align))
    made = build_text(node.children, whole, context.width)
    if isinstance(made, EnglishParagraph):
        _, high = made.wrap(context.width, _MAX_DEPTH)
        for share in _LEAD_SHARES:
            even = EnglishParagraph(made.words, whole, spare=(1 - share) * context.width)
            if even.wrap(context.width, _MAX_DEPTH)[1] <= high:
                return [even]
    return [made]


def _label(node: Node, context: LayoutContext) -> list[Any]:
    """A quiet label in capitals, spaced out, on one line."""
    setting = context.style("label", align=read_align(node, context.align), colour=QUIET)
    words = collapse_spaces("".join(part for part in node.children if isinstance(part, str))).strip()
    return [OneLine(words.upper(), setting, _LABEL_SPACING[context.lang] * setting.size)]


def _list(node: Node, context: LayoutContext) -> list[Any]:
    first = round(node.number("from", 1))
    numbers = range(first, first + len(node.children))
    items = node.nodes()
    signs = ["•"] * len(items) if node.tag == "ul" else [f"{n}." for n in numbers][: len(items)]
    indent = max((fonts.width(sign, context.size) for sign in signs), default=0.0) + 0.5 * context.size
    setting = context.style(indent=indent)
    made = [build_text(each.children, setting, context.width, sign) for each, sign in zip(items, signs, strict=True)]
    for item in made[:-1]:
        item.after = setting.after / 2
    return made


def _note(node: Node, context: LayoutContext) -> list[Any]:
    pad = 2.2 * MM
    inner = replace(context, width=context.width - 2 * pad)
    heavy = node.choice("frame", ("none", "heavy")) == "heavy"
    return [Panel([(inner.width, build_blocks(node, inner))], pad=pad, tint="" if heavy else TINT, framed=heavy)]


def _keep(node: Node, context: LayoutContext) -> list[Any]:
    return [Panel([(context.width, build_blocks(node, context))])]


def _columns(node: Node, context: LayoutContext) -> list[Any]:
    gap = node.number("gap", 6) * MM
    cols = node.nodes()
    weights = [col.number("weight", 1, 0.1) for col in cols]
    free = context.width - gap * (len(cols) - 1)
    widths = [free * weight / sum(weights) for weight in weights]
    made = [(w, build_blocks(col, replace(context, width=w))) for col, w in zip(cols, widths, strict=True)]
    return [Panel(made, gap=gap, ruled=node.choice("rules", ("none", "light")) == "light")]


def _figure(node: Node, context: LayoutContext) -> list[Any]:
    name = node.attributes.get("name", "")
    if name not in context.figures:
        raise node.error(tr('there is no figure "{name}" to show', name=name), near(name, context.figures))
    figure = context.figures[name]
    wide, high = node.number("width", 0, 1), node.number("height", 0, 1)
    if isinstance(figure, CardView) and not (wide and high):
        raise node.error(tr('shows the card "{name}"', name=name), tr("give its width and height"))
    if (part := node.choice("part", ("map", "legend", "strip"))) != "map":
        if not isinstance(figure, MapView):
            raise node.error(tr('shows the legend of "{name}"', name=name), tr("only a map has one"))
        if part == "strip":
            return [
                Placed(
                    lambda width, _: _strip(figure, context, min(wide or width, width)),
                    read_align(node, context.align),
                )
            ]
        return [
            Placed(
                lambda width, _: _legend(figure, context, min(wide or width, width), high),
                read_align(node, context.align),
            )
        ]

    def make(width: float, height: float) -> Picture:
        if isinstance(figure, Picture):
            return _for_ink(figure, context)
        if isinstance(figure, Code):
            return qr.shared_qr_picture(figure)
        if isinstance(figure, CardView):
            from generator.press.figures.cards import draw_card

            return draw_card(figure, context.lang, context.ink, wide, high)
        if isinstance(figure, Token):
            return _token(figure, context.ink, min(width, wide or _TOKEN))
        return context.map(figure, min(wide or width, width), min(high or height, height))

    per_copy = name if name in context.per_copy else ""
    drawn = isinstance(figure, MapView)
    return [
        Placed(
            make, read_align(node, context.align), fits_height=drawn, elastic=drawn and not high, per_copy=per_copy
        )
    ]


def _legend(view: MapView, context: LayoutContext, width: float, height: float) -> Picture:
    from generator.press.figures.maps import draw_legend

    return draw_legend(view, context.lang, context.ink, width, height)


def _strip(view: MapView, context: LayoutContext, width: float) -> Picture:
    from generator.press.figures.maps import draw_strip

    return draw_strip(view, context.lang, context.ink, width)


def _token(token: Token, ink: str, size: float) -> Picture:
    from generator.press.figures.tokens import token_symbol

    return Picture(size, size, (Use(token_symbol(token, ink), size / 2, size / 2, size / _TOKEN_EXTENT),))


def _icons(node: Node, context: LayoutContext) -> list[Any]:
    """Figures in a row, each in a square of that size in mm, in as many rows as the width asks."""
    size, gap = node.number("size", 6, 2, 60), node.number("gap", 1)
    pictures = []
    names = node.attributes.get("names", "")
    # A person's id may hold a space of any kind: what is called so as a whole is one figure.
    for name in [names] if names in context.figures else names.split():
        figure = context.figures.get(name)
        if figure is None:
            raise node.error(tr('there is no figure "{name}" to show', name=name), near(name, context.figures))
        if isinstance(figure, CardView | Code):
            raise node.error(tr('"{name}" is not an icon', name=name))
        pictures.append(_icon(figure, context, size))
    return [Placed(lambda width, _: marks.draw_row(pictures, size, gap, width), read_align(node, context.align))]


def _icon(figure: Token | Picture | MapView, context: LayoutContext, size: float) -> Picture:
    """A token or a small map as large as a square of that size takes it; a picture as it is."""
    if isinstance(figure, MapView):
        return context.map(figure, size, size)
    return _token(figure, context.ink, size) if isinstance(figure, Token) else _for_ink(figure, context)


def _for_ink(picture: Picture, context: LayoutContext) -> Picture:
    saving = context.ink == "saver" and picture.saver
    return msgspec.structs.replace(picture, upon=picture.saver, layers=(), still=()) if saving else picture


def _qr(node: Node, context: LayoutContext) -> list[Any]:
    words, size = node.attributes.get("text", ""), node.number("size", 12.5, 8, 60)
    return [Placed(lambda _width, _height: qr.qr_picture(words, size), read_align(node, context.align))]


def _rule(node: Node, _at: LayoutContext) -> list[Any]:
    return [Hairline(heavy=node.choice("weight", ("light", "heavy")) == "heavy")]


def _boxes(node: Node, context: LayoutContext) -> list[Any]:
    count, size = round(node.number("n", 1, 0, 200)), node.number("size", 3.8, 2.5, 20)
    group, quiet = round(node.number("group", 5, 1)), node.is_on("quiet")
    side, name = read_align(node, context.align), node.attributes.get("name", "")
    return [
        build_fillable(
            lambda width: marks.draw_boxes(count, size, group, width, quiet), context, align=side, name=name
        )
    ]


def _track(node: Node, context: LayoutContext) -> list[Any]:
    first, last = round(node.number("from", 1)), round(node.number("to", 6))
    if last < first:
        raise node.error(tr("the range is {first} to {last}", first=first, last=last))
    goal = round(node.number("goal", last))
    size, label = node.number("size", 7, 5, 20), node.attributes.get("label", "")
    name = node.attributes.get("name", "")
    return [
        build_fillable(
            lambda width: marks.draw_track(first, last, goal, size, label, context.size, width),
            context,
            label,
            first,
            name=name,
        )
    ]


def _field(node: Node, context: LayoutContext) -> list[Any]:
    label, height = node.attributes.get("label", ""), node.number("height", 7, 5)
    name = node.attributes.get("name", "")
    if node.choice("kind", ("line", "box")) == "box":
        return [
            build_fillable(
                lambda width: marks.draw_writing_box(label, height, context.size, width), context, label, name=name
            )
        ]
    count = round(node.number("lines", 1, 1, 60))
    return [
        build_fillable(
            lambda width: marks.draw_lines(label, count, height, context.size, width), context, label, name=name
        )
    ]


def build_fillable(
    make: Callable[[float], marks.Mark],
    context: LayoutContext,
    label: str = "",
    first: int = 1,
    align: Align = "left",
    name: str = "",
) -> Fillable:
    """A mark, with fields over it in a fillable edition; they are numbered from `first`."""
    return Fillable(make, align, FieldInfo(context.form, context.row, label or context.label, first, name))


def _spacer(node: Node, context: LayoutContext) -> list[Any]:
    return [Spacer(node.number("h", 3) * MM * context.scale)]


_BLOCKS: Mapping[str, Callable[[Node, LayoutContext], list[Any]]] = {
    "h1": _heading,
    "h2": _heading,
    "h3": _heading,
    "para": _paragraph,
    "small": _paragraph,
    "note": _note,
    "ul": _list,
    "ol": _list,
    "columns": _columns,
    "keep": _keep,
    "nextPage": lambda _node, _at: [PageBreak()],
    "spacer": _spacer,
    "label": _label,
    "lead": _lead,
    "spring": lambda _node, _at: [Spring()],
    "rule": _rule,
    "figure": _figure,
    "icons": _icons,
    "qr": _qr,
    "boxes": _boxes,
    "track": _track,
    "field": _field,
    "ruler": lambda _node, _at: [Placed(lambda _width, _height: marks.draw_ruler())],
}
