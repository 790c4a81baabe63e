"""Roll dice by hash chains, which players cannot manipulate, and check sealed texts."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from itertools import islice, pairwise

from generator.games.battling.model import OTHER, Scenario, Side, side_name
from generator.games.battling.notation import BattlingReply, Order, ShotReply, write_line
from generator.games.battling.play import Refusal
from generator.games.battling.post.entries import Opened, Vow
from generator.games.battling.post.pieces import Waiting
from generator.games.battling.tables import dice

LINKS = 200
"""The number of links of a new chain, which is more than the number of attacks in a battle of two squads."""

_COMMENT = re.compile(r"[(\[【「『“\"#]|//")
"""The beginning of a comment."""
MAX_OPENED_WORDS = 60
"""The maximum number of words of an opened text after which a player may add talk."""

MISSED = 20
"""The maximum number of wrong links that are stored so that a chain can continue from them."""


def digest(text: str) -> str:
    """Return the SHA-256 of a text as 64 hexadecimal digits in lower case."""
    return hashlib.sha256(text.encode()).hexdigest()


def forge(secret: str, links: int = LINKS) -> tuple[str, ...]:
    """Return the chain of a secret.

    The first value is posted before the battle, and the others are the links in the order of their use. Each value
    is the SHA-256 of the next one, and the last value is the SHA-256 of the secret. docs/formats/order_log.md
    describes how to compute a chain by hand.
    """
    chain = [digest(secret)]
    for _ in range(links):
        chain.append(digest(chain[-1]))
    return tuple(reversed(chain))


def spoken(order: Order) -> str:
    """Return an order in the form that is hashed, without its AT and with a space on either side of each slash."""
    return write_line(Order(order.action, order.legs, order.to, order.target, order.turn))


def mixed(attacker: str, defender: str, order: Order) -> str:
    """Return the text whose SHA-256 determines a roll."""
    return f"{attacker} {defender} {spoken(order)}"


def thrown(mixture: str) -> Iterator[int]:
    """Yield the dice that a text determines, without end.

    Each digit of the text's SHA-256, from the left, is a die. 0 to 5 and 6 to b mean 1 to 6, and c to f are
    skipped. After the last digit, the SHA-256 of this SHA-256 provides further digits.
    """
    faces = len(dice().faces)
    usable = 16 // faces * faces
    while True:
        mixture = digest(mixture)
        yield from (int(digit, 16) % faces + 1 for digit in mixture if int(digit, 16) < usable)


def sealed(text: str) -> str:
    """Return the seal of a text, which is the SHA-256 of its words separated by single spaces."""
    return digest(" ".join(text.split()))


class Oaths:
    """The chains and seals of both sides, and the checks of them."""

    def __init__(self, scenario: Scenario) -> None:
        self._scenario = scenario
        self._ends: dict[Side, tuple[str, ...]] = {}
        """The possible hashes of the next link of each side. After a fault, there may be more than one."""
        self._missed: dict[Side, int] = {}
        """The number of wrong links of each side since the last correct one. Up to this number of links may have been
        omitted.
        """
        self._seals: dict[Side, set[str]] = {}
        self._begun = False

    @property
    def held(self) -> bool:
        """Return whether both sides roll dice by chains."""
        return len(self._ends) == len(OTHER)

    def used(self, side: Side) -> str:
        """Return the link that a side used last, or the first value of its chain. Without a chain, return ""."""
        return self._ends.get(side, ("",))[0]

    def vow(self, side: Side, vow: Vow) -> Refusal | None:
        """Record a chain or seal of a side, and return its fault."""
        if vow.what == "seal":
            self._seals.setdefault(side, set()).add(vow.hash)
            return None
        if self._begun or side in self._ends:
            return Refusal("dice.late" if self._begun else "dice.twice", {"side": side_name(side)})
        self._ends[side] = (vow.hash,)
        return None

    def begin(self) -> Refusal | None:
        """Record that the first order has been given, and return a fault if only one side has a chain."""
        if self._begun:
            return None
        self._begun = True
        alone = next(iter(self._ends), None)
        if alone is None or self.held:
            return None
        self._ends.clear()
        return Refusal("dice.alone", {"side": side_name(OTHER[alone])})

    def opened(self, side: Side, of: Opened) -> Refusal | None:
        """Return the fault of an opened text, or None if it is correct or its side has sealed no text."""
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
        """Record the next link of a side, and return its fault."""
        ends, missed, hashed = self._ends[side], self._missed.get(side, 0), link
        for _ in range(min(missed, MISSED) + 1 if link else 0):
            hashed = digest(hashed)
            if hashed in ends:
                self._ends[side], self._missed[side] = (link,), 0
                return None
        # Either the link was mistyped, which the next link shows, or the chain continues from it.
        self._missed[side] = missed + 1
        self._ends[side] = (*ends[:1], link, *ends[1:])[:MISSED]
        return Refusal("dice.link" if link else "dice.none", {"side": side_name(side)})

    def rolled(self, of: Waiting, reply: ShotReply | BattlingReply, link: str) -> Refusal | None:
        """Return the fault of the dice of a reply to an attack that was posted with a link."""
        if not of.link or of.order is None:
            return None
        wanted = [reply.die, *([reply.damage] if isinstance(reply, ShotReply) and reply.damage is not None else [])]
        made = list(islice(thrown(mixed(of.link, link, of.order)), len(wanted)))
        if made == wanted:
            return None
        return Refusal("dice.roll", {"right": _faces(made), "wrong": _faces(wanted)})


def _openings(text: str) -> Iterator[str]:
    """Yield the texts that a line may open, namely the whole line or a beginning of it that talk follows."""
    words = text.split()
    yield " ".join(words)
    for end in range(min(len(words), MAX_OPENED_WORDS), 0, -1):
        yield " ".join(words[:end])
        # A comment or a full stop may directly follow the last word.
        if bare := _COMMENT.split(words[end - 1])[0].rstrip(".。、,!"):
            yield " ".join((*words[: end - 1], bare))


def _faces(of: list[int]) -> str:
    return ", ".join(map(str, of))
