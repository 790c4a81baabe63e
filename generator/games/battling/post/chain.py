"""Roll dice by chains of secrets that no player can forge, and check sealed texts."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from itertools import islice, pairwise

from generator.games.battling.model import OTHER, Scenario, Side, side_name
from generator.games.battling.notation import ClashReply, Order, ShotReply, write_line
from generator.games.battling.play import Refusal
from generator.games.battling.post.entries import Opened, Vow
from generator.games.battling.post.pieces import Waiting
from generator.games.battling.tables import dice

LINKS = 200
"""Links of a chain that is made: more than a battle of two squads has attacks."""

_COMMENT = re.compile(r"[(\[【「『“\"#]|//")
"""How a comment begins."""
MAX_OPENED_WORDS = 60
"""Words of an opened text behind which a player may add talk."""

MISSED = 20
"""Wrong links that are remembered, from which a chain may continue."""


def digest(text: str) -> str:
    """Return the SHA-256 of a text as 64 digits with small letters."""
    return hashlib.sha256(text.encode()).hexdigest()


def forge(secret: str, links: int = LINKS) -> tuple[str, ...]:
    """Return the chain of a secret: the value to post before the battle, then its links in the order of their use.

    Each is the SHA-256 of the one that follows it; the last is that of the secret. docs/formats/order_log.md
    describes how to do it by hand.
    """
    chain = [digest(secret)]
    for _ in range(links):
        chain.append(digest(chain[-1]))
    return tuple(reversed(chain))


def spoken(order: Order) -> str:
    """Return an order as it enters a roll: without its AT, with a space on either side of each slash."""
    return write_line(Order(order.action, order.legs, order.to, order.target, order.turn))


def mixed(attacker: str, defender: str, order: Order) -> str:
    """Return the text of which a roll is the SHA-256."""
    return f"{attacker} {defender} {spoken(order)}"


def thrown(mixture: str) -> Iterator[int]:
    """Yield the dice of a mixture without end.

    Each digit of its SHA-256 from the left is a die: 0 to 5 and 6 to b are 1 to 6, c to f are passed over. Where they
    are used up, the SHA-256 of these digits goes on.
    """
    faces = len(dice().faces)
    usable = 16 // faces * faces
    while True:
        mixture = digest(mixture)
        yield from (int(digit, 16) % faces + 1 for digit in mixture if int(digit, 16) < usable)


def sealed(text: str) -> str:
    """Return the seal of a text: the SHA-256 of its words with single spaces between."""
    return digest(" ".join(text.split()))


class Oaths:
    """The chains and seals of both sides, and their checks."""

    def __init__(self, scenario: Scenario) -> None:
        self._scenario = scenario
        self._ends: dict[Side, tuple[str, ...]] = {}
        """The values to which the next link of a side may hash: after a fault, more than one."""
        self._missed: dict[Side, int] = {}
        """The number of wrong links of each side since a right one: as many may have been left out."""
        self._seals: dict[Side, set[str]] = {}
        self._begun = False

    @property
    def held(self) -> bool:
        """Return whether both sides roll with chains."""
        return len(self._ends) == len(OTHER)

    def used(self, side: Side) -> str:
        """Return the link that a side used last, or the end of its chain; empty without a chain."""
        return self._ends.get(side, ("",))[0]

    def vow(self, side: Side, vow: Vow) -> Refusal | None:
        """Take in a chain or seal of a side, and return its fault."""
        if vow.what == "seal":
            self._seals.setdefault(side, set()).add(vow.hash)
            return None
        if self._begun or side in self._ends:
            return Refusal("dice.late" if self._begun else "dice.twice", {"side": side_name(side)})
        self._ends[side] = (vow.hash,)
        return None

    def begin(self) -> Refusal | None:
        """Take in that the first order is given, and return the fault of a chain that only one side has."""
        if self._begun:
            return None
        self._begun = True
        alone = next(iter(self._ends), None)
        if alone is None or self.held:
            return None
        self._ends.clear()
        return Refusal("dice.alone", {"side": side_name(OTHER[alone])})

    def opened(self, side: Side, of: Opened) -> Refusal | None:
        """Return the fault of an opened text; None if its side has sealed no text."""
        if not self._seals.get(side):
            return None
        text = next((text for text in _openings(of.text) if sealed(text) in self._seals[side]), None)
        if text is None:
            return Refusal("seal.other", {"side": side_name(side)})
        field, words = self._scenario.arena.field, text.replace(",", " ").replace(";", " ").split()
        at = {machine.id: field.name(machine.cell) for machine in self._scenario.squads[side].machines}
        for unit, cell in pairwise(words):
            if unit in at and field.find(cell) and at[unit] != cell:
                return Refusal("seal.place", {"unit": unit, "hex": cell, "right": at[unit]})
        return None

    def posted(self, side: Side, link: str) -> Refusal | None:
        """Take in the next link of a side, and return its fault."""
        ends, missed, hashed = self._ends[side], self._missed.get(side, 0), link
        for _ in range(min(missed, MISSED) + 1 if link else 0):
            hashed = digest(hashed)
            if hashed in ends:
                self._ends[side], self._missed[side] = (link,), 0
                return None
        # Either it was mistyped, and the next one shows it, or the chain goes on from it.
        self._missed[side] = missed + 1
        self._ends[side] = (*ends[:1], link, *ends[1:])[:MISSED]
        return Refusal("dice.link" if link else "dice.none", {"side": side_name(side)})

    def rolled(self, of: Waiting, reply: ShotReply | ClashReply, link: str) -> Refusal | None:
        """Return the fault of the dice of a reply to an attack that was posted with a link."""
        if not of.link or of.order is None:
            return None
        wanted = [reply.die, *([reply.damage] if isinstance(reply, ShotReply) and reply.damage is not None else [])]
        made = list(islice(thrown(mixed(of.link, link, of.order)), len(wanted)))
        if made == wanted:
            return None
        return Refusal("dice.roll", {"right": _faces(made), "wrong": _faces(wanted)})


def _openings(text: str) -> Iterator[str]:
    """Yield the texts that a line may open: the whole line, or a part of it before talk."""
    words = text.split()
    yield " ".join(words)
    for end in range(min(len(words), MAX_OPENED_WORDS), 0, -1):
        yield " ".join(words[:end])
        # A comment or a full stop may stand close behind the last word.
        if bare := _COMMENT.split(words[end - 1])[0].rstrip(".。、,!"):
            yield " ".join((*words[: end - 1], bare))


def _faces(of: list[int]) -> str:
    return ", ".join(map(str, of))
