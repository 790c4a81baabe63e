"""`muster printer`."""

from __future__ import annotations

from pathlib import Path

import click

from generator.cli import paper, put, say
from generator.cli.how import CALIBRATION, How, how_options
from generator.cli.out import out_file
from generator.model.words import Lang
from generator.notation import printers
from generator.notation.printers import TRUE, Printer


@click.group()
def command() -> None:
    """Calibrate your printer, and save what it does: later prints make up for it with --printer NAME."""


@command.command()
@how_options(CALIBRATION)
@out_file("The PDF to write, or - for standard output.", ".pdf")
@say.json_option
def calibrate(how: How, out: Path | None, as_json: bool) -> None:
    """Print a calibration sheet. Its steps stand on it."""
    from generator.press.paper.calibration import calibration

    target = out or Path("output") / "calibration.pdf"
    put.spare(target)
    put.file(target, paper.sound(calibration, how.edition()))
    if as_json:
        say.as_json({"file": str(target)})
    else:
        click.echo(f"{target}")


@command.command(name="set")
@click.argument("name")
@click.option("--dx", metavar="MM", type=float, help="How far to the right the back lies.")
@click.option("--dy", metavar="MM", type=float, help="How far up the back lies.")
@click.option("--scale", metavar="MM", type=float, help="How long 100 mm come out.")
@click.option("--rotate", metavar="DEGREES", type=float, help="How far the back is turned anticlockwise.")
@say.lang_option
@say.json_option
def set_printer(name: str, lang: Lang, as_json: bool, **values: float | None) -> None:
    """Save or change a printer. All is seen from the front, held against the light."""
    known = printers.printers().get(name, TRUE).values()
    read = printers.of(known | {key: value for key, value in values.items() if value is not None})
    path = printers.save(name, read)
    if as_json:
        say.as_json({**_row(name, read), "file": str(path)})
        return
    say.line(_line(name, read, lang))
    click.echo(f"{path}")


@command.command(name="list")
@say.lang_option
@say.json_option
def list_printers(lang: Lang, as_json: bool) -> None:
    """List the saved printers."""
    known = printers.printers()
    if as_json:
        say.as_json([_row(name, of) for name, of in known.items()])
        return
    for name, of in known.items():
        say.line(_line(name, of, lang))


@command.command()
@click.argument("name")
@say.lang_accepted
@say.json_option
def show(name: str, as_json: bool) -> None:
    """Show what a saved printer does."""
    of = printers.named(name)
    if as_json:
        say.as_json(_row(name, of))
        return
    for key, value in of.values().items():
        click.echo(f"{key:<8}{value:g}")


@command.command()
@click.argument("name")
@say.lang_accepted
@say.json_option
def remove(name: str, as_json: bool) -> None:
    """Forget a printer."""
    of, path = printers.named(name), printers.remove(name)
    if as_json:
        say.as_json({**_row(name, of), "file": str(path)})
    else:
        click.echo(f"{path}")


def _line(name: str, of: Printer, lang: Lang) -> str:
    return f"{name}: {of}" if of != TRUE else f"{name}: {say.words()['true_printer'][lang]}"


def _row(name: str, of: Printer) -> dict[str, object]:
    return {"name": name, **of.values()}
