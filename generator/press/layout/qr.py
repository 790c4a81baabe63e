"""Draw QR codes as pictures."""

from __future__ import annotations

import itertools
from functools import lru_cache
from hashlib import blake2b

from generator.model.picture import Path, Picture, Symbol, Use
from generator.model.views import Code
from generator.press.layout.styles import BLACK

_MASK = 1
"""The QR mask with the best average score for result slips. Readers accept any mask, and trying all eight would take
four times as long as the rest of the work."""


def shared_qr_picture(code: Code) -> Picture:
    """Return a picture of a QR code whose modules are stored once and shared by all its positions."""
    name = f"qr{blake2b(repr(code).encode(), digest_size=8).hexdigest()}"
    return Picture(code.size, code.size, (Use(_modules(name, code), 0.0, 0.0),))


@lru_cache(maxsize=256)  # The card of a table and both halves of its result slip have the same code.
def _modules(name: str, code: Code) -> Symbol:
    return Symbol(name, qr_picture(code.text, code.size).items, reach=code.size)


@lru_cache(2)  # A page requests its code more than once.
def qr_picture(words: str, size: float) -> Picture:
    """Return a QR code with sides of `size` mm, drawn as a single path so that viewers show no seams.

    The code has a quiet zone of two modules. Error correction level M tolerates damage to about 10 % of the area.
    """
    import segno  # Imported here because only one page of a kit needs it.

    rows = [list(line) for line in segno.make(words, error="m", micro=False, boost_error=False, mask=_MASK).matrix]
    module = size / len(rows)
    steps: list[tuple[str | float, ...]] = []
    for down, cells in enumerate(rows):
        top = size - down * module
        for across, run in itertools.groupby(range(len(cells)), key=cells.__getitem__):
            if across:
                dark = list(run)
                left, right = dark[0] * module, (dark[-1] + 1) * module
                steps += [("M", left, top), ("L", right, top), ("L", right, top - module), ("L", left, top - module)]
                steps.append(("Z",))
    return Picture(size, size, (Path(tuple(steps), BLACK),))
