"""Tests for grade C, its bounds and duplicate games. Results do not depend on the number of processes."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from math import sqrt
from typing import Any, cast

import msgspec
import numpy as np
import pytest

from generator import games
from generator.common.playing import (
    DICE,
    Outcome,
    Playing,
    Policy,
    Seated,
    Terms,
    at_strength,
    numbers,
    play_game,
    roll_outcome,
)
from generator.common.tally import Tally
from generator.common.trial_account import exported as told
from generator.common.trial_account import lines
from generator.common.trials import (
    DUPLICATES_PER_BLOCK,
    SERIES,
    STEP,
    Case,
    Trial,
    case,
    number,
    pairs,
    play,
    play_casual,
    prospects,
    scenario_key,
    strong_pairs,
    strong_terms,
    trial,
)
from generator.model.words import LANGS, Words, same
from generator.seeds import Rng
from generator.workers import Workers
from tests.prove.parts.trials import ROWS, Row, is_even, passes

Coin = tuple[int, int, int]
"""State of a game with one roll per player: the first player, and the roll of each seat."""


@dataclass(frozen=True)
class Table:
    """The engine of the coin game, in which the first seat adds `gift` to its roll.

    If there is a choice, the first seat decides before its roll whether it adds this number, too. Until it has
    decided, its roll is -1. After that it is -2 minus the number that is added.
    """

    gift: int
    firsts: tuple[int, ...] = (0,)
    choice: int = 0

    def begin(self, first: int) -> Coin:
        return (first, -1 if self.choice else 0, 0)

    def to_move(self, state: Coin) -> int:
        return 0 if state[1] == -1 else DICE + int(state[1] > 0)

    def moves(self, state: Coin) -> list[int]:
        return [0, self.choice]

    def act(self, state: Coin, move: int) -> Coin:
        return (state[0], -2 - move, 0)

    def chances(self, state: Coin) -> tuple[int, ...]:
        return (1,) * 20

    def fall(self, state: Coin, outcome: int) -> Coin:
        first, one, _ = state
        return (first, one, 1 + outcome) if one > 0 else (first, 1 + outcome + self.gift + max(0, -2 - one), 0)

    def ended(self, state: Coin) -> Outcome | None:
        _, one, other = state
        if not other:
            return None
        return Outcome(None if one == other else int(other > one), (one, other), 1)


def first_move(engine: Any, state: Any, stream: Rng) -> Any:
    return engine.moves(state)[0]


def last_move(engine: Any, state: Any, stream: Rng) -> Any:
    return engine.moves(state)[-1]


def body(of: Scene) -> str:
    return f"{of.title.en} {of.gift} {of.choice}"


class Scene(msgspec.Struct, frozen=True):
    """The scenario of the coin game."""

    gift: int
    log: tuple[str, ...] = ()
    title: Words = same("")
    choice: int = 0


@dataclass(frozen=True)
class Coins:
    """The parts of a game that trials need, which can be pickled."""

    write: Any = field(default=body)
    two_firsts: bool = False

    @property
    def playing(self) -> Playing[Any]:
        policies = {name: Policy(name, same(name), same(name), first_move) for name in ("bold", "calm", "shy")}
        strong = {name: Policy(name, same(name), same(name), last_move) for name in ("sharp", "sly")}
        firsts = (0, 1) if self.two_firsts else (0,)
        return Playing(partial(_table, firsts), policies, (same("red"), same("blue")), strong=strong)


def _table(firsts: tuple[int, ...], of: Scene) -> Any:
    return Table(of.gift, firsts, of.choice)


@pytest.mark.parametrize("at", range(5))
def test_bounds_are_wrong_once_in_twenty_trials(at: int) -> None:
    """The bounds are tested with random walks exactly at the limit, at any of the first five looks."""
    walks = np.cumsum(np.random.default_rng(at).standard_normal((60_000, 5)), axis=1) / np.sqrt(np.arange(1, 6))
    crossed = (walks >= np.array(numbers().grade.bounds)).any(axis=1).mean()
    assert 0.04 < crossed < 0.0525


def test_the_bounds_are_as_documented() -> None:
    of = numbers().grade
    assert of.looks == tuple(of.looks[0] * k for k in range(1, 6))
    assert of.bounds == pytest.approx([1.751 * sqrt(5 / k) for k in range(1, 6)], abs=0.001)
    assert (of.even, of.within) == (0.5, 0.1)


def decided(rate: float, draws: float, repeats: int, seed: int) -> float:
    """Return the fraction of `repeats` trials that pass if the first seat wins with probability `rate`."""
    chance, passed, of = np.random.default_rng(seed), 0, numbers().grade
    odds = [(1 - draws) * rate + draws * (rate - 0.5), draws, 0.0]
    odds[2] = 1 - odds[0] - odds[1]
    for _ in range(repeats):
        tally = Tally(("a", "b"))
        scores = chance.choice([1.0, 0.5, 0.0], p=odds, size=(of.max_duplicates, 2)).mean(axis=1)
        for look in of.looks:
            tally.scores = [float(score) for score in scores[:look]]
            tally.decide(of)
            if tally.passed is not None:
                break
        passed += bool(tally.passed)
    return passed / repeats


@pytest.mark.parametrize("draws", [0.0, 0.3])
def test_a_seat_on_the_limit_passes_once_in_twenty_and_an_even_one_nearly_always(draws: float) -> None:
    assert decided(0.6, draws, 1_000, 1) <= 0.05 + 2 * sqrt(0.05 * 0.95 / 1_000)
    assert decided(0.4, draws, 1_000, 2) <= 0.05 + 2 * sqrt(0.05 * 0.95 / 1_000)
    assert decided(0.5, draws, 400, 3) >= 0.88
    assert decided(0.75, 0.0, 200, 4) == 0


def test_a_pair_without_variance_is_not_believed_at_once_to_be_sure() -> None:
    tally = Tally(("a", "b"), [0.5] * 32)
    assert tally.error > 0.01
    tally.decide(numbers().grade)
    assert tally.passed


def test_what_is_hopeless_is_refused_early() -> None:
    of = numbers().grade
    tally = Tally(("a", "b"), [1.0] * 32)
    tally.decide(of)
    assert tally.passed is False
    tally = Tally(("a", "b"), [0.5, 1.0] * 48)
    tally.decide(of)
    assert tally.passed is False


def test_duplicate_games_cancel_luck() -> None:
    """Without a gift, two equal players get exactly one half with any dice."""
    done = trial(Coins(), Scene(0))
    assert done.passed
    for tally in done.tallies["full"]:
        assert tally.scores == [0.5] * 32
        assert {row.winner for row in tally.rows} >= {0, 1}


def test_a_gift_is_noticed() -> None:
    done = trial(Coins(), Scene(8))
    assert not done.passed
    assert all(tally.passed is False for tally in done.tallies["full"])


def test_a_search_refuses_early_and_accepts_scenarios_with_the_grade() -> None:
    """A search passes with the same games as a trial, but may refuse earlier."""
    game, found = Coins(), {gift: play_casual(Coins(), Scene(gift)).failing for gift in range(9)}
    assert found[0] is None
    for gift, by in found.items():
        done = trial(game, Scene(gift), dice="search")
        if by is None:
            assert done.passed
            continue
        (same_pair,) = (tally for tally in done.tallies["full"] if tally.pair == by.pair)
        assert by.rows == same_pair.rows[: len(by.rows)]
    first = found[8]
    assert first
    assert (len(first.rows), first.rate > 0.6, first.passed) == (2 * STEP, True, None)


def test_the_chance_that_all_pairs_pass_matches_a_simulation() -> None:
    """Rates and games are simulated from the assumed distribution. Similar results pass at the predicted rate."""
    of, chance, names, n = numbers().grade, np.random.default_rng(5), ["aa", "ab", "bb"], 24
    rates = of.even + chance.normal(0, of.common, (60_000, 1)) + chance.normal(0, of.apart, (60_000, 3))
    noise = 0.33
    so_far = chance.normal(rates, noise / sqrt(n))
    end = (
        n * so_far + (of.max_duplicates - n) * chance.normal(rates, noise / sqrt(of.max_duplicates - n))
    ) / of.max_duplicates
    edge = of.within - of.bounds[-1] * noise / sqrt(of.max_duplicates)
    passes = np.all(abs(end - of.even) < edge, axis=1, keepdims=True)[:, 0]
    for off in (0.0, 0.05, 0.1):
        alike = (abs(so_far - of.even - off) < 0.03).all(axis=1)
        assert alike.sum() > 150
        # The same number of games, with the same mean and spread.
        scores = [of.even + off + (noise if at % 2 else -noise) for at in range(n)]
        whole, each = prospects([Tally((name, name), list(scores)) for name in names], of)
        assert whole == pytest.approx(float(passes[alike].mean()), abs=0.07)
        assert all(whole <= one <= 1 for one in each.values())


def test_a_pair_that_was_decided_and_one_not_played_yet_count_as_what_they_are() -> None:
    of, even = numbers().grade, [0.25, 0.75] * 16
    unplayed, played = Tally(("a", "b")), Tally(("a", "a"), list(even))
    both, each = prospects([played, unplayed], of)
    assert both < each["a", "a"] and both < each["a", "b"] < each["a", "a"]
    played.passed = True
    assert prospects([played, unplayed], of)[0] == pytest.approx(each["a", "b"])
    off = Tally(("a", "a"), [1.0] * 16)
    assert prospects([off, unplayed], of)[0] < 0.01


def test_every_game_has_a_number_and_is_the_same_alone() -> None:
    game, scene = Coins(), Scene(3)
    done = trial(game, scene)
    engine = game.playing.engine(scene)
    for row in done.rows[:: len(done.rows) // 20]:
        of = case(game.playing, row.number)
        assert of
        assert number(game.playing, of) == row.number
        assert play(engine, game.playing, done.key, of) == row
    casual = (len(SERIES) - 1) * len(pairs(game.playing)) * numbers().grade.max_duplicates * 2
    assert case(game.playing, casual - 1) == Case("moved", ("shy", "shy"), numbers().grade.max_duplicates - 1, True)
    strong = [("sharp", "sly"), ("sharp", "sharp"), ("sly", "sly")]
    assert strong_pairs(game.playing) == strong
    for at, pair in enumerate(strong):
        first = casual + 2 * at * numbers().grade.max_duplicates
        last = first + 2 * strong_terms(pair).max_duplicates - 1
        assert case(game.playing, first) == Case("strong", pair, 0, False)
        assert case(game.playing, last) == Case("strong", pair, strong_terms(pair).max_duplicates - 1, True)
        assert case(game.playing, last + 1) is None
    assert case(game.playing, -1) is None


def test_two_workers_come_to_the_same() -> None:
    alone, shared = trial(Coins(), Scene(2)), trial(Coins(), Scene(2), Workers(2).spread)
    assert (alone.digest, alone.passed) == (shared.digest, shared.passed)
    assert alone.digest != trial(Coins(), Scene(1)).digest


def test_how_it_was_drawn_changes_no_game() -> None:
    assert trial(Coins(), Scene(2, ("a step",))).digest == trial(Coins(), Scene(2)).digest


def test_another_title_does_not_give_other_dice() -> None:
    renamed = Scene(2, title=Words("The Second Look", "もう一度"))
    assert scenario_key(Coins(), renamed) == scenario_key(Coins(), Scene(2)) != scenario_key(Coins(), Scene(3))
    assert trial(Coins(), renamed).digest == trial(Coins(), Scene(2)).digest


def test_a_trial_does_not_repeat_the_games_of_a_search() -> None:
    searched, later = play_casual(Coins(), Scene(0)), trial(Coins(), Scene(0))
    first_pair = later.tallies["full"][0].rows
    assert [row.winner for row in searched.tallies[0].rows] != [row.winner for row in first_pair]
    again = trial(Coins(), Scene(0), dice="search")
    assert again.tallies["full"] == searched.tallies
    assert scenario_key(Coins(), Scene(0)) != scenario_key(Coins(), Scene(0), "search")


def test_strong_players_take_one_look_at_what_is_even_between_casual_players() -> None:
    done = trial(Coins(), Scene(0))
    assert done.passed_casual and done.passed
    strong = done.tallies["strong"]
    assert [tally.pair for tally in strong] == [("sharp", "sly"), ("sharp", "sharp"), ("sly", "sly")]
    assert all(len(tally.scores) == strong_terms(tally.pair).looks[0] and tally.passed for tally in strong)
    assert len(strong[0].scores) >= 128
    assert not trial(Coins(), Scene(8)).tallies["strong"]


def test_strong_players_refuse_what_is_even_only_between_casual_players() -> None:
    """Only the strong players use the choice of the first seat. Their games stop before the look."""
    scene = Scene(0, choice=9)
    done = trial(Coins(), scene)
    [strong] = [tally for tally in done.tallies["strong"] if tally.passed is False]
    assert done.passed_casual and not done.passed
    assert strong.rate > 0.6 and len(strong.scores) < strong_terms(strong.pair).looks[0]
    assert trial(Coins(), scene, Workers(2).spread).digest == done.digest
    told_line = lines(Coins().playing, done)[0].en
    assert told_line.startswith("No fairness grade C") and "Strong computer players: " in told_line
    assert told(Coins().playing, done)["grade"] == ""


@pytest.mark.parametrize(("rate", "low", "high"), [(0.6, 0.0, 0.05), (0.4, 0.0, 0.05), (0.5, 0.8, 1.0)])
def test_a_strong_pair_at_the_limit_passes_at_most_once_in_twenty(rate: float, low: float, high: float) -> None:
    """Games are simulated, with the rule by which they stop early. Stopping early only lowers the chance to pass."""
    of, chance, repeats, passed = numbers().strong, np.random.default_rng(7), 400, 0
    for _ in range(repeats):
        scores = [float(one) for one in chance.binomial(2, rate, of.max_duplicates) / 2]
        stops = range(DUPLICATES_PER_BLOCK, of.max_duplicates, DUPLICATES_PER_BLOCK)
        if any(prospects([Tally(("a", "b"), scores[:stop])], of)[0] < of.hope for stop in stops):
            continue
        tally = Tally(("a", "b"), scores)
        tally.decide(of)
        passed += bool(tally.passed)
    noise = 2 * sqrt(0.05 * 0.95 / repeats)
    assert low - noise <= passed / repeats <= high + noise


@dataclass(frozen=True)
class OneSharp(Coins):
    """The coin game with a strong policy that uses the choice of the first seat, and one that does not."""

    @property
    def playing(self) -> Playing[Any]:
        picks = {"sharp": last_move, "sly": first_move}
        strong = {name: Policy(name, same(name), same(name), pick) for name, pick in picks.items()}
        return msgspec.structs.replace(super().playing, strong=strong)


def test_a_player_that_is_most_uneven_against_itself_is_refused() -> None:
    """Only `sharp` gains by the first seat: in half of its games against `sly`, and in all against itself."""
    scene = Scene(0, choice=4)
    done = trial(OneSharp(), scene)
    by_pair = {tally.pair: tally for tally in done.tallies["strong"]}
    assert done.passed_casual and not done.passed
    assert [pair for pair, tally in by_pair.items() if tally.passed is False] == [("sharp", "sharp")]
    assert by_pair["sharp", "sharp"].rate > by_pair["sharp", "sly"].rate > by_pair["sly", "sly"].rate == 0.5
    assert trial(OneSharp(), scene, Workers(2).spread).digest == done.digest


def test_the_effect_of_moving_first_is_separated() -> None:
    given, thrown_for = trial(Coins(), Scene(2)), trial(Coins(two_firsts=True), Scene(2))
    assert given.first
    assert given.tallies["moved"][0].rows
    assert thrown_for.first
    assert not thrown_for.tallies["moved"][0].rows
    assert {row.first for row in thrown_for.tallies["full"][0].rows} == {0, 1}
    assert Trial(given.key, {**given.tallies, "moved": ()}).first is None


def test_the_result_is_reported_in_both_languages() -> None:
    game = Coins()
    done = trial(game, Scene(0))
    for lang in LANGS:
        spoken = [line[lang] for line in lines(game.playing, done)]
        assert not any("{" in line for line in spoken)
        assert sum("bold" in line for line in spoken) >= 3
    rows = told(game.playing, done)
    assert rows["grade"] == "C"
    assert rows["games"] == len(done.rows)
    refused = trial(game, Scene(8))
    assert told(game.playing, refused)["grade"] == ""
    assert lines(game.playing, refused)[0].en.startswith("No fairness grade C")


def test_dice_fall_by_their_weights() -> None:
    luck = Rng("x", "y")
    fell = [roll_outcome((1, 0, 3), luck) for _ in range(4_000)]
    assert set(fell) == {0, 2}
    assert fell.count(0) == pytest.approx(1_000, abs=110)


def test_a_game_that_never_ends_is_a_fault() -> None:
    class Endless(Table):
        def ended(self, state: Coin) -> None:
            return None

    policy = Coins().playing.policies["bold"]
    seated = Seated(policy, Rng("a", "b"), Rng("a", "c"))
    with pytest.raises(AssertionError, match="does not end"):
        play_game(cast(Any, Endless(0)), 0, (seated, seated))


@pytest.mark.parametrize("name", games.names())
def test_games_that_are_played_have_three_players_and_more(name: str) -> None:
    playing = games.load(name).playing
    if playing is None:
        return
    assert len(playing.policies) >= 3
    assert all(policy.text.en and policy.text.ja for policy in playing.policies.values())
    weak = at_strength(next(iter(playing.policies.values())), "weak")
    assert weak.pick is not next(iter(playing.policies.values())).pick


@pytest.mark.parametrize("row", [row for row in ROWS if row.given], ids=lambda row: row.game)
def test_even_scenarios_pass_and_uneven_ones_are_refused(row: Row) -> None:
    """One of the hundreds of cases of `make prove ARGS=trials` is tested here."""
    assert is_even(row.game, 1)
    assert not passes(row, 1)


def test_terms_are_a_struct() -> None:
    assert isinstance(numbers().grade, Terms)
