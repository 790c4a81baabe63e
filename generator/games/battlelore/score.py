"""What is written down of a battle's result."""

from __future__ import annotations

from typing import Protocol, TypeVar

from generator.games.battlelore.ground.board import CAMPS
from generator.games.battlelore.words import camp_name
from generator.games.capability import Score
from generator.games.scoring import scoring
from generator.model.scenario import Scenario
from generator.model.words import Words


class _Battle(Scenario, Protocol):
    """Whatever is won by banners."""

    @property
    def banners(self) -> int:
        """Victory banners to win."""


B = TypeVar("B", bound=_Battle)


def score(game: str, _of: type[B]) -> Score[B]:
    """Banners and figures, as that game's score.toml states them, for its kind of scenario."""
    of = scoring(game)
    goal = of.goal

    def won(battle: B) -> tuple[Words, ...]:
        return (goal.fill(banners=battle.banners),) if goal else ()

    pennant, standard = (camp_name(camp) for camp in CAMPS)
    return Score(of.counted, of.lost, of.parts, lambda _: (pennant, standard), won)
