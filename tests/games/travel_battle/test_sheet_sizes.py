"""Tests for the sizes of maps, tokens and labels on the sheets of Travel Battle."""

from __future__ import annotations

from collections import Counter
from typing import cast

import pytest
from pypdfium2 import PdfDocument

from generator import games
from generator.errors import DataError
from generator.games.travel_battle.objectives import kinds
from generator.games.travel_battle.pages.gunfields import fields_of_fire, fire_map
from generator.games.travel_battle.pages.scene import scene, sheet_view
from generator.model.picture import Text
from generator.model.views import MapView
from generator.model.words import LANGS, Lang
from generator.press.book import print_kit
from generator.press.figures.cell_names import text_extent
from generator.press.figures.maps import common_cell, draw_fitted, draw_sized
from generator.press.figures.tokens import label_plates, token_boxes
from generator.press.layout.markup import parse
from generator.press.layout.print_settings import PrintSettings
from generator.press.layout_context import LayoutContext
from generator.press.reader import build_blocks
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


def test_a_single_label_is_apart_from_the_name_in_the_next_square() -> None:
    """The side between the two squares is at least 0.8 mm away from the label, at 10.5 mm for a square."""
    scenario = drawn(CODES[0], {})
    view = sheet_view(scenario)
    sheet_map = draw_fitted(view, "en", "full", 210.0, 112.0)
    alone = Counter(cell for cell, _ in view.tokens)
    plates = {plate.text: plate.box for plate in label_plates(view, sheet_map.place)}
    for cell, token in view.tokens:
        if alone[cell] == 1:
            right = max(x for x, _ in sheet_map.place.ring(cell))
            assert right - plates[token.label][2] >= 0.08 * sheet_map.place.side


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("objective", sorted(kinds()))
def test_the_cover_has_room_for_every_objective(objective: str, lang: Lang, paper: str) -> None:
    game, scenario = games.load("travel_battle"), drawn(CODES[0], {}, objective=objective)
    command = "muster kit travel_battle --seed Q8XA6-5D4S1 --objective hold --lang en --paper letter"
    kit = game.kit(scenario, report(scenario), "", command).only(["cover"])
    document = PdfDocument(print_kit(kit, PrintSettings(lang, paper), packed=False))
    assert len(document) == 1


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("code", ["1QTQC-HEASA", "SC8Q3-60D5Y", "QN7Z7-G0FFQ"])
def test_the_cover_has_room_for_every_terrain_and_a_side_that_rolls_twice(code: str, lang: Lang) -> None:
    """The legends of these covers have nine entries. Their victory conditions have three lines."""
    game, scenario = games.load("travel_battle"), drawn(code, {}, objective="hold", turns="10")
    command = f"muster kit travel_battle --seed {code} --objective hold --turns 10"
    kit = game.kit(scenario, report(scenario), code, command).only(["cover"])
    assert len(PdfDocument(print_kit(kit, PrintSettings(lang), packed=False))) == 1


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


def test_a_scale_names_maps() -> None:
    view = fire_map(scenario := drawn(CODES[0], {}), fields_of_fire(scenario)[0])
    context = LayoutContext("en", "full", 500.0, 1.0, {"gun": view})
    for names in ("gun", ""):
        assert build_blocks(parse(f'<sheet><figure name="gun" scale="{names}"/></sheet>', "x.xml"), context)
    with pytest.raises(DataError, match='there is no map named "gum"'):
        build_blocks(parse('<sheet><figure name="gun" scale="gun gum"/></sheet>', "x.xml"), context)
