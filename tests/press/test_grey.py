"""Any two terrains of a map, and any two counters, are told apart in grey: in rendered pixels, without letters."""

from __future__ import annotations

import tomllib
from functools import cache
from itertools import combinations, pairwise

import pypdfium2
import pytest
from PIL import ImageChops, ImageFilter, ImageStat
from PIL.Image import Image

from generator.grid.columns import columns_field
from generator.grid.field import Grid, Part, field
from generator.grid.squares import squares
from generator.model.picture import Picture, Use
from generator.model.views import Area, MapView, Token
from generator.press.canvas import alone
from generator.press.maps import draw_sized
from generator.press.tokens import token_symbol
from generator.store.folders import shipped
from generator.symbols.shapes import anatomy
from generator.symbols.theme import INKS, theme

APART = 5.0
"""The least mean difference of two drawings' pixels, of 255."""
DPI, CELL, TOKEN = 100, 14.0, 12.0
"""Much finer is seen by nobody; cells and counters as large as on a map that fills a page, in mm."""

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
WEAPONS = {
    "battlelore": ("pennant", "blue", "short_sword long_sword common_bow long_bow crossbow arbalest"),
    "travel_battle": ("blue", "first", "line guard light heavy gun brigadier"),
    "battling": ("first", "plain", "standard_machine assault_machine heavy_machine scout_machine"),
    "blind_faith": ("hussite", "plain", "wagon cavalry foot handgun_horse leader siege cardinal legate"),
}


def terrains(game: str) -> list[str]:
    """Every look of ground, feature or area on the game's maps."""
    if game == "battling":
        return ["street", "closed", "silhouette"]
    data = tomllib.loads((shipped("data") / game / "terrain.toml").read_text("utf-8"))
    rows = [row["id"] for kind in ("terrain", "feature", "place") for row in data.get(kind, [])]
    t = theme()
    assert set(rows) <= {*t.ground, *t.feature}
    return rows


def cell(game: str, key: str) -> MapView:
    """A single cell of a look, as a legend shows it; without its letter."""
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
    """The picture in grey, a little out of focus, as from a copier."""
    rendered = pypdfium2.PdfDocument(alone(picture, "en"))[0].render(scale=DPI / 72).to_pil()
    image: Image = rendered.convert("L").filter(ImageFilter.GaussianBlur(0.8))
    return image


def apart(a: Image, b: Image) -> float:
    return float(ImageStat.Stat(ImageChops.difference(a, b)).mean[0])


@cache
def counter(token: Token, ink: str) -> Image:
    middle = TOKEN / 2
    return grey(Picture(TOKEN, TOKEN, (Use(token_symbol(token, ink), middle, middle, TOKEN / 13.4),)))


@pytest.mark.parametrize("ink", INKS)
@pytest.mark.parametrize("game", GRIDS)
def test_any_two_terrains(game: str, ink: str) -> None:
    drawn = {key: grey(draw_sized(cell(game, key), "en", ink, CELL).picture) for key in terrains(game)}
    alike = [(a, b, d) for a, b in combinations(drawn, 2) if (d := apart(drawn[a], drawn[b])) < APART]
    assert alike == []


@pytest.mark.parametrize("ink", INKS)
@pytest.mark.parametrize("game", COUNTERS)
def test_any_two_banners_or_sides(game: str, ink: str) -> None:
    pairs = combinations(COUNTERS[game], 2)
    assert [(a, b, d) for a, b in pairs if (d := apart(counter(a, ink), counter(b, ink))) < APART] == []


@pytest.mark.parametrize("ink", INKS)
@pytest.mark.parametrize("game", WEAPONS)
def test_any_two_weapons(game: str, ink: str) -> None:
    shape, colour, symbols = WEAPONS[game]
    facing = 90.0 if game == "travel_battle" else None
    pairs = combinations([Token(shape, colour, symbol, facing=facing) for symbol in symbols.split()], 2)
    assert [(a, b, d) for a, b in pairs if (d := apart(counter(a, ink), counter(b, ink))) < APART] == []


def test_banners_differ_in_tone_where_there_are_no_hatchings() -> None:
    """A banner that lies face up on a copier: green is the lightest, red the darkest."""
    for camp in ("pennant", "standard"):
        tones = [ImageStat.Stat(counter(Token(camp, banner, "short_sword"), "full")).mean[0] for banner in BANNERS]
        assert tones == sorted(tones, reverse=True)
        assert min(a - b for a, b in pairwise(tones)) > APART
