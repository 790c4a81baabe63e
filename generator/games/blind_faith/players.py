"""Computer players of Blind Faith: the policies for computing odds, and the strong players."""

from __future__ import annotations

from functools import partial

import msgspec

from generator.common.playing import Playing, strong_policies
from generator.common.playing import Policy as Player
from generator.games.blind_faith import captain
from generator.games.blind_faith.ground import side_name
from generator.games.blind_faith.model import Scenario
from generator.games.blind_faith.playing import Engine
from generator.games.blind_faith.policy_player import pick
from generator.games.blind_faith.presenter import FightPresenter
from generator.games.blind_faith.rounds import odds_settings, policies
from generator.games.blind_faith.tables import SIDES


def _players() -> dict[str, Player]:
    """Return the policies for computing odds as players, except older ones. The policies of grade C come first."""
    every = {name: policy for name, policy in policies().items() if not policy.older}
    ids = dict.fromkeys((*odds_settings().advised["defence"], *every))
    return {
        name: Player(name, every[name].name, every[name].text, partial(pick, every[name]), by_state=True)
        for name in ids
    }


_STRONG = strong_policies(
    "blind_faith", {"captain": captain.pick, "raider": partial(captain.pick, enemy_retreats=False)}
)

PLAYING: Playing[Scenario] = Playing(
    engine=Engine,
    policies=_players(),
    strong={name: msgspec.structs.replace(policy, by_state=True) for name, policy in _STRONG.items()},
    seats=(side_name(SIDES[0]), side_name(SIDES[1])),
    presenter=FightPresenter,
)
