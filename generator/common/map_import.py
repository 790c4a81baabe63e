"""Maps of other programs in a common form, and the interface with which a game turns them into its own map files."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, TypeVar

import msgspec
from msgspec.structs import replace

from generator.errors import DataError, Problem, near, nearest
from generator.localization import tr
from generator.model.words import LANGS, Words
from generator.notation.toml import Source

Position = tuple[int, int]
"""The column and the row of a hex, both counted from 0, from the upper left corner."""
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=80)]


class ForeignHex(msgspec.Struct, frozen=True):
    """A hex of another program's map."""

    place: str
    """The hex as the file calls it."""
    line: int
    names: tuple[str, ...] = ()
    """The terrain and other objects on the hex, as the file calls them."""
    label: str = ""
    """The text on the hex, such as the name of a town."""
    lines: tuple[int, ...] = ()
    """The line of each name, if the names are on different lines."""

    def line_of(self, name: str) -> int:
        """Return the line on which a name of the hex is."""
        return self.lines[self.names.index(name)] if len(self.lines) == len(self.names) and self.names else self.line


class ForeignMap(msgspec.Struct, frozen=True):
    """A map of another program.

    Rows of pointy-topped hexes are staggered to the right, and columns of flat-topped hexes are staggered downwards.
    """

    file: str
    title: str
    columns: int
    rows: int
    hexes: Mapping[Position, ForeignHex]
    flat: bool
    """Whether the hexes are flat-topped."""
    second_shifted: bool
    """Whether the second row (or column), the fourth … are shifted by half a hex, rather than the first, third …"""
    turned: int = 0
    """The angle in degrees, counterclockwise, by which the map was turned."""
    open_size: bool = False
    """Whether the file states no size, so that the map may have more hexes than it lists."""
    open_start: bool = False
    """Whether an empty row (or column) may be added before the first, so that the others shift the other way."""
    remarks: tuple[Problem, ...] = ()
    """Remarks on parts of the file that are left out."""

    def extend(self) -> ForeignMap:
        """Return the map with an empty column before the first, or an empty row if its hexes are pointy-topped."""
        across, down = (1, 0) if self.flat else (0, 1)
        hexes = {(column + across, row + down): of for (column, row), of in self.hexes.items()}
        return replace(
            self, columns=self.columns + across, rows=self.rows + down, hexes=hexes,
            second_shifted=not self.second_shifted,
        )  # fmt: skip

    def turn(self, quarters: int) -> ForeignMap:
        """Return the map after a number of counterclockwise quarter turns. Neighbours stay neighbours."""
        found = self
        for _ in range(quarters % 4):
            found = found._quarter()
        return replace(found, turned=90 * (quarters % 4))

    def _quarter(self) -> ForeignMap:
        """Return the map after a counterclockwise quarter turn."""
        last = self.columns - 1
        hexes = {(row, last - column): of for (column, row), of in self.hexes.items()}
        if self.flat:  # A column that is shifted downwards becomes a row that is shifted to the right.
            shifted = self.second_shifted if last % 2 == 0 else not self.second_shifted
        else:  # A row that is shifted to the right becomes a column that is shifted upwards.
            shifted = not self.second_shifted
        return replace(
            self, columns=self.rows, rows=self.columns, hexes=hexes, flat=not self.flat, second_shifted=shifted
        )


class TerrainNames(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The names that other programs use for the terrain of a game."""

    name: Words
    """The name of the table."""
    source: str = "own"
    """Who made the table; `"house"` applies only while all values equal the shipped table."""
    empty: str
    """The terrain of a hex on which the file shows nothing. Each game gives the ids that it accepts."""
    left_out: Annotated[tuple[Name, ...], msgspec.Meta(max_length=1000)] = ()
    """Names of details that the game does not have. They are reported and left out."""

    @property
    def known(self) -> Mapping[str, tuple[str, ...]]:
        """The names of other programs, keyed by terrain."""
        raise NotImplementedError

    def faults(self, source: Source, field: str) -> Iterator[Problem]:
        """Yield a problem for each name that is in several lists.

        `field` is the key of the table that lists the names for each terrain.
        """
        lists = {(field, terrain): names for terrain, names in self.known.items()} | {("left_out",): self.left_out}
        owners: dict[str, tuple[str, ...]] = {plain_name(terrain): (field, terrain) for terrain in self.known}
        for keys, names in lists.items():
            for at, name in enumerate(names):
                if (owner := owners.setdefault(plain_name(name), keys)) != keys:
                    message = tr("“{name}” already belongs to {key}", name=name, key=".".join(owner))
                    yield source.problem((*keys, at), message, tr("keep the name in only one of the two lists"))

    def find(self, name: str) -> str | None:
        """Return the terrain with a name, an empty string if it is left out, or None if the name is unknown."""
        table = {plain_name(other): terrain for terrain, others in self.known.items() for other in (terrain, *others)}
        table |= {plain_name(other): "" for other in self.left_out}
        return next((table[form] for form in _forms(name) if form in table), None)

    def hint(self, name: str) -> str:
        """Return a hint on answering the question what a name means.

        The hint contains a known name that is part of this name or very similar, or else all terrain. Names of
        terrain are short, so a less similar name is usually other terrain: “roads” for “woods”.
        """
        every = [other for terrain, others in self.known.items() for other in (terrain, *others)]
        *_, base = _forms(name)
        part = next((word for word in reversed(base.split()) if word in every), "")
        if found := part or nearest(base, every, similar=0.8):
            return tr("did you mean {word}? Answer with --terrain {answer}", word=found, answer=_answer(name))
        return tr("terrain: {known}; answer with --terrain {answer}", known=[*self.known], answer=_answer(name))


N = TypeVar("N", bound=TerrainNames)


def read_names(source: Source, form: type[N], field: str) -> N:
    """Return a table of terrain names.

    `field` is the key of the table that lists the names for each terrain.

    Raises:
        DataError: If the table is faulty, or a name has several meanings. The error lists every fault in the order of
            the lines.
    """
    found = source.read(form)
    DataError.raise_if_any(sorted(found.faults(source, field), key=lambda problem: problem.line))
    return found


def plain_name(name: str) -> str:
    """Return a name in the form used for comparisons, with single spaces and without punctuation."""
    return " ".join(re.sub(r"[\W_]+", " ", unicodedata.normalize("NFKC", name)).casefold().split())


def _forms(name: str) -> Iterator[str]:
    """Yield a name, and then shorter forms of it: without a file ending, and without numbers at the end."""
    yield plain_name(name)
    base = re.sub(r"\.(?:png|svg|jpe?g|gif|webp)$", "", name.strip(), flags=re.IGNORECASE)
    yield plain_name(base)
    yield re.sub(r"(?: ?-?[0-9]+)+$", "", plain_name(base))


class PlacedMap(msgspec.Struct, frozen=True):
    """A map with the terrain of a game."""

    title: str
    columns: int
    rows: int
    terrain: Mapping[Position, str]
    """The terrain of each hex; hexes that the file does not have are missing."""
    objects: Mapping[Position, str]
    """The object on the terrain of a hex, such as stakes."""
    labels: Mapping[Position, str]
    empty: str
    """The terrain of all other hexes."""

    def terrain_at(self, column: int, row: int) -> str:
        """Return the terrain of a hex."""
        return self.terrain.get((column, row), self.empty)


class MapImport(msgspec.Struct, frozen=True):
    """The functions with which a game takes over maps of other programs."""

    load_names: Callable[[Path | None], TerrainNames]
    """Return the shipped table of terrain names, or a user's table.

    Raises:
        DataError: If the user's table is faulty.
    """
    kind: str
    """The kind of file that is written, as `muster data list` shows it."""
    flat: bool
    """Whether the game's hexes are flat-topped."""
    terrain: Callable[[], Mapping[str, Words]]
    """Return the labels of the game's terrain, keyed by id. Later terrain covers earlier terrain."""
    objects: Callable[[], Mapping[str, Words]]
    """Return the labels of objects on the terrain, such as stakes, keyed by id."""
    misfit: Callable[[ForeignMap], str]
    """Return the reason that a map has the wrong size or the wrong stagger, or an empty string if it fits."""
    outside: Callable[[ForeignMap, Position], bool]
    """Return whether a hex of a map that fits lies outside the game's board."""
    compose: Callable[[PlacedMap], Mapping[str, object]]
    """Return the values of the game's map file."""
    label_length: int = 0
    """The maximum number of characters of an object's label, or 0 if the game's maps have no labels."""


def orientations(of: ForeignMap, flat: bool) -> Iterator[ForeignMap]:
    """Yield a map as it is and turned, so that its hexes have the orientation that a game needs."""
    for quarters in (0, 2) if of.flat == flat else (1, 3):
        yield of.turn(quarters)
        if of.open_start:
            yield of.extend().turn(quarters)


class Taken(msgspec.Struct, frozen=True):
    """A map as a game takes it over."""

    values: Mapping[str, object]
    """The values of the game's map file."""
    turned: int
    """The angle in degrees by which the map was turned."""
    counts: Mapping[str, int]
    """The number of hexes with each terrain or object, keyed by id."""
    questions: tuple[Problem, ...]
    """A problem for each unknown name. The map may be written only if there are none."""
    remarks: tuple[Problem, ...]
    """Remarks on names and hexes that are left out."""


def take_map(of: ForeignMap, game: MapImport, names: TerrainNames, answers: Mapping[str, str]) -> Taken | str:
    """Return a map as a game takes it over, or the reason that it does not fit.

    `answers` are the user's answers to unknown names, keyed by name.
    """
    reasons = []
    for candidate in orientations(of, game.flat):
        if not (reason := game.misfit(candidate)):
            return _placed(candidate, game, names, {plain_name(key): value for key, value in answers.items()})
        reasons.append(reason)
    return reasons[0]


def _placed(of: ForeignMap, game: MapImport, names: TerrainNames, answers: Mapping[str, str]) -> Taken:
    terrain, objects = [*game.terrain()], [*game.objects()]
    ground: dict[Position, str] = {}
    placed: dict[Position, str] = {}
    unknown: dict[str, list[ForeignHex]] = {}
    left: dict[str, list[ForeignHex]] = {}
    remarks = list(of.remarks)
    unnamed = 0
    for position in sorted(of.hexes, key=lambda at: (at[1], at[0])):
        cell = of.hexes[position]
        found: list[tuple[str, str]] = []
        for name in cell.names:
            answer = next((answers[form] for form in _forms(name) if form in answers), None)
            meant = names.find(name) if answer is None else answer
            if meant is None:
                unknown.setdefault(name, []).append(cell)
            elif not meant:
                left.setdefault(name, []).append(cell)
            else:
                found.append((meant, name))
        if game.outside(of, position):
            if any(meant != names.empty for meant, _ in found):
                message = tr("{place} lies outside the board and is left out: {names}", place=cell.place,
                             names=[name for _, name in found])  # fmt: skip
                remarks.append(Problem(message, of.file, cell.line, remark=True))
            continue
        kinds = sorted({meant for meant, _ in found if meant in terrain}, key=terrain.index)
        ground[position] = kinds[-1] if kinds else names.empty
        unnamed += not cell.names
        things = sorted({meant for meant, _ in found if meant in objects}, key=objects.index)
        if things:
            placed[position] = things[-1]
        covered = [kind for kind in (*kinds[:-1], *things[:-1]) if kind != names.empty]
        if covered:
            top = [*kinds[-1:], *things[-1:]]
            message = tr("{place} keeps {kept}; left out: {names}", place=cell.place, kept=top, names=covered)
            remarks.append(Problem(message, of.file, cell.line, remark=True))
    questions = [
        Problem(
            tr("“{name}” is not a known terrain ({places})", name=name, places=_places(cells)),
            of.file,
            cells[0].line_of(name),
            names.hint(name),
        )
        for name, cells in sorted(unknown.items(), key=lambda item: item[1][0].line)
    ]
    remarks += [
        Problem(
            tr("“{name}” is left out ({places})", name=name, places=_places(cells)),
            of.file,
            cells[0].line_of(name),
            remark=True,
        )
        for name, cells in left.items()
    ]
    labels = {position: of.hexes[position].label for position in ground if of.hexes[position].label}
    remarks += _label_remarks(of, labels, placed, game.label_length)
    every = ((column, row) for column in range(of.columns) for row in range(of.rows))
    missing = sum(at not in of.hexes and not game.outside(of, at) for at in every)
    if unnamed + missing:
        message = tr("hexes without terrain in the file: {count}; they become {empty}",
                     count=unnamed + missing, empty=names.empty)  # fmt: skip
        remarks.append(Problem(message, of.file, remark=True))
    counts = Counter([*ground.values(), *placed.values(), *[names.empty] * missing])
    made = PlacedMap(of.title, of.columns, of.rows, ground, placed, labels, names.empty)
    values = game.compose(made) if not questions else {}
    return Taken(values, of.turned, dict(counts), tuple(questions), tuple(remarks))


def _label_remarks(
    of: ForeignMap, labels: Mapping[Position, str], placed: Collection[Position], length: int
) -> Iterator[Problem]:
    """Yield a remark for each label that a map cannot contain.

    Only objects have labels. `length` is the maximum number of characters.
    """
    for position, label in labels.items():
        cell = of.hexes[position]
        if not length or position not in placed:
            message = tr("the label “{label}” of {place} is left out", label=label, place=cell.place)
        elif len(label) > length:
            message = tr("the label “{label}” of {place} is shortened to “{kept}”",
                         label=label, place=cell.place, kept=label[:length])  # fmt: skip
        else:
            continue
        yield Problem(message, of.file, cell.line, remark=True)


def unused_answers(of: ForeignMap, answers: Mapping[str, str]) -> Iterator[Problem]:
    """Yield a remark for each answer that applies to no name on a map. `answers` are keyed by name."""
    names = {name for cell in of.hexes.values() for name in cell.names}
    forms = {plain_name(name) for name in answers}
    used = {next((form for form in _forms(name) if form in forms), "") for name in names}
    for name, terrain in answers.items():
        if plain_name(name) not in used:
            message = tr("--terrain {answer} is not used, because no hex has this name", answer=f"{name}={terrain}")
            yield Problem(message, of.file, hint=near(name, sorted(names)), remark=True)


_MAX_PLACES = 6
"""The maximum number of hexes that a message lists."""


def _places(cells: Sequence[ForeignHex]) -> str:
    """Return the first hexes and the number of the others."""
    return list_places([cell.place for cell in cells])


def list_places(places: Sequence[str]) -> str:
    """Return the first places and the number of the others."""
    listed = " ".join(places[:_MAX_PLACES])
    rest = len(places) - _MAX_PLACES
    return f"{listed} … +{rest}" if rest > 0 else listed


def _answer(name: str) -> str:
    """Return the start of an answer as a shell needs it."""
    return f"'{name}=…'" if re.search(r"[^\w.:-]", name) else f"{name}=…"


def both_languages(title: str) -> dict[str, str]:
    """Return a title of another program's file for both languages."""
    return dict.fromkeys(LANGS, title)
