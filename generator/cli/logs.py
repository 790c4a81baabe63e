"""Read logs of play and find the scenario that they belong to."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import click

from generator.cli import request
from generator.cli.scenario import SCENARIO, SUFFIX, Loaded, load
from generator.common.game import Judged, Logbook
from generator.errors import DataError, Problem, WrongUsageError
from generator.localization import tr
from generator.model.words import Lang
from generator.store.folders import (
    decoded,
    folder_of,
    is_file,
    is_there,
    line_of,
    missing,
    read_within,
)


def finding_lines(log: Path, judged: Judged, lang: Lang) -> list[str]:
    """Return the findings of a judge and its notes on them, one line each in the order of the log."""
    found = sorted((*judged.findings, *judged.notes), key=lambda finding: finding.line)
    return [f"{log}:{finding.line}: {finding.text[lang]} [{finding.reason}]" for finding in found]


LIMIT = 1 << 24
"""Bytes of a log that are read: 100,000 lines of talk have a third of that."""
LINE_LIMIT = 250_000
"""Lines of a log that are read, which takes some ten seconds; a long game with all its talk has some thousands."""

scenario_option = click.option(
    "--scenario",
    metavar="FILE",
    type=click.Path(path_type=Path),
)


class Read(NamedTuple):
    """A log with its scenario."""

    loaded: Loaded
    book: Logbook[Any]
    text: str


def read(log: Path, scenario: Path | None) -> Read:
    """A log and its scenario; DataError where one cannot be read."""
    text = log_text(log)
    path = scenario or folder_of(log) / SCENARIO
    if scenario is None and not is_file(path):
        raise WrongUsageError(
            tr("there is no {scenario} next to {name}", scenario=SCENARIO, name=log.name),
            hint=tr("give it with --scenario FILE"),
        )
    loaded = load(path)
    return Read(loaded, logbook(loaded), text)


def log_text(log: Path) -> str:
    """A log's text, in UTF-8 with or without its mark, or as Japanese Windows writes it."""
    if not is_there(log):
        raise DataError(missing(log, ".txt"))
    if log.suffix == SUFFIX:
        hint = tr("give the log as the file, and this one with --scenario")
        raise WrongUsageError(Problem(tr("is a scenario, not a log"), str(log), hint=hint))
    too_large = tr("is too large for a log")
    raw = read_within(log, LIMIT, too_large)
    if len(raw.splitlines()) > LINE_LIMIT:
        raise DataError(Problem(too_large, str(log)))
    try:
        return decoded(raw, "utf-8-sig", "cp932")[0]
    except UnicodeDecodeError as error:
        problem = Problem(tr("is not text in UTF-8 or Shift JIS"), str(log), line_of(error), tr("save it as UTF-8"))
        raise DataError(problem) from error


def logbook(loaded: Loaded) -> Logbook[Any]:
    """The logbook of a scenario's game; WrongUsageError names the games that have one."""
    return request.capability(loaded.game, lambda game: game.logbook, tr("has no log of orders"))
