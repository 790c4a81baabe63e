"""Tests for the fairness measures of Travel Battle, compared with a count by hand, and for battles below grade A."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product

import pytest

from generator import games
from generator.common.fairness import Exact, certificate
from generator.errors import WrongUsageError
from generator.games.travel_battle.fairness import FAIRNESS, half_of
from generator.games.travel_battle.ground import EDGES, SIZE, OrientedBoard
from generator.games.travel_battle.model import OTHER, SIDES, Scenario
from generator.games.travel_battle.pages.gunfields import fields_of_fire
from generator.model.scenario import Request
from generator.seeds import code_for
from tests.games.exchanged import EXCHANGED
from tests.games.travel_battle.scenes import Edit, aims, battle, both, ground, unit, whole, with_boards, without

GAME = games.load("travel_battle")


@cache
def drawn(number: int) -> Scenario:
    scenario: Scenario = GAME.draw(Request(code_for(number), {}, {}))
    return scenario


def values(scenario: Scenario) -> dict[str, tuple[Exact, Exact]]:
    return {row.id: row.values for row in FAIRNESS.measures(scenario) if row.values}


@pytest.mark.parametrize("number", range(3))
def test_the_halves_share_the_ground(number: int) -> None:
    scenario = drawn(number)
    terrain, found = scenario.battlefield.terrain_map, values(scenario)
    near, far = (half_of(terrain, player) for player in SIDES)
    assert len(near) == len(far) == len(terrain.field.cells) // 2
    assert not set(near) & set(far)
    assert sum(found["highways"]) == len(terrain.roads())
    assert sum(found["heights"]) == sum(terrain.height(cell) > 0 for cell in terrain.field.cells)


@pytest.mark.parametrize("number", range(3))
def test_the_guns_cover_what_their_fields_of_fire_have(number: int) -> None:
    scenario = drawn(number)
    for i, player in enumerate(SIDES):
        seen = {cell for field in fields_of_fire(scenario) if field.player == player for cell in field.seen}
        opponent_half = half_of(scenario.battlefield.terrain_map, OTHER[player])
        assert values(scenario)["battery"][i] * len(opponent_half) == len(seen & set(opponent_half))


def test_the_path_across_is_not_shorter_than_the_rows_between() -> None:
    scenario = drawn(1)
    for i, player in enumerate(SIDES):
        last = scenario.battlefield.terrain_map.field.rows - 1
        cells = [unit.cell for unit in scenario.armies[player].units if unit.cell]
        rows = [last - cell.r if player == "blue" else cell.r for cell in cells]
        assert values(scenario)["passage"][i] * len(rows) >= sum(rows)


def test_a_field_turned_twice_lies_as_before() -> None:
    scenario = drawn(2)
    turned = EXCHANGED["travel_battle"](scenario)
    assert turned.boards != scenario.boards
    assert EXCHANGED["travel_battle"](turned) == scenario


def leads(placed: OrientedBoard, row: int, rows: int) -> int:
    """Return the number of good squares of a board in Blue's half minus the number in Red's half."""
    terrain = placed.turned.terrain_map
    good = {"hill", "hilltop", "wood", "building"}
    return sum(
        1 if 2 * (SIZE * row + cell.r) < SIZE * rows else -1
        for cell in terrain.field.cells
        if terrain.ground[cell] in good
    )


@pytest.mark.parametrize("table", ["2x1", "2x3"])
def test_the_luck_of_the_boards_is_that_of_every_way_to_turn_them(table: str) -> None:
    scenario: Scenario = GAME.draw(Request(code_for(5), {"boards": table}, {}))
    boards = [(placed.oriented, r) for r, row in enumerate(scenario.boards) for placed in row]
    rows = len(scenario.boards)
    now = sum(leads(laid_board, r, rows) for laid_board, r in boards)
    each = [[leads(OrientedBoard(laid_board.board, edge), r, rows) for edge in EDGES] for laid_board, r in boards]
    ways = [sum(way) for way in product(*each)]
    found = values(scenario)["turns"]
    assert found == (
        Fraction(sum(way > now for way in ways), len(ways)),
        Fraction(sum(way < now for way in ways), len(ways)),
    )
    assert 0 < sum(found) < 1


def test_turning_changes_nothing_where_boards_lie_in_one_half_or_are_halves() -> None:
    for options in ({"boards": "2x2"}, {"mirror": "on"}):
        assert values(GAME.draw(Request(code_for(5), options, {})))["turns"] == (0, 0)


def differs(scenario: Scenario) -> list[str]:
    return [why.en for why in certificate(FAIRNESS, scenario).differs]


def test_two_boards_of_two_types_are_never_symmetric() -> None:
    types, ground_, *_ = differs(drawn(1))
    assert types.startswith("Boards of different types have road exits at different squares,")
    assert ground_.startswith("Squares whose ground differs")
    assert differs(battle())[0] == types


@pytest.mark.parametrize(
    ("edit", "wanted"),
    [
        ((), []),
        ((ground({"e9": "wood", "p2": "wood"}),), []),
        ((ground({"e9": "wood"}),), ["Squares whose ground differs from that of the symmetrical square: 2 (p2 e9)"]),
        (
            (ground({"e9": "wood", "f9": "wood", "g9": "wood"}),),
            ["Squares whose ground differs from that of the symmetrical square: 6 (n2 o2 p2 e9 …)"],
        ),
        (
            (unit("B1b", cell="b3"),),
            [
                "Blue: units without a symmetrical counterpart in the other army: 1 (B1b)",
                "Red: units without a symmetrical counterpart in the other army: 1 (R1b)",
            ],
        ),
        ((unit("B1b", cell="b3"), unit("R1b", cell="s8")), []),
        (
            (unit("B2b", facing=3),),
            [
                "Blue: units without a symmetrical counterpart in the other army: 1 (B2b)",
                "Red: units without a symmetrical counterpart in the other army: 1 (R2b)",
            ],
        ),
        (
            (unit("R2b", square=True),),
            [
                "Blue: units without a symmetrical counterpart in the other army: 1 (B2b)",
                "Red: units without a symmetrical counterpart in the other army: 1 (R2b)",
            ],
        ),
        (
            (unit("R2b", kind="guard"),),
            [
                "Blue: units without a symmetrical counterpart in the other army: 1 (B2b)",
                "Red: units without a symmetrical counterpart in the other army: 1 (R2b)",
            ],
        ),
        ((without("B2b"),), ["Red: units without a symmetrical counterpart in the other army: 1 (R2b)"]),
        ((aims("destroy", "blue", count=3),), ["Only Blue has an objective"]),
    ],
)
def test_asymmetric_parts_are_reported(edit: tuple[Edit, ...], wanted: list[str]) -> None:
    scenario = both(*edit)(whole())
    assert differs(scenario) == wanted
    assert (certificate(FAIRNESS, scenario).grade == "A") is not bool(wanted)


def test_a_field_of_four_boards_may_be_symmetric_by_hand() -> None:
    boards = with_boards(("A", "blue", 1), ("B", "red", 2), ("B", "blue", 4), ("A", "red", 3), rows=2)
    assert "Boards" not in " ".join(differs(boards(battle())))
    assert "Squares" not in " ".join(differs(boards(battle())))


def test_grade_a_is_looked_for_on_one_whole_alone() -> None:
    with pytest.raises(WrongUsageError, match="--boards 2x2 cannot be symmetrical"):
        GAME.draw(Request(code_for(1), {"fair": "A", "boards": "2x2"}, {}))
