"""Fairness measures of a scenario, including exact odds, as defined in fairness.toml and docs/fairness.md.

The sides have different classes of units, and one side attacks while the other defends. Therefore no scenario is
symmetric.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import combinations_with_replacement

import msgspec

from generator.common.fairness import Exact, Fairness, Measured, PairOdds, beyond_quickly, measures, measuring
from generator.common.game import RulingImpact
from generator.common.playing import PolicyWords
from generator.games.blind_faith.advice import answer
from generator.games.blind_faith.battle import charge_parts, response, without
from generator.games.blind_faith.exact_odds import Odds
from generator.games.blind_faith.ground import movement, reach, side_name, words
from generator.games.blind_faith.maps import map_view
from generator.games.blind_faith.model import OTHER, Scenario, Stack
from generator.games.blind_faith.odds import computed, fight_odds, fight_of
from generator.games.blind_faith.rounds import Policy, StepResults, charging, field_rounds, odds_settings, policies
from generator.games.blind_faith.siege import bombard, breached
from generator.games.blind_faith.tables import DIE, ROLES, SIDES, Pack, Role, Side, Unit, UnitLine
from generator.model.words import Words, same
from generator.notation import toml

Points = tuple[int, ...]
"""The points of each unit of a line, the smallest first."""


def siege_costs(
    pack: Pack,
    lines: tuple[UnitLine, UnitLine],
    wall: str,
    attacker: Policy,
    chosen: Mapping[str, str],
    max_results: int,
) -> dict[Role, Fraction]:
    """Return the exact mean points of the units that each side loses in the first round of a siege.

    The round consists of bombardment, storm and response. `lines` contains the besieger's and the garrison's
    units. `wall` is the kind of wall, and `chosen` is the choice for each ruling. Only the points of lost units
    are tracked, so even the largest storm has few results.

    Raises:
        ValueError: If the storm has more than `max_results` results.
    """
    besiegers, garrison = lines
    guns = [unit for unit in besiegers if pack.units[unit].bombards]
    stormers = tuple(unit for unit in besiegers if not pack.units[unit].bombards)
    costs: dict[Role, Fraction] = {"attack": Fraction(), "defence": Fraction()}
    for breaches, p in bombard(pack, guns, wall).items():
        gone = breached(pack, garrison, breaches).lost
        stormed = _stormed(pack, attacker, stormers, without(garrison, gone), chosen, max_results)
        costs["attack"] += p * stormed[0]
        costs["defence"] += p * (pack.points(gone) + stormed[1])
    return costs


def _stormed(
    pack: Pack, attacker: Policy, stormers: UnitLine, garrison: UnitLine, chosen: Mapping[str, str], max_results: int
) -> tuple[Fraction, Fraction]:
    """Return the mean points of the units that the stormers and the garrison lose in a storm and its response."""
    charges = charging(pack, attacker, stormers, garrison)
    lost, fallen = Fraction(), Fraction()
    # The points of the remaining chargers and the number of lost defenders, weighted by integers.
    spread = {(_points(pack, tuple(stormers[c.charger] for c in charges)), 0): 1}
    for target in dict.fromkeys(c.target for c in charges):
        target_charges = [c for c in charges if c.target == target]
        after: defaultdict[tuple[Points, int], int] = defaultdict(int)
        for tolls, parts in charge_parts(pack, target_charges, stormers, garrison, charger_losses="rout").items():
            p = Fraction(parts, DIE ** len(target_charges))
            lost += p * pack.points(tolls.attacker.lost)
            fallen += p * pack.points(tolls.defender.lost)
            gone = _points(pack, tolls.attacker.lost)
            for (points_left, count), ways in spread.items():
                left = list(points_left)
                for points in gone:
                    left.remove(points)
                after[tuple(left), count + len(tolls.defender.lost)] += ways * parts
        if len(after) > max_results:
            raise ValueError("the storm is too large")
        spread = dict(after)
    answered = Fraction()
    for (points_left, count), ways in spread.items() if charges and chosen["storm_response"] == "field" else ():
        defenders = len(garrison) - (0 if chosen["response_count"] == "before" else count)
        # The attacker removes the cheapest chargers.
        answered += ways * sum(p * sum(points_left[: sum(losses)]) for losses, p in response(pack, defenders).items())
    return lost + answered / DIE ** len(charges), fallen


def _points(pack: Pack, line: UnitLine) -> Points:
    return tuple(sorted(pack.units[unit].points for unit in line))


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    policy: str
    victory: tuple[str, ...]
    paired: tuple[str, ...]
    within: str
    storm: int


_file = toml.shipped_table("blind_faith/fair_odds.toml", _File)


def first_round_costs(scenario: Scenario) -> dict[Side, Fraction] | None:
    """Return the mean points of enemies that each side removes in the first round, or None if not computed."""
    if not scenario.fought:
        return None
    attacker = scenario.active.side
    sides: dict[Role, Side] = {"attack": attacker, "defence": OTHER[attacker]}
    try:
        lost = _first_round(scenario, policies()[_file().policy])
    except ValueError:
        return None
    # Losses of one side are gains of the other.
    return {OTHER[sides[role]]: lost[role] for role in ROLES}


def victory_chances(scenario: Scenario) -> dict[Side, Fraction] | None:
    """Return the probability that each side wins, by the most unequal policy, or None if unknown."""
    if not (fight := fight_of(scenario)):
        return None
    attacker = scenario.active.side
    # The older policies, which this measure uses, place the besieger's units themselves.
    fight = msgspec.structs.replace(fight, boxes=None)
    odds = [fight_odds(fight, (policies()[name], policies()[name])) for name in _file().victory]
    if any(one.missing > 2 * Fraction(_file().within) for one in odds):
        return None
    worst = max(odds, key=lambda one: abs(one.attacker - one.defender))
    return {attacker: _known(worst, worst.attacker), OTHER[attacker]: _known(worst, worst.defender)}


def notes(scenario: Scenario) -> tuple[Words, ...]:
    """Return the odds under the present policies, as `muster odds` reports them."""
    if not scenario.fought:
        return ()
    return (words()["fairness"]["today"].fill(headline=answer(scenario).headline),)


SCREENED, DEVIATIONS = 2_000, 5
"""Number of simulated sieges that show whether a grade is impossible, and permitted error of their shares in standard
deviations.
"""


def ungraded(scenario: Scenario) -> bool:
    """Return whether a scenario certainly has no grade, without computing the slow odds of a large siege.

    It has no grade if a quick measure exceeds its limit, or if one side wins too often in a sample.
    """
    if beyond_quickly(FAIRNESS, scenario):
        return True
    fight = fight_of(scenario)
    if not fight or not fight.wall:
        return False
    from generator.games.blind_faith.sampling import sampled_siege

    # The limit allows for the missing probability. The standard deviation of a difference of two shares is at most
    # 1/√n.
    margin = Fraction(measures(TABLES)["victory"].max_difference) + 2 * Fraction(_file().within)
    margin += Fraction(DEVIATIONS / SCREENED**0.5)
    for name in _file().victory:
        odds = sampled_siege(
            fight.pack,
            fight.attack.front,
            fight.defence.front,
            fight.wall,
            policies()[name],
            fight.rulings,
            rounds=odds_settings().rounds,
            games=SCREENED,
            began=fight.began[0],
        )
        if abs(odds.attacker - odds.defender) > margin:
            return True
    return False


def _known(odds: Odds, chance: Fraction) -> Fraction:
    """Return a probability for printing.

    If it is not exact, return the middle of its range with four decimal places.
    """
    return chance if odds.exact else Fraction(round((chance + odds.missing / 2) * 10_000), 10_000)


def paired(scenario: Scenario) -> Iterator[PairOdds]:
    """Yield the probability that the first side wins for each pair of policies of grade C.

    There are no pairs before a fight begins. A fight in which the two sides are destroyed, or which continues
    after its last round, is a draw. In the first round of a siege the units are in the boxes of the file.
    """
    if not (fight := fight_of(scenario)):
        return
    attacks = scenario.active.side == SIDES[0]
    for pair in combinations_with_replacement([policies()[name] for name in _file().paired], 2):
        odds = [fight_odds(fight, plays) for plays in dict.fromkeys((pair, pair[::-1]))]
        chances = [one.bounds(one.attacker if attacks else one.defender) for one in odds]
        won = sum((low for low, _ in chances), Fraction()) / len(odds)
        missing = sum((high - low for low, high in chances), Fraction()) / len(odds)
        draws = sum((one.both + one.undecided for one in odds), Fraction()) / len(odds)
        one, other = pair
        pair_words = PolicyWords(one.name, one.text), PolicyWords(other.name, other.text)
        yield PairOdds((one.id, other.id), pair_words, won + draws / 2, missing, draws)


def _first_round(scenario: Scenario, policy: Policy) -> dict[Role, Fraction]:
    """Return the mean points of the units, routed or eliminated, that each side loses in the first round."""
    pack, chosen, siege, battle = scenario.pack, scenario.rulings, scenario.siege, scenario.battle
    if battle:
        fronts = battle.attack.front, battle.defence.front
        first = field_rounds(pack, chosen, policy, policy).full.results_for(fronts)
        return {role: _lost(scenario, first, role) for role in ROLES}
    assert siege, "a march that is not met yet has no rounds"
    lines = pack.line(scenario.active.units), pack.line(scenario.stack(siege.garrison).units)
    return siege_costs(pack, lines, siege.wall, policy, chosen, _file().storm)


def _lost(scenario: Scenario, first: StepResults, role: Role) -> Fraction:
    units = scenario.pack.units
    parts = sum(mean * units[unit].points for (who, _, unit), mean in first.lost.items() if who == role)
    return Fraction(parts, first.of)


def fact(values: tuple[Exact, Exact]) -> Words:
    """Return a short text for the values of the two sides."""
    formatted = (str(value) if value == int(value) else f"{float(value):.2f}" for value in values)
    return same(" / ".join(formatted))


def _quick_facts(scenario: Scenario) -> dict[Words, Words]:
    """Return the measures that are computed quickly, keyed by name."""
    known = measures(TABLES)
    return {known[of.id].name: fact(of.values) for of in _quick(scenario) if of.values}


def _odds_facts(scenario: Scenario) -> dict[Words, Words]:
    """Return how often the attacker wins if each side follows its first policy."""
    if not (fight := fight_of(scenario)):
        return {}
    policy = policies()[odds_settings().advised["attack"][0]]
    # Each ruling needs separate odds. Half the budget of a page is enough, although the bounds may be wide.
    page = odds_settings().page
    odds = computed(fight, (policy, policy), msgspec.structs.replace(page, states=page.states // 2, wide="1"))
    about = words()["stake_odds"]["about"].fill(side=side_name(scenario.active.side), policy=policy.name)
    return {about: same(f"{odds.format_chance(odds.attacker)} %")}


RULING_IMPACTS: tuple[RulingImpact[Scenario], ...] = (
    RulingImpact("fairness", _quick_facts),
    RulingImpact("odds", _odds_facts, texts=words()["stake_odds"]),
)
"""Facts about a fight that can depend on rulings. Grade B is left out, because computing it may take minutes."""


measured = measuring(SIDES)
TABLES = ("blind_faith",)
FARTHEST = 99
"""The cost of a march to an enemy that cannot be reached."""


def _measures(scenario: Scenario) -> tuple[Measured, ...]:
    return (*_quick(scenario), _chance("victory", scenario, victory_chances(scenario), needed=True))


def _chance(name: str, scenario: Scenario, of: Mapping[Side, Fraction] | None, *, needed: bool = False) -> Measured:
    if of is None:
        why = "unfought" if not scenario.fought else "vague" if needed else "large"
        return Measured(name, None, words()["fairness"][why], needed and scenario.fought)
    return Measured(name, (of[SIDES[0]], of[SIDES[1]]))


def _quick(scenario: Scenario) -> tuple[Measured, ...]:
    """Return all measures except the slow measure."""
    units = {side: [scenario.pack.units[unit] for unit in scenario.units_of(side)] for side in SIDES}

    def count(name: str, holds: Callable[[Unit], object]) -> Measured:
        return measured(name, lambda side: sum(bool(holds(unit)) for unit in units[side]))

    return (
        measured("army", lambda side: sum(unit.points for unit in units[side])),
        count("wagons", lambda unit: unit.symbol == "wagon"),
        count("riders", lambda unit: unit.symbol in ("cavalry", "handgun_horse")),
        count("foot", lambda unit: unit.symbol == "foot"),
        count("shooters", lambda unit: unit.fires),
        count("guns", lambda unit: unit.bombards),
        measured("pace", lambda side: _pace(scenario, side)),
        measured("approach", lambda side: _approach(scenario, side)),
        _chance("round", scenario, first_round_costs(scenario)),
    )


def _stacks(scenario: Scenario, side: Side) -> list[Stack]:
    return [stack for stack in scenario.stacks if stack.side == side]


def _pace(scenario: Scenario, side: Side) -> Fraction:
    """Return the mean movement points of a side's stacks."""
    every = [movement(scenario.pack, stack.units) for stack in _stacks(scenario, side)]
    return Fraction(sum(every), len(every) or 1)


def _approach(scenario: Scenario, side: Side) -> int:
    """Return the smallest movement cost at which a stack of the side reaches an enemy stack."""
    op_map, enemies = scenario.op_map, {stack.hex for stack in _stacks(scenario, OTHER[side])}
    starts = {stack.hex for stack in _stacks(scenario, side)}
    ways = (cost for start in starts for cell, cost in reach(op_map, start).items() if cell in enemies)
    return min(ways, default=FARTHEST)


def _active_side(scenario: Scenario) -> Words:
    """Return a sentence about the side that marches or attacks."""
    texts = words()["fairness"]
    if scenario.kind == "position":
        return texts["none_first"]
    return texts["first"].fill(side=side_name(scenario.active.side))


FAIRNESS: Fairness[Scenario] = Fairness(
    tables=TABLES,
    sides=(side_name(SIDES[0]), side_name(SIDES[1])),
    measures=_measures,
    quick=_quick,
    mirrored=lambda scenario: (words()["fairness"]["unlike"],) if scenario.kind == "position" else (),
    first=_active_side,
    view=map_view,
    refused=words()["fairness"]["refused"],
    notes=notes,
    ungraded=ungraded,
    paired=paired,
)
