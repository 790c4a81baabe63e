"""The interface of games that computer players can play, and the loop that plays one game.

An engine computes everything that play needs from a scenario once, such as tables of sight, moves and dice. The
loop of play never reads the scenario again.
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
"""Added to a seat in the result of `Engine.to_move` if the dice of the seat are rolled next."""
MAX_STEPS = 100_000
"""The maximum number of steps of a game. More steps indicate a fault of the engine."""

Strength = Literal["full", "weak"]
STRENGTHS: tuple[Strength, ...] = ("full", "weak")
Level = Literal["weak", "casual", "club", "strong"]
LEVELS: tuple[Level, ...] = ("weak", "casual", "club", "strong")
"""The levels of opponents. docs/players.md describes them."""
CAPTAIN = "captain"
"""The id of the strong player of every game."""


class Outcome(msgspec.Struct, frozen=True):
    """The result of one game."""

    winner: int | None
    """The seat that won, or None for a draw."""
    counted: tuple[int, int]
    """The victory count of each seat, in the unit of the game's score, such as banners taken or ATs destroyed."""
    length: int
    """The length in rounds, each with one turn of both sides. An unfinished round counts as a whole round."""


Narrator = Callable[[Any, Any, bool], Sequence[Words]]
"""A function that returns the lines for a state and a move. If the last argument is true, the move is the outcome of
dice.
"""


Chances = tuple[int, ...] | bytes
"""The weights of the outcomes of dice, as a hashable sequence of whole numbers."""


class Engine(Protocol[State, Move]):
    """The rules of a scenario for computer players.

    Seats are 0 and 1, in the order of the game's sides. A state is a tuple of small whole numbers that can be
    copied, compared and hashed. Rolls of dice are separate states. A fight, for example, is a roll, a choice
    whether to re-roll, another roll, and a choice of the retreat.
    """

    @property
    def firsts(self) -> Sequence[int]:
        """The seats that may move first: one seat if the scenario or the rules fix it, both seats if dice decide."""

    def begin(self, first: int) -> State:
        """Return the state at the start of a game in which the seat `first` moves first.

        The seat need not be in `firsts`. This makes it possible to measure the value of moving first.
        """

    def to_move(self, state: State) -> int:
        """Return the seat that decides next, or `DICE` plus the seat whose dice are rolled next.

        The game must not be over.
        """

    def moves(self, state: State) -> Sequence[Move]:
        """Return all legal moves of the seat to move, in a fixed order.

        There is at least one move, unless dice are rolled next.
        """

    def act(self, state: State, move: Move) -> State:
        """Return the state after a legal move."""

    def chances(self, state: State) -> Chances:
        """Return the weight of each outcome of the next roll. Outcomes are numbered from 0."""

    def fall(self, state: State, outcome: int) -> State:
        """Return the state after an outcome of the dice."""

    def ended(self, state: State) -> Outcome | None:
        """Return the result of the game, or None if it is not over."""

    def write(self, state: State, move: Move) -> str:
        """Return a move as a player enters it. Each move of a state has a different notation."""

    def narrator(self) -> Narrator:
        """Return a function that describes one game from its start, with a heading for each turn."""

    def describe(self, state: State) -> Words:
        """Return the position as one line with the round, the side to move and the units left."""

    def view(self, state: State) -> MapView | None:
        """Return the map with the units on it, or None if the game has no map."""


Pick = Callable[[Any, Any, Rng], Any]
"""A function that selects a move, given an engine, a state and the policy's own random numbers."""


class Policy(msgspec.Struct, frozen=True):
    """A policy of a computer player. docs/players.md describes what each policy considers.

    A policy does not receive the list of moves, because it can usually find a good move without generating
    hundreds of others. Tests check that each chosen move is in the list.
    """

    id: str
    name: Words
    text: Words
    """The aim of the policy, in one sentence."""
    pick: Pick
    never_random: Callable[[Any], bool] | None = None
    """Return whether a weak player decides in a state as a full-strength one does. None if in no state."""
    by_state: bool = False
    """Whether each decision depends only on the state, and on no random numbers."""


class Playing(msgspec.Struct, Generic[S], frozen=True):
    """The engine, the policies and the texts with which computer players play a game."""

    engine: Callable[[S], Engine[Any, Any]]
    """Return the engine of a scenario, which can be used for any number of games.

    Raises:
        WrongUsageError: If the scenario cannot be played.
    """
    policies: Mapping[str, Policy]
    """The policies keyed by id, in the order of reports. There are at least three different ones of full strength."""
    seats: tuple[Words, Words]
    """The names of the two seats."""
    left_out: tuple[Words, ...] = ()
    """The parts of the game that the computer players ignore, one sentence each."""
    house: tuple[Words, ...] = ()
    """The house rulings on questions that the rules do not answer, one sentence each."""
    firsts: Callable[[S], Sequence[int]] | None = None
    """Return the `firsts` of a scenario's engine without making the engine. None if that is not possible."""
    left: Callable[[Any, Any], Mapping[str, int]] | None = None
    """Return the figures left of every unit, keyed by unit id, given an engine and a state.

    The number is 1 for a unit without figures and 0 for a lost unit.
    """
    strong: Mapping[str, Policy] = {}
    """The strong policies keyed by id, the captain first. Grade C also requires even games between two of them."""
    searching: Policy | None = None
    """The captain with a search or rollouts, if there is one. It plays at the level `strong`."""
    presenter: Callable[[Any], Any] | None = None
    """Return the `Presenter` of an engine. None if the game has no descriptions of its own."""

    @property
    def all_policies(self) -> dict[str, Policy]:
        """All policies keyed by id, the strong ones last."""
        return {**self.policies, **self.strong}


class PolicyWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The name and the aim of a policy, and the weights that it uses to compare moves."""

    name: Words
    text: Words
    weights: Mapping[str, int] = {}
    """The weights, keyed by name. They are house values."""


class _Players(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    policy: Mapping[str, PolicyWords]
    strong: Mapping[str, PolicyWords] = {}
    left_out: tuple[Words, ...] = ()
    house: tuple[Words, ...] = ()
    numbers: Mapping[str, int] = {}
    """Limits on play that Muster adds to the rules, keyed by name."""


@lru_cache(16)  # One entry per game.
def players(game: str) -> _Players:
    """Return the content of data/<game>/players.toml, or an empty table if the game has no such file."""
    path = shipped_path("data") / game / "players.toml"
    return toml.read(path, _Players) if path.is_file() else _Players({})


def policies(game: str, picks: Mapping[str, Pick]) -> dict[str, Policy]:
    """Return the policies of a game's players.toml, each with its function from `picks`.

    Raises:
        KeyError: If the ids in the file and in `picks` differ.
    """
    return _with_texts(players(game).policy, picks)


def strong_policies(game: str, picks: Mapping[str, Pick]) -> dict[str, Policy]:
    """Return the strong policies of a game's players.toml, each with its function from `picks`.

    Raises:
        KeyError: If the ids in the file and in `picks` differ.
    """
    return _with_texts(players(game).strong, picks)


def _with_texts(texts: Mapping[str, PolicyWords], picks: Mapping[str, Pick]) -> dict[str, Policy]:
    if texts.keys() != picks.keys():
        raise KeyError(f"stated {sorted(texts)}, coded {sorted(picks)}")
    return {name: Policy(name, of.name, of.text, picks[name]) for name, of in texts.items()}


class _Weak(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    num: int
    den: int


class Terms(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The conditions of grade C for a pair of policies. The file playing.toml describes each number."""

    even: float
    within: float
    looks: tuple[int, ...]
    bounds: tuple[float, ...]
    hopeless: float
    common: float
    apart: float
    hope: float

    @property
    def max_duplicates(self) -> int:
        """The maximum number of duplicates for a pair of policies."""
        return self.looks[-1]


class CasualTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The conditions for casual policies, and the games that do not count for the grade."""

    weak: int
    moved: int


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    weak: _Weak
    test: int
    grade: CasualTerms
    strong: Terms
    self_play: Terms


numbers = toml.shipped_table("playing.toml", _File)
"""A function that returns the content of playing.toml."""


def at_strength(policy: Policy, strength: Strength) -> Policy:
    """Return the policy at this strength. A weak player sometimes makes a random legal move instead."""
    if strength == "full":
        return policy
    num, den = numbers().weak.num, numbers().weak.den
    never_random = policy.never_random

    def pick(engine: Engine[Any, Any], state: Any, stream: Rng) -> Any:
        if never_random and never_random(state):
            return policy.pick(engine, state, stream)
        return stream.choice(engine.moves(state)) if stream.chance(num, den) else policy.pick(engine, state, stream)

    return msgspec.structs.replace(policy, pick=pick, by_state=False)


def at_level(playing: Playing[Any], level: Level, seat: int, name: str = "") -> Policy:
    """Return the policy that plays a seat at a level, or the named policy, made weak if the level requires it.

    Without a name, the weak and the casual level have the simple policy of the seat. The club and the strong level
    have the captain, the latter with its search if there is one. A game without a captain has the simple policies.
    """
    if name:
        return at_strength(playing.all_policies[name], "weak" if level == "weak" else "full")
    if level == "strong" and playing.searching:
        return playing.searching
    if level in ("club", "strong") and CAPTAIN in playing.strong:
        return playing.strong[CAPTAIN]
    return at_strength(
        list(playing.policies.values())[seat % len(playing.policies)], "weak" if level == "weak" else "full"
    )


class Seated(msgspec.Struct, frozen=True):
    """A player at a seat, with a policy and separate random numbers for choices and for dice.

    In the two games of a duplicate, the players swap seats and keep their random numbers. Luck then affects both
    seats equally, and the remaining difference is due to the scenario.
    """

    policy: Policy
    mind: Rng
    luck: Rng


StepListener = Callable[[Any, Any, bool], object]
"""A function that is called with each state and move. If the last argument is true, the move is the outcome of dice.
"""


def play_game(
    engine: Engine[Any, Any], first: int, seated: tuple[Seated, Seated], on_step: StepListener | None = None
) -> Outcome:
    """Play one game and return its result. `on_step`, if given, is called with each step."""
    return finish_game(engine, engine.begin(first), seated, on_step)


def finish_game(
    engine: Engine[Any, Any], state: Any, seated: tuple[Seated, Seated], on_step: StepListener | None = None
) -> Outcome:
    """Play a game from a state to its end, as `play_game` does."""
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
    """Return a random outcome of dice. The probability of each outcome is proportional to its weight."""
    sums = _sums(chances)
    return bisect_right(sums, luck.below(sums[-1]))


@lru_cache(4096)  # Enough for the different dice of several games.
def _sums(chances: Chances) -> tuple[int, ...]:
    return tuple(accumulate(chances))
