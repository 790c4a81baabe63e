"""The Jinja2 environment of templates: access only to given values, with hints for unknown names."""

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

# `generator.press.sandbox.sandbox` sets limits of time and memory. From a user's folder of templates only files
# inside it are read: names and links that lead out are refused.

FILTERS = (
    "abs", "batch", "capitalize", "count", "d", "default", "dictsort", "e", "escape", "first", "float", "groupby",
    "int", "items", "join", "last", "length", "list", "lower", "map", "max", "min", "reject", "rejectattr",
    "replace", "round", "select", "selectattr", "slice", "sort", "string", "sum", "title", "trim", "truncate",
    "unique", "upper", "wordcount",
)  # fmt: skip
"""Jinja2's filters, except random ones and those whose output is not text for a sheet."""
GLOBALS = ("range", "dict", "namespace")
"""Jinja2's functions that templates may call."""
METHODS: Mapping[type, tuple[str, ...]] = {
    str: ("capitalize", "endswith", "format", "lower", "startswith", "strip", "title", "upper"),
    dict: ("get", "items", "keys", "values"),
    list: ("count", "index"),
    tuple: ("count", "index"),
    int: (),
    float: ("is_integer",),
}
"""Methods that templates may call on values; a mapping's own keys take precedence."""


class UnknownNameError(jinja2.UndefinedError):
    """A template uses an unknown name; `accepted` are the valid names, if known."""

    def __init__(self, message: str, name: str, accepted: list[str] | None) -> None:
        super().__init__(message)
        self.name, self.accepted = name, accepted

    def hint(self, known: Iterable[str]) -> str:
        """Return a suggestion; `known` are the names on the sheet itself."""
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
    """Return the names that may follow a value's dot."""
    if isinstance(value, Mapping):
        return [key for key in value if isinstance(key, str)]
    return [method for kind, methods in METHODS.items() if isinstance(value, kind) for method in methods]


class Sandbox(ImmutableSandboxedEnvironment):
    """An environment whose templates can use only their values, these filters and these functions."""

    def __init__(self, **options: Any) -> None:
        super().__init__(undefined=_UnknownName, autoescape=True, auto_reload=False, **options)
        self.filters = {name: self.filters[name] for name in FILTERS}
        self.globals = {name: self.globals[name] for name in GLOBALS}

    def compile(self, source: Any, name: Any = None, filename: Any = None, *rest: Any) -> Any:
        """Compile a template; code that Python cannot compile is an error of the template."""
        try:
            return super().compile(source, name, filename, *rest)
        except (SyntaxError, RecursionError, MemoryError) as error:
            raise jinja2.TemplateSyntaxError(tr("too long, or nested too deeply"), 0, name, filename) from error

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Return a mapping's own key before its methods: `w.items` is the word, not dict.items."""
        if (type(obj) is dict or isinstance(obj, Mapping)) and attribute in obj:
            return obj[attribute]
        for kind, methods in METHODS.items():
            if isinstance(obj, kind) and attribute not in methods:
                return self.undefined(obj=obj, name=attribute)
        return super().getattr(obj, attribute)

    def getitem(self, obj: Any, argument: Any) -> Any:
        """Return an item by number or key, never a method."""
        try:
            return obj[argument]
        except (TypeError, LookupError):
            return self.undefined(obj=obj, name=argument)


MAX_BYTES = 1024 * 1024
"""Maximum size of a template file; shipped ones have about 5,000 bytes."""
_MAX_LISTED = 2000
"""Maximum number of files and folders scanned for a similar name."""


class UserTemplates(jinja2.BaseLoader):
    """Finds templates by name in a user's folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def get_source(self, environment: Any, template: str) -> tuple[str, str, Callable[[], bool]]:
        """Return the source of a template.

        Raises: DataError for anything other than a text file of acceptable size.
        """
        if any(part in ("", ".", "..") or set(part) & set("\\:\0") for part in template.split("/")):
            raise jinja2.TemplateNotFound(template)
        path = self.folder / PurePosixPath(template)
        if not os.path.lexists(path):
            raise jinja2.TemplateNotFound(template)
        return _text(path, self.folder), str(path), lambda: True

    def list_templates(self) -> list[str]:
        """Return the names of templates, limited in very large folders."""
        return sorted(list_templates(self.folder))


def list_templates(folder: Path) -> list[str]:
    """Return the names of templates in a folder, scanning a limited number of entries."""
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
    """Return a template's text."""
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
        raise DataError(Problem(tr("is not text in UTF-8"), str(path), line, tr("save it as UTF-8"))) from error
