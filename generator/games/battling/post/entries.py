"""Define what the lines of a log are read as."""

from __future__ import annotations

from typing import Literal

import msgspec

from generator.games.battling.model import Letter
from generator.games.battling.notation import Header, Order, Reply

Confidence = Literal["sure", "likely"]
"""`sure`: written as docs/formats/order_log.md describes; `likely`: inferred, and the judge tries other readings."""


Announcement = Literal["called", "admitted", "hinted", ""]
"""How a post announces a correction: it calls it so, it admits a mistake, it only apologizes, or not at all.

A line that is not called a correction is an ordinary one if there is nothing that it can correct.
"""


class Misspelt(msgspec.Struct, frozen=True):
    """A header with a typo, and the header that was meant."""

    text: str
    header: Header


class Doubtful(msgspec.Struct, frozen=True):
    """A passage that is treated as talk although it looks like notation."""

    item: Order | Reply | None = None
    """The order or reply that it may be; the judge then allows for it. None: nothing that could be carried out."""


class Unread(msgspec.Struct, frozen=True):
    """A passage that was meant as notation and cannot be understood."""

    text: str
    action: Letter | None = None
    """The action of an order that cannot be understood."""
    unit: str = ""
    """The AT that such an order names."""
    hex: str = ""
    """The hex of a reply that cannot be understood."""
    is_reply: bool = False


class Correction(msgspec.Struct, frozen=True):
    """An order or reply that corrects an earlier one, which may stand next to it."""

    item: Order | Reply
    old: Order | Reply | None = None
    announced: Announcement = "called"


class Vow(msgspec.Struct, frozen=True):
    """A commitment of a side: the end of its chain of secrets, or the hash of a sealed text."""

    what: Literal["chain", "seal"]
    hash: str


class Opened(msgspec.Struct, frozen=True):
    """A sealed text as it is opened, with single spaces."""

    text: str


Item = Header | Misspelt | Order | Reply | Unread | Doubtful | Correction | Vow | Opened


class Entry(msgspec.Struct, frozen=True):
    """One item of a log with its line, from 1; an order on several lines counts where it begins."""

    line: int
    item: Item
    link: str = ""
    """The link of the writer's chain that is posted with an order or reply."""
    instead: int = 0
    """The line that it corrects."""
    amiss: str = ""
    """The reason (orders.toml) why a correction corrects nothing."""
    confidence: Confidence = "sure"
    repeats: bool = False
    """Whether an order repeats one that the other side has just given, so that it may be a quotation."""
    for_all: bool = False
    """Whether an order is for every AT of its side, the destroyed among them."""


def without_unit(item: Order | Reply) -> Order | Reply:
    """Return an order without the AT that it is for; a reply as it is."""
    return msgspec.structs.replace(item, unit="", start="", among=()) if isinstance(item, Order) else item
