"""Tests that the scenario sheet and the set-up page agree with the units on the board."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from generator.games.travel_battle.maps import flags, seats
from generator.games.travel_battle.model import SIDES, Scenario
from generator.games.travel_battle.pages.reference import COMMON, reference_sheet, results
from generator.games.travel_battle.pages.scene import scene
from generator.games.travel_battle.pages.sheets import laid_order, setup_sheet
from generator.games.travel_battle.tables import Fight
from generator.grid.squares import Square
from generator.model.views import MapView
from tests.games.travel_battle.scenes import battle, both, ground, report, unit, whole


def sheet(scenario: Scenario) -> dict[str, Any]:
    return dict(scene(scenario, report(scenario)).extra)


def test_the_edge_that_lies_to_a_board_s_owner_is_inked() -> None:
    scenario = battle()
    cover = scene(scenario, report(scenario))
    placed = [of for row in scenario.boards for of in row]
    for i, of in enumerate(placed):
        view: Any = cover.figures[f"board_{i}"]
        assert [note.text.en for note in view.notes if note.flag == "coin_inked"] == [str(of.owner_edge)]
        assert len(view.notes) == 4
    assert sheet(whole())["boards"] == []


def test_the_briefing_names_who_moves_and_places_first_with_the_dice() -> None:
    scenario = battle()
    for side, player in zip(sheet(scenario)["sides"], reversed(SIDES), strict=True):
        firsts = {row["name"].en for row in side["first"]}
        assert ("moves first" in firsts) == (scenario.first_mover == player)
        assert ("places first" in firsts) == (scenario.first_placer == player)
    without_log = sheet(replace(scenario, log=()))
    assert all(row["dice"] is None for side in without_log["sides"] for row in side["first"])


def test_the_legend_is_cut_from_this_map() -> None:
    scenario = ground({"d5": "wood", "e5": "building"})(battle())
    cover = scene(scenario, report(scenario))
    terrain = scenario.battlefield.terrain_map
    figures = [row["figure"] for row in sheet(scenario)["legend"]]
    symbols = {figure.removeprefix("ground_") for figure in figures if figure.startswith("ground_")}
    assert symbols == set(terrain.ground.values())
    assert [figure for figure in figures if not figure.startswith("ground_")] == ["seam"]
    for kind in symbols:
        view: Any = cover.figures[f"ground_{kind}"]
        (cell,) = view.grid.cells
        assert view.ground == {cell: kind} == {cell: terrain.ground[cell]}


def test_seats_and_the_numbers_of_the_edges_stand_in_one_line_at_each_edge() -> None:
    notes = seats(battle().battlefield)
    assert {len([note for note in notes if note.at[1] == level]) for level in {note.at[1] for note in notes}} == {3}
    assert [note.text.en for note in notes if note.flag] == ["1", "1", "3", "3"]
    assert not [note for note in seats(whole().battlefield) if note.flag]


def test_brigades_are_laid_in_the_order_of_the_log_and_without_one_by_turns() -> None:
    scenario = battle()
    posted = [step.result[0].split()[0] for step in scenario.log if step.what == "place"]
    assert [brigade.units[0].id for _, brigade in laid_order(scenario)] == posted
    by_turns = laid_order(replace(scenario, log=(), first_placer="red"))
    assert [player for player, _ in by_turns] == ["red", "blue"] * 3
    assert [brigade.number for _, brigade in by_turns] == [1, 1, 2, 2, 3, 3]


def test_every_unit_is_laid_once_on_its_square_by_its_number() -> None:
    scenario = both(unit("B1b", cell="c2"), unit("R2a", square=True))(battle())
    view: Any = setup_sheet(scenario).view
    assert [row["n"] for row in view["rows"]] == [3, 4, 5, 6, 7, 8]
    assert view["last"] == 9
    found = {one["figure"]: one["at"] for row in view["rows"] for one in row["units"]}
    name = scenario.battlefield.terrain_map.field.name
    assert found == {id_: name(of.cell) for id_, (_, _, of) in scenario.units.items() if of.cell}
    assert [line.en for row in view["rows"] for line in row["remarks"]] == ["R2a in square"]


def test_pieces_and_figures_are_added_up() -> None:
    view: Any = setup_sheet(battle()).view
    for group in view["fetch_rows"]:
        assert group["total"] == [sum(row["counts"][i] for row in group["rows"]) for i in (0, 1)] == [17, 101]


def test_every_square_with_units_has_one_flag() -> None:
    scenario = unit("B1b", cell="c2")(battle())
    view: MapView = flags(scenario.battlefield, scenario.armies)
    by_square = {(round(n.at[0] / 2), round(n.at[1] / 2)): n for n in view.notes if n.flag}
    assert {Square(c, r) for c, r in by_square} == set(scenario.units_on_board)
    assert by_square[2, 1].text.en in ("1bc", "1cb")
    assert {n.flag for n in by_square.values()} == {"blue_flag", "red_flag"}


def test_the_bars_of_melee_are_the_exact_odds() -> None:
    rows: Any = reference_sheet().view["fights"]
    for row, (ours, wanted) in zip(rows, COMMON, strict=True):
        chances = results(Fight(ours, wanted))
        assert sum(chances) == 1
        assert float(row["win"]) == pytest.approx(100 * float(sum(chances[:3])), abs=0.5)
        assert float(row["lose"]) == pytest.approx(100 * float(sum(chances[4:])), abs=0.5)
