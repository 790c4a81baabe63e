"""What a game that can be played by computer players is to the rest of Muster, and one game from begin to end.

A `Playing` is a capability of a `Game`. Its `engine` makes everything of a scenario that play needs, once: tables of
sight, ways and dice, in whole numbers. A state then is a tuple of small numbers that can be copied, compared and
hashed, and nothing in the loop of play looks at the scenario again.

Three things differ from what one might write first, and why:

- Dice are states of their own. A fight may be a throw, a choice whether to throw again, a throw and then a choice
  where to retreat; so a state says who is awaited (`awaits`), a seat or the dice, and `act` and `fall` lead on.
- Dice belong to a seat. In the two games of a pair the players change seats and take their luck along, so that
  whatever luck does is done to both seats; what is left is what the scenario does.
- A policy need not be given the list of moves. Most moves of a good player are found without listing hundreds of
  others; tests hold that what a policy chooses is always among them.
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
"""Added to the seat whose dice are thrown, in what a state awaits."""
MAX_STEPS = 100_000
"""Steps after which a game that does not end is a fault of its engine."""

Strength = Literal["full", "weak"]
STRENGTHS: tuple[Strength, ...] = ("full", "weak")


class Outcome(msgspec.Struct, frozen=True):
    """How a game ended."""

    winner: int | None
    """The seat that won; None for a draw."""
    counted: tuple[int, int]
    """What each seat counts for victory, in the unit of the game's score: banners taken, ATs destroyed."""
    length: int
    """In rounds, both sides' turns together; a round that was begun counts."""


Narrator = Callable[[Any, Any, bool], Sequence[Words]]
"""Given each state, and the move made in it or, where the last is true, the outcome of dice: the lines to print."""


Chances = tuple[int, ...] | bytes
"""Whole numbers, in what can be looked up."""


class Engine(Protocol[State, Move]):
    """A scenario as it is played. Seats are 0 and 1, in the order of the game's sides."""

    @property
    def firsts(self) -> Sequence[int]:
        """The seats that may move first: one where scenario or rules say which, both where dice decide."""

    def begin(self, first: int) -> State:
        """The state that a game begins with when that seat moves first.

        A seat that is none of `firsts` too, so that what moving first is worth can be told apart.
        """

    def to_move(self, state: State) -> int:
        """The seat that decides next, or `DICE` and the seat whose dice fall next. Not asked once it has ended."""

    def moves(self, state: State) -> Sequence[Move]:
        """All lawful decisions of the seat that is awaited, in a fixed order and never none; none where dice are."""

    def act(self, state: State, move: Move) -> State:
        """The state after a lawful decision."""

    def chances(self, state: State) -> Chances:
        """Where dice are awaited, how often each outcome comes, in whole numbers; outcomes are counted from 0."""

    def fall(self, state: State, outcome: int) -> State:
        """The state after dice have fallen so."""

    def ended(self, state: State) -> Outcome | None:
        """How the game has ended; None while it goes on."""

    def write(self, state: State, move: Move) -> str:
        """A decision as a player types it, unlike any other in the same state."""

    def narrator(self) -> Narrator:
        """Somebody who tells one game from its begin on, with headings where a turn begins."""

    def describe(self, state: State) -> Words:
        """How it stands: round, whose turn, what is left, in a line."""

    def view(self, state: State) -> MapView | None:
        """The map with the units where they stand; None where a game draws none."""


Pick = Callable[[Any, Any, Rng], Any]
"""Chooses in a state of an engine one of its moves, with random numbers of its own."""


class Policy(msgspec.Struct, frozen=True):
    """A way to play; docs/players.md says of each what it looks at."""

    id: str
    name: Words
    text: Words
    """What it is after, in a sentence."""
    pick: Pick


class Playing(msgspec.Struct, Generic[S], frozen=True):
    """How a game's scenarios are played."""

    engine: Callable[[S], Engine[Any, Any]]
    """A scenario's engine, made once for any number of games; WrongUsageError where it cannot be played."""
    policies: Mapping[str, Policy]
    """The full-strength policies by id, at least three unlike ones, in the order in which they are told."""
    seats: tuple[Words, Words]
    """What the two seats are called."""
    left_out: tuple[Words, ...] = ()
    """What of the game these players leave out, a sentence each."""
    house: tuple[Words, ...] = ()
    """What is settled for them where the rules say nothing, a sentence each."""
    firsts: Callable[[S], Sequence[int]] | None = None
    """An engine's `firsts`, where they can be told without making one."""
    left: Callable[[Any, Any], Mapping[str, int]] | None = None
    """What is left of every unit by its id, given an engine and a state: figures, or 1, and 0 of whoever was lost."""


class PolicyWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a policy is called, what it is after, and the numbers by which it weighs moves."""

    name: Words
    text: Words
    weights: Mapping[str, int] = {}
    """House."""


class _Players(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    policy: Mapping[str, PolicyWords]
    left_out: tuple[Words, ...] = ()
    house: tuple[Words, ...] = ()
    numbers: Mapping[str, int] = {}
    """What play is bounded by where the rules bound nothing, by name; house."""


@lru_cache(16)  # one for each game
def players(game: str) -> _Players:
    """data/<game>/players.toml as it stands; without players where a game has none of its own."""
    path = shipped_path("data") / game / "players.toml"
    return toml.read(path, _Players) if path.is_file() else _Players({})


def policies(game: str, picks: Mapping[str, Pick]) -> dict[str, Policy]:
    """The policies of a game's players.toml, each with what picks for it; KeyError where they are not the same."""
    texts = players(game).policy
    if texts.keys() != picks.keys():
        raise KeyError(f"stated {sorted(texts)}, coded {sorted(picks)}")
    return {name: Policy(name, of.name, of.text, picks[name]) for name, of in texts.items()}


class _Weak(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    num: int
    den: int


class Terms(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What grade C asks; the file tells what each number is."""

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
        """The duplicates of a pair at most."""
        return self.looks[-1]


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    weak: _Weak
    grade: Terms


numbers = toml.shipped_table("playing.toml", _File)
"""playing.toml as it stands."""


def at_strength(policy: Policy, strength: Strength) -> Policy:
    """The policy at that strength: a weak player takes any lawful move now and then, each as likely as another."""
    if strength == "full":
        return policy
    num, den = numbers().weak.num, numbers().weak.den

    def pick(engine: Engine[Any, Any], state: Any, stream: Rng) -> Any:
        return stream.choice(engine.moves(state)) if stream.chance(num, den) else policy.pick(engine, state, stream)

    return msgspec.structs.replace(policy, pick=pick)


class Seated(msgspec.Struct, frozen=True):
    """A player at a seat: how he plays, and the numbers that he chooses and throws by."""

    policy: Policy
    mind: Rng
    luck: Rng


StepListener = Callable[[Any, Any, bool], object]
"""Hears a state, and the move made in it or, where the last is true, the outcome of dice."""


def play_game(
    engine: Engine[Any, Any], first: int, seated: tuple[Seated, Seated], on_step: StepListener | None = None
) -> Outcome:
    """One game from begin to end."""
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
    """One of the outcomes, as likely as its whole number says."""
    sums = _sums(chances)
    return bisect_right(sums, luck.below(sums[-1]))


@lru_cache(4096)  # what dice of a few games have for chances
def _sums(chances: Chances) -> tuple[int, ...]:
    return tuple(accumulate(chances))
