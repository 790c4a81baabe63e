"""The verbs that make, check and print a scenario: kit, draw, check, print, verify.

`muster kit`.

`muster draw`.

`muster check`.

`muster edit`.

`muster verify`.

`muster print`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
import msgspec
from msgspec.structs import replace

from generator.cli import console, output, put, request, scenario
from generator.cli import scenario as fair
from generator.cli.help import Verb
from generator.cli.output import named, out_file
from generator.cli.print_options import ONE_SHEET, How, how_options
from generator.cli.scenario import SCENARIO, SUFFIX, Loaded, copies, examined, load, told_by, user_files
from generator.common.game import Game, Question, SightTool, Stop
from generator.common.pages import findings_sheet
from generator.common.proof import (
    Case,
    Held,
    case_rows,
    case_sentence,
    proof_sentence,
    proof_sheet,
    proved,
    sentence,
)
from generator.common.proof import rows as verified_rows
from generator.errors import DataError, MusterError, Problem, WrongUsageError, among
from generator.model.scenario import Request
from generator.model.words import Lang, Words
from generator.notation.text import kit_command
from generator.notation.toml import Source
from generator.rules import Report
from generator.said import say, told
from generator.store.folders import STREAM, beside, is_file, is_stream
from generator.store.manifest import FILLED, differences, manifest, parts, seal, stated, strangers
from generator.store.manifest import NAME as MANIFEST
from generator.workers import Workers

MOST_COUNTED = 10_000
"""Scenarios of a batch, at most."""


@click.command(cls=request.GameCommand)
@request.game_argument
@request.seed_option
@output.kit_options
@click.option("--until", metavar="STEP")
@click.option("--ask", "asking", is_flag=True)
@request.workers_options
@console.json_option
def kit_verb(
    game: Game[Any],
    seed: str | None,
    how: How,
    workers: Workers,
    out: Path | None,
    as_json: bool,
    until: str | None = None,
    asking: bool = False,
    **wishes: Any,
) -> None:
    """Draw a battle, prove it legal, and print everything you need to play it.

    What you do not wish for is drawn from the code; the same code draws the same battle again.
    """
    order = request.requested(game, seed, wishes)
    lang = how.first
    if until or asking:
        fair.leave_to_the_draw(order, "--until" if until else "--ask")
    if until:
        stops = {stop.name: stop for stop in game.stops}
        stop = stops[among(until, stops, say("--until: no step {name!r} in this game", name=until))]
        with _telling(game, order, how):
            _stop(game, order, stop, how, out, as_json)
        return
    if asking:
        order = answered(game, order, lang)
    scenario = fair.drawn(game, order, workers)
    with _telling(game, order, how):
        loaded = examined(game, scenario)
        folder = output.folder(loaded, out)
        held = loaded.verified("printed")
        files = output.kit_files(loaded, how, dict(order.files), held)
        output.write_kit(folder, files)
    if as_json:
        output.as_json(folder, loaded, files, how, order.files, held)
    else:
        for line in (*game.story(loaded.scenario), *fair.story(game, loaded.scenario)):
            click.echo(line[lang])
        console.report(loaded.stamp, loaded.report, lang)
        console.verified(held, lang, loaded.stamp)
        output.told(folder, files)
    console.end_if(loaded.report.illegal)


@contextmanager
def _telling(game: Game[Any], order: Request, how: How) -> Iterator[None]:
    """Let every error tell the code that was drawn, which would be lost with the kit, and how to draw it again."""
    try:
        yield
    except WrongUsageError:
        # What was typed is what was wrong, and nobody has seen the battle yet.
        raise
    except MusterError as error:
        error.code, error.command = order.code, _again(game, order, how)
        raise
    except Exception as error:
        error.add_note(f"{order.code}: {_again(game, order, how)}")
        raise


def _again(game: Game[Any], order: Request, how: How) -> str:
    """The command that draws the order again from where it was typed."""
    asked = {name: str(order.files.get(name, value)) for name, value in order.wishes.items()}
    return kit_command(game.name, order.code, asked | how.typed())


def _stop(
    game: Game[Any],
    order: Request,
    stop: Stop[Any],
    how: How,
    out: Path | None,
    as_json: bool,
) -> None:
    if out == STREAM:
        raise WrongUsageError(output.several(out))
    folder = out or Path("output") / f"{game.name}-{order.code}"
    edition = how.edition(game)
    files = {
        f"{name}.pdf": output.kit_pdf(output.credited(kit, game, order.files), edition)
        for name, kit in stop.kits(order).items()
    }
    put.folder(folder, files)
    given = " ".join(f"--{question.wish} …" for question in stop.questions(order))
    go_on = console.words()["go_on"].fill(command=f"{_again(game, order, how)} {given}")[how.first]
    row = {"folder": str(folder), "code": order.code, "files": list(files)}
    console.answer(as_json, row, [*(folder / name for name in files), go_on])


def answered(game: Game[Any], order: Request, lang: Lang) -> Request:
    """The order with the players' own choices, asked for on the terminal."""
    for stop in game.stops:
        for question in stop.questions(order):
            while question.wish not in order.wishes:
                order = _one_answer(game, order, stop, question, lang)
    return order


def _one_answer(game: Game[Any], order: Request, stop: Stop[Any], question: Question, lang: Lang) -> Request:
    """The order with one more choice; as it was where the game would not have it, which it tells at once."""
    kinds = {wish.name: request.WishType(wish) for wish in game.wishes}
    typed = click.prompt(question.text[lang], question.default, err=True)
    try:
        wishes = {**order.wishes, question.wish: kinds[question.wish].convert(typed, None, None)}
    except click.BadParameter as error:
        console.line(told(say("Error: {message}", message=error.message), lang), err=True)
        return order
    # In the game's order, so that choices typed as options make the same file.
    wished = replace(order, wishes={name: wishes[name] for name in kinds if name in wishes})
    try:
        stop.questions(wished)
    except WrongUsageError as error:
        click.echo("\n".join(error.lines(lang)), err=True)
        return order
    if sys.stderr.isatty():
        click.clear()  # the next player must not read this one's choice
    return wished


@click.command(cls=request.GameCommand)
@request.game_argument
@request.seed_option
@console.lang_option
@out_file()
@click.option("--ask", "asking", is_flag=True)
@click.option("--count", metavar="N", type=click.IntRange(1, MOST_COUNTED), is_eager=True)
@request.workers_options
@console.json_option
def draw_verb(
    game: Game[Any],
    seed: str | None,
    lang: Lang,
    out: Path | None,
    workers: Workers,
    count: int | None,
    as_json: bool,
    asking: bool = False,
    **wishes: Any,
) -> None:
    """Draw a scenario and write scenario.toml, or print it with --json; with both --json and -o, write it as JSON.

    With --count, scenarios by the dozen in a folder, and a table of what they are.
    """
    if count:
        if asking:
            raise WrongUsageError(say("--count draws by itself, --ask asks the players: choose one"))
        _draw_batch(game, request.requested(game, seed, wishes), count, workers, lang, out, as_json)
        return
    named(out, ".json" if as_json else SUFFIX)
    path = out or Path(SCENARIO)
    if out or not as_json:
        put.spare(path)
    order = request.requested(game, seed, wishes)
    if asking:
        scenario.leave_to_the_draw(order, "--ask")
        order = answered(game, order, lang)
    loaded = examined(game, scenario.drawn(game, order, workers))
    if as_json and out is None:
        console.as_json(game.export(loaded.scenario))
        return
    _write(path, loaded, order, as_json)
    if as_json:
        findings = [console.finding_row(f, lang) for f in loaded.report.findings]
        console.as_json({"file": str(path), "code": order.code, "stamp": loaded.stamp, "findings": findings})
    else:
        for line in (*game.story(loaded.scenario), *scenario.story(game, loaded.scenario)):
            click.echo(line[lang])
        console.report(loaded.stamp, loaded.report, lang)
        click.echo(f"{path}")
    console.end_if(loaded.report.illegal)


def _draw_batch(
    game: Game[Any], order: Request, count: int, workers: Workers, lang: Lang, out: Path | None, as_json: bool
) -> None:
    """Draw so many scenarios, write them with a table into a folder, and print the table."""
    folder = out or Path("output") / f"{game.name}-scenarios-{order.code}"
    samples = scenario.batch(game, order, count, workers)
    files = {sample.file: sample.text.encode() for sample in samples}
    files |= {scenario.TABLE: scenario.tabled(samples, lang)}
    files |= copies(order.files, (*files, MANIFEST))
    about = {"game": game.name, "code": order.code, "wishes": dict(order.wishes)}
    put.folder(folder, files | {MANIFEST: manifest(about, files)})
    row = {"folder": str(folder)} | about | {"table": scenario.TABLE, "scenarios": [s.row(lang) for s in samples]}
    lines = (f"{sample.stamp:11}  {sample.grade or '–'}  {sample.story[0][lang]}" for sample in samples)
    console.answer(as_json, row, [*lines, folder / scenario.TABLE])
    console.end_if(not all(sample.legal for sample in samples))


def _write(path: Path, loaded: Loaded, order: Request, as_json: bool) -> None:
    """Write the scenario: as JSON, or as TOML with a copy of each file that it names beside it."""
    if as_json:
        put.file(path, seal(console.json_text(loaded.game.export(loaded.scenario)).encode()))
    elif is_stream(path):
        put.file(path, loaded.text.encode())
    else:
        beside = copies(order.files, (path.name,))
        put.folder(path.parent, {**beside, path.name: loaded.text.encode()})


@click.command(cls=Verb)
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE…")
@click.option("--strict", is_flag=True)
@click.option("--prove", is_flag=True)
@output.out_file(".pdf", ".png")
@how_options(ONE_SHEET)
@console.json_option
def check_verb(files: tuple[Path, ...], strict: bool, prove: bool, how: How, out: Path | None, as_json: bool) -> None:
    """Prove that scenarios are legal, from their files alone; with -o, what was found in one of them as a page."""
    if out and len(files) > 1:
        raise WrongUsageError(say("-o prints the findings of one scenario"), hint=say("name one scenario"))
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


def proof(loaded: Loaded) -> tuple[Case, ...]:
    """Every pair of a scenario under every ruling, proved; WrongUsageError names the games that have sight."""
    return proved(_sight(loaded), loaded.scenario)


def _sight(loaded: Loaded) -> SightTool[Any]:
    return request.capability(loaded.game, lambda game: game.sight, say("has no lines of sight"))


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
    proof = [proof_sheet(_sight(loaded), loaded.scenario, of.cases)] if of.cases else []
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
    return row | _report_row(report, lang) | {"follows": [sentence[lang] for sentence in report.follows]}


def _report_row(report: Report, lang: Lang) -> dict[str, object]:
    """What a check found, as plain values."""
    findings = [console.finding_row(finding, lang) for finding in report.findings]
    return {"legal": not report.illegal, "rules": [rule.id for rule in report.rules], "findings": findings}


@click.command(cls=Verb)
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("changes", nargs=-1, metavar="[CHANGE]…")
@out_file(SUFFIX)
@console.answer_options
def edit_verb(file: Path, changes: tuple[str, ...], out: Path | None, lang: Lang, as_json: bool) -> None:
    """Change a file as a hand would: P3>D5 sends the unit P3 to D5, C4=f draws an f on C4 of a map of your own.

    hill=plateau takes that reading of an open place of the rules. C4+stakes lays stakes on C4.
    Without a change it lists the units that can be sent, or what can be drawn and laid. A change that breaks a
    rule is made all the same, and told as `muster check` tells it.
    """
    source = Source.open(file)
    edited = (_moved if "muster" in source.data else _painted)(source, file, changes, lang)
    if out:
        if not is_stream(out) and out.parent != beside(file):
            put.files({out.parent / name: of for name, of in copies(edited.brought, (out.name,)).items()})
        put.file(out, edited.text.encode())
    console.answer(as_json, {"file": str(out or ""), **edited.row}, edited.lines)
    if edited.report and not as_json:
        console.report(str(out or file), edited.report, lang)
    console.end_if(not edited.row["legal"])


class Edited(msgspec.Struct, frozen=True):
    """A file with its changes."""

    text: str
    brought: Mapping[str, Path]
    """The user's files that it names, by wish."""
    row: dict[str, object]
    """What is told of it (docs/json.md)."""
    lines: list[str]
    """The same for the terminal, but for a check's report."""
    report: Report | None


def _moved(source: Source, file: Path, changes: tuple[str, ...], lang: Lang) -> Edited:
    """A scenario with units moved, checked."""
    from generator.common.edits import moved, pieces  # a kit, which begins here too, needs none of it

    loaded = told_by(source, beside(file))
    if changes:
        loaded = told_by(moved(scenario.by_hand(loaded, str(file)), changes), beside(file))
    units = pieces(Source(str(file), loaded.text))
    row = _report_row(loaded.report, lang) | {
        "units": [{"id": unit.id, "side": unit.side, "at": unit.cell} for unit in units],
        "symbols": [],
        "brushes": [],
        "problems": [],
    }
    lines = [] if changes else [f"{unit.id:<6} {unit.cell:<6} {unit.side}" for unit in units]
    return Edited(loaded.text, user_files(loaded, beside(file)), row, lines, loaded.report)


def _painted(source: Source, file: Path, changes: tuple[str, ...], lang: Lang) -> Edited:
    """A drawn map with other ground, held against what such a file has to be."""
    from generator.cli.shelves import recognised  # as above
    from generator.common.edits import painted

    shelf, _ = recognised(file)
    symbols = {symbol: name[lang] for symbol, name in shelf.symbols().items()}
    source = painted(source, changes, shelf)
    brushes = shelf.brushes()
    problems = shelf.check(source) if shelf.check else []
    row: dict[str, object] = {"legal": all(problem.remark for problem in problems), "rules": [], "findings": []}
    row |= {"units": [], "symbols": [{"symbol": symbol, "name": name} for symbol, name in symbols.items()]}
    row["brushes"] = [
        {
            "brush": name,
            "name": brush.name[lang],
            "ways": [{"way": way, "name": called[lang]} for way, called in brush.ways.items()],
            "several": brush.several,
            "named": brush.named,
        }
        for name, brush in brushes.items()
    ]
    row["problems"] = [console.problem_row(problem) for problem in problems]
    lines = [] if changes else [f"{sign}  {called}" for sign, called in symbols.items()]
    for name, brush in brushes.items() if not changes else ():
        lines.append(f"+{name}{':' if brush.ways else ''}{'|'.join(brush.ways)}  {brush.name[lang]}")
    return Edited(source.text, {}, row, [*lines, *(problem.told(lang) for problem in problems)], None)


@click.command(cls=Verb)
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@click.option("--deep", is_flag=True)
@console.answer_options
def verify_verb(folder: Path, deep: bool, lang: Lang, as_json: bool) -> None:
    """Hold a kit against its manifest: is every file there, and as it was made? An event's rounds are looked into."""
    if is_file(folder):
        raise DataError(
            Problem(
                say("is a file"), str(folder), hint=say("name the folder it lies in: {parent}", parent=folder.parent)
            )
        )
    words = console.words()
    rows, whole = list[dict[str, object]](), True
    for place in (folder, *parts(folder)):
        found, others = differences(place), strangers(place)
        faults = [words[what].fill(name=name) for name, what in found if what != FILLED]
        proof = _proved_again(place) if deep else None
        faults += [words["deep_differs"]] if proof and not proof.as_stated else []
        faults += _recounted(place) if deep else []
        faults += _booked(place)
        filled = [name for name, what in found if what == FILLED]
        whole = whole and not faults
        findings = [fault["en"] for fault in faults]
        row = {"folder": str(place), "whole": not faults, "findings": findings, "filled": filled, "others": others}
        rows.append(row | ({"verified": verified_rows(proof.held), "proof": case_rows(proof.cases)} if proof else {}))
        if as_json:
            continue
        told = [*faults, *(words["filled"].fill(name=name) for name in filled), *(proof.told if proof else ())]
        told += [words["foreign"].fill(name=name) for name in others]
        for said in (*told, *([] if faults else [words["whole"]])):
            console.line(f"{place}: {said[lang]}")
    if as_json:
        own, *inside = rows
        console.as_json({**own, "whole": whole, "folders": inside})
    console.end_if(not whole)


def _booked(folder: Path) -> list[Words]:
    """What cannot be in the book of the event in a folder; nothing where there is none. DataError with every line."""
    from generator.tournament.ledger import NAME

    if not is_file(folder / NAME):
        return []
    from generator.cli.event import faults

    return list(faults(folder))


def _recounted(folder: Path) -> list[Words]:
    """What differs of the games that a round's scenarios were found fair by, played once more; nothing elsewhere."""
    from generator.cli.verb_play import recounted
    from generator.tournament.packing import PLAYED_FILE

    return recounted(folder / PLAYED_FILE) if is_file(folder / PLAYED_FILE) else []


class Again(msgspec.Struct, frozen=True):
    """The sight of a kit's scenario, verified and proved once more."""

    held: Held
    cases: tuple[Case, ...]
    as_stated: bool
    """Whether that is what its manifest says of it, if it says anything."""

    @property
    def told(self) -> tuple[Words, ...]:
        """What it came to."""
        told = sentence(self.held)
        return (*([told] if told else []), proof_sentence(self.cases))


def _proved_again(folder: Path) -> Again | None:
    """What `check --prove` says of the scenario in a kit's folder; None where there is none with lines of sight."""
    if not is_file(folder / SCENARIO):
        return None
    loaded = load(folder / SCENARIO)
    if loaded.game.sight is None:
        return None
    held = loaded.verified("printed")
    return Again(held, proof(loaded), stated(folder, "verified") in (None, verified_rows(held)))


@click.command(cls=Verb)
@click.argument("file", type=click.Path(path_type=Path))
@output.kit_options
@console.json_option
def print_verb(file: Path, how: How, out: Path | None, as_json: bool) -> None:
    """Print the kit of any scenario file, a hand-written one too."""
    loaded = load(file)
    folder = output.folder(loaded, out)
    sources = user_files(loaded, beside(file))
    held = loaded.verified("printed")
    files = output.kit_files(loaded, how, sources, held)
    output.write_kit(folder, files)
    if as_json:
        output.as_json(folder, loaded, files, how, sources, held)
    else:
        console.report(str(file), loaded.report, how.first)
        console.verified(held, how.first, str(file))
        output.told(folder, files)
    console.end_if(loaded.report.illegal)
