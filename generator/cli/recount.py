"""Repeat the games that showed the scenarios of a round to be fair."""

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


def recount_differences(path: Path) -> list[Words]:
    """Return a sentence for each scenario whose repeated games have another result than the round's file states."""
    file = JsonFile(path)
    differs = console.words()["recount_differs"]
    rows = convert(file.data, list[_Recount], file.problem)
    return [differs.fill(name=row.scenario) for row in rows if row != _count_again(path.parent, row.scenario)]


class _Recount(msgspec.Struct, frozen=True):
    """The result of a scenario's games, as stated in a round's file."""

    scenario: str
    grade: str
    games: int
    key: str
    digest: str


def _count_again(folder: Path, name: str) -> _Recount:
    """Repeat the games of a scenario and return the result."""
    if fault := file_name_fault(name):
        raise DataError(Problem(fault, name))
    loaded = load(folder / name)
    found = grade_c(loaded.game, loaded.scenario, dice="search")
    return _Recount(name, PLAYED if found.passed else "", found.games, found.key, found.digest)
