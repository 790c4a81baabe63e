"""Tests that the command printed in a kit rebuilds the kit byte for byte."""

from __future__ import annotations

import json
import shlex
import subprocess
from pathlib import Path

import pytest

from generator.press.check import preflight as looking
from generator.sight import verify
from generator.store.folders import shipped_path
from tests.cli import once
from tests.cli.conftest import CODE
from tests.cli.run import MUSTER, contents, muster, spawn

DATA = shipped_path("data")
OWN = {
    "map": DATA / "battlelore" / "maps" / "fenwater.toml",
    "deck": DATA / "call_to_arms" / "deck.toml",
    "pool": DATA / "battlelore" / "pool.toml",
    "inventory": DATA / "battlelore" / "inventory.toml",
}


@pytest.fixture(autouse=True)
def shared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Print each kit again to compare both prints. Only the preflight of equal prints is shared."""
    monkeypatch.setattr(looking, "preflight", once.preflight)
    monkeypatch.setattr(verify, "verify", once.proved)


SOME = ("--parts", "cover,map")
"""Pages with a title, a map, cards and files. Options that affect every page are tested with all pages."""


def command(kit: Path) -> list[str]:
    manifest = json.loads((kit / "manifest.json").read_text(encoding="utf-8"))
    program, *args = shlex.split(manifest["command"])
    assert program == "muster"
    return args


def write_changed_copy(folder: Path, option: str, name: str) -> Path:
    """Write a copy of a shipped file with an added comment, as a user's file."""
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_bytes(OWN[option].read_bytes() + "\n# 私の箱\n".encode())
    return path


def rebuilt(kit: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, bytes]:
    """Run a kit's printed command in the kit's folder and return the files of the new kit."""
    args = command(kit)
    monkeypatch.chdir(kit)
    assert muster(*args, "-o", "../again").code == 0
    return contents(kit.parent / "again")


@pytest.mark.parametrize(
    "options",
    [
        ("--title", 'The Baron\'s "last" stand & more'),
        ("--title", "関ヶ原 <前夜>", "--lang", "ja", *SOME),
        ("--title=--lang", *SOME),
        ("--banners", "5", "--hand", "4", "--lang", "ja", "--paper", "letter"),
        ("--ink", "saver", "--hill", "plateau", "--displaced", "nearest"),
        ("--map", "random", "--board", "memoir", "--set-pennant", "b", *SOME),
        ("--cards-pennant", "A1、A2、A3、A4", "--place-pennant", "a4,a3,a2,a1", *SOME),
    ],
    ids=" ".join,
)
def test_options(here: Path, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...]) -> None:
    done = muster("kit", "--seed", CODE, *options, "-o", "kit")
    assert (done.code, done.err) == (0, "")
    assert rebuilt(here / "kit", monkeypatch) == contents(here / "kit")


@pytest.mark.parametrize(
    "names",
    [
        {"map": "my map.toml"},
        {"deck": "手持ち.toml"},
        {"pool": "it's mine.toml", "inventory": "-tiles.toml"},
        {"map": "map.toml", "deck": "deck.toml", "pool": "pool.toml", "inventory": "inventory"},
    ],
    ids=lambda names: "+".join(names),
)
def test_files_of_the_user(here: Path, monkeypatch: pytest.MonkeyPatch, names: dict[str, str]) -> None:
    for option, name in names.items():
        write_changed_copy(here / "my things", option, name)
    given = [word for option, name in names.items() for word in (f"--{option}", f"my things/{name}")]
    some = () if len(names) > 2 else SOME
    assert muster("kit", "--seed", CODE, *given, *some, "-o", "kit").code == 0
    kit = here / "kit"
    assert set(names.values()) < set(contents(kit))
    assert "my things" not in " ".join(command(kit))
    assert muster("print", kit / "scenario.toml", *some, "-o", "printed").code == 0
    assert contents(here / "printed") == contents(kit)
    assert rebuilt(kit, monkeypatch) == contents(kit)
    assert muster("verify", "../again").code == 0


def test_a_kit_without_options_needs_only_its_code(kit: Path, here: Path) -> None:
    done = spawn("kit", "--seed", CODE, "-o", "again", cwd=here, PYTHONHASHSEED="1", TZ="Asia/Tokyo")
    assert done.returncode == 0
    assert contents(here / "again") == contents(kit)


def test_hash_seeds_do_not_matter_with_options_either(here: Path) -> None:
    write_changed_copy(here, "deck", "deck.toml")
    options = ("--deck", "deck.toml", "--map", "random", "--banners", "5", "--lang", "ja", "--title", "x")
    assert muster("kit", "--seed", CODE, *options, "-o", "here").code == 0
    assert spawn("kit", "--seed", CODE, *options, "-o", "there", cwd=here, PYTHONHASHSEED="1").returncode == 0
    assert contents(here / "here") == contents(here / "there")


def test_a_kit_may_be_made_again_over_itself(kit: Path, here: Path) -> None:
    before = contents(kit)
    assert muster("kit", "--seed", CODE, "-o", kit).code == 0
    assert contents(kit) == before


def test_two_who_write_one_kit_at_once_leave_it_whole(here: Path) -> None:
    args = [*MUSTER, "kit", "--seed", CODE, *SOME, "-o", "kit"]
    runs = [subprocess.Popen(args, cwd=here, stdout=subprocess.DEVNULL) for _ in range(2)]
    assert [run.wait(60) for run in runs] == [0, 0]
    whole = muster("verify", "kit", "--json").json
    assert (whole["whole"], whole["others"]) == (True, [])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('banners = "5"', 'banners = "7"'),
        (CODE, "K7Q2M-9FJXV"),
        ('version = "', 'version = "9.'),
        ("hand = 5", "hand = 6"),
    ],
)
def test_a_scenario_changed_by_hand_loses_its_code(here: Path, old: str, new: str) -> None:
    assert muster("draw", "--seed", CODE, "--banners", "5").code == 0
    scenario = here / "scenario.toml"
    text = scenario.read_text(encoding="utf-8")
    assert text.count(old) == 1
    scenario.write_text(text.replace(old, new), encoding="utf-8")
    assert muster("print", scenario, *SOME, "-o", "kit").code == 0
    manifest = json.loads((here / "kit" / "manifest.json").read_text(encoding="utf-8"))
    assert (manifest["code"], manifest["wishes"]) == ("", {})
    assert command(here / "kit")[:2] == ["print", "scenario.toml"]


def test_the_kit_of_a_hand_written_scenario_is_printed_again_from_its_folder(
    scenario: Path, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scenario.write_text(scenario.read_text(encoding="utf-8").replace("hand = 5", "hand = 6"), encoding="utf-8")
    assert muster("print", scenario, *SOME, "-o", "kit").code == 0
    assert rebuilt(here / "kit", monkeypatch) == contents(here / "kit")
