"""The tables of fire, bombardment, charge and response, and how their cells are read."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Literal, NamedTuple, get_args

Fate = Literal["none", "rout", "eliminate"]
Hit = Literal["none", "rout", "eliminate", "breach"]
FATES: tuple[Fate, ...] = get_args(Fate)
DIE = 6
FACES = range(1, DIE + 1)

_DASHES = str.maketrans("–—−‐〜~", "------")
_RANGE = re.compile(r"([a-z]+) ([1-6])(?:-([1-6]))?")
_CHARGE = re.compile(r"(defender|charger) (rout|eliminate)")
_LOSS = re.compile(r"([1-9]|[1-9][0-9]) (rout|eliminate)")


class Clash(NamedTuple):
    """What a charge does to the two who meet."""

    defender: Fate = "none"
    charger: Fate = "none"


class Losses(NamedTuple):
    """How many of the attacker's units a response costs."""

    rout: int = 0
    eliminate: int = 0


Shots = Mapping[tuple[str, str], tuple[Hit, ...]]
"""By the type that fires and what it fires at: what each face of the die does, from 1."""


@dataclass(frozen=True)
class ChargeTable:
    """Results by the modified die, from `lowest`; the ends stand for all beyond them (ruling)."""

    lowest: int
    results: tuple[Clash, ...]

    def at(self, modified: int) -> Clash:
        """The result of a modified die."""
        return self.results[min(max(modified - self.lowest, 0), len(self.results) - 1)]


@dataclass(frozen=True)
class Column:
    """A column of the response table: the fewest units of the defender that reach it, and results by the die."""

    start: int
    results: tuple[Losses, ...]


@dataclass(frozen=True)
class ResponseTable:
    """The response table; beyond its last column every `step` units more give +1."""

    columns: tuple[Column, ...]
    step: int

    def column(self, units: int) -> tuple[int, int]:
        """Which column (from 0) and what drm so many defending units, at least one, have."""
        at = max(i for i, column in enumerate(self.columns) if units >= column.start)
        last = len(self.columns) - 1
        return at, (units - self.columns[at].start) // self.step if at == last else 0

    def at(self, units: int, die: int) -> Losses:
        """What a die costs the attacker; no units, no response."""
        if not units:
            return Losses()
        column, drm = self.column(units)
        results = self.columns[column].results
        return results[min(die + drm, len(results)) - 1]

    def bounds(self) -> tuple[tuple[int, int | None], ...]:
        """The fewest and most units of each column; the last has no most."""
        starts = [column.start for column in self.columns]
        return (*((a, b - 1) for a, b in pairwise(starts)), (starts[-1], None))


def spans(faces: Sequence[Hit]) -> tuple[tuple[Hit, int, int], ...]:
    """A cell as it prints: each result that does something, with its first and last face."""
    runs = [(hit, [face for face, _ in run]) for hit, run in groupby(enumerate(faces, 1), key=lambda f: f[1])]
    return tuple((hit, run[0], run[-1]) for hit, run in runs if hit != "none")


def read_faces(cell: str, accepted: Sequence[Hit]) -> tuple[Hit, ...]:
    """`rout 4-5, eliminate 6` as a result for each face; ValueError says what is wrong with it."""
    faces: list[Hit] = ["none"] * DIE
    for part in _parts(cell):
        match = _RANGE.fullmatch(part)
        word = next((hit for hit in accepted if match and match[1] == hit), None)
        if not match or not word:
            raise ValueError(f"{part!r} is no result with its dice, such as {accepted[0]} 5-6")
        first, last = int(match[2]), int(match[3] or match[2])
        if last < first:
            raise ValueError(f"the dice of {part!r} run backwards")
        for face in range(first, last + 1):
            if faces[face - 1] != "none":
                raise ValueError(f"the die {face} stands twice")
            faces[face - 1] = word
    return tuple(faces)


def read_clash(cell: str) -> Clash:
    """`defender rout, charger rout`; ValueError says what is wrong with it."""
    found: dict[str, Fate] = {}
    for part in _parts(cell):
        match = _CHARGE.fullmatch(part)
        if not match:
            raise ValueError(f"{part!r} is none of: none, defender rout, defender eliminate, charger rout …")
        if match[1] in found:
            raise ValueError(f"the {match[1]} stands twice")
        found[match[1]] = "rout" if match[2] == "rout" else "eliminate"
    return Clash(**found)


def read_losses(cell: str) -> Losses:
    """`1 rout, 2 eliminate`; ValueError says what is wrong with it."""
    found: dict[str, int] = {}
    for part in _parts(cell):
        match = _LOSS.fullmatch(part)
        if not match:
            raise ValueError(f"{part!r} is no loss, such as 2 rout")
        if match[2] in found:
            raise ValueError(f"{match[2]} stands twice")
        found[match[2]] = int(match[1])
    return Losses(**found)


def _parts(cell: str) -> list[str]:
    """A cell's parts in plain letters; none of them for `none`."""
    text = unicodedata.normalize("NFKC", cell).translate(_DASHES).replace("、", ",").strip().lower()
    return [] if text == "none" else [re.sub(r"\s*-\s*", "-", " ".join(p.split())) for p in text.split(",")]
