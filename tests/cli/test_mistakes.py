"""Tests for common mistakes. Each message names the next step, and nothing is generated or written."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from generator import games
from generator.common.pages import source_words
from generator.model.words import Words
from generator.press.png import MAX_PIXELS
from tests.cli.conftest import CODE
from tests.cli.run import contents, muster


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Generate two scenarios once and return the content of their files."""
    folder = tmp_path_factory.mktemp("drawn")
    for name, game in (("scenario.toml", "call_to_arms"), ("duel.toml", "battling")):
        assert muster("draw", game, "--seed", CODE, "-o", folder / name).code == 0
    return contents(folder)


@pytest.fixture
def place(drawn: dict[str, bytes], here: Path) -> Path:
    """Return a folder with a scenario, a subfolder, a PDF, and a game log with its scenario."""
    (here / "pages").mkdir()
    (here / "pages" / "map.pdf").write_bytes(b"%PDF-1.7\n")
    for name, text in drawn.items():
        (here / name).write_bytes(text)
    (here / "game.txt").write_text("[turn 1] [first]\nF / 0805\n", "utf-8")
    return here


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        (("check", "secnario.toml"), "secnario.toml: no such file (did you mean scenario.toml?)"),
        (("check", "."), ".: is a folder (give a file in this folder: duel.toml, scenario.toml)"),
        (("check", "pages"), "pages: is a folder (give a file in this folder)"),
        (("print", "pages/map.pdf"), "pages/map.pdf: is a PDF file (expected a text file in TOML)"),
        (("print", "call_to_arms"), "call_to_arms is a game; `muster draw call_to_arms` writes a scenario.toml"),
        (("print", "game.txt"), "(the name of a scenario file must end in .toml)"),
        (
            ("sight", "A1", "B2", "scenario.toml"),
            "A1: no such file (give the file first; usage: muster sight FILE [A [B]])",
        ),
        (("moves", "B1", "scenario.toml"), "(give the file first; usage: muster moves FILE UNIT)"),
        (("sight", "A1", "B2"), "A1: no such file"),
        (("orders", "list", "game.txt", "F1"), "muster orders list scenario.toml F1 --after game.txt)"),
        (("orders", "list", "game.txt"), "Missing argument 'UNIT'"),
        (("orders", "list", "duel.toml", "F9"), "(accepted: F1, "),
        (("orders", "list", "dual.toml", "F1"), "did you mean duel.toml?"),
        (
            ("orders", "check", "duel.toml"),
            "is a scenario, not a log (give the log as FILE, and give this scenario with --scenario)",
        ),
        (("orders", "check", "gam.txt"), "did you mean game.txt?"),
        (("replay", "game.txt", "--scenario", "duel.toml", "--dpi", "1200"), "dpi or less)"),
        (("kit", "scenario.toml"), "scenario.toml is a file; to print it: muster print scenario.toml"),
        (("kit", CODE), f"{CODE} is a code; try: --seed {CODE}"),
        (("gallery", "batling"), "did you mean battling?"),
        (("kit", "--sed", CODE), "'--seed'"),
        (("kit", "-seed", CODE), "No such option '-seed'. Did you mean '--seed'?"),
        (("check", "-json", "scenario.toml"), "Did you mean '--json'?"),
        (("kit", "-x"), "No such option '-x'."),
        (("kit", "--map", "."), "is a folder: .; give a file in this folder: duel.toml, scenario.toml"),
        (("kit", "--map", "secnario.toml"), "no such file: secnario.toml; did you mean scenario.toml?"),
        (("kit", "--format", "png", "--parts", "map", "--dpi", "1200"), "dpi or less)"),
        (("help", "kti"), "there is no command named 'kti'; did you mean kit?"),
        (("-v",), "there is no option -v; to show the version: muster --version"),
        (("pair",), "there is no command named 'pair'; did you mean muster tournament pair?"),
        (("orders", "foo"), "there is no command named 'foo'; `muster orders --help` lists the commands"),
        (("data", "lst"), "there is no command named 'lst'; did you mean list?"),
        (("data", "list", "maps"), "there is neither a game nor a kind of data named 'maps' (did you mean map?)"),
        (("print", "duel.toml", "scenario.toml"), "cannot use scenario.toml; without it: muster print duel.toml\n"),
        (("kit", "battling", "--mirror", "blind_faith"), "without it: muster kit battling --mirror"),
        (("draw", "--json", "-o", "x.toml"), "'x.toml' does not end in .json; use the name 'x.json'"),
        (("draw", "-o", "x"), "'x' does not end in .toml; use the name 'x.toml'"),
        (("kit", "-o", "-", "--separate"), "'-' is a single file, but several files are written; give a folder"),
        (("boards", "battling", "--only", "plazza"), "--only: 'plazza' is not a valid choice (did you mean plaza?)"),
        (("boards", "--only", "x"), "--only: 'x' is not a valid choice (accepted: alder_fords, "),
        (
            ("boards", "battling", "--only", "plaza", "--board", "ring"),
            "--only and --board both name boards (omit --only)",
        ),
        (
            ("boards", "battling", "--backs"),
            "does not accept --backs (games that accept --backs: travel_battle; for example: muster boards "
            "travel_battle --backs …)",
        ),
        (
            ("kit", "--templates", "pages"),
            "(`muster data templates -o pages` copies shipped templates to this folder)",
        ),
        (("verify", "."), "(give the folder of a printed kit)"),
        (("verify", "scenario.toml"), "scenario.toml: is a file (give the folder that contains the file: .)"),
        (("verify", "nowhere"), "nowhere: no such folder"),
        (("preflight", "."), ".: is a folder (give a file in this folder)"),
        (("preflight", "pages"), "pages: is a folder (give a file in this folder: pages/map.pdf)"),
        (("preflight", "pages/mop.pdf"), "did you mean pages/map.pdf?"),
        (("data", "show", "xyzzy"), "(see `muster data list`)"),
        (("kit", "--printer", "dx=30,rotate=-9"), "rotate cannot be -9 (give a value from -2 to 2)"),
    ],
)
def test_a_mistake_is_explained(place: Path, args: tuple[str, ...], expected: str) -> None:
    before = sorted(place.rglob("*"))
    done = muster(*args)
    assert done.code in (2, 3)
    assert expected in done.out + done.err
    assert len(done.err) < 600
    assert sorted(place.rglob("*")) == before


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_help_and_version_are_commands(lang: str) -> None:
    for words, same in (
        (("help",), ("--help",)),
        (("help", "kit"), ("kit", "--help")),
        (("help", "data", "list"), ("data", "list", "--help")),
        (("data", "help", "list"), ("data", "list", "--help")),
        (("version",), ("--version",)),
    ):
        asked, usual = muster(*words, "--lang", lang), muster(*same, "--lang", lang)
        assert (asked.code, asked.out) == (0, usual.out)


def test_data_of_one_game_or_kind() -> None:
    every = json.loads(muster("data", "list", "--json").out)
    for word, key in (("battling", "game"), ("map", "kind")):
        rows = json.loads(muster("data", "list", word, "--json").out)
        assert rows == [row for row in every if row[key] == word] and 0 < len(rows) < len(every)


@pytest.mark.parametrize("verb", ["draw", "cards", "kit", "gallery", "replay", "printer calibrate", "orders play"])
def test_an_empty_name_to_write_to(place: Path, verb: str) -> None:
    file = {"replay": ("game.txt",), "orders play": ("duel.toml",)}.get(verb, ())
    done = muster(*verb.split(), *file, "-o", "")
    assert (done.code, "the value is empty; give a " in done.err) == (2, True)


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        (("draw", "-o", "pages"), "'pages' is a folder; give the name of a file in this folder"),
        (("draw", "-o", ".."), "is a folder"),
        (("draw", "-o", "new/"), "'new/' is a folder"),
        (("cards", "-o", "pages"), "'pages' is a folder"),
        (("printer", "calibrate", "-o", "pages"), "'pages' is a folder"),
        (("kit", "-o", "scenario.toml"), "'scenario.toml' is a file; give a folder"),
        (("kit", "-o", "war/kit.pdf"), "'war/kit.pdf' is the name of a file; give a folder, such as 'war/kit'"),
        (("cards", "-o", "x.png", "--format", "png"), "such as 'x'"),
        (("cards", "--format", "png", "-o", "scenario.toml"), "'scenario.toml' is a file"),
        (("data", "templates", "-o", "x.toml"), "give a folder"),
        (
            ("tournament", "new", "--players", "names.txt", "--rounds", "3", "-o", "names.csv"),
            "'names.csv' is the name of a file; give a folder, such as 'names'",
        ),
        (("tournament", "standings", "cup", "-o", "table.CSV"), "give a folder, such as 'table'"),
        (("tournament", "pack", "--players", "4", "--rounds", "1", "-o", "cup.trf"), "give a folder, such as 'cup'"),
        (("replay", "game.txt", "-o", "war.gif"), "give a folder, such as 'war'"),
    ],
)
def test_a_folder_and_a_file_taken_for_each_other(place: Path, args: tuple[str, ...], expected: str) -> None:
    before = sorted(place.rglob("*"))
    done = muster(*args)
    assert (done.code, expected in done.err) == (2, True), done.err
    assert sorted(place.rglob("*")) == before


def test_a_folder_that_is_called_like_a_file_may_be_written_to(here: Path) -> None:
    (here / "saint.svg").mkdir()
    assert muster("kit", "--seed", CODE, "--parts", "cover", "-o", "saint.svg").code == 0


def test_what_was_wrong_with_the_print_is_not_advised_again(here: Path) -> None:
    done = muster("kit", "--seed", CODE, "--banners", "5", "--parts", "cver", "--ink", "saver")
    assert done.err == "--parts: 'cver' is not a valid choice (did you mean cover?)\n"


def test_a_size_of_cells_that_no_part_heeds(here: Path) -> None:
    done = muster("kit", "--seed", CODE, "--hex", "40mm")
    assert (
        done.code,
        "have no effect on this kit (these options can be used only with --parts tokens,board)" in done.err,
    ) == (
        2,
        True,
    )
    assert "have no effect on this kit" in muster("kit", "--seed", CODE, "--parts", "cover", "--square", "1in").err
    assert list(here.iterdir()) == []
    assert muster("kit", "--seed", CODE, "--parts", "tokens", "--hex", "40mm", "-o", "kit").code == 0


def test_an_option_that_no_font_can_print(here: Path) -> None:
    done = muster("kit", "--seed", CODE, "--parts", "cover", "--title", "Ford 😀")
    expected = (
        "Invalid value for '--title': the value contains '😀' (U+1F600), "
        "which none of the available fonts can print; "
    )
    assert (done.code, expected in done.err) == (2, True)
    assert list(here.iterdir()) == []


def test_an_option_of_other_games_is_reported_once(here: Path) -> None:
    done = muster("kit", "blind_faith", "--mirror", "on")
    expected = (
        "blind_faith has no option --mirror; games that accept --mirror: battlelore, battling, "
        "call_to_arms, travel_battle; for example: "
    )
    assert expected + "muster kit battlelore --mirror …\n" in done.err


def test_all_boards_are_announced(here: Path) -> None:
    lines = muster("boards", "battling", "-o", "b.pdf").out.splitlines()
    assert lines[0] == "b.pdf" and lines[1].endswith(" pages, 7 maps or boards; to print one of them: --board canal")
    assert muster("boards", "battling", "--board", "canal", "-o", "c.pdf").out == "c.pdf\n"


@pytest.mark.parametrize("game", games.names())
def test_only_some_boards_are_printed(game: str, here: Path) -> None:
    """The help listed `--only` for every game, but every game refused it."""
    names = next(what.ships() for what in games.load(game).prints if what.verb == "boards")
    done = muster(
        *("boards", game, "--only", f"{names[-1].upper()},{names[0]}", "-o", "out"),
        *("--format", "svg", "--lang", "en", "--json"),
    )
    files = json.loads(done.out)["files"]
    assert len(files) == 2 and contents(here / "out").keys() >= {*files}


def test_a_gallery_ends_in_html(here: Path) -> None:
    done = muster("gallery", "battling", "-o", "gal")
    assert (done.code, "'gal' does not end in .html; use the name 'gal.html'" in done.err) == (2, True)


def test_no_picture_is_so_large_that_pillow_warns() -> None:
    assert Image.MAX_IMAGE_PIXELS and MAX_PIXELS < Image.MAX_IMAGE_PIXELS


def test_a_mistyped_mark_of_a_data_file(here: Path) -> None:
    (here / "my.toml").write_text('name = { en = "a", ja = "b" }\nrwos = ". ."\n', "utf-8")
    assert muster("data", "check", "my.toml").out == (
        "my.toml:2: rwos: is not a key of any game's data files (did you mean rows?)\n"
    )
    assert muster("kit", "--map", "my.toml").err.splitlines() == [
        "my.toml:1: `profile` is missing",
        "my.toml:2: rwos: unknown field (did you mean rows?)",
    ]


def test_verify_speaks_the_language_that_is_asked_for(kit: Path) -> None:
    (kit / "kit.pdf").unlink()
    assert f"{kit}: kit.pdf：ファイルがありません" in muster("verify", kit, "--lang", "ja").out
    assert muster("verify", kit, "--lang", "ja", "--json").json["findings"] == ["kit.pdf: missing"]


def test_games_and_printers_are_listed_in_japanese(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MUSTER_CONFIG", str(here / "config"))
    assert "* はゲームを指定しないとき" in muster("games", "--lang", "ja").out
    assert muster("printer", "set", "書斎", "--lang", "ja").out.startswith("書斎: ずれはありません\n")
    assert muster("printer", "list").out == "書斎: no offset\n"


QUOTA = (
    "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (9999, 9999)); from generator.cli import main; main()"
)


def test_a_disk_that_takes_no_more(here: Path) -> None:
    kit = [sys.executable, "-c", QUOTA, "kit", "--seed", CODE, "--parts", "cover", "-o", "kit"]
    done = subprocess.run(kit, cwd=here, capture_output=True, encoding="utf-8", timeout=60)
    assert (done.returncode, done.stderr.splitlines()[0]) == (5, "cannot write to kit: File too large")
    assert list((here / "kit").iterdir()) == []


def test_sight_takes_units_by_their_names(here: Path) -> None:
    for game, a, b in (("call_to_arms", "p4", "S10"), ("battling", "F1", "s2")):
        muster("draw", game, "--seed", CODE, "-o", f"{game}.toml")
        row = muster("sight", f"{game}.toml", a, b, "--json").json
        text = Path(f"{game}.toml").read_text("utf-8")
        for unit, end in ((a, "from"), (b, "to")):
            if game == "call_to_arms":
                assert f'id = "{unit.upper()}", hex = "{row[end]}"' in text
            else:
                assert row[end] in re.findall(r'hex = "(\d{4})"', text)
    assert "there is no hex or unit 'P99'" in muster("sight", "call_to_arms.toml", "P99", "A1").err
    assert "0101 to" in muster("sight", "battling.toml", "F99", "0101").err


def test_the_source_of_a_rule_is_described_in_words(scenario: Path) -> None:
    scenario.write_text(scenario.read_text("utf-8").replace("banners = 6", "banners = 9"), "utf-8")
    english, japanese = (muster("check", scenario, "--lang", lang).out for lang in ("en", "ja"))
    assert english.splitlines()[2].endswith(" (house rule)")
    assert japanese.splitlines()[2].endswith("（独自規定）")
    assert source_words("seed: travel_battle, set-up; house: ties") == Words(
        "rule text set-up; house rule: ties", "原典「セットアップ」、独自規定：同じ目の場合"
    )
    assert source_words("seed: call_to_arms 3b-4") == Words("rule text 3b-4", "原典 3b-4")
    assert source_words("the pack").ja == "パックの記載"


def test_a_cell_in_lower_case_is_accepted(scenario: Path) -> None:
    scenario.write_text(scenario.read_text("utf-8").replace('hex = "A3"', 'hex = "a3"'), "utf-8")
    done = muster("check", scenario)
    assert (done.code, done.err) == (0, "")


def test_maps_are_listed_by_title(here: Path) -> None:
    done = muster("kit", "battlelore", "--seed", CODE, "--map", "fenwater", "--lang", "ja", "--parts", "cover").out
    assert "fenwater" not in done and "独自マップ" in done
