"""What the first round of a siege costs both sides in points on average, exactly: bombardment, storm and answer.

Points alone are followed, not who is lost: so even the largest storm comes to few results.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction

from generator.games.blind_faith.forces.pack import Pack
from generator.games.blind_faith.forces.tables import DIE
from generator.games.blind_faith.forces.units import Line, Role
from generator.games.blind_faith.play.battle import charge_parts, response, without
from generator.games.blind_faith.play.policy import Policy, charging
from generator.games.blind_faith.play.siege import bombard, breached

Points = tuple[int, ...]
"""Those of each unit of a line, the cheapest first."""


def siege_costs(
    pack: Pack, lines: tuple[Line, Line], wall: str, attacker: Policy, chosen: Mapping[str, str], most: int
) -> dict[Role, Fraction]:
    """The points that the first round costs the besieger and the garrison, whose lines are given in this order.

    `wall` is its kind, `chosen` is by ruling. ValueError where a storm comes to more than `most` results.
    """
    besiegers, garrison = lines
    guns = [unit for unit in besiegers if pack.units[unit].bombards]
    stormers = tuple(unit for unit in besiegers if not pack.units[unit].bombards)
    costs: dict[Role, Fraction] = {"attack": Fraction(), "defence": Fraction()}
    for breaches, p in bombard(pack, guns, wall).items():
        gone = breached(pack, garrison, breaches).lost
        stormed = _stormed(pack, attacker, stormers, without(garrison, gone), chosen, most)
        costs["attack"] += p * stormed[0]
        costs["defence"] += p * (pack.points(gone) + stormed[1])
    return costs


def _stormed(
    pack: Pack, attacker: Policy, stormers: Line, garrison: Line, chosen: Mapping[str, str], most: int
) -> tuple[Fraction, Fraction]:
    """What a storm and its answer cost the stormers and the garrison."""
    charges = charging(pack, attacker, stormers, garrison)
    lost, fallen = Fraction(), Fraction()
    # Who still stands of those that charged, and how many defenders fell; in whole parts.
    spread = {(_points(pack, tuple(stormers[c.charger] for c in charges)), 0): 1}
    for target in dict.fromkeys(c.target for c in charges):
        own = [c for c in charges if c.target == target]
        after: defaultdict[tuple[Points, int], int] = defaultdict(int)
        for tolls, parts in charge_parts(pack, own, stormers, garrison, harm="rout").items():
            p = Fraction(parts, DIE ** len(own))
            lost += p * pack.points(tolls.attacker.lost)
            fallen += p * pack.points(tolls.defender.lost)
            gone = _points(pack, tolls.attacker.lost)
            for (standing, count), ways in spread.items():
                left = list(standing)
                for points in gone:
                    left.remove(points)
                after[tuple(left), count + len(tolls.defender.lost)] += ways * parts
        if len(after) > most:
            raise ValueError("the storm is too large")
        spread = dict(after)
    answered = Fraction()
    for (standing, count), ways in spread.items() if charges and chosen["storm_response"] == "field" else ():
        defenders = len(garrison) - (0 if chosen["response_count"] == "before" else count)
        # The attacker gives up the cheapest of those who charged.
        answered += ways * sum(p * sum(standing[: sum(losses)]) for losses, p in response(pack, defenders).items())
    return lost + answered / DIE ** len(charges), fallen


def _points(pack: Pack, line: Line) -> Points:
    return tuple(sorted(pack.units[unit].points for unit in line))
