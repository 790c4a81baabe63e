"""Record sheets for stacks and marches, filled in or blank, and blank tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import asdict, replace

from generator.games.blind_faith.ground import costs, format_hex, format_units, movement, side_name, words
from generator.games.blind_faith.interception import Chance, all_chances, going, staying
from generator.games.blind_faith.maps import figure, legate_token, lines, stack_token
from generator.games.blind_faith.model import PREFIX, Scenario, Stack, numbers
from generator.games.blind_faith.pages.layout import NONE, counters, finder, fires, room, scale, signed, span, turns
from generator.games.blind_faith.tables import SIDES, Pack, Side
from generator.model.legends import keep_drawn
from generator.model.views import Figure, Legend, Sheet
from generator.model.words import Words, joined

ACROSS = 30
"""Number of boxes in a row, which have a common scale."""
SPLIT = 2
"""Number of rows on each side's record for stacks that split off."""
PAGES = 6
"""Maximum number of pages for the records. Sides with many stacks need more than one page."""


def record_sheet(scenario: Scenario) -> Sheet:
    """Return the record of the sides' stacks, on one page if they fit."""
    texts, pack, plan = words()["record"], scenario.pack, room().records
    last = max(numbers().turns, scenario.turn + plan.back)
    sides = [_side(scenario, side) for side in SIDES]
    rows = [row for side in sides for stack in side["stacks"] for row in stack["rows"]]
    taken = plan.head + plan.stack * len(scenario.stacks) + plan.line * sum(map(_lines, sides))
    # A row with more boxes than fit side by side is higher.
    taken += sum(plan.low * (-(-row["n"] // ACROSS) - 1) for row in rows)
    figures: dict[str, Figure] = {
        "turns": turns(scenario.turn, last, 106.0, 6.0),
        "scale": scale(ACROSS, plan.box),
        **{f"legate.{legate.id}": legate_token(legate) for legate in pack.legates},
    }
    for stack in scenario.stacks:
        figures |= counters(pack, stack.side, stack.units)
        figures[f"stack.{stack.id}"] = stack_token(pack, stack, label=False)
    return Sheet(
        part="records",
        title=texts["title"],
        template="blind_faith/record.xml",
        view={
            "sides": sides,
            "plan": {"taken": taken, "rows": len(rows), "stacks": len(scenario.stacks), **asdict(plan)},
            "after": [scenario.turn + n + 1 for n in range(plan.back)],
            "fires_key": texts["fires_key"].fill(boxes=pack.boxes),
        },
        figures=figures,
        pages=PAGES,
        rather=1,
    )


def _lines(side: dict[str, Any]) -> float:
    """Return the height of a side's smaller tables in lines, including their headings."""
    back, split, legates = (len(side[name]) for name in ("back", "split", "legates"))
    left = back + len(side["earlier"]) * 0.7 + (split + 2 if legates else 0)
    return 1.8 + max(left, legates + 0.7 if legates else split)


def _side(scenario: Scenario, side: Side) -> dict[str, Any]:
    """Return the contents of a side's record: its stacks, returning units, stacks that split off, and legates."""
    texts, pack = words()["record"], scenario.pack
    stacks = [stack for stack in scenario.stacks if stack.side == side]
    units = scenario.units_of(side)
    routed = [one for one in scenario.routed if one.side == side]
    after = range(scenario.turn + 1, scenario.turn + 1 + room().records.back)
    there = pack.line([*units, *(unit for one in routed for unit in one.units)])
    back = [
        {
            "name": pack.units[unit].name,
            "cells": [sum(Counter(one.units)[unit] for one in routed if one.back == turn) or "" for turn in after],
        }
        for unit in dict.fromkeys(there)
    ]
    army = numbers().armies[scenario.armies[side]]
    return {
        "side": words()["cover"]["army"].fill(army=army.name, points=pack.points(units)),
        "name": side_name(side),
        "stacks": [_stack(scenario, stack) for stack in stacks],
        "back": back,
        "any": {
            "name": texts["any"],
            "cells": [sum(len(one.units) for one in routed if one.back == turn) or "" for turn in after],
        },
        "earlier": [texts["returning"].fill(units=format_units(pack, one.units), turn=one.back) for one in routed],
        "split": _split(scenario, side, len(stacks)),
        "legates": _legates(scenario) if side == "crusader" else [],
    }


def _split(scenario: Scenario, side: Side, stacks: int) -> list[dict[str, object]]:
    """Return rows for stacks that may split off. The first is for units that do not join an interception."""
    rows: list[dict[str, object]] = []
    if battle := scenario.battle:
        interceptor = scenario.stack(battle.defender)
        left = staying(scenario.pack, interceptor, battle.hex) if interceptor.side == side else ()
        if left:
            left_text = words()["record"]["left"].fill(
                units=format_units(scenario.pack, left), stack=interceptor.label
            )
            rows.append({"at": scenario.op_map.name(interceptor.hex), "text": left_text})
    rows += [{"at": "", "text": ""}] * max(1, SPLIT - len(rows))
    return [{"name": f"{PREFIX[side]}{stacks + n}", **row} for n, row in enumerate(rows, 1)]


def _legates(scenario: Scenario) -> list[dict[str, object]]:
    """Return the legates in the order in which they appear. The legate with a stack is first."""
    placed = {stack.legate: stack.id for stack in scenario.stacks if stack.legate}
    order = dict.fromkeys([*placed, *scenario.legates])
    known = {legate.id: legate for legate in scenario.pack.legates}
    rows = []
    for n, one in enumerate((known[name] for name in order if name in known), 1):
        unit = scenario.pack.units.get(one.unit)
        unit_text = words()["record"]["a_unit"].fill(m=unit.movement, drm=signed(unit.drm)) if unit else ""
        rows.append({"n": n, "id": one.id, "name": one.name, "unit": unit_text, "with": placed.get(one.id, "")})
    return rows


def _stack(scenario: Scenario, stack: Stack) -> dict[str, Any]:
    texts, pack = words()["record"], scenario.pack
    legates = [legate.name for legate in pack.legates if legate.id == stack.legate]
    leaders = [numbers().leaders[stack.leader].name] if stack.leader else []
    return {
        "figure": f"stack.{stack.id}",
        "name": texts["stack"].fill(stack=stack.label, hex=format_hex(scenario.op_map, stack.hex)),
        "facts": texts["facts"].fill(n=len(stack.units), m=movement(pack, stack.units)),
        "with": [
            *(texts["leader"].fill(name=name) for name in leaders),
            *(texts["legate"].fill(name=name) for name in legates),
        ],
        "rows": [
            {
                "figure": f"{stack.side}.{unit}",
                "name": pack.units[unit].name,
                "n": n,
                "values": texts["values"].fill(m=pack.units[unit].movement, drm=signed(pack.units[unit].drm)),
                "fires": texts["fire"].fill(when=fires(pack, pack.units[unit])),
            }
            for unit, n in Counter(stack.units).items()
        ],
    }


def blank_records(pack: Pack, *, half: bool = False) -> Sheet:
    """Return blank stack records. `half` puts two shorter forms on a page."""
    plan = room().records
    return Sheet(
        part="sheets",
        title=words()["blank"]["records"],
        template="blind_faith/stacks.xml",
        view={
            "sheets": 2 if half else 1,
            "stacks": 1 if half else plan.stacks,
            "rows": plan.half if half else plan.classes,
            "boxes": plan.boxes,
            "turns": room().turns,
            "sides": [side_name(side) for side in SIDES],
            "fires_key": words()["record"]["fires_key"].fill(boxes=pack.boxes),
        },
    )


def worksheet(scenario: Scenario) -> Sheet:
    """Return a worksheet with the computed costs of the scenario's march and the map, and rows for another march."""
    found = all_chances(scenario)
    stacks = [scenario.stack(name) for name in dict.fromkeys(chance.stack for chance in found)]
    wide = room().worksheet.stacks
    parts = [stacks[i : i + wide] for i in range(0, len(stacks), wide)]
    view, texts = figure(scenario), words()["map"]
    key = (
        Legend("march march_crusader", texts["marched"]),
        Legend("intercept intercept_hussite", texts["way"]),
        Legend("reach", words()["worksheet"]["reach"]),
    )
    return Sheet(
        part="intercept",
        title=words()["intercept"]["title"],
        template="blind_faith/worksheet.xml",
        view={
            "march": lines(scenario)[0],
            "parts": [_part(scenario, found, part) for part in parts],
            "rows": room().worksheet.rows,
            "across": min(wide, max(2, len(stacks))),
        },
        figures={"map": replace(view, legend=keep_drawn(key, view))},
        pages=2 + len(parts),
    )


def _part(scenario: Scenario, found: Sequence[Chance], stacks: Sequence[Stack]) -> dict[str, object]:
    """Return the table for some of the stacks."""
    texts = words()["worksheet"]
    return {
        "heads": [texts["stack"].fill(stack=stack.label, hex=scenario.op_map.name(stack.hex)) for stack in stacks],
        "rows": list(_rows(scenario, found, stacks)),
        "who": [_who(scenario, stack) for stack in stacks],
    }


def _rows(scenario: Scenario, found: Sequence[Chance], stacks: Sequence[Stack]) -> Iterator[dict[str, object]]:
    march, op_map, texts = scenario.march, scenario.op_map, words()["worksheet"]
    assert march, "only a march can be met"
    path = march.path
    so_far = costs(op_map, path)
    by = {(chance.step, chance.stack): chance for chance in found}
    for step, cell in enumerate(path):
        chances = [by.get((step, stack.id)) for stack in stacks]
        yield {
            "hex": format_hex(op_map, cell),
            "ground": op_map.terrain(cell).name,
            "enter": so_far[step] - so_far[step - 1] if step else NONE,
            "mover": so_far[step],
            "cells": [
                {
                    "cost": NONE if c is None or c.cost is None else c.cost,
                    "verdict": texts[c.verdict] if c else "",
                    "first": int(c is not None and c.verdict == "intercepts"),
                }
                for c in chances
            ],
        }


def _who(scenario: Scenario, stack: Stack) -> Words:
    """Return a sentence about which units of a stack would intercept and which would stay."""
    texts, pack = words()["worksheet"], scenario.pack
    goes = going(pack, stack.units)
    if not goes:
        return texts["nobody"].fill(stack=stack.label)
    stays = staying(pack, stack, scenario.active.hex)
    values = {"stack": stack.label, "m": movement(pack, goes), "going": format_units(pack, goes)}
    if not stays:
        return texts["going"].fill(**values)
    return texts["staying"].fill(**values, staying=format_units(pack, stays))


def blank_worksheet(*, half: bool = False) -> Sheet:
    """Return a blank worksheet. `half` puts two shorter forms on a page."""
    plan = room().worksheet
    return Sheet(
        part="sheets",
        title=words()["blank"]["intercept"],
        template="blind_faith/march.xml",
        view={
            "sheets": 2,
            "rows": plan.half if half else plan.blank,
            "across": 2 if half else 3,
        },
        landscape=False,
    )


def tables_sheet(pack: Pack) -> Sheet:
    """Return blank forms for every table of a pack, with headings."""
    plan = room().blank
    letters = {side: Words(PREFIX[side], side_name(side).ja[0]) for side in SIDES}
    return Sheet(
        part="sheets",
        title=words()["blank"]["tables"],
        template="blind_faith/tables.xml",
        view={
            "types": [kind.name for kind in pack.types],
            "walls": [wall.name for wall in pack.walls],
            "columns": [span(*bounds) for bounds in pack.response.bounds()],
            "finder": list(finder(pack)),
            "sides": joined(list(letters.values()), "  ", "  "),
            "sides_key": joined(
                [words()["blank"]["letter"].fill(letter=letters[s], side=side_name(s)) for s in SIDES]
            ),
            "units": plan.units,
            "charge": plan.charge,
            "response": list(range(1, plan.response + 1)),
        },
    )
