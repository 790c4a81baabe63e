"""`muster tournament rename`: correct a misspelt name in an event and in its open files."""

from __future__ import annotations

from pathlib import Path

import click

from generator.cli import console, safe_write
from generator.cli.event_folder import open_event, round_folders
from generator.cli.fonts_in_use import check_fonts
from generator.cli.help import Verb
from generator.cli.one_writer import writes_event
from generator.cli.player_lists import ENCODING
from generator.cli.round_results import frozen_rounds, keep_copy, round_state
from generator.cli.tournament_cli import DRY_RUN, FOLDER, command_of, format_sentence, next_step, print_next_step
from generator.errors import DataError, Problem
from generator.model.words import Lang
from generator.store.folders import is_file
from generator.store.manifest import NAME as MANIFEST
from generator.store.manifest import as_listed
from generator.store.manifest import extended_manifest as listed_with
from generator.tournament import event_file
from generator.tournament.csv_files import plain
from generator.tournament.event_file import EventRecord
from generator.tournament.packing import RESULTS
from generator.tournament.rename import new_name, rename_in_event_file, rename_in_results, rename_player


@click.command(cls=Verb)
@FOLDER
@click.argument("old")
@click.argument("new")
@ENCODING
@DRY_RUN
@console.answer_options
@writes_event
def rename(folder: Path, old: str, new: str, encoding: str | None, dry_run: bool, lang: Lang, as_json: bool) -> None:
    """Correct the name of a player on the list, in rounds that were played or undone, and in every results.csv.

    Only the cells with the name change, and a copy of each file is kept.
    """
    event_record = open_event(folder)
    player = event_record.require_player(old)
    name = new_name(event_record, player, new)
    check_fonts([name])
    after = rename_player(event_record, player.name, name)
    file = folder / event_file.NAME
    before = file.read_bytes() if is_file(file) else b""
    made: dict[Path, tuple[bytes, int]] = {}
    problems: list[Problem] = []
    for place in round_folders(folder):
        sheet = place / RESULTS
        if is_file(sheet):
            try:
                content, count = rename_in_results(
                    sheet, player.name, name, encoding, [one.name for one in event_record.players]
                )
            except DataError as error:
                problems += [p.but(file=p.file or str(sheet)) for p in error.problems]
                continue
            if count and content != sheet.read_bytes():
                made[sheet] = content, count
    DataError.raise_if_any(problems)
    fresh = rename_in_event_file(before, player.name, name, event_record, after)
    event_file.check_readable(fresh, file)
    again = _printed_before(folder, event_record, player.name)
    copies: list[Path] = []
    if name != player.name and not dry_run:
        copies = [keep_copy(folder, path) for path in (file, *made) if is_file(path)]
        safe_write.write_files({file: fresh}, added_to={file})
        for sheet, (content, _) in made.items():
            _write_results_file(sheet, content, event_record)
    lines = [format_sentence("would_rename" if dry_run else "renamed", lang, old=player.name, new=name)]
    lines += [format_sentence("cells", lang, file=sheet, n=count) for sheet, (_, count) in made.items()]
    lines += [format_sentence("copied", lang, file=copy) for copy in copies]
    lines += [
        format_sentence("printed_before", lang, n=n, command=command_of("pack", folder, "--round", str(n)))
        for n in again
    ]
    sentence, command = next_step(folder, event_record if dry_run else after)
    if as_json:
        files = [{"file": str(sheet), "cells": count} for sheet, (_, count) in made.items()]
        about: dict[str, object] = {"folder": str(folder), "old": player.name, "new": name, "files": files}
        about |= {"copies": [str(copy) for copy in copies], "printed": again, "told": lines}
        console.print_json(about | {"written": name != player.name and not dry_run, "next": command})
        return
    for line in lines:
        console.print_line(line)
    print_next_step(sentence, command, lang)


def _printed_before(folder: Path, event_record: EventRecord, name: str) -> list[int]:
    """Return the numbers of packed rounds that are not yet played and whose pages have the old name."""
    played = frozen_rounds(folder, event_record)
    return [
        one.number
        for one in event_record.round
        if one.number not in played
        and round_state(folder, event_record, one) == "packed"
        and any(plain(name) in (plain(m.a), plain(m.b)) for m in one.meetings)
    ]


def _write_results_file(sheet: Path, content: bytes, event_record: EventRecord) -> None:
    """Write a results.csv.

    If no person changed the file before, also update the manifest, so that it can be packed again.
    """
    made = {sheet: content}
    untouched = any(
        f"round-{one.number}" == sheet.parent.name and not one.results for one in event_record.round
    ) and as_listed(sheet)
    if untouched:
        made[sheet.parent / MANIFEST] = listed_with(sheet.parent, {}, {RESULTS: content})
    safe_write.write_files(made, added_to=made)
