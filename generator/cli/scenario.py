"""Scenario files and logs on the command line: reading, naming, rebuilding.

Scenario files on the command line: reading, naming, rebuilding.

A game's kit as an example, from which to tell what kits are made of.

Logs of play on the command line: reading them, and finding the scenario they belong to.

What searching for a fair scenario, and mirroring, ask of the verbs that draw; scenarios by the dozen.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Literal, NamedTuple

import click
import msgspec
from msgspec.structs import replace

from generator import games
from generator.cli import console, request
from generator.common.fairness import certificate, certificate_line
from generator.common.game import Game, Logbook, SightTool
from generator.common.proof import Held, verified
from generator.common.scenario_file import stated
from generator.common.search import ALONE, FAIR, MIRROR, candidates, fair_names, fair_steps, sought
from generator.errors import DataError, MusterError, NothingLegalError, Problem, WrongUsageError, near
from generator.model.scenario import Origin, Request
from generator.model.views import Kit
from generator.model.words import Lang, Words, same
from generator.notation import envelope, toml
from generator.notation.text import NAME_LIMIT, Options, command, kit_command, stamp
from generator.notation.toml import Source
from generator.rules import Report, check
from generator.said import default_lang, say
from generator.seeds import is_current
from generator.store.folders import (
    beside,
    decoded,
    is_file,
    is_folder,
    is_stream,
    is_there,
    line_of,
    missing,
    read_within,
    shipped,
)
from generator.workers import Workers

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
        return verified((sight.told.checked if what == "checked" else sight.told.printed)(self.scenario))

    def watched(self, telling: Callable[[Any], object]) -> Held:
        """What something that is told of it rests on of sight, held against Shapely."""
        sight: SightTool[Any] | None = self.game.sight
        return verified(sight.told.watched(self.scenario, telling)) if sight else ()

    @property
    def stamp(self) -> str:
        """What stands on every page: the code (with + where wishes belong to it), or a content hash."""
        origin: Origin = self.scenario.origin
        if not origin.code:
            return envelope.content_hash(self.game.write(self.scenario))
        return stamp(origin.code, origin.wishes)


def examined(game: Game[Any], scenario: Any) -> Loaded:
    """A scenario, written down and checked."""
    text = envelope.compose(scenario.origin, game.write(scenario))
    return Loaded(game, scenario, text, check(game.rules, scenario, game.mode(scenario)))


def load(path: Path) -> Loaded:
    """Read and check a scenario file; DataError where it cannot be read."""
    if hint := _no_file(path):
        raise DataError(Problem(say("no such file"), str(path), hint=hint))
    return told_by(_source(path), beside(path))


def told_by(source: Source, folder: Path) -> Loaded:
    """What a scenario file says, checked; the user's files lie in the folder. DataError where it cannot be read."""
    head = envelope.head(source)
    game = _game(source, head)
    origin = envelope.origin(head)
    scenario = game.read(source, origin, folder)
    if not envelope.sealed(head, game.write(scenario)):
        # A person wrote or changed it: the code no longer rebuilds it.
        scenario = replace(scenario, origin=replace(origin, code="", version="", wishes={}))
    loaded = examined(game, scenario)
    report = msgspec.structs.replace(loaded.report.placed(source.line), follows=tuple(game.follows(scenario)))
    return msgspec.structs.replace(loaded, report=report)


def _source(path: Path) -> Source:
    try:
        return Source.open(path)
    except DataError as error:
        if path.suffix == SUFFIX or is_stream(path):
            raise
        hint = say("is it a scenario? Their names end in {suffix}", suffix=SUFFIX)
        raise DataError(*(problem.but(hint=problem.hint or hint) for problem in error.problems)) from error


def _no_file(path: Path) -> str:
    """What to do where a game or another argument stands in a scenario file's place; empty where none does."""
    if is_there(path) or is_folder(path):
        return ""
    if str(path) in games.names():
        return say("it is a game: `muster draw {path}` makes a {scenario} of it", path=path, scenario=SCENARIO)
    if context := click.get_current_context(silent=True):
        usage = " ".join([context.command_path, *context.command.collect_usage_pieces(context)[1:]])
        if any(isinstance(value, str) and is_file(Path(value)) for value in context.params.values()):
            return say("the file comes first: {usage}", usage=usage)
    return ""


def _game(source: Source, head: envelope.Head) -> Game[Any]:
    """The game of a scenario file, which must know the wishes that stand in it."""
    if head.game not in games.names():
        hint = near(head.game[:NAME_LIMIT], games.names())
        raise DataError(
            source.problem(("muster", "game"), say("no game {game!r}", game=head.game[:NAME_LIMIT]), hint)
        )
    game = games.load(head.game)
    problems = [
        source.problem(("muster", *keys), told, hint) for keys, told, hint in game.strange(head.wishes, head.files)
    ]
    if head.code and not re.fullmatch("[0-9A-Z]{5}-[0-9A-Z]{5}", head.code):
        problems.append(
            source.problem(("muster", "code"), say("is no code"), say("leave it out of a file you wrote"))
        )
    if not re.fullmatch(r"[0-9A-Za-z.+-]{0,40}", head.version):
        problems.append(source.problem(("muster", "version"), say("is no version")))
    DataError.if_any(problems)
    return game


def by_hand(loaded: Loaded, name: str) -> Source:
    """A scenario's whole file as Muster writes it, without the code that a change would take from it."""
    origin = replace(loaded.scenario.origin, code="", version="", wishes={})
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
            hint = say("copies of your files lie beside the scenario: give it another name")
            raise WrongUsageError(
                say("--{wish}: there would be two files called {name}", wish=wish, name=path.name), hint=hint
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
        return kit_command(origin.game, origin.code, {**origin.wishes, **options})
    return command(["muster", "print", SCENARIO], options)


class _Gallery(msgspec.Struct, frozen=True):
    code: str


def sample(game: Game[Any]) -> Kit:
    """The kit that the gallery shows."""
    code = toml.read(shipped("data") / "gallery.toml", _Gallery).code
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


LIMIT = 1 << 22
"""Bytes of a log that are read: a long game with all its talk has a hundred times less."""

scenario_option = click.option(
    "--scenario",
    metavar="FILE",
    type=click.Path(path_type=Path),
)


class Read(NamedTuple):
    """A log with its scenario."""

    loaded: Loaded
    book: Logbook[Any]
    text: str


def read(log: Path, scenario: Path | None) -> Read:
    """A log and its scenario; DataError where one cannot be read."""
    text = log_text(log)
    path = scenario or beside(log) / SCENARIO
    if scenario is None and not is_file(path):
        raise WrongUsageError(
            say("no {scenario} beside {name}", scenario=SCENARIO, name=log.name),
            hint=say("name it with --scenario FILE"),
        )
    loaded = load(path)
    return Read(loaded, logbook(loaded), text)


def log_text(log: Path) -> str:
    """A log's text, in UTF-8 with or without its mark, or as Japanese Windows writes it."""
    if not is_there(log):
        raise DataError(missing(log, ".txt"))
    if log.suffix == SUFFIX:
        hint = say("name the log, and this with --scenario")
        raise WrongUsageError(Problem(say("is a scenario, no log"), str(log), hint=hint))
    raw = read_within(log, LIMIT, say("is too large for a log"))
    try:
        return decoded(raw, "utf-8-sig", "cp932")[0]
    except UnicodeDecodeError as error:
        problem = Problem(say("is no text in UTF-8 or Shift JIS"), str(log), line_of(error), say("save it as UTF-8"))
        raise DataError(problem) from error


def logbook(loaded: Loaded) -> Logbook[Any]:
    """The logbook of a scenario's game; WrongUsageError names the games that have one."""
    return request.capability(loaded.game, lambda game: game.logbook, say("keeps no log of orders"))


def leave_to_the_draw(order: Request, option: str) -> None:
    """Let no player be asked for choices (WrongUsageError) where the draw makes them for both sides or many times."""
    for wish in (FAIR, MIRROR):
        if wish in order.wishes:
            hint = say("leave one of them out; --{wish} sets up both sides by itself", wish=wish)
            raise WrongUsageError(
                say("{option} and --{wish} do not go together", option=option, wish=wish), hint=hint
            )


def story(game: Game[Any], scenario: Any) -> list[Words]:
    """How fair a scenario is that was sought or mirrored, and how the search went; nothing for any other."""
    if game.fairness is None or not {FAIR, MIRROR} & scenario.origin.wishes.keys():
        return []
    return [certificate_line(certificate(game.fairness, scenario)), *searched(game, scenario)]


def searched(game: Game[Any], scenario: Any) -> list[Words]:
    """How the search went by which a scenario was found, by its log; nothing where it was not searched for."""
    if game.fairness is None:
        return []
    names, steps = fair_names(game.fairness.tables), fair_steps()
    return [stated(s, steps, lambda part: names.get(part) or same(part)) for s in scenario.log if s.what in steps]


def drawn(game: Game[Any], order: Request, workers: Workers) -> Any:
    """What an order draws; a search for a fair scenario is shared out."""
    with console.Telling() as telling:

        def tell(done: int, most: int) -> None:
            telling(console.words()["sought"].fill(n=done, m=most)[default_lang()], done / most)

        return sought(game, order, workers.spread, tell)


BATCH = "v1/batch"
"""By which path the codes of a batch follow from its seed code."""
BARREN = 40
"""After so many codes in a row that draw nothing, there is nothing to draw."""
PIECE = 10
"""Scenarios that a worker is given together, at most: a scheduler takes some milliseconds for each piece of work."""
TABLE = "scenarios.csv"


class Sample(msgspec.Struct, frozen=True):
    """One scenario of a batch: its file, and what it is."""

    code: str
    stamp: str
    text: str
    story: tuple[Words, ...]
    grade: str | None
    """By the certificate of fairness; None in a game that has no measures."""
    beyond: tuple[Words, ...]
    """The measures that keep it from a grade."""
    findings: int
    legal: bool

    @property
    def file(self) -> str:
        """What its file is called."""
        return f"scenario-{self.code}{SUFFIX}"

    def row(self, lang: Lang) -> dict[str, object]:
        """The scenario as plain values (docs/json.md)."""
        return {
            "code": self.code,
            "stamp": self.stamp,
            "file": self.file,
            "story": [line[lang] for line in self.story],
            "grade": self.grade,
            "beyond": [name[lang] for name in self.beyond],
            "legal": self.legal,
            "findings": self.findings,
        }


def batch(game: Game[Any], order: Request, count: int, workers: Workers) -> list[Sample]:
    """So many scenarios: what the order's code draws, and what codes draw that follow from it.

    A code that draws nothing is passed over; NothingLegalError where that happens too often in a row.
    """
    found: list[Sample] = []
    barren, codes, work = 0, candidates(order.code, BATCH), partial(_sample, game, order)
    with console.Telling() as telling:
        while (missing := count - len(found)) > 0:
            for one in workers.spread(
                work, islice(codes, missing), size=max(1, min(PIECE, missing // 100)), alone=ALONE
            ):
                if isinstance(one, NothingLegalError):
                    barren += 1
                    if barren == BARREN:
                        raise one
                    continue
                barren = 0
                found.append(one)
                told = console.words()["batch"].fill(n=len(found), m=count)
                telling(told[default_lang()], len(found) / count)
    return found


def _sample(game: Game[Any], order: Request, code: str) -> Sample | NothingLegalError:
    try:
        loaded = examined(game, game.draw(replace(order, code=code)))
    except NothingLegalError as error:
        return error
    report = loaded.report
    fair = certificate(game.fairness, loaded.scenario, report) if game.fairness else None
    beyond = tuple(row.measure.name for row in (*fair.beyond, *fair.wanting)) if fair else ()
    story = tuple(game.story(loaded.scenario))
    grade = fair.grade if fair else None
    return Sample(code, loaded.stamp, loaded.text, story, grade, beyond, len(report.findings), not report.illegal)


def tabled(samples: Iterable[Sample], lang: Lang) -> bytes:
    """A batch as CSV."""
    from generator.tournament.csv_files import written

    told = console.words()
    heads = [told[f"batch_{name}"][lang] for name in ("code", "file", "grade", "what", "more", "beyond")]

    def cells(of: Sample) -> list[str]:
        what, *more = (line[lang] for line in of.story)
        return [of.code, of.file, of.grade or "", what, " / ".join(more), ", ".join(n[lang] for n in of.beyond)]

    return written(heads, map(cells, samples))
