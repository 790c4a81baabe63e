"""The verbs that answer about a scenario or a log: sight, orders, replay, fairness, odds, and what some games answer.

`muster sight`.

`muster orders`.

`muster replay`.

`muster fairness`.

`muster rulings`.

`muster odds`.
"""

from __future__ import annotations

import re
import secrets
import unicodedata
from collections.abc import Mapping
from itertools import zip_longest
from pathlib import Path
from typing import Any

import click
from msgspec.structs import asdict

from generator.cli import GameVerb, console, output, put, request, scenario, verb_help
from generator.cli import scenario as logs
from generator.cli.help import Verb, VerbGroup
from generator.cli.output import out_file, out_folder
from generator.cli.print_options import DPI_RANGE, ONE_SHEET, How, how_options
from generator.cli.scenario import SCENARIO, SUFFIX, Loaded, load, searched
from generator.cli.verb_play import FINENESS, numbered_of, playing_of
from generator.common.fairness import Certificate, Fairness, certificate, exported
from generator.common.game import Judged
from generator.common.interpretations import Outcome, outcome_lines, outcomes, rulings
from generator.common.pages import certificate_sheet, lines, warning
from generator.common.proof import Held, verified
from generator.common.proof import rows as verified_rows
from generator.common.tables import shared_words
from generator.common.trials import Account, Case, Row, account, case, counted
from generator.common.trials import play as play_case
from generator.common.trials import sealed as sealed_key
from generator.errors import DataError, Problem, WrongUsageError
from generator.model.views import Kit
from generator.model.words import Lang, Words
from generator.said import default_lang, say
from generator.store.folders import is_file, is_stream
from generator.store.manifest import seal as sealed
from generator.workers import Workers


def game_command(name: str, verbs: Mapping[str, GameVerb]) -> click.Command:
    """The command of a verb by which games are asked something about a scenario, each with its own arguments."""
    places = [list(filter(None, words)) for words in zip_longest(*(verb.arguments for verb in verbs.values()))]

    @click.command(name, cls=Verb, help=verb_help(verbs))
    @click.argument("file", type=click.Path(path_type=Path))
    @output.sheet_options
    @console.json_option
    def ask(file: Path, how: How, out: Path | None, as_json: bool, **given: str | None) -> None:
        loaded = load(file)
        query = request.capability(
            loaded.game,
            lambda game: next((q for q in game.queries if q.verb == name), None),
            say("has no {name}", name=name),
        )
        typed = (given[f"asked_{at}"] for at in range(len(places)))
        asked = tuple(unicodedata.normalize("NFKC", word).strip() for word in typed if word is not None)
        if len(asked) != len(wanted := verbs[loaded.game.name].arguments):
            usage = " ".join(["muster", name, "FILE", *map(str.upper, wanted)])
            raise WrongUsageError(say("{name} answers: {usage}", name=loaded.game.name, usage=usage))
        lines = (line[how.first] for line in query.lines(loaded.scenario, asked))
        console.answer(as_json, query.rows(loaded.scenario, asked), lines)
        if out:
            kit = Kit(loaded.game.title, loaded.scenario.title, loaded.stamp, (query.sheet(loaded.scenario, asked),))
            _print(kit, loaded, how, file, out, as_json)

    for at, words in enumerate(places):
        needed = len(words) == len(verbs)
        metavar = "|".join(dict.fromkeys(word.upper() for word in words))
        ask.params.insert(
            at + 1, click.Argument([f"asked_{at}"], required=needed, metavar=metavar if needed else f"[{metavar}]")
        )
    return ask


def _print(kit: Kit, loaded: Loaded, how: How, file: Path, out: Path, as_json: bool) -> None:
    """Write the pages of an answer, and say where."""
    put.spare(out)
    put.file(out, output.kit_pdf(output.of_scenario(kit, loaded, file.parent), how.edition(loaded.game)))
    click.echo(f"{out}", err=as_json)


@click.command(cls=Verb)
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("start", required=False, metavar="[A")
@click.argument("end", required=False, metavar="[B]]")
@console.answer_options
def sight_verb(file: Path, start: str | None, end: str | None, lang: Lang, as_json: bool) -> None:
    """Explain one line of sight, from cell A to cell B, or list all from A, or all pairs."""
    loaded = load(file)
    sight = request.capability(loaded.game, lambda game: game.sight, say("has no lines of sight"))
    if start and end:
        pair = (_cell(start), _cell(end))
        told = sight.pair(loaded.scenario, *pair)
        held = verified(sight.told.rows(loaded.scenario, [told]))
        console.answer(as_json, told, [sight.explain(loaded.scenario, *pair)[lang]])
        console.verified(held, lang, err=as_json)
        return
    every = list(sight.lines_from(loaded.scenario, _cell(start)) if start else sight.pairs(loaded.scenario))
    held = verified(sight.told.rows(loaded.scenario, every))
    console.answer(as_json, every, (sight.line(row)[lang] for row in every))
    console.verified(held, lang, err=True)


def _cell(name: str) -> str:
    """A cell's name as typed, full-width too."""
    return unicodedata.normalize("NFKC", name).strip()


@click.group(cls=VerbGroup)
@console.lang_accepted
def orders_verb() -> None:
    """Judge a log of play, write its next post, list legal orders, throw dice nobody doubts, or play at random."""


@orders_verb.command()
@click.argument("log", type=click.Path(path_type=Path))
@scenario.scenario_option
@console.answer_options
def check(log: Path, scenario: Path | None, lang: Lang, as_json: bool) -> None:
    """Judge a whole log. Every fault is told with its line and reason."""
    loaded, book, text = logs.read(log, scenario)
    judged = book.judge(loaded.scenario, text)
    held = loaded.watched(lambda battle: book.judge(battle, text))
    if not judged.orders and not judged.findings:
        hint = say("does it belong to {file}?", file=scenario or SCENARIO)
        raise DataError(Problem(say("no order was found in it"), str(log), hint=hint))
    findings = [{"line": f.line, "reason": f.reason, "message": f.text[lang]} for f in judged.findings]
    row = {"log": str(log), "clean": not findings, "findings": findings, **judged.rows}
    clean = [] if findings else [console.words()["clean_log"].fill(file=log, n=judged.orders)[lang]]
    lines = [*_found(log, judged, lang), judged.standing[lang], *clean]
    console.answer(as_json, row | {"verified": verified_rows(held)}, lines)
    if not as_json:
        console.verified(held, lang)
    console.end_if(judged.findings)


def _found(log: Path, judged: Judged, lang: Lang) -> list[str]:
    """What a judge found in a log, a line each."""
    return [f"{log}:{finding.line}: {finding.text[lang]} [{finding.reason}]" for finding in judged.findings]


@orders_verb.command(name="list")
@click.argument("file", metavar="SCENARIO", type=click.Path(path_type=Path))
@click.argument("unit")
@click.option("--after", metavar="LOG", type=click.Path(path_type=Path))
@console.value_options
def list_orders(file: Path, unit: str, after: Path | None, as_json: bool) -> None:
    """List a unit's legal orders. Without --after they are those at the start of the scenario."""
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
        hint = say(
            "after a log: muster orders list {scenario} {unit} --after {file}",
            scenario=SCENARIO,
            unit=unit,
            file=file,
        )
        raise WrongUsageError(Problem(say("is no scenario"), str(file), hint=hint)) from error


_FINENESS = click.option("--dpi", "fineness", metavar="DOTS", type=DPI_RANGE, default=FINENESS, show_default=True)
_LINK = re.compile(r"^(?:chain: )?([0-9a-f]{64})$", re.MULTILINE)
"""A link of a chain in its file, its end among them."""


@orders_verb.command(name="next")
@click.argument("log", type=click.Path(path_type=Path))
@scenario.scenario_option
@click.option("--chain", metavar="FILE", type=click.Path(path_type=Path))
@how_options(ONE_SHEET)
@_FINENESS
@out_file(".png")
@console.json_option
def next_order(
    log: Path, scenario: Path | None, chain: Path | None, how: How, fineness: int, out: Path | None, as_json: bool
) -> None:
    """Write the next post of a log: what is owed, by which numbers, and every legal order; with -o, its picture."""
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
    for line in _found(log, judged, how.first):
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
    """Make a chain of secrets to throw dice by, tell the roll of two links, or seal a text."""
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
    """Write an example log. Two players give their orders at random."""
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


PDF, GIF = "replay.pdf", "replay.gif"
SECONDS = {"start": 1.5, "": 4.0}
"""How long the moving picture shows a sheet of such a part, and any other."""


@click.command(cls=Verb)
@click.argument("log", type=click.Path(path_type=Path))
@scenario.scenario_option
@how_options(ONE_SHEET)
@_FINENESS
@out_folder()
@console.json_option
def replay_verb(log: Path, scenario: Path | None, how: How, fineness: int, out: Path | None, as_json: bool) -> None:
    """Make the pictures of each turn of a log, its start and what was done: PNG for a blog, a GIF, and one PDF.

    A log that breaks a rule is shown too; what was refused is marked, and told on the terminal.
    """
    from generator.press.png import moving, page_pngs

    loaded, book, text = logs.read(log, scenario)
    kit = output.of_scenario(book.replay(loaded.scenario, text, loaded.stamp), loaded, (scenario or log).parent)
    pdf = output.kit_pdf(kit, how.edition(loaded.game))
    pages = page_pngs(pdf, fineness)
    parts = [sheet.part for sheet in kit.sheets]
    names = [f"{part}-{parts[: at + 1].count(part):02}.png" for at, part in enumerate(parts)]
    shown = [SECONDS.get(part, SECONDS[""]) for part in parts]
    files = {PDF: pdf, GIF: moving(pages, shown)} | dict(zip(names, pages, strict=True))
    folder = out or Path("output") / ("replay" if is_stream(log) else f"replay-{log.stem}")
    held = loaded.watched(lambda battle: book.replay(battle, text, loaded.stamp))
    put.folder(folder, files)
    judged = book.judge(loaded.scenario, text)
    if as_json:
        told = {"folder": str(folder), "files": list(files), "clean": not judged.findings}
        console.as_json(told | {"verified": verified_rows(held)})
        return
    for line in _found(log, judged, how.first):
        console.line(line, err=True)
    console.line(judged.standing[how.first])
    console.verified(held, how.first)
    click.echo(f"{folder / PDF}")


@click.command(cls=Verb)
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE…")
@click.option("--play", "by_play", is_flag=True)
@click.option("--replay", metavar="N[-M]")
@request.workers_options
@output.sheet_options
@console.json_option
def fairness_verb(
    files: tuple[Path, ...],
    by_play: bool,
    replay: str | None,
    workers: Workers,
    how: How,
    out: Path | None,
    as_json: bool,
) -> None:
    """Measure how fair scenarios are, and whether legal, from their files alone; with -o, one of them as a page."""
    if out and len(files) > 1:
        raise WrongUsageError(say("-o prints one certificate"), hint=say("name one scenario"))
    if replay is not None:
        _recount(files, replay, how.first, as_json)
        return
    every = [
        (path, loaded, certificate(_fairness(loaded), loaded.scenario, loaded.report), loaded.verified("printed"))
        for path in files
        for loaded in (load(path),)
    ]
    played = [_played(loaded, workers) if by_play else None for _, loaded, _, _ in every]
    if as_json:
        rows = [_row(path, loaded, found, held, how.first) for path, loaded, found, held in every]
        for row, came in zip(rows, played, strict=True):
            if came:
                row["played"] = _spoken(came.exported, how.first)
        console.as_json(rows)
    for (path, _, found, held), came in zip(every, played, strict=True) if not as_json else ():
        for text in (*lines(found), *(came.lines if came else ())):
            console.line(f"{path}: {text[how.first]}" if len(files) > 1 else text[how.first])
        console.verified(held, how.first, str(path) if len(files) > 1 else "")
    if out:
        [(path, loaded, found, _)], [came] = every, played
        behind = (came.sheet,) if came else ()
        sheets = (certificate_sheet(_fairness(loaded), loaded.scenario, found), *behind)
        kit = Kit(loaded.game.title, loaded.scenario.title, loaded.stamp, sheets, warning=warning(loaded.report))
        _print(kit, loaded, how, path, out, as_json)


def _played(loaded: Loaded, workers: Workers) -> Account:
    """What the games of a scenario come to, by whoever works, or its odds in a game that is reckoned."""
    if not (loaded.game.fairness and loaded.game.fairness.paired):
        playing_of(loaded)
    with console.Telling() as telling:

        def tell(done: int, most: int) -> None:
            telling(shared_words()["played"]["trying"].fill(n=done, m=most)[default_lang()], done / most)

        found = counted(loaded.game, loaded.scenario, workers.spread, tell)
    return account(loaded.game, found, searched(loaded.game, loaded.scenario))


def _recount(files: tuple[Path, ...], typed: str, lang: Lang, as_json: bool) -> None:
    """Some games of a scenario's trial, each by itself."""
    if len(files) > 1:
        raise WrongUsageError(say("--replay recounts one scenario's games"), hint=say("name one scenario"))
    loaded = load(files[0])
    playing = numbered_of(loaded)
    found = re.fullmatch(r"([0-9]{1,6})(?:-([0-9]{1,6}))?", typed)
    span = range(int(found[1]), int(found[2] or found[1]) + 1) if found else range(0)
    cases = [case(playing, number) for number in span]
    if not cases or None in cases:
        raise WrongUsageError(say("--replay {typed}: no such games", typed=typed[:40]), hint=say("as in 0-99"))
    engine, key = playing.engine(loaded.scenario), sealed_key(loaded.game, loaded.scenario)
    rows = [(of, play_case(engine, playing, key, of)) for of in cases if of]

    def told(of: Case, row: Row) -> str:
        say_it, (one, other) = shared_words()["played"], (playing.policies[name].name for name in of.seats)
        result = say_it["draw"] if row.winner is None else say_it["won"].fill(seat=playing.seats[row.winner])
        values = {"number": row.number, "one": one, "other": other, "result": result, "length": row.length}
        return say_it["game"].fill(first=row.counted[0], second=row.counted[1], **values)[lang]

    plain = [{"series": of.series, "players": list(of.seats), **asdict(row)} for of, row in rows]
    console.answer(as_json, plain, (told(of, row) for of, row in rows))


@click.command(cls=Verb)
@click.argument("file", type=click.Path(path_type=Path))
@console.answer_options
def rulings_verb(file: Path, lang: Lang, as_json: bool) -> None:
    """Tell what the open readings of the rules change here: for each switch, what would be otherwise."""
    loaded = load(file)
    games = request.capability(loaded.game, lambda game: game.switches, say("has no rulings"))
    found = outcomes(loaded.scenario, rulings(*games), loaded.game.stakes)
    held = loaded.verified("printed")
    lines = (line[lang] for line in outcome_lines(found, loaded.game.stakes))
    console.answer(as_json, [_outcome(of, lang) for of in found], lines)
    console.verified(held, lang, err=as_json)


@click.command(cls=Verb)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--now", metavar="UNITS")
@click.option("--wait", metavar="SECONDS", type=click.FloatRange(0, 86_400), default=0.0)
@console.answer_options
def odds_verb(file: Path, now: str | None, wait: float, lang: Lang, as_json: bool) -> None:
    """Tell what may come of it: who wins a fight and what to do now, or what units can do and have to fear."""
    loaded = load(file)
    tool = request.capability(loaded.game, lambda game: game.odds, say("has no odds"))
    found = tool(loaded.scenario, now or "", wait)
    console.answer(as_json, _spoken(found.rows, lang), (line[lang] for line in found.lines))


def _outcome(of: Outcome, lang: Lang) -> dict[str, object]:
    """What would be otherwise as plain values (docs/json.md)."""
    rows = [(what, change) for what, changes in of.changes.items() for change in changes]
    return {
        "ruling": of.ruling.id,
        "name": of.ruling.name[lang],
        "chosen": of.chosen.id,
        "choice": of.other.id,
        "text": of.other.text[lang],
        "compared": list(of.changes),
        "changes": [{"what": w, "about": c.about[lang], "now": c.now[lang], "then": c.then[lang]} for w, c in rows],
    }


def _fairness(loaded: Loaded) -> Fairness[Any]:
    """How the scenario's game is measured; WrongUsageError names the games that are."""
    return request.capability(loaded.game, lambda game: game.fairness, say("has no measures"))


def _row(path: Path, loaded: Loaded, found: Certificate, held: Held, lang: Lang) -> dict[str, object]:
    """A certificate as plain values (docs/json.md)."""
    head: dict[str, object] = {"file": str(path), "game": loaded.game.name, "stamp": loaded.stamp}
    head |= {"legal": not loaded.report.illegal, "unproved": len(loaded.report.unproved)}
    return (
        head
        | {key: _spoken(value, lang) for key, value in exported(found).items()}
        | {"verified": verified_rows(held)}
    )


def _spoken(value: object, lang: Lang) -> object:
    if isinstance(value, Words):
        return value[lang]
    if isinstance(value, dict):
        return {key: _spoken(inner, lang) for key, inner in value.items()}
    return [_spoken(inner, lang) for inner in value] if isinstance(value, list) else value
