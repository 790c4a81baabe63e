"""The exact odds of shots, charges and responses, and of whole battles and sieges: fractions, nothing sampled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from fractions import Fraction
from functools import cache

from generator.games.blind_faith.forces.pack import Pack
from generator.games.blind_faith.forces.tables import Clash, Hit, Losses
from generator.games.blind_faith.forces.units import Line, Role
from generator.games.blind_faith.play import battle
from generator.games.blind_faith.play.battle import FACE, Force
from generator.games.blind_faith.play.course import Course, Ending, Odds, follow
from generator.games.blind_faith.play.policy import Limits, Policy, drawn_up, limits, rounds_reckoned
from generator.games.blind_faith.play.rounds import Round, Spread, field_rounds
from generator.games.blind_faith.play.siege import siege_round


def fire_chances(pack: Pack, shooter: str, target: str) -> Mapping[Hit, Fraction]:
    """The chances of one shot, by types."""
    return _of(Counter(pack.fire[shooter, target]))


def bombard_chances(pack: Pack, shooter: str, wall: str) -> Mapping[Hit, Fraction]:
    """The chances of one bombardment, by the type that fires and the kind of wall."""
    return _of(Counter(pack.bombard[shooter, wall]))


def _of(faces: Counter[Hit]) -> Mapping[Hit, Fraction]:
    return {hit: count * FACE for hit, count in faces.items()}


def charge_chances(pack: Pack, attacker: str, defender: str) -> Mapping[Clash, Fraction]:
    """The chances of one charge, by unit classes."""
    return battle.clash(pack, attacker, defender)


def response_chances(pack: Pack, defenders: int) -> Mapping[Losses, Fraction]:
    """The chances of the response of so many units in front."""
    return battle.response(pack, defenders)


def round_chances(
    pack: Pack, attackers: Line, defenders: Line, policies: tuple[Policy, Policy], chosen: Mapping[str, str]
) -> Spread:
    """The chance of everything that one round costs those fronts; the attacker's policy stands first."""
    return field_rounds(pack, chosen, *policies).full.chances(attackers, defenders)


def battle_odds(
    pack: Pack,
    attacker: Force,
    defender: Force,
    policies: tuple[Policy, Policy],
    chosen: Mapping[str, str],
    *,
    no_way: Collection[Role] = (),
    rounds: int = 0,
    most: Limits | None = None,
) -> Odds:
    """A field battle to retreat or ruin; the attacker's policy stands first, `chosen` is by ruling.

    The defender keeps his front as large as it begins, where he may refill it. A side in `no_way` cannot
    retreat; after `rounds` (0: those of battle.toml) it is undecided. ValueError where it is larger
    than `most` (None: the limits of battle.toml).
    """
    fought = field_rounds(pack, chosen, *policies)
    least = {"attack": policies[0].least(attacker.left), "defence": policies[1].least(defender.left)}
    width = len(defender.front)

    @cache
    def filled(role: Role, force: Force) -> Force:
        if role == "defence" and chosen["defender_refill"] == "never":
            return force
        return drawn_up(pack, role, force.reserve, width, force.front)

    def ends(a: Force, d: Force) -> tuple[Ending | None, Round | None]:
        """How it ends after a round, and the pursuit that ends it."""
        if not a.left or not d.left:
            return ("both_ruined" if not d.left else "attacker_ruined") if not a.left else "defender_ruined", None
        if not filled("defence", d).front:
            return "defender_ruined", None
        if a.left < least["attack"] and "attack" not in no_way:
            return "attacker_retreats", fought.defender_pursues
        if d.left < least["defence"] and "defence" not in no_way:
            return "defender_retreats", fought.attacker_pursues
        return None, None

    refilled = chosen["pursuit_front"] == "refilled"
    return follow(
        Course(fought.full, ends, filled, refilled), attacker, defender, rounds or rounds_reckoned(), most or limits()
    )


def siege_odds(
    pack: Pack,
    besiegers: Line,
    garrison: Line,
    wall: str,
    attacker: Policy,
    chosen: Mapping[str, str],
    *,
    rounds: int = 0,
    most: Limits | None = None,
) -> Odds:
    """A siege until the garrison is gone or the besieger gives up; a garrison never retreats, nobody pursues.

    `wall` is its kind, `chosen` is by ruling. `rounds`, `most` and ValueError are as in battle_odds.
    """
    a, d = Force(pack.line(besiegers)), Force(pack.line(garrison))
    least = attacker.least(a.left)

    def ends(a: Force, d: Force) -> tuple[Ending | None, Round | None]:
        if not d.left:
            return "both_ruined" if not a.left else "defender_ruined", None
        if not a.left:
            return "attacker_ruined", None
        return "attacker_retreats" if a.left < least else None, None

    course = Course(siege_round(pack, chosen, wall, attacker), ends, lambda role, force: force)
    return follow(course, a, d, rounds or rounds_reckoned(), most or limits())
