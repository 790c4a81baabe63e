"""Read game logs and find the scenario to which a log belongs."""

from __future__ import annotations

from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from pathlib import Path
from typing import Any, NamedTuple

import click

from generator import games
from generator.cli import request
from generator.cli.scenario import SCENARIO, SUFFIX, Loaded, load
from generator.common.game import Judged, Logbook
from generator.errors import DataError, Problem, WrongUsageError
from generator.localization import tr
from generator.model.words import Lang
from generator.store.folders import (
    decode_first,
    folder_of,
    is_file,
    is_there,
    line_of,
    missing_file_problem,
    read_within,
)


def finding_lines(log: Path, judged: Judged, lang: Lang) -> list[str]:
    """Return the findings and notes of a judge, one line each, in the order of the log."""
    found = sorted((*judged.findings, *judged.notes), key=lambda finding: finding.line)
    return [f"{log}:{finding.line}: {finding.text[lang]} [{finding.reason}]" for finding in found]


MAX_LOG_BYTES = 1 << 24
"""The maximum size of a log in bytes, which is three times the size of 100,000 lines of text."""
MAX_LOG_LINES = 250_000
"""The maximum number of lines in a log. They take about ten seconds to read. A long game has a few thousand lines."""

scenario_option = click.option(
    "--scenario",
    metavar="FILE",
    type=click.Path(path_type=Path),
)


class LoadedLog(NamedTuple):
    """A log together with its scenario."""

    loaded: Loaded
    logbook: Logbook[Any]
    text: str


def load_log(log: Path, scenario: Path | None) -> LoadedLog:
    """Read a log and its scenario.

    Raises:
        DataError: If the log or the scenario cannot be read.
        WrongUsageError: If no scenario is given and there is none next to the log, or if its game has no logs.
    """
    text = log_text(log)
    path = scenario or folder_of(log) / SCENARIO
    if scenario is None and not is_file(path):
        raise WrongUsageError(
            tr("there is no {scenario} next to {name}", scenario=SCENARIO, name=log.name),
            hint=tr("give the scenario with --scenario FILE"),
        )
    loaded = load(path)
    if loaded.game.logbook is None:
        able = [name for name in games.names() if games.load(name).logbook]
        message = tr("is a scenario of {game}, which has no logs of orders", game=loaded.game.name)
        hint = tr("give a scenario of one of these games with --scenario FILE: {able}", able=able)
        raise WrongUsageError(Problem(message, str(path), hint=hint))
    return LoadedLog(loaded, logbook(loaded), text)


def log_text(log: Path) -> str:
    """Return the text of a log in UTF-8, in UTF-16 with a byte order mark, or in Shift JIS.

    Raises:
        DataError: If the log is missing, too large, or has another encoding.
        WrongUsageError: If the file is a scenario.
    """
    if not is_there(log):
        raise DataError(missing_file_problem(log, ".txt"))
    if log.suffix == SUFFIX:
        hint = tr("give the log as FILE, and give this scenario with --scenario")
        raise WrongUsageError(Problem(tr("is a scenario, not a log"), str(log), hint=hint))
    too_large = tr("is too large for a log")
    raw = read_within(log, MAX_LOG_BYTES, too_large)
    if len(raw.splitlines()) > MAX_LOG_LINES:
        raise DataError(Problem(too_large, str(log)))
    try:
        is_wide = raw.startswith((BOM_UTF16_LE, BOM_UTF16_BE))
        return decode_first(raw, *(("utf-16",) if is_wide else ("utf-8-sig", "cp932")))[0]
    except UnicodeDecodeError as error:
        problem = Problem(
            tr("is not text in UTF-8, UTF-16 or Shift JIS"), str(log), line_of(error), tr("save the file as UTF-8")
        )
        raise DataError(problem) from error


def logbook(loaded: Loaded) -> Logbook[Any]:
    """Return the logbook of a scenario's game.

    Raises:
        WrongUsageError: If the game has no logbook. The hint lists the games that have one.
    """
    return request.capability(loaded.game, lambda game: game.logbook, tr("does not support logs of orders"))
