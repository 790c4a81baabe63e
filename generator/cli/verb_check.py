"""`muster check`."""

from __future__ import annotations

from pathlib import Path

import click

from generator.cli import say
from generator.cli.scenario import load
from generator.errors import DataError
from generator.model.words import Lang
from generator.rules.rule import Report


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE…")
@click.option("--strict", is_flag=True, help="Count what is unproved as a finding.")
@say.lang_option
@say.json_option
def command(files: tuple[Path, ...], strict: bool, lang: Lang, as_json: bool) -> None:
    """Prove that scenarios are legal, from their files alone."""
    results = [(path, _examined(path)) for path in files]
    if as_json:
        say.as_json([_row(path, result, lang) for path, result in results])
    else:
        for path, result in results:
            if isinstance(result, Report):
                say.report(str(path), result, lang)
    broken = [problem for _, result in results if isinstance(result, DataError) for problem in result.problems]
    if broken and not as_json:
        raise DataError(*broken)
    reports = [result for _, result in results if isinstance(result, Report)]
    if broken:
        raise click.exceptions.Exit(DataError.exit_code)
    if any(report.illegal or (strict and report.unproved) for report in reports):
        raise click.exceptions.Exit(1)


def _examined(path: Path) -> Report | DataError:
    try:
        return load(path).report
    except DataError as error:
        return error


def _row(path: Path, result: Report | DataError, lang: Lang) -> dict[str, object]:
    """What was found in one file as plain values (docs/json.md)."""
    row: dict[str, object] = {"file": str(path), "legal": False, "rules": 0, "findings": [], "problems": []}
    if isinstance(result, DataError):
        return row | {"problems": [say.problem_row(p) for p in result.problems]}
    findings = [say.finding_row(f, lang) for f in result.findings]
    return row | {"legal": not result.illegal, "rules": len(result.rules), "findings": findings}
