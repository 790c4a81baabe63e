"""Break valid files in a reproducible way, and run the commands that read them.

`faults` returns violations of what users may expect: a documented exit code, a reason with file and line, and an
end within a reasonable time. `python -m tests.hostile NUMBER` repeats a case and prints all output.
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
from generator.common.catalogue import TERRAIN_NAMES
from generator.model.scenario import Request
from generator.notation import envelope
from generator.notation.toml import Source
from tests import mutate
from tests.cli.run import MUSTER, Run, muster, spawn

SEED = 20_261_122
SECONDS, WAIT = 20, 300
"""Limits for a command: CPU seconds, and wall-clock seconds, which include waiting for other processes."""
DATA = Path(__file__).resolve().parents[1] / "data"
CODES = ("K7Q2M-9FHN5", "00000-000YC")
WISHES: Mapping[str, tuple[dict[str, str], ...]] = {
    "battlelore": ({}, {"age": "lore"}),
    "call_to_arms": ({}, {"mode": "organized", "age": "lore"}, {"mirror": "on"}),
}
"""Option sets with which a game's files have more content than by default."""

WHOLE = re.compile(
    "no such file|no such folder|larger than|is a folder|is a PDF|is empty|has no |no manifest|lists no files"
    "|contains no |columns not used: |players: |cannot be read"
    "|is missing from this folder|is not the file that the scenario"
)
"""Messages about a file as a whole, which name no line."""
BESIDE = (
    "… and {rest} more",
    "Drawn from the code {code}. To draw it again: {command}",
    "{file} was read as {encoding}; to choose another encoding, add --encoding",
    "no standings were computed, because some results cannot be used",
    "round {n} was not paired, because some results cannot be recorded",
)
"""Messages that are not about a fault of a file."""

Files = dict[str, bytes]


class Case(NamedTuple):
    """A broken file with the other files of its folder, and the commands that read it."""

    number: int
    kind: str
    files: Files
    broken: str
    """Name of the broken file."""
    commands: tuple[tuple[str, ...], ...]
    """Commands that read the files. The first command shows whether the broken file is readable."""
    accepted: tuple[int, ...] = ()
    """Exit codes of the first command after which no other command may report the file as unreadable.

    A command that checks only the form of a user's file does not read the scenario next to it.
    """


class Hang(BaseException):
    """A command took too long. This is not an Exception, so that no `except Exception` hides it."""


def drawn(game: str, code: str, which: int) -> str:
    """Return the text of a generated scenario with one of the option sets."""
    return _drawn(game, code, which % len(WISHES.get(game, ({},))))


@cache
def _drawn(game: str, code: str, which: int) -> str:
    of = games.load(game)
    scenario = of.draw(Request(code, WISHES.get(game, ({},))[which], {}))
    return envelope.compose(scenario.origin, of.write(scenario))


@cache
def own_files(game: str) -> tuple[tuple[str, str, Path], ...]:
    """Return the kind, option and path of every shipped file that users may replace."""
    return tuple(
        (content_type.kind, option, content_type.file(name))
        for content_type in games.load(game).content_types
        if content_type.file and content_type.check
        for option in content_type.takes
        for name in content_type.items()
        if content_type.file(name).is_file()
    )


@cache
def log_of(code: str) -> str:
    """Return the log of a battle between random players."""
    game = next(games.load(name) for name in games.names() if games.load(name).logbook)
    assert game.logbook
    scenario = game.read(Source("scenario.toml", drawn(game.name, code, 0)), _origin(game.name, code), Path())
    return game.logbook.play(scenario, code, "en")


def _origin(game: str, code: str) -> Any:
    return envelope.origin_of_head(envelope.head(Source("scenario.toml", drawn(game, code, 0))))


@cache
def event(sealed: bool) -> Files:
    """Return the manifests, opening, commitment and results of a packed event, but not its pages."""
    with folder() as here:
        small = ("--parts", "map", "--players", "4", "--rounds", "1", "--seed", CODES[0], "-o", "event")
        done = muster("tournament", "pack", "travel_battle", *small, *(("--sealed",) if sealed else ()))
        assert done.code == 0, done.err
        if sealed:
            assert muster("tournament", "commit", "event").code == 0
        kept = (path for path in (here / "event").rglob("*") if path.is_file() and path.suffix != ".pdf")
        return {path.relative_to(here).as_posix(): path.read_bytes() for path in kept}


def case(number: int) -> Case:
    """Return the case with the given number, which is the same in every run."""
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
    """Return some verbs that read a scenario. Fast verbs are frequent, and verbs that print are rare."""
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
    """Return a case with a broken user's file, which is checked, used to generate, and used by a scenario."""
    game = rng.choice(games.names())
    kind, option, path = rng.choice(own_files(game))
    broken = mutate.changed(path.read_bytes(), "toml", rng)
    if option == TERRAIN_NAMES:
        building = "building" if game == "battling" else "forest"
        files = {"own.toml": broken, "hexes.txt": f"0101 {building}\n0912 {building}\n".encode()}
        importing = "import", "hexes.txt", "--terrain-names", "own.toml", "--game", game, "-o", "imported.toml"
        commands = ("data", "check", "own.toml"), ("data", "show", "own.toml"), importing
        return Case(number, f"{game} {kind}", files, "own.toml", commands, (0,))
    scenario = drawn(game, rng.choice(CODES), rng.randrange(9))
    scenario += f'\n[muster.files]\n{option} = {{ name = "own.toml", sha256 = "" }}\n'
    lang = "--lang", rng.choice(("en", "ja"))
    verbs: list[tuple[str, ...]] = [("data", "show", "own.toml", *lang)]
    verbs += [("draw", game, f"--{option}", "own.toml", "-o", "new.toml"), *rng.sample(_verbs(game, rng), 1)]
    printing: list[tuple[str, ...]] = [
        (printed.verb, game, f"--{option}", "own.toml", "-o", "p.pdf", *lang)
        for printed in games.load(game).prints
        if option in printed.takes
    ]
    printing += [("kit", game, f"--{option}", "own.toml", "--parts", "map", *lang, "-o", "kit")]
    verbs += [rng.choice(printing)] if rng.random() < 0.1 else []
    files = {"own.toml": broken, "s.toml": scenario.encode()}
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


def in_process(*command: str) -> Run:
    """Run a command in this process.

    Raises:
        Hang: If the command takes too long.
    """

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
    """Run a command in a new process.

    Raises:
        Hang: If the command takes too long.
    """
    try:
        done = spawn(*command, cwd=Path.cwd())
    except subprocess.TimeoutExpired as error:
        raise Hang from error
    assert "Traceback" not in done.stderr, done.stderr
    return Run(done.returncode, done.stdout, done.stderr)


def faults(of: Case, run: Callable[..., Run] = in_process) -> list[str]:
    """Return the faults of all answers, with one line for each fault."""
    found: list[str] = []
    with folder() as here:
        for name, content in of.files.items():
            (here / name).parent.mkdir(parents=True, exist_ok=True)
            (here / name).write_bytes(content)
        read = legal = False
        for at, command in enumerate(of.commands):
            done, wrong = _done(run, command)
            if done is not None:
                wrong += list(_answer_faults(of, command, done))
                if at == 0:
                    read, legal = done.code in of.accepted, command[0] == "check" and done.code == 0
                elif legal and command[0] == "print" and done.code == 1:
                    wrong.append(f"what is legal does not print: {done.err.strip()[:300]}")
                elif read and done.code == 3 and not _only_about_other_files(of, done):
                    wrong.append(f"exit 3 for what `{of.commands[0][0]}` accepts: {done.err.strip()[:300]}")
            found += [f"{of.number} ({of.kind}) `{' '.join(command)}`: {fault}" for fault in wrong]
    return found


def _done(run: Callable[..., Run], command: tuple[str, ...]) -> tuple[Run | None, list[str]]:
    try:
        return run(*command), []
    except Hang:
        return None, [f"no end within {SECONDS} s of computing"]
    except Exception as error:
        return None, [f"{type(error).__name__}: {str(error)[-300:]}"]


def _answer_faults(of: Case, command: tuple[str, ...], done: Run) -> Iterator[str]:
    """Yield the faults of one answer."""
    output = done.err or done.out
    if done.code not in (0, 1, 2, 3, 4):
        yield f"exit {done.code}: {output.strip()[-300:]}"
        return
    if done.code and not output.strip():
        yield f"exit {done.code} without a word"
    if any(ord(c) < 32 and c not in "\n\t" for c in done.err):
        yield "a control character in a message"
    if done.code == 3 and "--json" not in command:
        for line in done.err.splitlines():
            if not _names_place(line, of):
                yield f"a fault without its place: {line[:300]}"


def _names_place(line: str, of: Case) -> bool:
    """Return whether a message names an existing file, and a line unless the message is about the file as a whole."""
    if _beside_it(line):
        return True
    folders = {str(Path(name).parent) for name in of.files}
    names = "|".join(re.escape(name) for name in (*of.files, *folders))
    place = re.match(rf"(?:\S*/)?(?:{names})(?:/[^:]*)?(:[1-9][0-9]*)?: ", line)
    return bool(place and (place[1] or WHOLE.search(line) or _whole_in_japanese().search(line)))


def _beside_it(line: str) -> bool:
    sentences = {*BESIDE, *(japanese for english, japanese in _in_japanese() if english in BESIDE)}
    hint = r"(?: \(.*\)|（.*）)?"
    return any(re.fullmatch(_any_values(sentence) + hint, line) for sentence in sentences)


@cache
def _in_japanese() -> list[tuple[str, str]]:
    """Return every English message with its Japanese translation."""
    files = (DATA / "messages.toml", *DATA.glob("*/messages.toml"))
    pairs = [pair for file in files for pair in tomllib.loads(file.read_text("utf-8"))["ours"].items()]
    words = tomllib.loads((DATA / "words.toml").read_text("utf-8"))
    return [*pairs, *((w["en"], w["ja"]) for of in words.values() for w in of.values() if set(w) == {"en", "ja"})]


@cache
def _whole_in_japanese() -> re.Pattern[str]:
    """Return a pattern for the Japanese messages about a file as a whole."""
    return re.compile("|".join(_any_values(ja) for en, ja in _in_japanese() if WHOLE.search(en)))


def _any_values(sentence: str) -> str:
    """Return a pattern for a sentence with any values in its placeholders."""
    return re.sub(r"\\\{[^{}]*\\\}", ".*", re.escape(sentence))


def _only_about_other_files(of: Case, done: Run) -> bool:
    """Return whether all messages are about other files that refer to something missing in the broken file.

    For example, a pack that renames a class is valid by itself. The fault is reported at the line and key of the
    scenario that uses the pack.
    """
    others = "|".join(re.escape(name) for name in of.files if name != of.broken)
    lines = done.err.splitlines()
    if done.out.startswith("{"):
        lines = [f"{row['file']}:{row['line']}: {row['message']}" for row in done.json["problems"]]
    at = re.compile(rf"(?:\S*/)?(?:{others}):[1-9][0-9]*: [^\s:：]+(?:: |：)")
    return bool(of.commands[0][0] == "data" and others and lines) and all(
        at.match(line) or _beside_it(line) for line in lines
    )


def peak_memory_mb(who: int = resource.RUSAGE_SELF) -> int:
    """Return the peak memory of this process in MB."""
    return resource.getrusage(who).ru_maxrss // (1 << 20 if sys.platform == "darwin" else 1 << 10)


def children() -> int:
    """Return the highest peak memory of the child processes in MB."""
    return peak_memory_mb(resource.RUSAGE_CHILDREN)


@contextlib.contextmanager
def folder() -> Iterator[Path]:
    """Yield an empty working folder with separate settings."""
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
    """Repeat the cases with the given numbers."""
    for number in map(int, sys.argv[1:]):
        of = case(number)
        sys.stdout.write(f"{of.number} {of.kind}\n")
        for name, content in of.files.items():
            if name == of.broken:
                Path(f"{number}-{Path(name).name}").write_bytes(content)

        def print_run(*command: str) -> Run:
            done = in_process("--debug", *command)
            sys.stdout.write(f"$ {' '.join((*MUSTER[2:], *command))}\n{done.code}\n{done.out[-1500:]}{done.err}\n")
            return done

        sys.stdout.write("\n".join(faults(of, print_run)) + "\n")


if __name__ == "__main__":
    main()
