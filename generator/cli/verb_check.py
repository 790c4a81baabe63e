"""`muster check`: check scenarios against the rules."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec
from msgspec.structs import replace

from generator.cli import console, output, put
from generator.cli.help import Verb
from generator.cli.print_options import ONE_SHEET, How, how_options
from generator.cli.scenario import Loaded, load
from generator.cli.sight_proof import proof, sight_tool
from generator.common.pages import findings_sheet
from generator.common.proof import (
    Case,
    Held,
    case_rows,
    case_sentence,
    proof_sentence,
    proof_sheet,
)
from generator.common.proof import rows as verified_rows
from generator.errors import DataError, WrongUsageError
from generator.localization import tr
from generator.model.words import Lang


@click.command(cls=Verb)
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE…")
@click.option("--strict", is_flag=True)
@click.option("--prove", is_flag=True)
@output.out_file(".pdf", ".png")
@how_options(ONE_SHEET)
@console.json_option
def check_verb(files: tuple[Path, ...], strict: bool, prove: bool, how: How, out: Path | None, as_json: bool) -> None:
    """Prove that scenario files are legal."""
    if out and len(files) > 1:
        raise WrongUsageError(tr("-o prints the findings of one scenario"), hint=tr("give one scenario"))
    lang, results = how.first, [(path, _examined(path, prove)) for path in files]
    if as_json:
        console.as_json([_row(path, result, lang) for path, result in results])
    else:
        for path, result in results:
            if isinstance(result, Checked):
                console.report(str(path), result.loaded.report, lang)
                console.verified(result.held, lang, str(path))
                _tell_proof(str(path), result.cases, lang)
    for path, result in results if out else ():
        if out and isinstance(result, Checked):
            put.file(out, _findings(result, how, path.parent, out.suffix == ".png"))
            console.line(f"{out}", err=as_json)
    broken = [problem for _, result in results if isinstance(result, DataError) for problem in result.problems]
    if broken and not as_json:
        raise DataError(*broken)
    reports = [result.loaded.report for _, result in results if isinstance(result, Checked)]
    if broken:
        raise click.exceptions.Exit(DataError.exit_code)
    console.end_if(any(of.illegal or (strict and of.of("unproved", "remark")) for of in reports))


class Checked(msgspec.Struct, frozen=True):
    """A scenario that was checked: what of its sight the check rests on, and the proof of all of it where asked."""

    loaded: Loaded
    held: Held
    cases: tuple[Case, ...] | None


def _examined(path: Path, prove: bool) -> Checked | DataError:
    try:
        loaded = load(path)
    except DataError as error:
        return error
    return Checked(loaded, loaded.verified("checked"), proof(loaded) if prove else None)


def _tell_proof(name: str, cases: tuple[Case, ...] | None, lang: Lang) -> None:
    """What a proof came to, a line for each combination of rulings."""
    if cases is None:
        return
    for case in cases:
        console.line(f"{name}: {case_sentence(case)[lang]}")
    console.line(f"{name}: {proof_sentence(cases)[lang]}")


def _findings(of: Checked, how: How, folder: Path, picture: bool) -> bytes:
    """The page of a check's findings, with that of the proof where there is one; or a picture of the first."""
    loaded = of.loaded
    kit = loaded.game.kit(loaded.scenario, loaded.report, loaded.stamp, "")
    found = findings_sheet(kit, loaded.report)
    proof = [proof_sheet(sight_tool(loaded), loaded.scenario, of.cases)] if of.cases else []
    page = output.of_scenario(replace(kit, usual=(found, *proof), more=()), loaded, folder)
    pdf = output.kit_pdf(page, how.edition(loaded.game))
    if not picture:
        return pdf
    from generator.press.png import page_png

    return page_png(pdf)


def _row(path: Path, result: Checked | DataError, lang: Lang) -> dict[str, object]:
    """What was found in one file as plain values (docs/json.md)."""
    row: dict[str, object] = {"file": str(path), "legal": False, "rules": [], "findings": [], "problems": []}
    row |= {"follows": [], "verified": []}
    if isinstance(result, DataError):
        return row | {"problems": [console.problem_row(p) for p in result.problems]}
    row |= {"verified": verified_rows(result.held)} | ({"proof": case_rows(result.cases)} if result.cases else {})
    report = result.loaded.report
    return row | console.report_row(report, lang) | {"follows": [sentence[lang] for sentence in report.follows]}
