"""`muster verify`."""

from __future__ import annotations

from pathlib import Path

import click

from generator.cli import say
from generator.store.manifest import differences, strangers


@click.command()
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@say.json_option
def command(folder: Path, as_json: bool) -> None:
    """Hold a kit against its manifest: is every file there, and as it was made?"""
    found, others = differences(folder), strangers(folder)
    if as_json:
        say.as_json({"folder": str(folder), "whole": not found, "findings": found, "others": others})
    else:
        for sentence in found:
            say.line(f"{folder}: {sentence}")
        for name in others:
            say.line(f"{folder}: {name} is no part of the kit")
        if not found:
            say.line(f"{folder}: whole, as it was made")
    if found:
        raise click.exceptions.Exit(1)
