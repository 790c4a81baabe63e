"""What a judged log tells of a battle, turn by turn: what the replay's pictures are made from."""

from __future__ import annotations

import msgspec

from generator.games.battling.play.orders import Answer, ClashReply, Order, ShotReply, side_name, words
from generator.games.battling.play.position import Position, Standing
from generator.games.battling.scenario import OTHER, SIDES, Side
from generator.grid.columns import Numbered
from generator.model.words import Words


class Deed(msgspec.Struct, frozen=True):
    """An order as it was carried out, and what came of it."""

    line: int
    side: Side
    unit: str
    order: Order
    path: tuple[Numbered, ...]
    """The hexes from where it stood to where it went, both among them; of a refused order only those two."""
    aim: Numbered | None = None
    """The hex that it attacks; a shot's line is `arena.sight(path[-1], aim)`."""
    target: str = ""
    """The machine there; empty where it attacks nobody."""
    reply: ShotReply | ClashReply | None = None
    answer: Answer | None = None
    refused: str = ""
    """The reason why it is not legal; empty where it is."""


class Turn(msgspec.Struct, frozen=True):
    """One turn: the machines at its start and end, the first player's first, and what they did."""

    number: int
    before: tuple[Standing, ...]
    deeds: tuple[Deed, ...]
    after: tuple[Standing, ...]


class Outcome(msgspec.Struct, frozen=True):
    """How a battle stands."""

    over: bool
    winner: Side | None
    text: Words


HIT_POINTS = "hit_points"
"""The choice of the ruling `tie` by which hit points decide between equal numbers of machines."""


def outcome(position: Position, turn: int, ended: bool, tie: str) -> Outcome:
    """How it stands in a turn; `ended` when its last one is over."""
    left = {side: position.side(side) for side in SIDES}
    over = ended or not all(left.values())
    if not over:
        return Outcome(False, None, words().outcome["going"].fill(turn=turn))
    machines = {side: len(left[side]) for side in SIDES}
    if winner := _more(machines):
        return Outcome(True, winner, _told("won", winner, machines))
    hp = {side: sum(machine.hp for machine in left[side]) for side in SIDES}
    if tie == HIT_POINTS and (winner := _more(hp)):
        return Outcome(True, winner, _told("on_points", winner, hp))
    return Outcome(True, None, words().outcome["draw"].fill(own=machines["first"]))


def _more(of: dict[Side, int]) -> Side | None:
    return next((side for side in SIDES if of[side] > of[OTHER[side]]), None)


def _told(what: str, winner: Side, of: dict[Side, int]) -> Words:
    return words().outcome[what].fill(side=side_name(winner), own=of[winner], enemy=of[OTHER[winner]])
