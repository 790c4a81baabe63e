"""Messages between a print in the sandbox and its parent process, and the limits of such a print."""

from __future__ import annotations

import struct
from typing import IO, Any

import msgspec

from generator.errors import Problem
from generator.localization import bilingual


class Limits(msgspec.Struct, frozen=True):
    """Limits of a print with user templates."""

    seconds: float = 5.0
    """Processor time in seconds for one sheet. Shipped templates need about 0.05 seconds."""
    share: float = 0.5
    """Additional processor time in seconds for each further sheet."""
    wall: float = 6.0
    """Wall-clock time in seconds for one sheet. On a busy machine, this limit is reached before the processor
    time."""
    shipped: float = 900.0
    """Wall-clock time in seconds for work outside templates, such as starting up and drawing boards, cards and
    tokens."""
    memory: int = 448
    """Address space of the whole print in MiB. Shipped templates use up to 200."""
    reserve: int = 32
    """Additional memory in MiB for reporting that the memory ran out."""


_MAX_SENT = 512 * 1024 * 1024
"""Maximum length of a message in bytes. No print is larger than that."""
_LENGTH = struct.Struct(">Q")
"""The length of a message, which precedes its content."""


class ProgressMade(msgspec.Struct, tag=True):
    """Progress of the print, which is sent only outside templates."""

    message: str
    share: float | None


class SheetBegun(msgspec.Struct, tag=True):
    """A message that a sheet with this template is being rendered and laid out."""

    template: str


class TemplateLoaded(msgspec.Struct, tag=True):
    """A message that a template file is in use.

    `lines` contains pairs of a template line and a line of its compiled code.
    """

    file: str
    lines: list[tuple[int, int]]


class Finished(msgspec.Struct, tag=True):
    """The result of a finished print."""

    result: Any


class SentProblem(msgspec.Struct, frozen=True):
    """A problem with its texts in English and Japanese."""

    message: tuple[str, str]
    file: str
    line: int
    hint: tuple[str, str]

    @property
    def problem(self) -> Problem:
        """The problem with bilingual texts."""
        return Problem(bilingual(*self.message), self.file, self.line, bilingual(*self.hint))


class Failed(msgspec.Struct, tag=True):
    """A message that the print ended with an error. `kind` is the name of the error class."""

    kind: str
    problems: list[SentProblem]


class LimitExceeded(msgspec.Struct, tag=True):
    """A message that the print exceeded a limit, `memory` or `time`, with the position if it is known."""

    what: str
    file: str = ""
    line: int = 0


Message = ProgressMade | SheetBegun | TemplateLoaded | Finished | Failed | LimitExceeded


def send(out: IO[bytes], content: bytes) -> None:
    """Write bytes preceded by their length."""
    out.write(_LENGTH.pack(len(content)))
    out.write(content)
    out.flush()


def receive(source: IO[bytes]) -> bytes | None:
    """Read a message, and return None if it is incomplete or larger than any print."""
    head = source.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    content = source.read(length) if length <= _MAX_SENT else b""
    return content if len(content) == length else None
