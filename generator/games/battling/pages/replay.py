"""The replay of a log: a sheet for each turn, made to be looked at on a screen."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from generator.games.battling.logbook.judge import Judged, judge
from generator.games.battling.logbook.turns import Deed
from generator.games.battling.pages.mapsheet import token
from generator.games.battling.pages.pips import pips
from generator.games.battling.pages.scenes import Scene, scenes, start, turn_views, whole_view
from generator.games.battling.play.orders import write
from generator.games.battling.play.position import Standing
from generator.games.battling.scenario import SIDES, Scenario, Side
from generator.games.words import words
from generator.model.views import Figure, Kit, MapView, Sheet
from generator.model.words import Words
from generator.notation.letters import legible

CROWD = 8
"""With more machines than this the rows of the sheet are lower."""
ACROSS = (1, 4, 13)
"""Up to how many maps of parts and of the whole arena stand one, two, three side by side."""
ORDERS, FAULTS = 18, 4
"""Lines of orders and replies, and faults, that a sheet has room for."""


def replay(scenario: Scenario, text: str, stamp: str) -> Kit:
    """A sheet for each turn of a log; for a log without any, the arena before the first."""
    judged = judge(text, scenario)
    found = scenes(judged) or (Scene(start(scenario), judged.findings),)
    sheets = tuple(_sheet(scenario, scene, judged, scene is found[-1]) for scene in found)
    return Kit(words("battling")["title"]["game"], scenario.title, stamp, sheets)


def _sheet(scenario: Scenario, scene: Scene, judged: Judged, last: bool) -> Sheet:
    say, number = words("battling")["replay"], scene.turn.number
    views = turn_views(scenario, scene)
    whole = (whole_view(scenario, views),) if len(views) > 1 else ()
    figures: dict[str, Figure] = {f"map_{i}": view for i, view in enumerate((*views, *whole))}
    for machine in scene.turn.after:
        kind, before = scenario.pack.machines[machine.kind], scene.before[machine.id]
        counter = token(machine.side, kind, machine.number)
        figures[machine.id] = counter if machine.hp else msgspec.structs.replace(counter, mark="wrecked")
        figures[f"hp_{machine.id}"] = pips(before.hp, machine.hp, kind.hp)
    faults = [{"line": say["line"].fill(n=f.line), "text": _legible(f.text)} for f in scene.findings]
    return Sheet(
        part="turn",
        title=say["turn"].fill(n=number) if number else say["start"],
        template="battling/replay.xml",
        view={
            "sides": [_side(scenario, scene, side) for side in SIDES],
            "parts": [*map(_part, views), *[say["whole"] for _ in whole]],
            "across": next(n for n, most in enumerate(ACROSS, 1) if len(views) + len(whole) <= most),
            "small": len(scene.turn.after) > CROWD,
            "of": say["of"].fill(n=number, m=scenario.turns) if number else say["start"],
            "faults": faults[:FAULTS],
            "more": say["more"].fill(n=len(faults) - FAULTS) if len(faults) > FAULTS else None,
            "standing": judged.outcome.text if last else None,
        },
        figures=figures,
        landscape=True,
    )


def _legible(text: Words) -> Words:
    """A fault that quotes the log, in letters that print."""
    return Words(legible(text.en), legible(text.ja))


def _part(view: MapView) -> str:
    """A part of the arena by its first and last hex."""
    return "–".join(view.grid.name(cell) for cell in (view.grid.cells[0], view.grid.cells[-1]))


def _side(scenario: Scenario, scene: Scene, side: Side) -> dict[str, object]:
    say = words("battling")["replay"]
    deeds = [deed for deed in scene.turn.deeds if deed.side == side]
    shown = _fitting(deeds, ORDERS // 2)
    return {
        "name": words("battling")["cover"][side],
        "machines": [_machine(scenario, scene, machine) for machine in scene.turn.after if machine.side == side],
        "deeds": [_deed(deed) for deed in shown],
        "more": say["more"].fill(n=len(deeds) - len(shown)) if len(deeds) > len(shown) else None,
    }


def _fitting(deeds: Sequence[Deed], room: int) -> Sequence[Deed]:
    """As many of the orders as that many lines have room for."""
    for i, deed in enumerate(deeds):
        room -= 2 if deed.answer else 1
        if room < 0:
            return deeds[:i]
    return deeds


def _machine(scenario: Scenario, scene: Scene, machine: Standing) -> dict[str, object]:
    say, name = words("battling")["replay"], scenario.arena.field.name
    was = scene.before[machine.id].cell
    return {
        "id": machine.id,
        "name": scenario.pack.machines[machine.kind].name,
        "at": name(machine.cell) if machine.hp else say["destroyed"],
        "was": say["from"].fill(hex=name(was)) if was != machine.cell else None,
        "last": say["last"].fill(letter=machine.last) if machine.last and machine.hp else None,
    }


def _deed(deed: Deed) -> dict[str, object]:
    said = [write(part) for part in (deed.reply, deed.answer) if part]
    order = msgspec.structs.replace(deed.order, unit="", start="")
    return {"id": deed.unit, "order": write(order), "said": said, "refused": bool(deed.refused)}
