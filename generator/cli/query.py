"""Make the commands that games add for questions about a scenario."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from itertools import zip_longest
from pathlib import Path

import click

from generator.cli import GameVerb, console, output, request, safe_write, verb_help
from generator.cli.help import Verb
from generator.cli.print_options import PrintOptions
from generator.cli.scenario import Loaded, load
from generator.errors import WrongUsageError
from generator.localization import tr
from generator.model.views import Kit


def game_command(name: str, verbs: Mapping[str, GameVerb]) -> click.Command:
    """Return the command for a question that games answer. Each game may have other arguments."""
    places = [list(filter(None, words)) for words in zip_longest(*(verb.arguments for verb in verbs.values()))]

    @click.command(name, cls=Verb, help=verb_help(verbs))
    @click.argument("file", type=click.Path(path_type=Path))
    @output.sheet_options
    @console.json_option
    def ask(file: Path, print_options: PrintOptions, out: Path | None, as_json: bool, **given: str | None) -> None:
        loaded = load(file)
        query = request.capability(
            loaded.game,
            lambda game: next((q for q in game.queries if q.verb == name), None),
            tr("has no {name}", name=name),
        )
        given_words = (given[f"asked_{at}"] for at in range(len(places)))
        words = tuple(unicodedata.normalize("NFKC", word).strip() for word in given_words if word is not None)
        if len(words) != len(wanted := verbs[loaded.game.name].arguments):
            usage = " ".join(["muster", name, "FILE", *map(str.upper, wanted)])
            raise WrongUsageError(tr("usage for {name}: {usage}", name=loaded.game.name, usage=usage))
        lines = (line[print_options.main_lang] for line in query.lines(loaded.scenario, words))
        console.print_answer(as_json, query.rows(loaded.scenario, words), lines)
        if out:
            kit = Kit(loaded.game.title, loaded.scenario.title, loaded.stamp, (query.sheet(loaded.scenario, words),))
            print_pages(kit, loaded, print_options, file, out, as_json)

    for at, words in enumerate(places):
        needed = len(words) == len(verbs)
        metavar = "|".join(dict.fromkeys(word.upper() for word in words))
        ask.params.insert(
            at + 1, click.Argument([f"asked_{at}"], required=needed, metavar=metavar if needed else f"[{metavar}]")
        )
    return ask


def print_pages(kit: Kit, loaded: Loaded, print_options: PrintOptions, file: Path, out: Path, as_json: bool) -> None:
    """Write the pages of an answer and print their path."""
    safe_write.check_replaceable(out)
    safe_write.write_file(
        out,
        output.kit_pdf(
            output.with_scenario_credit(kit, loaded, file.parent), print_options.press_options(loaded.game)
        ),
    )
    click.echo(f"{out}", err=as_json)
