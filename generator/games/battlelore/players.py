"""Computer players for a battle: a charger, a keeper and a shooter. docs/players.md describes their priorities.

The three players evaluate the same quantities with different weights: means and probabilities of the next rolls,
distances, terrain, and friends and enemies near a hex. They do not search ahead.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from itertools import count
from typing import TypeVar

import msgspec

from generator.common.playing import Playing, Policy, players, policies
from generator.games.battlelore.ground import SIDES, side_name
from generator.games.battlelore.model import Battle
from generator.games.battlelore.playfield import BIT, CODES, KEPT, OFF, Field, Pulls, bits
from generator.games.battlelore.playing import (
    BACK,
    BATTLE,
    BONUS,
    CARD,
    DONE,
    GAIN,
    IGNORE,
    MOVE,
    NO,
    ORDER,
    PURSUE,
    RETREAT,
    YES,
    Course,
    State,
)
from generator.games.battlelore.presenter import BattlePresenter
from generator.games.battlelore.told_playing import PlayReporter
from generator.seeds import Rng

B = TypeVar("B", bound=Battle)

_PLACES = tuple(tuple(place for place in range(3) if code >> place & 1) for code in CODES)
"""The section numbers, from the left, for each of the `CODES`."""
PRIZE = 2.0
"""The value, in hits, of ordering a unit that can occupy a victory hex, added to that of a unit that can attack."""
NEVER = -99.0
"""The value of an attack that is impossible or that the player must not make."""
_GONE = bytes((OFF,))
_KEYS = count()
MAX_CACHED = 20_000
"""Maximum number of cached results for sets of hexes. The cache is cleared when it is full."""
MAX_CACHED_ATTACKS = 50_000
"""Maximum number of cached attack values of a player, which is about the number in six searches for grade C."""


class Weights(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The weights of a player, in hits. The head of data/battlelore/players.toml describes them."""

    kill: float
    flag: float
    risk: float
    mates: float
    cover: float
    fear: float
    min_value: float = msgspec.field(name="least")
    shot: float
    attack: float
    shoot: float
    far: float
    halt: int
    halt_bow: int
    patience: int


_WHOLE = ("halt", "halt_bow", "patience")


def _read_weights(weights: Mapping[str, int]) -> Weights:
    return msgspec.convert({name: n if name in _WHOLE else n / 100 for name, n in weights.items()}, Weights)


class PolicyPlayer:
    """A computer player that decides by its weights."""

    def __init__(self, number: int, weights: Weights) -> None:
        self.number, self.weights = number, weights
        self.key = next(_KEYS)
        """A number that no other player of this process has, for results that are cached beyond a battle."""
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
            IGNORE: self._ignore,
        }
        self._picks = tuple(picks[phase] for phase in range(len(picks)))

    def pick(self, course: Course, state: State, stream: Rng) -> int:
        """Return a legal decision that depends only on the state."""
        return self._picks[state[0]](course, state)

    def _back(self, course: Course, state: State) -> int:
        """Always battle back."""
        return YES

    def _ignore(self, course: Course, state: State) -> int:
        """Always ignore as many flags as possible."""
        return course.max_ignored(state)

    # Orders

    def _urgent(self, course: Course, state: State) -> list[tuple[float, int]]:
        """Return the value of ordering each of the player's units with its number, the highest first.

        The list is cached for the orders of a turn.
        """
        field, at, side = course.field, state.at, state.side
        known = course.urgent.get(self.number << 1 | side)
        if known and known[0] == at:
            return known[1]
        foes = state.occupied[1 - side]
        enemy_adjacent, first = _adjacent_to_enemies(course, state), field.first_of[1]
        kinds, within, step, bow = field.kind, field.within, field.step, field.bow
        moves, reach = field.moves, field.reach
        shoot, far = self.weights.shoot, self.weights.far
        attacks, idle = self._pulls(field)
        prizes = field.prize_cells[side]
        found = []
        start, stop = (first, len(at)) if side else (0, first)
        for unit, cell in enumerate(at[start:stop], start):
            if cell == OFF:
                continue
            kind, zone = kinds[unit], within[cell]
            if prizes and self._prize(course, state, unit):
                found.append((attacks[kind] + PRIZE, unit))
            elif bow[kind] and not step[cell] & foes:
                found.append((shoot if zone[reach[kind]] & foes else far, unit))
            else:
                found.append((attacks[kind] if zone[moves[kind]] & enemy_adjacent else idle[kind], unit))
        found.sort(reverse=True)
        course.urgent[self.number << 1 | side] = at, found
        return found

    def _pulls(self, field: Field) -> Pulls:
        """Return the values, by kind, of ordering a unit that may attack and a unit that can only advance."""
        of, weights = field.of_kinds, self.weights
        known = of.pulls.get(self.key)
        if known is None:
            idle = tuple(weights.far * (1.0 + 0.1 * run) for run in of.runs)
            known = of.pulls[self.key] = tuple(weights.attack + 0.3 * rank for rank in of.rank), idle
        return known

    def _card(self, course: Course, state: State) -> int:
        """Return the card whose units have the highest total value. A unit in two sections counts for each."""
        quotas, (side, at) = course.quotas, state[1:3]
        count, section = len(quotas), course.field.section[side]
        # The total value of the best n units of each section, indexed by n.
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
        """Return the most urgent unit that the card may still order.

        All orders of a card are planned together and cached.
        """
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
            # A unit that the card cannot order together with these units cannot be ordered together with more units
            # either.
            if not before >> unit & 1 and with_it in allowed:
                after[before] = unit
                before, count = before | 1 << unit, with_it
        after[before] = DONE
        course.orders[self.number << 1 | side] = at, card, after
        return after[ordered]

    # Moves

    def _move(self, course: Course, state: State) -> int:
        """Return the next ordered unit with its destination. A unit that was skipped does not move later."""
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
        """Return the best hex to battle from or, if no enemy is in reach, a hex nearer to the nearest enemy."""
        field, (side, at, _, both) = course.field, state[1:5]
        here, kind = at[unit], field.kind[unit]
        friends, foes = both[side], both[1 - side]
        rest, bow = friends ^ BIT[here], field.bow[kind]
        if prizes := field.prize_cells[side]:
            if prizes >> here & 1:
                return here
            if prize := self._prize(course, state, unit):
                return prize.bit_length() - 1
        if (bow or field.step[here] & foes) and self._stands(course, state, unit, (here,), rest, 0) != OFF:
            return here
        near, far = field.ways(kind, here, friends | foes)
        if not near:
            return here
        enemy_adjacent = _adjacent_to_enemies(course, state)
        zone = near & (enemy_adjacent | _shots(field, state, field.reach[kind])) if bow else near & enemy_adjacent
        if zone := zone & field.battles[kind]:
            chosen = self._stands(course, state, unit, _seen(zone, side), rest, 1)
            if chosen != OFF:
                return chosen
        weights = self.weights
        if ahead := prizes & ~friends:
            # A victory hex that its side does not hold draws a unit more than the nearest enemy does.
            return self._closes(field, side, here, ahead, far or near, rest, 0)
        halt = weights.halt_bow if bow else weights.halt if state[13] <= 2 * weights.patience else 1
        return self._closes(field, side, here, foes, far or near, rest, halt)

    def _prize(self, course: Course, state: State, unit: int) -> int:
        """Return the mask of the free victory hex with the most banners that a unit can reach; 0 if there is none."""
        field, (side, at, _, both) = course.field, state[1:5]
        here, taken = at[unit], both[0] | both[1]
        if field.prize_cells[side] >> here & 1:
            return 0
        near, far = field.ways(field.kind[unit], here, taken)
        open_ = [(n, bit) for bit, n in field.prizes[side] if bit & (near | far)]
        return max(open_)[1] if open_ else 0

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
        """Return the hex from which an attack has the highest value, or `OFF` if no value exceeds `best`."""
        field, foes, weights, chosen = course.field, state[4][1 - state[1]], self.weights, OFF
        step, bow, patient = field.step, field.bow[field.kind[unit]], state[13] <= 2 * weights.patience
        for cell in cells:
            hexes = step[cell] & foes
            if not hexes and bow:
                hexes = field.targets(unit, cell, foes, rest | foes)
            if hexes:
                value = self._best(course, state, unit, cell, hexes, moved)[0]
                if value > weights.min_value or (value != NEVER and not patient):
                    value += self._place(field, cell, rest, foes)
                    if value > best:
                        best, chosen = value, cell
        return chosen

    def _place(self, field: Field, cell: int, rest: int, foes: int) -> float:
        """Return the value of a hex for a unit that does not attack."""
        weights = self.weights
        value: float = weights.cover * field.cover[cell]
        if (field.near[cell] & rest).bit_count() >= 2:
            value += weights.mates
        if weights.fear:
            value -= weights.fear * (field.within[cell][2] & foes).bit_count()
        return value

    def _closes(self, field: Field, side: int, here: int, foes: int, free: int, rest: int, halt: int) -> int:
        """Return a hex nearer to the nearest enemy, but at least `halt` hexes away.

        If several are equally near, return the best.
        """
        for zone in field.within[here]:
            if zone & foes:
                goal = _seen(zone & foes, side)[0]
                break
        else:
            goal = min(_seen(foes, side), key=field.far[here].__getitem__)
        off = field.far[goal]
        if off[here] <= halt:
            return here
        cover, mates, near_cells = self.weights.cover, self.weights.mates, field.near
        best, chosen = 1e9, here
        for cell in _seen(free, side):
            value: float = off[cell]
            if value < halt or value > best:
                continue
            value -= cover * field.cover[cell]
            if near_cells[cell] & rest:
                value -= mates * 0.7
            if value < best:
                best, chosen = value, cell
        return chosen if best < off[here] else here

    # Battles

    def _best(self, course: Course, state: State, unit: int, start: int, hexes: int, moved: int) -> tuple[float, int]:
        """Return the highest value of an attack from a hex on any of these target hexes, and its target.

        Values are cached under the few numbers that determine them.
        """
        field, (side, at, figures, both) = course.field, state[1:5]
        near, occupied, kinds, lies = field.near, both[1 - side], field.kind, field.lies
        known, nerves = field.of_kinds.worth[self.key], field.nerves
        # These hexes are either all adjacent to the start or all at a distance.
        near_by = 1 if hexes & field.step[start] else 0
        # The numbers that vary most are in the lowest bits, because a dict uses the lowest bits of a hash first.
        base = kinds[unit] << 10 | near_by << 23 | moved << 24 | lies[start] << 8
        best, chosen = NEVER, DONE
        for there in _FROM[side].get(hexes) or _seen(hexes, side):
            target = at.index(there)
            mark, left = kinds[target] | lies[there], figures[target]
            friends = (near[there] & occupied).bit_count()
            # Look up the result of `Field.nerve` here, because a call for every target is slow.
            nerve = nerves.get(mark | friends << 6)
            ignored = (nerve or field.nerve(kinds[target], there, friends))[0]
            # The attacker's figures matter only if the target can battle back.
            attack_figures = figures[unit] if ignored else 0
            key = base | mark | left << 6 | attack_figures << 16 | ignored << 20
            value = known.get(key)
            if value is None:
                if len(known) > MAX_CACHED_ATTACKS:
                    known.clear()
                value = known[key] = self._computed(
                    field, (kinds[unit], kinds[target]), (start, there), (attack_figures, left), moved, ignored
                )
            if value > best:
                best, chosen = value, target
        return best, chosen

    def _computed(
        self,
        field: Field,
        kinds: tuple[int, int],
        hexes: tuple[int, int],
        figures: tuple[int, int],
        moved: int,
        ignored: int,
    ) -> float:
        """Return the value of an attack.

        Hits, the victory banner and the retreat add to the value, and the risk of battling back reduces it.

        `kinds`, `hexes` and `figures` are pairs for attacker and target.
        """
        weights, (kind, other), (start, there) = self.weights, kinds, hexes
        roll = field.roll(kind, other, start, there, moved)
        if roll is None:
            return NEVER
        stays, falls = roll.stays[figures[1]][ignored], roll.hits[figures[1]]
        value = roll.mean + weights.kill * falls + weights.flag * (1.0 - stays - falls)
        if not field.step[start] >> there & 1:
            return value * weights.shot
        back = field.roll(other, kind, there, start, 0) if ignored else None
        if back is not None:
            value -= weights.risk * stays * (back.mean + weights.kill * back.hits[figures[0]])
        return value

    def _least(self, state: State) -> float:
        """Return the value that an attack must exceed at this time."""
        return self.weights.min_value if state.turn <= 2 * self.weights.patience else NEVER

    def _battle(self, course: Course, state: State) -> int:
        """Return the attack with the highest value. Units with bows attack before other units."""
        field, (side, at, _, both) = course.field, state[1:5]
        moved, spent, _, ordered = state[7:11]
        waiting = ordered & ~spent
        bows = waiting & field.bows
        friends, foes, min_value = both[side], both[1 - side], self._least(state)
        for some in (bows, waiting ^ bows):
            best, chosen = min_value, DONE
            for unit in bits(some):
                hexes = field.step[at[unit]] & foes
                if not hexes and some is bows:
                    hexes = field.targets(unit, at[unit], foes, friends | foes)
                if hexes:
                    value, target = self._best(course, state, unit, at[unit], hexes, moved >> unit & 1)
                    if value > best:
                        best, chosen = value, unit << 8 | target
            if chosen != DONE:
                return chosen
        return DONE

    def _gain(self, course: Course, state: State) -> int:
        """Decide whether to gain ground: yes, unless the new hex is clearly worse.

        A player that closes in always does. A unit gains a victory hex, and does not leave one.
        """
        prizes, fight = course.field.prize_cells[state.side], state.fight
        if prizes and (prizes >> fight.hex ^ prizes >> state.at[fight.by]) & 1:
            return YES if prizes >> fight.hex & 1 else NO
        if self.weights.halt == 1:
            return YES
        field, fight = course.field, state.fight
        cell = state.at[fight.by]
        rest, foes = state.occupied[state.side] ^ BIT[cell], state.occupied[1 - state.side]
        here = self._place(field, cell, rest, foes)
        return YES if self._place(field, fight.hex, rest, foes) >= here - 0.3 else NO

    def _pursue(self, course: Course, state: State) -> int:
        """Return the hex from which a bonus melee has the highest value."""
        field, unit, side = course.field, state.fight.by, state.side
        here = state.at[unit]
        rest = state.occupied[side] ^ 1 << here
        if field.prize_cells[side] >> here & 1:
            return DONE
        if not field.battles[field.kind[unit]] >> here & 1:
            return DONE
        free = field.step[here] & ~rest & ~state.occupied[1 - side]
        cells = _seen(free & _adjacent_to_enemies(course, state) & field.battles[field.kind[unit]], side)
        chosen = self._stands(course, state, unit, cells, rest, 1, max(self._least(state), 0.0))
        return DONE if chosen == OFF else chosen

    def _bonus(self, course: Course, state: State) -> int:
        unit = state.fight.by
        here = state.at[unit]
        hexes = course.field.step[here] & state.occupied[1 - state.side]
        value, target = self._best(course, state, unit, here, hexes, 1)
        return target if value > self._least(state) else DONE

    def _retreat(self, course: Course, state: State) -> int:
        """Return the retreat hex with the best terrain and the most friends around it."""
        field, unit = course.field, state.fight.on
        seat = field.seat[unit]
        here = state.at[unit]
        rest = state.occupied[seat] ^ 1 << here
        cells = _seen(field.back[seat][here] & ~state.occupied[0] & ~state.occupied[1], seat)
        if len(cells) == 1:
            return cells[0]
        return max(cells, key=lambda cell: field.cover[cell] + (field.near[cell] & rest).bit_count())


_FROM: tuple[dict[int, tuple[int, ...]], dict[int, tuple[int, ...]]] = {}, {}
"""For each seat, a cache of the hexes of masks in the order of `_seen`."""


def _seen(mask: int, seat: int) -> tuple[int, ...]:
    """Return the hexes of a mask in the order in which that seat sees them.

    This treats a battle and its 180° turn alike.
    """
    known = _FROM[seat]
    found = known.get(mask)
    if found is None:
        if len(known) > KEPT:
            known.clear()
        found = known[mask] = bits(mask)[:: -1 if seat else 1]
    return found


@lru_cache(4_000)  # The same hands occur often.
def _held(hand: bytes) -> tuple[int, ...]:
    """Return the kinds of cards in a hand that is given as the number of each kind."""
    return tuple(kind for kind, count in enumerate(hand) if count)


def _foes(field: Field, state: State) -> bytes:
    """Return the hexes of the enemies of the side that is playing its turn."""
    first = field.first_of[1]
    return (state[2][:first] if state[1] else state[2][first:]).replace(_GONE, b"")


def _adjacent_to_enemies(course: Course, state: State) -> int:
    """Return a mask of the hexes from which an enemy can be attacked in melee."""
    foes = state[4][1 - state[1]]
    known = course.kept.get(foes)
    if known is not None:
        return known
    found, step = 0, course.field.step
    for cell in _foes(course.field, state):
        found |= step[cell]
    if len(course.kept) > MAX_CACHED:
        course.kept.clear()
    found = course.kept[foes] = found & ~foes
    return found


def _shots(field: Field, state: State, reach: int) -> int:
    """Return a mask of the hexes within the range of a bow from an enemy."""
    zone, within = 0, field.within
    for cell in _foes(field, state):
        zone |= within[cell][reach]
    return zone


def playing(
    placed: Callable[[B], Battle] = lambda battle: battle,
    firsts: Callable[[B], tuple[int, ...]] = lambda battle: (SIDES.index(battle.first),),
    strong: Mapping[str, Policy] | None = None,
) -> Playing[B]:
    """Return the support for playing battles.

    `placed` returns the battle with its units set up. `firsts` returns the seats that may move first.
    """
    of = players("battlelore")
    return Playing(
        engine=lambda battle: PlayReporter(placed(battle), firsts(battle)),
        policies=lore_policies(),
        seats=(side_name(SIDES[0]), side_name(SIDES[1])),
        left_out=of.left_out,
        house=tuple(text.fill(rounds=of.numbers["rounds"]) for text in of.house),
        firsts=firsts,
        left=_left,
        strong=strong or {},
        presenter=BattlePresenter,
    )


def _left(course: Course, state: State) -> dict[str, int]:
    """Return the remaining figures of every unit, keyed by id."""
    return {unit.id: figures for (_, unit), figures in zip(course.field.units, state.figures, strict=True)}


@cache
def lore_policies() -> Mapping[str, Policy]:
    """Return the three computer players with their texts."""
    texts = players("battlelore").policy
    picks = {name: PolicyPlayer(i, _read_weights(of.weights)).pick for i, (name, of) in enumerate(texts.items())}
    # Weak players ignore all flags they can, as they did before this was a decision. This keeps their games.
    return {
        name: msgspec.structs.replace(policy, never_random=lambda state: state[0] == IGNORE)
        for name, policy in policies("battlelore", picks).items()
    }
