"""`muster rules`: list the rules that the check of a game applies."""

from __future__ import annotations

from typing import Any

import click

from generator import games
from generator.cli import console
from generator.cli.help import Verb
from generator.cli.request import default_game, game_argument
from generator.common.game import Game
from generator.common.pages import source_words, with_source
from generator.errors import WrongUsageError, near_or
from generator.localization import tr
from generator.model.words import Lang
from generator.notation.text import visible
from generator.rules import RuleText


def _complete_rules(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Return the shell's completions for the id of a rule."""
    game: Game[Any] = ctx.params.get("game") or games.load(default_game())
    return [rule.id for rule in game.rules if rule.id.startswith(incomplete)]


@click.command(cls=Verb)
@game_argument
@click.argument("rule", required=False, default="", metavar="[RULE]", shell_complete=_complete_rules)
@console.answer_options
def rules_verb(game: Game[Any], rule: str, lang: Lang, as_json: bool) -> None:
    """List the rules against which the scenarios of a game are checked."""
    found = _find_rules(game, rule.casefold())
    rows = [
        {
            "rule": of.id,
            "tier": of.tier,
            "text": of.text[lang],
            "source": of.source,
            "source_text": source_words(of.source)[lang],
        }
        for of in found
    ]
    lines = (
        f"{of.id}  {console.words()[f'tier_{of.tier}'][lang]}\n    {with_source(of.text, of.source)[lang]}"
        for of in found
    )
    console.print_answer(as_json, rows, lines)


def _find_rules(game: Game[Any], begin: str) -> list[RuleText]:
    """Return the rules of the game whose ids start with `begin`.

    Raises:
        WrongUsageError: If there are none. The hint is the most similar id.
    """
    found = [rule.text for rule in game.rules if rule.id.startswith(begin)]
    if not found:
        ids = [rule.id for rule in game.rules]
        known = [*ids, *dict.fromkeys(name.partition(".")[0] for name in ids)]
        hint = near_or(begin, known, tr("see `muster rules {name}`", name=game.name))
        raise WrongUsageError(
            tr("{name} has no rule whose name begins with {begin!r}", name=game.name, begin=visible(begin)[:40]),
            hint=hint,
        )
    return found
