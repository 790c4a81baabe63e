"""Generate battles with dice from hash chains. The player of the test computes the chains with hashlib alone."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace

from generator.games.battling.model import SIDES, Scenario, Side
from generator.games.battling.notation import BattlingReply, Order, ShotReply, write_line
from generator.games.battling.play import Standing, opening
from generator.games.battling.post import random_game
from generator.games.battling.post.log import print_log
from generator.seeds import Rng
from tests.games.battling.threads import Event, events


def sha(text: str) -> str:
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def chain(secret: str, links: int) -> list[str]:
    """Return the end of a hash chain, followed by its links in the order of use."""
    found = [sha(secret)]
    while len(found) <= links:
        found.append(sha(found[-1]))
    return found[::-1]


def dice(attacker: str, defender: str, order: str) -> list[int]:
    """Return the dice of a roll according to the table in the documentation."""
    digits = sha(f"{attacker} {defender} {order}")
    table = ("06", "17", "28", "39", "4a", "5b")
    return [face for digit in digits for face, signs in enumerate(table, 1) if digit in signs]


class _Thrown:
    """A random stream with dice that are set in advance."""

    def __init__(self, stream: Rng) -> None:
        self.stream = stream
        self.next: list[int] = []

    def die(self, faces: int) -> int:
        return self.next.pop(0)

    def __getattr__(self, name: str) -> object:
        return getattr(self.stream, name)


class Battle(random_game._Battle):
    """A battle between random players with dice from two hash chains."""

    def __init__(self, scenario: Scenario, seed: str) -> None:
        self.thrown = _Thrown(Rng(seed, "v1/test/chains"))
        super().__init__(opening(scenario), self.thrown)  # type: ignore[arg-type]
        self.chains = {side: chain(f"{seed} {side}", 120) for side in SIDES}
        self.ends = {side: links[0] for side, links in self.chains.items()}
        self.left = {side: links[1:] for side, links in self.chains.items()}
        self.given: dict[str, tuple[str, str]] = {}
        self.posted: list[str] = []
        """Links of attacks and replies, in the order of the log."""

    def _choice(self, machine: Standing) -> Order:
        order = super()._choice(machine)
        if order.target:
            link = self.left[machine.side].pop(0)
            self.given[machine.id] = (link, write_line(order))
            self.posted.append(link)
        return order

    def _roll(self, attacker: str, target: str) -> None:
        link, order = self.given[attacker]
        reply_link = self.left[self.position.machines[target].side].pop(0)
        self.posted.append(reply_link)
        self.thrown.next = dice(link, reply_link, order)

    def _shot(self, attacker: str, target: str) -> ShotReply:
        self._roll(attacker, target)
        return super()._shot(attacker, target)

    def _battling(self, attacker: str, target: str) -> BattlingReply:
        self._roll(attacker, target)
        return super()._battling(attacker, target)


def chained(scenario: Scenario, seed: str) -> tuple[list[Event], dict[Side, str]]:
    """Return the events of a battle with chains, and the published end of each side's chain.

    Each attack and reply has its link.
    """
    battle = Battle(scenario, seed)
    log = print_log(list(random_game._log_items(battle, scenario.turns)))
    links = iter(battle.posted)
    found = []
    for event in events(scenario, log):
        throws = event.kind == "reply" or (event.kind == "order" and event.text[0] in "FB")
        found.append(replace(event, link=next(links)) if throws else event)
    return found, battle.ends


def chain_posts(ends: dict[Side, str], names: Sequence[str] = ("chain: {}", "チェーン：{}")) -> list[str]:
    """Return the posts in which both sides publish their chains."""
    heads = {"first": "1T先攻", "second": "1T後攻"}
    return [f"{heads[side]}\n{form.format(ends[side])}\n" for side, form in zip(SIDES, names, strict=True)]
