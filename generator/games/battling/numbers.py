"""What an arena may be and how a battle is set up: the numbers of ground.toml and play.toml."""

from __future__ import annotations

from functools import cache

import msgspec

from generator.games.rulings import Source
from generator.model.words import Words
from generator.notation import toml
from generator.store.folders import shipped


class Span(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The least and the most of something, and what is usual."""

    least: int
    usual: int
    most: int

    def __contains__(self, number: int) -> bool:
        return self.least <= number <= self.most


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """ground.toml as it stands; the file tells what each is."""

    source: Source
    columns: Span
    rows: Span
    fine: Span
    buildings: int
    corners: int
    room: int
    uneven: int
    opening: int
    cover: int
    dash: int
    streets: int


@cache
def limits() -> Limits:
    """The shipped limits."""
    return toml.read(shipped("data") / "battling" / "ground.toml", Limits)


class Play(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """play.toml as it stands; see its head."""

    turns: Span
    machines: Span
    sizes: tuple[int, ...]
    points: Span
    title: Words
    places: tuple[Words, ...]


@cache
def play() -> Play:
    """The shipped numbers of setting up."""
    return toml.read(shipped("data") / "battling" / "play.toml", Play)
