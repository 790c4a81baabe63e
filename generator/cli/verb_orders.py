"""`muster orders`: check, continue and write logs of play."""

from __future__ import annotations

import re
import secrets
from pathlib import Path
from typing import Any

import click

from generator.cli import console, logs, output, put, request
from generator.cli.help import VerbGroup
from generator.cli.logs import finding_lines
from generator.cli.output import out_file
from generator.cli.print_options import ONE_SHEET, How, fineness_option, how_options
from generator.cli.scenario import SCENARIO, SUFFIX, Loaded, load
from generator.common.game import LogFinding
from generator.common.proof import rows as verified_rows
from generator.errors import DataError, Problem, WrongUsageError
from generator.localization import tr
from generator.model.views import Kit
from generator.model.words import Lang
from generator.store.folders import is_file
from generator.store.manifest import seal as sealed


@click.group(cls=VerbGroup)
@console.lang_accepted
def orders_verb() -> None:
    """Judge a log of play, write its next post, list legal orders, roll dice, or play at random."""


@orders_verb.command()
@click.argument("log", type=click.Path(path_type=Path))
@logs.scenario_option
@console.answer_options
def check(log: Path, scenario: Path | None, lang: Lang, as_json: bool) -> None:
    """Judge a whole log. Every fault is reported with its line and reason."""
    loaded, book, text = logs.read(log, scenario)
    judged = book.judge(loaded.scenario, text)
    held = loaded.watched(lambda battle: book.judge(battle, text))
    if not judged.orders and not judged.findings:
        hint = tr("check that it belongs to {file}", file=scenario or SCENARIO)
        raise DataError(Problem(tr("no order was found in it"), str(log), hint=hint))
    row = {
        "log": str(log),
        "clean": not judged.findings,
        "legal": not judged.broke_rule,
        "findings": [_finding_row(finding, lang) for finding in judged.findings],
        "notes": [_finding_row(note, lang) for note in judged.notes],
        **judged.rows,
    }
    lines = [*finding_lines(log, judged, lang), judged.position[lang]]
    if not judged.broke_rule:
        verdict = console.words()["unclear_log" if judged.findings else "clean_log"]
        lines.append(verdict.fill(file=log, n=judged.orders)[lang])
    console.answer(as_json, row | {"verified": verified_rows(held)}, lines)
    if not as_json:
        console.verified(held, lang)
    console.end_if(judged.findings)


def _finding_row(finding: LogFinding, lang: Lang) -> dict[str, object]:
    """Return a finding as plain values ready for JSON."""
    return {
        "line": finding.line,
        "kind": finding.kind,
        "reason": finding.reason,
        "message": finding.text[lang],
    }


@orders_verb.command(name="list")
@click.argument("file", metavar="SCENARIO", type=click.Path(path_type=Path))
@click.argument("unit")
@click.option("--after", metavar="LOG", type=click.Path(path_type=Path))
@console.value_options
def list_orders(file: Path, unit: str, after: Path | None, as_json: bool) -> None:
    """List a unit's legal orders: at the start of the scenario or, with --after, at the end of a log."""
    loaded = _scenario(file, unit)
    text = logs.log_text(after) if after else ""
    rows = logs.logbook(loaded).orders(loaded.scenario, text, unit)
    console.answer(as_json, rows, (str(row["order"]) for row in rows))


def _scenario(file: Path, unit: str) -> Loaded:
    """The scenario of a file; WrongUsageError where it seems to be a log."""
    try:
        return load(file)
    except DataError as error:
        if file.suffix == SUFFIX or not is_file(file):
            raise
        hint = tr(
            "for the position after a log: muster orders list {scenario} {unit} --after {file}",
            scenario=SCENARIO,
            unit=unit,
            file=file,
        )
        raise WrongUsageError(Problem(tr("is not a scenario"), str(file), hint=hint)) from error


_LINK = re.compile(r"^(?:chain: )?([0-9a-f]{64})$", re.MULTILINE)
"""A link of a chain in its file, its end among them."""


@orders_verb.command(name="next")
@click.argument("log", type=click.Path(path_type=Path))
@logs.scenario_option
@click.option("--chain", metavar="FILE", type=click.Path(path_type=Path))
@how_options(ONE_SHEET)
@fineness_option
@out_file(".png")
@console.json_option
def next_order(
    log: Path, scenario: Path | None, chain: Path | None, how: How, fineness: int, out: Path | None, as_json: bool
) -> None:
    """Write the next post of a log: the rolls that are due, with their numbers, and every legal order."""
    from generator.press.png import page_pngs

    loaded, book, text = logs.read(log, scenario)
    links = tuple(_LINK.findall(logs.log_text(chain))) if chain else ()
    post = book.next(loaded.scenario, text, links)
    judged = book.judge(loaded.scenario, text)
    if out:
        put.spare(out)
        kit = Kit(loaded.game.title, loaded.scenario.title, loaded.stamp, (post.sheet,))
        pdf = output.kit_pdf(output.of_scenario(kit, loaded, (scenario or log).parent), how.edition(loaded.game))
        put.file(out, page_pngs(pdf, fineness)[0])
    told = post.text[how.first]
    console.answer(as_json, {**post.rows, "clean": not judged.findings, "text": told}, [told])
    for line in finding_lines(log, judged, how.first):
        console.line(line, err=True)
    if out:
        click.echo(f"{out}", err=as_json)


@orders_verb.command()
@click.argument("file", metavar="SCENARIO", type=click.Path(path_type=Path))
@click.option("--secret", metavar="TEXT", type=str)
@click.option("--roll", metavar="LINK LINK ORDER", nargs=3, type=str)
@click.option("--seal", metavar="TEXT", type=str)
@out_file(".txt")
@console.answer_options
def dice(
    file: Path,
    secret: str | None,
    roll: tuple[str, str, str] | None,
    seal: str | None,
    out: Path | None,
    lang: Lang,
    as_json: bool,
) -> None:
    """Make a chain of secrets to roll dice with, compute the roll of two links, or seal a text."""
    book, words = logs.logbook(load(file)), console.words()
    told: dict[str, Any] = {"file": str(out or ""), "chain": None, "links": [], "text": None, "sha256": None}
    told |= {"dice": [], "seal": None, "open": None}
    if roll:
        told["text"], told["sha256"], thrown = book.dice.roll(*(word.strip() for word in roll))
        told["dice"] = list(thrown)
        lines = [told["text"], told["sha256"], " ".join(map(str, thrown))]
    elif seal is not None:
        opening = f"{secret or secrets.token_hex(8)} {' '.join(seal.split())}"
        told |= {"seal": f"seal: {book.dice.sealed(opening)}", "open": f"open: {opening}"}
        lines = [told["seal"], told["open"]]
    else:
        end, *links = book.dice.forge(secret or secrets.token_hex(32))
        told |= {"chain": f"chain: {end}", "links": [] if out else links}
        lines = [words["chain_head"][lang], told["chain"], words["chain_links"][lang], *links]
    if out:
        put.file(out, sealed("\n".join([*lines, ""]).encode()), private=True)
    console.answer(as_json, told, [f"{out}" if out else "\n".join(lines)])


@orders_verb.command()
@click.argument("file", metavar="SCENARIO", type=click.Path(path_type=Path))
@request.seed_option
@out_file(".txt", ".log")
@console.answer_options
def play(file: Path, seed: str | None, out: Path | None, lang: Lang, as_json: bool) -> None:
    """Write an example log in which both players give random orders."""
    loaded = load(file)
    code = request.code(seed)
    text = logs.logbook(loaded).play(loaded.scenario, code, lang)
    if out is None:
        if as_json:
            console.as_json({"file": "", "code": code, "log": text})
        else:
            click.echo(text, nl=False)
        return
    put.file(out, sealed(text.encode()))
    console.answer(as_json, {"file": str(out), "code": code, "log": text}, [out])
