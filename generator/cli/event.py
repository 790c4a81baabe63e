"""A tournament's folder: rounds begun, gone on with, taken up again.

An event that was begun in a folder, and how it goes on there: as the same event, or not at all.

Writing a tournament's rounds, one after the other: each is on disk and forgotten before the next is drawn.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Struct, field
from msgspec.structs import asdict, replace

from generator import games, process
from generator.cli import output, put
from generator.cli.find_event import near_event
from generator.cli.print_options import How
from generator.cli.scenario import copies
from generator.common import proof
from generator.common.game import Game
from generator.common.proof import Held
from generator.common.search import search_fair
from generator.errors import CannotWriteError, DataError, Problem, WrongUsageError
from generator.localization import tr
from generator.model.scenario import Request
from generator.model.words import Words
from generator.notation.envelope import file_hash
from generator.notation.text import clean_name, name_fault
from generator.notation.toml import convert
from generator.seeds import renewed
from generator.store.folders import is_file
from generator.store.json_files import JsonFile
from generator.store.manifest import NAME as MANIFEST
from generator.store.manifest import as_listed, as_made, manifest, own_files
from generator.store.write import Content, is_plain_name, remove
from generator.tournament import ledger, outside
from generator.tournament.comments import carry_over
from generator.tournament.csv_files import is_blank
from generator.tournament.csv_files import read as listed
from generator.tournament.event import MODES, Event, Mode, Scenarios, Seating, dealt, new_secret, searches
from generator.tournament.ledger import NAME as BOOK
from generator.tournament.ledger import Book
from generator.tournament.packing import OPENING, RESULTS, Pack, index_rows, pack
from generator.tournament.pages import index_kit
from generator.tournament.pairings import MOST_ROUNDS, MOST_TABLE, Round, words
from generator.tournament.record import Known, limits
from generator.tournament.record import faults as impossible
from generator.tournament.scores import NEEDED
from generator.tournament.sealing import COMMITMENT, kept_to
from generator.tournament.slips import slips_kit
from generator.workers import Spread, here

SECRET = "secret.txt"
COPIES = "copies"
"""The folder for copies of what a person filled in, before a command replaced it."""
BESIDE = [BOOK, COPIES]
"""Names that may lie in an event's folder besides the files of its manifest."""
_FOLDER = re.compile("round-([0-9]{1,3})")
_ELSEWHERE = tr("for another event, give another folder (-o)")


class _Manifest(msgspec.Struct, frozen=True):
    """What a round's manifest tells of its event."""

    event: str
    game: str
    code: str
    wishes: dict[str, str]
    scenarios: Mode
    files: dict[str, str]


class Begun(Struct, frozen=True):
    """What is known of an event from its folder; nothing of one that has none."""

    place: Path = Path()
    """The event's folder."""
    folder: Path | None = None
    """Where the organiser's files lie; None where there is no event."""
    game: str = ""
    code: str | None = None
    name: str = ""
    wishes: Mapping[str, str] = field(default_factory=dict)
    mode: Mode = MODES[0]
    files: Mapping[str, str] = field(default_factory=dict)
    """The files there with their hashes."""
    sealed: bool = False


def begun(folder: Path) -> Begun:
    """The event in a folder; DataError where its rounds are sealed and its secret is gone."""
    sealed = is_file(folder / SECRET)
    rounds = folders(folder)
    for made in rounds:
        if is_file(made / OPENING) and not sealed:
            hint = tr(
                "restore the {secret} that it was packed with; {elsewhere}", secret=SECRET, elsewhere=_ELSEWHERE
            )
            raise DataError(
                Problem(
                    tr("{name} is sealed, but there is no {secret} here", name=made.name, secret=SECRET),
                    str(folder),
                    hint=hint,
                )
            )
    for made in rounds:
        with contextlib.suppress(msgspec.ValidationError):
            of = msgspec.convert(content(made), _Manifest)
            if _sound(of):
                code = renewed(of.code)
                return Begun(folder, made, of.game, code, of.event, of.wishes, of.scenarios, of.files, sealed)
    return Begun(folder, sealed=sealed)


def _sound(of: _Manifest) -> bool:
    """Whether a manifest tells of an event that there can be."""
    if of.game not in games.names() or name_fault(of.event):
        return False
    try:
        renewed(of.code)
    except WrongUsageError:
        return False
    return not any(games.load(of.game).unknown_options(of.wishes)) and not any(map(name_fault, of.wishes.values()))


def earlier(made: Path) -> bool:
    """Whether a round's folder is of an earlier version, whose codes draw otherwise: it stays as it lies there."""
    code = content(made).get("code")
    try:
        return isinstance(code, str) and renewed(code) != code
    except WrongUsageError:
        return False


def goes_on(before: Begun, game: Game[Any], asked: Request, mode: Mode | None, sealed: bool) -> tuple[Request, Mode]:
    """What is asked for, with whatever was left out as the event in the folder has it.

    WrongUsageError where it is another game, or the same event asked for in another way; DataError where a file that
    belongs to it is no longer as it was.
    """
    if before.folder is None:
        return asked, mode or MODES[0]
    place = before.place
    if before.game != game.name:
        raise WrongUsageError(
            tr("{place} has an event of {game}, not {name}", place=place, game=before.game, name=game.name),
            hint=_ELSEWHERE,
        )
    if asked.code != before.code:
        return asked, mode or MODES[0]
    hint = tr("omit it to continue the event as it was started; {elsewhere}", elsewhere=_ELSEWHERE)
    WrongUsageError.raise_if_any(
        Problem(tr("{typed}: the event in {place} was started {was}", typed=typed, place=place, was=was), hint=hint)
        for typed, was in _differing(before, asked, mode, sealed)
    )
    kept = {
        wish.name: before.folder / before.wishes[wish.name]
        for wish in game.options
        if wish.file and before.wishes.get(wish.name, "") in before.files
    }
    for path in kept.values():
        if not as_made(path, before.files[path.name]):
            raise DataError(Problem(tr("was changed since the event started"), str(path), hint=tr("restore it")))
    return replace(asked, options=dict(before.wishes), files=kept | dict(asked.files)), before.mode


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
                Problem(
                    tr("is not the secret of a sealed event"),
                    str(file),
                    1,
                    tr("restore the one that it was packed with"),
                )
            )
        return found
    return new_secret()


def _differing(before: Begun, asked: Request, mode: Mode | None, sealed: bool) -> Iterator[tuple[str, str]]:
    """What is asked for in another way than the event was begun with, and how that was."""
    for name, value in asked.options.items():
        was, file = before.wishes.get(name), asked.files.get(name)
        if was != value:
            yield (
                f"--{name} {value}",
                tr("with --{name} {was}", name=name, was=was) if was else tr("without --{name}", name=name),
            )
        elif file and not as_made(file, before.files.get(value, "")):
            yield f"--{name} {value}", tr("with another file of that name")
    if mode and mode != before.mode:
        yield f"--scenarios {mode}", tr("with --scenarios {mode}", mode=before.mode)
    if sealed and not before.sealed:
        yield "--sealed", "open"


INDEX = "index.pdf"
MOST_PAGES, MOST_TOLD = 20_000, 250
"""Entries of a round in the index, and characters of each: two names and what stands between them."""


class Written(Struct, frozen=True):
    """A round that is on disk."""

    folder: Path
    number: int
    tables: int
    pages: int
    kits: tuple[str, ...]
    files: tuple[str, ...]
    kept: tuple[str, ...]
    """Files that a person filled in, and which stay."""
    again: tuple[str, ...]
    """Players who meet a scenario that they have played before."""
    held: Held
    """What of its scenarios' sight was verified."""

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
            "verified": proof.rows(self.held),
        }


class _Page(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A page of a round, as the index lists it."""

    file: str
    page: Annotated[int, msgspec.Meta(ge=1, le=99_999)]
    what: str
    kit: str
    table: Annotated[int, msgspec.Meta(ge=0, le=MOST_TABLE)] = 0


class Listing(msgspec.Struct, frozen=True):
    """What a round's manifest tells the index."""

    round: Annotated[int, msgspec.Meta(ge=1, le=MOST_ROUNDS)]
    pages: Annotated[tuple[_Page, ...], msgspec.Meta(min_length=1, max_length=MOST_PAGES)]


def event_name(typed: str) -> str:
    """An event's name as typed; WrongUsageError says what is wrong with it."""
    return clean_name(typed, "--event") if typed else ""


def printed_rounds(
    event: Event, every: Sequence[Round], only: Sequence[int], how: How, spread: Spread = here
) -> Iterator[PrintedRound]:
    """Draw, print and check one round after the other; only those of these numbers, if there are any.

    Drawn and printed by whoever `spread` has.
    """
    scenarios = Scenarios(event, every, partial(search_fair, event.game, spread=spread))
    wanted: Iterable[tuple[Round, Seating]]
    wanted = ((one, scenarios.seating(one.number)) for one in every if not only or one.number in only)
    if searches(event):
        wanted = list(wanted)  # whoever searches is done before others print
    process.collect_rarely()
    return spread(partial(_printed, event, how), wanted, along=True)


def write_round(event: Event, printed: PrintedRound, folder: Path) -> Written:
    """Write a round that was printed into the event's folder, which is held.

    Raises:
        WrongUsageError: it is not the round that was committed to; nothing is written.
        CannotWriteError: another command made the event's secret meanwhile, or a file cannot be written.
    """
    number = printed.written.number
    if event.secret:
        if is_file(folder / SECRET) and secret(folder) != event.secret:
            told = tr("{file} was changed while rounds were drawn", file=folder / SECRET)
            raise CannotWriteError(told, hint=tr("give the same command again"))
        _as_committed(number, bytes(printed.files[OPENING]), folder / COMMITMENT)
        _keep(event.secret, folder / SECRET)
    return _write(printed, folder / round_folder(number))


def round_folder(number: int) -> str:
    """What a round's folder is called."""
    return f"round-{number}"


def slips_file(number: int) -> str:
    """Return the name of a round's slips as a form."""
    return f"slips-{number}.pdf"


def index(event: Event, how: How, folder: Path) -> Path:
    """Write the index of all rounds that lie in an event's folder, as their manifests have it."""
    there = {path.name: listing(path) for path in folders(folder) if "pages" in content(path)}
    kit = index_kit(event, [(of.round, [asdict(row) for row in of.pages]) for of in there.values()])
    files = {INDEX: output.kit_pdf(kit, how.edition(event.game))}
    rounds = [of.round for of in there.values()]
    about: dict[str, object] = {
        "event": event.name,
        "game": event.game.name,
        "rounds": rounds,
        "folders": list(there),
        "beside": BESIDE,
    }
    before = {name: (folder / name).read_bytes() for name in own_files(folder)}
    put.folder(folder, files | {MANIFEST: manifest(about | output.fonts(), before | files)})
    return folder / INDEX


def listing(folder: Path) -> Listing:
    """What the manifest of a round says of its pages; DataError where it was changed."""
    source = JsonFile(folder / MANIFEST)
    of = convert(source.data, Listing, source.problem)
    told = {("pages", at, key): text for at, row in enumerate(of.pages) for key, text in asdict(row).items()}
    DataError.raise_if_any(
        source.problem(at, fault, tr("pack this round again"))
        for at, text in told.items()
        if text and isinstance(text, str) and (fault := name_fault(text, MOST_TOLD))
    )
    return of


def _as_committed(number: int, opening: bytes, published: Path) -> None:
    """WrongUsageError where a sealed round is another than the one that was committed to."""
    if is_file(published) and not kept_to(published, number, opening):
        message = tr(
            "round {number} would not be the one that {published} commits to",
            number=number,
            published=published,
        )
        hint = tr(
            "pack it with the options, files, tables and version of that time, or pack another "
            "event in another folder (-o)"
        )
        raise WrongUsageError(message, hint=hint)


def _keep(secret: str, file: Path) -> None:
    """Write the event's secret for its owner's eyes."""
    if not is_file(file):
        put.file(file, f"{secret}\n".encode(), private=True)


class PrintedRound(Struct, frozen=True):
    """A round that is ready to be written: its files, and what its manifest and the terminal say of it."""

    files: Mapping[str, Content]
    about: Mapping[str, object]
    written: Written
    """But for the folder, and whether its results stay."""


def _printed(event: Event, how: How, of: tuple[Round, Seating]) -> PrintedRound:
    """Draw and print a round."""
    round_, seating = of
    edition = replace(how.edition(event.game), fillable=False)
    parts = tuple(filter(None, (word.strip().lower() for word in how.parts.replace("、", ",").split(","))))
    packed = pack(event, dealt(event, seating), round_, parts, how.first)
    held = _verified(event.game, packed)
    bound = output.bound(packed.bundles, packed.title, edition)
    place = round_folder(packed.number)
    names = f"{place}.pdf", f"organiser-{packed.number}.pdf"
    files: dict[str, Content] = {names[0]: bound.pdf, names[1]: output.kit_pdf(packed.organiser, edition)}
    files |= packed.files
    if how.fillable:
        slips = slips_kit(event, round_, packed.deal)
        files[slips_file(packed.number)] = output.kit_pdf(slips, replace(edition, fillable=True))
    files |= copies(dict(event.order.files), (*files, MANIFEST))
    about = {
        "event": event.name,
        "game": event.game.name,
        "round": packed.number,
        "code": event.order.code,
        "wishes": dict(event.order.options),
        "scenarios": event.mode,
        "to_fill": [RESULTS],
        "verified": proof.rows(held),
        "most": packed.most,
        "over": packed.over,
        "sides": msgspec.to_builtins(packed.sides),
        "pages": index_rows(packed, bound.starts, f"{place}/{names[0]}", edition.lang),
    }
    made = tuple(one.stamp for one in packed.deal.played)
    again = tuple(name for names in packed.deal.again.values() for name in names)
    tables = len(round_.tables)
    of_round = Written(Path(), packed.number, tables, bound.pages, made, tuple(files), (), again, held)
    return PrintedRound(files, about | output.fonts(), of_round)


def _write(of: PrintedRound, folder: Path) -> Written:
    """Write a round's folder, the manifest last."""
    files = of.files
    to_fill = (RESULTS, slips_file(of.written.number))
    kept = tuple(name for name in to_fill if name in files and _filled(folder / name, files[name]))
    old = set(content(folder).get("files", ())) - files.keys()
    stale = [name for name in old if is_plain_name(name) and as_listed(folder / name)]
    listed = manifest(of.about, files)
    fresh = {name: content for name, content in files.items() if name not in kept}
    if is_file(folder / RESULTS) and is_blank((folder / RESULTS).read_bytes()):
        remove(folder, [RESULTS])  # nothing is typed in it, so it may be replaced
    put.folder(folder, fresh | {MANIFEST: listed})
    remove(folder, stale)
    return replace(of.written, folder=folder, kept=kept)


def _verified(game: Game[Any], packed: Pack) -> Held:
    """What the pages of a round rest on of sight, held against Shapely."""
    if game.sight is None:
        return ()
    told = game.sight.claims
    return proof.verified(claim for one in packed.deal.played for claim in told.printed(one.scenario))


def _filled(file: Path, fresh: Content) -> bool:
    """Whether a person typed in a file, so that it must stay; it may be as it would be made now."""
    return edited(file) and file.read_bytes() != bytes(fresh)


def edited(file: Path) -> bool:
    """Whether a file is there and is not as Muster made it: a person typed in it, and it must stay.

    Nothing is typed in a file that was emptied, or has but its headings.
    """
    return is_file(file) and not as_listed(file) and not is_blank(file.read_bytes())


def now() -> str:
    """The time as the book notes it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%MZ")


def kept(folder: Path) -> Book | None:
    """The book of the event in a folder, made anew from the rounds of an event that has none; else None.

    DataError with every faulty line.
    """
    return ledger.read(folder) or _taken_over(folder)


def opened(folder: Path) -> Book:
    """The book of the event in a folder; DataError where there is no event."""
    found = kept(folder)
    if found is None:
        hint = near_event(folder) or tr("muster tournament new, or muster tournament pack, begins one")
        told = tr("has no event") if folder.is_dir() else tr("there is no such event")
        raise DataError(Problem(told, str(folder), hint=hint))
    return found


def begun_in(folder: Path) -> Begun:
    """What is known of the event in a folder, from its rounds, or from its book while there are none."""
    before, book = begun(folder), ledger.read(folder)
    if book is None:
        return before
    if not before.game:
        before = Begun(folder, folder, book.game, book.code, book.name, book.wishes, book.scenarios, book.files)
    return replace(before, name=book.name, sealed=book.sealed or before.sealed)


def _taken_over(folder: Path) -> Book | None:
    """The book of an event of 0.1: who met whom stands in the results of its rounds, filled in or not."""
    before = begun(folder)
    rounds = [file for made in folders(folder) if is_file(file := made / RESULTS)] if before.game else []
    if not rounds or not before.code:
        return None
    found = [one for file in rounds for one in outside.of_results(listed(file, NEEDED))]
    book = Book(before.name, before.game, before.code, before.mode, sealed=before.sealed)
    book = msgspec.structs.replace(book, wishes=dict(before.wishes), files=_own_files(before))
    return ledger.with_rounds(book, found)


def _own_files(before: Begun) -> dict[str, str]:
    """The organiser's files with their hashes."""
    game = games.load(before.game)
    names = [before.wishes.get(wish.name, "") for wish in game.options if wish.file]
    return {name: before.files[name] for name in names if name in before.files}


def keep(folder: Path, book: Book, dry: bool = False) -> bool:
    """Write the book unless it stands there already; whether it would be, or was, another."""
    file, fresh = folder / BOOK, ledger.write(book)
    old = file.read_bytes() if is_file(file) else b""
    if b"#" in old:
        text = old.decode("utf-8-sig").replace("\r\n", "\n")
        fresh = carry_over(text, fresh.decode(), ledger.HEAD).encode()
    same = old == fresh or (bool(old) and ledger.read(folder) == book)
    if not same:
        ledger.unless_unreadable(fresh, file)
    if not same and not dry:
        put.file(file, fresh)
    return not same


def known(folder: Path) -> Known:
    """What can be counted at the tables of an event."""
    return limits(lambda number: content(folder / round_folder(number)))


def noted(folder: Path, book: Book) -> Book:
    """The book with the hash of each round's pages as it was played with them."""
    for one in book.round:
        file = folder / round_folder(one.number) / MANIFEST
        if one.results and not one.printed and is_file(file):
            book = book.with_round(msgspec.structs.replace(one, printed=file_hash(file)))
    return book


def faults(folder: Path) -> Iterator[Words]:
    """What cannot be in the book of the event in a folder, which has one: results, and pages made since."""
    book = opened(folder)
    yield from impossible(book, known(folder))
    for one in book.round:
        file = folder / round_folder(one.number) / MANIFEST
        if one.printed and is_file(file) and file_hash(file) != one.printed:
            yield words()["fault"]["pages"].fill(n=one.number)
