"""Tests for the sizes of maps, tokens and labels on the sheets of Travel Battle."""

from __future__ import annotations

from typing import cast

from generator.games.travel_battle.pages.gunfields import fields_of_fire, fire_map
from generator.games.travel_battle.pages.scene import scene, sheet_view
from generator.model.picture import Text
from generator.model.views import MapView
from generator.press.figures.cell_names import text_extent
from generator.press.figures.maps import common_cell, draw_fitted, draw_sized
from generator.press.figures.tokens import label_plates, token_boxes
from generator.press.layout_context import LayoutContext
from tests.games.travel_battle.scenes import report
from tests.games.travel_battle.test_draw import CODES, drawn


def test_labels_are_beside_the_names_of_squares() -> None:
    """A name and a label that touch are read as one."""
    for code in CODES[:6]:
        scenario = drawn(code, {})
        view = sheet_view(scenario)
        sheet_map = draw_fitted(view, "en", "full", 190.0, 112.0)
        plates = [plate.box for plate in label_plates(view, sheet_map.place)]
        for text in sheet_map.lettering.names:
            if isinstance(text, Text):
                left, low, right, high = text_extent(text)
                for x0, y0, x1, y1 in plates:
                    assert max(x0 - right, left - x1, y0 - high, low - y1) >= 0.3


def test_maps_of_guns_have_one_scale() -> None:
    scenario = drawn(CODES[0], {})
    guns = [fire_map(scenario, field) for field in fields_of_fire(scenario)]
    sizes = {(max(c.c for c in g.grid.cells), min(c.c for c in g.grid.cells), len(g.grid.cells)) for g in guns}
    assert len(sizes) > 1
    context = LayoutContext("en", "full", 190.0, 1.0, {})
    cell = common_cell(guns, "en", 90.0, 74.0)
    for view in guns:
        picture = context.map(view, 90.0, 74.0, guns)
        assert picture == draw_sized(view, "en", "full", cell).picture
        assert picture.width <= 90.01 and picture.height <= 74.01


def test_a_high_field_fills_the_height_of_its_sheet() -> None:
    scenario = drawn(CODES[0], {}, boards="2x2")
    cover = scene(scenario, report(scenario))
    assert cover.template == "travel_battle/high.xml"
    view = cast(MapView, cover.field)
    place = draw_fitted(view, "en", "full", 160.0, 187.0).place
    widths = [right - left for left, _, right, _ in token_boxes(view, place)]
    assert place.side >= 7.4 and max(widths) >= 6.4, "legible at 1 m"
