"""The engine for playing a battle: states, their legal decisions, and the effects of decisions and dice."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import NamedTuple

from generator.common.playing import DICE, Chances, Outcome, players
from generator.errors import WrongUsageError
from generator.games.battlelore.ground import SIDES
from generator.games.battlelore.model import Battle
from generator.games.battlelore.playfield import BIT, CODES, OFF, Field, Roll, bits, commands, lawful, packed
from generator.games.battlelore.tables import lore
from generator.localization import tr

CARD, ORDER, MOVE, BATTLE, GAIN, PURSUE, BONUS, RETREAT, BACK, IGNORE, DRAW, ROLL, FRIGHT, OVER = range(14)
"""The decision or roll that a state is waiting for. In phases up to BONUS, the side that is playing its turn decides.
"""
DONE = -1
"""The decision that ends a phase or declines an action: no further order, move or battle; no pursuit or bonus melee.
"""
YES, NO = 1, 0
FIRST, AGAIN, BATTLE_BACK = 0, 1, 2
"""The modes of a fight: an attack, a bonus melee, and battling back."""
NOBODY = 2


class Fight(NamedTuple):
    """An attack that is being resolved."""

    by: int
    """The unit that attacks or battles back."""
    on: int
    mode: int
    left: int
    """Number of hexes that the target must still retreat. In the phase `IGNORE`, one for each flag rolled."""
    hex: int
    """The hex of the target when it was attacked."""
    dice: int
    """Number of dice that the target rolls for each hex of its retreat."""


NO_FIGHT = Fight(0, 0, 0, 0, 0, 0)


class State(NamedTuple):
    """The state of a battle. The fields that change most often come first."""

    phase: int
    side: int
    """The side that is playing its turn."""
    at: bytes
    """The hex of each unit, by unit number."""
    figures: bytes
    occupied: tuple[int, int]
    """A mask of the occupied hexes for each side."""
    fight: Fight
    won: tuple[int, int]
    """The victory banners of each side."""
    moved: int
    """A mask of the units that have moved this turn, including moves after a battle."""
    spent: int
    """A mask of the units that cannot battle any more this turn."""
    halted: int
    """A mask of the units that entered terrain from which they cannot pursue."""
    ordered: int
    tally: int
    """The packed number of ordered units in each section."""
    card: int
    """The command card that was played."""
    turn: int
    """The number of the turn, counting the turns of both sides from 1. It is 0 while the first cards are dealt."""
    cards: bytes
    """The number of each command card in either hand, in the deck and among the played cards."""


_new = tuple.__new__
_BYTE = tuple(bytes((value,)) for value in range(256))


def _put(of: bytes, place: int, value: int) -> bytes:
    return of[:place] + _BYTE[value] + of[place + 1 :]


class Course:
    """The engine of a battle, with its field and the rules of play.

    In a turn, a side plays a command card, orders units, moves them one after another, resolves their battles one
    after another, and draws a card. A battle consists of a roll, a retreat hex by hex, battling back, gaining
    ground, pursuit and a bonus melee.
    """

    def __init__(self, battle: Battle, firsts: Sequence[int]) -> None:
        self.field = Field(battle)
        self.firsts = tuple(firsts)
        self.deck = commands().card
        self.quotas = tuple(card.quota for card in self.deck)
        self.widest = max(map(max, self.quotas))
        self.goals = tuple(battle.banners_of(camp) for camp in SIDES)
        self.turns = 2 * players("battlelore").numbers["rounds"]
        self.hands = tuple(battle.hand_of(camp) for camp in SIDES)
        if min(*self.hands, *self.goals) < 1 or sum(self.hands) >= sum(card.count for card in self.deck):
            raise WrongUsageError(tr("this battle cannot be played with its hand sizes or number of victory banners"))
        self._prized = any(self.field.prizes)
        if any(n >= goal for n, goal in zip(self.banners(self.begin(0)), self.goals, strict=True)):
            raise WrongUsageError(
                tr("this battle cannot be played, because one side already holds enough victory hexes to win")
            )
        if len(set(self.field.at)) < len(self.field.at):
            raise WrongUsageError(tr("the battle cannot be played, because two units are on the same hex"))
        self.lawful = tuple(lawful(card.quota) for card in self.deck)
        self.most = tuple(sum(card.quota) for card in self.deck)
        self.one_more = tuple(packed(code) for code in CODES)
        self.kept: dict[int, int] = {}
        """Masks of the hexes next to sets of enemies, as players needed them."""
        self.urgent: dict[int, tuple[bytes, list[tuple[float, int]]]] = {}
        """For each player and seat: the hexes of all units when orders were last evaluated, and the result."""
        self.orders: dict[int, tuple[bytes, int, dict[int, int]]] = {}
        """For each player and seat: the same hexes, the card, and the next order by the mask of units already
        ordered."""
        self._last: tuple[State | None, Roll | None] = None, None
        self._acts = (
            *(self._card, self._order, self._move, self._battle, self._gain),
            *(self._pursue, self._bonus, self._retreat, self._back, self._ignore),
        )

    def begin(self, first: int) -> State:
        """Return the first state, before the hands are dealt."""
        field, kinds = self.field, len(self.deck)
        occupied = tuple(sum(1 << c for u, c in enumerate(field.at) if field.seat[u] == seat) for seat in (0, 1))
        cards = bytes(2 * kinds) + bytes(card.count for card in self.deck) + bytes(kinds)
        # The hands are dealt first, beginning with the first player's. Then the first player's turn begins.
        at, figures = field.at, field.figures
        return State(
            DRAW, first, at, figures, (occupied[0], occupied[1]), NO_FIGHT, (0, 0), 0, 0, 0, 0, 0, 0, 0, cards
        )

    def to_move(self, state: State) -> int:
        """Return the seat that decides, or `DICE` plus the seat that rolls."""
        phase = state[0]
        if phase <= BONUS:
            return state[1]
        if phase == ROLL:
            return DICE + self.field.seat[state[5][0]]
        if phase == DRAW:
            return DICE + state[1]
        return self.field.seat[state[5][1]] + (DICE if phase == FRIGHT else 0)

    def ended(self, state: State) -> Outcome | None:
        """Return the outcome if the game has ended, else None.

        A game without a winner after the last round is a draw.

        A side wins when it has enough banners or the other side has no units left.
        """
        if state[0] != OVER:
            return None
        winner = state.fight.by
        return Outcome(None if winner == NOBODY else winner, self.banners(state), (state.turn + 1) // 2)

    def banners(self, state: State) -> tuple[int, int]:
        """Return the victory banners of both sides: for destroyed units, and for the victory hexes that they hold."""
        if not self._prized:
            return state.won
        held = [sum(n for bit, n in self.field.prizes[seat] if state.occupied[seat] & bit) for seat in (0, 1)]
        return state.won[0] + held[0], state.won[1] + held[1]

    def _counted(self, state: State) -> State:
        """End the battle if a side has enough banners, including its victory hexes.

        The side that is playing its turn is checked first.
        """
        banners = self.banners(state)
        for seat in (state.side, 1 - state.side) if state.phase != OVER else ():
            if banners[seat] >= self.goals[seat]:
                return state._replace(phase=OVER, fight=Fight(seat, 0, 0, 0, 0, 0))
        return state

    def moves(self, state: State) -> Sequence[int]:
        """Return the legal decisions.

        A decision is the number of a card, unit or hex, or `unit << 8 | x` for the hex or target x of a unit. A
        Bold unit decides how many flags it ignores; the first decision listed is the largest number.
        """
        phase, side = state.phase, state.side
        field, fight = self.field, state.fight
        friends, foes = state.occupied[side], state.occupied[1 - side]
        if phase == CARD:
            kinds = len(self.deck)
            return [i for i in range(kinds) if state.cards[side * kinds + i]]
        if phase == ORDER:
            return [*self.eligible(state), DONE]
        if phase == MOVE:
            found = []
            for unit in bits(state.ordered & ~state.moved):
                near, far = field.ways(field.kind[unit], state.at[unit], friends | foes)
                found += [unit << 8 | cell for cell in (*bits(near), *bits(far))]
            return [*found, DONE]
        if phase == BATTLE:
            return [*(u << 8 | t for u in bits(state.ordered & ~state.spent) for t in self.attacks(state, u)), DONE]
        if phase in (GAIN, BACK):
            return [YES, NO]
        if phase == PURSUE:
            return [*bits(field.step[fight.hex] & ~friends & ~foes), DONE]
        if phase == BONUS:
            return [*self.attacks(state, fight.by), DONE]
        if phase == RETREAT:
            seat = field.seat[fight.on]
            return bits(field.back[seat][state.at[fight.on]] & ~friends & ~foes)
        if phase == IGNORE:
            return range(self.max_ignored(state), -1, -1)
        return ()

    def max_ignored(self, state: State) -> int:
        """Return the number of flags that a Bold unit may ignore in the phase `IGNORE`."""
        return min(state.fight.left, self._nerve(state, state.fight.on)[0])

    def eligible(self, state: State) -> list[int]:
        """Return the units that the card may order in addition to those already ordered."""
        side, at = state.side, state.at
        law, section, more = self.lawful[state.card], self.field.section[side], self.one_more
        first = self.field.first_of[1]
        units = range(first, len(at)) if side else range(first)
        ordered, tally = state.ordered, state.tally
        return [
            u for u in units if (cell := at[u]) != OFF and not ordered >> u & 1 and tally + more[section[cell]] in law
        ]

    def attacks(self, state: State, unit: int) -> list[int]:
        """Return the units that a unit may attack from its present hex."""
        at, field = state.at, self.field
        friends, foes = state.occupied[field.seat[unit]], state.occupied[1 - field.seat[unit]]
        here, kind, moved = at[unit], field.kind, state.moved >> unit & 1
        hexes = field.targets(unit, here, foes, friends | foes)
        if not hexes:
            return []
        found = [at.index(cell) for cell in bits(hexes)]
        found = [t for t in found if field.roll(kind[unit], kind[t], here, at[t], moved)]
        return sorted(found)

    def act(self, state: State, move: int) -> State:
        """Return the state after a legal decision."""
        after = self._acts[state[0]](state, move)
        return self._counted(after) if self._prized else after

    def chances(self, state: State) -> Chances:
        """Return the weights of the possible outcomes of a card draw, an attack or a retreat.

        They are the numbers of cards of each kind in the deck, the weights of the roll, or the weights of each
        number of figures lost.
        """
        phase = state[0]
        if phase == ROLL:
            return self.roll(state).weights
        if phase == DRAW:
            kinds = len(self.deck)
            return state.cards[2 * kinds : 3 * kinds]
        dice, faces = state.fight.dice, len(lore().play.face)
        return tuple(comb(dice, k) * (faces - 1) ** (dice - k) for k in range(dice + 1))

    def fall(self, state: State, outcome: int) -> State:
        """Return the state after this outcome of a roll or of drawing a card."""
        after = self._after_roll(state, outcome)
        return self._counted(after) if self._prized else after

    def _after_roll(self, state: State, outcome: int) -> State:
        phase = state[0]
        if phase == ROLL:
            return self._struck(state, *self.roll(state).outcomes[outcome])
        if phase == DRAW:
            return self._drawn(state, outcome)
        return self._walked(self._loses(state, outcome)) if outcome else self._walked(state)

    def roll(self, state: State) -> Roll:
        """Return the roll that a state in the phase `ROLL` waits for.

        It is cached, because a caller asks for its weights and then for its outcomes.
        """
        last, found = self._last
        if last is state and found:
            return found
        field, at, (by, on, *_) = self.field, state.at, state.fight
        roll = field.roll(field.kind[by], field.kind[on], at[by], at[on], state.moved >> by & 1)
        assert roll
        self._last = state, roll
        return roll

    # A turn

    def _drawn(self, state: State, card: int) -> State:
        kinds, side = len(self.deck), state.side
        cards = bytearray(state.cards)
        cards[2 * kinds + card] -= 1
        cards[side * kinds + card] += 1
        if not any(cards[2 * kinds : 3 * kinds]):
            cards[2 * kinds :] = cards[3 * kinds :] + bytes(kinds)
        held = bytes(cards)
        if not state.turn and (left := self._deals(held, side)) is not None:
            return state._replace(cards=held, side=left)
        side = 1 - side
        if state.turn == self.turns:
            return state._replace(phase=OVER, side=side, cards=held, fight=Fight(NOBODY, 0, 0, 0, 0, 0))
        _, _, at, figures, occupied, _, won, *_ = state
        return _new(State, (CARD, side, at, figures, occupied, NO_FIGHT, won, 0, 0, 0, 0, 0, 0, state.turn + 1, held))

    def _deals(self, cards: bytes, side: int) -> int | None:
        """Return the side that is dealt the next of the first cards, or None if the hands are full."""
        kinds = len(self.deck)
        short = (s for s in (side, 1 - side) if sum(cards[s * kinds : (s + 1) * kinds]) < self.hands[s])
        return next(short, None)

    def _card(self, state: State, move: int) -> State:
        kinds = len(self.deck)
        cards = bytearray(state.cards)
        cards[state.side * kinds + move] -= 1
        cards[3 * kinds + move] += 1
        return _new(State, (ORDER, *state[1:12], move, state[13], bytes(cards)))

    def _order(self, state: State, move: int) -> State:
        _, side, at, figures, occupied, fight, won, moved, spent, halted, ordered, tally, card, turn, cards = state
        if move == DONE:
            phase = MOVE if ordered else DRAW
        else:
            tally += self.one_more[self.field.section[side][at[move]]]
            ordered |= 1 << move
            phase = MOVE if ordered.bit_count() == self.most[card] else ORDER
        whole = (
            phase,
            side,
            at,
            figures,
            occupied,
            fight,
            won,
            moved,
            spent,
            halted,
            ordered,
            tally,
            card,
            turn,
            cards,
        )
        return _new(State, whole)

    def _move(self, state: State, move: int) -> State:
        _, side, at, figures, occupied, fight, won, moved, spent, halted, ordered, tally, card, turn, cards = state
        if move == DONE:
            phase = BATTLE
        else:
            unit, cell = move >> 8, move & 255
            field, bit = self.field, 1 << unit
            kind, here = field.kind[unit], at[unit]
            ran = (
                field.runs[kind] > field.moves[kind]
                and field.ways(kind, here, occupied[0] | occupied[1])[1] >> cell & 1
            )
            if ran or not field.battles[kind] >> cell & 1:
                spent |= bit
            if field.halts >> cell & 1:
                halted |= bit
            moved |= bit
            at = at[:unit] + _BYTE[cell] + at[unit + 1 :]
            occupied = _shifted(occupied, side, here, cell)
            phase = MOVE if ordered & ~moved else BATTLE
        if phase == BATTLE and not ordered & ~spent:
            phase = DRAW
        whole = (
            phase,
            side,
            at,
            figures,
            occupied,
            fight,
            won,
            moved,
            spent,
            halted,
            ordered,
            tally,
            card,
            turn,
            cards,
        )
        return _new(State, whole)

    def _battle(self, state: State, move: int) -> State:
        if move == DONE:
            return _new(State, (DRAW, *state[1:]))
        _, side, at, figures, occupied, _, won, moved, spent, halted, ordered, tally, card, turn, cards = state
        by, on = move >> 8, move & 255
        fight = _new(Fight, (by, on, FIRST, 0, at[on], 0))
        spent |= 1 << by
        whole = ROLL, side, at, figures, occupied, fight, won, moved, spent, halted, ordered, tally, card, turn, cards
        return _new(State, whole)

    # A battle

    def _struck(self, state: State, hits: int, flags: int) -> State:
        if hits:
            state = self._loses(state, hits)
            if state[0] == OVER:
                return state
        by, on, mode, _, stood, _ = state[5]
        if not flags or state[2][on] == OFF:
            return self._settled(state)
        ignored, each, dice = self._nerve(state, on)
        fight = _new(Fight, (by, on, mode, each * flags, stood, dice))
        if ignored:
            return _new(State, (IGNORE, *state[1:5], fight, *state[6:]))
        return self._walked(_new(State, (*state[:5], fight, *state[6:])))

    def _nerve(self, state: State, unit: int) -> tuple[int, int, int]:
        """Return the ignored flags, hexes per flag and dice per hex of a unit, as in `Field.nerve`."""
        field, at = self.field, state[2][unit]
        friends = (field.near[at] & state[4][field.seat[unit]]).bit_count()
        return field.nerve(field.kind[unit], at, friends)

    def _walked(self, state: State) -> State:
        """Continue a retreat. If no hex is free, the unit loses a figure for each remaining hex."""
        fight, field = state.fight, self.field
        if state.phase == OVER:
            return state
        here = state.at[fight.on]
        if not fight.left or here == OFF:
            return self._settled(state)
        if field.back[field.seat[fight.on]][here] & ~(state.occupied[0] | state.occupied[1]):
            return _new(State, (RETREAT, *state[1:]))
        state = self._loses(state, fight.left)
        return state if state.phase == OVER else self._settled(state)

    def _loses(self, state: State, count: int) -> State:
        """Remove figures from the target of the fight. If none are left, the enemy gains a victory banner."""
        phase, side, at, figures, occupied, fight, won, moved, spent, halted, ordered, tally, card, turn, cards = (
            state
        )
        on = fight.on
        left = figures[on] - count
        if left > 0:
            figures = figures[:on] + _BYTE[left] + figures[on + 1 :]
            whole = (
                phase,
                side,
                at,
                figures,
                occupied,
                fight,
                won,
                moved,
                spent,
                halted,
                ordered,
                tally,
                card,
                turn,
                cards,
            )
            return _new(State, whole)
        seat = self.field.seat[on]
        others = occupied[seat] & ~(1 << state.at[on])
        occupied = (occupied[0], others) if seat else (others, occupied[1])
        won = (won[0] + 1, won[1]) if seat else (won[0], won[1] + 1)
        state = state._replace(
            at=_put(state.at, on, OFF), figures=_put(state.figures, on, 0), occupied=occupied, won=won
        )
        winner = 1 - seat
        if won[winner] >= self.goals[winner] or not others:
            return state._replace(phase=OVER, fight=Fight(winner, 0, 0, 0, 0, 0))
        return state

    def _settled(self, state: State) -> State:
        """Continue after losses and retreat with gaining ground, battling back, or the next battle."""
        by, on, mode, _, stood, _ = state[5]
        at, field = state[2], self.field
        if mode == BATTLE_BACK or not field.step[at[by]] >> stood & 1:
            return self._next(state)
        if at[on] != stood:
            return _new(State, (GAIN, *state[1:]))
        if self._nerve(state, on)[0] and field.roll(field.kind[on], field.kind[by], stood, at[by], 0):
            return _new(State, (BACK, *state[1:]))
        return self._next(state)

    def _next(self, state: State) -> State:
        _, side, at, figures, occupied, _, won, moved, spent, halted, ordered, tally, card, turn, cards = state
        phase = BATTLE if ordered & ~spent else DRAW
        whole = (
            phase,
            side,
            at,
            figures,
            occupied,
            NO_FIGHT,
            won,
            moved,
            spent,
            halted,
            ordered,
            tally,
            card,
            turn,
            cards,
        )
        return _new(State, whole)

    def _retreat(self, state: State, move: int) -> State:
        fight = state.fight
        on = fight.on
        occupied = _shifted(state.occupied, self.field.seat[on], state.at[on], move)
        fight = _new(Fight, (fight.by, on, fight.mode, fight.left - 1, fight.hex, fight.dice))
        state = _new(State, (FRIGHT, state[1], _put(state.at, on, move), state[3], occupied, fight, *state[6:]))
        return state if fight.dice else self._walked(state)

    def _back(self, state: State, move: int) -> State:
        if move == NO:
            return self._next(state)
        by, on = state.fight.by, state.fight.on
        fight = _new(Fight, (on, by, BATTLE_BACK, 0, state.at[by], 0))
        return _new(State, (ROLL, *state[1:5], fight, *state[6:]))

    def _ignore(self, state: State, move: int) -> State:
        fight = state.fight
        return self._walked(state._replace(fight=fight._replace(left=fight.left - move)))

    def _gain(self, state: State, move: int) -> State:
        if move == NO:
            return self._next(state)
        fight, field = state.fight, self.field
        by, cell = fight.by, fight.hex
        state = self._led(state, by, cell)
        rides = fight.mode == FIRST and field.mounted[field.kind[by]] and not state.halted >> by & 1
        if rides and field.step[cell] & ~(state.occupied[0] | state.occupied[1]):
            return _new(State, (PURSUE, *state[1:]))
        return self._next(state)

    def _pursue(self, state: State, move: int) -> State:
        if move == DONE:
            return self._next(state)
        fight, field = state.fight, self.field
        may = field.battles[field.kind[fight.by]]
        state = self._led(state, fight.by, move)
        if may >> fight.hex & 1 and may >> move & 1 and self.attacks(state, fight.by):
            return _new(State, (BONUS, *state[1:]))
        return self._next(state)

    def _bonus(self, state: State, move: int) -> State:
        if move == DONE:
            return self._next(state)
        by = state.fight.by
        return state._replace(phase=ROLL, fight=Fight(by, move, AGAIN, 0, state.at[move], 0))

    def _led(self, state: State, unit: int, cell: int) -> State:
        """Move a unit to another hex after its battle."""
        phase, side, at, figures, occupied, fight, won, moved, spent, halted, *rest = state
        occupied, at = _shifted(occupied, side, at[unit], cell), _put(at, unit, cell)
        if self.field.halts >> cell & 1:
            halted |= 1 << unit
        return _new(State, (phase, side, at, figures, occupied, fight, won, moved | 1 << unit, spent, halted, *rest))


def _shifted(occupied: tuple[int, int], seat: int, here: int, there: int) -> tuple[int, int]:
    flip = BIT[here] | BIT[there]
    return (occupied[0], occupied[1] ^ flip) if seat else (occupied[0] ^ flip, occupied[1])
