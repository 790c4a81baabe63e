"""Boards at true size, for the kit and for `muster boards`, and the tokens of one battle to lay on them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from generator.draw.streams import Streams
from generator.errors import Problem, WrongUsageError
from generator.games.battlelore.battle import CampUnit
from generator.games.battlelore.ground.board import Board
from generator.games.battlelore.ground.maker import make_map
from generator.games.battlelore.ground.maps import DrawnMap, house_maps, load_map
from generator.games.battlelore.ground.tiles import load_inventory
from generator.games.battlelore.pages.mapsheet import map_view, token
from generator.games.battlelore.pages.pieces import pieces
from generator.games.battlelore.wishes import PROFILE, RANDOM
from generator.games.battlelore.words import camp_name, words
from generator.games.boards import Boards
from generator.games.capability import Printable
from generator.model.views import Back, Kit, Piece, Poster, Run
from generator.model.words import Words

STREAMS = "v1/battlelore/poster"


def boards_print(game: Words) -> Printable:
    """What `muster boards` prints; `game` is its title. Pieces of one's own are those of a random board."""
    boards = Boards(game, words()["boards"]["title"], house_maps, load_map, _random, _poster, ("map",))
    usual = boards.printable("inventory")

    def make(options: Mapping[str, str]) -> Kit:
        named = boards.named(options)
        if "inventory" not in options or RANDOM in named:
            return usual.make(options)
        if named:
            message = "--inventory changes no board but a random one, which is drawn with these pieces"
            raise WrongUsageError(Problem(message, hint=f"--board {RANDOM}"))
        return usual.make({**options, "board": RANDOM})

    return Printable(usual.verb, usual.kinds, make, usual.takes)


def battle_board(board: Board) -> Poster:
    """The board of a battle with its ground, nobody on it."""
    return Poster("board", words()["boards"]["battle"], map_view(board, small=True), pieces().board)


def battle_tokens(units: Iterable[CampUnit]) -> Run:
    """A token for each unit that stands on the board, the camp's bare banner behind it."""
    made = tuple(
        Piece(unit.kind.name, token(camp, unit.kind, levy=unit.levy), Back(camp, camp_name(camp)))
        for camp, unit in units
        if unit.hex
    )
    return Run("tokens", words()["boards"]["tokens"], made, "hex", pieces().board, pieces().share)


def _random(options: Mapping[str, str]) -> DrawnMap:
    inventory = load_inventory(Path(options["inventory"]) if "inventory" in options else None)
    board = make_map(PROFILE, Streams(options["seed"], STREAMS), inventory)
    return DrawnMap(words()["boards"][RANDOM], Words("", ""), "house", board)


def _poster(of: DrawnMap, note: Words, options: Mapping[str, str]) -> Poster:
    return Poster("boards", of.name, map_view(of.board, small=True), pieces().board, note=note)
