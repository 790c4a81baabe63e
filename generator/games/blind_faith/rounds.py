"""The rounds of a battle between two policies of data/blind_faith/battle.toml, with exact probabilities."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import Literal, NamedTuple, get_args

import msgspec

from generator.common.tables import Explained, by_id
from generator.games.blind_faith.battle import (
    FACE,
    KEPT,
    NO_TOLLS,
    Charge,
    ChargerLosses,
    Force,
    Shot,
    Toll,
    Tolls,
    charge,
    charge_chances,
    charge_parts,
    choices,
    faces,
    fire,
    front_size,
    response,
    shots,
    summed,
    without,
)
from generator.games.blind_faith.tables import DIE, Fate, Hit, Losses, Pack, Role, UnitLine, spans
from generator.model.words import Words, joined, same
from generator.notation import toml


class Policy(Explained, frozen=True, forbid_unknown_fields=True):
    """The rules by which a side decides, as described at the head of battle.toml."""

    aim: Literal["chance", "points"]
    charge: Literal["all", "even", "none"]
    siege: Literal["mix", "storm", "bombard"]
    lost: str = ""
    older: bool = False

    def min_units(self, units: int) -> int:
        """Return the smallest number of units with which a side that began with `units` units does not retreat."""
        return 0 if not self.lost else units - -(-units * Fraction(self.lost) // 1) + 1


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The largest battle whose odds are computed exactly."""

    states: int
    ways: int
    """Maximum total number of transitions between states, to which the computing time is proportional."""


class Budget(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The limits for the computation of a fight's odds."""

    exact: Limits
    """The limits of exact computation."""
    storm: int
    """Maximum number of results of the first storm of a siege for an exact computation."""
    states: int
    """Maximum number of states that are followed from each round to the next, the most probable first."""
    min_probability: str = msgspec.field(name="least")
    """Minimum probability of a state that is followed, as a fraction."""
    conceivable: int = 0
    """Maximum number of combinations of remaining units for which an exact computation is tried; 0 for no limit.

    It avoids attempts that would exceed the other limits.
    """
    games: int = 4000
    """Number of simulated sieges if a siege is too large for exact computation."""
    wide: str = "1"
    """The missing probability, as a fraction, above which the budget is increased."""
    further: tuple[int, ...] = (1, 4, 16)
    """Factors by which the number of states is increased, one after another, until at most `wide` is missing."""

    def times(self, factor: int) -> Budget:
        """Return the budget multiplied by a factor."""
        return msgspec.structs.replace(
            self,
            states=self.states * factor,
            min_probability=str(Fraction(self.min_probability) / factor),
            games=self.games * factor,
        )


class Advised(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The ids of the policies that are compared. The first policy of each side is used in the headline."""

    attack: tuple[str, ...]
    defence: tuple[str, ...]
    siege: tuple[str, ...]
    """The besieger's policies, which are compared with the choices of boxes."""

    def __getitem__(self, role: Role) -> tuple[str, ...]:
        return self.attack if role == "attack" else self.defence


class OddsSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of battle.toml."""

    rounds: int
    """The last round for which odds are computed."""
    budget: Budget
    """The budget for grade B and other measures of fairness."""
    page: Budget
    """The budget for a printed page and for `muster odds`."""
    search: Budget
    """The budget for each split that is tried in the search for the best mix in a siege."""
    exact: Budget
    """The budget for `muster odds --exact`."""
    captain: Budget
    """The budget for each possible decision that the captain compares."""
    advised: Advised
    outcome: tuple[Explained, ...]
    policy: tuple[Policy, ...]


odds_settings = toml.shipped_table("blind_faith/battle.toml", OddsSettings)
"""Returns the shipped policies and budgets."""
policies = by_id(lambda: odds_settings().policy)
"""Returns the house policies, keyed by id. The first is the default."""
outcomes = by_id(lambda: odds_settings().outcome)
"""Returns every result in the tables, keyed by id."""


def drawn_up(pack: Pack, role: Role, units: UnitLine, wanted: int = 0, front: UnitLine = ()) -> Force:
    """Return a force with `wanted` units in the front, or as many as possible if it is 0.

    The units in `front` are in the front already. The best of the other units join them. An attacker never has
    more units in the front than boxes.
    """
    every = len(units) + len(front)
    room = (front_size(pack, every) if role == "attack" else wanted or every) - len(front)
    best = in_order(pack, role, units)
    return Force(pack.line((*front, *best[: max(0, room)])), pack.line(best[max(0, room) :]))


def in_order(pack: Pack, role: Role, units: Iterable[str]) -> list[str]:
    """Return units in the order in which they move to the front, the best first."""
    return sorted(pack.line(units), key=lambda unit: _front_rank(pack, role, unit))


def _front_rank(pack: Pack, role: Role, name: str) -> tuple[bool, int, int]:
    unit = pack.units[name]
    return role not in unit.fires, -unit.drm, -unit.points


def aimed(pack: Pack, policy: Policy, role: Role, front: UnitLine, enemies: UnitLine) -> tuple[Shot, ...]:
    """Return a target for every shot of a front."""
    fired: list[Shot] = []
    taken = [0] * len(enemies)
    for shooter, times in shots(pack, front, role, len(enemies)):
        everybody = range(len(enemies))
        places = (
            everybody
            if times > 1
            else (min(preference(pack, policy, shooter, enemies, True), key=taken.__getitem__),)
        )
        for place in places:
            taken[place] += 1
            fired.append(Shot(shooter, place))
    return tuple(fired)


def charging(pack: Pack, policy: Policy, front: UnitLine, enemies: UnitLine) -> tuple[Charge, ...]:
    """Return the charges of a front with their targets. A unit that cannot remove any enemy does not charge."""
    charges: list[Charge] = []
    if policy.charge == "none" or not enemies:
        return ()
    taken = [0] * len(enemies)
    liked = {unit: preference(pack, policy, unit, enemies, False) for unit in dict.fromkeys(front)}
    able = {unit for unit in liked if policy.older or any(falls(pack, unit, enemy)[0] for enemy in enemies)}
    for place, unit in enumerate(front):
        if unit not in able:
            continue
        target = min(liked[unit], key=taken.__getitem__)  # The preferred target of those with the fewest charges.
        if policy.charge == "all" or _even(pack, unit, enemies[target]):
            charges.append(Charge(place, target))
            taken[target] += 1
    return tuple(charges)


@lru_cache(4096)  # The cache covers all pairs of classes in a pack.
def falls(pack: Pack, attacker: str, defender: str) -> tuple[Fraction, Fraction]:
    """Return the probabilities that a charge removes the target and that it removes the charger."""
    results = charge_chances(pack, attacker, defender).items()
    return (
        sum((p for result, p in results if result.defender != "none"), Fraction()),
        sum((p for result, p in results if result.charger != "none"), Fraction()),
    )


@lru_cache(4096)  # The cache covers all pairs of classes in a pack.
def _even(pack: Pack, attacker: str, defender: str) -> bool:
    """Return whether a charge is at least as likely to remove the target as the charger."""
    target_loss, charger_loss = falls(pack, attacker, defender)
    return target_loss >= charger_loss


@lru_cache(KEPT)
def preference(pack: Pack, policy: Policy, unit: str, enemies: UnitLine, fires: bool) -> tuple[int, ...]:
    """Return the indices of the enemies in a unit's order of preference, by probability or by value of the loss.

    Enemies that the unit cannot remove are left out unless there are no others. The older policies include them.
    """

    def worth(place: int) -> tuple[Fraction | bool, int, Fraction, int]:
        enemy = enemies[place]
        odds = _hits(pack, unit, enemy) if fires else falls(pack, unit, enemy)[0]
        return odds if policy.aim == "chance" else odds > 0, pack.units[enemy].points, odds, -place

    removable = [place for place in range(len(enemies)) if policy.older or worth(place)[2]]
    return tuple(sorted(removable or range(len(enemies)), key=worth, reverse=True))


@lru_cache(4096)  # The cache covers all pairs of classes in a pack.
def _hits(pack: Pack, shooter: str, target: str) -> Fraction:
    """Return the probability that a shot removes its target."""
    faces = pack.fire[pack.units[shooter].type, pack.units[target].type]
    return Fraction(DIE - faces.count("none"), DIE)


@lru_cache(KEPT)  # The cache has the same size as that for the rounds of a battle.
def cheapest(pack: Pack, first: UnitLine, others: UnitLine, losses: Losses) -> Toll:
    """Return the losses with the fewest points, and of these the losses with the fewest eliminated points."""
    return min(
        choices(pack, first, others, losses),
        key=lambda toll: (pack.points(toll.lost), pack.points(toll.eliminated), toll),
    )


Ending = Literal["attacker_ruined", "attacker_retreats", "defender_ruined", "defender_retreats", "both_ruined"]
ENDINGS: tuple[Ending, ...] = get_args(Ending)
Fronts = tuple[UnitLine, UnitLine]
"""The attacker's and the defender's front."""
Spread = Mapping[Tolls, Fraction]
Step = Callable[[UnitLine, UnitLine], Spread]
"""Returns the probabilities of the losses in two fronts in a step of the sequence."""
Loss = tuple[Role, Fate, str]
"""The kind of a loss: the side, whether the unit is routed or eliminated, and its class."""


STEPS, KINDS = 2 * KEPT, 16
"""Number of cached steps for fronts, and of cached kinds of steps.

Fights that differ only in a policy or a ruling have most steps in common.
"""


class StepResults(NamedTuple):
    """The results of a step or a round for two fronts, as integers with the denominator `of`.

    Fractions would be slow.
    """

    of: int
    left: Mapping[Fronts, int]
    """The probability of each pair of fronts after the step or round."""
    lost: Mapping[Loss, int]
    """The mean number of lost units of each kind of loss."""


class Round:
    """A sequence of steps. Units lost in one step do not take part in the next."""

    def __init__(self, pack: Pack, *steps: Step) -> None:
        self._pack = pack
        self._steps = steps
        # Do not use functools.cache on a method: it creates a reference cycle, and gc is disabled (cli/__init__).
        self._results: dict[Fronts, StepResults] = {}

    def chances(self, attackers: UnitLine, defenders: UnitLine) -> Spread:
        """Return the probabilities of the total losses in these fronts."""
        spread: Spread = {NO_TOLLS: Fraction(1)}
        for step in self._steps:
            after: defaultdict[Tolls, Fraction] = defaultdict(Fraction)
            for tolls, p in spread.items():
                for more, q in step(*_after((attackers, defenders), tolls)).items():
                    after[summed(self._pack, tolls, more)] += p * q
            spread = after
        return dict(spread)

    def results_for(self, fronts: Fronts) -> StepResults:
        """Return the results of the round for these fronts. They are computed only once."""
        if fronts not in self._results:
            self._results[fronts] = self._fought(fronts)
        return self._results[fronts]

    def _fought(self, fronts: Fronts) -> StepResults:
        of, spread, lost = 1, {fronts: 1}, dict[Loss, int]()
        for step in self._steps:
            shorts = [(_shortened(step, fronts_left), parts) for fronts_left, parts in spread.items()]
            scale = lcm(*(short.of for short, _ in shorts))
            of *= scale
            after: defaultdict[Fronts, int] = defaultdict(int)
            cost: defaultdict[Loss, int] = defaultdict(int, {what: parts * scale for what, parts in lost.items()})
            for short, parts in shorts:
                weight = parts * (scale // short.of)
                for left, more in short.left.items():
                    after[left] += weight * more
                for what, mean in short.lost.items():
                    cost[what] += weight * mean
            spread, lost = after, cost
        return StepResults(of, spread, lost)


def _after(fronts: Fronts, tolls: Tolls) -> Fronts:
    return _left(fronts[0], tolls.attacker.lost), _left(fronts[1], tolls.defender.lost)


# The cache has the same size as that for the rounds of a battle, because most of these results are equal.
@lru_cache(KEPT)
def _left(line: UnitLine, lost: UnitLine) -> UnitLine:
    return _same(without(line, lost))


@lru_cache(KEPT)
def _same(line: UnitLine) -> UnitLine:
    return line


@lru_cache(STEPS)  # The cache covers the rounds of a few fights.
def _shortened(step: Step, fronts: Fronts) -> StepResults:
    spread = step(*fronts)
    of = lcm(*(p.denominator for p in spread.values()))
    left: defaultdict[Fronts, int] = defaultdict(int)
    lost: defaultdict[Loss, int] = defaultdict(int)
    for tolls, p in spread.items():
        parts = p.numerator * (of // p.denominator)
        left[_after(fronts, tolls)] += parts
        sides: tuple[tuple[Role, Toll], ...] = (("attack", tolls.attacker), ("defence", tolls.defender))
        for role, toll in sides:
            for unit in toll.routed:
                lost[role, "rout", unit] += parts
            for unit in toll.eliminated:
                lost[role, "eliminate", unit] += parts
    return StepResults(of, left, lost)


class FieldRounds(NamedTuple):
    """The rounds of a field battle."""

    full: Round
    attacker_pursues: Round
    defender_pursues: Round


def field_rounds(pack: Pack, chosen: Mapping[str, str], attacker: Policy, defender: Policy) -> FieldRounds:
    """Return the rounds of a field battle (fire, return fire, charge and response) and of a pursuit by either side.

    `chosen` is the choice for each ruling.
    """
    fire_, fire_back = _firing(pack, attacker, "attack"), _firing(pack, defender, "defence")
    return FieldRounds(
        Round(pack, fire_, fire_back, _charging(pack, attacker, chosen["response_count"])),
        Round(pack, fire_, _pursuing(pack, attacker, "none" if chosen["pursuit"] == "one_sided" else "table")),
        Round(pack, fire_back, _responding(pack)),
    )


@lru_cache(KINDS)  # All fights with an equal step share it.
def _firing(pack: Pack, policy: Policy, role: Role) -> Step:
    def attackers_fire(attackers: UnitLine, defenders: UnitLine) -> Spread:
        costs = fire(pack, aimed(pack, policy, "attack", attackers, defenders), defenders)
        return {Tolls(defender=toll): p for toll, p in costs.items()}

    def defenders_fire(attackers: UnitLine, defenders: UnitLine) -> Spread:
        costs = fire(pack, aimed(pack, policy, "defence", defenders, attackers), attackers)
        return {Tolls(attacker=toll): p for toll, p in costs.items()}

    return attackers_fire if role == "attack" else defenders_fire


@lru_cache(KINDS)  # All fights with an equal step share it.
def _charging(pack: Pack, policy: Policy, counted: str) -> Step:
    def charge_and_response(attackers: UnitLine, defenders: UnitLine) -> Spread:
        charges = charging(pack, policy, attackers, defenders)
        chargers = tuple(attackers[c.charger] for c in charges)
        others = without(attackers, chargers)
        after: defaultdict[Tolls, int] = defaultdict(int)
        for tolls, p in charge_parts(pack, charges, attackers, defenders).items():
            gone = 0 if counted == "before" else len(tolls.defender.lost)
            first = without(chargers, tolls.attacker.lost)
            for more, q in responded(pack, len(defenders) - gone, first, others).items():
                after[summed(pack, tolls, more)] += p * q
        of = DIE ** (len(charges) + 1)
        return {tolls: Fraction(p, of) for tolls, p in after.items()}

    return charge_and_response


@lru_cache(KINDS)  # All fights with an equal step share it.
def _pursuing(pack: Pack, policy: Policy, charger_losses: ChargerLosses) -> Step:
    def pursuers_charge(attackers: UnitLine, defenders: UnitLine) -> Spread:
        return charge(
            pack, charging(pack, policy, attackers, defenders), attackers, defenders, charger_losses=charger_losses
        )

    return pursuers_charge


@lru_cache(KINDS)  # All fights with an equal step share it.
def _responding(pack: Pack) -> Step:
    def pursuers_respond(attackers: UnitLine, defenders: UnitLine) -> Spread:
        return {tolls: p * FACE for tolls, p in responded(pack, len(defenders), (), attackers).items()}

    return pursuers_respond


@lru_cache(KEPT)
def responded(
    pack: Pack, defenders: int, first: UnitLine, others: UnitLine, *, charger_losses: ChargerLosses = "table"
) -> Mapping[Tolls, int]:
    """Return the attacker's losses caused by the response of `defenders` units, weighted by the faces of the die.

    The attacker removes the cheapest units that the rules permit.
    """
    after: defaultdict[Tolls, int] = defaultdict(int)
    for losses, p in response(pack, defenders).items():
        toll = cheapest(pack, first, others, Losses(sum(losses)) if charger_losses == "rout" else losses)
        after[Tolls(toll)] += faces(p)
    return after


def hits(faces: tuple[Hit, ...]) -> Words:
    """Return a cell of the fire or bombardment table as printed, with the dice for each result."""
    parts = [
        Words(f"{outcomes()[hit].name.en} {dice}", f"{outcomes()[hit].name.ja} {dice}")
        for hit, first, last in spans(faces)
        for dice in [f"{first}" if first == last else f"{first}–{last}"]
    ]
    return joined(parts) if parts else same("–")


def losses(cost: Losses) -> Words:
    """Return a cell of the response table as printed, or a dash if there are no losses."""
    counts = (("rout", cost.rout), ("eliminate", cost.eliminate))
    parts = [
        Words(f"{count} {outcomes()[fate].name.en.lower()}", f"{outcomes()[fate].name.ja}{count}")
        for fate, count in counts
        if count
    ]
    return joined(parts) if parts else same("–")
