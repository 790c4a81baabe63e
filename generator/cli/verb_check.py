"""`muster check`: check scenarios against the rules."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec
from msgspec.structs import replace

from generator.cli import console, output, safe_write
from generator.cli.help import Verb
from generator.cli.print_options import ONE_SHEET, PrintOptions, add_print_options
from generator.cli.scenario import Loaded, load
from generator.cli.sight_proof import prove_sight, sight_tool
from generator.common.pages import findings_sheet
from generator.common.proof import (
    Case,
    Verifications,
    case_rows,
    case_sentence,
    proof_sentence,
    proof_sheet,
)
from generator.common.proof import rows as verified_rows
from generator.common.search import certified_json, certified_lines
from generator.errors import DataError, WrongUsageError
from generator.localization import tr
from generator.model.words import Lang, Words


@click.command(cls=Verb)
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE…")
@click.option("--strict", is_flag=True)
@click.option("--prove", is_flag=True)
@output.out_file(".pdf", ".png")
@add_print_options(ONE_SHEET)
@console.json_option
def check_verb(
    files: tuple[Path, ...], strict: bool, prove: bool, print_options: PrintOptions, out: Path | None, as_json: bool
) -> None:
    """Check scenario files against the rules."""
    if out and len(files) > 1:
        raise WrongUsageError(tr("-o can print the findings of only one scenario"), hint=tr("give one scenario"))
    lang, results = print_options.main_lang, [(path, _check_file(path, prove)) for path in files]
    if as_json:
        console.print_json([_result_values(path, result, lang) for path, result in results])
    else:
        for path, result in results:
            if isinstance(result, Checked):
                console.print_report(str(path), result.loaded.report, lang)
                for note in result.notes:
                    console.print_line(f"{path}: {note[lang]}")
                console.report_verified(result.held, lang, str(path))
                _print_proof(str(path), result.cases, lang)
    for path, result in results if out else ():
        if out and isinstance(result, Checked):
            safe_write.write_file(out, _print_findings(result, print_options, path.parent, out.suffix == ".png"))
            console.print_line(f"{out}", err=as_json)
    broken = [problem for _, result in results if isinstance(result, DataError) for problem in result.problems]
    if broken and not as_json:
        raise DataError(*broken)
    reports = [result.loaded.report for _, result in results if isinstance(result, Checked)]
    if broken:
        raise click.exceptions.Exit(DataError.exit_code)
    console.exit_if(any(of.illegal or (strict and of.of("unproved", "remark")) for of in reports))


class Checked(msgspec.Struct, frozen=True):
    """A checked scenario, with the verification results for its lines of sight and the proof if requested."""

    loaded: Loaded
    held: Verifications
    cases: tuple[Case, ...] | None

    @property
    def notes(self) -> tuple[Words, ...]:
        """The game's notes on a legal scenario, and its certificate of grade C if a search wrote one."""
        loaded = self.loaded
        if loaded.report.illegal:
            return ()
        fairness = loaded.game.fairness
        certificate = certified_lines(fairness.tables, loaded.scenario) if fairness else ()
        return (*loaded.game.check_notes(loaded.scenario), *certificate)


def _check_file(path: Path, prove: bool) -> Checked | DataError:
    try:
        loaded = load(path)
    except DataError as error:
        return error
    return Checked(loaded, loaded.verify_sight("checked"), prove_sight(loaded) if prove else None)


def _print_proof(name: str, cases: tuple[Case, ...] | None, lang: Lang) -> None:
    """Print the result of a proof, with a line for each combination of rulings and a summary."""
    if cases is None:
        return
    for case in cases:
        console.print_line(f"{name}: {case_sentence(case)[lang]}")
    console.print_line(f"{name}: {proof_sentence(cases)[lang]}")


def _print_findings(of: Checked, print_options: PrintOptions, folder: Path, picture: bool) -> bytes:
    """Return a PDF with the findings of a check and any proof, or a PNG of its first page if `picture` is true."""
    loaded = of.loaded
    kit = loaded.game.kit(loaded.scenario, loaded.report, loaded.stamp, "")
    found = findings_sheet(kit, loaded.report)
    proof = [proof_sheet(sight_tool(loaded), loaded.scenario, of.cases)] if of.cases else []
    page = output.with_scenario_credit(replace(kit, usual=(found, *proof), more=()), loaded, folder)
    pdf = output.kit_pdf(page, print_options.press_options(loaded.game))
    if not picture:
        return pdf
    from generator.press.png import page_png

    return page_png(pdf)


def _result_values(path: Path, result: Checked | DataError, lang: Lang) -> dict[str, object]:
    """Return the result for a file as plain values for JSON (docs/json.md)."""
    row: dict[str, object] = {"file": str(path), "legal": False, "rules": [], "deciding": 0}
    row |= {"findings": [], "problems": []}
    row |= {"follows": [], "notes": [], "verified": []}
    if isinstance(result, DataError):
        return row | {"problems": [console.problem_values(p) for p in result.problems]}
    row |= {"verified": verified_rows(result.held)} | ({"proof": case_rows(result.cases)} if result.cases else {})
    row["notes"] = [note[lang] for note in result.notes]
    row |= {key: console.in_language(of, lang) for key, of in certified_json(result.loaded.scenario.log).items()}
    report = result.loaded.report
    return row | console.report_values(report, lang) | {"follows": [sentence[lang] for sentence in report.follows]}
