"""Decide what a verb writes and where, and make a kit's files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from msgspec.structs import replace

from generator import games
from generator.cli import console, safe_write
from generator.cli.console import ProgressLine
from generator.cli.print_options import FORMATS, KIT, LARGE, ONE_SHEET, PAGES, PrintOptions, add_print_options
from generator.cli.request import (
    GAME,
    GameCommand,
    capability,
    complete_words,
    default_game,
    game_argument,
    game_option,
    named_game,
    parse_words,
)
from generator.cli.scenario import SCENARIO, Loaded, copies, rebuild_command
from generator.common import proof
from generator.common.game import Game, Printable
from generator.common.pages import warning
from generator.common.proof import Held
from generator.common.whose import credit, owners, shelf_of
from generator.errors import NotInOrderError, WrongUsageError
from generator.model.views import Bundle, Kit, Poster, Run, Sheet
from generator.model.words import Words
from generator.notation.envelope import file_fault, file_hash
from generator.notation.option_names import field_name, option_name
from generator.said import say
from generator.store.folders import STREAM, is_file, is_folder, is_stream
from generator.store.manifest import NAME as MANIFEST
from generator.store.manifest import manifest, own
from generator.store.write import Content, remove

if TYPE_CHECKING:
    from generator.press import Progress
    from generator.press.bundles import Bound
    from generator.press.check.ink import Measuring
    from generator.press.layout.edition import Edition


F = TypeVar("F", bound=Callable[..., Any])

FILE_SUFFIXES = (".pdf", ".png", ".svg", ".toml", ".json", ".html", ".txt")
"""What the names of files end in that Muster writes; folders are not called so."""
STDOUT_NAMES = {str(STREAM), "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"}
"""How the standard output is called."""


class OutputPath(click.Path):
    """A file or a folder to write; where `--format` or `--count` asks for many files, a folder in any case.

    The standard output may stand for a file, and for a folder in which one print is what counts (`prints`).
    """

    def __init__(self, folder: bool, *endings: str, prints: bool = False) -> None:
        super().__init__(path_type=Path)
        self.folder, self.endings, self.prints = folder, endings, prints

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path, or an error with what would do."""
        raw, path = str(value), Path(value)
        params = ctx.params if ctx else {}
        many = params.get("format") in FORMATS or isinstance(params.get("count"), int)
        folder = self.folder or many
        if not raw.strip():
            self.fail(
                say("it is empty; give a folder, or omit -o")
                if folder
                else say("it is empty; give a file, or omit -o"),
                param,
                ctx,
            )
        if raw in STDOUT_NAMES:
            if folder and (many or not self.prints or params.get("separate")):
                self.fail(several_files_fault(raw), param, ctx)
            return STREAM
        if folder and (is_file(path) or is_stream(path)):
            self.fail(say("{typed!r} is a file, and a folder is meant", typed=raw), param, ctx)
        if folder and path.suffix.lower() in FILE_SUFFIXES and not is_folder(path):
            without_suffix = str(path.with_suffix(""))
            self.fail(
                say(
                    "{typed!r} is a file's name, and a folder is meant, such as {bare!r}",
                    typed=raw,
                    bare=without_suffix,
                ),
                param,
                ctx,
            )
        if not folder and (is_folder(path) or raw.endswith(("/", "\\"))):
            self.fail(say("{typed!r} is a folder, and a file is meant: name one in it", typed=raw), param, ctx)
        if not folder and (fault := _suffix_fault(path, *self.endings)):
            self.fail(fault, param, ctx)
        return super().convert(value, param, ctx)


def several_files_fault(target: object) -> str:
    """Why the standard output cannot take what is written."""
    return say("{typed!r} is one file, but several are written: give a folder", typed=str(target))


def check_suffix(out: Path | None, ending: str) -> None:
    """WrongUsageError for a file whose name does not end so."""
    if out and (fault := _suffix_fault(out, ending)):
        raise WrongUsageError(say("-o: {fault}", fault=fault))


def _suffix_fault(path: Path, *endings: str) -> str:
    """What is wrong with a file's name; a stream or a device may be called anything."""
    if not endings or path.suffix.lower() in endings or is_stream(path):
        return ""
    ending = endings[0]
    return say(
        "{path!r} does not end in {ending}; name it {better!r}",
        path=str(path),
        ending=ending,
        better=str(path.with_suffix(ending)),
    )


def out_file(*endings: str) -> Callable[[F], F]:
    """-o FILE, which must end in one of these, and --force."""
    return _output_option(click.option("-o", "--out", metavar="FILE", type=OutputPath(False, *endings)))


def out_folder(prints: bool = False) -> Callable[[F], F]:
    """-o DIR, and --force; with `prints`, - takes the one print of what is written."""
    return _output_option(click.option("-o", "--out", metavar="DIR", type=OutputPath(folder=True, prints=prints)))


_FORCE = click.option("--force", is_flag=True)


def _output_option(out: Callable[..., Any]) -> Callable[[F], F]:
    """Give a command that option and --force, and have its files written as they say."""

    def decorate(command: F) -> F:
        @wraps(command)
        def writing(*args: Any, force: bool, **values: Any) -> Any:
            with safe_write.output_to(force, values["out"]):
                return command(*args, **values)

        made: F = out(_FORCE(writing))
        return made

    return decorate


PDF, BOOKLET = "kit.pdf", "evening.pdf"
EVENING_PARTS = ("cover", "setup", "records", "reference")
"""What lies on the table of one evening."""
PRINTED_SUFFIXES = (".pdf", ".png", ".svg")
"""What the names of printed files end in; any other file may be a person's."""
PART_ALIASES = {"sheets": "records", "board": "arena"}
"""What else parts may be called, by the verbs that print them: blank record sheets, boards without a battle."""


def kit_options(command: Callable[..., None]) -> Callable[..., None]:
    """-o DIR, and how a kit is printed."""
    return out_folder(prints=True)(add_print_options(KIT)(command))


def sheet_options(command: Callable[..., None]) -> Callable[..., None]:
    """-o FILE, and how it is printed, for a verb that may print what it says."""
    return out_file(".pdf")(add_print_options(ONE_SHEET)(command))


def with_credit(kit: Kit, game: Game[Any], files: Mapping[str, Path]) -> Kit:
    """The kit with what stands at its foot where these files hold an owner's content."""
    return replace(kit, credit=credit(game, owners(game, files)))


def with_scenario_credit(kit: Kit, loaded: Loaded, folder: Path) -> Kit:
    """The same for sheets of a scenario, with those of its files that lie unchanged beside it in the folder."""
    files = {w: folder / f.name for w, f in loaded.scenario.origin.files.items() if not file_fault(f, folder)}
    return with_credit(kit, loaded.game, files)


def print_location(folder: Path, files: Iterable[str]) -> None:
    """Say where the print is, unless the standard output took it."""
    if folder != STREAM:
        click.echo(f"{folder / next(iter(files))}")


def kit_folder(loaded: Loaded, out: Path | None) -> Path:
    """Where a kit goes when nobody says otherwise: output/<game>-<code>."""
    return out or Path("output") / f"{loaded.game.name}-{loaded.stamp.rstrip('+')}"


def kit_pdf(kit: Kit, press_options: Edition, measuring: Measuring | None = None) -> bytes:
    """A printed kit that has passed preflight, its ink measured; NotInOrderError says what is wrong with it."""
    from generator.press.book import print_kit

    return checked_pdf(partial(print_kit, kit), press_options, measuring)


def checked_pdf(
    make: Callable[[Edition, Progress], bytes], press_options: Edition, measuring: Measuring | None = None
) -> bytes:
    """What `make` prints, once it has passed preflight; NotInOrderError says what is wrong with it."""
    with ProgressLine() as progress:
        printed = make(press_options, progress)
    _check_print(printed, press_options, measuring)
    return printed


def checked_bundles(bundles: Sequence[Bundle], title: Words, press_options: Edition) -> Bound:
    """Bundles as one PDF, once it has passed preflight; NotInOrderError says what is wrong with it."""
    from generator.press.bundles import print_bundles

    with ProgressLine() as progress:
        made = print_bundles(bundles, title, press_options, progress)
    _check_print(made.pdf, press_options, None, made.bodies)
    return made


def _check_print(
    pdf: Content, press_options: Edition, measuring: Measuring | None, bodies: Sequence[str] = ()
) -> None:
    """NotInOrderError says what is wrong with a print."""
    from generator.press.check.preflight import preflight

    console.report_fonts(press_options.lang)
    sheet, grown = press_options.paper, press_options.printer.grown
    NotInOrderError.if_any(
        preflight(pdf, sheet, press_options.lang, grown=grown, measuring=measuring, labels=False, bodies=bodies)
    )


def print_kit_files(
    kit: Kit, print_options: PrintOptions, press_options: Edition, name: str, measuring: Measuring | None = None
) -> dict[str, bytes]:
    """A kit's files: one PDF of that name, that and each of its pages, or its maps and cards as pictures."""
    if not print_options.format:
        return {name: kit_pdf(kit, press_options, measuring)}
    if print_options.format == PAGES:
        from generator.press.png import page_pngs

        pdf = kit_pdf(kit, press_options, measuring)
        numbered = enumerate(page_pngs(pdf, print_options.dpi), 1)
        return {name: pdf, **{f"page-{number:03}.png": page for number, page in numbered}}
    from generator.press.pictures import FORMATS, pictures

    form = next(known for known in FORMATS if known == print_options.format)
    with ProgressLine() as progress:
        found = pictures(kit, press_options, form, print_options.dpi, progress)
    console.report_fonts(print_options.main_lang)
    if not found:
        raise WrongUsageError(say("--format: there is neither a map nor a card here"), hint=say("omit --format"))
    return found


def kit_files(loaded: Loaded, print_options: PrintOptions, sources: dict[str, Path], held: Held) -> dict[str, bytes]:
    """Every file of a kit by name, the manifest last; `held` is what of its sight was verified."""
    from generator.press.check.ink import Measuring

    command = rebuild_command(loaded, print_options.as_options())
    kit = loaded.game.kit(loaded.scenario, loaded.report, loaded.stamp, command)
    ownership = owners(loaded.game, sources)
    kit = replace(kit, warning=warning(loaded.report), credit=credit(loaded.game, ownership))
    whole = kit
    if print_options.parts:
        kit = kit.only(parse_parts(print_options.parts, kit.parts))
    if print_options.hex and not sized_parts(kit):
        sized = sized_parts(whole.whole)
        hint = say("with --parts {sized} they do", sized=",".join(sized)) if sized else say("leave it out")
        raise WrongUsageError(say("--hex and --square change nothing in this kit"), hint=hint)
    press_options = print_options.press_options(loaded.game)
    measuring = Measuring()
    pdfs = (
        evening_booklet(kit, print_options, press_options)
        if print_options.evening
        else print_kit_files(kit, print_options, press_options, PDF, measuring)
    )
    if print_options.separate and not print_options.format:
        pdfs |= {f"{part}.pdf": kit_pdf(kit.only([part]), press_options) for part in replace(kit, more=()).parts}
    brought = copies(sources, (*pdfs, SCENARIO, MANIFEST))
    files = {**pdfs, SCENARIO: loaded.text.encode(), **brought}
    origin = loaded.scenario.origin
    about = {
        "game": loaded.game.name,
        "title": loaded.scenario.title[print_options.main_lang],
        "stamp": loaded.stamp,
        "code": origin.code,
        "command": command,
        "wishes": dict(origin.wishes),
        "user_files": {path.name: file_hash(path) for path in sources.values()},
        "whose": ownership,
        "legal": not loaded.report.illegal,
        "verified": proof.rows(held),
        "printer": press_options.printer.values(),
    } | ({"ink": measuring.inks} if PDF in pdfs else {})
    return files | {MANIFEST: manifest(about | font_substitutes(), files)}


def evening_booklet(kit: Kit, print_options: PrintOptions, press_options: Edition) -> dict[str, bytes]:
    """The sheets of one evening, or those of the parts asked for, as a booklet; how small it sets them is said."""
    from generator.press.booklet import booklet
    from generator.press.pdf.legible import FLOOR

    sheets = [s for s in kit.sheets if isinstance(s, Sheet) and (print_options.parts or s.part in EVENING_PARTS)]
    if not sheets:
        raise WrongUsageError(say("--evening: there is no sheet to print"), hint=say("choose other --parts"))
    small, large = press_options.sheet.size()
    size = (large, 2 * small) if print_options.paper == LARGE else (small, large)
    pages, share = booklet(kit_pdf(replace(kit, usual=tuple(sheets), more=()), press_options), size)
    if round(100 * share) < 100:
        message = console.words()["evening"].fill(n=round(100 * share), size=f"{FLOOR * share:.1f}", paper=LARGE)
        console.print_line(message[print_options.main_lang], err=True)
    return {BOOKLET: pages}


def font_substitutes() -> dict[str, list[str]]:
    """What a manifest says of fonts that stand in for a package's; nothing where none does."""
    from generator.press.pdf.letters import standing_in

    return {"fonts": taken} if (taken := standing_in()) else {}


def print_kit_json(
    folder: Path,
    loaded: Loaded,
    files: Iterable[str],
    print_options: PrintOptions,
    sources: Mapping[str, Path],
    held: Held,
) -> None:
    """Print what was written, and what the check found, as plain values (docs/json.md)."""
    console.print_json(
        {"folder": str(folder), "code": loaded.scenario.origin.code, "stamp": loaded.stamp, "files": list(files)}
        | {"whose": owners(loaded.game, sources)}
        | {"findings": [console.finding_row(f, print_options.main_lang) for f in loaded.report.findings]}
        | {"verified": proof.rows(held)}
    )


def sized_parts(kit: Kit) -> list[str]:
    """The parts that lie on cells of a true size: boards, and the pieces that stand on them."""
    sheets = [s for s in kit.sheets if isinstance(s, Poster) or (isinstance(s, Run) and s.hex)]
    return list(dict.fromkeys(sheet.part for sheet in sheets))


def parse_parts(raw: str, known: Iterable[str]) -> list[str]:
    """The parts typed by comma; WrongUsageError lists what there is."""
    known_parts = dict.fromkeys(known)
    also = {name: part for name, part in PART_ALIASES.items() if name not in known_parts and part in known_parts}
    return [also.get(name, name) for name in parse_words(raw, known_parts | also, "--parts")]


def write_kit(folder: Path, files: dict[str, bytes]) -> None:
    """Write a kit's files, unless one of them would replace a file that is not Muster's (WrongUsageError).

    What an earlier kit printed there and this one does not goes, if nobody changed it: nobody shall print the
    wrong map. The standard output takes the print alone, which is the first of them.
    """
    if folder == STREAM:
        safe_write.write_file(STREAM, next(iter(files.values())))
        return
    before = own(folder)
    safe_write.write_folder(folder, files)
    remove(folder, [name for name in before if name not in files and name.endswith(PRINTED_SUFFIXES)])


class PrintCommand(GameCommand):
    """A command whose game decides which files of a person's own are options: those that change what it prints."""

    def fallback_game(self, ctx: click.Context) -> str:
        """The one game that has something of the kind, or else the default game."""
        able = _games_printing(str(ctx.info_name))
        return able[0] if len(able) == 1 else default_game()

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """The command's own options, then the wishes that take such a file, then --help."""
        *params, help_option = click.Command.get_params(self, ctx)
        game: Game[Any] = ctx.meta.get(GAME) or games.load(self.fallback_game(ctx))
        taken = [option for what in game.prints if what.verb == ctx.info_name for option in what.takes]
        return [
            *params,
            *(game_option(wish, streams=True) for wish in game.wishes if wish.file and wish.name in taken),
            help_option,
        ]

    def option_elsewhere(self, ctx: click.Context, option: str) -> click.UsageError | None:
        """Why the game does not take a file here, and what does take it; None for what is no file's option."""
        game, verb, name = ctx.meta[GAME], str(ctx.info_name), option.removeprefix("--")
        printable(game, verb)
        every = map(games.load, games.names())
        users = [each for each in every if any(wish.file and wish.name == name for wish in each.wishes)]
        if not users:
            return None
        user = game if game in users else users[0]
        verbs = [what.verb for what in user.prints if name in what.takes]
        hint = "; ".join(f"muster {able} {user.name} {option} …" for able in ("kit", *verbs))
        why = (
            say("{command_path} prints nothing that {option} changes", command_path=ctx.command_path, option=option)
            if user is game
            else say("it has no {option}", option=option)
        )
        return click.UsageError(say("{name}: {why}; what takes it: {hint}", name=game.name, why=why, hint=hint), ctx)


def _games_printing(verb: str) -> list[str]:
    """The games that have something of the kind to print."""
    return [name for name in games.names() if any(p.verb == verb for p in games.load(name).prints)]


def _complete_kinds(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """The words for --only that go on from what is typed, for the shell."""
    # Click leaves the game among the rest, as the option behind it has no value yet.
    game_name = next((word for word in ctx.args if word in games.names()), None)
    try:
        return complete_words(incomplete, printable(named_game(ctx, param, game_name), str(ctx.info_name)).kinds)
    except WrongUsageError:
        return []


def component_options(
    options: tuple[Callable[[F], F], ...],
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """GAME, --only, -o FILE, --json, and these of how it is printed."""

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


def printable(game: Game[Any], verb: str) -> Printable:
    """What that verb prints for the game; WrongUsageError names the games that have it."""
    return capability(
        game,
        lambda of: next((p for p in of.prints if p.verb == verb), None),
        say("has no {verb} to print", verb=verb),
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
    """Make the game's kit for that verb, print it, write it, and say where; `files` are wishes by parameter."""
    from generator.press.png import page_count

    about: dict[str, object] = {"verb": verb, "game": game.name}
    what = printable(game, verb)
    press_options = print_options.press_options(game, size)
    brought = {wish: value for wish in what.takes if (value := files.get(field_name(wish))) is not None}
    takes = {field_name(name): name for name in what.takes}
    requested = {takes.get(name, name): value for name, value in options.items() if value is not None}
    requested |= {wish: str(value) for wish, value in brought.items()}
    for name in requested:
        if name not in (*(["only"] if what.kinds else []), *what.takes):
            raise WrongUsageError(
                say(
                    "{game}: `muster {verb}` does not accept --{option}",
                    game=game.name,
                    verb=verb,
                    option=option_name(name),
                )
            )
    if "only" in requested:
        requested["only"] = ",".join(parse_words(requested["only"], what.kinds, "--only"))
    kit = replace(what.make(requested | {"paper": print_options.paper}), credit=owner_credit(game, brought))
    if not kit.sheets:
        raise WrongUsageError(say("there are no {verb} to print", verb=verb))
    if print_options.format:
        folder = out or Path("output") / f"{game.name}-{verb}"
        files = print_kit_files(kit, print_options, press_options, "")
        safe_write.write_folder(folder, files)
        row = about | {"stamp": kit.stamp, "folder": str(folder), "files": list(files), "pages": None}
        console.print_answer(as_json, row, [folder / name for name in files])
        return
    target = out or Path("output") / f"{game.name}-{verb}.pdf"
    safe_write.check_replaceable(target)
    pdf = kit_pdf(kit, press_options)
    safe_write.write_file(target, pdf)
    pages = page_count(pdf)
    lines: list[str | Path] = [target]
    if what.ships() and len(kit.sheets) > 1 and "board" not in requested and not brought:
        values = {"pages": pages, "n": len(kit.sheets), "name": what.ships()[0]}
        lines.append(console.words()["all_boards"].fill(**values)[print_options.main_lang])
    where = {"folder": str(target.parent), "files": [target.name], "pages": pages}
    console.print_answer(as_json, about | {"stamp": kit.stamp} | where, lines)


def owner_credit(game: Game[Any], brought: Mapping[str, object]) -> Words | None:
    """What is said of an owner's files on every page; of a board its own note says it."""
    files = {wish: path for wish, path in brought.items() if isinstance(path, Path)}
    owned = {w: of for w, of in owners(game, files).items() if not ((shelf := shelf_of(game, w)) and shelf.view)}
    return credit(game, owned)
