"""How something is printed: the options that every printing verb shares, bundled into one value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import wraps
from typing import Any, TypeVar

import click

from generator.cli.say import default_lang
from generator.model.words import LANGS, Lang

F = TypeVar("F", bound=Callable[..., Any])

PAPERS = ("a4", "letter")
INKS = ("full", "saver")
BOTH = "+".join(LANGS)
"""What --lang accepts besides a language, where both fit: both of them on the same sheets."""


@dataclass(frozen=True)
class How:
    """What was typed; each field is an option of the same name."""

    lang: str
    paper: str = PAPERS[0]
    ink: str = INKS[0]
    parts: str = ""
    separate: bool = False

    @property
    def first(self) -> Lang:
        """The language, or the first of both."""
        return next(lang for lang in LANGS if lang == self.lang or self.lang == BOTH)

    @property
    def also(self) -> Lang | None:
        """The second of both languages."""
        return LANGS[1] if self.lang == BOTH else None

    def typed(self) -> dict[str, str | bool]:
        """The options as a command names them: language and paper always, others where they are no default."""
        always = ("lang", "paper")
        return {
            f.name: getattr(self, f.name)
            for f in fields(self)
            if f.name in always or getattr(self, f.name) != f.default
        }


_INK = click.option("--ink", type=click.Choice(INKS), default=INKS[0], help="Full colour or ink saver.")
_PAPER = click.option("--paper", type=click.Choice(PAPERS), default=PAPERS[0], help="Paper size.")
_LANG = click.option(
    "--lang", type=click.Choice(LANGS), default=default_lang, help="Language (default: your locale's)."
)
_LANGS = click.option(
    "--lang",
    type=click.Choice((*LANGS, BOTH)),
    default=default_lang,
    help="Language, or both: pages in one after the other, cards front and back (default: your locale's).",
)
_PARTS = click.option(
    "--parts", metavar="WORDS", default="", help="Only these parts, by comma; a wrong word lists what there is."
)
_SEPARATE = click.option("--separate", is_flag=True, help="Each part as a file of its own, too.")

ONE_SHEET = (_INK, _PAPER, _LANG)
"""For a verb that prints what it says."""
SHEETS = (_INK, _PAPER, _LANGS)
"""For a verb that prints without a scenario."""
KIT = (_SEPARATE, _PARTS, _INK, _PAPER, _LANG)
"""For a verb that prints a kit."""


def how_options(options: tuple[Callable[[F], F], ...]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command these options, and hand it what was typed as `how`."""

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def bundled(**values: Any) -> None:
            typed = {f.name: values.pop(f.name) for f in fields(How) if f.name in values}
            command(how=How(**typed), **values)

        made: Any = bundled
        for option in options:
            made = option(made)
        decorated: Callable[..., None] = made
        return decorated

    return decorate
