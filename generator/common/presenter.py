"""Describe a game in play to the people at the table: units, scores, hands, moves, dice and odds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import msgspec

from generator.common.playing import DICE, Engine, Narrator
from generator.errors import WrongUsageError
from generator.localization import tr
from generator.model.words import Words, same
from generator.seeds import Rng

Face = int | str
"""The face of a die: a number, or the key of a symbol in `Presenter.face_names`."""


class UnitNow(msgspec.Struct, frozen=True):
    """A unit at one moment of a game."""

    id: str
    seat: int
    kind: Words
    """The kind of the unit, in the form used within a sentence."""
    place: str
    """The name of its cell, or of its box if the game has no map; empty if the unit is not on the board."""
    left: int
    """The figures, hit points or units left; 0 if the unit is lost."""
    total: int
    """The figures, hit points or units at the start."""
    note: str = ""
    """One character for a state that the board shows after the id, or an empty string."""


class HandCard(msgspec.Struct, frozen=True):
    """The cards of one kind in a hand."""

    id: str
    name: Words
    text: Words
    count: int


class Event(msgspec.Struct, frozen=True):
    """The parties of a step, as data for pictures and programs. docs/json.md lists the kinds of each game."""

    kind: str
    unit: str = ""
    """The id of the unit that acts or rolls, or an empty string."""
    start: str = ""
    """The place of the unit before the step, or an empty string."""
    end: str = ""
    """The place to which the unit moves or at which it aims, or an empty string."""
    targets: tuple[str, ...] = ()
    """The ids of the units that the step aims at."""
    what: str = ""
    """A word that completes the event, such as the id of a card, or an empty string."""


class Choice(msgspec.Struct, frozen=True):
    """A legal move, in the form in which a player enters it and in words."""

    notation: str
    unit: str
    """The id of the unit that moves, or an empty string for a decision that is not about one unit."""
    text: Words
    ends: bool = False
    """Whether the move ends a part of the turn, so that the player can also type `end`."""
    short: str = ""
    """A shorter form in which a player can enter the move, or an empty string."""

    @property
    def entry(self) -> str:
        """The form in which lists show the move."""
        return self.short or self.notation


class Presenter:
    """Descriptions of one engine's states and moves.

    This class serves any engine. A game can override any of its methods with more details.
    """

    face_names: Mapping[str, Words] = {}
    """The names of the symbols on dice, keyed by face. Empty if dice have numbers."""
    key: tuple[Words, ...] = ()
    """Lines that explain the marks after ids on the board."""

    def __init__(self, engine: Engine[Any, Any]) -> None:
        self.engine: Any = engine

    def round(self, state: Any) -> int:
        """Return the number of the round, counted from 1."""
        return 1

    def mover(self, state: Any) -> int:
        """Return the seat whose turn it is, which need not be the seat that decides."""
        return int(self.engine.to_move(state) % DICE)

    def units(self, state: Any) -> Sequence[UnitNow]:
        """Return all units of both seats, also the lost ones, in a fixed order."""
        return ()

    def score(self, state: Any) -> tuple[int, int]:
        """Return the victory count of each seat, in the unit of the game's score."""
        end = self.engine.ended(state)
        return end.counted if end else (0, 0)

    def hand(self, state: Any, seat: int) -> Sequence[HandCard]:
        """Return the cards that a seat holds. The other seat must not see them."""
        return ()

    def is_secret(self, state: Any, what: Any, fell: bool, viewer: int) -> bool:
        """Return whether a seat must not see the outcome of a step, such as a card that the other seat draws."""
        return False

    def question(self, state: Any) -> Words:
        """Return what the seat to move has to decide, as an instruction.

        A `|` separates what to type, which only players at the terminal need.
        """
        return same("")

    def choice(self, state: Any, move: Any) -> Choice:
        """Return a legal move in notation and in words."""
        notation = self.engine.write(state, move)
        return Choice(notation, "", same(notation))

    def aliases(self, state: Any, move: Any) -> Sequence[str]:
        """Return other forms in which a player may enter a move."""
        return ()

    def event(self, state: Any, what: Any, fell: bool) -> Event:
        """Return the parties of a step."""
        return Event("roll" if fell else "move")

    def faces(self, state: Any, outcome: int, rng: Rng) -> Sequence[Face]:
        """Return the faces of the dice of a roll.

        Engines that count only a result choose among the faces with this result at random, each combination as
        likely as with real dice. The random numbers do not affect the game.
        """
        return (outcome + 1,) if self.is_roll(state) else ()

    def is_roll(self, state: Any) -> bool:
        """Return whether the next random outcome is a roll of dice, and not a card drawn."""
        return True

    def outcome(self, state: Any, faces: Sequence[Face]) -> int | None:
        """Return the outcome for dice that were rolled at a table, or None if no such dice are rolled next."""
        (face,) = faces if len(faces) == 1 else ("",)
        return face - 1 if isinstance(face, int) and 1 <= face <= len(self.engine.chances(state)) else None

    def narrator(self) -> Narrator:
        """Return a function that describes one game to its players, in sentences."""
        found: Narrator = self.engine.narrator()
        return found

    def echo(self, state: Any, move: Any) -> Words | None:
        """Return a sentence about a move for the player who makes it, or None if `narrator` describes it at once."""
        return None

    def odds(self, state: Any, unit: str, target: str) -> Sequence[Words]:
        """Return the odds of an attack in the present position, in sentences.

        Raises:
            WrongUsageError: If there is no such unit, or the attack is impossible.
        """
        raise WrongUsageError(tr("this game has no odds for a single attack"))

    def chance(self, state: Any, move: Any) -> Fraction | float | None:
        """Return the chance that an attack has an effect on its target, or None if the move is not an attack.

        The effect is a hit, or the loss of hit points or of a unit. `odds` names it.
        """
        return None

    def dice_count(self, state: Any) -> int:
        """Return the number of dice that are rolled next. The next step must be a roll."""
        chances = self.engine.chances(state)
        outcome = next(number for number, weight in enumerate(chances) if weight)
        return len(self.faces(state, outcome, Rng("", "dice")))

    def position_odds(self, state: Any) -> Sequence[Words]:
        """Return the odds of the whole fight for the side to move, in sentences, or nothing."""
        return ()

    def board(self, state: Any) -> Sequence[Words] | None:
        """Return the positions of the units in lines, or None if `Engine.view` is a map of the positions."""
        return None

    def reason(self, state: Any, move: Any) -> Sequence[Words]:
        """Return what speaks for a move that a strong player recommends, in sentences."""
        return ()


def percent_text(chance: Fraction | float) -> str:
    """Return a chance in percent without decimals. Only an impossible event has 0, and only a certain one 100.

    >>> [percent_text(p) for p in (0, 0.001, 0.126, 0.999, 1)]
    ['0', '<1', '13', '>99', '100']
    """
    percent = 100 * float(chance)
    if 0 < percent < 1:
        return "<1"
    return ">99" if 99 < percent < 100 else f"{percent:.0f}"


def find_unit(units: Sequence[UnitNow], name: str) -> UnitNow:
    """Return the unit with an id, in any case, or the unit that is alone on a cell.

    Raises:
        WrongUsageError: If there is no such unit on the board.
    """
    plain = name.strip().casefold()
    for unit in units:
        if unit.id.casefold() == plain:
            if not unit.place:
                raise WrongUsageError(tr("{name} is a unit that is not on the board", name=unit.id))
            return unit
    there = [unit for unit in units if unit.place and unit.place.casefold() == plain]
    if len(there) != 1:
        raise WrongUsageError(tr("there is no unit named {name!r}", name=name[:20]))
    return there[0]
