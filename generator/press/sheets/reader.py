"""From the markup's nodes to flowables, set for one width, language and share of the type's size."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from html import escape
from typing import Any, cast

from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus.flowables import PageBreak, Spacer
from reportlab.platypus.paragraph import Paragraph

from generator.errors import near
from generator.model.picture import Picture, Use
from generator.model.views import CardView, Figure, MapView, Token
from generator.model.words import Lang
from generator.press import BOLD
from generator.press.canvas import MM
from generator.press.pieces import marks
from generator.press.sheets.filling import SHOWN
from generator.press.sheets.flowables import Drawn, Fillable, Line, Panel, Rule
from generator.press.sheets.forms import Asked, Form, Row
from generator.press.sheets.japanese import japanese
from generator.press.sheets.markup import INLINE, Node, squeeze
from generator.press.type import fonts
from generator.press.type.styles import BLACK, TINT, Align, style

_SLACK = 1.0
"""Points left free at the end of a Japanese line, lest ReportLab, who sums up otherwise, breaks it once more."""
_ALIGNS = ("left", "centre", "right")
_TOKEN = 8.0
"""Width of a token in a text, in mm, where the figure states none."""
_TOKEN_EXTENT = 13.4
"""Width of the square that a token's symbol fills, in mm."""


@dataclass(frozen=True)
class Setting:
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
    row: Row | None = None
    label: str = ""
    """The last text before, which tells what is ticked or written here."""

    def style(self, kind: str = "", **changes: Any) -> ParagraphStyle:
        """The paragraph style that holds here."""
        here = {"bold": self.bold, "align": self.align, "colour": self.colour, **changes}
        return style(kind or self.kind, self.lang, self.scale, **here)

    @property
    def size(self) -> float:
        """The type size that holds here, in points."""
        return float(self.style().fontSize)


def blocks(node: Node, at: Setting) -> list[Any]:
    """The flowables of everything in a node; text between blocks becomes paragraphs."""
    from generator.press.sheets.tables import table

    flowables: list[Any] = []
    run: list[Node | str] = []

    def flush() -> None:
        if any(isinstance(part, Node) or part.strip() for part in run):
            flowables.append(text(run, at.style(), at.width))
        run.clear()

    for child in node.children:
        if isinstance(child, str) or child.tag in INLINE:
            run.append(child)
            continue
        flush()
        if child.tag == "table":
            flowables.append(table(child, at))
        else:
            flowables += _BLOCKS[child.tag](child, at)
        if at.form and child.tag in ("h1", "h2", "h3", "para", "small"):
            at = replace(at, label=said(child))
    flush()
    return flowables


def said(node: Node) -> str:
    """The text in an element, as far as a label shows it."""
    parts = (part if isinstance(part, str) else said(part) for part in node.children)
    plain = squeeze(" ".join(parts)).strip()
    return plain if len(plain) <= SHOWN else f"{plain[:SHOWN]}…"


def text(parts: list[Node | str], style: ParagraphStyle, width: float, bullet: str | None = None) -> Any:
    """A paragraph, or a single line where the text has no markup in it and fits."""
    if bullet is None and all(isinstance(part, str) for part in parts):
        plain = squeeze("".join(cast(list[str], parts))).strip()
        bold = style.fontName == BOLD
        if fonts.width(plain, style.fontSize, bold) <= width - style.leftIndent:
            return Line(plain, style)
    if style.wordWrap == "CJK":
        room = width - style.leftIndent - _SLACK
        return Paragraph(japanese(parts, style, room), style, bulletText=bullet)
    return Paragraph(_inline(parts).strip(), style, bulletText=bullet)


def _inline(parts: list[Node | str]) -> str:
    """Inline content in the markup that Paragraph reads, with every text escaped."""
    made = []
    for part in parts:
        if isinstance(part, str):
            made.append(escape(squeeze(part), quote=False))
        elif part.tag == "br":
            made.append("<br/>")
        elif part.tag == "b":
            made.append(f"<b>{_inline(part.children)}</b>")
        else:
            made.append(f'<font color="{part.colour()}">{_inline(part.children)}</font>')
    return "".join(made)


def align(node: Node, default: Align = "left") -> Align:
    """The align attribute."""
    return cast(Align, node.choice("align", _ALIGNS, default))


def _heading(node: Node, at: Setting) -> list[Any]:
    return [text(node.children, at.style(node.tag, align=align(node, at.align)), at.width)]


def _paragraph(node: Node, at: Setting) -> list[Any]:
    kind = "small" if node.tag == "small" else ""
    bold = at.bold or node.yes("bold")
    return [text(node.children, at.style(kind, bold=bold, align=align(node, at.align)), at.width)]


def _list(node: Node, at: Setting) -> list[Any]:
    first = round(node.number("from", 1))
    numbers = range(first, first + len(node.children))
    items = node.nodes()
    signs = ["•"] * len(items) if node.tag == "ul" else [f"{n}." for n in numbers][: len(items)]
    indent = max((fonts.width(sign, at.size) for sign in signs), default=0.0) + 0.5 * at.size
    setting = at.style(indent=indent)
    made = [text(item.children, setting, at.width, sign) for item, sign in zip(items, signs, strict=True)]
    for paragraph in made[:-1]:
        paragraph.spaceAfter = setting.spaceAfter / 2
    return made


def _note(node: Node, at: Setting) -> list[Any]:
    pad = 2.2 * MM
    inner = replace(at, width=at.width - 2 * pad)
    heavy = node.choice("frame", ("none", "heavy")) == "heavy"
    return [Panel([(inner.width, blocks(node, inner))], pad=pad, tint="" if heavy else TINT, framed=heavy)]


def _keep(node: Node, at: Setting) -> list[Any]:
    return [Panel([(at.width, blocks(node, at))])]


def _columns(node: Node, at: Setting) -> list[Any]:
    gap = node.number("gap", 6) * MM
    cols = node.nodes()
    weights = [col.number("weight", 1, 0.1) for col in cols]
    free = at.width - gap * (len(cols) - 1)
    widths = [free * weight / sum(weights) for weight in weights]
    made = [(w, blocks(col, replace(at, width=w))) for col, w in zip(cols, widths, strict=True)]
    return [Panel(made, gap=gap, ruled=node.choice("rules", ("none", "light")) == "light")]


def _figure(node: Node, at: Setting) -> list[Any]:
    name = node.attributes.get("name", "")
    if name not in at.figures:
        raise node.wrong(f'shows no figure "{name}"', near(name, at.figures))
    figure = at.figures[name]
    wide, high = node.number("width", 0, 1), node.number("height", 0, 1)
    if isinstance(figure, CardView) and not (wide and high):
        raise node.wrong(f'shows the card "{name}"', "give its width and height")
    if node.choice("part", ("map", "legend")) == "legend":
        if not isinstance(figure, MapView):
            raise node.wrong(f'shows the legend of "{name}"', "only a map has one")
        return [Drawn(lambda width, _: _legend(figure, at, min(wide or width, width), high), align(node, at.align))]

    def make(width: float, height: float) -> Picture:
        if isinstance(figure, Picture):
            return figure
        if isinstance(figure, CardView):
            from generator.press.pieces.cards import draw_card

            cards = [card for card in at.figures.values() if isinstance(card, CardView)]
            return draw_card(figure, at.lang, at.ink, wide, high, cards)
        if isinstance(figure, Token):
            return _token(figure, at.ink, min(width, wide or _TOKEN))
        from generator.press.maps.maps import draw_map

        room = min(wide or width, width), min(high or height, height)
        return draw_map(figure, at.lang, at.ink, *room, turned=at.turned)

    return [Drawn(make, align(node, at.align), elastic=isinstance(figure, MapView) and not high)]


def _legend(view: MapView, at: Setting, width: float, height: float) -> Picture:
    from generator.press.maps.legends import draw_legend

    return draw_legend(view, at.lang, at.ink, width, height)


def _token(token: Token, ink: str, size: float) -> Picture:
    from generator.press.symbols.tokens import token_symbol

    return Picture(size, size, (Use(token_symbol(token, ink), size / 2, size / 2, size / _TOKEN_EXTENT),))


def _boxes(node: Node, at: Setting) -> list[Any]:
    count, size = round(node.number("n", 1, 0, 200)), node.number("size", 3.8, 2.5, 20)
    group = round(node.number("group", 5, 1))
    return [fillable(lambda width: marks.boxes(count, size, group, width), at, align=align(node, at.align))]


def _track(node: Node, at: Setting) -> list[Any]:
    first, last = round(node.number("from", 1)), round(node.number("to", 6))
    if last < first:
        raise node.wrong(f"runs from {first} to {last}")
    goal = round(node.number("goal", last))
    size, label = node.number("size", 7, 5, 20), node.attributes.get("label", "")
    return [fillable(lambda width: marks.track(first, last, goal, size, label, at.size, width), at, label, first)]


def _field(node: Node, at: Setting) -> list[Any]:
    label, height = node.attributes.get("label", ""), node.number("height", 7, 5)
    if node.choice("kind", ("line", "box")) == "box":
        return [fillable(lambda width: marks.room(label, height, at.size, width), at, label)]
    count = round(node.number("lines", 1, 1, 60))
    return [fillable(lambda width: marks.lines(label, count, height, at.size, width), at, label)]


def fillable(
    make: Callable[[float], marks.Mark], at: Setting, label: str = "", first: int = 1, align: Align = "left"
) -> Fillable:
    """A mark, with fields over it in a fillable edition; they are numbered from `first`."""
    return Fillable(make, align, Asked(at.form, at.row, label or at.label, first))


def _spacer(node: Node, at: Setting) -> list[Any]:
    return [Spacer(1, node.number("h", 3) * MM * at.scale)]


_BLOCKS: Mapping[str, Callable[[Node, Setting], list[Any]]] = {
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
    "rule": lambda _node, _at: [Rule()],
    "figure": _figure,
    "boxes": _boxes,
    "track": _track,
    "field": _field,
    "ruler": lambda _node, _at: [Drawn(lambda _width, _height: marks.ruler())],
}
