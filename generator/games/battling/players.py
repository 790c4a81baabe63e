"""The computer players of Battling: what each order is worth to a policy, by the weights of players.toml.

All worth is in whole numbers: 36ths of a hit point, the finest that two dice make, times weights.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from generator.common.playing import Playing, players, policies
from generator.games.battling.model import Scenario
from generator.games.battling.playing import LETTERS, Battle, D, F, Going, Move, R, State, W
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
"""How a machine may have ended its phase, as far as dice heed that: walking or attacking, by a dash, on guard."""
KEPT = 4_000
"""Lists of moves that are kept."""


class Evaluator:
    """What the hexes of a battle are worth, as far as that hangs on machines and charts alone.

    The battle keeps it in its notes, so it keeps none of the battle: what holds each other is not let go of at once.
    """

    def __init__(self, battle: Battle) -> None:
        global np
        import numpy as np  # the game is there without it until somebody plays

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
        """For each machine the first of its kind: charts tell no more of it than that."""
        self.close = [sum(1 << i for i, far in enumerate(row) if far <= 2) for row in battle.far]
        """From each hex those from which somebody may come and battle, as bits."""
        self._ends: dict[tuple[int, int, int], tuple[tuple[Going, ...], Places]] = {}

    def line(self, attacker: int, target: int, last: int) -> tuple[Worth, int, int]:
        """What a shot costs a target by the distance, and what battling costs it and the attacker."""
        key = self.alike[attacker], self.alike[target], last
        if key not in self._lines:
            kinds, pack = self.kinds, self.pack
            shots = (pack.shot(kinds[attacker], kinds[target], n, LETTERS[last]).hurts for n in range(1, self.reach))
            by_distance = np.array([0, *(int(chance * THROWS) for chance in shots)], np.int32)
            melee = pack.clash(kinds[attacker], kinds[target], LETTERS[last])
            self._lines[key] = by_distance, int(melee.hurts * THROWS), int(melee.costs * THROWS)
        return self._lines[key]

    def threat(self, enemy: int, unit: int, cell: int) -> Worth:
        """What an enemy in a hex is to cost a machine by the hex that it stands in; a row for each of `ENDS`."""
        key = self.alike[enemy], self.alike[unit], cell
        if key not in self._threats:
            far, lit = self.far[cell], self.seen[cell]
            lines = [self.line(enemy, unit, last) for last in ENDS]
            self._threats[key] = np.array(
                [np.maximum(shot[far] * lit, (far <= 2) * melee) for shot, melee, _ in lines]
            )
        return self._threats[key]

    def aim(self, unit: int, enemy: int, cell: int) -> Worth:
        """What a machine's shot at an enemy in a hex is to cost it, by the hex that it shoots from."""
        key = self.alike[unit], self.alike[enemy], cell
        if key not in self._aims:
            self._aims[key] = self.line(unit, enemy, 0)[0][self.far[cell]] * self.seen[cell]
        return self._aims[key]

    def gain(self, state: State, attack: Move, weights: Mapping[str, int]) -> int:
        """What an attack is worth by what it does at once."""
        unit, action, _, target, _ = attack
        shot, hurts, costs = self.line(unit, target, state.lasts[target])
        if action == F:
            hurts, costs = int(shot[self.apart[state.cells[unit]][state.cells[target]]]), 0
        worth = weights["hurt"] + (weights["kill"] if state.hps[target] == 1 else 0)
        return hurts * worth - costs * weights["cost"]

    def fields(self, policy: str, unit: int, enemies: Sequence[tuple[int, int]]) -> tuple[Worth, Worth]:
        """What a policy makes of where a machine may end, a row for each of `ENDS`, and the hexes to an enemy.

        It is the machine's best shot from there less what it risks; what being near is worth hangs on the turn.
        """
        key = policy, self.alike[unit], tuple(enemies)
        if (found := self._fields.get(key)) is None:
            if len(self._fields) >= KEPT:
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
        """The walks, dashes and guards of a machine there, and where the end of each stands in what `fields` has."""
        reach = battle.ways(cell)[3]
        key = cell, enemies & reach, friends & reach
        if (found := self._ends.get(key)) is None:
            if len(self._ends) >= KEPT:
                self._ends.clear()
            going = battle.going(cell, enemies, friends)
            moves = (*going, *battle.guards(cell, enemies | friends))
            count, rows = len(battle.open), {W: 0, R: 1, D: 2}
            places = [rows[action] * count + end for action, end, _, _ in moves]
            self._ends[key] = found = moves, np.array(places, np.intp)
        return found


def pick(policy: str, battle: Battle, state: State, stream: Rng) -> Move:
    """The order that is worth most to a policy, or one that is hardly worth less, for its next machine."""
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
)
