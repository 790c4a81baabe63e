"""Compute lower bounds for the odds of a battle or siege in floating point, round by round.

All states of a round are rows of arrays, and equal states are merged. Improbable states are dropped and count for
no ending. Therefore the probability of each ending is a lower bound, and the missing probability is the width of
the bounds. Probabilities are only added and multiplied. Rounding changes them by at most a known relative error,
which is subtracted (`SLACK`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from math import prod
from typing import NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from generator.games.blind_faith.battle import ChargerLosses, Force, Toll, charge_chances, first_hit, front_size
from generator.games.blind_faith.rounds import Ending, Loss, Policy, aimed, charging, in_order, responded
from generator.games.blind_faith.tables import DIE, FATES, Fate, Pack, Role, UnitLine

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Groups = tuple[tuple[tuple[UnitLine, str], int], ...]
"""Groups of chargers at a target of a class, each with the number of times it occurs."""
Cost = tuple[Ints, Floats, Floats]
"""Codes of the losses in the two fronts, their probabilities, and the mean losses."""
LARGE = 1 << 62
"""Upper limit of all codes, which ensures that they fit into 64 bits."""
SLACK = 2.0**-20
"""Upper limit of the relative rounding error, for fewer than 2**32 sums and products with an error of 2**-53 each."""
FINE = 64
"""Factor by which a result within a round must be less probable than a dropped state to be dropped too."""
RARE = 1e-3
"""Results of a charge that are more probable than this are never dropped."""
WAYS = 500
"""Maximum mean number of transitions that are followed from a state."""
PURSUED = 8
"""A pursuit is computed for this fraction of the states, because it affects only the mean losses."""
NOTHING = 1e-13
"""Probabilities below this value are dropped."""
MAX_RESULTS, MIN_RESULTS = 20_000, 200
"""Maximum and minimum number of results that are followed for a charge of a whole front."""


class Numbering:
    """Encodes a set of units as an integer with one digit for each class, which is the number of its units."""

    def __init__(self, pack: Pack, units: Iterable[str]) -> None:
        there = Counter(pack.line(units))
        self.ids = tuple(there)
        self._radix = [n + 1 for n in there.values()]
        self.radix = np.array(self._radix, np.int64)
        self.size = prod(self._radix)
        if self.size >= LARGE:
            raise ValueError("more units of more classes than can be counted")
        self.weight = np.array([prod(self._radix[:i]) for i in range(len(self.ids))], np.int64)
        self._one = {unit: int(weight) for unit, weight in zip(self.ids, self.weight, strict=True)}

    def code(self, units: Iterable[str]) -> int:
        """Return the code of these units."""
        return sum(self._one[unit] for unit in units)

    def counts(self, codes: Ints) -> Ints:
        """Return an array with a row for each code and the number of units of each class."""
        counts: Ints = (codes[:, None] // self.weight) % self.radix
        return counts

    def units(self, codes: Ints) -> Ints:
        """Return the total number of units for each code."""
        every: Ints = self.counts(codes).sum(axis=1, dtype=np.int64)
        return every

    def capped(self, codes: Ints, max_units: Ints) -> Ints:
        """Return the codes with the number of units of each class limited to `max_units`."""
        capped: Ints = np.minimum(self.counts(codes), max_units[:, None]) @ self.weight
        return capped

    def kept(self, codes: Ints, of: Iterable[str]) -> Ints:
        """Return the codes reduced to the units of the given classes."""
        chosen = set(of)
        return self.counts(codes) @ np.array([w if u in chosen else 0 for u, w in self._one.items()], np.int64)

    def line(self, code: int) -> UnitLine:
        """Return the units of a code."""
        units: list[str] = []
        for unit, radix in zip(self.ids, self._radix, strict=True):
            code, n = divmod(code, radix)
            units += [unit] * n
        return tuple(units)


class Rows(NamedTuple):
    """States with their probabilities. Within a round, attackers that did not charge are kept in `others`."""

    front: Ints
    others: Ints
    line: Ints
    behind: Ints
    """The number of units in the attacker's reserve. It identifies the units, because the best units leave first."""
    rear: Ints
    """The number of units in the defender's reserve."""
    level: Ints
    """The number of defenders that count for the next response."""
    mass: Floats

    def take(self, of: Ints | npt.NDArray[np.bool_]) -> Rows:
        """Return the selected rows."""
        front, others, line, behind, rear, level, mass = self
        return Rows(front[of], others[of], line[of], behind[of], rear[of], level[of], mass[of])


class Part(NamedTuple):
    """The results of a step for one state: the losses in the two fronts and their probabilities."""

    front: Ints
    line: Ints
    chance: Floats
    apart: int
    """The code of the front units that do not charge and are moved to `others` before the step."""
    lost: Floats
    """The mean number of lost units for each kind of loss."""


class Opponent(NamedTuple):
    """A side at the beginning of the fight."""

    force: Force
    policy: Policy
    stays: bool
    """Whether the side cannot retreat."""
    began: int
    """The initial number of units, which determines when the side retreats."""


class Stand(msgspec.Struct, frozen=True):
    """The probabilities at the end of a round, as lower bounds."""

    endings: dict[Ending, float]
    going: float
    """The probability that the fight continues."""
    left: tuple[float, float]
    """The mean numbers of units that the attacker and the defender have if the fight continues."""


class Followed(msgspec.Struct, frozen=True):
    """The result of following a fight."""

    after: tuple[Stand, ...]
    """The probabilities after each round."""
    lost: tuple[tuple[Role, Fate, str, float], ...]
    """The mean number of lost units by side, result and class."""
    states: int
    """The total number of states followed in all rounds."""


class Forward:
    """Follows a battle or, if there is a `wall`, a siege with an older policy. Fronts are represented by codes.

    In a siege, classes with the same effect in all tables are merged into one class, because a side may choose
    freely between their units. Their losses are divided in proportion to their numbers.
    """

    def __init__(
        self,
        pack: Pack,
        attacker: Opponent,
        defender: Opponent,
        chosen: Mapping[str, str],
        wall: str = "",
        width: int | None = None,
    ) -> None:
        self.pack, self.chosen, self.wall = pack, chosen, wall
        self.sides: dict[Role, Opponent] = {"attack": attacker, "defence": defender}
        a, d = attacker.force, defender.force
        self.guns: UnitLine = ()
        self.like: Mapping[Role, Mapping[str, str]] = {"attack": {}, "defence": {}}
        if wall:
            self.guns = tuple(unit for unit in a.front if pack.units[unit].bombards)
            stormers = tuple(unit for unit in a.front if unit not in self.guns)
            self.like = {"attack": _like(pack, stormers), "defence": _like(pack, d.front)}
            a = Force(pack.line(self.like["attack"][unit] for unit in stormers))
            d = Force(pack.line(self.like["defence"][unit] for unit in d.front))
        self.begin = a, d
        self.a = Numbering(pack, (*a.front, *a.reserve))
        self.d = Numbering(pack, (*d.front, *d.reserve))
        ids: dict[Role, UnitLine] = {"attack": self.a.ids, "defence": self.d.ids}
        self.losses: list[Loss] = [(role, fate, unit) for role in ids for fate in FATES[1:] for unit in ids[role]]
        self.place = {loss: i for i, loss in enumerate(self.losses)}
        self.lost = np.zeros(len(self.losses))
        self.width = len(d.front) if width is None else width
        self.joining = {
            "attack": np.cumsum([0, *(self.a.code([u]) for u in in_order(pack, "attack", a.reserve))]),
            "defence": np.cumsum([0, *(self.d.code([u]) for u in in_order(pack, "defence", d.reserve))]),
        }
        self.leaves = {role: 0 if s.stays else s.policy.min_units(s.began) for role, s in self.sides.items()}
        if wall:
            self.leaves["defence"] = 0  # A garrison never retreats.
        max_units = len(d.front) + len(d.reserve)
        answers = [tuple(pack.response.at(n, face + 1) for face in range(DIE)) for n in range(max_units + 1)]
        first = {answer: answers.index(answer) for answer in answers}
        self.levels = np.array([first[answer] for answer in answers], np.int64)
        """The smallest number of defenders with the same response, by number of defenders."""
        self.heaviest = np.array([max(sum(cost) for cost in answer) for answer in answers], np.int64)
        self.breaches = self._breaches()
        self.cheap = sorted(range(len(self.d.ids)), key=lambda i: pack.units[self.d.ids[i]].points)
        self.charger_losses: ChargerLosses = "rout" if wall and chosen["storm_losses"] == "rout" else "table"
        self._fired = cache(self._shots)
        self._stormed = cache(self._group)
        self._charging = cache(self._groups)
        self._whole = cache(self._few)
        self._answered = cache(self._answer)

    def followed(
        self, rounds: int, states: int, min_probability: float, stopped: Callable[[], bool] = lambda: False
    ) -> Followed | None:
        """Follow the fight for `rounds` rounds with at most `states` states of at least `min_probability`.

        Return None if `stopped` has returned True.
        """
        rows, after, followed = self._start(), list[Stand](), 0
        ended: defaultdict[Ending, float] = defaultdict(float)
        self.tiny, self.ways = min_probability / FINE, states * WAYS
        self.lost = np.zeros(len(self.losses))
        self.pursued = max(MIN_RESULTS, states // PURSUED)
        for _ in range(rounds):
            if stopped():
                return None
            followed += len(rows.mass)
            if len(rows.mass):
                rows = self._ends(self._round(rows), ended)
            endings = {ending: p * (1 - SLACK) for ending, p in ended.items()}
            after.append(Stand(endings, _total(rows.mass) * (1 - SLACK), self._left(rows)))
            rows = _likeliest(rows, states, min_probability)
        return Followed(tuple(after), tuple(self._shared()), followed)

    def _shared(self) -> Iterator[tuple[Role, Fate, str, float]]:
        """Yield the mean losses, with the losses of merged classes divided among the original classes."""
        for (role, fate, unit), mean in zip(self.losses, self.lost, strict=True):
            force = self.sides[role].force
            there = Counter(u for u in (*force.front, *force.reserve) if self.like[role].get(u, u) == unit)
            for one, n in there.items():
                yield role, fate, one, float(mean) * n / there.total()

    def _start(self) -> Rows:
        a, d = self.begin
        line = self.a.code(a.front), self.d.code(d.front)
        front, line_, behind, rear, none = (
            np.array([n], np.int64) for n in (*line, len(a.reserve), len(d.reserve), 0)
        )
        return Rows(front, none, line_, behind, rear, none, np.ones(1))

    def _left(self, rows: Rows) -> tuple[float, float]:
        """Return the mean number of units of each side."""
        every = _total(rows.mass)
        if not every:
            return 0.0, 0.0
        a, d = self._unit_counts(rows)
        return _total(a * rows.mass) / every, _total(d * rows.mass) / every

    def _unit_counts(self, rows: Rows) -> tuple[Ints, Ints]:
        return self.a.units(rows.front) + rows.behind + len(self.guns), self.d.units(rows.line) + rows.rear

    def _round(self, rows: Rows) -> Rows:
        if self.wall:
            rows = self._charge(self._bombard(rows), self.charger_losses)
            return self._respond(rows, spare=True) if self.chosen["storm_response"] == "field" else _one(rows)
        rows = self._fire(self._fire(rows, "attack"), "defence")
        return self._respond(self._charge(rows, self.charger_losses))

    def _ends(self, rows: Rows, ended: defaultdict[Ending, float]) -> Rows:
        """Return the states in which the fight continues, with filled fronts.

        Add the others to the endings, with pursuits.
        """
        a, d = self._unit_counts(rows)
        full = self._filled(rows)
        over = np.zeros(len(rows.mass), np.int64)
        conditions: list[tuple[Ending, npt.NDArray[np.bool_]]] = [
            ("both_ruined", (a == 0) & (d == 0)),
            ("defender_ruined", (d == 0) | ((a > 0) & (full.line == 0))),
            ("attacker_ruined", a == 0),
            ("attacker_retreats", a < self.leaves["attack"]),
            ("defender_retreats", d < self.leaves["defence"]),
        ]
        for ending, holds in conditions:
            now = holds & (over == 0)
            if not now.any():
                continue
            over[now] = 1
            ended[ending] += _total(rows.mass[now])
            if ending.endswith("retreats") and not self.wall:
                left = (full if self.chosen["pursuit_front"] == "refilled" else rows).take(now)
                self._pursue(left, "defence" if ending.startswith("attacker") else "attack")
        return full.take(over == 0)

    def _pursue(self, rows: Rows, who: Role) -> None:
        """Add the mean losses of a pursuit. The states after it are not needed."""
        none = np.zeros_like(rows.front)
        rows = _merged(rows._replace(behind=none, rear=none))
        every = _total(rows.mass)
        rows = rows.take(_greatest(rows.mass, self.pursued))
        # A pursuit affects only mean losses, so the most probable states represent all states.
        rows = rows._replace(mass=rows.mass * (every / _total(rows.mass)))
        rows = self._fire(rows, who)
        if who == "attack":
            self._charge(rows, "none" if self.chosen["pursuit"] == "one_sided" else "table")
        else:
            level = self.levels[self.d.units(rows.line)]
            self._respond(rows._replace(front=np.zeros_like(rows.front), others=rows.front, level=level))

    def _filled(self, rows: Rows) -> Rows:
        """Return the states with their fronts filled from the reserves."""
        if self.wall:
            return rows
        in_front = self.a.units(rows.front)
        room = np.minimum(front_size(self.pack, 1 << 30), in_front + rows.behind) - in_front
        front, behind = self._joined("attack", rows.front, rows.behind, room)
        line, rear = rows.line, rows.rear
        if self.chosen["defender_refill"] != "never":
            every = self.d.units(line)
            room = (self.width or every + rear) - every
            line, rear = self._joined("defence", line, rear, room)
        return rows._replace(front=front, behind=behind, line=line, rear=rear)

    def _joined(self, role: Role, front: Ints, behind: Ints, room: Ints) -> tuple[Ints, Ints]:
        codes = self.joining[role]
        some = np.minimum(np.maximum(room, 0), behind)
        at = len(codes) - 1 - behind
        return front + codes[at + some] - codes[at], behind - some

    def _fire(self, rows: Rows, role: Role) -> Rows:
        """Return the states after one front has fired at the other."""
        firing, enemy = (self.a, self.d) if role == "attack" else (self.d, self.a)
        shooting, targets = (rows.front, rows.line) if role == "attack" else (rows.line, rows.front)
        shooters = firing.kept(shooting, (u for u in firing.ids if role in self.pack.units[u].fires))
        if role == "attack":
            # No unit is a target twice before every unit is a target once, so at most as many units of a class are
            # targets as there are shots.
            targets = enemy.capped(targets, firing.units(shooters))
        keys, of = np.unique(_pairs(shooters, targets), return_inverse=True)
        first = _firsts(of, len(keys))
        parts = [self._fired(role, int(shooters[i]), int(targets[i])) for i in first]
        return self._stepped(rows, of, parts)

    def _shots(self, role: Role, shooters: int, targets: int) -> Part:
        firing, enemy = (self.a, self.d) if role == "attack" else (self.d, self.a)
        other: Role = "defence" if role == "attack" else "attack"
        line, lost = enemy.line(targets), np.zeros(len(self.losses))
        spread = {0: 1.0}
        shots: defaultdict[int, list[str]] = defaultdict(list)
        for shot in aimed(self.pack, self.sides[role].policy, role, firing.line(shooters), line):
            shots[shot.target].append(self.pack.units[shot.shooter].type)
        for at, types in shots.items():
            unit = line[at]
            aimed_at = self.pack.units[unit].type
            fates = first_hit(tuple(self.pack.fire[of, aimed_at] for of in types))
            hit = {fate: float(fates.get(fate, 0)) for fate in FATES}
            for fate in FATES[1:]:
                lost[self.place[other, fate, unit]] += hit[fate]
            one, after = enemy.code([unit]), defaultdict[int, float](float)
            for code, p in spread.items():
                after[code] += p * hit["none"]
                after[code + one] += p * (hit["rout"] + hit["eliminate"])
            spread = {code: p for code, p in after.items() if p}
        codes, none = np.array(list(spread), np.int64), np.zeros(len(spread), np.int64)
        chances = np.array(list(spread.values()))
        return Part(none, codes, chances, 0, lost) if role == "attack" else Part(codes, none, chances, 0, lost)

    def _charge(self, rows: Rows, charger_losses: ChargerLosses) -> Rows:
        """Return the states after the charge. Units that did not charge are in `others`."""
        before = self.levels[self.d.units(rows.line)]
        lines = self.d.capped(rows.line, self.a.units(rows.front))
        keys, of = np.unique(_pairs(rows.front, lines), return_inverse=True)
        first = _firsts(of, len(keys))
        weights = _summed(of, rows.mass, len(keys))
        ways = self.ways / max(_total(weights), NOTHING)
        parts = [
            self._charge_part(
                front, line, charger_losses, min(self.tiny / w, RARE), int(min(MAX_RESULTS, MIN_RESULTS + ways * w))
            )
            for front, line, w in zip(
                rows.front[first].tolist(), lines[first].tolist(), weights.tolist(), strict=True
            )
        ]
        if self.chosen["response_count"] == "before":
            return self._stepped(rows._replace(level=before), of, parts)
        after = self._stepped(rows, of, parts)
        return after._replace(level=self.levels[self.d.units(after.line)])

    def _charge_part(
        self, front: int, line: int, charger_losses: ChargerLosses, min_probability: float, max_results: int
    ) -> Part:
        groups, apart = self._charging(front, line)
        codes, chances, lost = self._whole(groups, charger_losses) or self._joint(
            groups, charger_losses, min_probability, max_results
        )
        return Part(codes % self.a.size, codes // self.a.size, chances, apart, lost)

    def _groups(self, front: int, line: int) -> tuple[Groups, int]:
        """Return the groups of chargers with their targets, and the code of the units that do not charge."""
        units, enemies = self.a.line(front), self.d.line(line)
        charges = charging(self.pack, self.sides["attack"].policy, units, enemies)
        at: defaultdict[int, list[str]] = defaultdict(list)
        for c in charges:
            at[c.target].append(units[c.charger])
        groups = Counter((tuple(chargers), enemies[target]) for target, chargers in at.items())
        return tuple(groups.items()), front - self.a.code(units[c.charger] for c in charges)

    def _few(self, groups: Groups, charger_losses: ChargerLosses) -> Cost | None:
        """Return all results of a charge if there are few, else None."""
        count = prod(len(self._stormed(*group, charger_losses, times)[0]) for group, times in groups)
        return self._joint(groups, charger_losses, NOTHING, MIN_RESULTS) if count <= MIN_RESULTS else None

    def _joint(self, groups: Groups, charger_losses: ChargerLosses, min_probability: float, max_results: int) -> Cost:
        codes, chances, lost = np.zeros(1, np.int64), np.ones(1), np.zeros(len(self.losses))
        for group, times in groups:
            more, p, mean = self._stormed(*group, charger_losses, times)
            codes, chances = _both(codes, chances, more, p, min_probability)
            keep = _greatest(chances, max_results)
            codes, chances, lost = codes[keep], chances[keep], lost + mean
        return codes, chances, lost

    def _places(self, role: Role, toll: Toll) -> Iterator[int]:
        """Yield the index of each lost unit among the kinds of losses."""
        yield from (self.place[role, "rout", unit] for unit in toll.routed)
        yield from (self.place[role, "eliminate", unit] for unit in toll.eliminated)

    def _group(self, chargers: UnitLine, target: str, charger_losses: ChargerLosses, times: int) -> Cost:
        """Return the results of equal groups of chargers at `times` targets of one class."""
        if times > 1:
            one, p, mean = self._stormed(chargers, target, charger_losses, times - 1)
            two, q, also = self._stormed(chargers, target, charger_losses, 1)
            return (*_both(one, p, two, q, NOTHING), mean + also)
        lost = np.zeros(len(self.losses))
        fallen = self.a.size * self.d.code([target])
        surviving: dict[int, float] = {0: 1.0}
        ended: defaultdict[int, float] = defaultdict(float)
        for charger in chargers:
            # A unit does not roll if its target has already fallen.
            after: defaultdict[int, float] = defaultdict(float)
            charger_code = self.a.code([charger])
            whole = sum(surviving.values())
            for result, face in charge_chances(self.pack, charger, target).items():
                share = float(face)
                fate = result.charger if charger_losses == "table" or result.charger == "none" else charger_losses
                if fate != "none":
                    lost[self.place["attack", fate, charger]] += whole * share
                if result.defender != "none":
                    lost[self.place["defence", result.defender, target]] += whole * share
                into, more = (after, 0) if result.defender == "none" else (ended, fallen)
                for code, weight in surviving.items():
                    into[code + more + (0 if fate == "none" else charger_code)] += weight * share
            surviving = {code: weight for code, weight in after.items() if weight >= NOTHING}
        spread = surviving | ended
        return np.array(list(spread), np.int64), np.array(list(spread.values())), lost

    def _respond(self, rows: Rows, *, spare: bool = False) -> Rows:
        """Return the states after the response.

        Chargers are lost before other units. With `spare`, only chargers are lost.
        """
        max_losses = self.heaviest[rows.level]
        first = self.a.capped(rows.front, max_losses)
        others = np.zeros_like(first) if spare else self.a.capped(rows.others, max_losses)
        keys, of = np.unique(_pairs(_pairs(first, others), rows.level), return_inverse=True)
        at = _firsts(of, len(keys))
        parts = [self._answered(int(first[i]), int(others[i]), int(rows.level[i]), self.charger_losses) for i in at]
        whole = rows._replace(front=rows.front + rows.others, others=np.zeros_like(first))
        return _one(self._stepped(whole, of, parts))

    def _answer(self, first: int, others: int, defenders: int, charger_losses: ChargerLosses) -> Part:
        lost = np.zeros(len(self.losses))
        spread: defaultdict[int, float] = defaultdict(float)
        for tolls, parts in responded(
            self.pack, defenders, self.a.line(first), self.a.line(others), charger_losses=charger_losses
        ).items():
            p = parts / DIE
            spread[self.a.code(tolls.attacker.lost)] += p
            for at in self._places("attack", tolls.attacker):
                lost[at] += p
        codes = np.array(list(spread), np.int64)
        return Part(codes, np.zeros_like(codes), np.array(list(spread.values())), 0, lost)

    def _breaches(self) -> Floats:
        """Return the probability of each number of breaches made by a bombardment."""
        chances = np.ones(1)
        for gun in self.guns:
            p = self.pack.bombard[self.pack.units[gun].type, self.wall].count("breach") / DIE
            chances = np.append(chances * (1 - p), 0) + np.append(0, chances * p)
        return chances

    def _bombard(self, rows: Rows) -> Rows:
        """Return the states after a bombardment. Each breach removes a defender, the cheapest first."""
        many, every = len(rows.mass), len(self.breaches)
        rows = rows.take(np.repeat(np.arange(many), every))
        left = np.tile(np.arange(every), many)
        mass = rows.mass * np.tile(self.breaches, many)
        counts, line = self.d.counts(rows.line), rows.line.copy()
        for i in self.cheap:
            gone = np.minimum(left, counts[:, i])
            left -= gone
            line -= gone * self.d.weight[i]
            self.lost[self.place["defence", "eliminate", self.d.ids[i]]] += _total(gone * mass)
        return _merged(rows._replace(line=line, mass=mass).take(mass > 0))

    def _stepped(self, rows: Rows, of: Ints, parts: Sequence[Part]) -> Rows:
        """Return each row with each result of its part, without the most improbable ones."""
        if not parts:
            return rows
        weights = _summed(of, rows.mass, len(parts))
        self.lost += (weights[:, None] * np.array([part.lost for part in parts])).sum(axis=0)
        sizes = np.array([len(part.chance) for part in parts], np.int64)
        starts = np.cumsum(sizes) - sizes
        each = sizes[of]
        source = np.repeat(np.arange(len(of)), each)
        at = np.arange(len(source)) - np.repeat(np.cumsum(each) - each, each) + np.repeat(starts[of], each)
        mass = rows.mass[source] * np.concatenate([part.chance for part in parts])[at]
        keep = _worth(mass, self.tiny, self.ways // WAYS)
        source, at, mass = source[keep], at[keep], mass[keep]
        apart = np.array([part.apart for part in parts], np.int64)[of][source]
        new = rows.take(source)
        return _merged(
            new._replace(
                front=new.front - apart - np.concatenate([part.front for part in parts])[at],
                others=new.others + apart,
                line=new.line - np.concatenate([part.line for part in parts])[at],
                mass=mass,
            )
        )


def _like(pack: Pack, units: UnitLine) -> dict[str, str]:
    """Return, for each class, the first class with the same modifier and points, which is equivalent in a siege."""
    first: dict[tuple[int, int], str] = {}
    return {u: first.setdefault((pack.units[u].drm, pack.units[u].points), u) for u in pack.line(units)}


def _both(one: Ints, p: Floats, two: Ints, q: Floats, min_probability: float) -> tuple[Ints, Floats]:
    """Return the sums of two independent losses with their probabilities."""
    codes, chances = (one[:, None] + two).ravel(), (p[:, None] * q).ravel()
    keep = _worth(chances, min_probability, MIN_RESULTS)
    codes, chances = codes[keep], chances[keep]
    if len(one) == 1:  # There are no equal sums to merge.
        order = codes.argsort()
        return codes[order], chances[order]
    found, of = np.unique(codes, return_inverse=True)
    return found, _summed(of, chances, len(found))


def _summed(of: Ints, chances: Floats, count: int) -> Floats:
    """Return the sum of the probabilities in each group. The order of addition is the same on all machines."""
    return np.asarray(np.bincount(of, chances, count), np.float64)


def _total(chances: Floats) -> float:
    """Return the sum of all probabilities, added in a fixed order."""
    return float(np.cumsum(chances)[-1]) if len(chances) else 0.0


def _pairs(one: Ints, two: Ints) -> Ints:
    """Return a number for each pair of elements, different for different pairs."""
    if not len(one):
        return one
    size = int(two.max()) + 1
    if int(one.max()) >= LARGE // size:
        one = np.unique(one, return_inverse=True)[1]
    return one * size + two


def _firsts(of: Ints, count: int) -> Ints:
    """Return the index at which each group first occurs."""
    first = np.zeros(count, np.int64)
    first[of[::-1]] = np.arange(len(of))[::-1]
    return first


def _one(rows: Rows) -> Rows:
    """Return the rows with the units in `others` back in the front."""
    none = np.zeros_like(rows.front)
    return _merged(rows._replace(front=rows.front + rows.others, others=none, level=none))


def _merged(rows: Rows) -> Rows:
    """Return the rows with equal states merged."""
    codes = rows.front
    for column in rows[1:-1]:
        codes = _pairs(codes, column)
    found, of = np.unique(codes, return_inverse=True)
    if len(found) == len(codes):
        return rows
    first = _firsts(of, len(found))
    return rows.take(first)._replace(mass=_summed(of, rows.mass, len(found)))


def _worth(mass: Floats, min_probability: float, few: int) -> Ints:
    """Return the indices of probabilities of at least `min_probability`, or else of the `few` largest."""
    keep = np.flatnonzero(mass >= min_probability)
    if len(keep) < few and len(keep) < len(mass):
        keep = _greatest(mass, few)
        keep = keep[mass[keep] >= NOTHING]
    return keep


def _greatest(mass: Floats, count: int) -> Ints:
    """Return the indices of the `count` largest probabilities in ascending order, the first of equals."""
    if len(mass) <= count:
        return np.arange(len(mass))
    last = np.partition(mass, len(mass) - count)[len(mass) - count]
    above, equal = mass > last, np.flatnonzero(mass == last)
    above[equal[: count - np.count_nonzero(above)]] = True
    return np.flatnonzero(above)


def _likeliest(rows: Rows, states: int, min_probability: float) -> Rows:
    """Return the most probable states in their original order."""
    rows = rows.take(_worth(rows.mass, min_probability, states // 4))
    return rows.take(_greatest(rows.mass, states))
