"""Tests for label placement: no overlaps, no hidden symbols, every omission reported, and optimal in small cases.

This is a sample of what `make prove ARGS=labels` tries on many maps.
"""

from __future__ import annotations

from itertools import combinations, product
from random import Random

import pytest

from generator import games
from generator.press.figures.labels import (
    LOST_WEIGHT,
    Candidate,
    Obstacles,
    allowed_candidates,
    choose_candidates,
    crosses_box,
    overlap,
)
from generator.symbols.shapes import Box
from tests.prove.parts.labels import Case, arenas, check_map, sheets

Label = list[Candidate[int]]


def some(random: Random, labels: int, maximum: int) -> list[Label]:
    """Return labels that are close enough to obstruct each other."""

    def candidate(i: int) -> Candidate[int]:
        x, y = random.uniform(0, 6), random.uniform(0, 3)
        return Candidate((x, y, x + random.uniform(1, 3), y + 1), random.choice((0.0, 0.5, random.random())), i)

    return [[candidate(i) for i in range(random.randint(0, maximum))] for _ in range(labels)]


def weight(choice: tuple[Candidate[int] | None, ...] | list[Candidate[int] | None]) -> float:
    return sum(one.weight if one else LOST_WEIGHT for one in choice)


def lowest_cost(labels: list[Label]) -> float:
    """Return the lowest cost of all placements."""
    lawful = (
        choice
        for choice in product(*([*label, None] for label in labels))
        if not any(a and b and overlap(a.box, b.box) for a, b in combinations(choice, 2))
    )
    return min(map(weight, lawful))


@pytest.mark.parametrize("seed", range(60))
def test_the_choice_is_the_lightest_that_brute_force_finds(seed: int) -> None:
    labels = some(Random(seed), 5, 5)
    chosen = choose_candidates(labels)
    assert not any(a and b and overlap(a.box, b.box) for a, b in combinations(chosen, 2))
    assert all(one is None or one in label for one, label in zip(chosen, labels, strict=True))
    assert weight(chosen) == pytest.approx(lowest_cost(labels))


@pytest.mark.parametrize("seed", range(20))
def test_with_a_small_budget_it_is_lawful_and_the_same_again(seed: int) -> None:
    labels = some(Random(seed), 30, 8)
    chosen = choose_candidates(labels, budget=10)
    assert chosen == choose_candidates(labels, budget=10)
    assert not any(a and b and overlap(a.box, b.box) for a, b in combinations(chosen, 2))
    assert weight(choose_candidates(labels)) <= weight(chosen) + 1e-6


def test_no_label_covers_what_is_barred_and_what_weighs_is_weighed() -> None:
    ground = Obstacles(1.0)
    ground.forbid((2.0, 0.0, 3.0, 1.0))
    ground.add_weight((0.0, 0.0, 2.0, 0.5), 3.0)
    ground.forbid_crossing((5.0, -1.0), (5.0, 4.0))
    boxes: list[Box] = [(2.5, 0.5, 4.0, 1.5), (0.5, 0.0, 1.5, 1.0), (4.5, 2.0, 5.5, 3.0), (3.0, 0.0, 4.0, 1.0)]
    found = allowed_candidates(ground, [Candidate(box, 0.1, i) for i, box in enumerate(boxes)])
    assert [one.item for one in found] == [3, 1]
    assert [one.weight for one in found] == pytest.approx([0.1, 1.6])
    assert [
        one.item for one in allowed_candidates(ground, [Candidate(b, 0.0, i) for i, b in enumerate(boxes)], 1)
    ] == [1]


def test_a_line_crosses_a_box_only_where_it_runs_through_it() -> None:
    box = (0.0, 0.0, 2.0, 1.0)
    assert crosses_box(box, (-1.0, -1.0), (3.0, 2.0))
    assert crosses_box(box, (1.0, 0.5), (1.0, 0.6))
    assert not crosses_box(box, (-1.0, 0.0), (3.0, 0.0))
    assert not crosses_box(box, (3.0, 0.5), (4.0, 0.5))
    assert not crosses_box(box, (-1.0, 0.5), (0.5, 2.5))


@pytest.mark.parametrize("game", games.names())
def test_labels_on_a_kits_maps_do_not_overlap_and_omissions_are_listed(game: str) -> None:
    found = sheets(Case(game, 0))
    assert found.maps
    assert found.labels
    assert (found.overlaps, found.silent) == ((), ())


def test_no_outline_of_a_building_is_covered() -> None:
    found = [check_map(name, view, "en") for name, view in list(arenas(2))]
    assert sum(one.labels for one in found) > 500
    assert [fault for one in found for fault in (*one.covered, *one.overlaps, *one.silent)] == []
