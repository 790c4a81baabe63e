"""The options of Tablut."""

from __future__ import annotations

from generator.games.tablut.tables import numbers

from generator.common.game import GameOption, option_texts


def options() -> tuple[GameOption, ...]:
    """Return every option of the game."""
    texts, counts = option_texts("tablut"), numbers().moves
    return (
        GameOption("title", texts["title"], metavar="TITLE"),
        GameOption("moves", texts["moves"], tuple(map(str, counts.numbers)), metavar="N", default=str(counts.usual)),
    )
