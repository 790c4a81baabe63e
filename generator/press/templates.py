"""Templates and the words they print: Jinja2 in a sandbox, with every place kept for error messages."""

from __future__ import annotations

import re
import traceback
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import jinja2
from jinja2.ext import Extension
from jinja2.sandbox import ImmutableSandboxedEnvironment

from generator.errors import DataError, Problem
from generator.model.views import Kit, Sheet
from generator.model.words import LANGS, Lang, Words
from generator.notation.toml import Source
from generator.press.compiled import Compiled
from generator.press.markup import PLACE, Node, parse
from generator.store.folders import shipped

_START = re.compile(r"\{%.*?%\}|\{\{.*?\}\}|\{#.*?#\}|<!--.*?-->|<([A-Za-z]\w*)", re.DOTALL)


class _Places(Extension):
    """Writes its template and line into every start tag of a template's source."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        def mark(match: re.Match[str]) -> str:
            if match[1] is None:
                return match[0]
            line = source.count("\n", 0, match.start()) + 1
            return f'{match[0]} {PLACE}="{name}|{line}"'

        return _START.sub(mark, source)


class _Environment(ImmutableSandboxedEnvironment):
    """A mapping's own key comes before its methods: `w.items` is the word, not dict.items."""

    def getattr(self, obj: Any, attribute: str) -> Any:
        if isinstance(obj, Mapping) and attribute in obj:
            return obj[attribute]
        return super().getattr(obj, attribute)


@cache
def _environment(folders: tuple[Path, ...]) -> jinja2.Environment:
    return _Environment(
        loader=jinja2.FileSystemLoader([*folders, shipped("templates")]),
        undefined=jinja2.StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        bytecode_cache=Compiled(Path(__file__)),
        extensions=[_Places],
    )


def render(template: str, values: Mapping[str, object], folders: tuple[Path, ...] = ()) -> str:
    """The template filled with values; `folders` come before the shipped one. DataError with its place."""
    try:
        return _environment(folders).get_template(template).render(values)
    except jinja2.TemplateNotFound as error:
        raise DataError(Problem(f'no template "{error.name}"', template)) from error
    except jinja2.TemplateSyntaxError as error:
        raise DataError(Problem(error.message or "syntax error", error.name or template, error.lineno)) from error
    except RecursionError as error:
        raise DataError(Problem("nested too deeply", template)) from error
    except (jinja2.TemplateError, ArithmeticError, LookupError, TypeError, ValueError) as error:
        raise DataError(Problem(str(error), template, _line(error))) from error


def _line(error: BaseException) -> int:
    """The line of the innermost template that the error passed through."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename.endswith(".xml")]
    return frames[-1].lineno or 0 if frames else 0


def read_sheet(kit: Kit, sheet: Sheet, lang: Lang, folders: tuple[Path, ...] = ()) -> Node:
    """The sheet's template, filled and read; DataError with its place."""
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
    }
    return parse(render(sheet.template, values, folders), sheet.template)


@cache
def words(folder: str, lang: Lang) -> Mapping[str, Any]:
    """data/words.toml and data/<folder>/words.toml as one nested mapping in one language."""
    merged: dict[str, Any] = {}
    for name in dict.fromkeys(("words.toml", f"{folder}/words.toml")):
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
