"""What a battle may come to from where everybody stands, exactly: what each gun's field pays, and every melee.

A gun fires from where it stands at whoever stands in a square, or would. A melee is of one unit against one: whoever
may come into contact this turn, and what a unit has to fear where it stands from each kind of enemy.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import cast

from msgspec import Struct

from generator.common.game import OddsTold
from generator.common.tables import percent, rounded
from generator.games.travel_battle.forces import Kind, Roster
from generator.games.travel_battle.model import OTHER, SIDES, Scenario, Side, Unit
from generator.games.travel_battle.play import field_of_fire, moves
from generator.games.travel_battle.tables import Fight, Fighters, MassedOn, Shot, melee, words
from generator.grid.squares import Square, distance
from generator.model.words import Words, joined, same


class Aim(Struct, frozen=True):
    """A gun's shot into a square of its field."""

    at: Square
    shot: Shot
    targets: tuple[Unit, ...]
    """The enemies there; the one result befalls them all."""
    rally: int
    """The die that rallies who would stand there: a unit of the commonest kind."""

    @property
    def pays(self) -> Fraction:
        """The chance that the shot costs the enemy a unit: the weakest there, or a usual one."""
        rallies = [unit.kind.rally for unit in self.targets] or [self.rally]
        return max(map(self.shot.removes, rallies))


class Battery(Struct, frozen=True):
    """A gun on the field, and its shots."""

    player: Side
    gun: Unit
    cell: Square
    engaged: bool
    """An enemy touches it: it fights, and fires at nobody."""
    aims: tuple[Aim, ...]


class Clash(Struct, frozen=True):
    """A melee that a unit may begin this turn."""

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
        """The chance that the attacker loses his."""
        return self.fight.attacker_lost(self.unit.kind.rally)


class Stand(Struct, frozen=True):
    """Units of a player that stand alike, and what each kind of enemy may do to one of them."""

    player: Side
    units: tuple[Unit, ...]
    defence: int
    """Dice that the ground gives."""
    by: tuple[tuple[Kind, Fight], ...]
    """The kinds of enemies, and the fight that each would begin."""


def usual(roster: Roster) -> Kind:
    """The kind of which an army has most: who is thought to stand where nobody does."""
    return max(roster.fighters, key=lambda kind: kind.count)


def batteries(scenario: Scenario) -> Iterator[Battery]:
    """Every gun on the field, Blue's first, with all it can fire at or into."""
    land, rulings = scenario.battlefield.land, scenario.rulings
    for player in SIDES:
        for unit in scenario.armies[player].units:
            if unit.kind.arm != "artillery" or unit.cell is None:
                continue
            engaged = touched(scenario, player, unit.cell)
            field = () if engaged else field_of_fire(land, scenario.standing, unit.cell, rulings["sight"])
            cell = unit.cell
            aims = (_aim(scenario, player, cell, at) for at in field)
            yield Battery(player, unit, cell, engaged, tuple(aim for aim in aims if aim))


def touched(scenario: Scenario, player: Side, cell: Square) -> bool:
    """Whether an enemy who fights touches a square."""
    around = scenario.battlefield.land.field.neighbours(cell)
    return any(owner != player and unit.kind.fights for n in around for owner, unit in scenario.standing.get(n, ()))


def _aim(scenario: Scenario, player: Side, gun: Square, at: Square) -> Aim | None:
    """The shot into a square; none at friends, nor at enemies that touch one (house)."""
    there = scenario.standing.get(at, ())
    if any(owner == player for owner, _ in there) or (there and touched(scenario, OTHER[player], at)):
        return None
    units = tuple(unit for _, unit in there)
    massed = len(units) > 1 or any(unit.square for unit in units)
    cover = scenario.battlefield.land.terrain(at).cover
    shot = Shot(distance(gun, at), cover, massed, cast(MassedOn, scenario.rulings["massed"]))
    return Aim(at, shot, units, usual(scenario.roster).rally)


def fight(attacker: Unit | Kind, defender: Unit | Kind, defence: int = 0) -> Fight:
    """The melee of one unit against one; `defence` are the dice that its ground gives infantry which defends."""
    return Fight(_side(attacker, defender, 0), _side(defender, attacker, defence))


def _side(own: Unit | Kind, enemy: Unit | Kind, defence: int) -> Fighters:
    (kind, squared), (other, other_squared) = _plain(own), _plain(enemy)
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


def clashes(scenario: Scenario) -> Iterator[Clash]:
    """Every melee that a unit may begin this turn, from where it stands or by its shortest move into contact."""
    land = scenario.battlefield.land
    for player in SIDES:
        for unit in _fighters(scenario, player):
            assert unit.cell is not None
            ways = dict.fromkeys(_beside(scenario, player, unit.cell), (0, unit.cell))
            for move in moves(scenario, unit).reached:
                for enemy in move.contacts:
                    ways[enemy] = min(ways.get(enemy, (move.steps, move.cell)), (move.steps, move.cell))
            for enemy, (steps, start) in ways.items():
                target = scenario.units[enemy][2]
                defence = land.terrain(target.cell).defence if target.cell else 0
                yield Clash(player, unit, target, start, steps, fight(unit, target, defence))


def _fighters(scenario: Scenario, player: Side) -> list[Unit]:
    """A player's units on the field that fight."""
    return [unit for unit in scenario.armies[player].units if unit.kind.fights and unit.cell is not None]


def _beside(scenario: Scenario, player: Side, cell: Square) -> Iterator[str]:
    for around in scenario.battlefield.land.field.neighbours(cell):
        for owner, unit in scenario.standing.get(around, ()):
            if owner != player and unit.kind.fights:
                yield unit.id


def stands(scenario: Scenario) -> Iterator[Stand]:
    """A player's units where they stand, those that stand alike together, against every kind of his enemy."""
    land = scenario.battlefield.land
    for player in SIDES:
        alike: dict[tuple[str, bool, int], list[Unit]] = {}
        for unit in _fighters(scenario, player):
            assert unit.cell is not None
            defence = land.terrain(unit.cell).defence if unit.kind.arm == "infantry" else 0
            alike.setdefault((unit.kind.id, unit.square, defence), []).append(unit)
        there = {unit.kind.id for unit in _fighters(scenario, OTHER[player])}
        kinds = [kind for kind in scenario.roster.kinds.values() if kind.id in there]
        for (_, _, defence), units in alike.items():
            by = tuple((kind, fight(kind, units[0], defence)) for kind in kinds)
            yield Stand(player, tuple(units), defence, by)


def told(scenario: Scenario) -> OddsTold:
    """The answer of `muster odds`."""
    return OddsTold(_rows(scenario), tuple(_lines(scenario)))


def _rows(scenario: Scenario) -> dict[str, object]:
    name = scenario.battlefield.land.field.name
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
                for aim in of.aims
            ],
        }
        for of in batteries(scenario)
    ]
    attacks = [
        {
            "id": of.unit.id,
            "player": of.player,
            "target": of.enemy.id,
            "from": name(of.start),
            "steps": of.steps,
            **_melee(of.fight, of.won, of.lost),
        }
        for of in clashes(scenario)
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
        for of in stands(scenario)
    ]
    return {"guns": guns, "attacks": attacks, "stands": defends}


def outcome(defender: Kind, attacker: Kind, of: Fight) -> tuple[Fraction, Fraction]:
    """The chances that the defender loses his unit, and that the attacker loses his."""
    return of.defender_lost(defender.rally), of.attacker_lost(attacker.rally)


def _melee(of: Fight, won: Fraction, lost: Fraction) -> dict[str, object]:
    """A melee as plain values."""
    return {
        "dice": [of.attacker.dice, of.defender.dice],
        "defender_lost": rounded(won),
        "defender_back": rounded(of.befalls_defender["back"]),
        "attacker_lost": rounded(lost),
        "attacker_back": rounded(of.befalls_attacker["back"]),
        "on": rounded(of.odds[0]),
    }


def _lines(scenario: Scenario) -> Iterator[Words]:
    say, name = words()["prospects"], scenario.battlefield.land.field.name
    players = words()["player"]
    guns, fights, every = list(batteries(scenario)), list(clashes(scenario)), list(stands(scenario))
    first = scenario.first_mover
    for player in (first, OTHER[first]):
        yield say["guns"].fill(player=players[player], kind=usual(scenario.roster).name.low)
        for of in guns:
            if of.player != player:
                continue
            yield say["engaged" if of.engaged else "gun"].fill(unit=of.gun.called, at=name(of.cell))
            for pays, cells in paid(scenario, of).items():
                yield say["pays"].fill(chance=pays, cells=same(" ".join(cells)))
            for aim in of.aims:
                if aim.targets:
                    units = joined([unit.called for unit in aim.targets])
                    yield say["aim"].fill(units=units, at=name(aim.at), chance=percent(aim.pays))
        yield say["melees"].fill(player=players[player])
        own = [one for one in fights if one.player == player]
        for one in own:
            way = say["after"].fill(at=name(one.start), n=one.steps) if one.steps else say["here"]
            enemy = say["named"].fill(unit=one.enemy.called, kind=one.enemy.kind.name.low)
            unit = say["named"].fill(unit=one.unit.called, kind=one.unit.kind.name.low)
            yield say["clash"].fill(unit=unit, enemy=enemy, way=way, **_told(one.fight, one.won, one.lost))
        if not own:
            yield say["no_contact"]
        yield say["stands"].fill(player=players[player])
        for stand in every:
            if stand.player == player:
                yield say["stand"].fill(who=who(stand), units=joined([unit.called for unit in stand.units]))
                for kind, melee_ in stand.by:
                    chances = _told(melee_, *outcome(stand.units[0].kind, kind, melee_))
                    yield say["against"].fill(kind=kind.name.low, **chances)
    yield say["note"]


def who(of: Stand) -> Words:
    """What stands there, and how: line infantry in square, in a building."""
    say, unit = words()["prospects"], of.units[0]
    marks = [say["in_square"]] * unit.square + [say["in_cover"].fill(n=of.defence)] * (of.defence > 0)
    return joined([unit.kind.name, *marks])


def paid(scenario: Scenario, of: Battery) -> dict[str, list[str]]:
    """The empty squares of a gun's field by what it pays there, the most first."""
    found: dict[Fraction, list[str]] = {}
    for aim in of.aims:
        if not aim.targets:
            found.setdefault(aim.pays, []).append(scenario.battlefield.land.field.name(aim.at))
    merged: dict[str, list[str]] = {}
    for pays in sorted(found, reverse=True):
        merged.setdefault(percent(pays), []).extend(found[pays])
    return merged


def _told(of: Fight, won: Fraction, lost: Fraction) -> dict[str, object]:
    return {
        "a": of.attacker.dice,
        "d": of.defender.dice,
        "won": percent(won),
        "back": percent(of.befalls_defender["back"]),
        "lost": percent(lost),
        "on": percent(of.odds[0]),
    }
