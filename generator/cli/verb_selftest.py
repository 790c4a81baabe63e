"""`muster selftest`: compare what this installation draws and prints with what it should."""

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
from generator.cli.console import Telling
from generator.cli.help import Verb
from generator.cli.print_options import How
from generator.cli.scenario import examined, rebuild
from generator.common import selftest
from generator.common.game import Game
from generator.errors import Problem, WrongUsageError
from generator.localization import tr
from generator.model.scenario import Request
from generator.model.words import Lang, Words
from generator.notation.text import command as typed
from generator.seeds import parse_code

QUICK = 50
"""How many codes of each kind of scenario are drawn unless more are asked for; a game then takes two seconds."""
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


class Case(msgspec.Struct, frozen=True):
    """Something to make here, and the hash that the table has of it; a printed kit has a language."""

    game: Game[Any]
    code: str
    expected: str
    wishes: tuple[tuple[str, str], ...] = ()
    lang: Lang | None = None

    def found(self) -> str:
        """The hash of what this machine makes of it."""
        if self.lang is None:
            return selftest.drawn(self.game, self.code, dict(self.wishes))
        return printed(self.game, self.code, self.lang)

    @property
    def command(self) -> str:
        """How a person makes it."""
        options = {"seed": self.code, **dict(self.wishes)} | ({"lang": self.lang} if self.lang else {})
        return typed(["muster", "kit" if self.lang else "draw", self.game.name], options)


def printed(game: Game[Any], code: str, lang: Lang) -> str:
    """The content of a code's kit in a language, as a hash."""
    from generator.press.book import print_kit
    from generator.press.check.content import content_hash

    loaded, how = examined(game, game.draw(Request(code, {}, {}))), How(lang)
    kit = game.kit(loaded.scenario, loaded.report, loaded.stamp, rebuild(loaded, how.typed()))
    return content_hash(print_kit(kit, how.edition(game)))


def _chosen(ctx: click.Context, param: click.Parameter, value: str | None) -> list[Game[Any]]:
    named = [value] if value else [name for name in games.names() if selftest.path(name).is_file()]
    return [request.known_game(name) for name in named]


@click.command(cls=Verb)
@click.argument("chosen", required=False, metavar="[GAME]", callback=_chosen, shell_complete=request.games_beginning)
@click.option(
    "--count",
    metavar="N",
    type=click.IntRange(1),
)
@click.option("--codes", metavar="CODES")
@console.answer_options
def selftest_verb(chosen: list[Game[Any]], count: int | None, codes: str | None, lang: Lang, as_json: bool) -> None:
    """Draw and print the codes of the shipped table on this machine, and report any differences.

    Without --count, a sample is checked: codes of every kind of scenario, and a kit of each game in your language.
    """
    if codes is not None and count is not None:
        raise WrongUsageError(tr("--count takes a number of codes, --codes a list of codes: choose one"))
    tables = {game.name: selftest.table(game.name) for game in chosen}
    whole = {game.name: list(_cases(game, tables[game.name])) for game in chosen}
    if codes is not None:
        picked = _named(whole, codes)
    else:
        picked = {name: list(_sample(cases, count or QUICK, lang)) for name, cases in whole.items()}
    rows = _results(picked, lang)
    if as_json:
        console.as_json(
            {
                "same": not any(row["differences"] for row in rows),
                "whole": picked == whole,
                "muster": __version__,
                "machine": machine(),
                "games": [
                    {**row, "of": len(whole[name]), "taken": len(picked[name])}
                    for row, name in zip(rows, picked, strict=True)
                ],
            }
        )
    else:
        _tell(rows, whole, picked, lang)
    console.end_if(any(row["differences"] for row in rows))


def _cases(game: Game[Any], table: selftest.Table) -> Iterator[Case]:
    for kind in table.drawn:
        wishes = tuple(kind.options.items())
        for code, expected in kind.expected().items():
            yield Case(game, code, expected, wishes)
    for kit in table.printed:
        yield Case(game, kit.code, kit.content, lang=kit.lang)


def _sample(cases: list[Case], count: int, lang: Lang) -> Iterator[Case]:
    """So many cases of each kind, evenly out of all; every kit where that is all, else one in the language."""
    kinds: dict[tuple[tuple[str, str], ...], list[Case]] = {}
    for case in cases:
        if case.lang is None:
            kinds.setdefault(case.wishes, []).append(case)
    for kind in kinds.values():
        taken = min(count, len(kind))
        yield from (kind[place * len(kind) // taken] for place in range(taken))
    kits = [case for case in cases if case.lang is not None]
    if count >= max((len(kind) for kind in kinds.values()), default=0):
        yield from kits
    else:
        yield from islice((case for case in kits if case.lang == lang), 1)


def _named(whole: dict[str, list[Case]], codes: str) -> dict[str, list[Case]]:
    """Everything the table has of the codes typed; WrongUsageError for one that it has not."""
    wanted = [parse_code(code) for code in codes.replace("、", ",").split(",")]
    known = {case.code for cases in whole.values() for case in cases}
    some = next(iter(cases[0].code for cases in whole.values()))
    hint = tr("it has {count} codes, {some} among them", count=len(known), some=some)
    strange = (tr("--codes: the table has no {code}", code=code) for code in wanted if code not in known)
    WrongUsageError.raise_if_any(Problem(told, hint=hint) for told in strange)
    return {name: [case for case in cases if case.code in wanted] for name, cases in whole.items()}


def _results(picked: dict[str, list[Case]], lang: Lang) -> list[dict[str, Any]]:
    """What was found of each game, as plain values (docs/json.md)."""
    rows, done, whole = [], 0, sum(len(cases) for cases in picked.values())
    with Telling() as telling:
        for name, cases in picked.items():
            differences = []
            for case in cases:
                telling(f"{case.game.title[lang]} {case.code}", done / whole)
                done += 1
                if (found := case.found()) != case.expected:
                    differences.append(
                        {
                            "code": case.code,
                            "wishes": dict(case.wishes),
                            "lang": case.lang,
                            "command": case.command,
                            "expected": case.expected,
                            "found": found,
                        }
                    )
            rows.append({"game": name, "differences": differences})
    return rows


def machine() -> dict[str, str]:
    """What things are made with here: Python, its platform, and the libraries."""
    found = {"python": platform.python_version(), "platform": platform.platform()}
    for name in LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "?"
    return found


def _tell(
    rows: list[dict[str, Any]], whole: dict[str, list[Case]], picked: dict[str, list[Case]], lang: Lang
) -> None:
    words = console.words()

    def told(text: Words) -> None:
        console.line(text[lang])

    for row in rows:
        name = row["game"]
        for one in row["differences"]:
            told(
                words["differs"].fill(game=name, command=one["command"], expected=one["expected"], found=one["found"])
            )
        values = {"game": name, "n": len(picked[name]), "of": len(whole[name]), "wrong": len(row["differences"])}
        told(words["some_differ" if row["differences"] else "none_differs"].fill(**values))
    if any(row["differences"] for row in rows):
        made = ", ".join(f"{name} {number}" for name, number in machine().items())
        told(words["made_with"].fill(machine=f"muster {__version__}, {made}"))
    if picked != whole:
        most = max(len(kind.hashes.split()) for name in picked for kind in selftest.table(name).drawn)
        game = list(picked) if len(picked) == 1 else []
        told(words["whole_table"].fill(command=typed(["muster", "selftest", *game], {"count": str(most)})))
