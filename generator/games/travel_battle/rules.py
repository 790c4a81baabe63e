"""Check boards, armies, set-up and play, using only the scenario."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import zip_longest

import msgspec

from generator.common.scenario_file import Step, step_text
from generator.common.tables import RuleBook, ruleset
from generator.errors import nearest
from generator.games.travel_battle import dice_rules, ground
from generator.games.travel_battle.dice_rules import (
    brigades,
    cell_names,
    cells,
    chain_breaker,
    groups,
    keys,
    legal_cells,
    misplaced,
    misplacement_key,
    unit_values,
)
from generator.games.travel_battle.file import unit_text
from generator.games.travel_battle.ground import SIZE, Battlefield, Board
from generator.games.travel_battle.model import (
    BRIGADES,
    FORWARD,
    OTHER,
    Scenario,
    Side,
    Unit,
    brigade_id,
    placing_step,
    unit_and_square,
)
from generator.games.travel_battle.objectives import Goal, armies_of, kinds, limits, zone, zones
from generator.games.travel_battle.tables import numbers, side_name, words
from generator.grid.squares import DIRECTIONS, Square, distance
from generator.model.words import Words, joined, same
from generator.notation import text
from generator.notation.validation import KeyPath, TextLine
from generator.rules import Fault

rule = RuleBook("travel_battle/rules.toml")


@rule("army.brigades")
def divided(scenario: Scenario) -> Iterator[Fault]:
    want = numbers().brigades * _armies(scenario)
    for player, army in scenario.armies.items():
        have = [brigade.number for brigade in army.brigades]
        if len(have) != want:
            values = {"player": side_name(player), "have": len(have), "want": want}
            yield Fault(player, "count", values, at=(player, "brigade"))
        missing = [number for number in range(1, len(have) + 1) if number not in have]
        extra = [i for i, number in enumerate(have) if number in have[:i] or number > len(have)]
        for n, i in zip(missing, extra, strict=False):
            values = {"player": side_name(player), "n": n, "number": have[i]}
            yield Fault(player, "number", values, at=(player, "brigade", i, "number"), suggested_fix=f"number = {n}")


@rule("army.leader")
def led(scenario: Scenario) -> Iterator[Fault]:
    for player, i, brigade in brigades(scenario):
        name = brigade_id(player, brigade.number)
        leaders = [unit for unit in brigade.units if not unit.kind.fights]
        values = {"brigade": name, "have": len(leaders), "units": joined([unit.label for unit in leaders])}
        if not leaders:
            leader = Unit(name, scenario.roster.brigadier, None, FORWARD[player])
            free = legal_cells(scenario, player, brigade, leader)
            at = (player, "brigade", i, "units")
            suggested_fix = unit_text(msgspec.structs.replace(leader, cell=free[0]), scenario) if free else ""
            yield Fault(name, "none", values, at=at, lawful=cell_names(scenario, free), suggested_fix=suggested_fix)
        elif len(leaders) > 1:
            yield Fault(name, "other", values, at=keys(scenario, leaders[1]), cells=cells(scenario, leaders))


@rule("army.units")
def composed(scenario: Scenario) -> Iterator[Fault]:
    # The rule army.leader checks the number of brigadiers.
    kinds = scenario.roster.kinds
    for player, army in scenario.armies.items():
        kinds_needed = scenario.roster.of(player).fighters
        want = Counter({kind.id: kind.count * _armies(scenario) for kind in kinds_needed})
        units = [unit for unit in army.units if unit.kind.fights]
        have = Counter(unit.kind.id for unit in units)
        for kind in sorted(want | have):
            if have[kind] != want[kind]:
                name = kinds[kind].name.low if kind in kinds else kind
                values = {"player": side_name(player), "kind": name, "have": have[kind], "want": want[kind]}
                alike = [unit for unit in units if unit.kind.id == kind]
                over = have[kind] > want[kind]
                at = keys(scenario, alike[-1], "unit") if over else (player, "brigade")
                yield Fault(player, "other", values, at=at)


@rule("army.empty")
def empty(scenario: Scenario) -> Iterator[Fault]:
    for player, i, brigade in brigades(scenario):
        if not brigade.fighters:
            name = brigade_id(player, brigade.number)
            yield Fault(name, "none", {"brigade": name}, at=(player, "brigade", i, "units"))


@rule("army.size")
def sized(scenario: Scenario) -> Iterator[Fault]:
    sizes = scenario.roster.sizes.values()
    min_units = min(limits.min_units for limits in sizes)
    max_units = 0 if any(not limits.max_units for limits in sizes) else max(limits.max_units for limits in sizes)
    for player, i, brigade in brigades(scenario):
        name, have = brigade_id(player, brigade.number), len(brigade.fighters)
        at = (player, "brigade", i, "units")
        if 0 < have < min_units:
            yield Fault(name, "few", {"brigade": name, "have": have, "limit": min_units}, at=at)
        elif max_units and have > max_units:
            yield Fault(name, "many", {"brigade": name, "have": have, "limit": max_units}, at=at)


def _armies(scenario: Scenario) -> int:
    return numbers().armies_on(len(scenario.boards[0]), len(scenario.boards))


def _each(predicate: Callable[[Board], list[ground.Flaw]]) -> Callable[[Scenario], Iterator[Fault]]:
    """Return a rule that checks each board as drawn and reports squares by their positions on the table."""

    def test(scenario: Scenario) -> Iterator[Fault]:
        for r, row in enumerate(scenario.boards):
            for c, placed in enumerate(row):
                corner, number = Square(SIZE * c, SIZE * r), len(row) * r + c
                for drawn, reason in predicate(placed.oriented.board):
                    # The rows of a board begin with the far one.
                    at = ("board", number, "rows", TextLine(SIZE - 1 - max(cell.r for cell in drawn)))
                    yield _fault(
                        scenario, (tuple(corner + placed.oriented.turned_cell(cell) for cell in drawn), reason), at
                    )

    return test


def _whole(predicate: Callable[[Battlefield], list[ground.Flaw]]) -> Callable[[Scenario], Iterator[Fault]]:
    """Return a rule that checks the whole battlefield."""

    def test(scenario: Scenario) -> Iterator[Fault]:
        across = len(scenario.boards[0])
        for found in predicate(scenario.battlefield):
            first = found[0][0]
            yield _fault(scenario, found, ("board", across * (first.r // SIZE) + first.c // SIZE))

    return test


def _fault(scenario: Scenario, found: ground.Flaw, at: KeyPath) -> Fault:
    names = cell_names(scenario, found[0])
    return Fault(" ".join(names), "fault", {"reason": found[1]}, at=at, cells=names)


@rule("field.boards")
def boards(scenario: Scenario) -> Iterator[Fault]:
    columns, rows = len(scenario.boards[0]), len(scenario.boards)
    if f"{columns}x{rows}" not in numbers().tables:
        yield Fault("boards", "table", {"columns": columns, "rows": rows}, at=("play", "boards"))
    left = scenario.boards[0][0].owner
    for r, row in enumerate(scenario.boards):
        for c, placed in enumerate(row):
            want = left if 2 * c < columns else OTHER[left]
            if placed.owner != want:
                yield Fault(
                    "boards", "side", at=("board", columns * r + c, "owner"), suggested_fix=f'owner = "{want}"'
                )
                return


rule("board.exits")(_each(ground.exits))
rule("board.roads")(_each(lambda board: ground.ribbons(board.terrain_map)))
rule("board.network")(_each(lambda board: ground.network(board.terrain_map)))
rule("board.hills")(_whole(lambda field: ground.hills(field.terrain_map)))
rule("field.types")(_whole(ground.alternate))
rule("field.whole")(_whole(ground.wholes))
rule("field.roads")(_whole(ground.roads_meet))


@rule("setup.order")
def by_turns(scenario: Scenario) -> Iterator[Fault]:
    steps = [(number, step) for number, step in enumerate(scenario.log, 1) if step.what == "place"]
    if not steps:
        yield Fault("log", "unproved", unproved=True, suggested_fix="\n\n".join(map(step_text, _by_turns(scenario))))
        return
    seen: list[str] = []
    turn = scenario.first_placer
    for number, step in steps:
        brigade_key = _brigade_of(scenario, step)
        brigade = brigade_id(*brigade_key) if brigade_key and brigade_key[0] == step.who else None
        values = {"step": number, "player": side_name(step.who), "brigade": brigade}
        at = ("log", number - 1)
        if brigade is None or brigade_key is None:
            yield Fault(f"log {number}", "stranger", values, at=(*at, "result"))
            continue
        if brigade in seen:
            yield Fault(f"log {number}", "twice", values, at=at)
        elif step.who != turn:
            yield Fault(f"log {number}", "turn" if seen else "first", values, at=at)
        seen.append(brigade)
        turn = OTHER[brigade_key[0]]
    for player, _, left in brigades(scenario):
        name = brigade_id(player, left.number)
        if name not in seen:
            yield Fault(
                name, "missing", {"brigade": name}, suggested_fix=step_text(placing_step(scenario, player, left))
            )


def _by_turns(scenario: Scenario) -> list[Step]:
    """Return the set-up as steps in which the players alternate, or an empty list if a unit is not on the field.

    The brigades of each player are in the file's order.
    """
    if any(unit.cell is None for _player, unit in _units(scenario)):
        return []
    first = scenario.first_placer
    sides = (scenario.armies[side].brigades for side in (first, OTHER[first]))
    pairs = zip_longest(*sides)
    both = [(side, of) for pair in pairs for side, of in zip((first, OTHER[first]), pair, strict=True) if of]
    return [placing_step(scenario, side, of) for side, of in both]


def _brigade_of(scenario: Scenario, step: Step) -> tuple[Side, int] | None:
    """Return the player and number of the brigade of the step's first unit, or None if the unit is unknown."""
    first = unit_and_square(step.result[0])[0] if step.result else ""
    if first not in scenario.units:
        return None
    player, brigade, _unit = scenario.units[first]
    return player, brigade.number


@rule("place.all")
def everybody(scenario: Scenario) -> Iterator[Fault]:
    for _player, unit in _units(scenario):
        if unit.cell is None:
            yield misplaced(scenario, unit, "nowhere")


@rule("place.rows")
def at_home(scenario: Scenario) -> Iterator[Fault]:
    for player, unit, cell in _placed_units(scenario):
        if cell not in scenario.home(player):
            yield misplaced(scenario, unit, "far", n=numbers().rows, player=side_name(player))


@rule("place.ground")
def on_ground(scenario: Scenario) -> Iterator[Fault]:
    for _player, unit, cell in _placed_units(scenario):
        if not scenario.battlefield.terrain_map.admits(cell, unit.kind.arm):
            yield misplaced(scenario, unit, "arm")


@rule("place.stack")
def stacked(scenario: Scenario) -> Iterator[Fault]:
    # The rule place.square checks infantry in square.
    for cell, there in scenario.units_on_board.items():
        units = [unit for _player, unit in there]
        if len(units) < 2:
            continue
        # The fault is reported for the unit that is most likely misplaced, or whose move to another square would make
        # its brigade connected again.
        *_, last = sorted(units, key=lambda unit: (misplacement_key(scenario, unit), _breaks(scenario, unit)))
        if len(units) > 2:
            yield _crowding(scenario, last, units, "many")
        elif any(unit.kind.arm != "infantry" for unit in units):
            yield _crowding(scenario, last, units, "arm")
        elif not scenario.battlefield.terrain_map.terrain(cell).open:
            yield _crowding(scenario, last, units, "ground")
        elif scenario.units[units[0].id][:2] != scenario.units[units[1].id][:2]:
            yield _crowding(scenario, last, units, "brigade")


def _breaks(scenario: Scenario, unit: Unit) -> bool:
    player, brigade, _unit = scenario.units[unit.id]
    return len(groups(brigade)) > 1 and chain_breaker(scenario, player, brigade) is unit


def _crowding(scenario: Scenario, unit: Unit, there: list[Unit], reason: str) -> Fault:
    others = joined([other.label for other in there if other is not unit][:2])
    return misplaced(scenario, unit, reason, others=others)


@rule("place.square")
def in_square(scenario: Scenario) -> Iterator[Fault]:
    for _player, unit, cell in _placed_units(scenario):
        if not unit.square:
            continue
        reasons = {
            "arm": unit.kind.arm != "infantry",
            "ground": not scenario.battlefield.terrain_map.terrain(cell).open,
            "shared": len(scenario.units_on_board[cell]) > 1,
        }
        suggested_fix = unit_text(msgspec.structs.replace(unit, square=False), scenario)
        for reason in (reason for reason, holds in reasons.items() if holds):
            at, there = keys(scenario, unit, "square"), cells(scenario, [unit])
            yield Fault(unit.id, reason, unit_values(scenario, unit), at=at, cells=there, suggested_fix=suggested_fix)


@rule("place.link")
def in_chain(scenario: Scenario) -> Iterator[Fault]:
    # Other rules report brigades that lack a brigadier.
    for player, _i, brigade in brigades(scenario):
        leader, parts = brigade.brigadier, groups(brigade)
        if leader is None or leader.cell is None or len(parts) < 2:
            continue
        home, unit = scenario.home(player), chain_breaker(scenario, player, brigade)
        # The rule place.rows reports units outside their home rows.
        apart = [[unit]] if unit else [part for part in parts[1:] if any(other.cell in home for other in part)]
        for units in (units for units in apart if unit is None or unit.cell in home):
            reason = "breaks" if unit in parts[0] else "leader" if leader in units else "apart"
            left = [other for part in parts[1:] for other in part] if reason == "breaks" else units
            units_text = joined([_where(scenario, other) for other in left])
            (at,) = cells(scenario, [leader])
            found = misplaced(scenario, units[0], reason, leader=leader.label, units=units_text, at=at)
            yield msgspec.structs.replace(found, cells=cells(scenario, units))


def _where(scenario: Scenario, unit: Unit) -> Words:
    """Return a unit with its square, for a list of several units."""
    texts = words()["sight"]["what"]
    return texts.fill(cell=unit.label, what=cells(scenario, [unit])[0]) if unit.cell else unit.label


@rule("place.facing")
def facing(scenario: Scenario) -> Iterator[Fault]:
    for player, unit in _units(scenario):
        ahead = [(FORWARD[player] + slant) % len(DIRECTIONS) for slant in (-1, 0, 1)]
        if unit.facing not in ahead:
            direction = words()["direction"][DIRECTIONS[unit.facing]]
            yield Fault(
                unit.id,
                "away",
                {"unit": unit.label, "direction": direction},
                at=keys(scenario, unit, "facing"),
                cells=cells(scenario, [unit]),
                suggested_fix=unit_text(msgspec.structs.replace(unit, facing=FORWARD[player]), scenario),
            )


def _units(scenario: Scenario) -> Iterator[tuple[Side, Unit]]:
    for player, army in scenario.armies.items():
        yield from ((player, unit) for unit in army.units)


def _placed_units(scenario: Scenario) -> Iterator[tuple[Side, Unit, Square]]:
    for player, unit in _units(scenario):
        if unit.cell is not None:
            yield player, unit, unit.cell


@rule("play.objective")
def objective(scenario: Scenario) -> Iterator[Fault]:
    of = scenario.objective
    goal = kinds().get(of.kind)
    if goal is None and of.kind != BRIGADES:
        meant = nearest(of.kind, (*kinds(), BRIGADES))
        suggested_fix = f'kind = "{meant}"' if meant else ""
        yield Fault("objective", "kind", {"kind": of.kind}, at=("objective", "kind"), suggested_fix=suggested_fix)
        return
    name = goal.name if goal else same(of.kind)
    about = goal.about if goal else "nothing"
    if goal and of.player is None:
        yield Fault("objective", "player", {"kind": name}, at=("objective", "player"))
    idle = {
        "player": goal is None and of.player is not None,
        "count": goal is None and of.count != 0,
        "squares": bool(of.cells) and about != "zone",
        "units": bool(of.units) and about != "units",
    }
    for key in (key for key, holds in idle.items() if holds):
        yield Fault("objective", "idle", {"kind": name, "key": key}, at=("objective", key))
    if goal and of.player and of.count < 1:
        suggested_fix = f"count = {goal.count.usual * _scale(scenario, goal, of.player)}"
        yield Fault("objective", "none", {"kind": name}, at=("objective", "count"), suggested_fix=suggested_fix)
    if about == "zone" and not of.cells:
        blocks = zones(scenario.battlefield.terrain_map)
        squares = _squares(scenario, blocks[len(blocks) // 2]) if blocks else ""
        yield Fault("objective", "nowhere", {"kind": name}, at=("objective", "squares"), suggested_fix=squares)


def _scale(scenario: Scenario, goal: Goal, player: Side) -> int:
    return armies_of(scenario.armies[player]) if goal.scales else 1


@rule("play.reach")
def reached(scenario: Scenario) -> Iterator[Fault]:
    of, goal = scenario.objective, kinds().get(scenario.objective.kind)
    if goal is None or of.player is None:
        return
    values = {"kind": goal.name, "n": of.count, "turns": scenario.turns}
    if goal.counts == "turns" and 0 < scenario.turns < of.count:
        yield Fault("objective", "late", values, at=("objective", "count"), suggested_fix=f"count = {scenario.turns}")
    if goal.limit == "needed" and not scenario.turns:
        yield Fault("play", "never", values, at=("play", "turns"), suggested_fix=f"turns = {limits(of.kind)[0]}")
    if goal.counts != "turns":
        side = OTHER[of.player] if goal.counts == "enemies" else of.player
        have = sum(unit.kind.fights for unit in scenario.armies[side].units)
        if of.count > have:
            details = values | {"player": side_name(side), "have": have}
            yield Fault("objective", "units", details, at=("objective", "count"), suggested_fix=f"count = {have}")


@rule("play.count")
def counted(scenario: Scenario) -> Iterator[Fault]:
    of, goal = scenario.objective, kinds().get(scenario.objective.kind)
    if goal is None or of.player is None or of.count < 1:
        return
    scale = _scale(scenario, goal, of.player)
    low, high = goal.count.minimum * scale, goal.count.maximum * scale
    if not low <= of.count <= high:
        values = {"kind": goal.name, "n": of.count, "least": low, "most": high}
        suggested_fix = f"count = {min(max(of.count, low), high)}"
        yield Fault("objective", "range", values, at=("objective", "count"), suggested_fix=suggested_fix)


@rule("play.zone")
def ground_to_hold(scenario: Scenario) -> Iterator[Fault]:
    of, terrain_map = scenario.objective, scenario.battlefield.terrain_map
    if of.kind not in kinds() or kinds()[of.kind].about != "zone" or not of.cells:
        return
    there = frozenset(of.cells)
    reasons = {
        "middle": {terrain_map.field.rows - 1 - cell.r for cell in there} != {cell.r for cell in there},
        "ends": any(not zone().ends <= cell.c < terrain_map.field.columns - zone().ends for cell in there),
        "ground": not all(terrain_map.admits(cell, "artillery") for cell in there),
    }
    if not _block(of.cells, zone().size):
        reasons = {"shape": True}
    names = cell_names(scenario, of.cells)
    values = {"cells": " ".join(names), "size": zone().size, "n": zone().ends}
    blocks = sorted(zones(terrain_map), key=lambda block: (distance(block[0], min(there)), block))
    for reason in (reason for reason, holds in reasons.items() if holds):
        yield Fault(
            " ".join(names),
            reason,
            values,
            at=("objective", "squares"),
            cells=names,
            lawful=cell_names(scenario, sorted({cell for block in blocks for cell in block})),
            suggested_fix=_squares(scenario, blocks[0]) if blocks else "",
        )


def _squares(scenario: Scenario, block: tuple[Square, ...]) -> str:
    return "\n".join(text.lines({"squares": cell_names(scenario, block)}))


@rule("play.ward")
def wards(scenario: Scenario) -> Iterator[Fault]:
    of = scenario.objective
    if of.kind not in kinds() or kinds()[of.kind].about != "units":
        return
    if (n := len(set(of.units))) != of.count:
        suggested_fix = f"count = {n}" if n else ""
        yield Fault(
            "objective", "count", {"n": n, "want": of.count}, at=("objective", "count"), suggested_fix=suggested_fix
        )
    for i, name in enumerate(of.units):
        player, _brigade, unit = scenario.units.get(name, (None, None, None))
        candidates = [u.id for u in scenario.armies[of.player].units if u.kind.fights] if of.player else []
        at, values = ("objective", "units", i), {"unit": scenario.unit_label(name), "player": side_name(of.player)}
        if unit is None or (of.player and player != of.player):
            meant = nearest(name, candidates)
            yield Fault(name, "stranger", values, at=at, suggested_fix=f'units = ["{meant}"]' if meant else "")
        elif not unit.kind.fights:
            yield Fault(name, "brigadier", values, at=at, cells=cells(scenario, [unit]))
        elif unit.cell is None:
            yield Fault(name, "nowhere", values, at=keys(scenario, unit))


@rule("play.turns")
def last_turn(scenario: Scenario) -> Iterator[Fault]:
    open_to = limits(scenario.objective.kind)
    if scenario.turns not in open_to and (scenario.turns or any(not turns for turns in open_to)):
        known = joined([same(turns) for turns in sorted(open_to)])
        values = {"turns": scenario.turns, "limits": known}
        yield Fault("play", "other", values, at=("play", "turns"), suggested_fix=f"turns = {open_to[0]}")


def _block(there: tuple[Square, ...], size: int) -> bool:
    """Return whether these squares form a square block with this side length."""
    corner = Square(min(cell.c for cell in there), min(cell.r for cell in there))
    block = {corner + Square(i, k) for i in range(size) for k in range(size)}
    return len(there) == len(block) and set(there) == block


rules = cache(partial(ruleset, rule, dice_rules.rule))
"""Return the rules for boards, armies, set-up and play, in the order of their file."""
