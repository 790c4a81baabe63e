"""What the games' shelves of data files have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from generator.errors import DataError, Problem
from generator.games.capability import Content, Shelf
from generator.games.readings import Reading
from generator.games.rulings import Ruling
from generator.model.words import Lang, Words
from generator.notation.toml import Source
from generator.store.folders import shipped

Rows = list[list[str]]


def table(name: str, title: Words, show: Callable[[Lang], Rows]) -> Shelf:
    """A table that ships, which users bring none of."""
    return Shelf("table", lambda: {name: title}, lambda of, lang: show(lang))


def lying(*folders: str) -> Callable[[str], Path]:
    """Where the files lie that are called by their names, in that folder of data/."""
    return lambda name: shipped("data").joinpath(*folders) / f"{name}.toml"


def single(*path: str) -> Callable[[str], Path]:
    """Where the one file of its kind lies in data/."""
    return lambda name: shipped("data").joinpath(*path)


def own(of: str | Path) -> Path | None:
    """The user's file; None for what ships."""
    return of if isinstance(of, Path) else None


def headed(of: Content, lang: Lang) -> str:
    """What a file's content is called, and whose it is."""
    return f"{of.name[lang]} [{of.source}]"


def faults(read: Callable[[Source], object]) -> Callable[[Source], list[Problem]]:
    """The check of a file that is in order when it can be read."""

    def check(source: Source) -> list[Problem]:
        try:
            read(source)
        except DataError as error:
            return list(error.problems)
        return []

    return check


def ruling_rows(switches: Mapping[str, Ruling], lang: Lang, fixed: Iterable[Reading] = ()) -> Rows:
    """Every switch with its choices, the default first; then the fixed readings."""
    rows: Rows = []
    for switch in switches.values():
        rows += [[f"{switch.name[lang]} [{switch.source}]"]]
        rows += [[switch.id, choice.id, choice.text[lang]] for choice in switch.choice]
    told = [[f"{reading.name[lang]} [{reading.source}]: {reading.text[lang]}"] for reading in fixed]
    return [*rows, [""], *told] if told else rows
