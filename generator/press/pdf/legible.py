"""Enforce minimum type sizes by removing texts from symbols that are drawn too small."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache

from generator.model.picture import Item, Symbol, Text, Use

FLOOR = 7.0
"""Minimum type size of words, in points."""
NUMBER_FLOOR = 5.0
"""Minimum type size of coordinates, unit numbers and numerals in drawings, in points (docs/decisions.md)."""
_WORDS = re.compile(
    r"[^\W\d_]{3}|[\u3041-\u3096\u30a1-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\U00020000-\U0003ffff]{2}"
)
"""Matches words, that is, three Latin or two Japanese letters in a row. A shorter text is a coordinate or a sign."""
_TYPE_NUMBER = re.compile(r"(?=.*[0-9-])[A-Z0-9-]+")
"""Matches type numbers, such as `ATM-09-ST`, and their parts, such as `-ST`."""


def floor(text: str) -> float:
    """Return the minimum type size of a text in points, which is FLOOR for words and NUMBER_FLOOR otherwise."""
    return FLOOR if _WORDS.search(text) and not _TYPE_NUMBER.fullmatch(text) else NUMBER_FLOOR


_BIT = 0.001
"""Relative tolerance that prevents texts of exactly the minimum size from being removed by rounding errors."""


def legible(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """Return a picture's items, with texts below their minimum size removed from symbols."""
    return tuple(_legible_use(item) if isinstance(item, Use) else item for item in items)


def _legible_use(use: Use) -> Use:
    min_share = (1 - _BIT) / use.scale
    dropped = bisect_left(_text_shares(use.symbol), min_share)
    return (
        Use(_without_smallest(use.symbol, dropped), use.x, use.y, use.scale, use.turn, use.data) if dropped else use
    )


@lru_cache(256)  # Enough for the symbols of a print.
def _text_shares(symbol: Symbol) -> tuple[float, ...]:
    """Return the ratios of type size to minimum type size for all texts in a symbol, in ascending order."""
    return tuple(sorted(_all_shares(symbol.items)))


def _all_shares(items: tuple[Item, ...]) -> Iterator[float]:
    for item in items:
        if isinstance(item, Text):
            yield item.size / floor(item.text)
        elif isinstance(item, Use):
            yield from (share * item.scale for share in _text_shares(item.symbol))


@lru_cache(256)  # Enough for the symbols of a print.
def _without_smallest(symbol: Symbol, dropped: int) -> Symbol:
    """Return a symbol under a new name, without the `dropped` texts that are farthest below their minimum size."""
    shares = _text_shares(symbol)
    min_share = shares[dropped] if dropped < len(shares) else float("inf")
    items: list[Item] = []
    for item in symbol.items:
        if isinstance(item, Use):
            inner = sum(share * item.scale < min_share for share in _text_shares(item.symbol))
            if inner and item.symbol.plate:
                continue
            if inner:
                item = Use(_without_smallest(item.symbol, inner), item.x, item.y, item.scale, item.turn)
        elif isinstance(item, Text) and item.size / floor(item.text) < min_share:
            continue
        items.append(item)
    return Symbol(f"{symbol.name}.less{dropped}", tuple(items), symbol.reach)
