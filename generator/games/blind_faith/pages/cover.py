"""The cover of a kit with the map, a description of the action, the stacks and the legend of the terrain."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from generator.common.fairness import graded_line
from generator.common.ownership import Part, cover_credits, is_user_content
from generator.common.pages import Cover
from generator.common.tables import mark_house_content
from generator.games.blind_faith.fairness import FAIRNESS
from generator.games.blind_faith.ground import format_hex, movement, side_name, words
from generator.games.blind_faith.interception import Chance, all_chances, going, retreats, staying
from generator.games.blind_faith.maps import legate_token, map_is_ours, paid, scene, stack_token, unit_token, way_look
from generator.games.blind_faith.model import OTHER, Scenario, Stack, numbers, people
from generator.games.blind_faith.pages.layout import NONE, ROW, dots, fires, signed, tally, turns
from generator.games.blind_faith.pages.story import cover_text
from generator.games.blind_faith.rounds import hits
from generator.games.blind_faith.tables import ROLES, SIDES, Role, Side, place_kinds, terrains
from generator.grid.hexes import Hex, aspect
from generator.grid.hexes import Part as Crop
from generator.model.legends import keep_drawn
from generator.model.views import Figure, Legend, MapView, Shade
from generator.model.words import Words, joined, same
from generator.rules import Report
from generator.symbols.theme import theme

COLUMN = 36.0
"""Width of the turn track in the margin column, in mm."""
SLOTS = 9
"""Number of groups of units side by side below the map."""
FULL = 12
"""Maximum number of slots of all stacks of a position that are shown in full, in two rows."""
_HEAD, _LINE, _MARKS = 5.5, 12.0, 2.1
"""Heights in mm of the heading of a line of stacks, of a row of groups, and of a row of marks in a group."""
MARK = 1.05
"""Side of the mark of a unit in mm, with which ten marks fit in a slot."""
REST = 6
"""Maximum number of stacks shown that do not fight, and of rows in the other tables."""


def _place(scenario: Scenario, cell: Hex) -> Words:
    place = scenario.op_map.places.get(cell)
    return place.name if place else same(scenario.op_map.name(cell))


def and_(texts: Iterable[Words]) -> Words:
    """Return the texts as a list with `and` before the last."""
    *first, last = texts
    if not first:
        return last
    return words()["briefing"]["and"].fill(one=joined(first), other=last)


def cover(scenario: Scenario, report: Report) -> Cover:
    """Return the cover of the kit."""
    figures: dict[str, Figure] = {}
    view = scene(scenario)
    values: dict[str, object] = {
        "brief": cover_text(scenario).view,
        "aspect": aspect(scenario.op_map.field),
        "kind": words()["kind"][scenario.kind],
        "sides": [_side(scenario, side, figures) for side in SIDES],
        "victory": mark_house_content(words()["cover"]["victory"], "house"),
        "wins": _wins(scenario),
        "returns": _returns(scenario, figures),
        "fight": _fight(scenario),
        "notes": [*_verdicts(scenario), *_stays(scenario)],
        "crusade": words()["cover"]["crusade_line"].fill(text=describe_crusade(scenario)),
        "inset": _inset(scenario, figures),
        "columns": scenario.op_map.columns,
        "units": list(_units(scenario, figures)),
        "fires_key": words()["record"]["fires_key"].fill(boxes=scenario.pack.boxes),
        "grounds": list(_grounds(scenario, figures)),
        "places": list(_places(scenario, figures)),
        "signs": list(_signs(scenario, view, figures)),
        **_stacks(scenario, figures),
        "graded": graded_line(FAIRNESS, scenario, report),
    }
    figures["turns"] = turns(scenario.turn, max(numbers().turns, scenario.turn), COLUMN)
    return Cover("blind_faith/cover.xml", view, (), _content(scenario), values, figures)


def _inset(scenario: Scenario, figures: dict[str, Figure]) -> Words | str:
    """Add the figure of the hex of the battle or siege with its stacks, and return its heading; empty without one."""
    op_map, pack = scenario.op_map, scenario.pack
    if battle := scenario.battle:
        other, at = scenario.stack(battle.defender), battle.hex
    elif siege := scenario.siege:
        other = scenario.stack(siege.garrison)
        at = other.hex
    else:
        return ""
    fighting = (scenario.active, other)
    tokens = [stack_token(pack, stack) for stack in fighting]
    known = {legate.id: legate for legate in pack.legates}
    tokens += [legate_token(known[stack.legate]) for stack in fighting if stack.legate in known]
    place = op_map.places.get(at)
    figures["inset"] = MapView(
        Crop(op_map.field, (at,)),
        {at: op_map.ground[at]},
        features={at: place.kind if place else "clash"},
        flows={cell: ways for cell, ways in op_map.flows().items() if cell == at},
        tokens=tuple((at, token) for token in tokens),
        aside=True,
        shades=(Shade("meeting", (at,)),),
        detail=True,
    )
    for role, stack in zip(ROLES, fighting, strict=True):
        figures[f"inset.{role}"] = stack_token(pack, stack, label=False)
    return words()["cover"]["inset_siege" if scenario.siege else "inset_battle"].fill(hex=format_hex(op_map, at))


def _units(scenario: Scenario, figures: dict[str, Figure]) -> Iterator[dict[str, object]]:
    """Yield the classes on the map, each with its symbol, movement points, modifier and fire."""
    pack = scenario.pack
    for side in SIDES:
        back = (unit for one in scenario.routed if one.side == side for unit in one.units)
        for name in dict.fromkeys(pack.line([*scenario.units_of(side), *back])):
            unit = pack.units[name]
            figures[f"{side}.{name}"] = unit_token(pack, side, name)
            figures[f"move{unit.movement}"] = dots(unit.movement)
            yield {
                "figure": f"{side}.{name}",
                "name": unit.name,
                "move": unit.movement,
                "drm": signed(unit.drm),
                "fires": fires(pack, unit),
            }


def _side(scenario: Scenario, side: Side, figures: dict[str, Figure]) -> dict[str, object]:
    texts, units = words()["cover"], scenario.units_of(side)
    stack = next((stack for stack in scenario.stacks if stack.side == side), None)
    figures[f"side.{side}"] = stack_token(scenario.pack, stack, label=False) if stack else legate_token()
    return {
        "figure": f"side.{side}",
        "name": side_name(side),
        "units": texts["units"].fill(n=len(units)),
        "points": texts["points"].fill(n=scenario.pack.points(units)),
    }


def _wins(scenario: Scenario) -> Words | None:
    """Return the objective of the action, which is house content, because no rule text states one.

    A position has no objective.
    """
    texts, op_map = words()["cover"], scenario.op_map
    if scenario.kind == "position":
        return None
    if battle := scenario.battle:
        return texts["wins_battle"].fill(hex=format_hex(op_map, battle.hex))
    if scenario.siege:
        return texts["wins_siege"].fill(place=_place(scenario, scenario.active.hex))
    end = scenario.march.path[-1] if scenario.march and scenario.march.path else scenario.active.hex
    return texts["wins_march"].fill(side=side_name(scenario.active.side), hex=format_hex(op_map, end))


def _returns(scenario: Scenario, figures: dict[str, Figure]) -> list[dict[str, object]]:
    """Return table rows for units that were routed earlier, with the turn of their return."""
    found: list[dict[str, object]] = []
    for routed in scenario.routed[:REST]:
        for unit, n in Counter(routed.units).items():
            figures[f"{routed.side}.{unit}"] = unit_token(scenario.pack, routed.side, unit)
            text = words()["cover"]["returns"].fill(n=n, turn=routed.back)
            found.append({"figure": f"{routed.side}.{unit}", "text": text})
    return found[:REST]


def _fight(scenario: Scenario) -> dict[str, object]:
    """Return a table that compares the two sides of the battle, siege or position, or lists possible interceptors."""
    texts, role, op_map = words()["cover"], words()["role"], scenario.op_map
    if scenario.kind == "position":
        return _sides_table(scenario)
    active = scenario.active
    if battle := scenario.battle:
        other = scenario.stack(battle.defender)
        costs = (paid(scenario, which) for which in ROLES)
        ways = [same(NONE) if cost is None else texts["of"].fill(n=cost, m=points) for cost, points in costs]
        left = len(staying(scenario.pack, other, battle.hex))
        fronts = battle.attack, battle.defence
        return {
            "title": texts["battle_at"].fill(hex=op_map.name(battle.hex)),
            "heads": [_who_with_units(role["attack"], active), _who_with_units(role["defence"], other)],
            "rows": [
                {"name": texts["way"], "cells": ways},
                {"name": texts["there"], "cells": [len(f.front) + len(f.reserve) for f in fronts], "bold": 1},
                {"name": texts["front"], "cells": [len(f.front) for f in fronts], "bold": 1},
                {"name": texts["reserve"], "cells": [len(f.reserve) or NONE for f in fronts]},
                {"name": texts["behind"], "cells": [NONE, left or NONE]},
            ],
        }
    if siege := scenario.siege:
        other = scenario.stack(siege.garrison)
        counts = len(siege.bombard), len(siege.storm), len(siege.reserve)
        rows = [
            {"name": texts[name], "cells": [n or NONE, NONE]}
            for name, n in zip(("bombard", "storm", "reserve"), counts, strict=True)
        ]
        line = {"name": texts["line"], "cells": [NONE, len(other.units)], "bold": 1}
        return {
            "title": texts["siege_of"].fill(place=_place(scenario, other.hex)),
            "heads": [_who_with_units(role["besieger"], active), _who_with_units(role["garrison"], other)],
            "rows": [line, *rows],
        }
    rows = []
    for stack in scenario.stacks:
        if stack.side != active.side:
            goes = going(scenario.pack, stack.units)
            at = words()["record"]["stack"].fill(stack=stack.label, hex=op_map.name(stack.hex))
            going_text = texts["of"].fill(n=len(goes), m=len(stack.units)) if goes else NONE
            rows.append({"name": at, "cells": [going_text, movement(scenario.pack, goes) or NONE]})
    heads = [texts["goes"], words()["record"]["movement"]]
    return {"title": texts["may_go"], "heads": heads, "rows": rows[:REST]}


def _who_with_units(role: Words, stack: Stack) -> Words:
    """Return a role with the label of its stack."""
    return words()["cover"]["who"].fill(role=role, stack=stack.label)


def _sides_table(scenario: Scenario) -> dict[str, object]:
    """Return a table with the numbers of stacks, units and routed units of the two sides."""
    texts = words()["cover"]
    routed = [sum(len(one.units) for one in scenario.routed if one.side == side) or NONE for side in SIDES]
    stacks = [sum(stack.side == side for stack in scenario.stacks) for side in SIDES]
    units = [len(scenario.units_of(side)) for side in SIDES]
    return {
        "title": texts["sides"],
        "width": 18.0,
        "heads": [side_name(side) for side in SIDES],
        "rows": [
            {"name": texts["stacks"], "cells": stacks, "bold": 1},
            {"name": texts["units_there"], "cells": units, "bold": 1},
            {"name": texts["routed"], "cells": routed},
        ],
    }


def _verdicts(scenario: Scenario) -> list[dict[str, object]]:
    """Return the verdicts on the hexes of the march by stack, or the facts about the wall in a siege."""
    if not scenario.battle:
        return _walls(scenario)
    by: dict[str, list[Chance]] = {}
    for chance in all_chances(scenario):
        by.setdefault(chance.stack, []).append(chance)
    texts, op_map = words()["worksheet"], scenario.op_map
    found: list[dict[str, object]] = []
    for name, chances in by.items():
        # The map already shows stacks that cannot intercept anywhere.
        if name != scenario.battle.defender and all(chance.verdict != "intercepts" for chance in chances):
            continue
        groups: dict[str, list[Words]] = {}
        for chance in chances:
            groups.setdefault(chance.verdict, []).append(same(op_map.name(chance.hex)))
        groups_text = [
            words()["cover"]["verdict"].fill(hexes=joined(at), result=texts[v]) for v, at in groups.items()
        ]
        found.append({"name": scenario.stack(name).label, "text": joined(groups_text, "; ", "、")})
    return found


def _walls(scenario: Scenario) -> list[dict[str, object]]:
    """Return a row with the dice that breach the wall of a siege; empty if there is no siege."""
    if not (siege := scenario.siege):
        return []
    texts, types = words()["display"], {kind.id: kind.name for kind in scenario.pack.types}
    wall = next(one.name for one in scenario.pack.walls if one.id == siege.wall)
    there = {scenario.pack.units[unit].type for unit in scenario.active.units}
    breach_texts = [
        texts["breach"].fill(type=types[row], result=hits(dice))
        for (row, column), dice in scenario.pack.bombard.items()
        if column == siege.wall and row in there
    ]
    return [{"name": wall, "text": joined(breach_texts) if breach_texts else words()["cover"]["no_guns"]}]


def _stays(scenario: Scenario) -> Iterator[dict[str, object]]:
    """Yield a row for each side that cannot retreat from the battle."""
    battle = scenario.battle
    if not battle:
        return
    sides: dict[Role, Side] = {"attack": scenario.active.side, "defence": OTHER[scenario.active.side]}
    for role, side in sides.items():
        if not retreats(scenario, side):
            yield {"name": words()["role"][role], "text": words()["cover"]["no_way"]}


def describe_crusade(scenario: Scenario) -> Words:
    """Return whether there is a crusade and the name of its legate, or of the next legate if there is none."""
    texts = words()["story"]
    names = scenario.pack.legate_names
    placed = [stack.legate for stack in scenario.stacks if stack.legate]
    if scenario.crusade and placed:
        return texts["crusade_on"].fill(legate=names[placed[0]])
    if scenario.legates and not scenario.crusade:
        return texts["crusade_off"].fill(legate=names[scenario.legates[0]])
    return texts["crusade_none"]


def _grounds(scenario: Scenario, figures: dict[str, Figure]) -> Iterator[dict[str, object]]:
    """Yield the kinds of terrain on the map, each with a picture of a hex and dots for its movement cost."""
    op_map = scenario.op_map
    for ground in terrains().values():
        cell = next((cell for cell in op_map.field.cells if op_map.ground[cell] == ground.id), None)
        if cell is None:
            continue
        flows = {at: ways for at, ways in op_map.flows().items() if at == cell}
        figures[ground.id] = MapView(Crop(op_map.field, (cell,)), {cell: ground.id}, flows=flows, names=False)
        if ground.move:
            figures[f"move{ground.move}"] = dots(ground.move)
        letter = "" if ground.water else theme().ground[ground.id].letter
        yield {"figure": ground.id, "name": ground.name, "letter": letter, "move": ground.move or 0}


def _places(scenario: Scenario, figures: dict[str, Figure]) -> Iterator[dict[str, object]]:
    """Yield the kinds of places on the map, and the legate marker."""
    op_map = scenario.op_map
    for kind, of in place_kinds().items():
        cell = next((cell for cell, place in op_map.places.items() if place.kind == kind), None)
        if cell is not None:
            crop = Crop(op_map.field, (cell,))
            figures[kind] = MapView(crop, {cell: "clear"}, features={cell: kind}, names=False)
            yield {"figure": kind, "name": of.name}
    if any(stack.legate for stack in scenario.stacks):
        figures["legate"] = legate_token()
        yield {"figure": "legate", "name": words()["map"]["marker"], "token": 1}


def _signs(scenario: Scenario, view: MapView, figures: dict[str, Figure]) -> Iterator[str]:
    """Yield the names of the legend pictures for the paths on the map."""
    texts, legend = words()["map"], list[Legend]()
    position = scenario.kind == "position"
    for side in () if position else (scenario.active.side, OTHER[scenario.active.side]):
        name = way_look(scenario, side)
        if any(track.look == name for track in view.tracks):
            legend.append(Legend(name, texts["marched" if name.startswith("march") else "way"]))
    for i, entry in enumerate((*legend, *keep_drawn([Legend("clash meeting", texts["meeting"])], view))):
        figures[f"sign{i}"] = MapView(view.grid, {}, names=False, legend=(entry,))
        yield f"sign{i}"


def _stacks(scenario: Scenario, figures: dict[str, Figure]) -> dict[str, object]:
    """Return the stacks below the map. Stacks that fight or march are shown in full, and others in short form.

    The stacks of a position are shown in full if there is room for all of them.
    """
    position = scenario.kind == "position"
    ahead = [] if position else [scenario.active.id]
    ahead += [scenario.battle.defender] if scenario.battle else []
    ahead += [scenario.siege.garrison] if scenario.siege else []
    rest = [stack for stack in scenario.stacks if stack.id not in ahead]
    if len(rest) == 1 and (len(ahead) < len(SIDES) or _all_slots(scenario, [*ahead, rest[0].id]) <= SLOTS):
        ahead, rest = [*ahead, rest[0].id], []
    if position and sum(_slots(stack) for stack in rest) <= FULL:
        ahead, rest = [stack.id for stack in rest], []
    max_rest = REST if ahead else 2 * REST
    lines: list[list[dict[str, Any]]] = []
    free = 0
    for stack in map(scenario.stack, ahead):
        needed = _slots(stack)
        if needed > free:
            lines.append([])
            free = SLOTS
        lines[-1].append({**_stack(scenario, stack, figures), "slots": needed, "spare": 0})
        free -= needed
        lines[-1][-1]["spare"] = free
    for line in lines:
        max_marks = max((int(group["n"]) for stack_view in line for group in stack_view["groups"]), default=1)
        deep = max(-(-len(stack_view["groups"]) // SLOTS) for stack_view in line)
        line[0]["high"] = _HEAD + deep * (_LINE + _MARKS * -(-max_marks // ROW))
    return {
        "lines": lines,
        "across": SLOTS,
        "rest": [_stack(scenario, stack, figures) for stack in rest[:max_rest]],
        "others": words()["cover"]["others"].fill(n=len(rest) - max_rest) if len(rest) > max_rest else "",
    }


def _all_slots(scenario: Scenario, stacks: Iterable[str]) -> int:
    """Return the number of slots of stacks that are shown in full."""
    return sum(_slots(scenario.stack(name)) for name in stacks)


def _slots(stack: Stack) -> int:
    """Return the number of slots of a stack that is shown in full."""
    return min(SLOTS, max(2, len(set(stack.units))))


def _stack(scenario: Scenario, stack: Stack, figures: dict[str, Figure]) -> dict[str, Any]:
    """Return a stack with a group for each class and a mark for each unit.

    Units that stay behind have hollow marks.
    """
    texts, pack = words()["cover"], scenario.pack
    battle = scenario.battle
    left = Counter(staying(pack, stack, battle.hex)) if battle and stack.id == battle.defender else Counter[str]()
    groups = []
    for unit, n in Counter(stack.units).items():
        figures[f"{stack.side}.{unit}"] = unit_token(pack, stack.side, unit)
        name = f"tally{n - left[unit]}_{left[unit]}"
        figures[name] = tally(n - left[unit], left[unit], MARK)
        groups.append({"figure": f"{stack.side}.{unit}", "n": n, "name": pack.units[unit].name, "tally": name})
    values = {"n": len(stack.units), "m": movement(pack, stack.units)}
    facts = [texts["units"].fill(n=values["n"]), texts["mp"].fill(m=values["m"])]
    if left:
        gone = len(stack.units) - sum(left.values())
        facts.append(texts["filled"].fill(n=gone))
    return {
        "head": words()["record"]["stack"].fill(stack=stack.label, hex=format_hex(scenario.op_map, stack.hex)),
        "facts": joined([*people(scenario, stack), *facts], " · ", "・"),
        "groups": groups,
        "short": words()["record"]["stack"].fill(stack=stack.label, hex=scenario.op_map.name(stack.hex)),
    }


def _content(scenario: Scenario) -> list[Words]:
    """Return the credits of the map, the pack and the rest of the kit."""
    texts, brought = words()["blind_faith"], scenario.origin.user_file_name
    parts = [
        Part(texts["house_map"], not map_is_ours(scenario), brought("map")),
        Part(texts["house_pack"], is_user_content(scenario.pack), brought("pack")),
        Part(texts["house_rest"], user_made=False),
    ]
    return cover_credits(parts)
