"""What an arena may be and how a battle is set up: the numbers of ground.toml and play.toml."""

from __future__ import annotations

from functools import cache

import msgspec

from generator.games.ranges import UsualRange
from generator.games.rulings import Source
from generator.model.words import Words
from generator.notation import toml
from generator.store.folders import shipped


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """ground.toml as it stands; the file tells what each is."""

    source: Source
    columns: UsualRange
    rows: UsualRange
    fine: UsualRange
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

    turns: UsualRange
    machines: UsualRange
    sizes: tuple[int, ...]
    points: UsualRange
    title: Words
    places: tuple[Words, ...]


@cache
def play() -> Play:
    """The shipped numbers of setting up."""
    return toml.read(shipped("data") / "battling" / "play.toml", Play)
