"""Rules that check a Blind Faith scenario from the scenario alone.

Each fault gives the keys in the file and the hexes that it concerns, the legal hexes if there are any, and a
correction if a single change fixes the fault.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, partial

from msgspec.structs import replace

from generator.common.scenario_file import false_steps
from generator.common.search import fair_evidence, fair_steps
from generator.common.tables import RuleBook, ruleset
from generator.games.blind_faith.battle import Force
from generator.games.blind_faith.file import file_line, force_line, units_line
from generator.games.blind_faith.ground import (
    Route,
    costs,
    format_units,
    gaps,
    movement,
    nearest,
    side_name,
    sound,
    way,
    words,
)
from generator.games.blind_faith.interception import (
    Chance,
    all_chances,
    barred,
    chances,
    defenders,
    going,
    shut,
    staying,
)
from generator.games.blind_faith.maps import format_step
from generator.games.blind_faith.model import Battle, March, Routed, Scenario, Siege, Stack, account, numbers
from generator.games.blind_faith.siege import useless
from generator.games.blind_faith.tables import SIDES, Side, UnitLine
from generator.grid.hexes import Hex, distance
from generator.model.words import Words, joined, same
from generator.rules import Fault

rule = RuleBook("blind_faith/rules.toml")

Keys = tuple[str | int, ...]


@rule("map.reach")
def map_reach(scenario: Scenario) -> Iterator[Fault]:
    name = scenario.op_map.name
    for cut in scenario.op_map.parts()[1:]:
        cells = tuple(map(name, sorted(cut)))
        values = {"hex": cells[0], "n": len(cells)}
        yield Fault("map", "cut" if len(cells) == 1 else "part", values, at=("map", "rows"), cells=cells)


@rule("map.place")
def map_place(scenario: Scenario) -> Iterator[Fault]:
    op_map = scenario.op_map
    for cell, place in op_map.places.items():
        if not op_map.passable(cell):
            name = op_map.name(cell)
            values = {"place": place.name, "hex": name, "ground": op_map.terrain(cell).name}
            lawful = nearest(op_map, cell, lambda other: op_map.passable(other) and other not in op_map.places)
            yield Fault("map", "water", values, at=("map", "places", name), cells=(name,), lawful=lawful)


@rule("stack.hex")
def stack_hex(scenario: Scenario) -> Iterator[Fault]:
    op_map = scenario.op_map
    for stack in scenario.stacks:
        if not op_map.passable(stack.hex):
            values = {"stack": stack.label, "hex": op_map.name(stack.hex), "ground": op_map.terrain(stack.hex).name}
            yield _elsewhere(scenario, stack, "impassable", values)


@rule("stack.enemy")
def stack_enemy(scenario: Scenario) -> Iterator[Fault]:
    besieged = {scenario.stack(scenario.siege.garrison).hex} if scenario.siege else set[Hex]()
    if scenario.kind == "position":
        # A position does not state its sieges, so each place with enemies before it may be besieged.
        besieged = set(scenario.op_map.besiegeable)
    by_hex: dict[Hex, list[Stack]] = {}
    for stack in scenario.stacks:
        by_hex.setdefault(stack.hex, []).append(stack)
    for cell, stacks in by_hex.items():
        if cell not in besieged and len({stack.side for stack in stacks}) > 1:
            # The marching stack starts here, so one of the other stacks is in the wrong place.
            march = scenario.march.stack if scenario.march else ""
            moved = next(stack for stack in reversed(stacks) if stack.id != march)
            values = {"stacks": _stacks(stacks), "hex": scenario.op_map.name(cell)}
            yield _elsewhere(scenario, moved, "together", values)


@rule("stack.units")
def stack_units(scenario: Scenario) -> Iterator[Fault]:
    for stack in scenario.stacks:
        if not stack.units:
            yield _of(scenario, stack, "units", "empty", {})
        for unit in _foreign(scenario, stack.side, stack.units):
            values = {"unit": scenario.pack.units[unit].name, "side": side_name(stack.side)}
            suggested_fix = units_line("units", (one for one in stack.units if one != unit))
            yield _of(scenario, stack, "units", "foreign", values, suggested_fix)


@rule("stack.leader")
def stack_leader(scenario: Scenario) -> Iterator[Fault]:
    for leader in numbers().leader:
        led = [stack for stack in scenario.stacks if stack.leader == leader.id]
        for stack in led:
            if stack.side != leader.side:
                values = {"leader": leader.name, "side": side_name(stack.side)}
                yield _of(scenario, stack, "leader", "foreign", values)
        if len(led) > 1:
            yield _of(scenario, led[-1], "leader", "twice", {"leader": leader.name, "stacks": _stacks(led)})


@rule("army.points")
def army_points(scenario: Scenario) -> Iterator[Fault]:
    if not scenario.points:
        return
    at = ("play", "points")
    for side in SIDES:
        units = [scenario.pack.units[unit] for unit in scenario.units_of(side)]
        have = sum(unit.points for unit in units)
        left = scenario.points - have
        more = [unit for unit in units if not unit.max_count and unit.points <= left]
        if left < 0:
            values = {"side": side_name(side), "have": have, "points": scenario.points}
            yield Fault(side, "over", values, at=at, suggested_fix=f"points = {have}")
        elif more:
            yield Fault(side, "left", {"side": side_name(side), "left": left, "unit": more[0].name}, at=at)


@rule("army.most")
def army_max_count(scenario: Scenario) -> Iterator[Fault]:
    for side in SIDES:
        for name, have in Counter(scenario.units_of(side)).items():
            unit = scenario.pack.units[name]
            if unit.max_count and have > unit.max_count:
                stack = next(s for s in reversed(scenario.stacks) if s.side == side and name in s.units)
                values = {"side": side_name(side), "have": have, "unit": unit.name, "most": unit.max_count}
                yield _of(scenario, stack, "units", "more", values)


@rule("army.crusade")
def army_crusade(scenario: Scenario) -> Iterator[Fault]:
    legates = {legate.unit for legate in scenario.pack.legates}  # The rule legate.unit checks the units of legates.
    for stack in scenario.stacks if not scenario.crusade else ():
        for name in dict.fromkeys(stack.units):
            unit = scenario.pack.units[name]
            if unit.crusade and name not in legates:
                yield _of(scenario, stack, "units", "off", {"unit": unit.name})


@rule("march.path")
def march_path(scenario: Scenario) -> Iterator[Fault]:
    op_map, name = scenario.op_map, scenario.op_map.name
    if not (march := scenario.march):
        return
    stack = scenario.stack(march.stack)
    suggested_fix = _path_fix(scenario, march)
    if len(march.path) < 2:
        lawful = tuple(map(name, op_map.passable_neighbours(stack.hex)))
        values = {"stack": stack.label, "hex": name(stack.hex)}
        yield Fault(stack.id, "short", values, at=PATH, cells=(name(stack.hex),), lawful=lawful)
    if march.path and march.path[0] != stack.hex:
        yield _apart(scenario, stack, march.path)
    for a, b in gaps(march.path):
        values, cells = {"a": name(a), "b": name(b)}, (name(a), name(b))
        lawful = tuple(name(cell) for cell in op_map.passable_neighbours(a) if distance(cell, b) == 1)
        yield Fault(
            stack.id,
            "still" if a == b else "gap",
            values,
            at=PATH,
            cells=cells,
            lawful=lawful,
            suggested_fix=suggested_fix,
        )
    for cell in dict.fromkeys(march.path[1:]):
        if not op_map.passable(cell):
            values = {"hex": name(cell), "ground": op_map.terrain(cell).name}
            yield Fault(stack.id, "impassable", values, at=PATH, cells=(name(cell),), suggested_fix=suggested_fix)


@rule("march.movement")
def march_movement(scenario: Scenario) -> Iterator[Fault]:
    march = scenario.march
    if not march or not sound(scenario.op_map, march.path):
        return
    pack, stack = scenario.pack, scenario.stack(march.stack)
    have, spent = movement(pack, stack.units), costs(scenario.op_map, march.path)
    if spent[-1] > have:
        slow = next((pack.units[unit].name for unit in stack.units if pack.units[unit].movement == have), same("–"))
        values = {"cost": spent[-1], "stack": stack.label, "have": have, "slow": slow}
        near = [scenario.op_map.name(cell) for cell, cost in zip(march.path, spent, strict=True) if cost <= have]
        cells = tuple(scenario.op_map.name(c) for c, cost in zip(march.path, spent, strict=True) if cost > have)
        suggested_fix = file_line("path", near) if len(near) > 1 else ""
        yield Fault(
            stack.id, "dear", values, at=PATH, cells=cells, lawful=tuple(near[1:]), suggested_fix=suggested_fix
        )


@rule("march.held")
def march_held(scenario: Scenario) -> Iterator[Fault]:
    if not (march := scenario.march):
        return
    name, stack = scenario.op_map.name, scenario.stack(march.stack)
    held = barred(scenario.rulings, scenario.stacks, stack.side, stack.id)
    for cell in dict.fromkeys(march.path[1:-1]):
        if cell in held:
            values = {"stack": stack.label, "hex": name(cell), "enemies": _holding(scenario, stack.side, [cell])}
            suggested_fix = _path_fix(scenario, march)
            yield Fault(stack.id, "through", values, at=PATH, cells=(name(cell),), suggested_fix=suggested_fix)


@rule("intercept.point")
def intercept_point(scenario: Scenario) -> Iterator[Fault]:
    name = scenario.op_map.name
    for battle, march in _fights(scenario):
        stack = scenario.stack(battle.defender)
        if battle.hex not in march.path[1:]:
            cells, lawful = (name(battle.hex),), tuple(dict.fromkeys(map(name, march.path[1:])))
            yield Fault("battle", "off", {"hex": name(battle.hex)}, at=MEETING, cells=cells, lawful=lawful)
        if stack.side == scenario.stack(march.stack).side:
            cells = (name(stack.hex),)
            yield Fault("battle", "friend", {"stack": stack.label}, at=("battle", "defender"), cells=cells)


@rule("intercept.units")
def intercept_units(scenario: Scenario) -> Iterator[Fault]:
    for battle, _ in _fights(scenario):
        stack = scenario.stack(battle.defender)
        # A stack that is attacked on its own hex defends, even if it has only infantry. It does not intercept.
        if battle.hex != stack.hex and not going(scenario.pack, stack.units):
            values = {"stack": stack.label, "units": format_units(scenario.pack, stack.units)}
            cells = (scenario.op_map.name(stack.hex),)
            yield Fault("battle", "unable", values, at=("battle", "defender"), cells=cells)


@rule("intercept.first")
def intercept_first(scenario: Scenario) -> Iterator[Fault]:
    for chance in _meeting(scenario):
        if chance.verdict in ("tie", "late"):
            yield _missed(scenario, chance, chance.verdict, {"cost": chance.cost, "mover": chance.mover})


@rule("intercept.reach")
def intercept_reach(scenario: Scenario) -> Iterator[Fault]:
    for chance in _meeting(scenario):
        if chance.verdict == "far":
            yield _missed(scenario, chance, "far", {"have": chance.movement, "cost": chance.cost})


@rule("intercept.held")
def intercept_held(scenario: Scenario) -> Iterator[Fault]:
    for chance in _meeting(scenario, held=True):
        stack, side = scenario.stack(chance.stack), scenario.stack(chance.stack).side
        passed = [cell for cell in way(scenario.op_map, stack.hex, chance.hex)[1:-1] if cell in shut(scenario)]
        through = joined([same(scenario.op_map.name(cell)) for cell in passed])
        yield _missed(scenario, chance, "through", {"through": through, "enemies": _holding(scenario, side, passed)})


@rule("battle.units")
def battle_units(scenario: Scenario) -> Iterator[Fault]:
    for battle, march in _fights(scenario):
        interceptor, marching = scenario.stack(battle.defender), scenario.stack(march.stack)
        there = defenders(scenario.pack, interceptor, battle.hex)
        behind = staying(scenario.pack, interceptor, battle.hex)
        yield from _drawn_up(scenario, marching, "attack", battle.attack, marching.units, ())
        yield from _drawn_up(scenario, interceptor, "defence", battle.defence, there, behind)


@rule("battle.front")
def battle_front(scenario: Scenario) -> Iterator[Fault]:
    pack = scenario.pack
    for battle, march in _fights(scenario):
        front, reserve = battle.attack.front, battle.attack.reserve
        want = min(pack.boxes, len(front) + len(reserve))
        more = len(front) - want
        if more:
            values = {"stack": scenario.stack(march.stack).label, "n": abs(more), "want": want}
            moved = Force((*front, *reserve[:-more]), reserve[-more:]) if more < 0 else None
            suggested_fix = force_line(pack.line, "attack", moved or Force(front[:want], (*front[want:], *reserve)))
            reason, cells = "many" if more > 0 else "empty", (scenario.op_map.name(battle.hex),)
            yield Fault("battle", reason, values, at=("battle", "attack"), cells=cells, suggested_fix=suggested_fix)


@rule("battle.line")
def battle_line(scenario: Scenario) -> Iterator[Fault]:
    for battle, _ in _fights(scenario):
        stack = scenario.stack(battle.defender)
        there = defenders(scenario.pack, stack, battle.hex)
        if there and not battle.defence.front:
            suggested_fix = force_line(scenario.pack.line, "defence", Force(there, ()))
            cells = (scenario.op_map.name(battle.hex),)
            yield Fault(
                "battle",
                "nobody",
                {"stack": stack.label},
                at=("battle", "defence"),
                cells=cells,
                suggested_fix=suggested_fix,
            )


@rule("battle.even")
def battle_even(scenario: Scenario) -> Iterator[Fault]:
    for battle, march in _fights(scenario):
        there = defenders(scenario.pack, scenario.stack(battle.defender), battle.hex)
        one, other = len(scenario.stack(march.stack).units), len(there)
        if other and max(one, other) >= 2 * min(one, other):
            values = {"attack": one, "defence": other}
            yield Fault("battle", "uneven", values, at=MEETING, cells=(scenario.op_map.name(battle.hex),))


@rule("siege.place")
def siege_place(scenario: Scenario) -> Iterator[Fault]:
    if not (siege := scenario.siege):
        return
    besieger, garrison = scenario.stack(siege.besieger), scenario.stack(siege.garrison)
    labels, name = {"besieger": besieger.label, "garrison": garrison.label}, scenario.op_map.name
    a, b = name(besieger.hex), name(garrison.hex)
    if garrison.hex not in scenario.op_map.places:
        lawful = tuple(map(name, scenario.op_map.besiegeable))
        at = _row(scenario, garrison, "hex")
        yield Fault("siege", "open", {**labels, "hex": b}, at=at, cells=(b,), lawful=lawful)
    if besieger.hex != garrison.hex:
        at, suggested_fix = _row(scenario, besieger, "hex"), file_line("hex", b)
        yield Fault(
            "siege",
            "apart",
            {**labels, "a": a, "b": b},
            at=at,
            cells=(a, b),
            lawful=(b,),
            suggested_fix=suggested_fix,
        )
    if besieger.side == garrison.side:
        values = {**labels, "side": side_name(garrison.side)}
        yield Fault("siege", "friend", values, at=("siege", "garrison"), cells=(b,))


@rule("siege.wall")
def siege_wall(scenario: Scenario) -> Iterator[Fault]:
    op_map, siege = scenario.op_map, scenario.siege
    if not siege or not (place := op_map.places.get(cell := scenario.stack(siege.garrison).hex)):
        return
    walls = {wall.id: wall.name for wall in scenario.pack.walls}
    if siege.wall != place.what.wall:
        values = {"place": place.name, "kind": place.what.name, "hex": op_map.name(cell)}
        values |= {"have": walls[siege.wall], "want": walls[place.what.wall]}
        suggested_fix = file_line("wall", place.what.wall)
        yield Fault(
            "siege", "other", values, at=("siege", "wall"), cells=(op_map.name(cell),), suggested_fix=suggested_fix
        )


@rule("siege.units")
def siege_units(scenario: Scenario) -> Iterator[Fault]:
    if not (siege := scenario.siege) or not siege.placed:
        return
    pack, stack = scenario.pack, scenario.stack(siege.besieger)
    cells = (scenario.op_map.name(stack.hex),)
    have, want = Counter((*siege.bombard, *siege.storm, *siege.reserve)), Counter(stack.units)
    if missing := tuple((want - have).elements()):
        values = {"units": format_units(pack, pack.line(missing)), "stack": stack.label}
        suggested_fix = units_line("reserve", pack.line((*siege.reserve, *missing)))
        yield Fault(stack.id, "missing", values, at=("siege", "reserve"), cells=cells, suggested_fix=suggested_fix)
    if extra := have - want:
        box = next(key for key, units in _boxes(siege).items() if extra & Counter(units))
        units = _boxes(siege)[box]
        gone = extra & Counter(units)
        values = {"units": format_units(pack, pack.line(extra.elements())), "stack": stack.label}
        suggested_fix = units_line(box, pack.line((Counter(units) - gone).elements())) if gone == extra else ""
        yield Fault(stack.id, "extra", values, at=("siege", box), cells=cells, suggested_fix=suggested_fix)


@rule("siege.bombard")
def siege_bombard(scenario: Scenario) -> Iterator[Fault]:
    for name in dict.fromkeys(scenario.siege.bombard if scenario.siege else ()):
        unit = scenario.pack.units[name]
        if not unit.bombards:
            can = joined([u.name for u in scenario.pack.units.values() if u.bombards])
            yield Fault("siege", "unable", {"unit": unit.name, "can": can}, at=("siege", "bombard", name))


@rule("siege.boxes")
def siege_boxes(scenario: Scenario) -> Iterator[Fault]:
    if (siege := scenario.siege) and siege.placed and not siege.bombard and not siege.storm:
        yield Fault("siege", "idle", {"stack": scenario.stack(siege.besieger).label}, at=("siege", "reserve"))


@rule("siege.useless")
def siege_useless(scenario: Scenario) -> Iterator[Fault]:
    if not (siege := scenario.siege):
        return
    pack, stack = scenario.pack, scenario.stack(siege.besieger)
    if vain := useless(pack, siege.bombard, siege.wall):
        wall = next(wall.name for wall in pack.walls if wall.id == siege.wall)
        values = {"units": format_units(pack, vain), "stack": stack.label, "wall": wall}
        yield Fault("siege", "useless", values, at=("siege", "bombard"), cells=(scenario.op_map.name(stack.hex),))


@rule("legate.stack")
def legate_stack(scenario: Scenario) -> Iterator[Fault]:
    placed, name = [stack for stack in scenario.stacks if stack.legate], scenario.op_map.name
    lawful = tuple(dict.fromkeys(name(stack.hex) for stack in scenario.stacks if stack.side == "crusader"))
    for stack in placed:
        if stack.side != "crusader":
            found = _of(scenario, stack, "legate", "hussite", {"legate": scenario.pack.legate_names[stack.legate]})
            yield replace(found, lawful=lawful)
    if len(placed) > 1:
        yield _of(scenario, placed[-1], "legate", "twice", {"stacks": _stacks(placed)})


@rule("legate.crusade")
def legate_crusade(scenario: Scenario) -> Iterator[Fault]:
    placed, at = [stack for stack in scenario.stacks if stack.legate], ("play", "crusade")
    if placed and not scenario.crusade:
        values = {"legate": scenario.pack.legate_names[placed[0].legate], "stack": placed[0].label}
        yield Fault("crusade", "off", values, at=at, suggested_fix=file_line("crusade", True))
    if scenario.crusade and not placed:
        yield Fault("crusade", "none", at=at, suggested_fix=file_line("crusade", False))


@rule("legate.unit")
def legate_unit(scenario: Scenario) -> Iterator[Fault]:
    for legate in scenario.pack.legates:
        for stack in scenario.stacks if legate.unit else ():
            if (legate.unit in stack.units) == (stack.legate == legate.id):
                continue
            values = {"legate": legate.name, "unit": scenario.pack.units[legate.unit].name}
            reason = "missing" if stack.legate == legate.id else "stray"
            units = (*stack.units, legate.unit) if reason == "missing" else stack.units
            kept = (unit for unit in units if reason == "missing" or unit != legate.unit)
            yield _of(scenario, stack, "units", reason, values, units_line("units", scenario.pack.line(kept)))


@rule("legate.pile")
def legate_pile(scenario: Scenario) -> Iterator[Fault]:
    placed, at = {stack.legate for stack in scenario.stacks}, ("play", "legates")
    right = [name for name in dict.fromkeys((*scenario.legates, *scenario.pack.legate_names)) if name not in placed]
    suggested_fix = file_line("legates", right)
    for name, legate in scenario.pack.legate_names.items():
        here = scenario.legates.count(name)
        if here > 1:
            yield Fault("legates", "twice", {"legate": legate}, at=at, suggested_fix=suggested_fix)
        if here and name in placed:
            yield Fault("legates", "placed", {"legate": legate}, at=at, suggested_fix=suggested_fix)
        if not here and name not in placed:
            yield Fault("legates", "missing", {"legate": legate}, at=at, suggested_fix=suggested_fix)


@rule("rout.turn")
def rout_turn(scenario: Scenario) -> Iterator[Fault]:
    want = scenario.turn + 1
    for keys, routed in _routed(scenario):
        if routed.back != want:
            values = {"units": format_units(scenario.pack, routed.units), "back": routed.back, "want": want}
            yield Fault("routed", "other", values, at=(*keys, "back"), suggested_fix=file_line("back", want))


@rule("rout.units")
def rout_units(scenario: Scenario) -> Iterator[Fault]:
    for keys, routed in _routed(scenario):
        for unit in _foreign(scenario, routed.side, routed.units):
            values = {"unit": scenario.pack.units[unit].name, "side": side_name(routed.side)}
            yield Fault("routed", "foreign", values, at=(*keys, "units", unit))


@rule("log.told")
def log(scenario: Scenario) -> Iterator[Fault]:
    evidence = {*account(scenario), *fair_evidence(scenario.log)}
    known = words()["step"] | fair_steps()
    return false_steps(scenario.log, known, evidence, describe=lambda step: format_step(scenario, step))


PATH: Keys = ("march", "path")
MEETING: Keys = ("battle", "hex")


def _row(scenario: Scenario, stack: Stack, *keys: str) -> Keys:
    """Return the keys of a stack in the file, or of an entry of the stack."""
    of = [one.id for one in scenario.stacks if one.side == stack.side]
    return (stack.side, "stacks", of.index(stack.id), *keys)


def _of(
    scenario: Scenario, stack: Stack, key: str, reason: str, values: Mapping[str, object], suggested_fix: str = ""
) -> Fault:
    """Return a fault about an entry of a stack."""
    all_values, cells = {"stack": stack.label, **values}, (scenario.op_map.name(stack.hex),)
    return Fault(
        stack.id, reason, all_values, at=_row(scenario, stack, key), cells=cells, suggested_fix=suggested_fix
    )


def _elsewhere(scenario: Scenario, stack: Stack, reason: str, values: Mapping[str, object]) -> Fault:
    """Return a fault about a stack on an illegal hex, with the nearest legal hexes."""
    op_map, foes = scenario.op_map, {other.hex for other in scenario.stacks if other.side != stack.side}
    march = scenario.march if scenario.march and scenario.march.stack == stack.id else None
    if reason == "impassable" and march and march.path and op_map.passable(march.path[0]):
        lawful: tuple[str, ...] = (op_map.name(march.path[0]),)
    else:
        lawful = nearest(op_map, stack.hex, lambda cell: op_map.passable(cell) and cell not in foes)
    found = _of(scenario, stack, "hex", reason, values, file_line("hex", lawful[0]) if lawful else "")
    return replace(found, lawful=lawful)


def _apart(scenario: Scenario, stack: Stack, path: Route) -> Fault:
    """Return a fault about a path that does not begin at the hex of its stack.

    The correction changes the first hex of the path if a step from the stack's hex fits, and the stack's hex
    otherwise.
    """
    name, start = scenario.op_map.name, stack.hex
    values = {"hex": name(path[0]), "start": name(start)}
    lacking = distance(start, path[0]) == 1 and scenario.op_map.passable(start)
    if lacking or (len(path) > 1 and distance(start, path[1]) == 1):
        suggested_fix = file_line("path", [name(cell) for cell in (start, *path[not lacking :])])
        found = _of(scenario, stack, "hex", "elsewhere", values, suggested_fix)
        return replace(found, at=PATH, cells=(name(path[0]), name(start)), lawful=(name(start),))
    found = _of(scenario, stack, "hex", "elsewhere", values, file_line("hex", name(path[0])))
    return replace(found, lawful=(name(path[0]),))


def _path_fix(scenario: Scenario, march: March) -> str:
    """Return the line of the cheapest path to the end of the march, or an empty text if the stack cannot take it."""
    op_map, stack = scenario.op_map, scenario.stack(march.stack)
    held = barred(scenario.rulings, scenario.stacks, stack.side, stack.id)
    found = way(op_map, stack.hex, march.path[-1], held) if march.path and op_map.passable(stack.hex) else ()
    walked = len(found) > 1 and costs(op_map, found)[-1] <= movement(scenario.pack, stack.units)
    return file_line("path", [op_map.name(cell) for cell in found]) if walked else ""


def _holding(scenario: Scenario, side: Side, cells: Iterable[Hex]) -> Words:
    """Return the enemies of a side on these hexes. A marching stack is left out, because it does not hold its hex."""
    march, held = scenario.march.stack if scenario.march else "", set(cells)
    return _stacks([s for s in scenario.stacks if s.side != side and s.hex in held and s.id != march])


def _fights(scenario: Scenario) -> Iterator[tuple[Battle, March]]:
    """Yield the battle and its march, if the scenario has both."""
    if scenario.battle and scenario.march:
        yield scenario.battle, scenario.march


def _meeting(scenario: Scenario, *, held: bool = False) -> Iterator[Chance]:
    """Yield the interceptor's last chance on the hex of the battle.

    The last of several visits leaves it the most time.

    With `held`, yield the chance only if it fails solely because enemies hold hexes on the way. Otherwise leave
    out such a chance.
    """
    if not (battle := scenario.battle) or not (march := scenario.march):
        return
    side = scenario.stack(march.stack).side
    taken = [c for c in all_chances(scenario) if (c.stack, c.hex) == (battle.defender, battle.hex)][-1:]
    for chance in taken:
        every = chances(scenario.op_map, scenario.pack, side, march.path, scenario.stacks)
        free = next(c for c in every if (c.stack, c.hex, c.step) == (chance.stack, chance.hex, chance.step))
        lacking = free.verdict == "intercepts" != chance.verdict
        if lacking == held:
            yield free if held or chance.verdict == "barred" else chance


def _missed(scenario: Scenario, chance: Chance, reason: str, values: Mapping[str, object]) -> Fault:
    """Return a fault about a failed interception, with the hexes where the stack can intercept."""
    name, stack = scenario.op_map.name, scenario.stack(chance.stack)
    hexes = (c.hex for c in all_chances(scenario) if c.stack == stack.id and c.verdict == "intercepts")
    lawful, cells = tuple(dict.fromkeys(map(name, hexes))), (name(chance.hex), name(stack.hex))
    all_values = {"stack": stack.label, "hex": name(chance.hex), **values}
    suggested_fix = file_line("hex", lawful[0]) if lawful else ""
    return Fault("battle", reason, all_values, at=MEETING, cells=cells, lawful=lawful, suggested_fix=suggested_fix)


def _drawn_up(
    scenario: Scenario, stack: Stack, key: str, force: Force, want: UnitLine, behind: UnitLine
) -> Iterator[Fault]:
    """Yield faults of a formation that does not consist of the units that fight.

    `want` are the units that fight, and `behind` are the units of the stack that stay behind.
    """
    at: Keys = ("battle", key)
    pack, cells = scenario.pack, (scenario.op_map.name(stack.hex),)
    have, due = Counter((*force.front, *force.reserve)), Counter(want)
    missing, extra = due - have, have - due
    at_hex = scenario.battle.hex if scenario.battle and key == "defence" else stack.hex
    alike = [s for s in scenario.stacks if s.side == stack.side and Counter(defenders(pack, s, at_hex)) == have]
    if key == "defence" and have != due and alike:
        values = {"stack": stack.label, "other": alike[0].label}
        suggested_fix = file_line("defender", alike[0].id)
        yield Fault("battle", "whose", values, at=("battle", "defender"), cells=cells, suggested_fix=suggested_fix)
        return
    front = pack.line((Counter(force.front) - extra).elements())
    reserve = (Counter(force.reserve) - (extra - Counter(force.front))).elements()
    suggested_fix = force_line(pack.line, key, Force(front, (*reserve, *missing.elements())))
    cost = pack.points(scenario.units_of(stack.side))
    if not extra and cost > scenario.points >= cost - pack.points(missing.elements()) and scenario.points:
        # The points of the side are exceeded too, so the stack probably has too many units.
        at, suggested_fix = (
            _row(scenario, stack, "units"),
            units_line("units", (Counter(stack.units) - missing).elements()),
        )
    for reason, units in (
        ("missing", missing),
        ("behind", extra & Counter(behind)),
        ("extra", extra - Counter(behind)),
    ):
        if units:
            values = {"stack": stack.label, "units": format_units(pack, pack.line(units.elements()))}
            yield Fault(stack.id, reason, values, at=at, cells=cells, suggested_fix=suggested_fix)


def _boxes(siege: Siege) -> Mapping[str, UnitLine]:
    """Return the boxes of a siege by key, in the order in which an extra unit is removed from them."""
    return {"reserve": siege.reserve, "storm": siege.storm, "bombard": siege.bombard}


def _routed(scenario: Scenario) -> Iterator[tuple[Keys, Routed]]:
    """Yield the units that were routed earlier, with their keys."""
    for side in SIDES:
        rows = (routed for routed in scenario.routed if routed.side == side)
        yield from (((side, "routed", i), routed) for i, routed in enumerate(rows))


def _foreign(scenario: Scenario, side: str, units: tuple[str, ...]) -> list[str]:
    """Return the classes among these units that a side does not have."""
    return [unit for unit in dict.fromkeys(units) if side not in scenario.pack.units[unit].sides]


def _stacks(stacks: Iterable[Stack]) -> Words:
    return joined([stack.label for stack in stacks])


rules = cache(partial(ruleset, rule))
"""Returns every rule, in the order of rules.toml."""
