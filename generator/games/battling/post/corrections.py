"""Find the corrections in a log, and apply them to the lines that they correct."""

from __future__ import annotations

import string
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from generator.games.battling.model import Side
from generator.games.battling.notation import Answer, BattlingReply, Header, Order, Reply, ShotReply
from generator.games.battling.post.cores import cores, groups
from generator.games.battling.post.entries import (
    Announcement,
    Correction,
    Doubtful,
    Entry,
    Item,
    Misspelt,
    Unread,
    without_unit,
)
from generator.games.battling.post.grammar import Statement
from generator.games.battling.post.phrases import (
    NEW_BEHIND,
    NEW_FIRST,
    OLD_BEFORE,
    OLD_FIRST,
    REPLACES,
    SELF_CORRECTION,
    announces_correction,
)
from generator.games.battling.post.tokens import tokenize

MAX_DISTANCE = 200
"""The maximum number of entries back to a corrected entry, which is enough for several turns of two full squads."""


def as_corrections(statements: Sequence[Statement], text: str, announced: Announcement) -> Iterator[Statement]:
    """Yield the statements of a line.

    Orders and replies become corrections if this or the preceding line announces one.

    `announced` is the announcement in the preceding line.
    """
    announced = announced or announces_correction(text)
    if len(statements) == 2 and (pair := _replacement(statements[0], statements[1], text)):
        yield pair
        return
    for statement in statements:
        if announced and isinstance(statement.item, Order | Reply):
            yield statement._replace(item=Correction(statement.item, announced=announced))
        else:
            yield statement


def _replacement(first: Statement, second: Statement, text: str) -> Statement | None:
    """Return the correction of one item of a line by the other item.

    The words between the two items must state which item is the new one. Otherwise, return None.
    """
    one, other = first.item, second.item
    if not (isinstance(one, Order | Reply) and isinstance(other, Order | Reply)) or type(one) is not type(other):
        return None
    around = _around(text)
    if around is None:
        return None
    between, after = around
    if between.strip() in ("は", "を") and OLD_BEFORE.match(after):
        between = "→"
    if SELF_CORRECTION.fullmatch(between):
        between = "→"
    elif not (announces_correction(text) or REPLACES.search(between)):
        return None
    new_first = bool(NEW_FIRST.search(between)) and not NEW_BEHIND.search(between)
    if not (new_first or OLD_FIRST.search(between) or announces_correction(between)):
        return None
    statement, item, former = (first, one, other) if new_first else (second, other, one)
    if isinstance(item, Order) and isinstance(former, Order):
        if item.unit and former.unit and item.unit != former.unit:
            return None
        item = _named(item, former)
    return statement._replace(item=Correction(item, former))


def _around(text: str) -> tuple[str, str] | None:
    """Return the texts between and after the two orders or replies of a line, or None if there are not two."""
    tokens = tokenize(text)
    found = [core for core in cores(tokens, groups(tokens)) if core.item]
    if len(found) != 2:
        return None
    first, second = found
    return text[tokens[first.end - 1].end : tokens[second.first].start], text[tokens[second.end - 1].end :]


def corrected(entries: Iterable[Entry]) -> list[Entry]:
    """Return the entries with each correction in the place of the entry that it corrects.

    A correction that corrects no entry keeps its place. Its entry has the reason, unless the line only sounded
    like a correction.
    """
    found: list[Entry] = []
    sides: list[Side | None] = []
    side: Side | None = None
    for entry in entries:
        item = entry.item
        if isinstance(item, Header | Misspelt):
            side = (item if isinstance(item, Header) else item.header).side or side
        if isinstance(item, Correction):
            at, amiss = _mistake(found, sides, side, item)
            if at is not None:
                old = found[at]
                found[at] = msgspec.structs.replace(
                    entry,
                    item=_named(item.item, old.item),
                    link=entry.link or old.link,
                    instead=old.instead or old.line,
                )
                continue
            # Without a preceding line to correct, a line with both versions or with its AT states the new version.
            states_at = isinstance(item.item, Order) and bool(item.item.unit or item.item.start)
            states_all = item.old is not None or states_at
            plain = item.announced != "called" or (states_all and amiss == "correction.none")
            entry = msgspec.structs.replace(entry, item=item.item, amiss="" if plain else amiss)
        found.append(entry)
        sides.append(side)
    return found


def _named(new: Order | Reply, old: Item) -> Order | Reply:
    """Return a correction. If it states no AT, it gets the AT of the order that it corrects."""
    if isinstance(new, Order) and isinstance(old, Order) and not (new.unit or new.start or new.among):
        return msgspec.structs.replace(new, unit=old.unit, start=old.start, among=old.among)
    return new


def _mistake(
    found: Sequence[Entry], sides: Sequence[Side | None], side: Side | None, of: Correction
) -> tuple[int | None, str]:
    """Return the index of the corrected entry, or None and the reason why there is no such entry."""
    amiss = "correction.none"
    latest = range(len(found) - 1, max(-1, len(found) - 1 - MAX_DISTANCE), -1)
    written = [at for at in latest if sides[at] == side]
    # If the correction states no AT and no earlier order is similar, the latest order is meant.
    loose = (
        of.announced != "hinted"
        and of.old is None
        and isinstance(of.item, Order)
        and not (of.item.unit or of.item.start)
    )
    if of.announced != "called":
        written = _same_post(found, sides, side, written)
        if isinstance(of.item, Reply) and not _has_spare_reply(found, sides, side, of.item.hex):
            return None, ""
    last = [at for at in written if isinstance(found[at].item, Order)][:1] if loose else []
    for at in [at for at in written if _is_meant(found[at].item, of)] or last:
        if not isinstance(of.item, Order):
            return at, ""
        after = range(at + 1, len(found))
        if found[at].link or any(sides[i] != side and _is_reaction(found[i].item, found[at].item) for i in after):
            amiss = "correction.late"
            break
        return at, ""
    return None, amiss


def _same_post(
    found: Sequence[Entry], sides: Sequence[Side | None], side: Side | None, written: Sequence[int]
) -> list[int]:
    """Return the entries of a side after the other side's latest order or reply."""
    since = next((at for at in range(len(found) - 1, -1, -1) if sides[at] != side and _is_play(found[at].item)), -1)
    return [at for at in written if at > since]


def _is_play(item: Item) -> bool:
    return isinstance(item, Order | Reply)


def _has_spare_reply(found: Sequence[Entry], sides: Sequence[Side | None], side: Side | None, target: str) -> bool:
    """Return whether each attack on a hex in the last phase has a reply, so that another reply is a correction."""
    latest = range(len(found) - 1, max(-1, len(found) - 1 - MAX_DISTANCE), -1)
    replies = attacks = 0
    for at in latest:
        item = found[at].item
        if isinstance(item, Reply) and sides[at] == side and item.hex == target and not attacks:
            replies += 1
        elif isinstance(item, Order) and sides[at] != side:
            attacks += item.target == target
        elif isinstance(item, Order) and attacks:
            break
    return replies >= max(1, attacks)


def _is_meant(item: Item, of: Correction) -> bool:
    """Return whether a correction may refer to an item."""
    new = of.item
    if isinstance(item, Unread):
        if of.old is not None or item.is_reply != (not isinstance(new, Order)):
            return False
        if isinstance(new, Order) and item.unit and new.unit and item.unit.lstrip("FS") != _number(new):
            return False
        return (
            item.action is None or not isinstance(new, Order) or item.action == new.action or of.announced != "called"
        )
    if isinstance(item, Doubtful):
        return False
    if of.old is not None:
        return item == of.old or (isinstance(item, Order) and without_unit(item) == without_unit(of.old))
    if isinstance(new, Order):
        return isinstance(item, Order) and _is_order_meant(item, new, (of.announced == "called"))
    if isinstance(item, Answer) != isinstance(new, Answer) or not isinstance(item, Reply):
        return False
    return item.hex == new.hex and ((of.announced == "called") or item != new)


def _is_order_meant(item: Order, new: Order, is_called: bool) -> bool:
    """Return whether an order may be corrected by another one.

    Both orders must be for the same AT, or have the same action if the correction states no AT.
    """
    same_at = (_number(item), item.start, item.among) == (_number(new), new.start, new.among)
    if not is_called:
        return same_at and bool(new.unit or new.start or new.among or item.action == new.action) and item != new
    if not (new.unit or new.start or new.among):
        return item.action == new.action
    # The correction may only add the missing name of the AT.
    nameless = not (item.unit or item.start or item.among)
    return same_at or (nameless and item.action == new.action)


def _number(order: Order) -> str:
    """Return the number of the AT that an order states, without the letter of its side."""
    return order.unit.lstrip(string.ascii_uppercase)


def _is_reaction(item: Item, order: Item) -> bool:
    """Return whether an item of the other side replies to an order or is an order."""
    return isinstance(item, Order) or (
        isinstance(item, ShotReply | BattlingReply) and isinstance(order, Order) and item.hex == order.target
    )
