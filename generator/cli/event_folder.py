"""Find an event in its folder, continue it, and write its rounds one by one."""

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
from generator.cli import output, safe_write
from generator.cli.find_event import similar_event_hint
from generator.cli.print_options import PrintOptions
from generator.cli.scenario import file_copies
from generator.common import proof
from generator.common.game import Game
from generator.common.proof import Verifications
from generator.common.search import search_fair
from generator.errors import CannotWriteError, DataError, Problem, WrongUsageError
from generator.localization import tr
from generator.model.scenario import Request
from generator.model.words import Words
from generator.notation.envelope import file_hash
from generator.notation.text import clean_name, name_fault
from generator.notation.toml import convert
from generator.seeds import renewed
from generator.store.folders import is_file, is_folder
from generator.store.json_files import JsonFile
from generator.store.manifest import NAME as MANIFEST
from generator.store.manifest import as_listed, has_hash, manifest, own_files
from generator.store.write import Content, is_plain_name, remove
from generator.tournament import event_file, outside
from generator.tournament.comments import carry_over
from generator.tournament.csv_files import is_blank
from generator.tournament.csv_files import read as listed
from generator.tournament.event import MODES, Event, Mode, Scenarios, Seating, deal_round, new_secret, searches_fair
from generator.tournament.event_file import NAME as BOOK
from generator.tournament.event_file import EventRecord
from generator.tournament.packing import OPENING, RESULTS, Pack, index_rows, pack
from generator.tournament.pages import index_kit
from generator.tournament.pairings import MAX_ROUNDS, MAX_TABLE, Round, words
from generator.tournament.record import LimitsOfTable, manifest_limits
from generator.tournament.record import result_faults as impossible
from generator.tournament.scores import NEEDED_COLUMNS
from generator.tournament.sealing import COMMITMENT, matches_commitment
from generator.tournament.slips import slips_kit
from generator.workers import Spread, here

SECRET_FILE = "secret.txt"
"""The file with the secret of a sealed event. It is never published."""
COPIES_FOLDER = "copies"
"""The folder for copies of files that a person filled in and that a command then replaced."""
EXTRA_FILES = [BOOK, COPIES_FOLDER]
"""The names of files and folders that an event's folder may contain in addition to the files of its manifest."""
_FOLDER = re.compile("round-([0-9]{1,3})")
"""Matches the name of a round's folder."""
_ELSEWHERE = tr("to start another event, give another folder with -o")


class _Manifest(msgspec.Struct, frozen=True):
    """The entries in a round's manifest that describe its event."""

    event: str
    game: str
    code: str
    options: dict[str, str] = field(name="wishes")
    scenarios: Mode
    files: dict[str, str]


class ExistingEvent(Struct, frozen=True):
    """An event as described by its folder. All fields are empty if there is no event."""

    event_folder: Path = Path()
    """The folder of the event."""
    files_folder: Path | None = None
    """The folder of the organiser's files, or None if there is no event."""
    game: str = ""
    code: str | None = None
    name: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    mode: Mode = MODES[0]
    files: Mapping[str, str] = field(default_factory=dict)
    """The hashes of the organiser's files, keyed by name."""
    sealed: bool = False


def event_of_rounds(folder: Path) -> ExistingEvent:
    """Return the event that is described by the manifests of the rounds in a folder.

    Raises:
        DataError: If there are sealed rounds, but the secret is missing.
    """
    sealed = is_file(folder / SECRET_FILE)
    rounds = round_folders(folder)
    for made in rounds:
        if is_file(made / OPENING) and not sealed:
            hint = tr(
                "restore the {secret} that the event was packed with; {elsewhere}",
                secret=SECRET_FILE,
                elsewhere=_ELSEWHERE,
            )
            raise DataError(
                Problem(
                    tr(
                        "{name} is sealed, but {secret} is missing from the event's folder",
                        name=made.name,
                        secret=SECRET_FILE,
                    ),
                    str(folder),
                    hint=hint,
                )
            )
    for made in rounds:
        with contextlib.suppress(msgspec.ValidationError):
            of = msgspec.convert(read_manifest(made), _Manifest)
            if _is_valid(of):
                code = renewed(of.code)
                return ExistingEvent(
                    folder, made, of.game, code, of.event, of.options, of.scenarios, of.files, sealed
                )
    return ExistingEvent(folder, sealed=sealed)


def _is_valid(of: _Manifest) -> bool:
    """Return whether a manifest describes an event that is possible with this version."""
    if of.game not in games.names() or name_fault(of.event):
        return False
    try:
        renewed(of.code)
    except WrongUsageError:
        return False
    return not any(games.load(of.game).unknown_options(of.options)) and not any(map(name_fault, of.options.values()))


def is_of_earlier_version(folder: Path) -> bool:
    """Return whether a round was packed by an earlier version, whose codes give other scenarios.

    Such a round is never changed.
    """
    code = read_manifest(folder).get("code")
    try:
        return isinstance(code, str) and renewed(code) != code
    except WrongUsageError:
        return False


def continue_event(
    before: ExistingEvent, game: Game[Any], requested: Request, mode: Mode | None, sealed: bool
) -> tuple[Request, Mode]:
    """Return a request that includes the options of the event in the folder, and the mode of its scenarios.

    Raises:
        WrongUsageError: If the event has another game, or the same code with other options.
        DataError: If one of the event's files was changed.
    """
    if before.files_folder is None:
        return requested, mode or MODES[0]
    place = before.event_folder
    if before.game != game.name:
        raise WrongUsageError(
            tr(
                "the event in {place} is for the game {game}, not {name}",
                place=place,
                game=before.game,
                name=game.name,
            ),
            hint=_ELSEWHERE,
        )
    if requested.code != before.code:
        return requested, mode or MODES[0]
    hint = tr("omit this option to continue the event with its original options; {elsewhere}", elsewhere=_ELSEWHERE)
    WrongUsageError.raise_if_any(
        Problem(
            tr("{typed}: the event in {place} was started {was}", typed=option_text, place=place, was=was), hint=hint
        )
        for option_text, was in _differences(before, requested, mode, sealed)
    )
    kept = {
        option.name: before.files_folder / before.options[option.name]
        for option in game.options
        if option.file and before.options.get(option.name, "") in before.files
    }
    for path in kept.values():
        if not has_hash(path, before.files[path.name]):
            raise DataError(
                Problem(tr("was changed after the event started"), str(path), hint=tr("restore the original file"))
            )
    return replace(requested, options=dict(before.options), files=kept | dict(requested.files)), before.mode


def round_folders(folder: Path) -> list[Path]:
    """Return the folders of an event's rounds, sorted by number."""
    inside = folder.iterdir() if is_folder(folder) else ()
    found = {int(match[1]): path for path in inside if (match := _FOLDER.fullmatch(path.name))}
    return [found[number] for number in sorted(found)]


def read_manifest(folder: Path) -> dict[str, Any]:
    """Return the manifest of a folder, or an empty mapping if there is no readable manifest."""
    try:
        found = JsonFile(folder / MANIFEST).data
    except DataError:
        return {}
    return found if isinstance(found, dict) and isinstance(found.get("files", {}), dict) else {}


def read_secret(folder: Path) -> str:
    """Return the secret of the sealed event in a folder, or a new secret if there is none.

    Raises:
        DataError: If the file does not contain a secret.
    """
    file = folder / SECRET_FILE
    if is_file(file):
        found = file.read_text("utf-8", "replace").strip()
        if not re.fullmatch("[0-9a-f]{32}", found):
            raise DataError(
                Problem(
                    tr("does not contain the secret of a sealed event"),
                    str(file),
                    1,
                    tr("restore the file that the event was packed with"),
                )
            )
        return found
    return new_secret()


def _differences(
    before: ExistingEvent, requested: Request, mode: Mode | None, sealed: bool
) -> Iterator[tuple[str, str]]:
    """Yield each option that differs from that of the event, with a description of the event's option."""
    for name, value in requested.options.items():
        was, file = before.options.get(name), requested.files.get(name)
        if was != value:
            yield (
                f"--{name} {value}",
                tr("with --{name} {was}", name=name, was=was) if was else tr("without --{name}", name=name),
            )
        elif file and not has_hash(file, before.files.get(value, "")):
            yield f"--{name} {value}", tr("with a different file of the same name")
    if mode and mode != before.mode:
        yield f"--scenarios {mode}", tr("with --scenarios {mode}", mode=before.mode)
    if sealed and not before.sealed:
        yield "--sealed", "open"


INDEX_FILE = "index.pdf"
"""The file with the list of all printed pages."""
MAX_PAGES, MAX_ENTRY_CHARS = 20_000, 250
"""The maximum number of a round's entries in the index, and of characters in an entry (two names and a separator)."""


class WrittenRound(Struct, frozen=True):
    """A round that was written to disk."""

    folder: Path
    number: int
    tables: int
    pages: int
    kits: tuple[str, ...]
    files: tuple[str, ...]
    kept: tuple[str, ...]
    """Files that were not replaced because a person had filled them in."""
    again: tuple[str, ...]
    """Players who get a scenario that they have already played."""
    held: Verifications
    """The verification results for the lines of sight of the scenarios."""

    @property
    def pdf(self) -> Path:
        """The path of the PDF for the players."""
        return self.folder / self.files[0]

    def row(self) -> dict[str, object]:
        """Return the round as plain values for JSON (docs/json.md)."""
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
    """A page of a round, as listed in the index."""

    file: str
    page: Annotated[int, msgspec.Meta(ge=1, le=99_999)]
    what: str
    kit: str
    table: Annotated[int, msgspec.Meta(ge=0, le=MAX_TABLE)] = 0


class RoundListing(msgspec.Struct, frozen=True):
    """The entries in a round's manifest that the index needs."""

    round: Annotated[int, msgspec.Meta(ge=1, le=MAX_ROUNDS)]
    pages: Annotated[tuple[_Page, ...], msgspec.Meta(min_length=1, max_length=MAX_PAGES)]


def event_name(raw: str) -> str:
    """Return the name of an event from the option --event.

    Raises:
        WrongUsageError: If the name is not valid.
    """
    return clean_name(raw, "--event") if raw else ""


def print_rounds(
    event: Event, every: Sequence[Round], only: Sequence[int], print_options: PrintOptions, spread: Spread = here
) -> Iterator[PrintedRound]:
    """Generate, print and check rounds one by one, and yield each.

    If `only` is not empty, only these rounds are printed.

    `spread` distributes the work over processes.
    """
    scenarios = Scenarios(event, every, partial(search_fair, event.game, spread=spread))
    wanted: Iterable[tuple[Round, Seating]]
    wanted = ((one, scenarios.seating(one.number)) for one in every if not only or one.number in only)
    if searches_fair(event):
        wanted = list(wanted)  # All searches must finish before printing begins.
    process.collect_rarely()
    return spread(partial(_print_round, event, print_options), wanted, along=True)


def write_round(event: Event, printed: PrintedRound, folder: Path) -> WrittenRound:
    """Write a printed round to the folder of the event, which the caller must have locked.

    Raises:
        WrongUsageError: If the round differs from its commitment. In this case, nothing is written.
        CannotWriteError: If another command created the event's secret in the meantime, or a file cannot be
            written.
    """
    number = printed.written.number
    if event.secret:
        if is_file(folder / SECRET_FILE) and read_secret(folder) != event.secret:
            message = tr(
                "another command changed {file} while this command was drawing rounds", file=folder / SECRET_FILE
            )
            raise CannotWriteError(message, hint=tr("run the same command again"))
        _check_commitment(number, bytes(printed.files[OPENING]), folder / COMMITMENT)
        _write_secret(event.secret, folder / SECRET_FILE)
    return _write_files(printed, folder / round_folder(number))


def round_folder(number: int) -> str:
    """Return the name of a round's folder."""
    return f"round-{number}"


def slips_file(number: int) -> str:
    """Return the name of the PDF form with the result slips of a round."""
    return f"slips-{number}.pdf"


def write_index(event: Event, print_options: PrintOptions, folder: Path) -> Path:
    """Write the index of all rounds in the folder of an event from their manifests, and return its path."""
    there = {path.name: read_listing(path) for path in round_folders(folder) if "pages" in read_manifest(path)}
    kit = index_kit(event, [(of.round, [asdict(row) for row in of.pages]) for of in there.values()])
    files = {INDEX_FILE: output.kit_pdf(kit, print_options.press_options(event.game))}
    rounds = [of.round for of in there.values()]
    about: dict[str, object] = {
        "event": event.name,
        "game": event.game.name,
        "rounds": rounds,
        "folders": list(there),
        "beside": EXTRA_FILES,
    }
    before = {name: (folder / name).read_bytes() for name in own_files(folder)}
    safe_write.write_folder(folder, files | {MANIFEST: manifest(about | output.font_substitutes(), before | files)})
    return folder / INDEX_FILE


def read_listing(folder: Path) -> RoundListing:
    """Return the pages that the manifest of a round lists.

    Raises:
        DataError: If the manifest was changed.
    """
    source = JsonFile(folder / MANIFEST)
    of = convert(source.data, RoundListing, source.problem)
    texts = {("pages", at, key): text for at, row in enumerate(of.pages) for key, text in asdict(row).items()}
    DataError.raise_if_any(
        source.problem(at, fault, tr("pack this round again"))
        for at, text in texts.items()
        if text and isinstance(text, str) and (fault := name_fault(text, MAX_ENTRY_CHARS))
    )
    return of


def _check_commitment(number: int, opening: bytes, published: Path) -> None:
    """Check that a sealed round is the round of the published commitment.

    Raises:
        WrongUsageError: If the round differs.
    """
    if is_file(published) and not matches_commitment(published, number, opening):
        message = tr(
            "round {number} would differ from the round that {published} commits to",
            number=number,
            published=published,
        )
        hint = tr(
            "pack the round with the original options, files, tables and version of "
            "Muster, or pack another event in another folder with -o"
        )
        raise WrongUsageError(message, hint=hint)


def _write_secret(secret: str, file: Path) -> None:
    """Write the secret of the event to a file that only its owner can read. An existing secret is kept."""
    if not is_file(file):
        safe_write.write_file(file, f"{secret}\n".encode(), private=True)


class PrintedRound(Struct, frozen=True):
    """A round that is printed but not yet written, with its files and the entries for its manifest."""

    files: Mapping[str, Content]
    about: Mapping[str, object]
    written: WrittenRound
    """The report on the round. Its `folder` and `kept` are set when the round is written."""


def _print_round(event: Event, print_options: PrintOptions, of: tuple[Round, Seating]) -> PrintedRound:
    """Generate and print one round."""
    round_, seating = of
    press_options = replace(print_options.press_options(event.game), fillable=False)
    parts = tuple(filter(None, (word.strip().lower() for word in print_options.parts.replace("、", ",").split(","))))
    packed = pack(event, deal_round(event, seating), round_, parts, print_options.main_lang)
    held = _verify_sight(event.game, packed)
    bound = output.checked_bundles(packed.bundles, packed.title, press_options)
    place = round_folder(packed.number)
    names = f"{place}.pdf", f"organiser-{packed.number}.pdf"
    files: dict[str, Content] = {names[0]: bound.pdf, names[1]: output.kit_pdf(packed.organiser, press_options)}
    files |= packed.files
    if print_options.fillable:
        slips = slips_kit(event, round_, packed.deal)
        files[slips_file(packed.number)] = output.kit_pdf(slips, replace(press_options, fillable=True))
    files |= file_copies(dict(event.order.files), (*files, MANIFEST))
    about = {
        "event": event.name,
        "game": event.game.name,
        "round": packed.number,
        "code": event.order.code,
        "wishes": dict(event.order.options),
        "scenarios": event.mode,
        "to_fill": [RESULTS],
        "verified": proof.rows(held),
        "most": packed.max_counts,
        "over": packed.winning_counts,
        "max_lost": packed.max_lost,
        "sides": msgspec.to_builtins(packed.sides),
        "pages": index_rows(packed, bound.starts, f"{place}/{names[0]}", press_options.lang),
    }
    made = tuple(one.stamp for one in packed.deal.played)
    again = tuple(name for names in packed.deal.repeats.values() for name in names)
    tables = len(round_.tables)
    of_round = WrittenRound(Path(), packed.number, tables, bound.pages, made, tuple(files), (), again, held)
    return PrintedRound(files, about | output.font_substitutes(), of_round)


def _write_files(of: PrintedRound, folder: Path) -> WrittenRound:
    """Write the folder of a round. The manifest is written last."""
    files = of.files
    to_fill = (RESULTS, slips_file(of.written.number))
    kept = tuple(name for name in to_fill if name in files and _is_filled(folder / name, files[name]))
    old = set(read_manifest(folder).get("files", ())) - files.keys()
    stale = [name for name in old if is_plain_name(name) and as_listed(folder / name)]
    listed = manifest(of.about, files)
    fresh = {name: content for name, content in files.items() if name not in kept}
    if is_file(folder / RESULTS) and is_blank((folder / RESULTS).read_bytes()):
        remove(folder, [RESULTS])  # The file has no entries, so it may be replaced.
    safe_write.write_folder(folder, fresh | {MANIFEST: listed})
    remove(folder, stale)
    return replace(of.written, folder=folder, kept=kept)


def _verify_sight(game: Game[Any], packed: Pack) -> Verifications:
    """Verify the lines of sight on the pages of a round with Shapely."""
    if game.sight is None:
        return ()
    sight_claims = game.sight.claims
    return proof.verify_claims(claim for one in packed.deal.played for claim in sight_claims.printed(one.scenario))


def _is_filled(file: Path, fresh: Content) -> bool:
    """Return whether a person changed a file, so that it must be kept.

    A file with the new content need not be kept.
    """
    return is_edited(file) and file.read_bytes() != bytes(fresh)


def is_edited(file: Path) -> bool:
    """Return whether a file exists and was changed by a person, so that it must be kept.

    A file that is empty or has only its headings does not count as changed.
    """
    return is_file(file) and not as_listed(file) and not is_blank(file.read_bytes())


def current_time() -> str:
    """Return the current time in the format of the event's file."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%MZ")


def read_event(folder: Path) -> EventRecord | None:
    """Return the record of the event in a folder, or None if there is no event.

    Events of version 0.1 have no record file, so their record is derived from their rounds.

    Raises:
        DataError: If the event's file is faulty. The error lists every fault.
    """
    return event_file.read(folder) or _event_of_old_rounds(folder)


def open_event(folder: Path) -> EventRecord:
    """Return the record of the event in a folder.

    Raises:
        DataError: If there is no event in the folder.
    """
    found = read_event(folder)
    if found is None:
        hint = similar_event_hint(folder) or tr("start an event with muster tournament new or muster tournament pack")
        message = tr("does not contain an event") if is_folder(folder) else tr("the event's folder does not exist")
        raise DataError(Problem(message, str(folder), hint=hint))
    return found


def existing_event(folder: Path) -> ExistingEvent:
    """Return the event in a folder as described by its rounds, or by its record if there are no rounds."""
    before, event_record = event_of_rounds(folder), event_file.read(folder)
    if event_record is None:
        return before
    if not before.game:
        before = ExistingEvent(
            folder,
            folder,
            event_record.game,
            event_record.code,
            event_record.name,
            event_record.options,
            event_record.scenarios,
            event_record.files,
        )
    return replace(before, name=event_record.name, sealed=event_record.sealed or before.sealed)


def _event_of_old_rounds(folder: Path) -> EventRecord | None:
    """Return the record of an event of version 0.1, with pairings from the results files of its rounds."""
    before = event_of_rounds(folder)
    rounds = [file for made in round_folders(folder) if is_file(file := made / RESULTS)] if before.game else []
    if not rounds or not before.code:
        return None
    found = [one for file in rounds for one in outside.rounds_of_results(listed(file, NEEDED_COLUMNS))]
    event_record = EventRecord(before.name, before.game, before.code, before.mode, sealed=before.sealed)
    event_record = msgspec.structs.replace(event_record, options=dict(before.options), files=_organiser_files(before))
    return event_file.with_rounds(event_record, found)


def _organiser_files(before: ExistingEvent) -> dict[str, str]:
    """Return the hashes of the organiser's files, keyed by name."""
    game = games.load(before.game)
    names = [before.options.get(option.name, "") for option in game.options if option.file]
    return {name: before.files[name] for name in names if name in before.files}


def save_event(folder: Path, event_record: EventRecord, dry_run: bool = False) -> bool:
    """Write the record if it differs from the file, and return whether it differs. With `dry_run`, write nothing."""
    file, fresh = folder / BOOK, event_file.write(event_record)
    old = file.read_bytes() if is_file(file) else b""
    if b"#" in old:
        text = old.decode("utf-8-sig").replace("\r\n", "\n")
        fresh = carry_over(text, fresh.decode(), event_file.KNOWN_HEADS).encode()
    same = old == fresh or (bool(old) and event_file.read(folder) == event_record)
    if not same:
        event_file.check_readable(fresh, file)
    if not same and not dry_run:
        safe_write.write_file(file, fresh)
    return not same


def result_limits(folder: Path) -> LimitsOfTable:
    """Return a function that returns the limits of the results at each table of an event."""
    return manifest_limits(lambda number: read_manifest(folder / round_folder(number)))


def with_page_hashes(folder: Path, event_record: EventRecord) -> EventRecord:
    """Return the record with the hash of each played round's manifest.

    Later changes of the round's pages can then be detected.
    """
    for one in event_record.round:
        file = folder / round_folder(one.number) / MANIFEST
        if one.results and not one.printed and is_file(file):
            event_record = event_record.with_round(msgspec.structs.replace(one, printed=file_hash(file)))
    return event_record


def event_faults(folder: Path) -> Iterator[Words]:
    """Yield the faults of an event's record: impossible results, and pages that were printed after play."""
    event_record = open_event(folder)
    yield from impossible(event_record, result_limits(folder))
    for one in event_record.round:
        file = folder / round_folder(one.number) / MANIFEST
        if one.printed and is_file(file) and file_hash(file) != one.printed:
            yield words()["fault"]["pages"].fill(n=one.number)
