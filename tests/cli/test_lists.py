"""Tests for lists of players and tables on the command line, which may be reported, questioned or refused."""

from __future__ import annotations

import io
import json
import os
import pty
import select
import subprocess
import time
import zipfile
from pathlib import Path

import pytest

from tests.cli.run import MUSTER, muster

NEW = ("tournament", "new", "battling", "--rounds", "3", "--seed", "K7Q2M-9FHN5", "-o", "ev")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_list_that_excel_saved_in_france_reads_right_and_says_how_it_was_read(here: Path) -> None:
    (here / "f.csv").write_bytes("Name\r\nAnn Alder\r\nRenée Example\r\nBob Birch\r\n".encode("cp1252"))
    done = muster(*NEW, "--players", "f.csv")
    assert (done.code, done.out.splitlines()[0]) == (
        0,
        "f.csv was read as cp1252; to choose another encoding, add --encoding",
    )
    assert 'name = "Renée Example"' in (here / "ev" / "event.toml").read_text("utf-8")
    answer = muster("tournament", "join", "ev", "--players", "f.csv", "--json").json["told"]
    assert answer[0] == "f.csv was read as cp1252; to choose another encoding, add --encoding"
    japanese = muster("tournament", "join", "ev", "--players", "f.csv", "--lang", "ja")
    assert japanese.out.startswith("f.csv は cp1252 として読みました")


def test_two_readings_are_shown_and_any_codec_settles_them(here: Path) -> None:
    (here / "n.csv").write_bytes(b"Ma\xea\nLi\n")
    done = muster(*NEW, "--players", "n.csv")
    assert done.code == 3
    assert "n.csv:1: the encoding is uncertain: the text reads “Maê” in cp1252, but “Maę” in cp1250" in done.err
    assert "--encoding cp1252 or --encoding cp1250" in done.err
    for codec, name in (("cp1250", "Maę"), ("latin-1", "Maê"), ("ISO-8859-13", "Maź"), ("mac-roman", "MaÍ")):
        answer = muster(*NEW, "--players", "n.csv", "--encoding", codec, "--dry-run", "--json").json
        assert [one["name"] for one in answer["players"]] == [name, "Li"]
    for wrong in ("cp12520", "base64", "rot13", "nonsense", "x\0y", ""):
        done = muster(*NEW, "--players", "n.csv", "--encoding", wrong)
        assert (done.code, "is not an encoding" in done.err) == (2, True), done.err
    assert "did you mean cp1252?" in muster(*NEW, "--players", "n.csv", "--encoding", "cp12520").err


def test_players_who_are_not_here_are_refused_without_a_terminal(here: Path) -> None:
    (here / "l.csv").write_text("Name,Checked In,Dropped\nAnn,TRUE,\nBob,FALSE,\nCy,TRUE,yes\nDee,TRUE,\n")
    for verb in ((*NEW, "--players", "l.csv"), ("tournament", "pack", "--players", "l.csv", "--rounds", "2")):
        done = muster(*verb)
        assert (done.code, done.err.count("--absent skip"), (here / "ev").exists()) == (3, 2, False)
        assert "l.csv:3: Bob is marked as absent or late: Checked In is “FALSE”" in done.err
    answer = muster(*NEW, "--players", "l.csv", "--json", "--absent", "skip")
    assert [one["name"] for one in answer.json["players"]] == ["Ann", "Dee"]
    assert answer.json["told"][0].startswith("Players left out, because they are marked as absent: Bob, Cy")
    assert muster("tournament", "join", "ev", "--players", "l.csv").code == 3
    done = muster("tournament", "join", "ev", "--players", "l.csv", "--absent", "seat")
    assert (done.code, done.out.splitlines()[0]) == (
        0,
        "Players included, although they are marked as absent: Bob, Cy",
    )


@pytest.mark.parametrize(("answer", "players"), [("skip", ["Ann", "Dee"]), ("seat", ["Ann", "Bob", "Dee"])])
def test_they_are_asked_about_on_a_terminal(here: Path, answer: str, players: list[str]) -> None:
    (here / "l.csv").write_text("Name,Checked In\nAnn,TRUE\nBob,FALSE\nDee,TRUE\n")
    ours, terminal = pty.openpty()
    with subprocess.Popen([*MUSTER, *NEW, "--players", "l.csv"], stdin=terminal, stdout=terminal, stderr=terminal,
                          env={**os.environ, "LC_ALL": "C.UTF-8"}) as made:  # fmt: skip
        os.close(terminal)
        seen, until = b"", time.monotonic() + 60
        while b"(skip, seat)" not in seen and time.monotonic() < until:
            if select.select([ours], [], [], 1)[0]:
                seen += os.read(ours, 4096)
        os.write(ours, f"{answer}\n".encode())
        assert made.wait(60) == 0
    os.close(ours)
    assert "Bob is marked as absent or late: Checked In is “FALSE”" in seen.decode()
    status = muster("tournament", "status", "ev", "--json").json
    assert [one["name"] for one in status["players"]] == players


def test_columns_that_are_not_read_are_reported_once(here: Path) -> None:
    (here / "l.csv").write_text(
        "First Name,Last Name,Faction,Checked In\nAnn,Alder,Elves,TRUE\nBob,Birch,Orcs,TRUE\n"
    )
    done = muster(*NEW, "--players", "l.csv")
    assert (done.code, done.out.count("l.csv: columns not used: Faction\n")) == (0, 1)
    (here / "p.csv").write_text("round,a,b,army\n1,Ann Alder,Bob Birch,Elves\n")
    done = muster("tournament", "pack", "--pairings", "p.csv", "-o", "cup", "--dry-run")
    assert (done.code, done.out.count("p.csv: columns not used: army\n")) == (0, 1)


def test_pairings_are_reported_with_all_that_is_not_used(here: Path) -> None:
    """Scores, times and the rows of other rounds were dropped without a word."""
    (here / "n.txt").write_text("Ann\nBob\nCy\nDee\n")
    assert muster(*NEW, "--players", "n.txt").code == 0
    (here / "p.csv").write_text(
        "round,table,start,player_a,player_b,score_a,score_b,player_c,\n1,1,10:00,Ann,Bob,3,1,,x\n1,2,,Cy,Dee,,,,\n"
    )
    heads = "start, score_a, score_b, player_c"
    done = muster("tournament", "pair", "ev", "--pairings", "p.csv", "--dry-run")
    assert done.out.startswith(f"p.csv: columns not used: {heads}, column 9, which has no heading\n")
    done = muster("tournament", "pack", "--pairings", "p.csv", "-o", "cup", "--dry-run")
    assert "p.csv: columns not used: score_a, score_b, start, player_c, column 9, which has no heading\n" in done.out
    (here / "b.txt").write_text(
        "Bo.  Name  Rtg   Result  Name  Rtg\n1  Ann  1500  1-0  Bob  1400\n2  Cy  1500  0-1  Dee  1400\nNotes\n"
    )
    done = muster("tournament", "pair", "ev", "--pairings", "b.txt", "--dry-run")
    assert done.out.splitlines()[:2] == [
        "b.txt: columns not used: Rtg, Result", "b.txt:4: this line is not part of the table and is left out"
    ]  # fmt: skip
    (here / "r.csv").write_text("round,player_a,player_b\n1,Ann,Bob\n1,Cy,Dee\n2,Ann,Cy\n2,Bob,Dee\n")
    done = muster("tournament", "pair", "ev", "--pairings", "r.csv", "--dry-run")
    assert done.out.startswith("r.csv: the pairings of round 2 are not used\n")


def test_a_report_of_ours_is_read_as_players_and_as_rounds(here: Path) -> None:
    (here / "n.txt").write_text("Ann\nBob\nCy\n")
    for command in (
        (*NEW, "--players", "n.txt"),
        ("tournament", "pair", "ev"),
        ("tournament", "standings", "ev", "-o", "s"),
        ("tournament", "new", "battling", "--players", "s/standings.trf", "-o", "ev2"),
        ("tournament", "pair", "ev2", "--pairings", "s/standings.trf"),
    ):
        done = muster(*command)
        assert done.code == 0, done.err
    one, two = (muster("tournament", "status", ev, "--json").json for ev in ("ev", "ev2"))
    assert [p["name"] for p in one["players"]] == [p["name"] for p in two["players"]]
    assert one["round"][0]["tables"] == two["round"][0]["tables"]
    done = muster("tournament", "pack", "--pairings", "s/standings.trf", "-o", "cup")
    assert (done.code, "this is a TRF16 file" in done.err, "pair EVENT --pairings FILE" in done.err) == (
        3,
        True,
        True,
    )


def test_files_of_other_kinds_are_named(here: Path) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("xl/workbook.xml", "x")
    (here / "l.xlsx").write_bytes(out.getvalue())
    (here / "n.txt").write_text("Ann\nBob\n")
    assert muster(*NEW, "--players", "n.txt").code == 0
    for command in (
        ("tournament", "new", "battling", "--players", "l.xlsx", "-o", "x"),
        ("tournament", "join", "ev", "--players", "l.xlsx"),
        ("tournament", "pair", "ev", "--pairings", "l.xlsx"),
        ("tournament", "pack", "--pairings", "l.xlsx", "-o", "y"),
        ("tournament", "results", "ev", "l.xlsx"),
        ("tournament", "standings", "l.xlsx"),
    ):
        done = muster(*command, "--json")
        assert done.code == 3, command
        (problem,) = json.loads(done.out)["problems"]
        assert problem["message"] == "this is an Excel workbook (.xlsx)"
        assert problem["hint"] == "to import it: muster import l.xlsx"


def test_results_in_a_legacy_encoding_are_read_by_the_names_of_the_event(here: Path) -> None:
    (here / "n.txt").write_text("Maę\nOla\n", "utf-8")
    assert muster(*NEW, "--players", "n.txt").code == 0
    assert muster("tournament", "pair", "ev").code == 0
    meeting = muster("tournament", "status", "ev", "--json").json["round"][0]["tables"][0]
    head = "round,table,game,player_a,player_b,score_a,score_b\n"
    rows = "".join(f"1,1,{game},{meeting['a']},{meeting['b']},2,1\n" for game in (1, 2))
    (here / "r.csv").write_bytes((head + rows).encode("cp1250"))
    done = muster("tournament", "results", "ev", "r.csv", "--json")
    assert (done.code, done.err) == (0, "r.csv was read as cp1250; to choose another encoding, add --encoding\n")
    assert done.json["round"][0]["waiting"] == []
