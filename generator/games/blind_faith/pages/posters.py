"""Operational maps at true size, for the kit and for `muster boards`."""

from __future__ import annotations

from collections.abc import Mapping

from generator.draw.streams import Streams
from generator.games.blind_faith.ground.maker import make_map
from generator.games.blind_faith.ground.maps import DrawnMap, house_maps, load_map
from generator.games.blind_faith.pages.mapsheet import land_view
from generator.games.blind_faith.pages.sheetfile import room
from generator.games.blind_faith.scenario import Scenario
from generator.games.blind_faith.wishes import RANDOM
from generator.games.blind_faith.words import words
from generator.games.boards import Boards
from generator.model.views import Poster
from generator.model.words import Words

STREAMS = "v1/blind_faith/poster"


def boards() -> Boards[DrawnMap]:
    """What `muster boards` prints."""
    say = words()
    return Boards(
        say["blind_faith"]["title"], say["boards"]["title"], house_maps, load_map, _random, _poster, ("map",)
    )


def battle_board(scenario: Scenario) -> Poster:
    """The map of a scenario with nobody on it."""
    return Poster("board", words()["boards"]["battle"], land_view(scenario.land), room().counters.hex)


def _random(options: Mapping[str, str]) -> DrawnMap:
    return DrawnMap(words()["boards"][RANDOM], Words("", ""), "house", make_map(Streams(options["seed"], STREAMS)))


def _poster(of: DrawnMap, note: Words, options: Mapping[str, str]) -> Poster:
    return Poster("boards", of.name, land_view(of.map), room().counters.hex, note=note)
