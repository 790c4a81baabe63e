"""Parse the command line, run the command, and turn errors into messages and exit codes.

The module of a command is imported when the command runs. `VERBS` lists the commands that every game supports. The
files data/<game>/verbs.toml list the commands that only some games support.
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

from generator import games, interrupt
from generator.cli.help import Row, VerbGroup, help_phrase, shipped_table, texts, usage
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
"""The exit code if the output cannot be written."""
BUG = 70
"""The exit code for an internal error, EX_SOFTWARE of sysexits.h."""
VERSION = "--version"
REPORT_BUG = tr("This is a bug in Muster. Please report it with the output of `muster --debug …`.")


COMPONENTS = ("cards", "tokens", "reference", "sheets", "boards")
"""The commands that print without a scenario. They share the module verb_components.py."""
VERBS = {
    **{
        verb: verb
        for verb in (
            *("kit", "draw", "check", "edit", "print", "verify", "import"),
            *("fairness", "rulings", "odds", "sight", "orders", "replay", "play", "carry"),
            *("printer", "preflight", "tournament", "data", "rules", "games"),
            *("selftest", "completion", "studio", "gallery"),
        )
    },
    **dict.fromkeys(COMPONENTS, "components"),
}
"""The name of the module `verb_<name>.py` of each command. The module defines the command as `<verb>_verb`.

The file data/verbs.toml determines the order in the help.
"""


class GameVerb(NamedTuple):
    """A command that a game adds.

    It is either a question about a scenario (`Game.queries`) or a print without a scenario (`Game.prints`).
    """

    summary: Mapping[Lang, str]
    """The line for the list of commands, in each language."""
    help: Mapping[Lang, str]
    """The text of `--help`, in each language."""
    arguments: tuple[str, ...] = ()
    """The arguments of a question, in addition to the scenario file."""
    prints: bool = False
    options: Mapping[str, Mapping[str, Any]] = {}
    """The additional options of a print, keyed by name. Each has a `metavar` and a `help`."""
    seed: bool = False
    """Whether the command generates something at random and therefore has the option `--seed`."""


@cache
def game_verbs() -> dict[str, dict[str, GameVerb]]:
    """Return the commands that games add, keyed by name and game. No game is loaded."""
    found: dict[str, dict[str, GameVerb]] = {}
    for game in sorted(entry.name for entry in os.scandir(shipped_folder("data")) if entry.is_dir()):
        with suppress(FileNotFoundError):
            for name, row in shipped_table(f"{game}/verbs.toml").items():
                summary = row.pop("told")
                found.setdefault(name, {})[game] = GameVerb(summary, **row)
    return found


def verb_help(verbs: Mapping[str, GameVerb]) -> LocalizedStr:
    """Return the help of a game-specific command, with one paragraph for each game that provides it."""

    def one(lang: Lang) -> str:
        paragraphs = [
            verb.help[lang] if len(verbs) == 1 else f"{game}: {verb.help[lang]}" for game, verb in verbs.items()
        ]
        return "\n\n".join(paragraphs)

    return bilingual(one("en"), one("ja"))


class Verbs(VerbGroup):
    """The group of all commands. Listing them imports none of their modules."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands in the order of data/verbs.toml, then the commands that games add."""
        return [*(name for name in texts("verbs")["told"] if name in VERBS), *game_verbs()]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the module of a command and return the command, or None if there is no such command."""
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
        """Find the command. `muster version` is the same as `muster --version`."""
        if args[0] == "version":
            option = next(param for param in self.params if VERSION in param.opts)
            option.process_value(ctx, True)
        return super().resolve_command(ctx, args)

    def sections(self, ctx: click.Context, lang: Lang) -> list[tuple[str, list[Row]]]:
        """Return the commands of all games by subject, followed by those that only some games support."""
        full_stop = {"en": ".", "ja": "。"}[lang]
        in_every_game = {name for name, verbs in game_verbs().items() if len(verbs) == len(games.names())}
        game_rows = [
            (
                name,
                help_phrase(
                    "of_game",
                    lang,
                    summary=next(iter(verbs.values())).summary[lang].removesuffix(full_stop),
                    game={"en": ", ", "ja": "、"}[lang].join(verbs),
                ),
            )
            for name, verbs in game_verbs().items()
            if name not in in_every_game
        ]
        others = [name for name in self.list_commands(ctx) if name in VERBS or name in in_every_game]
        sections = []
        for section in texts("verbs")["section"].values():
            sections.append((section[lang], [(name, self.line(ctx, name, lang)) for name in section["verbs"]]))
            others = [name for name in others if name not in section["verbs"]]
        other_rows = [(name, self.line(ctx, name, lang)) for name in others]
        return [*sections, (help_phrase("other_verbs", lang), other_rows), (help_phrase("of_games", lang), game_rows)]

    def line(self, ctx: click.Context, name: str, lang: Lang) -> str:
        """Return the line that describes a command in the list of commands."""
        of_games = game_verbs().get(name)
        return next(iter(of_games.values())).summary[lang] if of_games else super().line(ctx, name, lang)


@click.group(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="musterkit", prog_name="muster")
@click.option("--debug", is_flag=True)
@click.option("--lang", type=click.Choice(LANGS, case_sensitive=False), expose_value=False)
def muster(debug: bool) -> None:
    """Generate wargame scenarios, check that they are legal, and print them."""


def main(args: list[str] | None = None) -> None:
    """Run `muster` and exit with its exit code. Users never see a traceback unless --debug is given.

    If `args` is given, it is used instead of the command line of the process, which then stays alive after the
    command.
    """
    given = sys.argv[1:] if args is None else args
    set_language(given)
    if args is None:
        # NumPy would start threads for large matrices, which Muster does not use. This saves about 3 % of a kit's
        # time.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # If the terminal does not support a character, its code is printed instead.
            stream.reconfigure(errors="backslashreplace")
    try:
        if args is None:
            interrupt.tidy_up_first()
        code = _run(given)
        if sys.stdout is not None:  # A shell may have closed the standard output.
            sys.stdout.flush()
        if args is None:
            interrupt.ignore_signals()
    except KeyboardInterrupt:
        code = _interrupted()
    except OSError as error:
        code = _output_lost(error)
    if args is None:
        if interrupt.is_requested():
            # If the interrupt passed through an eval(), Python would end with the signal instead of Muster's exit
            # code.
            os._exit(code)
        _exit_process(code)
    sys.exit(code)


def _exit_process(code: int) -> None:
    """End this process immediately. The usual shutdown of Python takes 12 to 15 % of the time of a kit.

    If other threads are running, or a debugger or profiler is attached, return so that Python shuts down as usual.
    """
    threads = sys.modules.get("threading")  # Not imported only for this check.
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
        # Click exits like this if the reader of the output is gone, which is not an error.
        return 0
    except click.Abort:
        return _interrupted()
    except click.ClickException as error:
        if isinstance(error, click.NoSuchOption):
            error = _with_whole_option(error, given)
        return _report_misuse(error, "--json" in given)
    except Exception as error:  # The last resort, so that users get a message for every error.
        if interrupt.is_requested():
            return _interrupted()
        if isinstance(error, OSError) and error.filename is None:
            raise  # The output itself cannot be written.
        return _report_error(error, given)
    return code if isinstance(code, int) else 0


def _report_misuse(error: click.ClickException, in_json: bool) -> int:
    """Report an error in the command line, in the language of the command."""
    from generator.cli import console
    from generator.errors import WrongUsageError

    lang, problem = default_lang(), WrongUsageError(_click_message(error))
    if in_json:
        console.print_problems(problem, in_json)
    elif lang == "en" or isinstance(error, click.exceptions.NoArgsIsHelpError):  # The message is the whole help page.
        error.show()
    else:
        context = getattr(error, "ctx", None)
        if context is not None:
            click.echo(localize(tr("Usage: {usage}", usage=usage(context, lang)), lang), err=True)
            command = f"{context.command_path} --help"
            click.echo(localize(tr("Try `{command}` for help.", command=command), lang) + "\n", err=True)
        for text in problem.lines(lang):
            console.print_line(localize(tr("Error: {message}", message=text), lang), err=True)
    return error.exit_code


def _click_message(error: click.ClickException) -> LocalizedStr:
    """Return the message of a Click error in both languages."""
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


def _with_whole_option(error: click.NoSuchOption, given: list[str]) -> click.UsageError:
    """Return the error with the full name of a long option that was entered with a single hyphen.

    Click reports only its first letter. The usual letter for the version suggests --version.
    """
    known = {name for param in error.ctx.command.params for name in param.opts} if error.ctx else set()
    if error.option_name in ("-v", "-V") and VERSION in known:
        message = tr(
            "there is no option {name}; to show the version: {command}",
            name=error.option_name,
            command=f"muster {VERSION}",
        )
        return click.UsageError(message, ctx=error.ctx)
    meant = next((word for word in given if word.startswith(error.option_name) and f"-{word}" in known), None)
    return click.NoSuchOption(meant, possibilities=[f"-{meant}"], ctx=error.ctx) if meant else error


def _output_lost(error: OSError) -> int:
    """Return the exit code for output that cannot be written: 0 if its reader is gone, otherwise after a message."""
    # Prevents the interpreter from flushing anything into the broken stream.
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


def _report_error(error: Exception, given: list[str]) -> int:
    from generator.cli import console
    from generator.errors import MusterError, Problem

    if isinstance(error, MusterError):
        console.print_problems(error, "--json" in given)
        return error.exit_code
    if "--debug" in given:
        import traceback

        traceback.print_exception(error)
    notes = "".join(f"\n{note}" for note in getattr(error, "__notes__", ()))
    message = f"{type(error).__name__}: {error}{notes}"
    if "--json" in given:
        console.print_json({"exit": BUG, "problems": [console.problem_values(Problem(message, hint=REPORT_BUG))]})
    else:
        console.print_line(f"{message}\n{localize(REPORT_BUG, default_lang())}", err=True)
    return BUG
