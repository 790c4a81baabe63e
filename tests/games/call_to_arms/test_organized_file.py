"""Tests for an Organized game written by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.errors import DataError
from generator.games.battlelore.forces import Kind
from tests.games.call_to_arms.test_scenario_file import BY_HAND, kept, line_of, rules

LAWFUL = (
    BY_HAND.replace('first = "pennant"', 'first = "pennant"\nmode = "organized"\nage = "lore"\nowner = "standard"')
    .replace('left = "A1"', 'set = "A B/standard"\ncouncil = { commander = 3, warrior = 3 }\nleft = "A1"')
    .replace('left = "A1"', 'specialists = ["kings_allies", "bow_upgrade"]\nleft = "A1"')
    .replace('left = "C1"', 'set = "C A"\ncouncil = { commander = 1, cleric = 3, rogue = 2 }\nleft = "C1"')
    .replace('left = "C1"', 'specialists = ["prayer", "forced_enrollment"]\nleft = "C1"')
    + """
[[special]]
camp = "standard"
card = "prayer"

[[special]]
camp = "pennant"
card = "kings_allies"
choices = ["P9", "P9"]

[[special]]
camp = "standard"
card = "forced_enrollment"
choices = ["c3>A9"]
"""
)


def test_it_is_read_played_and_proved(tmp_path: Path) -> None:
    loaded = kept(tmp_path, LAWFUL)
    assert (rules(loaded, "illegal"), rules(loaded, "unproved")) == (set(), {"cards.drawn"})
    scenario = loaded.scenario
    assert scenario.forces["pennant"].sets == ("A", "B/standard")
    assert scenario.end.lore == {"pennant": 3, "standard": 3 + 4}
    assert [scenario.end.find("pennant", name).figures for name in ("P3", "P9")] == [4, 5]
    enrolled = scenario.end.find("standard", "S15")
    assert scenario.board.field.name(enrolled.hex) == "A9"
    assert enrolled.kind in {u.kind for u in scenario.card("standard", "C2").units}
    again = kept(tmp_path, loaded.text)
    assert (again.text, again.stamp, again.scenario.final) == (loaded.text, loaded.stamp, scenario.final)


def test_an_exchange_without_a_token_is_reported(tmp_path: Path) -> None:
    """P1 is not a token, which the rule reports. The file still contains the requested exchange."""
    text = f'{LAWFUL}\n[[exchange]]\ncamp = "pennant"\nunit = "P1"\nto = "green long_sword"\n'
    loaded = kept(tmp_path, text)
    assert rules(loaded, "illegal") == {"levy.exchange"}
    assert loaded.scenario.table.find("pennant", "P1").kind == Kind("green", "long_sword", "human")


def test_a_set_that_both_use(tmp_path: Path) -> None:
    assert rules(kept(tmp_path, LAWFUL.replace("A B/standard", "A C/standard")), "illegal") == {"cards.sets"}


@pytest.mark.parametrize(
    ("old", "new", "part", "message"),
    [
        ('mode = "organized"', 'mode = "organised"', "mode =", "did you mean organized?"),
        ('age = "lore"', 'age = "lord"', "age =", "did you mean lore?"),
        ('owner = "standard"', 'owner = "standart"', "owner =", "'standart' is not valid (did you mean standard?)"),
        ('["kings_allies"', '["kings_ally"', "specialists = ", "did you mean kings_allies?"),
        ('card = "prayer"', 'card = "prayr"', 'card = "prayr"', "did you mean prayer?"),
        ("warrior = 3", "worrier = 3", "council", "did you mean warrior?"),
        ("warrior = 3", "warrior = -3", "council", "-3 is too small"),
    ],
)
def test_faults_have_their_line(tmp_path: Path, old: str, new: str, part: str, message: str) -> None:
    text = LAWFUL.replace(old, new, 1)
    with pytest.raises(DataError) as caught:
        kept(tmp_path, text)
    [problem] = caught.value.problems
    assert message in str(problem)
    assert problem.line == line_of(text, part)
