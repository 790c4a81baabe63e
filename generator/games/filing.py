"""What every game's scenario file has in common: reading it with every fault noted, and the JSON form's head."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec.structs import asdict

from generator.errors import DataError, Problem, near
from generator.games.rulings import Ruling
from generator.model.scenario import Origin, Scenario
from generator.model.words import LANGS, Words, same
from generator.notation.envelope import FILE_HINT, file_fault
from generator.notation.text import name_fault, unseen
from generator.notation.toml import KeyPath, Source
from generator.store.folders import shipped

Short = Annotated[str, msgspec.Meta(max_length=80, pattern=r"^[^\n\t]*$", description="one line without tabs")]
Count = Annotated[int, msgspec.Meta(ge=1, le=99)]


NAME_LIMIT, NOTE_LIMIT = 80, 2000
"""The most characters of a drawn map's name and note, in each language."""


class Drawn(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a file with a drawn map or board says of it."""

    name: Words
    source: Literal["house", "own"] = "own"
    note: Words = Words("", "")
    """What the ground asks of the players."""


D = TypeVar("D", bound=Drawn)


@dataclass(frozen=True)
class Named:
    """A drawn map, board or arena: its name and what its ground asks of the players; games add the ground itself."""

    name: Words
    note: Words
    source: Literal["house", "own"]

    @property
    def head(self) -> dict[str, object]:
        """What its file says of it, as `Drawn` reads it back."""
        return {"name": asdict(self.name), "source": self.source, "note": asdict(self.note)}


N = TypeVar("N", bound=Named)


def house_files(game: str, folder: str, read: Callable[[Source], N]) -> Mapping[str, N]:
    """What ships in a folder of a game's data, by the names of the files."""
    files = sorted((shipped("data") / game / folder).glob("*.toml"))
    return {path.stem: read(Source.open(path, f"{folder}/{path.name}")) for path in files}


def near_cell(name: str, find: Callable[[str], object], known: str) -> str:
    """A hint at a cell that is not quite spelt as it should be, or else at what there is."""
    plain = unicodedata.normalize("NFKC", name).strip()
    meant = next((spelt for spelt in (plain.upper(), plain.lower()) if find(spelt) is not None), "")
    return f"did you mean {meant}?" if meant else known


def read_drawn(source: Source, kind: type[D]) -> D:
    """The file of a drawn map or board; DataError for a name or note that is too long, or a name of two lines."""
    of = source.read(kind)
    problems = [
        source.problem((key,), f"has more than {limit} characters")
        for key, text, limit in (("name", of.name, NAME_LIMIT), ("note", of.note, NOTE_LIMIT))
        if any(len(text[lang]) > limit for lang in LANGS)
    ]
    problems += [
        source.problem(("name",), fault) for fault in dict.fromkeys(unseen(of.name[lang]) for lang in LANGS) if fault
    ]
    if problems:
        raise DataError(*problems)
    return of


class Reading:
    """A scenario file while it is read: notes every fault with its line."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.problems: list[Problem] = []

    def fault(self, keys: KeyPath, message: str, hint: str = "") -> None:
        """Note a fault at that key."""
        self.problems.append(self.source.problem(keys, message, hint))

    def done(self) -> None:
        """DataError with everything noted."""
        if self.problems:
            raise DataError(*self.problems)

    def title(self, text: Words | str) -> Words:
        """The title in both languages."""
        title = same(text) if isinstance(text, str) else text
        for fault in dict.fromkeys(name_fault(title[lang]) for lang in LANGS):
            if fault:
                self.fault(("play", "title"), fault)
        return title

    def one_of(self, keys: KeyPath, word: str, known: Iterable[str]) -> str:
        """One of a few words."""
        accepted = list(known)
        if word not in accepted:
            self.fault(keys, f"no {keys[-1]} {word!r}", near(word, accepted))
        return word

    def rulings(self, choices: Mapping[str, str], switches: Mapping[str, Ruling]) -> None:
        """Every switch and choice must be known."""
        for name, choice in choices.items():
            at = ("rulings", name)
            if name not in switches:
                self.fault(at, "no such ruling", near(name, switches))
            elif choice not in (known := [c.id for c in switches[name].choice]):
                self.fault(at, f"no choice {choice!r}", near(choice, known))

    def ids(self, at: KeyPath, ids: list[str]) -> None:
        """No id may stand twice in a table's rows."""
        for i, name in enumerate(ids):
            if ids.count(name) > 1:
                self.fault((*at, i, "id"), f"the id {name} stands twice")


def beside(wish: str, origin: Origin, folder: Path, source: Source) -> Path | None:
    """The user's file that the scenario was drawn with; it lies beside the scenario, unchanged."""
    if wish not in origin.files:
        return None
    wanted = origin.files[wish]
    if fault := file_fault(wanted, folder):
        raise DataError(source.problem(("muster", "files", wish), fault, FILE_HINT))
    return folder / Path(wanted.name).name


def head(scenario: Scenario) -> dict[str, Any]:
    """The JSON form of where a scenario comes from, and of its title."""
    origin = scenario.origin
    return {
        "game": origin.game,
        "code": origin.code,
        "version": origin.version,
        "wishes": dict(origin.wishes),
        "files": {w: {"name": f.name, "sha256": f.sha256} for w, f in origin.files.items()},
        "title": asdict(scenario.title),
    }
