"""Read lists of players, ask about absent players, and report how a file was read."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import click

from generator.cli import console
from generator.cli.codec import Codec
from generator.cli.fonts_in_use import check_fonts_of_rows
from generator.localization import localize
from generator.model.words import Lang
from generator.tournament import player_list
from generator.tournament.csv_files import Table
from generator.tournament.pairings import Entrant, words
from generator.tournament.player_list import Absent

ENCODING = click.option("--encoding", type=Codec(), metavar="CODEC")
ABSENT = click.option("--absent", type=click.Choice(player_list.ABSENT))


def read_players(
    file: Path, encoding: str | None, absent: Absent | None, lang: Lang, as_json: bool, minimum: int = 2
) -> tuple[list[Entrant], list[str]]:
    """Return the players of a list, and lines that report how the list was read.

    `minimum` is the minimum number of players. If players are marked as absent, the command asks on the terminal
    whether to seat them.

    Raises:
        DataError: If players are marked as absent, there is no terminal, and --absent is not given.
    """
    listed = player_list.read(file, encoding)
    lines = [localize(remark, lang) for remark in listed.remarks]
    if listed.away and absent is None and not as_json and console.can_ask():
        for problem in player_list.absences(listed):
            console.print_line(problem.but(hint="").describe(lang), err=True)
        answer = click.prompt(words()["say"]["absent_ask"][lang], type=click.Choice(player_list.ABSENT), err=True)
        absent = "seat" if answer == "seat" else "skip"
    made = player_list.entrants(listed, absent, minimum)
    check_fonts_of_rows(listed.rows, ("name", "team"))
    if listed.away:
        names = [row["name"] for row, _ in listed.away]
        sentence = "absent_seated" if absent == "seat" else "absent_skipped"
        lines.append(words()["say"][sentence].fill(names=names)[lang])
    return made, lines


def encoding_lines(file: str, encoding: str, lang: Lang) -> list[str]:
    """Return a line that reports the encoding of a file, or an empty list for Unicode."""
    return [] if encoding.startswith("utf") else [localize(player_list.encoding_remark(file, encoding), lang)]


def reading_lines(table: Table, lang: Lang, used: Collection[str] | None = None) -> list[str]:
    """Return lines that report how a table was read: its encoding if it is not Unicode, and unused columns.

    `used` are the columns that the command reads, or None if it reads every known column.
    """
    lines = encoding_lines(table.file, table.encoding, lang)
    lines += [localize(player_list.titles_remark(table.file, table.first_line, table.titles), lang)] * bool(
        table.titles
    )
    unused = table.unused(table.columns if used is None else used)
    return lines + ([localize(player_list.ignored_remark(table.file, unused), lang)] if unused else [])


def report_reading(table: Table, lang: Lang) -> None:
    """Print how a table was read to standard error, which keeps it separate from the output of the command."""
    for line in reading_lines(table, lang):
        console.print_line(line, err=True)
