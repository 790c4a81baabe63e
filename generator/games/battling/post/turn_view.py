"""Show a turn of a log on the map, with its moves, shots, battling and hits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import cos, dist, pi, sin

from msgspec import Struct
from msgspec.structs import replace

from generator.common.game import LogFinding
from generator.games.battling.maps import Section, arena_view, large, locator, sections_for_groups, token
from generator.games.battling.model import Scenario
from generator.games.battling.notation import BattlingReply
from generator.games.battling.play import Standing, opening
from generator.games.battling.post.judge import Judged
from generator.games.battling.post.roll_pictures import OWED, ROLLED
from generator.games.battling.post.turns import Deed, Turn
from generator.games.battling.post.untangle import BODY, dotted, is_outside, spot_of, untangled
from generator.games.battling.tables import dice, words
from generator.grid.columns import Numbered
from generator.model.picture import XY
from generator.model.views import Legend, MapView, Note, Ray, Shade, Token, Track
from generator.model.words import same
from generator.symbols.shapes import bowed

LOOKS: Mapping[str, str] = {"W": "walk", "B": "walk", "D": "walk", "R": "dash"}
"""The theme's names for the tracks of actions that move."""
REFUSED = "intercept"
"""The theme's name for the track of an illegal order."""
HIT = "stop"
"""The theme's name for the shade of the hex of a machine that loses hit points."""
AROUND = 2
"""The number of hexes around the events of a turn that the picture of a large arena shows."""
BESIDE, SMALL = 0.5, 0.42
"""The distance of the label of a machine's former position from the centre of its hex, in lattice steps, and the
label's size.
"""
ROAM = 1.2
"""The maximum distance by which a label is moved to a place where it covers nothing, in sides of a hex."""
ROUND, TURNS, ROOM = (1.22, 1.4, 1.65), 24, 0.84
"""The possible distances of an attack's number from the centre of the attacked hex, in sides of a hex, the number of
directions that are tried, and the minimum distance between two numbers, in sides of a hex.
"""


class Scene(Struct, frozen=True):
    """A turn as it was played, with its findings."""

    turn: Turn
    findings: tuple[LogFinding, ...]
    waits: frozenset[tuple[int, str]] = frozenset()
    """The attacks that are still to be rolled, by line and attacker."""

    def look(self, deed: Deed) -> str:
        """Return the colour of the number of an attack."""
        return OWED if (deed.line, deed.unit) in self.waits else ROLLED

    @property
    def before(self) -> Mapping[str, Standing]:
        """The machines at the start of the turn, by id."""
        return {machine.id: machine for machine in self.turn.before}

    @property
    def machines(self) -> Iterator[Standing]:
        """Return the machines at the end of the turn, including those destroyed in the turn."""
        return (machine for machine in self.turn.after if self.before[machine.id].hp > 0)


def start(scenario: Scenario) -> Turn:
    """Return the position at the start of a battle as a turn without orders."""
    machines = tuple(opening(scenario).machines.values())
    return Turn(0, machines, (), machines)


def scenes(judged: Judged) -> tuple[Scene, ...]:
    """Return each turn with the findings in its lines."""
    found, made = list(judged.findings), []
    waits = frozenset((of.line, of.attacker) for of in judged.waiting if of.stage == "reply")
    for i, turn in enumerate(judged.turns):
        end = min((deed.line for later in judged.turns[i + 1 :] for deed in later.deeds), default=0)
        of_part = [finding for finding in found if not end or finding.line < end]
        found = found[len(of_part) :]
        made.append(Scene(turn, tuple(of_part), waits))
    return tuple(made)


def turn_views(scenario: Scenario, scene: Scene) -> tuple[MapView, ...]:
    """Return maps of the arena at the end of a turn, with the moves and the attacks of the turn.

    For a large arena, the maps show the sections with the events of the turn. All maps have the legend of the
    whole arena.
    """
    deeds, field = scene.turn.deeds, scenario.arena.field
    hit = tuple(dict.fromkeys(_hits(scene)))
    tokens, notes = tuple(_tokens(scenario, scene)), tuple(_ghosts(scenario, scene))
    tracks, rays = untangled(field, _tracks(deeds), _rays(scenario, deeds), {cell for cell, _ in tokens})
    numbers = tuple(_numbers(scenario, scene, rays, [cell for cell, _ in tokens]))
    spans = (
        sections_for_groups(field, _groups(scene), AROUND)
        if large(field)
        else [Section(field.cells[0], field.cells[-1])]
    )
    views = []
    for span in spans:
        marked = tuple(cell for cell in hit if cell in span)
        view = replace(
            arena_view(scenario.arena, tokens, span if large(field) else None),
            tracks=tuple(track for track in tracks if all(cell in span for cell in track.cells)),
            rays=tuple(ray for ray in rays if ray.start in span and ray.end in span),
            shades=(Shade(HIT, marked),) if marked else (),
        )
        of_part = [note for cell, note in notes if cell in span]
        of_part += [note for cell, note in numbers if cell in span]
        view = replace(view, notes=(*view.notes, *of_part))
        views.append(view)
    legend = tuple(_legend(views))
    return tuple(replace(view, legend=legend) for view in views)


def whole_view(scenario: Scenario, parts: Sequence[MapView]) -> MapView:
    """Return a small map of the arena that shows the positions of these sections."""
    cells = (tuple(cell for cell in scenario.arena.field.cells if cell in part.grid) for part in parts)
    return locator(scenario.arena, cells, tuple(token for part in parts for token in part.tokens))


def _groups(scene: Scene) -> Iterator[tuple[Numbered, ...]]:
    """Yield the hexes of each machine's positions, moves and attacks."""
    for machine in scene.machines:
        cells = [scene.before[machine.id].cell, machine.cell]
        for deed in scene.turn.deeds:
            if deed.unit == machine.id:
                cells += [*deed.path, *([deed.aim] if deed.aim else [])]
        yield tuple(dict.fromkeys(cells))


def _tokens(scenario: Scenario, scene: Scene) -> Iterator[tuple[Numbered, Token]]:
    for machine in scene.machines:
        kind = scenario.pack.machines[machine.kind]
        counter = token(machine.side, kind, machine.number, (machine.hp, max(kind.hp, machine.hp)))
        yield machine.cell, counter if machine.hp else replace(counter, mark="wrecked")


def _tracks(deeds: Sequence[Deed]) -> Iterator[Track]:
    """Yield the paths of moves and of refused orders."""
    for deed in deeds:
        if len(deed.path) > 1:
            yield Track(REFUSED if deed.refused else LOOKS[deed.order.action], deed.path)
        # For a blocked line of sight, the ray shows the reason.
        elif deed.aim and deed.refused not in ("", "target.sight") and deed.aim != deed.path[-1]:
            yield Track(REFUSED, (deed.path[-1], deed.aim))


def _rays(scenario: Scenario, deeds: Sequence[Deed]) -> Iterator[Ray]:
    for deed in deeds:
        if not deed.aim or deed.refused not in ("", "target.sight"):
            continue
        if deed.order.action == "B":
            yield Ray(deed.path[-1], deed.aim, shot=True, arrow=True)
            continue
        line = scenario.arena.sight(deed.path[-1], deed.aim)
        stop = (float(line.blocked_at[0]), float(line.blocked_at[1])) if line.blocked_at else None
        yield Ray(deed.path[-1], deed.aim, stop_at=stop, arrow=not stop)


def _hits(scene: Scene) -> Iterator[Numbered]:
    """Yield the hexes in which machines lost hit points, at the time of the attack."""
    left = {machine.id: machine.hp for machine in scene.turn.before}
    end = {machine.id: machine.hp for machine in scene.turn.after}
    for deed in scene.turn.deeds:
        if deed.reply and deed.aim and deed.reply.hp is not None:
            if deed.reply.hp < left.get(deed.target, 0):
                yield deed.aim
            left[deed.target] = deed.reply.hp
        answered = isinstance(deed.reply, BattlingReply) and dice().effects[deed.reply.result].attacker_loss
        if answered and end[deed.unit] < scene.before[deed.unit].hp:
            yield deed.path[-1]


def _ghosts(scenario: Scenario, scene: Scene) -> Iterator[tuple[Numbered, Note]]:
    """Yield the label of each machine at the hex that it left, unless another machine is there now.

    The label is on the side away from the machine's path.
    """
    field, taken = scenario.arena.field, {machine.cell for machine in scene.machines}
    ways = {deed.unit: deed.path for deed in reversed(scene.turn.deeds) if len(deed.path) > 1}
    for machine in scene.machines:
        cell = scene.before[machine.id].cell
        if cell not in taken:
            x, y = field.centre(cell)
            down = machine.id in ways and field.centre(ways[machine.id][1])[1] < y
            yield cell, Note((x, y + BESIDE if down else y - BESIDE), same(machine.id), SMALL, roam=ROAM)


def numbered(deeds: Sequence[Deed]) -> Iterator[tuple[Deed, int]]:
    """Yield the legal attacks of a turn, with the numbers that they have on the map, in the list and in the rolls."""
    number = 0
    for deed in deeds:
        if deed.aim and not deed.refused:
            number += 1
            yield deed, number


def _numbers(
    scenario: Scenario, scene: Scene, rays: Sequence[Ray], bodies: Iterable[Numbered]
) -> Iterator[tuple[Numbered, Note]]:
    """Yield the hex and the number of each attack.

    The number is placed near the hex, at the end of the attack's line.
    """
    field, bends = scenario.arena.field, {(ray.start, ray.end): ray.bend for ray in rays}
    (right, up), machines = field.pitch, [spot_of(field, cell) for cell in bodies]
    lines = [
        dot for ray in rays for dot, _ in dotted(bowed(spot_of(field, ray.start), spot_of(field, ray.end), ray.bend))
    ]
    taken: list[XY] = []
    for deed, number in numbered(scene.turn.deeds):
        assert deed.aim, "an attack has an aim"
        start, end = spot_of(field, deed.path[-1]), spot_of(field, deed.aim)
        *_, before, _ = bowed(start, end, bends.get((deed.path[-1], deed.aim), 0.0) or 1e-9)
        ways = [2 * pi * n / TURNS for n in range(TURNS)]
        spots = [(end[0] + far * cos(way), end[1] + far * sin(way)) for far in ROUND for way in ways]

        def cost(spot: XY, before: XY = before) -> float:
            hides = sum(dist(spot, (x, y)) < ROUND[0] - 0.02 or dist(spot, (x, y - BODY)) < 0.85 for x, y in machines)
            crowds = sum(dist(spot, other) < ROOM for other in taken)
            crosses = sum(dist(spot, dot) < ROOM / 2 for dot in lines)
            return 9 * (hides + crowds) + 5 * is_outside(field, spot) + 0.2 * crosses + 0.5 * dist(spot, before)

        x, y = min(spots, key=cost)
        taken.append((x, y))
        yield deed.aim, Note((x / right, y / up), same(number), SMALL, flag=scene.look(deed))


def _legend(views: Sequence[MapView]) -> Iterator[Legend]:
    """Yield the legend of the maps."""
    texts = words()["replay"]
    there = {track.look for view in views for track in view.tracks}
    there |= {shade.look for view in views for shade in view.shades}
    there |= {"break" if ray.stop_at else "blow" if ray.shot else "shot" for view in views for ray in view.rays}
    for look in ("walk", "dash", "shot", "blow", HIT, "break", REFUSED):
        if look in there:
            yield Legend(look, texts[f"key_{look}"])
