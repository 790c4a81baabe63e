"""Compute the exact odds of the shots and melees that are possible in the present position.

A gun fires from its square at the units on another square. On an empty square, a unit of the most common kind is
assumed. Melees are between one unit and one other. They are all melees that may begin in this turn, and each
unit's defence against each kind of enemy.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import cast

from msgspec import Struct

from generator.common.game import OddsReport
from generator.common.tables import percent, rounded
from generator.games.travel_battle.forces import Kind, Roster
from generator.games.travel_battle.model import OTHER, SIDES, Scenario, Side, Unit
from generator.games.travel_battle.play import field_of_fire, moves
from generator.games.travel_battle.tables import Fight, Fighters, MassedOn, Shot, melee, words
from generator.grid.squares import Square, distance
from generator.model.words import Words, joined, same


class AimedShot(Struct, frozen=True):
    """A gun's shot at a square of its field of fire."""

    at: Square
    shot: Shot
    targets: tuple[Unit, ...]
    """The enemies on the square. The result of the shot applies to all of them."""
    rally: int
    """The lowest die that rallies a unit of the most common kind, which is assumed on an empty square."""

    @property
    def pays(self) -> Fraction:
        """The chance that the shot removes the enemy unit that is least likely to rally, or the assumed unit."""
        rallies = [unit.kind.rally for unit in self.targets] or [self.rally]
        return max(map(self.shot.removes, rallies))


class Battery(Struct, frozen=True):
    """A gun on the field with its possible shots."""

    player: Side
    gun: Unit
    cell: Square
    engaged: bool
    """Whether an enemy touches the gun, which then fights and does not fire."""
    shots: tuple[AimedShot, ...]


class Attack(Struct, frozen=True):
    """A melee that a unit may begin in this turn."""

    player: Side
    unit: Unit
    enemy: Unit
    start: Square
    steps: int
    fight: Fight

    @property
    def won(self) -> Fraction:
        """The chance that the enemy loses the unit."""
        return self.fight.defender_lost(self.enemy.kind.rally)

    @property
    def lost(self) -> Fraction:
        """The chance that the attacker loses the unit."""
        return self.fight.attacker_lost(self.unit.kind.rally)


class Exposure(Struct, frozen=True):
    """Units of a player in equal positions, and their melees against each kind of enemy."""

    player: Side
    units: tuple[Unit, ...]
    defence: int
    """The number of dice that the terrain adds."""
    by: tuple[tuple[Kind, Fight], ...]
    """The kinds of enemies, with the melee that each would begin."""


def commonest_kind(roster: Roster) -> Kind:
    """Return the most common kind of an army, which is assumed on empty squares."""
    return max(roster.fighters, key=lambda kind: kind.count)


def batteries(scenario: Scenario) -> Iterator[Battery]:
    """Yield each gun on the field with all its possible shots, Blue's guns first."""
    terrain_map, rulings = scenario.battlefield.terrain_map, scenario.rulings
    for player in SIDES:
        for unit in scenario.armies[player].units:
            if unit.kind.arm != "artillery" or unit.cell is None:
                continue
            engaged = is_touched(scenario, player, unit.cell)
            field = (
                () if engaged else field_of_fire(terrain_map, scenario.units_on_board, unit.cell, rulings["sight"])
            )
            cell = unit.cell
            aims = (_aim(scenario, player, cell, at) for at in field)
            yield Battery(player, unit, cell, engaged, tuple(aim for aim in aims if aim))


def is_touched(scenario: Scenario, player: Side, cell: Square) -> bool:
    """Return whether a fighting enemy touches a square."""
    around = scenario.battlefield.terrain_map.field.neighbours(cell)
    return any(
        owner != player and unit.kind.fights for n in around for owner, unit in scenario.units_on_board.get(n, ())
    )


def _aim(scenario: Scenario, player: Side, gun: Square, at: Square) -> AimedShot | None:
    """Return the shot at a square, or None if friends are on it, or enemies that touch a friend (house)."""
    there = scenario.units_on_board.get(at, ())
    if any(owner == player for owner, _ in there) or (there and is_touched(scenario, OTHER[player], at)):
        return None
    units = tuple(unit for _, unit in there)
    massed = len(units) > 1 or any(unit.square for unit in units)
    cover = scenario.battlefield.terrain_map.terrain(at).cover
    shot = Shot(distance(gun, at), cover, massed, cast(MassedOn, scenario.rulings["massed"]))
    return AimedShot(at, shot, units, commonest_kind(scenario.roster).rally)


def fight(attacker: Unit | Kind, defender: Unit | Kind, defence: int = 0) -> Fight:
    """Return the melee between two units.

    `defence` is the number of dice that terrain adds for defending infantry.
    """
    return Fight(_side(attacker, defender, 0), _side(defender, attacker, defence))


def _side(fighter: Unit | Kind, enemy: Unit | Kind, defence: int) -> Fighters:
    (kind, squared), (other, other_squared) = _plain(fighter), _plain(enemy)
    more = {bonus.id: bonus.dice for bonus in melee().bonus if kind.arm in bonus.arms}
    holds: Mapping[str, bool] = {
        "charge": other.arm == "infantry" and not other_squared,
        "square": squared and other.arm == "cavalry",
        "volley": not squared and other.arm == "infantry" and other_squared,
    }
    dice = 1 + sum(count for name, count in more.items() if holds[name])
    return Fighters(dice + (defence if kind.arm == "infantry" else 0), kind.rerolls)


def _plain(of: Unit | Kind) -> tuple[Kind, bool]:
    return (of.kind, of.square) if isinstance(of, Unit) else (of, False)


def attacks(scenario: Scenario) -> Iterator[Attack]:
    """Yield each melee that a unit may begin in this turn, either at once or after its shortest move into contact."""
    terrain_map = scenario.battlefield.terrain_map
    for player in SIDES:
        for unit in _fighters(scenario, player):
            assert unit.cell is not None
            ways = dict.fromkeys(_adjacent_enemies(scenario, player, unit.cell), (0, unit.cell))
            for move in moves(scenario, unit).reached:
                for enemy in move.contacts:
                    ways[enemy] = min(ways.get(enemy, (move.steps, move.cell)), (move.steps, move.cell))
            for enemy, (steps, start) in ways.items():
                target = scenario.units[enemy][2]
                defence = terrain_map.terrain(target.cell).defence if target.cell else 0
                yield Attack(player, unit, target, start, steps, fight(unit, target, defence))


def _fighters(scenario: Scenario, player: Side) -> list[Unit]:
    """Return a player's fighting units on the field."""
    return [unit for unit in scenario.armies[player].units if unit.kind.fights and unit.cell is not None]


def _adjacent_enemies(scenario: Scenario, player: Side, cell: Square) -> Iterator[str]:
    for around in scenario.battlefield.terrain_map.field.neighbours(cell):
        for owner, unit in scenario.units_on_board.get(around, ()):
            if owner != player and unit.kind.fights:
                yield unit.id


def exposures(scenario: Scenario) -> Iterator[Exposure]:
    """Yield each player's units, grouped by equal position, with their melees against each kind of enemy."""
    terrain_map = scenario.battlefield.terrain_map
    for player in SIDES:
        alike: dict[tuple[str, bool, int], list[Unit]] = {}
        for unit in _fighters(scenario, player):
            assert unit.cell is not None
            defence = terrain_map.terrain(unit.cell).defence if unit.kind.arm == "infantry" else 0
            alike.setdefault((unit.kind.id, unit.square, defence), []).append(unit)
        there = {unit.kind.id for unit in _fighters(scenario, OTHER[player])}
        kinds = [kind for kind in scenario.roster.kinds.values() if kind.id in there]
        for (_, _, defence), units in alike.items():
            by = tuple((kind, fight(kind, units[0], defence)) for kind in kinds)
            yield Exposure(player, tuple(units), defence, by)


def describe_odds(scenario: Scenario) -> OddsReport:
    """Return the answer of `muster odds`."""
    return OddsReport(_rows(scenario), tuple(_lines(scenario)))


def _rows(scenario: Scenario) -> dict[str, object]:
    name = scenario.battlefield.terrain_map.field.name
    guns = [
        {
            "id": of.gun.id,
            "player": of.player,
            "square": name(of.cell),
            "engaged": of.engaged,
            "field": [
                {
                    "square": name(aim.at),
                    "distance": aim.shot.distance,
                    "hits": rounded(aim.shot.hits),
                    **{effect: rounded(p) for effect, p in aim.shot.odds.items() if effect != "none"},
                    "pays": rounded(aim.pays),
                    "units": [unit.id for unit in aim.targets],
                }
                for aim in of.shots
            ],
        }
        for of in batteries(scenario)
    ]
    attack_rows = [
        {
            "id": of.unit.id,
            "player": of.player,
            "target": of.enemy.id,
            "from": name(of.start),
            "steps": of.steps,
            **_melee(of.fight, of.won, of.lost),
        }
        for of in attacks(scenario)
    ]
    defends = [
        {
            "player": of.player,
            "kind": of.units[0].kind.id,
            "in_square": of.units[0].square,
            "defence": of.defence,
            "units": [unit.id for unit in of.units],
            "by": [{"kind": kind.id, **_melee(one, *outcome(of.units[0].kind, kind, one))} for kind, one in of.by],
        }
        for of in exposures(scenario)
    ]
    return {"guns": guns, "attacks": attack_rows, "stands": defends, "danger": _danger(scenario)}


def _danger(scenario: Scenario) -> dict[str, list[dict[str, object]]]:
    """Return the average number of hits on a unit of a side on each square, if every enemy gun fires at it."""
    name = scenario.battlefield.terrain_map.field.name
    found: dict[str, list[dict[str, object]]] = {}
    for side in SIDES:
        hits: dict[Square, Fraction] = {}
        for aim in (aim for of in batteries(scenario) if of.player != side and not of.engaged for aim in of.shots):
            hits[aim.at] = hits.get(aim.at, Fraction()) + aim.shot.hits
        found[side] = [{"hex": name(cell), "hits": rounded(value)} for cell, value in hits.items() if value]
    return found


def outcome(defender: Kind, attacker: Kind, of: Fight) -> tuple[Fraction, Fraction]:
    """Return the chance that the defender loses a unit and the chance that the attacker does."""
    return of.defender_lost(defender.rally), of.attacker_lost(attacker.rally)


def _melee(of: Fight, won: Fraction, lost: Fraction) -> dict[str, object]:
    """Return a melee as JSON-compatible values."""
    return {
        "dice": [of.attacker.dice, of.defender.dice],
        "defender_lost": rounded(won),
        "defender_back": rounded(of.defender_results["back"]),
        "attacker_lost": rounded(lost),
        "attacker_back": rounded(of.attacker_results["back"]),
        "on": rounded(of.odds[0]),
    }


def _lines(scenario: Scenario) -> Iterator[Words]:
    texts, name = words()["prospects"], scenario.battlefield.terrain_map.field.name
    players = words()["player"]
    guns, fights, every = list(batteries(scenario)), list(attacks(scenario)), list(exposures(scenario))
    first = scenario.first_mover
    for player in (first, OTHER[first]):
        yield texts["guns"].fill(player=players[player], kind=commonest_kind(scenario.roster).name.low)
        for of in guns:
            if of.player != player:
                continue
            yield texts["engaged" if of.engaged else "gun"].fill(unit=of.gun.label, at=name(of.cell))
            for pays, cells in cells_by_chance(scenario, of).items():
                yield texts["pays"].fill(chance=pays, cells=same(" ".join(cells)))
            for aim in of.shots:
                if aim.targets:
                    units = joined([unit.label for unit in aim.targets])
                    yield texts["aim"].fill(units=units, at=name(aim.at), chance=percent(aim.pays))
        yield texts["melees"].fill(player=players[player])
        attacks_ = [one for one in fights if one.player == player]
        for one in attacks_:
            way = texts["after"].fill(at=name(one.start), n=one.steps) if one.steps else texts["here"]
            enemy = texts["named"].fill(unit=one.enemy.label, kind=one.enemy.kind.name.low)
            unit = texts["named"].fill(unit=one.unit.label, kind=one.unit.kind.name.low)
            yield texts["clash"].fill(unit=unit, enemy=enemy, way=way, **_melee_values(one.fight, one.won, one.lost))
        if not attacks_:
            yield texts["no_contact"]
        yield texts["stands"].fill(player=players[player])
        for stand in every:
            if stand.player == player:
                yield texts["stand"].fill(
                    who=exposure_label(stand), units=joined([unit.label for unit in stand.units])
                )
                for kind, melee_ in stand.by:
                    chances = _melee_values(melee_, *outcome(stand.units[0].kind, kind, melee_))
                    yield texts["against"].fill(kind=kind.name.low, **chances)
    yield texts["note"]


def exposure_label(of: Exposure) -> Words:
    """Return a label for units in equal positions, such as "line infantry, in square"."""
    texts, unit = words()["prospects"], of.units[0]
    marks = [texts["in_square"]] * unit.square + [texts["in_cover"].fill(n=of.defence)] * (of.defence > 0)
    return joined([unit.kind.name, *marks])


def cells_by_chance(scenario: Scenario, of: Battery) -> dict[str, list[str]]:
    """Return the empty squares of a gun's field by the chance that a shot removes a unit, the highest first."""
    found: dict[Fraction, list[str]] = {}
    for aim in of.shots:
        if not aim.targets:
            found.setdefault(aim.pays, []).append(scenario.battlefield.terrain_map.field.name(aim.at))
    merged: dict[str, list[str]] = {}
    for pays in sorted(found, reverse=True):
        merged.setdefault(percent(pays), []).extend(found[pays])
    return merged


def _melee_values(of: Fight, won: Fraction, lost: Fraction) -> dict[str, object]:
    return {
        "a": of.attacker.dice,
        "d": of.defender.dice,
        "won": percent(won),
        "back": percent(of.defender_results["back"]),
        "lost": percent(lost),
        "on": percent(of.odds[0]),
    }
