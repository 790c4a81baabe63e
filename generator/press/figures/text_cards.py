"""Draw text cards with heading, emblems, facts, tables and paragraphs, in the largest type that fits."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from generator.errors import DoesNotFitError
from generator.grid.hexes import Hex, field
from generator.localization import tr
from generator.model.picture import POINTS, Item, Path, Pen, Picture, Text, Use, line, rectangle
from generator.model.views import CardTable, MapView, TextCard, Token
from generator.model.words import Lang
from generator.press.figures.maps import draw_field
from generator.press.figures.tokens import token_symbol
from generator.press.layout.fitting import fit_title, fitting_size, text_width, wrap_text
from generator.press.layout.styles import LIGHT
from generator.press.pdf import fonts
from generator.press.pdf.legible import FLOOR
from generator.symbols.shapes import Place, round_box
from generator.symbols.theme import Palette, look, theme

HEAD, BAND, NOTE, GAP, PAD = 9.6, 4.8, 3.4, 1.6, 2.2
"""Heights in mm of the heading, the band below it, the note and a gap, followed by the padding inside the frame."""
SIZES = (9.0, 8.5, 8.0, 7.5, FLOOR)
"""Type sizes for facts and paragraphs in points, in the order in which they are tried."""
LEADING = 1.36
"""Distance between baselines as a multiple of the type size."""
LINE = 0.4
"""Line height of a name, in mm per point of type size."""
TALL = 80.5
"""Frame height in mm below which the heading shrinks in proportion."""
SHARES = (1.0, 0.6, 0.0)
"""Scales to which emblems shrink to make room for text."""
EMBLEM, ALONE = 0.16, 0.24
"""Height of the emblems relative to the height of the card, above facts and above paragraphs without facts."""
SHORT_LAST_LINE = 2
"""A last line with at most this number of letters is avoided."""
COLUMN, LARGE = 5.6, 1.25
"""Width of columns of short numbers in mm, and the scale of the numbers in a table with a single row."""
QUIET = "#6b665a"


def draw_text_card(card: TextCard, lang: Lang, ink: str, width: float, height: float, margin: float = 0.2) -> Picture:
    """Return the face of a text card with the given size in mm, with its frame `margin` mm inside the cut edge.

    If the content does not fit, the emblems shrink first. On cards with a `brief` text, paragraphs and long tables
    are then left out.

    Raises:
        DoesNotFitError: If a text does not fit. The error names the text.
    """
    fonts.ensure_registered(lang)
    c = look("token shape", theme().shape, card.shape).ink(ink)
    high = height - 2 * margin
    k = min(1.0, high / TALL)
    pad, gap = k * PAD, k * GAP
    inner, top, foot = width - 2 * (margin + pad), height - margin, margin
    left = margin + pad
    items: list[Item] = [Path(round_box(margin, margin, width - 2 * margin, high, 1.9), "#ffffff")]
    items += _head(card, lang, c, (margin, top, width - 2 * margin), k)
    items.append(Path(round_box(margin, margin, width - 2 * margin, high, 1.9), None, Pen(c.line, 0.4)))
    top -= k * (HEAD + BAND) + gap
    if card.note and card.note[lang] and (text_width(card.note[lang], FLOOR) <= inner or not card.brief):
        size = fitting_size(card.note[lang], inner, FLOOR, FLOOR)
        items.append(Text(width / 2, foot + 1.1, card.note[lang], size, "middle", False, QUIET))
        foot += NOTE
    foot += 0.6
    share, body = _fit_body(card, lang, inner, (top, foot, height))
    drop = share * (EMBLEM if card.facts else ALONE) * height
    if drop:
        items += _emblems(card, ink, left, top - drop, inner, drop)
        top -= drop + gap
    # Most of the free height is left below the content and some above, so that the content forms a single block.
    start = top - (top - foot - body.depth) * (0.12 if card.facts else 0.3)
    return Picture(width, height, (*items, *_body(body, c, left, start, inner)))


def _fit_body(card: TextCard, lang: Lang, width: float, at: tuple[float, float, float]) -> tuple[float, _Body]:
    """Return the scale of the emblems and the content below them.

    `at` is the top and bottom of the available area and the height of the card, in mm.
    """
    top, foot, height = at
    for version in _shorter_versions(card):
        for share in SHARES if card.emblems else (0.0,):
            high = share * (EMBLEM if card.facts else ALONE) * height
            if body := _set_body(version, lang, width, top - (high + GAP if high else 0.0) - foot):
                return share, body
    raise _does_not_fit(card, lang)


def _shorter_versions(card: TextCard) -> Iterator[TextCard]:
    """Yield the card, followed by versions with less content and a line that refers to the omitted content."""
    yield card
    if card.brief:
        yield replace(card, texts=(card.brief,))
        yield replace(card, texts=(card.brief,), tables=tuple(t for t in card.tables if len(t.rows) == 1))
        yield replace(card, texts=(card.brief,), tables=(), facts=())


def _does_not_fit(card: TextCard, lang: Lang) -> DoesNotFitError:
    cells = (cell[lang] for table in card.tables for row in table.rows for cell in row)
    texts = [*(text[lang] for text in card.texts), *(value[lang] for _, value in card.facts), *cells]
    longest = max(texts, key=len)
    excerpt = longest if len(longest) <= 60 else f"{longest[:60]}…"
    message = tr(
        "card {name!r}: the text {text!r} does not fit, even at the smallest size ({floor:g} pt)",
        name=card.name[lang],
        text=excerpt,
        floor=SIZES[-1],
    )
    return DoesNotFitError(message, hint=tr("shorten the text, or choose a larger card"))


def _head(card: TextCard, lang: Lang, c: Palette, at: tuple[float, float, float], k: float) -> Iterator[Item]:
    """Yield the name on a dark strip, and the kind of card below it, which is shortened on a small card.

    `at` is left, top and width in mm.
    """
    (x, top, width), head, band = at, k * HEAD, k * BAND
    middle = x + width / 2
    yield rectangle(x, top - head - band, width, band, c.tint)
    yield Path(round_box(x, top - head, width, head, 1.9, below=False), c.fill, Pen(c.line, 0.3))
    yield line(((x, top - head - band), (x + width, top - head - band)), Pen(c.line, 0.2))
    name = card.name[lang]
    size, lines = fit_title(name, width - 4 * k, 12.0 * k)
    for row, part in enumerate(lines):
        level = top - head / 2 - 0.125 * size + ((len(lines) - 1) / 2 - row) * LINE * size
        yield Text(middle, level, part, size, "middle", True, c.light)
    kind = card.kind[lang]
    while text_width(kind, FLOOR, bold=True) > width - 3 and (parted := re.search(r"(.+)( · |・)", kind)):
        kind = parted[1]
    size = fitting_size(kind, width - 3, max(FLOOR, 7.5 * k), FLOOR, bold=True)
    yield Text(middle, top - head - band / 2 - 0.125 * size, kind, size, "middle", True, c.dark)


def _emblems(card: TextCard, ink: str, x: float, y: float, width: float, height: float) -> Iterator[Item]:
    """Yield tokens and terrain side by side, centred."""
    each = min(height, width / len(card.emblems))
    left = x + (width - each * len(card.emblems)) / 2
    for i, emblem in enumerate(card.emblems):
        mx, my = left + (i + 0.5) * each, y + height / 2
        if isinstance(emblem, Token):
            yield Use(token_symbol(emblem, ink), mx, my, each / 15.0)
            continue
        t, cell, grid = theme(), Hex(0, 0), field((1,))
        place = Place.fit(grid, each, each, 0.6)
        w, h = place.size()
        place = Place(grid, place.side, place.x + mx - w / 2 - 0.6, place.y + my - h / 2 - 0.6)
        walled = emblem in t.ground and t.ground[emblem].walls
        view = MapView(grid, {cell: emblem}, walls={cell: (1, 2)} if walled else {}, names=False)
        if emblem in t.feature:
            yield Path(place.area((cell,)), t.feature[emblem].ink(ink).tint)
            view = MapView(grid, {}, {cell: emblem}, names=False)
        yield from draw_field(view, place, ink)


class _Grid(Struct, frozen=True):
    """The layout of a table: the texts of heads and rows, and the width in mm of each column except the first."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    columns: tuple[float, ...]

    @property
    def share(self) -> float:
        """Scale of the numbers, which are larger in a table with a single row."""
        return LARGE if len(self.rows) == 1 else 1.0


class _Body(Struct, frozen=True):
    """The layout of facts, tables and paragraphs."""

    size: float
    facts: tuple[tuple[str, tuple[str, ...]], ...]
    tables: tuple[_Grid, ...]
    texts: tuple[tuple[str, ...], ...]

    @property
    def step(self) -> float:
        return self.size * LEADING / POINTS

    @property
    def depth(self) -> float:
        rows = sum(max(1, len(lines)) * self.step + 0.9 for _, lines in self.facts)
        grids = sum(_HEADS + 1.9 + len(grid.rows) * (grid.share * self.step + 0.4) for grid in self.tables)
        paragraphs = sum(len(lines) * self.step + 1.2 for lines in self.texts)
        return rows + grids + paragraphs + (1.4 if self.texts and (self.facts or self.tables) else 0.0)


_HEADS = FLOOR * LEADING / POINTS
"""Line height of column heads, in mm."""


def _set_body(card: TextCard, lang: Lang, width: float, height: float) -> _Body | None:
    """Return the content in the largest type that fits the area in mm, or None if it does not fit at any size."""
    facts = [(label[lang], value[lang]) for label, value in card.facts]
    texts = [text[lang] for text in card.texts if text[lang]]
    for size in SIZES:
        label = max((text_width(name, size) for name, _ in facts), default=0.0) + 2.0
        values = [(name, wrap_text(value, width - label, size, True)) for name, value in facts]
        paragraphs = [_paragraph(text, width, size) for text in texts]
        grids = [_grid(table, lang, width, size) for table in card.tables]
        set_facts = tuple((name, lines) for name, lines in values if lines is not None)
        set_grids = tuple(grid for grid in grids if grid)
        set_texts = tuple(lines for lines in paragraphs if lines is not None)
        body = _Body(size, set_facts, set_grids, set_texts)
        found = len(set_facts), len(set_grids), len(set_texts)
        if found == (len(facts), len(grids), len(texts)) and body.depth <= height:
            return body
    return None


def _paragraph(text: str, width: float, size: float) -> tuple[str, ...] | None:
    """Return a paragraph in lines, or None if a word is wider than a line.

    If the last line would have only one or two letters, the lines are made narrower.
    """
    lines = wrap_text(text, width, size)
    if not lines or len(lines[-1]) > SHORT_LAST_LINE:
        return lines
    narrower = (wrap_text(text, width * (1 - step / 40), size) for step in range(1, 9))
    return next((one for one in narrower if one and len(one) == len(lines) and len(one[-1]) > SHORT_LAST_LINE), lines)


def _grid(table: CardTable, lang: Lang, width: float, size: float) -> _Grid | None:
    """Return a table in the given type size with columns as wide as their content, or None if it is too wide."""
    heads = tuple(head[lang] for head in table.heads)
    rows = tuple(tuple(cell[lang] for cell in row) for row in table.rows)
    large = size * (LARGE if len(rows) == 1 else 1.0)
    first = max(text_width(heads[0], FLOOR), *(text_width(row[0], size) for row in rows))
    columns = [
        max(text_width(head, FLOOR), *(text_width(cell, large, bold=True) for cell in cells)) + 1.4
        for head, *cells in zip(heads, *rows, strict=True)
    ][1:]
    free = width - first - sum(columns)
    if free < 0:
        return None
    # Columns of similar width get equal widths, but not wider than a number needs.
    even = min(COLUMN, (width - first) / len(columns))
    return _Grid(heads, rows, (even,) * len(columns) if max(columns) <= even else tuple(columns))


def _body(body: _Body, c: Palette, x: float, top: float, width: float) -> Iterator[Item]:
    """Yield facts with their values on the right, separated by light rules, then tables, then paragraphs."""
    size, step = body.size, body.step
    drop = 0.76 * step
    for i, (label, lines) in enumerate(body.facts):
        if i:
            yield line(((x, top + 0.1), (x + width, top + 0.1)), Pen(LIGHT, 0.1))
        yield Text(x, top - drop, label, size, colour=c.dark)
        for k, text in enumerate(lines):
            yield Text(x + width, top - drop - k * step, text, size, "end", True)
        top -= max(1, len(lines)) * step + 0.9
    for grid in body.tables:
        top -= 1.0
        yield from _cells(grid, grid.heads, (x, top - 0.76 * _HEADS, width), (FLOOR, FLOOR), QUIET)
        top -= _HEADS + 0.3
        yield line(((x, top + 0.3), (x + width, top + 0.3)), Pen(c.line, 0.15))
        for row in grid.rows:
            large = grid.share * step
            yield from _cells(grid, row, (x, top - 0.78 * large, width), (size, grid.share * size), "#000000")
            top -= large + 0.4
        top -= 0.6
    if body.texts and (body.facts or body.tables):
        top -= 0.3
        yield line(((x, top + 0.4), (x + width, top + 0.4)), Pen(c.line, 0.15))
        top -= 1.1
    for lines in body.texts:
        for k, text in enumerate(lines):
            yield Text(x, top - drop - k * step, text, size)
        top -= len(lines) * step + 1.2


def _cells(
    grid: _Grid, texts: tuple[str, ...], at: tuple[float, float, float], sizes: tuple[float, float], colour: str
) -> Iterator[Text]:
    """Yield a row of a table, with the first text on the left and the others centred in their columns.

    `at` is left, baseline and width in mm. `sizes` are the type sizes of the first text and of the others.
    """
    x, y, width = at
    heads = colour == QUIET
    yield Text(x, y, texts[0], sizes[0], colour=colour)
    left = x + width - sum(grid.columns)
    for text, column in zip(texts[1:], grid.columns, strict=True):
        yield Text(left + column / 2, y, text, sizes[1], "middle", not heads, colour)
        left += column
