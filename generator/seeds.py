"""Seed codes and the random number streams derived from them, independent of any game."""

from __future__ import annotations

import secrets
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache, reduce
from hashlib import blake2b
from operator import xor
from struct import Struct
from typing import TypeVar

from generator.errors import WrongUsageError
from generator.localization import joined, tr

GENERATION = 2
"""The current generation of codes, increased when the same code would generate a different scenario."""
DRAWN_BY = {1: "0.1"}
"""The versions of Muster that support each earlier generation of codes."""

BITS = 35
SYMBOLS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""The symbols of Crockford's base 32, which omits I, L, O and U."""

_VALUES = {symbol: value for value, symbol in enumerate(SYMBOLS)}
_DATA, _LENGTH, _HALF = 8, 10, 5
_SYNDROMES = (1, 14)
_FORGIVEN = str.maketrans("ILO", "110")
_DASHES = "-‐‑‒–—―−ー"
_UNSEEN = {"Zs", "Zl", "Zp", "Cc", "Cf"}
_ALIKE = ("8B", "5S", "2Z", "6G", "0DQ", "17", "VY", "MN", "VW", "CG", "9P", "EF", "4A", "KX")
_SHOWN = 3


def _powers() -> list[int]:
    """Return the powers of x in the field GF(32) = GF(2)[x] / (x^5 + x^2 + 1)."""
    powers = [1]
    while len(powers) < 31:
        double = powers[-1] << 1
        powers.append(double ^ 0b100101 if double & 32 else double)
    return powers


_POWER = _powers()
_LOG = {power: i for i, power in enumerate(_POWER)}


def _scaled(value: int, shift: int) -> int:
    """Return a field element multiplied by x to the power of `shift`."""
    return _POWER[(_LOG[value] + shift) % 31] if value else 0


def _syndromes(values: list[int]) -> tuple[int, int]:
    first = second = 0
    for i, value in enumerate(values):
        if value:
            first ^= _POWER[(_LOG[value] + i) % 31]
            second ^= _POWER[(_LOG[value] + 2 * i) % 31]
    return first, second


def _generation(values: list[int]) -> int:
    return reduce(xor, values[:_DATA])


def code_for(number: int) -> str:
    """Return the code of the current generation for a 35-bit number, such as `K7Q2M-9FHN5`.

    A code has ten symbols and is easy to read aloud. Eight symbols contain data, and their exclusive or is the
    generation of the code, which leaves 35 bits. Two check symbols form a Reed-Solomon code over GF(32) that
    detects every error in one or two symbols and every swap of two symbols. The two syndromes of a valid code are
    `_SYNDROMES` instead of zero, so ten zeros are not a valid code.
    """
    return _code(number, GENERATION)


def _code(number: int, generation: int) -> str:
    if not 0 <= number < 1 << BITS:
        raise ValueError(f"{number} has not {BITS} bits")
    values = [number >> 5 * i & 31 for i in range(_DATA - 1)]
    values.append(_generation(values) ^ generation)
    first, second = (have ^ want for have, want in zip(_syndromes(values), _SYNDROMES, strict=True))
    # Solve the equations x^8 a + x^9 b = first and x^16 a + x^18 b = second for the check symbols a and b.
    scale = -_LOG[_POWER[17] ^ _POWER[18]]
    b = _scaled(second ^ _scaled(first, 8), scale)
    a = _scaled(first ^ _scaled(b, 9), -8)
    return _printed("".join(SYMBOLS[v] for v in (*values, a, b)))


def new_code() -> str:
    """Return a random code, which was almost certainly never used before."""
    return code_for(secrets.randbits(BITS))


def parse_code(text: str) -> str:
    """Return a code in its printed form.

    Lower case, spaces, hyphens, full-width symbols, O for 0, and I or L for 1 are accepted.

    Raises:
        WrongUsageError: If the code is invalid. The hint suggests corrections of a typo.

    >>> parse_code("k7q2m 9fhn5")
    'K7Q2M-9FHN5'
    """
    symbols = _symbols(text)
    user_input = "".join(c if c.isprintable() else "�" for c in text[:40].strip())
    complaint = tr("“{typed}” is not a valid code", typed=user_input)
    foreign = [s for s in symbols if s not in SYMBOLS]
    if len(symbols) != _LENGTH:
        raise _typo_error(
            tr(
                "{shown}: a code has {length} characters, not {count}",
                shown=complaint,
                count=len(symbols),
                length=_LENGTH,
            ),
            symbols,
        )
    if "U" in foreign:
        raise _typo_error(tr("{shown}: a code never contains the letter U", shown=complaint), symbols)
    if foreign:
        raise _typo_error(
            tr("{shown}: a code never contains {foreign!r}", shown=complaint, foreign=foreign[0]), symbols
        )
    values = [_VALUES[s] for s in symbols]
    if _syndromes(values) != _SYNDROMES:
        raise _typo_error(tr("{shown}: it contains a typo", shown=complaint), symbols)
    if (generation := _generation(values)) != GENERATION:
        raise WrongUsageError(
            tr(
                "code {code} belongs to generation {generation}, but this version of Muster "
                "draws scenarios only from codes of generation {current}",
                code=_printed(symbols),
                generation=generation,
                current=GENERATION,
            ),
            hint=(
                tr(
                    "use Muster {version} to draw the scenario for this code; any "
                    "version of Muster can print the resulting file",
                    version=version,
                )
                if (version := DRAWN_BY.get(generation))
                else tr("use a later version of Muster to draw the scenario for this code")
                if generation > GENERATION
                else tr("no version of Muster has printed this code")
            ),
        )
    return _printed(symbols)


def renewed(text: str) -> str:
    """Return the code of the current generation that has the same number as a code of an earlier generation.

    A code of the current generation is returned in its printed form.

    Raises:
        WrongUsageError: If the code is invalid.
    """
    symbols = _symbols(text)
    if _checks(symbols) and 0 < _generation([_VALUES[s] for s in symbols]) < GENERATION:
        return code_for(_number(symbols))
    return parse_code(text)


def is_current(code: str) -> bool:
    """Return whether a text is a code of the current generation in its printed form."""
    return _in_order(code.replace("-", ""))


def _printed(symbols: str) -> str:
    return f"{symbols[:_HALF]}-{symbols[_HALF:]}"


def _symbols(text: str) -> str:
    """Return the symbols of a text in upper case, without spaces and dashes, and with look-alikes replaced."""
    plain = unicodedata.normalize("NFKC", text[:200])
    kept = "".join(c for c in plain if c not in _DASHES and unicodedata.category(c) not in _UNSEEN)
    return "".join(c.upper() if c.isascii() else c for c in kept).translate(_FORGIVEN)


def _typo_error(message: str, symbols: str) -> WrongUsageError:
    meant = list(dict.fromkeys(_printed(s) for s in _near(symbols) if _in_order(s)))[:_SHOWN]
    return WrongUsageError(
        message, hint=tr("did you mean {word}?", word=joined(meant, " or ", "か")) if meant else ""
    )


def _in_order(symbols: str) -> bool:
    return _checks(symbols) and _generation([_VALUES[s] for s in symbols]) == GENERATION


def _checks(symbols: str) -> bool:
    """Return whether these are the symbols of a valid code of any generation."""
    known = len(symbols) == _LENGTH and _VALUES.keys() >= set(symbols)
    return known and _syndromes([_VALUES[s] for s in symbols]) == _SYNDROMES


def _number(symbols: str) -> int:
    """Return the number that a code contains."""
    return sum(_VALUES[symbol] << 5 * i for i, symbol in enumerate(symbols[: _DATA - 1]))


def _near(symbols: str) -> Iterator[str]:
    """Yield the texts that differ by a single typo, starting with the most likely typos."""
    n = len(symbols)
    if n == _LENGTH:
        alike = [(i, s) for i in range(n) for group in _ALIKE if symbols[i] in group for s in group]
        yield from (symbols[:i] + s + symbols[i + 1 :] for i, s in alike)
        yield from (symbols[:i] + symbols[i + 1] + symbols[i] + symbols[i + 2 :] for i in range(n - 1))
        yield from (symbols[:i] + s + symbols[i + 1 :] for i in range(n) for s in SYMBOLS)
    elif n == _LENGTH - 1:
        yield from (symbols[:i] + s + symbols[i:] for i in range(n + 1) for s in SYMBOLS)
    elif n == _LENGTH + 1:
        yield from (symbols[:i] + symbols[i + 1 :] for i in range(n))


T = TypeVar("T")

_WORD = 8
_SPAN = 1 << (8 * _WORD)
_BLOCK = Struct(">8Q")
"""Splits a digest into eight 64-bit words."""


@lru_cache(64)  # A run uses few codes, but each of them for dozens of streams.
def _key(code: str) -> bytes:
    """Return the key for the streams of a code: the code as written in the first generation.

    Codes of all generations with the same number therefore have the same streams. Any other text is its own key.
    """
    if not is_current(code):
        return code.encode()
    return _code(_number(code.replace("-", "")), 1).encode()


class Rng:
    """A stream of random numbers. `path` is its name, such as `v1/<game>/pennant/shuffle`.

    The same code and path give the same numbers on every system and in every version, which tests with fixed
    expected values ensure. Each stream has a separate generator, BLAKE2b over a counter, so adding a stream does
    not change the others, and updates of other libraries have no effect.
    """

    def __init__(self, code: str, path: str) -> None:
        self.path = path
        self._words = _words(blake2b(path.encode(), key=_key(code)).digest())

    def below(self, n: int) -> int:
        """Return a random whole number from 0 to n - 1, with all numbers equally likely.

        Raises:
            ValueError: If n is less than 1 or greater than 2^64.
        """
        if not 0 < n <= _SPAN:
            raise ValueError(f"no number below {n}")
        for word in self._words:
            # Reject words from the largest multiple of n upwards, which would make small results more likely. The
            # first comparison usually avoids computing that multiple.
            if word <= _SPAN - n or word < _SPAN - _SPAN % n:
                return word % n
        raise AssertionError("there is no end of words")

    def choice(self, items: Sequence[T]) -> T:
        """Return a random item, with all items equally likely."""
        return items[self.below(len(items))]

    def shuffle(self, items: Sequence[T]) -> list[T]:
        """Return the items in a random order."""
        return self.sample(items, len(items))

    def sample(self, items: Sequence[T], k: int) -> list[T]:
        """Return `k` different items in random order.

        Raises:
            ValueError: If there are fewer than `k` items.
        """
        if not 0 <= k <= len(items):
            raise ValueError(f"no {k} of {len(items)} items")
        pool = list(items)
        for i in range(k):
            j = i + self.below(len(pool) - i)
            pool[i], pool[j] = pool[j], pool[i]
        return pool[:k]

    def die(self, sides: int = 6) -> int:
        """Return the result of a die roll, from 1 to `sides`."""
        return 1 + self.below(sides)

    def chance(self, num: int, den: int) -> bool:
        """Return True with probability `num` / `den`."""
        return self.below(den) < num

    def weighted(self, items: Sequence[T], weights: Sequence[int]) -> T:
        """Return a random item. The probability of each item is proportional to its weight, a whole number."""
        at = self.below(sum(weights))
        for item, weight in zip(items, weights, strict=True):
            if at < weight:
                return item
            at -= weight
        raise AssertionError("the weights have a sum")


class RngStreams:
    """The streams whose paths start with the same prefix, such as `v1/<game>`."""

    def __init__(self, code: str, prefix: str) -> None:
        self.code = code
        self.prefix = prefix

    def at(self, name: str) -> Rng:
        """Return a new stream of the given name."""
        return Rng(self.code, f"{self.prefix}/{name}")

    def under(self, name: str) -> RngStreams:
        """Return the streams whose prefix is extended by `name`."""
        return RngStreams(self.code, f"{self.prefix}/{name}")


def _words(key: bytes) -> Iterator[int]:
    count = 0
    while True:
        yield from _BLOCK.unpack(blake2b(count.to_bytes(_WORD, "big"), key=key).digest())
        count += 1
