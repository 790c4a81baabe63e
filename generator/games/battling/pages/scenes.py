"""A turn of a log as a picture: the arena at its end, ways that were walked, shots, battling, hits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import msgspec

from generator.games.battling.forces.charts import dice
from generator.games.battling.logbook.judge import Judged
from generator.games.battling.logbook.turns import Deed, Turn
from generator.games.battling.pages.mapsheet import arena_view, token
from generator.games.battling.pages.spans import Section, gathered, large
from generator.games.battling.play.orders import ClashReply
from generator.games.battling.play.position import Standing, opening
from generator.games.battling.scenario import Scenario
from generator.games.capability import LogFinding
from generator.games.words import words
from generator.grid.columns import Numbered
from generator.model.views import Legend, MapView, Note, Ray, Shade, Token, Track
from generator.model.words import same

LOOKS: Mapping[str, str] = {"W": "walk", "B": "walk", "D": "walk", "R": "dash"}
"""The track of each action that moves."""
REFUSED, CLASH = "intercept", "march"
"""The tracks of what was not legal, and of battling."""
HIT = "stop"
"""How the hex of a machine that loses hit points is shaded."""
PART = "seen"
"""How the parts of a large arena are shaded on the small map of the whole."""
AROUND = 2
"""Hexes round what happens in a turn that the picture of a large arena shows."""
BESIDE, SMALL = 0.5, 0.42
"""How far above or below the middle of a hex it is told who stood there, in lattice steps, and in what size."""


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
    spans = gathered(field, _groups(scene), AROUND) if large(field) else [Section(field.cells[0], field.cells[-1])]
    views = []
    for span in spans:
        marked = tuple(cell for cell in hit if cell in span)
        view = replace(
            arena_view(scenario.arena, tokens, span if large(field) else None),
            tracks=tuple(track for track in tracks if all(cell in span for cell in track.cells)),
            rays=tuple(ray for ray in rays if ray.start in span and ray.end in span),
            shades=(Shade(HIT, marked),) if marked else (),
            notes=tuple(note for cell, note in notes if cell in span),
        )
        views.append(view)
    legend = tuple(_legend(views))
    return tuple(replace(view, legend=legend) for view in views)


def whole_view(scenario: Scenario, parts: Sequence[MapView]) -> MapView:
    """A small map of the arena that shows where these parts of it lie."""
    view = arena_view(scenario.arena, tuple(token for part in parts for token in part.tokens))
    cells = dict.fromkeys(cell for part in parts for cell in part.grid.cells)
    return replace(view, areas=(), names=False, shades=(Shade(PART, tuple(cells)),))


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
            yield cell, Note((x, y + BESIDE if down else y - BESIDE), same(machine.id), SMALL)


def _legend(views: Sequence[MapView]) -> Iterator[Legend]:
    """What is on the pictures."""
    say = words("battling")["replay"]
    there = {track.look for view in views for track in view.tracks}
    there |= {shade.look for view in views for shade in view.shades}
    there |= {"break" if ray.stop_at else "ray" for view in views for ray in view.rays}
    for look in ("walk", "dash", "ray", CLASH, HIT, "break", REFUSED):
        if look in there:
            yield Legend(look, say[f"key_{look}"])
