"""Thirty codes of each kind of battle draw thirty legal ones; `make prove ARGS=draws` draws a thousand."""

from __future__ import annotations

import pytest

from tests.prove.parts.draws import KINDS, fault

SOME = 30
"""Number of codes of each kind."""


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("part", range(5))
def test_every_code_draws_a_legal_battle(kind: str, part: int) -> None:
    assert [fault_found for number in range(part, SOME, 5) if (fault_found := fault((kind, number)))] == []
