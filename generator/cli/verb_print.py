"""`muster print`."""

from __future__ import annotations

from pathlib import Path

import click

from generator.cli import paper, say
from generator.cli.how import How
from generator.cli.scenario import load, user_files
from generator.store.read import beside


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@paper.kit_options
@say.json_option
def command(file: Path, how: How, out: Path | None, as_json: bool) -> None:
    """Print the kit of any scenario file, a hand-written one too."""
    loaded = load(file)
    folder = paper.folder(loaded, out)
    sources = user_files(loaded, beside(file))
    files = paper.kit_files(loaded, how, sources)
    paper.write_kit(folder, files)
    if as_json:
        paper.as_json(folder, loaded, files, how, sources)
    else:
        say.report(str(file), loaded.report, how.first)
        click.echo(f"{folder / next(iter(files))}")
    if loaded.report.illegal:
        raise click.exceptions.Exit(1)
