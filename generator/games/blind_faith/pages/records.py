"""Stack record sheets: a row for each class of unit, boxes for those routed and those eliminated."""

from __future__ import annotations

from collections import Counter

from generator.games.blind_faith.forces.pack import Pack
from generator.games.blind_faith.forces.units import SIDES, Side
from generator.games.blind_faith.numbers import play
from generator.games.blind_faith.pages.sheetfile import room
from generator.games.blind_faith.pages.tableview import counters, fires, signed
from generator.games.blind_faith.play.marching import movement
from generator.games.blind_faith.scenario import Scenario, Stack
from generator.games.blind_faith.words import hex_told, side_name, units_told, words
from generator.model.views import Sheet
from generator.model.words import Words

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
            "turns": max(play().turns, scenario.turn + 1),
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
    leaders = [play().leaders[stack.leader].name] if stack.leader else []
    return {
        "name": say["stack"].fill(stack=stack.id, hex=hex_told(scenario.land, stack.hex)),
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
    leaders = [play().leaders[stack.leader].name] if stack.leader else []
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
