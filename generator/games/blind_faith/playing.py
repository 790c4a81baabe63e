"""A battle or siege as players fight it, decision by decision and die by die, by the tables that reckon its odds.

A round is a row of steps. In some a side names targets, in any order and as many as it likes, before their dice fall;
in others it gives up units, brings up reserves, or leaves. Where a rule leaves nothing to decide nobody is asked.

A unit goes by its class, with its number where several of the class stand in a front: `knights-2`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from typing import Literal, NamedTuple, get_args

from generator.common.playing import DICE, SEATS, Chances, Outcome
from generator.errors import WrongUsageError
from generator.games.blind_faith.battle import NO_TOLLS, Force, Toll, Tolls, front_size, summed, without
from generator.games.blind_faith.ground import side_name, units_told, words
from generator.games.blind_faith.maps import unit_token
from generator.games.blind_faith.model import OTHER, Scenario
from generator.games.blind_faith.odds import fight_of
from generator.games.blind_faith.rounds import Ending, losses, outcomes, reckoning
from generator.games.blind_faith.tables import DIE, ROLES, SIDES, Fate, Hit, Losses, UnitLine
from generator.grid.squares import Square, squares
from generator.localization import tr
from generator.model.views import MapView, Shade, Token
from generator.model.words import Words, joined

Step = Literal[
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
SIEGE: tuple[Step, ...] = ("bombard", "breach", "charge", "response", "judge", "leave", "next")
ATTACK, DEFENCE = SEATS
"""The places of the two roles wherever there are two of something."""
OF: dict[Step, int] = dict.fromkeys(get_args(Step), ATTACK) | dict.fromkeys(
    ("breach", "back", "response", "yield", "refill"), DEFENCE
)
"""Who decides or throws in a step."""
NAMING: tuple[Step, ...] = ("fire", "back", "charge")
"""Steps in which targets are named."""
DONE, STAY, RETREAT = "-", "stay", "retreat"
AT, FRONT, LOSE, ELIMINATE = " > ", "front ", "lose ", "eliminate "
"""How moves are typed: `knights-1 > tabor`, `front tabor`, `lose knights`, `eliminate knights`."""

Pair = tuple[int, int]
"""The place of a unit in its own front, and that of its target in the enemy's."""
Struck = tuple[int, int, Fate]
"""Whose front, the place in it, and what befell who stands there."""


class State(NamedTuple):
    """A moment of a fight."""

    round: int
    steps: tuple[Step, ...]
    """Those to come in this round, or in the pursuit that ends the fight; none when it is over."""
    forces: tuple[Force, Force]
    """As they stood when the step began."""
    lost: Tolls = NO_TOLLS
    """Since the fight began."""
    plan: tuple[Pair, ...] = ()
    """Who was named a target, or where dice fall who has yet to throw."""
    thrown: bool = False
    """All targets of the step are named."""
    struck: tuple[Struck, ...] = ()
    """In this step."""
    first: UnitLine = ()
    """Whom a response costs before others: who charged and still stands."""
    others: UnitLine = ()
    counted: int = 0
    """The units that make a response."""
    owed: Losses = Losses()
    """What a response, or a bombardment, costs."""
    given: UnitLine = ()
    """Who was given up for that."""
    gone: UnitLine = ()
    """Who of these is eliminated, where that was for the attacker to say."""
    ending: Ending | Literal["", "open"] = ""
    """How it ends; of a retreat while the pursuit goes on too."""


@lru_cache(256)  # the fronts of a fight
def called(line: UnitLine) -> tuple[str, ...]:
    """The units of a front as they are typed."""
    counts, seen, names = Counter(line), Counter[str](), list[str]()
    for unit in line:
        seen[unit] += 1
        names.append(f"{unit}-{seen[unit]}" if counts[unit] > 1 else unit)
    return tuple(names)


class Engine:
    """A scenario's battle or siege; WrongUsageError where nobody fights yet."""

    def __init__(self, scenario: Scenario) -> None:
        fight = fight_of(scenario)
        if fight is None:
            raise WrongUsageError(tr("there is no fight yet"), hint=tr("a march has no odds until it is intercepted"))
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
        """The fight as it is set up; the attacker moves first whoever is asked to."""
        return self._on(State(1, self.steps, (self.fight.attack, self.fight.defence)))

    def to_move(self, state: State) -> int:
        """The seat whose decision or die it is."""
        step = state.steps[0]
        return self.seats[OF[step]] + (DICE if state.thrown else 0)

    def chances(self, state: State) -> Chances:
        """A die."""
        return self._die

    def moves(self, state: State) -> list[str]:
        """Everything that the side which is asked may decide."""
        if state.thrown:
            return []
        step = state.steps[0]
        if step in NAMING:
            own, enemies = called(state.forces[OF[step]].front), called(state.forces[1 - OF[step]].front)
            return [f"{own[a]}{AT}{name}" for a in self.free(state) for name in enemies] + [DONE]
        if step in ("leave", "yield"):
            return [STAY, RETREAT]
        if step in ("fill", "refill"):
            force = state.forces[OF[step]]
            return [FRONT + unit for unit in dict.fromkeys(force.reserve)] + [DONE] * (
                step == "refill" and bool(force.front)
            )
        word = ELIMINATE if self.named_all(state) else LOSE
        return [word + unit for unit in dict.fromkeys(self.pool(state))]

    def act(self, state: State, move: str) -> State:
        """The state after a decision, and all that follows from it."""
        step = state.steps[0]
        if move == DONE:
            return self._on(self._throw(state) if step in NAMING else self._next(state))
        if move in (STAY, RETREAT):
            return self._on(self._next(state) if move == STAY else self._left(state, OF[step]))
        if step in NAMING:
            one, other = move.split(AT)
            pair = (
                called(state.forces[OF[step]].front).index(one),
                called(state.forces[1 - OF[step]].front).index(other),
            )
            return self._on(state._replace(plan=(*state.plan, pair)))
        unit = move.split(" ")[1]
        if step in ("fill", "refill"):
            return self._on(self._brought(state, OF[step], (unit,)))
        if move.startswith(ELIMINATE):
            return self._on(state._replace(gone=(*state.gone, unit)))
        return self._on(state._replace(given=(*state.given, unit)))

    def fall(self, state: State, outcome: int) -> State:
        """The state after a die, and all that follows from it."""
        step = state.steps[0]
        if step == "response":
            cost = self.pack.response.at(state.counted, outcome + 1)
            owed = Losses(sum(cost)) if self._gentle else cost
            return self._on(self._next(state)._replace(owed=owed, steps=("loss", *state.steps[1:])))
        rest = state._replace(plan=state.plan[1:])
        if step == "bombard":
            return self._on(
                rest._replace(owed=Losses(0, state.owed.eliminate + (self.hit(state, outcome) == "breach")))
            )
        return self._on(rest._replace(struck=(*state.struck, *self.strikes(state, outcome))))

    def hit(self, state: State, outcome: int) -> Hit:
        """What a die of fire or bombardment does."""
        step, units = state.steps[0], self.pack.units
        own, target = state.plan[0]
        shooter = units[state.forces[OF[step]].front[own]].type
        if step == "bombard":
            return self.pack.bombard[shooter, self.fight.wall][outcome]
        return self.pack.fire[shooter, units[state.forces[1 - OF[step]].front[target]].type][outcome]

    def drm(self, state: State) -> int:
        """What is added to the die of the charge that comes next."""
        (own, target), units = state.plan[0], self.pack.units
        return units[state.forces[ATTACK].front[own]].drm - units[state.forces[DEFENCE].front[target]].drm

    def strikes(self, state: State, outcome: int) -> list[Struck]:
        """Whom a die of fire or of a charge costs, and how."""
        own, target = state.plan[0]
        if state.steps[0] != "charge":
            hit = self.hit(state, outcome)
            return [(1 - OF[state.steps[0]], target, hit)] if hit in ("rout", "eliminate") else []
        clash = self.pack.charge.at(outcome + 1 + self.drm(state))
        charger: Fate = "rout" if self._gentle and clash.charger != "none" else clash.charger
        if state.ending and self.fight.rulings["pursuit"] == "one_sided":
            charger = "none"
        both: tuple[Struck, Struck] = (DEFENCE, target, clash.defender), (ATTACK, own, charger)
        return [struck for struck in both if struck[2] != "none"]

    def ended(self, state: State) -> Outcome | None:
        """Who holds the field or the place; nobody where both are ruined, or the last round reckoned is over."""
        if state.steps:
            return None
        loser = {"attacker": ATTACK, "defender": DEFENCE}.get(state.ending.split("_")[0])
        cost = {seat: len(toll.eliminated) for seat, toll in zip(self.seats, state.lost, strict=True)}
        return Outcome(None if loser is None else self.seats[1 - loser], (cost[1], cost[0]), state.round)

    def write(self, state: State, move: str) -> str:
        """A decision as it is typed."""
        return move

    @property
    def _gentle(self) -> bool:
        """Whether who storms is routed at worst."""
        return bool(self.fight.wall) and self.fight.rulings["storm_losses"] == "rout"

    def free(self, state: State) -> list[int]:
        """The places of those who may still name a target."""
        step, units = state.steps[0], self.pack.units
        front, enemies = state.forces[OF[step]].front, state.forces[1 - OF[step]].front
        if not enemies:
            return []
        done = {own for own, _ in state.plan}
        if step == "charge":
            return [i for i, u in enumerate(front) if i not in done and not (self.fight.wall and units[u].bombards)]
        return [i for i, u in enumerate(front) if i not in done and self._shots(step, u) == 1]

    def _shots(self, step: Step, unit: str) -> int:
        """How often a unit fires: more than once at every box, so that nothing is to be named."""
        unit_ = self.pack.units[unit]
        role = ROLES[OF[step]]
        return 0 if role not in unit_.fires else 2 if unit_.each_box and role == "defence" else 1

    def pool(self, state: State) -> UnitLine:
        """Of whom one is to be given up, or named as eliminated."""
        if state.steps[0] == "breach":
            return without(state.forces[DEFENCE].front, state.given)
        if self.named_all(state):
            return self.pack.line(without(state.given, state.gone))
        if len(state.given) < len(state.first):
            return without(state.first, state.given)
        return without(state.others, state.given[len(state.first) :])

    def _count(self, state: State) -> int:
        """How many are to be given up."""
        there = state.forces[DEFENCE].front if state.steps[0] == "breach" else state.first + state.others
        return min(sum(state.owed), len(there))

    def named_all(self, state: State) -> bool:
        """Whether all are given up, so that it is to be said who of them is eliminated."""
        return len(state.given) == self._count(state)

    def _on(self, state: State) -> State:
        """The state in which somebody decides or a die falls, or it is over."""
        while state.steps and (further := self._forced(state)) is not None:
            state = further
        return state

    def _forced(self, state: State) -> State | None:
        """The state after what nobody has to decide; None where somebody has, or a die falls."""
        step = state.steps[0]
        if step in NAMING or step == "bombard":
            return self._fought(state)
        if step == "response":
            if not state.counted or not (state.first or state.others):
                return self._next(state)
            return None if state.thrown else state._replace(thrown=True)
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
        hit = {place for whose, place, _ in state.struck if whose == enemy}
        if not state.plan:
            return self._closed(state)
        return state._replace(plan=state.plan[1:]) if state.plan[0][1] in hit else None

    def _throw(self, state: State) -> State:
        """All targets are named: dice fall by the order of the front, with those that nobody names."""
        step, units = state.steps[0], self.pack.units
        front, enemies = state.forces[OF[step]].front, state.forces[1 - OF[step]].front
        own: list[Pair] = []
        if step == "bombard":
            own = [(i, -1) for i, unit in enumerate(front) if units[unit].bombards]
        elif step != "charge":
            own = [(i, j) for i, unit in enumerate(front) if self._shots(step, unit) > 1 for j in range(len(enemies))]
        plan = tuple(sorted((*state.plan, *own)))
        if step == "charge":
            # Who charged is known by place until the dice have fallen.
            chargers = tuple(front[i] for i, _ in plan)
            others = () if self.fight.wall else without(front, chargers)
            state = state._replace(first=chargers, others=others)
        return state._replace(plan=plan, thrown=True)

    def _closed(self, state: State) -> State:
        """A step of dice is over: what was lost takes no part in the next."""
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
        return self.pack.line(front[place] for whose, place, what in state.struck if (whose, what) == (role, fate))

    def _lost(self, state: State, tolls: Tolls) -> State:
        attack, defence = (
            Force(without(force.front, toll.lost), force.reserve)
            for force, toll in zip(state.forces, tolls, strict=True)
        )
        return state._replace(forces=(attack, defence), lost=summed(self.pack, state.lost, tolls))

    def _given(self, state: State) -> State | None:
        """Units are given up to a response or to breaches, one after another."""
        count, siege = self._count(state), state.steps[0] == "breach"
        pool = self.pool(state) if len(state.given) < count else ()
        if pool:
            few = min(count - len(state.given), len(pool))
            alike = len(set(pool)) == 1 or few == len(pool)
            return state._replace(given=(*state.given, *pool[:few])) if alike else None
        eliminated = min(state.owed.eliminate, count)
        left = without(state.given, state.gone)
        if len(state.gone) < eliminated and eliminated < count and len(set(left)) > 1:
            return None
        gone = (*state.gone, *left)[:eliminated]
        toll = Toll(self.pack.line(without(state.given, gone)), self.pack.line(gone))
        return self._next(self._lost(state, Tolls(defender=toll) if siege else Tolls(toll)))

    def room(self, state: State) -> int:
        """How many units must or, of a defender, would by his first front come up from the reserve."""
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
        """Reserves come to the front."""
        force = state.forces[role]
        new = Force(self.pack.line(force.front + units), without(force.reserve, units))
        forces = (new, state.forces[DEFENCE]) if role == ATTACK else (state.forces[ATTACK], new)
        return state._replace(forces=forces)

    def _judged(self, state: State) -> State:
        """Whether a side is ruined."""
        attack, defence = state.forces
        fled = not defence.front and (not defence.reserve or self.fight.rulings["defender_refill"] == "never")
        ending: Ending | None = None
        if not attack.left:
            ending = "attacker_ruined" if defence.left else "both_ruined"
        elif fled:
            ending = "defender_ruined"
        return state._replace(steps=(), ending=ending) if ending else self._next(state)

    def _left(self, state: State, role: int) -> State:
        """A side retreats, and the other pursues: it alone fires, and charges or responds."""
        if self.fight.wall:
            return state._replace(steps=(), ending="attacker_retreats")
        filled: tuple[Step, ...] = ("fill", "refill") if self.fight.rulings["pursuit_front"] == "refilled" else ()
        pursuit: tuple[Step, ...] = ("back", "response") if role == ATTACK else ("fire", "charge")
        ending: Ending = "attacker_retreats" if role == ATTACK else "defender_retreats"
        return state._replace(steps=filled + pursuit, ending=ending)

    def _began(self, state: State) -> State:
        """The next round; after the last one that is reckoned nobody has won."""
        if state.round == reckoning().rounds:
            return state._replace(steps=(), ending="open")
        return State(state.round + 1, self.steps, state.forces, state.lost)

    def _next(self, state: State) -> State:
        """The next step."""
        return state._replace(steps=state.steps[1:], plan=(), thrown=False, given=(), gone=())

    def describe(self, state: State) -> Words:
        """The round and its step, and what either side has left."""
        said = words()["fought"]
        step = said[state.steps[0]].fill(side=self.names[OF[state.steps[0]]]) if state.steps else said["over"]
        return said["standing"].fill(n=state.round, step=step, left=self._left_told(state))

    def _left_told(self, state: State) -> Words:
        """What either side has left."""
        sides: list[Words] = []
        for name, force in zip(self.names, state.forces, strict=True):
            key = "both" if force.reserve else "front"
            front, reserve = (units_told(self.pack, line) for line in (force.front, force.reserve))
            sides.append(words()["fought"][key].fill(side=name, front=front, reserve=reserve))
        return joined(sides, "; ", "。")

    def view(self, state: State) -> MapView:
        """Both fronts with their reserves behind them, the attacker near."""
        attack, defence = state.forces
        # Whoever began with nobody in reserve, as in a siege, has no room for it.
        behind, beyond = (
            _rows(now.reserve) if began.reserve else []
            for now, began in zip(state.forces, (self.fight.attack, self.fight.defence), strict=True)
        )
        # From the near edge to the far one; of a line of several rows the first stands nearest to the enemy.
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
                tokens.append((Square(c, r), unit_token(self.pack, self.sides[role], unit, label)))
        return MapView(
            grid=field,
            ground=dict.fromkeys(field.cells, "clear"),
            tokens=tuple(tokens),
            shades=(Shade("reserve", tuple(held)),) if held else (),
            names=False,
            edges=(self.names[DEFENCE], self.names[ATTACK]),
        )

    def narrator(self) -> Callable[[State, str | int, bool], list[Words]]:
        """Tells a fight: rounds with what is left, each die, losses, reserves, and how it ends."""
        begun = 0

        def tell(state: State, what: str | int, fell: bool) -> list[Words]:
            nonlocal begun
            lines: list[Words] = []
            if state.round != begun:
                begun = state.round
                lines.append(words()["fought"]["round"].fill(n=begun, left=self._left_told(state)))
            after = self.fall(state, what) if isinstance(what, int) else self.act(state, what)
            if isinstance(what, int):
                lines.append(self._die_told(state, what))
            return [*lines, *self._changes(state, after)]

        return tell

    def _die_told(self, state: State, fell: int) -> Words:
        """A die and what it does."""
        said, step, face = words()["fought"], state.steps[0], fell + 1
        if step == "response":
            return said["responds"].fill(
                n=state.counted, die=face, result=losses(self.pack.response.at(state.counted, face))
            )
        own, target = state.plan[0]
        unit = self.named(state.forces[OF[step]].front, own)
        if step == "bombard":
            return said["bombards"].fill(unit=unit, die=face, result=outcomes()[self.hit(state, fell)].name.low)
        enemy = self.named(state.forces[1 - OF[step]].front, target)
        struck = self.strikes(state, fell)
        if step == "charge":
            names = {ATTACK: unit, DEFENCE: enemy}
            told = [said["struck"].fill(unit=names[who], fate=outcomes()[fate].name.low) for who, _, fate in struck]
            result = joined(told) if told else outcomes()["none"].name.low
            return said["charges"].fill(unit=unit, target=enemy, die=face, drm=f"{self.drm(state):+d}", result=result)
        return said["fires"].fill(
            unit=unit, target=enemy, die=face, result=outcomes()[self.hit(state, fell)].name.low
        )

    def named(self, front: UnitLine, place: int) -> Words:
        """A unit of a front in words, with its number where several of its class stand there."""
        _, _, number = called(front)[place].partition("-")
        name = self.pack.units[front[place]].name
        return words()["fought"]["unit"].fill(unit=name, n=number) if number else name

    def _changes(self, before: State, after: State) -> list[Words]:
        """What was given up, who came up from reserve, who left, how it ended."""
        said, lines = words()["fought"], list[Words]()
        if before.steps[0] in ("response", "loss", "bombard", "breach"):
            for name, was, is_ in zip(self.names, before.lost, after.lost, strict=True):
                for key, line in (
                    ("rout", without(is_.routed, was.routed)),
                    ("eliminate", without(is_.eliminated, was.eliminated)),
                ):
                    if line:
                        told = said["lost"].fill(
                            side=name, units=units_told(self.pack, line), fate=outcomes()[key].name.low
                        )
                        lines.append(told)
        if after.ending != before.ending:
            lines.append(
                said[after.ending].fill(attacker=self.names[ATTACK], defender=self.names[DEFENCE], n=after.round)
            )
        for name, force, new in zip(self.names, before.forces, after.forces, strict=True):
            if up := without(force.reserve, new.reserve):
                lines.append(said["joins"].fill(side=name, units=units_told(self.pack, up)))
        return lines


WIDE = 10
"""The units that stand side by side in a picture."""


def _rows(line: UnitLine) -> list[list[tuple[str, str]]]:
    """A line in rows, each unit with what it is called; one empty row where nobody stands."""
    every = [*zip(line, called(line), strict=True)]
    return [every[i : i + WIDE] for i in range(0, len(every), WIDE)] or [[]]
