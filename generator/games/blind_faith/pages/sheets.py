"""The kit, from the cover to the checklist.

A scenario in lines: for the terminal, and for the sheets that tell what was drawn.

Setting up: what to fetch from the box, and the draw to tick off.

Everything that is printed for a Blind Faith scenario.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from generator.common.fairness import graded_line
from generator.common.pages import Cover, covered
from generator.common.scenario_file import Step, checklist
from generator.common.stakes import stakes, weighed
from generator.common.whose import Part, credits_of, is_owners
from generator.games.blind_faith.fairness import FAIRNESS
from generator.games.blind_faith.ground import hex_told, side_name, sound, units_told, words
from generator.games.blind_faith.maps import (
    MEETINGS,
    initials,
    map_is_ours,
    map_name,
    map_view,
    named_part,
    step_told,
)
from generator.games.blind_faith.maps import sheet as intercept_sheet
from generator.games.blind_faith.model import Scenario, Stack, account, beside, numbers
from generator.games.blind_faith.pack import Pack
from generator.games.blind_faith.pages.display import battle_display, siege_display
from generator.games.blind_faith.pages.layout import counters
from generator.games.blind_faith.pages.odds_page import odds_sheet
from generator.games.blind_faith.pages.pieces import battle_board, drawn_run
from generator.games.blind_faith.pages.records import record_sheet, worksheet
from generator.games.blind_faith.pages.reference import reference_sheet
from generator.games.blind_faith.rules import rules
from generator.games.blind_faith.tables import SIDES, Side, switches
from generator.model.views import Figure, Kit, Sheet
from generator.model.words import Words, joined, same
from generator.rules import Report


def story(scenario: Scenario) -> list[Words]:
    """What was drawn, in a few lines."""
    say, kind = words()["story"], words()["kind"][scenario.kind]
    values = {"kind": kind, "turn": scenario.turn, "map": map_name(scenario)}
    lines = [say["head"].fill(title=scenario.title, **values)]
    for side in SIDES:
        count = sum(stack.side == side for stack in scenario.stacks)
        lines.append(say["side"].fill(side=side_name(side), army=army_told(scenario, side), n=count))
    return [*lines, *_action(scenario), crusade_told(scenario)]


def army_told(scenario: Scenario, side: Side) -> Words:
    """What a side was drawn from, and what it costs."""
    army = numbers().armies[scenario.armies[side]]
    return words()["cover"]["army"].fill(army=army.name, points=scenario.pack.points(scenario.units_of(side)))


def stack_told(scenario: Scenario, stack: Stack) -> Words:
    """A stack: where it stands, what it is made of, and who is with it."""
    say = words()["stack"]
    who = [numbers().leaders[stack.leader].name] if stack.leader else []
    who += [legate.name for legate in scenario.pack.legates if legate.id == stack.legate]
    line = say["line"].fill(
        stack=stack.called, hex=hex_told(scenario.land, stack.hex), units=units_told(scenario.pack, stack.units)
    )
    return say["led"].fill(line=line, who=joined(who)) if who else line


def places_told(scenario: Scenario) -> Words:
    """The places of the map by their hexes."""
    land, at = scenario.land, words()["map"]["place"]
    return joined([at.fill(hex=land.name(cell), place=place.name) for cell, place in land.places.items()])


def crusade_told(scenario: Scenario) -> Words:
    """Whether a crusade is on, with its legate; otherwise who would be the next."""
    say = words()["story"]
    names = {legate.id: legate.name for legate in scenario.pack.legates}
    placed = [stack.legate for stack in scenario.stacks if stack.legate]
    if scenario.crusade and placed:
        return say["crusade_on"].fill(legate=names[placed[0]])
    if scenario.legates and not scenario.crusade:
        return say["crusade_off"].fill(legate=names[scenario.legates[0]])
    return say["crusade_none"]


def _action(scenario: Scenario) -> list[Words]:
    """The battle or the siege."""
    say, land = words()["story"], scenario.land
    if battle := scenario.battle:
        counts = {
            key: len(force.front) + len(force.reserve)
            for key, force in (("attack", battle.attack), ("defence", battle.defence))
        }
        defender, attacker = scenario.stack(battle.defender).called, scenario.active.called
        values = {"defender": defender, "attacker": attacker, "hex": hex_told(land, battle.hex)}
        return [say["battle"].fill(**values, **counts)]
    if siege := scenario.siege:
        besieger, garrison = scenario.active.called, scenario.stack(siege.garrison)
        where = hex_told(land, garrison.hex)
        boxes = {"bombard": len(siege.bombard), "storm": len(siege.storm)}
        return [say["siege"].fill(besieger=besieger, garrison=garrison.called, hex=where, **boxes)]
    return []


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
    values = [named_part(scenario, part) for part in step.result[: len(heads)]]
    return say[step.what].fill(**dict(zip(heads, values, strict=True)), rest=joined(rest))


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
    told = {True: say["legate_unit"], False: say["legate_marker"]}
    legates = [told[bool(one.unit)].fill(name=one.name, initials=initials(one)) for one in beside(scenario)]
    return [say["markers"].fill(legates=joined(legates))] if legates else []


STAKES = stakes([MEETINGS], rules(), FAIRNESS)
"""What may hang on the rulings."""


def kit(scenario: Scenario, report: Report, stamp: str, command: str) -> Kit:
    """The kit: cover, map, set-up, worksheet, display, records, odds, reference.

    Counters and the map at true size are printed where they are asked for.
    """
    sheets = [map_sheet(scenario, report), setup_sheet(scenario)]
    if march := scenario.march:
        walked = len(march.path) > 1 and sound(scenario.land, march.path)
        sheets.append(worksheet(scenario) if walked else intercept_sheet(scenario))
    sheets.append(siege_display(scenario) if scenario.siege else battle_display(scenario))
    sheets += [record_sheet(scenario, side) for side in SIDES]
    if scenario.battle or scenario.siege:
        sheets.append(odds_sheet(scenario))
    sheets.append(reference_sheet(scenario.pack, scenario.rulings, weighed(scenario, switches(), STAKES)))
    title, more = words()["blind_faith"]["title"], (drawn_run(scenario), battle_board(scenario))
    return covered(title, scenario, report, stamp, command, cover(scenario), sheets, more)


def cover(scenario: Scenario) -> Cover:
    """The cover: the map, the scenario at a glance, and its stacks."""
    say = words()["cover"]
    facts = [
        (say["map"], map_name(scenario)),
        (say["turn"], same(scenario.turn)),
        *((side_name(side), army_told(scenario, side)) for side in SIDES),
        (say["crusade"], crusade_told(scenario)),
    ]
    stacks = [stack_told(scenario, stack) for stack in scenario.stacks]
    own = {"kind": words()["kind"][scenario.kind], "stacks": stacks}
    return Cover("blind_faith/cover.xml", map_view(scenario), facts, _content(scenario), own)


def map_sheet(scenario: Scenario, report: Report | None = None) -> Sheet:
    """The operational map on a page of its own, upright where the map is; its stacks and places are told below."""
    lines = [stack_told(scenario, stack) for stack in scenario.stacks]
    lines += [places_told(scenario)] if scenario.land.places else []
    graded, wide = graded_line(FAIRNESS, scenario, report), scenario.land.columns >= scenario.land.rows
    lines += [graded] if graded != same("") else []
    return Sheet(
        part="map",
        title=words()["part"]["map"],
        template="blind_faith/map.xml",
        view={"lines": lines, "wide": wide},
        figures={"map": map_view(scenario)},
        landscape=wide,
    )


def _content(scenario: Scenario) -> list[Words]:
    """Whose map and pack are; the rest is ours."""
    say, brought = words()["blind_faith"], scenario.origin.brought
    parts = [
        Part(say["house_map"], not map_is_ours(scenario), brought("map")),
        Part(say["house_pack"], is_owners(scenario.pack), brought("pack")),
        Part(say["house_rest"], own=False),
    ]
    return credits_of(parts)
