"""`muster check`."""

from __future__ import annotations

from pathlib import Path

import click

from generator.cli import say
from generator.cli.scenario import load
from generator.model.words import Lang


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE…")
@click.option("--strict", is_flag=True, help="Count what is unproved as a finding.")
@say.lang_option
@say.json_option
def command(files: tuple[Path, ...], strict: bool, lang: Lang, as_json: bool) -> None:
    """Prove that scenarios are legal, from their files alone."""
    loaded = [(path, load(path)) for path in files]
    if as_json:
        say.as_json(
            [
                {
                    "file": str(path),
                    "legal": not one.report.illegal,
                    "rules": len(one.report.rules),
                    "findings": [say.finding_row(f, lang) for f in one.report.findings],
                }
                for path, one in loaded
            ]
        )
    else:
        for path, one in loaded:
            say.report(str(path), one.report, lang)
    if any(one.report.illegal or (strict and one.report.unproved) for _, one in loaded):
        raise click.exceptions.Exit(1)
