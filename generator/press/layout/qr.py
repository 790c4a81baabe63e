"""QR codes as pictures."""

from __future__ import annotations

import itertools
from functools import lru_cache
from hashlib import blake2b

from generator.model.picture import Path, Picture, Symbol, Use
from generator.model.views import Code
from generator.press.layout.styles import BLACK

_MASK = 1
"""Of the eight masks of a QR code the one that serves the marks of slips best on average.

To weigh all eight takes four times as long as all the rest, and readers take any.
"""


def shared_qr_picture(code: Code) -> Picture:
    """A QR code of which there are many, drawn once for all its places."""
    name = f"qr{blake2b(repr(code).encode(), digest_size=8).hexdigest()}"
    return Picture(code.size, code.size, (Use(_modules(name, code), 0.0, 0.0),))


@lru_cache(maxsize=256)  # a table's card and both halves of its slip bear the same
def _modules(name: str, code: Code) -> Symbol:
    return Symbol(name, qr_picture(code.text, code.size).items, reach=code.size)


@lru_cache(2)  # a page asks for its own more than once
def qr_picture(words: str, size: float) -> Picture:
    """A QR code of that side in mm: its modules as one path, so that no viewer draws seams; two modules of white.

    Error correction M: a tenth of it may be under a thumb or a stain of coffee.
    """
    import segno  # used by one page of a kit

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
