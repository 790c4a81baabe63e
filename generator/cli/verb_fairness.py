"""`muster fairness`: measure how fair scenarios are."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import click
from msgspec.structs import asdict

from generator.cli import console, output, request
from generator.cli.drawing import search_steps
from generator.cli.help import Verb
from generator.cli.playing import playing_for, playing_with_trials
from generator.cli.print_options import PrintOptions
from generator.cli.query import print_pages
from generator.cli.scenario import Loaded, load
from generator.common.fairness import Certificate, Fairness, certificate, certificate_json
from generator.common.pages import certificate_sheet, lines, warning
from generator.common.proof import Verifications
from generator.common.proof import rows as verified_rows
from generator.common.search import certified_json, certified_lines
from generator.common.tables import shared_words
from generator.common.tally import Row
from generator.common.trial_account import Account, account
from generator.common.trials import Case, case, grade_c
from generator.common.trials import play as play_case
from generator.common.trials import scenario_key as sealed_key
from generator.common.win_rates import WinRates, win_rates
from generator.errors import WrongUsageError
from generator.localization import default_lang, tr
from generator.model.views import Kit
from generator.model.words import Lang, Words
from generator.workers import Workers

MAX_GAMES = 2_000
"""The maximum number of games of --games, which take up to 15 seconds."""


@click.command(cls=Verb)
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE…")
@click.option("--play", "by_play", is_flag=True)
@click.option("--games", "game_count", metavar="N", type=click.IntRange(2, MAX_GAMES))
@click.option("--replay", metavar="N[-M]")
@request.workers_options
@output.sheet_options
@console.json_option
def fairness_verb(
    files: tuple[Path, ...],
    by_play: bool,
    game_count: int | None,
    replay: str | None,
    workers: Workers,
    print_options: PrintOptions,
    out: Path | None,
    as_json: bool,
) -> None:
    """Measure the fairness of scenario files."""
    if out and len(files) > 1:
        raise WrongUsageError(tr("-o can print only one certificate"), hint=tr("give one scenario"))
    if game_count is not None:
        if by_play or replay is not None or out:
            raise WrongUsageError(tr("--games shows only who wins"), hint=tr("omit --play, --replay and -o"))
        _print_win_rates(files, game_count, print_options.main_lang, as_json)
        return
    if replay is not None:
        _print_replays(files, replay, print_options.main_lang, as_json)
        return
    every = [
        (
            path,
            loaded,
            certificate(_fairness_of(loaded), loaded.scenario, loaded.report),
            loaded.verify_sight("printed"),
        )
        for path in files
        for loaded in (load(path),)
    ]
    played = [_play_trials(path, loaded, workers) if by_play else None for path, loaded, _, _ in every]
    if as_json:
        rows = [
            _certificate_values(path, loaded, found, held, print_options.main_lang)
            for path, loaded, found, held in every
        ]
        for row, came in zip(rows, played, strict=True):
            if came:
                row["played"] = console.in_language(came.exported, print_options.main_lang)
        console.print_json(rows)
    for (path, loaded, found, held), came in zip(every, played, strict=True) if not as_json else ():
        notes = _fairness_of(loaded).notes(loaded.scenario)
        certificate_lines = () if came else certified_lines(_fairness_of(loaded).tables, loaded.scenario)
        for text in (*lines(found), *notes, *certificate_lines, *(came.lines if came else ())):
            console.print_line(
                f"{path}: {text[print_options.main_lang]}" if len(files) > 1 else text[print_options.main_lang]
            )
        console.report_verified(held, print_options.main_lang, str(path) if len(files) > 1 else "")
    if out:
        [(path, loaded, found, _)], [came] = every, played
        behind = (came.sheet,) if came else ()
        sheets = (certificate_sheet(_fairness_of(loaded), loaded.scenario, found), *behind)
        kit = Kit(loaded.game.title, loaded.scenario.title, loaded.stamp, sheets, warning=warning(loaded.report))
        print_pages(kit, loaded, print_options, path, out, as_json)


def _play_trials(path: Path, loaded: Loaded, workers: Workers) -> Account:
    """Return the report on a scenario's games, which the workers play, or on its odds if its game computes odds."""
    if not (loaded.game.fairness and loaded.game.fairness.paired):
        playing_for(loaded, path)
    with console.ProgressLine() as progress:

        def report_progress(done: int, total: int) -> None:
            progress(shared_words()["played"]["trying"].fill(n=done, m=total)[default_lang()], done / total)

        found = grade_c(loaded.game, loaded.scenario, workers.spread, report_progress)
    searched = search_steps(loaded.game, loaded.scenario)
    return account(loaded.game, found, [*searched, shared_words()["played"]["afresh"]] if searched else [])


def _print_win_rates(files: tuple[Path, ...], count: int, lang: Lang, as_json: bool) -> None:
    """Print who wins each scenario in `count` games between computer players."""
    texts, found = shared_words()["played"], list[tuple[Path, Loaded, WinRates | None]]()
    with console.ProgressLine() as progress:

        def report_progress(done: int, total: int) -> None:
            progress(texts["trying"].fill(n=done, m=total)[default_lang()], done / total)

        for path in files:
            loaded = load(path)
            is_playable = not loaded.report.illegal
            rates = win_rates(loaded.game, loaded.scenario, count, report_progress) if is_playable else None
            found.append((path, loaded, rates))
    rows = [
        {
            "file": str(path),
            "stamp": loaded.stamp,
            "games": rates.games if rates else 0,
            "level": rates.level if rates else None,
            "sides": [side[lang] for side in rates.sides] if rates else [],
            "rates": [round(rate, 4) for rate in rates.rates] if rates else None,
            "draws": round(rates.draws, 4) if rates else None,
            "interval": [round(bound, 4) for bound in rates.interval] if rates else None,
            "text": _win_rates_text(rates)[lang],
        }
        for path, loaded, rates in found
    ]
    console.print_answer(as_json, rows, (f"{row['file']}: {row['text']}" for row in rows))


def _win_rates_text(found: WinRates | None) -> Words:
    """Return who wins in a sentence."""
    texts = shared_words()["played"]
    if found is None:
        return texts["who_wins_unknown"]
    (first, second), (rate, other) = found.sides, (round(100 * share) for share in found.rates)
    values = {"first": first, "second": second, "rate": rate, "other": other, "draws": round(100 * found.draws)}
    text = texts["who_wins" if found.games else "who_wins_computed"]
    return text.fill(n=found.games, level=texts[f"level_{found.level}"], **values)


def _print_replays(files: tuple[Path, ...], raw: str, lang: Lang, as_json: bool) -> None:
    """Print selected games from the trial of a scenario, replayed one by one."""
    if len(files) > 1:
        raise WrongUsageError(tr("--replay accepts only one scenario"), hint=tr("give one scenario"))
    loaded = load(files[0])
    playing = playing_with_trials(loaded, files[0])
    found = re.fullmatch(r"([0-9]{1,6})(?:-([0-9]{1,6}))?", raw)
    span = range(int(found[1]), int(found[2] or found[1]) + 1) if found else range(0)
    cases = [case(playing, number) for number in span]
    if not cases or None in cases:
        raise WrongUsageError(
            tr("--replay {typed}: no games have these numbers", typed=raw[:40]), hint=tr("for example 0-99")
        )
    engine, key = playing.engine(loaded.scenario), sealed_key(loaded.game, loaded.scenario)
    rows = [(of, play_case(engine, playing, key, of)) for of in cases if of]

    def game_line(of: Case, row: Row) -> str:
        texts, (one, other) = shared_words()["played"], (playing.all_policies[name].name for name in of.seats)
        result = texts["draw"] if row.winner is None else texts["won"].fill(seat=playing.seats[row.winner])
        values = {"number": row.number, "one": one, "other": other, "result": result, "length": row.length}
        return texts["game"].fill(first=row.counted[0], second=row.counted[1], **values)[lang]

    rows_as_values = [{"series": of.series, "players": list(of.seats), **asdict(row)} for of, row in rows]
    console.print_answer(as_json, rows_as_values, (game_line(of, row) for of, row in rows))


def _fairness_of(loaded: Loaded) -> Fairness[Any]:
    """Return the measures of fairness of the scenario's game.

    Raises:
        WrongUsageError: If the game has no measures. The hint lists the games that have them.
    """
    return request.capability(loaded.game, lambda game: game.fairness, tr("has no measures of fairness"))


def _certificate_values(
    path: Path, loaded: Loaded, found: Certificate, held: Verifications, lang: Lang
) -> dict[str, object]:
    """Return a certificate as plain values for JSON (docs/json.md)."""
    head: dict[str, object] = {"file": str(path), "game": loaded.game.name, "stamp": loaded.stamp}
    head |= {"legal": not loaded.report.illegal, "unproved": len(loaded.report.unproved)}
    return (
        head
        | {key: console.in_language(value, lang) for key, value in certificate_json(found).items()}
        | {"notes": [text[lang] for text in _fairness_of(loaded).notes(loaded.scenario)]}
        | {key: console.in_language(value, lang) for key, value in certified_json(loaded.scenario.log).items()}
        | {"verified": verified_rows(held)}
    )
