"""`muster print`."""

from __future__ import annotations

from pathlib import Path

import click

from generator.cli import paper, say
from generator.cli.scenario import load, user_files
from generator.errors import Problem, WrongUsageError
from generator.model.words import Lang
from generator.store.write import write_all


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@paper.print_options
def command(file: Path, lang: Lang, sheet: str, ink: str, out: Path | None) -> None:
    """Print the kit of any scenario file, a hand-written one too."""
    loaded = load(file)
    folder = paper.folder(loaded, out)
    files = paper.kit_files(loaded, lang, sheet, ink, user_files(loaded, file.parent))
    written = folder / "scenario.toml"
    if written.exists() and written.samefile(file) and file.read_bytes() != files[written.name]:
        raise WrongUsageError(
            Problem(f"the kit's scenario.toml would replace {file}", hint="name another folder with -o")
        )
    write_all(folder, files)
    say.report(str(file), loaded.report, lang)
    click.echo(f"{folder / 'kit.pdf'}")
    if loaded.report.illegal:
        raise click.exceptions.Exit(1)
