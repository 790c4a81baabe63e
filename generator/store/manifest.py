"""The manifest of a kit, which lists its origin and the hashes of its files, and the marks in single files.

A mark is a hash of the rest of its file. It shows whether the file was changed, even if the file was copied
elsewhere. Programs that read the file ignore the mark.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import struct
import sys
import zlib
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from io import SEEK_END
from pathlib import Path
from typing import Any, Literal

import msgspec

from generator import __version__
from generator.errors import DataError, Problem, describe_error
from generator.localization import tr
from generator.store.folders import is_file, is_folder, shipped_path
from generator.store.json_files import JsonFile
from generator.store.lock import HOLDER, LOCK, SOFT_LOCK
from generator.store.write import Content, Draft, blocks, is_plain_name

NAME = "manifest.json"
PHONES = ".muster-phones.json"
"""The file of an event that lists what the phones of its players may enter, and what they have entered."""
LIBRARIES = ("reportlab", "shapely", "fonttools", "noto-cjk", "font-source-sans-pro", "pypdfium2")

Difference = Literal["missing", "changed", "outside", "filled"]
FILLED: Difference = "filled"
"""The difference of a file that users are meant to fill in, which the manifest lists under `to_fill`. It is not a
fault.
"""


def manifest(about: Mapping[str, object], files: Mapping[str, Content]) -> bytes:
    """Return the manifest of these files as JSON. `about` describes the files and how to make them again."""
    return _json({**about, **made_with(), **_listing(files)})


def _listing(files: Mapping[str, Content]) -> dict[str, dict[str, Any]]:
    """Return the hashes and the sizes in bytes of these files, in the form of a manifest."""
    hashes, sizes = {}, {}
    for name, content in files.items():
        whole, size = hashlib.sha256(), 0
        for block in blocks(content):
            whole.update(block)
            size += len(block)
        hashes[name], sizes[name] = whole.hexdigest(), size
    return {"files": hashes, "sizes": sizes}


@cache
def made_with() -> Mapping[str, object]:
    """Return the versions of Muster and its libraries, and the hash of shipped data.

    The bytes of printed files depend on these values.
    """
    libraries = {name: version for name in LIBRARIES if (version := _version(name))}
    return {"muster": __version__, "libraries": libraries, "data": data_hash()}


def extended_manifest(folder: Path, about: Mapping[str, object], files: Mapping[str, Content]) -> bytes:
    """Return the manifest of a folder with these files added, or a new manifest with this description."""
    try:
        there = _content(folder)
    except DataError:
        return manifest(about, files)
    for key, of in _listing(files).items():
        known = there.get(key)
        there[key] = of if not isinstance(known, dict) else known | of
    return _json(there)


def is_manifest(content: bytes) -> bool:
    """Return whether content is a manifest in the form that Muster writes."""
    try:
        found = json.loads(content) if content.startswith(b"{") else None
        return isinstance(found, dict) and {"muster", "data", "files"} <= found.keys() and _json(found) == content
    except (ValueError, RecursionError):
        return False


def differences(folder: Path) -> list[tuple[str, Difference]]:
    """Return the differences between a kit's folder and its manifest, by file.

    Raises:
        DataError: If there is no manifest.
    """
    found: list[tuple[str, Difference]] = []
    content = _content(folder)
    sizes = _sizes(content)
    for name, digest in _listed(folder).items():
        file = folder / name
        if not is_plain_name(name):
            found.append((name, "outside"))
        elif not is_file(file):
            found.append((name, "missing"))
        elif not _unchanged(file, digest, sizes.get(name)):
            found.append((name, FILLED if name in _texts(content, "to_fill") else "changed"))
    return found


def kits_inside(folder: Path) -> list[Path]:
    """Return the subfolders that have their own manifests, as listed under `folders` in the folder's manifest."""
    return [folder / name for name in _texts(_content(folder), "folders") if is_plain_name(name)]


def manifest_value(folder: Path, key: str) -> object:
    """Return the value of a key in a folder's manifest, or None if the key is missing."""
    return _content(folder).get(key)


def as_listed(file: Path) -> bool:
    """Return whether a file belongs to the kit in its folder and is unchanged."""
    try:
        return _listed(file.parent).get(file.name) == _digest(file)
    except DataError:
        return False


def is_listed(file: Path) -> bool:
    """Return whether a file belongs to the kit in its folder, changed or not."""
    try:
        return file.name in _listed(file.parent)
    except DataError:
        return False


def own_files(folder: Path) -> list[str]:
    """Return the unchanged files of the kit in a folder, or an empty list if there is no kit."""
    try:
        listed = _listed(folder)
    except DataError:
        return []
    return [name for name, digest in listed.items() if is_plain_name(name) and has_hash(folder / name, digest)]


def has_hash(file: Path, digest: str) -> bool:
    """Return whether a file exists and has a hash."""
    return is_file(file) and _digest(file) == digest


def foreign_files(folder: Path) -> list[str]:
    """Return the files in a kit's folder that are not part of the kit."""
    listed = {
        NAME,
        *_listed(folder),
        *_texts(_content(folder), "beside"),
        *(path.name for path in kits_inside(folder)),
    }
    listed |= {LOCK, SOFT_LOCK, HOLDER, PHONES}
    return sorted(path.name for path in folder.iterdir() if path.name not in listed)


def _content(folder: Path) -> dict[str, Any]:
    """Return the content of a folder's manifest.

    Raises:
        DataError: If there is no valid manifest.
    """
    path = folder / NAME
    if not is_file(path):
        if not is_folder(folder):
            raise DataError(Problem(tr("no such folder"), str(folder)))
        hint = tr("give the folder of a printed kit")
        raise DataError(
            Problem(
                tr("there is no {name} in this folder, so the kit is not complete", name=NAME), str(folder), hint=hint
            )
        )
    source = JsonFile(path)
    content = source.data
    if not isinstance(content, dict) or not isinstance(content.get("files"), dict):
        hint = tr("a manifest lists the files of a kit and their hashes under `files`")
        raise DataError(source.problem((), tr("is not the manifest of a kit"), hint))
    if not content["files"]:
        raise DataError(source.problem(("files",), tr("lists no files")))
    return content


def _json(content: Mapping[str, object]) -> bytes:
    return (json.dumps(content, ensure_ascii=False, indent=2) + "\n").encode()


def _texts(content: Mapping[str, Any], key: str) -> list[str]:
    """Return the texts of the list at a key, or an empty list if there is no list."""
    found = content.get(key)
    return [text for text in found if isinstance(text, str)] if isinstance(found, list) else []


def _listed(folder: Path) -> dict[str, str]:
    """Return the kit's files with their hashes, from its manifest."""
    return {name: str(digest) for name, digest in _content(folder)["files"].items()}


def _sizes(content: Mapping[str, Any]) -> dict[str, int]:
    """Return the sizes of files in bytes from a manifest. Manifests of Muster 0.2 do not list sizes."""
    sizes = content.get("sizes")
    return {name: size for name, size in sizes.items() if type(size) is int} if isinstance(sizes, dict) else {}


def _unchanged(path: Path, digest: str, size: int | None) -> bool:
    """Return whether a file has a hash. If its size is known and differs, the file is not read."""
    try:
        with path.open("rb") as file:
            if size is not None and os.fstat(file.fileno()).st_size != size:
                return False
            return hashlib.file_digest(file, "sha256").hexdigest() == digest
    except OSError as error:
        raise DataError(Problem(tr("cannot be read: {reason}", reason=describe_error(error)), str(path))) from error


def _digest(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise DataError(Problem(tr("cannot be read: {reason}", reason=describe_error(error)), str(path))) from error


def _version(library: str) -> str:
    """Return the version of a library, or an empty string if it is not installed, as may be the case for fonts.

    importlib.metadata returns the same version, but takes ten times as long to import.
    """
    if noted := _installed_versions().get(library.replace("-", "_")):
        return noted
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(library)
    except PackageNotFoundError:
        return ""


@cache
def _installed_versions() -> dict[str, str]:
    """Return the versions of all installed libraries.

    If a library has several versions, the imported one is returned.
    """
    found: dict[str, str] = {}
    for folder in map(Path, sys.path):
        for note in folder.glob("*.dist-info"):
            library, _, version = note.stem.partition("-")
            found.setdefault(library, version)
    return found


@cache
def data_hash() -> str:
    """Return a hash of the names and contents of all shipped data."""
    return _hash(shipped_path("data"), "*")


@cache
def rules_hash() -> str:
    """Return a hash of the names and contents of Muster's own code, which includes the rules."""
    return _hash(Path(__file__).resolve().parents[1], "*.py")


def _hash(root: Path, which: str) -> str:
    whole = hashlib.sha256()
    for path in sorted(p for p in root.rglob(which) if p.is_file()):
        whole.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return whole.hexdigest()


_MARK_TEXT = "Muster wrote this; unchanged while the rest has the SHA-256"


class _MarkFormat(msgspec.Struct, frozen=True):
    """The form of marks in one type of file.

    It consists of the beginnings of such files, the text after the mark, and a function that makes the mark from a
    hash.
    """

    begins: tuple[bytes, ...]
    ends: bytes
    """The text before whose last occurrence the mark is placed. If this is empty, the mark is at the end of the file.
    """
    mark: Callable[[str], bytes]

    def parted(self, content: bytes) -> int:
        """Return the position of the mark in a file, or -1 if the file is of another type."""
        if not content.startswith(self.begins):
            return -1
        return content.rfind(self.ends) if self.ends else len(content)


def _line(pattern: str) -> Callable[[str], bytes]:
    """Return a function that makes a mark from a line of text with {said} and {digest}."""
    return lambda digest: pattern.format(said=_MARK_TEXT, digest=digest).encode()


def _png(digest: str) -> bytes:
    text = b"tEXtComment\0" + f"{_MARK_TEXT} {digest}".encode()
    return struct.pack(">I", len(text) - 4) + text + struct.pack(">I", zlib.crc32(text))


def _gif(digest: str) -> bytes:
    text = f"{_MARK_TEXT} {digest}".encode()
    return b"\x21\xfe" + bytes([len(text)]) + text + b"\0"


_MARK_FORMATS = (
    _MarkFormat((b"%PDF-",), b"startxref", _line("% {said} {digest}\n")),
    _MarkFormat((b"\x89PNG\r\n\x1a\n",), b"\0\0\0\0IEND", _png),
    _MarkFormat((b"GIF89a",), b";", _gif),
    _MarkFormat((b"<svg ", b"<!doctype html>", b"<!DOCTYPE html>"), b"", _line("<!-- {said} {digest} -->\n")),
    _MarkFormat((b"{\n",), b"\n}\n", _line(',\n  "seal": "{digest}"')),
    _MarkFormat((b"# ",), b"", _line("# {said} {digest}\n")),
)
_COMMENT_FORMAT = _MARK_FORMATS[-1]
_PDF_END_BYTES = 1024
"""The number of bytes at the end of a PDF that contain the position of its cross-reference table."""
_TEXT_FORMAT = _MarkFormat((b"",), b"", _line("({said} {digest})\n"))
"""The form of marks in text files without a typical beginning, such as logs."""
_COMMENT_LINE = re.compile(rf"^# {re.escape(_MARK_TEXT)} [0-9a-f]{{64}}\n", re.MULTILINE)


def seal(content: bytes) -> bytes:
    """Return content with its mark, which is possible for PDF, pictures, HTML, JSON, TOML and other text."""
    at, mark = _mark(content)
    return content[:at] + mark + content[at:]


def seal_toml(text: str) -> bytes:
    """Return the content of a TOML file, which ends with a newline, with its mark as a comment in the last line."""
    return text.encode() + _COMMENT_FORMAT.mark(hashlib.sha256(text.encode()).hexdigest())


def without_mark(text: str) -> str:
    """Return the text of a TOML file without its mark, whether or not the mark is still valid."""
    return _COMMENT_LINE.sub("", text)


def seal_at_end(pdf: Draft) -> None:
    """Add the mark to an unfinished PDF, of which only the end is kept in memory."""
    whole = _hashed(pdf.blocks())
    pdf.seek(max(0, pdf.tell() - _PDF_END_BYTES))
    end = pdf.read()
    at = end.rindex(_MARK_FORMATS[0].ends)
    pdf.seek(at - len(end), SEEK_END)
    pdf.write(_MARK_FORMATS[0].mark(whole.hexdigest()) + end[at:])


def _hashed(content: Iterable[bytes]) -> Any:
    whole = hashlib.sha256()
    for block in content:
        whole.update(block)
    return whole


def _mark(content: bytes) -> tuple[int, bytes]:
    """Return the position of the mark in content, and the mark."""
    form = next((form for form in _MARK_FORMATS if form.parted(content) >= 0), _TEXT_FORMAT)
    return form.parted(content), form.mark(hashlib.sha256(content).hexdigest())


def sealed(content: bytes) -> bool:
    """Return whether content has its mark and has not been changed since."""
    form = next((form for form in _MARK_FORMATS if form.parted(content) >= 0), _TEXT_FORMAT)
    # A TOML file need not begin with a comment.
    return _has_mark(content, form) or (form is _TEXT_FORMAT and _has_mark(content, _COMMENT_FORMAT))


def _has_mark(content: bytes, form: _MarkFormat) -> bool:
    end = len(content) if form is _COMMENT_FORMAT else form.parted(content)
    start = end - len(form.mark("0" * 64))
    if start < 0:
        return False
    whole = hashlib.sha256(content[:start])
    whole.update(content[end:])
    return content[start:end] == form.mark(whole.hexdigest())
