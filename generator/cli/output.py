"""Determine where commands write, and make the files of a kit."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource
from msgspec.structs import replace

from generator import games
from generator.cli import console, safe_write
from generator.cli.console import ProgressLine
from generator.cli.print_options import (
    FOLDER_FORMATS,
    KIT,
    ONE_SHEET,
    PAGES,
    SERVICE,
    SERVICE_BLEED,
    TTS,
    VTT,
    PrintOptions,
    add_print_options,
)
from generator.cli.request import (
    GAME,
    GameCommand,
    capability,
    complete_words,
    default_game,
    game_argument,
    game_option,
    given_or_default_game,
    parse_words,
)
from generator.cli.scenario import SCENARIO, Loaded, file_copies, rebuild_command
from generator.common import proof
from generator.common.game import Game, Printable
from generator.common.ownership import content_type_of, file_ownership, foot_credit
from generator.common.pages import warning
from generator.common.proof import Verifications
from generator.errors import DataError, NotInOrderError, WrongUsageError
from generator.localization import default_lang, localize, tr
from generator.model.views import Bundle, Kit, Poster, Run
from generator.model.words import Words
from generator.notation.envelope import file_fault, file_hash
from generator.notation.option_names import field_name, option_name
from generator.store.folders import STREAM, is_file, is_folder, is_stream
from generator.store.manifest import NAME as MANIFEST
from generator.store.manifest import manifest, manifest_value, own_files
from generator.store.write import Content, remove

if TYPE_CHECKING:
    from generator.press import Progress
    from generator.press.bundles import BundlesPdf
    from generator.press.check.ink import InkMeter
    from generator.press.layout.print_settings import PrintSettings


F = TypeVar("F", bound=Callable[..., Any])

_WRITTEN_SUFFIXES = (".pdf", ".png", ".gif", ".svg", ".toml", ".json", ".html", ".txt", ".csv", ".trf")
_LIST_SUFFIXES = (".tsv", ".xlsx", ".xls", ".ods", ".htm", ".md")
FILE_SUFFIXES = (*_WRITTEN_SUFFIXES, *_LIST_SUFFIXES)
"""The suffixes of files that Muster writes, and of lists that it reads.

The name of a new folder must not end with one of them.
"""
BOARDS = "boards"
"""The command that prints boards without a scenario."""
STDOUT_NAMES = {str(STREAM), "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"}
"""The names of the standard output."""


class OutputPath(click.Path):
    """An option type for a file or folder to write to.

    With `--format` or `--count`, which write many files, it is a folder.

    The standard output can be given in place of a file. If `prints` is set, it can also be given in place of a
    folder, and then receives the PDF.
    """

    def __init__(self, folder: bool, *endings: str, prints: bool = False) -> None:
        super().__init__(path_type=Path)
        self.folder, self.endings, self.prints = folder, endings, prints

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path, or fail with a hint on accepted paths."""
        raw, path = str(value), Path(value)
        params = ctx.params if ctx else {}
        many = params.get("format") in FOLDER_FORMATS or isinstance(params.get("count"), int)
        folder = self.folder or many
        if not raw.strip():
            self.fail(
                tr("the value is empty; give a folder, or omit -o")
                if folder
                else tr("the value is empty; give a file, or omit -o"),
                param,
                ctx,
            )
        if raw in STDOUT_NAMES:
            if folder and (many or not self.prints or params.get("separate")):
                self.fail(several_files_fault(raw), param, ctx)
            return STREAM
        if folder and (is_file(path) or is_stream(path)):
            self.fail(tr("{typed!r} is a file; give a folder", typed=raw), param, ctx)
        if folder and path.suffix.lower() in FILE_SUFFIXES and not is_folder(path):
            without_suffix = str(path.with_suffix(""))
            self.fail(
                tr(
                    "{typed!r} is the name of a file; give a folder, such as {bare!r}",
                    typed=raw,
                    bare=without_suffix,
                ),
                param,
                ctx,
            )
        if not folder and (is_folder(path) or raw.endswith(("/", "\\"))):
            self.fail(tr("{typed!r} is a folder; give the name of a file in this folder", typed=raw), param, ctx)
        if not folder and (fault := _suffix_fault(path, *self.endings)):
            self.fail(fault, param, ctx)
        return super().convert(value, param, ctx)


def several_files_fault(target: object) -> str:
    """Return the message that the standard output cannot be used for several files."""
    return tr("{typed!r} is a single file, but several files are written; give a folder", typed=str(target))


def check_suffix(out: Path | None, ending: str) -> None:
    """Check that the name of a file has this suffix.

    Raises:
        WrongUsageError: If the name has another suffix.
    """
    if out and (fault := _suffix_fault(out, ending)):
        raise WrongUsageError(tr("-o: {fault}", fault=fault))


def name_for_commands(path: Path, ending: str) -> Path:
    """Return the name of a written file for the commands that use it next, which is `FILE` for a stream."""
    return Path(f"FILE{ending}") if is_stream(path) else path


def _suffix_fault(path: Path, *endings: str) -> str:
    """Return the fault of a file's suffix, or an empty string if there is none.

    Streams and devices may have any name.
    """
    if not endings or path.suffix.lower() in endings or is_stream(path):
        return ""
    names = [str(path.with_suffix(ending)) for ending in endings]
    if len(names) > 1:
        return tr("{path!r} ends in none of {endings}; use one of the names {names}",
                  path=str(path), endings=[*endings], names=names)  # fmt: skip
    return tr("{path!r} does not end in {ending}; use the name {better!r}",
              path=str(path), ending=endings[0], better=names[0])  # fmt: skip


def out_file(*endings: str) -> Callable[[F], F]:
    """Add -o FILE and --force to a command. The file must have one of these suffixes."""
    return _output_option(click.option("-o", "--out", metavar="FILE", type=OutputPath(False, *endings)))


def out_folder(takes_stdout: bool = False) -> Callable[[F], F]:
    """Add -o DIR and --force to a command.

    With `takes_stdout`, `-o -` writes the command's PDF to the standard output.
    """
    return _output_option(
        click.option("-o", "--out", metavar="DIR", type=OutputPath(folder=True, prints=takes_stdout))
    )


_FORCE = click.option("--force", is_flag=True)
"""Allows files to be replaced that Muster did not write."""


def _output_option(out: Callable[..., Any]) -> Callable[[F], F]:
    """Add this output option and --force to a command, and apply both to the files that the command writes."""

    def decorate(command: F) -> F:
        @wraps(command)
        def writing(*args: Any, force: bool, **values: Any) -> Any:
            with safe_write.output_to(force, values["out"]):
                return command(*args, **values)

        made: F = out(_FORCE(writing))
        return made

    return decorate


PDF, BOOKLET = "kit.pdf", "evening.pdf"
EVENING_PARTS = ("cover", "setup", "intercept", "display", "records", "reference")
"""The parts of a kit that players need on the table for one evening."""
FILLING_PARTS = ("odds", "readings")
"""Further parts that fill the pages of a booklet that would be empty, after the parts that kits have by default."""
PRINTED_SUFFIXES = (".pdf", ".png", ".svg")
"""The suffixes of printed files. Files with other suffixes may belong to a person."""
PART_ALIASES = {"sheets": "records", "board": "arena"}
"""Aliases for parts, from the commands that print them: blank record sheets, and boards without a battle."""


def kit_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add -o DIR and the print options of a kit to a command."""
    return out_folder(takes_stdout=True)(add_print_options(KIT)(command))


def sheet_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add -o FILE and print options to a command that can print its answer."""
    return out_file(".pdf")(add_print_options(ONE_SHEET)(command))


def with_credit(kit: Kit, game: Game[Any], files: Mapping[str, Path]) -> Kit:
    """Return the kit with a credit in its footer for each file with a user's content."""
    return replace(kit, credit=foot_credit(game, file_ownership(game, files)))


def with_scenario_credit(kit: Kit, loaded: Loaded, folder: Path) -> Kit:
    """Return a kit of a scenario with credits for the user's files that are unchanged in the folder."""
    files = {w: folder / f.name for w, f in loaded.scenario.origin.files.items() if not file_fault(f, folder)}
    return with_credit(kit, loaded.game, files)


def print_location(folder: Path, files: Iterable[str]) -> None:
    """Print the path of the kit, unless the kit was written to the standard output."""
    if folder != STREAM:
        click.echo(f"{folder / next(iter(files))}")


def kit_folder(loaded: Loaded, out: Path | None) -> Path:
    """Return the folder of a kit: `out` if given, and output/<game>-<code> otherwise."""
    return out or Path("output") / f"{loaded.game.name}-{loaded.stamp.rstrip('+')}"


def kit_pdf(kit: Kit, press_options: PrintSettings, measuring: InkMeter | None = None) -> bytes:
    """Print a kit, check it, measure its ink, and return the PDF.

    Raises:
        NotInOrderError: If the check finds print problems. The error lists them.
    """
    from generator.press.book import print_kit

    return checked_pdf(partial(print_kit, kit), press_options, measuring)


def checked_pdf(
    make: Callable[[PrintSettings, Progress], bytes], press_options: PrintSettings, measuring: InkMeter | None = None
) -> bytes:
    """Return the PDF that `make` prints, after checking it.

    Raises:
        NotInOrderError: If the check finds print problems. The error lists them.
    """
    with ProgressLine() as progress:
        printed = make(press_options, progress)
    _check_print(printed, press_options, measuring)
    return printed


def checked_bundles(bundles: Sequence[Bundle], title: Words, press_options: PrintSettings) -> BundlesPdf:
    """Return bundles of sheets as one PDF, after checking it.

    Raises:
        NotInOrderError: If the check finds print problems. The error lists them.
    """
    from generator.press.bundles import print_bundles

    with ProgressLine() as progress:
        made = print_bundles(bundles, title, press_options, progress)
    _check_print(made.pdf, press_options, None, made.bodies)
    return made


def _check_print(
    pdf: Content, press_options: PrintSettings, measuring: InkMeter | None, bodies: Sequence[int] = ()
) -> None:
    """Check a PDF for print problems.

    Raises:
        NotInOrderError: If there are print problems. The error lists them.
    """
    from generator.press.check.preflight import preflight

    console.report_fonts(press_options.lang)
    sheet, grown = press_options.paper, press_options.printer.grown
    NotInOrderError.raise_if_any(
        preflight(pdf, sheet, press_options.lang, enlargement=grown, ink_meter=measuring, labels=False, bodies=bodies)
    )


def print_kit_files(
    kit: Kit, print_options: PrintOptions, press_options: PrintSettings, name: str, measuring: InkMeter | None = None
) -> dict[str, bytes]:
    """Return the files of a kit, keyed by name.

    The only file is a PDF unless --format is given. With `pages`, there is also a PNG for each page. With other
    formats, there is a picture for each map and card.
    """
    if not print_options.format:
        return {name: kit_pdf(kit, press_options, measuring)}
    if print_options.format == PAGES:
        from generator.press.png import page_pngs

        pdf = kit_pdf(kit, press_options, measuring)
        numbered = enumerate(page_pngs(pdf, print_options.dpi), 1)
        return {name: pdf, **{f"page-{number:03}.png": page for number, page in numbered}}
    from generator.press.pictures import FORMATS, kit_pictures

    form = next(known for known in FORMATS if known == print_options.format)
    with ProgressLine() as progress:
        found = kit_pictures(kit, press_options, form, print_options.dpi, progress, print_options.bleed or 0.0)
    console.report_fonts(print_options.main_lang)
    if not found:
        raise WrongUsageError(tr("--format: there is no map or card to write"), hint=tr("omit --format"))
    return found


def virtual_table_files(
    kit: Kit, print_options: PrintOptions, press_options: PrintSettings, folder: Path
) -> dict[str, bytes]:
    """Return the files for a virtual table, keyed by name."""
    from generator.press.board_cells import board_files
    from generator.press.tabletop import tabletop_files

    with ProgressLine() as progress:
        if print_options.format == TTS:
            address = print_options.url or folder.absolute().as_uri()
            found = tabletop_files(kit, press_options, print_options.dpi, f"{address.rstrip('/')}/", progress)
        else:
            found = board_files(kit, press_options, print_options.dpi, progress)
    console.report_fonts(print_options.main_lang)
    return found


def service_pdf(kit: Kit, print_options: PrintOptions, press_options: PrintSettings) -> bytes:
    """Return a PDF for print services, after checking it.

    Raises:
        NotInOrderError: If the check finds print problems. The error lists them.
    """
    from generator.press.check.preflight import preflight
    from generator.press.service import page_sizes, print_service_pdf

    bleed = SERVICE_BLEED if print_options.bleed is None else print_options.bleed
    with ProgressLine() as progress:
        printed = print_service_pdf(kit, bleed, press_options, progress)
    console.report_fonts(press_options.lang)
    sizes = page_sizes(kit, bleed, press_options)
    NotInOrderError.raise_if_any(preflight(printed, None, None, page_sizes=sizes))
    return printed


def kit_files(
    loaded: Loaded, print_options: PrintOptions, sources: dict[str, Path], held: Verifications
) -> dict[str, bytes]:
    """Return all files of a kit, keyed by name. The manifest is last.

    `held` are the verification results for the lines of sight.
    """
    from generator.press.check.ink import InkMeter

    command = rebuild_command(loaded, print_options.as_options())
    kit = loaded.game.kit(loaded.scenario, loaded.report, loaded.stamp, command)
    ownership = file_ownership(loaded.game, sources)
    kit = replace(kit, warning=warning(loaded.report), credit=foot_credit(loaded.game, ownership))
    whole = kit
    if print_options.parts:
        kit = kit.only(parse_parts(print_options.parts, kit.parts))
    if print_options.hex and not true_size_parts(kit):
        sized = true_size_parts(whole.whole)
        hint = (
            tr("these options can be used only with --parts {sized}", sized=",".join(sized))
            if sized
            else tr("omit the option")
        )
        raise WrongUsageError(tr("--hex and --square have no effect on this kit"), hint=hint)
    press_options = print_options.press_options(loaded.game)
    measuring = InkMeter()
    pdfs = (
        evening_booklet(kit, print_options, press_options)
        if print_options.evening
        else print_kit_files(kit, print_options, press_options, PDF, measuring)
    )
    if print_options.separate and not print_options.format:
        pdfs |= {f"{part}.pdf": kit_pdf(kit.only([part]), press_options) for part in replace(kit, more=()).parts}
    copied = file_copies(sources, (*pdfs, SCENARIO, MANIFEST))
    files = {**pdfs, SCENARIO: loaded.text.encode(), **copied}
    origin = loaded.scenario.origin
    about = {
        "game": loaded.game.name,
        "title": loaded.scenario.title[print_options.main_lang],
        "stamp": loaded.stamp,
        "code": origin.code,
        "command": command,
        "wishes": dict(origin.options),
        "user_files": {path.name: file_hash(path) for path in sources.values()},
        "whose": ownership,
        "legal": not loaded.report.illegal,
        "verified": proof.rows(held),
        "printer": press_options.printer.values(),
    } | ({"ink": measuring.inks} if PDF in pdfs else {})
    return files | {MANIFEST: manifest(about | font_substitutes(), files)}


def evening_booklet(kit: Kit, print_options: PrintOptions, press_options: PrintSettings) -> dict[str, bytes]:
    """Return a booklet of the parts for one evening, or of the requested parts."""
    from generator.press.booklet import print_booklet

    parts = kit.parts if print_options.parts else EVENING_PARTS
    sheets = tuple(sheet for sheet in kit.usual if sheet.part in parts and not isinstance(sheet, Run | Poster))
    if not sheets:
        raise WrongUsageError(tr("--evening: there is no sheet to print"), hint=tr("choose other parts with --parts"))
    more = () if print_options.parts else (*kit.usual, *kit.more)
    useful = dict.fromkeys([*(each.part for each in kit.usual), *FILLING_PARTS])
    fillers = [part for part in useful if part not in parts]
    booklet_kit = replace(kit, usual=sheets, more=tuple(each for each in more if each.part in fillers))
    return {BOOKLET: checked_pdf(partial(print_booklet, booklet_kit, fillers), press_options)}


def font_substitutes() -> dict[str, list[str]]:
    """Return the manifest's entry for fonts that replace a missing package, or an empty mapping if there are none."""
    from generator.press.pdf.letters import stand_in_fonts

    return {"fonts": taken} if (taken := stand_in_fonts()) else {}


def print_kit_json(
    folder: Path,
    loaded: Loaded,
    files: Iterable[str],
    print_options: PrintOptions,
    sources: Mapping[str, Path],
    held: Verifications,
) -> None:
    """Print the written files and the findings of the check as JSON (docs/json.md)."""
    console.print_json(
        {"folder": str(folder), "code": loaded.scenario.origin.code, "stamp": loaded.stamp, "files": list(files)}
        | {"whose": file_ownership(loaded.game, sources)}
        | {"findings": [console.finding_values(f, print_options.main_lang) for f in loaded.report.findings]}
        | {"verified": proof.rows(held)}
    )


def true_size_parts(kit: Kit) -> list[str]:
    """Return the parts whose cells have a size in mm: boards, and pieces that are placed on boards."""
    sheets = [s for s in kit.sheets if isinstance(s, Poster) or (isinstance(s, Run) and s.hex)]
    return list(dict.fromkeys(sheet.part for sheet in sheets))


def parse_parts(raw: str, known: Iterable[str]) -> list[str]:
    """Return the requested parts, which are separated by commas.

    Raises:
        WrongUsageError: If a part is unknown. The hint lists the known parts.
    """
    known_parts = dict.fromkeys(known)
    also = {name: part for name, part in PART_ALIASES.items() if name not in known_parts and part in known_parts}
    return [also.get(name, name) for name in parse_words(raw, known_parts | also, "--parts")]


def _replaced_command(folder: Path, fresh: bytes) -> str:
    """Return the command of the kit in a folder if it has the same code as a new kit but other options.

    `fresh` is the manifest of the new kit. The result is empty if there is no such kit.
    """
    about = json.loads(fresh)
    try:
        old = {key: manifest_value(folder, key) for key in ("game", "code", "wishes", "command")}
    except DataError:
        return ""
    same_code = about["code"] and (old["game"], old["code"]) == (about["game"], about["code"])
    return str(old["command"] or "") if same_code and old["wishes"] != about["wishes"] else ""


def write_kit(folder: Path, files: dict[str, bytes]) -> None:
    """Write the files of a kit.

    Unchanged printed files of an earlier kit are removed, so that no player prints an outdated map. If the earlier
    kit has the same code but other options, a note on standard error shows the command that draws it. If the folder
    is the standard output, only the PDF is written, which is the first file.

    Raises:
        WrongUsageError: If a file would replace one that Muster did not write.
    """
    if folder == STREAM:
        safe_write.write_file(STREAM, next(iter(files.values())))
        return
    before, command = own_files(folder), _replaced_command(folder, files[MANIFEST])
    safe_write.write_folder(folder, files)
    if command:
        note = tr(
            "{folder} contained a kit with the same code but other options, which was replaced; to draw it again: "
            "{command}",
            folder=folder,
            command=command,
        )
        console.print_line(localize(note, default_lang()), err=True)
    remove(folder, [name for name in before if name not in files and name.endswith(PRINTED_SUFFIXES)])


class PrintCommand(GameCommand):
    """A command whose options include the user's files that change what its game prints."""

    def fallback_game(self, ctx: click.Context) -> str:
        """Return the only game that prints this, or the default game if there are several."""
        able = _games_printing(str(ctx.info_name))
        return able[0] if len(able) == 1 else default_game()

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Return the command's options, then the game's options for files that affect the print, then --help."""
        *params, help_option = click.Command.get_params(self, ctx)
        game: Game[Any] = ctx.meta.get(GAME) or games.load(self.fallback_game(ctx))
        taken = [option for what in game.prints if what.verb == ctx.info_name for option in what.takes]
        return [
            *params,
            *(
                game_option(game, option_id, streams=True)
                for option_id in game.options
                if option_id.file and option_id.name in taken
            ),
            help_option,
        ]

    def option_elsewhere(self, ctx: click.Context, option: str) -> click.UsageError | None:
        """Return an error that names the commands that accept this file, or None if no game has such an option."""
        game, verb, name = ctx.meta[GAME], str(ctx.info_name), option.removeprefix("--")
        find_printable(game, verb)
        every = map(games.load, games.names())
        users = [
            each for each in every if any(option_id.file and option_id.name == name for option_id in each.options)
        ]
        if not users:
            return None
        user = game if game in users else users[0]
        verbs = [what.verb for what in user.prints if name in what.takes]
        hint = "; ".join(f"muster {able} {user.name} {option} …" for able in ("kit", *verbs))
        why = (
            tr("{option} has no effect on {command_path}", command_path=ctx.command_path, option=option)
            if user is game
            else tr("this game has no option {option}", option=option)
        )
        return click.UsageError(
            tr("{name}: {why}; commands that accept the option: {hint}", name=game.name, why=why, hint=hint), ctx
        )


def _accepting_games(verb: str, option: str) -> str:
    """Return a hint with the games that accept an option of a command that prints components."""
    able = [
        name
        for name in games.names()
        if any(what.verb == verb and option in what.takes for what in games.load(name).prints)
    ]
    return tr(
        "games that accept {option}: {able}; for example: {command_path} {first} {option} …",
        option=f"--{option_name(option)}",
        able=[*able],
        command_path=f"muster {verb}",
        first=able[0],
    )


def _games_printing(verb: str) -> list[str]:
    """Return the names of the games that can print with this command."""
    return [name for name in games.names() if any(p.verb == verb for p in games.load(name).prints)]


def _complete_kinds(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Return the shell's completions for --only."""
    # Click leaves the game among the remaining words, because the option after it has no value yet.
    game_name = next((word for word in ctx.args if word in games.names()), None)
    try:
        what = find_printable(given_or_default_game(ctx, param, game_name), str(ctx.info_name))
    except WrongUsageError:
        return []
    return complete_words(incomplete, what.items())


def component_options(
    options: tuple[Callable[[F], F], ...],
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Add GAME, --only, -o FILE, --json and these print options to a command."""

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        made = add_print_options(options)(command)
        for option in (
            console.json_option,
            out_file(".pdf"),
            click.option(
                "--only",
                metavar="WORDS",
                shell_complete=_complete_kinds,
            ),
            game_argument,
        ):
            made = option(made)
        return made

    return decorate


def find_printable(game: Game[Any], verb: str) -> Printable:
    """Return the printable of a game for a command.

    Raises:
        WrongUsageError: If the game prints nothing with the command. The hint lists the games that do.
    """
    return capability(
        game,
        lambda of: next((p for p in of.prints if p.verb == verb), None),
        tr("has no {verb} to print", verb=verb),
    )


def print_components(
    game: Game[Any],
    verb: str,
    options: Mapping[str, str | None],
    files: Mapping[str, Any],
    print_options: PrintOptions,
    out: Path | None,
    as_json: bool,
    size: str | None = None,
) -> None:
    """Print the components of a game for this command to a file, and report its path.

    `files` are user files, keyed by parameter.
    """
    from generator.press.png import page_count

    about: dict[str, object] = {"verb": verb, "game": game.name}
    what = find_printable(game, verb)
    _check_die(print_options, size)
    press_options = print_options.press_options(game, size)
    given_files = {
        option_id: value for option_id in what.takes if (value := files.get(field_name(option_id))) is not None
    }
    takes = {field_name(name): name for name in what.takes}
    requested = {takes.get(name, name): value for name, value in options.items() if value is not None}
    requested |= {option_id: str(value) for option_id, value in given_files.items()}
    for name in requested:
        if name not in ("only", *what.takes):
            message = tr(
                "{game}: `muster {verb}` does not accept --{option}",
                game=game.name,
                verb=verb,
                option=option_name(name),
            )
            raise WrongUsageError(message, hint=_accepting_games(verb, name))
    if "only" in requested:
        requested["only"] = ",".join(parse_words(requested["only"], dict.fromkeys(what.items()), "--only"))
    kit = replace(what.make(requested | {"paper": print_options.paper}), credit=owner_credit(game, given_files))
    if print_options.backs_only:
        kit = _only_backs(kit, press_options)
    if not kit.sheets:
        raise WrongUsageError(tr("there are no {verb} to print", verb=verb))
    if print_options.format == TTS and verb != BOARDS:
        kit = replace(kit, usual=(*kit.sheets, *_first_board(game, print_options)))
    if print_options.format and print_options.format != SERVICE:
        folder = out or Path("output") / f"{game.name}-{verb}"
        if print_options.format in (TTS, VTT):
            files = virtual_table_files(kit, print_options, press_options, folder)
        else:
            files = print_kit_files(kit, print_options, press_options, "")
        safe_write.write_folder(folder, files)
        row = about | {"stamp": kit.stamp, "folder": str(folder), "files": list(files), "pages": None}
        console.print_answer(as_json, row, [folder / name for name in files])
        return
    target = out or Path("output") / f"{game.name}-{verb}.pdf"
    safe_write.check_replaceable(target)
    service = print_options.format == SERVICE
    pdf = service_pdf(kit, print_options, press_options) if service else kit_pdf(kit, press_options)
    safe_write.write_file(target, pdf)
    pages = page_count(pdf)
    lines: list[str | Path] = [target]
    if what.ships() and len(kit.sheets) > 1 and not {"board", "only"} & {*requested} and not given_files:
        values = {"pages": pages, "n": len(kit.sheets), "name": what.ships()[0]}
        lines.append(console.words()["all_boards"].fill(**values)[print_options.main_lang])
    where = {"folder": str(target.parent), "files": [target.name], "pages": pages}
    console.print_answer(as_json, about | {"stamp": kit.stamp} | where, lines)


def _check_die(print_options: PrintOptions, size: str | None) -> None:
    """Check that no other option sets the paper or the size of the pieces if they are printed on cut places.

    Raises:
        WrongUsageError: If there is such an option.
    """
    if not print_options.die:
        return
    source = click.get_current_context().get_parameter_source("paper")
    given = {"paper": source is ParameterSource.COMMANDLINE, "size": size is not None, "hex": bool(print_options.hex)}
    for name in (name for name, is_given in given.items() if is_given):
        raise WrongUsageError(
            tr("--die sets the paper and the size of the pieces"), hint=tr("omit --{option}", option=name)
        )


def _only_backs(kit: Kit, press_options: PrintSettings) -> Kit:
    """Return the kit with only the pieces that have backs.

    Raises:
        WrongUsageError: If no piece has a back.
    """
    if press_options.second_lang:
        return kit
    runs = (sheet for sheet in kit.sheets if isinstance(sheet, Run))
    found = [replace(run, pieces=tuple(piece for piece in run.pieces if piece.back)) for run in runs]
    kit = replace(kit, usual=tuple(run for run in found if run.pieces))
    if not kit.sheets:
        raise WrongUsageError(tr("--backs-only: the pieces have no backs"), hint=tr("omit --backs-only"))
    return kit


def _first_board(game: Game[Any], print_options: PrintOptions) -> tuple[Poster, ...]:
    """Return the first shipped board of a game, on which its cards are played, or nothing if it has no boards."""
    what = next((printable for printable in game.prints if printable.verb == BOARDS), None)
    if what is None:
        return ()
    made = what.make({"paper": print_options.paper})
    return tuple(sheet for sheet in made.sheets if isinstance(sheet, Poster))[:1]


def owner_credit(game: Game[Any], files: Mapping[str, object]) -> Words | None:
    """Return the credit for users' files that is printed on every page. Boards have their own note instead."""
    paths = {option_id: path for option_id, path in files.items() if isinstance(path, Path)}
    owned = {
        w: of
        for w, of in file_ownership(game, paths).items()
        if not ((kind := content_type_of(game, w)) and kind.view)
    }
    return foot_credit(game, owned)
