"""Battle and siege displays: boxes to lay counters on, with the sequence in its place; drawn or blank."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from generator.common.interpretations import defaults
from generator.common.tables import marked
from generator.games.blind_faith.catalogue import hits
from generator.games.blind_faith.ground import hex_told, side_name, units_told, words
from generator.games.blind_faith.interception import defenders, retreats
from generator.games.blind_faith.model import Scenario, Stack
from generator.games.blind_faith.pack import Pack
from generator.games.blind_faith.pages.layout import columns_of, counters, room, signed
from generator.games.blind_faith.pages.records import people
from generator.games.blind_faith.pages.reference import deploy, steps
from generator.games.blind_faith.tables import Side, UnitLine, switches
from generator.model.views import Figure, Sheet
from generator.model.words import Words, joined, same

EMPTY = same("")


def battle_display(scenario: Scenario) -> Sheet:
    """The battle that was drawn, its units named in their boxes; without one, a display for any battle."""
    pack, battle = scenario.pack, scenario.battle
    if not battle:
        return blank_battle(pack, scenario.rulings, part="display")
    own, other = scenario.active, scenario.stack(battle.defender)
    attack, defence = battle.attack, battle.defence
    notes = [
        words()["display"]["stays"].fill(role=words()["role"][role], hex=hex_told(scenario.land, battle.hex))
        for role, side in (("attack", own.side), ("defence", other.side))
        if not retreats(scenario, side)
    ]
    boxes = [*attack.front, *[""] * (pack.boxes - len(attack.front))]
    view = {
        "boxes": [_slot(pack, own.side, unit) for unit in boxes],
        "attacker": _who(scenario, "attack", own),
        "attack_reserve": _groups(pack, own.side, attack.reserve),
        "defender": _who(scenario, "defence", other),
        "defence_reserve": _groups(pack, other.side, defence.reserve),
        **_line(pack, other.side, defence.front),
        "notes": notes,
    }
    figures = counters(pack, own.side, own.units) | counters(pack, other.side, other.units)
    told = steps(
        "battle", pack, scenario.rulings, {"attack": own.units, "defence": defenders(pack, other, battle.hex)}
    )
    return _battle(pack, scenario.rulings, told, view, "display", figures)


def blank_battle(pack: Pack, chosen: Mapping[str, str] | None = None, *, part: str = "sheets") -> Sheet:
    """A battle display with nobody on it."""
    say = words()["role"]
    view = {
        "boxes": [_slot(pack, "hussite", "")] * pack.boxes,
        "attacker": say["attack"],
        "attack_reserve": [],
        "defender": say["defence"],
        "defence_reserve": [],
        **_line(pack, "hussite", ()),
        "notes": [],
    }
    chosen = chosen or defaults(switches())
    return _battle(pack, chosen, steps("battle", pack, chosen), view, part, {})


def _battle(
    pack: Pack,
    chosen: Mapping[str, str],
    lines: Iterable[Mapping[str, object]],
    view: Mapping[str, object],
    part: str,
    figures: Mapping[str, Figure],
) -> Sheet:
    told = list(enumerate(lines, 1))
    return Sheet(
        part=part,
        title=words()["display"]["battle"],
        template="blind_faith/battle.xml",
        view={
            "deploy": deploy(pack, chosen),
            "exchange": [{"n": n, **step} for n, step in told if step["by"]],
            "after": [{"n": n, **step} for n, step in told if not step["by"]],
            "refill": switches()["defender_refill"][chosen["defender_refill"]].text,
            "rounds": room().rounds,
            "blank": int(part == "sheets"),
            **view,
        },
        figures=figures,
        landscape=True,
    )


def siege_display(scenario: Scenario) -> Sheet:
    """The siege that was drawn, its units named in their boxes."""
    siege = scenario.siege
    assert siege, "only a siege has a siege display"
    pack, own, other = scenario.pack, scenario.active, scenario.stack(siege.garrison)
    wall = next(wall for wall in pack.walls if wall.id == siege.wall)
    view = {
        "besieger": _who(scenario, "besieger", own),
        "boxes": [_groups(pack, own.side, units) for units in (siege.bombard, siege.storm, siege.reserve)],
        "garrison": _who(scenario, "garrison", other),
        "walls": [_wall(pack, wall.id)],
        **_line(pack, other.side, other.units),
    }
    figures = counters(pack, own.side, own.units) | counters(pack, other.side, other.units)
    return _siege(pack, scenario.rulings, view, "display", figures)


def blank_siege(pack: Pack) -> Sheet:
    """A siege display with nobody on it."""
    say = words()["role"]
    view = {
        "besieger": say["besieger"],
        "boxes": [[], [], []],
        "garrison": say["garrison"],
        "walls": [],
        **_line(pack, "hussite", ()),
    }
    return _siege(pack, defaults(switches()), view, "sheets", {})


def _siege(
    pack: Pack, chosen: Mapping[str, str], view: Mapping[str, object], part: str, figures: Mapping[str, Figure]
) -> Sheet:
    return Sheet(
        part=part,
        title=words()["display"]["siege"],
        template="blind_faith/siege.xml",
        view={
            "steps": steps("siege", pack, chosen),
            "rounds": room().rounds,
            "blank": int(part == "sheets"),
            **view,
        },
        figures=figures,
        landscape=True,
    )


def _wall(pack: Pack, wall: str) -> dict[str, object]:
    """A kind of wall, with what breaches it."""
    say, named = words()["display"], {kind.id: kind.name for kind in pack.types}
    walls = {one.id: one.name for one in pack.walls}
    lines = [
        say["breach"].fill(type=named[row], result=hits(faces))
        for (row, column), faces in pack.bombard.items()
        if column == wall
    ]
    return {"name": marked(say["wall"].fill(wall=walls[wall]), pack.source), "lines": lines}


def _who(scenario: Scenario, role: str, stack: Stack) -> Words:
    """A side of the battle: its part, its stack, who is with it."""
    say = words()["display"]
    who = say["who"].fill(role=words()["role"][role], stack=stack.called, side=side_name(stack.side))
    names = people(scenario, stack)
    return say["led"].fill(who=who, names=joined(names)) if names else who


def _slot(pack: Pack, side: Side, unit: str) -> dict[str, object]:
    """A box with a unit, or an empty one."""
    if not unit:
        return {"figure": "", "name": EMPTY, "drm": ""}
    return {"figure": f"{side}.{unit}", "name": pack.units[unit].name, "drm": signed(pack.units[unit].drm)}


def _groups(pack: Pack, side: Side, units: UnitLine) -> list[dict[str, object]]:
    """Units that lie together, by class."""
    return [{**_slot(pack, side, unit), "count": f"×{count}"} for unit, count in Counter(units).items()]


def _line(pack: Pack, side: Side, front: UnitLine) -> dict[str, object]:
    """The defender's line: columns of boxes with the column of the response that they reach."""
    plan = room().line
    columns = max(plan.columns, -(-len(front) // plan.deep))
    places: Sequence[str] = [*front, *[""] * (columns * plan.deep - len(front))]
    return {
        "heads": [_head(pack, range(first + 1, first + plan.deep + 1)) for first in _starts(columns)],
        "rows": [
            [{"n": first + row + 1, **_slot(pack, side, places[first + row])} for first in _starts(columns)]
            for row in range(plan.deep)
        ],
        "named": columns <= plan.named,
        "told": words()["display"]["key"].fill(units=units_told(pack, front)) if front else EMPTY,
    }


def _starts(columns: int) -> Iterable[int]:
    """How many places come before each column of the line."""
    deep = room().line.deep
    return range(0, columns * deep, deep)


def _head(pack: Pack, places: range) -> dict[str, object]:
    """The units of a column of boxes, and the response column or columns that they reach."""
    say = words()["display"]
    told = []
    for _, _, column, drm in columns_of(pack, places):
        told.append(say["drm" if drm else "column"].fill(column=column, drm=signed(drm)))
    return {"units": f"{places[0]}–{places[-1]}", "column": joined(told)}
