"""How Muster speaks on the terminal, and tells how far it has come.

How Muster speaks on the terminal.

What a terminal shows while one waits.
"""

from __future__ import annotations

import io
import json
import sys
import unicodedata
from collections.abc import Callable, Iterable
from functools import cache, lru_cache, partial
from pathlib import Path
from shutil import get_terminal_size
from typing import Any, TypeVar

import click

from generator.common.pages import sourced, verdict
from generator.common.proof import Held, sentence
from generator.common.tables import place_words, shared_words
from generator.errors import MusterError, Problem
from generator.localization import default_lang, localize
from generator.model.words import LANGS, Lang, Words
from generator.notation.text import visible
from generator.rules import LEVELS, Finding, Level, Report

F = TypeVar("F", bound=Callable[..., Any])

lang_option = click.option("--lang", type=click.Choice(LANGS), default=default_lang)
lang_accepted = click.option("--lang", type=click.Choice(LANGS), expose_value=False)
json_option = click.option("--json", "as_json", is_flag=True)


def answer_options(command: F) -> F:
    """--lang and --json, for a verb that answers in words or in plain values."""
    return lang_option(json_option(command))


def value_options(command: F) -> F:
    """The same, for a verb that answers alike in every language."""
    return lang_accepted(json_option(command))


@cache
def words() -> dict[str, Words]:
    """What the terminal says: [say] of data/words.toml."""
    return shared_words()["say"]


def line(text: str, err: bool = False) -> None:
    """Print a text, with whatever would steer the terminal spelt out."""
    click.echo(visible(text), err=err)


def can_ask() -> bool:
    """Whether a person sits at the terminal who can answer a question."""
    return bool(sys.stdin and sys.stdin.isatty() and sys.stderr and sys.stderr.isatty())


@lru_cache(2)  # the languages
def fonts(lang: Lang) -> None:
    """Say once, where a person sits at the terminal, which fonts of the system stand in for a package's."""
    from generator.press.pdf.letters import stand_in_fonts

    if (taken := stand_in_fonts()) and sys.stderr.isatty():
        line(words()["fonts"].fill(fonts="; ".join(taken))[lang], err=True)


def as_json(value: Any) -> None:
    """Print a value as JSON, in the characters that the stream can carry."""
    unicode = (sys.stdout.encoding or "").lower().startswith("utf")
    click.echo(json_text(value, unicode), nl=False)


def answer(in_json: bool, value: Any, lines: Iterable[str | Path]) -> None:
    """What a command answers: plain values with --json, else a line each; a path as it is, to be taken up."""
    if in_json:
        as_json(value)
        return
    for text in lines:
        if isinstance(text, Path):
            click.echo(f"{text}")
        else:
            line(text)


def end_if(wrong: object) -> None:
    """End the command with the exit code of what is wrong, where anything is."""
    if wrong:
        raise click.exceptions.Exit(1)


def wrote(file: Path, in_json: bool) -> None:
    """That a file was written, and nothing else is to be told."""
    answer(in_json, {"file": str(file)}, [file])


def json_text(value: Any, unicode: bool = True) -> str:
    """A value as the JSON that Muster prints and writes."""
    from msgspec import DecodeError
    from msgspec.json import format as indented

    written = partial(json.dumps, value, ensure_ascii=not unicode)
    try:
        return indented(written(), indent=2) + "\n"  # in a third of the time that Python itself takes
    except (DecodeError, UnicodeEncodeError, RecursionError):  # half a character, as in the name of a file
        return written(indent=2) + "\n"


def problem_row(problem: Problem) -> dict[str, object]:
    """A problem as plain values, in the language of the command."""
    lang = default_lang()
    message, hint = localize(problem.message, lang), localize(problem.hint, lang)
    return {"file": problem.file, "line": problem.line, "message": message, "hint": hint}


def problems(error: MusterError, in_json: bool) -> None:
    """What ended a command: a line each, or with --json an object on standard output."""
    if in_json:
        drawn = {"code": error.code, "command": error.command} if error.code else {}
        as_json({"exit": error.exit_code, "problems": [problem_row(p) for p in error.problems]} | drawn)
        return
    for text in error.lines(default_lang()):
        line(text, err=True)
    if error.code:
        line(words()["drawn"].fill(code=error.code, command=error.command)[default_lang()], err=True)


def finding_row(finding: Finding, lang: Lang) -> dict[str, object]:
    """A finding as plain values."""
    return {
        "level": finding.level,
        "tier": finding.rule.tier,
        "rule": finding.rule.id,
        "where": finding.where,
        "line": finding.line,
        "message": finding.why[lang],
        "text": finding.rule.text[lang],
        "source": finding.rule.source,
        "cells": list(finding.cells),
        "lawful": list(finding.lawful),
        "mend": finding.suggested_fix,
    }


def spoken(value: object, lang: Lang) -> object:
    """Return plain values with each text in them in one language."""
    if isinstance(value, Words):
        return value[lang]
    if isinstance(value, dict):
        return {key: spoken(inner, lang) for key, inner in value.items()}
    return [spoken(inner, lang) for inner in value] if isinstance(value, list) else value


def report_row(report: Report, lang: Lang) -> dict[str, object]:
    """Return the findings of a check as plain values for JSON."""
    findings = [finding_row(finding, lang) for finding in report.findings]
    return {"legal": not report.illegal, "rules": [rule.id for rule in report.rules], "findings": findings}


def report(name: str, found: Report, lang: Lang) -> None:
    """What the file left to follow, a check's findings, a line each, and the verdict."""
    for left in found.follows:
        line(f"{name}: {left[lang]}")
    for level in LEVELS:
        if told := found.of(level):
            if level != "illegal":
                line(f"{name}: {words()[f'of_{level}'][lang]}")
            for finding in told:
                _tell(name, finding, lang)
    line(f"{name}: {verdict(found, words())[lang]}")


MARKS: dict[Level, str] = {"illegal": "✗", "unproved": "?", "remark": "!", "advice": "·"}


def _tell(name: str, finding: Finding, lang: Lang) -> None:
    """A finding with its line, its rule, where that comes from, and the correction where there is one."""
    place = f"{name}:{finding.line}" if finding.line else name
    about = f"{finding.rule.id} {place_words(finding.where)[lang]}".strip()
    line(f"{place}: {MARKS[finding.level]} {about}: {finding.why[lang]}")
    line(f"    {sourced(finding.rule.text, finding.rule.source)[lang]}")
    for mended in finding.suggested_fix.splitlines():
        line(f"    → {mended}")


def verified(held: Held, lang: Lang, name: str = "", err: bool = False) -> None:
    """What of sight was held against Shapely; nothing where nothing was."""
    if told := sentence(held):
        line(f"{name}: {told[lang]}" if name else told[lang], err=err)


BAR = 20
"""How long a progress bar is, in characters."""
_WIPE = "\r\x1b[K"
"""Back to the line's beginning, and clear the line."""


class Heard(io.TextIOWrapper):
    """A standard error whose reader is no terminal, and is told what long work is at."""

    def __init__(self, hear: Callable[[str, float | None], None]) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8")
        self.hear = hear


class Telling:
    """Says on a terminal what long work is at, with a bar of how much of it is done; wipes the line at the end."""

    def __init__(self) -> None:
        self.line = ""
        self.stream = sys.stderr
        self.live = self.stream.isatty()

    def __call__(self, message: str, share: float | None = None) -> None:
        """Show it, cut off at the terminal's edge."""
        if isinstance(self.stream, Heard):
            self.stream.hear(message, share)
        if not self.live:
            return
        line = _cut(message if share is None else f"{_bar(share)} {message}", get_terminal_size().columns - 1)
        if line != self.line:
            self.line = line
            self._write(line)

    def __enter__(self) -> Telling:
        return self

    def __exit__(self, *_: object) -> None:
        if self.line:
            self._write("")

    def _write(self, line: str) -> None:
        self.stream.write(_WIPE + line)
        self.stream.flush()


def _bar(share: float) -> str:
    done = int(BAR * share)
    return f"[{'#' * done}{'.' * (BAR - done)}] {int(100 * share):3} %"


def _cut(text: str, columns: int) -> str:
    """As much of a text as so many columns hold, where Japanese letters take two."""
    for end, letter in enumerate(text):
        columns -= 1 + (unicodedata.east_asian_width(letter) in "WF")
        if columns < 0:
            return text[:end]
    return text
