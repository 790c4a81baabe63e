"""Recognise files that are not lists of names or tables, with a hint for each kind."""

from __future__ import annotations

import io
import json
import re
import tomllib
import zipfile
from collections.abc import Callable

from generator.errors import DataError, Problem
from generator.localization import tr
from generator.notation.foreign import import_command, recognise

TRF = "trf"
_HEAD_BYTES = 4096
"""The number of bytes at the start of a file that are examined."""
_AS_CSV = tr("open the file in a spreadsheet program, save the sheet as CSV UTF-8, and give the CSV file")
_AS_TEXT = tr("copy the names into a text file, one per line")
_SIGNATURES: tuple[tuple[bytes, str, str], ...] = (
    (b"\xd0\xcf\x11\xe0", tr("this is an old Excel or Word file"), _AS_CSV),
    (b"%PDF", tr("this is a PDF file"), _AS_TEXT),
    (b"{\\rtf", tr("this is an RTF document"), _AS_TEXT),
    (b"\x89PNG", tr("this is a picture"), _AS_TEXT),
    (b"\xff\xd8\xff", tr("this is a picture"), _AS_TEXT),
    (b"GIF8", tr("this is a picture"), _AS_TEXT),
    (b"\x1f\x8b", tr("this is a compressed file"), tr("unpack the file first")),
    (b"SQLite format 3", tr("this is a database"), _AS_CSV),
)
"""The first bytes of files that are not text, each with a message and a hint."""
_ARCHIVES: tuple[tuple[str, str, str], ...] = (
    ("word/", tr("this is a Word document (.docx)"), _AS_TEXT),
    ("ppt/", tr("this is a PowerPoint presentation (.pptx)"), _AS_TEXT),
    ("Index/", tr("this is a Numbers or Pages document"), _AS_CSV),
)
_TRF_LINE = re.compile(r"^(?:012 |0[2-9]2 |1[0-3]2 |XXR |001 [ 0-9]{4} ).*$", re.MULTILINE)
_TRF_PLAYER = re.compile(r"^001 {1,4}[0-9]{1,4} ", re.MULTILINE)
_YAML_KEY = re.compile(
    r"\s*(?:-\s+)?[\"']?(?:name|player|team|club|first_?name|last_?name|選手|氏名)[\"']?\s*:\s+\S", re.IGNORECASE
)
_YAML_ENTRY = re.compile(r"\s*-\s+\S|\s*[\w ]+:(?:\s|$)")
_MAIL = re.compile(
    r"^(?:from|to|cc|subject|date|sent|von|an|betreff|datum|gesendet|de|à|objet|envoyé|para|asunto"
    r"|差出人|宛先|件名|送信日時|日時) ?[:：]",
    re.IGNORECASE | re.MULTILINE,
)


def text_kind(text: str) -> str:
    """Return `TRF` if a text is in FIDE's tournament format TRF16, and an empty string otherwise."""
    lines = "\n".join(text.splitlines())  # TRF16 ends lines with CR only.
    return TRF if _TRF_PLAYER.search(lines) and len(_TRF_LINE.findall(lines)) > 1 else ""


def is_muster_file(content: bytes) -> bool:
    """Return whether a file is in TOML, as all files are that Muster writes for editing, except tables."""
    try:
        return bool(tomllib.loads(content.decode("utf-8-sig")))
    except (ValueError, RecursionError):
        return False


def refuse(content: bytes, file: str) -> None:
    """Check that a file may be a list or a table.

    Raises:
        DataError: If the file is of another kind. The hint depends on the kind.
    """
    if (foreign := recognise(content)) and foreign.kind not in ("trf", "hex_list"):
        raise DataError(Problem(foreign.what, file, hint=tr("to import it: {command}", command=import_command(file))))
    for sign, message, hint in _SIGNATURES:
        if content.startswith(sign):
            raise DataError(Problem(message, file, hint=hint))
    if content.startswith(b"PK\x03\x04"):
        raise DataError(_archive_problem(content, file))
    text = content[:_HEAD_BYTES].decode("utf-8", "ignore").lstrip("\ufeff \t\r\n")
    for looks, message, hint in _TEXTS:
        if looks(text, content):
            raise DataError(Problem(message, file, hint=hint))


def _archive_problem(content: bytes, file: str) -> Problem:
    """Return a problem that names the kind of an archive according to its content."""
    message: str = tr("this is a ZIP archive")
    hint: str = tr("unpack the file first")
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            names = archive.namelist()
            if "mimetype" in names and b"opendocument" in (kind := archive.read("mimetype")[:200]):
                sheet = b"spreadsheet" in kind
                message = (
                    tr("this is an OpenDocument spreadsheet (.ods)") if sheet else tr("this is an OpenDocument file")
                )
                return Problem(message, file, hint=_AS_CSV if sheet else _AS_TEXT)
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError, OSError, EOFError):
        names = []
    for start, description, do in _ARCHIVES:
        if any(name.startswith(start) for name in names):
            message, hint = description, do
    return Problem(message, file, hint=hint)


def _is_html(text: str, _: bytes) -> bool:
    return re.search(r"<(?:!doctype html|html|body|table|div|ul|ol|p|tr|td)\b[^>]*>", text, re.IGNORECASE) is not None


def _is_json(text: str, content: bytes) -> bool:
    if not text.startswith(("{", "[")):
        return False
    # The second attempt is for JSON Lines, which has an object on each line.
    for whole in (content, text.partition("\n")[0]):
        try:
            json.loads(whole)
        except (ValueError, RecursionError):
            continue
        return True
    return False


def _is_yaml(text: str, _: bytes) -> bool:
    """Return whether a text is YAML with several keys or a list. Names below `players:` do not count."""
    lines = [line for line in text.splitlines() if line.strip()]
    keys = [line for line in lines if _YAML_KEY.match(line)]
    begins = lines[:1] in (["---"], ["%YAML 1.2"]) and any(_YAML_ENTRY.match(line) for line in lines[1:])
    return begins or len(keys) > 1 or (len(lines) > 1 and all(re.match(r"\s*-\s+\{", line) for line in lines))


def _is_toml(text: str, content: bytes) -> bool:
    if not re.match(r"\s*(?:\[\[?[\w.-]+\]\]?\s*$|[\w.-]+\s*=)", text, re.MULTILINE):
        return False
    try:
        return bool(tomllib.loads(content.decode("utf-8-sig")))
    except (ValueError, RecursionError):
        return False


def _is_event(text: str, _: bytes) -> bool:
    """Return whether a text is an event record. Its first comment may be missing."""
    keys = {line.split("=")[0].strip() for line in text.splitlines() if "=" in line}
    return {"name", "game", "code", "players"} <= keys


def _is_mail(text: str, _: bytes) -> bool:
    return len({found.casefold() for found in _MAIL.findall("\n".join(text.splitlines()[:20]))}) >= 2


_TEXTS: tuple[tuple[Callable[[str, bytes], bool], str, str], ...] = (
    (lambda text, _: text.startswith("<?xml"), tr("this is an XML file"), _AS_CSV),
    (_is_html, tr("this is an HTML page"), _AS_TEXT),
    (
        _is_event,
        tr("this is the record of an event"),
        tr("give a list of players, or give the event's folder if the command accepts a folder"),
    ),
    (_is_json, tr("this is a JSON file"), _AS_TEXT),
    (_is_yaml, tr("this is a YAML file"), _AS_TEXT),
    (_is_toml, tr("this is a TOML file"), _AS_TEXT),
    (lambda text, _: text.upper().startswith("BEGIN:V"), tr("this is a file of contacts or appointments"), _AS_TEXT),
    (
        _is_mail,
        tr("this is an e-mail message"),
        tr("delete the headers and the text, and keep only the names, one per line"),
    ),
)
"""The kinds of text that are not lists, each with a test, a message and a hint."""
