"""Print answers, problems and reports to the terminal, and show the progress of long work."""

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

from generator.common.pages import deciding_rules, source_words, verdict, with_source
from generator.common.proof import Verifications, sentence
from generator.common.tables import place_words, shared_words
from generator.errors import MusterError, Problem
from generator.localization import default_lang, localize
from generator.model.words import LANGS, Lang, Words
from generator.notation.text import visible
from generator.rules import LEVELS, Finding, Level, Report

F = TypeVar("F", bound=Callable[..., Any])

lang_option = click.option("--lang", type=click.Choice(LANGS), default=default_lang)
lang_accepted = click.option("--lang", type=click.Choice(LANGS), expose_value=False)
"""The option --lang for commands whose answer is the same in every language. It affects only help and errors."""
json_option = click.option("--json", "as_json", is_flag=True)


def answer_options(command: F) -> F:
    """Add --lang and --json to a command that prints its answer as sentences or as JSON."""
    return lang_option(json_option(command))


def language_free_options(command: F) -> F:
    """Add --lang and --json to a command whose answer is the same in every language."""
    return lang_accepted(json_option(command))


@cache
def words() -> dict[str, Words]:
    """Return the sentences for the terminal, from [say] of data/words.toml."""
    return shared_words()["say"]


def print_line(text: str, err: bool = False) -> None:
    """Print a text with control characters escaped, so that they cannot affect the terminal."""
    click.echo(visible(text), err=err)


def can_ask() -> bool:
    """Return whether there is a terminal at which a person can answer a question."""
    return bool(sys.stdin and sys.stdin.isatty() and sys.stderr and sys.stderr.isatty())


@lru_cache(2)  # One entry per language.
def report_fonts(lang: Lang) -> None:
    """Print once, if on a terminal, which fonts of the system replace the fonts of a missing package."""
    from generator.press.pdf.letters import stand_in_fonts

    if (taken := stand_in_fonts()) and sys.stderr.isatty():
        print_line(words()["fonts"].fill(fonts="; ".join(taken))[lang], err=True)


def print_json(value: Any) -> None:
    """Print a value as JSON. Characters that the stream cannot encode are escaped."""
    unicode = (sys.stdout.encoding or "").lower().startswith("utf")
    click.echo(json_text(value, unicode), nl=False)


def print_answer(in_json: bool, value: Any, lines: Iterable[str | Path]) -> None:
    """Print an answer: `value` as JSON if `in_json` is set, otherwise `lines`.

    Paths are printed unescaped, so that a shell can use them.
    """
    if in_json:
        print_json(value)
        return
    for text in lines:
        if isinstance(text, Path):
            click.echo(f"{text}")
        else:
            print_line(text)


def exit_if(wrong: object) -> None:
    """Exit with code 1 if `wrong` is true."""
    if wrong:
        raise click.exceptions.Exit(1)


def report_written(file: Path, in_json: bool) -> None:
    """Report the file that was written. This is for commands that have nothing else to report."""
    print_answer(in_json, {"file": str(file)}, [file])


def json_text(value: Any, unicode: bool = True) -> str:
    """Return a value as JSON text in the format that Muster prints and writes."""
    from msgspec import DecodeError
    from msgspec.json import format as indented

    written = partial(json.dumps, value, ensure_ascii=not unicode)
    try:
        return indented(written(), indent=2) + "\n"  # Three times as fast as Python's own indentation.
    # The value contains half a character, for example in the name of a file.
    except (DecodeError, UnicodeEncodeError, RecursionError):
        return written(indent=2) + "\n"


def problem_values(problem: Problem) -> dict[str, object]:
    """Return a problem as plain values, in the language of the command."""
    lang = default_lang()
    message, hint = localize(problem.message, lang), localize(problem.hint, lang)
    return {"file": problem.file, "line": problem.line, "message": message, "hint": hint}


def print_problems(error: MusterError, in_json: bool) -> None:
    """Print the problems that ended a command, one line each, or as a JSON object on standard output with --json."""
    if in_json:
        drawn = {"code": error.code, "command": error.command} if error.code else {}
        print_json({"exit": error.exit_code, "problems": [problem_values(p) for p in error.problems]} | drawn)
        return
    for text in error.lines(default_lang()):
        print_line(text, err=True)
    if error.code:
        print_line(words()["drawn"].fill(code=error.code, command=error.command)[default_lang()], err=True)


def finding_values(finding: Finding, lang: Lang) -> dict[str, object]:
    """Return a finding as plain values for JSON (docs/json.md)."""
    return {
        "level": finding.level,
        "tier": finding.rule.tier,
        "rule": finding.rule.id,
        "where": finding.where,
        "line": finding.line,
        "message": finding.why[lang],
        "text": finding.rule.text[lang],
        "source": finding.rule.source,
        "source_text": source_words(finding.rule.source)[lang],
        "cells": list(finding.cells),
        "lawful": list(finding.lawful),
        "mend": finding.suggested_fix,
    }


def in_language(value: object, lang: Lang) -> object:
    """Return plain values with each `Words` replaced by its text in one language."""
    if isinstance(value, Words):
        return value[lang]
    if isinstance(value, dict):
        return {key: in_language(inner, lang) for key, inner in value.items()}
    return [in_language(inner, lang) for inner in value] if isinstance(value, list) else value


def report_values(report: Report, lang: Lang) -> dict[str, object]:
    """Return the findings of a check as plain values for JSON."""
    findings = [finding_values(finding, lang) for finding in report.findings]
    rules = [rule.id for rule in report.rules]
    return {"legal": not report.illegal, "rules": rules, "deciding": deciding_rules(report), "findings": findings}


def print_report(name: str, found: Report, lang: Lang) -> None:
    """Print the report of a check: the derived values, the findings by level, and the verdict."""
    for left in found.follows:
        print_line(f"{name}: {left[lang]}")
    for level in LEVELS:
        if findings := found.of(level):
            if level != "illegal":
                print_line(f"{name}: {words()[f'of_{level}'][lang]}")
            for finding in findings:
                _print_finding(name, finding, lang)
    print_line(f"{name}: {verdict(found, words())[lang]}")


MARKS: dict[Level, str] = {"illegal": "✗", "unproved": "?", "remark": "!", "advice": "·"}
"""The mark before a finding, keyed by level."""


def _print_finding(name: str, finding: Finding, lang: Lang) -> None:
    """Print a finding with its line, its rule, the rule's source, and any suggested fix."""
    place = f"{name}:{finding.line}" if finding.line else name
    about = f"{finding.rule.id} {place_words(finding.where)[lang]}".strip()
    print_line(f"{place}: {MARKS[finding.level]} {about}: {finding.why[lang]}")
    print_line(f"    {with_source(finding.rule.text, finding.rule.source)[lang]}")
    for mended in finding.suggested_fix.splitlines():
        print_line(f"    → {mended}")


def report_verified(held: Verifications, lang: Lang, name: str = "", err: bool = False) -> None:
    """Print the number of lines of sight that were verified with Shapely, or nothing if there were none."""
    if text := sentence(held):
        print_line(f"{name}: {text[lang]}" if name else text[lang], err=err)


BAR_CHARS = 20
"""The length of a progress bar in characters."""
_CLEAR_LINE = "\r\x1b[K"
"""The escape sequence that moves to the start of the line and clears it."""


class ProgressStderr(io.TextIOWrapper):
    """A standard error stream that is not a terminal and passes the progress of long work to a function."""

    def __init__(self, on_progress: Callable[[str, float | None], None]) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8")
        self.on_progress = on_progress


class ProgressLine:
    """A line on the terminal with a progress bar for long work. The line is cleared at the end."""

    def __init__(self) -> None:
        self.line = ""
        self.stream = sys.stderr
        self.is_terminal = self.stream.isatty()

    def __call__(self, message: str, share: float | None = None) -> None:
        """Show a message, cut off at the edge of the terminal.

        `share` is the completed fraction of the work, from 0 to 1.
        """
        if isinstance(self.stream, ProgressStderr):
            self.stream.on_progress(message, share)
        if not self.is_terminal:
            return
        line = _truncate(message if share is None else f"{_bar(share)} {message}", get_terminal_size().columns - 1)
        if line != self.line:
            self.line = line
            self._write(line)

    def __enter__(self) -> ProgressLine:
        return self

    def __exit__(self, *_: object) -> None:
        if self.line:
            self._write("")

    def _write(self, line: str) -> None:
        self.stream.write(_CLEAR_LINE + line)
        self.stream.flush()


def _bar(share: float) -> str:
    done = int(BAR_CHARS * share)
    return f"[{'#' * done}{'.' * (BAR_CHARS - done)}] {int(100 * share):3} %"


def _truncate(text: str, columns: int) -> str:
    """Return the start of a text that fits in `columns`. A Japanese character is two columns wide."""
    for end, letter in enumerate(text):
        columns -= 1 + (unicodedata.east_asian_width(letter) in "WF")
        if columns < 0:
            return text[:end]
    return text
