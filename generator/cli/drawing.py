"""Draw what a command line requests, with the search for a fair or mirrored scenario."""

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


def leave_to_the_draw(order: Request, option: str) -> None:
    """Let no player be asked for choices (WrongUsageError) where the draw makes them for both sides or many times."""
    for wish in (FAIR, MIRROR):
        if wish in order.options:
            hint = tr("omit one of them; --{wish} sets up both sides", wish=wish)
            raise WrongUsageError(tr("{option} and --{wish} cannot be combined", option=option, wish=wish), hint=hint)


def story(game: Game[Any], scenario: Any) -> list[Words]:
    """How fair a scenario is that was sought or mirrored, and how the search went; nothing for any other."""
    if game.fairness is None or not {FAIR, MIRROR} & scenario.origin.options.keys():
        return []
    return [certificate_line(certificate(game.fairness, scenario)), *searched(game, scenario)]


def searched(game: Game[Any], scenario: Any) -> list[Words]:
    """How the search went by which a scenario was found, by its log; nothing where it was not searched for."""
    if game.fairness is None:
        return []
    names, steps = fair_names(game.fairness.tables), fair_steps()
    return [step_words(s, steps, lambda part: names.get(part) or same(part)) for s in scenario.log if s.what in steps]


def drawn(game: Game[Any], order: Request, workers: Workers) -> Any:
    """What an order draws; a search for a fair scenario is shared out."""
    with console.Telling() as telling:

        def tell(done: int, most: int) -> None:
            telling(console.words()["sought"].fill(n=done, m=most)[default_lang()], done / most)

        return search_fair(game, order, workers.spread, tell)
