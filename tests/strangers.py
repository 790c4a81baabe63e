"""Files that people type, by writers that share nothing with Muster (typist.py of each game); what we say of them."""

from __future__ import annotations

import importlib
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from generator import games
from generator.cli.scenario import load
from generator.errors import DataError
from tests.slip import Slip


class Typist(Protocol):
    """What a writer of a game's files offers; each file is the same for the same number."""

    def typed(self, seed: int) -> str:
        """A lawful file."""

    def slip(self, seed: int) -> Slip:
        """A file with one slip of the hand."""


def typist(game: str) -> Typist:
    """The writer of a game's files."""
    found: Typist = importlib.import_module(f"tests.games.{game}.typist")
    return found


def told(text: str) -> list[tuple[int, str]]:
    """What is wrong with a file: the line, and everything that is said there in English."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "typed.toml"
        path.write_text(text, "utf-8")
        try:
            report = load(path).report
        except DataError as error:
            return [(problem.line, f"{problem.message} {problem.hint}") for problem in error.problems]
        return [(f.line, " ".join((f.where, f.why.en, *f.cells))) for f in report.illegal]


def refusal(case: tuple[str, int]) -> str:
    """What is wrong with a lawful file, by its game and number; empty where it is taken for what it is."""
    game, number = case
    found = told(typist(game).typed(number))
    return f"{game} {number}: {found[0]}" if found else ""


def missed(case: tuple[str, int]) -> str:
    """What is told of a slip that is not named with its line and place; empty where it is."""
    game, number = case
    slip = typist(game).slip(number)
    found = told(slip.text)
    for line, text in found:
        if (line in slip.lines or not slip.lines) and all(name in text for name in slip.names):
            return ""
    return f"{game} {number}, {slip.kind}: wanted {', '.join(slip.names)} at line {slip.lines}, told {found[:2]}"


def cases(count: int, first: int = 0) -> Iterator[tuple[str, int]]:
    """So many files of each game."""
    return ((game, number) for game in games.names() for number in range(first, first + count))
