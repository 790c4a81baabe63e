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
from generator.cli.help import FEW, Kind, Verb
from generator.common.game import Game, GameOption
from generator.common.search import MIRROR
from generator.errors import DataError, Problem, WrongUsageError, accepted_words, describe_error, near
from generator.localization import tr
from generator.model.scenario import Request
from generator.notation import toml
from generator.notation.option_names import field_name, option_flag
from generator.notation.text import file_name_fault, name_fault, name_hint, visible
from generator.seeds import new_code, parse_code
from generator.store.folders import is_file, is_stream, missing, read, shipped_path
from generator.store.write import temporary_folder
from generator.workers import JOBS_VARIABLE, MAX_PROCESSES, Workers, address, processes_available

T = TypeVar("T")
GAME = "generator.game"
"""Where a command's context keeps its game."""


def default_game() -> str:
    """The game that is meant when none is named: a key of data/muster.toml."""
    return str(toml.read(shipped_path("data") / "muster.toml", dict[str, str])["default_game"])


class GameCommand(Verb):
    """A command whose game, named or not, decides which wishes are options."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Find the game first, then parse with its options."""
        whole = self.with_game(ctx, args)
        try:
            return super().parse_args(ctx, whole)
        except click.NoSuchOption as error:
            raise self.elsewhere(ctx, error.option_name) or error from None

    def with_game(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Note the game in the context; return the arguments with a value for each option that stands alone."""
        named = next((a for a in self._bare(args) if a in games.names()), None)
        ctx.meta[GAME] = games.load(named or self.usual(ctx))
        return list(_spelt(args, ctx.meta[GAME]))

    def usual(self, ctx: click.Context) -> str:
        """The game that is meant where none is named."""
        return default_game()

    def elsewhere(self, ctx: click.Context, option: str) -> click.UsageError | None:
        """What to say of an option that only other games have; None where none has it."""
        able = [
            name for name in games.names() if option in {option_flag(wish.name) for wish in games.load(name).options}
        ]
        if not able:
            return None
        *others, last = able
        who = tr("{others} and {last} take", others=[*others], last=last) if others else tr("{last} takes", last=last)
        hint = tr(
            "{who} it: {command_path} {able} {option} …",
            who=who,
            command_path=ctx.command_path,
            able=able[0],
            option=option,
        )
        return click.UsageError(
            tr("{name} has no {option}; {hint}", name=ctx.meta[GAME].name, option=option, hint=hint), ctx
        )

    def _bare(self, args: list[str]) -> Iterator[str]:
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
        *own, helping = super().get_params(ctx)
        game: Game[Any] = ctx.meta.get(GAME) or games.load(default_game())
        idle = {
            name for name, used in (("until", game.stops), ("asking", game.stops), ("seat", game.seats)) if not used
        }
        own = [param for param in own if param.name not in idle]
        return [*own, *(wish_option(wish) for wish in game.options), helping]


class WishType(Kind):
    """A wish's value: one of its words, a file, or free text."""

    def __init__(self, wish: GameOption, streams: bool = False) -> None:
        self.wish, self.streams = wish, streams
        self.name = "|".join(wish.choices) if 0 < len(wish.choices) <= FEW else wish.metavar
        if len(wish.choices) > FEW:
            plain = "N" if wish.span else "NAME" if wish.metavar == "TEXT" else wish.metavar
            self.name = f"{plain}|FILE" if wish.file else plain

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        """What stands behind the option in the help."""
        return self.name if "|" not in self.name or self.wish.file else f"[{self.name}]"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The value as typed, or an error with its near match."""
        wish = self.wish
        plain = unicodedata.normalize("NFKC", value).strip().casefold()
        if chosen := next((choice for choice in wish.choices if choice.casefold() == plain), None):
            return chosen
        if not (wish.choices or wish.file):
            text = unicodedata.normalize("NFC", value.strip())
            if fault := name_fault(text):
                message, hint = tr("it {fault}", fault=fault), name_hint(text)
                self.fail(tr("{problem}; {hint}", problem=message, hint=hint) if hint else message, param, ctx)
            return text
        if wish.pattern and re.fullmatch(wish.pattern, plain):
            return plain
        if wish.file and is_stream(Path(value)):
            return self._caught(Path(value), ctx)
        if wish.file and is_file(Path(value)):
            return self._own(Path(value), param, ctx)
        if wish.file and (not wish.choices or Path(value).suffix or Path(value).name != value):
            none = missing(Path(value), ".toml", visible(value))
            file_told = tr("{message}: {file}", message=none.message, file=none.file)
            self.fail(
                tr("{problem}; {hint}", problem=file_told, hint=none.hint) if none.hint else file_told, param, ctx
            )
        return self.fail(
            tr("{value!r} is not valid; {hint}", value=value, hint=near(value, wish.choices)), param, ctx
        )

    def _caught(self, path: Path, ctx: click.Context | None) -> Path:
        """What came through a stream, as a file of the wish's name to keep a copy of; Click removes it."""
        if self.streams or not ctx:
            return path
        try:
            content = read(path, toml.FILE_LIMIT)
        except OSError as error:
            raise DataError(
                Problem(tr("cannot be read: {reason}", reason=describe_error(error)), str(path))
            ) from None
        name = f"{self.wish.name}.toml"
        return ctx.with_resource(temporary_folder({name: content})) / name

    def _own(self, path: Path, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """A user's file: the kit keeps a copy under its bare name, which must be fit for that."""
        if fault := file_name_fault(path.name):
            self.fail(tr("the file's name {name!r} {fault}", name=path.name[:40], fault=fault), param, ctx)
        if path.name in self.wish.choices:
            self.fail(
                tr("{name!r} is the name of a shipped file; give your file another name", name=path.name), param, ctx
            )
        return path

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
        """The words that go on from what is typed."""
        from click.shell_completion import CompletionItem

        found: list[Any] = [CompletionItem(c) for c in self.wish.choices if c.startswith(incomplete)]
        return found or ([CompletionItem(incomplete, type="file")] if self.wish.file else [])


def wish_option(wish: GameOption, streams: bool = False) -> click.Option:
    """The option of a wish; its file may come through a stream where nobody keeps a copy of it."""
    return click.Option([option_flag(wish.name)], type=WishType(wish, streams))


def _spelt(args: list[str], game: Game[Any]) -> Iterator[str]:
    """The arguments, with its meaning added to each wish that stands alone."""
    alone = {option_flag(wish.name): wish for wish in game.options if wish.flag_value}
    for arg, after in zip_longest(args, args[1:], fillvalue=""):
        wish = alone.get(arg)
        yield f"{arg}={wish.flag_value}" if wish and after.casefold() not in wish.choices else arg


def capability(game: Game[Any], has: Callable[[Game[Any]], T | None], lacks: str) -> T:
    """What a game has; where it has nothing, WrongUsageError says what it lacks and which games have it."""
    if found := has(game):
        return found
    able = [name for name in games.names() if has(games.load(name))]
    hint = tr("games that have: {able}", able=[*able]) if able else tr("no game has")
    raise WrongUsageError(tr("{game} {lacks}", game=game.name, lacks=lacks), hint=hint)


def known_game(name: str) -> Game[Any]:
    """The game of that name; BadParameter with the near match, and for what else it may be."""
    if name in games.names():
        return games.load(name)
    hint = near(name, games.names())
    if is_file(Path(name)):
        hint = tr("it is a file; try: muster print {name}", name=name)
    elif re.fullmatch("[0-9A-Za-z]{5}-[0-9A-Za-z]{5}", name):
        hint = tr("it is a code; try: --seed {name}", name=name)
    raise click.BadParameter(tr("no game {name!r}; {hint}", name=visible(name), hint=hint))


def named_game(ctx: click.Context, param: click.Parameter, value: str | None) -> Game[Any]:
    """The game that is named, else the command's own, else the default game."""
    found: Game[Any] | None = ctx.meta.get(GAME) if value is None else None
    return found or known_game(value or default_game())


def chosen(typed: str, known: Mapping[str, object], option: str) -> list[str]:
    """The words typed by comma, as they are known; WrongUsageError with each near match."""
    spelt = {word.casefold(): word for word in known}
    words = [unicodedata.normalize("NFKC", word).strip() for word in typed.replace("、", ",").split(",")]
    WrongUsageError.raise_if_any(
        Problem(tr("{option}: no {word!r}", option=option, word=word[:40]), hint=near(word[:40], known))
        for word in words
        if word and word.casefold() not in spelt
    )
    found = list(dict.fromkeys(spelt[word.casefold()] for word in words if word))
    if not found:
        raise WrongUsageError(tr("{option} is empty", option=option), hint=accepted_words([*known]))
    return found


def going_on(typed: str, known: Iterable[str]) -> list[str]:
    """What is typed by comma, its last word made whole in every way there is; no word comes twice."""
    before, comma, last = typed.rpartition(",")
    there = before.split(",")
    return [f"{before}{comma}{word}" for word in known if word.startswith(last) and word not in there]


def beginning(known: Callable[[], Iterable[str]]) -> Callable[[click.Context, click.Parameter, str], list[str]]:
    """Those of what is known that go on from what is typed, for the shell."""
    return lambda ctx, param, incomplete: [name for name in known() if name.startswith(incomplete)]


games_beginning = beginning(games.names)
"""The games whose names go on from what is typed."""
game_argument = click.argument(
    "game", required=False, metavar="[GAME]", callback=named_game, shell_complete=games_beginning
)
seed_option = click.option("--seed", metavar="CODE")
_JOBS = click.option("--jobs", metavar="N", type=click.IntRange(1, MAX_PROCESSES), envvar=JOBS_VARIABLE)
_CLUSTER = click.option("--cluster", metavar="ADDRESS", callback=lambda ctx, param, value: value and address(value))


def workers_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options that say who does long work, and hand it whoever that is as `workers`."""

    @wraps(command)
    def bundled(jobs: int | None, cluster: str | None, **values: Any) -> None:
        command(workers=Workers(jobs or processes_available(), cluster or ""), **values)

    made: Callable[..., None] = _JOBS(_CLUSTER(bundled))
    return made


def requested(game: Game[Any], seed: str | None, values: dict[str, Any]) -> Request:
    """What was asked for: the code typed or a new one, and every wish; `values` are Click's."""
    wishes: dict[str, str] = {}
    files: dict[str, Path] = {}
    for wish in game.options:
        value = values.get(field_name(wish.name))
        if isinstance(value, Path):
            wishes[wish.name], files[wish.name] = value.name, value
        elif value is not None:
            wishes[wish.name] = str(value)
    return Request(code(seed), wishes, files)


def code(typed: str | None) -> str:
    """The code typed, or a new one."""
    return new_code() if typed is None else _code(typed)


def _code(typed: str) -> str:
    """A code as typed; one copied from a page may bear the + that stands for wishes."""
    plain = unicodedata.normalize("NFKC", typed).strip()
    if not plain.endswith("+"):
        return parse_code(typed)
    code = parse_code(plain.rstrip("+"))
    message = tr("{code}+ is not complete: the + means that options belong to the code", code=code)
    hint = tr("the cover shows the whole command; {code} by itself draws another battle", code=code)
    raise WrongUsageError(message, hint=hint)
