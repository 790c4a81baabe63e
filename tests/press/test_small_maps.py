"""Tests that small maps show units by more than colour, keep names legible, and need little ink to save ink."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from msgspec.structs import replace

from generator.grid.hexes import Part
from generator.model.picture import Path, Picture, Text, Use
from generator.model.views import Flag, MapView, Token
from generator.press.figures.cell_names import PLATE_ALPHA
from generator.press.figures.maps import draw_sized
from generator.press.layout.fitting import text_width
from generator.press.pdf.legible import legible
from generator.symbols.overlays import shade
from generator.symbols.shapes import Place
from generator.symbols.theme import INKS, theme
from tests.prove.parts.colours import (
    BANNERS,
    COUNTERS,
    DETAIL,
    EYES,
    OVERLAYS,
    ROWS,
    SMALL,
    board_flag,
    cell,
    most_similar,
    overlays,
    small_flag,
    small_unit,
)
from tests.prove.parts.ink import MAX_SAVER, Case, PageInk, saver_figure, small_maps

PAIRS = [(game, of) for game in OVERLAYS for of in OVERLAYS[game]]


@pytest.mark.parametrize("eye", EYES)
@pytest.mark.parametrize("ink", INKS)
@pytest.mark.parametrize(("game", "of"), PAIRS)
def test_any_two_overlays_differ(game: str, of: str, ink: str, eye: str) -> None:
    drawn = {look: EYES[eye](picture) for look, picture in overlays(game, OVERLAYS[game][of], ink).items()}
    assert most_similar(of, drawn).faults == ()


@pytest.mark.parametrize("eye", EYES)
@pytest.mark.parametrize("ink", INKS)
@pytest.mark.parametrize("draw", [small_unit, small_flag])
def test_any_two_small_units_differ(draw: Callable[[Token, str], Picture], ink: str, eye: str) -> None:
    drawn = {f"{of.shape} {of.colour}": EYES[eye](draw(of, ink)) for of in COUNTERS["battlelore"]}
    assert most_similar("small", drawn).faults == ()


@pytest.mark.parametrize("eye", EYES)
@pytest.mark.parametrize("ink", INKS)
def test_flags_of_both_sides_differ(ink: str, eye: str) -> None:
    drawn = {side: EYES[eye](board_flag(side, ink)) for side in ("blue", "red")}
    assert most_similar("flags", drawn).faults == ()


def small_map(*tokens: Token, flags: tuple[Flag, ...] = (), compact: bool = True) -> MapView:
    """Return a map of a hex with these tokens."""
    return replace(
        cell("battlelore", "countryside"),
        tokens=tuple((ROWS.cells[0], of) for of in tokens),
        flags=flags,
        compact=compact,
    )


def texts(picture: Picture) -> set[str]:
    """Return the texts that are printed, without those below the minimum size."""

    def inside(items: tuple[object, ...]) -> Iterator[str]:
        for item in items:
            if isinstance(item, Text):
                yield item.text
            elif isinstance(item, Use):
                yield from inside(item.symbol.items)

    return set(inside(legible(picture.items)))


@pytest.mark.parametrize("width", [9.2, SMALL])
@pytest.mark.parametrize("ink", INKS)
@pytest.mark.parametrize("banner", BANNERS)
def test_a_small_counter_keeps_its_letter(banner: str, ink: str, width: float) -> None:
    token = Token("pennant", banner, "short_sword", "P1")
    letter = theme().colour[banner].letter
    assert texts(draw_sized(small_map(token), "en", ink, width).picture) == {letter, "P1"}
    assert letter not in texts(draw_sized(small_map(token, compact=False), "en", ink, 8.0).picture)


def test_labels_of_two_counters_on_a_hex_are_side_by_side() -> None:
    tokens = [Token("pennant", "green", "short_sword", label) for label in ("P1", "P2")]
    items = draw_sized(small_map(*tokens), "en", "full", 9.2).picture.items
    first, second = sorted((item for item in items if isinstance(item, Text)), key=lambda item: item.x)
    assert (first.text, second.text, first.y) == ("P2", "P1", second.y)
    width = text_width("P2", first.size, True)
    assert second.x - first.x > width


@pytest.mark.parametrize("banner", BANNERS)
def test_a_flag_has_the_pips_of_its_banner(banner: str) -> None:
    with_pips, without = (
        draw_sized(small_map(flags=(Flag(ROWS.cells[0], "pennant", colour, "7"),)), "en", "saver", DETAIL).picture
        for colour in (banner, "pennant_archers")
    )
    # The flag of a unit also has a pale edge.
    assert len(with_pips.items) == len(without.items) + theme().colour[banner].pips + 1


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour (WCAG 2.2)."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def mixed(over: str, under: str, alpha: float) -> str:
    """Return a translucent colour over another."""
    pairs = [(int(over[i : i + 2], 16), int(under[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(alpha * a + (1 - alpha) * b):02x}" for a, b in pairs)


@pytest.mark.parametrize("ink", INKS)
@pytest.mark.parametrize("step", range(1, 5))
def test_names_are_legible_on_every_step_of_danger(step: int, ink: str) -> None:
    look, dark = theme().shade[f"danger{step}"], theme().map.ink(ink).dark
    alpha = look.saved if ink == "saver" and look.saved is not None else look.alpha
    line = look.ink(ink).line
    grounds = [theme().ground[key].ink(ink).tint for key in ("countryside", "forest", "hill", "marsh")]
    for ground in grounds:
        tint = mixed(look.ink(ink).fill, ground, alpha)
        behind = [mixed("#ffffff", of, PLATE_ALPHA) for of in (tint, mixed(line, tint, 0.8))]
        for of in behind:
            assert (luminance(of) + 0.05) / (luminance(dark) + 0.05) >= 4.5


@pytest.mark.parametrize("camp", ["pennant", "standard"])
def test_seen_hexes_are_hatched_without_a_fill_to_save_ink(camp: str) -> None:
    grid = Part(ROWS, ROWS.cells[:1])
    place = Place(grid, 6.0, 0.0, 0.0)
    looks = theme().shade
    lines = []
    for n in (1, 2, 3):
        items = shade(place, grid.cells, looks[f"{camp}{n}"], "saver")
        assert all(isinstance(item, Path) and item.fill is None for item in items)
        lines.append(sum(len(item.steps) for item in items if isinstance(item, Path)))
    assert lines == sorted(set(lines)), "more archers have closer lines"
    assert looks["pennant1"].hatch != looks["standard1"].hatch
    assert looks["standard_edge"].dash and not looks["pennant_edge"].dash


def test_pages_of_fields_of_fire_need_little_ink() -> None:
    pages = small_maps(Case("battlelore", 1, "en", "saver", "a4"))
    assert any(page.page.endswith("fire") for page in pages)
    assert saver_figure(pages).holds
    assert saver_figure([*pages, PageInk("grey", MAX_SAVER + 0.01)]).faults == ("grey: 8.5 %",)
