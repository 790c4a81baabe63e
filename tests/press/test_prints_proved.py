"""Tests on a sample of `make prove ARGS=prints`."""

from __future__ import annotations

import pytest

from generator import games
from tests.prove.parts.prints import Case, Tried, figure, tried


@pytest.mark.parametrize("is_file", [False, True])
@pytest.mark.parametrize("game", games.names())
def test_kits_with_any_options_and_changed_files_are_printed(game: str, is_file: bool) -> None:
    found = [tried(Case(game, number, is_file)) for number in range(2)]
    assert [fault for one in found for fault in one.faults] == []
    assert any(one.printed for one in found)


def test_a_figure_holds_only_if_many_cases_were_printed_and_none_failed() -> None:
    assert figure("kits", [Tried(True, ()), Tried(False, ())]).holds
    assert not figure("kits", [Tried(False, ())] * 3).holds
    assert not figure("kits", [Tried(True, ("exit 70: …",))]).holds
