"""Tests that one function derives option names from field names, so that every printed command can be run."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from msgspec.structs import asdict, fields

from generator import games
from generator.cli import muster as program
from generator.cli import verb_gallery
from generator.cli.print_options import PrintOptions
from generator.common.game import Game
from generator.notation import text
from generator.notation.option_names import field_name, option_flag, option_name
from tests.cli.conftest import CODE
from tests.cli.run import muster
from tests.cli.test_japanese import EVERY

OTHER: dict[str, Any] = {
    "lang": "ja",
    "paper": "letter",
    "ink": "saver",
    "parts": "cover",
    "separate": True,
    "flip": "short",
    "single": True,
    "fold": True,
    "gap": 2.0,
    "hex": 30.0,
    "printer": "dx=1",
    "seat": "",
    "fillable": True,
    "evening": True,
    "templates": ".",
    "format": "png",
    "dpi": 200,
    "backs_only": True,
    "crop_marks": True,
    "bleed": 2.0,
    "die": "avery-5371",
    "url": "https://example.org",
}
"""A value other than the default for each field of the print options."""


def parsed(command: str) -> dict[str, Any]:
    """Return the parameters of a command line, keyed by field. An unknown option is an error."""
    name, *args = shlex.split(command)
    assert name == "muster"
    with click.Context(program, info_name="muster") as ctx:
        verb, found, rest = program.resolve_command(ctx, args)
        assert verb and found
        return dict(found.make_context(verb, rest, parent=ctx).params)


def test_a_field_of_two_words_is_spelt_with_a_dash() -> None:
    assert text.command(["muster", "kit"], {"two_up": True, "per_page": "2"}) == "muster kit --two-up --per-page 2"
    assert (option_name("two_up"), field_name("two-up")) == ("two-up", "two_up")
    assert option_name("cards-pennant") == "cards-pennant"


@pytest.mark.parametrize(("words", "of", "ctx"), EVERY, ids=[words or "muster" for words, *_ in EVERY])
def test_option_names_match_their_fields(words: str, of: click.Command, ctx: click.Context) -> None:
    """An option may differ from its field if the option's name is a Python keyword or another field."""
    renamed = {"as_json", "asking", "prove", "by_play", "fineness", "sheet", "text_lang", "card", "dry", "rematch"}
    for param in of.get_params(ctx):
        if isinstance(param, click.Option) and "--help" not in param.opts:  # Click's own option
            assert all("_" not in name for name in param.opts), param.opts
            spelt = option_flag(str(param.name)) in param.opts
            assert spelt or param.name in renamed or len(param.opts) == 1, f"{words}: {param.opts} of {param.name}"


def test_each_print_option_is_an_option_of_its_name() -> None:
    taken = {name for _, of, ctx in EVERY for param in of.get_params(ctx) for name in param.opts}
    assert {option_flag(field.name) for field in fields(PrintOptions)} <= taken
    assert {field.name for field in fields(PrintOptions)} == OTHER.keys()


@pytest.mark.parametrize("name", OTHER)
def test_the_command_of_a_print_option_reads_back(name: str) -> None:
    game = "call_to_arms"
    value = OTHER[name] or games.load(game).seats[1]
    how = PrintOptions(**({"lang": "en"} | {name: value}))
    option_values = how.as_options()
    assert name in option_values
    # Some options are options of cards and tokens, but not of kits.
    verb = {"gap": "cards", "crop_marks": "tokens"} | dict.fromkeys(("backs_only", "bleed", "die", "url"), "cards")
    given = parsed(
        text.command(["muster", verb[name]], option_values)
        if name in verb
        else text.kit_command(game, CODE, option_values)
    )
    assert {field: given[field] for field in option_values} == {field: asdict(how)[field] for field in option_values}


def option_arguments(game: Game[Any]) -> Iterator[tuple[str, str]]:
    """Yield each option of a game with an argument that the option accepts."""
    for option in game.options:
        yield option.name, option.choices[-1] if option.choices else "own.toml" if option.file else "some text"


@pytest.mark.parametrize("name", games.names())
def test_the_command_of_each_option_of_a_game_reads_back(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("own.toml").touch()
    game = games.load(name)
    assert len(list(option_arguments(game))) > 5
    for option, value in option_arguments(game):
        given = parsed(text.kit_command(name, CODE, {option: value}))
        assert str(given[field_name(option)]) == value, option


@pytest.mark.parametrize("name", games.names())
def test_each_command_of_the_gallery_reads(name: str) -> None:
    game, how = games.load(name), PrintOptions("en", ink="saver")
    commands = [wall.command for wall in verb_gallery.component_walls(game, CODE, how, {})]
    for wall in verb_gallery.map_walls(game, how, {}):
        assert isinstance(wall.pictures, tuple)
        commands += [each for hung in wall.pictures for each in (hung.command, hung.play)]
    assert len(commands) > 2
    assert {parsed(command)["ink"] for command in commands} == {"saver"}


def test_a_switch_names_its_option(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert muster("draw", "travel_battle", "--seed", CODE).code == 0
    rows = muster("rulings", "scenario.toml", "--json").json
    options = {option.name for option in games.load("travel_battle").options}
    assert rows and {row["option"] for row in rows} <= options
    assert all(row["option"] == option_name(row["ruling"]) for row in rows)
