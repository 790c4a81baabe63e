"""`muster data copy`, `write` and `values`: the shelves, forms of files, and what prints with a file of a kind."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import click

from generator import games
from generator.cli import console, put
from generator.cli.help import Verb
from generator.cli.output import out_file
from generator.cli.request import beginning
from generator.cli.scenario import SUFFIX
from generator.common.game import ContentType, Game
from generator.common.ownership import uses
from generator.errors import DataError, Problem, WrongUsageError, near, near_or, nearest
from generator.localization import tr
from generator.model.words import Lang, Words
from generator.notation.schema import directive, ordered, ownership_key, schema
from generator.notation.text import command as typed
from generator.notation.text import document, visible
from generator.notation.toml import Source
from generator.store.folders import is_stream
from generator.store.json_files import JsonFile
from generator.store.manifest import seal


def shelves() -> list[tuple[Game[Any], ContentType]]:
    """Every game's shelves."""
    return [(game, shelf) for game in map(games.load, games.names()) for shelf in game.content_types]


class Form(NamedTuple):
    """A form of files that people write: which game's, and the type that it is read as."""

    name: str
    game: str
    """Empty where it is of no game."""
    kind: str
    title: Words
    type: Any

    @property
    def file(self) -> str:
        """What the file of its schema is called."""
        return f"muster-{self.name}.schema.json"

    @property
    def schema(self) -> dict[str, Any]:
        """Its schema."""
        return schema(self.type, self.title["en"])

    @property
    def content(self) -> bytes:
        """The file of its schema, marked as Muster's."""
        return seal(console.json_text(self.schema).encode())


def forms() -> list[Form]:
    """Every form of files that people write: scenarios, what lies on shelves, and what belongs to no game."""
    from generator.notation.printers import PRINTERS
    from generator.tournament.ledger import Book
    from generator.tournament.sealing import Commitment, Opening

    words = console.words()
    found = []
    for game in map(games.load, games.names()):
        own = [(shelf.kind, shelf.what, shelf.form) for shelf in game.content_types]
        for kind, what, of in [("scenario", words["scenario_form"], game.form), *own]:
            if of is not None:
                title = words["form"].fill(game=game.title, what=what)
                found.append(Form(f"{game.name}-{kind}", game.name, kind, title, of))
    others = {"printers": PRINTERS, "event": Book, "commitment": Commitment, "opening": Opening}
    return [*found, *(Form(kind, "", kind, words[f"{kind}_form"], of) for kind, of in others.items())]


def _files() -> dict[str, tuple[Game[Any], ContentType]]:
    """What can be copied, by name."""
    return {
        name: (game, shelf)
        for game, shelf in shelves()
        if shelf.file and shelf.form
        for name in (*shelf.items(), *shelf.forms)
    }


@click.command(cls=Verb)
@click.argument("name", shell_complete=beginning(_files))
@out_file(SUFFIX)
@console.answer_options
def copy(name: str, out: Path | None, lang: Lang, as_json: bool) -> None:
    """Copy a shipped deck, map or table to a file you can edit. Pass the file with the option shown."""
    known = _files()
    if name not in known:
        raise WrongUsageError(
            tr("there is nothing named {name!r} to copy", name=visible(name)[:40]), hint=_hint(name, list(known))
        )
    game, shelf = known[name]
    assert shelf.file
    target = out or Path(f"{name}{SUFFIX}")
    form = _form_of(game, shelf)
    row = _laid(target, form, shelf, shelf.file(name).read_bytes())
    told = console.words()["schema_beside" if row["schema"] else "schema_apart"]
    beside = told.fill(file=row["schema"], command=f"muster data schema {form.name} -o {form.file}")[lang]
    console.answer(as_json, row, [target, _copied(row, lang), beside, *told_prints(row["prints"], lang)])


def _form_of(game: Game[Any], shelf: ContentType) -> Form:
    return next(form for form in forms() if (form.game, form.kind) == (game.name, shelf.kind))


def _laid(target: Path, form: Form, shelf: ContentType, content: bytes) -> dict[str, Any]:
    """Write a file of that form, its schema beside it but for a stream, and tell of both (docs/json.md)."""
    content, beside = directive(form.file).encode() + content, target.parent / form.file
    if is_stream(target):
        put.file(target, content)
    else:
        put.files({target: content, beside: form.content})
    play, *more = printing(shelf, target)
    return {
        "file": str(target),
        "game": form.game,
        "kind": form.kind,
        "check": typed(["muster", "data", "check", str(target)], {}),
        "command": play,
        "prints": more,
        "schema": "" if is_stream(target) else str(beside),
    }


def _copied(row: dict[str, Any], lang: Lang) -> str:
    """By which commands a file is checked and played with."""
    return console.words()["copied"].fill(check=row["check"], command=row["command"])[lang]


def named(kind: str) -> Form:
    """The form of that name, or of a kind that one game alone has; WrongUsageError with the near match."""
    every = forms()
    found = [form for form in every if form.name == kind] or [form for form in every if form.kind == kind]
    if len(found) == 1:
        return found[0]
    several = tr("choose one: {found}", found=[form.name for form in found])
    known = [*(form.name for form in every), *(form.kind for form in every)]
    hint = several if found else near_or(kind, known, tr("see `muster data schema`"))
    raise WrongUsageError(tr("there is no kind of file named {kind!r}", kind=visible(kind)[:40]), hint=hint)


@click.command(cls=Verb)
@click.argument("item", metavar="NAME|FILE")
@out_file(".json")
@console.value_options
def values(item: str, out: Path | None, as_json: bool) -> None:
    """Print the values of a data file as JSON, for programs and for the forms of the studio."""
    known = _files()
    if item in known:
        game, shelf = known[item]
        assert shelf.file
        source = Source.open(shelf.file(item))
    else:
        shelf, source = recognised(Path(item))
        game = next(game for game, one in shelves() if (one.kind, one.marks) == (shelf.kind, shelf.marks))
    play, *_ = printing(shelf, Path(item))
    told = {"schema": _form_of(game, shelf).name, "command": play, "values": source.data, "lines": _lines(source)}
    if out is None:
        console.as_json(told)
        return
    put.file(out, seal(console.json_text(told).encode()))
    console.wrote(out, as_json)


def _lines(source: Source) -> dict[str, int]:
    """The line of each key, by the way to it: `card/0/name`."""
    return {"/".join(map(str, keys)): line for keys, line in source.lines.items()}


@click.command(cls=Verb)
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE.json")
@out_file(SUFFIX)
@console.answer_options
def write(file: Path, out: Path | None, lang: Lang, as_json: bool) -> None:
    """Write JSON values, in the form of `muster data values`, to a TOML file. They are not checked."""
    data = JsonFile(file)
    asked = data.data if isinstance(data.data, dict) else {}
    for key, kind, what in (("schema", str, tr("a text in quotation marks")), ("values", dict, tr("a table"))):
        if not isinstance(asked.get(key), kind):
            raise DataError(data.problem((key,), tr("expected {words}", words=what)))
    form = named(asked["schema"])
    shelf = next((one for game, one in shelves() if (game.name, one.kind) == (form.game, form.kind)), None)
    if shelf is None:
        hint = tr("see `muster data list`")
        raise WrongUsageError(tr("{kind} is not a kind of file that you write yourself", kind=form.name), hint=hint)
    whole = form.schema
    made = ordered(asked["values"] | ownership_key(whole), whole, whole)
    text = "\n".join(document(made)) + "\n"
    target = out or file.with_suffix(SUFFIX)
    row = _laid(target, form, shelf, text.encode())
    lines = _lines(Source(str(target), directive(form.file) + text))
    console.answer(as_json, row | {"lines": lines}, [target, _copied(row, lang)])


def printing(shelf: ContentType, path: Path) -> list[str]:
    """The commands that print with a file of that kind; that of its own game's kit comes first."""
    return [typed(words, option) for words, option in uses(shelf, path, map(games.load, games.names()))]


def told_prints(commands: list[str], lang: Lang) -> list[str]:
    """How to print with a file, a line for each command."""
    return [console.words()["prints"].fill(command=command)[lang] for command in commands]


def recognised(path: Path) -> tuple[ContentType, Source]:
    """A user's data file and the shelf it belongs on; DataError where it is none."""
    source = Source.open(path)
    if "muster" in source.data:
        raise DataError(
            Problem(tr("is a scenario, not a data file"), str(path), hint=tr("check it with `muster check`"))
        )
    own = [shelf for _, shelf in shelves() if shelf.check]
    fitting = [shelf for shelf in own if all(mark in source.data for mark in shelf.marks)]
    if fitting:
        return max(fitting, key=lambda shelf: len(shelf.marks)), source
    marks = {mark for shelf in own for mark in shelf.marks}
    for key in source.data:
        if key not in marks and (meant := nearest(key, sorted(marks))):
            raise DataError(
                source.problem((key,), tr("no data file of any game has it"), tr("did you mean {word}?", word=meant))
            )
    known = "; ".join(f"{shelf.kind} ({', '.join(shelf.marks)})" for shelf in own)
    raise DataError(
        source.problem((), tr("is not a data file of any game"), tr("they are recognised by: {known}", known=known))
    )


def _hint(name: str, known: list[str]) -> str:
    if any(name in shelf.items() for _, shelf in shelves()):
        return tr("this table cannot be replaced; to see it: muster data show {name}", name=name)
    return near(name, known)
