"""A figure: two times, their ratio, and the target it is held to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Figure:
    """Muster's time and the baseline's, both in seconds."""

    what: str
    muster: float
    beside: str
    baseline: float
    kind: Literal["times the time", "times as fast"]
    target: float | None = None
    """At most so many times the baseline's time, or at least so many times as fast; None is not held to any."""

    @property
    def ratio(self) -> float:
        """As `kind` says."""
        if self.kind == "times the time":
            return self.muster / self.baseline
        return self.baseline / self.muster

    @property
    def met(self) -> bool:
        """Whether the target is reached; True where there is none."""
        if self.target is None:
            return True
        return self.ratio <= self.target if self.kind == "times the time" else self.ratio >= self.target

    def row(self) -> tuple[str, ...]:
        """The figure as cells of the table."""
        sign = "≤" if self.kind == "times the time" else "≥"
        target = f"{sign} {self.target:.3g} ×" if self.target else "–"
        verdict = ("met" if self.met else "MISSED") if self.target else "–"
        shown = f"{self.ratio:.2f}" if self.ratio < 10 else f"{self.ratio:.0f}"
        return self.what, seconds(self.muster), self.beside, seconds(self.baseline), f"{shown} ×", target, verdict

    def plain(self) -> dict[str, object]:
        """The figure as a JSON object."""
        return {
            "what": self.what,
            "muster_seconds": self.muster,
            "baseline": self.beside,
            "baseline_seconds": self.baseline,
            "kind": self.kind,
            "ratio": self.ratio,
            "target": self.target,
            "met": self.met,
        }


HEAD = ("what", "Muster", "beside", "baseline", "ratio", "target", "verdict")
TIMES = (1, 3)
"""Which columns hold times."""


def seconds(time: float) -> str:
    """A time in its natural unit."""
    return f"{time:.2f} s" if time >= 1 else f"{1000 * time:.3g} ms"


def table(figures: Iterable[Figure], times: bool = True) -> Iterator[str]:
    """Lines of a Markdown table, with the times or with the ratios alone."""
    rows = [HEAD, *(figure.row() for figure in figures)]
    if not times:
        rows = [tuple(cell for i, cell in enumerate(row) if i not in TIMES) for row in rows]
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for number, row in enumerate(rows):
        yield "| " + " | ".join(cell.ljust(w) for cell, w in zip(row, wide, strict=True)) + " |"
        if number == 0:
            yield "|" + "|".join("-" * (w + 2) for w in wide) + "|"
