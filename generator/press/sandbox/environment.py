"""The Jinja2 environment of templates, which can access only the values given, with hints for unknown names."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from pathlib import Path, PurePosixPath
from stat import S_ISREG
from typing import Any

import jinja2
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.utils import missing

from generator.errors import DataError, Problem, describe_error, near
from generator.localization import tr

# The limits of time and memory are set in `generator.press.sandbox.sandbox`. In a user's folder of templates, only
# files inside the folder are read. Names and links that lead out of it are rejected.

FILTERS = (
    "abs", "batch", "capitalize", "count", "d", "default", "dictsort", "e", "escape", "first", "float", "groupby",
    "int", "items", "join", "last", "length", "list", "lower", "map", "max", "min", "reject", "rejectattr",
    "replace", "round", "select", "selectattr", "slice", "sort", "string", "sum", "title", "trim", "truncate",
    "unique", "upper", "wordcount",
)  # fmt: skip
"""The Jinja2 filters that templates may use, without random filters and those whose output is not text for a
sheet."""
GLOBALS = ("range", "dict", "namespace")
"""Jinja2 functions that templates may call."""
METHODS: Mapping[type, tuple[str, ...]] = {
    str: ("capitalize", "endswith", "format", "lower", "startswith", "strip", "title", "upper"),
    dict: ("get", "items", "keys", "values"),
    list: ("count", "index"),
    tuple: ("count", "index"),
    int: (),
    float: ("is_integer",),
}
"""Methods that templates may call on values. The keys of a mapping take precedence over its methods."""


class UnknownNameError(jinja2.UndefinedError):
    """Raised if a template uses an unknown name. `accepted` are the valid names if they are known."""

    def __init__(self, message: str, name: str, accepted: list[str] | None) -> None:
        super().__init__(message)
        self.name, self.accepted = name, accepted

    def hint(self, known: Iterable[str]) -> str:
        """Return a suggestion for the unknown name. `known` are the names defined by the sheet itself."""
        return near(self.name, sorted(known if self.accepted is None else self.accepted))


class _UnknownName(jinja2.StrictUndefined):
    """An unknown name, which raises an error as soon as it is used."""

    __slots__ = ()

    def __init__(self, hint: str | None = None, obj: Any = missing, name: Any = None, exc: Any = None) -> None:
        accepted = None if obj is missing else _accepted_names(obj)

        def error(message: str) -> Exception:
            return UnknownNameError(message, str(name), accepted)

        super().__init__(hint, obj, name, exc or error)  # type: ignore[arg-type] # jinja2 only calls it


def _accepted_names(value: Any) -> list[str]:
    """Return the names that can follow a dot after this value."""
    if isinstance(value, Mapping):
        return [key for key in value if isinstance(key, str)]
    return [method for kind, methods in METHODS.items() if isinstance(value, kind) for method in methods]


class Sandbox(ImmutableSandboxedEnvironment):
    """An environment in which templates can use only their values and the listed filters, functions and methods."""

    def __init__(self, **options: Any) -> None:
        super().__init__(undefined=_UnknownName, autoescape=True, auto_reload=False, **options)
        self.filters = {name: self.filters[name] for name in FILTERS}
        self.globals = {name: self.globals[name] for name in GLOBALS}

    def compile(self, source: Any, name: Any = None, filename: Any = None, *rest: Any) -> Any:
        """Compile a template. Code that Python cannot compile is reported as an error of the template."""
        try:
            return super().compile(source, name, filename, *rest)
        except (SyntaxError, RecursionError, MemoryError) as error:
            raise jinja2.TemplateSyntaxError(tr("too long, or nested too deeply"), 0, name, filename) from error

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Return an attribute of a value.

        Keys of a mapping come before methods, so `w.items` is a word and not dict.items.
        """
        if (type(obj) is dict or isinstance(obj, Mapping)) and attribute in obj:
            return obj[attribute]
        for kind, methods in METHODS.items():
            if isinstance(obj, kind) and attribute not in methods:
                return self.undefined(obj=obj, name=attribute)
        return super().getattr(obj, attribute)

    def getitem(self, obj: Any, argument: Any) -> Any:
        """Return an item by index or key, but never a method."""
        try:
            return obj[argument]
        except (TypeError, LookupError):
            return self.undefined(obj=obj, name=argument)


MAX_BYTES = 1024 * 1024
"""Maximum size of a template file. Shipped templates have about 5,000 bytes."""
_MAX_LISTED = 2000
"""Maximum number of files and folders that are scanned for a similar name."""


class UserTemplates(jinja2.BaseLoader):
    """A loader that finds templates by name in a user's folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def get_source(self, environment: Any, template: str) -> tuple[str, str, Callable[[], bool]]:
        """Return the source of a template.

        Raises:
            DataError: If the file is not a text file of acceptable size.
        """
        if any(part in ("", ".", "..") or set(part) & set("\\:\0") for part in template.split("/")):
            raise jinja2.TemplateNotFound(template)
        path = self.folder / PurePosixPath(template)
        if not os.path.lexists(path):
            raise jinja2.TemplateNotFound(template)
        return _text(path, self.folder), str(path), lambda: True

    def list_templates(self) -> list[str]:
        """Return the names of the templates, limited to part of a very large folder."""
        return sorted(list_templates(self.folder))


def list_templates(folder: Path) -> list[str]:
    """Return the names of the templates in a folder. Only a limited number of entries is scanned."""
    found, ahead, left = [], deque([folder]), _MAX_LISTED
    while ahead and left > 0:
        try:
            with os.scandir(ahead.popleft()) as entries:
                some = list(islice(entries, left))
        except OSError:
            continue
        left -= len(some)
        paths = [Path(entry) for entry in some]
        found += [path.relative_to(folder).as_posix() for path in paths if path.suffix == ".xml"]
        ahead += (path for path, entry in zip(paths, some, strict=True) if entry.is_dir(follow_symlinks=False))
    return found


def _text(path: Path, folder: Path) -> str:
    """Return the text of a template file.

    Raises:
        DataError: If the file is outside the folder, too large or not a text file.
    """
    try:
        if not S_ISREG(path.stat().st_mode):
            raise DataError(Problem(tr("cannot be used as a template"), str(path)))
        if not path.resolve().is_relative_to(folder.resolve()):
            raise DataError(
                Problem(
                    tr("is a link to a place outside the folder"), str(path), hint=tr("copy the file to the folder")
                )
            )
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except (OSError, RuntimeError) as error:
        raise DataError(Problem(tr("cannot be read: {reason}", reason=describe_error(error)), str(path))) from error
    if len(content) > MAX_BYTES:
        raise DataError(Problem(tr("is larger than {most_bytes:,} KiB", most_bytes=MAX_BYTES // 1024), str(path)))
    try:
        return content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise DataError(Problem(tr("is not text in UTF-8"), str(path), line, tr("save the file as UTF-8"))) from error
