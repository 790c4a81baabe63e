"""Tests that malicious files and names are refused quickly, with a clear message and the right exit code."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pikepdf
import pypdfium2
import pytest

from generator.store.folders import missing_file_problem, shipped_path
from tests.cli.conftest import CODE
from tests.cli.run import contents, muster, spawn

DEEP = "nested too deeply"

FILES = {
    "byte order mark": (b"\xef\xbb\xbfx = 1", "the table [muster] is missing"),
    "nan": (b"[muster]\ngame = nan", ":2: muster.game: nan is not a number"),
    "infinity": (b"x = -inf", ":1: x: -inf is not a number"),
    "boolean": (b'[muster]\ngame = "call_to_arms"\nformat = true', "expected a whole number"),
    "huge number": (b"x = 99999999999999999999", ":1: x: a number is too large"),
    "endless number": (b"\n".join([b"[a]", b"x = " + b"9" * 4000]), ":2: a.x: a number is too large"),
    "endless hexadecimal": (b"x = 0x" + b"f" * 4000, "a number is too large"),
    "number over 4,300 digits": (b"x = [\n" + b"9" * 4090 + b",\n" + b"1_" * 2040 + b"1]", "too large"),
    "date": (b"x = 2024-01-01", "date"),
    "nested arrays": (b"x = " + b"[" * 1500 + b"]" * 1500, DEEP),
    "nested tables": (b"x = " + b"{a=" * 1000 + b"1" + b"}" * 1000, DEEP),
    "13 arrays": (b"x = " + b"[" * 13 + b"]" * 13, DEEP),
    "key of many parts": (b"a." * 2000 + b"a = 1", DEEP),
    "inline key of many parts": (b"x = {" + b"a." * 2000 + b"a = 1}", DEEP),
    "quoted key of many parts": (b'"".' * 1000 + b"a = 1", DEEP),
    "table of many parts": (b"[" + b"a." * 2000 + b"a]", DEEP),
    "many keys of many parts": (b"".join(b"k%d." % i + b"a." * 2000 + b"a = 1\n" for i in range(250)), DEEP),
    "20,000 parts": (b"a." * 20000 + b"a = 1", "the line is longer than 4096"),
    "long line": (b'x = "' + b"y" * 4096 + b'"', ":1: the line is longer than 4096"),
    "over 1 MiB": (b"# \n" * 400_000, "is larger than 1 MiB"),
    "Latin-1": ("x = 1\ny = 'é'".encode("latin-1"), ":2: is not UTF-8 text"),
    "Shift JIS": ("x = '戦'".encode("cp932"), ":1: is not UTF-8 text"),
    "UTF-16": ("x = 1".encode("utf-16"), "is not UTF-8 text"),
    "NUL": (b"x = 'a\0b'", "is not valid TOML"),
    "bidi": ("x = 'a\u202eb'".encode(), ":1: x: contains the invisible character U+202E"),
    "zero width": ("[a]\nx = ['a\u200b']".encode(), ":2: a.x[1]: contains the invisible character U+200B"),
    "escape in a key": (b'"\\u001b[31m" = 1', "a key contains the invisible character U+001B"),
    "lone quote": (b'x = "', ":1: is not valid TOML"),
    "unknown game": (
        b'[muster]\ngame = "call_to_arm"',
        ":2: muster.game: there is no game named 'call_to_arm' (did you mean",
    ),
    "unknown format": (b'[muster]\ngame = "call_to_arms"\nformat = 2', "this version reads format 1"),
    "head is no table": (b"muster = 1", "expected a table"),
    "unknown wish": (b'[muster]\ngame = "call_to_arms"\n[muster.wishes]\nbaners = "5"', "(did you mean banners?)"),
    "no code": (b'[muster]\ngame = "call_to_arms"\ncode = "<b>"', ":3: muster.code: is not a code"),
    "empty": (b"", "the table [muster] is missing"),
}


WHOLE = {"over 1 MiB"}
"""Faults of a file as a whole, which are reported without a line."""


@pytest.mark.parametrize("name", FILES)
def test_a_hostile_file_is_answered(here: Path, name: str) -> None:
    content, message = FILES[name]
    (here / "bad.toml").write_bytes(content)
    for verb in ("check", "sight", "print"):
        done = muster(verb, "bad.toml")
        assert (done.code, done.out) == (3, "")
        assert message in done.err
        assert done.err.startswith("bad.toml:") and len(done.err) < 400
        assert name in WHOLE or re.match(r"bad\.toml:[1-9]", done.err), "no line"
    assert muster("data", "check", "bad.toml").code == 1
    for option in ("--deck", "--map", "--pool", "--inventory"):
        assert muster("draw", option, "bad.toml", "-o", "x.toml").code == 3
    assert list(contents(here)) == ["bad.toml"]


def test_missing_and_special_files_are_refused(here: Path) -> None:
    (here / "folder").mkdir()
    for path in ("folder", "missing", "x" * 300, "a/b/c", "/dev/null", ""):
        assert muster("check", path).code == 3
        assert muster("verify", path).code == 3
        assert muster("data", "check", path).code == 1


def test_what_is_neither_file_nor_folder_is_named_and_never_guessed(here: Path) -> None:
    os.mkfifo("fifo.toml")
    (here / "gone.toml").symlink_to("nowhere.toml")
    assert muster("draw", "-o", "gold.toml").code == 0
    for path in ("gone.toml", "fifo.toml/x", "."):
        done = muster("check", path)
        assert (done.code, done.out, f"did you mean {path}" in done.err) == (3, "", False)
    assert "did you mean gold.toml?" in muster("check", "golt.toml").err
    refusals = [str(missing_file_problem(Path(path), ".toml")) for path in ("fifo.toml", "/dev/null", "gone.toml")]
    assert refusals == [
        "fifo.toml: is a pipe (give a regular file)",
        "/dev/null: is a device (give a regular file)",
        "gone.toml: is a broken link (give a regular file)",
    ]


def replaced(scenario: Path, old: str, new: str) -> None:
    text = scenario.read_text(encoding="utf-8")
    assert old in text
    scenario.write_text(text.replace(old, new, 1), encoding="utf-8")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('en = "', 'en = "' + "x" * 81, "play.title: is longer than 80 characters"),
        ("title = {", 'title = """\n' + "word\n" * 20_000 + '"""\n#', "play.title: is longer than 80"),
        ('id = "P1"', 'id = "' + "P" * 81 + '"', "has more than 80 characters"),
        ('id = "P1"', 'id = "P2"', "is used twice"),
        ('map = "saint_ivo"', 'map = "a\\nb"', "board.map"),
        ("banners = 6", "banners = -1", "-1 is too small (give a value from 0 to 99)"),
        ("hand = 5", f"hand = {10**15}", "is too large (give a value from 1 to 99)"),
        ("units = [", "units = [" + '  { hex = "A1", unit = "blue short_sword" },\n' * 20_000, "more than 100"),
        ('en = "', 'en = "\\u202e', "contains the invisible character U+202E"),
        ('en = "Saint Ivo\'s Weir"', 'en = " "', "play.title: is empty"),
        ("banners = 6", "banners = true", "expected a whole number"),
        ("banners = 6", "banners = 6.5", "expected a whole number"),
        ("banners = 6", "banners = 99999999999999999999", "a number is too large"),
        ('hex = "A3"', 'hex = "０７０７"', "there is no hex '０７０７'"),
        ('hex = "A3"', 'hex = "Z9"', "there is no hex 'Z9' on this board (A1 to L9; for a unit"),
        ('unit = "blue ', 'unit = "bleu ', "did you mean blue?"),
        ('left = "A2"', 'left = "A8"', "there is no card named 'A8'"),
        ('left = "A2"', 'left = ""', "there is no card named ''"),
        ('first = "pennant"', 'first = "penant"', "penant"),
        ('hill = "adjacent"', 'hill = "plateu"', "did you mean plateau?"),
        ('profile = "battlelore"', 'profile = "battlefield"', "did you mean battlelore?"),
        ("rows = ", "rwos = ", "rwos"),
        (". . . h", ". . . ?", "no terrain has the symbol '?'"),
    ],
)
def test_a_fault_in_a_scenario_is_named_with_its_line(scenario: Path, old: str, new: str, message: str) -> None:
    replaced(scenario, old, new)
    done = muster("check", scenario)
    assert done.code == 3
    assert message in done.err
    assert done.err.startswith(f"{scenario}:") and done.err[len(str(scenario)) + 1].isdigit()


MARKUP = "<b>&amp;</b> {{ 7*7 }} ${x} %s"


def words(pdf: Path) -> str:
    document = pypdfium2.PdfDocument(pdf)
    try:
        return "\n".join(page.get_textpage().get_text_range() for page in document)
    finally:
        document.close()


def test_markup_in_a_title_is_printed_literally(here: Path) -> None:
    assert muster("kit", "--seed", CODE, "--title", MARKUP, "-o", "kit").code == 0
    assert MARKUP in words(here / "kit" / "kit.pdf")
    with pikepdf.open(here / "kit" / "kit.pdf") as pdf:
        assert MARKUP in str(pdf.docinfo["/Title"])


@pytest.mark.parametrize("title", ["../../x", "con", "a/b\\c", "-rf", "~", "$HOME `id`"])
def test_a_title_is_not_used_as_a_path(here: Path, title: str) -> None:
    assert muster("kit", "--seed", CODE, f"--title={title}", "--parts", "cover").code == 0
    assert [path.name for path in here.iterdir()] == ["output"]
    assert [path.name for path in (here / "output").iterdir()] == [f"call_to_arms-{CODE}"]


@pytest.mark.parametrize("title", ["x" * 81, "a\u202eb", "a\u200bb", "a\x07b", "a\nb", "x" * 100_000])
def test_a_title_that_cannot_be_read_is_refused(here: Path, title: str) -> None:
    done = muster("kit", "--title", title)
    assert (done.code, list(here.iterdir())) == (2, [])
    assert len(done.err) < 400


def test_arguments_with_invalid_text(here: Path) -> None:
    for option in ("--title", "--map", "--deck", "--seed", "--cards-pennant", "-o"):
        done = spawn("draw", "--seed", CODE, option, b"\xff\x1b.toml".decode(errors="surrogateescape"), cwd=here)
        assert done.returncode in (0, 2) and "Traceback" not in done.stderr


@pytest.mark.parametrize("name", ["../secret", "/etc/hostname", "..", "a\\\\b", "", "a\\u0000b", "x" * 300])
@pytest.mark.parametrize("option", ["deck", "map"])
def test_a_scenario_names_no_file_elsewhere(scenario: Path, here: Path, name: str, option: str) -> None:
    (here.parent / "secret").write_text("secret", encoding="utf-8")
    replaced(scenario, "[play]", f'[muster.files]\n{option} = {{ name = "{name}", sha256 = "" }}\n\n[play]')
    for verb in ("check", "print"):
        done = muster(verb, scenario)
        assert done.code == 3
        assert "muster.files" in done.err and "secret" not in done.out
    assert not (here / "output").exists()


def test_a_scenario_brings_only_files_its_game_asks_for(scenario: Path, here: Path) -> None:
    (here / "letter.txt").write_text("private", encoding="utf-8")
    replaced(scenario, "[play]", '[muster.files]\nletter = { name = "letter.txt", sha256 = "" }\n\n[play]')
    done = muster("print", scenario)
    assert (done.code, "does not have this option" in done.err) == (3, True)


def test_files_of_the_user_do_not_overwrite_one_another(here: Path) -> None:
    deck, pool = (
        shipped_path("data") / "call_to_arms" / "deck.toml",
        shipped_path("data") / "battlelore" / "pool.toml",
    )
    for folder in ("a", "b"):
        (here / folder).mkdir()
    (here / "a" / "my.toml").write_bytes(deck.read_bytes())
    (here / "b" / "my.toml").write_bytes(pool.read_bytes())
    (here / "scenario.toml").write_bytes(deck.read_bytes())
    two = muster("kit", "--deck", "a/my.toml", "--pool", "b/my.toml", "--parts", "cover")
    with_user_file = muster("kit", "--deck", "scenario.toml", "--parts", "cover")
    over = muster("draw", "--deck", "scenario.toml", "-o", "scenario.toml")
    assert [done.code for done in (two, with_user_file, over)] == [2, 2, 2]
    assert all("another name" in done.err for done in (two, with_user_file))
    assert "give another path" in over.err
    (here / "my.toml").write_text("mine", encoding="utf-8")
    assert muster("kit", "--seed", CODE, "--deck", "a/my.toml", "--parts", "cover", "-o", ".").code == 2
    assert muster("draw", "--seed", CODE, "--deck", "a/my.toml", "-o", "x.toml").code == 2
    assert (here / "my.toml").read_text(encoding="utf-8") == "mine"


def test_a_map_that_is_called_like_a_house_map_wants_another_name(here: Path) -> None:
    (here / "saint_ivo").write_bytes((shipped_path("data") / "battlelore" / "maps" / "fenwater.toml").read_bytes())
    assert "another" in muster("draw", "--map", "./saint_ivo").err


def test_draw_keeps_the_users_files_beside_the_scenario(here: Path) -> None:
    (here / "decks").mkdir()
    (here / "decks" / "my.toml").write_bytes((shipped_path("data") / "call_to_arms" / "deck.toml").read_bytes())
    assert muster("draw", "--deck", "decks/my.toml", "-o", "war/one.toml").code == 0
    assert sorted(contents(here / "war")) == ["my.toml", "one.toml"]
    assert muster("check", "war/one.toml").code == 0
    (here / "war" / "my.toml").write_text("name = 'changed'", encoding="utf-8")
    assert "not the file that the scenario was drawn with" in muster("check", "war/one.toml").err


def test_a_scenario_is_not_a_data_file(scenario: Path) -> None:
    assert "muster check" in muster("data", "check", scenario).out
