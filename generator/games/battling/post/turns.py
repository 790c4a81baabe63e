"""Define the turns of a judged log: the orders as they were carried out."""

from __future__ import annotations

import msgspec

from generator.games.battling.model import Side
from generator.games.battling.notation import Answer, ClashReply, Order, ShotReply
from generator.games.battling.play import Standing
from generator.grid.columns import Numbered


class Deed(msgspec.Struct, frozen=True):
    """An order as it was carried out, and its result."""

    line: int
    side: Side
    unit: str
    order: Order
    path: tuple[Numbered, ...]
    """The hexes from start to destination, both included; for a refused order, only these two."""
    aim: Numbered | None = None
    """The hex that it attacks; a shot's line is `arena.sight(path[-1], aim)`."""
    target: str = ""
    """The machine there; empty if the order attacks no machine."""
    last: str = ""
    """The letter of the target's last action before the attack."""
    reply: ShotReply | ClashReply | None = None
    answer: Answer | None = None
    refused: str = ""
    """The reason why it is not legal; empty if it is legal."""


class Turn(msgspec.Struct, frozen=True):
    """One turn: its orders, and the machines at its start and end, the first player's first."""

    number: int
    before: tuple[Standing, ...]
    deeds: tuple[Deed, ...]
    after: tuple[Standing, ...]
