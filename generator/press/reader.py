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
from generator.press.layout.english import Prose, prose
from generator.press.layout.flowables import Fillable, Flowable, Hairline, PageBreak, Panel, Placed, Spacer, Spring
from generator.press.layout.japanese import paragraph, plain
from generator.press.layout.lines import OneLine
from generator.press.layout.marks import blank
from generator.press.layout.markup import INLINE, Node, squeeze
from generator.press.layout.pages import SHOWN
from generator.press.layout.styles import BLACK, QUIET, TINT, Align, Style, style
from generator.press.layout.tables import Cell, Grid, Row, Rules, Stand
from generator.press.pdf import fonts
from generator.press.pdf.fields import Asked, FieldRow, Form
from generator.press.pdf.units import MM

_SIDE = 1.2
"""White at the left and the right of a cell, in mm, where its table does not say."""
_SPACED: Mapping[Lang, float] = {"en": 0.06, "ja": 0.12}
"""How far the letters of a label stand apart, in type sizes."""
_NAMING = 2
"""How many of its texts name a row."""
_FIXED, _SHARED = re.compile(r"(\d+\.?\d*)(?:mm)?"), re.compile(r"(\d*\.?\d*)\*")
"""How wide a column says it is: in mm, or a share of what is left."""
_STANDS: tuple[Stand, ...] = ("top", "middle", "bottom")
_RULES: tuple[Rules, ...] = ("light", "none", "grid", "lines")


def table(node: Node, at: Setting) -> Grid:
    """The table as a flowable; its head rows are repeated on every page it reaches."""
    rows = node.nodes()
    widths = _widths(node, at.width)
    aligns = _aligns(node, len(widths))
    head = round(node.number("head", 0, 0, 5))
    kind = "small" if node.choice("size", ("body", "small")) == "small" else at.kind
    setting, low = replace(at, kind=kind), node.number("row", 0) * MM
    pad, side = node.number("pad", 0.7) * MM * at.scale, node.number("side", _SIDE) * MM
    stand = cast(Stand, node.choice("valign", _STANDS, "middle"))
    rules, zebra = cast(Rules, node.choice("rules", _RULES)), node.yes("zebra")
    heads = _headings(rows[:head]) if at.form else {}
    made: list[Row] = []
    for r, row in enumerate(rows):
        cells: list[Cell] = []
        c = 0
        heading = r < head or row.yes("bold")
        if at.form:
            setting = replace(setting, row=_called(row, heads))
        here = replace(setting, kind="small", colour=QUIET) if r < head else setting
        for i, cell in enumerate(row.nodes()):
            given = bool(cell.attributes)
            span = round(cell.number("span", 1, 1)) if given else 1
            if c + span > len(widths):
                raise cell.wrong(tr("is too many: the table has {count} columns", count=len(widths)))
            if at.form:
                beside = next(filter(None, map(said, row.nodes()[i + 1 :])), "")
                here = replace(here, label=heads.get(c, beside))
            room = (widths[c] if span == 1 else sum(widths[c : c + span])) - 2 * side
            if room < 0:
                raise cell.wrong(tr("is narrower than the white margin of {side:g} mm on each side", side=side / MM))
            if at.form and low and r >= head and c in heads and _written(cell):
                high = max(setting.style().leading, low - 2 * pad) / MM
                name = cell.attributes.get("name", "")
                shown: list[Flowable] = [fillable(partial(blank, high), replace(here, width=room), name=name)]
            else:
                shown = _cell(cell, here, room, aligns[c], heading or (given and cell.yes("bold")))
            cells.append(Cell(shown, span, cast(Stand, cell.choice("valign", _STANDS, stand)) if given else stand))
            c += span
        if c < len(widths):
            raise row.wrong(tr("has {count} columns of {needed}", count=c, needed=len(widths)))
        made.append(Row(cells, low if r >= head else 0.0, zebra and r > head and (r - head) % 2 == 1))
    if not made:
        raise node.wrong(tr("has no row"))
    grid = Grid(made, widths, head, (pad, side), rules)
    grid.before, grid.after = 2.0 * at.scale, 6.0 * at.scale
    return grid


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


def _called(row: Node, heads: dict[int, str]) -> FieldRow:
    """A row by its first texts; without headings its cells tell more."""
    texts = list(filter(None, map(said, row.nodes())))
    return FieldRow(" ".join(texts[:_NAMING]) if heads else "")


def _written(cell: Node) -> bool:
    """Whether something is to be written in a cell under a heading, where rows have the height for it."""
    return cell.choice("write", ("1", "0")) == "1" and not cell.nodes() and not said(cell)


def _cell(cell: Node, at: Setting, width: float, default: Align, bold: bool) -> list[Any]:
    kind, side, colour = at.kind, default, at.colour
    if cell.attributes:
        size = cell.choice("size", ("body", "small", "big"))
        kind, side = kind if size == "body" else size, align(cell, default)
        colour = QUIET if cell.yes("quiet") else cell.colour(colour)
    if not cell.children:
        return [OneLine("", style(kind, at.lang, at.scale, bold, side, colour))]
    if _worded(cell.children) or all(isinstance(child, str) or child.tag in INLINE for child in cell.children):
        return [text(cell.children, style(kind, at.lang, at.scale, bold, side, colour), width)]
    return blocks(cell, replace(at, width=width, kind=kind, bold=bold, align=side, colour=colour))


def _widths(node: Node, width: float) -> list[float]:
    """Of the columns, in points: `20mm` or `20` is fixed, `2*` a share of what is left."""
    words = node.attributes.get("cols", "").split()
    fixed = {i: float(m[1]) * MM for i, w in enumerate(words) if (m := _FIXED.fullmatch(w))}
    shares = {i: float(m[1] or 1) for i, w in enumerate(words) if (m := _SHARED.fullmatch(w))}
    if not words or len(fixed) + len(shares) < len(words):
        raise node.wrong(
            tr('cols="{attributes}" gives no widths', attributes=node.attributes.get("cols", "")),
            tr('for example cols="20mm * 2*"'),
        )
    free = width - sum(fixed.values())
    if free < -0.01 or (shares and free < 5 * MM * len(shares)):
        raise node.wrong(tr("is wider than the available {width:.0f} mm", width=width / MM))
    return [fixed[i] if i in fixed else free * shares[i] / sum(shares.values()) for i in range(len(words))]


def _aligns(node: Node, count: int) -> list[Align]:
    words = node.attributes.get("align", "").split() or ["left"]
    if len(words) == 1:
        words *= count
    if len(words) != count or any(word not in _ALIGNS for word in words):
        raise node.wrong(
            f'align="{" ".join(words)}"', tr("one word, or one for each column: {aligns}", aligns=[*_ALIGNS])
        )
    return cast(list[Align], words)


_ALIGNS = ("left", "centre", "right")
_TOKEN = 8.0
"""Width of a token in a text, in mm, where the figure states none."""
_TOKEN_EXTENT = 13.4
"""Width of the square that a token's symbol fills, in mm."""


class Setting(msgspec.Struct, frozen=True):
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
    own: Collection[str] = ()
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


def blocks(node: Node, at: Setting) -> list[Any]:
    """The flowables of everything in a node; text between blocks becomes paragraphs."""
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


def text(parts: list[Node | str], style: Style, width: float, bullet: str | None = None) -> Any:
    """A paragraph, or a single line where the text has no markup in it and fits."""
    japanese = style.lang == "ja"
    if bullet is None and _worded(parts):
        whole = squeeze("".join(cast(list[str], parts))).strip()
        if fonts.width(whole, style.size, style.bold) <= width - style.indent and not (japanese and not plain(whole)):
            return OneLine(whole, style)
    if japanese:
        return paragraph(parts, style, width, bullet)
    return Prose(prose(parts, style), style, bullet)


def _worded(parts: list[Node | str]) -> bool:
    """Whether there is no markup in a text."""
    return set(map(type, parts)) <= {str}


def align(node: Node, default: Align = "left") -> Align:
    """The align attribute."""
    return cast(Align, node.choice("align", _ALIGNS, default))


_DEEP = 10_000.0
"""Deeper than any paragraph, in points."""


def _heading(node: Node, at: Setting) -> list[Any]:
    share = _fitting(said(node), at) if node.tag == "h1" else 1.0
    setting = replace(at, scale=at.scale * share)
    return [text(node.children, setting.style(node.tag, align=align(node, at.align)), at.width)]


_TITLES = (1.0, 0.75, 0.58, 0.46)
"""How far the type of a title shrinks, step by step, until it stands on two lines."""


def _fitting(title: str, at: Setting) -> float:
    """The share of its size at which a title takes no more than two lines; the least one for a longer title."""
    room = 1.85 * at.width / fonts.width(title or " ", at.style("h1").size, bold=True)
    return next((share for share in _TITLES if share <= room), _TITLES[-1])


def _paragraph(node: Node, at: Setting) -> list[Any]:
    kind = "small" if node.tag == "small" else ""
    bold = at.bold or node.yes("bold")
    colour = QUIET if node.yes("quiet") else at.colour
    made = text(node.children, at.style(kind, bold=bold, align=align(node, at.align), colour=colour), at.width)
    if node.yes("tight"):
        made.after = 0.0
    return [made]


_EVEN = (0.7, 0.75, 0.8, 0.85, 0.9, 0.95)
"""Shares of its column, from the least, in which a lead is tried."""


def _lead(node: Node, at: Setting) -> list[Any]:
    """A lead, its lines about as long as each other: none has a word alone where the one above is full."""
    whole = at.style("lead", align=align(node, at.align))
    made = text(node.children, whole, at.width)
    if isinstance(made, Prose):
        _, high = made.wrap(at.width, _DEEP)
        for share in _EVEN:
            even = Prose(made.words, whole, spare=(1 - share) * at.width)
            if even.wrap(at.width, _DEEP)[1] <= high:
                return [even]
    return [made]


def _label(node: Node, at: Setting) -> list[Any]:
    """A quiet label in capitals, spaced out, on one line."""
    setting = at.style("label", align=align(node, at.align), colour=QUIET)
    words = squeeze("".join(part for part in node.children if isinstance(part, str))).strip()
    return [OneLine(words.upper(), setting, _SPACED[at.lang] * setting.size)]


def _list(node: Node, at: Setting) -> list[Any]:
    first = round(node.number("from", 1))
    numbers = range(first, first + len(node.children))
    items = node.nodes()
    signs = ["•"] * len(items) if node.tag == "ul" else [f"{n}." for n in numbers][: len(items)]
    indent = max((fonts.width(sign, at.size) for sign in signs), default=0.0) + 0.5 * at.size
    setting = at.style(indent=indent)
    made = [text(each.children, setting, at.width, sign) for each, sign in zip(items, signs, strict=True)]
    for item in made[:-1]:
        item.after = setting.after / 2
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
        raise node.wrong(tr('there is no figure "{name}" to show', name=name), near(name, at.figures))
    figure = at.figures[name]
    wide, high = node.number("width", 0, 1), node.number("height", 0, 1)
    if isinstance(figure, CardView) and not (wide and high):
        raise node.wrong(tr('shows the card "{name}"', name=name), tr("give its width and height"))
    if (part := node.choice("part", ("map", "legend", "strip"))) != "map":
        if not isinstance(figure, MapView):
            raise node.wrong(tr('shows the legend of "{name}"', name=name), tr("only a map has one"))
        if part == "strip":
            return [Placed(lambda width, _: _strip(figure, at, min(wide or width, width)), align(node, at.align))]
        return [Placed(lambda width, _: _legend(figure, at, min(wide or width, width), high), align(node, at.align))]

    def make(width: float, height: float) -> Picture:
        if isinstance(figure, Picture):
            return _inked(figure, at)
        if isinstance(figure, Code):
            return qr.coded(figure)
        if isinstance(figure, CardView):
            from generator.press.figures.cards import draw_card

            return draw_card(figure, at.lang, at.ink, wide, high)
        if isinstance(figure, Token):
            return _token(figure, at.ink, min(width, wide or _TOKEN))
        return at.map(figure, min(wide or width, width), min(high or height, height))

    own = name if name in at.own else ""
    drawn = isinstance(figure, MapView)
    return [Placed(make, align(node, at.align), heeds=drawn, elastic=drawn and not high, own=own)]


def _legend(view: MapView, at: Setting, width: float, height: float) -> Picture:
    from generator.press.figures.maps import draw_legend

    return draw_legend(view, at.lang, at.ink, width, height)


def _strip(view: MapView, at: Setting, width: float) -> Picture:
    from generator.press.figures.maps import draw_strip

    return draw_strip(view, at.lang, at.ink, width)


def _token(token: Token, ink: str, size: float) -> Picture:
    from generator.press.figures.standing import token_symbol

    return Picture(size, size, (Use(token_symbol(token, ink), size / 2, size / 2, size / _TOKEN_EXTENT),))


def _icons(node: Node, at: Setting) -> list[Any]:
    """Figures in a row, each in a square of that size in mm, in as many rows as the width asks."""
    size, gap = node.number("size", 6, 2, 60), node.number("gap", 1)
    shown = []
    names = node.attributes.get("names", "")
    # A person's id may hold a space of any kind: what is called so as a whole is one figure.
    for name in [names] if names in at.figures else names.split():
        figure = at.figures.get(name)
        if figure is None:
            raise node.wrong(tr('there is no figure "{name}" to show', name=name), near(name, at.figures))
        if isinstance(figure, CardView | Code):
            raise node.wrong(tr('"{name}" is not an icon', name=name))
        shown.append(_icon(figure, at, size))
    return [Placed(lambda width, _: marks.row(shown, size, gap, width), align(node, at.align))]


def _icon(figure: Token | Picture | MapView, at: Setting, size: float) -> Picture:
    """A token or a small map as large as a square of that size takes it; a picture as it is."""
    if isinstance(figure, MapView):
        return at.map(figure, size, size)
    return _token(figure, at.ink, size) if isinstance(figure, Token) else _inked(figure, at)


def _inked(picture: Picture, at: Setting) -> Picture:
    saving = at.ink == "saver" and picture.saver
    return msgspec.structs.replace(picture, upon=picture.saver, layers=(), still=()) if saving else picture


def _qr(node: Node, at: Setting) -> list[Any]:
    words, size = node.attributes.get("text", ""), node.number("size", 12.5, 8, 60)
    return [Placed(lambda _width, _height: qr.qr(words, size), align(node, at.align))]


def _rule(node: Node, _at: Setting) -> list[Any]:
    return [Hairline(heavy=node.choice("weight", ("light", "heavy")) == "heavy")]


def _boxes(node: Node, at: Setting) -> list[Any]:
    count, size = round(node.number("n", 1, 0, 200)), node.number("size", 3.8, 2.5, 20)
    group, quiet = round(node.number("group", 5, 1)), node.yes("quiet")
    side, name = align(node, at.align), node.attributes.get("name", "")
    return [fillable(lambda width: marks.boxes(count, size, group, width, quiet), at, align=side, name=name)]


def _track(node: Node, at: Setting) -> list[Any]:
    first, last = round(node.number("from", 1)), round(node.number("to", 6))
    if last < first:
        raise node.wrong(tr("the range is {first} to {last}", first=first, last=last))
    goal = round(node.number("goal", last))
    size, label = node.number("size", 7, 5, 20), node.attributes.get("label", "")
    name = node.attributes.get("name", "")
    return [
        fillable(
            lambda width: marks.track(first, last, goal, size, label, at.size, width), at, label, first, name=name
        )
    ]


def _field(node: Node, at: Setting) -> list[Any]:
    label, height = node.attributes.get("label", ""), node.number("height", 7, 5)
    name = node.attributes.get("name", "")
    if node.choice("kind", ("line", "box")) == "box":
        return [fillable(lambda width: marks.room(label, height, at.size, width), at, label, name=name)]
    count = round(node.number("lines", 1, 1, 60))
    return [fillable(lambda width: marks.lines(label, count, height, at.size, width), at, label, name=name)]


def fillable(
    make: Callable[[float], marks.Mark],
    at: Setting,
    label: str = "",
    first: int = 1,
    align: Align = "left",
    name: str = "",
) -> Fillable:
    """A mark, with fields over it in a fillable edition; they are numbered from `first`."""
    return Fillable(make, align, Asked(at.form, at.row, label or at.label, first, name))


def _spacer(node: Node, at: Setting) -> list[Any]:
    return [Spacer(node.number("h", 3) * MM * at.scale)]


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
    "ruler": lambda _node, _at: [Placed(lambda _width, _height: marks.ruler())],
}
