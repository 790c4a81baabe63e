"""A battle prepared for fast play, with hexes as bit masks, units as numbers, and rolls in tables.

A hex is its index in the field's order, and a set of hexes is an integer with these bits set. Units are numbered
camp by camp. The rules come from the same tables and functions that check and print scenarios, and are evaluated
once for each hex or pair of hexes. Results that depend on the positions of units are cached under integer keys.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from fractions import Fraction
from functools import cache, lru_cache
from itertools import accumulate, product
from operator import or_

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
from generator.localization import tr
from generator.model.words import Words
from generator.notation import toml

OFF = 255
"""The index for the hex of a unit that is no longer on the board."""
FAR = 5
"""Number of rings around a hex for which there are masks: the longest range of a shot plus one."""
MAX_FIGURES = 16
"""Number of figures that a unit never reaches: keys have four bits for them."""
KEPT = 200_000
"""Maximum number of cached results that depend on the positions of units. The cache is cleared when it is full."""


class Command(Listed, frozen=True, forbid_unknown_fields=True):
    """A command card with the number of units that it orders in each section."""

    left: int
    centre: int
    right: int
    count: int
    """Number of cards of this kind in the deck."""

    @property
    def quota(self) -> tuple[int, int, int]:
        """The number of units ordered in each section, from the owner's left."""
        return self.left, self.centre, self.right


class Commands(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of commands.toml."""

    name: Words
    source: Whence
    card: tuple[Command, ...]


commands = toml.shipped_table("battlelore/commands.toml", Commands)
"""Returns the house command deck."""

CODES = (1, 2, 4, 3, 6)
"""Bit masks of the sections a hex can belong to, from the left: one section or two adjacent sections."""
_ROOM = 6
"""Number of bits for each count in a packed number."""


BIT = tuple(1 << place for place in range(OFF))
"""The mask of each hex or unit, by index."""
_BITS: dict[int, tuple[int, ...]] = {}


def bits(mask: int) -> tuple[int, ...]:
    """Return the indices of the bits that are set in a mask, the lowest first."""
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
    _BITS[mask] = result = tuple(found)
    return result


def packed(code: int) -> int:
    """Return the packed count of one unit in the sections of a code. Packed counts can be added."""
    return 1 << _ROOM * CODES.index(code)


def lawful(quota: tuple[int, int, int]) -> frozenset[int]:
    """Return every packed count of units that a card may order. A unit in two sections counts for either."""
    found = {0}
    for section, limit in enumerate(quota):
        for _ in range(limit):
            found |= {count + packed(code) for count in found for code in CODES if code >> section & 1}
    return frozenset(found)


class Roll:
    """The possible outcomes of an attack, as hits and flags with integer weights.

    The sum of the weights is 6 to the power of the number of dice.
    """

    __slots__ = ("attack", "dice", "hits", "mean", "outcomes", "stays", "weights")

    def __init__(self, attack: Attack) -> None:
        whole = len(lore().play.face) ** attack.dice
        rows = sorted(attack.odds.items())
        self.attack = attack
        self.dice = attack.dice
        self.outcomes = tuple(key for key, _ in rows)
        self.weights = tuple(int(p * whole) for _, p in rows)
        self.mean = float(attack.mean)
        size = 1 + max(hits for hits, _ in self.outcomes)
        self.hits = (*(float(attack.at_least(n)) for n in range(size)), *[0.0] * (MAX_FIGURES - size))
        """The probability of at least n hits, by n."""
        none = Fraction(0)
        stays = [
            tuple(float(sum((p for (h, f), p in rows if h < n and f <= i), none)) for i in range(6))
            for n in range(size + 1)
        ]
        # More figures than there can be hits change nothing.
        self.stays = (*stays, *stays[-1:] * (MAX_FIGURES - len(stays)))
        """The probability that a target stays, by its figures and the flags it ignores."""


roll_of = lru_cache(1_000)(Roll)
"""Returns the roll of an attack. There are few different attacks, so all fit in the cache."""


Pulls = tuple[tuple[float, ...], tuple[float, ...]]
"""By kind, the values of ordering a unit that may attack, and of ordering a unit that can only advance."""


class Kinds:
    """All possible kinds of units by number, with results that depend on nothing but these numbers and the tables.

    Battles without pieces of an owner share them.
    """

    def __init__(self, author_pieces: tuple[Kind, ...]) -> None:
        of = lore()
        every = (*(Kind(*names) for names in product(of.banners, of.weapons, of.races)), *author_pieces)
        if len(every) > MAX_KINDS:
            raise WrongUsageError(tr("the scenario has too many pieces of your own for the computer to play"))
        self.number = {kind: number for number, kind in enumerate(every)}
        self.every = every
        self.moves = tuple(kind.move for kind in every)
        """The number of hexes a unit moves with a battle. `runs` has the number without a battle."""
        self.runs = tuple(map(run, every))
        self.bow = tuple(kind.bow for kind in every)
        self.reach = tuple(kind.range for kind in every)
        self.over = tuple(kind.over for kind in every)
        """Whether nothing blocks a unit's shots."""
        self.mounted = tuple(kind.arm == "mounted" for kind in every)
        self.rank = tuple(kind.dice for kind in every)
        """The number of dice, before any effect of terrain."""
        self.rolls: dict[tuple[int, int, int, int, bool, int], Roll | None] = {}
        """Cached rolls by attacker, target, both terrains, whether it is a shot, and whether the attacker moved."""
        self.nerves: dict[int, tuple[int, int, int]] = {}
        """Cached results of `nerve`, keyed by kind, terrain and number of friends."""
        self.worth: dict[int, dict[int, float]] = defaultdict(dict)
        """For each player, by its key, cached values of attacks by the numbers that determine them."""
        self.pulls: dict[int, Pulls] = {}
        """For each player, by its key, the values of ordering units."""


MAX_KINDS = 64
"""Maximum number of kinds in a battle: keys have six bits for a kind."""


@lru_cache(8)  # Enough for the battles that one process plays in turn; most have no pieces of an owner.
def kinds(author_pieces: tuple[Kind, ...] = ()) -> Kinds:
    """Return all kinds of units from the tables, followed by the pieces of an owner."""
    return Kinds(author_pieces)


@cache
def grounds() -> dict[tuple[str, str | None], int]:
    """Return a number for each pair of a terrain and a feature (or None), alike in all battles."""
    of = lore()
    return {ground: number for number, ground in enumerate(product(of.terrain, (None, *of.features)))}


@lru_cache(16)  # A run uses few boards.
def _distances(cells: tuple[Hex, ...]) -> tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...]]:
    """Return the distances between all hexes, and masks of the hexes within each distance of a hex."""
    far = tuple(tuple([distance(a, b) for b in cells]) for a in cells)
    rings = tuple([sum(1 << i for i, d in enumerate(row) if d == ring) for ring in range(FAR + 1)] for row in far)
    return far, tuple(tuple(accumulate(of, or_)) for of in rings)


class Field:
    """The board and units of a battle, prepared for play."""

    def __init__(self, battle: Battle) -> None:
        self.battle = battle
        board = self.board = battle.board
        grid = board.field
        cells = self.cells = grid.cells
        self.count = len(cells)
        if self.count >= OFF:
            raise WrongUsageError(tr("this board is too large to play on"))
        index = grid.index
        lines = screens(board, (), battle.rulings)
        self._screens = lines

        def mask(of: Iterable[Hex]) -> int:
            return sum(1 << index[c] for c in of)

        self.near = tuple(mask(grid.neighbours(c)) for c in cells)
        """The mask of the hexes next to each hex."""
        self.step = tuple(mask(n for n in grid.neighbours(c) if board.step(c, n)) for c in cells)
        """The mask of hexes that a unit there may move to if they are empty, or attack in melee if an enemy is
        there."""
        self.stop = mask(c for c in cells if stops(board, c))
        self.halts = mask(
            c for c in cells if any(of and not of.pursuit for of in (board.terrain(c), board.feature(c)))
        )
        """The mask of hexes whose terrain prevents pursuit by units that entered them this turn."""
        toward: tuple[int, ...] = (-1, 1)
        self.back = tuple(
            tuple(mask(n for n in grid.neighbours(c) if n.r == c.r + way and board.step(c, n)) for c in cells)
            for way in toward
        )
        """For each camp and hex, the hexes one row nearer to its own baseline to which a unit may retreat."""
        self.far, self.within = _distances(tuple(cells))
        number = grounds()
        self.ground = tuple(number[board.ground[c], board.features.get(c)] for c in cells)
        """A number for each hex; hexes with equal terrain have the same one."""
        bit = {name: 1 << i for i, name in enumerate(SECTIONS)}
        self.section = tuple(
            tuple(CODES.index(sum(bit[s] for s in board.plan.sections_of(c, camp))) for c in cells) for camp in SIDES
        )
        """For each camp and hex, the index in CODES of its sections."""
        self._of_units(battle)
        self._ways: dict[int, tuple[int, int]] = {}
        self._rolls: dict[int, Roll | None] = {}
        self._lines: dict[int, tuple[int, tuple[tuple[int, int], ...]]] = {}

    def _of_units(self, battle: Battle) -> None:
        board = self.board
        placed = [[unit for owner, unit in battle.units if owner == camp and unit.hex] for camp in SIDES]
        if not all(placed):
            raise WrongUsageError(tr("this battle cannot be played, because one side has no unit on the board"))
        self.units: tuple[tuple[Side, Unit], ...] = tuple(
            (camp, unit) for camp, of in zip(SIDES, placed, strict=True) for unit in of
        )
        self.first_of = (0, len(placed[0]))
        """The number of each camp's first unit."""
        self.seat = tuple(SIDES.index(camp) for camp, _ in self.units)
        """The seat of each unit."""
        author_pieces = dict.fromkeys(unit.kind for _, unit in self.units if unit.kind.piece)
        of = self.of_kinds = kinds(tuple(sorted(author_pieces, key=repr)))
        self.kinds = of.every
        self.nerves, self.over = of.nerves, of.over
        self.kind = tuple(of.number[unit.kind] for _, unit in self.units)
        self.moves, self.runs, self.bow, self.reach, self.mounted = of.moves, of.runs, of.bow, of.reach, of.mounted
        self.battles = {
            kind: sum(1 << i for i, c in enumerate(self.cells) if may_battle(board, of.every[kind], c))
            for kind in dict.fromkeys(self.kind)
        }
        """For each kind, the mask of hexes in which it may battle in the turn of entering them."""
        self.bows = sum(1 << u for u, kind in enumerate(self.kind) if self.bow[kind])
        """The mask of units that can shoot."""
        self.cover = tuple(
            sum(max(0, 3 - of.dice_in) if of.dice_in else 0 for of in (board.terrain(c), board.feature(c)) if of)
            + sum(of.bold for of in (board.terrain(c), board.feature(c)) if of)
            for c in self.cells
        )
        """For each hex, the dice that its terrain takes from an attack of three, plus one for each reason to be
        Bold."""
        self.at = bytes(board.field.index[unit.hex] for _, unit in self.units if unit.hex)
        self.figures = bytes(unit.figures for _, unit in self.units)
        index = board.field.index
        self.prizes = tuple(tuple((BIT[index[c]], n) for c, n in board.prizes(camp).items()) for camp in SIDES)
        """For each camp, the victory hexes that count for it: the mask of the hex, and its banners."""
        self.prize_cells = tuple(sum(bit for bit, _ in of) for of in self.prizes)
        """For each camp, the mask of these hexes."""
        self.lies = tuple(ground << 25 for ground in self.ground)
        """For each hex, its terrain shifted to its place in keys."""

    def ways(self, kind: int, at: int, taken: int) -> tuple[int, int]:
        """Return masks of the hexes a unit may move to: with a battle afterwards, and only without one."""
        max_steps = self.runs[kind]
        key = (taken & self.within[at][max_steps]) << 16 | at << 8 | kind
        known = self._ways.get(key)
        if known:
            return known
        step, stop, close = self.step, self.stop, self.moves[kind]
        near = far = 0
        ahead, seen = step[at] & ~taken, taken | 1 << at
        for count in range(1, max_steps + 1):
            if count <= close:
                near |= ahead
            else:
                far |= ahead
            if count < max_steps:
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
        """Return the roll for an attack between two kinds of units and two hexes, or None if there are no dice."""
        key = (((kind << 8 | target) << 8 | start) << 8 | at) << 1 | moved
        try:
            return self._rolls[key]
        except KeyError:
            ranged = not self.step[start] >> at & 1
            like = kind, target, self.ground[start], self.ground[at], ranged, moved
            rolls = self.of_kinds.rolls
            if like not in rolls:
                attacker, other, (a, b) = self.kinds[kind], self.kinds[target], (self.cells[start], self.cells[at])
                of = rolled(self.board, attacker, other, a, b, moved=bool(moved), ranged=ranged)
                if len(rolls) > KEPT:
                    rolls.clear()
                rolls[like] = roll_of(of) if of else None
            found = self._rolls[key] = rolls[like]
            return found

    def nerve(self, kind: int, at: int, friends: int) -> tuple[int, int, int]:
        """Return a unit's ignored flags, hexes to retreat for each flag, and dice to roll for each hex of a retreat.

        The unit is of this kind and next to `friends` friends. It is Bold if the number of ignored flags is
        positive.
        """
        key = kind | friends << 6 | self.lies[at]
        try:
            return self.nerves[key]
        except KeyError:
            of = nerve(self.board, self.kinds[kind], self.cells[at], friends)
            what = lore().play.morale
            morale: Morale = of.morale
            found = self.nerves[key] = (of.ignored, what[morale].hexes, what[morale].dice)
            return found

    def clear(self, start: int, at: int, taken: int) -> bool:
        """Return whether the line of sight between two hexes is clear if the hexes in `taken` are occupied."""
        key = start << 8 | at
        try:
            through, facing = self._lines[key]
        except KeyError:
            through, facing = self._lines[key] = self._line(start, at)
        if through & taken:
            return False
        return not facing or not any(left & taken and right & taken for left, right in facing)

    def _line(self, start: int, at: int) -> tuple[int, tuple[tuple[int, int], ...]]:
        """Return a mask of hexes that must be empty for a clear line, and pairs of masks.

        At least one mask of each pair must be empty too.

        All bits of the first mask are set if the line is always blocked.
        """
        of = self._screens
        through, left, right = of.lines.between(start, at)
        screen = of.blocking(start, at)
        pairs = [(left, right)] if of.cumulative else of.lines.facing(start, at)
        if through & screen or any(a & screen and b & screen for a, b in pairs):
            return -1, ()
        for a, b in pairs:
            # If terrain or the board's edge blocks on one side, a unit on the other side blocks the line.
            through |= b if a & screen else a if b & screen else 0
        return through, tuple((a, b) for a, b in pairs if not a & screen and not b & screen and a and b)

    def targets(self, unit: int, at: int, foes: int, taken: int) -> int:
        """Return the hexes of enemies that a unit may attack.

        They are the enemies next to the unit or, if there are none, those in the range and sight of its bow.
        """
        close = self.step[at] & foes
        kind = self.kind[unit]
        if close or not self.bow[kind]:
            return close
        found, lines = 0, self._lines
        far = self.within[at][self.reach[kind]] & foes & ~self.near[at]
        if self.over[kind]:
            return far
        for there in bits(far):
            line = lines.get(at << 8 | there)
            # Most blocked lines are blocked by a hex that they cross. This test avoids the call of `clear` for them.
            if not (line and line[0] & taken) and self.clear(at, there, taken):
                found |= BIT[there]
        return found
