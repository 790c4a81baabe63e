"""Tests for a complete club day with 24 players, 5 rounds, two drop-outs, a late entry and a correction."""

from __future__ import annotations

import csv
import io
import json
import random
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pikepdf
import pytest

from tests.cli import once
from tests.cli.conftest import CODE
from tests.cli.run import contents, muster

NAMES = [
    f"{first} {last}"
    for first in ("Ann", "Bob", "Cid", "Dan")
    for last in ("Ito", "Kato", "Mori", "Ono", "Sato", "Ueda")
]


def run(*args: str | Path, code: int = 0) -> str:
    done = muster("tournament", *args)
    assert done.code == code, done.err
    return done.out if code == 0 else done.err


def fill(file: Path, rnd: random.Random, maximum: int, over: int = 99) -> None:
    """Write a result into each row of a game. If `over` wins at once, only one player reaches it."""
    rows = list(csv.reader(io.StringIO(file.read_text("utf-8-sig"))))
    for row in rows[1:]:
        if row[2]:
            one, two = rnd.randrange(maximum + 1), rnd.randrange(maximum + 1)
            row[7:11] = [str(one), str(two if one < over else min(two, over - 1)), str(rnd.randrange(9)), "1"]
    _write(file, rows)


def _write(file: Path, rows: list[list[str]]) -> None:
    out = io.StringIO()
    csv.writer(out).writerows(rows)
    file.write_text(out.getvalue(), "utf-8-sig", newline="")


def by_hand(folder: Path) -> list[tuple[str, int, int, int, int]]:
    """Compute points, games won, margin and casualties of each player from the slips alone, best player first."""
    tally: dict[str, list[int]] = {}
    for file in sorted(folder.glob("round-*/results.csv")):
        for row in list(csv.reader(io.StringIO(file.read_text("utf-8-sig"))))[1:]:
            a, b = row[3], row[5]
            for name in (a, b) if row[2] else (a,):
                tally.setdefault(name, [0, 0, 0, 0])
            if not row[2]:
                tally[a][0] += 4
                tally[a][1] += 2
                continue
            one, two = int(row[7]), int(row[8])
            for name, user_score, his, lost in ((a, one, two, row[9]), (b, two, one, row[10])):
                tally[name][0] += 2 if user_score > his else 1 if user_score == his else 0
                tally[name][1] += user_score > his
                tally[name][2] += user_score - his
                tally[name][3] += int(lost)
    lines = [(name, of[0], of[1], of[2], of[3]) for name, of in tally.items()]
    return sorted(lines, key=lambda line: (-line[1], -line[2], -line[3], line[4]))


@pytest.mark.parametrize(("game", "lang", "maximum"), [("battling", "en", 2), ("travel_battle", "ja", 3)])
def test_a_whole_club_day(here: Path, game: str, lang: str, maximum: int) -> None:
    rnd, cup = random.Random(game), here / "cup"
    (here / "names.txt").write_text("\n".join(NAMES), "utf-8")
    small = ("--parts", "records", "--lang", lang)
    run(
        "new",
        game,
        "--players",
        "names.txt",
        "--rounds",
        "5",
        "--seed",
        CODE,
        "--sealed",
        "-o",
        "cup",
        "--lang",
        lang,
    )
    frozen: dict[int, dict[str, bytes]] = {}
    for number in range(1, 6):
        if number == 2:
            run("drop", "cup", "Ann Ito")
        if number == 3:
            assert "Bob Ono" in run("drop", "cup", "Bob Onno", code=2)
            run("drop", "cup", "Bob Ono")
            run("join", "cup", "Late Entry", "--table", "7")
        run("pair", "cup", "--lang", lang)
        run("pack", "cup", *small)
        folder = cup / f"round-{number}"
        if number == 4:  # table 7 asks for new sheets, and the reprinted round is identical
            before = contents(folder)
            run("pack", "cup", "--round", "4", *small)
            assert contents(folder) == before
        fill(folder / "results.csv", rnd, maximum, over=2 if game == "travel_battle" else 99)
        run("results", "cup")
        frozen[number] = contents(folder)
        if number == 4:  # a result of round 2 was recorded incorrectly
            _correct(cup, maximum)
            frozen[2] = contents(cup / "round-2")
        run("pack", "cup", *small)
        assert {n: contents(cup / f"round-{n}") for n in frozen} == frozen
    event_file = tomllib.loads((cup / "event.toml").read_text("utf-8"))
    meetings = Counter(
        frozenset((m["a"], m["b"])) for one in event_file["round"] for m in one["meetings"] if "b" in m
    )
    byes = Counter(m["a"] for one in event_file["round"] for m in one["meetings"] if "b" not in m)
    assert max(meetings.values()) == 1 and max(byes.values(), default=1) == 1
    assert [len(one["meetings"]) for one in event_file["round"]] == [12, 12, 12, 12, 12]
    late_entry = [
        m for one in event_file["round"] for m in one["meetings"] if "Late Entry" in (m["a"], m.get("b")) and "b" in m
    ]
    assert {m["table"] for m in late_entry} == {7}
    (change,) = event_file["round"][1]["corrected"]
    assert change["was"]["game"] == 1 and change["at"].endswith("Z")
    standings = muster("tournament", "standings", "cup", "--json").json["standings"]
    rows = [(r["player"], r["points"], r["wins"], r["margin"], r["lost"]) for r in standings]
    hand = by_hand(cup)
    assert sorted(rows) == sorted(hand)
    assert [line[1:] for line in rows] == [line[1:] for line in hand]
    assert [r["rank"] for r in standings] == list(range(1, 26))
    run("commit", "cup", "--dry-run")
    assert not (cup / "commitment.json").exists()
    run("commit", "cup")
    run("reveal", "cup/commitment.json", "cup/round-1")
    assert muster("verify", "cup").code == 0


def _correct(cup: Path, maximum: int) -> None:
    """Correct the score of the first game of round 2. A score above the game's maximum is refused."""
    file = cup / "round-2" / "results.csv"
    rows = list(csv.reader(io.StringIO(file.read_text("utf-8-sig"))))
    old, game = rows[1][7:9], next(row for row in rows if row[2] == "1")
    for score, code in ((str(maximum + 1000), 3), (str(maximum) if old[0] != str(maximum) else "0", 0)):
        game[7:9] = [score, "0"]
        _write(file, rows)
        output = run("results", "cup", code=code)
        assert ("highest possible score" in output) == (code == 3)
    name, game[3] = game[3], "Dan Otto"
    _write(file, rows)
    assert "does not play in round 2" in run("results", "cup", code=3)
    game[3] = name
    _write(file, rows)


@pytest.fixture
def cup(here: Path) -> Path:
    """Return an event of five players. The first round is packed and filled in, and the second is paired."""
    (here / "names.txt").write_text("Ann\nBob\nCid\nDan\nEve\n", "utf-8")
    run("new", "battling", "--players", "names.txt", "--rounds", "4", "--seed", CODE, "-o", "cup")
    run("pair", "cup")
    run("pack", "cup", "--parts", "records")
    fill(here / "cup" / "round-1" / "results.csv", random.Random(1), 1)
    run("results", "cup")
    run("pair", "cup")
    return here / "cup"


def test_each_verb_says_what_comes_next(cup: Path) -> None:
    assert "Next: muster tournament pack cup" in run("status", "cup")
    run("pack", "cup", "--parts", "records")
    assert "then run muster tournament results cup" in run("status", "cup")
    assert "are missing" in run("pair", "cup", code=2)
    fill(cup / "round-2" / "results.csv", random.Random(2), 1)
    assert "Next: muster tournament pair cup" in run("results", "cup")


def test_a_dry_run_writes_nothing(cup: Path) -> None:
    before = everything(cup)
    for args in (
        ("new", "battling", "--players", "names.txt", "-o", "other", "--dry-run"),
        ("join", "cup", "Fay", "--dry-run"),
        ("drop", "cup", "Ann", "--dry-run"),
        ("pair", "cup", "--round", "2", "--dry-run"),
        ("pack", "cup", "--dry-run"),
        ("results", "cup", "--dry-run"),
        ("standings", "cup", "--dry-run"),
        ("day", "cup", "--dry-run"),
    ):
        run(*args)
    assert everything(cup) == before
    assert not (cup.parent / "other").exists() and not (cup.parent / "output").exists()


def test_a_played_round_is_packed_again_only_on_request(cup: Path) -> None:
    pages = contents(cup / "round-1")
    output = run("pair", "cup", "--round", "1", code=2)
    assert (
        "round 1 has been played" in output
        and "add --reopen to make the round again; this undoes the pairings of these rounds: 1, 2, and results: 4"
        in output
    )
    assert "round 1 has been played" in run("pack", "cup", "--round", "1", code=2)
    anew = ("pack", "cup", "--round", "1", "--reopen", "--dry-run")
    assert (
        "Round 1: the pages were printed again, although the round has been played. The results are unchanged"
        in run(*anew).splitlines()
    )
    assert "第1ラウンドは対戦済みです。印刷物だけを作り直し、結果はそのまま残します" in run(*anew, "--lang", "ja")
    assert contents(cup / "round-1") == pages
    output = run("pair", "cup", "--round", "1", "--reopen")
    assert "This undoes the pairings of these rounds: 1, 2, and results: 4. A copy is kept at the end of" in output
    assert output.splitlines()[-1] == "Next: muster tournament pack cup"
    event_file = tomllib.loads((cup / "event.toml").read_text("utf-8"))
    assert [one["number"] for one in event_file["round"]] == [1] and "results" not in event_file["round"][0]
    assert len(event_file["undone"][0]["round"]["results"]) == 4
    # The pages are reprinted and the results are cleared, whether or not the pairs change.
    (cup.parent / "p.csv").write_text("round,table,player_a,player_b\n1,1,Eve,Dan\n1,2,Cid,Bob\n1,,Ann,\n", "utf-8")
    run("pair", "cup", "--round", "1", "--pairings", "p.csv")
    run("pack", "cup", "--parts", "records")
    rows = list(csv.reader(io.StringIO((cup / "round-1" / "results.csv").read_text("utf-8-sig"))))
    assert [(row[3], row[5], row[7]) for row in rows[1:3]] == [("Eve", "Dan", "")] * 2
    assert "Round 1 (tables: 2): packed" in run("status", "cup")
    fill(cup / "round-1" / "results.csv", random.Random(4), 1)
    (cup.parent / "p.csv").write_text("round,table,player_a,player_b\n1,1,Ann,Bob\n1,2,Cid,Dan\n1,,Eve,\n", "utf-8")
    again = ("pack", "battling", "--pairings", "p.csv", "-o", "cup", "--parts", "records")
    assert "round 1 has been played, but would be paired differently" in run(*again, code=2)
    run(*again, "--reopen")
    event_file = tomllib.loads((cup / "event.toml").read_text("utf-8"))
    assert [len(one["round"]["results"]) for one in event_file["undone"]] == [4, 4]
    assert event_file["round"][0]["meetings"][0]["b"] == "Bob"
    assert muster("verify", "cup").code == 0


def test_both_halves_of_a_slip_show_the_same_text(cup: Path) -> None:
    file = cup / "round-1" / "results.csv"
    rows = list(csv.reader(io.StringIO(file.read_text("utf-8-sig"))))
    rows.append(list(rows[1]))
    _write(file, rows)
    run("results", "cup")
    rows[-1][7:9] = ["0", "0"] if rows[1][7:9] != ["0", "0"] else ["1", "0"]
    _write(file, rows)
    assert "there are two different results" in run("results", "cup", code=3)


def test_pairings_of_other_tools_are_read_and_repeats_need_a_word(cup: Path) -> None:
    here = cup.parent
    for number, text in enumerate(
        (
            "Vereinsturnier 2026\nPaarungen der 2. Runde\n\nTisch  Teilnehmer  -  Teilnehmer  Ergebnis\n"
            "1  Ann  -  Bob  :\n2  Cid  -  Dan  :\n   Eve  -  spielfrei\n",
            "Ronde 2\nEch.;Blancs;Noirs\n1;Ann;Bob\n2;Cid;Dan\n;Eve;exempt\n",
            "3\n1 2\n3 4\n5 0\n",
            "第2ラウンド\n卓,選手A,選手B\n1,Ann,Bob\n2,Cid,Dan\n,Eve,不戦勝\n",
        )
    ):
        file = here / f"{number}.txt"
        file.write_text(text, "utf-8")
        run("pair", "cup", "--round", "2", "--pairings", file, "--allow-rematch")
        event_file = tomllib.loads((cup / "event.toml").read_text("utf-8"))
        assert [(m["a"], m.get("b")) for m in event_file["round"][1]["meetings"]] == [
            ("Ann", "Bob"),
            ("Cid", "Dan"),
            ("Eve", None),
        ]
    first = event_file["round"][0]["meetings"][0]
    (here / "again.csv").write_text(f"round,table,player_a,player_b\n2,1,{first['a']},{first['b']}\n", "utf-8")
    output = run("pair", "cup", "--round", "2", "--pairings", "again.csv", code=2)
    assert "met in round 1" in output and "--allow-rematch" in output
    (here / "who.csv").write_text("round,table,player_a,player_b\n2,1,Ann,Cidd\n", "utf-8")
    assert "who.csv:2: there is no player named 'Cidd' (did you mean Cid?)" in run(
        "pair", "cup", "--round", "2", "--pairings", "who.csv", code=3
    )


def test_trf_is_written_and_read_again(cup: Path) -> None:
    run("standings", "cup", "-o", "st")
    text = (cup.parent / "st" / "standings.trf").read_text("utf-8")
    lines = [line for line in text.splitlines() if line.startswith("001")]
    assert [line[14:47].strip() for line in lines] == ["Ann", "Bob", "Cid", "Dan", "Eve"]
    before = tomllib.loads((cup / "event.toml").read_text("utf-8"))["round"][1]["meetings"]
    run("pair", "cup", "--round", "2", "--pairings", "st/standings.trf")
    after = tomllib.loads((cup / "event.toml").read_text("utf-8"))["round"][1]["meetings"]
    assert {(m["a"], m.get("b")) for m in after} == {(m["a"], m.get("b")) for m in before}


def test_an_event_of_0_1_is_taken_over(here: Path) -> None:
    run("pack", "battling", "--players", "5", "--rounds", "2", "--parts", "records", "-o", "old")
    fill(here / "old" / "round-1" / "results.csv", random.Random(3), 1)
    (here / "old" / "event.toml").unlink()
    output = run("status", "old")
    assert "Round 1 (tables: 2)" in output and "Round 2 (tables: 2)" in output
    run("results", "old")
    event_file = tomllib.loads((here / "old" / "event.toml").read_text("utf-8"))
    assert len(event_file["players"]) == 5 and len(event_file["round"][0]["results"]) == 4


def test_the_dutch_system_of_fide(here: Path) -> None:
    (here / "names.txt").write_text("\n".join(NAMES[:9]), "utf-8")
    run("new", "battling", "--players", "names.txt", "--system", "dutch", "--seed", CODE, "-o", "cup")
    for name in NAMES[4:9]:
        run("join", "cup", name, "--no-bye")
    meetings: Counter[frozenset[str]] = Counter()
    byes: list[str] = []
    for number in range(1, 4):
        run("pair", "cup")
        lines = ["round,table,game,player_a,player_b,score_a,score_b"]
        for m in tomllib.loads((here / "cup" / "event.toml").read_text("utf-8"))["round"][-1]["meetings"]:
            if "b" in m:
                meetings[frozenset((m["a"], m["b"]))] += 1
                lines += [f"{number},{m['table']},{game},{m['a']},{m['b']},1,0" for game in (1, 2)]
            else:
                byes.append(m["a"])
        (here / "r.csv").write_text("\n".join(lines), "utf-8")
        run("results", "cup", "r.csv")
    assert max(meetings.values()) == 1 and sum(meetings.values()) == 12
    assert len(set(byes)) == 3 and set(byes) <= set(NAMES[:4])


def test_single_games_balance_the_sides_and_bids_are_taken_off(here: Path) -> None:
    (here / "names.txt").write_text("\n".join(NAMES[:6]), "utf-8")
    run("new", "battling", "--players", "names.txt", "--games", "1", "--bid", "banners", "--seed", CODE, "-o", "cup")
    for number in range(1, 5):
        run("pair", "cup")
        if number == 1:
            run("pack", "cup", "--parts", "records")
            heads = (here / "cup" / "round-1" / "results.csv").read_text("utf-8-sig").splitlines()
            assert heads[0].endswith("bid_a,bid_b") and len(heads) == 4
        meetings = tomllib.loads((here / "cup" / "event.toml").read_text("utf-8"))["round"][-1]["meetings"]
        rows = [f"{number},{m['table']},1,{m['a']},{m['b']},2,1,1,0" for m in meetings]
        head = "round,table,game,player_a,player_b,score_a,score_b,bid_a,bid_b"
        (here / "r.csv").write_text("\n".join((head, *rows)), "utf-8")
        run("results", "cup", "r.csv")
    event_file = tomllib.loads((here / "cup" / "event.toml").read_text("utf-8"))
    assert {game["won"] for one in event_file["round"] for game in one["results"]} == {"draw"}
    first = Counter(m["a"] for one in event_file["round"] for m in one["meetings"])
    assert all(1 <= first[name] <= 3 for name in NAMES[:6])
    answer = muster("tournament", "standings", "cup", "--json").json["standings"]
    assert {row["margin"] for row in answer} == {0}
    lots = {player["name"]: player["lot"] for player in event_file["players"]}
    assert [lots[row["player"]] for row in answer] == sorted(lots.values())


def everything(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def book_of(cup: Path) -> dict[str, Any]:
    return tomllib.loads((cup / "event.toml").read_text("utf-8"))


def filled_in(form: Path, to: Path, values: dict[str, str], page: int = 0) -> None:
    """Copy a PDF form and fill in the fields whose names end with the given keys."""
    with pikepdf.open(form) as pdf:
        for note in pdf.pages[page].Annots:
            value = next((value for end, value in values.items() if str(note.get("/T", "")).endswith(end)), None)
            if value and note.get("/FT") == pikepdf.Name.Btn:
                note.AS = note.V = pikepdf.Name.On
            elif value:
                note.V = pikepdf.String(value)
        pdf.save(to)


def test_slips_that_were_filled_in_as_pdf_are_read_back(cup: Path) -> None:
    run("pack", "cup", "--parts", "records", "--fillable")
    form, slips = cup / "round-2" / "slips-2.pdf", cup.parent / "slips"
    slips.mkdir()
    score = {"/1/a/score/1": "1", "/1/b/score/1": "0", "/1/a/lost/1": "2"}
    filled_in(form, slips / "one.pdf", score | {"/2/b/won/1": "x", "/2/a/score/1": "0", "/2/b/score/1": "1"})
    filled_in(form, slips / "two.pdf", {"/1/a/score/2": "0", "/1/b/score/2": "0"}, page=1)
    before = everything(cup)
    run("results", "cup", "--from", "slips", "--dry-run")
    assert everything(cup) == before
    output = run("results", "cup", "--from", "slips")
    assert "Round 2: new results: 3" in output and "Round 2: tables that have no result yet: 2" in output
    games = book_of(cup)["round"][1]["results"]
    assert [(g["table"], g["game"], g["won"], g["score"], g["lost"]) for g in games] == [
        (1, 1, "a", [1, 0], [2, 0]),
        (1, 2, "b", [0, 1], [0, 0]),
        (2, 1, "draw", [0, 0], [0, 0]),
    ]
    filled_in(form, slips / "three.pdf", {"/1/a/score/2": "0", "/1/b/score/2": "1"})
    assert "three.pdf:1: table 1, game 1: there are two different results" in run(
        "results", "cup", "--from", "slips", code=3
    )
    filled_in(form, slips / "three.pdf", {"/1/a/won/1": "x", "/1/b/won/1": "x"})
    assert "both players are ticked as the winner" in run("results", "cup", "--from", slips / "three.pdf", code=3)
    (slips / "three.pdf").write_bytes(b"%PDF-1.7 no more")
    assert "three.pdf: cannot be read as a PDF" in run("results", "cup", "--from", "slips", code=3)
    assert "round-2.pdf: has no form fields for a result slip" in run(
        "results", "cup", "--from", cup / "round-2" / "round-2.pdf", code=3
    )
    assert book_of(cup)["round"][1]["results"] == games


def streams(page: pikepdf.Page) -> list[bytes]:
    """Return the streams of a page and of its forms. The pages of several tables share streams."""
    parts = page.Contents if isinstance(page.Contents, pikepdf.Array) else [page.Contents]
    forms: Any = page.Resources.get("/XObject", {})
    return [stream.read_bytes() for stream in (*parts, *forms.values())]


def test_a_table_is_printed_again_as_it_was(cup: Path) -> None:
    before = everything(cup)
    assert "Round 1, table 2 would be written" in run("pack", "cup", "--table", "2", "--dry-run")
    assert everything(cup) == before
    with once.without_cached_results():
        run("pack", "cup", "--table", "2")
    rows = json.loads((cup / "round-1" / "manifest.json").read_text("utf-8"))["pages"]
    (start,) = (row["page"] for row in rows if row["table"] == 2)
    with (
        pikepdf.open(cup / "round-1" / "round-1.pdf") as whole,
        pikepdf.open(cup / "round-1-tables-2.pdf") as some,
        some.open_outline() as outline,
    ):
        assert len(some.pages) > 2
        for old, new in zip(list(whole.pages)[start - 1 :], some.pages, strict=False):
            assert streams(old) == streams(new)
        assert [entry.title.split(" · ")[1] for entry in outline.root] == ["Table 2"]
    assert muster("verify", "cup").code == 0
    both = run("pack", "cup", "--table", "2,1")
    assert "round-1-tables-1-2.pdf" in both
    assert "there is no table 9 in round 1" in run("pack", "cup", "--table", "9", code=2)
    assert "separated by commas" in run("pack", "cup", "--table", "x", code=2)
    assert "there is no round 2" in run("pack", "cup", "--table", "1", "--round", "2", code=2)
    (cup / "round-1" / "round-1.pdf").write_bytes(b"another")
    assert "was changed after it was printed" in run("pack", "cup", "--table", "1", code=3)


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_a_players_own_sheet_of_the_day(here: Path, lang: str) -> None:
    (here / "names.txt").write_text("\n".join(NAMES[:4]) + "\n吉田 千尋\n", "utf-8")
    clock = ("--clock", "9:30-11:10, 11:20-13:00", "--notice", "Lunch at one")
    run("new", "battling", "--players", "names.txt", "--rounds", "3", *clock, "--seed", CODE, "-o", "cup")
    assert "such as 9:30-11:10" in run("new", "battling", "--clock", "9:30", "-o", "other", code=2)
    run("pair", "cup")
    run("pack", "cup", "--parts", "records", "--lang", lang)
    assert "Lunch at one" in text_of(here / "cup" / "round-1" / "round-1.pdf", 2)
    assert not run("day", "cup", "--dry-run").startswith("Sheets") and not (here / "cup" / "days.pdf").exists()
    lines = run("day", "cup", "Ann Ito", "吉田 千尋", "--lang", lang).splitlines()
    assert lines[-1].startswith("Next: fill in" if lang == "en" else "次に：ラウンドの")
    assert run("pack", "cup", "--table", "1", "--dry-run").splitlines()[-1].endswith("muster tournament results cup")
    texts = [text_of(here / "cup" / file, 0) for file in ("day-Ann-Ito.pdf", "day-吉田-千尋.pdf")]
    assert "Ann Ito" in texts[0] and "吉田" in texts[1]
    assert all("9:30–11:10" in text and "11:20–13:00" in text and "Lunch at one" in text for text in texts)
    first = book_of(here / "cup")["round"][0]["meetings"]
    meeting = next(m for m in first if "Ann Ito" in (m["a"], m.get("b")))
    assert {meeting["a"], meeting.get("b", "")} - {"Ann Ito"} <= {*texts[0].splitlines(), ""}
    run("day", "cup")
    with pikepdf.open(here / "cup" / "days.pdf") as pdf:
        assert len(pdf.pages) == 5
    assert "did you mean Ann Ito?" in run("day", "cup", "Ann Itto", code=2)
    assert muster("verify", "cup").code == 0


def test_the_day_sheet_of_a_player_replaces_no_other(here: Path) -> None:
    (here / "names.txt").write_text("Ann/B\nAnn-B\nBo\n", "utf-8")
    run("new", "battling", "--players", "names.txt", "--rounds", "2", "--seed", CODE, "-o", "cup")
    run("pair", "cup")
    files: set[str] = set()
    for name in ("Ann/B", "Ann-B", "Bo"):
        made = muster("tournament", "day", "cup", name, "--json").json["files"]
        assert len(made) == 1 and name[-1:] in text_of(here / made[0], 0)
        files |= {*made}
    assert len(files) == 3 and all((here / file).is_file() for file in files)
    assert {*muster("tournament", "day", "cup", "Ann/B", "Bo", "--json").json["files"]} <= files
    run("day", "cup")
    assert (here / "cup" / "days.pdf").is_file() and muster("verify", "cup").code == 0


def text_of(pdf: Path, page: int) -> str:
    import pypdfium2

    document = pypdfium2.PdfDocument(pdf.read_bytes())
    return str(document[page].get_textpage().get_text_bounded())


def test_the_best_play_a_final_when_the_rounds_are_over(here: Path) -> None:
    (here / "names.txt").write_text("\n".join(NAMES[:6]), "utf-8")
    run("new", "battling", "--players", "names.txt", "--rounds", "1", "--cut", "4", "--seed", CODE, "-o", "cup")
    for tables in (3, 2, 1):
        assert "Next: muster tournament pair cup" in run("status", "cup")
        if tables == 2:
            run("standings", "cup", "-o", "st")
            assert "The first 4 play the final." in text_of(here / "st" / "standings.pdf", 0)
        run("pair", "cup")
        one = book_of(here / "cup")["round"][-1]
        assert len(one["meetings"]) == tables and one.get("final", 0) == (0 if tables == 3 else 2 * tables)
        rows = [f"{one['number']},{m['table']},{g},{m['a']},{m['b']},1,0" for m in one["meetings"] for g in (1, 2)]
        (here / "r.csv").write_text("\n".join(["round,table,game,player_a,player_b,score_a,score_b", *rows]), "utf-8")
        output = run("results", "cup", "r.csv")
    assert "All rounds have been played" in output
    run("standings", "cup", "-o", "st")
    text = text_of(here / "st" / "standings.pdf", 0)
    assert "The first 4 played the final, which decides their places." in text and "Lot" in text
    lots = {player["name"]: player["lot"] for player in book_of(here / "cup")["players"]}
    assert all(str(lot) in text for lot in lots.values())


@pytest.mark.parametrize(
    ("lang", "half", "whole", "heading", "worth"),
    [
        (
            "en",
            "Half-point bye in round 1: Sato",
            "Bye in round 1: {name}",
            "Before round 1",
            "{} for a bye (games won: {}), {} for a half-point bye (games won: {})",
        ),
        (
            "ja",
            "第1ラウンドで半不戦勝となる参加者：Sato",
            "第1ラウンドで不戦勝となる参加者：{name}",
            "第1ラウンド開始前",
            "不戦勝は勝ち点{}・{}勝、半不戦勝は勝ち点{}・{}勝として数えます",
        ),
    ],
)
@pytest.mark.parametrize(("games", "counts"), [("2", (4, 2, 2, 1)), ("1", (2, 1, 1, 0))])
def test_before_the_first_round_resting_players_and_their_points_are_shown(
    here: Path, games: str, counts: tuple[int, ...], lang: str, half: str, whole: str, heading: str, worth: str
) -> None:
    run("new", "battling", "--seed", CODE, "--games", games, "-o", "cup")
    run("join", "cup", *NAMES[:3])
    run("join", "cup", "Sato", "--rest", "1")
    assert half in run("status", "cup", "--lang", lang).splitlines()
    run("pair", "cup")
    (bye,) = (m["a"] for m in book_of(here / "cup")["round"][0]["meetings"] if not m.get("b") and m["a"] != "Sato")
    lines = run("status", "cup", "--lang", lang).splitlines()
    assert half in lines and whole.format(name=bye) in lines
    assert worth.format(*counts) in run("standings", "cup", "-o", "st", "--lang", lang)
    printed = text_of(here / "st" / "standings.pdf", 0)
    assert heading in printed and worth.format(*counts).replace(" ", "") in "".join(printed.split())
    assert counted(bye, "Sato") == (0, 0, 0, 0)
    run("pack", "battling", "-o", "cup", "--lang", lang)
    pages = json.loads((here / "cup" / "round-1" / "manifest.json").read_text("utf-8"))["pages"]
    for row, name, points in zip(pages[-2:], (bye, "Sato"), counts[::2], strict=True):
        slip_text = "".join(text_of(here / "cup" / "round-1" / "round-1.pdf", row["page"] - 1).split())
        assert "".join(name.split()) in slip_text and (
            f"points{points}," in slip_text or f"勝ち点{points}、" in slip_text
        )
    fill(here / "cup" / "round-1" / "results.csv", random.Random(5), 1)
    run("results", "cup")
    assert counted(bye, "Sato") == counts


def counted(*names: str) -> tuple[int, ...]:
    """Return the points and games won of each given player, from the standings of the event."""
    rows = muster("tournament", "standings", "cup", "--json").json["standings"]
    by_name = {row["player"]: (row["points"], row["wins"]) for row in rows}
    return tuple(count for name in names for count in by_name[name])


def test_a_name_similar_to_a_missing_player_is_not_a_new_player(here: Path) -> None:
    head, first = "round,table,player_a,player_b", "1,1,Sato,Suzuki\n1,2,Takahashi,Tanaka"
    pack = ("pack", "battling", "--pairings", "p.csv", "-o", "cup", "--parts", "records")
    (here / "p.csv").write_text(f"{head}\n{first}\n2,1,Sato,Tanaka\n2,2,Takahasi,Suzuki\n", "utf-8")
    output = run(*pack, code=3)
    assert (
        "p.csv:5: there is no player named 'Takahasi' (did you mean Takahashi? If these are two players, run"
        in output
    )
    assert not (here / "cup").exists()
    (here / "p.csv").write_text(f"{head}\n{first}\n", "utf-8")
    run(*pack)
    (here / "p.csv").write_text(f"{head}\n{first}\n2,1,Sato,Tanaka\n2,2,Takahasi,Suzuki\n", "utf-8")
    assert "To add a new player, run muster tournament join cup Takahasi --rounds 2" in run(*pack, code=3)
    run("join", "cup", "Takahasi", "--rounds", "2")
    run(*pack)
    assert len(book_of(here / "cup")["players"]) == 5
    (here / "p.csv").write_text(f"{head}\n3,1,Sato,Suzuki\n3,2,Takahashi,Wolff\n", "utf-8")
    run(*pack, "--allow-rematch")
    assert len(book_of(here / "cup")["players"]) == 6


def test_verify_looks_into_the_book(cup: Path) -> None:
    assert muster("verify", "cup").code == 0
    event_text = (cup / "event.toml").read_text("utf-8")
    printed = book_of(cup)["round"][0]["printed"]
    (cup / "event.toml").write_text(event_text.replace(printed, "0" * 64), "utf-8")
    done = muster("verify", "cup")
    assert done.code == 1 and "round 1: the current pages differ from the pages used in play" in done.out
    (cup / "event.toml").write_text(event_text, "utf-8")
    games = book_of(cup)["round"][0]["results"]
    (cup / "event.toml").write_text(
        event_text.replace(f"score = [{games[0]['score'][0]}, {games[0]['score'][1]}]", "score = [9, 0]", 1), "utf-8"
    )
    done = muster("verify", "cup", "--json")
    assert done.code == 1
    assert any(
        "the score is 9, but the highest possible score in this game is" in line for line in done.json["findings"]
    )
    (cup / "event.toml").write_text(event_text.replace('b = "', 'b = "Nobody ', 1), "utf-8")
    done = muster("verify", "cup")
    assert done.code == 3 and "event.toml:" in done.err and "no player" in done.err


@pytest.mark.parametrize(
    ("game", "score", "expected"),
    [
        ("battlelore", (6, 6), "both scores are 6 or more, but the game ends when one player reaches 6"),
        ("battlelore", (6, 5), ""),
        ("travel_battle", (2, 2), "both scores are 2 or more, but the game ends when one player reaches 2"),
        ("travel_battle", (3, 2), "both scores are 2 or more"),
        ("travel_battle", (3, 1), ""),
        ("battling", (3, 3), ""),
        ("blind_faith", (999, 0), "the highest possible score in this game is"),
    ],
)
def test_scores_are_what_the_game_can_give(here: Path, game: str, score: tuple[int, int], expected: str) -> None:
    run("pack", game, "--players", "2", "--rounds", "1", "--seed", CODE, "-o", "cup", "--parts", "records")
    row = f"1,1,1,#1,#2,{score[0]},{score[1]}"
    (here / "r.csv").write_text(f"round,table,game,player_a,player_b,score_a,score_b\n{row}\n", "utf-8")
    assert expected in run("results", "cup", "r.csv", code=3 if expected else 0)
