"""Tests for `muster carry`, which adds the result of a battle to a campaign record."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pypdfium2
import pytest

from generator.cli.scenario import load
from generator.games.call_to_arms import record as track
from generator.games.travel_battle import record as brigades
from generator.games.travel_battle.forces import house_roster, load_roster
from generator.games.travel_battle.model import SIDES
from generator.notation.toml import Source
from tests.cli.run import Run, muster

GRID = "K7Q2M-9FHN5:3x4"
RECORD = f'# Ours.\ntitle = "The Valley War"\ngrid = "{GRID}"\n'
MARCHES = 'title = "The Marches"\ntrack = 5\n'
MAX_GAMES = 100
"""The number of games to search for one that a test needs. The rarest, draws, are 7 of 80 games of 6 turns."""


def printed(pdf: Path) -> list[str]:
    """Return the text of each page of a PDF."""
    document = pypdfium2.PdfDocument(pdf.read_bytes())
    return [" ".join(page.get_textpage().get_text_bounded().split()) for page in document]


def field(one: str, other: str, *more: str) -> None:
    boards = (f"--board-blue={GRID}:{one}", f"--board-red={GRID}:{other}")
    assert (
        muster("draw", "travel_battle", *boards, *more, "--seed", "K7Q2M-9FHN5", "-o", "s.toml", "--force").code == 0
    )


def carried(record: str, result: str, *more: str, name: str = "r.toml") -> Run:
    Path(name).write_text(result, "utf-8")
    return muster("carry", record, "s.toml", name, "--lang", "en", *more)


def find_game(wanted: Callable[[Any], bool]) -> Run:
    """Return the first game of computer players of s.toml that has a wanted result.

    A game's number selects another game once the players, the dice or the scenario change, so no number is fixed.
    """
    for number in range(MAX_GAMES):
        game = muster("play", "s.toml", "--game", str(number), "--json")
        if wanted(game.json):
            return game
    pytest.fail(f"none of the first {MAX_GAMES} games has the wanted result")


def test_losses_and_ground_go_into_the_next_battle(here: Path) -> None:
    Path("c.toml").write_text(RECORD, "utf-8")
    field("A1", "B1")
    done = carried("c.toml", 'winner = "blue"\nlost = ["B1a", "B2a", "B3a", "R1a", "R2a", "R3a"]\n')
    assert (done.code, done.err) == (0, "")
    # All earlier lines are kept.
    assert Path("c.toml").read_text("utf-8").startswith(RECORD)
    record = brigades.read_record(Source.open(Path("c.toml")))
    assert record.held == {"A1": "blue", "B1": "blue"}
    lost = record.battles[0].lost
    assert (sum(lost.blue.values()), sum(lost.red.values())) == (3, 3)
    # The winner recovers half of the lost units of each kind, rounded up.
    back = sum(-(-n // 2) for n in lost.blue.values())
    assert sum(record.left("blue").values()) == 14 - 3 + back
    assert sum(record.left("red").values()) == 14 - 3
    # The printed command generates a legal battle with the remaining units, at a border of an occupied area.
    (kit,) = [line.partition(": ")[2] for line in done.out.splitlines() if "muster kit" in line]
    words = shlex.split(kit)
    assert words[-2:] == ["--army", "c-army.toml"] and f"--board-blue {GRID}:A1" in kit
    roster = load_roster(Path("c-army.toml"))
    assert {k.id: k.count for k in roster.of("red").fighters} == record.left("red")
    assert muster("draw", *words[2:], "--seed", "K7Q2M-9FHN5", "-o", "s.toml", "--force").code == 0
    assert muster("check", "s.toml", "--strict").code == 0
    body = Path("s.toml").read_text("utf-8")
    assert (
        sum(f'unit = "{kind}"' in line for kind in record.left("red") for line in body.splitlines()) == 11 + 11 + back
    )
    # After a draw, both players keep their areas. The army file was not edited, so the command may rewrite it.
    assert carried("c.toml", 'winner = "draw"\nlost = ["R1a"]\n').code == 0
    record = brigades.read_record(Source.open(Path("c.toml")))
    assert (record.held["A1"], len(record.battles), record.held[record.battles[1].red]) == ("blue", 2, "red")
    assert sum(record.left("red").values()) == 10


def test_a_campaign_ends(here: Path) -> None:
    rows = [fought(f"A{n}", f"B{n}", "blue") for n in range(1, 5)]
    record = brigades.read_record(Source("c.toml", RECORD + "".join(rows[:3])))
    assert (record.winner, len(record.held)) == (None, 6)
    record = brigades.read_record(Source("c.toml", RECORD + "".join(rows)))
    assert (record.winner, record.fronts) == ("blue", [])
    spent = RECORD + fought("A1", "B1", "draw", "lost = { blue = { line = 6, guard = 2, heavy = 1 } }\n")
    assert brigades.read_record(Source("c.toml", spent)).winner == "red"
    Path("c.toml").write_text(spent, "utf-8")
    field("A1", "B1")
    done = carried("c.toml", 'winner = "red"\n')
    assert (done.code, "this campaign is over" in done.err) == (1, True)


@pytest.mark.parametrize(
    ("winner", "blue", "red", "won"),
    [
        ("red", "line = 6, guard = 2, heavy = 2", "line = 6, guard = 2, heavy = 2", "red"),
        ("draw", "line = 6, guard = 2, heavy = 2", "line = 6, guard = 2, heavy = 1", "red"),
        ("draw", "line = 6, guard = 2, heavy = 1", "line = 6, guard = 2, heavy = 2", "blue"),
        ("draw", "line = 6, guard = 2, heavy = 2", "line = 5, guard = 2, heavy = 2, light = 1", "draw"),
    ],
)
def test_a_stuck_campaign_is_won_by_the_side_with_more(winner: str, blue: str, red: str, won: str) -> None:
    lost = f"lost = {{ blue = {{ {blue} }}, red = {{ {red} }} }}\n"
    record = brigades.read_record(Source("c.toml", RECORD + fought("A1", "B1", winner, lost)))
    assert (record.winner, record.fronts) == (won, [])
    text = [line["en"] for line in brigades.describe_campaign(record)][-1]
    assert (
        text
        == {
            "red": "Red has won the campaign.",
            "blue": "Blue has won the campaign.",
            "draw": "The campaign has ended in a draw.",
        }[won]
    )


def fought(blue: str, red: str, winner: str, more: str = "") -> str:
    return f'[[battle]]\nblue = "{blue}"\nred = "{red}"\nwinner = "{winner}"\n{more}'


ON = f'grid = "{GRID}"\n'


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ('grid = "3x4"\n', "c.toml:2: grid: there is no campaign named"),
        ('grid = "K7Q2M-9FHN6:3x4"\n', "c.toml:2: grid: “K7Q2M-9FHN6” is not a valid code"),
        (ON + fought("A1", "D9", "blue"), "c.toml:5: battle[1].red: there is no area named 'D9'"),
        (ON + fought("A1", "C1", "blue"), "c.toml:5: battle[1].red: A1 and C1 are not neighbours"),
        (ON + fought("A1", "B1", "grey"), "c.toml:6: battle[1].winner: "),
        (
            ON + 2 * fought("A1", "B1", "red", "lost = { blue = { line = 4 } }\n"),
            "c.toml:12: battle[2].lost.blue.line: the number of line lost is 4, but the army has only 2",
        ),
        (
            ON + fought("A1", "B1", "red", "lost = { red = { lines = 1 } }\n"),
            "c.toml:7: battle[1].lost.red.lines: there is no unit named 'lines' in this army (did you mean line?)",
        ),
    ],
)
def test_invalid_campaign_records_are_reported_with_their_line(here: Path, rows: str, expected: str) -> None:
    Path("c.toml").write_text(f'title = "W"\n{rows}', "utf-8")
    done = muster("data", "check", "c.toml", "--lang", "en")
    assert (done.code, expected in done.out) == (1, True), done.out


def test_another_battle_is_none_of_this_campaign_s(here: Path) -> None:
    Path("c.toml").write_text(RECORD.replace("3x4", "2x2"), "utf-8")
    field("A1", "B1")
    done = carried("c.toml", 'winner = "blue"\n')
    assert (done.code, "is not at a border between 2 areas" in done.err) == (1, True)
    assert Path("c.toml").read_text("utf-8") == RECORD.replace("3x4", "2x2")
    assert muster("draw", "battling", "-o", "s.toml", "--force").code == 0
    assert "has no campaigns" in carried("c.toml", 'winner = "first"\n').err


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        ('winner = "bleu"\n', "r.toml:1: winner: there is no side named 'bleu' (did you mean blue?)"),
        ('winner = "blue"\nlost = ["R9z"]\n', "r.toml:2: lost[1]: there is no unit named 'R9z' in this battle"),
        ('winner = "blue"\nleft = { R1a = 2 }\n', "r.toml:2: left.R1a: the number left is 2, but only 1 took part"),
        ('lost = ["R1a"]\n', "`winner` is missing"),
    ],
)
def test_invalid_battle_results_are_reported_with_their_line(here: Path, result: str, expected: str) -> None:
    Path("c.toml").write_text(RECORD, "utf-8")
    field("A1", "B1")
    done = carried("c.toml", result)
    assert (done.code, expected in done.err) == (3, True), done.err
    assert Path("c.toml").read_text("utf-8") == RECORD


def test_a_game_of_computer_players_is_carried_and_its_losses_add_up(here: Path) -> None:
    Path("t.toml").write_text(MARCHES, "utf-8")
    seed = ("--seed", "K7Q2M-9FHN5", "--map", "alder_fords")
    assert muster("draw", "call_to_arms", *seed, "-o", "s.toml").code == 0
    units = load(Path("s.toml")).scenario.final.units
    four = {unit.id for camp, unit in units if camp == "pennant" and unit.card and unit.figures == 4}
    game = find_game(lambda end: end["winner"] == 0 and any(end["left"][unit] == 2 for unit in four))
    end = game.json
    assert end["left"] and min(end["left"].values()) == 0
    # Each lost unit counts as a banner for the enemy.
    gone = [sum(not n for unit, n in end["left"].items() if unit.startswith(camp)) for camp in "SP"]
    assert gone == end["counted"]
    done = carried("t.toml", game.out, "--json", name="r.json")
    assert done.code == 0 and done.json["files"] == ["t.toml"]
    record = track.read_record(Source.open(Path("t.toml")))
    (battle,) = record.battles
    assert (battle.winner, list(battle.banners), battle.map) == ("pennant", end["counted"], "alder_fords")
    assert record.space == 4 and record.winner is None
    weak = record.weak("pennant")
    assert sum(not n for n in weak.values()) == gone[1]
    # If the same battle is carried twice, earlier losses are kept and new losses are added.
    assert carried("t.toml", game.out, name="r.json").code == 0
    again = track.read_record(Source.open(Path("t.toml")))
    assert again.winner == "pennant"
    assert all(again.weak("pennant")[unit] <= n for unit, n in weak.items())
    # A unit that had two of its four figures left is lost when it loses two more.
    assert any(n == 2 and not again.weak("pennant")[unit] for unit, n in weak.items())
    assert "this campaign is over" in carried("t.toml", game.out, name="r.json").err


def test_a_played_battle_of_brigades_is_carried_unit_by_unit(here: Path) -> None:
    Path("c.toml").write_text(RECORD, "utf-8")
    field("A1", "B1", "--turns", "6")
    of, least = load(Path("s.toml")).scenario, min(size.min_units for size in house_roster().sizes.values())
    kinds = {name: (side, unit.kind.id) for name, (side, _, unit) in of.units.items() if unit.kind.fights}

    def goes_on(end: Any) -> bool:
        """Return whether a side won, and both sides can still form their three brigades."""
        left = [sum(end["left"][name] for name, (player, _) in kinds.items() if player == side) for side in SIDES]
        return end["winner"] is not None and min(left) >= 3 * least

    game = find_game(goes_on)
    end = game.json
    assert end["left"].keys() == kinds.keys() and {0, 1} == set(end["left"].values())
    done = carried("c.toml", game.out, name="r.json")
    assert (done.code, done.err) == (0, "")
    record = brigades.read_record(Source.open(Path("c.toml")))
    (battle,) = record.battles
    assert battle.winner == ("blue", "red")[end["winner"]]
    for side, lost in (("blue", battle.lost.blue), ("red", battle.lost.red)):
        gone = [kind for id_, (player, kind) in kinds.items() if player == side and not end["left"][id_]]
        assert lost == {kind: gone.count(kind) for kind in set(gone)}
    # The next battle is generated from the remaining units.
    (kit,) = [line.partition(": ")[2] for line in done.out.splitlines() if "muster kit" in line]
    assert muster("draw", *shlex.split(kit)[2:], "--seed", "K7Q2M-9FHN5", "-o", "s.toml", "--force").code == 0
    of = load(Path("s.toml")).scenario
    for side in SIDES:
        left = record.left(side)
        fighters = [unit for player, _, unit in of.units.values() if player == side and unit.kind.fights]
        assert len(fighters) == sum(left.values())
    # The longest command still fits on the cover. It names the army file, and one player places and moves first.
    printing = ("--seed", "S19SB-9TJQV", "--lang", "ja", "--paper", "a4", "-o", "kit")
    made = muster(*shlex.split(kit)[1:], *printing)
    assert (made.code, made.err) == (0, "")


def test_a_drawn_battle_is_carried(here: Path) -> None:
    Path("c.toml").write_text(RECORD, "utf-8")
    field("A1", "B1", "--turns", "6")
    game = find_game(lambda end: end["winner"] is None)
    assert carried("c.toml", game.out, name="r.json").code == 0
    record = brigades.read_record(Source.open(Path("c.toml")))
    assert (record.battles[0].winner, record.held) == ("draw", {"A1": "blue", "B1": "red"})


def test_a_result_of_another_battle_is_refused(here: Path) -> None:
    Path("c.toml").write_text(RECORD, "utf-8")
    field("A1", "B1")
    for left in ("null", '{"P1": 2}'):
        text = f'{{"game": "travel_battle", "winner": 0, "counted": [2, 1], "left": {left}}}'
        done = carried("c.toml", text, name="r.json")
        expected = "left: expected a table" if left == "null" else "the result does not list the units of this battle"
        assert (done.code, expected in done.err) == (3, True)


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ("track = 4\n", "t.toml:2: track: the number must be odd"),
        (
            'track = 3\n[[battle]]\nwinner = "pennant"\n[[battle]]\nwinner = "draw"\n',
            "t.toml:5: battle[2]: the campaign ended before this battle",
        ),
        (
            'track = 5\n[[battle]]\nwinner = "draw"\nleft = { pennant = { "A5 c4" = 6 } }\n',
            "the number of figures left is 6, but the unit has only 5",
        ),
        (
            'track = 5\n[[battle]]\nwinner = "draw"\nleft = { pennant = { "A5c4" = 1 } }\n',
            "write a card and a cell on it",
        ),
        (
            'track = 5\n[[battle]]\nwinner = "draw"\ncards = { pennant = ["A1", "A2", "A3", "A4"] }\n'
            'left = { pennant = { "A5 c4" = 1 } }\n',
            "A5 was not played in this battle",
        ),
    ],
)
def test_invalid_track_records_are_reported(here: Path, rows: str, expected: str) -> None:
    Path("t.toml").write_text(f'title = "W"\n{rows}', "utf-8")
    done = muster("data", "check", "t.toml", "--lang", "en")
    assert (done.code, expected in done.out + done.err) == (1, True), done.out + done.err


def test_records_are_printed_in_both_languages(here: Path) -> None:
    Path("c.toml").write_text(RECORD + fought("A1", "B1", "red", "lost = { blue = { line = 2 } }\n"), "utf-8")
    done = muster("campaign", "travel_battle", "--record", "c.toml", "--lang", "en+ja", "-o", "c.pdf")
    assert done.code == 0
    english, japanese = printed(Path("c.pdf"))
    assert "A1 Red" in english and "Red: 14 of 14 units left; holds A1, B1." in english
    assert "A1 赤軍" in japanese and "戦列歩兵 2" in japanese
    lost = '[[battle]]\nwinner = "standard"\nleft = { standard = { "C7 a3" = 2 } }\n'
    Path("t.toml").write_text(MARCHES + lost, "utf-8")
    assert muster("sheets", "call_to_arms", "--record", "t.toml", "-o", "t.pdf", "--lang", "ja").code == 0
    (sheet,) = printed(Path("t.pdf"))
    assert "マーカーは 2" in sheet and "C7 a3" in sheet
    assert muster("sheets", "battlelore", "--record", "t.toml").code == 2


def test_a_long_campaign_s_sheet_shows_its_last_battles_and_takes_a_second_page(here: Path) -> None:
    cells = [f"{of}{n} {column}{row}" for of in "ABC" for n in range(1, 8) for column in "abc" for row in (1, 2)]
    rows = []
    for battle in range(9):
        lost = ", ".join(f'"{cell}" = {at % 3}' for at, cell in enumerate(cells[7 * battle : 7 * battle + 7]))
        rows.append(f'[[battle]]\nwinner = "draw"\nleft = {{ pennant = {{ {lost} }} }}\n')
    Path("t.toml").write_text('title = "Long"\ntrack = 21\n' + "".join(rows), "utf-8")
    for paper in ("a4", "letter"):
        args = ("--record", "t.toml", "--paper", paper, "-o", f"{paper}.pdf", "--lang", "en")
        assert muster("sheets", "call_to_arms", *args).code == 0
        first, second = printed(Path(f"{paper}.pdf"))
        assert "The marker stands on 11." in first and "Begin in the middle, on 11." in first and " 21 " in first
        # The page lists the last five battles, with the units that lost figures in each.
        assert cells[62] in second and cells[28] in second and cells[27] not in second


def test_a_record_without_battles_says_where_to_begin(here: Path) -> None:
    assert muster("data", "copy", "brigade-campaign", "-o", "c.toml").code == 0
    assert muster("data", "check", "c.toml").code == 0
    answer = muster("data", "show", "c.toml", "--json").json
    assert answer[0] and "14" in json.dumps(answer)
    refused = muster("campaign", "travel_battle", "--only", "record", "--lang", "en")
    assert (refused.code, "--record FILE" in refused.err) == (2, True)
