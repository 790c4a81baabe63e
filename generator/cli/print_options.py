"""The print options that commands share."""

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

from generator.cli.help import ParamType
from generator.common.game import Game
from generator.errors import WrongUsageError, near
from generator.localization import default_lang, tr
from generator.model.words import LANGS, Lang
from generator.notation.option_names import option_name

if TYPE_CHECKING:
    from generator.press.layout.print_settings import PrintSettings


def _is_folder_address(address: str) -> bool:
    """Return whether the names of files can be added to an address, as for a folder on a web server."""
    from urllib.parse import urlsplit

    if re.search(r"[\s?#]", address):
        return False
    try:
        parts = urlsplit(address)
    except ValueError:  # such as brackets around a name that is not an IPv6 address
        return False
    return parts.scheme == "file" or (parts.scheme in ("http", "https") and bool(parts.hostname))


class Length(ParamType):
    """An option type for lengths, such as `40`, `40mm`, `4cm` or `1in`."""

    name = "length"
    UNITS: Mapping[str, float] = {"": 1.0, "mm": 1.0, "cm": 10.0, "in": 25.4}

    def __init__(self, minimum: float, maximum: float) -> None:
        self.minimum, self.maximum = minimum, maximum

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the length in mm, or fail with the accepted range."""
        match = re.fullmatch(
            r"([0-9]*\.?[0-9]+) *([a-z]*)", unicodedata.normalize("NFKC", str(value)).strip().lower()
        )
        if not match or match[2] not in self.UNITS:
            return self.fail(
                tr("{value!r} is not a length; give a number with its unit, such as 40mm or 1in", value=value),
                param,
                ctx,
            )
        length = float(match[1]) * self.UNITS[match[2]]
        if not self.minimum <= length <= self.maximum:
            return self.fail(
                tr(
                    "{value} is out of range; give {least:g} to {most:g} mm",
                    value=value,
                    least=self.minimum,
                    most=self.maximum,
                ),
                param,
                ctx,
            )
        return length


DPI_RANGE = click.IntRange(30, 1200)
"""The accepted resolutions of pictures, in dots per inch."""
SCREEN_DPI = 110
"""The default resolution of pictures for screens, in dots per inch. It is sharp enough for a web page."""
screen_dpi_option = click.option(
    "--dpi", "screen_dpi", metavar="DOTS", type=DPI_RANGE, default=SCREEN_DPI, show_default=True
)

CELL_WIDTH = Length(8.0, 80.0)
"""The accepted widths of board cells, in mm."""


F = TypeVar("F", bound=Callable[..., Any])

PAPERS = ("a4", "letter", "a3", "tabloid")
"""The sizes of paper. The first is the default."""
INKS = ("full", "saver")
FLIPS = ("long", "short")
"""The paper edges along which a printer can flip a sheet for its back."""
PAGES = "pages"
FORMATS = ("png", "svg", "pdf", PAGES)
"""The formats of pictures. With `pages`, each page is written as a PNG."""
SERVICE = "service"
"""The format for print services: one PDF in which each side of a piece has a page of its own."""
TTS = "tts"
"""The format for Tabletop Simulator: sheets of cards, boards, and a saved object that uses them."""
VTT = "vtt"
"""The format for other virtual tables: a picture of each board with a file of its cells."""
PIECE_FORMATS = (*FORMATS, SERVICE)
CARD_FORMATS = (*PIECE_FORMATS, TTS)
BOARD_FORMATS = (*FORMATS, TTS, VTT)
FOLDER_FORMATS = (*FORMATS, TTS, VTT)
"""The formats of which a command writes several files to a folder."""
SERVICE_BLEED = 3.0
"""The default bleed for print services, in mm."""
MAX_BLEED = 10.0
"""The maximum bleed, in mm."""
DPI = 300
"""The default resolution of printed pictures, in dots per inch."""
BOTH_LANGS = "+".join(LANGS)
"""The value of --lang for printing both languages on the same sheets, if this is possible."""


class PrintOptions(Struct, frozen=True):
    """The print options of a command line. Each field is named after its option."""

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
    """The values of a printer. They are used rather than its name, so that the kit can be printed again on other
    machines.
    """
    seat: str = ""
    fillable: bool = False
    evening: bool = False
    """Whether the sheets for one evening are printed as a booklet."""
    templates: str = ""
    format: str = ""
    """The format of pictures of maps and cards, or of pages. Empty for a single PDF."""
    dpi: int = DPI
    backs_only: bool = False
    crop_marks: bool = False
    """Whether hexes have crop marks instead of outlines."""
    bleed: float | None = None
    """The bleed of pictures of pieces in mm."""
    die: str = ""
    """The name of a die layout, or a file with one."""
    url: str = ""
    """The address of the folder in which a virtual table finds the pictures."""

    @property
    def main_lang(self) -> Lang:
        """The language, or the first one if both languages are selected."""
        return next(lang for lang in LANGS if lang == self.lang or self.lang == BOTH_LANGS)

    @property
    def second_lang(self) -> Lang | None:
        """The second language if both are selected, or None."""
        return LANGS[1] if self.lang == BOTH_LANGS else None

    def as_options(self) -> dict[str, str | bool]:
        """Return the options for a command line.

        Language and paper are always included, others only if not the default.

        A command on pictures of pages is meant to print the pages, so it omits the options of pictures.
        """
        always, defaults = ("lang", "paper"), asdict(PrintOptions(self.lang))
        picture_options = ("format", "dpi") if self.format == PAGES else ()
        return {
            name: value
            for name, value in asdict(self).items()
            if name not in picture_options and (name in always or value != defaults[name])
        }

    def press_options(self, game: Game[Any] | None = None, size: str | None = None) -> PrintSettings:
        """Return the settings for printing. `size` is the name of a card size.

        Raises:
            WrongUsageError: If options contradict each other, a value is out of range, or the game does not have
                the seat.
        """
        from generator.notation.printers import TRUE, printer
        from generator.press.layout.dies import find_die
        from generator.press.layout.imposition import DEFAULT_IMPOSITION, MAX_GAP, Flip, Imposition, card_size
        from generator.press.layout.print_settings import PrintSettings

        conflicting = [name for name in ("fillable", "separate", "format") if getattr(self, name)]
        if self.evening and conflicting:
            raise WrongUsageError(
                tr("--evening always prints one booklet"),
                hint=tr("omit --{option}", option=option_name(conflicting[0])),
            )
        if self.gap is not None and not 0.0 <= self.gap <= MAX_GAP:
            raise WrongUsageError(
                tr("--gap {gap:g} is out of range", gap=self.gap),
                hint=tr("give a gap from 0 to {most_gap:g} mm", most_gap=MAX_GAP),
            )
        if self.fold and self.single:
            raise WrongUsageError(
                tr("--fold prints fronts and backs, but --single prints only fronts; choose one of these options")
            )
        if size is not None:
            card_size(size)
        self._check_piece_options()
        die = find_die(self.die) if self.die else None
        flip = cast(Flip, self.flip)
        return PrintSettings(
            self.main_lang,
            die.paper if die else self.paper,
            self.ink,
            self.second_lang,
            Imposition(
                size=size or DEFAULT_IMPOSITION.size,
                gap=self.gap,
                flip=flip,
                single=self.single,
                fold=self.fold,
                hex=self.hex,
                backs_only=self.backs_only,
                crop_marks=self.crop_marks,
                die=die,
            ),
            self._templates(),
            self.fillable,
            turned=self._is_far_seat(game),
            printer=printer(self.printer) if self.printer else TRUE,
        )

    def _check_piece_options(self) -> None:
        """Check the options of pieces to cut out against each other.

        Raises:
            WrongUsageError: If options contradict each other, or a value is out of range.
        """
        if self.backs_only and (self.single or self.fold):
            raise WrongUsageError(
                tr("--backs-only prints only the backs; omit --{option}", option="single" if self.single else "fold")
            )
        if self.bleed is not None and not 0.0 <= self.bleed <= MAX_BLEED:
            raise WrongUsageError(
                tr("--bleed {bleed:g} is out of range", bleed=self.bleed),
                hint=tr("give a bleed from 0 to {most:g} mm", most=MAX_BLEED),
            )
        if self.bleed is not None and self.format in ("", PAGES, TTS):
            formats = [name for name in PIECE_FORMATS if name != PAGES]
            raise WrongUsageError(
                tr("--bleed has no effect on this format"),
                hint=tr("add --format with one of: {names}", names=formats),
            )
        sheet_options = [
            name for name in ("fold", "gap", "crop_marks", "die") if getattr(self, name) not in ("", None, False)
        ]
        if self.format in (SERVICE, TTS, VTT) and sheet_options:
            raise WrongUsageError(
                tr(
                    "--{option} has no effect on --format {name}",
                    option=option_name(sheet_options[0]),
                    name=self.format,
                )
            )
        if self.die and (others := [name for name in sheet_options if name != "die"]):
            raise WrongUsageError(
                tr("--die sets the place of every piece"), hint=tr("omit --{option}", option=option_name(others[0]))
            )
        if self.url and self.format != TTS:
            raise WrongUsageError(tr("--url can be used only with --format {name}", name=TTS))
        if self.url and not _is_folder_address(self.url):
            raise WrongUsageError(
                tr("--url: “{url}” is not the address of a folder", url=self.url),
                hint=tr("give an address such as {example}", example="https://example.org/cards"),
            )

    def _templates(self) -> tuple[Path, ...]:
        """Return the user's folder of templates, if any.

        Raises:
            DataError: If the folder replaces none of the shipped templates.
        """
        if not self.templates:
            return ()
        from generator.press.sandbox.templates import replaced_templates

        replaced_templates(Path(self.templates))
        return (Path(self.templates),)

    def _is_far_seat(self, game: Game[Any] | None) -> bool:
        """Return whether the selected seat is at the far edge of the map, so that maps must be turned."""
        if game is None or not self.seat:
            return False
        if self.seat not in game.seats:
            hint = near(self.seat, game.seats) or tr("omit --seat, because this game has no sides to choose from")
            raise WrongUsageError(
                tr("--seat: {name} has no side {seat!r}", name=game.name, seat=self.seat), hint=hint
            )
        return self.seat != game.seats[0]


_INK = click.option("--ink", type=click.Choice(INKS, case_sensitive=False), default=INKS[0])
_PAPER = click.option("--paper", type=click.Choice(PAPERS, case_sensitive=False), default=PAPERS[0])
_LANG = click.option(
    "--lang",
    type=click.Choice(LANGS, case_sensitive=False),
    default=default_lang,
)
_LANGS = click.option(
    "--lang",
    type=click.Choice((*LANGS, BOTH_LANGS), case_sensitive=False),
    default=default_lang,
)


def _complete_parts(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Return the shell's completions for --parts."""
    from generator.cli.scenario import complete_parts

    return complete_parts(ctx, param, incomplete)


_PARTS = click.option(
    "--parts",
    metavar="WORDS",
    default="",
    shell_complete=_complete_parts,
)
# The option -o must be able to check for several files.
_SEPARATE = click.option("--separate", is_flag=True, is_eager=True)
_FLIP = click.option("--flip", type=click.Choice(FLIPS), default=FLIPS[0])
_SINGLE = click.option("--single", is_flag=True)
_FOLD = click.option("--fold", is_flag=True)
_GAP = click.option("--gap", metavar="MM", type=float)
_HEX = click.option("--hex", "--square", "hex", metavar="LENGTH", type=CELL_WIDTH)
_SEAT = click.option("--seat", metavar="SIDE", default="")
_FILLABLE = click.option("--fillable", is_flag=True)
_EVENING = click.option("--evening", is_flag=True)
_TEMPLATES = click.option(
    "--templates",
    metavar="DIR",
    type=click.Path(exists=True, file_okay=False),
)


def _format_option(formats: tuple[str, ...]) -> Callable[[F], F]:
    """Return the option --format with these formats. It is eager, so that -o can check for several files."""
    return click.option("--format", type=click.Choice(formats), is_eager=True)


def _complete_dies(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[str]:
    """Return the shell's completions for the name of a die layout."""
    from generator.press.layout.dies import dies

    return [name for name in dies() if name.startswith(incomplete)]


_FORMAT = _format_option(FORMATS)
_BACKS_ONLY = click.option("--backs-only", is_flag=True)
_CROP_MARKS = click.option("--crop-marks", is_flag=True)
_BLEED = click.option("--bleed", metavar="MM", type=float)
_DIE = click.option("--die", metavar="NAME", default="", shell_complete=_complete_dies)
_URL = click.option("--url", metavar="ADDRESS", default="")
_DPI = click.option(
    "--dpi",
    metavar="DOTS",
    type=click.IntRange(30, 1200),
    default=DPI,
    show_default=True,
)


def _printer_values(_ctx: click.Context, _param: click.Parameter, value: str) -> str:
    """Return the values of a saved printer as text."""
    if not value:
        return ""
    from generator.notation.printers import printer

    return str(printer(value))


def _complete_printers(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[str]:
    """Return the shell's completions for the name of a saved printer."""
    from generator.notation.printers import printers

    return [name for name in printers() if name.startswith(incomplete)]


def printer_option() -> Callable[[F], F]:
    """Return an option for a printer, given by its saved name or its values."""
    return click.option(
        "--printer", metavar="NAME", default="", callback=_printer_values, shell_complete=_complete_printers
    )


_PRINTER = printer_option()

ONE_SHEET = (_TEMPLATES, _PRINTER, _SEAT, _INK, _PAPER, _LANG)
"""The options of a command that can print its answer."""
ON_SCREEN = (_TEMPLATES, _INK, _PAPER, _LANG)
"""The options of a command that shows printed sheets on a screen."""
SHEETS = (_TEMPLATES, _PRINTER, _INK, _PAPER, _LANGS)
"""The options of a command that prints without a scenario."""
RECORDS = (_FILLABLE, *SHEETS)
"""The options of a command that prints forms to complete."""
_CUT_PIECES = (_DPI, _BLEED, _DIE, _GAP, _FOLD, _BACKS_ONLY, _SINGLE, _FLIP, *SHEETS)
CARD_PIECES = (_URL, _format_option(CARD_FORMATS), *_CUT_PIECES)
"""The options of a command that prints cards to cut out."""
BOARD_PIECES = (_HEX, _CROP_MARKS, _format_option(PIECE_FORMATS), *_CUT_PIECES)
"""The options of a command that prints pieces for a board."""
CALIBRATION = (_PRINTER, _FLIP, _PAPER, _LANG)
"""The options of the calibration sheet."""
PACKS = (_FILLABLE, _PARTS, _TEMPLATES, _PRINTER, _INK, _PAPER, _LANG)
"""The options of a command that prints a tournament's rounds."""
BOARDS = (_URL, _DPI, _format_option(BOARD_FORMATS), _SEAT, _FLIP, _HEX, *SHEETS)
"""The options of a command that prints maps without a scenario."""
_ONE_KIT = (_TEMPLATES, _PRINTER, _SEAT, _INK, _PAPER, _LANG)
KIT = (_DPI, _FORMAT, _EVENING, _FILLABLE, _SEPARATE, _PARTS, _HEX, _FOLD, _SINGLE, _FLIP, *_ONE_KIT)
"""The options of a command that prints a kit."""


def add_print_options(options: tuple[Callable[[F], F], ...]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Add these options to a command, which receives their values as `print_options`."""

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def bundled(**values: Any) -> None:
            given = {name: values.pop(name) for name in PrintOptions.__struct_fields__ if name in values}
            chosen = {name: value for name, value in given.items() if value is not None}
            command(print_options=PrintOptions(**chosen), **values)

        made: Any = bundled
        for option in options:
            made = option(made)
        decorated: Callable[..., None] = made
        return decorated

    return decorate
