"""An event that was begun in a folder, and how it goes on there: as the same event, or not at all."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import msgspec

from generator import games
from generator.draw.codes import parse_code
from generator.errors import DataError, Problem, WrongUsageError
from generator.games.capability import Game
from generator.model.scenario import Order
from generator.notation.text import name_fault
from generator.store.folders import is_file
from generator.store.jsonfile import JsonFile
from generator.store.manifest import NAME as MANIFEST
from generator.store.manifest import as_listed, as_made
from generator.tournament.event import MODES, Mode
from generator.tournament.kitid import new_secret
from generator.tournament.packing import OPENING

SECRET = "secret.txt"
_FOLDER = re.compile("round-([0-9]{1,3})")
_ELSEWHERE = "another event needs another folder (-o)"


class _Manifest(msgspec.Struct, frozen=True):
    """What a round's manifest tells of its event."""

    event: str
    game: str
    code: str
    wishes: dict[str, str]
    scenarios: Mode
    files: dict[str, str]


@dataclass(frozen=True)
class Begun:
    """What is known of an event from the rounds in its folder; nothing of one that has none."""

    folder: Path | None = None
    """Of the round that tells it."""
    game: str = ""
    code: str | None = None
    name: str = ""
    wishes: Mapping[str, str] = field(default_factory=dict)
    mode: Mode = MODES[0]
    files: Mapping[str, str] = field(default_factory=dict)
    """The files of that round with their hashes."""
    sealed: bool = False


def begun(folder: Path) -> Begun:
    """The event in a folder; DataError where its rounds are sealed and its secret is gone."""
    sealed = is_file(folder / SECRET)
    rounds = folders(folder)
    for made in rounds:
        if is_file(made / OPENING) and not sealed:
            hint = f"put back the {SECRET} that it was packed with; {_ELSEWHERE}"
            raise DataError(Problem(f"{made.name} is sealed, but there is no {SECRET} here", str(folder), hint=hint))
    for made in rounds:
        with contextlib.suppress(msgspec.ValidationError):
            of = msgspec.convert(content(made), _Manifest)
            if _sound(of):
                return Begun(made, of.game, of.code, of.event, of.wishes, of.scenarios, of.files, sealed)
    return Begun(sealed=sealed)


def _sound(of: _Manifest) -> bool:
    """Whether a manifest tells of an event that there can be."""
    if of.game not in games.names() or name_fault(of.event):
        return False
    known = {wish.name for wish in games.load(of.game).wishes}
    try:
        parse_code(of.code)
    except WrongUsageError:
        return False
    return known >= of.wishes.keys() and not any(map(name_fault, of.wishes.values()))


def goes_on(before: Begun, game: Game[Any], asked: Order, mode: Mode | None, sealed: bool) -> tuple[Order, Mode]:
    """What is asked for, with whatever was left out as the event in the folder has it.

    WrongUsageError where it is another game, or the same event asked for in another way; DataError where a file that
    belongs to it is no longer as it was.
    """
    if before.folder is None:
        return asked, mode or MODES[0]
    place = before.folder.parent
    if before.game != game.name:
        raise WrongUsageError(Problem(f"{place} holds an event of {before.game}, not {game.name}", hint=_ELSEWHERE))
    if asked.code != before.code:
        return asked, mode or MODES[0]
    if differing := list(_differing(before, asked, mode, sealed)):
        hint = f"leave it out, and it goes on as it was begun; {_ELSEWHERE}"
        raise WrongUsageError(
            *(Problem(f"{typed}: the event in {place} was begun {was}", hint=hint) for typed, was in differing)
        )
    kept = {
        wish.name: before.folder / before.wishes[wish.name]
        for wish in game.wishes
        if wish.file and before.wishes.get(wish.name, "") in before.files
    }
    for path in kept.values():
        if not as_listed(path):
            raise DataError(Problem("is not as it was when the event began", str(path), hint="put it back"))
    return replace(asked, wishes=dict(before.wishes), files=kept | dict(asked.files)), before.mode


def folders(folder: Path) -> list[Path]:
    """The folders of an event's rounds, in their order."""
    inside = folder.iterdir() if folder.is_dir() else ()
    found = {int(match[1]): path for path in inside if (match := _FOLDER.fullmatch(path.name))}
    return [found[number] for number in sorted(found)]


def content(folder: Path) -> dict[str, Any]:
    """A folder's manifest; empty where it has none that can be read."""
    try:
        found = JsonFile(folder / MANIFEST).data
    except DataError:
        return {}
    return found if isinstance(found, dict) else {}


def secret(folder: Path) -> str:
    """The secret of the sealed event in that folder; a new one where it has none."""
    file = folder / SECRET
    if is_file(file):
        found = file.read_text("utf-8", "replace").strip()
        if not re.fullmatch("[0-9a-f]{32}", found):
            raise DataError(
                Problem("is no secret of a sealed event", str(file), 1, "put back the one it was packed with")
            )
        return found
    return new_secret()


def _differing(before: Begun, asked: Order, mode: Mode | None, sealed: bool) -> Iterator[tuple[str, str]]:
    """What is asked for in another way than the event was begun with, and how that was."""
    for name, value in asked.wishes.items():
        was, file = before.wishes.get(name), asked.files.get(name)
        if was != value:
            yield f"--{name} {value}", f"with --{name} {was}" if was else f"without --{name}"
        elif file and not as_made(file, before.files.get(value, "")):
            yield f"--{name} {value}", "with another file of that name"
    if mode and mode != before.mode:
        yield f"--scenarios {mode}", f"with --scenarios {before.mode}"
    if sealed and not before.sealed:
        yield "--sealed", "open"
