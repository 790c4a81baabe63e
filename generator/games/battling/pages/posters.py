"""Arenas at true size, for the kit and for `muster boards`."""

from __future__ import annotations

from collections.abc import Mapping

from generator.draw.streams import Streams
from generator.games.battling.ground.arenas import DrawnArena, house_arenas, load_arena
from generator.games.battling.ground.maker import make_arena
from generator.games.battling.numbers import limits
from generator.games.battling.pages.mapsheet import arena_view
from generator.games.battling.pages.sheetfile import sheet_file
from generator.games.battling.scenario import RANDOM, Scenario
from generator.games.boards import Boards
from generator.games.words import words
from generator.model.views import Poster
from generator.model.words import Words

STREAMS = "v1/battling/poster"


def boards() -> Boards[DrawnArena]:
    """What `muster boards` prints."""
    say = words("battling")
    return Boards(
        say["title"]["game"], say["boards"]["title"], house_arenas, load_arena, _random, _poster, ("arena",)
    )


def battle_poster(scenario: Scenario) -> Poster:
    """The arena of a battle, for its counters."""
    return Poster("arena", words("battling")["boards"]["battle"], arena_view(scenario.arena), sheet_file().hex)


def _random(options: Mapping[str, str]) -> DrawnArena:
    size = limits().columns.usual, limits().rows.usual
    made = make_arena(Streams(options["seed"], STREAMS), *size)
    return DrawnArena(words("battling")["boards"][RANDOM], Words("", ""), "house", made)


def _poster(of: DrawnArena, note: Words, options: Mapping[str, str]) -> Poster:
    return Poster("boards", of.name, arena_view(of.arena), sheet_file().hex, note=note)
