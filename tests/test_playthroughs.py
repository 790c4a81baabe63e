"""Tests that each game's recorded session is unchanged: a scenario, its check, sight, moves and odds."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator import games
from tests.playthroughs import FILES, commands, replayed


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_playthrough_goes_as_before(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    lines = file.read_text("utf-8").splitlines()
    assert list(replayed(commands("\n".join(lines)), tmp_path)) == lines


def test_every_game_has_one() -> None:
    played = [command for file in FILES for command in commands(file.read_text("utf-8"))]
    for name in games.names():
        game = games.load(name)
        assert any(command.startswith(f"muster draw {name} ") for command in played), name
        for verb in (*(["sight"] if game.sight else []), *(query.verb for query in game.queries)):
            assert any(command.startswith(f"muster {verb} ") for command in played), verb
