"""Tests that scenario files written by Muster 0.1 can be read, are legal, and are rewritten identically."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator import games
from generator.cli.scenario import load, rebuild_command
from tests.cli.run import muster
from tests.corpus import fault, unpacked


@pytest.mark.parametrize("name", games.names())
def test_files_of_the_first_format_still_read(name: str, tmp_path: Path) -> None:
    files = unpacked(name, tmp_path)
    assert len(files) == 100
    assert [fault_found for file in files[::5] if (fault_found := fault(file))] == []


@pytest.mark.parametrize("name", games.names())
def test_what_an_earlier_generation_drew_is_printed_from_its_file(name: str, tmp_path: Path) -> None:
    loaded = load(unpacked(name, tmp_path)[0])
    assert loaded.scenario.origin.code
    assert rebuild_command(loaded, {}) == "muster print scenario.toml"


@pytest.mark.parametrize("name", games.names())
def test_what_an_earlier_version_wrote_prints_its_kit(name: str, tmp_path: Path) -> None:
    for number, file in enumerate(unpacked(name, tmp_path)[7::50]):
        out = tmp_path / f"kit-{number}"
        done = muster("print", file, "--parts", "cover,records", "-o", out)
        assert (done.code, "legal" in done.out) == (0, True), done.err
        assert muster("verify", out).code == 0


def test_a_file_that_would_be_written_otherwise_is_found(tmp_path: Path) -> None:
    file = unpacked("travel_battle", tmp_path)[0]
    file.write_text(file.read_text("utf-8") + "# a note\n", "utf-8")
    assert fault(file).endswith("is written otherwise")
