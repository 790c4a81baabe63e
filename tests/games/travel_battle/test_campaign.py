"""Tests for campaigns: their terrain, their pages, and the battles between their areas."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from msgspec.structs import replace

from generator.errors import WrongUsageError
from generator.games.travel_battle import ground
from generator.games.travel_battle.campaign import MAX_BOARDS, MIN_BOARDS, draw_campaign, find_area, find_crossing
from generator.games.travel_battle.ground import SIZE, Battlefield
from generator.games.travel_battle.model import SIDES
from generator.games.travel_battle.pages.posters import campaign_kit, campaign_make
from generator.games.travel_battle.rules import rules
from generator.grid.squares import Square, squares
from generator.model.views import MapView, Poster, Sheet
from generator.model.words import LANGS
from generator.press.layout.print_settings import PrintSettings
from generator.press.pdf import fonts
from generator.press.pdf.canvas import Canvas
from generator.press.sheets import Press
from generator.rules import check
from tests.cli.run import muster
from tests.games.travel_battle.scenes import replace_struct
from tests.games.travel_battle.test_draw import CODES, drawn, step


@pytest.mark.parametrize("code", CODES[:4])
def test_a_campaign_s_roads_all_join_and_its_crossings_are_its_neighbours(code: str) -> None:
    campaign = draw_campaign(3, 4, code)
    field = campaign.field
    assert ground.roads_meet(field) == ground.alternate(field) == ground.network(field.terrain_map) == []
    names = [area.name for area in campaign.areas]
    assert names[:4] == ["A1", "B1", "C1", "A2"]
    assert len({area.title for area in campaign.areas}) == len(names)
    crossings = list(campaign.crossings())
    assert len(crossings) == 2 * 4 + 3 * 3
    for crossing in crossings:
        pair = Battlefield(((crossing.left.oriented, crossing.right.oriented),))
        assert ground.roads_meet(pair) == ground.alternate(pair) == []
    assert draw_campaign.__wrapped__(3, 4, code) == campaign


def test_a_turned_crossing_is_the_campaign_s_own_ground() -> None:
    campaign = draw_campaign(2, 2, CODES[1])
    crossing = next(c for c in campaign.crossings() if c.turned)
    assert (crossing.left.name, crossing.right.name) == ("A1", "A2")
    pair = Battlefield(((crossing.left.oriented, crossing.right.oriented),)).terrain_map
    whole = campaign.field.terrain_map
    for c, r in product(range(SIZE), range(2 * SIZE)):
        assert pair.ground[Square(r, SIZE - 1 - c)] == whole.ground[Square(c, r)]


def test_a_campaign_prints_its_map_and_every_crossing_and_boards_where_asked_for() -> None:
    arguments = {"size": "2x3", "seed": CODES[0]}
    kit = campaign_make(arguments)
    assert (len(kit.sheets), kit.stamp) == (1 + 3 + 4, CODES[0])
    for sheet in kit.sheets:
        assert isinstance(sheet, Sheet)
        assert isinstance(sheet.figures["map"], MapView)
    boards = campaign_make(arguments | {"only": "boards"}).sheets
    campaign = draw_campaign(2, 3, CODES[0])
    for poster, area in zip(boards, campaign.areas, strict=True):
        assert isinstance(poster, Poster)
        assert poster.title.en == f"{area.name}: {area.title.en} (type {area.oriented.board.type})"
        assert poster.view.ground == area.oriented.board.terrain_map.ground
    assert len(campaign_make(arguments | {"only": "map,boards"}).sheets) == 1 + 6
    for size in ("3", "1x3", "3x9", "x"):
        with pytest.raises(WrongUsageError, match="--size"):
            campaign_make({"size": size, "seed": CODES[0]})


def test_a_map_of_any_size_fits_on_a_page() -> None:
    """Blank terrain needs as much space as random terrain."""
    for lang in LANGS:
        fonts.ensure_registered(lang)
    for columns, rows in product(range(MIN_BOARDS, MAX_BOARDS + 1), repeat=2):
        kit = campaign_kit(columns, rows, CODES[0], ("map",))
        (sheet,) = kit.sheets
        assert isinstance(sheet, Sheet)
        grid = squares(SIZE * columns, SIZE * rows)
        blank = replace(sheet, figures={"map": MapView(grid, dict.fromkeys(grid.cells, "clear"), names=False)})
        for lang, paper in product(LANGS, ("a4", "letter")):
            print_options = PrintSettings(lang, paper)
            canvas = Canvas(print_options.sheet.size(), lang)
            assert len(Press(canvas, kit, print_options, lang).pages(blank)) == 1, (lang, paper, columns, rows)


def test_an_area_goes_by_its_campaign_s_code_size_and_name() -> None:
    campaign = draw_campaign(3, 4, CODES[2])
    for area in campaign.areas:
        assert find_area(campaign.known_as(area)) == (campaign, area)
        assert find_area(campaign.known_as(area).lower()) == (campaign, area)
    for wrong in (f"{CODES[2]}:3x4:D1", f"{CODES[2]}:3x4:A5", f"{CODES[2]}:7x4:A1"):
        with pytest.raises(WrongUsageError, match="no area"):
            find_area(wrong)
    with pytest.raises(WrongUsageError, match="is not a valid code"):
        find_area("AAAAA-AAAAA:3x4:A1")


def test_neighbours_have_a_crossing_and_others_have_none() -> None:
    for crossing in draw_campaign(2, 2, CODES[2]).crossings():
        for one, other in product((crossing.left, crossing.right), repeat=2):
            found = find_crossing(f"{CODES[2]}:2x2:{one.name}", f"{CODES[2]}:2x2:{other.name}")
            assert found == (crossing if one != other else None)
    assert find_crossing(f"{CODES[2]}:2x2:A1", f"{CODES[2]}:2x2:B2") is None
    assert find_crossing(f"{CODES[2]}:2x2:A1", f"{CODES[2]}:2x3:B1") is None
    assert find_crossing("kiln_farm", "market_road") is None


@pytest.mark.parametrize("swapped", [False, True])
def test_a_battle_on_a_crossing_lies_as_on_the_campaign_s_map(swapped: bool) -> None:
    campaign = draw_campaign(2, 2, CODES[3])
    for crossing in campaign.crossings():
        names = [campaign.known_as(area) for area in (crossing.left, crossing.right)]
        blue, red = reversed(names) if swapped else names
        scenario = drawn(CODES[5], board_blue=blue, board_red=red)
        assert check(rules(), scenario).findings == ()
        assert [placed.oriented for placed in scenario.boards[0]] == [crossing.left.oriented, crossing.right.oriented]
        assert [placed.name for placed in scenario.boards[0]] == names
        assert scenario.boards[0][0].owner == ("red" if swapped else "blue")
        assert step(scenario, "crossing") == [(None, tuple(names))]
        assert step(scenario, "side_dice") == step(scenario, "turn") == []


def test_boards_of_areas_that_are_not_adjacent_are_placed_by_dice() -> None:
    scenario = drawn(CODES[5], board_blue=f"{CODES[3]}:2x2:A1", board_red=f"{CODES[4]}:2x2:A1")
    assert step(scenario, "side_dice")
    fitting = {finding.rule.id for finding in check(rules(), scenario).findings}
    assert fitting <= {"field.types", "field.roads"}
    assert {placed.name for placed in scenario.boards[0]} == {f"{CODES[3]}:2x2:A1", f"{CODES[4]}:2x2:A1"}


@pytest.mark.parametrize("option", ["side_blue", "edge_red"])
def test_a_crossing_determines_sides_and_edges(option: str) -> None:
    areas = {f"board_{p}": f"{CODES[3]}:2x2:{name}" for p, name in zip(SIDES, ("A1", "B1"), strict=True)}
    with pytest.raises(WrongUsageError, match=r"has no effect .*campaign"):
        drawn(**areas, **{option: "left" if option == "side_blue" else "1"})


def test_a_crossing_that_the_boards_do_not_show_is_false() -> None:
    names = [f"{CODES[3]}:2x2:{name}" for name in ("A1", "B1")]
    scenario = drawn(board_blue=names[0], board_red=names[1])
    (row,) = scenario.boards
    turned = replace_struct(row[0], oriented=replace(row[0].oriented, edge=row[0].oriented.far))
    label = replace_struct(row[0], name="AAAAA-AAAAA:2x2:A1")
    for boards in (((turned, row[1]),), (row[::-1],), ((label, row[1]),)):
        found = check(rules(), replace(scenario, boards=boards)).findings
        assert "log.true" in {finding.rule.id for finding in found}


def test_areas_are_taken_on_the_command_line(tmp_path: Path) -> None:
    areas = [f"--board-{p}={CODES[3]}:2x2:{name}" for p, name in zip(SIDES, ("A1", "B1"), strict=True)]
    file = tmp_path / "scenario.toml"
    done = muster("draw", "travel_battle", *areas, "--lang", "en", "-o", file)
    assert (done.code, done.err) == (0, "")
    assert "legal by" in muster("check", file).out
    wrong = muster("draw", "travel_battle", f"--board-blue={CODES[3]}:2x2:C1", "-o", file)
    assert (wrong.code, "no area" in wrong.err) == (2, True)
