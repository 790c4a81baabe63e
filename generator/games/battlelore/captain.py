"""The strong players of a battle: they plan each turn by exact odds. docs/players.md describes their priorities."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from generator.common.playing import Policy, players, strong_policies
from generator.games.battlelore.outlook import Outlook, Scale, Weights, read_weights
from generator.games.battlelore.playfield import CODES, bits
from generator.games.battlelore.playing import (
    BACK,
    BATTLE,
    BATTLE_BACK,
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
from generator.seeds import Rng


class Captain:
    """A player that orders the units with the most to gain.

    It looks one turn ahead: at the exact odds of its own attacks, and at what the enemy's attacks in the next turn
    can cost on every hex.
    """

    def __init__(self, weights: Weights) -> None:
        self.weights, self._scale = weights, Scale(weights)
        self._last: tuple[Course, tuple[object, ...], Outlook] | None = None
        self._picks = {
            CARD: self._card,
            ORDER: self._order,
            MOVE: self._move,
            BATTLE: self._battle,
            GAIN: self._gain,
            PURSUE: self._pursue,
            BONUS: self._bonus,
            RETREAT: self._retreat,
            IGNORE: self._ignore,
        }

    def pick(self, course: Course, state: State, rng: Rng) -> int:
        """Return a legal decision that depends only on the state."""
        return YES if state.phase == BACK else self._picks[state.phase](course, state, self._outlook(course, state))

    def _outlook(self, course: Course, state: State) -> Outlook:
        """Return the outlook of the side that decides. It is kept while the units stay as they are."""
        side = course.field.seat[state.fight.on] if state.phase in (RETREAT, IGNORE) else state.side
        key = side, state.turn, state.at, state.figures
        last = self._last
        if last is None or last[0] is not course or last[1] != key:
            last = self._last = course, key, Outlook(self._scale, course, state, side)
        return last[2]

    def _card(self, course: Course, state: State, outlook: Outlook) -> int:
        """Return the card whose units gain the most in total. A unit in two sections counts for each."""
        section, kinds = course.field.section[state.side], len(course.quotas)
        # The total gain of the best n units of each section, indexed by n.
        sums = left, centre, right = [0.0], [0.0], [0.0]
        for gain, unit in ranked_units(outlook, outlook.units):
            for place, of in enumerate(sums):
                if CODES[section[state.at[unit]]] >> place & 1:
                    of.append(of[-1] + gain)
        for of in sums:
            of += of[-1:] * (course.widest + 1 - len(of))
        hand = state.cards[state.side * kinds : (state.side + 1) * kinds]

        def total(card: int) -> float:
            a, b, c = course.quotas[card]
            return left[a] + centre[b] + right[c] - self.weights.spare * (a + b + c)

        return max((card for card, count in enumerate(hand) if count), key=total)

    def _order(self, course: Course, state: State, outlook: Outlook) -> int:
        """Return the unit with the most to gain, after the gains of the units already ordered."""
        ranked = ranked_units(outlook, course.eligible(state), bits(state.ordered))
        gain, unit = max(ranked, key=lambda of: of[0], default=(0.0, DONE))
        return unit if gain > 0 else DONE

    def _move(self, course: Course, state: State, outlook: Outlook) -> int:
        """Return the move that gains the most over staying. The other units then plan anew."""
        best, chosen = 0.0, DONE
        for unit in bits(state.ordered & ~state.moved):
            plan = outlook.plan(unit)
            gain = plan.gain - plan.stays
            # A unit with one figure leaves contact although staying seems to be worth more.
            if plan.cell != state.at[unit] and (chosen == DONE or gain > best):
                best, chosen = gain, unit << 8 | plan.cell
        return chosen

    def _battle(self, course: Course, state: State, outlook: Outlook) -> int:
        """Return the attack that is worth most, or end the battles if no attack is worth its risk."""
        best, chosen = 0.0, DONE
        for unit in bits(state.ordered & ~state.spent):
            for value, target, _ in outlook.attacks(unit, state.at[unit], state.moved >> unit & 1):
                if value > best:
                    best, chosen = value, unit << 8 | target
        return chosen

    def _gain(self, course: Course, state: State, outlook: Outlook) -> int:
        """Gain ground if the new hex is at least as good."""
        unit = state.fight.by
        return YES if outlook.place(unit, state.fight.hex) >= outlook.place(unit, state.at[unit]) else NO

    def _pursue(self, course: Course, state: State, outlook: Outlook) -> int:
        """Return the best hex to pursue to, with the bonus melee from there."""
        field, unit = course.field, state.fight.by
        here, battles = state.at[unit], field.battles[field.kind[unit]]
        best, chosen = outlook.place(unit, here), DONE
        for cell in outlook.seen(field.step[here] & ~outlook.taken):
            value = outlook.stand(unit, cell, 1, fights=bool(battles >> here & battles >> cell & 1))[0]
            if value > best:
                best, chosen = value, cell
        return chosen

    def _bonus(self, course: Course, state: State, outlook: Outlook) -> int:
        """Return the target of the bonus melee that is worth most, or none."""
        unit = state.fight.by
        value, target, _ = max(outlook.attacks(unit, state.at[unit], 1), default=(0.0, DONE, 0.0))
        return target if value > 0 else DONE

    def _retreat(self, course: Course, state: State, outlook: Outlook) -> int:
        """Return the hex of a retreat with the least danger."""
        unit = state.fight.on
        free = course.field.back[outlook.side][state.at[unit]] & ~outlook.taken
        return max(outlook.seen(free), key=lambda cell: outlook.place(unit, cell))

    def _ignore(self, course: Course, state: State, outlook: Outlook) -> int:
        """Ignore as many flags as possible, unless retreating one hex is better than staying and battling back."""
        fight, at, most = state.fight, state.at, course.max_ignored(state)
        free = course.field.back[outlook.side][at[fight.on]] & ~outlook.taken
        if most < fight.left or not free:
            return most
        stays = outlook.place(fight.on, at[fight.on])
        if fight.mode != BATTLE_BACK and course.field.step[at[fight.by]] >> at[fight.on] & 1:
            stays += max(
                (value for value, target, _ in outlook.attacks(fight.on, at[fight.on], 0) if target == fight.by),
                default=0.0,
            )
        goes = max(outlook.place(fight.on, cell) for cell in bits(free))
        return most if stays >= goes else most - 1


def ranked_units(outlook: Outlook, units: Iterable[int], ordered: Iterable[int] = ()) -> list[tuple[float, int]]:
    """Return the gain of ordering each unit, with the unit, the highest first.

    A gain counts less if units before it, or those already ordered, probably destroy the same target.
    """
    remains = dict[int, float]()
    for unit in ordered:
        plan = outlook.plan(unit)
        remains[plan.target] = remains.get(plan.target, 1.0) * (1.0 - plan.falls)
    found = []
    for unit in sorted(units, key=lambda unit: outlook.plan(unit).gain, reverse=True):
        plan = outlook.plan(unit)
        found.append((plan.gain * remains.get(plan.target, 1.0), unit))
        remains[plan.target] = remains.get(plan.target, 1.0) * (1.0 - plan.falls)
    return found


@cache
def strong_players() -> Mapping[str, Policy]:
    """Return the strong players with their texts."""
    texts = players("battlelore").strong
    picks = {name: Captain(read_weights(of.weights)).pick for name, of in texts.items()}
    return strong_policies("battlelore", picks)
