"""Find, copy, read and write data files for `muster data copy`, `write` and `values`."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any, NamedTuple

import click

from generator import games
from generator.cli import console, safe_write
from generator.cli.help import Verb
from generator.cli.output import name_for_commands, out_file
from generator.cli.request import completer
from generator.cli.scenario import SUFFIX
from generator.common.game import ContentType, Game
from generator.common.ownership import print_commands
from generator.errors import DataError, Problem, WrongUsageError, near, near_or, nearest
from generator.localization import tr
from generator.model.words import Lang, Words
from generator.notation.envelope import FILE_TITLE
from generator.notation.schema import directive, ordered, ownership_key, schema
from generator.notation.text import command as format_command
from generator.notation.text import document, visible
from generator.notation.toml import Source
from generator.store.folders import is_stream
from generator.store.json_files import JsonFile
from generator.store.manifest import seal

SCENARIO = "scenario"
"""The kind of a scenario file."""


def content_types() -> list[tuple[Game[Any], ContentType]]:
    """Return the content types of all games, each with its game."""
    return [(game, content_type) for game in map(games.load, games.names()) for content_type in game.content_types]


class Form(NamedTuple):
    """A kind of file that people write, with its game and the type that reads it."""

    name: str
    game: str
    """The name of the game. Empty if the kind does not belong to a game."""
    kind: str
    title: Words
    type: Any

    @property
    def file(self) -> str:
        """The file name of the JSON Schema."""
        return f"muster-{self.name}.schema.json"

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema for this kind of file."""
        return schema(self.type, self.title["en"])

    @property
    def content(self) -> bytes:
        """The content of the schema's file, with Muster's seal."""
        return seal(console.json_text(self.schema).encode())


def forms() -> list[Form]:
    """Return every kind of file that people write: scenarios, content of games, and kinds that belong to no game."""
    from generator.notation.printers import PRINTERS
    from generator.tournament.event_file import EventRecord
    from generator.tournament.sealing import Commitment, Opening

    words = console.words()
    found = []
    for game in map(games.load, games.names()):
        of_content = [
            (content_type.kind, content_type.what, content_type.form) for content_type in game.content_types
        ]
        for kind, what, of in [(SCENARIO, words["scenario_form"], game.form), *of_content]:
            if of is not None:
                title = words["form"].fill(game=game.title, what=what)
                found.append(Form(f"{game.name}-{kind}", game.name, kind, title, of))
    others = {"printers": PRINTERS, "event": EventRecord, "commitment": Commitment, "opening": Opening}
    return [*found, *(Form(kind, "", kind, words[f"{kind}_form"], of) for kind, of in others.items())]


def _files_by_name() -> dict[str, tuple[Game[Any], ContentType]]:
    """Return the shipped files that can be copied, keyed by name."""
    return {
        name: (game, content_type)
        for game, content_type in content_types()
        if content_type.file and content_type.form
        for name in (*content_type.items(), *content_type.forms)
    }


@click.command(cls=Verb)
@click.argument("name", shell_complete=completer(_files_by_name))
@out_file(SUFFIX)
@console.answer_options
def copy(name: str, out: Path | None, lang: Lang, as_json: bool) -> None:
    """Copy a shipped deck, map or table to a file that the user can edit."""
    known = _files_by_name()
    if name not in known:
        raise WrongUsageError(
            tr("there is no data named {name!r} that can be copied", name=visible(name)[:40]),
            hint=_hint(name, list(known)),
        )
    game, content_type = known[name]
    assert content_type.file
    target = out or Path(f"{name}{SUFFIX}")
    form = _form_of(game, content_type)
    row = _write_with_schema(target, form, content_type, content_type.file(name).read_bytes())
    schema_note = console.words()["schema_beside" if row["schema"] else "schema_apart"]
    schema_line = schema_note.fill(file=row["schema"], command=f"muster data schema {form.name} -o {form.file}")[lang]
    console.print_answer(
        as_json, row, [target, _copied_line(row, lang), schema_line, *printing_command_lines(row["prints"], lang)]
    )


def _form_of(game: Game[Any], content_type: ContentType) -> Form:
    return next(form for form in forms() if (form.game, form.kind) == (game.name, content_type.kind))


def _write_with_schema(target: Path, form: Form, content_type: ContentType, content: bytes) -> dict[str, Any]:
    """Write a file of this kind and its schema next to it, and return both as plain values for JSON (docs/json.md).

    If the file is a stream, no schema is written.
    """
    content, schema_file = directive(form.file).encode() + content, target.parent / form.file
    if is_stream(target):
        safe_write.write_file(target, content)
    else:
        safe_write.write_files({target: content, schema_file: form.content})
    name = name_for_commands(target, SUFFIX)
    play, *more = printing_commands(content_type, name)
    return {
        "file": str(target),
        "game": form.game,
        "kind": form.kind,
        "check": format_command(["muster", "data", "check", name], {}),
        "command": play,
        "prints": more,
        "schema": "" if is_stream(target) else str(schema_file),
    }


def _copied_line(row: dict[str, Any], lang: Lang) -> str:
    """Return a line with the commands that check a file and play with it."""
    return console.words()["copied"].fill(check=row["check"], command=row["command"])[lang]


def find_form(kind: str) -> Form:
    """Return the kind of file with this name.

    The name of the game may be omitted if only one game has the kind.

    Raises:
        WrongUsageError: If there is no such kind, or several games have it.
    """
    every = forms()
    found = [form for form in every if form.name == kind] or [form for form in every if form.kind == kind]
    if len(found) == 1:
        return found[0]
    several = tr("choose one of these: {found}", found=[form.name for form in found])
    known = [*(form.name for form in every), *(form.kind for form in every)]
    hint = several if found else near_or(kind, known, tr("see `muster data schema`"))
    raise WrongUsageError(tr("there is no kind of file named {kind!r}", kind=visible(kind)[:40]), hint=hint)


@click.command(cls=Verb)
@click.argument("item", metavar="NAME|FILE")
@out_file(".json")
@console.language_free_options
def values(item: str, out: Path | None, as_json: bool) -> None:
    """Print the values of a data file or scenario as JSON, for programs and for the forms of the studio."""
    known = _files_by_name()
    if item in known:
        game, content_type = known[item]
        assert content_type.file
        source = Source.open(content_type.file(item))
    elif form := _scenario_form(source := Source.open(Path(item))):
        row = _values_row(form, format_command(["muster", "print", Path(item)], {}), source)
        _print_or_write(row, out, as_json)
        return
    else:
        content_type, source = recognise(Path(item))
        game = next(
            game for game, one in content_types() if (one.kind, one.marks) == (content_type.kind, content_type.marks)
        )
    play, *_ = printing_commands(content_type, Path(item))
    _print_or_write(_values_row(_form_of(game, content_type), play, source), out, as_json)


def _scenario_form(source: Source) -> Form | None:
    """Return the kind of a scenario file, or None for any other file."""
    head = source.data.get("muster")
    game = head.get("game") if isinstance(head, dict) else None
    return next((form for form in forms() if (form.game, form.kind) == (game, SCENARIO)), None)


def _values_row(form: Form, command: str, source: Source) -> dict[str, Any]:
    return {"schema": form.name, "command": command, "values": source.data, "lines": _lines(source)}


def _print_or_write(row: dict[str, Any], out: Path | None, as_json: bool) -> None:
    """Print values as JSON, or write them to a file."""
    if out is None:
        console.print_json(row)
        return
    safe_write.write_file(out, seal(console.json_text(row).encode()))
    console.report_written(out, as_json)


def _lines(source: Source) -> dict[str, int]:
    """Return the line of each key, keyed by path, such as `card/0/name`."""
    return {"/".join(map(str, keys)): line for keys, line in source.lines.items()}


@click.command(cls=Verb)
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE.json")
@out_file(SUFFIX)
@console.answer_options
def write(file: Path, out: Path | None, lang: Lang, as_json: bool) -> None:
    """Write JSON values to a TOML file, without checking them. They have the format of `muster data values`."""
    data = JsonFile(file)
    given = data.data if isinstance(data.data, dict) else {}
    for key, kind, what in (("schema", str, tr("text in quotation marks")), ("values", dict, tr("a table"))):
        if not isinstance(given.get(key), kind):
            raise DataError(data.problem((key,), tr("expected {words}", words=what)))
    form = find_form(given["schema"])
    content_type = next(
        (one for game, one in content_types() if (game.name, one.kind) == (form.game, form.kind)), None
    )
    if content_type is None and form.kind != SCENARIO:
        hint = tr("see `muster data list`")
        raise WrongUsageError(tr("{kind} is not a kind of file that you write yourself", kind=form.name), hint=hint)
    whole = form.schema
    made = ordered(given["values"] | ownership_key(whole), whole, whole)
    text = "\n".join(document(made) if content_type else _scenario_lines(made)) + "\n"
    target = out or file.with_suffix(SUFFIX)
    head = directive(form.file) if content_type else f"{FILE_TITLE}\n"
    if content_type is None:
        safe_write.write_file(target, (head + text).encode())
        row: dict[str, Any] = {"file": str(target), "game": form.game, "kind": form.kind, "prints": [], "schema": ""}
        name = name_for_commands(target, SUFFIX)
        commands = (format_command(["muster", verb, name], {}) for verb in ("check", "print"))
        row["check"], row["command"] = commands
    else:
        row = _write_with_schema(target, form, content_type, text.encode())
    lines = _lines(Source(str(target), head + text))
    console.print_answer(as_json, row | {"lines": lines}, [target, _copied_line(row, lang)])


def _scenario_lines(tables: Mapping[str, Any]) -> list[str]:
    """Return the lines of a scenario file, in which every table has a header, as in a file that Muster draws."""
    found: list[str] = []
    for name, table in tables.items():
        below = document(table, (name,)) if isinstance(table, Mapping) else document({name: table})
        header = ["", f"[{name}]"] if isinstance(table, Mapping) and below[:1] != [""] else []
        found += [*header, *below]
    return found[1:]


def printing_commands(content_type: ContentType, path: Path) -> list[str]:
    """Return the commands that print with a file of this type, beginning with the kit of the file's game."""
    return [
        format_command(words, option)
        for words, option in print_commands(content_type, path, map(games.load, games.names()))
    ]


def printing_command_lines(commands: list[str], lang: Lang) -> list[str]:
    """Return a line for each command that can print with a file."""
    return [console.words()["prints"].fill(command=command)[lang] for command in commands]


def recognise(path: Path) -> tuple[ContentType, Source]:
    """Read a user's data file and return its content type and its source.

    Raises:
        DataError: If the file is not a data file.
    """
    source = Source.open(path)
    if "muster" in source.data:
        raise DataError(
            Problem(tr("is a scenario, not a data file"), str(path), hint=tr("check it with `muster check`"))
        )
    checked_types = [content_type for _, content_type in content_types() if content_type.check]
    fitting = [
        content_type for content_type in checked_types if all(mark in source.data for mark in content_type.marks)
    ]
    if fitting:
        return max(fitting, key=lambda content_type: len(content_type.marks)), source
    marks = {mark for content_type in checked_types for mark in content_type.marks}
    near = {key: meant for key in source.data if key not in marks and (meant := nearest(key, sorted(marks)))}
    if near:
        key, meant = max(near.items(), key=lambda pair: SequenceMatcher(None, *pair).ratio())
        hint = tr("did you mean {word}?", word=meant)
        raise DataError(source.problem((key,), tr("is not a key of any game's data files"), hint))
    known = "; ".join(f"{content_type.kind} ({', '.join(content_type.marks)})" for content_type in checked_types)
    raise DataError(
        source.problem(
            (),
            tr("is not a data file of any game"),
            tr("data files are recognised by these keys: {known}", known=known),
        )
    )


def _hint(name: str, known: list[str]) -> str:
    if any(name in content_type.items() for _, content_type in content_types()):
        return tr("this table cannot be replaced; to see its contents, run muster data show {name}", name=name)
    return near(name, known)
