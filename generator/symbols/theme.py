"""Load the colours and patterns of drawings for each ink from data/theme.toml and data/<game>/theme.toml."""

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
    """The colours of a look: its area, the symbol on it, its outline, its dark side and its light side."""

    tint: _HEX = "#ffffff"
    fill: _HEX = "#ffffff"
    line: _HEX = "#404040"
    dark: _HEX = "#404040"
    light: _HEX = "#ffffff"


class _Inked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    full: Palette
    saver: Palette

    def ink(self, ink: str) -> Palette:
        """Return the colours for an ink.

        Raises:
            DataError: If the ink is unknown.
        """
        if ink == "full":
            return self.full
        if ink == "saver":
            return self.saver
        raise DataError(tr('the theme has no ink named "{ink}"', ink=ink), hint=near(ink, INKS))


class Ground(_Inked, frozen=True, forbid_unknown_fields=True):
    """A terrain or feature, with the pattern drawn on it and the letter in its corner."""

    pattern: str = ""
    letter: str = ""
    water: bool = False
    """Whether the terrain contains a river."""
    relief: int = 0
    """Height of the terrain, 0 if it is flat. Neighbours of the same height or higher share their contours."""
    road: bool = False
    """Whether the legend shows the terrain with a road."""
    walls: bool = False
    """Whether some hexsides of the terrain are walls. The legend shows two walls."""
    over: bool = False
    """Whether the pattern is drawn over the areas on the terrain."""
    name_style: Literal["", "plain", "large", "slanted"] = msgspec.field(default="", name="called")
    """Type style of the names of places with this feature. Names are bold unless the style is plain."""


class Shape(_Inked, frozen=True, forbid_unknown_fields=True):
    """The banner of a camp, with the name of its outline and the colours of the camp's cards."""

    outline: str


class Quality(_Inked, frozen=True, forbid_unknown_fields=True):
    """The colour of a banner, with secondary signs: a letter, pips, and heraldic hatching at an angle in degrees."""

    letter: str = ""
    pips: int = 0
    hatch: float = 0.0


class Badge(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A small second symbol on a counter. A badge without a drawing is not printed."""

    drawing: str = ""
    side: Literal["left", "right"] = "left"


class Shade(_Inked, frozen=True, forbid_unknown_fields=True):
    """A translucent overlay with the opacity of its fill and the angle of its hatching, if any."""

    alpha: float
    hatch: float | None = None
    saved: float | None = None
    """Opacity of the fill in an ink-saving print, if it differs."""
    cross: bool = False
    """Whether the overlay is cross-hatched."""
    pitch: float = 0.1875
    """Distance between the lines of the hatching, in cell sides."""
    rim: float = 0.0
    """Width of a line around each cell, in cell sides. The line is dashed in an ink-saving print."""
    edge: float = 0.0
    """Width of a line along the outline of the cells, in cell sides."""
    dash: bool = False
    """Whether that line is dashed."""


class AreaLook(_Inked, frozen=True, forbid_unknown_fields=True):
    """The look of a shape that does not follow cells.

    `hatch` is the angle of its hatching in degrees, `pitch` the distance between the lines in cell sides, and
    `alpha` the opacity of its fill.
    """

    hatch: float
    pitch: float
    alpha: float = 1.0


class TrackLook(_Inked, frozen=True, forbid_unknown_fields=True):
    """The look of a path: the width and dashes of its line, relative to the width of a cell, and its arrowhead."""

    width: float
    dash: tuple[float, ...] = ()
    filled: bool = True
    """Whether the arrowhead is a filled triangle rather than two strokes."""
    double: bool = False
    """Whether a pale line is drawn along the middle of the path."""
    ribbon: bool = False
    """Whether the path is a broad arrow between the contents of its first and last cells."""
    hatch: float = 0.0
    """The angle of the lines on a broad arrow in an ink-saving print, in degrees."""


class ScenicColours(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The colours of meadows and fields. In an ink-saving print, areas are white."""

    furrow: _HEX
    strip: _HEX
    hedge: _HEX
    meadows: tuple[_HEX, ...] = ()
    fields: tuple[_HEX, ...] = ()


class Scenery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The colours of scenery for each ink."""

    full: ScenicColours
    saver: ScenicColours

    def ink(self, ink: str) -> ScenicColours:
        """Return the colours for an ink."""
        return self.saver if ink == "saver" else self.full


class Looks(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The looks that a theme file may define, keyed by name."""

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
    """The contents of data/<game>/theme.toml: the looks of a game, and the module that draws its counters."""

    drawings: str = ""


class Theme(Looks, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """All looks of data/theme.toml and of the games, keyed by name."""

    map: _Inked
    section: _Inked
    ray: _Inked
    ring: _Inked
    wall: _Inked
    road: _Inked
    scenery: Scenery
    spots: dict[str, tuple[tuple[float, float], ...]]
    """Positions of the elements of a pattern, in mm."""
    homes: dict[str, str] = {}
    """Modules that draw the counters of a game, keyed by shape."""


T = TypeVar("T")


@cache
def theme() -> Theme:
    """Return the looks of all theme files.

    Raises:
        DataError: If a file is invalid or two looks have the same name.
    """
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
    """Return the look with the given key.

    Raises:
        DataError: If there is no such look. The hint suggests the nearest key.
    """
    try:
        return table[key]
    except KeyError:
        raise DataError(
            Problem(tr('the theme has no {kind} named "{key}"', kind=kind, key=key), _FILE, hint=near(key, table))
        ) from None
