"""Boxes and tables that several sheets share.

How much room the sheets give, from data/blind_faith/sheets.toml.

The tables of a pack as sheets print them, and the same with nothing in them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import groupby

import msgspec

from generator.common.whose import is_owners, own_told
from generator.games.blind_faith.ground import words
from generator.games.blind_faith.maps import unit_token
from generator.games.blind_faith.pack import Pack
from generator.games.blind_faith.pages.pictures import dots, faces
from generator.games.blind_faith.pages.pictures import losses as squares
from generator.games.blind_faith.tables import Fate, Hit, Losses, Side, Unit, spans
from generator.model.views import Figure, Token
from generator.model.words import Words, joined, same
from generator.notation import toml
from generator.store.folders import shipped


class _Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table of the file."""


class LineRoom(_Row, frozen=True):
    """The defender's line."""

    columns: int
    deep: int
    named: int


class WorksheetRoom(_Row, frozen=True):
    """The interception worksheet."""

    stacks: int
    rows: int
    blank: int
    half: int


class RecordRoom(_Row, frozen=True):
    """Stack records."""

    stacks: int
    classes: int
    boxes: int
    half: int
    head: float
    stack: float
    scale: float
    line: float
    note: float
    high: float
    full: float
    low: float
    box: float
    back: int


class BlankRoom(_Row, frozen=True):
    """Blank tables."""

    units: int
    charge: int
    response: int


class OddsRoom(_Row, frozen=True):
    """How much the odds page tells of."""

    lost: int
    rounds: int


class Counters(_Row, frozen=True):
    """What is cut out, and the hexes of a map at true size that it lies on."""

    width: float
    hex: float
    each: int


class Room(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """sheets.toml as it stands."""

    rounds: int
    turns: int
    line: LineRoom
    worksheet: WorksheetRoom
    records: RecordRoom
    blank: BlankRoom
    odds: OddsRoom
    counters: Counters


@cache
def room() -> Room:
    """The shipped sheets.toml."""
    return toml.read(shipped("data") / "blind_faith" / "sheets.toml", Room)


NONE = "–"


def short(result: str) -> Words:
    """The letter of a result."""
    return words()["short"][result]


def key() -> Words:
    """What the letters mean."""
    named = {f: short(f) for f in ("rout", "eliminate", "breach")}
    return words()["reference"]["key"].fill(**named)


def cell(results: Sequence[Hit]) -> Words:
    """A cell of fire or bombardment in few letters: `R5 E6`."""
    told = [
        Words(f"{short(hit).en}{dice}", f"{short(hit).ja}{dice}")
        for hit, first, last in spans(results)
        for dice in [f"{first}" if first == last else f"{first}–{last}"]
    ]
    return _spaced(told)


def losses(cost: Losses) -> Words:
    """A cell of the response table in few letters: `1R 2E`."""
    counts = (("rout", cost.rout), ("eliminate", cost.eliminate))
    return _spaced([Words(f"{n}{short(f).en}", f"{n}{short(f).ja}") for f, n in counts if n])


def _spaced(told: Sequence[Words]) -> Words:
    if not told:
        return same(NONE)
    return joined(told, " ", " ")


def fate(result: Fate) -> Words:
    """A result of a charge."""
    return same(NONE) if result == "none" else short(result)


def tokens(pack: Pack) -> dict[str, Token]:
    """A counter of each class by its id, in the colours of the first side that has it."""
    return {unit.id: unit_token(pack, unit.sides[0], unit.id) for unit in pack.units.values()}


def fires(pack: Pack, unit: Unit) -> Words:
    """When a class fires: attacking, defending, at how many boxes."""
    say = words()["record"]
    found = {role: say[role] for role in unit.fires}
    if "defence" in found and unit.each_box:
        each = f"×{pack.boxes}"
        found["defence"] = Words(found["defence"].en + each, found["defence"].ja + each)
    return _spaced(list(found.values()))


def signed(drm: int) -> str:
    """A modifier with its sign."""
    return f"{drm:+d}".replace("-", "−") if drm else "0"


def tables(pack: Pack) -> dict[str, object]:
    """Every table of a pack."""
    table = pack.charge
    highest = table.lowest + len(table.results) - 1
    return {
        "key": key(),
        "units": [_unit(pack, unit) for unit in pack.units.values()],
        "types": [kind.name for kind in pack.types],
        "fire": list(_rows(pack, "fire")),
        "walls": [wall.name for wall in pack.walls],
        "bombard": list(_rows(pack, "bombard")),
        "charge": [
            {
                "die": _end(die, table.lowest, highest),
                "defender": fate(result.defender),
                "charger": fate(result.charger),
                "figures": [_named([result.defender]), _named([result.charger])],
            }
            for die, result in enumerate(table.results, table.lowest)
        ],
        "response": list(_response(pack)),
        "dice": list(range(1, 1 + max(len(column.results) for column in pack.response.columns))),
        "finder": list(finder(pack)),
        "pack": pack_told(pack),
    }


def _named(results: Sequence[Hit | Fate]) -> str:
    """What the picture of some results is called."""
    return "faces_" + "".join(result[0] for result in results)


def pictures(pack: Pack) -> dict[str, Figure]:
    """What the tables of a pack count with: movement points, die faces and losses, by the names the tables use."""
    results: list[Sequence[Hit | Fate]] = [*pack.fire.values(), *pack.bombard.values()]
    results += [[fate] for result in pack.charge.results for fate in (result.defender, result.charger)]
    found: dict[str, Figure] = {_named(each): faces(each) for each in results}
    found |= {f"move{unit.movement}": dots(unit.movement) for unit in pack.units.values()}
    costs = (cost for column in pack.response.columns for cost in column.results)
    return found | {f"lost{cost.rout}_{cost.eliminate}": squares(cost) for cost in costs}


def pack_told(pack: Pack) -> Words:
    """Whose the tables are."""
    say = words()["reference"]
    if not is_owners(pack):
        return say["house_pack"]
    told = own_told(words()["blind_faith"]["house_pack"], pack.name)
    return say["pack"].fill(name=told, note=pack.note) if pack.note.en or pack.note.ja else told


def _end(die: int, lowest: int, highest: int) -> str:
    """A modified die; the ends stand for all beyond them."""
    sign = "≤" if die == lowest else "≥" if die == highest else ""
    return f"{sign}{die}".replace("-", "−")


def _unit(pack: Pack, unit: Unit) -> dict[str, object]:
    yes = words()["reference"]["yes"]
    return {
        "id": unit.id,
        "name": unit.name,
        "movement": unit.movement,
        "drm": signed(unit.drm),
        "fires": fires(pack, unit),
        "intercepts": yes if unit.intercepts else NONE,
        "bombards": yes if unit.bombards else NONE,
        "points": unit.points,
    }


def _rows(pack: Pack, which: str) -> Iterator[dict[str, object]]:
    """The lines of fire or bombardment: who, and what happens to whom."""
    shots, columns = (pack.fire, pack.types) if which == "fire" else (pack.bombard, pack.walls)
    named = {kind.id: kind.name for kind in pack.types}
    for row in dict.fromkeys(row for row, _ in shots):
        every = [shots[row, column.id] for column in columns]
        yield {"name": named[row], "cells": [*map(cell, every)], "figures": [*map(_named, every)]}


def _response(pack: Pack) -> Iterator[dict[str, object]]:
    for column, bounds in zip(pack.response.columns, pack.response.bounds(), strict=True):
        costs = column.results
        yield {
            "name": span(*bounds),
            "cells": [losses(cost) for cost in costs],
            "figures": [f"lost{cost.rout}_{cost.eliminate}" for cost in costs],
        }


def span(least: int, most: int | None) -> str:
    """Numbers from the least to the most; a plus where there is no most."""
    return f"{least}+" if most is None else str(least) if least == most else f"{least}–{most}"


def columns_of(pack: Pack, units: Iterable[int]) -> list[tuple[int, int, str, int]]:
    """For runs of numbers of units the first and last, the name of their response column, and the drm."""
    bounds = pack.response.bounds()
    found = []
    for (at, drm), run in groupby(units, key=pack.response.column):
        counts = list(run)
        found.append((counts[0], counts[-1], span(*bounds[at]), drm))
    return found


def finder(pack: Pack) -> Iterator[dict[str, object]]:
    """Which column so many units answer in, to three steps beyond the last."""
    most = pack.response.columns[-1].start + 4 * pack.response.step - 1
    for first, last, name, drm in columns_of(pack, range(1, most + 1)):
        yield {"units": span(first, last), "column": name, "drm": signed(drm)}


def counters(pack: Pack, side: Side, units: Iterable[str]) -> dict[str, Token]:
    """The counters of a side's classes, by `side.class`."""
    return {f"{side}.{unit}": unit_token(pack, side, unit) for unit in units}
