"""The engine for playing a battle or siege, with the same tables as the odds.

A round is a sequence of steps. In some steps a side chooses any number of targets in any order before dice are
rolled. In others it places units, removes lost units, brings up reserves, or retreats. Steps without a choice are
automatic. A player names a unit by its class, with a number if the front has several units of the class:
`knights-2`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from typing import Literal, NamedTuple, get_args

from msgspec.structs import replace

from generator.common.playing import DICE, SEATS, Chances, Outcome
from generator.games.blind_faith.battle import NO_TOLLS, Force, Toll, Tolls, front_size, summed, without
from generator.games.blind_faith.ground import format_units, side_name, words
from generator.games.blind_faith.maps import unit_token
from generator.games.blind_faith.model import OTHER, Scenario
from generator.games.blind_faith.odds import fight_of, no_fight
from generator.games.blind_faith.rounds import Ending, losses, odds_settings, outcomes
from generator.games.blind_faith.tables import DIE, ROLES, SIDES, Fate, Hit, Losses, UnitLine
from generator.grid.squares import Square, squares
from generator.model.views import MapView, Shade, Token
from generator.model.words import Words, joined, same

Step = Literal[
    "place",
    "bombard",
    "breach",
    "fire",
    "back",
    "charge",
    "response",
    "loss",
    "leave",
    "yield",
    "fill",
    "refill",
    "judge",
    "next",
]
FIELD: tuple[Step, ...] = ("fire", "back", "charge", "response", "judge", "leave", "yield", "fill", "refill", "next")
SIEGE: tuple[Step, ...] = ("place", "bombard", "breach", "charge", "response", "judge", "leave", "next")
ATTACK, DEFENCE = SEATS
"""The indices of the roles in pairs."""
OF: dict[Step, int] = dict.fromkeys(get_args(Step), ATTACK) | dict.fromkeys(
    ("breach", "back", "response", "yield", "refill"), DEFENCE
)
"""The index of the role that decides or rolls in each step."""
NAMING: tuple[Step, ...] = ("fire", "back", "charge")
"""The steps in which targets are chosen."""
DONE, STAY, RETREAT = "-", "stay", "retreat"
AT, FRONT, LOSE, ELIMINATE, BOMBARD = " > ", "front ", "lose ", "eliminate ", "bombard "
"""The parts of typed decisions: `knights-1 > tabor`, `front tabor`, `lose knights`, `eliminate knights`, `bombard
gun`.
"""

Pair = tuple[int, int]
"""The index of a unit in its front, and the index of its target in the enemy's front."""
Struck = tuple[int, int, Fate]
"""The index of a role, the index of a unit in its front, and the unit's loss."""


class State(NamedTuple):
    """The state of a fight."""

    round: int
    steps: tuple[Step, ...]
    """The remaining steps of the round or of the pursuit that ends the fight; empty if the fight is over."""
    forces: tuple[Force, Force]
    """The forces at the beginning of the step."""
    lost: Tolls = NO_TOLLS
    """The losses since the beginning of the fight."""
    guns: UnitLine = ()
    """The units that bombard in this round of a siege."""
    waiting: UnitLine = ()
    """The units in reserve in this round of a siege."""
    plan: tuple[Pair, ...] = ()
    """The targets chosen until now or, while dice are rolled, the pairs still to roll."""
    thrown: bool = False
    """Whether all targets of the step are chosen and dice are rolled."""
    struck: tuple[Struck, ...] = ()
    """The losses in this step."""
    first: UnitLine = ()
    """The remaining units that charged, which are lost first in a response."""
    others: UnitLine = ()
    counted: int = 0
    """The number of units that respond."""
    pending: Losses = Losses()
    """The number of units still to be lost in a response or bombardment."""
    given: UnitLine = ()
    """The units chosen as losses until now."""
    gone: UnitLine = ()
    """The units among these that the attacker chose to eliminate."""
    ending: Ending | Literal["", "open"] = ""
    """The ending, which is already set during the pursuit after a retreat."""


@lru_cache(256)  # The cache covers the fronts of a fight.
def unit_names(line: UnitLine) -> tuple[str, ...]:
    """Return the names that a player types for the units of a front."""
    counts, seen, names = Counter(line), Counter[str](), list[str]()
    for unit in line:
        seen[unit] += 1
        names.append(f"{unit}-{seen[unit]}" if counts[unit] > 1 else unit)
    return tuple(names)


class Engine:
    """The engine of a scenario's battle or siege.

    Raises WrongUsageError if there is no fight yet.
    """

    def __init__(self, scenario: Scenario) -> None:
        fight = fight_of(scenario)
        if fight is None:
            raise no_fight(scenario)
        self.scenario, self.fight, self.pack = scenario, fight, fight.pack
        attacker = scenario.active.side
        self.sides = attacker, OTHER[attacker]
        self.seats = SIDES.index(attacker), SIDES.index(OTHER[attacker])
        self.firsts = (self.seats[ATTACK],)
        self.names = tuple(side_name(side) for side in self.sides)
        steps = SIEGE if fight.wall else FIELD
        silent = fight.wall and fight.rulings["storm_response"] != "field"
        self.steps = tuple(step for step in steps if not (silent and step == "response"))
        self._die = (1,) * DIE

    def begin(self, first: int) -> State:
        """Return the initial state. The attacker always moves first."""
        return self._on(State(1, self.steps, (self.fight.attack, self.fight.defence)))

    def to_move(self, state: State) -> int:
        """Return the seat that decides, or `DICE` plus the seat that rolls."""
        step = state.steps[0]
        return self.seats[OF[step]] + (DICE if state.thrown else 0)

    def chances(self, state: State) -> Chances:
        """Return the weights of the faces of a die."""
        return self._die

    def moves(self, state: State) -> list[str]:
        """Return the legal decisions of the side to move."""
        if state.thrown:
            return []
        step = state.steps[0]
        if step in NAMING:
            names, enemies = unit_names(state.forces[OF[step]].front), unit_names(state.forces[1 - OF[step]].front)
            return [f"{names[a]}{AT}{name}" for a in self.free(state) for name in enemies] + [DONE]
        if step in ("leave", "yield"):
            return [STAY, RETREAT]
        if step in ("fill", "refill"):
            force = state.forces[OF[step]]
            return [FRONT + unit for unit in dict.fromkeys(force.reserve)] + [DONE] * (
                step == "refill" and bool(force.front)
            )
        if step == "place":
            return [BOMBARD + unit for unit in dict.fromkeys(self.able(state))] + [DONE]
        word = ELIMINATE if self.all_losses_chosen(state) else LOSE
        return [word + unit for unit in dict.fromkeys(self.pool(state))]

    def act(self, state: State, move: str) -> State:
        """Return the state after a decision and the automatic steps that follow."""
        step = state.steps[0]
        if move == DONE:
            return self._on(self._throw(state) if step in NAMING else self._next(state))
        if move in (STAY, RETREAT):
            return self._on(self._next(state) if move == STAY else self._left(state, OF[step]))
        if step in NAMING:
            one, other = move.split(AT)
            pair = (
                unit_names(state.forces[OF[step]].front).index(one),
                unit_names(state.forces[1 - OF[step]].front).index(other),
            )
            return self._on(state._replace(plan=(*state.plan, pair)))
        unit = move.split(" ")[1]
        if step in ("fill", "refill"):
            return self._on(self._brought(state, OF[step], (unit,)))
        if step == "place":
            return self._on(state._replace(guns=self.pack.line((*state.guns, unit))))
        if move.startswith(ELIMINATE):
            return self._on(state._replace(gone=(*state.gone, unit)))
        return self._on(state._replace(given=(*state.given, unit)))

    def fall(self, state: State, outcome: int) -> State:
        """Return the state after a roll and the automatic steps that follow."""
        step = state.steps[0]
        if step == "response":
            cost = self.pack.response.at(state.counted, outcome + 1)
            pending = Losses(sum(cost)) if self._gentle else cost
            return self._on(self._next(state)._replace(pending=pending, steps=("loss", *state.steps[1:])))
        rest = state._replace(plan=state.plan[1:])
        if step == "bombard":
            return self._on(
                rest._replace(pending=Losses(0, state.pending.eliminate + (self.hit(state, outcome) == "breach")))
            )
        return self._on(rest._replace(struck=(*state.struck, *self.strikes(state, outcome))))

    def hit(self, state: State, outcome: int) -> Hit:
        """Return the result of a die rolled for fire or bombardment."""
        step, units = state.steps[0], self.pack.units
        unit_index, target = state.plan[0]
        shooter = units[state.forces[OF[step]].front[unit_index]].type
        if step == "bombard":
            return self.pack.bombard[shooter, self.fight.wall][outcome]
        return self.pack.fire[shooter, units[state.forces[1 - OF[step]].front[target]].type][outcome]

    def drm(self, state: State) -> int:
        """Return the die modifier of the next charge."""
        (unit_index, target), units = state.plan[0], self.pack.units
        return units[state.forces[ATTACK].front[unit_index]].drm - units[state.forces[DEFENCE].front[target]].drm

    def strikes(self, state: State, outcome: int) -> list[Struck]:
        """Return the losses caused by a die rolled for fire or a charge."""
        unit_index, target = state.plan[0]
        if state.steps[0] != "charge":
            hit = self.hit(state, outcome)
            return [(1 - OF[state.steps[0]], target, hit)] if hit in ("rout", "eliminate") else []
        result = self.pack.charge.at(outcome + 1 + self.drm(state))
        charger: Fate = "rout" if self._gentle and result.charger != "none" else result.charger
        if state.ending and self.fight.rulings["pursuit"] == "one_sided":
            charger = "none"
        both: tuple[Struck, Struck] = (DEFENCE, target, result.defender), (ATTACK, unit_index, charger)
        return [struck for struck in both if struck[2] != "none"]

    def ended(self, state: State) -> Outcome | None:
        """Return the outcome if the fight is over, else None.

        No side wins if both sides are ruined or the rounds end.
        """
        if state.steps:
            return None
        loser = {"attacker": ATTACK, "defender": DEFENCE}.get(state.ending.split("_")[0])
        cost = {seat: len(toll.eliminated) for seat, toll in zip(self.seats, state.lost, strict=True)}
        return Outcome(None if loser is None else self.seats[1 - loser], (cost[1], cost[0]), state.round)

    def write(self, state: State, move: str) -> str:
        """Return a decision in the form that a player types."""
        return move

    @property
    def _gentle(self) -> bool:
        """Whether the worst result for stormers is a rout."""
        return bool(self.fight.wall) and self.fight.rulings["storm_losses"] == "rout"

    def free(self, state: State) -> list[int]:
        """Return the indices of units that have not chosen a target yet."""
        step = state.steps[0]
        front, enemies = state.forces[OF[step]].front, state.forces[1 - OF[step]].front
        if not enemies:
            return []
        done = {unit_index for unit_index, _ in state.plan}
        if step == "charge":
            away = {*self._places(front, state.guns), *self._places(front, state.waiting, state.guns)}
            return [i for i in range(len(front)) if i not in done and i not in away]
        return [i for i, u in enumerate(front) if i not in done and self._shots(step, u) == 1]

    def able(self, state: State) -> UnitLine:
        """Return the units that can still be placed in the box for bombardment."""
        there = (unit for unit in state.forces[ATTACK].front if self.pack.units[unit].bombards)
        return self.pack.line((Counter(there) - Counter(state.guns)).elements())

    @staticmethod
    def _places(front: UnitLine, units: UnitLine, before: UnitLine = ()) -> list[int]:
        """Return the indices of units in a front.

        The first units of each class are skipped if they are in `before`.
        """
        skipped, wanted, found = Counter(before), Counter(units), list[int]()
        for i, unit in enumerate(front):
            if skipped[unit]:
                skipped[unit] -= 1
            elif wanted[unit]:
                wanted[unit] -= 1
                found.append(i)
        return found

    def _placed(self, state: State) -> State | None:
        """Return the state after the units are in their boxes, or None if the besieger has to choose."""
        boxes = self.fight.boxes
        if state.round == 1 and boxes:
            return self._next(state._replace(guns=boxes.bombard, waiting=boxes.reserve))
        return None if self.able(state) else self._next(state)

    def _shots(self, step: Step, unit: str) -> int:
        """Return the number of shots of a unit.

        The result 2 means one shot at every box, without a choice of targets.
        """
        unit_ = self.pack.units[unit]
        role = ROLES[OF[step]]
        return 0 if role not in unit_.fires else 2 if unit_.each_box and role == "defence" else 1

    def pool(self, state: State) -> UnitLine:
        """Return the units from which the next loss or elimination is chosen."""
        if state.steps[0] == "breach":
            return without(state.forces[DEFENCE].front, state.given)
        if self.all_losses_chosen(state):
            return self.pack.line(without(state.given, state.gone))
        if len(state.given) < len(state.first):
            return without(state.first, state.given)
        return without(state.others, state.given[len(state.first) :])

    def _count(self, state: State) -> int:
        """Return the number of units to remove."""
        there = state.forces[DEFENCE].front if state.steps[0] == "breach" else state.first + state.others
        return min(sum(state.pending), len(there))

    def all_losses_chosen(self, state: State) -> bool:
        """Return whether all losses are chosen. Then the eliminated units among these are chosen."""
        return len(state.given) == self._count(state)

    def _on(self, state: State) -> State:
        """Return the next state in which a side decides or rolls, or in which the fight is over."""
        while state.steps and (further := self._forced(state)) is not None:
            state = further
        return state

    def _forced(self, state: State) -> State | None:
        """Return the state after an automatic step, or None if a side has to decide or roll."""
        step = state.steps[0]
        if step in NAMING or step == "bombard":
            return self._fought(state)
        if step == "response":
            if not state.counted or not (state.first or state.others):
                return self._next(state)
            return None if state.thrown else state._replace(thrown=True)
        if step == "place":
            return self._placed(state)
        if step in ("breach", "loss"):
            return self._given(state)
        if step in ("fill", "refill"):
            return self._filled(state)
        if step in ("leave", "yield"):
            return self._next(state) if ROLES[OF[step]] in self.fight.no_way else None
        return self._judged(state) if step == "judge" else self._began(state)

    def _fought(self, state: State) -> State | None:
        if not state.thrown:
            return None if state.steps[0] != "bombard" and self.free(state) else self._throw(state)
        enemy = 1 - OF[state.steps[0]]
        hit = {place for role_index, place, _ in state.struck if role_index == enemy}
        if not state.plan:
            return self._closed(state)
        return state._replace(plan=state.plan[1:]) if state.plan[0][1] in hit else None

    def _throw(self, state: State) -> State:
        """Return the state in which dice are rolled, in the order of the front and also without a choice."""
        step = state.steps[0]
        front, enemies = state.forces[OF[step]].front, state.forces[1 - OF[step]].front
        automatic: list[Pair] = []
        if step == "bombard":
            automatic = [(i, -1) for i in self._places(front, state.guns)]
        elif step != "charge":
            automatic = [
                (i, j) for i, unit in enumerate(front) if self._shots(step, unit) > 1 for j in range(len(enemies))
            ]
        plan = tuple(sorted((*state.plan, *automatic)))
        if step == "charge":
            # Chargers are identified by their indices until the dice are rolled.
            chargers = tuple(front[i] for i, _ in plan)
            others = () if self.fight.wall else without(front, chargers)
            state = state._replace(first=chargers, others=others)
        return state._replace(plan=plan, thrown=True)

    def _closed(self, state: State) -> State:
        """Return the state after a step with dice. Lost units do not take part in later steps."""
        step, chosen = state.steps[0], self.fight.rulings
        tolls = [
            Toll(*(self._line(state, role, fate) for fate in ("rout", "eliminate"))) for role in (ATTACK, DEFENCE)
        ]
        before = len(state.forces[DEFENCE].front)
        after = self._lost(state, Tolls(*tolls))._replace(struck=())
        if step == "charge":
            counted = before if chosen["response_count"] == "before" else len(after.forces[DEFENCE].front)
            after = after._replace(first=without(after.first, tolls[ATTACK].lost), counted=counted)
        if step == "back" and state.ending:
            after = after._replace(first=(), others=after.forces[ATTACK].front, counted=before)
        return self._next(after)

    def _line(self, state: State, role: int, fate: str) -> UnitLine:
        front = state.forces[role].front
        return self.pack.line(
            front[place] for role_index, place, what in state.struck if (role_index, what) == (role, fate)
        )

    def _lost(self, state: State, tolls: Tolls) -> State:
        attack, defence = (
            Force(without(force.front, toll.lost), force.reserve)
            for force, toll in zip(state.forces, tolls, strict=True)
        )
        return state._replace(forces=(attack, defence), lost=summed(self.pack, state.lost, tolls))

    def _given(self, state: State) -> State | None:
        """Return the state after automatic losses, or None if the side has a choice."""
        count, siege = self._count(state), state.steps[0] == "breach"
        pool = self.pool(state) if len(state.given) < count else ()
        if pool:
            few = min(count - len(state.given), len(pool))
            alike = len(set(pool)) == 1 or few == len(pool)
            return state._replace(given=(*state.given, *pool[:few])) if alike else None
        eliminated = min(state.pending.eliminate, count)
        left = without(state.given, state.gone)
        if len(state.gone) < eliminated and eliminated < count and len(set(left)) > 1:
            return None
        gone = (*state.gone, *left)[:eliminated]
        toll = Toll(self.pack.line(without(state.given, gone)), self.pack.line(gone))
        return self._next(self._lost(state, Tolls(defender=toll) if siege else Tolls(toll)))

    def room(self, state: State) -> int:
        """Return the number of units that can move up from the reserve.

        An attacker must fill all boxes; a defender may refill.
        """
        role = OF[state.steps[0]]
        force = state.forces[role]
        wanted = front_size(self.pack, force.left) if role == ATTACK else self.fight.width
        return min(max(0, wanted - len(force.front)), len(force.reserve))

    def _filled(self, state: State) -> State | None:
        role = OF[state.steps[0]]
        reserve = state.forces[role].reserve
        if not reserve or (role == DEFENCE and self.fight.rulings["defender_refill"] == "never"):
            return self._next(state)
        if role == DEFENCE:
            sole = not state.forces[role].front and len(set(reserve)) == 1
            return self._brought(state, role, reserve[:1]) if sole else None
        if not (room := self.room(state)):
            return self._next(state)
        alike = len(set(reserve)) == 1 or room == len(reserve)
        return self._brought(state, role, reserve[:room]) if alike else None

    def _brought(self, state: State, role: int, units: UnitLine) -> State:
        """Return the state after units move from the reserve to the front."""
        force = state.forces[role]
        new = Force(self.pack.line(force.front + units), without(force.reserve, units))
        forces = (new, state.forces[DEFENCE]) if role == ATTACK else (state.forces[ATTACK], new)
        return state._replace(forces=forces)

    def _judged(self, state: State) -> State:
        """Return the state after checking whether a side is ruined."""
        attack, defence = state.forces
        fled = not defence.front and (not defence.reserve or self.fight.rulings["defender_refill"] == "never")
        ending: Ending | None = None
        if not attack.left:
            ending = "attacker_ruined" if defence.left else "both_ruined"
        elif fled:
            ending = "defender_ruined"
        return state._replace(steps=(), ending=ending) if ending else self._next(state)

    def _left(self, state: State, role: int) -> State:
        """Return the state after a retreat.

        Only the other side acts in the pursuit, with fire and either charge or response.
        """
        if self.fight.wall:
            return state._replace(steps=(), ending="attacker_retreats")
        filled: tuple[Step, ...] = ("fill", "refill") if self.fight.rulings["pursuit_front"] == "refilled" else ()
        pursuit: tuple[Step, ...] = ("back", "response") if role == ATTACK else ("fire", "charge")
        ending: Ending = "attacker_retreats" if role == ATTACK else "defender_retreats"
        return state._replace(steps=filled + pursuit, ending=ending)

    def _began(self, state: State) -> State:
        """Return the state at the beginning of the next round.

        After the last round the fight ends without a winner.
        """
        if state.round == odds_settings().rounds:
            return state._replace(steps=(), ending="open")
        return State(state.round + 1, self.steps, state.forces, state.lost)

    def _next(self, state: State) -> State:
        """Return the state at the next step."""
        return state._replace(steps=state.steps[1:], plan=(), thrown=False, given=(), gone=())

    def describe(self, state: State) -> Words:
        """Return a line with the round, the step and the remaining units of each side."""
        texts = words()["fought"]
        step = texts[state.steps[0]].fill(side=self.names[OF[state.steps[0]]]) if state.steps else texts["over"]
        return texts["standing"].fill(n=state.round, step=step, left=self._format_remaining(state))

    def _format_remaining(self, state: State) -> Words:
        """Return the remaining units of each side."""
        sides: list[Words] = []
        for name, force in zip(self.names, state.forces, strict=True):
            key = "both" if force.reserve else "front"
            front, reserve = (format_units(self.pack, line) for line in (force.front, force.reserve))
            sides.append(words()["fought"][key].fill(side=name, front=front, reserve=reserve))
        return joined(sides, "; ", "。")

    def view(self, state: State) -> MapView:
        """Return a picture of the fronts with their reserves behind them. The attacker is at the near edge."""
        attack, defence = state.forces
        # A side that began without a reserve, such as either side in a siege, has no rows for one.
        behind, beyond = (
            _rows(now.reserve) if began.reserve else []
            for now, began in zip(state.forces, (self.fight.attack, self.fight.defence), strict=True)
        )
        # Rows from the near edge to the far edge. The first row of a front is next to the enemy.
        lines = (
            *((ATTACK, False, row) for row in reversed(behind)),
            *((ATTACK, True, row) for row in reversed(_rows(attack.front))),
            *((DEFENCE, True, row) for row in _rows(defence.front)),
            *((DEFENCE, False, row) for row in beyond),
        )
        field, tokens, held = squares(WIDE, len(lines)), list[tuple[Square, Token]](), list[Square]()
        for r, (role, fights, row) in enumerate(lines):
            held += [] if fights else field.row(r)
            for c, (unit, name) in enumerate(row, (WIDE - len(row)) // 2):
                label = name.partition("-")[2] if fights else ""
                token = unit_token(self.pack, self.sides[role], unit, label)
                tokens.append((Square(c, r), replace(token, name=same(name if fights else f"reserve:{unit}"))))
        return MapView(
            grid=field,
            ground=dict.fromkeys(field.cells, "clear"),
            tokens=tuple(tokens),
            shades=(Shade("reserve", tuple(held)),) if held else (),
            names=False,
            edges=(self.names[DEFENCE], self.names[ATTACK]),
        )

    def narrator(self) -> Callable[[State, str | int, bool], list[Words]]:
        """Return a function that describes rounds, dice, losses, reserves and the ending."""
        begun = 0

        def describe_step(state: State, what: str | int, fell: bool) -> list[Words]:
            nonlocal begun
            lines: list[Words] = []
            if state.round != begun:
                begun = state.round
                lines.append(words()["fought"]["round"].fill(n=begun, left=self._format_remaining(state)))
            after = self.fall(state, what) if isinstance(what, int) else self.act(state, what)
            if isinstance(what, int):
                lines.append(self._describe_roll(state, what))
            return [*lines, *self._changes(state, after)]

        return describe_step

    def _describe_roll(self, state: State, fell: int) -> Words:
        """Return a description of a roll and its result."""
        texts, step, face = words()["fought"], state.steps[0], fell + 1
        if step == "response":
            return texts["responds"].fill(
                n=state.counted, die=face, result=losses(self.pack.response.at(state.counted, face))
            )
        unit_index, target = state.plan[0]
        unit = self.unit_name(state.forces[OF[step]].front, unit_index)
        if step == "bombard":
            return texts["bombards"].fill(unit=unit, die=face, result=outcomes()[self.hit(state, fell)].name.low)
        enemy = self.unit_name(state.forces[1 - OF[step]].front, target)
        struck = self.strikes(state, fell)
        if step == "charge":
            names = {ATTACK: unit, DEFENCE: enemy}
            loss_texts = [
                texts["struck"].fill(unit=names[who], fate=outcomes()[fate].name.low) for who, _, fate in struck
            ]
            result = joined(loss_texts) if loss_texts else outcomes()["none"].name.low
            return texts["charges"].fill(
                unit=unit, target=enemy, die=face, drm=f"{self.drm(state):+d}", result=result
            )
        return texts["fires"].fill(
            unit=unit, target=enemy, die=face, result=outcomes()[self.hit(state, fell)].name.low
        )

    def unit_name(self, front: UnitLine, place: int) -> Words:
        """Return the name of a unit in a front, with a number if the front has several units of its class."""
        _, _, number = unit_names(front)[place].partition("-")
        name = self.pack.units[front[place]].name
        return words()["fought"]["unit"].fill(unit=name, n=number) if number else name

    def _changes(self, before: State, after: State) -> list[Words]:
        """Return descriptions of placements, losses, units from the reserve and the ending."""
        texts, lines = words()["fought"], list[Words]()
        if before.steps[0] == "place" and after.guns and after.steps[:1] != before.steps[:1]:
            units = format_units(self.pack, after.guns)
            lines.append(texts["placed"].fill(side=self.names[ATTACK], units=units))
        if before.steps[0] in ("response", "loss", "bombard", "breach"):
            for name, was, is_ in zip(self.names, before.lost, after.lost, strict=True):
                for key, line in (
                    ("rout", without(is_.routed, was.routed)),
                    ("eliminate", without(is_.eliminated, was.eliminated)),
                ):
                    if line:
                        units = format_units(self.pack, line)
                        lines.append(texts["lost"].fill(side=name, units=units, fate=outcomes()[key].name.low))
        if after.ending != before.ending:
            lines.append(
                texts[after.ending].fill(attacker=self.names[ATTACK], defender=self.names[DEFENCE], n=after.round)
            )
        for name, force, new in zip(self.names, before.forces, after.forces, strict=True):
            if up := without(force.reserve, new.reserve):
                lines.append(texts["joins"].fill(side=name, units=format_units(self.pack, up)))
        return lines


WIDE = 10
"""Number of units in a row of the picture."""


def _rows(line: UnitLine) -> list[list[tuple[str, str]]]:
    """Return the units of a line in rows, each with its name. If there are no units, there is one empty row."""
    every = [*zip(line, unit_names(line), strict=True)]
    return [every[i : i + WIDE] for i in range(0, len(every), WIDE)] or [[]]
