"""`muster games`: list the games and their options."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import click

from generator import games
from generator.cli import console
from generator.cli.help import Verb
from generator.cli.request import default_game, games_beginning, known_game
from generator.common.game import Game, GameOption
from generator.model.words import Lang, Words
from generator.notation.option_names import option_flag


def _one_game(ctx: click.Context, param: click.Parameter, value: str | None) -> Game[Any] | None:
    return known_game(value) if value else None


@click.command(cls=Verb)
@click.argument("game", required=False, metavar="[GAME]", callback=_one_game, shell_complete=games_beginning)
@console.answer_options
def games_verb(game: Game[Any] | None, lang: Lang, as_json: bool) -> None:
    """List the games that Muster can draw, or the options of one of them."""
    if game:
        rows = [_wish_row(wish, game.option_labels(wish), lang) for wish in game.options]
        console.answer(as_json, rows, _wish_lines(rows))
        return
    rows = [
        {
            "name": g.name,
            "title": g.title[lang],
            "summary": g.summary[lang],
            "default": g.name == default_game(),
            "wishes": [w.name for w in g.options],
        }
        for g in map(games.load, games.names())
    ]
    lines = [f"{row['name']}{' *' * bool(row['default'])}  {row['title']}: {row['summary']}" for row in rows]
    console.answer(as_json, rows, [*lines, console.words()["default_game"][lang]])


def _wish_lines(rows: list[dict[str, Any]]) -> Iterator[str]:
    """Wishes with their words, those that are called something else."""
    for row in rows:
        yield f"{option_flag(row['name'])}  {row['label']}: {row['help']}"
        yield from (f"    {choice}  {called}" for choice, called in row["called"].items() if called != choice)


def _wish_row(wish: GameOption, called: Mapping[str, Words], lang: Lang) -> dict[str, Any]:
    """A wish as plain values (docs/json.md): enough to make a form's control of it."""
    return {
        "name": wish.name,
        "label": wish.text.label[lang],
        "help": wish.text.help[lang],
        "group": wish.text.group,
        "common": wish.text.common,
        "choices": list(wish.choices),
        "called": {choice: words[lang] for choice, words in called.items()},
        "known": list(wish.known),
        "several": wish.max_values,
        "pieces": wish.pieces,
        "file": wish.file,
        "bare": wish.flag_value,
        "default": wish.default,
        "pattern": wish.pattern,
    }
