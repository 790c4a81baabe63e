"""Tests for maps and playing boards as views."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.errors import WrongUsageError
from generator.games.travel_battle.campaign import draw_campaign
from generator.games.travel_battle.file import write
from generator.games.travel_battle.ground import COMPASS, EDGES, SIZE, OrientedBoard, along, house_boards
from generator.games.travel_battle.maps import back_view, board_view, edge_notes, map_view, road_directions
from generator.games.travel_battle.pages.posters import INCH, area_poster, boards, boards_print
from generator.grid.squares import STEPS, Square
from generator.model.picture import Text
from generator.model.views import Poster
from generator.model.words import LANGS, same
from generator.notation.envelope import compose
from generator.press.layout.print_settings import PrintSettings
from generator.press.posters import poster_pages
from tests.games.travel_battle.scenes import battle, whole
from tests.games.travel_battle.test_boards import FILE
from tests.games.travel_battle.test_draw import CODES, drawn, plain

A = house_boards()["kiln_farm"].ground


def test_every_unit_stands_on_the_map_facing_the_enemy() -> None:
    scenario = plain(CODES[5])
    view = map_view(scenario.battlefield, scenario.armies)
    assert sorted(token.label for _, token in view.tokens) == sorted(scenario.units)
    assert {(token.shape, token.facing) for _, token in view.tokens} == {("blue", 90), ("red", 270)}
    assert {token.colour for _, token in view.tokens} == {"first", "second", "third"}
    assert map_view(scenario.battlefield).tokens == ()
    small = map_view(scenario.battlefield, scenario.armies, small=True)
    assert not any(token.label for _, token in small.tokens)


def test_two_on_one_square_are_labelled_together() -> None:
    scenario = drawn(CODES[5], boards="2x2")
    labels: dict[Square, list[str]] = {}
    for cell, token in map_view(scenario.battlefield, scenario.armies).tokens:
        labels.setdefault(cell, []).append(token.label)
    shared = [names for names in labels.values() if len(names) > 1]
    assert shared
    assert all(len(rear) == 1 and len(front) == 3 for rear, front in shared)


def test_roads_run_to_the_next_square_of_road_or_off_the_board() -> None:
    roads = road_directions(A.terrain_map)
    assert set(roads) == set(A.terrain_map.roads())
    for cell, directions in roads.items():
        for d in directions:
            there = cell + STEPS[d]
            assert there not in A.terrain_map.field or (d + 4) % 8 in roads[there]
    exits = [d for cell, ds in roads.items() for d in ds if cell + STEPS[d] not in A.terrain_map.field]
    assert sorted(exits) == [0, 2, 4, 6]


@pytest.mark.parametrize("edge", EDGES)
def test_edges_bear_their_numbers_round_a_board_as_it_lies(edge: int) -> None:
    turned = OrientedBoard(A, EDGES[edge - 1])
    notes = [note.text.en for note in edge_notes(A.terrain_map.field.cells, turned.edge)]
    for side, number in zip(COMPASS, notes, strict=True):
        lies = [turned.turned.terrain_map.ground[cell] for cell in along(side)]
        drawn_side = COMPASS[int(number) - 1]
        held = [A.terrain_map.ground[cell] for cell in along(drawn_side)]
        assert lies in (held, held[::-1])


def test_a_board_s_back_has_east_and_west_changed() -> None:
    front, back = board_view(A), back_view(A, same("x"))
    place = {note.text.en: note.at for note in front.notes}
    behind = {note.text.en: note.at for note in back.notes}
    middle = SIZE - 1
    assert (place["2"][0] > middle > place["4"][0]) and (behind["2"][0] < middle < behind["4"][0])
    assert all((place[n][1] > middle) == (behind[n][1] > middle) for n in ("1", "3"))


def test_posters_are_of_house_boards_random_ones_and_files(tmp_path: Path) -> None:
    make = boards().make
    kit = make({"seed": CODES[0]})
    assert len(kit.sheets) == len(house_boards())
    path = tmp_path / "own.toml"
    path.write_text(FILE, "utf-8")
    (poster,) = make({"seed": CODES[0], "board": str(path)}).sheets
    assert isinstance(poster, Poster)
    assert (poster.title.en, poster.cell, poster.back) == ("Hare Warren (type A)", INCH, None)
    arguments = {"seed": CODES[0], "board": "random", "backs": "1"}
    (random,) = make(arguments).sheets
    assert isinstance(random, Poster)
    assert random.back is not None
    assert make(arguments).sheets == (random,)
    with pytest.raises(
        WrongUsageError, match=r"there is neither a board nor a file named 'kiln_barn' \(did you mean kiln_farm\?\)"
    ):
        make({"seed": CODES[0], "board": "kiln_barn"})


def test_the_boards_of_a_scenario_file_are_printed(tmp_path: Path) -> None:
    """A random board of a battle differs from the board that `--board random` would generate."""
    scenario = drawn(CODES[5], boards="2x2", board_blue="random")
    path = tmp_path / "scenario.toml"
    path.write_text(compose(scenario.origin, write(scenario)), "utf-8")
    kit = boards_print().make({"seed": CODES[0], "board": str(path), "backs": "1"})
    placed = [of for row in scenario.boards for of in row]
    assert [sheet.title.en.split(":")[0] for sheet in kit.sheets] == ["a1", "k1", "a11", "k11"]
    for poster, of in zip(kit.sheets, placed, strict=True):
        assert isinstance(poster, Poster)
        assert poster.view == board_view(of.oriented.board)
        assert poster.back
    (one,) = boards_print().make({"seed": CODES[0], "board": "kiln_farm"}).sheets
    assert isinstance(one, Poster)
    assert one.view == board_view(A)


def test_the_halves_of_a_whole_bear_no_numbers_and_a_seam(tmp_path: Path) -> None:
    scenario = whole()
    path = tmp_path / "scenario.toml"
    path.write_text(compose(scenario.origin, write(scenario)), "utf-8")
    kit = boards_print().make({"seed": CODES[0], "board": str(path), "backs": "1"})
    for at, poster in zip(("a1", "k1"), kit.sheets, strict=True):
        assert isinstance(poster, Poster)
        assert poster.title.en == f"{at}: half of a 20 × 10 whole"
        assert poster.note
        assert poster.note.en == "lay it beside its other half only"
        assert (poster.view.notes, poster.view.borders) == ((), (((19, -1), (19, 19)),))
        assert poster.back
        assert [note.text.en for note in poster.back.notes] == [f"{at} · half of a whole"]
    field = map_view(scenario.battlefield)
    assert (field.notes, field.borders) == ((), (((19, -1), (19, 19)),))
    assert "The seam of the two halves" in [row.text.en for row in field.legend]
    assert len(map_view(battle().battlefield).notes) == 6


def test_an_area_of_a_campaign_is_printed_by_its_name() -> None:
    campaign = draw_campaign(2, 2, CODES[1])
    kit = boards_print().make({"seed": CODES[0], "board": f"{CODES[1]}:2x2:B2".lower()})
    assert kit.stamp == CODES[1]
    assert kit.sheets == (area_poster(campaign, campaign.areas[3]),)


@pytest.mark.parametrize("backs", [False, True])
def test_a_board_of_ten_inches_takes_two_sheets_of_a4(backs: bool) -> None:
    poster = area_poster(campaign := draw_campaign(2, 2, CODES[1]), campaign.areas[0], backs=backs)
    for lang in LANGS:
        pages = poster_pages(poster, PrintSettings(lang), lang)
        assert sum(page.tile is not None for page in pages) == (4 if backs else 2)
        numbers = [text.size for text in pages[0].picture.items if isinstance(text, Text) and text.text in "1234"]
        assert min(numbers) > 14
