"""Estimate the odds of a large siege by simulating many sieges at once, with the same dice on every machine.

A storm of dozens of units has too many results to follow, but each result is easy to roll. Arrays have a row for
each unit and a column for each simulated siege.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from generator.games.blind_faith.exact_odds import After, Odds
from generator.games.blind_faith.rounds import Ending, Loss, Policy, falls, preference
from generator.games.blind_faith.siege import Boxes, placed, storming
from generator.games.blind_faith.tables import DIE, FACES, FATES, Fate, Pack, Role, UnitLine

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
SEED = 20_261_128
"""The seed of the dice. It is fixed, so that all machines print the same numbers."""
BARRED = 1 << 20
"""Number added to the preference rank of a unit that cannot be a target, larger than any rank."""


class Dice:
    """Dice from the raw bits of PCG64, which are the same in all versions of NumPy."""

    def __init__(self, seed: int) -> None:
        self._bits = np.random.PCG64(seed)

    def roll(self, count: int) -> Ints:
        """Return `count` rolls as numbers from 0."""
        raw = self._bits.random_raw(count) >> np.uint64(32)
        return np.asarray((raw * np.uint64(DIE)) >> np.uint64(32), np.int64)


def sampled_siege(
    pack: Pack,
    besiegers: UnitLine,
    garrison: UnitLine,
    wall: str,
    policy: Policy,
    chosen: Mapping[str, str],
    *,
    rounds: int,
    games: int,
    began: int = 0,
    boxes: Boxes | None = None,
) -> Odds:
    """Return the odds of a siege as shares of `games` simulated sieges.

    The other arguments are those of siege_odds.
    """
    return _Sieges(pack, besiegers, garrison, wall, policy, chosen, games, boxes).played(
        rounds, policy.min_units(began or len(besiegers))
    )


class _Sieges:
    """Simulated sieges of the same units, played at the same time."""

    def __init__(
        self,
        pack: Pack,
        besiegers: UnitLine,
        garrison: UnitLine,
        wall: str,
        policy: Policy,
        chosen: Mapping[str, str],
        games: int,
        boxes: Boxes | None,
    ) -> None:
        self.pack, self.wall, self.policy, self.chosen, self.boxes = pack, wall, policy, chosen, boxes
        self.attackers, self.defenders = pack.line(besiegers), pack.line(garrison)
        self.games = games
        self.dice = Dice(SEED)
        self.a: Bools = np.ones((len(self.attackers), games), np.bool_)
        self.d: Bools = np.ones((len(self.defenders), games), np.bool_)
        """The units that are still there, by unit and siege."""
        self.lost: defaultdict[Loss, int] = defaultdict(int)
        self.response = np.array(
            [[pack.response.at(n, face) for face in FACES] for n in range(len(self.defenders) + 1)], np.int64
        )
        """Routed and eliminated units, by the number of units that respond and by the face."""
        self.gentle = chosen["storm_losses"] == "rout"

    def played(self, rounds: int, min_units: int) -> Odds:
        """Play all sieges to the end. A besieger with fewer than `min_units` units gives up."""
        ended: Counter[Ending] = Counter()
        after: list[After] = []
        for number in range(rounds):
            if self.a.shape[1]:
                boxes = self.boxes if self.boxes and (self.boxes.keep or not number) else None
                guns, stormers = placed(self.pack, self.policy, self.wall, self.attackers, boxes)
                self._bombard(self._rows(guns, ()))
                away = (*guns, *(boxes.reserve if boxes else ()))
                self._storm(self._rows(stormers, away), storming(self.policy, boxes))
                self._end(ended, min_units)
            going = self.a.shape[1]
            left = [Fraction(int(side.sum()), going or 1) for side in (self.a, self.d)]
            chances = {ending: Fraction(n, self.games) for ending, n in ended.items()}
            after.append(After(chances, Fraction(going, self.games), (left[0], left[1])))
        lost = {what: Fraction(n, self.games) for what, n in self.lost.items()}
        return Odds(tuple(after), lost, exact=False, sampled=self.games)

    def _rows(self, units: UnitLine, before: UnitLine) -> list[int]:
        """Return the rows of units. The first units of each class are skipped if they are in `before`."""
        skipped, wanted, rows = Counter(before), Counter(units), list[int]()
        for row, unit in enumerate(self.attackers):
            if skipped[unit]:
                skipped[unit] -= 1
            elif wanted[unit]:
                wanted[unit] -= 1
                rows.append(row)
        return rows

    def _bombard(self, rows: list[int]) -> None:
        """Roll for every unit that bombards. The garrison loses its cheapest units."""
        games = self.a.shape[1]
        breaches = np.zeros(games, np.int64)
        for row in rows:
            of = self.pack.units[self.attackers[row]].type
            faces = np.array([hit == "breach" for hit in self.pack.bombard[of, self.wall]])
            if faces.any():
                breaches += faces[self.dice.roll(games)] & self.a[row]
        if breaches.any():
            gone = self._cheapest("defence", self.d, breaches)
            self._lose("defence", "eliminate", gone)
            self.d &= ~gone

    def _cheapest(self, role: Role, there: Bools, counts: Ints) -> Bools:
        """Return which of the units in `there` are the cheapest, as many as `counts` has for each siege."""
        line = self.attackers if role == "attack" else self.defenders
        order = sorted(
            range(len(line)), key=lambda i: (self.pack.units[line[i]].points, line[i] * (role == "attack"))
        )
        chosen = np.zeros_like(there)
        sorted_there = there[order]
        chosen[order] = sorted_there & (np.cumsum(sorted_there, axis=0) <= counts)
        return chosen

    def _lose(self, role: Role, fate: Fate, gone: Bools) -> None:
        line = self.attackers if role == "attack" else self.defenders
        for unit, n in zip(line, gone.sum(axis=1).tolist(), strict=True):
            if n:
                self.lost[role, fate, unit] += n

    def _storm(self, rows: list[int], policy: Policy) -> None:
        """Resolve the charges, one stormer after another, and then the garrison's response."""
        games, many = self.a.shape[1], len(self.defenders)
        if not rows or policy.charge == "none":
            return
        every = np.arange(games)
        kinds = {
            unit: _Targets(self.pack, policy, unit, self.defenders) for unit in {self.attackers[row] for row in rows}
        }
        # The key of a target is its number of charges and then its rank for the charger. Units that are gone are
        # barred.
        keys = np.where(self.d, 0, BARRED)
        before = self.d.sum(axis=0)
        fallen = np.zeros((many, games), np.int8)
        charged = np.zeros_like(self.a)
        struck = np.zeros(self.a.shape, np.int8)
        for row in rows:
            targets = kinds[self.attackers[row]]
            best = (keys + targets.ranks[:, None]).min(axis=0)
            at = targets.unit_of_rank[best % (many + 1)]
            goes = self.a[row] & (best < BARRED) & targets.pays[at]
            who = every[goes]
            at = at[goes]
            keys[at, who] += many + 1
            charged[row, who] = True
            rolls = fallen[at, who] == 0
            who, at = who[rolls], at[rolls]
            faces = self.dice.roll(len(who))
            fallen[at, who] = targets.target_fate[at, faces]
            struck[row, who] = targets.charger_fate[at, faces]
        for i, fate in enumerate(FATES[1:], 1):
            self._lose("defence", fate, fallen == i)
            self._lose("attack", "rout" if self.gentle else fate, struck == i)
        self.d &= fallen == 0
        self.a &= struck == 0
        if self.chosen["storm_response"] == "field":
            counted = before if self.chosen["response_count"] == "before" else self.d.sum(axis=0)
            self._respond(charged & self.a, counted * charged.any(axis=0))

    def _respond(self, first: Bools, counted: Ints) -> None:
        """Roll the response of `counted` units. The cheapest stormers that remain are lost first."""
        costs = self.response[counted, self.dice.roll(len(counted))]
        lost = self._cheapest("attack", first, costs.sum(axis=1))
        dead = self._cheapest("attack", lost, costs[:, 1]) if not self.gentle else np.zeros_like(lost)
        self._lose("attack", "rout", lost & ~dead)
        self._lose("attack", "eliminate", dead)
        self.a &= ~lost

    def _end(self, ended: Counter[Ending], min_units: int) -> None:
        """Count the sieges that are over, and keep the others."""
        a, d = self.a.sum(axis=0), self.d.sum(axis=0)
        conditions: list[tuple[Ending, Bools]] = [
            ("both_ruined", (a == 0) & (d == 0)),
            ("defender_ruined", d == 0),
            ("attacker_ruined", a == 0),
            ("attacker_retreats", a < min_units),
        ]
        over = np.zeros(len(a), np.bool_)
        for ending, holds in conditions:
            ended[ending] += int(np.count_nonzero(holds & ~over))
            over |= holds
        if over.any():
            self.a, self.d = self.a[:, ~over], self.d[:, ~over]


class _Targets:
    """The targets of one class of charger: the order of preference, and the result for each target and face."""

    def __init__(self, pack: Pack, policy: Policy, unit: str, line: UnitLine) -> None:
        order = preference(pack, policy, unit, line, False)
        if not policy.older:
            order = tuple(place for place in order if falls(pack, unit, line[place])[0])
        self.ranks = np.full(len(line), BARRED, np.int64)
        self.ranks[list(order)] = np.arange(len(order))
        self.unit_of_rank = np.zeros(len(line) + 1, np.int64)
        self.unit_of_rank[: len(order)] = order
        results = {enemy: [[0] * DIE, [0] * DIE] for enemy in line}
        for enemy, (targets, chargers) in results.items():
            difference = pack.units[unit].drm - pack.units[enemy].drm
            for face in FACES:
                result = pack.charge.at(face + difference)
                targets[face - 1], chargers[face - 1] = FATES.index(result.defender), FATES.index(result.charger)
        self.target_fate = np.array([results[enemy][0] for enemy in line], np.int8)
        self.charger_fate = np.array([results[enemy][1] for enemy in line], np.int8)
        self.pays = np.array(
            [policy.charge == "all" or falls(pack, unit, enemy)[0] >= falls(pack, unit, enemy)[1] for enemy in line]
        )
