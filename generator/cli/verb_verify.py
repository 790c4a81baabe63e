"""`muster verify`."""

from __future__ import annotations

from pathlib import Path

import click

from generator.cli import say
from generator.errors import DataError, Problem
from generator.model.words import Lang
from generator.store.folders import is_file
from generator.store.manifest import differences, strangers


@click.command()
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@say.lang_option
@say.json_option
def command(folder: Path, lang: Lang, as_json: bool) -> None:
    """Hold a kit against its manifest: is every file there, and as it was made?"""
    if is_file(folder):
        raise DataError(Problem("is a file", str(folder), hint=f"name the folder it lies in: {folder.parent}"))
    found, others = differences(folder), strangers(folder)
    words = say.words()
    sentences = [words[what].fill(name=name) for name, what in found]
    if as_json:
        findings = [sentence["en"] for sentence in sentences]
        say.as_json({"folder": str(folder), "whole": not found, "findings": findings, "others": others})
    else:
        for sentence in sentences:
            say.line(f"{folder}: {sentence[lang]}")
        for name in others:
            say.line(f"{folder}: {words['foreign'].fill(name=name)[lang]}")
        if not found:
            say.line(f"{folder}: {words['whole'][lang]}")
    if found:
        raise click.exceptions.Exit(1)
