"""Print the field of fire and dead ground of each gun, and the commanders' cards of odds."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from generator.common.tables import NEVER, percent
from generator.games.travel_battle.maps import coordinates, map_view
from generator.games.travel_battle.model import OTHER, SIDES, Scenario, Side, Unit
from generator.games.travel_battle.pages.reference import die
from generator.games.travel_battle.play import READINGS, screens
from generator.games.travel_battle.prospects import (
    Attack,
    Battery,
    Exposure,
    attacks,
    batteries,
    commonest_kind,
    exposure_label,
    exposures,
    outcome,
)
from generator.games.travel_battle.tables import artillery, at_least, numbers, words
from generator.grid.hexes import Part
from generator.grid.squares import Point, Square, centre, distance
from generator.model.legends import keep_drawn
from generator.model.views import Figure, Legend, MapView, Note, Shade, Sheet
from generator.model.words import joined, same
from generator.sight.squares import Look, judge

ON_A_PAGE = 4
"""The number of guns on a page."""
DIE_SIZE = 0.42
"""The type size of numbers on the maps, in squares."""

T = TypeVar("T")


class Field(Struct, frozen=True):
    """The field of fire of a gun, which contains each square in range except the adjacent ones."""

    player: Side
    unit: Unit
    at: Square
    seen: tuple[Square, ...]
    dead: tuple[Look, ...]
    """The lines of sight to squares that are not sufficiently visible."""


def fields_of_fire(scenario: Scenario) -> tuple[Field, ...]:
    """Return the field of fire of each gun on the field, Blue's guns first."""
    terrain_map = scenario.battlefield.terrain_map
    over, reading = screens(terrain_map, scenario.units_on_board), READINGS[scenario.rulings["sight"]]

    def field(player: Side, unit: Unit, at: Square) -> Field:
        near = [
            cell for cell in terrain_map.field.within(at, artillery().range) if distance(at, cell) >= artillery().near
        ]
        looks = [judge(terrain_map.field, over, reading, at, cell) for cell in near]
        seen = tuple(look.end for look in looks if look.clear)
        return Field(player, unit, at, seen, tuple(look for look in looks if not look.clear))

    return tuple(
        field(player, unit, unit.cell)
        for player in SIDES
        for unit in scenario.armies[player].units
        if unit.kind.arm == "artillery" and unit.cell
    )


def fire_sheet(scenario: Scenario) -> Sheet:
    """Return the sheet of all guns' fields of fire, four to a page."""
    texts, fields, rows = words()["fire"], fields_of_fire(scenario), between(scenario)
    apart = rows.stop - rows.start + 1
    of = {"first": rows.start + 1, "last": rows.stop}
    maps = {field.unit.id: fire_map(scenario, field) for field in fields}
    key = replace(map_view(scenario.battlefield, small=True), legend=keep_drawn(_key(), *maps.values()))
    figures: dict[str, Figure] = {**maps, "key": key}
    return Sheet(
        part="fire",
        title=texts["title"],
        template="travel_battle/fire.xml",
        view={
            "intro": texts["intro"].fill(n=apart) if apart > artillery().range else texts["intro_near"],
            "size": ON_A_PAGE,
            "guns": [_row(scenario, field, rows) for field in fields],
            "distances": [{"far": n, "die": die(n), "chance": percent(at_least(n))} for n in _distances()],
            "counts": texts["counts"].fill(**of),
            "dead": texts["dead_list"].fill(**of),
        },
        figures=figures,
        pages=max(1, -(-len(fields) // ON_A_PAGE)),
    )


def between(scenario: Scenario) -> range:
    """Return the rows between the players' home rows, counted from 0."""
    return range(numbers().rows, scenario.battlefield.terrain_map.field.rows - numbers().rows)


def fire_map(scenario: Scenario, field: Field) -> MapView:
    """Return a map of the squares in a gun's range, with the die needed to hit each square, and with dead ground."""
    whole, reach = scenario.battlefield.terrain_map.field, artillery().range
    cells = whole.within(field.at, reach)
    inside = frozenset(cells)
    view = map_view(scenario.battlefield, scenario.armies, small=True)
    dead = tuple(look.end for look in field.dead)
    hits = (
        Note(centre(cell), same(die(distance(field.at, cell))), DIE_SIZE, plate=True)
        for cell in field.seen
        if cell not in scenario.units_on_board
    )
    return replace(
        view,
        grid=Part(whole, cells),
        ground=_here(view.ground, cells),
        roads=_here(view.roads, cells),
        borders=tuple(_seams(view, cells)),
        tokens=tuple(row for row in view.tokens if row[0] in inside),
        shades=(Shade("seen", field.seen), Shade("dead", dead)),
        notes=(*hits, *coordinates(whole, cells)),
    )


def odds_cards(scenario: Scenario) -> Iterator[Sheet]:
    """Yield a card of odds for each commander, the first player's card first."""
    guns, fights, alike = tuple(batteries(scenario)), tuple(attacks(scenario)), tuple(exposures(scenario))
    for player in (scenario.first_mover, OTHER[scenario.first_mover]):
        yield _card(
            scenario,
            player,
            tuple(of for of in guns if of.player == player),
            tuple(of for of in fights if of.player == player),
            tuple(of for of in alike if of.player == player),
        )


def _card(
    scenario: Scenario,
    player: Side,
    guns: tuple[Battery, ...],
    fights: tuple[Attack, ...],
    alike: tuple[Exposure, ...],
) -> Sheet:
    texts, name = words()["prospects"], scenario.battlefield.terrain_map.field.name
    maps = {of.gun.id: pay_map(scenario, of) for of in guns if of.shots}
    key = replace(map_view(scenario.battlefield, small=True), legend=keep_drawn(_pay_key(), *maps.values()))
    figures: dict[str, Figure] = {**maps, "key": key}
    kinds, head = [kind for kind, _ in alike[0].by] if alike else [], words()["fire"]["head"]
    return Sheet(
        part="odds",
        title=texts["title"],
        template="travel_battle/prospects.xml",
        view={
            "intro": texts["card_guns"].fill(kind=commonest_kind(scenario.roster).name.low),
            "guns": [
                {"id": of.gun.id, "head": head.fill(unit=of.gun.label, cell=name(of.cell))} for of in guns if of.shots
            ],
            "silent": [texts["engaged"].fill(unit=of.gun.label, at=name(of.cell)) for of in guns if of.engaged],
            "fights": [_fight_row(scenario, one) for one in fights],
            "kinds": [kind.name for kind in kinds],
            "stands": [
                {
                    "who": exposure_label(of),
                    "units": joined([unit.label for unit in of.units]),
                    "cells": [
                        texts["exchange"].fill(own=percent(lost), enemy=percent(won))
                        for kind, fight in of.by
                        for lost, won in [outcome(of.units[0].kind, kind, fight)]
                    ],
                }
                for of in alike
            ],
        },
        figures=figures,
        side=words()["player"][player],
        pages=3 + len(guns) // ON_A_PAGE,
    )


def _fight_row(scenario: Scenario, of: Attack) -> dict[str, object]:
    texts, name = words()["prospects"], scenario.battlefield.terrain_map.field.name
    chances = (of.won, of.fight.defender_results["back"], of.fight.odds[0], of.lost)
    return {
        "unit": texts["named"].fill(unit=of.unit.label, kind=of.unit.kind.name.low),
        "enemy": texts["named"].fill(unit=of.enemy.label, kind=of.enemy.kind.name.low),
        "way": texts["after"].fill(at=name(of.start), n=of.steps) if of.steps else texts["here"],
        "dice": f"{of.fight.attacker.dice} : {of.fight.defender.dice}",
        "chances": [percent(chance) for chance in chances],
    }


PAYS = (5, 10, 15)
"""The percentages at which a square of a gun's field is drawn one step darker."""


def pay_map(scenario: Scenario, of: Battery) -> MapView:
    """Return a map of the squares in a gun's range, with the chance for each that a shot removes a unit."""
    whole = scenario.battlefield.terrain_map.field
    cells = tuple(cell for cell in whole.cells if distance(of.cell, cell) <= artillery().range)
    view = fire_map(scenario, Field(of.player, of.gun, of.cell, (), ()))
    tints: dict[int, list[Square]] = {}
    for aim in of.shots:
        tints.setdefault(1 + sum(100 * aim.pays >= step for step in PAYS), []).append(aim.at)
    notes = (
        Note(centre(aim.at), same(percent(aim.pays)), DIE_SIZE, plate=True) for aim in of.shots if not aim.targets
    )
    shot = (
        Note((x + 0.45, y - 0.55), same(percent(aim.pays)), DIE_SIZE, plate=True)
        for aim in of.shots
        for x, y in [centre(aim.at)]
        if aim.targets
    )
    shades = tuple(Shade(f"danger{n}", tuple(tints[n])) for n in sorted(tints))
    return replace(view, shades=shades, notes=(*notes, *shot, *coordinates(whole, cells)))


def _pay_key() -> tuple[Legend, ...]:
    texts = words()["prospects"]
    ends = [*(texts["up_to"].fill(n=n) for n in PAYS), texts["more"]]
    return tuple(Legend(f"danger{n}", text) for n, text in enumerate(ends, 1))


def _here(of: Mapping[Square, T], cells: Collection[Square]) -> dict[Square, T]:
    """Return the entries of a mapping for these squares."""
    return {cell: of[cell] for cell in cells if cell in of}


def _seams(view: MapView, cells: Collection[Square]) -> Iterator[tuple[Point, ...]]:
    """Yield the parts of the lines between boards that are inside a part of the field."""
    left, right = 2 * min(c.c for c in cells) - 1, 2 * max(c.c for c in cells) + 1
    low, high = 2 * min(c.r for c in cells) - 1, 2 * max(c.r for c in cells) + 1
    for line in view.borders:
        ends = tuple((min(max(x, left), right), min(max(y, low), high)) for x, y in line)
        inside = all(left < x < right for x, _ in line) or all(low < y < high for _, y in line)
        if inside and len(set(ends)) > 1:
            yield ends


def _key() -> tuple[Legend, ...]:
    """Return the legend of the shades."""
    texts = words()["fire"]
    return Legend("seen", texts["reach"]), Legend("dead", texts["dead"])


def _distances() -> range:
    return range(artillery().near, artillery().range + 1)


def _row(scenario: Scenario, field: Field, rows: range) -> dict[str, object]:
    """Return the table row of a field of fire, which counts only squares in the given rows."""
    texts, name = words()["fire"], scenario.battlefield.terrain_map.field.name
    seen = [distance(field.at, cell) for cell in field.seen if cell.r in rows]
    dead = [look for look in field.dead if look.end.r in rows]
    by: dict[Square, list[str]] = {}
    for look in dead:
        by.setdefault(_culprit(scenario, look), []).append(name(look.end))
    hidden = [texts["hidden"].fill(cells=" ".join(cells), by=name(what)) for what, cells in by.items()]
    whole = {"n": len(seen), "m": len(seen) + len(dead), "first": rows.start + 1, "last": rows.stop}
    return {
        "id": field.unit.id,
        "player": words()["player"][field.player],
        "head": texts["head"].fill(unit=field.unit.label, cell=name(field.at)),
        "commands": texts["commands"].fill(**whole),
        "counts": [seen.count(n) or NEVER for n in _distances()],
        "all": len(seen),
        "dead": joined(hidden) if hidden else texts["nothing"],
    }


def _culprit(scenario: Scenario, look: Look) -> Square:
    """Return the square that hides the largest part of a target on its own. Among equal ones, the nearest square."""
    view = READINGS[scenario.rulings["sight"]](look.end - look.start)
    return min(look.hidden_by, key=lambda cell: view.share([cell - look.start]))
