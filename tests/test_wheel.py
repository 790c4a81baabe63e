"""Tests that an sdist and a wheel built from it contain everything, and that the wheel prints the same kits."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from itertools import cycle
from pathlib import Path

import pytest

from generator import games
from generator.localization import LANGS

ROOT = Path(__file__).resolve().parent.parent
RIDING = ("data", "templates")
SEED = ("--seed", "K7Q2M-9FHN5")
FILES = ("kit.pdf", "scenario.toml", "manifest.json")


def run(*args: str | Path, cwd: Path) -> str:
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
    done = subprocess.run(
        list(map(str, args)),
        cwd=cwd,
        env={**environ, "LC_ALL": "C.UTF-8"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=120,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with an sdist of the tree, and with the wheel that is built from this sdist."""
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT, cwd=folder)
    return folder


@pytest.fixture(scope="module")
def wheel(built: Path) -> Path:
    (path,) = built.glob("musterkit-*.whl")
    return path


@pytest.fixture(scope="module")
def muster(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the command of an installed wheel, which shares only the libraries with the tests."""
    venv = tmp_path_factory.mktemp("elsewhere") / "venv"
    run(sys.executable, "-m", "venv", "--without-pip", venv, cwd=venv.parent)
    bin_folder = venv / ("Scripts" if os.name == "nt" else "bin")
    python = bin_folder / "python"
    pip = ("-m", "pip", "--disable-pip-version-check", "--python", python)
    run(sys.executable, *pip, "install", "-q", "--no-deps", "--no-index", wheel, cwd=venv.parent)
    site = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=venv.parent).strip())
    shared = dict.fromkeys(sysconfig.get_path(name) for name in ("purelib", "platlib"))
    (site / "libraries.pth").write_text("\n".join(shared) + "\n", encoding="utf-8")
    where = run(python, "-c", "import generator; print(generator.__file__)", cwd=venv.parent)
    assert Path(where.strip()).is_relative_to(venv)
    return bin_folder / "muster"


def test_everything_rides_along(wheel: Path) -> None:
    files = {path.relative_to(ROOT) for name in RIDING for path in (ROOT / name).rglob("*") if path.is_file()}
    code = {path.relative_to(ROOT) for path in (ROOT / "generator").rglob("*.py")}
    with zipfile.ZipFile(wheel) as opened:
        inside = set(opened.namelist())
        assert {f"generator/{path.as_posix()}" for path in files} | {path.as_posix() for path in code} <= inside
        for path in files | code:
            name = path.as_posix() if path in code else f"generator/{path.as_posix()}"
            assert opened.read(name) == (ROOT / path).read_bytes(), name
    assert any(name.endswith("licenses/LICENSE") for name in inside)
    assert not any(name.startswith(("tests/", "bench/", "docs/")) for name in inside)


def test_the_sdist_contains_what_its_tests_and_pages_need(built: Path) -> None:
    (path,) = built.glob("musterkit-*.tar.gz")
    with tarfile.open(path) as opened:
        names = {name.partition("/")[2] for name in opened.getnames()}
    pages = {path.name for path in ROOT.glob("*.md")}
    assert {"Makefile", "LICENSE", "requirements.lock", "tests/test_wheel.py", "tools/set_up.py"} | pages <= names
    assert not any(name.startswith((".venv", "output/", ".git/", "dist/")) for name in names)


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_a_kit_from_an_empty_folder(muster: Path, tmp_path: Path, lang: str) -> None:
    output = run(muster, "kit", *SEED, "--lang", lang, cwd=tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["output"]
    kit = tmp_path / output.splitlines()[-1]
    assert kit.read_bytes().startswith(b"%PDF")
    assert "all files are complete and unchanged" in run(muster, "verify", kit.parent, cwd=tmp_path)
    assert "legal" in run(muster, "check", kit.parent / "scenario.toml", cwd=tmp_path)


@pytest.mark.parametrize(("game", "lang"), list(zip(games.names(), cycle(LANGS), strict=False)))
def test_every_game_prints_the_same_from_the_wheel(muster: Path, tmp_path: Path, game: str, lang: str) -> None:
    """The full kit of a game is compared below, and by `muster selftest`."""
    args = ("kit", game, *SEED, "--parts", "cover", "--lang", lang, "-o")
    run(muster, *args, "wheel", cwd=tmp_path)
    run(sys.executable, "-m", "generator", *args, "here", cwd=tmp_path)
    assert "all files are complete and unchanged" in run(muster, "verify", "wheel", cwd=tmp_path)
    for name in FILES:
        assert (tmp_path / "wheel" / name).read_bytes() == (tmp_path / "here" / name).read_bytes(), name


def newest_version() -> str:
    """Return the newest version of the changelog, also if its heading still says that it is not released."""
    versions = re.findall(
        r"^## (\d+\.\d+\.\d+)(?: \(not released yet\))?$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE
    )
    return str(versions[0])


def test_the_wheel_has_the_version_of_the_changelog(wheel: Path, muster: Path, tmp_path: Path) -> None:
    version = newest_version()
    assert wheel.name.startswith(f"musterkit-{version}-")
    assert run(muster, "--version", cwd=tmp_path).split()[-1] == version


def test_the_table_of_generations_is_what_codes_are_answered_with() -> None:
    from generator.seeds import DRAWN_BY, GENERATION

    table = (ROOT / "docs" / "stability.md").read_text("utf-8").partition("| generation |")[2]
    rows = [row.strip("| ").split(" | ") for row in table.splitlines()[2:] if row.startswith("|")]
    version = newest_version().rpartition(".")[0]
    drawn_by = {int(number): by.split(", ") for number, by in rows}
    assert drawn_by.pop(GENERATION)[-1] == version
    assert drawn_by == {number: [by] for number, by in DRAWN_BY.items()}


def test_the_repository_and_the_wheel_print_the_same_kit(muster: Path, tmp_path: Path) -> None:
    run(muster, "kit", *SEED, "-o", "wheel", cwd=tmp_path)
    run(sys.executable, "-m", "generator", "kit", *SEED, "-o", "here", cwd=tmp_path)
    for name in FILES:
        assert (tmp_path / "wheel" / name).read_bytes() == (tmp_path / "here" / name).read_bytes()
