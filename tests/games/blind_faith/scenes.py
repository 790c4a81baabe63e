"""A march that can be intercepted, its battle, a siege and a position, which are small enough to compute by hand.

The map has no obstacles. H1 marches along the near edge from A1 to E1. C1 on E3 is too late for B1 and C1, but
reaches D1 and E1 first.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from msgspec.structs import replace

from generator.games.blind_faith.battle import Force
from generator.games.blind_faith.file import read
from generator.games.blind_faith.model import Scenario, Stack
from generator.games.blind_faith.rules import rules
from generator.grid.hexes import Hex
from generator.model.scenario import Origin
from generator.notation.toml import Source
from generator.rules import Report, check

ROW = " ".join("." * 10)
HEAD = f"""
[muster]
game = "blind_faith"

[play]
title = "Along the edge"
turn = 3
points = 0
crusade = true

[map]
rows = '''
{chr(10).join([ROW] * 7)}
'''
places = {{ C3 = {{ kind = "town", name = "Rabi" }} }}
"""
STACKS = """
[hussite]
stacks = [
  { hex = "AT", units = { tabor = 2, hussite_foot = 3, hussite_horse = 1 }, leader = "zizka" },
  { hex = "A7", units = { hussite_foot = 1 } },
]
routed = [{ units = { hussite_foot = 2 }, back = 4 }]

[crusader]
stacks = [
  { hex = "IN", units = { knights = 3, youth_horse = 1, crusader_foot = 4 }, leader = "pippo" },
  { hex = "J7", units = { crusader_foot = 1 }, legate = "orsini" },
]
"""
MARCH = """
[march]
stack = "H1"
path = ["A1", "B1", "C1", "D1", "E1"]
"""
BATTLE = """
[battle]
hex = "D1"
defender = "C1"
attack = { front = { tabor = 2, hussite_foot = 1, hussite_horse = 1 }, reserve = { hussite_foot = 2 } }
defence = { front = { knights = 3 }, reserve = { youth_horse = 1 } }
"""
SIEGE = """
[siege]
besieger = "H1"
garrison = "C1"
wall = "town"
bombard = { tabor = 2 }
storm = { hussite_foot = 3 }
reserve = { hussite_horse = 1 }
"""
POSITION = HEAD + STACKS.replace("AT", "A1").replace("IN", "E3")
FIELD = POSITION + MARCH
TEXTS = {
    "march": FIELD,
    "battle": FIELD + BATTLE,
    "siege": HEAD + STACKS.replace("AT", "C3").replace("IN", "C3") + SIEGE,
    "position": POSITION,
}

Edit = Callable[[Scenario], Scenario]


class Row(NamedTuple):
    """A change to a legal scenario, with the ids of all rules that it breaks."""

    id: str
    scene: str
    edit: Edit
    fires: str


def scenario(text: str) -> Scenario:
    return read(Source("scene.toml", text), Origin("blind_faith"), Path())


@cache
def scene(name: str) -> Scenario:
    return scenario(TEXTS[name])


def report(of: Scenario) -> Report:
    return check(rules(), of)


def fired(of: Scenario) -> set[str]:
    return {finding.rule.id for finding in report(of).findings}


def hex_of(of: Scenario, name: str) -> Hex:
    cell = of.op_map.field.find(name)
    assert cell
    return cell


def line(of: Scenario, text: str) -> tuple[str, ...]:
    """Return the units described by a text such as `2 tabor, gun`."""
    parts = [part.split() for part in text.split(",") if part.strip()]
    return of.pack.line(p[-1] for p in parts for _ in range(int(p[0]) if len(p) > 1 else 1))


def changed(**changes: Any) -> Edit:
    """Return an edit that changes the given values of the scenario."""
    return lambda of: replace(of, **changes)


def stack(name: str, **changes: Any) -> Edit:
    """Return an edit that changes a stack. A hex is given by name and units as in `line`."""

    def edit(of: Scenario) -> Scenario:
        values = dict(changes)
        if "hex" in values:
            values["hex"] = hex_of(of, values["hex"])
        if "units" in values:
            values["units"] = line(of, values["units"])

        def new(old: Stack) -> Stack:
            return replace(old, **values) if old.id == name else old

        return replace(of, stacks=tuple(map(new, of.stacks)))

    return edit


def ground(**changes: str) -> Edit:
    """Return an edit that changes the terrain of the named hexes."""

    def edit(of: Scenario) -> Scenario:
        found = {hex_of(of, name): terrain for name, terrain in changes.items()}
        return replace(of, op_map=replace(of.op_map, ground={**of.op_map.ground, **found}))

    return edit


def path(*names: str) -> Edit:
    """Return an edit that replaces the march by one through the named hexes."""

    def edit(of: Scenario) -> Scenario:
        assert of.march
        return replace(of, march=replace(of.march, path=tuple(hex_of(of, name) for name in names)))

    return edit


def battle(hex: str = "", **changes: Any) -> Edit:  # noqa: A002 - the field's word
    """Return an edit that changes the battle. The hex is given by name and forces as (front, reserve)."""

    def edit(of: Scenario) -> Scenario:
        assert of.battle
        values = dict(changes)
        for key in ("attack", "defence"):
            if key in values:
                front, reserve = values[key]
                values[key] = Force(line(of, front), line(of, reserve))
        if hex:
            values["hex"] = hex_of(of, hex)
        return replace(of, battle=replace(of.battle, **values))

    return edit


def siege(**changes: Any) -> Edit:
    """Return an edit that changes the siege. Boxes are given as in `line`."""

    def edit(of: Scenario) -> Scenario:
        assert of.siege
        boxes = ("bombard", "storm", "reserve")
        values: dict[str, Any] = {k: line(of, v) if k in boxes else v for k, v in changes.items()}
        return replace(of, siege=replace(of.siege, **values))

    return edit


def both(*edits: Edit) -> Edit:
    """Return an edit that applies the given edits in order."""

    def edit(of: Scenario) -> Scenario:
        for one in edits:
            of = one(of)
        return of

    return edit
