"""A symbol too small for its words and numbers is drawn without them, and without the plates that they stand on."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from generator.model.picture import Item, Symbol, Text, Use
from generator.press.text import floor

_BIT = 0.001


def legible(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """A picture's items: no symbol shows a text that would be smaller than its floor."""
    return tuple(_fit(item) if isinstance(item, Use) else item for item in items)


def _fit(use: Use) -> Use:
    least = (1 - _BIT) / use.scale
    dropped = sum(share < least for share in _shares(use.symbol))
    return Use(_without(use.symbol, dropped), use.x, use.y, use.scale, use.turn, use.data) if dropped else use


@lru_cache(256)  # the symbols of a print
def _shares(symbol: Symbol) -> tuple[float, ...]:
    """The sizes of all texts in a symbol, and in those that it uses, in shares of their floors, from the smallest."""
    return tuple(sorted(_all(symbol.items)))


def _all(items: tuple[Item, ...]) -> Iterator[float]:
    for item in items:
        if isinstance(item, Text):
            yield item.size / floor(item.text)
        elif isinstance(item, Use):
            yield from (share * item.scale for share in _shares(item.symbol))


@lru_cache(256)  # the symbols of a print
def _without(symbol: Symbol, dropped: int) -> Symbol:
    """The symbol without so many of its texts, those farthest below their floors, under a name of its own."""
    shares = _shares(symbol)
    least = shares[dropped] if dropped < len(shares) else float("inf")
    items: list[Item] = []
    for item in symbol.items:
        if isinstance(item, Use):
            inner = sum(share * item.scale < least for share in _shares(item.symbol))
            if inner and item.symbol.plate:
                continue
            if inner:
                item = Use(_without(item.symbol, inner), item.x, item.y, item.scale, item.turn)
        elif isinstance(item, Text) and item.size / floor(item.text) < least:
            continue
        items.append(item)
    return Symbol(f"{symbol.name}.less{dropped}", tuple(items), symbol.reach)
