"""Where to write: -o, with a slip between file and folder told before anything is drawn."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from generator.cli.how import FORMATS
from generator.store.folders import is_file, is_folder

F = TypeVar("F", bound=Callable[..., Any])

WRITTEN = (".pdf", ".png", ".svg", ".toml")
"""What the names of files end in that Muster writes; folders are not called so."""


class Out(click.Path):
    """A file or a folder to write; where `--format` asks for pictures, a folder in any case."""

    def __init__(self, folder: bool, ending: str = "") -> None:
        super().__init__(path_type=Path)
        self.folder, self.ending = folder, ending

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path, or an error with what would do."""
        typed, path = str(value), Path(value)
        folder = self.folder or bool(ctx and ctx.params.get("format") in FORMATS)
        if not typed.strip():
            self.fail(f"it is empty; name a {'folder' if folder else 'file'}, or leave -o out", param, ctx)
        if folder and is_file(path):
            self.fail(f"{typed!r} is a file, and a folder is meant", param, ctx)
        if folder and path.suffix.lower() in WRITTEN and not is_folder(path):
            bare = str(path.with_suffix(""))
            self.fail(f"{typed!r} is a file's name, and a folder is meant, such as {bare!r}", param, ctx)
        if not folder and (is_folder(path) or typed.endswith(("/", "\\"))):
            self.fail(f"{typed!r} is a folder, and a file is meant: name one in it", param, ctx)
        if self.ending and path.suffix.lower() != self.ending:
            self.fail(
                f"{typed!r} does not end in {self.ending}; name it {str(path.with_suffix(self.ending))!r}", param, ctx
            )
        return super().convert(value, param, ctx)


def out_file(told: str, ending: str = "") -> Callable[[F], F]:
    """-o FILE, which must end so where an ending is given."""
    return click.option("-o", "--out", metavar="FILE", type=Out(folder=False, ending=ending), help=told)


def out_folder(told: str) -> Callable[[F], F]:
    """-o DIR."""
    return click.option("-o", "--out", metavar="DIR", type=Out(folder=True), help=told)
