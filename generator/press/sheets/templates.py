"""Templates and the words they print: Jinja2 in a sandbox, with every place kept for error messages."""

from __future__ import annotations

import re
import traceback
from collections.abc import Iterable, Mapping
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

import jinja2
from jinja2.ext import Extension

from generator.errors import DataError, Problem, near, nearest
from generator.model.views import Kit, Sheet
from generator.model.words import LANGS, Lang, Words
from generator.notation.toml import Source
from generator.press.sheets import sandbox
from generator.press.sheets.compiled import Compiled
from generator.press.sheets.markup import PLACE, Node, parse
from generator.press.sheets.sandbox import FILTERS, MOST_TEXT, Sandbox, UnknownError
from generator.store.depth import TOO_DEEP, deep_template
from generator.store.folders import shipped

_START = re.compile(r"\{%.*?%\}|\{\{.*?\}\}|\{#.*?#\}|<!--.*?-->|<([A-Za-z]\w*)", re.DOTALL)


class _Depth(Extension):
    """Refuses a template that is nested too deeply, with its line, before anything that calls itself reads it."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        if line := deep_template(source):
            raise jinja2.TemplateSyntaxError(TOO_DEEP, line, name, filename)
        return source


class _Places(Extension):
    """Writes its template and line into every start tag of a template's source."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        file = escape(_told(filename or "", name or "")).replace("{", "&#123;")

        def mark(match: re.Match[str]) -> str:
            if match[1] is None:
                return match[0]
            line = source.count("\n", 0, match.start()) + 1
            return f'{match[0]} {PLACE}="{file}|{line}"'

        if len(source) > MOST_TEXT:
            raise jinja2.TemplateSyntaxError("is too long for a template", 0, name, filename)
        return _START.sub(mark, source)


def _told(filename: str, name: str) -> str:
    """What a message calls a template: one of ours by its name, a person's own by its path."""
    return name if not filename or Path(filename).is_relative_to(shipped("templates")) else filename


@cache
def _environment(folders: tuple[Path, ...]) -> Sandbox:
    return Sandbox(
        loader=jinja2.FileSystemLoader([*folders, shipped("templates")]),
        trim_blocks=True,
        lstrip_blocks=True,
        bytecode_cache=Compiled(Path(__file__), Path(sandbox.__file__)),
        extensions=[_Depth, _Places],
    )


def render(template: str, values: Mapping[str, object], folders: tuple[Path, ...] = ()) -> str:
    """The template filled with values; `folders` come before the shipped one.

    DataError with its place, and the names or words there would be. Templates of whoever wrote them are safe to
    fill: see `generator.press.sheets.sandbox`.
    """
    environment = _environment(folders)
    environment.begin()
    try:
        return environment.get_template(template).render(values)
    except jinja2.TemplateNotFound as error:
        hint = near(str(error.name), environment.list_templates())
        raise DataError(_problem(f'no template "{error.name}"', error, template, hint)) from error
    except jinja2.TemplateSyntaxError as error:
        file, message = _told(error.filename or "", error.name or template), error.message or "syntax error"
        raise DataError(Problem(message, file, error.lineno, _filters(message))) from error
    except RecursionError as error:
        raise DataError(_problem("nested too deeply", error, template)) from error
    except UnknownError as error:
        raise DataError(_problem(str(error), error, template, error.hint(values))) from error
    except (jinja2.TemplateError, ArithmeticError, LookupError, TypeError, ValueError) as error:
        raise DataError(_problem(str(error), error, template)) from error


def _problem(message: str, error: BaseException, template: str, hint: str = "") -> Problem:
    """A problem in the line of the innermost template that the error passed through."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename.endswith(".xml")]
    if not frames:
        return Problem(message, template, 0, hint)
    file, ours = Path(frames[-1].filename), shipped("templates")
    told = file.relative_to(ours).as_posix() if file.is_relative_to(ours) else str(file)
    return Problem(message, told, frames[-1].lineno or 0, hint)


def _filters(message: str) -> str:
    """The filters there are, where a message speaks of one that there is not."""
    match = re.match("No filter named '(.*)'", message)
    return near(match[1], FILTERS) if match else ""


def replaced(folder: Path) -> list[str]:
    """The shipped templates that a folder replaces; DataError where it replaces none."""
    ours, theirs = (
        {path.relative_to(of).as_posix() for path in of.rglob("*.xml")} for of in (shipped("templates"), folder)
    )
    if not ours & theirs:
        meant = nearest(min(theirs, default=""), sorted(ours))
        hint = f"did you mean {meant}?" if meant else f"`muster data templates -o {folder}` copies some there"
        if any(f"{folder.name}/{name}" in ours for name in theirs):
            hint = f"name the folder above it: {folder.parent}"
        raise DataError(Problem("replaces no template", str(folder), hint=hint))
    return sorted(ours & theirs)


def read_sheet(kit: Kit, sheet: Sheet, lang: Lang, folders: tuple[Path, ...] = (), printing: str = "") -> Node:
    """The sheet's template, filled and read; DataError with its place. `printing` says how it is to be printed."""
    values: Mapping[str, object] = {
        **{key: spoken(value, lang) for key, value in sheet.view.items()},
        "w": words(sheet.template.rpartition("/")[0], lang),
        "lang": lang,
        "game": kit.game[lang],
        "kit_title": kit.title[lang],
        "stamp": kit.stamp,
        "title": sheet.title[lang],
        "side": sheet.side[lang] if sheet.side else "",
        "part": sheet.part,
        "printing": printing,
    }
    return parse(render(sheet.template, values, folders), sheet.template)


@cache
def words(folder: str, lang: Lang) -> Mapping[str, Any]:
    """data/words.toml and data/<folder>/words.toml as one nested mapping in one language."""
    merged: dict[str, Any] = {}
    for name in dict.fromkeys(("words.toml", Path(folder, "words.toml").as_posix())):
        path = shipped("data") / name
        if path.is_file():
            source = Source.open(path, f"data/{name}")
            _merge(merged, _spoken(source, source.data, (), lang))
    return merged


def _spoken(source: Source, value: object, keys: tuple[str | int, ...], lang: Lang) -> Any:
    if isinstance(value, list):
        return [_spoken(source, inner, (*keys, i), lang) for i, inner in enumerate(value)]
    if not isinstance(value, dict):
        raise DataError(source.problem(keys, "is no text", "write { en = …, ja = … }"))
    if not value.keys() & set(LANGS):
        return {key: _spoken(source, inner, (*keys, key), lang) for key, inner in value.items()}
    if value.keys() != set(LANGS) or not all(isinstance(v, str) for v in value.values()):
        raise DataError(source.problem(keys, "needs its text in en and in ja, and nothing else"))
    return value[lang]


def _merge(into: dict[str, Any], more: Mapping[str, Any]) -> None:
    for key, value in more.items():
        if isinstance(value, dict) and isinstance(into.get(key), dict):
            _merge(into[key], value)
        else:
            into[key] = value


def spoken(value: object, lang: Lang) -> object:
    """A view's value with every Words in it in one language; mappings and sequences are followed."""
    if isinstance(value, Words):
        return value[lang]
    if isinstance(value, Mapping):
        return {key: spoken(inner, lang) for key, inner in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, str | bytes):
        return [spoken(inner, lang) for inner in value]
    if value is None or isinstance(value, str | int | float):
        return value
    raise TypeError(f"a view holds plain values and Words, not {type(value).__name__}")
