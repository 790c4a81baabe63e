"""Sealed rounds: a commitment that is published before play, and openings that are published after play.

The opening of a round contains everything from which its codes were generated: the event, options, data, the
round's secret, and every code with its kit id and the hash of its scenario. The hash of the opening is published
before play. It reveals nothing, because the secret cannot be guessed. After play, everyone can check the opening
against the hash.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, TypeVar

import msgspec

from generator import __version__, games
from generator.errors import DataError, Problem, WrongUsageError, near
from generator.localization import tr
from generator.model.scenario import Request, UserFile
from generator.model.words import Words
from generator.notation import envelope
from generator.notation.text import NAME_LIMIT, file_name_fault
from generator.notation.toml import convert
from generator.seeds import parse_code
from generator.store.folders import folder_of, is_file
from generator.store.folders import read as content
from generator.store.json_files import FILE_LIMIT, JsonFile
from generator.store.manifest import data_hash
from generator.tournament.event import DrawnKit, Event, Mode, kit_id, scenario_file
from generator.tournament.pairings import MAX_ROUNDS, words

COMMITMENT = "commitment.json"
MAX_KITS = 5000
"""The maximum number of kits in a round. A file with more kits is rejected early."""
T = TypeVar("T")

Name = Annotated[str, msgspec.Meta(max_length=NAME_LIMIT, pattern=r"^[^\x00-\x1f]*$", description="one line")]
Hash = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$", description="64 hexadecimal digits")]
Secret = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{32}$", description="32 hexadecimal digits")]
Stamp = Annotated[str, msgspec.Meta(pattern="^[0-9A-Z+-]{1,20}$", description="a code or a kit id")]
Number = Annotated[int, msgspec.Meta(ge=1, le=MAX_ROUNDS)]
Key = Annotated[str, msgspec.Meta(pattern="^[1-9][0-9]?$", description="the number of a round")]


class Kit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kit of a sealed round."""

    kit: Stamp
    """The kit id on the pages."""
    code: Stamp
    """The code from which the scenario was drawn."""
    sha256: Hash
    """The hash of the kit's scenario file."""


class File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file that the organiser supplied, with its name and hash."""

    name: Name
    """The name of the file."""
    sha256: Hash
    """The hash of the file."""


class Opening(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that is kept secret about a sealed round until it is opened."""

    event: Name
    """The name of the event."""
    game: Name
    """The id of the game."""
    round: Number
    """The number of the round."""
    secret: Secret
    """The secret from which the codes and kit ids of the round were derived."""
    scenarios: Mode
    """Whether all tables play the same scenario: `duplicate` or `per-table`."""
    options: dict[str, Name] = msgspec.field(name="wishes")
    """The options of the draw, by name."""
    files: dict[str, File]
    """The files that the organiser supplied, by option."""
    kits: Annotated[tuple[Kit, ...], msgspec.Meta(max_length=MAX_KITS)]
    """The kits of the round."""
    muster: Name
    """The version of Muster that drew the scenario."""
    data: Hash
    """A hash of all data files shipped with Muster."""


class Commitment(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The published hashes: the hash of each round's `opening.json`, and a single hash of all rounds."""

    event: Name
    """The name of the event."""
    game: Name
    """The id of the game."""
    rounds: dict[Key, Hash]
    """The hash of each round's `opening.json`."""
    whole: Hash
    """A hash of the hashes of all rounds."""


def opening(event: Event, number: int, drawn: Sequence[DrawnKit]) -> bytes:
    """Return the content of the file with the opening of a round."""
    made = Opening(
        event=event.name,
        game=event.game.name,
        round=number,
        secret=event.secret_of(number),
        scenarios=event.mode,
        options=dict(event.order.options),
        files={option: File(path.name, envelope.file_hash(path)) for option, path in event.order.files.items()},
        kits=tuple(Kit(one.stamp, one.code, one.digest) for one in drawn),
        muster=__version__,
        data=data_hash(),
    )
    return _json_bytes(made)


def commitment(openings: Iterable[Path]) -> bytes:
    """Return the content of the commitment to publish before play.

    Raises:
        DataError: If the openings belong to several events, or two are of the same round.
    """
    read = {path: _read_opening(path)[0] for path in openings}
    if not read:
        raise DataError(tr("there are no sealed rounds"))
    first, *others = read
    event, game = read[first].event, read[first].game
    hint, numbers = tr("{first} belongs to {event!r}", first=first, event=event), [of.round for of in read.values()]
    strange = [
        Problem(tr("belongs to another event, {event!r}", event=read[path].event), str(path), hint=hint)
        for path in others
        if (read[path].event, read[path].game) != (event, game)
    ]
    strange += [
        Problem(tr("round {round} is in two of the files", round=of.round), str(path))
        for path, of in read.items()
        if numbers.count(of.round) > 1
    ]
    DataError.raise_if_any(strange)
    hashes = {str(of.round): _file_hash(path) for path, of in read.items()}
    rounds = dict(sorted(hashes.items(), key=lambda item: int(item[0])))
    return _json_bytes(Commitment(event, game, rounds, _hash_of_rounds(rounds)))


def commitment_hash(made: bytes) -> str:
    """Return the hash of all hashes in a commitment."""
    return msgspec.json.decode(made, type=Commitment).whole


def is_commitment(text: bytes) -> bool:
    """Return whether a text is an unchanged commitment, as written by `commitment`."""
    try:
        found = msgspec.json.decode(text, type=Commitment)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return False
    return _hash_of_rounds(found.rounds) == found.whole and _json_bytes(found) == text


def matches_commitment(published: Path, number: int, opened: bytes) -> bool:
    """Return whether the opening of a round matches its published hash.

    Rounds that are not in the commitment match.
    """
    promised = _read(published, Commitment)[0].rounds.get(str(number))
    return promised in (None, hashlib.sha256(opened).hexdigest())


class VerifiedOpenings(msgspec.Struct, frozen=True):
    """The result of verifying openings against a commitment."""

    commitment_hash: str
    """The hash of all hashes in the commitment."""
    rounds: tuple[tuple[Opening, tuple[Words, ...]], ...]
    """Each opening with its faults."""
    unopened: tuple[int, ...]
    """The rounds of the commitment that have no opening."""
    version_differs: bool
    """Whether the only fault is that the rounds were packed with another version of Muster."""


def verify_openings(published: Path, openings: Iterable[Path]) -> VerifiedOpenings:
    """Verify openings against the published commitment.

    Raises:
        DataError: If the commitment was changed.
    """
    promise, source = _read(published, Commitment)
    if _hash_of_rounds(promise.rounds) != promise.whole:
        hint = tr("one of the hashes was changed; use the published file")
        raise DataError(source.problem(("whole",), tr("this hash does not match the hashes under `rounds`"), hint))
    found: list[tuple[Opening, tuple[Words, ...]]] = []
    opened: set[int] = set()
    kinds: set[str] = set()
    for path in openings:
        of, source = _read_opening(path)
        faults = [*([("twice", {})] if of.round in opened else []), *_faults(promise, of, path, source)]
        opened.add(of.round)
        kinds |= {fault for fault, _ in faults}
        found.append((of, tuple(words()["fault"][fault].fill(n=of.round, **details) for fault, details in faults)))
    closed = tuple(number for number in map(int, promise.rounds) if number not in opened)
    return VerifiedOpenings(promise.whole, tuple(found), closed, kinds == {"data"})


def _faults(promise: Commitment, of: Opening, path: Path, source: JsonFile) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the faults of an opening, each with the values for its message."""
    if str(of.round) not in promise.rounds:
        yield "unknown", {}
    elif promise.rounds[str(of.round)] != _file_hash(path):
        yield "hash", {}
    for kit in of.kits:
        if kit_id(of.secret, kit.code) != kit.kit:
            yield "kit", {"code": kit.code, "kit": kit.kit}
    if (promise.event, promise.game) != (of.event, of.game):
        yield "event", {}
    elif (of.muster, of.data) != (__version__, data_hash()):
        yield "data", {"version": of.muster}
    else:
        yield from _drawing_faults(of, folder_of(path), source)
    for kit in of.kits:
        file = folder_of(path) / scenario_file(kit.kit)
        if is_file(file) and _file_hash(file) != kit.sha256:
            yield "file", {"file": str(file)}


def _drawing_faults(of: Opening, folder: Path, source: JsonFile) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield a fault for each code whose scenario now differs from that of the opening."""
    game = games.load(of.game)
    for option, file in of.files.items():
        if fault := envelope.file_fault(UserFile(file.name, file.sha256), folder):
            raise DataError(source.problem(("files", option), fault, envelope.FILE_HINT))
    files = {option: folder / file.name for option, file in of.files.items()}
    for at, one in enumerate(of.kits):
        try:
            scenario = game.draw(Request(parse_code(one.code), of.options, files))
        except WrongUsageError as error:
            # The code comes from the file, so the user did not enter a wrong option.
            wrong = (source.problem(("kits", at), problem.message, problem.hint) for problem in error.problems)
            raise DataError(*wrong) from error
        text = envelope.compose(scenario.origin, game.write(scenario))
        if hashlib.sha256(text.encode()).hexdigest() != one.sha256:
            yield "drawn", {"code": one.code, "kit": one.kit}


def _hash_of_rounds(rounds: Mapping[str, str]) -> str:
    return hashlib.sha256("\n".join(f"{number} {digest}" for number, digest in rounds.items()).encode()).hexdigest()


def _file_hash(path: Path) -> str:
    return hashlib.sha256(content(path, FILE_LIMIT)).hexdigest()


def _json_bytes(value: msgspec.Struct) -> bytes:
    return (json.dumps(msgspec.to_builtins(value), ensure_ascii=False, indent=2) + "\n").encode()


def _read_opening(path: Path) -> tuple[Opening, JsonFile]:
    """Return the opening of a round.

    Raises:
        DataError: If the file is not an opening, or its game or options do not exist.
    """
    of, source = _read(path, Opening)
    if of.game not in games.names():
        raise DataError(
            source.problem(
                ("game",), tr("there is no game named {game!r}", game=of.game), near(of.game, games.names())
            )
        )
    problems = [source.problem(*strange) for strange in games.load(of.game).unknown_options(of.options, of.files)]
    problems += [
        source.problem(("files", option, "name"), fault)
        for option, file in of.files.items()
        if (fault := file_name_fault(file.name))
    ]
    DataError.raise_if_any(problems)
    return of, source


def _read(path: Path, kind: type[T]) -> tuple[T, JsonFile]:
    """Return the content of a file as a value of this type, and the file itself.

    Raises:
        DataError: If the file has another type.
    """
    source = JsonFile(path)
    return convert(source.data, kind, source.problem), source
