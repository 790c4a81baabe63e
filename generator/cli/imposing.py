"""Lengths and sizes as options."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Any

import click

from generator.cli.kinds import Kind


class Length(Kind):
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
