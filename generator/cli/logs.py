"""Logs of play on the command line: reading them, and finding the scenario they belong to."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import click

from generator import games
from generator.cli.scenario import SCENARIO, SUFFIX, Loaded, load
from generator.errors import DataError, Problem, WrongUsageError
from generator.games.capability import Logbook
from generator.store.folders import is_file, missing
from generator.store.read import beside, is_there
from generator.store.read import read as content

F = TypeVar("F", bound=Callable[..., Any])

LIMIT = 1 << 22
"""Bytes of a log that are read: a long game with all its talk has a hundred times less."""

scenario_option = click.option(
    "--scenario",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help=f"The scenario it belongs to (default: {SCENARIO} beside it).",
)


class Read(NamedTuple):
    """A log with its scenario."""

    loaded: Loaded
    book: Logbook[Any]
    text: str


def read(log: Path, scenario: Path | None) -> Read:
    """A log and its scenario; DataError where one cannot be read."""
    text = log_text(log)
    path = scenario or beside(log) / SCENARIO
    if scenario is None and not is_file(path):
        raise WrongUsageError(Problem(f"no {SCENARIO} beside {log.name}", hint="name it with --scenario FILE"))
    loaded = load(path)
    return Read(loaded, logbook(loaded), text)


def log_text(log: Path) -> str:
    """A log's text, in UTF-8 with or without its mark, or as Japanese Windows writes it."""
    if not is_there(log):
        raise DataError(missing(log, ".txt"))
    if log.suffix == SUFFIX:
        hint = "name the log, and this with --scenario"
        raise WrongUsageError(Problem("is a scenario, no log", str(log), hint=hint))
    try:
        raw = content(log, LIMIT)
    except OSError as error:
        raise DataError(Problem(f"cannot be read: {error.strerror}", str(log))) from error
    if len(raw) > LIMIT:
        raise DataError(Problem("is too large for a log", str(log)))
    for encoding in ("utf-8-sig", "cp932"):
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise DataError(Problem("is no text in UTF-8 or Shift JIS", str(log)))


def logbook(loaded: Loaded) -> Logbook[Any]:
    """The logbook of a scenario's game; WrongUsageError names the games that have one."""
    if loaded.game.logbook:
        return loaded.game.logbook
    able = [name for name in games.names() if games.load(name).logbook]
    hint = f"games that have: {', '.join(able)}"
    raise WrongUsageError(Problem(f"{loaded.game.name} keeps no log of orders", hint=hint))
