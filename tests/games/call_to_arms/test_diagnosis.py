"""Tests that legal files cause no findings, and that a single typo is reported at the right unit."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from generator.cli.scenario import Loaded, load
from generator.rules import Report, check
from tests.games.call_to_arms.organized import organized
from tests.games.call_to_arms.organized_rows import picks
from tests.games.call_to_arms.scenes import GAME, log, scene
from tests.games.call_to_arms.test_scenario_file import BY_HAND, kept, line_of, swapped
from tests.games.call_to_arms.typist import legal_file, misnamed

LAWFUL, SLIPS = 80, 60
ROW = re.compile(r'^  \{ .*hex = "(\S+)", unit = "([^"]+)".*$', re.M)


def read(tmp_path: Path, text: str) -> Loaded:
    path = tmp_path / "scenario.toml"
    path.write_text(text, "utf-8")
    return load(path)


def report(tmp_path: Path, text: str) -> Report:
    return read(tmp_path, text).report


def test_lawful_files_with_shuffled_rows_are_lawful(tmp_path: Path) -> None:
    seen: Counter[str] = Counter()
    for seed in range(LAWFUL):
        text = legal_file(seed)
        loaded = read(tmp_path, text)
        found, scenario = loaded.report, loaded.scenario
        assert [(f.rule.id, f.why.en) for f in found.illegal] == [], seed
        assert {f.rule.id for f in found.remarks} <= {"terrain.river", "map.reach"}, seed
        seen.update(u.placed for force in scenario.forces.values() for u in force.units)
        seen.update(
            ("levy" for force in scenario.forces.values() for u in force.units if u.levy), tied="dice" in text
        )
        seen.update([scenario.mode, scenario.age, scenario.rulings["displaced"], scenario.board.profile])
    # The sample contains every case.
    assert min(seen[word] for word in ("displaced", "lost", "reserve", "levy", "tied")) > 5
    assert min(seen[word] for word in ("organized", "impromptu", "lore", "nearest", "memoir")) > 20


class RowTypo(NamedTuple):
    """A file with one typo, with the line of the typo and the hex that a finding must name."""

    text: str
    line: int
    hex: str


def row_typo(seed: int) -> RowTypo:
    """Return a legal file in which one row has a different hex or colour, is missing, or is repeated elsewhere."""
    random = Random(seed)
    text = legal_file(seed)
    rows = [row for row in ROW.finditer(text) if row[1] != "-" and "levy" not in row[0]]
    row = random.choice(rows)
    line = text[: row.start()].count("\n") + 1
    what = random.choice(["near", "far", "colour", "gone", "more"])
    column, number = "ABCDEFGHIJKLM".index(row[1][0]), int(row[1][1])
    near = f"{'ABCDEFGHIJKLM'[min(max(column + random.choice((-1, 1)), 0), 10)]}{number}"
    far = f"{random.choice('ABCDEFGHIJK')}{random.randrange(1, 10)}"
    colour = random.choice([c for c in ("green", "blue", "red") if not row[2].startswith(c)])
    if what == "gone":
        return RowTypo(text[: row.start()] + text[row.end() + 1 :], 0, row[1])
    if what == "more":
        new = re.sub(r'id = "[^"]*", ', "", row[0]).replace(f'hex = "{row[1]}"', f'hex = "{far}"')
        return RowTypo(text[: row.end() + 1] + new + "\n" + text[row.end() + 1 :], line + 1, far)
    new = row[0].replace(row[2], row[2].replace(row[2].split()[0], colour))
    if what != "colour":
        new = row[0].replace(f'hex = "{row[1]}"', f'hex = "{near if what == "near" else far}"')
    return RowTypo(text[: row.start()] + new + text[row.end() :], line, row[1])


def test_a_typo_is_reported_at_its_row(tmp_path: Path) -> None:
    """A typo that leaves the file legal does not count. Nearly all others are reported with the right row or hex."""
    reported, others, missed = 0, 0, []
    for seed in range(SLIPS):
        of = row_typo(seed)
        found = report(tmp_path, of.text).illegal
        if not found:
            continue
        reported += 1
        right = [f for f in found if f.line == of.line or of.hex in (f.where, *f.cells, *f.lawful)]
        others += len(found) > len(right)
        missed += [] if right else [(seed, [(f.rule.id, f.where, f.why.en) for f in found])]
    assert reported > SLIPS * 0.7
    assert len(missed) <= reported * 0.05, missed
    assert others <= reported * 0.2


def test_a_wrong_card_is_reported_at_its_line_and_not_at_units(tmp_path: Path) -> None:
    """Whether or not the wrong card is in play, one line and one correction are reported, which makes the file legal.

    If exactly one unit contradicts the card, that unit may be reported instead.
    """
    sure = 0
    for seed in range(SLIPS):
        of = misnamed(seed)
        found = report(tmp_path, of.text).illegal
        on_line = [f for f in found if f.line in of.lines]
        if on_line != list(found) or not found:
            assert len(found) <= 1, (seed, [(f.rule.id, f.why.en) for f in found])
            continue
        [suggested_fix] = {f.suggested_fix for f in found}
        lines = of.text.splitlines()
        lines[of.lines[0] - 1] = suggested_fix
        assert not report(tmp_path, "\n".join(lines)).illegal, seed
        sure += 1
    assert sure >= SLIPS * 0.9


def test_lines_to_paste_prove_the_hands(tmp_path: Path) -> None:
    scenario = kept(tmp_path, BY_HAND)
    findings = [f for f in scenario.report.unproved if f.rule.id == "cards.drawn"]
    assert [f.suggested_fix.splitlines()[:3] for f in findings] == [
        ["[[log]]", 'step = "hand"', f'who = "{camp}"'] for camp in ("pennant", "standard")
    ]
    text = "\n\n".join([BY_HAND, *(f.suggested_fix for f in findings)])
    assert not [f for f in kept(tmp_path, text).report.findings if f.rule.id == "cards.drawn"]


def test_lines_to_paste_have_room_for_the_dice_of_a_tie() -> None:
    tied = log("dice")(scene("tie"))
    [unproved] = check(GAME.rules, tied).unproved
    assert unproved.suggested_fix == '[[log]]\nstep = "dice"\nresult = ["? ? ? ? ? ?", "? ? ? ? ? ?"]'
    unwritten = log("dice", ("? ? ? ? ? ?", "? ? ? ? ? ?"))(scene("tie"))
    assert "first.dice" in {finding.rule.id for finding in check(GAME.rules, unwritten).illegal}


def test_missing_specialists_are_reported_with_their_place_in_the_file() -> None:
    found = [f for f in check(GAME.rules, picks()(organized())).unproved if f.rule.id == "special.picks"]
    assert [(f.where, f.suggested_fix) for f in found] == [
        (camp, 'specialists = ["?", "?"]') for camp in ("pennant", "standard")
    ]
    assert "write a Specialist for each “?” under [pennant]" in found[0].why.en


@pytest.mark.parametrize(
    ("old", "new", "where", "expected", "suggested_fix"),
    [
        (
            'left = "A1"',
            'left = "A3"',
            "pennant",
            "the file gives card A3 for Pennant's left, but the units there are those of card A1",
            'left = "A1"',
        ),
        (
            'reserve = "A2"',
            'reserve = "A5"',
            "pennant",
            "the file gives card A5 for Pennant's reserve, but the units placed from it are those of card A2",
            'reserve = "A2"',
        ),
        (
            'left = "A1"',
            'set = "C"\nleft = "A1"',
            "pennant",
            "the file gives set C for Pennant, but all four cards are from set A",
            'set = "A"',
        ),
        (
            'hex = "A3", unit = "blue short_sword"',
            'hex = "A4", unit = "blue short_sword"',
            "P1",
            "P1 is on A4, but card A1 puts it on A3",
            '{ id = "P1", hex = "A3", unit = "blue short_sword" },',
        ),
        (
            'hex = "B3", unit = "red short_sword"',
            'hex = "B3", unit = "red long_sword"',
            "B3",
            "P2 is a red long sword, but card A1, cell b3, shows a red short sword",
            '{ id = "P2", hex = "B3", unit = "red short_sword" },',
        ),
        (
            '  { hex = "A1", unit = "blue crossbow dwarf" },\n',
            '  { hex = "F4", unit = "green long_sword" },\n  { hex = "A1", unit = "blue crossbow dwarf" },\n',
            "F4",
            "no card in use contains this green long sword (P14)",
            "",
        ),
        (
            '  { hex = "E3", unit = "blue short_sword" },\n',
            "",
            "E3",
            "the blue short sword of card A4, cell a3, is missing; the unit must be on E3",
            '{ hex = "E3", unit = "blue short_sword" },',
        ),
    ],
)
def test_one_typo_gives_one_finding_with_line_and_fix(
    tmp_path: Path, old: str, new: str, where: str, expected: str, suggested_fix: str
) -> None:
    text = swapped(old, new)
    [finding] = kept(tmp_path, text).report.illegal
    assert (finding.where, finding.why.en, finding.suggested_fix) == (where, expected, suggested_fix)
    assert finding.line == (line_of(text, new.splitlines()[0]) if new else line_of(text, "units = ["))
    lines = text.splitlines()
    if new:
        lines[finding.line - 1] = f"  {suggested_fix}"
    else:
        lines.insert(finding.line, f"  {suggested_fix}")
    if suggested_fix:
        assert not kept(tmp_path, "\n".join(lines)).report.illegal


BOWS_IN_RESERVE = (
    BY_HAND.replace('reserve = "C2"', 'reserve = "C5"')
    .replace('{ hex = "L9", unit = "red long_sword" }', '{ hex = "L9", unit = "green common_bow" }')
    .replace('{ hex = "K9", unit = "blue short_sword goblin" }', '{ hex = "K9", unit = "blue long_sword" }')
)
"""Standard's reserves come from C5. Card A1 of a set not in play would bring the same units."""


def test_an_unused_reserve_card_is_taken_from_the_sets_in_play(tmp_path: Path) -> None:
    assert not kept(tmp_path, BOWS_IN_RESERVE).report.illegal
    text = BOWS_IN_RESERVE.replace('reserve = "C5"', 'reserve = "C7"')
    [finding] = kept(tmp_path, text).report.illegal
    assert (
        finding.why.en
        == "the file gives card C7 for Standard's reserve, but the units placed from it are those of card C5"
    )
    assert (finding.line, finding.suggested_fix) == (line_of(text, 'reserve = "C7"'), 'reserve = "C5"')


def test_a_reserve_not_on_its_card_may_mean_a_typo_in_the_card(tmp_path: Path) -> None:
    text = BOWS_IN_RESERVE.replace('reserve = "C5"', 'reserve = "C2"')
    [finding] = kept(tmp_path, text).report.illegal
    assert finding.line == line_of(text, '  { hex = "L9", unit = "green common_bow" },')
    assert finding.why.en == "no card in use contains this green common bow (S13), unless the reserve is card C5"
    assert "（リザーブのカードがC5なら一致します）" in finding.why.ja


def test_findings_say_what_stands_there_in_both_languages(tmp_path: Path) -> None:
    text = BY_HAND.replace('{ hex = "A3", unit', '{ name = "白狼", hex = "A4", unit')
    [finding] = kept(tmp_path, text).report.illegal
    assert finding.why.en == "P1 “白狼” is on A4, but card A1 puts it on A3"
    assert finding.why.ja == "P1「白狼」はA4にいますが、カードA1の指示はA3です"
    assert (finding.cells, finding.lawful) == (("A4",), ("A3",))
    assert 'name = "白狼"' in finding.suggested_fix
