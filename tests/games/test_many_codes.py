"""Tests that 30 codes of each kind of battle generate 30 legal battles. `make prove ARGS=draws` generates 1,000."""

from __future__ import annotations

import pytest

from tests.prove.parts.draws import KINDS, fault

SOME = 30
"""Number of codes of each kind."""


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("part", range(5))
def test_every_code_draws_a_legal_battle(kind: str, part: int) -> None:
    assert [fault_found for number in range(part, SOME, 5) if (fault_found := fault((kind, number)))] == []
