"""Tests that scenery varies with the code, has enough variants, and covers no name."""

from __future__ import annotations

from collections import Counter

import pytest

from generator.grid.hexes import field
from generator.grid.squares import squares
from generator.model.picture import Item, Path, Picture, Use
from generator.model.views import MapView, Shade
from generator.press.figures.maps import draw_map
from generator.symbols.houses import FORMS, house
from generator.symbols.ridges import ridge
from generator.symbols.shapes import Place, mixed
from generator.symbols.terrain import VARIANTS, ground_symbol
from generator.symbols.theme import INKS, theme
from generator.symbols.trees import MIXTURES, wood

HEXES, SQUARES = field((10,) * 8), squares(10, 8)
VIEWS = {
    "hexes": MapView(HEXES, dict.fromkeys(HEXES.cells, "countryside") | dict.fromkeys(HEXES.cells[:30], "forest")),
    "squares": MapView(SQUARES, dict.fromkeys(SQUARES.cells, "open") | dict.fromkeys(SQUARES.cells[:20], "building")),
}


def drawn(view: MapView, scenery: str, ink: str = "full") -> Picture:
    return draw_map(view, "en", ink, 200.0, 180.0, scenery=scenery)


def symbols(picture: Picture, start: str) -> Counter[str]:
    return Counter(
        item.symbol.name for item in picture.items if isinstance(item, Use) and item.symbol.name.startswith(start)
    )


@pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS)
def test_the_same_code_has_the_same_scenery_and_another_code_another_one(view: MapView) -> None:
    assert drawn(view, "5HCEY-ZQ271").items == drawn(view, "5HCEY-ZQ271").items
    assert drawn(view, "5HCEY-ZQ271").items != drawn(view, "6GDCB-K1CBV").items


@pytest.mark.parametrize(
    ("kind", "start"),
    [("hexes", "ground.forest"), ("hexes", "field"), ("squares", "ground.building"), ("squares", "ground.open")],
)
def test_a_map_has_at_least_four_variants_of_each_kind(kind: str, start: str) -> None:
    found = symbols(drawn(VIEWS[kind], "5HCEY-ZQ271"), start)
    assert len(found) >= 4


def test_patterns_have_at_least_four_drawings() -> None:
    palette = theme().ground["building"].full
    assert len({tuple(house(palette, n)) for n in range(VARIANTS)}) == 2 * len(FORMS)
    woods = [wood(theme().ground["forest"].full, n, "full", squares=False) for n in range(VARIANTS)]
    assert len({tuple((use.x, use.y) for use in one if isinstance(use, Use)) for one in woods}) == VARIANTS
    assert (
        len({frozenset(use.symbol.name.split(".")[1] for use in one if isinstance(use, Use)) for one in woods}) >= 4
    )
    assert len(MIXTURES) >= 4


@pytest.mark.parametrize("key", ["forest", "wood"])
def test_trees_keep_clear_of_the_name_of_their_cell(key: str) -> None:
    ground = theme().ground[key]
    for variant in range(VARIANTS):
        symbol = ground_symbol(key, ground.pattern, ground.full, variant, "full")
        assert len(symbol.items) >= 8
        for item in symbol.items:
            assert isinstance(item, Use)
            top = item.y + item.scale * max(_tops(item.symbol.items))
            if key == "forest":
                assert top < 10.6 and not (abs(item.x) < 3 and top > 5.6)
            else:
                assert top < 5.3 and not (item.x < 0.4 and top > 3.2)


def _tops(items: tuple[Item, ...]) -> list[float]:
    """Return the heights of the points on outlines."""
    return [float(step[-1]) for item in items if isinstance(item, Path) for step in item.steps if step[0] != "Z"]


def test_hills_vary_with_the_code() -> None:
    place, c = Place(HEXES, 10.0, 0.0, 0.0), theme().ground["hill"].full
    shapes = [ridge(place, HEXES.cells[:5], c, 1, salt) for salt in range(4)]
    assert len({tuple(shape) for shape in shapes}) == 4


def test_small_and_faded_maps_have_no_fields() -> None:
    """On a set-up map, players lay the terrain that they see."""
    faded = MapView(HEXES, VIEWS["hexes"].ground, shades=(Shade("veil", HEXES.cells),))
    assert symbols(drawn(VIEWS["hexes"], "A"), "field") and not symbols(drawn(faded, "A"), "field")
    assert not symbols(draw_map(VIEWS["hexes"], "en", "full", 60.0, 60.0, scenery="A"), "field")


@pytest.mark.parametrize("ink", INKS)
def test_scenery_is_opaque(ink: str) -> None:
    for view in VIEWS.values():
        parts = [item for still in drawn(view, "A", ink).still[:2] for item in still.part]
        assert all(item.alpha == 1 for item in parts if isinstance(item, Path))


def test_an_ink_saving_print_has_no_tinted_meadows() -> None:
    base = drawn(VIEWS["hexes"], "A", "saver").still[0]
    assert {item.fill for item in base.part if isinstance(item, Path)} == {"#ffffff"}


def test_colours_are_mixed_by_their_shares() -> None:
    assert mixed("#000000", "#ffffff", 0.5) == "#808080"
    assert mixed("#102030", "#ffffff", 0.0) == "#102030"
