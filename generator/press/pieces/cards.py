"""From a card view to a card's face: its camp and key, its board, its units."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from math import ceil

from generator.errors import DoesNotFitError
from generator.model.picture import Item, Path, Pen, Picture, Text, Use
from generator.model.views import CardView
from generator.model.words import Lang
from generator.press.maps.layers import draw_field
from generator.press.symbols.lettering import broken, fitted, wide
from generator.press.symbols.place import Place
from generator.press.symbols.shapes import moved, round_box
from generator.press.symbols.tokens import banner, token_symbol
from generator.press.theme import Palette, look, theme
from generator.press.type import fonts

PAD = 3.5
"""Nothing is printed nearer to the trim, in mm."""
HEAD, BAND, NOTE, GAP = 10.5, 4.8, 3.2, 1.5
"""Heights of the heading strip, the band below it, the note at the foot, and of the gaps, in mm."""
ROW, LOWEST_ROW = 6.4, 4.0
FLOOR = 5.5
"""No text on a card is set smaller, in points."""
SIZES = (7.5, 7.0, 6.5, 6.0, FLOOR)
LINE = 0.4
"""From line to line, in mm for each point of size."""
EASY = 6.0
"""Units stand in two columns where that leaves their texts at least this size, in points."""


def draw_card(
    view: CardView, lang: Lang, ink: str, width: float, height: float, beside: Iterable[CardView] = ()
) -> Picture:
    """A card's face of exactly that size in mm; DoesNotFitError where a text or the list does not fit.

    Its board is drawn at the scale that all the cards `beside` it have room for.
    """
    fonts.ensure(lang)
    palette = look("token shape", theme().shape, view.shape).ink(ink)
    inner, top = width - 2 * PAD, height - PAD
    items: list[Item] = list(_head(view, lang, ink, palette, PAD, top - HEAD, inner))
    top -= HEAD
    if view.heading[lang]:
        top -= BAND
        items += _band(view.heading[lang], palette, PAD, top, inner)
    foot = PAD
    if view.note[lang]:
        size = fitted(view.note[lang], inner, 6.0, FLOOR)
        items.append(Text(width / 2, foot + 0.4, view.note[lang], size, "middle", False, palette.dark))
        foot += NOTE
    listed = _set(view, lang, inner)
    rows = max([listed.rows, *(_set(other, lang, inner).rows for other in beside)])
    row = min(ROW, (top - foot) * 0.5 / max(rows, 1))
    if row < LOWEST_ROW:
        raise DoesNotFitError(f"card {view.key}: {len(view.units)} kinds of unit do not fit on it")
    row = max(row, listed.depth)
    items += _units(view, listed, ink, row, PAD, foot + (rows - listed.rows) * row, inner)
    items += _board(view, ink, PAD, foot + rows * row + GAP, inner, top - GAP)
    return Picture(width, height, tuple(items))


def _head(view: CardView, lang: Lang, ink: str, c: Palette, x: float, y: float, width: float) -> Iterator[Item]:
    """The strip with the camp's banner, the key on it, and the name."""
    yield Path(round_box(x, y, width, HEAD, 1.6, below=not view.heading[lang]), c.fill, Pen(c.line, 0.3))
    scale, middle = 0.78, x + 6.2
    for path in banner(view.shape, ink, "#ffffff", Pen(c.line, 0.25)):
        pen = Pen(path.pen.colour, path.pen.width * scale) if path.pen else None
        yield Path(moved(path, middle, y + 5.2, scale).steps, "#ffffff" if path.fill else None, pen)
    size = fitted(view.key, 6.6, 12.0, FLOOR, bold=True)
    yield Text(middle, y + 5.6 - 0.12 * size, view.key, size, "middle", True, "#1c1c1c")
    name = view.name[lang]
    size = fitted(name, width - 14.2, 11.5, FLOOR, bold=True)
    yield Text(x + 12.4, y + HEAD / 2 - 0.125 * size, name, size, "start", True, c.light)


def _band(text: str, c: Palette, x: float, y: float, width: float) -> Iterator[Item]:
    """What the card was played as."""
    yield Path(round_box(x, y, width, BAND, 1.6, above=False), c.tint, Pen(c.line, 0.3))
    size = fitted(text, width - 3, 8.5, FLOOR, bold=True)
    yield Text(x + width / 2, y + BAND / 2 - 0.125 * size, text, size, "middle", True, c.dark)


@dataclass(frozen=True)
class _List:
    """How the units' texts are set: in how many columns, at what size, in which lines."""

    columns: int
    size: float
    texts: tuple[tuple[str, ...], ...]

    @property
    def rows(self) -> int:
        return ceil(len(self.texts) / self.columns)

    @property
    def depth(self) -> float:
        """What the longest text takes with its lines one below the other, in mm."""
        return LINE * self.size * max(map(len, self.texts), default=1)


def _set(view: CardView, lang: Lang, width: float) -> _List:
    """The largest type at which every text takes two lines at most; two columns where the list is long."""
    texts = [text[lang] for _, text in view.units]
    for columns, floor in ((2, EASY), (1, FLOOR)) if len(texts) > 3 else ((1, FLOOR),):
        room = width / columns - ROW * 1.15 - 1
        for size in (s for s in SIZES if s >= floor):
            lines = tuple(broken(text, room, size) for text in texts)
            if all(len(parts) <= 2 for parts in lines):
                return _List(columns, size, lines)
    longest = max(texts, key=lambda text: wide(text, FLOOR))
    raise DoesNotFitError(f"card {view.key}: the text {longest[:60]!r} does not fit, not even at {FLOOR:g} pt")


def _units(view: CardView, listed: _List, ink: str, row: float, x: float, y: float, width: float) -> Iterator[Item]:
    """A token and its text for each kind of unit, read down each column."""
    size, rows = listed.size, listed.rows
    for i, ((token, _), lines) in enumerate(zip(view.units, listed.texts, strict=True)):
        left, middle = x + i // rows * width / listed.columns, y + (rows - i % rows - 0.5) * row
        yield Use(token_symbol(token, ink), left + row / 2, middle, row / 14.5)
        for k, text in enumerate(lines):
            level = middle - 0.125 * size + ((len(lines) - 1) / 2 - k) * LINE * size
            yield Text(left + row * 1.15, level, text, size)


def _board(view: CardView, ink: str, x: float, y: float, width: float, top: float) -> list[Item]:
    """The little board in the middle of the room that is left."""
    place = Place.fit(view.board.grid, width, top - y, 0.3)
    w, h = place.size()
    place = replace(place, x=place.x + x + (width - w) / 2 - 0.3, y=place.y + y + (top - y - h) / 2 - 0.3)
    return draw_field(view.board, place, ink)
