"""Looks: the appearance of a view's keys in each ink, from data/theme.toml and data/<game>/theme.toml."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Literal, TypeVar

import msgspec

from generator.errors import DataError, Problem, near
from generator.localization import tr
from generator.notation.toml import read
from generator.store.folders import shipped_path

Ink = Literal["full", "saver"]
INKS: tuple[Ink, ...] = ("full", "saver")

_FILE = "data/theme.toml"
_HEX = Annotated[str, msgspec.Meta(pattern="^#[0-9a-f]{6}$")]


class Palette(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The colours of a look: its area, the symbol on it, its outline, its dark and its light side."""

    tint: _HEX = "#ffffff"
    fill: _HEX = "#ffffff"
    line: _HEX = "#404040"
    dark: _HEX = "#404040"
    light: _HEX = "#ffffff"


class _Inked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    full: Palette
    saver: Palette

    def ink(self, ink: str) -> Palette:
        """Return the colours for an ink; raises DataError for another word."""
        if ink == "full":
            return self.full
        if ink == "saver":
            return self.saver
        raise DataError(tr('the theme has no ink named "{ink}"', ink=ink), hint=near(ink, INKS))


class Ground(_Inked, frozen=True, forbid_unknown_fields=True):
    """A terrain or a feature: the pattern drawn on it and the letter in its corner."""

    pattern: str = ""
    letter: str = ""
    water: bool = False
    """Whether it carries a river."""
    relief: int = 0
    """Its height, 0 for flat ground; neighbours of the same height or higher share their contours."""
    road: bool = False
    """Whether the legend shows it with a road."""
    walls: bool = False
    """Whether some of its hexsides are walls; the legend shows it with two."""
    over: bool = False
    """Whether its pattern is drawn over the areas on it."""
    name_style: Literal["", "plain", "large", "slanted"] = msgspec.field(default="", name="called")
    """The type of the names of such places: bold, and larger or slanted, or plain."""


class Shape(_Inked, frozen=True, forbid_unknown_fields=True):
    """A camp's kind of banner: the name of its outline; the colours are those of its cards."""

    outline: str


class Quality(_Inked, frozen=True, forbid_unknown_fields=True):
    """The colour of a banner with its secondary signs: a letter, pips, and a heraldic hatching (in degrees)."""

    letter: str = ""
    pips: int = 0
    hatch: float = 0.0


class Badge(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A small second symbol; nothing is printed if it has no drawing."""

    drawing: str = ""
    side: Literal["left", "right"] = "left"


class Shade(_Inked, frozen=True, forbid_unknown_fields=True):
    """A translucent overlay: the opacity of its fill, and the angle of its hatching if it has any."""

    alpha: float
    hatch: float | None = None
    saved: float | None = None
    """The opacity of its fill in an ink-saving print, if it differs."""
    plain: bool = False
    """Whether an ink-saving print leaves out the hatching."""
    cross: bool = False
    """Whether it is cross-hatched."""
    dot: bool = False
    """Whether an ink-saving print has a dot at the centre of each cell."""
    rim: float = 0.0
    """The width of a line round each cell, in cell sides; it is dashed in an ink-saving print."""
    edge: float = 0.0
    """The width of a line along the outline of the cells, in cell sides."""


class AreaLook(_Inked, frozen=True, forbid_unknown_fields=True):
    """A shape independent of cells: its hatching (lines `pitch` cell sides apart) and the opacity of its fill."""

    hatch: float
    pitch: float
    alpha: float = 1.0


class TrackLook(_Inked, frozen=True, forbid_unknown_fields=True):
    """A path: the width and dashes of its line in cell widths, and its arrowhead."""

    width: float
    dash: tuple[float, ...] = ()
    filled: bool = True
    """Whether the arrowhead is a full triangle instead of two strokes."""
    double: bool = False
    """Whether a pale line runs down its middle."""


class Looks(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Looks by key, as a game may define them."""

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
    """The contents of data/<game>/theme.toml: a game's own looks, and the module that draws its counters."""

    drawings: str = ""


class Theme(Looks, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """All looks by key: those of data/theme.toml, and those of each game."""

    map: _Inked
    section: _Inked
    ray: _Inked
    ring: _Inked
    wall: _Inked
    road: _Inked
    spots: dict[str, tuple[tuple[float, float], ...]]
    """The positions of a pattern's elements."""
    homes: dict[str, str] = {}
    """The modules that draw the games' counters, by shape."""


T = TypeVar("T")


@cache
def theme() -> Theme:
    """Return the looks of all theme files; raises DataError if one is invalid, or if two looks have one name."""
    data = shipped_path("data")
    of = read(data / "theme.toml", Theme, _FILE)
    for path in sorted(data.glob("*/theme.toml")):
        file = f"data/{path.parent.name}/theme.toml"
        brought = read(path, GameLooks, file)
        for kind in Looks.__struct_fields__:
            known, added = getattr(of, kind), getattr(brought, kind)
            if twice := sorted(known.keys() & added.keys()):
                raise DataError(
                    Problem(
                        tr("{kind}.{twice} already exists", kind=kind, twice=twice[0]),
                        file,
                        hint=tr("choose another name"),
                    )
                )
            known.update(added)
        of.homes.update(dict.fromkeys(brought.shape, brought.drawings))
    return of


def look(kind: str, table: Mapping[str, T], key: str) -> T:
    """Return the look with that key; raises DataError with the nearest known key if there is none."""
    try:
        return table[key]
    except KeyError:
        raise DataError(
            Problem(tr('the theme has no {kind} named "{key}"', kind=kind, key=key), _FILE, hint=near(key, table))
        ) from None
