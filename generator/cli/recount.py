"""Play the games again by which a round's scenarios were found fair."""

from __future__ import annotations

from pathlib import Path

import msgspec

from generator.cli import console
from generator.cli.scenario import load
from generator.common.search import PLAYED
from generator.common.trials import grade_c
from generator.errors import DataError, Problem
from generator.model.words import Words
from generator.notation.text import file_name_fault
from generator.notation.toml import convert
from generator.store.json_files import JsonFile


def recounted(path: Path) -> list[Words]:
    """What differs of the games by which scenarios beside this file were found fair, played once more."""
    file = JsonFile(path)
    differs = console.words()["recount_differs"]
    rows = convert(file.data, list[_Recount], file.problem)
    return [differs.fill(name=row.scenario) for row in rows if row != _recount(path.parent, row.scenario)]


class _Recount(msgspec.Struct, frozen=True):
    """What a round's folder tells of a scenario's games."""

    scenario: str
    grade: str
    games: int
    key: str
    digest: str


def _recount(folder: Path, name: str) -> _Recount:
    """The same, counted anew."""
    if fault := file_name_fault(name):
        raise DataError(Problem(fault, name))
    loaded = load(folder / name)
    found = grade_c(loaded.game, loaded.scenario)
    return _Recount(name, PLAYED if found.passed else "", found.games, found.key, found.digest)
