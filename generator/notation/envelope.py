"""The head of a scenario file, which states its game and its code and shows whether the file has been changed.

The seal is a hash of the rest of the file. If it does not match, the file was changed by hand. Its code is then
ignored, because it no longer produces the file, and the file is identified by a hash of its content instead.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path

import msgspec

from generator import __version__
from generator.errors import DataError
from generator.localization import tr
from generator.model.scenario import Origin, Request, UserFile
from generator.notation import text
from generator.notation.text import file_name_fault, name_fault
from generator.notation.toml import Source
from generator.store.folders import is_file

FORMAT = 1
_DIGEST = re.compile("[0-9a-f]{64}|")
FILE_TITLE = "# A Muster scenario: check it with `muster check`, print it with `muster print`."


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A user's file with which the scenario was generated."""

    name: str
    """The name of the file, without a folder; the file is in the folder of the scenario."""
    sha256: str
    """The SHA-256 of the file; empty if any file with this name is accepted."""


class Head(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The `[muster]` table; a file written by hand needs only `game`."""

    game: str
    """The game; `muster games` lists the games."""
    format: int = FORMAT
    """The version of the file format."""
    code: str = ""
    """The seed code that drew the scenario; empty if the scenario was written by hand."""
    version: str = ""
    """The version of Muster that drew the scenario."""
    seal: str = ""
    """A hash of everything else in the file, which shows whether the file was changed."""
    options: dict[str, str] = msgspec.field(default_factory=dict, name="wishes")
    """The options of the draw by name, as entered."""
    files: dict[str, _File] = {}
    """Your own files, by option."""


class _Headed(msgspec.Struct, frozen=True):
    muster: Head


def content_hash(body: str) -> str:
    """Return the hash that identifies a scenario by its content, as 12 hexadecimal digits in groups of four."""
    digest = hashlib.sha256(body.encode()).hexdigest()
    return f"{digest[:4]}-{digest[4:8]}-{digest[8:12]}"


FILE_HINT = tr("put the original file, unchanged, next to the scenario")


def file_fault(file: UserFile, folder: Path) -> str:
    """Return the fault of a user's file that must be in a folder unchanged, or an empty string."""
    path = folder / Path(file.name).name
    if not is_file(path):
        return tr("{name} is missing from this folder", name=file.name)
    if file.sha256 and file_hash(path) != file.sha256:
        return tr("{name} is not the file that the scenario was drawn with", name=file.name)
    return ""


def file_hash(path: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def compose(origin: Origin, body: str) -> str:
    """Return a complete scenario file, given its origin and its body."""
    head: dict[str, object] = {"game": origin.game, "format": FORMAT}
    if origin.code:
        head |= {"code": origin.code, "version": origin.version, "seal": _seal(origin, body)}
    parts = [FILE_TITLE, "[muster]"]
    return "\n".join([*parts, *text.lines(head), *_option_lines(origin)]) + "\n\n" + body


def is_as_written(content: bytes) -> bool:
    """Return whether content is a scenario file exactly as Muster writes it for its code."""
    if not content.startswith(FILE_TITLE.encode()):
        return False
    try:
        found = head(Source("", content.decode()))
    except (DataError, UnicodeDecodeError):
        return False
    of = origin_of_head(found)
    text = content.decode()
    return bool(of.code) and compose(of, text[len(compose(of, "")) :]) == text


def _option_lines(origin: Origin) -> list[str]:
    """Return the lines with the options of the draw and the user's files."""
    lines: list[str] = []
    if origin.options:
        lines += ["", "[muster.wishes]", *text.lines(origin.options)]
    if origin.files:
        files = {option: {"name": f.name, "sha256": f.sha256} for option, f in origin.files.items()}
        lines += ["", "[muster.files]", *text.lines(files)]
    return lines


def _seal(origin: Origin, body: str) -> str:
    return content_hash("\n".join([origin.game, origin.code, origin.version, *_option_lines(origin), body]))


def head(source: Source) -> Head:
    """Return the head of a scenario file.

    Raises:
        DataError: If there is no head or its format is unknown.
    """
    if "muster" not in source.data:
        raise DataError(
            source.problem(
                (),
                tr("is not a Muster scenario: the table [muster] is missing"),
                tr('start the table with game = "…"'),
            )
        )
    found = source.read(_Headed).muster
    if found.format != FORMAT:
        raise DataError(
            source.problem(
                ("muster", "format"),
                tr("format {format} is not supported", format=found.format),
                tr("this version reads format {format}", format=FORMAT),
            )
        )
    problems = [
        source.problem(("muster", "files", option, "name"), fault)
        for option, file in found.files.items()
        if (fault := file_name_fault(file.name))
    ]
    problems += [
        source.problem(("muster", "files", option, "sha256"), tr("is not a SHA-256 hash in hexadecimal"))
        for option, file in found.files.items()
        if not _DIGEST.fullmatch(file.sha256)
    ]
    problems += [
        source.problem(("muster", "wishes", option), fault)
        for option, value in found.options.items()
        if (fault := name_fault(value))
    ]
    DataError.raise_if_any(problems)
    return found


def origin_of_draw(game: str, order: Request) -> Origin:
    """Return the origin of a requested draw, with its code, options, and the present hashes of user files."""
    files = {option: UserFile(path.name, file_hash(path)) for option, path in order.files.items()}
    return Origin(game, order.code, __version__, dict(order.options), files)


def origin_of_head(found: Head) -> Origin:
    """Return the origin that a head states. `is_as_drawn` checks whether it is still valid."""
    return Origin(found.game, found.code, found.version, found.options, _user_files(found.files))


def user_files(raw: object) -> dict[str, UserFile]:
    """Return the user's files that a `[muster.files]` table lists, keyed by option.

    Raises:
        msgspec.ValidationError: If the table has another form.
    """
    return _user_files(msgspec.convert(raw, dict[str, _File]))


def _user_files(files: Mapping[str, _File]) -> dict[str, UserFile]:
    return {option: UserFile(file.name, file.sha256) for option, file in files.items()}


def is_as_drawn(found: Head, body: str) -> bool:
    """Return whether the content is still the same as that drawn from the code."""
    return bool(found.code) and found.seal == _seal(origin_of_head(found), body)
