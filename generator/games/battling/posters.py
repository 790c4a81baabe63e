"""Arenas at true size, for the kit and for `muster boards`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from generator.draw.streams import Streams
from generator.errors import Problem, WrongUsageError, near
from generator.games.battling.arenas import DrawnArena, house_arenas, load_arena
from generator.games.battling.limits import limits
from generator.games.battling.maker import make_arena
from generator.games.battling.mapsheet import arena_view
from generator.games.battling.scenario import RANDOM, Scenario
from generator.games.battling.sheetfile import sheet_file
from generator.games.words import words
from generator.model.views import Kit, Poster
from generator.model.words import Words
from generator.store.folders import is_file

STREAMS = "v1/battling/poster"


def boards_make(options: Mapping[str, str]) -> Kit:
    """The kit of what was typed: board, cell and seed; all house arenas where none is named."""
    cell = float(options.get("cell", sheet_file().hex))
    names = [options["board"]] if "board" in options else list(house_arenas())
    posters = tuple(arena_poster(name, cell, options.get("seed", "")) for name in names)
    say = words("battling")
    code = options["seed"] if names == [RANDOM] else ""
    return Kit(say["title"]["game"], say["boards"]["title"], code, posters)


def arena_poster(name: str, cell: float, code: str = "") -> Poster:
    """An arena with hexes that many mm wide: a house arena by its name, a random one of the code, or a file's."""
    of, note = _named(name, code)
    return Poster("boards", of.name, arena_view(of.arena), cell, note=note)


def battle_poster(scenario: Scenario) -> Poster:
    """The arena of a battle, for its counters."""
    return Poster("arena", words("battling")["boards"]["battle"], arena_view(scenario.arena), sheet_file().hex)


def _named(name: str, code: str) -> tuple[DrawnArena, Words]:
    """The arena, and whose it is."""
    say = words("battling")["boards"]
    if name in house_arenas():
        return house_arenas()[name], say["house"]
    if name == RANDOM:
        size = limits().columns.usual, limits().rows.usual
        made = make_arena(Streams(code, STREAMS), *size)
        return DrawnArena(say[RANDOM], Words("", ""), "house", made), say["drawn"].fill(code=code)
    if is_file(path := Path(name)):
        return load_arena(path), say["own"]
    raise WrongUsageError(Problem(f"no board {name[:40]!r}, and no file", hint=near(name, (*house_arenas(), RANDOM))))
