"""Tests for boards and armies in `muster data`."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.games.travel_battle.game import SHELVES
from generator.model.words import LANGS
from generator.notation.toml import Source
from tests.games.travel_battle.test_boards import FILE

BY_KIND = {shelf.kind: shelf for shelf in SHELVES}


@pytest.mark.parametrize("lang", LANGS)
def test_everything_on_the_shelves_shows(lang: str) -> None:
    for content_type in SHELVES:
        for name, title in content_type.items().items():
            rows = content_type.show(name, "en" if lang == "en" else "ja")
            assert rows, name
            assert title["ja"]


def test_the_terrain_of_a_users_board_is_checked(tmp_path: Path) -> None:
    check = BY_KIND["board"].check
    assert check
    assert check(Source("b.toml", FILE)) == []
    (problem,) = check(Source("b.toml", FILE.replace(". . . . . . . = b .", ". . . . . = . = b .", 1)))
    assert str(problem).startswith("b.toml:5: rows: f9: a road must not end on the board")
    (unread,) = check(Source("b.toml", FILE.replace('"A"', '"C"')))
    assert unread.message == "type: there is no type named 'C'"
    path = tmp_path / "b.toml"
    path.write_text(FILE, "utf-8")
    assert BY_KIND["board"].show(path, "en")[0] == ["Hare Warren (A) [own]"]
