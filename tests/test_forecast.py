"""Tests for the forecast of grade C, which selects the candidates to play but never grades them."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from generator import games
from generator.common import search, trials
from generator.common.fairness import (
    Forecast,
    Leaning,
    certificate,
    farthest,
    first_mover_sign,
    forecast,
    forecaster,
    measures,
)
from generator.common.tally import Tally
from generator.common.trials import Casual
from generator.errors import NothingLegalError
from generator.model.scenario import Request

CODE = "K7Q2M-9FHN5"
ONE = Forecast("house", 10, 0.1, 0.05, {"a": 0.02, "b": -0.1}, {"a": 5.0, "b": 1.0})


def test_a_forecast_weighs_differences_up_to_their_caps() -> None:
    assert forecast(ONE, {"a": 2, "b": None}, 0) == pytest.approx(0.54)
    assert forecast(ONE, {"a": 99, "b": 3}, 1) == pytest.approx(0.5 + 0.05 + 0.1 - 0.1)
    assert forecast(ONE, {}, -1) == pytest.approx(0.45)
    for differences in ({"a": 3, "b": -1}, {"a": -9, "b": 0.5}):
        turned = {name: -of for name, of in differences.items()}
        assert forecast(ONE, differences, 1) + forecast(ONE, turned, -1) == pytest.approx(1)
    assert [first_mover_sign(firsts) for firsts in ((0,), (1,), (0, 1))] == [1, -1, 0]


def test_the_player_for_whom_it_is_farthest_decides() -> None:
    leanings = {"bold": Leaning(0.01, {"a": 0.01}), "shy": Leaning(-0.01, {"a": -0.01, "b": -0.02})}
    of = replace(ONE, player=leanings)
    assert farthest(of, {"a": 2}, 0) == pytest.approx(0.06)
    assert farthest(of, {"a": 2, "b": 3}, -1) == pytest.approx(0.14)
    assert farthest(of, {"a": -2, "b": -3}, 1) == pytest.approx(0.14)
    assert farthest(ONE, {"a": 2}, 0) == pytest.approx(0.04) == forecast(of, {"a": 2}, 0) - 0.5


@pytest.mark.parametrize("name", [n for n in games.names() if games.load(n).tried])
def test_what_ships_knows_every_measure_and_no_other(name: str) -> None:
    fairness = games.load(name).fairness
    assert fairness
    of = forecaster(fairness.tables)
    if of is None:
        pytest.skip("nothing was fitted for this game yet")
    assert of.weight.keys() == of.cap.keys() >= measures(fairness.tables).keys()
    assert 0 < of.limit < 0.5
    playing = games.load(name).playing
    assert playing
    assert set(of.player) <= set(playing.policies)
    assert all(one.weight.keys() == of.weight.keys() for one in of.player.values())


def test_a_candidate_that_promises_little_is_not_played_and_one_that_is_found_was(monkeypatch: Any) -> None:
    game, tried = games.load("battling"), list[Any]()
    assert game.fairness

    def played(of: Any, found: Any) -> Casual:
        tried.append(found)
        return Casual((Tally(("a", "b"), [0.5]),), None, 1.0)

    def likely(limit: float) -> Any:
        return lambda tables: Forecast("house", 1, limit, 0.0, {"hits": 0.2}, {"hits": 9.0})

    monkeypatch.setattr(trials, "play_casual", played)
    monkeypatch.setattr(trials, "play_strong", lambda *_: ())
    monkeypatch.setattr(search, "forecaster", likely(0.1))
    order = Request(CODE, {"fair": "C", "tries": "12"}, {})
    found: Any = game.draw(order)
    steps = [step.result for step in found.log if step.what == "rejected"]
    plain: Any = game.draw(Request(CODE, {}, {}))
    off = [row.difference for row in certificate(game.fairness, plain).rows if row.measure.id == "hits"]
    assert len(tried) == 1 and (("forecast" in {reason for reason, _ in steps}) == bool(off[0]))
    # With a limit below 0, no candidate is played, so none is found.
    monkeypatch.setattr(search, "forecaster", likely(-1.0))
    tried.clear()
    with pytest.raises(NothingLegalError, match="not played because its measures were not promising 12"):
        game.draw(order)
    assert tried == []
    # The hint suggests more candidates of this code, or another code if there are no more.
    with pytest.raises(NothingLegalError) as caught:
        game.draw(order)
    assert f"--seed {CODE} --tries 24" in caught.value.problems[0].hint
    monkeypatch.setattr(search, "MAX_TRIES", 12)
    with pytest.raises(NothingLegalError) as caught:
        game.draw(order)
    assert "another code" in caught.value.problems[0].hint


def test_grade_c_is_sought_among_more_candidates_than_others(monkeypatch: Any) -> None:
    monkeypatch.setattr(search, "DEFAULT_TRIES_PLAYED", 7)
    monkeypatch.setattr(search, "forecaster", lambda tables: Forecast("house", 1, -1.0, 0.0, {}, {}))
    with pytest.raises(NothingLegalError, match="none of the 7 candidates"):
        games.load("battling").draw(Request(CODE, {"fair": "C"}, {}))


def test_the_fit_finds_what_was_put_in() -> None:
    path = Path(__file__).parents[1] / "docs" / "make_forecast.py"
    spec = importlib.util.spec_from_file_location("make_forecast", path)
    assert spec and spec.loader
    fit: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(fit)
    rows = [
        fit.Row(
            "",
            1 - 2 * (i % 2),
            {"a": a, "b": b, "none": None},
            0.5 + 0.03 * a - 0.02 * b,
            192,
            abs(3 * a - 2 * b) < 5,
            {name: 0.5 + 0.03 * a - 0.02 * b + 0.01 * by * a for name, by in (("x-x", 1), ("x-y", 0), ("y-y", -1))},
        )
        for i, (a, b) in enumerate((a, b) for a in range(-4, 5) for b in range(-4, 5))
    ]
    of = fit.fitted(rows)
    assert of.weight["a"] == pytest.approx(0.03, rel=0.15) and of.weight["b"] == pytest.approx(-0.02, rel=0.15)
    assert abs(of.first) < 0.002 and of.weight["none"] == 0
    # One player deviates above the mean in the first measure as much as the other deviates below.
    assert of.player["x"].weight["a"] == pytest.approx(0.01, rel=0.5)
    assert of.player["y"].weight["a"] == pytest.approx(-of.player["x"].weight["a"])
    rates = fit.held_out(rows)
    assert fit.squared(rows, rates) > 0.95
    assert all(one.off >= abs(one.rate - 0.5) for one in rates)
    # The limit accepts the even scenarios and refuses most others.
    limit = fit.limit(rows, rates)
    passing = [one.off <= limit for row, one in zip(rows, rates, strict=True) if row.passed]
    assert sum(passing) / len(passing) >= 0.9 and 0.02 <= limit <= 0.08
    # The document contains the fitted values.
    assert "limit = 0.0" in fit.document(of) and "[player.y.weight]\na = -0.0" in fit.document(of)
