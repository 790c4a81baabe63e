"""Describe pictures in words for readers who cannot see them. The words are in data/alternative_texts.toml.

A description contains what the view shows and nothing else: the names of looks, not names that only the game knows.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property

import msgspec

from generator.grid import columns, hexes, squares
from generator.grid.hexes import Cell
from generator.grid.squares import Square
from generator.model.picture import Item, Picture, Text, Use
from generator.model.views import (
    ArmyCard,
    Back,
    CardView,
    Code,
    Face,
    Figure,
    MapView,
    Ray,
    TextCard,
    Tile,
    Token,
)
from generator.model.words import Lang, Words
from generator.notation.toml import read
from generator.store.folders import shipped_path


class LookWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The words for looks of the theme, by kind of look."""

    ground: dict[str, Words] = {}
    feature: dict[str, Words] = {}
    shape: dict[str, Words] = {}
    colour: dict[str, Words] = {}
    symbol: dict[str, Words] = {}
    badge: dict[str, Words] = {}
    shade: dict[str, Words] = {}
    track: dict[str, Words] = {}


class AllWords(LookWords, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The words for looks of all games, and the sentences of descriptions."""

    text: dict[str, Words]
    direction: dict[str, Words]
    mark: dict[str, Words]
    picture: dict[str, Words]
    """Words for pictograms (`generator.symbols.picture_words`)."""


_FILE = "alternative_texts.toml"
_NO_WORDS = {"", "plain"}
"""Colours and looks that need no words."""
_DECORATION = {"veil", "backdrop"}
"""Shades that only make other things on a map more visible."""
_CELL_NAME = re.compile(r"([A-Za-z]+)([0-9]+)|([0-9]{2})([0-9]{2})")
"""Matches the name of a cell, with its column and its row."""
_FEW_CELLS = 4
"""Maximum number of cells of a map, such as the inset of a fight, that are listed instead of their rows."""
_MOST = 0.5
"""Fraction of a map's cells from which their terrain is described as that of all other cells."""


@cache
def all_words() -> AllWords:
    """Return the words of data/alternative_texts.toml and of each game's own file of that name."""
    data = shipped_path("data")
    found = read(data / _FILE, AllWords, f"data/{_FILE}")
    for path in sorted(data.glob(f"*/{_FILE}")):
        of_game = read(path, LookWords, f"data/{path.parent.name}/{_FILE}")
        for kind in LookWords.__struct_fields__:
            getattr(found, kind).update(getattr(of_game, kind))
    return found


def sentence(name: str, lang: Lang, /, **values: object) -> str:
    """Return a sentence of the file with its placeholders filled."""
    return all_words().text[name].fill(**values)[lang]


def describe(figure: Figure, lang: Lang, turned: bool = False) -> str:
    """Return the alternative text of a figure. It is empty for samples of a look, which are next to their names."""
    if isinstance(figure, MapView):
        return describe_map(figure, lang, turned)
    if isinstance(figure, Token):
        return describe_token(figure, lang)
    if isinstance(figure, CardView):
        return describe_face(figure, lang)
    if isinstance(figure, Code):
        return sentence("qr", lang, text=figure.text)
    return describe_picture(figure, lang)


def describe_picture(picture: Picture, lang: Lang) -> str:
    """Return the words of a picture's maker, or else the texts that a picture contains, if any."""
    if picture.alt is not None:
        return picture.alt[lang]
    texts = list(_texts(picture.items))
    return sentence("shows", lang, texts=_join(texts, lang)) if texts else ""


def describe_map(view: MapView, lang: Lang, turned: bool = False) -> str:
    """Return a description of a map: its cells, terrain, units and everything that is drawn on it, by cell."""
    if len(view.grid.cells) == 1 and not view.tokens:
        return ""
    return _MapDescription(view, lang).text(turned)


def describe_legend(view: MapView, lang: Lang) -> str:
    """Return the texts of a map's legend, or an empty string if the map has no legend."""
    rows = [row.text[lang] for row in view.legend]
    # A row that is a heading ends with a colon.
    listed = _join(rows, lang, ";").replace(":; ", ": ").replace("：；", "：")
    return sentence("legend", lang, rows=listed) if rows else ""


def describe_token(token: Token, lang: Lang) -> str:
    """Return what a counter shows: side, quality, symbol and marks, but not its label."""
    words = all_words()
    parts = [_look(words.shape, token.shape, lang)]
    if token.colour not in _NO_WORDS:
        parts.append(_look(words.colour, token.colour, lang))
    symbol = _look(words.symbol, token.symbol, lang)
    parts.append(f"{symbol} {token.caption}".strip())
    parts += [_look(words.badge, badge, lang) for badge in token.badge.split()]
    if token.mark:
        parts.append(_look(words.mark, token.mark, lang))
    parts += [number for number in token.numbers if number]
    if token.facing is not None:
        way = squares.DIRECTIONS[round(token.facing / 45) % 8]
        parts.append(sentence("facing", lang, way=words.direction[way]))
    if token.hp[1]:
        parts.append(sentence("figures", lang, n=token.hp[0], m=token.hp[1]))
    return ("・" if lang == "ja" else ", ").join(dict.fromkeys(filter(None, parts)))


def describe_face(face: Face, lang: Lang) -> str:
    """Return a description of one side of a piece."""
    if isinstance(face, Token):
        label = f"{face.label} " if face.label else ""
        return sentence("token", lang, name=label + describe_token(face, lang))
    if isinstance(face, Back):
        return sentence("back", lang, name=_join([t[lang] for t in (face.name, face.line) if t], lang))
    if isinstance(face, Tile):
        words = all_words()
        name = _look(words.ground | words.feature, face.look, lang)
        walls = [words.direction[hexes.DIRECTIONS[way]][lang] for way in face.walls]
        return sentence("tile", lang, name=_join([name, *walls], lang))
    if isinstance(face, CardView):
        parts = [sentence("card", lang, key=face.key, name=face.name), describe_map(face.board, lang)]
        counts = [f"{describe_token(token, lang)} ×{n}" for token, n in face.units]
        parts += [sentence("card_units", lang, units=_join(counts, lang, ";"))] if counts else []
        parts += [place[lang] for place in face.places]
        return " ".join(filter(None, [*parts, face.note[lang]]))
    if isinstance(face, ArmyCard):
        parts = [face.name[lang]]
        for army, comment, units in face.sides:
            counts = [f"{describe_token(token, lang)} ×{n}" for token, n in units]
            parts.append(f"{army[lang]} {comment[lang]}: {_join(counts, lang, ';')}.")
        return " ".join([*parts, face.note[lang]])
    return _describe_text_card(face, lang)


def _describe_text_card(card: TextCard, lang: Lang) -> str:
    parts = [card.name[lang], card.kind[lang]]
    parts += [f"{name[lang]}: {value[lang]}." for name, value in card.facts]
    for table in card.tables:
        heads = [head[lang] for head in table.heads]
        parts += [
            _join([f"{h} {v[lang]}".strip() for h, v in zip(heads, row, strict=False)], lang) for row in table.rows
        ]
    parts += [text[lang] for text in card.texts]
    return " ".join(filter(None, [*parts, card.note[lang] if card.note else ""]))


class _MapDescription:
    """The description of a map in one language, sentence by sentence."""

    def __init__(self, view: MapView, lang: Lang) -> None:
        self.view, self.lang, self.words = view, lang, all_words()
        cell = view.grid.cells[0]
        self.kind = "square" if isinstance(cell, Square) else "hex"
        if isinstance(cell, Square):
            self.directions: tuple[str, ...] = squares.DIRECTIONS
        elif isinstance(cell, columns.Numbered):
            self.directions = columns.DIRECTIONS
        else:
            self.directions = hexes.DIRECTIONS

    def text(self, turned: bool) -> str:
        """Return all sentences."""
        parts = [
            self.board(),
            sentence("turned", self.lang) if turned else "",
            *self.ground(),
            *self.features(),
            *self.sides(),
            sentence("areas", self.lang, n=len(self.view.areas)) if self.view.areas else "",
            self.units(),
            self.flags(),
            *self.overlays(),
        ]
        if self.view.edges:
            far, near = (edge[self.lang] for edge in self.view.edges)
            parts.append(sentence("edges", self.lang, far=far, near=near))
        return ("" if self.lang == "ja" else " ").join(filter(None, parts))

    def sentence(self, key: str, **values: object) -> str:
        """Return a sentence in the language of the description."""
        return sentence(key, self.lang, **values)

    def name(self, cell: Cell) -> str:
        """Return the name of a cell."""
        return self.view.grid.name(cell)

    def names(self, cells: Iterable[Cell]) -> str:
        """Return the names of cells as a list."""
        return _join([self.name(cell) for cell in cells], self.lang)

    def board(self) -> str:
        """Return the cells of the map, row by row, with rows of the same extent together."""
        cells = self.view.grid.cells
        if len(cells) <= _FEW_CELLS:
            return self.sentence(f"map_{self.kind}", n=len(cells), rows=self.names(cells))
        rows: dict[str, list[str]] = {}
        for cell in cells:
            found = _CELL_NAME.fullmatch(self.name(cell))
            if not found:
                return self.sentence(f"map_{self.kind}", n=len(cells), rows=self.names(cells))
            column, row = (found[1], found[2]) if found[1] else (found[3], found[4])
            rows.setdefault(row, []).append(column)
        extents: dict[tuple[str, str], list[str]] = {}
        for row, places in sorted(rows.items(), key=lambda item: int(item[0])):
            for extent in _runs(places):
                extents.setdefault(extent, []).append(row)
        parts = [
            self.sentence(
                "rows" if len(numbers) > 1 else "row", first=first, last=last, rows=_join_rows(numbers, self.lang)
            )
            for (first, last), numbers in extents.items()
        ]
        return self.sentence(f"map_{self.kind}", n=len(cells), rows=_join(parts, self.lang, ";"))

    def ground(self) -> Iterator[str]:
        """Yield the cells of each terrain, and the terrain of all other cells if most cells have it."""
        counts = Counter(self.view.ground.values())
        common, number = counts.most_common(1)[0] if counts else ("", 0)
        complete = len(self.view.ground) == len(self.view.grid.cells) and number > _MOST * len(self.view.ground)
        for look in counts:
            if look != common or not complete:
                cells = [cell for cell in self.view.grid.cells if self.view.ground.get(cell) == look]
                yield self.sentence("cells", name=self.look(self.words.ground, look), cells=self.names(cells))
        if complete:
            yield self.sentence(f"rest_{self.kind}", name=self.look(self.words.ground, common))

    def features(self) -> Iterator[str]:
        """Yield the cells of each feature, and the names of places."""
        for look in dict.fromkeys(self.view.features.values()):
            cells = [cell for cell, other in self.view.features.items() if other == look]
            yield self.sentence("cells", name=self.look(self.words.feature, look), cells=self.names(cells))
        if self.view.places:
            names = [self.sentence("place", name=of, cell=self.name(cell)) for cell, of in self.view.places.items()]
            yield self.sentence("places", cells=_join(names, self.lang, ";"))

    def sides(self) -> Iterator[str]:
        """Yield the impassable sides and the roads."""
        for key, ways in (("walls", self.view.walls), ("roads", self.view.roads)):
            parts = [
                self.sentence("ways", cell=self.name(cell), ways=_join(map(self.way, found), self.lang))
                for cell, found in ways.items()
                if found
            ]
            if parts:
                yield self.sentence(key, cells=_join(parts, self.lang, ";"))

    def way(self, direction: int) -> str:
        """Return the name of a direction."""
        return self.words.direction[self.directions[direction]][self.lang]

    def units(self) -> str:
        """Return the units by cell."""
        found = []
        for cell, token in self.view.tokens:
            unit = " ".join(filter(None, (token.label, describe_token(token, self.lang))))
            found.append(self.sentence("unit", unit=unit, cell=self.name(cell)))
        return self.sentence("units", n=len(found), units=_join(found, self.lang, ";")) if found else ""

    def flags(self) -> str:
        """Return the flags by cell, each with its text, camp and colour."""
        found = []
        for flag in self.view.flags:
            looks = self.look(self.words.shape, flag.shape), self.look(self.words.colour, flag.colour)
            text = f"{flag.text} {_join(looks, self.lang)}".strip()
            found.append(self.sentence("unit", unit=text, cell=self.name(flag.cell)))
        return self.sentence("flags", cells=_join(found, self.lang, ";")) if found else ""

    def overlays(self) -> Iterator[str]:
        """Yield shades, paths, lines, rings, and the notes that belong to a cell."""
        for shade in self.view.shades:
            if shade.look not in _DECORATION and shade.cells:
                yield self.sentence(
                    "cells", name=self.look(self.words.shade, shade.look), cells=self.names(shade.cells)
                )
        for track in self.view.tracks:
            yield self.sentence("cells", name=self.look(self.words.track, track.look), cells=self.names(track.cells))
        if self.view.rays:
            yield self.sentence("lines", cells=_join(map(self.line, self.view.rays), self.lang, ";"))
        if self.view.rings:
            rings = [
                self.sentence("unit", unit=ring.label, cell=self.name(ring.cell)).strip() for ring in self.view.rings
            ]
            yield self.sentence("rings", cells=_join(rings, self.lang, ";"))
        notes = [
            self.sentence("unit", unit=note.text[self.lang], cell=self.name(self.nearest(note.at)))
            for note in self.view.notes
            if note.flag or note.look or note.plate
        ]
        if notes:
            yield self.sentence("notes", cells=_join(notes, self.lang, ";"))

    @cached_property
    def centres(self) -> list[tuple[float, float]]:
        """The centres of the map's cells in lattice steps."""
        return [self.view.grid.centre(cell) for cell in self.view.grid.cells]

    def line(self, ray: Ray) -> str:
        """Return the ends of a line of sight, and what is special about it."""
        ends = {"start": self.name(ray.start), "end": self.name(ray.end)}
        if ray.stop:
            return self.sentence("line_blocked", **ends, stop=self.name(ray.stop))
        return self.sentence("line_shot" if ray.shot else "line", **ends)

    def nearest(self, at: tuple[float, float]) -> Cell:
        """Return the cell whose centre is nearest to a lattice point."""
        here, up = at
        apart = [(x - here) ** 2 + (y - up) ** 2 for x, y in self.centres]
        return self.view.grid.cells[apart.index(min(apart))]

    def look(self, words: Mapping[str, Words], look: str) -> str:
        """Return the name of a look, preferably as in the legend."""
        if words is self.words.shade:
            for row in self.view.legend:
                if row.sample == look:
                    return row.text[self.lang]
        return _look(words, look, self.lang)


def _look(words: Mapping[str, Words], look: str, lang: Lang) -> str:
    """Return the words for a look. A user's own look is described by its key."""
    found = words.get(look)
    return found[lang] if found else look.replace("_", " ")


def _join_rows(numbers: Sequence[str], lang: Lang) -> str:
    """Return the numbers of rows as a list, or as a range if there are three or more in sequence."""
    rows = list(map(int, numbers))
    if len(rows) > 2 and rows == list(range(rows[0], rows[-1] + 1)):
        return {"en": f"{numbers[0]} to {numbers[-1]}", "ja": f"{numbers[0]}〜{numbers[-1]}"}[lang]
    return _join(numbers, lang)


def _join(texts: Iterable[str], lang: Lang, between: str = ",") -> str:
    return {",": {"en": ", ", "ja": "、"}, ";": {"en": "; ", "ja": "；"}}[between][lang].join(texts)


def _runs(columns_of_row: list[str]) -> Iterator[tuple[str, str]]:
    """Yield the first and last column of each run of neighbouring columns."""
    ordered = sorted(columns_of_row, key=_column_number)
    begin = before = ordered[0]
    for column in ordered[1:]:
        if _column_number(column) != _column_number(before) + 1:
            yield begin, before
            begin = column
        before = column
    yield begin, before


def _column_number(column: str) -> int:
    """Return the number of a column given as digits, or as letters (A to Z, AA, AB …)."""
    if column.isdecimal():
        return int(column)
    number = 0
    for letter in column.upper():
        number = 26 * number + ord(letter) - ord("A") + 1
    return number


def _texts(items: Collection[Item]) -> Iterator[str]:
    for item in items:
        if isinstance(item, Text):
            yield item.text
        elif isinstance(item, Use):
            yield from _texts(item.symbol.items)
