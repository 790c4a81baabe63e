"""Sides, terrain, tables and switches, from data/blind_faith/.

The tables of fire, bombardment, charge and response, and how their cells are read.

What the ground of operational maps asks of those who march, from data/blind_faith/terrain.toml.

Sides, unit classes and legates, as a pack states them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import groupby, pairwise
from typing import Annotated, Literal, NamedTuple, get_args

import msgspec

from generator.common.interpretations import Ruling, Source, rulings
from generator.model.words import Words
from generator.notation import toml
from generator.notation.validation import named, spelt
from generator.said import say

Fate = Literal["none", "rout", "eliminate"]
Hit = Literal["none", "rout", "eliminate", "breach"]
FATES: tuple[Fate, ...] = get_args(Fate)
DIE = 6
FACES = range(1, DIE + 1)

_DASHES = str.maketrans("–—−‐〜~", "------")
_RANGE = re.compile(r"([a-z]+) ([1-6])(?:-([1-6]))?")
_CHARGE = re.compile(r"(defender|charger) (rout|eliminate)")
_LOSS = re.compile(r"([1-9]|[1-9][0-9]) (rout|eliminate)")


class Clash(NamedTuple):
    """What a charge does to the two who meet."""

    defender: Fate = "none"
    charger: Fate = "none"


class Losses(NamedTuple):
    """How many of the attacker's units a response costs."""

    rout: int = 0
    eliminate: int = 0


Shots = Mapping[tuple[str, str], tuple[Hit, ...]]
"""By the type that fires and what it fires at: what each face of the die does, from 1."""


class ChargeTable(msgspec.Struct, frozen=True):
    """Results by the modified die, from `lowest`; the ends stand for all beyond them (ruling)."""

    lowest: int
    results: tuple[Clash, ...]

    def at(self, modified: int) -> Clash:
        """The result of a modified die."""
        return self.results[min(max(modified - self.lowest, 0), len(self.results) - 1)]


class Column(msgspec.Struct, frozen=True):
    """A column of the response table: the fewest units of the defender that reach it, and results by the die."""

    start: int
    results: tuple[Losses, ...]


class ResponseTable(msgspec.Struct, frozen=True):
    """The response table; beyond its last column every `step` units more give +1."""

    columns: tuple[Column, ...]
    step: int

    def column(self, units: int) -> tuple[int, int]:
        """Which column (from 0) and what drm so many defending units, at least one, have."""
        at = max(i for i, column in enumerate(self.columns) if units >= column.start)
        last = len(self.columns) - 1
        return at, (units - self.columns[at].start) // self.step if at == last else 0

    def at(self, units: int, die: int) -> Losses:
        """What a die costs the attacker; no units, no response."""
        if not units:
            return Losses()
        column, drm = self.column(units)
        results = self.columns[column].results
        return results[min(die + drm, len(results)) - 1]

    def bounds(self) -> tuple[tuple[int, int | None], ...]:
        """The fewest and most units of each column; the last has no most."""
        starts = [column.start for column in self.columns]
        return (*((a, b - 1) for a, b in pairwise(starts)), (starts[-1], None))


def spans(faces: Sequence[Hit]) -> tuple[tuple[Hit, int, int], ...]:
    """A cell as it prints: each result that does something, with its first and last face."""
    runs = [(hit, [face for face, _ in run]) for hit, run in groupby(enumerate(faces, 1), key=lambda f: f[1])]
    return tuple((hit, run[0], run[-1]) for hit, run in runs if hit != "none")


def read_faces(cell: str, accepted: Sequence[Hit]) -> tuple[Hit, ...]:
    """`rout 4-5, eliminate 6` as a result for each face; ValueError says what is wrong with it."""
    faces: list[Hit] = ["none"] * DIE
    for part in _parts(cell):
        match = _RANGE.fullmatch(part)
        word = next((hit for hit in accepted if match and match[1] == hit), None)
        if not match or not word:
            raise ValueError(
                say("{part!r} is no result with its dice, such as {name} 5-6", part=part, name=accepted[0])
            )
        first, last = int(match[2]), int(match[3] or match[2])
        if last < first:
            raise ValueError(say("the dice of {part!r} run backwards", part=part))
        for face in range(first, last + 1):
            if faces[face - 1] != "none":
                raise ValueError(say("the die {face} stands twice", face=face))
            faces[face - 1] = word
    return tuple(faces)


def read_clash(cell: str) -> Clash:
    """`defender rout, charger rout`; ValueError says what is wrong with it."""
    found: dict[str, Fate] = {}
    for part in _parts(cell):
        match = _CHARGE.fullmatch(part)
        if not match:
            raise ValueError(
                say("{part!r} is none of: none, defender rout, defender eliminate, charger rout …", part=part)
            )
        if match[1] in found:
            raise ValueError(say("{name} stands twice", name=match[1]))
        found[match[1]] = "rout" if match[2] == "rout" else "eliminate"
    return Clash(**found)


def read_losses(cell: str) -> Losses:
    """`1 rout, 2 eliminate`; ValueError says what is wrong with it."""
    found: dict[str, int] = {}
    for part in _parts(cell):
        match = _LOSS.fullmatch(part)
        if not match:
            raise ValueError(say("{part!r} is no loss, such as 2 rout", part=part))
        if match[2] in found:
            raise ValueError(say("{name} stands twice", name=match[2]))
        found[match[2]] = int(match[1])
    return Losses(**found)


def _parts(cell: str) -> list[str]:
    """A cell's parts in plain letters; none of them for `none`."""
    text = unicodedata.normalize("NFKC", cell).translate(_DASHES).replace("、", ",").strip().lower()
    return [] if text == "none" else [re.sub(r"\s*-\s*", "-", " ".join(p.split())) for p in text.split(",")]


class Terrain(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of ground; see the head of terrain.toml."""

    id: str
    name: Words
    symbol: str
    move: int | None = None
    water: bool = False


class PlaceKind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of place that stands on the ground, with its kind of wall by the id in the house pack."""

    id: str
    name: Words
    wall: str


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    source: Source
    terrain: tuple[Terrain, ...]
    place: tuple[PlaceKind, ...]


@cache
def terrains() -> Mapping[str, Terrain]:
    """Every terrain by its id."""
    return {terrain.id: terrain for terrain in _file().terrain}


@cache
def by_symbol() -> Mapping[str, Terrain]:
    """Every terrain by its letter in a drawn map."""
    return {terrain.symbol: terrain for terrain in terrains().values()}


@cache
def place_kinds() -> Mapping[str, PlaceKind]:
    """Every kind of place by its id."""
    return {kind.id: kind for kind in _file().place}


def terrain_source() -> Source:
    """Whose the costs are."""
    return _file().source


_file = toml.shipped_table("blind_faith/terrain.toml", _File)


Side = Literal["hussite", "crusader"]
Role = Literal["attack", "defence"]
Symbol = Literal["wagon", "cavalry", "foot", "handgun_horse", "leader", "siege", "cardinal"]
SIDES: tuple[Side, ...] = get_args(Side)
ROLES: tuple[Role, ...] = get_args(Role)

UnitLine = tuple[str, ...]
"""Ids of unit classes, one for each unit, in the pack's order: a stack, a front, a reserve."""


_Id = Annotated[str, spelt("[a-z][a-z0-9_]*", "an id of small letters, digits and _")]
_Name = Annotated[Words, named()]


class Named(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something with an id and a name: a type of unit, a kind of wall."""

    id: _Id
    """By which tables know it: small letters, digits and `_`."""
    name: _Name
    """What it is called."""


class Unit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A class of unit; each unit of a stack is one of some class."""

    id: _Id
    """By which scenarios know it: small letters, digits and `_`."""
    name: _Name
    """What it is called."""
    sides: Annotated[tuple[Side, ...], msgspec.Meta(min_length=1)]
    """Who has it."""
    type: str
    """What it is in the tables: the line it fires on, the column it is fired at in."""
    symbol: Symbol
    """What its counter shows."""
    movement: Annotated[int, msgspec.Meta(ge=1, le=30)]
    """Movement points."""
    drm: Annotated[int, msgspec.Meta(ge=-6, le=6)]
    """Added to the die when it charges, taken off when it is charged."""
    points: Annotated[int, msgspec.Meta(ge=1, le=99)]
    """What it costs; a house measure."""
    fires: tuple[Role, ...] = ()
    """When it fires."""
    each_box: bool = False
    """Defending, it fires at every front box of the attacker, a die each."""
    intercepts: bool = False
    """It may intercept."""
    infantry: bool = False
    """It is left behind when its stack intercepts."""
    bombards: bool = False
    """It may bombard in a siege."""
    most: Annotated[int, msgspec.Meta(ge=0, le=99)] = 0
    """How many there are of it, 0 for as many as one likes."""
    crusade: bool = False
    """It is there only while a crusade is on."""


class Legate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A papal legate: a marker, or a unit where `unit` names its class."""

    id: _Id
    """By which scenarios know him: small letters, digits and `_`."""
    name: _Name
    """What he is called."""
    unit: str = ""
    """The class of unit that he is; none where he is a marker."""


@cache
def switches() -> Mapping[str, Ruling]:
    """The rulings that a scenario of this game names."""
    return rulings("blind_faith")
