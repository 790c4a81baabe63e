"""Messages between a print in the sandbox and its parent process, and the limits of the print."""

from __future__ import annotations

import struct
from typing import IO, Any

import msgspec

from generator.errors import Problem
from generator.localization import bilingual


class Limits(msgspec.Struct, frozen=True):
    """Limits of a print with a user's own templates."""

    seconds: float = 5.0
    """Processor time in seconds for one sheet; shipped templates need a twentieth of a second."""
    share: float = 0.5
    """Additional processor time in seconds for each further sheet."""
    wall: float = 6.0
    """Wall-clock seconds for one sheet; stricter than processor time on a busy machine."""
    shipped: float = 900.0
    """Wall-clock seconds for work without templates: start-up, boards, cards, tokens."""
    memory: int = 448
    """Address space of the whole print in MiB; shipped templates use up to 200."""
    reserve: int = 32
    """Additional MiB for reporting that memory ran out."""


_MAX_SENT = 512 * 1024 * 1024
_LENGTH = struct.Struct(">Q")


class ProgressMade(msgspec.Struct, tag=True):
    """Progress of the print, sent only outside templates."""

    message: str
    share: float | None


class SheetBegun(msgspec.Struct, tag=True):
    """A sheet with that template is being rendered and laid out."""

    template: str


class TemplateLoaded(msgspec.Struct, tag=True):
    """A template file is in use; `lines` pairs its lines with lines of its compiled code."""

    file: str
    lines: list[tuple[int, int]]


class Finished(msgspec.Struct, tag=True):
    """The result of the print."""

    result: Any


class SentProblem(msgspec.Struct, frozen=True):
    """A problem with its texts in English and Japanese."""

    message: tuple[str, str]
    file: str
    line: int
    hint: tuple[str, str]

    @property
    def problem(self) -> Problem:
        """The problem."""
        return Problem(bilingual(*self.message), self.file, self.line, bilingual(*self.hint))


class Failed(msgspec.Struct, tag=True):
    """The name of the error that ended the print, and its problems."""

    kind: str
    problems: list[SentProblem]


class LimitExceeded(msgspec.Struct, tag=True):
    """The print exceeded a limit, `memory` or `time`, at this place if it is known."""

    what: str
    file: str = ""
    line: int = 0


Message = ProgressMade | SheetBegun | TemplateLoaded | Finished | Failed | LimitExceeded


def send(out: IO[bytes], content: bytes) -> None:
    """Write bytes with their length in front."""
    out.write(_LENGTH.pack(len(content)))
    out.write(content)
    out.flush()


def receive(source: IO[bytes]) -> bytes | None:
    """Return a sent message; None if it is incomplete or larger than any print."""
    head = source.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    content = source.read(length) if length <= _MAX_SENT else b""
    return content if len(content) == length else None
