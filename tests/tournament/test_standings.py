from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.errors import DataError
from generator.model.views import Sheet
from generator.press.book import print_kit
from generator.press.check.preflight import preflight
from generator.press.layout.print_settings import PrintSettings
from generator.tournament.csv_files import read
from generator.tournament.near_names import near_name_remarks
from generator.tournament.scores import (
    NEEDED_COLUMNS,
    STANDING_COLUMNS,
    Outcome,
    Result,
    read_results,
    scoring,
    standings,
    standings_csv,
    standings_kit,
    standings_rows,
)

HEAD = "round,table,game,player_a,player_b,score_a,score_b,lost_a,lost_b,winner"


def results(folder: Path, *lines: str) -> tuple[Result, ...]:
    file = folder / "results.csv"
    file.write_text("\n".join((HEAD, *lines)), "utf-8")
    return read_results([read(file, NEEDED_COLUMNS)])


def complaints(folder: Path, *lines: str) -> list[str]:
    with pytest.raises(DataError) as caught:
        results(folder, *lines)
    return [f"{p.line}: {p.message}" for p in caught.value.problems]


def test_points_and_every_tie_break(tmp_path: Path) -> None:
    lines = standings(
        results(
            tmp_path,
            "1,1,1,Ann,Bob,6,4,10,12,",
            "1,1,2,ann,Bob,３,6,9,8,",
            "1,2,1,Cid,Dan,5,5,1,1,",
            "1,2,2,Cid,Dan,,,,,",
            "1,,,Eve,不戦勝,,,,,",
        )
    )
    worth = scoring()
    assert [(line.rank, line.player, line.points) for line in lines] == [
        (1, "Eve", worth.bye * worth.win),
        (2, "Bob", worth.win),
        (3, "Ann", worth.win),
        (4, "Cid", worth.draw),
        (4, "Dan", worth.draw),
    ]
    ann = lines[2]
    assert (ann.played, ann.wins, ann.losses, ann.margin, ann.lost, ann.opposition) == (2, 1, 1, -1, 19, worth.win)


@pytest.mark.parametrize(
    ("better", "worse"),
    [("6,0,9,9", "5,0,0,0"), ("6,1,3,9", "6,1,4,0")],
    ids=["margin before casualties", "fewer casualties"],
)
def test_ties_are_broken_in_their_order(tmp_path: Path, better: str, worse: str) -> None:
    lines = standings(results(tmp_path, f"1,1,1,Worse,X,{worse},", f"1,2,1,Better,Y,{better},"))
    assert [line.player for line in lines[:2]] == ["Better", "Worse"]


def test_who_met_the_better_opponents_comes_first(tmp_path: Path) -> None:
    games = ("1,1,1,A,Strong,0,1,0,0,", "1,2,1,B,Weak,0,1,0,0,", "2,1,1,Strong,C,9,0,0,0,", "2,2,1,Weak,D,0,9,0,0,")
    order = [line.player for line in standings(results(tmp_path, *games))]
    assert order.index("A") < order.index("B")


@pytest.mark.parametrize(
    ("word", "won"),
    [("a", "A."), ("選手B", "B."), ("b.", "B."), ("引き分け", ""), ("tie", ""), ("1", "A."), ("2", "B."), ("△", "")],
)
def test_the_winner_may_be_given(tmp_path: Path, word: str, won: str) -> None:
    (best, other) = standings(results(tmp_path, f"1,1,1,A.,B.,2,2,0,0,{word}"))
    assert (best.player if best.points > other.points else "") == won


def test_every_fault_is_reported_with_its_line(tmp_path: Path) -> None:
    assert complaints(
        tmp_path,
        "1,1,1,A,B,6,,0,0,",
        "1,1,2,A,B,-1,2,x,0,",
        "1,2,1,C,D,1,2,0,0,Z",
        "1,2,2,C,D,,,3,,",
        "1,3,1,E,E,1,2,0,0,",
        "1,4,1,,F,1,2,0,0,",
        "r,4,1,G,F,1,2,0,0,",
        "1,5,1,H,I,1,2,0,0,",
        "1,5,1,I,H,1,2,0,0,",
        "1,6,1,H,J,1,2,0,0,",
    ) == [
        "2: only one of the two scores is filled in",
        "3: score_a '-1' is not a number from 0 to 9999",
        "3: lost_a 'x' is not a number from 0 to 9999",
        "4: the winner 'Z' is not a player at this table",
        "5: this row has casualties but no score",
        "6: E cannot be paired with themselves",
        "7: this row has a score but only one player",
        "8: round 'r' is not a number from 1 to 50",
        "10: this game is already listed",
        "11: H has two opponents in round 1",
    ]


@pytest.mark.parametrize("word", ["0", "０", "0.0", "-", "×"])
@pytest.mark.parametrize("scores", [",", "3,1", "2,2"])
def test_a_winner_of_zero_is_not_a_draw(tmp_path: Path, word: str, scores: str) -> None:
    """A cell that is linked to an empty cell shows 0, so that games that were not played became draws."""
    assert complaints(tmp_path, f"1,1,1,A,B,{scores},0,0,{word}") == [
        f"2: the winner '{word}' is not a player at this table"
    ]


def test_a_word_that_may_mean_either_player_is_asked_about(tmp_path: Path) -> None:
    assert complaints(tmp_path, "1,1,1,B,A,1,2,0,0,a") == ["2: the winner 'a' could mean either player"]
    assert results(tmp_path, "1,1,1,A,B,1,2,0,0,a")[0].outcome == "a"


@pytest.mark.parametrize("row", ["1,,,Ann,,,,,,", "1,,,,Ann,,,,,", "1,,,不戦勝,Ann,,,,,", "1,1,,Ann,bye,,,,,"])
def test_a_bye_may_stand_on_either_side(tmp_path: Path, row: str) -> None:
    (line,) = standings(results(tmp_path, row))
    assert (line.player, line.played, line.wins, line.points) == ("Ann", 0, scoring().bye, 4)


def test_a_bye_with_a_score_is_refused(tmp_path: Path) -> None:
    assert complaints(tmp_path, "1,1,,Ann,bye,1,0,,,") == [
        "2: this row is a bye, so score_a must be empty, but it contains '1'"
    ]


def test_nothing_but_headings(tmp_path: Path) -> None:
    assert complaints(tmp_path) == ["0: has no results"]


def test_a_small_tournament_computed_by_hand(tmp_path: Path) -> None:
    """Two rounds of five players in two files contain a tie, a forfeit, a pending game and exchanged seats."""
    (tmp_path / "a.csv").write_text(
        f"{HEAD}\n"
        "1,1,1,Ann,Bob,6,4,10,12,\n1,1,2,Bob,Ann,6,5,8,9,\n"
        "1,2,1,Cid,Dan,,,,,Cid\n1,2,2,Cid,Dan,,,,,a\n"  # Dan did not arrive
        "1,,,Eve,bye,,,,,\n",
        "utf-8",
    )
    (tmp_path / "b.csv").write_text(
        "回戦;卓番号;ゲーム;プレイヤーA;対戦相手;スコアA;スコアB;損害A;損害B;勝ち\n"
        "2;1;1;Ｃｉｄ;Ann;5;5;7;7;\n2;1;2;Cid;ANN;3;6;9;2;\n"
        "2;2;1;Eve;Bob;6;0;1;20;\n2;2;2;Eve;Bob;;;;;\n"
        "2;;;Dan;不戦勝;;;;;\n",
        "cp932",
    )
    found = read_results([read(tmp_path / name, NEEDED_COLUMNS) for name in ("a.csv", "b.csv")])
    # Ann and Cid have 5 points and 2 wins each, so the margin decides: 2 - 1 + 0 + 3 against 0 + 0 + 0 - 3.
    assert [[getattr(line, column) for column in STANDING_COLUMNS[:-1]] for line in standings(found)] == [
        [1, "Eve", 1, 6, 3, 0, 0, 6, 1, 2],
        [2, "Ann", 4, 5, 2, 1, 1, 4, 28, 2 + 5],
        [3, "Cid", 4, 5, 2, 1, 1, -3, 16, 4 + 5],
        [4, "Dan", 2, 4, 2, 0, 2, 0, 0, 5],
        [5, "Bob", 3, 2, 1, 0, 2, -7, 40, 5 + 6],
    ]


def test_csv_and_json_say_the_same(tmp_path: Path) -> None:
    lines = standings(results(tmp_path, "1,1,1,neko,B,1,2,0,0,"))
    _, *read = csv.reader(standings_csv(lines, "ja").decode("utf-8-sig").splitlines())
    # No lots were drawn, so there is no column for lots.
    assert read == [[str(value) for value in list(row.values())[:-1]] for row in standings_rows(lines)]
    assert read[1][:2] == ["2", "neko"]


def test_a_winner_whom_the_scores_contradict_is_disputed(tmp_path: Path) -> None:
    lines = "1,1,1,A,B,6,4,,,b", "1,1,2,A,B,6,4,,,a", "1,2,1,C,D,5,5,,,c", "1,2,2,C,D,6,4,,,draw", "1,3,1,E,F,,,,,e"
    made = results(tmp_path, *lines)
    assert [game.disputed for game in made] == [True, False, False, True, False]
    assert [game.outcome for game in made] == ["b", "a", "a", "draw", "a"]


NAMES = st.sampled_from("ABCDEF")
PLAYED = st.lists(
    st.builds(
        Result,
        st.integers(1, 4),
        st.integers(1, 3),
        st.integers(1, 2),
        NAMES,
        st.sampled_from(["G", "H", ""]),
        st.sampled_from(["a", "b", "draw", "open"]),
        st.tuples(st.integers(0, 9), st.integers(0, 9)),
    ),
    max_size=12,
)


@given(PLAYED)
def test_the_books_balance(played: list[Result]) -> None:
    lines = standings(played)
    assert sum(line.wins for line in lines) - scoring().bye * sum(not r.b for r in played) == sum(
        line.losses for line in lines
    )
    assert sum(line.margin for line in lines) == 0
    assert [line.sort_key for line in lines] == sorted((line.sort_key for line in lines), reverse=True)
    assert standings(played[::-1]) == tuple(sorted(lines, key=lambda line: (line.rank, line.player.casefold())))


TWO_ROUNDS: tuple[tuple[int, tuple[tuple[str, str, Outcome, tuple[int, int]], ...]], ...] = (
    (1, (("Ito", "Sato", "a", (6, 1)), ("Kato", "Endo", "a", (6, 4)))),
    (2, (("Ito", "Kato", "b", (2, 6)), ("Sato", "Endo", "draw", (5, 5)))),
)
CUP = tuple(
    Result(round_, table, game, a, b, outcome, scores)
    for round_, games in TWO_ROUNDS
    for table, (a, b, outcome, scores) in enumerate(games, 1)
    for game in (1, 2)
)


def wall(results: tuple[Result, ...]) -> Any:
    (sheet,) = standings_kit(standings(results), results, "Cup").sheets
    assert isinstance(sheet, Sheet)
    return sheet


def test_the_wall_tells_what_parted_the_players_and_who_moved() -> None:
    rows = {row["player"]: row for row in wall(CUP).view["rows"]}
    assert [(name, row["rank"]) for name, row in rows.items()] == [("Kato", 1), ("Ito", 2), ("Endo", 3), ("Sato", 4)]
    assert {name: row["moved"] for name, row in rows.items()} == {"Kato": "▲1", "Ito": "▽1", "Endo": "–", "Sato": "–"}
    assert rows["Endo"]["telling"] == ["points", "margin"] and rows["Sato"]["telling"] == ["margin"]
    assert (rows["Kato"]["margin"], rows["Sato"]["margin"]) == ("+12", "−10")
    assert not wall(CUP[:4]).view["moves"]


def test_a_dot_for_each_game() -> None:
    sheet = wall(CUP)
    figures = {row["player"]: sheet.figures[row["record"]] for row in sheet.view["rows"]}
    found = {player: Counter(use.symbol.name for use in picture.items) for player, picture in figures.items()}
    assert found["Kato"] == {"game.won": 4}
    assert found["Endo"] == {"game.lost": 2, "game.drawn": 2}


@pytest.mark.parametrize("count", [8, 16, 24, 60])
@pytest.mark.parametrize("name", ["Sato {n}", "the very long name of a player, number {n}"])
def test_standings_fill_the_wall(count: int, name: str) -> None:
    names = [name.format(n=n) for n in range(count)]
    results = tuple(
        Result(1, n, 1, a, b, "a", (6, n % 6)) for n, (a, b) in enumerate(zip(names[::2], names[1::2], strict=True))
    )
    kit = standings_kit(standings(results), results, "Cup")
    pdf = print_kit(kit, PrintSettings("en"))
    assert preflight(pdf, "a4", "en") == []
    document = pypdfium2.PdfDocument(pdf)
    assert len(document) == 1 if count <= 24 else len(document) <= 5
    page = document[0].get_textpage()
    lowest = min(page.get_rect(n)[1] for n in range(page.count_rects()) if page.get_rect(n)[1] > 50)
    assert lowest < (250 if count == 8 else 160)


NEAR = {
    "one letter": (("1,1,1,Ann Alder,Bob,1,0,,,", "2,1,1,Ann Aldr,Cid,1,0,,,"), "3: Ann Aldr and Ann Alder"),
    "one character": (("1,1,1,佐藤太郎,鈴木,1,0,,,", "2,1,1,佐藤太朗,高橋,1,0,,,"), "3: 佐藤太朗 and 佐藤太郎"),
    "they meet": (("1,1,1,Ann Alder,Anna Alder,1,0,,,",), ""),
    "numbers": (("1,1,1,Guest 1,Guest 2,1,0,,,", "2,1,1,Guest 3,Guest 1,1,0,,,"), ""),
    "other players": (("1,1,1,Ann Berg,Bob Birch,1,0,,,", "2,1,1,Anne Burger,Carl Cole,1,0,,,"), ""),
    "byes": (
        ("1,1,1,Ann Alder,Bob,1,0,,,", "1,,,Ann Aldor,bye,,,,,", "2,,,Bob,BYE,,,,,"),
        "3: Ann Aldor and Ann Alder",
    ),
}


@pytest.mark.parametrize("name", NEAR)
def test_names_that_may_be_typos_are_reported(tmp_path: Path, name: str) -> None:
    rows, expected = NEAR[name]
    file = tmp_path / "results.csv"
    file.write_text("\n".join((HEAD, *rows)), "utf-8")
    found = [f"{remark.line}: {remark.message}" for remark in near_name_remarks([read(file, NEEDED_COLUMNS)])]
    assert found == ([f"{expected} count as two players"] if expected else [])
