"""Draw a map view as a picture, layer by layer, and draw its legend."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import ceil

from msgspec import Struct, structs
from msgspec.structs import replace

from generator.errors import DataError, near
from generator.grid.hexes import Cell, Grid, Hex, Part, field
from generator.localization import tr
from generator.model.legends import AIM, BLOW, BREAK, RAY, RING, SECTION, SHOT, WITH
from generator.model.picture import ENTRY, Item, Path, Pen, Picture, Still, Text, Use, polygon
from generator.model.views import Area, Flag, Legend, MapView, Ray, Ring, Shade, Spot, Token, Track
from generator.model.words import Lang
from generator.notation.words import words
from generator.press.figures.lettering import Lettering, letter_map, unplaced_names
from generator.press.figures.place_names import notes_overhang
from generator.press.figures.tokens import (
    draw_flags,
    draw_tokens,
    feature_spot,
    placed_flags,
    size_flag,
    token_symbol,
)
from generator.press.layout.fitting import fitting_size, text_width
from generator.press.pdf import fonts
from generator.symbols import features, meadows, overlays, ridges, roads, terrain, trees
from generator.symbols.places import PLACES, VARIANTS_OF_PLACES
from generator.symbols.ribbons import ribbon
from generator.symbols.shapes import SIDE as UNIT
from generator.symbols.shapes import Box, Place, anatomy, chance, frame, seed, sides
from generator.symbols.terrain import VARIANTS, ground_symbol, growth
from generator.symbols.theme import Ground, look, theme


def draw_field(view: MapView, place: Place, ink: str, lang: Lang | None = None) -> list[Item]:
    """Return everything inside the frame except notes and place names. `lang` is the language of the tokens."""
    lettering = _make_lettering(view, place, ink, None)
    layers = (
        *_open_layers(view, place, ink),
        *_ground_layers(view, place, ink),
        *_marking_layers(view, place, ink, lettering),
        *_unit_layers(view, place, ink, lettering, lang),
    )
    return [item for _, items in layers for item in items]


Layer = tuple[str, list[Item]]
"""The name of a layer and its items."""
Layers = tuple[Layer, ...]


class _EqualView:
    """Cache key of a view. Two keys are equal if their views have the same content."""

    def __init__(self, view: MapView) -> None:
        self.view = view

    def __hash__(self) -> int:
        return hash((len(self.view.ground), len(self.view.tokens), self.view.names))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _EqualView) and self.view == other.view


class _SameView(_EqualView):
    """Cache key of a view by identity, which is faster if the same content rarely appears in two views."""

    def __hash__(self) -> int:
        return id(self.view)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _SameView) and self.view is other.view


class _Part(Struct, frozen=True):
    """Layers that several maps share."""

    layers: Layers
    items: tuple[Item, ...]

    @classmethod
    def of(cls, layers: Layers) -> _Part:
        """Return the part that consists of these layers."""
        return cls(layers, tuple(item for _, items in layers for item in items))


def _grounds(view: MapView) -> dict[Cell, Ground]:
    of = theme().ground
    return {cell: look("ground", of, key) for cell, key in view.ground.items()}


def _make_lettering(view: MapView, place: Place, ink: str, lang: Lang | None) -> Lettering:
    return letter_map(view, place, _grounds(view), ink, theme().map.ink(ink).dark, lang)


@lru_cache(8)  # Enough for a few pages. Several maps may show one position, and layout may try a map repeatedly.
def _cached_lettering(view_key: _EqualView, place: Place, ink: str, lang: Lang) -> Lettering:
    """Return the cached lettering of a map."""
    return _make_lettering(view_key.view, place, ink, lang)


@lru_cache(8)  # Same size as above.
def _open_part(view_key: _EqualView, place: Place, ink: str, scenery: str) -> _Part:
    """Return the layer of open ground, which all positions on the same board share."""
    return _Part.of(_open_layers(view_key.view, place, ink, scenery))


@lru_cache(8)  # Same size as above.
def _ground_part(view_key: _EqualView, place: Place, ink: str, scenery: str) -> _Part:
    """Return the layers of the terrain, which all positions on the same board share."""
    return _Part.of(_ground_layers(view_key.view, place, ink, scenery))


@lru_cache(8)  # Same size as above.
def _markings_part(view_key: _EqualView, place: Place, ink: str, lang: Lang) -> _Part:
    """Return the layers of markings, which are drawn below the units."""
    return _Part.of(_marking_layers(view_key.view, place, ink, _cached_lettering(view_key, place, ink, lang)))


@lru_cache(8)  # Same size as above.
def _units_part(view_key: _SameView, place: Place, ink: str, lang: Lang) -> _Part:
    """Return the layers of units and lines, and the lettering that is drawn over them."""
    lettering = _cached_lettering(_EqualView(view_key.view), place, ink, lang)
    return _Part.of(_unit_layers(view_key.view, place, ink, lettering, lang))


def _ground_view(view: MapView) -> MapView:
    """Return a view with only the parts that `_ground_layers` draws."""
    flows, roads, walls, areas = view.flows, view.roads, view.walls, view.areas
    return MapView(view.grid, view.ground, flows=flows, roads=roads, walls=walls, areas=areas, names=False)


def _open_layers(view: MapView, place: Place, ink: str, scenery: str = "") -> Layers:
    """Return the layer of open ground. On faded maps, it has no meadows and fields, because they are not laid out."""
    grounds = _grounds(view)
    faded = any(shade.look in _FADING for shade in view.shades)
    open_ground = [] if faded else _open_ground(view, place, grounds, ink, scenery)
    return (("ground", [*_tints(view, place, grounds, ink), *open_ground]),)


_FADING = ("veil", "backdrop")
"""Shades that fade the ground, so that other information stands out."""


def _open_view(view: MapView) -> MapView:
    """Return a view with only the parts that `_open_layers` draws."""
    shades = tuple(Shade(shade.look, ()) for shade in view.shades if shade.look in _FADING)
    return MapView(view.grid, view.ground, shades=shades, names=False)


def _ground_layers(view: MapView, place: Place, ink: str, scenery: str = "") -> Layers:
    """Return the layers of terrain, water, roads, buildings and grid."""
    t, grounds = theme(), _grounds(view)
    paper = t.map.ink(ink)
    return (
        ("relief", [*_floors(place, grounds, ink), *_relief(place, grounds, ink, scenery)]),
        ("water", _water(view, place, grounds, ink)),
        ("roads", roads.roads(place, view.roads, t.road.ink(ink)) if view.roads else []),
        ("grid", [Path(sides(place), None, Pen(paper.line, max(0.014 * place.side, 0.1)))]),
        ("terrain", _terrain_symbols(view, place, grounds, ink, scenery)),
        ("buildings", [*_areas(view, place, ink), *_terrain_symbols(view, place, grounds, ink, scenery, over=True)]),
        ("walls", overlays.walls(place, view.walls, t.wall.ink(ink))),
    )


def _marking_layers(view: MapView, place: Place, ink: str, lettering: Lettering) -> Layers:
    """Return the layers that mark cells or are drawn on cells, including the cell names."""
    t = theme()
    shades = [(shade, look("shade", t.shade, shade.look)) for shade in view.shades]
    walked = [(way, look("track", t.track, way.look)) for way in view.tracks]
    return (
        ("sections", overlays.borders(place, view.borders, t.section.ink(ink), lettering.gaps)),
        ("frame", [Path(frame(place), None, Pen(t.map.ink(ink).dark, max(0.04 * place.side, 0.2)))]),
        ("shades", [i for shade, of in shades for i in overlays.shade(place, shade.cells, of, ink)]),
        ("ways", [item for way, of in walked for item in features.track(place, way, of, of.ink(ink))]),
        ("features", _features(view, place, ink)),
        ("names", list(lettering.names)),
    )


def _unit_layers(view: MapView, place: Place, ink: str, lettering: Lettering, lang: Lang | None) -> Layers:
    """Return the layers of units and lines, and the lettering over them. `lang` is the language of the tokens."""
    t = theme()
    return (
        ("lines", overlays.rays(place, [ray for ray in view.rays if not ray.blow], t.ray.ink(ink))),
        ("units", [*draw_tokens(view, place, ink, lang), *draw_flags(placed_flags(view, place), ink)]),
        ("blows", overlays.rays(place, [ray for ray in view.rays if ray.blow], t.ray.ink(ink))),
        ("stops", overlays.stops(place, view.rays, t.ray.ink(ink))),
        ("rings", overlays.rings(place, view.rings, t.ring.ink(ink))),
        ("labels", list(lettering.above)),
    )


def _tints(view: MapView, place: Place, grounds: Mapping[Cell, Ground], ink: str) -> list[Item]:
    """Return one path for each background colour of the terrain."""
    cells: dict[str, list[Cell]] = {}
    for cell in view.grid.cells:
        if cell in grounds:
            cells.setdefault(grounds[cell].ink(ink).tint, []).append(cell)
    return [Path(place.area(group), tint) for tint, group in cells.items()]


def _open_ground(
    view: MapView, place: Place, grounds: Mapping[Cell, Ground], ink: str, scenery: str
) -> Iterator[Item]:
    """Yield the meadows and fields on open ground. It is omitted on samples of one cell and on small maps."""
    open_cells = {cell for cell, ground in grounds.items() if ground.pattern in _OPEN_PATTERNS}
    if len(view.grid.cells) > 1 and place.side >= _COARSE_SIDE:
        yield from meadows.patches(place, open_cells, theme().scenery.ink(ink), scenery)
        if not place.anatomy.squares:
            yield from meadows.farmland(place, open_cells, ink, scenery)


_OPEN_PATTERNS = ("meadow", "sward")
"""Patterns of open ground, which has meadows and fields."""


def _floors(place: Place, grounds: Mapping[Cell, Ground], ink: str) -> Iterator[Item]:
    """Yield the floors of woods."""
    cells: dict[Ground, list[Cell]] = {}
    for cell in place.grid.cells:
        if (ground := grounds.get(cell)) and ground.pattern in terrain.WOODS:
            cells.setdefault(ground, []).append(cell)
    for ground, group in cells.items():
        yield from trees.floor(place, group, ground.ink(ink))


def _relief(place: Place, grounds: Mapping[Cell, Ground], ink: str, scenery: str) -> list[Item]:
    """Return high terrain level by level.

    The colours are those of the first terrain in the theme with that height.
    """
    items: list[Item] = []
    looks = {ground.relief: ground for ground in reversed(theme().ground.values()) if ground in grounds.values()}
    for level in sorted(level for level in looks if level):
        high = [cell for cell in place.grid.cells if cell in grounds and grounds[cell].relief >= level]
        items += ridges.ridge(place, high, looks[level].ink(ink), level, meadows.scenic(scenery, "relief"))
    return items


def _water(view: MapView, place: Place, grounds: Mapping[Cell, Ground], ink: str) -> list[Item]:
    flows = {cell: view.flows.get(cell, ()) for cell, ground in grounds.items() if ground.water}
    if not flows:
        return []
    river = next(g for g in theme().ground.values() if g.water).ink(ink)
    crossed = {cell for cell in flows if grounds[cell].pattern in terrain.CROSSINGS}
    items = terrain.river(place, flows, crossed, river)
    fords = {cell: exits for cell, exits in flows.items() if grounds[cell].pattern == "stones"}
    if fords:
        items += terrain.shallows(place, fords, grounds[next(iter(fords))].ink(ink))
    for cell, exits in flows.items():
        ground = grounds[cell]
        if cell in crossed:
            key = view.ground[cell]
            items.append(terrain.crossing(place, key, ground.pattern, cell, exits, ground.ink(ink), ink))
    return items


def _areas(view: MapView, place: Place, ink: str) -> list[Item]:
    """Return the shapes that do not follow cells, preceded by all their shadows."""
    shapes: dict[str, list[Area]] = {}
    for shape in view.areas:
        shapes.setdefault(shape.look, []).append(shape)
    looks = {key: look("area", theme().area, key) for key in shapes}
    items = [item for key, of in shapes.items() for item in features.shadows(place, of, looks[key].ink(ink))]
    for key, of in shapes.items():
        items += features.areas(place, of, looks[key], looks[key].ink(ink))
    return items


def _terrain_symbols(
    view: MapView, place: Place, grounds: Mapping[Cell, Ground], ink: str, scenery: str, *, over: bool = False
) -> list[Item]:
    """Return trees, tufts and houses. If `over` is true, return the terrain symbols that are drawn above roofs."""
    items: list[Item] = []
    # On small maps, tufts of grass would only be specks.
    omitted = _OPEN_PATTERNS if place.side < _COARSE_SIDE and len(view.grid.cells) > 1 else ()
    for cell in view.grid.cells if place.turned else reversed(view.grid.cells):
        ground = grounds.get(cell)
        if not ground or ground.pattern in omitted:
            continue
        if ground.pattern and ground.over is over and ground.pattern not in terrain.CROSSINGS:
            variant = chance(*seed(cell), meadows.scenic(scenery, view.ground[cell])) % VARIANTS
            symbol = ground_symbol(view.ground[cell], ground.pattern, ground.ink(ink), variant, ink)
            items.append(Use(symbol, *place.centre(cell), place.scale * growth(ground.pattern, place.anatomy)))
    return items


def _features(view: MapView, place: Place, ink: str) -> list[Item]:
    """Return the features on cells. Tracks are drawn below them."""
    items: list[Item] = []
    for cell, key in view.features.items():
        feature = look("feature", theme().feature, key)
        varied = feature.pattern in PLACES
        variant = chance(*seed(cell), meadows.scenic("", key)) % VARIANTS_OF_PLACES if varied else 0
        symbol = ground_symbol(key, feature.pattern, feature.ink(ink), variant, ink)
        x, y, scale = feature_spot(view, place, cell)
        items.append(Use(symbol, x, y, scale * growth(feature.pattern, place.anatomy)))
    return items


MARGIN = 0.5
"""Margin around a map in mm, which leaves room for half the width of the frame's line."""
_COARSE_SIDE = 5.6
"""Length of cell sides in mm from which no line of the terrain is too thin. Maps with longer sides are drawn once and
scaled."""
EDGE_STRIP = 4.4
"""Height in mm of the strip along a baseline with the name of the player or camp."""
EDGE_SIZE, EDGE_FLOOR = 7.5, 7.0
"""Preferred and minimum type size of that name, in points."""
_LIST_LINE = 3.3
"""Line height in mm of the list of unplaced names below a map."""


class MapPicture(Struct, frozen=True):
    """A picture of a map, with the position of its field."""

    picture: Picture
    place: Place
    lettering: Lettering
    """The texts on the map, and the names that could not be placed."""


def draw_map(
    view: MapView, lang: Lang, ink: str, width: float, height: float, turned: bool = False, scenery: str = ""
) -> Picture:
    """Return the complete map with the largest cells that fit in width × height mm.

    The picture is as small as possible. A turned map is shown as seen from its far edge: positions are rotated
    by 180°, but symbols and texts stay upright. `scenery`, such as the scenario's code, varies trees, fields and
    hills.
    """
    return draw_fitted(view, lang, ink, width, height, turned, scenery).picture


def draw_fitted(
    view: MapView, lang: Lang, ink: str, width: float, height: float, turned: bool = False, scenery: str = ""
) -> MapPicture:
    """Return the same map as `draw_map`, together with the position of its field."""
    fonts.ensure_registered(lang)
    strip, outside, lines = EDGE_STRIP if view.edges else 0.0, notes_overhang(view, lang, turned), 0
    while True:
        foot = lines * _LIST_LINE
        place = Place.fit(view.grid, width, height - 2 * strip - foot, MARGIN, outside, turned)
        place = replace(place, y=place.y + strip + foot)
        lettering = _cached_lettering(_EqualView(view), place, ink, lang)
        listing = _unplaced_lines(view, lettering, _full_width(place, outside), lang)
        # Making room for the list shrinks the cells, which may add more names to the list.
        if len(listing) <= lines or foot > height / 4:
            drawn = _compose(view, place, lang, ink, strip, outside, lettering, foot, scenery)
            level = [Text(MARGIN, foot - (i + 0.8) * _LIST_LINE, line, FLOOR) for i, line in enumerate(listing)]
            return replace(drawn, picture=structs.replace(drawn.picture, upon=(*drawn.picture.upon, *level)))
        lines = len(listing)


def _full_width(place: Place, outside: Box) -> float:
    """Return the width of the field including the notes beside it, in mm."""
    return place.size()[0] + (outside[0] + outside[2]) * place.side


def _unplaced_lines(view: MapView, lettering: Lettering, width: float, lang: Lang) -> list[str]:
    """Return the names that could not be placed on the map, in lines of the given width in mm."""
    lines: list[str] = []
    for name in unplaced_names(view, lettering):
        longer = f"{lines[-1]}, {name}" if lines else f"{words('', lang)['press']['unplaced']} {name}"
        if lines and text_width(longer, FLOOR) <= width:
            lines[-1] = longer
        else:
            lines.append(name if lines else longer)
    return lines


def draw_sized(
    view: MapView,
    lang: Lang,
    ink: str,
    cell: float,
    aligned_with: Sequence[MapView] = (),
    turned: bool = False,
    scenery: str = "",
) -> MapPicture:
    """Return the complete map with cells of the given width in mm.

    The map's field has the same position in the picture as the fields of the maps in `aligned_with`.
    """
    fonts.ensure_registered(lang)
    views = (view, *aligned_with)
    strip = EDGE_STRIP if any(v.edges for v in views) else 0.0
    left, below, right, above = (
        max(sides) for sides in zip(*(notes_overhang(v, lang, turned) for v in views), strict=True)
    )
    outside = (left, below, right, above)
    place = Place.of(view.grid, cell / (2 * anatomy(view.grid).inner), MARGIN, outside, turned)
    place = replace(place, y=place.y + strip)
    lettering = _cached_lettering(_EqualView(view), place, ink, lang)
    return _compose(view, place, lang, ink, strip, outside, lettering, 0.0, scenery)


def common_cell(views: Iterable[MapView], lang: Lang, width: float, height: float, turned: bool = False) -> float:
    """Return the width of cells in mm at which each of several maps fits in width × height mm."""
    return min(_fitting_cell(view, lang, width, height, turned) for view in views)


def _fitting_cell(view: MapView, lang: Lang, width: float, height: float, turned: bool) -> float:
    fonts.ensure_registered(lang)
    outside, strips = notes_overhang(view, lang, turned), 2 * EDGE_STRIP if view.edges else 0.0
    return 2 * anatomy(view.grid).inner * Place.fit(view.grid, width, height - strips, MARGIN, outside, turned).side


def _compose(
    view: MapView,
    place: Place,
    lang: Lang,
    ink: str,
    strip: float,
    outside: Box,
    lettering: Lettering,
    foot: float = 0.0,
    scenery: str = "",
) -> MapPicture:
    """Return the map with the texts at its edges. The lowest `foot` mm of the picture stay free."""
    w, h = _full_width(place, outside), place.size()[1] + (outside[1] + outside[3]) * place.side
    alike = replace(place, side=UNIT if place.side >= _COARSE_SIDE else place.side, x=0.0, y=0.0)
    base, ground, markings = (
        _open_part(_EqualView(_open_view(view)), alike, ink, scenery),
        _ground_part(_EqualView(_ground_view(view)), alike, ink, scenery),
        _markings_part(_EqualView(view), place, ink, lang),
    )
    units = _units_part(_SameView(view), place, ink, lang)
    items = [*units.items]
    if view.edges:
        far, near = reversed(view.edges) if place.turned else view.edges
        levels = h + 2 * MARGIN + strip + foot + 1.2, foot + 1.2
        names = list(_section_names(view, place, lang, ink, levels))
        middle = (_LABEL_BESIDE if names else 0.5) * w + MARGIN
        labels = [
            _edge_label(text[lang], middle, w, y, up, ink)
            for text, y, up in zip((far, near), levels, (1, -1), strict=True)
        ]
        items += [item for label in labels for item in label]
        # On a small map there is no room between the names of the sections. The section lines show the sections.
        if not any(_touch(label, name) for _, label in labels for name in names):
            items += names
    layers = [layer for part in (base, ground, markings, units) for layer in part.layers]
    counts = tuple((name, len(drawn)) for name, drawn in layers if drawn)
    size = w + 2 * MARGIN, h + 2 * MARGIN + 2 * strip + foot
    share = place.side / alike.side
    stills = (Still(part.items, place.x, place.y, share) for part in (base, ground))
    still = (*stills, Still(markings.items))
    return MapPicture(Picture(*size, tuple(items), counts, still), place, lettering)


_LABEL_BESIDE = 0.672
"""Position of the label of an edge beside the names of sections, as a share of the width of the map."""


def _edge_label(text: str, middle: float, width: float, y: float, up: int, ink: str) -> tuple[Path, Text]:
    """Return the text along a baseline around `middle`, and the triangle before it that points off the map."""
    dark = theme().map.ink(ink).dark
    size = fitting_size(text, width, EDGE_SIZE, EDGE_FLOOR, bold=True)
    level = y + 0.13 * size
    left = middle - text_width(text, size, True) / 2 - 2.4
    sign = (left - 1.1, level - up * 0.85), (left + 1.1, level - up * 0.85), (left, level + up * 0.95)
    return polygon(sign, dark), Text(middle, y, text, size, "middle", True, dark)


_SIGN = 3.5
"""Distance from the left end of an edge's label to the left end of its triangle, in mm."""


def _touch(label: Text, name: Text) -> bool:
    """Return whether an edge's label or its triangle overlaps a name, if both are on the same line."""
    halves = sum(text_width(text.text, text.size, text.bold) / 2 for text in (label, name))
    room = halves + (_SIGN if name.x < label.x else 0.0)
    return label.y == name.y and abs(label.x - name.x) < room


_SECTION_NAME = "#6b665a"


def _section_names(view: MapView, place: Place, lang: Lang, ink: str, levels: tuple[float, float]) -> Iterator[Text]:
    """Yield the names of the sections at the far and the near edge, each as the player there calls it."""
    colour = theme().map.ink(ink).dark if ink == "saver" else _SECTION_NAME
    for x, *names in view.sections:
        for name, y in zip(reversed(names) if place.turned else names, levels, strict=True):
            yield Text(place.at((x, 0.0))[0], y, name[lang], EDGE_FLOOR, "middle", False, colour)


ROW, MAX_ROW = 6.6, 9.0
"""Height of a legend's rows in mm, and the maximum height if there is more room."""
SIDE, SQUARE, TOKEN = 0.45, 0.82, 0.07
"""Side of a legend's hexes, side of its squares, and scale of its tokens, per mm of row height."""
LARGE, SIZE, FLOOR = 9.0, 7.5, 7.0
"""Maximum, usual and minimum type size of a legend, in points."""
LETTER, TEXT = 1.15, 1.55
"""Positions of the middle of a terrain's letter and of the start of its text, in row heights from the left."""
GAP = 4.0
"""Distance between two columns or entries, in mm."""


def draw_legend(view: MapView, lang: Lang, ink: str, width: float, height: float = 0.0) -> Picture:
    """Return the legend of a view in as many columns as fit in `width` mm. Entries are read down each column.

    If `height` is given, rows grow to fill this height in mm, up to MAX_ROW. Each entry is a layer that ends with the
    text of the entry, so that a web page can rearrange the entries.
    """
    fonts.ensure_registered(lang)
    entries = view.legend
    if not entries:
        return Picture(width, 0.0, ())
    texts = [entry.text[lang] for entry in entries]
    high = max(ROW, min(MAX_ROW, height / len(entries)))
    start = max((TEXT + _several(entry) - 1) * high for entry in entries)
    large = min(LARGE, SIZE * high / ROW)
    size = min(fitting_size(text, width - start, large, FLOOR) for text in texts)
    column = start + max(text_width(text, size) for text in texts) + GAP
    columns = min(max(1, int((width + GAP) / column)), len(entries))
    rows = ceil(len(entries) / columns)
    columns = ceil(len(entries) / rows)
    pitch = max(column, (width + GAP) / columns) if columns > 1 else column
    items: list[Item] = []
    layers: list[tuple[str, int]] = []
    for i, (entry, text) in enumerate(zip(entries, texts, strict=True)):
        x, y = i // rows * pitch, (rows - i % rows - 0.5) * high
        drawn = (*_sample(view, entry, x, y, high, ink), Text(x + start, y - 0.12 * size, text, size))
        items += drawn
        layers.append((ENTRY, len(drawn)))
    return Picture(width, rows * high, tuple(items), tuple(layers))


def draw_strip(view: MapView, lang: Lang, ink: str, width: float) -> Picture:
    """Return the legend of a view as lines of entries, each as wide as necessary."""
    fonts.ensure_registered(lang)
    lines: list[list[tuple[float, Legend]]] = [[]]
    x = far = 0.0
    for entry in view.legend:
        room = _sample_width(entry) + text_width(entry.text[lang], SIZE)
        if lines[-1] and x + room > width:
            lines.append([])
            x = 0.0
        lines[-1].append((x, entry))
        far = max(far, x + room)
        x += room + GAP
    items: list[Item] = []
    for i, line in enumerate(lines):
        y = (len(lines) - i - 0.5) * ROW
        for left, entry in line:
            items += _sample(view, entry, left, y, ROW, ink)
            items.append(Text(left + _sample_width(entry), y - 0.12 * SIZE, entry.text[lang], SIZE))
    return Picture(far, len(lines) * ROW, tuple(items))


def _sample_width(entry: Legend) -> float:
    """Return the distance from the left end of an entry to its text, in mm."""
    return (_several(entry) + 0.12) * ROW


def _several(entry: Legend) -> int:
    """Return the number of samples of an entry that are side by side, at least 1."""
    return max(1, len(entry.sample.split())) if isinstance(entry.sample, str) else 1


def _sample(of: MapView, entry: Legend, left: float, y: float, row: float, ink: str) -> Iterator[Item]:
    """Yield the sample of a legend entry in a row of the given height.

    The sample is a token, a flag, or one or more cells side by side with the letters of their terrain.
    """
    x = left + 0.5 * row
    if isinstance(entry.sample, Token):
        yield Use(token_symbol(entry.sample, ink), x, y, TOKEN * row)
    elif isinstance(entry.sample, Flag):
        yield from draw_flags((size_flag(entry.sample, x, y, row),), ink)
    else:
        for i, key in enumerate(entry.sample.split()):
            yield from _cell_sample(of, key, left + i * row, y, row, ink)


def _cell_sample(of: MapView, key: str, left: float, y: float, row: float, ink: str) -> Iterator[Item]:
    t = theme()
    x = left + 0.5 * row
    cell = of.grid.cells[0]
    grid = Part(of.grid, (cell,))
    place = Place(grid, (SQUARE if anatomy(grid).squares else SIDE) * row, 0.0, 0.0)
    cx, cy = place.centre(cell)
    place = replace(place, x=x - cx, y=y - cy)
    view = MapView(grid, {}, names=False)
    if key in t.ground:
        walls = {cell: (1, 2)} if t.ground[key].walls else {}
        flows = {cell: (0, len(anatomy(grid).exits) // 2)}
        roads = flows if t.ground[key].road else {}
        view = replace(view, ground={cell: key}, flows=flows, roads=roads, walls=walls)
        size = min(LARGE, SIZE * row / ROW)
        # Water has no letter on the map (`cell_text`).
        letter = "" if t.ground[key].water else t.ground[key].letter
        if letter:
            yield Text(left + LETTER * row, y - 0.128 * size, letter, size, "middle", True, "#303030")
    elif key in t.feature:
        yield Path(place.area((cell,)), t.feature[key].ink(ink).tint)
        view = replace(view, features={cell: key})
    elif all(look in t.shade for look in key.split(WITH)):
        view = replace(view, shades=tuple(Shade(look, (cell,)) for look in key.split(WITH)))
    elif key in t.area:
        view = replace(view, areas=(Area(key, (_area_sample(grid, cell),)),))
    elif key in t.track and t.track[key].ribbon:
        of_track = t.track[key]
        course = (left + 0.08 * row, y), (left + 0.92 * row, y)
        yield from ribbon(course, 0.7 * row, of_track.ink(ink), of_track.hatch, 0.0)
        return
    elif key in t.track:
        # The line is about as wide as on a map whose cells are as high as the row.
        place = Place(field((2,)), 0.52 * row, left + 0.12 * row, y)
        way = Track(key, (Hex(0, 0), Hex(1, 0)))
        if t.track[key].ribbon:
            # The ends of a broad arrow are away from the centres of its cells.
            side = 0.95 * row / (2 * 3**0.5 - 2 * features.RIBBON_CLEARANCE)
            place = Place(field((3,)), side, left + 0.05 * row - features.RIBBON_CLEARANCE * side, y)
            way = Track(key, (Hex(0, 0), Hex(1, 0), Hex(2, 0)))
        yield from features.track(place, way, t.track[key], t.track[key].ink(ink))
        return
    elif key == SECTION:
        yield from overlays.borders(place, (((-1, 0), (1, 0)),), t.section.ink(ink))
        return
    elif key in (RAY, BREAK, SHOT, AIM, BLOW):
        place = Place(field((2,)), 0.52 * row, left + 0.1 * row, y)
        stop = Hex(1, 0) if key == BREAK else None
        ray = Ray(Hex(0, 0), Hex(1, 0), stop, shot=key in (AIM, BLOW), arrow=key in (SHOT, BLOW))
        yield from overlays.rays(place, (ray,), t.ray.ink(ink))
        yield from overlays.stops(place, (ray,), t.ray.ink(ink))
        return
    elif key == RING:
        view = replace(view, rings=(Ring(cell, ""),))
    else:
        known = [*t.ground, *t.feature, *t.shade, *t.area, *t.track, SECTION, RAY, BREAK, SHOT, AIM, BLOW, RING]
        raise DataError(tr('the theme has no legend symbol named "{key}"', key=key), hint=near(key, known))
    yield from draw_field(view, place, ink)


def draw_sample(view: MapView, key: str, side: float) -> Picture:
    """Return a cell with a look, as the legend of the map shows it, in a square with sides of `side` mm."""
    return Picture(side, side, tuple(_cell_sample(view, key, 0.0, side / 2, side, "full")))


def _area_sample(grid: Grid, cell: Cell) -> tuple[Spot, ...]:
    """Return the outline of an area within a cell."""
    (x, y), corners = grid.centre(cell), grid.corners(cell)
    return tuple((x + 0.72 * (a - x), y + 0.72 * (b - y)) for a, b in corners)
