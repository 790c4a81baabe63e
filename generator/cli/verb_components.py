"""The verbs that print without a scenario: boards, cards, reference, sheets, tokens, and games' own.

`muster printer` and `muster preflight`: what a printer does to a page, and whether a print is in order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import click

from generator.cli import GameVerb, console, output, put, request, verb_help
from generator.cli.help import Option, Verb, VerbGroup
from generator.cli.output import out_file
from generator.cli.print_options import (
    BOARDS,
    CALIBRATION,
    CUT,
    LAID,
    PAPERS,
    RECORDS,
    SHEETS,
    How,
    how_options,
    printer_option,
)
from generator.common.game import Game
from generator.errors import DataError
from generator.model.words import LANGS, Lang
from generator.notation import printers
from generator.notation.printers import TRUE, Printer
from generator.said import both, say, told
from generator.store.folders import is_there, missing, read_within

F = TypeVar("F", bound=Callable[..., Any])
Options = tuple[Callable[[F], F], ...]

_CARD = "card"
"""The parameter of a card's size, which the paper needs and the game does not."""


def _printing(verb: str, how_options: Options[Any], *own: Callable[[Any], Any], does: str = "") -> click.Command:
    """A command that prints what games have of that verb; the values of its `own` options are handed to the game."""
    typed: set[str] = set()

    @click.command(verb, cls=output.PrintCommand, help=does)
    @output.print_options(how_options)
    def prints(game: Game[Any], only: str | None, how: How, out: Path | None, as_json: bool, **given: Any) -> None:
        options = {"only": only} | {name: given.pop(name) for name in typed}
        size = options.pop(_CARD, None)
        if "seed" in typed:
            options["seed"] = request.code(options["seed"])
        asked = {
            name: ("1" if value else None) if isinstance(value, bool) else value for name, value in options.items()
        }
        output.print_out(game, verb, asked, given, how, out, as_json, size=size)

    before = [param.name for param in prints.params]
    for option in own:
        prints = option(prints)
    typed.update(str(param.name) for param in prints.params if param.name not in before)
    return prints


def game_command(name: str, verbs: Mapping[str, GameVerb]) -> click.Command:
    """The command of a verb by which games print something of their own."""
    named = {option: told for verb in verbs.values() for option, told in verb.options.items()}
    own = [
        click.option(f"--{option}", cls=Option, metavar=told["metavar"], does=both(**told["help"]))
        for option, told in named.items()
    ]
    seed = [request.seed_option] if any(verb.seed for verb in verbs.values()) else []
    return _printing(name, SHEETS, *own, *seed, does=verb_help(verbs))


boards_verb = _printing(
    "boards",
    BOARDS,
    click.option("--board", metavar="NAME"),
    click.option("--backs", is_flag=True),
    request.seed_option,
)
cards_verb = _printing(
    "cards",
    CUT,
    click.option("--size", _CARD, metavar="NAME"),
)
reference_verb = _printing("reference", SHEETS)
sheets_verb = _printing(
    "sheets",
    RECORDS,
    click.option("--half", is_flag=True),
    click.option("--record", metavar="FILE"),
)
tokens_verb = _printing(
    "tokens",
    LAID,
)


LIMIT = 1 << 28


@click.command(cls=Verb)
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE.pdf…")
@click.option("--paper", "sheet", type=click.Choice(PAPERS))
@click.option("--text", "text_lang", type=click.Choice(LANGS))
@printer_option()
@console.answer_options
def preflight_verb(
    files: tuple[Path, ...], sheet: str | None, text_lang: Lang | None, printer: str, lang: Lang, as_json: bool
) -> None:
    """Hold PDFs against what a print owes people: size, boxes, edges, fonts, glyphs, type, overlaps.

    Every kit goes through this before it is written.
    """
    from generator.notation import printers
    from generator.press.check.preflight import preflight

    grown = printers.printer(printer).grown if printer else 1.0
    found = {path: preflight(_content(path), sheet, text_lang, path.name, grown) for path in files}
    findings = {path: [told(problem.message, lang) for problem in problems] for path, problems in found.items()}
    rows = [{"file": str(path), "in_order": not texts, "findings": texts} for path, texts in findings.items()]
    in_order = console.words()["in_order"]
    lines = (
        line
        for path, texts in findings.items()
        for line in ([f"{path}: {text}" for text in texts] or [in_order.fill(files=path)[lang]])
    )
    console.answer(as_json, rows, lines)
    console.end_if(any(found.values()))


def _content(path: Path) -> bytes:
    if not is_there(path):
        raise DataError(missing(path, ".pdf"))
    return read_within(path, LIMIT, say("is too large to look over"))


@click.group(cls=VerbGroup)
@console.lang_accepted
def printer_verb() -> None:
    """Calibrate your printer, and save what it does: later prints make up for it with --printer NAME."""


@printer_verb.command()
@how_options(CALIBRATION)
@out_file(".pdf")
@console.json_option
def calibrate(how: How, out: Path | None, as_json: bool) -> None:
    """Print a calibration sheet. Its steps stand on it."""
    from generator.press.calibration import calibration

    target = out or Path("output") / "calibration.pdf"
    put.spare(target)
    put.file(target, output.sound(calibration, how.edition()))
    console.wrote(target, as_json)


@printer_verb.command(name="set")
@click.argument("name")
@click.option("--dx", metavar="MM", type=float)
@click.option("--dy", metavar="MM", type=float)
@click.option("--scale", metavar="MM", type=float)
@click.option("--rotate", metavar="DEGREES", type=float)
@console.answer_options
def set_printer(name: str, lang: Lang, as_json: bool, **values: float | None) -> None:
    """Save or change a printer. All is seen from the front, held against the light."""
    known = printers.printers().get(name, TRUE).values()
    read = printers.of(known | {key: value for key, value in values.items() if value is not None})
    path = printers.save(name, read)
    console.answer(as_json, {**_row(name, read), "file": str(path)}, [_line(name, read, lang), path])


@printer_verb.command(name="list")
@console.answer_options
def list_printers(lang: Lang, as_json: bool) -> None:
    """List the saved printers."""
    known = printers.printers().items()
    console.answer(as_json, [_row(name, of) for name, of in known], [_line(name, of, lang) for name, of in known])


@printer_verb.command()
@click.argument("name")
@console.value_options
def show(name: str, as_json: bool) -> None:
    """Show what a saved printer does."""
    of = printers.named(name)
    console.answer(as_json, _row(name, of), (f"{key:<8}{value:g}" for key, value in of.values().items()))


@printer_verb.command()
@click.argument("name")
@console.value_options
def remove(name: str, as_json: bool) -> None:
    """Forget a printer."""
    of, path = printers.named(name), printers.remove(name)
    console.answer(as_json, {**_row(name, of), "file": str(path)}, [path])


def _line(name: str, of: Printer, lang: Lang) -> str:
    return f"{name}: {of}" if of != TRUE else f"{name}: {console.words()['true_printer'][lang]}"


def _row(name: str, of: Printer) -> dict[str, object]:
    return {"name": name, **of.values()}
