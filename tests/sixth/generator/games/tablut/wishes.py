"""What may be wished for in Tablut."""

from __future__ import annotations

from generator.games.tablut.tables import numbers

from generator.common.game import Wish


def wishes() -> tuple[Wish, ...]:
    """Every wish of this game."""
    counts = numbers().moves
    return (
        Wish("title", "What the game is called.", metavar="TITLE"),
        Wish(
            "moves",
            f"How many moves are played before the players begin, {counts} ({counts.usual} unless wished for).",
            tuple(map(str, counts.numbers)),
            metavar="N",
        ),
    )
