"""Tests for generated objectives: each kind is legal on every field, zones are fair, tasks are in both languages."""

from __future__ import annotations

from collections import Counter

import pytest
from msgspec.structs import replace

from generator.errors import NothingLegalError
from generator.games.travel_battle.ground import EDGES, SIZE, TYPES, Battlefield, OrientedBoard, house_boards
from generator.games.travel_battle.model import BRIGADES, Objective, Placed, Scenario
from generator.games.travel_battle.objectives import brigades_to_win, draw_objective, kinds, limits, victory_lines
from generator.games.travel_battle.tables import numbers
from generator.grid.squares import squares
from generator.seeds import Rng
from tests.games.travel_battle.scenes import aims, at, battle, both, fired, ground, setting

BOARDS = [[of.ground for of in house_boards().values() if of.ground.type == kind] for kind in TYPES]


def on_house_boards(code: int) -> Scenario:
    """Put the legal battle's armies on two house boards. Units may then be on terrain that they cannot enter."""
    stream = Rng("OBJECTIVES", f"test/{code}")
    placed = [OrientedBoard(stream.choice(boards), stream.choice(EDGES)) for boards in BOARDS]
    boards = (Placed("", "blue", placed[0]), Placed("", "red", placed[1]))
    return replace(battle(), boards=(boards,))


def drawn(scenario: Scenario, kind: str, code: int) -> Scenario:
    stream = Rng("OBJECTIVES", f"draw/{kind}/{code}")
    objective = draw_objective(stream, scenario.battlefield, scenario.armies, kind)
    return replace(scenario, objective=objective, turns=limits(kind)[0])


@pytest.mark.parametrize("kind", [BRIGADES, *kinds()])
def test_a_drawn_objective_is_lawful(kind: str) -> None:
    for code in range(30):
        scenario = drawn(on_house_boards(code), kind, code)
        assert {rule for rule in fired(scenario) if rule.startswith("play.")} == set()
        assert scenario.objective.kind == kind
        assert (scenario.objective.player is None) == (kind == BRIGADES)


def test_who_has_the_task_is_drawn_evenly() -> None:
    players = Counter(drawn(battle(), "hold", code).objective.player for code in range(400))
    assert set(players) == {"blue", "red"}
    assert abs(players["blue"] - 200) < 40


def test_a_zone_is_as_far_from_either_edge() -> None:
    for code in range(40):
        cells = drawn(on_house_boards(code), "hold", code).objective.cells
        assert sum(cell.r for cell in cells) == sum(SIZE - 1 - cell.r for cell in cells)
        assert len(set(cells)) == 4


def test_where_the_middle_is_all_wood_there_is_nothing_to_hold() -> None:
    field = squares(2 * SIZE, SIZE)
    woods = ground({field.name(cell): "wood" for row in (4, 5) for cell in field.row(row)})(battle())
    with pytest.raises(NothingLegalError, match="no squares in the middle"):
        drawn(woods, "hold", 1)


def test_the_usual_objectives_are_those_of_the_house() -> None:
    usual = {kind: (goal.count.usual, limits(kind)[0]) for kind, goal in kinds().items()}
    assert usual == {"hold": (3, 12), "survive": (5, 0), "break": (3, 12), "protect": (1, 12), "destroy": (3, 12)}
    assert {6, 8, 10, 12, 0} <= set(limits(BRIGADES)) == set(numbers().turns)
    assert 0 not in limits("protect")
    assert all(goal.count.minimum <= goal.count.usual <= goal.count.maximum for goal in kinds().values())


@pytest.mark.parametrize(("brigades", "lost"), [(3, 2), (6, 4), (9, 6), (4, 3)])
def test_two_thirds_of_the_brigades_are_fatal(brigades: int, lost: int) -> None:
    assert brigades_to_win(brigades) == lost


def test_numbers_of_units_grow_with_the_armies() -> None:
    blue = battle().armies["blue"]
    doubled = replace(battle(), armies={p: type(blue)(p, a.brigades * 2) for p, a in battle().armies.items()})
    field = Battlefield(tuple(tuple(of.oriented for of in row) for row in battle().boards))
    counts = {k: draw_objective(Rng("X", k), field, doubled.armies, k).count for k in kinds()}
    assert counts == {"hold": 3, "survive": 5, "break": 6, "protect": 1, "destroy": 6}
    assert "play.count" not in fired(both(setting(armies=doubled.armies), aims("break", "red", count=6))(battle()))
    assert "play.count" in fired(both(setting(armies=doubled.armies), aims("break", "red", count=3))(battle()))


def test_objectives_are_described() -> None:
    assert [line.en for line in victory_lines(battle())] == [
        "The first side to destroy 2 of the enemy's 3 brigades wins.",
        "After turn 12 the side with more units left wins, brigadiers not counted; if equal, it is a draw.",
    ]
    endless = victory_lines(replace(battle(), turns=0))
    assert endless[1].en == "There is no turn limit."
    survive = replace(battle(), objective=Objective("survive", "blue", count=5), turns=0)
    assert [line.en for line in victory_lines(survive)] == [
        "Blue wins at the end of turn 5 unless 2 of the army's 3 brigades have been destroyed by then.",
        "The first side to destroy 2 of the enemy's 3 brigades wins.",
    ]
    held = Objective("hold", "red", tuple(map(at, ("k5", "l5", "k6", "l6"))), count=3)
    for turns in (0, 8):
        for kind in kinds():
            objective = held if kind == "hold" else Objective(kind, "red", units=("R1a",), count=3)
            lines = victory_lines(replace(battle(), objective=objective, turns=turns))
            assert all(line.en and line.ja and "{" not in line.en + line.ja for line in lines)
            assert lines[0].en != lines[0].ja
