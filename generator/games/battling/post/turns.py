"""The turns of a judged log, with the orders as they were executed."""

from __future__ import annotations

import msgspec

from generator.games.battling.model import Side
from generator.games.battling.notation import Answer, BattlingReply, Order, ShotReply
from generator.games.battling.play import Standing
from generator.grid.columns import Numbered


class Deed(msgspec.Struct, frozen=True):
    """An order as it was executed, and its result."""

    line: int
    side: Side
    unit: str
    order: Order
    path: tuple[Numbered, ...]
    """The hexes from the start to the destination, both included. A refused order has only these two."""
    aim: Numbered | None = None
    """The attacked hex. The line of a shot is `arena.sight(path[-1], aim)`."""
    target: str = ""
    """The machine in the attacked hex, or an empty string if the order attacks no machine."""
    last: str = ""
    """The letter of the target's last action before the attack."""
    reply: ShotReply | BattlingReply | None = None
    answer: Answer | None = None
    refused: str = ""
    """The reason why the order is not legal, or an empty string if it is legal."""


class Turn(msgspec.Struct, frozen=True):
    """A turn with its orders, and the machines at its start and end, the first player's machines first."""

    number: int
    before: tuple[Standing, ...]
    deeds: tuple[Deed, ...]
    after: tuple[Standing, ...]
