"""Convert pictures to self-contained SVG, with texts as outlines. Each symbol and character is defined only once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple
from xml.sax.saxutils import escape, quoteattr

from generator.model.picture import ENTRY, SLANT, XY, Item, Path, Pen, Picture, Symbol, Text, Use
from generator.model.words import Lang
from generator.press.pdf.glyphs import glyph, prepare
from generator.press.pdf.legible import legible
from generator.press.pdf.letters import EM, split_letters
from generator.press.pdf.system_fonts import Weight
from generator.press.pdf.typography import typeset
from generator.press.pdf.units import MM
from generator.store.manifest import seal

if TYPE_CHECKING:
    pass

# The group of a text has the text as its label. Ids depend only on the symbol or character, so two pictures in one
# document may share definitions.

_SHARE = {"start": 0.0, "middle": 0.5, "end": 1.0}


class Zone(NamedTuple):
    """A cell of a map: its name, its terrain, its tooltip, and its corners in mm."""

    cell: str
    ground: str
    title: str
    corners: tuple[XY, ...]


UNITS = "units"
"""Name of the layer whose symbols react to the pointer. The zones of the cells are below this layer."""
_LAYERED = (
    'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
    'xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"'
)


def svg(picture: Picture, lang: Lang, title: str = "", zones: Iterable[Zone] = (), description: str = "") -> bytes:
    """Return a picture in true size as SVG, with its title and a description for readers who cannot see it.

    Layers become groups with their names. Zones become an additional layer of invisible cells that react to the
    pointer (docs/svg.md).

    Raises:
        NoGlyphError: If a character has no glyph in any available font.
    """
    for weight, characters in _characters(picture.items).items():
        prepare(sorted(characters), weight)
    made = _Drawing()
    groups = _groups(legible(picture.items), picture.layers)
    items: list[str] = []
    for name, group in groups:
        if name == UNITS and zones:
            items.append(_layer("cells", map(_zone, zones), True))
        drawn = made.items(group)
        items += [_layer(name, drawn, name == UNITS)] if name else drawn
    wide, high = _format_number(picture.width), _format_number(picture.height)
    head = f'<svg {_LAYERED} xml:lang="{lang}" width="{wide}mm" height="{high}mm" viewBox="0 0 {wide} {high}">'
    # PDF mitres corners up to ten line widths. SVG's default limit is four.
    upward = f'<g transform="matrix(1 0 0 -1 0 {high})" fill="none" stroke-miterlimit="10">'
    texts = {"title": title, "desc": description}
    title_lines = [f"<{tag}>{escape(text)}</{tag}>" for tag, text in texts.items() if text]
    lines = [head, *title_lines, "<defs>", *made.definitions.values(), "</defs>", upward, *items, "</g>", "</svg>\n"]
    return seal("\n".join(lines).encode())


def svg_layer(picture: Picture, name: str, definitions: dict[str, str]) -> list[str]:
    """Return the elements of a layer of a picture, and add the definitions that they need, keyed by id.

    With them, a page can replace this layer in an SVG of the same picture. A definition that is already in
    `definitions` is not written again.

    Raises:
        NoGlyphError: If a character has no glyph in any available font.
    """
    ends = list(accumulate(count for _, count in picture.layers))
    at = next((at for at, (layer, _) in enumerate(picture.layers) if layer == name), None)
    # The shared items come first. Placing them would take longer than drawing the layer.
    shared = sum(len(still.part) for still in picture.still)
    start = 0 if at is None else ends[at] - picture.layers[at][1] - shared
    assert start >= 0, "a layer of a shared part is the same in every picture"
    items = () if at is None else picture.upon[start : ends[at] - shared]
    for weight, characters in _characters(items).items():
        prepare(sorted(characters), weight)
    made = _Drawing(definitions)
    return list(made.items(legible(items)))


def _groups(items: tuple[Item, ...], layers: Iterable[tuple[str, int]]) -> Iterator[tuple[str, tuple[Item, ...]]]:
    """Yield the name and items of each layer, followed by the other items.

    A map without units gets an empty unit layer.
    """
    start, names = 0, {name for name, _ in layers}
    for name, count in layers:
        yield name, items[start : start + count]
        start += count
    if names and names.isdisjoint((UNITS, ENTRY)):
        yield UNITS, ()
    yield "", items[start:]


def _layer(name: str, items: Iterable[str], takes_pointer: bool) -> str:
    """Return a named group, which editors show as a layer. It ignores the pointer unless `takes_pointer` is true."""
    through = "" if takes_pointer else ' pointer-events="none"'
    head = f'<g data-layer="{name}" inkscape:groupmode="layer" inkscape:label="{name}"{through}>'
    return "\n".join((head, *items, "</g>"))


def _zone(zone: Zone) -> str:
    corners = "L".join(f"{_format_number(x)} {_format_number(y)}" for x, y in zone.corners)
    attributes = f"data-cell={quoteattr(zone.cell)} data-ground={quoteattr(zone.ground)}"
    return f'<path {attributes} pointer-events="all" d="M{corners}Z"><title>{escape(zone.title)}</title></path>'


def _characters(items: Iterable[Item]) -> dict[Weight, set[str]]:
    """Return the characters of all texts, keyed by weight."""
    found: dict[Weight, set[str]] = {"regular": set(), "bold": set()}
    for item in items:
        if isinstance(item, Text):
            found["bold" if item.bold else "regular"].update(split_letters(item.text))
        elif isinstance(item, Use):
            for weight, more in _characters(item.symbol.items).items():
                found[weight] |= more
    return found


class _Drawing:
    """The definitions of symbols and characters that the elements written so far refer to."""

    def __init__(self, definitions: dict[str, str] | None = None) -> None:
        self.definitions: dict[str, str] = {} if definitions is None else definitions

    def items(self, items: tuple[Item, ...]) -> Iterator[str]:
        for item in items:
            if isinstance(item, Path):
                if item.fill or item.pen:
                    yield _path(item)
            elif isinstance(item, Text):
                yield self.text(item)
            else:
                yield self.use(item)

    def text(self, text: Text) -> str:
        weight: Weight = "bold" if text.bold else "regular"
        places: list[str] = []
        x = 0
        for letter in split_letters(typeset(text.text)):
            drawn = glyph(letter, weight)
            if drawn.path:
                key = weight[0] + "-".join(f"{ord(character):x}" for character in letter)
                self.definitions.setdefault(key, f'<path id="{key}" d="{drawn.path}"/>')
                places.append(f'<use xlink:href="#{key}" x="{x}"/>' if x else f'<use xlink:href="#{key}"/>')
            x += drawn.advance + round(text.spacing * EM)
        scale = text.size / MM / EM
        x -= round(text.spacing * EM) if text.text else 0
        left = text.x - _SHARE[text.anchor] * x * scale
        lean = f"{SLANT * scale:.6f}" if text.slanted else "0"
        matrix = f"matrix({scale:.6f} 0 {lean} {scale:.6f} {_format_number(left)} {_format_number(text.y)})"
        if text.turn:
            centre = f"{_format_number(text.x)} {_format_number(text.y)}"
            matrix = f"rotate({_format_number(text.turn)} {centre}) {matrix}"
        words = quoteattr(typeset(text.text))
        return f'<g role="img" aria-label={words} transform="{matrix}" fill="{text.colour}">{"".join(places)}</g>'

    def use(self, use: Use) -> str:
        key = self.symbol(use.symbol)
        moves = [f"translate({_format_number(use.x)} {_format_number(use.y)})"]
        if use.turn:
            moves.append(f"rotate({_format_number(use.turn)})")
        if use.scale != 1:
            moves.append(f"scale({use.scale:.4f})")
        head = f'<use xlink:href="#{key}" transform="{" ".join(moves)}"'
        if not use.data:
            return f"{head}/>"
        known = dict(use.data)
        title = ", ".join(known[word] for word in ("unit", "name", "cell") if word in known)
        attributes = "".join(f" data-{word}={quoteattr(text)}" for word, text in use.data)
        return f"{head}{attributes}><title>{escape(title)}</title></use>"

    def symbol(self, symbol: Symbol) -> str:
        """Return the id of a symbol, and add its definition if this is the first use of the symbol."""
        key = "s." + re.sub(r"[^A-Za-z0-9.-]", lambda match: f"_{ord(match[0]):x}_", symbol.name)
        if key not in self.definitions:
            inner = "".join(self.items(symbol.items))
            self.definitions[key] = f'<symbol id="{key}" overflow="visible">{inner}</symbol>'
        return key


def _path(path: Path) -> str:
    attributes = [f'd="{_steps(path)}"']
    if path.fill:
        attributes.append(f'fill="{path.fill}"')
        if path.even_odd:
            attributes.append('fill-rule="evenodd"')
    if path.pen:
        attributes += _stroke(path.pen)
    if path.alpha < 1:
        # Fill and stroke are both visible where they overlap, as in the PDF.
        attributes += [f'{of}-opacity="{_format_number(path.alpha)}"' for of in ("fill", "stroke")]
    return f"<path {' '.join(attributes)}/>"


def _steps(path: Path) -> str:
    return "".join(str(step[0]) + " ".join(_format_number(float(n)) for n in step[1:]) for step in path.steps)


def _stroke(pen: Pen) -> Iterator[str]:
    yield f'stroke="{pen.colour}" stroke-width="{_format_number(pen.width)}"'
    if pen.round:
        yield 'stroke-linecap="round" stroke-linejoin="round"'
    if pen.dash:
        yield f'stroke-dasharray="{" ".join(map(_format_number, pen.dash))}"'


def _format_number(value: float) -> str:
    """Format a number with up to three decimals, without trailing zeros."""
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
