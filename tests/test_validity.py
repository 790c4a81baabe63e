"""Tests for the validity of grade C, with a small sample of the games of `make prove ARGS=validity`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
import pytest

from generator import __version__, games
from generator.cli.scenario import load
from generator.common.playing import SEATS, numbers
from generator.common.search import certified
from generator.common.trials import strong_pairs, strong_terms
from generator.model.scenario import Request
from generator.seeds import code_for
from tests.prove.parts import searches
from tests.prove.parts.searches import Found, found_in
from tests.prove.parts.strength import engine_of, playing_of, score
from tests.prove.parts.validity import (
    HELD_OUT,
    Case,
    Rated,
    certified_files,
    outside_figure,
    prediction_figure,
    rate,
    share_outside,
    without_noise,
)

GAMES = list(HELD_OUT)
SAMPLES = {"battlelore": 3, "battling": 8, "call_to_arms": 3, "travel_battle": 8}
"""The number of duplicates with each casual player, more of them where games are short."""
CERTIFIED_GAMES = [game for game in GAMES if certified_files(game)]


def sample(deviation: float, error: float, count: int = 4_000) -> Iterator[Rated]:
    """Yield scenarios with this deviation of their true rates, each measured with this error."""
    chance = np.random.default_rng(3)
    for true, noise in zip(chance.normal(0.5, deviation, count), chance.normal(0, error, count), strict=True):
        yield Rated(float(true + noise), error, float(true))


def test_noise_is_taken_off_the_share_outside_the_limits() -> None:
    """True rates with a deviation of 5 points are outside 40 to 60 % in 4.6 % of the cases."""
    rated = list(sample(0.05, 0.05))
    assert share_outside([one.rate for one in rated]) == pytest.approx(0.157, abs=0.02)
    assert share_outside(without_noise(rated)) == pytest.approx(0.046, abs=0.015)
    assert share_outside(without_noise(list(sample(0.0, 0.05)))) < 0.01


def test_figures_hold_only_if_few_certified_scenarios_are_outside() -> None:
    assert outside_figure("x", list(sample(0.05, 0.03, 40)), 0.15).holds
    assert not outside_figure("x", list(sample(0.15, 0.03, 40)), 0.15).holds
    # A share of a few scenarios shows nothing, so it has neither of the two marks.
    few = outside_figure("x", list(sample(0.15, 0.03, 4)), 0.15)
    assert (few.mark, few.holds) == ("–", False) and " of 4 raw" in few.found and "show nothing" in few.wanted
    drawn = outside_figure("x", list(sample(0.15, 0.03, 4)), None)
    assert (drawn.mark, drawn.holds) == ("–", True)
    assert outside_figure("x", list(sample(0.15, 0.03, 8)), None).mark == "✓"
    assert prediction_figure("x", list(sample(0.1, 0.01, 4))).mark == "–"
    assert "slope +0.9" in prediction_figure("x", list(sample(0.1, 0.01, 400))).found.replace("+1.0", "+0.9")


@pytest.mark.parametrize("game", CERTIFIED_GAMES)
def test_certified_files_are_legal_and_have_the_present_certificate(game: str) -> None:
    for path in certified_files(game):
        loaded = load(path)
        found = certified(loaded.scenario.log)
        assert not loaded.report.illegal and loaded.scenario.origin.code
        pairs = strong_pairs(playing_of(game))
        games_of = [2 * strong_terms(pair).max_duplicates for pair in pairs]
        assert found and (found.test, found.strong_games) == (numbers().test, sum(games_of))
        assert found.casual_rates and [one.policies for one in found.strong_pairs] == pairs
        assert all(40 < rate < 60 for rate in (*found.casual_rates, *(one.rate for one in found.strong_pairs)))


@pytest.mark.parametrize("game", CERTIFIED_GAMES)
def test_the_proof_reads_the_result_of_a_search_in_the_log(game: str) -> None:
    for path in certified_files(game):
        found = found_in(load(path).scenario.log, 60.0)
        assert re.fullmatch("[0-9A-Z]{5}-[0-9A-Z]{5}", found.code) and found.looked >= 1


def test_a_search_of_this_version_is_not_repeated(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def search(*_: object) -> None:
        raise AssertionError("searched")

    monkeypatch.setattr(searches, "SEARCHED", tmp_path)
    monkeypatch.setattr(searches, "search_fair", search)
    kept = f'{{"version": "{__version__}", "code": "K7Q2M-9FHN5", "cpu_s": 12.5, "candidates": 60}}'
    (tmp_path / "call_to_arms-3.json").write_text(kept)
    assert searches.sought_one(3) == Found("K7Q2M-9FHN5", 12.5, 60)
    (tmp_path / "call_to_arms-3.json").write_text(kept.replace(__version__, "0.2.0"))
    with pytest.raises(AssertionError, match="searched"):
        searches.sought_one(3)


@pytest.mark.parametrize("game", CERTIFIED_GAMES)
def test_the_rates_of_a_certified_and_a_drawn_scenario_are_measured(game: str) -> None:
    found = rate(1, Case(game, certified_files(game)[0].name, 0))
    drawn = rate(1, Case(game, "", 0))
    assert {found.rate, drawn.rate} <= {0.0, 0.25, 0.5, 0.75, 1.0}
    assert 0.4 < found.strong < 0.6


@pytest.mark.parametrize("game", GAMES)
def test_the_held_out_player_plays_legal_moves_and_beats_casual_players(game: str) -> None:
    playing = playing_of(game)
    player, scores = HELD_OUT[game](playing), list[float]()
    # The policies that never retreat are as good in Blind Faith, and games of policies are short.
    others = ("half", "careful") if game == "blind_faith" else (*playing.policies,)
    for name in others:
        for duplicate in range(20 if game == "blind_faith" else SAMPLES[game]):
            engine = engine_of(game, duplicate)

            def check(state: object, move: object, by_dice: bool, of: Any = engine) -> None:
                assert by_dice or move in of.moves(state)

            on_step = None if name != others[0] or duplicate else check
            pair, dice = (player, playing.policies[name]), f"held-out/{duplicate}"
            scores += [score(engine, pair, seat, engine.firsts[0], dice, on_step) for seat in SEATS]
    assert fmean(scores) > 0.5


@pytest.mark.parametrize("game", [game for game in GAMES if game != "blind_faith"])
def test_the_held_out_player_plays_a_symmetric_scenario_alike_from_both_seats(game: str) -> None:
    """A preference for a direction of the board would favour a seat. Blind Faith has no symmetric scenarios."""
    playing = playing_of(game)
    engine = playing.engine(games.load(game).draw(Request(code_for(5), {"mirror": "on"}, {})))
    player = HELD_OUT[game](playing)
    for name in ("mirror/1", "mirror/2"):
        one, image = (score(engine, (player, player), seat, seat, name) for seat in SEATS)
        assert one == image
