"""Sealed rounds: what is published before play, and what opens it afterwards.

A round's opening says everything that its codes were: event, wishes, data, the round's own secret, every code with
its kit id and the hash of its scenario. Its hash, published before play, gives nothing away, for nobody can guess the
secret in it; afterwards the opening fits the hash or does not.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import msgspec

from generator import __version__, games
from generator.errors import DataError, Problem
from generator.model.scenario import Order, UserFile
from generator.model.words import Words
from generator.notation import envelope
from generator.store.folders import is_file
from generator.store.manifest import data_hash
from generator.store.read import beside, is_there
from generator.store.read import read as content
from generator.tournament.event import Drawn, Event
from generator.tournament.kitid import kit_id, scenario_file
from generator.tournament.words import words

FILE_LIMIT = 1 << 20
COMMITMENT = "commitment.json"
T = TypeVar("T")


class Kit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kit of the round: what stood on it, what drew it, the hash of its scenario file."""

    kit: str
    code: str
    sha256: str


class File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file of the organiser's own, by name and hash."""

    name: str
    sha256: str


class Opening(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All that a sealed round hid."""

    event: str
    game: str
    round: int
    secret: str
    scenarios: str
    wishes: dict[str, str]
    files: dict[str, File]
    kits: tuple[Kit, ...]
    muster: str
    data: str


class Commitment(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is published: the hash of each round's opening, and one hash of them all, short enough to read out."""

    event: str
    game: str
    rounds: dict[str, str]
    whole: str


def opening(event: Event, number: int, drawn: Sequence[Drawn]) -> bytes:
    """The opening of a round as a file."""
    made = Opening(
        event=event.name,
        game=event.game.name,
        round=number,
        secret=event.secret_of(number),
        scenarios=event.mode,
        wishes=dict(event.order.wishes),
        files={wish: File(path.name, envelope.file_hash(path)) for wish, path in event.order.files.items()},
        kits=tuple(Kit(one.stamp, one.code, one.digest) for one in drawn),
        muster=__version__,
        data=data_hash(),
    )
    return _json(made)


def commitment(openings: Iterable[Path]) -> bytes:
    """What to publish before play, of the openings of every round; DataError where they are of several events."""
    read = {path: _read(path, Opening) for path in openings}
    named = {(of.event, of.game) for of in read.values()}
    if len(named) != 1:
        raise DataError(Problem("there are no sealed rounds" if not named else "the rounds are of several events"))
    (event, game), hashes = *named, {str(of.round): _hash(path) for path, of in read.items()}
    rounds = dict(sorted(hashes.items(), key=lambda item: int(item[0])))
    return _json(Commitment(event, game, rounds, _whole(rounds)))


def whole(made: bytes) -> str:
    """The one hash of a commitment."""
    return msgspec.json.decode(made, type=Commitment).whole


def is_commitment(text: bytes) -> bool:
    """Whether it is a commitment as `commitment` makes one."""
    try:
        found = msgspec.json.decode(text, type=Commitment)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return False
    return _whole(found.rounds) == found.whole and _json(found) == text


def kept_to(published: Path, number: int, opened: bytes) -> bool:
    """Whether the opening of a round is the one committed to, or nothing was promised of it."""
    promised = _read(published, Commitment).rounds.get(str(number))
    return promised in (None, hashlib.sha256(opened).hexdigest())


@dataclass(frozen=True)
class Revealed:
    """Opened rounds, held against what was published."""

    whole: str
    """The one hash of the commitment."""
    rounds: tuple[tuple[Opening, tuple[Words, ...]], ...]
    """Each opening with everything that is wrong with it."""
    closed: tuple[int, ...]
    """Rounds that were committed to and not opened."""


def revealed(published: Path, openings: Iterable[Path]) -> Revealed:
    """Hold openings against what was published; DataError where that was changed."""
    promise = _read(published, Commitment)
    if _whole(promise.rounds) != promise.whole:
        raise DataError(Problem("its rounds do not come to its hash", str(published)))
    found: list[tuple[Opening, tuple[Words, ...]]] = []
    opened: set[int] = set()
    for path in openings:
        of = _read(path, Opening)
        faults = [*([("twice", {})] if of.round in opened else []), *_faults(promise, of, path)]
        opened.add(of.round)
        found.append((of, tuple(words()["fault"][fault].fill(n=of.round, **told) for fault, told in faults)))
    closed = tuple(number for number in map(int, promise.rounds) if number not in opened)
    return Revealed(promise.whole, tuple(found), closed)


def _faults(promise: Commitment, of: Opening, path: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """What is wrong with an opening: which fault, and what to tell of it."""
    if str(of.round) not in promise.rounds:
        yield "unknown", {}
    elif promise.rounds[str(of.round)] != _hash(path):
        yield "hash", {}
    if (promise.event, promise.game) != (of.event, of.game):
        yield "event", {}
    elif (of.muster, of.data) != (__version__, data_hash()):
        yield "data", {"version": of.muster}
    else:
        yield from _redrawn(of, beside(path))
    for kit in of.kits:
        file = beside(path) / scenario_file(kit.kit)
        if is_file(file) and _hash(file) != kit.sha256:
            yield "file", {"file": str(file)}


def _redrawn(of: Opening, folder: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """What each code draws, held against what the opening says of it."""
    game = games.load(of.game)
    for file in of.files.values():
        if fault := envelope.file_fault(UserFile(file.name, file.sha256), folder):
            raise DataError(Problem(fault, str(folder), hint=envelope.FILE_HINT))
    files = {wish: folder / file.name for wish, file in of.files.items()}
    for one in of.kits:
        told = {"code": one.code, "kit": one.kit}
        if kit_id(of.secret, one.code) != one.kit:
            yield "kit", told
        scenario = game.draw(Order(one.code, of.wishes, files))
        text = envelope.compose(scenario.origin, game.write(scenario))
        if hashlib.sha256(text.encode()).hexdigest() != one.sha256:
            yield "drawn", told


def _whole(rounds: Mapping[str, str]) -> str:
    return hashlib.sha256("\n".join(f"{number} {digest}" for number, digest in rounds.items()).encode()).hexdigest()


def _hash(path: Path) -> str:
    return hashlib.sha256(content(path, FILE_LIMIT)).hexdigest()


def _json(value: msgspec.Struct) -> bytes:
    return (json.dumps(msgspec.to_builtins(value), ensure_ascii=False, indent=2) + "\n").encode()


def _read(path: Path, kind: type[T]) -> T:
    """A file of that kind; DataError where it is none."""
    if not is_there(path):
        raise DataError(Problem("no such file", str(path)))
    try:
        return msgspec.json.decode(content(path, FILE_LIMIT), type=kind)
    except OSError as error:
        raise DataError(Problem(f"cannot be read: {error.strerror}", str(path))) from error
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise DataError(Problem(f"is no {kind.__name__.lower()}: {error}", str(path))) from error
