"""The command line: parse, call, print, exit code. Verbs are loaded only when they are called.

What Muster itself can do stands in a table here; what only some games can be asked or print stands in their
data/<game>/verbs.toml.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

import click

from generator import interrupt

CANNOT_WRITE = 5
BUG = 70
REPORT = "This is a fault of Muster's own. Please report it with the output of `muster --debug …`."


class Verb(NamedTuple):
    """Where a verb's command lies, and what it does in a line."""

    module: str
    """`verb_<module>.py` here holds it, as `<verb>_verb`."""
    told: str


VERBS = {
    "kit": Verb("scenario", "Draw, check and print a kit."),
    "draw": Verb("scenario", "Draw a scenario and write it as TOML or JSON."),
    "check": Verb("scenario", "Prove that scenario files are legal."),
    "rules": Verb("data", "List the rules that a game's check holds."),
    "fairness": Verb("query", "Measure how fair scenario files are."),
    "rulings": Verb("query", "Tell what the open readings change in a scenario."),
    "print": Verb("scenario", "Print the kit of a scenario file."),
    "cards": Verb("components", "Print a game's cards, to cut out."),
    "tokens": Verb("components", "Print a game's tokens and tiles, to cut out."),
    "reference": Verb("components", "Print a game's quick reference and odds."),
    "sheets": Verb("components", "Print blank record sheets."),
    "boards": Verb("components", "Print boards at true size."),
    "sight": Verb("query", "Explain what can see what."),
    "orders": Verb("query", "Judge a log of play, and list legal orders."),
    "replay": Verb("query", "Make the picture of each turn of a log."),
    "tournament": Verb("tournament", "Pack a tournament's rounds, seal them, reckon the standings."),
    "verify": Verb("scenario", "Hold a kit against its manifest."),
    "printer": Verb("printer", "Calibrate your printer, and save what it does."),
    "preflight": Verb("printer", "Hold PDFs against what a print owes people."),
    "data": Verb("data", "List, show and check decks, maps, inventories and tables."),
    "selftest": Verb("selftest", "Hold what this machine draws and prints against a shipped table."),
    "games": Verb("data", "List the games."),
    "gallery": Verb("gallery", "Show everything there is, as one page for a browser."),
    "completion": Verb("completion", "Print a shell's completion script."),
}


class GameVerb(NamedTuple):
    """A verb that games bring: a question about a scenario (`Game.queries`), or a print without one (`prints`)."""

    told: str
    """What it does, in a line."""
    help: str
    """The same at length."""
    arguments: tuple[str, ...] = ()
    """What a question is asked with, besides the scenario's file."""
    prints: bool = False
    options: Mapping[str, Mapping[str, str]] = {}
    """What a print takes besides the options of all prints: `metavar` and `help` by name."""
    seed: bool = False
    """It draws, and so takes a code."""


@cache
def game_verbs() -> dict[str, dict[str, GameVerb]]:
    """The verbs of the games: by name, what each game says of it. Loads no game."""
    import tomllib

    from generator.store.folders import shipped

    found: dict[str, dict[str, GameVerb]] = {}
    for file in sorted(shipped("data").glob("*/verbs.toml")):
        for name, row in tomllib.loads(file.read_text("utf-8")).items():
            found.setdefault(name, {})[file.parent.name] = GameVerb(**row)
    return found


def verb_help(verbs: Mapping[str, GameVerb]) -> str:
    """What a verb of games does: in one game's words, or in each's where several have it."""
    told = [verb.help if len(verbs) == 1 else f"{game}: {verb.help}" for game, verb in verbs.items()]
    return "\n\n".join(told)


class Verbs(click.Group):
    """The verbs by name; listing them imports none."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The verbs in the order in which one meets them."""
        return [*VERBS, *game_verbs()]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a verb."""
        import importlib

        if cmd_name not in VERBS:
            if cmd_name not in game_verbs():
                return None
            verbs = game_verbs()[cmd_name]
            prints = all(verb.prints for verb in verbs.values())
            maker = importlib.import_module(f"generator.cli.verb_{'components' if prints else 'query'}")
            made: click.Command = maker.game_command(cmd_name, verbs)
            return made
        module = importlib.import_module(f"generator.cli.verb_{VERBS[cmd_name].module}")
        command: click.Command = getattr(module, f"{cmd_name}_verb")
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the verb; a mistyped one gets its near match."""
        if args[0] == "help":
            ctx.fail("ask with --help: muster --help, muster kit --help")
        if args[0] not in VERBS and not args[0].startswith("-") and args[0] not in game_verbs():
            from generator.errors import near

            ctx.fail(f"no verb {args[0]!r}: {near(args[0], [*VERBS, *game_verbs()])}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The verbs with a line each."""
        with formatter.section("Verbs"):
            formatter.write_dl([(name, verb.told) for name, verb in VERBS.items()])
        with formatter.section("Verbs of some games"):
            formatter.write_dl(
                [
                    (name, f"{verb.told.removesuffix('.')} ({game}).")
                    for name, verbs in game_verbs().items()
                    for game, verb in verbs.items()
                ]
            )


@click.group(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="musterkit", prog_name="muster")
@click.option("--debug", is_flag=True, help="Show the traceback of a fault of Muster's own.")
def muster(debug: bool) -> None:
    """Draw wargame scenarios, prove them legal, print them.

    `muster kit` alone draws a battle and prints everything you need to play it. An unofficial aid: bring
    your own copy of the game.
    """


def main(args: list[str] | None = None) -> None:
    """Run `muster` and leave with its exit code; no traceback reaches a user."""
    given = sys.argv[1:] if args is None else args
    if args is None:
        # A process of our own is over before its garbage matters, and looking for it takes a tenth of the time.
        gc.disable()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # A terminal that lacks a character shows its number rather than an error.
            stream.reconfigure(errors="backslashreplace")
    try:
        if args is None:
            interrupt.listen()
        code = _run(given)
        if sys.stdout is not None:  # as it is where a shell closed it
            sys.stdout.flush()
        if args is None:
            interrupt.deafen()
    except KeyboardInterrupt:
        code = _interrupted()
    except OSError as error:
        code = _unheard(error)
    if args is None:
        if interrupt.asked():
            # Python itself would end by the signal, had the interrupt passed through an eval().
            os._exit(code)
        gc.freeze()
    sys.exit(code)


def _run(given: list[str]) -> int:
    try:
        code: Any = muster.main(given, prog_name="muster", standalone_mode=False)
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except SystemExit:
        # Click's own way out where the reader of our output has gone: no fault of anybody's.
        return 0
    except click.Abort:
        return _interrupted()
    except click.ClickException as error:
        if isinstance(error, click.NoSuchOption):
            error = _whole(error, given)
        if "--json" not in given:
            error.show()
            return error.exit_code
        from generator.errors import WrongUsageError

        return _explain(WrongUsageError(error.format_message()), given)
    except Exception as error:  # the last line of defence: whatever it is, a user gets a sentence
        if interrupt.asked():
            return _interrupted()
        if isinstance(error, OSError) and error.filename is None:
            raise  # it is our output that cannot be written
        return _explain(error, given)
    return code if isinstance(code, int) else 0


def _interrupted() -> int:
    if interrupt.asked():
        interrupt.deafen()
    click.echo(interrupt.TOLD, err=True)
    return interrupt.code()


def _whole(error: click.NoSuchOption, given: list[str]) -> click.NoSuchOption:
    """What to say of a long option with one hyphen, of which Click tells the first letter alone."""
    known = {name for param in error.ctx.command.params for name in param.opts} if error.ctx else set()
    meant = next((word for word in given if word.startswith(error.option_name) and f"-{word}" in known), None)
    return click.NoSuchOption(meant, possibilities=[f"-{meant}"], ctx=error.ctx) if meant else error


def _unheard(error: OSError) -> int:
    """What we say can no longer be written: the reader has gone (no fault), or its disk is full."""
    # Leave nothing for the interpreter to flush into the broken stream.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if isinstance(error, BrokenPipeError):
        return 0
    click.echo(f"cannot write the output: {error.strerror}", err=True)
    return CANNOT_WRITE


def _explain(error: Exception, given: list[str]) -> int:
    from generator.cli import console
    from generator.errors import MusterError, Problem

    if isinstance(error, MusterError):
        console.problems(error, "--json" in given)
        return error.exit_code
    if "--debug" in given:
        import traceback

        traceback.print_exception(error)
    notes = "".join(f"\n{note}" for note in getattr(error, "__notes__", ()))
    told = f"{type(error).__name__}: {error}{notes}"
    if "--json" in given:
        console.as_json({"exit": BUG, "problems": [console.problem_row(Problem(told, hint=REPORT))]})
    else:
        console.line(f"{told}\n{REPORT}", err=True)
    return BUG
