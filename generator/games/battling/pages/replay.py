"""A log shown again: each turn's picture, with hit points as pips.

Hit points as a row of pips.

A turn of a log as a picture: the arena at its end, ways that were walked, shots, battling, hits.

The replay of a log: a sheet for each turn, made to be looked at on a screen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import msgspec

from generator.common.game import LogFinding
from generator.common.tables import words
from generator.games.battling.judge import Judged, judge
from generator.games.battling.log import Deed, Turn
from generator.games.battling.maps import Section, arena_view, gathered, large, locator, token
from generator.games.battling.model import SIDES, Scenario, Side
from generator.games.battling.play import ClashReply, Standing, opening, write_line
from generator.games.battling.tables import dice
from generator.grid.columns import Numbered
from generator.model.picture import Item, Pen, Picture, circle, line
from generator.model.views import Figure, Kit, Legend, MapView, Note, Ray, Shade, Sheet, Token, Track
from generator.model.words import Words, same
from generator.notation.text import legible

SIZE, STEP = 3.2, 4.0
"""A pip's width and how far it is to the next, in mm."""
GROUP = 5
"""As many are counted at a glance; then a wider gap follows."""
GAP = 1.6
LEFT, GONE, HIT_PIP = "#2b2b2b", "#8a867d", "#a3271f"


def pips(before: int, after: int, whole: int) -> Picture:
    """A row of `whole` pips: full what is left, empty what is gone, crossed out what went between the two counts."""
    items: list[Item] = []
    r, x = SIZE / 2, 0.0
    for i in range(max(whole, before)):
        x = i * STEP + i // GROUP * GAP + r
        if i < after:
            items.append(circle(x, r, r - 0.15, LEFT))
            continue
        items.append(circle(x, r, r - 0.25, "#ffffff", Pen(GONE if i >= before else HIT_PIP, 0.35)))
        if i < before:
            k = 0.5 * r
            items += [line(((x - k, r - s * k), (x + k, r + s * k)), Pen(HIT_PIP, 0.5)) for s in (-1, 1)]
    return Picture(x + r, SIZE, tuple(items))


LOOKS: Mapping[str, str] = {"W": "walk", "B": "walk", "D": "walk", "R": "dash"}
"""The track of each action that moves."""
REFUSED, CLASH = "intercept", "march"
"""The tracks of what was not legal, and of battling."""
HIT = "stop"
"""How the hex of a machine that loses hit points is shaded."""
AROUND = 2
"""Hexes round what happens in a turn that the picture of a large arena shows."""
BESIDE, SMALL = 0.5, 0.42
"""How far above or below the middle of a hex it is told who stood there, in lattice steps, and in what size."""
ALONG = (0.5, 0.62, 0.38)
"""Where on the line of a shot its number stands, by turns."""
ROAM = 1.2
"""How far that moves to where it hides nothing, in sides of a hex."""


@dataclass(frozen=True)
class Scene:
    """A turn as it was played, and what was wrong in it."""

    turn: Turn
    findings: tuple[LogFinding, ...]

    @property
    def before(self) -> Mapping[str, Standing]:
        """The machines at its start, by id."""
        return {machine.id: machine for machine in self.turn.before}

    @property
    def standing(self) -> Iterator[Standing]:
        """The machines at its end, those destroyed in it among them."""
        return (machine for machine in self.turn.after if self.before[machine.id].hp > 0)


def start(scenario: Scenario) -> Turn:
    """Nothing has happened yet."""
    machines = tuple(opening(scenario).machines.values())
    return Turn(0, machines, (), machines)


def scenes(judged: Judged) -> tuple[Scene, ...]:
    """Each turn with the faults of its lines."""
    found, made = list(judged.findings), []
    for i, turn in enumerate(judged.turns):
        end = min((deed.line for later in judged.turns[i + 1 :] for deed in later.deeds), default=0)
        own = [finding for finding in found if not end or finding.line < end]
        found = found[len(own) :]
        made.append(Scene(turn, tuple(own)))
    return tuple(made)


def turn_views(scenario: Scenario, scene: Scene) -> tuple[MapView, ...]:
    """The arena at the end of a turn, with the ways that were walked and everything that was attacked.

    Of a large arena it shows the part in which all that happens, or the parts where that is too much of it. All
    have the legend of the whole.
    """
    deeds, field = scene.turn.deeds, scenario.arena.field
    hit = tuple(dict.fromkeys(_hits(scene)))
    tokens, notes = tuple(_tokens(scenario, scene)), tuple(_ghosts(scenario, scene))
    tracks, rays = tuple(_tracks(scenario, deeds)), tuple(_rays(scenario, deeds))
    numbers = tuple(_numbers(scenario, deeds))
    spans = gathered(field, _groups(scene), AROUND) if large(field) else [Section(field.cells[0], field.cells[-1])]
    views = []
    for span in spans:
        marked = tuple(cell for cell in hit if cell in span)
        view = replace(
            arena_view(scenario.arena, tokens, span if large(field) else None),
            tracks=tuple(track for track in tracks if all(cell in span for cell in track.cells)),
            rays=tuple(ray for ray in rays if ray.start in span and ray.end in span),
            shades=(Shade(HIT, marked),) if marked else (),
        )
        own = [note for cell, note in notes if cell in span]
        own += [note for ends, note in numbers if all(cell in span for cell in ends)]
        view = replace(view, notes=(*view.notes, *own))
        views.append(view)
    legend = tuple(_legend(views))
    return tuple(replace(view, legend=legend) for view in views)


def whole_view(scenario: Scenario, parts: Sequence[MapView]) -> MapView:
    """A small map of the arena that shows where these parts of it lie."""
    cells = (tuple(cell for cell in scenario.arena.field.cells if cell in part.grid) for part in parts)
    return locator(scenario.arena, cells, tuple(token for part in parts for token in part.tokens))


def _groups(scene: Scene) -> Iterator[tuple[Numbered, ...]]:
    """The hexes that each machine's turn has to do with."""
    for machine in scene.standing:
        cells = [scene.before[machine.id].cell, machine.cell]
        for deed in scene.turn.deeds:
            if deed.unit == machine.id:
                cells += [*deed.path, *([deed.aim] if deed.aim else [])]
        yield tuple(dict.fromkeys(cells))


def _tokens(scenario: Scenario, scene: Scene) -> Iterator[tuple[Numbered, Token]]:
    for machine in scene.standing:
        counter = token(machine.side, scenario.pack.machines[machine.kind], machine.number)
        yield machine.cell, counter if machine.hp else msgspec.structs.replace(counter, mark="wrecked")


def _tracks(scenario: Scenario, deeds: Sequence[Deed]) -> Iterator[Track]:
    for deed in deeds:
        if deed.refused:
            yield from _refused(deed)
        elif len(deed.path) > 1:
            yield Track(LOOKS[deed.order.action], deed.path)
        if deed.aim and not deed.refused and deed.order.action == "B":
            yield Track(CLASH, (deed.path[-1], deed.aim))


def _refused(deed: Deed) -> Iterator[Track]:
    """What somebody wanted and could not do; a line of sight that is blocked tells of itself."""
    if len(deed.path) > 1:
        yield Track(REFUSED, deed.path)
    elif deed.aim and deed.refused != "target.sight" and deed.aim != deed.path[-1]:
        yield Track(REFUSED, (deed.path[-1], deed.aim))


def _rays(scenario: Scenario, deeds: Sequence[Deed]) -> Iterator[Ray]:
    for deed in deeds:
        if deed.order.action != "F" or not deed.aim or deed.refused not in ("", "target.sight"):
            continue
        line = scenario.arena.sight(deed.path[-1], deed.aim)
        stop = (float(line.blocked_at[0]), float(line.blocked_at[1])) if line.blocked_at else None
        yield Ray(deed.path[-1], deed.aim, stop_at=stop)


def _hits(scene: Scene) -> Iterator[Numbered]:
    """The hexes where somebody lost hit points, at the time of the attack."""
    left = {machine.id: machine.hp for machine in scene.turn.before}
    end = {machine.id: machine.hp for machine in scene.turn.after}
    for deed in scene.turn.deeds:
        if deed.reply and deed.aim and deed.reply.hp is not None:
            if deed.reply.hp < left.get(deed.target, 0):
                yield deed.aim
            left[deed.target] = deed.reply.hp
        answered = isinstance(deed.reply, ClashReply) and dice().effects[deed.reply.result].enemy
        if answered and end[deed.unit] < scene.before[deed.unit].hp:
            yield deed.path[-1]


def _ghosts(scenario: Scenario, scene: Scene) -> Iterator[tuple[Numbered, Note]]:
    """Who stood where a way begins, if nobody stands there now; on the side that the way does not lead to."""
    field, taken = scenario.arena.field, {machine.cell for machine in scene.standing}
    ways = {deed.unit: deed.path for deed in reversed(scene.turn.deeds) if len(deed.path) > 1}
    for machine in scene.standing:
        cell = scene.before[machine.id].cell
        if cell not in taken:
            x, y = field.centre(cell)
            down = machine.id in ways and field.centre(ways[machine.id][1])[1] < y
            yield cell, Note((x, y + BESIDE if down else y - BESIDE), same(machine.id), SMALL, roam=ROAM)


def _numbered(deeds: Sequence[Deed]) -> Iterator[tuple[Deed, int]]:
    """The attacks of a turn with the numbers that join map and list."""
    number = 0
    for deed in deeds:
        if deed.aim and deed.aim != deed.path[-1]:
            number += 1
            yield deed, number


def _numbers(scenario: Scenario, deeds: Sequence[Deed]) -> Iterator[tuple[tuple[Numbered, Numbered], Note]]:
    """The number of each attack on its line; on lines that lie side by side at different heights."""
    centre = scenario.arena.field.centre
    for deed, number in _numbered(deeds):
        assert deed.aim, "an attack has an aim"
        (x, y), (to_x, to_y) = centre(deed.path[-1]), centre(deed.aim)
        share = ALONG[number % len(ALONG)] if deed.order.action == "F" else 0.5
        spot = (x + (to_x - x) * share, y + (to_y - y) * share)
        yield (deed.path[-1], deed.aim), Note(spot, same(number), SMALL, roam=ROAM)


def _legend(views: Sequence[MapView]) -> Iterator[Legend]:
    """What is on the pictures."""
    say = words("battling")["replay"]
    there = {track.look for view in views for track in view.tracks}
    there |= {shade.look for view in views for shade in view.shades}
    there |= {"break" if ray.stop_at else "ray" for view in views for ray in view.rays}
    for look in ("walk", "dash", "ray", CLASH, HIT, "break", REFUSED):
        if look in there:
            yield Legend(look, say[f"key_{look}"])


CROWD = 8
"""With more machines than this the rows of the sheet are lower."""
ACROSS = (1, 4, 13)
"""Up to how many maps of parts and of the whole arena stand one, two, three side by side."""
ORDERS, FAULTS = 18, 4
"""Lines of orders and replies, and faults, that a sheet has room for."""


def replay(scenario: Scenario, text: str, stamp: str) -> Kit:
    """Two sheets for each turn of a log, its start and what was done; without any, the arena before the first."""
    judged = judge(text, scenario)
    found = scenes(judged) or (Scene(start(scenario), judged.findings),)
    sheets: list[Sheet] = []
    for scene in found:
        if scene.turn.number:
            sheets.append(start_sheet(scenario, judged, scene.turn.number))
        sheets.append(_sheet(scenario, scene, judged, scene is found[-1]))
    return Kit(words("battling")["title"]["game"], scenario.title, stamp, tuple(sheets))


def start_sheet(scenario: Scenario, judged: Judged, number: int) -> Sheet:
    """The arena at the start of a turn, as it is posted then; of one that has not begun, as it stands now."""
    begun = next((turn.before for turn in judged.turns if turn.number == number), None)
    machines = begun or tuple(judged.position.machines.values())
    sheet = _sheet(scenario, Scene(Turn(number, machines, (), machines), ()), judged, not number)
    if not number:
        return sheet
    say = words("battling")["replay"]
    start = say["begins"].fill(n=number, m=scenario.turns)
    return replace(sheet, part="start", title=start, view={**sheet.view, "of": start})


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
    numbers = {id(deed): number for deed, number in _numbered(scene.turn.deeds)}
    return {
        "name": words("battling")["cover"][side],
        "machines": [_machine(scenario, scene, machine) for machine in scene.turn.after if machine.side == side],
        "deeds": [_deed(deed, numbers.get(id(deed))) for deed in shown],
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
        "called": scenario.called[machine.id],
        "name": scenario.pack.machines[machine.kind].name,
        "at": name(machine.cell) if machine.hp else say["destroyed"],
        "was": say["from"].fill(hex=name(was)) if was != machine.cell else None,
        "last": say["last"].fill(letter=machine.last) if machine.last and machine.hp else None,
    }


def _deed(deed: Deed, number: int | None) -> dict[str, object]:
    said = [write_line(part) for part in (deed.reply, deed.answer) if part]
    order = msgspec.structs.replace(deed.order, unit="", start="")
    name = f"{number} {deed.unit}" if number else deed.unit
    return {"id": name, "order": write_line(order), "said": said, "refused": bool(deed.refused)}
