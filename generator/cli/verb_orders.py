"""`muster orders`: check, continue and write game logs."""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from generator.cli import console, logs, output, request, safe_write
from generator.cli.help import VerbGroup
from generator.cli.logs import finding_lines
from generator.cli.output import out_file
from generator.cli.print_options import ONE_SHEET, PrintOptions, add_print_options, screen_dpi_option
from generator.cli.scenario import SCENARIO, SUFFIX, Loaded, load
from generator.common.game import LogFinding
from generator.common.proof import rows as verified_rows
from generator.errors import DataError, Problem, WrongUsageError
from generator.localization import tr
from generator.model.views import Kit
from generator.model.words import Lang
from generator.notation.text import command as format_command
from generator.store.folders import is_file
from generator.store.manifest import seal as sealed


@click.group(cls=VerbGroup)
@console.lang_accepted
def orders_verb() -> None:
    """Judge a game log, write its next post, list legal orders, roll dice, or play at random."""


@orders_verb.command()
@click.argument("log", type=click.Path(path_type=Path))
@logs.scenario_option
@console.answer_options
def check(log: Path, scenario: Path | None, lang: Lang, as_json: bool) -> None:
    """Judge a whole game log, and report every fault with its line and reason."""
    loaded, logbook, text = logs.load_log(log, scenario)
    judged = logbook.judge(loaded.scenario, text)
    held = loaded.verify_sight_while(lambda battle: logbook.judge(battle, text))
    if not judged.orders and not judged.findings:
        raise DataError(*_no_order_problems(log, judged.doubtful, scenario or SCENARIO))
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
    console.print_answer(as_json, row | {"verified": verified_rows(held)}, lines)
    if not as_json:
        console.report_verified(held, lang)
    console.exit_if(judged.findings)


def _no_order_problems(log: Path, doubtful: Sequence[int], scenario: Path | str) -> list[Problem]:
    """Return the problems of a log without orders: each line that may be an order, and that there are no orders."""
    unclear = tr("may be an order, a reply or a header, but was read as talk")
    how = tr("write it as in {example}", example="#1: W / 2 / 0908")
    belongs = tr("check that the log belongs to {file}", file=scenario)
    return [
        *(Problem(unclear, str(log), line, how) for line in doubtful),
        Problem(tr("the log contains no orders"), str(log), hint="" if doubtful else belongs),
    ]


def _finding_row(finding: LogFinding, lang: Lang) -> dict[str, object]:
    """Return a finding as plain values for JSON."""
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
@console.language_free_options
def list_orders(file: Path, unit: str, after: Path | None, as_json: bool) -> None:
    """List the legal orders of a unit, at the start of the scenario or at the end of a log (--after)."""
    loaded = _load_scenario(file, unit)
    text = logs.log_text(after) if after else ""
    rows = logs.logbook(loaded).orders(loaded.scenario, text, unit)
    console.print_answer(as_json, rows, (str(row["order"]) for row in rows))


def _load_scenario(file: Path, unit: str) -> Loaded:
    """Return the scenario of a file.

    Raises:
        DataError: If the file cannot be read.
        WrongUsageError: If the file seems to be a log.
    """
    try:
        return load(file)
    except DataError as error:
        if file.suffix == SUFFIX or not is_file(file):
            raise
        command = format_command(["muster", "orders", "list", SCENARIO, unit, "--after", file], {})
        hint = tr("to list the orders after a log, run: {command}", command=command)
        raise WrongUsageError(Problem(tr("is not a scenario"), str(file), hint=hint)) from error


_LINK = re.compile(r"^(?:chain: )?([0-9a-f]{64})$", re.MULTILINE)
"""Matches a line in the file of a dice chain that contains a link (64 hexadecimal digits) or the end of the chain."""


@orders_verb.command(name="next")
@click.argument("log", type=click.Path(path_type=Path))
@logs.scenario_option
@click.option("--chain", metavar="FILE", type=click.Path(path_type=Path))
@add_print_options(ONE_SHEET)
@screen_dpi_option
@out_file(".png")
@console.json_option
def next_order(
    log: Path,
    scenario: Path | None,
    chain: Path | None,
    print_options: PrintOptions,
    screen_dpi: int,
    out: Path | None,
    as_json: bool,
) -> None:
    """Write the next post of a game log, with the dice rolls that are due and every legal order."""
    from generator.press.png import page_pngs

    loaded, logbook, text = logs.load_log(log, scenario)
    links = tuple(_LINK.findall(logs.log_text(chain))) if chain else ()
    post = logbook.next(loaded.scenario, text, links)
    judged = logbook.judge(loaded.scenario, text)
    if out:
        safe_write.check_replaceable(out)
        kit = Kit(loaded.game.title, loaded.scenario.title, loaded.stamp, (post.sheet,))
        pdf = output.kit_pdf(
            output.with_scenario_credit(kit, loaded, (scenario or log).parent),
            print_options.press_options(loaded.game),
        )
        safe_write.write_file(out, page_pngs(pdf, screen_dpi)[0])
    post_text = post.text[print_options.main_lang]
    console.print_answer(as_json, {**post.rows, "clean": not judged.findings, "text": post_text}, [post_text])
    for line in finding_lines(log, judged, print_options.main_lang):
        console.print_line(line, err=True)
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
    """Make a chain of secrets for dice rolls, compute the roll of two links, or seal a text."""
    logbook, words = logs.logbook(load(file)), console.words()
    values: dict[str, Any] = {"file": str(out or ""), "chain": None, "links": [], "text": None, "sha256": None}
    values |= {"dice": [], "seal": None, "open": None}
    if roll:
        values["text"], values["sha256"], rolled = logbook.dice.roll(*(word.strip() for word in roll))
        values["dice"] = list(rolled)
        lines = [values["text"], values["sha256"], " ".join(map(str, rolled))]
    elif seal is not None:
        opening = f"{secret or secrets.token_hex(8)} {' '.join(seal.split())}"
        values |= {"seal": f"seal: {logbook.dice.sealed(opening)}", "open": f"open: {opening}"}
        lines = [values["seal"], values["open"]]
    else:
        end, *links = logbook.dice.forge(secret or secrets.token_hex(32))
        values |= {"chain": f"chain: {end}", "links": [] if out else links}
        lines = [words["chain_head"][lang], values["chain"], words["chain_links"][lang], *links]
    if out:
        safe_write.write_file(out, sealed("\n".join([*lines, ""]).encode()), private=True)
    console.print_answer(as_json, values, [f"{out}" if out else "\n".join(lines)])


@orders_verb.command()
@click.argument("file", metavar="SCENARIO", type=click.Path(path_type=Path))
@request.seed_option
@out_file(".txt", ".log")
@console.answer_options
def play(file: Path, seed: str | None, out: Path | None, lang: Lang, as_json: bool) -> None:
    """Write an example log in which both players give random orders."""
    loaded = load(file)
    code = request.parse_seed(seed)
    text = logs.logbook(loaded).play(loaded.scenario, code, lang)
    if out is None:
        if as_json:
            console.print_json({"file": "", "code": code, "log": text})
        else:
            click.echo(text, nl=False)
        return
    safe_write.write_file(out, sealed(text.encode()))
    console.print_answer(as_json, {"file": str(out), "code": code, "log": text}, [out])
