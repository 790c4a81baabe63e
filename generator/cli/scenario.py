"""Read scenario files, and name the command that makes one again."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Literal

import click
import msgspec
from msgspec.structs import replace

from generator import games
from generator.cli import request
from generator.common.game import Game, SightTool
from generator.common.proof import Held, verified
from generator.errors import DataError, MusterError, Problem, WrongUsageError, near
from generator.localization import tr
from generator.model.scenario import Origin, Request
from generator.model.views import Kit
from generator.notation import envelope, toml
from generator.notation.text import NAME_LIMIT, Options, command, kit_command, stamp
from generator.notation.toml import Source
from generator.rules import Report, check
from generator.seeds import is_current
from generator.store.folders import (
    folder_of,
    is_file,
    is_folder,
    is_stream,
    is_there,
    shipped_path,
)

SUFFIX = ".toml"
SCENARIO = f"scenario{SUFFIX}"


class Loaded(msgspec.Struct, frozen=True):
    """A scenario with its game, its text and the check's report."""

    game: Game[Any]
    scenario: Any
    text: str
    report: Report

    def verified(self, what: Literal["checked", "printed"]) -> Held:
        """What the check, or whatever is printed, rests on of sight, held against Shapely."""
        sight: SightTool[Any] | None = self.game.sight
        if sight is None:
            return ()
        return verified((sight.claims.checked if what == "checked" else sight.claims.printed)(self.scenario))

    def watched(self, telling: Callable[[Any], object]) -> Held:
        """What something that is told of it rests on of sight, held against Shapely."""
        sight: SightTool[Any] | None = self.game.sight
        return verified(sight.claims.watched(self.scenario, telling)) if sight else ()

    @property
    def stamp(self) -> str:
        """What stands on every page: the code (with + where wishes belong to it), or a content hash."""
        origin: Origin = self.scenario.origin
        if not origin.code:
            return envelope.content_hash(self.game.write(self.scenario))
        return stamp(origin.code, origin.options)


def examined(game: Game[Any], scenario: Any) -> Loaded:
    """A scenario, written down and checked."""
    text = envelope.compose(scenario.origin, game.write(scenario))
    return Loaded(game, scenario, text, check(game.rules, scenario, game.mode(scenario)))


def load(path: Path) -> Loaded:
    """Read and check a scenario file; DataError where it cannot be read."""
    if hint := _no_file(path):
        raise DataError(Problem(tr("no such file"), str(path), hint=hint))
    return told_by(_source(path), folder_of(path))


def told_by(source: Source, folder: Path) -> Loaded:
    """What a scenario file says, checked; the user's files lie in the folder. DataError where it cannot be read."""
    head = envelope.head(source)
    game = _game(source, head)
    origin = envelope.origin(head)
    scenario = game.read(source, origin, folder)
    if not envelope.sealed(head, game.write(scenario)):
        # A person wrote or changed it: the code no longer rebuilds it.
        scenario = replace(scenario, origin=replace(origin, code="", version="", options={}))
    loaded = examined(game, scenario)
    report = msgspec.structs.replace(loaded.report.placed(source.line), follows=tuple(game.follows(scenario)))
    return msgspec.structs.replace(loaded, report=report)


def _source(path: Path) -> Source:
    try:
        return Source.open(path)
    except DataError as error:
        if path.suffix == SUFFIX or is_stream(path):
            raise
        hint = tr("if it is a scenario, its name must end in {suffix}", suffix=SUFFIX)
        raise DataError(*(problem.but(hint=problem.hint or hint) for problem in error.problems)) from error


def _no_file(path: Path) -> str:
    """What to do where a game or another argument stands in a scenario file's place; empty where none does."""
    if is_there(path) or is_folder(path):
        return ""
    if str(path) in games.names():
        return tr("it is a game; `muster draw {path}` writes a {scenario}", path=path, scenario=SCENARIO)
    if context := click.get_current_context(silent=True):
        usage = " ".join([context.command_path, *context.command.collect_usage_pieces(context)[1:]])
        if any(isinstance(value, str) and is_file(Path(value)) for value in context.params.values()):
            return tr("the file comes first; usage: {usage}", usage=usage)
    return ""


def _game(source: Source, head: envelope.Head) -> Game[Any]:
    """The game of a scenario file, which must know the wishes that stand in it."""
    if head.game not in games.names():
        hint = near(head.game[:NAME_LIMIT], games.names())
        raise DataError(source.problem(("muster", "game"), tr("no game {game!r}", game=head.game[:NAME_LIMIT]), hint))
    game = games.load(head.game)
    problems = [
        source.problem(("muster", *keys), told, hint)
        for keys, told, hint in game.unknown_options(head.options, head.files)
    ]
    if head.code and not re.fullmatch("[0-9A-Z]{5}-[0-9A-Z]{5}", head.code):
        problems.append(
            source.problem(("muster", "code"), tr("is not a code"), tr("omit it in a file that you write yourself"))
        )
    if not re.fullmatch(r"[0-9A-Za-z.+-]{0,40}", head.version):
        problems.append(source.problem(("muster", "version"), tr("is not a version")))
    DataError.raise_if_any(problems)
    return game


def by_hand(loaded: Loaded, name: str) -> Source:
    """A scenario's whole file as Muster writes it, without the code that a change would take from it."""
    origin = replace(loaded.scenario.origin, code="", version="", options={})
    return Source(name, envelope.compose(origin, loaded.game.write(loaded.scenario)))


def user_files(loaded: Loaded, folder: Path) -> dict[str, Path]:
    """The files a scenario was drawn with, which lie beside it; DataError where one does not, or is another."""
    found: dict[str, Path] = {}
    for wish, file in loaded.scenario.origin.files.items():
        if fault := envelope.file_fault(file, folder):
            raise DataError(Problem(fault, str(folder), hint=envelope.FILE_HINT))
        found[wish] = folder / file.name
    return found


def copies(sources: Mapping[str, Path], taken: Iterable[str]) -> dict[str, bytes]:
    """The user's files, by wish, as copies under their bare names; none of these may be taken."""
    found: dict[str, bytes] = {}
    for wish, path in sources.items():
        if path.name.casefold() in {name.casefold() for name in (*taken, *found)}:
            hint = tr("copies of your files are placed next to the scenario: give this one another name")
            raise WrongUsageError(
                tr("--{wish}: there would be two files named {name}", wish=wish, name=path.name), hint=hint
            )
        found[path.name] = path.read_bytes()
    return found


def rebuild(loaded: Loaded, options: Options) -> str:
    """The whole command that makes this kit again, to be run in the kit's own folder.

    The kit holds a copy of each of the user's files, and the command names these by their bare names;
    `options` are the print options. What an earlier generation of codes drew is printed from its file.
    """
    origin: Origin = loaded.scenario.origin
    if is_current(origin.code):
        return kit_command(origin.game, origin.code, {**origin.options, **options})
    return command(["muster", "print", SCENARIO], options)


class _Gallery(msgspec.Struct, frozen=True):
    code: str


def sample(game: Game[Any]) -> Kit:
    """The kit that the gallery shows."""
    code = toml.read(shipped_path("data") / "gallery.toml", _Gallery).code
    loaded = examined(game, game.draw(Request(code, {}, {})))
    return game.kit(loaded.scenario, loaded.report, loaded.stamp, "")


def parts_beginning(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """The parts that go on from what is typed, for the shell: of the command's game, or of the file's."""
    try:
        # Click leaves the file among the rest, as the option behind it has no value yet.
        game = ctx.meta.get(request.GAME) or load(Path(next(iter(ctx.args), ""))).game
        return request.going_on(incomplete, sample(game).parts)
    except MusterError:
        return []
