"""Hostile files by number: each is a valid file that was broken, and the commands that are then given it.

`faults` says what Muster owes a user and did not give: an exit code that has a meaning, a reason with its file and
line, an end in good time. `python -m tests.hostile NUMBER` repeats one with everything that was said.
"""

from __future__ import annotations

import contextlib
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from generator import games
from generator.model.scenario import Request
from generator.notation import envelope
from generator.notation.toml import Source
from tests import mutate
from tests.cli.run import MUSTER, Run, muster, spawn

SEED = 20_261_122
SECONDS, WAIT = 20, 300
"""No command may take longer: seconds of reckoning, and seconds by the clock, which others keep busy too."""
DATA = Path(__file__).resolve().parents[1] / "data"
CODES = ("K7Q2M-9FHN5", "00000-000YC")
WISHES: Mapping[str, tuple[dict[str, str], ...]] = {
    "battlelore": ({}, {"age": "lore"}),
    "call_to_arms": ({}, {"mode": "organized", "age": "lore"}, {"mirror": "on"}),
}
"""Besides the plain draw, what makes a game's files hold more."""

WHOLE = re.compile(
    "no such file|no such folder|larger than|is a folder|is a PDF|is empty|has no |no manifest|lists no files"
    "|no order was found|players: |cannot be read|is missing here|is not the file the scenario"
)
"""What is said of a file as a whole stands in no line."""
BESIDE = "… and {rest} more", "Drawn from the code {code}. To draw it again: {command}"
"""What is said besides, of no file at all."""

Files = dict[str, bytes]


class Case(NamedTuple):
    """A broken file with its neighbours, and the commands that are given it."""

    number: int
    kind: str
    files: Files
    broken: str
    """The name of the file that is broken."""
    commands: tuple[tuple[str, ...], ...]
    """The first shows whether the file can be read."""
    accepted: tuple[int, ...] = ()
    """Where the first command ends with one of these, no other may say that the file cannot be read.

    One that asks for the form of a user's file alone has not seen the scenario beside it."""


class Hang(BaseException):
    """A command has taken too long: no `except Exception` may hide it."""


# What is broken ---------------------------------------------------------------


def drawn(game: str, code: str, which: int) -> str:
    """A scenario as a code draws it, by one of the wishes that are tried."""
    return _drawn(game, code, which % len(WISHES.get(game, ({},))))


@cache
def _drawn(game: str, code: str, which: int) -> str:
    of = games.load(game)
    scenario = of.draw(Request(code, WISHES.get(game, ({},))[which], {}))
    return envelope.compose(scenario.origin, of.write(scenario))


@cache
def own_files(game: str) -> tuple[tuple[str, str, Path], ...]:
    """Every file that ships and that users bring their own of: its kind, the wish it is for, where it lies."""
    return tuple(
        (shelf.kind, wish, shelf.file(name))
        for shelf in games.load(game).shelves
        if shelf.file and shelf.check
        for wish in shelf.takes
        for name in shelf.items()
        if shelf.file(name).is_file()
    )


@cache
def log_of(code: str) -> str:
    """A log of a battle played at random."""
    game = next(games.load(name) for name in games.names() if games.load(name).logbook)
    assert game.logbook
    scenario = game.read(Source("scenario.toml", drawn(game.name, code, 0)), _origin(game.name, code), Path())
    return game.logbook.play(scenario, code, "en")


def _origin(game: str, code: str) -> Any:
    return envelope.origin(envelope.head(Source("scenario.toml", drawn(game, code, 0))))


@cache
def event(sealed: bool) -> Files:
    """The files of an event that was packed, without its pages: manifests, opening, commitment, results."""
    with _folder() as here:
        small = ("--parts", "map", "--players", "4", "--rounds", "1", "--seed", CODES[0], "-o", "event")
        done = muster("tournament", "pack", "travel_battle", *small, *(("--sealed",) if sealed else ()))
        assert done.code == 0, done.err
        if sealed:
            assert muster("tournament", "commit", "event").code == 0
        kept = (path for path in (here / "event").rglob("*") if path.is_file() and path.suffix != ".pdf")
        return {path.relative_to(here).as_posix(): path.read_bytes() for path in kept}


# The cases ---------------------------------------------------------------


def case(number: int) -> Case:
    """The case of that number: always the same."""
    rng = Random(f"{SEED}/{number}")
    make = rng.choices((_scenario, _own, _log, _csv, _json, _printers), (55, 25, 6, 5, 7, 2))[0]
    return make(number, rng)


def _scenario(number: int, rng: Random) -> Case:
    game = rng.choice(games.names())
    text = drawn(game, rng.choice(CODES), rng.randrange(9)).encode()
    broken = mutate.changed(text, "toml", rng)
    verbs = _verbs(game, rng)
    return Case(number, game, {"s.toml": broken}, "s.toml", (("check", "s.toml"), *verbs), (0, 1))


def _verbs(game: str, rng: Random) -> tuple[tuple[str, ...], ...]:
    """Some of the verbs that take a scenario: cheap ones often, pages seldom."""
    lang = "--lang", rng.choice(("en", "ja"))
    ids = rng.choice(("P1", "S1", "F1", "B1a", "R1a", "H1", "blue", "A1", "0101", "", "🐌"))
    cheap: tuple[tuple[str, ...], ...] = (
        ("check", "s.toml", "--json"),
        ("sight", "s.toml", "A1", "C3", *lang),
        ("sight", "s.toml", "0101", "0305"),
        ("sight", "s.toml", "a1", "c3", "--json"),
        ("moves", "s.toml", ids, *lang),
        ("intercept", "s.toml", *lang),
        ("intercept", "s.toml", "--json"),
        ("fairness", "s.toml", *lang),
        ("fairness", "s.toml", "--json"),
        ("orders", "list", "s.toml", ids, *lang),
        ("orders", "play", "s.toml", "-o", "log.txt"),
        ("data", "check", "s.toml"),
    )
    parts = ("cover", "map", "setup", "records", "reference", "tokens", "board", "sheets", "cards", "sight", "fire")
    dear: tuple[tuple[str, ...], ...] = (
        ("print", "s.toml", "-o", "kit", *lang),
        ("print", "s.toml", "-o", "kit", *lang, "--ink", "saver", "--fillable"),
        ("print", "s.toml", "-o", "kit", "--format", "svg", *lang),
        ("moves", "s.toml", ids, "-o", "m.pdf"),
        ("intercept", "s.toml", "-o", "i.pdf"),
        ("fairness", "s.toml", "-o", "f.pdf", *lang),
        ("sight", "s.toml"),
    )
    some = rng.choice(parts)
    pages = ("print", "s.toml", "-o", "kit", "--parts", some, *lang)
    chosen = [*rng.sample(cheap, 3)]
    chosen += [pages] if rng.random() < 0.12 else []
    chosen += [rng.choice(dear)] if rng.random() < 0.10 else []
    return tuple(chosen)


def _own(number: int, rng: Random) -> Case:
    """A file of a user's own: looked at, drawn with, and beside a scenario that was drawn with it."""
    game = rng.choice(games.names())
    kind, wish, path = rng.choice(own_files(game))
    broken = mutate.changed(path.read_bytes(), "toml", rng)
    beside = drawn(game, rng.choice(CODES), rng.randrange(9))
    beside += f'\n[muster.files]\n{wish} = {{ name = "own.toml", sha256 = "" }}\n'
    lang = "--lang", rng.choice(("en", "ja"))
    verbs: list[tuple[str, ...]] = [("data", "show", "own.toml", *lang)]
    verbs += [("draw", game, f"--{wish}", "own.toml", "-o", "new.toml"), *rng.sample(_verbs(game, rng), 1)]
    printing: list[tuple[str, ...]] = [
        (printed.verb, game, f"--{wish}", "own.toml", "-o", "p.pdf", *lang)
        for printed in games.load(game).prints
        if wish in printed.takes
    ]
    printing += [("kit", game, f"--{wish}", "own.toml", "--parts", "map", *lang, "-o", "kit")]
    verbs += [rng.choice(printing)] if rng.random() < 0.1 else []
    files = {"own.toml": broken, "s.toml": beside.encode()}
    return Case(number, f"{game} {kind}", files, "own.toml", (("data", "check", "own.toml"), *verbs), (0,))


def _log(number: int, rng: Random) -> Case:
    code = rng.choice(CODES)
    game = next(name for name in games.names() if games.load(name).logbook)
    files = {"s.toml": drawn(game, code, 0).encode(), "log.txt": mutate.changed(log_of(code).encode(), "", rng)}
    lang = "--lang", rng.choice(("en", "ja"))
    verbs: list[tuple[str, ...]] = [("orders", "list", "s.toml", "F1", "--after", "log.txt", *lang)]
    if rng.random() < 0.05:
        verbs.append(("replay", "log.txt", "--scenario", "s.toml", "-o", "out", "--dpi", "30", *lang))
    first = ("orders", "check", "log.txt", "--scenario", "s.toml", *lang)
    return Case(number, "log", files, "log.txt", (first, *verbs))


def _csv(number: int, rng: Random) -> Case:
    table = next(content for name, content in event(False).items() if name.endswith("results.csv"))
    names = "name,team\n" + "".join(f"{n},{t}\n" for n, t in (("Ann", "A"), ("Bo", "B"), ("千代", "乙"), ("Łuc", "")))
    pairs = "round,player_a,player_b,table\n1,Ann,Bo,1\n1,千代,Łuc,2\n2,Ann,千代,1\n"
    which = rng.choice(("results", "players", "pairings"))
    text = {"results": table, "players": names.encode(), "pairings": pairs.encode()}[which]
    broken = mutate.changed(text, "csv", rng)
    lang = "--lang", rng.choice(("en", "ja"))
    pack = ("tournament", "pack", "travel_battle", "--parts", "map", "--seed", CODES[0], "-o", "out", *lang)
    command = {
        "results": ("tournament", "standings", "x.csv", "-o", "out", *lang),
        "players": (*pack, "--players", "x.csv", "--rounds", "1", "--round", "1"),
        "pairings": (*pack, "--pairings", "x.csv", "--round", "1"),
    }[which]
    return Case(number, which, {"x.csv": broken}, "x.csv", (command,))


def _json(number: int, rng: Random) -> Case:
    files = dict(event(True))
    name = rng.choice([name for name in files if name.endswith(".json")])
    files[name] = mutate.changed(files[name], "json", rng)
    lang = "--lang", rng.choice(("en", "ja"))
    folder = name.rpartition("/")[0]
    verbs: list[tuple[str, ...]] = [
        ("tournament", "reveal", "event/commitment.json", "event", *lang),
        ("tournament", "reveal", "event/commitment.json", "event", "--json"),
        ("tournament", "commit", "event", *lang),
    ]
    if name.endswith("manifest.json"):
        verbs = [("verify", "event", *lang), ("verify", folder, "--json"), *verbs[:1]]
    if rng.random() < 0.05:
        again = ("--parts", "map", "--players", "4", "--rounds", "1", "--seed", CODES[0])
        verbs.append(("tournament", "pack", "travel_battle", *again, "--sealed", "-o", "event"))
    return Case(number, name.rpartition("/")[2], files, name, tuple(verbs))


def _printers(number: int, rng: Random) -> Case:
    text = b'[office]\ndx = 0.3\ndy = -0.2\nscale = 99.6\n\n["\xe5\xae\xb6"]\nrotate = 0.1\n'
    files = {"config/printers.toml": mutate.changed(text, "toml", rng)}
    verbs = (("printer", "list"), ("sheets", "--printer", "office", "-o", "x.pdf"))
    return Case(number, "printers", files, "config/printers.toml", verbs[: rng.choice((1, 1, 1, 2))])


# What is owed ---------------------------------------------------------------


def in_process(*command: str) -> Run:
    """A command in this process; Hang where it takes too long."""

    def ring(*_: object) -> None:
        raise Hang

    clocks = ((signal.SIGPROF, signal.ITIMER_PROF, SECONDS), (signal.SIGALRM, signal.ITIMER_REAL, WAIT))
    before = {number: signal.signal(number, ring) for number, _, _ in clocks}
    for _, clock, seconds in clocks:
        signal.setitimer(clock, seconds)
    try:
        return muster(*command)
    finally:
        for number, clock, _ in clocks:
            signal.setitimer(clock, 0)
            signal.signal(number, before[number])


def as_a_process(*command: str) -> Run:
    """A command as a process of its own; Hang where it takes too long."""
    try:
        done = spawn(*command, cwd=Path.cwd())
    except subprocess.TimeoutExpired as error:
        raise Hang from error
    assert "Traceback" not in done.stderr, done.stderr
    return Run(done.returncode, done.stdout, done.stderr)


def faults(of: Case, run: Callable[..., Run] = in_process) -> list[str]:
    """What is wrong with the answers, a line each."""
    found: list[str] = []
    with _folder() as here:
        for name, content in of.files.items():
            (here / name).parent.mkdir(parents=True, exist_ok=True)
            (here / name).write_bytes(content)
        read = legal = False
        for at, command in enumerate(of.commands):
            done, wrong = _done(run, command)
            if done is not None:
                wrong += list(_owed(of, command, done))
                if at == 0:
                    read, legal = done.code in of.accepted, command[0] == "check" and done.code == 0
                elif legal and command[0] == "print" and done.code == 1:
                    wrong.append(f"what is legal does not print: {done.err.strip()[:300]}")
                elif read and done.code == 3 and not _beside(of, done):
                    wrong.append(f"exit 3 for what `{of.commands[0][0]}` accepts: {done.err.strip()[:300]}")
            found += [f"{of.number} ({of.kind}) `{' '.join(command)}`: {fault}" for fault in wrong]
    return found


def _done(run: Callable[..., Run], command: tuple[str, ...]) -> tuple[Run | None, list[str]]:
    try:
        return run(*command), []
    except Hang:
        return None, [f"no end within {SECONDS} s of reckoning"]
    except Exception as error:
        return None, [f"{type(error).__name__}: {str(error)[-300:]}"]


def _owed(of: Case, command: tuple[str, ...], done: Run) -> Iterator[str]:
    """What is wrong with one answer."""
    said = done.err or done.out
    if done.code not in (0, 1, 2, 3, 4):
        yield f"exit {done.code}: {said.strip()[-300:]}"
        return
    if done.code and not said.strip():
        yield f"exit {done.code} without a word"
    if any(ord(c) < 32 and c not in "\n\t" for c in done.err):
        yield "a control character in a message"
    if done.code == 3 and "--json" not in command:
        for line in done.err.splitlines():
            if not _placed(line, of):
                yield f"a fault without its place: {line[:300]}"


def _placed(line: str, of: Case) -> bool:
    """Whether a message names a file that is there, and its line where it speaks of more than the whole."""
    if _beside_it(line):
        return True
    folders = {str(Path(name).parent) for name in of.files}
    names = "|".join(re.escape(name) for name in (*of.files, *folders))
    place = re.match(rf"(?:\S*/)?(?:{names})(?:/[^:]*)?(:[1-9][0-9]*)?: ", line)
    return bool(place and (place[1] or WHOLE.search(line) or _whole_in_japanese().search(line)))


def _beside_it(line: str) -> bool:
    said = {*BESIDE, *(japanese for english, japanese in _in_japanese() if english in BESIDE)}
    return any(re.fullmatch(_any_values(sentence), line) for sentence in said)


@cache
def _in_japanese() -> list[tuple[str, str]]:
    """Every sentence that is said to whoever types, with its Japanese."""
    files = (DATA / "messages.toml", *DATA.glob("*/messages.toml"))
    said = [pair for file in files for pair in tomllib.loads(file.read_text("utf-8"))["ours"].items()]
    words = tomllib.loads((DATA / "words.toml").read_text("utf-8"))
    return [*said, *((w["en"], w["ja"]) for of in words.values() for w in of.values() if set(w) == {"en", "ja"})]


@cache
def _whole_in_japanese() -> re.Pattern[str]:
    """The Japanese of what is said of a file as a whole."""
    return re.compile("|".join(_any_values(ja) for en, ja in _in_japanese() if WHOLE.search(en)))


def _any_values(sentence: str) -> str:
    """What finds a sentence whatever stands for the names in it."""
    return re.sub(r"\\\{[^{}]*\\\}", ".*", re.escape(sentence))


def _beside(of: Case, done: Run) -> bool:
    """Whether all that is told is where another file asks for what the broken one no longer has.

    A pack whose class has a new name is in order, seen by itself; the scenario beside it is told its line and key.
    """
    others = "|".join(re.escape(name) for name in of.files if name != of.broken)
    told = done.err.splitlines()
    if done.out.startswith("{"):
        told = [f"{row['file']}:{row['line']}: {row['message']}" for row in done.json["problems"]]
    at = re.compile(rf"(?:\S*/)?(?:{others}):[1-9][0-9]*: [^\s:：]+(?:: |：)")
    return bool(of.commands[0][0] == "data" and others and told) and all(
        at.match(line) or _beside_it(line) for line in told
    )


def peak(whose: int = resource.RUSAGE_SELF) -> int:
    """The most memory that this process ever had, in MB."""
    return resource.getrusage(whose).ru_maxrss // (1 << 20 if sys.platform == "darwin" else 1 << 10)


def children() -> int:
    """The most memory that a process begun by this one ever had, in MB."""
    return peak(resource.RUSAGE_CHILDREN)


@contextlib.contextmanager
def _folder() -> Iterator[Path]:
    """An empty folder to work in, with settings of its own."""
    before, settings = Path.cwd(), os.environ.get("MUSTER_CONFIG")
    os.environ["LC_ALL"] = "C.UTF-8"
    with tempfile.TemporaryDirectory() as name:
        os.chdir(name)
        os.environ["MUSTER_CONFIG"] = str(Path(name) / "config")
        try:
            yield Path(name)
        finally:
            os.chdir(before)
            if settings is None:
                del os.environ["MUSTER_CONFIG"]
            else:
                os.environ["MUSTER_CONFIG"] = settings


def main() -> None:
    """Repeat the cases whose numbers are named."""
    for number in map(int, sys.argv[1:]):
        of = case(number)
        sys.stdout.write(f"{of.number} {of.kind}\n")
        for name, content in of.files.items():
            if name == of.broken:
                Path(f"{number}-{Path(name).name}").write_bytes(content)

        def told(*command: str) -> Run:
            done = in_process("--debug", *command)
            sys.stdout.write(f"$ {' '.join((*MUSTER[2:], *command))}\n{done.code}\n{done.out[-1500:]}{done.err}\n")
            return done

        sys.stdout.write("\n".join(faults(of, told)) + "\n")


if __name__ == "__main__":
    main()
