"""The types of items that are read from the lines of a log."""

from __future__ import annotations

from typing import Literal

import msgspec

from generator.games.battling.model import Letter
from generator.games.battling.notation import Header, Order, Reply

Confidence = Literal["sure", "likely"]
"""How certain the reading of a line is. `sure` means that the line has a form described in docs/formats/order_log.md.
`likely` means that the reading is inferred, and that the judge also tries other readings.
"""


Announcement = Literal["called", "admitted", "hinted", ""]
"""How a post announces a correction: it is called a correction, it admits a mistake, or it only apologizes. The empty
string means that there is no announcement. Unless a line is called a correction, it is treated as an ordinary line
if there is no earlier line that it could correct.
"""


class Misspelt(msgspec.Struct, frozen=True):
    """A header with a typo, or within a line and next to talk, and the header that was probably meant."""

    text: str
    header: Header
    is_within: bool = False
    """Whether the header has no typo but is within a line."""


class Doubtful(msgspec.Struct, frozen=True):
    """A passage that is treated as talk although it looks like notation."""

    item: Order | Reply | None = None
    """The order or reply that the passage may be, or None if it cannot be one. The judge allows for it."""


class WithoutOrder(msgspec.Struct, frozen=True):
    """A line that mentions ATs of its writer which have no order in the whole post.

    The judge lists the line if one of these ATs can still act.
    """

    units: tuple[str, ...]


class Unread(msgspec.Struct, frozen=True):
    """A passage that was meant as notation but cannot be understood."""

    text: str
    action: Letter | None = None
    """The action of an order that cannot be understood."""
    unit: str = ""
    """The AT that such an order states."""
    hex: str = ""
    """The hex of a reply that cannot be understood."""
    is_reply: bool = False
    is_conditional: bool = False
    """Whether the passage can be read, but its orders depend on a condition."""


class Correction(msgspec.Struct, frozen=True):
    """An order or reply that corrects an earlier one, which may be in the same line."""

    item: Order | Reply
    old: Order | Reply | None = None
    announced: Announcement = "called"


class AnswerInWords(msgspec.Struct, frozen=True):
    """The attacker's remaining hit points after the result A or EX, stated in words, such as `EX, so HP3 left`."""

    text: str
    hp: int
    hex: str = ""
    """The hex of the attacker, if the sentence names one."""


class Vow(msgspec.Struct, frozen=True):
    """A commitment of a side, which is the first value of its hash chain or the hash of a sealed text."""

    what: Literal["chain", "seal"]
    hash: str


class Opened(msgspec.Struct, frozen=True):
    """A sealed text that has been opened, with single spaces between words."""

    text: str


Item = (
    Header | Misspelt | Order | Reply | AnswerInWords | Unread | Doubtful | WithoutOrder | Correction | Vow | Opened
)


class Entry(msgspec.Struct, frozen=True):
    """An item of a log and the number of its line, counted from 1.

    For an order on several lines, it is the first line.
    """

    line: int
    item: Item
    link: str = ""
    """The link of the writer's chain that is posted with an order or reply."""
    instead: int = 0
    """The line that the item corrects."""
    amiss: str = ""
    """The reason, as a key of orders.toml, why a correction corrects no entry."""
    confidence: Confidence = "sure"
    repeats: bool = False
    """Whether an order repeats one that the other side has just given and may therefore be a quotation."""
    for_all: bool = False
    """Whether an order is for every AT of its side, including destroyed ones."""


def without_unit(item: Order | Reply) -> Order | Reply:
    """Return an order without the AT that it is for. A reply is returned unchanged."""
    return msgspec.structs.replace(item, unit="", start="", among=()) if isinstance(item, Order) else item
