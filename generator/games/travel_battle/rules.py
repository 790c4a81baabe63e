"""What makes a battle legal, derived from the scenario alone: boards, armies, set-up and play.

The armies and how they are divided into brigades.

The boards, each by itself and as they lie together.

The order in which brigades were set up, by the log.

Where units stand when the battle begins, and how.

What wins, how long the battle lasts, and by which rulings it is played.

What makes a Travel Battle scenario legal, derived from the scenario alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache

from generator.common.interpretations import rulings
from generator.common.scenario_file import Step
from generator.common.tables import RuleBook, ruleset, words
from generator.games.travel_battle import dice_rules, ground
from generator.games.travel_battle.ground import SIZE, Battlefield, Board
from generator.games.travel_battle.model import AHEAD, BRIGADES, OTHER, Scenario, Side, Unit, brigade_id
from generator.games.travel_battle.objectives import armies_of, kinds, limits, zone
from generator.games.travel_battle.play import linked
from generator.games.travel_battle.tables import numbers, side_name
from generator.grid.squares import DIRECTIONS, Square
from generator.model.words import joined, same
from generator.rules import Fault, Rule

rule = RuleBook("travel_battle/rules.toml")


@rule("army.brigades")
def divided(scenario: Scenario) -> Iterator[Fault]:
    want = numbers().brigades * _armies(scenario)
    for player, army in scenario.armies.items():
        have = len(army.brigades)
        if have != want:
            yield Fault(player, "count", {"player": side_name(player), "have": have, "want": want})
        if [brigade.number for brigade in army.brigades] != list(range(1, have + 1)):
            yield Fault(player, "number", {"player": side_name(player), "n": have})


@rule("army.leader")
def led(scenario: Scenario) -> Iterator[Fault]:
    for name, have in _sizes(scenario, fights=False):
        if have != 1:
            yield Fault(name, "other", {"brigade": name, "have": have})


@rule("army.units")
def composed(scenario: Scenario) -> Iterator[Fault]:
    # Brigadiers are for army.leader.
    kinds = scenario.roster.kinds
    want = Counter({kind.id: kind.count * _armies(scenario) for kind in scenario.roster.fighters})
    for player, army in scenario.armies.items():
        have = Counter(unit.kind.id for unit in army.units if unit.kind.fights)
        for kind in sorted(want | have):
            if have[kind] != want[kind]:
                name = kinds[kind].name if kind in kinds else kind
                values = {"player": side_name(player), "kind": name, "have": have[kind], "want": want[kind]}
                yield Fault(player, "other", values)


@rule("army.size")
def sized(scenario: Scenario) -> Iterator[Fault]:
    sizes = scenario.roster.sizes.values()
    least = min(limits.least for limits in sizes)
    most = 0 if any(not limits.most for limits in sizes) else max(limits.most for limits in sizes)
    for name, have in _sizes(scenario, fights=True):
        if have < least:
            yield Fault(name, "few", {"brigade": name, "have": have, "limit": least})
        elif most and have > most:
            yield Fault(name, "many", {"brigade": name, "have": have, "limit": most})


def _armies(scenario: Scenario) -> int:
    return numbers().armies_on(len(scenario.boards[0]), len(scenario.boards))


def _sizes(scenario: Scenario, fights: bool) -> Iterator[tuple[str, int]]:
    """How many units each brigade has that fight, or that do not."""
    player: Side
    for player, army in scenario.armies.items():
        for brigade in army.brigades:
            count = sum(unit.kind.fights == fights for unit in brigade.units)
            yield brigade_id(player, brigade.number), count


def _each(predicate: Callable[[Board], list[ground.Flaw]]) -> Callable[[Scenario], Iterator[Fault]]:
    """A rule that holds of every board as it is drawn; its squares are told as they lie."""

    def test(scenario: Scenario) -> Iterator[Fault]:
        for r, row in enumerate(scenario.boards):
            for c, placed in enumerate(row):
                corner = Square(SIZE * c, SIZE * r)
                for cells, reason in predicate(placed.laid.board):
                    yield _fault(scenario, (tuple(corner + placed.laid.lies(cell) for cell in cells), reason))

    return test


def _whole(predicate: Callable[[Battlefield], list[ground.Flaw]]) -> Callable[[Scenario], Iterator[Fault]]:
    """A rule that holds of all boards together."""
    return lambda scenario: (_fault(scenario, found) for found in predicate(scenario.battlefield))


def _fault(scenario: Scenario, found: ground.Flaw) -> Fault:
    cells, reason = found
    name = scenario.battlefield.land.field.name
    return Fault(" ".join(map(name, cells)), "fault", {"reason": reason})


@rule("field.boards")
def boards(scenario: Scenario) -> Iterator[Fault]:
    columns, rows = len(scenario.boards[0]), len(scenario.boards)
    if f"{columns}x{rows}" not in numbers().tables:
        yield Fault("boards", "table", {"columns": columns, "rows": rows})
    owners = [row[c].owner for c in range(columns) for row in scenario.boards]
    half = len(owners) // 2
    if len({*owners[:half]}) != 1 or {*owners[half:]} != {OTHER[owners[0]]}:
        yield Fault("boards", "side")


rule("board.exits")(_each(ground.exits))
rule("board.roads")(_each(lambda board: ground.ribbons(board.land)))
rule("board.network")(_each(lambda board: ground.network(board.land)))
rule("board.hills")(_whole(lambda field: ground.hills(field.land)))
rule("field.types")(_whole(ground.alternate))
rule("field.whole")(_whole(ground.wholes))
rule("field.roads")(_whole(ground.roads_meet))


@rule("setup.order")
def by_turns(scenario: Scenario) -> Iterator[Fault]:
    steps = [(number, step) for number, step in enumerate(scenario.log, 1) if step.what == "place"]
    if not steps:
        yield Fault("log", "unproved", unproved=True)
        return
    seen: list[str] = []
    turn = scenario.first_placer
    for number, step in steps:
        brigade = _brigade(scenario, step)
        values = {"step": number, "player": side_name(step.who), "brigade": brigade}
        if brigade is None:
            yield Fault(f"log {number}", "stranger", values)
            continue
        if brigade in seen:
            yield Fault(f"log {number}", "twice", values)
        elif step.who != turn:
            yield Fault(f"log {number}", "turn" if seen else "first", values)
        seen.append(brigade)
        turn = OTHER[scenario.units[step.result[0].split()[0]][0]]
    for name in _brigades(scenario):
        if name not in seen:
            yield Fault(name, "missing", {"brigade": name})


def _brigade(scenario: Scenario, step: Step) -> str | None:
    """The brigade of the step's player that its first unit belongs to."""
    first = step.result[0].split()[0] if step.result and step.result[0].split() else ""
    if first not in scenario.units:
        return None
    player, brigade, _unit = scenario.units[first]
    return brigade_id(player, brigade.number) if player == step.who else None


def _brigades(scenario: Scenario) -> Iterator[str]:
    player: Side
    for player, army in scenario.armies.items():
        yield from (brigade_id(player, brigade.number) for brigade in army.brigades)


@rule("place.all")
def everybody(scenario: Scenario) -> Iterator[Fault]:
    for _player, unit in _units(scenario):
        if unit.cell is None:
            yield Fault(unit.id, "nowhere", {"unit": unit.id})


@rule("place.rows")
def at_home(scenario: Scenario) -> Iterator[Fault]:
    for player, unit, cell in _standing(scenario):
        if cell not in scenario.home(player):
            values = {
                "unit": unit.id,
                "cell": _name(scenario, cell),
                "n": numbers().rows,
                "player": side_name(player),
            }
            yield Fault(unit.id, "far", values)


@rule("place.ground")
def on_ground(scenario: Scenario) -> Iterator[Fault]:
    for _player, unit, cell in _standing(scenario):
        if not scenario.battlefield.land.admits(cell, unit.kind.arm):
            yield Fault(unit.id, "arm", _values(scenario, unit, cell))


@rule("place.stack")
def stacked(scenario: Scenario) -> Iterator[Fault]:
    # Infantry in square is for place.square.
    for cell, there in scenario.standing.items():
        units = [unit for _player, unit in there]
        name = _name(scenario, cell)
        values = {"cell": name, "units": ", ".join(unit.id for unit in units)}
        if len(units) < 2:
            continue
        if len(units) > 2:
            yield Fault(name, "many", values)
        elif any(unit.kind.arm != "infantry" for unit in units):
            yield Fault(name, "arm", values)
        elif not scenario.battlefield.land.terrain(cell).open:
            yield Fault(name, "ground", values)
        elif scenario.units[units[0].id][:2] != scenario.units[units[1].id][:2]:
            yield Fault(name, "brigade", values)


@rule("place.square")
def in_square(scenario: Scenario) -> Iterator[Fault]:
    for _player, unit, cell in _standing(scenario):
        if not unit.square:
            continue
        if unit.kind.arm != "infantry":
            yield Fault(unit.id, "arm", _values(scenario, unit, cell))
        if not scenario.battlefield.land.terrain(cell).open:
            yield Fault(unit.id, "ground", _values(scenario, unit, cell))
        if len(scenario.standing[cell]) > 1:
            yield Fault(unit.id, "shared", _values(scenario, unit, cell))


@rule("place.link")
def in_chain(scenario: Scenario) -> Iterator[Fault]:
    # A brigade whose brigadier is missing is for other rules.
    for army in scenario.armies.values():
        for brigade in army.brigades:
            leader = brigade.brigadier
            if leader is None or leader.cell is None:
                continue
            chain = linked(leader.cell, (unit.cell for unit in brigade.units if unit.cell is not None))
            for unit in brigade.units:
                if unit.cell is not None and unit.cell not in chain:
                    yield Fault(unit.id, "apart", _values(scenario, unit, unit.cell))


@rule("place.facing")
def facing(scenario: Scenario) -> Iterator[Fault]:
    for player, unit in _units(scenario):
        ahead = [(AHEAD[player] + slant) % len(DIRECTIONS) for slant in (-1, 0, 1)]
        if unit.facing not in ahead:
            direction = words("travel_battle")["direction"][DIRECTIONS[unit.facing]]
            yield Fault(unit.id, "away", {"unit": unit.id, "direction": direction})


def _units(scenario: Scenario) -> Iterator[tuple[Side, Unit]]:
    for player, army in scenario.armies.items():
        yield from ((player, unit) for unit in army.units)


def _standing(scenario: Scenario) -> Iterator[tuple[Side, Unit, Square]]:
    for player, unit in _units(scenario):
        if unit.cell is not None:
            yield player, unit, unit.cell


def _name(scenario: Scenario, cell: Square) -> str:
    return scenario.battlefield.land.field.name(cell)


def _values(scenario: Scenario, unit: Unit, cell: Square) -> dict[str, object]:
    """A unit and where it stands, as reasons tell it."""
    return {
        "unit": unit.id,
        "kind": unit.kind.name.low,
        "cell": _name(scenario, cell),
        "ground": scenario.battlefield.land.terrain(cell).name.low,
    }


@rule("play.objective")
def objective(scenario: Scenario) -> Iterator[Fault]:
    of = scenario.objective
    goal = kinds().get(of.kind)
    if goal is None and of.kind != BRIGADES:
        yield Fault("objective", "kind", {"kind": of.kind})
        return
    name = goal.name if goal else of.kind
    if goal and of.player is None:
        yield Fault("objective", "player", {"kind": name})
    about = goal.about if goal else "nothing"
    idle = (
        goal is None and (of.player is not None or of.count != 0),
        of.cells and about != "zone",
        of.units and about != "units",
    )
    if any(idle):
        yield Fault("objective", "idle", {"kind": name})
    if goal and of.player:
        scale = armies_of(scenario.armies[of.player]) if goal.scales else 1
        least, most = goal.count.least * scale, goal.count.most * scale
        if not least <= of.count <= most:
            yield Fault("objective", "count", {"kind": name, "n": of.count, "least": least, "most": most})


@rule("play.zone")
def ground_to_hold(scenario: Scenario) -> Iterator[Fault]:
    of, land = scenario.objective, scenario.battlefield.land
    if of.kind not in kinds() or kinds()[of.kind].about != "zone":
        return
    cells = frozenset(of.cells)
    values = {"cells": " ".join(map(land.field.name, of.cells)), "size": zone().size, "n": zone().ends}
    if not _block(of.cells, zone().size):
        yield Fault("objective", "shape", values)
        return
    if {land.field.rows - 1 - cell.r for cell in cells} != {cell.r for cell in cells}:
        yield Fault("objective", "middle", values)
    if any(not zone().ends <= cell.c < land.field.columns - zone().ends for cell in cells):
        yield Fault("objective", "ends", values)
    if not all(land.admits(cell, "artillery") for cell in cells):
        yield Fault("objective", "ground", values)


@rule("play.ward")
def wards(scenario: Scenario) -> Iterator[Fault]:
    of = scenario.objective
    if of.kind not in kinds() or kinds()[of.kind].about != "units":
        return
    if len(set(of.units)) != of.count:
        yield Fault("objective", "count", {"n": len(set(of.units)), "want": of.count})
    for name in of.units:
        player, _brigade, unit = scenario.units.get(name, (None, None, None))
        if unit is None or (of.player and player != of.player):
            yield Fault(name, "stranger", {"unit": name, "player": side_name(of.player)})
        elif not unit.kind.fights:
            yield Fault(name, "brigadier", {"unit": name})
        elif unit.cell is None:
            yield Fault(name, "nowhere", {"unit": name})


@rule("play.turns")
def last_turn(scenario: Scenario) -> Iterator[Fault]:
    open_to = limits(scenario.objective.kind)
    if scenario.turns not in open_to:
        known = joined([same(turns) for turns in sorted(open_to)])
        yield Fault("play", "other", {"turns": scenario.turns, "limits": known})


@rule("play.rulings")
def ruled(scenario: Scenario) -> Iterator[Fault]:
    switches = rulings("travel_battle")
    for name in switches:
        if name not in scenario.rulings:
            yield Fault("rulings", "missing", {"ruling": name})
    for name, choice in scenario.rulings.items():
        if name not in switches:
            yield Fault("rulings", "unknown", {"ruling": name})
        elif choice not in [known.id for known in switches[name].choice]:
            yield Fault("rulings", "choice", {"ruling": name, "choice": choice})


def _block(cells: tuple[Square, ...], size: int) -> bool:
    """Whether these are the squares of a block, `size` along each side."""
    if not cells:
        return False
    corner = Square(min(cell.c for cell in cells), min(cell.r for cell in cells))
    block = {corner + Square(i, k) for i in range(size) for k in range(size)}
    return len(cells) == len(block) and set(cells) == block


@cache
def rules() -> tuple[Rule[Scenario], ...]:
    """The rules of boards, armies, their set-up and the play, in their file's order."""
    return ruleset(rule, dice_rules.rule)
