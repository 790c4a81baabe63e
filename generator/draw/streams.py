"""Random streams with an address: the same code and path give the same numbers everywhere, for ever.

Each stream is its own generator, BLAKE2b over a counter, so a new draw shifts no old one, and no other
library's shuffle can change under us. Golden vectors in the tests freeze it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import TypeVar

T = TypeVar("T")

_WORD = 8
_SPAN = 1 << (8 * _WORD)


class Stream:
    """The random numbers of one draw; `path` names it, such as `v1/<game>/pennant/shuffle`."""

    def __init__(self, code: str, path: str) -> None:
        self.path = path
        self._words = _words(blake2b(path.encode(), key=code.encode()).digest())

    def below(self, n: int) -> int:
        """A number from 0 to n - 1, each as likely as the other; ValueError where there is none."""
        if not 0 < n <= _SPAN:
            raise ValueError(f"no number below {n}")
        fair = _SPAN - _SPAN % n
        return next(word for word in self._words if word < fair) % n

    def choice(self, items: Sequence[T]) -> T:
        """One of the items."""
        return items[self.below(len(items))]

    def shuffle(self, items: Sequence[T]) -> list[T]:
        """The items in a random order."""
        return self.sample(items, len(items))

    def sample(self, items: Sequence[T], k: int) -> list[T]:
        """`k` of the items in a random order, none twice; ValueError where there are not so many."""
        if not 0 <= k <= len(items):
            raise ValueError(f"no {k} of {len(items)} items")
        pool = list(items)
        for i in range(k):
            j = i + self.below(len(pool) - i)
            pool[i], pool[j] = pool[j], pool[i]
        return pool[:k]

    def die(self, sides: int = 6) -> int:
        """A die's face, from 1."""
        return 1 + self.below(sides)

    def chance(self, num: int, den: int) -> bool:
        """Whether something befalls that does so `num` times in `den`."""
        return self.below(den) < num

    def weighted(self, items: Sequence[T], weights: Sequence[int]) -> T:
        """One of the items, each as likely as its whole-number weight says."""
        at = self.below(sum(weights))
        for item, weight in zip(items, weights, strict=True):
            if at < weight:
                return item
            at -= weight
        raise AssertionError("the weights have a sum")


class Streams:
    """The streams whose paths begin with one prefix, such as `v1/<game>`."""

    def __init__(self, code: str, prefix: str) -> None:
        self.code = code
        self.prefix = prefix

    def at(self, name: str) -> Stream:
        """The stream of that name, from its first number on."""
        return Stream(self.code, f"{self.prefix}/{name}")

    def under(self, name: str) -> Streams:
        """The streams one step farther down."""
        return Streams(self.code, f"{self.prefix}/{name}")


def _words(key: bytes) -> Iterator[int]:
    count = 0
    while True:
        block = blake2b(count.to_bytes(_WORD, "big"), key=key).digest()
        for i in range(0, len(block), _WORD):
            yield int.from_bytes(block[i : i + _WORD], "big")
        count += 1
