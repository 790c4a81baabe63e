"""A symbol that is too small for its texts is drawn without them, and without the plates that they stand on."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from generator.model.picture import Item, Symbol, Text, Use
from generator.press.text import LEAST

_BIT = 0.001


def legible(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """A picture's items: no symbol shows a text that would be smaller than LEAST."""
    return tuple(_fit(item) if isinstance(item, Use) else item for item in items)


def _fit(use: Use) -> Use:
    least = (LEAST - _BIT) / use.scale
    dropped = sum(size < least for size in _sizes(use.symbol))
    return Use(_without(use.symbol, dropped), use.x, use.y, use.scale, use.turn) if dropped else use


@lru_cache(256)  # the symbols of a print
def _sizes(symbol: Symbol) -> tuple[float, ...]:
    """The sizes of all texts in a symbol, and in those that it uses, from the smallest."""
    return tuple(sorted(_all(symbol.items)))


def _all(items: tuple[Item, ...]) -> Iterator[float]:
    for item in items:
        if isinstance(item, Text):
            yield item.size
        elif isinstance(item, Use):
            yield from (size * item.scale for size in _sizes(item.symbol))


@lru_cache(256)  # the symbols of a print
def _without(symbol: Symbol, dropped: int) -> Symbol:
    """The symbol without so many of its texts, the smallest ones, under a name of its own."""
    sizes = _sizes(symbol)
    least = sizes[dropped] if dropped < len(sizes) else float("inf")
    items: list[Item] = []
    for item in symbol.items:
        if isinstance(item, Use):
            inner = sum(size * item.scale < least for size in _sizes(item.symbol))
            if inner and item.symbol.plate:
                continue
            if inner:
                item = Use(_without(item.symbol, inner), item.x, item.y, item.scale, item.turn)
        elif isinstance(item, Text) and item.size < least:
            continue
        items.append(item)
    return Symbol(f"{symbol.name}.less{dropped}", tuple(items), symbol.reach)
