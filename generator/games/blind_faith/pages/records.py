"""Record sheets: of the stacks of a scenario, of a battle, and blank ones.

Stack record sheets: a row for each class of unit, boxes for those routed and those eliminated.

The interception worksheet: for every hex of a path what the march has paid, and what each stack would pay.

Blank tables: the forms of a pack, for the values of one's own copy of the game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from generator.games.blind_faith.ground import costs, hex_told, movement, side_name, units_told, words
from generator.games.blind_faith.interception import Chance, all_chances, going, staying
from generator.games.blind_faith.maps import figure, lines
from generator.games.blind_faith.model import PREFIX, Scenario, Stack, numbers
from generator.games.blind_faith.pack import Pack
from generator.games.blind_faith.pages.layout import NONE, counters, finder, fires, room, signed, span
from generator.games.blind_faith.tables import SIDES, Side
from generator.model.views import Sheet
from generator.model.words import Words, joined

GROUP, ACROSS = 5, 10
"""As many boxes are counted at a glance; and as many stand in a row at most, on rows as alike as may be."""
PAGES = 6
"""A side with many stacks takes more than one page."""


def record_sheet(scenario: Scenario, side: Side) -> Sheet:
    """A side's stacks with everything that may befall them."""
    say, pack = words()["record"], scenario.pack
    stacks = [stack for stack in scenario.stacks if stack.side == side]
    return Sheet(
        part="records",
        title=say["title"],
        template="blind_faith/record.xml",
        view={
            "stacks": [_stack(scenario, stack) for stack in stacks],
            "earlier": [
                say["returning"].fill(units=units_told(pack, routed.units), turn=routed.back)
                for routed in scenario.routed
                if routed.side == side
            ],
            "turn": scenario.turn,
            "turns": max(numbers().turns, scenario.turn + 1),
            "fires_key": say["fires_key"].fill(boxes=pack.boxes),
            "blank": 0,
        },
        figures=counters(pack, side, (unit for stack in stacks for unit in stack.units)),
        side=side_name(side),
        pages=PAGES,
    )


def _stack(scenario: Scenario, stack: Stack) -> dict[str, object]:
    say, pack = words()["record"], scenario.pack
    legates = [legate.name for legate in pack.legates if legate.id == stack.legate]
    leaders = [numbers().leaders[stack.leader].name] if stack.leader else []
    return {
        "name": say["stack"].fill(stack=stack.called, hex=hex_told(scenario.land, stack.hex)),
        "facts": say["facts"].fill(
            n=len(stack.units), m=movement(pack, stack.units), points=pack.points(stack.units)
        ),
        "with": [
            *(say["leader"].fill(name=name) for name in leaders),
            *(say["legate"].fill(name=name) for name in legates),
        ],
        "rows": [
            {
                "figure": f"{stack.side}.{unit}",
                "name": pack.units[unit].name,
                "n": n,
                "movement": pack.units[unit].movement,
                "drm": signed(pack.units[unit].drm),
                "fires": fires(pack, pack.units[unit]),
                "group": GROUP if n <= ACROSS else -(-n // -(-n // ACROSS)),
            }
            for unit, n in Counter(stack.units).items()
        ],
    }


def people(scenario: Scenario, stack: Stack) -> list[Words]:
    """Who is with a stack: its leader, the legate."""
    leaders = [numbers().leaders[stack.leader].name] if stack.leader else []
    return leaders + [legate.name for legate in scenario.pack.legates if legate.id == stack.legate]


def blank_records(pack: Pack, *, half: bool = False) -> Sheet:
    """Stacks to fill in; `half` puts two shorter sheets on a page, a stack each."""
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
    """The drawn march, reckoned through, over the map; then rows for another."""
    found = all_chances(scenario)
    stacks = [scenario.stack(name) for name in dict.fromkeys(chance.stack for chance in found)]
    wide = room().worksheet.stacks
    parts = [stacks[i : i + wide] for i in range(0, len(stacks), wide)]
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
        figures={"map": figure(scenario)},
        pages=2 + len(parts),
    )


def _part(scenario: Scenario, found: Sequence[Chance], stacks: Sequence[Stack]) -> dict[str, object]:
    """The table of some of the stacks."""
    say = words()["worksheet"]
    return {
        "heads": [say["stack"].fill(stack=stack.called, hex=scenario.land.name(stack.hex)) for stack in stacks],
        "rows": list(_rows(scenario, found, stacks)),
        "who": [_who(scenario, stack) for stack in stacks],
    }


def _rows(scenario: Scenario, found: Sequence[Chance], stacks: Sequence[Stack]) -> Iterator[dict[str, object]]:
    march, land, say = scenario.march, scenario.land, words()["worksheet"]
    assert march, "only a march can be met"
    path = march.path
    so_far = costs(land, path)
    by = {(chance.step, chance.stack): chance for chance in found}
    for step, cell in enumerate(path):
        chances = [by.get((step, stack.id)) for stack in stacks]
        yield {
            "hex": hex_told(land, cell),
            "ground": land.terrain(cell).name,
            "enter": so_far[step] - so_far[step - 1] if step else NONE,
            "mover": so_far[step],
            "cells": [
                {
                    "cost": NONE if c is None or c.cost is None else c.cost,
                    "verdict": say[c.verdict] if c else "",
                    "first": int(c is not None and c.verdict == "intercepts"),
                }
                for c in chances
            ],
        }


def _who(scenario: Scenario, stack: Stack) -> Words:
    """Whom a stack would send, and who would stay."""
    say, pack = words()["worksheet"], scenario.pack
    goes = going(pack, stack.units)
    if not goes:
        return say["nobody"].fill(stack=stack.called)
    stays = staying(pack, stack, scenario.active.hex)
    values = {"stack": stack.called, "m": movement(pack, goes), "going": units_told(pack, goes)}
    if not stays:
        return say["going"].fill(**values)
    return say["staying"].fill(**values, staying=units_told(pack, stays))


def blank_worksheet(*, half: bool = False) -> Sheet:
    """A worksheet to fill in; `half` puts two shorter ones on a page."""
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
    """Every table with its heads, and room to write."""
    plan = room().blank
    return Sheet(
        part="sheets",
        title=words()["blank"]["tables"],
        template="blind_faith/tables.xml",
        view={
            "types": [kind.name for kind in pack.types],
            "walls": [wall.name for wall in pack.walls],
            "columns": [span(*bounds) for bounds in pack.response.bounds()],
            "finder": list(finder(pack)),
            "sides": "  ".join(PREFIX[side] for side in SIDES),
            "sides_key": joined(
                [words()["blank"]["letter"].fill(letter=PREFIX[s], side=side_name(s)) for s in SIDES]
            ),
            "units": plan.units,
            "charge": plan.charge,
            "response": list(range(1, plan.response + 1)),
        },
    )
