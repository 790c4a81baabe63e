"""List, show and check data files, and print the parts of a game that need no scenario."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec
from msgspec.structs import replace

from generator.common.game import Brush, Content, ContentType, Printable
from generator.common.interpretations import Interpretation, Ruling, readings, rulings
from generator.common.map_import import TerrainNames
from generator.common.ownership import is_user_content
from generator.common.scenario_file import Drawable, GroundFiles, NamedGround, OwnersFile
from generator.common.tables import shared_words
from generator.errors import DataError, Problem, WrongUsageError, near
from generator.localization import tr
from generator.model.views import Kit, MapView, Poster, Run, Sheet
from generator.model.words import Lang, Words
from generator.notation.toml import Source
from generator.store.folders import is_there, shipped_path

Rows = list[list[str]]
C = TypeVar("C", bound=Content)


G = TypeVar("G")


def map_content_type(
    kind: str,
    files: GroundFiles[Any, G],
    show: Callable[[NamedGround[G], Lang], Rows],
    wrong: Callable[[G, Source], list[Problem]],
    view: Callable[[G], MapView],
    what: Words,
    *,
    marks: tuple[str, ...],
    takes: tuple[str, ...],
    symbols: Callable[[], Mapping[str, Drawable]] = dict,
    brushes: Callable[[], Mapping[str, Brush]] = dict,
) -> ContentType:
    """Return the content type of maps, boards or arenas that are drawn with symbols.

    `wrong` returns the faults of a map that could be read.
    """

    def find(of: str | Path) -> NamedGround[G]:
        return files.load(of) if isinstance(of, Path) else files.house()[of]

    def check(source: Source) -> list[Problem]:
        return faults(files.read)(source) or wrong(files.read(source).ground, source)

    return ContentType(
        kind,
        lambda: {name: ground.name for name, ground in files.house().items()},
        lambda of, lang: show(find(of), lang),
        check,
        marks,
        lambda of: view(find(of).ground),
        files.lies,
        takes,
        what=what,
        read=files.read,
        form=files.form,
        symbols=lambda: {symbol: terrain.name for symbol, terrain in symbols().items()},
        brushes=brushes,
    )


def single_file_content_type(
    kind: str,
    name: str,
    files: OwnersFile[C],
    show: Callable[[C, Lang], Rows],
    what: Words,
    form: type[msgspec.Struct],
    *,
    marks: tuple[str, ...],
) -> ContentType:
    """Return a content type with one shipped file, called `name`, which users may replace with their own files."""
    return ContentType(
        kind,
        lambda: {name: files.house().name},
        lambda of, lang: show(files.load(of if isinstance(of, Path) else None), lang),
        faults(files.read),
        marks,
        file=lambda _: shipped_path("data") / files.path,
        takes=(kind,),
        what=what,
        read=files.read,
        form=form,
    )


TERRAIN_NAMES = "terrain-names"
"""The option of `muster import` whose value is a table of terrain names."""


def terrain_names_type(kind: str, name: str, files: OwnersFile[Any], what: Words, field: str) -> ContentType:
    """Return the content type of a table of terrain names, which `muster import` uses.

    `field` is the key of the table under which the names are listed.
    """

    def show(of: TerrainNames, lang: Lang) -> Rows:
        rows = [[title_and_source(of, lang)], *([terrain, ", ".join(names)] for terrain, names in of.known.items())]
        return [*rows, ["", ", ".join(of.left_out)]] if of.left_out else rows

    made = single_file_content_type(kind, name, files, show, what, type(files.house()), marks=(field,))
    return replace(made, takes=(TERRAIN_NAMES,), command=("muster", "import", "FILE"))


def ground_rows(ground: NamedGround[Any], drawn: str, lang: Lang) -> Rows:
    """Return the rows for a map: its title, its note and its lines as entered."""
    return [[title_and_source(ground, lang)], [ground.note[lang]], *([line] for line in drawn.splitlines())]


def campaign_content_type(
    name: str,
    file: str,
    read: Callable[[Source], C],
    describe: Callable[[C], Iterable[Words]],
    form: type[msgspec.Struct],
    *,
    marks: tuple[str, ...],
) -> ContentType:
    """Return the content type of campaign records, which users keep.

    The only shipped file is a blank form: a record without battles.
    """

    def show(of: str | Path, lang: Lang) -> Rows:
        record = read(Source.open(Path(of)))
        return [[record.name[lang]], *([line[lang]] for line in describe(record))]

    texts = shared_words()["campaign"]
    return ContentType(
        name,
        dict,
        show,
        faults(read),
        marks,
        file=lambda _: shipped_path("data") / file,
        takes=(RECORD,),
        forms={name: texts["title"]},
        what=texts["title"].low,
        read=read,
        form=form,
    )


RECORD = "record"
"""The print option whose value is the file of a campaign record."""


def table_content_type(name: str, title: Words, show: Callable[[Lang], Rows]) -> ContentType:
    """Return the content type of a shipped table that users cannot replace."""
    return ContentType("table", lambda: {name: title}, lambda of, lang: show(lang))


def rulings_content_type(name: str, title: Words, game: str, *, fixed: bool = True) -> ContentType:
    """Return the content type of a game's rulings, including its fixed readings if `fixed` is true."""
    return table_content_type(
        name, title, lambda lang: ruling_rows(rulings(game), lang, readings(game) if fixed else ())
    )


def title_and_source(of: Content, lang: Lang) -> str:
    """Return the name of a file's content, followed by its source in brackets."""
    return f"{of.name[lang]} [{of.source}]"


def faults(read: Callable[[Source], object]) -> Callable[[Source], list[Problem]]:
    """Return a check for files whose only possible faults are those found while reading."""

    def check(source: Source) -> list[Problem]:
        try:
            read(source)
        except DataError as error:
            return list(error.problems)
        return []

    return check


def cell_problems(
    source: Source, name: Callable[[Any], str], found: Iterable[tuple[Iterable[Any], object]], remark: bool = False
) -> list[Problem]:
    """Convert faults of map cells to problems of the map's file, or to remarks if `remark` is true."""
    messages = [tr("{place}: {message}", place=" ".join(map(name, cells)), message=why) for cells, why in found]
    return [source.problem(("rows",), message, remark=remark) for message in messages]


def ruling_rows(switches: Mapping[str, Ruling], lang: Lang, fixed: Iterable[Interpretation] = ()) -> Rows:
    """Return the rows that list each switch and its choices, the default first, followed by the fixed readings."""
    rows: Rows = []
    for switch in switches.values():
        rows += [[f"{switch.name[lang]} [{switch.source}]"]]
        rows += [[switch.id, choice.id, choice.text[lang]] for choice in switch.choice]
    fixed_rows = [[f"{reading.name[lang]} [{reading.source}]: {reading.text[lang]}"] for reading in fixed]
    return [*rows, [""], *fixed_rows] if fixed_rows else rows


RANDOM = "random"


class Boards(msgspec.Struct, Generic[G], frozen=True):
    """The boards, maps or arenas of a game."""

    game: Words
    title: Words
    files: GroundFiles[Any, G]
    """The shipped boards and the users' own boards."""
    random: Callable[[Mapping[str, str]], NamedGround[G]]
    """Return a random board, generated from the code in the option `seed`."""
    poster: Callable[[NamedGround[G], Words, Mapping[str, str]], Poster]
    """Return the poster of a board, given the note that names its owner and the options as entered."""
    options: tuple[str, ...]
    """The options of a kit that name a board. They are accepted in the same way as `board`."""

    def printable(self, *takes: str) -> Printable:
        """Return the printable for `muster boards`. `takes` lists further options of the game."""
        return Printable(
            "boards", {}, self.make, ("board", "seed", *self.options, *takes), lambda: tuple(self.files.house())
        )

    def make(self, options: Mapping[str, str]) -> Kit:
        """Return a kit of the boards that the options name, or of all shipped boards if there are none."""
        names = self.requested_names(options)
        posters = tuple(self._poster(each, options) for each in (names or self.files.house()))
        return Kit(self.game, self.title, options["seed"] if RANDOM in names else "", posters)

    def requested_names(self, options: Mapping[str, str]) -> list[str]:
        """Return the values of the options that name a board, or the names in `only`.

        Raises:
            WrongUsageError: If both are given.
        """
        naming = [option for option in ("board", *self.options) if option in options]
        if "only" not in options:
            return [options[option] for option in naming]
        if naming:
            raise WrongUsageError(
                tr("--only and --{option} both name boards", option=naming[0]),
                hint=tr("omit --{option}", option="only"),
            )
        return options["only"].split(",")

    def _poster(self, name: str, options: Mapping[str, str]) -> Poster:
        words = shared_words()["boards"]
        if name == RANDOM:
            return self.poster(self.random(options), words[RANDOM].fill(code=options["seed"]), options)
        if name not in self.files.house() and is_there(path := Path(name)):
            loaded = self.files.load(path)
            return self.poster(loaded, words["own" if is_user_content(loaded) else "house"], options)
        if shipped := self.files.find_name(name):
            return self.poster(self.files.house()[shipped], words["house"], options)
        message = tr("there is neither a board nor a file named {name!r}", name=name[:40])
        raise WrongUsageError(message, hint=near(name, (*self.files.house(), RANDOM)))


def column_headings(lang: Lang, *columns: str) -> list[str]:
    """Return the headings of a table for the terminal.

    Headings in [table] of data/words.toml are translated; others are left unchanged.
    """
    known = shared_words()["table"]
    return [known[column][lang] if column in known else column for column in columns]


Make = Callable[[Mapping[str, str]], Sheet | Run | Poster]
"""A function that makes a part from the options as entered."""


def user_path(options: Mapping[str, str], option: str) -> Path | None:
    """Return the path in an option, or None if the option is not given."""
    return Path(options[option]) if option in options else None


def printable(
    verb: str, game: Words, title: Words, parts: Mapping[str, tuple[Words, Make]], takes: tuple[str, ...] = ()
) -> Printable:
    """Return the printable of a verb.

    `parts` maps each word of `--only` to the part's title and the function that makes the part, in the order of
    printing. See `Printable` for `takes`.
    """

    def make(options: Mapping[str, str]) -> Kit:
        only = options.get("only", ",".join(parts)).split(",")
        return Kit(game, title, "", tuple(part(options) for word, (_, part) in parts.items() if word in only))

    return Printable(verb, {word: name for word, (name, _) in parts.items()}, make, takes)
