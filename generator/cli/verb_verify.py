"""`muster verify`."""

from __future__ import annotations

from pathlib import Path

import click

from generator.cli import say
from generator.errors import DataError, Problem
from generator.model.words import Lang
from generator.store.folders import is_file
from generator.store.manifest import FILLED, differences, parts, strangers


@click.command()
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@say.lang_option
@say.json_option
def command(folder: Path, lang: Lang, as_json: bool) -> None:
    """Hold a kit against its manifest: is every file there, and as it was made? An event's rounds are looked into."""
    if is_file(folder):
        raise DataError(Problem("is a file", str(folder), hint=f"name the folder it lies in: {folder.parent}"))
    words = say.words()
    rows, whole = list[dict[str, object]](), True
    for place in (folder, *parts(folder)):
        found, others = differences(place), strangers(place)
        faults = [words[what].fill(name=name) for name, what in found if what != FILLED]
        filled = [name for name, what in found if what == FILLED]
        whole = whole and not faults
        findings = [fault["en"] for fault in faults]
        rows.append(
            {"folder": str(place), "whole": not faults, "findings": findings, "filled": filled, "others": others}
        )
        if as_json:
            continue
        told = [*faults, *(words["filled"].fill(name=name) for name in filled)]
        told += [words["foreign"].fill(name=name) for name in others]
        for sentence in (*told, *([] if faults else [words["whole"]])):
            say.line(f"{place}: {sentence[lang]}")
    if as_json:
        own, *inside = rows
        say.as_json({**own, "whole": whole, "folders": inside})
    if not whole:
        raise click.exceptions.Exit(1)
