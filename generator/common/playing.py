"""Games that computer players can play, and the loop that plays one game.

A `Playing` is a capability of a `Game`. Its `engine` computes once everything that play needs from a scenario: tables
of sight, moves and dice, in whole numbers. A state is a tuple of small numbers that can be copied, compared and
hashed; the loop of play never looks at the scenario again.

- Dice are states of their own: a fight may be a roll, a choice whether to re-roll, a roll, and a choice where to
  retreat. A state therefore has a side `to_move`, which is a seat or a seat's dice; `act` and `fall` lead to the next
  state.
- Dice belong to a seat. In the two games of a duplicate the players swap seats and keep their luck, so that luck
  affects both seats equally, and the remaining difference is due to the scenario.
- A policy need not be given the list of moves. A good player's move is usually found without listing hundreds of
  others; tests check that the chosen move is always in the list.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Any, Generic, Literal, Protocol, TypeVar

import msgspec

from generator.model.scenario import Scenario
from generator.model.views import MapView
from generator.model.words import Words
from generator.notation import toml
from generator.seeds import Rng
from generator.store.folders import shipped_path

S = TypeVar("S", bound=Scenario)
State = TypeVar("State", bound=Hashable)
Move = TypeVar("Move", bound=Hashable)

SEATS = (0, 1)
DICE = 2
"""Added to a seat in `Engine.to_move`: the dice of that seat are rolled next."""
MAX_STEPS = 100_000
"""A game with more steps than this indicates a fault of its engine."""

Strength = Literal["full", "weak"]
STRENGTHS: tuple[Strength, ...] = ("full", "weak")


class Outcome(msgspec.Struct, frozen=True):
    """The result of a game."""

    winner: int | None
    """The seat that won; None for a draw."""
    counted: tuple[int, int]
    """Each seat's count for victory, in the unit of the game's score: banners taken, ATs destroyed."""
    length: int
    """The length in rounds of both sides' turns; an unfinished round counts as one."""


Narrator = Callable[[Any, Any, bool], Sequence[Words]]
"""A function that returns the lines for a state and a move, or a dice outcome if the last argument is true."""


Chances = tuple[int, ...] | bytes
"""Whole-number weights of the outcomes of dice, in a hashable sequence."""


class Engine(Protocol[State, Move]):
    """A scenario as it is played. Seats are 0 and 1, in the order of the game's sides."""

    @property
    def firsts(self) -> Sequence[int]:
        """The seats that may move first: one if scenario or rules determine it, both if dice decide."""

    def begin(self, first: int) -> State:
        """Return the state at the start of a game in which that seat moves first.

        The seat may be one that is not in `firsts`, so that the value of moving first can be measured.
        """

    def to_move(self, state: State) -> int:
        """Return the seat that decides next, or `DICE` plus the seat that rolls next; the game must not be over."""

    def moves(self, state: State) -> Sequence[Move]:
        """Return all legal moves of the seat to move, at least one, in a fixed order; none before a roll of dice."""

    def act(self, state: State, move: Move) -> State:
        """Return the state after a legal move."""

    def chances(self, state: State) -> Chances:
        """Return the weight of each outcome of the next roll, in whole numbers; outcomes are counted from 0."""

    def fall(self, state: State, outcome: int) -> State:
        """Return the state after this outcome of the dice."""

    def ended(self, state: State) -> Outcome | None:
        """Return the result of the game; None if it is not over."""

    def write(self, state: State, move: Move) -> str:
        """Return a move as a player types it; no two moves in the same state look alike."""

    def narrator(self) -> Narrator:
        """Return a function that describes one game from its start, with a heading at each turn."""

    def describe(self, state: State) -> Words:
        """Return the position as one line: the round, the side to move and the units left."""

    def view(self, state: State) -> MapView | None:
        """Return the map with the units on it; None if the game has no map."""


Pick = Callable[[Any, Any, Rng], Any]
"""A function that picks a move, given an engine, a state and the policy's own random numbers."""


class Policy(msgspec.Struct, frozen=True):
    """A way to play; docs/players.md describes what each policy considers."""

    id: str
    name: Words
    text: Words
    """Its aim, in one sentence."""
    pick: Pick


class Playing(msgspec.Struct, Generic[S], frozen=True):
    """How a game's scenarios are played."""

    engine: Callable[[S], Engine[Any, Any]]
    """Return the engine of a scenario, which serves any number of games; raises WrongUsageError if it cannot be
    played."""
    policies: Mapping[str, Policy]
    """At least three different full-strength policies, by id, in the order of reports."""
    seats: tuple[Words, Words]
    """The names of the two seats."""
    left_out: tuple[Words, ...] = ()
    """The parts of the game that these players ignore, one sentence each."""
    house: tuple[Words, ...] = ()
    """The house rulings on questions that the rules leave open, one sentence each."""
    firsts: Callable[[S], Sequence[int]] | None = None
    """Return an engine's `firsts` without making the engine; None if that is not possible."""
    left: Callable[[Any, Any], Mapping[str, int]] | None = None
    """Return the figures left of every unit, by its id, given an engine and a state: 1 for a unit without figures, 0
    for a lost one."""


class PolicyWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A policy's name, its aim, and the weights by which it compares moves."""

    name: Words
    text: Words
    weights: Mapping[str, int] = {}
    """House values."""


class _Players(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    policy: Mapping[str, PolicyWords]
    left_out: tuple[Words, ...] = ()
    house: tuple[Words, ...] = ()
    numbers: Mapping[str, int] = {}
    """House limits of play, by name, for what the rules leave unlimited."""


@lru_cache(16)  # one for each game
def players(game: str) -> _Players:
    """Return the content of data/<game>/players.toml; without players if the game has no such file."""
    path = shipped_path("data") / game / "players.toml"
    return toml.read(path, _Players) if path.is_file() else _Players({})


def policies(game: str, picks: Mapping[str, Pick]) -> dict[str, Policy]:
    """Return the policies of a game's players.toml, each with its function; raises KeyError if the ids differ."""
    texts = players(game).policy
    if texts.keys() != picks.keys():
        raise KeyError(f"stated {sorted(texts)}, coded {sorted(picks)}")
    return {name: Policy(name, of.name, of.text, picks[name]) for name, of in texts.items()}


class _Weak(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    num: int
    den: int


class Terms(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The conditions of grade C; playing.toml describes each number."""

    even: float
    within: float
    looks: tuple[int, ...]
    bounds: tuple[float, ...]
    hopeless: float
    common: float
    apart: float
    hope: float
    weak: int
    moved: int

    @property
    def max_duplicates(self) -> int:
        """The maximum number of duplicates of a pair."""
        return self.looks[-1]


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    weak: _Weak
    grade: Terms


numbers = toml.shipped_table("playing.toml", _File)
"""Returns the content of playing.toml."""


def at_strength(policy: Policy, strength: Strength) -> Policy:
    """Return the policy at a strength: a weak player sometimes makes a random legal move instead."""
    if strength == "full":
        return policy
    num, den = numbers().weak.num, numbers().weak.den

    def pick(engine: Engine[Any, Any], state: Any, stream: Rng) -> Any:
        return stream.choice(engine.moves(state)) if stream.chance(num, den) else policy.pick(engine, state, stream)

    return msgspec.structs.replace(policy, pick=pick)


class Seated(msgspec.Struct, frozen=True):
    """A player at a seat: the policy, and the random numbers for its choices and its dice."""

    policy: Policy
    mind: Rng
    luck: Rng


StepListener = Callable[[Any, Any, bool], object]
"""A function called with each state and the move made, or the dice outcome if the last argument is true."""


def play_game(
    engine: Engine[Any, Any], first: int, seated: tuple[Seated, Seated], on_step: StepListener | None = None
) -> Outcome:
    """Play one game and return its result."""
    state = engine.begin(first)
    ended, to_move, act, fall = engine.ended, engine.to_move, engine.act, engine.fall
    picks, minds = [player.policy.pick for player in seated], [player.mind for player in seated]
    for _ in range(MAX_STEPS):
        if (end := ended(state)) is not None:
            return end
        who = to_move(state)
        if who >= DICE:
            fell = roll_outcome(engine.chances(state), seated[who - DICE].luck)
            if on_step:
                on_step(state, fell, True)
            state = fall(state, fell)
        else:
            move = picks[who](engine, state, minds[who])
            if on_step:
                on_step(state, move, False)
            state = act(state, move)
    raise AssertionError("the game does not end")


def roll_outcome(chances: Chances, luck: Rng) -> int:
    """Return a random outcome; the probability of each is in proportion to its weight."""
    sums = _sums(chances)
    return bisect_right(sums, luck.below(sums[-1]))


@lru_cache(4096)  # the different dice of a few games
def _sums(chances: Chances) -> tuple[int, ...]:
    return tuple(accumulate(chances))
