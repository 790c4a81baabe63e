"""Tests that a code always generates the same legal scenario, and that an option does not change other parts."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator import games
from generator.errors import WrongUsageError
from generator.games.battlelore.ground import SIDES
from generator.games.call_to_arms.model import Scenario
from generator.model.scenario import Request
from generator.rules import check
from generator.seeds import BITS, code_for

GAME = games.load("call_to_arms")
WISHES: tuple[Mapping[str, str], ...] = (
    {},
    {"board": "memoir"},
    {"hill": "plateau", "hexside": "each", "edge": "open"},
    {"displaced": "nearest"},
    {"map": "fenwater", "displaced": "nearest"},
    {"board": "memoir", "map": "random", "displaced": "nearest", "hill": "plateau"},
    {"map": "random", "set-pennant": "B", "set-standard": "C", "banners": "4", "hand": "6"},
)
STRIDE = 239_452_381

codes = st.integers(0, (1 << BITS) - 1).map(code_for)
quick = settings(max_examples=12, deadline=None)


def drawn(code: str, options: Mapping[str, str] | None = None) -> Scenario:
    scenario: Scenario = GAME.draw(Request(code, options or {}, {}))
    return scenario


def log_without_streams(scenario: Scenario) -> list[tuple[object, ...]]:
    """Return the log without the names of random streams, which are empty if an option replaces a random choice."""
    return [step.evidence for step in scenario.log]


@pytest.mark.parametrize("options", WISHES, ids=str)
def test_any_code_draws_a_legal_scenario(options: Mapping[str, str]) -> None:
    for number in range(22):
        scenario = drawn(code_for(number * STRIDE), options)
        assert check(GAME.rules, scenario).findings == ()
        assert scenario.origin.options == options
        assert options.items() <= {**scenario.rulings, **options}.items()
        assert {s: scenario.rulings[s] for s in scenario.rulings if s in options} == {
            s: option for s, option in options.items() if s in scenario.rulings
        }


@given(codes)
@quick
def test_a_code_draws_the_same_again(code: str) -> None:
    assert drawn(code) == drawn(code)
    assert GAME.write(drawn(code)) == GAME.write(drawn(code))


def test_codes_draw_different_battles() -> None:
    texts = {GAME.write(drawn(code_for(number))) for number in range(30)}
    assert len(texts) == 30


@given(codes, st.sampled_from(SIDES))
@quick
def test_requesting_the_default_draw_changes_nothing(code: str, camp: str) -> None:
    scenario = drawn(code)
    force = scenario.forces[camp]  # type: ignore[index]
    [hand] = scenario.steps("hand", camp)  # type: ignore[arg-type]
    for options in (
        {f"set-{camp}": force.set},
        {f"place-{camp}": ",".join(force.keys)},
        {"map": scenario.map},
        {"banners": str(scenario.banners), "hand": str(scenario.hand), "board": "battlelore"},
        scenario.rulings,
    ):
        again = drawn(code, options)
        assert log_without_streams(again) == log_without_streams(scenario), options
        assert (again.board, again.forces, again.title) == (scenario.board, scenario.forces, scenario.title)
    again = drawn(code, {f"cards-{camp}": ",".join(hand.result)})
    assert (again.board, again.forces, again.first) == (scenario.board, scenario.forces, scenario.first)


@given(codes)
@quick
def test_an_option_for_one_camp_does_not_affect_the_other(code: str) -> None:
    scenario = drawn(code, {"map": "fenwater"})
    for letter in "ABC":
        other = drawn(code, {"map": "fenwater", "set-pennant": letter})
        assert other.forces["standard"].deployed == scenario.forces["standard"].deployed
        assert other.steps("shuffle", "standard") == scenario.steps("shuffle", "standard")
        assert other.forces["pennant"].set == letter
    titled = drawn(code, {"map": "fenwater", "title": "Ford at dusk"})
    assert (titled.title.en, titled.forces) == ("Ford at dusk", scenario.forces)


@given(codes)
@quick
def test_the_second_player_places_reserves_before_the_first(code: str) -> None:
    scenario = drawn(code)
    camps = [step.who for step in scenario.log if step.what == "reserve"]
    second = [camp for camp in camps if camp != scenario.first]
    assert len(second) == 2
    assert camps == [*second, *[scenario.first] * (len(camps) - 2)]


def test_every_random_step_names_its_stream() -> None:
    scenario = drawn(code_for(7))
    assert all(step.stream.startswith("v1/call_to_arms/") for step in scenario.log if step.stream)
    chosen = {step.what for step in scenario.log if step.stream}
    assert {"map", "set", "shuffle", "hand", "places", "reserve"} <= chosen
    assert {step.what for step in scenario.log if not step.stream} <= {"green", "first", "levy", "lost"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"map": "fenwater", "board": "memoir"}, "fenwater is for a different board"),
        ({"cards-pennant": "A1,A2,A3"}, "4 different cards"),
        ({"cards-pennant": "A1,A2,A3,A3"}, "4 different cards"),
        ({"cards-pennant": "A1,A2,A3,B4"}, "one set"),
        ({"cards-pennant": "A1,A2,A3,A8"}, "there is no card named 'A8'"),
        ({"cards-pennant": "A1,A2,A3,A4", "set-pennant": "B"}, "not in set B"),
        (
            {"cards-pennant": "A1,A2,A3,A4", "place-pennant": "A1,A2,A3,A5"},
            "the hand of the pennant player: A1, A2, A3, A4",
        ),
    ],
)
def test_invalid_options_are_refused(options: Mapping[str, str], message: str) -> None:
    with pytest.raises(WrongUsageError, match=message):
        drawn(code_for(1), options)
