"""Options of the verbs whose pieces are cut out."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from generator.errors import Problem, WrongUsageError

if TYPE_CHECKING:
    from generator.press.imposition import Imposing

F = TypeVar("F", bound=Callable[..., Any])


def impose_options(command: F) -> F:
    """--flip, --single and --gap."""
    for option in (
        click.option("--gap", metavar="MM", type=float, help="From piece to piece; 0 lets one cut serve two."),
        click.option("--single", is_flag=True, help="Fronts only."),
        click.option(
            "--flip", type=click.Choice(("long", "short")), default="long", help="Edge over which your printer turns."
        ),
    ):
        command = option(command)
    return command


def how(
    flip: str, single: bool, gap: float | None, size: str | None = None, hex_width: float | None = None
) -> Imposing:
    """What was typed, for the press; WrongUsageError for what no piece can be."""
    from generator.press.imposition import HEXES, MOST_GAP, PLAIN, Flip, Imposing, card_size

    for option, value, least, most in (("--gap", gap, 0.0, MOST_GAP), ("--hex", hex_width, *HEXES)):
        if value is not None and not least <= value <= most:
            raise WrongUsageError(Problem(f"{option} {value:g}", hint=f"from {least:g} to {most:g} mm"))
    if size is not None:
        card_size(size)
    return Imposing(size or PLAIN.size, gap, cast(Flip, flip), single, hex_width)
