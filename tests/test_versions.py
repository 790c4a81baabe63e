"""Tests that `make versions` finds differences between environments, and reports environments that fail."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.versions import __main__ as versions
from tests.versions.__main__ import Environment, Rows, faults

WHERE = Path(sys.executable)
ROWS: Rows = {"kit: exit code": ("0", ""), "kit: kit.pdf": ("content", "bytes")}


def test_contents_must_be_the_same_everywhere_and_bytes_under_the_lock() -> None:
    packed: Rows = ROWS | {"kit: kit.pdf": ("content", "other")}
    assert list(faults({"locked-3.11": ROWS, "locked-3.12": ROWS, "newest": packed})) == []
    (found,) = faults({"locked-3.11": ROWS, "locked-3.12": packed, "newest": packed})
    assert found == "locked-3.12: kit: kit.pdf has other bytes than in locked-3.11"
    other: Rows = ROWS | {"kit: kit.pdf": ("another", "bytes")}
    (found,) = faults({"locked-3.11": ROWS, "lowest": other})
    assert found.startswith("lowest: kit: kit.pdf")
    (found,) = faults({"locked-3.11": ROWS, "lowest": {"kit: exit code": ("0", "")}})
    assert found == "lowest: there is no kit: kit.pdf"
    assert list(faults({"lowest": {"kit: exit code": ("70", "")}})) == ["lowest: kit: exit code 70"]


@pytest.mark.parametrize(("ci", "code", "word"), [("true", 1, "FAILED"), ("", 0, "skipped")])
def test_an_unreachable_registry_is_reported(
    ci: str, code: int, word: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No server answers at the address, so uv itself fails."""
    monkeypatch.setattr(versions, "KEPT", tmp_path)
    monkeypatch.setattr(versions, "environments", lambda: [Environment("newest", WHERE, ("--no-cache",), True)])
    monkeypatch.setattr(sys, "argv", ["versions"])
    for name, value in {"CI": ci, "UV_INDEX_URL": "http://127.0.0.1:9/simple", "UV_HTTP_RETRIES": "0"}.items():
        monkeypatch.setenv(name, value)
    assert versions.main() == code
    assert f"newest: {word}: the registry of packages does not answer" in capsys.readouterr().out


def test_an_environment_that_breaks_is_a_fault_everywhere(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def breaking(_: Environment) -> Rows:
        raise RuntimeError("no version of click satisfies it")

    monkeypatch.setattr(Environment, "make", breaking)
    monkeypatch.setattr(versions, "environments", lambda: [Environment("lowest", WHERE)])
    monkeypatch.setattr(sys, "argv", ["versions"])
    monkeypatch.setenv("CI", "")
    assert versions.main() == 1
    assert "lowest: no version of click" in capsys.readouterr().out


def test_this_python_is_found() -> None:
    assert f"3.{sys.version_info[1]}" in versions.pythons()
