"""Read the text, the XML and the JSON of files of other programs, within limits."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any
from xml.parsers import expat

from generator.errors import DataError, Problem
from generator.localization import tr, tr_external
from generator.store.folders import decode_first
from generator.store.json_files import JsonFile

FILE_LIMIT = 4 << 20
"""The maximum size in bytes of a file that is imported. A map of 250 × 250 hexes with several layers has 2 MiB."""
MAX_ELEMENTS, MAX_XML_DEPTH = 200_000, 64
"""The maximum number of elements of an XML file, and the maximum depth of its nesting."""


def text_of(content: bytes, file: str) -> str:
    """Return the content of a text file, in UTF-8, UTF-16 or, for any other bytes, in Latin-1.

    Raises:
        DataError: If the content is not text.
    """
    encodings = ("utf-16",) if content.startswith((b"\xff\xfe", b"\xfe\xff")) else ("utf-8-sig", "latin-1")
    try:
        text, _ = decode_first(content, *encodings)
    except UnicodeDecodeError as error:
        raise DataError(Problem(tr("is not UTF-8 text"), file, hint=tr("save the file as UTF-8"))) from error
    if "\0" in text:
        raise DataError(Problem(tr("is not text"), file, text.count("\n", 0, text.index("\0")) + 1))
    return text


def json_of(content: bytes, path: Path) -> JsonFile:
    """Return the values of a JSON file.

    Raises:
        DataError: If the file is not valid JSON. The error has the line.
    """
    return JsonFile(path, text_of(content, str(path)))


class Element(ET.Element):
    """An element of an XML file, with its line."""

    line = 0


def xml_of(content: bytes, file: str) -> Element:
    """Return the root of an XML file.

    Declarations of document types are refused, because they can contain entities that expand without limit or read
    other files.

    Raises:
        DataError: If the file is not well-formed or declares a document type. The error has the line.
    """
    parser = expat.ParserCreate()
    root: Element | None = None
    open_: list[Element] = []
    count = 0

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal root, count
        count += 1
        if count > MAX_ELEMENTS or len(open_) >= MAX_XML_DEPTH:
            message = tr("nested too deeply") if len(open_) >= MAX_XML_DEPTH else tr("the file has too many elements")
            raise DataError(Problem(message, file, parser.CurrentLineNumber))
        made = Element(tag, attributes)
        made.line = parser.CurrentLineNumber
        if open_:
            open_[-1].append(made)
        else:
            root = made
        open_.append(made)

    def data(text: str) -> None:
        if open_:
            parts.setdefault(id(open_[-1]), []).append(text)

    def end(_tag: str) -> None:
        made = open_.pop()
        made.text = "".join(parts.pop(id(made), ()))

    def refuse(*_: Any) -> None:
        hint = tr("delete the declaration; Muster does not read document types and entities")
        raise DataError(Problem(tr("the file declares a document type"), file, parser.CurrentLineNumber, hint))

    parts: dict[int, list[str]] = {}
    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = start, end, data
    parser.StartDoctypeDeclHandler = refuse
    try:
        parser.Parse(content, True)
    except expat.ExpatError as error:
        reason = re.sub(r":.*$", "", str(error))
        message = tr("is not valid XML: {reason}", reason=tr_external(reason))
        raise DataError(Problem(message, file, error.lineno)) from error
    except (ValueError, LookupError) as error:  # The declared encoding is unknown.
        raise DataError(Problem(tr("is not valid XML: {reason}", reason=tr_external(str(error))), file, 1)) from error
    assert root is not None
    return root
