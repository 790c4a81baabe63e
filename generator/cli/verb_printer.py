"""`muster printer`: calibrate a printer and save its settings."""

from __future__ import annotations

from pathlib import Path

import click

from generator.cli import console, output, safe_write
from generator.cli.help import VerbGroup
from generator.cli.output import out_file
from generator.cli.print_options import (
    CALIBRATION,
    PrintOptions,
    add_print_options,
)
from generator.model.words import Lang
from generator.notation import printers, text
from generator.notation.printers import TRUE, Printer


@click.group(cls=VerbGroup)
@console.lang_accepted
def printer_verb() -> None:
    """Calibrate a printer and save its offset. Prints with --printer NAME correct the offset."""


@printer_verb.command()
@add_print_options(CALIBRATION)
@out_file(".pdf")
@console.json_option
def calibrate(print_options: PrintOptions, out: Path | None, as_json: bool) -> None:
    """Print a calibration sheet, which contains instructions."""
    from generator.press.calibration import calibration_sheet

    target = out or Path("output") / "calibration.pdf"
    safe_write.check_replaceable(target)
    safe_write.write_file(target, output.checked_pdf(calibration_sheet, print_options.press_options()))
    next_step = console.words()["calibrate_next"][print_options.main_lang]
    console.print_answer(as_json, {"file": str(target)}, [target, next_step])


@printer_verb.command(name="set")
@click.argument("name")
@click.option("--dx", metavar="MM", type=float)
@click.option("--dy", metavar="MM", type=float)
@click.option("--scale", metavar="MM", type=float)
@click.option("--rotate", metavar="DEGREES", type=float)
@console.answer_options
def set_printer(name: str, lang: Lang, as_json: bool, **values: float | None) -> None:
    """Save or change a printer. Values are measured from the front, with the sheet held up to the light."""
    known = printers.printers().get(name, TRUE).values()
    read = printers.printer_of(known | {key: value for key, value in values.items() if value is not None})
    path = printers.save(name, read)
    console.print_answer(
        as_json,
        {**_printer_values(name, read), "file": str(path)},
        [_printer_line(name, read, lang), path, _next_step(name, lang)],
    )


def _next_step(name: str, lang: Lang) -> str:
    """Return the sentence with the command that verifies the saved values of a printer."""
    calibrate = text.command(["muster", "printer", "calibrate"], {"printer": name})
    return console.words()["printer_next"].fill(command=calibrate)[lang]


@printer_verb.command(name="list")
@console.answer_options
def list_printers(lang: Lang, as_json: bool) -> None:
    """List the saved printer settings."""
    known = printers.printers().items()
    lines = [_printer_line(name, of, lang) for name, of in known] or [console.words()["no_printers"][lang]]
    console.print_answer(as_json, [_printer_values(name, of) for name, of in known], lines)


@printer_verb.command()
@click.argument("name")
@console.language_free_options
def show(name: str, as_json: bool) -> None:
    """Show the saved settings of a printer."""
    of = printers.find_printer(name)
    console.print_answer(
        as_json, _printer_values(name, of), (f"{key:<8}{value:g}" for key, value in of.values().items())
    )


@printer_verb.command()
@click.argument("name")
@console.language_free_options
def remove(name: str, as_json: bool) -> None:
    """Delete the saved settings of a printer."""
    of, path = printers.find_printer(name), printers.remove(name)
    console.print_answer(as_json, {**_printer_values(name, of), "file": str(path)}, [path])


def _printer_line(name: str, of: Printer, lang: Lang) -> str:
    return f"{name}: {of}" if of != TRUE else f"{name}: {console.words()['true_printer'][lang]}"


def _printer_values(name: str, of: Printer) -> dict[str, object]:
    return {"name": name, **of.values()}
