"""An owner's files: every kind that a game takes, told apart from ours by a name and a number of their own."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from generator import games
from generator.common.game import Game, Printable, Shelf
from generator.common.ownership import shelf_of
from generator.model.views import Kit

SEED = "K7Q2M-9FHN5"
RENAMED = "Qx"
"""What the names of an owner's things begin with."""
CHANGES: Mapping[str, tuple[tuple[str, str], ...]] = {
    "deck": (('en = "Shield Wall"', 'en = "Qx Shield Wall"'), ('ja = "盾の壁"', 'ja = "Qx盾の壁"')),
    "pool": (
        ("levies = { green = 2", "levies = { green = 3"),
        ("green = { short_sword = 6", "green = { short_sword = 5"),
    ),
    "inventory": (("count = 20", "count = 4"), ("count = 8", "count = 9")),
    "army": (('en = "Guard infantry", ja = "', 'en = "Qx guards", ja = "Qx'), ("rally = 5", "rally = 6")),
    "charts": (
        ('en = "Scopedog", ja = "', 'en = "Qx dog", ja = "Qx'),
        ("shooting = [4, 4, 3", "shooting = [6, 5, 3"),
        ("brutishdog = 1, standing_tortoise = -1", "brutishdog = 2, standing_tortoise = -2"),
    ),
    "pack": (
        ('en = "Tabor", ja = "', 'en = "Qx Tabor", ja = "Qx'),
        ('en = "Hussite infantry", ja = "', 'en = "Qx infantry", ja = "Qx'),
        ("boxes = 4 ", "boxes = 3 "),
        ("movement = 4", "movement = 6"),
    ),
}
"""By kind of file, what is put in place of ours; a kind that is not here has its ground changed, by `GROUND`."""
GROUND: Mapping[tuple[str, str], tuple[str, str]] = {
    ("battlelore", "map"): (". . . h . . . . . . . .", ". . . h . . . . . . . h"),
    ("travel_battle", "board"): ("1 1 . w w . .", "1 1 . w w w ."),
    ("battling", "arena"): ("0706-8+3 ", "0706-7+3 "),
    ("blind_faith", "map"): (" . f f . . . ~", " . f f f . . ~"),
}
FIRST: Mapping[tuple[str, str], str] = {
    ("battlelore", "map"): "saint_ivo",
    ("travel_battle", "board"): "crow_wood",
    ("battling", "arena"): "plaza",
    ("blind_faith", "map"): "luznice",
}


def brought() -> list[tuple[str, str, Shelf]]:
    """Every wish of every game that takes a file: the game, the wish, and what such a file is."""
    found = []
    for game in map(games.load, games.names()):
        for wish in game.wishes:
            if wish.file:
                shelf = shelf_of(game, wish.name)
                assert shelf, f"{game.name} --{wish.name} is on no shelf"
                found.append((game.name, wish.name, shelf))
    return found


def home(shelf: Shelf) -> str:
    """The game on whose shelf it lies."""
    return next(name for name in games.names() if shelf in games.load(name).shelves)


def ours(shelf: Shelf) -> Path:
    """A file of that kind that ships."""
    assert shelf.file
    return shelf.file(FIRST.get((home(shelf), shelf.kind), next(iter(shelf.items()))))


def changed(shelf: Shelf) -> str:
    """Its text with the changes of an owner, who left its head as it was."""
    text = ours(shelf).read_text("utf-8")
    changes = CHANGES.get(shelf.kind) or (GROUND[home(shelf), shelf.kind],)
    for before, after in changes:
        assert before in text, (shelf.kind, before)
        text = text.replace(before, after, 1)
    return text


def titled(text: str, source: str) -> str:
    """A file's text with a head of its own."""
    heads = {"name": '{ en = "Mine", ja = "Mine" }', "note": '{ en = "", ja = "" }', "source": f'"{source}"'}
    for key, value in heads.items():
        text = re.sub(rf"^{key} = .*$", f"{key} = {value}", text, count=1, flags=re.MULTILINE)
    return text


def variants(what: Printable) -> list[dict[str, str]]:
    """The options with which it is made: by default, and with something drawn where it draws."""
    usual = {"paper": "a4"} | ({"seed": SEED} if "seed" in what.takes else {})
    return [usual, *([usual | {"board": "random"}] if "board" in what.takes else [])]


def shown(kit: Kit) -> str:
    """All that a kit says and draws, as one text; what has no words of its own is told by its kind."""
    return re.sub(r" at 0x[0-9a-f]+", "", repr(kit))


def printed(game: Game[Any], options: Mapping[str, str]) -> dict[str, list[str]]:
    """What each verb shows with these options, where it takes them."""
    return {
        what.verb: [
            shown(what.make({**of, **{k: v for k, v in options.items() if k in what.takes}})) for of in variants(what)
        ]
        for what in game.prints
    }


if __name__ == "__main__":
    # After the games wishes and files follow in pairs: every game has what it takes of them.
    given = dict(zip(sys.argv[2::2], sys.argv[3::2], strict=True))
    json.dump({name: printed(games.load(name), given) for name in sys.argv[1].split(",")}, sys.stdout)
