"""Every command works as documented, with and without a game, in both languages, with and without --json.

The expectations are stated in this file: which games have a verb (according to the README), which files it writes,
and what it prints to which stream.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import re
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from generator import games
from generator.model.words import LANGS, Lang
from generator.store.lock import LOCK
from tests.cli.forms import SECTIONS, documented, paths
from tests.cli.run import Run, muster
from tests.prove.figure import SEED, Figure, counted, spread

CODE = "K7Q2M-9FHN5"
DEFAULT = "call_to_arms"
LORE = ("battlelore", "call_to_arms")
HAVE: dict[str, tuple[str, ...]] = {
    "cards": (*LORE, "battling"),
    "tokens": (*LORE, "battling", "blind_faith", "travel_battle"),
    "reference": (*LORE, "battling", "blind_faith", "travel_battle"),
    "sheets": (*LORE, "battling", "blind_faith", "travel_battle"),
    "boards": (*LORE, "battling", "blind_faith", "travel_battle"),
    "campaign": ("travel_battle",),
    "sight": (*LORE, "battling", "travel_battle"),
    "moves": (*LORE, "battling", "blind_faith", "travel_battle"),
    "intercept": ("blind_faith",),
    "odds": (*LORE, "battling", "blind_faith", "travel_battle"),
    "orders": ("battling",),
    "play": (*LORE, "battling", "blind_faith", "travel_battle"),
    "carry": ("call_to_arms", "travel_battle"),
}
"""Games with a feature that not all games have."""
CELLS = {"battlelore": "A1 B3", "call_to_arms": "A1 B3", "battling": "0707 0609", "travel_battle": "b2 f3"}
UNIT = {"battlelore": "P1", "battling": "F1", "blind_faith": "H1", "call_to_arms": "P1", "travel_battle": "B1a"}
COPIED = {
    "battlelore": "house-pool",
    "battling": "house-charts",
    "blind_faith": "house-pack",
    "call_to_arms": "house-deck",
    "travel_battle": "house-army",
}
CROSSING = {"travel_battle": f"--board-blue {CODE}:3x4:A1 --board-red {CODE}:3x4:B1"}
"""Options for a battle in the campaign of the copied record."""
RECORD = {"travel_battle": "brigade-campaign"}
ENOUGH = 100
"""Maximum number of rows of a list that are compared with the documentation."""
JAPANESE = re.compile("[ぁ-んァ-ヶ一-龠]")
SETTINGS = "settings/printers.toml"
KIT = ("output/GAME-CODE/kit.pdf", "output/GAME-CODE/scenario.toml", "output/GAME-CODE/manifest.json")
EVENT = "output/GAME-tournament-CODE"
BOOK = ("book/event.toml",)
DESK = "tournament status, tournament new, tournament join, tournament drop, tournament pair"
ROUND = ("round-1.pdf", "organiser-1.pdf", "scenario-[0-9A-Z-]+.toml", "results.csv", "manifest.json")


@dataclass(frozen=True)
class Row:
    """A verb with its arguments, and the expectations on its output.

    GAME, CELLS, UNIT, COPIED, CROSSING and RECORD are replaced by values of the game.
    """

    verb: str
    arguments: str = ""
    writes: tuple[str, ...] = ()
    """Patterns of the written files. Each file must match a pattern, and each pattern must match a file."""
    have: str = ""
    """The feature that the game must have, a key of HAVE."""
    of_file: bool = False
    """Whether the verb takes a file of the game, which is unknown without a game."""
    of_none: bool = False
    """Whether the verb is independent of games."""
    speaks: bool = False
    """Whether the output of the verb depends on the language."""
    with_json: tuple[str, ...] | None = None
    """The files written with --json, if these differ."""
    default_game: str = DEFAULT
    """Game that is used if none is given."""
    form: str = ""
    """The section of docs/json.md, if its name differs from the verb."""
    needs: tuple[str, ...] = ()
    """Files required beforehand, as keys of MAKE."""

    @property
    def dear(self) -> bool:
        """Return whether the verb is slow because it writes, needs a print, or lists all lines of sight."""
        return bool(self.writes) or "kit" in self.needs or (self.verb == "sight" and "CELLS" not in self.arguments)


def _pdf(verb: str, default_game: str = DEFAULT) -> Row:
    form = "cards, tokens, boards, reference, sheets, campaign"
    return Row(verb, "GAME", (f"output/GAME-{verb}.pdf",), verb, default_game=default_game, form=form)


SEEDED = f"--seed {CODE}"
ROWS = (
    Row("kit", f"GAME {SEEDED} --parts cover", KIT, speaks=True),
    Row("draw", f"GAME {SEEDED}", ("scenario.toml",), speaks=True, with_json=()),
    Row("check", "scenario.toml", of_file=True, speaks=True, needs=("scenario",)),
    Row("import", "cup/round-1/results.csv", of_file=True, speaks=True, needs=("event",)),
    Row("edit", "scenario.toml", of_file=True, speaks=True, needs=("scenario",)),
    Row("rules", "GAME", speaks=True),
    Row("rulings", "scenario.toml", of_file=True, speaks=True, needs=("scenario",)),
    Row("fairness", "scenario.toml", of_file=True, speaks=True, needs=("scenario",)),
    Row("play", f"fight.toml {SEEDED}", have="play", of_file=True, speaks=True, needs=("fight",)),
    Row(
        "carry",
        "campaign.toml scenario.toml end.toml",
        ("campaign.toml",),
        have="carry",
        of_file=True,
        speaks=True,
        needs=("battle", "campaign", "end"),
    ),
    Row("print", "scenario.toml --parts cover", KIT, of_file=True, speaks=True, needs=("scenario",)),
    _pdf("cards"),
    _pdf("tokens"),
    _pdf("reference"),
    _pdf("sheets"),
    _pdf("boards"),
    _pdf("campaign", default_game="travel_battle"),
    Row("sight", "scenario.toml", have="sight", of_file=True, speaks=True, needs=("scenario",)),
    Row("sight", "scenario.toml CELLS", have="sight", of_file=True, speaks=True, needs=("scenario",)),
    Row("moves", "scenario.toml UNIT", have="moves", of_file=True, speaks=True, needs=("scenario",)),
    Row("intercept", "scenario.toml", have="intercept", of_file=True, speaks=True, needs=("scenario",)),
    Row("odds", "fight.toml", have="odds", of_file=True, speaks=True, needs=("fight",)),
    Row("orders check", "game.txt", have="orders", of_file=True, speaks=True, needs=("scenario", "log")),
    Row("orders list", "scenario.toml F1", have="orders", of_file=True, needs=("scenario",)),
    Row("orders next", "game.txt", have="orders", of_file=True, speaks=True, needs=("scenario", "log")),
    Row("orders dice", "scenario.toml --roll 1a 2b F/1108", have="orders", of_file=True, needs=("scenario",)),
    Row("orders play", f"scenario.toml {SEEDED}", have="orders", of_file=True, speaks=True, needs=("scenario",)),
    Row(
        "replay",
        "game.txt --dpi 40",
        ("output/replay-game/replay.(pdf|gif)", "output/replay-game/(start|turn)-[0-9]{2}.png"),
        have="orders",
        of_file=True,
        speaks=True,
        needs=("scenario", "log"),
    ),
    Row(
        "tournament pack",
        f"GAME {SEEDED} --players 2 --rounds 1 --parts cover",
        (f"{EVENT}/(index.pdf|manifest.json|event.toml)", *(f"{EVENT}/round-1/{name}" for name in ROUND)),
        speaks=True,
    ),
    Row("tournament new", f"GAME {SEEDED}", (f"{EVENT}/event.toml",), speaks=True, form=DESK),
    Row("tournament join", "book Cid", BOOK, of_file=True, speaks=True, needs=("book", "seats"), form=DESK),
    Row("tournament drop", "book Ann", BOOK, of_file=True, speaks=True, needs=("book", "seats"), form=DESK),
    Row("tournament pair", "book", BOOK, of_file=True, speaks=True, needs=("book", "seats"), form=DESK),
    Row(
        "tournament rename",
        "book Ann Anna",
        (*BOOK, "book/copies/.*"),
        of_file=True,
        speaks=True,
        needs=("book", "seats"),
    ),
    Row("tournament results", "cup", of_file=True, speaks=True, needs=("event",)),
    Row("tournament status", "cup", of_file=True, speaks=True, needs=("event",), form=DESK),
    Row(
        "tournament standings",
        "cup",
        ("cup/standings.(pdf|csv|trf)", "cup/manifest.json"),
        of_file=True,
        speaks=True,
        needs=("event",),
    ),
    Row(
        "tournament day",
        "book Ann",
        ("book/(day-Ann.pdf|event.toml|manifest.json)",),
        of_file=True,
        speaks=True,
        needs=("book", "seats"),
    ),
    Row("tournament commit", "cup", ("cup/commitment.json",), of_file=True, speaks=True, needs=("event",)),
    Row("tournament reveal", "cup/commitment.json cup", of_file=True, speaks=True, needs=("event", "promise")),
    Row("verify", "kit", of_file=True, speaks=True, needs=("kit",)),
    Row("printer calibrate", "", ("output/calibration.pdf",), of_none=True),
    Row("printer set", "office --dx 1", (SETTINGS,), of_none=True, form="printer set, printer show, printer remove"),
    Row("printer list", "", of_none=True, needs=("printer",)),
    Row(
        "printer show",
        "office",
        of_none=True,
        needs=("printer",),
        form="printer set, printer show, printer remove",
    ),
    Row(
        "printer remove",
        "office",
        (SETTINGS,),
        of_none=True,
        needs=("printer",),
        form="printer set, printer show, printer remove",
    ),
    Row("preflight", "kit/kit.pdf", of_file=True, speaks=True, needs=("kit",)),
    Row("data list", "", of_none=True, speaks=True),
    Row("data show", "COPIED", of_file=True, speaks=True),
    Row("data check", "COPIED.toml", of_file=True, speaks=True, needs=("copy",)),
    Row("data copy", "COPIED", ("COPIED.toml", "muster-.*.schema.json"), of_file=True, speaks=True),
    Row("data values", "COPIED", of_file=True),
    Row(
        "data write",
        "COPIED.json",
        ("COPIED.toml", "muster-.*.schema.json"),
        of_file=True,
        speaks=True,
        needs=("values",),
    ),
    Row("data schema", "", of_none=True, speaks=True),
    Row("data templates", "GAME"),
    Row("selftest", "GAME --count 1", speaks=True, default_game="*"),
    Row("games", "", of_none=True, speaks=True),
    Row("gallery", f"GAME --dpi 48 {SEEDED}", ("output/gallery.html",), default_game="*"),
    *(Row("completion", shell, of_none=True) for shell in ("bash", "zsh", "fish")),
)
MAKE = {
    "scenario": f"draw GAME {SEEDED} -o scenario.toml",
    "fight": f"draw GAME {SEEDED} --kind battle -o fight.toml",
    "log": f"orders play scenario.toml {SEEDED} -o game.txt",
    "kit": f"kit GAME {SEEDED} --parts cover -o kit",
    # No odds are computed for a march, while sealed rounds of other kinds need many.
    "event": f"tournament pack GAME {SEEDED} --kind march --players 2 --rounds 1 --parts cover --sealed -o cup",
    "promise": "tournament commit cup",
    "book": f"tournament new GAME {SEEDED} -o book",
    "seats": "tournament join book Ann Bob",
    "campaign": "data copy RECORD -o campaign.toml",
    "battle": f"draw GAME {SEEDED} CROSSING -o scenario.toml",
    "copy": "data copy COPIED",
    "values": "data values COPIED -o COPIED.json",
    "printer": "printer set office --dx 1",
}
"""Commands that create the required files."""


@dataclass(frozen=True)
class Case:
    """A row with or without a game, in a language, with or without --json."""

    row: int
    game: str
    lang: Lang
    as_json: bool

    def __str__(self) -> str:
        return " ".join(self.args)

    @property
    def of(self) -> Row:
        return ROWS[self.row]

    @property
    def args(self) -> list[str]:
        """Return the command-line arguments."""
        arguments = self.of.arguments if self.game or not self.of.of_file else ""
        words = _filled(arguments.replace("GAME", self.game), self.game).split()
        return [*self.of.verb.split(), *words, "--lang", self.lang, *(["--json"] if self.as_json else [])]

    @property
    def meant(self) -> str:
        """Return the name of the game that is used."""
        return self.game or self.of.default_game

    @property
    def code(self) -> int:
        """Return the expected exit code, which is 2 if the game lacks the feature or a required file is not named."""
        return 2 if (self.of.of_file and not self.game) or not self.able else 0

    @property
    def able(self) -> bool:
        """Return whether the game has the verb's feature."""
        return self.meant in HAVE.get(self.of.have, (self.meant,))


def product() -> list[Case]:
    """Return every case."""
    return [
        Case(number, game, lang, as_json)
        for number, row in enumerate(ROWS)
        for game in (("",) if row.of_none else ("", *games.names()))
        for lang in LANGS
        for as_json in (False, True)
    ]


def faults(case: Case) -> list[str]:
    """Run a case in a new folder and return the deviations from the documentation."""
    with working_folder(case) as before:
        began = time.perf_counter()
        done = muster(*case.args)
        spent = time.perf_counter() - began
        written = {name for name, content in _files().items() if before.get(name) != content}
        found = list(_found(case, done, written))
    return [f"muster {case} ({spent:.1f} s): {fault}" for fault in found]


def _found(case: Case, done: Run, written: set[str]) -> Iterator[str]:
    """Yield the deviations of a run from the documentation."""
    if done.code != case.code:
        yield f"exit code {done.code} in place of {case.code}: {done.err[-300:]}"
        return
    yield from _written(case, written)
    if case.as_json:
        yield from _json(case, done)
        return
    if case.code:
        yield from _refused(case, done.err)
        if done.out:
            yield f"a refusal on standard output: {done.out[:80]!r}"
        return
    if errors := _without_verification(case, done.err):
        yield f"on standard error: {errors[:200]!r}"
    if not done.out.strip():
        yield "nothing is said"
    if case.of.speaks and bool(JAPANESE.search(done.out)) != (case.lang == "ja"):
        yield f"not in {case.lang}: {done.out[:200]!r}"


def _written(case: Case, written: set[str]) -> Iterator[str]:
    """Yield a fault for each unexpected or missing file."""
    patterns = case.of.with_json if case.as_json and case.of.with_json is not None else case.of.writes
    wanted = [_filled(p.replace("GAME", case.meant).replace("CODE", CODE), case.game) for p in patterns]
    wanted = wanted if case.code == 0 else []
    # A command that writes an event leaves its lock. A refused command leaves no file.
    lock = [rf".*/{re.escape(LOCK)}"] if wanted and case.of.verb.startswith("tournament") else []
    if strange := [name for name in written if not any(re.fullmatch(p, name) for p in (*wanted, *lock))]:
        yield f"written too: {sorted(strange)}"
    if missing := [p for p in wanted if not any(re.fullmatch(p, name) for name in written)]:
        yield f"not written: {missing}"
    for name in written:
        if name.endswith(".pdf") and not Path(name).read_bytes().startswith(b"%PDF-"):
            yield f"{name} is no PDF"


def _without_verification(case: Case, err: str) -> str:
    """Return standard error without the verification of sight, which `sight` and `rulings` print there."""
    if case.of.verb not in ("sight", "rulings"):
        return err
    verified = {"en": "verified with Shapely", "ja": "Shapely で"}[case.lang]
    return "".join(line for line in err.splitlines(True) if verified not in line)


def _json(case: Case, done: Run) -> Iterator[str]:
    """Yield a fault if the JSON is not a single value or differs from docs/json.md."""
    try:
        value = json.loads(done.out)
    except ValueError:
        yield f"no JSON alone on standard output: {done.out[:200]!r}"
        return
    if errors := _without_verification(case, done.err):
        yield f"with --json on standard error: {errors[:200]!r}"
    verb = case.of.verb
    section_name = next((name for name in (case.of.form, f"{verb} {case.meant}", verb) if name in SECTIONS), "")
    section = "Errors" if case.code else section_name
    flat = verb == "sight" and not case.code  # one row, or a list of rows
    known = {field.removeprefix("[].") if flat else field for field in documented(section)}
    rows = value[:ENOUGH] if isinstance(value, list) else [value]
    seen = set().union(*(paths(row if flat or row is value else [row], known) for row in rows))
    if strange := {field for field in seen if not {field, f"{field}[]"} & known}:  # null instead of a list
        yield f"fields that {section!r} of docs/json.md has not: {sorted(strange)}"
    if case.code and not (isinstance(value, dict) and value.get("exit") == case.code and "problems" in value):
        yield f"no object that tells exit {case.code}: {done.out[:200]!r}"
    elif case.code:
        yield from _refused(case, " ".join(f"{row['message']} {row['hint']}" for row in value["problems"]))


def _refused(case: Case, text: str) -> Iterator[str]:
    """Yield a fault if a refusal does not name the games with the feature or the missing argument."""
    missing = "Missing argument" if case.lang == "en" else "がありません"
    wanted = list(HAVE[case.of.have]) if case.game else [missing]
    if lacking := [word for word in wanted if word not in text]:
        yield f"it does not tell {lacking}: {text[:200]!r}"


def _filled(text: str, game: str) -> str:
    values = {"CELLS": CELLS.get(game, "A1 B3"), "UNIT": UNIT.get(game, "P1"), "COPIED": COPIED.get(game, "COPIED")}
    values |= {"CROSSING": CROSSING.get(game, ""), "RECORD": RECORD.get(game, "track-campaign")}
    return re.sub("|".join(values), lambda found: values[found[0]], text)


@contextlib.contextmanager
def working_folder(case: Case | None = None) -> Iterator[dict[str, bytes]]:
    """Change to a new folder with the required files and no settings, and yield the files, keyed by path."""
    needs = case.of.needs if case and (case.game or case.of.of_none) else ()
    with tempfile.TemporaryDirectory() as name, _working_in(Path(name)):
        _write_files(made(needs, case.game if case else ""))
        yield _files()


@cache
def made(needs: tuple[str, ...], game: str) -> dict[str, bytes]:
    """Return the files that the given commands create for a game, keyed by path.

    A game without logs gets any text as a log.
    """
    if not needs:
        return {}
    *before, need = needs
    with tempfile.TemporaryDirectory() as name, _working_in(Path(name)):
        _write_files(made(tuple(before), game))
        if need == "log" and game not in HAVE["orders"]:
            Path("game.txt").write_text("[turn 1]\n", "utf-8")
            return _files()
        if need == "end":
            Path("end.toml").write_text('winner = "draw"\n', "utf-8")
            return _files()
        make = MAKE[need].replace("GAME", game)
        if game != "blind_faith":
            make = re.sub(" --kind [a-z]+", "", make)
        done = muster(*_filled(make, game).split())
        assert done.code == 0, f"{need}: {done.err}"
        return _files()


def _write_files(files: Mapping[str, bytes]) -> None:
    """Write files, given by path and content."""
    for path, content in files.items():
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_bytes(content)


@contextlib.contextmanager
def _working_in(folder: Path) -> Iterator[None]:
    """Change to a folder with an English terminal and settings in that folder."""
    kept = {name: os.environ.get(name) for name in ("LC_ALL", "MUSTER_CONFIG")}
    os.environ |= {"LC_ALL": "C.UTF-8", "MUSTER_CONFIG": str(folder / "settings")}
    try:
        with contextlib.chdir(folder):
            yield
    finally:
        for name, value in kept.items():
            os.environ.pop(name)
            if value is not None:
                os.environ[name] = value


def _files() -> dict[str, bytes]:
    return {path.as_posix(): path.read_bytes() for path in Path().rglob("*") if path.is_file()}


def sample(seed: int) -> list[Case]:
    """Return a quick sample of all fast cases, and each printing verb once with a random language and format."""
    chosen, every = random.Random(seed), product()
    dear, cheap = [], [case for case in every if case.code or not case.of.dear]
    for number, row in enumerate(ROWS):
        if row.dear:
            game = "" if row.of_none else next(iter(HAVE.get(row.have, (DEFAULT,))))
            dear.append(Case(number, game, chosen.choice(("en", "ja")), chosen.random() < 0.5))
    return [*cheap, *dear]


def prove() -> Iterator[Figure]:
    """Test all cases."""
    every = product()
    random.Random(SEED).shuffle(every)  # distributes the slow cases over the processes
    yield counted("verbs × games × languages × --json", len(every), _told(spread(faults, every, "cases")))


def _told(found: Iterable[list[str]]) -> Iterator[str]:
    for of_one in found:
        yield from of_one
