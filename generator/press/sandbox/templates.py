"""Render templates with Jinja2 in a sandbox, and keep track of positions for error messages."""

from __future__ import annotations

import os
import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from html import escape
from pathlib import Path
from typing import Any, Protocol

import jinja2
from jinja2.ext import Extension
from jinja2.meta import find_referenced_templates

from generator.errors import DataError, Problem, near, near_or
from generator.localization import map_languages, tr, tr_external
from generator.model.views import Kit, Sheet
from generator.model.words import Lang
from generator.notation.text import visible
from generator.notation.words import localize_view, words
from generator.press.layout.markup import PLACE_ATTRIBUTE, Node, parse
from generator.press.sandbox import environment as sandbox
from generator.press.sandbox.compiled import TemplateCache
from generator.press.sandbox.environment import FILTERS, Sandbox, UnknownNameError, UserTemplates, list_templates
from generator.store.folders import is_file, shipped_path
from generator.store.json_files import TOO_DEEP, deep_template

_START = re.compile(r"\{%.*?%\}|\{\{.*?\}\}|\{#.*?#\}|<!--.*?-->|<([A-Za-z]\w*)", re.DOTALL)
BASE = "base"
"""Folder of the templates that the templates of all games extend."""
_MAX_MESSAGE = 300
"""Maximum length in characters of an error's text in a message. A template may have written part of that text."""


class Watch(Protocol):
    """An object that is notified about templates, so that it can report a template that does not end."""

    def begun(self, template: str) -> None:
        """Called before a sheet with this template is rendered and laid out."""

    def loaded(self, file: str, lines: list[tuple[int, int]]) -> None:
        """Called when a template file is loaded.

        `lines` contains pairs of a template line and a line of its compiled code.
        """


_watching: list[Watch] = []


def watch(watching: Watch) -> None:
    """Notify `watching` about every sheet and template from now on."""
    _watching.append(watching)


class _Template(jinja2.Template):
    """A template that notifies the watchers when it is loaded."""

    @classmethod
    def from_code(cls, environment: Any, code: Any, *rest: Any) -> jinja2.Template:
        made = super().from_code(environment, code, *rest)
        for watching in _watching:
            watching.loaded(code.co_filename, made.debug_info)
        return made


class _Environment(Sandbox):
    """The sandbox environment with templates that notify the watchers when they are loaded."""

    template_class = _Template


class _Depth(Extension):
    """An extension that rejects a template nested too deeply, before a recursive parser reads it."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        if line := deep_template(source):
            raise jinja2.TemplateSyntaxError(TOO_DEEP, line, name, filename)
        return source


class _Places(Extension):
    """An extension that adds the template's name and the line to every start tag in the source of a template."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        file = escape(_display_name(filename or "", name or "")).replace("{", "&#123;")
        line, counted = 1, 0

        def mark(match: re.Match[str]) -> str:
            nonlocal line, counted
            if match[1] is None:
                return match[0]
            line += source.count("\n", counted, match.start())
            counted = match.start()
            return f'{match[0]} {PLACE_ATTRIBUTE}="{file}|{line}"'

        return _START.sub(mark, source)


def _display_name(filename: str, name: str) -> str:
    """Return the name of a template for messages. For a user's template it is the path."""
    return name if not filename or Path(filename).is_relative_to(shipped_path("templates")) else filename


@lru_cache(8)  # Shipped templates and a few folders of users.
def _environment(folders: tuple[Path, ...]) -> _Environment:
    return _Environment(
        loader=jinja2.ChoiceLoader(
            [*map(UserTemplates, folders), jinja2.FileSystemLoader(shipped_path("templates"))]
        ),
        trim_blocks=True,
        lstrip_blocks=True,
        bytecode_cache=TemplateCache(Path(__file__), Path(sandbox.__file__)),
        extensions=[_Depth, _Places],
    )


def render(template: str, values: Mapping[str, object], folders: tuple[Path, ...] = ()) -> str:
    """Render a template with the given values. Templates in `folders` take precedence over shipped templates.

    A template can access only its values, but it may run forever or use all memory. Templates of users must
    therefore be rendered through `generator.press.sandbox.sandbox`.

    Raises:
        DataError: If the template is missing or faulty. The error has the position and lists valid names.
    """
    environment = _environment(folders)
    try:
        return environment.get_template(template).render(values)
    except (DataError, MemoryError):
        raise
    except jinja2.TemplateNotFound as error:
        hint = near(str(error.name), environment.list_templates())
        raise DataError(
            problem_at(tr('there is no template named "{name}"', name=error.name), error, template, hint)
        ) from error
    except jinja2.TemplateSyntaxError as error:
        file = _display_name(error.filename or "", error.name or template)
        message = tr_external(error.message) if error.message else tr("syntax error")
        raise DataError(
            Problem(map_languages(message, _shorten), file, error.lineno, _near_filters(message))
        ) from error
    except RecursionError as error:
        raise DataError(problem_at(tr("nested too deeply"), error, template)) from error
    except UnknownNameError as error:
        raise DataError(problem_at(tr_external(str(error)), error, template, error.hint(values))) from error
    except (jinja2.TemplateError, ArithmeticError, LookupError, TypeError, ValueError) as error:
        raise DataError(problem_at(tr_external(str(error)), error, template)) from error
    except Exception as error:
        if not folders:
            raise
        raise DataError(problem_at(f"{type(error).__name__}: {error}", error, template)) from error


def problem_at(message: str, error: BaseException, template: str, hint: str = "") -> Problem:
    """Return a problem at the line of the innermost template that the error passed through."""
    *_, (file, line) = [("", 0), *_traced_lines(error)]
    return Problem(
        map_languages(message, _shorten),
        _display_name(file, template) if file else template,
        line,
        map_languages(hint, _shorten),
    )


def _traced_lines(error: BaseException) -> Iterator[tuple[str, int]]:
    """Yield the files and lines of the templates that an error passed through."""
    trace = error.__traceback__
    while trace:
        known, code = trace.tb_frame.f_globals, trace.tb_frame.f_code
        if made := known.get("__jinja_template__"):
            yield template_name(code.co_filename), made.get_corresponding_lineno(trace.tb_lineno)
        elif "__jinja_exception__" in known:
            yield template_name(code.co_filename), trace.tb_lineno
        trace = trace.tb_next


def template_name(filename: str) -> str:
    """Return the name of a template file for messages."""
    file, ours = Path(filename), shipped_path("templates")
    return file.relative_to(ours).as_posix() if file.is_relative_to(ours) else filename


def _shorten(text: str) -> str:
    """Return a message as a single line of limited length."""
    plain = visible(" ".join(text[: 2 * _MAX_MESSAGE].split()))
    return plain if len(plain) <= _MAX_MESSAGE else f"{plain[:_MAX_MESSAGE]}…"


def _near_filters(message: str) -> str:
    """Return similar filters if a message reports an unknown filter."""
    match = re.match("No filter named '(.*)'", message)
    return near(match[1], FILTERS) if match else ""


@cache
def _shipped_names() -> frozenset[str]:
    """Return the names of the shipped templates."""
    root = shipped_path("templates")
    return frozenset(path.relative_to(root).as_posix() for path in root.rglob("*.xml"))


def shared_templates(names: Iterable[str]) -> list[str]:
    """Return the shared templates in base/ that the given templates extend or import, directly or indirectly."""
    ours, ahead, found = _environment(()), deque(names), list[str]()
    while ahead:
        text = (shipped_path("templates") / ahead.popleft()).read_text("utf-8")
        for name in find_referenced_templates(ours.parse(text)):
            if name and name.startswith(f"{BASE}/") and name not in found:
                found.append(name)
                ahead.append(name)
    return sorted(found)


def replaced_templates(folder: Path) -> list[str]:
    """Return the shipped templates that the files in a folder replace.

    Raises:
        DataError: If the folder replaces no template.
    """
    ours = _shipped_names()
    if found := sorted(name for name in ours if os.path.lexists(folder / name)):
        return found
    copies = tr("`muster data templates -o {folder}` copies shipped templates to this folder", folder=folder)
    hint = near_or(min(list_templates(folder), default=""), sorted(ours), copies)
    by_game = (name.partition("/") for name in ours)
    if any(game == folder.name and is_file(folder / name) for game, _, name in by_game):
        hint = tr("give the parent folder: {parent}", parent=folder.parent)
    raise DataError(Problem(tr("contains no file with the name of a shipped template"), str(folder), hint=hint))


def read_sheet(
    kit: Kit,
    sheet: Sheet,
    lang: Lang,
    folders: tuple[Path, ...] = (),
    printing: str = "",
    room: tuple[float, float] = (190.0, 268.0),
    small: bool = False,
) -> Node:
    """Render and parse the template of a sheet, and return the root node.

    `printing` is the text of the printing instructions. `room` is the width and height of a page's column in
    mm. `small` is true for the pages of booklets.

    Raises:
        DataError: If the template is faulty. The error has the position.
    """
    for watching in _watching:
        watching.begun(sheet.template)
    values: Mapping[str, object] = {
        **{key: localize_view(value, lang) for key, value in sheet.view.items()},
        "w": words(sheet.template.rpartition("/")[0], lang),
        "lang": lang,
        "game": kit.game[lang],
        "kit_title": kit.title[lang],
        "stamp": kit.stamp,
        "title": sheet.title[lang],
        "side": sheet.side[lang] if sheet.side else "",
        "part": sheet.part,
        "printing": printing,
        "room": {"width": room[0], "height": room[1], "small": small},
    }
    return parse(render(sheet.template, values, folders), sheet.template)
