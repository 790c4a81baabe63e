"""Tests that players' lists in common formats are read, or refused with the reason."""

from __future__ import annotations

import io
import unicodedata
import zipfile
from pathlib import Path

import pytest

from generator.errors import DataError
from generator.tournament.csv_files import read as read_table
from generator.tournament.pairings import Entrant
from generator.tournament.player_list import Absent, entrants, read

FOUR = ["Ann Alder", "Bob Birch", "Cy Cedar", "Dee Dogwood"]


def names(folder: Path, text: str | bytes, absent: Absent | None = None) -> list[str]:
    return [one.name for one in players(folder, text, absent)]


def players(folder: Path, text: str | bytes, absent: Absent | None = None) -> list[Entrant]:
    file = folder / "names.csv"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return entrants(read(file), absent)


def refused(folder: Path, text: str | bytes) -> list[str]:
    with pytest.raises(DataError) as caught:
        players(folder, text)
    return [str(problem).replace(f"{folder}/", "") for problem in caught.value.problems]


def remarks(folder: Path, text: str | bytes) -> list[str]:
    file = folder / "names.csv"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return [str(remark).replace(f"{folder}/", "") for remark in read(file).remarks]


@pytest.mark.parametrize(
    "text",
    [
        "1. Ann Alder\n2. Bob Birch\n3. Cy Cedar\n4. Dee Dogwood\n",
        "1) Ann Alder\n2) Bob Birch\n3) Cy Cedar\n4) Dee Dogwood\n",
        "(1) Ann Alder\n(2) Bob Birch\n(3) Cy Cedar\n(4) Dee Dogwood\n",
        "１．Ann Alder\n２．Bob Birch\n３．Cy Cedar\n４．Dee Dogwood\n",
        "① Ann Alder\n② Bob Birch\n③ Cy Cedar\n④ Dee Dogwood\n",
        "1 Ann Alder\n2 Bob Birch\n3 Cy Cedar\n4 Dee Dogwood\n",
        "- Ann Alder\n- Bob Birch\n- Cy Cedar\n- Dee Dogwood\n",
        "* Ann Alder\n* Bob Birch\n\n* Cy Cedar\n* Dee Dogwood\n",
        "・Ann Alder\n・Bob Birch\n・Cy Cedar\n・Dee Dogwood\n",
        "Players:\n1. Ann Alder\n2. Bob Birch\n3. Cy Cedar\n4. Dee Dogwood\n",
        "Name\n\nAnn Alder\n\nBob Birch\n   \nCy Cedar\t\nDee Dogwood  \n",
        "\ufeffname\r\nAnn Alder\r\nBob Birch\r\nCy Cedar\r\nDee Dogwood",
        "name\rAnn Alder\rBob Birch\rCy Cedar\rDee Dogwood\r",
        "| Name | Army |\n|------|------|\n| Ann Alder | Elf |\n| Bob Birch | |\n| Cy Cedar | |\n| Dee Dogwood | |\n",
        "| Ann Alder |\n| Bob Birch |\n| Cy Cedar |\n| Dee Dogwood |\n",
        "Name         Team\n---\nAnn Alder    Oak\nBob Birch    Oak\nCy Cedar     Elm\nDee Dogwood  Elm\n",
        "Autumn Cup 2026\nas of 3 May\n\nName,Team\nAnn Alder,Oak\nBob Birch,\nCy Cedar,Oak\nDee Dogwood,\n",
        '# Players\n\nname;team\n"Ann\nAlder";Oak\nBob Birch;\nCy Cedar;\nDee Dogwood;\n',
        "sep=;\nPlayer;Club\nAnn Alder;Oak\nBob Birch;\nCy Cedar;\nDee Dogwood;\n",
        "name\nAnn　Alder\n Bob\u00a0Birch\nCy  Cedar\nDee Dogwood　\n",
        "Vorname;Nachname\nAnn;Alder\nBob;Birch\nCy;Cedar\nDee;Dogwood\n",
        "Name;Vorname\nAlder;Ann\nBirch;Bob\nCedar;Cy\nDogwood;Dee\n",
        "Nom,Prénom\nAlder,Ann\nBirch,Bob\nCedar,Cy\nDogwood,Dee\n",
        "Nombre,Apellidos\nAnn,Alder\nBob,Birch\nCy,Cedar\nDee,Dogwood\n",
        "> Ann Alder\n> Bob Birch\n> Cy Cedar\n> Dee Dogwood\n",
        "“Ann Alder”\n“Bob Birch”\n“Cy Cedar”\n“Dee Dogwood”\n",
        "「Ann Alder」\n「Bob Birch」\n「Cy Cedar」\n「Dee Dogwood」\n",
        "Ann Alder、\nBob Birch、\nCy Cedar、\nDee Dogwood\n",
        "姓名,所属\nAnn Alder,Oak\nBob Birch,\nCy Cedar,\nDee Dogwood,\n",
        "Name,First Name,Last Name\nAnn Alder,x,y\nBob Birch,,\nCy Cedar,,\nDee Dogwood,,\n",
    ],
)
def test_lists_that_are_read(tmp_path: Path, text: str) -> None:
    assert names(tmp_path, text) == FOUR


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Ann 2-1 Bob\nCy 0-2 Dee\n", "names.csv:1: “Ann 2-1 Bob” contains a score"),
        ("1. Ann 2 : 1 Bob\n2. Cy 0 : 2 Dee\n", "names.csv:1: “Ann 2 : 1 Bob” contains a score"),
        ("Ann 1-0 Bob\nCy ½-½ Dee\n", "names.csv:2: “Cy ½-½ Dee” contains a score"),
        ("佐藤○-×鈴木\n田中×-○高橋\n", "names.csv:2: “田中×-○高橋” contains a score"),
        ("Players\nAnn 2-1 Bob\nCy 0-2 Dee\n", "names.csv:2: “Ann 2-1 Bob” contains a score"),
        ("Players\nAnn – Bob 2:1\nCy – Dee 0:2\n", "names.csv:3: “Cy – Dee 0:2” contains a score"),
        ("Ann vs. Bob\nCy v Dee\n", "names.csv:2: “Cy v Dee” looks like the names of two players"),
        ("佐藤 対 鈴木\n田中 対 高橋\n", "names.csv:1: “佐藤 対 鈴木” looks like the names of two players"),
        ("Table 1: Ann – Bob\nTable 2: Cy – Dee\n", "names.csv:1: “Table 1: Ann – Bob” looks like two names"),
        ("Ann: Oak\nBob: Elm\n", "names.csv:1: “Ann: Oak” looks like a name and a remark"),
        ("[10:01] Ann: I'm in\n[10:02] Bob: me too\n", "contains a time of day"),
        ("20:15 Ann\n20:16 Bob\n20:17 Cy\n", "names.csv:1: “20:15 Ann” contains a time of day"),
        ("Ann — Today at 20:15\nBob — Today at 20:16\n", "contains a time of day"),
        ("1 Ann\n2 Bob\n4 Cy\n", "names.csv:1: “1 Ann” looks like a line of a numbered list"),
        ("Ann (1500)\nBob (1400)\nCy (1350)\n", "names.csv:1: “Ann (1500)” looks like a name with points"),
        ("田中、鈴木\n佐藤、高橋\n", "names.csv:1: “田中、鈴木” looks like more than one player"),
        ("田中・鈴木・佐藤\n高橋・伊藤・渡辺\n", "names.csv:2: “高橋・伊藤・渡辺” looks like more than one player"),
        ("Ann +1\nBob\n", "names.csv:1: “Ann +1” looks like more than one player"),
        ("田中 他1名\n鈴木\n", "names.csv:1: “田中 他1名” looks like more than one player"),
        ("Ann and guest\nBob\n", "names.csv:1: “Ann and guest” looks like more than one player"),
        ("Ann and Bob\nCy\n", "names.csv:1: “Ann and Bob” looks like more than one player"),
        ("Ann\nCY AND DEE\n", "names.csv:2: “CY AND DEE” looks like more than one player"),
        ("Ann\nCy & Dee\n", "names.csv:2: “Cy & Dee” looks like more than one player"),
        ("Ann\nCy / Dee\n", "names.csv:2: “Cy / Dee” looks like more than one player"),
        ("Ann\nCy+Dee\n", "names.csv:2: “Cy+Dee” looks like more than one player"),
        ("Eva\nAnna und Ben\n", "names.csv:2: “Anna und Ben” looks like more than one player"),
        ("Eva\nAna y Luis\n", "names.csv:2: “Ana y Luis” looks like more than one player"),
        ("佐藤\n田中と鈴木\n", "names.csv:2: “田中と鈴木” looks like more than one player"),
        ("佐藤\n田中さんと鈴木さん\n", "names.csv:2: “田中さんと鈴木さん” looks like more than one player"),
        ("佐藤\nAnnとBob\n", "names.csv:2: “AnnとBob” looks like more than one player"),
        ("田中 ○\n鈴木 ×\n佐藤 △\n", "names.csv:2: “鈴木 ×” looks like a name and a mark"),
        ("田中\n鈴木×\n佐藤\n", "names.csv:2: “鈴木×” looks like a name and a mark"),
        ("Ann yes\nBob no\nCy maybe\n", "names.csv:1: “Ann yes” looks like a name and a mark"),
        ("Ann\n// Bob\nCy\n", "names.csv:2: “// Bob” begins with a sign that is not part of a name"),
        ("Ann\n> Bob\nCy\n", "names.csv:2: “> Bob” begins with a sign that is not part of a name"),
        ("以下2名です。\n田中\n鈴木\n", "names.csv:1: “以下2名です。” is not a name"),
        ("田中\n鈴木\n以上2名\n", "names.csv:3: “以上2名” is not a name"),
        ("名前\n田中\n鈴木\n計2名\n", "names.csv:4: “計2名” is not a name"),
        ("Ann\nBob\n2 players\n", "names.csv:3: “2 players” is not a name"),
        ("Ann\nBob\nTBD\n", "names.csv:3: “TBD” is not a name"),
        ("name\nAnn\nBob\n???\n", "names.csv:4: “???” is not a name"),
        ("田中\n鈴木\nよろしくお願いします。\n", "names.csv:3: “よろしくお願いします。” looks like a sentence"),
        ("Ann\nBob\n\nThanks!\nKen\n", "names.csv:4: “Thanks!” looks like a sentence"),
        ("Ann\nBob\n\nWaiting list\nCy\nDee\n", "names.csv:4: “Waiting list” looks like a title"),
        ("【赤組】\n田中\n鈴木\n【白組】\n佐藤\n高橋\n", "names.csv:4: “【白組】” looks like a title"),
        ("Team Oak\nAnn\nBob\nTeam Elm\nCy\nDee\n", "names.csv:4: “Team Elm” looks like a title"),
        ("1 Ann 12\n2 Bob 9\n3 Cy 9\n", "names.csv:1: “Ann 12” looks like a name with points"),
        ("players:\n- name: Ann\n  team: Oak\n- name: Bob\n", "names.csv: this is a YAML file"),
        ("- name: Ann\n- name: Bob\n", "names.csv: this is a YAML file"),
        ("---\nplayers:\n  - Ann\n  - Bob\n", "names.csv: this is a YAML file"),
        ("- {name: Ann}\n- {name: Bob}\n", "names.csv: this is a YAML file"),
        ('players = ["Ann", "Bob"]\n', "names.csv: this is a TOML file"),
        ('[[players]]\nname = "Ann"\n', "names.csv: this is a TOML file"),
        ('{"name": "Ann"}\n{"name": "Bob"}\n', "names.csv: this is a JSON file"),
        ("Name,Paid\nAnn,10\nBob,10\nTotal,20\n", "names.csv:4: this row is a total, not a player"),
        ("氏名,会費\n鈴木,1000\n佐藤,1000\n合計,2000\n", "names.csv:4: this row is a total, not a player"),
        ("Name;Beitrag\nAnn;10\nSumme;10\nBob;0\n", "names.csv:3: this row is a total, not a player"),
        ("No.,Player\n1,Ann\n2,Bob\nTotal,2\n", "names.csv:4: this row is a total, not a player"),
        ("Ann\nBob\nTotal:\n", "names.csv:3: “Total:” looks like a title"),
        ("Ann\nBob\n合計\n", "names.csv:3: “合計” is not a name"),
        ("Name,Team\nAnn,Oak\nBob,\n\nWaiting list\nCy,Elm\n", "names.csv:5: “Waiting list” looks like a title"),
        ("No,Name\n1,Ann\n2,Bob\n【補欠】,\n1,Cy\n", "names.csv:4: “【補欠】” looks like a title"),
        ("Name,Team\nAnn,\nBob,\n\nName,Team\nCy,Elm\n", "names.csv:5: “Name, Team” looks like the headings of"),
        ("Name,Team\nAnn,\nBob,\n\nPlayer,Status\nCy,\n", "names.csv:5: “Player, Status” looks like the headings"),
        ("Ann | Oak\nBob | Elm\n", "names.csv:1: “Ann | Oak” looks like a name and a remark"),
        ("鈴木，東京\n佐藤，大阪\n", "names.csv:1: “鈴木，東京” looks like more than one player"),
        ("# players\nAnn\nBob\n\n# late\nCy\n", "names.csv:5: “# late” looks like a title"),
        ("# players\nAnn\nBob\n\n# Oslo\nCy\n", "names.csv:5: “# Oslo” looks like a title"),
        ("Name\nAnn\nBob\n\nName,Team\nCy,Elm\nDee,Elm\n", "names.csv:5: “Name, Team” looks like the headings of"),
        ("Player,No\nAnn,1\n\nPlayer,Team,No\nCy,Elm,2\nDee,Elm,3\n", "names.csv:4: “Player, Team, No” looks like"),
        ("Group A\nAnn\nBob\nGroup B\nCy\nDee\n", "names.csv:1: “Group A” looks like a title"),
        ("Aグループ\n田中\n鈴木\nBグループ\n佐藤\n高橋\n", "names.csv:1: “Aグループ” looks like a title"),
        ("第1組\n田中\n鈴木\n第2組\n佐藤\n", "names.csv:1: “第1組” looks like a title"),
        ("Name,Team\nOak,\nAnn,Oak\nBob,Oak\n", "names.csv:2: “Oak” looks like the title of a group, not a player"),
        ("Name,Rating\nGroup A,\nAnn,1200\nBob,1300\n", "names.csv:2: “Group A” looks like the title of a group"),
        ("Name,Team\nAnn,Oak\nTeam Elm,\nBob,Elm\n", "names.csv:3: “Team Elm” looks like the title of a group"),
        ("3\n1 2\n3 4\n5 6\n", "names.csv:2: “1 2” looks like the numbers of two players"),
    ],
)
def test_what_is_more_than_names_is_refused_by_kind(tmp_path: Path, text: str, why: str) -> None:
    assert any(why in fault for fault in refused(tmp_path, text)), refused(tmp_path, text)


@pytest.mark.parametrize(
    "text",
    [
        "Name            Club\nAnn Alder       Oak\nBob Birch       Elm\n",
        "No  Player      Rating\n1   Ann Alder   1500\n2   Bob Birch   1400\n",
        "Name       Paid  Club\nAnn Alder        Oak\nBob Birch  yes\n",
        "Name  Club\nAnn Alder  Oak\nBob Birch  Elm\n",
        "Cup\n\n  Name       Whatever\n  Ann Alder  Oak\n  Bob Birch  Elm\n",
        "氏名　　　　所属\nAnn Alder 　Oak\nBob Birch 　Elm\n",
        "番号　氏名　　所属\n1　Ann Alder　東\n2　Bob Birch　西\n",
        "First name  Last name  Club\nAnn         Alder      Oak\nBob         Birch      Elm\n",
        "Vorname Nachname\nAnn Alder\nBob Birch\n",
    ],
)
def test_columns_may_be_aligned_with_spaces_under_any_headings(tmp_path: Path, text: str) -> None:
    """`Name  Club` and every line below were seated as players."""
    assert names(tmp_path, text) == FOUR[:2]


def test_columns_may_be_aligned_with_full_width_spaces(tmp_path: Path) -> None:
    text = "氏名　　　　　所属\n佐藤　太郎　　東\n鈴木次郎　　　西\n長谷川健太郎　東\n高橋三郎\n"
    assert players(tmp_path, text) == [
        Entrant("佐藤 太郎", "東"),
        Entrant("鈴木次郎", "西"),
        Entrant("長谷川健太郎", "東"),
        Entrant("高橋三郎"),
    ]
    assert names(tmp_path, "氏名 フリガナ\n佐藤 サトウ\n鈴木 スズキ\n") == ["佐藤", "鈴木"]


@pytest.mark.parametrize(
    "text",
    [
        "Name Club\nAnn Alder Oak\nBob Birch Elm\n",
        "Name      Club\nAnn Oak\nBob Elm\n",
        "Name / Club\nAnn / Oak\nBob / Elm\n",
        "Name: Club\nAnn: Oak\nBob: Elm\n",
        "氏名　所属\n佐藤　太郎　東\n鈴木　次郎　西\n",
        "氏名・所属\n佐藤太郎・東\n鈴木次郎・西\n",
        "Name  Club\nAnn Alder  Oak\nBob Birch\nChristopher Longname  Elm\n",
    ],
)
def test_columns_that_cannot_be_split_are_refused(tmp_path: Path, text: str) -> None:
    assert any("separate the columns with commas or tabs" in fault for fault in refused(tmp_path, text))


def test_names_with_a_gap_between_them_are_not_one_player(tmp_path: Path) -> None:
    """`佐藤太郎　　鈴木次郎` and `Ann Alder    Bob Birch` were seated as one player."""
    several = [
        "佐藤太郎　　鈴木次郎",
        "Ann Alder    Bob Birch",
        "佐藤 太郎  東",
        "佐藤 鈴木 高橋",
        "佐藤太郎 伊藤四郎",
    ]
    for text in several:
        (fault,) = refused(tmp_path, f"Eve\n{text}\n")
        assert "looks like more than one player (write each player on a separate line" in fault
    assert names(tmp_path, "Ann  Alder\nBob Birch\nCy Cedar\n") == FOUR[:3]
    assert len(refused(tmp_path, "Ann  Oak\nBob  Elm\nCy  Oak\n")) == 3
    made = ["佐藤 太郎", "五十嵐 健太郎", "勘解由小路 三郎", "山田 ジョン 太郎", "Ann Alder", "Player One"]
    assert names(tmp_path, "\n".join(one.replace(" ", "　") for one in made)) == made


@pytest.mark.parametrize(
    "text",
    [
        "- Ann Alder\n- Bob Birch\n- Cy Cedar\n- Dee Dogwood\n",
        "players:\n  - Ann Alder\n  - Bob Birch\n  - Cy Cedar\n  - Dee Dogwood\n",
        "event: Cup\nplayers:\n  - \"Ann Alder\"\n  - 'Bob Birch'\n  - 'Cy Cedar'\n  - \"Dee Dogwood\"\n",
    ],
)
def test_a_list_of_yaml_is_read(tmp_path: Path, text: str) -> None:
    assert names(tmp_path, text) == FOUR


@pytest.mark.parametrize("text", ["{line}\nBob\n", "name\n{line}\nBob\n", "name,note\n{line},x\nBob,\n"])
@pytest.mark.parametrize("line", ["[" * 50_000, "a " * 50_000, "Ann" + " " * 50_000 + "x"])
def test_a_very_long_line_is_refused_at_once(tmp_path: Path, text: str, line: str) -> None:
    """The patterns for odd lines needed minutes for a JSON file of 100 kB in one line."""
    start = "names.csv:2: “" if text.startswith("name") else "names.csv:1: “"
    (fault,) = refused(tmp_path, text.format(line=line))
    assert fault.startswith(start + line[:60] + "” is longer than 80 characters (write one player's name")


def test_two_names_in_a_line_are_seated_as_one_player_only_below_a_heading(tmp_path: Path) -> None:
    """`Ann and Bob` was seated as one player without a question."""
    teams = ["Ann and Bob", "Cy & Dee", "田中と鈴木"]
    assert len(refused(tmp_path, "\n".join(teams))) == 3
    assert names(tmp_path, "\n".join(["name", *teams])) == teams


@pytest.mark.parametrize(
    "title",
    [
        *[
            "Cancelled",
            "CANCELLED PLAYERS",
            "Withdrawn (2)",
            "Dropped out:",
            "--- No-shows ---",
            "Late cancellations",
        ],
        *["The following have cancelled", "*Absent*", "Not coming", "キャンセル", "【キャンセル】", "■キャンセル"],
        *["↓キャンセル", "欠席者一覧", "欠席：", "辞退", "不参加", "途中棄権者", "以下欠席", "キャンセルされた方"],
        *["ここから下は欠席", "▼欠席の方", "Abgesagt"],
    ],
)
def test_players_below_a_title_for_cancelled_players_are_not_seated(tmp_path: Path, title: str) -> None:
    """Below `Cancelled`, every player was seated, and the title as well."""
    for text in ("Ann\nBob\n\n{}\nCy\n", "name\nAnn\nBob\n\n{}\nCy\n", "Name,Team\nAnn,Oak\nBob,\n\n{},\nCy,\n"):
        (fault,) = refused(tmp_path, text.format(title))
        assert f"“{title}” looks like a title, not a name (delete this" in fault


def test_names_with_words_of_titles_are_names(tmp_path: Path) -> None:
    made = ["Late Larry", "Ann Waiting", "Carl Cancellara", "Reserve Bob", "Player One", "休場 一郎"]
    assert names(tmp_path, "\n".join(made)) == made
    assert names(tmp_path, "\n".join(["name", "Cancelled Carl", *made])) == ["Cancelled Carl", *made]


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ("参加費合計,2000", "this row is a total"),
        ("参加者数,2", "this row is a total"),
        ("Total fee,20", "this row is a total"),
        ("Number of players,2", "this row is a total"),
        ("以上,", "“以上” is not a name"),
        ("（空き）,西", "“（空き）” is not a name"),
        ("募集中,東", "“募集中” is not a name"),
        ("vacant,Oak", "“vacant” is not a name"),
        ("同上,東", "“同上” is not a name"),
        ("* Bob arrives for round 2,", "“* Bob arrives for round 2” looks like a note"),
        ("※鈴木さんは2回戦から,", "“※鈴木さんは2回戦から” looks like a note"),
        ("締切は10月末です,", "“締切は10月末です” looks like a note"),
        ("申込は金曜まで,", "“申込は金曜まで” looks like a note"),
        ("参加費は当日集金,", "“参加費は当日集金” looks like a note"),
        ("Please pay at the door,", "“Please pay at the door” looks like a note"),
        ("see other sheet for juniors,", "“see other sheet for juniors” looks like a note"),
        ("Organiser: Joe Bloggs,joe", "“Organiser: Joe Bloggs” looks like a note"),
        ("備考：昼食は各自,", "“備考：昼食は各自” looks like a note"),
    ],
)
def test_notes_totals_and_vacancies_below_a_table_are_refused(tmp_path: Path, row: str, why: str) -> None:
    (fault,) = refused(tmp_path, f"氏名,所属\nAnn,東\nBob,\n{row}\n")
    assert fault.startswith(f"names.csv:4: {why}")


@pytest.mark.parametrize(
    "line",
    [
        *["※鈴木さんは2回戦から", "備考：昼食は各自", "以上", "募集中", "4.", "(5)", "____"],
        *["* Bob arrives later", "Please bring your own dice", "Note: no parking", "see the other list"],
    ],
)
def test_notes_in_a_plain_list_are_refused(tmp_path: Path, line: str) -> None:
    (fault,) = refused(tmp_path, f"Ann\nBob\n{line}\n")
    assert fault.startswith("names.csv:3: “")


def test_names_like_notes_are_names(tmp_path: Path) -> None:
    made = ["jan van der berg", "José María de la Cruz", "ann of green gables", "すがわら たから", "関が原 たから"]
    made += ["佐藤はな", "山本はな子", "計良 太郎", "Will Young", "Free", "Total Recall", "will may jones brown"]
    assert names(tmp_path, "\n".join(made)) == made
    made += ["Ann: the Brave", "*Ann*", "田中 計"]
    assert names(tmp_path, "\n".join(["name,elo", *(f"{one},1500" for one in made)])) == made
    assert names(tmp_path, "\n".join(["name,elo", *(f"{one}," for one in made)])) == made


def test_two_names_in_a_cell_with_a_line_break_are_refused(tmp_path: Path) -> None:
    """`Bob Birch` and `Carl Cole` in one cell were seated as `Bob Birch Carl Cole`."""
    (fault,) = refused(tmp_path, 'Name,Team\n"Ann\nAlder",Oak\n"Bob Birch\nCarl Cole",Elm\nDora Dale,\nEve Elm,\n')
    assert fault.startswith(
        "names.csv:4: “Bob Birch / Carl Cole” has several lines in one cell (write each player in"
    )
    (fault,) = refused(tmp_path, '氏名\n佐藤太郎\n"鈴木次郎\n高橋三郎"\n')
    assert "“鈴木次郎 / 高橋三郎” has several lines in one cell" in fault
    (fault,) = refused(tmp_path, "Ann\n~~Bob~~ Cy\nDee\n")
    assert fault.startswith("names.csv:2: only a part of “Bob Cy” is struck out")


def test_parts_of_a_name_are_not_taken_for_another_player(tmp_path: Path) -> None:
    made = ["José Ortega y Gasset", "Juan Costa e Silva", "Josep Puig i Cadafalch", "Li En Hui", "John I Smith"]
    made += ["山本とし子", "鈴木 と志美", "佐藤もとこ", "勝又と", "さとう", "Ann (she/her)", "C++", "Andy Anderson"]
    assert names(tmp_path, "\n".join(made)) == made


def test_names_like_titles_and_totals_are_accepted_where_they_can_only_be_names(tmp_path: Path) -> None:
    made = ["Total", "Oak", "#1", "Team Elm", "Summer", "Reserve Bob"]
    assert names(tmp_path, "\n".join(["name", *made])) == made
    rows = ["Total,Oak", "Oak,Elm", "Ann,Oak", "Elm,", "Bob,"]
    assert names(tmp_path, "\n".join(["name,team", *rows])) == ["Total", "Oak", "Ann", "Elm", "Bob"]


@pytest.mark.parametrize(
    "head", ["お名前を入力してください", "お名前を教えてください", "あなたの名前は？", "ハンドルネーム"]
)
def test_questions_of_forms_are_headings_for_names(tmp_path: Path, head: str) -> None:
    assert names(tmp_path, f"タイムスタンプ,{head}\n2026/05/01,佐藤\n2026/05/02,鈴木\n") == ["佐藤", "鈴木"]


def test_a_nickname_is_the_name_only_without_another_name(tmp_path: Path) -> None:
    text = "Nickname,Name\nAce,Ann\nBee,Bob\n"
    assert names(tmp_path, text) == ["Ann", "Bob"]
    assert remarks(tmp_path, text) == ["names.csv: columns not used: Nickname"]


@pytest.mark.parametrize("sign", "，；、")
def test_wide_delimiters_separate_cells(tmp_path: Path, sign: str) -> None:
    text = "番号,氏名,所属\n１,鈴木　一郎,東京\n２,佐藤　花子,\n".replace(",", sign)
    assert players(tmp_path, text) == [Entrant("鈴木 一郎", "東京"), Entrant("佐藤 花子")]


@pytest.mark.parametrize(
    "heads",
    ["お名前（漢字）,お名前（カナ）", "氏名,氏名（カナ）", "お名前,お名前（ふりがな）", "氏名（漢字）,氏名(ローマ字)",
     "Name,Name (kana)", "名前,氏名（フリガナ）", "お名前（漢字）,お名前 [よみ]"],
)  # fmt: skip
def test_the_reading_of_a_name_is_another_column(tmp_path: Path, heads: str) -> None:
    """`氏名,氏名（カナ）` was refused, because the column for names appeared twice."""
    text = f"{heads},学年\n佐藤太郎,サトウ,3\n鈴木次郎,スズキ,2\n"
    assert names(tmp_path, text) == ["佐藤太郎", "鈴木次郎"]
    assert names(tmp_path, "氏名（カナ）,学年\nサトウ,3\nスズキ,2\n") == ["サトウ", "スズキ"]
    assert names(tmp_path, "姓,名,姓（カナ）,名（カナ）\n佐藤,太,サ,タ\n鈴木,次,ス,ジ\n") == ["佐藤 太", "鈴木 次"]


def test_two_columns_for_names_are_listed(tmp_path: Path) -> None:
    (fault,) = refused(tmp_path, "Player,Name\nAce,Ann\nBee,Bob\n")
    assert fault == (
        "names.csv:1: the column name appears twice (these headings have the same meaning: Player, Name; keep only "
        "one of these columns)"
    )


@pytest.mark.parametrize("sign", ["〃", "同上", "ditto", "Ditto", "″", "do.", "〃 "])
def test_a_ditto_mark_is_the_team_of_the_row_above(tmp_path: Path, sign: str) -> None:
    found = players(tmp_path, f"氏名,チーム\nAnn,Oak\nBob,{sign}\nCy,{sign}\nDee,\n")
    assert [one.team for one in found] == ["Oak", "Oak", "Oak", ""]
    (fault,) = refused(tmp_path, f"氏名,チーム\nAnn,\nBob,{sign}\n")
    assert fault.startswith(f"names.csv:3: “{sign.strip()}” is not a team (write the team in this row")


def test_a_row_with_another_separator_is_refused(tmp_path: Path) -> None:
    (fault,) = refused(tmp_path, "Name;Team\nAnn Alder,Oak\nBob;Elm\nCy\n")
    assert fault.startswith("names.csv:2: “Ann Alder,Oak” has another separator than the headings")
    assert names(tmp_path, "Participant;Team\nAlder, Ann;Oak\nBob;Elm\nCy\n") == ["Alder, Ann", "Bob", "Cy"]


@pytest.mark.parametrize("encoding", ["cp932", "euc_jp", "iso2022_jp"])
@pytest.mark.parametrize(
    "text",
    [
        "氏名,所属\n佐藤太郎,東\n鈴木次郎,西\n",
        "氏名,参加日\n佐藤太郎,両日\n鈴木次郎,２日\n",
        "番号,お名前,備考\n1,佐藤太郎,※昼食\n2,鈴木次郎,（株）\n",
    ],
)
def test_known_headings_decide_the_encoding(tmp_path: Path, text: str, encoding: str) -> None:
    """Short lists in cp932 with Muster's own headings were refused as uncertain."""
    assert names(tmp_path, text.encode(encoding)) == ["佐藤太郎", "鈴木次郎"]
    assert f"was read as {encoding}" in remarks(tmp_path, text.encode(encoding))[0]


def test_the_markup_of_names_in_markdown_is_removed(tmp_path: Path) -> None:
    text = "| # | Player |\n|---|---|\n| 1 | **Ann** |\n| 2 | [Bob](https://x.y) |\n| 3 | C \\| D |\n"
    assert names(tmp_path, text) == ["Ann", "Bob", "C | D"]
    assert names(tmp_path, text + "| 4 | ~~Eve~~ |\n", "seat") == ["Ann", "Bob", "C | D", "Eve"]


def test_a_heading_lets_any_name_in(tmp_path: Path) -> None:
    made = ["Ann – the Brave", "Bob: Elm", "Cy v Dee", "Table 12", "Group 1-1"]
    assert names(tmp_path, "\n".join(["name", *made])) == made
    assert names(tmp_path, "Guest 1\nGuest 2\nJean-Luc Bob\n") == ["Guest 1", "Guest 2", "Jean-Luc Bob"]
    assert names(tmp_path, "Guest 1\nGuest 2\n") == ["Guest 1", "Guest 2"]


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        (
            "Name,Notes\nAnn,brings a cake\nBob,dropped out after round 1\nCy,\n",
            "Notes is “dropped out after round 1”",
        ),
        ("Name,Remarks\nAnn,\nBob,Withdrawn\nCy,vegetarian\n", "Remarks is “Withdrawn”"),
        ("Ann\nBob (late)\nCy\n", "“Bob (late)”"),
        ("Ann\nBob（途中参加・2回戦から）\nCy\n", "“Bob（途中参加・2回戦から）”"),
        ("Ann\nBob 途中棄権\nCy\n", "“Bob 途中棄権”"),
        ("Name,備考\nAnn,\nBob,2回戦から参加\nCy,\n", "備考 is “2回戦から参加”"),
        ("Name,備考\nAnn,\nBob,行けなくなりました\nCy,\n", "備考 is “行けなくなりました”"),
        ("お名前,参加しますか？\nAnn,はい\nBob,いいえ\nCy,はい\n", "参加しますか？ is “いいえ”"),
        ("Your name,Can you make it?\nAnn,Yes\nBob,Maybe\nCy,Yes\n", "Can you make it? is “Maybe”"),
        ("Name;Abgesagt\nAnn;\nBob;x\nCy;\n", "Abgesagt is “x”"),
        ("Name,Withdrawn after round\nAnn,\nBob,1\nCy,\n", "Withdrawn after round is “1”"),
        ("氏名,備考\nAnn,\nBob,急用で欠席\nCy,\n", "備考 is “急用で欠席”"),
        ("Name,Comment\nAnn,\nBob,can’t come\nCy,\n", "Comment is “can’t come”"),
        ("Name,\nAnn,\nBob,no show\nCy,\n", "column 2 is “no show”"),
        ("Name,Team\nAnn,Oak\nBob,dropped\nCy,Oak\n", "Team is “dropped”"),
        ("Ann\nBob (withdrawn)\nCy\n", "“Bob (withdrawn)”"),
        ("Ann\nBob - 欠席\nCy\n", "“Bob - 欠席”"),
        ("Ann\n~~Bob~~\nCy\n", "“~~Bob~~”"),
    ],
)
def test_a_remark_that_a_player_is_not_here_is_asked_about(tmp_path: Path, text: str, mark: str) -> None:
    (fault,) = refused(tmp_path, text)
    assert fault.startswith("names.csv:") and f"is marked as absent or late: {mark} (add --absent skip" in fault
    assert names(tmp_path, text, "skip") == ["Ann", "Cy"]
    assert len(names(tmp_path, text, "seat")) == 3


ABSENT_REMARKS = [
    *["CXL 12/10", "no longer coming", "unable to attend", "I have to withdraw", "refunded", "injured", "ill", "W/D"],
    *[
        "replaced by Zoe",
        "can only make the afternoon",
        "leaves after round 2",
        "will miss round 1",
        "R2 on",
        "ab Runde 2",
    ],
    *[
        "取りやめ",
        "今回は見合わせます",
        "ドタキャン",
        "休み",
        "途中で帰ります",
        "2回戦で抜けます",
        "代理が出ます",
        "途中退出",
    ],
    *["参加不可", "行けたら行く", "1日目のみ", "仮登録"],
]


@pytest.mark.parametrize("remark", ABSENT_REMARKS)
def test_remarks_that_mean_an_absence(tmp_path: Path, remark: str) -> None:
    for text in ("Name,Notes\nAnn,\nBob,{}\nCy,\n", "Ann\nBob ({})\nCy\n", "name\nAnn\nBob（{}）\nCy\n"):
        (fault,) = refused(tmp_path, text.format(remark))
        assert "is marked as absent or late: " in fault


@pytest.mark.parametrize("note", ["W", "WD", "X", "×", "仮", "不可", "休", "?", "maybe", "TBC", "未定", "来週のみ"])
def test_short_notes_after_a_name(tmp_path: Path, note: str) -> None:
    (fault,) = refused(tmp_path, f"Ann\nBob [{note}]\nCy\n")
    assert fault.startswith(f"names.csv:2: Bob [{note}] is marked as absent or late")
    assert names(tmp_path, "Ann\nBob (she/her)\nCy (Oak)\n田中（東）\n")[1:] == [
        "Bob (she/her)",
        "Cy (Oak)",
        "田中（東）",
    ]


def test_unclear_remarks_beside_an_absence_are_asked_about(tmp_path: Path) -> None:
    """`--absent skip` seated players whose remark was not understood, next to players whose remark was."""
    text = "Name,Notes\nAnn,brings cake\nBob,withdrawn\nCy,see mail\nDee,\nEve,参加費 済\nFlo,no\nGus,5\n"
    first, second = refused(tmp_path, text)
    assert first.startswith("names.csv:3: Bob is marked as absent or late: Notes is “withdrawn”")
    assert second.startswith("names.csv:4: it is unclear whether Cy plays: Notes is “see mail” (delete the remark if")
    assert names(tmp_path, text, "skip") == ["Ann", "Dee", "Eve", "Flo", "Gus"]
    assert len(names(tmp_path, text.replace("withdrawn", "hello"))) == 7
    (fault,) = refused(tmp_path, "氏名,備考\n佐藤,\n鈴木,×\n高橋,\n")
    assert fault.startswith("names.csv:3: it is unclear whether 鈴木 plays: 備考 is “×”")
    clubs = "Name,Club\nAnn,The Dropped Dice\nBob,Oak\nCy,Elm\n"
    (fault,) = refused(tmp_path, clubs)
    assert "Ann is marked" in fault
    assert names(tmp_path, "Name,写真\n佐藤,不可\n鈴木,可\n高橋,可\n") == ["佐藤", "鈴木", "高橋"]


def test_other_remarks_are_not_asked_about(tmp_path: Path) -> None:
    text = "Name,Notes\nAnn,left-handed\nBob,plays out of Oslo\nCy,eavesdropped on the draw\n"
    assert names(tmp_path, text) == ["Ann", "Bob", "Cy"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("姓,名\n佐藤,太郎\n鈴木,花子\n", ["佐藤 太郎", "鈴木 花子"]),
        ("名,姓\n太郎,佐藤\n花子,鈴木\n", ["佐藤 太郎", "鈴木 花子"]),
        ("First Name,Last Name\n太郎,佐藤\nAnn,Alder\n", ["佐藤 太郎", "Ann Alder"]),
        ("姓,名\nSato,Taro\nSuzuki,\n", ["Sato Taro", "Suzuki"]),
        ("Vezetéknév;Keresztnév\nNagy;Éva\nKiss;Pál\n", ["Nagy Éva", "Kiss Pál"]),
        ("name\nAlder, Ann\nBirch, Bob\n", ["Alder, Ann", "Birch, Bob"]),
        ('"Alder, Ann"\n"Birch, Bob"\n', ["Alder, Ann", "Birch, Bob"]),
        ("1. Ann\n2. 3rd Army\n", ["Ann", "3rd Army"]),
        ("Dr. Ann\nMr. Bob\n", ["Dr. Ann", "Mr. Bob"]),
        ("#1\n#2\n", ["#1", "#2"]),
        ("Bot 2000\nBot 2001\n", ["Bot 2000", "Bot 2001"]),
        ("name\nOpen Cup\n\nAnn\nBob\nCy\n", ["Open Cup", "Ann", "Bob", "Cy"]),
    ],
)
def test_names_and_their_order(tmp_path: Path, text: str, found: list[str]) -> None:
    assert names(tmp_path, text) == found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Participants of the Autumn Cup\nAnn\nBob\n", "names.csv:1: “Participants of the Autumn Cup” looks like"),
        ("Autumn Cup\n\nAnn\nBob\nCy\n", "names.csv:1: “Autumn Cup” looks like a title"),
        ("Autumn Cup\nAnn\nBob\n", "names.csv:1: “Autumn Cup” looks like a title"),
        ("# Autumn\nAnn\nBob\n", "names.csv:1: “# Autumn” looks like a title"),
        ("Autumn 2026\nAnn\nBob\n", "names.csv:1: “Autumn 2026” looks like a title"),
        ("秋の大会\n佐藤\n鈴木\n", "names.csv:1: “秋の大会” looks like a title"),
        ("1. Ann\n2. Bob\nCy\n", "names.csv:1: “1. Ann” looks like a line of a numbered list (number"),
        ("- [x] Ann\n- [ ] Bob\n", "names.csv:1: this is a checklist"),
        ("☑ Ann\n☐ Bob\n", "names.csv:1: this is a checklist"),
        ("Ann <ann@example.org>\nBob\n", "names.csv:1: “Ann <ann@example.org>” contains an e-mail address"),
        ("Ann; Bob; Cy\n", "names.csv:1: this line has 3 cells, but the file has no column headings"),
        ("Alder, Ann\nBirch, Bob\n", "names.csv:1: this line has 2 cells, but the file has no column headings"),
        ("Ann\tOak\nBob\tElm\n", "names.csv:1: this line has 2 cells, but the file has no column headings (begin the "
         "list with a line of the headings name and team, separated by a tab)"),
        ("| Ann | Oak |\n| Bob | Elm |\n", "names.csv:1: this line has 2 cells, but the file has no column headings"),
        ("name\nAnn,Oak\nBob\n", "names.csv:2: the number of cells in this row is 2, but the number of columns is 1"),
        ("round,player_a,player_b\n1,Ann,Bob\n", "names.csv:1: this is a table of pairings or results"),
        (
            "Ann\nBob\nANN\n",
            "names.csv:3: ANN appears twice (the name is already in line 1; if two players have the same name, "
            "write the names differently)",
        ),
        ("From: Ann\nTo: Bob\nSubject: Cup\n\nAnn\nBob\n", "names.csv: this is an e-mail"),
        ("<!DOCTYPE html><table><tr><td>Ann</td></tr></table>", "names.csv: this is a table of a web page (HTML)"),
        ('[{"name": "Ann"}, {"name": "Bob"}]', "names.csv: this is a JSON file (copy the names into a text file"),
        ('name = "Cup"\ngame = "x"\ncode = "y"\nplayers = [\n]\n', "names.csv: this is the record of an event"),
        ("BEGIN:VCARD\nFN:Ann\nEND:VCARD\n", "names.csv: this is a file of contacts"),
        (b"%PDF-1.7\n%\xe2\xe3", "names.csv: this is a PDF file"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "names.csv: this is an old Excel or Word file"),
        (b"{\\rtf1 Ann}", "names.csv: this is an RTF document"),
        (b"", "names.csv: is empty"),
        (b"name,team\n", "names.csv: number of players: 0"),
        (b",,,\n;;\n---\n|||\n", "names.csv:3: “---” looks like a title"),
        (b",,,\n", "names.csv: is empty"),
        (b"Ann\nBo\0b\n", "names.csv:2: contains the invisible character U+0000"),
    ],
)  # fmt: skip
def test_what_is_refused_by_kind(tmp_path: Path, text: str | bytes, expected: str) -> None:
    assert refused(tmp_path, text)[0].startswith(expected)


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ("xl/workbook.xml", "an Excel workbook (.xlsx)"),
        ("word/document.xml", "a Word document (.docx)"),
        ("mimetype", "an OpenDocument spreadsheet (.ods)"),
        ("a.txt", "a ZIP archive"),
    ],
)
def test_archives_are_named_by_what_is_in_them(tmp_path: Path, entry: str, expected: str) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(entry, "application/vnd.oasis.opendocument.spreadsheet")
    assert refused(tmp_path, out.getvalue())[0].startswith(f"names.csv: this is {expected}")
    assert refused(tmp_path, out.getvalue()[:60])[0].startswith("names.csv: this is a ZIP archive")


def test_names_from_a_mac_are_compared_in_nfc(tmp_path: Path) -> None:
    text = unicodedata.normalize("NFD", "Renée\nガク\nBob\n")
    assert names(tmp_path, text) == ["Renée", "ガク", "Bob"]
    message = refused(tmp_path, text + "Renée\n")
    assert message == [
        "names.csv:4: Renée appears twice (the name is already in line 1; if two players have the same name, "
        "write the names differently)"
    ]


def test_hundreds_of_names_called_like_headings_are_names(tmp_path: Path) -> None:
    many = [f"Player{n:03}x" for n in range(30)]
    assert names(tmp_path, "\n".join([*many, "Nome", "Zed"]))[-2:] == ["Nome", "Zed"]


ABSENCES = [
    ("Name,Checked In\nAnn,TRUE\nBob,FALSE\nCy,yes\n", ["Bob: Checked In is “FALSE”"]),
    ("Name,Checked in?\nAnn,y\nBob,n\n", ["Bob: Checked in? is “n”"]),
    ("Name (club),Dropped [y/n]\nAnn,n\nBob,y\n", ["Bob: Dropped [y/n] is “y”"]),
    ("選手,棄権？\n佐藤,\n鈴木,○\n", ["鈴木: 棄権？ is “○”"]),
    ("Name,Active\nAnn,1\nBob,0\n", ["Bob: Active is “0”"]),
    ("Name,Drop round\nAnn,\nBob,2\n", ["Bob: Drop round is “2”"]),
    ("Name,Dropped\nAnn,\nBob,yes\nCy,no\nDee,R2\n", ["Bob: Dropped is “yes”", "Dee: Dropped is “R2”"]),
    ("氏名,受付\n佐藤,○\n鈴木,\n高橋,済\n", ["鈴木: 受付 is empty"]),
    ("氏名,出欠\n佐藤,○\n鈴木,欠席\n高橋,×\n", ["鈴木: 出欠 is “欠席”", "高橋: 出欠 is “×”"]),
    ("氏名,棄権\n佐藤,\n鈴木,棄権\n", ["鈴木: 棄権 is “棄権”"]),
    ("Name;Abgemeldet;Anwesend\nAnn;;ja\nBob;x;ja\nCy;;nein\n", ["Bob: Abgemeldet is “x”", "Cy: Anwesend is “nein”"]),
    ("Nom;Présent\nAnn;oui\nBob;non\n", ["Bob: Présent is “non”"]),
    ("Name,Status\nAnn,registered\nBob,withdrawn\nCy,active\n", ["Bob: Status is “withdrawn”"]),
    ("| Name | Absent |\n|---|---|\n| Ann | |\n| Bob | ✓ |\n", ["Bob: Absent is “✓”"]),
]


@pytest.mark.parametrize(("text", "away"), ABSENCES)
def test_players_who_are_not_here_are_never_seated_unasked(tmp_path: Path, text: str, away: list[str]) -> None:
    message = refused(tmp_path, text)
    expected = [
        f"{one.split(': ')[1].removesuffix(' is marked as absent or late')}: {one.split(': ')[2].split(' (')[0]}"
        for one in message
    ]
    assert expected == away
    assert all("--absent skip" in one and "--absent seat" in one for one in message)
    gone = [one.split(":")[0] for one in away]
    everyone = [row["name"] for row in read(tmp_path / "names.csv").rows]
    for absent, there in (("skip", [name for name in everyone if name not in gone]), ("seat", everyone)):
        if len(there) > 1:
            assert names(tmp_path, text, "skip" if absent == "skip" else "seat") == there


@pytest.mark.parametrize("head", ["参加", "Attending", "Status", "出欠"])
def test_only_clear_answers_seat_a_player_unasked(tmp_path: Path, head: str) -> None:
    """`欠席します` in a column 参加 seated the player."""
    here = ["○", "yes", "Yes, with Bob", "Registered on 3 May", "in", "Paid", "参加します", "はい、参加します", "👍"]
    away = ["欠席します", "遅刻", "行けません", "途中参加", "午後から", "当日決めます"]
    away += ["can't come", "late", "from round 2", "sick", "maybe later", "Waitlist", "Reserve", "No, sorry", "yes?"]
    away += ["Cy will arrive for round 3", "out"]
    unclear = ["pending", "dunno", "in doubt", "2"]
    cells = [*here, *away, *unclear]
    text = f"Name,{head}\n" + "".join(f'P{n}x,"{cell}"\n' for n, cell in enumerate(cells, 2))
    message = refused(tmp_path, text)
    assert [int(one.split(":")[1]) for one in message] == list(range(2 + len(here), 2 + len(cells)))
    assert [one.split(" (")[0].split(": ", 1)[1] for one in message[-len(unclear) :]] == [
        f"it is unclear whether P{n}x plays: {head} is “{cell}”" for n, cell in enumerate(cells, 2) if cell in unclear
    ]
    assert len(names(tmp_path, text, "skip")) == len(here) and len(names(tmp_path, text, "seat")) == len(cells)


def test_a_column_of_statuses_may_be_about_something_else(tmp_path: Path) -> None:
    text = "Name,State\nAnn,CA\nBob,NY\n"
    assert names(tmp_path, text) == ["Ann", "Bob"]
    assert remarks(tmp_path, text) == ["names.csv: columns not used: State"]
    assert names(tmp_path, "Name,Checked In\nAnn,10:05\nBob,2026-05-03 09:58\n") == ["Ann", "Bob"]


def test_columns_without_marks_cause_no_question(tmp_path: Path) -> None:
    assert names(tmp_path, "Name,Dropped,Checked In\nAnn,no,1\nBob,,TRUE\n") == ["Ann", "Bob"]
    assert names(tmp_path, "Name,Checked In\nAnn,\nBob,\n") == ["Ann", "Bob"]
    assert remarks(tmp_path, "Name,Checked In\nAnn,\nBob,\n") == ["names.csv: columns not used: Checked In"]


def test_what_was_not_read_is_reported_once(tmp_path: Path) -> None:
    text = "Cup\nName,Faction,Team,,E-mail\nAnn,Elves,Oak,x,a@example.org\nBob,Orcs,,,\n"
    assert remarks(tmp_path, text) == [
        "names.csv:2: these are the headings; the lines above were ignored: Cup",
        "names.csv: columns not used: Faction, E-mail, column 4, which has no heading",
    ]
    assert remarks(tmp_path, "Name\nRenée\nBjörn\n".encode("cp1252")) == [
        "names.csv was read as cp1252; to choose another encoding, add --encoding"
    ]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("Ann,Reds\nBob,Blues\nName,Team\nSam,Reds\nTom,Blues\n", [1, 2]),
        ("氏名,所属\n".join(("佐藤,赤\n", "鈴木,白\n高橋,赤\n")), [1]),
        ("Ann,\nBob,\nName,Team\nSam,\nTom,\n", [1, 2]),
        ("Tom\nSam\nName\nBob\nAnn\nAl\n", [1, 2]),
        ("Ann\nBob\nName\nSam\n", [3]),
    ],
)
def test_players_above_the_headings_are_refused(tmp_path: Path, text: str, lines: list[int]) -> None:
    """If a list is sorted together with its headings, the rows above them are players, and were ignored."""
    assert [int(fault.split(":")[1]) for fault in refused(tmp_path, text)] == lines


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("Name,Team\nAnn,Oak\n#N/A,\n", "Name contains '#N/A'"),
        ("Name,Team\nAnn,Oak\nBob,#REF!\n", "Team contains '#REF!'"),
        ("Name,Status\nAnn,here\nBob,#WERT!\n", "Status contains '#WERT!'"),
        ("Name,Dropped\nAnn,no\nBob,=A2\n", "Dropped contains '=A2'"),
        ("Name,Remark\nAnn,dropped out\nBob,Err:502\n", "Remark contains 'Err:502'"),
        ("First name,Last name\nAnn,Alder\nBob,#NAME?\n", "Last name contains '#NAME?'"),
        ("Ann\nBob Birch\n#N/A\n", "name contains '#N/A'"),
    ],
)
def test_errors_of_formulas_are_refused(tmp_path: Path, text: str, column: str) -> None:
    """A spreadsheet saves errors in a CSV file as text. A player called `#N/A` was seated."""
    (fault,) = refused(tmp_path, text)
    assert fault.startswith(f"names.csv:3: {column} instead of the value of a formula")


MARKED = [
    "×鈴木", "○佐藤", "△田中", "× 鈴木", "?Ann", "佐藤？", "Ann?", "佐藤 ×", "Ann ✓",
]  # fmt: skip
GONE = [
    "欠 鈴木", "欠席 佐藤", "【欠】鈴木", "【欠席】佐藤", "（欠席）佐藤", "[欠]佐藤", "(late) Ann", "[late] Ann",
    "LATE Ann", "DROPPED Ann", "佐藤 ※欠席", "佐藤※欠席", "佐藤 ※遅刻", "佐藤→欠席", "佐藤⇒欠席", "佐藤＝欠席",
    "佐藤 …欠席", "佐藤さん欠席", "佐藤 欠", "佐藤 休", "佐藤 途中参加", "佐藤 2回戦から", "佐藤 ２Rから",
    "佐藤 午後から", "Ann late", "Ann OUT", "Ann maybe", "Ann => out", "Ann ... late", "Ann R2", "佐藤【欠席】",
    "佐藤欠席", "Ann # out", "Ann # late",
]  # fmt: skip
ORDINARY = [
    "Late Riser", "Ann Late", "Bob Out", "Peter Sick", "Jo Ill", "欠田 太郎", "Guest #2", "Maybe Baby", "君島 誠",
    "様似 太郎", "氏家 健", "太郎君", "R2-D2", "Mike V2", "Malcolm X", "夏休み", "Will Outlaw", "Ann (Oak)",
]  # fmt: skip


@pytest.mark.parametrize("head", ["", "氏名\n"])
@pytest.mark.parametrize("name", MARKED)
def test_marks_before_and_after_a_name_are_refused(tmp_path: Path, head: str, name: str) -> None:
    """The mark became a part of the name, and the absent player was seated."""
    (fault,) = refused(tmp_path, f"{head}高橋\n{name}\nZed Zorn\n")
    assert f"“{name}” looks like a name and a mark (keep only the name" in fault


@pytest.mark.parametrize("head", ["", "name\n"])
@pytest.mark.parametrize("name", GONE)
def test_remarks_before_and_after_a_name_are_asked_about(tmp_path: Path, head: str, name: str) -> None:
    text = f"{head}高橋\n{name}\nZed Zorn\n"
    (fault,) = refused(tmp_path, text)
    assert "is marked as absent or late" in fault
    assert names(tmp_path, text, "skip") == ["高橋", "Zed Zorn"]


@pytest.mark.parametrize("head", ["", "name\n"])
def test_names_that_contain_words_of_remarks_are_names(tmp_path: Path, head: str) -> None:
    assert names(tmp_path, head + "\n".join(ORDINARY)) == ORDINARY


@pytest.mark.parametrize(
    "name", ["x Bob", "Bob x", "Bob # vegan", "Ann + 1 guest", "Ann plus one", "Ann (and guest)"]
)
def test_other_remarks_in_a_list_without_headings_are_refused(tmp_path: Path, name: str) -> None:
    (fault,) = refused(tmp_path, f"Cy\n{name}\nZed\n")
    assert fault.startswith(f"names.csv:2: “{name}” looks like ")


def test_a_comment_in_a_yaml_list_is_asked_about(tmp_path: Path) -> None:
    (fault,) = refused(tmp_path, "players:\n- Ann # out\n- Bob\n")
    assert fault.startswith("names.csv:2: Ann # out is marked as absent")


@pytest.mark.parametrize(
    ("head", "here", "away"),
    [
        ("1回戦", "○", "×"), ("第２ラウンド", "○", ""), ("午前", "", "×"), ("10/1", "○", "×"),
        ("10月1日(土)", "〇", "△"), ("土曜", "○", "×"), ("2日目", "", "不可"),
        ("Attending Saturday?", "yes", "no"), ("Day 2", "✓", ""),
        ("Are you coming on Sunday?", "Yes", "maybe"), ("R3", "", "-"), ("afternoon", "yes", "No"),
        ("Arrives", "10:00", "round 2"), ("From", "Oslo", "R2"), ("Rounds", "1-3", "2-3"), ("Bye R1", "no", "yes"),
    ],
)  # fmt: skip
def test_players_who_miss_a_round_or_a_day_are_asked_about(tmp_path: Path, head: str, here: str, away: str) -> None:
    """The column was reported as not used, and the player was seated in every round."""
    text = f"Name,{head}\nAnn,{here}\nBob,{away}\nCy,{here}\n"
    (fault,) = refused(tmp_path, text)
    assert fault.startswith("names.csv:3: Bob is marked as absent or late: ")
    assert names(tmp_path, text, "skip") == ["Ann", "Cy"]


@pytest.mark.parametrize(
    "text",
    [
        "Name,From\nAnn,Oslo\nBob,Bergen\n",
        "Name,Lunch Saturday?\nAnn,yes\nBob,no\n",
        "Name,Round 1\nAnn,3\nBob,0\n",
        "Name,Rounds\nAnn,3\nBob,12\n",
        "Name,Sunday\nAnn,\nBob,\n",
        "Name,Born\nAnn,10/1\nBob,-\n",
    ],
)
def test_similar_columns_do_not_concern_attendance(tmp_path: Path, text: str) -> None:
    assert names(tmp_path, text) == ["Ann", "Bob"]


def test_titles_above_the_headings_are_listed(tmp_path: Path) -> None:
    text = "Our evening\nSpring Cup,Hall B\n,3 May 2026\nName,Team\nSam,\nTom,\nAnn,\n"
    assert names(tmp_path, text) == ["Sam", "Tom", "Ann"]
    ignored = "the lines above were ignored: Our evening, Spring Cup, Hall B, 3 May 2026"
    assert remarks(tmp_path, text) == [f"names.csv:4: these are the headings; {ignored}"]


def test_tables_of_other_files_have_titles_and_bars_too(tmp_path: Path) -> None:
    file = tmp_path / "pairings.csv"
    file.write_text("Cup\nRound 1 of 3\n\n| Round | A | B | Army |\n|---|---|---|---|\n| 1 | Ann | Bob | Elves |\n")
    table = read_table(file, ("round", "player_a", "player_b"))
    assert ([row["player_a"] for row in table.rows], table.ignored) == (["Ann"], ("Army",))
    file.write_text("001    1      Ann" + " " * 70 + "\n012 Cup\n")
    with pytest.raises(DataError, match="this is a TRF16 file"):
        read_table(file, ("round", "player_a", "player_b"))
