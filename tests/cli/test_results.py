"""Tests that no entry in results.csv or on a slip is lost. Each is recorded, or refused and kept on disk."""

from __future__ import annotations

import csv
import io
import json
import random
import re
import shlex
import shutil
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pikepdf
import pytest

from tests.cli import once
from tests.cli.conftest import CODE, working
from tests.cli.run import Run, muster
from tests.cli.test_club_day import filled_in

NAMES = ("Ann", "Bob", "Cy", "Dee", "Eve")
FILLED = ("score_a", "score_b", "lost_a", "lost_b", "winner")
LOST = ("lost_a", "lost_b")
SIDES_JA = {"First player": "先攻", "Second player": "後攻"}


def run(*args: str | Path, code: int = 0) -> str:
    done = muster("tournament", *args)
    assert done.code == code, done.err or done.out
    return done.out + done.err


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Yield an event of five players with a packed round and a PDF form for the slips."""
    with working(tmp_path_factory.mktemp("packed")) as here, pytest.MonkeyPatch.context() as patch:
        once.share(patch)
        (here / "five.txt").write_text("\n".join(NAMES), "utf-8")
        run("new", "battling", "--players", "five.txt", "--rounds", "3", "--seed", CODE, "-o", "ev")
        run("pair", "ev")
        run("pack", "ev", "--parts", "records", "--fillable")
        yield here / "ev"


@pytest.fixture
def ev(here: Path, packed: Path) -> Path:
    return Path(shutil.copytree(packed, here / "ev"))


@dataclass
class Sheet:
    """A results.csv as a spreadsheet shows it, with headings, rows keyed by column, and file format."""

    columns: list[str]
    rows: list[dict[str, str]]
    heads: list[str] = field(default_factory=list)
    encoding: str = "utf-8-sig"
    delimiter: str = ","
    blank: set[int] = field(default_factory=set)
    """Indices of rows with an empty line before them."""
    notes: list[list[str]] = field(default_factory=list)
    """Lines below the table."""

    @property
    def games(self) -> list[dict[str, str]]:
        return [row for row in self.rows if row["game"]]

    def save(self, file: Path) -> list[int]:
        """Write the file and return the line number of each row."""
        lines, at = [self.heads or self.columns], list[int]()
        for number, row in enumerate(self.rows):
            if number in self.blank:
                lines.append([])
            lines.append([row.get(column, "") for column in self.columns])
            at.append(len(lines))
        out = io.StringIO()
        csv.writer(out, delimiter=self.delimiter).writerows([*lines, *self.notes])
        file.write_bytes(out.getvalue().encode(self.encoding))
        return at


def opened(file: Path) -> Sheet:
    head, *rows = csv.reader(io.StringIO(file.read_text("utf-8-sig")))
    return Sheet(head, [dict(zip(head, row, strict=True)) for row in rows])


def filled(file: Path) -> Sheet:
    sheet = opened(file)
    for row in sheet.games:
        row.update(score_a="2", score_b="1", lost_a="1", lost_b="2")
    return sheet


def no_bye_row(sheet: Sheet, _: random.Random) -> None:
    sheet.rows = sheet.games


def one_table_only(sheet: Sheet, _: random.Random) -> None:
    sheet.rows = [row for row in sheet.rows if row["table"] == sheet.rows[0]["table"]]


def misspelt(sheet: Sheet, rnd: random.Random) -> None:
    rnd.choice(sheet.rows)["player_a"] += "by"


def misspelt_pair(sheet: Sheet, rnd: random.Random) -> None:
    name = rnd.choice(sheet.games)["player_a"]
    for row in sheet.rows:
        for column in ("player_a", "player_b"):
            row[column] += "by" * (row[column] == name)


def swapped_tables(sheet: Sheet, _: random.Random) -> None:
    for row in sheet.games:
        row["table"] = {"1": "2", "2": "1"}.get(row["table"], row["table"])


def columns_in_another_order(sheet: Sheet, rnd: random.Random) -> None:
    rnd.shuffle(sheet.columns)


def row_twice(sheet: Sheet, rnd: random.Random) -> None:
    sheet.rows.append(dict(rnd.choice(sheet.rows)))


def row_twice_and_other(sheet: Sheet, rnd: random.Random) -> None:
    sheet.rows.append(rnd.choice(sheet.games) | {"score_a": "1", "score_b": "2"})


def blank_lines(sheet: Sheet, rnd: random.Random) -> None:
    sheet.blank = set(rnd.sample(range(len(sheet.rows)), 2))


def row_of_another_round(sheet: Sheet, rnd: random.Random) -> None:
    sheet.rows.append(rnd.choice(sheet.games) | {"round": rnd.choice("23")})


def row_of_strangers(sheet: Sheet, rnd: random.Random) -> None:
    sheet.rows.append(rnd.choice(sheet.games) | {"player_a": "Mo", "player_b": "Jo"})


def heading_deleted(sheet: Sheet, rnd: random.Random) -> None:
    sheet.heads = list(sheet.columns)
    sheet.heads.remove(rnd.choice(sheet.columns))


def heading_blanked(sheet: Sheet, rnd: random.Random) -> None:
    sheet.heads = list(sheet.columns)
    sheet.heads[rnd.randrange(len(sheet.heads))] = ""


def heading_misspelt(sheet: Sheet, rnd: random.Random) -> None:
    sheet.heads = list(sheet.columns)
    at = rnd.randrange(len(sheet.heads))
    sheet.heads[at] = sheet.heads[at][:-2] + sheet.heads[at][-1] * 2


def winner_misspelt(sheet: Sheet, rnd: random.Random) -> None:
    row = rnd.choice(sheet.games)
    row["winner"] = row["player_a"] + "nn"


def winner_named(sheet: Sheet, rnd: random.Random) -> None:
    row = rnd.choice(sheet.games)
    row["winner"] = row["player_a"]


def full_width_digits(sheet: Sheet, _: random.Random) -> None:
    for row in sheet.games:
        row["score_a"] = "２"


def saved_as_cp932(sheet: Sheet, _: random.Random) -> None:
    sheet.encoding = "cp932"


def saved_as_utf_16(sheet: Sheet, _: random.Random) -> None:
    sheet.encoding = "utf-16"


def saved_with_semicolons(sheet: Sheet, _: random.Random) -> None:
    sheet.delimiter = ";"


def saved_with_tabs(sheet: Sheet, _: random.Random) -> None:
    sheet.delimiter = "\t"


def names_swapped(sheet: Sheet, rnd: random.Random) -> None:
    row = rnd.choice(sheet.games)
    row["player_a"], row["player_b"] = row["player_b"], row["player_a"]


def column_added(sheet: Sheet, rnd: random.Random) -> None:
    sheet.columns.insert(rnd.randrange(len(sheet.columns)), "remarks")
    rnd.choice(sheet.rows)["remarks"] = "late"


def column_deleted(sheet: Sheet, rnd: random.Random) -> None:
    gone = rnd.choice([column for column in sheet.columns if column not in FILLED])
    sheet.columns.remove(gone)
    for row in sheet.rows:
        row.pop(gone)


def notes_below(sheet: Sheet, rnd: random.Random) -> None:
    sheet.notes = rnd.choice([[["Table 2 was late"]], [[], ["", "Ann left", "early", *[""] * 11]]])


def bye_with_a_score(sheet: Sheet, _: random.Random) -> None:
    sheet.rows[-1].update(score_a="2", score_b="0")


def one_score_only(sheet: Sheet, rnd: random.Random) -> None:
    rnd.choice(sheet.games)["score_b"] = ""


def third_game(sheet: Sheet, rnd: random.Random) -> None:
    sheet.rows.append(rnd.choice(sheet.games) | {"game": rnd.choice("309")})


def bid_without_bids(sheet: Sheet, rnd: random.Random) -> None:
    sheet.columns += ["bid_a", "bid_b"]
    rnd.choice(sheet.games)["bid_a"] = "3"


def another_kit(sheet: Sheet, rnd: random.Random) -> None:
    rnd.choice(sheet.games)["kit"] = "K7Q2M-00000"


def table_blanked(sheet: Sheet, rnd: random.Random) -> None:
    rnd.choice(sheet.games)["table"] = ""


def emptied_row(sheet: Sheet, rnd: random.Random) -> None:
    rnd.choice(sheet.games).update(dict.fromkeys(FILLED, ""))


def game_number_mistyped(sheet: Sheet, rnd: random.Random) -> None:
    table = rnd.choice(sheet.games)["table"]
    for row in sheet.games:
        row["game"] = "1" if row["table"] == table else row["game"]


def invisible_character(sheet: Sheet, rnd: random.Random) -> None:
    row = rnd.choice(sheet.games)
    row["player_a"] = row["player_a"][:1] + "\u200b" + row["player_a"][1:]


Edit = Callable[[Sheet, random.Random], None]
TAKEN: tuple[Edit, ...] = (
    no_bye_row, one_table_only, columns_in_another_order, row_twice, blank_lines, winner_named, full_width_digits,
    saved_as_cp932, saved_as_utf_16, saved_with_semicolons, saved_with_tabs, names_swapped, column_added,
    table_blanked, emptied_row,
)  # fmt: skip
"""Edits after which all remaining rows are valid."""
REFUSED: tuple[Edit, ...] = (
    misspelt, misspelt_pair, swapped_tables, row_twice_and_other, row_of_another_round, row_of_strangers,
    winner_misspelt, notes_below, bye_with_a_score, one_score_only, third_game, bid_without_bids, another_kit,
    game_number_mistyped, invisible_character,
)  # fmt: skip
"""Edits after which at least one row is refused."""
EITHER: tuple[Edit, ...] = (heading_deleted, heading_blanked, heading_misspelt, column_deleted)
"""Edits that may remove an optional column."""


def results_of(ev: Path) -> dict[tuple[int, int, str], tuple[int, int]]:
    """Return the scores and casualties of each recorded game, keyed by table, game and player name."""
    (one,) = tomllib.loads((ev / "event.toml").read_text("utf-8"))["round"][:1]
    seats = {m["table"]: (m["a"], m["b"]) for m in one["meetings"] if "b" in m}
    return {
        (game["table"], game["game"], seats[game["table"]][at]): (game["score"][at], game.get("lost", [0, 0])[at])
        for game in one.get("results", ())
        for at in (0, 1)
    }


def is_recorded(row: dict[str, str], known: dict[tuple[int, int, str], tuple[int, int]]) -> bool:
    """Return whether the event contains a game with the scores and casualties of this row."""
    entered = {
        row[f"player_{seat}"]: (int(row[f"score_{seat}"] or 0), int(row[f"lost_{seat}"] or 0)) for seat in ("a", "b")
    }
    return any(
        all(known.get((table, game, name)) == counts for name, counts in entered.items()) for table, game, _ in known
    )


def unaccounted(ev: Path, sheet: Sheet, lines: list[int], done: Run) -> list[dict[str, str]]:
    """Return the filled rows that were neither recorded nor refused."""
    problems = [p for p in done.json.get("problems", ()) if p["file"].endswith("results.csv")]
    refused = {p["line"] for p in problems}
    if refused & {0, 1}:  # the whole file or its headings are refused
        return []
    known = results_of(ev)
    return [
        row
        for row, line in zip(sheet.rows, lines, strict=True)
        if any(row.get(column) for column in FILLED) and line not in refused and not is_recorded(row, known)
    ]


def suggested_command(out: str) -> list[str]:
    """Return the arguments of the command in the last line of an output."""
    found = re.search(r"muster tournament (.*)$", out.strip().splitlines()[-1])
    return shlex.split(found[1]) if found else []


def follow_suggestions(ev: Path) -> None:
    """Run the command that Muster suggests, and other commands that an organiser may try."""
    for _ in range(3):
        output = muster("tournament", "status", "ev").out
        if command := suggested_command(output):
            muster("tournament", *command)
    for command in (["pack", "ev", "--parts", "records"], ["standings", "ev"], ["pair", "ev"], ["results", "ev"]):
        assert muster("tournament", *command).code in (0, 2, 3)
    again = muster("tournament", "pack", "ev", "--round", "1", "--parts", "records", "--force")
    assert again.code in (0, 2)


@pytest.mark.parametrize("edit", [*TAKEN, *REFUSED], ids=lambda edit: edit.__name__)
def test_every_row_is_taken_or_refused_with_its_line(ev: Path, edit: Edit) -> None:
    file = ev / "round-1" / "results.csv"
    sheet = filled(file)
    edit(sheet, random.Random(edit.__name__))
    lines = sheet.save(file)
    before = file.read_bytes()
    done = muster("tournament", "results", "ev", "--json")
    assert done.code == (3 if edit in REFUSED else 0), done.out
    assert unaccounted(ev, sheet, lines, done) == []
    right = [row for row in sheet.games if is_recorded(row, results_of(ev))]
    assert right or edit is swapped_tables
    for problem in done.json["problems"]:
        assert problem["file"] == str(Path("ev") / "round-1" / "results.csv") and problem["line"] > 1, problem
    follow_suggestions(ev)
    assert file.read_bytes() == before
    assert unaccounted(ev, sheet, lines, done) == []


def test_numbers_with_an_empty_fraction_are_read(ev: Path) -> None:
    file = ev / "round-1" / "results.csv"
    sheet = filled(file)
    for row in sheet.games:
        row.update({head: f"{row[head]}.0" for head in ("round", "table", "game", "score_a", "lost_a")})
        row["score_b"] += ",0"
    sheet.rows[0]["lost_b"] = "1.5"
    sheet.save(file)
    output = run("results", "ev", code=3)
    assert len(results_of(ev)) == 2 * (len(sheet.games) - 1)
    assert "results.csv:2: lost_b '1.5' is not a number" in output


def opponents(ev: Path) -> tuple[str, str]:
    """Return the players of the first table."""
    first = filled(ev / "round-1" / "results.csv").games[0]
    return first["player_a"], first["player_b"]


@pytest.mark.parametrize(
    ("scores", "kept"), [(("2,1", "2,1"), 1), (("2,1", "2,1", "2,1"), 1), (("2,1", "3,2"), 0), (("2,1", "1,2"), 0)]
)
def test_rows_without_a_game_number_are_not_counted_as_games(ev: Path, scores: tuple[str, ...], kept: int) -> None:
    a, b = opponents(ev)
    rows = "\n".join(f"1,{a},{b},{score}" for score in scores)
    Path("r.csv").write_text(f"round,player_a,player_b,score_a,score_b\n{rows}\n", "utf-8")
    output = run("results", "ev", "r.csv", code=3)
    assert len(results_of(ev)) == 2 * kept
    for line in range(2 + kept, 2 + len(scores)):
        assert f"r.csv:{line}: table 1 has more than one row without a number in the column game (the other" in output
    assert "もう1つの行はr.csv:2です。" in run("results", "ev", "r.csv", "--lang", "ja", code=3)


def test_a_result_from_each_player_is_one_game(ev: Path) -> None:
    a, b = opponents(ev)
    rows = f"1,{a},{b},2,1\n1,{b},{a},1,2\n"
    Path("r.csv").write_text(f"round,player_a,player_b,score_a,score_b\n{rows}", "utf-8")
    assert "r.csv:3: table 1 has more than one row" in run("results", "ev", "r.csv", code=3)
    assert len(results_of(ev)) == 2


def test_a_remark_beside_a_result_of_another_program_is_reported(ev: Path) -> None:
    a, b = opponents(ev)
    Path("r.csv").write_text(
        f"round,game,player_a,player_b,score_a,score_b,notes\n1,1,{a},{b},2,1,sorry it was 3:2\n", "utf-8"
    )
    assert "r.csv: Muster does not read these columns: notes" in run("results", "ev", "r.csv")


@pytest.mark.parametrize(
    ("heads", "hint"),
    [
        (
            "score",
            "the column score has both scores in one cell (write the two scores in two columns, score_a, score_b",
        ),
        ("Ergebnis", "the column Ergebnis has both scores in one cell (write the two scores in two columns"),
        ("score,score", "the column score appears twice (name the two columns score_a, score_b)"),
    ],
)
def test_a_column_with_both_scores_is_explained(ev: Path, heads: str, hint: str) -> None:
    a, b = opponents(ev)
    Path("r.csv").write_text(f"round,player_a,player_b,{heads}\n1,{a},{b},{heads and '2-1,'}\n", "utf-8")
    output = run("results", "ev", "r.csv", code=3)
    assert hint in output
    assert "is missing" not in output


def test_results_without_headings_are_refused_with_one_message(ev: Path) -> None:
    Path("r.csv").write_text("Ann 2-1 Bob\n", "utf-8")
    output = run("results", "ev", "r.csv", code=3)
    assert output.count("r.csv:1:") == 1
    assert "begin the file with a line of column headings, such as round,player_a,player_b,score_a,score_b" in output


@pytest.mark.parametrize("word", ["Remis", "nul", "ドロー", "unentschieden"])
def test_a_draw_can_be_written_in_many_languages(ev: Path, word: str) -> None:
    a, b = opponents(ev)
    head = "第1回戦,1戦目"
    Path("r.csv").write_text(
        f"round,game,player_a,player_b,score_a,score_b,winner\n{head},{a},{b},2点,2点,{word}\n", "utf-8"
    )
    run("results", "ev", "r.csv")
    assert len(results_of(ev)) == 2


def test_a_row_that_cannot_be_read_is_not_reported_as_missing(ev: Path) -> None:
    file = ev / "round-1" / "results.csv"
    sheet = filled(file)
    invisible_character(sheet, random.Random(1))
    sheet.save(file)
    assert "has no row" not in run("results", "ev", code=3)
    sheet.rows = [row for row in sheet.rows if row["game"]]
    sheet.save(file)
    assert "has no row for the bye" in run("results", "ev", code=3)


def damaged_byte(content: bytes, at: int) -> bytes:
    """Add a byte that is not valid in the file's encoding after a name."""
    lines = content.split(b"\r\n")
    cells = lines[at].split(b",")
    cells[3] += b"\xff"
    lines[at] = b",".join(cells)
    return b"\r\n".join(lines)


def open_quote(content: bytes, at: int) -> bytes:
    lines = content.split(b"\r\n")
    lines[at] = lines[at].replace(b",2,1,", b',"2,1,', 1)
    return b"\r\n".join(lines)


def two_open_quotes(content: bytes, at: int) -> bytes:
    """Add two opening quotation marks that would close each other over several rows."""
    lines = content.split(b"\r\n")
    for row, column in ((at, 10), (at + 2, 3)):
        cells = lines[row].split(b",")
        cells[column] = b'"' + cells[column]
        lines[row] = b",".join(cells)
    return b"\r\n".join(lines)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-8", "utf-16", "cp932"])
@pytest.mark.parametrize("damage", [damaged_byte, open_quote, two_open_quotes])
def test_a_damaged_row_is_refused_and_the_others_are_taken(
    ev: Path, damage: Callable[[bytes, int], bytes], encoding: str
) -> None:
    file = ev / "round-1" / "results.csv"
    sheet = filled(file)
    sheet.rows[0]["team"], sheet.encoding = "千代", encoding
    lines = sheet.save(file)
    content = file.read_bytes()
    if encoding != "utf-16":
        file.write_bytes(damage(content, 1))
    else:
        text = damage(content.decode("utf-16").encode(), 1).decode("utf-8", "surrogateescape")
        file.write_bytes(text.encode("utf-16", "surrogatepass"))
    before = file.read_bytes()
    done = muster("tournament", "results", "ev", "--json")
    assert done.code == 3
    refused = [2, 4] if damage is two_open_quotes else [2]
    assert [problem["line"] for problem in done.json["problems"]] == refused, done.out
    taken = [row for row, line in zip(sheet.rows, lines, strict=True) if row["game"] and line not in refused]
    assert all(is_recorded(row, results_of(ev)) for row in taken)
    assert len(results_of(ev)) == 2 * len(taken)
    follow_suggestions(ev)
    assert file.read_bytes() == before


def test_damaged_headings_leave_nothing_to_read_and_say_so(ev: Path) -> None:
    file = ev / "round-1" / "results.csv"
    filled(file).save(file)
    content = file.read_bytes()
    file.write_bytes(content.replace(b"score_a", b'"score_a', 1))
    assert "results.csv:1: a quotation mark is not closed (close or delete the quotation mark" in run(
        "results", "ev", code=3
    )
    assert results_of(ev) == {}
    file.write_bytes(content.replace(b"score_a", b"\xffscore_a", 1))
    assert "results.csv:1: the column score_a is missing" in run("results", "ev", code=3)


def test_a_row_that_contradicts_a_bye_names_the_bye(ev: Path) -> None:
    file = ev / "round-1" / "results.csv"
    sheet = filled(file)
    (bye,) = (row for row in sheet.rows if not row["game"])
    player, other = bye["player_a"], sheet.games[0]["player_a"]
    bye["player_b"] = other
    sheet.rows.append({**bye, "player_a": other, "player_b": "bye"})
    *_, one, two = sheet.save(file)
    output = run("results", "ev", code=3)
    assert f"results.csv:{one}: {player} has a bye in round 1" in output
    assert f"results.csv:{two}: {other} has no bye in round 1 (table 1: " in output


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("en", "is missing. If the file was moved or renamed, put it back"),
        ("ja", "がありません。ファイルを移動したり"),
    ],
)
def test_a_results_file_that_was_moved_is_reported(ev: Path, lang: str, words: str) -> None:
    file = ev / "round-1" / "results.csv"
    filled(file).save(file)
    moved = file.rename(file.with_name("results (1).csv"))
    assert f"{Path('ev') / 'round-1' / 'results.csv'}{'' if lang == 'ja' else ' '}{words}" in run(
        "results", "ev", "--lang", lang
    )
    moved.rename(file)
    assert words not in run("results", "ev", "--lang", lang)
    assert muster("tournament", "pair", "ev", "--round", "1", "--reopen").code == 0
    assert not file.exists()
    assert words not in run("results", "ev", "--lang", lang)
    assert muster("tournament", "pack", "ev", "--parts", "records").code == 0


@pytest.mark.parametrize(
    "name",
    [
        "round-1/results (1).csv",
        "round-1/結果.csv",
        "results.csv",
        "round-1/results.txt",
        "round-1/results copy",
        "round-1/results.csv.bak",
        "round-1/results.csv~",
        "round-1/results.csv_old",
        "round-1/results.dat",
        "round-1/results.md",
        "結果",
        "round-1/r1",
        "round-1/typed by Eve/results.csv",
        "round-1 (1)/results.csv",
        "backup/ev/round-1/results.csv",
    ],
)
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_a_copy_with_results_is_named_with_the_command_that_records_it(ev: Path, name: str, lang: str) -> None:
    copy = Path("ev") / name
    copy.parent.mkdir(parents=True, exist_ok=True)
    filled(file_of(ev)).save(copy)
    words = f"{copy} has results that are not recorded" if lang == "en" else f"{copy}に、まだ記録していない結果が"
    for verb in ("status", "results"):
        lines = run(verb, "ev", "--lang", lang).splitlines()
        (line,) = [line for line in lines if words in line]
        assert any(words in one for one in muster("tournament", verb, "ev", "--lang", lang, "--json").json["told"])
    command = shlex.split(line.rpartition("muster ")[2])
    assert command[:4] == ["tournament", "results", "ev", str(copy)]
    assert muster(*command).code == 0
    assert len(results_of(ev)) == 8
    assert words not in run("status", "ev", "--lang", lang) + run("results", "ev", "--lang", lang)


@pytest.mark.parametrize("name", ["Round 1 (Sunday)", "第1ラウンド", "old/round-1"])
def test_a_folder_of_a_round_that_was_renamed_is_reported(ev: Path, name: str) -> None:
    filled(file_of(ev)).save(file_of(ev))
    moved, place = Path("ev") / name, Path("ev") / "round-1"
    moved.parent.mkdir(exist_ok=True)
    place.rename(moved)
    for verb in ("status", "results"):
        output = run(verb, "ev")
        assert f"round-1 of round 1 is missing, but {moved} contains the files of this round" in output
        assert f"rename or move this folder to {place}" in output
        assert f"{moved / 'results.csv'} has results that are not recorded (rows: 4)" in output
        assert "Next: give the folder of the round its original name again" in output
    moved.rename(place)
    assert "Round 1: new results: 4" in run("results", "ev")


def in_japanese(ev: Path, encoding: str) -> None:
    """Fill in the results of round 1 in a file with Japanese headings and this encoding."""
    sheet = filled(file_of(ev))
    sheet.encoding, sheet.heads = encoding, JAPANESE.split()
    sheet.save(file_of(ev))


def test_a_file_in_the_encoding_of_japanese_mails_is_read(ev: Path) -> None:
    in_japanese(ev, "iso2022_jp")
    output = run("results", "ev")
    assert "Round 1: new results: 4" in output and "results.csv was read as iso2022_jp" in output


def test_a_file_in_a_rare_encoding_is_refused_with_the_encoding(ev: Path) -> None:
    in_japanese(ev, "euc_jp")
    place = Path("ev") / "round-1" / "results.csv"
    refused = run("results", "ev", code=3)
    assert f"{place}: is text in euc_jp (save the file as CSV in UTF-8, or give" in refused
    assert "is missing" not in refused
    assert "Round 1: new results: 4" in run("results", "ev", "--encoding", "euc_jp")


def test_a_copy_with_results_that_cannot_be_read_is_reported(ev: Path) -> None:
    copy = Path("ev") / "round-1" / "results (1).csv"
    copy.write_text("table 1: Ann 3, Bob 1\n", "utf-8")
    for verb in ("status", "results"):
        assert f"{copy} cannot be recorded. To list the reasons: muster tournament results ev" in run(verb, "ev")


@pytest.mark.parametrize("name", ["results.html", "results.csv.icloud", "results"])
def test_a_file_of_another_kind_with_results_in_its_name_is_reported(ev: Path, name: str) -> None:
    copy = Path("ev") / "round-1" / name
    copy.write_text("<html><table><tr><td>Ann</td></tr></table></html>", "utf-8")
    assert f"{copy} cannot be recorded. To list the reasons: muster tournament results ev" in run("status", "ev")


@pytest.mark.parametrize("name", ["notes", ".DS_Store", "results.png", "players.csv.bak"])
def test_files_without_results_are_not_reported(ev: Path, name: str) -> None:
    (Path("ev") / "round-1" / name).write_bytes(b"\x00\x01Ann\n")
    assert name not in run("status", "ev")


def test_results_of_another_event_below_the_folder_are_not_reported(ev: Path) -> None:
    other = Path("ev") / "other"
    run("new", "battling", "--rounds", "3", "-o", other)
    (other / "round-1").mkdir()
    filled(file_of(ev)).save(other / "round-1" / "results.csv")
    assert "not recorded" not in run("status", "ev")


@pytest.mark.parametrize(
    ("given", "fault", "following"),
    [
        (
            ("--from", "no.pdf"),
            "no.pdf: no such file",
            "run the command again with a file that exists: {} --from FILE.pdf",
        ),
        (
            ("--from", "empty"),
            "empty: contains no PDF",
            "run the command again with a file that exists: {} --from FILE.pdf",
        ),
        (("no.csv",), "no.csv: no such file", "run the command again with a file that exists: {} FILE.csv"),
        (
            ("--from", "x.pdf"),
            "cannot be read as a PDF",
            "correct the files that were refused, then run {} --from x.pdf",
        ),
    ],
)
def test_a_file_that_is_not_there_is_not_to_be_corrected(
    ev: Path, here: Path, given: tuple[str, ...], fault: str, following: str
) -> None:
    (here / "empty").mkdir()
    (here / "x.pdf").write_bytes(b"%PDF-1.4 broken")
    done = muster("tournament", "results", "ev", *given)
    assert (done.code, fault in done.err) == (3, True), done
    assert done.out.splitlines()[-1] == f"Next: {following.format('muster tournament results ev')}"
    ja = muster("tournament", "results", "ev", *given, "--lang", "ja").out
    assert "行を直して" not in ja and "次に：" in ja


def test_files_that_hold_no_results_are_not_named(ev: Path) -> None:
    shutil.copy(file_of(ev), ev / "results-empty.csv")
    (ev / "players.csv").write_text("name\nAnn\nBob\n", "utf-8")
    (ev / "pairings.csv").write_text("round,player_a,player_b\n1,Ann,Bob\n", "utf-8")
    (ev / "notes.txt").write_text("Buy dice.\n", "utf-8")
    assert "not recorded" not in run("status", "ev") + run("results", "ev")
    (ev / "round-1" / "Results.xlsx").write_bytes(b"PK")
    assert "Results.xlsx cannot be read. Type its results into the round's results.csv" in run("status", "ev")


def test_a_player_who_was_renamed_by_hand_loses_nothing(ev: Path) -> None:
    file, event_file = ev / "round-1" / "results.csv", ev / "event.toml"
    filled(file).save(file)
    before = file.read_bytes()
    event_file.write_text(event_file.read_text("utf-8").replace('"Eve"', '"Eveby"'), "utf-8")
    output = run("results", "ev", code=3)
    assert "results.csv:2: 'Eve' does not play in round 1 (did you mean Eveby?)" in output
    assert "Round 1: new results: 2" in output and output.count("did you mean") == 2
    follow_suggestions(ev)
    assert file.read_bytes() == before


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_what_is_missing_is_reported_and_what_was_recorded_stays(ev: Path, lang: str) -> None:
    file = ev / "round-1" / "results.csv"
    sheet = filled(file)
    sheet.save(file)
    run("results", "ev")
    known = results_of(ev)
    sheet.rows = sheet.rows[:1]
    sheet.save(file)
    output = run("results", "ev", "--lang", lang).splitlines()
    path = Path("ev") / "round-1" / "results.csv"
    assert output[:3] == (
        [
            f"Round 1: {path} has no row for table 2. Recorded results are kept",
            f"Round 1: {path} has no row for table 1, game 2. If a result was recorded, it is kept",
            f"Round 1: {path} has no row for the bye of Ann. The bye is kept",
        ]
        if lang == "en"
        else [
            f"第1ラウンド：{path}に2卓の行がありません。記録済みの結果は残ります",
            f"第1ラウンド：{path}に1卓 第2戦の行がありません。記録済みの結果があれば残ります",
            f"第1ラウンド：{path}にAnnの不戦勝の行がありません。不戦勝はそのままです",
        ]
    )
    assert results_of(ev) == known


@pytest.mark.parametrize("seed", range(60))
def test_nothing_typed_is_lost_whatever_is_done_to_the_file(ev: Path, seed: int) -> None:
    rnd = random.Random(seed)
    file = ev / "round-1" / "results.csv"
    sheet = opened(file)
    for row in sheet.games:
        if rnd.random() < 0.8:
            one, two = rnd.sample(range(3), 2)
            row.update(score_a=str(one), score_b=str(two), lost_a=str(rnd.randrange(9)), lost_b=str(rnd.randrange(9)))
    for edit in rnd.sample([*TAKEN, *REFUSED, *EITHER], rnd.choice((1, 1, 2, 3))):
        edit(sheet, rnd)
    lines = sheet.save(file)
    before = file.read_bytes()
    done = muster("tournament", "results", "ev", "--json")
    assert done.code in (0, 3)
    assert unaccounted(ev, sheet, lines, done) == [], done.out
    follow_suggestions(ev)
    assert file.read_bytes() == before
    muster("tournament", "pack", "ev", "--round", "1", "--parts", "records", "--reopen")
    muster("tournament", "pair", "ev", "--round", "1", "--reopen")
    assert before in [path.read_bytes() for path in (*ev.glob("copies/*.csv"), file) if path.is_file()]


def test_a_heading_that_was_deleted_makes_no_other_result(ev: Path) -> None:
    file = ev / "round-1" / "results.csv"
    for column in ("lost_a", "lost_b", "winner", "kit"):
        sheet = filled(file)
        sheet.heads = [head for head in sheet.columns if head != column]
        sheet.save(file)
        output = run("results", "ev", code=3)
        assert output.count("the headings do not match the columns") == 4, output
        filled(file_of(ev)).save(file)
    assert results_of(ev) == {}


def file_of(ev: Path) -> Path:
    """Return the path of a results.csv with correct headings."""
    file = ev / "round-1" / "results.csv"
    head = "round,table,game,player_a,side_a,player_b,side_b,score_a,score_b,lost_a,lost_b,winner,kit,team"
    file.write_text("\n".join([head, *file.read_text("utf-8-sig").splitlines()[1:]]), "utf-8-sig")
    return file


def test_casualties_below_an_unknown_heading_are_not_recorded_as_0(ev: Path) -> None:
    file = ev / "round-1" / "results.csv"
    sheet = filled(file)
    sheet.rows[0]["lost_a"] = "3"
    sheet.heads = ["verluste" if head == "lost_a" else head for head in sheet.columns]
    sheet.save(file)
    output = run("results", "ev", code=3)
    assert "the column lost_a is missing, and the column verluste is not read (name the column lost_a" in output


def test_a_column_that_is_not_read_is_named(ev: Path) -> None:
    file = ev / "round-1" / "results.csv"
    sheet = filled(file)
    sheet.columns.append("remarks")
    sheet.rows[0]["remarks"] = "late"
    sheet.save(file)
    assert f"{Path('ev') / 'round-1' / 'results.csv'}: Muster does not read these columns: remarks" in run(
        "results", "ev"
    )
    sheet.heads = [head.replace("winner", "winer") for head in sheet.columns]
    sheet.rows[0]["winner"] = "b"
    sheet.save(file)
    output = run("results", "ev", code=3)
    assert "results.csv:2: there is no column named 'winer' (did you mean winner?)" in output


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_a_changed_cell_that_is_not_read_is_named_with_its_line(ev: Path, lang: str) -> None:
    file = file_of(ev)
    sheet = filled(file)
    one, (bye,) = sheet.games[0], [row for row in sheet.rows if not row["game"]]
    printed = one["side_a"], one["side_b"]
    sides = printed if lang == "en" else tuple(SIDES_JA[side] for side in printed)
    one["side_a"], one["side_b"], one["team"], bye["side_a"] = *printed[::-1], "Oak", "x"
    lines = sheet.save(file)
    at, below = lines[sheet.rows.index(one)], lines[sheet.rows.index(bye)]
    output = run("results", "ev", "--dry-run", "--lang", lang)
    in_english = lang == "en"
    words = "are not read: Muster wrote {!r}, but the cell now contains" if in_english else "が書いた内容：「{}」"
    for line, side in ((at, sides[0]), (at, sides[1]), (at, ""), (below, "")):
        assert any(f"results.csv:{line}: " in of and words.format(side) in of for of in output.splitlines()), output
    done = muster("tournament", "results", "ev", "--json")
    assert done.code == 0 and all(is_recorded(row, results_of(ev)) for row in sheet.games)
    assert [cell["line"] for cell in done.json["unread_cells"]] == [at, at, at, below]
    for row in sheet.games[1:]:  # names in the opposite order, with their sides, change nothing
        for column in ("player", "side", "score", "lost"):
            row[f"{column}_a"], row[f"{column}_b"] = row[f"{column}_b"], row[f"{column}_a"]
    one["side_a"], one["side_b"], one["team"], bye["side_a"] = *printed, "", ""
    sheet.save(file)
    assert muster("tournament", "results", "ev", "--json").json["unread_cells"] == []


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_casualties_that_a_side_cannot_have_are_refused(ev: Path, lang: str) -> None:
    file = file_of(ev)
    sheet = filled(file)
    limits = json.loads((ev / "round-1" / "manifest.json").read_text("utf-8"))["max_lost"]
    first, second = limits["1"]
    one, two = [row for row in sheet.games if row["table"] == "1"]
    one["lost_a"], one["lost_b"], two["lost_a"], two["lost_b"] = map(str, (first, second, second, first))
    sheet.save(file)
    assert "at most" not in run("results", "ev", "--dry-run")
    one["lost_a"] = "99"
    line = sheet.save(file)[sheet.rows.index(one)]
    words = (
        f"the casualties are 99, but this side can lose at most {first}"
        if lang == "en"
        else f"この陣営の損害は最大{first}です"
    )
    output = run("results", "ev", "--lang", lang, code=3)
    assert f"results.csv:{line}: " in output and words in output
    assert len(results_of(ev)) == 2 * (len(sheet.games) - 1)


@pytest.mark.parametrize(
    ("lang", "none"), [("en", "No results are filled in yet"), ("ja", "結果はまだ記入されていません")]
)
def test_results_before_any_result_says_so(ev: Path, lang: str, none: str) -> None:
    assert run("results", "ev", "--lang", lang).splitlines()[0] == none
    file = ev / "round-1" / "results.csv"
    filled(file).save(file)
    assert none not in run("results", "ev", "--lang", lang)
    assert run("results", "ev", "--lang", lang).splitlines()[0] == (
        "No new results" if lang == "en" else "新しい結果はありません"
    )


def test_a_refused_row_stops_pair_and_standings_once_the_others_are_recorded(ev: Path) -> None:
    file = ev / "round-1" / "results.csv"
    sheet = filled(file)
    sheet.rows[0]["player_a"] += "by"
    sheet.save(file)
    for verb in ("pair", "standings"):
        assert "results.csv:2: " in run(verb, "ev", code=3)
        assert len(results_of(ev)) == 6
    assert not (ev / "standings.pdf").exists()
    rehearsed = muster("tournament", "results", "ev", "--dry-run")
    assert (rehearsed.code, "results.csv:2: " in rehearsed.err) == (3, True)


def test_only_reopen_replaces_a_file_that_was_filled_in_and_a_copy_stays(ev: Path) -> None:
    file = ev / "round-1" / "results.csv"
    sheet = filled(file)
    sheet.rows[0]["player_a"] += "by"
    sheet.save(file)
    before = file.read_bytes()
    run("pack", "ev", "--round", "1", "--parts", "records", code=2)
    assert file.read_bytes() == before
    output = run("pack", "ev", "--round", "1", "--parts", "records", "--reopen")
    assert f"Copy of the earlier file: {Path('ev') / 'copies' / 'round-1-results-1.csv'}" in output
    assert (
        "These rows could not be recorded, so only the copy of the file contains "
        f"them: {Path('ev') / 'round-1' / 'results.csv'}, line 2" in output
    )
    assert (ev / "copies" / "round-1-results-1.csv").read_bytes() == before
    assert len(results_of(ev)) == 6 and opened(file).rows[0]["score_a"] == ""
    # The new file lacks the recorded results. Its empty rows do not count as cleared.
    fresh = opened(file)
    fresh.rows[0].update(score_a="1", score_b="2")
    fresh.save(file)
    output = run("results", "ev")
    assert "Round 1: new results: 1" in output and "the row is empty" not in output
    second = file.read_bytes()
    output = run("pair", "ev", "--round", "1", "--reopen")
    assert f"{Path('ev') / 'copies' / 'round-1-results-2.csv'}" in output
    assert (ev / "copies" / "round-1-results-2.csv").read_bytes() == second
    run("pack", "ev", "--parts", "records")
    assert muster("verify", "ev", "--json").json["others"] == []


def test_a_file_with_changed_names_and_no_result_is_not_replaced_either(ev: Path) -> None:
    file = ev / "round-1" / "results.csv"
    sheet = opened(file)
    sheet.rows[0]["player_a"] += "by"
    sheet.rows[1]["player_a"] += "by"
    sheet.save(file)
    before = file.read_bytes()
    output = run("pack", "ev", "--parts", "records", code=2)
    assert "was changed, and its pairings differ from those of round 1" in output
    assert "muster tournament pack ev --round 1 --reopen" in output
    assert file.read_bytes() == before
    run("pack", "ev", "--round", "1", "--reopen", "--parts", "records")
    assert (ev / "copies" / "round-1-results-1.csv").read_bytes() == before


def test_slips_filled_in_in_the_event_folder_are_kept(ev: Path) -> None:
    form = ev / "round-1" / "slips-1.pdf"
    blank = form.read_bytes()
    form.unlink()
    (ev / "blank.pdf").write_bytes(blank)
    filled_in(ev / "blank.pdf", form, {"/1/a/score/1": "1", "/1/b/score/1": "0"})
    before = form.read_bytes()
    output = run("pack", "ev", "--round", "1", "--parts", "records", "--fillable", "--force", "--reopen")
    assert "slips-1.pdf has been filled in, so Muster did not change it" in output
    assert form.read_bytes() == before
    reason = f"because it has been played ({form.relative_to(ev.parent)} is filled in)"
    assert reason in run("pack", "ev", "--parts", "records")
    assert "has been played" in run("pair", "ev", "--round", "1", code=2)
    command = f"muster tournament results ev --from {form.relative_to(ev.parent)}"
    assert f"is filled in but not recorded yet. To record it: {command}" in run("results", "ev")
    run("results", "ev", "--from", form)
    assert len(results_of(ev)) == 2
    assert command not in run("results", "ev")
    output = run("pair", "ev", "--round", "1", "--reopen")
    assert (ev / "copies" / "round-1-slips-1-1.pdf").read_bytes() == before


def test_filled_slips_under_another_name_are_named(ev: Path) -> None:
    copy = Path("ev") / "round-1" / "slips-1 (1).pdf"
    filled_in(ev / "round-1" / "slips-1.pdf", copy, {"/1/a/score/1": "1", "/1/b/score/1": "0"})
    shutil.copy(ev / "round-1" / "slips-1.pdf", ev / "empty.pdf")
    (ev / "broken.pdf").write_bytes(b"%PDF-1.7 no more")
    words = f"{copy} has filled-in result slips that are not recorded. To record them: "
    for verb in ("status", "results"):
        output = run(verb, "ev")
        (line,) = [line for line in output.splitlines() if line.startswith(words)]
        assert "empty.pdf" not in output and "broken.pdf" not in output
    assert muster(*shlex.split(line.removeprefix(words))[1:]).code == 0
    assert len(results_of(ev)) == 2
    assert words not in run("status", "ev") + run("results", "ev")


def test_an_encrypted_slip_is_named_and_the_others_are_taken(ev: Path, here: Path) -> None:
    form, slips = ev / "round-1" / "slips-1.pdf", here / "slips"
    slips.mkdir()
    filled_in(form, slips / "b.pdf", {"/1/a/score/1": "1", "/1/b/score/1": "0"})
    with pikepdf.open(slips / "b.pdf") as pdf:
        pdf.save(slips / "a.pdf", encryption=pikepdf.Encryption(owner="x", user="y"))
    (slips / "c.pdf").write_bytes(b"%PDF-1.7 no more")
    filled_in(form, slips / "d.pdf", {"/1/a/won/1": "x", "/1/b/won/1": "x", "/2/a/score/1": "1", "/2/b/score/1": "0"})
    output = run("results", "ev", "--from", "slips", code=3)
    assert f"{Path('slips') / 'a.pdf'}: is encrypted with a password" in output
    assert (
        "c.pdf: cannot be read as a PDF" in output and "d.pdf:1: table 1, game 1: both players are ticked" in output
    )
    assert {(table, game) for table, game, _ in results_of(ev)} == {(1, 1), (1, 2)}
    done = muster("tournament", "results", "ev", "--from", "slips", "--lang", "ja")
    assert "パスワードで暗号化されています" in done.err and done.code == 3


def test_a_slip_of_another_event_is_refused_by_its_kit(ev: Path, here: Path) -> None:
    (here / "five.txt").write_text("\n".join(NAMES), "utf-8")
    run("new", "battling", "--players", "five.txt", "--seed", "N1F0P-XG2WX", "-o", "other")
    (here / "p.csv").write_text("round,table,player_a,player_b\n1,1,Eve,Dee\n1,2,Bob,Cy\n1,,Ann,\n", "utf-8")
    run("pair", "other", "--pairings", "p.csv")
    run("pack", "other", "--parts", "records", "--fillable")
    form = here / "other" / "round-1" / "slips-1.pdf"
    kit = json.loads((here / "other" / "round-1" / "manifest.json").read_text("utf-8"))["pages"][1]["kit"]
    filled_in(form, here / "x.pdf", {"/1/a/score/1": "1", "/1/b/score/1": "0"})
    output = run("results", "ev", "--from", "x.pdf", code=3)
    assert f"x.pdf:1: this slip is for kit {kit}, not for round 1, table 1" in output
    assert results_of(ev) == {}
    run("results", "other", "--from", "x.pdf")


def test_no_row_is_reported_as_empty_after_slips_were_read(ev: Path, here: Path) -> None:
    form, file = ev / "round-1" / "slips-1.pdf", ev / "round-1" / "results.csv"
    filled_in(form, here / "x.pdf", {"/1/a/score/1": "1", "/1/b/score/1": "0"})
    run("results", "ev", "--from", "x.pdf")
    assert "empty" not in run("results", "ev")
    sheet = opened(file)
    sheet.rows[1].update(score_a="1", score_b="2")
    sheet.save(file)
    assert "empty" not in run("results", "ev")
    # A row that was recorded and then cleared is still reported.
    sheet.rows[1].update(score_a="", score_b="")
    sheet.rows[2].update(score_a="1", score_b="0")
    sheet.save(file)
    assert "Round 1, table 1, game 2: the row is empty" in run("results", "ev")


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        (("--from", "x.csv"), ("--from x.csv: give a table of results without --from", "results ev x.csv")),
        (("x.pdf",), ("x.pdf: give result slips with --from", "results ev --from x.pdf")),
    ],
)
def test_a_file_of_the_wrong_kind_is_refused_with_the_right_option(
    ev: Path, here: Path, args: tuple[str, ...], expected: tuple[str, ...]
) -> None:
    (here / "x.csv").write_bytes((ev / "round-1" / "results.csv").read_bytes())
    (here / "x.pdf").write_bytes((ev / "round-1" / "slips-1.pdf").read_bytes())
    output = run("results", "ev", *args, code=2)
    assert all(text in output for text in expected)
    run(*shlex.split(re.findall(r"muster tournament (.*)\)", output)[0]))


def test_standings_leave_out_the_bye_of_a_round_that_is_only_paired(ev: Path, here: Path) -> None:
    file = ev / "round-1" / "results.csv"
    filled(file).save(file)
    run("results", "ev")
    before = muster("tournament", "standings", "ev", "--json").json
    trf = (ev / "standings.trf").read_text("utf-8")
    run("pair", "ev")
    run("pack", "ev", "--parts", "records")
    after = muster("tournament", "standings", "ev", "--json").json
    assert after["standings"] == before["standings"]
    points = re.compile(r"^001 .{76}(.{4})", re.MULTILINE)
    assert points.findall((ev / "standings.trf").read_text("utf-8")) == points.findall(trf)
    by_file = muster("tournament", "standings", file, ev / "round-2" / "results.csv", "--json").json["standings"]
    assert {row["player"]: row["points"] for row in by_file} == {
        row["player"]: row["points"] for row in before["standings"]
    }
    second = ev / "round-2" / "results.csv"
    filled(second).save(second)
    byes = muster("tournament", "standings", "ev", "--json").json["standings"]
    assert sum(row["wins"] for row in byes) == 2 * (2 * 2 + 2)


def test_standings_lie_in_the_events_folder(ev: Path, here: Path) -> None:
    file = ev / "round-1" / "results.csv"
    filled(file).save(file)
    files = muster("tournament", "standings", "ev", "--json").json["files"]
    assert files == [str(Path("ev") / f"standings.{kind}") for kind in ("pdf", "csv", "trf")]
    assert muster("verify", "ev", "--json").json["others"] == []
    run("pair", "ev")
    run("pack", "ev", "--parts", "records")
    run("standings", "ev")
    found = muster("verify", "ev", "--json")
    assert (found.code, found.json["others"]) == (0, [])
    files = muster("tournament", "standings", file, "--json").json["files"]
    assert files == [str(Path("output") / "standings" / f"standings.{kind}") for kind in ("pdf", "csv")]


def test_standings_of_an_event_without_a_round_say_so(here: Path) -> None:
    run("new", "battling", "-o", "ev")
    assert "ev: no round has been paired yet (muster tournament pair ev)" in run("standings", "ev", code=3)


JAPANESE = "ラウンド 卓 戦目 選手A 陣営A 選手B 陣営B 得点A 得点B 損害A 損害B 勝者 キット チーム"


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp932"])
def test_a_name_is_corrected_everywhere(ev: Path, here: Path, encoding: str) -> None:
    file = ev / "round-1" / "results.csv"
    filled_in(ev / "round-1" / "slips-1.pdf", here / "x.pdf", {"/1/a/score/1": "1", "/1/b/score/1": "0"}, page=1)
    sheet = filled(file)
    sheet.encoding, sheet.delimiter, sheet.rows, sheet.heads = encoding, ";", sheet.rows[:2], JAPANESE.split()
    sheet.rows[0]["winner"] = "Eve"
    sheet.save(file)
    run("results", "ev")
    run("join", "ev", "Eve", "--apart", "Ann")
    before, known, entered = file.read_bytes(), (ev / "event.toml").read_bytes(), results_of(ev)
    for new in ("bob", "a\x01b", "=x", "bye", "א", " ", "--dry-run"):
        done = muster("tournament", "rename", "ev", "Eve", *(("佐藤 花", new) if new == "--dry-run" else (new,)))
        assert done.code == (0 if new == "--dry-run" else 2)
        assert (file.read_bytes(), (ev / "event.toml").read_bytes()) == (before, known)
    assert "did you mean Eve?" in run("rename", "ev", "Evve", "X", code=2)
    output = run("rename", "ev", "Eve", "佐藤 花")
    assert f"Cells changed in {Path('ev') / 'round-1' / 'results.csv'}: 3" in output
    assert file.read_bytes() == before.decode(encoding).replace("Eve", "佐藤 花").encode(encoding)
    assert (ev / "copies" / "round-1-results-1.csv").read_bytes() == before
    assert (ev / "copies" / "event-1.toml").read_bytes() == known
    event_file = tomllib.loads((ev / "event.toml").read_text("utf-8"))
    assert event_file["apart"] == [["佐藤 花", "Ann"]] and event_file["players"][4]["formerly"] == ["Eve"]
    assert {(table, game, name.replace("佐藤 花", "Eve")) for table, game, name in results_of(ev)} == set(entered)
    assert "No new results" in run("results", "ev")
    # Older slips and files, and the slips of the other table, are still read.
    file.write_bytes(before)
    assert "No new results" in run("results", "ev")
    run("results", "ev", "--from", "x.pdf")
    filled_in(ev / "round-1" / "slips-1.pdf", here / "y.pdf", {"/1/a/score/1": "2", "/1/b/score/1": "1"})
    assert run("results", "ev", "--from", "y.pdf").splitlines()[0].startswith("Round 1, table 1, game 1: corrected")
    assert run("standings", "ev").count("佐藤 花") == 1
    assert muster("verify", "ev").code == 0


def test_a_round_that_waits_is_printed_again_with_the_new_name(ev: Path) -> None:
    output = run("rename", "ev", "Eve", "Eva", "--lang", "ja")
    assert "EveのName" not in output and "Eveの名前をEvaに改めました" in output
    assert "第1ラウンドは前の名前で印刷してあります" in output
    found = muster("verify", "ev", "--json").json["folders"][0]
    assert (found["filled"], found["findings"]) == ([], [])
    run("pack", "ev", "--round", "1", "--parts", "records", "--fillable")
    assert opened(ev / "round-1" / "results.csv").rows[0]["player_a"] == "Eva"
    assert muster("tournament", "rename", "ev", "Eva", "Eva", "--json").json["written"] is False


def slip_against_sheet(ev: Path, here: Path) -> Path:
    """Record 1:2 from the first row of results.csv, then 2:1 from a slip, and return the path of results.csv."""
    form, file = ev / "round-1" / "slips-1.pdf", ev / "round-1" / "results.csv"
    sheet = opened(file)
    sheet.rows[0].update(score_a="1", score_b="2")
    sheet.save(file)
    run("results", "ev")
    filled_in(
        form,
        here / "x.pdf",
        {"/1/a/score/1": "2", "/1/b/score/1": "1", "/1/a/lost/1": "1", "/1/b/lost/1": "2"},
    )
    assert "corrected from 1 < 2 (0/0) to 2 > 1 (1/2)" in run("results", "ev", "--from", "x.pdf")
    return file


def first_game(ev: Path) -> tuple[list[int], list[int], int]:
    """Return the scores and casualties of the first game, and the number of corrections in the round."""
    one = tomllib.loads((ev / "event.toml").read_text("utf-8"))["round"][0]
    game = next(g for g in one["results"] if (g["table"], g["game"]) == (1, 1))
    return game["score"], game.get("lost", [0, 0]), len(one.get("corrected", []))


@pytest.mark.parametrize("verb", ["results", "standings"])
def test_an_unchanged_row_does_not_undo_the_correction_from_a_slip(ev: Path, here: Path, verb: str) -> None:
    file = slip_against_sheet(ev, here)
    for _ in range(2):
        output = run(verb, "ev")
        assert "corrected" not in output and first_game(ev) == ([2, 1], [1, 2], 1)
        path = Path("ev") / "round-1" / "results.csv"
        unchanged = f"the row in {path}, line 2, still contains 1 < 2 (0/0)"
        assert f"{unchanged}, but the result 2 > 1 (1/2) was recorded later and is kept" in output
        assert "No new results" in run("results", "ev", "--from", "x.pdf")
    (row,) = json.loads(run("results", "ev", "--json"))["superseded"]
    assert (row["recorded"], row["read"]) == ("2 > 1 (1/2)", "1 < 2 (0/0)")
    # A row that is changed after the slip overrides the slip once. Reading the slip again does not undo the row.
    sheet = opened(file)
    sheet.rows[0].update(score_a="3", score_b="0")
    sheet.save(file)
    assert "corrected from 2 > 1 (1/2) to 3 > 0 (0/0)" in run("results", "ev")
    assert "was later corrected to 3 > 0 (0/0). The" in run("results", "ev", "--from", "x.pdf")
    assert "No new results" in run("results", "ev") and first_game(ev) == ([3, 0], [0, 0], 2)


@pytest.mark.parametrize("verb", ["results", "standings", "pair"])
def test_a_result_corrected_in_the_event_file_is_not_undone_by_an_unchanged_row(ev: Path, verb: str) -> None:
    file, event = ev / "round-1" / "results.csv", ev / "event.toml"
    filled(file).save(file)
    run("results", "ev")
    text = event.read_text("utf-8")
    old, new = 'won = "a", score = [2, 1], lost = [1, 2]', 'won = "b", score = [0, 3]'
    event.write_text(text.replace(old, new, 1), "utf-8")
    assert "still contains 2 > 1 (1/2), but the result 0 < 3 (0/0) was recorded later" in run("status", "ev")
    output = run(verb, "ev")
    place = Path("ev") / "round-1" / "results.csv"
    assert f"the row in {place}, line 2, still contains 2 > 1 (1/2), but the result 0 < 3" in output
    assert "corrected" not in output and first_game(ev) == ([0, 3], [0, 0], 0)
    line = next(line for line in run("results", "ev").splitlines() if "still contains" in line)
    # A row that is changed afterwards counts, and so does the row if its file is named.
    assert "corrected from 0 < 3 (0/0) to 2 > 1 (1/2)" in run(*shlex.split(line.rpartition("instead: ")[2])[2:])
    event.write_text(event.read_text("utf-8").replace("score = [2, 1], lost = [1, 2]", "score = [5, 3]", 1), "utf-8")
    sheet = opened(file)
    sheet.rows[0].update(score_a="4", score_b="1")
    sheet.save(file)
    assert "corrected from 5 > 3 (0/0) to 4 > 1 (1/2)" in run("results", "ev")


def test_a_result_deleted_from_the_event_file_is_not_recorded_again(ev: Path, here: Path) -> None:
    file, event = ev / "round-1" / "results.csv", ev / "event.toml"
    filled(file).save(file)
    run("results", "ev")

    def delete_first() -> None:
        text = event.read_text("utf-8")
        line = next(line for line in text.splitlines(keepends=True) if "table = 1, game = 1" in line)
        event.write_text(text.replace(line, ""), "utf-8")

    delete_first()
    place = Path("ev") / "round-1" / "results.csv"
    for verb in ("status", "results"):
        output = run(verb, "ev")
        assert f"the row in {place}, line 2, contains 2 > 1 (1/2), but this result was deleted" in output
        assert "tables that have no result yet: 1" in output
    assert json.loads(run("results", "ev", "--json"))["superseded"][0]["recorded"] == ""
    assert "results of these tables in round 1 are missing: 1" in run("pair", "ev", code=2)
    assert "Round 1: new results: 1" in run("results", "ev", place)
    # The same holds for a slip.
    fields = {"/1/a/score/1": "0", "/1/b/score/1": "3"}
    filled_in(ev / "round-1" / "slips-1.pdf", here / "x.pdf", fields)
    assert "corrected from 2 > 1" in run("results", "ev", "--from", "x.pdf")
    delete_first()
    output = run("results", "ev", "--from", "x.pdf")
    assert "x.pdf contains 0 < 3 (0/0), but this result was deleted from event.toml" in output
    assert f"enter it in {place}" in output


def test_a_slip_that_was_read_does_not_undo_a_correction_in_the_event_file(ev: Path, here: Path) -> None:
    fields = {"/1/a/score/1": "2", "/1/b/score/1": "1"}
    filled_in(ev / "round-1" / "slips-1.pdf", here / "x.pdf", fields)
    run("results", "ev", "--from", "x.pdf")
    event = ev / "event.toml"
    event.write_text(event.read_text("utf-8").replace("score = [2, 1]", "score = [3, 1]", 1), "utf-8")
    assert "x.pdf contains 2 > 1 (0/0), which has already been recorded" in run("results", "ev", "--from", "x.pdf")
    assert first_game(ev) == ([3, 1], [0, 0], 0)


def test_without_the_results_that_were_read_every_row_counts_as_changed(ev: Path, here: Path) -> None:
    """Events of version 0.2 do not contain the entry `read`."""
    file, event = slip_against_sheet(ev, here), ev / "event.toml"
    event.write_text(re.sub(r"read = \[.*?\]\n", "", event.read_text("utf-8"), flags=re.DOTALL), "utf-8")
    sheet = opened(file)
    sheet.rows[0].update(score_a="3", score_b="0")
    sheet.save(file)
    assert "corrected from 2 > 1 (1/2) to 3 > 0 (0/0)" in run("results", "ev")


def test_the_advised_command_records_the_unchanged_row(ev: Path, here: Path) -> None:
    slip_against_sheet(ev, here)
    line = next(line for line in run("results", "ev").splitlines() if "still contains 1 < 2" in line)
    assert "corrected from 2 > 1" in run(*shlex.split(line.rpartition("instead: ")[2])[2:])
    assert "The correction is kept" in run("results", "ev", "--from", "x.pdf")
    assert first_game(ev) == ([1, 2], [0, 0], 2)


def test_a_row_that_follows_its_slip_may_be_corrected_back(ev: Path, here: Path) -> None:
    file = slip_against_sheet(ev, here)
    sheet = opened(file)
    for score, lost in ((("2", "1"), ("1", "2")), (("1", "2"), ("", ""))):
        sheet.rows[0].update(score_a=score[0], score_b=score[1], lost_a=lost[0], lost_b=lost[1])
        sheet.save(file)
        assert "stays" not in run("results", "ev")
    assert first_game(ev) == ([1, 2], [0, 0], 2)


@pytest.mark.parametrize(("scores", "winner"), [(("2", "0"), "b"), (("4", "3"), "draw")])
def test_a_winner_against_the_scores_is_named_wherever_results_are_read(
    ev: Path, scores: tuple[str, str], winner: str
) -> None:
    file = ev / "round-1" / "results.csv"
    sheet = opened(file)
    row = sheet.rows[0]
    row.update(score_a=scores[0], score_b=scores[1], winner=winner)
    sheet.rows[1].update(score_a="1", score_b="1", winner="a")
    sheet.save(file)
    expected = (
        f"Round 1, table 1, game 1, {row['player_a']} – {row['player_b']}: the scores contradict the recorded winner"
    )
    for args in (("results", "ev"), ("standings", "ev"), ("results", "ev"), ("standings", str(file))):
        output = run(*args)
        assert output.count(expected) == output.count("contradict the recorded winner") == 1, args
    disputed = json.loads(run("standings", "ev", "--json"))["disputed"]
    assert disputed == [{"round": 1, "table": 1, "game": 1}]
    game = tomllib.loads((ev / "event.toml").read_text("utf-8"))["round"][0]["results"][0]
    assert game["won"] == winner


def emptied(file: Path, how: str) -> None:
    """Delete a results.csv, empty it, or leave only its headings."""
    if how == "deleted":
        file.unlink()
    else:
        file.write_bytes(b"" if how == "empty" else file.read_bytes().splitlines(keepends=True)[0])


def last_command(output: str) -> list[str]:
    """Return the arguments after `muster tournament` of the last command that an output suggests."""
    return shlex.split(output.strip().splitlines()[-1].rpartition("muster tournament ")[2])


@pytest.mark.parametrize("how", ["deleted", "empty", "headings"])
@pytest.mark.parametrize("played", [True, False])
def test_a_lost_results_csv_is_written_again(ev: Path, how: str, played: bool) -> None:
    file = ev / "round-1" / "results.csv"
    fresh = file.read_bytes()
    sheet = opened(file)
    if played:
        sheet.rows[0].update(score_a="2", score_b="1", lost_a="1")
        sheet.rows[1].update(score_a="0", score_b="0", winner="b")
        sheet.save(file)
        run("results", "ev")
    known = results_of(ev)
    emptied(file, how)
    output = run("results", "ev")
    assert f"Round 1: {Path('ev') / 'round-1' / 'results.csv'} is missing or empty. To write it again: " in output
    assert last_command(output) == ["pack", "ev"] == last_command(run("status", "ev"))
    output = run("pack", "ev", "--parts", "records", "--fillable")
    assert "is filled in" not in output and last_command(output) == ["results", "ev"]
    assert results_of(ev) == known
    if played:
        assert "This file was written again, with the results recorded so far" in output
        rows = opened(file).rows
        assert [rows[0][column] for column in FILLED] == ["2", "1", "1", "0", ""]
        assert [rows[1][column] for column in FILLED] == ["0", "0", "0", "0", "b"]
        assert [{**row, **dict.fromkeys(FILLED, "")} for row in rows] == [
            {**row, **dict.fromkeys(FILLED, "")} for row in sheet.rows
        ]
    else:
        assert file.read_bytes() == fresh
    filled(file).save(file)
    assert "new results" in run("results", "ev")


def test_a_deleted_row_is_shown_as_the_line_to_paste(ev: Path) -> None:
    file = ev / "round-1" / "results.csv"
    before = file.read_text("utf-8-sig").splitlines()
    for gone in ([3], [3, 4], [5], [1, 2, 5]):
        file.write_text("\n".join(line for at, line in enumerate(before) if at not in gone) + "\n", "utf-8-sig")
        output = run("results", "ev")
        path = Path("ev") / "round-1" / "results.csv"
        lines = [f"To put a row back, add this line to {path}: {before[at]}" for at in gone]
        assert [line for line in output.splitlines() if line.startswith("To put")] == lines
        assert "before stay" not in output, "nothing was recorded"
    (missing,) = json.loads(run("results", "ev", "--json"))["missing"]
    assert missing["rows"] == [before[at] for at in (1, 2, 5)]


def test_rows_of_another_round_do_not_lead_in_a_circle(ev: Path) -> None:
    one = ev / "round-1" / "results.csv"
    filled(one).save(one)
    run("results", "ev")
    run("pair", "ev")
    run("pack", "ev", "--parts", "records")
    two = ev / "round-2" / "results.csv"
    fresh = two.read_bytes()
    two.write_bytes(one.read_bytes())
    output = run("results", "ev", code=3)
    reset = "muster tournament pack ev --round 2 --reopen"
    assert (
        f"but the file is for round 2 (correct the file, or keep a copy and write the file again with {reset})"
        in output
    )
    output = run("pack", "ev", "--parts", "records")
    assert f"no row of {Path('ev') / 'round-2' / 'results.csv'} can be recorded" in output and reset in output
    assert "Played" not in output.replace("Played (" + str(Path("ev") / "round-1"), "")
    run("pack", "ev", "--round", "2", "--reopen", "--parts", "records")
    assert two.read_bytes() == fresh


@pytest.mark.parametrize(
    ("lang", "during", "after"),
    [
        ("en", "During round 1 (1 of 4 games)", "After round 1"),
        ("ja", "第1ラウンド途中（4戦中1戦）", "第1ラウンド終了時"),
    ],
)
def test_standings_name_a_round_that_is_not_over(ev: Path, lang: str, during: str, after: str) -> None:
    file = ev / "round-1" / "results.csv"
    sheet = opened(file)
    sheet.rows[0].update(score_a="1", score_b="0")
    sheet.save(file)

    def shows(title: str, other: str) -> bool:
        output = run("standings", "ev", "--lang", lang)
        with pikepdf.open(ev / "standings.pdf") as pdf:
            heading = str(pdf.docinfo.get("/Title"))
        return title in output and other not in output and title in heading and other not in heading

    assert shows(during, after)
    filled(file).save(file)
    assert shows(after, during)


@pytest.mark.parametrize(
    ("locale", "lang", "option"),
    [("C", "ja", " --lang ja"), ("ja_JP.UTF-8", "en", " --lang en"), ("ja_JP.UTF-8", "ja", ""), ("C", "", "")],
)
def test_advised_commands_keep_the_language(
    here: Path, monkeypatch: pytest.MonkeyPatch, locale: str, lang: str, option: str
) -> None:
    monkeypatch.setenv("LC_ALL", locale)
    given = ("--lang", lang) if lang else ()
    (here / "names.txt").write_text("Ann\nBob\n", "utf-8")
    output = run("new", "battling", "--players", "names.txt", "-o", "ev", *given)
    assert output.strip().endswith(f"muster tournament pair ev{option}")
    assert run("pair", "ev", *given).strip().endswith(f"muster tournament pack ev{option}")
    output = run("pack", "ev", "--parts", "records", *given)
    assert f"muster tournament results ev{option}" in output
    if option.endswith("ja"):
        assert "陣営" in output or "次に" in output


@pytest.mark.parametrize(
    ("lang", "no_standings", "not_paired", "then", "status"),
    [
        (
            *("en", "ev: no standings were computed, because some results cannot be used"),
            "ev: round 2 was not paired, because some results cannot be recorded",
            "correct what is listed below, then run muster tournament {verb}",
            "These rows cannot be recorded: {file}, line 2, 3. To list the reasons: muster tournament results ev\n",
        ),
        (
            *("ja", "ev: 使えない結果があるため、順位を計算しませんでした"),
            "ev: 記録できない結果があるため、第2ラウンドを組みませんでした",
            "以下の箇所を直してから実行してください：muster tournament {verb}",
            "{file}の2、3行目は記録できません。理由を見るには：muster tournament results ev",
        ),
    ],
)
def test_commands_that_rejected_rows_stop_state_what_was_not_done(
    ev: Path, lang: str, no_standings: str, not_paired: str, then: str, status: str
) -> None:
    """They listed only the rows, so that a reader could not see whether there were standings or pairings."""
    file = ev / "round-1" / "results.csv"
    sheet = filled(file)
    sheet.games[0].update(score_a="x")
    sheet.games[1].update(player_a="Zed")
    at = sheet.save(file)
    for verb, start in (("standings ev", no_standings), ("pair ev", not_paired)):
        first, *rows = run(*verb.split(), "--lang", lang, code=3).splitlines()[-3:]
        assert first.startswith(start) and then.format(verb=verb) in first
        assert [row.partition(": ")[0] for row in rows] == [f"{file.relative_to(ev.parent)}:{n}" for n in at[:2]]
    assert not (ev / "standings.pdf").exists() and not (ev / "round-2").exists()
    table = str(file.relative_to(ev.parent))
    first, *_ = run("standings", table, "--lang", lang, code=3).splitlines()
    assert no_standings.removeprefix("ev: ") in first and then.format(verb=f"standings {table}") in first
    output = run("status", "ev", "--lang", lang)
    assert status.format(file=table) in output


@pytest.mark.parametrize(
    ("lang", "expected"),
    [
        ("en", "--reopen: choose the round to make again; rounds that have been played: 1 (to pack round 1 again: "),
        ("ja", "--reopen：作り直すラウンドを指定してください。対戦済みのラウンド：1（第1ラウンドを作り直すには："),
    ],
)
def test_reopen_without_the_round_to_pack_again_is_refused(ev: Path, lang: str, expected: str) -> None:
    """`pack --reopen` left every played round as it was, and exited with 0."""
    filled(ev / "round-1" / "results.csv").save(ev / "round-1" / "results.csv")
    run("results", "ev")
    again = "muster tournament pack ev --round 1 --reopen"
    output = run("pack", "ev", "--reopen", "--lang", lang, code=2)
    assert expected + again in output
    assert "Round 1: the pages were printed again" in run(*again.split()[2:], "--parts", "records")


def test_reopen_with_other_pairings_names_the_played_rounds_that_stay(ev: Path) -> None:
    one, two = (ev / f"round-{n}" / "results.csv" for n in (1, 2))
    filled(one).save(one)
    run("results", "ev")
    run("pair", "ev")
    run("pack", "ev", "--parts", "records")
    filled(two).save(two)
    pairs = [[row[key] for row in opened(two).games[::2]] for key in ("player_a", "player_b")]
    rows = [f"1,{row['table']},{row['player_a']},{row['player_b']}" for row in opened(one).rows]
    rows += [f"2,{at},{a},{b}" for at, (a, b) in enumerate(zip(pairs[0], reversed(pairs[1]), strict=True), 1)]
    rows += [f"2,,{row['player_a']}," for row in opened(two).rows if not row["game"]]
    (ev.parent / "rounds.csv").write_text("\n".join(dict.fromkeys(["round,table,player_a,player_b", *rows])), "utf-8")
    output = run("pack", "ev", "--pairings", "rounds.csv", "--reopen", "--allow-rematch", "--dry-run")
    assert "To make round 1 again as well: muster tournament pack ev --round 1 --reopen" in output
    assert "Round 2 is reopened" in output


def test_reopen_needs_a_round_that_is_paired(ev: Path) -> None:
    """`pair --reopen` named only the missing results, or paired the next round."""
    message = "--reopen: round 2 is not paired yet, so it cannot be reopened (to pair round 1 again: {command})\n"
    again = "muster tournament pair ev --round 1"
    assert message.format(command=again) in run("pair", "ev", "--reopen", code=2)
    filled(ev / "round-1" / "results.csv").save(ev / "round-1" / "results.csv")
    run("results", "ev")
    assert message.format(command=f"{again} --reopen") in run("pair", "ev", "--reopen", code=2)
    run(*again.split()[2:], "--reopen")
