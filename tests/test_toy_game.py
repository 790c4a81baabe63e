"""A sixth game is new folders only: the toy goes from code to PDF with no line changed elsewhere."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the shipped folders with the toy's own beside the others."""
    tree = tmp_path_factory.mktemp("tree")
    for name in ("generator", "data", "templates"):
        shutil.copytree(ROOT / name, tree / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "tests" / "toy", tree, dirs_exist_ok=True)
    return tree


def muster(tree: Path, *args: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": str(tree), "LC_ALL": "C.UTF-8"}
    return subprocess.run(
        [sys.executable, "-m", "generator", *args], capture_output=True, text=True, cwd=tree, env=environment
    )


def test_it_is_listed(tree: Path) -> None:
    assert "Snail Race" in muster(tree, "games").stdout


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_from_code_to_paper(tree: Path, lang: str) -> None:
    done = muster(tree, "kit", "toy", "--seed", "K7Q2M-9FJXT", "--lang", lang, "-o", f"kit-{lang}")
    assert done.returncode == 0, done.stderr
    assert (tree / f"kit-{lang}" / "kit.pdf").read_bytes().startswith(b"%PDF")
    assert muster(tree, "verify", f"kit-{lang}").returncode == 0
    assert muster(tree, "check", f"kit-{lang}/scenario.toml").returncode == 0


def test_its_rule_is_held(tree: Path) -> None:
    assert muster(tree, "draw", "toy", "--starts", "A1,A1", "-o", "bad.toml").returncode == 1
    done = muster(tree, "check", "bad.toml", "--json")
    assert [f["rule"] for f in json.loads(done.stdout)[0]["findings"]] == ["toy.apart"]


def test_what_it_lacks_is_said(tree: Path) -> None:
    muster(tree, "draw", "toy", "-o", "race.toml")
    done = muster(tree, "sight", "race.toml")
    assert done.returncode == 2
    assert "no lines of sight" in done.stderr


def test_it_has_tournaments_without_measures(tree: Path) -> None:
    pack = ("tournament", "pack", "toy", "--players", "3", "--rounds", "1", "-o", "cup")
    done = muster(tree, *pack)
    assert done.returncode == 0, done.stderr
    assert (tree / "cup" / "round-1" / "organiser-1.pdf").is_file()
