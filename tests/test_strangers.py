"""Tests on a seeded sample of `make prove ARGS=verdicts`."""

from __future__ import annotations

import pytest

from generator import games
from tests.strangers import missed, refusal

LAWFUL, SLIPS = 20, 40


@pytest.mark.parametrize("game", games.names())
def test_what_strangers_type_lawfully_is_not_refused(game: str) -> None:
    assert not [fault for number in range(LAWFUL) if (fault := refusal((game, number)))]


@pytest.mark.parametrize("game", games.names())
def test_a_typo_is_reported_with_its_line_and_place(game: str) -> None:
    faults = [fault for number in range(SLIPS) if (fault := missed((game, number)))]
    assert len(faults) <= SLIPS * 0.05, faults
