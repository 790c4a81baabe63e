"""Describe a battle in play to the people at the table."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from generator.common.playing import Narrator
from generator.common.presenter import Choice, Event, Presenter, UnitNow, find_unit, percent_text
from generator.errors import WrongUsageError
from generator.games.battling.model import SIDES, why
from generator.games.battling.notation import Order
from generator.games.battling.play import Refusal, Standing, act
from generator.games.battling.playing import LETTERS, PASS, THROW, B, Battle, D, F, Move, R, State
from generator.games.battling.prospects import Duel
from generator.games.battling.tables import BattlingRoll, Shot, dice, words
from generator.localization import tr
from generator.model.words import Words, joined, same

_EVENTS = ("", "walk", "dash", "fire", "battle", "guard")
"""The kinds of events for orders, by the number of the action."""


class BattlePresenter(Presenter):
    """Descriptions of a battle of Battling."""

    engine: Battle

    def __init__(self, engine: Battle) -> None:
        super().__init__(engine)
        self._kinds = [engine.pack.machines[kind].name for kind in engine.kinds]

    def round(self, state: State) -> int:
        """Return the number of the turn."""
        return self.engine.turn(state)

    def mover(self, state: State) -> int:
        """Return the side whose phase it is."""
        return state.seat

    def units(self, state: State) -> Sequence[UnitNow]:
        """Return all machines with their hit points."""
        of = self.engine
        return tuple(
            UnitNow(
                machine.id,
                of.seat[u],
                self._kinds[u],
                of.names[state.cells[u]] if state.hps[u] else "",
                state.hps[u],
                machine.hp,
            )
            for u, machine in enumerate(of.units)
        )

    def score(self, state: State) -> tuple[int, int]:
        """Return the number of enemy machines that each side has destroyed."""
        of = self.engine
        lost = [sum(not state.hps[u] for u in side) for side in of.sides]
        return lost[1], lost[0]

    def question(self, state: State) -> Words:
        """Return which machines can still act."""
        of = self.engine
        units = joined([same(of.units[u].id) for u in of.able(state)])
        example = self.aliases(state, of.moves(state)[0])
        return words()["presented"]["ask"].fill(units=units, example=example[0])

    def choice(self, state: State, move: Move) -> Choice:
        """Return an order in notation and in words."""
        of = self.engine
        if move == PASS:
            return Choice("-", "", words()["presented"]["end"], ends=True)
        short = self.aliases(state, move)[0]
        return Choice(of.write(state, move), of.units[move[0]].id, self._order(state, move), short=short)

    def _order(self, state: State, move: Move) -> Words:
        """Return an order in a sentence."""
        of, texts = self.engine, words()["presented"]
        unit, action, to, target, dash = move
        start = state.cells[unit]
        values: dict[str, object] = {"unit": self._label(unit), "start": of.names[start], "hex": of.names[to]}
        if target >= 0:
            values |= {"target": self._label(target), "at": of.names[state.cells[target]]}
        key = _EVENTS[action]
        if action == R:
            values["turn"] = of.ways(start)[2][dash].order.turn
            key = "dash_turn" if values["turn"] else "dash"
        elif action in (B, D) and to != start:
            key += "_go"
        return texts[key].fill(**values)

    def _label(self, unit: int) -> Words:
        return words()["presented"]["unit"].fill(unit=self.engine.units[unit].id, kind=self._kinds[unit])

    def aliases(self, state: State, move: Move) -> Sequence[str]:
        """Return an order with the machine's id, the letter of the action, and its last hex or its target."""
        of = self.engine
        if move == PASS:
            return ()
        unit, action, to, target, _ = move
        start = state.cells[unit]
        parts = [of.units[unit].id, LETTERS[action], *([of.names[to]] if to != start else [])]
        forms = [parts]
        if target >= 0:
            forms = [[*parts, of.units[target].id], [*parts, of.names[state.cells[target]]]]
        full = of.write(state, move).partition(":")[2]
        numbers = [" ".join((str(of.units[unit].number), *form[1:])) for form in forms]
        return [*(" ".join(form) for form in forms), *numbers, f"{of.units[unit].id} {full}"]

    def event(self, state: State, what: Move | int, fell: bool) -> Event:
        """Return the parties of an order or of a roll for an attack."""
        of = self.engine
        if isinstance(what, int):
            attacker, target, action = state.attacks[0]
            kind = "battling" if action == B else "hit" if state.stage == THROW else "damage"
            cells = of.names[state.cells[attacker]], of.names[state.cells[target]]
            return Event(kind, of.units[attacker].id, *cells, (of.units[target].id,), self._result(state, what))
        if what == PASS:
            return Event("end")
        unit, action, to, target, _ = what
        here = of.names[state.cells[unit]]
        end = of.names[state.cells[target]] if target >= 0 else of.names[to]
        aim = (of.units[target].id,) if target >= 0 else ()
        return Event(_EVENTS[action], of.units[unit].id, here, end, aim)

    def _result(self, state: State, fell: int) -> str:
        """Return the result of a die as a word: a result of battling, or `hit` or `miss`."""
        attacker, target, action = state.attacks[0]
        if action == B:
            return self.engine.melee_results(attacker, target, state.lasts[target])[fell]
        hits, hurts = self.engine.shot(state, attacker, target)
        return "hit" if (hits if state.stage == THROW else hurts) >> fell & 1 else "miss"

    def narrator(self) -> Narrator:
        """Return a function that describes a game in sentences, with a heading for each phase."""
        phases: list[int] = []

        def describe(state: State, what: Move | int, fell: bool) -> list[Words]:
            texts, lines = words()["presented"], list[Words]()
            if phases[-1:] != [state.clock]:
                phases.append(state.clock)
                side = words()["cover"][SIDES[state.seat]]
                left = [sum(bool(state.hps[u]) for u in of) for of in self.engine.sides]
                turn = self.engine.turn(state)
                lines.append(texts["phase"].fill(n=turn, side=side, first=left[0], second=left[1]))
            if isinstance(what, int):
                return [*lines, *self._dice_lines(state, what)]
            return lines if what == PASS else [*lines, self._order(state, what)]

        return describe

    def _dice_lines(self, state: State, fell: int) -> list[Words]:
        """Return sentences about a die and what it costs."""
        of, texts = self.engine, words()["presented"]
        attacker, target, action = state.attacks[0]
        values = {"unit": of.units[attacker].id, "target": of.units[target].id, "die": fell + 1}
        result = self._result(state, fell)
        if action == B:
            name = dice().effects[result].name  # type: ignore[index]
            lines = [texts["battled"].fill(result=name.low, **values)]
        else:
            lines = [texts[f"{'shot' if state.stage == THROW else 'damage'}_{result}"].fill(**values)]
        after = of.fall(state, fell)
        for unit in (target, attacker):
            if after.hps[unit] < state.hps[unit]:
                key = "hp_left" if after.hps[unit] else "destroyed"
                lines.append(texts[key].fill(unit=of.units[unit].id, n=after.hps[unit]))
        return lines

    # Odds and reasons

    def odds(self, state: State, unit: str, target: str) -> Sequence[Words]:
        """Return the odds of a shot and of battling from the machine's hex, or why they are impossible."""
        every = self.units(state)
        one, other = find_unit(every, unit), find_unit(every, target)
        if one.seat == other.seat:
            raise WrongUsageError(tr("{one} and {other} are on the same side", one=one.id, other=other.id))
        return self._odds(state, every.index(one), every.index(other))

    def _odds(self, state: State, unit: int, target: int) -> list[Words]:
        of, texts = self.engine, words()["presented"]
        position = of.position(state)
        attacker, enemy = (position.machines[of.units[u].id] for u in (unit, target))
        lines: list[Words] = []
        shot = act(position, attacker, Order("F", target=of.names[state.cells[target]]))
        if isinstance(shot, Refusal):
            reason = why(shot.reason).fill(**shot.values)
            lines.append(texts["no_shot"].fill(unit=attacker.id, target=enemy.id, why=reason))
        else:
            lines.append(self._shot_line(state, unit, target))
        if of.far[state.cells[unit]][state.cells[target]] == 1:
            lines.append(self._battle_line(state, unit, target))
        return lines

    def chance(self, state: State, move: Move) -> Fraction | None:
        """Return the chance that the target loses hit points."""
        if move == PASS:
            return None
        unit, action, _, target, _ = move
        if action == F:
            return self._shot(state, unit, target).hurts
        return self._melee(state, unit, target).hurts if action == B else None

    def _shot(self, state: State, unit: int, target: int) -> Shot:
        of = self.engine
        far = of.far[state.cells[unit]][state.cells[target]]
        return of.pack.shot(of.kinds[unit], of.kinds[target], far, LETTERS[state.lasts[target]])

    def _melee(self, state: State, unit: int, target: int) -> BattlingRoll:
        of = self.engine
        return of.pack.battling_roll(of.kinds[unit], of.kinds[target], LETTERS[state.lasts[target]])

    def _shot_line(self, state: State, unit: int, target: int) -> Words:
        of, texts = self.engine, words()["presented"]
        far = of.far[state.cells[unit]][state.cells[target]]
        shot = self._shot(state, unit, target)
        values = {"unit": of.units[unit].id, "target": of.units[target].id, "n": far, "left": state.hps[target]}
        return texts["odds_shot"].fill(hits=percent_text(shot.hits), hurts=percent_text(shot.hurts), **values)

    def _battle_line(self, state: State, unit: int, target: int) -> Words:
        of, texts = self.engine, words()["presented"]
        roll = self._melee(state, unit, target)
        values = {"unit": of.units[unit].id, "target": of.units[target].id}
        return texts["odds_battle"].fill(hurts=percent_text(roll.hurts), costs=percent_text(roll.costs), **values)

    def reason(self, state: State, move: Move) -> Sequence[Words]:
        """Return the odds of an attack, and what the enemies' next shots can cost on the hex of an order."""
        of, texts = self.engine, words()["presented"]
        if move == PASS:
            return [texts["why_end"]]
        unit, action, to, target, _ = move
        lines: list[Words] = []
        if action == F:
            lines.append(self._shot_line(state, unit, target))
        elif action == B:
            lines.append(self._battle_line(state, unit, target))
        duel = Duel(of.position(state))
        machine: Standing = duel.position.machines[of.units[unit].id]
        there = duel.hex_value(machine, of.open[to], LETTERS[action])
        values = {"unit": machine.id, "hex": of.names[to], "n": there.shooters, "takes": _points(there.takes)}
        lines.append(texts["risk" if there.shooters else "safe"].fill(**values))
        if action == D:
            lines.append(texts["why_guard"].fill(unit=machine.id))
        elif target < 0 and there.target:
            lines.append(texts["next_shot"].fill(unit=machine.id, target=there.target, deals=_points(there.deals)))
        return lines


def _points(number: Fraction) -> str:
    """Return a number of hit points with one decimal."""
    return f"{float(number):.1f}"
