"""Tests that a log step for an unknown side is refused with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator import games
from tests.cli.conftest import CODE
from tests.cli.run import muster


@pytest.mark.parametrize("game", games.names())
def test_a_step_for_an_unknown_side_is_found_at_load(tmp_path: Path, game: str) -> None:
    file = tmp_path / "scenario.toml"
    assert muster("draw", game, "--seed", CODE, "-o", file).code == 0
    lines = file.read_text(encoding="utf-8").splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("who = "))
    lines[at] = lines[at].rstrip('"') + 'x"'
    file.write_text("\n".join(lines), encoding="utf-8")
    name = lines[at].partition('"')[2].rstrip('"')
    for verb in ("check", "print"):
        done = muster(verb, file)
        assert (done.code, done.out) == (3, "")
        step = sum(line == "[[log]]" for line in lines[:at])
        assert (
            done.err
            == f"{file}:{at + 1}: log[{step}].who: there is no side named {name!r} (did you mean {name[:-1]}?)\n"
        )
