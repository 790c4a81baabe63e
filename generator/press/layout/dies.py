"""Sheets that are sold already cut or perforated, by the names of their makers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from generator.errors import DataError, WrongUsageError, near
from generator.localization import tr
from generator.model.picture import XY
from generator.model.words import Words
from generator.notation.toml import Source, read
from generator.press.layout.paper import find_paper, papers
from generator.store.folders import is_there, shipped_path

MIN_MARGIN = 6.4
"""Minimum distance in mm of a place from the edge of the paper, which many printers leave white."""
_Length = Annotated[float, msgspec.Meta(ge=0.0, le=1000.0)]
_Margin = Annotated[float, msgspec.Meta(ge=MIN_MARGIN, le=1000.0)]
_Side = Annotated[float, msgspec.Meta(ge=8.0, le=300.0)]
_Count = Annotated[int, msgspec.Meta(ge=1, le=60)]
_TOLERANCE = 0.05
"""Tolerance in mm for sizes that makers give in rounded inches."""


class Die(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A sheet of equal places for pieces, in mm, with the pieces upright."""

    name: Words
    cut: Literal["card", "square", "hex"]
    paper: str
    width: _Side
    height: _Side
    columns: _Count
    rows: _Count
    left: _Margin
    """Distance from the left edge of the paper to the first column."""
    top: _Margin
    """Distance from the upper edge of the paper to the first row."""
    across: _Length
    """Distance from the left side of a place to the left side of the next."""
    down: _Length
    """Distance from the upper side of a place to the upper side of the next."""
    landscape: bool = False
    """Whether the pieces are upright if the long edge of the paper is at the top."""

    @property
    def piece(self) -> XY:
        """The width and height of a place."""
        return self.width, self.height

    @property
    def gap(self) -> float:
        """The shorter of the distances between two neighbouring places, or a large distance if there is one place."""
        gaps = [
            pitch - size
            for pitch, size, count in (
                (self.across, self.width, self.columns),
                (self.down, self.height, self.rows),
            )
            if count > 1
        ]
        return max(0.0, min(gaps, default=20.0))

    def faults(self) -> Iterator[tuple[str, str, str]]:
        """Yield each field that contradicts the others, with the reason and a hint."""
        if self.paper not in papers():
            message = tr('there is no paper size named "{name}"', name=self.paper)
            yield "paper", message, near(self.paper, papers())
            return
        page = find_paper(self.paper).sides(self.landscape)
        for first, pitch, size, count, side, keys in (
            (self.left, self.across, self.width, self.columns, page[0], ("across", "columns")),
            (self.top, self.down, self.height, self.rows, page[1], ("down", "rows")),
        ):
            if count > 1 and pitch < size - _TOLERANCE:
                yield keys[0], tr("the places overlap"), ""
            elif first + (count - 1) * pitch + size > side - MIN_MARGIN + _TOLERANCE:
                message = tr(
                    "the last place is less than {margin:g} mm from the edge of the paper", margin=MIN_MARGIN
                )
                yield keys[1], message, ""


@cache
def dies() -> dict[str, Die]:
    """Return the die layouts of data/dies.toml, keyed by name."""
    return read(shipped_path("data") / "dies.toml", dict[str, Die], "data/dies.toml")


def find_die(name: str) -> Die:
    """Return the die layout with this name, or the layout in a user's file.

    Raises:
        WrongUsageError: If the name is unknown.
        DataError: If the file has faults. The error lists each of them.
    """
    if name in dies():
        return dies()[name]
    if not name.endswith(".toml") and not is_there(Path(name)):
        raise WrongUsageError(tr('there is no die layout named "{name}"', name=name), hint=near(name, dies()))
    source = Source.open(Path(name))
    die = source.read(Die)
    DataError.raise_if_any(source.problem((key,), fault, hint) for key, fault, hint in die.faults())
    return die
