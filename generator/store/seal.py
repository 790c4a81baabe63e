"""The mark in a file that Muster wrote: a hash of all the rest, so that the file tells by itself if it was changed.

It needs no note elsewhere that could be lost: a file that was copied to another machine tells it too. Where it
stands, readers of the format look past it.
"""

from __future__ import annotations

import hashlib
import struct
import zlib
from collections.abc import Callable
from typing import NamedTuple

_SAID = "Muster wrote this; unchanged while the rest has the SHA-256"


class _Form(NamedTuple):
    """How files of a kind are marked: how they begin, what the mark stands in front of, and the mark of a hash."""

    begins: tuple[bytes, ...]
    ends: bytes
    """Empty where the mark comes last; else the mark stands before the last of these in the file."""
    mark: Callable[[str], bytes]

    def parted(self, content: bytes) -> int:
        """Where the mark stands or shall stand; -1 in what is no such file."""
        if not content.startswith(self.begins):
            return -1
        return content.rfind(self.ends) if self.ends else len(content)


def _pdf(digest: str) -> bytes:
    return f"% {_SAID} {digest}\n".encode()


def _png(digest: str) -> bytes:
    text = b"tEXtComment\0" + f"{_SAID} {digest}".encode()
    return struct.pack(">I", len(text) - 4) + text + struct.pack(">I", zlib.crc32(text))


def _gif(digest: str) -> bytes:
    text = f"{_SAID} {digest}".encode()
    return b"\x21\xfe" + bytes([len(text)]) + text + b"\0"


def _markup(digest: str) -> bytes:
    return f"<!-- {_SAID} {digest} -->\n".encode()


def _json(digest: str) -> bytes:
    return f',\n  "seal": "{digest}"'.encode()


def _text(digest: str) -> bytes:
    return f"({_SAID} {digest})\n".encode()


_FORMS = (
    _Form((b"%PDF-",), b"startxref", _pdf),
    _Form((b"\x89PNG\r\n\x1a\n",), b"\0\0\0\0IEND", _png),
    _Form((b"GIF89a",), b";", _gif),
    _Form((b"<svg ", b"<!doctype html>", b"<!DOCTYPE html>"), b"", _markup),
    _Form((b"{\n",), b"\n}\n", _json),
)
_TEXT = _Form((b"",), b"", _text)
"""What begins in no way of its own: a log."""


def seal(content: bytes) -> bytes:
    """The content with its mark: of a PDF, a picture, a page for a browser, a JSON object, or else a text."""
    form = next((form for form in _FORMS if form.parted(content) >= 0), _TEXT)
    at = form.parted(content)
    return content[:at] + form.mark(hashlib.sha256(content).hexdigest()) + content[at:]


def sealed(content: bytes) -> bool:
    """Whether it bears its mark, and nothing was changed since."""
    form = next((form for form in _FORMS if form.parted(content) >= 0), _TEXT)
    end = form.parted(content)
    start = end - len(form.mark("0" * 64))
    if start < 0:
        return False
    whole = hashlib.sha256(content[:start])
    whole.update(content[end:])
    return content[start:end] == form.mark(whole.hexdigest())
