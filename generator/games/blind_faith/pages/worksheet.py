"""The interception worksheet: for every hex of a path what the march has paid, and what each stack would pay."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from generator.games.blind_faith.pages.mapsheet import figure
from generator.games.blind_faith.pages.sheetfile import room
from generator.games.blind_faith.pages.tableview import NONE
from generator.games.blind_faith.play.intercept import Chance, all_chances, going, staying
from generator.games.blind_faith.play.marching import costs, movement
from generator.games.blind_faith.query import lines
from generator.games.blind_faith.scenario import Scenario, Stack
from generator.games.blind_faith.words import hex_told, units_told, words
from generator.model.views import Sheet
from generator.model.words import Words


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
        "heads": [say["stack"].fill(stack=stack.id, hex=scenario.land.name(stack.hex)) for stack in stacks],
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
        return say["nobody"].fill(stack=stack.id)
    stays = staying(pack, stack, scenario.active.hex)
    values = {"stack": stack.id, "m": movement(pack, goes), "going": units_told(pack, goes)}
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
