"""Pictures to count with: as many as are meant, within their own frame."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from generator.model.picture import Path, Picture, Text, Use
from generator.symbols import pictograms
from generator.symbols.pictograms import Arrow, Share


@pytest.mark.parametrize("draw", [pictograms.dice, pictograms.hexes, pictograms.squares])
def test_each_counts_and_those_under_a_condition_are_hollow(draw: Callable[..., Picture]) -> None:
    drawn = [item.symbol for item in draw(3, hollow=2).items if isinstance(item, Use)]
    assert [isinstance(path := of.items[0], Path) and bool(path.fill) for of in drawn] == [True] * 3 + [False] * 2
    # Each look is drawn once in a document.
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
