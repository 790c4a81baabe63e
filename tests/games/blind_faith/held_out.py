"""A player of Blind Faith that took no part in the search for grade C.

It computes no chances of winning. Every unit aims at the most expensive enemy that can be lost and charges if it can,
and the side never retreats. None of the policies whose odds grade C requires combines these rules.
"""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from generator.common.playing import Policy
from generator.games.blind_faith.policy_player import pick
from generator.games.blind_faith.rounds import policies
from generator.model.words import Words


def held_out() -> Policy:
    """Return the player."""
    rules = replace(policies()["last"], aim="points")
    return Policy("held_out", Words("Held-out player", "別枠のプレイヤー"), Words("", ""), partial(pick, rules))
