"""Generate the scenario that a command line requests, including the search for a fair or mirrored one."""

from __future__ import annotations

from typing import Any

from generator.cli import console
from generator.common.fairness import certificate, certificate_line
from generator.common.game import Game
from generator.common.scenario_file import step_words
from generator.common.search import FAIR, MIRROR, fair_names, fair_steps, search_fair
from generator.errors import WrongUsageError
from generator.localization import default_lang, tr
from generator.model.scenario import Request
from generator.model.words import Words, same
from generator.workers import Workers


def check_not_searched(order: Request, option: str) -> None:
    """Check that the choices are left to the players, as the option `option` requires.

    Raises:
        WrongUsageError: If --fair or --mirror is given, because these make the choices for both sides.
    """
    for option_name in (FAIR, MIRROR):
        if option_name in order.options:
            hint = tr("omit one of the two options; --{wish} sets up both sides", wish=option_name)
            raise WrongUsageError(
                tr("{option} and --{wish} cannot be combined", option=option, wish=option_name), hint=hint
            )


def search_story(game: Game[Any], scenario: Any) -> list[Words]:
    """Return lines on the fairness of a scenario and its search, or an empty list without --fair or --mirror."""
    if game.fairness is None or not {FAIR, MIRROR} & scenario.origin.options.keys():
        return []
    return [certificate_line(certificate(game.fairness, scenario)), *search_steps(game, scenario)]


def search_steps(game: Game[Any], scenario: Any) -> list[Words]:
    """Return the steps of the search for a scenario in words, or an empty list if there was no search."""
    if game.fairness is None:
        return []
    names, steps = fair_names(game.fairness.tables), fair_steps()
    return [step_words(s, steps, lambda part: names.get(part) or same(part)) for s in scenario.log if s.what in steps]


def draw_order(game: Game[Any], order: Request, workers: Workers) -> Any:
    """Generate the requested scenario. The search for a fair scenario is distributed to the workers."""
    with console.ProgressLine() as progress:

        def report_progress(done: int, total: int) -> None:
            progress(console.words()["sought"].fill(n=done, m=total)[default_lang()], done / total)

        return search_fair(game, order, workers.spread, report_progress)
