"""Computer players for a battle: a charger, a keeper and a shooter. docs/players.md tells what each looks at.

All three weigh the same few things, each in its own way. What is weighed are means and chances of the very rolls that
are thrown, hexes between units, ground, and friends and enemies near a hex; nothing is searched ahead.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from typing import TypeVar

import msgspec

from generator.common.playing import Playing, Policy, players, policies
from generator.games.battlelore.ground import SIDES, side_name
from generator.games.battlelore.model import Battle
from generator.games.battlelore.playfield import CODES, KEPT, OFF, Field, bits
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
    Told,
)
from generator.seeds import Stream

B = TypeVar("B", bound=Battle)

NEVER = -99.0
"""What an attack is worth that cannot be made, or should not be."""
SEEN = 20_000
"""Sets of hexes whose surroundings are kept, before they are forgotten."""


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
        self._picks = {
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

    def __call__(self, course: Course, state: State, stream: Stream) -> int:
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
        bent, beside, first = self.bent, _beside(course, foes), field.first_of[1]
        kinds, within, step, bow = field.kind, field.within, field.step, field.bow
        moves, reach = field.moves, field.reach
        attack, shoot, far = bent.attack, bent.shoot, bent.far
        attacks, idle = [attack + 0.3 * rank for rank in field.rank], [far * pace for pace in field.pace]
        found = []
        for unit in range(first, len(at)) if side else range(first):
            cell = at[unit]
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

    def _card(self, course: Course, state: State) -> int:
        """The card whose units have most to do; one of two sections counts in both."""
        quotas, (side, at) = course.quotas, state[1:3]
        kinds, section = len(quotas), course.field.section[side]
        # What the best so many units of a section are worth together.
        left, centre, right = [0.0], [0.0], [0.0]
        for value, unit in self._urgent(course, state):
            code = CODES[section[at[unit]]]
            if code & 1:
                left.append(left[-1] + value)
            if code & 2:
                centre.append(centre[-1] + value)
            if code & 4:
                right.append(right[-1] + value)
        for of in (left, centre, right):
            of += of[-1:] * course.widest
        best, chosen = -1.0, 0
        for card in _held(state.cards[side * kinds : (side + 1) * kinds]):
            a, b, c = quotas[card]
            total = left[a] + centre[b] + right[c]
            if total > best:
                best, chosen = total, card
        return chosen

    def _order(self, course: Course, state: State) -> int:
        side, at = state[1:3]
        ordered, count, card = state[10:13]
        allowed, section, more = course.lawful[card], course.field.section[side], course.one_more
        for _, unit in self._urgent(course, state):
            if not ordered >> unit & 1 and count + more[section[at[unit]]] in allowed:
                return unit
        return DONE

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
        rest = own ^ 1 << here
        best, chosen = self._stand(course, state, unit, here, rest, 0), here
        if best > NEVER:
            return here
        near, far = field.ways(kind, here, own | foes)
        if not near:
            return here
        beside, bow = _beside(course, foes), field.bow[kind]
        zone = near & (beside | _shots(course, foes, field.reach[kind])) if bow else near & beside
        for cell in _seen(zone & field.battles[kind], side):
            value = self._stand(course, state, unit, cell, rest, 1)
            if value > best:
                best, chosen = value, cell
        if best > NEVER:
            return chosen
        bent = self.bent
        halt = bent.halt_bow if bow else bent.halt if state[13] <= 2 * bent.patience else 1
        return self._closes(field, side, here, foes, far or near, rest, halt)

    def _stand(self, course: Course, state: State, unit: int, cell: int, rest: int, moved: int) -> float:
        """What it is worth to stand on a hex and attack from there; `NEVER` where no attack is worth making."""
        field, foes = course.field, state[4][1 - state[1]]
        hexes = field.step[cell] & foes
        if not hexes and field.bow[field.kind[unit]]:
            hexes = field.targets(unit, cell, foes, rest | foes)
        if not hexes:
            return NEVER
        best = self._best(course, state, unit, cell, hexes, moved)[0]
        if best <= self.bent.least and (best == NEVER or state[13] <= 2 * self.bent.patience):
            return NEVER
        return best + self._place(field, cell, rest, foes)

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
        away = field.far[here]
        goal = min(_seen(foes, side), key=away.__getitem__)
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
        field, known, (side, at, figures, both) = course.field, course.worth, state[1:5]
        kinds, near, ground, nerves = field.kind, field.near, field.ground, field.nerves
        kind, own = kinds[unit], both[1 - side]
        # Either all of them are next to it, or none is.
        near_by = 1 if hexes & field.step[start] else 0
        base = near_by << 48 | kind << 40 | ground[start] << 24 | moved << 4 | self.number
        best, chosen = NEVER, DONE
        for there in _seen(hexes, side):
            target = at.index(there)
            other, left = kinds[target], figures[target]
            friends = (near[there] & own).bit_count()
            # As `Field.nerve` has it, which is asked where nobody did before.
            known_nerve = nerves.get((other << 8 | ground[there]) << 3 | friends)
            ignored = (known_nerve or field.nerve(other, there, friends))[0]
            # Its own figures matter only where it may be answered.
            mine = figures[unit] if ignored else 0
            key = base | other << 32 | ground[there] << 16 | mine << 12 | left << 8 | ignored << 5
            value = known.get(key)
            if value is None:
                if len(known) > KEPT:
                    known.clear()
                value = known[key] = self._reckoned(
                    field, (kind, other), (start, there), (mine, left), moved, ignored
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
        own, foes = both[side], both[1 - side]
        for some in (bows, waiting ^ bows):
            best, chosen = self._least(state), DONE
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
        field, fight = course.field, state.fight
        rest = state.own[state.side] ^ 1 << state.at[fight.by]
        foes = state.own[1 - state.side]
        there, here = (self._place(field, cell, rest, foes) for cell in (fight.hex, state.at[fight.by]))
        return YES if there >= here - 0.3 or self.bent.halt == 1 else NO

    def _pursue(self, course: Course, state: State) -> int:
        """To where a bonus melee is worth most."""
        field, unit, side = course.field, state.fight.by, state.side
        here = state.at[unit]
        rest = state.own[side] ^ 1 << here
        best, chosen = max(self._least(state), 0.0), DONE
        if not field.battles[field.kind[unit]] >> here & 1:
            return DONE
        free = field.step[here] & ~rest & ~state.own[1 - side]
        for cell in _seen(free & _beside(course, state.own[1 - side]) & field.battles[field.kind[unit]], side):
            value = self._stand(course, state, unit, cell, rest, 1)
            if value > best:
                best, chosen = value, cell
        return chosen

    def _bonus(self, course: Course, state: State) -> int:
        unit = state.fight.by
        here = state.at[unit]
        hexes = course.field.step[here] & state.own[1 - state.side]
        value, target = self._best(course, state, unit, here, hexes, 1)
        return target if value > self._least(state) else DONE

    def _retreat(self, course: Course, state: State) -> int:
        """The hex with the better ground and more friends about."""
        field, unit = course.field, state.fight.on
        seat = field.seat(unit)
        here = state.at[unit]
        rest = state.own[seat] ^ 1 << here
        free = field.back[seat][here] & ~state.own[0] & ~state.own[1]
        return max(_seen(free, seat), key=lambda cell: field.cover[cell] + (field.near[cell] & rest).bit_count())


_FROM: tuple[dict[int, tuple[int, ...]], dict[int, tuple[int, ...]]] = {}, {}
"""For each seat the hexes of masks, as `_seen` was asked for them."""


def _seen(mask: int, seat: int) -> tuple[int, ...]:
    """The hexes of a mask as that seat counts them, so that a battle and its half turn are played alike."""
    known = _FROM[seat]
    try:
        return known[mask]
    except KeyError:
        if len(known) > KEPT:
            known.clear()
        found = known[mask] = bits(mask)[:: -1 if seat else 1]
        return found


@lru_cache(4_000)  # hands come again and again
def _held(hand: bytes) -> tuple[int, ...]:
    """The kinds of cards in a hand, by how many there are of each."""
    return tuple(kind for kind, count in enumerate(hand) if count)


def _beside(course: Course, foes: int) -> int:
    """The hexes from which one of these enemies can be attacked in melee."""
    try:
        return course.kept[foes]
    except KeyError:
        beside = 0
        for cell in bits(foes):
            beside |= course.field.step[cell]
        if len(course.kept) > SEEN:
            course.kept.clear()
        found = course.kept[foes] = beside & ~foes
        return found


def _shots(course: Course, foes: int, reach: int) -> int:
    """The hexes within a bow's range of an enemy."""
    zone = 0
    within = course.field.within
    for cell in bits(foes):
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
    return policies("battlelore", {name: Chooser(i, _bent(of.weights)) for i, (name, of) in enumerate(texts.items())})
