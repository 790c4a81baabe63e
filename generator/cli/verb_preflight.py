"""`muster preflight`."""

from __future__ import annotations

from pathlib import Path

import click

from generator.cli import say
from generator.cli.how import PAPERS, printer_option
from generator.errors import DataError, Problem
from generator.model.words import LANGS, Lang
from generator.store.folders import missing
from generator.store.read import is_there, read

LIMIT = 1 << 28


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE.pdf…")
@click.option("--paper", "sheet", type=click.Choice(PAPERS), help="The paper it must have (any of them).")
@click.option("--text", "text_lang", type=click.Choice(LANGS), help="The language its text must be in (any).")
@printer_option("The printer that its pages make up for.")
@say.lang_option
@say.json_option
def command(
    files: tuple[Path, ...], sheet: str | None, text_lang: Lang | None, printer: str, lang: Lang, as_json: bool
) -> None:
    """Hold PDFs against what a print owes people: size, boxes, edges, fonts, glyphs, type, overlaps.

    Every kit goes through this before it is written.
    """
    from generator.notation import printers
    from generator.press.preflight import preflight

    grown = printers.printer(printer).grown if printer else 1.0
    found = {path: preflight(_content(path), sheet, text_lang, path.name, grown) for path in files}
    if as_json:
        rows = [
            {"file": str(path), "in_order": not problems, "findings": [problem.message for problem in problems]}
            for path, problems in found.items()
        ]
        say.as_json(rows)
    else:
        for path, problems in found.items():
            for problem in problems:
                say.line(f"{path}: {problem.message}")
            if not problems:
                say.line(say.words()["in_order"].fill(files=path)[lang])
    if any(found.values()):
        raise click.exceptions.Exit(1)


def _content(path: Path) -> bytes:
    if not is_there(path):
        raise DataError(missing(path, ".pdf"))
    try:
        found = read(path, LIMIT)
    except OSError as error:
        raise DataError(Problem(f"cannot be read: {error.strerror}", str(path))) from error
    if len(found) > LIMIT:
        raise DataError(Problem("is too large to look over", str(path)))
    return found
