from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.errors import DataError, WrongUsageError
from generator.tournament.csv_files import read
from generator.tournament.pairings import (
    NEEDED,
    Entrant,
    Pairing,
    Round,
    missing_players,
    numbered_players,
    read_pairings,
    rotation,
)
from generator.tournament.player_list import entrants
from generator.tournament.player_list import read as read_names


def rounds(folder: Path, *lines: str, head: str = "round,table,player_a,player_b") -> tuple[Round, ...]:
    file = folder / "p.csv"
    file.write_text("\n".join((head, *lines)), "utf-8")
    return read_pairings(read(file, NEEDED))


def complaints(folder: Path, *lines: str) -> list[str]:
    with pytest.raises(DataError) as caught:
        rounds(folder, *lines)
    return [f"{p.line}: {p.message}" for p in caught.value.problems]


@given(st.integers(2, 33), st.integers(1, 40))
def test_no_pair_meets_twice_before_all_have_met(players: int, count: int) -> None:
    made = rotation(numbered_players(players), count)
    full = players - 1 + players % 2
    for start in range(0, count, full):
        meetings = [frozenset((p.a, p.b)) for r in made[start : start + full] for p in r.tables]
        assert len(meetings) == len(set(meetings))
        assert len(made[start : start + full]) < full or len(meetings) == len(list(combinations(range(players), 2)))
    for r in made:
        names = [name for p in r.pairings for name in (p.a, p.b) if name]
        assert len(names) == len(set(names)) == players
        assert [p.table for p in r.tables] == list(range(1, players // 2 + 1))
        assert sum(p.bye for p in r.pairings) == players % 2


@pytest.mark.parametrize(("players", "count"), [(1, 1), (513, 1), (4, 0), (4, 51)])
def test_too_few_and_too_many(players: int, count: int) -> None:
    with pytest.raises(WrongUsageError):
        rotation(numbered_players(players), count)


@pytest.mark.parametrize("bye", ["", "BYE", "不戦勝", "-", "－", "ー", "―", "--"])
def test_a_player_without_an_opponent_has_a_bye(tmp_path: Path, bye: str) -> None:
    (one,) = rounds(tmp_path, "1,2,A,B", f"1,,C,{bye}", f"1,,{bye},D", "1,1,E,F")
    assert one.pairings == (Pairing(1, "E", "F"), Pairing(2, "A", "B"), Pairing(0, "C"), Pairing(0, "D"))


@pytest.mark.parametrize("bye", ["(bye)", "BYE!", "no opponent", "free", "none", "不戦勝。", "対戦相手なし"])
def test_other_words_for_a_bye_are_read(tmp_path: Path, bye: str) -> None:
    """`(bye)` and `no opponent` became players."""
    (one,) = rounds(tmp_path, "1,2,A,B", f"1,,C,{bye}")
    assert one.pairings == (Pairing(2, "A", "B"), Pairing(0, "C"))


@pytest.mark.parametrize("bye", ["half-point bye", "half bye", "Bye (half)", "½ bye"])
def test_a_bye_may_count_half(tmp_path: Path, bye: str) -> None:
    (one,) = rounds(tmp_path, "1,2,A,B", f"1,,C,{bye}")
    assert one.pairings == (Pairing(2, "A", "B"), Pairing(0, "C", half=True))


def test_words_that_are_neither_a_bye_nor_a_name_are_refused(tmp_path: Path) -> None:
    words = ["n/a", "0", "TBD", "withdrawn", "full-point bye"]
    lines = (f"1,,{letter},{word}" for letter, word in zip("CDEFG", words, strict=True))
    assert complaints(tmp_path, "1,1,A,B", *lines) == [
        f"{n}: “{word}” is not a name" for n, word in enumerate(words, 3)
    ]


@pytest.mark.parametrize("name", ["Bob (cancelled)", "~~Bob~~", "佐藤（欠席）", "Bob - withdrawn", "Bob absent"])
def test_names_with_a_note_that_the_player_does_not_play_are_refused(tmp_path: Path, name: str) -> None:
    for line in (f"1,1,Ann,{name}", f"1,1,{name},Ann"):
        assert complaints(tmp_path, line) == [f"2: “{name}” looks like a player who does not play"]


def test_names_of_known_players_are_never_byes(tmp_path: Path) -> None:
    file = tmp_path / "p.csv"
    file.write_text("round,player_a,player_b\n1,Free,TBD\n")
    for players in (("Free", "TBD"), None):
        (one,) = read_pairings(read(file, NEEDED), players)
        assert one.pairings == (Pairing(1, "Free", "TBD"),)


def test_tables_are_numbered_where_none_is_named(tmp_path: Path) -> None:
    (one,) = rounds(tmp_path, "1,A,B", "1,C,D", head="round,player_a,player_b")
    assert [p.table for p in one.pairings] == [1, 2]
    assert rounds(tmp_path, "1,,A,B", "1,,C,D") == (one,)
    assert complaints(tmp_path, "1,1,A,B", "1,,C,D") == ["3: table '' is not a number from 1 to 9999"]


def test_rounds_come_in_their_order_with_teams(tmp_path: Path) -> None:
    second, third = rounds(tmp_path, "3,1,A,B,", "2,1,A,C,Lions – Bears", head="round,table,player_a,player_b,team")
    assert (second.number, second.pairings[0].team, third.number) == (2, "Lions – Bears", 3)


def test_every_fault_is_reported_with_its_line(tmp_path: Path) -> None:
    lines = "1,1,A,B", "1,2,a,C", "1,1,D,E", "0,3,F,G", "1,x,H,I", "1,4,J,Ｊ", "1,5,,", "1,6,＝1+1,K", "1,7,-2,+1"
    assert complaints(tmp_path, *lines) == [
        "5: round '0' is not a number from 1 to 50",
        "6: table 'x' is not a number from 1 to 9999",
        "7: J cannot be paired with themselves",
        "8: the name is missing",
        "9: player_a '＝1+1' is a formula, not a name",
        "10: player_a '-2' is a formula, not a name",
        "10: player_b '+1' is a formula, not a name",
        "3: a plays twice in round 1",
        "4: table 1 is used twice in round 1",
    ]


def test_a_name_too_long_or_unseen(tmp_path: Path) -> None:
    assert complaints(tmp_path, f"1,1,{'x' * 81},B") == [f"2: player_a '{'x' * 40}' is longer than 80 characters"]
    assert complaints(tmp_path, "1,1,A\u202e,B") == ["2: contains the invisible character U+202E"]


def test_nothing_but_headings(tmp_path: Path) -> None:
    assert complaints(tmp_path, "") == ["0: has no pairings"]


def test_players_missing_from_a_round_are_reported(tmp_path: Path) -> None:
    made = rounds(tmp_path, "1,1,A,B", "1,2,C,D", "2,1,A,C", "2,2,b,")
    assert missing_players(made) == {2: ("D",)}


def players(folder: Path, text: str, encoding: str = "utf-8") -> list[Entrant]:
    file = folder / "names.csv"
    file.write_text(text, encoding)
    return entrants(read_names(file))


def test_a_list_of_names_with_and_without_headings(tmp_path: Path) -> None:
    plain = [Entrant("A"), Entrant("Ann Doe"), Entrant("佐藤")]
    assert players(tmp_path, "A\n\nAnn  Doe\n佐藤\n", "cp932") == plain
    for head in ("player", "選手", "氏名", "Spieler", "nom"):
        assert players(tmp_path, f"{head}\nA\nAnn Doe\n佐藤\n") == plain
    teams = "no;氏名;チーム\n1;A;獅子\n2;B;\n"
    assert players(tmp_path, teams) == [Entrant("A", "獅子"), Entrant("B")]


def test_invalid_lists_of_names_are_refused(tmp_path: Path) -> None:
    for text, expected in (
        ("Doe, Jane\nRoe\n", "names.csv:1: this line has 2 cells, but the file has no column headings"),
        ("A\nB\nＡ\n", "names.csv:3: Ａ appears twice"),
        ("A\n-\n", "names.csv:2: the name is missing"),
        ("A\n=B\n", "names.csv:2: name '=B' is a formula"),
        ("A\n", "players: 1"),
        ("", "is empty"),
    ):
        with pytest.raises(DataError, match=re.escape(expected)):
            players(tmp_path, text)


def test_players_of_a_list_meet_in_rotation_under_their_teams() -> None:
    entrants_named = [Entrant("A", "Lions"), Entrant("B"), Entrant("C", "Bears"), Entrant("D", "Lions")]
    first, *_ = rotation(entrants_named, 3)
    assert first.pairings == (Pairing(1, "A", "D", "Lions"), Pairing(2, "B", "C", "Bears"))
    (second,) = rotation([Entrant("A", "Lions"), Entrant("C", "Bears")], 1)
    assert second.pairings == (Pairing(1, "A", "C", "Lions – Bears"),)
