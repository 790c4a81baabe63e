"""`muster orders`."""

from __future__ import annotations

from pathlib import Path

import click

from generator.cli import ask, logs, put, say
from generator.cli.out import out_file
from generator.cli.scenario import SCENARIO, SUFFIX, Loaded, load
from generator.errors import DataError, Problem, WrongUsageError
from generator.model.words import Lang
from generator.store.folders import is_file
from generator.store.seal import seal


@click.group()
def command() -> None:
    """Judge a log of play, list the legal orders of a unit, or have a game played at random."""


@command.command()
@click.argument("log", type=click.Path(path_type=Path))
@logs.scenario_option
@say.lang_option
@say.json_option
def check(log: Path, scenario: Path | None, lang: Lang, as_json: bool) -> None:
    """Judge a whole log. Every fault is told with its line and reason."""
    loaded, book, text = logs.read(log, scenario)
    judged = book.judge(loaded.scenario, text)
    if not judged.orders and not judged.findings:
        hint = f"does it belong to {scenario or SCENARIO}?"
        raise DataError(Problem("no order was found in it", str(log), hint=hint))
    if as_json:
        findings = [{"line": f.line, "reason": f.reason, "message": f.text[lang]} for f in judged.findings]
        say.as_json({"log": str(log), "clean": not findings, "findings": findings, **judged.rows})
    else:
        for finding in judged.findings:
            say.line(f"{log}:{finding.line}: {finding.text[lang]} [{finding.reason}]")
        say.line(judged.standing[lang])
        if not judged.findings:
            say.line(say.words()["clean_log"].fill(file=log, n=judged.orders)[lang])
    if judged.findings:
        raise click.exceptions.Exit(1)


@command.command(name="list")
@click.argument("file", metavar="SCENARIO", type=click.Path(path_type=Path))
@click.argument("unit")
@click.option("--after", metavar="LOG", type=click.Path(path_type=Path), help="As it stands at the end of this log.")
@say.lang_accepted
@say.json_option
def list_orders(file: Path, unit: str, after: Path | None, as_json: bool) -> None:
    """List a unit's legal orders. Without --after they are those at the start of the scenario."""
    loaded = _scenario(file, unit)
    text = logs.log_text(after) if after else ""
    rows = logs.logbook(loaded).orders(loaded.scenario, text, unit)
    if as_json:
        say.as_json(rows)
        return
    for row in rows:
        click.echo(row["order"])


def _scenario(file: Path, unit: str) -> Loaded:
    """The scenario of a file; WrongUsageError where it seems to be a log."""
    try:
        return load(file)
    except DataError as error:
        if file.suffix == SUFFIX or not is_file(file):
            raise
        hint = f"after a log: muster orders list {SCENARIO} {unit} --after {file}"
        raise WrongUsageError(Problem("is no scenario", str(file), hint=hint)) from error


@command.command()
@click.argument("file", metavar="SCENARIO", type=click.Path(path_type=Path))
@ask.seed_option
@out_file("The text file to write (default: standard output, as -).", ".txt", ".log")
@say.lang_option
@say.json_option
def play(file: Path, seed: str | None, out: Path | None, lang: Lang, as_json: bool) -> None:
    """Write an example log. Two players give their orders at random."""
    loaded = load(file)
    code = ask.code(seed)
    text = logs.logbook(loaded).play(loaded.scenario, code, lang)
    if out is None:
        if as_json:
            say.as_json({"file": "", "code": code, "log": text})
        else:
            click.echo(text, nl=False)
        return
    put.file(out, seal(text.encode()))
    if as_json:
        say.as_json({"file": str(out), "code": code, "log": text})
    else:
        click.echo(f"{out}")
