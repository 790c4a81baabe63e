"""Maps, playing boards and campaigns as views."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from generator.errors import WrongUsageError
from generator.games.travel_battle import ground
from generator.games.travel_battle.board import EDGES, SIDES, SIZE, Battlefield, Laid, along
from generator.games.travel_battle.boards import house_boards
from generator.games.travel_battle.campaign import campaign_make, draw_campaign
from generator.games.travel_battle.mapsheet import back_view, board_view, edge_notes, map_view, ways
from generator.games.travel_battle.posters import INCH, board_poster, boards_make
from generator.grid.squares import STEPS, Square
from generator.model.views import MapView, Poster, Sheet
from generator.model.words import same
from tests.games.travel_battle.test_boards import FILE
from tests.games.travel_battle.test_draw import CODES, drawn, plain

A = house_boards()["kiln_farm"].board


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
    roads = ways(A.land)
    assert set(roads) == set(A.land.roads())
    for cell, directions in roads.items():
        for d in directions:
            there = cell + STEPS[d]
            assert there not in A.land.field or (d + 4) % 8 in roads[there]
    exits = [d for cell, ds in roads.items() for d in ds if cell + STEPS[d] not in A.land.field]
    assert sorted(exits) == [0, 2, 4, 6]


@pytest.mark.parametrize("edge", EDGES)
def test_edges_bear_their_numbers_round_a_board_as_it_lies(edge: int) -> None:
    turned = Laid(A, EDGES[edge - 1])
    notes = [note.text.en for note in edge_notes(A.land.field.cells, turned.edge)]
    for side, number in zip(SIDES, notes, strict=True):
        lies = [turned.seen.land.ground[cell] for cell in along(side)]
        drawn_side = SIDES[int(number) - 1]
        held = [A.land.ground[cell] for cell in along(drawn_side)]
        assert lies in (held, held[::-1])


def test_a_board_s_back_has_east_and_west_changed() -> None:
    front, back = board_view(A), back_view(A, same("x"))
    place = {note.text.en: note.at for note in front.notes}
    behind = {note.text.en: note.at for note in back.notes}
    middle = SIZE - 1
    assert (place["2"][0] > middle > place["4"][0]) and (behind["2"][0] < middle < behind["4"][0])
    assert all((place[n][1] > middle) == (behind[n][1] > middle) for n in ("1", "3"))


def test_posters_are_of_house_boards_random_ones_and_files(tmp_path: Path) -> None:
    kit = boards_make({"seed": CODES[0]})
    assert len(kit.sheets) == len(house_boards())
    path = tmp_path / "own.toml"
    path.write_text(FILE, "utf-8")
    own = board_poster(str(path))
    assert (own.title.en, own.cell, own.back) == ("Hare Warren (type A)", INCH, None)
    (random,) = boards_make({"seed": CODES[0], "board": "random", "backs": "1", "cell": "30"}).sheets
    assert isinstance(random, Poster)
    assert (random.cell, random.back is not None) == (30, True)
    assert board_poster("random", 30, code=CODES[0], backs=True) == random
    with pytest.raises(WrongUsageError, match=r"no board 'kiln_barn', and no file \(did you mean kiln_farm\?\)"):
        board_poster("kiln_barn")


@pytest.mark.parametrize("code", CODES[:4])
def test_a_campaign_s_roads_all_join_and_its_crossings_are_its_neighbours(code: str) -> None:
    campaign = draw_campaign(3, 4, code)
    field = campaign.field
    assert ground.roads_meet(field) == ground.alternate(field) == ground.network(field.land) == []
    names = [area.name for row in campaign.rows for area in row]
    assert names[:4] == ["A1", "B1", "C1", "A2"]
    assert len({area.title for row in campaign.rows for area in row}) == len(names)
    crossings = list(campaign.crossings())
    assert len(crossings) == 2 * 4 + 3 * 3
    for crossing in crossings:
        pair = Battlefield(((crossing.left.laid, crossing.right.laid),))
        assert ground.roads_meet(pair) == ground.alternate(pair) == []
    assert draw_campaign(3, 4, code) == campaign


def test_a_turned_crossing_is_the_campaign_s_own_ground() -> None:
    campaign = draw_campaign(2, 2, CODES[1])
    crossing = next(c for c in campaign.crossings() if c.turned)
    assert (crossing.left.name, crossing.right.name) == ("A1", "A2")
    pair = Battlefield(((crossing.left.laid, crossing.right.laid),)).land
    whole = campaign.field.land
    for c, r in product(range(SIZE), range(2 * SIZE)):
        assert pair.ground[Square(r, SIZE - 1 - c)] == whole.ground[Square(c, r)]


def test_a_campaign_prints_its_map_and_every_crossing() -> None:
    kit = campaign_make({"size": "2x3", "seed": CODES[0]})
    assert (len(kit.sheets), kit.stamp) == (1 + 3 + 4, CODES[0])
    for sheet in kit.sheets:
        assert isinstance(sheet, Sheet)
        assert isinstance(sheet.figures["map"], MapView)
    for size in ("3", "1x3", "3x9", "x"):
        with pytest.raises(WrongUsageError, match="--size"):
            campaign_make({"size": size, "seed": CODES[0]})
