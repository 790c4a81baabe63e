"""Tests that pictures of quantities contain the right number of symbols inside their frame."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest

from generator.model.picture import Item, Path, Picture, Text, Use, light_of
from generator.symbols import pictograms
from generator.symbols.pictograms import Arrow, Share


@pytest.mark.parametrize("draw", [pictograms.dice, pictograms.hexes, pictograms.squares])
def test_each_counts_and_those_under_a_condition_are_hollow(draw: Callable[..., Picture]) -> None:
    drawn = [item.symbol for item in draw(3, hollow=2).items if isinstance(item, Use)]
    assert [isinstance(path := of.items[0], Path) and bool(path.fill) for of in drawn] == [True] * 3 + [False] * 2
    # Each style is drawn once in a document.
    assert len({of.name for of in drawn}) == len(set(drawn)) == 2


@pytest.mark.parametrize(
    "picture",
    [
        pictograms.dice(4, hollow=1),
        pictograms.hexes(3, hollow=1),
        pictograms.squares(6),
        pictograms.banners(6, wide=30),
        pictograms.cards(5),
        pictograms.rings(1, 12, wide=40),
        pictograms.number("12"),
        pictograms.eye(clear=False),
        pictograms.steps(("", "A", "E"), (Arrow(1, 2, "fight"),)),
        pictograms.steps(("A", ""), (Arrow(0, 1),)),
        pictograms.steps(("A", "E"), (Arrow(0, 1, "blow"), Arrow(1, 0, "answer"))),
        pictograms.face(6),
        pictograms.needs("4+"),
    ],
)
def test_nothing_lies_outside_its_frame(picture: Picture) -> None:
    for item in picture.items:
        if isinstance(item, Use):
            reach = item.symbol.reach / 2 * item.scale
            assert reach <= item.x + 0.05
            assert item.x + reach <= picture.width + 0.05
            assert reach <= item.y + 0.05 and item.y + reach <= picture.height + 0.05
        if isinstance(item, Path):
            for _, *numbers in item.steps:
                ends = [float(number) for number in numbers[-2:]]
                assert not ends or (-0.05 <= ends[0] <= picture.width + 0.05), item
                assert not ends or (-0.05 <= ends[1] <= picture.height + 0.05), item


def test_turns_are_numbered_in_their_order() -> None:
    texts = [item.text for item in pictograms.rings(3, 7).items if isinstance(item, Text)]
    assert texts == ["3", "4", "5", "6", "7"]


def test_a_bar_says_its_number_where_there_is_room() -> None:
    bar = pictograms.bar([Share(0.9, "#ffffff", "90"), Share(0.1, "#000000", "10", light=True)], 30)
    assert [item.text for item in bar.items if isinstance(item, Text)] == ["90"]


@pytest.mark.parametrize("pips", range(1, 7))
def test_a_die_shows_its_pips_apart(pips: int) -> None:
    spots = {item.steps[0] for item in pictograms.face(pips).items[1:] if isinstance(item, Path)}
    assert len(spots) == pips


def darkness(items: Iterable[Item]) -> float:
    """Return the ink used by filled shapes, based only on the lightness of the fills."""
    return sum(1 - light_of(item.fill) for item in items if isinstance(item, Path) and item.fill)


@pytest.mark.parametrize(
    "picture",
    [
        pictograms.number("12"),
        pictograms.eye(clear=False),
        pictograms.steps(("", "A", "E"), (Arrow(1, 2, "fight"),)),
        pictograms.bar([Share(0.4, "#4d4536", "40", light=True), Share(0.3, "#b9a67f"), Share(0.3, "#5c7796")], 60),
    ],
)
def test_ink_saver_has_greys_alone_and_less_of_them(picture: Picture) -> None:
    assert picture.saver
    colours = [item.colour for item in picture.saver if isinstance(item, Text)]
    for item in picture.saver:
        if isinstance(item, Path):
            colours += [*([item.fill] if item.fill else []), *([item.pen.colour] if item.pen else [])]
    assert all(len({c[1:3], c[3:5], c[5:7]}) == 1 for c in colours if c != pictograms.BLACK)
    assert pictograms.WHITE not in [item.colour for item in picture.saver if isinstance(item, Text)]
    assert darkness(picture.saver) < 0.62 * darkness(picture.items)


def test_ink_saver_keeps_tones_in_their_order() -> None:
    fills = ["#23211c", "#4d4536", "#5c7796", "#b9a67f", "#e2dccb"]
    spared = pictograms.bar([Share(0.2, fill) for fill in fills], 60).saver
    lights = [light_of(item.fill) for item in spared if isinstance(item, Path) and item.fill]
    assert lights == sorted(lights) and lights[0] > 0.5
