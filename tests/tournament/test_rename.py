"""Tests that a name is corrected in every file, and that no other byte changes."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.errors import DataError
from generator.tournament import event_file
from generator.tournament.csv_files import plain
from generator.tournament.event_file import EventRecord, Meeting, Played, Player, Undone
from generator.tournament.rename import rename_in_event_file, rename_in_results, rename_player

HEADS = {
    "en": ("round", "player_a", "player_b", "score_a", "winner"),
    "ja": ("ラウンド", "選手A", "選手B", "得点A", "勝者"),
}
CODE = "K7Q2M-9FHN5"

CELLS = st.one_of(
    st.sampled_from(["Ann", "ann", " Ann ", "ＡＮＮ", "Anna", "Bob", "", "1", "佐藤"]),
    st.text("aZ9 佐髙ー～;,|\"'-=", max_size=6),
)


def written(rows: list[list[tuple[str, bool]]], delimiter: str, end: str) -> str:
    """Return rows as CSV text. Cells are quoted on request or if necessary."""

    def cell(text: str, quotes: bool) -> str:
        needed = quotes or any(sign in text for sign in (delimiter, '"'))
        return '"' + text.replace('"', '""') + '"' if needed else text

    return "".join(delimiter.join(cell(*of) for of in row) + end for row in rows)


def is_anns_name(column: int, text: str) -> bool:
    """Return whether a cell contains Ann's name."""
    return column in (1, 2, 4) and bool(text.strip()) and plain(text.strip()) == "ann"


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.lists(st.tuples(CELLS, st.booleans()), min_size=5, max_size=5), max_size=5),
    st.sampled_from(["en", "ja"]),
    st.sampled_from([",", ";", "\t"]),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "cp932"]),
    st.sampled_from(["Anne", "佐藤 太郎", 'A "B" C', "A,B;C"]),
)
def test_only_the_cells_with_the_name_change(
    tmp_path_factory: pytest.TempPathFactory,
    rows: list[list[tuple[str, bool]]],
    lang: str,
    delimiter: str,
    end: str,
    encoding: str,
    new: str,
) -> None:
    # The last line is pure Japanese, and content that is not UTF-8 is read as cp932.
    below = [[("注", True), ("伊藤", False), ("高橋", False), ("", False), ("", False)]]
    head = [(text, False) for text in HEADS[lang]]
    file = tmp_path_factory.mktemp("rename") / "results.csv"
    before = written([head, *rows, *below], delimiter, end).encode(encoding)
    file.write_bytes(before)
    ours = [[(new, of[1]) if is_anns_name(at, of[0]) else of for at, of in enumerate(row)] for row in rows]
    count = sum(is_anns_name(at, text) for row in rows for at, (text, _) in enumerate(row))
    made, found = rename_in_results(file, "Ann", new, encoding=None if encoding != "cp932" else "cp932")
    assert found == count
    assert made == (written([head, *ours, *below], delimiter, end).encode(encoding) if count else before)


def test_bytes_that_python_would_write_in_another_way_stay(tmp_path: Path) -> None:
    file = tmp_path / "results.csv"
    # The remark has the sign ∪ twice, in the encodings of NEC and of JIS. A cell has a quotation mark inside.
    before = "round,player_a,player_b,備考\r\n1,Ann,佐藤,".encode("cp932")
    before += b"\x81\xbe\x87\x9b\r\n" + '1,佐藤,Ann,5"\r\n'.encode("cp932")
    file.write_bytes(before)
    assert rename_in_results(file, "Ann", "Bo")[0] == before.replace(b"Ann", b"Bo")


def test_a_letter_that_the_encoding_lacks_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "results.csv"
    file.write_bytes("round,player_a,player_b\n1,佐藤,鈴木\n".encode("cp932"))
    with pytest.raises(DataError, match="the encoding of this file is cp932, which cannot represent 'Łuc'"):
        rename_in_results(file, "佐藤", "Łuc")
    file.write_bytes(b'round,player_a,player_b\n1,"Ann,Bob\n')
    with pytest.raises(DataError, match="quotation marks that can be read in two ways"):
        rename_in_results(file, "Ann", "Bo")


def event() -> EventRecord:
    meetings = (Meeting("Ann", "Bob", 1), Meeting("Cy"))
    return EventRecord(
        "Ann", "battling", CODE,
        players=(Player("Ann", 1), Player("Bob", 2), Player("Cy", 3, team="Ann")),
        apart=(("Bob", "Ann"),), notices=("Ann",),
        round=(Played(1, meetings),), undone=(Undone("2026-11-28T02:00Z", Played(1, meetings)),),
    )  # fmt: skip


def test_a_name_changes_wherever_it_is_a_players() -> None:
    made = rename_player(event(), "Ann", "Anne")
    assert made.require_player("anne").formerly == ("Ann",)
    assert (made.name, made.notices, made.players[2].team, made.apart) == ("Ann", ("Ann",), "Ann", (("Bob", "Anne"),))
    assert [m.a for one in (made.round[0], made.undone[0].round) for m in one.meetings] == ["Anne", "Cy"] * 2
    assert made.names_by_former() == {"ann": "Anne"} and made.known_names("Anne") == ("Anne", "Ann")
    again = rename_player(rename_player(made, "Anne", "Anna"), "Anna", "Ann")
    assert again.require_player("Ann").formerly == ("Anne", "Anna") and again.names_by_former() == {
        "anne": "Ann",
        "anna": "Ann",
    }
    assert rename_player(event(), "Ann", "ANN").require_player("Ann").formerly == ()


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_event_toml_keeps_what_else_stands_in_it(end: str, mark: str) -> None:
    before, after = event(), rename_player(event(), "Ann", "Anne")
    assert rename_in_event_file(event_file.write(before), "Ann", "Anne", before, after) == event_file.write(after)
    user_text = event_file.write(before).decode().replace("players = [", '# Ann pays\nplayers = [  # "Ann"')
    user_text = user_text.replace("\n", end)
    made = rename_in_event_file((mark + user_text).encode(), "Ann", "Anne", before, after).decode()
    expected = (mark + user_text).replace('{ name = "Ann"', '{ name = "Anne", formerly = ["Ann"]')
    expected = expected.replace('{ a = "Ann"', '{ a = "Anne"').replace('["Bob", "Ann"]', '["Bob", "Anne"]')
    assert made == expected


def test_event_toml_in_tables_of_its_own_is_changed_too() -> None:
    before = EventRecord("Cup", "battling", CODE, players=(Player("Ann", 1), Player("Bob", 2)))
    user_text = "name = 'Cup' # Ann\ngame = 'battling'\ncode = 'K7Q2M-9FHN5'\n"
    user_text += '\n[[players]]\nname = \'Ann\'\nlot = 1\n\n[[players]]\nlot = 2\nname = """Bob"""\n'
    made = rename_in_event_file(
        user_text.encode(), "Ann", "Anne", before, rename_player(before, "Ann", "Anne")
    ).decode()
    assert made == user_text.replace("name = 'Ann'", "name = \"Anne\"\nformerly = ['Ann']")
    # A file that cannot be changed in place is rewritten completely, with the right content.
    twice = rename_player(before, "Ann", "Anne")
    hand = event_file.write(twice).decode().replace("rounds", "# more\nrounds") + "# the end\n"
    after = rename_player(twice, "Anne", "Anna")
    assert rename_in_event_file(hand.encode(), "Anne", "Anna", twice, after) == event_file.write(after)
