"""The simple and the strong computer players of Travel Battle, with the texts about play."""

from __future__ import annotations

from generator.common.playing import Playing, players, policies
from generator.games.travel_battle.captain import STRONG
from generator.games.travel_battle.model import SIDES, Scenario
from generator.games.travel_battle.players import PolicyPlayer
from generator.games.travel_battle.playfield import GONE, State
from generator.games.travel_battle.playing import Battle
from generator.games.travel_battle.presenter import BattlePresenter
from generator.games.travel_battle.tables import words

_OF = players("travel_battle")


def _left(of: Battle, state: State) -> dict[str, int]:
    """Return 1 for each fighting unit that has not been lost, and 0 for each lost one, by id."""
    return {unit.id: int(state.cells[u] != GONE) for u, unit in enumerate(of.field.units) if unit.kind.fights}


PLAYING: Playing[Scenario] = Playing(
    engine=Battle,
    policies=policies("travel_battle", {name: PolicyPlayer(name) for name in _OF.policy}),
    seats=(words()["player"][SIDES[0]], words()["player"][SIDES[1]]),
    left_out=_OF.left_out,
    house=tuple(text.fill(rounds=_OF.numbers["rounds"]) for text in _OF.house),
    left=_left,
    strong=STRONG,
    presenter=BattlePresenter,
)
