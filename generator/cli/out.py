"""Where to write: -o and --force, with a slip between file and folder told before anything is drawn."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import click

from generator.cli import put
from generator.cli.how import FORMATS
from generator.errors import Problem, WrongUsageError
from generator.store.folders import is_file, is_folder
from generator.store.read import STREAM, is_stream

F = TypeVar("F", bound=Callable[..., Any])

WRITTEN = (".pdf", ".png", ".svg", ".toml", ".json", ".html", ".txt")
"""What the names of files end in that Muster writes; folders are not called so."""
OUTPUT = {str(STREAM), "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"}
"""How the standard output is called."""


class Out(click.Path):
    """A file or a folder to write; where `--format` asks for pictures, a folder in any case."""

    def __init__(self, folder: bool, *endings: str) -> None:
        super().__init__(path_type=Path)
        self.folder, self.endings = folder, endings

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path, or an error with what would do."""
        typed, path = str(value), Path(value)
        folder = self.folder or bool(ctx and ctx.params.get("format") in FORMATS)
        if not typed.strip():
            self.fail(f"it is empty; name a {'folder' if folder else 'file'}, or leave -o out", param, ctx)
        if typed in OUTPUT:
            if folder:
                self.fail(f"{typed!r} takes one file, and several are written here: name a folder", param, ctx)
            return STREAM
        if folder and (is_file(path) or is_stream(path)):
            self.fail(f"{typed!r} is a file, and a folder is meant", param, ctx)
        if folder and path.suffix.lower() in WRITTEN and not is_folder(path):
            bare = str(path.with_suffix(""))
            self.fail(f"{typed!r} is a file's name, and a folder is meant, such as {bare!r}", param, ctx)
        if not folder and (is_folder(path) or typed.endswith(("/", "\\"))):
            self.fail(f"{typed!r} is a folder, and a file is meant: name one in it", param, ctx)
        if not folder and (fault := _misnamed(path, *self.endings)):
            self.fail(fault, param, ctx)
        return super().convert(value, param, ctx)


def named(out: Path | None, ending: str) -> None:
    """WrongUsageError for a file whose name does not end so."""
    if out and (fault := _misnamed(out, ending)):
        raise WrongUsageError(Problem(f"-o: {fault}"))


def _misnamed(path: Path, *endings: str) -> str:
    """What is wrong with a file's name; a stream or a device may be called anything."""
    if not endings or path.suffix.lower() in endings or is_stream(path):
        return ""
    ending = endings[0]
    return f"{str(path)!r} does not end in {ending}; name it {str(path.with_suffix(ending))!r}"


def out_file(told: str, *endings: str) -> Callable[[F], F]:
    """-o FILE, which must end in one of these, and --force."""
    return _written(click.option("-o", "--out", metavar="FILE", type=Out(False, *endings), help=told))


def out_folder(told: str) -> Callable[[F], F]:
    """-o DIR, and --force."""
    return _written(click.option("-o", "--out", metavar="DIR", type=Out(folder=True), help=told))


_FORCE = click.option("--force", is_flag=True, help="Replace files that Muster did not write, or that were changed.")


def _written(out: Callable[..., Any]) -> Callable[[F], F]:
    """Give a command that option and --force, and have its files written as they say."""

    def decorate(command: F) -> F:
        @wraps(command)
        def writing(*args: Any, force: bool, **values: Any) -> Any:
            with put.asked(force, values["out"]):
                return command(*args, **values)

        made: F = out(_FORCE(writing))
        return made

    return decorate
