"""A log shown again: each turn's picture, with hit points as pips.

Hit points as a row of pips.

A turn of a log as a picture: the arena at its end, ways that were walked, shots, battling, hits.

The replay of a log: a sheet for each turn, made to be looked at on a screen.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, product
from math import cos, dist, floor, pi, sin

from msgspec import Struct
from msgspec.structs import replace

from generator.common.game import LogFinding
from generator.common.tables import percent
from generator.games.battling.maps import Section, arena_view, gathered, large, locator, token
from generator.games.battling.model import SIDES, Scenario, Side
from generator.games.battling.pages.reference import action_rows, key
from generator.games.battling.play import ClashReply, ShotReply, Standing, opening, write_line
from generator.games.battling.post.judge import Judged, judge
from generator.games.battling.post.log import Deed, Turn
from generator.games.battling.tables import dice, words
from generator.grid.columns import ColumnField, Numbered, distance
from generator.model.picture import POINTS, XY, Item, Pen, Picture, Symbol, Text, Use, circle, line
from generator.model.views import Figure, Kit, Legend, MapView, Note, Ray, Shade, Sheet, Token, Track
from generator.model.words import Words, joined, same
from generator.notation.text import legible
from generator.symbols.pictograms import BLACK, STRUCK, face
from generator.symbols.shapes import bowed

SIZE, STEP = 3.2, 4.0
"""A pip's width and how far it is to the next, in mm."""
WIDE = 17.2
"""How wide pips may stand side by side; more are smaller."""
TIERS = (5, 12)
"""Up to how many stand in one row, in two."""
LEFT, GONE, HIT_PIP = "#2b2b2b", "#8a867d", "#a3271f"


def pips(before: int, after: int, whole: int) -> Picture:
    """Rows of `whole` pips: full what is left, empty what is gone, crossed out what went between the two counts."""
    items: list[Item] = []
    count = max(whole, before)
    rows = 1 + sum(count > most for most in TIERS)
    across = -(-count // rows)
    share = min(1.0, WIDE / ((across - 1) * STEP + SIZE))
    r, step = share * SIZE / 2, share * STEP
    high = (rows - 1) * step + 2 * r
    for i in range(count):
        x, y = i % across * step + r, high - i // across * step - r
        if i < after:
            items.append(circle(x, y, r - 0.15, LEFT))
            continue
        items.append(circle(x, y, r - 0.25, "#ffffff", Pen(GONE if i >= before else HIT_PIP, 0.35 * share)))
        if i < before:
            k = 0.5 * r
            items += [line(((x - k, y - s * k), (x + k, y + s * k)), Pen(HIT_PIP, 0.5 * share)) for s in (-1, 1)]
    return Picture((across - 1) * step + 2 * r, high, tuple(items))


LOOKS: Mapping[str, str] = {"W": "walk", "B": "walk", "D": "walk", "R": "dash"}
"""The track of each action that moves."""
REFUSED = "intercept"
"""The track of what was not legal."""
HIT = "stop"
"""How the hex of a machine that loses hit points is shaded."""
AROUND = 2
"""Hexes round what happens in a turn that the picture of a large arena shows."""
BESIDE, SMALL = 0.5, 0.42
"""How far above or below the middle of a hex it is told who stood there, in lattice steps, and in what size."""
OWED, ROLLED = "owed", "rolled"
"""What an attack's number stands on: one that has still to be rolled for, and any other."""
ROAM = 1.2
"""How far a name moves to where it hides nothing, in sides of a hex."""
ROUND, TURNS, ROOM = (1.22, 1.4, 1.65), 24, 0.84
"""How far from the middle of the hex that is attacked its number may stand, in how many directions, and how far from
the next number, in the same."""
ASIDE = 0.2
"""How far beside another a way lies that would run over it, in sides of a hex."""
BENDS = (0.0, 0.35, -0.35, 0.7, -0.7, 1.1, -1.1, 1.6, -1.6, 2.2, -2.2)
"""How far the line of a shot may be bent, in the same, the best first."""
INSIDE = 0.5
"""How far beyond the middles of the outermost hexes a number may stand, in the same."""
DOT, NEAR, ALIKE, END, BODY = 0.12, 0.17, 0.9, 0.6, 0.75
"""Lines are compared in dots so far apart; those nearer than `NEAR` that lead the same way, or back (the cosine of
the angle), run over each other, but for their ends; and a machine is so large."""


class Scene(Struct, frozen=True):
    """A turn as it was played, and what was wrong in it."""

    turn: Turn
    findings: tuple[LogFinding, ...]
    waits: frozenset[tuple[int, str]] = frozenset()
    """The attacks that have still to be rolled for, by the line of each and who attacks."""

    def look(self, deed: Deed) -> str:
        """What the number of an attack stands on."""
        return OWED if (deed.line, deed.unit) in self.waits else ROLLED

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
    waits = frozenset((of.line, of.attacker) for of in judged.waiting if of.stage == "reply")
    for i, turn in enumerate(judged.turns):
        end = min((deed.line for later in judged.turns[i + 1 :] for deed in later.deeds), default=0)
        own = [finding for finding in found if not end or finding.line < end]
        found = found[len(own) :]
        made.append(Scene(turn, tuple(own), waits))
    return tuple(made)


def turn_views(scenario: Scenario, scene: Scene) -> tuple[MapView, ...]:
    """The arena at the end of a turn, with the ways that were walked and everything that was attacked.

    Of a large arena it shows the part in which all that happens, or the parts where that is too much of it. All
    have the legend of the whole.
    """
    deeds, field = scene.turn.deeds, scenario.arena.field
    hit = tuple(dict.fromkeys(_hits(scene)))
    tokens, notes = tuple(_tokens(scenario, scene)), tuple(_ghosts(scenario, scene))
    tracks, rays = untangled(field, _tracks(deeds), _rays(scenario, deeds), {cell for cell, _ in tokens})
    numbers = tuple(_numbers(scenario, scene, rays, [cell for cell, _ in tokens]))
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
        own += [note for cell, note in numbers if cell in span]
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
        kind = scenario.pack.machines[machine.kind]
        counter = token(machine.side, kind, machine.number, (machine.hp, max(kind.hp, machine.hp)))
        yield machine.cell, counter if machine.hp else replace(counter, mark="wrecked")


def _tracks(deeds: Sequence[Deed]) -> Iterator[Track]:
    """The ways that were walked, and what somebody wanted and could not do."""
    for deed in deeds:
        if len(deed.path) > 1:
            yield Track(REFUSED if deed.refused else LOOKS[deed.order.action], deed.path)
        # A line of sight that is blocked tells of itself.
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


Dots = Sequence[tuple[XY, XY]]
"""Points of a line in short steps, each with the direction in which it leads there; in sides of a hex."""


def untangled(
    field: ColumnField, tracks: Iterable[Track], rays: Iterable[Ray], bodies: Collection[Numbered]
) -> tuple[tuple[Track, ...], tuple[Ray, ...]]:
    """The same lines, bent apart where one would run over another, or a shot over a machine that is not its target.

    The line of a shot that is blocked stays straight: it shows where.
    """
    drawn = _Laid()
    ways, shots = list(tracks), list(rays)
    for ray in shots:
        if ray.stop_at:
            drawn.add(dotted((_spot(field, ray.start), _spot(field, ray.end))))
    for at, way in enumerate(ways):
        course = [_spot(field, cell) for cell in way.cells]
        sides = [(0.0, 0.0), *((ASIDE * cos(pi * n / 6), ASIDE * sin(pi * n / 6)) for n in range(12))]
        lines = {aside: dotted([(x + aside[0], y + aside[1]) for x, y in course]) for aside in sides}
        best = min(lines, key=lambda aside: drawn.below(lines[aside]))
        ways[at] = replace(way, aside=best)
        drawn.add(lines[best])
    for at, ray in enumerate(shots):
        if ray.stop_at:
            continue
        ends = _spot(field, ray.start), _spot(field, ray.end)
        others = [_spot(field, cell) for cell in bodies if cell not in (ray.start, ray.end)]
        most = dist(*ends) / 3
        bows = {bend: dotted(bowed(*ends, bend)) for bend in BENDS if abs(bend) <= most}
        bend = min(bows, key=lambda bend: _awkward(field, bows[bend], drawn, others) + abs(bend))
        shots[at] = replace(ray, bend=bend)
        drawn.add(bows[bend])
    return tuple(ways), tuple(shots)


def dotted(course: Sequence[XY]) -> Dots:
    """The dots of a line but for its ends, which lie below the machines."""
    found: list[tuple[XY, XY]] = []
    for (ax, ay), (bx, by) in pairwise(course):
        length = dist((ax, ay), (bx, by)) or 1.0
        ahead = (bx - ax) / length, (by - ay) / length
        found += [((ax + n * DOT * ahead[0], ay + n * DOT * ahead[1]), ahead) for n in range(int(length / DOT))]
    return [dot for dot in found if dist(dot[0], course[0]) > END and dist(dot[0], course[-1]) > END]


class _Laid:
    """The dots of lines that are drawn, by where they are."""

    def __init__(self) -> None:
        self._dots: dict[tuple[int, int], list[tuple[XY, XY]]] = {}

    def add(self, dots: Dots) -> None:
        """Draw another line."""
        for dot in dots:
            self._dots.setdefault(_square(dot[0]), []).append(dot)

    def below(self, dots: Dots) -> int:
        """How many of these dots lie on lines that lead the same way, or back."""
        return sum(any(_along(dot, other) for other in self._near(dot[0])) for dot in dots)

    def _near(self, point: XY) -> Iterator[tuple[XY, XY]]:
        column, row = _square(point)
        for across, up in product((-1, 0, 1), repeat=2):
            yield from self._dots.get((column + across, row + up), ())


def _square(point: XY) -> tuple[int, int]:
    return floor(point[0] / NEAR), floor(point[1] / NEAR)


def _along(one: tuple[XY, XY], other: tuple[XY, XY]) -> bool:
    (point, (x, y)), (near, (a, b)) = one, other
    return dist(point, near) < NEAR and abs(x * a + y * b) > ALIKE


def _spot(field: ColumnField, cell: Numbered) -> XY:
    """The middle of a hex, in sides."""
    (x, y), (right, up) = field.centre(cell), field.pitch
    return float(x) * right, float(y) * up


def _off(field: ColumnField, spot: XY) -> bool:
    """Whether a spot lies beside the arena, or too near to its edge for a number."""
    (left, top), (right, bottom) = _spot(field, field.cells[0]), _spot(field, field.cells[-1])
    return not (left - INSIDE < spot[0] < right + INSIDE and bottom - INSIDE < spot[1] < top + INSIDE)


def _awkward(field: ColumnField, dots: Dots, drawn: _Laid, others: Sequence[XY]) -> float:
    """How little one would like to see a shot there."""
    through = sum(any(dist(point, body) < BODY for point, _ in dots) for body in others)
    return drawn.below(dots) + 3 * through + 0.2 * sum(_off(field, point) for point, _ in dots)


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
    """The attacks of a turn that may be made, with the numbers that join map, list and rolls."""
    number = 0
    for deed in deeds:
        if deed.aim and not deed.refused:
            number += 1
            yield deed, number


def _numbers(
    scenario: Scenario, scene: Scene, rays: Sequence[Ray], bodies: Iterable[Numbered]
) -> Iterator[tuple[Numbered, Note]]:
    """The number of each attack beside the hex that it leads to, at the end of its line, with that hex."""
    field, bends = scenario.arena.field, {(ray.start, ray.end): ray.bend for ray in rays}
    (right, up), machines = field.pitch, [_spot(field, cell) for cell in bodies]
    lines = [
        dot for ray in rays for dot, _ in dotted(bowed(_spot(field, ray.start), _spot(field, ray.end), ray.bend))
    ]
    taken: list[XY] = []
    for deed, number in _numbered(scene.turn.deeds):
        assert deed.aim, "an attack has an aim"
        start, end = _spot(field, deed.path[-1]), _spot(field, deed.aim)
        *_, before, _ = bowed(start, end, bends.get((deed.path[-1], deed.aim), 0.0) or 1e-9)
        ways = [2 * pi * n / TURNS for n in range(TURNS)]
        spots = [(end[0] + far * cos(way), end[1] + far * sin(way)) for far in ROUND for way in ways]

        def cost(spot: XY, before: XY = before) -> float:
            hides = sum(dist(spot, (x, y)) < ROUND[0] - 0.02 or dist(spot, (x, y - BODY)) < 0.85 for x, y in machines)
            crowds = sum(dist(spot, other) < ROOM for other in taken)
            crosses = sum(dist(spot, dot) < ROOM / 2 for dot in lines)
            return 9 * (hides + crowds) + 5 * _off(field, spot) + 0.2 * crosses + 0.5 * dist(spot, before)

        x, y = min(spots, key=cost)
        taken.append((x, y))
        yield deed.aim, Note((x / right, y / up), same(number), SMALL, flag=scene.look(deed))


def _legend(views: Sequence[MapView]) -> Iterator[Legend]:
    """What is on the pictures."""
    say = words()["replay"]
    there = {track.look for view in views for track in view.tracks}
    there |= {shade.look for view in views for shade in view.shades}
    there |= {"break" if ray.stop_at else "blow" if ray.shot else "shot" for view in views for ray in view.rays}
    for look in ("walk", "dash", "shot", "blow", HIT, "break", REFUSED):
        if look in there:
            yield Legend(look, say[f"key_{look}"])


DIE, BETWEEN, APART, FALLEN = 3.75, 0.5, 2.4, 0.7
"""A die of a roll, the white to the next, and to those of damage, and the edge of one that was thrown, in mm."""
COIN = 4.6
"""How wide the number of an attack is in the list and over its roll."""
HURTS, SPARES = "#efc4be", "#ffffff"
"""Faces that cost the target a hit point, or help to, and others."""


def coin(number: int, look: str) -> Picture:
    """The number of an attack, as it stands on the map."""
    r, size = COIN / 2, 0.62 * COIN * POINTS
    fill, ink = (STRUCK, "#ffffff") if look == OWED else ("#ffffff", BLACK)
    disc = circle(r, r, r - 0.15, fill, Pen(STRUCK if look == OWED else BLACK, 0.3))
    return Picture(COIN, COIN, (disc, Text(r, r - 0.36 * size / POINTS, str(number), size, "middle", True, ink)))


def thrown(groups: Sequence[Sequence[tuple[bool, str]]], fell: Sequence[int | None]) -> Picture:
    """Groups of a die's faces with what they bring: tinted where that is bad for the target, framed what fell."""
    items: list[Item] = []
    named = any(text for faces in groups for _, text in faces)
    low, x = (3.2 if named else 0.0), 0.0
    for faces, die in zip(groups, fell, strict=True):
        for number, (bad, text) in enumerate(faces, 1):
            fill, edge = HURTS if bad else SPARES, FALLEN if number == die else 0.25
            drawn = face(number, DIE, fill, edge)
            items.append(Use(Symbol(f"thrown.{number}.{bad}.{number == die}", drawn.items, DIE), x, low))
            if text:
                colour = STRUCK if bad else BLACK
                items.append(Text(x + DIE / 2, 0.6, text, 7.0, "middle", number == die or bad, colour))
            x += DIE + BETWEEN
        x += APART - BETWEEN
    return Picture(x - APART, DIE + low, tuple(items))


def _rolls(scenario: Scenario, scene: Scene, figures: dict[str, Figure]) -> Iterator[dict[str, object]]:
    """What is rolled for each attack that may be made, with its numbers and what was thrown."""
    say, pack = words()["replay"], scenario.pack
    for deed, number in _numbered(scene.turn.deeds):
        assert deed.aim, "an attack has an aim"
        own, enemy = scene.before[deed.target].kind, scene.before[deed.unit].kind
        far, reply = distance(deed.path[-1], deed.aim), deed.reply
        fell: list[int | None] = [reply.die if reply else None]
        if deed.order.action == "F":
            shot = pack.shot(enemy, own, far, deed.last)
            groups = [[(shot.hit(die), "") for die in dice().faces], [(shot.hurt(die), "") for die in dice().faces]]
            fell.append(reply.damage if isinstance(reply, ShotReply) else None)
            told, chance = say["shot"].fill(n=far), shot.hurts
            changes = [("hit", shot.change), ("damage", shot.armour)]
        else:
            clash = pack.clash(enemy, own, deed.last)
            results = [clash.result(die) for die in dice().faces]
            groups = [[(dice().effects[result].own > 0, result) for result in results]]
            told, chance = say["clash"], clash.hurts
            changes = [("clash", clash.change)]
        figures[f"dice_{number}"] = thrown(groups, fell)
        yield {
            "number": f"coin_{number}",
            "who": say["who"].fill(unit=deed.target, enemy=deed.unit),
            "told": joined([told, *(say[f"change_{roll}"].fill(die=f"{by:+}") for roll, by in changes if by)]),
            "dice": f"dice_{number}",
            "chance": f"{percent(chance) if chance else 0} %",
            "said": [write_line(part) for part in (reply, deed.answer) if part],
            "owed": scene.look(deed) == OWED,
        }


CROWD = 8
"""With more machines than this the rows of the sheet are lower."""
ACROSS = (1, 4, 13)
"""Up to how many maps of parts and of the whole arena stand one, two, three side by side."""
ROLLS, FAULTS = 14, 4
"""Rolls and faults that a sheet has room for."""
DICED = 8
"""With more rolls than this they are told without their dice."""
LINES = {False: 2, True: 1}
"""Orders of one machine that it has room for, and where its rows are low."""


def replay(scenario: Scenario, text: str, stamp: str) -> Kit:
    """Two sheets for each turn of a log, its start and what was done; without any, the arena before the first."""
    judged = judge(text, scenario)
    found = scenes(judged) or (Scene(start(scenario), judged.findings),)
    sheets: list[Sheet] = []
    for scene in found:
        if scene.turn.number:
            sheets.append(start_sheet(scenario, judged, scene.turn.number))
        sheets.append(_sheet(scenario, scene, judged, scene is found[-1]))
    return Kit(words()["title"]["game"], scenario.title, stamp, tuple(sheets))


def start_sheet(scenario: Scenario, judged: Judged, number: int) -> Sheet:
    """The arena at the start of a turn, as it is posted then; of one that has not begun, as it stands now."""
    begun = next((turn.before for turn in judged.turns if turn.number == number), None)
    machines = begun or tuple(judged.position.machines.values())
    sheet = _sheet(scenario, Scene(Turn(number, machines, (), machines), ()), judged, not number)
    if not number:
        return sheet
    say = words()["replay"]
    start = say["begins"].fill(n=number, m=scenario.turns)
    return replace(sheet, part="start", title=start, view={**sheet.view, "of": start})


def _sheet(scenario: Scenario, scene: Scene, judged: Judged, last: bool) -> Sheet:
    say, number = words()["replay"], scene.turn.number
    views = turn_views(scenario, scene)
    whole = (whole_view(scenario, views),) if len(views) > 1 else ()
    figures: dict[str, Figure] = {f"map_{i}": view for i, view in enumerate((*views, *whole))}
    for machine in scene.turn.after:
        kind, before = scenario.pack.machines[machine.kind], scene.before[machine.id]
        counter = token(machine.side, kind, machine.number)
        figures[machine.id] = counter if machine.hp else replace(counter, mark="wrecked")
        figures[f"hp_{machine.id}"] = pips(before.hp, machine.hp, kind.hp)
    for deed, count in _numbered(scene.turn.deeds):
        figures[f"coin_{count}"] = coin(count, scene.look(deed))
    rolls = list(_rolls(scenario, scene, figures))
    faults = [{"line": say["line"].fill(n=f.line), "text": _legible(f.text)} for f in scene.findings]
    return Sheet(
        part="turn",
        title=say["turn"].fill(n=number) if number else say["start"],
        template="battling/replay.xml",
        view={
            "sides": [_side(scenario, scene, side) for side in SIDES],
            "rolls": rolls[:ROLLS],
            "dice": len(rolls) <= DICED,
            "rolls_more": say["more"].fill(n=len(rolls) - ROLLS) if len(rolls) > ROLLS else None,
            "forms": [] if scene.turn.deeds else action_rows(scenario.rulings),
            "key": key(scenario.pack.machines[kind] for kind in dict.fromkeys(m.kind for m in scene.turn.after)),
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
    machines = [machine for machine in scene.turn.after if machine.side == side]
    return {
        "name": words()["cover"][side],
        "machines": [_machine(scenario, scene, machine) for machine in machines],
    }


def _machine(scenario: Scenario, scene: Scene, machine: Standing) -> dict[str, object]:
    say, name = words()["replay"], scenario.arena.field.name
    was = scene.before[machine.id].cell
    deeds = [deed for deed in scene.turn.deeds if deed.unit == machine.id]
    room = LINES[len(scene.turn.after) > CROWD]
    return {
        "id": machine.id,
        "called": scenario.called[machine.id],
        "name": scenario.pack.machines[machine.kind].name,
        "at": name(machine.cell) if machine.hp else say["destroyed"],
        "was": say["from"].fill(hex=name(was)) if was != machine.cell else None,
        "last": say["last"].fill(letter=machine.last) if machine.last and machine.hp else None,
        "deeds": [_deed(deed) for deed in deeds[:room]],
        "more": say["more"].fill(n=len(deeds) - room) if len(deeds) > room else None,
        "coins": " ".join(f"coin_{n}" for deed, n in _numbered(scene.turn.deeds) if deed.unit == machine.id),
        "aimed_at": " ".join(f"coin_{n}" for deed, n in _numbered(scene.turn.deeds) if deed.target == machine.id),
    }


def _deed(deed: Deed) -> dict[str, object]:
    order = replace(deed.order, unit="", start="")
    return {"order": write_line(order), "refused": bool(deed.refused)}
