"""Computer players for a battle: a charger, a keeper and a shooter. docs/players.md tells what each looks at.

All three weigh the same few things, each in its own way. What is weighed are means and chances of the very rolls that
are thrown, hexes between units, ground, and friends and enemies near a hex; nothing is searched ahead.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import NamedTuple, TypeVar

import msgspec

from generator.common.playing import Playing, Policy, players, policies
from generator.games.battlelore.ground import SIDES, side_name
from generator.games.battlelore.model import Battle
from generator.games.battlelore.playfield import KEPT, OFF, Field, bits, commands
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
    YES,
    Course,
    State,
)
from generator.games.battlelore.playtold import Told
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


class Surroundings(NamedTuple):
    """What lies about a set of enemies."""

    beside: int
    """Hexes from which one of them can be attacked in melee."""
    near: int
    """Hexes within two of one of them."""
    cells: tuple[int, ...]


class Player:
    """A policy's picks, by what it cares for."""

    def __init__(self, number: int, bent: Bent) -> None:
        self.number, self.bent = number, bent

    def __call__(self, course: Course, state: State, stream: Stream) -> int:
        """A lawful decision, by the state alone."""
        phase = state[0]
        if phase == MOVE:
            return self._move(course, state)
        if phase == BATTLE:
            return self._battle(course, state)
        if phase == ORDER:
            return self._order(course, state)
        if phase == CARD:
            return self._card(course, state)
        if phase == BACK:
            return YES
        if phase == GAIN:
            return self._gain(course, state)
        if phase == BONUS:
            return self._bonus(course, state)
        if phase == PURSUE:
            return self._pursue(course, state)
        return self._retreat(course, state)

    # Orders

    def _urgent(self, course: Course, state: State) -> list[tuple[float, int]]:
        """What each own unit's order is worth, the highest first; the same while a turn's orders are chosen."""
        field, at, side = course.field, state.at, state.side
        known = course.urgent.get((self, side))
        if known and known[0] == at:
            return known[1]
        foes = state.own[1 - side]
        attack, shoot, far = self.bent.attack, self.bent.shoot, self.bent.far
        about = _about(course, foes)
        first = field.first_of[1]
        found = []
        kinds, within, bow, moves = field.kind, field.within, field.bow, field.moves
        for unit in range(first, len(at)) if side else range(first):
            cell = at[unit]
            if cell == OFF:
                continue
            kind = kinds[unit]
            if bow[kind] and not field.step[cell] & foes:
                value = shoot if within[cell][field.reach[kind]] & foes else far * 0.8
            elif within[cell][moves[kind]] & about.beside:
                value = attack + 0.3 * field.rank[kind]
            else:
                value = far * field.pace[kind] if not within[cell][4] & foes else far
            found.append((value, unit))
        found.sort(reverse=True)
        course.urgent[self, side] = at, found
        return found

    def _card(self, course: Course, state: State) -> int:
        kinds, side = len(course.deck), state.side
        section, at = course.field.section[side], state.at
        law, more = course.lawful, course.one_more
        urgent = [(value, more[section[at[unit]]]) for value, unit in self._urgent(course, state)]
        best, chosen = -1.0, 0
        held = state.cards[side * kinds : (side + 1) * kinds]
        for card, count in enumerate(held):
            if not count:
                continue
            allowed, left, total, packed = law[card], course.most[card], 0.0, 0
            for value, one in urgent:
                if packed + one in allowed:
                    packed += one
                    total += value
                    left -= 1
                    if not left:
                        break
            if total > best:
                best, chosen = total, card
        return chosen

    def _order(self, course: Course, state: State) -> int:
        allowed, section, at = course.lawful[state.card], course.field.section[state.side], state.at
        more, count, ordered = course.one_more, state.tally, state.ordered
        for _, unit in self._urgent(course, state):
            if not ordered >> unit & 1 and count + more[section[at[unit]]] in allowed:
                return unit
        return DONE

    # Moves

    def _move(self, course: Course, state: State) -> int:
        """The next ordered unit that goes somewhere: one that was passed over stays."""
        waiting = state.ordered & ~state.moved & -(1 << state.moved.bit_length())
        while waiting:
            bit = waiting & -waiting
            waiting ^= bit
            unit = bit.bit_length() - 1
            cell = self._goes(course, state, unit)
            if cell != state.at[unit]:
                return unit << 8 | cell
        return DONE

    def _goes(self, course: Course, state: State, unit: int) -> int:
        """Where a unit had best be when it battles; where nothing is in reach, on its way to the next enemy."""
        field, side = course.field, state.side
        here, kind = state.at[unit], field.kind[unit]
        own, foes = state.own[side], state.own[1 - side]
        near, far = field.ways(kind, here, own | foes)
        if not near:
            return here
        rest = own ^ 1 << here
        about = _about(course, foes)
        bow = field.bow[kind]
        best, chosen = self._stand(course, state, unit, here, rest, 0), here
        step = field.step
        if bow:
            if best > NEVER and not step[here] & foes:
                return here
            zone = near & (about.beside | _shots(course, foes, field.reach[kind]))
        else:
            zone = near & about.beside
        for cell in bits(zone & field.battles[kind]):
            value = self._stand(course, state, unit, cell, rest, 1)
            if value > best:
                best, chosen = value, cell
        if best > NEVER:
            return chosen
        bent = self.bent
        halt = bent.halt_bow if bow else bent.halt if state.turn <= 2 * bent.patience else 1
        return self._closes(field, here, about, far or near, rest, halt)

    def _stand(self, course: Course, state: State, unit: int, cell: int, rest: int, moved: int) -> float:
        """What it is worth to stand on a hex and attack from there; `NEVER` where no attack is worth making."""
        field, at, foes = course.field, state.at, state.own[1 - state.side]
        hexes = field.step[cell] & foes or field.targets(unit, cell, foes, rest | foes)
        best = NEVER
        for there in bits(hexes):
            value = self._worth(course, state, unit, cell, at.index(there), there, moved)
            if value > best:
                best = value
        if best <= self._least(state):
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

    def _closes(self, field: Field, here: int, about: Surroundings, free: int, rest: int, halt: int) -> int:
        """A step toward the next enemy, not nearer than it likes; among equal hexes the better one to stand on."""
        away = field.far[here]
        goal = min(about.cells, key=away.__getitem__)
        off = field.far[goal]
        if off[here] <= halt:
            return here
        cover, mates, beside = self.bent.cover, self.bent.mates, field.near
        best, chosen = 1e9, here
        for cell in bits(free):
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

    def _worth(
        self, course: Course, state: State, unit: int, start: int, target: int, there: int, moved: int
    ) -> float:
        """What an attack is worth in hits; reckoned once for each set of the few numbers on which it hangs."""
        field, figures = course.field, state.figures
        own = state.own[1 if target >= field.first_of[1] else 0]
        kind, other, friends = field.kind[unit], field.kind[target], (field.near[there] & own).bit_count()
        key = ((kind << 8 | other) << 8 | start) << 8 | there
        key = (((key << 4 | figures[unit]) << 4 | figures[target]) << 3 | friends) << 3 | moved << 2 | self.number
        try:
            return course.worth[key]
        except KeyError:
            if len(course.worth) > KEPT:
                course.worth.clear()
            ignored = field.nerve(other, there, own)[0]
            left = figures[unit], figures[target]
            found = course.worth[key] = self._reckoned(field, (kind, other), (start, there), left, moved, ignored)
            return found

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
        field = course.field
        waiting = state.ordered & ~state.spent
        bows = waiting & field.bows
        for some in (bows, waiting ^ bows):
            best, chosen = self._least(state), DONE
            for unit in bits(some):
                value, target = self._best(course, state, unit)
                if value > best:
                    best, chosen = value, unit << 8 | target
            if chosen != DONE:
                return chosen
        return DONE

    def _best(self, course: Course, state: State, unit: int) -> tuple[float, int]:
        field, at = course.field, state.at
        own, foes = state.own[state.side], state.own[1 - state.side]
        here, moved = at[unit], state.moved >> unit & 1
        best, chosen = NEVER, DONE
        for there in bits(field.targets(unit, here, foes, own | foes)):
            target = at.index(there)
            value = self._worth(course, state, unit, here, target, there, moved)
            if value > best:
                best, chosen = value, target
        return best, chosen

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
        for cell in bits(free & _about(course, state.own[1 - side]).beside & field.battles[field.kind[unit]]):
            value = self._stand(course, state, unit, cell, rest, 1)
            if value > best:
                best, chosen = value, cell
        return chosen

    def _bonus(self, course: Course, state: State) -> int:
        value, target = self._best(course, state, state.fight.by)
        return target if value > self._least(state) else DONE

    def _retreat(self, course: Course, state: State) -> int:
        """The hex with the better ground and more friends about."""
        field, unit = course.field, state.fight.on
        seat = field.seat(unit)
        here = state.at[unit]
        rest = state.own[seat] ^ 1 << here
        free = field.back[seat][here] & ~state.own[0] & ~state.own[1]
        return max(bits(free), key=lambda cell: field.cover[cell] + (field.near[cell] & rest).bit_count())


def _about(course: Course, foes: int) -> Surroundings:
    known = course.kept
    found = known.get(foes)
    if found is None:
        field, beside, near = course.field, 0, 0
        cells = bits(foes)
        for cell in cells:
            beside |= field.step[cell]
            near |= field.within[cell][2]
        if len(known) > SEEN:
            known.clear()
        found = known[foes] = Surroundings(beside & ~foes, near, cells)
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
    house = tuple(reading.text.fill(rounds=of.numbers["rounds"]) for reading in commands().reading)
    return Playing(
        engine=lambda battle: Told(placed(battle), firsts(battle)),
        policies=lore_policies(),
        seats=(side_name(SIDES[0]), side_name(SIDES[1])),
        left_out=(*of.left_out, *house),
    )


@cache
def lore_policies() -> Mapping[str, Policy]:
    """The three, with their words."""
    texts = players("battlelore").policy
    return policies("battlelore", {name: Player(i, _bent(of.weights)) for i, (name, of) in enumerate(texts.items())})
