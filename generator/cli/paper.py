"""Making a kit's files: PDF, scenario, manifest."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from generator.cli import put, say
from generator.cli.ask import chosen
from generator.cli.how import KIT, ONE_SHEET, How, how_options
from generator.cli.out import out_file, out_folder
from generator.cli.scenario import SCENARIO, Loaded, copies, rebuild
from generator.cli.telling import Telling
from generator.errors import NotInOrderError, Problem, WrongUsageError
from generator.games.capability import Game
from generator.games.covers import warning
from generator.games.whose import credit, owners
from generator.model.views import Kit, Poster, Run
from generator.notation.envelope import file_fault, file_hash
from generator.store.manifest import NAME as MANIFEST
from generator.store.manifest import manifest, own
from generator.store.write import remove

if TYPE_CHECKING:
    from generator.press.coverage import Measuring
    from generator.press.edition import Edition
    from generator.press.progress import Progress

PDF = "kit.pdf"
MADE = (".pdf", ".png", ".svg")
"""What the names of printed files end in; any other file may be a person's."""
ALSO = {"sheets": "records", "board": "arena"}
"""What else parts may be called, by the verbs that print them: blank record sheets, boards without a battle."""


def kit_options(command: Callable[..., None]) -> Callable[..., None]:
    """-o DIR, and how a kit is printed."""
    return out_folder("The kit's own folder.")(how_options(KIT)(command))


def sheet_options(command: Callable[..., None]) -> Callable[..., None]:
    """-o FILE, and how it is printed, for a verb that may print what it says."""
    return out_file("Print it too: the PDF, or - for standard output.", ".pdf")(how_options(ONE_SHEET)(command))


def credited(kit: Kit, game: Game[Any], files: Mapping[str, Path]) -> Kit:
    """The kit with what stands at its foot where these files hold an owner's content."""
    return replace(kit, credit=credit(game, owners(game, files)))


def of_scenario(kit: Kit, loaded: Loaded, folder: Path) -> Kit:
    """The same for sheets of a scenario, with those of its files that lie unchanged beside it in the folder."""
    files = {w: folder / f.name for w, f in loaded.scenario.origin.files.items() if not file_fault(f, folder)}
    return credited(kit, loaded.game, files)


def folder(loaded: Loaded, out: Path | None) -> Path:
    """Where a kit goes when nobody says otherwise: output/<game>-<code>."""
    return out or Path("output") / f"{loaded.game.name}-{loaded.stamp.rstrip('+')}"


def pdf(kit: Kit, edition: Edition, measuring: Measuring | None = None) -> bytes:
    """A printed kit that has passed preflight, its ink measured; NotInOrderError says what is wrong with it."""
    from generator.press.book import print_kit

    return sound(partial(print_kit, kit), edition, measuring)


def sound(make: Callable[[Edition, Progress], bytes], edition: Edition, measuring: Measuring | None = None) -> bytes:
    """What `make` prints, once it has passed preflight; NotInOrderError says what is wrong with it."""
    from generator.press.preflight import preflight

    with Telling() as telling:
        printed = make(edition, telling)
    say.fonts(edition.lang)
    if problems := preflight(printed, edition.paper, edition.lang, grown=edition.printer.grown, measuring=measuring):
        raise NotInOrderError(*problems)
    return printed


def printed(kit: Kit, how: How, edition: Edition, name: str, measuring: Measuring | None = None) -> dict[str, bytes]:
    """A kit's files: one PDF of that name, or each of its maps and cards as a picture."""
    if not how.format:
        return {name: pdf(kit, edition, measuring)}
    from generator.press.pictures import FORMATS, pictures

    form = next(known for known in FORMATS if known == how.format)
    with Telling() as telling:
        found = pictures(kit, edition, form, how.dpi, telling)
    say.fonts(how.first)
    if not found:
        raise WrongUsageError(Problem("--format: there is no map and no card here", hint="leave --format out"))
    return found


def kit_files(loaded: Loaded, how: How, sources: dict[str, Path]) -> dict[str, bytes]:
    """Every file of a kit by name, the manifest last."""
    from generator.press.coverage import Measuring

    command = rebuild(loaded, how.typed())
    kit = loaded.game.kit(loaded.scenario, loaded.report, loaded.stamp, command)
    whose = owners(loaded.game, sources)
    kit = replace(kit, warning=warning(loaded.report), credit=credit(loaded.game, whose))
    sized = sized_parts(kit)
    if how.parts:
        kit = kit.only(parts(how.parts, kit.parts))
    if how.hex and not sized_parts(replace(kit, more=())):
        hint = f"with --parts {','.join(sized)} it does" if sized else "leave it out"
        raise WrongUsageError(Problem("--hex or --square: no part of this kit heeds it", hint=hint))
    edition = how.edition(loaded.game)
    measuring = Measuring()
    pdfs = printed(kit, how, edition, PDF, measuring)
    if how.separate and not how.format:
        pdfs |= {f"{part}.pdf": pdf(kit.only([part]), edition) for part in replace(kit, more=()).parts}
    brought = copies(sources, (*pdfs, SCENARIO, MANIFEST))
    files = {**pdfs, SCENARIO: loaded.text.encode(), **brought}
    origin = loaded.scenario.origin
    about = {
        "game": loaded.game.name,
        "title": loaded.scenario.title[how.first],
        "stamp": loaded.stamp,
        "code": origin.code,
        "command": command,
        "wishes": dict(origin.wishes),
        "user_files": {path.name: file_hash(path) for path in sources.values()},
        "whose": whose,
        "legal": not loaded.report.illegal,
        "printer": edition.printer.values(),
    } | ({"ink": measuring.inks} if PDF in pdfs else {})
    return files | {MANIFEST: manifest(about | fonts(), files)}


def fonts() -> dict[str, list[str]]:
    """What a manifest says of fonts that stand in for a package's; nothing where none does."""
    from generator.press.type.letters import standing_in

    return {"fonts": taken} if (taken := standing_in()) else {}


def as_json(folder: Path, loaded: Loaded, files: Iterable[str], how: How, sources: Mapping[str, Path]) -> None:
    """Print what was written, and what the check found, as plain values (docs/json.md)."""
    say.as_json(
        {"folder": str(folder), "code": loaded.scenario.origin.code, "stamp": loaded.stamp, "files": list(files)}
        | {"whose": owners(loaded.game, sources)}
        | {"findings": [say.finding_row(f, how.first) for f in loaded.report.findings]}
    )


def sized_parts(kit: Kit) -> list[str]:
    """The parts that lie on cells of a true size: boards, and the pieces that stand on them."""
    sheets = [s for s in (*kit.sheets, *kit.more) if isinstance(s, Poster) or (isinstance(s, Run) and s.hex)]
    return list(dict.fromkeys(sheet.part for sheet in sheets))


def parts(typed: str, known: Iterable[str]) -> list[str]:
    """The parts typed by comma; WrongUsageError lists what there is."""
    named = dict.fromkeys(known)
    also = {name: part for name, part in ALSO.items() if name not in named and part in named}
    return [also.get(name, name) for name in chosen(typed, named | also, "--parts")]


def write_kit(folder: Path, files: dict[str, bytes]) -> None:
    """Write a kit's files, unless one of them would replace a file that is not Muster's (WrongUsageError).

    What an earlier kit printed there and this one does not goes, if nobody changed it: nobody shall print the
    wrong map.
    """
    before = own(folder)
    put.folder(folder, files)
    remove(folder, [name for name in before if name not in files and name.endswith(MADE)])
