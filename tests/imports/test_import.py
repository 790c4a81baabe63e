"""Tests of `muster import` with files of other programs: what each becomes, and which lines are left out."""

from __future__ import annotations

import base64
import csv
import io
import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from generator import games
from generator.common.map_import import ForeignHex, ForeignMap
from generator.notation.foreign import recognise
from tests.cli.run import muster
from tests.imports.make_workbooks import PLAYERS, ods, table_rows, xlsx

HERE = Path(__file__).parent
KINDS = {
    "hills.tmx": "tiled", "fens.tmj": "tiled", "valley.tmx": "tiled", "town.board": "board",
    "bocage.json": "hexagons", "march.txt": "hex_list", "form.csv": "", "chat.md": "", "wiki.html": "web_table",
    "open.trf": "trf", "shop.csv": "",
}  # fmt: skip


def imported(name: str | Path, *options: str | Path) -> Any:
    return muster("import", HERE / name, *options, "--json").json


def written(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text("utf-8"))


def messages(answer: Any, key: str) -> list[tuple[int, str]]:
    return [(of["line"], of["message"]) for of in answer[key]]


def rows_of(path: Path) -> list[list[str]]:
    return list(csv.reader(io.StringIO(path.read_text("utf-8-sig"))))


@pytest.mark.parametrize("name", KINDS)
def test_files_are_recognised_by_their_content(name: str, tmp_path: Path) -> None:
    content = (HERE / name).read_bytes()
    found = recognise(content)
    assert (found.kind if found else "") == KINDS[name]
    copy = tmp_path / "unnamed"
    copy.write_bytes(content)
    if name != "valley.tmx":  # Its tiles are in another file in the same folder.
        assert muster("import", copy, "--json").code == muster("import", HERE / name, "--json").code


def test_a_map_of_tiled_with_names_in_properties_and_classes(tmp_path: Path) -> None:
    out = tmp_path / "hills.toml"
    open_ = imported("hills.tmx", "--game", "battlelore", "-o", out)
    assert [line for line, _ in messages(open_, "problems")] == [11, 11] and not out.exists()
    assert open_["problems"][0]["hint"].startswith("did you mean forest?")
    answers = ("--terrain", "dark forest=forest", "--terrain", "lava=marsh")
    answer = imported("hills.tmx", "--game", "battlelore", *answers, "-o", out)
    assert messages(answer, "problems") == []
    assert (0, "hexes without terrain in the file: 0") not in messages(answer, "left_out")
    assert (17, "“road” is left out (0,2 1,2)") in messages(answer, "left_out")
    rows = written(out)["rows"].splitlines()
    assert [rows[at].split() for at in (1, 3, 4)] == [
        [".", "f", "f", *"........"],
        [*"....", "h", *"......"],
        [*"...", "h", "h", *"......", "m"],
    ]
    assert muster("data", "check", out).code == 0


def test_an_infinite_map_with_packed_pieces_and_tiles_in_another_file(tmp_path: Path) -> None:
    out = tmp_path / "valley.toml"
    answer = imported("valley.tmx", "--game", "blind_faith", "-o", out)
    assert answer["becomes"][0]["hexes"] == {"clear": 110, "river": 15, "woods": 2, "bridge": 1}
    assert (answer["becomes"][0]["columns"], answer["becomes"][0]["rows"]) == (16, 8)
    assert written(out)["rows"].splitlines()[-1].split() == [*["~"] * 10, "=", *["~"] * 5]
    assert written(out)["rows"].splitlines()[2].split() == [*"..ff", *["."] * 12]


def test_a_map_that_does_not_fit_is_answered_with_the_reason_for_each_game() -> None:
    made = muster("import", HERE / "fens.tmj")
    assert made.code == 3
    assert [line.partition("fens.tmj: ")[2][:30] for line in made.err.splitlines()] == [
        "battlelore: the map has 12 × 2", "battling: the first column of ", "blind_faith: the near row of t",
    ]  # fmt: skip


def test_a_board_of_megamek_becomes_an_arena(tmp_path: Path) -> None:
    out = tmp_path / "town.toml"
    answer = imported("town.board", "--terrain", "woods=building", "--name", "Old Town", "-o", out)
    assert answer["problems"] == [] and answer["becomes"][0]["hexes"] == {"street": 268, "building": 4}
    values = written(out)
    assert values["name"] == {"en": "Old Town", "ja": "Old Town"} and values["size"] == {"columns": 16, "rows": 17}
    assert [line[:4] for line in values["buildings"].split("\n") if line] == ["0202", "0505", "0605", "1012"]
    left = messages(answer, "left_out")
    assert (3, "“option exit_roads_to_pavement false” is left out") in left
    assert (73, "“bldg_elev:2” is left out (0505 0605)") in left
    arena = games.load("battling").content_types[0].read
    assert muster("draw", "battling", "--arena", out, "-o", tmp_path / "s.toml").code == 0 and arena


def test_the_terrain_of_a_memoir_scenario(tmp_path: Path) -> None:
    out = tmp_path / "bocage.toml"
    answer = imported("bocage.json", "--game", "call_to_arms", "--terrain", "hedgerow=forest", "-o", out)
    values = written(out)
    assert values["name"]["en"] == "Bocage at dawn" and values["profile"] == "memoir"
    rows = [line.split() for line in values["rows"].splitlines()]
    assert (rows[0][0], rows[1][2], rows[7][11], rows[8][12]) == ("f", "f", "h", "L")
    assert rows[4] == [*"...", *["~"] * 5, "=", *"...."]
    # Row 7 of the file is the second row from the near edge, and row 3 is the sixth.
    assert values["features"] == {"L2": "rampart", "D6": "stakes"}
    pieces = [text for _, text in messages(answer, "left_out") if "piece" in text]
    assert pieces == [f"{place}: “{name}” is a piece and is left out" for place, name in
                      (("5,1", "inf_ger"), ("23,7", "arm_us"), ("24,8", "medal5"))]  # fmt: skip
    assert muster("draw", "call_to_arms", "--map", out, "-o", tmp_path / "s.toml").code == 0


def test_a_list_of_hexes_with_labels(tmp_path: Path) -> None:
    out = tmp_path / "march.toml"
    answer = imported("march.txt", "--game", "blind_faith", "--terrain", "dust-storm=rough", "-o", out)
    assert answer["problems"] == [] and answer["becomes"][0]["turned"] == 90
    places = written(out)["places"]
    # The columns of the list are the rows of the map. Its first column becomes the near row.
    assert {cell: (of["kind"], of["name"]["en"]) for cell, of in places.items()} == {
        "B2": ("town", "Oaktown Inn"), "D2": ("castle", "Keep of the very long an"), "B3": ("town", "Ford"),
        "F5": ("castle", "Last Hold"),
    }  # fmt: skip
    assert {(18, "“0201-0302 trail \"Mule Path\"” is a line between hexes and is left out"),
            (6, "“light-green” is left out (0103)"), (5, "the label “Cold Peak” of 0102 is left out"),
            (10, "the label “Keep of the very long and winding name” of 0204 is shortened to "
                 "“Keep of the very long an”"),
            } <= {*messages(answer, "left_out")}  # fmt: skip


def test_labels_on_a_map_of_a_game_without_labels_are_reported(tmp_path: Path) -> None:
    path = tmp_path / "hills.txt"
    rows = [f"{column:02}{row:02} hills" for column in range(1, 10) for row in range(1, 14)]
    hill = rows.index("0305 hills") + 1
    path.write_text("\n".join(rows).replace("0305 hills", '0305 hills "Bald Hill"'), "utf-8")
    answer = imported(path, "--game", "battlelore")
    assert (hill, "the label “Bald Hill” of 0305 is left out") in messages(answer, "left_out")


def test_answers_to_a_form(tmp_path: Path) -> None:
    out = tmp_path / "players.csv"
    answer = imported("form.csv", "-o", out)
    assert rows_of(out) == [["name", "team"], ["Ann Alder", "Oak"], ["Birch, Bob", ""], ["Cy Cedar", "Oak"]]
    assert messages(answer, "problems") == [(5, "Cy Cedar appears twice")]
    assert muster("tournament", "new", "battling", "--players", out, "-o", tmp_path / "ev").code == 0


def test_results_from_a_chat(tmp_path: Path) -> None:
    out = tmp_path / "results.csv"
    answer = imported("chat.md", "-o", out)
    assert answer["kind"] == "results"
    assert messages(answer, "problems") == [(7, "score_b 'x' is not a number from 0 to 9999")]
    assert [line for line, _ in messages(answer, "left_out")] == [1, 9]
    assert rows_of(out)[1:] == [["1", "Ann Alder", "Bob Birch", "5", "3"], ["1", "Cy Cedar", "Dee Dogwood", "2", "2"]]
    standings = muster("tournament", "standings", out, "--json").json["standings"]
    assert {row["player"]: row["points"] for row in standings}["Ann Alder"] == 2


def test_a_table_of_a_web_page(tmp_path: Path) -> None:
    out = tmp_path / "players.csv"
    answer = imported("wiki.html", "-o", out)
    assert rows_of(out) == [
        ["name", "team", "dropped"], ["Renée Dupont", "Chêne", ""], ["Jörg Müller", "Eiche", "x"],
        ["Ann Alder", "", ""],
    ]  # fmt: skip
    assert answer["becomes"][0]["absent"] == ["Jörg Müller"]
    refused = muster("tournament", "new", "battling", "--players", out, "-o", tmp_path / "ev")
    assert refused.code == 3 and "Jörg Müller is marked as absent or late" in refused.err


def merged_xlsx() -> bytes:
    rows = [
        ("A1", "Cup"),
        ("A2", "Team"),
        ("B2", "Player"),
        ("A4", "Oak"),
        ("B4", "Ann"),
        ("B5", "Bob"),
        ("B6", "Cy"),
    ]
    cells = "".join(
        f'<row r="{at[1]}"><c r="{at}" t="inlineStr"><is><t>{text}</t></is></c></row>' for at, text in rows
    )
    ranges = "".join(f'<mergeCell ref="{of}"/>' for of in ("A1:B1", "A2:A3", "B2:B3", "A4:A5"))
    start = PLAYERS.partition("<row")[0]
    return xlsx(f'{start}{cells}</sheetData><mergeCells count="4">{ranges}</mergeCells></worksheet>')


MERGED_ODS = table_rows(("Team", "Player"), ("Oak", "Ann"), ("", "Bob"), ("", "Cy")).replace(
    'office:value-type="string"><text:p>Oak', 'office:value-type="string" table:number-rows-spanned="2"><text:p>Oak'
)
MERGED_HTML = """<table><tr><th rowspan="2">Team<th rowspan="2">Player<tr>
<tr><td rowspan="2">Oak<td>Ann
<tr><td>Bob
<tr><td colspan="2">Group B
<tr><td><td>Cy</table>"""


@pytest.mark.parametrize("content", [merged_xlsx(), ods(MERGED_ODS), MERGED_HTML.encode()])
def test_merged_cells_count_for_every_row(tmp_path: Path, content: bytes) -> None:
    """Only the first player of a team got the team."""
    file, out = tmp_path / "merged", tmp_path / "o.csv"
    file.write_bytes(content)
    answer = imported(file, "-o", out)
    assert rows_of(out) == [["name", "team"], ["Ann", "Oak"], ["Bob", "Oak"], ["Cy", ""]]
    title = [(4, "“Group B” looks like a title and is left out")] if content.startswith(b"<table") else []
    assert messages(answer, "problems") == title


def test_a_japanese_list_in_an_old_encoding(tmp_path: Path) -> None:
    out = tmp_path / "players.csv"
    answer = imported("shop.csv", "-o", out)
    assert [row[0] for row in rows_of(out)[1:]] == ["佐藤 太郎", "髙橋 花子", "鈴木 一郎"]
    assert any("was read as cp932" in text for _, text in messages(answer, "left_out"))
    assert answer["becomes"][0]["absent"] == ["髙橋 花子"]


def test_a_report_names_the_command_that_takes_it_over(tmp_path: Path) -> None:
    answer = imported("open.trf", "--game", "battling")
    assert answer["becomes"] == [{"kind": "event", "players": 5, "rounds": 3}]
    (command,) = answer["next"]
    assert command == f"muster tournament new battling --from {HERE / 'open.trf'}"
    made = muster(*command.split()[1:], "-o", tmp_path / "ev", "--json").json
    assert (made["event"], made["rounds"], made["games"]) == ("Autumn Open", 5, 1)
    assert muster("tournament", "standings", tmp_path / "ev", "--json").json["standings"][0]["points"] == 5
    assert muster("import", HERE / "open.trf", "-o", tmp_path / "x.csv").code == 2


def test_a_workbook_with_a_title_and_two_name_columns(tmp_path: Path) -> None:
    file, out = tmp_path / "entries", tmp_path / "players.csv"
    file.write_bytes(xlsx())
    answer = imported(file, "-o", out)
    assert answer["what"] == "this is an Excel workbook (.xlsx)"
    assert rows_of(out) == [
        ["name", "team", "dropped"], ["Ann Alder", "3", ""], ["Renée Dupont", "", "x"], ["Cy Cedar", "12", ""],
    ]  # fmt: skip
    assert any("sheets not read: Notes" in text for _, text in messages(answer, "left_out"))
    wrong = muster("import", file, "--sheet", "Entires")
    assert wrong.code == 2 and "did you mean Entries?" in wrong.err


def test_an_opendocument_spreadsheet_of_results(tmp_path: Path) -> None:
    file, out = tmp_path / "league.ods", tmp_path / "results.csv"
    rows = (("Round", "Table", "Player A", "Player B", "Score A", "Score B"), ("1", "1", "Ann", "Bob", "4", "2"),
            ("1", "2", "Cy", "Cy", "1", "1"))  # fmt: skip
    file.write_bytes(ods(table_rows(*rows)))
    answer = imported(file, "-o", out)
    assert messages(answer, "problems") == [(3, "Cy cannot be paired with themselves")]
    assert rows_of(out) == [["round", "table", "player_a", "player_b", "score_a", "score_b"], list(rows[1])]


@pytest.mark.parametrize("name", [name for name, kind in KINDS.items() if kind])
def test_other_commands_name_the_command_that_imports(name: str, tmp_path: Path) -> None:
    file = HERE / name
    for args in (("check", file), ("print", file), ("draw", "call_to_arms", "--map", file), ("data", "check", file)):
        made = muster(*args, "--json")
        assert f"muster import {file}" in made.out, args
    players = muster("tournament", "new", "battling", "--players", file, "-o", tmp_path / "ev")
    if name not in ("open.trf", "march.txt"):  # The names in a report are read as a list of players.
        assert players.code == 3 and f"muster import {file}" in players.err


def test_numbered_members_are_not_hexes(tmp_path: Path) -> None:
    file = tmp_path / "members.txt"
    file.write_text("1001 Ann Alder\n1002 Bob Birch\n1003 Cy Cedar\n")
    assert muster("import", file, "--json").json["kind"] == "players"


def test_own_terrain_names(tmp_path: Path) -> None:
    table, out = tmp_path / "names.toml", tmp_path / "hills.toml"
    assert muster("data", "copy", "house-map-names", "-o", table).code == 0
    text = (
        table.read_text("utf-8")
        .replace("forest = [", 'forest = ["dark forest", ')
        .replace("marsh = [", 'marsh = ["Lava", ')
    )
    table.write_text(text, "utf-8")
    assert muster("data", "check", table).code == 0
    answer = imported("hills.tmx", "--terrain-names", table, "--game", "battlelore", "-o", out)
    assert answer["problems"] == [] and answer["becomes"][0]["hexes"]["forest"] == 3
    wrong = muster("import", HERE / "hills.tmx", "--terrain", "lava=marhs", "--game", "battlelore")
    assert wrong.code == 2 and "did you mean marsh?" in wrong.err


def test_an_answer_that_applies_to_no_hex_is_listed() -> None:
    answers = ("--terrain", "dark forest=forest", "--terrain", "lava=marsh", "--terrain", "Dark-Forrest=hill")
    expected = (0, "--terrain Dark-Forrest=hill is not used, because no hex has this name")
    for game in ((), ("--game", "battlelore")):
        answer = imported("hills.tmx", *game, *answers)
        assert [text for text in messages(answer, "left_out") if "--terrain" in text[1]] == [expected]
        (hint,) = (of["hint"] for of in answer["left_out"] if of["message"] == expected[1])
        assert hint == "did you mean Dark_Forest?"


def test_two_answers_for_a_name_are_refused() -> None:
    made = muster("import", HERE / "hills.tmx", "--terrain", "lava=marsh", "--terrain", "LAVA=hill")
    assert (made.code, made.out) == (2, "")
    assert "--terrain gives two answers for “LAVA”: marsh, hill (omit one of them)" in made.err
    same = muster("import", HERE / "hills.tmx", "--terrain", "lava=marsh", "--terrain", "lava=Marsh")
    assert same.code == 1 and "two answers" not in same.err


def own_names(kind: str, tmp_path: Path, *changes: tuple[str, str]) -> Path:
    """Return a copy of a shipped table of terrain names, in which texts are replaced."""
    table = tmp_path / f"{kind}.toml"
    assert muster("data", "copy", f"house-{kind}-names", "-o", table).code == 0
    text = table.read_text("utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    table.write_text(text, "utf-8")
    return table


def test_a_name_in_two_lists_of_terrain_names_is_refused(tmp_path: Path) -> None:
    table = own_names("map", tmp_path, ("\nhill = [", '\nhill = ["Grass", "FOREST", "road", '))
    made = muster("data", "check", table)
    assert made.code == 1 and [line.partition("toml:")[2] for line in made.out.splitlines()] == [
        "12: left_out[1]: “road” already belongs to map_names.hill (keep the name in only one of the two lists)",
        "17: map_names.hill[1]: “Grass” already belongs to map_names.countryside "
        "(keep the name in only one of the two lists)",
        "17: map_names.hill[2]: “FOREST” already belongs to map_names.forest "
        "(keep the name in only one of the two lists)",
    ]
    used = muster("import", HERE / "hills.tmx", "--terrain-names", table, "--game", "battlelore")
    assert (used.code, used.err) == (3, made.out)


@pytest.mark.parametrize(
    ("kind", "old", "new"),
    [("map", "countryside", "lava"), ("map", "countryside", "stakes"), ("arena", "street", "lava"),
     ("operational", "clear", "lava"), ("operational", "clear", "town")],
)  # fmt: skip
def test_the_terrain_of_empty_hexes_must_be_terrain_of_the_game(
    kind: str, old: str, new: str, tmp_path: Path
) -> None:
    table = own_names(kind, tmp_path, (f'empty = "{old}"', f'empty = "{new}"'))
    made = muster("data", "check", table)
    assert made.code == 1 and f"empty: '{new}' is not valid" in made.out


@pytest.mark.parametrize(
    ("kind", "game", "old", "new"),
    [("map", "battlelore", "countryside", "forest"), ("arena", "battling", "street", "building"),
     ("operational", "blind_faith", "clear", "woods")],
)  # fmt: skip
def test_the_terrain_of_empty_hexes_may_be_chosen(kind: str, game: str, old: str, new: str, tmp_path: Path) -> None:
    table = own_names(kind, tmp_path, (f'empty = "{old}"', f'empty = "{new}"'))
    file, out = tmp_path / "map.tmj", tmp_path / "made.toml"
    text = tiled(layer([1, *[0] * 116]))
    file.write_text(text.replace('"grass"', '"plain"' if kind == "map" else '"grass"'))
    answer = imported(file, "--terrain-names", table, "--game", game, "-o", out)
    hexes = answer["becomes"][0]["hexes"]
    assert hexes == {old: 1, new: hexes[new]}
    values = written(out)
    drawn = values["buildings"].splitlines() if kind == "arena" else values["rows"].replace(".", " ").split()
    assert len([line for line in drawn if line]) == hexes[new]


def test_files_of_muster_are_answered_with_their_own_command(tmp_path: Path) -> None:
    file = tmp_path / "s.toml"
    assert muster("draw", "battling", "-o", file).code == 0
    made = muster("import", file)
    assert made.code == 3 and f"muster check {file}" in made.err


@pytest.mark.parametrize("flat", [False, True])
@pytest.mark.parametrize("size", [(4, 5), (5, 4), (3, 3), (4, 4)])
@pytest.mark.parametrize("second", [False, True])
def test_turning_a_map_keeps_neighbours(flat: bool, size: tuple[int, int], second: bool) -> None:
    columns, rows = size
    hexes = {(c, r): ForeignHex(f"{c},{r}", 0) for c in range(columns) for r in range(rows)}
    whole = ForeignMap("", "", columns, rows, hexes, flat, second)
    pairs = neighbours(whole)
    for quarters in (1, 2, 3, 4):
        assert neighbours(whole.turn(quarters)) == pairs


def neighbours(of: ForeignMap) -> set[frozenset[str]]:
    """Return the pairs of hexes whose centres are one step apart."""
    points = {}
    for (c, r), cell in of.hexes.items():
        across, along = (r, c) if of.flat else (c, r)
        shift = (along % 2 == 1) == of.second_shifted
        points[cell.place] = 2 * across + shift, along
    return {
        frozenset((a, b))
        for a, (x, y) in points.items()
        for b, (u, v) in points.items()
        if (abs(x - u), abs(y - v)) in ((2, 0), (1, 1))
    }


def test_a_file_that_was_asked_for_and_not_written_is_named(tmp_path: Path) -> None:
    """Unknown terrain ended the command without a word on the file of -o."""
    out = tmp_path / "hills.toml"
    done = muster("import", HERE / "hills.tmx", "--game", "battlelore", "-o", out)
    assert (done.code, out.exists()) == (1, False)
    assert done.out.splitlines()[-1] == f"{out} was not written, because of the questions above"


def hexagons(*rows: object, **board: object) -> str:
    return json.dumps({"board": {"type": "STANDARD", "hexagons": [*rows], **board}}, indent=0)


def at(column: object, row: object, **more: object) -> dict[str, object]:
    return {"col": column, "row": row, **more}


def test_values_of_a_hexagon_that_are_not_terrain_are_listed(tmp_path: Path) -> None:
    file = tmp_path / "m44.json"
    rows = [
        at(4, 2, terrain="hill", mystery={"name": "minefield"}), at(10.0, 4, Terrain={"name": "hill"}),
        at(8, 4, terrain=None, obstacle={"name": "wire"}, unit="inf", tags=[]), at(12, 4, terrain=["hill"]),
        at(14, 4, fort={"name": "bunker"}, unit={"badge": "x"}),
    ]  # fmt: skip
    file.write_text(hexagons(*rows, labels=[{"text": "Hill 30"}]))
    answer = imported(file, "--game", "battlelore")
    assert answer["becomes"][0]["hexes"] == {"countryside": 112, "hill": 1, "stakes": 1}
    assert {text for _, text in messages(answer, "left_out")} == {
        '4,2: mystery is left out: {"name": "minefield"}', '10,4: Terrain is left out: {"name": "hill"}',
        "8,4: “inf” is a piece and is left out", '12,4: terrain is left out: ["hill"]',
        '14,4: fort is left out: {"name": "bunker"}', '14,4: unit is left out: {"badge": "x"}',
        "“labels” is left out", "hexes without terrain in the file: 111; they become countryside",
    }  # fmt: skip


def test_a_hexagon_that_cannot_be_placed_is_refused_with_the_reason(tmp_path: Path) -> None:
    file = tmp_path / "m44.json"
    rows = [at(4, 2), at(4, 2.0, terrain="hill"), at("6", 4), at(4.5, 2), {"row": 4}, at(201, 0), at(True, 0), 5]
    file.write_text(hexagons(*rows))
    made = muster("import", file)
    assert made.code == 3
    assert [line.partition("hexagons[")[2] for line in made.err.splitlines()] == [
        "2]: 4,2 is already in line 5, as hexagons[1] (keep only one of the two hexes)",
        '3]: col is not a whole number: "6" (write the number without quotation marks)',
        "4]: col is not a whole number: 4.5",
        "5]: the hexagon has no col",
        "6]: col is not from 0 to 200: 201",
        "7]: col is not a whole number: true",
        '8]: this is not a hexagon, such as {"col": 6, "row": 4}',
    ]


def test_a_line_that_is_on_a_board_twice_is_refused_with_both_lines(tmp_path: Path) -> None:
    file = tmp_path / "town.board"
    text = 'size 16 17\ndescription Old town\nhex 0303 0 "building:2" ""\nhex 0303 0 "" ""\nsize 16 18\nend\n'
    file.write_text(text)
    made = muster("import", file)
    assert made.code == 3 and made.err.splitlines() == [
        f"{file}:4: 0303 is already in line 3 (keep only one of the two lines)",
        f"{file}:5: size is already in line 1 (keep only one of the two lines)",
    ]
    file.write_text(text.replace('hex 0303 0 "" ""\nsize 16 18\n', ""))
    assert (2, "“description Old town” is left out") in messages(imported(file, "--game", "battling"), "left_out")


def tiled(*layers: object, **values: object) -> str:
    tiles = [{"id": 0, "type": "grass"}, {"id": 1, "class": "forest"}]
    return json.dumps(
        {"orientation": "hexagonal", "staggeraxis": "y", "staggerindex": "odd", "tilewidth": 48, "tileheight": 54,
         "width": 13, "height": 9, "layers": layers, "tilesets": [{"firstgid": 1, "name": "t", "tiles": tiles}]}
        | values
    )  # fmt: skip


def layer(data: object, width: int = 13, height: int = 9, **values: object) -> dict[str, object]:
    return {"type": "tilelayer", "name": "G", "width": width, "height": height, "data": data, **values}


GRASS = [1] * 117
PACKED = base64.b64encode(b"".join(n.to_bytes(4, "little") for n in (*GRASS, *[2] * 23))).decode()
LEFT_OUT = {
    "a layer with another row": (
        tiled(layer([*GRASS, *[2] * 13], height=10)),
        "tiles of the layer “G” lie outside the map and are left out (0,9 1,9 2,9 3,9 4,9 5,9 … +7)",
    ),
    "more tiles than hexes": (
        tiled(layer([*GRASS, 2, 2])), "the layer “G” has more than 117 tiles; the others are left out",
    ),
    "more packed tiles than hexes": (
        tiled(layer(PACKED, encoding="base64")), "the layer “G” has more than 117 tiles; the others are left out",
    ),
    "fewer tiles than hexes": (
        tiled(layer(GRASS[1:])), "the layer “G” has 116 of 117 tiles; the others are taken as empty",
    ),
    "a shifted layer": (
        tiled(layer(GRASS, offsetx=48)), "the layer “G” is shifted by 48 × 0 pixels; the shift is left out",
    ),
    "a shifted group": (
        tiled({"type": "group", "name": "all", "offsety": -40.5, "layers": [layer(GRASS, offsetx=0, offsety=0.0)]}),
        "the layer “all” is shifted by 0 × -40.5 pixels; the shift is left out",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", LEFT_OUT)
def test_what_a_map_of_tiled_has_beside_its_hexes_is_listed(name: str, tmp_path: Path) -> None:
    file = tmp_path / "map.tmj"
    content, expected = LEFT_OUT[name]
    file.write_text(content)
    answer = imported(file, "--game", "battlelore")
    assert expected in [text for _, text in messages(answer, "left_out")]
    assert answer["becomes"][0]["hexes"] == {"countryside": 113}


def chunk(x: int, y: int, width: int = 13, height: int = 9, gid: int = 1) -> dict[str, object]:
    return {"x": x, "y": y, "width": width, "height": height, "data": [gid] * (width * height)}


DAMAGED = {
    "no layers": (tiled(layers={}), "the map has no visible layer of tiles"),
    "only a hidden layer": (tiled(layer(GRASS, visible=False)), "the map has no visible layer of tiles"),
    "layers that are not objects": (tiled(None, 5), "layers is not a list of objects"),
    "a tileset that is not an object": (tiled(layer(GRASS), tilesets=[5]), "tilesets is not a list of objects"),
    "a huge width": (tiled(layer(GRASS), width=10**9), "width is too large: 1000000000 (give a map with"),
    "no width": (tiled(layer(GRASS), width=None), "width is missing"),
    "a fraction": (tiled(layer(GRASS), width=13.5), "width is not a whole number: 13.5"),
    "two names of a tile": (
        tiled(layer(GRASS), tilesets=[{"firstgid": 1, "name": "t", "tiles": [{"id": 1, "type": "hill"},
                                                                            {"id": 1, "type": "forest"}]}]),
        "the tile 1 of the tileset “t” has several names: hill, forest (give the tile only one name)",
    ),
    "chunks on the same hexes": (
        tiled(layer([], chunks=[chunk(0, 0), chunk(12, 8, 1, 1, 2)]), infinite=True),
        "the layer “G” has several tiles on the hex 12,8",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", DAMAGED)
def test_a_damaged_map_of_tiled_is_refused_with_the_reason(name: str, tmp_path: Path) -> None:
    file = tmp_path / "map.tmj"
    content, expected = DAMAGED[name]
    file.write_text(content)
    made = muster("import", file)
    assert made.code == 3 and expected in made.err


def test_tiles_in_the_form_of_old_versions_of_tiled(tmp_path: Path) -> None:
    file = tmp_path / "map.tmj"
    tiles = {"0": {"type": "grass"}, "1": {"type": "forest"}}
    file.write_text(tiled(layer([2, *GRASS[1:]]), tilesets=[{"firstgid": 1, "tiles": tiles}]))
    assert imported(file, "--game", "battlelore")["becomes"][0]["hexes"] == {"countryside": 112, "forest": 1}


@pytest.mark.parametrize("left", [-13, -3, -2, 0, 5])
@pytest.mark.parametrize("top", [-4, 0, 2])
def test_an_infinite_map_may_begin_at_any_column(left: int, top: int, tmp_path: Path) -> None:
    file = tmp_path / "map.tmj"
    file.write_text(tiled(layer([], chunks=[chunk(left, top)]), infinite=True))
    (board,) = imported(file, "--game", "battlelore")["becomes"]
    assert (board["columns"], board["rows"], board["hexes"]) == (13, 9, {"countryside": 113})


def test_an_infinite_map_whose_first_row_is_shifted(tmp_path: Path) -> None:
    file = tmp_path / "map.tmj"
    file.write_text(tiled(layer([], chunks=[chunk(0, -3)]), infinite=True))
    (board,) = imported(file, "--game", "battlelore")["becomes"]
    assert (board["columns"], board["rows"], board["turned"]) == (13, 9, 180)
    # An arena may have any size, so it begins with an empty column.
    file.write_text(tiled(layer([], chunks=[chunk(-3, 0)]), infinite=True, staggeraxis="x"))
    (arena,) = imported(file, "--game", "battling", "--terrain", "grass=building")["becomes"]
    assert (arena["turned"], arena["hexes"]) == (0, {"street": 9, "building": 117})


@pytest.mark.parametrize(("file", "name"), [("bocage.json", "FILE.toml"), ("form.csv", "FILE.csv")])
def test_commands_after_writing_to_the_standard_output_name_a_file(file: str, name: str) -> None:
    options = ("--game", "battlelore", "--terrain", "hedgerow=forest") if file == "bocage.json" else ()
    next_lines = [
        line for line in muster("import", HERE / file, *options, "-o", "-").err.splitlines() if "Next" in line
    ]
    assert next_lines and all(line.endswith(f" {name}") for line in next_lines)


def test_faults_of_a_map_that_is_not_written_have_the_name_of_its_file() -> None:
    answer = imported("bocage.json", "--game", "battlelore", "--terrain", "hedgerow=forest")
    (fault,) = (of for of in answer["left_out"] if "must end at the map's edge" in of["message"])
    assert (fault["file"], fault["line"]) == ("bocage.toml", 4)
    assert answer["next"][0].endswith("-o bocage.toml")


def test_faulty_rows_are_listed_and_all_others_are_written(tmp_path: Path) -> None:
    file, out = tmp_path / "l.csv", tmp_path / "o.csv"
    file.write_text("Name,Team\nAnn,Oak\nBob,Elm,extra\nC\u200by,Oak\nDee,Elm\nTotal,4\n", "utf-8")
    answer = imported(file, "-o", out)
    assert [line for line, _ in messages(answer, "problems")] == [3, 4, 6]
    assert rows_of(out) == [["name", "team"], ["Ann", "Oak"], ["Dee", "Elm"]]


def test_quoted_names_with_commas_are_read_whatever_the_separator(tmp_path: Path) -> None:
    file, out = tmp_path / "l.csv", tmp_path / "o.csv"
    file.write_text('Name;Elo\n"Alder, Ann";1500\n"Birch, Bob";1400\n', "utf-8")
    imported(file, "-o", out)
    assert rows_of(out) == [["name"], ["Alder, Ann"], ["Birch, Bob"]]


def test_results_in_one_column_are_not_dropped_without_a_word(tmp_path: Path) -> None:
    file, out = tmp_path / "l.csv", tmp_path / "o.csv"
    file.write_text("Rd;White;Black;Result\n1;Ann;Bob;1-0\n1;Cy;Dee;½-½\n", "utf-8")
    answer = imported(file, "-o", out)
    expected = (0, "these rounds were played, but their results are not imported: Result")
    assert messages(answer, "problems") == [expected] and answer["next"] == []
    file.write_text("Rd;White;Black;Result\n1;Ann;Bob;\n1;Cy;Dee;\n", "utf-8")
    assert imported(file, "-o", out, "--force")["problems"] == []


def test_the_pairings_of_one_round_need_no_number(tmp_path: Path) -> None:
    """The message named no way to import a table without the number of the round."""
    file, out = tmp_path / "l.html", tmp_path / "o.csv"
    file.write_text("<table><tr><th>Table<th>White<th>Black\n<tr><td>1<td>Ann<td>Bob\n<tr><td><td>Cy<td>bye</table>")
    answer = imported(file, "-o", out)
    assert answer["next"] == [f"muster tournament pair EVENT --pairings {out}"]
    assert rows_of(out)[1:] == [["1", "Ann", "Bob"], ["", "Cy", "bye"]]


def test_a_table_without_rows_is_not_a_success(tmp_path: Path) -> None:
    file = tmp_path / "l.csv"
    file.write_text("name,team\n")
    answer = muster("import", file, "--json")
    assert answer.code == 1 and answer.json["next"] == []
    assert messages(answer.json, "problems") == [(0, "there is nothing to write")]


def test_results_can_be_recorded_in_an_event(tmp_path: Path) -> None:
    file, out = tmp_path / "l.csv", tmp_path / "o.csv"
    file.write_text("round,player_a,player_b,score_a,score_b\n1,Ann,Bob,3,1\n")
    assert imported(file, "-o", out)["next"] == [
        f"muster tournament standings {out}", f"muster tournament results EVENT {out}"
    ]  # fmt: skip


def test_a_first_sheet_without_players_names_the_other_sheets(tmp_path: Path) -> None:
    file = tmp_path / "l.xlsx"
    row = '<row r="1"><c r="A1" t="inlineStr"><is><t>Autumn Cup</t></is></c></row>'
    file.write_bytes(xlsx(f"{PLAYERS.partition('<row')[0]}{row}</sheetData></worksheet>"))
    done = muster("import", file)
    assert done.code == 3 and "sheets not read: Notes (to import another sheet, add --sheet NAME)" in done.err
