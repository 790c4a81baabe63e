"""Tests that legends explain exactly what maps draw, in kits of every game and on sheets of moves."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from generator import games
from generator.common.game import Game
from generator.grid.hexes import Hex, field
from generator.model.legends import AIM, BLOW, BREAK, RAY, SECTION, SHOT, drawn_looks, keep_drawn
from generator.model.picture import Text
from generator.model.scenario import Request
from generator.model.views import Flag, Kit, Legend, MapView, Ray, Shade, Sheet, Token
from generator.model.words import same
from generator.press.figures.maps import draw_legend, draw_strip
from generator.rules import check
from generator.seeds import code_for
from tests.prove.figure import SEED
from tests.prove.parts.legends import OPTIONS, Case, faults, kit_faults

CASES = [Case(game, n, tuple(of.items())) for game in OPTIONS for n, of in enumerate(OPTIONS[game])]
GRID = field((3, 4))
PLAIN = MapView(GRID, dict.fromkeys(GRID.cells, "countryside"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.game} {dict(case.options)}")
def test_legends_of_a_kit_and_its_maps_agree(case: Case) -> None:
    assert faults(case) == ()


@pytest.mark.parametrize(
    ("game", "unit"), [("battlelore", "P1"), ("travel_battle", "B1a"), ("battling", "F1"), ("blind_faith", "H1")]
)
def test_legends_of_a_sheet_of_moves_agree(game: str, unit: str) -> None:
    loaded = games.load(game)
    options = {"kind": "march"} if game == "blind_faith" else {}
    scenario = loaded.draw(Request(code_for(SEED), options, {}))
    query = next(query for query in loaded.queries if query.verb == "moves")
    sheet = query.sheet(scenario, (unit,))
    (cover,) = _sheets(loaded, scenario, "cover")
    assert any(look in _drawn(sheet) for look in ("reach", "seen"))
    assert kit_faults(Kit(same(game), same(game), "x", (cover, sheet)), "en") == []


def _sheets(game: Game[Any], scenario: Any, *parts: str) -> list[Sheet]:
    kit = game.kit(scenario, check(game.rules, scenario), "x", "")
    return [sheet for sheet in kit.only(parts).sheets if isinstance(sheet, Sheet)]


def _drawn(sheet: Sheet) -> frozenset[str]:
    return frozenset(
        look for view in sheet.figures.values() if isinstance(view, MapView) for look in drawn_looks(view)
    )


def test_missing_and_idle_legends_are_faults() -> None:
    """A kit with a shade that no legend explains, and with a legend of a shade that no map draws."""
    loaded = games.load("battlelore")
    scenario = loaded.draw(Request(code_for(SEED), {}, {}))
    cover, fire = _sheets(loaded, scenario, "cover", "fire")
    view = fire.figures["map"]
    assert isinstance(view, MapView)
    strange = replace(view, shades=(*view.shades, Shade("melee", view.grid.cells[:1])))
    idle = replace(view, legend=(*view.legend, Legend("barred", same("barred"))))
    for changed, fault in ((strange, "no legend for melee"), (idle, "the legend's barred is not drawn")):
        sheet = replace(fire, figures={**fire.figures, "map": changed})
        kit = Kit(same("x"), same("x"), "x", (cover, sheet))
        assert kit_faults(kit, "en") == [f"fire (en): {fault}"]


def test_lines_have_the_keys_of_what_they_look_like() -> None:
    start, end = GRID.cells[0], GRID.cells[-1]
    kinds = {
        RAY: Ray(start, end),
        AIM: Ray(start, end, shot=True),
        SHOT: Ray(start, end, arrow=True),
        BLOW: Ray(start, end, shot=True, arrow=True),
    }
    for key, ray in kinds.items():
        assert drawn_looks(replace(PLAIN, rays=(ray,))) == {"countryside", key}
    assert drawn_looks(replace(PLAIN, rays=(Ray(start, end, stop=end),))) == {"countryside", RAY, BREAK}
    assert drawn_looks(replace(PLAIN, borders=(((0, 0), (0, 1)),))) == {"countryside", SECTION}


def test_a_legend_keeps_only_what_is_drawn() -> None:
    flag, cell = Flag(Hex(0, 0), "pennant", "pennant_archers", "1"), GRID.cells[0]
    entries = (
        Legend(flag, same("count")),
        Legend("pennant1+pennant_edge", same("1")),
        Legend("danger1 danger2 danger3", same("danger")),
        Legend("target", same("target")),
        Legend(Token("pennant", "blue", "short_sword"), same("unit")),
        Legend("", same("plain")),
    )
    one = replace(PLAIN, shades=(Shade("pennant1", (cell,)), Shade("pennant_edge", (cell,)), Shade("target", ())))
    two = replace(PLAIN, shades=(Shade("danger1", (cell,)), Shade("danger3", (cell,))))
    kept = keep_drawn(entries, one, two)
    assert [(of.sample, of.text.en) for of in kept if isinstance(of.sample, str)] == [
        ("pennant1+pennant_edge", "1"),
        ("danger1 danger3", "danger"),
        ("", "plain"),
    ]
    assert keep_drawn(entries, replace(PLAIN, flags=(flag,)))[0].sample == flag


def test_a_legend_has_no_letters_that_the_map_lacks() -> None:
    """The letters of rivers, fords and bridges are only in scenario files."""
    legend = tuple(Legend(key, same(key)) for key in ("river", "ford", "bridge", "forest"))
    for drawn in (draw_legend, draw_strip):
        picture = drawn(replace(PLAIN, legend=legend), "en", "full", 100.0)
        letters = {item.text for item in picture.items if isinstance(item, Text)} - {e.text.en for e in legend}
        assert letters == {"F"}


def test_several_samples_of_an_entry_are_beside_each_other() -> None:
    def left(sample: str) -> float:
        picture = draw_legend(replace(PLAIN, legend=(Legend(sample, same("x")),)), "en", "full", 100.0)
        return next(item.x for item in picture.items if isinstance(item, Text) and item.text == "x")

    assert left("danger1 danger2") - left("danger1") == pytest.approx(6.6)
