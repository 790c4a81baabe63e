from collections import Counter

import pytest

from generator.errors import WrongUsageError
from generator.games.battlelore.ground import CARD_ROWS, SECTIONS, SIDES, Board, plain, profile, profiles
from generator.grid.hexes import DIRECTIONS, Hex, flows

PROFILES = sorted(profiles())
PLAN = profile("battlelore")


def at(name: str) -> Hex:
    cell = PLAN.field.find(name)
    assert cell is not None
    return cell


def names(cells: tuple[Hex, ...]) -> str:
    return " ".join(PLAN.field.name(cell) for cell in cells)


def board(ground: dict[str, str], walls: dict[str, tuple[str, ...]] | None = None) -> Board:
    sides = {at(n): tuple(DIRECTIONS.index(d) for d in ds) for n, ds in (walls or {}).items()}
    return Board("battlelore", plain("battlelore") | {at(n): t for n, t in ground.items()}, {}, sides)


def test_the_sizes_of_the_boards() -> None:
    assert len(PLAN.field.cells) == 104
    assert len(profile("memoir").field.cells) == 113


def test_an_unknown_profile_gets_a_near_match() -> None:
    with pytest.raises(WrongUsageError, match="did you mean memoir"):
        profile("memoire")


@pytest.mark.parametrize("name", PROFILES)
def test_sections_cover_the_board_and_share_the_cut_hexes(name: str) -> None:
    plan = profile(name)
    for camp in SIDES:
        counted = Counter(cell for s in SECTIONS for cell in plan.section_cells(s, camp))
        assert set(counted) == set(plan.field.cells)
        for cell, times in counted.items():
            assert times == len(plan.sections_of(cell, camp)) == 1 + plan.shared(cell)
            assert plan.shared(cell) == plan.shared(plan.field.turned(cell))
    shared = [cell for cell in plan.field.cells if plan.shared(cell)]
    assert {cell.r % 2 for cell in shared} == {1}
    assert len(shared) == 8


def test_sections_are_the_owners_left_and_right() -> None:
    assert PLAN.sections_of(at("A1"), "pennant") == ("left",)
    assert PLAN.sections_of(at("A1"), "standard") == ("right",)
    assert PLAN.sections_of(at("D2"), "pennant") == ("left", "centre")
    assert PLAN.sections_of(at("D2"), "standard") == ("centre", "right")


def test_baselines() -> None:
    assert names(PLAN.baseline("pennant", "left")) == "A1 B1 C1 D1"
    assert names(PLAN.baseline("standard", "left")) == "L9 K9 J9 I9"
    assert names(PLAN.baseline("standard")) == "L9 K9 J9 I9 H9 G9 F9 E9 D9 C9 B9 A9"
    memoir = profile("memoir")
    assert [len(memoir.baseline("pennant", s)) for s in SECTIONS] == [4, 5, 4]


@pytest.mark.parametrize("name", PROFILES)
def test_cards_reach_42_hexes_of_a_side_and_none_that_is_shared(name: str) -> None:
    plan = profile(name)
    for camp in SIDES:
        reached = [
            (section, plan.card_hex(camp, section, column, row))
            for section in SECTIONS
            for row, length in enumerate(CARD_ROWS)
            for column in range(length)
        ]
        assert len({cell for _, cell in reached}) == 42
        assert all(plan.sections_of(cell, camp) == (section,) for section, cell in reached)
        assert all(plan.seen(cell, camp).r <= 3 for _, cell in reached)


def test_card_cells_by_name() -> None:
    assert names(tuple(PLAN.card_hex("pennant", "centre", c, 1) for c in range(3))) == "E2 F2 G2"
    assert names(tuple(PLAN.card_hex("standard", "left", c, 1) for c in range(3))) == "K8 J8 I8"
    for column, row in ((3, 1), (4, 0), (0, 4), (-1, 0)):
        with pytest.raises(ValueError, match="a card has no column"):
            PLAN.card_hex("pennant", "left", column, row)


@pytest.mark.parametrize("name", PROFILES)
def test_section_lines_run_through_shared_hexes_and_along_hexsides(name: str) -> None:
    plan = profile(name)
    for (x, low), (x_top, high) in plan.borders():
        assert x == x_top
        for row in range(len(plan.rows)):
            cut = [c for c in plan.field.row(row) if plan.field.centre(c)[0] == x]
            assert [plan.shared(c) for c in cut] == ([True] if row % 2 else [])
        assert low == -1
        assert high == max(y for c in plan.field.row(len(plan.rows) - 1) for _, y in plan.field.corners(c)) - 1


def test_rivers_stop_a_step_and_crossings_do_not() -> None:
    of = board({"D4": "river", "E4": "ford"})
    assert not of.passable(at("D4"))
    assert not of.step(at("D3"), at("D4"))
    assert of.step(at("E3"), at("E4"))
    assert not of.step(at("E3"), at("E5"))


def test_a_cliff_side_is_a_wall_from_either_side() -> None:
    of = board({"D5": "cliff"}, {"D5": ("E", "NE")})
    assert of.wall_between(at("D5"), at("E5"))
    assert of.wall_between(at("E5"), at("D5"))
    assert not of.step(at("E5"), at("D5"))
    assert of.step(at("C5"), at("D5"))
    assert not of.wall_between(at("D5"), at("F5"))


def test_water_flows_on_and_off_the_map() -> None:
    def ways(ground: str) -> dict[str, list[str]]:
        of = board(dict.fromkeys(ground.split(), "river"))
        return {PLAN.field.name(c): [DIRECTIONS[d] for d in ds] for c, ds in flows(of.field, of.water()).items()}

    assert ways("A5 B5 B6") == {"A5": ["E", "W"], "B5": ["NE", "W"], "B6": ["SW"]}
    assert ways("C1 C2") == {"C1": ["NE", "SW"], "C2": ["SW"]}
    assert ways("E9 D8") == {"E9": ["NE", "SW"], "D8": ["NE"]}
    assert ways("F5") == {"F5": []}
