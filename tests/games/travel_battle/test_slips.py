"""Tests for a single typo in a battle file. The rule, unit, line and squares are reported with a suggested fix."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from generator.errors import DataError
from generator.games.travel_battle.file import read, write
from generator.games.travel_battle.ground import house_boards
from generator.games.travel_battle.model import Scenario
from generator.games.travel_battle.pages.posters import record_sheets
from generator.games.travel_battle.pages.sheets import checklist, story
from generator.games.travel_battle.play import find_moves, move_lines
from generator.games.travel_battle.rules import rules
from generator.model.scenario import Origin, UserFile
from generator.notation.envelope import compose
from generator.notation.toml import Source
from generator.rules import Report, check
from generator.store.folders import shipped_path
from tests.games.travel_battle.scenes import battle

TYPED = compose(Origin("travel_battle"), write(battle()))
HOLD = '[objective]\nkind = "hold"\nplayer = "red"\nsquares = ["j5", "k5", "j6", "k6"]\ncount = 3\n'


def judged(text: str) -> tuple[Scenario, Report]:
    source = Source("typed.toml", text)
    scenario = read(source, Origin("travel_battle"), Path())
    return scenario, check(rules(), scenario).placed(source.line)


def row(unit: str) -> str:
    return next(line for line in TYPED.splitlines() if f'id = "{unit}"' in line)


def slipped(unit: str, old: str, new: str) -> str:
    assert old in row(unit)
    return TYPED.replace(row(unit), row(unit).replace(old, new))


def without_log(text: str) -> str:
    return text[: text.index("\n[[log]]")]


def test_the_battle_is_legal() -> None:
    assert judged(TYPED)[1].findings == ()


@pytest.mark.parametrize(
    ("unit", "old", "new", "rule", "cell", "right"),
    [
        ("B1d", '"d2"', '"d5"', "place.rows", "d5", "d2"),
        ("B1d", '"d2"', '"g2"', "place.link", "g2", "d2"),
        ("B2", '"i1"', '"f1"', "place.link", "f1", "i1"),
        ("B2d", '"h1"', '"h2"', "place.stack", "h2", "h1"),
        ("R1b", '"s9"', '"s7"', "place.rows", "s7", "s9"),
        ("B2", '"i1"', '"-"', "place.all", "", "i1"),
        ("B3e", '"r2"', '"o2"', "place.stack", "o2", "r2"),
        ("B1c", '"c2"', '"a1"', "log.true", "a1", "c2"),
    ],
)
@pytest.mark.parametrize("expected", [True, False])
def test_a_unit_in_a_wrong_place_is_named_with_its_line_and_the_right_one(
    unit: str, old: str, new: str, rule: str, cell: str, right: str, expected: bool
) -> None:
    text = slipped(unit, old, new)
    text = text if expected else without_log(text)
    found = [finding for finding in judged(text)[1].findings if finding.level == "illegal"]
    assert {finding.where for finding in found} <= {unit, "log 1"} or rule == "log.true"
    if not expected and rule == "log.true":
        assert found == []
        return
    finding = next(finding for finding in found if finding.rule.id == rule)
    rows = text.splitlines()
    assert f'id = "{unit}"' in rows[finding.line - 1]
    assert finding.cells == ((cell,) if cell else ())
    assert right in finding.lawful
    if expected:
        assert finding.lawful[0] == right
    rows[finding.line - 1] = f"  {finding.suggested_fix}"
    assert judged("\n".join(rows))[1].illegal == ()


@pytest.mark.parametrize(
    ("old", "new", "rule", "on", "suggested_fix"),
    [
        (row("B3d"), row("B3d").replace('"N"', '"S"'), "place.facing", 'id = "B3d"', 'facing = "N"'),
        (row("B1d"), row("B1d").replace(" }", ", square = true }"), "place.square", 'id = "B1d"', 'id = "B1d"'),
        ('places_first = "blue"', 'places_first = "red"', "setup.placer", "places_first", 'places_first = "blue"'),
        ('moves_first = "red"', 'moves_first = "blue"', "setup.mover", "moves_first", 'moves_first = "red"'),
        ("turns = 12", "turns = 13", "play.turns", "turns = 13", "turns = 12"),
        ('owner = "red"\nedge = 1', 'owner = "blue"\nedge = 1', "field.boards", 'owner = "blue"', 'owner = "red"'),
        ('owner = "blue"\nedge = 1', 'owner = "blue"\nedge = 2', "setup.turn", "edge = 2", "edge = 1"),
        ('result = ["5", "3"]', 'result = ["8", "3"]', "setup.dice", '["8", "3"]', ""),
        ('result = ["6", "1"]', 'result = ["1", "1"]', "setup.placer", '["1", "1"]', ""),
        ('step = "turn_free"', 'step = "turn"', "setup.turn", 'step = "turn"', 'step = "turn_free"'),
        ('step = "mover_dice"', 'step = "mover_dise"', "log.true", "mover_dise", 'step = "mover_dice"'),
        ("number = 3", "number = 4", "army.brigades", "number = 4", "number = 3"),
    ],
)
def test_any_other_typo_is_reported_with_its_line_and_a_fix(
    old: str, new: str, rule: str, on: str, suggested_fix: str
) -> None:
    text = TYPED.replace(old, new, 1)
    assert text != TYPED
    finding = next(finding for finding in judged(text)[1].findings if finding.rule.id == rule)
    assert on in text.splitlines()[finding.line - 1]
    assert suggested_fix in finding.suggested_fix


@pytest.mark.parametrize(
    ("old", "new", "rule", "key", "suggested_fix"),
    [
        ('squares = ["j5", "k5", "j6", "k6"]\n', "", "play.objective", "[objective]", "squares = ["),
        ('"j6", "k6"', '"j6"', "play.zone", "squares", 'squares = ["j5", "k5", "j6", "k6"]'),
        ('"hold"', '"hodl"', "play.objective", "kind", 'kind = "hold"'),
        ("count = 3", "count = 13", "play.reach", "count", "count = 12"),
        ("count = 3", "count = 13", "play.count", "count", "count = 4"),
        ("count = 3\n", "", "play.objective", "[objective]", "count = 3"),
        ("count = 3", 'count = 3\nunits = ["R1a"]', "play.objective", "units", ""),
        ('player = "red"\n', "", "play.objective", "[objective]", ""),
    ],
)
def test_typos_in_an_objective_are_reported(old: str, new: str, rule: str, key: str, suggested_fix: str) -> None:
    whole = re.sub(r"\[objective\]\n.*?\n\n", HOLD + "\n", TYPED, count=1, flags=re.S)
    assert judged(whole)[1].findings == ()
    text = whole.replace(old, new, 1)
    finding = next(finding for finding in judged(text)[1].findings if finding.rule.id == rule)
    assert key in text.splitlines()[finding.line - 1]
    assert suggested_fix in finding.suggested_fix
    assert finding.why.en.strip() == finding.why.en
    if rule == "play.zone":
        assert finding.where == "j5 k5 j6"
        assert set(finding.lawful) >= {"j5", "k6"}


def test_a_board_is_reported_by_its_side_of_the_table() -> None:
    found = {finding.rule.id: finding for finding in judged(without_log(TYPED))[1].unproved}
    assert found["setup.turn"].why.ja.startswith("左のボード、右のボードのダイスの記録がありません")
    assert set(found) == {"setup.side", "setup.turn", "setup.placer", "setup.order", "setup.mover"}


def test_lines_to_paste_prove_the_set_up_once_the_dice_are_written_in() -> None:
    without_evidence = without_log(TYPED)
    lines = "\n\n".join(finding.suggested_fix for finding in judged(without_evidence)[1].unproved)
    _, pasted = judged(f"{without_evidence}\n\n{lines}\n")
    assert {finding.rule.id for finding in pasted.illegal} == {"setup.dice"}
    scenario, _ = judged(without_evidence)
    blue = {"side": scenario.boards[0][0].owner, "placer": scenario.first_placer, "mover": scenario.first_mover}
    for what, who in blue.items():
        thrown = '["6", "1"]' if who == "blue" else '["1", "6"]'
        lines = lines.replace(
            f'step = "{what}_dice"\nresult = ["?", "?"]', f'step = "{what}_dice"\nresult = {thrown}'
        )
    _, written = judged(f"{without_evidence}\n\n{lines}\n")
    [side] = written.findings
    assert side.rule.id == "setup.side"
    _, whole = judged(
        f"{without_evidence}\n\n{lines.replace('[[log]]', side.suggested_fix + chr(10) * 2 + '[[log]]', 2)}\n"
    )
    assert [finding.why.en for finding in whole.findings if finding.rule.id != "log.order"] == []


NAMED = TYPED.replace('id = "B1"', 'name = "Picton", id = "B1"').replace('"B2d', '"大砲')
NAMED = NAMED.replace('id = "B1a"', 'name = { en = "Old Guard", ja = "老親衛隊" }, id = "B1a"')
NAMED = NAMED.replace("[[red.brigade]]\n", '[[red.brigade]]\nname = "La Garde"\n', 1)


def test_owners_call_units_and_brigades_as_they_like() -> None:
    scenario, found = judged(NAMED)
    assert found.findings == ()
    assert read(Source("t", compose(scenario.origin, write(scenario))), Origin("travel_battle"), Path()) == scenario
    text = "\n".join(words.en for words in story(scenario))
    assert "B1 “Picton” (" in text
    assert "R1 “La Garde” (" in text
    steps = "\n".join(words.ja for group in checklist(scenario) for words in group["steps"])  # type: ignore[attr-defined]
    assert "近衛歩兵d1「老親衛隊」" in steps
    rows = [row for sheet in record_sheets(scenario, "blue") for row in sheet.view["brigades"]]  # type: ignore[attr-defined]
    assert "Guard infantry “Old Guard”" in [unit["kind"].en for unit in rows[0]["units"]]
    assert "B1a “Old Guard”" in move_lines(scenario, find_moves(scenario, "B1a"))[0].en
    (astray,) = [f for f in judged(NAMED.replace('at = "d1"', 'at = "d4"'))[1].illegal if f.rule.id == "place.rows"]
    assert "B1a「老親衛隊」" in astray.why.ja


def test_a_board_is_brought_by_its_name(tmp_path: Path) -> None:
    head, rest = TYPED[: TYPED.index("[[board]]")], TYPED[TYPED.index("\n[[blue.brigade]]") :]
    by_name = head + '[[board]]\nname = "hare_warren"\n\n[[board]]\nname = "crow_wood"\n' + without_log(rest)
    scenario, _ = judged(by_name)
    boards = [placed for row in scenario.boards for placed in row]
    assert [placed.oriented.board for placed in boards] == [
        house_boards()[n].ground for n in ("hare_warren", "crow_wood")
    ]
    assert [placed.owner for placed in boards] == ["blue", "red"]
    with pytest.raises(DataError, match="there is no board named 'hare_waren'") as raised:
        judged(by_name.replace("hare_warren", "hare_waren"))
    assert raised.value.problems[0].hint == "did you mean hare_warren?"
    area = judged(by_name.replace("hare_warren", "K7Q2M-9FHN5:3x4:A1"))[0].boards[0][0]
    assert area.name == "K7Q2M-9FHN5:3x4:A1"
    with pytest.raises(DataError, match="no area"):
        judged(by_name.replace("hare_warren", "K7Q2M-9FHN5:3x4:Z9"))
    content = (shipped_path("data") / "travel_battle" / "boards" / "hare_warren.toml").read_bytes()
    (tmp_path / "mine.toml").write_bytes(content)
    text = by_name.replace("hare_warren", "mine.toml")
    with pytest.raises(DataError) as raised:
        judged(text)
    assert "[muster.files]" in raised.value.problems[0].hint
    origin = Origin("travel_battle", files={"board-blue": UserFile("mine.toml", "")})
    board = read(Source("t", text), origin, tmp_path).boards[0][0]
    assert (board.name, board.oriented) == ("mine.toml", scenario.boards[0][0].oriented)
