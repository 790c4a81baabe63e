"""The computer players of Travel Battle: what each decision is worth to a policy, by the weights of players.toml.

All worth is in hundredths of a unit lost, from the exact odds that the tables print.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias, cast
from zlib import crc32

from generator.common.playing import Playing, players, policies
from generator.games.travel_battle.forces import Kind
from generator.games.travel_battle.model import SIDES, Scenario
from generator.games.travel_battle.playfield import (
    AGAIN,
    ANEW,
    ASIDE,
    DONE,
    FIGHT,
    FIRE,
    FORM,
    GO,
    GONE,
    KEEP,
    KEPT,
    LEAVE,
    MEET,
    MOVE,
    SHOOT,
    TAKE,
    Field,
    Move,
    State,
    backwards,
    bits,
)
from generator.games.travel_battle.playing import Battle
from generator.games.travel_battle.prospects import fight
from generator.games.travel_battle.tables import Fight, Fighters, MassedOn, Shot, artillery, words
from generator.seeds import Rng

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

Whole: TypeAlias = "npt.NDArray[Any]"
"""Whole numbers by square, mostly a row of them for each kind of unit."""
HUNDRED = 100
NEVER = -(10**6)
SEEN = (bits, backwards)
"""Squares as each seat counts them, so that a battle and its half turn are played alike."""
MOODS = 6
"""Turns by which a player's patience differs from game to game: else who moves first would always have to open."""


@lru_cache(4096)  # as many as there are dice on both sides
def clash(attack: int, defend: int, again: bool, answer: bool, rallies: tuple[int, int]) -> tuple[int, int]:
    """Of 100 melees of so many dice, how many cost the defender a unit, and the attacker; who may throw again.

    `rallies` are the dice that rally the defender, and the attacker.
    """
    of = Fight(Fighters(attack, again), Fighters(defend, answer))
    return int(HUNDRED * of.defender_lost(rallies[0])), int(HUNDRED * of.attacker_lost(rallies[1]))


class Bent:
    """What a player goes by."""

    def __init__(self, name: str) -> None:
        of = players("travel_battle").policy[name].weights
        self.name = name
        self.cost, self.bold, self.near = of["cost"], of["bold"], of["near"]
        self.risk, self.rush = of["risk"], of["rush"]
        self.halt, self.shy, self.patience = of["halt"], of["shy"], of["patience"]
        self.link, self.gang, self.pair, self.slack = of["link"], of["gang"], of["pair"], of["slack"]
        self.ground, self.high, self.square, self.range = of["ground"], of["high"], of["square"], of["range"]
        self.task, self.finish = of["task"], of["finish"]


class Scene:
    """What squares are worth to a side while its enemies stand as they do."""

    def __init__(self, worth: Sequence[Sequence[float]], horse: int, foot: int, contact: int) -> None:
        self.worth = worth
        """By kind and square, but for melees."""
        self.horse, self.foot = horse, foot
        """The squares that enemy cavalry can attack next, and other enemies."""
        self.contact = contact
        """Those that touch one."""
        self.prizes: dict[tuple[int, int], int] = {}
        """What it is worth to a kind of unit to attack the enemy on a square, as that was asked for."""


class Eyes:
    """What squares of a battle are worth, as far as that hangs on ground and odds alone."""

    def __init__(self, battle: Battle) -> None:
        global np
        import numpy as np  # nobody needs it to draw a battle

        self.battle = battle
        self.field = field = battle.field
        rows, columns = np.divmod(np.arange(len(field.touch)), field.columns)
        far = np.maximum(np.abs(rows[:, None] - rows), np.abs(columns[:, None] - columns))
        self.far: Whole = far.astype(np.int16)
        """The steps from square to square."""
        self.kinds = field.kinds
        # Whole numbers all, which floats of this size add up exactly: so both sides reckon alike.
        self._costs = np.array([[self._cost(own, enemy) for enemy in self.kinds] for own in self.kinds], np.float32)
        self._reached = np.concatenate([self._zone(kind) for kind in self.kinds])
        self._melees: dict[tuple[int, ...], tuple[int, int]] = {}
        self._tables: dict[object, Whole] = {}
        self._scenes: dict[tuple[str, int, bool], tuple[object, Scene]] = {}

    def _cost(self, own: Kind, enemy: Kind) -> int:
        """What an enemy of a kind who comes up to a unit costs it, or a gun that fires at it next to its muzzle."""
        if not own.fights or not enemy.fights:
            return 0
        if enemy.arm == "artillery":
            return int(HUNDRED * Shot(artillery().near).removes(own.rally))
        of = fight(enemy, own)
        return int(HUNDRED * of.defender_lost(own.rally))

    def _zone(self, kind: Kind) -> npt.NDArray[np.float32]:
        """How much of that, in hundredths, an enemy of a kind costs in each square from each that he may stand on."""
        if kind.arm != "artillery":
            return (HUNDRED * (self.far <= kind.move + 1)).astype(np.float32)
        near, most = artillery().near, artillery().range
        hits = [int(HUNDRED * Shot(n).hits / Shot(near).hits) if n >= near else 0 for n in range(most + 1)]
        return np.array([*hits, 0], np.float32)[np.minimum(self.far, most + 1)]

    def scene(self, bent: Bent, state: State, seat: int, eager: bool) -> Scene:
        """What squares are worth to a player at a seat."""
        half = self.field.half
        key = (state.cells[half:] if seat == 0 else state.cells[:half]), state.squares & self.field.side[1 - seat]
        kept = self._scenes.get((bent.name, seat, eager))
        if kept is None or kept[0] != key:
            self._scenes[bent.name, seat, eager] = kept = key, self._made(bent, state, seat, eager)
        return kept[1]

    def _made(self, bent: Bent, state: State, seat: int, eager: bool) -> Scene:
        field, cells = self.field, state.cells
        enemies = [u for u in bits(field.fighters & field.side[1 - seat]) if cells[u] >= 0]
        kinds, at = [field.kind[u] for u in enemies], [cells[u] for u in enemies]
        reached = [kind * len(field.touch) + cell for kind, cell in zip(kinds, at, strict=True)]
        risk = self._costs.take(kinds, axis=1) @ self._reached.take(reached, axis=0)
        risk *= (bent.rush if eager else bent.risk) / HUNDRED**2
        worth = self._lure(bent, eager).take(np.minimum.reduce(self.far.take(at, axis=0)), axis=1)
        worth += self._ground(bent, seat)
        worth -= risk
        horse = foot = 0
        for u in enemies if bent.square else ():
            if field.speed[u] > 1:
                horse |= 1 << cells[u]
            else:
                foot |= 1 << cells[u]
        threats = field.grown(field.grown(field.grown(horse))), field.grown(field.grown(foot))
        # Few of the squares are looked at: lists of all of them would take longer than all the rest.
        rows: list[Any] = [row.data for row in worth]
        return Scene(rows, *threats, field.grown(state.men[1 - seat]))

    def melee(self, own: int, foes: int, squares: int, cells: Sequence[int]) -> tuple[int, int]:
        """Of 100 melees of units against units, how many cost a defender, and how many an attacker."""
        field, theirs = self.field, bits(foes)
        ground = [field.defence[cells[u]] for u in theirs]
        key = own, foes, squares & (own | foes), *ground
        if (found := self._melees.get(key)) is None:
            if len(self._melees) >= KEPT:
                self._melees.clear()
            ours = bits(own)
            attack = sum([field.dice(u, theirs, squares) for u in ours])
            defend = sum([field.dice(u, ours, squares, more) for u, more in zip(theirs, ground, strict=True)])
            rallies = min([field.rally[u] for u in theirs]), min([field.rally[u] for u in ours])
            again = bool(own & field.rerolls), bool(foes & field.rerolls)
            found = self._melees[key] = clash(attack, defend, *again, rallies)
        return found

    def _lure(self, bent: Bent, eager: bool) -> Whole:
        """What it is worth to be so far from the next enemy, by kind."""
        key = bent.name, "lure", eager
        if key not in self._tables:
            most = max(self.field.rows, self.field.columns)
            table = np.zeros((len(self.kinds), most), np.float32)
            for own, kind in enumerate(self.kinds):
                halt = bent.range if kind.arm == "artillery" else 1 if eager else bent.halt
                table[own] = [-bent.near * (n - halt) if n >= halt else bent.shy * (n - halt) for n in range(most)]
            self._tables[key] = table
        return self._tables[key]

    def _ground(self, bent: Bent, seat: int) -> Whole:
        """What the ground and the task add, by kind."""
        key = bent.name, "ground", seat
        if key not in self._tables:
            field, goal = self.field, self.battle.goal
            cover, defence, height = map(np.array, (field.cover, field.defence, field.height))
            edge = field.edges[1 - seat] if goal.kind == "break" and seat == self.battle.tasked else 0
            table = np.zeros((len(self.kinds), len(field.touch)), np.float32)
            for own, kind in enumerate(self.kinds):
                if kind.arm == "infantry":
                    table[own] += bent.ground * (cover + defence)
                if kind.arm == "artillery":
                    table[own] += bent.high * ((height > 0) * 1 - (cover > 0))
                for cells in (field.zone, edge):
                    if kind.fights and cells:
                        table[own] -= bent.task * self.far[list(bits(cells))].min(axis=0)
            self._tables[key] = table
        return self._tables[key]


class Chooser:
    """One who plays by its weights."""

    def __init__(self, name: str) -> None:
        self.bent = Bent(name)

    def __call__(self, battle: Battle, state: State, stream: Rng) -> Move:
        """A lawful decision; of his own luck a player needs no more than how patient he is in a game."""
        stage = state.stage
        if stage == MOVE:
            return self._move(battle, state, stream)
        if stage == FIGHT:
            return self._meet(battle, state)
        if stage == FIRE:
            return self._shoot(battle, state)
        if stage == AGAIN:
            attackers, _, values, who = state.pend
            own, foe = max(values[: len(attackers)]), max(values[len(attackers) :])
            return ANEW if (own < foe if who == state.seat else foe < own) else KEEP
        if stage == ASIDE:
            (chief,) = state.pend
            return GO, chief, self._post(battle, state, chief, battle.asides(state, chief))
        units: tuple[int, ...] = state.pend[0]
        return TAKE, min(units, key=lambda u: dear(battle.field.units[u].kind)), 0

    # Moves

    def _move(self, battle: Battle, state: State, stream: Rng) -> Move:
        """The next unit that has somewhere better to go, each asked once in a turn; brigadiers come last."""
        field, seat, cells = battle.field, state.seat, state.cells
        waiting = state.ready & ~state.done
        if not waiting:
            return DONE
        scene = _eyes(battle).scene(self.bent, state, seat, self._eager(battle, state, seat, _mood(stream.path)))
        contact = scene.contact
        brigade = mates = -1
        fighters, breaks, done = field.fighters, battle.goal.kind == "break", state.done & field.side[seat]
        # Those that come after the last who has moved, brigadiers once one of them has.
        later = 0 if done & ~fighters else waiting & fighters & -1 << (done & fighters).bit_length()
        for u in bits(later):
            here = cells[u]
            if breaks and battle.may_leave(state, u):
                return LEAVE, u, 0
            # Who touches an enemy fights on, and a gun that has a target fires.
            if contact >> here & 1 or (field.guns >> u & 1 and self._aims(battle, state, u)):
                continue
            if field.brigade[u] != brigade:
                brigade = field.brigade[u]
                mates = _brigade(field, cells, brigade)
            cell = self._best(battle, state, scene, u, mates)
            if cell != here:
                return GO, u, cell
        if self.bent.square and (squares := self._square(battle, state, scene)) >= 0:
            return FORM, squares, 0
        for u in bits(waiting & ~fighters & -1 << (done & ~fighters).bit_length()):
            here = cells[u]
            near = field.touch[here]
            mates = _brigade(field, cells, field.brigade[u]) & ~(1 << here)
            if contact >> here & 1 or (near & mates).bit_count() < min(2, mates.bit_count()):
                cell = self._post(battle, state, u, battle.reach(state, u) & ~state.chiefs[1 - seat] | 1 << here)
                if cell != here:
                    return GO, u, cell
        return DONE

    def _eager(self, battle: Battle, state: State, seat: int, mood: int) -> bool:
        """Whether the time for waiting is over."""
        goal = battle.goal.kind
        if goal in ("survive", "protect"):
            return seat != battle.tasked
        return (
            goal in ("destroy", "break") and seat == battle.tasked
        ) or state.clock >= 2 * self.bent.patience + mood

    def _aims(self, battle: Battle, state: State, gun: int) -> bool:
        """Whether a gun that touches no enemy has somebody to fire at from where it stands."""
        field, seat, here = battle.field, state.seat, state.cells[gun]
        own, foes = state.men[seat], state.men[1 - seat]
        near = field.ranged(here) & foes
        if near:
            near &= ~field.grown(own)
        return bool(near and field.shown(here, near, own | foes | state.chiefs[0] | state.chiefs[1]))

    def _square(self, battle: Battle, state: State, scene: Scene) -> int:
        """A unit to form square, since cavalry alone can come at it, or to dissolve it, since that is over; or -1."""
        if scene.horse & state.men[state.seat] or state.squares:
            for u in bits(battle.forming(state)):
                cell = state.cells[u]
                charged = scene.horse >> cell & 1 and not scene.foot >> cell & 1
                if charged != state.squares >> u & 1:
                    return u
        return -1

    def _best(self, battle: Battle, state: State, scene: Scene, unit: int, mates: int) -> int:
        """Where a unit is worth most, its own square where it is hardly worth more elsewhere."""
        field, seat, bent, here = battle.field, state.seat, self.bent, state.cells[unit]
        worth, contact, own = scene.worth[field.kind[unit]], scene.contact, state.men[seat]
        reach, seen = battle.reach(state, unit), SEEN[seat]
        if not state.double >> here & 1:
            mates &= ~(1 << here)
        links = field.grown(mates)
        best, chosen = worth[here] + bent.slack + (bent.link if links >> here & 1 else 0), here
        plain = reach & ~contact & ~own
        for cells, more in ((plain & links, bent.link), (plain & ~links, 0)):
            if cells:
                cell = max(seen(cells), key=worth.__getitem__)
                if worth[cell] + more > best:
                    best, chosen = worth[cell] + more, cell
        if reach & contact:
            own &= ~(1 << here)
            eyes = _eyes(battle)
            for cell in seen(reach & contact):
                value = worth[cell] + self._prize(eyes, state, scene, unit, cell, own)
                value += bent.link if links >> cell & 1 else 0
                if value > best:
                    best, chosen = value, cell
        return chosen

    def _prize(self, eyes: Eyes, state: State, scene: Scene, unit: int, cell: int, own: int) -> int:
        """What the best melee from a square is worth; friends who touch the same enemies help."""
        bent, field, prizes = self.bent, eyes.field, scene.prizes
        foes, kind = field.touch[cell] & state.men[1 - field.seat[unit]], field.kind[unit]
        best = NEVER
        for there in bits(foes):
            if (prize := prizes.get((kind, there))) is None:
                enemy = state.cells.index(there)
                won, lost = eyes.melee(1 << unit, 1 << enemy, state.squares & ~(1 << unit), state.cells)
                prize = prizes[kind, there] = won * self._price(field, state.cells, enemy) - bent.cost * lost
            if prize > best:
                best = prize
        helped = (field.grown(foes) & own).bit_count()
        return best // HUNDRED + bent.bold + bent.gang * helped + (bent.pair if own >> cell & 1 else 0)

    def _price(self, field: Field, cells: Sequence[int], enemy: int) -> int:
        """What an enemy is worth: the fewer of his brigade are left the more."""
        fighters = field.brigades[field.brigade[enemy]][1]
        return HUNDRED + self.bent.finish // sum([cells[u] >= 0 for u in bits(fighters)])

    def _post(self, battle: Battle, state: State, chief: int, cells: int) -> int:
        """Where a brigadier links most of those who could move, the bulk of his brigade first, away from enemies."""
        field, seat, here = battle.field, battle.field.seat[chief], state.cells[chief]
        mates = _brigade(field, state.cells, field.brigade[chief]) & ~(1 << here)
        foes = field.grown(state.men[1 - seat])
        free = mates & ~foes or mates
        near, wide = field.touch, field.grown(field.grown(mates))
        best, chosen = NEVER, here
        seen = SEEN[seat]
        # Far from all of them a square is worth 2 at most.
        for some in (cells & field.grown(mates), cells):
            for cell in seen(some):
                there = near[cell] & mates
                value = 4 * (there & free).bit_count() + 2 * there.bit_count() + (wide >> cell & 1)
                value += (cell == here) - 9 * (foes >> cell & 1)
                if value > best:
                    best, chosen = value, cell
            if best > 2:
                break
            best = NEVER
        return chosen

    # Fire and melee

    def _shoot(self, battle: Battle, state: State) -> Move:
        """The target that a shot is likeliest to remove, two units being worth twice as much."""
        field, seat, best, chosen = battle.field, state.seat, NEVER, DONE
        for gun, targets in battle.shots(state):
            for cell in SEEN[seat](targets):
                units = battle.on(state, cell)
                squared = bool(state.squares >> units[0] & 1)
                value = _shot(
                    field.far(state.cells[gun], cell),
                    field.cover[cell],
                    squared or len(units) > 1,
                    cast(MassedOn, battle.massed_on),
                    field.rally[units[0]],
                ) * len(units)
                if value > best:
                    best, chosen = value, (SHOOT, gun, cell)
            return chosen
        return chosen

    def _meet(self, battle: Battle, state: State) -> Move:
        """The melee that is worth most: of all who touch an enemy, of one of them, of one against all it touches.

        Where two touch only each other there is nothing to weigh.
        """
        touch = battle.field.touch
        own, foes, ours, theirs = battle.groups(state)
        if state.seat:
            own, foes = dict(reversed(own.items())), dict(reversed(foes.items()))
        for cell, units in own.items():
            if (near := touch[cell] & theirs) and near & near - 1 == 0:
                there = near.bit_length() - 1
                if (touch[there] & ours).bit_count() == 1:
                    return MEET, units, foes[there]
        eyes = _eyes(battle)
        prices = {u: self._price(eyes.field, state.cells, u) for units in foes.values() for u in bits(units)}
        best, chosen = NEVER, DONE
        for cell, units in foes.items():
            around = [group for near, group in own.items() if touch[cell] >> near & 1]
            for group in (sum(around), *around) if len(around) > 1 else around:
                value = self._worth(eyes, state, prices, group, units)
                if value > best:
                    best, chosen = value, (MEET, group, units)
        for cell, units in own.items():
            around = [group for near, group in foes.items() if touch[cell] >> near & 1]
            if len(around) > 1:
                value = self._worth(eyes, state, prices, units, sum(around))
                if value > best:
                    best, chosen = value, (MEET, units, sum(around))
        return chosen

    def _worth(self, eyes: Eyes, state: State, prices: Mapping[int, int], own: int, foes: int) -> int:
        """What a melee is worth."""
        won, lost = eyes.melee(own, foes, state.squares, state.cells)
        return won * min([prices[u] for u in bits(foes)]) - self.bent.cost * lost


def dear(kind: Kind) -> int:
    """What a kind of unit is worth to its player: who throws again most, then who is quick or shoots."""
    return 2 * kind.rerolls + (kind.arm != "infantry")


@lru_cache(4096)  # by distance, ground, formation, ruling and kind
def _shot(distance: int, cover: int, massed: bool, on: MassedOn, rally: int) -> int:
    """Of 10,000 shots, how many remove a unit, those that hold it for a turn counting a quarter."""
    of = Shot(distance, cover, massed, on)
    return int(HUNDRED**2 * (of.removes(rally) + of.odds["turned"] / 4))


@lru_cache(1 << 12)  # the games that are played at a time
def _mood(path: str) -> int:
    """How many turns a player is more patient in the game that his random numbers are named for."""
    return crc32(path.encode()) % MOODS


def _brigade(field: Field, cells: Sequence[int], brigade: int) -> int:
    """The squares of a brigade, its brigadier's too."""
    _, fighters, chief = field.brigades[brigade]
    there = 1 << cells[chief] if cells[chief] >= 0 else 0
    for u in bits(fighters):
        if cells[u] >= 0:
            there |= 1 << cells[u]
    return there


def _eyes(battle: Battle) -> Eyes:
    found: Eyes | None = battle.notes.get("eyes")
    if found is None:
        found = battle.notes["eyes"] = Eyes(battle)
    return found


_OF = players("travel_battle")


def _left(of: Battle, state: State) -> dict[str, int]:
    """By the id of a unit that fights 1 while it has not been lost."""
    return {unit.id: int(state.cells[u] != GONE) for u, unit in enumerate(of.field.units) if unit.kind.fights}


PLAYING: Playing[Scenario] = Playing(
    engine=Battle,
    policies=policies("travel_battle", {name: Chooser(name) for name in _OF.policy}),
    seats=(words()["player"][SIDES[0]], words()["player"][SIDES[1]]),
    left_out=_OF.left_out,
    house=tuple(text.fill(rounds=_OF.numbers["rounds"]) for text in _OF.house),
    left=_left,
)
