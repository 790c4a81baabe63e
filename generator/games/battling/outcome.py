"""Determine the winner or the state of a battle."""

from __future__ import annotations

import msgspec

from generator.games.battling.model import OTHER, SIDES, Side, order_words, side_name
from generator.games.battling.play import Position
from generator.model.words import Words


class Outcome(msgspec.Struct, frozen=True):
    """The state of a battle."""

    over: bool
    winner: Side | None
    text: Words


HIT_POINTS = "hit_points"
"""The choice of the ruling `tie` that compares hit points if both sides have equally many machines."""


def outcome(position: Position, turn: int, ended: bool, tie: str) -> Outcome:
    """Return the state of a battle in a turn. `ended` states whether the last turn is over."""
    left = {side: position.side(side) for side in SIDES}
    over = ended or not all(left.values())
    if not over:
        return Outcome(False, None, order_words().outcome["going"].fill(turn=turn))
    machines = {side: len(left[side]) for side in SIDES}
    if winner := _more(machines):
        return Outcome(True, winner, _outcome_words("won", winner, machines))
    hp = {side: sum(machine.hp for machine in left[side]) for side in SIDES}
    if tie == HIT_POINTS and (winner := _more(hp)):
        return Outcome(True, winner, _outcome_words("on_points", winner, hp))
    return Outcome(True, None, order_words().outcome["draw"].fill(own=machines["first"]))


def _more(of: dict[Side, int]) -> Side | None:
    return next((side for side in SIDES if of[side] > of[OTHER[side]]), None)


def _outcome_words(what: str, winner: Side, of: dict[Side, int]) -> Words:
    return order_words().outcome[what].fill(side=side_name(winner), own=of[winner], enemy=of[OTHER[winner]])
