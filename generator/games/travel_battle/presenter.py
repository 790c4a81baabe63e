"""Describe a battle in play to the people at the table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import comb
from typing import cast

from generator.common.presenter import Choice, Event, Face, Presenter, UnitNow, find_unit, percent_text
from generator.errors import WrongUsageError
from generator.games.travel_battle.playfield import (
    AGAIN,
    ASIDE,
    CHOOSE,
    END,
    FIGHT,
    FIRE,
    FORM,
    GO,
    HIT,
    LEAVE,
    LOSE,
    MEET,
    MOVE,
    RALLY,
    RETHROW,
    ROLL,
    SHOOT,
    TAKE,
    Move,
    State,
    bits,
)
from generator.games.travel_battle.playing import Battle
from generator.games.travel_battle.tables import (
    DIE_FACES,
    Fight,
    Fighters,
    MassedOn,
    Shot,
    artillery,
    effects,
    words,
)
from generator.localization import tr
from generator.model.words import Words, joined, same
from generator.seeds import Rng

IN_SQUARE, HELD = "#", "!"
"""The marks after the id of a unit in square formation, and of one that may not move in its next turn."""
MAX_GROUPS = 8
"""The maximum number of melees or shots that a question names."""
_ASKS = {MOVE: "ask_move", FIRE: "ask_fire", FIGHT: "ask_fight", ASIDE: "ask_aside", AGAIN: "ask_again"}
_EVENTS = {GO: "move", LEAVE: "leave", SHOOT: "fire", MEET: "melee", TAKE: "suffer", END: "end"}
_ROLLS = {HIT: "hit", RALLY: "rally", ROLL: "roll", RETHROW: "reroll"}


class BattlePresenter(Presenter):
    """Descriptions of a battle of Travel Battle."""

    engine: Battle

    def __init__(self, engine: Battle) -> None:
        super().__init__(engine)
        texts = words()["presented"]
        self.key = (texts["in_square"].fill(mark=IN_SQUARE), texts["held"].fill(mark=HELD))

    def round(self, state: State) -> int:
        """Return the number of the round."""
        return self.engine.round(state)

    def mover(self, state: State) -> int:
        """Return the side whose turn it is."""
        return state.seat

    def units(self, state: State) -> Sequence[UnitNow]:
        """Return all units and brigadiers. A unit that left by the enemy's edge is not lost."""
        of = self.engine
        found = []
        for u, unit in enumerate(of.field.units):
            cell = state.cells[u]
            note = IN_SQUARE if state.squares >> u & 1 else HELD if state.held >> u & 1 and cell >= 0 else ""
            place, left = of.square(cell) if cell >= 0 else "", int(cell != -1)
            found.append(UnitNow(unit.id, of.field.seat[u], unit.kind.name.low, place, left, 1, note))
        return found

    def score(self, state: State) -> tuple[int, int]:
        """Return the number of brigades that each side has destroyed."""
        lost = self.engine.destroyed(state)
        return lost[1], lost[0]

    def question(self, state: State) -> Words:
        """Return what the side to move has to decide."""
        texts, of, stage = words()["presented"], self.engine, state.stage
        values: dict[str, object] = {}
        if stage == MOVE:
            able = dict.fromkeys(unit for what, unit, _ in of.moves(state) if what != END)
            values = {"units": self._ids(list(able))}
            return texts["ask_move" if values["units"] != same("") else "ask_no_move"].fill(**values)
        if stage == FIRE:
            values = {"units": self._ids([gun for gun, _ in of.shots(state)])}
        elif stage == FIGHT:
            meetings = [same(of.write(state, move)) for move in of.meetings(state)]
            more = [same("…")] * (len(meetings) > MAX_GROUPS)
            values = {"melees": joined([*meetings[:MAX_GROUPS], *more])}
        elif stage == ASIDE:
            values = {"unit": self._label(state.pending[0]), "square": of.square(state.cells[state.pending[0]])}
        elif stage == LOSE:
            units, result = state.pending
            return texts["ask_lose"].fill(units=self._ids(units), result=effects()[result].name.low)
        elif stage == AGAIN:
            attackers, _, dice, who = state.pending
            attacking, defending = max(dice[: len(attackers)]), max(dice[len(attackers) :])
            own, foe = (attacking, defending) if who == state.seat else (defending, attacking)
            values = {"own": own, "foe": foe}
        return texts[_ASKS[stage]].fill(**values)

    def _ids(self, units: Sequence[int]) -> Words:
        return joined([same(self.engine.name(u)) for u in units])

    def _label(self, unit: int) -> Words:
        of = self.engine.field.units[unit]
        return words()["presented"]["unit"].fill(unit=of.id, kind=of.kind.name.low)

    def choice(self, state: State, move: Move) -> Choice:
        """Return a decision in notation and in words."""
        texts, of, (what, a, b) = words()["presented"], self.engine, move
        notation = of.write(state, move)
        if what == END:
            return Choice(notation, "", texts["end_move" if state.stage == MOVE else "end_fire"], ends=True)
        if what == CHOOSE:
            return Choice(notation, "", texts["reroll" if a else "keep"])
        if what == MEET:
            return Choice(notation, of.name(bits(a)[0]), self._melee_line(state, bits(a), bits(b)))
        if what == SHOOT:
            return Choice(notation, of.name(a), self._shot_line(state, a, b))
        if what == FORM:
            text = texts["dissolves" if state.squares >> a & 1 else "forms"].fill(unit=of.name(a))
        elif what == GO:
            foes = self._touched(state, a, b)
            key = "goes_to" if foes and of.field.fighters >> a & 1 else "goes"
            text = texts[key].fill(unit=of.name(a), square=of.square(b), foes=self._ids(foes))
        else:
            text = texts["suffers" if what == TAKE else "leaves"].fill(unit=of.name(a))
        return Choice(notation, of.name(a), text)

    def _touched(self, state: State, unit: int, cell: int) -> list[int]:
        """Return the fighting enemies next to a square."""
        field = self.engine.field
        foes = state.men[1 - field.seat[unit]] & field.touch[cell]
        return [u for there in bits(foes) for u in self.engine.on(state, there) if field.fighters >> u & 1]

    def aliases(self, state: State, move: Move) -> Sequence[str]:
        """Return a shot with the id of a unit on its square."""
        what, a, b = move
        if what != SHOOT:
            return ()
        return [f"{self.engine.name(a)} {self.engine.name(u)}" for u in self.engine.on(state, b)]

    def echo(self, state: State, move: Move) -> Words | None:
        """Return a movement in a sentence, because the narrator reports all movements of a turn together."""
        return self.choice(state, move).text if state.stage == MOVE and move[0] != END else None

    def event(self, state: State, what: Move | int, fell: bool) -> Event:
        """Return the parties of a step."""
        of = self.engine
        if isinstance(what, int):
            return self._dice_event(state, what)
        kind, a, b = what
        if kind == CHOOSE:
            return Event("reroll" if a else "keep")
        if kind == END:
            return Event("end")
        if kind == MEET:
            mates = "+".join(of.name(u) for u in bits(a))
            unit, aims = bits(a)[0], bits(b)
            here, there = of.square(state.cells[unit]), of.square(state.cells[aims[0]])
            return Event("melee", of.name(unit), here, there, tuple(of.name(u) for u in aims), mates)
        here = of.square(state.cells[a])
        if kind == SHOOT:
            return Event("fire", of.name(a), here, of.square(b), tuple(of.name(u) for u in of.on(state, b)))
        if kind == FORM:
            return Event("line" if state.squares >> a & 1 else "square", of.name(a), here)
        end = of.square(b) if kind == GO else ""
        return Event("aside" if state.stage == ASIDE else _EVENTS[kind], of.name(a), here, end)

    def _dice_event(self, state: State, fell: int) -> Event:
        of, stage = self.engine, state.stage
        kind = _ROLLS.get(stage, "effect")
        if stage == RALLY:
            unit = state.pending[0][0]
            return Event(kind, of.name(unit), of.square(state.cells[unit]))
        if stage == ROLL:
            attackers, defenders, dice, _ = state.pending
            unit = (*attackers, *defenders)[len(dice)]
            return Event(kind, of.name(unit), of.square(state.cells[unit]))
        if stage == RETHROW:
            return Event(kind)
        gun, cell = state.pending
        result = effects()[of.effect(state, cell, fell + 1)].id
        if stage == HIT:
            result = "hit" if of.hits(state, fell + 1) else "miss"
        targets = tuple(of.name(u) for u in of.on(state, cell))
        return Event(kind, of.name(gun), of.square(state.cells[gun]), of.square(cell), targets, result)

    def faces(self, state: State, outcome: int, rng: Rng) -> Sequence[Face]:
        """Return the faces of a roll. In melee, all dice with the same highest face are equally likely."""
        if state.stage != ROLL:
            return (outcome + 1,)
        count = self._melee_dice(state)
        ways = [comb(count, n) * outcome ** (count - n) for n in range(1, count + 1)]
        highest = rng.weighted(range(1, count + 1), ways)
        lower = [rng.die(outcome) for _ in range(count - highest)]
        return rng.shuffle([*[outcome + 1] * highest, *lower])

    def _melee_dice(self, state: State) -> int:
        """Return the number of dice that a unit rolls next in a melee."""
        attackers, defenders, dice, _ = state.pending
        return self.engine.melee_dice(state, attackers, defenders, len(dice))

    def outcome(self, state: State, faces: Sequence[Face]) -> int | None:
        """Return the outcome for dice rolled at a table, or None if their number or a face is wrong."""
        count = self._melee_dice(state) if state.stage == ROLL else 1
        numbers = [face for face in faces if isinstance(face, int) and 1 <= face <= DIE_FACES]
        return max(numbers) - 1 if len(numbers) == len(faces) == count else None

    # Odds and reasons

    def odds(self, state: State, unit: str, target: str) -> Sequence[Words]:
        """Return the odds of a gun's shot or of a melee of one unit against another."""
        every, of, texts = self.units(state), self.engine, words()["presented"]
        one, other = find_unit(every, unit), find_unit(every, target)
        if one.seat == other.seat:
            raise WrongUsageError(tr("{one} and {other} are on the same side", one=one.id, other=other.id))
        attacker, defender = every.index(one), every.index(other)
        field, here, there = of.field, state.cells[attacker], state.cells[defender]
        values = {"unit": one.id, "target": other.id}
        if not (field.fighters >> attacker & 1 and field.fighters >> defender & 1):
            return [texts["no_fight"].fill(**values)]
        near = field.touch[here] >> there & 1
        if field.guns >> attacker & 1 and not near:
            return [self._gun_line(state, attacker, there)]
        lines = [] if near else [texts["not_near"].fill(n=field.distance(here, there), **values)]
        return [*lines, self._melee_line(state, (attacker,), tuple(of.on(state, there)))]

    def _gun_line(self, state: State, gun: int, cell: int) -> Words:
        """Return the odds of a shot that may be impossible, with the reason if it is."""
        of, texts = self.engine, words()["presented"]
        field, here, seat = of.field, state.cells[gun], of.field.seat[gun]
        far, foes = field.distance(here, cell), state.men[1 - seat]
        values = {"unit": of.name(gun), "square": of.square(cell), "n": far}
        if field.touch[here] & foes:
            return texts["gun_touched"].fill(**values)
        if not field.ranged(here) >> cell & 1:
            return texts["gun_far"].fill(least=artillery().near, most=artillery().range, **values)
        if field.with_neighbours(state.men[seat]) >> cell & 1:
            return texts["gun_friend"].fill(**values)
        taken = state.men[0] | state.men[1] | state.chiefs[0] | state.chiefs[1]
        if not field.in_sight(here, 1 << cell, taken):
            return texts["gun_blocked"].fill(**values)
        return self._shot_line(state, gun, cell)

    def chance(self, state: State, move: Move) -> float | None:
        """Return the chance that a shot hits, or that the defender of a melee is lost."""
        what, a, b = move
        if what == SHOOT:
            return float(self._shot(state, a, b).hits)
        if what != MEET:
            return None
        field, defenders = self.engine.field, bits(b)
        return float(self._fight(state, bits(a), defenders).defender_lost(min(field.rally[u] for u in defenders)))

    def _shot(self, state: State, gun: int, cell: int) -> Shot:
        of, field = self.engine, self.engine.field
        units = of.on(state, cell)
        massed = len(units) > 1 or bool(state.squares >> units[0] & 1)
        return Shot(field.distance(state.cells[gun], cell), field.cover[cell], massed, cast(MassedOn, of.massed_on))

    def _fight(self, state: State, attackers: Sequence[int], defenders: Sequence[int]) -> Fight:
        field = self.engine.field
        attack = sum(field.dice(u, defenders, state.squares) for u in attackers)
        defend = sum(field.dice(u, attackers, state.squares, field.defence[state.cells[u]]) for u in defenders)
        again = [any(field.rerolls >> u & 1 for u in side) for side in (attackers, defenders)]
        return Fight(Fighters(attack, again[0]), Fighters(defend, again[1]))

    def _shot_line(self, state: State, gun: int, cell: int) -> Words:
        """Return the odds of a possible shot."""
        of, field = self.engine, self.engine.field
        units, far = of.on(state, cell), field.distance(state.cells[gun], cell)
        shot = self._shot(state, gun, cell)
        values = {"unit": of.name(gun), "targets": self._ids(units), "square": of.square(cell), "n": far}
        lost = max(shot.removes(field.rally[u]) for u in units)
        return words()["presented"]["odds_shot"].fill(
            hits=percent_text(shot.hits), lost=percent_text(lost), turned=percent_text(shot.odds["turned"]), **values
        )

    def _melee_line(self, state: State, attackers: Sequence[int], defenders: Sequence[int]) -> Words:
        """Return the odds of a melee."""
        field = self.engine.field
        fight = self._fight(state, attackers, defenders)
        won = fight.defender_lost(min(field.rally[u] for u in defenders))
        lost = fight.attacker_lost(min(field.rally[u] for u in attackers))
        back = fight.defender_results["back"]
        return words()["presented"]["odds_melee"].fill(
            own=self._ids(attackers),
            foe=self._ids(defenders),
            a=fight.attacker.dice,
            d=fight.defender.dice,
            won=percent_text(won),
            back=percent_text(back),
            lost=percent_text(lost),
        )

    def reason(self, state: State, move: Move) -> Sequence[Words]:
        """Return the odds of a shot or melee, or the enemies that can attack a unit after its move."""
        return list(self._reasons(state, move))

    def _reasons(self, state: State, move: Move) -> Iterator[Words]:
        texts, of, (what, a, b) = words()["presented"], self.engine, move
        if what == END:
            yield texts["why_end_move" if state.stage == MOVE else "why_end_fire"]
        elif what == MEET:
            yield self._melee_line(state, bits(a), bits(b))
        elif what == SHOOT:
            yield self._shot_line(state, a, b)
        elif what == GO and of.field.fighters >> a & 1:
            for foe in self._touched(state, a, b)[:MAX_GROUPS]:
                yield self._melee_line(of.act(state, move), (a,), (foe,))
            yield texts["danger"].fill(
                unit=of.name(a),
                square=of.square(b),
                n=self._attackers(of.act(state, move), a),
                start=of.square(state.cells[a]),
                now=self._attackers(state, a),
            )
        elif what == GO:
            yield texts["why_brigadier"].fill(unit=of.name(a))
        elif what == FORM:
            yield texts["why_dissolves" if state.squares >> a & 1 else "why_forms"].fill(unit=of.name(a))
        elif what == CHOOSE:
            yield texts["why_reroll" if a else "why_keep"]
        elif what == TAKE:
            yield texts["why_suffers"].fill(unit=of.name(a))

    def _attackers(self, state: State, unit: int) -> int:
        """Return the number of enemies that can attack a unit in melee in the next turn."""
        of, field = self.engine, self.engine.field
        enemy, ready = 1 - field.seat[unit], of.next_ready(state)
        zone = field.touch[state.cells[unit]]
        count = 0
        for u in bits(field.fighters & field.side[enemy]):
            if (cell := state.cells[u]) < 0:
                continue
            reach = 1 << cell
            if ready >> u & 1 and not field.guns >> u & 1:
                friends, foes = state.men[enemy], state.men[1 - enemy]
                reach |= field.reach(u, cell, friends | foes, friends | foes)
            count += bool(reach & zone)
        return count
