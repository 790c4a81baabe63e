"""Paper sizes, and the area for the text column on a page."""

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
"""Width of the unprinted edge of the paper, in mm."""
_TOP, _BOTTOM = 15.6 * MM, 13.4 * MM
"""Heights in points of the areas for header and footer, including the space between them and the text."""
_TOP_WITHOUT_HEADER = 10 * MM
"""Height of the area above the text on a page without a running header, in points."""


class Paper(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A paper size and its side margin, in mm."""

    name: Words
    width: float
    height: float
    margin: float

    def sides(self, landscape: bool = False) -> tuple[float, float]:
        """Return the width and height in mm."""
        return (self.height, self.width) if landscape else (self.width, self.height)

    def size(self, landscape: bool = False) -> tuple[float, float]:
        """Return the width and height in points, rounded to three decimals."""
        width, height = self.sides(landscape)
        return round(width * MM, 3), round(height * MM, 3)

    def column(self, landscape: bool = False, *, without_header: bool = False) -> tuple[float, float]:
        """Return the width and height of the text column in points."""
        width, height = self.size(landscape)
        return width - 2 * self.margin * MM, height - (_TOP_WITHOUT_HEADER if without_header else _TOP) - _BOTTOM

    def corner(self, landscape: bool = False, *, without_header: bool = False) -> tuple[float, float]:
        """Return the upper left corner of the text column, in points from the page's lower left corner."""
        return self.margin * MM, self.size(landscape)[1] - (_TOP_WITHOUT_HEADER if without_header else _TOP)


@cache
def papers() -> dict[str, Paper]:
    """Return the papers of data/papers.toml, keyed by name."""
    return read(shipped_path("data") / "papers.toml", dict[str, Paper], "data/papers.toml")


def find_paper(name: str) -> Paper:
    """Return the paper with this name.

    Raises:
        WrongUsageError: If the name is unknown.
    """
    return papers()[among(name, papers(), tr('there is no paper size named "{name}"', name=name))]
