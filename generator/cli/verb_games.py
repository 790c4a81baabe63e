"""`muster games`: list the games and their options."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import click
from msgspec.structs import asdict

from generator import games
from generator.cli import console
from generator.cli.help import Verb
from generator.cli.request import complete_games, default_game, game_by_name
from generator.common.game import Game, GameOption
from generator.model.words import Lang, Words
from generator.notation.option_names import option_flag


def _one_game(ctx: click.Context, param: click.Parameter, value: str | None) -> Game[Any] | None:
    return game_by_name(value) if value else None


@click.command(cls=Verb)
@click.argument("game", required=False, metavar="[GAME]", callback=_one_game, shell_complete=complete_games)
@console.answer_options
def games_verb(game: Game[Any] | None, lang: Lang, as_json: bool) -> None:
    """List the games that Muster supports, or the options of one game."""
    if game:
        rows = [_option_values(option, game.option_labels(option), lang) for option in game.options]
        console.print_answer(as_json, rows, _option_lines(rows))
        return
    rows = [
        {
            "name": g.name,
            "title": g.title[lang],
            "summary": g.summary[lang],
            "default": g.name == default_game(),
            "wishes": [w.name for w in g.options],
            "sight": g.sight is not None,
            "sides": [side[lang] for side in _sides(g)],
            "danger": [{"id": id_, "name": side[lang]} for id_, side in zip(g.danger_sides, _sides(g), strict=False)],
            "players": _player_values(g, lang),
            "prints": [printable.verb for printable in g.prints],
        }
        for g in map(games.load, games.names())
    ]
    lines = [f"{row['name']}{' *' * bool(row['default'])}  {row['title']}: {row['summary']}" for row in rows]
    console.print_answer(as_json, rows, [*lines, console.words()["default_game"][lang]])


def _sides(game: Game[Any]) -> tuple[Words, ...]:
    """Return the names of a game's sides, if its fairness is measured."""
    return game.fairness.sides if game.fairness else ()


def _player_values(game: Game[Any], lang: Lang) -> list[dict[str, Any]]:
    """Return the computer players of a game as plain values for JSON (docs/json.md)."""
    if (playing := game.playing) is None:
        return []
    return [
        {"id": name, "name": policy.name[lang], "text": policy.text[lang], "strong": name in playing.strong}
        for name, policy in playing.all_policies.items()
    ]


def _option_lines(rows: list[dict[str, Any]]) -> Iterator[str]:
    """Yield a line for each option, and for each choice whose label differs from its word."""
    for row in rows:
        yield f"{option_flag(row['name'])}  {row['label']}: {row['help']}"
        yield from (f"    {choice}  {labels}" for choice, labels in row["called"].items() if labels != choice)


def _option_values(option: GameOption, labels: Mapping[str, Words], lang: Lang) -> dict[str, Any]:
    """Return an option as plain values for JSON (docs/json.md), with everything that a form needs to display it."""
    return {
        "name": option.name,
        "label": option.text.label[lang],
        "help": option.text.help[lang],
        "group": option.text.group,
        "common": option.text.common,
        "choices": list(option.choices),
        "called": {choice: words[lang] for choice, words in labels.items()},
        "known": list(option.known),
        "several": option.max_values,
        "pieces": option.pieces,
        "sets": asdict(option.sets),
        "file": option.file,
        "bare": option.flag_value,
        "default": option.default,
        "pattern": option.pattern,
    }
