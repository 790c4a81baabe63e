"""Tests for `muster printer`, and for --printer, --fold, --flip, --single and --seat of the verbs that print."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pikepdf
import pypdfium2
import pytest

from tests.cli import once
from tests.cli.conftest import CODE
from tests.cli.run import contents, muster


@pytest.fixture(autouse=True)
def config(here: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a separate settings folder for the test."""
    folder = here.parent / "config"
    monkeypatch.setenv("MUSTER_CONFIG", str(folder))
    return folder


def den() -> None:
    assert muster("printer", "set", "den", "--dx", "0.6", "--dy", "-0.4", "--scale", "99.5").code == 0


def test_a_printer_is_saved_shown_changed_and_forgotten(config: Path) -> None:
    assert muster("printer", "list").out.startswith("No printers are saved")
    den()
    assert muster("printer", "set", "書斎 2", "--rotate", "0.25").code == 0
    assert muster("printer", "list").out.splitlines() == ["den: dx=0.6,dy=-0.4,scale=99.5", "書斎 2: rotate=0.25"]
    assert muster("printer", "set", "den", "--dx", "0.5").code == 0
    row = {"name": "den", "dx": 0.5, "dy": -0.4, "scale": 99.5, "rotate": 0.0}
    assert muster("printer", "show", "den", "--json").json == row
    assert muster("printer", "show", "書斎 2").out.splitlines()[-1] == "rotate  0.25"
    assert muster("printer", "remove", "書斎 2").code == 0
    assert muster("printer", "list", "--json").json == [row]
    assert [path.name for path in config.iterdir()] == ["printers.toml"]


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        (("show", "dem"), "did you mean den?"),
        (("remove", "attic"), "there is no printer named 'attic' (accepted: den)"),
        (("set", "x", "--dx", "30"), "dx cannot be 30 (give a value from -10 to 10)"),
        (("set", "x", "--scale", "nan"), "scale cannot be nan (give a value from 95 to 105)"),
        (("set", "a=b"), "must not contain = or ,"),
        (("set", "  "), "is empty"),
    ],
)
def test_invalid_printers_are_reported(config: Path, args: tuple[str, ...], expected: str) -> None:
    den()
    before = contents(config)
    done = muster("printer", *args)
    assert (done.code, expected in done.err) == (2, True), done.err
    assert contents(config) == before


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[den]\ndx = 0.6\ndz = 1.0\n", "printers.toml:3: den.dz: unknown field (accepted: dx, dy, scale, rotate)"),
        ("[den]\ndx = 'far'\n", "printers.toml:2: den.dx: expected a number, without quotation marks"),
        ("[den]\ndx = 99.0\n", "printers.toml:2: den.dx: 99.0 is too large (give a value from -10 to 10)"),
        ("[den\n", "printers.toml:1: is not valid TOML"),
    ],
)
def test_a_faulty_settings_file_is_reported_with_its_line_and_not_changed(
    config: Path, text: str, expected: str
) -> None:
    config.mkdir()
    (config / "printers.toml").write_text(text)
    for args in (("printer", "list"), ("printer", "set", "x", "--dx", "1"), ("kit", "--printer", "den")):
        done = muster(*args)
        assert (done.code, expected in done.err) == (3, True), done.err
    assert (config / "printers.toml").read_text() == text


def test_a_folder_of_settings_that_cannot_be_written(config: Path) -> None:
    config.write_text("mine")
    assert muster("printer", "set", "den", "--dx", "1").code == 5
    assert config.read_text() == "mine"


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_the_calibration_sheet(here: Path, lang: str) -> None:
    den()
    for args in ((), ("--flip", "short", "--paper", "letter"), ("--printer", "den")):
        done = muster("printer", "calibrate", "--lang", lang, *args)
        assert (done.code, done.out.splitlines()[0]) == (0, "output/calibration.pdf"), done.err
        with pikepdf.open(here / "output" / "calibration.pdf") as document:
            assert len(document.pages) == 2


def test_a_kit_for_a_printer_is_rebuilt_without_its_settings(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    den()
    assert muster("kit", "--seed", CODE, "--printer", "den", "--parts", "map", "-o", "kit").code == 0
    content = json.loads((here / "kit" / "manifest.json").read_text("utf-8"))
    assert content["printer"] == {"dx": 0.6, "dy": -0.4, "scale": 99.5, "rotate": 0.0}
    assert "--printer dx=0.6,dy=-0.4,scale=99.5" in content["command"]
    assert muster("printer", "remove", "den").code == 0
    monkeypatch.chdir(here / "kit")
    with once.without_cached_results():
        assert muster(*content["command"].split()[1:], "-o", "../again").code == 0
    assert contents(here / "again") == contents(here / "kit")


def test_the_manifest_tells_the_ink_of_every_page(kit: Path) -> None:
    content = json.loads((kit / "manifest.json").read_text("utf-8"))
    with pikepdf.open(kit / "kit.pdf") as document:
        assert len(content["ink"]) == len(document.pages)
    assert all(0 < page["dark"] < 0.5 for page in content["ink"])


def test_a_wrong_printer_gets_its_near_match() -> None:
    den()
    for args, expected in ((("--printer", "dem"), "did you mean den?"), (("--printer", "dx=far"), "is not a number")):
        done = muster("cards", "call_to_arms", *args)
        assert (done.code, expected in done.err) == (2, True), done.err


@pytest.mark.parametrize(("verb", "only"), [("cards", "A1,A2"), ("tokens", "levies")])
def test_pieces_for_a_printer_pass_preflight(here: Path, verb: str, only: str) -> None:
    den()
    for args in ((), ("--fold",), ("--flip", "short", "--paper", "letter"), ("--single",)):
        done = muster(verb, "call_to_arms", "--only", only, "--printer", "den", *args, "-o", "out.pdf")
        assert (done.code, done.err) == (0, "")


def test_fold_and_single_do_not_go_together(here: Path) -> None:
    done = muster("cards", "call_to_arms", "--fold", "--single")
    assert (done.code, "choose one" in done.err) == (2, True)


def first_text(path: Path, page: int) -> str:
    return str(pypdfium2.PdfDocument(path)[page].get_textpage().get_text_range())


@pytest.mark.parametrize(
    ("game", "seat"), [("battlelore", "standard"), ("call_to_arms", "standard"), ("travel_battle", "red")]
)
def test_a_kit_from_the_far_chair(here: Path, game: str, seat: str) -> None:
    assert muster("kit", game, "--seed", CODE, "--parts", "cover,map", "--seat", seat, "-o", "far").code == 0
    assert muster("kit", game, "--seed", CODE, "--parts", "cover,map", "-o", "near").code == 0
    assert f"--seat {seat}" in first_text(here / "far" / "kit.pdf", 0)
    far, near = (first_text(here / name / "kit.pdf", 1) for name in ("far", "near"))
    lines = [line for line in near.splitlines() if "sits here" in line]
    assert [line for line in far.splitlines() if "sits here" in line] == lines[::-1]
    assert sorted(far.split()) == sorted(near.split())


def test_a_seat_that_the_game_lacks(here: Path) -> None:
    done = muster("kit", "--seat", "standart")
    assert (done.code, "did you mean standard?" in done.err) == (2, True)
    assert "--seat" not in muster("kit", "blind_faith", "--help").out
    assert muster("draw", "blind_faith", "--seed", CODE).code == 0
    assert (
        "omit --seat, because this game has no sides to choose from"
        in muster("print", "scenario.toml", "--seat", "hussite").err
    )


@pytest.mark.parametrize("game", ["battlelore", "call_to_arms", "travel_battle", "blind_faith", "battling"])
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_every_cover_tells_how_it_is_to_be_printed(here: Path, game: str, lang: str) -> None:
    args = ("--lang", lang, "--paper", "letter", "--flip", "short", "--parts", "cover,tokens")
    assert muster("kit", game, "--seed", CODE, *args, "-o", "kit").code == 0
    page_text = "".join(first_text(here / "kit" / "kit.pdf", 0).split())
    wanted = {"en": ("USLetter", "100%", "shortedge", "3mm"), "ja": ("USレター", "100%", "短辺とじ", "3mm")}[lang]
    assert all(words in page_text for words in wanted)


@pytest.mark.parametrize(
    ("lang", "expected"), [("en", "No printers are saved"), ("ja", "保存されたプリンターはありません")]
)
def test_a_list_without_printers_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lang: str, expected: str
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert expected in muster("printer", "list", "--lang", lang).out
    assert muster("printer", "list", "--json").json == []


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_calibrate_and_set_name_the_next_command(config: Path, lang: str) -> None:
    made = muster("printer", "calibrate", "--lang", lang, "-o", "sheet.pdf")
    assert made.out.splitlines()[0] == "sheet.pdf"
    assert "muster printer set " in made.out.splitlines()[1]
    saved = muster("printer", "set", "書斎 2", "--dx", "0.5", "--lang", lang).out.splitlines()[-1]
    command = shlex.split(saved.split("`")[1])
    assert command == ["muster", "printer", "calibrate", "--printer", "書斎 2"]
    assert muster(*command[1:], "-o", "again.pdf").code == 0
    assert list(muster("printer", "calibrate", "-o", "third.pdf", "--json").json) == ["file"]
