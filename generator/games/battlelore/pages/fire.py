"""Fields of fire: what each bow unit can shoot at from where it stands, and what blocks it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from generator.games.battlelore.battle import CampUnit
from generator.games.battlelore.forces.units import Unit
from generator.games.battlelore.ground.board import Board, Camp
from generator.games.battlelore.lore import lore
from generator.games.battlelore.pages.mapsheet import hex_name, map_view, part
from generator.games.battlelore.play.sight import screens
from generator.games.battlelore.words import words
from generator.grid.hexes import Hex, distance
from generator.model.views import Legend, MapView, Ray, Shade
from generator.model.words import Words, joined, same
from generator.sight.lines import Screens, Sight, judge


@dataclass(frozen=True)
class Field:
    """One bow unit's field of fire: the line to every hex in its range."""

    camp: Camp
    unit: Unit
    at: Hex
    seen: tuple[Hex, ...]
    blocked: tuple[Sight, ...]
    targets: tuple[Unit, ...]
    """Enemy units it could shoot at now."""


def fields_of_fire(board: Board, units: Iterable[CampUnit], rulings: Mapping[str, str]) -> tuple[Field, ...]:
    """The field of fire of every bow unit on the board, in the units' order."""
    units = tuple(units)
    over = screens(board, (u.hex for _, u in units if u.hex), rulings)
    return tuple(
        _field(board, units, over, camp, unit, unit.hex) for camp, unit in units if unit.hex and unit.kind.bow
    )


def _field(board: Board, units: tuple[CampUnit, ...], over: Screens, camp: Camp, unit: Unit, at: Hex) -> Field:
    reach = lore().weapons[unit.kind.weapon].range
    lines = [judge(over, at, cell) for cell in board.field.cells if 2 <= distance(at, cell) <= reach]
    seen = tuple(line.end for line in lines if line.clear)
    targets = tuple(u for other, u in units if other != camp and u.hex in seen)
    return Field(camp, unit, at, seen, tuple(line for line in lines if not line.clear), targets)


def fire_map(board: Board, field: Field, units: Iterable[CampUnit]) -> MapView:
    """A small map of one field of fire: what is seen, what is not, what stops the lines; rays go to enemies."""
    units = tuple(units)
    enemies = {u.hex for camp, u in units if camp != field.camp}
    stops = {cell for line in field.blocked for cell in line.blocked_by}
    rays = [Ray(field.at, cell) for cell in field.seen if cell in enemies]
    rays += [Ray(field.at, b.end, b.blocked_by[0]) for b in field.blocked if b.end in enemies and b.blocked_by]
    whole = map_view(
        board,
        units,
        shades=(
            Shade("seen", tuple(c for c in field.seen if c not in stops)),
            Shade("blocked", tuple(b.end for b in field.blocked if b.end not in stops)),
            Shade("stop", tuple(c for c in board.field.cells if c in stops)),
        ),
        rays=tuple(rays),
        small=True,
    )
    return part(whole, board.field.around(field.at, lore().weapons[field.unit.kind.weapon].range))


def fire_key() -> tuple[Legend, ...]:
    """What the shades of a fire map mean."""
    say = words()["fire"]
    looks = {"seen": "seen", "blocked": "blocked_key", "stop": "stop", "ray": "ray", "break": "break"}
    return tuple(Legend(look, say[word]) for look, word in looks.items())


def fire_row(board: Board, field: Field) -> dict[str, object]:
    """A field of fire as a row of the table."""
    say = words()["fire"]
    weapon = lore().weapons[field.unit.kind.weapon]
    by: dict[str, list[str]] = {}
    for line in field.blocked:
        stops = "+".join(hex_name(board, c) for c in line.blocked_by)
        by.setdefault(stops, []).append(hex_name(board, line.end))
    blocked = [
        Words(f"{' '.join(cells)} ({stop or say['edge'].en})", f"{' '.join(cells)}（{stop or say['edge'].ja}）")
        for stop, cells in by.items()
    ]
    targets = [say["target"].fill(unit=u.id, hex=hex_name(board, u.hex)) for u in field.targets]
    whole = len(field.seen) + len(field.blocked)
    return {
        "id": field.unit.id,
        "kind": field.unit.kind.name,
        "hex": hex_name(board, field.at),
        "range": weapon.range,
        "sees": say["sees"].fill(n=len(field.seen), m=whole),
        "blocked": joined(blocked) if blocked else say["none"],
        "seen": same(" ".join(hex_name(board, c) for c in field.seen)) if field.seen else say["none"],
        "targets": joined(targets) if targets else say["none"],
    }
