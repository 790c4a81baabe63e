"""What play needs of a battle, once: its board as masks of bits, its units as numbers, every roll as a table.

Hexes are their numbers in the field's order, a set of hexes the whole number with those bits; units are numbered camp
by camp. Whatever is a rule is asked of the tables and functions that check and print, once for each hex or pair; what
hangs on where units stand is kept under a key of whole numbers when it was first asked for.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cache, lru_cache
from itertools import accumulate, product
from operator import or_
from typing import NamedTuple

import msgspec

from generator.common.tables import Listed
from generator.errors import WrongUsageError
from generator.games.battlelore.forces import Kind, Unit
from generator.games.battlelore.ground import SECTIONS, SIDES, Side
from generator.games.battlelore.model import Battle
from generator.games.battlelore.odds import Attack
from generator.games.battlelore.play import may_battle, run, screens, stops
from generator.games.battlelore.prospects import nerve, rolled
from generator.games.battlelore.tables import Morale, Whence, lore
from generator.grid.hexes import Hex, distance
from generator.model.words import Words
from generator.notation import toml
from generator.said import say

OFF = 255
"""In place of a hex: a unit that is no longer on the board."""
FAR = 5
"""Rings of hexes about a hex that are kept as masks: as far as anybody shoots, and one more."""
KEPT = 200_000
"""Answers that hang on where units stand, before they are forgotten and begun anew."""


class Command(Listed, frozen=True, forbid_unknown_fields=True):
    """A command card: how many units it orders in each section."""

    left: int
    centre: int
    right: int
    count: int
    """Cards of this kind in the deck."""

    @property
    def quota(self) -> tuple[int, int, int]:
        """Units in the sections, from the owner's left."""
        return self.left, self.centre, self.right


class Commands(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """commands.toml as it stands."""

    name: Words
    source: Whence
    card: tuple[Command, ...]


commands = toml.shipped_table("battlelore/commands.toml", Commands)
"""The command deck of the house."""

CODES = (1, 2, 4, 3, 6)
"""The sections a hex may belong to, as bits from the left: one, or two that share it."""
_ROOM = 6
"""Bits of a packed count for each of them."""


BIT = tuple(1 << place for place in range(OFF))
"""A mask for each hex, or unit."""
_BITS: dict[int, tuple[int, ...]] = {}


def bits(mask: int) -> tuple[int, ...]:
    """The numbers of the bits of a mask, the lowest first."""
    known = _BITS.get(mask)
    if known is not None:
        return known
    found, rest = [], mask
    while rest:
        low = rest & -rest
        found.append(low.bit_length() - 1)
        rest ^= low
    if len(_BITS) > KEPT:
        _BITS.clear()
    _BITS[mask] = told = tuple(found)
    return told


def packed(code: int) -> int:
    """One unit in those sections, as counts of ordered units are added up."""
    return 1 << _ROOM * CODES.index(code)


def lawful(quota: tuple[int, int, int]) -> frozenset[int]:
    """Every packed count of units that a card may order; a unit of two sections goes to the account of either."""
    found = {0}
    for section, most in enumerate(quota):
        for _ in range(most):
            found |= {count + packed(code) for count in found for code in CODES if code >> section & 1}
    return frozenset(found)


class Roll:
    """An attack as it is thrown: its outcomes, hits and flags, with their weights of 6 to the number of dice."""

    __slots__ = ("dice", "hits", "mean", "outcomes", "stays", "weights")

    def __init__(self, attack: Attack) -> None:
        whole = len(lore().play.face) ** attack.dice
        rows = sorted(attack.odds.items())
        self.dice = attack.dice
        self.outcomes = tuple(key for key, _ in rows)
        self.weights = tuple(int(p * whole) for _, p in rows)
        self.mean = float(attack.mean)
        most = 1 + max(hits for hits, _ in self.outcomes)
        self.hits = tuple(float(attack.at_least(n)) for n in range(max(most, 9)))
        """The chance of so many hits or more."""
        none = Fraction(0)
        self.stays = tuple(
            tuple(float(sum((p for (h, f), p in rows if h < n and f <= i), none)) for i in range(6))
            for n in range(max(most, 9))
        )
        """By figures and flags ignored: the chance that a target is still there."""


roll_of = lru_cache(1_000)(Roll)
"""An attack as it is thrown; few differ."""


class Kinds(NamedTuple):
    """Every kind of unit there may be, by its number, which it has in all battles."""

    number: dict[Kind, int]
    every: tuple[Kind, ...]
    moves: tuple[int, ...]
    """How far it moves when it battles, and at most."""
    runs: tuple[int, ...]
    bow: tuple[bool, ...]
    reach: tuple[int, ...]
    mounted: tuple[bool, ...]
    rank: tuple[int, ...]
    """Its dice, before any ground."""


@cache
def kinds() -> Kinds:
    """Of the tables, once."""
    of = lore()
    every = tuple(Kind(*names) for names in product(of.banners, of.weapons, of.races))
    assert len(every) <= 64, "keys have six bits for a kind"
    return Kinds(
        {kind: number for number, kind in enumerate(every)},
        every,
        tuple(of.banners[kind.banner].move[kind.arm] for kind in every),
        tuple(map(run, every)),
        tuple(kind.bow for kind in every),
        tuple(of.weapons[kind.weapon].range for kind in every),
        tuple(kind.arm == "mounted" for kind in every),
        tuple(of.banners[kind.banner].dice for kind in every),
    )


@cache
def grounds() -> dict[tuple[str, str | None], int]:
    """A number for all ground with what may lie on it, the same in all battles."""
    of = lore()
    return {ground: number for number, ground in enumerate(product(of.terrain, (None, *of.features)))}


_ROLLS: dict[tuple[int, int, int, int, bool, int], Roll | None] = {}
NERVES: dict[int, tuple[int, int, int]] = {}
"""What was rolled, and what `nerve` was asked, by the numbers of kinds and grounds: so it is in any battle."""


@lru_cache(16)  # the boards of one run
def _distances(cells: tuple[Hex, ...]) -> tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...]]:
    """From each hex how far all others are; and as masks those no farther off than so many."""
    far = tuple(tuple([distance(a, b) for b in cells]) for a in cells)
    rings = tuple([sum(1 << i for i, d in enumerate(row) if d == ring) for ring in range(FAR + 1)] for row in far)
    return far, tuple(tuple(accumulate(of, or_)) for of in rings)


class Field:
    """A battle's board and units for play."""

    def __init__(self, battle: Battle) -> None:
        self.battle = battle
        board = self.board = battle.board
        grid = board.field
        cells = self.cells = grid.cells
        self.count = len(cells)
        if self.count >= OFF:
            raise WrongUsageError(say("this board is too large to play on"))
        index = grid.index
        lines = screens(board, (), battle.rulings)
        self._screens = lines

        def mask(of: Iterable[Hex]) -> int:
            return sum(1 << index[c] for c in of)

        self.near = tuple(mask(grid.neighbours(c)) for c in cells)
        """The hexes next to each."""
        self.step = tuple(mask(n for n in grid.neighbours(c) if board.step(c, n)) for c in cells)
        """The hexes that a unit there may move to or attack in melee, were they empty, or an enemy's."""
        self.stop = mask(c for c in cells if stops(board, c))
        self.halts = mask(
            c for c in cells if any(of and not of.pursuit for of in (board.terrain(c), board.feature(c)))
        )
        """Hexes whose ground lets nobody pursue who came into them this turn."""
        toward: tuple[int, ...] = (-1, 1)
        self.back = tuple(
            tuple(mask(n for n in grid.neighbours(c) if n.r == c.r + way and board.step(c, n)) for c in cells)
            for way in toward
        )
        """For each camp, the hexes one row nearer to its own baseline that a unit there may retreat to."""
        self.far, self.within = _distances(tuple(cells))
        number = grounds()
        self.ground = tuple(number[board.ground[c], board.features.get(c)] for c in cells)
        """A number for each hex, the same for those whose ground is alike."""
        bit = {name: 1 << i for i, name in enumerate(SECTIONS)}
        self.section = tuple(
            tuple(CODES.index(sum(bit[s] for s in board.plan.sections_of(c, camp))) for c in cells) for camp in SIDES
        )
        """For each camp and hex, the place in CODES of the sections it belongs to."""
        self._of_units(battle)
        self._ways: dict[int, tuple[int, int]] = {}
        self._rolls: dict[int, Roll | None] = {}
        self._lines: dict[int, tuple[int, tuple[tuple[int, int], ...]]] = {}

    def _of_units(self, battle: Battle) -> None:
        board = self.board
        standing = [[unit for own, unit in battle.units if own == camp and unit.hex] for camp in SIDES]
        if not all(standing):
            raise WrongUsageError(say("a battle needs units of both sides on the board to be played"))
        self.units: tuple[tuple[Side, Unit], ...] = tuple(
            (camp, unit) for camp, of in zip(SIDES, standing, strict=True) for unit in of
        )
        self.first_of = (0, len(standing[0]))
        """The number of each camp's first unit."""
        self.seat = tuple(SIDES.index(camp) for camp, _ in self.units)
        """The seat that each unit belongs to."""
        of = kinds()
        self.kinds = of.every
        self.kind = tuple(of.number[unit.kind] for _, unit in self.units)
        self.moves, self.runs, self.bow, self.reach, self.mounted = of.moves, of.runs, of.bow, of.reach, of.mounted
        self.battles = {
            kind: sum(1 << i for i, c in enumerate(self.cells) if may_battle(board, of.every[kind], c))
            for kind in dict.fromkeys(self.kind)
        }
        """For each kind, the hexes where it may battle on the turn in which it came there."""
        self.bows = sum(1 << u for u, kind in enumerate(self.kind) if self.bow[kind])
        """The units that shoot."""
        self.cover = tuple(
            sum(max(0, 3 - of.dice_in) if of.dice_in else 0 for of in (board.terrain(c), board.feature(c)) if of)
            + sum(of.bold for of in (board.terrain(c), board.feature(c)) if of)
            for c in self.cells
        )
        """For each hex, the dice that its ground takes from an attack of three, and one where it makes Bold."""
        self.at = bytes(board.field.index[unit.hex] for _, unit in self.units if unit.hex)
        self.figures = bytes(unit.figures for _, unit in self.units)
        self.lies = tuple(ground << 25 for ground in self.ground)
        """For each hex its ground where keys have it."""

    def ways(self, kind: int, at: int, taken: int) -> tuple[int, int]:
        """Where such a unit may move: hexes where it is not too far gone to battle, and those where it is."""
        most = self.runs[kind]
        key = (taken & self.within[at][most]) << 16 | at << 8 | kind
        known = self._ways.get(key)
        if known:
            return known
        step, stop, close = self.step, self.stop, self.moves[kind]
        near = far = 0
        ahead, seen = step[at] & ~taken, taken | 1 << at
        for count in range(1, most + 1):
            if count <= close:
                near |= ahead
            else:
                far |= ahead
            if count < most:
                seen |= ahead
                edge, ahead = bits(ahead & ~stop), 0
                for here in edge:
                    ahead |= step[here]
                ahead &= ~seen
        if len(self._ways) > KEPT:
            self._ways.clear()
        found = self._ways[key] = near, far
        return found

    def roll(self, kind: int, target: int, start: int, at: int, moved: int) -> Roll | None:
        """What one kind of unit throws from a hex against another kind on another; None where no die is left."""
        key = (((kind << 8 | target) << 8 | start) << 8 | at) << 1 | moved
        try:
            return self._rolls[key]
        except KeyError:
            ranged = not self.step[start] >> at & 1
            like = kind, target, self.ground[start], self.ground[at], ranged, moved
            if like not in _ROLLS:
                own, other, (a, b) = self.kinds[kind], self.kinds[target], (self.cells[start], self.cells[at])
                of = rolled(self.board, own, other, a, b, moved=bool(moved), ranged=ranged)
                if len(_ROLLS) > KEPT:
                    _ROLLS.clear()
                _ROLLS[like] = roll_of(of) if of else None
            found = self._rolls[key] = _ROLLS[like]
            return found

    def nerve(self, kind: int, at: int, friends: int) -> tuple[int, int, int]:
        """Of such a unit next to so many friends: flags it ignores, hexes a flag, dice a hex of its retreat.

        It is Bold where it ignores a flag.
        """
        key = kind | friends << 6 | self.lies[at]
        try:
            return NERVES[key]
        except KeyError:
            of = nerve(self.board, self.kinds[kind], self.cells[at], friends)
            what = lore().play.morale
            morale: Morale = of.morale
            found = NERVES[key] = (of.ignored, what[morale].hexes, what[morale].dice)
            return found

    def clear(self, start: int, at: int, taken: int) -> bool:
        """Whether there is a line of sight between two hexes past whoever stands on others."""
        key = start << 8 | at
        try:
            through, facing = self._lines[key]
        except KeyError:
            through, facing = self._lines[key] = self._line(start, at)
        if through & taken:
            return False
        return not facing or not any(left & taken and right & taken for left, right in facing)

    def _line(self, start: int, at: int) -> tuple[int, tuple[tuple[int, int], ...]]:
        """What must be empty for a line to be clear, and of which pairs one side; all hexes where nothing helps."""
        of = self._screens
        through, left, right = of.lines.between(start, at)
        screen = of.blocking(start, at)
        pairs = [(left, right)] if of.cumulative else of.lines.facing(start, at)
        if through & screen or any(a & screen and b & screen for a, b in pairs):
            return -1, ()
        for a, b in pairs:
            # Where the ground or the edge blocks on one side, a unit on the other is enough.
            through |= b if a & screen else a if b & screen else 0
        return through, tuple((a, b) for a, b in pairs if not a & screen and not b & screen and a and b)

    def targets(self, unit: int, at: int, foes: int, taken: int) -> int:
        """The hexes of the enemies that a unit may attack from a hex: next to it or, where none are, by bow."""
        close = self.step[at] & foes
        kind = self.kind[unit]
        if close or not self.bow[kind]:
            return close
        found, lines = 0, self._lines
        for there in bits(self.within[at][self.reach[kind]] & foes & ~self.near[at]):
            line = lines.get(at << 8 | there)
            # What bars most lines that are barred is asked without a call.
            if not (line and line[0] & taken) and self.clear(at, there, taken):
                found |= BIT[there]
        return found
