"""Count blunders in a game of Call to Arms, which has the same kinds of blunders as BattleLore."""

from tests.games.battlelore.blunders import Blunders

__all__ = ["Blunders"]
