"""Cards of words: a heading strip, emblems, facts a line each, paragraphs in the largest type that fits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from generator.errors import DoesNotFitError, Problem
from generator.grid.field import field
from generator.grid.hexes import Hex
from generator.model.picture import POINTS, Item, Path, Pen, Picture, Text, Use, line
from generator.model.views import MapView, TextCard, Token
from generator.model.words import Lang
from generator.press import fonts
from generator.press.maps import draw_field
from generator.press.text import FLOOR, LIGHT, fitted, titled, wide, wrapped
from generator.press.tokens import token_symbol
from generator.said import say
from generator.symbols.shapes import Place, round_box
from generator.symbols.theme import Palette, look, theme

PAD = 4.2
"""Nothing is printed nearer to the trim, in mm."""
HEAD, BAND, NOTE, GAP = 9.6, 4.8, 3.4, 1.6
SIZES = (9.0, 8.5, 8.0, 7.5, FLOOR)
"""The sizes of type that the facts and paragraphs may take, in points."""
LEADING = 1.36
LINE = 0.4
"""From line to line of a name, in mm for each point of size."""
TALL = 84.0
"""On cards less tall than this, in mm, the heading shrinks in proportion."""
SHARES = (1.0, 0.6, 0.0)
"""How far emblems give way to text."""
EMBLEM, ALONE = 0.17, 0.24
"""The emblems' share of the card's height, above facts and above paragraphs alone."""


def draw_text_card(card: TextCard, lang: Lang, ink: str, width: float, height: float) -> Picture:
    """The face of exactly that size in mm; DoesNotFitError names a text that does not fit."""
    fonts.ensure(lang)
    c = look("token shape", theme().shape, card.shape).ink(ink)
    k = min(1.0, height / TALL)
    pad, gap = k * PAD, k * GAP
    inner, top, foot = width - 2 * pad, height - pad, pad
    items = list(_head(card, lang, c, (pad, top, inner), k))
    top -= k * (HEAD + BAND) + gap
    if card.note and card.note[lang]:
        size = fitted(card.note[lang], inner, FLOOR, FLOOR)
        items.append(Text(width / 2, foot + 0.5, card.note[lang], size, "middle", False, c.dark))
        foot += NOTE
    for share in SHARES if card.emblems else (0.0,):
        high = share * (EMBLEM if card.facts else ALONE) * height
        below = top - (high + gap if high else 0.0)
        if body := _set(card, lang, inner, below - foot):
            break
    else:
        raise _misfit(card, lang)
    if high:
        items += _emblems(card, ink, pad, top - high, inner, high)
    # What is left is shared out: a little above, the rest below, so that the eye finds one block.
    start = below - (below - foot - body.depth) * (0.12 if card.facts else 0.3)
    return Picture(width, height, (*items, *_body(body, c, pad, start, inner)))


def _misfit(card: TextCard, lang: Lang) -> DoesNotFitError:
    texts = [*(text[lang] for text in card.texts), *(value[lang] for _, value in card.facts)]
    longest = max(texts, key=len)
    shown = longest if len(longest) <= 60 else f"{longest[:60]}…"
    message = say(
        "card {name!r}: the text {text!r} does not fit, not even at {floor:g} pt",
        name=card.name[lang],
        text=shown,
        floor=SIZES[-1],
    )
    return DoesNotFitError(Problem(message, hint=say("shorten it, or take a larger card")))


def _head(card: TextCard, lang: Lang, c: Palette, at: tuple[float, float, float], k: float) -> Iterator[Item]:
    """The name on a dark strip, and what kind of card it is; `at` is left, top and width."""
    (x, top, width), head, band = at, k * HEAD, k * BAND
    middle = x + width / 2
    yield Path(round_box(x, top - head, width, head, 1.6, below=False), c.fill, Pen(c.line, 0.3))
    name = card.name[lang]
    size, lines = titled(name, width - 4 * k, 12.0 * k)
    for row, part in enumerate(lines):
        level = top - head / 2 - 0.125 * size + ((len(lines) - 1) / 2 - row) * LINE * size
        yield Text(middle, level, part, size, "middle", True, c.light)
    yield Path(round_box(x, top - head - band, width, band, 1.6, above=False), c.tint, Pen(c.line, 0.3))
    size = fitted(card.kind[lang], width - 3, max(FLOOR, 7.5 * k), FLOOR, bold=True)
    yield Text(middle, top - head - band / 2 - 0.125 * size, card.kind[lang], size, "middle", True, c.dark)


def _emblems(card: TextCard, ink: str, x: float, y: float, width: float, height: float) -> Iterator[Item]:
    """Tokens and grounds side by side in the middle."""
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


@dataclass(frozen=True)
class _Body:
    """Facts and paragraphs as they are set: the size in points, the lines, the depth in mm."""

    size: float
    facts: tuple[tuple[str, tuple[str, ...]], ...]
    texts: tuple[tuple[str, ...], ...]

    @property
    def step(self) -> float:
        return self.size * LEADING / POINTS

    @property
    def depth(self) -> float:
        rows = sum(max(1, len(lines)) * self.step + 0.9 for _, lines in self.facts)
        paragraphs = sum(len(lines) * self.step + 1.2 for lines in self.texts)
        return rows + paragraphs + (1.4 if self.facts and self.texts else 0.0)


def _set(card: TextCard, lang: Lang, width: float, height: float) -> _Body | None:
    """Facts and paragraphs in the largest type in which they fit into that many mm; None where in none."""
    facts = [(label[lang], value[lang]) for label, value in card.facts]
    texts = [text[lang] for text in card.texts if text[lang]]
    for size in SIZES:
        label = max((wide(name, size) for name, _ in facts), default=0.0) + 2.0
        values = [(name, wrapped(value, width - label, size, True)) for name, value in facts]
        paragraphs = [wrapped(text, width, size) for text in texts]
        set_facts = tuple((name, lines) for name, lines in values if lines is not None)
        set_texts = tuple(lines for lines in paragraphs if lines is not None)
        body = _Body(size, set_facts, set_texts)
        if len(set_facts) == len(facts) and len(set_texts) == len(texts) and body.depth <= height:
            return body
    return None


def _body(body: _Body, c: Palette, x: float, top: float, width: float) -> Iterator[Item]:
    """Facts with their values at the right, parted by light rules, then the paragraphs."""
    size, step = body.size, body.step
    drop = 0.76 * step
    for i, (label, lines) in enumerate(body.facts):
        if i:
            yield line(((x, top + 0.1), (x + width, top + 0.1)), Pen(LIGHT, 0.1))
        yield Text(x, top - drop, label, size, colour=c.dark)
        for k, text in enumerate(lines):
            yield Text(x + width, top - drop - k * step, text, size, "end", True)
        top -= max(1, len(lines)) * step + 0.9
    if body.facts and body.texts:
        top -= 0.3
        yield line(((x, top + 0.4), (x + width, top + 0.4)), Pen(c.line, 0.15))
        top -= 1.1
    for lines in body.texts:
        for k, text in enumerate(lines):
            yield Text(x, top - drop - k * step, text, size)
        top -= len(lines) * step + 1.2
