"""Any two terrains, sides, banners or overlays, also on small maps, differ in grey and for colour-blind people."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator
from itertools import combinations

import pypdfium2
from msgspec.structs import replace
from PIL import ImageChops, ImageFilter, ImageStat
from PIL.Image import Image

from generator.grid.columns import columns_field
from generator.grid.hexes import Grid, Part, field
from generator.grid.squares import squares
from generator.model.picture import Picture, Symbol, Use
from generator.model.views import Area, Flag, MapView, Note, Shade, Token
from generator.model.words import same
from generator.press.figures.maps import draw_sized
from generator.press.figures.tokens import placed_flags, token_boxes, token_symbol
from generator.press.pdf.canvas import picture_pdf
from generator.store.folders import shipped_path
from generator.symbols.shapes import Box, anatomy
from generator.symbols.theme import INKS, theme
from tests.prove.figure import Figure

APART = 5.0
"""Minimum mean difference of two images' pixels, from 0 to 255."""
DPI, CELL, TOKEN = 100, 14.0, 12.0
"""Resolution near the limit of the eye in dots per inch, and sizes of cells and counters on a full-page map in mm."""
DEUTERANOPIA = (
    0.367322, 0.860646, -0.227968, 0.0,
    0.280085, 0.672501, 0.047413, 0.0,
    -0.011820, 0.042940, 0.968881, 0.0,
)  # fmt: skip

ROWS, SQUARES, COLUMNS = field((3,)), squares(2, 2), columns_field(2, 2)
GRIDS: dict[str, Grid] = {"battlelore": ROWS, "blind_faith": ROWS, "travel_battle": SQUARES, "battling": COLUMNS}
BARE = {"battlelore": "countryside", "blind_faith": "clear", "travel_battle": "open", "battling": "street"}

BANNERS, BRIGADES = ("green", "blue", "red"), ("first", "second", "third", "fourth", "fifth", "sixth")
COUNTERS = {
    "battlelore": [Token(camp, banner, "short_sword") for camp in ("pennant", "standard") for banner in BANNERS],
    "travel_battle": [Token(side, band, "line", facing=90.0) for side in ("blue", "red") for band in BRIGADES],
    "battling": [Token(side, "plain", "standard_machine") for side in ("first", "second")],
    "blind_faith": [Token(side, "plain", "cavalry") for side in ("hussite", "crusader")],
}


SMALL, DETAIL, FLAGGED = 10.0, 5.5, 6.0
"""Widths of a hex on small maps, of a hex on the maps of a single archer, and of a square on set-up maps, in mm."""
OVERLAYS = {
    "battlelore": {
        "fire": "pennant1 pennant2 pennant3 standard1 standard2 standard3",
        "detail of pennant": "pennant_sight barred blocker",
        "detail of standard": "standard_sight barred blocker",
        "danger": "danger1 danger2 danger3 danger4",
        "moves": "reach barred",
    },
    "travel_battle": {"guns": "seen dead", "odds": "danger1 danger2 danger3 danger4", "moves": "seen melee blocked"},
    "battling": {"sight": "cover seen", "odds": "danger3 danger2 gain1 gain2"},
    "blind_faith": {"interception": "reach", "meeting": "meeting"},
}
"""The overlays of each kind of map, which also differ from plain ground."""


def small_unit(token: Token, ink: str) -> Picture:
    """Return a unit on a small map, such as a set-up, fire or danger map, cut out of its hex."""
    view = replace(cell("battlelore", "countryside"), tokens=((ROWS.cells[0], token),), compact=True)
    drawn = draw_sized(view, "en", ink, SMALL)
    return cut_out(drawn.picture, next(token_boxes(view, drawn.place)))


def small_flag(token: Token, ink: str) -> Picture:
    """Return a unit on the map of a single archer, as a flag with a number, cut out of its hex."""
    view = replace(cell("battlelore", "countryside"), flags=(Flag(ROWS.cells[0], token.shape, token.colour, "7"),))
    drawn = draw_sized(view, "en", ink, DETAIL)
    return cut_out(drawn.picture, *(flag.box for flag in placed_flags(view, drawn.place)))


def board_flag(side: str, ink: str) -> Picture:
    """Return a flag with a unit's number on the set-up map of Travel Battle, in its square."""
    view = cell("travel_battle", "open")
    note = Note(SQUARES.centre(SQUARES.cells[0]), same("1a"), 0.38, flag=f"{side}_flag")
    return draw_sized(replace(view, notes=(note,)), "en", ink, FLAGGED).picture


def cut_out(picture: Picture, box: Box) -> Picture:
    """Return the part of a picture within a box in mm."""
    left, foot, right, top = box
    whole = Symbol("whole", picture.items)
    return Picture(right - left, top - foot, (Use(whole, -left, -foot),))


def overlay(game: str, look: str, ink: str) -> Picture:
    """Return a cell of a small map with this overlay, or a plain cell if `look` is empty."""
    view = cell(game, BARE[game])
    shades = (Shade(look, (GRIDS[game].cells[0],)),) if look else ()
    return draw_sized(replace(view, shades=shades), "en", ink, SMALL).picture


def overlays(game: str, looks: str, ink: str) -> dict[str, Picture]:
    """Return a plain cell and a cell for each of these overlays."""
    return {look or "plain": overlay(game, look, ink) for look in ("", *looks.split())}


def terrains(game: str) -> list[str]:
    """Return every style of terrain, feature or area on the game's maps."""
    if game == "battling":
        return ["street", "closed", "silhouette"]
    data = tomllib.loads((shipped_path("data") / game / "terrain.toml").read_text("utf-8"))
    rows = [row["id"] for kind in ("terrain", "feature", "place") for row in data.get(kind, [])]
    t = theme()
    assert set(rows) <= {*t.ground, *t.feature}
    return rows


def cell(game: str, key: str) -> MapView:
    """Return a map of a single cell in a style, as in a legend, without its letter."""
    whole, t = GRIDS[game], theme()
    one = whole.cells[0]
    grid = Part(whole, (one,))
    look = t.ground.get(key)
    through = {one: (0, len(anatomy(grid).exits) // 2)}
    (x, y), corners = grid.centre(one), grid.corners(one)
    block = tuple((x + 0.7 * (a - x), y + 0.7 * (b - y)) for a, b in corners)
    return MapView(
        grid,
        {one: key if look else BARE[game]},
        {one: key} if key in t.feature else {},
        flows=through if look and look.water else {},
        roads=through if look and look.road else {},
        walls={one: (1, 2)} if look and look.walls else {},
        areas=(Area(key, (block,)),) if key in t.area else (),
        names=False,
    )


def grey(picture: Picture) -> Image:
    """Return the picture in grey and slightly blurred, like a photocopy."""
    image: Image = _rendered(picture).convert("L").filter(ImageFilter.GaussianBlur(0.8))
    return image


def without_green(picture: Picture) -> Image:
    """Return the picture as seen without green receptors (Machado, Oliveira and Fernandes 2009, severity 1)."""
    image: Image = (
        _rendered(picture).convert("RGB").convert("RGB", DEUTERANOPIA).filter(ImageFilter.GaussianBlur(0.8))
    )
    return image


def _rendered(picture: Picture) -> Image:
    image: Image = pypdfium2.PdfDocument(picture_pdf(picture, "en"))[0].render(scale=DPI / 72).to_pil()
    return image


def apart(a: Image, b: Image) -> float:
    """Return the mean difference of two images' pixels, from 0 to 255.

    Colour images use the channel that differs most.
    """
    return float(max(ImageStat.Stat(ImageChops.difference(a, b)).mean))


def counter(token: Token, ink: str) -> Picture:
    """Return a picture of a token."""
    middle = TOKEN / 2
    return Picture(TOKEN, TOKEN, (Use(token_symbol(token, ink), middle, middle, TOKEN / 13.4),))


def ground(game: str, key: str, ink: str) -> Picture:
    """Return a picture of a single cell in a style."""
    return draw_sized(cell(game, key), "en", ink, CELL).picture


EYES: dict[str, Callable[[Picture], Image]] = {"in grey": grey, "without green": without_green}


def prove() -> Iterator[Figure]:
    """Compare every pair of a game's terrains, sides, banners and brigades, in either ink."""
    for game in GRIDS:
        for ink in INKS:
            kinds = {
                "terrains": {key: ground(game, key, ink) for key in terrains(game)},
                "counters": {f"{t.shape} {t.colour}": counter(t, ink) for t in COUNTERS[game]},
                **{f"overlays of {of}": overlays(game, looks, ink) for of, looks in OVERLAYS[game].items()},
            }
            if game == "battlelore":
                kinds["small counters"] = {f"{t.shape} {t.colour}": small_unit(t, ink) for t in COUNTERS[game]}
                kinds["small flags"] = {f"{t.shape} {t.colour}": small_flag(t, ink) for t in COUNTERS[game]}
            if game == "travel_battle":
                kinds["small flags"] = {side: board_flag(side, ink) for side in ("blue", "red")}
            for what, drawn in kinds.items():
                for seen, eye in EYES.items():
                    yield most_similar(f"{game}, {ink}: {what} {seen}", {name: eye(of) for name, of in drawn.items()})


def most_similar(what: str, drawn: dict[str, Image]) -> Figure:
    """Return the figure of the most similar pair, which must differ enough."""
    pairs = {(a, b): apart(drawn[a], drawn[b]) for a, b in combinations(drawn, 2)}
    a, b = min(pairs, key=pairs.__getitem__)
    alike = tuple(f"{x}, {y}: {d:.1f}" for (x, y), d in pairs.items() if d < APART)
    mean = sum(pairs.values()) / len(pairs)
    found = f"{len(pairs)} pairs, smallest difference {pairs[a, b]:.1f} ({a}, {b}), mean {mean:.1f}"
    return Figure(what, found, f"≥ {APART:g} of 255", not alike, alike)
