"""What searching for a fair scenario, and mirroring, ask of the verbs that draw."""

from __future__ import annotations

from typing import Any

from generator.errors import Problem, WrongUsageError
from generator.games.capability import Game
from generator.games.fairness import certificate, certificate_line
from generator.games.fairsearch import FAIR, MIRROR, fair_names, fair_steps
from generator.games.logs import told
from generator.model.scenario import Order
from generator.model.words import Words, same


def leave_to_the_draw(order: Order, option: str) -> None:
    """Let no player be asked for choices (WrongUsageError) where the draw makes them for both sides or many times."""
    for wish in (FAIR, MIRROR):
        if wish in order.wishes:
            hint = f"leave one of them out; --{wish} sets up both sides by itself"
            raise WrongUsageError(Problem(f"{option} and --{wish} do not go together", hint=hint))


def story(game: Game[Any], scenario: Any) -> list[Words]:
    """How fair a scenario is that was sought or mirrored, and how the search went; nothing for any other."""
    if game.fairness is None or not {FAIR, MIRROR} & scenario.origin.wishes.keys():
        return []
    names, steps = fair_names(game.fairness.tables), fair_steps()
    searched = [told(s, steps, lambda part: names.get(part) or same(part)) for s in scenario.log if s.what in steps]
    return [certificate_line(certificate(game.fairness, scenario)), *searched]
