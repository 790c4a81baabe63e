"""Tests for large arenas printed in parts. Every hex is in a part, and each part shows only its area."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from generator.games.battling.ground import Arena
from generator.games.battling.maps import (
    Section,
    arena_view,
    large,
    section_around,
    section_holding,
    sections,
    sections_for_groups,
    sheet_file,
)
from generator.games.battling.model import Scenario
from generator.games.battling.pages.sheets import section_sheets
from generator.games.battling.pages.sight_sheet import look_view, looks
from generator.games.battling.post.judge import judge
from generator.games.battling.post.turn_view import AROUND, scenes, turn_views
from generator.grid.columns import columns_field, corners
from generator.model.views import MapView
from generator.press.figures.maps import draw_fitted
from tests.games.battling.scenes import at, battle, drawn


def town(columns: str = "44", rows: str = "31") -> Scenario:
    return drawn(arena="random", columns=columns, rows=rows, machines="2", edge="N")


@pytest.mark.parametrize("size", [(20, 15), (21, 15), (8, 40), (60, 40)])
def test_the_sections_show_every_hex_and_none_is_too_large(size: tuple[int, int]) -> None:
    field, room = columns_field(*size), sheet_file()
    spans = list(sections(field))
    assert {cell for span in spans for cell in span.cells} == set(field.cells)
    assert all(cell in span and cell in field for span in spans for cell in span.cells)
    assert all(span.last.c - span.first.c < room.columns + 2 for span in spans)
    assert all(span.last.r - span.first.r < room.rows + 2 for span in spans)
    assert (len(spans) > 1) == large(field)


def test_neighbouring_sections_share_two_rows_of_hexes() -> None:
    left, right = list(sections(columns_field(21, 15)))
    assert set(left.cells) & set(right.cells) == {c for c in left.cells if c.c in (10, 11)}


@pytest.mark.parametrize(
    ("cell", "first", "last"),
    [("3020", "2515", "3525"), ("0101", "0101", "1111"), ("6040", "5030", "6040"), ("0320", "0115", "1125")],
)
def test_round_about_a_hex_as_much_is_seen_at_an_edge(cell: str, first: str, last: str) -> None:
    span = section_around(columns_field(60, 40), at(cell), 5)
    assert (span.first, span.last) == (at(first), at(last))


def test_a_part_that_holds_some_hexes_keeps_to_the_arena() -> None:
    span = section_holding(columns_field(30, 20), [at("0205"), at("1019")], 2)
    assert (span.first, span.last) == (at("0103"), at("1220"))


def test_a_part_of_an_arena_has_its_own_buildings_and_tokens_alone() -> None:
    scenario = town()
    whole, part = (arena_view(scenario.arena, (), span) for span in (None, next(sections(scenario.arena.field))))
    assert len(part.grid.cells) < len(whole.grid.cells)
    assert part.ground == {cell: whole.ground[cell] for cell in part.grid.cells}
    maximum = max(x for cell in part.grid.cells for x, _ in part.grid.corners(cell))
    assert 0 < len(part.areas) < len(whole.areas)
    assert all(x <= maximum for area in part.areas for ring in area.rings for x, _ in ring)


@pytest.mark.parametrize("size", [(16, 17), (12, 17), (16, 16), (15, 17)])
def test_a_part_without_buildings_is_drawn(size: tuple[int, int]) -> None:
    field = columns_field(*size)
    building = tuple((6 * x, 6 * y) for x, y in corners(at("0303")))
    views = [arena_view(Arena(field, (building,), 6), (), span) for span in sections(field)]
    assert {len(view.areas) for view in views} == {0, 1}
    assert all(draw_fitted(view, "en", "full", 400, 400).picture.items for view in views)


def test_only_a_large_arena_is_printed_in_parts() -> None:
    assert section_sheets(battle()) == []
    scenario = town()
    found = section_sheets(scenario)
    views = [sheet.figures["map"] for sheet in found]
    assert len(found) == 9
    cells = {cell for view in views if isinstance(view, MapView) for cell, _ in view.tokens}
    assert cells == {m.cell for _, m in scenario.machines}


def test_looks_in_a_large_arena_stay_near_the_machine() -> None:
    scenario = town()
    for look in looks(scenario):
        view = look_view(scenario, look)
        assert look.machine.cell in view.grid
        assert len(view.grid.cells) == (2 * scenario.pack.range + 1) ** 2
        assert all(cell in view.grid for shade in view.shades for cell in shade.cells)
        near = {cell for shade in view.shades for cell in shade.cells if shade.look == "cover"}
        assert near == set(look.near)
        assert all(ray.end in view.grid for ray in view.rays)


def test_a_turn_in_a_large_arena_shows_where_something_happens() -> None:
    scenario = replace(town(), rulings={})
    first = scenario.squads["first"].machines[0]
    there = scenario.arena.field.name(first.cell)
    (scene,) = scenes(judge(f"[turn 1] [first]\n{there}: D\n", scenario))
    views = turn_views(scenario, scene)
    assert {cell for view in views for cell, _ in view.tokens} == {m.cell for _, m in scenario.machines}
    for view in views:
        columns, rows = [cell.c for cell, _ in view.tokens], [cell.r for cell, _ in view.tokens]
        held = section_holding(scenario.arena.field, [cell for cell, _ in view.tokens], AROUND)
        assert set(view.grid.cells) == set(held.cells)
        assert max(columns) - min(columns) < sheet_file().part[0]
        assert max(rows) - min(rows) < sheet_file().part[1]


def test_groups_that_fit_a_page_share_a_part_and_others_are_gathered() -> None:
    field = columns_field(60, 40)
    near = sections_for_groups(field, [[at("1010")], [at("2020")]], 1)
    assert near == [section_holding(field, [at("1010"), at("2020")], 1)]
    apart = sections_for_groups(field, [[at("0101")], [at("6040")], [at("0505"), at("0606")]], 2)
    assert apart == [section_holding(field, [at("0101"), at("0606")], 2), section_holding(field, [at("6040")], 2)]
    assert sections_for_groups(field, [[at("0101"), at("6040")]], 2) == [Section(at("0101"), at("6040"))]
