"""Tests for tournaments on the command line, from pairings to printed tables and from results to standings."""

from __future__ import annotations

import csv
import io
import json
import re
import shlex
import shutil
from pathlib import Path

import pikepdf
import pypdfium2
import pytest

from generator import games
from generator.store.folders import shipped_path
from generator.tournament.event import Codes
from tests.cli import once
from tests.cli.conftest import CODE, SMALL
from tests.cli.run import contents, muster

QUICK = ("--parts", "map")


def pairings(here: Path, *lines: str, encoding: str = "cp932") -> Path:
    file = here / "pairings.csv"
    file.write_text("\n".join(("ラウンド;卓;選手Ａ;選手Ｂ", *lines)), encoding)
    return file


@pytest.fixture
def japanese(here: Path) -> Path:
    """Return a folder with a list of five players for two rounds, in the format of a Japanese spreadsheet."""
    return pairings(
        here,
        "1;1;佐藤 太郎;鈴木 花子",
        "1;2;高橋 健;田中 美咲",
        ";;;",
        "1;;伊藤 翔;",
        "2;1;佐藤 太郎;高橋 健",
        "2;2;鈴木 花子;伊藤 翔",
    )


def texts(file: Path) -> list[str]:
    document = pypdfium2.PdfDocument(file)
    return [document[n].get_textpage().get_text_bounded() for n in range(len(document))]


def bookmarks(file: Path) -> list[str]:
    with pikepdf.open(file) as pdf, pdf.open_outline() as outline:
        return [item.title for item in outline.root]


@pytest.mark.parametrize("game", games.names())
def test_an_event_of_every_game_in_one_command(here: Path, japanese: Path, game: str) -> None:
    pack = ("tournament", "pack", game, "--pairings", japanese, "--event", "秋の大会", "--seed", CODE)
    done = muster(*pack, "--lang", "ja", "-o", "out")
    assert done.code == 0, done.err
    assert "cp932" in done.out
    assert "第2ラウンドに出ていない参加者：田中 美咲" in done.out
    first = here / "out" / "round-1" / "round-1.pdf"
    assert bookmarks(first) == [
        "第1ラウンド",
        "第1ラウンド・1卓：佐藤 太郎 – 鈴木 花子",
        "第1ラウンド・2卓：高橋 健 – 田中 美咲",
        "第1ラウンド・不戦勝：伊藤 翔",
    ]
    pages = texts(first)
    assert sum("主催者控え" in page for page in pages) == 2
    assert sum("秋の大会" in page for page in pages) >= 6
    for number in (1, 2):
        assert muster("verify", f"out/round-{number}").code == 0
        stated = json.loads((here / f"out/round-{number}/manifest.json").read_text("utf-8"))["verified"]
        assert [of["differences"] for of in stated] == [0] * len(stated)
        assert bool(stated) == (games.load(game).sight is not None)
    assert ("Shapely で" in done.out) == bool(stated)
    assert muster("verify", "out").code == 0
    assert sum(map(len, texts(here / "out" / "index.pdf"))) > 100


def test_making_a_round_again_changes_no_other_and_not_itself(here: Path, japanese: Path) -> None:
    pack = ("tournament", "pack", "--pairings", japanese, "--seed", CODE, "--sealed", "-o", "out", *QUICK)
    assert muster(*pack).code == 0
    before = {n: contents(here / "out" / f"round-{n}") for n in (1, 2)}
    with once.without_cached_results():
        assert muster(*pack, "--round", "2").code == 0
    assert {n: contents(here / "out" / f"round-{n}") for n in (1, 2)} == before
    # Changed pairings of the second round affect neither the first round nor the code of the second.
    pairings(here, "1;1;佐藤 太郎;鈴木 花子", "1;2;高橋 健;田中 美咲", "1;;伊藤 翔;", "2;1;伊藤 翔;高橋 健")
    assert muster(*pack).code == 0
    after = {n: contents(here / "out" / f"round-{n}") for n in (1, 2)}
    assert after[1] == before[1]
    assert after[2].keys() == before[2].keys()
    assert after[2]["opening.json"] == before[2]["opening.json"]
    assert after[2]["round-2.pdf"] != before[2]["round-2.pdf"]


def test_a_sealed_round_gives_nothing_away(here: Path) -> None:
    pack = (
        "tournament",
        "pack",
        "--players",
        "3",
        "--rounds",
        "2",
        "--seed",
        CODE,
        "--sealed",
        "-o",
        "out",
        "--json",
    )
    made = muster(*pack).json
    codes = {path.name: path.read_text("utf-8") for path in (here / "out").glob("round-*/scenario-*.toml")}
    secrets = [CODE, (here / "out" / "secret.txt").read_text().strip()]
    secrets += [
        line.partition('"')[2].rstrip('"')
        for text in codes.values()
        for line in text.splitlines()
        if line.startswith("code = ")
    ]
    assert len(secrets) == 4
    for round_ in made["rounds"]:
        (kit,) = round_["kits"]
        assert f"scenario-{kit}.toml" in codes
        file = here / "out" / f"round-{round_['round']}" / f"round-{round_['round']}.pdf"
        with pikepdf.open(file) as pdf:
            content = "".join([*texts(file), *bookmarks(file), str(pdf.docinfo)])
            pdf.save(here / "plain.pdf", compress_streams=False, stream_decode_level=pikepdf.StreamDecodeLevel.all)
        raw = (here / "plain.pdf").read_bytes()
        assert kit in content
        assert not any(secret in content or secret.encode() in raw for secret in secrets)
        organiser = "".join(texts(file.with_name(f"organiser-{round_['round']}.pdf")))
        assert CODE in organiser
        assert kit in organiser
    assert muster("tournament", "commit", "out").code == 0
    answer = muster("tournament", "reveal", "out/commitment.json", "out", "--json").json
    assert (answer["rounds"][1]["findings"], answer["next"]) == ([], "muster tournament results out")
    first = muster("tournament", "reveal", "out/commitment.json", "out/round-1").out
    rest = f"muster tournament reveal {Path('out/commitment.json')} {Path('out/round-2')}"
    assert first.splitlines()[-1] == f"Next: when the round has been played, run {rest}"
    (here / "alone.json").write_bytes((here / "out" / "commitment.json").read_bytes())
    assert "All rounds have been opened and checked" in muster("tournament", "reveal", "alone.json", "out").out
    opened = here / "out" / "round-2" / "opening.json"
    opened.write_text(opened.read_text("utf-8").replace('"round": 2', '"round": 1'), "utf-8")
    done = muster("tournament", "reveal", "out/commitment.json", "out/round-1", opened)
    assert (
        done.code,
        "Round 1: the opening matches the commitment" in done.out,
        "does not match the commitment" in done.out,
    ) == (
        1,
        True,
        True,
    )
    assert done.out.splitlines()[-1].startswith("Next: ask the organiser")


def test_results_that_were_filled_in_stay(here: Path) -> None:
    pack = ("tournament", "pack", "--players", "5", "--rounds", "1", "--seed", CODE, "-o", "out", *QUICK)
    muster(*pack)
    file = here / "out" / "round-1" / "results.csv"
    rows = list(csv.reader(io.StringIO(file.read_text("utf-8-sig"))))
    for row in rows[1:]:
        if row[2]:
            row[7:11] = ["6", "2", "10", "20"] if row[2] == "1" else ["3", "6", "10", "20"]
    with file.open("w", encoding="cp932", newline="") as out:
        csv.writer(out).writerows(rows)
    filled = file.read_bytes()
    done = muster(*pack)
    assert (done.code, "filled in" in done.out, file.read_bytes() == filled) == (0, True, True)
    table = muster("tournament", "standings", "out", "--json", "-o", "st").json
    assert [row["points"] for row in table["standings"]] == [4, 2, 2, 2, 2]
    assert table["standings"][0]["player"] == "#1"
    assert muster("preflight", "st/standings.pdf").code == 0
    whole = muster("verify", "out", "--json")
    assert (whole.code, whole.json["folders"][0]["filled"]) == (0, ["results.csv"])
    (here / "out" / "round-1" / "organiser-1.pdf").write_bytes(b"")
    broken = muster("verify", "out")
    assert (broken.code, "round-1: organiser-1.pdf: changed" in broken.out.replace("out/", "")) == (1, True)


def test_standings_tell_what_is_still_open(here: Path) -> None:
    muster("tournament", "pack", "--players", "2", "--rounds", "1", "-o", "out", *QUICK)
    assert muster("tournament", "standings", "out", "--json").json["open"] == 2
    (here / "wrong.csv").write_text("round,player_a,player_b,score_a,score_b\n1,A,B,6,x\n", "utf-8")
    done = muster("tournament", "standings", "wrong.csv")
    assert (done.code, "wrong.csv:2: score_b 'x'" in done.err) == (3, True)
    assert muster("tournament", "standings", ".").code == 3


def test_the_commands_suggested_for_two_similar_names_work(here: Path) -> None:
    """Before the event is packed, its folder does not exist, so no player can join it."""
    lines = (
        "1;1;Ann Alder;Bob Birch",
        "1;2;Carl Cole;Dora Dale",
        "2;1;Ann Alder;Carl Cole",
        "2;2;Bob Brich;Dora Dale",
    )
    pack = ("tournament", "pack", "--pairings", pairings(here, *lines, encoding="utf-8"), "-o", "out", "--dry-run")
    refused = muster(*pack)
    assert (refused.code, "did you mean Bob Birch? If these are two players" in refused.err) == (3, True)
    commands = re.search("run (muster .*), then (muster .*), and then this command again with -o out", refused.err)
    assert commands is not None
    for command in commands.groups():
        assert muster(*shlex.split(command)[1:]).code == 0
    done = muster(*pack)
    assert done.code == 0 and "Players who are not in round 2: Bob Birch" in done.out


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (("1;1;=cmd|'/C calc'!A0;B",), "is a formula, not a name"),
        (("1;1;A;B", "1;2;B;C"), "B plays twice in round 1"),
        (('1;1;"A;B',), "a quotation mark is not closed"),
        (
            ("1;1;A;B", "1;2;C"),
            "pairings.csv:3: the number of cells in this row is 3, but the number of columns is 4",
        ),
        (("1;1;A;B;C",), "cells in this row is 5, but the number of columns is 4"),
        (("1;1;A;B", "2;1;A;א"), "contains 'א' (U+05D0), which none of the available fonts can print"),
    ],
)
def test_hostile_pairings_are_refused_with_their_line(here: Path, lines: tuple[str, ...], expected: str) -> None:
    arguments = pairings(here, *lines, encoding="utf-8")
    done = muster("tournament", "pack", "--pairings", arguments, "--sealed", "-o", "out")
    assert (done.code, expected in done.err, "pairings.csv:" in done.err) == (3, True, True), done.err
    assert not (here / "out").exists()


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ((), "choose one way to give the players"),
        (("--players", "4"), "choose one way to give the players"),
        (("--players", "4", "--rounds", "1", "--round", "2"), "there is no round 2"),
        (("--players", "1", "--rounds", "1"), "--players 1"),
        (("--players", "four", "--rounds", "1"), "neither a number nor a file"),
        (("--players", "4", "--rounds", "1", "--parts", "mep"), "no part named 'mep'"),
        (("--players", "4", "--rounds", "1", "--event", "a\x01b"), "invisible character"),
        (("--players", "4", "--rounds", "1", "--seed", "K7Q2M-9FJXX"), "it contains a typo"),
        (("--players", "4", "--rounds", "1", "--scenarios", "some"), "duplicate"),
    ],
)
def test_what_cannot_be_packed(here: Path, arguments: tuple[str, ...], expected: str) -> None:
    done = muster("tournament", "pack", *arguments, "--sealed", "-o", "out")
    assert (done.code, expected in done.err) == (2, True), done.err
    assert not (here / "out").exists()


def test_one_scenario_per_table_with_options_and_parts(here: Path) -> None:
    pack = ("tournament", "pack", "--players", "4", "--rounds", "1", "--scenarios", "per-table", "--banners", "5")
    done = muster(*pack, "--parts", "map", "--paper", "letter", "--ink", "saver", "-o", "out", "--json")
    (round_,) = done.json["rounds"]
    assert (len(set(round_["kits"])), round_["pages"]) == (2, 9)
    assert all(kit.endswith("+") for kit in round_["kits"])
    assert "first to take 5 victory banners" in "".join(texts(here / "out" / "round-1" / "round-1.pdf"))


def test_unsealed_rounds_cannot_be_committed_to(here: Path) -> None:
    muster("tournament", "pack", "--players", "2", "--rounds", "1", "-o", "out", *QUICK)
    done = muster("tournament", "commit", "out")
    assert (done.code, "opening.json" in done.err) == (3, True)


def test_a_round_found_fair_by_play_contains_its_games_for_recounting(here: Path) -> None:
    args = ("--seed", CODE, *SMALL, "--fair", "C", "--parts", "map", "--jobs", "1")
    pack = ("tournament", "pack", "battling", "--players", "2", "--rounds", "1", *args, "-o", "out")
    assert muster(*pack).code == 0
    folder = here / "out" / "round-1"
    (row,) = json.loads((folder / "played.json").read_text("utf-8"))
    (drawn,) = folder.glob("scenario-*.toml")
    assert (row["scenario"], row["grade"]) == (drawn.name, "C")
    # The file has a certificate of the same games.
    (stated,) = muster("check", drawn, "--json").json
    strong = [pair for pair in row["pairs"] if pair["series"] == "strong"]
    assert [pair["games"] for pair in strong] == [256, 128, 128]
    assert stated["certificate"]["strong_games"] == sum(pair["games"] for pair in strong)
    assert stated["certificate"]["strong_pairs"] == [
        {"policies": pair["policies"], "rate": round(100 * pair["rate"], 1)} for pair in strong
    ]
    first, *_, games = texts(folder / "organiser-1.pdf")
    assert "Fairness grade C" in first and row["digest"][:16] in games
    assert muster("verify", folder, "--deep").code == 0
    # Changed games are found even if the manifest is adjusted to match.
    (folder / "played.json").write_text(json.dumps([row | {"digest": "0" * 64}]), "utf-8")
    found = muster("verify", folder, "--deep", "--lang", "en")
    assert (found.code, f"the recorded result of the games of {drawn.name} differs" in found.out) == (1, True)
    assert "the recorded result of the games" not in muster("verify", folder, "--lang", "en").out


@pytest.mark.parametrize("game", games.names())
def test_fair_rounds_keep_their_codes_and_carry_their_certificate(here: Path, game: str) -> None:
    pack = ("tournament", "pack", game, "--players", "2", "--rounds", "1", "--fair", "B", "--sealed", "-o", "out")
    assert muster(*pack, "--seed", CODE).code == 0
    folder = here / "out" / "round-1"
    (drawn,) = folder.glob("scenario-*.toml")
    (kit,) = json.loads((folder / "opening.json").read_text("utf-8"))["kits"]
    codes = re.findall("[0-9A-Z]{5}-[0-9A-Z]{5}", drawn.read_text("utf-8"))
    assert len(set(codes)) >= 2 or codes[0] == kit["code"]  # the pairing's code and the candidate's code
    seen = "".join(texts(folder / "round-1.pdf"))
    assert not any(code in seen for code in codes)
    first, *_, certificate = texts(folder / "organiser-1.pdf")
    (row,) = muster("fairness", drawn, "--json").json
    assert f"Fairness grade {row['grade']}" in first
    assert f"kit {kit['kit']}" in certificate
    assert row["first"].split()[0] in certificate
    assert all(measure["name"] in certificate for measure in row["measures"])
    assert muster("kit", game, "--seed", kit["code"], "--fair", "B", "--parts", "map", "-o", "kit").code == 0
    assert (here / "kit" / "scenario.toml").read_bytes() == drawn.read_bytes()
    muster("tournament", "commit", "out")
    assert muster("tournament", "reveal", "out/commitment.json", "out").code == 0


def test_a_sealed_round_that_lost_a_table_is_as_it_was_committed_to(here: Path) -> None:
    pack = ("tournament", "pack", "--scenarios", "per-table", "--seed", CODE, "--sealed", "-o", "out", *QUICK)
    muster(*pack, "--players", "4", "--rounds", "2")
    muster("tournament", "commit", "out")
    lines = ("1;1;A;B", "1;2;C;D", "2;1;A;C", "2;;B;")
    assert muster(*pack, "--pairings", pairings(here, *lines)).code == 0
    assert len(list((here / "out" / "round-2").glob("scenario-*.toml"))) == 1
    assert muster("tournament", "reveal", "out/commitment.json", "out").code == 0


def test_a_player_who_meets_a_scenario_again_is_reported(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Codes, "content_hash", lambda self, code: b"all alike")
    lines = ("1;1;A;B", "1;2;C;D", "2;1;A;C", "2;;B;")
    pack = ("tournament", "pack", "--pairings", pairings(here, *lines), *QUICK, "-o", "out")
    first, second = muster(*pack, "--json").json["rounds"]
    assert (first["again"], second["again"]) == ([], ["A", "C"])
    assert "table 1: A, C" in "".join(texts(here / "out" / "round-2" / "organiser-2.pdf"))
    assert "they have already played: A, C" in muster(*pack).out


def test_an_event_goes_on_in_its_folder(here: Path) -> None:
    pack = ("tournament", "pack", "--players", "4", "-o", "out", *QUICK, "--rounds")
    code = muster(*pack, "1", "--sealed", "--event", "Cup", "--json").json["code"]
    before = contents(here / "out" / "round-1")
    done = muster(*pack, "2")
    assert (done.code, f"code {code}. Muster continues this event with" in done.out) == (0, True)
    assert "opening.json" in contents(here / "out" / "round-2")
    assert contents(here / "out" / "round-1") == before
    assert muster(*pack, "2", "--seed", CODE, "--json").json["code"] == CODE


def test_an_event_that_is_packed_in_the_usual_way_needs_no_remark(here: Path) -> None:
    """The remark is for a user who gives a list of players and may expect a new event."""
    Path("names.txt").write_text("A\nB\n", "utf-8")
    assert muster("tournament", "new", "battling", "--players", "names.txt", "--rounds", "1", "-o", "cup").code == 0
    assert muster("tournament", "pair", "cup").code == 0
    done = muster("tournament", "pack", "cup")
    assert (done.code, "already contains the event" in done.out) == (0, False)


def test_a_file_that_is_named_twice_is_read_once(here: Path) -> None:
    folder = here / "cup" / "round-1"
    folder.mkdir(parents=True)
    (folder / "results.csv").write_text("round,player_a,player_b,score_a,score_b\n1,A,B,6,4\n", "utf-8")
    done = muster("tournament", "standings", "cup", "cup/round-1", folder / "results.csv", "--json")
    assert [row["played"] for row in done.json["standings"]] == [1, 1]


SHEETS = {"en": ("Foldback", "Resultslip·Round"), "ja": ("破線で", "結果票·第")}
"""Text that appears only on a table's card, and text that appears only on its slip, by language."""


def test_names_as_long_as_may_be(here: Path) -> None:
    lines = (f"1;1;{'-'.join(['Anna'] * 16)};{'W' * 80}", f"1;9999;{'髙﨑' * 40};Li", f"1;;{'※' * 80};")
    arguments = pairings(here, *lines, encoding="utf-8")
    done = muster(
        "tournament", "pack", "--pairings", arguments, "--event", "Cup " * 20, "--paper", "letter", "-o", "out"
    )
    assert done.code == 0, done.err
    # PDFium returns no character if a line ends at a hyphen that belongs to the name.
    document = pypdfium2.PdfDocument(here / "out" / "round-1" / "round-1.pdf")
    assert any("\ufffe" in document[n].get_textpage().get_text_range() for n in range(len(document)))


LONG = "N1F0P-XG2WX"
"""Code of an event that leaves less space for the title of a scenario."""


@pytest.mark.parametrize(("lang", "code"), [("en", CODE), ("ja", CODE), ("en", LONG)])
def test_no_page_of_a_table_cuts_a_name(here: Path, lang: str, code: str) -> None:
    names = "W" * 80, "無" * 80
    (here / "p.csv").write_text("name\n" + "\n".join(names), "utf-8")
    new = ("tournament", "new", "travel_battle", "--players", "p.csv", "--bid", "banners")
    muster(*new, "--seed", code, "-o", "cup")
    muster("tournament", "pair", "cup")
    done = muster("tournament", "pack", "cup", "--parts", "setup", "--lang", lang)
    assert done.code == 0, done.err
    pages = ["".join(text.split()) for text in texts(here / "cup" / "round-1" / "round-1.pdf")]
    card, slip_text = (next(page for page in pages if word in page) for word in SHEETS[lang])
    # A card has the name in the heading, the folded half and the list of sides. A slip has it in the heading and four
    # times in each half.
    assert [card.count(name) for name in names] == [3, 3]
    assert [slip_text.count(name) for name in names] == [1 + 2 * 4] * 2
    assert not any("…" in page for page in pages)


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_an_events_own_long_name_stands_whole_on_each_of_its_pages(here: Path, lang: str) -> None:
    name = "秋の大会" * 20
    pack = ("tournament", "pack", "battling", "--players", "3", "--rounds", "1", "--event", name, "--seed", CODE)
    done = muster(*pack, "--parts", "map", "--lang", lang, "-o", "out")
    assert done.code == 0, done.err
    muster("tournament", "standings", "out", "-o", "st", "--lang", lang)
    files = [here / "out" / "round-1" / file for file in ("round-1.pdf", "organiser-1.pdf")]
    pages = ["".join(text.split()) for file in (*files, here / "st" / "standings.pdf") for text in texts(file)]
    # Pages: wall list, list by name, notices, card, map, slip, bye, two organiser's pages, scenario page, standings.
    assert [page.count(name) for page in pages] == [2, 2, 2, 2, 0, 3, 2, 3, 1, 1]
    assert not any("…" in page for page in pages)


def results_file(here: Path, *lines: str) -> Path:
    file = here / "cup" / "results.csv"
    file.parent.mkdir(exist_ok=True)
    file.write_text("\n".join(("round,player_a,player_b,score_a,score_b,winner", *lines)), "utf-8")
    return file


def test_standings_tell_what_broke_the_ties_and_what_is_disputed(here: Path) -> None:
    results_file(here, "1,A,B,6,4,", "1,C,D,5,4,", "1,E,F,9,3,f")
    out = muster("tournament", "standings", "cup").out
    assert [line.split() for line in out.splitlines()[:4]] == [
        ["Rank", "Points", "Won", "Margin", "Casualties", "Opponents", "Player"],
        ["1", "2", "1", "2", "0", "0", "A"],
        ["2", "2", "1", "1", "0", "0", "C"],
        ["3", "2", "1", "-6", "0", "0", "F"],
    ]
    assert "Ties are broken by games won" in out
    assert "E – F: the scores contradict the recorded winner" in out
    (game,) = muster("tournament", "standings", "cup", "--json").json["disputed"]
    assert game["round"] == 1


def test_standings_know_the_events_name(here: Path) -> None:
    muster("tournament", "pack", "--players", "2", "--rounds", "1", "--event", "Autumn Cup", "-o", "out", *QUICK)
    for folder in ("out", "out/round-1"):
        assert muster("tournament", "standings", folder, "-o", "st").code == 0
        assert "Autumn Cup" in texts(here / "st" / "standings.pdf")[0]


def test_a_list_of_names_meets_in_rotation(here: Path) -> None:
    (here / "names.csv").write_text("氏名,チーム\n佐藤,獅子\n鈴木,熊\n田中,\n", "cp932")
    done = muster("tournament", "pack", "--players", "names.csv", "--rounds", "2", "-o", "out", *QUICK)
    assert (done.code, "names.csv was read as cp932" in done.out) == (0, True), done.err
    assert "鈴木 – 田中" in "".join(bookmarks(here / "out" / "round-1" / "round-1.pdf"))


def test_the_help_names_the_columns() -> None:
    output = " ".join(muster("tournament", "pack", "--help").out.split())
    assert "File of pairings with the columns round, player_a, player_b" in output


def every(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def begun(here: Path) -> tuple[str, ...]:
    """Create a sealed and committed event with game options, and return the command that packs it again."""
    more = ("--players", "2", "--rounds", "2", "-o", "out", *QUICK)
    arguments = ("travel_battle", "--mirror", "--scenarios", "per-table", "--sealed", "--event", "Cup")
    assert muster("tournament", "pack", *arguments, *more).code == 0
    assert muster("tournament", "commit", "out").code == 0
    return ("tournament", "pack", *more)


def test_what_was_left_out_is_taken_from_the_folder(here: Path, begun: tuple[str, ...]) -> None:
    before = every(here / "out")
    done = muster(*begun)
    assert (done.code, "--mirror on --scenarios per-table" in done.out) == (0, True), done.err + done.out
    assert every(here / "out") == before
    assert (here / "out" / "secret.txt").stat().st_mode & 0o777 == 0o600


def test_an_event_that_would_become_another_is_refused(here: Path, begun: tuple[str, ...]) -> None:
    before, promised = every(here / "out"), "round 1 would differ from the round that out/commitment.json commits to"
    for arguments, expected in (
        (("--fair", "B"), "--fair B: the event in out was started without --fair"),
        (("--scenarios", "duplicate"), "was started with --scenarios per-table"),
        (("battlelore",), "the event in out is for the game travel_battle, not battlelore"),
        (("--seed", CODE), promised),
        (("--event", "Cap"), promised),
    ):
        done = muster(*begun, *arguments)
        assert (done.code, expected in done.err) == (2, True), done.err
        assert every(here / "out") == before
    (here / "out" / "secret.txt").unlink()
    done = muster(*begun)
    assert (done.code, "round-1 is sealed, but secret.txt is missing from the event's folder" in done.err) == (
        3,
        True,
    )
    assert not (here / "out" / "secret.txt").exists()


def test_an_open_event_is_not_sealed_half_way(here: Path) -> None:
    pack = ("tournament", "pack", "--players", "2", "--rounds", "1", "--seed", CODE, *QUICK)
    assert muster(*pack).code == 0
    (folder,) = here.glob("output/*")
    done = muster(*pack, "--sealed", "-o", folder)
    assert (done.code, "was started open" in done.err) == (2, True)


def test_a_file_of_the_organisers_own_is_taken_from_the_folder_as_it_was(here: Path) -> None:
    (here / "my.toml").write_bytes((shipped_path("data") / "travel_battle" / "army.toml").read_bytes())
    pack = ("tournament", "pack", "--players", "2", "--rounds", "1", "-o", "out", *QUICK)
    assert muster(*pack, "travel_battle", "--army", "my.toml").code == 0
    before = every(here / "out")
    assert muster(*pack).code == 0
    assert every(here / "out") == before
    with (here / "my.toml").open("a") as file:
        file.write("# another\n")
    assert "started with a different file of the same name" in muster(*pack, "--army", "my.toml").err
    (here / "out" / "round-1" / "my.toml").write_bytes((here / "my.toml").read_bytes())
    done = muster(*pack)
    assert (done.code, "my.toml: was changed after the event started" in done.err) == (3, True)


@pytest.mark.parametrize("content", ["[]", '{"code": 1}', '{"game": "none", "code": "x", "wishes": [], "files": {}}'])
def test_a_manifest_that_tells_nothing_begins_nothing(here: Path, content: str) -> None:
    (here / "out" / "round-1").mkdir(parents=True)
    (here / "out" / "round-1" / "manifest.json").write_text(content, "utf-8")
    pack = ("tournament", "pack", "--players", "2", "--rounds", "1", "-o", "out", "--seed", CODE, "--json", *QUICK)
    assert "round-1/manifest.json would be replaced" in muster(*pack).out
    assert (here / "out" / "round-1" / "manifest.json").read_text("utf-8") == content
    made = muster(*pack, "--force")
    assert (made.code, made.json["code"], made.json["wishes"]) == (0, CODE, {})


def test_standings_in_an_event_s_folder_belong_to_its_manifest(here: Path) -> None:
    pack = ("tournament", "pack", "--players", "2", "--rounds", "1", "--seed", CODE, "-o", "out", *QUICK)
    standings = ("tournament", "standings", "out", "-o", "out")
    for step in (pack, standings, pack, standings):
        assert muster(*step).code == 0
        answer = muster("verify", "out", "--json").json
        assert (answer["whole"], answer["others"]) == (True, [])
    assert {"index.pdf", "standings.csv", "standings.pdf"} <= {path.name for path in (here / "out").iterdir()}
    (here / "out" / "standings.csv").write_text("mine", "utf-8")
    assert "standings.csv would be replaced" in muster(*standings).err
    assert muster(*pack).code == 0
    assert (here / "out" / "standings.csv").read_text("utf-8") == "mine"


PACKED_0_1 = Path(__file__).parents[1] / "tournament" / "packed_0_1"
"""Two rounds packed by version 0.1, without their PDFs. The results of the first round are filled in."""


@pytest.mark.parametrize(
    ("lang", "expected"),
    [
        ("en", "An earlier version of Muster packed these rounds, so they were not changed: 1, 2."),
        ("ja", "以前のバージョンの"),
    ],
)
def test_a_folder_of_0_1_is_taken_over_as_it_lies_there(here: Path, lang: str, expected: str) -> None:
    def run(verb: str, *words: str, code: int = 0) -> str:
        done = muster("tournament", verb, "cup", *words, "--lang", lang)
        assert done.code == code, done.err
        return done.out + done.err

    def lying() -> dict[str, bytes]:
        return {f"{at}/{name}": (here / "cup" / at / name).read_bytes() for at in rounds for name in kept}

    rounds, kept = ("round-1", "round-2"), ("manifest.json", "results.csv")
    shutil.copytree(PACKED_0_1, here / "cup")
    before = lying()
    held = muster("verify", "cup/round-1", "--json").json
    # This folder does not contain the printed files.
    lacking = [f"{name}: missing" for name in ("round-1.pdf", "organiser-1.pdf", "scenario-M9W3A-2PX41.toml")]
    assert (held["findings"], held["filled"]) == (lacking, ["results.csv"])
    assert expected in run("status")
    assert "--reopen" in run("pack", "--round", "2", code=2)
    run("results")
    status = muster("tournament", "status", "cup", "--json").json
    assert [one["state"] for one in status["round"]] == ["played", "packed"]
    assert [one["earlier"] for one in status["round"]] == [True, True]
    assert {player["name"] for player in status["players"]} == {"Ann", "Bo", "千代", "Łuc"}
    assert [(m["a"], m["b"]) for m in status["round"][0]["tables"]] == [("Ann", "Łuc"), ("Bo", "千代")]
    assert lying() == before
    second = here / "cup" / "round-2" / "results.csv"
    rows = list(csv.reader(io.StringIO(second.read_text("utf-8-sig"))))
    filled = [rows[0], *([*row[:7], "2", str(at), *row[9:]] for at, row in enumerate(rows[1:]))]
    second.write_text("\n".join(map(",".join, filled)), "utf-8")
    before = lying()
    run("results")
    run("pair")
    assert (
        "Round 3" in run("pack", "--parts", "map") if lang == "en" else "第3ラウンド" in run("pack", "--parts", "map")
    )
    assert lying() == before
    status = muster("tournament", "status", "cup", "--json").json
    assert [(one["state"], one["earlier"]) for one in status["round"]] == [
        ("played", True), ("played", True), ("packed", False)
    ]  # fmt: skip
    new = json.loads((here / "cup" / "round-3" / "manifest.json").read_text("utf-8"))
    old = json.loads(before["round-1/manifest.json"])
    assert new["code"] == status["code"] != old["code"]
    standings = muster("tournament", "standings", "cup", "--json").json["standings"]
    assert {row["player"]: row["played"] for row in standings} == dict.fromkeys(("Ann", "Bo", "千代", "Łuc"), 4)
    run("day")


def test_a_sealed_round_of_0_1_is_held_against_its_commitment_as_far_as_that_goes(here: Path) -> None:
    shutil.copytree(PACKED_0_1.with_name("sealed_0_1"), here / "old")
    reveal = ("tournament", "reveal", "old/commitment.json", "old/round-1")
    done = muster(*reveal)
    assert (done.code, done.out.splitlines()[1:]) == (1, [
        "round 1 was drawn with different data or another version of Muster (0.1.0), so its scenarios "
        "cannot be drawn again from their codes. The kit ids and files are checked against the opening instead",
        "Rounds in the commitment that have not been opened yet: Round 2, Round 3",
        "Next: to draw the scenarios from their codes as well, run the same command with that version of Muster",
    ])  # fmt: skip
    opening, (file,) = here / "old" / "round-1" / "opening.json", (here / "old" / "round-1").glob("scenario-*.toml")
    before = opening.read_text("utf-8")
    for changed, expected in (
        (
            before.replace("VQX0C-2BNT0", CODE),
            ("does not match the commitment", "does not give the kit id J110-JTAR"),
        ),
        (before.replace('"Autumn', '"Spring'), ("does not match the commitment", "belongs to another event")),
    ):
        opening.write_text(changed, "utf-8")
        output = muster(*reveal).out
        assert [line in output for line in expected] == [True, True]
        assert output.splitlines()[-1].startswith("Next: ask the organiser")
    opening.write_text(before, "utf-8")
    file.write_text(file.read_text("utf-8") + "\n", "utf-8")
    assert f"{file.relative_to(here)} is not the scenario listed in the opening" in muster(*reveal).out


def test_standings_of_an_event_say_what_comes_next(here: Path) -> None:
    muster("tournament", "pack", "--players", "2", "--rounds", "1", "--seed", CODE, "-o", "cup", *QUICK)
    standings = ("tournament", "standings", "cup", "-o", "st")
    wanted = "muster tournament results cup"
    assert (
        muster(*standings).out.splitlines()[-1]
        == f"Next: fill in results.csv in the folder of the round, then run {wanted}"
    )
    assert muster(*standings, "--json").json["next"] == wanted
    file = here / "cup" / "round-1" / "results.csv"
    head, *rows = file.read_text("utf-8-sig").splitlines()
    rows = [",".join([*row.split(",")[:7], "6", "2", "10", "20", *row.split(",")[11:]]) for row in rows]
    file.write_text("\n".join([head, *rows]), "utf-8")
    assert muster(*standings).out.splitlines()[-1] == "All rounds have been played. Post standings.pdf on the wall"
    assert muster(*standings, "--json").json["next"] == ""
