"""Check the findings on files written by simulated users (typist.py), which share no code with Muster."""

from __future__ import annotations

import importlib
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from generator import games
from generator.cli.scenario import load
from generator.errors import DataError
from tests.typo import Typo


class Typist(Protocol):
    """The functions of a game's typist. The same seed always gives the same file."""

    def legal_file(self, seed: int) -> str:
        """Return the text of a legal file."""

    def file_with_typo(self, seed: int) -> Typo:
        """Return a file with one typo."""


def typist(game: str) -> Typist:
    """Return the typist of a game."""
    found: Typist = importlib.import_module(f"tests.games.{game}.typist")
    return found


def findings_on(text: str) -> list[tuple[int, str]]:
    """Return the line and the English text of each fault of a file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "typed.toml"
        path.write_text(text, "utf-8")
        try:
            report = load(path).report
        except DataError as error:
            return [(problem.line, f"{problem.message} {problem.hint}") for problem in error.problems]
        return [(f.line, " ".join((f.where, f.why.en, *f.cells))) for f in report.illegal]


def refusal(case: tuple[str, int]) -> str:
    """Return the fault found in a legal file, given by game and seed, or "" if the file is accepted."""
    game, number = case
    found = findings_on(typist(game).legal_file(number))
    return f"{game} {number}: {found[0]}" if found else ""


def missed(case: tuple[str, int]) -> str:
    """Return the report on a typo that is not reported with its line and place, or "" if it is reported."""
    game, number = case
    typo = typist(game).file_with_typo(number)
    found = findings_on(typo.text)
    for line, text in found:
        if (line in typo.lines or not typo.lines) and all(name in text for name in typo.names):
            return ""
    return f"{game} {number}, {typo.kind}: wanted {', '.join(typo.names)} at line {typo.lines}, told {found[:2]}"


def cases(count: int, first: int = 0) -> Iterator[tuple[str, int]]:
    """Return an iterator over `count` cases of each game."""
    return ((game, number) for game in games.names() for number in range(first, first + count))
