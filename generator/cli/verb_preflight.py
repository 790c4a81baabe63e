"""`muster preflight`: check PDFs for print problems."""

from __future__ import annotations

from pathlib import Path

import click

from generator.cli import console
from generator.cli.help import Verb
from generator.cli.print_options import (
    PAPERS,
    printer_option,
)
from generator.errors import DataError
from generator.localization import localize, tr
from generator.model.words import LANGS, Lang
from generator.store.folders import is_there, missing_file_problem, read_within

MAX_PDF_BYTES = 1 << 28
"""The maximum size of a PDF that is checked, in bytes."""


@click.command(cls=Verb)
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE.pdf…")
@click.option("--paper", "sheet", type=click.Choice(PAPERS))
@click.option("--text", "text_lang", type=click.Choice(LANGS))
@printer_option()
@console.answer_options
def preflight_verb(
    files: tuple[Path, ...], sheet: str | None, text_lang: Lang | None, printer: str, lang: Lang, as_json: bool
) -> None:
    """Check PDFs for print problems, such as page size, margins, fonts, missing glyphs, type size and overlaps.

    Every kit passes this check before it is written.
    """
    from generator.notation import printers
    from generator.press.check.preflight import preflight

    grown = printers.printer(printer).grown if printer else 1.0
    found = {path: preflight(_read_pdf(path), sheet, text_lang, path.name, grown) for path in files}
    findings = {path: [localize(problem.message, lang) for problem in problems] for path, problems in found.items()}
    rows = [{"file": str(path), "in_order": not texts, "findings": texts} for path, texts in findings.items()]
    in_order = console.words()["in_order"]
    lines = (
        line
        for path, texts in findings.items()
        for line in ([f"{path}: {text}" for text in texts] or [in_order.fill(files=path)[lang]])
    )
    console.print_answer(as_json, rows, lines)
    console.exit_if(any(found.values()))


def _read_pdf(path: Path) -> bytes:
    if not is_there(path):
        raise DataError(missing_file_problem(path, ".pdf"))
    return read_within(path, MAX_PDF_BYTES, tr("is too large to check"))
