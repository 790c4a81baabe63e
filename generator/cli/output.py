"""Decide what a verb writes and where, and make a kit's files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from msgspec.structs import replace

from generator import games
from generator.cli import console, put
from generator.cli.console import Telling
from generator.cli.print_options import FORMATS, KIT, LARGE, ONE_SHEET, PAGES, How, how_options
from generator.cli.request import (
    GAME,
    GameCommand,
    capability,
    chosen,
    default_game,
    game_argument,
    going_on,
    named_game,
    wish_option,
)
from generator.cli.scenario import SCENARIO, Loaded, copies, rebuild
from generator.common import proof
from generator.common.game import Game, Printable
from generator.common.ownership import content_type_of, credit, file_ownership
from generator.common.pages import warning
from generator.common.proof import Held
from generator.errors import NotInOrderError, WrongUsageError
from generator.localization import tr
from generator.model.views import Bundle, Kit, Poster, Run, Sheet
from generator.model.words import Words
from generator.notation.envelope import file_fault, file_hash
from generator.notation.option_names import field_name, option_name
from generator.store.folders import STREAM, is_file, is_folder, is_stream
from generator.store.manifest import NAME as MANIFEST
from generator.store.manifest import manifest, own_files
from generator.store.write import Content, remove

if TYPE_CHECKING:
    from generator.press import Progress
    from generator.press.bundles import BundlesPdf
    from generator.press.check.ink import InkMeter
    from generator.press.layout.print_settings import PrintSettings


F = TypeVar("F", bound=Callable[..., Any])

WRITTEN = (".pdf", ".png", ".svg", ".toml", ".json", ".html", ".txt")
"""What the names of files end in that Muster writes; folders are not called so."""
OUTPUT = {str(STREAM), "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"}
"""How the standard output is called."""


class Out(click.Path):
    """A file or a folder to write; where `--format` or `--count` asks for many files, a folder in any case.

    The standard output may stand for a file, and for a folder in which one print is what counts (`prints`).
    """

    def __init__(self, folder: bool, *endings: str, prints: bool = False) -> None:
        super().__init__(path_type=Path)
        self.folder, self.endings, self.prints = folder, endings, prints

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path, or an error with what would do."""
        typed, path = str(value), Path(value)
        asked = ctx.params if ctx else {}
        many = asked.get("format") in FORMATS or isinstance(asked.get("count"), int)
        folder = self.folder or many
        if not typed.strip():
            self.fail(
                tr("it is empty; give a folder, or omit -o")
                if folder
                else tr("it is empty; give a file, or omit -o"),
                param,
                ctx,
            )
        if typed in OUTPUT:
            if folder and (many or not self.prints or asked.get("separate")):
                self.fail(several(typed), param, ctx)
            return STREAM
        if folder and (is_file(path) or is_stream(path)):
            self.fail(tr("{typed!r} is a file, and a folder is meant", typed=typed), param, ctx)
        if folder and path.suffix.lower() in WRITTEN and not is_folder(path):
            bare = str(path.with_suffix(""))
            self.fail(
                tr("{typed!r} is a file's name, and a folder is meant, such as {bare!r}", typed=typed, bare=bare),
                param,
                ctx,
            )
        if not folder and (is_folder(path) or typed.endswith(("/", "\\"))):
            self.fail(tr("{typed!r} is a folder, and a file is meant: name one in it", typed=typed), param, ctx)
        if not folder and (fault := _misnamed(path, *self.endings)):
            self.fail(fault, param, ctx)
        return super().convert(value, param, ctx)


def several(typed: object) -> str:
    """Why the standard output cannot take what is written."""
    return tr("{typed!r} is one file, but several are written: give a folder", typed=str(typed))


def named(out: Path | None, ending: str) -> None:
    """WrongUsageError for a file whose name does not end so."""
    if out and (fault := _misnamed(out, ending)):
        raise WrongUsageError(tr("-o: {fault}", fault=fault))


def _misnamed(path: Path, *endings: str) -> str:
    """What is wrong with a file's name; a stream or a device may be called anything."""
    if not endings or path.suffix.lower() in endings or is_stream(path):
        return ""
    ending = endings[0]
    return tr(
        "{path!r} does not end in {ending}; name it {better!r}",
        path=str(path),
        ending=ending,
        better=str(path.with_suffix(ending)),
    )


def out_file(*endings: str) -> Callable[[F], F]:
    """-o FILE, which must end in one of these, and --force."""
    return _written(click.option("-o", "--out", metavar="FILE", type=Out(False, *endings)))


def out_folder(prints: bool = False) -> Callable[[F], F]:
    """-o DIR, and --force; with `prints`, - takes the one print of what is written."""
    return _written(click.option("-o", "--out", metavar="DIR", type=Out(folder=True, prints=prints)))


_FORCE = click.option("--force", is_flag=True)


def _written(out: Callable[..., Any]) -> Callable[[F], F]:
    """Give a command that option and --force, and have its files written as they say."""

    def decorate(command: F) -> F:
        @wraps(command)
        def writing(*args: Any, force: bool, **values: Any) -> Any:
            with put.asked(force, values["out"]):
                return command(*args, **values)

        made: F = out(_FORCE(writing))
        return made

    return decorate


PDF, BOOKLET = "kit.pdf", "evening.pdf"
EVENING = ("cover", "setup", "records", "reference")
"""What lies on the table of one evening."""
MADE = (".pdf", ".png", ".svg")
"""What the names of printed files end in; any other file may be a person's."""
ALSO = {"sheets": "records", "board": "arena"}
"""What else parts may be called, by the verbs that print them: blank record sheets, boards without a battle."""


def kit_options(command: Callable[..., None]) -> Callable[..., None]:
    """-o DIR, and how a kit is printed."""
    return out_folder(prints=True)(how_options(KIT)(command))


def sheet_options(command: Callable[..., None]) -> Callable[..., None]:
    """-o FILE, and how it is printed, for a verb that may print what it says."""
    return out_file(".pdf")(how_options(ONE_SHEET)(command))


def credited(kit: Kit, game: Game[Any], files: Mapping[str, Path]) -> Kit:
    """The kit with what stands at its foot where these files hold an owner's content."""
    return replace(kit, credit=credit(game, file_ownership(game, files)))


def of_scenario(kit: Kit, loaded: Loaded, folder: Path) -> Kit:
    """The same for sheets of a scenario, with those of its files that lie unchanged beside it in the folder."""
    files = {w: folder / f.name for w, f in loaded.scenario.origin.files.items() if not file_fault(f, folder)}
    return credited(kit, loaded.game, files)


def told(folder: Path, files: Iterable[str]) -> None:
    """Say where the print is, unless the standard output took it."""
    if folder != STREAM:
        click.echo(f"{folder / next(iter(files))}")


def folder(loaded: Loaded, out: Path | None) -> Path:
    """Where a kit goes when nobody says otherwise: output/<game>-<code>."""
    return out or Path("output") / f"{loaded.game.name}-{loaded.stamp.rstrip('+')}"


def kit_pdf(kit: Kit, edition: PrintSettings, measuring: InkMeter | None = None) -> bytes:
    """A printed kit that has passed preflight, its ink measured; NotInOrderError says what is wrong with it."""
    from generator.press.book import print_kit

    return sound(partial(print_kit, kit), edition, measuring)


def sound(
    make: Callable[[PrintSettings, Progress], bytes], edition: PrintSettings, measuring: InkMeter | None = None
) -> bytes:
    """What `make` prints, once it has passed preflight; NotInOrderError says what is wrong with it."""
    with Telling() as telling:
        printed = make(edition, telling)
    _looked_over(printed, edition, measuring)
    return printed


def bound(bundles: Sequence[Bundle], title: Words, edition: PrintSettings) -> BundlesPdf:
    """Bundles as one PDF, once it has passed preflight; NotInOrderError says what is wrong with it."""
    from generator.press.bundles import print_bundles

    with Telling() as telling:
        made = print_bundles(bundles, title, edition, telling)
    _looked_over(made.pdf, edition, None, made.bodies)
    return made


def _looked_over(
    pdf: Content, edition: PrintSettings, measuring: InkMeter | None, bodies: Sequence[str] = ()
) -> None:
    """NotInOrderError says what is wrong with a print."""
    from generator.press.check.preflight import preflight

    console.fonts(edition.lang)
    sheet, grown = edition.paper, edition.printer.grown
    NotInOrderError.raise_if_any(
        preflight(pdf, sheet, edition.lang, enlargement=grown, ink_meter=measuring, labels=False, bodies=bodies)
    )


def printed(
    kit: Kit, how: How, edition: PrintSettings, name: str, measuring: InkMeter | None = None
) -> dict[str, bytes]:
    """A kit's files: one PDF of that name, that and each of its pages, or its maps and cards as pictures."""
    if not how.format:
        return {name: kit_pdf(kit, edition, measuring)}
    if how.format == PAGES:
        from generator.press.png import page_pngs

        pdf = kit_pdf(kit, edition, measuring)
        numbered = enumerate(page_pngs(pdf, how.dpi), 1)
        return {name: pdf, **{f"page-{number:03}.png": page for number, page in numbered}}
    from generator.press.pictures import FORMATS, kit_pictures

    form = next(known for known in FORMATS if known == how.format)
    with Telling() as telling:
        found = kit_pictures(kit, edition, form, how.dpi, telling)
    console.fonts(how.first)
    if not found:
        raise WrongUsageError(tr("--format: there is neither a map nor a card here"), hint=tr("omit --format"))
    return found


def kit_files(loaded: Loaded, how: How, sources: dict[str, Path], held: Held) -> dict[str, bytes]:
    """Every file of a kit by name, the manifest last; `held` is what of its sight was verified."""
    from generator.press.check.ink import InkMeter

    command = rebuild(loaded, how.typed())
    kit = loaded.game.kit(loaded.scenario, loaded.report, loaded.stamp, command)
    whose = file_ownership(loaded.game, sources)
    kit = replace(kit, warning=warning(loaded.report), credit=credit(loaded.game, whose))
    whole = kit
    if how.parts:
        kit = kit.only(parts(how.parts, kit.parts))
    if how.hex and not sized_parts(kit):
        sized = sized_parts(whole.whole)
        hint = tr("with --parts {sized} they do", sized=",".join(sized)) if sized else tr("leave it out")
        raise WrongUsageError(tr("--hex and --square change nothing in this kit"), hint=hint)
    edition = how.edition(loaded.game)
    measuring = InkMeter()
    pdfs = evening(kit, how, edition) if how.evening else printed(kit, how, edition, PDF, measuring)
    if how.separate and not how.format:
        pdfs |= {f"{part}.pdf": kit_pdf(kit.only([part]), edition) for part in replace(kit, more=()).parts}
    brought = copies(sources, (*pdfs, SCENARIO, MANIFEST))
    files = {**pdfs, SCENARIO: loaded.text.encode(), **brought}
    origin = loaded.scenario.origin
    about = {
        "game": loaded.game.name,
        "title": loaded.scenario.title[how.first],
        "stamp": loaded.stamp,
        "code": origin.code,
        "command": command,
        "wishes": dict(origin.options),
        "user_files": {path.name: file_hash(path) for path in sources.values()},
        "whose": whose,
        "legal": not loaded.report.illegal,
        "verified": proof.rows(held),
        "printer": edition.printer.values(),
    } | ({"ink": measuring.inks} if PDF in pdfs else {})
    return files | {MANIFEST: manifest(about | fonts(), files)}


def evening(kit: Kit, how: How, edition: PrintSettings) -> dict[str, bytes]:
    """The sheets of one evening, or those of the parts asked for, as a booklet; how small it sets them is said."""
    from generator.press.booklet import booklet
    from generator.press.pdf.legible import FLOOR

    sheets = [s for s in kit.sheets if isinstance(s, Sheet) and (how.parts or s.part in EVENING)]
    if not sheets:
        raise WrongUsageError(tr("--evening: there is no sheet to print"), hint=tr("choose other --parts"))
    small, large = edition.sheet.size()
    size = (large, 2 * small) if how.paper == LARGE else (small, large)
    pages, share = booklet(kit_pdf(replace(kit, usual=tuple(sheets), more=()), edition), size)
    if round(100 * share) < 100:
        told = console.words()["evening"].fill(n=round(100 * share), size=f"{FLOOR * share:.1f}", paper=LARGE)
        console.line(told[how.first], err=True)
    return {BOOKLET: pages}


def fonts() -> dict[str, list[str]]:
    """What a manifest says of fonts that stand in for a package's; nothing where none does."""
    from generator.press.pdf.letters import stand_in_fonts

    return {"fonts": taken} if (taken := stand_in_fonts()) else {}


def as_json(
    folder: Path, loaded: Loaded, files: Iterable[str], how: How, sources: Mapping[str, Path], held: Held
) -> None:
    """Print what was written, and what the check found, as plain values (docs/json.md)."""
    console.as_json(
        {"folder": str(folder), "code": loaded.scenario.origin.code, "stamp": loaded.stamp, "files": list(files)}
        | {"whose": file_ownership(loaded.game, sources)}
        | {"findings": [console.finding_row(f, how.first) for f in loaded.report.findings]}
        | {"verified": proof.rows(held)}
    )


def sized_parts(kit: Kit) -> list[str]:
    """The parts that lie on cells of a true size: boards, and the pieces that stand on them."""
    sheets = [s for s in kit.sheets if isinstance(s, Poster) or (isinstance(s, Run) and s.hex)]
    return list(dict.fromkeys(sheet.part for sheet in sheets))


def parts(typed: str, known: Iterable[str]) -> list[str]:
    """The parts typed by comma; WrongUsageError lists what there is."""
    named = dict.fromkeys(known)
    also = {name: part for name, part in ALSO.items() if name not in named and part in named}
    return [also.get(name, name) for name in chosen(typed, named | also, "--parts")]


def write_kit(folder: Path, files: dict[str, bytes]) -> None:
    """Write a kit's files, unless one of them would replace a file that is not Muster's (WrongUsageError).

    What an earlier kit printed there and this one does not goes, if nobody changed it: nobody shall print the
    wrong map. The standard output takes the print alone, which is the first of them.
    """
    if folder == STREAM:
        put.file(STREAM, next(iter(files.values())))
        return
    before = own_files(folder)
    put.folder(folder, files)
    remove(folder, [name for name in before if name not in files and name.endswith(MADE)])


class PrintCommand(GameCommand):
    """A command whose game decides which files of a person's own are options: those that change what it prints."""

    def usual(self, ctx: click.Context) -> str:
        """The one game that has something of the kind, or else the default game."""
        able = _able(str(ctx.info_name))
        return able[0] if len(able) == 1 else default_game()

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """The command's own options, then the wishes that take such a file, then --help."""
        *own, helping = click.Command.get_params(self, ctx)
        game: Game[Any] = ctx.meta.get(GAME) or games.load(self.usual(ctx))
        taken = [option for what in game.prints if what.verb == ctx.info_name for option in what.takes]
        return [
            *own,
            *(wish_option(wish, streams=True) for wish in game.options if wish.file and wish.name in taken),
            helping,
        ]

    def elsewhere(self, ctx: click.Context, option: str) -> click.UsageError | None:
        """Why the game does not take a file here, and what does take it; None for what is no file's option."""
        game, verb, name = ctx.meta[GAME], str(ctx.info_name), option.removeprefix("--")
        printable(game, verb)
        every = map(games.load, games.names())
        users = [each for each in every if any(wish.file and wish.name == name for wish in each.options)]
        if not users:
            return None
        user = game if game in users else users[0]
        verbs = [what.verb for what in user.prints if name in what.takes]
        hint = "; ".join(f"muster {able} {user.name} {option} …" for able in ("kit", *verbs))
        why = (
            tr("{command_path} prints nothing that {option} changes", command_path=ctx.command_path, option=option)
            if user is game
            else tr("it has no {option}", option=option)
        )
        return click.UsageError(tr("{name}: {why}; what takes it: {hint}", name=game.name, why=why, hint=hint), ctx)


def _able(verb: str) -> list[str]:
    """The games that have something of the kind to print."""
    return [name for name in games.names() if any(p.verb == verb for p in games.load(name).prints)]


def _kinds(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """The words for --only that go on from what is typed, for the shell."""
    # Click leaves the game among the rest, as the option behind it has no value yet.
    named = next((word for word in ctx.args if word in games.names()), None)
    try:
        return going_on(incomplete, printable(named_game(ctx, param, named), str(ctx.info_name)).kinds)
    except WrongUsageError:
        return []


def print_options(
    options: tuple[Callable[[F], F], ...],
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """GAME, --only, -o FILE, --json, and these of how it is printed."""

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        made = how_options(options)(command)
        for option in (
            console.json_option,
            out_file(".pdf"),
            click.option(
                "--only",
                metavar="WORDS",
                shell_complete=_kinds,
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
        tr("has no {verb} to print", verb=verb),
    )


def print_out(
    game: Game[Any],
    verb: str,
    options: Mapping[str, str | None],
    files: Mapping[str, Any],
    how: How,
    out: Path | None,
    as_json: bool,
    size: str | None = None,
) -> None:
    """Make the game's kit for that verb, print it, write it, and say where; `files` are wishes by parameter."""
    from generator.press.png import page_count

    about: dict[str, object] = {"verb": verb, "game": game.name}
    what = printable(game, verb)
    edition = how.edition(game, size)
    brought = {wish: value for wish in what.takes if (value := files.get(field_name(wish))) is not None}
    takes = {field_name(name): name for name in what.takes}
    asked = {takes.get(name, name): value for name, value in options.items() if value is not None}
    asked |= {wish: str(value) for wish, value in brought.items()}
    for name in asked:
        if name not in (*(["only"] if what.kinds else []), *what.takes):
            raise WrongUsageError(
                tr(
                    "{game}: `muster {verb}` does not accept --{option}",
                    game=game.name,
                    verb=verb,
                    option=option_name(name),
                )
            )
    if "only" in asked:
        asked["only"] = ",".join(chosen(asked["only"], what.kinds, "--only"))
    kit = replace(what.make(asked | {"paper": how.paper}), credit=own_credit(game, brought))
    if not kit.sheets:
        raise WrongUsageError(tr("there are no {verb} to print", verb=verb))
    if how.format:
        folder = out or Path("output") / f"{game.name}-{verb}"
        files = printed(kit, how, edition, "")
        put.folder(folder, files)
        row = about | {"stamp": kit.stamp, "folder": str(folder), "files": list(files), "pages": None}
        console.answer(as_json, row, [folder / name for name in files])
        return
    target = out or Path("output") / f"{game.name}-{verb}.pdf"
    put.spare(target)
    pdf = kit_pdf(kit, edition)
    put.file(target, pdf)
    pages = page_count(pdf)
    lines: list[str | Path] = [target]
    if what.ships() and len(kit.sheets) > 1 and "board" not in asked and not brought:
        values = {"pages": pages, "n": len(kit.sheets), "name": what.ships()[0]}
        lines.append(console.words()["all_boards"].fill(**values)[how.first])
    where = {"folder": str(target.parent), "files": [target.name], "pages": pages}
    console.answer(as_json, about | {"stamp": kit.stamp} | where, lines)


def own_credit(game: Game[Any], brought: Mapping[str, object]) -> Words | None:
    """What is said of an owner's files on every page; of a board its own note says it."""
    files = {wish: path for wish, path in brought.items() if isinstance(path, Path)}
    own = {
        w: of
        for w, of in file_ownership(game, files).items()
        if not ((shelf := content_type_of(game, w)) and shelf.view)
    }
    return credit(game, own)
