"""Tests for connected groups of cells."""

from __future__ import annotations

from generator.common.tables import connected


def test_parts_come_by_their_first_cells_and_grow_outwards() -> None:
    assert connected([5, 1, 2, 9, 3, 8], lambda n: (n - 1, n + 1)) == [(5,), (1, 2, 3), (9, 8)]


def test_one_way_steps_are_followed_as_they_lead() -> None:
    assert connected("abc", lambda c: {"a": "b", "b": "c", "c": ""}[c]) == [("a", "b", "c")]
    assert connected("cba", lambda c: {"a": "b", "b": "c", "c": ""}[c]) == [("c",), ("b",), ("a",)]


def test_a_step_that_is_barred_parts_them() -> None:
    assert connected(range(4), lambda n: (n - 1, n + 1), lambda a, b: {a, b} != {1, 2}) == [(0, 1), (2, 3)]


def test_nothing_has_no_parts() -> None:
    assert connected((), lambda n: ()) == []
