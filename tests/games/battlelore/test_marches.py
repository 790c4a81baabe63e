"""Tests that the arrows on a cover are the shortest marches to the crossings, and that sections are named."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from generator import games
from generator.games.battlelore.ground import SECTIONS, SIDES
from generator.games.battlelore.maps import map_view
from generator.games.battlelore.marches import marches
from generator.games.battlelore.tables import lore
from generator.grid.hexes import Hex, distance
from generator.model.picture import Item, Path
from generator.model.scenario import Request
from generator.model.views import MapView, Sheet
from generator.press.figures.maps import draw_fitted
from generator.rules import check
from generator.seeds import code_for
from generator.symbols.ribbons import ribbon
from generator.symbols.theme import INKS, theme


def battle_of(n: int, map_name: str = "alder_fords", game: str = "battlelore") -> Any:
    scenario: Any = games.load(game).draw(Request(code_for(n), {"map": map_name}, {}))
    return getattr(scenario, "final", scenario)


def passable(battle: Any) -> set[Hex]:
    return {cell for cell, name in battle.board.ground.items() if lore().terrain[name].move != "none"}


def crossings(battle: Any) -> set[Hex]:
    return {cell for cell, name in battle.board.ground.items() if lore().terrain[name].crossing}


def steps_to_water(battle: Any, start: Hex) -> int | None:
    """Return the number of steps from a hex to the nearest crossing over land, or None."""
    land, goals = passable(battle), crossings(battle)
    far, border = 0, {start}
    seen = {start}
    while border:
        if border & goals:
            return far
        border = {cell for cell in land - seen if any(distance(cell, other) == 1 for other in border)}
        seen |= border
        far += 1
    return None


@pytest.mark.parametrize("n", range(6))
def test_a_march_is_the_shortest_way_of_its_section(n: int) -> None:
    battle = battle_of(n)
    found = marches(battle.board, battle.units)
    assert found
    for march in found:
        assert march.path[0] == march.unit.hex and march.path[-1] in crossings(battle)
        assert all(distance(a, b) == 1 for a, b in pairwise(march.path))
        assert set(march.path[1:-1]) <= passable(battle) - crossings(battle)
        sections = [s for s in SECTIONS if march.path[0] in battle.board.plan.section_cells(s, march.camp)]
        best = {
            min(
                steps_to_water(battle, unit.hex) or 99
                for camp, unit in battle.units
                if camp == march.camp and unit.hex in battle.board.plan.section_cells(section, march.camp)
            )
            for section in sections
        }
        assert len(march.path) - 1 in best


def test_a_board_without_a_river_has_no_marches() -> None:
    for name in ("harrow_plain", "widows_wood"):
        battle = battle_of(1, name)
        assert not crossings(battle) and marches(battle.board, battle.units) == ()


def test_the_cover_shows_and_explains_the_marches() -> None:
    scenario: Any = games.load("battlelore").draw(Request(code_for(2), {"map": "alder_fords"}, {}))
    of = games.load("battlelore")
    kit = of.kit(scenario, check(of.rules, scenario), "CODE", "muster kit").only(["cover"])
    sheet = next(sheet for sheet in kit.sheets if isinstance(sheet, Sheet))
    view = sheet.figures["map"]
    assert isinstance(view, MapView)
    assert view.tracks == tuple(march.track for march in marches(scenario.board, scenario.units))
    key = sheet.figures["arrows"]
    assert isinstance(key, MapView)
    looks = {look for row in key.legend if isinstance(row.sample, str) for look in row.sample.split()}
    assert {track.look for track in view.tracks} == looks
    assert sheet.view["arrows"]


def test_each_player_calls_the_sections_by_their_own_names() -> None:
    battle = battle_of(1)
    view = map_view(battle.board, battle.units)
    assert [(far.en, near.en) for _, far, near in view.sections] == [
        ("Right", "Left"),
        ("Centre", "Centre"),
        ("Left", "Right"),
    ]
    for x, _, near in view.sections:
        section = next(s for s in SECTIONS if near.en == s.capitalize())
        places = [battle.board.field.centre(c)[0] for c in battle.board.plan.section_cells(section, SIDES[0])]
        assert min(places) < x < max(places)
    plain, turned = (draw_fitted(view, "en", "full", 200.0, 150.0, turned).picture for turned in (False, True))
    names = [sorted((text.x, text.y, text.text) for text in _section_texts(of.items)) for of in (plain, turned)]
    assert [name for *_, name in names[0]] == [name for *_, name in names[1]]
    assert len(names[0]) == 6


def _section_texts(items: tuple[Item, ...]) -> list[Any]:
    return [item for item in items if getattr(item, "text", "") in ("Left", "Centre", "Right")]


@pytest.mark.parametrize("ink", INKS)
def test_a_broad_arrow_stops_before_the_contents_of_its_ends(ink: str) -> None:
    course = ((0.0, 0.0), (0.0, 17.0), (15.0, 26.0))
    items = ribbon(course, 10.0, theme().track["march_pennant"].ink(ink), 45.0, 6.0)
    points = [
        (float(step[1]), float(step[2]))
        for item in items
        if isinstance(item, Path)
        for step in item.steps
        if step[0] != "Z"
    ]
    for x, y in (course[0], course[-1]):
        assert min(((a - x) ** 2 + (b - y) ** 2) ** 0.5 for a, b in points) > 5.9
