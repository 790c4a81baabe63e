"""Maps of a scenario with its stacks, marches and interceptions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from msgspec.structs import replace

from generator.common.game import Query, RulingImpact
from generator.common.scenario_file import Step, step_words
from generator.common.search import fair_names, fair_steps
from generator.errors import WrongUsageError, near
from generator.games.blind_faith.ground import (
    MAPS,
    RANDOM,
    DrawnMap,
    OpMap,
    Route,
    costs,
    format_hex,
    format_units,
    house_maps,
    movement,
    reach,
    side_name,
    sound,
    way,
    words,
)
from generator.games.blind_faith.interception import Chance, all_chances, barred, going, rows, shut, staying
from generator.games.blind_faith.model import OTHER, Scenario, Stack, numbers
from generator.games.blind_faith.tables import ROLES, SIDES, Legate, Pack, Role, Side, Terrain, place_kinds, terrains
from generator.grid.hexes import Hex
from generator.localization import tr
from generator.model.legends import keep_drawn
from generator.model.views import Legend, MapView, Note, Shade, Sheet, Token, Track
from generator.model.words import Words, joined, same

COLOUR = "plain"


def unit_token(pack: Pack, side: Side, unit: str, label: str = "") -> Token:
    """Return the counter of a unit class."""
    return Token(side, COLOUR, pack.units[unit].symbol, label)


def stack_token(pack: Pack, stack: Stack, *, label: bool = True) -> Token:
    """Return the counter of a stack, with the symbol of its most numerous class."""
    counts = Counter(pack.units[unit].symbol for unit in stack.units)
    symbol = max(counts, key=counts.__getitem__) if counts else "leader"
    name = joined((format_units(pack, stack.units), side_name(stack.side)))
    return Token(stack.side, COLOUR, symbol, stack.id if label else "", name=name)


def legate_token(legate: Legate | None = None) -> Token:
    """Return the marker of a papal legate with the legate's initials. It has no shield, because it is not a unit."""
    return Token("legate", COLOUR, "legate", initials(legate) if legate else "")


def initials(legate: Legate) -> str:
    """Return the initials of a legate, which identify the marker in both languages."""
    return "".join(word[0] for word in legate.name.en.split() if word[0].isupper())[:3]


def op_map_view(op_map: OpMap) -> MapView:
    """Return an operational map without stacks."""
    legend = [Legend(ground, text) for ground, text in _grounds(op_map)]
    kinds = [kind for kind in place_kinds() if any(place.kind == kind for place in op_map.places.values())]
    legend += [Legend(kind, place_kinds()[kind].name) for kind in kinds]
    return MapView(
        grid=op_map.field,
        ground=op_map.ground,
        features={cell: place.kind for cell, place in op_map.places.items()},
        places={cell: place.name for cell, place in op_map.places.items()},
        flows=op_map.flows(),
        legend=tuple(legend),
    )


def map_view(scenario: Scenario) -> MapView:
    """Return the map with every stack and the declared march."""
    view, march = op_map_view(scenario.op_map), scenario.march
    known = {legate.id: legate for legate in scenario.pack.legates}
    legates = [(stack.hex, legate_token(known[stack.legate])) for stack in scenario.stacks if stack.legate]
    stacks = [(stack.hex, stack_token(scenario.pack, stack)) for stack in scenario.stacks]
    legend = [Legend(_example(scenario, side), side_name(side)) for side in SIDES]
    legend += [Legend(legate_token(), words()["map"]["legate"])] if legates else []
    return replace(
        view,
        tokens=(*stacks, *legates),
        aside=True,
        tracks=(_march(scenario, march.path),) if march and len(march.path) > 1 else (),
        legend=(*view.legend, *legend),
    )


def figure(scenario: Scenario) -> MapView:
    """Return the map with a path for each interceptor.

    It leads to the first hex where the stack can intercept. All hexes with a possible interception are shaded.
    """
    view = map_view(scenario)
    if not scenario.march or not sound(scenario.op_map, scenario.march.path):
        return view
    interceptions = [chance for chance in all_chances(scenario) if chance.verdict == "intercepts"]
    ends = shut(scenario)
    ways = (
        way(scenario.op_map, scenario.stack(c.stack).hex, c.hex, ends)
        for c in _displayed_chances(scenario, interceptions)
    )
    tracks = tuple(Track(way_look(scenario, OTHER[scenario.active.side]), path) for path in ways if len(path) > 1)
    return replace(
        view,
        tracks=(*view.tracks, *tracks),
        shades=(Shade("reach", tuple(dict.fromkeys(chance.hex for chance in interceptions))),)
        if interceptions
        else (),
    )


def way_look(scenario: Scenario, side: Side) -> str:
    """Return the style of a side's paths in its colour: solid if the side marches, dashed if it intercepts."""
    if scenario.march and side == scenario.active.side:
        return "march" if side == "hussite" else "march_crusader"
    return "intercept" if side == "crusader" else "intercept_hussite"


def _march(scenario: Scenario, path: Route) -> Track:
    """Return the track of the declared march. Hexes on which nothing else is shown have the accumulated cost."""
    paid = costs(scenario.op_map, path) if sound(scenario.op_map, path) else ()
    taken = {stack.hex for stack in scenario.stacks} | set(scenario.op_map.places) | {path[-1]}
    taken |= {scenario.battle.hex} if scenario.battle else set()
    marks = ("" if cell in taken else str(n) for cell, n in zip(path[1:], paid[1:], strict=False))
    return Track(way_look(scenario, scenario.active.side), path, tuple(marks))


def scene(scenario: Scenario) -> MapView:
    """Return the map for the cover.

    The hex of the battle or siege has a ring, and the sides' costs to reach it are shown. The map of a march has a
    path for each stack that can intercept it.
    """
    battle, siege, op_map = scenario.battle, scenario.siege, scenario.op_map
    at = battle.hex if battle else scenario.active.hex if siege else None
    view = replace(map_view(scenario) if siege else figure(scenario), notes=tuple(_paid(scenario)), shades=())
    if at is None:
        return view
    unmarked = at not in op_map.places
    return replace(
        view,
        features={**view.features, at: "clash"} if unmarked else view.features,
        shades=(Shade("meeting", (at,)),),
    )


_PILL, _ROAM = 0.34, 1.9
"""Height of a note about a path, and maximum distance by which it may be moved, in sides of a hex."""


def _paid(scenario: Scenario) -> Iterator[Note]:
    """Yield notes about the cost of each side's path to the battle, or of the march to its end."""
    if not (march := scenario.march) or not march.path:
        return
    end = scenario.battle.hex if scenario.battle else march.path[-1]
    for role in ROLES:
        cost, of = paid(scenario, role)
        side = scenario.active.side if role == "attack" else OTHER[scenario.active.side]
        if cost is not None:
            text = words()["map"]["paid"].fill(n=cost, m=of)
            yield Note(scenario.op_map.field.centre(end), text, _PILL, roam=_ROAM, look=way_look(scenario, side))


def paid(scenario: Scenario, role: Role) -> tuple[int | None, int]:
    """Return the cost of a side's path to the battle and the movement points of the units that take it.

    The cost is None if there is no path. If there is no battle yet, the attacker's path is the whole march.
    """
    battle, march, op_map, pack = scenario.battle, scenario.march, scenario.op_map, scenario.pack
    if not march or not sound(op_map, march.path) or (role == "defence" and not battle):
        return None, 0
    if role == "attack":
        end = battle.hex if battle else march.path[-1]
        cost = costs(op_map, march.path)[march.path.index(end)] if end in march.path else None
        return cost, movement(pack, scenario.active.units)
    taken = [c for c in all_chances(scenario) if battle and (c.stack, c.hex) == (battle.defender, battle.hex)]
    return (taken[0].cost, taken[0].movement) if taken else (None, 0)


def _displayed_chances(scenario: Scenario, interceptions: Iterable[Chance]) -> list[Chance]:
    """Return the chance that the battle uses or, if there is no battle, the first chance of each stack."""
    if battle := scenario.battle:
        interceptions = [
            chance for chance in interceptions if (chance.stack, chance.hex) == (battle.defender, battle.hex)
        ]
    return list({chance.stack: chance for chance in reversed(list(interceptions))}.values())


def _example(scenario: Scenario, side: Side) -> Token:
    first = next((unit for stack in scenario.stacks if stack.side == side for unit in stack.units), "")
    return Token(side, COLOUR, scenario.pack.units[first].symbol if first else "leader")


def _grounds(op_map: OpMap) -> list[tuple[str, Words]]:
    """Return the kinds of terrain on a map, each with its movement cost."""
    used = set(op_map.ground.values())
    return [(ground.id, format_terrain(ground)) for ground in terrains().values() if ground.id in used]


def format_terrain(ground: Terrain) -> Words:
    """Return the name of a terrain with its movement cost."""
    texts = words()["map"]
    return (
        texts["barred"].fill(name=ground.name)
        if ground.move is None
        else texts["cost"].fill(name=ground.name, n=ground.move)
    )


def map_name(scenario: Scenario) -> Words:
    """Return the title of a house map, or a description of the origin of any other map."""
    texts = words()["map"]
    if scenario.map == RANDOM:
        return texts["random"]
    if house := _house_map(scenario):
        return texts["house"].fill(name=house.name)
    return texts["own"].fill(name=scenario.map) if "map" in scenario.origin.files else texts["hand"]


def map_is_ours(scenario: Scenario) -> bool:
    """Return whether the map is a house map or a random map, and not a user's."""
    return scenario.map == RANDOM or _house_map(scenario) is not None


def _house_map(scenario: Scenario) -> DrawnMap | None:
    """Return the house map with the same terrain, or else the house map that a generated scenario names."""
    return MAPS.shipped_as(scenario.op_map) or (house_maps().get(scenario.map) if scenario.origin.code else None)


def format_step(scenario: Scenario, step: Step) -> Words:
    """Return a description of a log step."""
    return step_words(step, words()["step"] | fair_steps(), lambda part: part_name(scenario, part))


def part_name(scenario: Scenario, part: str) -> Words:
    """Return the name of a part of a step's result."""
    if part == scenario.map:
        return map_name(scenario)
    pack, count = scenario.pack, part.split(" ")
    if len(count) == 2 and count[1] in pack.units:
        return words()["units"]["some"].fill(unit=pack.units[count[1]].name, n=count[0])
    names = pack.legate_names | {wall.id: wall.name for wall in pack.walls}
    names |= {army.id: army.name for army in numbers().army} | {leader.id: leader.name for leader in numbers().leader}
    names |= {stack.id: stack.label for stack in scenario.stacks}
    names |= words()["kind"] | words()["cover"] | fair_names(("blind_faith",))
    return names.get(part, same(part))


def lines(scenario: Scenario) -> list[Words]:
    """Return the costs and chances for each hex of the march, and the units that cannot intercept."""
    texts, march = words()["intercept"], scenario.march
    if not march:
        return [texts["position" if scenario.kind == "position" else "none"]]
    if not sound(scenario.op_map, march.path) or len(march.path) < 2:
        return [texts["broken"].fill(stack=scenario.stack(march.stack).label)]
    mover, op_map = scenario.stack(march.stack), scenario.op_map
    found = [
        texts["march"].fill(
            stack=mover.label,
            side=side_name(mover.side),
            start=format_hex(op_map, march.path[0]),
            end=format_hex(op_map, march.path[-1]),
            n=costs(op_map, march.path)[-1],
            m=movement(scenario.pack, mover.units),
        )
    ]
    by_step: dict[int, list[Chance]] = {}
    for chance in all_chances(scenario):
        by_step.setdefault(chance.step, []).append(chance)
    found += [hex_line(scenario, step) for step in by_step.values()]
    for name in dict.fromkeys(c.stack for c in all_chances(scenario) if c.verdict == "intercepts" and c.cost):
        stack = scenario.stack(name)
        goes, stays = going(scenario.pack, stack.units), staying(scenario.pack, stack, march.path[0])
        values = {"going": format_units(scenario.pack, goes), "staying": format_units(scenario.pack, stays)}
        found.append(texts["left"].fill(stack=stack.label, hex=op_map.name(stack.hex), **values))
    return found


def hex_line(scenario: Scenario, at: list[Chance]) -> Words:
    """Return a line about the chances of every stack at one hex of the march."""
    texts, verdicts = words()["intercept"], words()["verdict"]
    labels = {stack.id: stack.label for stack in scenario.stacks}
    who = [verdicts[c.verdict].fill(stack=labels[c.stack], cost=c.cost, movement=c.movement) for c in at]
    return texts["hex"].fill(hex=format_hex(scenario.op_map, at[0].hex), n=at[0].mover, who=joined(who))


def sheet(scenario: Scenario) -> Sheet:
    """Return a sheet with the map and the chances to intercept."""
    return Sheet(
        part="intercept",
        title=words()["intercept"]["title"],
        template="blind_faith/intercept.xml",
        view={"lines": lines(scenario)},
        figures={"map": figure(scenario)},
    )


def _meetings(scenario: Scenario) -> dict[Words, Words]:
    """Return the verdict for every stack and every hex of the march."""
    texts, verdicts, name = words()["stake_intercept"], words()["worksheet"], scenario.op_map.name
    return {
        texts["about"].fill(stack=scenario.stack(c.stack).label, hex=name(c.hex), step=c.step): verdicts[c.verdict]
        for c in all_chances(scenario)
    }


MEETINGS: RulingImpact[Scenario] = RulingImpact("intercept", _meetings, ("enemy_hexes",), words()["stake_intercept"])
"""The chances to intercept, which depend on the ruling about passing through hexes that enemies hold."""

QUERY: Query[Scenario] = Query(
    verb="intercept",
    rows=lambda scenario, arguments: rows(scenario),
    lines=lambda scenario, arguments: lines(scenario),
    sheet=lambda scenario, arguments: sheet(scenario),
)


class March(NamedTuple):
    """A stack and the hexes to which it can march in one turn with all units and its leader."""

    stack: Stack
    points: int
    """The movement points of the stack."""
    costs: Mapping[Hex, int]
    """The cost of the cheapest legal path to each hex."""


def march(scenario: Scenario, name: str) -> March:
    """Return the hexes to which the stack with this id can march. Upper and lower case are equivalent.

    Raises WrongUsageError if there is no such stack.
    """
    known = {stack.id: stack for stack in scenario.stacks}
    stack = next((of for id_, of in known.items() if id_.casefold() == name.casefold()), None)
    if stack is None:
        raise WrongUsageError(
            tr("there is no stack named {name!r} in this scenario", name=name), hint=near(name, known)
        )
    points = movement(scenario.pack, stack.units)
    min_costs = reach(scenario.op_map, stack.hex, barred(scenario.rulings, scenario.stacks, stack.side, stack.id))
    return March(stack, points, {cell: cost for cell, cost in min_costs.items() if 0 < cost <= points})


def _march_row(scenario: Scenario, of: March) -> dict[str, object]:
    name = scenario.op_map.name
    shut = barred(scenario.rulings, scenario.stacks, of.stack.side, of.stack.id)
    paths = {cell: way(scenario.op_map, of.stack.hex, cell, shut) for cell in of.costs}
    ends = [
        {"to": name(cell), "cost": cost, "way": [name(step) for step in paths[cell]]}
        for cell, cost in of.costs.items()
    ]
    return {"unit": of.stack.id, "from": name(of.stack.hex), "movement": of.points, "moves": ends}


def _march_lines(scenario: Scenario, of: March) -> list[Words]:
    """Return lines that describe the possible marches, with one line for each cost."""
    texts, by_cost = words()["moves"], dict[int, list[Words]]()
    for cell, cost in of.costs.items():
        by_cost.setdefault(cost, []).append(format_hex(scenario.op_map, cell))
    head = texts["head"].fill(stack=of.stack.label, hex=format_hex(scenario.op_map, of.stack.hex), n=of.points)
    rest = [texts["cost"].fill(n=cost, cells=joined(cells)) for cost, cells in sorted(by_cost.items())]
    return [head, *(rest or [texts["none"]])]


def _march_sheet(scenario: Scenario, of: March) -> Sheet:
    head, *rest = _march_lines(scenario, of)
    shades = (Shade("reach", tuple(of.costs)),) if of.costs else ()
    view = replace(map_view(scenario), tracks=(), shades=shades)
    return Sheet(
        part="moves",
        title=words()["moves"]["title"].fill(stack=of.stack.label),
        template="blind_faith/moves.xml",
        view={"head": head, "lines": rest},
        figures={"map": replace(view, legend=keep_drawn([Legend("reach", words()["moves"]["reach"])], view))},
    )


MOVES: Query[Scenario] = Query(
    verb="moves",
    rows=lambda scenario, arguments: [_march_row(scenario, march(scenario, arguments[0]))],
    lines=lambda scenario, arguments: _march_lines(scenario, march(scenario, arguments[0])),
    sheet=lambda scenario, arguments: _march_sheet(scenario, march(scenario, arguments[0])),
)
