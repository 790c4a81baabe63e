"""Read scenario files, and return the commands that print their kits again."""

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
from generator.common.proof import Verifications, verify_claims
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
"""The name of the scenario file in the folder of a kit."""


class Loaded(msgspec.Struct, frozen=True):
    """A scenario with its game, its text, and the report of its check."""

    game: Game[Any]
    scenario: Any
    text: str
    report: Report

    def verify_sight(self, what: Literal["checked", "printed"]) -> Verifications:
        """Verify with Shapely the lines of sight on which the check or the printed pages depend."""
        sight: SightTool[Any] | None = self.game.sight
        if sight is None:
            return ()
        return verify_claims((sight.claims.checked if what == "checked" else sight.claims.printed)(self.scenario))

    def verify_sight_while(self, action: Callable[[Any], object]) -> Verifications:
        """Verify with Shapely the lines of sight that are computed while `action` runs on the scenario."""
        sight: SightTool[Any] | None = self.game.sight
        return verify_claims(sight.claims.watched(self.scenario, action)) if sight else ()

    @property
    def stamp(self) -> str:
        """The mark on every page: the code, with a + if it has options, or the content hash if there is no code."""
        origin: Origin = self.scenario.origin
        if not origin.code:
            return envelope.content_hash(self.game.write(self.scenario))
        return stamp(origin.code, origin.options)


def examine(game: Game[Any], scenario: Any) -> Loaded:
    """Check a scenario and return it with its text and the report."""
    text = envelope.compose(scenario.origin, game.write(scenario))
    return Loaded(game, scenario, text, check(game.rules, scenario, game.mode(scenario)))


def load(path: Path) -> Loaded:
    """Read and check a scenario file.

    Raises:
        DataError: If the file cannot be read.
    """
    if hint := _missing_file_hint(path):
        raise DataError(Problem(tr("no such file"), str(path), hint=hint))
    return read_scenario(_open_source(path), folder_of(path))


def read_scenario(source: Source, folder: Path) -> Loaded:
    """Read and check the text of a scenario, with the user's files in `folder`.

    Raises:
        DataError: If the text or a file cannot be read.
    """
    try:
        head = envelope.head(source)
        game = _game_of_head(source, head)
    except DataError as error:
        raise DataError(*dict.fromkeys((*error.problems, *_body_problems(source, folder)))) from error
    origin = envelope.origin_of_head(head)
    scenario = game.read(source, origin, folder)
    if not envelope.is_as_drawn(head, game.write(scenario)):
        # A person wrote or changed the file, so the code no longer generates this scenario.
        scenario = replace(scenario, origin=replace(origin, code="", version="", options={}))
    loaded = examine(game, scenario)
    report = msgspec.structs.replace(loaded.report.placed(source.line), follows=tuple(game.follows(scenario)))
    return msgspec.structs.replace(loaded, report=report)


def _body_problems(source: Source, folder: Path) -> tuple[Problem, ...]:
    """Return the faults outside the `[muster]` table of a file whose `[muster]` table is faulty.

    The result is empty if the table does not name a game, names a format that this version cannot read, or lists
    the user's files in a wrong form.
    """
    head = source.data.get("muster")
    if not isinstance(head, dict) or head.get("game") not in games.names():
        return ()
    if head.get("format", envelope.FORMAT) != envelope.FORMAT:
        return ()
    game = games.load(head["game"])
    try:
        files = envelope.user_files(head.get("files", {}))
        game.read(source, Origin(game.name, files=files), folder)
    except msgspec.ValidationError:
        return ()
    except DataError as error:
        return error.problems
    return ()


def _open_source(path: Path) -> Source:
    try:
        return Source.open(path)
    except DataError as error:
        if path.suffix == SUFFIX or is_stream(path):
            raise
        hint = tr("the name of a scenario file must end in {suffix}", suffix=SUFFIX)
        raise DataError(*(problem.but(hint=problem.hint or hint) for problem in error.problems)) from error


def _missing_file_hint(path: Path) -> str:
    """Return a hint if a game or another argument was given instead of a scenario file, or an empty string."""
    if is_there(path) or is_folder(path):
        return ""
    if str(path) in games.names():
        return tr("{path} is a game; `muster draw {path}` writes a {scenario}", path=path, scenario=SCENARIO)
    if context := click.get_current_context(silent=True):
        usage = " ".join([context.command_path, *context.command.collect_usage_pieces(context)[1:]])
        if any(isinstance(value, str) and is_file(Path(value)) for value in context.params.values()):
            return tr("give the file first; usage: {usage}", usage=usage)
    return ""


def _game_of_head(source: Source, head: envelope.Head) -> Game[Any]:
    """Return the game of a scenario file.

    Raises:
        DataError: If the game, an option, the code or the version is invalid.
    """
    if head.game not in games.names():
        hint = near(head.game[:NAME_LIMIT], games.names())
        raise DataError(
            source.problem(
                ("muster", "game"), tr("there is no game named {game!r}", game=head.game[:NAME_LIMIT]), hint
            )
        )
    game = games.load(head.game)
    problems = [
        source.problem(("muster", *keys), message, hint)
        for keys, message, hint in game.unknown_options(head.options, head.files)
    ]
    if head.code and not re.fullmatch("[0-9A-Z]{5}-[0-9A-Z]{5}", head.code):
        problems.append(
            source.problem(
                ("muster", "code"), tr("is not a code"), tr("omit the code in a file that you write yourself")
            )
        )
    if not re.fullmatch(r"[0-9A-Za-z.+-]{0,40}", head.version):
        problems.append(source.problem(("muster", "version"), tr("is not a version number")))
    DataError.raise_if_any(problems)
    return game


def as_handwritten(loaded: Loaded, name: str) -> Source:
    """Return the file of a scenario as Muster writes it, without the code, which would be wrong after a change."""
    origin = replace(loaded.scenario.origin, code="", version="", options={})
    return Source(name, envelope.compose(origin, loaded.game.write(loaded.scenario)))


def user_files(loaded: Loaded, folder: Path) -> dict[str, Path]:
    """Return the user files of a scenario, keyed by option.

    Raises:
        DataError: If a file is missing in `folder` or was changed.
    """
    found: dict[str, Path] = {}
    for option, file in loaded.scenario.origin.files.items():
        if fault := envelope.file_fault(file, folder):
            raise DataError(Problem(fault, str(folder), hint=envelope.FILE_HINT))
        found[option] = folder / file.name
    return found


def file_copies(sources: Mapping[str, Path], taken: Iterable[str]) -> dict[str, bytes]:
    """Return copies of the user's files, keyed by name.

    Raises:
        WrongUsageError: If a name is in `taken` or is used twice.
    """
    found: dict[str, bytes] = {}
    for option, path in sources.items():
        if path.name.casefold() in {name.casefold() for name in (*taken, *found)}:
            hint = tr("copies of your files are placed next to the scenario, so give this file another name")
            raise WrongUsageError(
                tr("--{key}: two files would have the name {name}", key=option, name=path.name), hint=hint
            )
        found[path.name] = path.read_bytes()
    return found


def rebuild_command(loaded: Loaded, options: Options) -> str:
    """Return the command that prints a kit again, to be run in the kit's folder.

    The kit contains copies of the user's files, so the command names them without a folder. `options` are the
    print options. A scenario with a code of an earlier generation is printed from its file.
    """
    origin: Origin = loaded.scenario.origin
    if is_current(origin.code):
        return kit_command(origin.game, origin.code, {**origin.options, **options})
    return command(["muster", "print", SCENARIO], options)


class _Gallery(msgspec.Struct, frozen=True):
    code: str


def sample_kit(game: Game[Any]) -> Kit:
    """Return the kit of the gallery's example scenario."""
    code = toml.read(shipped_path("data") / "gallery.toml", _Gallery).code
    loaded = examine(game, game.draw(Request(code, {}, {})))
    return game.kit(loaded.scenario, loaded.report, loaded.stamp, "")


def complete_parts(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Return the shell's completions for --parts, depending on the game of the command or of its file."""
    try:
        # Click leaves the file among the remaining words, because the option after it has no value yet.
        game = ctx.meta.get(request.GAME) or load(Path(next(iter(ctx.args), ""))).game
        return request.complete_words(incomplete, sample_kit(game).parts)
    except MusterError:
        return []
