"""Playing boards at true size, for `muster boards`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from generator.draw.streams import Streams
from generator.errors import Problem, WrongUsageError, near
from generator.games.travel_battle.board import TYPES
from generator.games.travel_battle.boards import DrawnBoard, house_boards, load_board
from generator.games.travel_battle.maker import make_board
from generator.games.travel_battle.mapsheet import back_view, board_view
from generator.games.travel_battle.scenario import RANDOM
from generator.games.words import words
from generator.model.views import Kit, Poster
from generator.model.words import Words
from generator.store.folders import is_file

STREAMS = "v1/travel_battle/poster"
INCH = 25.4
"""The side of a playing board's square, in mm."""


def boards_make(options: Mapping[str, str]) -> Kit:
    """The kit of what was typed: board, cell, backs and seed; all house boards where none is named."""
    cell, backs = float(options.get("cell", INCH)), "backs" in options
    names = [options["board"]] if "board" in options else list(house_boards())
    posters = [board_poster(name, cell, code=options["seed"], backs=backs) for name in names]
    say = words("travel_battle")
    return Kit(
        say["game"]["title"], say["boards"]["title"], options["seed"] if names == [RANDOM] else "", tuple(posters)
    )


def board_poster(name: str, square: float = INCH, *, code: str = "", backs: bool = False) -> Poster:
    """A board with squares that many mm wide: a house board by its name, a random one of the code, or a file's."""
    say = words("travel_battle")["boards"]
    of, note = _named(name, code)
    title = say["poster"].fill(name=of.name, type=of.board.type)
    back = back_view(of.board, say["back"].fill(name=of.name, type=of.board.type)) if backs else None
    return Poster("boards", title, board_view(of.board), square, back, note)


def _named(name: str, code: str) -> tuple[DrawnBoard, Words]:
    """The board, and whose it is."""
    say = words("travel_battle")
    if name in house_boards():
        return house_boards()[name], say["boards"]["house"]
    if name == RANDOM:
        streams = Streams(code, STREAMS)
        board = make_board(streams.at("type").choice(TYPES), streams.under("board"))
        return DrawnBoard(say["board"][RANDOM], Words("", ""), "house", board), say["boards"]["random"].fill(
            code=code
        )
    if is_file(path := Path(name)):
        return load_board(path), say["boards"]["own"]
    hint = near(name, (*house_boards(), RANDOM))
    raise WrongUsageError(Problem(f"no board {name[:40]!r}, and no file", hint=hint))
