"""Options of the verbs whose pieces are cut out."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from generator.errors import Problem, WrongUsageError

if TYPE_CHECKING:
    from generator.press.imposition import Imposing

F = TypeVar("F", bound=Callable[..., Any])


flip_option = click.option(
    "--flip", type=click.Choice(("long", "short")), default="long", help="Edge over which your printer turns."
)


def impose_options(command: F) -> F:
    """--flip, --single and --gap."""
    for option in (
        click.option("--gap", metavar="MM", type=float, help="From piece to piece; 0 lets one cut serve two."),
        click.option("--single", is_flag=True, help="Fronts only."),
        flip_option,
    ):
        command = option(command)
    return command


class Length(click.ParamType[float]):
    """A length in mm: `40`, `40mm`, `4cm` or `1in`."""

    name = "length"
    UNITS: Mapping[str, float] = {"": 1.0, "mm": 1.0, "cm": 10.0, "in": 25.4}

    def __init__(self, least: float, most: float) -> None:
        self.least, self.most = least, most

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The length in mm, or an error with what is accepted."""
        typed = re.fullmatch(
            r"([0-9]*\.?[0-9]+) *([a-z]*)", unicodedata.normalize("NFKC", str(value)).strip().lower()
        )
        if not typed or typed[2] not in self.UNITS:
            return self.fail(f"{value!r} is no length; write 40mm or 1in", param, ctx)
        length = float(typed[1]) * self.UNITS[typed[2]]
        if not self.least <= length <= self.most:
            return self.fail(f"{value}: from {self.least:g} to {self.most:g} mm", param, ctx)
        return length


DPI = click.IntRange(30, 1200)
"""Dots an inch that a picture may have."""

CELLS = Length(8.0, 80.0)
"""Widths that a board's cells may have, and what is laid on them."""

cell_option = click.option(
    "--hex", "--square", "cell", metavar="LENGTH", type=CELLS, help="Width of your map's cell, such as 40mm or 1in."
)


def how(
    flip: str, single: bool, gap: float | None, size: str | None = None, hex_width: float | None = None
) -> Imposing:
    """What was typed, for the press; WrongUsageError for what no piece can be."""
    from generator.press.imposition import MOST_GAP, PLAIN, Flip, Imposing, card_size

    if gap is not None and not 0.0 <= gap <= MOST_GAP:
        raise WrongUsageError(Problem(f"--gap {gap:g}", hint=f"from 0 to {MOST_GAP:g} mm"))
    if size is not None:
        card_size(size)
    return Imposing(size or PLAIN.size, gap, cast(Flip, flip), single, hex_width)
