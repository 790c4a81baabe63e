"""`muster data`: list, show, check and copy data files and templates."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import click

from generator.cli import console, put
from generator.cli.help import Verb, VerbGroup, broken
from generator.cli.output import out_file, out_folder
from generator.cli.request import beginning, chosen, game_argument
from generator.cli.scenario import sample
from generator.cli.shelves import (
    copy,
    forms,
    named,
    printing,
    recognised,
    shelves,
    told_prints,
    values,
    write,
)
from generator.common.game import ContentType, Game
from generator.errors import DataError, Problem, WrongUsageError, near_or
from generator.localization import display_width, tr
from generator.model.views import Sheet
from generator.model.words import Lang
from generator.notation.schema import labels, localized_schema
from generator.notation.text import visible
from generator.store.folders import is_there, shipped_path


@click.command(cls=Verb)
@game_argument
@click.option("--only", metavar="WORDS")
@out_folder()
@console.value_options
def templates(game: Game[Any], only: str | None, out: Path | None, as_json: bool) -> None:
    """List the templates, or copy them to a folder to edit them (docs/templates.md)."""
    from generator.press.sandbox.templates import shared_templates

    found = _found(game)
    if only is not None:
        words = chosen(only, dict.fromkeys([*filter(None, found.values()), *found]), "--only")
        named = [name for name, part in found.items() if {name, part} & {*words}]
        found = {name: found[name] for name in [*named, *shared_templates(named)]}
    if out:
        files = {name: (shipped_path("templates") / name).read_bytes() for name in found}
        put.files({out / name: content for name, content in files.items()})
    rows = [{"template": name, "part": part} for name, part in found.items()]
    lines = (out / name if out else f"{name:<28}{part}".rstrip() for name, part in found.items())
    console.answer(as_json, rows, lines)


def _found(game: Game[Any]) -> dict[str, str]:
    """The templates that a game's sheets are made of, each with the part of a kit that it prints.

    The part is empty for those that only some kits, other templates or other verbs use; among them are those shared
    by all games that the game's own extend.
    """
    from generator.press.sandbox.templates import shared_templates

    parts = {sheet.template: sheet.part for sheet in sample(game).sheets if isinstance(sheet, Sheet)}
    root = shipped_path("templates")
    folders = dict.fromkeys([*((root / name).parent for name in parts), root / game.name, root])
    found = [path.relative_to(root).as_posix() for folder in folders for path in sorted(folder.glob("*.xml"))]
    return {name: parts.get(name, "") for name in [*found, *shared_templates(found)]}


COLUMNS, GAP = 100, "  "
"""The width of a terminal that a table keeps to, and what parts its columns."""


@click.group(name="data", cls=VerbGroup)
@console.lang_accepted
def data_verb() -> None:
    """Decks, maps, inventories, tables and templates: those that ship with Muster, and your own."""


data_verb.add_command(copy)
data_verb.add_command(values)
data_verb.add_command(write)
data_verb.add_command(templates)


@data_verb.command("list")
@console.answer_options
def list_data(lang: Lang, as_json: bool) -> None:
    """List the shipped data."""
    rows = [
        {"game": game.name, "kind": shelf.kind, "name": name, "title": title[lang]}
        for game, shelf in shelves()
        for name, title in {**shelf.items(), **shelf.forms}.items()
    ]
    lines = (f"{row['game']:<14} {row['kind']:<10} {row['name']:<18} {row['title']}" for row in rows)
    console.answer(as_json, rows, lines)


@data_verb.command("show")
@click.argument("item", metavar="NAME|FILE")
@console.answer_options
def show(item: str, lang: Lang, as_json: bool) -> None:
    """Show a shipped data file or one of your own. A deck is shown with an estimate of its strength."""
    rows = _rows(item, lang)
    console.answer(as_json, rows, _lines(rows))


def _lines(rows: list[list[str]]) -> Iterator[str]:
    """Rows of several cells as tables, those of one as text."""
    for together, block in groupby(rows, key=lambda row: len(row) > 1):
        some = list(block)
        yield from _table(some) if together else (part for row in some for part in broken(row[0], COLUMNS))


def _rows(item: str, lang: Lang) -> list[list[str]]:
    every = [shelf for _, shelf in shelves()]
    for shelf in every:
        if item in shelf.items():
            return shelf.show(item, lang)
        if item in shelf.forms and shelf.file:
            return [[line] for line in shelf.file(item).read_text("utf-8").splitlines()]
    if is_there(path := Path(item)):
        shelf, source = recognised(path)
        DataError.raise_if_any(p for p in (shelf.check(source) if shelf.check else ()) if not p.remark)
        return shelf.show(path, lang)
    known = {name: shelf.kind for shelf in every for name in shelf.items()}
    of_kind = ", ".join(name for name, kind in known.items() if kind == item)
    kinds = tr("of that kind: {of_kind}", of_kind=of_kind)
    hint = kinds if of_kind else near_or(item, known, tr("see `muster data list`"))
    raise WrongUsageError(tr("there is no data and no file named {item!r}", item=visible(item)), hint=hint)


def _table(rows: list[list[str]]) -> Iterator[str]:
    """Rows in columns of their own widths; the last column is broken where it would run too far."""
    widths = [max(display_width(row[i]) for row in rows if i < len(row)) for i in range(max(map(len, rows)))]
    left = sum(w + len(GAP) for w in widths[:-1])
    for row in rows:
        start = "".join(
            cell + " " * (w - display_width(cell)) + GAP for cell, w in zip(row, widths[:-1], strict=False)
        )
        last = row[-1] if len(row) == len(widths) else ""
        for line in broken(last, max(COLUMNS - left, COLUMNS // 3)):
            yield f"{start}{line}".rstrip()
            start = " " * left


@data_verb.command("check")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE…")
@console.answer_options
def check(files: tuple[Path, ...], lang: Lang, as_json: bool) -> None:
    """List the faults in your own files, each with its line."""
    examined = [(path, *_examined(path)) for path in files]
    told = [problem for _, found, _ in examined for problem in found]
    problems = [problem for problem in told if not problem.remark]
    say_ = console.words()
    lines = [problem.describe(lang) for problem in problems]
    lines += [say_["remark"].fill(remark=problem)[lang] for problem in told if problem.remark]
    if not problems:
        lines.append(say_["in_order"].fill(files=", ".join(map(str, files)))[lang])
        for path, _, shelf in examined:
            lines += told_prints(printing(shelf, path) if shelf else [], lang)
    console.answer(as_json, [console.problem_row(p) | {"remark": p.remark} for p in told], lines)
    console.end_if(problems)


def _examined(path: Path) -> tuple[list[Problem], ContentType | None]:
    """The faults of a file, and the shelf it belongs on; None where it belongs on none."""
    try:
        shelf, source = recognised(path)
    except DataError as error:
        return list(error.problems), None
    return shelf.check(source) if shelf.check else [], shelf


@data_verb.command(name="schema")
@click.argument("kind", required=False, shell_complete=beginning(lambda: [form.name for form in forms()]))
@out_file(".json")
@console.answer_options
def schema_of(kind: str | None, out: Path | None, lang: Lang, as_json: bool) -> None:
    """Print the JSON Schema of a kind of file; without KIND, list the kinds."""
    if kind is not None:
        form = named(kind)
        if out is None:
            spelt = {word: called[lang] for word, called in labels().word.items()}
            console.as_json(localized_schema(form.schema, lang) | {"title": form.title[lang], "x-words": spelt})
            return
        put.file(out, form.content)
        console.wrote(out, as_json)
        return
    if out:
        raise WrongUsageError(tr("-o writes one schema"), hint=tr("give its KIND; `muster data schema` lists them"))
    rows = [{"schema": f.name, "game": f.game, "kind": f.kind, "title": f.title[lang]} for f in forms()]
    console.answer(as_json, rows, (f"{row['schema']:<26} {row['title']}" for row in rows))
