"""Tests that place names on a map are clear of other text and inside the frame, also next to displaced tokens."""

from __future__ import annotations

from itertools import combinations, product

import pytest
from msgspec.structs import replace

from generator.grid.columns import columns_field
from generator.grid.hexes import Cell, Grid, field
from generator.grid.squares import squares
from generator.model.picture import Text, Use
from generator.model.views import MapView, Note, Token, Track
from generator.model.words import Lang, Words, same
from generator.press.figures.maps import draw_field, draw_fitted, draw_map
from generator.press.layout.fitting import text_box
from generator.press.pdf import fonts
from generator.symbols.features import covers
from generator.symbols.shapes import Box, Place, loops

FIELD = field((9,) * 7)
NAMES = {
    FIELD.at(0, 0): Words("Pisek", "ピーセク"),
    FIELD.at(8, 0): Words("Pelhrimov", "ペルフジモフ"),
    FIELD.at(0, 6): Words("Tabor", "ターボル"),
    FIELD.at(8, 6): Words("Kutna Hora", "クトナー・ホラ"),
    FIELD.at(4, 3): Words("Brod", "ブロト"),
    FIELD.at(5, 3): Words("Slany", "スラニー"),
    FIELD.at(2, 5): Words("Kolin", "コリーン"),
}
HOST = Token("crusader", "plain", "wagon", "C1")


def country(**parts: object) -> MapView:
    whole = {
        "features": dict.fromkeys(NAMES, "town"),
        "places": NAMES,
        "aside": True,
        "tokens": ((FIELD.at(4, 3), HOST),),
    }
    return MapView(FIELD, dict.fromkeys(FIELD.cells, "clear"), **(whole | parts))  # type: ignore[arg-type]


def meet(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def names_on_map(view: MapView, lang: Lang = "en", width: float = 160.0) -> list[Text]:
    """Return the names on a map. The name of each place occurs at most once."""
    drawn = draw_map(view, lang, "full", width, 200).items
    names = [name[lang] for name in view.places.values()]
    return [item for item in drawn if isinstance(item, Text) and item.text in names]


@pytest.mark.parametrize(("lang", "turned"), list(product(("en", "ja"), (False, True))))
def test_every_name_stands_inside_the_rim_and_hides_no_text(lang: Lang, turned: bool) -> None:
    drawing = draw_fitted(country(), lang, "full", 160, 200, turned)
    place, texts = drawing.place, [item for item in drawing.picture.items if isinstance(item, Text)]
    assert {text.text for text in texts} >= {name[lang] for name in NAMES.values()}
    assert not any(meet(text_box(a), text_box(b)) for a, b in combinations(texts, 2))
    rim = [[place.at(p) for p in ring] for ring in loops(FIELD, FIELD.cells)]
    for text in texts:
        left, bottom, right, top = text_box(text)
        if text.text in {name[lang] for name in NAMES.values()}:
            assert all(covers(rim, p) for p in product((left, right), (bottom, top)))


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_towns_cities_and_castles_have_different_lettering(lang: Lang) -> None:
    kinds = ("town", "city", "castle")
    cells = list(NAMES)[: len(kinds)]
    names = dict(zip(cells, (same("Kadov"), same("Plzen"), same("Zvikov")), strict=True))
    view = replace(country(), features=dict(zip(cells, kinds, strict=True)), places=names)
    texts = draw_fitted(view, lang, "full", 160, 200).picture.items
    town, city, castle = (
        next(text for text in texts if isinstance(text, Text) and text.text == name.en) for name in names.values()
    )
    assert (town.bold, city.bold, castle.bold) == (False, True, True)
    assert town.size == castle.size < city.size
    assert castle.slanted == (lang == "en") and not town.slanted


def test_a_name_keeps_near_its_place_and_clear_of_ways() -> None:
    way = Track("march", tuple(FIELD.at(c, 3) for c in range(4, 9)))
    view = country(tracks=(way,))
    drawing = draw_fitted(view, "en", "full", 160, 200)
    place = drawing.place
    _, level = place.centre(FIELD.at(4, 3))
    for text in names_on_map(view):
        (cell,) = (cell for cell, name in NAMES.items() if name.en == text.text)
        x, y = place.centre(cell)
        assert abs(text.x - x) < 2.5 * place.side
        assert abs(text.y - y) < 2 * place.side
    assert {text.text for text in names_on_map(view)} == {name.en for name in NAMES.values()}
    (slany,) = (text for text in names_on_map(view) if text.text == "Slany")
    _, bottom, _, top = text_box(slany)
    assert not bottom < level < top


def test_names_without_space_are_listed() -> None:
    crowd = country(tokens=tuple((cell, HOST) for cell in FIELD.cells), aside=False)
    drawing = draw_fitted(crowd, "en", "full", 160, 200)
    assert len(names_on_map(crowd)) + len(drawing.lettering.unplaced) == len(NAMES)
    assert "A1 Pisek" in drawing.lettering.unplaced
    assert draw_fitted(country(), "en", "full", 160, 200).lettering.unplaced == ()
    assert names_on_map(country(names=False)) == []
    assert names_on_map(country(), width=30.0) == []


def tokens(view: MapView, place: Place) -> list[Use]:
    fonts.ensure_registered("en")
    found = (item for item in draw_field(view, place, "full") if isinstance(item, Use))
    return [use for use in found if use.symbol.name.startswith("token")]


GRIDS: dict[str, Grid] = {"rows": field((3, 2, 3)), "columns": columns_field(3, 3), "squares": squares(3, 3)}


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("grid", GRIDS)
def test_tokens_that_stand_aside_are_smaller_and_stay_in_their_cell(grid: str, count: int) -> None:
    of = GRIDS[grid]
    cell: Cell = of.cells[len(of.cells) // 2]
    place = Place(of, 20.0, 40.0, 40.0)
    view = MapView(of, dict.fromkeys(of.cells, "clear"), {cell: "town"}, tokens=((cell, HOST),) * count)
    aside = MapView(view.grid, view.ground, view.features, tokens=view.tokens, aside=True)
    ring = place.ring(cell)
    before, after = tokens(view, place), tokens(aside, place)
    assert [use.scale < full.scale for use, full in zip(after, before, strict=True)] == [True] * count
    for use in after:
        assert covers([ring], (use.x, use.y))
        assert covers([ring], (use.x - 5 * use.scale, use.y))
        assert covers([ring], (use.x + 5 * use.scale, use.y))
    assert len({use.x for use in after}) == count
    (town,) = (
        use
        for use in draw_field(aside, place, "full")
        if isinstance(use, Use) and use.symbol.name.startswith("ground.town.")
    )
    assert (town.x, town.y) != place.centre(cell)
    assert all((town.x - use.x) ** 2 + (town.y - use.y) ** 2 > (0.4 * place.anatomy.inner * 20) ** 2 for use in after)


@pytest.mark.parametrize(("ink", "colour"), [("full", "#ffffff"), ("saver", "#000000")])
def test_a_note_on_a_flag_stands_out_from_it_and_the_map_makes_room_for_both(ink: str, colour: str) -> None:
    grid = squares(3, 3)
    flagged = Note((2.0, 6.5), same("2a"), 0.4, flag="blue_flag")
    picture = draw_map(MapView(grid, {}, names=False, notes=(flagged,)), "en", ink, 60, 80)
    (text,) = [item for item in picture.items if isinstance(item, Text)]
    assert (text.text, text.colour) == ("2a", colour)
    assert text.y + text.size < picture.height * 72 / 25.4
    plain = draw_map(MapView(grid, {}, names=False), "en", ink, 60, 80)
    assert picture.height / picture.width > plain.height / plain.width
