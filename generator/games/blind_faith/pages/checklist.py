"""Setting up: what to fetch from the box, and the draw to tick off."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from generator.games.blind_faith.account import account
from generator.games.blind_faith.forces.pack import Pack
from generator.games.blind_faith.forces.units import SIDES, Side
from generator.games.blind_faith.pages.tableview import counters
from generator.games.blind_faith.pages.telling import beside, step_told
from generator.games.blind_faith.scenario import Scenario
from generator.games.blind_faith.words import side_name, words
from generator.games.logs import Step, checklist
from generator.model.views import Figure, Sheet
from generator.model.words import Words, joined, same

HEADS: Mapping[str, tuple[str, ...]] = {
    "legates": (),
    "stack": ("stack", "hex"),
    "routed": (),
    "path": ("stack",),
    "front": (),
    "reserve": (),
    "bombard": (),
    "storm": (),
}
"""The kinds of step that end in an enumeration, with what stands before it."""


def setup_sheet(scenario: Scenario) -> Sheet:
    """What to fetch, and step by step what was drawn; without a log what the scenario shows by itself."""
    say, setup = words()["packing"], words()["setup"]
    shown = scenario.log or tuple(Step(what, who, "", result) for what, who, result in account(scenario))
    steps = [step for step in shown if step.result]
    figures: dict[str, Figure] = {}
    for side in SIDES:
        figures |= counters(scenario.pack, side, scenario.units_of(side))
    return Sheet(
        part="setup",
        title=words()["part"]["setup"],
        template="blind_faith/setup.xml",
        view={
            "armies": [_army(scenario, side) for side in SIDES],
            "other": [*_markers(scenario), say["die"], say["tokens"]],
            "heading": setup["title" if scenario.log else "by_hand"],
            "groups": checklist(steps, lambda step: _told(scenario, step), side_name),
            "notes": [setup["streams"]] if scenario.log else [],
        },
        figures=figures,
        pages=3,
    )


def _told(scenario: Scenario, step: Step) -> Words:
    """A step in words, its units and hexes as an enumeration."""
    say, pack = words()["setup"], scenario.pack
    heads = HEADS.get(step.what)
    if heads is None or len(step.result) <= len(heads):
        return step_told(scenario, step)
    names = {legate.id: legate.name for legate in pack.legates}
    rest = [_counted(pack, part) or names.get(part, same(part)) for part in step.result[len(heads) :]]
    return say[step.what].fill(**dict(zip(heads, step.result, strict=False)), rest=joined(rest))


def _counted(pack: Pack, part: str) -> Words | None:
    """`3 tabor` in words."""
    count, _, unit = part.partition(" ")
    return words()["units"]["some"].fill(unit=pack.units[unit].name, n=count) if unit in pack.units else None


def _army(scenario: Scenario, side: Side) -> dict[str, object]:
    units = scenario.units_of(side)
    rows = [
        {"figure": f"{side}.{unit}", "name": scenario.pack.units[unit].name, "n": n}
        for unit, n in Counter(units).items()
    ]
    return {"side": side_name(side), "rows": rows, "total": len(units)}


def _markers(scenario: Scenario) -> list[Words]:
    """The legates' counters: markers, and the unit of one that is a unit."""
    say = words()["packing"]
    legates = [say["legate_unit"].fill(name=one.name) if one.unit else one.name for one in beside(scenario)]
    return [say["markers"].fill(legates=joined(legates))] if legates else []
