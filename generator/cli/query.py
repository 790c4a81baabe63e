"""Ask a game something about a scenario: the verbs that games bring."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from itertools import zip_longest
from pathlib import Path

import click

from generator.cli import GameVerb, console, output, put, request, verb_help
from generator.cli.help import Verb
from generator.cli.print_options import How
from generator.cli.scenario import Loaded, load
from generator.errors import WrongUsageError
from generator.localization import tr
from generator.model.views import Kit


def game_command(name: str, verbs: Mapping[str, GameVerb]) -> click.Command:
    """The command of a verb by which games are asked something about a scenario, each with its own arguments."""
    places = [list(filter(None, words)) for words in zip_longest(*(verb.arguments for verb in verbs.values()))]

    @click.command(name, cls=Verb, help=verb_help(verbs))
    @click.argument("file", type=click.Path(path_type=Path))
    @output.sheet_options
    @console.json_option
    def ask(file: Path, how: How, out: Path | None, as_json: bool, **given: str | None) -> None:
        loaded = load(file)
        query = request.capability(
            loaded.game,
            lambda game: next((q for q in game.queries if q.verb == name), None),
            tr("has no {name}", name=name),
        )
        typed = (given[f"asked_{at}"] for at in range(len(places)))
        asked = tuple(unicodedata.normalize("NFKC", word).strip() for word in typed if word is not None)
        if len(asked) != len(wanted := verbs[loaded.game.name].arguments):
            usage = " ".join(["muster", name, "FILE", *map(str.upper, wanted)])
            raise WrongUsageError(tr("usage for {name}: {usage}", name=loaded.game.name, usage=usage))
        lines = (line[how.first] for line in query.lines(loaded.scenario, asked))
        console.answer(as_json, query.rows(loaded.scenario, asked), lines)
        if out:
            kit = Kit(loaded.game.title, loaded.scenario.title, loaded.stamp, (query.sheet(loaded.scenario, asked),))
            print_pages(kit, loaded, how, file, out, as_json)

    for at, words in enumerate(places):
        needed = len(words) == len(verbs)
        metavar = "|".join(dict.fromkeys(word.upper() for word in words))
        ask.params.insert(
            at + 1, click.Argument([f"asked_{at}"], required=needed, metavar=metavar if needed else f"[{metavar}]")
        )
    return ask


def print_pages(kit: Kit, loaded: Loaded, how: How, file: Path, out: Path, as_json: bool) -> None:
    """Write the pages of an answer, and say where."""
    put.spare(out)
    put.file(out, output.kit_pdf(output.of_scenario(kit, loaded, file.parent), how.edition(loaded.game)))
    click.echo(f"{out}", err=as_json)
