"""Read TOML into typed values, and report each fault with its file and line."""

from __future__ import annotations

import datetime
import math
import re
import tomllib
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from generator import __version__
from generator.errors import DataError, Problem, describe_error
from generator.localization import bilingual, tr, tr_external
from generator.model.words import Words
from generator.notation.foreign import import_command, recognise
from generator.notation.text import invisible_fault, print_hint, unprinted_fault
from generator.notation.toml_positions import key_lines, statement_line, unclosed
from generator.notation.validation import KeyPath, TextLine, in_standard_spelling, value_faults
from generator.store.folders import decode_first, is_there, line_of, missing_file_problem, shipped_path
from generator.store.folders import read as content
from generator.store.json_files import TOO_DEEP, deep_toml
from generator.store.write import read_from_cache, write_to_cache


class _Fault(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    text: Words = msgspec.field(name="told")
    hint: Words = Words("", "")


def toml_fault(reason: str) -> tuple[str, str]:
    """Return Muster's description of a fault that tomllib reports, and a hint.

    Unknown faults have tomllib's own message.
    """
    known = read(shipped_path("data") / "toml.toml", dict[str, _Fault])
    found = next((of for says, of in known.items() if re.match(says, reason)), None)
    if found is None:
        return tr_external(reason), ""
    text, hint = found.text.fill(), found.hint.fill()
    return bilingual(text.en, text.ja), bilingual(hint.en, hint.ja)


T = TypeVar("T")

FILE_LIMIT = 1 << 20
LINE_LIMIT = 4096
DEPTH_LIMIT = 12
DOT_LIMIT = 64
INTEGER_LIMIT = 1 << 53
MAX_CACHED_FILES = 600
"""The maximum number of files of data/ in the user's cache, which is enough for several versions of each."""
MAX_KEY_SHOWN = 80
"""The maximum number of characters of a key in a message."""

_UNCLOSED = {"[": "Unclosed array", "{": "Unclosed inline table"}
"""tomllib's message for a bracket that is still open at the end of the text, unless a value is expected there."""

_PART = re.compile(r"""[\s\w"'-]*""")


MAX_MARKS = 4
"""The number of characters `#` of a line that are examined to find its comment."""


class Source:
    """A TOML text with its name and the lines of its keys."""

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.text = unicodedata.normalize("NFC", text)
        self.data = _parse(name, self.text)
        DataError.raise_if_any(self.problem(keys, message) for keys, message in _disallowed_values(self.data, ()))

    def comments(self) -> list[tuple[int, str]]:
        """Return the comments with their lines, counted from 1."""
        found: list[tuple[int, str]] = []
        lines = self.text.split("\n")
        for at, line in enumerate(lines):
            # A # within a text, such as the row of a map, is a part of a value.
            for mark in [i for i, sign in enumerate(line) if sign == "#"][:MAX_MARKS]:
                rest = "\n".join([*lines[:at], line[:mark], *lines[at + 1 :]])
                with suppress(tomllib.TOMLDecodeError):
                    if tomllib.loads(rest) == self.data:
                        found.append((at + 1, line[mark:].strip()))
                        break
        return found

    @classmethod
    def open(cls, path: Path, name: str | None = None) -> Source:
        """Read a file.

        Raises:
            DataError: If the file cannot be read or contains invalid TOML.
        """
        name = name or str(path)
        try:
            if not is_there(path):
                raise DataError(missing_file_problem(path, ".toml", name))
            raw = content(path, FILE_LIMIT)
        except (OSError, ValueError) as error:
            reason = describe_error(error)
            raise DataError(Problem(tr("cannot be read: {reason}", reason=reason), name)) from error
        if raw.startswith(b"%PDF-"):
            raise DataError(Problem(tr("is a PDF file"), name, hint=tr("expected a text file in TOML")))
        if path.is_relative_to(shipped_path("data")) and len(raw) <= FILE_LIMIT:
            return _Shipped(name, raw)
        return cls.of(raw, name)

    @classmethod
    def of(cls, raw: bytes, name: str) -> Source:
        """Read the bytes of a file.

        Raises:
            DataError: If the bytes cannot be read or contain invalid TOML. If they are a file of another program, the
                hint is the command that imports it.
        """
        try:
            return cls._of(raw, name)
        except DataError as error:
            if foreign := recognise(raw):
                hint = tr("to import it: {command}", command=import_command(name))
                raise DataError(Problem(foreign.what, name, hint=hint)) from error
            raise

    @classmethod
    def _of(cls, raw: bytes, name: str) -> Source:
        if len(raw) > FILE_LIMIT:
            raise DataError(Problem(tr("is larger than 1 MiB"), name))
        try:
            source = cls(name, decode_first(raw, "utf-8-sig")[0])
        except UnicodeDecodeError as error:
            raise DataError(
                Problem(tr("is not UTF-8 text"), name, line_of(error), tr("save the file as UTF-8"))
            ) from error
        DataError.raise_if_any(
            source.problem(keys, message, hint).but(line=source.line(at))
            for keys, at, message, hint in _unreadable_texts(source.data, ())
        )
        return source

    def read(self, kind: type[T], table: str | None = None) -> T:
        """Return the whole file, or one of its tables, as a value of type `kind`."""
        of, at = (self.data, ()) if table is None else (self.data[table], (table,))
        return convert(of, kind, self.problem, at)

    def problem(self, keys: KeyPath, message: str, hint: str = "", remark: bool = False) -> Problem:
        """Return a problem or a remark about a key."""
        path = [key for key in keys if not isinstance(key, TextLine)]
        place = "".join(f"[{k + 1}]" if isinstance(k, int) else f".{k[:MAX_KEY_SHOWN]}" for k in path).lstrip(".")
        sentence = tr("{place}: {message}", place=place, message=message) if place else message
        return Problem(sentence, self.name, self.line(keys), hint, remark)

    def line(self, keys: KeyPath) -> int:
        """Return the 1-based line of a key or its nearest enclosing table, or 1 if neither is found.

        Each line of a string of several lines has its number as a key, counted from 0.
        """
        lines = self.lines
        while keys:
            if keys in lines:
                return lines[keys]
            keys = keys[:-1]
        return 1

    @cached_property
    def lines(self) -> dict[KeyPath, int]:
        """The 1-based line of every key path, which is computed only when a fault is reported."""
        return key_lines(self.text)


class _Shipped(Source):
    """A file of data/, which is changed only by new versions of Muster.

    A validated copy is kept in the user's cache.
    """

    def __init__(self, name: str, raw: bytes) -> None:
        self.name, self._raw = name, raw

    @cached_property
    def text(self) -> str:  # type: ignore[override]
        """The text of the whole file."""
        return self._whole.text

    @cached_property
    def data(self) -> dict[str, Any]:  # type: ignore[override]
        """The file as a dictionary of plain values."""
        return self.read(dict)

    @cached_property
    def _whole(self) -> Source:
        return Source(self.name, self._raw.decode("utf-8-sig"))

    def read(self, kind: type[T], table: str | None = None) -> T:
        """Return the file, or one of its tables, as a value of a type."""
        name = sha256(repr((__version__, kind, table)).encode() + self._raw).hexdigest()[:32]
        with suppress(msgspec.MsgspecError):
            return msgspec.msgpack.decode(read_from_cache("data", name) or b"", type=kind)
        value = self._whole.read(kind, table)
        of = self._whole.data
        write_to_cache("data", name, msgspec.msgpack.encode(of if table is None else of[table]), MAX_CACHED_FILES)
        return value


def read(path: Path, kind: type[T], name: str | None = None) -> T:
    """Read a TOML file into a typed value."""
    return Source.open(path, name).read(kind)


def shipped_table(path: str, kind: type[T]) -> Callable[[], T]:
    """Return a function that returns a file of data/ as a value of a type. The file is read on the first call."""
    return cache(lambda: read(shipped_path("data") / path, kind))


def convert(of: object, kind: type[T], problem: Callable[..., Problem], at: KeyPath = ()) -> T:
    """Return values read from a file as a value of a type.

    `problem` makes a problem from a fault at a key, and `at` is the path of these values in their file.

    Raises:
        DataError: If the values do not match the type. The error lists each fault.
    """
    try:
        value, refused = msgspec.convert(of, kind), ""
    except msgspec.ValidationError:
        of = in_standard_spelling(of, kind)
        try:
            value, refused = msgspec.convert(of, kind), ""
        except msgspec.ValidationError as error:
            refused = str(error)
    DataError.raise_if_any(
        sorted(
            (problem(*fault) for fault in value_faults(of, kind, at, not refused)), key=lambda problem: problem.line
        )
    )
    if refused:
        message, _, where = refused.partition(" - at `$")
        if lacking := re.match("Object missing required field `(.*)`$", message):
            message = tr("`{name}` is missing", name=lacking[1])
        raise DataError(problem((*at, *_keys(where.rstrip("`"))), message))
    return value


def _keys(where: str) -> KeyPath:
    parts = re.findall(r"\.([\w-]+)|\[(\d+)\]|\[\.\.\.\]", where)
    return tuple(int(index) if index else key for key, index in parts if key or index)


def _parse(name: str, text: str) -> dict[str, object]:
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > LINE_LIMIT:
            raise DataError(
                Problem(tr("the line is longer than {line_limit} characters", line_limit=LINE_LIMIT), name, number)
            )
        if _many_parts(line):
            raise DataError(Problem(TOO_DEEP, name, number))
    if number := deep_toml(text):
        raise DataError(Problem(TOO_DEEP, name, number))
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        library_message = re.sub(r"\s*\(at .*\)$", "", str(error))
        if match := re.search(r"\(at line (\d+), column (\d+)\)", str(error)):
            at = int(match[1]), int(match[2])
            line_number = statement_line(text, *at) if library_message.startswith("Cannot") else at[0]
        else:  # the text ends too early
            mark, line_number = unclosed(text)
            line_number = line_number or text.rstrip().count("\n") + 1
            library_message = (
                _UNCLOSED.get(mark, library_message) if library_message == "Invalid value" else library_message
            )
        reason, hint = toml_fault(library_message)
        line = text.split("\n")[line_number - 1]
        hint = _typing_hint(line) or hint
        if zero := _LEADING_ZERO.search(_TEXT.sub("", line)):
            reason, hint = tr("a number cannot begin with 0"), tr("write it as text: {text}", text=f'"{zero[1]}"')
        raise DataError(Problem(tr("is not valid TOML: {reason}", reason=reason), name, line_number, hint)) from error
    except ValueError as error:
        # Python refuses to read an integer of more than 4,300 digits.
        raise DataError(Problem(tr("a number is too large"), name, _long_number(text))) from error


_TEXT = re.compile(r"\"[^\"]*\"|'[^']*'|#.*")
"""Matches a text or comment in a line of TOML."""
_TYPOGRAPHIC = {"“": '"', "”": '"', "„": '"', "‟": '"', "‘": "'", "’": "'", "−": "-", "–": "-"}
"""Characters that word processors and phones type instead of a plain one."""
_LEADING_ZERO = re.compile(r"=\s*(0[0-9]+)(?![0-9.:\-])")
"""Matches a number such as 0707, which TOML does not allow."""


def _typing_hint(line: str) -> str:
    """Return a hint for a line of invalid TOML with a full-width or typographic character outside of texts."""
    plain_line = _TEXT.sub(lambda found: " " * len(found[0]), line)
    for typed in plain_line:
        plain = _TYPOGRAPHIC.get(typed) or unicodedata.normalize("NFKC", typed)
        if not typed.isascii() and len(plain) == 1 and plain.isascii():
            label = tr("a space") if plain == " " else plain
            return tr(
                "type {plain} instead of the character {typed} (U+{code:04X})",
                plain=label,
                typed=typed,
                code=ord(typed),
            )
    return ""


def _long_number(text: str) -> int:
    """Return the line of the first number with a thousand digits or more, or 0 if there is none."""
    found = re.search(r"[0-9_]{1000}", text)
    return text.count("\n", 0, found.start()) + 1 if found else 0


def _many_parts(line: str) -> bool:
    """Return whether a line may contain a key with too many parts, for which tomllib is slow."""
    if line.count(".") <= DOT_LIMIT:
        return False
    run = 0
    for part in line.split("."):
        run = run + 1 if _PART.fullmatch(part) else 0
        if run > DOT_LIMIT:
            return True
    return False


def _disallowed_values(value: object, keys: KeyPath) -> Iterator[tuple[KeyPath, str]]:
    """Yield values that Muster's files do not need, with their key paths: deep nesting, infinite numbers, dates."""
    if len(keys) > DEPTH_LIMIT:
        yield keys, TOO_DEEP
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _disallowed_values(inner, (*keys, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _disallowed_values(inner, (*keys, index))
    elif isinstance(value, float) and not math.isfinite(value):
        yield keys, tr("{value} is not a number", value=value)
    elif isinstance(value, int) and abs(value) > INTEGER_LIMIT:
        yield keys, tr("a number is too large")
    elif isinstance(value, datetime.date | datetime.time):
        yield keys, tr("a date or time is not allowed here")


def _unreadable_texts(value: object, keys: KeyPath) -> Iterator[tuple[KeyPath, KeyPath, str, str]]:
    """Yield texts and keys with invisible or unprintable characters.

    Each fault is a tuple of the key path to report, the position, the message and a hint. The path for a key is
    that of its table, because the key itself cannot be read.
    """
    if isinstance(value, dict):
        for key, inner in value.items():
            at = (*keys, key)
            if fault := invisible_fault(key):
                yield keys, at, tr("a key {fault}", fault=fault), ""
            elif fault := unprinted_fault(key):
                yield keys, at, tr("a key {fault}", fault=fault), print_hint(key)
            else:
                yield from _unreadable_texts(inner, at)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _unreadable_texts(inner, (*keys, index))
    elif isinstance(value, str):
        if fault := invisible_fault(value, "\n\t"):
            yield keys, keys, fault, ""
        elif fault := unprinted_fault(value):
            yield keys, keys, fault, print_hint(value)
