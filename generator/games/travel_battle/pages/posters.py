"""Playing boards at true size, for the kit, for campaigns and for `muster boards`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from generator.draw.streams import Streams
from generator.games.boards import Boards
from generator.games.capability import Printable
from generator.games.travel_battle.file import read
from generator.games.travel_battle.ground.areas import Area, Campaign, find_area, is_area
from generator.games.travel_battle.ground.board import HALF, SIZE, TYPES, Board
from generator.games.travel_battle.ground.boards import DrawnBoard, house_board, house_boards, load_board
from generator.games.travel_battle.ground.maker import make_board
from generator.games.travel_battle.pages.mapsheet import back_view, board_view
from generator.games.travel_battle.pages.telling import board_title, is_ours, placed_title
from generator.games.travel_battle.scenario import RANDOM, Scenario
from generator.games.words import shared_words, words
from generator.grid.squares import Square
from generator.model.views import Kit, Poster
from generator.model.words import Words
from generator.notation import envelope
from generator.notation.toml import Source
from generator.store.read import beside, is_there

STREAMS = "v1/travel_battle/poster"
INCH = 25.4
"""The side of a playing board's square, in mm."""


def boards_print() -> Printable:
    """What `muster boards` prints: a board, all that ship, a campaign's area, or those of a scenario's file."""
    usual = boards().printable("backs")

    def make(options: Mapping[str, str]) -> Kit:
        say, named, backs = words("travel_battle"), boards().named(options), "backs" in options
        name = named[0] if len(named) == 1 else ""
        if is_area(name):
            campaign, area = find_area(name)
            return Kit(say["game"]["title"], area.title, campaign.code, (area_poster(campaign, area, backs=backs),))
        if is_there(path := Path(name)) and "muster" in (source := Source.open(path)).data:
            scenario = read(source, envelope.origin(envelope.head(source)), beside(path))
            posters = tuple(battle_posters(scenario, "boards", backs=backs))
            return Kit(say["game"]["title"], scenario.title, scenario.origin.code, posters)
        return usual.make(options)

    return msgspec.structs.replace(usual, make=make)


def boards() -> Boards[DrawnBoard]:
    """The boards that need no scenario: fronts, and with `backs` what belongs on their backs."""
    say = words("travel_battle")
    return Boards(
        say["game"]["title"],
        say["boards"]["title"],
        house_boards,
        load_board,
        _random,
        _poster,
        ("board-blue", "board-red"),
    )


def battle_posters(scenario: Scenario, part: str = "board", *, backs: bool = False) -> Iterator[Poster]:
    """Every board of a battle as its owner holds it, edge 1 near, called by where it lies."""
    say, whose = words("travel_battle")["boards"], shared_words()["boards"]
    for r, row in enumerate(scenario.boards):
        for c, placed in enumerate(row):
            at = scenario.battlefield.land.field.name(Square(SIZE * c, SIZE * r))
            if placed.laid.board.type == HALF:
                yield _half(part, at, placed.laid.board, backs=backs)
                continue
            # A file's name may be too long for the foot of a page.
            name = say["at"].fill(at=at, name=placed_title(placed) if is_ours(placed) else board_title(""))
            note = whose["house"] if house_board(placed.laid.board) else None
            yield _made(part, name, placed.laid.board, note, backs=backs)


def _half(part: str, at: str, board: Board, *, backs: bool) -> Poster:
    """A half of one whole, which joins no other board than the other half."""
    say = words("travel_battle")["boards"]
    name = say["at"].fill(at=at, name=say["half"].fill(columns=2 * SIZE, rows=SIZE))
    behind = back_view(board, say["half_back"].fill(at=at)) if backs else None
    return Poster(part, name, board_view(board), INCH, behind, say["half_note"])


def area_poster(campaign: Campaign, area: Area, *, backs: bool = False) -> Poster:
    """The board of a campaign's area."""
    say, whose = words("travel_battle")["boards"], shared_words()["boards"]
    note = whose["house"] if area.house else whose[RANDOM].fill(code=campaign.code)
    name = say["at"].fill(at=area.name, name=area.title)
    return _made("boards", name, area.laid.board, note, backs=backs)


def _random(options: Mapping[str, str]) -> DrawnBoard:
    streams = Streams(options["seed"], STREAMS)
    board = make_board(streams.at("type").choice(TYPES), streams.under("board"))
    return DrawnBoard(words("travel_battle")["board"][RANDOM], Words("", ""), "house", board)


def _poster(of: DrawnBoard, note: Words, options: Mapping[str, str]) -> Poster:
    return _made("boards", of.name, of.board, note, backs="backs" in options)


def _made(part: str, name: Words, board: Board, note: Words | None, *, backs: bool) -> Poster:
    say = words("travel_battle")["boards"]
    title = say["poster"].fill(name=name, type=board.type)
    behind = back_view(board, say["back"].fill(name=name, type=board.type)) if backs else None
    return Poster(part, title, board_view(board), INCH, behind, note)
