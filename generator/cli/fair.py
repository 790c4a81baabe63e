"""What searching for a fair scenario, and mirroring, ask of the verbs that draw."""

from __future__ import annotations

from generator.errors import Problem, WrongUsageError
from generator.games.fairsearch import FAIR, MIRROR
from generator.model.scenario import Order


def leave_to_the_draw(order: Order, option: str) -> None:
    """Let no player be asked for choices (WrongUsageError) where the draw makes them for both sides or many times."""
    for wish in (FAIR, MIRROR):
        if wish in order.wishes:
            hint = f"leave one of them out; --{wish} sets up both sides by itself"
            raise WrongUsageError(Problem(f"{option} and --{wish} do not go together", hint=hint))
