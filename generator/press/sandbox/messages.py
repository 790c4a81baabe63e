"""Messages between a print in the sandbox and its parent, and the limits that it is given."""

from __future__ import annotations

import struct
from typing import IO, Any

import msgspec

from generator.errors import Problem
from generator.localization import bilingual


class Limits(msgspec.Struct, frozen=True):
    """What a print may take that has templates of a person's own."""

    seconds: float = 5.0
    """Of the processor's time, for one sheet; ours take a twentieth of one."""
    share: float = 0.5
    """As much of it for every sheet, where there are many."""
    wall: float = 6.0
    """Seconds on the clock for a sheet; where others keep the machine busy, it is the stricter limit."""
    shipped: float = 900.0
    """Seconds on the clock for what no template has a part in: a start, boards, cards, tokens."""
    memory: int = 448
    """Mebibytes of address space for the whole print; ours map up to 200."""
    reserve: int = 32
    """As many more for telling that it was too little."""


_MAX_SENT = 512 * 1024 * 1024
_LENGTH = struct.Struct(">Q")


class ProgressMade(msgspec.Struct, tag=True):
    """What the print is at, for whoever waits; no template has a part in it."""

    message: str
    share: float | None


class SheetBegun(msgspec.Struct, tag=True):
    """A sheet of that template is filled and laid out from now on."""

    template: str


class TemplateLoaded(msgspec.Struct, tag=True):
    """A template's file is in use; `lines` pairs lines of it with those of its code."""

    file: str
    lines: list[tuple[int, int]]


class Finished(msgspec.Struct, tag=True):
    """What the print came to."""

    result: Any


class SentProblem(msgspec.Struct, frozen=True):
    """A problem as it is passed on, its texts in English and in Japanese."""

    message: tuple[str, str]
    file: str
    line: int
    hint: tuple[str, str]

    @property
    def problem(self) -> Problem:
        """The problem itself."""
        return Problem(bilingual(*self.message), self.file, self.line, bilingual(*self.hint))


class Failed(msgspec.Struct, tag=True):
    """What ended it: the name of an error, and its problems."""

    kind: str
    problems: list[SentProblem]


class LimitExceeded(msgspec.Struct, tag=True):
    """It took too much: `memory` or `time`; where, as far as it is known."""

    what: str
    file: str = ""
    line: int = 0


Message = ProgressMade | SheetBegun | TemplateLoaded | Finished | Failed | LimitExceeded


def send(out: IO[bytes], content: bytes) -> None:
    """Write so many bytes, their number first."""
    out.write(_LENGTH.pack(len(content)))
    out.write(content)
    out.flush()


def receive(source: IO[bytes]) -> bytes | None:
    """What was sent; None where it ended before that, or would be larger than anything printed."""
    head = source.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    content = source.read(length) if length <= _MAX_SENT else b""
    return content if len(content) == length else None
