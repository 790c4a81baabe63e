"""The command line: parse, call, print, exit code. Verbs are loaded only when they are called.

What Muster itself can do stands in a table here; what only some games can be asked or print stands in their
data/<game>/verbs.toml.
"""

from __future__ import annotations

import atexit
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from typing import Any, NamedTuple

import click

from generator import interrupt
from generator.cli.help import Row, VerbGroup, in_words, shipped_table, texts, usage
from generator.localization import (
    LANGS,
    Lang,
    LocalizedStr,
    bilingual,
    default_lang,
    localize,
    set_language,
    shipped_folder,
    tr,
    tr_external,
)

CANNOT_WRITE = 5
BUG = 70
REPORT = tr("This is a bug in Muster. Please report it with the output of `muster --debug …`.")


COMPONENTS = ("cards", "tokens", "reference", "sheets", "boards")
VERBS = {
    **{
        verb: verb
        for verb in (
            *("kit", "draw", "check", "edit", "print", "verify"),
            *("fairness", "rulings", "odds", "sight", "orders", "replay", "play", "carry"),
            *("printer", "preflight", "tournament", "data", "rules", "games"),
            *("selftest", "completion", "studio", "gallery"),
        )
    },
    **dict.fromkeys(COMPONENTS, "components"),
}
"""The module `verb_<module>.py` of each verb, which holds it as `<verb>_verb`; data/verbs.toml has their order."""


class GameVerb(NamedTuple):
    """A verb that games bring: a question about a scenario (`Game.queries`), or a print without one (`prints`)."""

    told: Mapping[Lang, str]
    """What it does, in a line."""
    help: Mapping[Lang, str]
    """The same at length."""
    arguments: tuple[str, ...] = ()
    """What a question is asked with, besides the scenario's file."""
    prints: bool = False
    options: Mapping[str, Mapping[str, Any]] = {}
    """What a print takes besides the options of all prints: `metavar` and `help` by name."""
    seed: bool = False
    """It draws, and so takes a code."""


@cache
def game_verbs() -> dict[str, dict[str, GameVerb]]:
    """The verbs of the games: by name, what each game says of it. Loads no game."""
    found: dict[str, dict[str, GameVerb]] = {}
    for game in sorted(entry.name for entry in os.scandir(shipped_folder("data")) if entry.is_dir()):
        with suppress(FileNotFoundError):
            for name, row in shipped_table(f"{game}/verbs.toml").items():
                found.setdefault(name, {})[game] = GameVerb(**row)
    return found


def verb_help(verbs: Mapping[str, GameVerb]) -> LocalizedStr:
    """What a verb of games does: in one game's words, or in each's where several have it."""

    def one(lang: Lang) -> str:
        said = [verb.help[lang] if len(verbs) == 1 else f"{game}: {verb.help[lang]}" for game, verb in verbs.items()]
        return "\n\n".join(said)

    return bilingual(one("en"), one("ja"))


class Verbs(VerbGroup):
    """The verbs by name; listing them imports none."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The verbs in the order in which one meets them."""
        return [*(name for name in texts("verbs")["told"] if name in VERBS), *game_verbs()]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a verb."""
        import importlib

        if cmd_name not in VERBS:
            if cmd_name not in game_verbs():
                return None
            verbs = game_verbs()[cmd_name]
            prints = all(verb.prints for verb in verbs.values())
            maker = importlib.import_module(f"generator.cli.{'verb_components' if prints else 'query'}")
            made: click.Command = maker.game_command(cmd_name, verbs)
            return made
        module = importlib.import_module(f"generator.cli.verb_{VERBS[cmd_name]}")
        command: click.Command = getattr(module, f"{cmd_name}_verb")
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the verb; a mistyped one gets its near match."""
        if args[0] == "help":
            ctx.fail(tr("for help: muster --help, muster kit --help"))
        if args[0] not in VERBS and not args[0].startswith("-") and args[0] not in game_verbs():
            from generator.errors import near

            ctx.fail(tr("no command {name!r}: {hint}", name=args[0], hint=near(args[0], [*VERBS, *game_verbs()])))
        return super().resolve_command(ctx, args)

    def sections(self, ctx: click.Context, lang: Lang) -> list[tuple[str, list[Row]]]:
        """The verbs of all games, then those that only some have."""
        apart = {"en": ".", "ja": "。"}[lang]
        own = [
            (
                name,
                in_words(
                    "of_game",
                    lang,
                    told=next(iter(verbs.values())).told[lang].removesuffix(apart),
                    game={"en": ", ", "ja": "、"}[lang].join(verbs),
                ),
            )
            for name, verbs in game_verbs().items()
        ]
        return [
            (in_words("verbs", lang), [(v, self.line(ctx, v, lang)) for v in self.list_commands(ctx) if v in VERBS]),
            (in_words("of_games", lang), own),
        ]

    def line(self, ctx: click.Context, name: str, lang: Lang) -> str:
        """What a verb does, in a line."""
        own = game_verbs().get(name)
        return next(iter(own.values())).told[lang] if own else super().line(ctx, name, lang)


@click.group(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="musterkit", prog_name="muster")
@click.option("--debug", is_flag=True)
@click.option("--lang", type=click.Choice(LANGS, case_sensitive=False), expose_value=False)
def muster(debug: bool) -> None:
    """Draw wargame scenarios, prove that they are legal, and print them."""


def main(args: list[str] | None = None) -> None:
    """Run `muster` and leave with its exit code; no traceback reaches a user."""
    given = sys.argv[1:] if args is None else args
    set_language(given)
    if args is None:
        # NumPy would start threads for large matrices, of which there are none here: about 3 % of a kit.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # A terminal that lacks a character shows its number rather than an error.
            stream.reconfigure(errors="backslashreplace")
    try:
        if args is None:
            interrupt.tidy_up_first()
        code = _run(given)
        if sys.stdout is not None:  # as it is where a shell closed it
            sys.stdout.flush()
        if args is None:
            interrupt.ignore_signals()
    except KeyboardInterrupt:
        code = _interrupted()
    except OSError as error:
        code = _unheard(error)
    if args is None:
        if interrupt.is_requested():
            # Python itself would end by the signal, had the interrupt passed through an eval().
            os._exit(code)
        _leave(code)
    sys.exit(code)


def _leave(code: int) -> None:
    """End a process of our own as it stands, all said and written: taking it apart takes 12 to 15 % of a kit's time.

    Where threads are at work, or the process is watched, Python ends it in its own way.
    """
    threads = sys.modules.get("threading")  # not imported for this alone
    if (threads and threads.active_count() > 1) or sys.gettrace() or sys.getprofile():
        return
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, OSError, ValueError):
            stream.flush()
    os._exit(code)


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
        return _misused(error, "--json" in given)
    except Exception as error:  # the last line of defence: whatever it is, a user gets a sentence
        if interrupt.is_requested():
            return _interrupted()
        if isinstance(error, OSError) and error.filename is None:
            raise  # it is our output that cannot be written
        return _explain(error, given)
    return code if isinstance(code, int) else 0


def _misused(error: click.ClickException, in_json: bool) -> int:
    """Tell what is wrong with the command line, in its language."""
    from generator.cli import console
    from generator.errors import WrongUsageError

    lang, problem = default_lang(), WrongUsageError(_spoken(error))
    if in_json:
        console.problems(problem, in_json)
    elif lang == "en" or isinstance(error, click.exceptions.NoArgsIsHelpError):  # whose message is the whole help
        error.show()
    else:
        context = getattr(error, "ctx", None)
        if context is not None:
            click.echo(localize(tr("Usage: {usage}", usage=usage(context, lang)), lang), err=True)
            command = f"{context.command_path} --help"
            click.echo(localize(tr("Try `{command}` for help.", command=command), lang) + "\n", err=True)
        for text in problem.lines(lang):
            console.line(localize(tr("Error: {message}", message=text), lang), err=True)
    return error.exit_code


def _spoken(error: click.ClickException) -> LocalizedStr:
    """What Click says of an error, in both languages."""
    message = error.message
    if isinstance(error, click.BadParameter) and not isinstance(error, click.MissingParameter):
        param: object = error.param_hint or (
            error.param.get_error_hint(error.ctx) if error.param and error.ctx else ""
        )
        param = " / ".join(map(repr, param)) if isinstance(param, list | tuple) else param
        why = message if isinstance(message, LocalizedStr) else tr_external(message)
        return (
            tr("Invalid value for {param}: {message}", param=param, message=why)
            if param
            else tr("Invalid value: {message}", message=why)
        )
    return message if isinstance(message, LocalizedStr) else tr_external(" ".join(error.format_message().split()))


def _interrupted() -> int:
    if interrupt.is_requested():
        interrupt.ignore_signals()
    click.echo(interrupt.MESSAGE_JA if default_lang() == "ja" else interrupt.MESSAGE, err=True)
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
    click.echo(
        localize(
            tr("cannot write the output: {strerror}", strerror=tr_external(error.strerror or "")), default_lang()
        ),
        err=True,
    )
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
    message = f"{type(error).__name__}: {error}{notes}"
    if "--json" in given:
        console.as_json({"exit": BUG, "problems": [console.problem_row(Problem(message, hint=REPORT))]})
    else:
        console.line(f"{message}\n{localize(REPORT, default_lang())}", err=True)
    return BUG
