"""`muster data`: list, show, check and copy data files and templates."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import click

from generator import games
from generator.cli import console, safe_write
from generator.cli.data_files import (
    content_types,
    copy,
    find_form,
    forms,
    printing_command_lines,
    printing_commands,
    recognise,
    values,
    write,
)
from generator.cli.help import Verb, VerbGroup, wrap
from generator.cli.output import out_file, out_folder
from generator.cli.request import completer, game_argument, parse_words
from generator.cli.scenario import sample_kit
from generator.common.game import ContentType, Game
from generator.errors import DataError, Problem, WrongUsageError, among, near_or
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
@console.language_free_options
def templates(game: Game[Any], only: str | None, out: Path | None, as_json: bool) -> None:
    """List the templates, or copy them to a folder for editing (docs/templates.md)."""
    from generator.press.sandbox.templates import shared_templates

    found = _templates_of(game)
    if only is not None:
        words = parse_words(only, dict.fromkeys([*filter(None, found.values()), *found]), "--only")
        chosen_names = [name for name, part in found.items() if {name, part} & {*words}]
        found = {name: found[name] for name in [*chosen_names, *shared_templates(chosen_names)]}
    if out:
        files = {name: (shipped_path("templates") / name).read_bytes() for name in found}
        safe_write.write_files({out / name: content for name, content in files.items()})
    rows = [{"template": name, "part": part} for name, part in found.items()]
    lines = (out / name if out else f"{name:<28}{part}".rstrip() for name, part in found.items())
    console.print_answer(as_json, rows, lines)


def _templates_of(game: Game[Any]) -> dict[str, str]:
    """Return the templates of a game's sheets, each with the part of a kit that it prints.

    The part is empty for templates that are used only by some kits, other templates or other commands. Shared
    templates that the game's own templates extend are included.
    """
    from generator.press.sandbox.templates import shared_templates

    parts = {sheet.template: sheet.part for sheet in sample_kit(game).sheets if isinstance(sheet, Sheet)}
    root = shipped_path("templates")
    folders = dict.fromkeys([*((root / name).parent for name in parts), root / game.name, root])
    found = [path.relative_to(root).as_posix() for folder in folders for path in sorted(folder.glob("*.xml"))]
    return {name: parts.get(name, "") for name in [*found, *shared_templates(found)]}


MAX_COLUMNS, COLUMN_GAP = 100, "  "
"""The maximum width of a table in columns, and the text between two table columns."""


@click.group(name="data", cls=VerbGroup)
@console.lang_accepted
def data_verb() -> None:
    """List, show, check and copy data files and templates, both shipped and users' own."""


data_verb.add_command(copy)
data_verb.add_command(values)
data_verb.add_command(write)
data_verb.add_command(templates)


@data_verb.command("list")
@click.argument("what", required=False, metavar="[GAME|KIND]", shell_complete=completer(lambda: _list_filters()))
@console.answer_options
def list_data(what: str | None, lang: Lang, as_json: bool) -> None:
    """List the shipped data, or the data of one game or kind."""
    chosen = ""
    if what is not None:
        message = tr("there is neither a game nor a kind of data named {what!r}", what=visible(what))
        chosen = among(games.find_name(what) or what, _list_filters(), message)
    rows = [
        {"game": game.name, "kind": content_type.kind, "name": name, "title": title[lang]}
        for game, content_type in content_types()
        if chosen in ("", game.name, content_type.kind)
        for name, title in {**content_type.items(), **content_type.forms}.items()
    ]
    widths = {key: max((len(row[key]) for row in rows), default=0) for key in ("game", "kind", "name")}
    lines = (" ".join([*(row[key].ljust(width) for key, width in widths.items()), row["title"]]) for row in rows)
    console.print_answer(as_json, rows, lines)


def _list_filters() -> list[str]:
    """Return the words that `muster data list` accepts: the names of the games, and the kinds of data."""
    return [*games.names(), *dict.fromkeys(content_type.kind for _, content_type in content_types())]


@data_verb.command("show")
@click.argument("item", metavar="NAME|FILE")
@console.answer_options
def show(item: str, lang: Lang, as_json: bool) -> None:
    """Show a shipped data file or a user's own. A deck is shown with an estimate of its strength."""
    rows = _show_rows(item, lang)
    console.print_answer(as_json, rows, _format_rows(rows))


def _format_rows(rows: list[list[str]]) -> Iterator[str]:
    """Yield the lines of rows.

    Rows with several cells are formatted as tables, and rows with one cell as wrapped text.
    """
    for together, block in groupby(rows, key=lambda row: len(row) > 1):
        some = list(block)
        yield from _format_table(some) if together else (part for row in some for part in wrap(row[0], MAX_COLUMNS))


def _show_rows(item: str, lang: Lang) -> list[list[str]]:
    every = [content_type for _, content_type in content_types()]
    for content_type in every:
        if item in content_type.items():
            return content_type.show(item, lang)
        if item in content_type.forms and content_type.file:
            return [[line] for line in content_type.file(item).read_text("utf-8").splitlines()]
    if is_there(path := Path(item)):
        content_type, source = recognise(path)
        DataError.raise_if_any(p for p in (content_type.check(source) if content_type.check else ()) if not p.remark)
        return content_type.show(path, lang)
    known = {name: content_type.kind for content_type in every for name in content_type.items()}
    of_kind = [name for name, kind in known.items() if kind == item]
    kinds = tr("data of this kind: {of_kind}", of_kind=of_kind)
    hint = kinds if of_kind else near_or(item, known, tr("see `muster data list`"))
    raise WrongUsageError(tr("there is neither data nor a file named {item!r}", item=visible(item)), hint=hint)


def _format_table(rows: list[list[str]]) -> Iterator[str]:
    """Yield the lines of a table with columns as wide as their contents. The last column is wrapped."""
    widths = [max(display_width(row[i]) for row in rows if i < len(row)) for i in range(max(map(len, rows)))]
    left = sum(w + len(COLUMN_GAP) for w in widths[:-1])
    for row in rows:
        start = "".join(
            cell + " " * (w - display_width(cell)) + COLUMN_GAP for cell, w in zip(row, widths[:-1], strict=False)
        )
        last = row[-1] if len(row) == len(widths) else ""
        for line in wrap(last, max(MAX_COLUMNS - left, MAX_COLUMNS // 3)):
            yield f"{start}{line}".rstrip()
            start = " " * left


@data_verb.command("check")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE…")
@console.answer_options
def check(files: tuple[Path, ...], lang: Lang, as_json: bool) -> None:
    """List the faults in users' files with their line numbers."""
    examined = [(path, *_check_file(path)) for path in files]
    reported = [problem for _, found, _ in examined for problem in found]
    problems = [problem for problem in reported if not problem.remark]
    words = console.words()
    lines = [problem.describe(lang) for problem in problems]
    lines += [words["remark"].fill(remark=problem)[lang] for problem in reported if problem.remark]
    if not problems:
        lines.append(words["in_order"].fill(files=[*map(str, files)])[lang])
        for path, _, content_type in examined:
            if content_type and content_type.command:
                lines.append(words["uses"].fill(command=printing_commands(content_type, path)[0])[lang])
            elif content_type:
                lines += printing_command_lines(printing_commands(content_type, path), lang)
    console.print_answer(as_json, [console.problem_values(p) | {"remark": p.remark} for p in reported], lines)
    console.exit_if(problems)


def _check_file(path: Path) -> tuple[list[Problem], ContentType | None]:
    """Return the faults of a file and its content type, or None if the type is unknown."""
    try:
        content_type, source = recognise(path)
    except DataError as error:
        return list(error.problems), None
    return content_type.check(source) if content_type.check else [], content_type


@data_verb.command(name="schema")
@click.argument("kind", required=False, shell_complete=completer(lambda: [form.name for form in forms()]))
@out_file(".json")
@console.answer_options
def schema_of(kind: str | None, out: Path | None, lang: Lang, as_json: bool) -> None:
    """Print the JSON Schema of a kind of file, or list the kinds if KIND is omitted."""
    if kind is not None:
        form = find_form(kind)
        if out is None:
            spelt = {word: label[lang] for word, label in labels().word.items()}
            console.print_json(localized_schema(form.schema, lang) | {"title": form.title[lang], "x-words": spelt})
            return
        safe_write.write_file(out, form.content)
        console.report_written(out, as_json)
        return
    if out:
        raise WrongUsageError(
            tr("-o can write only one schema"),
            hint=tr("give the KIND of one schema; `muster data schema` lists the kinds"),
        )
    rows = [{"schema": f.name, "game": f.game, "kind": f.kind, "title": f.title[lang]} for f in forms()]
    console.print_answer(as_json, rows, (f"{row['schema']:<26} {row['title']}" for row in rows))
