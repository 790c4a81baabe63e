"""The computer players of Battling, which rate orders with the weights in players.toml.

All values are integers. They are numbers of hit points in 36ths, which is the finest fraction that two dice can
give, multiplied by weights.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from generator.common.playing import Playing, players, policies
from generator.games.battling.captain import STRONG
from generator.games.battling.model import Scenario
from generator.games.battling.playing import LETTERS, Battle, D, F, Going, Move, R, State, W
from generator.games.battling.presenter import BattlePresenter
from generator.games.battling.tables import dice, words
from generator.seeds import Rng

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Worth = npt.NDArray[np.int32]
    """A number for each open hex."""
    Places = npt.NDArray[np.intp]

THROWS = dice().die ** 2
ENDS = (0, R, D)
"""The kinds of last actions between which dice modifiers distinguish: walk or attack, dash, and guard."""
MAX_CACHED = 4_000
"""The maximum number of cached lists of moves."""


class Evaluator:
    """The values of hexes that depend only on machines and charts.

    The battle keeps this object in its notes. To avoid a reference cycle, which would delay its release, this
    object does not refer to the battle.
    """

    def __init__(self, battle: Battle) -> None:
        global np
        import numpy as np  # Battling does not need NumPy until computer players are used.

        self.kinds, self.pack, self.apart = battle.kinds, battle.pack, battle.far
        self.far = np.array([list(row) for row in battle.far], np.int32)
        bits = [[row >> i & 1 for i in range(len(battle.open))] for row in battle.seen]
        self.seen = np.array(bits, np.int32)
        self.reach = int(self.far.max(initial=0)) + 1
        self._lines: dict[tuple[int, int, int], tuple[Worth, int, int]] = {}
        self._threats: dict[tuple[int, int, int], Worth] = {}
        self._aims: dict[tuple[int, int, int], Worth] = {}
        self._fields: dict[tuple[str, int, tuple[tuple[int, int], ...]], tuple[Worth, Worth]] = {}
        alike = {kind: unit for unit, kind in reversed([*enumerate(battle.kinds)])}
        self.alike = [alike[kind] for kind in battle.kinds]
        """The first machine of the same kind for each machine. The charts do not distinguish between machines of one
        kind.
        """
        self.close = [sum(1 << i for i, far in enumerate(row) if far <= 2) for row in battle.far]
        """The set of hexes, as bits, from which a machine can move up to each hex and battle there."""
        self._ends: dict[tuple[int, int, int], tuple[tuple[Going, ...], Places]] = {}

    def line(self, attacker: int, target: int, last: int) -> tuple[Worth, int, int]:
        """Return the cost of a shot to a target by distance, and the costs of battling to target and attacker."""
        key = self.alike[attacker], self.alike[target], last
        if key not in self._lines:
            kinds, pack = self.kinds, self.pack
            shots = (pack.shot(kinds[attacker], kinds[target], n, LETTERS[last]).hurts for n in range(1, self.reach))
            by_distance = np.array([0, *(int(chance * THROWS) for chance in shots)], np.int32)
            melee = pack.battling_roll(kinds[attacker], kinds[target], LETTERS[last])
            self._lines[key] = by_distance, int(melee.hurts * THROWS), int(melee.costs * THROWS)
        return self._lines[key]

    def threat(self, enemy: int, unit: int, cell: int) -> Worth:
        """Return the expected cost of an enemy to a machine by the machine's hex, with a row for each of `ENDS`."""
        key = self.alike[enemy], self.alike[unit], cell
        if key not in self._threats:
            far, lit = self.far[cell], self.seen[cell]
            lines = [self.line(enemy, unit, last) for last in ENDS]
            self._threats[key] = np.array(
                [np.maximum(shot[far] * lit, (far <= 2) * melee) for shot, melee, _ in lines]
            )
        return self._threats[key]

    def aim(self, unit: int, enemy: int, cell: int) -> Worth:
        """Return the expected cost of a machine's shot to an enemy on a hex, by the machine's hex."""
        key = self.alike[unit], self.alike[enemy], cell
        if key not in self._aims:
            self._aims[key] = self.line(unit, enemy, 0)[0][self.far[cell]] * self.seen[cell]
        return self._aims[key]

    def gain(self, state: State, attack: Move, weights: Mapping[str, int]) -> int:
        """Return the immediate value of an attack."""
        unit, action, _, target, _ = attack
        shot, hurts, costs = self.line(unit, target, state.lasts[target])
        if action == F:
            hurts, costs = int(shot[self.apart[state.cells[unit]][state.cells[target]]]), 0
        worth = weights["hurt"] + (weights["kill"] if state.hps[target] == 1 else 0)
        return hurts * worth - costs * weights["cost"]

    def fields(self, policy: str, unit: int, enemies: Sequence[tuple[int, int]]) -> tuple[Worth, Worth]:
        """Return a policy's values of the hexes where a machine may end, and the distances to an enemy.

        The values have a row for each of `ENDS`. They are the value of the machine's best shot from a hex minus
        its risk there. The value of distances depends on the turn and is added later.
        """
        key = policy, self.alike[unit], tuple(enemies)
        if (found := self._fields.get(key)) is None:
            if len(self._fields) >= MAX_CACHED:
                self._fields.clear()
            (first, at), *others = enemies
            risk, aim, way = self.threat(first, unit, at), self.aim(unit, first, at), self.far[at]
            for enemy, cell in others:
                risk = risk + self.threat(enemy, unit, cell)
                aim = np.maximum(aim, self.aim(unit, enemy, cell))
                way = np.minimum(way, self.far[cell])
            weights = players("battling").policy[policy].weights
            self._fields[key] = found = weights["aim"] * aim - weights["risk"] * risk, way
        return found

    def ends(self, battle: Battle, cell: int, enemies: int, friends: int) -> tuple[tuple[Going, ...], Places]:
        """Return the walks, dashes and guards of a machine, and the index of the end of each one in `fields`."""
        reach = battle.ways(cell)[3]
        key = cell, enemies & reach, friends & reach
        if (found := self._ends.get(key)) is None:
            if len(self._ends) >= MAX_CACHED:
                self._ends.clear()
            going = battle.going(cell, enemies, friends)
            moves = (*going, *battle.guards(cell, enemies | friends))
            count, rows = len(battle.open), {W: 0, R: 1, D: 2}
            places = [rows[action] * count + end for action, end, _, _ in moves]
            self._ends[key] = found = moves, np.array(places, np.intp)
        return found


def pick(policy: str, battle: Battle, state: State, stream: Rng) -> Move:
    """Return the most valuable order for the policy's next machine, or one of nearly equal value."""
    weights = players("battling").policy[policy].weights
    if "eyes" not in battle.notes:
        battle.notes["eyes"] = Evaluator(battle)
    evaluator: Evaluator = battle.notes["eyes"]
    seat = state.seat
    unit = battle.able(state)[0]
    cell = state.cells[unit]
    targets = battle.targets(state)
    enemies, friends_here = battle.standing_at(state, seat)
    friends = friends_here & ~(1 << cell)
    base, way = evaluator.fields(policy, unit, targets)
    hurry = 0 if battle.ahead(state, seat) else weights["late"] * state.clock // battle.phases
    worth = base - (weights["near"] + hurry) * way
    moves, places = evaluator.ends(battle, cell, enemies, friends)
    going = worth.ravel()[places]
    attacks = battle.shots(unit, cell, targets) if enemies & battle.seen[cell] else []
    if enemies & evaluator.close[cell]:
        attacks += battle.melees(unit, cell, enemies | friends, targets)
    values = [evaluator.gain(state, move, weights) + int(worth[0, move[2]]) for move in attacks]
    threshold = max(int(going.max()), *values) - weights["slack"] if values else int(going.max()) - weights["slack"]
    good = [move for move, value in zip(attacks, values, strict=True) if value >= threshold]
    others = (going >= threshold).nonzero()[0]
    at = stream.below(len(good) + len(others))
    return good[at] if at < len(good) else (unit, *moves[int(others[at - len(good)])])


PLAYING: Playing[Scenario] = Playing(
    engine=Battle,
    policies=policies("battling", {name: partial(pick, name) for name in players("battling").policy}),
    seats=(words()["cover"]["first"], words()["cover"]["second"]),
    house=players("battling").house,
    strong=STRONG,
    presenter=BattlePresenter,
)
