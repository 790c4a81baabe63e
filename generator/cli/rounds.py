"""Writing a tournament's rounds, one after the other: each is on disk and forgotten before the next is drawn."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec.structs import asdict

from generator.cli import paper, put
from generator.cli.begun import SECRET, content, folders
from generator.cli.how import How
from generator.cli.scenario import copies
from generator.errors import DataError, Problem, WrongUsageError
from generator.notation.text import clean_name, name_fault
from generator.notation.toml import typed
from generator.store.folders import is_file
from generator.store.jsonfile import JsonFile
from generator.store.manifest import NAME as MANIFEST
from generator.store.manifest import as_listed, manifest, own
from generator.store.write import is_bare, remove
from generator.tournament.event import Event
from generator.tournament.organiser import index_kit
from generator.tournament.packing import OPENING, RESULTS, Pack, index_rows, pack
from generator.tournament.pairings import MOST_ROUNDS, Round
from generator.tournament.scenarios import Scenarios
from generator.tournament.sealing import COMMITMENT, kept_to

if TYPE_CHECKING:
    from generator.press.bundles import Bound
    from generator.press.edition import Edition
    from generator.press.progress import Progress

INDEX = "index.pdf"
MOST_PAGES, MOST_TOLD = 20_000, 250
"""Entries of a round in the index, and characters of each: two names and what stands between them."""


@dataclass(frozen=True)
class Written:
    """A round that is on disk."""

    folder: Path
    number: int
    tables: int
    pages: int
    kits: tuple[str, ...]
    files: tuple[str, ...]
    kept: bool
    """Its results had been filled in, and stay."""
    again: tuple[str, ...]
    """Players who meet a scenario that they have played before."""

    @property
    def pdf(self) -> Path:
        """What is printed for the players."""
        return self.folder / self.files[0]

    def row(self) -> dict[str, object]:
        """The round as plain values."""
        return {
            "round": self.number,
            "folder": str(self.folder),
            "tables": self.tables,
            "pages": self.pages,
            "kits": list(self.kits),
            "again": list(self.again),
            "files": list(self.files),
        }


class _Page(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A page of a round, as the index lists it."""

    file: str
    page: Annotated[int, msgspec.Meta(ge=1, le=99_999)]
    what: str
    kit: str


class _Listing(msgspec.Struct, frozen=True):
    """What a round's manifest tells the index."""

    round: Annotated[int, msgspec.Meta(ge=1, le=MOST_ROUNDS)]
    pages: Annotated[tuple[_Page, ...], msgspec.Meta(min_length=1, max_length=MOST_PAGES)]


def event_name(typed: str) -> str:
    """An event's name as typed; WrongUsageError says what is wrong with it."""
    return clean_name(typed, "--event") if typed else ""


def written(event: Event, every: Sequence[Round], only: Sequence[int], how: How, folder: Path) -> Iterator[Written]:
    """Draw, print, look over and write one round after the other; only those of these numbers, if there are any.

    WrongUsageError, before the round is written, where it is not the one that was committed to.
    """
    scenarios, edition = Scenarios(event, every), how.edition(event.game)
    for round_ in every:
        if only and round_.number not in only:
            continue
        packed = pack(event, scenarios, round_, _words(how.parts), how.first)
        if event.secret:
            _as_committed(packed, folder / COMMITMENT)
            _keep(event.secret, folder / SECRET)
        yield _write(event, packed, len(round_.tables), edition, folder / f"round-{round_.number}")
        del packed
        # A page is full of things that know one another, and a process of ours looks for no garbage (cli/__init__).
        gc.collect()


def index(event: Event, how: How, folder: Path) -> Path:
    """Write the index of all rounds that lie in an event's folder, as their manifests have it."""
    there = {path.name: _listing(path) for path in folders(folder) if "pages" in content(path)}
    kit = index_kit(event, [(of.round, [asdict(row) for row in of.pages]) for of in there.values()])
    files = {INDEX: paper.pdf(kit, how.edition(event.game))}
    rounds = [of.round for of in there.values()]
    about: dict[str, object] = {
        "event": event.name,
        "game": event.game.name,
        "rounds": rounds,
        "folders": list(there),
    }
    before = {name: (folder / name).read_bytes() for name in own(folder)}
    put.folder(folder, files | {MANIFEST: manifest(about | paper.fonts(), before | files)})
    return folder / INDEX


def _listing(folder: Path) -> _Listing:
    """What the manifest of a round says of its pages; DataError where it was changed."""
    source = JsonFile(folder / MANIFEST)
    of = typed(source.data, _Listing, source.problem)
    told = {("pages", at, key): text for at, row in enumerate(of.pages) for key, text in asdict(row).items()}
    faults = [(at, fault) for at, text in told.items() if isinstance(text, str) and (fault := _unfit(text))]
    if faults:
        raise DataError(*(source.problem(at, fault, "pack this round again") for at, fault in faults))
    return of


def _unfit(text: str) -> str:
    """What is wrong with a text of the index; empty where nothing is."""
    return name_fault(text, MOST_TOLD) if text else ""


def _as_committed(packed: Pack, published: Path) -> None:
    """WrongUsageError where a sealed round is another than the one that was committed to."""
    if is_file(published) and not kept_to(published, packed.number, packed.files[OPENING]):
        message = f"round {packed.number} would not be the one that {published} commits to"
        hint = "pack it with the wishes, files, tables and version of then, or another event in another folder (-o)"
        raise WrongUsageError(Problem(message, hint=hint))


def _keep(secret: str, file: Path) -> None:
    """Write the event's secret for its owner's eyes."""
    if not is_file(file):
        put.file(file, f"{secret}\n".encode(), private=True)


def _write(event: Event, packed: Pack, tables: int, edition: Edition, folder: Path) -> Written:
    """Print a round, and write its folder, the manifest last."""
    bound = _bound(packed, edition)
    names = f"{folder.name}.pdf", f"organiser-{packed.number}.pdf"
    files = dict(zip(names, (bound.pdf, paper.pdf(packed.organiser, edition)), strict=True)) | dict(packed.files)
    files |= copies(dict(event.order.files), (*files, MANIFEST))
    about = {
        "event": event.name,
        "game": event.game.name,
        "round": packed.number,
        "code": event.order.code,
        "wishes": dict(event.order.wishes),
        "scenarios": event.mode,
        "to_fill": [RESULTS],
        "pages": index_rows(packed, bound.starts, f"{folder.name}/{names[0]}", edition.lang),
    }
    kept = _filled(folder / RESULTS, files[RESULTS])
    old = set(content(folder).get("files", ())) - files.keys()
    stale = [name for name in old if is_bare(name) and as_listed(folder / name)]
    listed = manifest(about | paper.fonts(), files)
    fresh = {name: content for name, content in files.items() if not (kept and name == RESULTS)}
    put.folder(folder, fresh | {MANIFEST: listed})
    remove(folder, stale)
    made = tuple(one.stamp for one in packed.deal.played)
    again = tuple(name for names in packed.deal.again.values() for name in names)
    return Written(folder, packed.number, tables, bound.pages, made, tuple(files), kept, again)


def _bound(packed: Pack, edition: Edition) -> Bound:
    """The players' PDF, looked over."""
    from generator.press.bundles import print_bundles

    made: list[Bound] = []

    def make(edition: Edition, progress: Progress) -> bytes:
        made.append(print_bundles(packed.bundles, packed.title, edition, progress))
        return made[-1].pdf

    paper.sound(make, edition)
    return made[-1]


def _words(typed: str) -> tuple[str, ...]:
    """Words typed by comma."""
    return tuple(word for part in typed.replace("、", ",").split(",") if (word := part.strip().lower()))


def _filled(file: Path, fresh: bytes) -> bool:
    """Whether a round's results were filled in, so that they must stay."""
    return is_file(file) and file.read_bytes() != fresh and not as_listed(file)
