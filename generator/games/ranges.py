"""Ranges of whole numbers, as our files and an owner's state them."""

from __future__ import annotations

import msgspec


class Range(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The least and the most of something, both included."""

    least: int
    most: int

    def __contains__(self, number: int) -> bool:
        return self.least <= number <= self.most

    def __str__(self) -> str:
        return f"{self.least} to {self.most}"

    @property
    def numbers(self) -> range:
        """Every number between them, both included."""
        return range(self.least, self.most + 1)


class UsualRange(Range, frozen=True, forbid_unknown_fields=True):
    """A range, and what is usual."""

    usual: int
