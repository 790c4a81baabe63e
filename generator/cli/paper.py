"""Making a kit's files: PDF, scenario, manifest."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from generator.cli.say import lang_option
from generator.cli.scenario import SCENARIO, Loaded, copies, rebuild, spare
from generator.errors import NotInOrderError
from generator.model.views import Kit
from generator.model.words import Lang
from generator.notation.envelope import file_hash
from generator.store.manifest import NAME as MANIFEST
from generator.store.manifest import manifest
from generator.store.write import write_all

if TYPE_CHECKING:
    from generator.press.imposition import Imposing

F = TypeVar("F", bound=Callable[..., Any])

PDF = "kit.pdf"
PAPERS = ("a4", "letter")
INKS = ("full", "saver")


_INK_AND_PAPER = (
    click.option("--ink", type=click.Choice(INKS), default=INKS[0], help="Full colour or ink saver."),
    click.option("--paper", "sheet", type=click.Choice(PAPERS), default=PAPERS[0], help="Paper size."),
)


def print_options(command: F) -> F:
    """--lang, --paper, --ink and -o."""
    for option in (
        click.option("-o", "--out", metavar="DIR", type=click.Path(path_type=Path), help="Folder for the kit."),
        *_INK_AND_PAPER,
        lang_option,
    ):
        command = option(command)
    return command


def sheet_options(command: F) -> F:
    """--lang, --paper, --ink and -o for a verb that may print what it says."""
    for option in (
        click.option("-o", "--out", metavar="FILE", type=click.Path(path_type=Path), help="Print it too: the PDF."),
        *_INK_AND_PAPER,
        lang_option,
    ):
        command = option(command)
    return command


def options(lang: Lang, paper: str, ink: str) -> dict[str, str]:
    """The print options as a command names them."""
    return {"lang": lang, "paper": paper} | ({"ink": ink} if ink != INKS[0] else {})


def folder(loaded: Loaded, out: Path | None) -> Path:
    """Where a kit goes when nobody says otherwise: output/<game>-<code>."""
    return out or Path("output") / f"{loaded.game.name}-{loaded.stamp.rstrip('+')}"


def pdf(
    kit: Kit, lang: Lang, paper: str, ink: str, imposing: Imposing | None = None, also: Lang | None = None
) -> bytes:
    """A printed kit that has passed preflight; NotInOrderError says what is wrong with it.

    `imposing` is how pieces are laid out, `also` a second language.
    """
    from generator.press.book import print_kit
    from generator.press.imposition import PLAIN
    from generator.press.preflight import preflight

    with _Telling() as telling:
        printed = print_kit(kit, lang, paper, ink, telling, imposing=imposing or PLAIN, also=also)
    if problems := preflight(printed, paper, lang):
        raise NotInOrderError(*problems)
    return printed


def kit_files(loaded: Loaded, lang: Lang, paper: str, ink: str, sources: dict[str, Path]) -> dict[str, bytes]:
    """Every file of a kit by name, the manifest last."""
    command = rebuild(loaded, options(lang, paper, ink))
    kit = loaded.game.kit(loaded.scenario, loaded.report, loaded.stamp, command)
    own = copies(sources, (PDF, SCENARIO, MANIFEST))
    files = {PDF: pdf(kit, lang, paper, ink), SCENARIO: loaded.text.encode(), **own}
    origin = loaded.scenario.origin
    about = {
        "game": loaded.game.name,
        "title": loaded.scenario.title[lang],
        "stamp": loaded.stamp,
        "code": origin.code,
        "command": command,
        "wishes": dict(origin.wishes),
        "user_files": {path.name: file_hash(path) for path in sources.values()},
        "legal": not loaded.report.illegal,
    }
    return files | {MANIFEST: manifest(about, files)}


def write_kit(folder: Path, files: dict[str, bytes]) -> None:
    """Write a kit's files, unless one of them would replace a file that a person wrote."""
    spare(folder, {name: content for name, content in files.items() if name not in (PDF, MANIFEST)})
    write_all(folder, files)


class _Telling:
    """Says on a terminal what long work is at, and wipes the line when it is done."""

    def __init__(self) -> None:
        self.shown = 0
        self.stream = sys.stderr
        self.live = self.stream.isatty()

    def __call__(self, message: str) -> None:
        if self.live:
            self.stream.write(f"\r{message:<{self.shown}}")
            self.stream.flush()
            self.shown = len(message)

    def __enter__(self) -> _Telling:
        return self

    def __exit__(self, *_: object) -> None:
        if self.live and self.shown:
            self.stream.write("\r" + " " * self.shown + "\r")
            self.stream.flush()
