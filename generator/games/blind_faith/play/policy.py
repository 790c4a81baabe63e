"""Simple policies, from data/blind_faith/battle.toml: how a side is played when its chances are reckoned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Literal

import msgspec

from generator.games.blind_faith.forces.pack import Pack
from generator.games.blind_faith.forces.tables import DIE, Losses
from generator.games.blind_faith.forces.units import Line, Role
from generator.games.blind_faith.play.battle import Charge, Force, Shot, Toll, choices, clash, front_size, shots
from generator.model.words import Words
from generator.notation import toml
from generator.store.folders import shipped


class Outcome(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A result of a table, as it is told."""

    id: str
    name: Words
    text: Words


class Policy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a side is played; see the head of battle.toml."""

    id: str
    name: Words
    text: Words
    aim: Literal["chance", "points"]
    charge: Literal["all", "even", "none"]
    lost: str = ""

    def least(self, units: int) -> int:
        """With how many units left it still stays, of so many in the beginning."""
        return 0 if not self.lost else units - -(-units * Fraction(self.lost) // 1) + 1


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The largest battle that is reckoned."""

    states: int
    ways: int
    """From state to state, all together: the time that it takes goes by them."""


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    rounds: int
    most: Limits
    outcome: tuple[Outcome, ...]
    policy: tuple[Policy, ...]


def policies() -> Mapping[str, Policy]:
    """The house policies by id; the first is the default."""
    return {policy.id: policy for policy in _file().policy}


def outcomes() -> Mapping[str, Outcome]:
    """Every result of the tables by its id."""
    return {outcome.id: outcome for outcome in _file().outcome}


def rounds_reckoned() -> int:
    """To the end of which round odds are reckoned."""
    return _file().rounds


def limits() -> Limits:
    """How large a battle may be to be reckoned."""
    return _file().most


@cache
def _file() -> _File:
    return toml.read(shipped("data") / "blind_faith" / "battle.toml", _File)


def drawn_up(pack: Pack, role: Role, units: Line, wanted: int = 0, standing: Line = ()) -> Force:
    """A side with so many units in front (0: all it may have): who stands there stays, the best others join.

    An attacker never has more in front than boxes.
    """
    every = len(units) + len(standing)
    room = (front_size(pack, every) if role == "attack" else wanted or every) - len(standing)
    best = sorted(pack.line(units), key=lambda unit: _front_rank(pack, role, unit))
    return Force(pack.line((*standing, *best[: max(0, room)])), pack.line(best[max(0, room) :]))


def _front_rank(pack: Pack, role: Role, name: str) -> tuple[bool, int, int]:
    unit = pack.units[name]
    return role not in unit.fires, -unit.drm, -unit.points


def aimed(pack: Pack, policy: Policy, role: Role, front: Line, enemies: Line) -> tuple[Shot, ...]:
    """A target for every shot of a front."""
    fired: list[Shot] = []
    for shooter, times in shots(pack, front, role, len(enemies)):
        if times > 1:
            fired += [Shot(shooter, place) for place in range(len(enemies))]
            continue
        row = pack.units[shooter].type
        odds = [Fraction(DIE - pack.fire[row, pack.units[e].type].count("none"), DIE) for e in enemies]
        fired.append(Shot(shooter, _target(pack, policy, odds, enemies, [shot.target for shot in fired])))
    return tuple(fired)


def charging(pack: Pack, policy: Policy, front: Line, enemies: Line) -> tuple[Charge, ...]:
    """Who charges whom."""
    charges: list[Charge] = []
    if policy.charge == "none" or not enemies:
        return ()
    for place, unit in enumerate(front):
        odds = [falls(pack, unit, enemy) for enemy in enemies]
        target = _target(pack, policy, [o[0] for o in odds], enemies, [charge.target for charge in charges])
        harm, risk = odds[target]
        if policy.charge == "all" or harm >= risk:
            charges.append(Charge(place, target))
    return tuple(charges)


@cache
def falls(pack: Pack, attacker: str, defender: str) -> tuple[Fraction, Fraction]:
    """The chances that a charge costs the target, and that it costs the charger."""
    results = clash(pack, attacker, defender).items()
    return (
        sum((p for result, p in results if result.defender != "none"), Fraction()),
        sum((p for result, p in results if result.charger != "none"), Fraction()),
    )


def _target(pack: Pack, policy: Policy, odds: Sequence[Fraction], enemies: Line, taken: Sequence[int]) -> int:
    """Whom to aim at: of those aimed at least, who is likeliest to fall, or the dearest who can fall at all."""

    def worth(place: int) -> tuple[int, Fraction | bool, int, Fraction, int]:
        points = pack.units[enemies[place]].points
        chance: Fraction | bool = odds[place] if policy.aim == "chance" else odds[place] > 0
        return -taken.count(place), chance, points, odds[place], -place

    return max(range(len(enemies)), key=worth)


@cache
def cheapest(pack: Pack, first: Line, others: Line, losses: Losses) -> Toll:
    """The losses an attacker takes of those he may choose: the fewest points, and of these the fewest for good."""
    return min(
        choices(pack, first, others, losses),
        key=lambda toll: (pack.points(toll.lost), pack.points(toll.eliminated), toll),
    )
