"""Pieces that the owner of a scenario adds to a battle, as the scenario file has them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal

import msgspec
from msgspec.structs import replace

from generator.common.scenario_file import UNIT_NAME_LIMIT, Short, name_in_file
from generator.games.battlelore.forces import Kind, OwnPiece
from generator.games.battlelore.model import BattleReading, kind_text
from generator.localization import tr
from generator.model.words import Words, in_words
from generator.notation import text
from generator.notation.validation import KeyPath, full_match, name_text, unique_in_rows


class PieceRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A piece that the owner made. It is like a unit of the game, except for the numbers given here."""

    id: Annotated[str, full_match("[a-z][a-z0-9_]{0,23}", "small letters, digits and _, such as war_wagon")]
    """The word for the piece in the rows of units, with lower-case letters, digits and `_`."""
    name: Annotated[Words | str, name_text(UNIT_NAME_LIMIT)]
    """The name of the piece, in both languages or as one string for both."""
    like: Short
    """The piece's banner, weapon and race, such as `"red short_sword goblin"`. They decide hits and morale."""
    dice: Annotated[int, msgspec.Meta(ge=1, le=6)] | None = None
    """The number of dice that the piece rolls."""
    move: Annotated[int, msgspec.Meta(ge=0, le=5)] | None = None
    """The number of hexes that the piece can move if it is to battle afterwards."""
    run: Annotated[int, msgspec.Meta(ge=0, le=5)] | None = None
    """The number of hexes that the piece can move without battling; the default is the value of `move`."""
    range: Annotated[int, msgspec.Meta(ge=1, le=5)] | None = None
    """The range of the piece's bow, in hexes."""
    sight: Literal["line", "over"] = "line"
    """`"over"` if nothing blocks the piece's shots."""
    figures: Annotated[int, msgspec.Meta(ge=1, le=12)] | None = None
    """The number of figures in a full unit."""


PIECE_LIMIT = 8
"""The largest number of kinds of own pieces in a file: computer players have keys of six bits for a kind."""
Pieces = Annotated[tuple[PieceRow, ...], msgspec.Meta(max_length=PIECE_LIMIT), unique_in_rows("id")]


def read_pieces(reading: BattleReading, rows: Iterable[PieceRow]) -> tuple[Kind, ...]:
    """Return the pieces of the owner, which the rows of units may name from now on; note their faults."""
    found = [kind for i, row in enumerate(rows) if (kind := _piece(reading, ("piece", i), row))]
    reading.author_pieces = {kind.piece.id: kind for kind in found if kind.piece}
    return tuple(found)


def _piece(reading: BattleReading, at: KeyPath, row: PieceRow) -> Kind | None:
    like = reading.kind((*at, "like"), row.like)
    if like is None:
        return None
    move = like.move if row.move is None else row.move
    run = row.run if row.run is not None else like.run if row.move is None else move
    if run < move:
        reading.fault((*at, "run"), tr("`run` is less than `move`"), tr("give at least {move}", move=move))
    reach = like.range if row.range is None else row.range
    if not like.bow and (reach > 1 or row.sight == "over"):
        key = "range" if reach > 1 else "sight"
        hint = tr("write a unit with a bow in `like`, such as green common_bow")
        reading.fault((*at, key), tr("a piece like {like} cannot shoot", like=row.like), hint)
    if like.bow and reach < 2:
        reading.fault((*at, "range"), tr("the range of a bow must be at least 2 hexes"))
    dice, figures = row.dice or like.dice, row.figures or like.figures
    piece = OwnPiece(row.id, in_words(row.name), dice, move, run, reach, row.sight == "over", figures)
    return replace(like, piece=piece)


def piece_lines(pieces: Iterable[Kind]) -> list[str]:
    """Return the tables [[piece]] of a scenario file; numbers that a piece shares with its kind are left out."""
    lines: list[str] = []
    for kind in pieces:
        piece, like = kind.piece, replace(kind, piece=None)
        assert piece
        row: dict[str, object] = {"id": piece.id, "name": name_in_file(piece.name), "like": kind_text(like)}
        run = piece.move if piece.move != like.move else like.run
        usual = {"dice": like.dice, "move": like.move, "run": run, "range": like.range, "figures": like.figures}
        row |= {name: getattr(piece, name) for name, number in usual.items() if getattr(piece, name) != number}
        lines += ["", "[[piece]]", *text.lines(row | ({"sight": "over"} if piece.over else {}))]
    return lines
