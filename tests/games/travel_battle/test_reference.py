"""Compare the engine of Travel Battle with the slow reference: legal decisions, results, and counts by depth."""

from __future__ import annotations

import random

import pytest

from generator.games.travel_battle.draw import draw
from generator.games.travel_battle.file import write
from generator.games.travel_battle.model import Scenario
from generator.games.travel_battle.playing import Battle
from generator.model.scenario import Request
from generator.seeds import code_for
from tests.games.travel_battle import play_reference as slow
from tests.games.travel_battle.perft import DEEP, SETUPS, by_engine, by_reference, table
from tests.games.travel_battle.play_cases import (
    BATTLES,
    POSITIONS,
    play_differences,
    position_differences,
    random_battle,
    reference_spot,
)
from tests.games.travel_battle.scenes import aims, battle, both, ground, unit


@pytest.mark.parametrize("number", random.Random("play").sample(range(BATTLES), 8))
def test_engine_and_reference_agree_on_what_is_lawful_and_what_every_roll_does(number: int) -> None:
    assert list(play_differences(random_battle(number), number, POSITIONS // 2)) == []


def test_a_faulty_engine_differs_from_the_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison reports an engine that ignores re-rolls."""
    monkeypatch.setattr(Battle, "rerolled", lambda _engine, state, _die: state.pending[2])
    assert any(
        "ways lead to" in fault
        for number in range(9)
        for fault in play_differences(random_battle(number), number, POSITIONS)
    )


def squares_after(of: Scenario, *decisions: str | int) -> dict[str, str]:
    """Return the units' squares after the given decisions and dice.

    Engine and reference must agree at every step.
    """
    engine, data = Battle(of), slow.read(write(of))
    state = engine.begin(0)
    for one in decisions:
        assert list(position_differences(engine, data, state)) == []
        if isinstance(one, int):
            state = engine.fall(state, one - 1)
        else:
            state = engine.act(state, next(move for move in engine.moves(state) if engine.write(state, move) == one))
    assert list(position_differences(engine, data, state)) == []
    return {unit: slow.name(cell) for unit, cell in reference_spot(engine, state).at}


def test_a_brigadier_without_a_free_square_is_lost() -> None:
    """All squares around t10 are occupied, except the wood from which the enemy comes."""
    posts = {"R1": "t10", "R1b": "r8", "R1c": "s8", "R1d": "t8", "R1a": "r9", "R1e": "t9", "R3a": "s10"}
    blue = {"B2a": "s9", "B2": "r10"}
    of = both(ground({"s9": "wood"}), *(unit(id_, cell=cell) for id_, cell in {**posts, **blue}.items()))(battle())
    after = squares_after(of, "B2a t10")
    assert (after["B2a"], after.get("R1")) == ("t10", None)
    assert squares_after(both(unit("R3a", cell="a10"))(of), "B2a t10", "R1 s10")["R1"] == "s10"


@pytest.mark.parametrize(
    ("behind", "pushed"),
    [("open", ("f3", "f2", "f2")), ("wood", ("f4", "f3", "f3")), ("building", ("f4", "f3", "f3"))],
)
def test_two_friends_are_pushed_together_or_not_at_all(behind: str, pushed: tuple[str, ...]) -> None:
    posts = {"B1e": "f4", "B1b": "f3", "B1c": "f3", "R1d": "f5"}
    of = both(ground({"f2": behind}), *(unit(id_, cell=cell) for id_, cell in posts.items()))(battle())
    after = squares_after(of, "-", "B1e x R1d", 1, 2)
    assert (after["B1e"], after["B1b"], after["B1c"]) == pushed


def test_a_square_named_twice_counts_once() -> None:
    """A file that names a square twice is accepted with a remark."""
    of = both(aims("hold", "red", cells="h9 h9", count=1), unit("B2a", cell="g9"), unit("R2a", cell="h9"))(battle())
    engine, data = Battle(of), slow.read(write(of))
    state = engine.begin(0)
    while not engine.ended(state):
        assert list(position_differences(engine, data, state)) == []
        state = engine.act(state, engine.moves(state)[-1]) if engine.to_move(state) < 2 else engine.fall(state, 3)
    end = engine.ended(state)
    assert end
    assert (end.winner, end.length) == (1, 1)


@pytest.mark.parametrize("options", [{"boards": "2x2"}, {"boards": "4x1"}, {"mirror": "on"}])
def test_they_agree_on_other_fields(options: dict[str, str]) -> None:
    assert list(play_differences(draw(Request(code_for(21), options, {})), str(options), 12)) == []


@pytest.mark.parametrize("number", SETUPS)
def test_ways_to_go_on_are_as_many_as_the_table_says(number: int) -> None:
    assert tuple(by_engine(number, depth) for depth in range(1, DEEP)) == table()[number][:-1]


@pytest.mark.parametrize("number", random.Random("perft").sample(SETUPS, 3))
def test_the_reference_counts_as_many(number: int) -> None:
    assert tuple(by_reference(number, depth) for depth in range(1, DEEP)) == table()[number][:-1]
