"""Tests that maps show every style in both inks inside the picture, and that the output is unchanged."""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Iterable, Iterator
from itertools import combinations
from pathlib import Path as File

import pytest
from msgspec.structs import replace

from generator.errors import DataError
from generator.grid.hexes import Grid, Hex, field
from generator.grid.squares import squares
from generator.model.picture import Item, Path, Picture, Text, Use
from generator.model.views import Legend, MapView, Ray, Ring, Shade, Token
from generator.model.words import same
from generator.press.figures.maps import draw_field, draw_fitted, draw_legend, draw_map
from generator.press.layout_context import LayoutContext
from generator.press.pdf.legible import NUMBER_FLOOR
from generator.store.folders import shipped_path
from generator.symbols import overlays
from generator.symbols.counters import OUTLINES
from generator.symbols.shapes import Place, hatching, inset, loops
from generator.symbols.terrain import CROSSINGS, PATTERNS, WOODS
from generator.symbols.theme import INKS, theme

NUMBER = re.compile(r"-?\d+\.\d+")
GOLDEN = File(__file__).parent / "goldens" / "tiny_map.txt"

BANNERS = ("green", "blue", "red", "lore")

FULL = field((10,) * 10)
"""A map with a token on every hex."""
SMALL = field((3, 2, 3))
TINY = MapView(
    SMALL,
    {
        SMALL.at(0, 0): "countryside",
        SMALL.at(1, 0): "forest",
        SMALL.at(2, 0): "hill",
        SMALL.at(0, 1): "river",
        SMALL.at(1, 1): "bridge",
        SMALL.at(0, 2): "marsh",
        SMALL.at(1, 2): "landmark",
        SMALL.at(2, 2): "cliff",
    },
    features={SMALL.at(0, 0): "stakes"},
    flows={SMALL.at(0, 1): (0, 3), SMALL.at(1, 1): (0, 3)},
    walls={SMALL.at(2, 2): (5,)},
    borders=(((3, -1), (3, 1)),),
    tokens=((SMALL.at(0, 0), Token("pennant", "green", "common_bow", "P1", "dwarf", "levy")),),
    shades=(Shade("seen", (SMALL.at(0, 1),)),),
    rays=(Ray(SMALL.at(0, 0), SMALL.at(2, 2), SMALL.at(1, 1)),),
    edges=(same("far"), same("near")),
)


def points(items: Iterable[Item]) -> Iterator[tuple[float, float]]:
    for item in items:
        if isinstance(item, Path):
            for step in item.steps:
                numbers = [float(n) for n in step[1:]]
                yield from zip(numbers[::2], numbers[1::2], strict=True)
        else:
            yield item.x, item.y


def numbers(items: Iterable[Item]) -> Iterator[float]:
    """Yield all coordinates of the items."""
    for item in items:
        if isinstance(item, Path):
            for step in item.steps:
                yield from map(float, step[1:])
        else:
            yield from (item.x, item.y)


def inside(picture: Picture) -> bool:
    return all(-0.01 <= x <= picture.width + 0.01 and -0.01 <= y <= picture.height + 0.01
               for x, y in points(picture.items))  # fmt: skip


def test_positions_on_one_ground_have_it_in_common() -> None:
    at, token = TINY.tokens[0]
    moved = replace(TINY, tokens=((SMALL.at(1, 0), token),))
    first, second, again = (draw_map(view, "en", "full", 120, 90) for view in (TINY, moved, replace(TINY)))
    base, ground, lying = first.still
    assert first.items == (*base.items, *ground.items, *lying.items, *first.upon)
    assert second.still[0].part is base.part and second.still[1].part is ground.part
    assert second.items != first.items
    assert all(a.part is b.part for a, b in zip(first.still, again.still, strict=True))
    assert first.items == again.items
    other = draw_map(replace(TINY, ground={**TINY.ground, at: "forest"}), "en", "full", 120, 90)
    assert other.still[0].part != base.part and other.still[1].part != ground.part


@pytest.mark.parametrize("turned", [False, True])
def test_maps_of_one_board_share_its_drawing_at_any_size(turned: bool) -> None:
    """Small maps do not share the drawing, because its lines would be too thin."""
    large, larger, small = (draw_map(TINY, "en", "full", wide, 190, turned) for wide in (60, 100, 20))
    assert large.still[0].part is larger.still[0].part is not small.still[0].part
    place = draw_fitted(TINY, "en", "full", 100, 190, turned).place
    plain = tuple(draw_field(replace(TINY, names=False), place, "full"))
    for item, alone in zip(larger.still[0].items, plain, strict=False):
        numbers = [[float(n) for n in NUMBER.findall(line)] for line in Picture(0, 0, (item, alone)).lines()][1:]
        assert numbers[0] == pytest.approx(numbers[1], abs=0.011)


def uses(picture: Picture, kind: str) -> list[Use]:
    return [i for i in picture.items if isinstance(i, Use) and i.symbol.name.startswith(kind)]


def one(**parts: object) -> MapView:
    """Return a map of a single hex."""
    view = MapView(field((1,)), {Hex(0, 0): "countryside"})
    return replace(view, **parts)


def test_a_tiny_map_reads_as_it_did() -> None:
    assert "\n".join(draw_map(TINY, "en", "full", 60, 80).lines()) + "\n" == GOLDEN.read_text("utf-8")


def test_a_sheet_draws_a_map_once_for_the_room_it_gets() -> None:
    view, larger = one(), LayoutContext("en", "full", 400.0, 1.0, {})
    smaller = replace(larger, scale=0.9)
    first = larger.map(view, 60.0, 40.0)
    assert smaller.map(view, 60.0, 40.0) is first
    assert first == draw_map(view, "en", "full", 60.0, 40.0)
    assert smaller.map(view, 30.0, 20.0) == draw_map(view, "en", "full", 30.0, 20.0) != first
    assert larger.map(one(), 60.0, 40.0) is not first


@pytest.mark.parametrize("box", [(60.0, 80.0), (277.0, 180.0), (40.0, 200.0)])
def test_a_map_fills_its_box_and_no_more(box: tuple[float, float]) -> None:
    picture = draw_map(TINY, "en", "full", *box)
    assert inside(picture)
    assert picture.width == pytest.approx(box[0]) or picture.height == pytest.approx(box[1])
    assert picture.width <= box[0] + 0.001
    assert picture.height <= box[1] + 0.001


@pytest.mark.parametrize("ink", INKS)
def test_every_look_is_drawn(ink: str) -> None:
    t, cell = theme(), Hex(0, 0)
    for key in t.ground:
        for flows in ((), (0,), (0, 2), (0, 3), (0, 2, 4)):
            assert inside(draw_map(one(ground={cell: key}, flows={cell: flows}), "en", ink, 50, 50))
    for key in t.feature:
        assert uses(draw_map(one(features={cell: key}), "en", ink, 50, 50), f"ground.{key}")
    for key in t.shade:
        assert inside(draw_map(one(shades=(Shade(key, (cell,)),)), "en", ink, 50, 50))


@pytest.mark.parametrize("ink", INKS)
def test_every_token_is_drawn_and_stays_within_its_reach(ink: str) -> None:
    t = theme()
    shared = tomllib.loads((shipped_path("data") / "theme.toml").read_text("utf-8"))["figure"]
    tokens = [
        Token(shape, colour, symbol, "P12", badge, mark)
        for shape, camp in t.shape.items()
        if camp.outline in OUTLINES
        for colour in BANNERS
        for symbol, drawing in t.symbol.items()
        if drawing in shared
        for badge in (*t.badge, "goblin mounted", "")
        for mark in ("", "levy", "reserve")
    ]  # fmt: skip
    names, ground = set(), dict.fromkeys(FULL.cells, "countryside")
    for first in range(0, len(tokens), len(FULL.cells)):
        some = tuple(zip(FULL.cells, tokens[first:], strict=False))
        drawn = uses(draw_map(MapView(FULL, ground, tokens=some), "en", ink, 500, 500), "token.")
        assert len(drawn) == len(some)
        for use in drawn:
            names.add(use.symbol.name)
            assert max(map(abs, numbers(use.symbol.items))) <= use.symbol.reach
    assert len(names) == len(tokens)


def test_a_token_shows_its_letter_its_pips_and_its_label() -> None:
    token = Token("standard", "red", "long_sword", "S7", "mounted")
    picture = draw_map(one(tokens=((Hex(0, 0), token),)), "ja", "saver", 50, 50)
    (use,) = uses(picture, "token.")
    texts = [i.text for i in (*use.symbol.items, *picture.items) if isinstance(i, Text)]
    assert texts == [theme().colour["red"].letter, "A1", "S7"]


def test_no_name_is_smaller_than_five_points() -> None:
    sizes = [i.size for i in draw_map(TINY, "en", "full", 20, 20).items if isinstance(i, Text)]
    assert min(sizes) >= 5
    page = draw_map(MapView(field((*(12, 11) * 4, 12)), {}), "en", "full", 277, 180)
    assert all(6 <= i.size <= 7 for i in page.items if isinstance(i, Text))


def names_on_map(view: MapView, width: float) -> dict[str, Text]:
    return {i.text: i for i in draw_map(view, "en", "full", width, width).items if isinstance(i, Text)}


def test_a_small_map_names_the_hexes_in_small_type_as_far_as_they_have_room() -> None:
    view = replace(TINY, edges=None)
    large, small = names_on_map(view, 60), names_on_map(view, 25)
    assert {"A1", "B1 F", "C1 H", "P1"} <= set(large)
    assert {"B1 F", "C1 H", "P1"} <= set(small)
    assert large["B1 F"].size > small["B1 F"].size == NUMBER_FLOOR


def test_a_cell_s_name_and_its_ground_s_letter_are_one_label_above_the_token() -> None:
    cell = Hex(0, 0)
    token = Token("pennant", "green", "common_bow", "P1", "goblin mounted")
    picture = draw_map(one(ground={cell: "forest"}, tokens=((cell, token),)), "en", "full", 50, 50)
    label, pill = (
        names_on_map(one(ground={cell: "forest"}, tokens=((cell, token),)), 50)["A1 F"],
        uses(picture, "token.")[0],
    )
    assert label.y > pill.y + 5 * pill.scale
    assert "A1" in names_on_map(one(ground={cell: "ford"}), 50), "water speaks by its shape"


def test_a_section_line_breaks_at_names() -> None:
    view = replace(TINY, borders=(((2, -1), (2, 7)),), tokens=(), shades=(), rays=(), edges=None)
    colour = theme().section.ink("full").line
    (dots,) = [i for i in draw_map(view, "en", "full", 60, 60).items if isinstance(i, Path) and i.pen
               and i.pen.colour == colour]  # fmt: skip
    ends = [float(step[2]) for step in dots.steps]
    spans = list(zip(ends[::2], ends[1::2], strict=True))
    assert len(spans) == 2
    label = names_on_map(view, 60)["B1 F"]
    assert all(not min(span) <= label.y <= max(span) for span in spans)


def test_a_section_is_named_only_beside_the_label_of_an_edge() -> None:
    """A cover with many findings has a small map, on which the label of an edge covered the name of a section."""
    names = tuple((x, same("Left"), same("Centre")) for x in (4.0, 12.0, 20.0))
    edges = (same("Standard’s seat · row 9"), same("Pennant’s seat · row 1"))
    view = MapView(field((*(12, 11) * 4, 12)), {}, sections=names, edges=edges)

    def texts(width: float) -> set[str]:
        return {item.text for item in draw_map(view, "en", "full", width, width).items if isinstance(item, Text)}

    labels = {edge.en for edge in edges}
    assert {"Left", "Centre"} | labels <= texts(180)
    small = texts(90)
    assert labels <= small
    assert not small & {"Left", "Centre"}


def test_without_colour_grounds_and_banners_still_differ() -> None:
    t = theme()
    for a, b in combinations([*t.ground.values(), *t.feature.values()], 2):
        assert (a.pattern, a.letter, a.road) != (b.pattern, b.letter, b.road)
    for one_, other in combinations([t.colour[key] for key in BANNERS], 2):
        assert one_.letter != other.letter
        assert one_.pips != other.pips
        assert one_.hatch != other.hatch


def test_every_pattern_of_the_theme_is_a_drawing() -> None:
    t = theme()
    assert {g.pattern for g in t.ground.values()} - {""} <= {*PATTERNS, *CROSSINGS, *WOODS, *t.drawing}
    assert {f.pattern for f in t.feature.values()} <= {*PATTERNS, *t.drawing}


def test_neighbouring_hills_share_one_contour() -> None:
    pair, apart = field((2,)), field((3,))
    assert len(loops(pair, pair.cells)) == 1
    assert len(loops(apart, (apart.cells[0], apart.cells[2]))) == 2


@pytest.mark.parametrize("grid", [SMALL, squares(3, 3)], ids=["hexes", "squares"])
def test_a_ring_keeps_off_whatever_stands_on_the_next_cell(grid: Grid) -> None:
    place = Place(grid, 10.0, 0.0, 0.0)
    here, *others = grid.cells
    middle = place.centre(here)
    drawn = points(overlays.rings(place, [Ring(here, "")], theme().ring.ink("full")))
    radius = min(math.dist(middle, at) for at in drawn)
    nearest = min(math.dist(middle, place.centre(cell)) for cell in others)
    assert 0.4 * nearest < radius <= 0.6 * nearest


def test_a_ring_of_hills_has_a_hole() -> None:
    grid = field((3, 3, 3))
    middle = grid.at(1, 1)
    assert len(loops(grid, grid.neighbours(middle))) == 2


def test_hatching_stays_inside_its_outline() -> None:
    square = ((0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0))
    cuts = hatching(square, 45, 1.0)
    assert len(cuts) == 5
    assert all(-1e-9 <= n <= 4 + 1e-9 for cut in cuts for point in cut for n in point)
    assert inset(square, 1.0) == [(1, 1), (3, 1), (3, 3), (1, 3)]


def test_a_legend_shows_grounds_features_shades_lines_and_tokens() -> None:
    samples: tuple[str | Token, ...] = (
        *theme().ground, *theme().feature, *theme().shade, *theme().area, *theme().track, "section", "ray", "break",
        Token("disc", "blue", "crossbow"),
    )  # fmt: skip
    view = replace(TINY, legend=tuple(Legend(s, same(f"No. {i}")) for i, s in enumerate(samples)))
    wide, narrow = draw_legend(view, "en", "full", 180), draw_legend(view, "ja", "saver", 30)
    assert inside(wide)
    assert inside(narrow)
    assert wide.height < narrow.height
    for picture in (wide, narrow):
        texts = {i.text for i in picture.items if isinstance(i, Text)}
        assert texts >= {f"No. {i}" for i in range(len(samples))}
    assert draw_legend(TINY, "en", "full", 100).height == 0
    tall = draw_legend(view, "ja", "saver", 40, 9.0 * len(samples))
    assert tall.height == pytest.approx(9.0 * len(samples))
    assert inside(tall)


@pytest.mark.parametrize(
    ("view", "expected"),
    [
        (one(ground={Hex(0, 0): "forrest"}), 'the theme has no ground named "forrest".*did you mean forest'),
        (one(features={Hex(0, 0): "moat"}), 'the theme has no feature named "moat"'),
        (one(shades=(Shade("sean", (Hex(0, 0),)),)), 'the theme has no shade named "sean".*seen'),
        (one(tokens=((Hex(0, 0), Token("flag", "green", "crossbow")),)), 'the theme has no token shape named "flag"'),
        (one(tokens=((Hex(0, 0), Token("disc", "pink", "crossbow")),)), 'the theme has no token colour named "pink"'),
        (one(tokens=((Hex(0, 0), Token("disc", "green", "spear")),)), 'the theme has no token symbol named "spear"'),
        (one(tokens=((Hex(0, 0), Token("disc", "green", "crossbow", "", "orc")),)), 'no badge named "orc"'),
    ],
)
def test_an_unknown_look_is_named_with_the_nearest(view: MapView, expected: str) -> None:
    with pytest.raises(DataError, match=expected):
        draw_map(view, "en", "full", 50, 50)


def test_an_unknown_ink_and_an_unknown_legend_look_are_named() -> None:
    with pytest.raises(DataError, match='the theme has no ink named "grey"'):
        draw_map(TINY, "en", "grey", 50, 50)
    with pytest.raises(DataError, match=r'the theme has no legend symbol named "forrest".*did you mean forest'):
        draw_legend(replace(TINY, legend=(Legend("forrest", same("Wood")),)), "en", "full", 100)
