"""Arguments that several verbs share: the game, and its wishes as options."""

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
from generator.common.game import Game, Wish
from generator.common.search import MIRROR
from generator.errors import DataError, Problem, WrongUsageError, accepted_words, near, why
from generator.model.scenario import Request
from generator.notation import toml
from generator.notation.option_names import field_name, option_flag
from generator.notation.text import file_name_fault, name_fault, shown
from generator.said import say
from generator.seeds import new_code, parse_code
from generator.store.folders import is_file, is_stream, missing, read, shipped
from generator.store.write import for_now
from generator.workers import JOBS, MOST, Workers, address, cores

T = TypeVar("T")
GAME = "generator.game"
"""Where a command's context keeps its game."""


def default_game() -> str:
    """The game that is meant when none is named: a key of data/muster.toml."""
    return str(toml.read(shipped("data") / "muster.toml", dict[str, str])["default_game"])


class GameCommand(Verb):
    """A command whose game, named or not, decides which wishes are options."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Find the game first, then parse with its options."""
        whole = self.with_game(ctx, args)
        try:
            return super().parse_args(ctx, whole)
        except click.NoSuchOption as error:
            raise self.option_elsewhere(ctx, error.option_name) or error from None

    def with_game(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Note the game in the context; return the arguments with a value for each option that stands alone."""
        game_name = next((a for a in self._positional(args) if a in games.names()), None)
        ctx.meta[GAME] = games.load(game_name or self.fallback_game(ctx))
        return list(_with_lone_values(args, ctx.meta[GAME]))

    def fallback_game(self, ctx: click.Context) -> str:
        """The game that is meant where none is named."""
        return default_game()

    def option_elsewhere(self, ctx: click.Context, option: str) -> click.UsageError | None:
        """What to say of an option that only other games have; None where none has it."""
        able = [
            name
            for name in games.names()
            if option in {option_flag(option.name) for option in games.load(name).wishes}
        ]
        if not able:
            return None
        *others, last = able
        who = (
            say("{others} and {last} take", others=[*others], last=last) if others else say("{last} takes", last=last)
        )
        hint = say(
            "{who} it: {command_path} {able} {option} …",
            who=who,
            command_path=ctx.command_path,
            able=able[0],
            option=option,
        )
        return click.UsageError(
            say("{name} has no {option}; {hint}", name=ctx.meta[GAME].name, option=option, hint=hint), ctx
        )

    def _positional(self, args: list[str]) -> Iterator[str]:
        """The arguments that are no options and no values of options: a board may be called like a game."""
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
        """The command's own options, then the game's wishes, then --help."""
        *params, help_option = super().get_params(ctx)
        game: Game[Any] = ctx.meta.get(GAME) or games.load(default_game())
        idle = {
            name for name, used in (("until", game.stops), ("asking", game.stops), ("seat", game.seats)) if not used
        }
        params = [param for param in params if param.name not in idle]
        return [*params, *(game_option(option) for option in game.wishes), help_option]


class GameOptionType(ParamType):
    """A wish's value: one of its words, a file, or free text."""

    def __init__(self, option: Wish, streams: bool = False) -> None:
        self.option, self.streams = option, streams
        self.name = "|".join(option.choices) if 0 < len(option.choices) <= MAX_LISTED_CHOICES else option.metavar
        if len(option.choices) > MAX_LISTED_CHOICES:
            label = "N" if option.span else "NAME" if option.metavar == "TEXT" else option.metavar
            self.name = f"{label}|FILE" if option.file else label

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        """What stands behind the option in the help."""
        return self.name if "|" not in self.name or self.option.file else f"[{self.name}]"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The value as typed, or an error with its near match."""
        option = self.option
        plain = unicodedata.normalize("NFKC", value).strip().casefold()
        if chosen := next((choice for choice in option.choices if choice.casefold() == plain), None):
            return chosen
        if not (option.choices or option.file):
            text = unicodedata.normalize("NFC", value.strip())
            return self.fail(say("it {fault}", fault=fault), param, ctx) if (fault := name_fault(text)) else text
        if option.pattern and re.fullmatch(option.pattern, plain):
            return plain
        if option.file and is_stream(Path(value)):
            return self._from_stream(Path(value), ctx)
        if option.file and is_file(Path(value)):
            return self._user_file(Path(value), param, ctx)
        if option.file and (not option.choices or Path(value).suffix or Path(value).name != value):
            none = missing(Path(value), ".toml", shown(value))
            file_told = say("{message}: {file}", message=none.message, file=none.file)
            self.fail(
                say("{problem}; {hint}", problem=file_told, hint=none.hint) if none.hint else file_told, param, ctx
            )
        return self.fail(
            say("{value!r} is not valid; {hint}", value=value, hint=near(value, option.choices)), param, ctx
        )

    def _from_stream(self, path: Path, ctx: click.Context | None) -> Path:
        """What came through a stream, as a file of the wish's name to keep a copy of; Click removes it."""
        if self.streams or not ctx:
            return path
        try:
            content = read(path, toml.FILE_LIMIT)
        except OSError as error:
            raise DataError(Problem(say("cannot be read: {reason}", reason=why(error)), str(path))) from None
        name = f"{self.option.name}.toml"
        return ctx.with_resource(for_now({name: content})) / name

    def _user_file(self, path: Path, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """A user's file: the kit keeps a copy under its bare name, which must be fit for that."""
        if fault := file_name_fault(path.name):
            self.fail(say("the file's name {name!r} {fault}", name=path.name[:40], fault=fault), param, ctx)
        if path.name in self.option.choices:
            self.fail(
                say("{name!r} is the name of a shipped file; give your file another name", name=path.name), param, ctx
            )
        return path

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
        """The words that go on from what is typed."""
        from click.shell_completion import CompletionItem

        found: list[Any] = [CompletionItem(c) for c in self.option.choices if c.startswith(incomplete)]
        return found or ([CompletionItem(incomplete, type="file")] if self.option.file else [])


def game_option(option: Wish, streams: bool = False) -> click.Option:
    """The option of a wish; its file may come through a stream where nobody keeps a copy of it."""
    return click.Option([option_flag(option.name)], type=GameOptionType(option, streams))


def _with_lone_values(args: list[str], game: Game[Any]) -> Iterator[str]:
    """The arguments, with its meaning added to each wish that stands alone."""
    alone = {option_flag(option.name): option for option in game.wishes if option.bare}
    for arg, after in zip_longest(args, args[1:], fillvalue=""):
        option = alone.get(arg)
        yield f"{arg}={option.bare}" if option and after.casefold() not in option.choices else arg


def capability(game: Game[Any], has: Callable[[Game[Any]], T | None], lacks: str) -> T:
    """What a game has; where it has nothing, WrongUsageError says what it lacks and which games have it."""
    if found := has(game):
        return found
    able = [name for name in games.names() if has(games.load(name))]
    hint = say("games that have: {able}", able=[*able]) if able else say("no game has")
    raise WrongUsageError(say("{game} {lacks}", game=game.name, lacks=lacks), hint=hint)


def known_game(name: str) -> Game[Any]:
    """The game of that name; BadParameter with the near match, and for what else it may be."""
    if name in games.names():
        return games.load(name)
    hint = near(name, games.names())
    if is_file(Path(name)):
        hint = say("it is a file; try: muster print {name}", name=name)
    elif re.fullmatch("[0-9A-Za-z]{5}-[0-9A-Za-z]{5}", name):
        hint = say("it is a code; try: --seed {name}", name=name)
    raise click.BadParameter(say("no game {name!r}; {hint}", name=shown(name), hint=hint))


def named_game(ctx: click.Context, param: click.Parameter, value: str | None) -> Game[Any]:
    """The game that is named, else the command's own, else the default game."""
    found: Game[Any] | None = ctx.meta.get(GAME) if value is None else None
    return found or known_game(value or default_game())


def parse_words(raw: str, known: Mapping[str, object], option: str) -> list[str]:
    """The words typed by comma, as they are known; WrongUsageError with each near match."""
    spelt = {word.casefold(): word for word in known}
    words = [unicodedata.normalize("NFKC", word).strip() for word in raw.replace("、", ",").split(",")]
    WrongUsageError.if_any(
        Problem(say("{option}: no {word!r}", option=option, word=word[:40]), hint=near(word[:40], known))
        for word in words
        if word and word.casefold() not in spelt
    )
    found = list(dict.fromkeys(spelt[word.casefold()] for word in words if word))
    if not found:
        raise WrongUsageError(say("{option} is empty", option=option), hint=accepted_words([*known]))
    return found


def complete_words(raw: str, known: Iterable[str]) -> list[str]:
    """What is typed by comma, its last word made whole in every way there is; no word comes twice."""
    before, comma, last = raw.rpartition(",")
    there = before.split(",")
    return [f"{before}{comma}{word}" for word in known if word.startswith(last) and word not in there]


def completer(known: Callable[[], Iterable[str]]) -> Callable[[click.Context, click.Parameter, str], list[str]]:
    """Those of what is known that go on from what is typed, for the shell."""
    return lambda ctx, param, incomplete: [name for name in known() if name.startswith(incomplete)]


games_beginning = completer(games.names)
"""The games whose names go on from what is typed."""
game_argument = click.argument(
    "game", required=False, metavar="[GAME]", callback=named_game, shell_complete=games_beginning
)
seed_option = click.option("--seed", metavar="CODE")
_JOBS = click.option("--jobs", metavar="N", type=click.IntRange(1, MOST), envvar=JOBS)
_CLUSTER = click.option("--cluster", metavar="ADDRESS", callback=lambda ctx, param, value: value and address(value))


def workers_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options that say who does long work, and hand it whoever that is as `workers`."""

    @wraps(command)
    def bundled(jobs: int | None, cluster: str | None, **values: Any) -> None:
        command(workers=Workers(jobs or cores(), cluster or ""), **values)

    made: Callable[..., None] = _JOBS(_CLUSTER(bundled))
    return made


def make_request(game: Game[Any], seed: str | None, values: dict[str, Any]) -> Request:
    """What was asked for: the code typed or a new one, and every wish; `values` are Click's."""
    options: dict[str, str] = {}
    files: dict[str, Path] = {}
    for option in game.wishes:
        value = values.get(field_name(option.name))
        if isinstance(value, Path):
            options[option.name], files[option.name] = value.name, value
        elif value is not None:
            options[option.name] = str(value)
    return Request(parse_seed(seed), options, files)


def parse_seed(raw: str | None) -> str:
    """The code typed, or a new one."""
    return new_code() if raw is None else _parse_typed_code(raw)


def _parse_typed_code(raw: str) -> str:
    """A code as typed; one copied from a page may bear the + that stands for wishes."""
    plain = unicodedata.normalize("NFKC", raw).strip()
    if not plain.endswith("+"):
        return parse_code(raw)
    code = parse_code(plain.rstrip("+"))
    message = say("{code}+ is not complete: the + means that options belong to the code", code=code)
    hint = say("the cover shows the whole command; {code} by itself draws another battle", code=code)
    raise WrongUsageError(message, hint=hint)
