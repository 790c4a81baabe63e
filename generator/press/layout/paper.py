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
    half: str = ""
    """The name of the paper for booklet pages, two of which are side by side on a sheet, or empty."""
    unit: float = 1.0
    """The length in mm of a millimetre in a template. On the small pages of booklets, pictures, boxes and columns are
    smaller, but text has the same sizes as on other pages. On large paper, text is larger too."""

    @property
    def type_scale(self) -> float:
        """The factor by which type is larger than on other paper."""
        return max(1.0, self.unit)

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


@cache
def booklet_papers() -> dict[str, Paper]:
    """Return the papers that only booklets use, keyed by name, from data/booklet_papers.toml."""
    return read(shipped_path("data") / "booklet_papers.toml", dict[str, Paper], "data/booklet_papers.toml")


def booklet_paper(name: str) -> str:
    """Return the name of the paper for a booklet on this paper."""
    return own if (own := f"{name}-booklet") in booklet_papers() else name


def printed_papers() -> list[Paper]:
    """Return the papers on which a print may be. The pages of a booklet are not printed on their own."""
    return [*papers().values(), *(paper for paper in booklet_papers().values() if paper.half)]


def find_paper(name: str) -> Paper:
    """Return the paper with this name.

    Raises:
        WrongUsageError: If the name is unknown.
    """
    known = papers() | booklet_papers()
    return known[among(name, known, tr('there is no paper size named "{name}"', name=name))]
