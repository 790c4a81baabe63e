"""The rules of play: links in a brigade, moves, lines of sight, and the effects of rulings.

The numbers of a turn are data (army.toml, terrain.toml, moves.toml). Units do not move through occupied squares.
Infantry may end its move on a square with other infantry (house). Two units that share a square may move together
or separately (house), so each has its own moves. A move may end on the square of an enemy brigadier, who then
steps aside (seed). Contact with enemies does not end a move, because no rule says that it does.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache, partial
from typing import Any, Literal, cast

import msgspec
from msgspec.structs import replace

from generator.common.game import RulingImpact, SightClaims, SightTool
from generator.common.interpretations import choice_texts
from generator.common.tables import reachable
from generator.errors import WrongUsageError, near
from generator.games.travel_battle.ground import TerrainMap
from generator.games.travel_battle.model import Scenario, Side, Unit
from generator.games.travel_battle.tables import MassedOn, Shot, artillery, at_least, switches, terrains, words
from generator.grid.squares import STEPS, Square, distance
from generator.localization import tr
from generator.model.views import Shade
from generator.model.words import Words, joined, same
from generator.notation import toml
from generator.sight.squares import Look, Looks, Reading, Screens, Shown, four_corners, judge, looks, visible_share


def linked(brigadier: Square, squares: Iterable[Square]) -> frozenset[Square]:
    """Return the squares of a brigade that are connected to its brigadier through sides or corners of squares."""
    there = set(squares)
    ways = reachable([brigadier], lambda cell: (other for step in STEPS if (other := cell + step) in there))
    return frozenset(cell for cell, _ in ways)


Held = Literal["unlinked", "square"]
Bar = Literal["ground", "enemy", "full", "way"]


class March(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of moves.toml."""

    road: int
    held: dict[Held, Words]
    barred: dict[Bar, Words]
    texts: dict[str, Words] = msgspec.field(name="told")


class Move(msgspec.Struct, frozen=True):
    """A square that a unit may move to."""

    cell: Square
    steps: int
    """The number of squares of the shortest legal path."""
    road: bool
    """Whether the path needs the road bonus."""
    joins: str = ""
    """The id of the infantry with which the unit would share the square."""
    drives: str = ""
    """The id of the enemy brigadier who would step aside."""
    contacts: tuple[str, ...] = ()
    """The ids of the enemies that the unit would touch, even at a corner, except brigadiers, who do not fight."""


class Moves(msgspec.Struct, frozen=True):
    """The possible moves of a unit."""

    unit: Unit
    held: Held | None
    """The reason why the unit may not move at all, or None."""
    reached: tuple[Move, ...]
    barred: Mapping[Square, Bar]
    """The squares within the unit's move that it cannot reach, with the reasons, in the field's order like `reached`.
    """


march = toml.shipped_table("travel_battle/moves.toml", March)
"""Return the numbers and texts of movement."""


def moves(scenario: Scenario, unit: Unit) -> Moves:
    """Return the moves of a unit.

    Raises:
        ValueError: If the unit is not on the field.
    """
    if unit.cell is None:
        raise ValueError(tr("{id} is not on the battlefield", id=unit.id))
    held = reason_held(scenario, unit)
    if held:
        return Moves(unit, held, (), {})
    steps = _steps(scenario, unit, unit.cell)
    around = scenario.battlefield.terrain_map.field.within(unit.cell, unit.kind.move + march().road)
    near = [c for c in around if 0 < distance(unit.cell, c) <= _allowance(scenario, unit, unit.cell, c)]
    reached = tuple(_move(scenario, unit, cell, steps[cell]) for cell in near if cell in steps)
    barred: dict[Square, Bar] = {cell: _barred(scenario, unit, cell) or "way" for cell in near if cell not in steps}
    return Moves(unit, None, reached, barred)


def find_moves(scenario: Scenario, name: str) -> Moves:
    """Return the moves of the unit with an id, which may be in upper or lower case.

    Raises:
        WrongUsageError: If the unit is not on the field.
    """
    on = {id_: unit for id_, (_player, _brigade, unit) in scenario.units.items() if unit.cell is not None}
    unit = next((unit for id_, unit in on.items() if id_.casefold() == name.casefold()), None)
    if unit is None:
        raise WrongUsageError(
            tr("there is no unit named {name!r} on the battlefield", name=name), hint=near(name, on)
        )
    return moves(scenario, unit)


def reason_held(scenario: Scenario, unit: Unit) -> Held | None:
    """Return the reason why a unit may not move at all, or None if it may move.

    A unit may not move if it is in square or is not linked to its brigadier.
    """
    if unit.square:
        return "square"
    _player, brigade, _unit = scenario.units[unit.id]
    leader = brigade.brigadier
    if leader is None or leader.cell is None:
        return "unlinked"
    chain = linked(leader.cell, (other.cell for other in brigade.units if other.cell is not None))
    return None if unit.cell in chain else "unlinked"


def move_row(scenario: Scenario, found: Moves) -> dict[str, object]:
    """Return a unit's moves as JSON-compatible values (docs/json.md)."""
    name = scenario.battlefield.terrain_map.field.name
    assert found.unit.cell is not None
    return {
        "unit": found.unit.id,
        "from": name(found.unit.cell),
        "held": found.held,
        "moves": [
            {
                "to": name(move.cell),
                "steps": move.steps,
                "road": move.road,
                "joins": move.joins or None,
                "drives": move.drives or None,
                "contacts": list(move.contacts),
            }
            for move in found.reached
        ],
        "barred": [{"square": name(cell), "why": why} for cell, why in found.barred.items()],
    }


def move_lines(scenario: Scenario, found: Moves) -> list[Words]:
    """Describe a unit's moves, one line for each square."""
    texts, name, unit = march().texts, scenario.battlefield.terrain_map.field.name, found.unit
    assert unit.cell is not None
    lines = [texts["head"].fill(unit=unit.label, kind=unit.kind.name.low, cell=name(unit.cell))]
    if found.held:
        return [*lines, march().held[found.held].fill(unit=unit.label)]
    sharing = [other.label for _player, other in scenario.units_on_board[unit.cell] if other != unit]
    lines += [texts["pair"].fill(units=joined(sharing))] if sharing else []
    for move in found.reached:
        contacts = joined(list(map(scenario.unit_label, move.contacts)))
        parts = [texts["near" if move.steps == 1 else "far"].fill(cell=name(move.cell), n=move.steps)]
        parts += [texts["road"]] if move.road else []
        parts += [texts["joins"].fill(unit=scenario.unit_label(move.joins))] if move.joins else []
        parts += [texts["drives"].fill(unit=scenario.unit_label(move.drives))] if move.drives else []
        parts += [texts["contacts"].fill(units=contacts)] if move.contacts else []
        lines.append(joined(parts))
    lines += [] if found.reached else [texts["none"]]
    return lines + [texts["barred"].fill(cell=name(c), why=_why(scenario, found, c)) for c in found.barred]


def _why(scenario: Scenario, found: Moves, cell: Square) -> Words:
    """Return the reason why a unit may not move to a square within its move."""
    assert found.unit.cell is not None
    return (
        march()
        .barred[found.barred[cell]]
        .fill(
            kind=found.unit.kind.name.low,
            ground=scenario.battlefield.terrain_map.terrain(cell).name.low,
            n=_allowance(scenario, found.unit, found.unit.cell, cell),
        )
    )


def shades(found: Moves) -> tuple[Shade, ...]:
    """Return the map's shades for squares within reach, squares in contact with enemies, and squares out of reach."""
    return (
        Shade("seen", tuple(move.cell for move in found.reached if not move.contacts)),
        Shade("melee", tuple(move.cell for move in found.reached if move.contacts)),
        Shade("blocked", tuple(found.barred)),
    )


def _allowance(scenario: Scenario, unit: Unit, start: Square, end: Square) -> int:
    """Return the number of squares that a unit may move between two squares, including a road bonus."""
    terrain_map = scenario.battlefield.terrain_map
    return unit.kind.move + (march().road if terrain_map.terrain(start).road and terrain_map.terrain(end).road else 0)


def _steps(scenario: Scenario, unit: Unit, start: Square) -> dict[Square, int]:
    """Return the number of steps to each square that a unit may reach."""
    terrain_map = scenario.battlefield.terrain_map
    strict = scenario.rulings["road_strict"] == "yes"
    ways = _spread(scenario, unit, start, terrain_map.field.index)
    if not terrain_map.terrain(start).road:
        return ways
    found = {cell: n for cell, n in ways.items() if n <= unit.kind.move}
    longer = _spread(scenario, unit, start, frozenset(terrain_map.roads())) if strict else ways
    return found | {
        cell: n
        for cell, n in longer.items()
        if unit.kind.move < n <= _allowance(scenario, unit, start, cell) and cell not in found
    }


def _spread(scenario: Scenario, unit: Unit, start: Square, along: Container[Square]) -> dict[Square, int]:
    """Return the number of steps to each square on paths over the squares `along`, up to the road bonus."""
    field, units_on_board = scenario.battlefield.terrain_map.field, scenario.units_on_board
    barred = cache(partial(_barred, scenario, unit))

    def ways(here: Square) -> list[Square]:
        adjacent = field.neighbours(here) if here == start or here not in units_on_board else ()
        return [cell for cell in adjacent if cell in along and not barred(cell)]

    return {
        cell: count for cell, count in reachable([start], ways, _allowance(scenario, unit, start, start)) if count
    }


def _move(scenario: Scenario, unit: Unit, cell: Square, steps: int) -> Move:
    player, _brigade, _unit = scenario.units[unit.id]
    there = scenario.units_on_board.get(cell, ())
    return Move(
        cell,
        steps,
        steps > unit.kind.move,
        joins=next((other.id for owner, other in there if owner == player), ""),
        drives=next((other.id for owner, other in there if owner != player), ""),
        contacts=tuple(
            other.id
            for around in scenario.battlefield.terrain_map.field.neighbours(cell)
            for other in _enemies(scenario, player, around)
            if other.kind.fights
        ),
    )


def _barred(scenario: Scenario, unit: Unit, cell: Square) -> Bar | None:
    """Return the reason why a unit may not end its move on a square, regardless of distance, or None if it may."""
    player, _brigade, _unit = scenario.units[unit.id]
    terrain_map = scenario.battlefield.terrain_map
    there = scenario.units_on_board.get(cell, ())
    if not terrain_map.admits(cell, unit.kind.arm):
        return "ground"
    if any(other.kind.fights for other in _enemies(scenario, player, cell)):
        return "enemy"
    friends = [other for owner, other in there if owner == player]
    # Two infantry units may share a square of open ground if neither is in square (seed).
    pair = len(friends) == 1 and all(one.kind.arm == "infantry" and not one.square for one in (unit, *friends))
    return "full" if friends and not (terrain_map.terrain(cell).open and pair) else None


def _enemies(scenario: Scenario, player: Side, cell: Square) -> tuple[Unit, ...]:
    return tuple(other for owner, other in scenario.units_on_board.get(cell, ()) if owner != player)


READINGS: Mapping[str, Reading] = {"share": visible_share, "corners": four_corners}
"""The function that measures "half of the target" for each choice of the ruling. The first choice is the default."""


def screens(terrain_map: TerrainMap, units: Iterable[Square]) -> Screens:
    """Return the squares that block sight: buildings, woods, and, depending on heights, hills and units."""
    return terrain_map.screens.with_units(terrain_map.field, units)


def gun_looks(terrain_map: TerrainMap, reading: str = "share") -> Looks:
    """Return all lines between squares of a map within the range of a gun."""
    return looks(terrain_map.field, artillery().range, READINGS[reading])


def field_of_fire(
    terrain_map: TerrainMap, units: Iterable[Square], gun: Square, reading: str = "share"
) -> tuple[Square, ...]:
    """Return the squares at which a gun may fire, in the field's order.

    They are within the gun's range, in sight and not adjacent.
    """
    clear = gun_looks(terrain_map, reading).in_sight(screens(terrain_map, units), gun)
    close = frozenset(terrain_map.field.within(gun, artillery().near - 1))
    return tuple([cell for cell in clear if cell not in close])


class SightQuery:
    """The lines of sight of a scenario in its present position."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.terrain_map = scenario.battlefield.terrain_map
        self.screens = screens(self.terrain_map, scenario.units_on_board)
        self.reading = READINGS[scenario.rulings["sight"]]

    def guns(self) -> Iterator[tuple[str, Look]]:
        """Yield each gun's lines to all squares in its range, with the gun's id."""
        for name, (_player, _brigade, unit) in self.scenario.units.items():
            if unit.kind.arm == "artillery" and unit.cell:
                yield from ((name, look) for look in self.within(unit.cell, self.reading))

    def rows(self, guns: Iterable[tuple[str | None, Look]]) -> Iterator[dict[str, Any]]:
        """Yield the lines as JSON-compatible values."""
        return ({"gun": gun} | self.row(look) for gun, look in guns)

    def within(self, start: Square, reading: Reading) -> Iterator[Look]:
        """Yield the lines from a square to all squares in the range of a gun."""
        for cell in self.terrain_map.field.within(start, artillery().range):
            if cell != start:
                yield judge(self.terrain_map.field, self.screens, reading, start, cell)

    def look(self, start: Square, end: Square) -> Look:
        """Return the line between two squares with its result."""
        return judge(self.terrain_map.field, self.screens, self.reading, start, end)

    def verifiable(self, looks: Iterable[Look]) -> Shown:
        """Return lines in the form that can be verified."""
        return Shown(self.terrain_map.field, self.screens, self.reading, tuple(looks))

    def proof(self) -> Iterator[tuple[dict[str, str], tuple[Shown]]]:
        """Yield all lines within the range of a gun, for each measure of the visible share."""
        field = self.terrain_map.field
        for name, reading in READINGS.items():
            gun_view = gun_looks(self.terrain_map, name)
            every = tuple(
                Look(start, end, share, ())
                for start in field.cells
                for end, share in gun_view.shares(self.screens, start).items()
            )
            yield {"sight": name}, (Shown(field, self.screens, reading, every),)

    def lines_from(self, start: str) -> Iterator[dict[str, Any]]:
        """Yield the lines from a square, given by its own name or a unit's.

        The key `gun` is None if there is no gun on the square.

        Raises:
            WrongUsageError: If the name is unknown.
        """
        at = self._square(start)
        guns = [unit.id for unit in self._units_on(at) if unit.kind.arm == "artillery"]
        return self.rows((guns[0] if guns else None, look) for look in self.within(at, self.reading))

    def find_look(self, start: str, end: str) -> Look:
        """Return the line between two squares, given by their own names or those of units.

        Raises:
            WrongUsageError: If a name is unknown or both ends are the same square.
        """
        ends = self._square(start), self._square(end)
        if ends[0] == ends[1]:
            raise WrongUsageError(tr("the two ends must be different squares"))
        return self.look(*ends)

    def row(self, look: Look) -> dict[str, Any]:
        """Return a line as JSON-compatible values."""
        name = self.terrain_map.field.name
        return {
            "from": name(look.start),
            "to": name(look.end),
            "distance": look.distance,
            "share": format_share(look.share),
            "in_sight": look.clear,
            "hidden_by": [name(cell) for cell in look.hidden_by],
            "hidden": [self._blocker_row(look, cell) for cell in look.hidden_by],
            "height": max(self.terrain_map.height(cell) for cell in (look.start, look.end)),
            "rulings": {"sight": self.scenario.rulings["sight"]},
            "fires": look.clear and artillery().near <= look.distance <= artillery().range,
        }

    def explain(self, look: Look) -> Words:
        """Explain a line in sentences."""
        texts, name = words()["sight"], self.terrain_map.field.name
        parts = [texts["ends"].fill(start=name(look.start), end=name(look.end), n=look.distance)]
        if any(self.terrain_map.height(cell) for cell in (look.start, look.end)):
            parts.append(texts["height"])
        if look.hidden_by:
            parts.append(
                texts["hidden"].fill(what=joined([self._describe_blocker(look, cell) for cell in look.hidden_by]))
            )
        values = {"share": format_share(look.share)}
        parts.append(texts["seen" if look.clear else "unseen" if look.share else "nothing"].fill(**values))
        if look.distance < artillery().near:
            parts.append(texts["near"])
        if look.distance > artillery().range:
            parts.append(texts["far"].fill(n=artillery().range))
        chosen = switches()["sight"][self.scenario.rulings["sight"]]
        parts.append(texts["ruling"].fill(text=chosen.text))
        return joined(parts, "\n", "\n")

    def _blocker_row(self, look: Look, cell: Square) -> dict[str, object]:
        """Return a blocking square as JSON-compatible values."""
        what = self._blocker(look, cell)
        row: dict[str, object] = {"square": self.terrain_map.field.name(cell), "what": what}
        return row | ({"units": [unit.id for unit in self._units_on(cell)]} if what == "unit" else {})

    def _blocker(self, look: Look, cell: Square) -> str:
        """Return the id of the terrain that blocks the line in a square, or `unit` if units block it."""
        terrain = self.terrain_map.terrain(cell)
        higher = terrain.height > max(self.terrain_map.height(look.start), self.terrain_map.height(look.end))
        return self.terrain_map.ground[cell] if terrain.blocks and (higher or not terrain.height) else "unit"

    def _describe_blocker(self, look: Look, cell: Square) -> Words:
        """Describe a blocking square with its terrain or units."""
        texts, what = words()["sight"], self._blocker(look, cell)
        name = terrains()[what].name.low if what != "unit" else joined([u.label for u in self._units_on(cell)])
        return texts["what"].fill(cell=self.terrain_map.field.name(cell), what=name)

    def _units_on(self, cell: Square) -> list[Unit]:
        """Return the units on a square."""
        return [unit for _, unit in self.scenario.units_on_board.get(cell, ())]

    def _square(self, name: str) -> Square:
        field, units = self.terrain_map.field, self.scenario.units
        spelt = {known.casefold(): known for known in units}
        exact, alike = units.get(name), units.get(spelt.get(name.casefold(), ""))
        # B1 is a brigadier and b1 is a square. A unit's id in another case is accepted only if no square has that
        # name.
        found = exact[2].cell if exact else field.find(name.lower()) or (alike[2].cell if alike else None)
        if found is None:
            hint = tr("give a square from a1 to {name}, or a unit", name=field.name(field.cells[-1]))
            raise WrongUsageError(tr("there is no square {name!r} on this field", name=name), hint=hint)
        return found


def format_share(share: Fraction) -> str:
    """Return a share in its printed form, such as `37/130`, or `1/1` for the whole."""
    return f"{share.numerator}/{share.denominator}"


def _line(row: Mapping[str, object]) -> Words:
    """Return a line of sight as one line of text for the terminal."""
    texts = words()["sight"]
    hidden = row["hidden_by"]
    by = texts["line_partly" if row["in_sight"] else "line_hidden"]
    what = by.fill(cells=" ".join(hidden)) if isinstance(hidden, list) and hidden else same("")
    verdict = texts["line_seen" if row["in_sight"] else "line_unseen"]
    gun = f"{row['gun']} " if row.get("gun") else ""
    values = {"gun": gun, "start": row["from"], "end": row["to"], "n": row["distance"]}
    return texts["line"].fill(**values, share=row["share"], verdict=verdict, hidden=what)


def _printed(scenario: Scenario) -> Iterator[Shown]:
    """Yield the lines of all guns under both rulings, which the pages, fairness and ruling effects use."""
    for reading in READINGS:
        query = SightQuery(replace(scenario, rulings={**scenario.rulings, "sight": reading}))
        yield query.verifiable(look for _, look in query.guns())


def _seen(scenario: Scenario) -> dict[Words, Words]:
    """Return the squares that each gun can see within its range."""
    terrain_map, units, holds = scenario.battlefield.terrain_map, scenario.units, words()["sight"]["line_seen"]
    looks, past = gun_looks(terrain_map, scenario.rulings["sight"]), screens(terrain_map, scenario.units_on_board)
    about, name = words()["stake_moves"]["about"], terrain_map.field.name
    return {
        about.fill(unit=unit.label, square=f"{name(unit.cell)}–{name(cell)}"): holds
        for _player, _brigade, unit in units.values()
        if unit.kind.arm == "artillery" and unit.cell
        for cell in looks.in_sight(past, unit.cell)
    }


def _reached(scenario: Scenario) -> dict[Words, Words]:
    """Return the squares that each unit can reach at the start of its player's turn."""
    texts, field = words()["stake_moves"], scenario.battlefield.terrain_map.field
    return {
        texts["about"].fill(unit=unit.label, square=field.name(cell)): texts["holds"]
        for _player, _brigade, unit in scenario.units.values()
        if unit.cell is not None and not reason_held(scenario, unit)
        for cell in sorted(_steps(scenario, unit, unit.cell), key=field.index.__getitem__)
    }


def _shelled(scenario: Scenario) -> dict[Words, Words]:
    """Return the number of shots out of 100 from each distance that remove a massed unit.

    Each unit on a shared square is listed separately.
    """
    texts, guns, name = words()["stake_shots"], artillery(), scenario.battlefield.terrain_map.field.name
    on, ranges = cast(MassedOn, scenario.rulings["massed"]), range(guns.near, guns.range + 1)
    found = {}
    for cell, there in scenario.units_on_board.items():
        for _player, unit in there if len(there) > 1 or any(unit.square for _player, unit in there) else ():
            lost = [Shot(far, massed=True, massed_on=on).removes(unit.kind.rally) for far in ranges]
            odds = joined([same(str(round(100 * chance))) for chance in lost])
            about = texts["about"].fill(unit=unit.label, square=name(cell))
            found[about] = texts["holds"].fill(odds=odds, near=guns.near, far=guns.range)
    return found


def _ways_out(scenario: Scenario) -> dict[Words, Words]:
    """Return the edge to which each fighting unit would run, and the distance."""
    texts, field = words()["stake_runs"], scenario.battlefield.terrain_map.field
    found = {}
    for player, _brigade, unit in scenario.units.values():
        if unit.cell is None or not unit.kind.fights:
            continue
        near, far = unit.cell.r, field.rows - 1 - unit.cell.r
        ways = {"own": near if player == "blue" else far, "left": unit.cell.c}
        ways |= {"right": field.columns - 1 - unit.cell.c, "enemy": far if player == "blue" else near}
        steps = ways["own"] if scenario.rulings["run_edge"] == "own" else min(ways.values())
        edges = ["own"] if ways["own"] == steps else [way for way in ways if ways[way] == steps]
        found[unit.label] = texts["holds"].fill(edge=joined([texts[edge] for edge in edges]), n=steps)
    return found


def _rallied(scenario: Scenario) -> dict[Words, Words]:
    """Return how likely each unit next to its brigadier is to rally if it runs from a melee now."""
    texts, name = words()["stake_rallies"], scenario.battlefield.terrain_map.field.name
    found = {}
    for _player, brigade, unit in scenario.units.values():
        by = brigade.brigadier.cell if brigade.brigadier else None
        if unit.cell is None or by is None or not unit.kind.fights or distance(unit.cell, by) > 1:
            continue
        automatic = scenario.rulings["brigadier_rally"] == "automatic"
        holds = texts["always"] if automatic else texts["holds"].fill(odds=round(100 * at_least(unit.kind.rally)))
        found[texts["about"].fill(unit=unit.label, square=name(unit.cell))] = holds
    return found


def ruling_stakes() -> tuple[RulingImpact[Scenario], ...]:
    """Return the effects of each ruling in this position on sight, moves, shots, routs and rallies."""
    texts = words()
    return (
        RulingImpact("sight", _seen, ("sight",)),
        RulingImpact("moves", _reached, ("road_strict",), texts["stake_moves"]),
        RulingImpact("shots", _shelled, ("massed",), texts["stake_shots"]),
        RulingImpact("runs", _ways_out, ("run_edge",), texts["stake_runs"]),
        RulingImpact("rallies", _rallied, ("brigadier_rally",), texts["stake_rallies"]),
    )


SIGHT: SightTool[Scenario] = SightTool(
    pairs=lambda scenario: (asked := SightQuery(scenario)).rows(asked.guns()),
    pair=lambda scenario, a, b: (asked := SightQuery(scenario)).row(asked.find_look(a, b)),
    lines_from=lambda scenario, a: SightQuery(scenario).lines_from(a),
    explain=lambda scenario, a, b: (asked := SightQuery(scenario)).explain(asked.find_look(a, b)),
    line=_line,
    claims=SightClaims(
        rows=lambda scenario, rows: (
            (asked := SightQuery(scenario)).verifiable(asked.find_look(row["from"], row["to"]) for row in rows),
        ),
        printed=_printed,
        proof=lambda scenario: SightQuery(scenario).proof(),
        rulings=lambda scenario: scenario.rulings,
        readings=choice_texts([switches()["sight"]]),
    ),
)
