"""The arguments that several commands share: the game and its options."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import wraps
from itertools import zip_longest
from pathlib import Path
from typing import Any, TypeVar

import click

from generator import games
from generator.cli.help import MAX_LISTED_CHOICES, ParamType, Verb
from generator.common.game import Game, GameOption
from generator.common.search import MIRROR
from generator.errors import DataError, Problem, WrongUsageError, accepted_words, describe_error, near
from generator.localization import tr
from generator.model.scenario import Request
from generator.notation import toml
from generator.notation.option_names import field_name, option_flag
from generator.notation.text import command as format_command
from generator.notation.text import file_name_fault, name_fault, name_hint, visible
from generator.seeds import new_code, parse_code
from generator.store.folders import is_file, is_stream, missing_file_problem, read, shipped_path
from generator.store.write import temporary_folder
from generator.workers import JOBS_VARIABLE, MAX_PROCESSES, Workers, address, processes_available

T = TypeVar("T")
GAME = "generator.game"
"""The key of the game in the context of a command."""


def default_game() -> str:
    """Return the default game from data/muster.toml."""
    return str(toml.read(shipped_path("data") / "muster.toml", dict[str, str])["default_game"])


class GameCommand(Verb):
    """A command whose options depend on its game."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Find the game, then parse the arguments with its options."""
        whole = self.with_game(ctx, args)
        try:
            return super().parse_args(ctx, whole)
        except click.NoSuchOption as error:
            raise self.option_elsewhere(ctx, error.option_name) or error from None

    def with_game(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Store the game in the context, and return the arguments with missing values of options added."""
        game_name = next(filter(None, map(games.find_name, self._positional(args))), None)
        ctx.meta[GAME] = games.load(game_name or self.fallback_game(ctx))
        return list(_with_lone_values(args, ctx.meta[GAME]))

    def fallback_game(self, ctx: click.Context) -> str:
        """Return the game that is used if no game is given."""
        return default_game()

    def option_elsewhere(self, ctx: click.Context, option: str) -> click.UsageError | None:
        """Return an error for an option that only other games have, or None if no game has the option."""
        able = [
            name
            for name in games.names()
            if option in {option_flag(option.name) for option in games.load(name).options}
        ]
        if not able:
            return None
        hint = tr(
            "games that accept {option}: {able}; for example: {command_path} {first} {option} …",
            option=option,
            able=[*able],
            command_path=ctx.command_path,
            first=able[0],
        )
        return click.UsageError(
            tr("{name} has no option {option}; {hint}", name=ctx.meta[GAME].name, option=option, hint=hint), ctx
        )

    def _positional(self, args: list[str]) -> Iterator[str]:
        """Yield the arguments that are neither options nor values of options.

        The value of an option may be the name of a game.
        """
        flags = {"-h", "--help", option_flag(MIRROR)} | {
            name for p in self.params if isinstance(p, click.Option) and p.is_flag for name in p.opts
        }
        rest = iter(args)
        for arg in rest:
            if not arg.startswith("-"):
                yield arg
            elif arg not in flags and "=" not in arg:
                next(rest, None)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Return the options of the command, then the options of the game, then --help."""
        *params, help_option = super().get_params(ctx)
        game: Game[Any] = ctx.meta.get(GAME) or games.load(default_game())
        idle = {
            name for name, used in (("until", game.stops), ("asking", game.stops), ("seat", game.seats)) if not used
        }
        params = [param for param in params if param.name not in idle]
        return [*params, *(game_option(game, option) for option in game.options), help_option]


class GameOptionType(ParamType):
    """An option type for the value of a game's option: one of its words, a file, or free text."""

    def __init__(self, game: Game[Any], option: GameOption, streams: bool = False) -> None:
        self.game, self.option, self.streams = game, option, streams
        self.name = "|".join(option.choices) if 0 < len(option.choices) <= MAX_LISTED_CHOICES else option.metavar
        if len(option.choices) > MAX_LISTED_CHOICES:
            label = "N" if option.span else "NAME" if option.metavar == "TEXT" else option.metavar
            self.name = f"{label}|FILE" if option.file else label

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        """Return the placeholder that follows the option in the help."""
        return self.name if "|" not in self.name or self.option.file else f"[{self.name}]"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the value, or fail with the most similar accepted value."""
        option = self.option
        plain = unicodedata.normalize("NFKC", value).strip().casefold()
        if chosen := next((choice for choice in option.choices if choice.casefold() == plain), None):
            return chosen
        if not (option.choices or option.file):
            text = unicodedata.normalize("NFC", value.strip())
            if fault := name_fault(text):
                message, hint = tr("the value {fault}", fault=fault), name_hint(text)
                self.fail(tr("{problem}; {hint}", problem=message, hint=hint) if hint else message, param, ctx)
            return text
        if option.pattern and re.fullmatch(option.pattern, plain):
            return plain
        if option.file and is_stream(Path(value)):
            return self._from_stream(Path(value), ctx)
        if option.file and is_file(Path(value)):
            return self._user_file(Path(value), param, ctx)
        if chosen := self.game.find_choice(option, value):
            return chosen
        if option.file and (not option.choices or Path(value).suffix or Path(value).name != value):
            none = missing_file_problem(Path(value), ".toml", visible(value))
            file_told = tr("{message}: {file}", message=none.message, file=none.file)
            self.fail(
                tr("{problem}; {hint}", problem=file_told, hint=none.hint) if none.hint else file_told, param, ctx
            )
        return self.fail(
            tr("{value!r} is not valid; {hint}", value=value, hint=self.game.near_choice(option, value)), param, ctx
        )

    def _from_stream(self, path: Path, ctx: click.Context | None) -> Path:
        """Save the content of a stream to a temporary file, so that it can be copied. Click removes the file."""
        if self.streams or not ctx:
            return path
        try:
            content = read(path, toml.FILE_LIMIT)
        except OSError as error:
            raise DataError(
                Problem(tr("cannot be read: {reason}", reason=describe_error(error)), str(path))
            ) from None
        name = f"{self.option.name}.toml"
        return ctx.with_resource(temporary_folder({name: content})) / name

    def _user_file(self, path: Path, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Return the path of a user's file, or fail if the kit cannot keep a copy under the file's name."""
        if fault := file_name_fault(path.name):
            self.fail(tr("the file's name {name!r} {fault}", name=path.name[:40], fault=fault), param, ctx)
        if path.name in self.option.choices:
            self.fail(
                tr("{name!r} is the name of a shipped file; give your file another name", name=path.name), param, ctx
            )
        return path

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
        """Return the shell's completions for the value."""
        from click.shell_completion import CompletionItem

        found: list[Any] = [CompletionItem(c) for c in self.option.choices if c.startswith(incomplete)]
        return found or ([CompletionItem(incomplete, type="file")] if self.option.file else [])


def game_option(game: Game[Any], option: GameOption, streams: bool = False) -> click.Option:
    """Return an option of a game. With `streams`, the file may be a stream, because no copy of it is kept."""
    return click.Option([option_flag(option.name)], type=GameOptionType(game, option, streams))


def _with_lone_values(args: list[str], game: Game[Any]) -> Iterator[str]:
    """Yield the arguments, with the game's flag value added to each option that is given without a value."""
    alone = {option_flag(option.name): option for option in game.options if option.flag_value}
    for arg, after in zip_longest(args, args[1:], fillvalue=""):
        option = alone.get(arg)
        yield f"{arg}={option.flag_value}" if option and after.casefold() not in option.choices else arg


def capability(game: Game[Any], has: Callable[[Game[Any]], T | None], lacks: str) -> T:
    """Return a part that only some games have. `has` returns the part of a game or None.

    Raises:
        WrongUsageError: If the game lacks the part. The message contains `lacks`, and the hint lists the games
            that have it.
    """
    if found := has(game):
        return found
    able = [name for name in games.names() if has(games.load(name))]
    hint = tr("games that support this: {able}", able=[*able]) if able else tr("no game supports this")
    raise WrongUsageError(tr("{game} {lacks}", game=game.name, lacks=lacks), hint=hint)


def game_by_name(name: str) -> Game[Any]:
    """Return the game with this name.

    Raises:
        click.BadParameter: If there is no such game. The message suggests a similar name, or a fix for a file or
            code.
    """
    if found := games.find_name(name):
        return games.load(found)
    hint = near(name, games.names())
    if is_file(Path(name)):
        hint = tr(
            "{name} is a file; to print it: {command}",
            name=name,
            command=format_command(["muster", "print", Path(name)], {}),
        )
    elif re.fullmatch("[0-9A-Za-z]{5}-[0-9A-Za-z]{5}", name):
        hint = tr("{name} is a code; try: --seed {name}", name=name)
    raise click.BadParameter(tr("there is no game named {name!r}; {hint}", name=visible(name), hint=hint))


def given_or_default_game(ctx: click.Context, param: click.Parameter, value: str | None) -> Game[Any]:
    """Return the given game, or else the game of the command, or else the default game."""
    found: Game[Any] | None = ctx.meta.get(GAME) if value is None else None
    return found or game_by_name(value or default_game())


def parse_words(raw: str, known: Mapping[str, object], option: str) -> list[str]:
    """Return words that are separated by commas, in the spelling of `known`.

    Raises:
        WrongUsageError: If there are no words, or a word is unknown. The error lists every unknown word.
    """
    spelt = {word.casefold(): word for word in known}
    words = [unicodedata.normalize("NFKC", word).strip() for word in raw.replace("、", ",").split(",")]
    WrongUsageError.raise_if_any(
        Problem(
            tr("{option}: {word!r} is not a valid choice", option=option, word=word[:40]), hint=near(word[:40], known)
        )
        for word in words
        if word and word.casefold() not in spelt
    )
    found = list(dict.fromkeys(spelt[word.casefold()] for word in words if word))
    if not found:
        raise WrongUsageError(tr("{option} is empty", option=option), hint=accepted_words([*known]))
    return found


def complete_words(raw: str, known: Iterable[str]) -> list[str]:
    """Return the shell's completions for the last of several words. Words that were already entered are omitted."""
    before, comma, last = raw.rpartition(",")
    there = before.split(",")
    return [f"{before}{comma}{word}" for word in known if word.startswith(last) and word not in there]


def completer(known: Callable[[], Iterable[str]]) -> Callable[[click.Context, click.Parameter, str], list[str]]:
    """Return a completion function for these names, for use by the shell."""
    return lambda ctx, param, incomplete: [name for name in known() if name.startswith(incomplete)]


complete_games = completer(games.names)
"""A function that returns the shell's completions for the name of a game."""
game_argument = click.argument(
    "game", required=False, metavar="[GAME]", callback=given_or_default_game, shell_complete=complete_games
)
seed_option = click.option("--seed", metavar="CODE")
_JOBS = click.option("--jobs", metavar="N", type=click.IntRange(1, MAX_PROCESSES), envvar=JOBS_VARIABLE)
_CLUSTER = click.option("--cluster", metavar="ADDRESS", callback=lambda ctx, param, value: value and address(value))


def workers_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add --jobs and --cluster to a command, which receives the resulting workers as `workers`."""

    @wraps(command)
    def bundled(jobs: int | None, cluster: str | None, **values: Any) -> None:
        command(workers=Workers(jobs or processes_available(), cluster or ""), **values)

    made: Callable[..., None] = _JOBS(_CLUSTER(bundled))
    return made


def make_request(game: Game[Any], seed: str | None, values: dict[str, Any]) -> Request:
    """Return a request with the given or a new code and with the game's options.

    `values` are the command's parameters.
    """
    options: dict[str, str] = {}
    files: dict[str, Path] = {}
    for option in game.options:
        value = values.get(field_name(option.name))
        if isinstance(value, Path):
            options[option.name], files[option.name] = value.name, value
        elif value is not None:
            options[option.name] = str(value)
    return Request(parse_seed(seed), options, files)


def parse_seed(raw: str | None) -> str:
    """Return the given code in its printed form, or a new code if none is given."""
    return new_code() if raw is None else _parse_typed_code(raw)


def _parse_typed_code(raw: str) -> str:
    """Parse a code as entered.

    Raises:
        WrongUsageError: If the code is invalid or ends with a +, which pages add if options belong to the code.
    """
    plain = unicodedata.normalize("NFKC", raw).strip()
    if not plain.endswith("+"):
        try:
            return parse_code(raw)
        except WrongUsageError as error:
            (problem,) = error.problems
            new = tr("copy it from a page of the scenario; without a code, Muster draws a new scenario")
            raise WrongUsageError(problem.message, hint=problem.hint or new) from None
    code = parse_code(plain.rstrip("+"))
    message = tr("{code}+ is not complete; the + means that the scenario was drawn with options", code=code)
    hint = tr("use the whole command on the cover; {code} alone draws a different battle", code=code)
    raise WrongUsageError(message, hint=hint)
