from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.run import muster

CODE = "K7Q2M-9FHN5"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every test works in an empty folder, without settings, on a terminal that speaks English."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.setenv("MUSTER_CONFIG", str(tmp_path / "settings"))
    return folder


@pytest.fixture
def scenario(here: Path) -> Path:
    """A scenario as a code drew it."""
    assert muster("draw", "--seed", CODE).code == 0
    return here / "scenario.toml"


@pytest.fixture
def kit(here: Path) -> Path:
    """A whole kit."""
    assert muster("kit", "--seed", CODE, "-o", "kit").code == 0
    return here / "kit"
