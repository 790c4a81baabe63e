"""How much room the sheets give, from data/blind_faith/sheets.toml."""

from __future__ import annotations

from functools import cache

import msgspec

from generator.games.blind_faith.play.policy import Limits
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


class BlankRoom(_Row, frozen=True):
    """Blank tables."""

    units: int
    charge: int
    response: int


class OddsRoom(_Row, frozen=True):
    """What the odds page tells of: policies by id."""

    battle: tuple[tuple[str, str], ...]
    siege: tuple[str, ...]
    most: Limits
    storm: int
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
