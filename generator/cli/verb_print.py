"""`muster print`: print the kit of a scenario file."""

from __future__ import annotations

from pathlib import Path

import click

from generator.cli import console, output
from generator.cli.help import Verb
from generator.cli.print_options import How
from generator.cli.scenario import load, user_files
from generator.store.folders import folder_of


@click.command(cls=Verb)
@click.argument("file", type=click.Path(path_type=Path))
@output.kit_options
@console.json_option
def print_verb(file: Path, how: How, out: Path | None, as_json: bool) -> None:
    """Print the kit of any scenario file, including one you wrote yourself."""
    loaded = load(file)
    folder = output.folder(loaded, out)
    sources = user_files(loaded, folder_of(file))
    held = loaded.verified("printed")
    files = output.kit_files(loaded, how, sources, held)
    output.write_kit(folder, files)
    if as_json:
        output.as_json(folder, loaded, files, how, sources, held)
    else:
        console.report(str(file), loaded.report, how.first)
        console.verified(held, how.first, str(file))
        output.told(folder, files)
    console.end_if(loaded.report.illegal)
