"""Tests for `muster verify`, which checks a kit against its manifest."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import CODE
from tests.cli.run import muster


def test_whole(kit: Path) -> None:
    assert muster("verify", kit).code == 0
    empty: dict[str, list[str]] = {"findings": [], "filled": [], "others": [], "folders": []}
    assert muster("verify", kit, "--json").json == {"folder": str(kit), "whole": True, **empty}


def test_changed_and_missing(kit: Path) -> None:
    (kit / "scenario.toml").write_bytes((kit / "scenario.toml").read_bytes() + b"\n")
    (kit / "kit.pdf").unlink()
    done = muster("verify", kit)
    assert done.code == 1
    assert "kit.pdf: missing" in done.out and "scenario.toml: changed since it was made" in done.out


def test_a_scenario_swapped(kit: Path) -> None:
    assert muster("draw", "--seed", CODE, "--banners", "5", "-o", kit / "scenario.toml").code == 0
    assert muster("check", kit / "scenario.toml").code == 0
    assert muster("verify", kit).code == 1


def test_additional_files_in_a_kit_are_accepted(kit: Path) -> None:
    (kit / "notes.txt").write_text("we won", encoding="utf-8")
    done = muster("verify", kit)
    assert done.code == 0
    assert "notes.txt is not part of the kit" in done.out


def test_a_hostile_manifest_steers_no_terminal(kit: Path) -> None:
    names = ["../secret", "\x1b[2J", "a\u202eb"]
    (kit / "manifest.json").write_text(json.dumps({"files": dict.fromkeys(names, "x")}), encoding="utf-8")
    done = muster("verify", kit)
    assert done.code == 1
    assert "\x1b" not in done.out and "\u202e" not in done.out
    assert "\\u001b[2J: missing" in done.out
    assert muster("verify", kit, "--json").json["whole"] is False


def test_no_kit(here: Path) -> None:
    done = muster("verify", here)
    assert (done.code, "there is no manifest.json" in done.err) == (3, True)
