"""Generate the scenario that a command line requests, including the search for a fair or mirrored one."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any, NoReturn

import click

from generator import interrupt
from generator.cli import console
from generator.common.fairness import SearchFigures, certificate, certificate_line, search_figures
from generator.common.game import Game
from generator.common.search import (
    FAIR,
    MIRROR,
    PLAYED,
    Progress,
    SearchStoppedError,
    candidate_request,
    certified_lines,
    search_fair,
    search_lines,
)
from generator.errors import WrongUsageError
from generator.localization import default_lang, tr
from generator.model.scenario import Request
from generator.model.words import Words
from generator.notation.text import command
from generator.workers import Workers


def check_not_searched(order: Request, option: str) -> None:
    """Check that the choices are left to the players, as the option `option` requires.

    Raises:
        WrongUsageError: If --fair or --mirror is given, because these make the choices for both sides.
    """
    for option_name in (FAIR, MIRROR):
        if option_name in order.options:
            hint = tr("omit one of the two options; --{key} sets up both sides", key=option_name)
            raise WrongUsageError(
                tr("{option} and --{key} cannot be combined", option=option, key=option_name), hint=hint
            )


def search_story(game: Game[Any], scenario: Any) -> list[Words]:
    """Return lines on the fairness of a scenario and its search, or an empty list without --fair or --mirror."""
    if game.fairness is None or not {FAIR, MIRROR} & scenario.origin.options.keys():
        return []
    about = certified_lines(game.fairness.tables, scenario)[-1:]
    return [certificate_line(certificate(game.fairness, scenario)), *search_steps(game, scenario), *about]


def search_steps(game: Game[Any], scenario: Any) -> list[Words]:
    """Return the steps of the search for a scenario in words, or an empty list if there was no search."""
    if game.fairness is None:
        return []
    return search_lines(game.fairness.tables, scenario.log)


def draw_order(game: Game[Any], order: Request, workers: Workers) -> Any:
    """Generate the requested scenario. The search for a fair scenario is distributed to the workers.

    Raises:
        SearchStoppedError: If the user stops the search after candidates were examined.
    """
    with console.ProgressLine() as progress:
        figures = search_figures(game.name) if order.options.get(FAIR) == PLAYED else None
        if figures:
            report_progress = _expected_search(figures, workers, progress)
        else:

            def report_progress(of: Progress) -> None:
                text = console.words()["sought"].fill(n=of.examined, m=of.total)
                progress(text[default_lang()], of.examined / of.total)

        return search_fair(game, order, workers.spread, report_progress)


PRIOR_CANDIDATES = 10
"""The number of candidates whose measured time is mixed with the time of the present search to estimate the rest."""


def _expected_search(
    figures: SearchFigures, workers: Workers, progress: console.ProgressLine
) -> Callable[[Progress], None]:
    """Announce how long searches for grade C usually take, and return a function that shows the progress of one.

    Each candidate has the same chance, so the expected time left stays the same however long a search takes. The bar
    shows the share of searches that need no more candidates.
    """
    lang, texts = default_lang(), console.words()
    low, high = (seconds / workers.jobs for seconds in figures.usual_cpu_s)
    if progress.is_terminal:
        usual = {"one_in": rounded(figures.candidates), "low": rounded(low), "high": rounded(high)}
        console.print_line(texts["search_usual"].fill(**usual)[lang], err=True)
    began, usual_pace = time.monotonic(), figures.cpu_s / workers.jobs / figures.candidates

    def report_progress(of: Progress) -> None:
        elapsed = time.monotonic() - began
        pace = (elapsed + PRIOR_CANDIDATES * usual_pace) / (of.examined + PRIOR_CANDIDATES)
        values = {"n": of.examined, "left": rounded(pace * figures.candidates)}
        played, games = of.games
        text = texts["search_strong" if games else "search_progress"].fill(**values, k=played, m=games)
        progress(text[lang], 1 - (1 - 1 / figures.candidates) ** of.examined)

    return report_progress


def rounded(number: float) -> int:
    """Return a number rounded to two significant digits, as an estimate is shown.

    >>> rounded(147.2), rounded(9.6), rounded(0.3)
    (150, 10, 1)
    """
    size: int = 10 ** max(0, len(str(int(number))) - 2)
    return max(1, round(number / size) * size)


def best_candidate(game: Game[Any], order: Request, stopped: SearchStoppedError) -> tuple[Request, list[Words]]:
    """Return the request for the best candidate of a search that Ctrl-C stopped, and lines that describe it.

    Raises:
        KeyboardInterrupt: If another signal stopped the search. Such signals end Muster at once.
    """
    if interrupt.code() != interrupt.INTERRUPTED:
        raise stopped
    texts, grade = console.words(), order.options[FAIR]
    best = candidate_request(order, stopped.best.code, grade)
    options = {name: str(order.files.get(name, value)) for name, value in best.options.items()}
    draw = command(["muster", "draw", game.name, "--seed", best.code], options)
    return best, [
        texts["search_stopped"].fill(n=stopped.examined, grade=grade),
        texts["search_best"].fill(code=best.code, why=stopped.best.why),
        texts["search_again"].fill(command=draw),
    ]


def report_stopped(lines: Iterable[Words]) -> NoReturn:
    """Print these lines on a stopped search to standard error, and exit with the code of an interrupt."""
    for line in lines:
        console.print_line(line[default_lang()], err=True)
    raise click.exceptions.Exit(interrupt.code())
