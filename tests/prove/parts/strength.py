"""Strong players beat the casual players and random moves, and rarely blunder."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from math import log10
from typing import Any, NamedTuple, Protocol

from generator import games
from generator.common.playing import SEATS, Engine, Playing, Policy, Seated, StepListener, play_game
from generator.common.tally import Tally
from generator.model.scenario import Request
from generator.model.words import Words
from generator.seeds import Rng, code_for
from tests.prove.figure import SEED, Figure, spread

DUPLICATES = 200
"""Duplicates for each pair of players. A duplicate consists of two games in which the players swap seats and keep
their dice."""
SCENARIOS = 40
"""Drawn scenarios that the duplicates of a pair are divided among."""
PACED_GAMES = 60
"""Games of the strong pair that are timed, after a quarter of this number that is not timed."""
MAX_BLUNDERS = 0.05
"""Maximum share of the decisions of the captain that may be a given kind of blunder."""
NEARLY = 0.9
"""Share of a target that counts as met for speeds, because other processes slow the machine down."""
RANDOM = Policy(
    "random",
    Words("Random moves", "ランダムな手"),
    Words("", ""),
    lambda engine, state, rng: rng.choice(engine.moves(state)),
)


@dataclass(frozen=True)
class Target:
    """The results that a game's captain must achieve."""

    game: str
    casual: float | None
    """Minimum score against each casual player, where a win counts 1 and a draw 0.5. None means that the score is
    measured without a minimum."""
    random: float
    """Minimum score against random moves."""
    pace: float | None
    """Minimum games per second that the strong players play on one core. None means that the speed is measured
    without a minimum."""
    options: tuple[Mapping[str, str], ...] = ({},)
    """The options of the drawn scenarios. The scenarios use them in turn."""


TARGETS = (
    Target("battlelore", 0.80, 0.97, 8),
    Target("battling", 0.65, 0.88, 4),
    Target("blind_faith", None, 0.88, None, ({"kind": "battle"}, {"kind": "siege"})),
    Target("call_to_arms", 0.75, 0.97, 8),
    Target("travel_battle", 0.60, 0.88, 4),
)


class Blunders(Protocol):
    """A counter of blunders in one game. The module `tests.games.<game>.blunders` has a class of this name.

    It is created with the engine. It is called with each step of the game, as a `StepListener`.
    """

    def __call__(self, state: Any, move: Any, by_dice: bool) -> None:
        """Count what the step shows."""

    def counts(self, seat: int) -> dict[str, tuple[int, int]]:
        """Return for each kind of blunder the number of blunders of a seat and of decisions that could be one."""


class Match(NamedTuple):
    """Duplicates of two players in one scenario."""

    game: str
    pair: tuple[str, str]
    """The ids of the players. The first is the one whose score is measured."""
    scenario: int
    """The number of the drawn scenario."""
    duplicates: int


class Played(NamedTuple):
    """The results of a match."""

    scores: tuple[float, ...]
    """The score of the first player in each duplicate, from 0 to 1."""
    blunders: Counter[str]
    """The number of blunders, keyed by player and kind as in "captain: stays in contact"."""
    decisions: Counter[str]
    """The number of decisions that could have been blunders, with the same keys."""


def targets() -> list[Target]:
    """Return the targets of the games that have strong players."""
    return [target for target in TARGETS if playing_of(target.game).strong]


def prove() -> Iterator[Figure]:
    """Compute each figure, game by game."""
    for target in targets():
        yield from strength(target)
        yield pace(target)


def strength(target: Target, duplicates: int = DUPLICATES, scenarios: int = SCENARIOS) -> Iterator[Figure]:
    """Yield the scores of the strong players of a game, and the blunders of the captain in these games."""
    playing = playing_of(target.game)
    captain, *others = playing.strong
    minimums: dict[tuple[str, str], float | None] = {(captain, name): target.casual for name in playing.policies}
    minimums[captain, RANDOM.id] = target.random
    minimums |= {(captain, name): None for name in others}
    minimums |= {(name, weaker): None for name in others for weaker in (*playing.policies, RANDOM.id)}
    matches = [match for pair in minimums for match in matches_of(target.game, pair, duplicates, scenarios)]
    results: dict[tuple[str, str], list[Played]] = {pair: [] for pair in minimums}
    for match, played in zip(matches, spread(play_match, matches, target.game, size=1), strict=True):
        results[match.pair].append(played)
    for pair, minimum in minimums.items():
        yield score_figure(target.game, pair, [score for played in results[pair] for score in played.scores], minimum)
    yield from blunder_figures(target.game, captain, (played for of in results.values() for played in of))


def matches_of(game: str, pair: tuple[str, str], duplicates: int, scenarios: int) -> Iterator[Match]:
    """Yield the matches of a pair, with the duplicates divided equally among the scenarios."""
    assert duplicates % scenarios == 0, "every scenario has the same number of duplicates"
    return (Match(game, pair, number, duplicates // scenarios) for number in range(scenarios))


def play_match(match: Match) -> Played:
    """Play the duplicates of a match and count the blunders in them."""
    engine, counter = engine_of(match.game, match.scenario), blunder_counter(match.game)
    one, other = (policy_of(match.game, name) for name in match.pair)
    scores, blunders, decisions = list[float](), Counter[str](), Counter[str]()
    for duplicate in range(match.duplicates):
        total = 0.0
        for seat in SEATS:
            watcher: Blunders | None = counter(engine) if counter else None
            # If dice decide who moves first, the seats alternate.
            first = engine.firsts[duplicate % len(engine.firsts)]
            total += score(engine, (one, other), seat, first, f"{match.scenario}/{duplicate}", watcher)
            for name, of in zip(match.pair, (seat, 1 - seat), strict=True):
                for kind, (bad, possible) in watcher.counts(of).items() if watcher else ():
                    blunders[f"{name}: {kind}"] += bad
                    decisions[f"{name}: {kind}"] += possible
        scores.append(total / len(SEATS))
    return Played(tuple(scores), blunders, decisions)


def score(
    engine: Engine[Any, Any],
    players: tuple[Policy, Policy],
    seat: int,
    first: int,
    name: str,
    on_step: StepListener | None = None,
) -> float:
    """Play one game and return the score of the first player: 1 for a win, 0.5 for a draw, 0 for a loss.

    The first player sits at `seat`. `name` determines the dice of each player, whichever seat the player has.
    """
    seated = [
        Seated(player, Rng(str(SEED), f"strength/{name}/mind-{who}"), Rng(str(SEED), f"strength/{name}/luck-{who}"))
        for player, who in zip(players, "AB", strict=True)
    ]
    order = (seated[1], seated[0]) if seat else (seated[0], seated[1])
    winner = play_game(engine, first, order, on_step).winner
    return 0.5 if winner is None else float(winner == seat)


def score_figure(game: str, pair: tuple[str, str], scores: Sequence[float], minimum: float | None) -> Figure:
    """Return the score of a pair's first player and its advantage in Elo points, each with a 95 % interval."""
    tally = Tally(pair, list(scores))
    low, high = tally.interval
    found = (
        f"{tally.rate:.1%} [{low:.1%}, {high:.1%}], Elo {elo(tally.rate)} [{elo(low)}, {elo(high)}], "
        f"{len(scores)} duplicates"
    )
    wanted = "measured" if minimum is None else f"{minimum:.0%} or more"
    return Figure(f"{game}: {pair[0]} against {pair[1]}", found, wanted, minimum is None or tally.rate >= minimum)


def elo(rate: float) -> str:
    """Return the difference in Elo points at which a player is expected to score this rate."""
    if not 0 < rate < 1:
        return "∞" if rate else "-∞"
    return f"{400 * log10(rate / (1 - rate)):+.0f}"


def blunder_figures(game: str, player: str, played: Iterable[Played]) -> Iterator[Figure]:
    """Yield the share of a player's decisions that are blunders, for each kind of blunder."""
    blunders, decisions = Counter[str](), Counter[str]()
    for match in played:
        blunders.update(match.blunders)
        decisions.update(match.decisions)
    for name, count in decisions.items():
        if name.startswith(f"{player}: "):
            share = blunders[name] / count if count else 0.0
            found = f"{share:.1%} ({blunders[name]:,} of {count:,})"
            holds = share <= MAX_BLUNDERS and count > 0
            yield Figure(f"{game}: {name}", found, f"{MAX_BLUNDERS:.0%} or less", holds)


def pace(target: Target, games_played: int = PACED_GAMES) -> Figure:
    """Measure the games per second of CPU time in which two strong players play each other."""
    strong = list(playing_of(target.game).strong.values())
    one, other = strong[0], strong[-1]
    began = 0.0
    for number in range(-games_played // 4, games_played):
        if not number:
            began = time.process_time()
        engine = engine_of(target.game, number % SCENARIOS)
        score(engine, (one, other), number % 2, engine.firsts[0], f"pace/{number}")
    found = games_played / (time.process_time() - began)
    what = f"{target.game}: games per second of {one.id} and {other.id} on one core"
    if target.pace is None:
        return Figure(what, f"{found:.1f}", "measured", True)
    return Figure(what, f"{found:.1f}", f"{target.pace:.0f} or more", found >= NEARLY * target.pace)


def playing_of(game: str) -> Playing[Any]:
    playing = games.load(game).playing
    assert playing, f"{game} has no computer players"
    return playing


def policy_of(game: str, name: str) -> Policy:
    return RANDOM if name == RANDOM.id else playing_of(game).all_policies[name]


@lru_cache(SCENARIOS)  # The matches of the next pair use the same scenarios.
def engine_of(game: str, number: int) -> Engine[Any, Any]:
    """Return the engine of the drawn scenario with this number."""
    options = next((target.options for target in TARGETS if target.game == game), ({},))
    request = Request(code_for(SEED + number), options[number % len(options)], {})
    engine: Engine[Any, Any] = playing_of(game).engine(games.load(game).draw(request))
    return engine


def blunder_counter(game: str) -> Any:
    """Return the class that counts a game's blunders, or None if there is none."""
    name = f"tests.games.{game}.blunders"
    return import_module(name).Blunders if find_spec(name) else None
