"""`muster selftest`: compare the scenarios and prints of this installation with a shipped table."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from itertools import islice
from typing import Any

import click
import msgspec

from generator import __version__, games
from generator.cli import console, request
from generator.cli.console import ProgressLine
from generator.cli.help import Verb
from generator.cli.print_options import PrintOptions
from generator.cli.scenario import examine, rebuild_command
from generator.common import selftest
from generator.common.game import Game
from generator.errors import Problem, WrongUsageError
from generator.localization import tr
from generator.model.scenario import Request
from generator.model.words import Lang, Words
from generator.notation.text import command as format_command
from generator.seeds import parse_code

DEFAULT_COUNT = 50
"""The default number of codes per kind of scenario. With this number, a game takes about two seconds."""
LIBRARIES = (
    "click",
    "fonttools",
    "jinja2",
    "msgspec",
    "numpy",
    "pikepdf",
    "pillow",
    "platformdirs",
    "pypdfium2",
    "reportlab",
    "shapely",
)
"""The libraries whose versions may affect scenarios or prints."""


class Case(msgspec.Struct, frozen=True):
    """A scenario or a kit of the shipped table, with its expected hash. Only a kit has a language."""

    game: Game[Any]
    code: str
    expected: str
    options: tuple[tuple[str, str], ...] = ()
    lang: Lang | None = None

    def found(self) -> str:
        """Return the hash of the scenario or kit that this machine makes."""
        if self.lang is None:
            return selftest.drawn(self.game, self.code, dict(self.options))
        return printed_hash(self.game, self.code, self.lang)

    @property
    def command(self) -> str:
        """The command that makes the scenario or kit."""
        options = {"seed": self.code, **dict(self.options)} | ({"lang": self.lang} if self.lang else {})
        return format_command(["muster", "kit" if self.lang else "draw", self.game.name], options)


def printed_hash(game: Game[Any], code: str, lang: Lang) -> str:
    """Return the content hash of the kit of a code in a language."""
    from generator.press.book import print_kit
    from generator.press.check.content import content_hash

    loaded, print_options = examine(game, game.draw(Request(code, {}, {}))), PrintOptions(lang)
    kit = game.kit(loaded.scenario, loaded.report, loaded.stamp, rebuild_command(loaded, print_options.as_options()))
    return content_hash(print_kit(kit, print_options.press_options(game)))


def _chosen_games(ctx: click.Context, param: click.Parameter, value: str | None) -> list[Game[Any]]:
    names = [value] if value else [name for name in games.names() if selftest.path(name).is_file()]
    return [request.game_by_name(name) for name in names]


@click.command(cls=Verb)
@click.argument(
    "chosen", required=False, metavar="[GAME]", callback=_chosen_games, shell_complete=request.complete_games
)
@click.option(
    "--count",
    metavar="N",
    type=click.IntRange(1),
)
@click.option("--codes", metavar="CODES")
@console.answer_options
def selftest_verb(chosen: list[Game[Any]], count: int | None, codes: str | None, lang: Lang, as_json: bool) -> None:
    """Generate the scenarios and kits of the shipped table on this machine, and report any differences.

    By default, a sample is checked: codes of every kind of scenario, and a kit of each game in the user's
    language.
    """
    if codes is not None and count is not None:
        raise WrongUsageError(
            tr("--count takes a number of codes, and --codes takes a list of codes; choose one of these options")
        )
    tables = {game.name: selftest.table(game.name) for game in chosen}
    whole = {game.name: list(_cases(game, tables[game.name])) for game in chosen}
    if codes is not None:
        picked = _cases_of_codes(whole, codes)
    else:
        picked = {name: list(_sample_cases(cases, count or DEFAULT_COUNT, lang)) for name, cases in whole.items()}
    rows = _compare(picked, lang)
    if as_json:
        console.print_json(
            {
                "same": not any(row["differences"] for row in rows),
                "whole": picked == whole,
                "muster": __version__,
                "machine": machine_versions(),
                "games": [
                    {**row, "of": len(whole[name]), "taken": len(picked[name])}
                    for row, name in zip(rows, picked, strict=True)
                ],
            }
        )
    else:
        _print_results(rows, whole, picked, lang)
    console.exit_if(any(row["differences"] for row in rows))


def _cases(game: Game[Any], table: selftest.Table) -> Iterator[Case]:
    for kind in table.drawn:
        options = tuple(kind.options.items())
        for code, expected in kind.expected().items():
            yield Case(game, code, expected, options)
    for kit in table.printed:
        yield Case(game, kit.code, kit.content, lang=kit.lang)


def _sample_cases(cases: list[Case], count: int, lang: Lang) -> Iterator[Case]:
    """Yield `count` evenly spread cases of each kind, and one kit in this language.

    With all cases, yield all kits.
    """
    kinds: dict[tuple[tuple[str, str], ...], list[Case]] = {}
    for case in cases:
        if case.lang is None:
            kinds.setdefault(case.options, []).append(case)
    for kind in kinds.values():
        taken = min(count, len(kind))
        yield from (kind[place * len(kind) // taken] for place in range(taken))
    kits = [case for case in cases if case.lang is not None]
    if count >= max((len(kind) for kind in kinds.values()), default=0):
        yield from kits
    else:
        yield from islice((case for case in kits if case.lang == lang), 1)


def _cases_of_codes(whole: dict[str, list[Case]], codes: str) -> dict[str, list[Case]]:
    """Return the cases of these codes.

    Raises:
        WrongUsageError: If a code is not in the table.
    """
    wanted = [parse_code(code) for code in codes.replace("、", ",").split(",")]
    known = {case.code for cases in whole.values() for case in cases}
    some = next(iter(cases[0].code for cases in whole.values()))
    hint = tr("the table has {count} codes, for example {some}", count=len(known), some=some)
    strange = (tr("--codes: the table does not contain {code}", code=code) for code in wanted if code not in known)
    WrongUsageError.raise_if_any(Problem(message, hint=hint) for message in strange)
    return {name: [case for case in cases if case.code in wanted] for name, cases in whole.items()}


def _compare(picked: dict[str, list[Case]], lang: Lang) -> list[dict[str, Any]]:
    """Return the differences in each game as plain values for JSON (docs/json.md)."""
    rows, done, whole = [], 0, sum(len(cases) for cases in picked.values())
    with ProgressLine() as progress:
        for name, cases in picked.items():
            differences = []
            for case in cases:
                progress(f"{case.game.title[lang]} {case.code}", done / whole)
                done += 1
                if (found := case.found()) != case.expected:
                    differences.append(
                        {
                            "code": case.code,
                            "wishes": dict(case.options),
                            "lang": case.lang,
                            "command": case.command,
                            "expected": case.expected,
                            "found": found,
                        }
                    )
            rows.append({"game": name, "differences": differences})
    return rows


def machine_versions() -> dict[str, str]:
    """Return the versions of Python, the platform and the libraries that may affect the results."""
    found = {"python": platform.python_version(), "platform": platform.platform()}
    for name in LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "?"
    return found


def _print_results(
    rows: list[dict[str, Any]], whole: dict[str, list[Case]], picked: dict[str, list[Case]], lang: Lang
) -> None:
    words = console.words()

    def print_words(text: Words) -> None:
        console.print_line(text[lang])

    for row in rows:
        name = row["game"]
        for one in row["differences"]:
            print_words(
                words["differs"].fill(game=name, command=one["command"], expected=one["expected"], found=one["found"])
            )
        values = {"game": name, "n": len(picked[name]), "of": len(whole[name]), "wrong": len(row["differences"])}
        print_words(words["some_differ" if row["differences"] else "none_differs"].fill(**values))
    if any(row["differences"] for row in rows):
        made = ", ".join(f"{name} {number}" for name, number in machine_versions().items())
        print_words(words["made_with"].fill(machine=f"muster {__version__}, {made}"))
    if picked != whole:
        total = max(len(kind.hashes.split()) for name in picked for kind in selftest.table(name).drawn)
        game = list(picked) if len(picked) == 1 else []
        print_words(
            words["whole_table"].fill(command=format_command(["muster", "selftest", *game], {"count": str(total)}))
        )
