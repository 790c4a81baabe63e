"""Decide which ATs of a post get an order for all ATs, such as `the rest: D`."""

from __future__ import annotations

from collections.abc import Sequence

from generator.games.battling.notation import Order, Reply, write_line
from generator.games.battling.post.entries import Entry, Unread, without_unit


def without_exceptions(post: Sequence[Entry]) -> list[Entry]:
    """Return the entries of a post without orders for all ATs that do not apply to an AT.

    An AT whose own order follows is an exception, as in `the rest: D. #3: F / 0905`. If each AT has its own order
    before the order for all, the latter is a passage to ask about.
    """
    every: dict[int, set[str]] = {}
    latest: dict[str, int] = {}
    for at, entry in enumerate(post):
        if isinstance(entry.item, Order):
            number = number_of(entry.item)
            if entry.for_all:
                every.setdefault(entry.line, set()).add(number)
            else:
                latest[number] = at
    found: list[Entry] = []
    given: dict[str, set[Order | Reply]] = {}
    doubted: set[int] = set()
    for at, entry in enumerate(post):
        item, number = entry.item, number_of(entry.item)
        if not isinstance(item, Order) or not entry.for_all:
            found.append(entry)
            if isinstance(item, Order):
                given.setdefault(number, set()).add(without_unit(item))
        elif every[entry.line] <= given.keys() and without_unit(item) not in given[number]:
            if entry.line not in doubted:
                found.append(Entry(entry.line, Unread(write_line(without_unit(item)), item.action)))
            doubted.add(entry.line)
        elif latest.get(number, -1) < at:
            found.append(entry)
    return found


def number_of(item: object) -> str:
    """Return the number of the AT that an order states."""
    return item.unit.lstrip("FS") if isinstance(item, Order) else ""
