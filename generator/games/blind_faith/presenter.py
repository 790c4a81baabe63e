"""Describe a battle or siege in play to the people at the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction

from generator.common.presenter import Choice, Event, Presenter, UnitNow, percent_text
from generator.errors import WrongUsageError, near
from generator.games.blind_faith.captain import best_policy, win_chance
from generator.games.blind_faith.ground import words
from generator.games.blind_faith.playing import (
    AT,
    ATTACK,
    BOMBARD,
    DEFENCE,
    DONE,
    ELIMINATE,
    FRONT,
    NAMING,
    OF,
    RETREAT,
    STAY,
    Engine,
    State,
    unit_names,
)
from generator.games.blind_faith.tables import DIE, ROLES, ChargeResult, Fate, Hit
from generator.localization import tr
from generator.model.words import Words, joined


class FightPresenter(Presenter):
    """Descriptions of a battle or siege of Blind Faith.

    Units of one class are alike. In frames, a unit is all units of a class in the front or the reserve of a side,
    with the id `class:front` or `class:reserve` behind the id of the side.
    """

    engine: Engine

    def round(self, state: State) -> int:
        """Return the number of the round."""
        return state.round

    def mover(self, state: State) -> int:
        """Return the side that decides or rolls."""
        return self.engine.seats[OF[state.steps[0]]] if state.steps else self.engine.seats[ATTACK]

    def units(self, state: State) -> Sequence[UnitNow]:
        """Return the numbers of units of each class in the front and in the reserve of each side."""
        of, found = self.engine, list[UnitNow]()
        for role, began in enumerate((of.fight.attack, of.fight.defence)):
            force = state.forces[role]
            total = Counter((*began.front, *began.reserve))
            for unit, count in total.items():
                for place, line in (("front", force.front), ("reserve", force.reserve)):
                    left = line.count(unit)
                    name = of.pack.units[unit].name.low
                    found.append(
                        UnitNow(
                            f"{of.sides[role]}:{unit}:{place}",
                            of.seats[role],
                            name,
                            place if left else "",
                            left,
                            count,
                        )
                    )
        return found

    def score(self, state: State) -> tuple[int, int]:
        """Return the number of enemy units that each side has eliminated."""
        cost = {seat: len(toll.eliminated) for seat, toll in zip(self.engine.seats, state.lost, strict=True)}
        return cost[1], cost[0]

    def board(self, state: State) -> Sequence[Words]:
        """Return the fronts and reserves of both sides, with the names of the units as players enter them."""
        of, texts = self.engine, words()["presented"]
        lines: list[Words] = []
        for role in (DEFENCE, ATTACK):
            force = state.forces[role]
            names = [self._label(_named(unit, n), unit) for unit, n in Counter(force.front).items()]
            reserve = [
                texts["some"].fill(unit=self._label(unit, unit), n=n) for unit, n in Counter(force.reserve).items()
            ]
            none = [texts["nobody"]]
            front = joined(names or none, "  ", "　")
            lines.append(texts["front_line"].fill(side=of.names[role], units=front))
            if reserve:
                lines.append(texts["reserve_line"].fill(side=of.names[role], units=joined(reserve, "  ", "　")))
        return lines

    def _label(self, name: str, unit: str) -> Words:
        """Return the name that a player types for a unit, in Japanese with the name of its class."""
        return Words(name, f"{name}（{self.engine.pack.units[unit].name.ja}）")

    def question(self, state: State) -> Words:
        """Return what the side to move has to decide."""
        of, texts, step = self.engine, words()["presented"], state.steps[0]
        values: dict[str, object] = {}
        if step in NAMING:
            front, enemies = state.forces[OF[step]].front, state.forces[1 - OF[step]].front
            names = [unit_names(front)[i] for i in of.free(state)]
            values = {"units": names, "example": f"{names[0]} > {unit_names(enemies)[0]}"}
            return texts["ask_charge" if step == "charge" else "ask_fire"].fill(**values)
        if step in ("fill", "refill"):
            values = {"n": of.room(state), "units": [*dict.fromkeys(state.forces[OF[step]].reserve)]}
        elif step == "place":
            values = {"units": [*dict.fromkeys(of.able(state))]}
        elif step in ("loss", "breach"):
            key = "ask_eliminate" if of.all_losses_chosen(state) else "ask_lose"
            return texts[key].fill(units=[*dict.fromkeys(of.pool(state))])
        return texts[f"ask_{'leave' if step == 'yield' else step}"].fill(**values)

    def choice(self, state: State, move: str) -> Choice:
        """Return a decision in notation and in words."""
        of, texts, step = self.engine, words()["presented"], state.steps[0]
        if move == DONE:
            return Choice(move, "", texts[f"end_{step}"], ends=True)
        if move in (STAY, RETREAT):
            return Choice(move, "", texts[f"do_{move}"])
        if step in NAMING:
            one, other = move.split(AT)
            return Choice(move, one, self._attack_line(state, one, other, step == "charge"))
        unit = move.split(" ")[1]
        key = "do_front" if move.startswith(FRONT) else "do_bombard" if move.startswith(BOMBARD) else "do_lose"
        key = "do_eliminate" if move.startswith(ELIMINATE) else key
        return Choice(move, unit, texts[key].fill(unit=of.pack.units[unit].name.low))

    def aliases(self, state: State, move: str) -> Sequence[str]:
        """Return a unit without the word before it, and the names of its class in both languages."""
        if move in (DONE, STAY, RETREAT) or AT in move:
            return ()
        word, unit = move.split(" ")
        name = self.engine.pack.units[unit].name
        return (unit, name.en, name.ja, f"{word} {name.en}", f"{word} {name.ja}")

    def echo(self, state: State, move: str) -> Words | None:
        """Return the choice of a target in a sentence, because the narrator reports only its dice."""
        return self.choice(state, move).text if AT in move else None

    def event(self, state: State, what: str | int, fell: bool) -> Event:
        """Return the parties of a step."""
        of, step = self.engine, state.steps[0]
        if isinstance(what, int):
            if step == "response":
                return Event("response", what=str(state.counted))
            unit, target = state.plan[0]
            name = unit_names(state.forces[OF[step]].front)[unit]
            if step == "bombard":
                return Event("bombardment", name, what=of.hit(state, what))
            other = unit_names(state.forces[1 - OF[step]].front)[target]
            struck = "+".join(f"{ROLES[role]}:{fate}" for role, _, fate in of.strikes(state, what))
            return Event("charge_roll" if step == "charge" else "shot", name, targets=(other,), what=struck)
        if step in NAMING and what != DONE:
            one, other = what.split(AT)
            return Event("charge" if step == "charge" else "fire", one, targets=(other,))
        if what == DONE:
            return Event("end")
        word, _, name = what.partition(" ")
        if what.startswith(FRONT):
            return Event(word, name, "reserve", "front", what=name)
        return Event(word, name, "front" if name else "", what=name)

    # Odds and reasons

    def odds(self, state: State, unit: str, target: str) -> Sequence[Words]:
        """Return the odds of a unit's shot and charge at an enemy unit in the front."""
        roles = [
            (role, name)
            for role in (ATTACK, DEFENCE)
            for name in unit_names(state.forces[role].front)
            if unit.casefold() in (name, name.partition("-")[0])
        ]
        if not roles:
            known = [name for force in state.forces for name in unit_names(force.front)]
            raise WrongUsageError(tr("there is no unit named {name!r}", name=unit[:20]), hint=near(unit[:20], known))
        role, one = roles[0]
        enemies = unit_names(state.forces[1 - role].front)
        others = [name for name in enemies if target.casefold() in (name, name.partition("-")[0])]
        if not others:
            raise WrongUsageError(
                tr("there is no enemy named {name!r} in the front", name=target[:20]), hint=near(target[:20], enemies)
            )
        lines = []
        if ROLES[role] in self.engine.pack.units[one.partition("-")[0]].fires:
            lines.append(self._shot(one, others[0]))
        if role == ATTACK:
            lines.append(self._charge(one, others[0]))
        return lines or [words()["presented"]["no_attack"].fill(unit=one)]

    def position_odds(self, state: State) -> Sequence[Words]:
        """Return the chance that the side to move wins, by the odds that the captain uses."""
        if not state.steps:
            return ()
        role = ROLES[OF[state.steps[0]]]
        policy = best_policy(self.engine, state, role)
        chance = win_chance(self.engine, role, policy, state.forces)
        values = {"side": self.engine.names[OF[state.steps[0]]], "win": percent_text(chance)}
        return [words()["presented"]["win"].fill(**values)]

    def chance(self, state: State, move: str) -> Fraction | None:
        """Return the chance that a shot hits, or that a charge costs the defender."""
        step = state.steps[0]
        if step not in NAMING or move == DONE:
            return None
        one, other = move.split(AT)
        if step == "charge":
            none: Fate = "none"
            return Fraction(sum(result.defender != none for result in self._charge_results(one, other)), DIE)
        return Fraction(len(self._hits(one, other)), DIE)

    def _hits(self, one: str, other: str) -> list[Hit]:
        """Return the results of a shot that affect the target, with one entry for each face of the die."""
        units = self.engine.pack.units
        faces = self.engine.pack.fire[units[_class(one)].type, units[_class(other)].type]
        return [face for face in faces if face in ("rout", "eliminate")]

    def _charge_results(self, one: str, other: str) -> list[ChargeResult]:
        """Return the result of a charge for each face of the die."""
        units = self.engine.pack.units
        drm = units[_class(one)].drm - units[_class(other)].drm
        return [self.engine.pack.charge.at(die + drm) for die in range(1, DIE + 1)]

    def _attack_line(self, state: State, one: str, other: str, charges: bool) -> Words:
        return self._charge(one, other) if charges else self._shot(one, other)

    def _shot(self, one: str, other: str) -> Words:
        """Return the chances of a shot."""
        hits = self._hits(one, other)
        eliminated = Fraction(hits.count("eliminate"), DIE)
        values = {"unit": one, "target": other, "hits": percent_text(Fraction(len(hits), DIE))}
        return words()["presented"]["odds_fire"].fill(eliminated=percent_text(eliminated), **values)

    def _charge(self, one: str, other: str) -> Words:
        """Return the chances of a charge."""
        units = self.engine.pack.units
        drm = units[_class(one)].drm - units[_class(other)].drm
        results = self._charge_results(one, other)
        none: Fate = "none"
        won = Fraction(sum(result.defender != none for result in results), DIE)
        lost = Fraction(sum(result.charger != none for result in results), DIE)
        values = {"unit": one, "target": other, "drm": f"{drm:+d}"}
        return words()["presented"]["odds_charge"].fill(won=percent_text(won), lost=percent_text(lost), **values)

    def reason(self, state: State, move: str) -> Sequence[Words]:
        """Return the odds of a shot or charge, and the chance of winning on which the captain's choice rests."""
        return list(self._reasons(state, move))

    def _reasons(self, state: State, move: str) -> Iterator[Words]:
        step = state.steps[0]
        if step in NAMING and move != DONE:
            one, other = move.split(AT)
            yield self._attack_line(state, one, other, step == "charge")
        elif move == DONE and step in NAMING:
            yield words()["presented"]["why_end"]
        yield from self.position_odds(state)


def _named(unit: str, count: int) -> str:
    """Return the names of the units of a class in a front, such as `knights`, or `knights-1…4` for four of them."""
    return f"{unit}-1…{count}" if count > 1 else unit


def _class(name: str) -> str:
    """Return the class of a unit in a front."""
    return name.partition("-")[0]
