"""Recognise files of other programs by their content."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import PurePath
from typing import Literal

import msgspec

from generator.localization import lang_option, tr
from generator.notation.text import command

ForeignKind = Literal["workbook", "tiled", "board", "hexagons", "hex_list", "trf", "web_table"]


class Foreign(msgspec.Struct, frozen=True):
    """A file of another program that `muster import` reads."""

    kind: ForeignKind
    what: str
    """A sentence that names the kind of file."""


_HEAD_BYTES = 1 << 16
"""The number of bytes at the start of a text that are examined. JSON is examined as a whole, because Tiled writes its
keys after the layers.
"""
_TRF_PLAYER = re.compile(r"^001 {1,4}[0-9]{1,4} ", re.MULTILINE)
_TRF_HEAD = re.compile(r"^(?:012 |0[2-9]2 |1[0-3]2 |XX. )", re.MULTILINE)
_BOARD = re.compile(r"^\s*size\s+[0-9]{1,4}\s+[0-9]{1,4}\s*$.*?^\s*hex\s+[0-9]{4,}\s", re.MULTILINE | re.DOTALL)
_HEX_LINE = re.compile(r"^(?:[0-9]{4}|[0-9]{2}\.[0-9]{2})(?:-(?:[0-9]{4}|[0-9]{2}\.[0-9]{2}))*\s+[^\W\d]")
_HEX_COMMENT = re.compile(r"^\s*(?:#|$|include\s|option\s|\S+ (?:attributes|path|lib|xml)\b)")
_MIN_HEX_SHARE = 0.6
"""The share of lines with a hex from which a text counts as a list of hexes."""


def recognise(content: bytes) -> Foreign | None:
    """Return the kind of another program's file, or None if `muster import` has no special reader for the content."""
    if content.startswith(b"PK\x03\x04"):
        return _workbook(content)
    if content.startswith(b"\xd0\xcf\x11\xe0"):
        return Foreign("workbook", tr("this is an old Excel or Word file"))
    text = _text(content)
    start = text.lstrip("\ufeff \t\r\n")
    head = start[:_HEAD_BYTES]
    if re.match(
        r"(?:<\?xml[^>]*\?>\s*)?(?:<!--.*?-->\s*|<!DOCTYPE[^>\[]*(?:\[.*?\])?>\s*)*<map[\s>]", head, re.DOTALL
    ):
        return Foreign("tiled", tr("this is a Tiled map (.tmx)"))
    if head.startswith("{"):
        return _json(start)
    if _BOARD.search(head):
        return Foreign("board", tr("this is a MegaMek board (.board)"))
    lines = "\n".join(head.splitlines())
    if _TRF_PLAYER.search(lines) and len(_TRF_PLAYER.findall(lines)) + len(_TRF_HEAD.findall(lines)) > 1:
        return Foreign("trf", tr("this is a tournament report (TRF16)"))
    if re.search(r"<table\b", head, re.IGNORECASE) and re.search(r"<t[dh]\b", text, re.IGNORECASE):
        return Foreign("web_table", tr("this is a table of a web page (HTML)"))
    return _hex_list(head)


def import_command(file: str) -> str:
    """Return the command that imports a file."""
    return command(["muster", "import", PurePath(file), *lang_option()], {})


def _text(content: bytes) -> str:
    """Return the content as text, with replacement characters for bytes that are not UTF-8 or UTF-16."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", "replace")
    return content.decode("utf-8-sig", "replace")


def _workbook(content: bytes) -> Foreign | None:
    """Return the kind of a ZIP archive, or None if it is not a workbook."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            names = archive.namelist()
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError, OSError, EOFError, ValueError):
        return None
    if any(name.startswith("xl/") for name in names):
        return Foreign("workbook", tr("this is an Excel workbook (.xlsx)"))
    if "content.xml" in names and b"opendocument.spreadsheet" in content[:512]:
        return Foreign("workbook", tr("this is an OpenDocument spreadsheet (.ods)"))
    return None


def _json(text: str) -> Foreign | None:
    """Return the kind of a JSON text by its keys, without parsing it."""
    keys = set(re.findall(r'"(\w{1,40})"\s*:', text))
    if {"layers", "tilewidth", "tileheight", "orientation"} <= keys:
        return Foreign("tiled", tr("this is a Tiled map (.tmj)"))
    if {"board", "hexagons", "col", "row"} <= keys:
        return Foreign("hexagons", tr("this is a scenario in the format of Memoir '44 editors"))
    return None


def _hex_list(text: str) -> Foreign | None:
    """Return the kind of a text that lists hexes, or None if too few lines are hexes."""
    lines = [line for line in text.splitlines() if not _HEX_COMMENT.match(line)]
    found = sum(bool(_HEX_LINE.match(line)) for line in lines)
    if found and found >= _MIN_HEX_SHARE * len(lines):
        return Foreign("hex_list", tr("this is a list of hexes (text-mapper)"))
    return None
