"""Sheets of paper, and the room that they have for a column of text."""

from __future__ import annotations

from functools import cache

import msgspec

from generator.errors import among
from generator.localization import tr
from generator.model.words import Words
from generator.notation.toml import read
from generator.press.pdf.units import MM
from generator.store.folders import shipped_path

EDGE = 6.5
"""Nothing is printed nearer to the paper's edge."""
_TOP, _BOTTOM = 15.6 * MM, 13.4 * MM
"""What the running header and the footer take of a page from its edge on, with the white towards the text."""
_TOP_WITHOUT_HEADER = 10 * MM
"""The same at the top of a page that bears no running header."""


class Paper(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A sheet of paper and its margin at the sides, in mm."""

    name: Words
    width: float
    height: float
    margin: float

    def sides(self, landscape: bool = False) -> tuple[float, float]:
        """Width and height in mm."""
        return (self.height, self.width) if landscape else (self.width, self.height)

    def size(self, landscape: bool = False) -> tuple[float, float]:
        """Width and height in points, to the thousandth."""
        width, height = self.sides(landscape)
        return round(width * MM, 3), round(height * MM, 3)

    def column(self, landscape: bool = False, *, without_header: bool = False) -> tuple[float, float]:
        """Width and height, in points, of what a page has for its text; a bare one has no running header."""
        width, height = self.size(landscape)
        return width - 2 * self.margin * MM, height - (_TOP_WITHOUT_HEADER if without_header else _TOP) - _BOTTOM

    def corner(self, landscape: bool = False, *, without_header: bool = False) -> tuple[float, float]:
        """The upper left corner of that column, in points from the page's lower left."""
        return self.margin * MM, self.size(landscape)[1] - (_TOP_WITHOUT_HEADER if without_header else _TOP)


@cache
def papers() -> dict[str, Paper]:
    """The papers of data/papers.toml by name."""
    return read(shipped_path("data") / "papers.toml", dict[str, Paper], "data/papers.toml")


def find_paper(name: str) -> Paper:
    """The paper of that name; WrongUsageError where there is none."""
    return papers()[among(name, papers(), tr('no paper "{name}"', name=name))]
