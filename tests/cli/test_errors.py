"""Tests that every error is reported as a sentence with its exit code, without a traceback."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from generator import games
from generator.errors import DoesNotFitError, NothingLegalError
from generator.store.folders import cache_folder
from tests.cli.conftest import CODE
from tests.cli.run import MUSTER, muster, spawn

FULL = Path("/dev/full")


@pytest.mark.parametrize(
    ("args", "hint"),
    [
        ("kti", "did you mean kit?"),
        ("data lst", "list"),
        ("kit call_to_arm", "did you mean call_to_arms?"),
        ("draw 戦闘", "accepted: battlelore, battling"),
        ("draw --map saint_iva", "did you mean saint_ivo?"),
        ("draw --map missing.toml", "no such file: missing.toml"),
        ("draw --hill plateu", "did you mean plateau?"),
        ("draw --banners 12", "accepted: 4, 5, 6, 7"),
        ("draw --set-pennant D", "accepted: A, B, C"),
        ("draw --deck missing.toml", "no such file: missing.toml"),
        ("draw --lang de", "'en', 'ja'"),
        ("draw --baners 5", "--banners"),
        ("kit --paper a5", "'a4', 'letter'"),
        ("kit --until hnd", "did you mean hand?"),
        ("draw --cards-pennant A1,A2,A3,A8", "there is no card named 'A8'"),
        ("draw --cards-pennant A1,A2,A3", "give 4 different cards"),
        ("draw --cards-pennant A1,A2,A3,B4", "choose the 4 cards from one set"),
        ("draw --cards-pennant A1,A2,A3,A4 --set-pennant B", "not in set B"),
        ("draw --map long_ridge --board memoir", "is for a different board"),
        ("data show saint_iva", "did you mean saint_ivo?"),
        ("check", "FILE"),
        ("draw blind_faith --points 29", "accepted: 30 to 200"),
        ("draw --title=", "is empty"),
        ("draw --map=", "is not valid"),
        ("draw --seed=", "a code has 10"),
    ],
)
def test_a_typo_gets_the_nearest_match(args: str, hint: str) -> None:
    done = muster(*args.split())
    assert (done.code, done.out) == (2, "")
    assert hint in done.err


@pytest.mark.parametrize("mistyped", ["K7Q2M-9FHNS", "K7Q2M-9FH5N", "K7Q2N-9FHN5", "K7Q2M-9FHN", "K7Q2M-9FHN55"])
def test_a_mistyped_code_is_never_corrected_in_silence(mistyped: str) -> None:
    done = muster("draw", "--seed", mistyped)
    assert done.code == 2
    assert f"did you mean {CODE}?" in done.err.replace(f" or {CODE}", f"did you mean {CODE}?")


@pytest.mark.parametrize("raw", ["k7q2m9fhn5", "Ｋ７Ｑ２Ｍ－９ＦＨＮ５", " K7Q2M 9FHN5 "])
def test_a_code_is_taken_however_it_is_typed(raw: str) -> None:
    assert muster("draw", "--json", "--seed", raw).json["code"] == CODE


@pytest.mark.parametrize(("raw", "taken"), [("５", 5), (" 5 ", 5)])
def test_full_width_digits_are_welcome(raw: str, taken: int) -> None:
    assert muster("draw", "--json", "--banners", raw).json["banners"] == taken


def test_sight_names_the_hexes_there_are(scenario: Path) -> None:
    assert "its hexes are A1 to L9" in muster("sight", scenario, "A1", "Z9").err
    assert "its hexes are A1 to L9" in muster("sight", scenario, "Z9").err
    assert "different" in muster("sight", scenario, "A1", "A1").err


def test_every_file_is_checked_though_one_cannot_be_read(scenario: Path, here: Path) -> None:
    (here / "bad.toml").write_text("game = ", encoding="utf-8")
    done = muster("check", "bad.toml", scenario, "missing.toml")
    assert done.code == 3
    assert "legal by" in done.out
    bad, missing = done.err.splitlines()
    assert (bad.split(" (")[0], missing) == (
        "bad.toml:1: is not valid TOML: this is not a TOML value",
        "missing.toml: no such file",
    )
    rows = muster("check", "bad.toml", scenario, "missing.toml", "--json").json
    assert [(row["legal"], len(row["problems"])) for row in rows] == [(False, 1), (True, 0), (False, 1)]


def test_errors_as_json(here: Path) -> None:
    done = muster("sight", "missing.toml", "--json")
    assert (done.code, done.err) == (3, "")
    assert done.json == {
        "exit": 3,
        "problems": [{"file": "missing.toml", "line": 0, "message": "no such file", "hint": ""}],
    }


def test_strict_counts_what_is_unproved(scenario: Path) -> None:
    text = scenario.read_text(encoding="utf-8")
    scenario.write_text(text[: text.index("[[log]]")], encoding="utf-8")
    plain = muster("check", scenario)
    assert (plain.code, "unproved" in plain.out) == (0, True)
    assert muster("check", scenario, "--strict").code == 1


def test_an_error_after_the_draw_tells_the_code(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def crowded(*_: object, **__: object) -> None:
        raise DoesNotFitError('the sheet "Record sheet" does not fit on one page')

    monkeypatch.setattr("generator.press.book.print_kit", crowded)
    for args in ((), ("--until", "hand")):
        done = muster("kit", "--seed", CODE, "--banners", "5", "--lang", "ja", *args)
        command = f"muster kit call_to_arms --seed {CODE} --banners 5 --lang ja --paper a4"
        assert (done.code, done.out) == (1, "")
        assert done.err.splitlines() == [
            'the sheet "Record sheet" does not fit on one page',
            f"コード{CODE}から作成しました。もう一度作成するには：{command}",
        ]
        row = muster("kit", "--seed", CODE, "--banners", "5", "--lang", "ja", "--json", *args).json
        assert (row["exit"], row["code"], row["command"]) == (1, CODE, command)


def test_a_fault_after_the_draw_tells_the_code_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr("generator.press.book.print_kit", broken)
    done = muster("kit", "--seed", CODE)
    assert done.code == 70
    assert f"{CODE}: muster kit call_to_arms --seed {CODE}" in done.err


def test_an_option_of_another_game_names_it() -> None:
    done = muster("kit", "--points", "52")
    assert done.code == 2
    assert (
        "games that accept --points: battlelore, battling, blind_faith; for example: muster kit battlelore --points …"
        in done.err
    )
    assert "Did you mean" not in done.err


def test_nothing_legal_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def stubborn(*_: object) -> None:
        raise NothingLegalError("no crossing was found in 1,000 tries")

    monkeypatch.setattr("generator.cli.verb_draw.examine", stubborn)
    done = muster("draw")
    assert (done.code, done.err) == (4, "no crossing was found in 1,000 tries\n")


def test_a_file_where_the_folder_should_be(here: Path) -> None:
    (here / "kit").write_text("mine", encoding="utf-8")
    for args in (("kit", "-o", "kit/deeper"), ("draw", "-o", "kit/x.toml")):
        done = muster(*args, "--seed", CODE)
        assert (done.code, done.out) == (5, "")
        assert "cannot write to kit" in done.err
    assert (here / "kit").read_text(encoding="utf-8") == "mine"


def test_a_folder_where_the_file_should_be(here: Path) -> None:
    (here / "scenario.toml").mkdir()
    (here / "kit" / "manifest.json").mkdir(parents=True)
    for args in (("draw",), ("kit", "-o", "kit")):
        done = muster(*args, "--seed", CODE)
        assert (done.code, "is a folder, not a file" in done.err) == (5, True)
    assert [path.name for path in (here / "kit").iterdir()] == ["manifest.json"]


@pytest.mark.skipif(not FULL.exists(), reason="this system has no /dev/full")
def test_a_full_disk_behind_the_output(here: Path) -> None:
    with FULL.open("w") as full:
        done = subprocess.run(
            [*MUSTER, "draw", "--json"], cwd=here, stdout=full, stderr=subprocess.PIPE, encoding="utf-8", timeout=60
        )
    assert (done.returncode, done.stderr) == (5, "cannot write the output: No space left on device\n")


def test_a_closed_output_pipe_is_not_an_error(scenario: Path) -> None:
    with subprocess.Popen(
        [*MUSTER, "sight", str(scenario)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
    ) as run:
        assert run.stdout and run.stderr
        run.stdout.readline()
        run.stdout.close()
        assert run.stderr.read() == ""
    assert run.returncode == 0


def test_our_own_fault_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise KeyError("nowhere")

    monkeypatch.setattr("generator.cli.verb_draw.examine", broken)
    done = muster("draw")
    assert done.code == 70
    assert "a bug in Muster" in done.err
    failed = muster("draw", "--json")
    assert (failed.code, failed.err, failed.json["exit"]) == (70, "", 70)
    assert "nowhere" in failed.json["problems"][0]["message"]
    with pytest.raises(AssertionError, match="Traceback"):
        muster("--debug", "draw")


SLOW = """
import signal, sys, time
from generator.cli import main
from generator.store import write
# A shell that runs the tests in its background has them, and us, ignore the key that interrupts.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)
def wait():
    print("writing", flush=True)
    time.sleep(60)
{fsync}
write.os.fsync = fsync
sys.argv = ["muster", "kit", "--parts", "cover", "-o", "kit"]
main()
"""
PLAIN = """
def fsync(_):
    wait()
"""
MADE_OTHER = """
def fsync(_):
    try:
        wait()
    except KeyboardInterrupt:
        raise ImportError("numpy does so")
"""
SWALLOWED = """
class Document:
    def __del__(self):
        wait()
def fsync(_):
    Document()
    for _ in range(6000):
        time.sleep(0.01)
"""


@pytest.mark.parametrize(
    ("fsync", "sent"),
    [
        (PLAIN, signal.SIGINT),
        (PLAIN, signal.SIGTERM),
        (PLAIN, signal.SIGHUP),
        (SWALLOWED, signal.SIGTERM),
        (MADE_OTHER, signal.SIGINT),
        (SWALLOWED, signal.SIGINT),
    ],
)
def test_interrupted_while_it_writes(here: Path, fsync: str, sent: signal.Signals) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", SLOW.format(fsync=fsync)],
        cwd=here,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    ) as run:
        assert run.stdout and run.stderr
        assert run.stdout.readline() == "writing\n"
        run.send_signal(sent)
        error_output = run.stderr.read()
    assert (run.returncode, error_output.strip()) == (128 + sent, "interrupted; nothing half-written is left")
    assert list((here / "kit").iterdir()) == []


def test_a_terminal_without_japanese_letters(here: Path) -> None:
    done = spawn("draw", "--seed", CODE, "--lang", "ja", cwd=here, PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    as_json = spawn("games", "--lang", "ja", "--json", cwd=here, PYTHONIOENCODING="ascii")
    assert "\\u" in as_json.stdout and "�" not in as_json.stdout


def test_a_scenario_changed_by_hand_is_not_drawn_over(scenario: Path) -> None:
    assert muster("draw", "--seed", CODE, "--hand", "6").code == 0
    scenario.write_text(scenario.read_text(encoding="utf-8").replace("hand = 6", "hand = 4"), encoding="utf-8")
    before = scenario.read_bytes()
    assert muster("draw").code == 2
    assert muster("print", scenario, "--parts", "cover", "-o", ".").code == 2
    assert scenario.read_bytes() == before
    assert muster("draw", "--seed", CODE, "-o", scenario).code == 2
    scenario.write_bytes(before)
    assert muster("draw", "--seed", CODE, "-o", scenario, "--force").code == 0
    scenario.write_text(scenario.read_text("utf-8") + "# a note\n", "utf-8")
    assert muster("draw", "--seed", CODE).code == 2


@pytest.mark.parametrize("entry", [(str(Path(sys.executable).with_name("muster")),), MUSTER])
def test_no_module_of_the_working_folder_is_imported(here: Path, entry: tuple[str, ...]) -> None:
    for name in ("json", "platformdirs", "click", "reportlab_mods", "decimal"):
        (here / f"{name}.py").write_text("raise SystemExit('executed')\n")
    for name in (".reportlab_mods", ".reportlab_settings"):
        (here / name).write_text("raise SystemExit('executed')\n")
    environ = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environ |= {"HOME": str(here), "MUSTER_CACHE": str(cache_folder())}
    for args in (("games", "--json"), ("sheets", "battling", "-o", "sheets.pdf")):
        done = subprocess.run(
            [*entry, *args], cwd=here, env=environ, capture_output=True, encoding="utf-8", timeout=60
        )
        assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("game", games.names())
def test_a_fault_in_the_head_hides_no_fault_below_it(here: Path, game: str) -> None:
    assert muster("draw", game, "--seed", CODE, "-o", "s.toml").code == 0
    drawn = (here / "s.toml").read_text("utf-8")
    (here / "s.toml").write_text(drawn.replace("[muster]\n", '[muster]\ncolour = "red"\n') + "\n[extra]\n", "utf-8")
    faults = muster("check", "s.toml").err
    assert ("muster.colour: unknown field" in faults, "extra: unknown field" in faults) == (True, True), faults


def test_a_later_format_is_refused_without_reading_the_rest(here: Path) -> None:
    (here / "s.toml").write_text('[muster]\ngame = "battlelore"\nformat = 2\n[extra]\n', "utf-8")
    assert muster("check", "s.toml").err.count("\n") == 1


@pytest.mark.parametrize("name", ["Battling", "BATTLING", "バトリング"])
def test_a_game_is_known_by_its_title(here: Path, name: str) -> None:
    done = muster("draw", name, "--machines", "2", "--seed", CODE, "-o", "one.toml")
    assert done.code == 0, done.err
    assert muster("draw", "battling", "--machines", "2", "--seed", CODE, "-o", "other.toml").code == 0
    assert Path("one.toml").read_bytes() == Path("other.toml").read_bytes()


@pytest.mark.parametrize("name", ["Call to Arms", "call-to-arms", "calltoarms"])
def test_blanks_and_hyphens_in_the_name_of_a_game_make_no_difference(name: str) -> None:
    assert muster("games", name).out == muster("games", "call_to_arms").out
    Path("names.txt").write_text("Ann\nBen\n", "utf-8")
    assert muster("tournament", "new", name, "--players", "names.txt", "-o", "cup").code == 0


def test_a_missing_package_is_reported_with_a_command_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The package musterkit is not on PyPI, so its extras cannot be installed by name."""
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    done = muster("studio", "--no-open")
    assert done.code == 2
    assert f"{sys.executable} -m pip install starlette uvicorn" in done.err


def test_the_studio_needs_no_extra() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))["project"]
    assert {"starlette", "uvicorn"} <= {Requirement(line).name for line in project["dependencies"]}
