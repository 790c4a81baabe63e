"""What the sheets give room for and what they say in sentences, from data/battling/sheets.toml."""

from __future__ import annotations

from functools import cache

import msgspec

from generator.model.words import Words
from generator.notation import toml
from generator.store.folders import shipped


class Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A rule in a sentence or two, under its catchword."""

    name: Words
    text: Words


class Form(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a reply is written."""

    name: Words
    form: Words
    example: str


class Head(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What stands before orders in a log."""

    form: Words
    text: Words


class SheetFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """sheets.toml as it stands; see its head."""

    hex: float
    token: float
    numbers: int
    blank: int
    across: int
    columns: int
    rows: int
    part: tuple[int, int]
    around: int
    turn: tuple[Line, ...]
    reply: tuple[Form, ...]
    header: tuple[Head, ...]


@cache
def sheet_file() -> SheetFile:
    """The shipped sizes, rooms and sentences."""
    return toml.read(shipped("data") / "battling" / "sheets.toml", SheetFile)
