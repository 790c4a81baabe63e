"""Looks: what a view's keys mean on paper, for full and little ink: data/theme.toml and data/<game>/theme.toml."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Literal, TypeVar

import msgspec

from generator.errors import DataError, Problem, near
from generator.notation.toml import read
from generator.said import say
from generator.store.folders import shipped

Ink = Literal["full", "saver"]
INKS: tuple[Ink, ...] = ("full", "saver")

_FILE = "data/theme.toml"
_HEX = Annotated[str, msgspec.Meta(pattern="^#[0-9a-f]{6}$")]


class Palette(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The colours of a look: its area, what stands on it, its outline, its dark and its light side."""

    tint: _HEX = "#ffffff"
    fill: _HEX = "#ffffff"
    line: _HEX = "#404040"
    dark: _HEX = "#404040"
    light: _HEX = "#ffffff"


class _Inked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    full: Palette
    saver: Palette

    def ink(self, ink: str) -> Palette:
        """The colours for that ink; DataError for another word."""
        if ink == "full":
            return self.full
        if ink == "saver":
            return self.saver
        raise DataError(say('unknown ink "{ink}"', ink=ink), hint=near(ink, INKS))


class Ground(_Inked, frozen=True, forbid_unknown_fields=True):
    """A ground or a feature: the pattern drawn on it and the letter in its corner."""

    pattern: str = ""
    letter: str = ""
    water: bool = False
    """It carries the river band."""
    relief: int = 0
    """How high it is, 0 for flat ground: neighbours as high or higher share their contours."""
    road: bool = False
    """The legend shows it with a road."""
    walls: bool = False
    """Some of its hexsides are walls; the legend shows it with two."""
    over: bool = False
    """Its pattern is drawn over the areas that lie on it."""
    called: Literal["", "plain", "large", "slanted"] = ""
    """The type in which a place of that kind bears its name: bold, and larger or slanted, or plain."""


class Shape(_Inked, frozen=True, forbid_unknown_fields=True):
    """A camp's kind of banner: the drawing of its outline; the colours are those of its cards."""

    outline: str


class Quality(_Inked, frozen=True, forbid_unknown_fields=True):
    """A banner's colour with its second signs: a letter, pips, and a heraldic hatching (in degrees)."""

    letter: str = ""
    pips: int = 0
    hatch: float = 0.0


class Badge(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A small second symbol; without a drawing nothing is printed."""

    drawing: str = ""
    side: Literal["left", "right"] = "left"


class Shade(_Inked, frozen=True, forbid_unknown_fields=True):
    """A translucent overlay: how strong its fill is, and at what angle it is hatched if it is."""

    alpha: float
    hatch: float | None = None
    saved: float | None = None
    """How strong its fill is in an ink-saving print, where that is another."""
    plain: bool = False
    """An ink-saving print does not hatch it."""
    cross: bool = False
    """It is hatched the other way too."""
    dot: bool = False
    """An ink-saving print has a dot in the middle of each cell."""
    rim: float = 0.0
    """The width of a line that runs round each cell, in sides; it is dashed in an ink-saving print."""
    edge: float = 0.0
    """The width of a line along their outline, in sides."""


class AreaLook(_Inked, frozen=True, forbid_unknown_fields=True):
    """A shape that keeps to no cell: how it is hatched (its lines lie `pitch` sides of a cell apart) and filled."""

    hatch: float
    pitch: float
    alpha: float = 1.0


class TrackLook(_Inked, frozen=True, forbid_unknown_fields=True):
    """A way: the width and dashes of its line in widths of a cell, and its arrowhead."""

    width: float
    dash: tuple[float, ...] = ()
    filled: bool = True
    """The arrowhead is a full triangle, else two strokes."""
    double: bool = False
    """A pale line runs down its middle."""


class Looks(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Looks by key, as a game may bring them."""

    ground: dict[str, Ground] = {}
    feature: dict[str, Ground] = {}
    shape: dict[str, Shape] = {}
    colour: dict[str, Quality] = {}
    symbol: dict[str, str] = {}
    figure: dict[str, str] = {}
    drawing: dict[str, str] = {}
    badge: dict[str, Badge] = {}
    mark: dict[str, str] = {}
    shade: dict[str, Shade] = {}
    area: dict[str, AreaLook] = {}
    track: dict[str, TrackLook] = {}


class GameLooks(Looks, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """data/<game>/theme.toml: a game's own looks, and the module that draws its counters."""

    drawings: str = ""


class Theme(Looks, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """All looks by key: those of data/theme.toml first, then those that each game brings."""

    map: _Inked
    section: _Inked
    ray: _Inked
    ring: _Inked
    wall: _Inked
    road: _Inked
    spots: dict[str, tuple[tuple[float, float], ...]]
    """Where a pattern has what it is made of."""
    homes: dict[str, str] = {}
    """The modules that draw what a game brings, by shape."""


T = TypeVar("T")


@cache
def theme() -> Theme:
    """The looks of all theme files; DataError where one is not in order, or two have a look of one name."""
    data = shipped("data")
    of = read(data / "theme.toml", Theme, _FILE)
    for path in sorted(data.glob("*/theme.toml")):
        file = f"data/{path.parent.name}/theme.toml"
        brought = read(path, GameLooks, file)
        for kind in Looks.__struct_fields__:
            known, own = getattr(of, kind), getattr(brought, kind)
            if twice := sorted(known.keys() & own.keys()):
                raise DataError(
                    Problem(
                        say("{kind}.{twice} exists already", kind=kind, twice=twice[0]),
                        file,
                        hint=say("give it another name"),
                    )
                )
            known.update(own)
        of.homes.update(dict.fromkeys(brought.shape, brought.drawings))
    return of


def look(kind: str, table: Mapping[str, T], key: str) -> T:
    """The look of that key; DataError with the nearest accepted one where there is none."""
    try:
        return table[key]
    except KeyError:
        raise DataError(
            Problem(say('unknown {kind} look "{key}"', kind=kind, key=key), _FILE, hint=near(key, table))
        ) from None
