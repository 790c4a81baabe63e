"""The options of Tablut."""

from __future__ import annotations

from generator.games.tablut.tables import numbers

from generator.common.game import Wish, wish_texts


def wishes() -> tuple[Wish, ...]:
    """Return every option of this game."""
    texts, counts = wish_texts("tablut"), numbers().moves
    return (
        Wish("title", texts["title"], metavar="TITLE"),
        Wish("moves", texts["moves"], tuple(map(str, counts.numbers)), metavar="N", default=str(counts.usual)),
    )
