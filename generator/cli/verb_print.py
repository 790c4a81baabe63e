"""`muster print`."""

from __future__ import annotations

from pathlib import Path

import click

from generator.cli import paper, say
from generator.cli.scenario import load
from generator.model.words import Lang
from generator.store.write import write_all


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@paper.print_options
def command(file: Path, lang: Lang, sheet: str, ink: str, out: Path | None) -> None:
    """Print the kit of any scenario file, a hand-written one too."""
    loaded = load(file)
    folder = paper.folder(loaded, out)
    origin = loaded.scenario.origin
    sources = {wish: file.parent / used.name for wish, used in origin.files.items()}
    write_all(folder, paper.kit_files(loaded, lang, sheet, ink, sources))
    say.report(str(file), loaded.report, lang)
    click.echo(f"{folder / 'kit.pdf'}")
    if loaded.report.illegal:
        raise click.exceptions.Exit(1)
