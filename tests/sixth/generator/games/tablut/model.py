"""Scenarios with a position and the moves that led to it, and their form as TOML and JSON."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
from generator.games.tablut.ground import BOARD, SIDES, Side, parsed, picture
from generator.games.tablut.play import Position
from msgspec.structs import asdict

from generator.common import scenario_file
from generator.common.scenario_file import FileReader, Log, Step, exported, log_lines, steps
from generator.common.tables import words
from generator.model.scenario import Origin
from generator.model.words import Words
from generator.notation import text
from generator.notation.toml import Source

MOVE = "move"
"""Log step of a move, with start and end."""


class Scenario(msgspec.Struct, frozen=True):
    """A position of Tablut, and the moves that led to it."""

    origin: Origin
    title: Words
    position: Position
    log: tuple[Step, ...] = ()


class _Play(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    title: Words | str
    mover: Side
    rows: str


class _Body(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    muster: msgspec.Raw | dict[str, object]
    play: _Play
    log: Log = ()


def side_name(side: str) -> Words:
    """Return the name of a side."""
    return words("tablut")["side"][side]


def write(scenario: Scenario) -> str:
    """Return the body of the scenario's file."""
    position = scenario.position
    table = {"title": asdict(scenario.title), "mover": position.mover, "rows": picture(position.men)}
    return "\n".join(["[play]", *text.lines(table), *log_lines(scenario.log)]) + "\n"


def read(source: Source, origin: Origin, folder: Path) -> Scenario:
    """Read the body of a scenario's file.

    Raises:
        DataError: If the file has faults. The error lists every fault with its line.
    """
    body = source.read(_Body)
    reading = FileReader(source)
    title = reading.title(body.play.title)
    log = steps(reading, body.log, SIDES)
    try:
        men = parsed(body.play.rows)
    except ValueError as error:
        reading.fault(("play", "rows"), str(error))
        men = {}
    reading.done()
    return Scenario(origin, title, Position(men, body.play.mover), log)


def export(scenario: Scenario) -> dict[str, Any]:
    """Return the scenario as plain values."""
    return {
        **scenario_file.head(scenario),
        "mover": scenario.position.mover,
        "men": {BOARD.name(cell): man for cell, man in scenario.position.men.items()},
        "log": exported(scenario.log),
    }
