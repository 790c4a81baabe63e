"""An owner's content is used everywhere, and its ownership is stated: every game, verb and kind of file."""

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
from tests.games.owners import SEED, brought, changed, home, ours, titled

ROOT = Path(__file__).parents[2]
BROUGHT = {(game, wish): shelf for game, wish, shelf in brought()}
WHOLE = sorted({(home(shelf), shelf.kind) for shelf in BROUGHT.values() if not shelf.view})
"""Kinds with a single shipped file, which the owner's file replaces."""
PROGRAM = """
import runpy, sys, pathlib
import generator.localization as localization
localization._PACKAGE = pathlib.Path(sys.argv.pop(1)) / "nowhere"
runpy.run_module("tests.games.owners", run_name="__main__")
"""


def shelf_named(game: str, kind: str) -> ContentType:
    return next(shelf for shelf in games.load(game).content_types if shelf.kind == kind)


def verbs(data: Path, of: Iterable[str], *files: str | Path) -> Any:
    """Return what every verb of these games prints with these data; options and files follow in pairs."""
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
def test_a_verb_takes_a_file_where_it_shows_what_ships_and_shows_it_in_its_place(
    tmp_path: Path, of: str, kind: str
) -> None:
    """With the owner's file every verb prints the same as if that file were shipped, and no other verb accepts it."""
    shelf = shelf_named(of, kind)
    mine = tmp_path / "mine.toml"
    mine.write_text(titled(changed(shelf), word(shelf)), "utf-8")
    shutil.copytree(shipped_path("data"), tmp_path / "tree" / "data")
    (tmp_path / "tree" / "data" / ours(shelf).relative_to(shipped_path("data"))).write_bytes(mine.read_bytes())
    takers = [(game, wish) for (game, wish), taken in BROUGHT.items() if taken is shelf]
    asked = dict.fromkeys(game for game, _ in takers)
    there = verbs(tmp_path / "tree" / "data", asked)
    own = verbs(
        shipped_path("data"), asked, *(part for wish in {wish for _, wish in takers} for part in (wish, mine))
    )
    seen = 0
    for game, wish in takers:
        for what in games.load(game).prints:
            shown = list(zip(usual()[game][what.verb], there[game][what.verb], own[game][what.verb], strict=True))
            counts = [before != after for before, after, _ in shown]
            assert (wish in what.takes) == any(counts), (game, what.verb, wish)
            assert all(after == taken for before, after, taken in shown if before != after), (game, what.verb, wish)
            seen += any(counts)
    assert seen


def word(shelf: ContentType) -> str:
    """Return the value of `source` in an owner's file of that type."""
    return "own" if shelf.view or shelf.kind in ("inventory", "army") else "owner"


def drawn(view: MapView) -> object:
    return view.ground, view.features, view.flows, view.roads, view.areas


@pytest.mark.parametrize(("game", "wish"), [pair for pair, shelf in BROUGHT.items() if shelf.view])
def test_ground_of_ones_own_is_printed_as_a_board(tmp_path: Path, game: str, wish: str) -> None:
    shelf = BROUGHT[game, wish]
    mine = tmp_path / "mine.toml"
    mine.write_text(changed(shelf), "utf-8")
    what = next(what for what in games.load(game).prints if what.verb == "boards")
    for options in ({wish: str(mine)}, {"board": str(mine)}):
        (poster,) = what.make({"paper": "a4", "seed": SEED, **options}).sheets
        assert isinstance(poster, Poster)
        assert shelf.view
        assert drawn(poster.view) == drawn(shelf.view(mine)) != drawn(shelf.view(ours(shelf)))
        assert poster.note and poster.note.en == "Drawn by hand."
    mine.write_bytes(ours(shelf).read_bytes())
    (poster,) = what.make({"paper": "a4", "seed": SEED, wish: str(mine)}).sheets
    assert isinstance(poster, Poster)
    assert poster.note and poster.note.en == "House content of Muster."


@pytest.mark.parametrize(("game", "wish"), BROUGHT)
def test_a_copy_is_ours_until_a_value_differs(tmp_path: Path, game: str, wish: str) -> None:
    """Ownership depends on the values alone: not on comments, the file's name or its title."""
    shelf, mine = BROUGHT[game, wish], tmp_path / "mine.toml"
    text = ours(shelf).read_text("utf-8")
    title = next(line for line in text.splitlines() if line.startswith("name = "))
    retitled = text.replace(title, 'name = { en = "Mine", ja = "Mine" }', 1)
    said = next(line for line in text.splitlines() if line.startswith("source = "))
    for content, whose in (
        (text, "house"),
        (f"# mine\n{text}\n# all of it", "house"),
        (retitled, "house"),
        (text.replace(said, f'source = "{word(shelf)}"', 1), "owner"),
        (changed(shelf), "owner"),
    ):
        mine.write_text(content, "utf-8")
        assert file_ownership(games.load(game), {wish: mine}) == {wish: whose}


@pytest.mark.parametrize(("name", "wish"), BROUGHT)
def test_a_cover_says_whose_each_part_is(tmp_path: Path, name: str, wish: str) -> None:
    game, shelf, mine = games.load(name), BROUGHT[name, wish], tmp_path / "mine.toml"

    def cover(content: str) -> tuple[str, str]:
        mine.write_text(content, "utf-8")
        scenario = game.draw(Request(SEED, {wish: mine.name}, {wish: mine}))
        sheet = game.kit(scenario, check(game.rules, scenario), "", "").sheets[0]
        assert isinstance(sheet, Sheet)
        told: Any = sheet.view["content"]
        return " ".join(of.en for of in told), "".join(of.ja for of in told)

    copied, own = cover(ours(shelf).read_text("utf-8")), cover(changed(shelf))
    assert "mine.toml" not in "".join(copied) and "ouse content" in copied[0] and "独自" in copied[1]
    assert f"{shelf.what.en}" in own[0].split("Your own, not Muster's: ")[1] and "(mine.toml)" in own[0]
    assert "（mine.toml）" in own[1].split("プレイヤーの持ち込み：")[1]
    assert "mine.toml" not in own[0].split("Your own")[0]


@pytest.mark.parametrize(("of", "kind"), sorted({(home(shelf), shelf.kind) for shelf in BROUGHT.values()}))
def test_what_is_shown_of_a_file_says_whose_it_is(tmp_path: Path, of: str, kind: str) -> None:
    shelf, mine = shelf_named(of, kind), tmp_path / "mine.toml"
    mine.write_text(changed(shelf), "utf-8")
    for lang in LANGS:
        assert shelf.show(mine, lang)[0][0].endswith(f" [{word(shelf)}]")
        mine_too = shelf.show(next(iter(shelf.items())), lang)
        assert mine_too[0][0].endswith("]") and not mine_too[0][0].endswith(f" [{word(shelf)}]")
