"""Tests for scenario files that are written, read, edited, typed by hand, or faulty."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from generator import games
from generator.cli.scenario import Loaded, examine, load
from generator.errors import DataError
from generator.games.call_to_arms.cards import cell_name
from generator.games.call_to_arms.model import Scenario
from generator.model.scenario import Request
from generator.notation import envelope
from generator.seeds import BITS, code_for
from tests.games.call_to_arms.scenes import scene

GAME = games.load("call_to_arms")
WISHES: tuple[dict[str, str], ...] = (
    {},
    {"board": "memoir", "hill": "plateau"},
    {"map": "fenwater", "displaced": "nearest"},
    {"title": 'A "ford" at dusk', "banners": "4", "set-pennant": "C"},
)

codes = st.integers(0, (1 << BITS) - 1).map(code_for)

OPEN = "\n".join(" ".join("." * (12 - row % 2)) for row in range(9))
BY_HAND = f'''[muster]
game = "call_to_arms"

[play]
title = "Two hosts"
first = "pennant"

[board]
profile = "battlelore"
rows = """
{OPEN}
"""

[pennant]
left = "A1"
centre = "A4"
right = "A6"
reserve = "A2"
units = [
  {{ hex = "A3", unit = "blue short_sword" }},
  {{ hex = "B3", unit = "red short_sword" }},
  {{ hex = "C3", unit = "blue short_sword human" }},
  {{ hex = "B2", unit = "green common_bow" }},
  {{ hex = "C2", unit = "blue common_bow" }},
  {{ hex = "E3", unit = "blue short_sword" }},
  {{ hex = "F3", unit = "blue common_bow" }},
  {{ hex = "H3", unit = "blue short_sword" }},
  {{ hex = "F2", unit = "blue long_sword" }},
  {{ hex = "I3", unit = "blue crossbow dwarf" }},
  {{ hex = "J3", unit = "red short_sword" }},
  {{ hex = "K3", unit = "blue short_sword" }},
  {{ hex = "K2", unit = "blue common_bow" }},
  {{ hex = "A1", unit = "blue crossbow dwarf" }},
  {{ hex = "B1", unit = "blue short_sword" }},
  {{ hex = "C1", unit = "blue short_sword" }},
  {{ hex = "D1", unit = "green common_bow" }},
  {{ hex = "E1", unit = "green common_bow" }},
]

[standard]
left = "C1"
centre = "C3"
right = "C6"
reserve = "C2"
units = [
  {{ hex = "K7", unit = "red long_sword" }},
  {{ hex = "K8", unit = "red long_sword" }},
  {{ hex = "J8", unit = "blue long_sword" }},
  {{ hex = "F6", unit = "blue short_sword goblin" }},
  {{ hex = "H7", unit = "blue short_sword" }},
  {{ hex = "G7", unit = "red short_sword" }},
  {{ hex = "F7", unit = "blue short_sword" }},
  {{ hex = "E8", unit = "blue common_bow" }},
  {{ hex = "C7", unit = "blue short_sword" }},
  {{ hex = "B7", unit = "red short_sword" }},
  {{ hex = "C8", unit = "blue common_bow" }},
  {{ hex = "B9", unit = "blue long_sword" }},
  {{ hex = "L9", unit = "red long_sword" }},
  {{ hex = "K9", unit = "blue short_sword goblin" }},
]
'''
"""A file that contains only units with hexes and kinds. All other values follow from the cards."""


def kept(tmp_path: Path, text: str) -> Loaded:
    path = tmp_path / "scenario.toml"
    path.write_text(text, "utf-8")
    return load(path)


def scene_without_files() -> Scenario:
    """Return a generated scenario without a tie of greens, in which the Pennant player moves first."""
    options = {"cards-pennant": "A5,A1,A4,A7", "cards-standard": "A2,A5,A1,A6", "map": "greyfriars"}
    places = {option.replace("cards", "place"): keys for option, keys in options.items() if "cards" in option}
    return drawn(code_for(3), **options, **places)


def drawn(code: str, **options: str) -> Scenario:
    scenario: Scenario = GAME.draw(Request(code, options, {}))
    return scenario


def swapped(old: str, new: str) -> str:
    """Return the hand-typed file with one part replaced."""
    assert BY_HAND.count(old) == 1, old
    return BY_HAND.replace(old, new)


def line_of(text: str, part: str) -> int:
    return text[: text.index(part)].count("\n") + 1


def rules(loaded: Loaded, level: str) -> set[str]:
    return {f.rule.id for f in loaded.report.findings if f.level == level}


@given(codes, st.sampled_from(WISHES))
@settings(max_examples=20, deadline=None)
def test_a_scenario_reads_back_as_itself(code: str, options: dict[str, str]) -> None:
    before = examine(GAME, drawn(code, **options))
    with TemporaryDirectory() as folder:
        after = kept(Path(folder), before.text)
    assert after.scenario == before.scenario
    assert after.scenario.origin.code == code
    assert (after.text, after.report.findings, after.stamp) == (before.text, (), before.stamp)


def test_a_scenario_with_lost_units_and_levies_reads_back(tmp_path: Path) -> None:
    for name in ("flood", "nearest"):
        before = scene(name)
        text = envelope.compose(replace(before.origin, files={}), GAME.write(before))
        after = kept(tmp_path, text)
        assert replace(after.scenario, origin=before.origin) == before
        assert after.report.findings == ()


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ("banners = 6", "banners = 5", set()),
        ('first = "pennant"', 'first = "standard"', {"first.green", "reserve.count", "log.true"}),
        ('hill = "adjacent"', 'hill = "plateau"', set()),
        ("banners = 6", "banners = 9", set()),
    ],
)
def test_an_edited_file_loses_its_code_and_is_checked(tmp_path: Path, old: str, new: str, wanted: set[str]) -> None:
    before = examine(GAME, scene_without_files())
    assert old in before.text
    after = kept(tmp_path, before.text.replace(old, new))
    assert after.scenario.origin.code == ""
    assert after.scenario.origin.options == {}
    assert rules(after, "illegal") == wanted
    assert after.stamp not in before.text
    # Writing the scenario again gives the same file.
    again = kept(tmp_path, after.text)
    assert (again.text, again.stamp) == (after.text, after.stamp)


def test_a_changed_code_or_option_in_the_header_breaks_the_seal(tmp_path: Path) -> None:
    before = examine(GAME, scene_without_files())
    code = before.scenario.origin.code
    for old, new in ((code, code_for(99)), ('cards-pennant = "A5,A1', 'cards-pennant = "A1,A5')):
        assert kept(tmp_path, before.text.replace(old, new, 1)).scenario.origin.code == ""


def test_a_comment_keeps_the_code(tmp_path: Path) -> None:
    before = examine(GAME, drawn(code_for(5)))
    after = kept(tmp_path, "# A note of mine.\n" + before.text.replace("banners = 6", "banners  =  6  # as ever"))
    assert after.scenario == before.scenario
    assert after.text == before.text


def test_a_file_typed_by_hand_is_placed_on_its_cards(tmp_path: Path) -> None:
    loaded = kept(tmp_path, BY_HAND)
    scenario: Scenario = loaded.scenario
    assert rules(loaded, "illegal") == set()
    assert rules(loaded, "unproved") == {"cards.drawn"}
    assert [f.where for f in loaded.report.unproved] == ["pennant", "standard"]
    assert scenario.forces["pennant"].set == "A"
    rows = [f"{u.id} {u.card} {cell_name(u.cell)} {u.placed}" for u in scenario.forces["standard"].units]
    assert rows == [
        "S1 C1 b3 card",
        "S2 C1 a2 card",
        "S3 C1 b2 card",
        "S4 C3 b4 card",
        "S5 C3 a3 card",
        "S6 C3 b3 card",
        "S7 C3 c3 card",
        "S8 C3 c2 card",
        "S9 C6 b3 card",
        "S10 C6 c3 card",
        "S11 C6 a2 card",
        "S12 C6 c1 card",
        "S13 C2 a3 reserve",
        "S14 C2 b3 reserve",
    ]
    assert {u.placed for u in scenario.forces["pennant"].reserves} == {"reserve"}
    assert [cell_name(u.cell) for u in scenario.forces["pennant"].reserves] == ["a3", "b3", "d3", "b2", "c2"]


def test_a_missing_green_bow_is_the_only_finding(tmp_path: Path) -> None:
    """No reserve is reported as its replacement, and no finding concerns the first player."""
    text = swapped('  { hex = "B2", unit = "green common_bow" },\n', "")
    loaded = kept(tmp_path, text)
    assert rules(loaded, "illegal") == {"deploy.units"}
    assert rules(loaded, "unproved") == {"cards.drawn"}


def test_a_unit_by_hand_on_the_baseline_is_displaced_from_the_water(tmp_path: Path) -> None:
    brook = OPEN.splitlines()
    brook[6], brook[5] = "~" + brook[6][1:], "~" + brook[5][1:]
    text = swapped(OPEN, "\n".join(brook)).replace('{ hex = "A3", unit', '{ hex = "F1", unit')
    loaded = kept(tmp_path, text)
    assert rules(loaded, "illegal") == set()
    # There is a reserve on F1, so the first blue sword on the left of the baseline must be the displaced unit.
    name = loaded.scenario.board.field.name
    rows = [(name(u.hex), u.card, u.placed) for u in loaded.scenario.forces["pennant"].units if u.placed != "card"]
    assert rows == [
        ("F1", "A2", "reserve"),
        ("A1", "A2", "reserve"),
        ("B1", "A1", "displaced"),
        ("C1", "A2", "reserve"),
        ("D1", "A2", "reserve"),
        ("E1", "A2", "reserve"),
    ]


def test_a_unit_that_its_card_does_not_print_is_a_finding(tmp_path: Path) -> None:
    text = swapped(
        '{ hex = "A3", unit = "blue short_sword" }', '{ hex = "A3", unit = "red long_sword", card = "A1" }'
    )
    assert rules(kept(tmp_path, text), "illegal") == {"deploy.units"}


@pytest.mark.parametrize(
    ("old", "new", "part", "message"),
    [
        ('hex = "K3"', 'hex = "M3"', 'hex = "M3"', "there is no hex 'M3' on this board"),
        ('left = "C1"', 'left = "C8"', 'left = "C8"', "there is no card named 'C8'"),
        ('reserve = "C2"', 'reserve = "B22"', 'reserve = "B22"', "there is no card named 'B22' (did you mean B2?)"),
        (
            '"blue common_bow" },\n  { hex = "A1"',
            '"blue comon_bow" },\n  { hex = "A1"',
            "comon",
            "did you mean common_bow?",
        ),
        ('goblin" },\n]', 'goblyn" },\n]', "goblyn", "'goblyn' is not valid (did you mean goblin?)"),
        ('"blue short_sword human"', '"blue"', '"blue"', "'blue' is not a valid unit"),
        (
            "[pennant]",
            '[rulings]\nhil = "plateau"\n\n[pennant]',
            "hil =",
            "there is no ruling with this name (did you mean hill?)",
        ),
        ("[pennant]", '[rulings]\nhill = "plato"\n\n[pennant]', "hill =", "this ruling has no choice 'plato'"),
        ('hex = "A3"', 'id = "P2", hex = "A3"', 'id = "P2"', "the id P2 is used twice"),
        ('hex = "A3"', 'card = "A7", hex = "A3"', 'card = "A7"', "card 'A7' is not used in this battle"),
        ('hex = "A3"', 'cell = "d2", hex = "A3"', 'cell = "d2"', "there is no cell 'd2' on a card"),
        (
            'first = "pennant"',
            'first = "pennants"',
            'first = "pennants"',
            "'pennants' is not valid (did you mean pennant?)",
        ),
        ('title = "Two hosts"', 'title = ""', "title", "is empty"),
        (
            'title = "Two hosts"',
            'title = "Two hosts"\nmode = "chess"',
            "mode",
            "'chess' is not a valid value for mode",
        ),
        ('profile = "battlelore"', 'profile = "memoire"', "profile", "did you mean memoir?"),
        ('game = "call_to_arms"', 'game = "call_to_arm"', "game =", "did you mean call_to_arms?"),
    ],
)
def test_faults_have_their_line(tmp_path: Path, old: str, new: str, part: str, message: str) -> None:
    text = swapped(old, new)
    with pytest.raises(DataError) as caught:
        kept(tmp_path, text)
    assert any(message in str(problem) for problem in caught.value.problems)
    assert line_of(text, part) in {problem.line for problem in caught.value.problems}
    assert len(caught.value.problems) == 1 + ("twice" in message)


def test_every_fault_is_reported_at_once(tmp_path: Path) -> None:
    text = swapped('hex = "K3"', 'hex = "M3"').replace('hex = "B9"', 'hex = "Z9"').replace("green", "gren")
    with pytest.raises(DataError) as caught:
        kept(tmp_path, text)
    assert len(caught.value.problems) == 2 + text.count("gren")
