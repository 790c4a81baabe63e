"""Tests that names along the land belong to the ground, cover nothing, and are not part of the scenario."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from generator import games
from generator.games.battlelore.land import land_names, names_by_kind
from generator.games.battlelore.maps import map_view
from generator.games.battlelore.marches import marches
from generator.games.battlelore.tables import lore
from generator.model.picture import Text
from generator.model.scenario import Request
from generator.model.views import MapView
from generator.model.words import LANGS, Lang
from generator.press.figures.cell_names import text_extent
from generator.press.figures.labels import overlap
from generator.press.figures.maps import MapPicture, draw_fitted
from generator.press.figures.tokens import label_plates, token_boxes
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
