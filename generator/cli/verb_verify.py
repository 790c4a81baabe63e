"""`muster verify`."""

from __future__ import annotations

from pathlib import Path

import click

from generator.cli import say
from generator.model.words import Lang
from generator.store.manifest import differences, strangers


@click.command()
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@say.lang_option
@say.json_option
def command(folder: Path, lang: Lang, as_json: bool) -> None:
    """Hold a kit against its manifest: is every file there, and as it was made?"""
    found, others = differences(folder), strangers(folder)
    words = say.words()
    if as_json:
        say.as_json({"folder": str(folder), "whole": not found, "findings": found, "others": others})
    else:
        for sentence in found:
            say.line(f"{folder}: {sentence}")
        for name in others:
            say.line(f"{folder}: {words['foreign'].fill(name=name)[lang]}")
        if not found:
            say.line(f"{folder}: {words['whole'][lang]}")
    if found:
        raise click.exceptions.Exit(1)
