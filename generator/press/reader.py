"""Convert the nodes of a sheet's markup to flowables for a given width, language and type scale."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import msgspec
from msgspec.structs import replace

from generator.errors import near
from generator.localization import tr
from generator.model.picture import Picture, Use
from generator.model.views import CardView, Code, Figure, MapView, Token
from generator.model.words import Lang
from generator.press.alternative_texts import describe, describe_legend, sentence
from generator.press.layout import marks, qr
from generator.press.layout.english import EnglishParagraph
from generator.press.layout.flowables import (
    HEAVY_FRAME,
    THIN_FRAME,
    Hairline,
    PageBreak,
    Panel,
    Placed,
    Spacer,
    Spring,
)
from generator.press.layout.lines import OneLine
from generator.press.layout.markup import INLINE, Node, collapse_spaces
from generator.press.layout.styles import QUIET, TINT
from generator.press.layout_context import LayoutContext, build_fillable, build_text, label_text, read_align
from generator.press.pdf import fonts
from generator.press.pdf.tags import Level, Place
from generator.press.table_reader import build_table

_LABEL_SPACING: Mapping[Lang, float] = {"en": 0.06, "ja": 0.12}
"""Letter spacing of a label, relative to the type size."""


_TOKEN = 8.0
"""Default width of a token in text, in mm."""
_TOKEN_EXTENT = 13.4
"""Side of the square around a token's symbol, in units of the symbol."""


def build_blocks(node: Node, context: LayoutContext) -> list[Any]:
    """Return the flowables for the content of a node. Text between blocks becomes paragraphs."""
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
            flowables.append(build_table(child, context, build_blocks))
        else:
            flowables += _BLOCKS[child.tag](child, context)
        if context.form and child.tag in ("h1", "h2", "h3", "para", "small"):
            context = replace(context, label=label_text(child))
    flush()
    return flowables


_MAX_DEPTH = 10_000.0
"""Height in points that exceeds the height of any paragraph."""


def _heading(node: Node, context: LayoutContext) -> list[Any]:
    share = _fitting(label_text(node), context, round(node.number("lines", 2, 1, 2))) if node.tag == "h1" else 1.0
    setting = replace(context, scale=context.scale * share)
    made = build_text(node.children, setting.style(node.tag, align=read_align(node, context.align)), context.width)
    made.role = node.tag.upper()
    return [made]


_TITLE_SCALES = (1.0, 0.75, 0.58, 0.46)
"""Scales of a title's type, which are tried in this order until the title fits on two lines."""


_ONE_LINE_SCALES = (1.0, 0.9, 0.8, 0.72, 0.66)
"""Scales of the type of a title that should take one line. A longer title takes two lines."""


def _fitting(title: str, context: LayoutContext, lines: int) -> float:
    """Return the scale at which a title fits on one or two lines, or the smallest scale if there is none."""
    room = 1.85 * context.width / fonts.width(title or " ", context.style("h1").size, bold=True)
    if lines == 1 and (fitting := [share for share in _ONE_LINE_SCALES if share <= room / 1.87]):
        return fitting[0]
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
"""Fractions of the column's width that are tried for a lead, in this order."""


def _lead(node: Node, context: LayoutContext) -> list[Any]:
    """Return a lead with lines of similar length, so that the last line does not have only one word."""
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
    """Return a label as a single line of grey, letter-spaced capitals."""
    setting = context.style("label", align=read_align(node, context.align), colour=QUIET)
    words = collapse_spaces("".join(part for part in node.children if isinstance(part, str))).strip().upper()
    spacing = _LABEL_SPACING[context.lang] * setting.size
    if context.small and fonts.width(words, setting.size, setting.bold) + spacing * len(words) > context.width:
        return [build_text([words], setting, context.width)]
    return [OneLine(words, setting, spacing)]


def _list(node: Node, context: LayoutContext) -> list[Any]:
    first = round(node.number("from", 1))
    numbers = range(first, first + len(node.children))
    items = node.nodes()
    signs = ["•"] * len(items) if node.tag == "ul" else [f"{n}." for n in numbers][: len(items)]
    indent = max((fonts.width(sign, context.size) for sign in signs), default=0.0) + 0.5 * context.size
    setting = context.style(indent=indent)
    made = [build_text(each.children, setting, context.width, sign) for each, sign in zip(items, signs, strict=True)]
    whole = Level("L")
    for number, item in enumerate(made, 1):
        item.place = Place((whole, Level("LI"), Level("LBody")), 3 if number == len(made) else 2)
    for item in made[:-1]:
        item.after = setting.after / 2
    return made


_NOTE_PAD, _TAB_PAD = 2.2, 0.8
"""Space around the content of a note in mm, and around that of a note with a tint of its own, which is a tab."""


def _note(node: Node, context: LayoutContext) -> list[Any]:
    pad = context.points(_TAB_PAD if "tint" in node.attributes else _NOTE_PAD)
    inner = replace(context, width=context.width - 2 * pad)
    heavy = node.choice("frame", ("none", "heavy")) == "heavy"
    columns = [(inner.width, build_blocks(node, inner))]
    if own_tint := node.tint():
        # An ink-saving print has a thin frame instead of the tint.
        saving = context.ink == "saver"
        return [Panel(columns, pad=pad, tint="" if saving else own_tint, frame=THIN_FRAME if saving else 0.0)]
    return [Panel(columns, pad=pad, tint="" if heavy else TINT, frame=HEAVY_FRAME if heavy else 0.0)]


def _keep(node: Node, context: LayoutContext) -> list[Any]:
    return [Panel([(context.width, build_blocks(node, context))])]


def _columns(node: Node, context: LayoutContext) -> list[Any]:
    gap = context.points(node.number("gap", 6))
    cols = node.nodes()
    weights = [col.number("weight", 1, 0.1) for col in cols]
    free = context.width - gap * (len(cols) - 1)
    widths = [free * weight / sum(weights) for weight in weights]
    if context.small and node.is_on("stack"):
        return [flowable for col in cols for flowable in build_blocks(col, context)]
    made = [(w, build_blocks(col, replace(context, width=w))) for col, w in zip(cols, widths, strict=True)]
    read_first = round(node.number("read", 1, 1, len(cols))) - 1
    ruled = node.choice("rules", ("none", "light")) == "light"
    return [Panel(made, gap=gap, ruled=ruled, read_first=read_first)]


def _figure(node: Node, context: LayoutContext) -> list[Any]:
    name = node.attributes.get("name", "")
    if name not in context.figures:
        raise node.error(tr('there is no figure named "{name}"', name=name), near(name, context.figures))
    figure = context.figures[name]
    wide, high = (context.unit * node.number(side, 0, 1) for side in ("width", "height"))
    if isinstance(figure, CardView) and not (wide and high):
        raise node.error(
            tr('shows the card "{name}" without a size', name=name), tr("give the card's width and height")
        )
    if (part := node.choice("part", ("map", "legend", "strip"))) != "map":
        if not isinstance(figure, MapView):
            raise node.error(tr('"{name}" has no legend', name=name), tr("only a map has a legend"))
        if part == "strip":
            return [
                Placed(
                    lambda width, _: _strip(figure, context, min(wide or width, width)),
                    read_align(node, context.align),
                    shrinks=context.small,
                    alt=partial(describe_legend, figure, context.lang),
                )
            ]
        return [
            Placed(
                lambda width, _: _legend(figure, context, min(wide or width, width), high),
                read_align(node, context.align),
                shrinks=context.small,
                alt=partial(describe_legend, figure, context.lang),
            )
        ]

    names = node.attributes.get("scale", "").split()
    others = {name: context.figures.get(name) for name in names}
    same_scale = [other for other in others.values() if isinstance(other, MapView)]
    if strange := next((name for name, other in others.items() if not isinstance(other, MapView)), ""):
        raise node.error(tr('there is no map named "{name}"', name=strange), near(strange, context.figures))

    def make(width: float, height: float) -> Picture:
        if isinstance(figure, Picture):
            return _for_ink(figure, context)
        if isinstance(figure, Code):
            return qr.shared_qr_picture(figure)
        if isinstance(figure, CardView):
            from generator.press.figures.cards import draw_card

            return draw_card(figure, context.lang, context.ink, wide, high)
        if isinstance(figure, Token):
            return _token(figure, context.ink, min(width, wide or context.unit * _TOKEN))
        return context.map(figure, min(wide or width, width), min(high or height, height), same_scale)

    per_copy = name if name in context.per_copy else ""
    drawn = isinstance(figure, MapView)
    return [
        Placed(
            make,
            read_align(node, context.align),
            fits_height=drawn,
            elastic=drawn and not high,
            per_copy=per_copy,
            shrinks=context.small,
            avoids_fold=node.is_on("fold"),
            alt=_alt(node, partial(describe, figure, context.lang, context.turned)),
        )
    ]


def _alt(node: Node, usual: Callable[[], str]) -> Callable[[], str]:
    """Return a function that returns the alternative text of an element, or else the usual text."""
    given = node.attributes.get("alt")
    return usual if given is None else lambda: given


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
    """Return figures in squares of the given size in mm, in as many rows as the width requires."""
    size, gap = context.unit * node.number("size", 6, 2, 60), context.unit * node.number("gap", 1)
    pictures, figures = list[Picture](), list[Figure]()
    names = node.attributes.get("names", "")
    # The id of a figure in a user's file may contain spaces, so the whole attribute is tried first.
    for name in [names] if names in context.figures else names.split():
        figure = context.figures.get(name)
        if figure is None:
            raise node.error(tr('there is no figure named "{name}"', name=name), near(name, context.figures))
        if isinstance(figure, CardView | Code):
            raise node.error(tr('"{name}" is not an icon', name=name))
        pictures.append(_icon(figure, context, size))
        figures.append(figure)
    make = partial(_row_of_icons, pictures, size, gap)
    alt = _alt(node, partial(_describe_icons, figures, context))
    return [Placed(make, read_align(node, context.align), shrinks=context.small, alt=alt)]


def _row_of_icons(pictures: list[Picture], size: float, gap: float, width: float, _height: float) -> Picture:
    return marks.draw_row(pictures, size, gap, width)


def _describe_icons(figures: list[Figure], context: LayoutContext) -> str:
    """Return the descriptions of several figures, each once."""
    described = dict.fromkeys(filter(None, (describe(figure, context.lang) for figure in figures)))
    return {"en": "; ", "ja": "；"}[context.lang].join(described)


def _icon(figure: Token | Picture | MapView, context: LayoutContext, size: float) -> Picture:
    """Return a token or a map scaled to a square of this size in mm. Other pictures are returned unchanged."""
    if isinstance(figure, MapView):
        return context.map(figure, size, size)
    return _token(figure, context.ink, size) if isinstance(figure, Token) else _for_ink(figure, context)


def _for_ink(picture: Picture, context: LayoutContext) -> Picture:
    if context.ink == "saver" and picture.saver:
        picture = msgspec.structs.replace(picture, upon=picture.saver, layers=(), still=())
    return marks.shrink_picture(picture, context.unit) if context.small else picture


def _qr(node: Node, context: LayoutContext) -> list[Any]:
    words, size = node.attributes.get("text", ""), node.number("size", 12.5, 8, 60)
    alt = _alt(node, partial(sentence, "qr", context.lang, text=words))
    return [Placed(lambda _width, _height: qr.qr_picture(words, size), read_align(node, context.align), alt=alt)]


def _rule(node: Node, _at: LayoutContext) -> list[Any]:
    weight = node.choice("weight", ("light", "heavy", "cut"))
    return [Hairline(heavy=weight == "heavy", dashed=weight == "cut")]


_MIN_BOX, _MIN_CIRCLE, _MIN_LINE = 2.5, 5.0, 5.0
"""Minimum size in mm of a box to tick and of a circle in a track, and minimum height of a line to write on, on the
small pages of booklets."""


def _boxes(node: Node, context: LayoutContext) -> list[Any]:
    count, size = round(node.number("n", 1, 0, 200)), max(_MIN_BOX, context.unit * node.number("size", 3.8, 2.5, 20))
    group, quiet = round(node.number("group", 5, 1)), node.is_on("quiet")
    side, name = read_align(node, context.align), node.attributes.get("name", "")
    return [
        build_fillable(
            lambda width: marks.draw_boxes(count, size, group, width, quiet),
            context,
            align=side,
            name=name,
            alt=_alt(node, partial(sentence, "boxes", context.lang, n=count)) if count else None,
        )
    ]


def _track(node: Node, context: LayoutContext) -> list[Any]:
    first, last = round(node.number("from", 1)), round(node.number("to", 6))
    if last < first:
        raise node.error(tr("the range {first} to {last} ends before it starts", first=first, last=last))
    goal = round(node.number("goal", last))
    size, label = max(_MIN_CIRCLE, context.unit * node.number("size", 7, 5, 20)), node.attributes.get("label", "")
    name = node.attributes.get("name", "")

    def describe_track() -> str:
        return _labelled(label, sentence("track", context.lang, first=first, last=last), context.lang)

    return [
        build_fillable(
            lambda width: marks.draw_track(first, last, goal, size, label, context.size, width),
            context,
            label,
            first,
            name=name,
            alt=_alt(node, describe_track),
        )
    ]


def _field(node: Node, context: LayoutContext) -> list[Any]:
    label, height = node.attributes.get("label", ""), max(_MIN_LINE, context.unit * node.number("height", 7, 5))
    name = node.attributes.get("name", "")
    if node.choice("kind", ("line", "box")) == "box":
        return [
            build_fillable(
                lambda width: marks.draw_writing_box(label, height, context.size, width),
                context,
                label,
                name=name,
                alt=_alt(node, lambda: _labelled(label, sentence("field", context.lang), context.lang)),
            )
        ]
    count = round(node.number("lines", 1, 1, 60))
    return [
        build_fillable(
            lambda width: marks.draw_lines(label, count, height, context.size, width),
            context,
            label,
            name=name,
            alt=_alt(node, lambda: _labelled(label, sentence("field", context.lang), context.lang)),
        )
    ]


def _labelled(label: str, description: str, lang: Lang) -> str:
    """Return the description of a mark after its label."""
    colon = {"en": ": ", "ja": "："}[lang]
    return f"{label}{colon}{description}" if label else description


def _ruler(_node: Node, context: LayoutContext) -> list[Any]:
    return [Placed(lambda _width, _height: marks.draw_ruler(), alt=partial(sentence, "ruler", context.lang))]


def _spacer(node: Node, context: LayoutContext) -> list[Any]:
    return [Spacer(context.points(node.number("h", 3)) * context.scale)]


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
    "nextPage": lambda _node, context: [] if context.small else [PageBreak()],
    "spacer": _spacer,
    "label": _label,
    "lead": _lead,
    "spring": lambda _node, context: [] if context.small else [Spring()],
    "rule": _rule,
    "figure": _figure,
    "icons": _icons,
    "qr": _qr,
    "boxes": _boxes,
    "track": _track,
    "field": _field,
    "ruler": _ruler,
}
