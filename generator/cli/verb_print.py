"""`muster print`: print the kit of a scenario file."""

from __future__ import annotations

from pathlib import Path

import click

from generator.cli import console, output
from generator.cli.help import Verb
from generator.cli.print_options import PrintOptions
from generator.cli.scenario import load, user_files
from generator.errors import NotInOrderError, Problem
from generator.localization import lang_option, tr
from generator.notation.text import suggested_command
from generator.store.folders import folder_of


@click.command(cls=Verb)
@click.argument("file", type=click.Path(path_type=Path))
@output.kit_options
@console.json_option
def print_verb(file: Path, print_options: PrintOptions, out: Path | None, as_json: bool) -> None:
    """Print the kit of a scenario file, which may also be written by hand."""
    loaded = load(file)
    folder = output.kit_folder(loaded, out)
    sources = user_files(loaded, folder_of(file))
    held = loaded.verify_sight("printed")
    try:
        files = output.kit_files(loaded, print_options, sources, held)
    except NotInOrderError as error:
        if not loaded.report.illegal:
            raise
        # Units on one hex, for example, cover each other's names.
        command = suggested_command(["muster", "check", file, *lang_option()])
        reason = Problem(
            tr("is not legal, which may be why its kit cannot be printed"),
            str(file),
            hint=tr("to list the findings, run {command}", command=command),
        )
        raise NotInOrderError(*error.problems, reason) from error
    output.write_kit(folder, files)
    if as_json:
        output.print_kit_json(folder, loaded, files, print_options, sources, held)
    else:
        console.print_report(str(file), loaded.report, print_options.main_lang)
        console.report_verified(held, print_options.main_lang, str(file))
        output.print_location(folder, files)
    console.exit_if(loaded.report.illegal)
