"""A whole club day at the organiser's desk: 24 players, 5 rounds, two drop-outs, a late entry, a correction."""

from __future__ import annotations

import csv
import io
import random
import tomllib
from collections import Counter
from pathlib import Path

import pytest

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


def fill(file: Path, rnd: random.Random, most: int) -> None:
    """Write a result into each row for a game."""
    rows = list(csv.reader(io.StringIO(file.read_text("utf-8-sig"))))
    for row in rows[1:]:
        if row[2]:
            row[7:11] = [str(rnd.randrange(most + 1)), str(rnd.randrange(most + 1)), str(rnd.randrange(9)), "1"]
    _write(file, rows)


def _write(file: Path, rows: list[list[str]]) -> None:
    out = io.StringIO()
    csv.writer(out).writerows(rows)
    file.write_text(out.getvalue(), "utf-8-sig", newline="")


def by_hand(folder: Path) -> list[tuple[str, int, int, int, int]]:
    """Points, games won, margin and casualties of each player from the slips alone, the best first."""
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
            for name, mine, his, lost in ((a, one, two, row[9]), (b, two, one, row[10])):
                tally[name][0] += 2 if mine > his else 1 if mine == his else 0
                tally[name][1] += mine > his
                tally[name][2] += mine - his
                tally[name][3] += int(lost)
    lines = [(name, of[0], of[1], of[2], of[3]) for name, of in tally.items()]
    return sorted(lines, key=lambda line: (-line[1], -line[2], -line[3], line[4]))


@pytest.mark.parametrize(("game", "lang", "most"), [("battling", "en", 2), ("travel_battle", "ja", 3)])
def test_a_whole_club_day(here: Path, game: str, lang: str, most: int) -> None:
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
        if number == 4:  # table 7 spills its coffee: the round is printed again, and comes out the same
            before = contents(folder)
            run("pack", "cup", "--round", "4", *small)
            assert contents(folder) == before
        fill(folder / "results.csv", rnd, most)
        run("results", "cup")
        frozen[number] = contents(folder)
        if number == 4:  # what was written down of round 2 was wrong
            _correct(cup, most)
            frozen[2] = contents(cup / "round-2")
        run("pack", "cup", *small)
        assert {n: contents(cup / f"round-{n}") for n in frozen} == frozen
    book = tomllib.loads((cup / "event.toml").read_text("utf-8"))
    met = Counter(frozenset((m["a"], m["b"])) for one in book["round"] for m in one["meetings"] if "b" in m)
    byes = Counter(m["a"] for one in book["round"] for m in one["meetings"] if "b" not in m)
    assert max(met.values()) == 1 and max(byes.values(), default=1) == 1
    assert [len(one["meetings"]) for one in book["round"]] == [12, 12, 12, 12, 12]
    late = [m for one in book["round"] for m in one["meetings"] if "Late Entry" in (m["a"], m.get("b")) and "b" in m]
    assert {m["table"] for m in late} == {7}
    (change,) = book["round"][1]["corrected"]
    assert change["was"]["game"] == 1 and change["at"].endswith("Z")
    shown = muster("tournament", "standings", "cup", "--json").json["standings"]
    told = [(r["player"], r["points"], r["wins"], r["margin"], r["lost"]) for r in shown]
    hand = by_hand(cup)
    assert sorted(told) == sorted(hand)
    assert [line[1:] for line in told] == [line[1:] for line in hand]
    assert [r["rank"] for r in shown] == list(range(1, 26))
    run("commit", "cup")
    run("reveal", "cup/commitment.json", "cup/round-1")
    assert muster("verify", "cup").code == 0


def _correct(cup: Path, most: int) -> None:
    """Another score for the first game of round 2: beyond what the game gives it is refused."""
    file = cup / "round-2" / "results.csv"
    rows = list(csv.reader(io.StringIO(file.read_text("utf-8-sig"))))
    old, game = rows[1][7:9], next(row for row in rows if row[2] == "1")
    for score, code in ((str(most + 1000), 3), (str(most) if old[0] != str(most) else "0", 0)):
        game[7] = score
        _write(file, rows)
        said = run("results", "cup", code=code)
        assert ("gives at most" in said) == (code == 3)
    name, game[3] = game[3], "Dan Otto"
    _write(file, rows)
    assert "plays in no round 2" in run("results", "cup", code=3)
    game[3] = name
    _write(file, rows)


@pytest.fixture
def cup(here: Path) -> Path:
    """Five players, a round paired and packed and filled in, the next paired."""
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
    assert "then muster tournament results cup" in run("status", "cup")
    assert "lacks results" in run("pair", "cup", code=2)
    fill(cup / "round-2" / "results.csv", random.Random(2), 1)
    assert "Next: muster tournament pair cup" in run("results", "cup")


def test_a_dry_run_writes_nothing(cup: Path) -> None:
    before = {path: path.read_bytes() for path in cup.rglob("*") if path.is_file()}
    for args in (
        ("new", "battling", "--players", "names.txt", "-o", "other", "--dry-run"),
        ("join", "cup", "Fay", "--dry-run"),
        ("drop", "cup", "Ann", "--dry-run"),
        ("pair", "cup", "--round", "2", "--dry-run"),
        ("pack", "cup", "--dry-run"),
        ("results", "cup", "--dry-run"),
        ("standings", "cup", "--dry-run"),
    ):
        run(*args)
    assert {path: path.read_bytes() for path in cup.rglob("*") if path.is_file()} == before
    assert not (cup.parent / "other").exists() and not (cup.parent / "output").exists()


def test_a_round_that_was_played_is_made_again_only_where_that_is_said(cup: Path) -> None:
    pages = contents(cup / "round-1")
    said = run("pair", "cup", "--round", "1", code=2)
    assert "round 1 has been played" in said and "--reopen does it, and undoes round 1, 2, results: 4" in said
    assert "round 1 has been played" in run("pack", "cup", "--round", "1", code=2)
    assert contents(cup / "round-1") == pages
    run("pair", "cup", "--round", "1", "--reopen")
    book = tomllib.loads((cup / "event.toml").read_text("utf-8"))
    assert [one["number"] for one in book["round"]] == [1] and "results" not in book["round"][0]
    assert len(book["undone"][0]["round"]["results"]) == 4
    # Its pages are printed anew, and its results are empty again, whether the pairs are others or not.
    (cup.parent / "p.csv").write_text("round,table,player_a,player_b\n1,1,Eve,Dan\n1,2,Cid,Bob\n1,,Ann,\n", "utf-8")
    run("pair", "cup", "--round", "1", "--pairings", "p.csv")
    run("pack", "cup", "--parts", "records")
    rows = list(csv.reader(io.StringIO((cup / "round-1" / "results.csv").read_text("utf-8-sig"))))
    assert [(row[3], row[5], row[7]) for row in rows[1:3]] == [("Eve", "Dan", "")] * 2
    assert "Round 1: 2 tables, packed" in run("status", "cup")
    fill(cup / "round-1" / "results.csv", random.Random(4), 1)
    (cup.parent / "p.csv").write_text("round,table,player_a,player_b\n1,1,Ann,Bob\n1,2,Cid,Dan\n1,,Eve,\n", "utf-8")
    again = ("pack", "battling", "--pairings", "p.csv", "-o", "cup", "--parts", "records")
    assert "round 1 has been played, and would be paired otherwise" in run(*again, code=2)
    run(*again, "--reopen")
    book = tomllib.loads((cup / "event.toml").read_text("utf-8"))
    assert [len(one["round"]["results"]) for one in book["undone"]] == [4, 4]
    assert book["round"][0]["meetings"][0]["b"] == "Bob"
    assert muster("verify", "cup").code == 0


def test_both_halves_of_a_slip_say_the_same(cup: Path) -> None:
    file = cup / "round-1" / "results.csv"
    rows = list(csv.reader(io.StringIO(file.read_text("utf-8-sig"))))
    rows.append(list(rows[1]))
    _write(file, rows)
    run("results", "cup")
    rows[-1][7:9] = ["0", "0"] if rows[1][7:9] != ["0", "0"] else ["1", "0"]
    _write(file, rows)
    assert "the halves of the slip differ" in run("results", "cup", code=3)


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
        book = tomllib.loads((cup / "event.toml").read_text("utf-8"))
        assert [(m["a"], m.get("b")) for m in book["round"][1]["meetings"]] == [
            ("Ann", "Bob"),
            ("Cid", "Dan"),
            ("Eve", None),
        ]
    first = book["round"][0]["meetings"][0]
    (here / "again.csv").write_text(f"round,table,player_a,player_b\n2,1,{first['a']},{first['b']}\n", "utf-8")
    said = run("pair", "cup", "--round", "2", "--pairings", "again.csv", code=2)
    assert "met in round 1" in said and "--allow-rematch" in said
    (here / "who.csv").write_text("round,table,player_a,player_b\n2,1,Ann,Cidd\n", "utf-8")
    assert "who.csv:2: no player 'Cidd' (did you mean Cid?)" in run(
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
    said = run("status", "old")
    assert "Round 1: 2 tables" in said and "Round 2: 2 tables" in said
    run("results", "old")
    book = tomllib.loads((here / "old" / "event.toml").read_text("utf-8"))
    assert len(book["players"]) == 5 and len(book["round"][0]["results"]) == 4


def test_the_dutch_system_of_fide(here: Path) -> None:
    (here / "names.txt").write_text("\n".join(NAMES[:9]), "utf-8")
    run("new", "battling", "--players", "names.txt", "--system", "dutch", "--seed", CODE, "-o", "cup")
    met: Counter[frozenset[str]] = Counter()
    for number in range(1, 4):
        run("pair", "cup")
        lines = ["round,table,game,player_a,player_b,score_a,score_b"]
        for m in tomllib.loads((here / "cup" / "event.toml").read_text("utf-8"))["round"][-1]["meetings"]:
            if "b" in m:
                met[frozenset((m["a"], m["b"]))] += 1
                lines += [f"{number},{m['table']},{game},{m['a']},{m['b']},1,0" for game in (1, 2)]
        (here / "r.csv").write_text("\n".join(lines), "utf-8")
        run("results", "cup", "r.csv")
    assert max(met.values()) == 1 and sum(met.values()) == 12


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
    book = tomllib.loads((here / "cup" / "event.toml").read_text("utf-8"))
    assert {game["won"] for one in book["round"] for game in one["results"]} == {"draw"}
    first = Counter(m["a"] for one in book["round"] for m in one["meetings"])
    assert all(1 <= first[name] <= 3 for name in NAMES[:6])
    shown = muster("tournament", "standings", "cup", "--json").json["standings"]
    assert {row["margin"] for row in shown} == {0}
    lots = {player["name"]: player["lot"] for player in book["players"]}
    assert [lots[row["player"]] for row in shown] == sorted(lots.values())
