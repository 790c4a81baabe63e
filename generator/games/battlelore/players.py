"""Computer players for a battle: a charger, a keeper and a shooter. docs/players.md tells what each looks at.

All three weigh the same few things, each in its own way. What is weighed are means and chances of the very rolls that
are thrown, hexes between units, ground, and friends and enemies near a hex; nothing is searched ahead.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, cached_property, lru_cache
from typing import TypeVar

import msgspec

from generator.common.playing import Playing, Policy, players, policies
from generator.games.battlelore.ground import SIDES, side_name
from generator.games.battlelore.model import Battle
from generator.games.battlelore.playfield import BIT, CODES, KEPT, NERVES, OFF, Field, bits, kinds
from generator.games.battlelore.playing import (
    BACK,
    BATTLE,
    BONUS,
    CARD,
    DONE,
    GAIN,
    MOVE,
    NO,
    ORDER,
    PURSUE,
    RETREAT,
    YES,
    Course,
    State,
)
from generator.games.battlelore.told_playing import Told
from generator.seeds import Stream

B = TypeVar("B", bound=Battle)

_PLACES = tuple(tuple(place for place in range(3) if code >> place & 1) for code in CODES)
"""The sections from the left that each of the codes stands for."""
NEVER = -99.0
"""What an attack is worth that cannot be made, or should not be."""
_GONE = bytes((OFF,))
SEEN = 20_000
"""Sets of hexes whose surroundings are kept, before they are forgotten."""
WEIGHED = 50_000
"""Attacks of which a player keeps what they are worth: those of some six searches for grade C."""


class Bent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a player cares for; the head of data/battlelore/players.toml tells what each is. Worths are in hits."""

    kill: float
    flag: float
    risk: float
    mates: float
    cover: float
    fear: float
    least: float
    shot: float
    attack: float
    shoot: float
    far: float
    halt: int
    halt_bow: int
    patience: int


_WHOLE = ("halt", "halt_bow", "patience")


def _bent(weights: Mapping[str, int]) -> Bent:
    return msgspec.convert({name: n if name in _WHOLE else n / 100 for name, n in weights.items()}, Bent)


class Chooser:
    """A policy's picks, by what it cares for."""

    def __init__(self, number: int, bent: Bent) -> None:
        self.number, self.bent = number, bent
        self._worth: dict[int, float] = {}
        """What it has reckoned of attacks, by the numbers on which they hang, in whatever battle."""
        picks = {
            CARD: self._card,
            ORDER: self._order,
            MOVE: self._move,
            BATTLE: self._battle,
            GAIN: self._gain,
            PURSUE: self._pursue,
            BONUS: self._bonus,
            RETREAT: self._retreat,
            BACK: self._back,
        }
        self._picks = tuple(picks[phase] for phase in range(len(picks)))

    def pick(self, course: Course, state: State, stream: Stream) -> int:
        """A lawful decision, by the state alone."""
        return self._picks[state[0]](course, state)

    def _back(self, course: Course, state: State) -> int:
        """A battle back is always made."""
        return YES

    # Orders

    def _urgent(self, course: Course, state: State) -> list[tuple[float, int]]:
        """What each own unit's order is worth, the highest first; the same while a turn's orders are chosen."""
        field, at, side = course.field, state.at, state.side
        known = course.urgent.get(self.number << 1 | side)
        if known and known[0] == at:
            return known[1]
        foes = state.own[1 - side]
        beside, first = _beside(course, state), field.first_of[1]
        kinds, within, step, bow = field.kind, field.within, field.step, field.bow
        moves, reach = field.moves, field.reach
        shoot, far = self.bent.shoot, self.bent.far
        attacks, idle = self._pulls
        found = []
        least, most = (first, len(at)) if side else (0, first)
        for unit, cell in enumerate(at[least:most], least):
            if cell == OFF:
                continue
            kind, zone = kinds[unit], within[cell]
            if bow[kind] and not step[cell] & foes:
                found.append((shoot if zone[reach[kind]] & foes else far, unit))
            else:
                found.append((attacks[kind] if zone[moves[kind]] & beside else idle[kind], unit))
        found.sort(reverse=True)
        course.urgent[self.number << 1 | side] = at, found
        return found

    @cached_property
    def _pulls(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """By kind what it is worth to order a unit that may attack, and one that only goes on."""
        of, bent = kinds(), self.bent
        idle = tuple(bent.far * (1.0 + 0.1 * most) for most in of.runs)
        return tuple(bent.attack + 0.3 * rank for rank in of.rank), idle

    def _card(self, course: Course, state: State) -> int:
        """The card whose units have most to do; one of two sections counts in both."""
        quotas, (side, at) = course.quotas, state[1:3]
        count, section = len(quotas), course.field.section[side]
        # What the best so many units of a section are worth together.
        sums = left, centre, right = [0.0], [0.0], [0.0]
        for value, unit in self._urgent(course, state):
            for place in _PLACES[section[at[unit]]]:
                of = sums[place]
                of.append(of[-1] + value)
        for of in sums:
            of += of[-1:] * (course.widest + 1 - len(of))
        best, chosen = -1.0, 0
        for card in _held(state.cards[side * count : (side + 1) * count]):
            a, b, c = quotas[card]
            total = left[a] + centre[b] + right[c]
            if total > best:
                best, chosen = total, card
        return chosen

    def _order(self, course: Course, state: State) -> int:
        """The most urgent unit that may still be ordered; whom after whom is found at once."""
        side, at = state[1:3]
        ordered, count, card = state[10:13]
        found = course.orders.get(self.number << 1 | side)
        if found and found[0] is at and found[1] == card and ordered in found[2]:
            return found[2][ordered]
        allowed, section, more = course.lawful[card], course.field.section[side], course.one_more
        after: dict[int, int] = {}
        before = ordered
        for _, unit in self._urgent(course, state):
            with_it = count + more[section[at[unit]]]
            # Who may not be ordered beside these may not beside more.
            if not before >> unit & 1 and with_it in allowed:
                after[before] = unit
                before, count = before | 1 << unit, with_it
        after[before] = DONE
        course.orders[self.number << 1 | side] = at, card, after
        return after[ordered]

    # Moves

    def _move(self, course: Course, state: State) -> int:
        """The next ordered unit that goes somewhere: one that was passed over stays."""
        moved = state[7]
        waiting = state[10] & ~moved & -(1 << moved.bit_length())
        while waiting:
            bit = waiting & -waiting
            waiting ^= bit
            unit = bit.bit_length() - 1
            cell = self._goes(course, state, unit)
            if cell != state[2][unit]:
                return unit << 8 | cell
        return DONE

    def _goes(self, course: Course, state: State, unit: int) -> int:
        """Where a unit had best be when it battles; where nothing is in reach, on its way to the next enemy."""
        field, (side, at, _, both) = course.field, state[1:5]
        here, kind = at[unit], field.kind[unit]
        own, foes = both[side], both[1 - side]
        rest, bow = own ^ BIT[here], field.bow[kind]
        if (bow or field.step[here] & foes) and self._stands(course, state, unit, (here,), rest, 0) != OFF:
            return here
        near, far = field.ways(kind, here, own | foes)
        if not near:
            return here
        beside = _beside(course, state)
        zone = near & (beside | _shots(field, state, field.reach[kind])) if bow else near & beside
        if zone := zone & field.battles[kind]:
            chosen = self._stands(course, state, unit, _seen(zone, side), rest, 1)
            if chosen != OFF:
                return chosen
        bent = self.bent
        halt = bent.halt_bow if bow else bent.halt if state[13] <= 2 * bent.patience else 1
        return self._closes(field, side, here, foes, far or near, rest, halt)

    def _stands(
        self,
        course: Course,
        state: State,
        unit: int,
        cells: tuple[int, ...],
        rest: int,
        moved: int,
        best: float = NEVER,
    ) -> int:
        """From which of these hexes it is worth most, and more than that, to attack; `OFF` from none of them."""
        field, foes, bent, chosen = course.field, state[4][1 - state[1]], self.bent, OFF
        step, bow, patient = field.step, field.bow[field.kind[unit]], state[13] <= 2 * bent.patience
        for cell in cells:
            hexes = step[cell] & foes
            if not hexes and bow:
                hexes = field.targets(unit, cell, foes, rest | foes)
            if hexes:
                value = self._best(course, state, unit, cell, hexes, moved)[0]
                if value > bent.least or (value != NEVER and not patient):
                    value += self._place(field, cell, rest, foes)
                    if value > best:
                        best, chosen = value, cell
        return chosen

    def _place(self, field: Field, cell: int, rest: int, foes: int) -> float:
        """What a hex is worth by itself."""
        bent = self.bent
        value: float = bent.cover * field.cover[cell]
        if (field.near[cell] & rest).bit_count() >= 2:
            value += bent.mates
        if bent.fear:
            value -= bent.fear * (field.within[cell][2] & foes).bit_count()
        return value

    def _closes(self, field: Field, side: int, here: int, foes: int, free: int, rest: int, halt: int) -> int:
        """A step toward the next enemy, not nearer than it likes; among equal hexes the better one to stand on."""
        for zone in field.within[here]:
            if zone & foes:
                goal = _seen(zone & foes, side)[0]
                break
        else:
            goal = min(_seen(foes, side), key=field.far[here].__getitem__)
        off = field.far[goal]
        if off[here] <= halt:
            return here
        cover, mates, beside = self.bent.cover, self.bent.mates, field.near
        best, chosen = 1e9, here
        for cell in _seen(free, side):
            value: float = off[cell]
            if value < halt or value > best:
                continue
            value -= cover * field.cover[cell]
            if beside[cell] & rest:
                value -= mates * 0.7
            if value < best:
                best, chosen = value, cell
        return chosen if best < off[here] else here

    # Battles

    def _best(self, course: Course, state: State, unit: int, start: int, hexes: int, moved: int) -> tuple[float, int]:
        """The attack from a hex on one of these that is worth most, and its target.

        What an attack is worth is reckoned once for each set of the few numbers on which it hangs.
        """
        field, known, (side, at, figures, both) = course.field, self._worth, state[1:5]
        near, own, kinds, lies = field.near, both[1 - side], field.kind, field.lies
        # Either all of them are next to it, or none is.
        near_by = 1 if hexes & field.step[start] else 0
        # What differs most stands in the lowest bits, by which a dict looks first.
        base = kinds[unit] << 10 | near_by << 23 | moved << 24 | lies[start] << 8
        best, chosen = NEVER, DONE
        for there in _FROM[side].get(hexes) or _seen(hexes, side):
            target = at.index(there)
            mark, left = kinds[target] | lies[there], figures[target]
            friends = (near[there] & own).bit_count()
            # As `Field.nerve` has it, which is asked where nobody did before.
            nerve = NERVES.get(mark | friends << 6)
            ignored = (nerve or field.nerve(kinds[target], there, friends))[0]
            # Its own figures matter only where it may be answered.
            mine = figures[unit] if ignored else 0
            key = base | mark | left << 6 | mine << 16 | ignored << 20
            value = known.get(key)
            if value is None:
                if len(known) > WEIGHED:
                    known.clear()
                value = known[key] = self._reckoned(
                    field, (kinds[unit], kinds[target]), (start, there), (mine, left), moved, ignored
                )
            if value > best:
                best, chosen = value, target
        return best, chosen

    def _reckoned(
        self,
        field: Field,
        kinds: tuple[int, int],
        hexes: tuple[int, int],
        figures: tuple[int, int],
        moved: int,
        ignored: int,
    ) -> float:
        """Its hits, the banner, a flight, less those of a battle back; of attacker and target each."""
        bent, (kind, other), (start, there) = self.bent, kinds, hexes
        roll = field.roll(kind, other, start, there, moved)
        if roll is None:
            return NEVER
        stays, falls = roll.stays[figures[1]][ignored], roll.hits[figures[1]]
        value = roll.mean + bent.kill * falls + bent.flag * (1.0 - stays - falls)
        if not field.step[start] >> there & 1:
            return value * bent.shot
        back = field.roll(other, kind, there, start, 0) if ignored else None
        if back is not None:
            value -= bent.risk * stays * (back.mean + bent.kill * back.hits[figures[0]])
        return value

    def _least(self, state: State) -> float:
        """What an attack must be worth to be made at this time."""
        return self.bent.least if state.turn <= 2 * self.bent.patience else NEVER

    def _battle(self, course: Course, state: State) -> int:
        """Bows first; then who is worth most."""
        field, (side, at, _, both) = course.field, state[1:5]
        moved, spent, _, ordered = state[7:11]
        waiting = ordered & ~spent
        bows = waiting & field.bows
        own, foes, least = both[side], both[1 - side], self._least(state)
        for some in (bows, waiting ^ bows):
            best, chosen = least, DONE
            for unit in bits(some):
                hexes = field.step[at[unit]] & foes
                if not hexes and some is bows:
                    hexes = field.targets(unit, at[unit], foes, own | foes)
                if hexes:
                    value, target = self._best(course, state, unit, at[unit], hexes, moved >> unit & 1)
                    if value > best:
                        best, chosen = value, unit << 8 | target
            if chosen != DONE:
                return chosen
        return DONE

    def _gain(self, course: Course, state: State) -> int:
        """Onto ground that is hardly worse; a player who goes right up to the enemy does anyway."""
        if self.bent.halt == 1:
            return YES
        field, fight = course.field, state.fight
        cell = state.at[fight.by]
        rest, foes = state.own[state.side] ^ BIT[cell], state.own[1 - state.side]
        here = self._place(field, cell, rest, foes)
        return YES if self._place(field, fight.hex, rest, foes) >= here - 0.3 else NO

    def _pursue(self, course: Course, state: State) -> int:
        """To where a bonus melee is worth most."""
        field, unit, side = course.field, state.fight.by, state.side
        here = state.at[unit]
        rest = state.own[side] ^ 1 << here
        if not field.battles[field.kind[unit]] >> here & 1:
            return DONE
        free = field.step[here] & ~rest & ~state.own[1 - side]
        cells = _seen(free & _beside(course, state) & field.battles[field.kind[unit]], side)
        chosen = self._stands(course, state, unit, cells, rest, 1, max(self._least(state), 0.0))
        return DONE if chosen == OFF else chosen

    def _bonus(self, course: Course, state: State) -> int:
        unit = state.fight.by
        here = state.at[unit]
        hexes = course.field.step[here] & state.own[1 - state.side]
        value, target = self._best(course, state, unit, here, hexes, 1)
        return target if value > self._least(state) else DONE

    def _retreat(self, course: Course, state: State) -> int:
        """The hex with the better ground and more friends about."""
        field, unit = course.field, state.fight.on
        seat = field.seat[unit]
        here = state.at[unit]
        rest = state.own[seat] ^ 1 << here
        cells = _seen(field.back[seat][here] & ~state.own[0] & ~state.own[1], seat)
        if len(cells) == 1:
            return cells[0]
        return max(cells, key=lambda cell: field.cover[cell] + (field.near[cell] & rest).bit_count())


_FROM: tuple[dict[int, tuple[int, ...]], dict[int, tuple[int, ...]]] = {}, {}
"""For each seat the hexes of masks, as `_seen` was asked for them."""


def _seen(mask: int, seat: int) -> tuple[int, ...]:
    """The hexes of a mask as that seat counts them, so that a battle and its half turn are played alike."""
    known = _FROM[seat]
    found = known.get(mask)
    if found is None:
        if len(known) > KEPT:
            known.clear()
        found = known[mask] = bits(mask)[:: -1 if seat else 1]
    return found


@lru_cache(4_000)  # hands come again and again
def _held(hand: bytes) -> tuple[int, ...]:
    """The kinds of cards in a hand, by how many there are of each."""
    return tuple(kind for kind, count in enumerate(hand) if count)


def _foes(field: Field, state: State) -> bytes:
    """Where the enemies stand of the side whose turn it is."""
    first = field.first_of[1]
    return (state[2][:first] if state[1] else state[2][first:]).replace(_GONE, b"")


def _beside(course: Course, state: State) -> int:
    """The hexes from which an enemy can be attacked in melee."""
    foes = state[4][1 - state[1]]
    known = course.kept.get(foes)
    if known is not None:
        return known
    beside, step = 0, course.field.step
    for cell in _foes(course.field, state):
        beside |= step[cell]
    if len(course.kept) > SEEN:
        course.kept.clear()
    found = course.kept[foes] = beside & ~foes
    return found


def _shots(field: Field, state: State, reach: int) -> int:
    """The hexes within a bow's range of an enemy."""
    zone, within = 0, field.within
    for cell in _foes(field, state):
        zone |= within[cell][reach]
    return zone


def playing(
    placed: Callable[[B], Battle] = lambda battle: battle,
    firsts: Callable[[B], tuple[int, ...]] = lambda battle: (SIDES.index(battle.first),),
) -> Playing[B]:
    """How battles are played; `placed` gives one as it stands on the table, `firsts` who may move first in it."""
    of = players("battlelore")
    return Playing(
        engine=lambda battle: Told(placed(battle), firsts(battle)),
        policies=lore_policies(),
        seats=(side_name(SIDES[0]), side_name(SIDES[1])),
        left_out=of.left_out,
        house=tuple(text.fill(rounds=of.numbers["rounds"]) for text in of.house),
        firsts=firsts,
        left=_left,
    )


def _left(course: Course, state: State) -> dict[str, int]:
    """The figures of every unit by its id."""
    return {unit.id: figures for (_, unit), figures in zip(course.field.units, state.figures, strict=True)}


@cache
def lore_policies() -> Mapping[str, Policy]:
    """The three, with their words."""
    texts = players("battlelore").policy
    picks = {name: Chooser(i, _bent(of.weights)).pick for i, (name, of) in enumerate(texts.items())}
    return policies("battlelore", picks)
