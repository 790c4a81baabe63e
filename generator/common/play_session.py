"""A game in play between people and computer players, which can be undone, saved and resumed.

A session contains no terminal and no web page. Both can drive it: `advance` plays computer players and dice until a
person has to decide, `choices` lists the legal moves, and `apply` makes one. Each step leaves a frame.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import msgspec

from generator.common.playing import (
    CAPTAIN,
    DICE,
    MAX_STEPS,
    SEATS,
    Engine,
    Level,
    Narrator,
    Outcome,
    Playing,
    Policy,
    at_level,
    roll_outcome,
)
from generator.common.presenter import Choice, Event, Face, HandCard, Presenter, UnitNow
from generator.errors import NotInOrderError, WrongUsageError, near
from generator.localization import tr
from generator.model.words import Lang, Words
from generator.seeds import Rng

FORMAT = 1
"""The format of saved games. It is increased when older versions of Muster could not read a saved game."""
PERSON = "person"
"""The name of a person at a seat, in place of the id of a computer player."""
PATH = "v1/play/free"
"""The path of the random numbers of a session, which are those of `muster play` without a person."""
ENDS = ("end", "done", "pass", "終了", "終わり")
"""The words that a player can type for the move that ends a part of the turn."""


class Seat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who plays a side: a person, or a computer player at a level."""

    player: str = PERSON
    """`person`, the id of a computer player, or an empty string for the usual player of the level."""
    level: Level = "casual"

    @property
    def is_person(self) -> bool:
        """Whether a person plays this side."""
        return self.player == PERSON


class SavedStep(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A step of a saved game: a move in notation, or the outcome of a roll with its faces."""

    seat: int
    move: str | None = None
    outcome: int | None = None
    dice: tuple[Face, ...] = ()
    """The faces of the dice, for people who read the file. The outcome determines the game."""
    entered: bool = False
    """Whether a person entered the dice, so that they are not those of the session's code."""


class SavedScenario(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The scenario of a saved game."""

    sha256: str
    """The first 16 digits of the SHA-256 of the scenario, by which a changed scenario is recognized."""
    text: str = ""
    """The text of the scenario file, so that the game can be resumed without it."""
    folder: str = ""
    """The folder of the user's own files that the scenario needs; empty if it is the folder of the saved game."""


class SavedGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A saved game, as docs/json.md describes it."""

    format: int
    game: str
    scenario: SavedScenario
    code: str
    """The code of the random numbers."""
    seats: tuple[Seat, Seat]
    first: int
    """The seat that moves first."""
    steps: tuple[SavedStep, ...]
    over: bool = False
    """Whether the game has ended."""
    seal: str = ""
    """The mark by which Muster recognizes a file that it wrote."""


class Hint(msgspec.Struct, frozen=True):
    """A recommended move with the reasons for it."""

    move: Choice
    reasons: tuple[Words, ...]


class Frame(msgspec.Struct, frozen=True):
    """One step of a game as a viewer sees it, with what it changed."""

    number: int
    """The number of the step, counted from 1. Frame 0 is the position before the first step."""
    turn: int
    """The number of the round."""
    seat: int | None
    """The seat that decided or rolled; None in frame 0."""
    mover: int | None
    """The seat whose turn it is; None if the game is over."""
    event: Event
    move: str
    """The move in notation, or an empty string for a roll."""
    dice: tuple[Face, ...]
    """The faces of the dice that were rolled."""
    moved: Mapping[str, str]
    """The new places of the units that moved, keyed by unit id. Frame 0 has the places of all units."""
    left: Mapping[str, int]
    """The new numbers of figures or hit points, keyed by unit id. Frame 0 has the numbers of all units."""
    score: tuple[int, int]
    text: tuple[Words, ...]
    """The sentences about the step."""


class _Step(msgspec.Struct, frozen=True):
    """A step with the state before it."""

    state: Any
    who: int
    """The seat that decides, or `DICE` plus the seat that rolls, as in `Engine.to_move`."""
    what: Any
    dice: tuple[Face, ...]
    entered: bool

    @property
    def fell(self) -> bool:
        """Whether the step is the outcome of dice or of a card draw."""
        return self.who >= DICE


class PlaySession:
    """A game from its first move on."""

    def __init__(
        self, playing: Playing[Any], scenario: Any, seats: tuple[Seat, Seat], code: str, first: int | None = None
    ) -> None:
        """Begin a game. `code` determines the dice; by default it also determines the seat that moves first.

        Raises:
            WrongUsageError: If the scenario cannot be played, or there is no such computer player.
        """
        self.playing, self.scenario, self.seats, self.code = playing, scenario, seats, code
        self.engine: Engine[Any, Any] = playing.engine(scenario)
        self.presenter: Presenter = (playing.presenter or Presenter)(self.engine)
        self.policies: tuple[Policy | None, ...] = tuple(
            None if of.is_person else _policy(playing, of, seat) for seat, of in enumerate(seats)
        )
        self._minds = [Rng(code, f"{PATH}/mind-{seat}") for seat in SEATS]
        self._luck = [Rng(code, f"{PATH}/luck-{seat}") for seat in SEATS]
        firsts = self.engine.firsts
        self.first = firsts[Rng(code, f"{PATH}/first").below(len(firsts))] if first is None else first
        self.state: Any = self.engine.begin(self.first)
        self._start = self.state
        self._steps: list[_Step] = []
        self._story: list[tuple[Words, ...]] = []
        self._log: list[tuple[Words, ...]] = []
        self._restart_narrators()

    def _restart_narrators(self) -> None:
        """Describe the steps until now again, because a narrator cannot go back."""
        self._tellers: tuple[Narrator, Narrator] = self.presenter.narrator(), self.engine.narrator()
        self._story.clear()
        self._log.clear()
        for step in self._steps:
            self._describe(step)

    def _describe(self, step: _Step) -> None:
        for teller, lines in zip(self._tellers, (self._story, self._log), strict=True):
            lines.append(tuple(teller(step.state, step.what, step.fell)))

    # The position

    @property
    def outcome(self) -> Outcome | None:
        """The result, or None while the game goes on."""
        return self.engine.ended(self.state)

    @property
    def to_move(self) -> int | None:
        """The seat that decides next, or None if dice are rolled next or the game is over."""
        if self.outcome:
            return None
        who = self.engine.to_move(self.state)
        return who if who < DICE else None

    @property
    def waits_for_dice(self) -> bool:
        """Whether dice are rolled next, which a person may do at the table. Card draws do not count."""
        return not self.outcome and self.engine.to_move(self.state) >= DICE and self.presenter.is_roll(self.state)

    @property
    def waits_for_person(self) -> bool:
        """Whether a person decides next."""
        return self.to_move is not None and self.policies[self.to_move] is None

    @property
    def round(self) -> int:
        """The number of the round, counted from 1."""
        return self.presenter.round(self.state)

    @property
    def mover(self) -> int | None:
        """The seat whose turn it is, or None if the game is over."""
        return None if self.outcome else self.presenter.mover(self.state)

    @property
    def step_count(self) -> int:
        """The number of steps until now."""
        return len(self._steps)

    def state_after(self, count: int) -> Any:
        """Return the state after a number of steps, from 0 to `step_count`."""
        return self.state if count == len(self._steps) else self._steps[count].state

    def units(self) -> Sequence[UnitNow]:
        """Return all units of both sides."""
        return self.presenter.units(self.state)

    def score(self) -> tuple[int, int]:
        """Return the victory count of each side."""
        return self.presenter.score(self.state)

    def hand(self, seat: int) -> Sequence[HandCard]:
        """Return the cards that a side holds. Show them only to the player of that side."""
        return self.presenter.hand(self.state, seat)

    def question(self) -> Words:
        """Return what the side to move has to decide, and what to type."""
        return _mapped(self.presenter.question(self.state), lambda text: text.replace(" |", "").replace("|", ""))

    def decision(self) -> Words:
        """Return what the side to move has to decide, for players who do not type."""
        return _mapped(self.presenter.question(self.state), lambda text: text.partition("|")[0].strip())

    def choices(self) -> list[Choice]:
        """Return the legal moves of the side to move, in the fixed order of the engine."""
        return [self.presenter.choice(self.state, move) for move in self._moves()]

    def choices_on_board(self) -> Iterator[tuple[Choice, Event, Fraction | float | None]]:
        """Yield the legal moves with the units and places that they concern, and the chances of attacks."""
        for move in self._moves():
            event, chance = self.presenter.event(self.state, move, False), self.presenter.chance(self.state, move)
            yield self.presenter.choice(self.state, move), event, chance

    def _moves(self) -> Sequence[Any]:
        return () if self.to_move is None else self.engine.moves(self.state)

    # Steps

    def find_move(self, text: str) -> str | None:
        """Return the notation of the legal move that a text means, or None if it means none or several.

        Upper and lower case, punctuation and full-width characters make no difference if only one move is meant.
        """
        moves = list(self._moves())
        written = [self.engine.write(self.state, move) for move in moves]
        plain = unicodedata.normalize("NFKC", text).strip()
        if plain in written:
            return plain
        if plain.casefold() in ENDS:
            ends = [name for name, move in zip(written, moves, strict=True) if self._ends(move)]
            return ends[0] if len(ends) == 1 else None
        plain = folded(plain)
        for forms in (written, None) if plain else ():
            found = []
            for name, move in zip(written, moves, strict=True):
                names = (name,) if forms else self.presenter.aliases(self.state, move)
                if plain in map(folded, names):
                    found.append((name, self.engine.act(self.state, move)))
            # Moves with the same result, such as two ways to the same hex, need not be told apart.
            if found and all(after == found[0][1] for _, after in found):
                return found[0][0]
        return None

    def _ends(self, move: Any) -> bool:
        return self.presenter.choice(self.state, move).ends

    def near_move(self, text: str) -> str:
        """Return the notation of the legal move that is most similar to a text, or an empty string."""
        from difflib import get_close_matches  # Only typos need it.

        known = {folded(name): name for name in (self.engine.write(self.state, move) for move in self._moves())}
        plain = folded(text)
        # A move of the same unit is more likely to be meant than one of another unit.
        first = plain.split(" ")[0]
        same_unit = [name for name in known if name.split(" ")[0] == first]
        if not same_unit and first in {unit.id.casefold() for unit in self.units()}:
            return ""
        close = get_close_matches(plain, same_unit or known, n=1, cutoff=0.5)
        return known[close[0]] if close else ""

    def apply(self, notation: str) -> None:
        """Make a legal move of the side to move.

        Raises:
            WrongUsageError: If no side decides now, or the move is not legal.
        """
        for move in self._moves():
            if self.engine.write(self.state, move) == notation:
                self._add(move)
                return
        raise WrongUsageError(tr("this move is not possible here: {move}", move=notation[:40]))

    def _add(self, what: Any, dice: tuple[Face, ...] = (), entered: bool = False) -> None:
        step = _Step(self.state, self.engine.to_move(self.state), what, dice, entered)
        self._steps.append(step)
        self._describe(step)
        advance = self.engine.fall if step.fell else self.engine.act
        self.state = advance(self.state, what)
        if len(self._steps) > MAX_STEPS:
            raise AssertionError("the game does not end")

    def roll(self, faces: Sequence[Face] = ()) -> None:
        """Roll the dice that are next, or take the faces that were rolled at a table.

        Raises:
            WrongUsageError: If no dice are rolled next, or they cannot show these faces.
        """
        who = DICE if self.outcome else self.engine.to_move(self.state)
        if self.outcome or who < DICE:
            raise WrongUsageError(tr("no dice are rolled now"))
        if faces:
            outcome = self.presenter.outcome(self.state, faces)
            if outcome is None or not self.engine.chances(self.state)[outcome]:
                raise WrongUsageError(tr("these dice cannot be rolled here: {dice}", dice=" ".join(map(str, faces))))
            self._add(outcome, tuple(faces), entered=True)
            return
        outcome = roll_outcome(self.engine.chances(self.state), self._luck[who - DICE])
        self._add(outcome, self._faces(outcome))

    def _faces(self, outcome: int) -> tuple[Face, ...]:
        """Return the faces of the dice of the next step. They have their own random numbers at each step."""
        return tuple(self.presenter.faces(self.state, outcome, Rng(self.code, f"{PATH}/faces-{len(self._steps)}")))

    def advance(self) -> bool:
        """Make the next step of a computer player or of dice.

        Returns whether there was one: False if a person has to decide or the game is over.
        """
        if self.outcome or self.waits_for_person:
            return False
        who = self.engine.to_move(self.state)
        if who >= DICE:
            self.roll()
            return True
        policy = self.policies[who]
        assert policy, "a person decides"
        self._add(policy.pick(self.engine, self.state, self._minds[who]))
        return True

    def record(self, state: Any, what: Any) -> None:
        """Add a step that another loop has played, such as the one of grade C, with the state before it."""
        if not self._steps:
            self.state = self._start = state
        fell = self.engine.to_move(state) >= DICE
        self._add(what, self._faces(what) if fell else ())

    @property
    def undoable(self) -> bool:
        """Whether the latest step is a decision of a person, after which nothing was rolled, drawn or answered."""
        return bool(self._steps) and not self._steps[-1].fell and self.policies[self._steps[-1].who] is None

    def undo(self) -> None:
        """Take back the latest decision of a person.

        Raises:
            WrongUsageError: If no person has made a decision, or the latest step is a roll, a card draw, or a move
                of a computer player.
        """
        if not any(self.policies[step.who % DICE] is None and not step.fell for step in self._steps):
            raise WrongUsageError(tr("there is no move of yours to take back"))
        if not self.undoable:
            raise WrongUsageError(tr("nothing can be taken back after dice, a drawn card or a move of the opponent"))
        self.state = self._steps.pop().state
        self._restart_narrators()

    # Advice

    def hint(self) -> Hint:
        """Return the move that the strongest computer player makes, with its reasons. It sees only its own hand.

        Raises:
            WrongUsageError: If no side decides now.
        """
        if self.to_move is None:
            raise WrongUsageError(tr("no move is possible now"))
        policy = self.playing.strong.get(CAPTAIN) or next(iter(self.playing.policies.values()))
        # The path does not depend on the number of hints, so that a hint can be repeated.
        move = policy.pick(self.engine, self.state, Rng(self.code, f"{PATH}/hint-{self._turn_start()}"))
        return Hint(self.presenter.choice(self.state, move), tuple(self.presenter.reason(self.state, move)))

    def _turn_start(self) -> int:
        """Return the number of steps before the present turn."""
        count, mover = len(self._steps), self.presenter.mover(self.state)
        while count and self.presenter.mover(self._steps[count - 1].state) == mover:
            count -= 1
        return count

    def odds(self, unit: str, target: str) -> Sequence[Words]:
        """Return the odds of an attack of a unit on another in the present position, in sentences.

        Raises:
            WrongUsageError: If there is no such unit, or the attack is impossible.
        """
        return self.presenter.odds(self.state, unit, target)

    # Frames and texts

    def frames(self, viewer: int | Sequence[int] | None = None, start: int = 0) -> Iterator[Frame]:
        """Yield the frames of the game until now, as the player of a seat sees them, or with everything.

        If `viewer` is both seats, the frames show only what both players may see. `start` is the number of the
        first frame.
        """
        viewers = () if viewer is None else (viewer,) if isinstance(viewer, int) else viewer
        units = self.presenter.units(self.state_after(max(0, start - 1)))
        places, left = {unit.id: unit.place for unit in units}, {unit.id: unit.left for unit in units}
        if start == 0:
            yield self._first_frame(places, left)
        for number, step in enumerate(self._steps[max(0, start - 1) :], max(1, start)):
            yield self._frame(number, step, viewers, places, left)

    def _first_frame(self, places: Mapping[str, str], left: Mapping[str, int]) -> Frame:
        """Return the position before the first step."""
        return Frame(
            0,
            self.presenter.round(self._start),
            None,
            self.presenter.mover(self._start),
            Event("start"),
            "",
            (),
            dict(places),
            dict(left),
            self.presenter.score(self._start),
            (),
        )

    def _frame(
        self, number: int, step: _Step, viewers: Sequence[int], places: dict[str, str], left: dict[str, int]
    ) -> Frame:
        """Return the frame of a step, and update the places and numbers of the units."""
        after = self._steps[number].state if number < len(self._steps) else self.state
        moved, changed = dict[str, str](), dict[str, int]()
        for unit in self.presenter.units(after):
            if places.get(unit.id, "") != unit.place:
                moved[unit.id] = places[unit.id] = unit.place
            if left.get(unit.id, 0) != unit.left:
                changed[unit.id] = left[unit.id] = unit.left
        hidden = any(self.presenter.is_secret(step.state, step.what, step.fell, viewer) for viewer in viewers)
        event = self.presenter.event(step.state, step.what, step.fell)
        return Frame(
            number,
            self.presenter.round(step.state),
            step.who % DICE,
            self.presenter.mover(step.state),
            Event(event.kind) if hidden else event,
            "" if step.fell else self.engine.write(step.state, step.what),
            () if hidden else step.dice,
            moved,
            changed,
            self.presenter.score(after),
            () if hidden else self._story[number - 1],
        )

    def steps(self) -> Iterator[tuple[int, bool, Any]]:
        """Yield each step as its seat, whether it is the outcome of dice, and its notation or outcome."""
        for step in self._steps:
            written = step.what if step.fell else self.engine.write(step.state, step.what)
            yield step.who % DICE, step.fell, written

    def story(self, start: int = 0) -> list[tuple[tuple[Words, ...], tuple[Face, ...], str]]:
        """Return the sentences, the dice and the id of the acting unit of each step from the given one on."""
        return [
            (lines, step.dice, self.presenter.event(step.state, step.what, step.fell).unit)
            for lines, step in zip(self._story[start:], self._steps[start:], strict=True)
        ]

    def echo(self) -> Words | None:
        """Return a sentence about the latest decision for the player who made it, or None if `story` describes it."""
        step = self._steps[-1]
        return self.presenter.echo(step.state, step.what)

    def log(self) -> list[Words]:
        """Return the log of the game in the notation of its game."""
        return [line for lines in self._log for line in lines]

    # Saved games

    def save(self, scenario: SavedScenario, game: str) -> SavedGame:
        """Return the game as it can be stored and resumed."""
        steps = tuple(
            SavedStep(step.who - DICE, None, step.what, step.dice, step.entered)
            if step.fell
            else SavedStep(step.who, self.engine.write(step.state, step.what))
            for step in self._steps
        )
        return SavedGame(FORMAT, game, scenario, self.code, self.seats, self.first, steps, bool(self.outcome))

    @classmethod
    def load(cls, playing: Playing[Any], scenario: Any, saved: SavedGame) -> PlaySession:
        """Return a saved game as a session that goes on exactly, also in its dice.

        Raises:
            NotInOrderError: If a step is not possible, for example because the scenario was changed.
        """
        if saved.first not in SEATS:
            raise NotInOrderError(tr("the seat that moves first must be 0 or 1 in a saved game"))
        session = cls(playing, scenario, saved.seats, saved.code, saved.first)
        for number, step in enumerate(saved.steps, 1):
            if not session._replay(step):
                raise NotInOrderError(
                    tr("step {number} of the saved game is not possible in this scenario", number=number)
                )
        return session

    def _replay(self, step: SavedStep) -> bool:
        """Repeat a saved step, and use up the random numbers that it used. Return whether it was possible."""
        who = None if self.outcome else self.engine.to_move(self.state)
        if step.outcome is not None:
            if who != DICE + step.seat:
                return False
            chances = self.engine.chances(self.state)
            if not 0 <= step.outcome < len(chances) or not chances[step.outcome]:
                return False
            if not step.entered:
                roll_outcome(chances, self._luck[step.seat])
            self._add(step.outcome, step.dice, step.entered)
            return True
        if who != step.seat:
            return False
        policy = self.policies[who]
        if policy and not policy.by_state:
            # The player may keep a plan, and its next decisions depend on the random numbers that it used.
            policy.pick(self.engine, self.state, self._minds[who])
        for move in self._moves():
            if self.engine.write(self.state, move) == step.move:
                self._add(move)
                return True
        return False


def frame_values(frame: Frame, lang: Lang) -> dict[str, object]:
    """Return a frame as plain values for JSON (docs/json.md)."""
    event = frame.event
    return {
        "number": frame.number,
        "turn": frame.turn,
        "seat": frame.seat,
        "mover": frame.mover,
        "event": {
            "kind": event.kind,
            "unit": event.unit,
            "from": event.start,
            "to": event.end,
            "targets": list(event.targets),
            "what": event.what,
        },
        "move": frame.move,
        "dice": list(frame.dice),
        "moved": dict(frame.moved),
        "left": dict(frame.left),
        "score": list(frame.score),
        "text": [line[lang] for line in frame.text],
    }


def unit_values(units: Sequence[UnitNow], lang: Lang) -> list[dict[str, object]]:
    """Return the units of a game as plain values for JSON (docs/json.md)."""
    return [{"id": unit.id, "seat": unit.seat, "kind": unit.kind[lang], "total": unit.total} for unit in units]


def folded(text: str) -> str:
    """Return a move without punctuation and case, so that `#1: R / 5 / 0712` equals `1 r 5 0712`."""
    plain = unicodedata.normalize("NFKC", text).casefold().replace("_", " ")
    return " ".join(re.findall(r"\w+", plain))


def _mapped(words: Words, change: Callable[[str], str]) -> Words:
    return Words(change(words.en), change(words.ja))


def _policy(playing: Playing[Any], seat: Seat, number: int) -> Policy:
    """Return the policy of a computer player at a seat.

    Raises:
        WrongUsageError: If there is no such player.
    """
    if seat.player and seat.player not in playing.all_policies:
        raise WrongUsageError(
            tr("--players: there is no player named {name!r}", name=seat.player[:40]),
            hint=near(seat.player[:40], playing.all_policies),
        )
    return at_level(playing, seat.level, number, seat.player)


def encode(saved: SavedGame) -> bytes:
    """Return a saved game as JSON, with one step on each line."""
    head = msgspec.to_builtins(saved)
    del head["seal"]
    steps = [msgspec.json.encode(step).decode() for step in saved.steps]
    rows = [f'  "{key}": {msgspec.json.encode(value).decode()}' for key, value in head.items() if key != "steps"]
    rows.append(
        '  "steps": [\n' + ",\n".join(f"    {step}" for step in steps) + "\n  ]" if steps else '  "steps": []'
    )
    return ("{\n" + ",\n".join(rows) + "\n}\n").encode()


def decode(content: bytes) -> SavedGame:
    """Return a saved game from its JSON.

    Raises:
        NotInOrderError: If the content is not a saved game, or a later version of Muster wrote it.
    """
    try:
        version = msgspec.json.decode(content, type=dict[str, Any]).get("format")
        if isinstance(version, int) and version > FORMAT:
            raise NotInOrderError(
                tr("this saved game has format {format}, which this version of Muster cannot read", format=version)
            )
        return msgspec.json.decode(content, type=SavedGame)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise NotInOrderError(
            tr("this file is not a saved game, or it is damaged"),
            hint=tr("use a copy of the file, or begin a new game with muster play SCENARIO --me SIDE"),
        ) from error
