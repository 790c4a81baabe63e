"""`muster rulings`: show what each ruling changes in a scenario."""

from __future__ import annotations

from pathlib import Path

import click

from generator.cli import console, request
from generator.cli.help import Verb
from generator.cli.scenario import load
from generator.common.interpretations import Outcome, outcome_lines, outcomes, rulings
from generator.localization import tr
from generator.model.words import Lang
from generator.notation.option_names import option_name


@click.command(cls=Verb)
@click.argument("file", type=click.Path(path_type=Path))
@console.answer_options
def rulings_verb(file: Path, lang: Lang, as_json: bool) -> None:
    """Show what each disputed ruling changes in a scenario."""
    loaded = load(file)
    games = request.capability(loaded.game, lambda game: game.switches, tr("has no rulings"))
    found = outcomes(loaded.scenario, rulings(*games), loaded.game.ruling_impacts)
    held = loaded.verify_sight("printed")
    lines = (line[lang] for line in outcome_lines(found, loaded.game.ruling_impacts))
    console.print_answer(as_json, [_outcome_values(of, lang) for of in found], lines)
    console.report_verified(held, lang, err=as_json)


def _outcome_values(of: Outcome, lang: Lang) -> dict[str, object]:
    """Return what a ruling changes as plain values for JSON (docs/json.md)."""
    rows = [(what, change) for what, changes in of.changes.items() for change in changes]
    return {
        "ruling": of.ruling.id,
        "option": option_name(of.ruling.id),
        "name": of.ruling.name[lang],
        "chosen": of.chosen.id,
        "choice": of.other.id,
        "text": of.other.text[lang],
        "compared": list(of.changes),
        "changes": [{"what": w, "about": c.about[lang], "now": c.now[lang], "then": c.then[lang]} for w, c in rows],
    }
