"""Fill the replay of a log, which has a sheet for each turn, designed for screens."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from generator.common.tables import percent
from generator.games.battling.maps import token
from generator.games.battling.model import SIDES, Scenario, Side
from generator.games.battling.notation import ShotReply, write_line
from generator.games.battling.pages.reference import action_rows, key
from generator.games.battling.play import Standing
from generator.games.battling.post.judge import Judged, judge
from generator.games.battling.post.pips import pips
from generator.games.battling.post.roll_pictures import OWED, coin, thrown
from generator.games.battling.post.turn_view import Scene, numbered, scenes, start, turn_views, whole_view
from generator.games.battling.post.turns import Deed, Turn
from generator.games.battling.tables import dice, words
from generator.grid.columns import distance
from generator.model.views import Figure, Kit, MapView, Sheet
from generator.model.words import Words, joined
from generator.notation.text import escape_unprinted


def _rolls(scenario: Scenario, scene: Scene, figures: dict[str, Figure]) -> Iterator[dict[str, object]]:
    """Yield the roll of each legal attack, with its numbers and the dice that were rolled."""
    texts, pack = words()["replay"], scenario.pack
    for deed, number in numbered(scene.turn.deeds):
        assert deed.aim, "an attack has an aim"
        own, enemy = scene.before[deed.target].kind, scene.before[deed.unit].kind
        far, reply = distance(deed.path[-1], deed.aim), deed.reply
        fell: list[int | None] = [reply.die if reply else None]
        if deed.order.action == "F":
            shot = pack.shot(enemy, own, far, deed.last)
            groups = [[(shot.hit(die), "") for die in dice().faces], [(shot.hurt(die), "") for die in dice().faces]]
            fell.append(reply.damage if isinstance(reply, ShotReply) else None)
            text, chance = texts["shot"].fill(n=far), shot.hurts
            changes = [("hit", shot.change), ("damage", shot.armour)]
        else:
            battling = pack.battling_roll(enemy, own, deed.last)
            results = [battling.result(die) for die in dice().faces]
            groups = [[(dice().effects[result].target_loss > 0, result) for result in results]]
            text, chance = texts["clash"], battling.hurts
            changes = [("clash", battling.change)]
        figures[f"dice_{number}"] = thrown(groups, fell)
        yield {
            "number": f"coin_{number}",
            "who": texts["who"].fill(unit=deed.target, enemy=deed.unit),
            "text": joined([text, *(texts[f"change_{roll}"].fill(die=f"{by:+}") for roll, by in changes if by)]),
            "dice": f"dice_{number}",
            "chance": f"{percent(chance) if chance else 0} %",
            "said": [write_line(part) for part in (reply, deed.answer) if part],
            "owed": scene.look(deed) == OWED,
        }


CROWD = 8
"""The number of machines above which the rows of the sheet are lower."""
ACROSS = (1, 4, 13)
"""The maximum numbers of maps, of sections and of the whole arena, that are placed in one, two and three columns."""
ROLLS, FAULTS = 14, 4
"""The maximum numbers of rolls and of faults on a sheet."""
DICED = 8
"""The number of rolls above which they are listed without their dice."""
LINES = {False: 2, True: 1}
"""The maximum number of orders of a machine for which there is room, in rows of normal and of low height."""


def replay(scenario: Scenario, text: str, stamp: str) -> Kit:
    """Return two sheets for each turn of a log, which show its start and its orders.

    If the log contains no turns, the result shows the arena before the first turn.
    """
    judged = judge(text, scenario)
    found = scenes(judged) or (Scene(start(scenario), judged.findings),)
    sheets: list[Sheet] = []
    for scene in found:
        if scene.turn.number:
            sheets.append(start_sheet(scenario, judged, scene.turn.number))
        sheets.append(_sheet(scenario, scene, judged, scene is found[-1]))
    return Kit(words()["title"]["game"], scenario.title, stamp, tuple(sheets))


def start_sheet(scenario: Scenario, judged: Judged, number: int) -> Sheet:
    """Return the arena at the start of a turn, for the post in which the turn begins.

    If the turn has not begun, the sheet shows the present position.
    """
    begun = next((turn.before for turn in judged.turns if turn.number == number), None)
    machines = begun or tuple(judged.position.machines.values())
    sheet = _sheet(scenario, Scene(Turn(number, machines, (), machines), ()), judged, not number)
    if not number:
        return sheet
    texts = words()["replay"]
    start = texts["begins"].fill(n=number, m=scenario.turns)
    return replace(sheet, part="start", title=start, view={**sheet.view, "of": start})


def _sheet(scenario: Scenario, scene: Scene, judged: Judged, last: bool) -> Sheet:
    texts, number = words()["replay"], scene.turn.number
    views = turn_views(scenario, scene)
    whole = (whole_view(scenario, views),) if len(views) > 1 else ()
    figures: dict[str, Figure] = {f"map_{i}": view for i, view in enumerate((*views, *whole))}
    for machine in scene.turn.after:
        kind, before = scenario.pack.machines[machine.kind], scene.before[machine.id]
        counter = token(machine.side, kind, machine.number)
        figures[machine.id] = counter if machine.hp else replace(counter, mark="wrecked")
        figures[f"hp_{machine.id}"] = pips(before.hp, machine.hp, kind.hp)
    for deed, count in numbered(scene.turn.deeds):
        figures[f"coin_{count}"] = coin(count, scene.look(deed))
    rolls = list(_rolls(scenario, scene, figures))
    faults = [{"line": texts["line"].fill(n=f.line), "text": _legible(f.text)} for f in scene.findings]
    return Sheet(
        part="turn",
        title=texts["turn"].fill(n=number) if number else texts["start"],
        template="battling/replay.xml",
        view={
            "sides": [_side(scenario, scene, side) for side in SIDES],
            "rolls": rolls[:ROLLS],
            "dice": len(rolls) <= DICED,
            "rolls_more": texts["more"].fill(n=len(rolls) - ROLLS) if len(rolls) > ROLLS else None,
            "forms": [] if scene.turn.deeds else action_rows(scenario.rulings),
            "key": key(scenario.pack.machines[kind] for kind in dict.fromkeys(m.kind for m in scene.turn.after)),
            "parts": [*map(_part, views), *[texts["whole"] for _ in whole]],
            "across": next(n for n, most in enumerate(ACROSS, 1) if len(views) + len(whole) <= most),
            "small": len(scene.turn.after) > CROWD,
            "of": texts["of"].fill(n=number, m=scenario.turns) if number else texts["start"],
            "faults": faults[:FAULTS],
            "more": texts["more"].fill(n=len(faults) - FAULTS) if len(faults) > FAULTS else None,
            "standing": judged.outcome.text if last else None,
        },
        figures=figures,
        landscape=True,
    )


def _legible(text: Words) -> Words:
    """Return a fault that quotes the log, with unprintable letters escaped."""
    return Words(escape_unprinted(text.en), escape_unprinted(text.ja))


def _part(view: MapView) -> str:
    """Return the first and last hex of a section of the arena."""
    return "–".join(view.grid.name(cell) for cell in (view.grid.cells[0], view.grid.cells[-1]))


def _side(scenario: Scenario, scene: Scene, side: Side) -> dict[str, object]:
    machines = [machine for machine in scene.turn.after if machine.side == side]
    return {
        "name": words()["cover"][side],
        "machines": [_machine(scenario, scene, machine) for machine in machines],
    }


def _machine(scenario: Scenario, scene: Scene, machine: Standing) -> dict[str, object]:
    texts, name = words()["replay"], scenario.arena.field.name
    was = scene.before[machine.id].cell
    deeds = [deed for deed in scene.turn.deeds if deed.unit == machine.id]
    room = LINES[len(scene.turn.after) > CROWD]
    return {
        "id": machine.id,
        "called": scenario.labels[machine.id],
        "name": scenario.pack.machines[machine.kind].name,
        "at": name(machine.cell) if machine.hp else texts["destroyed"],
        "was": texts["from"].fill(hex=name(was)) if was != machine.cell else None,
        "last": texts["last"].fill(letter=machine.last) if machine.last and machine.hp else None,
        "deeds": [_deed(deed) for deed in deeds[:room]],
        "more": texts["more"].fill(n=len(deeds) - room) if len(deeds) > room else None,
        "coins": " ".join(f"coin_{n}" for deed, n in numbered(scene.turn.deeds) if deed.unit == machine.id),
        "aimed_at": " ".join(f"coin_{n}" for deed, n in numbered(scene.turn.deeds) if deed.target == machine.id),
    }


def _deed(deed: Deed) -> dict[str, object]:
    order = replace(deed.order, unit="", start="")
    return {"order": write_line(order), "refused": bool(deed.refused)}
