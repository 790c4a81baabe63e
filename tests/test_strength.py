"""Tests for the measurement of strength, with a small sample of the games of `make prove ARGS=strength`."""

from __future__ import annotations

import pytest

from generator.common.playing import DICE
from tests.prove.parts.strength import (
    RANDOM,
    TARGETS,
    Match,
    Target,
    blunder_figures,
    elo,
    engine_of,
    matches_of,
    play_match,
    playing_of,
    score,
    score_figure,
    targets,
)

SAMPLE = 2
"""Duplicates for each pair of players, each in a scenario of its own."""
MARGIN = 0.25
"""Amount by which the score in a sample may be below the target."""


def test_elo_points_follow_the_logistic_curve() -> None:
    assert [elo(rate) for rate in (0.5, 0.75, 10 / 11, 1.0, 0.0)] == ["+0", "+191", "+400", "∞", "-∞"]


def test_swapped_seats_cancel_the_advantage_of_a_seat() -> None:
    """A policy against itself with the same dice scores exactly one half in each duplicate."""
    played = play_match(Match("battling", ("brawler", "brawler"), 0, 1))
    assert played.scores == (0.5,)


def test_casual_players_beat_random_moves() -> None:
    pair = ("charger", RANDOM.id)
    scores = [s for match in matches_of("battlelore", pair, 2, 2) for s in play_match(match).scores]
    assert score_figure("battlelore", pair, scores, 0.9).holds
    assert not score_figure("battlelore", pair, [0.0], 0.9).holds


@pytest.mark.parametrize("target", targets(), ids=lambda target: target.game)
def test_the_captain_beats_casual_players_and_rarely_blunders(target: Target) -> None:
    playing = playing_of(target.game)
    captain = next(iter(playing.strong))
    played = [
        play_match(match)
        for name in playing.policies
        for match in matches_of(target.game, (captain, name), SAMPLE, SAMPLE)
    ]
    scores = [score for match in played for score in match.scores]
    minimum = 0.5 if target.casual is None else target.casual
    assert score_figure(target.game, (captain, "casual"), scores, minimum - MARGIN).holds
    for figure in blunder_figures(target.game, captain, played):
        assert figure.holds or figure.found.endswith(" of 0)"), figure


@pytest.mark.parametrize("target", targets(), ids=lambda target: target.game)
def test_strong_players_choose_legal_moves_against_each_other(target: Target) -> None:
    playing, engine = playing_of(target.game), engine_of(target.game, 0)
    one, *others = playing.strong.values()

    def check(state: object, move: object, by_dice: bool) -> None:
        assert by_dice or move in engine.moves(state)
        assert (engine.to_move(state) >= DICE) == by_dice

    for other in others:
        score(engine, (one, other), 0, engine.firsts[0], "legal", check)


def test_each_target_names_a_game_with_computer_players() -> None:
    assert all(len(playing_of(target.game).policies) >= 3 for target in TARGETS)
