"""An example of one round of a battle or siege, with dice that are chosen to show results.

Every step is resolved with the tables and rulings of the scenario. Units that are lost in one step take no part in
the next. Units that are not mentioned have no effect: their shots miss, and they do not charge.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeVar
from zlib import crc32

from generator.games.blind_faith.battle import Force, Toll, front_size, shots, without
from generator.games.blind_faith.rounds import Policy, cheapest, falls, in_order, policies, preference
from generator.games.blind_faith.siege import breach_chance, breached
from generator.games.blind_faith.tables import FACES, ChargeResult, Fate, Hit, Losses, Pack, UnitLine

T = TypeVar("T")

MAX_DICE = 5
"""Maximum number of dice in a row of an example. More dice would be too small to read."""
MAX_SHOTS = 2
"""Maximum number of shots of single units that an example shows."""
MAX_CHARGES = 2
"""Maximum number of charges that an example shows."""


class Volley(NamedTuple):
    """Shots of units of one class at one target, or the dice of a bombardment. The first hit counts."""

    shooter: str
    target: str
    """The class of the target; empty for a wall."""
    box: int
    """The number of the target's front box, from 1; 0 for a unit of the defender's line or a wall."""
    faces: tuple[int, ...]
    results: tuple[Hit, ...]
    """The result of each die."""

    @property
    def result(self) -> Hit:
        """The result for the target."""
        return next((hit for hit in self.results if hit != "none"), "none")

    @property
    def deciding(self) -> tuple[int, ...]:
        """The indices of the dice that have a result."""
        hits = [i for i, hit in enumerate(self.results) if hit != "none"]
        return tuple(hits if not self.target else hits[:1])


class ChargeRoll(NamedTuple):
    """A charge with its die, its two modifiers, and the results after the rulings on losses."""

    charger: str
    target: str
    face: int
    drm: int
    target_drm: int
    result: ChargeResult

    @property
    def modified(self) -> int:
        """The number that is looked up in the charge table."""
        return self.face + self.drm - self.target_drm


class Answer(NamedTuple):
    """The response of a front of `units` units: those that were `there`, less those lost before."""

    there: int
    lost: tuple[int, ...]
    """The numbers of units lost in the earlier steps that are subtracted."""
    units: int
    face: int
    losses: Losses
    toll: Toll


class WorkedRound(NamedTuple):
    """The steps of an example round, and what is left after it."""

    fire: tuple[Volley, ...]
    """The attacker's fire or, in a siege, the bombardment."""
    fire_others: int
    """The number of further dice of the attacker, which all miss."""
    fire_back: tuple[Volley, ...]
    """The defender's fire; empty in a siege."""
    fire_back_others: int
    charges: tuple[ChargeRoll, ...]
    response: Answer | None
    """The defender's response, or None if there is none."""
    attacker_lost: Toll
    defender_lost: Toll
    attacker_left: Force
    """The attacker's units at the beginning of the next round, after empty boxes are filled."""
    defender_left: int
    """The number of units that the defender has left in the line."""


def _pick(options: Sequence[T], *key: object) -> T:
    """Return one of the options, which depends only on the key."""
    return options[crc32("·".join(map(str, key)).encode()) % len(options)]


class _Example:
    """The state of an example while its steps are resolved."""

    def __init__(self, pack: Pack, attackers: UnitLine, defenders: UnitLine, seed: str) -> None:
        self.pack, self.attackers, self.defenders, self.seed = pack, list(attackers), list(defenders), seed
        self.policy: Policy = next(iter(policies().values()))
        self.attacker_tolls: list[Toll] = []
        self.defender_tolls: list[Toll] = []

    def faces_for(self, cell: Sequence[Hit], wanted: Iterable[Hit], key: str) -> int:
        """Return a face of the die with the first of the wanted results that the cell has, or any face."""
        for hit in wanted:
            if found := [face for face, result in enumerate(cell, 1) if result == hit]:
                return _pick(found, self.seed, key)
        return _pick(FACES, self.seed, key)

    def shot_cell(self, shooter: str, target: str) -> tuple[Hit, ...]:
        """Return the cell of the fire table for two classes."""
        return self.pack.fire[self.pack.units[shooter].type, self.pack.units[target].type]

    def volley(self, shooter: str, target: str, box: int, count: int, wanted: Sequence[Hit], key: str) -> Volley:
        """Return shots at a target, one of which has a wanted result, if there is one, while the others miss."""
        cell = self.shot_cell(shooter, target)
        deciding = _pick(range(count), self.seed, key)
        faces = tuple(
            self.faces_for(cell, wanted if i == deciding else ("none",), f"{key}.{i}") for i in range(count)
        )
        return Volley(shooter, target, box, faces, tuple(cell[face - 1] for face in faces))

    def lose(self, side: str, tolls: Iterable[Toll]) -> None:
        """Remove units from a side and record them."""
        line, record = (
            (self.attackers, self.attacker_tolls) if side == "attack" else (self.defenders, self.defender_tolls)
        )
        for toll in tolls:
            record.append(toll)
            for unit in toll.lost:
                line.remove(unit)

    def aim(self, shooter: str, line: UnitLine, number: int) -> int:
        """Return the index of the target of a shot, which is counted from 0.

        Each shot is at another target as long as there are targets that the shooter can remove.
        """
        targets = preference(self.pack, self.policy, shooter, line, True)
        return targets[min(number, len(targets) - 1)]

    def attacker_fires(self) -> tuple[tuple[Volley, ...], int]:
        """Resolve the attacker's fire, of which the first shot has a result if possible."""
        shooters = [unit for unit, _ in shots(self.pack, tuple(self.attackers), "attack", len(self.defenders))]
        volleys: list[Volley] = []
        for i, shooter in enumerate(shooters[:MAX_SHOTS]):
            line = tuple(self.defenders)
            target = line[self.aim(shooter, line, i)]
            wanted: tuple[Hit, ...] = ("none",) if i or len(self.defenders) < 2 else ("rout", "eliminate")
            volleys.append(self.volley(shooter, target, 0, 1, wanted, f"fire{i}"))
        self.lose("defence", [_toll(volley.target, volley.result) for volley in volleys])
        return tuple(volleys), len(shooters) - len(volleys)

    def defender_fires(self) -> tuple[tuple[Volley, ...], int]:
        """Resolve the defender's fire: at every box by units that fire at each, or else by one or two units."""
        pack, line = self.pack, tuple(self.attackers)
        fired = shots(pack, tuple(self.defenders), "defence", len(line))
        each = [unit for unit, _ in fired if pack.units[unit].each_box]
        single = [unit for unit, _ in fired if not pack.units[unit].each_box]
        # Enough attackers stay for the charge.
        hits: tuple[tuple[Hit, ...], ...] = (("rout", "eliminate"), ("eliminate", "rout"))
        wanted = hits[: len(line) // 2]
        miss: tuple[Hit, ...] = ("none",)
        plans = [*wanted, *[miss] * len(line)]
        volleys: list[Volley] = []
        if each:
            shooter = each[0]
            count = min(MAX_DICE, each.count(shooter))
            for box, target in enumerate(line):
                volleys.append(self.volley(shooter, target, box + 1, count, plans[box], f"back{box}"))
            others = len(line) * (len(each) - count) + len(single)
        else:
            for i, shooter in enumerate(single[:MAX_SHOTS]):
                place = self.aim(shooter, line, i)
                hit = miss if i or not wanted else wanted[0]
                volleys.append(self.volley(shooter, line[place], place + 1, 1, hit, f"back{i}"))
            others = len(single) - len(volleys)
        self.lose("attack", [_toll(volley.target, volley.result) for volley in volleys])
        return tuple(volleys), others

    def charge(self, *, stormers: UnitLine | None = None, routed_at_worst: bool = False) -> tuple[ChargeRoll, ...]:
        """Resolve one or two charges. In a siege only the `stormers` charge."""
        pack, rolls = self.pack, list[ChargeRoll]()
        free = list(self.attackers if stormers is None else stormers)
        for i in range(MAX_CHARGES):
            able = [unit for unit in free if any(falls(pack, unit, enemy)[0] for enemy in self.defenders)]
            if not able or not self.defenders:
                break
            classes = [unit for unit in able if unit not in {roll.charger for roll in rolls}] or able
            charger = classes[0]
            line = tuple(self.defenders)
            liked = preference(pack, self.policy, charger, line, False)
            fresh = [place for place in liked if line[place] not in {roll.target for roll in rolls}]
            target = line[(fresh or liked)[0]]
            drm, target_drm = pack.units[charger].drm, pack.units[target].drm

            def result(face: int, difference: int = drm - target_drm) -> ChargeResult:
                of = pack.charge.at(face + difference)
                worst: Fate = "rout" if routed_at_worst and of.charger == "eliminate" else of.charger
                return ChargeResult(of.defender, worst)

            hits = [face for face in FACES if result(face).defender != "none"]
            calm = [face for face in FACES if result(face).defender == "none"]
            face = _pick((calm or hits) if i else hits, self.seed, f"charge{i}")
            rolls.append(ChargeRoll(charger, target, face, drm, target_drm, result(face)))
            free.remove(charger)
            self.lose("defence", [_toll(target, rolls[-1].result.defender)])
            self.lose("attack", [_toll(charger, rolls[-1].result.charger)])
        return tuple(rolls)

    def respond(
        self,
        charges: Sequence[ChargeRoll],
        there: int,
        lost: tuple[int, ...],
        *,
        before: bool,
        only_chargers: bool = False,
        routed_at_worst: bool = False,
    ) -> Answer | None:
        """Resolve the response. `there` and `lost` are the numbers of the defender's units and of their losses.

        `before` counts the front before the charge. `only_chargers` limits the losses to units that charged.
        """
        pack = self.pack
        counted = lost[:-1] if before else lost
        units = there - sum(counted)
        if not units:
            return None
        rolled = {face: pack.response.at(units, face) for face in FACES}
        if routed_at_worst:
            rolled = {face: Losses(sum(losses)) for face, losses in rolled.items()}
        costly = [face for face in FACES if sum(rolled[face])]
        fewest = [face for face in costly if sum(rolled[face]) == min(sum(rolled[f]) for f in costly)]
        face = _pick(fewest or FACES, self.seed, "response")
        first = pack.line(roll.charger for roll in charges if roll.result.charger == "none")
        others = () if only_chargers else without(pack.line(self.attackers), first)
        toll = cheapest(pack, first, others, rolled[face])
        self.lose("attack", [toll])
        return Answer(there, counted, units, face, rolled[face], toll)


def worked_battle(
    pack: Pack, attack: Force, defence: Force, rulings: Mapping[str, str], seed: str
) -> WorkedRound | None:
    """Return an example of the first round of a battle. `seed` determines the dice.

    The result is None if a side has no units in its front.
    """
    if not attack.front or not defence.front:
        return None
    example = _Example(pack, attack.front, defence.front, seed)
    fire, fire_others = example.attacker_fires()
    after_fire = len(example.defenders)
    back, back_others = example.defender_fires()
    charges = example.charge()
    lost = (len(defence.front) - after_fire, after_fire - len(example.defenders))
    response = example.respond(charges, len(defence.front), lost, before=rulings["response_count"] == "before")
    left = tuple(example.attackers)
    wanted = front_size(pack, len(left) + len(attack.reserve)) - len(left)
    joining = tuple(in_order(pack, "attack", attack.reserve)[: max(0, wanted)])
    return WorkedRound(
        fire,
        fire_others,
        back,
        back_others,
        charges,
        response,
        _sum(pack, example.attacker_tolls),
        _sum(pack, example.defender_tolls),
        Force(pack.line(left + joining), without(attack.reserve, joining)),
        len(example.defenders),
    )


def worked_siege(
    pack: Pack,
    bombarding: UnitLine,
    storming: UnitLine,
    reserve: UnitLine,
    garrison: UnitLine,
    wall: str,
    rulings: Mapping[str, str],
    seed: str,
) -> WorkedRound | None:
    """Return an example of the first round of a siege with the units in these boxes.

    The result is None if a side has no units.
    """
    besiegers = pack.line(bombarding + storming + reserve)
    if not besiegers or not garrison:
        return None
    example = _Example(pack, besiegers, garrison, seed)
    volleys, others = _bombardment(example, bombarding, wall)
    after_fire = len(example.defenders)
    worst = rulings["storm_losses"] == "rout"
    charges = example.charge(stormers=storming, routed_at_worst=worst)
    response = None
    if charges and rulings["storm_response"] == "field":
        lost = (len(garrison) - after_fire, after_fire - len(example.defenders))
        response = example.respond(
            charges,
            len(garrison),
            lost,
            before=rulings["response_count"] == "before",
            only_chargers=True,
            routed_at_worst=worst,
        )
    return WorkedRound(
        volleys,
        others,
        (),
        0,
        charges,
        response,
        _sum(pack, example.attacker_tolls),
        _sum(pack, example.defender_tolls),
        Force(pack.line(example.attackers)),
        len(example.defenders),
    )


def _bombardment(example: _Example, bombarding: UnitLine, wall: str) -> tuple[tuple[Volley, ...], int]:
    """Resolve a bombardment with one breach, if any unit can make one, and return its dice by class."""
    pack, volleys = example.pack, list[Volley]()
    counts = Counter(unit for unit in bombarding if pack.units[unit].bombards)
    # The classes that breach most often come first, and only the first makes a breach.
    ordered = sorted(counts, key=lambda unit: breach_chance(pack, unit, wall), reverse=True)[:MAX_SHOTS]
    for n, unit in enumerate(ordered):
        cell = pack.bombard[pack.units[unit].type, wall]
        dice = min(MAX_DICE, counts[unit])
        deciding = _pick(range(dice), example.seed, unit) if not n and len(example.defenders) > 1 else -1
        faces = tuple(
            example.faces_for(cell, ("breach",) if i == deciding else ("none",), f"{unit}{i}") for i in range(dice)
        )
        volleys.append(Volley(unit, "", 0, faces, tuple(cell[face - 1] for face in faces)))
    breaches = sum(hit == "breach" for volley in volleys for hit in volley.results)
    toll = breached(pack, pack.line(example.defenders), breaches)
    example.lose("defence", [toll])
    return tuple(volleys), sum(counts.values()) - sum(len(volley.faces) for volley in volleys)


def _toll(unit: str, fate: Fate | Hit) -> Toll:
    return Toll((unit,)) if fate == "rout" else Toll((), (unit,)) if fate == "eliminate" else Toll()


def _sum(pack: Pack, tolls: Iterable[Toll]) -> Toll:
    routed, eliminated = list[str](), list[str]()
    for toll in tolls:
        routed += toll.routed
        eliminated += toll.eliminated
    return Toll(pack.line(routed), pack.line(eliminated))
