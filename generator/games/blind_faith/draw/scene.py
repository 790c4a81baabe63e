"""A scene: the stacks on the map, and what one of them is about: a march that can be met, its battle, a siege."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from generator.games.blind_faith.draw.dice import Dice
from generator.games.blind_faith.draw.placing import march, stand
from generator.games.blind_faith.draw.raising import between, shared_out, some
from generator.games.blind_faith.forces.pack import Pack
from generator.games.blind_faith.forces.units import SIDES, Line, Side
from generator.games.blind_faith.ground.opmap import OpMap
from generator.games.blind_faith.numbers import Army, play
from generator.games.blind_faith.play.battle import Force, front_size
from generator.games.blind_faith.play.intercept import Chance, chances, defenders
from generator.games.blind_faith.play.marching import movement
from generator.games.blind_faith.scenario import OTHER, PREFIX, Battle, Kind, March, Siege, Stack
from generator.grid.hexes import Hex


@dataclass(frozen=True)
class Plan:
    """All that is settled before a stack stands on the map."""

    map: str
    land: OpMap
    pack: Pack
    kind: Kind
    active: Side
    """The side that marches or lays siege."""
    points: int
    armies: Mapping[Side, Army]
    units: Mapping[Side, Line]
    """Every unit of a side but the legate's own."""
    legate: str
    """The legate of the crusade that is on; empty where none is."""
    pile: tuple[str, ...]

    def legate_units(self, side: Side) -> Line:
        """The unit that the crusade's legate is, where he is one."""
        units = (legate.unit for legate in self.pack.legates if legate.id == self.legate)
        return tuple(unit for unit in units if unit and side in self.pack.units[unit].sides)


@dataclass(frozen=True)
class Scene:
    """What a plan came to; `focus` is the hex that it is all about."""

    stacks: tuple[Stack, ...]
    focus: Hex
    march: March | None = None
    battle: Battle | None = None
    siege: Siege | None = None


def scene(plan: Plan, dice: Dice) -> Scene | None:
    """A scene; None where it comes to nothing, such as a march that nobody can meet."""
    lines = {side: _lines(plan, side, dice) for side in SIDES}
    if not all(lines.values()):
        return None
    return _siege(plan, lines, dice) if plan.kind == "siege" else _march(plan, lines, dice)


def _lines(plan: Plan, side: Side, dice: Dice) -> list[Line]:
    """A side's units by stacks, those of the stack that marches first; none where one would be empty."""
    tables, stream = play(), dice.at("stack", side)
    marching = side == plan.active
    wanted = between(tables.marching if marching else tables.facing, stream)
    strengths = [tables.strong if marching and i == 0 else 1 for i in range(wanted)]
    lines = shared_out(plan.pack, plan.units[side], strengths, stream) or []
    return _with_guns(plan.pack, lines) if lines and marching and plan.kind == "siege" else lines


def _with_guns(pack: Pack, lines: Sequence[Line]) -> list[Line]:
    """The stacks with all that bombard in the first, which lays siege; none where another would be empty."""
    guns = [unit for line in lines[1:] for unit in line if pack.units[unit].bombards]
    others = [tuple(unit for unit in line if not pack.units[unit].bombards) for line in lines[1:]]
    return [pack.line((*lines[0], *guns)), *others] if all(others) else []


def _march(plan: Plan, lines: Mapping[Side, list[Line]], dice: Dice) -> Scene | None:
    own, other = plan.active, OTHER[plan.active]
    path = march(plan.land, movement(plan.pack, lines[own][0]), dice.at("path", own))
    if not path:
        return None
    friends = stand(plan.land, len(lines[own]) - 1, path[:1], path, dice.at("hex", own))
    # An enemy may stand at the end of the path, for the march to attack, but not on the way there.
    foes = stand(plan.land, len(lines[other]), path, (*path[:-1], *friends), dice.at("hex", other))
    if len(friends) + 1 < len(lines[own]) or len(foes) < len(lines[other]):
        return None
    stacks = _stacks(plan, lines, {own: [path[0], *friends], other: foes}, dice)
    met = [c for c in chances(plan.land, plan.pack, own, path, stacks) if c.verdict == "intercepts"]
    if not met:
        return None
    found = Scene(stacks, path[-1], March(_of(stacks, own).id, path))
    return _battle(plan, found, dice.at("meeting", other).choice(met), dice) if plan.kind == "battle" else found


def _battle(plan: Plan, on: Scene, met: Chance, dice: Dice) -> Scene:
    """The battle where the march is met: the attacker's boxes are full, the defender's line is as he likes."""
    own, other = plan.active, OTHER[plan.active]
    attackers = _of(on.stacks, own).units
    there = defenders(plan.pack, next(stack for stack in on.stacks if stack.id == met.stack), met.hex)
    attack = some(plan.pack, attackers, front_size(plan.pack, len(attackers)), dice.at("front", own))
    stream = dice.at("front", other)
    least = (len(there) + 1) // 2
    size = least + stream.below(len(there) - least + 1)
    defence = some(plan.pack, there, size, stream)
    return replace(on, focus=met.hex, battle=Battle(met.hex, met.stack, Force(*attack), Force(*defence)))


def _siege(plan: Plan, lines: Mapping[Side, list[Line]], dice: Dice) -> Scene | None:
    own, other = plan.active, OTHER[plan.active]
    place = dice.at("siege", own).choice(plan.land.besiegeable)
    friends = stand(plan.land, len(lines[own]) - 1, (place,), (place,), dice.at("hex", own))
    foes = stand(plan.land, len(lines[other]) - 1, (place,), (place, *friends), dice.at("hex", other))
    if len(friends) + 1 < len(lines[own]) or len(foes) + 1 < len(lines[other]):
        return None
    stacks = _stacks(plan, lines, {own: [place, *friends], other: [place, *foes]}, dice)
    besieger, garrison = _of(stacks, own), _of(stacks, other)
    guns = tuple(unit for unit in besieger.units if plan.pack.units[unit].bombards)
    rest = tuple(unit for unit in besieger.units if unit not in guns)
    stream = dice.at("storm", own)
    # Without guns nothing happens unless somebody storms.
    least = 0 if guns else (len(rest) + 1) // 2
    size = least + stream.below(len(rest) - least + 1)
    storm, reserve = some(plan.pack, rest, size, stream)
    walls = [wall.id for wall in plan.pack.walls]
    wall = plan.land.places[place].what.wall
    wall = wall if wall in walls else walls[0]
    return Scene(stacks, place, siege=Siege(besieger.id, garrison.id, wall, guns, storm, reserve))


def _stacks(
    plan: Plan, lines: Mapping[Side, list[Line]], hexes: Mapping[Side, list[Hex]], dice: Dice
) -> tuple[Stack, ...]:
    """The stacks with their leaders, and the legate with one of the crusaders'."""
    legates = {"crusader": plan.legate} if plan.legate else {}
    made: list[Stack] = []
    for side in SIDES:
        stream = dice.at("leader", side)
        names = stream.shuffle([leader.id for leader in play().leader if leader.side == side])
        escort = dice.at("legate", side).below(len(lines[side])) if side in legates else None
        for i, (units, cell) in enumerate(zip(lines[side], hexes[side], strict=True)):
            led = i == 0 or stream.chance(1, 2)
            units = plan.pack.line((*units, *plan.legate_units(side))) if i == escort else units
            legate = plan.legate if i == escort else ""
            made.append(
                Stack(f"{PREFIX[side]}{i + 1}", side, cell, units, names.pop() if led and names else "", legate)
            )
    return tuple(made)


def _of(stacks: tuple[Stack, ...], side: Side) -> Stack:
    """A side's first stack: the one that marches, lays siege or is besieged."""
    return next(stack for stack in stacks if stack.side == side)
