"""Tests that users' content is used everywhere and its ownership is stated, for every game, verb and kind of file."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from generator import games
from generator.common.game import ContentType
from generator.common.ownership import file_ownership
from generator.model.scenario import Request
from generator.model.views import MapView, Poster, Sheet
from generator.model.words import LANGS
from generator.rules import check
from generator.store.folders import shipped_path
from tests.games.owners import SEED, changed, file_options, game_of, shipped_file, with_header

ROOT = Path(__file__).parents[2]
BROUGHT = {(game, wish): shelf for game, wish, shelf in file_options()}
WHOLE = sorted({(game_of(shelf), shelf.kind) for shelf in BROUGHT.values() if not shelf.view})
"""Kinds with a single shipped file, which a user's file replaces."""
PROGRAM = """
import runpy, sys, pathlib
import generator.localization as localization
localization._PACKAGE = pathlib.Path(sys.argv.pop(1)) / "nowhere"
runpy.run_module("tests.games.owners", run_name="__main__")
"""


def shelf_named(game: str, kind: str) -> ContentType:
    return next(content_type for content_type in games.load(game).content_types if content_type.kind == kind)


def verbs(data: Path, of: Iterable[str], *files: str | Path) -> Any:
    """Return the prints of every verb of the given games with the data folder `data`.

    `files` contains pairs of option and file.
    """
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(data.parent), ",".join(of), *map(str, files)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "0"},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@cache
def usual() -> Any:
    return verbs(shipped_path("data"), games.names())


@pytest.mark.parametrize(("of", "kind"), WHOLE)
def test_verbs_that_print_shipped_content_accept_a_users_file(tmp_path: Path, of: str, kind: str) -> None:
    """With a user's file every verb prints the same as if the file were shipped.

    Other verbs do not accept the file.
    """
    content_type = shelf_named(of, kind)
    user_file = tmp_path / "mine.toml"
    user_file.write_text(with_header(changed(content_type), word(content_type)), "utf-8")
    shutil.copytree(shipped_path("data"), tmp_path / "tree" / "data")
    (tmp_path / "tree" / "data" / shipped_file(content_type).relative_to(shipped_path("data"))).write_bytes(
        user_file.read_bytes()
    )
    takers = [(game, option) for (game, option), taken in BROUGHT.items() if taken is content_type]
    games_asked = dict.fromkeys(game for game, _ in takers)
    there = verbs(tmp_path / "tree" / "data", games_asked)
    with_file = verbs(
        shipped_path("data"),
        games_asked,
        *(part for option in {option for _, option in takers} for part in (option, user_file)),
    )
    seen = 0
    for game, option in takers:
        for what in games.load(game).prints:
            prints = list(
                zip(usual()[game][what.verb], there[game][what.verb], with_file[game][what.verb], strict=True)
            )
            counts = [before != after for before, after, _ in prints]
            assert (option in what.takes) == any(counts), (game, what.verb, option)
            assert all(after == taken for before, after, taken in prints if before != after), (
                game,
                what.verb,
                option,
            )
            seen += any(counts)
    assert seen


def word(content_type: ContentType) -> str:
    """Return the value of `source` in a user's file of the given content type."""
    return "own" if content_type.view or content_type.kind in ("inventory", "army") else "owner"


def drawn(view: MapView) -> object:
    return view.ground, view.features, view.flows, view.roads, view.areas


@pytest.mark.parametrize(("game", "option"), [pair for pair, shelf in BROUGHT.items() if shelf.view])
def test_a_users_terrain_is_printed_as_a_board(tmp_path: Path, game: str, option: str) -> None:
    content_type = BROUGHT[game, option]
    user_file = tmp_path / "mine.toml"
    user_file.write_text(changed(content_type), "utf-8")
    what = next(what for what in games.load(game).prints if what.verb == "boards")
    for options in ({option: str(user_file)}, {"board": str(user_file)}):
        (poster,) = what.make({"paper": "a4", "seed": SEED, **options}).sheets
        assert isinstance(poster, Poster)
        assert content_type.view
        assert (
            drawn(poster.view)
            == drawn(content_type.view(user_file))
            != drawn(content_type.view(shipped_file(content_type)))
        )
        assert poster.note and poster.note.en == "Drawn by hand."
    user_file.write_bytes(shipped_file(content_type).read_bytes())
    (poster,) = what.make({"paper": "a4", "seed": SEED, option: str(user_file)}).sheets
    assert isinstance(poster, Poster)
    assert poster.note and poster.note.en == "House content of Muster."


@pytest.mark.parametrize(("game", "option"), BROUGHT)
def test_a_copy_counts_as_shipped_until_a_value_differs(tmp_path: Path, game: str, option: str) -> None:
    """Ownership depends only on the values, not on comments, the file's name or the title."""
    content_type, user_file = BROUGHT[game, option], tmp_path / "mine.toml"
    text = shipped_file(content_type).read_text("utf-8")
    title = next(line for line in text.splitlines() if line.startswith("name = "))
    retitled = text.replace(title, 'name = { en = "Mine", ja = "Mine" }', 1)
    source_line = next(line for line in text.splitlines() if line.startswith("source = "))
    for content, owner in (
        (text, "house"),
        (f"# mine\n{text}\n# all of it", "house"),
        (retitled, "house"),
        (text.replace(source_line, f'source = "{word(content_type)}"', 1), "owner"),
        (changed(content_type), "owner"),
    ):
        user_file.write_text(content, "utf-8")
        assert file_ownership(games.load(game), {option: user_file}) == {option: owner}


@pytest.mark.parametrize(("name", "option"), BROUGHT)
def test_a_cover_says_whose_each_part_is(tmp_path: Path, name: str, option: str) -> None:
    game, content_type, user_file = games.load(name), BROUGHT[name, option], tmp_path / "mine.toml"

    def cover(content: str) -> tuple[str, str]:
        user_file.write_text(content, "utf-8")
        scenario = game.draw(Request(SEED, {option: user_file.name}, {option: user_file}))
        sheet = game.kit(scenario, check(game.rules, scenario), "", "").sheets[0]
        assert isinstance(sheet, Sheet)
        words: Any = sheet.view["content"]
        return " ".join(of.en for of in words), "".join(of.ja for of in words)

    copied, changed_cover = cover(shipped_file(content_type).read_text("utf-8")), cover(changed(content_type))
    assert "mine.toml" not in "".join(copied) and "ouse content" in copied[0] and "独自" in copied[1]
    assert (
        f"{content_type.what.en}" in changed_cover[0].split("Your own, not Muster's: ")[1]
        and "(mine.toml)" in changed_cover[0]
    )
    assert "（mine.toml）" in changed_cover[1].split("プレイヤーの持ち込み：")[1]
    assert "mine.toml" not in changed_cover[0].split("Your own")[0]


@pytest.mark.parametrize(("of", "kind"), sorted({(game_of(shelf), shelf.kind) for shelf in BROUGHT.values()}))
def test_what_is_shown_of_a_file_says_whose_it_is(tmp_path: Path, of: str, kind: str) -> None:
    content_type, user_file = shelf_named(of, kind), tmp_path / "mine.toml"
    user_file.write_text(changed(content_type), "utf-8")
    for lang in LANGS:
        assert content_type.show(user_file, lang)[0][0].endswith(f" [{word(content_type)}]")
        mine_too = content_type.show(next(iter(content_type.items())), lang)
        assert mine_too[0][0].endswith("]") and not mine_too[0][0].endswith(f" [{word(content_type)}]")
