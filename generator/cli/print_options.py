"""The print options that verbs share, bundled into one value."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click
from msgspec import Struct
from msgspec.structs import asdict

from generator.cli.help import Kind
from generator.common.game import Game
from generator.errors import WrongUsageError, near
from generator.localization import default_lang, tr
from generator.model.words import LANGS, Lang
from generator.notation.option_names import option_name

if TYPE_CHECKING:
    from generator.press.layout.print_settings import PrintSettings


class Length(Kind):
    """A length in mm: `40`, `40mm`, `4cm` or `1in`."""

    name = "length"
    UNITS: Mapping[str, float] = {"": 1.0, "mm": 1.0, "cm": 10.0, "in": 25.4}

    def __init__(self, least: float, most: float) -> None:
        self.least, self.most = least, most

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The length in mm, or an error with what is accepted."""
        typed = re.fullmatch(
            r"([0-9]*\.?[0-9]+) *([a-z]*)", unicodedata.normalize("NFKC", str(value)).strip().lower()
        )
        if not typed or typed[2] not in self.UNITS:
            return self.fail(tr("{value!r} is not a length; write 40mm or 1in", value=value), param, ctx)
        length = float(typed[1]) * self.UNITS[typed[2]]
        if not self.least <= length <= self.most:
            return self.fail(
                tr("{value}: from {least:g} to {most:g} mm", value=value, least=self.least, most=self.most),
                param,
                ctx,
            )
        return length


DPI_RANGE = click.IntRange(30, 1200)
"""Dots an inch that a picture may have."""
FINENESS = 110
"""Dots per inch of a picture: sharp enough for a blog."""
fineness_option = click.option(
    "--dpi", "fineness", metavar="DOTS", type=DPI_RANGE, default=FINENESS, show_default=True
)

CELLS = Length(8.0, 80.0)
"""Widths that a board's cells may have, and what is laid on them."""


F = TypeVar("F", bound=Callable[..., Any])

PAPERS = ("a4", "letter")
LARGE = "a3"
"""A sheet of paper that two pages of A4 lie on side by side, for a booklet."""
INKS = ("full", "saver")
FLIPS = ("long", "short")
PAGES = "pages"
FORMATS = ("png", "svg", "pdf", PAGES)
DPI = 300
BOTH = "+".join(LANGS)
"""What --lang accepts besides a language, where both fit: both of them on the same sheets."""


class How(Struct, frozen=True):
    """What was typed; each field is an option of the same name."""

    lang: str
    paper: str = PAPERS[0]
    ink: str = INKS[0]
    parts: str = ""
    separate: bool = False
    flip: str = FLIPS[0]
    single: bool = False
    fold: bool = False
    gap: float | None = None
    hex: float | None = None
    """The width of a map's cell in mm."""
    printer: str = ""
    """Spelt out, for whoever prints it again may know no printer of that name."""
    seat: str = ""
    fillable: bool = False
    evening: bool = False
    """The sheets of one evening as a booklet."""
    templates: str = ""
    format: str = ""
    """Empty for pages; else what each map and card becomes as a picture of its own."""
    dpi: int = DPI

    @property
    def first(self) -> Lang:
        """The language, or the first of both."""
        return next(lang for lang in LANGS if lang == self.lang or self.lang == BOTH)

    @property
    def also(self) -> Lang | None:
        """The second of both languages."""
        return LANGS[1] if self.lang == BOTH else None

    def typed(self) -> dict[str, str | bool]:
        """The options as a command names them: language and paper always, others where they are no default.

        Pictures of the pages change nothing in them, so that they show the command that prints them.
        """
        always, usual = ("lang", "paper"), asdict(How(self.lang))
        beside = ("format", "dpi") if self.format == PAGES else ()
        return {
            name: value
            for name, value in asdict(self).items()
            if name not in beside and (name in always or value != usual[name])
        }

    def edition(self, game: Game[Any] | None = None, size: str | None = None) -> PrintSettings:
        """What was typed, for the press: `size` is a card's by name.

        WrongUsageError for what no piece can be, and for a seat that the game lacks.
        """
        from generator.notation.printers import TRUE, printer
        from generator.press.layout.imposition import DEFAULT_IMPOSITION, MAX_GAP, Flip, Imposition, card_size
        from generator.press.layout.print_settings import PrintSettings

        if self.paper == LARGE and not self.evening:
            hint = tr("--evening prints two A4 pages on each side")
            raise WrongUsageError(tr("--paper {paper}", paper=LARGE), hint=hint)
        beside = [name for name in ("fillable", "separate", "format") if getattr(self, name)]
        if self.evening and beside:
            raise WrongUsageError(
                tr("--evening prints one booklet"), hint=tr("omit --{option}", option=option_name(beside[0]))
            )
        if self.gap is not None and not 0.0 <= self.gap <= MAX_GAP:
            raise WrongUsageError(
                tr("--gap {gap:g}", gap=self.gap), hint=tr("from 0 to {most_gap:g} mm", most_gap=MAX_GAP)
            )
        if self.fold and self.single:
            raise WrongUsageError(tr("--fold prints fronts and backs, --single only the fronts: choose one"))
        if size is not None:
            card_size(size)
        flip = cast(Flip, self.flip)
        return PrintSettings(
            self.first,
            PAPERS[0] if self.paper == LARGE else self.paper,
            self.ink,
            self.also,
            Imposition(size or DEFAULT_IMPOSITION.size, self.gap, flip, self.single, self.fold, self.hex),
            self._templates(),
            self.fillable,
            turned=self._turned(game),
            printer=printer(self.printer) if self.printer else TRUE,
        )

    def _templates(self) -> tuple[Path, ...]:
        """The user's folder of templates; DataError where it replaces none of ours."""
        if not self.templates:
            return ()
        from generator.press.sandbox.templates import replaced_templates

        replaced_templates(Path(self.templates))
        return (Path(self.templates),)

    def _turned(self, game: Game[Any] | None) -> bool:
        """Whether the seat is that at the far edge."""
        if game is None or not self.seat:
            return False
        if self.seat not in game.seats:
            hint = near(self.seat, game.seats) or tr("its map has no sides to sit at")
            raise WrongUsageError(
                tr("--seat: {name} has no side {seat!r}", name=game.name, seat=self.seat), hint=hint
            )
        return self.seat != game.seats[0]


_INK = click.option("--ink", type=click.Choice(INKS, case_sensitive=False), default=INKS[0])
_PAPER = click.option("--paper", type=click.Choice(PAPERS, case_sensitive=False), default=PAPERS[0])
_KIT_PAPER = click.option("--paper", type=click.Choice((*PAPERS, LARGE), case_sensitive=False), default=PAPERS[0])
_LANG = click.option(
    "--lang",
    type=click.Choice(LANGS, case_sensitive=False),
    default=default_lang,
)
_LANGS = click.option(
    "--lang",
    type=click.Choice((*LANGS, BOTH), case_sensitive=False),
    default=default_lang,
)


def _parts(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """The parts that go on from what is typed, for the shell."""
    from generator.cli.scenario import parts_beginning

    return parts_beginning(ctx, param, incomplete)


_PARTS = click.option(
    "--parts",
    metavar="WORDS",
    default="",
    shell_complete=_parts,
)
_SEPARATE = click.option("--separate", is_flag=True, is_eager=True)  # several files, which -o must know
_FLIP = click.option("--flip", type=click.Choice(FLIPS), default=FLIPS[0])
_SINGLE = click.option("--single", is_flag=True)
_FOLD = click.option("--fold", is_flag=True)
_GAP = click.option("--gap", metavar="MM", type=float)
_HEX = click.option("--hex", "--square", "hex", metavar="LENGTH", type=CELLS)
_SEAT = click.option("--seat", metavar="SIDE", default="")
_FILLABLE = click.option("--fillable", is_flag=True)
_EVENING = click.option("--evening", is_flag=True)
_TEMPLATES = click.option(
    "--templates",
    metavar="DIR",
    type=click.Path(exists=True, file_okay=False),
)
_FORMAT = click.option(
    "--format",
    type=click.Choice(FORMATS),
    is_eager=True,  # several files, which -o must know
)
_DPI = click.option(
    "--dpi",
    metavar="DOTS",
    type=click.IntRange(30, 1200),
    default=DPI,
    show_default=True,
)


def _printer(_ctx: click.Context, _param: click.Parameter, value: str) -> str:
    """A saved printer, spelt out."""
    if not value:
        return ""
    from generator.notation.printers import printer

    return str(printer(value))


def _printers(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[str]:
    """The saved printers whose names go on from what is typed, for the shell."""
    from generator.notation.printers import printers

    return [name for name in printers() if name.startswith(incomplete)]


def printer_option() -> Callable[[F], F]:
    """An option for a saved printer, or one spelt out."""
    return click.option("--printer", metavar="NAME", default="", callback=_printer, shell_complete=_printers)


_PRINTER = printer_option()

ONE_SHEET = (_TEMPLATES, _PRINTER, _SEAT, _INK, _PAPER, _LANG)
"""For a verb that prints what it says."""
SHOWN = (_TEMPLATES, _INK, _PAPER, _LANG)
"""For a verb that shows on a screen what is printed."""
SHEETS = (_TEMPLATES, _PRINTER, _INK, _PAPER, _LANGS)
"""For a verb that prints without a scenario."""
RECORDS = (_FILLABLE, *SHEETS)
"""For a verb that prints sheets to fill in."""
CUT = (_DPI, _FORMAT, _GAP, _FOLD, _SINGLE, _FLIP, *SHEETS)
"""For a verb that prints pieces to cut out."""
LAID = (_HEX, *CUT)
"""For a verb that prints pieces that are laid on a board."""
CALIBRATION = (_PRINTER, _FLIP, _PAPER, _LANG)
"""For the sheet that a printer is read off."""
PACKS = (_FILLABLE, _PARTS, _TEMPLATES, _PRINTER, _INK, _PAPER, _LANG)
"""For a verb that prints a tournament's rounds."""
BOARDS = (_DPI, _FORMAT, _SEAT, _FLIP, _HEX, *SHEETS)
"""For a verb that prints maps without a scenario."""
_ONE_KIT = (_TEMPLATES, _PRINTER, _SEAT, _INK, _KIT_PAPER, _LANG)
KIT = (_DPI, _FORMAT, _EVENING, _FILLABLE, _SEPARATE, _PARTS, _HEX, _FOLD, _SINGLE, _FLIP, *_ONE_KIT)
"""For a verb that prints a kit."""


def how_options(options: tuple[Callable[[F], F], ...]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command these options, and hand it what was typed as `how`."""

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def bundled(**values: Any) -> None:
            typed = {name: values.pop(name) for name in How.__struct_fields__ if name in values}
            command(how=How(**{name: value for name, value in typed.items() if value is not None}), **values)

        made: Any = bundled
        for option in options:
            made = option(made)
        decorated: Callable[..., None] = made
        return decorated

    return decorate
