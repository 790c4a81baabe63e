"""`muster fairness`: measure how fair scenarios are."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import click
from msgspec.structs import asdict

from generator.cli import console, output, request
from generator.cli.drawing import searched
from generator.cli.help import Verb
from generator.cli.playing import numbered_of, playing_of
from generator.cli.print_options import How
from generator.cli.query import print_pages
from generator.cli.scenario import Loaded, load
from generator.common.fairness import Certificate, Fairness, certificate, certificate_json
from generator.common.pages import certificate_sheet, lines, warning
from generator.common.proof import Held
from generator.common.proof import rows as verified_rows
from generator.common.tables import shared_words
from generator.common.trial_account import Account, account
from generator.common.trials import Case, Row, case, grade_c
from generator.common.trials import play as play_case
from generator.common.trials import scenario_key as sealed_key
from generator.errors import WrongUsageError
from generator.localization import default_lang, tr
from generator.model.views import Kit
from generator.model.words import Lang
from generator.workers import Workers


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
    """Measure how fair scenario files are."""
    if out and len(files) > 1:
        raise WrongUsageError(tr("-o prints one certificate"), hint=tr("give one scenario"))
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
                row["played"] = console.spoken(came.exported, how.first)
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
        print_pages(kit, loaded, how, path, out, as_json)


def _played(loaded: Loaded, workers: Workers) -> Account:
    """What the games of a scenario come to, by whoever works, or its odds in a game that is reckoned."""
    if not (loaded.game.fairness and loaded.game.fairness.paired):
        playing_of(loaded)
    with console.Telling() as telling:

        def tell(done: int, most: int) -> None:
            telling(shared_words()["played"]["trying"].fill(n=done, m=most)[default_lang()], done / most)

        found = grade_c(loaded.game, loaded.scenario, workers.spread, tell)
    return account(loaded.game, found, searched(loaded.game, loaded.scenario))


def _recount(files: tuple[Path, ...], typed: str, lang: Lang, as_json: bool) -> None:
    """Some games of a scenario's trial, each by itself."""
    if len(files) > 1:
        raise WrongUsageError(tr("--replay takes one scenario"), hint=tr("give one scenario"))
    loaded = load(files[0])
    playing = numbered_of(loaded)
    found = re.fullmatch(r"([0-9]{1,6})(?:-([0-9]{1,6}))?", typed)
    span = range(int(found[1]), int(found[2] or found[1]) + 1) if found else range(0)
    cases = [case(playing, number) for number in span]
    if not cases or None in cases:
        raise WrongUsageError(tr("--replay {typed}: no such games", typed=typed[:40]), hint=tr("as in 0-99"))
    engine, key = playing.engine(loaded.scenario), sealed_key(loaded.game, loaded.scenario)
    rows = [(of, play_case(engine, playing, key, of)) for of in cases if of]

    def told(of: Case, row: Row) -> str:
        say_it, (one, other) = shared_words()["played"], (playing.policies[name].name for name in of.seats)
        result = say_it["draw"] if row.winner is None else say_it["won"].fill(seat=playing.seats[row.winner])
        values = {"number": row.number, "one": one, "other": other, "result": result, "length": row.length}
        return say_it["game"].fill(first=row.counted[0], second=row.counted[1], **values)[lang]

    plain = [{"series": of.series, "players": list(of.seats), **asdict(row)} for of, row in rows]
    console.answer(as_json, plain, (told(of, row) for of, row in rows))


def _fairness(loaded: Loaded) -> Fairness[Any]:
    """How the scenario's game is measured; WrongUsageError names the games that are."""
    return request.capability(loaded.game, lambda game: game.fairness, tr("has no measures of fairness"))


def _row(path: Path, loaded: Loaded, found: Certificate, held: Held, lang: Lang) -> dict[str, object]:
    """A certificate as plain values (docs/json.md)."""
    head: dict[str, object] = {"file": str(path), "game": loaded.game.name, "stamp": loaded.stamp}
    head |= {"legal": not loaded.report.illegal, "unproved": len(loaded.report.unproved)}
    return (
        head
        | {key: console.spoken(value, lang) for key, value in certificate_json(found).items()}
        | {"verified": verified_rows(held)}
    )
