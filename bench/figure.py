"""A figure, which consists of two times or amounts of memory, their ratio, and a target for the ratio."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Figure:
    """The seconds of Muster and of the baseline, or the memory of Muster and its limit, both in MB."""

    what: str
    muster: float
    compared_with: str
    baseline: float
    kind: Literal["times the time", "times as fast", "times the memory"]
    target: float | None = None
    """Maximum ratio to the baseline, or minimum factor by which Muster is faster. None if there is no target."""

    @property
    def ratio(self) -> float:
        """The ratio, in the direction given by `kind`."""
        return self.baseline / self.muster if self.kind == "times as fast" else self.muster / self.baseline

    @property
    def target_met(self) -> bool:
        """Whether the target is met. True if there is no target."""
        if self.target is None:
            return True
        return self.ratio >= self.target if self.kind == "times as fast" else self.ratio <= self.target

    def row(self) -> tuple[str, ...]:
        """Return the figure as the cells of a table row."""
        sign = "≥" if self.kind == "times as fast" else "≤"
        target = f"{sign} {self.target:,.{4 if self.target >= 1000 else 3}g} ×" if self.target else "–"
        verdict = ("met" if self.target_met else "MISSED") if self.target else "–"
        ratio = f"{self.ratio:.2f}" if self.ratio < 10 else f"{self.ratio:.0f}"
        ours, baseline = (self.format_value(value) for value in (self.muster, self.baseline))
        return self.what, ours, self.compared_with, baseline, f"{ratio} ×", target, verdict

    def format_value(self, value: float) -> str:
        """Format a time or an amount of memory with its unit."""
        return f"{value:.0f} MB" if self.kind == "times the memory" else seconds(value)

    def plain(self) -> dict[str, object]:
        """Return the figure as a JSON object."""
        return {
            "what": self.what,
            "muster": self.muster,
            "compared_with": self.compared_with,
            "baseline": self.baseline,
            "unit": "MB" if self.kind == "times the memory" else "s",
            "kind": self.kind,
            "ratio": self.ratio,
            "target": self.target,
            "met": self.target_met,
        }


HEAD = ("what", "Muster", "compared with", "baseline", "ratio", "target", "verdict")
TIMES = (1, 3)
"""Indices of the columns that contain times."""


def seconds(time: float) -> str:
    """Format a time in seconds or milliseconds."""
    return f"{time:.2f} s" if time >= 1 else f"{1000 * time:.3g} ms"


def table(figures: Iterable[Figure], times: bool = True) -> Iterator[str]:
    """Yield the lines of a Markdown table of figures. Without `times`, only ratios are shown."""
    rows = [HEAD, *(figure.row() for figure in figures)]
    if not times:
        rows = [tuple(cell for i, cell in enumerate(row) if i not in TIMES) for row in rows]
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for number, row in enumerate(rows):
        yield "| " + " | ".join(cell.ljust(w) for cell, w in zip(row, wide, strict=True)) + " |"
        if number == 0:
            yield "|" + "|".join("-" * (w + 2) for w in wide) + "|"
