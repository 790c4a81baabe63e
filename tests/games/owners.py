"""Create users' files of every kind that a game accepts, which differ from shipped files in a name and a number."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from generator import games
from generator.common.game import ContentType, Game, Printable
from generator.common.ownership import content_type_of
from generator.model.views import Kit

SEED = "K7Q2M-9FHN5"
RENAMED = "Qx"
"""Prefix of the names in a user's files."""
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
"""Replacements in a shipped file, keyed by kind. For other kinds the terrain is changed according to `GROUND`."""
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


def file_options() -> list[tuple[str, str, ContentType]]:
    """Return the game, the option and the content type of every option that accepts a file."""
    found = []
    for game in map(games.load, games.names()):
        for option in game.options:
            if option.file:
                content_type = content_type_of(game, option.name)
                assert content_type, f"{game.name} --{option.name} is on no shelf"
                found.append((game.name, option.name, content_type))
    return found


def game_of(content_type: ContentType) -> str:
    """Return the name of the game to which a content type belongs."""
    return next(name for name in games.names() if content_type in games.load(name).content_types)


def shipped_file(content_type: ContentType) -> Path:
    """Return the path of a shipped file of the given content type."""
    assert content_type.file
    return content_type.file(FIRST.get((game_of(content_type), content_type.kind), next(iter(content_type.items()))))


def changed(content_type: ContentType) -> str:
    """Return the text of a shipped file with a user's changes and an unchanged header."""
    text = shipped_file(content_type).read_text("utf-8")
    changes = CHANGES.get(content_type.kind) or (GROUND[game_of(content_type), content_type.kind],)
    for before, after in changes:
        assert before in text, (content_type.kind, before)
        text = text.replace(before, after, 1)
    return text


def with_header(text: str, source: str) -> str:
    """Return the text of a file with a new name, note and source."""
    heads = {"name": '{ en = "Mine", ja = "Mine" }', "note": '{ en = "", ja = "" }', "source": f'"{source}"'}
    for key, value in heads.items():
        text = re.sub(rf"^{key} = .*$", f"{key} = {value}", text, count=1, flags=re.MULTILINE)
    return text


def variants(what: Printable) -> list[dict[str, str]]:
    """Return the option sets to print with: the default, and random content if the verb can generate it."""
    usual = {"paper": "a4"} | ({"seed": SEED} if "seed" in what.takes else {})
    return [usual, *([usual | {"board": "random"}] if "board" in what.takes else [])]


def content_text(kit: Kit) -> str:
    """Return the content of a kit as one text, in which objects without a text are represented by their type."""
    return re.sub(r" at 0x[0-9a-f]+", "", repr(kit))


def printed(game: Game[Any], options: Mapping[str, str]) -> dict[str, list[str]]:
    """Return the prints of each verb, with those of the given options that the verb accepts."""
    return {
        what.verb: [
            content_text(what.make({**of, **{k: v for k, v in options.items() if k in what.takes}}))
            for of in variants(what)
        ]
        for what in game.prints
    }


if __name__ == "__main__":
    # The arguments after the games are pairs of option and file. Each game uses the options that it accepts.
    given = dict(zip(sys.argv[2::2], sys.argv[3::2], strict=True))
    json.dump({name: printed(games.load(name), given) for name in sys.argv[1].split(",")}, sys.stdout)
