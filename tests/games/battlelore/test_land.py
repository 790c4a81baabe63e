"""Tests that names along the land belong to the ground, cover nothing, and are not part of the scenario."""

from __future__ import annotations

from math import atan2, cos, degrees, hypot, radians, sin
from typing import Any

import pytest
from msgspec.structs import replace
from pypdfium2 import PdfDocument

from generator import games
from generator.games.battlelore.land import land_names, names_by_kind
from generator.games.battlelore.maps import map_view
from generator.games.battlelore.marches import marches
from generator.games.battlelore.tables import lore
from generator.model.picture import Text
from generator.model.scenario import Request
from generator.model.views import MapView, Sheet
from generator.model.words import LANGS, Lang
from generator.press.book import print_kit
from generator.press.figures.cell_names import text_extent
from generator.press.figures.labels import overlap
from generator.press.figures.maps import MapPicture, draw_fitted
from generator.press.figures.tokens import label_plates, token_boxes
from generator.press.layout.print_settings import PrintSettings
from generator.rules import check
from generator.seeds import code_for


def battle_of(n: int, game: str = "battlelore") -> Any:
    scenario: Any = games.load(game).draw(Request(code_for(n), {}, {}))
    return getattr(scenario, "final", scenario)


def view_of(battle: Any) -> MapView:
    tracks = tuple(march.track for march in marches(battle.board, battle.units))
    return replace(map_view(battle.board, battle.units), land_names=land_names(battle), tracks=tracks)


def texts(drawn: MapPicture, names: set[str]) -> list[Text]:
    return [text for text in drawn.picture.items if isinstance(text, Text) and text.text.lower() in names]


@pytest.mark.parametrize("n", range(8))
def test_a_name_belongs_to_ground_of_its_kind(n: int) -> None:
    battle = battle_of(n)
    kinds = {name.en: kind for kind, names in names_by_kind().items() for name in names}
    tests = {
        "hill": lambda cell: lore().terrain[battle.board.ground[cell]].height > 0,
        "wood": lambda cell: battle.board.ground[cell] == "forest",
        "water": lambda cell: lore().terrain[battle.board.ground[cell]].water,
        "open": lambda cell: battle.board.ground[cell] == "countryside",
    }
    found = land_names(battle)
    assert found and land_names(battle) == found
    for name in found:
        kind = kinds[name.name.en]
        assert all(map(tests[kind], name.cells)) and name.water == (kind == "water")
        assert name.name.en not in battle.title.en


@pytest.mark.parametrize("lang", LANGS)
def test_names_of_the_land_cover_no_unit_and_no_name(lang: Lang) -> None:
    printed = 0
    for n in range(8):
        view = view_of(battle_of(n, "call_to_arms" if n % 2 else "battlelore"))
        names = {name.name[lang].lower() for name in view.land_names}
        drawn = draw_fitted(view, lang, "full", 220.0, 150.0)
        labels = texts(drawn, names)
        printed += len(labels)
        others = [text_extent(t) for t in drawn.picture.items if isinstance(t, Text) and t not in labels]
        units = [*token_boxes(view, drawn.place), *(plate.box for plate in label_plates(view, drawn.place))]
        for text in labels:
            box = text_extent(text)
            assert not any(overlap(box, other) for other in (*others, *units)), (n, text.text)
        assert len(labels) == len({text.text for text in labels})
    assert printed >= 16


def test_names_of_the_land_move_no_name_of_a_cell() -> None:
    view = view_of(battle_of(3))
    plain, drawn = (draw_fitted(one, "en", "full", 220.0, 150.0) for one in (replace(view, land_names=()), view))
    labels = texts(drawn, {name.name.en.lower() for name in view.land_names})
    before, after = ([t for t in of.picture.items if isinstance(t, Text)] for of in (plain, drawn))
    assert before == [text for text in after if text not in labels]


def test_a_small_map_has_no_names_of_the_land() -> None:
    view = view_of(battle_of(3))
    assert not texts(draw_fitted(view, "en", "full", 90.0, 60.0), {name.name.en.lower() for name in view.land_names})


def test_the_name_of_a_river_follows_its_course_beside_it() -> None:
    """A turned name is parallel to the river in a hex of the river, and outside its banks."""
    turned_names = 0
    for n in range(8):
        view = view_of(battle_of(n))
        waters = {name.name.en.lower(): name for name in view.land_names if name.water}
        drawn = draw_fitted(view, "en", "full", 220.0, 150.0)
        for text in texts(drawn, set(waters)):
            if not text.turn:
                continue
            turned_names += 1
            assert abs(text.turn) <= 66
            courses = []
            for cell in waters[text.text.lower()].cells:
                ways = [drawn.place.way(cell, direction) for direction in view.flows.get(cell, ())]
                if len(ways) == 2:
                    (ax, ay), (bx, by) = ways
                    x, y = drawn.place.centre(cell)
                    course = degrees(atan2(by - ay, bx - ax))
                    away = abs((text.x - x) * sin(radians(course)) - (text.y - y) * cos(radians(course)))
                    courses.append((abs(sin(radians(course - text.turn))), away, hypot(text.x - x, text.y - y)))
            assert any(
                off < 0.01 and away > 0.4 * drawn.place.side and far < 1.1 * drawn.place.side
                for off, away, far in courses
            )
    assert turned_names >= 2


def test_spaced_and_turned_names_are_read_as_words() -> None:
    """A reader that extracts the text of a page finds each name as it is written, without spaces between letters."""
    game, scenario = games.load("call_to_arms"), games.load("call_to_arms").draw(Request("SW4PP-4PH5B", {}, {}))
    kit = game.kit(scenario, check(game.rules, scenario), "", "").only(["cover"])
    (page,) = PdfDocument(print_kit(kit, PrintSettings("en"), packed=False))
    printed = page.get_textpage().get_text_range()
    view = next(f for s in kit.sheets if isinstance(s, Sheet) for f in s.figures.values() if isinstance(f, MapView))
    names = [name.name.en if name.water else name.name.en.upper() for name in view.land_names]
    assert sum(name in printed for name in names) >= 2
    assert not any(" ".join(name) in printed for name in names)
