"""Tests that `make fresh` offers newer releases to fresh clones, and fails if any version of pip fails."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests import fresh

ROOT = Path(__file__).resolve().parent.parent


def test_newer_releases_are_offered_to_fresh_clones(tmp_path: Path) -> None:
    names = fresh.locked_names(ROOT)
    assert {"coverage", "numpy", "noto-cjk"} <= set(names)
    fresh.write_newer_releases(["coverage", "noto-cjk"], tmp_path)
    find = ("-q", "--no-index", "--find-links", tmp_path, "--no-deps", "-d", tmp_path / "found")
    subprocess.run([sys.executable, "-m", "pip", "download", *find, "coverage>7", "noto-cjk"], check=True)
    assert len(list((tmp_path / "found").glob(f"*-{fresh.NEWER}-py3-none-any.whl"))) == 2


def test_fresh_clones_fail_if_one_pip_fails(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def try_pip(pip: str, commit: str, python: Path, folder: Path) -> str:
        if pip == "22.3":
            raise fresh.FreshError("make test failed:\ncoverage[toml]>=7.10.6")
        return f"pip {pip}: tests pass"

    monkeypatch.setattr(fresh, "try_pip", try_pip)
    monkeypatch.setattr(fresh, "pythons", lambda: {"3.11": Path("/usr/bin/python3.11")})
    monkeypatch.setattr(fresh, "run", lambda *_, **__: "a49aef4e")
    monkeypatch.setattr(sys, "argv", ["fresh", "a49aef4e"])
    assert fresh.main() == 1
    out = capsys.readouterr().out
    assert "pip 22.3 (as with 3.11.0): FAILED: make test failed:\ncoverage[toml]" in out
    assert out.endswith("2 passed, 1 failed\n")


def test_continuous_integration_runs_fresh_clones() -> None:
    assert "make fresh\n" in (ROOT / ".ci/run").read_text("utf-8")


def test_the_workflow_names_folders_with_tests() -> None:
    (line,) = re.findall(r'make test ARGS="([^"]+)"', (ROOT / ".github/workflows/ci.yml").read_text("utf-8"))
    empty = [name for name in line.split() if not list((ROOT / name).glob("test_*.py"))]
    assert not empty, f"{empty} of .github/workflows/ci.yml do not contain tests"


def test_git_converts_no_line_ends() -> None:
    """On Windows, Git would otherwise write CRLF, and hashes of data files, kits and corpora would differ."""
    for path in ("data/theme.toml", "tests/imports/shop.csv", "templates/base/cover.xml"):
        done = subprocess.run(["git", "check-attr", "text", "--", path], cwd=ROOT, capture_output=True, text=True)
        if done.returncode:
            pytest.skip("not a clone")
        assert done.stdout.strip() == f"{path}: text: unset", "see .gitattributes"


def test_the_types_of_every_script_are_checked() -> None:
    checked = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["mypy"]["modules"]
    scripts = {f"{path.parent.name}.{path.stem}" for name in ("docs", "tools") for path in (ROOT / name).glob("*.py")}
    assert set(checked) == scripts, "list every script of docs/ and tools/ under [tool.mypy] in pyproject.toml"
